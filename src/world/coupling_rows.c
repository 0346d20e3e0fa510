/* Rows of joints that follow other joints. */
#include <math.h>

#include "world/tie.h"

/* p(q) and p'(q) of a coupling's polynomial. */
static double couple(const double ratio[5], double q, double *slope) {
    double p = 0;
    *slope = 0;
    for (int i = 4; i >= 0; i--) {
        *slope = *slope * q + p;
        p = p * q + ratio[i];
    }
    return p;
}

/* One joint as a function of another: s = q1 - p(q2), which changes by q1' - p'(q2) q2'. */
static double coupled(const struct sn__build *b, double *slope) {
    const sn_constraint_def *d = b->def;
    const struct sn__pack *p = b->w->hand[d->member].pack;
    const double q = sn__pack_value(p, SN__Q, b->w->copy, p->model->body[d->body].q_index);
    *slope = 0;
    if (d->member2 < 0) return q - d->ratio[0];
    const struct sn__pack *p2 = b->w->hand[d->member2].pack;
    return q -
           couple(d->ratio, sn__pack_value(p2, SN__Q, b->w->copy, p2->model->body[d->body2].q_index), slope);
}

static struct sn__pgs_row *coupling_row(struct sn__build *b, double sign, double slope) {
    const sn_constraint_def *d = b->def;
    const struct sn__row one = {.body = d->body, .joint = 1, .w = {sign}};
    const struct sn__row other = {.body = d->body2, .joint = 1, .w = {-sign * slope}};
    struct sn__pgs_row *row = sn__tie_row(b, &one);
    if (!row || d->member2 < 0) return row;
    return sn__worker_add_side(b->w, row, 1, d->member2, &other) ? row : NULL;
}

/* No relative velocity; what error there is, is taken out of the positions, nearly all at once. */
static void hold(struct sn__build *b, struct sn__pgs_row *row, double error) {
    const double most = b->w->world->def.pin_speed, speed = error / (1.25 * b->h);
    row->b = sn__worker_row_velocity(b->w, row);
    if (b->w->level != SN__LEVEL_IMPACT) b->w->more[b->w->nrow - 1].bias = fmax(-most, fmin(most, speed));
}

/* It is held, or drawn as a spring draws. */
void sn__coupling_rows(struct sn__build *b) {
    const sn_constraint_def *d = b->def;
    double slope;
    const double e = b->tied->target[0] - coupled(b, &slope), under = b->h * d->stiffness + d->damping;
    struct sn__pgs_row *row = coupling_row(b, 1, slope);
    if (!row) return;
    if (!(under > 0)) {
        hold(b, row, e);
        return;
    }
    row->soft = 1 / (b->h * under);
    row->b = sn__worker_row_velocity(b->w, row) -
             (d->stiffness * e + d->damping * b->tied->target_velocity[0]) / under;
}

/* It may come to the nearer end of its range in this step, and no further; beyond, it is brought back as joints are. */
void sn__coupling_limit_rows(struct sn__build *b) {
    double slope;
    const double s = coupled(b, &slope), lower = s - b->tied->target[0], upper = b->tied->target[1] - s;
    const double gap = lower < upper ? lower : upper;
    struct sn__pgs_row *row = coupling_row(b, lower < upper ? 1 : -1, slope);
    if (!row) return;
    row->lo = 0;
    if (b->w->f[b->w->nrow - 1] < 0) b->w->f[b->w->nrow - 1] = 0;
    row->b = sn__worker_row_velocity(b->w, row) + (gap > 0 ? gap / b->h : 0);
    if (gap < 0)
        b->w->more[b->w->nrow - 1].bias =
            fmin(-gap / sn__world_recovery(b->w->world, b->h), b->w->world->def.limit_speed);
}
