/* What a solve learns only after its first sweeps: points and joints that an impact throws against a surface or a limit
 * within the step, and velocity products of a motion that contacts have changed. */
#ifndef SINEW_KERNELS_CONTACT_LATE_H
#define SINEW_KERNELS_CONTACT_LATE_H

#include "kernels/contact/newton.h"

/* Keeps that of the motion without contacts, for refine_late. */
static void keep_middle(const struct convex *s) {
    for (int v = 0; s->args.refinements && v < ((const tree *)s->args.tree)->nv; v++)
        s->w->vbar[v] = middle_of(s, v);
}

/* Adds records of what moves past a surface or a limit in the present motion. */
static void look_ahead(struct convex *s) {
    if (find_again(&s->args, s->w, s->x)) index_contacts(&s->args, s->w);
    rest_contacts(&s->args, s->w);
}

/* What an impact throws against a surface or a limit within the step nobody expected: lanes of `which` with such records go on;
   for the search the others come to rest, where they pass nothing. Not under torque limits, which would be broken. */
static void look_late(struct convex *s, mask which) {
    enum { LOOKS = 2 };
    const int crowd = s->effort.spare > 0;
    for (int i = 0; i < LOOKS && !s->bent; i++) {
        const real before = count_records(s->args.contacts), *qd = s->args.qd;
        for (int v = 0; v < ((const tree *)s->args.tree)->nv; v++)
            s->y[v] = choose(which, s->x[v], -qd[v] / step_size(&s->args));
        if (!find_again(&s->args, s->w, s->y)) return;
        index_contacts(&s->args, s->w);
        rest_contacts(&s->args, s->w);
        const mask fresh = less(before, count_records(s->args.contacts));
        enter_late(&s->args, s->w, fresh, s->x);
        linearise_contacts(&s->args, s->w, fresh, ~(mask){0});
        go_on(s, fresh, crowd ? 1 : 8, s->effort.late); /* bounds of friction are about right */
    }
}

/* Lanes in which contacts have changed by how much the step turns things, against the motion without them; but not where it
   turns them too far to know anything about its middle. */
static mask turned_lanes(const struct convex *s) {
    const real h = step_size(&s->args), little = little_turn(h, s->args.rows_follow), far = splat(R(2));
    real change = splat(0), turned = splat(0);
    if (!s->args.refinements || (s->bent && !s->args.rows_follow) || s->held) return (mask){0};
    for (int v = 0; v < ((const tree *)s->args.tree)->nv; v++) {
        const real middle = middle_of(s, v), more = middle - s->w->vbar[v];
        change = change + more * more;
        if (!is_course(s->args.tree, v)) turned = turned + middle * middle;
    }
    return less(little * little, h * h * change) & less(h * h * turned, far * far);
}

/* Velocity products of the iterate's own middle, or c times that, from the next sweep on, in some lanes. */
static void take_middle(struct convex *s, mask which) {
    struct work *w = s->w;
    const tree *t = s->args.tree;
    for (int v = 0; v < t->nv; v++)
        w->vbar[v] = middle_of(s, v);
    const real calm = calm_of(&s->args, w->vbar);
    for (int v = 0; !is_calm(calm) && v < t->nv; v++)
        w->vbar[v] = calm * w->vbar[v];
    for (int i = 0; i < t->nbody; i++) {
        struct frame *f = &w->frame[i];
        const vec3 old_w = f->w, old_c = f->c, old_d = f->d;
        enter_velocity(&t->body[i], &w->frame[t->body[i].parent], w->vbar + t->body[i].v, f);
        f->w = vec_choose(which, f->w, old_w);
        f->c = vec_choose(which, f->c, old_c);
        f->d = vec_choose(which, f->d, old_d);
    }
    hold_spins(t, w, which);
    rest_contacts(&s->args, w);
    w->stale = 1;
}

/* Velocity products of the motion that contacts lead to, once that is about known: where an impact sets limbs spinning, those
   of the motion without it leave what the kinetic energy gains on the way from q to q + h v: up to 80 J of a limp humanoid
   at 1/60 s. Returns the lanes that have such, which must go on. */
static mask refine_late(struct convex *s) {
    const mask which = turned_lanes(s), frozen = s->frozen;
    if (!any(which)) return which;
    take_middle(s, which);
    sweep_whole(s, which); /* forces of the iterate balance the dynamics that were */
    s->frozen = frozen;
    return which;
}

#endif
