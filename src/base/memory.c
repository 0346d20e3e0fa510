#include "base/memory.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "base/platform.h"

void *sn__alloc(size_t count, size_t size) {
    if (count == 0 || size == 0) count = size = 1;
    if (count > SIZE_MAX / size) return NULL;
    return sn__platform_calloc(count, size);
}

void *sn__alloc_aligned(size_t bytes) {
    if (bytes > SIZE_MAX - SN__ALIGNMENT) return NULL;
    if (bytes == 0) bytes = 1;
    const size_t rounded = (bytes + SN__ALIGNMENT - 1) / SN__ALIGNMENT * SN__ALIGNMENT;
    void *memory = sn__platform_alloc(rounded, SN__ALIGNMENT);
    if (memory) memset(memory, 0, rounded);
    return memory;
}

void *sn__grow(void *array, int *capacity, int need, size_t size) {
    if (need <= *capacity) return array;
    int larger = *capacity > 0 ? *capacity : 16;
    while (larger < need) {
        if (larger > INT_MAX / 2) return NULL;
        larger += larger < 256 ? larger : larger / 4;
    }
    if ((size_t)larger > SIZE_MAX / size) return NULL;
    void *grown = sn__platform_realloc(array, (size_t)larger * size);
    if (grown) *capacity = larger;
    return grown;
}

void sn__free(void *memory) {
    sn__platform_free(memory);
}
