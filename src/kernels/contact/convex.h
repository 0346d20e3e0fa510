/* One convex problem for contact, joint limits and torque limits, in linear time.
 *
 * The velocity at the end of the step, v = qd + dt qdd, is where a strictly convex function is least (docs/theory.md):
 *
 *     l(v) = 1/2 (v - v0)^T M (v - v0) + dt C^T v + sum of phi
 *
 * Every phi (law.h, limits.h) is local to a body or a joint, so that Newton's method costs one sweep of the
 * articulated-body algorithm per iteration: the sweep solves for the velocity at which the linearised forces P balance
 * the rest of the dynamics. On the way from the iterate to there both P and the velocities u of the terms are linear,
 * and the slope of l is the sum of du . (P - F(u)): an exact line search needs no sweep at all.
 *
 * Lanes that have settled are frozen, so that their bits do not depend on their neighbours. */
#ifndef SINEW_KERNELS_CONTACT_CONVEX_H
#define SINEW_KERNELS_CONTACT_CONVEX_H

#include "kernels/contact/expose.h"
#include "kernels/contact/find.h"
#include "kernels/contact/holds.h"
#include "kernels/contact/light.h"
#include "kernels/tree/polarised.h"
#include "kernels/contact/tame.h"
#include "kernels/tree/maba.h"
#include "kernels/contact/won.h"

/* A solve on its way. */
struct convex {
    struct sn__args args, given; /* given: without damping */
    struct work *w;
    struct sn__effort effort;
    struct drives drives;
    struct holds holds;
    int bent;    /* torque limits by drives, */
    int held;    /* or, for a crowd, by holds */
    int guarded; /* energy that is won is looked for; not where braces may give it: what is held off its place */
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

/* Lanes may make so much of the sweeps of the setting, whatever they are made for: what is kept back is for those who come
   late. A crowd counts its own way. */
static void allow_sweeps(struct convex *s, double part) {
    s->most = splat(s->effort.spare > 0 ? R(1e6) : R(part * s->effort.sweeps));
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

static struct convex convex_of(const struct sn__args *args, struct work *w, int held, real *qdd) {
    static const struct sn__contacts none = {0};
    struct convex s = {
        .args = *args, .w = w, .effort = args->effort, .x = qdd, .y = w->tmp[5], .off = splat(0)};
    if (!s.args.contacts) s.args.contacts = s.args.ground ? &s.args.ground->contacts : &none;
    s.held = held && holds_torques(args);
    s.bent = args->limit && !s.held;
    s.guarded = args->ground && args->ground->inertia && !s.args.contacts->nbrace &&
                (args->refinements || args->polarised);
    s.Q = s.held ? w->Q : w->tmp[0], s.K = s.held ? w->tmp[3] : args->K;
    if (s.bent && s.effort.looks < 40) s.effort.looks = 40; /* limits of stiff drives are sharp corners */
    /* torque limits alone are solved to the last digit, unless for a crowd: Newton's method is about to be there */
    if (!args->contacts && !args->ground && !s.effort.spare)
        s.effort =
            (struct sn__effort){.sweeps = 64, .late = 12, .refreshes = 16, .majorised = 4, .looks = 60};
    s.given = s.args;
    s.used = splat(1);
    allow_sweeps(&s, 0.75);
    return s;
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

/* How much of the slope at the begin is let be. */
KERNEL real small_slope(const struct convex *s) {
    return splat(s->effort.looks > 8 ? R(1e-3) : R(0.05));
}

/* How steep the function may be at the end of a whole step that begins with this slope. It begins to fall, but for rounding:
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

/* Freezes the lanes in which every force is that of its law; leaves in work.residual how far the others are. */
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
    const real kept = choose(s->spent, *s->w->residual, splat(0));
    *s->w->residual = choose(done, kept, off);
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

/* A crowd ends unsettled as a rule, which does no harm unless forces that have not settled feed energy in: such lanes go on
   for some sweeps more, the others rest. */
static void guard_work(struct convex *s) {
    const real most = splat(R(s->args.contacts->work));
    for (int i = 0; i < s->effort.spare; i++) {
        s->frozen |= less(contacts_work(&s->args), most);
        if (!any(~s->frozen)) return;
        iterate(s);
    }
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

/* Lanes that end with a torque beyond its limit, unsettled or for want of digits: a sweep more with such torques held, and
   if that leaves others beyond their limits one with all held. */
static void clamp_torques(struct convex *s) {
    for (int all = 0; all < 2; all++) {
        const mask broken = drives_broken(&s->drives, s->w);
        if (!any(broken)) return;
        if (all) take_up_all(&s->drives, s->w, s->x);
        hold_torques(&s->drives, s->w, broken, all);
        sweep_whole(s, broken);
    }
}

static void clamp_holds(struct convex *s) {
    enum { SWEEPS = 4 };
    for (int i = 0; i < SWEEPS; i++) {
        const mask broken = cut_holds(&s->holds, s->w, i < 2, i + 1 == SWEEPS);
        if (!any(broken)) return;
        sweep_whole(s, broken);
    }
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

/* Lanes that touch something and turn by less than args->still within the step. No more than that share of the velocity
   products changes by its middle, and no more than the square of it is what energy those of the start may win, which the
   contacts take away again. */
static mask still_lanes(const struct convex *s) {
    const struct sn__args *args = &s->args;
    const real *qd = args->qd, dt = step_size(args), most = splat(R(args->still));
    if (s->bent || s->held || !args->refinements || !(args->still > 0)) return (mask){0};
    real square = splat(0);
    for (int v = 0; v < ((const tree *)args->tree)->nv; v++)
        square = square + qd[v] * qd[v];
    return less(splat(0), count_records(args->contacts)) & less(dt * dt * square, most * most);
}

/* The velocity halfway through the step, of the iterate. */
KERNEL real middle_of(const struct convex *s, int v) {
    return ((const real *)s->args.qd)[v] + R(0.5) * step_size(&s->args) * s->x[v];
}

/* Keeps that of the motion without contacts, for refine_late. */
static void keep_middle(const struct convex *s) {
    for (int v = 0; s->args.refinements && v < ((const tree *)s->args.tree)->nv; v++)
        s->w->vbar[v] = middle_of(s, v);
}

/* The motion without contacts and joint limits, and the velocity products of it: an impact says nothing about the way
   there, and the velocity halfway through a step that begins with a wrong guess at contacts is wrong. Torque limits count,
   as they would be if nothing accelerated, or as a first sweep decides for a crowd: without them a drive far from its target
   makes any velocity. Lanes that are `still` have the products of the start of the step, and this motion is not asked for.
   Once the way of the contacts is known, refine_late looks again. */
static void sweep_apart(struct convex *s, mask still) {
    static const struct sn__contacts none = {0};
    struct sn__args args = s->args;
    struct work *w = s->w;
    real *Q = w->tmp[0];
    const tree *t = args.tree;
    args.contacts = &none, args.ground = 0;
    start_products(&args, w, PRODUCTS_START_SPINNING);
    calm_frames(&args, w);
    drive_all(&args, Q);
    prepare_contacts(&args, w);
    if (!any(~still)) {
        for (int v = 0; v < t->nv; v++)
            s->x[v] = splat(0);
        keep_products(&args, w);
        keep_middle(s);
        return;
    }
    if (s->bent) {
        s->drives = drives_of(&s->args, w);
        for (int v = 0; v < t->nv; v++)
            s->drives.Qp[v] = passive_force(&args, v);
        for (int v = 0; v < t->nv; v++)
            s->x[v] = splat(0);
        expect_drives(&s->drives, w, s->x);
        sweep_touching(&args, w, Q, args.K, 0, (mask){0}, s->x);
    } else {
        if (s->held) {
            s->holds = holds_of(&s->args, w);
            start_holds(&s->holds);
        }
        sweep_untouched(&args, w, s->Q, s->K, s->x);
        if (s->held) decide_holds(&s->holds, w, (mask){0}, s->x);
        if (s->held && any_dirty(t, w)) sweep_untouched(&args, w, s->Q, s->K, s->x);
    }
    refine_products(&args, w, s->K, ABA_GENERAL, still, s->x);
    for (int v = 0; any(still) && v < t->nv; v++)
        s->x[v] = choose(still, splat(0), s->x[v]);
    if (s->bent) look_at_drives(&s->drives, w, 0, s->x);
    if (s->held) move_holds(&s->holds, s->x, splat(1), (mask){0});
    keep_middle(s);
    w->stale = 1;
}

/* Records of what moves past a surface or a limit in the motion at hand, and how they would go on. */
static void look_ahead(struct convex *s) {
    if (find_again(&s->args, s->w, s->x)) index_contacts(&s->args, s->w);
    rest_contacts(&s->args, s->w);
}

/* The first sweep with contacts and limits, as the last step left them; taken whole. Lanes in which nothing is near stay
   where they are. */
static void first_sweep(struct convex *s, mask touched) {
    struct work *w = s->w;
    expect_contacts(&s->args, w);
    if (s->bent) linearise_drives(&s->drives, w, s->x);
    sweep_touching(&s->args, w, s->Q, s->K, 0, (mask){0}, s->y);
    s->n++, s->total++;
    s->frozen = ~touched;
    if (s->bent) look_at_drives(&s->drives, w, s->x, s->y);
    move_joints(s, splat(1));
    s->frozen = (mask){0};
    if (!s->effort.spare) look_ahead(s); /* a crowd leaves that to look_late */
    const struct stride whole = {(mask){0}, splat(1), 0, ~(mask){0}};
    const struct fraction off = carry_contacts(&s->args, w, s->x, &whole).off;
    s->off = off.over / off.under;
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
    const real residual = *s->w->residual;
    s->frozen = ~which | s->spent;
    s->n = n;
    iterate_all(s, n + sweeps);
    s->frozen = (which & s->frozen) | others;
    make_all_dirty(s->args.tree, s->w);
    *s->w->residual = choose(which, *s->w->residual, residual);
}

/* What an impact throws against a surface or a limit within the step nobody expected: lanes of `which` with such records go on;
   for the search the others come to rest, where they pass nothing. Not under torque limits, which would be broken. */
static void look_late(struct convex *s, mask which) {
    enum { LOOKS = 2 };
    const int crowd = s->effort.spare > 0;
    for (int i = 0; i < LOOKS && !s->bent; i++) {
        const real before = count_records(s->args.contacts), *qd = s->args.qd;
        for (int v = 0; v < ((const tree *)s->args.tree)->nv; v++)
            s->y[v] = choose(which, s->x[v], -qd[v] / step_size(&s->args));
        if (!find_again(&s->args, s->w, s->y)) return;
        index_contacts(&s->args, s->w);
        rest_contacts(&s->args, s->w);
        const mask fresh = less(before, count_records(s->args.contacts));
        enter_late(&s->args, s->w, fresh, s->x);
        linearise_contacts(&s->args, s->w, fresh, ~(mask){0});
        go_on(s, fresh, crowd ? 1 : 8, s->effort.late); /* bounds of friction are about right */
    }
}

/* Lanes in which contacts have changed by how much the step turns things, against the motion without them; but not where it
   turns them too far to know anything about its middle. */
static mask turned_lanes(const struct convex *s) {
    const real h = step_size(&s->args), little = little_turn(h, s->args.rows_follow), far = splat(R(2));
    real change = splat(0), turned = splat(0);
    if (!s->args.refinements || (s->bent && !s->args.rows_follow) || s->held) return (mask){0};
    for (int v = 0; v < ((const tree *)s->args.tree)->nv; v++) {
        const real middle = middle_of(s, v), more = middle - s->w->vbar[v];
        change = change + more * more, turned = turned + middle * middle;
    }
    return less(little * little, h * h * change) & less(h * h * turned, far * far);
}

/* Velocity products of the iterate's own middle, or c times that, from the next sweep on, in some lanes. */
static void take_middle(struct convex *s, mask which) {
    struct work *w = s->w;
    const tree *t = s->args.tree;
    for (int v = 0; v < t->nv; v++)
        w->vbar[v] = middle_of(s, v);
    const real calm = calm_of(&s->args, w->vbar);
    for (int v = 0; !is_calm(calm) && v < t->nv; v++)
        w->vbar[v] = calm * w->vbar[v];
    for (int i = 0; i < t->nbody; i++) {
        struct frame *f = &w->frame[i];
        const vec3 old_w = f->w, old_c = f->c, old_d = f->d;
        enter_velocity(&t->body[i], &w->frame[t->body[i].parent], w->vbar + t->body[i].v, f);
        f->w = vec_choose(which, f->w, old_w);
        f->c = vec_choose(which, f->c, old_c);
        f->d = vec_choose(which, f->d, old_d);
    }
    hold_spins(t, w, which);
    rest_contacts(&s->args, w);
    w->stale = 1;
}

/* Velocity products of the motion that contacts lead to, once that is about known: where an impact sets limbs spinning, those
   of the motion without it leave what the kinetic energy gains on the way from q to q + h v: up to 80 J of a limp humanoid
   at 1/60 s. Returns the lanes that have such, which must go on. */
static mask refine_late(struct convex *s) {
    const mask which = turned_lanes(s), frozen = s->frozen;
    if (!any(which)) return which;
    take_middle(s, which);
    sweep_whole(s, which); /* forces of the iterate balance the dynamics that were */
    s->frozen = frozen;
    return which;
}

static void start_undamped(const struct sn__args *args, struct work *w) {
    for (int v = 0; v < ((const tree *)args->tree)->nv; v++)
        w->damping[v] = splat(0);
}

/* K with the damping that there is, for the next sweeps and for rows. */
static void keep_gains(const struct sn__args *args, struct work *w) {
    const real h = step_size(args), *K = args->K, *Kp = args->limit ? args->K_passive : K;
    for (int v = 0; v < ((const tree *)args->tree)->nv; v++) {
        w->damped_K[0][v] = K[v] + h * w->damping[v];
        w->damped_K[1][v] = Kp[v] + h * w->damping[v];
    }
}

static void keep_damped(struct convex *s) {
    keep_gains(&s->args, s->w);
    s->K = s->args.K = s->w->damped_K[0], s->args.K_passive = s->w->damped_K[1];
}

/* Light joints damped in some lanes, by a K of four times what their limits are made for: where fingers lie under a hand a solve
   has too many corners without it. Like damp_joints this takes energy and leaves the momentum alone. */
static void damp_light(struct convex *s, mask which) {
    struct work *w = s->w;
    const struct sn__ground *g = s->args.ground;
    const real h = step_size(&s->args), *qd = s->args.qd;
    for (int i = 0; i < g->nstops; i++) {
        const struct sn__stops *stops = &g->stops[i];
        const tree_body *b = &((const tree *)s->args.tree)->body[stops->body];
        for (int k = 0; is_light(stops) && k < b->nv; k++) {
            real d = R(4 * stops->inertia[k]) / h;
            if (s->args.mass_scale) d = d * *(const real *)s->args.mass_scale;
            d = choose(which, d, splat(0));
            w->damping[b->v + k] = w->damping[b->v + k] + d;
            w->tmp[0][b->v + k] = w->tmp[0][b->v + k] - d * qd[b->v + k];
            if (s->bent) s->drives.Qp[b->v + k] = s->drives.Qp[b->v + k] - d * qd[b->v + k];
        }
    }
    s->args.K = s->given.K, s->args.K_passive = s->given.K_passive;
    keep_damped(s);
    w->stale = 1;
    sweep_whole(s, which);
}

/* Sweeps after which light joints are damped where forces are nowhere near their laws, and where they are not quite there. */
enum { LIGHT_SOON = 8, LIGHT_LATE = 14 };

static void settle_light(struct convex *s) {
    /* relative and squared; float has not the digits to come nearer and nearer */
    const real near = splat(LANE_BITS == 32 ? R(0) : R(0.05));
    for (int late = 0; late < 2; late++) {
        const mask slow = ~s->frozen, stuck = late ? slow : slow & less(near, *s->w->residual);
        if (!any(slow)) return;
        if (any(stuck)) {
            damp_light(s, stuck);
            go_on(s, stuck, 4, s->effort.sweeps);
        }
        if (!late && any(slow & ~stuck)) go_on(s, slow & ~stuck, LIGHT_SOON, LIGHT_LATE - LIGHT_SOON);
    }
}

/* Sweeps until all lanes have settled, or as many as there may be. After the first few velocity products are looked at again:
   lanes that have others begin afresh. A crowd has made all its sweeps by then, and makes some more for them. */
static void settle_all(struct convex *s) {
    const int crowd = s->effort.spare > 0, all = s->effort.sweeps, few = crowd || all < 4 ? all : 4;
    iterate_all(s, few);
    const mask turned = refine_late(s), slow = ~s->frozen & ~turned;
    const int light = s->guarded && has_light(s->args.ground) && all > LIGHT_SOON;
    const int more = light ? LIGHT_SOON - few : all - few;
    if (any(turned)) go_on(s, turned, 1, crowd ? s->effort.late : more);
    if (few < all && any(slow)) go_on(s, slow, few, more);
    if (light) settle_light(s);
}

/* Joints damped in some lanes until K is `part` of what they carry, which a drive may have done already: a force of
   -d (qd + h qdd), which stands in Q and K, and in work.damping for those who ask for torques. `given`: without it. Returns the
   lanes in which there was something to damp. */
static mask damp_joints(struct convex *s, const struct sn__args *given, mask which, real part) {
    struct work *w = s->w;
    const tree *t = given->tree;
    const real h = step_size(given), *qd = given->qd, *K = given->K, zero = splat(0);
    mask damped = (mask){0};
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        for (int v = b->v; !is_free(b) && v < b->v + b->nv; v++) {
            real carried = splat(R(given->ground->inertia[v]));
            if (given->mass_scale) carried = carried * *(const real *)given->mass_scale;
            const real more = (part * carried - K[v]) / h - w->damping[v];
            const real d = choose(which, maximum(zero, more), zero);
            damped |= less(zero, d);
            w->damping[v] = w->damping[v] + d;
            w->tmp[0][v] = w->tmp[0][v] - d * qd[v];
            if (s->bent) s->drives.Qp[v] = s->drives.Qp[v] - d * qd[v];
        }
    }
    s->args.K = given->K, s->args.K_passive = given->K_passive;
    keep_damped(s);
    w->stale = 1;
    return damped;
}

/* Where a step would win energy that nothing gives (won.h), joints are damped until it does not: limp limbs that an impact
   turns by half a radian in a step, as a rule. */
static void guard_energy(struct convex *s) {
    enum { ROUNDS = 3 };
    const struct sn__args given = s->given;
    real part = splat(R(0.25));
    for (int i = 0; i < ROUNDS; i++) {
        mask won = winning_lanes(&s->args, s->w, s->Q, s->K, s->x) & less(s->used + R(4), s->most);
        const mask frozen = s->frozen;
        if (any(won)) won = damp_joints(s, &given, won, part);
        if (!any(won)) return;
        sweep_whole(s, won);
        if (s->args.refinements) {
            take_middle(s, won);
            sweep_whole(s, won);
        }
        s->frozen = frozen;
        go_on(s, won, 8, s->effort.late);
        look_late(s, won);
        part = R(4) * part;
    }
}

/* Lanes that have not settled take what late looks have left, with bounds of friction held. */
static void go_on_unsettled(struct convex *s) {
    if (s->effort.spare > 0) return; /* a crowd ends unsettled as a rule */
    const mask slow = less(splat(0), *s->w->residual) & ~s->spent;
    if (any(slow)) go_on(s, slow, s->effort.refreshes, s->effort.sweeps);
}

/* The sweeps after the first, and all that looks at where they lead. Returns how many there were. */
static int finish_convex(struct convex *s) {
    struct work *w = s->w;
    settle_all(s);
    allow_sweeps(s, 0.9);
    look_late(s, ~(mask){0});
    go_on_unsettled(s);
    allow_sweeps(s, 1);
    if (s->guarded) guard_energy(s);
    keep_light(&s->args, s->x);
    s->spent = (mask){0};
    s->n = s->effort.sweeps; /* in any case: no lane's sweeps depend on its neighbours */
    guard_work(s);
    *w->residual = square_root(*w->residual);
    if (s->bent) clamp_torques(s);
    if (s->held) {
        clamp_holds(s);
        s->Q = total_forces(&s->holds), s->K = s->args.K_passive;
    }
#if LANE_BITS == 32
    if (!s->args.contacts->nbrace) /* which may give energy: what is held off its place */
        tame_rounding(&s->args, w, s->Q, s->K, less(splat(0), count_records(s->args.contacts)), s->x);
#endif
    return s->effort.spare > 0 ? s->total : most_used(s);
}

/* Over frames that stand: qdd under drives, torque limits, contacts and joint limits. Returns how many sweeps it took with
   contacts, joint limits or bent drives. `held`: in a crowd drives are not bent, but held (holds.h). */
static int solve_convex(const struct sn__args *args, struct work *w, int held, real *qdd) {
    struct convex s = convex_of(args, w, held, qdd);
    start_undamped(args, w);
    if (args->rows_follow) keep_gains(args, w);
    sweep_apart(&s, still_lanes(&s));
    index_contacts(&s.args, w);
    look_ahead(&s);
    const mask touched = less(splat(0), count_records(s.args.contacts));
    for (int v = 0; v < ((const tree *)args->tree)->nv; v++)
        s.y[v] = s.x[v]; /* a root that nothing touches is not passed again */
    if (any(touched)) first_sweep(&s, touched);
    s.n = s.total = 1; /* counted in any case: no lane's sweeps depend on its neighbours */
    settle(&s);
    return finish_convex(&s);
}

/* What a last step of Newton's method at the solution would be: leaves the eliminated joints as constraint responses
   need them. */
static void relinearise(const struct sn__args *args, struct work *w, real *qdd) {
    struct convex s = convex_of(args, w, 0, qdd);
    if (s.guarded) keep_damped(&s);
    expose_contacts(&s.args, w);
    if (args->limit) {
        s.drives = drives_of(&s.args, w);
        linearise_drives(&s.drives, w, qdd);
        make_all_dirty(args->tree, w);
    }
    if (any_dirty(args->tree, w)) sweep_touching(&s.args, w, w->tmp[0], s.K, 1, (mask){0}, s.y);
}

/* Drives beyond their limits as constant torques: Q and K, which are returned, of the solution x with explicit products. */
static const real *hold_drives(const struct sn__args *args, struct work *w, real *x) {
    const tree *t = args->tree;
    solve_convex(args, w, 0, x);
    const struct drives d = drives_of(args, w);
    const real *K = args->K, *Kp = args->K_passive;
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const int n = limit_group(args, b, i);
        for (int v = b->v; v < b->v + b->nv; v += n) {
            real s[3], length2;
            const mask over = drive_law(&d, v, n, x + v, s, &length2);
            const real f = cut_factor(&d, v, over, length2);
            for (int k = v; k < v + n; k++) {
                w->Q[k] = choose(over, f * s[k - v] + d.Qp[k], d.Q0[k]);
                w->vbar[k] = choose(over, Kp[k], K[k]);
            }
        }
    }
    return w->vbar;
}

/* For args->polarised: the springs with the force beside them that polarises the products of the solution (polarised.h). */
static const real *polarise(const struct sn__args *given, struct work *w) {
    struct sn__args args = *given;
    real *x = w->tmp[5];
    const real *K = args.K;
    args.contacts = 0, args.ground = 0;
    if (args.limit)
        K = hold_drives(&args, w, w->turn);
    else
        drive_all(&args, w->Q);
    solve_polarised(&args, w, w->Q, K, x);
    return polarising_force(&args, w, w->Q, K, x, w->tmp[0]);
}

/* The same for worlds. */
static int solve(const struct sn__args *given, void *out) {
    struct sn__args args = *given;
    struct work w = work_of(&args, 0);
    real *qdd = out;
    *w.residual = splat(0);
    if (args.polarised) args.spring = polarise(given, &w);
    if (args.contacts || args.ground || args.limit) {
        const int n = solve_convex(&args, &w, 0, qdd);
        if (args.rows_follow) relinearise(&args, &w, qdd);
        return n;
    }
    if (args.rows_follow) {
        start_undamped(&args, &w);
        keep_gains(&args, &w);
    }
    start_products(&args, &w, PRODUCTS_START_SPINNING);
    calm_frames(&args, &w);
    drive_all(&args, w.tmp[0]);
    sweep_untouched(&args, &w, w.tmp[0], args.K, qdd);
    refine_products(&args, &w, args.K, ABA_GENERAL, (mask){0}, qdd);
    return 1;
}

#endif
