/* How bodies move, as constraint rows ask for it: over the frames that `enter` has left in the working memory. */
#ifndef SINEW_KERNELS_ROW_MOTION_H
#define SINEW_KERNELS_ROW_MOTION_H

#include "kernels/convex.h"

/* Velocity of each origin and angular velocity under joint velocities, at the same pose, into w.motion. */
KERNEL void move_bodies(const struct sn__args *args, struct work *w, const real *qd) {
    const tree *t = args->tree;
    const struct motion rest = {vec_zero(), vec_zero()};
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const struct frame *f = &w->frame[i];
        const struct motion p = b->parent < 0 ? rest : w->motion[b->parent];
        struct motion m = {p.alpha, add_cross(p.a, p.alpha, f->r)};
        unfold(b, f, qd + b->v, &m.alpha, &m.a);
        w->motion[i] = m;
    }
}

static void velocities(const struct sn__args *args, const void *qd, double *o) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    move_bodies(args, &w, qd);
    for (int i = 0; i < t->nbody; i++, o += 6) {
        put_first(o, w.motion[i].a);
        put_first(o + 3, w.motion[i].alpha);
    }
}

/* Implicit contacts and limits answer when rows change velocities by dv, as their dampers did in the solve:
     F -= B J dv,   B where the last sweep went. */
static void yield(const struct sn__args *args, const void *dv) {
    const tree *t = args->tree;
    const struct sn__contacts *c = args->contacts;
    struct work w = work_of(args, 0);
    move_bodies(args, &w, dv);
    for (int k = 0; k < c->count; k++) {
        real *x = contact_at(c, k);
        const real *now = x + SN__NOW;
        const struct motion m = w.motion[c->body[k]];
        const vec3 n = vec_load(x + SN__NORMAL), d = vec_load(now + SN__T_NOW);
        const vec3 du = add_cross(m.a, m.alpha, vec_load(x + SN__POINT));
        const real un = dot(du, n), bt = now[SN__BT_NOW];
        const vec3 ut = add_scaled(du, n, -un);
        const vec3 back = add_scaled(scale(ut, bt), d, (now[SN__ALONG_NOW] - bt) * dot(ut, d));
        vec_store(x + SN__FORCE, sub(vec_load(x + SN__FORCE), add_scaled(back, n, now[SN__BN_NOW] * un)));
    }
    for (int k = 0; k < c->nlimit; k++) {
        real *x = limit_at(c, k), u = splat(0);
        const tree_body *b = &t->body[c->limit_body[k]];
        for (int j = 0; j < JOINT_NV[b->joint]; j++)
            u = u + x[SN__LIMIT_AXIS + j] * ((const real *)dv)[b->v + j];
        x[SN__LIMIT_FORCE] = x[SN__LIMIT_FORCE] - x[SN__LIMIT_NOW] * u;
    }
}

#endif
