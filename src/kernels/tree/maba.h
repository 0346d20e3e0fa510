/* MABA: forward dynamics with stable PD inside the articulated-body algorithm (maba-2020).
 *
 *     (M + K) qdd = Q - C        eq. 7, in linear time
 *
 * One depth-first walk over the tree does pass 1 on the way in (kinematics.h, drive.h) and pass 2 on the way out (aba.h). Pass 3
 * follows from the root to the leaves, and refinements of the velocity products after it (midpoint.h). */
#ifndef SINEW_KERNELS_TREE_MABA_H
#define SINEW_KERNELS_TREE_MABA_H

#include "kernels/tree/midpoint.h"

/* Where the passes start: at frames that stand already (qd NULL), or by entering them with qd. */
struct start {
    const real *Q, *qd;
    int drive, refine; /* whether Q is made on the way in, and whether refinements follow */
};

/* Passes 1 to 3 and whatever is left out of them; K NULL: zero. Not inlined, because it is 60 kB of code. */
static __attribute__((noinline)) void pass_tree(const struct sn__args *args, struct work *w,
                                                struct start from, const real *K, real *qdd) {
    const tree *t = args->tree;
    const int kind = K ? ABA_GENERAL : ABA_PLAIN;
    for (int e = 0; e < 2 * t->nbody; e++) {
        const int i = t->visit[e].body;
        const tree_body *b = &t->body[i];
        if (t->visit[e].leaving) {
            leave_body(args, w, i, from.Q, K, qdd);
        } else if (from.qd) {
            enter_body(b, &w->frame[b->parent], args->q, from.qd, &w->frame[i]);
            if (from.drive) drive_joint(args, b, i, w->Q);
        }
    }
    if (w->products == PRODUCTS_START_SPINNING) spin_roots(args, w, K, kind, qdd);
    const struct round round = {1, 0, (mask){0}, R(0.5) * step_size(args), w->calm};
    for (int i = 0; i < t->nbody; i++) {
        accelerate_body(args, w, i, K, kind, from.refine, qdd);
        if (from.refine) drift_body(args, w, i, &round, qdd);
    }
}

/* All passes; K NULL: zero. With tau NULL the drives act. */
static void walk(const struct sn__args *args, const real *tau, const real *K, real *qdd) {
    const tree *t = args->tree;
    struct work work = work_of(args, 0), *w = &work;
    w->mixed = 0; /* K is the same for all three axes of a joint, or known by axis */
    start_products(args, w, PRODUCTS_START_SPINNING);
    const real calm = w->calm = calm_of(args, args->qd), *qd = args->qd;
    if (!is_calm(calm)) {
        for (int v = 0; v < t->nv; v++)
            w->vbar[v] = calm * qd[v]; /* for nothing but the frames */
        qd = w->vbar;
    }
    const struct start from = {tau ? tau : w->Q, qd, !tau, args->refinements > 0};
    pass_tree(args, w, from, K, qdd);
    if (args->refinements) refine_rounds(args, w, K, K ? ABA_GENERAL : ABA_PLAIN, qdd);
}

/* (M + K) qdd = Q - C with the drives inside. */
KERNEL void maba(const struct sn__args *args, real *qdd) {
    walk(args, 0, args->K, qdd);
}

/* The same where K = 0 is known beforehand: explicit PD control. */
KERNEL void maba_plain(const struct sn__args *args, real *qdd) {
    walk(args, 0, 0, qdd);
}

/* Passes 2 and 3 alone, over frames that stand already. */
KERNEL void sweep_untouched(const struct sn__args *args, struct work *w, const real *Q, const real *K,
                            real *qdd) {
    pass_tree(args, w, (struct start){.Q = Q}, K, qdd);
}

#endif
