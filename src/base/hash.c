#include "base/hash.h"

uint64_t sn__hash(const void *data, size_t size, uint64_t seed) {
    const unsigned char *byte = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ seed;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}
