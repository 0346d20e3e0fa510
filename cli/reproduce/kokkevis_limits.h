/* What the scenes of kokkevis/limits have in common. */
#ifndef SINEW_CLI_KOKKEVIS_LIMITS_H
#define SINEW_CLI_KOKKEVIS_LIMITS_H

#include "experiment.h"

#include <sinew/sinew.h>

/* How far the worst joint of a pose is past its limits, rad or m; its body goes into `which` where it is past any. */
double worst_past_limit(const sn_model *model, const double *q, int *which);
double degrees(double angle);

/* Drives that press joints against their limits, and falls without any damping, in the library's own world, with each
   way of contact: kokkevis_limits_hard.c. Worst of all runs, degrees; NAN where one stopped being finite. */
struct hard_limits {
    double elbow, hinge;
    double fall[2];    /* by rows, with either stepper; by implicit contact */
    int falls, finite; /* of the undamped falls */
};
enum { HARD_LIMIT_RUNS = 3 * 4 * 3 }; /* ways, steps, scenes: what progress counts */
void hard_limits(const struct run_settings *settings, struct hard_limits *seen, struct result *result);

#endif
