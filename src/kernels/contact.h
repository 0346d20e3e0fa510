/* Contacts and joint limits as terms of one convex problem: spd-2011 section 4.3 taken further.
 *
 * convex.h minimises one strictly convex function of the velocity at the end of the step. What is here are its terms
 * of contacts and of joint limits: implicit dampers on the velocity a point, or a joint, will have,
 *
 *     u = J (qd + dt qdd) - wanted,   u_n = n . u,   u_t = u - u_n n,   s = |u_t|
 *
 *     normal     phi = B/2 min(0, u_n)^2       F = B max(0, -u_n) n
 *     sticks     phi = B/2 s^2                 F = -B u_t                  where s <= L / B
 *     slides     phi = L s - L^2 / 2B          F = -L u_t / s
 *     limit      phi = B/2 min(0, u)^2         F = B max(0, -u)
 *
 * `wanted` holds the ground's velocity, the recovery from penetration and what has slipped. L is mu times the normal
 * force of the last iterates, held in the next iteration: friction of a given bound has a potential, mu f_n itself has
 * none. It does not end where u_n turns positive, which would be a jump: L of a contact that comes off goes to 0.
 *
 * A sweep takes F as linear in u, F = P, with coefficients (table.h) of the exact second derivative of phi, or of one
 * that lies above it: for a point that slides along t, (L / s) (1 - n n^T) instead of (L / s) (1 - n n^T - t t^T). */
#ifndef SINEW_KERNELS_CONTACT_H
#define SINEW_KERNELS_CONTACT_H

#include "kernels/sweep.h"

KERNEL void put_first(double *o, vec3 v) {
    o[0] = first_lane(v.x), o[1] = first_lane(v.y), o[2] = first_lane(v.z);
}

/* Where every body is, in work.place, and how it moves, in work.rate. */
static void enter_moving(const struct sn__args *args, struct work *w) {
    const tree *t = args->tree;
    enter_all(t, args->q, args->qd, w);
    w->rate[-1] = (struct motion){vec_zero(), vec_zero()};
    w->place[-1] = vec_zero();
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const struct frame *f = &w->frame[i];
        origin_motion(b, &w->frame[b->parent], f, w->place[b->parent], w->rate[b->parent].a, args->q,
                      args->qd, &w->place[i], &w->rate[i].a);
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
        const vec3 x = w.place[i], v = w.rate[i].a;
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

/* A body, and all between it and the root, change from sweep to sweep. */
KERNEL void make_hot(const tree *t, const struct touching set, int i) {
    for (; i >= 0 && !set.hot[i]; i = t->body[i].parent)
        set.hot[i] = 1;
}

/* What of u does not depend on the solve, over frames whose c and d may have changed:
     s = J qd - wanted - dt (a0 + alpha0 x r),   a0, alpha0 the accelerations at qdd = 0. */
static void rest_contacts(const struct sn__args *args, struct work *w) {
    const tree *t = args->tree;
    const struct sn__contacts *c = args->contacts;
    const struct touching set = touching_of(t, w);
    const real dt = step_size(args);
    if (!c->count && !c->nbrace) return;
    w->bias[-1] = w->motion[-1];
    for (int i = 0; i < t->nbody; i++) {
        if (!set.hot[i]) continue;
        const struct frame *f = &w->frame[i];
        const struct motion p = w->bias[t->body[i].parent];
        const struct motion m = {add(p.alpha, f->c), add_cross(add(p.a, f->d), p.alpha, f->r)};
        w->bias[i] = m;
        if (has_braces(c, i)) rest_braces(c, i, w, m, dt);
        for (int k = w->first[i]; k < w->first[i + 1]; k++) {
            real *x = contact_at(c, k);
            const vec3 r = vec_load(x + SN__POINT), v = add_cross(w->rate[i].a, w->rate[i].alpha, r);
            const vec3 a0 = add_cross(m.a, m.alpha, r);
            vec_store(x + SN__REST, add_scaled(sub(v, vec_load(x + SN__WANTED)), a0, -dt));
        }
    }
}

/* u where nothing accelerates: J qd - wanted. */
static void start_contacts(const struct sn__args *args, const struct work *w) {
    const struct sn__contacts *c = args->contacts;
    for (int k = 0; k < c->count; k++) {
        real *x = contact_at(c, k);
        const struct motion rate = w->rate[c->body[k]];
        const vec3 v = add_cross(rate.a, rate.alpha, vec_load(x + SN__POINT));
        vec_store(x + SN__U, sub(v, vec_load(x + SN__WANTED)));
    }
}

/* u of a joint limit at the accelerations qdd. */
KERNEL real limit_velocity(const struct sn__args *args, int k, const real *qdd) {
    const struct sn__contacts *c = args->contacts;
    const tree_body *b = &((const tree *)args->tree)->body[c->limit_body[k]];
    const real *x = limit_at(c, k), *qd = args->qd, dt = step_size(args);
    real u = -x[SN__LIMIT_WANTED];
    for (int j = 0; j < JOINT_NV[b->joint]; j++)
        u = u + x[SN__LIMIT_AXIS + j] * (qd[b->v + j] + dt * qdd[b->v + j]);
    return u;
}

/* u at the accelerations qdd, in some lanes: for records that came late. Forces of those are zero. */
static void enter_late(const struct sn__args *args, struct work *w, mask which, const real *qdd) {
    const tree *t = args->tree;
    const struct sn__contacts *c = args->contacts;
    const struct touching set = touching_of(t, w);
    const real dt = step_size(args);
    for (int i = 0; i < t->nbody && c->count; i++) {
        if (!set.hot[i]) continue;
        const struct frame *f = &w->frame[i];
        const struct motion p = w->motion[t->body[i].parent];
        struct motion m = {add(p.alpha, f->c), add_cross(add(p.a, f->d), p.alpha, f->r)};
        unfold(&t->body[i], f, qdd + t->body[i].v, &m.alpha, &m.a);
        w->motion[i] = m;
        for (int k = w->first[i]; k < w->first[i + 1]; k++) {
            real *x = contact_at(c, k);
            const vec3 a = add_cross(m.a, m.alpha, vec_load(x + SN__POINT));
            const vec3 u = add_scaled(vec_load(x + SN__REST), a, dt);
            vec_store(x + SN__U, vec_choose(which, u, vec_load(x + SN__U)));
        }
    }
    for (int k = 0; k < c->nlimit; k++) {
        real *x = limit_at(c, k);
        const real u = limit_velocity(args, k, qdd);
        x[SN__LIMIT_U] = choose(which, u, x[SN__LIMIT_U]);
    }
}

/* Finds the records of each body, and marks the bodies between them and the root. */
static void index_contacts(const struct sn__args *args, struct work *w) {
    const tree *t = args->tree;
    const struct sn__contacts *c = args->contacts;
    const struct touching set = touching_of(t, w);
    index_bodies(t->nbody, c->count, c->body, w->first);
    index_bodies(t->nbody, c->nlimit, c->limit_body, w->first_limit);
    for (int i = 0; i < t->nbody; i++) {
        set.joint[i] |= w->first_limit[i] < w->first_limit[i + 1];
        if (set.joint[i] || w->first[i] < w->first[i + 1] || has_braces(c, i)) make_hot(t, set, i);
    }
}

static void prepare_contacts(const struct sn__args *args, struct work *w) {
    const tree *t = args->tree;
    const struct touching set = touching_of(t, w);
    for (int i = 0; i < t->nbody; i++)
        set.joint[i] = set.hot[i] = set.driven[i] = 0;
    index_contacts(args, w);
    rest_contacts(args, w);
}

/* The force a contact answers u with, |f_t| <= `most`. */
KERNEL vec3 contact_law(const real *x, vec3 u, real most) {
    const vec3 n = vec_load(x + SN__NORMAL);
    const real un = dot(u, n), fn = x[SN__BN] * maximum(splat(0), -un);
    const vec3 ut = add_scaled(u, n, -un);
    const real stick2 = x[SN__BT] * x[SN__BT] * dot(ut, ut);
    const mask slides = less(most * most, stick2);
    real bt = x[SN__BT];
    if (any(slides)) bt = choose(slides, bt * most / square_root(choose(slides, stick2, splat(1))), bt);
    return add_scaled(scale(ut, -bt), n, fn);
}

KERNEL real limit_law(const real *x, real u) {
    return x[SN__LIMIT_B] * maximum(splat(0), -u);
}

/* mu f_n of a force. */
KERNEL real friction_bound(const real *x, const real *force) {
    return x[SN__MU] * maximum(splat(0), dot(vec_load(force), vec_load(x + SN__NORMAL)));
}

/* Coefficients where a contact pushes (on), and where it sticks or slides with u_t: exactly, or majorised. */
KERNEL void put_coefficients(real *x, mask which, mask on, vec3 ut, mask majorised) {
    const real zero = splat(0), most = x[SN__BOUND], stick = x[SN__BT];
    const real slip2 = dot(ut, ut);
    const mask slides = less(most * most, stick * stick * slip2);
    real across = stick, inverse = zero;
    if (any(slides)) {
        inverse = R(1) / square_root(choose(slides, slip2, splat(1)));
        across = choose(slides, most * inverse, stick);
    }
    const mask turns = slides & less(zero, most) & ~majorised;
    const vec3 t = scale(ut, inverse);
    const real value[SN__COEFFICIENTS] = {
        choose(on, x[SN__BN], zero), across,
        choose(turns, zero, across), choose(turns, t.x, zero),
        choose(turns, t.y, zero),    choose(turns, t.z, zero),
        choose(turns, most, zero),
    };
    for (int j = 0; j < SN__COEFFICIENTS; j++)
        x[SN__NOW + j] = choose(which, value[j], x[SN__NOW + j]);
}

/* The coefficients to begin with: contacts that carried a force are expected to go on as they did, sliding the way they
   slide now, with the exact derivative: what slides straight on gets L whatever its speed becomes, while the majorised one
   would brake what gains speed by L s / s0 > L, step for step on the same side. Others push when they would be reached in
   half the step as things move now, without friction yet. */
static void expect_contacts(const struct sn__contacts *c) {
    const real zero = splat(0);
    const mask all = less(zero, splat(1));
    for (int k = 0; k < c->count; k++) {
        real *x = contact_at(c, k);
        const vec3 n = vec_load(x + SN__NORMAL), F = vec_load(x + SN__FORCE), u = vec_load(x + SN__U);
        const real fn = dot(F, n), un = dot(u, n), most = friction_bound(x, x + SN__FORCE);
        const vec3 ft = add_scaled(F, n, -fn);
        vec3 ut = add_scaled(u, n, -un);
        const mask pushed = less(zero, fn);
        const mask stuck = pushed & less(dot(ft, ft), R(0.98) * most * most);
        ut = vec_choose(stuck, vec_zero(), ut);
        x[SN__BOUND] = most;
        const real ahead = maximum(zero, -dot(vec_load(x + SN__WANTED), n)); /* gap / dt */
        put_coefficients(x, all, pushed | less(un + ahead, zero), ut, ~pushed);
    }
    for (int k = 0; k < c->nlimit; k++) {
        real *x = limit_at(c, k);
        x[SN__LIMIT_NOW] = choose(less(zero, x[SN__LIMIT_FORCE]), x[SN__LIMIT_B], zero);
    }
}

/* What a sweep made of the contacts: u, and the force of its coefficients there; of the first sweep the
   iterate itself. */
static void look_at_contacts(const struct sn__args *args, const struct work *w, const real *qdd, int first) {
    const struct sn__contacts *c = args->contacts;
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
        real *x = limit_at(c, k);
        const real u = limit_velocity(args, k, qdd);
        x[first ? SN__LIMIT_U : SN__LIMIT_TRY_U] = u;
        x[first ? SN__LIMIT_FORCE : SN__LIMIT_TRY_F] = -(x[SN__LIMIT_NOW] * u);
    }
}

/* L nearer to mu times the normal force of the iterate by that part, in the lanes that are not settled: from P_n, which
   balances the dynamics, and not from B u_n, which is far rougher. */
static void refresh_bounds(const struct sn__contacts *c, mask settled, real part) {
    for (int k = 0; k < c->count; k++) {
        real *x = contact_at(c, k), old = x[SN__BOUND];
        x[SN__BOUND] = choose(settled, old, old + part * (friction_bound(x, x + SN__FORCE) - old));
    }
}

/* How steep the function is somewhere on the way from the iterate to the sweep, and how fast that grows. */
struct slope {
    real f, rate;
};

KERNEL struct slope slope_sum(struct slope a, struct slope b) {
    return (struct slope){a.f + b.f, a.rate + b.rate};
}

/* With P the force that balances the rest of the dynamics (linear on the way) and F the law: du . (P - F(u)), and
   du . (dP - F' du) with the derivative F' of the law. */
KERNEL struct slope contact_slope(const real *x, real at) {
    const vec3 u0 = vec_load(x + SN__U), P0 = vec_load(x + SN__FORCE), n = vec_load(x + SN__NORMAL);
    const vec3 du = sub(vec_load(x + SN__TRY_U), u0), dP = sub(vec_load(x + SN__TRY_F), P0);
    const vec3 u = add_scaled(u0, du, at);
    const real un = dot(u, n), dn = dot(du, n), most = x[SN__BOUND], bn = x[SN__BN], bt = x[SN__BT];
    const vec3 ut = add_scaled(u, n, -un);
    const real slip2 = dot(ut, ut), zero = splat(0);
    real across = bt,
         turned = zero; /* friction is -across ut; a turn costs (across / s^2) (ut . du)^2 less */
    const mask slides = less(most * most, bt * bt * slip2), off = not_less(un, zero);
    const real along = dot(ut, du);
    if (any(slides)) {
        const real inverse = R(1) / choose(slides, slip2, splat(1));
        across = choose(slides, most * square_root(inverse), bt);
        turned = choose(slides, across * inverse * along * along, zero);
    }
    const real push = choose(off, zero, bn * un); /* -F_n */
    const real across2 = across * (dot(du, du) - dn * dn);
    const real f = dot(du, add_scaled(P0, dP, at)) + push * dn + across * along;
    return (struct slope){f, dot(du, dP) + choose(off, zero, bn * dn * dn) + across2 - turned};
}

KERNEL struct slope limit_slope(const real *x, real at) {
    const real du = x[SN__LIMIT_TRY_U] - x[SN__LIMIT_U], dP = x[SN__LIMIT_TRY_F] - x[SN__LIMIT_FORCE];
    const real u = x[SN__LIMIT_U] + at * du, zero = splat(0);
    const real b = choose(less(u, zero), x[SN__LIMIT_B], zero);
    return (struct slope){du * (x[SN__LIMIT_FORCE] + at * dP + b * u), du * (dP + b * du)};
}

static struct slope contacts_slope(const struct sn__contacts *c, real at) {
    struct slope sum = {splat(0), splat(0)};
    for (int k = 0; k < c->count; k++)
        sum = slope_sum(sum, contact_slope(contact_at(c, k), at));
    for (int k = 0; k < c->nlimit; k++)
        sum = slope_sum(sum, limit_slope(limit_at(c, k), at));
    return sum;
}

/* x where it stays, `to` where the step is whole, or that part of the way. */
KERNEL real go(real x, real to, real step, mask whole, mask stays) {
    return choose(stays, x, choose(whole, to, x + step * (to - x)));
}

/* Goes that far, in the lanes that are not settled. */
static void move_contacts(const struct sn__contacts *c, real step, mask settled) {
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
}

/* The greater of two fractions, which are divided only in the end. */
struct fraction {
    real over, under;
};

KERNEL struct fraction worse(struct fraction a, real over, real under) {
    const mask more = less(a.over * under, over * a.under);
    return (struct fraction){choose(more, over, a.over), choose(more, under, a.under)};
}

/* How far the worst force is from its law, relative and squared; `held`: bounds stay what they are from now on. */
static real contacts_off(const struct sn__contacts *c, int held) {
    struct fraction worst = {splat(0), splat(1)};
    const real small2 = splat(R(c->small * c->small));
    for (int k = 0; k < c->count; k++) {
        const real *x = contact_at(c, k);
        const vec3 u = vec_load(x + SN__U), P = vec_load(x + SN__FORCE);
        const vec3 F = contact_law(x, u, held ? x[SN__BOUND] : friction_bound(x, x + SN__FORCE)),
                   e = sub(P, F);
        worst = worse(worst, dot(e, e), dot(F, F) + dot(P, P) + small2);
    }
    for (int k = 0; k < c->nlimit; k++) {
        const real *x = limit_at(c, k), F = limit_law(x, x[SN__LIMIT_U]), P = x[SN__LIMIT_FORCE];
        worst = worse(worst, (P - F) * (P - F), F * F + P * P + small2);
    }
    return worst.over / worst.under;
}

/* The most that the forces of an iterate may win, J: those of their laws win next to nothing, but one that has not
   settled may pull at what it shall push, and draw it on. */
static real contacts_work(const struct sn__args *args) {
    const struct sn__contacts *c = args->contacts;
    const real zero = splat(0);
    real sum = zero;
    for (int k = 0; k < c->count; k++) {
        const real *x = contact_at(c, k);
        const vec3 v = add(vec_load(x + SN__U), vec_load(x + SN__WANTED));
        sum = sum + maximum(zero, dot(v, vec_load(x + SN__FORCE)));
    }
    for (int k = 0; k < c->nlimit; k++) {
        const real *x = limit_at(c, k);
        sum = sum + maximum(zero, (x[SN__LIMIT_U] + x[SN__LIMIT_WANTED]) * x[SN__LIMIT_FORCE]);
    }
    return step_size(args) * sum;
}

/* The law's derivative at the iterate. */
static void linearise_contacts(const struct sn__contacts *c, mask which, mask majorised) {
    const real zero = splat(0);
    for (int k = 0; k < c->count; k++) {
        real *x = contact_at(c, k);
        const vec3 u = vec_load(x + SN__U), n = vec_load(x + SN__NORMAL);
        const real un = dot(u, n);
        put_coefficients(x, which, less(un, zero), add_scaled(u, n, -un), majorised);
    }
    for (int k = 0; k < c->nlimit; k++) {
        real *x = limit_at(c, k);
        const real now = choose(less(x[SN__LIMIT_U], zero), x[SN__LIMIT_B], zero);
        x[SN__LIMIT_NOW] = choose(which, now, x[SN__LIMIT_NOW]);
    }
}

#endif
