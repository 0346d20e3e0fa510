/* All memory of the library comes from here: from the system, or from the functions that sn_set_memory was given. Those want to
 * know the size of a block when they get it back, so that it stands in front of the block. */
#include "base/memory.h"

#include <limits.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/platform.h"
#include "sinew/sinew.h"

static sn_memory hook;   /* allocate NULL: the system */
static atomic_long held; /* blocks that have not been given back */

/* Stands right before a block of a hook. */
struct front {
    size_t bytes; /* of all, this and the space before it included */
    size_t ahead; /* bytes before the block, which is also its alignment */
};

enum { PLAIN = alignof(max_align_t) < sizeof(struct front) ? sizeof(struct front) : alignof(max_align_t) };

/* ---------------------------------------------------------------------------------------------------- hooks */

sn_status sn_set_memory(const sn_memory *memory) {
    if (memory && (!memory->allocate || !memory->release)) return SN_ERROR_ARGUMENT;
    if (atomic_load(&held)) return SN_ERROR_ARGUMENT;
    hook = memory ? *memory : (sn_memory){0};
    return SN_OK;
}

static struct front *front_of(void *block) {
    return (struct front *)block - 1;
}

/* The block inside memory that a hook gave. */
static void *enter(char *memory, size_t bytes, size_t ahead) {
    if (!memory) return NULL;
    *front_of(memory + ahead) = (struct front){bytes, ahead};
    return memory + ahead;
}

static void *hook_allocate(size_t bytes, size_t alignment) {
    if (bytes > SIZE_MAX - alignment) return NULL;
    return enter(hook.allocate(hook.user, bytes + alignment, alignment), bytes + alignment, alignment);
}

static void hook_release(void *block) {
    const struct front f = *front_of(block);
    hook.release(hook.user, (char *)block - f.ahead, f.bytes, f.ahead);
}

static void *hook_resize(void *block, size_t bytes) {
    if (!block) return hook_allocate(bytes, PLAIN);
    const struct front f = *front_of(block);
    if (bytes > SIZE_MAX - f.ahead) return NULL;
    const size_t all = bytes + f.ahead;
    if (hook.resize)
        return enter(hook.resize(hook.user, (char *)block - f.ahead, f.bytes, all, f.ahead), all, f.ahead);
    void *fresh = hook_allocate(bytes, f.ahead);
    if (!fresh) return NULL;
    memcpy(fresh, block, f.bytes < all ? f.bytes - f.ahead : bytes);
    hook_release(block);
    return fresh;
}

/* --------------------------------------------------------------------------------------------------- blocks */

static void *counted(void *block) {
    if (block) atomic_fetch_add_explicit(&held, 1, memory_order_relaxed);
    return block;
}

static void *zeroed(void *block, size_t bytes) {
    if (block) memset(block, 0, bytes);
    return counted(block);
}

void *sn__alloc(size_t count, size_t size) {
    if (count == 0 || size == 0) count = size = 1;
    if (count > SIZE_MAX / size) return NULL;
    if (hook.allocate) return zeroed(hook_allocate(count * size, PLAIN), count * size);
    return counted(sn__platform_calloc(count, size));
}

void *sn__alloc_aligned(size_t bytes) {
    if (bytes > SIZE_MAX - SN__ALIGNMENT) return NULL;
    if (bytes == 0) bytes = 1;
    const size_t rounded = (bytes + SN__ALIGNMENT - 1) / SN__ALIGNMENT * SN__ALIGNMENT;
    return zeroed(hook.allocate ? hook_allocate(rounded, SN__ALIGNMENT)
                                : sn__platform_alloc(rounded, SN__ALIGNMENT),
                  rounded);
}

void *sn__resize(void *memory, size_t bytes) {
    void *resized = hook.allocate ? hook_resize(memory, bytes) : sn__platform_realloc(memory, bytes);
    return memory ? resized : counted(resized);
}

void *sn__grow(void *array, int *capacity, int need, size_t size) {
    if (need <= *capacity) return array;
    int larger = *capacity > 0 ? *capacity : 16;
    while (larger < need) {
        if (larger > INT_MAX / 2) return NULL;
        larger += larger < 256 ? larger : larger / 4;
    }
    if ((size_t)larger > SIZE_MAX / size) return NULL;
    void *grown = sn__resize(array, (size_t)larger * size);
    if (grown) *capacity = larger;
    return grown;
}

void sn__free(void *memory) {
    if (!memory) return;
    atomic_fetch_sub_explicit(&held, 1, memory_order_relaxed);
    if (hook.allocate)
        hook_release(memory);
    else
        sn__platform_free(memory);
}
