/* The bounded problem of lcp.h made into a standard one and solved by Lemke's algorithm.
 *
 * Rows are of three sorts. Fixed rows (lo = hi, or friction without a coefficient) move into b. Bilateral rows B are
 * eliminated by a generalised inverse G of A_BB, which leaves the others U with
 *
 *     w_U = S f_U + s,   S = A_UU - A_UB G A_BU,   s = b_U - A_UB G b_B,   f_B = -G (b_B + A_BU f_U).
 *
 * Each row of U then has one or two unknowns z >= 0 with f = base + sum of sign z, and one more, lambda, where z is
 * bounded from above (kokkevis-2004 eq. 19-21, where the bound is mu f_n and c = 1):
 *
 *     sign w + c lambda >= 0  complementary to  z >= 0,      bound - sum of c z >= 0  complementary to  lambda >= 0.
 *
 * base is the allowed value nearest to zero, so that bounds far away cost no digits. Where f may have either sign there
 * are two z, which share lambda: friction |f| <= mu f_n, and lo <= f <= hi with c = bound / hi and bound / -lo (when
 * lambda > 0 only one of the two is not zero, and it is at its bound). With A positive semi-definite the matrix of
 * all this is copositive, the case in which Lemke's algorithm finds a solution where there is one. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "studies/lcp.h"

enum { ITERATIONS = 500, REFINEMENTS = 2 };
static const double RANK_TOLERANCE = 1e-12;    /* a pivot of A_BB over the diagonal it began as */
static const double NOISE = 1e-12;             /* a difference over its terms: it should have been zero */
static const double SOLUTION_TOLERANCE = 1e-8; /* a residual over w at f = 0 */
static const double ROUND_OFF = 1e-12;         /* a residual over the terms of w */

enum sort { FIXED, BILATERAL, BOUNDED };

struct direct {
    int n, nB, nU, nz;
    const double *A, *b;
    double *f, *other;  /* [n] the answer; that of Gauss-Seidel */
    int *sort, *place;  /* [n] sort of a row; where it stands in B or U */
    int *B, *U;         /* rows [nB], [nU] */
    double *c;          /* [n] b with the impulses of the fixed rows in it */
    double *lo, *hi;    /* [n] bounds; infinite on the sides that follow a moving normal */
    double *mu;         /* [n] */
    int *normal;        /* [n] the row whose moving impulse is the bound, or -1 */
    double *G, *X, *x;  /* [nB][nB], G A_BU [nB][nU], G b_B [nB] */
    double *S, *s;      /* [nU][nU], [nU] */
    double *base, *top; /* [nU] where z = 0; the bound */
    int *row, *sign;    /* [nz] place in U of an unknown; 1, -1, or 0 for lambda */
    double *share;      /* [nz] factor c of an unknown */
    double *M, *q, *z, *lemke;
};

size_t sn__lcp_room(int n) {
    const size_t m = n > 0 ? (size_t)n : 0, k = 3 * m;
    return 3 * m * m + 9 * m + k * k + 3 * k + sn__lemke_room((int)k) + (5 * m + 2 * k);
}

static double *take(double **from, size_t count) {
    double *at = *from;
    *from += count;
    return at;
}

/* Gives each pointer of a list, which ends with NULL, room for so many numbers. */
static void take_each(double **from, size_t count, double **const *pointer) {
    for (; *pointer; pointer++)
        **pointer = take(from, count);
}

static void take_each_int(double **from, size_t count, int **const *pointer) {
    for (; *pointer; pointer++)
        **pointer = (int *)take(from, count); /* room for a double each: more than enough */
}

static void carve(struct direct *d, double *work) {
    const size_t n = (size_t)d->n, k = 3 * n;
    double **const square[] = {&d->G, &d->X, &d->S, NULL};
    double **const line[] = {&d->x, &d->s, &d->base, &d->top, &d->lo, &d->hi, &d->mu, &d->other, &d->c, NULL};
    double **const long_line[] = {&d->q, &d->z, &d->share, NULL};
    int **const ints[] = {&d->sort, &d->place, &d->B, &d->U, &d->normal, NULL};
    int **const long_ints[] = {&d->row, &d->sign, NULL};
    take_each(&work, n * n, square);
    take_each(&work, n, line);
    d->M = take(&work, k * k);
    take_each(&work, k, long_line);
    d->lemke = take(&work, sn__lemke_room((int)k));
    take_each_int(&work, n, ints);
    take_each_int(&work, k, long_ints);
}

static double element(const struct direct *d, int i, int j) {
    return d->A[(size_t)i * (size_t)d->n + (size_t)j];
}

static double row_value(int n, const double *A, const double *b, const double *f, int i) {
    double w = b[i];
    for (int j = 0; j < n; j++)
        w += A[(size_t)i * (size_t)n + (size_t)j] * f[j];
    return w;
}

/* The nearest value within the bounds, the normal impulses being those of f. */
static double project(const struct sn__bound *bound, const double *f, double x) {
    double lo = bound->lo, hi = bound->hi;
    if (bound->normal >= 0) {
        hi = bound->mu * fmax(f[bound->normal], 0);
        lo = bound->one_way ? 0 : -hi;
    }
    return fmin(fmax(x, lo), hi);
}

/* ----------------------------------------------------------------------------------------------- residual */

static double diagonal(int n, const double *A, int i) {
    const double d = A[(size_t)i * (size_t)n + (size_t)i];
    return d > 0 ? d : 1;
}

static bool is_pair(int n, const struct sn__bound *bound, int i) {
    return i + 1 < n && bound[i].normal >= 0 && bound[i + 1].normal == bound[i].normal && !bound[i].one_way &&
           !bound[i + 1].one_way;
}

/* Both friction rows of a contact: their target is drawn back onto the disc of radius mu f_n. */
static double pair_residual(int n, const double *A, const double *b, const struct sn__bound *bound,
                            const double *f, int i) {
    const double d = fmax(diagonal(n, A, i), diagonal(n, A, i + 1));
    const double radius = bound[i].mu * fmax(f[bound[i].normal], 0);
    double x = f[i] - row_value(n, A, b, f, i) / d, y = f[i + 1] - row_value(n, A, b, f, i + 1) / d;
    const double length = sqrt(x * x + y * y);
    if (length > radius) {
        x *= radius / length;
        y *= radius / length;
    }
    const double dx = f[i] - x, dy = f[i + 1] - y;
    return sqrt(dx * dx + dy * dy) * d;
}

double sn__lcp_residual(int n, const double *A, const double *b, const struct sn__bound *bound, bool cone,
                        const double *f) {
    double largest = 0;
    for (int i = 0; i < n; i++) {
        double r;
        if (cone && is_pair(n, bound, i)) {
            r = pair_residual(n, A, b, bound, f, i);
            i++;
        } else {
            const double d = diagonal(n, A, i);
            r = fabs(f[i] - project(&bound[i], f, f[i] - row_value(n, A, b, f, i) / d)) * d;
        }
        if (!(r <= DBL_MAX)) return HUGE_VAL; /* fmax and fmin would pass over what is not a number */
        largest = fmax(largest, r);
    }
    return largest;
}

/* -------------------------------------------------------------------------------------------- what is given */

void sn__lu_solve(const double *LU, int wide, int rank, double *x) {
    for (int i = 0; i < rank; i++)
        for (int j = 0; j < i; j++)
            x[i] -= LU[(size_t)i * wide + j] * x[j];
    for (int i = rank - 1; i >= 0; i--) {
        for (int j = i + 1; j < rank; j++)
            x[i] -= LU[(size_t)i * wide + j] * x[j];
        x[i] /= LU[(size_t)i * wide + i];
    }
}

bool sn__lcp_is_valid(int n, const double *A, const double *b, const struct sn__bound *bound) {
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        if (!isfinite(A[i])) return false;
    for (int i = 0; i < n; i++) {
        const struct sn__bound *r = &bound[i];
        if (!isfinite(b[i])) return false;
        if (r->normal >= 0) {
            if (r->normal >= n || bound[r->normal].normal >= 0 || !(r->mu >= 0) || !isfinite(r->mu))
                return false;
        } else if (!(r->lo <= r->hi) || !(r->lo < HUGE_VAL) || !(r->hi > -HUGE_VAL)) {
            return false;
        }
    }
    return true;
}

/* The sort of every row and its bounds. Where the normal impulse cannot move, those of friction are plain bounds. */
static void classify(struct direct *d, const struct sn__bound *bound) {
    for (int i = 0; i < d->n; i++) {
        const struct sn__bound *r = &bound[i];
        const struct sn__bound *by = r->normal >= 0 ? &bound[r->normal] : r;
        d->lo[i] = r->lo, d->hi[i] = r->hi;
        d->normal[i] = -1;
        d->mu[i] = r->mu;
        if (r->normal >= 0) {
            const bool moves = r->mu > 0 && by->lo < by->hi;
            d->hi[i] = moves ? HUGE_VAL : r->mu > 0 ? r->mu * fmax(by->lo, 0) : 0;
            d->lo[i] = r->one_way ? 0 : -d->hi[i];
            d->normal[i] = moves ? r->normal : -1;
        }
        d->f[i] = fmin(fmax(0, d->lo[i]), d->hi[i]);
        const bool free = d->normal[i] < 0 && isinf(d->lo[i]) && isinf(d->hi[i]);
        d->sort[i] = free ? BILATERAL : d->lo[i] < d->hi[i] ? BOUNDED : FIXED;
        if (d->sort[i] == BILATERAL) d->place[i] = d->nB, d->B[d->nB++] = i;
        if (d->sort[i] == BOUNDED) d->place[i] = d->nU, d->U[d->nU++] = i;
    }
}

static void move_fixed(struct direct *d) {
    for (int i = 0; i < d->n; i++) {
        d->c[i] = d->b[i];
        for (int j = 0; j < d->n; j++)
            if (d->sort[j] == FIXED) d->c[i] += element(d, i, j) * d->f[j];
    }
}

/* -------------------------------------------------------------------------------------------- elimination */

/* In place: the inverse of the largest well-conditioned part of G, by Gauss-Jordan on the largest diagonal
   left. Rows that depend on others are left out: their part of G becomes zero, their impulse with it. */
static void invert(double *G, int m, const double *began, int *done) {
    memset(done, 0, (size_t)m * sizeof *done);
    for (int step = 0; step < m; step++) {
        int k = -1;
        double largest = RANK_TOLERANCE;
        for (int i = 0; i < m; i++) {
            const double size = fabs(G[(size_t)i * m + i]) / (began[i] > 0 ? began[i] : 1);
            if (!done[i] && size > largest) largest = size, k = i;
        }
        if (k < 0) break;
        done[k] = 1;
        double *K = G + (size_t)k * m;
        const double inverse = 1 / K[k];
        for (int j = 0; j < m; j++)
            K[j] *= inverse;
        K[k] = inverse;
        for (int i = 0; i < m; i++) {
            double *R = G + (size_t)i * m;
            const double a = R[k];
            if (i == k || a == 0) continue;
            R[k] = 0;
            for (int j = 0; j < m; j++)
                R[j] -= a * K[j];
        }
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            if (!done[i] || !done[j]) G[(size_t)i * m + j] = 0;
}

/* G, G A_BU and G b_B. */
static void eliminate(struct direct *d) {
    const int m = d->nB, u = d->nU;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++)
            d->G[(size_t)i * m + j] = element(d, d->B[i], d->B[j]);
        d->x[i] = fabs(element(d, d->B[i], d->B[i]));
    }
    invert(d->G, m, d->x, d->row); /* row is not in use yet */
    for (int i = 0; i < m; i++) {
        const double *G = d->G + (size_t)i * m;
        double *X = d->X + (size_t)i * u;
        memset(X, 0, (size_t)u * sizeof *X);
        d->x[i] = 0;
        for (int k = 0; k < m; k++) {
            if (G[k] == 0) continue;
            d->x[i] += G[k] * d->c[d->B[k]];
            for (int j = 0; j < u; j++)
                X[j] += G[k] * element(d, d->B[k], d->U[j]);
        }
    }
}

/* What round-off left of a difference of equal terms would be scaled up into data: it is made zero. */
static double without_noise(double value, double terms) {
    return fabs(value) <= NOISE * terms ? 0 : value;
}

/* S and s. */
static void reduce(struct direct *d) {
    const int m = d->nB, u = d->nU;
    for (int i = 0; i < u; i++) {
        const int row = d->U[i];
        double value = d->c[row], terms = fabs(value);
        for (int k = 0; k < m; k++) {
            const double t = element(d, row, d->B[k]) * d->x[k];
            value -= t, terms += fabs(t);
        }
        d->s[i] = without_noise(value, terms);
        for (int j = 0; j < u; j++) {
            value = element(d, row, d->U[j]), terms = fabs(value);
            for (int k = 0; k < m; k++) {
                const double t = element(d, row, d->B[k]) * d->X[(size_t)k * u + j];
                value -= t, terms += fabs(t);
            }
            d->S[(size_t)i * u + j] = m ? without_noise(value, terms) : value;
        }
    }
}

/* --------------------------------------------------------------------------------------- standard problem */

static void add_unknown(struct direct *d, int place, int sign, double share) {
    d->row[d->nz] = place;
    d->share[d->nz] = share;
    d->sign[d->nz++] = sign;
}

static void list_unknowns(struct direct *d) {
    d->nz = 0;
    for (int i = 0; i < d->nU; i++) {
        const int row = d->U[i];
        const bool friction = d->normal[row] >= 0;
        const double base = fmin(fmax(0, d->lo[row]), d->hi[row]);
        const double up = d->hi[row] - base, down = base - d->lo[row];
        const double top = up > 0 && down > 0 ? fmin(up, down) : fmax(up, down);
        d->base[i] = base;
        d->top[i] = top;
        if (up > 0) add_unknown(d, i, 1, friction ? 1 : isfinite(top) ? top / up : 0);
        if (down > 0) add_unknown(d, i, -1, friction ? 1 : isfinite(top) ? top / down : 0);
        if (friction || isfinite(top)) add_unknown(d, i, 0, 0);
    }
}

/* bound - sum of c z >= 0, eq. 21. */
static void limit_row(const struct direct *d, int k, double *M) {
    const int u = d->nU, row = d->U[d->row[k]], normal = d->normal[row],
              at = normal >= 0 ? d->place[normal] : -1;
    const bool eliminated = normal >= 0 && d->sort[normal] == BILATERAL;
    const double mu = d->mu[row], *X = eliminated ? d->X + (size_t)at * u : NULL;
    for (int l = 0; l < d->nz; l++) {
        M[l] = d->row[l] == d->row[k] ? -d->share[l] : 0;
        if (eliminated) M[l] -= mu * X[d->row[l]] * d->sign[l];
        if (!eliminated && d->row[l] == at) M[l] += mu * d->sign[l];
    }
    d->q[k] = normal < 0 ? d->top[d->row[k]] : mu * (eliminated ? -d->x[at] : d->base[at]);
    for (int i = 0; i < u && eliminated; i++)
        d->q[k] -= mu * X[i] * d->base[i];
}

/* sign w + c lambda >= 0, eq. 19, 20. */
static void force_row(const struct direct *d, int k, double *M) {
    const int i = d->row[k], sign = d->sign[k], u = d->nU;
    const double *S = d->S + (size_t)i * u;
    double w = d->s[i];
    for (int j = 0; j < u; j++)
        w += S[j] * d->base[j];
    for (int l = 0; l < d->nz; l++)
        M[l] = d->sign[l] ? sign * d->sign[l] * S[d->row[l]] : d->row[l] == i ? d->share[k] : 0;
    d->q[k] = sign * w;
}

static int solve_standard(struct direct *d) {
    list_unknowns(d);
    for (int k = 0; k < d->nz; k++) {
        double *M = d->M + (size_t)k * (size_t)d->nz;
        if (d->sign[k])
            force_row(d, k, M);
        else
            limit_row(d, k, M);
    }
    return sn__lemke(d->nz, d->M, d->q, d->z, d->lemke);
}

/* f of the bilateral rows follows from the others; then corrections by what w is not yet zero. */
static void read_impulses(struct direct *d, const struct sn__bound *bound) {
    const int n = d->n, m = d->nB;
    double *w = d->x;
    for (int i = 0; i < d->nU; i++)
        d->f[d->U[i]] = d->base[i];
    for (int k = 0; k < d->nz; k++)
        d->f[d->U[d->row[k]]] += d->sign[k] * d->z[k];
    for (int pass = 0; pass <= REFINEMENTS; pass++) {
        for (int i = 0; i < m; i++)
            w[i] = row_value(n, d->A, d->b, d->f, d->B[i]);
        for (int i = 0; i < m; i++)
            for (int k = 0; k < m; k++)
                d->f[d->B[i]] -= d->G[(size_t)i * m + k] * w[k];
    }
    for (int friction = 0; friction < 2; friction++) /* the bounds hold exactly, those by the normals last */
        for (int i = 0; i < n; i++)
            if ((bound[i].normal >= 0) == friction) d->f[i] = project(&bound[i], d->f, d->f[i]);
}

/* ----------------------------------------------------------------------------------- projected Gauss-Seidel */

/* f = 0 as near as the bounds allow: where everything begins, and what is left when all else fails. */
static void begin(int n, const struct sn__bound *bound, double *f) {
    memset(f, 0, (size_t)n * sizeof *f);
    for (int i = 0; i < n; i++) {
        if (bound[i].normal >= 0) continue;
        f[i] = project(&bound[i], f, 0);
        if (!isfinite(f[i])) f[i] = 0;
    }
}

/* One iteration; the largest change, in units of w. */
static double iterate(const struct direct *d, const struct sn__bound *bound, double *f) {
    double change = 0;
    for (int i = 0; i < d->n; i++) {
        const double a = element(d, i, i), before = f[i];
        const double step = a > 0 ? row_value(d->n, d->A, d->b, f, i) / a : 0;
        f[i] = project(&bound[i], f, before - step);
        if (!isfinite(f[i])) return HUGE_VAL;
        change = fmax(change, fabs(f[i] - before) * a);
    }
    return change;
}

static void gauss_seidel(const struct direct *d, const struct sn__bound *bound, double *f) {
    begin(d->n, bound, f);
    for (int k = 0; k < ITERATIONS; k++) {
        const double change = iterate(d, bound, f);
        if (change == 0) return;
        if (change < HUGE_VAL) continue;
        begin(d->n, bound, f); /* it diverges: A is not positive semi-definite */
        return;
    }
}

/* ------------------------------------------------------------------------------------------------- answer */

/* The size of the terms w is made of: what a residual is measured by. */
static double size_of(const struct direct *d, const double *f) {
    double largest = 0;
    for (int i = 0; i < d->n; i++) {
        double terms = fabs(d->b[i]);
        for (int j = 0; j < d->n; j++)
            terms += fabs(element(d, i, j) * f[j]);
        largest = fmax(largest, terms);
    }
    return largest;
}

/* The residual over what counts as nothing: round-off, and a small part of what w is without impulses. */
static double badness(const struct direct *d, const struct sn__bound *bound, const double *f, double start) {
    const double residual = sn__lcp_residual(d->n, d->A, d->b, bound, false, f);
    return residual > 0 ? residual / (SOLUTION_TOLERANCE * start + ROUND_OFF * size_of(d, f)) : 0;
}

int sn__lcp_direct(int n, const double *A, const double *b, const struct sn__bound *bound, double *f,
                   double *work) {
    if (n <= 0) return 0;
    begin(n, bound, f);
    if (!sn__lcp_is_valid(n, A, b, bound)) return -1;
    struct direct d = {.n = n, .A = A, .b = b, .f = f};
    const double start = size_of(&d, f);
    carve(&d, work);
    classify(&d, bound);
    move_fixed(&d);
    eliminate(&d);
    reduce(&d);
    const int pivots = solve_standard(&d);
    read_impulses(&d, bound);
    const double direct = badness(&d, bound, f, start);
    if (direct <= 1) return pivots < 0 ? 0 : pivots;
    gauss_seidel(&d, bound, d.other);
    const double other = badness(&d, bound, d.other, start);
    /* What satisfies all but contradictory bilateral rows is kept: that of Gauss-Seidel would grow with
       every iteration. */
    if (pivots >= 0 && direct < HUGE_VAL && !(other < direct / 2)) return -1;
    memcpy(f, d.other, (size_t)n * sizeof *f);
    return other <= 1 ? 0 : -1;
}
