/* The bounded problem by pivoting: its matrix in full, then Lemke's algorithm (lcp.c) or Dantzig's. */
#include <math.h>

#include "studies/lcp.h"
#include "studies/study.h"

/* The memory of a dense problem in parts; bounds begin on a boundary of a double. */
struct dense {
    double *A, *b; /* [n * n], [n] */
    struct sn__bound *bound;
    double *work; /* what lcp.h asks for */
};

static size_t bounds_size(int n) {
    return ((size_t)n * sizeof(struct sn__bound) + sizeof(double) - 1) / sizeof(double);
}

static size_t matrix_size(int n) {
    return (size_t)n * (size_t)n + (size_t)n + bounds_size(n);
}

static size_t lemke_room(int n) {
    return matrix_size(n) + sn__lcp_room(n);
}

static size_t dantzig_room(int n) {
    return matrix_size(n) + sn__dantzig_room(n);
}

static struct dense carve(double *memory, int n) {
    struct dense d = {.A = memory};
    d.b = d.A + (size_t)n * (size_t)n;
    d.bound = (struct sn__bound *)(void *)(d.b + n);
    d.work = d.b + n + bounds_size(n);
    return d;
}

typedef int pivoting(int n, const double *A, const double *b, const struct sn__bound *bound, double *f,
                     double *work);

/* Pivots, or -1 when it found no solution that leaves no more than rounding. Friction is bounded by axis even where rows
   are marked as a cone. */
static int solve_by(pivoting *method, struct sn__problem *p, double *f) {
    const int n = p->n;
    const struct dense d = carve(p->room->method, n);
    for (int i = 0; i < n; i++) {
        const struct sn__pgs_row *r = &p->row[i];
        for (int j = 0; j < n; j++)
            d.A[(size_t)i * (size_t)n + (size_t)j] = sn__problem_coupling(p, i, j);
        d.b[i] = r->b;
        d.bound[i] = (struct sn__bound){r->lo, r->hi, r->normal, r->mu, r->one_way};
    }
    const int pivots = method(n, d.A, d.b, d.bound, f, d.work);
    const double largest = sn__problem_largest_velocity(p), most = sn__problem_largest_impulse(p);
    p->residual = sn__lcp_residual(n, d.A, d.b, d.bound, false, f);
    /* what it found is judged by what it does */
    if (!(p->residual <= fmax(p->tolerance, 1e-6 * largest))) return -1;
    for (int i = 0; i < n; i++)
        if (!(fabs(f[i]) <= most)) return -1;
    return pivots;
}

static int solve_lemke(struct sn__problem *p, double *f) {
    return solve_by(sn__lcp_direct, p, f);
}

static int solve_dantzig(struct sn__problem *p, double *f) {
    return solve_by(sn__lcp_dantzig, p, f);
}

const struct sn__row_method sn__rows_lemke = {lemke_room, solve_lemke},
                            sn__rows_dantzig = {dantzig_room, solve_dantzig};
