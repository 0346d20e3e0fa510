/* MABA: forward dynamics with stable PD inside the articulated-body algorithm (maba-2020).
 *
 *     (M + K) qdd = Q - C        eq. 7, in linear time
 *
 * One depth-first walk over the tree does pass 1 on the way in (kinematics.h, drive.h) and pass 2 on the way out (aba.h). Pass 3
 * follows from the root to the leaves, and refinements of the velocity products after it (midpoint.h). */
#ifndef SINEW_KERNELS_TREE_MABA_H
#define SINEW_KERNELS_TREE_MABA_H

#include "kernels/tree/midpoint.h"

/* With tau NULL the drives act, and Q is made on the way in, too. */
KERNEL void walk(const struct sn__args *args, const real *tau, const real *K, int kind, real *qdd) {
    const tree *t = args->tree;
    struct work work = work_of(args, 0), *w = &work;
    w->mixed = 0; /* K is the same for all three axes of a joint, or known by axis */
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
            leave_body(args, w, i, Q, K, kind, qdd);
        } else {
            enter_body(b, &w->frame[b->parent], args->q, qd, &w->frame[i]);
            if (!tau) drive_joint(args, b, i, w->Q);
        }
    }
    if (args->refinements) spin_roots(args, w, K, kind, qdd);
    const struct round round = {1, 0, (mask){0}, R(0.5) * step_size(args), calm};
    for (int i = 0; i < t->nbody; i++) {
        accelerate_body(args, w, i, K, kind, args->refinements, qdd);
        if (args->refinements) drift_body(args, w, i, &round, qdd);
    }
    if (args->refinements) refine_rounds(args, w, K, kind, qdd);
}

/* Not inlined, because each is 30 kB of code. */
static __attribute__((noinline)) void walk_general(const struct sn__args *args, const real *tau,
                                                   const real *K, real *qdd) {
    walk(args, tau, K, ABA_GENERAL, qdd);
}

static __attribute__((noinline)) void walk_plain(const struct sn__args *args, const real *tau, real *qdd) {
    walk(args, tau, 0, ABA_PLAIN, qdd);
}

/* (M + K) qdd = Q - C with the drives inside. */
KERNEL void maba(const struct sn__args *args, real *qdd) {
    walk_general(args, 0, args->K, qdd);
}

/* The same where K = 0 is known beforehand: explicit PD control. */
KERNEL void maba_plain(const struct sn__args *args, real *qdd) {
    walk_plain(args, 0, qdd);
}

/* Passes 2 and 3 alone, over frames that stand already. */
static __attribute__((noinline)) void sweep_untouched(const struct sn__args *args, struct work *w,
                                                      const real *Q, const real *K, real *qdd) {
    const tree *t = args->tree;
    for (int e = 0; e < 2 * t->nbody; e++) {
        const int i = t->visit[e].body;
        if (t->visit[e].leaving) leave_body(args, w, i, Q, K, ABA_GENERAL, qdd);
    }
    if (w->products == PRODUCTS_START_SPINNING) spin_roots(args, w, K, ABA_GENERAL, qdd);
    for (int i = 0; i < t->nbody; i++)
        accelerate_body(args, w, i, K, ABA_GENERAL, 0, qdd);
}

#endif
