/* One Newton iteration of a position-based step of one pose, in O(n):
 *
 *     (c M / dt^2 + G + K) delta = -g
 *
 * is the articulated-body algorithm without velocity products (eliminate.h): a body's inertia is c / dt^2 times its own, joints
 * have their K inside as in MABA, and -g stands for their forces. Gauss-Newton: G = 0. Clamped: a body turning by w
 * moves its material points by w x (w x p) to second order, which costs w^T (sym Y - tr(Y) 1) w of energy, Y taken with
 * F r^T of every child. The positive semidefinite part of that, or its magnitude, goes with the body's J: the sum stays
 * positive definite, whatever the pose, and its elimination is the one of a heavier body. */
#ifndef SINEW_KERNELS_POSITION_SWEEP_H
#define SINEW_KERNELS_POSITION_SWEEP_H

#include "kernels/tree/eliminate.h"
#include "kernels/position/ground.h"
#include "kernels/position/psd.h"
#include "kernels/position/stops.h"

/* sym Y - tr(Y) 1. */
KERNEL sym3 geometric_stiffness(mat3 Y) {
    return (sym3){-(Y.yy + Y.zz),         -(Y.xx + Y.zz),         -(Y.xx + Y.yy),
                  R(0.5) * (Y.xy + Y.yx), R(0.5) * (Y.xz + Y.zx), R(0.5) * (Y.yz + Y.zy)};
}

/* What a sweep keeps of it. */
KERNEL sym3 kept_stiffness(sym3 G, int hessian) {
    return hessian == SN__EXACT ? G : hessian == SN__MIRRORED ? sym_magnitude(G) : psd_part(G);
}

KERNEL sym3 sym_load(const real *a) {
    return (sym3){a[0], a[1], a[2], a[3], a[4], a[5]};
}

/* How a sweep goes about it. */
struct sweeping {
    real weight; /* c / dt^2 */
    int hessian; /* sn__position_hessian */
    int driven;  /* joints have terms of their own */
};

/* c / dt^2 times the body's inertia, and its geometric stiffness. */
KERNEL void place_burden(const struct sn__position_args *a, const tree_body *b, const struct place *f,
                         const struct wrench *w, vec3 arm, struct sweeping how, struct burden *own) {
    real weight = how.weight;
    if (a->mass_scale) weight = weight * *(const real *)a->mass_scale;
    const vec3 d = scale(vec_splat(b->J), weight);
    if (b->diagonal)
        own->J = sym_rotate_diagonal(f->R, d);
    else
        own->J =
            sym_rotate(f->R, (sym3){d.x, d.y, d.z, weight * b->J[3], weight * b->J[4], weight * b->J[5]});
    own->mc = scale(arm, weight);
    if (how.hessian != SN__GAUSS_NEWTON) own->G = geometric_stiffness(w->Y);
}

/* The same on top of what its children left, with its extra terms. */
KERNEL struct inertia place_inertia(const struct sn__position_args *a, const tree_body *b, int body,
                                    const struct burden *own, real weight, const struct inertia *slot) {
    if (a->mass_scale) weight = weight * *(const real *)a->mass_scale;
    struct inertia I;
    join_body(&I, slot, own->J, own->mc, weight * b->mass);
    I.n = slot ? slot->n : vec_zero(), I.f = slot ? slot->f : vec_zero();
    const int extra = a->nextra ? extra_of(a, body) : -1;
    if (extra >= 0) {
        const real *x = (const real *)a->extra[0] + SN__EXTRA_VALUES * extra;
        I.J = sym_add(I.J, sym_load(x + SN__EXTRA_J));
        I.H = mat_add(I.H, mat_load(x + SN__EXTRA_H));
        I.M = sym_add(I.M, sym_load(x + SN__EXTRA_M));
    }
    return I;
}

KERNEL int is_wide(const struct sn__position_args *a, int body) {
    return (a->per_axis && a->per_axis[body]) || (a->wide && a->wide[body]);
}

/* K of a rotation: nothing, the same on all axes, or a matrix in own axes. */
KERNEL struct gain place_gain(const struct place *f, const sym3 *K3, int kind) {
    if (kind == GAIN_NONE) return no_gain();
    if (kind == GAIN_ONE) return gain_diagonal((vec3){K3->xx, K3->xx, K3->xx});
    return gain_whole(sym_rotate(f->R, *K3));
}

/* K of a rotation before place_gain. */
struct turn_gain {
    const sym3 *K3;
    int kind; /* gain_kind */
};

/* A ball, -g standing for its torque. */
KERNEL void yield_ball(struct inertia I, const struct place *f, const real *g, const sym3 *K3, int kind,
                       struct response *out, struct above up) {
    const vec3 tau = mul(f->R, (vec3){-g[0], -g[1], -g[2]});
    const struct inertia A = eliminate_ball(I, tau, 0, place_gain(f, K3, kind), 0, &out->ball);
    hand_over(A, f->r, 0, kind == GAIN_NONE, up);
}

KERNEL void yield_axes_of(struct inertia I, const tree_body *b, const struct place *f, const real *g,
                          const real *K, struct response *out, struct above up) {
    real Q[3];
    for (int k = 0; k < b->naxes; k++)
        Q[k] = -g[k];
    hand_over(eliminate_axes(I, b, &f->pose, 0, Q, K, out->axis), f->r, 0, 0, up);
}

KERNEL void yield_free(struct inertia I, const struct place *f, const real *g, const real *K,
                       struct turn_gain turning, struct motion *m, real *delta) {
    const sym3 *K3 = turning.K3;
    const int kind = turning.kind;
    const vec3 Q = {-g[0], -g[1], -g[2]}, turn = {-g[3], -g[4], -g[5]};
    const struct gain linear = K ? gain_diagonal(vec_load(K)) : no_gain();
    const sym3 D = kind == GAIN_AXES  ? add_gain(I.J, place_gain(f, K3, GAIN_AXES))
                   : kind == GAIN_ONE ? add_gain(I.J, place_gain(f, K3, GAIN_ONE))
                                      : I.J;
    eliminate_free(I, &f->pose, (struct root_drive){Q, turn, D, linear, 0}, m, 0, delta);
}

/* Bodies do not wait for each other here: roots and divisions of several are under way at once. */
static __attribute__((noinline)) void keep_stiffness(const tree *t, struct burden *burden, int hessian) {
    for (int body = 0; body < t->nbody; body++)
        burden[body].J = sym_add(burden[body].J, kept_stiffness(burden[body].G, hessian));
}

/* On the way down: the body's inertia, its joint eliminated, the rest to its parent. The cases do not meet again: see
   aba.h. */
KERNEL void leave_place(const struct sn__position_args *a, struct position_work *w, int body,
                        const struct burden *burden, real weight, int driven) {
    const tree *t = a->tree;
    const tree_body *b = &t->body[body];
    const struct place *f = &w->place[0][body];
    const struct above up = {b->parent_slot < 0 ? 0 : &w->slot[b->parent_slot], b->first};
    const real *g = (const real *)a->g[0] + b->v, *K = driven ? w->K + b->v : 0;
    const sym3 *K3 = &w->K3[body];
    const int kind = !driven ? GAIN_NONE : is_wide(a, body) ? GAIN_AXES : GAIN_ONE;
    struct response *out = &w->response[body];
    const struct inertia I = place_inertia(a, b, body, burden, weight, b->leaf ? 0 : &w->slot[b->slot]);
    if (b->joint == SN__JOINT_FREE)
        yield_free(I, f, g, K, (struct turn_gain){K3, kind}, &w->motion[body], (real *)a->delta[0] + b->v);
    else if (b->joint == SN__JOINT_BALL && kind == GAIN_NONE)
        yield_ball(I, f, g, K3, GAIN_NONE, out, up);
    else if (b->joint == SN__JOINT_BALL && kind == GAIN_ONE)
        yield_ball(I, f, g, K3, GAIN_ONE, out, up);
    else if (b->joint == SN__JOINT_BALL)
        yield_ball(I, f, g, K3, GAIN_AXES, out, up);
    else if (b->joint == SN__JOINT_HINGE)
        hand_over(eliminate_hinge(I, &f->pose, 0, -g[0], K, &out->axis[0]), f->r, 0, 0, up);
    else
        yield_axes_of(I, b, f, g, K, out, up);
}

/* From the root on: how far each body goes, and what of it is its joint's. */
KERNEL void displace_place(const struct sn__position_args *a, struct position_work *w, int body, int driven) {
    const tree *t = a->tree;
    const tree_body *b = &t->body[body];
    if (b->joint == SN__JOINT_FREE) return; /* solved already */
    const struct place *f = &w->place[0][body];
    const struct response *s = &w->response[body];
    const struct motion *p = &w->motion[b->parent];
    real *delta = (real *)a->delta[0] + b->v;
    vec3 v = add_cross(p->a, p->alpha, f->r), turn = p->alpha;
    switch (b->joint) {
    case SN__JOINT_BALL:
        turn = sub_mul(s->ball.y, s->ball.W, v);
        if (driven && is_wide(a, body))
            turn = add_mul(turn, s->ball.N, p->alpha);
        else if (driven)
            turn = add_sym_mul(turn, s->ball.Di, scale(p->alpha, w->K3[body].xx));
        vec_store(delta, mul_t(f->R, sub(turn, p->alpha)));
        break;
    case SN__JOINT_HINGE:
        delta[0] = axis_rate(&s->axis[0], turn, v);
        turn = add_scaled(turn, f->s[0], delta[0]);
        break;
    default:
        for (int k = 0; k < b->naxes; k++) {
            delta[k] = axis_rate(&s->axis[k], turn, v);
            move_axis(axis_of(b, &f->pose, k), delta[k], &turn, &v);
        }
        break;
    }
    w->motion[body] = (struct motion){turn, v};
}

/* Gradient and Hessian of the joints, into g, K and K3. */
static __attribute__((noinline)) void enter_joints(const struct sn__position_args *a, struct position_work *w,
                                                   real *energy) {
    const tree *t = a->tree;
    for (int body = 0; body < t->nbody; body++) {
        const tree_body *b = &t->body[body];
        sym3 K3 = {splat(0), splat(0), splat(0), splat(0), splat(0), splat(0)};
        joint_terms(a, body, 0, 0, (struct joint_out){(real *)a->g[0] + b->v, w->K + b->v, &K3, energy});
        if (is_wide(a, body))
            w->K3[body] = K3;
        else
            w->K3[body].xx = K3.xx;
    }
    if (a->stops) add_stops(a, w, energy);
}

KERNEL mat3 outer(vec3 a, vec3 b) {
    return (mat3){a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y,
                  a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z};
}

/* What hangs on a body adds up in its slot. Y has F r^T, whose axial vector is the moment r x F: n goes without it. */
KERNEL void wrench_add(struct wrench *to, int first, const struct place *f, const struct wrench *w) {
    if (!to) return;
    if (first) {
        to->n = w->n, to->f = w->f;
        to->Y = outer(w->f, f->r);
        return;
    }
    to->n = add(to->n, w->n);
    to->f = add(to->f, w->f);
    to->Y = mat_add_outer(to->Y, w->f, f->r);
}

/* The wrench of a body and all that hangs on it, the gradient of its joint, and its burden: leaves to root. */
KERNEL void gather_body(const struct sn__position_args *a, struct position_work *w, int body,
                        struct sweeping how, real *square, struct burden *own_burden) {
    const tree *t = a->tree;
    const tree_body *b = &t->body[body];
    const struct place *f = &w->place[0][body];
    vec3 arm;
    struct wrench wrench = body_wrench(a, b, f, body, 0, a->energy ? square : 0, &arm);
    if (!b->leaf) {
        const struct wrench *below = &w->below[b->slot];
        wrench.n = add(add(wrench.n, axial(below->Y)), below->n);
        wrench.f = add(wrench.f, below->f);
        wrench.Y = mat_add(wrench.Y, below->Y);
    }
    wrench_add(b->parent_slot < 0 ? 0 : &w->below[b->parent_slot], b->first, f, &wrench);
    real *g = (real *)a->g[0] + b->v;
    if (how.driven) { /* on top of what the joints have put there */
        real own[6];
        project(b, &f->pose, wrench.n, wrench.f, own);
        for (int k = 0; k < b->nv; k++)
            g[k] = g[k] + own[k];
    } else {
        project(b, &f->pose, wrench.n, wrench.f, g);
    }
    place_burden(a, b, f, &wrench, arm, how, own_burden);
}

/* Leaves to root: what hangs on each body is gathered, and the body left. Gauss-Newton has nothing to wait for, so that a body is
   left while what was gathered for it is still there; the other kinds gather all bodies first. */
KERNEL void leave_all(const struct sn__position_args *a, struct position_work *w, struct sweeping how,
                      real *square) {
    const tree *t = a->tree;
    const int waits = how.hessian != SN__GAUSS_NEWTON;
    for (int pass = 0; pass <= waits; pass++) {
        for (int e = 0; e < 2 * t->nbody; e++) {
            const int body = t->visit[e].body;
            struct burden *own = &w->burden[waits ? body : 0];
            if (!t->visit[e].leaving) continue;
            if (pass == 0) gather_body(a, w, body, how, square, own);
            if (pass == waits) leave_place(a, w, body, own, how.weight, how.driven);
        }
        if (pass < waits) keep_stiffness(t, w->burden, how.hessian);
    }
}

static void sweep_position(const struct sn__position_args *a, int hessian) {
    const tree *t = a->tree;
    struct position_work w = position_work_of(a, 0);
    const real h = position_dt(a), ih2 = R(1) / (h * h), weight = R(a->C[0][0]) * ih2;
    const struct sweeping how = {weight, hessian, has_joint_terms(a)};
    real square = splat(0), joints = splat(0);
    if (how.driven) enter_joints(a, &w, &joints);
    for (int body = 0; body < t->nbody; body++) {
        const tree_body *b = &t->body[body];
        place_body(b, &w.place[0][b->parent], a->q[0], &w.place[0][body]);
        accelerate_place(a, b, w.place, body, 0, 1, ih2);
    }
    if (a->touch) touch_ground(a, w.place[0], &joints);
    leave_all(a, &w, how, &square);
    w.motion[-1] = (struct motion){vec_zero(), vec_zero()};
    for (int body = 0; body < t->nbody; body++)
        displace_place(a, &w, body, how.driven);
    finish_energy(a, square, joints);
}

#endif
