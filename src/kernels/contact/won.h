/* What energy a step would gain that nothing gave it.
 *
 * Velocity products at the middle of a step keep energy as long as the pose says about the same of the inertia at both of
 * its ends. Where an impact, or its own speed, turns a limp limb by half a radian in one step, that is no longer so:
 *
 *     won = T(q+, v+) + V(q+) - T(q, v) - V(q) - given,      v+ = v + h qdd,   q+ = q (+) h v+
 *
 * is computed at the end itself. `given` is the work that drives, pushes, contacts and joint limits may have done, each
 * counted only where it is positive. Ground at rest gives at most the work of lifting what has sunk into it. Forces of
 * rows pass energy from one body to another: their work counts as a whole, with its sign. guard.h damps the joints of a
 * character that gains energy. */
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

/* Writes the end of a step with the accelerations qdd into end_q and end_qd. Balls are taken back to their limits, as
   stops.h does at the end of a step: a limb that is moved at the same velocity has another energy. */
static void move_to_end(const struct sn__args *args, struct work *w, const real *qdd) {
    const tree *t = args->tree;
    const real h = step_size(args), *qd = args->qd;
    for (int v = 0; v < t->nv; v++)
        w->end_qd[v] = qd[v] + h * qdd[v];
    for (int i = 0; i < t->nbody; i++)
        move_joint(&t->body[i], args->q, w->end_qd, h, w->end_q);
    if (args->ground) hold_balls(args, args->ground, w->end_q, w->end_qd);
}

/* T and V at the end of a step, less those at its start, and what pushes do. */
struct growth {
    real kinetic, potential, pushed;
};

KERNEL real energy_of_growth(const struct growth *growth) {
    return growth->kinetic + growth->potential - growth->pushed;
}

/* Of a step with the accelerations qdd. Frames, place and rate are those of enter_moving, except for velocities in frames. */
static struct growth energy_growth(const struct sn__args *args, struct work *w, const real *qdd) {
    const tree *t = args->tree;
    const vec3 g = gravity_of(args);
    const real *end = w->end_qd;
    struct growth growth = {splat(0), splat(0), splat(0)};
    move_to_end(args, w, qdd);
    w->ahead[-1] = w->frame[-1];
    w->drift[-1] = (struct motion){vec_zero(), vec_zero()};
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const struct frame *p = &w->ahead[b->parent];
        const struct motion *up = &w->drift[b->parent];
        struct frame *f = &w->ahead[i];
        enter_body(b, p, w->end_q, end, f);
        const struct origin above = {up->alpha, up->a}, o = origin_motion(b, p, f, above, w->end_q, end);
        const vec3 x = o.x, v = o.v;
        w->drift[i] = (struct motion){x, v};
        const vec3 risen = sub(moment_of(b, f, x), moment_of(b, &w->frame[i], w->place[i]));
        growth.kinetic = growth.kinetic + kinetic_of(b, f, f->w, v) -
                         kinetic_of(b, &w->frame[i], w->rate[i].alpha, w->rate[i].a);
        growth.potential = growth.potential - splat(1 - b->lift) * dot(g, risen);
        if (args->push) growth.pushed = growth.pushed + work_of_push(args, i, f, f->w, v);
    }
    if (!args->mass_scale) return growth;
    const real heavier = *(const real *)args->mass_scale;
    return (struct growth){growth.kinetic * heavier, growth.potential * heavier, growth.pushed};
}

/* T at the end of the step that energy_growth has looked at last. */
static real kinetic_ahead(const struct sn__args *args, const struct work *w) {
    const tree *t = args->tree;
    real sum = splat(0);
    for (int i = 0; i < t->nbody; i++)
        sum = sum + kinetic_of(&t->body[i], &w->ahead[i], w->ahead[i].w, w->drift[i].a);
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

/* Lanes in which the step turns anything far enough to ask. */
static mask turning_lanes(const struct sn__args *args, const real *qdd) {
    const real h = step_size(args), *qd = args->qd, far = splat(R(0.1));
    real turned = splat(0);
    for (int v = 0; v < ((const tree *)args->tree)->nv; v++) {
        const real way = h * (qd[v] + h * qdd[v]);
        turned = turned + way * way;
    }
    return less(far * far, turned);
}

/* What contacts and limits may have given. Recovery from penetration works at up to the recovery speed, against any force: where
   the ground is at rest, contacts give as much as lifts all, and no more. */
static real given_by_contacts(const struct sn__args *args, const struct growth *growth) {
    const real all = contacts_work(args), limits = limits_work(args);
    if (args->ground->gives) return all;
    return limits + minimum(all - limits, maximum(splat(0), growth->potential));
}

/* What a step gains that nobody gave. */
static real energy_won(const struct sn__args *args, struct work *w, const real *Q, const real *K,
                       const real *qdd) {
    const struct growth growth = energy_growth(args, w, qdd);
    const real drives = work_of_drives(args, w, Q, K, qdd, w->end_qd);
    return energy_of_growth(&growth) - drives - given_by_contacts(args, &growth);
}

/* Lanes in which more is gained than lifts all by a millimetre. */
static mask winning_lanes(const struct sn__args *args, struct work *w, const real *Q, const real *K,
                          const real *qdd) {
    const mask turning = turning_lanes(args, qdd);
    if (!any(turning)) return turning;
    real most = splat(R(0.08) * R(args->ground->mass));
    if (args->mass_scale) most = most * *(const real *)args->mass_scale;
    return turning & less(most, energy_won(args, w, Q, K, qdd));
}

#endif
