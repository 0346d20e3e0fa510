/* Subspace steps between iterations of projected Gauss-Seidel.
 *
 * Contacts of a stiffly held character depend on each other nearly as those of one rigid body. Gauss-Seidel soon finds
 * which rows are free (not at a bound), and then creeps. A step of Newton's method over the free rows alone ends that:
 *
 *     (A_ff + e 1) df = -w_f,   e a small part of the mean diagonal, repeated with the new w.
 *
 * Friction at its bound goes along with its normal row, in the direction it has: the column of the normal row then
 * holds the column of that friction, too, and the matrix is not symmetric. A step goes only as far as no free row
 * leaves its bounds; there the next step is made without the row that came to its bound. Whether the steps helped is
 * for the next iterations to say (gauss_seidel.c).
 *
 * Friction that sticks at several points of a body that turns is contradictory: points at different heights cannot all
 * stand still. Gauss-Seidel then pushes them against each other, a little more in each iteration, until one slides; a
 * step goes there at once. */
#include <math.h>
#include <string.h>

#include "solve/problem.h"

enum { STEPS = 24, CORRECTIONS = 3 };
static const double REGULAR = 1e-9; /* e, over the mean diagonal */

enum kind { FREE, BOUND, SLIDING };

/* Sliding friction moves `along` times as far as its normal row. */
static enum kind kind_of(const struct sn__problem *p, const double *f, int i, double *along) {
    const struct sn__pgs_row *r = &p->row[i];
    *along = 0;
    if (!(r->d > 0)) return BOUND;
    if (r->normal < 0) return f[i] > r->lo && f[i] < r->hi ? FREE : BOUND;
    const double most = r->mu * f[r->normal];
    if (!(most > 0)) return BOUND;
    double size2 = f[i] * f[i];
    if (r->cone) size2 += f[i + 1] * f[i + 1];
    if (i > 0 && p->row[i - 1].cone) size2 += f[i - 1] * f[i - 1];
    if (size2 < most * most * (1 - 1e-9)) return r->one_way && f[i] <= 0 ? BOUND : FREE;
    *along = f[i] / f[r->normal];
    return SLIDING;
}

/* A = L U with row exchanges, in place; false when a pivot vanishes. */
static bool factor(double *A, int n, int *exchange) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
        exchange[k] = best;
        if (!(fabs(A[best * n + k]) > 0)) return false;
        for (int j = 0; best != k && j < n; j++) {
            const double x = A[k * n + j];
            A[k * n + j] = A[best * n + j], A[best * n + j] = x;
        }
        for (int i = k + 1; i < n; i++) {
            const double l = A[i * n + k] / A[k * n + k];
            A[i * n + k] = l;
            for (int j = k + 1; l != 0 && j < n; j++)
                A[i * n + j] -= l * A[k * n + j];
        }
    }
    return true;
}

static void substitute(const double *A, int n, const int *exchange, double *x) {
    for (int k = 0; k < n; k++) {
        const double y = x[exchange[k]];
        x[exchange[k]] = x[k], x[k] = y;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            x[i] -= A[i * n + k] * x[k];
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            x[i] -= A[i * n + k] * x[k];
        x[i] /= A[i * n + i];
    }
}

/* The smallest x > 0 with a x^2 + 2 b x + c = 0, for c < 0; infinity when there is none. */
static double first_root(double a, double b, double c) {
    const double under = b * b - a * c;
    if (!(under >= 0)) return (double)INFINITY;
    const double q = b > 0 ? -(b + sqrt(under)) : -(b - sqrt(under));
    const double r = q != 0 ? c / q : (double)INFINITY, s = a != 0 ? q / a : (double)INFINITY;
    const double first = r > 0 ? r : (double)INFINITY;
    return s > 0 && s < first ? s : first;
}

/* The part s of the step x after which friction row i, alone or with the other of its cone, slides:
   |f_t + s x_t| = mu (f_n + s x_n). */
static double until_it_slides(const struct sn__problem *p, const double *f, const double *x, int i) {
    const struct sn__pgs_row *r = &p->row[i];
    const double mu2 = r->mu * r->mu, fn = f[r->normal], xn = x[r->normal];
    double a = x[i] * x[i] - mu2 * xn * xn, b = f[i] * x[i] - mu2 * fn * xn, c = f[i] * f[i] - mu2 * fn * fn;
    if (r->cone) {
        a += x[i + 1] * x[i + 1];
        b += f[i + 1] * x[i + 1];
        c += f[i + 1] * f[i + 1];
    }
    return c < 0 ? first_root(a, b, c) : 0;
}

/* The largest part of the step x that keeps every free row within its bounds. */
static double part_within(const struct sn__problem *p, const double *f, const enum kind *kind,
                          const double *x) {
    double part = 1;
    for (int i = 0; i < p->n; i++) {
        const struct sn__pgs_row *r = &p->row[i];
        if (kind[i] != FREE) continue;
        if (r->normal >= 0) {
            if (i > 0 && p->row[i - 1].cone) continue; /* done with the row before */
            part = fmin(part, until_it_slides(p, f, x, i));
            if (r->one_way && f[i] + part * x[i] < 0) part = -f[i] / x[i];
            continue;
        }
        if (f[i] + part * x[i] < r->lo) part = (r->lo - f[i]) / x[i];
        if (f[i] + part * x[i] > r->hi) part = (r->hi - f[i]) / x[i];
    }
    return part > 0 ? part : 0;
}

/* Whether the step leaves every impulse below what changes a row's velocity by `most`. */
static bool stays_sound(const struct sn__problem *p, const double *f, const double *x, double part,
                        double most) {
    for (int i = 0; i < p->n; i++)
        if (!(fabs(f[i] + part * x[i]) * p->row[i].d <= most)) return false;
    return true;
}

/* w_i at f. */
static double velocity_of(const struct sn__problem *p, const double *f, int i) {
    double v = p->row[i].b;
    for (int j = 0; j < p->n; j++)
        if (f[j] != 0) v += sn__problem_coupling(p, i, j) * f[j];
    return v;
}

/* Entry i of the column of free row j: its own, and that of the friction that slides with it. */
static double column_of(const struct sn__problem *p, const enum kind *kind, const double *along, int i,
                        int j) {
    double a = sn__problem_coupling(p, i, j);
    for (int t = j + 1; t < p->n && p->row[t].normal == j; t++)
        if (kind[t] == SLIDING) a += along[t] * sn__problem_coupling(p, i, t);
    return a;
}

/* One step; which part of it was made, 0: none. */
static double step(struct sn__problem *p, double *f, double most) {
    int list[SN__SUBSPACE_ROWS], exchange[SN__SUBSPACE_ROWS], n = 0;
    double x[SN__SUBSPACE_ROWS], y[SN__SUBSPACE_ROWS], along[SN__SUBSPACE_ROWS], *A = p->room->subspace,
                                                                                 trace = 0, part = 0;
    enum kind kind[SN__SUBSPACE_ROWS];
    for (int i = 0; i < p->n; i++) {
        kind[i] = kind_of(p, f, i, &along[i]);
        if (kind[i] == FREE) list[n++] = i;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i * n + j] = column_of(p, kind, along, list[i], list[j]);
    for (int i = 0; i < n; i++)
        trace += p->row[list[i]].d;
    for (int i = 0; i < n; i++)
        A[i * n + i] += REGULAR * trace / n;
    if (n < 2 || !factor(A, n, exchange)) return 0;
    for (int pass = 0; pass < CORRECTIONS; pass++) { /* again for what e has left */
        for (int k = 0; k < n; k++)
            y[k] = -velocity_of(p, f, list[k]);
        substitute(A, n, exchange, y);
        memset(x, 0, sizeof x);
        for (int k = 0; k < n; k++)
            x[list[k]] = y[k];
        for (int i = 0; i < p->n; i++)
            if (kind[i] == SLIDING) x[i] = along[i] * x[p->row[i].normal];
        part = part_within(p, f, kind, x);
        if (!stays_sound(p, f, x, part, most)) return 0; /* the rows contradict each other */
        for (int i = 0; i < p->n; i++)
            f[i] += part * x[i];
        if (part < 1) break;
    }
    return part;
}

void sn__problem_subspace(struct sn__problem *p, double *f, double most) {
    if (p->n > SN__SUBSPACE_ROWS) return;
    for (int round = 0; round < STEPS; round++) {
        const double part = step(p, f, most);
        if (part == 0 || part == 1) return;
    }
}
