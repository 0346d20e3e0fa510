/* The gyroscopic matrix of a root: what makes the first solve of a spinning body semi-implicit.
 *
 * Where a ball or a free joint hangs on the world, w and J its angular velocity and articulated inertia, w x J w half a
 * step later is about w x J w + G alpha,
 *
 *     G = (h/2) ([w] J - [J w]).
 *
 * The root then solves with D + G instead of D. What the rest of the tree, rows and later sweeps see stays symmetric:
 * with Y the root's angular acceleration under a unit moment and alpha_s that of the symmetric solve,
 *
 *     alpha = alpha_s - Y G alpha = Z alpha_s,   Z = (1 + Y G)^-1,
 *
 * and G alpha is a bias moment of known size, which work.spin keeps. */
#ifndef SINEW_KERNELS_TREE_SPIN_H
#define SINEW_KERNELS_TREE_SPIN_H

#include "kernels/tree/kinematics.h"

/* A general 3x3 inverse, and its determinant. */
KERNEL mat3 mat_inverse(mat3 A, real *determinant) {
    const vec3 x = {A.xx, A.xy, A.xz}, y = {A.yx, A.yy, A.yz}, z = {A.zx, A.zy, A.zz};
    const vec3 yz = cross(y, z);
    const real det = dot(x, yz), s = R(1) / det;
    *determinant = det;
    return from_columns(scale(yz, s), scale(cross(z, x), s), scale(cross(x, y), s));
}

KERNEL mat3 mat_mul(mat3 A, mat3 B) { /* A B */
    return from_columns(mul(A, column_x(B)), mul(A, column_y(B)), mul(A, column_z(B)));
}

/* (h/2) ([w] J - [J w]). */
KERNEL mat3 gyroscopic(vec3 w, sym3 J, real half) {
    const vec3 u = scale(w, half), Ju = sym_mul(J, u);
    const mat3 S = sym_to_mat(J);
    const mat3 wJ = from_columns(cross(u, column_x(S)), cross(u, column_y(S)), cross(u, column_z(S)));
    return (mat3){wJ.xx,        wJ.xy + Ju.z, wJ.xz - Ju.y, wJ.yx - Ju.z, wJ.yy,
                  wJ.yz + Ju.x, wJ.zx + Ju.y, wJ.zy - Ju.x, wJ.zz};
}

/* Y of a free joint, from what solve_free has left: Dx + W Di W^T. */
KERNEL mat3 free_compliance(const struct free_response *s) {
    const mat3 W = s->W;
    const mat3 DW = sym_mul_mat(s->linear, (mat3){W.xx, W.yx, W.zx, W.xy, W.yy, W.zy, W.xz, W.yz, W.zz});
    return mat_add(sym_to_mat(s->angular), mat_mul(W, DW));
}

/* G and Z. Where a step turns by radians about an unstable axis Z may have no sign: then the step is an explicit one. */
KERNEL void make_spin(struct spin *s, vec3 w, mat3 Y, real dt) {
    const real one = splat(1), zero = splat(0);
    const mat3 G = gyroscopic(w, s->J, R(0.5) * dt);
    mat3 A = mat_mul(Y, G);
    A.xx = one + A.xx, A.yy = one + A.yy, A.zz = one + A.zz;
    real det;
    const mat3 Z = mat_inverse(A, &det);
    const mask off = ~less(splat(R(0.05)), det);
    const mat3 unit = {one, zero, zero, zero, one, zero, zero, zero, one};
    const mat3 none = {zero, zero, zero, zero, zero, zero, zero, zero, zero};
    s->G = mat_choose(off, none, G);
    s->Z = mat_choose(off, unit, Z);
}

KERNEL int spins(const tree_body *b) {
    return b->parent < 0 && has_rotation(b);
}

#endif
