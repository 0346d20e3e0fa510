/* One Newton iteration of a position-based step of one pose, in O(n):
 *
 *     (c M / dt^2 + G + K) delta = -g
 *
 * is the articulated-body algorithm without velocity products: a body's inertia is c / dt^2 times its own, joints have
 * their K inside as in MABA (aba.h), and -g stands for their forces. Gauss-Newton: G = 0. Clamped: a body turning by w
 * moves its material points by w x (w x p) to second order, which costs w^T (sym Y - tr(Y) 1) w of energy, Y taken with
 * F r^T of every child. The positive semidefinite part of that, or its magnitude, goes with the body's J: the sum stays
 * positive definite, whatever the pose, and its elimination is the one of a heavier body. */
#ifndef SINEW_KERNELS_POSITION_SWEEP_H
#define SINEW_KERNELS_POSITION_SWEEP_H

#include "kernels/position_ground.h"
#include "kernels/position_psd.h"
#include "kernels/position_stops.h"

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

/* c / dt^2 times the body's inertia, and its geometric stiffness. */
KERNEL void place_burden(const struct sn__position_args *a, const tree_body *b, const struct place *f,
                         const struct wrench *w, vec3 arm, real weight, int hessian, struct burden *own) {
    if (a->mass_scale) weight = weight * *(const real *)a->mass_scale;
    const vec3 d = scale(vec_splat(b->J), weight);
    if (b->diagonal)
        own->J = sym_rotate_diagonal(f->R, d);
    else
        own->J =
            sym_rotate(f->R, (sym3){d.x, d.y, d.z, weight * b->J[3], weight * b->J[4], weight * b->J[5]});
    own->mc = scale(arm, weight);
    if (hessian != SN__GAUSS_NEWTON) own->G = geometric_stiffness(w->Y);
}

/* The same on top of what its children left, with its extra terms. */
KERNEL struct inertia place_inertia(const struct sn__position_args *a, const tree_body *b, int body,
                                    const struct burden *own, real weight, const struct inertia *slot) {
    if (a->mass_scale) weight = weight * *(const real *)a->mass_scale;
    const vec3 mc = own->mc;
    const real m = weight * b->mass, z = splat(0);
    struct inertia I;
    if (slot) {
        const mat3 H = slot->H;
        I.J = sym_add(slot->J, own->J);
        I.H = (mat3){H.xx,        H.xy - mc.z, H.xz + mc.y, H.yx + mc.z, H.yy,
                     H.yz - mc.x, H.zx - mc.y, H.zy + mc.x, H.zz};
        I.M = sym_add_diagonal(slot->M, (vec3){m, m, m});
        I.n = slot->n, I.f = slot->f;
    } else {
        I.J = own->J;
        I.H = (mat3){z, -mc.z, mc.y, mc.z, z, -mc.x, -mc.y, mc.x, z};
        I.M = (sym3){m, m, m, z, z, z};
        I.n = I.f = vec_zero();
    }
    const int extra = a->nextra ? extra_of(a, body) : -1;
    if (extra >= 0) {
        const real *x = (const real *)a->extra[0] + SN__EXTRA_VALUES * extra;
        I.J = sym_add(I.J, sym_load(x + SN__EXTRA_J));
        I.H = mat_add(I.H, mat_load(x + SN__EXTRA_H));
        I.M = sym_add(I.M, sym_load(x + SN__EXTRA_M));
    }
    return I;
}

/* What a rotation has of K: nothing, the same on all axes, or a matrix in own axes. */
enum { K_NONE, K_SAME, K_AXES };

KERNEL int is_wide(const struct sn__position_args *a, int body) {
    return (a->per_axis && a->per_axis[body]) || (a->wide && a->wide[body]);
}

/* A ball that has no K passes no moment on: J^a = H^a = 0. With D = J + K, W = D^-1 H, N = D^-1 K, y = D^-1 (Q - n):
     J^a = J N,  H^a = K W,  M^a = M - H^T W,  n^a = Q - K y,  f^a = f + H^T y,   w = y + N w_p - W v. */
KERNEL struct inertia yield_ball(struct inertia I, const struct place *f, vec3 Q, const sym3 *K3, int kind,
                                 struct response *out) {
    struct inertia A;
    const vec3 tau = mul(f->R, Q); /* own axes to world axes */
    const real k = K3->xx;
    sym3 K = I.J, D = I.J;
    if (kind == K_SAME) D = sym_add_diagonal(I.J, (vec3){k, k, k});
    if (kind == K_AXES) K = sym_rotate(f->R, *K3), D = sym_add(I.J, K);
    const sym3 Di = sym_inverse(D);
    const mat3 W = sym_mul_mat(Di, I.H);
    const vec3 y = sym_mul(Di, sub(tau, I.n));
    A.M = sym_sub_product(I.M, I.H, W);
    A.f = add_mul_t(I.f, I.H, y);
    A.n = tau;
    if (kind == K_SAME) {
        A.J = sym_mul_commuting(sym_scale(Di, k), I.J);
        A.H = mat_scale(W, k);
        A.n = add_scaled(tau, y, -k);
        out->Di = Di;
    }
    if (kind == K_AXES) {
        const mat3 N = sym_mul_mat(Di, sym_to_mat(K)), JN = sym_mul_mat(I.J, N);
        A.J = (sym3){JN.xx,
                     JN.yy,
                     JN.zz,
                     R(0.5) * (JN.xy + JN.yx),
                     R(0.5) * (JN.xz + JN.zx),
                     R(0.5) * (JN.yz + JN.zy)};
        A.H = sym_mul_mat(K, W);
        A.n = sub(tau, sym_mul(K, y));
        out->N = N;
    }
    out->y = y, out->W = W;
    return A;
}

/* One axis of a joint, angular or linear; rows of the response divided by D. */
KERNEL struct inertia yield_axis(struct inertia I, vec3 s, int linear, real Q, real K, real *u, vec3 *U,
                                 vec3 *V) {
    struct inertia A;
    const vec3 Hm = linear ? mul(I.H, s) : sym_mul(I.J, s), Hf = linear ? sym_mul(I.M, s) : mul_t(I.H, s);
    const real Di = R(1) / (dot(s, linear ? Hf : Hm) + K);
    *u = (Q - dot(s, linear ? I.f : I.n)) * Di;
    *U = scale(Hm, Di), *V = scale(Hf, Di);
    A.J = sym_sub_outer(I.J, *U, Hm);
    A.H = mat_sub_outer(I.H, *U, Hf);
    A.M = sym_sub_outer(I.M, *V, Hf);
    A.n = add_scaled(I.n, Hm, *u);
    A.f = add_scaled(I.f, Hf, *u);
    return A;
}

KERNEL struct inertia yield_joint(struct inertia I, const tree_body *b, const struct place *f, const real *g,
                                  const real *K, struct response *out) {
    vec3 U1, V1, U2, V2;
    const real zero = splat(0);
    if (b->joint == SN__JOINT_WELD) return I;
    if (b->joint == SN__JOINT_UNIVERSAL) { /* as if a massless cross sat between the axes */
        I = yield_axis(I, f->s2, 0, -g[1], K ? K[1] : zero, &out->y.y, &U2, &V2);
        out->N.yx = U2.x, out->N.yy = U2.y, out->N.yz = U2.z;
        out->W.yx = V2.x, out->W.yy = V2.y, out->W.yz = V2.z;
    }
    I = yield_axis(I, f->s, b->joint == SN__JOINT_SLIDE, -g[0], K ? K[0] : zero, &out->y.x, &U1, &V1);
    out->N.xx = U1.x, out->N.xy = U1.y, out->N.xz = U1.z;
    out->W.xx = V1.x, out->W.xy = V1.y, out->W.xz = V1.z;
    return I;
}

/* Nothing beyond the root: its displacement comes out at once. */
KERNEL void yield_free(struct inertia I, const struct place *f, const real *g, const real *K, const sym3 *K3,
                       int kind, struct motion *m, real *delta) {
    sym3 D = I.J;
    if (kind == K_SAME) D = sym_add_diagonal(D, (vec3){K3->xx, K3->xx, K3->xx});
    if (kind == K_AXES) D = sym_add(D, sym_rotate(f->R, *K3));
    const sym3 Di = sym_inverse(D);
    const mat3 W = sym_mul_mat(Di, I.H);
    const vec3 Q = {-g[0], -g[1], -g[2]}, turn = {-g[3], -g[4], -g[5]};
    const vec3 y = sym_mul(Di, sub(mul(f->R, turn), I.n));
    sym3 M = sym_sub_product(I.M, I.H, W);
    if (K) M = sym_add_diagonal(M, vec_load(K));
    const vec3 v = sym_mul(sym_inverse(M), sub(Q, add_mul_t(I.f, I.H, y)));
    m->a = v;
    m->alpha = sub_mul(y, W, v);
    vec_store(delta, v);
    vec_store(delta + 3, mul_t(f->R, m->alpha));
}

/* What a body leaves, moved to its parent's origin, where v = v_p + w_p x r:
     H' = H + [r] M,  J' = J - H [r] + [r] H'^T,  n' = n + r x f. */
KERNEL struct inertia yield_shift(struct inertia I, vec3 r, int force_only) {
    struct inertia P;
    const mat3 C = sym_to_mat(I.M);
    mat3 G = from_columns(cross(r, column_x(C)), cross(r, column_y(C)), cross(r, column_z(C)));
    P.M = I.M, P.f = I.f;
    P.n = add_cross(I.n, r, I.f);
    if (!force_only) G = mat_add(I.H, G);
    P.H = G;
    P.J = (sym3){r.y * G.xz - r.z * G.xy, r.z * G.yx - r.x * G.yz, r.x * G.zy - r.y * G.zx,
                 r.y * G.yz - r.z * G.yy, r.y * G.zz - r.z * G.zy, r.z * G.zx - r.x * G.zz};
    if (force_only) return P;
    const mat3 H = I.H;
    const sym3 B = {r.y * H.xz - r.z * H.xy, r.z * H.yx - r.x * H.yz, r.x * H.zy - r.y * H.zx,
                    r.z * H.xx - r.x * H.xz, r.x * H.xy - r.y * H.xx, r.x * H.yy - r.y * H.yx};
    P.J = sym_add(sym_add(I.J, B), P.J);
    return P;
}

KERNEL void slot_add(struct inertia *to, int first, struct inertia P) {
    if (!to) return;
    if (first) {
        *to = P;
        return;
    }
    to->J = sym_add(to->J, P.J);
    to->H = mat_add(to->H, P.H);
    to->M = sym_add(to->M, P.M);
    to->n = add(to->n, P.n);
    to->f = add(to->f, P.f);
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
    struct inertia *to = b->parent_slot < 0 ? 0 : &w->slot[b->parent_slot];
    const real *g = (const real *)a->g[0] + b->v, *K = driven ? w->K + b->v : 0;
    const sym3 *K3 = &w->K3[body];
    const int kind = !driven ? K_NONE : is_wide(a, body) ? K_AXES : K_SAME;
    struct response *out = &w->response[body];
    const struct inertia I = place_inertia(a, b, body, burden, weight, b->leaf ? 0 : &w->slot[b->slot]);
    const vec3 Q = b->joint == SN__JOINT_BALL ? (vec3){-g[0], -g[1], -g[2]} : vec_zero();
    if (b->joint == SN__JOINT_FREE)
        yield_free(I, f, g, K, K3, kind, &w->motion[body], (real *)a->delta[0] + b->v);
    else if (b->joint == SN__JOINT_BALL && kind == K_NONE)
        slot_add(to, b->first, yield_shift(yield_ball(I, f, Q, K3, K_NONE, out), f->r, 1));
    else if (b->joint == SN__JOINT_BALL && kind == K_SAME)
        slot_add(to, b->first, yield_shift(yield_ball(I, f, Q, K3, K_SAME, out), f->r, 0));
    else if (b->joint == SN__JOINT_BALL)
        slot_add(to, b->first, yield_shift(yield_ball(I, f, Q, K3, K_AXES, out), f->r, 0));
    else
        slot_add(to, b->first, yield_shift(yield_joint(I, b, f, g, K, out), f->r, 0));
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
    const vec3 Ux = {s->N.xx, s->N.xy, s->N.xz}, Vx = {s->W.xx, s->W.xy, s->W.xz};
    switch (b->joint) {
    case SN__JOINT_BALL:
        turn = sub_mul(s->y, s->W, v);
        if (driven && is_wide(a, body))
            turn = add_mul(turn, s->N, p->alpha);
        else if (driven)
            turn = add_sym_mul(turn, s->Di, scale(p->alpha, w->K3[body].xx));
        vec_store(delta, mul_t(f->R, sub(turn, p->alpha)));
        break;
    case SN__JOINT_SLIDE:
        delta[0] = s->y.x - dot(Ux, turn) - dot(Vx, v);
        v = add_scaled(v, f->s, delta[0]);
        break;
    case SN__JOINT_HINGE:
        delta[0] = s->y.x - dot(Ux, turn) - dot(Vx, v);
        turn = add_scaled(turn, f->s, delta[0]);
        break;
    case SN__JOINT_UNIVERSAL:
        delta[0] = s->y.x - dot(Ux, turn) - dot(Vx, v);
        turn = add_scaled(turn, f->s, delta[0]);
        delta[1] =
            s->y.y - dot((vec3){s->N.yx, s->N.yy, s->N.yz}, turn) - dot((vec3){s->W.yx, s->W.yy, s->W.yz}, v);
        turn = add_scaled(turn, f->s2, delta[1]);
        break;
    default:
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
        joint_terms(a, b, body, 0, 0, (real *)a->g[0] + b->v, w->K + b->v, &K3, energy);
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
KERNEL void gather_body(const struct sn__position_args *a, struct position_work *w, int body, real weight,
                        int hessian, int driven, real *square, struct burden *own_burden) {
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
    if (driven) { /* on top of what the joints have put there */
        real own[6];
        project_place(b, f, &wrench, own);
        for (int k = 0; k < b->nv; k++)
            g[k] = g[k] + own[k];
    } else {
        project_place(b, f, &wrench, g);
    }
    place_burden(a, b, f, &wrench, arm, weight, hessian, own_burden);
}

KERNEL void sweep_walk(const struct sn__position_args *a, int hessian, int driven) {
    const tree *t = a->tree;
    struct position_work w = position_work_of(a, 0);
    const real h = position_dt(a), ih2 = R(1) / (h * h), weight = R(a->C[0][0]) * ih2;
    real square = splat(0), joints = splat(0);
    if (driven) enter_joints(a, &w, &joints);
    for (int body = 0; body < t->nbody; body++) {
        const tree_body *b = &t->body[body];
        place_body(b, &w.place[0][b->parent], a->q[0], &w.place[0][body]);
        accelerate_place(a, b, w.place, body, 0, 1, ih2);
    }
    if (a->touch) touch_ground(a, w.place[0], &joints);
    for (int e = 0; e < 2 * t->nbody; e++) {
        const int body = t->visit[e].body;
        struct burden *own = &w.burden[hessian == SN__GAUSS_NEWTON ? 0 : body];
        if (!t->visit[e].leaving) continue;
        gather_body(a, &w, body, weight, hessian, driven, &square, own);
        if (hessian == SN__GAUSS_NEWTON) leave_place(a, &w, body, own, weight, driven);
    }
    if (hessian != SN__GAUSS_NEWTON) {
        keep_stiffness(t, w.burden, hessian);
        for (int e = 0; e < 2 * t->nbody; e++) {
            const int body = t->visit[e].body;
            if (t->visit[e].leaving) leave_place(a, &w, body, &w.burden[body], weight, driven);
        }
    }
    w.motion[-1] = (struct motion){vec_zero(), vec_zero()};
    for (int body = 0; body < t->nbody; body++)
        displace_place(a, &w, body, driven);
    finish_energy(a, square, joints);
}

/* Gauss-Newton on its own: with nothing to wait for, a body is left while what was gathered of it is at hand. */
static __attribute__((noinline)) void sweep_driven(const struct sn__position_args *a, int hessian) {
    if (hessian == SN__GAUSS_NEWTON)
        sweep_walk(a, SN__GAUSS_NEWTON, 1);
    else
        sweep_walk(a, hessian == SN__CLAMPED ? SN__CLAMPED : SN__MIRRORED, 1);
}

static __attribute__((noinline)) void sweep_passive(const struct sn__position_args *a, int hessian) {
    if (hessian == SN__GAUSS_NEWTON)
        sweep_walk(a, SN__GAUSS_NEWTON, 0);
    else
        sweep_walk(a, hessian == SN__CLAMPED ? SN__CLAMPED : SN__MIRRORED, 0);
}

static void sweep_position(const struct sn__position_args *a, int hessian) {
    if (has_joint_terms(a))
        sweep_driven(a, hessian);
    else
        sweep_passive(a, hessian);
}

#endif
