/* A line on stderr that says how far a long job is; silent unless stderr is a terminal. */
#ifndef SINEW_CLI_PROGRESS_H
#define SINEW_CLI_PROGRESS_H

#include "platform.h"

void progress_start(const char *job, int steps);
/* Called when a step starts, with what it does. */
void progress_step(const char *format, ...) LIKE_PRINTF(1, 2);
void progress_end(void);

#endif
