/* Stable PD by LAPACK's dense Cholesky: the baseline that most implementations use. */
#ifndef SINEW_DYNAMICS_LAPACK_H
#define SINEW_DYNAMICS_LAPACK_H

#include "dynamics/pack.h"

/* Lane by lane: qdd = (M + K)^-1 (Q - C). A matrix that is not positive definite gives NaN. */
void sn__lapack_solve(struct sn__pack *p, const struct sn__args *args, void *qdd);

#endif
