/* The world of kokkevis-2004 in the settings of an experiment. */
#ifndef SINEW_CLI_REPRODUCE_PAPER_WORLD_H
#define SINEW_CLI_REPRODUCE_PAPER_WORLD_H

#include "experiment.h"

#include "scenes/papers.h"

/* Says in the settings what paper_world_def is. */
void put_paper_world(struct result *result);

#endif
