/* The ways to memory, replaced in the program that includes this: they count, and one of them is refused when told. Where
   MEMORY_IS_OWNED is 1 the sanitizer or the C library keeps its own, and nothing is replaced. */
#ifndef SINEW_TESTS_REFUSED_MEMORY_H
#define SINEW_TESTS_REFUSED_MEMORY_H

#include "run_tests.h"

#if defined(__SANITIZE_ADDRESS__) || !defined(__GLIBC__)

#define MEMORY_IS_OWNED 1

TEST(memory_is_somebody_elses) {
    print_message("  the sanitizer or the C library owns malloc: skipped\n");
    skip();
}

#else

#define MEMORY_IS_OWNED 0

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

/* glibc's own names for what is replaced below. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

/* The compiler knows malloc, and that it changes no variable: therefore volatile. */
static volatile int memory_calls;        /* of all functions, free among them */
static volatile long memory_held;        /* pieces not given back */
static volatile long until_refused = -1; /* so many more are granted, then one is not; below 0: all are */

static bool refused(void) {
    memory_calls++;
    return until_refused >= 0 && until_refused-- == 0;
}

static void *granted(void *memory) {
    memory_held += memory != NULL;
    return memory;
}

void *malloc(size_t size) {
    return refused() ? NULL : granted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size) {
    return refused() ? NULL : granted(__libc_calloc(count, size));
}

void *realloc(void *memory, size_t size) {
    if (refused()) return NULL;
    void *grown = __libc_realloc(memory, size);
    return memory ? grown : granted(grown);
}

void *memalign(size_t alignment, size_t size) {
    return refused() ? NULL : granted(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size) {
    return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

void free(void *memory) {
    memory_calls++;
    memory_held -= memory != NULL;
    __libc_free(memory);
}

#endif

#endif
