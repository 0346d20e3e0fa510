/* The tables of functions that one lane type exports. Nothing of the public header is seen here: a change of it compiles no
 * kernel again. What the functions take is in args.h. No vector type crosses this border. */
#ifndef SINEW_KERNELS_TABLE_H
#define SINEW_KERNELS_TABLE_H

#include "kernels/args.h"

/* What a lane type is: the private twin of sn_lanes_info, member for member (tables.h fills both). */
struct sn__lane_info {
    const char *name, *isa;
    unsigned precision; /* sn_precision */
    int width;
    bool fma;
};

/* Constraint rows of worlds. Lane types of up to 256 bits have them. All read the frames that `enter` has left, and but
   for velocities what `solve` has. */
struct sn__row_kernels {
    void (*velocities)(const struct sn__args *, const void *qd,
                       double *out); /* [nbody][6]: linear, angular */
    /* Takes args->contacts along when rows change velocities by dv. How far the worst force is then from its law,
       relative to it and to the weight of the character. */
    double (*yield)(const struct sn__args *, const void *dv);
    /* Whether the motion with the accelerations qdd, which rows have led to by changing velocities by dv, needs another
       solve: a surface or a limit is passed, a torque limit broken, velocity products are not those of the motion, or
       energy is gained. Needs args->ground as the solve had it. */
    bool (*departs)(const struct sn__args *, const void *dv, const void *qdd);
    /* `solve` once more when only forces of rows have changed, from the accelerations qdd that their response leads to. Where
       args->contacts, args->ground and args->limit are all NULL, and under polarised products, only `solve` will do. */
    int (*resolve)(const struct sn__args *, void *qdd);
    /* What the rows do under a unit force of each: K [n][stride]. */
    void (*responses)(const struct sn__args *, int n, const struct sn__row *, void *K, int stride);
    /* The last solve's sweep once more, under generalised forces Q and gains K: for test forces, a study. */
    void (*sweep)(const struct sn__args *, const void *Q, const void *K, void *qdd);
    void (*apply)(const struct sn__args *, const double *wrench, const double *tau, void *qdd);
    /* What drives, args->push and, where it `gives`, the ground may have given in a step with the accelerations qdd. */
    double (*given)(const struct sn__args *, const void *qdd, bool gives);
    /* What is left before each limit, by the numbers of its sides, at the pose args->q. */
    void (*limit_gaps)(const struct sn__args *, const struct sn__ground *, double *gap);
};

/* What only studies and questions about a pose need. All lane types but f64x8 have them: f32x16 for the comparison of
   solvers (`sinew bench spd`). */
struct sn__study_kernels {
    /* (M + K) qdd = Q - C as maba solves it, by matrices: factor.h. */
    void (*dense)(const struct sn__args *, void *qdd);
    void (*sparse)(const struct sn__args *, void *qdd);
    void (*pcg)(const struct sn__args *, void *qdd);
    void (*system)(const struct sn__args *, void *M,
                   void *rhs); /* M + K in full and Q - C, for other solvers */
    /* (M + K) qdd = tau - C with args->K, or K = 0 when that is NULL. */
    void (*aba)(const struct sn__args *, const void *tau, void *qdd);
    void (*crba)(const struct sn__args *, void *M); /* [nv][nv] in full, without armature */
    /* The drives' own torque by eq. 6, from the PD formula. */
    void (*pd_torque)(const struct sn__args *, const void *qdd, void *tau);
    /* Torques within args->limit, in place. */
    void (*cut_torques)(const struct sn__args *, void *tau);
    /* tau + springs - kw_passive qd, in place. */
    void (*add_passive)(const struct sn__args *, void *tau);
    void (*jacobian)(const struct sn__args *, int body, const double point[3], void *J); /* [6][nv] */
    void (*retract)(const sn__tree *tree, const void *q0, const void *u, void *q);       /* q = q0 (+) u */
    void (*pull_back)(const sn__tree *tree, const void *u, const void *qd,
                      void *rate); /* rate of u that is qd */
};

struct sn__position_kernels;

/* What every lane type has: all that steps characters, many abreast. */
struct sn__kernels {
    struct sn__lane_info info;
    size_t elem_size;
    size_t alignment;
    const struct sn__row_kernels *rows;          /* or NULL */
    const struct sn__study_kernels *study;       /* or NULL */
    const struct sn__position_kernels *position; /* position/table.h, or NULL */

    size_t (*work_size)(int nbody, int nv, int nslot, int matrix);

    /* (M + K) qdd = Q - C, the drives inside: maba-2020 eq. 7. */
    void (*maba)(const struct sn__args *, void *qdd);
    /* One whole step: maba, the torque where it is asked for, then semi-implicit Euler in place. */
    void (*step)(const struct sn__args *, void *q, void *qd, void *qdd);
    /* The same for K = 0 known beforehand: explicit PD on the plain articulated-body algorithm. */
    void (*step_plain)(const struct sn__args *, void *q, void *qd, void *qdd);
    /* A step over ground and with joint limits, `remember` apart; returns the sweeps it took. Leaves in `contacts` what
       touched. */
    int (*step_ground)(const struct sn__args *, struct sn__ground *, void *q, void *qd, void *qdd);
    /* Its parts, for steps that do something in between: after `enter`, the records of points near ground and of joints
       near their limits; */
    void (*find)(const struct sn__args *, struct sn__ground *);
    /* after the solve, the drives' torque under args->contacts and args->push; */
    void (*torque)(const struct sn__args *, const void *qdd);
    /* after positions have moved, what balls have passed their limits by; */
    void (*hold_balls)(const struct sn__args *, const struct sn__ground *, void *q, const void *qd);
    /* at the end, what the next step begins with. */
    void (*remember)(const struct sn__args *, struct sn__ground *);

    /* tau = M qdd + C; rigid bodies, gravity and pushes only. qdd NULL: zero. */
    void (*rnea)(const struct sn__args *, const void *qdd, void *tau);
    /* The drives' own torque by eq. 5, from tau = M qdd + C in place. */
    void (*drive_share)(const struct sn__args *, const void *qdd, void *tau);

    /* For worlds: pass 1, whose frames stay in the working memory; of each body its origin (3), R by rows
       (9), velocity of the origin (3), angular velocity (3); of the first lane. */
    void (*enter)(const struct sn__args *, double *place);
    /* Over those frames: qdd under drives, limits and args->contacts; returns the sweeps it took. Leaves what
       the row kernels read. */
    int (*solve)(const struct sn__args *, void *qdd);

    void (*kinematics)(const struct sn__args *,
                       void *pose); /* [nbody][13]: pos, rot, linear, angular; body frames */
    void (*summary)(const struct sn__args *, void *out); /* [11] in the order of sn_summary */
    void (*springs)(const struct sn__args *, void *tau); /* [nv] */

    void (*integrate)(const sn__tree *tree, double dt, const void *qdd, void *q, void *qd, int semi_implicit);
    void (*combine)(int n, const void *x, int terms, const double *c, const void *const *k,
                    void *y);                            /* x + sum c k */
    int (*all_below)(int n, const void *x, double most); /* finite, and |x| < most */

    /* Rows [width][stride] of values, a character each, into lanes [n] and back. */
    void (*to_lanes)(int n, const void *rows, size_t stride, void *lanes);
    void (*from_lanes)(int n, const void *lanes, void *rows, size_t stride);
    /* Targets between two rows of nq + nv values for each lane, t (lanes [1]) of the way from a to b, whose
       quaternions stand in the same half space; shift (lanes [3], or NULL) is added to the position of a free root. */
    void (*follow)(const sn__tree *tree, const void *const *a, const void *const *b, const void *t,
                   const void *shift, void *target_q, void *target_qd);

    int (*pgs)(struct sn__pgs *); /* in tables of doubles, NULL elsewhere; returns iterations */
};

#endif
