#include "model/inertia.h"

#include "base/quat.h"

#include <string.h>

static void unpack(const double J[6], double A[3][3]) {
    A[0][0] = J[0], A[1][1] = J[1], A[2][2] = J[2];
    A[0][1] = A[1][0] = J[3];
    A[0][2] = A[2][0] = J[4];
    A[1][2] = A[2][1] = J[5];
}

static void pack(double A[3][3], double J[6]) {
    J[0] = A[0][0], J[1] = A[1][1], J[2] = A[2][2];
    J[3] = A[0][1], J[4] = A[0][2], J[5] = A[1][2];
}

void sn__sym_rotate(const double rot[4], const double J[6], double out[6]) {
    double R[3][3], A[3][3], RA[3][3] = {{0}}, B[3][3] = {{0}};
    dquat_to_matrix(rot, R);
    unpack(J, A);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                RA[i][j] += R[i][k] * A[k][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                B[i][j] += RA[i][k] * R[j][k];
    pack(B, out);
}

void sn__sym_parallel_axis(double mass, const double d[3], double J[6]) {
    J[0] += mass * (d[1] * d[1] + d[2] * d[2]);
    J[1] += mass * (d[0] * d[0] + d[2] * d[2]);
    J[2] += mass * (d[0] * d[0] + d[1] * d[1]);
    J[3] -= mass * d[0] * d[1];
    J[4] -= mass * d[0] * d[2];
    J[5] -= mass * d[1] * d[2];
}

double sn__sym_between(const double a[3], const double J[6], const double b[3]) {
    double Jb[3] = {J[0] * b[0] + J[3] * b[1] + J[4] * b[2], J[3] * b[0] + J[1] * b[1] + J[5] * b[2],
                    J[4] * b[0] + J[5] * b[1] + J[2] * b[2]};
    return dvec_dot(a, Jb);
}

/* One Jacobi rotation in the plane of p and q, which makes A[p][q] zero: A becomes G^T A G. */
static void jacobi_rotate(double A[3][3], int p, int q) {
    if (A[p][q] == 0) return;
    double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
    double t = (theta < 0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    int r = 3 - p - q;
    double arp = A[r][p], arq = A[r][q], apq = A[p][q];
    A[p][p] -= t * apq;
    A[q][q] += t * apq;
    A[p][q] = A[q][p] = 0;
    A[r][p] = A[p][r] = c * arp - s * arq;
    A[r][q] = A[q][r] = s * arp + c * arq;
}

/* Jacobi's method: it converges quadratically, so that a few sweeps are always enough, and keeps small
   eigenvalues accurate where the cubic formula would not. */
void sn__sym_eigenvalues(const double J[6], double value[3]) {
    enum { SWEEPS = 12 };
    double A[3][3];
    unpack(J, A);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        jacobi_rotate(A, 0, 1);
        jacobi_rotate(A, 0, 2);
        jacobi_rotate(A, 1, 2);
    }
    for (int i = 0; i < 3; i++)
        value[i] = A[i][i];
    for (int i = 1; i < 3; i++)
        for (int j = i; j > 0 && value[j] < value[j - 1]; j--) {
            double larger = value[j - 1];
            value[j - 1] = value[j];
            value[j] = larger;
        }
}

struct inertia sn__inertia_move(const struct inertia *part, const double pos[3], const double rot[4]) {
    struct inertia moved = {.mass = part->mass};
    dquat_rotate(rot, part->com, moved.com);
    for (int i = 0; i < 3; i++)
        moved.com[i] += pos[i];
    sn__sym_rotate(rot, part->J, moved.J);
    return moved;
}

/* The joint inertia is the sum of both and that of two points at the centres of mass, of reduced mass
   m1 m2 / (m1 + m2), about each other; nothing is subtracted, so that nothing cancels. */
struct inertia sn__inertia_join(const struct inertia *a, const struct inertia *b) {
    struct inertia sum = {.mass = a->mass + b->mass};
    if (a->mass == 0 || b->mass == 0) {
        memcpy(sum.com, a->mass == 0 ? b->com : a->com, sizeof sum.com);
    } else {
        for (int i = 0; i < 3; i++)
            sum.com[i] = a->com[i] + b->mass / sum.mass * (b->com[i] - a->com[i]);
    }
    for (int i = 0; i < 6; i++)
        sum.J[i] = a->J[i] + b->J[i];
    double apart[3] = {b->com[0] - a->com[0], b->com[1] - a->com[1], b->com[2] - a->com[2]};
    if (a->mass > 0 && b->mass > 0) sn__sym_parallel_axis(a->mass * (b->mass / sum.mass), apart, sum.J);
    return sum;
}
