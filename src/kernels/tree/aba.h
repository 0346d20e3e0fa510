/* The articulated-body algorithm with stable PD inside: MABA, maba-2020 appendix A.
 *
 *     (M + K) qdd = Q - C        in O(n), with K = 0 and Q = tau: Featherstone's ABA
 *
 * Letters as in the paper where it has them. How one joint is eliminated stands in eliminate.h; here is what goes in, the body's
 * inertia and bias, and passes 2 and 3 of one body. */
#ifndef SINEW_KERNELS_TREE_ABA_H
#define SINEW_KERNELS_TREE_ABA_H

#include "kernels/tree/biases.h"
#include "kernels/tree/drive.h"

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
    sym3 J = rigid_inertia(b, f);
    if (heavier) {
        m = m * *heavier;
        mc = scale(mc, *heavier);
        J = sym_scale(J, *heavier);
    }
    const vec3 Jw = sym_mul(J, f->w), wmc = cross(f->w, mc);
    struct inertia I;
    if (kept) *kept = (struct rigid){J, mc, cross(f->w, Jw), cross(f->w, wmc)};
    join_body(&I, slot, J, mc, m);
    I.n = slot ? add_cross(slot->n, f->w, Jw) : cross(f->w, Jw);
    I.f = slot ? add_cross(slot->f, f->w, wmc) : cross(f->w, wmc);
    if (push) add_push(&I, b, f, push);
    *mc_out = mc;
    return I;
}

/* K of a ball, or of the rotation of a free joint. */
KERNEL struct gain rotation_gain(const struct frame *f, const real *K, const sym3 *K3, int per_axis,
                                 int kind) {
    if (kind == ABA_PLAIN) return no_gain();
    if (kind == ABA_LIMITED) return gain_whole(sym_rotate(f->R, *K3));
    if (per_axis) return gain_whole(sym_rotate_diagonal(f->R, vec_load(K)));
    return gain_diagonal((vec3){K[0], K[0], K[0]});
}

/* Of a ball: eliminated, and handed over. */
KERNEL void leave_ball(struct inertia I, const struct frame *f, const real *Q, struct gain g,
                       const vec3 *leaf_mc, struct response *out, struct above up) {
    const vec3 tau = mul(f->R, vec_load(Q)); /* own axes to world axes */
    hand_over(eliminate_ball(I, tau, &f->c, g, leaf_mc, &out->ball), f->r, &f->d, g.kind == GAIN_NONE, up);
}

KERNEL void leave_hinge(struct inertia I, const struct frame *f, const real *Q, const real *K,
                        struct response *out, struct above up) {
    hand_over(eliminate_hinge(I, &f->pose, &f->c, Q[0], K, &out->axis[0]), f->r, &f->d, 0, up);
}

KERNEL void leave_axes(struct inertia I, const tree_body *b, const struct frame *f, const real *Q,
                       const real *K, struct response *out, struct above up) {
    hand_over(eliminate_axes(I, b, &f->pose, &f->c, Q, K, out->axis), f->r, &f->d, 0, up);
}

/* The drive of a free joint: Q and K of its six degrees of freedom. */
struct free_drive {
    const real *Q, *K;
    const sym3 *K3; /* [2] K of its halves, read only if kind is ABA_LIMITED */
    int per_axis, kind;
};

/* The root: v' is the true acceleration, a = v' - g. */
KERNEL void solve_free(struct inertia I, const struct frame *f, struct free_drive drive, vec3 lift,
                       struct motion *m, struct response *out, real *qdd) {
    const real *Q = drive.Q, *K = drive.K;
    const sym3 *K3 = drive.K3;
    const int per_axis = drive.per_axis, kind = drive.kind;
    struct gain linear = no_gain();
    if (kind == ABA_LIMITED) linear = gain_whole(K3[0]);
    if (kind == ABA_GENERAL) linear = gain_diagonal(vec_load(K));
    const real *Kw = kind == ABA_PLAIN ? 0 : K + 3;
    const sym3 *whole = kind == ABA_LIMITED ? &K3[1] : 0;
    const sym3 D = per_axis ? add_gain(I.J, rotation_gain(f, Kw, whole, 1, kind))
                            : add_gain(I.J, rotation_gain(f, Kw, whole, 0, kind));
    const struct root_drive root = {vec_load(Q), vec_load(Q + 3), D, linear, &lift};
    eliminate_free(I, &f->pose, root, m, &out->free, qdd);
}

/* Where a body's parent collects: its slot, or nothing above the root. */
KERNEL struct above above(const tree_body *b, struct work *w) {
    return (struct above){b->parent_slot < 0 ? 0 : &w->slot[b->parent_slot], b->first};
}

/* Pass 2 for one body: its articulated inertia, its joint eliminated, the rest handed to its parent. K NULL: zero. The
   cases do not meet again before the end: joining 27 values from several branches would send them all
   through memory. */
KERNEL void leave_body(const struct sn__args *args, struct work *w, int i, const real *Q, const real *K,
                       real *qdd) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const struct above up = above(b, w), nowhere = {0, 0};
    const struct frame *f = &w->frame[i];
    real lifted[6];
    const real *push = push_with_lift(args, f, i, lifted), *more = args->mass_scale;
    const int per_axis = args->per_axis && args->per_axis[i];
    const struct inertia *slot = &w->slot[b->slot];
    struct rigid *kept = rigid_kept(w, i);
    struct response *out = &w->response[i];
    vec3 mc;
    Q += b->v;
    K = K ? K + b->v : 0;
    const int ball = b->joint == SN__JOINT_BALL && !per_axis && up.slot;
    if (ball && b->leaf && K) {
        const struct inertia I = body_inertia(b, f, 0, push, more, kept, &mc);
        leave_ball(I, f, Q, rotation_gain(f, K, 0, 0, ABA_GENERAL), &mc, out, up);
    } else if (ball && K) {
        const struct inertia I = body_inertia(b, f, slot, push, more, kept, &mc);
        leave_ball(I, f, Q, rotation_gain(f, K, 0, 0, ABA_GENERAL), 0, out, up);
    } else if (ball && b->leaf) {
        const struct inertia I = body_inertia(b, f, 0, push, more, kept, &mc);
        leave_ball(I, f, Q, no_gain(), &mc, out, up);
    } else if (ball) {
        const struct inertia I = body_inertia(b, f, slot, push, more, kept, &mc);
        leave_ball(I, f, Q, no_gain(), 0, out, up);
    } else if (b->joint == SN__JOINT_HINGE && b->leaf) {
        const struct inertia I = body_inertia(b, f, 0, push, more, kept, &mc);
        leave_hinge(I, f, Q, K, out, up);
    } else if (b->joint == SN__JOINT_HINGE) {
        const struct inertia I = body_inertia(b, f, slot, push, more, kept, &mc);
        leave_hinge(I, f, Q, K, out, up);
    } else { /* rarer */
        struct inertia I = b->leaf ? body_inertia(b, f, 0, push, more, kept, &mc)
                                   : body_inertia(b, f, slot, push, more, kept, &mc);
        if (w->products && spins(b)) spin_bias(w, i, &I);
        if (b->joint == SN__JOINT_BALL && !K)
            leave_ball(I, f, Q, no_gain(), 0, out, up);
        else if (b->joint == SN__JOINT_BALL && !per_axis) /* on the world: handed to nobody */
            leave_ball(I, f, Q, rotation_gain(f, K, 0, 0, ABA_GENERAL), 0, out, nowhere);
        else if (b->joint == SN__JOINT_BALL)
            leave_ball(I, f, Q, rotation_gain(f, K, 0, 1, ABA_GENERAL), 0, out, up);
        else if (b->joint == SN__JOINT_FREE)
            solve_free(I, f, (struct free_drive){Q, K, 0, per_axis, K ? ABA_GENERAL : ABA_PLAIN},
                       w->motion[-1].a, &w->motion[i], out, qdd + b->v);
        else
            leave_axes(I, b, f, Q, K, out, up);
    }
}

/* Pass 3 for one body: eq. 44-46. `turned`: qdd of a ball goes to work.turn, in world axes. */
KERNEL void accelerate_body(const struct sn__args *args, struct work *w, int i, const real *K, int kind,
                            int turned, real *qdd) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const int per_axis = args->per_axis && args->per_axis[i];
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
        const struct ball_response *ball = &s->ball;
        vec3 own = sub_mul(ball->y, ball->W, a);
        if (kind != ABA_PLAIN)
            own = per_axis ? add_mul(own, ball->N, p->alpha)
                           : add_sym_mul(own, ball->Di, scale(p->alpha, K[b->v]));
        if (turned)
            vec_store(w->turn + b->v, sub(own, alpha));
        else
            vec_store(qdd, mul_t(f->R, sub(own, alpha)));
        *m = (struct motion){own, a};
        break;
    }
    case SN__JOINT_HINGE:
        qdd[0] = axis_rate(&s->axis[0], alpha, a);
        *m = (struct motion){add_scaled(alpha, f->s[0], qdd[0]), a};
        break;
    default:
        *m = (struct motion){alpha, a};
        for (int k = 0; k < b->naxes; k++) {
            qdd[k] = axis_rate(&s->axis[k], m->alpha, m->a);
            move_axis(axis_of(b, &f->pose, k), qdd[k], &m->alpha, &m->a);
        }
        break;
    }
}

#endif
