/* A = L U within the envelope of a sparse matrix whose pattern is symmetric: row i of L and column i of U begin at
 * first[i], where the pattern does, and fill up from there. Both lie one behind the other, so that all that is done is
 * scalar products of neighbouring values:
 *
 *     U_ji = A_ji - sum_k L_jk U_ki,     L_ij = (A_ij - sum_k L_ik U_kj) / U_jj,     k from max(first[i], first[j])
 *
 * There are no exchanges: A is positive except for what sliding friction adds to it. A pivot that vanishes ends it. */
#include "solve/envelope.h"

#include <math.h>

/* In four sums, the same on every machine, that a compiler may keep abreast. */
static double product(const double *x, const double *y, int n) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        s0 += x[k] * y[k], s1 += x[k + 1] * y[k + 1];
        s2 += x[k + 2] * y[k + 2], s3 += x[k + 3] * y[k + 3];
    }
    for (; k < n; k++)
        s0 += x[k] * y[k];
    return (s0 + s1) + (s2 + s3);
}

bool sn__envelope_factor(const struct sn__envelope *e) {
    for (int i = 0; i < e->n; i++) {
        const int fi = e->first[i];
        double *Li = sn__envelope_lower(e, i), *Ui = sn__envelope_upper(e, i);
        const double whole = Ui[i];
        for (int j = fi; j < i; j++) {
            const int k = e->first[j] > fi ? e->first[j] : fi;
            const double *Lj = sn__envelope_lower(e, j), *Uj = sn__envelope_upper(e, j);
            Ui[j] -= product(Lj + k, Ui + k, j - k);
            Li[j] = (Li[j] - product(Li + k, Uj + k, j - k)) / Uj[j];
        }
        Ui[i] -= product(Li + fi, Ui + fi, i - fi);
        if (!(fabs(Ui[i]) > 1e-14 * fabs(whole))) return false;
    }
    return true;
}

void sn__envelope_solve(const struct sn__envelope *e, double *x) {
    for (int i = 0; i < e->n; i++) {
        const int fi = e->first[i];
        x[i] -= product(sn__envelope_lower(e, i) + fi, x + fi, i - fi);
    }
    for (int i = e->n - 1; i >= 0; i--) {
        const double *Ui = sn__envelope_upper(e, i);
        x[i] /= Ui[i];
        for (int k = e->first[i]; k < i; k++)
            x[k] -= Ui[k] * x[i];
    }
}
