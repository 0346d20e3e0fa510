/* Factors of a sparse matrix with a symmetric pattern, within its envelope: envelope.c. */
#ifndef SINEW_SOLVE_ENVELOPE_H
#define SINEW_SOLVE_ENVELOPE_H

#include <stdbool.h>

struct sn__envelope {
    int n;
    const int *first; /* [n] the first column of row i, and the first row of column i; at most i */
    const int *at;    /* [n] where row i begins in L and column i in U; i - first[i] + 1 values each */
    double *L, *U;    /* in: A below the diagonal, and A from the diagonal up; out: the factors */
};

/* Row i of L, or column i of U, to be indexed from first[i] to i. */
static inline double *sn__envelope_lower(const struct sn__envelope *e, int i) {
    return e->L + e->at[i] - e->first[i];
}
static inline double *sn__envelope_upper(const struct sn__envelope *e, int i) {
    return e->U + e->at[i] - e->first[i];
}
/* False when a pivot vanishes. */
bool sn__envelope_factor(const struct sn__envelope *e);
/* x = A^-1 x. */
void sn__envelope_solve(const struct sn__envelope *e, double *x);

#endif
