#include "motion/fit.h"

#include "base/quat.h"

#include <string.h>

/* Whether some two of the arms are apart: |a x b| / (|a| |b|) is a sine. */
static bool spread(int n, const double arm[][3]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double across[3];
            dvec_cross(arm[i], arm[j], across);
            if (dvec_length(across) > 0.05 * dvec_length(arm[i]) * dvec_length(arm[j])) return true;
        }
    return false;
}

bool sn__fit_rotation(int n, const double from[][3], const double to[][3], double q[4]) {
    if (!spread(n, from) || !spread(n, to)) return false;
    double S[3][3] = {{0}};
    for (int i = 0; i < n; i++) {
        double a[3], b[3];
        memcpy(a, from[i], sizeof a);
        memcpy(b, to[i], sizeof b);
        if (!dvec_normalise(a) || !dvec_normalise(b)) continue;
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++)
                S[k][l] += a[k] * b[l];
    }
    /* The quaternion is the eigenvector of the largest eigenvalue of N; 3n is no less than the size of any of them, and
       added to the diagonal it lets plain iteration find that one. */
    const double N[4][4] = {
        {S[0][0] + S[1][1] + S[2][2], S[1][2] - S[2][1], S[2][0] - S[0][2], S[0][1] - S[1][0]},
        {S[1][2] - S[2][1], S[0][0] - S[1][1] - S[2][2], S[0][1] + S[1][0], S[2][0] + S[0][2]},
        {S[2][0] - S[0][2], S[0][1] + S[1][0], S[1][1] - S[0][0] - S[2][2], S[1][2] + S[2][1]},
        {S[0][1] - S[1][0], S[2][0] + S[0][2], S[1][2] + S[2][1], S[2][2] - S[0][0] - S[1][1]}};
    double x[4] = {0.9, 0.25, 0.3, 0.2}; /* in no special direction */
    for (int step = 0; step < 2000; step++) {
        double y[4], change = 0;
        for (int k = 0; k < 4; k++) {
            y[k] = 3.0 * n * x[k];
            for (int l = 0; l < 4; l++)
                y[k] += N[k][l] * x[l];
        }
        dquat_normalise(y);
        for (int k = 0; k < 4; k++)
            change = fmax(change, fabs(y[k] - x[k]));
        memcpy(x, y, sizeof x);
        if (change < 1e-15) break;
    }
    memcpy(q, x, sizeof x);
    return true;
}
