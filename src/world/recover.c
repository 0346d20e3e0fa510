/* Recovery from penetration moves positions beside the velocities, and knows of nothing but the rows: by itself it may turn a
 * light limb past its joint's limit, or lift a whole character within one step. So it is cut short, by one factor for each
 * character,
 *
 *     q+ = q (+) h (v+ + t dv),   0 <= t <= 1,
 *
 * until no limit is passed by it, no joint turns far and the centre of mass hardly rises. What is left of the penetration is
 * for the next steps. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "world/rows.h"
#include "model/joint.h"

static const double SLACK = 2e-3;     /* rad or m beyond a limit that recovery may lead to */
static const double MOST_TURN = 0.05; /* rad of any joint in a step */
static const double MOST_RISE = 3e-4; /* m of the centre of mass in a step */

/* The part of dv that turns no joint too far. */
static double part_by_turn(const sn_model *model, const double *dv, double h) {
    double most = 0;
    for (int b = 0; b < model->nbody; b++) {
        const sn_body_info *body = &model->body[b];
        if (sn__joint_is_free(body)) continue;
        for (int v = body->v_index + sn__joint_nslide(body); v < body->v_index + body->nv; v++)
            most = fmax(most, fabs(h * dv[v]));
    }
    return most > MOST_TURN ? MOST_TURN / most : 1;
}

/* The part that hardly lifts the whole. `rate` are the velocities of the bodies under dv. */
static double part_by_rise(const struct sn__worker *w, const struct sn__hand *m, double h) {
    const sn_model *model = m->pack->model;
    double gravity[3], rise = 0, mass = 0;
    sn__hand_gravity(w, m, gravity);
    const double g = dvec_length(gravity);
    for (int b = 0; b < model->nbody; b++) {
        const sn_body_info *body = &model->body[b];
        const double *R = m->place + SN__PLACE * b + 3, *rate = m->rate + 6 * b;
        double local[3], arm[3], v[3];
        for (int k = 0; k < 3; k++)
            local[k] = body->com[k] - body->joint.anchor[k];
        for (int k = 0; k < 3; k++)
            arm[k] = R[3 * k] * local[0] + R[3 * k + 1] * local[1] + R[3 * k + 2] * local[2];
        dvec_cross(rate + 3, arm, v);
        for (int k = 0; k < 3; k++)
            rise -= h * body->mass * (rate[k] + v[k]) * gravity[k];
        mass += body->mass;
    }
    return rise > MOST_RISE * mass * g ? MOST_RISE * mass * g / rise : 1;
}

/* What is left before each limit after a step at the velocity qd. */
static void gaps_after(const struct sn__worker *w, struct sn__hand *m, const void *qd, double h,
                       double *gap) {
    const struct sn__pack *p = m->pack;
    struct sn__args args = sn__hand_args(w, m);
    memcpy(m->start, sn__hand_at(w, m, SN__Q), sn__pack_bytes(p, p->model->nq));
    memcpy((char *)m->start + sn__pack_bytes(p, p->model->nq), qd, sn__pack_bytes(p, p->model->nv));
    p->k->integrate(p->tree, h, m->zero, m->start, (char *)m->start + sn__pack_bytes(p, p->model->nq), 0);
    args.q = m->start, args.qd = m->zero;
    p->k->rows->limit_gaps(&args, m->ground, gap);
}

/* The part that passes no limit by more than the step does without it. */
static double part_by_limits(struct sn__worker *w, struct sn__hand *m, double part, double h) {
    const struct sn__pack *p = m->pack;
    const int n = (int)p->stop_size; /* sides of limits */
    double *before = m->values, *after = m->values + n;
    if (!n) return part;
    gaps_after(w, m, m->known, h, before);
    for (int i = 0; i < 4; i++) {
        double less = 1;
        p->k->combine(p->model->nv, m->known, 1, &part, (const void *const[]){m->change}, m->moved_qd);
        gaps_after(w, m, m->moved_qd, h, after);
        for (int k = 0; k < n; k++) {
            const double least = fmin(before[k], -SLACK);
            if (after[k] < least - 1e-6) less = fmin(less, (before[k] - least) / (before[k] - after[k]));
        }
        if (less >= 1) return part;
        part *= less;
    }
    return 0;
}

double sn__worker_recovery_part(struct sn__worker *w, int member, double h) {
    struct sn__hand *m = &w->hand[member];
    const sn_model *model = m->pack->model;
    if (w->bounced || m->stops || model->nbody == 1) return 1;
    double part = 1;
    if (!w->world->used_ties) {
        const struct sn__args args = sn__hand_args(w, m);
        sn__hand_gather(m, m->change, model->nv, m->values);
        part = part_by_turn(model, m->values, h);
        m->pack->k->rows->velocities(&args, m->change, m->rate);
        part = fmin(part, part_by_rise(w, m, h));
    }
    return part_by_limits(w, m, part, h);
}
