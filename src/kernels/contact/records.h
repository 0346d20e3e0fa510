/* Where the records of contacts and joint limits are: by body, with the bodies between them and the root marked. Each
 * record also keeps the part of its velocity that a solve does not change. */
#ifndef SINEW_KERNELS_CONTACT_RECORDS_H
#define SINEW_KERNELS_CONTACT_RECORDS_H

#include "kernels/contact/sweep.h"

KERNEL void put_first(double *o, vec3 v) {
    o[0] = first_lane(v.x), o[1] = first_lane(v.y), o[2] = first_lane(v.z);
}

/* Where every body is, in work.place, and how it moves, in work.rate. */
static void enter_moving(const struct sn__args *args, struct work *w) {
    const tree *t = args->tree;
    enter_all(t, args->q, args->qd, w);
    w->rate[-1] = (struct motion){vec_zero(), vec_zero()};
    w->place[-1] = vec_zero();
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const struct frame *f = &w->frame[i];
        const struct origin up = {w->place[b->parent], w->rate[b->parent].a};
        const struct origin o = origin_motion(b, &w->frame[b->parent], f, up, args->q, args->qd);
        w->place[i] = o.x, w->rate[i].a = o.v;
        w->rate[i].alpha = f->w;
    }
}

/* The same for worlds. */
static void enter(const struct sn__args *args, double *o) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    enter_moving(args, &w);
    for (int i = 0; i < t->nbody; i++, o += SN__PLACE) {
        const struct frame *f = &w.frame[i];
        const vec3 x = w.place[i], v = w.rate[i].a;
        put_first(o, x);
        put_first(o + 3, (vec3){f->R.xx, f->R.xy, f->R.xz});
        put_first(o + 6, (vec3){f->R.yx, f->R.yy, f->R.yz});
        put_first(o + 9, (vec3){f->R.zx, f->R.zy, f->R.zz});
        put_first(o + 12, v);
        put_first(o + 15, f->w);
    }
}

/* Where the entries of each body begin in an ascending list of bodies. */
static void index_bodies(int nbody, int n, const int32_t *body, int32_t *first) {
    int k = 0;
    for (int i = 0; i < nbody; i++) {
        first[i] = k;
        while (k < n && body[k] == i)
            k++;
    }
    first[nbody] = k;
}

/* A body, and all between it and the root, change from sweep to sweep. */
KERNEL void make_hot(const tree *t, const struct touching set, int i) {
    for (; i >= 0 && !set.hot[i]; i = t->body[i].parent)
        set.hot[i] = 1;
}

/* Marks the same bodies for the next sweep. */
KERNEL void make_dirty(const tree *t, const struct touching set, int i) {
    for (; i >= 0 && !set.dirty[i]; i = t->body[i].parent)
        set.dirty[i] = 1;
}

/* Whether a record is near in no lane that is not settled. */
KERNEL int idle(real B, mask settled) {
    return !any(less(splat(0), B) & ~settled);
}

/* What of u does not depend on the solve, over frames whose c and d may have changed:
     s = J qd - wanted - dt (a0 + alpha0 x r),   a0, alpha0 the accelerations at qdd = 0. */
static void rest_contacts(const struct sn__args *args, struct work *w) {
    const tree *t = args->tree;
    const struct sn__contacts *c = args->contacts;
    const struct touching set = touching_of(t, w);
    const real dt = step_size(args);
    if (!c->count && !c->nbrace) return;
    w->bias[-1] = w->motion[-1];
    for (int i = 0; i < t->nbody; i++) {
        if (!set.hot[i]) continue;
        const struct frame *f = &w->frame[i];
        const struct motion p = w->bias[t->body[i].parent];
        const struct motion m = {add(p.alpha, f->c), add_cross(add(p.a, f->d), p.alpha, f->r)};
        w->bias[i] = m;
        if (has_braces(c, i)) rest_braces(c, i, w, m, dt);
        for (int k = w->first[i]; k < w->first[i + 1]; k++) {
            real *x = contact_at(c, k);
            const vec3 r = vec_load(x + SN__POINT), v = add_cross(w->rate[i].a, w->rate[i].alpha, r);
            const vec3 a0 = add_cross(m.a, m.alpha, r);
            vec_store(x + SN__REST, add_scaled(sub(v, vec_load(x + SN__WANTED)), a0, -dt));
        }
    }
}

/* u of a joint limit at the accelerations qdd. */
KERNEL real limit_velocity(const struct sn__args *args, int k, const real *qdd) {
    const struct sn__contacts *c = args->contacts;
    const tree_body *b = &((const tree *)args->tree)->body[c->limit_body[k]];
    const real *x = limit_at(c, k), *qd = args->qd, dt = step_size(args);
    real u = -x[SN__LIMIT_WANTED];
    for (int j = 0; j < b->nv; j++)
        u = u + x[SN__LIMIT_AXIS + j] * (qd[b->v + j] + dt * qdd[b->v + j]);
    return u;
}

/* u at the accelerations qdd, in some lanes: for records that came late. Forces of those are zero. */
static void enter_late(const struct sn__args *args, struct work *w, mask which, const real *qdd) {
    const tree *t = args->tree;
    const struct sn__contacts *c = args->contacts;
    const struct touching set = touching_of(t, w);
    const real dt = step_size(args);
    for (int i = 0; i < t->nbody && c->count; i++) {
        if (!set.hot[i]) continue;
        const struct frame *f = &w->frame[i];
        const struct motion p = w->motion[t->body[i].parent];
        struct motion m = {add(p.alpha, f->c), add_cross(add(p.a, f->d), p.alpha, f->r)};
        unfold(&t->body[i], f, qdd + t->body[i].v, &m.alpha, &m.a);
        w->motion[i] = m;
        for (int k = w->first[i]; k < w->first[i + 1]; k++) {
            real *x = contact_at(c, k);
            const vec3 a = add_cross(m.a, m.alpha, vec_load(x + SN__POINT));
            const vec3 u = add_scaled(vec_load(x + SN__REST), a, dt);
            vec_store(x + SN__U, vec_choose(which, u, vec_load(x + SN__U)));
        }
    }
    for (int k = 0; k < c->nlimit; k++) {
        real *x = limit_at(c, k);
        const real u = limit_velocity(args, k, qdd);
        x[SN__LIMIT_U] = choose(which, u, x[SN__LIMIT_U]);
    }
}

/* Lanes that were settled go on: what sweeps have left of them since is of no account. */
KERNEL void make_all_dirty(const tree *t, const struct work *w) {
    const struct touching set = touching_of(t, w);
    for (int i = 0; i < t->nbody; i++)
        set.dirty[i] |= set.hot[i];
}

KERNEL int any_dirty(const tree *t, const struct work *w) {
    const struct touching set = touching_of(t, w);
    int dirty = 0;
    for (int i = 0; i < t->nbody; i++)
        dirty |= set.dirty[i];
    return dirty;
}

/* Finds the records of each body, and marks the bodies between them and the root. */
static void index_contacts(const struct sn__args *args, struct work *w) {
    const tree *t = args->tree;
    const struct sn__contacts *c = args->contacts;
    const struct touching set = touching_of(t, w);
    index_bodies(t->nbody, c->count, c->body, w->first);
    index_bodies(t->nbody, c->nlimit, c->limit_body, w->first_limit);
    for (int i = 0; i < t->nbody; i++) {
        set.joint[i] |= w->first_limit[i] < w->first_limit[i + 1];
        if (set.joint[i] || w->first[i] < w->first[i + 1] || has_braces(c, i)) make_hot(t, set, i);
    }
    make_all_dirty(t, w);
}

static void prepare_contacts(const struct sn__args *args, struct work *w) {
    const tree *t = args->tree;
    const struct touching set = touching_of(t, w);
    for (int i = 0; i < t->nbody; i++)
        w->near[i] = (mask){0}, set.joint[i] = set.hot[i] = set.driven[i] = set.dirty[i] = 0;
    index_contacts(args, w);
    rest_contacts(args, w);
}

#endif
