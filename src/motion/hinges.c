/* Damped Gauss-Newton on the rotation that is left over. */
#include "motion/hinges.h"

#include "base/quat.h"

#include <string.h>

void sn__hinge_add(struct hinge_row *row, const double fixed[4], const double axis[3]) {
    if (row->count >= HINGES_MOST) return;
    dquat_identity(row->fixed[row->count]);
    if (fixed) memcpy(row->fixed[row->count], fixed, sizeof row->fixed[0]);
    memcpy(row->axis[row->count++], axis, sizeof row->axis[0]);
}

/* Where the row ends, and each axis in the axes there. */
static void go_along(const struct hinge_row *row, const double base[4], const double *angle, double end[4],
                     double J[][3]) {
    double at[HINGES_MOST][4];
    memcpy(end, base, 4 * sizeof *end);
    for (int i = 0; i < row->count; i++) {
        double turn[3], by[4];
        for (int k = 0; k < 3; k++)
            turn[k] = angle[i] * row->axis[i][k];
        dquat_exp(turn, by);
        dquat_multiply(end, row->fixed[i], end);
        dquat_multiply(end, by, end);
        memcpy(at[i], end, sizeof at[i]);
    }
    for (int i = 0; i < row->count; i++) { /* the axis is the same before and behind its own turn */
        double back[4];
        dquat_conjugate(end, back);
        dquat_rotate(at[i], row->axis[i], J[i]);
        dquat_rotate(back, J[i], J[i]);
    }
}

/* Solves the symmetric A x = b by cofactors. */
static void solve3(const double A[3][3], const double b[3], double x[3]) {
    double c[3][3];
    for (int i = 0; i < 3; i++)
        dvec_cross(A[(i + 1) % 3], A[(i + 2) % 3], c[i]);
    const double det = dvec_dot(A[0], c[0]);
    for (int i = 0; i < 3; i++)
        x[i] = (c[0][i] * b[0] + c[1][i] * b[1] + c[2][i] * b[2]) / det;
}

void sn__hinge_solve(const struct hinge_row *row, const double base[4], const double target[4],
                     double *angle) {
    const double damping = 1e-6;
    for (int step = 0; step < 30; step++) {
        double end[4], left[4], e[3], J[HINGES_MOST][3], A[3][3] = {{0}}, x[3], largest = 0;
        go_along(row, base, angle, end, J);
        dquat_conjugate(end, left);
        dquat_multiply(left, target, left);
        dquat_log(left, e);
        for (int k = 0; k < 3; k++) {
            A[k][k] = damping;
            for (int l = 0; l < 3; l++)
                for (int i = 0; i < row->count; i++)
                    A[k][l] += J[i][k] * J[i][l];
        }
        solve3((const double(*)[3])A, e, x);
        for (int i = 0; i < row->count; i++) {
            const double change = fmax(-0.5, fmin(0.5, dvec_dot(J[i], x)));
            angle[i] += change;
            largest = fmax(largest, fabs(change));
        }
        if (largest < 1e-12) break;
    }
}
