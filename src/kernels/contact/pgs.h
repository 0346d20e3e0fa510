/* Projected Gauss-Seidel for bounded complementarity problems (kokkevis-2004 section 6):
 *
 *     w = b + K f + soft f,   lo <= f <= hi,   w >= 0 at lo,  w <= 0 at hi,  w = 0 between
 *
 * K is known in blocks, one a character: a row touches one or two of them, and a change of its impulse moves only
 * the rows that share a character with it. Lanes here hold neighbouring rows of a block. Bounds of friction follow
 * the impulse of the contact's normal row. Rows that are bounded together, the two of a friction cone or the three of a
 * ball's torque, are solved together. */
#ifndef SINEW_KERNELS_CONTACT_PGS_H
#define SINEW_KERNELS_CONTACT_PGS_H

#include "kernels/tree/vec.h"
#include "kernels/args.h"

#if LANE_BITS == 64

/* v += K[index] df. */
KERNEL void pgs_push(const struct sn__pgs_block *b, int index, double df) {
    const real *K = (const real *)(b->K + (size_t)index * (size_t)b->stride);
    real *v = (real *)b->v;
    for (int j = 0; j < b->stride / LANE_WIDTH; j++)
        v[j] = v[j] + K[j] * df;
}

KERNEL double pgs_velocity(const struct sn__pgs *p, const struct sn__pgs_row *r, double f) {
    double w = r->b + r->soft * f;
    for (int s = 0; s < 2; s++)
        if (r->side[s].block >= 0) w += p->block[r->side[s].block].v[r->side[s].index];
    return w;
}

KERNEL void pgs_change(const struct sn__pgs *p, const struct sn__pgs_row *r, double df) {
    for (int s = 0; s < 2; s++)
        if (r->side[s].block >= 0) pgs_push(&p->block[r->side[s].block], r->side[s].index, df);
}

/* What a row's own impulse does to it. */
KERNEL double pgs_diagonal(const struct sn__pgs *p, const struct sn__pgs_row *r) {
    double d = r->soft;
    for (int s = 0; s < 2; s++)
        for (int z = 0; z < 2; z++) {
            if (r->side[s].block < 0 || r->side[s].block != r->side[z].block) continue;
            const struct sn__pgs_block *b = &p->block[r->side[s].block];
            d += b->K[(size_t)r->side[s].index * (size_t)b->stride + (size_t)r->side[z].index];
        }
    return d;
}

KERNEL double pgs_clamp(double x, double lo, double hi) {
    return x < lo ? lo : x > hi ? hi : x;
}

/* A_ij of two rows. */
KERNEL double pgs_coupling(const struct sn__pgs *p, const struct sn__pgs_row *r,
                           const struct sn__pgs_row *q) {
    double a = 0;
    for (int s = 0; s < 2; s++)
        for (int z = 0; z < 2; z++) {
            if (r->side[s].block < 0 || r->side[s].block != q->side[z].block) continue;
            const struct sn__pgs_block *b = &p->block[r->side[s].block];
            a += b->K[(size_t)r->side[s].index * (size_t)b->stride + (size_t)q->side[z].index];
        }
    return a;
}

/* The couplings inside a group of rows that are bounded together. */
KERNEL void pgs_prepare_group(const struct sn__pgs *p, int i) {
    struct sn__pgs_row *r = &p->row[i];
    for (int k = 0; k < r->cone; k++)
        for (int j = k + 1; j <= r->cone; j++)
            r[k].off[j - k - 1] = pgs_coupling(p, r + k, r + j);
}

/* x[0 .. n] -= B^-1 w, B the symmetric matrix of the group, n = 2 or 3; false when it is singular. */
KERNEL bool pgs_solve_group(const struct sn__pgs_row *r, int n, const double *w, double *x) {
    const double a = r[0].d, b = r[0].off[0], d = r[1].d, minor = a * d - b * b;
    if (!(minor > 1e-9 * a * d)) return false;
    if (n == 2) {
        x[0] -= (d * w[0] - b * w[1]) / minor;
        x[1] -= (a * w[1] - b * w[0]) / minor;
        return true;
    }
    const double c = r[0].off[1], e = r[1].off[0], f = r[2].d;
    const double X = d * f - e * e, Y = c * e - b * f, Z = b * e - c * d, det = a * X + b * Y + c * Z;
    if (!(det > 1e-9 * minor * f)) return false;
    x[0] -= (X * w[0] + Y * w[1] + Z * w[2]) / det;
    x[1] -= (Y * w[0] + (a * f - c * c) * w[1] + (b * c - a * e) * w[2]) / det;
    x[2] -= (Z * w[0] + (b * c - a * e) * w[1] + minor * w[2]) / det;
    return true;
}

/* No smaller than the largest eigenvalue of the group's matrix. */
KERNEL double pgs_group_bound(const struct sn__pgs_row *r, int n) {
    double most = 0;
    for (int k = 0; k < n; k++) {
        double sum = r[k].d;
        for (int j = 0; j < n; j++)
            if (j != k) sum += __builtin_fabs(j > k ? r[k].off[j - k - 1] : r[j].off[k - j - 1]);
        most = sum > most ? sum : most;
    }
    return most;
}

/* Rows that are bounded together: where their own solution lies within the bound it is taken, else a step down the slope,
   drawn back onto the bound. Returns the largest |change| d. */
KERNEL double pgs_relax_group(struct sn__pgs *p, int i) {
    const struct sn__pgs_row *r = &p->row[i];
    const int n = r->cone + 1;
    double *f = p->f + i, w[3], x[3], length2 = 0, worst = 0;
    const double most = r->normal < 0 ? r->hi : p->hold ? r->most : r->mu * p->f[r->normal];
    for (int k = 0; k < n; k++) {
        if (!(r[k].d > 0)) return 0;
        w[k] = pgs_velocity(p, r + k, f[k]), x[k] = f[k];
    }
    const bool solved = pgs_solve_group(r, n, w, x);
    for (int k = 0; k < n; k++)
        length2 += (x[k] - r[k].middle) * (x[k] - r[k].middle);
    if (!solved || length2 > most * most) {
        const double d = pgs_group_bound(r, n);
        length2 = 0;
        for (int k = 0; k < n; k++) {
            x[k] = f[k] - w[k] / d - r[k].middle;
            length2 += x[k] * x[k];
        }
        const double s = length2 > most * most ? most / __builtin_sqrt(length2) : 1;
        for (int k = 0; k < n; k++)
            x[k] = r[k].middle + s * x[k];
    }
    for (int k = 0; k < n; k++) {
        const double dx = x[k] - f[k], change = __builtin_fabs(dx) * r[k].d;
        f[k] = x[k];
        if (dx != 0) pgs_change(p, r + k, dx);
        worst = change > worst ? change : worst;
    }
    return worst;
}

/* One row, or those of a cone at once. Returns the largest |change| d. */
KERNEL double pgs_relax(struct sn__pgs *p, int i) {
    const struct sn__pgs_row *r = &p->row[i];
    double *f = p->f;
    if (r->cone) return pgs_relax_group(p, i);
    if (!(r->d > 0)) return 0;
    double lo = r->lo, hi = r->hi;
    if (r->normal >= 0) {
        hi = p->hold ? r->most : r->mu * f[r->normal];
        lo = r->one_way ? 0 : -hi;
    }
    const double x = pgs_clamp(f[i] - pgs_velocity(p, r, f[i]) / r->d, lo, hi), dx = x - f[i];
    f[i] = x;
    if (dx != 0) pgs_change(p, r, dx);
    return __builtin_fabs(dx) * r->d;
}

static int pgs(struct sn__pgs *p) {
    for (int i = 0; i < p->nblock; i++)
        for (int j = 0; j < p->block[i].stride; j++)
            p->block[i].v[j] = 0;
    for (int i = 0; i < p->n; i++) {
        p->row[i].d = pgs_diagonal(p, &p->row[i]);
        if (p->row[i].normal >= 0) p->row[i].most = p->row[i].mu * p->f[p->row[i].normal];
        if (p->f[i] != 0) pgs_change(p, &p->row[i], p->f[i]);
    }
    for (int i = 0; i < p->n; i++)
        if (p->row[i].cone) pgs_prepare_group(p, i);
    int n = 0;
    p->residual = 0;
    do {
        double worst = 0;
        for (int i = 0; i < p->n; i += p->row[i].cone + 1) {
            const double change = pgs_relax(p, i);
            worst = change > worst ? change : worst;
        }
        p->residual = worst;
        n++;
    } while (p->residual > p->tolerance && n < p->iterations);
    return n;
}

#endif
#endif
