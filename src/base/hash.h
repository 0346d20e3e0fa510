/* A hash for comparing runs and for finding names; not for secrets. */
#ifndef SINEW_BASE_HASH_H
#define SINEW_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a, 64 bits. Seed 0 gives the published values; the hash of one piece as the seed of the next chains
   them. */
uint64_t sn__hash(const void *data, size_t size, uint64_t seed);

#endif
