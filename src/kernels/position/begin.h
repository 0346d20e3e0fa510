/* How a position-based step of characters of a world begins: its memory, the past, drives, ground and joint limits as the
 * energies of the pose sought, and the pose that is tried first.
 *
 * The history of a copy is the poses before its present one, the position of a free root relative to where it is now: what
 * accelerations are made of stays small wherever the character is, which float needs (its noise is eps |P| / dt^2). A copy
 * whose state or dt was changed has no history: it is made anew, as if the copy had moved evenly at its velocity. */
#ifndef SINEW_KERNELS_POSITION_BEGIN_H
#define SINEW_KERNELS_POSITION_BEGIN_H

#include "kernels/position/sweep.h"

/* Working memory of a step, in lanes. */
struct stepping {
    struct sn__position_args a;
    struct sn__position_stops stops;
    struct sn__position_touch touch;
    const struct sn__position_step *s;
    struct place *then[SN__POSITION_PAST]; /* [nbody], then[][-1] is the world */
    real *start;                           /* [nq] the present pose, free roots at zero */
    real *x, *trial, *spare;               /* [nq] iterate, where it may go, scratch */
    real *from;                            /* [nq] where a trial sets out, by `way` */
    real *target;                          /* [nq] relative as the poses are */
    real *T;                               /* [nbody][SN__AFFINE] */
    real *g, *delta, *new_g, *new_delta;   /* [nv] */
    real *way;                             /* [nv] */
    real *qd;                              /* [nv] at the end */
    real *force, *kw, *zero; /* [nv] constant force of the drives, what it is made with; zeros */
    mask astray;             /* lanes whose last trial was not taken */
    mask limp;               /* lanes without springs to targets and without given torques */
    mask rough;              /* lanes that have taken this step by the plain scheme */
    struct motion *rate;     /* [nbody] angular velocities, and of origins; rate[-1] is the world */
    vec3 *at;                /* [nbody] origins */
    real *kept;              /* [nprobe][SN__CONTACT_VALUES] records of lanes that are done, */
    int32_t *kept_which;     /* [nprobe][2] their probes and bodies, */
    int nkept;               /* how many */
    real *energy;            /* [1] */
    void *work;
};

/* What a layout depends on. */
struct step_sizes {
    int nbody, nv, nq, nslot, nprobe, nside, past;
};

KERNEL size_t stepping_layout(struct stepping *p, char *memory, struct step_sizes n) {
    const int nbody = n.nbody, nv = n.nv, nq = n.nq, nslot = n.nslot, nprobe = n.nprobe;
    struct position_work unused;
    size_t size = 0;
#define PLACE(field, type, before, count)                                                                    \
    do {                                                                                                     \
        if (memory) (field) = (void *)((type *)(void *)(memory + size) + (before));                          \
        size += sizeof(type) * ((size_t)(before) + (size_t)(count));                                         \
        size = (size + 63) & ~(size_t)63;                                                                    \
    } while (0)
    PLACE(p->work, char, 0, position_layout(&unused, 0, nbody, nv, nslot, 1, 0));
    for (int i = 0; i < n.past; i++)
        PLACE(p->then[i], struct place, 1, nbody);
    real **pose[] = {&p->start, &p->x, &p->trial, &p->spare, &p->target, &p->from};
    for (int i = 0; i < 6; i++)
        PLACE(*pose[i], real, 0, nq);
    real **row[] = {&p->g, &p->delta, &p->new_g, &p->new_delta, &p->qd, &p->force, &p->kw, &p->zero, &p->way};
    for (int i = 0; i < 9; i++)
        PLACE(*row[i], real, 0, nv);
    PLACE(p->T, real, 0, SN__AFFINE * nbody);
    PLACE(p->energy, real, 0, 1);
    PLACE(p->stops.allowed, real, 0, n.nside);
    PLACE(p->touch.anchor, real, 0, 3 * nbody);
    PLACE(p->touch.origin, real, 0, 3 * nbody);
    PLACE(p->touch.start, real, 0, SN__AFFINE * nbody);
    PLACE(p->touch.allowed, real, 0, nprobe);
    PLACE(p->touch.bound, real, 0, nprobe);
    PLACE(p->touch.extra, real, 0, nprobe ? SN__EXTRA_VALUES * nbody : 0);
    PLACE(p->touch.stiffness, real, 0, 1);
    PLACE(p->rate, struct motion, 1, nbody);
    PLACE(p->at, vec3, 1, nbody);
    PLACE(p->kept, real, 0, SN__CONTACT_VALUES * nprobe);
    PLACE(p->kept_which, int32_t, 0, 2 * nprobe);
#undef PLACE
    return size;
}

static size_t step_memory(int nbody, int nv, int nq, int nslot, int nprobe, int nside, int past) {
    struct stepping unused;
    return stepping_layout(&unused, 0, (struct step_sizes){nbody, nv, nq, nslot, nprobe, nside, past});
}

/* ------------------------------------------------------------------------------------------------------ beginning */

/* A pose with its free roots moved by minus `at`, which may be NULL: to zero. */
static void relative_pose(const tree *t, const real *q, const real *at, real *to) {
    for (int k = 0; k < t->nq; k++)
        to[k] = q[k];
    for (int i = 0; i < t->nbody; i++) {
        const int root = t->body[i].q;
        if (!is_free(&t->body[i])) continue;
        for (int k = root; k < root + 3; k++)
            to[k] = at ? q[k] - at[k] : splat(0);
    }
}

/* Poses at constant velocity, in the lanes that have no history. Roots of the lanes that fall freely have come along their
   parabola, so that a scheme of several poses begins with the gravity it goes on with. */
static void restart(struct stepping *p, const real *qd, mask fresh, mask falling) {
    const tree *t = p->a.tree;
    const real dt = position_dt(&p->a);
    const vec3 g = position_gravity(&p->a);
    for (int h = 1; h < p->a.past; h++) {
        real *past = (real *)p->s->past + (size_t)(h - 1) * (size_t)t->nq;
        const real half = R(0.5 * h * h) * dt * dt;
        for (int i = 0; i < t->nbody; i++) {
            real *root = p->spare + t->body[i].q;
            move_joint(&t->body[i], p->start, qd, R(-h) * dt, p->spare);
            if (is_free(&t->body[i]) && any(falling))
                vec_store(root, vec_choose(falling, add_scaled(vec_load(root), g, half), vec_load(root)));
        }
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
        const vec3 at = is_free(b)      ? vec_load(q + b->q)
                        : b->parent < 0 ? vec_zero()
                                        : vec_load((const real *)p->touch.anchor + 3 * b->parent);
        vec_store((real *)p->touch.anchor + 3 * i, at);
    }
    for (int k2 = 0; k2 < g->nprobe; k2++)
        ((real *)p->touch.bound)[k2] = splat(0);
    start_ground(&p->a, p->then[0]);
}

/* Lanes without springs to targets and without given torques: only dampers are left of their drives. */
static mask limp_lanes(const struct stepping *p) {
    const struct sn__args *given = p->s->args;
    const real *kp = given->kp, *kd = given->kd, *forward = given->feedforward, *rate = given->target_qd,
               zero = splat(0);
    mask limp = ~(mask){0};
    if (!p->s->limp) return (mask){0};
    for (int v = 0; v < ((const tree *)p->a.tree)->nv; v++) {
        if (p->s->driven) limp &= not_less(zero, kp[v]);
        if (p->s->driven && rate) limp &= not_less(zero, absolute(kd[v] * rate[v]));
        if (forward) limp &= not_less(zero, absolute(forward[v]));
    }
    return limp;
}

static void begin_step(struct stepping *p, const struct sn__position_step *s, const real *q, const real *qd) {
    const tree *t = s->scheme->tree;
    const struct sn__args *args = s->args;
    *p = (struct stepping){.a = *s->scheme, .s = s};
    const struct step_sizes sizes = {
        t->nbody, t->nv, t->nq, t->nslot, s->ground ? s->ground->nprobe : 0, s->nside, s->scheme->past};
    stepping_layout(p, s->memory, sizes);
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
    for (int v = 0; v < t->nv; v++)
        p->zero[v] = splat(0);
    *(real *)s->unsettled = splat(0);
    const mask fresh = ~less(splat(R(0.5)), *(const real *)s->steady);
    p->limp = limp_lanes(p);
    if (any(fresh)) restart(p, qd, fresh, s->plain ? p->limp : (mask){0});
    gather_past(p);
    take_drives(p, q);
    take_ground(p, q);
    const real dt = position_dt(a);
    for (int i = 0; i < t->nbody; i++)
        move_joint(&t->body[i], p->start, qd, dt, p->x);
}

#endif
