/* Integration on the manifold of poses: quaternions are turned by the exponential of a rotation vector,
 * never added to.
 *
 * Euler's methods need one call; Runge-Kutta methods have their own (chart.h). */
#ifndef SINEW_KERNELS_TREE_INTEGRATE_H
#define SINEW_KERNELS_TREE_INTEGRATE_H

#include "kernels/tree/move.h"

/* qd += h qdd and q (+)= h qd, with the new qd (semi-implicit) or the old one (explicit). */
KERNEL void euler(const tree *t, real h, const real *qdd, real *q, real *qd, int semi_implicit) {
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        if (!semi_implicit) move_joint(b, q, qd, h, q);
        for (int k = b->v; k < b->v + b->nv; k++)
            qd[k] = qd[k] + h * qdd[k];
        if (semi_implicit) move_joint(b, q, qd, h, q);
    }
}

static void integrate(const sn__tree *t, double dt, const void *qdd, void *q, void *qd, int semi_implicit) {
    euler(t, splat(R(dt)), qdd, q, qd, semi_implicit);
}

/* The semi-implicit step in the lanes that are not frozen, once some are. */
static void euler_masked(const tree *t, real h, mask frozen, real *qdd, real *q, real *qd) {
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const int n = b->nv, turns = has_rotation(b);
        real old[7];
        for (int k = 0; k < n + turns; k++)
            old[k] = q[b->q + k];
        for (int k = b->v; k < b->v + n; k++) {
            qd[k] = choose(frozen, qd[k], qd[k] + h * qdd[k]);
            qdd[k] = choose(frozen, splat(0), qdd[k]);
        }
        move_joint(b, q, qd, h, q);
        for (int k = 0; k < n + turns; k++)
            q[b->q + k] = choose(frozen, old[k], q[b->q + k]);
    }
}

/* The end of a step: a lane whose velocity would not be finite, or beyond all bounds, is frozen. */
static void move_on(const struct sn__args *args, real *qdd, real *q, real *qd) {
    const tree *t = args->tree;
    const real h = step_size(args);
    if (!args->frozen) {
        euler(t, h, qdd, q, qd, 1);
        return;
    }
    real *frozen = args->frozen;
    mask bad = less(splat(0), *frozen);
    for (int v = 0; v < t->nv; v++)
        bad |= not_less(absolute(qd[v] + h * qdd[v]), splat(R(SN__MOST_SPEED)));
    if (!any(bad)) {
        euler(t, h, qdd, q, qd, 1);
        return;
    }
    *frozen = choose(bad, splat(1), splat(0));
    euler_masked(t, h, bad, qdd, q, qd);
}

static void combine(int n, const void *x, int terms, const double *c, const void *const *k, void *y) {
    for (int i = 0; i < n; i++) {
        real sum = ((const real *)x)[i];
        for (int j = 0; j < terms; j++)
            sum = sum + R(c[j]) * ((const real *)k[j])[i];
        ((real *)y)[i] = sum;
    }
}

static int all_below(int n, const void *x, double most) {
    mask bad = (mask){0};
    for (int i = 0; i < n; i++)
        bad |= not_less(absolute(((const real *)x)[i]), splat(R(most)));
    return !any(bad);
}

#endif
