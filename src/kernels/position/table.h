/* The table of functions behind position-based stepping. What they take is in args.h. */
#ifndef SINEW_KERNELS_POSITION_TABLE_H
#define SINEW_KERNELS_POSITION_TABLE_H

#include "kernels/position/args.h"

/* Lane types that have them say so in sn__kernels.position. */
struct sn__position_kernels {
    size_t (*work_size)(int nbody, int nv, int nslot, int m);
    /* The affine pose of every body: [nbody][SN__AFFINE]; and its rate under qd. */
    void (*affine)(const sn__tree *tree, void *work, const void *q, void *P);
    void (*affine_rate)(const sn__tree *tree, void *work, const void *q, const void *qd, void *V);
    /* sum_k w_k x_k over n values each. */
    void (*blend)(int n, int terms, const double *w, const void *const *x, void *out);
    /* Takes the positions of free roots in `at` off those in other poses and affine poses, lane by lane: what is kept
       of the past stays small, wherever the character is. */
    void (*recentre)(const sn__tree *tree, const void *at, int nq, void *const *q, int nP, void *const *P);
    /* q = q0 (+) s u, with s [1] of each lane or NULL for 1; u = q (-) q0, the shortest way. */
    void (*move)(const sn__tree *tree, const void *q0, const void *u, const void *s, void *q);
    void (*move_bodies)(const sn__tree *tree, void *work, const void *q0, const void *u, const void *s,
                        void *q);
    void (*difference)(const sn__tree *tree, const void *q, const void *q0, void *u);
    /* The velocity of the joints at stage i as the scheme sees it, [nv]. */
    void (*velocity)(const struct sn__position_args *, int stage, void *qd);
    /* The gradient of all stages, and the energy. */
    void (*gradient)(const struct sn__position_args *);
    /* The same of one pose, and delta = -H^-1 g in O(n): any but SN__EXACT. */
    void (*sweep)(const struct sn__position_args *, int hessian);
    /* delta of all stages at once, with any Hessian; g, too. Only studies use it: NULL in types
       of more than 128 bits, unless a precision has no narrower one. */
    void (*block)(const struct sn__position_args *, int hessian);
    /* A step of a world; returns the sweeps it took. */
    size_t (*step_memory)(int nbody, int nv, int nq, int nslot, int nprobe, int nside, int past);
    int (*step)(const struct sn__position_step *, void *q, void *qd, void *qdd);
    /* Many trajectories: lanes begin; one sweep of all, and each goes on. */
    void (*trajectory_start)(const struct sn__trajectory_args *);
    void (*trajectory_tick)(const struct sn__trajectory_args *);
};

#endif
