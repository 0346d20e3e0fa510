/* What kernels are given, and the working memory they share. */
#ifndef SINEW_KERNELS_TREE_WORK_H
#define SINEW_KERNELS_TREE_WORK_H

#include "kernels/args.h"
#include "kernels/tree/vec.h"

#if LANE_BITS == 64
typedef SHARED struct tree_f64 tree;
typedef SHARED struct tree_body_f64 tree_body;
#else
typedef SHARED struct tree_f32 tree;
typedef SHARED struct tree_body_f32 tree_body;
#endif

KERNEL int is_ball(const tree_body *b) {
    return b->joint == SN__JOINT_BALL;
}

KERNEL int is_free(const tree_body *b) {
    return b->joint == SN__JOINT_FREE;
}

/* A ball, or the second half of a free joint: three degrees of freedom and a quaternion. */
KERNEL int has_rotation(const tree_body *b) {
    return is_ball(b) || is_free(b);
}

/* Where a body stands. World axes; the origin stands at the joint. */
#define POSE                                                                                                 \
    quat Q;   /* orientation: own axes to world axes */                                                      \
    mat3 R;   /* the same as a matrix */                                                                     \
    vec3 r;   /* from the parent's origin to this one */                                                     \
    vec3 s[3] /* the axes of its joint */

struct pose {
    POSE;
};

/* Pass 1 of the papers leaves one of these for each body. */
struct frame {
    union {
        struct pose pose;
        struct {
            POSE;
        };
    };
    vec3 w; /* angular velocity */
    vec3 d; /* w_p x (w_p x r), and the Coriolis terms of axes that slide: what velocities add to the acceleration
               of the origin */
    vec3 c; /* what velocities add to the angular acceleration: the angular part of c_i in eq. 32 */
};

/* An articulated inertia about the origin: moment = J alpha + H a + n, force = H^T alpha + M a + f. */
struct inertia {
    sym3 J;
    mat3 H;
    sym3 M;
    vec3 n, f; /* bias moment and bias force, p^A of the paper */
};

/* What pass 2 leaves for pass 3, and for the deltas (deltas.h), by joint. */
struct ball_response { /* alpha = y + N alpha_p - W a,  N = D^-1 K */
    vec3 y;
    mat3 W;
    mat3 N;  /* gains by axis */
    sym3 Di; /* one gain for all axes: D^-1 */
    sym3 Dx; /* gains by axis: D^-1 */
};

struct axis_response { /* q'' = u - U alpha - V a, all divided by D */
    real u, inverse;   /* inverse: 1 / D */
    vec3 U, V;
};

struct free_response { /* solved at once: what its inverse is made of */
    mat3 W;
    sym3 linear, angular;
};

struct response {
    union {
        struct ball_response ball;
        struct axis_response axis[3];
        struct free_response free;
    };
};

/* Classical accelerations, gravity taken off: alpha of the body, a of its origin. */
struct motion {
    vec3 alpha, a;
};

/* Biases of constraint forces on their way to the root: deltas.h. */
struct delta {
    vec3 n, f; /* moment about the body's origin, force */
    vec3 m;    /* ball: tau - n. Axes: one value each. Free: of the angular part */
};

/* A body by itself, world axes: what refinements of the velocity products need of it (midpoint.h). */
struct rigid {
    sym3 J;
    vec3 mc;
    vec3 n, f; /* w x J w and w x (w x mc), of the w that its frame has */
};

/* A ball or free joint on the world (spin.h). */
struct spin {
    sym3 J;      /* articulated inertia */
    mat3 G, Z;   /* gyroscopic matrix, (1 + Y G)^-1 */
    vec3 moment; /* bias moment that sweeps add: G (alpha - alpha of the last refinement) */
};

/* moment = J alpha + Hm a + n, force = Hf alpha + M a + f (polarised.h). */
struct polar {
    mat3 J, Hm, Hf, M;
    vec3 n, f;
};

/* How sweeps take the velocity products: those of a start keep struct rigid and work J of struct spin out. */
enum { PRODUCTS_EXPLICIT, PRODUCTS_START, PRODUCTS_START_SPINNING, PRODUCTS_HELD };

/* Arrays of [nv] that kernels take turns with. Each group of kernels has its own names for them. Between kernels only
   solve.P keeps its values: torques that follow rows, and reports of torques. */
enum { SCRATCH_ARRAYS = 6 };
#define SCRATCH                                                                                              \
    union {                                                                                                  \
        real *array[SCRATCH_ARRAYS];                                                                         \
        struct solve_scratch solve;                                                                          \
        struct matrix_scratch matrix;                                                                        \
        struct row_scratch row;                                                                              \
    }

struct solve_scratch { /* contact/convex.h and all that it is made of */
    real *Q0;          /* drives and passive forces together: filled once per solve */
    real *Qp;          /* passive forces alone: filled once, under torque limits */
    real *P; /* torques of drives that balance the rest of the dynamics at the iterate, under torque limits */
    union {
        real *P_try; /* the same at the end of a sweep (limits.h) */
        real *K;     /* of the next sweep (holds.h) */
    };
    real *ever; /* 1 where a drive has been beyond its limit in this solve, 2 where it is held there (limits.h) */
    real *y; /* accelerations that a sweep came to */
};

struct matrix_scratch { /* factor.h */
    real *C;            /* velocity products and gravity */
    real *column[4];    /* dense: of a panel, not yet divided; pcg: r, p, A p, 1 / diagonal */
};

struct row_scratch { /* contact/deltas.h */
    real *tau;       /* joint forces of rows */
    real *qdd;       /* what comes of them */
    real *qdd0;      /* the same without a test force */
    real *Q;         /* of the drives */
};

struct work {
    SCRATCH;
    int products;     /* one of these */
    int stale;        /* what bodies left to their parents was made over other frames */
    int rigid_stands; /* work.rigid holds J and mc of every body in its frame */
    real calm; /* of the velocities at the start of the step, velocity products have so much (midpoint.h) */
    struct frame *frame;       /* [nbody], frame[-1] is the world */
    struct motion *motion;     /* [nbody], motion[-1] is the world, accelerating against gravity */
    struct response *response; /* [nbody] */
    struct inertia *slot;      /* [nslot] where children add up */
    struct inertia *composite; /* [nbody] for the mass matrix */
    real *Q;                   /* [nv] generalised force of the drives without its qdd part: eq. 40 */
    real *over;                /* [nv] 1 where a drive is beyond its torque limit, else 0 (limits.h) */
    sym3 *K3;                  /* [2 nbody] K of such a joint, or of the halves of a free one: own axes */
    real *M;                   /* [nv * nv] mass matrix, rows of the lower triangle */
    struct delta *delta;       /* [nbody] */
    vec3 *place;               /* [nbody] where the origins are (records.h) */
    struct motion *rate;       /* [nbody] angular velocity, and velocity of the origin (records.h) */
    struct motion *bias;       /* [nbody] accelerations at qdd = 0 (records.h) */
    struct inertia *left; /* [nbody] what each body leaves to its parent, while contacts are about (sweep.h) */
    struct rigid *rigid;  /* [nbody] */
    struct spin *spin;    /* [nbody] of balls and free joints on the world */
    struct motion *drift; /* [nbody] how accelerations at the same qdd change with the velocity products */
    struct polar *polar;  /* [nslot] where children add up */
    union {
        real *vbar; /* [nv] velocity halfway through the step: of joints made of axes (midpoint.h), of all joints (late.h) */
        real *held_K; /* [nv] polarised products: K with drives beyond their limits held (convex.h) */
    };
    union {
        real *turn; /* [nv] qdd of balls in world axes, between pass 3 and a refinement (midpoint.h) */
        real *polarising; /* [nv] polarised products: first the accelerations, then the force that polarises them (polarise.h) */
    };
    real *push;           /* [6 nbody] test forces */
    struct frame *ahead;  /* [nbody] where the step ends, ahead[-1] is the world (won.h) */
    real *end_q, *end_qd; /* [nv + nbody] and [nv] as above */
    real *damping; /* [nv] of joints that would gain energy, else 0: filled by solves over ground (guard.h) */
    real *damped_K[2]; /* [nv] K and K_passive with it */
    uint8_t *
        mixed; /* [nbody] bodies whose joints have a K of three axes in the lanes of `near`; NULL: none has (sweep.h) */
    mask *near;           /* [nbody] filled where `mixed` is */
    uint8_t *mark;        /* [5 nbody] other sets of bodies: of rows (deltas.h), of contacts (sweep.h) */
    int32_t *first;       /* [nbody + 1] where the contacts of each body begin */
    int32_t *first_limit; /* [nbody + 1] the same for the limits of its joint */
};

/* Lays the working memory out; with memory NULL only measures it. Without a matrix nothing of it depends
   on nv^2. */
static inline size_t work_layout(struct work *w, char *memory, int nbody, int nv, int nslot, int matrix) {
    size_t size = 0;
#define PLACE(field, type, before, count)                                                                    \
    do {                                                                                                     \
        if (memory) (field) = (type *)(memory + size) + (before);                                            \
        size += sizeof(type) * ((size_t)(before) + (size_t)(count));                                         \
        size = (size + 63) & ~(size_t)63;                                                                    \
    } while (0)
    PLACE(w->frame, struct frame, 1, nbody);
    PLACE(w->motion, struct motion, 1, nbody);
    PLACE(w->response, struct response, 0, nbody);
    PLACE(w->slot, struct inertia, 0, nslot);
    PLACE(w->Q, real, 0, nv);
    PLACE(w->over, real, 0, nv);
    for (int i = 0; i < SCRATCH_ARRAYS; i++)
        PLACE(w->array[i], real, 0, nv);
    PLACE(w->K3, sym3, 0, 2 * nbody);
    PLACE(w->delta, struct delta, 0, nbody);
    PLACE(w->place, vec3, 1, nbody);
    PLACE(w->rate, struct motion, 1, nbody);
    PLACE(w->bias, struct motion, 1, nbody);
    PLACE(w->left, struct inertia, 0, nbody);
    PLACE(w->rigid, struct rigid, 0, nbody);
    PLACE(w->spin, struct spin, 0, nbody);
    PLACE(w->drift, struct motion, 1, nbody);
    PLACE(w->polar, struct polar, 0, nslot);
    PLACE(w->vbar, real, 0, nv);
    PLACE(w->turn, real, 0, nv);
    PLACE(w->push, real, 0, 6 * nbody);
    PLACE(w->ahead, struct frame, 1, nbody);
    PLACE(w->end_q, real, 0, nv + nbody);
    PLACE(w->end_qd, real, 0, nv);
    PLACE(w->damping, real, 0, nv);
    PLACE(w->damped_K[0], real, 0, nv);
    PLACE(w->damped_K[1], real, 0, nv);
    PLACE(w->mixed, uint8_t, 0, nbody);
    PLACE(w->near, mask, 0, nbody);
    PLACE(w->mark, uint8_t, 0, 5 * nbody);
    PLACE(w->first, int32_t, 0, nbody + 1);
    PLACE(w->first_limit, int32_t, 0, nbody + 1);
    PLACE(w->composite, struct inertia, 0, matrix ? nbody : 0);
    PLACE(w->M, real, 0, matrix ? (size_t)nv * (size_t)nv : 0);
#undef PLACE
    return size;
}

/* What may be each character's own. */
KERNEL real step_size(const struct sn__args *args) {
    return args->own_dt ? *(const real *)args->own_dt : splat(R(args->dt));
}

KERNEL vec3 gravity_of(const struct sn__args *args) {
    if (args->own_gravity) return vec_load(args->own_gravity);
    return (vec3){splat(R(args->gravity[0])), splat(R(args->gravity[1])), splat(R(args->gravity[2]))};
}

/* The push on a body with what carries its weight: F = -lift m g at the centre of mass, mc / m. `own` has room for the sum
   where the body has both. */
KERNEL const real *push_with_lift(const struct sn__args *args, const struct frame *f, int i, real own[6]) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const real *push = args->push ? (const real *)args->push + 6 * i : 0;
    if (b->lift == 0) return push;
    const vec3 g = gravity_of(args);
    real up = -splat(b->lift);
    if (args->mass_scale) up = up * *(const real *)args->mass_scale;
    vec3 arm; /* m times the way from the body's own origin to its centre of mass */
    arm.x = splat(b->mc[0] - b->mass * b->origin[0]);
    arm.y = splat(b->mc[1] - b->mass * b->origin[1]);
    arm.z = splat(b->mc[2] - b->mass * b->origin[2]);
    vec3 F = scale(g, up * splat(b->mass)), n = scale(cross(mul(f->R, arm), g), up);
    if (push) F = add(F, vec_load(push)), n = add(n, vec_load(push + 3));
    vec_store(own, F);
    vec_store(own + 3, n);
    return own;
}

static inline struct work work_of(const struct sn__args *args, int matrix) {
    const tree *t = args->tree;
    struct work w = {0};
    work_layout(&w, args->work, t->nbody, t->nv, t->nslot, matrix);
    const vec3 zero = vec_zero();
    const vec3 gravity = gravity_of(args), lift = {-gravity.x, -gravity.y, -gravity.z};
    w.frame[-1] =
        (struct frame){.Q = {splat(1), zero.x, zero.x, zero.x}, .w = zero, .r = zero, .d = zero, .c = zero};
    w.frame[-1].R = quat_matrix(w.frame[-1].Q);
    w.motion[-1] = (struct motion){zero, lift};
    w.calm = splat(1);
    if (!args->contacts && !args->ground && !args->limit) w.mixed = 0;
    w.products = args->refinements ? PRODUCTS_HELD : PRODUCTS_EXPLICIT;
    return w;
}

#endif
