/* Given torques, cut to their limits: for solvers that know nothing of limits. */
#ifndef SINEW_KERNELS_CONTACT_CUT_H
#define SINEW_KERNELS_CONTACT_CUT_H

#include "kernels/contact/limits.h"

/* Torques beyond their limits are cut to them, as limit_group groups them. */
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
