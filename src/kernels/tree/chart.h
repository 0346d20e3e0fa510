/* What Runge-Kutta methods (src/dynamics/integrate.c) need: they work in the tangent space at the start of the step, after
 * Munthe-Kaas: pose q0 (+) u with u' = Jr(u)^-1 qd. */
#ifndef SINEW_KERNELS_TREE_CHART_H
#define SINEW_KERNELS_TREE_CHART_H

#include "kernels/tree/move.h"

static void retract(const sn__tree *tree_, const void *q0, const void *u, void *q) {
    const tree *t = tree_;
    for (int i = 0; i < t->nbody; i++)
        move_joint(&t->body[i], q0, u, splat(1), q);
}

static void pull_back(const sn__tree *tree_, const void *u_, const void *qd_, void *rate_) {
    const tree *t = tree_;
    const real *u = u_, *qd = qd_;
    real *rate = rate_;
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        for (int k = b->v; k < b->v + b->nv; k++)
            rate[k] = qd[k];
        const int v = is_free(b) ? b->v + 3 : b->v;
        if (has_rotation(b)) vec_store(rate + v, right_jacobian_inverse(vec_load(u + v), vec_load(qd + v)));
    }
}

#endif
