/* Forward dynamics under given torques, and the torque that the PD formula gives for an acceleration: the two routes of
 * maba-2020 section 3 beside the direct one. */
#ifndef SINEW_KERNELS_TREE_FORWARD_H
#define SINEW_KERNELS_TREE_FORWARD_H

#include "kernels/tree/maba.h"

/* (M + K) qdd = tau - C with args->K, or K = 0 where that is NULL. */
static void aba(const struct sn__args *args, const void *tau, void *qdd) {
    walk_anew(args, tau, args->K, qdd);
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

#endif
