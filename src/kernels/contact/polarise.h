/* Velocity products that a study solves for (studies/kernels/polarised.h), as everything else sees them: a force beside the
 * springs. */
#ifndef SINEW_KERNELS_CONTACT_POLARISE_H
#define SINEW_KERNELS_CONTACT_POLARISE_H

#include "kernels/tree/rnea.h"
#include "kernels/tree/work.h"

/* The study's solution over frames that stand, without contacts. Devices have no studies. */
static void solve_studied(const struct sn__args *args, const real *Q, const real *K, real *qdd) {
#ifndef SN__DEVICE
    args->polarised(args, Q, K, qdd);
#endif
}

/* What contacts, limits and rows act on: the symmetric problem, with a generalised force that leads it to the polarised
   solution x where nothing of all that acts, M x + C + K x - Q. Returns it with the passive springs added, in work.polarising. */
static const real *polarising_force(const struct sn__args *args, struct work *w, const real *Q, const real *K,
                                    const real *x, real *tau) {
    const tree *t = args->tree;
    const real *spring = args->spring;
    rnea_framed(args, w, x, tau);
    for (int v = 0; v < t->nv; v++)
        w->polarising[v] = tau[v] - Q[v] + (spring ? spring[v] : splat(0)) + K[v] * x[v];
    return w->polarising;
}

#endif
