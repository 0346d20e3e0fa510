/* Rigid constraints hold at the end of the step.
 *
 * A row says J v+ = 0 with the J of the pose that the step begins with. Points on bodies that turn move on arcs: by the end of
 * the step they have come apart by a term of second order in h w. With e the coordinates that a constraint holds, the row is
 *
 *     J v+ = -arc,     arc = (e(q + h v+) - e(q)) / h - J v+
 *
 * so that e is at the end what it was at the beginning. Impulses along the J of the beginning that make a constraint hold at the
 * end are the method SHAKE, which keeps the energy of pendulums and chains where J v+ = 0 brakes them. The velocities are known
 * after a solve; so arc starts with the present velocity, and rows are solved again as those of paths are. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "world/tie.h"

/* Of `pin_speed`, that an arc may ask for: rows that contradict each other would spin each other up. */
static const double FARTHEST = 20;

static bool is_rod(const sn_constraint_def *d) {
    return d->type == SN_CONSTRAINT_DISTANCE || d->type == SN_CONSTRAINT_ROPE;
}

bool sn__tie_is_held(const sn_constraint_def *d) {
    const bool kind = d->type == SN_CONSTRAINT_PIN || d->type == SN_CONSTRAINT_WELD ||
                      d->type == SN_CONSTRAINT_HINGE || d->type == SN_CONSTRAINT_SLIDER ||
                      d->type == SN_CONSTRAINT_ORIENTATION || is_rod(d);
    return kind && !sn__tie_is_soft(d);
}

/* The coordinates in the order of the rows, at the ends `e`; axes as they are `now`. How many there are. */
static int coordinates(const struct sn__tie *t, const struct sn__tied *tied, const struct sn__ends *now,
                       const struct sn__ends *e, double c[6]) {
    const sn_constraint_def *d = &t->def;
    double off[3], p[3], n[2][3];
    int made = 0;
    if (is_rod(d)) {
        for (int k = 0; k < 3; k++)
            off[k] = e->x[k] - e->y[k];
        c[0] = dvec_length(off);
        return 1;
    }
    if (d->type == SN_CONSTRAINT_SLIDER) {
        sn__seen_from_other(e, p);
        sn__across(d->direction, n);
        for (int k = 0; k < 2; k++)
            c[made++] = dvec_dot(n[k], p);
    } else if (d->type != SN_CONSTRAINT_ORIENTATION) {
        for (int k = 0; k < 3; k++)
            c[made++] = e->x[k] - e->y[k];
    }
    if (d->type == SN_CONSTRAINT_PIN) return made;
    if (d->type == SN_CONSTRAINT_HINGE) {
        sn__tilted(e, d, tied->target, off);
        sn__across(now->d, n);
        for (int k = 0; k < 2; k++)
            c[made++] = dvec_dot(off, n[k]);
        return made;
    }
    sn__turned(e, tied->target, off);
    for (int k = 0; k < 3; k++)
        c[made++] = off[k];
    return made;
}

double sn__held_ahead(struct sn__worker *w, const struct sn__tie *t, struct sn__tied *tied, double h,
                      double bend, const double *rate) {
    const struct sn__ends now = sn__ends_at(w, &t->def, SN__MOMENT_NOW, h, bend),
                          then = sn__ends_at(w, &t->def, SN__MOMENTS - 1, h, bend);
    const double most = FARTHEST * w->world->def.pin_speed;
    double c[6], to[6], change = 0;
    const int n = coordinates(t, tied, &now, &now, c);
    coordinates(t, tied, &now, &then, to);
    const double slack =
        t->def.type == SN_CONSTRAINT_ROPE ? fmin(0, c[0] - tied->target[0]) / h : 0; /* it may become taut */
    for (int k = 0; k < n && k < tied->rows; k++) {
        struct sn__pgs_row *row = &w->row[tied->row + k];
        const double arc = (to[k] - c[k]) / h - rate[k], was = row->b;
        row->b = sn__worker_row_velocity(w, row) + fmax(-most, fmin(most, arc)) + slack;
        change = fmax(change, fmax(fabs(row->b - was), fabs(arc) - most));
    }
    return change;
}
