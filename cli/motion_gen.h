/* Periodic motions made from sines, for measuring without captured ones. The same seed gives the same
   motion. */
#ifndef SINEW_CLI_MOTION_GEN_H
#define SINEW_CLI_MOTION_GEN_H

#include <sinew/sinew.h>
#include <stdint.h>

struct motion; /* of one model */

/* Every joint swings about an axis of its own by
     angle(t) = a sin(2 pi f t + phase) + b sin(4 pi f t + phase2),   b = harmonic a;
   a free root runs along x at `speed`, bobs up and down twice a period and rocks. */
struct motion_style {
    double frequency;                        /* f, Hz                                                     */
    double amplitude_lower, amplitude_upper; /* of a, rad, drawn for each joint                */
    double harmonic;                         /* share of the second harmonic                              */
    double speed;                            /* of the root along x, m/s                                  */
    double bob;                              /* of the root, m                                            */
    double rock;                             /* of the root, rad                                          */
};

extern const struct motion_style motion_run;    /* humanoid: 1.4 strides a second, 3 m/s   */
extern const struct motion_style motion_canter; /* dog: 2 strides a second, 4 m/s          */
extern const struct motion_style motion_swing;  /* 1 Hz, 0.25 rad in every joint, on the spot */

struct motion *motion_create(const sn_model *model, const struct motion_style *style, uint64_t seed);
void motion_free(struct motion *motion);
/* Pose and velocity at time t, exact derivatives of each other; qd may be NULL. */
void motion_sample(const struct motion *motion, double t, double *q, double *qd);

/* The generator behind it: splitmix64, uniform in [0, 1). */
double random_uniform(uint64_t *state);

#endif
