/* Ranks on systems where a training cannot be shared by several processes: there is only this one. */
#include "ranks.h"

#include "whole_file.h"

int ranks_open(void) {
    return 0;
}

int ranks_close(int code) {
    return code;
}

bool ranks_possible(void) {
    return false;
}

int ranks_number(void) {
    return 1;
}

bool ranks_leader(void) {
    return true;
}

const sn_exchange *ranks_exchange(void) {
    return NULL;
}

int ranks_threads(void) {
    return 0;
}

int ranks_agree(int code) {
    return code;
}

void ranks_tell(void *data, size_t size) {
    (void)data, (void)size;
}

int ranks_begin(int items, int block, int rank) {
    (void)block;
    return rank > 0 ? items : 0;
}

void ranks_share(void *data, int items, int block, size_t item_size) {
    (void)data, (void)items, (void)block, (void)item_size;
}

char *ranks_read(const char *path) {
    return whole_file_read(path, NULL);
}

bool ranks_hurry(void) {
    return false;
}

void ranks_last_words(int code, const char *format, ...) {
    (void)code, (void)format;
}
