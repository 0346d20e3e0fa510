/* A whole position-based step of characters of a world, abreast.
 *
 * Fixed sweeps: as many for every copy, each taken whole. A lane whose joints they leave beyond their limits goes on by Newton's
 * method. Limp characters are solved by Newton's method alone.
 *
 * A scheme of several poses of the past takes what is hit for a part of an even motion: a ball that falls on the ground at v is told
 * to rise by v/2 and v in the next steps. Limp lanes that touch the ground or a limit therefore take such a step again by the
 * plain scheme, that of two poses, and begin a new history after it. */
#ifndef SINEW_KERNELS_POSITION_STEP_H
#define SINEW_KERNELS_POSITION_STEP_H

#include "kernels/position/energy.h"
#include "kernels/position/newton.h"
#include "kernels/position/records.h"

/* A copy has no history, but its velocity was that after an impact. */
#define STEADY_HIT 0.25

/* ------------------------------------------------------------------------------------------------------- solving */

/* Lanes that touch the ground, or a limit, in the pose that was found. */
static mask meeting_lanes(const struct stepping *p) {
    mask meets = (mask){0};
    if (p->a.stops) meets = beyond_stops(&p->stops, p->x, p->zero, splat(0));
    for (int k = 0; p->a.touch && k < p->s->ground->contacts.count; k++) {
        const real *x = contact_at(&p->s->ground->contacts, k);
        meets |= less(splat(0), x[TOUCH_K] * x[TOUCH_DEPTH]);
    }
    return meets;
}

static void use_scheme(struct stepping *p, const struct sn__position_args *scheme) {
    struct sn__position_args *a = &p->a;
    a->C[0][0] = scheme->C[0][0], a->rate[0][0] = scheme->rate[0][0];
    for (int h = 0; h < a->past; h++)
        a->W[0][h] = scheme->W[0][h], a->rate_past[0][h] = scheme->rate_past[0][h];
}

/* The whole step by the plain scheme in the lanes `which`, from the velocity at its start. */
static int solve_plain(struct stepping *p, mask which, const real *qd) {
    const struct sn__position_step *s = p->s;
    const tree *t = p->a.tree;
    const real dt = position_dt(&p->a);
    use_scheme(p, s->plain);
    restart(p, qd, which, (mask){0});
    gather_past(p);
    for (int i = 0; i < t->nbody; i++)
        move_joint(&t->body[i], p->start, qd, dt, p->spare);
    for (int k = 0; k < t->nq; k++)
        p->x[k] = choose(which, p->spare[k], p->x[k]);
    keep_records(p);
    p->touch.begins = 1;
    for (int k = 0; p->a.touch && k < s->ground->nprobe; k++)
        ((real *)p->touch.bound)[k] = splat(0);
    const int passes = newton_rounds(p, which, s->newton ? s->newton : s->late);
    merge_records(p, which);
    use_scheme(p, s->scheme);
    return passes;
}

static int solve_step(struct stepping *p, const real *qd) {
    const struct sn__position_step *s = p->s;
    const real steady = *(const real *)s->steady;
    int passes = 0;
    if (s->plain) p->rough = p->limp & less(splat(R(0.1)), steady) & less(steady, splat(R(0.5)));
    if (any(~p->rough)) passes = s->newton ? newton_rounds(p, ~p->rough, s->newton) : fixed_sweeps(p);
    if (s->plain && any(p->limp)) {
        p->rough |= p->limp & meeting_lanes(p);
        if (any(p->rough)) passes += solve_plain(p, p->rough, qd);
    }
    if (!p->a.stops) return passes;
    mask passed = beyond_stops(&p->stops, p->x, p->zero, splat(R(STOP_SLACK)));
    if (any(passed & ~p->rough) && !s->newton) {
        keep_records(p);
        passes += newton_rounds(p, passed & ~p->rough, s->late);
        merge_records(p, passed & ~p->rough);
        passed = beyond_stops(&p->stops, p->x, p->zero, splat(R(STOP_SLACK)));
    }
    if (any(passed)) hold_stops(&p->stops, passed, p->zero, p->x);
    return passes;
}

/* -------------------------------------------------------------------------------------------------------- the end */

/* The drives' torque in the pose that was found. */
static void position_torque(struct stepping *p, real *tau) {
    const struct sn__position_args *a = &p->a;
    const tree *t = a->tree;
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const int per_axis = a->per_axis && a->per_axis[i], turns = has_rotation(b);
        const int linear = b->nv - 3 * turns;
        for (int k = 0; k < linear; k++) {
            const struct line l = line_of(a, b->q + k, 0);
            tau[b->v + k] = -scalar_drive(a, b->q + k, b->v + k, 0, &l).g;
        }
        if (!turns) continue;
        const struct chart c = chart_of(a, b->q + linear, 0, 0);
        const vec3 g = rotation_drive(a, per_axis, b->q + linear, b->v + linear, 0, 0, &c).g;
        vec_store(tau + b->v + linear, (vec3){-g.x, -g.y, -g.z});
    }
}

/* Velocities and torques of the lanes that the plain scheme has solved. */
static void finish_plain(struct stepping *p) {
    const struct sn__position_step *s = p->s;
    const int nv = ((const tree *)p->a.tree)->nv;
    real *tau = s->args->torque;
    use_scheme(p, s->plain);
    velocity(&p->a, 0, p->way);
    for (int v = 0; v < nv; v++)
        p->qd[v] = choose(p->rough, p->way[v], p->qd[v]);
    if (tau) position_torque(p, p->way);
    for (int v = 0; tau && v < nv; v++)
        tau[v] = choose(p->rough, p->way[v], tau[v]);
    use_scheme(p, s->scheme);
}

/* Velocities, history and state; a copy that would be beyond all bounds is frozen as it was before the step. */
static void finish_step(struct stepping *p, real *q, real *qd, real *qdd) {
    const struct sn__position_step *s = p->s;
    const tree *t = p->a.tree;
    const real ih = R(1) / position_dt(&p->a), one = splat(1);
    real *frozen = s->args->frozen;
    p->a.q[0] = p->x;
    velocity(&p->a, 0, p->qd);
    if (s->args->torque) position_torque(p, s->args->torque);
    if (any(p->rough)) finish_plain(p);
    const mask anew = give_back(p, p->start, qd, p->x, p->qd) | p->rough, hit = p->rough & meeting_lanes(p);
    mask bad = less(splat(0), *frozen);
    for (int v = 0; v < t->nv; v++)
        bad |= not_less(absolute(p->qd[v]), splat(R(SN__MOST_SPEED)));
    for (int k = 0; k < t->nq; k++)
        bad |= not_less(absolute(p->x[k]), splat(R(SN__MOST_VALUE)));
    *frozen = choose(bad, one, splat(0));
    if (p->a.touch) remember_touches(&p->a, bad);
    for (int v = 0; v < t->nv; v++) {
        qdd[v] = choose(bad, splat(0), (p->qd[v] - qd[v]) * ih);
        qd[v] = choose(bad, qd[v], p->qd[v]);
    }
    for (int h = p->a.past - 1; h >= 1; h--) { /* the pose before, relative to where the root is now */
        real *past = (real *)s->past + (size_t)(h - 1) * (size_t)t->nq;
        relative_pose(t, p->a.past_q[h - 1], p->x, p->spare);
        for (int k = 0; k < t->nq; k++)
            past[k] = choose(bad, past[k], p->spare[k]);
    }
    for (int i = 0; i < t->nbody; i++) {
        const int root = t->body[i].q;
        if (!is_free(&t->body[i])) continue;
        for (int k = root; k < root + 3; k++)
            p->x[k] = q[k] + p->x[k];
    }
    for (int k = 0; k < t->nq; k++)
        q[k] = choose(bad, q[k], p->x[k]);
    const real next = choose(hit, splat(R(STEADY_HIT)), choose(anew, splat(0), one));
    *(real *)s->steady = choose(bad, *(const real *)s->steady, next);
}

static int step_position(const struct sn__position_step *s, void *q, void *qd, void *qdd) {
    struct stepping p;
    begin_step(&p, s, q, qd);
    const int sweeps = solve_step(&p, qd);
    finish_step(&p, q, qd, qdd);
    return sweeps;
}

#endif
