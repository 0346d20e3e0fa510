/* What float may round: the solve of a body that is wedged in by many stiff contacts may come to a motion that wins what
 * nothing in the step could have given. With T the kinetic energy at the pose of the step, v and v+ the velocities before
 * and after it and v' their mean,
 *
 *     T(v+) <= T(v) + h v' . (gravity and pushes) + h max(0, v' . drives) + a little
 *
 * must hold, since contacts and limits only take energy away, but for their recovery. A lane that breaks it is slowed down
 * to it. In double nothing does. */
#ifndef SINEW_KERNELS_TAME_H
#define SINEW_KERNELS_TAME_H

#include "kernels/find.h"

#if LANE_BITS == 32

/* T = 1/2 m v^2 + v . (w x mc) + 1/2 w J w of a body. */
KERNEL real body_energy(const struct sn__args *args, const struct work *w, int i, struct motion m) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const struct frame *f = &w->frame[i];
    const vec3 mc = mul(f->R, vec_splat(b->mc));
    const real own = R(0.5) * (b->mass * dot(m.a, m.a) + dot(m.alpha, sym_mul(rigid_inertia(b, f), m.alpha)));
    const real T = own + dot(m.a, cross(m.alpha, mc));
    return args->mass_scale ? T * *(const real *)args->mass_scale : T;
}

/* What gravity and a push do to a body that moves so. */
KERNEL real body_power(const struct sn__args *args, const struct work *w, int i, struct motion m) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const struct frame *f = &w->frame[i];
    const vec3 mc = mul(f->R, vec_splat(b->mc)), g = gravity_of(args);
    const vec3 momentum = add_scaled(cross(m.alpha, mc), m.a, splat(b->mass));
    real power = dot(g, momentum);
    if (args->mass_scale) power = power * *(const real *)args->mass_scale;
    real lifted[6];
    const real *push = push_with_lift(args, f, i, lifted);
    if (!push) return power;
    const vec3 v = add_cross(m.a, m.alpha, mul(f->R, vec_splat(b->origin)));
    return power + dot(v, vec_load(push)) + dot(m.alpha, vec_load(push + 3));
}

/* Lanes in `touched` whose motion has won too much are slowed down, all velocities alike. */
static void tame_rounding(const struct sn__args *args, struct work *w, mask touched, real *x) {
    const tree *t = args->tree;
    if (!any(touched)) return;
    const real dt = step_size(args), zero = splat(0), *K = args->K, *Q = w->tmp[0], *qd = args->qd;
    real before = zero, after = zero, given = splat(R(2 * args->contacts->work));
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const struct motion m = moved_by(args, w, i, x);
        const struct motion rate = w->rate[i];
        const struct motion end = {add_scaled(rate.alpha, m.alpha, dt), add_scaled(rate.a, m.a, dt)};
        const struct motion mean = {scale(add(rate.alpha, end.alpha), splat(R(0.5))),
                                    scale(add(rate.a, end.a), splat(R(0.5)))};
        before = before + body_energy(args, w, i, rate);
        after = after + body_energy(args, w, i, end);
        given = given + dt * body_power(args, w, i, mean);
        for (int v = b->v; v < b->v + JOINT_NV[b->joint]; v++)
            given = given + dt * maximum(zero, (Q[v] - K[v] * x[v]) * (qd[v] + R(0.5) * dt * x[v]));
    }
    const real most = maximum(zero, before + given);
    const mask wild = touched & ~less(after, most);
    if (!any(wild)) return;
    const real slow = square_root_each(choose(wild, most / choose(wild, after, splat(1)), splat(1)));
    for (int v = 0; v < t->nv; v++) {
        const real end = slow * (qd[v] + dt * x[v]);
        x[v] = choose(wild, (end - qd[v]) / dt, x[v]);
    }
}

#endif

#endif
