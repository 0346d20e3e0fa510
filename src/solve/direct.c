/* The bounded problem by the direct solver: its matrix in full, then Lemke's algorithm (lcp.c) or Dantzig's. */
#include <math.h>

#include "solve/lcp.h"
#include "solve/problem.h"

/* The memory of a dense problem in parts; bounds begin on a boundary of a double. */
struct dense {
    double *A, *b; /* [n * n], [n] */
    struct sn__bound *bound;
    double *work; /* [work_size(n)] */
};

static size_t bounds_size(int n) {
    return ((size_t)n * sizeof(struct sn__bound) + sizeof(double) - 1) / sizeof(double);
}

static size_t work_size(int n) {
    const size_t lemke = sn__lcp_room(n), dantzig = sn__dantzig_room(n);
    return lemke > dantzig ? lemke : dantzig;
}

size_t sn__problem_direct_room(int n) {
    return (size_t)n * (size_t)n + (size_t)n + bounds_size(n) + work_size(n);
}

static struct dense carve(double *memory, int n) {
    struct dense d = {.A = memory};
    d.b = d.A + (size_t)n * (size_t)n;
    d.bound = (struct sn__bound *)(void *)(d.b + n);
    d.work = d.b + n + bounds_size(n);
    return d;
}

int sn__problem_direct(struct sn__problem *p, double *f) {
    const int n = p->n;
    const struct dense d = carve(p->room->direct, n);
    for (int i = 0; i < n; i++) {
        const struct sn__pgs_row *r = &p->row[i];
        for (int j = 0; j < n; j++)
            d.A[(size_t)i * (size_t)n + (size_t)j] = sn__problem_coupling(p, i, j);
        d.b[i] = r->b;
        d.bound[i] = (struct sn__bound){r->lo, r->hi, r->normal, r->mu, r->one_way};
    }
    const int pivots = p->dantzig ? sn__lcp_dantzig(n, d.A, d.b, d.bound, f, d.work)
                                  : sn__lcp_direct(n, d.A, d.b, d.bound, f, d.work);
    const double largest = sn__problem_largest_velocity(p), most = sn__problem_largest_impulse(p);
    p->residual = sn__lcp_residual(n, d.A, d.b, d.bound, false, f);
    /* what it found is judged by what it does */
    if (!(p->residual <= fmax(p->tolerance, 1e-6 * largest))) return -1;
    for (int i = 0; i < n; i++)
        if (!(fabs(f[i]) <= most)) return -1;
    return pivots;
}
