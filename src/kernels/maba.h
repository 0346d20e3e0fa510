/* MABA: forward dynamics with stable PD inside the articulated-body algorithm (maba-2020).
 *
 * Three ways to the same equation. The plain one is a single walk over the tree (walk.h, aba.h). Torque limits make the
 * problem convex and take several sweeps (convex.h); polarised velocity products have general blocks (polarised.h). */
#ifndef SINEW_KERNELS_MABA_H
#define SINEW_KERNELS_MABA_H

#include "kernels/convex.h"
#include "kernels/polarised.h"
#include "kernels/walk.h"

/* (M + K) qdd = Q - C under torque limits, all passes. */
static void maba_limited(const struct sn__args *given, real *qdd) {
    struct sn__args args = *given;
    struct work w = work_of(&args, 0);
    enter_all(args.tree, args.q, args.qd, &w);
    if (args.polarised) args.spring = polarise(given, &w);
    solve_convex(&args, &w, 1, qdd);
}

static void maba_polarised(const struct sn__args *args, real *qdd) {
    struct work w = work_of(args, 0);
    enter_all(args->tree, args->q, args->qd, &w);
    drive_all(args, w.Q);
    solve_polarised(args, &w, w.Q, args->K, qdd);
    if (args->torque) polarising_force(args, &w, w.Q, args->K, qdd, w.tmp[0]);
}

/* (M + K) qdd = Q - C with the drives inside: eq. 7, in linear time. */
static void maba(const struct sn__args *args, void *qdd) {
    if (args->limit)
        maba_limited(args, qdd);
    else if (args->polarised)
        maba_polarised(args, qdd);
    else
        walk_general(args, 0, args->K, qdd);
}

#endif
