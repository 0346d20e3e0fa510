/* What the choice and the check of gains know about a model. */
#ifndef SINEW_DYNAMICS_GAINS_H
#define SINEW_DYNAMICS_GAINS_H

#include "sinew/dynamics.h"

/* For questions in double, or in float where only that was built, in lanes that answer them all; NULL: no memory. */
sn_dynamics *sn__dynamics_for_study(const sn_model *model);
/* The mass matrix at a pose (NULL: the zero pose), nv * nv, for sn__free; or NULL. */
double *sn__mass_matrix(const sn_model *model, const double *q);

/* The inertia each degree of freedom moves when all others are locked, at the pose q (NULL: zero pose): the diagonal of
   the mass matrix, with one mean value for the three axes of a ball and of either half of a free joint. inertia has nv
   values. */
sn_status sn__joint_inertia(const sn_model *model, const double *q, double *inertia);
/* In place: the three axes of balls and of either half of free joints get their mean. */
void sn__mean_axes(const sn_model *model, double *values);

/* One degree of freedom as its drive meets it. */
struct sn__gain {
    sn_form form;
    sn_precision precision;
    double dt, inertia, damping, stiffness; /* the last two are passive */
};

/* What is wrong with its gains, by the formulas of sn_gain_flag. */
unsigned sn__gain_flags(const struct sn__gain *g, double kp, double kd);
/* D of 4 I + D, which must not be negative: check_gains.c. */
double sn__gain_margin(const struct sn__gain *g, double kp, double kd);

#endif
