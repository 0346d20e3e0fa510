/* A file as a whole. */
#ifndef SINEW_TESTS_WHOLE_FILE_H
#define SINEW_TESTS_WHOLE_FILE_H

#include "run_tests.h"

#include <stdio.h>
#include <stdlib.h>

/* All of a file, which is closed, and a zero after it; `size` may be NULL. */
static inline char *read_all_of(FILE *file, size_t *size) {
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const size_t length = (size_t)ftell(file);
    rewind(file);
    char *bytes = calloc(length + 1, 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, length, file), length);
    fclose(file);
    if (size) *size = length;
    return bytes;
}

static inline char *read_whole(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) print_error("%s is not there\n", path);
    return read_all_of(file, size);
}

#endif
