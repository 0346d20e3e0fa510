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

#include "kernels/vec.h"

KERNEL real sym_determinant(sym3 X) {
    return X.xx * (X.yy * X.zz - X.yz * X.yz) - X.xy * (X.xy * X.zz - X.yz * X.xz) +
           X.xz * (X.xy * X.yz - X.yy * X.xz);
}

/* Sum of the three principal minors. */
KERNEL real sym_minors(sym3 X) {
    return X.xx * X.yy - X.xy * X.xy + X.xx * X.zz - X.xz * X.xz + X.yy * X.zz - X.yz * X.yz;
}

/* An upper bound of the largest eigenvalue, close to it: m + 2 p y with 4 y^3 - 3 y = r. y is cos(2/3 acos s), s =
   sqrt((1 + r) / 2), from a polynomial in s that is never below it and at most 1.4e-4 s above, then by one step of
   Newton's method, which from above does not overshoot: 3e-8. Where s is zero there are two largest ones and no slope. */
KERNEL real largest_eigenvalue(sym3 X, real trace) {
    const real m = trace * R(1.0 / 3);
    const sym3 B = {X.xx - m, X.yy - m, X.zz - m, X.xy, X.xz, X.yz};
    const real square =
        B.xx * B.xx + B.yy * B.yy + B.zz * B.zz + R(2) * (B.xy * B.xy + B.xz * B.xz + B.yz * B.yz);
    const real p = square_root(square * R(1.0 / 6)), cube = p * p * p;
    const mask flat = not_less(splat(0), cube); /* a multiple of 1, or too small to tell from one */
    real r = R(0.5) * sym_determinant(B) / choose(flat, splat(1), cube);
    r = maximum(splat(-1), minimum(splat(1), r));
    const real s = square_root(R(0.5) + R(0.5) * r);
    real y = s * (R(0.0535) + s * (R(-0.0286) + s * R(0.009)));
    y = R(0.5) + s * (R(0.57735026919) + s * (R(-1.0 / 9) + y));
    const real slope = R(12) * y * y - R(3), f = y * (R(4) * y * y - R(3)) - r;
    y = y - f / maximum(slope, splat(LANE_BITS == 64 ? R(1e-7) : R(1e-3)));
    return m + R(2) * p * y;
}

KERNEL sym3 sym_square(sym3 X) {
    return sym_mul_commuting(X, X);
}

/* psd(Z) as above, for a Z of which one eigenvalue is positive. */
KERNEL sym3 positive_part(sym3 Z, real trace, real minors) {
    const real l = largest_eigenvalue(Z, trace);
    const real rest = trace - l, last = minors - l * rest; /* l2 + l3 and l2 l3 */
    /* p'(l) = (l - l2)(l - l3), two factors of at least l whose sum is 3 l - trace */
    const real slope = maximum(l * (R(3) * l - R(2) * trace) + minors, l * (R(2) * l - trace));
    const real factor = maximum(l, splat(0)) / maximum(slope, splat(LANE_BITS == 64 ? R(1e-300) : R(1e-36)));
    const sym3 S = sym_square(Z);
    return (sym3){factor * (S.xx - rest * Z.xx + last), factor * (S.yy - rest * Z.yy + last),
                  factor * (S.zz - rest * Z.zz + last), factor * (S.xy - rest * Z.xy),
                  factor * (S.xz - rest * Z.xz),        factor * (S.yz - rest * Z.yz)};
}

KERNEL sym3 sym_choose(mask m, sym3 A, sym3 B) {
    return (sym3){choose(m, A.xx, B.xx), choose(m, A.yy, B.yy), choose(m, A.zz, B.zz),
                  choose(m, A.xy, B.xy), choose(m, A.xz, B.xz), choose(m, A.yz, B.yz)};
}

KERNEL sym3 psd_part(sym3 X) {
    const real zero = splat(0), trace = X.xx + X.yy + X.zz, minors = sym_minors(X), det = sym_determinant(X);
    const sym3 none = {zero, zero, zero, zero, zero, zero};
    const mask pairs = not_less(minors, zero);
    const mask above = pairs & not_less(det, zero) & not_less(trace, zero);
    const mask below = pairs & not_less(zero, det) & not_less(zero, trace);
    sym3 result = sym_choose(above, X, none);
    const mask mixed = ~(above | below);
    if (any(mixed)) { /* the other lanes stay as they are */
        const mask flip = less(det, zero);
        const sym3 minus = sym_scale(X, splat(-1)), Z = sym_choose(flip, minus, X);
        const sym3 P = positive_part(Z, choose(flip, -trace, trace), minors);
        result = sym_choose(mixed, sym_add(P, sym_choose(flip, X, none)), result);
    }
    return result;
}

/* |X| = 2 psd(X) - X. */
KERNEL sym3 sym_magnitude(sym3 X) {
    return sym_add(sym_scale(psd_part(X), splat(2)), sym_scale(X, splat(-1)));
}

#endif
