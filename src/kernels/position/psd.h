/* The positive semidefinite part of a symmetric 3x3 matrix: its eigenvalues below zero replaced by zero.
 *
 * Unless X or -X is semidefinite itself, one eigenvalue has a sign of its own: det X tells which. Let Z be X
 * or -X, so that this is the largest eigenvalue l of Z and positive; then
 *
 *     psd(Z) = l (Z - l2 1)(Z - l3 1) / ((l - l2)(l - l3))        = l q(Z) / p'(l),  p(z) = (z - l) q(z)
 *     psd(X) = psd(Z) for Z = X,   X + psd(Z) for Z = -X.
 *
 * The denominator is at least l times the largest of them all: nothing is divided by a small difference. For any
 * z >= l the matrix q(Z) has no negative eigenvalue either, as q(l_i) = p(z) / (z - l_i): so l is
 * approached from above, and the result is semidefinite however well it is known. */
#ifndef SINEW_KERNELS_POSITION_PSD_H
#define SINEW_KERNELS_POSITION_PSD_H

#include "kernels/tree/vec.h"

/* As minimum, maximum and choose: one lane has instructions for them. */
#if LANE_WIDTH == 1
KERNEL real pick(mask m, real a, real b) {
    return m ? a : b;
}

KERNEL real lesser(real a, real b) {
    return a < b ? a : b;
}

KERNEL real greater(real a, real b) {
    return a < b ? b : a;
}
#else
#define pick choose
#define lesser minimum
#define greater maximum
#endif

KERNEL real sym_determinant(sym3 X) {
    return X.xx * (X.yy * X.zz - X.yz * X.yz) - X.xy * (X.xy * X.zz - X.yz * X.xz) +
           X.xz * (X.xy * X.yz - X.yy * X.xz);
}

/* Sum of the three principal minors. */
KERNEL real sym_minors(sym3 X) {
    return X.xx * X.yy - X.xy * X.xy + X.xx * X.zz - X.xz * X.xz + X.yy * X.zz - X.yz * X.yz;
}

/* An upper bound of the largest eigenvalue of a matrix with these invariants, close to it. With m = trace / 3 it is m + 2 p y,
   p^2 = m^2 - minors / 3, 4 y^3 - 3 y = r = (det - m minors + 2 m^3) / 2 p^3. That is cos(2/3 acos s), s = sqrt((1 + r) / 2):
   a polynomial in s that is never below it and at most 1.4e-4 s above, then one step of Newton's method, which from above
   does not overshoot: 3e-8. Where s is zero there are two largest ones and no slope. */
KERNEL real largest_eigenvalue(real trace, real minors, real det) {
    const real m = trace * R(1.0 / 3), square = greater(m * m - minors * R(1.0 / 3), splat(0));
    const real p = square_root(square), cube = p * square;
    const mask flat = not_less(splat(0), cube); /* a multiple of 1, or too small to tell from one */
    real r = R(0.5) * (det + m * (R(2) * m * m - minors)) / pick(flat, splat(1), cube);
    r = greater(splat(-1), lesser(splat(1), r));
    const real s = square_root(R(0.5) + R(0.5) * r);
    const real s2 = s * s;
    real y = (R(0.5) + s * R(0.57735026919)) +
             s2 * ((R(-1.0 / 9) + s * R(0.0535)) + s2 * (R(-0.0286) + s * R(0.009)));
    const real slope = R(12) * y * y - R(3), f = y * (R(4) * y * y - R(3)) - r;
    y = y - f / greater(slope, splat(LANE_BITS == 64 ? R(1e-7) : R(1e-3)));
    return m + R(2) * p * y;
}

/* X where it is semidefinite, `weight` X where -X is, and between them X + (1 - weight) psd(-X), or what comes to the same,
   weight X + (1 - weight) psd(X): weight 0 makes psd(X) of it, and -1 the magnitude |X|. In all cases that is alpha X + beta
   X^2 + gamma 1, without a branch: where some lanes need all of it, the others wait anyway. */
KERNEL sym3 semidefinite(sym3 X, elem weight) {
    const real zero = splat(0), one = splat(1);
    const real minors = sym_minors(X), det = sym_determinant(X), sum = X.xx + X.yy + X.zz;
    const mask pairs = not_less(minors, zero), flip = less(det, zero);
    const mask above = pairs & ~flip & not_less(sum, zero);
    const mask mixed = ~(above | (pairs & not_less(zero, det) & not_less(zero, sum)));
    const real sign = pick(flip, splat(-1), one), trace = sum * sign; /* of Z */
    const real l = largest_eigenvalue(trace, minors, absolute(det));
    const real rest = trace - l, last = minors - l * rest; /* l2 + l3 and l2 l3 */
    /* p'(l) = (l - l2)(l - l3), two factors of at least l whose sum is 3 l - trace */
    const real slope = greater(l * (R(3) * l - R(2) * trace) + minors, l * (R(2) * l - trace));
    const real least = splat(LANE_BITS == 64 ? R(1e-300) : R(1e-36));
    const real factor =
        pick(mixed, greater(l, zero) * (R(1) - weight), zero) / pick(mixed, greater(slope, least), one);
    const real alpha = pick(above | (mixed & flip), one, splat(weight)) - factor * rest * sign;
    const real gamma = factor * last;
    const sym3 S = sym_mul_commuting(X, X);
    return (sym3){alpha * X.xx + factor * S.xx + gamma, alpha * X.yy + factor * S.yy + gamma,
                  alpha * X.zz + factor * S.zz + gamma, alpha * X.xy + factor * S.xy,
                  alpha * X.xz + factor * S.xz,         alpha * X.yz + factor * S.yz};
}

KERNEL sym3 psd_part(sym3 X) {
    return semidefinite(X, R(0));
}

KERNEL sym3 sym_magnitude(sym3 X) {
    return semidefinite(X, R(-1));
}

#endif
