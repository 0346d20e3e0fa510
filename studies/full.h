/* Stable PD in full coordinates: what studies/full.c and the kernels (kernels/full_lanes.c) give each other.
 *
 * Every body has six coordinates of its own, and joints are rows that hold them together. Numbers pass in double, whatever
 * the lanes calculate in. */
#ifndef SINEW_STUDIES_FULL_H
#define SINEW_STUDIES_FULL_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SN__FULL_STATE = 13, /* numbers per body: centre of mass, quaternion, its velocity, angular velocity */
    SN__FULL_ROWS = 6    /* hard rows and degrees of freedom of a joint together */
};

/* A body apart from its tree_body. Arms start at a centre of mass. */
struct sn__full_part {
    double mass, J[6];    /* J: about the centre of mass, own axes, as in tree_body */
    double child_arm[3];  /* to the joint, own axes */
    double parent_arm[3]; /* from the parent's to the joint, its axes; of a root: the joint's place */
    double bend;          /* of two axes: the cosine of the angle between them */
};

struct sn__full_setup {
    const void *tree;                 /* tree_f64 or tree_f32 */
    const struct sn__full_part *part; /* [nbody] */
    double dt, gravity[3];
    const double *kp, *kw, *K;    /* [nv] tau = Q - K qdd, Q = -kp e - kw qd */
    int method, repair, products; /* sn_full_method, sn_full_repair, sn_full_products */
    bool accelerations; /* rows are solved for accelerations instead of velocities at the end of the step */
};

struct sn__full_kernels {
    size_t (*size)(int nbody);
    /* Memory of `size` bytes, zeroed; state [nbody][SN__FULL_STATE]. */
    void (*begin)(void *work, const struct sn__full_setup *, const double *state, void *dense);
    size_t (*dense_size)(const struct sn__full_setup *);
    /* Solves for what the drives towards target [nq] do; false: the matrix is not definite. */
    bool (*solve)(void *work, const double *target);
    /* Integrates and repairs. */
    void (*move)(void *work);
    void (*state)(const void *work, double *state);
    /* The largest distance between the two ends of a joint. */
    double (*gap)(const void *work);
    /* What the last solve found: qdd, tau [nv], forces of hard rows one joint after the other. */
    int (*solution)(const void *work, double *qdd, double *tau, double *force);
};

#endif
