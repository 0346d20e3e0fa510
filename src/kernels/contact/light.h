/* Light joints: what hangs on them is next to nothing beside the whole character, as fingers beside a body.
 *
 * An impact may throw them past any limit of theirs within a step, and a solve that runs out of sweeps may leave them there.
 * Nobody but themselves would notice if they stopped: so they do, at the limit, by their own velocity alone. */
#ifndef SINEW_KERNELS_CONTACT_LIGHT_H
#define SINEW_KERNELS_CONTACT_LIGHT_H

#include "kernels/contact/stops.h"

/* rad: what a limit yields within its law is ignored. */
#define LIGHT_SLACK 0.01

static int has_light(const struct sn__ground *g) {
    int any = 0;
    for (int i = 0; i < g->nstops; i++)
        any |= is_light(&g->stops[i]);
    return any;
}

/* What must be added to the rate away from a limit, so that the limit is not passed, or not passed further. */
KERNEL real lacking_rate(const struct side *s, real h, real rate) {
    const real least = -maximum(s->gap, splat(0)) / h;
    return choose(less(rate + R(LIGHT_SLACK) / h, least), least - rate, splat(0));
}

/* The velocity across the twist axis with which the swing p ends within its cone, or no farther out than it is. */
KERNEL vec3 within_cone(const struct side *swing, vec3 t, real h, vec3 w) {
    const real most = splat(R(swing->stops->upper[1])), one = splat(1);
    const vec3 across = add_scaled(w, t, -dot(w, t)), p = scale(swing->x, swing->gap - most);
    const vec3 to = add_scaled(p, across, h);
    const real bound = maximum(most, most - swing->gap), far2 = dot(to, to), slack = bound + R(LIGHT_SLACK);
    const mask out = less(slack * slack, far2);
    if (!any(out)) return w;
    const real part = bound / square_root_each(choose(out, far2, one));
    return add(w, vec_choose(out, scale(to, (part - R(1)) / h), vec_zero()));
}

KERNEL void keep_ball(const struct side *side, const tree_body *b, real h, real *end) {
    const vec3 t = vec_splat(b->axis[0]);
    vec3 w = within_cone(&side[0], t, h, vec_load(end));
    for (int k = 1; k < 3; k++) {
        const real more = lacking_rate(&side[k], h, dot(side[k].x, w));
        w = add_scaled(w, t, k == 1 ? more : -more); /* x . t = 1 */
    }
    vec_store(end, w);
}

/* qdd of light joints such that none ends the step beyond its limits. Returns the lanes in which some would have. */
static mask keep_light(const struct sn__args *args, real *qdd) {
    const struct sn__ground *g = args->ground;
    const real h = step_size(args), *qd = args->qd;
    mask any_changed = (mask){0};
    for (int i = 0; g && !g->stops_apart && i < g->nstops; i++) {
        const SHARED struct sn__stops *s = &g->stops[i];
        const tree_body *b = &((const tree *)args->tree)->body[s->body];
        const int n = b->nv;
        struct side side[SN__SIDES];
        real end[3], was[3];
        if (!is_light(s)) continue;
        const int sides = sides_of(args, s, 1, side);
        for (int k = 0; k < n; k++)
            was[k] = end[k] = qd[b->v + k] + h * qdd[b->v + k];
        if (is_ball(b))
            keep_ball(side, b, h, end);
        else
            for (int k = 0; k < sides; k++)
                end[k / 2] = end[k / 2] + (k % 2 ? R(-1) : R(1)) *
                                              lacking_rate(&side[k], h, k % 2 ? -end[k / 2] : end[k / 2]);
        for (int k = 0; k < n; k++) {
            const mask changed = less(splat(0), absolute(end[k] - was[k]));
            any_changed |= changed;
            qdd[b->v + k] = choose(changed, (end[k] - qd[b->v + k]) / h, qdd[b->v + k]);
        }
    }
    return any_changed;
}

#endif
