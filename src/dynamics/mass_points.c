#include "dynamics/mass_points.h"

#include <math.h>
#include <string.h>

#include "base/quat.h"

void sn__mass_spread(double mass, const double mc[3], const double J[6], double S[3][3]) {
    const double half = 0.5 * (J[0] + J[1] + J[2]);
    const double at[3][3] = {
        {half - J[0], -J[3], -J[4]}, {-J[3], half - J[1], -J[5]}, {-J[4], -J[5], half - J[2]}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            S[i][j] = at[i][j] / mass - mc[i] * mc[j] / (mass * mass);
}

/* L L^T = S: at the centre and sqrt(3) times a column of L away, on both sides, a sixth of the mass makes up S. */
void sn__mass_points(double mass, const double mc[3], const double S[3][3], double point[6][3]) {
    double L[3][3] = {{0}};
    for (int j = 0; j < 3; j++)
        for (int i = j; i < 3; i++) {
            double left = S[i][j];
            for (int k = 0; k < j; k++)
                left -= L[i][k] * L[j][k];
            if (i == j)
                L[j][j] = sqrt(fmax(left, 0));
            else
                L[i][j] = L[j][j] > 0 ? left / L[j][j] : 0;
        }
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < 3; i++)
            point[k][i] = mc[i] / mass + (k & 1 ? -1 : 1) * sqrt(3.0) * L[i][k / 2];
}

/* S to a high power is of rank one, or there is no such axis. */
void sn__mass_axis(const double spread[3][3], double axis[3]) {
    double S[3][3], next[3][3];
    memcpy(S, spread, sizeof S);
    for (int round = 0; round < 12; round++) {
        double size = 0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                next[i][j] = S[i][0] * S[0][j] + S[i][1] * S[1][j] + S[i][2] * S[2][j];
                size = fmax(size, fabs(next[i][j]));
            }
        for (int i = 0; i < 9; i++)
            S[i / 3][i % 3] = size > 0 ? next[i / 3][i % 3] / size : 0;
    }
    int best = 0;
    for (int i = 1; i < 3; i++)
        if (S[i][i] > S[best][best]) best = i;
    memcpy(axis, S[best], 3 * sizeof *axis);
    if (!dvec_normalise(axis)) axis[0] = 1;
}
