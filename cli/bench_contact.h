/* What `sinew bench contact` measures: a driven character on the ground. */
#ifndef SINEW_CLI_BENCH_CONTACT_H
#define SINEW_CLI_BENCH_CONTACT_H

#include <stdbool.h>

struct result;

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

/* A part of the output, {key: [rows]} in JSON or a table under a heading; frees it. */
struct cJSON;
void contact_print_part(struct cJSON *json, const char *key, const char *heading, struct result *part);

#endif
