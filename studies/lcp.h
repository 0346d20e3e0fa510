/* The bounded problem with a dense matrix, and the standard problem it becomes.
 *
 *     w = A f + b,   lo <= f <= hi,   w >= 0 where f = lo,  w <= 0 where f = hi,  w = 0 between
 *
 * f are impulses, w are velocities beyond what is wanted. The bounds of a friction row follow the impulse of the normal
 * row of its contact: normal >= 0 means |f| <= mu f[normal]. */
#ifndef SINEW_SOLVE_LCP_H
#define SINEW_SOLVE_LCP_H

#include "sinew/sinew.h"

struct sn__bound {
    double lo, hi; /* of rows without a normal row; -infinity, infinity: bilateral */
    int normal;    /* the row whose impulse bounds this one, or -1 */
    double mu;
    bool one_way; /* with normal: 0 <= f <= mu f[normal], kokkevis-2004 eq. 20, 21 */
};

/* Lemke's algorithm on the standard problem w = M z + q, w, z >= 0, w z = 0. M [n * n] need not be
   symmetric. Returns the number of pivots, or -1 when it ends on a ray or runs out of pivots; z is then
   the best there is. work has sn__lemke_room(n) values. */
int sn__lemke(int n, const double *M, const double *q, double *z, double *work);
size_t sn__lemke_room(int n);

/* The bounded problem by Lemke's algorithm: bilateral rows are eliminated first, two-sided bounds and friction become
   rows of their own (friction by axis: a pyramid). Singular and contradictory systems end with a finite f.
   Returns pivots, or -1 when no solution was found: f is then the better of what Lemke's algorithm and Gauss-Seidel found. work
   has sn__lcp_room(n) values. */
int sn__lcp_direct(int n, const double *A, const double *b, const struct sn__bound *bound, double *f,
                   double *work);
size_t sn__lcp_room(int n);

/* The bounded problem by Dantzig's algorithm, friction by axis: dantzig.c. Returns pivots, or -1 when it did not come to a
   solution: f is then finite and within its bounds. work has sn__dantzig_room(n) values. */
int sn__lcp_dantzig(int n, const double *A, const double *b, const struct sn__bound *bound, double *f,
                    double *work);
size_t sn__dantzig_room(int n);

/* x := (L U)^-1 x with the first `rank` rows and columns of factors `wide` wide; L has ones on its diagonal. */
void sn__lu_solve(const double *LU, int wide, int rank, double *x);

/* Whether all numbers are finite and the bounds make sense. */
bool sn__lcp_is_valid(int n, const double *A, const double *b, const struct sn__bound *bound);

/* How far f is from a solution, in units of w: the largest over the rows of |f - P(f - w / d)| d, P the
   projection onto the bounds, d = A[i][i] (1 where that is 0). With `cone` the two friction rows of a contact,
   which stand one after the other, are taken together. */
double sn__lcp_residual(int n, const double *A, const double *b, const struct sn__bound *bound, bool cone,
                        const double *f);

#endif
