/* A whole position-based step of characters of a world, abreast.
 *
 * The history of a copy is the poses before its present one, the position of a free root relative to where it is now: what
 * accelerations are made of stays small wherever the character is, which float needs (its noise is eps |P| / dt^2). A copy
 * whose state or dt was changed has no history: it is made anew, as if the copy had moved evenly at its velocity.
 *
 * Fixed sweeps: as many for every copy, each taken whole. Newton's method: a lane goes on until its gradient is small; each pass
 * is a sweep at a trial pose, which a lane takes or, where its energy would not fall, halves its step for. Lanes never wait for
 * each other's decisions and those that are done stay where they are, so that no bit depends on a neighbour. */
#ifndef SINEW_KERNELS_POSITION_STEP_H
#define SINEW_KERNELS_POSITION_STEP_H

#include "kernels/position_sweep.h"

/* Working memory of a step, in lanes. */
struct stepping {
    struct sn__position_args a;
    struct sn__position_stops stops;
    struct sn__position_touch touch;
    const struct sn__position_step *s;
    struct place *then[SN__POSITION_PAST]; /* [nbody], then[][-1] is the world */
    real *start;                           /* [nq] the present pose, free roots at zero */
    real *x, *trial, *spare;               /* [nq] iterate, where it may go, scratch */
    real *target;                          /* [nq] relative as the poses are */
    real *T;                               /* [nbody][SN__AFFINE] */
    real *g, *delta, *new_g, *new_delta;   /* [nv] */
    real *qd;                              /* [nv] at the end */
    real *force, *kw, *zero;               /* [nv] constant force of the drives, what it is made with */
    mask astray;                           /* lanes whose last trial was not taken */
    real *energy;                          /* [1] */
    void *work;
};

KERNEL size_t stepping_layout(struct stepping *p, char *memory, int nbody, int nv, int nq, int nslot,
                              int nprobe, int nside, int past) {
    struct position_work unused;
    size_t size = 0;
#define PLACE(field, type, before, count)                                                                    \
    do {                                                                                                     \
        if (memory) (field) = (void *)((type *)(void *)(memory + size) + (before));                          \
        size += sizeof(type) * ((size_t)(before) + (size_t)(count));                                         \
        size = (size + 63) & ~(size_t)63;                                                                    \
    } while (0)
    PLACE(p->work, char, 0, position_layout(&unused, 0, nbody, nv, nslot, 1, 0));
    for (int i = 0; i < past; i++)
        PLACE(p->then[i], struct place, 1, nbody);
    real **pose[] = {&p->start, &p->x, &p->trial, &p->spare, &p->target};
    for (int i = 0; i < 5; i++)
        PLACE(*pose[i], real, 0, nq);
    real **row[] = {&p->g, &p->delta, &p->new_g, &p->new_delta, &p->qd, &p->force, &p->kw, &p->zero};
    for (int i = 0; i < 8; i++)
        PLACE(*row[i], real, 0, nv);
    PLACE(p->T, real, 0, SN__AFFINE * nbody);
    PLACE(p->energy, real, 0, 1);
    PLACE(p->stops.allowed, real, 0, nside);
    PLACE(p->touch.anchor, real, 0, 3 * nbody);
    PLACE(p->touch.origin, real, 0, 3 * nbody);
    PLACE(p->touch.start, real, 0, SN__AFFINE * nbody);
    PLACE(p->touch.allowed, real, 0, nprobe);
    PLACE(p->touch.bound, real, 0, nprobe);
    PLACE(p->touch.expected, real, 0, nprobe);
    PLACE(p->touch.extra, real, 0, nprobe ? SN__EXTRA_VALUES * nbody : 0);
    PLACE(p->touch.stiffness, real, 0, 1);
#undef PLACE
    return size;
}

static size_t step_memory(int nbody, int nv, int nq, int nslot, int nprobe, int nside, int past) {
    struct stepping unused;
    return stepping_layout(&unused, 0, nbody, nv, nq, nslot, nprobe, nside, past);
}

/* ------------------------------------------------------------------------------------------------------ beginning */

/* A pose with its free roots moved by minus `at`, which may be NULL: to zero. */
static void relative_pose(const tree *t, const real *q, const real *at, real *to) {
    for (int k = 0; k < t->nq; k++)
        to[k] = q[k];
    for (int i = 0; i < t->nbody; i++) {
        const int root = t->body[i].q;
        if (t->body[i].joint != SN__JOINT_FREE) continue;
        for (int k = root; k < root + 3; k++)
            to[k] = at ? q[k] - at[k] : splat(0);
    }
}

/* Poses at constant velocity, in the lanes that have no history. */
static void restart(struct stepping *p, const real *qd, mask fresh) {
    const tree *t = p->a.tree;
    const real dt = position_dt(&p->a);
    for (int h = 1; h < p->a.past; h++) {
        real *past = (real *)p->s->past + (size_t)(h - 1) * (size_t)t->nq;
        for (int i = 0; i < t->nbody; i++)
            move_joint(&t->body[i], p->start, qd, R(-h) * dt, p->spare);
        for (int k = 0; k < t->nq; k++)
            past[k] = choose(fresh, p->spare[k], past[k]);
    }
}

/* T = sum_h W_h P_h. The places of the start are left in then[0]. */
static void gather_past(struct stepping *p) {
    const struct sn__position_args *a = &p->a;
    const tree *t = a->tree;
    for (int h = 0; h < a->past; h++)
        p->then[h][-1] = world_place(vec_zero());
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        mat3 T;
        vec3 x = vec_zero();
        for (int h = 0; h < a->past; h++) {
            struct place *f = &p->then[h][i];
            const real weight = splat(R(a->W[0][h]));
            place_body(b, &p->then[h][b->parent], a->past_q[h], f);
            T = h ? mat_add(T, mat_scale(f->R, weight)) : mat_scale(f->R, weight);
            if (moves_origin(b)) x = add_scaled(x, f->x, weight);
        }
        mat_store(p->T + SN__AFFINE * i, T);
        vec_store(p->T + SN__AFFINE * i + 9, x);
    }
}

/* The drives as energies of the pose sought. What a form takes from the start of the step is a given force, what it takes from
   its end is a spring or a damper:

       form         force                    energy
       explicit     -kp e - kd (qd - qd*)
       implicit D   -kp e                    kd h/2 |rate - qd*|^2
       stable       -kp (e + h qd)           likewise
       full                                  likewise, and kp/2 |e|^2 at the end */
static void take_drives(struct stepping *p, const real *q) {
    const struct sn__position_step *s = p->s;
    const struct sn__args *given = s->args;
    struct sn__position_args *a = &p->a;
    const tree *t = a->tree;
    a->feedforward = given->feedforward;
    a->limit = given->limit;
    if (!s->driven) return;
    if (!s->explicit_drive) {
        relative_pose(t, given->target_q, q, p->target);
        a->target_q[0] = p->target;
        a->target_qd[0] = given->target_qd;
        a->kp = given->kp, a->kd = given->kd;
    }
    if (s->end_spring) return;
    struct sn__args args = *given;
    const real dt = position_dt(a);
    for (int v = 0; v < t->nv; v++) {
        p->zero[v] = splat(0);
        p->kw[v] = s->explicit_drive ? ((const real *)given->kd)[v]
                   : s->ahead        ? dt * ((const real *)given->kp)[v]
                                     : splat(0);
    }
    args.kw = p->kw, args.spring = 0;
    if (!s->explicit_drive) args.target_qd = 0;
    drive_all(&args, p->force);
    a->feedforward = p->force;
    a->kp = p->zero;
}

static void take_ground(struct stepping *p, const real *q) {
    const struct sn__position_step *s = p->s;
    struct sn__ground *g = s->ground;
    const tree *t = p->a.tree;
    if (!g) return;
    g->contacts.count = g->contacts.nlimit = 0;
    if (g->nstops) {
        p->stops.args = s->args, p->stops.ground = g;
        p->a.stops = &p->stops;
        p->a.wide = s->wide;
        start_stops(&p->stops, q);
    }
    if (!g->nprobed) return;
    const real dt = position_dt(&p->a);
    const real recovery = maximum(splat(R(g->recovery)), R(2) * dt);
    real k = g->compliance > 0 ? recovery * R(1 / g->compliance) / dt : R(100 * g->mass) / (dt * dt);
    if (p->a.mass_scale && !(g->compliance > 0)) k = k * *(const real *)p->a.mass_scale;
    *(real *)p->touch.stiffness = k;
    p->touch.ground = g;
    p->touch.friction = s->args->friction;
    p->touch.begins = 1;
    p->a.touch = &p->touch;
    p->a.nextra = s->nextra, p->a.extra_body = s->extra_body, p->a.extra[0] = p->touch.extra;
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const vec3 at = b->joint == SN__JOINT_FREE ? vec_load(q + b->q)
                        : b->parent < 0            ? vec_zero()
                                                   : vec_load((const real *)p->touch.anchor + 3 * b->parent);
        vec_store((real *)p->touch.anchor + 3 * i, at);
    }
    for (int k2 = 0; k2 < g->nprobe; k2++)
        ((real *)p->touch.bound)[k2] = ((real *)p->touch.expected)[k2] = splat(0);
    start_ground(&p->a, p->then[0]);
}

static void begin_step(struct stepping *p, const struct sn__position_step *s, const real *q, const real *qd) {
    const tree *t = s->scheme->tree;
    const struct sn__args *args = s->args;
    *p = (struct stepping){.a = *s->scheme, .s = s};
    stepping_layout(p, s->memory, t->nbody, t->nv, t->nq, t->nslot, s->ground ? s->ground->nprobe : 0,
                    s->nside, s->scheme->past);
    struct sn__position_args *a = &p->a;
    a->work = p->work;
    a->damping = s->damping, a->armature = s->armature;
    a->push = args->push;
    a->per_axis = args->per_axis;
    a->mass_scale = args->mass_scale, a->own_gravity = args->own_gravity, a->own_dt = args->own_dt;
    a->T[0] = p->T;
    relative_pose(t, q, 0, p->start);
    a->past_q[0] = p->start;
    for (int h = 1; h < a->past; h++)
        a->past_q[h] = (real *)s->past + (size_t)(h - 1) * (size_t)t->nq;
    const mask fresh = ~less(splat(R(0.5)), *(const real *)s->steady);
    if (any(fresh)) restart(p, qd, fresh);
    gather_past(p);
    take_drives(p, q);
    take_ground(p, q);
    const real dt = position_dt(a);
    for (int i = 0; i < t->nbody; i++)
        move_joint(&t->body[i], p->start, qd, dt, p->x);
}

/* ------------------------------------------------------------------------------------------------------- solving */

static void sweep_at(struct stepping *p, real *x, real *g, real *delta, real *energy) {
    p->a.q[0] = x, p->a.g[0] = g, p->a.delta[0] = delta;
    p->a.energy = energy;
    sweep_position(&p->a, p->s->hessian);
}

static const struct motion *motions_of(const struct stepping *p) {
    return position_work_of(&p->a, 0).motion;
}

static int fixed_sweeps(struct stepping *p) {
    const tree *t = p->a.tree;
    for (int n = 0; n < p->s->sweeps; n++) {
        sweep_at(p, p->x, p->g, p->delta, 0);
        if (p->a.touch) settle_touches(&p->a, motions_of(p), 1);
        p->touch.begins = 0;
        for (int i = 0; i < t->nbody; i++)
            move_joint(&t->body[i], p->x, p->delta, splat(1), p->x);
    }
    return p->s->sweeps;
}

/* What decides in each lane. */
struct step_look {
    real energy, square, residual, slope, move;
};

static struct step_look step_look_at(const struct stepping *p, const real *g, const real *delta) {
    struct step_look l = {*p->energy, splat(0), splat(0), splat(0), splat(0)};
    for (int v = 0; v < ((const tree *)p->a.tree)->nv; v++) {
        l.square = l.square + g[v] * g[v];
        l.slope = l.slope + g[v] * delta[v];
        l.residual =
            choose(not_less(l.residual, absolute(g[v])), l.residual, absolute(g[v])); /* a NaN stays */
        l.move = choose(not_less(l.move, absolute(delta[v])), l.move, absolute(delta[v]));
    }
    return l;
}

KERNEL struct step_look step_look_choose(mask m, struct step_look a, struct step_look b) {
    return (struct step_look){choose(m, a.energy, b.energy), choose(m, a.square, b.square),
                              choose(m, a.residual, b.residual), choose(m, a.slope, b.slope),
                              choose(m, a.move, b.move)};
}

#if LANE_BITS == 64
#define POSITION_EPS R(0x1p-52)
#define POSITION_NOWHERE R(2e-11) /* m, rad: below it a search may end */
#else
#define POSITION_EPS R(0x1p-23)
#define POSITION_NOWHERE R(4e-6)
#endif

/* The energy falls by a part of what its slope promises; or that promise is near the energy's noise, and the gradient falls. */
static mask acceptable(struct step_look old, struct step_look new, real s) {
    const real promise = absolute(old.slope) * s, size = absolute(old.energy) + absolute(new.energy);
    const mask falls = not_less(old.energy + R(1e-4) * s * old.slope, new.energy);
    const mask noise = not_less(R(1e4) * POSITION_EPS * size, promise) & not_less(old.square, new.square);
    const mask small =
        not_less(R(1e8) * POSITION_EPS * size, promise) & not_less(R(0.25) * old.square, new.square);
    const mask finite = less(new.square, splat(LANE_BITS == 64 ? R(1e300) : R(1e36))) &
                        less(absolute(new.energy), splat(LANE_BITS == 64 ? R(1e300) : R(1e36)));
    return finite & (falls | noise | small);
}

/* Nothing is left to gain: the tolerance is met, or what is left to go is rounding of the poses. */
static mask arrived(const struct stepping *p, struct step_look l) {
    return less(l.residual, splat(R(p->s->tolerance * p->s->force_scale))) |
           less(l.move, splat(R(32) * POSITION_EPS));
}

static mask stuck(struct step_look old, struct step_look new) {
    return less(new.move, splat(POSITION_NOWHERE)) & less(R(0.25) * old.square, new.square);
}

enum { EXACT_FROM = 3 }; /* passes before: friction's secant, which is safer far from the minimum */

/* One minimum: bounds of friction are held. Leaves the lanes that have found it. */
static mask newton(struct stepping *p, mask done, int *passes) {
    const tree *t = p->a.tree;
    const real one = splat(1);
    const int by_bodies = !p->a.target_q[0];
    real s = one;
    mask given_up = (mask){0}, again = given_up,
         again_before = again; /* lanes that sweep once more where they are; that have */
    if (p->a.touch) forget_expected(&p->a, ~(mask){0});
    p->touch.exact = 0;
    p->astray = (mask){0};
    sweep_at(p, p->x, p->g, p->delta, p->energy);
    struct step_look now = step_look_at(p, p->g, p->delta);
    done |= arrived(p, now);
    for (int n = 1; n < p->s->newton && any(~done); n++) {
        ++*passes;
        if (by_bodies)
            move_bodies(t, p->a.work, p->x, p->delta, &s, p->trial);
        else
            move(t, p->x, p->delta, &s, p->trial);
        for (int k = 0; k < t->nq; k++)
            p->trial[k] = choose(done | again, p->x[k], p->trial[k]);
        p->touch.exact = n >= EXACT_FROM;
        sweep_at(p, p->trial, p->new_g, p->new_delta, p->energy);
        const struct step_look next = step_look_at(p, p->new_g, p->new_delta);
        const mask taken = ~done & (again | acceptable(now, next, s)), refused = ~done & ~taken;
        p->astray = refused;
        const mask over = (taken & ~again & (arrived(p, next) | stuck(now, next))) |
                          (refused & stuck(now, now) & stuck(now, next));
        for (int k = 0; k < t->nq; k++)
            p->x[k] = choose(taken, p->trial[k], p->x[k]);
        for (int v = 0; v < t->nv; v++)
            p->delta[v] = choose(taken, p->new_delta[v], p->delta[v]);
        now = step_look_choose(taken, next, now);
        s = choose(taken, one, R(0.5) * s);
        done |= over;
        given_up |= ~done & less(s, splat(R(1e-9)));
        done |= given_up;
        if (p->a.touch) { /* a step that is refused for the first time: with what it ran into in mind */
            const mask moved = taken & ~again;
            if (any(again_before & moved)) forget_expected(&p->a, again_before & moved);
            again_before = (again_before | again) & ~moved;
            again = refused & ~done & ~again_before;
            if (any(again)) expect_touches(&p->a, again);
        }
    }
    return done & ~given_up;
}

/* Bounds of friction follow the normal force from round to round. */
static int newton_rounds(struct stepping *p) {
    const int rounds = p->a.touch ? p->s->rounds : 1;
    int passes = 1;
    mask done = (mask){0};
    for (int n = 0; n < rounds; n++) {
        done = newton(p, (mask){0}, &passes);
        if (!p->a.touch) break;
        if (any(p->astray)) sweep_at(p, p->x, p->g, p->delta, p->energy); /* records of where it ended */
        settle_touches(&p->a, motions_of(p), 0);
        p->touch.begins = 0;
    }
    *(real *)p->s->unsettled = choose(done, splat(0), splat(1));
    return passes;
}

/* -------------------------------------------------------------------------------------------------------- the end */

/* The drives' torque in the pose that was found. */
static void position_torque(struct stepping *p, real *tau) {
    const struct sn__position_args *a = &p->a;
    const tree *t = a->tree;
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const int per_axis = a->per_axis && a->per_axis[i],
                  turns = b->joint == SN__JOINT_BALL || b->joint == SN__JOINT_FREE;
        const int linear = JOINT_NV[b->joint] - 3 * turns;
        for (int k = 0; k < linear; k++) {
            const struct line l = line_of(a, b->q + k, 0);
            real g, K, E;
            scalar_drive(a, b->q + k, b->v + k, 0, &l, &g, &K, &E);
            tau[b->v + k] = -g;
        }
        if (!turns) continue;
        const struct chart c = chart_of(a, b->q + linear, 0, 0);
        vec3 g;
        sym3 K;
        real E;
        rotation_drive(a, per_axis, b->q + linear, b->v + linear, 0, 0, &c, &g, &K, &E);
        vec_store(tau + b->v + linear, (vec3){-g.x, -g.y, -g.z});
    }
}

/* Velocities, history and state; a copy that would be beyond all bounds is frozen as it was before the step. */
static void finish_step(struct stepping *p, real *q, real *qd, real *qdd) {
    const struct sn__position_step *s = p->s;
    const tree *t = p->a.tree;
    const real ih = R(1) / position_dt(&p->a), one = splat(1);
    real *frozen = s->args->frozen;
    p->a.q[0] = p->x;
    velocity(&p->a, 0, p->qd);
    mask bad = less(splat(0), *frozen);
    for (int v = 0; v < t->nv; v++)
        bad |= not_less(absolute(p->qd[v]), splat(R(SN__MOST_SPEED)));
    for (int k = 0; k < t->nq; k++)
        bad |= not_less(absolute(p->x[k]), splat(R(SN__MOST_VALUE)));
    *frozen = choose(bad, one, splat(0));
    if (s->args->torque) position_torque(p, s->args->torque);
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
        if (t->body[i].joint != SN__JOINT_FREE) continue;
        for (int k = root; k < root + 3; k++)
            p->x[k] = q[k] + p->x[k];
    }
    for (int k = 0; k < t->nq; k++)
        q[k] = choose(bad, q[k], p->x[k]);
    *(real *)s->steady = choose(bad, *(const real *)s->steady, one);
}

static int step_position(const struct sn__position_step *s, void *q, void *qd, void *qdd) {
    struct stepping p;
    begin_step(&p, s, q, qd);
    const int sweeps = s->newton ? newton_rounds(&p) : fixed_sweeps(&p);
    finish_step(&p, q, qd, qdd);
    return sweeps;
}

#endif
