/* Lemke's algorithm: complementary pivoting on w = M z + q, w, z >= 0, w z = 0 (Cottle, Pang, Stone, The Linear
 * Complementarity Problem, section 4.4).
 *
 * An artificial variable z0 with a covering vector c > 0 makes the start feasible: w = M z + c z0 + q. From there the
 * complement of what left the basis enters it, until z0 itself leaves. The dictionary kept is
 *
 *     x[basic row i] + sum over j of T[i][j] x[nonbasic column j] = T[i][last]
 *
 * so column j is B^-1 times that variable's own column, and B^-1 itself stands in the columns of w: the ratio test is
 * lexicographic in them, which makes cycles impossible in exact arithmetic. Against round-off there is scaling, an answer
 * computed afresh from the data once the basis is known, a check of that answer, and another covering vector
 * when the check fails. */
#include <math.h>
#include <string.h>

#include "studies/lcp.h"

enum { TRIES = 3, SCALE_PASSES = 6, REFINEMENTS = 3 };
static const double PIVOT_TOLERANCE = 1e-9; /* an entry of T, where the entries of M are at most 1 */
/* A difference of ratios, where the most negative q is 1. The finer finds the better basis, the coarser stands more
   round-off. */
static const double TIE_TOLERANCE[TRIES] = {1e-12, 1e-10, 1e-10};
static const double ERROR_TOLERANCE = 1e-9; /* the error of an answer */
static const double NO_BETTER = 1e-11;      /* an error not worth another try */
static const double RANK_TOLERANCE = 1e-10; /* a pivot of the last basis over the first */
static const double ROUND_OFF = 1e-14;      /* an error over its terms */

struct lemke {
    int n;
    const double *M, *q;
    double *T;         /* [n][n + 2]; afterwards the factors of the last basis */
    double *row, *col; /* [n] scales: row i of M and q is multiplied by row[i], column j of M by col[j] */
    double size;       /* q is divided by it: z[j] is col[j] size times the scaled one */
    double *z, *step;  /* [n] scaled */
    double tie;        /* tolerance of this try */
    int *basic, *side; /* [n] the variable of a row; [n + 1] of a column */
    int *where;        /* [2n + 1] where a variable stands: row r as r, column c as -1 - c */
    int *tied;         /* [n] rows that block together */
};

size_t sn__lemke_room(int n) {
    const size_t m = n > 0 ? (size_t)n : 0;
    return m * (m + 2) + 4 * m + (6 * m + 4); /* the last: 5 n + 2 ints, for which these are enough */
}

static void carve(struct lemke *s, int n, const double *M, const double *q, double *work) {
    const size_t m = (size_t)n;
    *s = (struct lemke){.n = n, .M = M, .q = q, .T = work};
    s->row = s->T + m * (m + 2);
    s->col = s->row + m;
    s->z = s->col + m;
    s->step = s->z + m;
    s->basic = (int *)(s->step + m);
    s->side = s->basic + n;
    s->where = s->side + n + 1;
    s->tied = s->where + 2 * n + 1;
}

static bool all_finite(const double *x, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* ------------------------------------------------------------------------------------------------ scaling */

/* A power of two near 1 / sqrt(largest): multiplying by it rounds nothing. */
static double half_scale(double largest) {
    if (!(largest > 0)) return 1;
    const double e = -round(log2(largest) / 2);
    return ldexp(1, (int)fmin(fmax(e, -500), 500));
}

static double entry(const struct lemke *s, int i, int j) {
    return s->row[i] * s->M[(size_t)i * (size_t)s->n + (size_t)j] * s->col[j];
}

/* Rows and columns alternately towards a largest entry of 1. A symmetric M stays symmetric. */
static void scale(struct lemke *s) {
    const int n = s->n;
    for (int i = 0; i < n; i++)
        s->row[i] = s->col[i] = 1;
    for (int pass = 0; pass < SCALE_PASSES; pass++) {
        double *const by_row = s->z, *const by_col = s->step;
        memset(by_row, 0, (size_t)n * sizeof *by_row);
        memset(by_col, 0, (size_t)n * sizeof *by_col);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                const double a = fabs(entry(s, i, j));
                by_row[i] = fmax(by_row[i], a);
                by_col[j] = fmax(by_col[j], a);
            }
        for (int i = 0; i < n; i++) {
            s->row[i] *= half_scale(by_row[i]);
            s->col[i] *= half_scale(by_col[i]);
        }
    }
    double deepest = 0; /* a q above zero is room to move, and may be as large as it likes */
    for (int i = 0; i < n; i++)
        deepest = fmax(deepest, -s->row[i] * s->q[i]);
    s->size = deepest > 0 ? ldexp(1, ilogb(deepest)) : 1;
}

static double scaled_q(const struct lemke *s, int i) {
    return s->row[i] * s->q[i] / s->size;
}

/* ----------------------------------------------------------------------------------------------- pivoting */

static double *tableau_row(const struct lemke *s, int i) {
    return s->T + (size_t)i * (size_t)(s->n + 2);
}

/* Variables: w are 0 .. n - 1, z are n .. 2n - 1, z0 is 2n. Every try has a covering vector of its own. */
static void start(struct lemke *s, int try) {
    const int n = s->n;
    for (int i = 0; i < n; i++) {
        double *T = tableau_row(s, i);
        const double spread = 0.6180339887498949 * (i + 1);
        for (int j = 0; j < n; j++)
            T[j] = -entry(s, i, j);
        T[n] = -(1 + try * (spread - floor(spread)));
        T[n + 1] = scaled_q(s, i);
        s->basic[i] = i;
        s->where[i] = i;
        s->side[i] = n + i;
        s->where[n + i] = -1 - i;
    }
    s->side[n] = 2 * n;
    s->where[2 * n] = -1 - n;
}

/* Exchanges the variable of row r with that of column c. */
static void pivot(struct lemke *s, int r, int c) {
    const int n = s->n, width = n + 2;
    double *R = tableau_row(s, r);
    const double inverse = 1 / R[c];
    for (int j = 0; j < width; j++)
        R[j] *= inverse;
    R[c] = inverse;
    for (int i = 0; i < n; i++) {
        double *T = tableau_row(s, i);
        const double a = T[c];
        if (i == r || a == 0) continue;
        T[c] = 0;
        for (int j = 0; j < width; j++)
            T[j] -= a * R[j];
    }
    const int leaves = s->basic[r], enters = s->side[c];
    s->basic[r] = enters;
    s->side[c] = leaves;
    s->where[enters] = r;
    s->where[leaves] = -1 - c;
}

/* B^-1 [i][j], which is the column of w[j]. */
static double inverse_entry(const struct lemke *s, int i, int j) {
    const int at = s->where[j];
    return at >= 0 ? at == i : tableau_row(s, i)[-1 - at];
}

/* Keeps the tied rows whose value over the pivot is smallest. */
static int keep_smallest(struct lemke *s, int count, int c, int j) {
    double least = HUGE_VAL;
    int kept = 0;
    for (int k = 0; k < count; k++)
        least = fmin(least, inverse_entry(s, s->tied[k], j) / tableau_row(s, s->tied[k])[c]);
    for (int k = 0; k < count; k++) {
        const int i = s->tied[k];
        const double pivot_size = tableau_row(s, i)[c], slack = s->tie * fmax(1, 1 / pivot_size);
        if (inverse_entry(s, i, j) / pivot_size <= least + fmax(slack, 1e-9 * fabs(least)))
            s->tied[kept++] = i;
    }
    return kept;
}

/* The row that blocks first when column c enters, or -1: a ray. z0 leaves whenever it may. */
static int blocking_row(struct lemke *s, int c) {
    const int n = s->n;
    double largest = 1, least = HUGE_VAL;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(tableau_row(s, i)[c]));
    const double floor_pivot = PIVOT_TOLERANCE * largest;
    for (int i = 0; i < n; i++) {
        const double *T = tableau_row(s, i);
        if (T[c] > floor_pivot) least = fmin(least, (fmax(T[n + 1], 0) + s->tie) / T[c]);
    }
    /* A row may end this little below zero, so the tied are those within it; the smallest step of any is
       taken. */
    int count = 0;
    for (int i = 0; i < n; i++) {
        const double *T = tableau_row(s, i);
        if (!(T[c] > floor_pivot) || fmax(T[n + 1], 0) / T[c] > least) continue;
        if (s->basic[i] == 2 * n) return i;
        s->tied[count++] = i;
    }
    for (int j = 0; j < n && count > 1; j++)
        count = keep_smallest(s, count, c, j);
    int best = count ? s->tied[0] : -1;
    for (int k = 1; k < count; k++)
        if (tableau_row(s, s->tied[k])[c] > tableau_row(s, best)[c]) best = s->tied[k];
    return best;
}

/* Pivots from the start until z0 has left, a ray, or the limit. Returns the pivots made. */
static int run(struct lemke *s, int limit) {
    const int n = s->n;
    int r = 0, c = n;
    for (int i = 1; i < n; i++) { /* z0 enters for the row that is deepest below zero: the last of them */
        const double *T = tableau_row(s, i), *R = tableau_row(s, r);
        if (T[n + 1] / -T[n] <= R[n + 1] / -R[n]) r = i;
    }
    for (int count = 1;; count++) {
        const int leaves = s->basic[r];
        pivot(s, r, c);
        if (leaves == 2 * n || count >= limit) return count;
        c = -1 - s->where[leaves < n ? leaves + n : leaves - n];
        r = blocking_row(s, c);
        if (r < 0) return count;
    }
}

static void read_solution(struct lemke *s) {
    const int n = s->n;
    for (int j = 0; j < n; j++) {
        const int at = s->where[n + j];
        s->z[j] = at < 0 ? 0 : fmax(tableau_row(s, at)[n + 1], 0);
    }
}

/* ------------------------------------------------------------------------------------------------- answer */

/* Row i of w, and the size of the terms it is the sum of. */
static double row_value(const struct lemke *s, const double *z, int i, double *terms) {
    double w = scaled_q(s, i);
    *terms = fabs(w);
    for (int j = 0; j < s->n; j++) {
        if (z[j] == 0) continue;
        const double t = entry(s, i, j) * z[j];
        w += t, *terms += fabs(t);
    }
    return w;
}

/* The largest |min(z, w)|. The most negative q is 1; only terms far larger than that are excused by their
   round-off. Infinite for what is not a number. */
static double error_of(const struct lemke *s, const double *z) {
    double error = 0;
    for (int i = 0; i < s->n; i++) {
        double terms;
        const double w = row_value(s, z, i, &terms);
        if (!isfinite(w) || !isfinite(z[i])) return HUGE_VAL;
        error = fmax(error, fabs(fmin(z[i], w)) / (1 + ROUND_OFF / ERROR_TOLERANCE * terms));
    }
    return error;
}

static void swap_ints(int *a, int i, int j) {
    const int t = a[i];
    a[i] = a[j];
    a[j] = t;
}

/* In place: the factors of the active rows and columns of M with complete pivoting; rows and cols take
   their order. Returns the rank: bases of degenerate problems may be singular up to round-off. */
static int factor(double *L, int m, int *rows, int *cols) {
    double first = 0;
    for (int k = 0; k < m; k++) {
        int p = k, c = k;
        for (int i = k; i < m; i++)
            for (int j = k; j < m; j++)
                if (fabs(L[(size_t)i * m + j]) > fabs(L[(size_t)p * m + c])) p = i, c = j;
        const double largest = fabs(L[(size_t)p * m + c]);
        first = fmax(first, largest);
        if (!(largest > RANK_TOLERANCE * first)) return k;
        for (int j = 0; j < m; j++) {
            const double t = L[(size_t)p * m + j];
            L[(size_t)p * m + j] = L[(size_t)k * m + j];
            L[(size_t)k * m + j] = t;
        }
        for (int i = 0; i < m; i++) {
            const double t = L[(size_t)i * m + c];
            L[(size_t)i * m + c] = L[(size_t)i * m + k];
            L[(size_t)i * m + k] = t;
        }
        swap_ints(rows, p, k);
        swap_ints(cols, c, k);
        for (int i = k + 1; i < m; i++) {
            const double a = L[(size_t)i * m + k] /= L[(size_t)k * m + k];
            for (int j = k + 1; j < m && a != 0; j++)
                L[(size_t)i * m + j] -= a * L[(size_t)k * m + j];
        }
    }
    return m;
}

/* Many pivots lose digits. The basis says which z are free: their rows of w = 0 are solved from the data
   again, as corrections to what the tableau gave. z is replaced only by what is better. */
static double refine(struct lemke *s, double error) {
    const int n = s->n;
    int *active = s->side, *order = s->tied; /* the pivoting is over: its lists are free */
    int m = 0;
    for (int j = 0; j < n; j++)
        if (s->where[n + j] >= 0) active[m] = order[m] = j, m++;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            s->T[(size_t)i * m + j] = entry(s, active[i], active[j]);
    const int rank = factor(s->T, m, order, active);
    double *trial = s->T + (size_t)n * (size_t)n; /* T has 2 n more than the factors need */
    for (int pass = 0; pass < REFINEMENTS; pass++) {
        double terms;
        for (int i = 0; i < rank; i++)
            s->step[i] = row_value(s, s->z, order[i], &terms);
        sn__lu_solve(s->T, m, rank, s->step);
        memcpy(trial, s->z, (size_t)n * sizeof *trial);
        for (int i = 0; i < rank; i++)
            trial[active[i]] = fmax(s->z[active[i]] - s->step[i], 0);
        const double now = error_of(s, trial);
        if (!(now < error)) break;
        error = now;
        memcpy(s->z, trial, (size_t)n * sizeof *trial);
    }
    return error;
}

int sn__lemke(int n, const double *M, const double *q, double *z, double *work) {
    struct lemke s;
    if (n <= 0) return 0;
    const size_t m = (size_t)n;
    memset(z, 0, m * sizeof *z);
    if (!all_finite(M, m * m) || !all_finite(q, m)) return -1;
    carve(&s, n, M, q, work);
    scale(&s);
    double best = error_of(&s, z); /* of z = 0: the answer where no q is negative */
    int pivots = 0;
    for (int try = 0; try < TRIES && best > 0; try++) {
        s.tie = TIE_TOLERANCE[try];
        start(&s, try);
        pivots += run(&s, 50 * n + 100);
        read_solution(&s);
        const double error = refine(&s, error_of(&s, s.z));
        if (error < best) {
            best = error;
            for (int j = 0; j < n; j++)
                z[j] = s.z[j];
        }
        if (best <= NO_BETTER) break;
    }
    for (int j = 0; j < n; j++)
        z[j] *= s.col[j] * s.size;
    if (all_finite(z, m)) return best <= ERROR_TOLERANCE ? pivots : -1;
    memset(z, 0, m * sizeof *z);
    return -1;
}
