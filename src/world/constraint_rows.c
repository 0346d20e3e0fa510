/* The rows that constraints of the user's make. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "world/world.h"

/* A row whose force is reported as number k of the constraint; two-sided within max_force. */
static struct sn__pgs_row *tie_row(struct sn__worker *w, int number, double h, int member,
                                   const struct sn__row *r) {
    struct sn__tied *t = &w->tied[number];
    struct sn__pgs_row *row = sn__worker_add_row(w);
    if (!row) return NULL;
    if (!sn__worker_add_side(w, row, 0, member, r)) {
        w->nrow--;
        return NULL;
    }
    row->hi = w->world->tie[number].def.max_force * h;
    row->lo = -row->hi;
    if (w->level != SN__LEVEL_IMPACT) {
        w->more[w->nrow - 1].owner = &t->force[t->rows];
        w->f[w->nrow - 1] = t->force[t->rows] * h; /* a warm start */
    }
    t->rows++;
    return row;
}

static void world_point(const struct sn__hand *m, int body, const double local[3], double x[3], double v[3]) {
    const double *place = m->place + SN__PLACE * body;
    const double *anchor = m->pack->model->body[body].joint.anchor;
    const double p[3] = {local[0] - anchor[0], local[1] - anchor[1], local[2] - anchor[2]};
    double r[3];
    for (int i = 0; i < 3; i++)
        r[i] = place[3 + 3 * i] * p[0] + place[4 + 3 * i] * p[1] + place[5 + 3 * i] * p[2];
    dvec_cross(place + 15, r, v);
    for (int i = 0; i < 3; i++)
        x[i] = place[i] + r[i], v[i] += place[12 + i];
}

/* A point held on another point: no relative velocity, and what error there is taken out of the positions. */
static void pin_rows(struct sn__worker *w, int number, double h) {
    const sn_constraint_def *d = &w->world->tie[number].def;
    const struct sn__hand *m = &w->hand[d->member];
    const double most = w->world->def.pin_speed;
    double x[3], y[3], v[3];
    world_point(m, d->body, d->point, x, v);
    memcpy(y, d->point2, sizeof y);
    if (d->member2 >= 0) world_point(&w->hand[d->member2], d->body2, d->point2, y, v);
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2};
        const struct sn__row r = sn__point_row(m, d->body, x, axis, 1);
        struct sn__pgs_row *row = tie_row(w, number, h, d->member, &r);
        if (!row) return;
        if (d->member2 >= 0) {
            const struct sn__row other = sn__point_row(&w->hand[d->member2], d->body2, y, axis, -1);
            if (!sn__worker_add_side(w, row, 1, d->member2, &other)) return;
        }
        row->b = sn__worker_row_velocity(w, row);
        const double speed =
            (y[k] - x[k]) / (1.25 * h); /* nearly all at once: it is no velocity of the state */
        if (w->level != SN__LEVEL_IMPACT) w->more[w->nrow - 1].bias = fmax(-most, fmin(most, speed));
    }
}

/* The acceleration of a body's point at qdd = 0: J' qd of eq. 32. */
static void product_of(const struct sn__worker *w, const struct sn__hand *m, int body, const double x[3],
                       double a[3]) {
    const double *place = m->place + SN__PLACE * body, *turning = place + 15;
    const double r[3] = {x[0] - place[0], x[1] - place[1], x[2] - place[2]};
    double zero[6], turn[3], in[3];
    const struct sn__args args = sn__hand_args(w, m);
    m->pack->k->rows->products(&args, body, zero);
    dvec_cross(zero + 3, r, turn);
    dvec_cross(turning, r, in);
    dvec_cross(turning, in, a);
    for (int k = 0; k < 3; k++)
        a[k] += zero[k] + turn[k];
}

/* eq. 22: the acceleration Kp (target - x) + Kd (target' - x'), for a point; J qdd is that less J' qd. */
static void point_rows(struct sn__worker *w, int number, double h) {
    const sn_constraint_def *d = &w->world->tie[number].def;
    const struct sn__tied *tied = &w->tied[number];
    const struct sn__hand *m = &w->hand[d->member];
    const double kp = 1 / (d->settle * d->settle), kd = M_SQRT2 / d->settle;
    double x[3], v[3], product[3];
    world_point(m, d->body, d->point, x, v);
    product_of(w, m, d->body, x, product);
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2};
        const struct sn__row r = sn__point_row(m, d->body, x, axis, 1);
        struct sn__pgs_row *row = tie_row(w, number, h, d->member, &r);
        if (!row) return;
        const double a = kp * (tied->target[k] - x[k]) + kd * (tied->target_velocity[k] - v[k]);
        row->b = sn__worker_row_velocity(w, row) - (v[k] + h * (a - product[k]));
    }
}

/* A spring to the target, implicit: f = k (target - x - h u) + c (target' - u) is the soft row
     u + f h / (h (h k + c)) = (k e + c target') / (h k + c). */
static void spring_rows(struct sn__worker *w, int number, double h) {
    const sn_constraint_def *d = &w->world->tie[number].def;
    const struct sn__tied *tied = &w->tied[number];
    const struct sn__hand *m = &w->hand[d->member];
    const double b = h * d->stiffness + d->damping;
    double x[3], v[3];
    world_point(m, d->body, d->point, x, v);
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2};
        const struct sn__row r = sn__point_row(m, d->body, x, axis, 1);
        struct sn__pgs_row *row = tie_row(w, number, h, d->member, &r);
        if (!row) return;
        row->soft = 1 / (h * b);
        row->b = sn__worker_row_velocity(w, row) -
                 (d->stiffness * (tied->target[k] - x[k]) + d->damping * tied->target_velocity[k]) / b;
    }
}

/* Position error of a joint, and the velocity its target has there, in the order of qd. */
static void joint_error(const sn_body_info *b, const double *q, const struct sn__tied *tied, double e[6],
                        double rate[6]) {
    const bool ball = b->joint.type == SN_JOINT_BALL, free = b->joint.type == SN_JOINT_FREE;
    const int linear = ball ? 0 : free ? 3 : b->nv;
    for (int k = 0; k < linear; k++) {
        e[k] = tied->target[k] - q[k];
        rate[k] = tied->target_velocity[k];
    }
    if (!ball && !free) return;
    double back[4], turn[4];
    dquat_conjugate(q + linear, back);
    dquat_multiply(back, tied->target + linear, turn);
    dquat_log(turn, e + linear);
    dquat_rotate(turn, tied->target_velocity + linear,
                 rate + linear); /* the target's axes to the body's own */
}

static void joint_rows(struct sn__worker *w, int number, double h) {
    const sn_constraint_def *d = &w->world->tie[number].def;
    const struct sn__hand *m = &w->hand[d->member];
    const struct sn__pack *p = m->pack;
    const sn_body_info *b = &p->model->body[d->body];
    const double kp = 1 / (d->settle * d->settle), kd = M_SQRT2 / d->settle;
    double *q = m->values, e[6], rate[6];
    sn__pack_get(p, SN__Q, w->copy, p->model->nq, q);
    joint_error(b, q + b->q_index, &w->tied[number], e, rate);
    sn__pack_get(p, SN__QD, w->copy, p->model->nv, q);
    for (int k = 0; k < b->nv; k++) {
        struct sn__row r = {.body = d->body, .joint = 1};
        r.w[k] = 1;
        struct sn__pgs_row *row = tie_row(w, number, h, d->member, &r);
        if (!row) return;
        const double v = q[b->v_index + k], a = kp * e[k] + kd * (rate[k] - v);
        row->b = sn__worker_row_velocity(w, row) - (v + h * a);
    }
}

void sn__worker_tie_rows(struct sn__worker *w, double h) {
    for (int i = 0; i < w->world->ntie; i++) {
        const struct sn__tie *t = &w->world->tie[i];
        w->tied[i].rows = 0;
        if (!t->used || !w->hand[t->def.member].on) continue;
        if (t->def.type == SN_PIN && t->def.member2 >= 0 && !w->hand[t->def.member2].on) continue;
        /* a path whose force is not limited keeps its velocity in an impact; nothing else but a pin is impulsive */
        const bool keeps = w->level == SN__LEVEL_IMPACT && t->def.type != SN_PIN;
        if (keeps && (t->def.type == SN_SPRING || !isinf(t->def.max_force))) continue;
        const int first = w->nrow;
        switch (t->def.type) {
        case SN_PIN:
            pin_rows(w, i, h);
            break;
        case SN_POINT_PATH:
            point_rows(w, i, h);
            break;
        case SN_JOINT_PATH:
            joint_rows(w, i, h);
            break;
        case SN_SPRING:
            spring_rows(w, i, h);
            break;
        }
        for (int k = first; k < w->nrow && keeps; k++)
            w->row[k].b = 0;
    }
}
