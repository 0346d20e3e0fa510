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

/* Both also work out cost growth and speed-ups, and with `check` how the targets are met. They return how
   many targets are missed. */
int bench_print_text(const struct bench *bench, bool check);
int bench_print_json(const struct bench *bench, bool check);

#endif
