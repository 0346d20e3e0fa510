/* Velocity products ahead of the solve: one pass over the tree where the midpoint rule (midpoint.h) takes two.
 *
 * Accelerations change little from step to step as a rule. So the velocity halfway through the step is guessed by that of the
 * last one, vbar = qd + (h/2) qdd_last, and the products are taken of it, which is exact to second order in h, as the midpoint
 * rule is. By itself that would be the method of Adams and Bashforth, which limp and fast bodies blow up. The guess was right
 * where
 *
 *     h |qdd - qdd_last| <= 0.01 max(|qd|, 0.02 rad / h),
 *
 * which the solve tells for nothing; all other lanes are solved by the midpoint rule from the start, and so is what turns by more
 * than 0.08 rad within the step. There small errors add up: a plate that spins by 0.33 rad in a step would lose 13 % of its
 * momentum in a minute. Each lane is judged by itself, and what it keeps does not depend on its neighbours. Roots' linear
 * velocities do not count: they have no products. */
#ifndef SINEW_KERNELS_TREE_PREDICT_H
#define SINEW_KERNELS_TREE_PREDICT_H

#include "kernels/tree/midpoint.h"

#define PREDICT_LITTLE 0.02 /* rad: what turns less within a step has hardly any products */
#define PREDICT_MOST 0.08   /* rad */

/* |h v|^2 without the linear velocities of roots, v = (qd + (h/2) qdd - led) where `qdd` is given, else qd. */
KERNEL real turned_by(const struct sn__args *args, const real *qdd, const real *led) {
    const tree *t = args->tree;
    const real *qd = args->qd, h = step_size(args), half = R(0.5) * h;
    real sum = splat(0);
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        for (int v = is_free(b) ? b->v + 3 : b->v; v < b->v + b->nv; v++) {
            const real x = qdd ? qd[v] + half * qdd[v] - led[v] : qd[v];
            sum = sum + x * x;
        }
    }
    return h * h * sum;
}

KERNEL mask turns_little(real turned) {
    return less(turned, splat(R(PREDICT_MOST * PREDICT_MOST)));
}

/* vbar from the acceleration of the last step. */
KERNEL void predict_middle(const struct sn__args *args, real *vbar) {
    const real *qd = args->qd, *last = args->last, half = R(0.5) * step_size(args);
    for (int v = 0; v < ((const tree *)args->tree)->nv; v++)
        vbar[v] = qd[v] + half * last[v];
}

/* Lanes that were led to vbar. qdd_last is in that: h (qdd - qdd_last) = 2 (qd + (h/2) qdd - vbar). */
KERNEL mask predicted_lanes(const struct sn__args *args, real turned, const real *vbar, const real *qdd) {
    const elem bound = R(0.25) * (R(args->predict_to) * R(args->predict_to));
    const real most = bound * maximum(turned, splat(R(PREDICT_LITTLE * PREDICT_LITTLE)));
    return less(turned_by(args, qdd, vbar), most) & turns_little(turned);
}

/* Puts away what the guess has led to, before the midpoint rule writes over it; its frames only for those who ask for torques. */
static void keep_predicted(const struct sn__args *args, struct work *w, const real *qdd) {
    const tree *t = args->tree;
    for (int v = 0; v < t->nv; v++)
        w->end_qd[v] = qdd[v];
    for (int i = 0; i < t->nbody && args->torque; i++)
        w->ahead[i] = w->frame[i];
}

static void choose_predicted(const struct sn__args *args, struct work *w, mask right, real *qdd) {
    const tree *t = args->tree;
    for (int v = 0; v < t->nv; v++)
        qdd[v] = choose(right, w->end_qd[v], qdd[v]);
    for (int i = 0; i < t->nbody && args->torque; i++) {
        const struct frame *g = &w->ahead[i];
        struct frame *f = &w->frame[i];
        f->w = vec_choose(right, g->w, f->w);
        f->c = vec_choose(right, g->c, f->c);
        f->d = vec_choose(right, g->d, f->d);
    }
}

#endif
