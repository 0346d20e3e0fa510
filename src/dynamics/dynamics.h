/* The calculator behind sinew/dynamics.h: a pack as working memory, which every call fills again. */
#ifndef SINEW_DYNAMICS_DYNAMICS_H
#define SINEW_DYNAMICS_DYNAMICS_H

#include "dynamics/pack.h"

struct sn_dynamics {
    struct sn__pack pack;
    void *answer;  /* lanes: what a kernel answers, the largest of 13 nbody, 6 nv and 11 values */
    double *row;   /* [the same] of one state */
    double *pose;  /* [nq] a pose made fit for the lanes */
    double *zero;  /* [max(nv, nq)] the gains and the velocity of those who give none */
    double *limit; /* [nv] torque limits that the lanes hold */
    sn_dynamics_def def;
    struct sn_dynamics
        *answers; /* questions that the lanes of this one have no kernels for; NULL: not asked yet */
};

/* The pose with unit quaternions, in d->pose. Those that are of unit length to within rounding stay as they are, so
   that many calls of one step come to the same bits as one call of many. False: refused. */
bool sn__dynamics_tidy(sn_dynamics *d, const double *q);

#endif
