/* Contacts that wait: what is near and will not be reached in this step needs no rows. In a crowd of bodies that stand close
 * to each other these are most contacts, and the matrix of a member's rows grows with the square of their number.
 *
 * A contact waits while the velocities without rows leave a gap at the end of the step. When the rows of all others are
 * solved it is asked again, with the velocities u that these lead to,
 *
 *     gap + h n . u >= 0,
 *
 * and is called where that does not hold: it gets its rows after all, and everything is solved once more. Once nobody has
 * to be called, forces are those of the whole problem, in which the contacts that wait have none. */
#include <math.h>

#include "base/quat.h"
#include "world/rows.h"

enum { MOST_CALLED = 240 };     /* rows that a step may have when all contacts are called at once */
static const double LEFT = 0.2; /* of the margin: the gap that must be left at the end of the step */

bool sn__contact_waits(const struct sn__worker *w, const struct sn__contact *c, double speed, double h) {
    if (w->level != SN__LEVEL_STEP || c->called || !(c->gap > 0) || c->restitution > 0) return false;
    if (dvec_dot(c->force, c->normal) > 0) return false;
    return c->gap + h * speed > LEFT * w->world->def.margin;
}

/* Velocities of a member's bodies under impulses f, in the form of `rate`: those of members without rows are known. */
static const double *rate_under(struct sn__worker *w, int member, const double *f) {
    struct sn__hand *m = &w->hand[member];
    const struct sn__pack *p = m->pack;
    const double one = 1;
    if (!m->nrow) return m->rate;
    if (m->asked) return m->values;
    const struct sn__args args = sn__hand_args(w, m);
    sn__worker_impulse(w, member, f, m->change);
    p->k->combine(p->model->nv, m->free_qd, 1, &one, (const void *const[]){m->change}, m->moved_qd);
    p->k->rows->velocities(&args, m->moved_qd, m->values);
    m->asked = true;
    return m->values;
}

/* Velocity of a solid's point along d under impulses f. */
static double speed_along(struct sn__worker *w, const struct sn__solid *s, const double point[3],
                          const double d[3], const double *f) {
    double v[3];
    if (s->member < 0 || !w->hand[s->member].on) {
        sn__solid_velocity(w, s, point, v);
        return dvec_dot(v, d);
    }
    const double *x = w->hand[s->member].place + SN__PLACE * s->body,
                 *rate = rate_under(w, s->member, f) + 6 * s->body;
    const double r[3] = {point[0] - x[0], point[1] - x[1], point[2] - x[2]};
    dvec_cross(rate + 3, r, v);
    return dvec_dot(v, d) + dvec_dot(rate, d);
}

/* Contacts between members without rows are as they were when they began to wait. */
static bool may_have_changed(const struct sn__worker *w, const struct sn__contact *c) {
    for (int s = 0; s < 2; s++) {
        const int member = w->solid[c->solid[s]].member;
        if (member >= 0 && w->hand[member].on && w->hand[member].nrow) return true;
    }
    return false;
}

/* The gap that a contact which waits has at the end of the step under impulses f. */
static double gap_after(struct sn__worker *w, const struct sn__contact *c, double h, const double *f) {
    return c->gap + h * (speed_along(w, &w->solid[c->solid[0]], c->pos, c->normal, f) -
                         speed_along(w, &w->solid[c->solid[1]], c->other, c->normal, f));
}

/* Calls the contacts that would have less than `least` left; whether there are any. */
static bool call_below(struct sn__worker *w, double least, double h, const double *f) {
    bool any = false;
    for (int i = 0; i < w->ncontact; i++) {
        struct sn__contact *c = &w->contact[i];
        if (!c->waits || !may_have_changed(w, c) || gap_after(w, c, h, f) >= least) continue;
        c->called = any = true;
    }
    return any;
}

/* A push that goes on from body to body calls one contact after the other. The third time all that wait are called, so that a
   step has rows for the longest row of bodies. In hands they would be hundreds: there those are called that are about to
   close. */
bool sn__worker_call_contacts(struct sn__worker *w, double h, const double *f) {
    if (!w->waiting) return false;
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        w->hand[i].asked = false;
    if (!call_below(w, 0, h, f)) return false;
    w->calls++;
    const bool few = w->nrow + 3 * w->waiting <= MOST_CALLED;
    if (!few) call_below(w, LEFT * w->world->def.margin, h, f);
    for (int i = 0; i < w->ncontact && few && w->calls > 2; i++)
        if (w->contact[i].waits) w->contact[i].called = true;
    return true;
}
