/* How much better than expected a sample went. */
#ifndef SINEW_LEARN_ADVANTAGE_H
#define SINEW_LEARN_ADVANTAGE_H

#include <stdbool.h>

#include "learn/real.h"

/* Steps of several copies, one row of `copies` a step. */
struct sn__trace {
    int steps, copies;
    const real *reward;     /* [steps][copies] */
    const bool *terminated; /* [steps][copies] */
    const bool *truncated;  /* [steps][copies] */
    const real
        *value; /* [steps + 1][copies] of the observation acted upon; in the last row of what comes next */
    const real *final_value; /* [steps][copies] of an episode's last observation, where it was truncated */
};

/* Generalized advantage estimation (Schulman and others 2016):
     delta_t = r_t + gamma V(s_t+1) - V(s_t),   A_t = delta_t + gamma lambda A_t+1,
   where after a termination V(s_t+1) = 0, after a truncation it is the value of the last observation, and after both A_t+1 = 0.
   Also what the values should have been: A + V, which is the TD(lambda) return. */
void sn__advantages(const struct sn__trace *trace, double gamma, double lambda, real *advantage,
                    real *target);

#endif
