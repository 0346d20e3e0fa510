#include "timing.h"

#include "platform.h"
#include "terminal.h"

#include <time.h>

double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int core_count(void) {
    return platform_cores();
}

void repeat(const struct timing *timing, double (*work)(void *), void *context) {
    for (int i = 0; i < timing->repetitions && (i == 0 || !interrupted()); i++)
        for (double spent = 0.0; spent < timing->seconds;)
            spent += work(context);
}
