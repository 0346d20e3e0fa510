/* Rotations: logarithm and exponential of quaternions, sine and cosine, and the derivative of the
 * exponential map.
 *
 * No libm: each is a polynomial fitted once (Chebyshev nodes, 50 digits) to the accuracy of the lane's
 * precision, so that every machine and every width computes the same. Errors are given beside the
 * coefficients. */
#ifndef SINEW_KERNELS_TREE_ROTATION_H
#define SINEW_KERNELS_TREE_ROTATION_H

#include "base/angle_poly.h"
#include "kernels/tree/vec.h"

#define PI 3.14159265358979323846

#if LANE_BITS == 64
SHARED_TABLE elem LOG_POLY[] = {SN__LOG_POLY};
SHARED_TABLE elem COS_POLY[] = {SN__COS_POLY};
SHARED_TABLE elem SINC_POLY[] = {SN__SINC_POLY};
/* (1 - h cot h) / t with h = sqrt t / 2, for 0 <= t <= pi^2: 9e-19 */
SHARED_TABLE elem BETA_POLY[] = {0.083333333333333334,    0.00138888888888885683,  0.0000330687830690249253,
                                 8.2671957600119219e-7,   2.08767581022563229e-8,  5.28417976151346137e-10,
                                 1.33831648075897821e-11, 3.38708456605504436e-13, 8.6613642955591191e-15,
                                 2.01934942161758134e-16, 7.79650339505252683e-18, -9.65449908244833799e-20,
                                 2.00062339425060585e-20, -6.2715522998602464e-22, 1.81554600773240263e-23};
#define ROUND_MAGIC 6755399441055744.0 /* 1.5 * 2^52: adding it rounds to an integer in the low bits */
SHARED_TABLE elem HALF_PI_PARTS[] = {1.570796251296997, 7.549789415861596e-8, 5.390302858158119e-15};
#else
/* as in double: 2e-8, 3e-10, 2e-11, 2e-9 */
SHARED_TABLE elem LOG_POLY[] = {
    1.0f,           0.3333353814f,   0.1332665723f,  0.05797780151f,  0.02016348981f,
    0.03005917597f, -0.03355299779f, 0.05097575848f, -0.03259168873f, 0.01116282423f};
SHARED_TABLE elem COS_POLY[] = {
    1.0f, -0.4999999932f, 0.04166663493f, -0.001388834447f, 2.475929019e-5f, -2.603597543e-7f};
SHARED_TABLE elem SINC_POLY[] = {
    1.0f, -0.1666666661f, 0.008333330879f, -0.0001984084893f, 2.752463514e-6f, -2.387784618e-8f};
SHARED_TABLE elem BETA_POLY[] = {0.08333333433f,  0.00138887902f,   3.308457236e-5f, 8.173688215e-7f,
                                 2.346262233e-8f, 1.744505393e-10f, 3.532634072e-11f};
#define ROUND_MAGIC 12582912.0f /* 1.5 * 2^23 */
SHARED_TABLE elem HALF_PI_PARTS[] = {1.5703125f, 4.837512969970703125e-4f, 7.549789948768648e-8f};
#endif

/* c[0] + c[1] x + ... as an even and an odd Horner chain, side by side. */
KERNEL real polynomial(const SHARED elem *c, int n, real x) {
    const real x2 = x * x;
    const int top_even = (n - 1) & ~1, top_odd = ((n - 2) & ~1) + 1;
    real even = splat(c[top_even]), odd = splat(c[top_odd]);
    for (int i = top_even - 2; i >= 0; i -= 2)
        even = even * x2 + c[i];
    for (int i = top_odd - 2; i >= 1; i -= 2)
        odd = odd * x2 + c[i];
    return odd * x + even;
}
#define POLYNOMIAL(c, x) polynomial(c, (int)(sizeof(c) / sizeof *(c)), x)

/* The rotation vector of a unit quaternion, on the shortest way: 2 acos|w| / sin acos|w| times the vector
   part. */
KERNEL vec3 quat_log(quat q) {
    const real s = R(2) * POLYNOMIAL(LOG_POLY, R(1) - absolute(q.w));
    return scale((vec3){q.x, q.y, q.z}, flip_sign(s, q.w));
}

/* The quaternion of a rotation vector. Vectors longer than pi are shortened to pi: no step of a simulation
   that can be trusted turns a body further. */
KERNEL quat quat_exp(vec3 u) {
    const real limit = splat(R(PI * PI / 4));
    real t = R(0.25) * dot(u, u), half = splat(R(0.5));
    const mask long_way = less(limit, t);
    if (any(long_way)) {
        half = choose(long_way, R(0.5) * square_root(limit / t), half);
        t = choose(long_way, limit, t);
    }
    const real s = half * POLYNOMIAL(SINC_POLY, t);
    return (quat){POLYNOMIAL(COS_POLY, t), u.x * s, u.y * s, u.z * s};
}

/* sin x and cos x for |x| up to 1e5 (double) or 1e3 (float) at full accuracy: x = r + k pi/2, |r| <= pi/4. */
KERNEL void sin_cos(real x, real *sine, real *cosine) {
    const real rounded = x * R(2 / PI) + R(ROUND_MAGIC);
    const mask k = bits_of(rounded);
    const real kf = rounded - R(ROUND_MAGIC);
    real r = x - kf * HALF_PI_PARTS[0];
    r = r - kf * HALF_PI_PARTS[1];
    r = r - kf * HALF_PI_PARTS[2];
    const real t = r * r;
    const real s = r * POLYNOMIAL(SINC_POLY, t), c = POLYNOMIAL(COS_POLY, t);
    const mask swap = is_nonzero(k & (1 | (mask){0}));
    *sine = flip_sign(choose(swap, c, s), real_of(shift_left(k, LANE_BITS - 2)));
    *cosine = flip_sign(choose(swap, s, c), real_of(shift_left(k + 1, LANE_BITS - 2)));
}

/* The quaternion of a turn about a unit axis. */
KERNEL quat quat_turn(vec3 axis, real angle) {
    real s, c;
    sin_cos(R(0.5) * angle, &s, &c);
    return (quat){c, axis.x * s, axis.y * s, axis.z * s};
}

/* Jr(u)^-1 w, the rate of the rotation vector u of Q = Q0 exp(u) whose body angular velocity is w:
     u' = w + u x w / 2 + beta(|u|^2) u x (u x w).
   With -u in place of u it is the transpose, Jr(u)^-T w. Good for |u| <= pi. */
KERNEL vec3 right_jacobian_inverse(vec3 u, vec3 w) {
    const real beta = POLYNOMIAL(BETA_POLY, minimum(dot(u, u), splat(R(PI * PI))));
    const vec3 uw = cross(u, w);
    return add_scaled(add_scaled(w, uw, splat(R(0.5))), cross(u, uw), beta);
}

#endif
