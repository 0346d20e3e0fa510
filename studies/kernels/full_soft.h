/* Full coordinates, soft rows: a drive is a row of its joint with the compliance 1 / K, so that every joint has six rows and the
 * system is a plain tree.
 *
 *     P  = [Jc^T | Uc sqrt K]                                                 P_p: the parent's side
 *     A' = L L^T,  Z = L^-1 [P_c | f'],  D = Z_P^T Z_P + diag(0_m, 1_d)
 *     g  = Z_P^T z_f - [gamma; Q / sqrt K + sqrt K c]
 *     A'_p += P_p D^-1 P_p^T,   f'_p -= P_p D^-1 g
 *     outward:  mu = -D^-1 (P_p^T a_p + g),   a_c = L^-T (z_f + Z_P mu),   tau = sqrt K mu
 *
 * No large numbers are subtracted: torques keep their digits in float at any gain. An axis without gains has no row; its Q acts
 * on both bodies. */
#ifndef SINEW_STUDIES_KERNELS_FULL_SOFT_H
#define SINEW_STUDIES_KERNELS_FULL_SOFT_H

#include "studies/kernels/full.h"

/* Row k of the joint on the parent, in the units of its multiplier. */
KERNEL real soft_scale(const struct full_body *b, int k) {
    return k < b->hard ? R(1) : square_root(b->K[k - b->hard]);
}

static bool soft_factor(struct full *f, int i) {
    const struct full_body *b = &f->body[i];
    const struct full_rows *r = &f->rows[i];
    struct full_factor *c = &f->factor[i], *p = &f->factor[b->tree->parent];
    const int m = b->hard, all = m + b->tree->nv;
    if (!full_cholesky(FULL_N, c->A)) return false;
    for (int k = 0; k < all; k++) {
        const real s = soft_scale(b, k);
        for (int l = 0; l < FULL_N; l++)
            c->Z[k][l] = r->child[k][l] * s, c->G[k][l] = r->parent[k][l] * s;
        full_forth(FULL_N, c->A, c->Z[k]);
        for (int l = 0; l <= k; l++)
            c->D[k][l] = full_dot(c->Z[k], c->Z[l]) + (k == l && k >= m ? R(1) : R(0));
    }
    if (!full_cholesky(all, c->D)) return false;
    if (b->tree->parent < 0) return true;
    full_forth_columns(all, c->D, c->G); /* G = L_D^-1 P_p^T */
    full_add_squares(all, p->A, c->G);
    return true;
}

static void soft_gather(struct full *f, int i, const real *torque, const real *gamma) {
    const struct full_body *b = &f->body[i];
    const struct full_rows *r = &f->rows[i];
    struct full_factor *c = &f->factor[i], *p = &f->factor[b->tree->parent];
    const int m = b->hard, d = b->tree->nv, all = m + d, parent = b->tree->parent;
    for (int k = 0; k < d && torque; k++)
        if (!(b->K[k] > R(0))) {
            full_add(c->f, r->child[m + k], torque[k]);
            if (parent >= 0) full_add(p->f, r->parent[m + k], torque[k]);
        }
    for (int k = 0; k < FULL_N; k++)
        c->z[k] = c->f[k];
    full_forth(FULL_N, c->A, c->z);
    for (int k = 0; k < all; k++) {
        real wanted = R(0);
        if (k < m)
            wanted = gamma[k];
        else if (torque && b->K[k - m] > R(0)) /* Q / sqrt K + sqrt K c = (Q + K c) / sqrt K */
            wanted = torque[k - m] / soft_scale(b, k);
        c->g[k] = full_dot(c->Z[k], c->z) - wanted;
    }
    full_forth(all, c->D, c->g); /* L_D^-1 g */
    for (int k = 0; k < all && parent >= 0; k++)
        full_add(p->f, c->G[k], -c->g[k]);
}

/* mu: [m + d] of hard rows and in units of sqrt K. */
static void soft_spread(struct full *f, int i, real *mu) {
    const struct full_body *b = &f->body[i];
    struct full_factor *c = &f->factor[i];
    const int all = b->hard + b->tree->nv, parent = b->tree->parent;
    const real *up = parent < 0 ? 0 : f->factor[parent].a;
    for (int k = 0; k < all; k++)
        mu[k] = -c->g[k] - (up ? full_dot(c->G[k], up) : R(0));
    full_back(all, c->D, mu);
    for (int k = 0; k < FULL_N; k++)
        c->a[k] = c->z[k];
    for (int k = 0; k < all; k++)
        full_add(c->a, c->Z[k], mu[k]);
    full_back(FULL_N, c->A, c->a);
}

static bool full_soft(struct full *f) {
    for (int i = 0; i < f->nbody; i++) {
        full_make_rows(f, i);
        full_put_body(f, i, &f->factor[i]);
    }
    for (int i = f->nbody - 1; i >= 0; i--) {
        if (!soft_factor(f, i)) return false;
        soft_gather(f, i, f->rows[i].torque, f->rows[i].gamma);
    }
    for (int i = 0; i < f->nbody; i++) {
        const struct full_body *b = &f->body[i];
        struct full_joint *j = &f->joint[i];
        const int parent = b->tree->parent;
        real mu[FULL_N];
        soft_spread(f, i, mu);
        full_found(f, i, f->factor[i].a, parent < 0 ? 0 : f->factor[parent].a);
        for (int k = 0; k < b->hard; k++)
            j->force[k] = mu[k];
        for (int k = 0; k < b->tree->nv; k++) /* the multiplier itself */
            if (b->K[k] > R(0)) j->tau[k] = soft_scale(b, b->hard + k) * mu[b->hard + k];
    }
    return true;
}

#endif
