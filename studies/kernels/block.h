/* All stages of a step at once, in O(n): Newton's method on the m gradients of a collocation scheme, or the exact Hessian
 * of one pose.
 *
 * A body's matrix has m x m blocks of 6 x 6: what the displacement of stage j does to the wrench of stage i,
 *
 *     C_ij / dt^2 [ tr(X) 1 - X^T   [mc_i] ]        X = R_i S R_j^T
 *                 [ -[mc_j]         m 1    ]
 *
 * and on block ii the geometric stiffness sym Y - tr(Y) 1, Y taken with F r^T of every child. What is left of the second
 * variation couples a joint with its parent's turn: a joint's axis turns with the parent, so that the subtree's moment N
 * and force F do work,
 *
 *     U += -1/2 N x s  (angular axes),   -F x s  (slide),    on the angular rows of stage i.
 *
 * The matrix is not symmetric: I^a = I - U_col D^-1 U_row. C may have zeros on its diagonal, so D is solved with pivots,
 * rows exchanged lane by lane. */
#ifndef SINEW_STUDIES_KERNELS_BLOCK_H
#define SINEW_STUDIES_KERNELS_BLOCK_H

#include "kernels/position/sweep.h"

enum {
    MOST_SIDE = 6 * SN__POSITION_STAGES, /* of a body's matrix */
    MOST_D = 6 * SN__POSITION_STAGES     /* of a joint's: six degrees of freedom */
};

/* A matrix of a body: `side` rows of side + 1 values, the last one the bias. */
KERNEL real *row_of(real *I, int side, int i) {
    return I + i * (side + 1);
}

KERNEL void add_mat(real *I, int side, int row, int column, mat3 A) {
    real *x = row_of(I, side, row) + column, *y = row_of(I, side, row + 1) + column,
         *z = row_of(I, side, row + 2) + column;
    x[0] = x[0] + A.xx, x[1] = x[1] + A.xy, x[2] = x[2] + A.xz;
    y[0] = y[0] + A.yx, y[1] = y[1] + A.yy, y[2] = y[2] + A.yz;
    z[0] = z[0] + A.zx, z[1] = z[1] + A.zy, z[2] = z[2] + A.zz;
}

KERNEL mat3 skew(vec3 v) {
    const real z = splat(0);
    return (mat3){z, -v.z, v.y, v.z, z, -v.x, -v.y, v.x, z};
}

/* X = R_i S R_j^T into tr(X) 1 - X^T. */
KERNEL mat3 turning_block(const tree_body *b, mat3 Ri, mat3 Rj) {
    const mat3 X = mat_mul_t(mat_mul_sym(Ri, second_moment(b), b->diagonal), Rj);
    const real trace = X.xx + X.yy + X.zz;
    return (mat3){trace - X.xx, -X.yx, -X.zx, -X.xy, trace - X.yy, -X.zy, -X.xz, -X.yz, trace - X.zz};
}

/* The body's own matrix, on top of what its children left. */
KERNEL void add_body(const struct sn__position_args *a, struct position_work *w, int body, int m, int hessian,
                     real ih2, real *I) {
    const tree_body *b = &((const tree *)a->tree)->body[body];
    const int side = 6 * m;
    if (a->mass_scale) ih2 = ih2 * *(const real *)a->mass_scale;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            const real weight = R(a->C[i][j]) * ih2, mass = weight * b->mass, z = splat(0);
            const mat3 Ri = w->place[i][body].R, Rj = w->place[j][body].R;
            const vec3 mci = scale(mul(Ri, vec_splat(b->mc)), weight),
                       mcj = scale(mul(Rj, vec_splat(b->mc)), weight);
            add_mat(I, side, 6 * i, 6 * j, mat_scale(turning_block(b, Ri, Rj), weight));
            add_mat(I, side, 6 * i, 6 * j + 3, skew(mci));
            add_mat(I, side, 6 * i + 3, 6 * j, skew((vec3){-mcj.x, -mcj.y, -mcj.z}));
            add_mat(I, side, 6 * i + 3, 6 * j + 3, (mat3){mass, z, z, z, mass, z, z, z, mass});
        }
    const int extra = a->nextra ? extra_of(a, body) : -1;
    for (int i = 0; i < m; i++) {
        if (hessian != SN__GAUSS_NEWTON)
            add_mat(I, side, 6 * i, 6 * i,
                    sym_to_mat(kept_stiffness(geometric_stiffness(w->wrench[i][body].Y), hessian)));
        if (extra < 0) continue;
        const real *x = (const real *)a->extra[i] + SN__EXTRA_VALUES * extra;
        const mat3 H = mat_load(x + SN__EXTRA_H);
        add_mat(I, side, 6 * i, 6 * i, sym_to_mat(sym_load(x + SN__EXTRA_J)));
        add_mat(I, side, 6 * i, 6 * i + 3, H);
        add_mat(I, side, 6 * i + 3, 6 * i, (mat3){H.xx, H.yx, H.zx, H.xy, H.yy, H.zy, H.xz, H.yz, H.zz});
        add_mat(I, side, 6 * i + 3, 6 * i + 3, sym_to_mat(sym_load(x + SN__EXTRA_M)));
    }
}

/* Exchanges rows so that the largest value of column k below and on the diagonal comes to stand there: each lane its own. */
KERNEL void pivot(real *D, int n, int width, int k) {
    for (int i = k + 1; i < n; i++) {
        const mask larger = less(absolute(D[k * width + k]), absolute(D[i * width + k]));
        if (!any(larger)) continue;
        for (int c = k; c < width; c++) {
            const real up = D[i * width + c], down = D[k * width + c];
            D[k * width + c] = choose(larger, up, down);
            D[i * width + c] = choose(larger, down, up);
        }
    }
}

/* D X = B in place, D and B side by side: [n][n + right]. */
KERNEL void solve_pivoted(real *D, int n, int right) {
    const int width = n + right;
    for (int k = 0; k < n; k++) {
        pivot(D, n, width, k);
        const real inverse = R(1) / D[k * width + k];
        for (int i = k + 1; i < n; i++) {
            const real factor = D[i * width + k] * inverse;
            for (int c = k + 1; c < width; c++)
                D[i * width + c] = D[i * width + c] - factor * D[k * width + c];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        const real inverse = R(1) / D[k * width + k];
        for (int c = n; c < width; c++) {
            real x = D[k * width + c];
            for (int i = k + 1; i < n; i++)
                x = x - D[k * width + i] * D[i * width + c];
            D[k * width + c] = x * inverse;
        }
    }
}

/* The axes that are eliminated together: `n` of each stage, from degree of freedom `first` of the joint on. */
struct axes {
    int first, n;
};

/* K between stages i and j of one joint, for its rotation or for single degrees of freedom. */
KERNEL void add_scalar_K(const struct sn__position_args *a, int v, int m, int at, int n, int width,
                         const real *K, real *D) {
    const real ih = R(1) / position_dt(a);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            real *to = &D[(i * n + at) * width + j * n + at];
            if (i == j) {
                *to = *to + K[i];
                continue;
            }
            if (a->target_q[0]) *to = *to + ((const real *)a->kd)[v] * (R(a->rate[i][j]) * ih);
            if (a->damping) *to = *to + ((const real *)a->damping)[v] * (R(a->rate[i][j]) * ih);
            if (a->armature) *to = *to + ((const real *)a->armature)[v] * (R(a->C[i][j]) * ih * ih);
        }
}

/* u_j = log(q_i^-1 q_j) changes by Jr(u_j)^-1 of what q_j turns by. */
KERNEL void add_rotation_K(const struct sn__position_args *a, int q, int v, int m, int at, int n, int width,
                           const sym3 *K, real *D) {
    const real ih = R(1) / position_dt(a), one = splat(1), zero = splat(0);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            mat3 block;
            if (i == j) {
                block = sym_to_mat(K[i]);
            } else {
                vec3 k = vec_zero();
                if (a->target_q[0])
                    k = add_scaled(k, vec_load((const real *)a->kd + v), R(a->rate[i][j]) * ih);
                if (a->damping)
                    k = add_scaled(k, vec_load((const real *)a->damping + v), R(a->rate[i][j]) * ih);
                if (a->armature)
                    k = add_scaled(k, vec_load((const real *)a->armature + v), R(a->C[i][j]) * ih * ih);
                const vec3 u = turn_between((const real *)a->q[i] + q, (const real *)a->q[j] + q);
                block = from_columns(times(k, right_jacobian_inverse(u, (vec3){one, zero, zero})),
                                     times(k, right_jacobian_inverse(u, (vec3){zero, one, zero})),
                                     times(k, right_jacobian_inverse(u, (vec3){zero, zero, one})));
            }
            const real b[9] = {block.xx, block.xy, block.xz, block.yx, block.yy,
                               block.yz, block.zx, block.zy, block.zz};
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++) {
                    real *to = &D[(i * n + at + r) * width + j * n + at + c];
                    *to = *to + b[3 * r + c];
                }
        }
}

/* Column k of a joint's motion subspace in one pose, as six values: turn and translation. */
KERNEL void column_of(const tree_body *b, const struct place *f, int k, real s[6]) {
    vec3 turn, move;
    subspace(b, &f->pose, k, &turn, &move);
    vec_store(s, turn);
    vec_store(s + 3, move);
}

/* What couples a degree of freedom with the parent's turn: an axis that turns by half of s x n, one that slides by s x f. */
KERNEL vec3 column_coupling(const tree_body *b, int k, const struct wrench *w, const real s[6]) {
    if (is_free(b)) return vec_zero();
    const vec3 slid = cross(vec_load(s + 3), w->f);
    if (k < b->nslide) return slid;
    const vec3 turned = scale(cross(vec_load(s), w->n), splat(R(0.5)));
    return b->naxes && b->way[k] == SN__SCREWS ? add(slid, turned) : turned;
}

/* Eliminates axes of a joint out of the body's matrix and leaves D^-1 U_row and D^-1 u in `rows`. */
KERNEL void yield_axes(const struct sn__position_args *a, struct position_work *w, int body, struct axes axes,
                       int m, int hessian, real *I, const real (*K)[SN__POSITION_STAGES], const sym3 *K3) {
    const tree_body *b = &((const tree *)a->tree)->body[body];
    const int side = 6 * m, n = axes.n * m, right = side + 1, width = n + right;
    real axis[MOST_D][6], column[MOST_SIDE][MOST_D], D[MOST_D * (MOST_D + MOST_SIDE + 1)];
    vec3 couple[MOST_D];
    for (int i = 0; i < m; i++)
        for (int k = 0; k < axes.n; k++) {
            column_of(b, &w->place[i][body], axes.first + k, axis[i * axes.n + k]);
            couple[i * axes.n + k] =
                hessian == SN__EXACT
                    ? column_coupling(b, axes.first + k, &w->wrench[i][body], axis[i * axes.n + k])
                    : vec_zero();
        }
    for (int d = 0; d < n; d++) { /* U_col = I S, U_row = S^T I, and the coupling on both */
        const int at = 6 * (d / axes.n);
        const real *s = axis[d], c[3] = {couple[d].x, couple[d].y, couple[d].z};
        real *row = &D[d * width + n];
        for (int r = 0; r < side; r++) {
            const real *x = row_of(I, side, r) + at;
            column[r][d] = x[0] * s[0] + x[1] * s[1] + x[2] * s[2] + x[3] * s[3] + x[4] * s[4] + x[5] * s[5];
        }
        for (int k = 0; k <= side; k++) {
            row[k] = splat(0);
            for (int r = 0; r < 6; r++)
                row[k] = row[k] + s[r] * row_of(I, side, at + r)[k];
        }
        row[side] =
            -(((const real *)a->g[d / axes.n])[b->v + axes.first + d % axes.n]) - row[side]; /* Q - S^T p */
        for (int e = 0; e < n; e++) {                                                        /* D = S^T I S */
            const real *s2 = axis[e], *x = row + 6 * (e / axes.n);
            D[d * width + e] =
                x[0] * s2[0] + x[1] * s2[1] + x[2] * s2[2] + x[3] * s2[3] + x[4] * s2[4] + x[5] * s2[5];
        }
        for (int k = 0; k < 3; k++) {
            column[at + k][d] = column[at + k][d] + c[k];
            row[at + k] = row[at + k] + c[k];
        }
    }
    if (K) {
        const int linear = K3 ? axes.n - 3 : axes.n;
        for (int k = 0; k < linear; k++)
            add_scalar_K(a, b->v + axes.first + k, m, k, axes.n, width, K[axes.first + k], D);
        if (K3) add_rotation_K(a, b->q + linear, b->v + linear, m, linear, axes.n, width, K3, D);
    }
    solve_pivoted(D, n, right);
    real *rows = w->block_rows + (size_t)(b->v + axes.first) * (size_t)(m * right);
    for (int d = 0; d < n; d++)
        for (int k = 0; k < right; k++)
            rows[d * right + k] = D[d * width + n + k];
    for (int r = 0; r < side; r++) { /* I^a = I - U_col D^-1 U_row,  p^a = p + U_col D^-1 u */
        real *x = row_of(I, side, r);
        for (int d = 0; d < n; d++) {
            const real u = column[r][d], *y = rows + d * right;
            for (int k = 0; k < side; k++)
                x[k] = x[k] - u * y[k];
            x[side] = x[side] + u * y[side];
        }
    }
}

/* Adds X_i^T I_ij X_j to the parent's matrix, v = v_p + w_p x r, and the bias. */
KERNEL void add_shifted(struct position_work *w, int body, int m, real *I, real *to, int first) {
    const int side = 6 * m;
    for (int j = 0; j < m; j++) { /* columns: I X: what turns the parent moves the origin by w x r */
        const vec3 r = w->place[j][body].r;
        for (int i = 0; i < side; i++) {
            real *x = row_of(I, side, i) + 6 * j;
            const vec3 c = cross(r, vec_load(x + 3));
            x[0] = x[0] + c.x, x[1] = x[1] + c.y, x[2] = x[2] + c.z;
        }
    }
    for (int i = 0; i < m; i++) { /* rows: n' = n + r x f */
        const vec3 r = w->place[i][body].r;
        real *n[3], *f[3];
        for (int k = 0; k < 3; k++)
            n[k] = row_of(I, side, 6 * i + k), f[k] = row_of(I, side, 6 * i + 3 + k);
        for (int k = 0; k <= side; k++) {
            const vec3 c = cross(r, (vec3){f[0][k], f[1][k], f[2][k]});
            n[0][k] = n[0][k] + c.x, n[1][k] = n[1][k] + c.y, n[2][k] = n[2][k] + c.z;
        }
    }
    for (int k = 0; k < side * (side + 1); k++)
        to[k] = first ? I[k] : to[k] + I[k];
}

KERNEL void leave_block(const struct sn__position_args *a, struct position_work *w, int body, int m,
                        int hessian, real ih2) {
    const tree_body *b = &((const tree *)a->tree)->body[body];
    const int side = 6 * m, size = side * (side + 1), nv = b->nv;
    real I[MOST_SIDE * (MOST_SIDE + 1)], K[6][SN__POSITION_STAGES];
    sym3 K3[SN__POSITION_STAGES];
    const int driven = has_joint_terms(a), turns = has_rotation(b);
    for (int k = 0; k < size; k++)
        I[k] = b->leaf ? splat(0) : w->block_slot[b->slot * size + k];
    add_body(a, w, body, m, hessian, ih2, I);
    if (driven)
        for (int i = 0; i < m; i++) {
            real g[6], own[6], unused = splat(0);
            joint_terms(a, body, i, hessian == SN__EXACT, (struct joint_out){g, own, &K3[i], &unused});
            for (int k = 0; k < nv - 3 * turns; k++)
                K[k][i] = own[k];
        }
    const real(*held)[SN__POSITION_STAGES] = driven ? (const real(*)[SN__POSITION_STAGES])K : 0;
    if (b->naxes) { /* as if massless bodies sat between them */
        for (int k = b->naxes - 1; k >= 0; k--)
            yield_axes(a, w, body, (struct axes){k, 1}, m, hessian, I, held, 0);
    } else if (nv) {
        yield_axes(a, w, body, (struct axes){0, nv}, m, hessian, I, held, driven && turns ? K3 : 0);
    }
    if (b->parent_slot >= 0) add_shifted(w, body, m, I, w->block_slot + b->parent_slot * size, b->first);
}

/* delta of some axes under the motion x of what carries them, which they then add to. */
KERNEL void displace_axes(const struct sn__position_args *a, struct position_work *w, int body,
                          struct axes axes, int m, real *x) {
    const tree_body *b = &((const tree *)a->tree)->body[body];
    const int side = 6 * m, right = side + 1, n = axes.n * m;
    const real *rows = w->block_rows + (size_t)(b->v + axes.first) * (size_t)(m * right);
    real d[MOST_D];
    for (int k = 0; k < n; k++, rows += right) {
        d[k] = rows[side];
        for (int c = 0; c < side; c++)
            d[k] = d[k] - rows[c] * x[c];
    }
    for (int k = 0; k < n; k++) {
        const int i = k / axes.n, dof = axes.first + k % axes.n;
        real s[6];
        column_of(b, &w->place[i][body], dof, s);
        ((real *)a->delta[i])[b->v + dof] = d[k];
        for (int c = 0; c < 6; c++)
            x[6 * i + c] = x[6 * i + c] + s[c] * d[k];
    }
}

KERNEL void displace_block(const struct sn__position_args *a, struct position_work *w, int body, int m) {
    const tree_body *b = &((const tree *)a->tree)->body[body];
    const int side = 6 * m, nv = b->nv;
    const real *p = w->block_motion + b->parent * side;
    real *x = w->block_motion + body * side;
    for (int i = 0; i < m; i++) {
        const vec3 turn = vec_load(p + 6 * i);
        vec_store(x + 6 * i, turn);
        vec_store(x + 6 * i + 3, add_cross(vec_load(p + 6 * i + 3), turn, w->place[i][body].r));
    }
    if (b->naxes) {
        for (int k = 0; k < b->naxes; k++)
            displace_axes(a, w, body, (struct axes){k, 1}, m, x);
    } else if (nv) {
        displace_axes(a, w, body, (struct axes){0, nv}, m, x);
    }
}

KERNEL void block_walk(const struct sn__position_args *a, int hessian, int m) {
    const tree *t = a->tree;
    struct position_work w = position_work_of(a, 1);
    const real h = position_dt(a), ih2 = R(1) / (h * h);
    real square = splat(0), joints = splat(0);
    enter_places(a, &w, m);
    for (int i = 0; i < m; i++) {
        gather_stage(a, &w, i, a->energy ? &square : 0);
        add_joints(a, i, &joints);
    }
    finish_energy(a, square, joints);
    for (int e = 0; e < 2 * t->nbody; e++)
        if (t->visit[e].leaving) leave_block(a, &w, t->visit[e].body, m, hessian, ih2);
    for (int k = 0; k < 6 * m; k++)
        w.block_motion[k - 6 * m] = splat(0);
    for (int body = 0; body < t->nbody; body++)
        displace_block(a, &w, body, m);
}

/* Each number of stages on its own, so that loops have ends that are known. */
static __attribute__((noinline)) void block_one(const struct sn__position_args *a, int hessian) {
    block_walk(a, hessian, 1);
}

static __attribute__((noinline)) void block_two(const struct sn__position_args *a, int hessian) {
    block_walk(a, hessian, 2);
}

static __attribute__((noinline)) void block_three(const struct sn__position_args *a, int hessian) {
    block_walk(a, hessian, 3);
}

static void block(const struct sn__position_args *a, int hessian) {
    (a->m == 1 ? block_one : a->m == 2 ? block_two : block_three)(a, hessian);
}

#endif
