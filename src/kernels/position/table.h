/* The table of functions behind position-based stepping (position_*.h), and what they take.
 *
 * A step looks for poses q_1 ... q_m at the stages of a scheme at which every body obeys
 *
 *     acceleration of stage i = (sum_j C_ij P_j - T_i) / dt^2,         P = [R t] the body's affine pose
 *
 * with T_i what the history of poses contributes. Arrays are in lanes as in table.h. */
#ifndef SINEW_KERNELS_POSITION_TABLE_H
#define SINEW_KERNELS_POSITION_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/table.h"

enum {
    SN__POSITION_STAGES = 3, /* poses solved for at once, at most */
    SN__POSITION_PAST = 4,   /* poses of the past that a scheme looks at, at most */
    SN__AFFINE = 12 /* values of a body in an affine pose: R by rows, then the translation within the joint:
                                s q of a slide, the position of a free root, zero for others */
};

/* What of the second variation of the energy a sweep keeps. */
enum sn__position_hessian {
    SN__GAUSS_NEWTON, /* c M / dt^2 + K */
    SN__CLAMPED,      /* and the positive semidefinite part of each body's geometric stiffness G */
    SN__MIRRORED, /* and |G|, the eigenvalues below zero with their signs turned: fewer iterations on wild motion */
    SN__EXACT /* all of it; may be indefinite. By `block` only */
};

/* Terms of a body beyond its inertia, for contact and drag: derivatives of an energy by displacements of the body, in
   world axes about its joint. */
enum sn__position_extra {
    SN__EXTRA_J = 0,       /* [6] xx yy zz xy xz yz: Hessian by turns (work.h) */
    SN__EXTRA_H = 6,       /* [9] by rows */
    SN__EXTRA_M = 15,      /* [6] */
    SN__EXTRA_MOMENT = 21, /* [3] gradient by turns */
    SN__EXTRA_FORCE = 24,  /* [3] and by translations */
    SN__EXTRA_Y = 27, /* [9] sum of F c^T over material points c under a gradient F: the geometric stiffness
                                      comes from it. The moment does not: it must be in MOMENT, too */
    SN__EXTRA_VALUES = 36
};

/* Joint limits in a step of a world; arrays in lanes. */
struct sn__position_stops {
    const struct sn__args *args;     /* gains and dt: what a limit must be stiffer than */
    const struct sn__ground *ground; /* its stops */
    void *allowed;                   /* [nside] gap that counts as none */
};

/* Contact with the ground in a step of a world; arrays in lanes. */
struct sn__position_touch {
    struct sn__ground *ground; /* its contacts are what touches in the iterate at hand */
    void *anchor;              /* [nbody][3] what the positions of free roots are relative to */
    void *origin;              /* [nbody][3] origins of bodies in the iterate at hand, likewise */
    void *start;               /* [nbody][SN__AFFINE] rotations and origins at the start of the step */
    void *allowed;             /* [nprobe] gap that counts as none */
    void *bound;               /* [nprobe] N: what friction may reach */
    void *extra;               /* [nextra][SN__EXTRA_VALUES] */
    void *stiffness;           /* [1] N/m */
    const void *friction;      /* [1] factor of mu, or NULL */
    int exact;                 /* sweeps take the true stiffness of what slides, else its secant */
    int begins;                /* bounds are those of the forces of the last step */
};

struct sn__position_args {
    const void *tree;                                   /* struct tree_f64 or tree_f32 */
    void *work;                                         /* position->work_size bytes */
    int m;                                              /* stages */
    int past;                                           /* poses of the past */
    double C[SN__POSITION_STAGES][SN__POSITION_STAGES]; /* accelerations, times dt^2 */
    double W[SN__POSITION_STAGES][SN__POSITION_PAST];   /* what the past takes off them */
    double velocity[SN__POSITION_STAGES];               /* likewise of dt times the velocity at the start */
    double rate[SN__POSITION_STAGES][SN__POSITION_STAGES];    /* velocities of joints, times dt */
    double rate_past[SN__POSITION_STAGES][SN__POSITION_PAST]; /* what the past takes off them */
    double dt;
    double gravity[3];

    const void *q[SN__POSITION_STAGES];    /* [nq] the poses looked for */
    const void *T[SN__POSITION_STAGES];    /* [nbody][SN__AFFINE] from `history` */
    const void *past_q[SN__POSITION_PAST]; /* [nq] read where joints have dampers or armature */
    const void *past_qd; /* [nv] velocity at the start, where a scheme has one and joints armature */
    const void *target_q[SN__POSITION_STAGES];  /* [nq] or NULL: no drives */
    const void *target_qd[SN__POSITION_STAGES]; /* [nv] or NULL: zero */
    const void *kp, *kd;                        /* [nv] of the drives; read with target_q */
    const void *damping;                        /* [nv] passive, or NULL */
    const void *armature;                       /* [nv] or NULL */
    const void *feedforward;                    /* [nv] or NULL */
    const void *lambda;                         /* [nv] added to the diagonal of the Hessian, or NULL */
    const void *push;        /* [nbody][6] force at the body's origin and torque, or NULL */
    int springs;             /* some joint of the model has a passive spring */
    const uint8_t *per_axis; /* [nbody] 1: the ball's three gains differ; NULL: none does */

    /* Of worlds: position/ground.h, position/stops.h. NULL: none. */
    const void *limit;                      /* [nv] torque limits, infinity for none */
    const struct sn__position_stops *stops; /* joint limits */
    struct sn__position_touch *touch;       /* ground: fills the extra terms as bodies are placed */
    const uint8_t *wide;                    /* [nbody] 1: K of the ball is a matrix, as per_axis makes it */

    int nextra;
    const int32_t *extra_body;              /* [nextra] ascending */
    const void *extra[SN__POSITION_STAGES]; /* [nextra][SN__EXTRA_VALUES] */

    /* Each copy's own; NULL: the same for all. */
    const void *mass_scale, *own_gravity, *own_dt;

    void *g[SN__POSITION_STAGES];     /* out: [nv] gradient */
    void *delta[SN__POSITION_STAGES]; /* out: [nv] of sweeps */
    void *energy;                     /* out: [1] or NULL. Schemes of one stage have one */
};

/* A step of a block of copies of a world (position/step.h). Arrays in lanes. */
struct sn__position_step {
    const struct sn__args *args;            /* what acts on them, as the other steppers have it */
    const struct sn__position_args *scheme; /* tree, weights, gravity and dt alone: of one pose */
    struct sn__ground *ground;              /* or NULL */
    int nextra, nside;
    const int32_t *extra_body; /* [nextra] bodies with points that may touch the ground */
    void *past;                /* [past - 1][nq] the poses before the present one, roots relative to it */
    void *steady;              /* [1] 0: there is no history */
    void *memory;              /* step_memory bytes */
    void *unsettled;           /* [1] out: 1 where Newton's method has not met the tolerance */
    const void *damping, *armature;        /* [nv] or NULL */
    const uint8_t *wide;                   /* [nbody] balls with limits */
    const struct sn__position_args *plain; /* weights of PBAD-2 where the scheme is another one, or NULL */
    int driven;                            /* some gain is not zero; then the form: */
    int end_spring, ahead, explicit_drive;
    int hessian;
    int sweeps; /* exactly so many; or */
    int newton,
        rounds; /* at most so many passes of Newton's method, so often for friction's bounds; 0: fixed sweeps */
    int late;   /* passes of Newton's method that lanes may take after fixed sweeps */
    int limp;   /* some lane may have no springs to targets */
    double tolerance, force_scale;
};

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
    SN__LANE_SETTLING, /* or the one that was accepted before, for want of a better one; */
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
    double tolerance, most;            /* largest gradient; sweeps of a step */
    int hessian, wait, by_bodies;      /* by_bodies: as move_bodies */
    double past_node[SN__POSITION_PAST];
    void *try_q;                                                 /* [nq] position.q[0] */
    void *q, *delta;                                             /* [nq] accepted, [nv] and where it leads */
    void *past_q[SN__POSITION_PAST], *past_P[SN__POSITION_PAST]; /* [nq], [nbody][SN__AFFINE] */
    void *T, *held;                                              /* [nbody][SN__AFFINE] */
    void *last[2], *row;            /* [nv] displacements of the last two steps; scratch */
    void *lane;                     /* [SN__LANE_VALUES] */
    void *velocity;                 /* [nv] out, of lanes whose step ends; NULL: not wanted */
    const void *load;               /* [1] lanes that start: 1; */
    const void *start_q, *start_qd; /* [nq], [nv] from here */
};

/* Lane types that have them say so in sn__kernels.position. */
struct sn__position_kernels {
    size_t (*work_size)(int nbody, int nv, int nslot, int m);
    /* The affine pose of every body: [nbody][SN__AFFINE]; and its rate under qd. */
    void (*affine)(const void *tree, void *work, const void *q, void *P);
    void (*affine_rate)(const void *tree, void *work, const void *q, const void *qd, void *V);
    /* sum_k w_k x_k over n values each. */
    void (*blend)(int n, int terms, const double *w, const void *const *x, void *out);
    /* Takes the positions of free roots in `at` off those in other poses and affine poses, lane by lane: what is kept
       of the past stays small, wherever the character is. */
    void (*recentre)(const void *tree, const void *at, int nq, void *const *q, int nP, void *const *P);
    /* q = q0 (+) s u, with s [1] of each lane or NULL for 1; u = q (-) q0, the shortest way. */
    void (*move)(const void *tree, const void *q0, const void *u, const void *s, void *q);
    void (*move_bodies)(const void *tree, void *work, const void *q0, const void *u, const void *s, void *q);
    void (*difference)(const void *tree, const void *q, const void *q0, void *u);
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
