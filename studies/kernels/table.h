/* The kernels of studies, a table for each lane type: beside struct sn__kernels, in the library of studies. */
#ifndef SINEW_STUDIES_KERNELS_TABLE_H
#define SINEW_STUDIES_KERNELS_TABLE_H

#include "kernels/position/args.h"
#include "kernels/table.h"
#include "studies/full.h"

#define STUDY_TABLE_(bits, width, isa) sn__studies_##bits##x##width##_##isa
#define STUDY_TABLE(bits, width, isa) STUDY_TABLE_(bits, width, isa)

#define BLOCK_KERNEL_(bits, width, isa) sn__block_##bits##x##width##_##isa
#define BLOCK_KERNEL(bits, width, isa) BLOCK_KERNEL_(bits, width, isa)

#define FULL_TABLE_(bits, width, isa) sn__full_##bits##x##width##_##isa
#define FULL_TABLE(bits, width, isa) FULL_TABLE_(bits, width, isa)

/* Where each lane is in its trajectory, one value of a lane each. */
enum sn__trajectory_lane {
    SN__LANE_ENERGY, /* of the pose that was last accepted, as those of the next three */
    SN__LANE_SQUARE, /* sum of squares of its gradient */
    SN__LANE_SLOPE,
    SN__LANE_MOVE,
    SN__LANE_PART,     /* of the displacement that is tried */
    SN__LANE_SWEEPS,   /* in this step */
    SN__LANE_AGE,      /* steps */
    SN__LANE_FRESH,    /* 1: the pose that is tried is the first of a step, */
    SN__LANE_SETTLING, /* or the one that was accepted before, for lack of a better one; */
    SN__LANE_WAITING,  /* the step has ended, the lane waits for others; */
    SN__LANE_IDLE,     /* there is nothing to do */
    SN__LANE_SOLVED,   /* the last step to the tolerance, or to rounding */
    SN__LANE_EVENT,    /* out: what the tick has come to */
    SN__LANE_VALUES
};
enum sn__trajectory_event { SN__LANE_STEPPED = 1, SN__LANE_LOST = 2 };

/* Trajectories of one-pose schemes, one in each lane (position/trajectory.h). Flat arrays, no calls back. */
struct sn__trajectory_args {
    struct sn__position_args position; /* q[0], g[0], delta[0] and energy: of the pose that is tried */
    sn__number tolerance, most;        /* largest gradient; sweeps of a step */
    int hessian, wait, by_bodies;      /* by_bodies: as move_bodies */
    sn__number past_node[SN__POSITION_PAST];
    sn__lanes *try_q;     /* [nq] position.q[0] */
    sn__lanes *q, *delta; /* [nq] accepted, [nv] and where it leads */
    sn__lanes *past_q[SN__POSITION_PAST], *past_P[SN__POSITION_PAST]; /* [nq], [nbody][SN__AFFINE] */
    sn__lanes *T, *held;                                              /* [nbody][SN__AFFINE] */
    sn__lanes *last[2], *row;            /* [nv] displacements of the last two steps; scratch */
    sn__lanes *lane;                     /* [SN__LANE_VALUES] */
    sn__lanes *velocity;                 /* [nv] out, of lanes whose step ends; NULL: not wanted */
    const sn__lanes *load;               /* [1] lanes that start: 1; */
    const sn__lanes *start_q, *start_qd; /* [nq], [nv] from here */
};

struct sn__study_table {
    sn__polarised *polarised;
    /* What the rows do under a unit force of each, as `responses` of struct sn__row_kernels. NULL in types without rows. */
    void (*test_forces)(const struct sn__args *, int n, const struct sn__row *, void *K, int stride);
    void (*cached_forces)(const struct sn__args *, int n, const struct sn__row *, void *K, int stride);

    /* Of position-based steps. */
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
    /* As struct sn__position_kernels has it. */
    void (*sweep)(const struct sn__position_args *, int hessian);
    /* delta of all stages at once, with any Hessian; g, too. NULL in types
       of more than 128 bits, unless a precision has no narrower one. */
    void (*block)(const struct sn__position_args *, int hessian);
    /* Many trajectories: lanes begin; one sweep of all, and each goes on. */
    void (*trajectory_start)(const struct sn__trajectory_args *);
    void (*trajectory_tick)(const struct sn__trajectory_args *);

    /* Full coordinates: in scalar types, else NULL. */
    const struct sn__full_kernels *full;
};

/* The table beside k; find.c. */
const struct sn__study_table *sn__study_table(const struct sn__kernels *k);

#endif
