/* Printing results: as text for people, as JSON for programs. */
#ifndef SINEW_CLI_REPORT_H
#define SINEW_CLI_REPORT_H

#include "experiment.h"

struct cJSON;

void report_text(const struct experiment *experiment, const struct result *result);
/* {"experiment", "settings", "rows", "claims"}; the caller deletes it. */
struct cJSON *report_json(const struct result *result);
struct cJSON *record_json(const struct record *record);

/* Rows as tables: a new one wherever the "table" field or the set of keys changes. */
void print_rows(const struct record *row, int nrow);
/* Prints the JSON on stdout and deletes it. */
void print_json(struct cJSON *json);

#endif
