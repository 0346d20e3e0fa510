/* The gradient of a position-based step, leaves to root like inverse dynamics.
 *
 * A body whose material points p (own axes) accelerate by A p + b has, with S = integral rho p p^T about its joint,
 *
 *     Y = A S R^T + b (R mc)^T,   force f = A mc + m b,   moment n = (Y_zy - Y_yz, Y_xz - Y_zx, Y_yx - Y_xy)
 *
 * and the gradient at a joint is S_joint^T (n, f) of all that hangs on it. One pose has an energy,
 *
 *     E = dt^2 / (2 c) sum tr([A b] M~ [A b]^T) + joints,   tr(...) = A S : A + 2 b . A mc + m |b|^2. */
#ifndef SINEW_KERNELS_POSITION_GRADIENT_H
#define SINEW_KERNELS_POSITION_GRADIENT_H

#include "kernels/position/joint.h"

/* Moment about a body's origin, force and sum of F c^T over material points c: of the body, or of all that hangs on it. */
struct wrench {
    vec3 n, f;
    mat3 Y;
};

/* A body's own inertia in a sweep, times c / dt^2, its geometric stiffness in J. */
struct burden {
    sym3 J;
    vec3 mc;
    sym3 G; /* all of the stiffness */
};

struct position_work {
    struct place *place[SN__POSITION_STAGES];   /* [nbody], place[-1] is the world */
    struct wrench *wrench[SN__POSITION_STAGES]; /* [nbody] */
    real *K;                                    /* [nv] */
    sym3 *K3;                                   /* [nbody] of balls and the turn of free joints, own axes */
    struct burden *burden;                      /* [nbody] */
    struct inertia *slot;                       /* [nslot] where the children of a body add up */
    struct wrench *below;                       /* [nslot] and their wrenches */
    struct response *response;                  /* [nbody] */
    struct motion *motion;                      /* [nbody], motion[-1] is the world */
    real *block_slot;                           /* [nslot][6 m][6 m + 1] matrix and bias */
    real *block_rows;                           /* [nv][m][6 m + 1] D^-1 U and D^-1 u */
    real *block_motion;                         /* [nbody + 1][6 m] */
};

static inline size_t position_layout(struct position_work *w, char *memory, int nbody, int nv, int nslot,
                                     int m, int block) {
    size_t size = 0;
#define PLACE(field, type, before, count)                                                                    \
    do {                                                                                                     \
        if (memory) (field) = (type *)(memory + size) + (before);                                            \
        size += sizeof(type) * ((size_t)(before) + (size_t)(count));                                         \
        size = (size + 63) & ~(size_t)63;                                                                    \
    } while (0)
    for (int i = 0; i < m; i++)
        PLACE(w->place[i], struct place, 1, nbody);
    for (int i = 0; i < m; i++)
        PLACE(w->wrench[i], struct wrench, 0, nbody);
    PLACE(w->K, real, 0, nv);
    PLACE(w->K3, sym3, 0, nbody);
    PLACE(w->burden, struct burden, 0, nbody);
    PLACE(w->slot, struct inertia, 0, nslot);
    PLACE(w->below, struct wrench, 0, nslot);
    PLACE(w->response, struct response, 0, nbody);
    PLACE(w->motion, struct motion, 1, nbody);
    if (block) {
        PLACE(w->block_slot, real, 0, (size_t)nslot * 6 * (size_t)m * (6 * (size_t)m + 1));
        PLACE(w->block_rows, real, 0, (size_t)nv * (size_t)m * (6 * (size_t)m + 1));
        PLACE(w->block_motion, real, 6 * m, (size_t)nbody * 6 * (size_t)m);
    }
#undef PLACE
    const size_t pair = 2 * sizeof(struct place) * ((size_t)nbody + 1); /* move_bodies */
    return size > pair ? size : pair;
}

static inline struct position_work position_work_of(const struct sn__position_args *a, int block) {
    const tree *t = a->tree;
    struct position_work w = {0};
    position_layout(&w, a->work, t->nbody, t->nv, t->nslot, a->m, block);
    for (int i = 0; i < a->m; i++)
        w.place[i][-1] = world_place(position_gravity(a));
    return w;
}

/* A and b of a body at stage i: its rotations and translations weighted, over the affine motion of its parent. Differences
   come first, which are small, and 1 / dt^2 after them. */
KERNEL void accelerate_place(const struct sn__position_args *a, const tree_body *b,
                             struct place *const *place, int body, int i, int m, real ih2) {
    struct place *f = &place[i][body];
    const struct place *p = &place[i][b->parent];
    const real *T = (const real *)a->T[i] + SN__AFFINE * body;
    const elem own = R(a->C[i][i]);
    mat3 A = f->R;
    vec3 x = f->x;
    if (own != R(1)) A = mat_scale(A, splat(own));
    if (own != R(1) && moves_origin(b)) x = scale(x, splat(own));
    for (int j = 0; j < m; j++) {
        if (j == i) continue;
        const struct place *g = &place[j][body];
        const real other = splat(R(a->C[i][j]));
        A = mat_add(A, mat_scale(g->R, other));
        if (moves_origin(b)) x = add_scaled(x, g->x, other);
    }
    f->A = (mat3){(A.xx - T[0]) * ih2, (A.xy - T[1]) * ih2, (A.xz - T[2]) * ih2,
                  (A.yx - T[3]) * ih2, (A.yy - T[4]) * ih2, (A.yz - T[5]) * ih2,
                  (A.zx - T[6]) * ih2, (A.zy - T[7]) * ih2, (A.zz - T[8]) * ih2};
    f->b = add_mul(p->b, p->A, vec_splat(b->offset));
    if (moves_origin(b)) f->b = add_scaled(f->b, sub(x, vec_load(T + 9)), ih2);
}

/* S = 1/2 tr(J) 1 - J, own axes. */
KERNEL sym3 second_moment(const tree_body *b) {
    const elem half = R(0.5) * (b->J[0] + b->J[1] + b->J[2]);
    return (sym3){splat(half - b->J[0]), splat(half - b->J[1]), splat(half - b->J[2]),
                  splat(-b->J[3]),       splat(-b->J[4]),       splat(-b->J[5])};
}

/* A S. */
KERNEL mat3 mat_mul_sym(mat3 A, sym3 S, int diagonal) {
    if (diagonal)
        return (mat3){A.xx * S.xx, A.xy * S.yy, A.xz * S.zz, A.yx * S.xx, A.yy * S.yy,
                      A.yz * S.zz, A.zx * S.xx, A.zy * S.yy, A.zz * S.zz};
    return (mat3){A.xx * S.xx + A.xy * S.xy + A.xz * S.xz, A.xx * S.xy + A.xy * S.yy + A.xz * S.yz,
                  A.xx * S.xz + A.xy * S.yz + A.xz * S.zz, A.yx * S.xx + A.yy * S.xy + A.yz * S.xz,
                  A.yx * S.xy + A.yy * S.yy + A.yz * S.yz, A.yx * S.xz + A.yy * S.yz + A.yz * S.zz,
                  A.zx * S.xx + A.zy * S.xy + A.zz * S.xz, A.zx * S.xy + A.zy * S.yy + A.zz * S.yz,
                  A.zx * S.xz + A.zy * S.yz + A.zz * S.zz};
}

KERNEL mat3 mat_mul_t(mat3 A, mat3 B) { /* A B^T */
    return (mat3){A.xx * B.xx + A.xy * B.xy + A.xz * B.xz, A.xx * B.yx + A.xy * B.yy + A.xz * B.yz,
                  A.xx * B.zx + A.xy * B.zy + A.xz * B.zz, A.yx * B.xx + A.yy * B.xy + A.yz * B.xz,
                  A.yx * B.yx + A.yy * B.yy + A.yz * B.yz, A.yx * B.zx + A.yy * B.zy + A.yz * B.zz,
                  A.zx * B.xx + A.zy * B.xy + A.zz * B.xz, A.zx * B.yx + A.zy * B.yy + A.zz * B.yz,
                  A.zx * B.zx + A.zy * B.zy + A.zz * B.zz};
}

KERNEL mat3 mat_add_outer(mat3 A, vec3 a, vec3 b) { /* A + a b^T */
    return (mat3){A.xx + a.x * b.x, A.xy + a.x * b.y, A.xz + a.x * b.z, A.yx + a.y * b.x, A.yy + a.y * b.y,
                  A.yz + a.y * b.z, A.zx + a.z * b.x, A.zy + a.z * b.y, A.zz + a.z * b.z};
}

KERNEL real mat_inner(mat3 A, mat3 B) {
    return A.xx * B.xx + A.xy * B.xy + A.xz * B.xz + A.yx * B.yx + A.yy * B.yy + A.yz * B.yz + A.zx * B.zx +
           A.zy * B.zy + A.zz * B.zz;
}

KERNEL vec3 axial(mat3 Y) {
    return (vec3){Y.zy - Y.yz, Y.xz - Y.zx, Y.yx - Y.xy};
}

/* The place of a body's extra terms, -1 for none. */
KERNEL int extra_of(const struct sn__position_args *a, int body) {
    for (int low = 0, high = a->nextra - 1; low <= high;) {
        const int middle = (low + high) / 2;
        if (a->extra_body[middle] == body) return middle;
        if (a->extra_body[middle] < body)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

/* What a body needs to accelerate so, pushes taken off, with its extra terms. `arm` is m c in world axes. */
KERNEL struct wrench body_wrench(const struct sn__position_args *a, const tree_body *b, const struct place *f,
                                 int body, int i, real *energy, vec3 *arm) {
    struct wrench w;
    const vec3 mc = vec_splat(b->mc);
    *arm = mul(f->R, mc);
    const mat3 AS = mat_mul_sym(f->A, second_moment(b), b->diagonal);
    const vec3 Amc = mul(f->A, mc);
    w.Y = mat_add_outer(mat_mul_t(AS, f->R), f->b, *arm);
    w.f = add_scaled(Amc, f->b, splat(b->mass));
    real square = splat(0);
    if (energy) square = mat_inner(AS, f->A) + dot(f->b, add(Amc, w.f));
    if (a->mass_scale) {
        const real heavier = *(const real *)a->mass_scale;
        w.Y = mat_scale(w.Y, heavier), w.f = scale(w.f, heavier), square = square * heavier;
    }
    if (energy) *energy = *energy + square;
    w.n = axial(w.Y);
    if (a->push) {
        const real *push = (const real *)a->push + 6 * body;
        const vec3 F = {-push[0], -push[1], -push[2]}, o = mul(f->R, vec_splat(b->origin));
        /* the energy of a constant force on a point x is -F . x, and c x = dt^2 (A o + b) except for a constant */
        if (energy) *energy = *energy + R(2) * dot(F, add_mul(f->b, f->A, vec_splat(b->origin)));
        w.f = add(w.f, F);
        w.Y = mat_add_outer(w.Y, F, o);
        w.n = sub(add_cross(w.n, o, F), vec_load(push + 3));
    }
    const int extra = a->nextra ? extra_of(a, body) : -1;
    if (extra >= 0) {
        const real *x = (const real *)a->extra[i] + SN__EXTRA_VALUES * extra;
        w.n = add(w.n, vec_load(x + SN__EXTRA_MOMENT));
        w.f = add(w.f, vec_load(x + SN__EXTRA_FORCE));
        w.Y = mat_add(w.Y, mat_load(x + SN__EXTRA_Y));
    }
    return w;
}

/* What a body and all below it do to its parent: p collects. */
KERNEL void hand_down(const struct place *f, const struct wrench *w, struct wrench *p) {
    p->f = add(p->f, w->f);
    p->n = add(p->n, add_cross(w->n, f->r, w->f));
    p->Y = mat_add_outer(p->Y, w->f, f->r);
}

/* Poses and accelerations of all stages. */
KERNEL void enter_places(const struct sn__position_args *a, struct position_work *w, int m) {
    const tree *t = a->tree;
    const real h = position_dt(a), ih2 = R(1) / (h * h);
    for (int body = 0; body < t->nbody; body++) {
        const tree_body *b = &t->body[body];
        for (int i = 0; i < m; i++)
            place_body(b, &w->place[i][b->parent], a->q[i], &w->place[i][body]);
        for (int i = 0; i < m; i++)
            accelerate_place(a, b, w->place, body, i, m, ih2);
    }
}

/* Wrenches of whole subtrees, and their share of the gradient; over places that stand already. */
KERNEL void gather_stage(const struct sn__position_args *a, struct position_work *w, int i, real *energy) {
    const tree *t = a->tree;
    vec3 arm;
    for (int body = 0; body < t->nbody; body++)
        w->wrench[i][body] = body_wrench(a, &t->body[body], &w->place[i][body], body, i, energy, &arm);
    for (int body = t->nbody - 1; body >= 0; body--) {
        const tree_body *b = &t->body[body];
        const struct place *f = &w->place[i][body];
        project(b, &f->pose, w->wrench[i][body].n, w->wrench[i][body].f, (real *)a->g[i] + b->v);
        if (b->parent >= 0) hand_down(f, &w->wrench[i][body], &w->wrench[i][b->parent]);
    }
}

/* The joints' own share. */
KERNEL void add_joints(const struct sn__position_args *a, int i, real *energy) {
    const tree *t = a->tree;
    if (!has_joint_terms(a)) return;
    for (int body = 0; body < t->nbody; body++) {
        const tree_body *b = &t->body[body];
        real own[6], K[6], *g = (real *)a->g[i] + b->v;
        sym3 K3;
        joint_terms(a, body, i, 0, (struct joint_out){own, K, &K3, energy});
        for (int k = 0; k < b->nv; k++)
            g[k] = g[k] + own[k];
    }
}

KERNEL void finish_energy(const struct sn__position_args *a, real square, real joints) {
    const real h = position_dt(a);
    if (a->energy) *(real *)a->energy = R(0.5) / R(a->C[0][0]) * (h * h) * square + joints;
}

#endif
