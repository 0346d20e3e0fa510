#include "text_helpers.h"

#include <stdlib.h>
#include <time.h>

char *repeated(const char *before, const char *pattern, int count, const char *after) {
    size_t part = strlen(pattern), start = strlen(before);
    char *text = malloc(start + part * (size_t)count + strlen(after) + 1);
    memcpy(text, before, start);
    for (int i = 0; i < count; i++)
        memcpy(text + start + part * (size_t)i, pattern, part);
    strcpy(text + start + part * (size_t)count, after);
    return text;
}

double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
