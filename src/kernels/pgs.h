/* Projected Gauss-Seidel for bounded complementarity problems (kokkevis-2004 section 6):
 *
 *     w = b + K f + soft f,   lo <= f <= hi,   w >= 0 at lo,  w <= 0 at hi,  w = 0 between
 *
 * K is known in blocks, one a character: a row touches one or two of them, and a change of its impulse moves only
 * the rows that share a character with it. Lanes here hold neighbouring rows of a block. Bounds of friction follow
 * the impulse of the contact's normal row. */
#ifndef SINEW_KERNELS_PGS_H
#define SINEW_KERNELS_PGS_H

#include "kernels/vec.h"
#include "kernels/table.h"

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

/* One row, or the two friction rows of a cone at once. Returns the largest |change| d. */
KERNEL double pgs_relax(struct sn__pgs *p, int i) {
    const struct sn__pgs_row *r = &p->row[i];
    double *f = p->f;
    if (r->cone) {
        const struct sn__pgs_row *q = r + 1;
        const double d = r->d > q->d ? r->d : q->d, most = p->hold ? r->most : r->mu * f[r->normal];
        if (!(d > 0)) return 0;
        double x = f[i] - pgs_velocity(p, r, f[i]) / d, y = f[i + 1] - pgs_velocity(p, q, f[i + 1]) / d;
        const double length2 = x * x + y * y;
        if (length2 > most * most) {
            const double s = most / __builtin_sqrt(length2);
            x *= s, y *= s;
        }
        const double dx = x - f[i], dy = y - f[i + 1];
        f[i] = x, f[i + 1] = y;
        if (dx != 0) pgs_change(p, r, dx);
        if (dy != 0) pgs_change(p, q, dy);
        const double cx = __builtin_fabs(dx), cy = __builtin_fabs(dy);
        return (cx > cy ? cx : cy) * d;
    }
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
    int n = 0;
    p->residual = 0;
    do {
        double worst = 0;
        for (int i = 0; i < p->n; i += p->row[i].cone ? 2 : 1) {
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
