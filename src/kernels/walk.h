/* Pass 1 on the way in and pass 2 on the way out of one depth-first walk, pass 3, and refinements: a whole solve where
 * there are no limits and no contacts. */
#ifndef SINEW_KERNELS_WALK_H
#define SINEW_KERNELS_WALK_H

#include "kernels/midpoint.h"

/* With tau NULL the drives act, and Q is made on the way in, too. */
KERNEL void walk(const struct sn__args *args, const real *tau, const real *K, int kind, real *qdd) {
    const tree *t = args->tree;
    struct work work = work_of(args, 0), *w = &work;
    const real *Q = tau ? tau : w->Q;
    start_products(args, w, PRODUCTS_START_SPINNING);
    const real calm = w->calm = calm_of(args, args->qd), *qd = args->qd;
    if (!is_calm(calm)) {
        for (int v = 0; v < t->nv; v++)
            w->vbar[v] = calm * qd[v]; /* for nothing but the frames */
        qd = w->vbar;
    }
    for (int e = 0; e < 2 * t->nbody; e++) {
        const int i = t->visit[e].body;
        const tree_body *b = &t->body[i];
        if (t->visit[e].leaving) {
            leave_body(t, i, w, Q, K, args, kind, slot_above(b, w), b->first, qdd);
        } else {
            enter_body(b, &w->frame[b->parent], args->q, qd, &w->frame[i]);
            if (!tau) drive_joint(args, b, i, w->Q);
        }
    }
    if (args->refinements) spin_roots(args, w, K, kind, qdd);
    const struct round round = {1, 0, (mask){0}, R(0.5) * step_size(args), calm};
    for (int i = 0; i < t->nbody; i++) {
        accelerate_body(t, i, w, K, args->per_axis && args->per_axis[i], kind, args->refinements, qdd);
        if (args->refinements) drift_body(args, w, i, &round, qdd);
    }
    if (args->refinements) refine_rounds(args, w, K, kind, qdd);
}

/* Once for all who need them: each is 30 kB of code. */
static __attribute__((noinline)) void walk_general(const struct sn__args *args, const real *tau,
                                                   const real *K, real *qdd) {
    walk(args, tau, K, ABA_GENERAL, qdd);
}

static __attribute__((noinline)) void walk_plain(const struct sn__args *args, const real *tau, real *qdd) {
    walk(args, tau, 0, ABA_PLAIN, qdd);
}

#endif
