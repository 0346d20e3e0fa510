/* MABA: forward dynamics with stable PD inside the articulated-body algorithm (maba-2020).
 *
 *     (M + K) qdd = Q - C        eq. 7, in linear time
 *
 * One depth-first walk over the tree does pass 1 on the way in (kinematics.h, drive.h) and pass 2 on the way out (aba.h). Pass 3
 * follows from the root to the leaves, and refinements of the velocity products after it (midpoint.h), unless they were guessed
 * well enough before (predict.h). */
#ifndef SINEW_KERNELS_TREE_MABA_H
#define SINEW_KERNELS_TREE_MABA_H

#include "kernels/tree/predict.h"

/* With tau NULL the drives act, and Q is made on the way in, too. The frames have the velocity products of `rate`, with c of
   them for refinements. */
KERNEL void walk(const struct sn__args *args, const struct work *given, const real *tau, const real *K,
                 int kind, const real *rate, real *qdd) {
    const tree *t = args->tree;
    struct work work = *given, *w = &work; /* its pointers stay in registers */
    w->mixed = 0;                          /* K is the same for all three axes of a joint, or known by axis */
    const real *Q = tau ? tau : w->Q;
    start_products(args, w, PRODUCTS_START_SPINNING);
    for (int e = 0; e < 2 * t->nbody; e++) {
        const int i = t->visit[e].body;
        const tree_body *b = &t->body[i];
        if (t->visit[e].leaving) {
            leave_body(args, w, i, Q, K, kind, qdd);
        } else {
            enter_body(b, &w->frame[b->parent], args->q, rate, &w->frame[i]);
            if (!tau) drive_joint(args, b, i, w->Q);
        }
    }
    if (args->refinements) spin_roots(args, w, K, kind, qdd);
    const struct round round = {1, 0, (mask){0}, R(0.5) * step_size(args), w->calm};
    for (int i = 0; i < t->nbody; i++) {
        accelerate_body(args, w, i, K, kind, args->refinements, qdd);
        if (args->refinements) drift_body(args, w, i, &round, qdd);
    }
    if (args->refinements) refine_rounds(args, w, K, kind, qdd);
}

/* Not inlined, because each is 30 kB of code. Gains K, or none for NULL. */
static __attribute__((noinline)) void walk_general(const struct sn__args *args, const struct work *w,
                                                   const real *tau, const real *K, const real *rate,
                                                   real *qdd) {
    walk(args, w, tau, K, ABA_GENERAL, rate, qdd);
}

static __attribute__((noinline)) void walk_plain(const struct sn__args *args, const struct work *w,
                                                 const real *tau, const real *rate, real *qdd) {
    walk(args, w, tau, 0, ABA_PLAIN, rate, qdd);
}

/* From the velocities at the start of the step. */
static void walk_anew(const struct sn__args *args, const real *tau, const real *K, real *qdd) {
    const tree *t = args->tree;
    struct work work = work_of(args, 0), *w = &work;
    const real calm = w->calm = calm_of(args, args->qd), *rate = args->qd;
    if (!is_calm(calm)) {
        for (int v = 0; v < t->nv; v++)
            w->vbar[v] = calm * rate[v]; /* for nothing but the frames */
        rate = w->vbar;
    }
    if (K)
        walk_general(args, w, tau, K, rate, qdd);
    else
        walk_plain(args, w, tau, rate, qdd);
}

/* With velocity products of where the last step's acceleration leads, corrected in the lanes where that is off (predict.h). */
static void walk_ahead(const struct sn__args *args, const real *K, real *qdd) {
    const real turned = turned_by(args, 0, 0);
    if (!any(turns_little(turned))) {
        walk_anew(args, 0, K, qdd);
        return;
    }
    struct sn__args once = *args;
    once.refinements = 0;
    struct work work = work_of(&once, 0), *w = &work;
    predict_middle(args, w->vbar);
    if (K)
        walk_general(&once, w, 0, K, w->vbar, qdd);
    else
        walk_plain(&once, w, 0, w->vbar, qdd);
    const mask right = predicted_lanes(args, turned, w->vbar, qdd);
    if (!any(~right)) return;
    const int some = any(right);
    if (some) keep_predicted(args, w, qdd);
    walk_anew(args, 0, K, qdd);
    if (some) choose_predicted(args, w, right, qdd);
}

/* (M + K) qdd = Q - C with the drives inside; K NULL where it is known to be 0: explicit PD control. */
KERNEL void maba_with(const struct sn__args *args, const real *K, real *qdd) {
    if (args->last && args->refinements)
        walk_ahead(args, K, qdd);
    else
        walk_anew(args, 0, K, qdd);
}

KERNEL void maba(const struct sn__args *args, real *qdd) {
    maba_with(args, args->K, qdd);
}

KERNEL void maba_plain(const struct sn__args *args, real *qdd) {
    maba_with(args, 0, qdd);
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
