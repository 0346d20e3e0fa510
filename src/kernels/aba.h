/* The articulated-body algorithm with stable PD inside: MABA, maba-2020 appendix A.
 *
 *     (M + K) qdd = Q - C        in O(n), with K = 0 and Q = tau: Featherstone's ABA
 *
 * Letters as in the paper where it has them. With the origin at the joint and world axes, an articulated
 * inertia is three 3x3 blocks (work.h) and a ball joint's S is the identity on the angular part, so eq.
 * 36-46 become, for a ball whose K is the same on all axes (K = k 1):
 *
 *     D  = J + k 1                    eq. 37
 *     W  = D^-1 H,  N = k D^-1
 *     y  = D^-1 (Q + k c - n)         the gains' share of the velocity product goes with Q
 *     J^a = N J,  H^a = k W,  M^a = M - H^T W                    eq. 41
 *     n^a = Q + k (c - y),  f^a = f + H^T y                      eq. 42
 *     alpha = y + N alpha_p - W a                                eq. 45, 46
 *
 * For K = 0 the ball transmits no moment: J^a = H^a = 0. See docs/theory.md for the derivation. */
#ifndef SINEW_KERNELS_ABA_H
#define SINEW_KERNELS_ABA_H

#include "kernels/biases.h"
#include "kernels/drive.h"

/* A push acts against the bias. */
KERNEL void add_push(struct inertia *I, const tree_body *b, const struct frame *f, const real *push) {
    const vec3 F = vec_load(push), o = mul(f->R, vec_splat(b->origin));
    I->f = sub(I->f, F);
    I->n = sub(I->n, add_cross(vec_load(push + 3), o, F));
}

/* I^A and p^A of a body (eq. 33-35): its own inertia and bias, on top of what its children left in its slot,
     moment = J alpha + mc x a + w x J w,  force = m a - mc x alpha + w x (w x mc).
   mc comes out, too: a leaf's H is [mc]. `heavier`: a factor of m, mc and J, or NULL. What refinements need of the
   body by itself goes to `kept`, where that is not NULL. */
KERNEL struct inertia body_inertia(const tree_body *b, const struct frame *f, const struct inertia *slot,
                                   const real *push, const real *heavier, struct rigid *kept, vec3 *mc_out) {
    vec3 mc = mul(f->R, vec_splat(b->mc));
    real m = splat(b->mass);
    const real z = splat(0);
    sym3 J = rigid_inertia(b, f);
    if (heavier) {
        m = m * *heavier;
        mc = scale(mc, *heavier);
        J = sym_scale(J, *heavier);
    }
    const vec3 Jw = sym_mul(J, f->w), wmc = cross(f->w, mc);
    struct inertia I;
    if (kept) *kept = (struct rigid){J, mc, cross(f->w, Jw), cross(f->w, wmc)};
    if (!slot) {
        I.J = J;
        I.H = (mat3){z, -mc.z, mc.y, mc.z, z, -mc.x, -mc.y, mc.x, z};
        I.M = (sym3){m, m, m, z, z, z};
        I.n = cross(f->w, Jw);
        I.f = cross(f->w, wmc);
    } else {
        const mat3 H = slot->H;
        const sym3 M = slot->M;
        I.J = sym_add(slot->J, J);
        I.H = (mat3){H.xx,        H.xy - mc.z, H.xz + mc.y, H.yx + mc.z, H.yy,
                     H.yz - mc.x, H.zx - mc.y, H.zy + mc.x, H.zz};
        I.M = (sym3){M.xx + m, M.yy + m, M.zz + m, M.xy, M.xz, M.yz};
        I.n = add_cross(slot->n, f->w, Jw);
        I.f = add_cross(slot->f, f->w, wmc);
    }
    if (push) add_push(&I, b, f, push);
    *mc_out = mc;
    return I;
}

/* Moves an inertia from the joint to the parent's origin, with a = a_p + alpha_p x r + d:
     H' = H + [r] M,  J' = J - H [r] + [r] H'^T,  f' = f + M d,  n' = n + H d + r x f'.
   Row i of -H [r] is r x H_i, column j of [r] H'^T is r x H'_j, with H_i, H'_j rows. */
KERNEL struct inertia shift(struct inertia I, vec3 r, vec3 d) {
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
    P.f = add_sym_mul(I.f, M, d);
    P.n = add_cross(add_mul(I.n, H, d), r, P.f);
    return P;
}

/* The same for an inertia with J = H = 0, which a ball without gains leaves. */
KERNEL struct inertia shift_force(struct inertia I, vec3 r, vec3 d) {
    struct inertia P;
    const mat3 C = sym_to_mat(I.M);
    P.M = I.M;
    P.H = from_columns(cross(r, column_x(C)), cross(r, column_y(C)), cross(r, column_z(C)));
    const mat3 G = P.H;
    P.J = (sym3){r.y * G.xz - r.z * G.xy, r.z * G.yx - r.x * G.yz, r.x * G.zy - r.y * G.zx,
                 r.y * G.yz - r.z * G.yy, r.y * G.zz - r.z * G.zy, r.z * G.zx - r.x * G.zz};
    P.f = add_sym_mul(I.f, I.M, d);
    P.n = add_cross(I.n, r, P.f);
    return P;
}

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

KERNEL struct inertia eliminate_ball(struct inertia I, const struct frame *f, const real *Q, const real *K,
                                     const sym3 *K3, int per_axis, int kind, const vec3 *leaf_mc,
                                     struct response *out) {
    struct inertia A;
    const vec3 tau = mul(f->R, vec_load(Q)); /* own axes to world axes */
    if (kind == ABA_PLAIN) {                 /* leaves A.J and A.H unset: see shift_force */
        const sym3 Di = sym_inverse(I.J);
        const mat3 W = ball_W(&I, Di, leaf_mc);
        const vec3 y = sym_mul(Di, sub(tau, I.n));
        A.M = ball_M(&I, W, leaf_mc);
        A.n = tau;
        A.f = ball_f(&I, y, leaf_mc);
        out->y = y, out->W = W, out->Di = Di;
    } else if (!per_axis) {
        const real k = K[0];
        const sym3 Di = sym_inverse(sym_add_diagonal(I.J, (vec3){k, k, k}));
        const mat3 W = ball_W(&I, Di, leaf_mc);
        const vec3 Qc = add_scaled(tau, f->c, k);
        const vec3 y = sym_mul(Di, sub(Qc, I.n));
        A.J = sym_mul_commuting(sym_scale(Di, k), I.J);
        A.H = mat_scale(W, k);
        A.M = ball_M(&I, W, leaf_mc);
        A.n = add_scaled(Qc, y, -k);
        A.f = ball_f(&I, y, leaf_mc);
        out->y = y, out->W = W, out->Di = Di;
    } else { /* K = R diag(K) R^T: the same with k 1 replaced, N = D^-1 K, J^a = J N, H^a = K W */
        const sym3 Kw = kind == ABA_LIMITED ? sym_rotate(f->R, *K3) : sym_rotate_diagonal(f->R, vec_load(K));
        const sym3 Di = sym_inverse(sym_add(I.J, Kw));
        const mat3 W = ball_W(&I, Di, leaf_mc), N = sym_mul_mat(Di, sym_to_mat(Kw));
        const vec3 Qc = add_sym_mul(tau, Kw, f->c);
        const vec3 y = sym_mul(Di, sub(Qc, I.n));
        const mat3 JN = sym_mul_mat(I.J, N);
        A.J = (sym3){JN.xx,
                     JN.yy,
                     JN.zz,
                     R(0.5) * (JN.xy + JN.yx),
                     R(0.5) * (JN.xz + JN.zx),
                     R(0.5) * (JN.yz + JN.zy)};
        A.H = sym_mul_mat(Kw, W);
        A.M = ball_M(&I, W, leaf_mc);
        A.n = sub(Qc, sym_mul(Kw, y));
        A.f = ball_f(&I, y, leaf_mc);
        out->y = y, out->N = N, out->W = W, out->Dx = Di;
    }
    return A;
}

/* One column of S, angular or linear: eq. 36-42 for a joint of one degree of freedom, or for one of the axes
   of a universal joint. u, U and V come divided by D. */
KERNEL struct inertia eliminate_axis(struct inertia I, vec3 s, int linear, real Q, real K, int kind, real *u,
                                     vec3 *U, vec3 *V, real *inverse) {
    struct inertia A;
    const vec3 Hm = linear ? mul(I.H, s) : sym_mul(I.J, s); /* H = I^A S, eq. 36 */
    const vec3 Hf = linear ? sym_mul(I.M, s) : mul_t(I.H, s);
    real D = dot(s, linear ? Hf : Hm); /* eq. 37 */
    if (kind != ABA_PLAIN) D = D + K;
    const real Di = R(1) / D;
    const real ui = (Q - dot(s, linear ? I.f : I.n)) * Di; /* D^-1 u, eq. 39 */
    const vec3 Um = scale(Hm, Di), Uf = scale(Hf, Di);
    A.J = sym_sub_outer(I.J, Um, Hm); /* I^a, eq. 41 */
    A.H = mat_sub_outer(I.H, Um, Hf);
    A.M = sym_sub_outer(I.M, Uf, Hf);
    A.n = add_scaled(I.n, Hm, ui); /* p^a without I^a c, eq. 42 */
    A.f = add_scaled(I.f, Hf, ui);
    *u = ui, *U = Um, *V = Uf, *inverse = Di;
    return A;
}

/* p^a gains I^a c, c an angular acceleration. */
KERNEL void add_velocity_product(struct inertia *A, vec3 c) {
    A->n = add_sym_mul(A->n, A->J, c);
    A->f = add_mul_t(A->f, A->H, c);
}

KERNEL struct inertia eliminate_hinge(struct inertia I, const struct frame *f, int linear, const real *Q,
                                      const real *K, int kind, struct response *out) {
    vec3 U, V;
    real u;
    struct inertia A = eliminate_axis(I, f->s, linear, Q[0], kind == ABA_PLAIN ? splat(0) : K[0], kind, &u,
                                      &U, &V, &out->W.zx);
    if (!linear) add_velocity_product(&A, f->c);
    out->y.x = u;
    out->N.xx = U.x, out->N.xy = U.y, out->N.xz = U.z;
    out->W.xx = V.x, out->W.xy = V.y, out->W.xz = V.z;
    return A;
}

/* Two axes: the outer one (s2) first, then the inner one, exactly as if a massless cross sat between them. */
KERNEL struct inertia eliminate_universal(struct inertia I, const struct frame *f, const real *Q,
                                          const real *K, int kind, struct response *out) {
    vec3 U1, V1, U2, V2;
    real u1, u2;
    const real zero = splat(0);
    struct inertia A =
        eliminate_axis(I, f->s2, 0, Q[1], kind == ABA_PLAIN ? zero : K[1], kind, &u2, &U2, &V2, &out->W.zy);
    add_velocity_product(&A, f->c); /* all of c enters beyond the outer axis */
    A = eliminate_axis(A, f->s, 0, Q[0], kind == ABA_PLAIN ? zero : K[0], kind, &u1, &U1, &V1, &out->W.zx);
    out->y.x = u1, out->y.y = u2;
    out->N.xx = U1.x, out->N.xy = U1.y, out->N.xz = U1.z, out->N.yx = U2.x, out->N.yy = U2.y,
    out->N.yz = U2.z;
    out->W.xx = V1.x, out->W.xy = V1.y, out->W.xz = V1.z, out->W.yx = V2.x, out->W.yy = V2.y,
    out->W.yz = V2.z;
    return A;
}

/* The root: nothing beyond it, so its acceleration comes out at once. v' is the true one, a = v' - g. */
KERNEL void solve_free(struct inertia I, const struct frame *f, const real *Q, const real *K, const sym3 *K3,
                       int per_axis, int kind, vec3 lift, struct motion *m, struct response *out, real *qdd) {
    sym3 D = I.J;
    if (kind == ABA_LIMITED)
        D = sym_add(D, sym_rotate(f->R, K3[1]));
    else if (kind == ABA_GENERAL && per_axis)
        D = sym_add(D, sym_rotate_diagonal(f->R, vec_load(K + 3)));
    else if (kind == ABA_GENERAL)
        D = sym_add_diagonal(D, (vec3){K[3], K[3], K[3]});
    const sym3 Di = sym_inverse(D);
    const mat3 W = sym_mul_mat(Di, I.H);
    const vec3 y = sym_mul(Di, sub(mul(f->R, vec_load(Q + 3)), I.n));
    sym3 M = sym_sub_product(I.M, I.H, W);
    /* (M^a + K) v' = Q - f - H^T y + M^a g */
    const vec3 rhs = sub(vec_load(Q), add_sym_mul(add_mul_t(I.f, I.H, y), M, lift));
    if (kind == ABA_LIMITED)
        M = sym_add(M, K3[0]);
    else if (kind == ABA_GENERAL)
        M = sym_add_diagonal(M, vec_load(K));
    const sym3 Mi = sym_inverse(M);
    const vec3 v = sym_mul(Mi, rhs);
    out->W = W, out->Di = Mi, out->Dx = Di;
    m->a = add(v, lift);
    m->alpha = sub_mul(y, W, m->a);
    vec_store(qdd, v);
    vec_store(qdd + 3, mul_t(f->R, m->alpha));
}

/* Adds what a body leaves to what its siblings left, moved to the parent's origin (eq. 34, 35). */
KERNEL void hand_over(const struct frame *f, struct inertia A, int force_only, struct inertia *to,
                      int first) {
    if (!to) return;
    const struct inertia P = force_only ? shift_force(A, f->r, f->d) : shift(A, f->r, f->d);
    if (first) {
        *to = P;
        return;
    }
    to->J = sym_add(to->J, P.J);
    to->H = mat_add(to->H, P.H);
    to->M = sym_add(to->M, P.M);
    to->n = add(to->n, P.n);
    to->f = add(to->f, P.f);
}

/* Where a body's parent collects: its slot, or nothing above the root. */
KERNEL struct inertia *slot_above(const tree_body *b, struct work *w) {
    return b->parent_slot < 0 ? 0 : &w->slot[b->parent_slot];
}

/* Pass 2 for one body: its articulated inertia, its joint eliminated, the rest handed to its parent. The
   cases do not meet again before the end: joining 27 values from several branches would send them all
   through memory. */
KERNEL void leave_body(const tree *t, int i, struct work *w, const real *Q, const real *K,
                       const struct sn__args *args, int kind, struct inertia *to, int first, real *qdd) {
    const tree_body *b = &t->body[i];
    const struct frame *f = &w->frame[i];
    real lifted[6];
    const real *push = push_with_lift(args, f, i, lifted), *more = args->mass_scale;
    const int per_axis = kind == ABA_LIMITED || (args->per_axis && args->per_axis[i]);
    const sym3 *K3 = &w->K3[2 * i];
    const struct inertia *slot = &w->slot[b->slot];
    struct rigid *kept = rigid_kept(w, i);
    struct response *out = &w->response[i];
    vec3 mc;
    Q += b->v;
    K += b->v;
    if (b->joint == SN__JOINT_BALL && !per_axis && b->leaf && to) {
        const struct inertia I = body_inertia(b, f, 0, push, more, kept, &mc);
        hand_over(f, eliminate_ball(I, f, Q, K, 0, 0, kind, &mc, out), kind == ABA_PLAIN, to, first);
    } else if (b->joint == SN__JOINT_BALL && !per_axis && to) {
        const struct inertia I = body_inertia(b, f, slot, push, more, kept, &mc);
        hand_over(f, eliminate_ball(I, f, Q, K, 0, 0, kind, 0, out), kind == ABA_PLAIN, to, first);
    } else if (b->joint == SN__JOINT_HINGE && b->leaf) {
        const struct inertia I = body_inertia(b, f, 0, push, more, kept, &mc);
        hand_over(f, eliminate_hinge(I, f, 0, Q, K, kind, out), 0, to, first);
    } else if (b->joint == SN__JOINT_HINGE) {
        const struct inertia I = body_inertia(b, f, slot, push, more, kept, &mc);
        hand_over(f, eliminate_hinge(I, f, 0, Q, K, kind, out), 0, to, first);
    } else { /* rarer */
        struct inertia I = b->leaf ? body_inertia(b, f, 0, push, more, kept, &mc)
                                   : body_inertia(b, f, slot, push, more, kept, &mc);
        if (w->products && spins(b)) spin_bias(w, i, &I);
        if (b->joint == SN__JOINT_BALL && !per_axis)
            eliminate_ball(I, f, Q, K, 0, 0, kind, 0, out);
        else if (b->joint == SN__JOINT_BALL)
            hand_over(f, eliminate_ball(I, f, Q, K, K3, 1, kind, 0, out), kind == ABA_PLAIN, to, first);
        else if (b->joint == SN__JOINT_FREE)
            solve_free(I, f, Q, K, K3, per_axis, kind, w->motion[-1].a, &w->motion[i], out, qdd + b->v);
        else if (b->joint == SN__JOINT_SLIDE)
            hand_over(f, eliminate_hinge(I, f, 1, Q, K, kind, out), 0, to, first);
        else if (b->joint == SN__JOINT_UNIVERSAL)
            hand_over(f, eliminate_universal(I, f, Q, K, kind, out), 0, to, first);
        else
            hand_over(f, I, 0, to, first);
    }
}

/* Pass 3 for one body: eq. 44-46. `turned`: qdd of a ball goes to work.turn, in world axes. */
KERNEL void accelerate_body(const tree *t, int i, struct work *w, const real *K, int per_axis, int kind,
                            int turned, real *qdd) {
    const tree_body *b = &t->body[i];
    if (b->joint == SN__JOINT_FREE) return; /* solved already */
    const struct frame *f = &w->frame[i];
    const struct response *s = &w->response[i];
    const struct motion *p = &w->motion[b->parent];
    struct motion *m = &w->motion[i];
    const vec3 a = add_cross(add(p->a, f->d), p->alpha, f->r);
    const vec3 alpha = add(p->alpha, f->c); /* a' of eq. 44 */
    qdd += b->v;
    switch (b->joint) {
    case SN__JOINT_BALL: {
        vec3 own = sub_mul(s->y, s->W, a);
        if (kind != ABA_PLAIN)
            own = per_axis ? add_mul(own, s->N, p->alpha) : add_sym_mul(own, s->Di, scale(p->alpha, K[b->v]));
        if (turned)
            vec_store(w->turn + b->v, sub(own, alpha));
        else
            vec_store(qdd, mul_t(f->R, sub(own, alpha)));
        *m = (struct motion){own, a};
        break;
    }
    case SN__JOINT_HINGE:
        qdd[0] = s->y.x - dot((vec3){s->N.xx, s->N.xy, s->N.xz}, alpha) -
                 dot((vec3){s->W.xx, s->W.xy, s->W.xz}, a);
        *m = (struct motion){add_scaled(alpha, f->s, qdd[0]), a};
        break;
    case SN__JOINT_SLIDE:
        qdd[0] = s->y.x - dot((vec3){s->N.xx, s->N.xy, s->N.xz}, alpha) -
                 dot((vec3){s->W.xx, s->W.xy, s->W.xz}, a);
        *m = (struct motion){alpha, add_scaled(a, f->s, qdd[0])};
        break;
    case SN__JOINT_UNIVERSAL: {
        /* the inner axis sees the parent's alpha, since c stands beyond the outer one */
        qdd[0] = s->y.x - dot((vec3){s->N.xx, s->N.xy, s->N.xz}, p->alpha) -
                 dot((vec3){s->W.xx, s->W.xy, s->W.xz}, a);
        const vec3 alpha1 = add_scaled(alpha, f->s, qdd[0]);
        qdd[1] = s->y.y - dot((vec3){s->N.yx, s->N.yy, s->N.yz}, alpha1) -
                 dot((vec3){s->W.yx, s->W.yy, s->W.yz}, a);
        *m = (struct motion){add_scaled(alpha1, f->s2, qdd[1]), a};
        break;
    }
    default:
        *m = (struct motion){alpha, a};
        break;
    }
}

#endif
