/* Energy that a step would gain although nothing supplies it. The joints of such lanes are damped until the gain is gone; a crowd
 * makes a few more sweeps first. Light joints, such as fingers, are damped where a solve would not converge without it. */
#ifndef SINEW_KERNELS_CONTACT_GUARD_H
#define SINEW_KERNELS_CONTACT_GUARD_H

#include "kernels/contact/late.h"
#include "kernels/contact/light.h"
#include "kernels/contact/won.h"

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
        const SHARED struct sn__stops *stops = &g->stops[i];
        const tree_body *b = &((const tree *)s->args.tree)->body[stops->body];
        for (int k = 0; is_light(stops) && k < b->nv; k++) {
            real d = R(4) * R(stops->inertia[k]) / h;
            if (s->args.mass_scale) d = d * *(const real *)s->args.mass_scale;
            d = choose(which, d, splat(0));
            w->damping[b->v + k] = w->damping[b->v + k] + d;
            w->solve.Q0[b->v + k] = w->solve.Q0[b->v + k] - d * qd[b->v + k];
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
        const mask slow = ~s->frozen, stuck = late ? slow : slow & less(near, *residual_of(s));
        if (!any(slow)) return;
        if (any(stuck)) {
            damp_light(s, stuck);
            go_on(s, stuck, 4, s->effort.sweeps);
        }
        if (!late && any(slow & ~stuck)) go_on(s, slow & ~stuck, LIGHT_SOON, LIGHT_LATE - LIGHT_SOON);
    }
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
            w->solve.Q0[v] = w->solve.Q0[v] - d * qd[v];
            if (s->bent) s->drives.Qp[v] = s->drives.Qp[v] - d * qd[v];
        }
    }
    s->args.K = given->K, s->args.K_passive = given->K_passive;
    keep_damped(s);
    w->stale = 1;
    return damped;
}

/* Where a step would gain energy that nothing supplies (won.h), joints are damped until it does not: limp limbs that an impact
   turns by half a radian in a step, as a rule. Returns the lanes in which that may not be enough: those that have no sweeps left,
   or nothing to damp. */
static mask guard_energy(struct convex *s) {
    enum { ROUNDS = 3 };
    const struct sn__args given = s->given;
    real part = splat(R(0.25));
    mask gained = (mask){0};
    for (int i = 0; i < ROUNDS; i++) {
        gained = winning_lanes(&s->args, s->w, s->Q, s->K, s->x);
        mask won = gained & less(s->used + R(4), s->most);
        const mask frozen = s->frozen;
        if (any(won)) won = damp_joints(s, &given, won, part);
        if (!any(won)) return gained;
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
    return gained;
}

/* Lanes of `which` that gain energy after all end the step with a part of their velocities, as a character that touches nothing
   sees them from its centre of mass, whose velocity stays. What stays outside a surface or within a limit still does. Where rows
   follow, world/slow.c does it, for all that they join. */
static void move_less(struct convex *s, mask which) {
    const tree *t = s->args.tree;
    const real h = step_size(&s->args), zero = splat(0), one = splat(1), *qd = s->args.qd;
    if (s->args.rows_follow || !any(which)) return;
    which &= winning_lanes(&s->args, s->w, s->Q, s->K, s->x);
    if (!any(which)) return;
    struct course course;
    const real won = energy_won(&s->args, s->w, s->Q, s->K, s->x, &course);
    const vec3 drift = scale(course.after, one / course.mass),
               stays = vec_choose(flying_lanes(&s->args), drift, vec_zero());
    const real kinetic = kinetic_ahead(&s->args, s->w, stays), own[3] = {stays.x, stays.y, stays.z};
    const real left = one - won / choose(which, kinetic, one);
    const real part = square_root_each(maximum(zero, choose(which, left, one)));
    for (int v = 0; v < t->nv; v++) {
        const real kept = v < 3 ? own[v] : zero, end = qd[v] + h * s->x[v];
        s->x[v] = choose(which, (kept + part * (end - kept) - qd[v]) / h, s->x[v]);
    }
}

/* Velocities are solved for in the pose of the start, and have another momentum in that of the end. Of a limp character that turns
   about in the air this may be as much as makes its centre of mass gain or lose joules; then it has the momentum that gravity and
   pushes have given it. What its limbs do stays as it is. */
static void keep_course(struct convex *s) {
    const real h = step_size(&s->args), half = splat(R(0.5));
    struct course c;
    mask which = s->args.rows_follow ? (mask){0} : flying_lanes(&s->args);
    if (!any(which)) return;
    which &= turning_lanes(&s->args, s->x);
    if (!any(which)) return;
    energy_growth(&s->args, s->w, s->x, &c);
    real gained = half * (dot(c.after, c.after) - dot(c.due, c.due)) / c.mass;
    if (s->args.mass_scale) gained = gained * *(const real *)s->args.mass_scale;
    which &= less(little_energy(&s->args), absolute(gained));
    const vec3 back = scale(sub(c.due, c.after), splat(1) / (c.mass * h));
    const real own[3] = {back.x, back.y, back.z};
    for (int v = 0; v < 3 && any(which); v++)
        s->x[v] = choose(which, s->x[v] + own[v], s->x[v]);
}

/* Lanes that have not settled take what late looks have left, with bounds of friction held. */
static void go_on_unsettled(struct convex *s) {
    if (s->effort.spare > 0) return; /* a crowd ends unsettled as a rule */
    const mask slow = less(splat(0), *residual_of(s)) & ~s->spent;
    if (any(slow)) go_on(s, slow, s->effort.refreshes, s->effort.sweeps);
}

#endif
