/* The tables of functions that one lane type exports, and what they take. Nothing of the public header is seen here:
 * a change of it compiles no kernel again.
 *
 * Every array is in lanes, [value][lane], of the table's element type, 64-byte aligned: value i of lane k
 * stands at i * width + k. No vector type crosses this border. */
#ifndef SINEW_KERNELS_TABLE_H
#define SINEW_KERNELS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Contacts with ground and joints at their limits, as dampers inside the solve (law.h). Values in
   lanes, a record each. */
enum sn__contact_value {
    SN__POINT = 0,  /* [3] from the body's origin, which is its joint; world axes */
    SN__NORMAL = 3, /* [3] */
    SN__WANTED = 6, /* [3] velocity the point shall have at the end of the step */
    SN__BN = 9,     /* N s/m along the normal */
    SN__BT,         /* and at most across it */
    SN__MU,
    SN__GAP,                  /* m: for reports, not for the solve */
    SN__AT,                   /* [3] the point in the world, likewise */
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
    void *brace;                      /* [nbrace][SN__BRACE_VALUES] */
    void *value;                      /* [count][SN__CONTACT_VALUES] */
    void *limit;                      /* [nlimit][SN__LIMIT_VALUES] */
    double small;                     /* N: forces that are let be */
    double work;                      /* J: likewise what forces that have not settled may win */
    const struct sn__ground *of;      /* that `find` has found them with, or NULL: nothing of it moves */
};

/* How far the solve goes (convex.h). All zero: to the last digit, in at most 64 sweeps. */
struct sn__effort {
    int sweeps;       /* at most */
    int spare;        /* so many more where forces that have not settled feed energy in */
    int late;         /* and after each late look for what an impact throws against surfaces or limits */
    int refreshes;    /* sweeps after which bounds of friction follow the normal force; then they are held */
    int majorised;    /* sweeps with the majorised derivative, before the exact one */
    int looks;        /* at the slope, on the way to where a sweep went, at most */
    double tolerance; /* relative error of a force that is let be */
};

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

/* A point of a character that may touch the ground: the middle of a small sphere. Points stand in the order of
   their bodies. */
struct sn__probe {
    double at[3]; /* from the body's joint, its axes */
    double radius;
    double mu;
};

/* A body with points that may touch one surface, and its solids where that is a height field. */
struct sn__probed {
    int32_t body, surface, first, count;
    double reach; /* of the sphere around the joint that holds them all */
    int32_t slots,
        nsolid; /* slots follow the points: memory of contacts that the solids find by themselves */
    const struct sn__edge_solid *solid;
};

/* Near edges and borders of a height field a point and the triangle under it say too little. There a solid's contacts are
   found by src/collide, lane by lane, and put into slots: as many as a contact with an edge may need. */
enum { SN__EDGE_SLOTS = 12 }; /* of a solid, at most */
struct sn__edge_touch {
    bool on;
    double point[3], normal[3]; /* from the body's joint, world axes */
    double gap, mu;
};
struct sn__edge_solid {
    int32_t first, slots;
    double mu;
    const void *own; /* what `look` knows about it: world/edges.c */
    /* `place`: of the body, x and R by rows; `rate`: linear and angular velocity of its joint */
    void (*look)(const struct sn__edge_solid *solid, const double place[12], const double rate[6], double dt,
                 double margin, struct sn__edge_touch touch[SN__EDGE_SLOTS]);
};

/* A joint with limits: of its axes, or of a ball's twist (0) and swing (upper[1]). */
struct sn__stops {
    int32_t body, side, nside; /* first of its sides in the memory, and their number */
    double lower[3], upper[3];
    double inertia[3]; /* of its degrees of freedom, about */
    double near; /* rad or m: near enough to matter if it may be reached in this step at the present rate */
};

enum { SN__SIDES = 6 }; /* of the limits of a joint, at most */

/* A height field: two triangles a cell, which meet between its corners (0, 0) and (1, 1). */
struct sn__terrain {
    int32_t nx, ny;
    double origin[3], cell[2], top; /* top: of the highest point */
    const void *height;             /* [ny][nx] of the table's element type, above origin[2] */
    const int32_t *sharp;           /* [ny][nx] sums of sharp cells (collide/field_sharp.c) */
};

/* A surface that points are looked up over. */
struct sn__surface {
    double normal[3], offset;          /* the plane normal . x = offset */
    const struct sn__terrain *terrain; /* instead of it, or NULL */
};

/* A contact with other ground, found by src/collide; the same in all lanes. */
struct sn__extra {
    int32_t body;
    double point[3], normal[3]; /* from the body's origin, world axes */
    double gap, mu;
    double drift[3];          /* velocity of the ground there */
    double force[3], slip[3]; /* of the last step: what a probe has in its memory */
};

/* What a step over ground needs beyond sn__args (ground.h). */
struct sn__ground {
    const struct sn__surface *surface;
    int nprobed, nstops;
    const struct sn__probed *probed; /* in the order of bodies */
    const struct sn__probe *probe;
    const struct sn__stops *stops;
    double mass, compliance, recovery, margin; /* mass: an eighth of the character's */
    const double *share;                /* [nbody] how much of that mass a contact of a body is made for */
    double recovery_speed, limit_speed; /* no recovery is faster, m/s; rad/s */
    const double *inertia;              /* [nv] of joints, about; NULL: energy that is won is let be */
    bool stops_apart;                   /* limits become rows: the solve adds none of its own */
    void *touch;                        /* [nprobe][6] in lanes: force of the last step, and slip */
    void *stop;                         /* [nside] in lanes: force of the last step */
    uint8_t *live;                      /* [nprobe + nside] 1: what is remembered is not all zero */
    int nprobe;                         /* where the sides begin in it */
    int nextra;
    const struct sn__extra *extra; /* in the order of bodies */
    void *extra_touch;             /* [nextra][6] in lanes: filled by find */
    /* working memory */
    struct sn__contacts contacts; /* value, limit, body and limit_body have room for all */
    int32_t *which,
        *which_side; /* of the contacts: their probes, or nprobe and more for extras; their sides */
};

struct sn__args {
    const void *tree; /* struct tree_f64 or tree_f32, as the table's precision says */
    void *work;     /* table->work_size bytes; begins with [1]: how far from their laws the forces of the last
                                solve are, relative; 0: settled */
    const void *q;  /* [nq] */
    const void *qd; /* [nv] */
    const void *target_q;    /* [nq] */
    const void *target_qd;   /* [nv] or NULL: zero */
    const void *feedforward; /* [nv] or NULL: zero */
    const void *spring;      /* [nv] force of the passive springs, or NULL: none */
    const void *kp;          /* [nv] */
    const void *kd;          /* [nv] read only with target_qd */
    const void *kw;          /* [nv] factor of -qd: kd, what the form makes of kp, passive damping */
    const void *K;           /* [nv] factor of -qdd: gains as the form says, armature, implicit damping */
    const void *kw_passive;  /* [nv] what of kw the torque limit does not touch; read only with limit */
    const void *K_passive;   /* [nv] likewise of K */
    const void *limit;       /* [nv] torque limits, infinity for none; NULL: none at all */
    const void *push;        /* [nbody][6] force at the body's origin and torque, world axes, or NULL */
    const void *row_push;    /* [nbody][6] what of push comes from rows, or NULL: nothing */
    const void *row_tau;     /* [nv] what of spring comes from rows; read only with row_push */
    bool rows_follow;        /* solve leaves what rows need */
    bool loose;              /* and lets go for it of what holds next to nothing: expose.h */
    const uint8_t *per_axis; /* [nbody] 1: the ball's three gains differ; NULL: none does */
    const struct sn__contacts *contacts; /* or NULL; read by solve only */
    struct sn__ground *ground; /* that solve finds more contacts with, and torque knows its solve by; or NULL */
    struct sn__effort effort;
    double gravity[3];
    double dt;
    /* How velocity products are taken: refined at the middle of the step (midpoint.h), 0: as at its start; */
    int refinements;  /* so often at most, */
    double refine_to; /* while h |change of qdd| is more than so much of |qd|; < 0: in any case */
    double still; /* as at its start where a character that touches something turns less in a step, rad (convex.h) */
    int polarised; /* or by polarisation (polarised.h) */
    /* Each copy's own; NULL: the same for all. */
    const void *mass_scale;  /* [1] factor of all masses and inertias */
    const void *own_gravity; /* [3] instead of gravity */
    const void *own_dt;      /* [1] instead of dt */
    const void *friction;    /* [1] factor of the coefficient of friction */
    void *frozen;            /* [1] 1 where a character has diverged: stays as it is */
    void *torque;            /* [nv] step_ground leaves the drives' torque here, or NULL */
    void *middle; /* [nv] torque and step_ground leave the velocity here that the products were of, or NULL */
};

/* Beyond this a value is as good as infinite: its square may be, and a quaternion turned by it is none. */
#define SN__MOST_VALUE 1e15
/* Faster than this, in m/s or rad/s, is nothing but a simulation that has blown up. */
#define SN__MOST_SPEED 1e5

enum { SN__PLACE = 18 }; /* values of a body in `enter` */

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
       energy is won. Needs args->ground as the solve had it. */
    bool (*departs)(const struct sn__args *, const void *dv, const void *qdd);
    /* `solve` once more when only forces of rows have changed, from the accelerations qdd that their response leads to. Where
       args->contacts, args->ground and args->limit are all NULL, and under polarised products, only `solve` will do. */
    int (*resolve)(const struct sn__args *, void *qdd);
    /* What the rows do under a unit force of each: K [n][stride]. Three ways, the first the fast one. */
    void (*responses)(const struct sn__args *, int n, const struct sn__row *, void *K, int stride);
    void (*test_forces)(const struct sn__args *, int n, const struct sn__row *, void *K, int stride);
    void (*cached_forces)(const struct sn__args *, int n, const struct sn__row *, void *K, int stride);
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
    void (*retract)(const void *tree, const void *q0, const void *u, void *q);           /* q = q0 (+) u */
    void (*pull_back)(const void *tree, const void *u, const void *qd, void *rate); /* rate of u that is qd */
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
    /* One whole step: maba, then semi-implicit Euler in place. */
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

    void (*integrate)(const void *tree, double dt, const void *qdd, void *q, void *qd, int semi_implicit);
    void (*combine)(int n, const void *x, int terms, const double *c, const void *const *k,
                    void *y);                            /* x + sum c k */
    int (*all_below)(int n, const void *x, double most); /* finite, and |x| < most */

    /* Rows [width][stride] of values, a character each, into lanes [n] and back. */
    void (*to_lanes)(int n, const void *rows, size_t stride, void *lanes);
    void (*from_lanes)(int n, const void *lanes, void *rows, size_t stride);
    /* Targets between two rows of nq + nv values for each lane, t (lanes [1]) of the way from a to b, whose
       quaternions stand in the same half space; shift (lanes [3], or NULL) is added to the position of a free root. */
    void (*follow)(const void *tree, const void *const *a, const void *const *b, const void *t,
                   const void *shift, void *target_q, void *target_qd);

    int (*pgs)(struct sn__pgs *); /* in tables of doubles, NULL elsewhere; returns iterations */
};

#endif
