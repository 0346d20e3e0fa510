/* What `sinew bench` measured and how it is shown. */
#ifndef SINEW_CLI_BENCH_H
#define SINEW_CLI_BENCH_H

#include "workload.h"

struct bench_row {
    const char *model;
    int n, d; /* degrees of freedom; most of them from the root to a leaf */
    const char *solver;
    const sn_lanes_info *lanes;
    struct workload workload; /* ready to run            */
    double us;                /* a character-step, so far */
};

struct bench {
    struct bench_row *row;
    int nrow;
    bool failed; /* something could not be measured */
};

/* As tables or as JSON: the rows, cost growth and speed-ups, and with `check` how the targets are met. Returns how many
   targets are missed. */
int bench_print(const struct bench *bench, bool as_json, bool check);

#endif
