/* What float may round: the solve of a body that is wedged in by many stiff contacts may come to a motion that wins what
 * nothing in the step could have given. With T the kinetic energy at the pose of the step, v and v+ the velocities before
 * and after it and v' their mean,
 *
 *     T(v+) <= T(v) + h v' . (gravity and pushes) + h max(0, v' . drives) + h max(0, F . d) + a little
 *
 * must hold, since contacts and limits only take energy away, but for their recovery, and for a force F of ground that
 * moves at d itself, as a lift does: what it carries moves no faster along F in the mean, so that F . d is the most that it
 * gives. A lane that breaks it is slowed down to it. In double nothing does. */
#ifndef SINEW_KERNELS_CONTACT_TAME_H
#define SINEW_KERNELS_CONTACT_TAME_H

#include "kernels/contact/find.h"

#if LANE_BITS == 32

/* How a body moves, and its momentum then: p = m v + w x mc, L = J w + mc x v. */
struct momentum {
    vec3 p, L;
};

KERNEL struct momentum body_momentum(const struct sn__args *args, const struct work *w, int i,
                                     struct motion m) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const struct frame *f = &w->frame[i];
    real mass = splat(b->mass);
    if (args->mass_scale) mass = mass * *(const real *)args->mass_scale;
    sym3 J;
    vec3 mc;
    if (w->rigid_stands) {
        J = w->rigid[i].J, mc = w->rigid[i].mc;
    } else {
        J = rigid_inertia(b, f), mc = mul(f->R, vec_splat(b->mc));
        if (args->mass_scale) J = sym_scale(J, *(const real *)args->mass_scale);
        if (args->mass_scale) mc = scale(mc, *(const real *)args->mass_scale);
    }
    return (struct momentum){add_cross(scale(m.a, mass), m.alpha, mc),
                             add_cross(sym_mul(J, m.alpha), mc, m.a)};
}

/* What a push does to a body that moves so. */
KERNEL real push_power(const struct sn__args *args, const struct work *w, int i, struct motion m) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const struct frame *f = &w->frame[i];
    real lifted[6];
    const real *push = push_with_lift(args, f, i, lifted);
    if (!push) return splat(0);
    const vec3 v = add_cross(m.a, m.alpha, mul(f->R, vec_splat(b->origin)));
    return dot(v, vec_load(push)) + dot(m.alpha, vec_load(push + 3));
}

/* What ground that moves gives by its contacts at most, W. Only extras have such ground. */
static real power_of_ground(const struct sn__args *args) {
    const struct sn__ground *g = args->contacts->of;
    real sum = splat(0);
    if (!g || !g->nextra) return sum;
    for (int k = 0; k < g->contacts.count; k++) {
        if (g->which[k] < g->nprobe) continue;
        const vec3 drift = vec_splat_f64(g->extra[g->which[k] - g->nprobe].drift);
        sum = sum + maximum(splat(0), dot(drift, vec_load(contact_at(&g->contacts, k) + SN__FORCE)));
    }
    return sum;
}

/* Slows lanes down, all velocities alike: after the step they have the energy that they had before, and what was given. */
static __attribute__((noinline)) void slow_down(const struct sn__args *args, struct work *w, mask wild,
                                                real given, real *x) {
    const tree *t = args->tree;
    const real dt = step_size(args), zero = splat(0), *qd = args->qd;
    real before = zero, after = zero;
    for (int i = 0; i < t->nbody; i++) {
        const struct motion m = moved_by(args, w, i, x), rate = w->rate[i];
        const struct motion end = {add_scaled(rate.alpha, m.alpha, dt), add_scaled(rate.a, m.a, dt)};
        const struct momentum old = body_momentum(args, w, i, rate), now = body_momentum(args, w, i, end);
        before = before + R(0.5) * (dot(old.p, rate.a) + dot(old.L, rate.alpha));
        after = after + R(0.5) * (dot(now.p, end.a) + dot(now.L, end.alpha));
    }
    const real most = maximum(zero, before + given);
    const mask over = wild & ~less(after, most);
    const real slow = square_root_each(choose(over, most / choose(over, after, splat(1)), splat(1)));
    for (int v = 0; v < t->nv; v++) {
        const real end = slow * (qd[v] + dt * x[v]);
        x[v] = choose(over, (end - qd[v]) / dt, x[v]);
    }
}

/* Lanes in `touched` whose motion has won too much are slowed down. T(v+) - T(v) is the change of velocities times the
   momentum of their mean. */
static void tame_rounding(const struct sn__args *args, struct work *w, const real *Q, const real *K,
                          mask touched, real *x) {
    const tree *t = args->tree;
    if (!any(touched)) return;
    const real dt = step_size(args), half = R(0.5) * dt, zero = splat(0), *qd = args->qd;
    const vec3 g = gravity_of(args);
    real won = zero, power = zero, fallen = zero;
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const struct motion m = moved_by(args, w, i, x), rate = w->rate[i];
        const struct motion mean = {add_scaled(rate.alpha, m.alpha, half), add_scaled(rate.a, m.a, half)};
        const struct momentum moved = body_momentum(args, w, i, mean);
        won = won + (dot(moved.p, m.a) + dot(moved.L, m.alpha));
        fallen = fallen + dot(moved.p, g);
        if (args->push || t->body[i].lift != 0) power = power + push_power(args, w, i, mean);
        for (int v = b->v; v < b->v + b->nv; v++)
            power = power + maximum(zero, (Q[v] - K[v] * x[v]) * (qd[v] + half * x[v]));
    }
    /* a quarter of what the drives do is let be: products of the motion without contacts do not quite keep out of it */
    const real given = R(2 * args->contacts->work) + dt * (R(1.25) * power + fallen + power_of_ground(args));
    const mask wild = touched & ~less(dt * won, given);
    if (any(wild)) slow_down(args, w, wild, given, x);
}

#endif

#endif
