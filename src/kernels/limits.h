/* Torque limits: tau = clamp(Q - K qdd) inside the implicit solve, by an active set.
 *
 * A drive that would exceed its limit leaves the solve: its Q becomes the limit, its K only what is
 * passive, and the sweep is done again. The problem is monotone, so the set settles in a few sweeps; a
 * lane whose set has settled is frozen, so that its bits do not depend on its neighbours. Balls are
 * limited by the length of the torque, axes one by one otherwise. */
#ifndef SINEW_KERNELS_LIMITS_H
#define SINEW_KERNELS_LIMITS_H

#include "kernels/aba.h"

enum { LIMIT_SWEEPS = 24 };

/* One group of n values that share a limit: what of the drive torque s may stay. Returns where it is too
   much. */
KERNEL mask clamp_group(int n, const real *s, const real limit, real *tau) {
    real length2 = splat(0);
    for (int k = 0; k < n; k++)
        length2 = length2 + s[k] * s[k];
    const mask over = less(limit * limit, length2);
    const real f = limit / choose(over, square_root(length2), splat(1));
    for (int k = 0; k < n; k++)
        tau[k] = s[k] * f;
    return over;
}

/* Moves every limited drive of one joint into or out of the active set. Q0, K0: all as without limits; Qp:
   the passive share of Q0. Returns the lanes in which something moved by more than rounding. */
KERNEL mask limit_joint(const struct sn__args *args, const tree_body *b, const real *Q0, const real *Qp,
                        const real *qdd, mask settled, real *Q, real *K) {
    const real *K0 = args->K, *Kp = args->K_passive, *limit = args->limit;
    const int nv = JOINT_NV[b->joint];
    const int group = b->joint == SN_JOINT_BALL || b->joint == SN_JOINT_FREE ? 3 : 1;
    mask moved = (mask){0};
    for (int v = b->v; v < b->v + nv; v += group) {
        real s[3], tau[3];
        for (int k = 0; k < group; k++)
            s[k] = (Q0[v + k] - Qp[v + k]) - (K0[v + k] - Kp[v + k]) * qdd[v + k];
        const mask over = clamp_group(group, s, limit[v], tau);
        for (int k = 0; k < group; k++) {
            const real Qn = choose(over, tau[k] + Qp[v + k], Q0[v + k]);
            const real Kn = choose(over, Kp[v + k], K0[v + k]);
            const real scale_of = absolute(Qn) + absolute(Q[v + k]);
            const real tolerance = (LANE_BITS == 64 ? R(1e-12) : R(1e-5)) * scale_of;
            moved |= less(tolerance, absolute(Qn - Q[v + k])) | is_nonzero(bits_of(Kn) ^ bits_of(K[v + k]));
            Q[v + k] = choose(settled, Q[v + k], Qn);
            K[v + k] = choose(settled, K[v + k], Kn);
        }
    }
    return moved;
}

/* (M + K) qdd = Q - C under limits, by sweeps over frames that stand already. */
static void maba_limited(const struct sn__args *args, void *out) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    const real *K0 = args->K, *kw_passive = args->kw_passive, *qd = args->qd, *spring = args->spring;
    real *Q0 = w.tmp[0], *Qp = w.tmp[1], *qdd = out;
    enter_all(t, args->q, qd, &w);
    drive_all(args, Q0);
    for (int v = 0; v < t->nv; v++) {
        Qp[v] = -(kw_passive[v] * qd[v]);
        if (spring) Qp[v] += spring[v];
        w.Q[v] = Q0[v];
        w.K[v] = K0[v];
    }
    mask settled = (mask){0};
    for (int i = 0; i < LIMIT_SWEEPS; i++) {
        sweep(args, &w, w.Q, w.K, ABA_GENERAL, qdd);
        mask moved = (mask){0};
        for (int j = 0; j < t->nbody; j++)
            moved |= limit_joint(args, &t->body[j], Q0, Qp, qdd, settled, w.Q, w.K);
        settled |= ~moved;
        if (!any(~settled)) return;
    }
    sweep(args, &w, w.Q, w.K, ABA_GENERAL, qdd); /* not settled: the last set holds */
}

static void maba(const struct sn__args *args, void *qdd) {
    if (args->limit) {
        maba_limited(args, qdd);
        return;
    }
    struct work w = work_of(args, 0);
    walk(args, &w, 0, args->K, ABA_GENERAL, qdd);
}

#endif
