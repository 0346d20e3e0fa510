/* Constraint responses: what a force on the tree does to its accelerations, over articulated inertias that
 * stand already, the gains inside.
 *
 *     K_ij = J_i (M + K)^-1 J_j^T
 *
 * Acceleration deltas, kokkevis-2004 section 4.3. A test force changes only biases on the way from its body
 * to the root (inbound) and accelerations on the way out (outbound); inertias, velocity products and the
 * eliminated joints stay as pass 2 left them in work.response (biases.h).
 *
 * Lanes here hold different test forces on one character, whose own values are the same in all of them. */
#ifndef SINEW_KERNELS_CONTACT_DELTAS_H
#define SINEW_KERNELS_CONTACT_DELTAS_H

#include "kernels/contact/convex.h"

KERNEL int by_axes(const struct sn__args *args, const struct work *w, int i) {
    return (args->per_axis && args->per_axis[i]) || (w->mixed && w->mixed[i]);
}

KERNEL struct ball_gain delta_gain(const struct sn__args *args, const struct work *w, int i) {
    const real *K = w->damped_K[0] + ((const tree *)args->tree)->body[i].v; /* as the solve left it */
    return (struct ball_gain){by_axes(args, w, i) ? GAIN_AXES : GAIN_ONE, K, (mask){0}};
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
        bias_in(&t->body[i], &w->frame[i], &w->response[i], delta_gain(args, w, i), tau + t->body[i].v,
                &d[i]);
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
        const struct bias bias = {in[i] ? d[i].m : vec_zero(), in[i] ? d[i].f : vec_zero()};
        w->motion[i] = bias_out(&t->body[i], &w->frame[i], &w->response[i], delta_gain(args, w, i), bias,
                                p < 0 ? rest : w->motion[p], qdd + t->body[i].v);
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
    for (int k = 0; k < b->nv; k++)
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
        for (int k = 0; k < b->nv; k++)
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
    for (int k = 0; row->joint && k < b->nv; k++)
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
    real *tau = w.row.tau, *qdd = w.row.qdd, *result = K;
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

/* Passes 2 and 3 as the last solve had them. */
static void sweep(const struct sn__args *args, const void *Q, const void *K, void *qdd) {
    struct work w = work_of(args, 0);
    if (args->contacts || args->limit)
        sweep_touching(args, &w, Q, K, 0, (mask){0}, qdd);
    else
        sweep_untouched(args, &w, Q, K, qdd);
}

/* What given forces do together: wrench [nbody][6] about the bodies' origins (moment, force) and tau [nv];
   qdd of all degrees of freedom. */
static void apply(const struct sn__args *args, const double *wrench, const double *tau_, void *qdd) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    struct delta *d = w.delta;
    uint8_t *in = w.mark, *out = w.mark + t->nbody;
    real *tau = w.row.tau;
    for (int v = 0; v < t->nv; v++)
        tau[v] = splat(R(tau_[v]));
    for (int i = 0; i < t->nbody; i++) {
        const double *x = wrench + 6 * i;
        const tree_body *b = &t->body[i];
        in[i] = x[0] != 0 || x[1] != 0 || x[2] != 0 || x[3] != 0 || x[4] != 0 || x[5] != 0;
        for (int v = b->v; v < b->v + b->nv; v++)
            in[i] |= tau_[v] != 0;
        out[i] = 1;
        if (!in[i]) continue;
        d[i].n = (vec3){splat(R(-x[0])), splat(R(-x[1])), splat(R(-x[2]))};
        d[i].f = (vec3){splat(R(-x[3])), splat(R(-x[4])), splat(R(-x[5]))};
    }
    propagate(args, &w, d, in, out, tau, qdd);
}

#endif
