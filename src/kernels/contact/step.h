/* A step without ground: drives with or without torque limits, then semi-implicit Euler.
 *
 * Without torque limits one walk over the tree solves the equation of motion (tree/maba.h). Torque limits make the problem
 * convex, which takes several sweeps (convex.h); polarised velocity products are those of a study. */
#ifndef SINEW_KERNELS_CONTACT_STEP_H
#define SINEW_KERNELS_CONTACT_STEP_H

#include "kernels/contact/convex.h"
#include "kernels/tree/integrate.h"

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
    solve_studied(args, w.Q, args->K, qdd);
    if (args->torque) polarising_force(args, &w, w.Q, args->K, qdd, w.solve.Q0);
}

/* (M + K) qdd = Q - C under whatever limits the drives have. */
static void solve_drives(const struct sn__args *args, void *qdd) {
    if (args->limit)
        maba_limited(args, qdd);
    else if (args->polarised)
        maba_polarised(args, qdd);
    else
        maba(args, qdd);
}

static void torque(const struct sn__args *args, const void *qdd); /* ground.h */

/* Whether the torque is asked for changes no bit of the step. */
static void step(const struct sn__args *args, void *q, void *qd, void *qdd) {
    solve_drives(args, qdd);
    if (args->torque) torque(args, qdd);
    move_on(args, qdd, q, qd);
}

static void step_plain(const struct sn__args *args, void *q, void *qd, void *qdd) {
    if (args->polarised)
        solve_drives(args, qdd);
    else
        maba_plain(args, qdd);
    if (args->torque) torque(args, qdd);
    move_on(args, qdd, q, qd);
}

#endif
