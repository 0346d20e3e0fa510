/* The world of kokkevis-2004 as the library has it: constraints as rows, velocity products at the start of the step, and
 * every problem solved as far as it goes. The library's own default differs in all three. */
#ifndef SINEW_CLI_REPRODUCE_PAPER_WORLD_H
#define SINEW_CLI_REPRODUCE_PAPER_WORLD_H

#include "experiment.h"

#include <sinew/sinew.h>

sn_world_def paper_world_def(void);
/* Says so in the settings. */
void put_paper_world(struct result *result);

#endif
