#include "lcp_helpers.h"

#include <stdlib.h>

double between(double low, double high) {
    return low + (high - low) * (noise() + 1) / 2;
}

int solve_direct(const struct problem *p, double *f) {
    double *work =
        malloc(sn__lcp_room(p->n) * sizeof *work); /* exactly what is asked for: a sanitizer sees more */
    const int pivots = sn__lcp_direct(p->n, p->A, p->b, p->bound, f, work);
    free(work);
    for (int i = 0; i < p->n; i++)
        assert_true(isfinite(f[i]));
    return pivots;
}

int solve_dantzig(const struct problem *p, double *f) {
    double *work = malloc((sn__dantzig_room(p->n) + 1) * sizeof *work);
    const int pivots = sn__lcp_dantzig(p->n, p->A, p->b, p->bound, f, work);
    free(work);
    for (int i = 0; i < p->n; i++)
        assert_true(isfinite(f[i]));
    return pivots;
}

int solve_lemke(int n, const double *M, const double *q, double *z) {
    double *work = malloc((sn__lemke_room(n) + 1) * sizeof *work);
    const int pivots = sn__lemke(n, M, q, z, work);
    free(work);
    for (int i = 0; i < n; i++)
        assert_true(isfinite(z[i]) && z[i] >= 0);
    return pivots;
}

void row_velocities(const struct problem *p, const double *f, double *w) {
    for (int i = 0; i < p->n; i++) {
        w[i] = p->b[i];
        for (int j = 0; j < p->n; j++)
            w[i] += p->A[i * p->n + j] * f[j];
    }
}

void row_limits(const struct problem *p, const double *f, int i, double *lo, double *hi) {
    const struct sn__bound *r = &p->bound[i];
    *lo = r->lo, *hi = r->hi;
    if (r->normal < 0) return;
    *hi = r->mu * f[r->normal];
    *lo = r->one_way ? 0 : -*hi;
}

double largest(const double *a, int n) {
    double m = 0;
    for (int i = 0; i < n; i++)
        m = fmax(m, fabs(a[i]));
    return m;
}

void assert_solution(const struct problem *p, const double *f, double tolerance) {
    double w[MAX];
    const double small_f = tolerance * (1 + largest(f, p->n)),
                 small_w = tolerance * (1 + largest(p->b, p->n));
    row_velocities(p, f, w);
    for (int i = 0; i < p->n; i++) {
        double lo, hi;
        row_limits(p, f, i, &lo, &hi);
        assert_true(f[i] >= lo && f[i] <= hi); /* bounds hold exactly */
        const bool at_lo = f[i] <= lo + small_f, at_hi = f[i] >= hi - small_f;
        if (w[i] > small_w && !at_lo) fail_msg("row %d of %d: f %g above %g, w %g", i, p->n, f[i], lo, w[i]);
        if (w[i] < -small_w && !at_hi) fail_msg("row %d of %d: f %g below %g, w %g", i, p->n, f[i], hi, w[i]);
    }
}

void assert_solved(const struct problem *p, double *f, double tolerance) {
    const int pivots = solve_direct(p, f);
    if (pivots < 0) fail_msg("%d rows: not solved", p->n);
    assert_solution(p, f, tolerance);
    for (int i = 0; i < p->n && pivots == 0;
         i++) { /* nothing to do: all but bilateral rows as near zero as can be */
        double lo, hi;
        row_limits(p, f, i, &lo, &hi);
        if (isfinite(lo) || isfinite(hi)) assert_true(f[i] == fmin(fmax(0, lo), hi));
    }
}

void positive_definite(struct problem *p, int n) {
    double R[MAX * MAX];
    p->n = n;
    for (int i = 0; i < n * n; i++)
        R[i] = noise();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = i == j ? 0.2 * n : 0;
            for (int k = 0; k < n; k++)
                sum += R[i * n + k] * R[j * n + k];
            p->A[i * n + j] = sum;
        }
    for (int i = 0; i < n; i++)
        p->b[i] = 3 * noise();
}

void random_bounds(struct problem *p, int kind) {
    for (int i = 0; i < p->n; i++) {
        const int k = kind < 4 ? kind : (int)between(0, 5);
        const double at = 0.3 * noise();
        p->bound[i] = bilateral;
        if (k == 0) p->bound[i].lo = kind < 4 ? 0 : at;
        if (k == 1) p->bound[i].lo = at - 0.2 * fabs(noise()), p->bound[i].hi = at + 0.2 * fabs(noise());
        if (k == 3) p->bound[i].hi = at;
        if (k == 4) p->bound[i].lo = p->bound[i].hi = at;
    }
}

/* Gaussian elimination of m equations in place. */
static bool eliminate(double *M, double *x, int m) {
    for (int k = 0; k < m; k++) {
        int at = k;
        for (int i = k + 1; i < m; i++)
            if (fabs(M[i * m + k]) > fabs(M[at * m + k])) at = i;
        if (M[at * m + k] == 0) return false;
        for (int j = 0; j < m; j++) {
            const double t = M[k * m + j];
            M[k * m + j] = M[at * m + j], M[at * m + j] = t;
        }
        const double t = x[k];
        x[k] = x[at], x[at] = t;
        for (int i = 0; i < m; i++) {
            if (i == k) continue;
            const double a = M[i * m + k] / M[k * m + k];
            for (int j = k; j < m; j++)
                M[i * m + j] -= a * M[k * m + j];
            x[i] -= a * x[k];
        }
    }
    for (int k = 0; k < m; k++)
        x[k] /= M[k * m + k];
    return true;
}

bool solve_by_enumeration(const struct problem *p, double *f) {
    const int n = p->n;
    int count = 1;
    for (int i = 0; i < n; i++)
        count *= 3;
    for (int code = 0; code < count; code++) {
        double M[64] = {0}, x[8] = {0}, w[MAX];
        bool fits = true;
        for (int i = 0, c = code; i < n; i++, c /= 3) {
            const double at = c % 3 == 1 ? p->bound[i].lo : p->bound[i].hi;
            fits = fits && (c % 3 == 0 || isfinite(at));
            for (int j = 0; j < n; j++)
                M[i * n + j] = c % 3 ? i == j : p->A[i * n + j];
            x[i] = c % 3 ? at : -p->b[i];
        }
        if (!fits || !eliminate(M, x, n)) continue;
        row_velocities(p, x, w);
        for (int i = 0, c = code; i < n; i++, c /= 3) {
            const bool fixed = p->bound[i].lo == p->bound[i].hi;
            fits = fits && x[i] >= p->bound[i].lo - 1e-12 && x[i] <= p->bound[i].hi + 1e-12;
            fits = fits && (fixed || c % 3 != 1 || w[i] >= -1e-12) && (fixed || c % 3 != 2 || w[i] <= 1e-12);
        }
        if (fits) memcpy(f, x, (size_t)n * sizeof *f);
        if (fits) return true;
    }
    return false;
}

bool solve_by_iteration(const struct problem *p, double *f) {
    memset(f, 0, (size_t)p->n * sizeof *f);
    for (int sweep = 0; sweep < 20000; sweep++) {
        double moved = 0;
        for (int i = 0; i < p->n; i++) {
            double w = p->b[i], lo, hi;
            for (int j = 0; j < p->n; j++)
                w += p->A[i * p->n + j] * f[j];
            row_limits(p, f, i, &lo, &hi);
            const double next = fmin(fmax(f[i] - w / p->A[i * p->n + i], lo), hi);
            moved = fmax(moved, fabs(next - f[i]));
            f[i] = next;
        }
        if (moved < 1e-13) return true;
    }
    return false;
}
