/* The optimised half of pbad/control: gaits of swimmer and spider from a random start. */
#ifndef SINEW_CLI_REPRODUCE_PBAD_SEARCH_H
#define SINEW_CLI_REPRODUCE_PBAD_SEARCH_H

#include "experiment.h"

int gait_search_steps(const struct run_settings *settings); /* of the progress bar */
/* Adds rows and claims, and figures and a CSV file where they are wanted; false after a complaint. */
bool run_gait_searches(const struct run_settings *settings, struct result *result);

#endif
