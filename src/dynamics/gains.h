/* What the choice of gains knows about a model. */
#ifndef SINEW_DYNAMICS_GAINS_H
#define SINEW_DYNAMICS_GAINS_H

#include "sinew/sinew.h"

/* The inertia each degree of freedom moves when all others are locked, at the pose q (NULL: zero pose): the diagonal of
   the mass matrix, with one mean value for the three axes of a ball and of either half of a free joint. inertia has nv
   values. */
sn_status sn__joint_inertia(const sn_model *model, const double *q, double *inertia);

#endif
