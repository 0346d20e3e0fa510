/* What `sinew bench contact` measures: a driven character on the ground. */
#ifndef SINEW_CLI_BENCH_CONTACT_H
#define SINEW_CLI_BENCH_CONTACT_H

#include <stdbool.h>

struct contact_settings {
    bool json, quick, check;
    int repetitions;
    double kp, kd;
};

/* All return an exit code. */
int bench_contact(int argc, char **argv);
int bench_contact_rows(const struct contact_settings *settings);      /* cost against the number of rows */
int bench_contact_stability(const struct contact_settings *settings); /* gains against steps */

void help_bench_contact(void);

#endif
