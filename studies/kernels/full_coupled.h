/* Full coordinates, coupled: the drives stand in the blocks of both bodies and between them (maba-2020 section 5, read
 * literally). Triangles of body, joint and body are eliminated from the leaves: the child, then its joint.
 *
 *     A' = L L^T,   Z = L^-1 [Jc^T | Uc | f'],   S = Z^T Z                    Uc = [0; W], Up = -Uc
 *     D  = S_JJ,    G = -Jp + S_JU K Up^T,       g = s_J - gamma              the joint's pivot is -D
 *     A'_p += Up (K - K S_UU K) Up^T + G^T D^-1 G
 *     f'_p += Up (Q + K c) - Up K s_U + G^T D^-1 g
 *     outward:  l = D^-1 (G a_p - g),   a_c = L^-T (z_f - Z_U K Up^T a_p + Z_J l)
 *
 * A' starts as M + Uc K Uc^T and f' as f + Uc (Q + K c). With stiff gains K - K S_UU K is a small difference of large numbers:
 * float loses as many digits as K is larger than the inertia. */
#ifndef SINEW_STUDIES_KERNELS_FULL_COUPLED_H
#define SINEW_STUDIES_KERNELS_FULL_COUPLED_H

#include "studies/kernels/full.h"

/* A' of a body is complete: L, Z, D, G, and what the parent gets. */
static bool coupled_factor(struct full *f, int i) {
    const struct full_body *b = &f->body[i];
    const struct full_rows *r = &f->rows[i];
    struct full_factor *c = &f->factor[i], *p = &f->factor[b->tree->parent];
    const int m = b->hard, d = b->tree->nv, all = m + d;
    if (!full_cholesky(FULL_N, c->A)) return false;
    for (int k = 0; k < all; k++) {
        for (int l = 0; l < FULL_N; l++)
            c->Z[k][l] = r->child[k][l];
        full_forth(FULL_N, c->A, c->Z[k]);
    }
    for (int k = 0; k < m; k++)
        for (int l = 0; l <= k; l++)
            c->D[k][l] = full_dot(c->Z[k], c->Z[l]);
    if (!full_cholesky(m, c->D)) return false;
    if (b->tree->parent < 0) return true;
    for (int k = 0; k < m; k++) { /* G, then L_D^-1 G */
        for (int l = 0; l < FULL_N; l++)
            c->G[k][l] = -r->parent[k][l];
        for (int u = m; u < all; u++)
            full_add(c->G[k], r->parent[u], full_dot(c->Z[k], c->Z[u]) * b->K[u - m]);
    }
    full_forth_columns(m, c->D, c->G);
    for (int u = m; u < all; u++) {
        real lift[FULL_N] = {0}; /* row u of (K - K S_UU K) Up^T */
        for (int v = m; v < all; v++) {
            const real S = b->K[u - m] * full_dot(c->Z[u], c->Z[v]) * b->K[v - m];
            full_add(lift, r->parent[v], (u == v ? b->K[u - m] : R(0)) - S);
        }
        for (int k = 0; k < FULL_N; k++)
            full_add(p->A[k], lift, r->parent[u][k]);
    }
    full_add_squares(m, p->A, c->G);
    return true;
}

/* Towards the root with right sides: f of the bodies in factor.f, `torque` and gamma of the joints. */
static void coupled_gather(struct full *f, int i, const real *torque, const real *gamma) {
    const struct full_body *b = &f->body[i];
    const struct full_rows *r = &f->rows[i];
    struct full_factor *c = &f->factor[i], *p = &f->factor[b->tree->parent];
    const int m = b->hard, d = b->tree->nv;
    for (int k = 0; k < FULL_N; k++)
        c->z[k] = c->f[k];
    for (int k = 0; k < d && torque; k++)
        full_add(c->z, r->child[m + k], torque[k]);
    full_forth(FULL_N, c->A, c->z);
    for (int k = 0; k < m; k++)
        c->g[k] = full_dot(c->Z[k], c->z) - gamma[k];
    full_forth(m, c->D, c->g); /* L_D^-1 g */
    if (b->tree->parent < 0) return;
    for (int k = 0; k < d; k++)
        full_add(p->f, r->parent[m + k], (torque ? torque[k] : R(0)) - b->K[k] * full_dot(c->Z[m + k], c->z));
    for (int k = 0; k < m; k++)
        full_add(p->f, c->G[k], c->g[k]);
}

/* Away from the root: accelerations, and forces of hard rows. */
static void coupled_spread(struct full *f, int i, real *force) {
    const struct full_body *b = &f->body[i];
    const struct full_rows *r = &f->rows[i];
    struct full_factor *c = &f->factor[i];
    const int m = b->hard, d = b->tree->nv, parent = b->tree->parent;
    const real *up = parent < 0 ? 0 : f->factor[parent].a;
    for (int k = 0; k < m; k++)
        force[k] = (up ? full_dot(c->G[k], up) : R(0)) - c->g[k];
    full_back(m, c->D, force);
    for (int k = 0; k < FULL_N; k++)
        c->a[k] = c->z[k];
    for (int k = 0; k < d && up; k++)
        full_add(c->a, c->Z[m + k], -b->K[k] * full_dot(r->parent[m + k], up));
    for (int k = 0; k < m; k++)
        full_add(c->a, c->Z[k], force[k]);
    full_back(FULL_N, c->A, c->a);
}

static bool full_coupled(struct full *f) {
    for (int i = 0; i < f->nbody; i++) {
        const struct full_body *b = &f->body[i];
        full_make_rows(f, i);
        full_put_body(f, i, &f->factor[i]);
        for (int u = 0; u < b->tree->nv; u++) { /* M + Uc K Uc^T */
            const real *row = f->rows[i].child[b->hard + u];
            for (int k = 0; k < FULL_N; k++)
                full_add(f->factor[i].A[k], row, row[k] * b->K[u]);
        }
    }
    for (int i = f->nbody - 1; i >= 0; i--) {
        if (!coupled_factor(f, i)) return false;
        coupled_gather(f, i, f->rows[i].torque, f->rows[i].gamma);
    }
    for (int i = 0; i < f->nbody; i++) {
        const int parent = f->body[i].tree->parent;
        coupled_spread(f, i, f->joint[i].force);
        full_found(f, i, f->factor[i].a, parent < 0 ? 0 : f->factor[parent].a);
    }
    return true;
}

#endif
