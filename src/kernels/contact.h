/* Contact as stable PD inside MABA: spd-2011 section 4.3 taken further.
 *
 * Each contact is an implicit damper on the velocity its point will have, bounded by Coulomb's law:
 *
 *     u   = J (qd + dt qdd) - wanted,   u_n = n . u,   u_t = u - u_n n
 *     f_n = -bn u_n                     bn = Bn where u_n < 0, else 0
 *     f_t = -Bt u_t where that is less than mu f_n, else -mu f_n u_t / |u_t|
 *
 * `wanted` holds the ground's velocity, the recovery from penetration and what has slipped. With mu f_n held this is the
 * derivative of a convex energy of the accelerations, and Newton's method with a line search finds its least: each
 * step is one sweep over the tree with the law linearised at the iterate, and the line search needs no sweep, since
 * both the forces that balance the rest of the dynamics and the velocities u are linear on the way. A lane that has
 * settled is frozen, so that its bits do not depend on its neighbours. */
#ifndef SINEW_KERNELS_CONTACT_H
#define SINEW_KERNELS_CONTACT_H

#include "kernels/limits.h"

KERNEL void put_first(double *o, vec3 v) {
    o[0] = first_lane(v.x), o[1] = first_lane(v.y), o[2] = first_lane(v.z);
}

/* Where every body is, in work.bias.a until the solve, and how it moves, in work.rate. */
static void enter_moving(const struct sn__args *args, struct work *w) {
    const tree *t = args->tree;
    enter_all(t, args->q, args->qd, w);
    w->rate[-1] = w->bias[-1] = (struct motion){vec_zero(), vec_zero()};
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const struct frame *f = &w->frame[i];
        origin_motion(b, &w->frame[b->parent], f, w->bias[b->parent].a, w->rate[b->parent].a, args->q,
                      args->qd, &w->bias[i].a, &w->rate[i].a);
        w->rate[i].alpha = f->w;
    }
}

/* The same for worlds. */
static void enter(const struct sn__args *args, double *o) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    enter_moving(args, &w);
    for (int i = 0; i < t->nbody; i++, o += SN__PLACE) {
        const struct frame *f = &w.frame[i];
        const vec3 x = w.bias[i].a, v = w.rate[i].a;
        put_first(o, x);
        put_first(o + 3, (vec3){f->R.xx, f->R.xy, f->R.xz});
        put_first(o + 6, (vec3){f->R.yx, f->R.yy, f->R.yz});
        put_first(o + 9, (vec3){f->R.zx, f->R.zy, f->R.zz});
        put_first(o + 12, v);
        put_first(o + 15, f->w);
    }
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
    rest_contacts(args, w);
}

/* Coulomb's law: the force a contact answers u with, |f_t| <= `most` whatever u_n is. */
KERNEL vec3 contact_law(const real *x, vec3 u, real most) {
    const vec3 n = vec_load(x + SN__NORMAL);
    const real un = dot(u, n), zero = splat(0), fn = x[SN__BN] * maximum(zero, -un);
    const vec3 ut = add_scaled(u, n, -un);
    const real stick2 = x[SN__BT] * x[SN__BT] * dot(ut, ut);
    const mask slides = less(most * most, stick2);
    real bt = x[SN__BT];
    if (any(slides)) bt = choose(slides, bt * most / square_root(choose(slides, stick2, splat(1))), bt);
    return add_scaled(scale(ut, -choose(less(un, zero), bt, zero)), n, fn);
}

KERNEL real limit_law(const real *x, real u) {
    return x[SN__LIMIT_B] * maximum(splat(0), -u);
}

/* mu f_n of the iterate: held while a step is made. f_n is what balances the dynamics, which is far less
   rough than the law's B u_n; of a contact that has none yet, the law's. */
KERNEL real friction_bound(const real *x, vec3 u) {
    const vec3 n = vec_load(x + SN__NORMAL);
    const real zero = splat(0), P = dot(vec_load(x + SN__FORCE), n),
               F = x[SN__BN] * maximum(zero, -dot(u, n));
    return x[SN__MU] * choose(less(zero, P), P, F);
}

/* Coefficients of a contact that is off, sticks, or slides along the unit vector t with a friction of
   `push`. */
KERNEL void put_coefficients(real *x, mask which, mask on, mask slides, vec3 t, real push, real slip) {
    const real zero = splat(0);
    const mask rubs = on & less(zero, x[SN__MU]);
    const real across = any(slides) ? minimum(x[SN__BT], push / maximum(slip, splat(R(1e-12)))) : x[SN__BT];
    const real value[SN__COEFFICIENTS] = {
        choose(on, x[SN__BN], zero),
        choose(rubs, choose(slides, across, x[SN__BT]), zero),
        choose(rubs & ~slides, x[SN__BT], zero),
        choose(rubs & slides, t.x, zero),
        choose(rubs & slides, t.y, zero),
        choose(rubs & slides, t.z, zero),
        choose(rubs & slides, push, zero),
    };
    for (int j = 0; j < SN__COEFFICIENTS; j++)
        x[SN__NOW + j] = choose(which, value[j], x[SN__NOW + j]);
}

/* The coefficients to begin with: contacts that carried a force are expected to go on as they did, sliding
   the way they slide now; those that did not push when they would come too close in free fall. */
static void expect_contacts(const struct sn__contacts *c) {
    const real zero = splat(0);
    const mask all = less(zero, splat(1));
    for (int k = 0; k < c->count; k++) {
        real *x = contact_at(c, k);
        const vec3 n = vec_load(x + SN__NORMAL), F = vec_load(x + SN__FORCE), u = vec_load(x + SN__REST);
        const real fn = dot(F, n), un = dot(u, n), most = x[SN__MU] * fn;
        const vec3 ft = add_scaled(F, n, -fn), ut = add_scaled(u, n, -un);
        const real slip2 = dot(ut, ut), most2 = most * most;
        const mask pushed = less(zero, fn), on = pushed | less(un, zero);
        const mask slides =
            pushed & not_less(dot(ft, ft), R(0.98) * most2) & less(most2, x[SN__BT] * x[SN__BT] * slip2);
        const real slip = any(slides) ? square_root(slip2) : splat(1);
        put_coefficients(x, all, on, slides, scale(ut, R(1) / choose(slides, slip, splat(1))), most, slip);
    }
    for (int k = 0; k < c->nlimit; k++) {
        real *x = limit_at(c, k);
        x[SN__LIMIT_NOW] = choose(less(zero, x[SN__LIMIT_FORCE]), x[SN__LIMIT_B], zero);
    }
}

/* What a sweep made of the contacts: u, and the force of its coefficients there; of the first sweep the
   iterate itself. */
KERNEL void look_at_sweep(const struct sn__args *args, const struct work *w, const real *qdd, int first) {
    const struct sn__contacts *c = args->contacts;
    const tree *t = args->tree;
    const real dt = step_size(args);
    for (int k = 0; k < c->count; k++) {
        real *x = contact_at(c, k);
        const real *now = x + SN__NOW;
        const struct motion m = w->motion[c->body[k]];
        const vec3 n = vec_load(x + SN__NORMAL), r = vec_load(x + SN__POINT), d = vec_load(now + SN__T_NOW);
        const vec3 u = add_scaled(vec_load(x + SN__REST), add_cross(m.a, m.alpha, r), dt);
        const real un = dot(u, n), bt = now[SN__BT_NOW];
        const vec3 ut = add_scaled(u, n, -un);
        const real back = (now[SN__ALONG_NOW] - bt) * dot(ut, d) + now[SN__PUSH_NOW];
        vec_store(x + (first ? SN__U : SN__TRY_U), u);
        vec_store(x + (first ? SN__FORCE : SN__TRY_F),
                  add_scaled(add_scaled(scale(ut, -bt), d, -back), n, -(now[SN__BN_NOW] * un)));
    }
    for (int k = 0; k < c->nlimit; k++) {
        real *x = limit_at(c, k), u = -x[SN__LIMIT_WANTED];
        const tree_body *b = &t->body[c->limit_body[k]];
        const real *qd = args->qd;
        for (int j = 0; j < JOINT_NV[b->joint]; j++)
            u = u + x[SN__LIMIT_AXIS + j] * (qd[b->v + j] + dt * qdd[b->v + j]);
        x[first ? SN__LIMIT_U : SN__LIMIT_TRY_U] = u;
        x[first ? SN__LIMIT_FORCE : SN__LIMIT_TRY_F] = -(x[SN__LIMIT_NOW] * u);
    }
}

/* How steep the energy is at `at` of the way from the iterate to the sweep: with P the forces that balance
   the rest of the dynamics there (linear on the way) and F the law, (u_sweep - u) . (P - F(u)) summed up. */
static real steepness(const struct sn__contacts *c, real at) {
    real sum = splat(0);
    for (int k = 0; k < c->count; k++) {
        const real *x = contact_at(c, k);
        const vec3 u0 = vec_load(x + SN__U), P0 = vec_load(x + SN__FORCE);
        const vec3 du = sub(vec_load(x + SN__TRY_U), u0), dP = sub(vec_load(x + SN__TRY_F), P0);
        const vec3 F = contact_law(x, add_scaled(u0, du, at), friction_bound(x, u0));
        sum = sum + dot(du, sub(add_scaled(P0, dP, at), F));
    }
    for (int k = 0; k < c->nlimit; k++) {
        const real *x = limit_at(c, k);
        const real du = x[SN__LIMIT_TRY_U] - x[SN__LIMIT_U], dP = x[SN__LIMIT_TRY_F] - x[SN__LIMIT_FORCE];
        sum = sum + du * (x[SN__LIMIT_FORCE] + at * dP - limit_law(x, x[SN__LIMIT_U] + at * du));
    }
    return sum;
}

enum { CONTACT_BISECTIONS = 8 };

/* How far to go: all the way unless the energy climbs there, else to where it is least. */
static real contact_step(const struct sn__contacts *c) {
    const mask shorten = less(R(-0.1) * steepness(c, splat(0)), steepness(c, splat(1)));
    real low = splat(0), high = splat(1);
    if (!any(shorten)) return high;
    for (int i = 0; i < CONTACT_BISECTIONS; i++) {
        const real middle = R(0.5) * (low + high);
        const mask beyond = less(splat(0), steepness(c, middle));
        high = choose(beyond, middle, high);
        low = choose(beyond, low, middle);
    }
    return choose(shorten, R(0.5) * (low + high), splat(1));
}

/* x where it stays, `to` where the step is whole, or that part of the way. */
KERNEL real go(real x, real to, real step, mask whole, mask stays) {
    return choose(stays, x, choose(whole, to, x + step * (to - x)));
}

/* Goes that far, in the lanes that are not settled. */
static void take_step(const struct sn__args *args, const real *trial, real step, mask settled, real *qdd) {
    const struct sn__contacts *c = args->contacts;
    const tree *t = args->tree;
    const mask whole = ~less(step, splat(1));
    for (int k = 0; k < c->count; k++) {
        real *x = contact_at(c, k);
        for (int j = 0; j < 3; j++) {
            x[SN__U + j] = go(x[SN__U + j], x[SN__TRY_U + j], step, whole, settled);
            x[SN__FORCE + j] = go(x[SN__FORCE + j], x[SN__TRY_F + j], step, whole, settled);
        }
    }
    for (int k = 0; k < c->nlimit; k++) {
        real *x = limit_at(c, k);
        x[SN__LIMIT_U] = go(x[SN__LIMIT_U], x[SN__LIMIT_TRY_U], step, whole, settled);
        x[SN__LIMIT_FORCE] = go(x[SN__LIMIT_FORCE], x[SN__LIMIT_TRY_F], step, whole, settled);
    }
    for (int v = 0; v < t->nv; v++)
        qdd[v] = go(qdd[v], trial[v], step, whole, settled);
}

/* Which lanes have forces that are not those of the law. */
static mask breaks_law(const struct sn__contacts *c) {
    mask off = (mask){0};
    const real small = splat(R(c->small)), tolerance = splat(R(c->tolerance));
    for (int k = 0; k < c->count; k++) {
        const real *x = contact_at(c, k);
        const vec3 u = vec_load(x + SN__U), P = vec_load(x + SN__FORCE);
        const vec3 F = contact_law(x, u, friction_bound(x, u)), e = sub(P, F);
        const real size = dot(F, F) + dot(P, P) + small * small;
        off |= less(tolerance * tolerance * size, dot(e, e));
    }
    for (int k = 0; k < c->nlimit; k++) {
        const real *x = limit_at(c, k), F = limit_law(x, x[SN__LIMIT_U]), P = x[SN__LIMIT_FORCE];
        off |= less(tolerance * (F + absolute(P) + small), absolute(P - F));
    }
    return off;
}

/* The law's derivative at the iterate: Newton's method. */
static void linearise_contacts(const struct sn__contacts *c, mask which) {
    const real zero = splat(0);
    for (int k = 0; k < c->count; k++) {
        real *x = contact_at(c, k);
        const vec3 u = vec_load(x + SN__U), n = vec_load(x + SN__NORMAL);
        const real un = dot(u, n), most = friction_bound(x, u);
        const vec3 ut = add_scaled(u, n, -un);
        const real slip = square_root(dot(ut, ut));
        const mask slides = less(zero, slip) & less(most, x[SN__BT] * slip);
        const vec3 d = scale(ut, R(1) / choose(slides, slip, splat(1)));
        put_coefficients(x, which, less(un, zero), slides, d, most, slip);
    }
    for (int k = 0; k < c->nlimit; k++) {
        real *x = limit_at(c, k);
        const real now = choose(less(x[SN__LIMIT_U], zero), x[SN__LIMIT_B], zero);
        x[SN__LIMIT_NOW] = choose(which, now, x[SN__LIMIT_NOW]);
    }
}

/* Accelerations of the bodies that belong to qdd. */
static void unfold_all(const struct sn__args *args, struct work *w, const real *qdd) {
    const tree *t = args->tree;
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const struct frame *f = &w->frame[i];
        const struct motion p = w->motion[b->parent];
        struct motion m = {add(p.alpha, f->c), add_cross(add(p.a, f->d), p.alpha, f->r)};
        unfold(b, f, qdd + b->v, &m.alpha, &m.a);
        w->motion[i] = m;
    }
}

/* One linear problem, with the coefficients as they are. With torque limits the last sweep need not be the one that a
   lane has settled at. */
KERNEL void solve_linear(const struct sn__args *args, struct work *w, const real *Q, int again, real *qdd) {
    if (args->limit) {
        solve_limited(args, w, qdd);
        unfold_all(args, w, qdd);
    } else {
        sweep_general(args, w, Q, args->K, again, qdd);
    }
}

/* Newton's method with a line search over contacts and limits, n sweeps having been made; limits.h has the same over torque
   limits. */
static int settle_contacts(const struct sn__args *args, struct work *w, int n, real *qdd) {
    const struct sn__contacts *c = args->contacts;
    real *Q = w->tmp[0], *trial = w->tmp[5];
    look_at_sweep(args, w, qdd, 1);
    mask settled = ~breaks_law(c);
    while (n < c->sweeps && any(~settled)) {
        linearise_contacts(c, ~settled);
        solve_linear(args, w, Q, 1, trial);
        look_at_sweep(args, w, trial, 0);
        take_step(args, trial, contact_step(c), settled, qdd);
        settled |= ~breaks_law(c);
        n++;
    }
    return n;
}

/* Velocity products are those of the motion without contacts and limits, as with rows: what an impact does in a step says
   nothing about the way there. */
static void refine_apart(const struct sn__args *given, struct work *w, real *qdd) {
    struct sn__args args = *given;
    args.contacts = 0;
    if (args.limit) {
        start_products(&args, w, PRODUCTS_START);
        solve_limited(&args, w, qdd);
        return;
    }
    start_products(&args, w, PRODUCTS_START_SPINNING);
    drive_all(&args, w->tmp[0]);
    sweep(&args, w, w->tmp[0], args.K, ABA_GENERAL, qdd);
    refine_products(&args, w, args.K, ABA_GENERAL, qdd);
}

static int solve_contacts(const struct sn__args *args, struct work *w, real *qdd) {
    if (args->refinements) refine_apart(args, w, qdd);
    prepare_contacts(args, w);
    expect_contacts(args->contacts);
    if (!args->limit) drive_all(args, w->tmp[0]);
    solve_linear(args, w, w->tmp[0], 0, qdd);
    return settle_contacts(args, w, 1, qdd);
}

/* Over frames that stand: qdd under drives, torque limits and contacts. Returns how many sweeps it took. */
static int solve(const struct sn__args *given, void *out) {
    struct sn__args args = *given;
    struct work w = work_of(&args, 0);
    real *qdd = out;
    int n = 1;
    if (args.polarised) args.spring = polarise(given, &w);
    if (args.contacts) {
        n = solve_contacts(&args, &w, qdd);
    } else if (args.limit) {
        start_products(&args, &w, PRODUCTS_START);
        solve_limited(&args, &w, qdd);
    } else {
        start_products(&args, &w, PRODUCTS_START_SPINNING);
        drive_all(&args, w.tmp[0]);
        sweep(&args, &w, w.tmp[0], args.K, ABA_GENERAL, qdd);
        refine_products(&args, &w, args.K, ABA_GENERAL, qdd);
    }
    if (args.limit) relinearise(&args, w, qdd, w.tmp[5]);
    return n;
}

#endif
