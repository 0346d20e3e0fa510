/* The native side of the comparison in tests/web/wasm.test.mjs: writes the targets and the last states of trace.c to a
   file of doubles.
   usage: trace STEPS FILE */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    const int steps = argc == 3 ? atoi(argv[1]) : 0, size = trace_size();
    if (steps < 1 || !size) return 2;
    const size_t targets = (size_t)(steps + 1) * (size_t)size, all = targets + TRACE_RUNS * (size_t)size;
    double *room = calloc(all, sizeof *room);
    if (!room) return 1;
    const double dt = 1.0 / 240;
    int failed = trace_targets(steps, dt, room);
    for (int contact = 0; contact < TRACE_RUNS; contact++)
        failed |= trace_run(contact, steps, dt, room, room + targets + contact * size);
    FILE *file = fopen(argv[2], "wb");
    if (!file || fwrite(room, sizeof *room, all, file) != all) failed = 1;
    if (file && fclose(file) != 0) failed = 1;
    free(room);
    return failed;
}
