/* The elimination of a joint: what pass 2 of the articulated-body algorithm does to one body's inertia (maba-2020 eq. 36-42).
 *
 * With the origin at the joint and world axes, an articulated inertia is three 3x3 blocks (work.h) and a ball joint's S is the
 * identity on the angular part, so that for a ball whose K is the same on all axes (K = k 1):
 *
 *     D  = J + k 1                    eq. 37
 *     W  = D^-1 H,  N = k D^-1
 *     y  = D^-1 (Q + k c - n)         the gains' share of the velocity product goes with Q
 *     J^a = N J,  H^a = k W,  M^a = M - H^T W                    eq. 41
 *     n^a = Q + k (c - y),  f^a = f + H^T y                      eq. 42
 *     alpha = y + N alpha_p - W a                                eq. 45, 46
 *
 * For K = 0 the ball transmits no moment: J^a = H^a = 0. Any other joint is a list of axes, which are eliminated one by one from
 * the body to the parent, as if massless bodies sat between them. See docs/theory.md for the derivation.
 *
 * Dynamics (aba.h, sweep.h) and position-based steps (position/sweep.h) use the same text; the latter have no velocity products:
 * c and d are NULL. Flags are known where functions are used, and what they leave out is not compiled. */
#ifndef SINEW_KERNELS_TREE_ELIMINATE_H
#define SINEW_KERNELS_TREE_ELIMINATE_H

#include "kernels/tree/kinematics.h"

/* K of a rotation, or of what moves a free joint. */
enum gain_kind {
    GAIN_NONE,
    GAIN_ONE,
    GAIN_AXES,
    GAIN_MIXED
}; /* mixed: only in struct ball_gain (biases.h) */

struct gain {
    enum gain_kind kind;
    vec3 diagonal; /* one: the same value three times. A free joint's linear part may have three of its own */
    sym3 whole;    /* by axes: world axes */
};

KERNEL struct gain no_gain(void) {
    return (struct gain){.kind = GAIN_NONE};
}

KERNEL struct gain gain_diagonal(vec3 k) {
    return (struct gain){.kind = GAIN_ONE, .diagonal = k};
}

KERNEL struct gain gain_whole(sym3 K) {
    return (struct gain){.kind = GAIN_AXES, .whole = K};
}

KERNEL sym3 add_gain(sym3 D, struct gain g) {
    if (g.kind == GAIN_NONE) return D;
    return g.kind == GAIN_ONE ? sym_add_diagonal(D, g.diagonal) : sym_add(D, g.whole);
}

/* ------------------------------------------------------------------------------------------ sums and shifts */

KERNEL void add_inertia(struct inertia *I, const struct inertia *B) {
    I->J = sym_add(I->J, B->J);
    I->H = mat_add(I->H, B->H);
    I->M = sym_add(I->M, B->M);
    I->n = add(I->n, B->n);
    I->f = add(I->f, B->f);
}

/* J, H and M of a rigid body on top of what its children left in its slot; NULL: it has none. */
KERNEL void join_body(struct inertia *I, const struct inertia *slot, sym3 J, vec3 mc, real m) {
    const real z = splat(0);
    if (!slot) {
        I->J = J;
        I->H = (mat3){z, -mc.z, mc.y, mc.z, z, -mc.x, -mc.y, mc.x, z};
        I->M = (sym3){m, m, m, z, z, z};
        return;
    }
    const mat3 H = slot->H;
    I->J = sym_add(slot->J, J);
    I->H = (mat3){H.xx,        H.xy - mc.z, H.xz + mc.y, H.yx + mc.z, H.yy,
                  H.yz - mc.x, H.zx - mc.y, H.zy + mc.x, H.zz};
    I->M = sym_add_diagonal(slot->M, (vec3){m, m, m});
}

/* f' = f + M d,  n' = n + H d + r x f'. */
KERNEL void shift_bias(struct inertia *P, const struct inertia *I, vec3 r, const vec3 *d, int force_only) {
    P->f = d ? add_sym_mul(I->f, I->M, *d) : I->f;
    P->n = add_cross(d && !force_only ? add_mul(I->n, I->H, *d) : I->n, r, P->f);
}

/* Moves an inertia from the joint to the parent's origin, with a = a_p + alpha_p x r + d:
     H' = H + [r] M,  J' = J - H [r] + [r] H'^T.
   Row i of -H [r] is r x H_i, column j of [r] H'^T is r x H'_j, with H_i, H'_j rows. */
KERNEL struct inertia shift(struct inertia I, vec3 r, const vec3 *d) {
    struct inertia P;
    const mat3 H = I.H;
    const sym3 M = I.M;
    P.M = M;
    P.H = (mat3){
        H.xx + r.y * M.xz - r.z * M.xy, H.xy + r.y * M.yz - r.z * M.yy, H.xz + r.y * M.zz - r.z * M.yz,
        H.yx + r.z * M.xx - r.x * M.xz, H.yy + r.z * M.xy - r.x * M.yz, H.yz + r.z * M.xz - r.x * M.zz,
        H.zx + r.x * M.xy - r.y * M.xx, H.zy + r.x * M.yy - r.y * M.xy, H.zz + r.x * M.yz - r.y * M.xz};
    const mat3 G = P.H;
    P.J.xx = I.J.xx + r.y * H.xz - r.z * H.xy + r.y * G.xz - r.z * G.xy;
    P.J.xy = I.J.xy + r.z * H.xx - r.x * H.xz + r.y * G.yz - r.z * G.yy;
    P.J.xz = I.J.xz + r.x * H.xy - r.y * H.xx + r.y * G.zz - r.z * G.zy;
    P.J.yy = I.J.yy + r.z * H.yx - r.x * H.yz + r.z * G.yx - r.x * G.yz;
    P.J.yz = I.J.yz + r.x * H.yy - r.y * H.yx + r.z * G.zx - r.x * G.zz;
    P.J.zz = I.J.zz + r.x * H.zy - r.y * H.zx + r.x * G.zy - r.y * G.zx;
    shift_bias(&P, &I, r, d, 0);
    return P;
}

/* The same for an inertia with J = H = 0, which a ball without gains leaves. */
KERNEL struct inertia shift_force(struct inertia I, vec3 r, const vec3 *d) {
    struct inertia P;
    const mat3 C = sym_to_mat(I.M);
    P.M = I.M;
    P.H = from_columns(cross(r, column_x(C)), cross(r, column_y(C)), cross(r, column_z(C)));
    const mat3 G = P.H;
    P.J = (sym3){r.y * G.xz - r.z * G.xy, r.z * G.yx - r.x * G.yz, r.x * G.zy - r.y * G.zx,
                 r.y * G.yz - r.z * G.yy, r.y * G.zz - r.z * G.zy, r.z * G.zx - r.x * G.zz};
    shift_bias(&P, &I, r, d, 1);
    return P;
}

/* Where a body leaves what its parent collects. */
struct above {
    struct inertia *slot; /* NULL: nowhere, it hangs on the world */
    int first;            /* nothing is there yet */
};

/* Adds what a body leaves to what its siblings left, moved to the parent's origin (eq. 34, 35). */
KERNEL void hand_over(struct inertia A, vec3 r, const vec3 *d, int force_only, struct above up) {
    if (!up.slot) return;
    const struct inertia P = force_only ? shift_force(A, r, d) : shift(A, r, d);
    if (up.first)
        *up.slot = P;
    else
        add_inertia(up.slot, &P);
}

/* -------------------------------------------------------------------------------------------------- a ball */

/* W = D^-1 H, M^a = M - H^T W and f^a = f + H^T y, for the H of a leaf, [mc], or any other. */
KERNEL mat3 ball_W(const struct inertia *I, sym3 Di, const vec3 *leaf_mc) {
    return leaf_mc ? sym_mul_skew(Di, *leaf_mc) : sym_mul_mat(Di, I->H);
}

KERNEL sym3 ball_M(const struct inertia *I, mat3 W, const vec3 *leaf_mc) {
    return leaf_mc ? diagonal_add_skew_mul(I->M.xx, *leaf_mc, W) : sym_sub_product(I->M, I->H, W);
}

KERNEL vec3 ball_f(const struct inertia *I, vec3 y, const vec3 *leaf_mc) {
    return leaf_mc ? add_cross(I->f, y, *leaf_mc) : add_mul_t(I->f, I->H, y);
}

/* Letters of the equations above; Qc = Q + K c. */
struct ball_solution {
    sym3 Di;
    mat3 W;
    vec3 Qc, y;
};

/* J^a, H^a and n^a of a ball with gains. K = R diag(K) R^T: as above with k 1 replaced, N = D^-1 K, J^a = J N, H^a = K W. */
KERNEL void ball_moment(const struct inertia *I, struct gain g, struct ball_solution s,
                        struct ball_response *out, struct inertia *A) {
    const sym3 Di = s.Di;
    const mat3 W = s.W;
    const vec3 Qc = s.Qc, y = s.y;
    if (g.kind == GAIN_ONE) {
        const real k = g.diagonal.x;
        A->J = sym_mul_commuting(sym_scale(Di, k), I->J);
        A->H = mat_scale(W, k);
        A->n = add_scaled(Qc, y, -k);
        return;
    }
    const mat3 N = sym_mul_mat(Di, sym_to_mat(g.whole)), JN = sym_mul_mat(I->J, N);
    A->J = (sym3){
        JN.xx, JN.yy, JN.zz, R(0.5) * (JN.xy + JN.yx), R(0.5) * (JN.xz + JN.zx), R(0.5) * (JN.yz + JN.zy)};
    A->H = sym_mul_mat(g.whole, W);
    A->n = sub(Qc, sym_mul(g.whole, y));
    out->N = N;
}

/* tau in world axes. Without gains A.J and A.H stay unset: see shift_force. */
KERNEL struct inertia eliminate_ball(struct inertia I, vec3 tau, const vec3 *c, struct gain g,
                                     const vec3 *leaf_mc, struct ball_response *out) {
    struct inertia A;
    const sym3 Di = sym_inverse(add_gain(I.J, g));
    const mat3 W = ball_W(&I, Di, leaf_mc);
    vec3 Qc = tau;
    if (c && g.kind == GAIN_ONE) Qc = add_scaled(tau, *c, g.diagonal.x);
    if (c && g.kind == GAIN_AXES) Qc = add_sym_mul(tau, g.whole, *c);
    const vec3 y = sym_mul(Di, sub(Qc, I.n));
    A.n = tau;
    if (g.kind != GAIN_NONE) ball_moment(&I, g, (struct ball_solution){Di, W, Qc, y}, out, &A);
    A.M = ball_M(&I, W, leaf_mc);
    A.f = ball_f(&I, y, leaf_mc);
    out->y = y, out->W = W;
    if (g.kind == GAIN_AXES)
        out->Dx = Di;
    else
        out->Di = Di;
    return A;
}

/* ---------------------------------------------------------------------------------------------------- axes */

/* One axis: eq. 36-42 for one column of S. The response comes divided by D. K NULL: none. */
KERNEL struct inertia eliminate_axis(struct inertia I, struct axis x, real Q, const real *K,
                                     struct axis_response *out) {
    struct inertia A;
    vec3 Hm, Hf; /* H = I^A S, eq. 36 */
    if (x.way == SN__SLIDES)
        Hm = mul(I.H, x.s), Hf = sym_mul(I.M, x.s);
    else
        Hm = sym_mul(I.J, x.s), Hf = mul_t(I.H, x.s);
    if (x.way == SN__SCREWS) {
        const vec3 ps = scale(x.s, x.pitch);
        Hm = add_mul(Hm, I.H, ps), Hf = add_sym_mul(Hf, I.M, ps);
    }
    real D = along_axis(x, Hm, Hf); /* eq. 37 */
    if (K) D = D + *K;
    const real Di = R(1) / D;
    const real u = (Q - along_axis(x, I.n, I.f)) * Di; /* D^-1 u, eq. 39 */
    const vec3 U = scale(Hm, Di), V = scale(Hf, Di);
    A.J = sym_sub_outer(I.J, U, Hm); /* I^a, eq. 41 */
    A.H = mat_sub_outer(I.H, U, Hf);
    A.M = sym_sub_outer(I.M, V, Hf);
    A.n = add_scaled(I.n, Hm, u); /* p^a without I^a c, eq. 42 */
    A.f = add_scaled(I.f, Hf, u);
    *out = (struct axis_response){u, Di, U, V};
    return A;
}

/* p^a gains I^a c, c an angular acceleration. */
KERNEL void add_velocity_product(struct inertia *A, vec3 c) {
    A->n = add_sym_mul(A->n, A->J, c);
    A->f = add_mul_t(A->f, A->H, c);
}

/* The axis of a hinge, known to turn. */
KERNEL struct axis hinge_axis(const struct pose *f) {
    return (struct axis){f->s[0], SN__TURNS, splat(0)};
}

KERNEL struct inertia eliminate_hinge(struct inertia I, const struct pose *f, const vec3 *c, real Q,
                                      const real *K, struct axis_response *out) {
    struct inertia A = eliminate_axis(I, hinge_axis(f), Q, K, out);
    if (c) add_velocity_product(&A, *c);
    return A;
}

/* All axes of a joint, from the body to the parent. All of c enters at the parent: seen from there, the axes only add S q''. */
KERNEL struct inertia eliminate_axes(struct inertia I, const tree_body *b, const struct pose *f,
                                     const vec3 *c, const real *Q, const real *K, struct axis_response *out) {
    for (int k = b->naxes - 1; k >= 0; k--)
        I = eliminate_axis(I, axis_of(b, f, k), Q[k], K ? &K[k] : 0, &out[k]);
    if (c && b->nslide < b->naxes) add_velocity_product(&I, *c);
    return I;
}

/* q'' of an axis under the motion of what carries it. */
KERNEL real axis_rate(const struct axis_response *s, vec3 alpha, vec3 a) {
    return s->u - dot(s->U, alpha) - dot(s->V, a);
}

/* ------------------------------------------------------------------------------------------------ the root */

/* What drives a free joint. */
struct root_drive {
    vec3 Q, moment;     /* force in world axes, moment in own axes */
    sym3 D;             /* J with the gain of the rotation */
    struct gain linear; /* gain of the rest */
    const vec3 *lift;   /* v' is the true acceleration and a = v' + lift; NULL: none */
};

/* A free joint: nothing beyond it, so its acceleration comes out at once. */
KERNEL void eliminate_free(struct inertia I, const struct pose *f, struct root_drive drive, struct motion *m,
                           struct free_response *out, real *qdd) {
    const vec3 Q = drive.Q, moment = drive.moment, *lift = drive.lift;
    const struct gain linear = drive.linear;
    const sym3 Di = sym_inverse(drive.D);
    const mat3 W = sym_mul_mat(Di, I.H);
    const vec3 y = sym_mul(Di, sub(mul(f->R, moment), I.n));
    const sym3 M = sym_sub_product(I.M, I.H, W);
    /* (M^a + K) v' = Q - f - H^T y + M^a g */
    vec3 bias = add_mul_t(I.f, I.H, y);
    if (lift) bias = add_sym_mul(bias, M, *lift);
    const sym3 Mi = sym_inverse(add_gain(M, linear));
    const vec3 v = sym_mul(Mi, sub(Q, bias));
    if (out) *out = (struct free_response){W, Mi, Di};
    m->a = lift ? add(v, *lift) : v;
    m->alpha = sub_mul(y, W, m->a);
    vec_store(qdd, v);
    vec_store(qdd + 3, mul_t(f->R, m->alpha));
}

#endif
