/* Three-vectors, matrices and quaternions over `real`: structs with named fields, passed by value, so that
 * a compiler keeps them in registers. */
#ifndef SINEW_KERNELS_TREE_VEC_H
#define SINEW_KERNELS_TREE_VEC_H

#include "base/shared.h"
#include "kernels/tree/lane.h"

typedef struct {
    real x, y, z;
} vec3;

typedef struct { /* symmetric */
    real xx, yy, zz, xy, xz, yz;
} sym3;

typedef struct { /* rows x, y, z */
    real xx, xy, xz, yx, yy, yz, zx, zy, zz;
} mat3;

typedef struct {
    real w, x, y, z;
} quat;

KERNEL vec3 vec_splat(const SHARED elem *a) {
    return (vec3){splat(a[0]), splat(a[1]), splat(a[2])};
}

KERNEL vec3 vec_zero(void) {
    return (vec3){splat(0), splat(0), splat(0)};
}

KERNEL vec3 vec_load(const real *a) {
    return (vec3){a[0], a[1], a[2]};
}

KERNEL void vec_store(real *a, vec3 v) {
    a[0] = v.x, a[1] = v.y, a[2] = v.z;
}

KERNEL vec3 add(vec3 a, vec3 b) {
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

KERNEL vec3 sub(vec3 a, vec3 b) {
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

KERNEL vec3 scale(vec3 a, real s) {
    return (vec3){a.x * s, a.y * s, a.z * s};
}

KERNEL vec3 add_scaled(vec3 a, vec3 b, real s) { /* a + s b */
    return (vec3){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}

KERNEL vec3 times(vec3 a, vec3 b) { /* by components */
    return (vec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

KERNEL real dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

KERNEL vec3 cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Sums below are written as chains, x + a b + c d, so that every product fuses with an addition. */
KERNEL vec3 add_cross(vec3 x, vec3 a, vec3 b) { /* x + a x b */
    return (vec3){x.x + a.y * b.z - a.z * b.y, x.y + a.z * b.x - a.x * b.z, x.z + a.x * b.y - a.y * b.x};
}

KERNEL vec3 mul(mat3 A, vec3 v) { /* A v */
    return (vec3){A.xx * v.x + A.xy * v.y + A.xz * v.z, A.yx * v.x + A.yy * v.y + A.yz * v.z,
                  A.zx * v.x + A.zy * v.y + A.zz * v.z};
}

KERNEL vec3 mul_t(mat3 A, vec3 v) { /* A^T v */
    return (vec3){A.xx * v.x + A.yx * v.y + A.zx * v.z, A.xy * v.x + A.yy * v.y + A.zy * v.z,
                  A.xz * v.x + A.yz * v.y + A.zz * v.z};
}

KERNEL vec3 sym_mul(sym3 A, vec3 v) { /* A v */
    return (vec3){A.xx * v.x + A.xy * v.y + A.xz * v.z, A.xy * v.x + A.yy * v.y + A.yz * v.z,
                  A.xz * v.x + A.yz * v.y + A.zz * v.z};
}

KERNEL vec3 add_mul(vec3 x, mat3 A, vec3 v) { /* x + A v */
    return (vec3){x.x + A.xx * v.x + A.xy * v.y + A.xz * v.z, x.y + A.yx * v.x + A.yy * v.y + A.yz * v.z,
                  x.z + A.zx * v.x + A.zy * v.y + A.zz * v.z};
}

KERNEL vec3 sub_mul(vec3 x, mat3 A, vec3 v) { /* x - A v */
    return (vec3){x.x - A.xx * v.x - A.xy * v.y - A.xz * v.z, x.y - A.yx * v.x - A.yy * v.y - A.yz * v.z,
                  x.z - A.zx * v.x - A.zy * v.y - A.zz * v.z};
}

KERNEL vec3 add_mul_t(vec3 x, mat3 A, vec3 v) { /* x + A^T v */
    return (vec3){x.x + A.xx * v.x + A.yx * v.y + A.zx * v.z, x.y + A.xy * v.x + A.yy * v.y + A.zy * v.z,
                  x.z + A.xz * v.x + A.yz * v.y + A.zz * v.z};
}

KERNEL vec3 add_sym_mul(vec3 x, sym3 A, vec3 v) { /* x + A v */
    return (vec3){x.x + A.xx * v.x + A.xy * v.y + A.xz * v.z, x.y + A.xy * v.x + A.yy * v.y + A.yz * v.z,
                  x.z + A.xz * v.x + A.yz * v.y + A.zz * v.z};
}

KERNEL vec3 column_x(mat3 A) {
    return (vec3){A.xx, A.yx, A.zx};
}
KERNEL vec3 column_y(mat3 A) {
    return (vec3){A.xy, A.yy, A.zy};
}
KERNEL vec3 column_z(mat3 A) {
    return (vec3){A.xz, A.yz, A.zz};
}

KERNEL mat3 from_columns(vec3 a, vec3 b, vec3 c) {
    return (mat3){a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z};
}

KERNEL mat3 mat_add(mat3 A, mat3 B) {
    return (mat3){A.xx + B.xx, A.xy + B.xy, A.xz + B.xz, A.yx + B.yx, A.yy + B.yy,
                  A.yz + B.yz, A.zx + B.zx, A.zy + B.zy, A.zz + B.zz};
}

KERNEL sym3 sym_add(sym3 A, sym3 B) {
    return (sym3){A.xx + B.xx, A.yy + B.yy, A.zz + B.zz, A.xy + B.xy, A.xz + B.xz, A.yz + B.yz};
}

KERNEL sym3 sym_add_diagonal(sym3 A, vec3 d) {
    return (sym3){A.xx + d.x, A.yy + d.y, A.zz + d.z, A.xy, A.xz, A.yz};
}

KERNEL sym3 sym_scale(sym3 A, real s) {
    return (sym3){A.xx * s, A.yy * s, A.zz * s, A.xy * s, A.xz * s, A.yz * s};
}

KERNEL mat3 mat_scale(mat3 A, real s) {
    return (mat3){A.xx * s, A.xy * s, A.xz * s, A.yx * s, A.yy * s, A.yz * s, A.zx * s, A.zy * s, A.zz * s};
}

KERNEL mat3 sym_to_mat(sym3 A) {
    return (mat3){A.xx, A.xy, A.xz, A.xy, A.yy, A.yz, A.xz, A.yz, A.zz};
}

KERNEL mat3 sym_mul_mat(sym3 A, mat3 B) { /* A B */
    return (mat3){A.xx * B.xx + A.xy * B.yx + A.xz * B.zx, A.xx * B.xy + A.xy * B.yy + A.xz * B.zy,
                  A.xx * B.xz + A.xy * B.yz + A.xz * B.zz, A.xy * B.xx + A.yy * B.yx + A.yz * B.zx,
                  A.xy * B.xy + A.yy * B.yy + A.yz * B.zy, A.xy * B.xz + A.yy * B.yz + A.yz * B.zz,
                  A.xz * B.xx + A.yz * B.yx + A.zz * B.zx, A.xz * B.xy + A.yz * B.yy + A.zz * B.zy,
                  A.xz * B.xz + A.yz * B.yz + A.zz * B.zz};
}

/* A B for symmetric A and B whose product is symmetric too (they commute): six entries. */
KERNEL sym3 sym_mul_commuting(sym3 A, sym3 B) {
    return (sym3){A.xx * B.xx + A.xy * B.xy + A.xz * B.xz, A.xy * B.xy + A.yy * B.yy + A.yz * B.yz,
                  A.xz * B.xz + A.yz * B.yz + A.zz * B.zz, A.xx * B.xy + A.xy * B.yy + A.xz * B.yz,
                  A.xx * B.xz + A.xy * B.yz + A.xz * B.zz, A.xy * B.xz + A.yy * B.yz + A.yz * B.zz};
}

/* S - A^T B for A, B whose product A^T B is symmetric. */
KERNEL sym3 sym_sub_product(sym3 S, mat3 A, mat3 B) {
    return (sym3){
        S.xx - A.xx * B.xx - A.yx * B.yx - A.zx * B.zx, S.yy - A.xy * B.xy - A.yy * B.yy - A.zy * B.zy,
        S.zz - A.xz * B.xz - A.yz * B.yz - A.zz * B.zz, S.xy - A.xx * B.xy - A.yx * B.yy - A.zx * B.zy,
        S.xz - A.xx * B.xz - A.yx * B.yz - A.zx * B.zz, S.yz - A.xy * B.xz - A.yy * B.yz - A.zy * B.zz};
}

KERNEL sym3 sym_sub_outer(sym3 S, vec3 a, vec3 b) { /* S - a b^T, for a parallel to b */
    return (sym3){S.xx - a.x * b.x, S.yy - a.y * b.y, S.zz - a.z * b.z,
                  S.xy - a.x * b.y, S.xz - a.x * b.z, S.yz - a.y * b.z};
}

KERNEL mat3 mat_sub_outer(mat3 A, vec3 a, vec3 b) { /* A - a b^T */
    return (mat3){A.xx - a.x * b.x, A.xy - a.x * b.y, A.xz - a.x * b.z, A.yx - a.y * b.x, A.yy - a.y * b.y,
                  A.yz - a.y * b.z, A.zx - a.z * b.x, A.zy - a.z * b.y, A.zz - a.z * b.z};
}

/* R A R^T. */
KERNEL sym3 sym_rotate(mat3 Rm, sym3 A) {
    const mat3 T = {Rm.xx * A.xx + Rm.xy * A.xy + Rm.xz * A.xz, Rm.xx * A.xy + Rm.xy * A.yy + Rm.xz * A.yz,
                    Rm.xx * A.xz + Rm.xy * A.yz + Rm.xz * A.zz, Rm.yx * A.xx + Rm.yy * A.xy + Rm.yz * A.xz,
                    Rm.yx * A.xy + Rm.yy * A.yy + Rm.yz * A.yz, Rm.yx * A.xz + Rm.yy * A.yz + Rm.yz * A.zz,
                    Rm.zx * A.xx + Rm.zy * A.xy + Rm.zz * A.xz, Rm.zx * A.xy + Rm.zy * A.yy + Rm.zz * A.yz,
                    Rm.zx * A.xz + Rm.zy * A.yz + Rm.zz * A.zz};
    return (sym3){T.xx * Rm.xx + T.xy * Rm.xy + T.xz * Rm.xz, T.yx * Rm.yx + T.yy * Rm.yy + T.yz * Rm.yz,
                  T.zx * Rm.zx + T.zy * Rm.zy + T.zz * Rm.zz, T.xx * Rm.yx + T.xy * Rm.yy + T.xz * Rm.yz,
                  T.xx * Rm.zx + T.xy * Rm.zy + T.xz * Rm.zz, T.yx * Rm.zx + T.yy * Rm.zy + T.yz * Rm.zz};
}

/* R diag(d) R^T. */
KERNEL sym3 sym_rotate_diagonal(mat3 Rm, vec3 d) {
    const mat3 T = {Rm.xx * d.x, Rm.xy * d.y, Rm.xz * d.z, Rm.yx * d.x, Rm.yy * d.y,
                    Rm.yz * d.z, Rm.zx * d.x, Rm.zy * d.y, Rm.zz * d.z};
    return (sym3){T.xx * Rm.xx + T.xy * Rm.xy + T.xz * Rm.xz, T.yx * Rm.yx + T.yy * Rm.yy + T.yz * Rm.yz,
                  T.zx * Rm.zx + T.zy * Rm.zy + T.zz * Rm.zz, T.xx * Rm.yx + T.xy * Rm.yy + T.xz * Rm.yz,
                  T.xx * Rm.zx + T.xy * Rm.zy + T.xz * Rm.zz, T.yx * Rm.zx + T.yy * Rm.zy + T.yz * Rm.zz};
}

/* A [v], rows A_i x v. */
KERNEL mat3 sym_mul_skew(sym3 A, vec3 v) {
    return (mat3){A.xy * v.z - A.xz * v.y, A.xz * v.x - A.xx * v.z, A.xx * v.y - A.xy * v.x,
                  A.yy * v.z - A.yz * v.y, A.yz * v.x - A.xy * v.z, A.xy * v.y - A.yy * v.x,
                  A.yz * v.z - A.zz * v.y, A.zz * v.x - A.xz * v.z, A.xz * v.y - A.yz * v.x};
}

/* m 1 + [v] B for B such that [v] B is symmetric: m 1 - [v]^T A [v] with B = A [v]. */
KERNEL sym3 diagonal_add_skew_mul(real m, vec3 v, mat3 B) {
    return (sym3){m + v.y * B.zx - v.z * B.yx, m + v.z * B.xy - v.x * B.zy, m + v.x * B.yz - v.y * B.xz,
                  v.y * B.zy - v.z * B.yy,     v.y * B.zz - v.z * B.yz,     v.z * B.xz - v.x * B.zz};
}

/* Inverse of a symmetric positive definite matrix through A = L D L^T: in float the cofactor formula loses
   twice as many digits (docs/theory.md, "Small inverses"). The first two pivots share one division: 1/D_x
   = m/(A_xx m) and 1/D_y = A_xx^2/(A_xx m), with m the leading 2x2 minor A_xx D_y. */
KERNEL sym3 sym_inverse(sym3 A) {
    const real m = A.xx * A.yy - A.xy * A.xy;
    const real s = R(1) / (A.xx * m);
    const real ix = m * s, iy = A.xx * (A.xx * s); /* L = (1; a 1; b c 1), D = (1/ix, 1/iy, 1/iz) */
    const real a = A.xy * ix, b = A.xz * ix;
    const real t = A.yz - a * A.xz;
    const real c = t * iy;
    const real iz = R(1) / (A.zz - b * A.xz - c * t);
    const real d = a * c - b; /* L^-1 = (1; -a 1; d -c 1) */
    sym3 B;                   /* L^-T D^-1 L^-1 */
    B.zz = iz;
    B.yz = -(c * iz);
    B.xz = d * iz;
    B.yy = iy - c * B.yz;
    B.xy = d * B.yz - a * iy;
    B.xx = ix + a * (a * iy) + d * B.xz;
    return B;
}

KERNEL vec3 vec_choose(mask m, vec3 a, vec3 b) {
    return (vec3){choose(m, a.x, b.x), choose(m, a.y, b.y), choose(m, a.z, b.z)};
}

KERNEL sym3 sym_choose(mask m, sym3 a, sym3 b) {
    return (sym3){choose(m, a.xx, b.xx), choose(m, a.yy, b.yy), choose(m, a.zz, b.zz),
                  choose(m, a.xy, b.xy), choose(m, a.xz, b.xz), choose(m, a.yz, b.yz)};
}

KERNEL mat3 mat_choose(mask m, mat3 a, mat3 b) {
    return (mat3){choose(m, a.xx, b.xx), choose(m, a.xy, b.xy), choose(m, a.xz, b.xz),
                  choose(m, a.yx, b.yx), choose(m, a.yy, b.yy), choose(m, a.yz, b.yz),
                  choose(m, a.zx, b.zx), choose(m, a.zy, b.zy), choose(m, a.zz, b.zz)};
}

KERNEL quat quat_splat(const SHARED elem *a) {
    return (quat){splat(a[0]), splat(a[1]), splat(a[2]), splat(a[3])};
}

KERNEL quat quat_load(const real *a) {
    return (quat){a[0], a[1], a[2], a[3]};
}

KERNEL void quat_store(real *a, quat q) {
    a[0] = q.w, a[1] = q.x, a[2] = q.y, a[3] = q.z;
}

KERNEL quat quat_mul(quat a, quat b) {
    return (quat){
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

KERNEL quat quat_conj_mul(quat a, quat b) { /* a^-1 b, for a of unit length */
    return (quat){
        a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z, a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y,
        a.w * b.y + a.x * b.z - a.y * b.w - a.z * b.x, a.w * b.z - a.x * b.y + a.y * b.x - a.z * b.w};
}

KERNEL mat3 quat_matrix(quat q) {
    const real x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    const real wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    const real xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    const real xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    return (mat3){R(1) - yy - zz, xy - wz, xz + wy, xy + wz,       R(1) - xx - zz,
                  yz - wx,        xz - wy, yz + wx, R(1) - xx - yy};
}

/* One Newton step towards unit length: enough where |q| is 1 up to rounding. */
KERNEL quat quat_renormalise(quat q) {
    const real n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    const real s = R(1.5) - R(0.5) * n;
    return (quat){q.w * s, q.x * s, q.y * s, q.z * s};
}

#endif
