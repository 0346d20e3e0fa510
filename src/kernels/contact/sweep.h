/* Passes 2 and 3 alone, over frames that stand already, with contacts on some bodies.
 *
 * A contact at r from a body's origin is a force F = -B u - g on its point, u = s + dt (a + alpha x r) the velocity
 * the point will have beyond what is wanted, s what of it does not depend on the solve (law.h). With E = dt B it
 * joins the body's inertia before pass 2:
 *
 *     B  = bt 1 + (bn - bt) n n^T where it sticks, less bt t t^T where it slides along t; g = mu f_n t there
 *     M += E,   H += [r] E,   J += [r] E [r]^T,   f += B s + g,   n += r x (B s + g)
 *
 * A joint at its limit is the same on its own axis x: with c = qd . x less what is wanted, K += dt b x x^T and
 * Q -= b c x. A drive beyond its torque limit has the Q and K that limits.h leaves in work.Q and work.K3.
 *
 * O(1) a contact. Each body keeps what it leaves to its parent (work.left): when only the coefficients of contacts
 * change, only bodies between contacts and the root are passed again, and sums are made in the same order whichever
 * they are, so that a lane's bits do not depend on where its neighbours touch. */
#ifndef SINEW_KERNELS_CONTACT_SWEEP_H
#define SINEW_KERNELS_CONTACT_SWEEP_H

#include "kernels/contact/brace.h"

KERNEL real *limit_at(const struct sn__contacts *c, int k) {
    return (real *)c->limit + SN__LIMIT_VALUES * k;
}

/* Sets of bodies while contacts and torque limits are about. */
struct touching {
    uint8_t *hot;    /* with contacts or such joints, or above one: what changes from sweep to sweep */
    uint8_t *joint;  /* its joint is near a limit, or its drive beyond one, in some lane */
    uint8_t *driven; /* its drive is, or has been in this solve */
    uint8_t *dirty;  /* hot, and changed since it was last passed */
};

KERNEL struct touching touching_of(const tree *t, const struct work *w) {
    uint8_t *mark = w->mark + 2 * t->nbody;
    return (struct touching){mark, w->mixed, mark + t->nbody, mark + 2 * t->nbody};
}

/* In which lanes a joint is more than its plain drive: near a limit, or the drive beyond its own. */
KERNEL mask joint_near(const struct sn__args *args, const struct work *w, int i) {
    const tree *t = args->tree;
    const tree_body *b = &t->body[i];
    mask near = (mask){0};
    for (int k = w->first_limit[i]; k < w->first_limit[i + 1]; k++)
        near |= less(splat(0), limit_at(args->contacts, k)[SN__LIMIT_B]);
    if (touching_of(t, w).driven[i])
        for (int v = b->v; v < b->v + b->nv; v++)
            near |= less(splat(0), w->over[v]);
    return near;
}

KERNEL real *contact_at(const struct sn__contacts *c, int k) {
    return (real *)c->value + SN__CONTACT_VALUES * k;
}

/* Whether a contact acts on what moves, in the lanes that are not settled: one that is near may still be off. */
KERNEL int acts(const real *x, mask settled) {
    const real *now = x + SN__NOW;
    return any(less(splat(0), now[SN__BN_NOW] + now[SN__BT_NOW] + now[SN__PUSH_NOW]) & ~settled);
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
    join_damper(I, r, E, Bs);
}

/* K and Q of a joint with its drive as the solve has linearised it and with its limits: a 3x3 block, of which axes
   read the diagonal. */
KERNEL sym3 limited_joint(const struct sn__args *args, const struct work *w, int i, const real *K, real *Q) {
    const tree *t = args->tree;
    const tree_body *b = &t->body[i];
    const real *qd = (const real *)args->qd + b->v, z = splat(0), dt = step_size(args);
    const int n = b->nv;
    sym3 A = {K[0], n > 1 ? K[1] : z, n > 2 ? K[2] : z, z, z, z};
    if (touching_of(t, w).driven[i]) {
        A = w->K3[2 * i];
        for (int j = 0; j < n; j++)
            Q[j] = w->Q[b->v + j];
    }
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

/* A ball at its limit has a 3x3 K. Lanes that are not at the limit keep what the plain elimination has left: their bits
   must not depend on whether a neighbour is. */
static __attribute__((noinline)) void limit_ball(const struct sn__args *args, struct work *w, int i,
                                                 const struct inertia *I, const real *Q, const real *K,
                                                 struct inertia *to) {
    const int per_axis = args->per_axis && args->per_axis[i];
    const struct frame *f = &w->frame[i];
    struct ball_response *out = &w->response[i].ball, own;
    real own_Q[3] = {Q[0], Q[1], Q[2]};
    const mask near = w->near[i] = joint_near(args, w, i);
    const sym3 K3 = limited_joint(args, w, i, K, own_Q);
    const struct gain g = rotation_gain(f, 0, &K3, 1, ABA_LIMITED);
    const struct inertia B = eliminate_ball(*I, mul(f->R, vec_load(own_Q)), &f->c, g, 0, &own);
    out->y = vec_choose(near, own.y, out->y), out->W = mat_choose(near, own.W, out->W);
    out->N = per_axis ? mat_choose(near, own.N, out->N) : own.N;
    out->Dx = per_axis ? sym_choose(near, own.Dx, out->Dx) : own.Dx;
    if (!to) return;
    const struct inertia A = shift(B, f->r, &f->d);
    to->J = sym_choose(near, A.J, to->J), to->H = mat_choose(near, A.H, to->H);
    to->M = sym_choose(near, A.M, to->M);
    to->n = vec_choose(near, A.n, to->n), to->f = vec_choose(near, A.f, to->f);
}

/* A free joint whose drive is beyond its limit, likewise. */
static __attribute__((noinline)) void limit_free(const struct sn__args *args, struct work *w, int i,
                                                 const struct inertia *I, const real *K, real *qdd) {
    struct response own;
    struct free_response *out = &w->response[i].free;
    struct motion *m = &w->motion[i], moved;
    real x[6];
    const mask near = w->near[i] = joint_near(args, w, i);
    const real *Q = w->Q + ((const tree *)args->tree)->body[i].v;
    const struct free_drive drive = {Q, K, &w->K3[2 * i], 1, ABA_LIMITED};
    solve_free(*I, &w->frame[i], drive, w->motion[-1].a, &moved, &own, x);
    out->W = mat_choose(near, own.free.W, out->W);
    out->linear = sym_choose(near, own.free.linear, out->linear);
    out->angular = sym_choose(near, own.free.angular, out->angular);
    m->a = vec_choose(near, moved.a, m->a), m->alpha = vec_choose(near, moved.alpha, m->alpha);
    for (int k = 0; k < 6; k++)
        qdd[k] = choose(near, x[k], qdd[k]);
}

/* A stiff contact on a light limb leaves differences of large numbers, which float may round to less than nothing: a body
   turns as if it had a few millionths of what it carries more. */
KERNEL void harden(struct inertia *I) {
    const real more = R(3e-6) * (I->J.xx + I->J.yy + I->J.zz);
    I->J = sym_add_diagonal(I->J, (vec3){more, more, more});
}

/* A body by itself: its inertia does not change from sweep to sweep, and the first one has kept it. */
KERNEL struct inertia inertia_again(const struct sn__args *args, const struct work *w, int i,
                                    const real *push) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const struct frame *f = &w->frame[i];
    const sym3 J = w->rigid[i].J;
    const vec3 mc = w->rigid[i].mc;
    const real z = splat(0);
    real m = splat(b->mass);
    if (args->mass_scale) m = m * *(const real *)args->mass_scale;
    struct inertia I = {.J = J,
                        .H = {z, -mc.z, mc.y, mc.z, z, -mc.x, -mc.y, mc.x, z},
                        .M = {m, m, m, z, z, z},
                        .n = cross(f->w, sym_mul(J, f->w)),
                        .f = cross(f->w, cross(f->w, mc))};
    if (push) add_push(&I, b, f, push);
    return I;
}

/* leave_body with contacts, limits, and what each body leaves kept by itself. A body that is passed again gives
   the same bits where nothing has changed. */
KERNEL void leave_touching(const struct sn__args *args, int i, struct work *w, const real *Q, const real *K,
                           mask settled, real *qdd) {
    const tree *t = args->tree;
    const tree_body *b = &t->body[i];
    const struct frame *f = &w->frame[i];
    const struct touching set = touching_of(t, w);
    real lifted[6];
    const real *push = push_with_lift(args, f, i, lifted);
    const int per_axis = args->per_axis && args->per_axis[i];
    const int kind = ABA_GENERAL;
    struct response *out = &w->response[i];
    vec3 mc;
    struct inertia I = w->rigid_stands ? inertia_again(args, w, i, push)
                                       : body_inertia(b, f, 0, push, args->mass_scale, rigid_kept(w, i), &mc);
    for (int c = b->child; c >= 0; c = t->body[c].sibling)
        add_inertia(&I, &w->left[c]);
    if (w->products && spins(b)) spin_bias(w, i, &I);
    for (int k = w->first[i]; k < w->first[i + 1]; k++)
        if (acts(contact_at(args->contacts, k), settled)) add_contact(args->contacts, k, step_size(args), &I);
    if (has_braces(args->contacts, i)) add_braces(args->contacts, i, step_size(args), &I);
#if LANE_BITS == 32
    harden(&I);
#endif
    const struct above up = {b->parent < 0 ? 0 : &w->left[i], 1};
    Q += b->v;
    K += b->v;
    if (is_ball(b)) {
        if (per_axis)
            leave_ball(I, f, Q, rotation_gain(f, K, 0, 1, kind), 0, out, up);
        else
            leave_ball(I, f, Q, rotation_gain(f, K, 0, 0, kind), 0, out, up);
        if (set.joint[i]) {
            const struct inertia own = I;
            limit_ball(args, w, i, &own, Q, K, up.slot);
        }
        return;
    }
    if (is_free(b)) {
        solve_free(I, f, (struct free_drive){Q, K, 0, per_axis, kind}, w->motion[-1].a, &w->motion[i], out,
                   qdd + b->v);
        if (set.joint[i]) {
            const struct inertia own = I;
            limit_free(args, w, i, &own, K, qdd + b->v);
        }
        return;
    }
    real own_Q[3], own_K[3];
    if (set.joint[i]) {
        for (int k = 0; k < b->nv; k++)
            own_Q[k] = Q[k];
        const sym3 limited = limited_joint(args, w, i, K, own_Q);
        own_K[0] = limited.xx, own_K[1] = limited.yy, own_K[2] = limited.zz;
        Q = own_Q, K = own_K;
    }
    if (b->joint == SN__JOINT_HINGE)
        leave_hinge(I, f, Q, K, out, up);
    else
        leave_axes(I, b, f, Q, K, out, up);
}

/* Pass 3 of a ball in the lanes where its limit is near. */
static __attribute__((noinline)) void accelerate_limited(const struct sn__args *args, struct work *w, int i,
                                                         real *qdd) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const struct frame *f = &w->frame[i];
    const struct ball_response *s = &w->response[i].ball;
    const struct motion *p = &w->motion[b->parent];
    const mask near = w->near[i];
    const vec3 a = add_cross(add(p->a, f->d), p->alpha, f->r), alpha = add(p->alpha, f->c);
    const vec3 own = add_mul(sub_mul(s->y, s->W, a), s->N, p->alpha);
    vec_store(qdd + b->v, vec_choose(near, mul_t(f->R, sub(own, alpha)), vec_load(qdd + b->v)));
    w->motion[i].alpha = vec_choose(near, own, w->motion[i].alpha);
}

/* Keeps the coefficients of the sweep that is about to be made: rows are answered by what it leaves. */
static __attribute__((noinline)) void keep_swept(const struct sn__contacts *c) {
    for (int k = 0; k < c->count; k++) {
        real *x = contact_at(c, k);
        for (int j = 0; j < SN__COEFFICIENTS; j++)
            x[SN__SWEPT + j] = x[SN__NOW + j];
    }
    for (int k = 0; k < c->nlimit; k++)
        limit_at(c, k)[SN__LIMIT_SWEPT] = limit_at(c, k)[SN__LIMIT_NOW];
}

/* With contacts or torque limits, prepared (records.h): all bodies, or `again` pass 2 of the dirty ones alone. What it leaves
   in settled lanes is of no account. */
static __attribute__((noinline)) void sweep_touching(const struct sn__args *args, struct work *w,
                                                     const real *Q, const real *K, int again, mask settled,
                                                     real *qdd) {
    const tree *t = args->tree;
    const struct touching set = touching_of(t, w);
    if (w->stale) again = w->stale = 0;
    if (args->rows_follow) keep_swept(args->contacts);
    for (int i = t->nbody - 1; i >= 0; i--) {
        if (!again || set.dirty[i]) leave_touching(args, i, w, Q, K, settled, qdd);
        set.dirty[i] = 0;
    }
    if (w->products == PRODUCTS_START_SPINNING) spin_roots(args, w, K, ABA_GENERAL, qdd);
    for (int i = 0; i < t->nbody; i++) {
        accelerate_body(args, w, i, K, ABA_GENERAL, 0, qdd);
        if (set.joint[i] && is_ball(&t->body[i])) accelerate_limited(args, w, i, qdd);
    }
}

#endif
