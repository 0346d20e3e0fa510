/* Many characters that follow one motion, each at its own place in it. */
#ifndef SINEW_CLI_CROWD_H
#define SINEW_CLI_CROWD_H

#include "track_task.h"

/* Measures and prints what the task asks for; returns an exit code. */
int crowd(struct track_task *task, const sn_model *model, const sn_motion *motion);

#endif
