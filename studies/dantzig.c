/* Dantzig's algorithm for the bounded problem of lcp.h, as Baraff 1994 ("Fast contact force computation for nonpenetrating
 * rigid bodies") has it, which kokkevis-2004 section 6 names beside Lemke's.
 *
 * Rows come in one after the other. Those that are in meet their conditions, and go on to meet them while the impulse of
 * the next one is driven from zero to where its own is met, too. Each row that is in is free (w = 0), or at its lower or
 * upper bound. With f_d driven at rate 1 the others follow at the rates
 *
 *     A_FF df_F = -A_Fd,    df = 0 at constant bounds,    df = +-mu df_n for friction at its bound,    dw = A df
 *
 * until one of these happens first: w_d becomes zero, f_d comes to a bound, a free row comes to a bound, the w of a row
 * at a bound changes its sign. That row changes sides, and the drive goes on. Friction that slides goes with its normal
 * row, whose column then holds its own: A_FF is not symmetric, and there is no proof that it ends, only the experience
 * that it does (Baraff 1994, section 5).
 *
 * A row whose w is zero already and that depends on the free ones is idle: its impulse stays until its w would change. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "studies/lcp.h"

enum state { OUT, IDLE, FREE, LOW, HIGH };
static const double NOISE = 1e-12;    /* a sum over its terms: it should have been zero */
static const double SINGULAR = 1e-13; /* a pivot over the largest value of its column */
static const double SOLVED = 1e-8;    /* a residual over w at f = 0 */

struct dantzig {
    int n, nfree;
    const double *A, *b;
    const struct sn__bound *bound;
    double *f, *w, *df, *dw; /* [n] impulses, velocities, and their rates */
    double *LU, *x;          /* [nfree][nfree], [nfree] */
    double *size;            /* [n] of the terms that dw is made of */
    int *state, *free, *exchange;
    double start; /* the largest |b| */
    int pivots;
    bool failed; /* some row does not meet its condition */
};

size_t sn__dantzig_room(int n) {
    const size_t m = n > 0 ? (size_t)n : 0;
    return m * m + 5 * m + 3 * m;
}

static double element(const struct dantzig *d, int i, int j) {
    return d->A[(size_t)i * (size_t)d->n + (size_t)j];
}

/* ------------------------------------------------------------------------------------------------- bounds */

static double high_of(const struct dantzig *d, const double *f, int i) {
    const struct sn__bound *r = &d->bound[i];
    return r->normal >= 0 ? r->mu * fmax(f[r->normal], 0) : r->hi;
}

static double low_of(const struct dantzig *d, const double *f, int i) {
    const struct sn__bound *r = &d->bound[i];
    return r->normal < 0 ? r->lo : r->one_way ? 0 : -high_of(d, f, i);
}

/* How much friction at its bound moves with its normal row; 0 for all other rows. */
static double slide(const struct dantzig *d, int i) {
    const struct sn__bound *r = &d->bound[i];
    if (r->normal < 0) return 0;
    return d->state[i] == HIGH ? r->mu : d->state[i] == LOW && !r->one_way ? -r->mu : 0;
}

/* ------------------------------------------------------------------------------------------ the free rows */

/* Column j of the free rows at row i: its own, and that of the friction that slides with it. */
static double column(const struct dantzig *d, int i, int j) {
    double a = element(d, i, j);
    for (int t = 0; t < d->n; t++)
        if (d->bound[t].normal == j && slide(d, t) != 0) a += slide(d, t) * element(d, i, t);
    return a;
}

/* A_FF = L U with row exchanges; false when it is singular. */
static bool factor(struct dantzig *d) {
    d->nfree = 0;
    for (int i = 0; i < d->n; i++)
        if (d->state[i] == FREE) d->free[d->nfree++] = i;
    const int m = d->nfree;
    double *M = d->LU;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            M[(size_t)i * m + j] = column(d, d->free[i], d->free[j]);
    for (int k = 0; k < m; k++) {
        int best = k;
        double largest = 0;
        for (int i = 0; i < m; i++) {
            largest = fmax(largest, fabs(element(d, d->free[i], d->free[k])));
            if (i > k && fabs(M[(size_t)i * m + k]) > fabs(M[(size_t)best * m + k])) best = i;
        }
        d->exchange[k] = best;
        if (!(fabs(M[(size_t)best * m + k]) > SINGULAR * largest)) return false;
        for (int j = 0; best != k && j < m; j++) {
            const double x = M[(size_t)k * m + j];
            M[(size_t)k * m + j] = M[(size_t)best * m + j], M[(size_t)best * m + j] = x;
        }
        for (int i = k + 1; i < m; i++) {
            const double l = M[(size_t)i * m + k] /= M[(size_t)k * m + k];
            for (int j = k + 1; l != 0 && j < m; j++)
                M[(size_t)i * m + j] -= l * M[(size_t)k * m + j];
        }
    }
    return true;
}

static void substitute(const struct dantzig *d, double *x) {
    const int m = d->nfree;
    for (int k = 0; k < m; k++) {
        const double y = x[d->exchange[k]];
        x[d->exchange[k]] = x[k], x[k] = y;
    }
    sn__lu_solve(d->LU, m, m, x);
}

/* Friction at its bound, after the rates (or the impulses) of the normal rows are known. */
static void slide_along(const struct dantzig *d, double *f) {
    for (int t = 0; t < d->n; t++)
        if (d->state[t] == LOW || d->state[t] == HIGH)
            if (d->bound[t].normal >= 0) f[t] = slide(d, t) * f[d->bound[t].normal];
}

static void velocities(struct dantzig *d) {
    for (int i = 0; i < d->n; i++) {
        d->w[i] = d->b[i];
        for (int j = 0; j < d->n; j++)
            d->w[i] += element(d, i, j) * d->f[j];
    }
}

/* Rates of all rows while f of `row` moves at rate `sign`. */
static bool rates(struct dantzig *d, int row, double sign) {
    if (!factor(d)) return false;
    memset(d->df, 0, sizeof *d->df * (size_t)d->n);
    d->df[row] = sign;
    for (int i = 0; i < d->nfree; i++)
        d->x[i] = -sign * column(d, d->free[i], row);
    substitute(d, d->x);
    for (int i = 0; i < d->nfree; i++)
        d->df[d->free[i]] = d->x[i];
    slide_along(d, d->df);
    for (int i = 0; i < d->n; i++) {
        d->dw[i] = d->size[i] = 0;
        for (int j = 0; j < d->n; j++) {
            const double a = element(d, i, j) * d->df[j];
            d->dw[i] += a, d->size[i] += fabs(a);
        }
        if (d->state[i] == FREE || fabs(d->dw[i]) <= NOISE * d->size[i]) d->dw[i] = 0;
    }
    return true;
}

/* -------------------------------------------------------------------------------------------------- events */

/* What happens next: after how much of the drive, to which row, and what it becomes. */
struct event {
    double after;
    int row;
    enum state state;
};

static void consider(struct event *e, double room, double rate, int row, enum state state) {
    if (!(rate > 0)) return;
    const double after = fmax(room, 0) / rate;
    if (after < e->after) *e = (struct event){after, row, state};
}

/* A row that moves, or whose bounds do, may come to one. */
static void consider_bounds(const struct dantzig *d, struct event *e, int i) {
    const struct sn__bound *r = &d->bound[i];
    const double high = high_of(d, d->f, i), low = low_of(d, d->f, i);
    const double rise = r->normal >= 0 ? r->mu * d->df[r->normal] : 0, fall = r->one_way ? 0 : -rise;
    if (isfinite(high)) consider(e, high - d->f[i], d->df[i] - rise, i, HIGH);
    if (isfinite(low)) consider(e, d->f[i] - low, fall - d->df[i], i, LOW);
}

static struct event next_event(const struct dantzig *d, int row) {
    struct event e = {(double)INFINITY, -1, OUT};
    if (d->dw[row] != 0) consider(&e, fabs(d->w[row]), d->w[row] < 0 ? d->dw[row] : -d->dw[row], row, FREE);
    consider_bounds(d, &e, row);
    for (int i = 0; i < d->n; i++) {
        const bool fixed = d->bound[i].normal < 0 && d->bound[i].lo == d->bound[i].hi;
        if (i == row || d->state[i] == OUT || fixed) continue;
        if (d->state[i] == FREE || d->state[i] == IDLE) consider_bounds(d, &e, i);
        if (d->state[i] == IDLE && d->dw[i] != 0) consider(&e, 0, 1, i, FREE);
        if (d->state[i] == LOW) consider(&e, d->w[i], -d->dw[i], i, FREE);
        if (d->state[i] == HIGH) consider(&e, -d->w[i], d->dw[i], i, FREE);
    }
    return e;
}

/* -------------------------------------------------------------------------------------------------- driving */

/* Whether a row meets its condition as it stands; if so, its state. */
static bool settle(struct dantzig *d, int i) {
    const double high = high_of(d, d->f, i), low = low_of(d, d->f, i);
    double terms = fabs(d->b[i]);
    for (int j = 0; j < d->n; j++)
        terms += fabs(element(d, i, j) * d->f[j]);
    const bool nothing = fabs(d->w[i]) <= NOISE * terms;
    if (d->f[i] <= low && (nothing || d->w[i] > 0))
        d->state[i] = LOW;
    else if (d->f[i] >= high && (nothing || d->w[i] < 0))
        d->state[i] = HIGH;
    else if (nothing || low == high)
        d->state[i] = low == high ? (d->w[i] < 0 ? HIGH : LOW) : IDLE;
    else
        return false;
    return true;
}

/* Drives a row until its condition is met; false when that does not come to an end. */
static bool drive(struct dantzig *d, int row) {
    const int most = d->pivots + 8 * d->n + 64;
    velocities(d);
    if (settle(d, row)) return true;
    const double sign = d->w[row] < 0 ? 1 : -1;
    while (d->pivots++ < most) {
        if (!rates(d, row, sign)) return false;
        const struct event e = next_event(d, row);
        if (e.row <
            0) { /* no impulse changes it: it is as good as nothing, or the rows contradict each other */
            d->state[row] = IDLE;
            return fabs(d->w[row]) <= SOLVED * d->start;
        }
        for (int i = 0; i < d->n; i++)
            d->f[i] += e.after * d->df[i];
        d->state[e.row] = e.state;
        if (e.state != FREE) d->f[e.row] = e.state == HIGH ? high_of(d, d->f, e.row) : low_of(d, d->f, e.row);
        if (e.row == row) return true;
        velocities(d);
        if (settle(d, row)) return true; /* two things at once */
    }
    return false;
}

/* Once more for what rounding has left of the free rows; then the bounds hold exactly, those by the normals last. */
static void polish(struct dantzig *d) {
    for (int pass = 0; pass < 2 && factor(d); pass++) {
        double most = 0;
        velocities(d);
        for (int i = 0; i < d->nfree; i++) {
            d->x[i] = -d->w[d->free[i]];
            most = fmax(most, fabs(d->x[i]));
        }
        if (most <= NOISE * d->start) break;
        substitute(d, d->x);
        for (int i = 0; i < d->nfree; i++)
            d->f[d->free[i]] += d->x[i];
        slide_along(d, d->f);
    }
    for (int friction = 0; friction < 2; friction++)
        for (int i = 0; i < d->n; i++)
            if ((d->bound[i].normal >= 0) == friction)
                d->f[i] = fmin(fmax(d->f[i], low_of(d, d->f, i)), high_of(d, d->f, i));
}

static void carve(struct dantzig *d, double *work) {
    const size_t n = (size_t)d->n;
    double **const part[] = {&d->w, &d->df, &d->dw, &d->x, &d->size};
    int **const ints[] = {&d->state, &d->free, &d->exchange};
    d->LU = work, work += n * n;
    for (int i = 0; i < 5; i++)
        *part[i] = work, work += n;
    for (int i = 0; i < 3; i++)
        *ints[i] = (int *)work, work += n; /* room for a double each: more than enough */
}

/* Rows of three sorts, in the order in which they come in: bilateral ones, those with bounds of their own, friction. */
static int sort_of(const struct sn__bound *r) {
    return r->normal >= 0 ? 2 : isinf(r->lo) && isinf(r->hi) ? 0 : 1;
}

int sn__lcp_dantzig(int n, const double *A, const double *b, const struct sn__bound *bound, double *f,
                    double *work) {
    struct dantzig d = {.n = n, .A = A, .b = b, .bound = bound, .f = f};
    if (n <= 0) return 0;
    memset(f, 0, sizeof *f * (size_t)n);
    if (!sn__lcp_is_valid(n, A, b, bound)) return -1;
    carve(&d, work);
    for (int i = 0; i < n; i++) {
        d.state[i] = OUT;
        if (bound[i].normal < 0) f[i] = fmin(fmax(0, bound[i].lo), bound[i].hi);
        d.start = fmax(d.start, fabs(b[i]));
    }
    for (int sort = 0; sort < 3; sort++)
        for (int i = 0; i < n; i++)
            if (sort_of(&bound[i]) == sort && !drive(&d, i)) d.failed = true, d.state[i] = IDLE;
    polish(&d);
    for (int i = 0; i < n; i++)
        if (!isfinite(f[i])) d.failed = true, f[i] = 0;
    if (d.failed || !(sn__lcp_residual(n, A, b, bound, false, f) <= SOLVED * d.start)) return -1;
    return d.pivots;
}
