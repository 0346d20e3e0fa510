/* Vectors and quaternions (w, x, y, z) in double, for setting up a model: plain and safe, not fast.
 * Results may be written over arguments. */
#ifndef SINEW_BASE_QUAT_H
#define SINEW_BASE_QUAT_H

#include "base/angle.h"

#include <math.h>
#include <stdbool.h>

static inline double dvec_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void dvec_cross(const double a[3], const double b[3], double out[3]) {
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    out[0] = x, out[1] = y, out[2] = z;
}

static inline double dvec_length(const double a[3]) {
    return sqrt(dvec_dot(a, a));
}

/* Scales n numbers to unit length, whatever their size: dividing by the largest first keeps the squares from
   overflow and underflow. False, and nothing done, when all are zero. */
static inline bool dvec_normalise_n(double *a, int n) {
    double largest = 0, sum = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(a[i]));
    if (!(largest > 0)) return false;
    for (int i = 0; i < n; i++)
        sum += (a[i] / largest) * (a[i] / largest);
    for (int i = 0; i < n; i++)
        a[i] = a[i] / largest / sqrt(sum);
    return true;
}

static inline bool dvec_normalise(double a[3]) {
    return dvec_normalise_n(a, 3);
}
static inline bool dquat_normalise(double q[4]) {
    return dvec_normalise_n(q, 4);
}

static inline void dquat_identity(double q[4]) {
    q[0] = 1;
    q[1] = q[2] = q[3] = 0;
}

/* The rotation b, then a: R(a b) = R(a) R(b). */
static inline void dquat_multiply(const double a[4], const double b[4], double out[4]) {
    double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    double y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    double z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
    out[0] = w, out[1] = x, out[2] = y, out[3] = z;
}

static inline void dquat_conjugate(const double q[4], double out[4]) {
    out[0] = q[0], out[1] = -q[1], out[2] = -q[2], out[3] = -q[3];
}

/* R(q) v = v + 2 w (u x v) + 2 u x (u x v), with u = (x, y, z). */
static inline void dquat_rotate(const double q[4], const double v[3], double out[3]) {
    double once[3], twice[3];
    dvec_cross(q + 1, v, once);
    dvec_cross(q + 1, once, twice);
    for (int i = 0; i < 3; i++)
        out[i] = v[i] + 2 * (q[0] * once[i] + twice[i]);
}

static inline void dquat_to_matrix(const double q[4], double R[3][3]) {
    double w = q[0], x = q[1], y = q[2], z = q[3];
    R[0][0] = 1 - 2 * (y * y + z * z), R[0][1] = 2 * (x * y - w * z), R[0][2] = 2 * (x * z + w * y);
    R[1][0] = 2 * (x * y + w * z), R[1][1] = 1 - 2 * (x * x + z * z), R[1][2] = 2 * (y * z - w * x);
    R[2][0] = 2 * (x * z - w * y), R[2][1] = 2 * (y * z + w * x), R[2][2] = 1 - 2 * (x * x + y * y);
}

/* exp(v/2): the rotation by |v| about v. */
static inline void dquat_exp(const double v[3], double q[4]) {
    double cosine, sinc;
    sn__cos_sinc(0.5 * dvec_length(v), &cosine, &sinc);
    q[0] = cosine;
    for (int i = 0; i < 3; i++)
        q[i + 1] = 0.5 * sinc * v[i];
}

/* The inverse of dquat_exp, at most pi long: of q and -q, the one that is nearer to the identity. With q = n (cos x, u sin x)
   it is 2 x u, and the vector part of q times 2 (x / sin x) / n. */
static inline void dquat_log(const double q[4], double v[3]) {
    double n = sqrt(q[0] * q[0] + dvec_dot(q + 1, q + 1)), sign = q[0] < 0 ? -1.0 : 1.0;
    double scale = n > 0 ? 2 * sign * sn__inverse_sinc(fabs(q[0]) / n) / n : 0.0;
    for (int i = 0; i < 3; i++)
        v[i] = scale * q[i + 1];
}

/* The shortest rotation that takes the z axis to the unit vector d. */
static inline void dquat_from_z(const double d[3], double q[4]) {
    double half[4] = {1 + d[2], -d[1], d[0], 0}; /* (1 + z.d, z x d) */
    if (!(half[0] > 1e-12)) half[0] = 0, half[1] = 1, half[2] = 0;
    dquat_normalise(half);
    for (int i = 0; i < 4; i++)
        q[i] = half[i];
}

#endif
