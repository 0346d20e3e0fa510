/* Forward dynamics under given torques, and the torque that the PD formula gives for an acceleration: the two routes of
 * maba-2020 section 3 beside the direct one. */
#ifndef SINEW_KERNELS_FORWARD_H
#define SINEW_KERNELS_FORWARD_H

#include "kernels/limits.h"
#include "kernels/walk.h"

/* (M + K) qdd = tau - C with args->K, or K = 0 where that is NULL. */
static void aba(const struct sn__args *args, const void *tau, void *qdd) {
    if (args->K)
        walk_general(args, tau, args->K, qdd);
    else
        walk_plain(args, tau, qdd);
}

static void add_passive(const struct sn__args *args, void *out) {
    real *tau = out;
    for (int v = 0; v < ((const tree *)args->tree)->nv; v++)
        tau[v] = tau[v] + passive_force(args, v);
}

/* tau = Q - K qdd of the drives alone: eq. 6. */
static void pd_torque(const struct sn__args *args, const void *qdd, void *out) {
    const real *K = args->K, *Kp = args->K_passive, *a = qdd;
    real *tau = out;
    drive_all(args, tau);
    for (int v = 0; v < ((const tree *)args->tree)->nv; v++)
        tau[v] = tau[v] - passive_force(args, v) - (K[v] - Kp[v]) * a[v];
}

/* Torques beyond their limits are cut to them, as limits.h groups them. */
static void cut_torques(const struct sn__args *args, void *out) {
    const tree *t = args->tree;
    const struct drives d = {.args = args};
    const real *limit = args->limit;
    real *tau = out;
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const int n = limit_group(args, b, i);
        for (int v = b->v; v < b->v + b->nv; v += n) {
            const real length2 = length2_of(tau + v, n);
            const mask over = less(limit[v] * limit[v], length2);
            const real f = cut_factor(&d, v, over, length2);
            for (int k = v; k < v + n; k++)
                tau[k] = choose(over, rounded(f * tau[k]), tau[k]);
        }
    }
}

#endif
