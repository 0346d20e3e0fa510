/* Constraint responses: what a force on the tree does to its accelerations, over articulated inertias that
 * stand already, the gains inside.
 *
 *     K_ij = J_i (M + K)^-1 J_j^T
 *
 * Acceleration deltas, kokkevis-2004 section 4.3. A test force changes only biases on the way from its body
 * to the root (inbound) and accelerations on the way out (outbound); inertias, velocity products and the
 * eliminated joints stay as pass 2 left them in work.response:
 *
 *     ball    m = tau - n,   n^a = tau - K D^-1 m,  f^a = f + W^T m,   alpha = D^-1 m + N alpha_p - W a
 *     axis    m = tau - s n, n^a = n + U m,         f^a = f + V m,     qdd = m / D - U alpha_p - V a
 *
 * Lanes here hold different test forces on one character, whose own values are the same in all of them. */
#ifndef SINEW_KERNELS_DELTAS_H
#define SINEW_KERNELS_DELTAS_H

#include "kernels/convex.h"

KERNEL int by_axes(const struct sn__args *args, const struct work *w, int i) {
    const tree *t = args->tree;
    return (args->per_axis && args->per_axis[i]) ||
           ((args->contacts || args->limit) && touching_of(t, w).joint[i]);
}

/* Inbound for one body: its joint takes what it can, the rest goes on. tau in the order of qdd. */
KERNEL void delta_in(const struct sn__args *args, const struct work *w, int i, const real *tau, vec3 *n,
                     vec3 *f, vec3 *m) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const struct frame *fr = &w->frame[i];
    const struct response *s = &w->response[i];
    const real *K = (const real *)args->K + b->v;
    switch (b->joint) {
    case SN__JOINT_FREE:
        *m = sub(mul(fr->R, vec_load(tau + 3)), *n);
        *f = sub(sub(vec_load(tau), *f), mul_t(s->W, *m)); /* what moves the root */
        break;
    case SN__JOINT_BALL: {
        const vec3 t = mul(fr->R, vec_load(tau));
        *m = sub(t, *n);
        *f = add_mul_t(*f, s->W, *m);
        *n = by_axes(args, w, i) ? sub(t, mul_t(s->N, *m)) : add_scaled(t, sym_mul(s->Di, *m), -K[0]);
        break;
    }
    case SN__JOINT_HINGE:
        m->x = tau[0] - dot(fr->s, *n);
        *n = add_scaled(*n, (vec3){s->N.xx, s->N.xy, s->N.xz}, m->x);
        *f = add_scaled(*f, (vec3){s->W.xx, s->W.xy, s->W.xz}, m->x);
        break;
    case SN__JOINT_SLIDE:
        m->x = tau[0] - dot(fr->s, *f);
        *n = add_scaled(*n, (vec3){s->N.xx, s->N.xy, s->N.xz}, m->x);
        *f = add_scaled(*f, (vec3){s->W.xx, s->W.xy, s->W.xz}, m->x);
        break;
    case SN__JOINT_UNIVERSAL:
        m->y = tau[1] - dot(fr->s2, *n);
        *n = add_scaled(*n, (vec3){s->N.yx, s->N.yy, s->N.yz}, m->y);
        *f = add_scaled(*f, (vec3){s->W.yx, s->W.yy, s->W.yz}, m->y);
        m->x = tau[0] - dot(fr->s, *n);
        *n = add_scaled(*n, (vec3){s->N.xx, s->N.xy, s->N.xz}, m->x);
        *f = add_scaled(*f, (vec3){s->W.xx, s->W.xy, s->W.xz}, m->x);
        break;
    default:
        break;
    }
}

/* Outbound for one body; qdd at its own place. */
KERNEL struct motion delta_out(const struct sn__args *args, const struct work *w, int i, vec3 m, vec3 f,
                               struct motion p, real *qdd) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const struct frame *fr = &w->frame[i];
    const struct response *s = &w->response[i];
    const real *K = (const real *)args->K + b->v;
    struct motion o;
    if (b->joint == SN__JOINT_FREE) {
        o.a = sym_mul(s->Di, f);
        o.alpha = sub_mul(sym_mul(s->Dx, m), s->W, o.a);
        vec_store(qdd, o.a);
        vec_store(qdd + 3, mul_t(fr->R, o.alpha));
        return o;
    }
    o.a = add_cross(p.a, p.alpha, fr->r);
    o.alpha = p.alpha;
    const vec3 U = {s->N.xx, s->N.xy, s->N.xz}, V = {s->W.xx, s->W.xy, s->W.xz};
    switch (b->joint) {
    case SN__JOINT_BALL:
        if (by_axes(args, w, i))
            o.alpha = sub_mul(add_mul(sym_mul(s->Dx, m), s->N, p.alpha), s->W, o.a);
        else
            o.alpha = sub_mul(sym_mul(s->Di, add_scaled(m, p.alpha, K[0])), s->W, o.a);
        vec_store(qdd, mul_t(fr->R, sub(o.alpha, p.alpha)));
        break;
    case SN__JOINT_HINGE:
        qdd[0] = m.x * s->W.zx - dot(U, p.alpha) - dot(V, o.a);
        o.alpha = add_scaled(p.alpha, fr->s, qdd[0]);
        break;
    case SN__JOINT_SLIDE:
        qdd[0] = m.x * s->W.zx - dot(U, p.alpha) - dot(V, o.a);
        o.a = add_scaled(o.a, fr->s, qdd[0]);
        break;
    case SN__JOINT_UNIVERSAL:
        qdd[0] = m.x * s->W.zx - dot(U, p.alpha) - dot(V, o.a);
        o.alpha = add_scaled(p.alpha, fr->s, qdd[0]);
        qdd[1] = m.y * s->W.zy - dot((vec3){s->N.yx, s->N.yy, s->N.yz}, o.alpha) -
                 dot((vec3){s->W.yx, s->W.yy, s->W.yz}, o.a);
        o.alpha = add_scaled(o.alpha, fr->s2, qdd[1]);
        break;
    default:
        break;
    }
    return o;
}

/* Both ways: bodies whose `in` is set carry biases (delta[i].n, f) or joint forces (tau); on the way out only
   bodies with `out` are visited, which must hold all their ancestors. Leaves accelerations in w->motion and
   qdd of the visited bodies. */
static void propagate(const struct sn__args *args, struct work *w, struct delta *d, uint8_t *in,
                      const uint8_t *out, const real *tau, real *qdd) {
    const tree *t = args->tree;
    for (int i = t->nbody - 1; i >= 0; i--) {
        if (!in[i]) continue;
        const int p = t->body[i].parent;
        delta_in(args, w, i, tau + t->body[i].v, &d[i].n, &d[i].f, &d[i].m);
        if (p < 0) continue;
        const vec3 n = add_cross(d[i].n, w->frame[i].r, d[i].f); /* about the parent's origin */
        d[p].n = in[p] ? add(d[p].n, n) : n;
        d[p].f = in[p] ? add(d[p].f, d[i].f) : d[i].f;
        in[p] = 1;
    }
    const struct motion rest = {vec_zero(), vec_zero()};
    for (int i = 0; i < t->nbody; i++) {
        if (!out[i]) continue;
        const int p = t->body[i].parent;
        const vec3 m = in[i] ? d[i].m : vec_zero();
        const vec3 f = in[i] ? d[i].f : vec_zero();
        w->motion[i] = delta_out(args, w, i, m, f, p < 0 ? rest : w->motion[p], qdd + t->body[i].v);
    }
}

/* J_j of a row on the accelerations of its body, or on its joint's own. */
KERNEL real row_value(const tree *t, const struct sn__row *row, struct motion m, const real *qdd) {
    if (!row->joint) {
        real x = R(row->w[0]) * m.alpha.x + R(row->w[1]) * m.alpha.y + R(row->w[2]) * m.alpha.z;
        return x + R(row->w[3]) * m.a.x + R(row->w[4]) * m.a.y + R(row->w[5]) * m.a.z;
    }
    const tree_body *b = &t->body[row->body];
    real x = splat(0);
    for (int k = 0; k < JOINT_NV[b->joint]; k++)
        x = x + R(row->w[k]) * qdd[b->v + k];
    return x;
}

/* A test force of size one in one lane. */
KERNEL void test_force(const tree *t, const struct sn__row *row, int lane, struct delta *d, uint8_t *in,
                       real *tau) {
    const tree_body *b = &t->body[row->body];
    struct delta *own = &d[row->body];
    if (!in[row->body]) own->n = own->f = vec_zero();
    in[row->body] = 1;
    real unit = splat(0);
#if LANE_WIDTH == 1
    (void)lane;
    unit = R(1);
#else
    unit[lane] = R(1);
#endif
    if (row->joint) {
        for (int k = 0; k < JOINT_NV[b->joint]; k++)
            tau[b->v + k] = tau[b->v + k] + R(row->w[k]) * unit;
        return;
    }
    own->n.x = own->n.x - R(row->w[0]) * unit;
    own->n.y = own->n.y - R(row->w[1]) * unit;
    own->n.z = own->n.z - R(row->w[2]) * unit;
    own->f.x = own->f.x - R(row->w[3]) * unit;
    own->f.y = own->f.y - R(row->w[4]) * unit;
    own->f.z = own->f.z - R(row->w[5]) * unit;
}

KERNEL void clear_joint(const tree *t, const struct sn__row *row, real *tau) {
    const tree_body *b = &t->body[row->body];
    for (int k = 0; row->joint && k < JOINT_NV[b->joint]; k++)
        tau[b->v + k] = splat(0);
}

/* Bodies rows look at, and all that is between them and the root. */
static void mark_paths(const tree *t, int n, const struct sn__row *row, uint8_t *out) {
    for (int i = 0; i < t->nbody; i++)
        out[i] = 0;
    for (int j = 0; j < n; j++)
        for (int i = row[j].body; i >= 0 && !out[i]; i = t->body[i].parent)
            out[i] = 1;
}

/* K by deltas, as many test forces at a time as there are lanes: row j of K has its values at j * stride, the
   stride a multiple of the width. */
static void responses(const struct sn__args *args, int n, const struct sn__row *row, void *K, int stride) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    struct delta *d = w.delta;
    uint8_t *in = w.mark, *out = w.mark + t->nbody;
    real *tau = w.tmp[0], *qdd = w.tmp[1], *result = K;
    mark_paths(t, n, row, out);
    for (int v = 0; v < t->nv; v++)
        tau[v] = splat(0);
    for (int first = 0; first < n; first += LANE_WIDTH) {
        const int last = first + LANE_WIDTH < n ? first + LANE_WIDTH : n;
        for (int i = 0; i < t->nbody; i++)
            in[i] = 0;
        for (int j = first; j < last; j++)
            test_force(t, &row[j], j - first, d, in, tau);
        propagate(args, &w, d, in, out, tau, qdd);
        for (int j = first; j < last; j++)
            clear_joint(t, &row[j], tau);
        for (int j = 0; j < n; j++)
            result[(j * stride + first) / LANE_WIDTH] = row_value(t, &row[j], w.motion[row[j].body], qdd);
    }
}

/* The force of a lane's row as a push on its body: args->push is about the body's own frame. */
KERNEL void push_of(const tree *t, const struct work *w, int i, struct delta d, real *push) {
    const vec3 F = scale(d.f, splat(-1));
    const vec3 o = mul(w->frame[i].R, vec_splat(t->body[i].origin));
    vec_store(push, F);
    vec_store(push + 3, sub(scale(d.n, splat(-1)), cross(o, F)));
}

/* Default accelerations, without a test force; they stand in work.bias. */
static void keep_default(const tree *t, struct work *w, const real *qdd, real *qdd0) {
    for (int i = 0; i < t->nbody; i++)
        w->bias[i] = w->motion[i];
    for (int v = 0; v < t->nv; v++)
        qdd0[v] = qdd[v];
}

/* What the rows do under test forces beyond what they do without (eq. 11). */
static void put_differences(const tree *t, const struct work *w, int n, const struct sn__row *row, real *qdd,
                            const real *qdd0, real *result, int stride) {
    for (int v = 0; v < t->nv; v++)
        qdd[v] = qdd[v] - qdd0[v];
    for (int j = 0; j < n; j++) {
        const struct motion m = w->motion[row[j].body], m0 = w->bias[row[j].body];
        const struct motion change = {sub(m.alpha, m0.alpha), sub(m.a, m0.a)};
        result[j * stride] = row_value(t, &row[j], change, qdd);
    }
}

/* The same by test forces (section 4.2): m + 1 calls of the whole articulated-body algorithm, or as many
   forces as there are lanes in one call. */
static void test_forces(const struct sn__args *args, int n, const struct sn__row *row, void *K, int stride) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    real *tau = w.tmp[0], *Q = w.tmp[1], *qdd = w.tmp[2], *qdd0 = w.tmp[3], *result = K;
    uint8_t *in = w.mark;
    real *push = w.push;
    struct sn__args pushed = *args;
    pushed.push = push;
    for (int v = 0; v < t->nv; v++)
        tau[v] = splat(0);
    for (int first = -LANE_WIDTH; first < n; first += LANE_WIDTH) { /* the first without any */
        const int last = first + LANE_WIDTH < n ? first + LANE_WIDTH : n;
        for (int i = 0; i < t->nbody; i++)
            in[i] = 0;
        for (int j = first; first >= 0 && j < last; j++)
            test_force(t, &row[j], j - first, w.delta, in, tau);
        enter_all(t, args->q, args->qd, &w);
        drive_all(args, Q);
        for (int v = 0; v < t->nv; v++)
            Q[v] = Q[v] + tau[v];
        for (int i = 0; i < t->nbody; i++) {
            for (int k = 6 * i; k < 6 * i + 6; k++)
                push[k] = splat(0);
            if (in[i]) push_of(t, &w, i, w.delta[i], push + 6 * i);
        }
        for (int v = 0; args->limit && v < t->nv; v++)
            w.Q[v] = w.Q[v] + tau[v]; /* of drives beyond their limits */
        sweep(&pushed, &w, Q, args->K, qdd);
        for (int v = 0; args->limit && v < t->nv; v++)
            w.Q[v] = w.Q[v] - tau[v];
        for (int j = first; first >= 0 && j < last; j++)
            clear_joint(t, &row[j], tau);
        if (first < 0)
            keep_default(t, &w, qdd, qdd0);
        else
            put_differences(t, &w, n, row, qdd, qdd0, result + first / LANE_WIDTH, stride / LANE_WIDTH);
    }
}

/* Test forces again, through an articulated-body pass that keeps what depends on the state alone (the end
   of section 4.3): all biases are summed up and all accelerations made, for every force. Its constants
   cancel in the differences; what matters here is that they are added. */
static void cached_forces(const struct sn__args *args, int n, const struct sn__row *row, void *K,
                          int stride) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    uint8_t *in = w.mark, *out = w.mark + t->nbody;
    real *tau = w.tmp[0], *qdd = w.tmp[1], *qdd0 = w.tmp[2], *result = K;
    struct delta *kept = (struct delta *)(void *)w.left;
    drive_all(args, w.tmp[3]);
    for (int i = 0; i < t->nbody; i++) {
        vec3 mc;
        const struct inertia I = body_inertia(&t->body[i], &w.frame[i], 0, 0, 0, &mc);
        kept[i] = (struct delta){I.n, I.f, vec_zero()};
    }
    for (int first = -LANE_WIDTH; first < n; first += LANE_WIDTH) {
        const int last = first + LANE_WIDTH < n ? first + LANE_WIDTH : n;
        for (int i = 0; i < t->nbody; i++) {
            w.delta[i] = kept[i];
            in[i] = out[i] = 1;
        }
        for (int v = 0; v < t->nv; v++)
            tau[v] = w.tmp[3][v];
        for (int j = first; first >= 0 && j < last; j++)
            test_force(t, &row[j], j - first, w.delta, in, tau);
        propagate(args, &w, w.delta, in, out, tau, qdd);
        if (first < 0)
            keep_default(t, &w, qdd, qdd0);
        else
            put_differences(t, &w, n, row, qdd, qdd0, result + first / LANE_WIDTH, stride / LANE_WIDTH);
    }
}

/* What given forces do together: wrench [nbody][6] about the bodies' origins (moment, force) and tau [nv];
   qdd of all degrees of freedom. */
static void apply(const struct sn__args *args, const double *wrench, const double *tau_, void *qdd) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    struct delta *d = w.delta;
    uint8_t *in = w.mark, *out = w.mark + t->nbody;
    real *tau = w.tmp[0];
    for (int v = 0; v < t->nv; v++)
        tau[v] = splat(R(tau_[v]));
    for (int i = 0; i < t->nbody; i++) {
        const double *x = wrench + 6 * i;
        const tree_body *b = &t->body[i];
        in[i] = x[0] != 0 || x[1] != 0 || x[2] != 0 || x[3] != 0 || x[4] != 0 || x[5] != 0;
        for (int v = b->v; v < b->v + JOINT_NV[b->joint]; v++)
            in[i] |= tau_[v] != 0;
        out[i] = 1;
        if (!in[i]) continue;
        d[i].n = (vec3){splat(R(-x[0])), splat(R(-x[1])), splat(R(-x[2]))};
        d[i].f = (vec3){splat(R(-x[3])), splat(R(-x[4])), splat(R(-x[5]))};
    }
    propagate(args, &w, d, in, out, tau, qdd);
}

#endif
