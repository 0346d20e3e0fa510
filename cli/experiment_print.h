/* Printing results: as text for people, as JSON for programs. */
#ifndef SINEW_CLI_EXPERIMENT_PRINT_H
#define SINEW_CLI_EXPERIMENT_PRINT_H

#include "experiment.h"

#include <stdio.h>

struct cJSON;

void print_experiment(const struct experiment *experiment, const struct result *result);
/* {"experiment", "settings", "rows", "claims", "closing"}; the caller deletes it. */
struct cJSON *experiment_json(const struct result *result);
struct cJSON *record_json(const struct record *record);

/* Rows as tables: a new one wherever the "table" field or the set of keys changes. */
void print_rows(const struct record *row, int nrow);
/* Prints the JSON and deletes it. */
void print_json(FILE *out, struct cJSON *json);

/* A part of a benchmark's output, {key: [rows]} in JSON or a table under a heading; frees it. */
void print_part(struct cJSON *json, const char *key, const char *heading, struct result *part);

#endif
