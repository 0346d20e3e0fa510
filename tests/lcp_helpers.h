/* What the tests of small bounded problems share: problems, plain ways to solve them, and their conditions. */
#ifndef SINEW_TESTS_LCP_HELPERS_H
#define SINEW_TESTS_LCP_HELPERS_H

#include "model_helpers.h"

#include "studies/lcp.h"

enum { MAX = 72 };

struct problem {
    int n;
    double A[MAX * MAX], b[MAX];
    struct sn__bound bound[MAX];
};

static const struct sn__bound bilateral = {-HUGE_VAL, HUGE_VAL, -1, 0, false};
static const struct sn__bound one_sided = {0, HUGE_VAL, -1, 0, false};

double between(double low, double high);
int solve_direct(const struct problem *p, double *f);
int solve_dantzig(const struct problem *p, double *f);
int solve_lemke(int n, const double *M, const double *q, double *z);
void row_velocities(const struct problem *p, const double *f, double *w);
void row_limits(const struct problem *p, const double *f, int i, double *lo, double *hi);
double largest(const double *a, int n);
/* The conditions of lcp.h one by one; the tolerance is relative to the largest b and f. */
void assert_solution(const struct problem *p, const double *f, double tolerance);
/* Solved, and by pivots: projected Gauss-Seidel, which stands behind them, would hide their mistakes. */
void assert_solved(const struct problem *p, double *f, double tolerance);
void positive_definite(struct problem *p, int n);
/* 0: one-sided, 1: two-sided, 2: bilateral, 3: only from above, 4: any of these or a fixed one. */
void random_bounds(struct problem *p, int kind);
/* Every row at its lower bound, free, or at its upper one: all combinations until one fits. */
bool solve_by_enumeration(const struct problem *p, double *f);
/* Projected Gauss-Seidel until nothing moves. */
bool solve_by_iteration(const struct problem *p, double *f);

#endif
