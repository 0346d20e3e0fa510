/* Newton's method for contacts, joint limits and torque limits: one sweep over the tree per iteration, then an exact line search.
 *
 * A sweep solves for the velocity at which the linearised forces P balance the rest of the dynamics. Between the iterate and
 * there both P and the velocities u of the terms are linear, and the slope of the function is the sum of du . (P - F(u)), F the
 * law. So the line search needs no further sweep.
 *
 * A lane that has converged is frozen, so that its bits do not depend on its neighbours. */
#ifndef SINEW_KERNELS_CONTACT_NEWTON_H
#define SINEW_KERNELS_CONTACT_NEWTON_H

#include "kernels/contact/find.h"
#include "kernels/contact/holds.h"
#include "kernels/tree/maba.h"

/* A solve on its way. */
struct convex {
    struct sn__args args, given; /* given: without damping */
    struct sn__contacts none;    /* no contacts */
    struct work *w;
    struct sn__effort effort;
    struct drives drives;
    struct holds holds;
    int bent; /* torque limits by drives, */
    int held; /* or, for a crowd, by holds */
    int guarded; /* energy that is gained is looked for; not with braces, which may supply it by pulling a body to its place */
    const real *Q, *K; /* of sweeps */
    real *x;           /* iterate, [nv] */
    real *y;           /* where the sweep went */
    int n;             /* sweeps so far, of this stage; */
    int total;         /* of all */
    mask frozen;       /* lanes that have settled, or spent what sweeps they have */
    mask spent;        /* the latter */
    real used;         /* sweeps of each lane, */
    real most;         /* and how many it may make by now */
    real off;          /* how far the worst contact is from its law, relative and squared */
};

/* Lanes may make this part of the sweeps of the setting, whatever they are made for: the rest is kept for lanes that come
   late. A crowd counts its own way. */
static void allow_sweeps(struct convex *s, elem part) {
    s->most = splat(s->effort.spare > 0 ? R(1e6) : part * R(s->effort.sweeps));
    s->spent = ~less(s->used, s->most);
}

/* Lanes that are not frozen have made a sweep. */
KERNEL void count_sweep(struct convex *s) {
    s->n++, s->total++;
    s->used = s->used + choose(s->frozen, splat(0), splat(1));
}

/* By any lane. */
static int most_used(const struct convex *s) {
    elem used[LANE_WIDTH], most = R(0);
    __builtin_memcpy(used, &s->used, sizeof used);
    for (int k = 0; k < LANE_WIDTH; k++)
        most = used[k] > most ? used[k] : most;
    return (int)most;
}

/* How far the forces of a solve are from their laws, relative and squared on the way; 0: settled. */
KERNEL real *residual_of(const struct convex *s) {
    return s->args.residual;
}

KERNEL void start_residual(const struct sn__args *args) {
    *(real *)args->residual = splat(0);
}

static void start_convex(struct convex *s, const struct sn__args *args, struct work *w, int held, real *qdd) {
    *s = (struct convex){
        .args = *args, .w = w, .effort = args->effort, .x = qdd, .y = w->solve.y, .off = splat(0)};
    if (!s->args.contacts) s->args.contacts = s->args.ground ? &s->args.ground->contacts : &s->none;
    s->held = held && holds_torques(args);
    s->bent = args->limit && !s->held;
    s->guarded = args->ground && args->ground->inertia && !s->args.contacts->nbrace &&
                 (args->refinements || args->polarised);
    s->Q = s->held ? w->Q : w->solve.Q0, s->K = s->held ? w->solve.K : args->K;
    if (s->bent && s->effort.looks < 40) s->effort.looks = 40; /* limits of stiff drives are sharp corners */
    /* torque limits alone are solved to the last digit, unless for a crowd: Newton's method is about to be there */
    if (!args->contacts && !args->ground && !s->effort.spare)
        s->effort =
            (struct sn__effort){.sweeps = 64, .late = 12, .refreshes = 16, .majorised = 4, .looks = 60};
    s->given = s->args;
    s->used = splat(1);
    allow_sweeps(s, R(0.75));
}

/* The slope at `at` of the way; `way`: of what begin_way has left. */
static struct slope convex_slope(const struct convex *s, struct slope way, mask search, real at) {
    const struct slope slope = contacts_slope(s->args.contacts, way, ~search, at);
    return s->bent ? slope_sum(slope, drives_slope(&s->drives, s->w, s->x, s->y, at)) : slope;
}

KERNEL mask is_between(real low, real x, real high) {
    return less(low, x) & less(x, high);
}

/* Where the tangent at t is zero. */
KERNEL real tangent_root(real t, struct slope s) {
    return t - s.f / choose(less(splat(0), s.rate), s.rate, splat(1));
}

/* The line search stops at this fraction of the slope at the start of the step. */
KERNEL real small_slope(const struct convex *s) {
    return splat(s->effort.looks > 8 ? R(1e-3) : R(0.05));
}

/* How steep the function may be at the end of a whole step that begins with this slope. It begins to fall, except for rounding:
   in float a sweep that lets go of a stiff term which carries next to nothing may seem to climb from the start, and throws a
   joint past its limit if it is taken whole. */
KERNEL real climb_allowed(const struct convex *s, real low) {
    return choose(less(low, splat(0)), small_slope(s) * -low, R(20) * low);
}

/* How far to go in lanes in which the function climbs at the end of the way: to where it is least: the root of its slope,
   which never falls, by Newton's method from the point looked at last, or from the other end of where it must be, or else
   by halves. Ends of stiff terms make corners, which neither regula falsi nor halves find soon enough. */
static __attribute__((noinline)) real search_step(const struct convex *s, mask search) {
    const real zero = splat(0), one = splat(1);
    const mask all = search;
    struct slope way = begin_way(s->args.contacts, ~all);
    if (s->held) {
        const real more = holds_slope(&s->holds, s->x, s->y);
        way = (struct slope){way.f + more, way.rate - more};
    }
    struct slope low = convex_slope(s, way, all, zero), high = convex_slope(s, way, all, one);
    const real small = small_slope(s) * absolute(low.f);
    real from = zero, to = one, at = one, t = tangent_root(one, high);
    for (int i = 0; i < s->effort.looks && any(search); i++) {
        t = choose(is_between(from, t, to), t, tangent_root(from, low));
        t = choose(is_between(from, t, to), t, tangent_root(to, high));
        t = choose(is_between(from, t, to), t, R(0.5) * (from + to));
        at = choose(search, t, at);
        const struct slope here = convex_slope(s, way, all, at);
        const mask beyond = less(zero, here.f);
        to = choose(beyond, at, to), from = choose(beyond, from, at);
        high.f = choose(beyond, here.f, high.f), high.rate = choose(beyond, here.rate, high.rate);
        low.f = choose(beyond, low.f, here.f), low.rate = choose(beyond, low.rate, here.rate);
        t = tangent_root(at, here);
        search &= less(small, absolute(here.f));
    }
    return at;
}

static void move_joints(struct convex *s, real step) {
    const mask whole = ~less(step, splat(1));
    if (s->bent) move_drives(&s->drives, s->w, step, s->frozen);
    if (s->held) move_holds(&s->holds, s->y, step, s->frozen);
    for (int v = 0; v < ((const tree *)s->args.tree)->nv; v++)
        s->x[v] = go(s->x[v], s->y[v], step, whole, s->frozen);
}

/* How much of the way to mu f_n the bounds of friction go after so many sweeps. Whole ways go to and fro for ever in every
   sixth step of a fall: a larger bound turns the motion, and with it the force that bounds. */
KERNEL real bound_part(int sweeps) {
    return splat(sweeps < 8 ? R(1) : sweeps < 32 ? R(0.5) : R(0.25));
}

/* How the step after the sweep that has just been made is taken, if it is a whole one. */
static struct stride stride_of(const struct convex *s) {
    const mask all = ~(mask){0};
    return (struct stride){s->frozen, bound_part(s->n), s->n > s->effort.refreshes,
                           s->n < s->effort.majorised ? all : ~all};
}

/* After a sweep: contacts go where it went, or less far where the function climbs there; then the joints. */
static void take_step(struct convex *s) {
    struct stride stride = stride_of(s);
    struct arrival a = carry_contacts(&s->args, s->w, s->y, &stride);
    if (s->held) a.low = a.low + holds_slope(&s->holds, s->x, s->y);
    if (s->bent) {
        look_at_drives(&s->drives, s->w, s->x, s->y);
        a.low = a.low + drives_slope(&s->drives, s->w, s->x, s->y, splat(0)).f;
        a.high = a.high + drives_slope(&s->drives, s->w, s->x, s->y, splat(1)).f;
    }
    const mask search = less(climb_allowed(s, a.low), a.high) & ~s->frozen;
    real step = splat(1);
    s->off = a.off.over / a.off.under;
    if (any(search)) {
        step = search_step(s, search);
        /* far shorter than the sweep: what slides turns about; or, if that has not helped, a limit is in the way */
        if (s->n <= 16) stride.majorised |= less(step, splat(R(0.3)));
        const struct fraction off = carry_back(&s->args, s->w, search, step, &stride);
        s->off = choose(search, off.over / off.under, s->off);
    }
    move_joints(s, step);
}

/* Freezes the lanes in which every force is that of its law; leaves in args.residual how far the others are. */
static void settle(struct convex *s) {
    const real tolerance = splat(R(s->effort.tolerance));
    real off = s->off;
    if (s->bent) off = maximum(off, drives_off(&s->drives, s->w, s->x));
    /* a torque may be a twentieth of its limit off what is decided, or more after three sweeps, but within that: clamp_holds */
    if (s->held) {
        const real away = decide_holds(&s->holds, s->w, s->frozen, s->y);
        if (s->n < 3) off = maximum(off, tolerance * tolerance * R(400) * away);
    }
    const mask done = s->frozen | ~less(tolerance * tolerance, off);
    const real kept = choose(s->spent, *residual_of(s), splat(0));
    *residual_of(s) = choose(done, kept, off);
    s->spent = ~less(s->used, s->most);
    s->frozen = done | s->spent;
}

/* One iteration, contacts being linearised already: sweep, search, step. */
static void iterate(struct convex *s) {
    if (s->bent) linearise_drives(&s->drives, s->w, s->x);
    sweep_touching(&s->args, s->w, s->Q, s->K, 1, s->frozen, s->y);
    count_sweep(s);
    take_step(s);
    settle(s);
}

/* A sweep more, taken whole, in the lanes of `which`. */
static void sweep_whole(struct convex *s, mask which) {
    which &= ~s->spent;
    if (!any(which)) return;
    s->frozen = ~which;
    make_all_dirty(s->args.tree, s->w);
    linearise_contacts(&s->args, s->w, which, ~(mask){0});
    if (s->bent) linearise_drives(&s->drives, s->w, s->x);
    sweep_touching(&s->args, s->w, s->Q, s->K, 1, s->frozen, s->y);
    count_sweep(s);
    s->spent |= which & ~less(s->used, s->most);
    const struct stride whole = {s->frozen, splat(1), 1, ~(mask){0}};
    carry_contacts(&s->args, s->w, s->y, &whole);
    if (s->bent) look_at_drives(&s->drives, s->w, s->x, s->y);
    move_joints(s, splat(1));
}

/* How many records each lane has. */
static real count_records(const struct sn__contacts *c) {
    real n = splat(R(c->nbrace));
    for (int k = 0; k < c->count; k++)
        n = n + choose(less(splat(0), contact_at(c, k)[SN__BN]), splat(1), splat(0));
    for (int k = 0; k < c->nlimit; k++)
        n = n + choose(less(splat(0), limit_at(c, k)[SN__LIMIT_B]), splat(1), splat(0));
    return n;
}

/* The velocity halfway through the step, of the iterate. */
KERNEL real middle_of(const struct convex *s, int v) {
    return ((const real *)s->args.qd)[v] + R(0.5) * step_size(&s->args) * s->x[v];
}

/* Sweeps until all lanes have settled, or as many as there may be. */
static void iterate_all(struct convex *s, int sweeps) {
    while (s->n < sweeps && any(~s->frozen))
        iterate(s);
}

/* Lanes of `which` go on, for so many sweeps after the n-th; whatever the others have left to do is not for a neighbour to
   decide. */
static void go_on(struct convex *s, mask which, int n, int sweeps) {
    const mask others = s->frozen & ~which;
    const real residual = *residual_of(s);
    s->frozen = ~which | s->spent;
    s->n = n;
    iterate_all(s, n + sweeps);
    s->frozen = (which & s->frozen) | others;
    make_all_dirty(s->args.tree, s->w);
    *residual_of(s) = choose(which, *residual_of(s), residual);
}

#endif
