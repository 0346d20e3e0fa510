/* Velocity products implicit in full, in linear time: Kahan's polarisation.
 *
 *     (M + K + kappa dC/dqd) qdd = Q - C,   kappa = h / 2, up to terms of kappa^2
 *
 * C is quadratic in the velocity; polarised it is taken half at the start and half at the end of the step, C(qd, qd + h
 * qdd), which is linear in qdd and keeps the energy of spinning trees. With gamma the sum of c from the root, the angular
 * velocity of a body grows by h (alpha - gamma); u = kappa w, g = kappa gamma. What a body needs to move is then no longer
 * symmetric:
 *
 *     moment = J alpha + Hm a + n,   force = Hf alpha + M a + f
 *     J + [u] J - [J u],  Hm = [mc],  Hf = E(mc, u),  E(r, u) = -[r] - (2 r u^T - u r^T - (u . r) 1),
 *     n = w x J (w - g) - g x J w,    f = w x ((w - g) x mc) - g x (w x mc)
 *
 *     origin  a = a_p + E(r, u_p) alpha_p + d0,  d0 = w_p x ((w_p - g_p) x r) - g_p x (w_p x r)
 *     slide   and s^ qdd with s^ = s + 2 u_p x s; E - 2 kappa qd [s], d0 + 2 qd (w_p - g_p) x s
 *     hinge   alpha = alpha' + s^ qdd,  s^ = s + u_p x s,  alpha' = (1 - kappa qd [s]) alpha_p + qd (w_p - g_p) x s
 *     ball    qdd = (1 - [u_p]) alpha - (1 - [u]) alpha_p - c2,  c2 = (w_p - g_p) x w_rel - u_p x c
 *
 * and a joint of several axes is one after the other. Pass 2 and pass 3 follow as in aba.h, with general 3x3 blocks:
 *
 *     ball    D = J + K (1 - [u_p]),  W = D^-1 Hm,  N = D^-1 K (1 - [u]),  y = D^-1 (Q + K c2 - n),
 *             J^a = J N,  Hm^a = K (1 - [u_p]) W,  Hf^a = Hf N,  M^a = M - Hf W,
 *             n^a = Q + K c2 - K (1 - [u_p]) y,  f^a = f + Hf y
 *     shift   Hm' = Hm + [r] M,  Hf' = Hf + M E,  J' = J + Hm E + [r] Hf',  f' = f + M d0,  n' = n + Hm d0 + r x f' */
#ifndef SINEW_STUDIES_KERNELS_POLARISED_H
#define SINEW_STUDIES_KERNELS_POLARISED_H

#include "kernels/tree/maba.h"

KERNEL mat3 lever(vec3 r, vec3 u) { /* E(r, u) */
    const real ur = dot(u, r), two = splat(2);
    return (mat3){ur - r.x * u.x,
                  r.z - (two * r.x * u.y - u.x * r.y),
                  -r.y - (two * r.x * u.z - u.x * r.z),
                  -r.z - (two * r.y * u.x - u.y * r.x),
                  ur - r.y * u.y,
                  r.x - (two * r.y * u.z - u.y * r.z),
                  r.y - (two * r.z * u.x - u.z * r.x),
                  -r.x - (two * r.z * u.y - u.z * r.y),
                  ur - r.z * u.z};
}

KERNEL mat3 mat_sub(mat3 A, mat3 B) {
    return (mat3){A.xx - B.xx, A.xy - B.xy, A.xz - B.xz, A.yx - B.yx, A.yy - B.yy,
                  A.yz - B.yz, A.zx - B.zx, A.zy - B.zy, A.zz - B.zz};
}

KERNEL mat3 mat_mul_skew(mat3 A, vec3 v) { /* A [v], rows A_i x v */
    const vec3 x = cross((vec3){A.xx, A.xy, A.xz}, v), y = cross((vec3){A.yx, A.yy, A.yz}, v),
               z = cross((vec3){A.zx, A.zy, A.zz}, v);
    return (mat3){x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z};
}

KERNEL mat3 skew_mul_mat(vec3 v, mat3 A) { /* [v] A */
    return from_columns(cross(v, column_x(A)), cross(v, column_y(A)), cross(v, column_z(A)));
}

/* w x ((w - g) x r) - g x (w x r). */
KERNEL vec3 polarised_centripetal(vec3 w, vec3 g, vec3 r) {
    return sub(cross(w, cross(sub(w, g), r)), cross(g, cross(w, r)));
}

/* What a body has of its parent. */
struct polarity {
    vec3 w, g, u; /* of the parent */
    real kappa;
};

KERNEL struct polarity polarity_of(const struct sn__args *args, const struct work *w, int parent) {
    const real kappa = R(0.5) * step_size(args);
    const vec3 wp = w->frame[parent].w;
    return (struct polarity){wp, scale(w->drift[parent].alpha, kappa), scale(wp, kappa), kappa};
}

/* a = a_p + E alpha_p + d0. */
KERNEL void polarised_origin(const tree_body *b, const struct frame *f, struct polarity p, const real *qd,
                             mat3 *E, vec3 *d0) {
    const real z = splat(0);
    *E = lever(f->r, p.u);
    *d0 = polarised_centripetal(p.w, p.g, f->r);
    for (int k = 0; moves_origin(b) && k < b->naxes; k++) {
        const real two = R(2) * b->pitch[k] * qd[k]; /* 0 of an axis that only turns */
        const vec3 s = scale(f->s[k], two * p.kappa);
        *E = mat_sub(*E, (mat3){z, -s.z, s.y, s.z, z, -s.x, -s.y, s.x, z});
        *d0 = add_scaled(*d0, cross(sub(p.w, p.g), f->s[k]), two);
    }
}

/* alpha' of an axis that turns, with the alpha of what carries it. */
KERNEL vec3 polarised_axis(struct polarity p, vec3 s, real qd, vec3 alpha_p) {
    const vec3 e = scale(cross(sub(p.w, p.g), s), qd);
    return add(add_scaled(alpha_p, cross(s, alpha_p), -(p.kappa * qd)), e);
}

/* What carries the axis after this one: a massless body that this one turns. */
KERNEL struct polarity polarity_beyond(struct polarity p, struct axis x, real qd) {
    if (x.way == SN__SLIDES) return p;
    const vec3 w1 = add_scaled(p.w, x.s, qd), c1 = scale(cross(p.w, x.s), qd);
    return (struct polarity){w1, add_scaled(p.g, c1, p.kappa), scale(w1, p.kappa), p.kappa};
}

/* s^: how an axis turns the body, and moves its origin, for a unit of qdd. */
KERNEL struct motion polarised_way(struct axis x, struct polarity p) {
    struct motion m = {vec_zero(), vec_zero()};
    if (x.way != SN__SLIDES) m.alpha = add_cross(x.s, p.u, x.s);
    if (x.way != SN__TURNS) m.a = add_scaled(x.s, cross(p.u, x.s), splat(2));
    if (x.way == SN__SCREWS) m.a = scale(m.a, x.pitch);
    return m;
}

/* c2 of a ball. */
KERNEL vec3 polarised_ball(const struct frame *f, struct polarity p) {
    return sub(cross(sub(p.w, p.g), sub(f->w, p.w)), cross(p.u, f->c));
}

/* The body's own share, on top of what its children left. */
KERNEL struct polar polarised_body(const struct sn__args *args, const struct work *w, int i) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const struct frame *f = &w->frame[i];
    const real kappa = R(0.5) * step_size(args), z = splat(0);
    vec3 mc = mul(f->R, vec_splat(b->mc));
    real m = splat(b->mass);
    sym3 J = rigid_inertia(b, f);
    if (args->mass_scale) {
        const real more = *(const real *)args->mass_scale;
        m = m * more, mc = scale(mc, more), J = sym_scale(J, more);
    }
    const vec3 g = scale(w->drift[i].alpha, kappa), u = scale(f->w, kappa);
    struct inertia push = {.n = vec_zero(), .f = vec_zero()};
    real lifted[6];
    const real *pushed = push_with_lift(args, f, i, lifted);
    if (pushed) add_push(&push, b, f, pushed);
    struct polar I = {
        .J = mat_add(sym_to_mat(J), gyroscopic(f->w, J, kappa)),
        .Hm = {z, -mc.z, mc.y, mc.z, z, -mc.x, -mc.y, mc.x, z},
        .Hf = lever(mc, u),
        .M = {m, z, z, z, m, z, z, z, m},
        .n = add(push.n, sub(cross(f->w, sym_mul(J, sub(f->w, g))), cross(g, sym_mul(J, f->w)))),
        .f = add(push.f, polarised_centripetal(f->w, g, mc)),
    };
    if (b->leaf) return I;
    const struct polar *c = &w->polar[b->slot];
    I.J = mat_add(I.J, c->J), I.Hm = mat_add(I.Hm, c->Hm), I.Hf = mat_add(I.Hf, c->Hf),
    I.M = mat_add(I.M, c->M);
    I.n = add(I.n, c->n), I.f = add(I.f, c->f);
    return I;
}

/* K of a ball or of half a free joint, world axes. */
KERNEL sym3 polarised_gain(const struct frame *f, const real *K) {
    return sym_rotate_diagonal(f->R, vec_load(K));
}

KERNEL struct polar polarise_ball(struct polar I, const struct frame *f, struct polarity p, const real *Q,
                                  sym3 K, struct ball_response *out) {
    struct polar A;
    real unused;
    const mat3 Km = sym_to_mat(K), Kp = mat_sub(Km, sym_mul_skew(K, p.u));
    const mat3 Di = mat_inverse(mat_add(I.J, Kp), &unused);
    const mat3 W = mat_mul(Di, I.Hm);
    const mat3 N = mat_mul(Di, mat_sub(Km, sym_mul_skew(K, scale(f->w, p.kappa))));
    const vec3 Qc = add_sym_mul(mul(f->R, vec_load(Q)), K, polarised_ball(f, p));
    const vec3 y = mul(Di, sub(Qc, I.n));
    A.J = mat_mul(I.J, N);
    A.Hm = mat_mul(Kp, W);
    A.Hf = mat_mul(I.Hf, N);
    A.M = mat_sub(I.M, mat_mul(I.Hf, W));
    A.n = sub_mul(Qc, Kp, y);
    A.f = add_mul(I.f, I.Hf, y);
    out->y = y, out->W = W, out->N = N;
    return A;
}

/* S^T of one side of the matrix, as a row over what follows it. */
KERNEL vec3 polarised_row(struct axis x, mat3 n, mat3 f) {
    if (x.way == SN__TURNS) return mul_t(n, x.s);
    if (x.way == SN__SLIDES) return mul_t(f, x.s);
    return add_scaled(mul_t(n, x.s), mul_t(f, x.s), x.pitch);
}

/* A column of the matrix times s^. */
KERNEL vec3 polarised_column(struct axis x, mat3 alpha, mat3 a, struct motion way) {
    if (x.way == SN__TURNS) return mul(alpha, way.alpha);
    if (x.way == SN__SLIDES) return mul(a, way.a);
    return add_mul(mul(alpha, way.alpha), a, way.a);
}

/* One axis. The response comes divided by D. */
KERNEL struct polar polarise_axis(struct polar I, struct axis x, struct polarity p, real qd, real Q, real K,
                                  struct axis_response *out) {
    struct polar A;
    const struct motion way = polarised_way(x, p);
    const vec3 m = polarised_column(x, I.J, I.Hm, way), f = polarised_column(x, I.Hf, I.M, way);
    const real Di = R(1) / (along_axis(x, m, f) + K);
    const real u = (Q - along_axis(x, I.n, I.f)) * Di;
    const vec3 U = scale(polarised_row(x, I.J, I.Hf), Di), V = scale(polarised_row(x, I.Hm, I.M), Di);
    A.J = mat_sub_outer(I.J, m, U), A.Hm = mat_sub_outer(I.Hm, m, V);
    A.Hf = mat_sub_outer(I.Hf, f, U), A.M = mat_sub_outer(I.M, f, V);
    A.n = add_scaled(I.n, m, u), A.f = add_scaled(I.f, f, u);
    *out = (struct axis_response){u, Di, U, V};
    if (x.way == SN__SLIDES) return A;
    const vec3 e = polarised_axis(p, x.s, qd, vec_zero()); /* alpha' = alpha_p - kappa qd s x alpha_p + e */
    A.n = add_mul(A.n, A.J, e), A.f = add_mul(A.f, A.Hf, e);
    A.J = mat_sub(A.J, mat_scale(mat_mul_skew(A.J, x.s), p.kappa * qd));
    A.Hf = mat_sub(A.Hf, mat_scale(mat_mul_skew(A.Hf, x.s), p.kappa * qd));
    return A;
}

/* All axes, from the body to the parent; what carries each of them comes from the other way. */
KERNEL struct polar polarise_axes(struct polar I, const tree_body *b, const struct frame *f,
                                  struct polarity p, const real *qd, const real *Q, const real *K,
                                  struct axis_response *out) {
    struct polarity carrier[4] = {p};
    for (int k = 0; k < b->naxes; k++)
        carrier[k + 1] = polarity_beyond(carrier[k], axis_of(b, &f->pose, k), qd[k]);
    for (int k = b->naxes - 1; k >= 0; k--)
        I = polarise_axis(I, axis_of(b, &f->pose, k), carrier[k], qd[k], Q[k], K[k], &out[k]);
    return I;
}

/* The root, with a = v' - g: (M^a + K) v' = Q - f^a - M^a lift. */
KERNEL void polarise_free(struct polar I, const struct frame *f, const real *Q, sym3 Kv, sym3 Kw, vec3 lift,
                          struct motion *m, real *qdd) {
    real unused;
    const mat3 Di = mat_inverse(mat_add(I.J, sym_to_mat(Kw)), &unused), W = mat_mul(Di, I.Hm);
    const vec3 y = mul(Di, sub(mul(f->R, vec_load(Q + 3)), I.n));
    const mat3 M = mat_sub(I.M, mat_mul(I.Hf, W));
    const vec3 rhs = sub(vec_load(Q), add_mul(add_mul(I.f, I.Hf, y), M, lift));
    const vec3 v = mul(mat_inverse(mat_add(M, sym_to_mat(Kv)), &unused), rhs);
    m->a = add(v, lift);
    m->alpha = sub_mul(y, W, m->a);
    vec_store(qdd, v);
    vec_store(qdd + 3, mul_t(f->R, m->alpha));
}

/* Moved to the parent's origin and added to what its other children left. */
KERNEL void polarised_hand_over(struct polar A, vec3 r, mat3 E, vec3 d0, struct polar *to, int first) {
    struct polar P;
    P.M = A.M;
    P.Hm = mat_add(A.Hm, skew_mul_mat(r, A.M));
    P.Hf = mat_add(A.Hf, mat_mul(A.M, E));
    P.J = mat_add(mat_add(A.J, mat_mul(A.Hm, E)), skew_mul_mat(r, P.Hf));
    P.f = add_mul(A.f, A.M, d0);
    P.n = add_cross(add_mul(A.n, A.Hm, d0), r, P.f);
    if (first) {
        *to = P;
        return;
    }
    to->J = mat_add(to->J, P.J), to->Hm = mat_add(to->Hm, P.Hm), to->Hf = mat_add(to->Hf, P.Hf);
    to->M = mat_add(to->M, P.M), to->n = add(to->n, P.n), to->f = add(to->f, P.f);
}

/* Pass 2 for one body. */
KERNEL void polarised_leave(const struct sn__args *args, struct work *w, int i, const real *Q, const real *K,
                            real *qdd) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const struct frame *f = &w->frame[i];
    const struct polarity p = polarity_of(args, w, b->parent);
    const real *qd = (const real *)args->qd + b->v;
    struct response *s = &w->response[i];
    struct polar I = polarised_body(args, w, i);
    vec3 d0;
    mat3 E;
    Q += b->v, K += b->v;
    if (is_free(b)) {
        const real z = splat(0);
        const sym3 Kv = {K[0], K[1], K[2], z, z, z};
        polarise_free(I, f, Q, Kv, polarised_gain(f, K + 3), w->motion[-1].a, &w->motion[i], qdd + b->v);
        return;
    }
    if (is_ball(b))
        I = polarise_ball(I, f, p, Q, polarised_gain(f, K), &s->ball);
    else
        I = polarise_axes(I, b, f, p, qd, Q, K, s->axis);
    if (b->parent_slot < 0) return;
    polarised_origin(b, f, p, qd, &E, &d0);
    polarised_hand_over(I, f->r, E, d0, &w->polar[b->parent_slot], b->first);
}

/* Pass 3 for one body. */
KERNEL void polarised_accelerate(const struct sn__args *args, struct work *w, int i, real *qdd) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    if (is_free(b)) return;
    const struct frame *f = &w->frame[i];
    const struct response *s = &w->response[i];
    const struct motion m = w->motion[b->parent];
    struct polarity p = polarity_of(args, w, b->parent);
    const real *qd = (const real *)args->qd + b->v;
    mat3 E;
    vec3 d0;
    polarised_origin(b, f, p, qd, &E, &d0);
    vec3 a = add_mul(add(m.a, d0), E, m.alpha), alpha = m.alpha;
    qdd += b->v;
    if (is_ball(b)) {
        const vec3 u = scale(f->w, p.kappa);
        alpha = sub_mul(add_mul(s->ball.y, s->ball.N, m.alpha), s->ball.W, a);
        const vec3 turn = sub(sub(alpha, cross(p.u, alpha)), sub(m.alpha, cross(u, m.alpha)));
        vec_store(qdd, mul_t(f->R, sub(turn, polarised_ball(f, p))));
    }
    for (int k = 0; k < b->naxes; k++) {
        const struct axis x = axis_of(b, &f->pose, k);
        const struct motion way = polarised_way(x, p);
        if (x.way != SN__SLIDES) alpha = polarised_axis(p, x.s, qd[k], alpha);
        qdd[k] = axis_rate(&s->axis[k], alpha, a);
        alpha = add_scaled(alpha, way.alpha, qdd[k]);
        a = add_scaled(a, way.a, qdd[k]);
        p = polarity_beyond(p, x, qd[k]);
    }
    w->motion[i] = (struct motion){alpha, a};
}

/* Over frames that stand, without contacts. */
static void solve_polarised(const struct sn__args *args, const void *Q, const void *K, void *qdd) {
    const tree *t = args->tree;
    struct work own = work_of(args, 0), *w = &own;
    w->drift[-1].alpha = vec_zero();
    for (int i = 0; i < t->nbody; i++) /* gamma */
        w->drift[i].alpha = add(w->drift[t->body[i].parent].alpha, w->frame[i].c);
    for (int e = 0; e < 2 * t->nbody; e++)
        if (t->visit[e].leaving) polarised_leave(args, w, t->visit[e].body, Q, K, qdd);
    for (int i = 0; i < t->nbody; i++)
        polarised_accelerate(args, w, i, qdd);
}

#endif
