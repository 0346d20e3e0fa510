/* Stable PD by matrix factorisation: the three ways that MABA replaces (maba-2020 section 2.3 and 4.2).
 *
 * All solve (M + K) qdd = Q - C with M from CRBA and C from RNEA:
 *   dense   L D L^T of the whole matrix, O(n^3)
 *   sparse  L^T D L along the tree, O(n d^2): Featherstone, Rigid Body Dynamics Algorithms, section 6.5
 *   pcg     conjugate gradients with Jacobi preconditioning */
#ifndef SINEW_KERNELS_TREE_FACTOR_H
#define SINEW_KERNELS_TREE_FACTOR_H

#include "kernels/tree/crba.h"
#include "kernels/tree/rnea.h"

/* Lower triangle of M + K, and Q - C. */
static void form_system(const struct sn__args *args, struct work *w, real *M, real *rhs) {
    const tree *t = args->tree;
    const real *K = args->K;
    enter_all(t, args->q, args->qd, w);
    drive_all(args, w->Q);
    rnea_framed(args, w, 0, w->matrix.C); /* C */
    crba_framed(t, w, M);
    for (int i = 0; i < t->nv; i++) {
        rhs[i] = w->Q[i] - w->matrix.C[i];
        M[i * t->nv + i] += K[i];
    }
}

static void system_matrix(const struct sn__args *args, void *M, void *rhs) {
    struct work w = work_of(args, 1);
    form_system(args, &w, M, rhs);
    fill_upper(((const tree *)args->tree)->nv, M);
}

/* A = L D L^T in place, D on the diagonal and L below it. Right-looking, four columns at a time: so each
   entry of the trailing matrix is read and written once for four products. */
enum { PANEL = 4 };

KERNEL void dense_panel(int n, int first, int count, real *A, real *const *column) {
    for (int j = first; j < first + count; j++) {
        const real inverse = R(1) / A[j * n + j];
        real *unscaled = column[j - first];
        for (int i = j + 1; i < n; i++) {
            unscaled[i] = A[i * n + j];
            A[i * n + j] = unscaled[i] * inverse;
            for (int k = j + 1; k <= i && k < first + count; k++)
                A[i * n + k] -= A[i * n + j] * unscaled[k];
        }
    }
}

KERNEL void dense_factor(int n, real *A, real *const *column) {
    int first = 0;
    for (; first + PANEL <= n; first += PANEL) {
        dense_panel(n, first, PANEL, A, column);
        const real *c0 = column[0], *c1 = column[1], *c2 = column[2], *c3 = column[3];
        for (int i = first + PANEL; i < n; i++) {
            real *row = A + i * n;
            const real l0 = row[first], l1 = row[first + 1], l2 = row[first + 2], l3 = row[first + 3];
            for (int k = first + PANEL; k <= i; k++)
                row[k] = row[k] - l0 * c0[k] - l1 * c1[k] - l2 * c2[k] - l3 * c3[k];
        }
    }
    dense_panel(n, first, n - first, A, column);
}

static void dense(const struct sn__args *args, void *out) {
    const int n = ((const tree *)args->tree)->nv;
    struct work w = work_of(args, 1);
    real *A = w.M, *x = out;
    form_system(args, &w, A, x);
    dense_factor(n, A, w.matrix.column);
    for (int i = 0; i < n; i++) /* L */
        for (int j = 0; j < i; j++)
            x[i] = x[i] - A[i * n + j] * x[j];
    for (int i = 0; i < n; i++)
        x[i] = x[i] / A[i * n + i];  /* D */
    for (int i = n - 1; i >= 0; i--) /* L^T */
        for (int j = 0; j < i; j++)
            x[j] = x[j] - A[i * n + j] * x[i];
}

/* A = L^T D L with L zero where A is: from the leaves to the root no fill-in arises. */
static void sparse(const struct sn__args *args, void *out) {
    const tree *t = args->tree;
    const int n = t->nv, *up = t->dof_parent;
    struct work w = work_of(args, 1);
    real *A = w.M, *x = out;
    form_system(args, &w, A, x);
    for (int k = n - 1; k >= 0; k--) {
        const real inverse = R(1) / A[k * n + k];
        for (int i = up[k]; i >= 0; i = up[i]) {
            const real l = A[k * n + i] * inverse;
            for (int j = i; j >= 0; j = up[j])
                A[i * n + j] = A[i * n + j] - l * A[k * n + j];
            A[k * n + i] = l;
        }
    }
    for (int i = n - 1; i >= 0; i--) /* L^T */
        for (int j = up[i]; j >= 0; j = up[j])
            x[j] = x[j] - A[i * n + j] * x[i];
    for (int i = 0; i < n; i++) { /* D, L */
        x[i] = x[i] / A[i * n + i];
        for (int j = up[i]; j >= 0; j = up[j])
            x[i] = x[i] - A[i * n + j] * x[j];
    }
}

/* y = A x for the lower triangle A with entries only between a degree of freedom and its ancestors. */
KERNEL void tree_multiply(const tree *t, const real *A, const real *x, real *y) {
    const int n = t->nv, *up = t->dof_parent;
    for (int i = 0; i < n; i++) {
        real sum = A[i * n + i] * x[i];
        for (int j = up[i]; j >= 0; j = up[j]) {
            sum = sum + A[i * n + j] * x[j];
            y[j] = y[j] + A[i * n + j] * x[i];
        }
        y[i] = sum;
    }
}

/* Conjugate gradients until the residual has shrunk to rounding or 4 n rounds are over; lanes that are
   done stay. */
static void pcg(const struct sn__args *args, void *out) {
    const tree *t = args->tree;
    const int n = t->nv;
    struct work w = work_of(args, 1);
    real *A = w.M, *x = out, *r = w.matrix.column[0], *p = w.matrix.column[1], *Ap = w.matrix.column[2],
         *inverse = w.matrix.column[3];
    form_system(args, &w, A, r);
    real rz = splat(0);
    for (int i = 0; i < n; i++) {
        x[i] = splat(0);
        inverse[i] = R(1) / A[i * n + i];
        p[i] = inverse[i] * r[i];
        rz = rz + r[i] * p[i];
    }
    const real done_at = (LANE_BITS == 64 ? R(1e-28) : R(1e-13)) * rz;
    mask active = less(done_at, rz);
    for (int round = 0; round < 4 * n && any(active); round++) {
        tree_multiply(t, A, p, Ap);
        real pAp = splat(0);
        for (int i = 0; i < n; i++)
            pAp = pAp + p[i] * Ap[i];
        const real step = choose(active, rz / pAp, splat(0));
        real rz_next = splat(0);
        for (int i = 0; i < n; i++) {
            x[i] = x[i] + step * p[i];
            r[i] = r[i] - step * Ap[i];
            rz_next = rz_next + r[i] * (inverse[i] * r[i]);
        }
        const real beta = choose(active, rz_next / rz, splat(0));
        for (int i = 0; i < n; i++)
            p[i] = choose(active, inverse[i] * r[i] + beta * p[i], p[i]);
        rz = choose(active, rz_next, rz);
        active = active & less(done_at, rz);
    }
    for (int i = 0; i < n; i++)
        x[i] = x[i] + (rz - rz); /* NaN stays NaN: to it, nothing was left to do */
}

#endif
