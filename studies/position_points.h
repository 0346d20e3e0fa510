/* Forces on material points as terms of a position-based step: drag of a fluid and contact with the ground, as energies of
 * pbad-2018 section 6.2 or what replaces them. Studies of one character: worlds have contact of their own. */
#ifndef SINEW_DYNAMICS_POSITION_POINTS_H
#define SINEW_DYNAMICS_POSITION_POINTS_H

#include "sinew/studies.h"

struct sn__position;

struct sn__points {
    int nbody;
    bool has_drag, has_ground;
    sn_position_ground_def ground;
    int npoint;
    int *body;           /* [npoint] that touch the ground, */
    double *point;       /* [npoint][3] in kernel axes, */
    double *normal;      /* [npoint] N, at the start of the step */
    double *mass_point;  /* [nbody][6][3] each a sixth of the body: its mass, centre and second moments */
    double *long_axis;   /* [nbody][3] own axes */
    double *start, *now; /* [nbody][12] R and origin, less the anchor of the root */
    double *extra;       /* [nbody][SN__EXTRA_VALUES] */
    int32_t *index;      /* [nbody] 0, 1, 2, ... */
    void *lanes;         /* extra, in lanes */
};

/* NULL: no memory. */
struct sn__points *sn__points_create(const struct sn__position *p);
void sn__points_free(struct sn__points *points); /* NULL is allowed */
/* What the past says, before a step; then the terms at a pose, where the kernels read them, and their energy. */
void sn__points_begin(struct sn__position *p);
double sn__points_at(struct sn__position *p, const void *q);

#endif
