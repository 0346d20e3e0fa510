/* One convex problem for contact, joint limits and torque limits, in linear time.
 *
 * The velocity at the end of the step, v = qd + dt qdd, is where a strictly convex function is least (docs/theory.md):
 *
 *     l(v) = 1/2 (v - v0)^T M (v - v0) + dt C^T v + sum of phi
 *
 * Every phi (contact.h, limits.h) is local to a body or a joint, so that Newton's method costs one sweep of the
 * articulated-body algorithm per iteration: the sweep solves for the velocity at which the linearised forces P balance
 * the rest of the dynamics. On the way from the iterate to there both P and the velocities u of the terms are linear,
 * and the slope of l is the sum of du . (P - F(u)): an exact line search needs no sweep at all.
 *
 * Lanes that have settled are frozen, so that their bits do not depend on their neighbours. */
#ifndef SINEW_KERNELS_CONVEX_H
#define SINEW_KERNELS_CONVEX_H

#include "kernels/find.h"
#include "kernels/limits.h"

/* A solve on its way. */
struct convex {
    struct sn__args args;
    struct work *w;
    struct sn__effort effort;
    struct drives drives;
    real *x;        /* iterate, [nv] */
    real *y;        /* where the sweep went */
    int n;          /* sweeps so far */
    mask frozen;    /* lanes that have settled */
    mask shortened; /* lanes in which the last step was far shorter than the sweep: what slides turns about */
};

static struct convex convex_of(const struct sn__args *args, struct work *w, real *qdd) {
    static const struct sn__contacts none = {0};
    struct convex s = {.args = *args, .w = w, .effort = args->effort, .x = qdd, .y = w->tmp[5]};
    if (!s.args.contacts) s.args.contacts = s.args.ground ? &s.args.ground->contacts : &none;
    if (args->limit && s.effort.looks < 40)
        s.effort.looks = 40; /* limits of stiff drives are sharp corners */
    if (!s.effort.sweeps)
        s.effort = (struct sn__effort){.sweeps = 64, .refreshes = 8, .majorised = 4, .looks = 60};
    return s;
}

/* The slope at `at` of the way. */
static struct slope convex_slope(const struct convex *s, real at) {
    const struct slope slope = contacts_slope(s->args.contacts, at);
    return s->args.limit ? slope_sum(slope, drives_slope(&s->drives, s->w, s->x, s->y, at)) : slope;
}

KERNEL mask is_between(real low, real x, real high) {
    return less(low, x) & less(x, high);
}

/* Where the tangent at t is zero. */
KERNEL real tangent_root(real t, struct slope s) {
    return t - s.f / choose(less(splat(0), s.rate), s.rate, splat(1));
}

/* How far to go: all the way unless the function climbs there, else to where it is least: the root of its slope, which
   never falls, by Newton's method from the point looked at last, or from the other end of where it must be, or else
   by halves. Ends of stiff terms make corners, which neither regula falsi nor halves find soon enough. */
static real search_step(const struct convex *s) {
    const real zero = splat(0), one = splat(1);
    struct slope low = convex_slope(s, zero), high = convex_slope(s, one);
    const real small = (s->effort.looks > 8 ? R(-1e-3) : R(-0.05)) * low.f;
    mask search = less(zero, low.f * R(-1)) & less(small, high.f) & ~s->frozen;
    real from = zero, to = one, at = one, t = tangent_root(one, high);
    for (int i = 0; i < s->effort.looks && any(search); i++) {
        t = choose(is_between(from, t, to), t, tangent_root(from, low));
        t = choose(is_between(from, t, to), t, tangent_root(to, high));
        t = choose(is_between(from, t, to), t, R(0.5) * (from + to));
        at = choose(search, t, at);
        const struct slope here = convex_slope(s, at);
        const mask beyond = less(zero, here.f);
        to = choose(beyond, at, to), from = choose(beyond, from, at);
        high.f = choose(beyond, here.f, high.f), high.rate = choose(beyond, here.rate, high.rate);
        low.f = choose(beyond, low.f, here.f), low.rate = choose(beyond, low.rate, here.rate);
        t = tangent_root(at, here);
        search &= less(small, absolute(here.f));
    }
    return at;
}

static void take_step(struct convex *s, real step) {
    const mask whole = ~less(step, splat(1));
    move_contacts(s->args.contacts, step, s->frozen);
    if (s->args.limit) move_drives(&s->drives, s->w, step, s->frozen);
    for (int v = 0; v < ((const tree *)s->args.tree)->nv; v++)
        s->x[v] = go(s->x[v], s->y[v], step, whole, s->frozen);
}

/* Freezes the lanes in which every force is that of its law; leaves in work.residual how far the others are. */
static void settle(struct convex *s) {
    const real tolerance = splat(R(s->effort.tolerance));
    real off = contacts_off(s->args.contacts, s->n > s->effort.refreshes);
    if (s->args.limit) off = maximum(off, drives_off(&s->drives, s->w, s->x));
    const mask done = s->frozen | ~less(tolerance * tolerance, off);
    *s->w->residual = choose(done, splat(0), off);
    s->frozen = done;
}

/* One iteration: linearise, sweep, search, step. */
static void iterate(struct convex *s) {
    const struct sn__contacts *c = s->args.contacts;
    linearise_contacts(c, ~s->frozen, s->n < s->effort.majorised ? ~(mask){0} : s->shortened);
    if (s->args.limit) linearise_drives(&s->drives, s->w, s->x);
    sweep_touching(&s->args, s->w, s->w->tmp[0], s->args.K, 1, s->y);
    s->n++;
    look_at_contacts(&s->args, s->w, s->y, 0);
    if (s->args.limit) look_at_drives(&s->drives, s->w, s->x, s->y);
    const real step = search_step(s);
    s->shortened = less(step, splat(R(0.3)));
    take_step(s, step);
    if (s->n <= s->effort.refreshes) refresh_bounds(c, s->frozen);
    settle(s);
}

/* A crowd ends unsettled as a rule, which does no harm unless forces that have not settled feed energy in: such lanes go
   on for some sweeps more, the others rest. */
static void guard_work(struct convex *s) {
    const real most = splat(R(s->args.contacts->work));
    const int spare =
        s->args.limit && s->effort.spare ? 28 : s->effort.spare; /* a torque must keep its limit */
    for (int i = 0; i < spare && any(~s->frozen); i++) {
        mask fine = less(contacts_work(&s->args), most);
        if (s->args.limit) fine &= ~drives_broken(&s->drives, s->w);
        s->frozen |= fine;
        if (any(~s->frozen)) iterate(s);
    }
}

/* Lanes that end with a torque beyond its limit, unsettled or for want of digits: one sweep more with such torques
   held. */
static void clamp_torques(struct convex *s) {
    const mask broken = drives_broken(&s->drives, s->w);
    if (!any(broken)) return;
    s->frozen = ~broken;
    linearise_contacts(s->args.contacts, broken, ~(mask){0});
    linearise_drives(&s->drives, s->w, s->x);
    clamp_drives(&s->drives, s->w, broken);
    sweep_touching(&s->args, s->w, s->w->tmp[0], s->args.K, 1, s->y);
    s->n++;
    look_at_contacts(&s->args, s->w, s->y, 0);
    look_at_drives(&s->drives, s->w, s->x, s->y);
    take_step(s, splat(1));
}

/* The first sweep, taken whole: contacts and limits as the last step left them, drives as they would be if nothing
   accelerated. */
static void first_sweep(struct convex *s) {
    const struct sn__contacts *c = s->args.contacts;
    real *Q = s->w->tmp[0];
    prepare_contacts(&s->args, s->w);
    expect_contacts(c);
    drive_all(&s->args, Q);
    if (s->args.limit) {
        s->drives = drives_of(&s->args, s->w);
        for (int v = 0; v < ((const tree *)s->args.tree)->nv; v++)
            s->drives.Qp[v] = passive_force(&s->args, v);
        expect_drives(&s->drives, s->w, s->x);
    }
    sweep_touching(&s->args, s->w, Q, s->args.K, 0, s->x);
    s->n = 1;
}

/* What the first sweep came to, and what it would run into. */
static void look_at_first(struct convex *s) {
    struct work *w = s->w;
    const tree *t = s->args.tree;
    if (find_again(&s->args, w, s->x)) index_contacts(&s->args, w);
    rest_contacts(&s->args, w);
    look_at_contacts(&s->args, w, s->x, 1);
    refresh_bounds(s->args.contacts, (mask){0});
    if (s->args.limit) look_at_drives(&s->drives, w, 0, s->x);
    for (int v = 0; v < t->nv; v++)
        s->y[v] = s->x[v]; /* a root that nothing touches is not passed again */
}

/* Over frames that stand: qdd under drives, torque limits, contacts and joint limits. Returns how many sweeps it
   took. */
static int solve_convex(const struct sn__args *args, struct work *w, real *qdd) {
    struct convex s = convex_of(args, w, qdd);
    first_sweep(&s);
    /* here velocity products may be refined: all that follows reads frames, Q and qdd again */
    look_at_first(&s);
    settle(&s);
    while (s.n < s.effort.sweeps && any(~s.frozen))
        iterate(&s);
    guard_work(&s);
    *w->residual = square_root(*w->residual);
    if (args->limit) clamp_torques(&s);
    return s.n;
}

/* What a last step of Newton's method at the solution would be: leaves the eliminated joints as constraint responses
   need them. */
static void relinearise(const struct sn__args *args, struct work *w, real *qdd) {
    struct convex s = convex_of(args, w, qdd);
    s.drives = drives_of(&s.args, w);
    linearise_drives(&s.drives, w, qdd);
    sweep_touching(&s.args, w, w->tmp[0], args->K, 1, s.y);
}

/* The same for worlds. */
static int solve(const struct sn__args *args, void *out) {
    struct work w = work_of(args, 0);
    real *qdd = out;
    *w.residual = splat(0);
    if (!args->contacts && !args->ground && !args->limit) {
        drive_all(args, w.tmp[0]);
        sweep_untouched(args, &w, w.tmp[0], args->K, qdd);
        return 1;
    }
    const int n = solve_convex(args, &w, qdd);
    if (args->limit) relinearise(args, &w, qdd);
    return n;
}

static void maba(const struct sn__args *args, void *qdd) {
    if (args->limit) {
        struct work w = work_of(args, 0);
        enter_all(args->tree, args->q, args->qd, &w);
        solve_convex(args, &w, qdd);
        return;
    }
    walk_general(args, 0, args->K, qdd);
}

#endif
