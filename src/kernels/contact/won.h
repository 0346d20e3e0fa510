/* What energy a step would gain that nothing gave it.
 *
 * Velocity products at the middle of a step keep energy as long as the pose says about the same of the inertia at both of
 * its ends. Where an impact, or its own speed, turns a limp limb by half a radian in one step, that is no longer so:
 *
 *     won = T(q+, v+) + V(q+) - T(q, v) - V(q) - given,      v+ = v + h qdd,   q+ = q (+) h v+
 *
 * is asked of the end itself; of a character that touches no ground without the energy of its centre of mass, which says nothing
 * about it: a limp body in a train falls as it would anywhere. `given` is what drives, pushes, contacts and joint limits may have done, each counted only
 * where it does work, so that nothing is called won that somebody gave. Ground at rest may lift what is in it, and give no more
 * than that. Forces of rows pass energy from one body to another: their work counts as a whole, with its sign. guard.h damps
 * the joints of a character that gains. */
#ifndef SINEW_KERNELS_CONTACT_WON_H
#define SINEW_KERNELS_CONTACT_WON_H

#include "kernels/contact/stops.h"
#include "kernels/tree/move.h"

/* v . m v / 2 + v . (w x mc) + w . J w / 2 of a body in frame f whose origin moves at v. */
KERNEL real kinetic_of(const tree_body *b, const struct frame *f, vec3 w, vec3 v) {
    const vec3 mc = mul(f->R, vec_splat(b->mc));
    const vec3 p = add(scale(v, splat(b->mass)), cross(w, mc)),
               L = add_cross(sym_mul(rigid_inertia(b, f), w), mc, v);
    return R(0.5) * (dot(v, p) + dot(w, L));
}

/* m times where the centre of mass is, of a body in frame f whose origin stands at x. */
KERNEL vec3 moment_of(const tree_body *b, const struct frame *f, vec3 x) {
    return add_scaled(mul(f->R, vec_splat(b->mc)), x, splat(b->mass));
}

/* The work of a push on a body that ends the step at the velocity w, v of its origin: of the user's only where it is
   positive, of rows as it is. */
KERNEL real work_of_push(const struct sn__args *args, int i, const struct frame *f, vec3 w, vec3 v) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const real *push = (const real *)args->push + 6 * i, *row = args->row_push;
    const vec3 at = add_cross(v, w, mul(f->R, vec_splat(b->origin)));
    const real all = dot(vec_load(push), at) + dot(vec_load(push + 3), w);
    if (!row) return step_size(args) * maximum(splat(0), all);
    const real own = dot(vec_load(row + 6 * i), at) + dot(vec_load(row + 6 * i + 3), w);
    return step_size(args) * (own + maximum(splat(0), all - own));
}

/* The end of a step with the accelerations qdd, into end_q and end_qd: with balls taken back to their limits (stops.h), for a limb
   that is moved at a velocity which stays as it is has another energy. */
static void move_to_end(const struct sn__args *args, struct work *w, const real *qdd) {
    const tree *t = args->tree;
    const real h = step_size(args), *qd = args->qd;
    for (int v = 0; v < t->nv; v++)
        w->end_qd[v] = qd[v] + h * qdd[v];
    for (int i = 0; i < t->nbody; i++)
        move_joint(&t->body[i], args->q, w->end_qd, h, w->end_q);
    if (args->ground) hold_balls(args, args->ground, w->end_q, w->end_qd);
}

/* Lanes in which the root is free and no contact pushes. */
static mask flying_lanes(const struct sn__args *args) {
    const struct sn__contacts *c = args->contacts;
    const real zero = splat(0);
    real force = zero;
    if (!is_free(&((const tree *)args->tree)->body[0])) return less(zero, zero);
    for (int k = 0; c && k < c->count; k++)
        force = force + dot(vec_load(contact_at(c, k) + SN__FORCE), vec_load(contact_at(c, k) + SN__FORCE));
    return ~less(zero, force);
}

/* m v + w x mc of a body in frame f. */
KERNEL vec3 momentum_of(const tree_body *b, const struct frame *f, vec3 w, vec3 v) {
    return add_cross(scale(v, splat(b->mass)), w, mul(f->R, vec_splat(b->mc)));
}

/* T and V at the end of a step, less those at its start, and what pushes do. */
struct growth {
    real kinetic, potential, pushed;
};

KERNEL real energy_of_growth(const struct growth *growth) {
    return growth->kinetic + growth->potential - growth->pushed;
}

/* Momenta at the start and the end of a step, what gravity and pushes make of the first, the forces of rows, and the mass. */
struct course {
    vec3 before, after, due, row;
    real mass;
};

/* Without the energy of the centre of mass and the work on it, in lanes that fly. Velocities are solved for in the pose of the
   start, so that the momentum in that of the end is a little off: V times that is nothing gained. */
KERNEL struct growth seen_from_within(const struct sn__args *args, struct growth g, const struct course *c) {
    const mask flies = flying_lanes(args);
    const real zero = splat(0), over = R(1) / c->mass;
    const real moves = R(0.5) * over * (dot(c->after, c->after) - dot(c->before, c->before));
    g.kinetic = g.kinetic - choose(flies, moves, zero);
    g.potential = choose(flies, zero, g.potential);
    g.pushed = g.pushed - choose(flies, step_size(args) * over * dot(c->after, c->row), zero);
    return g;
}

/* A body's part of the course. */
KERNEL void add_to_course(const struct sn__args *args, int i, vec3 g, vec3 before, vec3 after,
                          struct course *c) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const real *push = args->push, *row = args->row_push, h = step_size(args), one = splat(1);
    const real lighter = args->mass_scale ? one / *(const real *)args->mass_scale : one;
    c->mass = c->mass + splat(b->mass);
    c->before = add(c->before, before);
    c->after = add(c->after, after);
    c->due = add(c->due, add_scaled(before, g, h * splat(b->mass * (1 - b->lift))));
    if (push) c->due = add_scaled(c->due, vec_load(push + 6 * i), h * lighter);
    if (row) c->row = add(c->row, vec_load(row + 6 * i));
}

/* Of a step with the accelerations qdd. Frames, place and rate are those of enter_moving, except for velocities in frames. */
static struct growth energy_growth(const struct sn__args *args, struct work *w, const real *qdd,
                                   struct course *course) {
    const tree *t = args->tree;
    const vec3 g = gravity_of(args);
    const real *end = w->end_qd;
    struct growth growth = {splat(0), splat(0), splat(0)};
    *course = (struct course){vec_zero(), vec_zero(), vec_zero(), vec_zero(), splat(0)};
    move_to_end(args, w, qdd);
    w->ahead[-1] = w->frame[-1];
    w->drift[-1] = (struct motion){vec_zero(), vec_zero()};
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const struct frame *p = &w->ahead[b->parent], *was = &w->frame[i];
        const struct motion *up = &w->drift[b->parent], *rate = &w->rate[i];
        struct frame *f = &w->ahead[i];
        enter_body(b, p, w->end_q, end, f);
        const struct origin above = {up->alpha, up->a}, o = origin_motion(b, p, f, above, w->end_q, end);
        const vec3 x = o.x, v = o.v;
        w->drift[i] = (struct motion){x, v};
        const vec3 risen = sub(moment_of(b, f, x), moment_of(b, was, w->place[i]));
        growth.kinetic =
            growth.kinetic + kinetic_of(b, f, f->w, v) - kinetic_of(b, was, rate->alpha, rate->a);
        growth.potential = growth.potential - splat(1 - b->lift) * dot(g, risen);
        add_to_course(args, i, g, momentum_of(b, was, rate->alpha, rate->a), momentum_of(b, f, f->w, v),
                      course);
        if (args->push) growth.pushed = growth.pushed + work_of_push(args, i, f, f->w, v);
    }
    growth = seen_from_within(args, growth, course);
    if (!args->mass_scale) return growth;
    const real heavier = *(const real *)args->mass_scale;
    return (struct growth){growth.kinetic * heavier, growth.potential * heavier, growth.pushed};
}

/* T at the end of the step that energy_growth has looked at last, as it is seen from what moves at a velocity. */
static real kinetic_ahead(const struct sn__args *args, const struct work *w, vec3 velocity) {
    const tree *t = args->tree;
    real sum = splat(0);
    for (int i = 0; i < t->nbody; i++)
        sum = sum + kinetic_of(&t->body[i], &w->ahead[i], w->ahead[i].w, sub(w->drift[i].a, velocity));
    return args->mass_scale ? sum * *(const real *)args->mass_scale : sum;
}

/* What drives and springs may have done: tau = Q - K qdd, within its limit. Of joints that are not limp a quarter of what is done
   either way, at the velocities `swing`, comes on top: what swings an arm to and fro by hundreds of N m does not come out to the
   joule. */
static real work_of_drives(const struct sn__args *args, const struct work *w, const real *Q, const real *K,
                           const real *qdd, const real *swing) {
    const real *limit = args->limit, *kp = args->kp, *forward = args->feedforward, zero = splat(0);
    real sum = zero;
    const real *row = args->row_push ? args->row_tau : 0;
    for (int v = 0; v < ((const tree *)args->tree)->nv; v++) {
        real tau = Q[v] - K[v] * qdd[v];
        if (row) tau = tau - row[v], sum = sum + row[v] * w->end_qd[v];
        if (limit) tau = maximum(minimum(tau, limit[v]), -limit[v]);
        const real work = tau * w->end_qd[v];
        mask driven = less(zero, kp[v]);
        if (forward) driven |= less(zero, absolute(forward[v]));
        sum = sum + maximum(zero, work) + choose(driven, R(0.25) * absolute(tau * swing[v]), zero);
    }
    return step_size(args) * sum;
}

/* Lanes in which the step turns anything far enough to ask, or slides it along a joint. How fast the whole moves on is of no
   account: a body in a train is one at rest. */
static mask turning_lanes(const struct sn__args *args, const real *qdd) {
    const tree *t = args->tree;
    const real h = step_size(args), *qd = args->qd, far = splat(R(0.1));
    real turned = splat(0);
    for (int v = 0; v < t->nv; v++) {
        const real way = h * (qd[v] + h * qdd[v]);
        if (!is_course(t, v)) turned = turned + way * way;
    }
    return less(far * far, turned);
}

/* What contacts and limits may have given: as much as all rises, where the ground is at rest. Recovery from penetration works
   at up to the recovery speed, against any force, and would otherwise be taken for what ground that moves does. */
static real given_by_contacts(const struct sn__args *args, const struct growth *growth) {
    const real work = contacts_work(args);
    return args->ground->gives ? work : minimum(work, maximum(splat(0), growth->potential));
}

/* What a step gains that nobody gave. */
static real energy_won(const struct sn__args *args, struct work *w, const real *Q, const real *K,
                       const real *qdd, struct course *course) {
    const struct growth growth = energy_growth(args, w, qdd, course);
    const real drives = work_of_drives(args, w, Q, K, qdd, w->end_qd);
    return energy_of_growth(&growth) - drives - given_by_contacts(args, &growth);
}

/* J: what lifts all by a millimetre. */
KERNEL real little_energy(const struct sn__args *args) {
    const real little = splat(R(0.08) * R(args->ground->mass));
    return args->mass_scale ? little * *(const real *)args->mass_scale : little;
}

/* Lanes in which more is gained. */
static mask winning_lanes(const struct sn__args *args, struct work *w, const real *Q, const real *K,
                          const real *qdd) {
    const mask turning = turning_lanes(args, qdd);
    struct course course;
    if (!any(turning)) return turning;
    return turning & less(little_energy(args), energy_won(args, w, Q, K, qdd, &course));
}

#endif
