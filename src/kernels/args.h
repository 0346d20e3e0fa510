/* What kernels are given: data alone, no functions, so that a device can read it (src/base/shared.h).
 *
 * Every array is in lanes, [value][lane], of the element type of the lane type, 64-byte aligned: value i of lane k is at
 * i * width + k. What all characters share is SHARED. */
#ifndef SINEW_KERNELS_ARGS_H
#define SINEW_KERNELS_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/compiled.h"

/* Arrays in lanes, and the tree. Their types depend on the precision, which is known where kernels are compiled. */
#ifdef SN__DEVICE
typedef float sn__lanes;
typedef SHARED struct tree_f32 sn__tree;
#else
typedef void sn__lanes;
typedef void sn__tree;
#endif

/* Contacts with ground and joints at their limits, as dampers inside the solve (law.h). Values in
   lanes, a record each. */
enum sn__contact_value {
    SN__POINT = 0,  /* [3] from the body's origin, which is its joint; world axes */
    SN__NORMAL = 3, /* [3] */
    SN__WANTED = 6, /* [3] velocity the point should have at the end of the step */
    SN__BN = 9,     /* N s/m along the normal */
    SN__BT,         /* and at most across it */
    SN__MU,
    SN__GAP,                  /* m: for reports, not for the solve */
    SN__AT,                   /* [3] the point in the world, as above */
    SN__FORCE = SN__AT + 3,   /* [3] in: of the last step, zero for a new contact; out: of this one */
    SN__SLIP = SN__FORCE + 3, /* [3] how far its material must go back to where it stuck: for the next step */
    SN__BOUND = SN__SLIP + 3, /* N: scratch from here on: L, what friction may reach; */
    SN__BOUND_WAS,            /* and before the last step */
    SN__REST,                 /* [3] what of u does not depend on the solve */
    SN__U = SN__REST + 3,     /* [3] u of the iterate */
    SN__DU = SN__U + 3,       /* [3] how u and the force have changed in the last step */
    SN__DF = SN__DU + 3,      /* [3] */
    SN__NOW = SN__DF + 3,     /* [SN__COEFFICIENTS] of the sweep */
    SN__WAY = SN__NOW + 7,    /* [SN__WAY_VALUES] of the last step */
    SN__SWEPT = SN__WAY + 5,  /* [SN__COEFFICIENTS] of the last sweep, kept where rows follow */
    SN__CONTACT_VALUES = SN__SWEPT + 7
};

/* Coefficients of a contact: F = -bn u_n n - bt u_t where it sticks; where it slides along t, -push t
   instead of what bt would do along it. */
enum sn__coefficient {
    SN__BN_NOW,
    SN__BT_NOW,
    SN__ALONG_NOW, /* bt where it sticks, 0 where it slides */
    SN__T_NOW,     /* [3] */
    SN__PUSH_NOW = SN__T_NOW + 3,
    SN__COEFFICIENTS
};

/* What the line search needs of a contact, u = u1 + (at - 1) du on the way to where the sweep went, u1: */
enum sn__way {
    SN__WAY_N,     /* u1 . n */
    SN__WAY_DN,    /* du . n */
    SN__WAY_SLIP,  /* |u1_t|^2 */
    SN__WAY_ALONG, /* u1_t . du */
    SN__WAY_DT,    /* |du_t|^2 */
    SN__WAY_VALUES
};

enum sn__limit_value {
    SN__LIMIT_AXIS = 0, /* [3] factors of the joint's first three velocities: the way away from the limit */
    SN__LIMIT_WANTED = 3,
    SN__LIMIT_B,     /* N m s, or N s/m */
    SN__LIMIT_GAP,   /* what is left before the limit; negative: beyond it */
    SN__LIMIT_FORCE, /* in: positive where it is expected to push; out */
    SN__LIMIT_U,     /* scratch, as of a contact */
    SN__LIMIT_DU,
    SN__LIMIT_DF,
    SN__LIMIT_NOW,
    SN__LIMIT_SWEPT,
    SN__LIMIT_VALUES
};

enum sn__brace_value {
    SN__BRACE_B = 3,     /* [6] damping; before it [3] the point, from the body's origin, world axes */
    SN__BRACE_G = 9,     /* [3] force at u = 0 */
    SN__BRACE_REST = 12, /* [3] scratch: what of u does not depend on the solve */
    SN__BRACE_VALUES = 15
};

struct sn__contacts {
    int count, nlimit;
    const int32_t *body, *limit_body; /* ascending */
    int nbrace;                       /* brace.h */
    const int32_t *brace_first;       /* [nbody + 1] where those of each body begin; read only with nbrace */
    sn__lanes *brace;                 /* [nbrace][SN__BRACE_VALUES] */
    sn__lanes *value;                 /* [count][SN__CONTACT_VALUES] */
    sn__lanes *limit;                 /* [nlimit][SN__LIMIT_VALUES] */
    sn__number small;                 /* N: forces that are ignored */
    sn__number work;                  /* J: what forces that have not settled may gain */
    const struct sn__ground *of;      /* that `find` has found them with, or NULL: nothing of it moves */
};

/* How far the solve goes (convex.h). All zero: to the last digit, in at most 64 sweeps. */
struct sn__effort {
    int sweeps;    /* at most */
    int spare;     /* further sweeps, where forces that have not settled add energy */
    int late;      /* and after each late look for what an impact throws against surfaces or limits */
    int refreshes; /* sweeps after which bounds of friction follow the normal force; then they are held */
    int majorised; /* sweeps with the majorised derivative, before the exact one */
    int looks;     /* at the slope, on the way to where a sweep went, at most */
    sn__number tolerance; /* relative error of a force that is ignored */
};

#ifndef SN__DEVICE
/* A constraint row on one character. */
struct sn__row {
    int32_t body;
    int32_t joint; /* 0: w is a moment about the body's origin and a force, world axes; 1: w are the factors of
                      the joint's degrees of freedom */
    double w[6];
};

/* Projected Gauss-Seidel over rows that touch one or two places of the characters (pgs.h). Arrays of
   double. */
struct sn__side {
    int32_t block; /* which character; -1: none */
    int32_t index; /* which row of its matrix */
};

struct sn__pgs_row {
    struct sn__side side[2];
    double b;       /* velocity without impulses, less what is wanted */
    double soft;    /* compliance: w = ... + soft f */
    double d;       /* diagonal, soft included: filled in by pgs */
    double lo, hi;  /* bounds where normal < 0 */
    int32_t normal; /* the row whose impulse bounds this one; friction rows of a cone stand in pairs */
    int32_t cone; /* 1: this row and the next are bounded together, |f| <= mu f[normal]; 2: this row and the next
                       two, |f - middle| <= hi; normal is then -1 */
    double middle; /* its part of the middle of that ball */
    double off[2]; /* couplings with the next rows of a cone: filled in by pgs */
    double mu;
    double most;     /* mu f[normal] at the start, where bounds are held */
    int32_t one_way; /* 0 <= f <= mu f[normal] */
};

struct sn__pgs_block {
    int n, stride;
    const double *K; /* [n][stride] */
    double *v;       /* [stride] K f: velocities of its rows, filled in by pgs */
};

struct sn__pgs {
    int n, nblock;
    struct sn__pgs_row *row;
    const struct sn__pgs_block *block;
    double *f; /* [n] in: where to start; out */
    int iterations;
    double tolerance;
    bool hold; /* bounds of friction are those of the start, not of each sweep: it may go in circles else */
    double residual; /* out: the largest |change| * d of a last sweep that changed nothing */
};
#endif

/* A point of a character that may touch the ground: the middle of a small sphere. Points stand in the order of
   their bodies. */
struct sn__probe {
    sn__number at[3]; /* from the body's joint, its axes */
    sn__number radius;
    sn__number mu;
};

/* A body with points that may touch one surface, and its solids where that is a height field. */
struct sn__probed {
    int32_t body, surface, first, count;
    sn__number reach; /* of the sphere around the joint that holds them all */
    int32_t slots,
        nsolid; /* slots follow the points: memory of contacts that the solids find by themselves */
    const SHARED struct sn__edge_solid *solid;
};

/* Near edges and borders of a height field a point and the triangle under it say too little. There a solid's contacts are
   found by src/collide, lane by lane, and put into slots: as many as a contact with an edge may need. */
enum { SN__EDGE_SLOTS = 12 }; /* of a solid, at most */
struct sn__edge_touch {
    bool on;
    sn__number point[3], normal[3]; /* from the body's joint, world axes */
    sn__number gap, mu;
};
struct sn__edge_solid {
    int32_t first, slots;
    sn__number mu;
    const void *own; /* what `look` knows about it: world/edges.c */
#ifndef SN__DEVICE   /* which has no pointers to functions, and no solids on height fields */
    /* `place`: of the body, x and R by rows; `rate`: linear and angular velocity of its joint */
    void (*look)(const struct sn__edge_solid *solid, const double place[12], const double rate[6], double dt,
                 double margin, struct sn__edge_touch touch[SN__EDGE_SLOTS]);
#endif
};

/* A joint with limits: of its axes, or of a ball's twist (0) and swing (upper[1]). */
struct sn__stops {
    int32_t body, side, nside; /* first of its sides in the memory, and their number */
    sn__number lower[3], upper[3];
    sn__number inertia[3]; /* of its degrees of freedom, about */
    sn__number near; /* rad or m: near enough to matter if it may be reached in this step at the present rate */
};

enum { SN__SIDES = 6 }; /* of the limits of a joint, at most */

/* A height field: two triangles a cell, which meet between its corners (0, 0) and (1, 1). */
struct sn__terrain {
    int32_t nx, ny;
    sn__number origin[3], cell[2], top;   /* top: of the highest point */
    const SHARED_LARGE sn__lanes *height; /* [ny][nx] of the table's element type, above origin[2] */
    const SHARED_LARGE int32_t *sharp;    /* [ny][nx] sums of sharp cells (collide/field_sharp.c) */
};

/* A surface that points are looked up over. */
struct sn__surface {
    sn__number normal[3], offset;      /* the plane normal . x = offset */
    const struct sn__terrain *terrain; /* instead of it, or NULL */
};

/* A contact with other ground, found by src/collide; the same in all lanes. */
struct sn__extra {
    int32_t body;
    sn__number point[3], normal[3]; /* from the body's origin, world axes */
    sn__number gap, mu;
    sn__number drift[3];          /* velocity of the ground there */
    sn__number force[3], slip[3]; /* of the last step: what a probe has in its memory */
};

/* What a step over ground needs beyond sn__args (ground.h). */
struct sn__ground {
    const struct sn__surface *surface;
    int nprobed, nstops;
    const SHARED struct sn__probed *probed; /* in the order of bodies */
    const SHARED struct sn__probe *probe;
    const SHARED struct sn__stops *stops;
    sn__number mass, compliance, recovery, margin; /* mass: an eighth of the character's */
    const SHARED sn__number *share; /* [nbody] how much of that mass a contact of a body is made for */
    sn__number recovery_speed, limit_speed; /* no recovery is faster, m/s; rad/s */
    const SHARED sn__number *inertia; /* [nv] of joints, about; NULL: energy that is gained is ignored */
    bool stops_apart;                 /* limits become rows: the solve adds none of its own */
    bool gives;                       /* it moves, or its surface does, and may give energy */
    sn__lanes *touch;                 /* [nprobe][6] in lanes: force of the last step, and slip */
    sn__lanes *stop;                  /* [nside] in lanes: force of the last step */
    uint8_t *live;                    /* [nprobe + nside] 1: what is remembered is not all zero */
    int nprobe;                       /* where the sides begin in it */
    int nextra;
    const SHARED struct sn__extra *extra; /* in the order of bodies */
    sn__lanes *extra_touch;               /* [nextra][6] in lanes: filled by find */
    /* working memory */
    struct sn__contacts contacts; /* value, limit, body and limit_body have room for all */
    int32_t *which,
        *which_side; /* of the contacts: their probes, or nprobe and more for extras; their sides */
};

/* Accelerations under polarised velocity products, generalised forces Q and gains K, over frames that stand: a study
   (studies/kernels/polarised.h). */
#ifndef SN__DEVICE
struct sn__args;
typedef void sn__polarised(const struct sn__args *, const void *Q, const void *K, void *qdd);
#endif

struct sn__args {
    const sn__tree *tree; /* struct tree_f64 or tree_f32, as the table's precision says */
    char *work;           /* table->work_size bytes */
    sn__lanes *
        residual; /* [1] out: how far from their laws the forces of the last solve are, relative; 0: settled */
    const sn__lanes *q;           /* [nq] */
    const sn__lanes *qd;          /* [nv] */
    const sn__lanes *target_q;    /* [nq] */
    const sn__lanes *target_qd;   /* [nv] or NULL: zero */
    const sn__lanes *feedforward; /* [nv] or NULL: zero */
    const sn__lanes *spring;      /* [nv] force of the passive springs, or NULL: none */
    const sn__lanes *kp;          /* [nv] */
    const sn__lanes *kd;          /* [nv] read only with target_qd */
    const sn__lanes *kw;          /* [nv] factor of -qd: kd, what the form makes of kp, passive damping */
    const sn__lanes *K;          /* [nv] factor of -qdd: gains as the form says, armature, implicit damping */
    const sn__lanes *kw_passive; /* [nv] what of kw the torque limit does not touch; read only with limit */
    const sn__lanes *K_passive;  /* [nv] the same for K */
    const sn__lanes *limit;      /* [nv] torque limits, infinity for none; NULL: none at all */
    const sn__lanes *push;       /* [nbody][6] force at the body's origin and torque, world axes, or NULL */
    const sn__lanes *row_push;   /* [nbody][6] what of push comes from rows, or NULL: nothing */
    const sn__lanes *row_tau;    /* [nv] what of spring comes from rows; read only with row_push */
    bool rows_follow;            /* solve leaves what rows need */
    bool loose;                  /* and lets go for it of what holds next to nothing: expose.h */
    const SHARED uint8_t *per_axis;      /* [nbody] 1: the ball's three gains differ; NULL: none does */
    const struct sn__contacts *contacts; /* or NULL; read by solve only */
    struct sn__ground *ground; /* that solve finds more contacts with, and torque knows its solve by; or NULL */
    struct sn__effort effort;
    sn__number gravity[3];
    sn__number dt;
    /* How velocity products are taken: refined at the middle of the step (midpoint.h), 0: as at its start; */
    int refinements;       /* at most this many times, */
    sn__number refine_to;  /* while h |change of qdd| is more than this part of |qd|; < 0: always */
    const sn__lanes *last; /* [nv] acceleration of the last step, by which maba predicts them; NULL: not */
    sn__number predict_to; /* where that was right to this part of |qd| (predict.h) */
    sn__number
        still; /* as at its start where a character that touches something turns less in a step, rad (convex.h) */
#ifdef SN__DEVICE
    int polarised; /* 0: devices have no studies */
#else
    sn__polarised *polarised; /* or by polarisation, NULL: not */
#endif
    /* Each copy's own; NULL: the same for all. */
    const sn__lanes *mass_scale;  /* [1] factor of all masses and inertias */
    const sn__lanes *own_gravity; /* [3] instead of gravity */
    const sn__lanes *own_dt;      /* [1] instead of dt */
    const sn__lanes *friction;    /* [1] factor of the coefficient of friction */
    sn__lanes *frozen;            /* [1] 1 where a character has diverged: stays as it is */
    sn__lanes *torque;            /* [nv] step_ground leaves the drives' torque here, or NULL */
    sn__lanes
        *middle; /* [nv] torque and step_ground leave the velocity here that the products were of, or NULL */
};

/* Beyond this a value is as good as infinite: its square may be, and a quaternion turned by it is none. */
#define SN__MOST_VALUE 1e15
/* Faster than this, in m/s or rad/s, is nothing but a simulation that has blown up. */
#define SN__MOST_SPEED 1e5

enum { SN__PLACE = 18 }; /* values of a body in `enter` */

#endif
