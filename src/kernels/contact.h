/* Contact as stable PD inside MABA: spd-2011 section 4.3 taken further.
 *
 * Each contact is an implicit damper on the velocity its point will have, bounded by Coulomb's law:
 *
 *     u   = J (qd + dt qdd) - wanted,   u_n = n . u,   u_t = u - u_n n
 *     f_n = -bn u_n                     bn = Bn where u_n < 0, else 0
 *     f_t = -Bt u_t where that is less than mu f_n, else -mu f_n u_t / |u_t|
 *
 * `wanted` holds the ground's velocity, the recovery from penetration and the pull of the anchor. The coefficients
 * are found by sweeps: solve, look at u, choose again, until nothing changes. A lane that has settled is frozen,
 * so that its bits do not depend on its neighbours. */
#ifndef SINEW_KERNELS_CONTACT_H
#define SINEW_KERNELS_CONTACT_H

#include "kernels/limits.h"

KERNEL void put_first(double *o, vec3 v) {
    o[0] = first_lane(v.x), o[1] = first_lane(v.y), o[2] = first_lane(v.z);
}

/* Where every body is and how it moves. */
static void enter(const struct sn__args *args, double *o) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    enter_all(t, args->q, args->qd, &w);
    w.rate[-1] = w.bias[-1] = (struct motion){vec_zero(), vec_zero()};
    for (int i = 0; i < t->nbody; i++, o += SN__PLACE) {
        const tree_body *b = &t->body[i];
        const struct frame *f = &w.frame[i];
        vec3 x, v;
        origin_motion(b, &w.frame[b->parent], f, w.bias[b->parent].a, w.rate[b->parent].a, args->q, args->qd,
                      &x, &v);
        w.bias[i].a = x; /* until solve */
        w.rate[i] = (struct motion){f->w, v};
        put_first(o, x);
        put_first(o + 3, (vec3){f->R.xx, f->R.xy, f->R.xz});
        put_first(o + 6, (vec3){f->R.yx, f->R.yy, f->R.yz});
        put_first(o + 9, (vec3){f->R.zx, f->R.zy, f->R.zz});
        put_first(o + 12, v);
        put_first(o + 15, f->w);
    }
}

/* Velocity of each origin and angular velocity under other joint velocities, at the same pose. */
static void velocities(const struct sn__args *args, const void *qd_, double *o) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    const real *qd = qd_;
    const struct motion rest = {vec_zero(), vec_zero()};
    for (int i = 0; i < t->nbody; i++, o += 6) {
        const tree_body *b = &t->body[i];
        const struct frame *f = &w.frame[i];
        const struct motion p = b->parent < 0 ? rest : w.motion[b->parent];
        struct motion m = {p.alpha, add_cross(p.a, p.alpha, f->r)};
        unfold(b, f, qd + b->v, &m.alpha, &m.a);
        w.motion[i] = m;
        put_first(o, m.a);
        put_first(o + 3, m.alpha);
    }
}

/* Acceleration a body has at qdd = 0, gravity apart: what velocities alone make of it; origin, then angular. */
static void products(const struct sn__args *args, int body, double *o) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    w.bias[-1] = (struct motion){vec_zero(), vec_zero()};
    uint8_t *path = w.mark;
    for (int i = 0; i <= body; i++)
        path[i] = 0;
    for (int i = body; i >= 0; i = t->body[i].parent)
        path[i] = 1;
    for (int i = 0; i <= body; i++) {
        if (!path[i]) continue;
        const struct frame *f = &w.frame[i];
        const struct motion p = w.bias[t->body[i].parent];
        w.bias[i] = (struct motion){add(p.alpha, f->c), add_cross(add(p.a, f->d), p.alpha, f->r)};
    }
    put_first(o, w.bias[body].a);
    put_first(o + 3, w.bias[body].alpha);
}

/* Where the entries of each body begin in an ascending list of bodies. */
static void index_bodies(int nbody, int n, const int32_t *body, int32_t *first) {
    int k = 0;
    for (int i = 0; i < nbody; i++) {
        first[i] = k;
        while (k < n && body[k] == i)
            k++;
    }
    first[nbody] = k;
}

/* Marks the bodies between contacts and the root, and finds what of u does not depend on the solve:
     s = J qd - wanted - dt (a0 + alpha0 x r),   a0, alpha0 the accelerations at qdd = 0. */
static void prepare_contacts(const struct sn__args *args, struct work *w) {
    const tree *t = args->tree;
    const struct sn__contacts *c = args->contacts;
    const struct touching set = touching_of(t, w);
    const real dt = splat(R(args->dt));
    index_bodies(t->nbody, c->count, c->body, w->first);
    index_bodies(t->nbody, c->nlimit, c->limit_body, w->first_limit);
    for (int i = 0; i < t->nbody; i++) {
        set.joint[i] = w->first_limit[i] < w->first_limit[i + 1];
        set.hot[i] = 0;
    }
    for (int i = 0; i < t->nbody; i++)
        if (set.joint[i] || w->first[i] < w->first[i + 1])
            for (int k = i; k >= 0 && !set.hot[k]; k = t->body[k].parent)
                set.hot[k] = 1;
    w->bias[-1] = w->motion[-1];
    for (int i = 0; i < t->nbody; i++) {
        if (!set.hot[i]) continue;
        const struct frame *f = &w->frame[i];
        const struct motion p = w->bias[t->body[i].parent];
        const struct motion m = {add(p.alpha, f->c), add_cross(add(p.a, f->d), p.alpha, f->r)};
        w->bias[i] = m;
        for (int k = w->first[i]; k < w->first[i + 1]; k++) {
            real *x = contact_at(c, k);
            const vec3 r = vec_load(x + SN__POINT), v = add_cross(w->rate[i].a, w->rate[i].alpha, r);
            const vec3 a0 = add_cross(m.a, m.alpha, r);
            vec_store(x + SN__REST, add_scaled(sub(v, vec_load(x + SN__WANTED)), a0, -dt));
        }
    }
}

/* Coefficients of a contact that sticks, slides along the unit vector t with a friction of `push`, or is off. */
KERNEL void put_coefficients(real *c, const real *x, real bn, mask slides, vec3 t, real push, real slip) {
    const real zero = splat(0);
    const mask on = less(zero, bn), rubs = on & less(zero, x[SN__MU]);
    const real across = minimum(x[SN__BT], push / maximum(slip, splat(R(1e-12))));
    c[SN__BN_NOW] = bn;
    c[SN__BT_NOW] = choose(rubs, choose(slides, across, x[SN__BT]), zero);
    c[SN__ALONG_NOW] = choose(rubs & ~slides, x[SN__BT], zero);
    c[SN__T_NOW] = choose(rubs & slides, t.x, zero);
    c[SN__T_NOW + 1] = choose(rubs & slides, t.y, zero);
    c[SN__T_NOW + 2] = choose(rubs & slides, t.z, zero);
    c[SN__PUSH_NOW] = choose(rubs & slides, push, zero);
}

/* The coefficients to begin with: contacts that carried a force are expected to go on as they did. */
static void expect_contacts(const struct sn__contacts *c) {
    const real zero = splat(0);
    for (int k = 0; k < c->count; k++) {
        real *x = contact_at(c, k);
        const vec3 n = vec_load(x + SN__NORMAL), F = vec_load(x + SN__FORCE);
        const real fn = dot(F, n), most = x[SN__MU] * fn;
        const vec3 ft = add_scaled(F, n, -fn);
        const real ft2 = dot(ft, ft);
        const mask on = less(zero, fn), slides = on & not_less(ft2, R(0.998) * most * most) & less(zero, ft2);
        const real size = choose(slides, square_root(ft2), splat(1));
        put_coefficients(x + SN__NOW, x, choose(on, x[SN__BN], zero), slides, scale(ft, R(-1) / size), most,
                         zero);
    }
    for (int k = 0; k < c->nlimit; k++) {
        real *x = limit_at(c, k);
        x[SN__LIMIT_NOW] = choose(less(zero, x[SN__LIMIT_FORCE]), x[SN__LIMIT_B], zero);
    }
}

/* Force of a contact that belongs to the coefficients of the sweep, and what they should be; which lanes want others.
   Newton's method on friction: where Bt would push more than mu f_n it slides, with just that; where it has come to
   slide back it sticks. */
KERNEL mask choose_contact(const struct sn__args *args, const struct work *w, int k, mask settled) {
    const struct sn__contacts *c = args->contacts;
    const struct motion m = w->motion[c->body[k]];
    const real zero = splat(0);
    real *x = contact_at(c, k), *force = x + SN__FORCE;
    const real *now = x + SN__NOW;
    const vec3 n = vec_load(x + SN__NORMAL), r = vec_load(x + SN__POINT), t = vec_load(now + SN__T_NOW);
    const vec3 u = add_scaled(vec_load(x + SN__REST), add_cross(m.a, m.alpha, r), splat(R(args->dt)));
    const real un = dot(u, n), bn = now[SN__BN_NOW], bt = now[SN__BT_NOW], push = now[SN__PUSH_NOW];
    const vec3 ut = add_scaled(u, n, -un);
    const real along = dot(ut, t);
    const real back = (now[SN__ALONG_NOW] - bt) * along + push;
    const vec3 F = add_scaled(add_scaled(scale(ut, -bt), t, -back), n, -(bn * un));
    force[0] = choose(settled, force[0], F.x);
    force[1] = choose(settled, force[1], F.y);
    force[2] = choose(settled, force[2], F.z);

    const mask on = less(un, zero), was = less(zero, bn), slid = less(zero, push);
    const real entering = minimum(x[SN__BN], splat(R(c->soft)));
    const real new_bn = choose(on, choose(was, x[SN__BN], entering), zero);
    const real most = x[SN__MU] * maximum(zero, -(new_bn * un));
    const real slip = square_root(dot(ut, ut));
    const mask slides =
        less(zero, slip) & ((slid & less(zero, along)) | (~slid & less(most, x[SN__BT] * slip)));
    const vec3 direction = scale(ut, R(1) / choose(slides, slip, splat(1)));
    put_coefficients(x + SN__NEXT, x, new_bn, slides, direction, most, slip);

    const real *next = x + SN__NEXT;
    const vec3 turn = sub(vec_load(next + SN__T_NOW), t);
    const real change = absolute(next[SN__PUSH_NOW] - push);
    const real turned = square_root(dot(turn, turn)) * most; /* where it slid before, too */
    const mask flips = less(zero, push) ^ less(zero, next[SN__PUSH_NOW]);
    return is_nonzero(bits_of(new_bn) ^ bits_of(bn)) | flips |
           (on & less(R(c->tolerance) * most, change + turned));
}

/* The same for a limit. */
KERNEL mask choose_limit(const struct sn__args *args, int k, const real *qdd, mask settled) {
    const struct sn__contacts *c = args->contacts;
    const tree_body *b = &((const tree *)args->tree)->body[c->limit_body[k]];
    const real *qd = args->qd, zero = splat(0);
    real *x = limit_at(c, k), u = -x[SN__LIMIT_WANTED];
    for (int j = 0; j < JOINT_NV[b->joint]; j++)
        u = u + x[SN__LIMIT_AXIS + j] * (qd[b->v + j] + R(args->dt) * qdd[b->v + j]);
    const real now = x[SN__LIMIT_NOW], next = choose(less(u, zero), x[SN__LIMIT_B], zero);
    x[SN__LIMIT_FORCE] = choose(settled, x[SN__LIMIT_FORCE], -(now * u));
    x[SN__LIMIT_NEXT] = next;
    return is_nonzero(bits_of(next) ^ bits_of(now));
}

static mask choose_contacts(const struct sn__args *args, const struct work *w, const real *qdd,
                            mask settled) {
    mask changed = (mask){0};
    for (int k = 0; k < args->contacts->count; k++)
        changed |= choose_contact(args, w, k, settled);
    for (int k = 0; k < args->contacts->nlimit; k++)
        changed |= choose_limit(args, k, qdd, settled);
    return changed & ~settled;
}

/* Takes the new coefficients over in the lanes that changed; the others stay with those of their forces. */
static void change_contacts(const struct sn__contacts *c, mask changed) {
    for (int k = 0; k < c->count; k++) {
        real *x = contact_at(c, k);
        for (int j = 0; j < SN__COEFFICIENTS; j++)
            x[SN__NOW + j] = choose(changed, x[SN__NEXT + j], x[SN__NOW + j]);
    }
    for (int k = 0; k < c->nlimit; k++) {
        real *x = limit_at(c, k);
        x[SN__LIMIT_NOW] = choose(changed, x[SN__LIMIT_NEXT], x[SN__LIMIT_NOW]);
    }
}

/* Over frames that stand: qdd under drives, torque limits and contacts. Returns how many sweeps it took. */
static int solve(const struct sn__args *args, void *out) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    real *qdd = out, *Q = w.tmp[0], *trial = w.tmp[5];
    if (args->contacts) {
        prepare_contacts(args, &w);
        expect_contacts(args->contacts);
    }
    mask settled = (mask){0};
    int n = 0;
    if (!args->limit) drive_all(args, Q);
    for (;;) {
        if (args->limit)
            solve_limited(args, w, trial);
        else if (!args->contacts)
            sweep(args, &w, Q, args->K, ABA_GENERAL, trial);
        else
            sweep_general(args, &w, Q, args->K, n > 0, trial);
        n++;
        if (!args->contacts) break;
        const mask changed = choose_contacts(args, &w, trial, settled);
        if (n == args->contacts->sweeps || !any(changed)) break;
        change_contacts(args->contacts, changed);
        settled |= ~changed;
    }
    const struct touching set = touching_of(t, &w);
    for (int i = 0; args->contacts && !args->limit && i < t->nbody; i++)
        if (!set.hot[i])
            accelerate_body(t, i, &w, args->K, args->per_axis && args->per_axis[i], ABA_GENERAL, trial);
    for (int v = 0; v < t->nv; v++)
        qdd[v] = trial[v];
    if (args->limit) relinearise(args, w, qdd, trial);
    return n;
}

#endif
