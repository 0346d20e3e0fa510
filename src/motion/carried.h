/* How a clip was carried over to a model, kept for the way back. */
#ifndef SINEW_MOTION_CARRIED_H
#define SINEW_MOTION_CARRIED_H

#include "sinew/sinew.h"

/* See retarget.c for H, K, scale and shift. */
struct sn__carried {
    sn_clip *clip; /* a copy */
    int *joint;    /* [nbody] that drives the body, -1: none */
    double *K;     /* [nbody][4] */
    double H[4], scale, shift[3];
    int root; /* the first body that is driven */
};

/* A copy of all; NULL: out of memory. */
struct sn__carried *sn__carried_create(const sn_clip_def *clip, int nbody, const struct sn__carried *how);
void sn__carried_free(struct sn__carried *carried);

/* The motion owns it from now on. */
void sn__motion_keep(sn_motion *motion, struct sn__carried *carried);
const struct sn__carried *sn__motion_carried(const sn_motion *motion); /* NULL: it is of no clip */

#endif
