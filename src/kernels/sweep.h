/* Passes 2 and 3 alone, over frames that stand already, with contacts on some bodies.
 *
 * A contact at r from a body's origin is a force F = -B u - g on its point, u = s + dt (a + alpha x r) the velocity
 * the point will have beyond what is wanted, s what of it does not depend on the solve (contact.h). With E = dt B it
 * joins the body's inertia before pass 2:
 *
 *     B  = bt 1 + (bn - bt) n n^T where it sticks, less bt t t^T where it slides along t; g = mu f_n t there
 *     M += E,   H += [r] E,   J += [r] E [r]^T,   f += B s + g,   n += r x (B s + g)
 *
 * A joint at its limit is the same on its own axis x: with c = qd . x less what is wanted, K += dt b x x^T and
 * Q -= b c x.
 *
 * O(1) a contact. When only the coefficients of contacts change, only bodies between contacts and the root need
 * to be passed again: what all others leave is kept in work.base. */
#ifndef SINEW_KERNELS_SWEEP_H
#define SINEW_KERNELS_SWEEP_H

#include "kernels/aba.h"

KERNEL real *contact_at(const struct sn__contacts *c, int k) {
    return (real *)c->value + SN__CONTACT_VALUES * k;
}

KERNEL real *limit_at(const struct sn__contacts *c, int k) {
    return (real *)c->limit + SN__LIMIT_VALUES * k;
}

KERNEL void add_contact(const struct sn__contacts *c, int k, real dt, struct inertia *I) {
    const real *v = contact_at(c, k);
    const vec3 r = vec_load(v + SN__POINT), n = vec_load(v + SN__NORMAL), vs = vec_load(v + SN__REST);
    const real *now = v + SN__NOW;
    const real bt = now[SN__BT_NOW], more = now[SN__BN_NOW] - bt, less_t = now[SN__ALONG_NOW] - bt;
    const vec3 t = vec_load(now + SN__T_NOW);
    const vec3 Bn = add_scaled(scale(vs, bt), n, more * dot(n, vs));
    const vec3 Bs = add_scaled(Bn, t, less_t * dot(t, vs) + now[SN__PUSH_NOW]);
    const real e = dt * bt, x = dt * more, y = dt * less_t;
    const vec3 xn = scale(n, x), yt = scale(t, y);
    const sym3 E = {e + xn.x * n.x + yt.x * t.x, e + xn.y * n.y + yt.y * t.y, e + xn.z * n.z + yt.z * t.z,
                    xn.x * n.y + yt.x * t.y,     xn.x * n.z + yt.x * t.z,     xn.y * n.z + yt.y * t.z};
    /* [r] E, then [r] E [r]^T: row i of A [r]^T is r x A_i */
    const mat3 A = {r.y * E.xz - r.z * E.xy, r.y * E.yz - r.z * E.yy, r.y * E.zz - r.z * E.yz,
                    r.z * E.xx - r.x * E.xz, r.z * E.xy - r.x * E.yz, r.z * E.xz - r.x * E.zz,
                    r.x * E.xy - r.y * E.xx, r.x * E.yy - r.y * E.xy, r.x * E.yz - r.y * E.xz};
    const sym3 J = {r.y * A.xz - r.z * A.xy, r.z * A.yx - r.x * A.yz, r.x * A.zy - r.y * A.zx,
                    r.z * A.xx - r.x * A.xz, r.x * A.xy - r.y * A.xx, r.x * A.yy - r.y * A.yx};
    I->M = sym_add(I->M, E);
    I->H = mat_add(I->H, A);
    I->J = sym_add(I->J, J);
    I->f = add(I->f, Bs);
    I->n = add_cross(I->n, r, Bs);
}

KERNEL void add_inertia(struct inertia *I, const struct inertia *B) {
    I->J = sym_add(I->J, B->J);
    I->H = mat_add(I->H, B->H);
    I->M = sym_add(I->M, B->M);
    I->n = add(I->n, B->n);
    I->f = add(I->f, B->f);
}

/* Sets of bodies in work.mark while contacts are about. */
struct touching {
    uint8_t *hot;     /* with contacts, or above one with contacts */
    uint8_t *started; /* a hot child has left something in the slot */
    uint8_t *based;   /* a child that is not hot has left something in work.base */
    uint8_t *joint;   /* its joint is near a limit: a ball is then eliminated with a 3x3 K */
};

KERNEL struct touching touching_of(const tree *t, const struct work *w) {
    return (struct touching){w->mark + 2 * t->nbody, w->mark + 3 * t->nbody, w->mark + 4 * t->nbody,
                             w->mark + 5 * t->nbody};
}

/* K and Q of a joint with its limits: a 3x3 block, of which axes read the diagonal. */
KERNEL sym3 limited_joint(const struct sn__args *args, const struct work *w, int i, const real *K, int kind,
                          real *Q) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const real *qd = (const real *)args->qd + b->v, z = splat(0), dt = splat(R(args->dt));
    const int n = JOINT_NV[b->joint];
    sym3 A = {K[0], n > 1 ? K[1] : z, n > 2 ? K[2] : z, z, z, z};
    if (kind == ABA_LIMITED && b->joint == SN_JOINT_BALL) A = w->K3[2 * i];
    for (int k = w->first_limit[i]; k < w->first_limit[i + 1]; k++) {
        const real *v = limit_at(args->contacts, k), now = v[SN__LIMIT_NOW], e = dt * now;
        const vec3 x = vec_load(v + SN__LIMIT_AXIS);
        real c = -v[SN__LIMIT_WANTED];
        const real part[3] = {x.x, x.y, x.z};
        for (int j = 0; j < n; j++)
            c = c + part[j] * qd[j];
        for (int j = 0; j < n; j++)
            Q[j] = Q[j] - now * c * part[j];
        A = (sym3){A.xx + e * x.x * x.x, A.yy + e * x.y * x.y, A.zz + e * x.z * x.z,
                   A.xy + e * x.x * x.y, A.xz + e * x.x * x.z, A.yz + e * x.y * x.z};
    }
    return A;
}

/* leave_body for a hot body. */
KERNEL void leave_hot(const struct sn__args *args, int i, struct work *w, const real *Q, const real *K,
                      int kind, real *qdd) {
    const tree *t = args->tree;
    const tree_body *b = &t->body[i];
    const struct frame *f = &w->frame[i];
    const struct touching set = touching_of(t, w);
    const real *push = args->push ? (const real *)args->push + 6 * i : 0;
    const int per_axis = kind == ABA_LIMITED || (args->per_axis && args->per_axis[i]);
    const sym3 *K3 = &w->K3[2 * i];
    struct response *out = &w->response[i];
    vec3 mc;
    struct inertia I = body_inertia(b, f, 0, push, &mc);
    if (set.started[i]) add_inertia(&I, &w->slot[b->slot]);
    if (set.based[i]) add_inertia(&I, &w->base[i]);
    for (int k = w->first[i]; k < w->first[i + 1]; k++)
        add_contact(args->contacts, k, splat(R(args->dt)), &I);
    struct inertia *to = slot_above(b, w);
    const int first = b->parent >= 0 && !set.started[b->parent];
    if (b->parent >= 0) set.started[b->parent] = 1;
    Q += b->v;
    K += b->v;
    real own_Q[3], own_K[3];
    sym3 limited;
    if (set.joint[i]) {
        for (int k = 0; k < JOINT_NV[b->joint]; k++)
            own_Q[k] = Q[k];
        limited = limited_joint(args, w, i, K, kind, own_Q);
        own_K[0] = limited.xx, own_K[1] = limited.yy;
        Q = own_Q, K = own_K;
    }
    if (b->joint == SN_JOINT_BALL && set.joint[i])
        hand_over(f, eliminate_ball(I, f, Q, K, &limited, 1, ABA_LIMITED, 0, out), 0, to, first);
    else if (b->joint == SN_JOINT_BALL && !per_axis)
        hand_over(f, eliminate_ball(I, f, Q, K, 0, 0, kind, 0, out), 0, to, first);
    else if (b->joint == SN_JOINT_BALL)
        hand_over(f, eliminate_ball(I, f, Q, K, K3, 1, kind, 0, out), 0, to, first);
    else if (b->joint == SN_JOINT_HINGE)
        hand_over(f, eliminate_hinge(I, f, 0, Q, K, kind, out), 0, to, first);
    else if (b->joint == SN_JOINT_FREE)
        solve_free(I, f, Q, K, K3, per_axis, kind, w->motion[-1].a, &w->motion[i], out, qdd + b->v);
    else if (b->joint == SN_JOINT_SLIDE)
        hand_over(f, eliminate_hinge(I, f, 1, Q, K, kind, out), 0, to, first);
    else if (b->joint == SN_JOINT_UNIVERSAL)
        hand_over(f, eliminate_universal(I, f, Q, K, kind, out), 0, to, first);
    else
        hand_over(f, I, 0, to, first);
}

/* With contacts: all bodies, or `again` the hot ones alone, whose accelerations alone come out then. */
KERNEL void sweep_touching(const struct sn__args *args, struct work *w, const real *Q, const real *K,
                           int kind, int again, real *qdd) {
    const tree *t = args->tree;
    const struct touching set = touching_of(t, w);
    for (int i = 0; i < t->nbody; i++) {
        set.started[i] = 0;
        if (!again) set.based[i] = 0;
    }
    for (int e = 0; e < 2 * t->nbody; e++) {
        const int i = t->visit[e].body;
        const tree_body *b = &t->body[i];
        if (!t->visit[e].leaving) continue;
        if (set.hot[i]) {
            leave_hot(args, i, w, Q, K, kind, qdd);
        } else if (!again) {
            const int kept = b->parent >= 0 && set.hot[b->parent];
            struct inertia *to = kept ? &w->base[b->parent] : slot_above(b, w);
            leave_body(t, i, w, Q, K, args, kind, to, kept ? !set.based[b->parent] : b->first, qdd);
            if (kept) set.based[b->parent] = 1;
        }
    }
    for (int i = 0; i < t->nbody; i++) {
        const int per_axis = kind == ABA_LIMITED || (args->per_axis && args->per_axis[i]) || set.joint[i];
        if (!again || set.hot[i]) accelerate_body(t, i, w, K, per_axis, kind, qdd);
    }
}

static __attribute__((noinline)) void sweep_general(const struct sn__args *args, struct work *w,
                                                    const real *Q, const real *K, int again, real *qdd) {
    sweep_touching(args, w, Q, K, ABA_GENERAL, again, qdd);
}

static __attribute__((noinline)) void sweep_limited(const struct sn__args *args, struct work *w,
                                                    const real *Q, const real *K, real *qdd) {
    sweep_touching(args, w, Q, K, ABA_LIMITED, 0, qdd);
}

/* Passes 2 and 3, with args->contacts where there are any. */
KERNEL void sweep(const struct sn__args *args, struct work *w, const real *Q, const real *K, int kind,
                  real *qdd) {
    const tree *t = args->tree;
    if (args->contacts) {
        if (kind == ABA_LIMITED)
            sweep_limited(args, w, Q, K, qdd);
        else
            sweep_general(args, w, Q, K, 0, qdd);
        return;
    }
    for (int e = 0; e < 2 * t->nbody; e++) {
        const int i = t->visit[e].body;
        const tree_body *b = &t->body[i];
        if (t->visit[e].leaving) leave_body(t, i, w, Q, K, args, kind, slot_above(b, w), b->first, qdd);
    }
    for (int i = 0; i < t->nbody; i++)
        accelerate_body(t, i, w, K, kind == ABA_LIMITED || (args->per_axis && args->per_axis[i]), kind, qdd);
}

#endif
