/* Full coordinates, dense: all bodies and all joints in one matrix, for comparison. O(n^3), partial pivoting.
 *
 *     [ M + U K U^T   -J^T ] [ a ]   [ f + U (Q + K c) ]
 *     [ -J             0   ] [ l ] = [ -gamma          ] */
#ifndef SINEW_STUDIES_KERNELS_FULL_KKT_H
#define SINEW_STUDIES_KERNELS_FULL_KKT_H

#include "studies/kernels/full.h"

/* Rows of a joint in the columns of both bodies. */
struct kkt_row {
    int at[2];           /* where the columns of child and parent begin; -1: there is none */
    const real *part[2]; /* [6] */
};

static struct kkt_row kkt_row(const struct full *f, int i, int k) {
    const int parent = f->body[i].tree->parent;
    return (struct kkt_row){{FULL_N * i, parent < 0 ? -1 : FULL_N * parent},
                            {f->rows[i].child[k], f->rows[i].parent[k]}};
}

/* Puts a joint into the matrix of n rows and n + 1 columns: its drive into the bodies, and its hard rows from `row` on. */
static void kkt_put_joint(const struct full *f, int i, int n, int row, real *A) {
    const struct full_body *b = &f->body[i];
    const int wide = n + 1;
    for (int k = 0; k < b->hard + b->tree->nv; k++) {
        const struct kkt_row r = kkt_row(f, i, k);
        const int u = k - b->hard;
        for (int x = 0; x < 2 * FULL_N; x++) {
            const int side = x / FULL_N, at = r.at[side] + x % FULL_N;
            if (r.at[side] < 0) continue;
            const real value = r.part[side][x % FULL_N];
            if (u < 0) {
                A[at * wide + row + k] = A[(row + k) * wide + at] = -value;
                continue;
            }
            for (int y = 0; y < 2 * FULL_N; y++)
                if (r.at[y / FULL_N] >= 0)
                    A[at * wide + r.at[y / FULL_N] + y % FULL_N] +=
                        value * b->K[u] * r.part[y / FULL_N][y % FULL_N];
            A[at * wide + n] += value * f->rows[i].torque[u];
        }
        if (u < 0) A[(row + k) * wide + n] = -f->rows[i].gamma[k];
    }
}

/* Solves in place; the solution comes into the last column. False: singular. */
static bool kkt_eliminate(int n, real *A) {
    const int wide = n + 1;
    for (int j = 0; j < n; j++) {
        int best = j;
        for (int i = j + 1; i < n; i++)
            if (absolute(A[i * wide + j]) > absolute(A[best * wide + j])) best = i;
        if (!(absolute(A[best * wide + j]) > R(0))) return false;
        for (int k = j; k < wide && best != j; k++) {
            const real x = A[j * wide + k];
            A[j * wide + k] = A[best * wide + k];
            A[best * wide + k] = x;
        }
        const real inverse = R(1) / A[j * wide + j];
        for (int i = j + 1; i < n; i++) {
            const real s = A[i * wide + j] * inverse;
            if (s == R(0)) continue;
            for (int k = j; k < wide; k++)
                A[i * wide + k] -= s * A[j * wide + k];
        }
    }
    for (int j = n - 1; j >= 0; j--) {
        real x = A[j * wide + n];
        for (int k = j + 1; k < n; k++)
            x -= A[j * wide + k] * A[k * wide + n];
        A[j * wide + n] = x / A[j * wide + j];
    }
    return true;
}

static bool full_kkt(struct full *f) {
    int n = FULL_N * f->nbody;
    for (int i = 0; i < f->nbody; i++)
        n += f->body[i].hard;
    const int wide = n + 1;
    real *A = f->dense;
    for (int k = 0; k < n * wide; k++)
        A[k] = R(0);
    for (int i = 0, row = FULL_N * f->nbody; i < f->nbody; row += f->body[i++].hard) {
        struct full_factor *own = &f->factor[i];
        full_make_rows(f, i);
        full_put_body(f, i, own);
        for (int k = 0; k < FULL_N; k++) {
            for (int l = 0; l < FULL_N; l++)
                A[(FULL_N * i + k) * wide + FULL_N * i + l] += own->A[k][l];
            A[(FULL_N * i + k) * wide + n] += own->f[k];
        }
        kkt_put_joint(f, i, n, row, A);
    }
    if (!kkt_eliminate(n, A)) return false;
    for (int i = 0, row = FULL_N * f->nbody; i < f->nbody; i++) {
        const int parent = f->body[i].tree->parent;
        for (int k = 0; k < FULL_N; k++)
            f->factor[i].a[k] = A[(FULL_N * i + k) * wide + n];
        for (int k = 0; k < f->body[i].hard; k++)
            f->joint[i].force[k] = A[row++ * wide + n];
        full_found(f, i, f->factor[i].a, parent < 0 ? 0 : f->factor[parent].a);
    }
    return true;
}

#endif
