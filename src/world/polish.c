/* Subspace steps between sweeps of projected Gauss-Seidel.
 *
 * Contacts of a stiffly held character depend on each other nearly as those of one rigid body: Gauss-Seidel finds
 * soon which rows are free (not at a bound), and then creeps. A step of Newton's method over the free rows alone,
 *
 *     (A_ff + e 1) df = -w_f,   e a trace's part, repeated with the new w,
 *
 * ends that. It goes only as far as no free row leaves its bounds; sliding friction is held while it goes. Both lower
 * the same energy f A f / 2 + b f, so that neither undoes the other. */
#include <math.h>
#include <string.h>

#include "world/world.h"

/* Rows inside their bounds: bilateral, pushing, sticking. */
static int free_rows(const sn_world *w, const double *f, int *list) {
    int n = 0;
    for (int i = 0; i < w->nrow; i++) {
        const struct sn__pgs_row *r = &w->row[i];
        bool inside = f[i] > r->lo && f[i] < r->hi;
        if (r->normal >= 0) {
            const double most = r->mu * f[r->normal];
            inside = r->one_way ? f[i] > 0 && f[i] < most : fabs(f[i]) < most;
            const bool first = r->cone, second = i > 0 && w->row[i - 1].cone;
            if (first) inside = f[i] * f[i] + f[i + 1] * f[i + 1] < most * most * (1 - 1e-12);
            if (second) inside = f[i] * f[i] + f[i - 1] * f[i - 1] < most * most * (1 - 1e-12);
        }
        if (inside && r->d > 0) list[n++] = i;
    }
    return n;
}

/* A = L L^T in place, lower triangle; false when a pivot is not positive. */
static bool factor(double *A, int n) {
    for (int j = 0; j < n; j++) {
        double *row = A + (size_t)j * (size_t)n, d = row[j];
        for (int k = 0; k < j; k++)
            d -= row[k] * row[k];
        if (!(d > 0)) return false;
        d = sqrt(d);
        row[j] = d;
        for (int i = j + 1; i < n; i++) {
            double *other = A + (size_t)i * (size_t)n, s = other[j];
            for (int k = 0; k < j; k++)
                s -= other[k] * row[k];
            other[j] = s / d;
        }
    }
    return true;
}

static void back_substitute(const double *L, int n, double *x) {
    for (int i = 0; i < n; i++) {
        const double *row = L + (size_t)i * (size_t)n;
        for (int k = 0; k < i; k++)
            x[i] -= row[k] * x[k];
        x[i] /= row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] /= L[(size_t)i * (size_t)n + (size_t)i];
        for (int k = 0; k < i; k++)
            x[k] -= L[(size_t)i * (size_t)n + (size_t)k] * x[i];
    }
}

/* The largest part of the step that keeps every free row within its bounds. */
static double part_within(const sn_world *w, const double *f, int n, const int *list, const double *x) {
    double part = 1;
    for (int k = 0; k < n; k++) {
        const int i = list[k];
        const struct sn__pgs_row *r = &w->row[i];
        if (r->normal >= 0) continue; /* friction is cut back by the next sweep */
        if (f[i] + part * x[k] < r->lo) part = (r->lo - f[i]) / x[k];
        if (f[i] + part * x[k] > r->hi) part = (r->hi - f[i]) / x[k];
    }
    return part > 0 ? part : 0;
}

/* w of a row at f, from scratch: the blocks' velocities are PGS's own. */
static double velocity_of(const sn_world *w, const double *f, int i) {
    double v = w->row[i].b;
    for (int j = 0; j < w->nrow; j++)
        if (f[j] != 0) v += sn__world_coupling(w, i, j) * f[j];
    return v;
}

/* Whether the step leaves every impulse below what changes a row's velocity by `most`. */
static bool stays_sound(const sn_world *w, const double *f, int n, const int *list, const double *x,
                        double most) {
    for (int k = 0; k < n; k++)
        if (!(fabs(f[list[k]] + x[k]) * w->row[list[k]].d <= most)) return false;
    return true;
}

void sn__world_polish(sn_world *w, double *f, double most) {
    int list[SN__POLISH_ROWS];
    double x[SN__POLISH_ROWS];
    if (w->nrow > SN__POLISH_ROWS) return;
    const int n = free_rows(w, f, list);
    double *A = w->polish, trace = 0;
    if (n < 2) return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            A[(size_t)i * (size_t)n + (size_t)j] = sn__world_coupling(w, list[i], list[j]);
    for (int i = 0; i < n; i++)
        trace += A[(size_t)i * (size_t)n + (size_t)i];
    for (int i = 0; i < n; i++)
        A[(size_t)i * (size_t)n + (size_t)i] += 1e-9 * trace / n;
    if (!factor(A, n)) return;
    for (int pass = 0; pass < 3; pass++) {
        for (int k = 0; k < n; k++)
            x[k] = -velocity_of(w, f, list[k]);
        back_substitute(A, n, x);
        if (!stays_sound(w, f, n, list, x, most)) return; /* contradictory rows */
        const double part = part_within(w, f, n, list, x);
        for (int k = 0; k < n; k++)
            f[list[k]] += part * x[k];
        if (part < 1) return;
    }
}
