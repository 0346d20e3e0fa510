/* A test program's own folder for files: `room` is its path. */
#ifndef SINEW_TESTS_ROOM_H
#define SINEW_TESTS_ROOM_H

#include "whole_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char room[64]; /* filled by make_room */

/* Makes a new folder below TMPDIR, or below /tmp. Returns 0, or 1 if that fails. */
static inline int make_room(void **state) {
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(room, sizeof room, "%.40s/sinew-test-XXXXXX", base && base[0] ? base : "/tmp");
    if (mkdtemp(room)) return 0;
    perror(room);
    return 1;
}

/* The path of a name in the room. The last eight paths stay valid. */
static inline char *in_room(const char *name) {
    static char path[8][256];
    static int turn;
    turn = (turn + 1) % 8;
    snprintf(path[turn], sizeof path[turn], "%s/%s", room, name);
    return path[turn];
}

static inline void write_whole(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static inline void write_in_room(const char *name, const void *data, size_t size) {
    write_whole(in_room(name), data, size);
}

static inline void write_text(const char *name, const char *text) {
    write_in_room(name, text, strlen(text));
}

static inline char *read_text(const char *name) {
    return read_whole(in_room(name), NULL);
}

/* Removes files by name; the list ends with NULL. */
static inline void remove_names(const char *const *names) {
    for (; *names; names++)
        remove(in_room(*names));
}

/* Removes the room. Fails if a test left a file in it. */
static inline int leave_room(void **state) {
    (void)state;
    return rmdir(room);
}

/* Removes the room and everything in it. */
static inline int clear_room(void **state) {
    (void)state;
    char line[96];
    snprintf(line, sizeof line, "rm -r '%s'", room);
    return system(line);
}

/* All tests of a program that writes one file: `path` ends in XXXXXX and becomes its name. */
static inline int run_all_with_file(char *path, const char *group) {
    const int descriptor = mkstemp(path);
    if (descriptor < 0) return 1;
    close(descriptor);
    const int failed = run_all(group);
    remove(path);
    return failed;
}

#endif
