#include "timing.h"

#include "terminal.h"

#include <time.h>
#include <unistd.h>

double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int core_count(void) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 1 ? (int)count : 1;
}

void repeat(const struct timing *timing, double (*work)(void *), void *context) {
    for (int i = 0; i < timing->repetitions && (i == 0 || !interrupted()); i++)
        for (double spent = 0.0; spent < timing->seconds;)
            spent += work(context);
}
