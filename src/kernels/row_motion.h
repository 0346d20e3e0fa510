/* How bodies move, as constraint rows ask for it: over the frames that `enter` has left in the working memory. */
#ifndef SINEW_KERNELS_ROW_MOTION_H
#define SINEW_KERNELS_ROW_MOTION_H

#include "kernels/contact.h"

/* Velocity of each origin and angular velocity under other joint velocities, at the same pose. */
static void velocities(const struct sn__args *args, const void *qd_, double *o) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    const real *qd = qd_;
    const struct motion rest = {vec_zero(), vec_zero()};
    for (int i = 0; i < t->nbody; i++, o += 6) {
        const tree_body *b = &t->body[i];
        const struct frame *f = &w.frame[i];
        const struct motion p = b->parent < 0 ? rest : w.motion[b->parent];
        struct motion m = {p.alpha, add_cross(p.a, p.alpha, f->r)};
        unfold(b, f, qd + b->v, &m.alpha, &m.a);
        w.motion[i] = m;
        put_first(o, m.a);
        put_first(o + 3, m.alpha);
    }
}

/* Acceleration a body has at qdd = 0, gravity apart: what velocities alone make of it; origin, then
   angular. */
static void products(const struct sn__args *args, int body, double *o) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    w.bias[-1] = (struct motion){vec_zero(), vec_zero()};
    uint8_t *path = w.mark;
    for (int i = 0; i <= body; i++)
        path[i] = 0;
    for (int i = body; i >= 0; i = t->body[i].parent)
        path[i] = 1;
    for (int i = 0; i <= body; i++) {
        if (!path[i]) continue;
        const struct frame *f = &w.frame[i];
        const struct motion p = w.bias[t->body[i].parent];
        w.bias[i] = (struct motion){add(p.alpha, f->c), add_cross(add(p.a, f->d), p.alpha, f->r)};
    }
    put_first(o, w.bias[body].a);
    put_first(o + 3, w.bias[body].alpha);
}

#endif
