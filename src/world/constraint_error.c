/* How far constraints are from what they hold. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "world/guide.h"
#include "world/tie.h"

/* How far the points are off. */
static double apart(const struct sn__tie *t, const struct sn__tied *tied, const struct sn__ends *e) {
    double p[3], at[3], d[3] = {e->x[0] - e->y[0], e->x[1] - e->y[1], e->x[2] - e->y[2]};
    switch (t->def.type) {
    case SN_CONSTRAINT_DISTANCE:
        return fabs(dvec_length(d) - tied->target[0]);
    case SN_CONSTRAINT_ROPE:
        return fmax(0, dvec_length(d) - tied->target[0]);
    case SN_CONSTRAINT_CURVE:
        sn__seen_from_other(e, p);
        sn__curve_nearest(t->guide, p, at, d);
        for (int k = 0; k < 3; k++)
            d[k] = p[k] - at[k];
        return dvec_length(d);
    case SN_CONSTRAINT_SURFACE:
        sn__seen_from_other(e, p);
        return fabs(sn__surface_distance(t->guide, t->def.direction, p, d));
    case SN_CONSTRAINT_SLIDER:
        dvec_cross(e->d, d, p);
        return dvec_length(p);
    default:
        return t->def.type == SN_CONSTRAINT_ORIENTATION ? 0 : dvec_length(d);
    }
}

/* The same of a constraint whose ends are known: m of the points, and rad of the turn. */
static void errors_at(const struct sn__tie *t, const struct sn__tied *tied, const struct sn__ends *e,
                      double *distance, double *angle) {
    double off[3] = {0, 0, 0};
    *distance = apart(t, tied, e);
    if (t->def.type == SN_CONSTRAINT_HINGE)
        sn__tilted(e, &t->def, tied->target, off);
    else if (sn__tie_kind(t->def.type)->turn >= 0)
        sn__turned(e, tied->target, off);
    *angle = dvec_length(off);
}

sn_status sn_world_get_constraint(const sn_world *w, sn_constraint c, int copy, sn_constraint_state *state) {
    const struct sn__tie *t = sn__tie_find(w, c);
    if (!t || !state || copy < 0 || copy >= w->def.copies) return sn__tie_refuse(w, t, copy);
    const sn_constraint_def *d = &t->def;
    const struct sn__tied *tied = &w->copy[copy].tied[t - w->tie];
    const bool other = d->member2 >= 0;
    *state = (sn_constraint_state){.broken = tied->broken, .rows = tied->rows};
    memcpy(state->force, tied->force, sizeof *state->force * (size_t)tied->rows);
    if (sn__tie_kind(d->type)->holds) {
        const struct sn__frame body = sn__frame_now(&w->member[d->member]->pack, copy, d->body);
        struct sn__frame there = {.rot = {1, 0, 0, 0}};
        if (other) there = sn__frame_now(&w->member[d->member2]->pack, copy, d->body2);
        const struct sn__ends e = sn__ends_of(d, &body, other ? &there : NULL);
        errors_at(t, tied, &e, &state->distance, &state->angle);
    }
    return SN_OK;
}

void sn__worker_ties_apart(struct sn__worker *w) {
    sn__worker_forget_frames(w);
    for (int i = 0; i < w->world->ntie; i++) {
        const struct sn__tie *t = &w->world->tie[i];
        if (!w->tied[i].rows || !t->used || !sn__tie_kind(t->def.type)->holds || sn__tie_is_soft(&t->def) ||
            isfinite(t->def.max_force))
            continue;
        const struct sn__ends e = sn__ends_at(w, &t->def, SN__MOMENT_NOW, 0, 0);
        double far, turn;
        errors_at(t, &w->tied[i], &e, &far, &turn);
        w->stats.apart = fmax(w->stats.apart, far);
    }
}
