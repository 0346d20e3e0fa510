/* Constraints of the user's own, behind handles, and the rows they make.
 *
 * A handle is a place and a generation: the generation counts how often the place was given away, so that an old
 * handle never means a new constraint. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "world/world.h"

sn_constraint_def sn_constraint_def_default(sn_constraint_type type) {
    return (sn_constraint_def){.type = type, .character2 = -1, .settle = 0.1, .max_force = INFINITY};
}

static sn_constraint handle_of(const sn_world *w, const struct sn__tie *t) {
    return (uint64_t)t->generation << 32 | (uint32_t)(t - w->tie + 1);
}

static struct sn__tie *find(const sn_world *w, sn_constraint c) {
    const uint32_t place = (uint32_t)c;
    if (place < 1 || place > (uint32_t)w->ntie) return NULL;
    struct sn__tie *t = &w->tie[place - 1];
    return t->used && t->generation == c >> 32 ? t : NULL;
}

/* ------------------------------------------------------------------------------------------------ handles */

static bool all_finite(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static const sn_body_info *body_of(const sn_world *w, int character, int body) {
    if (character < 0 || character >= w->nmember) return NULL;
    return sn_model_body(w->member[character].character->pack.model, body);
}

sn_status sn__tie_check(const sn_world *w, const sn_constraint_def *d, sn_error *error) {
    if (!d) return sn__fail(error, SN_ERROR_ARGUMENT, "the definition is NULL");
    if ((unsigned)d->type > SN_SPRING)
        return sn__fail(error, SN_ERROR_ARGUMENT, "no such kind of constraint");
    const sn_body_info *b = body_of(w, d->character, d->body);
    if (!b)
        return sn__fail(error, SN_ERROR_ARGUMENT, "no character %d with a body %d", d->character, d->body);
    if (d->type == SN_PIN && d->character2 >= 0 && !body_of(w, d->character2, d->body2))
        return sn__fail(error, SN_ERROR_ARGUMENT, "no character %d with a body %d", d->character2, d->body2);
    if (d->type == SN_PIN && d->character == d->character2 && d->body == d->body2)
        return sn__fail(error, SN_ERROR_ARGUMENT, "body %d cannot be pinned to itself", d->body);
    if (!all_finite(d->point, 3) || !all_finite(d->point2, 3) || !all_finite(d->target, 7) ||
        !all_finite(d->target_velocity, 6))
        return sn__fail(error, SN_ERROR_ARGUMENT, "a point or a target is not finite");
    if (d->type == SN_JOINT_PATH && b->nv == 0)
        return sn__fail(error, SN_ERROR_ARGUMENT, "the joint of body %d has no degree of freedom", d->body);
    if ((d->type == SN_POINT_PATH || d->type == SN_JOINT_PATH) && !(d->settle > 0 && isfinite(d->settle)))
        return sn__fail(error, SN_ERROR_ARGUMENT, "settle is %g: it must be positive and finite", d->settle);
    if (!(d->max_force > 0))
        return sn__fail(error, SN_ERROR_ARGUMENT, "max_force is %g: it must be positive", d->max_force);
    if (d->type == SN_SPRING &&
        (!(d->stiffness >= 0) || !(d->damping >= 0) || !(d->stiffness + d->damping > 0) ||
         !isfinite(d->stiffness) || !isfinite(d->damping)))
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "stiffness %g and damping %g: none may be negative, one must be positive",
                        d->stiffness, d->damping);
    return SN_OK;
}

/* A quaternion in the target of a joint, made of unit length; one that has none means no turn. */
static void tidy_target(const sn_world *w, sn_constraint_def *d) {
    if (d->type != SN_JOINT_PATH) return;
    const sn_body_info *b = body_of(w, d->character, d->body);
    double *q = b->joint.type == SN_JOINT_BALL   ? d->target
                : b->joint.type == SN_JOINT_FREE ? d->target + 3
                                                 : NULL;
    if (q && !dquat_normalise(q)) dquat_identity(q);
}

sn_constraint sn_world_add_constraint(sn_world *w, const sn_constraint_def *def, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    if (sn__tie_check(w, def, error)) return 0;
    int place = 0;
    while (place < w->ntie && w->tie[place].used)
        place++;
    if (place == w->ntie) {
        const int room = w->tie_room;
        struct sn__tie *tie = sn__grow(w->tie, &w->tie_room, w->ntie + 1, sizeof *tie);
        if (tie) {
            w->tie = tie;
            memset(&tie[w->ntie], 0, sizeof *tie);
        }
        if (!tie || (w->tie_room > room && !sn__world_reserve(w))) {
            sn__fail(error, SN_ERROR_MEMORY, "no memory for a constraint");
            return 0;
        }
        w->ntie++;
    }
    struct sn__tie *t = &w->tie[place];
    *t = (struct sn__tie){.def = *def, .generation = t->generation + 1, .used = true};
    if (t->generation == 0) t->generation = 1;
    tidy_target(w, &t->def);
    return handle_of(w, t);
}

sn_status sn_world_remove_constraint(sn_world *w, sn_constraint c) {
    struct sn__tie *t = find(w, c);
    if (!t) return SN_ERROR_ARGUMENT;
    t->used = false;
    return SN_OK;
}

sn_status sn_world_set_constraint(sn_world *w, sn_constraint c, const double *target,
                                  const double *velocity) {
    struct sn__tie *t = find(w, c);
    if (!t) return SN_ERROR_ARGUMENT;
    int nq = 3, nv = 3;
    if (t->def.type == SN_JOINT_PATH) {
        const sn_body_info *b = body_of(w, t->def.character, t->def.body);
        nq = b->nq, nv = b->nv;
    }
    if ((target && !all_finite(target, nq)) || (velocity && !all_finite(velocity, nv)))
        return SN_ERROR_ARGUMENT;
    if (target) memcpy(t->def.target, target, sizeof *target * (size_t)nq);
    if (velocity) memcpy(t->def.target_velocity, velocity, sizeof *velocity * (size_t)nv);
    tidy_target(w, &t->def);
    return SN_OK;
}

int sn_world_constraint_force(const sn_world *w, sn_constraint c, double *force) {
    const struct sn__tie *t = find(w, c);
    if (!t) return -1;
    if (force) memcpy(force, t->force, sizeof *force * (size_t)t->rows);
    return t->rows;
}

/* --------------------------------------------------------------------------------------------------- rows */

/* A row whose force is reported as number k of the constraint; two-sided within max_force. */
static struct sn__pgs_row *tie_row(sn_world *w, struct sn__tie *t, double h, int member,
                                   const struct sn__row *r) {
    struct sn__pgs_row *row = sn__world_add_row(w);
    if (!row) return NULL;
    if (!sn__world_add_side(w, row, 0, member, r)) {
        w->nrow--;
        return NULL;
    }
    row->hi = t->def.max_force * h;
    row->lo = -row->hi;
    if (w->level != SN__LEVEL_IMPACT) {
        w->more[w->nrow - 1].owner = &t->force[t->rows];
        w->f[w->nrow - 1] = t->force[t->rows] * h; /* a warm start */
    }
    t->rows++;
    return row;
}

static void world_point(const struct sn__member *m, int body, const double local[3], double x[3],
                        double v[3]) {
    const double *place = m->place + SN__PLACE * body;
    const double *anchor = m->character->pack.model->body[body].joint.anchor;
    const double p[3] = {local[0] - anchor[0], local[1] - anchor[1], local[2] - anchor[2]};
    double r[3];
    for (int i = 0; i < 3; i++)
        r[i] = place[3 + 3 * i] * p[0] + place[4 + 3 * i] * p[1] + place[5 + 3 * i] * p[2];
    dvec_cross(place + 15, r, v);
    for (int i = 0; i < 3; i++)
        x[i] = place[i] + r[i], v[i] += place[12 + i];
}

/* A point held on another point: no relative velocity, and what error there is taken out of the positions. */
static void pin_rows(sn_world *w, struct sn__tie *t, double h) {
    const sn_constraint_def *d = &t->def;
    const struct sn__member *m = &w->member[d->character];
    double x[3], y[3], v[3];
    world_point(m, d->body, d->point, x, v);
    memcpy(y, d->point2, sizeof y);
    if (d->character2 >= 0) world_point(&w->member[d->character2], d->body2, d->point2, y, v);
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2};
        const struct sn__row r = sn__point_row(m, d->body, x, axis, 1);
        struct sn__pgs_row *row = tie_row(w, t, h, d->character, &r);
        if (!row) return;
        if (d->character2 >= 0) {
            const struct sn__row other = sn__point_row(&w->member[d->character2], d->body2, y, axis, -1);
            if (!sn__world_add_side(w, row, 1, d->character2, &other)) return;
        }
        row->b = sn__world_row_velocity(w, row);
        const double speed =
            (y[k] - x[k]) / (1.25 * h); /* nearly all at once: it is no velocity of the state */
        if (w->level != SN__LEVEL_IMPACT) w->more[w->nrow - 1].bias = fmax(-2, fmin(2, speed));
    }
}

/* The acceleration of a body's point at qdd = 0: J' qd of eq. 32. */
static void product_of(const struct sn__member *m, int body, const double x[3], double a[3]) {
    const double *place = m->place + SN__PLACE * body, *w = place + 15;
    const double r[3] = {x[0] - place[0], x[1] - place[1], x[2] - place[2]};
    double zero[6], turn[3], in[3];
    const struct sn__args args = sn__member_args(m);
    m->character->pack.k->rows->products(&args, body, zero);
    dvec_cross(zero + 3, r, turn);
    dvec_cross(w, r, in);
    dvec_cross(w, in, a);
    for (int k = 0; k < 3; k++)
        a[k] += zero[k] + turn[k];
}

/* eq. 22: the acceleration Kp (target - x) + Kd (target' - x'), for a point; J qdd is that less J' qd. */
static void point_rows(sn_world *w, struct sn__tie *t, double h) {
    const sn_constraint_def *d = &t->def;
    const struct sn__member *m = &w->member[d->character];
    const double kp = 1 / (d->settle * d->settle), kd = M_SQRT2 / d->settle;
    double x[3], v[3], product[3];
    world_point(m, d->body, d->point, x, v);
    product_of(m, d->body, x, product);
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2};
        const struct sn__row r = sn__point_row(m, d->body, x, axis, 1);
        struct sn__pgs_row *row = tie_row(w, t, h, d->character, &r);
        if (!row) return;
        const double a = kp * (d->target[k] - x[k]) + kd * (d->target_velocity[k] - v[k]);
        row->b = sn__world_row_velocity(w, row) - (v[k] + h * (a - product[k]));
    }
}

/* A spring to the target, implicit: f = k (target - x - h u) + c (target' - u) is the soft row
     u + f h / (h (h k + c)) = (k e + c target') / (h k + c). */
static void spring_rows(sn_world *w, struct sn__tie *t, double h) {
    const sn_constraint_def *d = &t->def;
    const struct sn__member *m = &w->member[d->character];
    const double b = h * d->stiffness + d->damping;
    double x[3], v[3];
    world_point(m, d->body, d->point, x, v);
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2};
        const struct sn__row r = sn__point_row(m, d->body, x, axis, 1);
        struct sn__pgs_row *row = tie_row(w, t, h, d->character, &r);
        if (!row) return;
        row->soft = 1 / (h * b);
        row->b = sn__world_row_velocity(w, row) -
                 (d->stiffness * (d->target[k] - x[k]) + d->damping * d->target_velocity[k]) / b;
    }
}

/* Position error of a joint, and the velocity its target has there, in the order of qd. */
static void joint_error(const sn_body_info *b, const double *q, const sn_constraint_def *d, double e[6],
                        double rate[6]) {
    const bool ball = b->joint.type == SN_JOINT_BALL, free = b->joint.type == SN_JOINT_FREE;
    const int linear = ball ? 0 : free ? 3 : b->nv;
    for (int k = 0; k < linear; k++) {
        e[k] = d->target[k] - q[k];
        rate[k] = d->target_velocity[k];
    }
    if (!ball && !free) return;
    double back[4], turn[4];
    dquat_conjugate(q + linear, back);
    dquat_multiply(back, d->target + linear, turn);
    dquat_log(turn, e + linear);
    dquat_rotate(turn, d->target_velocity + linear, rate + linear); /* the target's axes to the body's own */
}

static void joint_rows(sn_world *w, struct sn__tie *t, double h) {
    const sn_constraint_def *d = &t->def;
    const struct sn__member *m = &w->member[d->character];
    const struct sn__pack *p = &m->character->pack;
    const sn_body_info *b = &p->model->body[d->body];
    const double kp = 1 / (d->settle * d->settle), kd = M_SQRT2 / d->settle;
    double *q = m->character->row, e[6], rate[6];
    sn__pack_get(p, SN__Q, 0, p->model->nq, q);
    joint_error(b, q + b->q_index, d, e, rate);
    sn__pack_get(p, SN__QD, 0, p->model->nv, q);
    for (int k = 0; k < b->nv; k++) {
        struct sn__row r = {.body = d->body, .joint = 1};
        r.w[k] = 1;
        struct sn__pgs_row *row = tie_row(w, t, h, d->character, &r);
        if (!row) return;
        const double v = q[b->v_index + k], a = kp * e[k] + kd * (rate[k] - v);
        row->b = sn__world_row_velocity(w, row) - (v + h * a);
    }
}

void sn__world_tie_rows(sn_world *w, double h) {
    for (int i = 0; i < w->ntie; i++) {
        struct sn__tie *t = &w->tie[i];
        t->rows = 0;
        if (!t->used || !w->member[t->def.character].active) continue;
        if (t->def.type == SN_PIN && t->def.character2 >= 0 && !w->member[t->def.character2].active) continue;
        if (t->def.type != SN_PIN && w->level == SN__LEVEL_IMPACT)
            continue; /* no force of theirs is impulsive */
        switch (t->def.type) {
        case SN_PIN:
            pin_rows(w, t, h);
            break;
        case SN_POINT_PATH:
            point_rows(w, t, h);
            break;
        case SN_JOINT_PATH:
            joint_rows(w, t, h);
            break;
        case SN_SPRING:
            spring_rows(w, t, h);
            break;
        }
    }
}
