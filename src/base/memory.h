/* Memory: always zeroed, NULL when there is none, given back with sn__free. */
#ifndef SINEW_BASE_MEMORY_H
#define SINEW_BASE_MEMORY_H

#include <stddef.h>

enum { SN__ALIGNMENT = 64 }; /* bytes: a cache line, and the widest vector */

/* count elements of size bytes. None at all still gives a pointer; too many to count gives NULL. */
void *sn__alloc(size_t count, size_t size);

/* The same on a boundary of SN__ALIGNMENT bytes. */
void *sn__alloc_aligned(size_t bytes);

/* Grows the array to at least `need` elements. *capacity doubles, or grows by a quarter if it is large. NULL: out of
   memory, and the old array is unchanged. New elements are not zeroed. */
void *sn__grow(void *array, int *capacity, int need, size_t size);

/* As realloc: NULL is allowed, and new bytes are not zeroed. */
void *sn__resize(void *memory, size_t bytes);

void sn__free(void *memory); /* NULL is allowed */
/* Several at once: sn__free_all(clip->time, clip->position, clip). */
#define sn__free_all(...)                                                                                    \
    do {                                                                                                     \
        void *const sn__all[] = {__VA_ARGS__};                                                               \
        for (size_t sn__i = 0; sn__i < sizeof sn__all / sizeof *sn__all; sn__i++)                            \
            sn__free(sn__all[sn__i]);                                                                        \
    } while (0)

#endif
