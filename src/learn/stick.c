/* A character that a stick steers, as a task. The reference is the gait of motion/stride.h, which feels the character; the rest
 * is imitation. Left and right are one: in the second half of a round the policy sees and acts as in a mirror. */
#include "base/elementary.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "learn/imitate.h"
#include "learn/random.h"

#include <string.h>

struct sn__stick_copy *sn__stick_copy(const sn_part *part, int copy) {
    return (struct sn__stick_copy *)part->state + copy;
}

/* ----------------------------------------------------------------------------------------------------------- made */

sn_status sn__stick_make(struct sn__imitate *im, sn_error *error) {
    im->stride = sn__alloc(1, sizeof *im->stride);
    im->twin = sn__alloc((size_t)im->nbody, sizeof *im->twin);
    if (!im->stride || !im->twin) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    if (!sn__stride_find(im->stride, im->def.model, error)) return SN_ERROR_ARGUMENT;
    const struct human *h = &im->stride->human;
    const int *const pairs[] = {h->thigh, h->shin, h->foot, h->upper_arm, h->forearm};
    for (int i = 0; i < im->nbody; i++)
        im->twin[i] = i;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        for (int side = 0; side < 2; side++)
            im->twin[pairs[k][side]] = pairs[k][1 - side];
    im->observations = im->nbody * 13 + SN__STICK_OBSERVATIONS;
    return im->def.get_up ? sn__stick_lie_make(im, error) : SN_OK;
}

/* -------------------------------------------------------------------------------------------------------- the plan */

static void feel(const struct sn__imitate *im, struct stride_state *plan, const struct sn__imitate_view *view,
                 double dt) {
    const struct human *h = &im->stride->human;
    struct stride_felt felt;
    float effector[3 * STRIDE_EFFECTORS], velocity[3];
    sn__effectors_of(im, view, effector, velocity);
    for (int k = 0; k < 3; k++)
        felt.pelvis[k] = (double)view->pose[k];
    for (int k = 0; k < 4; k++)
        felt.rotation[k] = (double)view->pose[3 + k];
    for (int k = 0; k < 2; k++)
        felt.velocity[k] = (double)velocity[k];
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++)
            felt.ankle[side][k] = (double)view->pose[7 * h->foot[side] + k];
    sn__stride_feel(im->stride, plan, &felt, dt);
}

void sn__stick_begin(const struct sn__imitate *im, struct sn__stick_copy *c,
                     const struct sn__imitate_view *view) {
    const double dt = 1.0 / im->def.rate, place[2] = {(double)view->pose[0], (double)view->pose[1]};
    float h[2];
    sn__heading(view->pose + 3, h);
    memset(c, 0, sizeof *c);
    sn__stride_begin(im->stride, &c->plan, place, sn__atan2((double)h[1], (double)h[0]));
    feel(im, &c->plan, view, dt);
    sn__stride_frame(im->stride, &c->plan, 0, NULL, dt, &c->now);
    sn__stride_frame(im->stride, &c->plan, dt, &c->now, dt, &c->next);
}

bool sn__stick_advance(const struct sn__imitate *im, struct sn__stick_copy *c, const double stick[3],
                       const struct sn__imitate_view *view) {
    const double dt = 1.0 / im->def.rate;
    if (c->way) return sn__stick_rise_advance(im, c, view);
    c->stood++;
    sn__stride_advance(im->stride, &c->plan, stick, dt);
    feel(im, &c->plan, view, dt);
    c->now = c->next;
    sn__stride_frame(im->stride, &c->plan, dt, &c->now, dt, &c->next);
    return true;
}

/* ---------------------------------------------------------------------------------------------------- observation */

static bool is_mirrored(const struct sn__stick_copy *c) {
    return c->way == RISE_LEFT_UP || (c->way == RISE_NONE && c->plan.phase >= .5);
}

/* A vector in the heading frame, in the mirror if m is -1; so a vector that turns; so a rotation. */
static float *put_vector(const float h[2], float m, const float x[3], float *out) {
    sn__into_heading(h, x, out);
    out[1] *= m;
    return out + 3;
}

static float *put_turn(const float h[2], float m, const float x[3], float *out) {
    sn__into_heading(h, x, out);
    out[0] *= m, out[2] *= m;
    return out + 3;
}

static float *put_rotation(const float h[2], float m, const float q[4], float *out) {
    const float c = sqrtf(fmaxf(0, (1 + h[0]) / 2)), s = copysignf(sqrtf(fmaxf(0, (1 - h[0]) / 2)), h[1]);
    const float w = c * q[0] + s * q[3], a = c * q[1] + s * q[2], b = c * q[2] - s * q[1],
                d = c * q[3] - s * q[0];
    const float sign = w < 0 ? -1 : 1;
    out[0] = sign * w, out[1] = m * sign * a, out[2] = sign * b, out[3] = m * sign * d;
    return out + 4;
}

static float *put_bodies(const struct sn__imitate *im, const struct sn__imitate_view *view, const float h[2],
                         float m, float *out) {
    const float *root = view->pose;
    float *velocity = out + im->nbody * 7;
    for (int i = 0; i < im->nbody; i++) {
        const int body = m < 0 ? im->twin[i] : i;
        const float *pose = view->pose + 7 * body;
        float at[3], v[3];
        sn__body_centre(&im->body[body], pose, view->velocity + 6 * body, at, v);
        const float away[3] = {at[0] - root[0], at[1] - root[1], at[2] - root[2]};
        out = put_vector(h, m, away, out);
        out = put_rotation(h, m, pose + 3, out);
        velocity = put_vector(h, m, v, velocity);
        velocity = put_turn(h, m, view->velocity + 6 * body + 3, velocity);
    }
    return velocity;
}

/* The root of the pose to come, and what is planned. */
static float *put_plan(const struct sn__stick_copy *c, const struct sn__imitate_view *view, const float h[2],
                       float m, float *out) {
    const struct stride_state *p = &c->plan;
    const double a = p->heading, *v = p->velocity;
    float way[3], rotation[4];
    for (int k = 0; k < 3; k++)
        way[k] = (float)(c->next.q[k] - (double)view->pose[k]);
    way[2] += view->ground;
    for (int k = 0; k < 4; k++)
        rotation[k] = (float)c->next.q[3 + k];
    const float velocity[3] = {(float)(sn__cos(a) * v[0] - sn__sin(a) * v[1]),
                               (float)(sn__sin(a) * v[0] + sn__cos(a) * v[1]), m * (float)p->turn};
    out = put_vector(h, m, way, out);
    out = put_rotation(h, m, rotation, out);
    return put_vector(h, m, velocity, out);
}

static float *put_joints(const struct sn__imitate *im, const struct sn__stick_copy *c, float m, float *out) {
    for (int i = 1; i < im->nbody; i++) {
        const struct sn__imitate_body *b = &im->body[m < 0 ? im->twin[i] : i];
        double v[3];
        if (b->quaternion < 0) {
            *out++ = (float)c->next.q[b->q];
            continue;
        }
        dquat_log(c->next.q + b->q, v);
        *out++ = m * (float)v[0];
        *out++ = (float)v[1];
        *out++ = m * (float)v[2];
    }
    return out;
}

/* The phase as an angle: a round of two steps, or half a turn from lying to standing. */
static double around_of(const struct sn__stick_copy *c) {
    if (c->way) return M_PI * sn__stick_risen(c);
    return 2 * M_PI * (is_mirrored(c) ? c->plan.phase - .5 : c->plan.phase);
}

/* A pelvis that lies has no heading of its own. */
static void heading_of(const struct sn__stick_copy *c, const struct sn__imitate_view *view, float h[2]) {
    sn__heading(view->pose + 3, h);
    if (c->way) h[0] = (float)sn__cos(c->yaw), h[1] = (float)sn__sin(c->yaw);
}

void sn__stick_observe(const struct sn__imitate *im, const struct sn__stick_copy *c,
                       const struct sn__imitate_view *view, float *out) {
    const struct stride_state *p = &c->plan;
    const float m = is_mirrored(c) ? -1 : 1;
    const double around = around_of(c);
    float h[2];
    heading_of(c, view, h);
    *out++ = view->pose[2] - view->ground;
    out = put_bodies(im, view, h, m, out);
    out = put_plan(c, view, h, m, out);
    out = put_joints(im, c, m, out);
    *out++ = (float)sn__cos(around);
    *out++ = (float)sn__sin(around);
    *out++ = (float)(c->way ? -1 : p->activity);
    *out++ = (float)(c->way ? c->hold : p->stick[0]);
    *out++ = m * (float)p->stick[1];
    *out = m * (float)p->stick[2];
}

/* Actions turn the joints of the pose to come. */
void sn__stick_target(const struct sn__imitate *im, const struct sn__stick_copy *c, const float *action,
                      double *target) {
    const double m = is_mirrored(c) ? -1 : 1, scale = M_PI * im->def.action_scale;
    memcpy(target, c->next.q, sizeof c->next.q);
    for (int i = 1; i < im->nbody; i++) {
        const struct sn__imitate_body *b = &im->body[m < 0 ? im->twin[i] : i];
        if (b->quaternion < 0) {
            target[b->q] += (double)(b->span[0] * *action++);
            continue;
        }
        const double by[3] = {m * scale * (double)action[0], scale * (double)action[1],
                              m * scale * (double)action[2]};
        double turn[4];
        dquat_exp(by, turn);
        dquat_multiply(target + b->q, turn, target + b->q);
        action += 3;
    }
}

/* --------------------------------------------------------------------------------------------------------- reward */

const char *const sn__stick_terms[SN__STICK_TERMS] = {"pose", "velocity", "end effectors", "root", "speed"};

/* The pose to have now, as the terms of imitation want it. */
static void wanted_of(const struct sn__stick_copy *c, float q[STRIDE_NQ], float qd[STRIDE_NV],
                      struct sn__wanted *w) {
    const struct stride_state *p = &c->plan;
    for (int i = 0; i < STRIDE_NQ; i++)
        q[i] = (float)c->now.q[i];
    for (int i = 0; i < STRIDE_NV; i++)
        qd[i] = (float)c->now.qd[i];
    *w = (struct sn__wanted){.q = q, .qd = qd};
    memcpy(w->root, q, sizeof w->root);
    memcpy(w->root_qd, qd, sizeof w->root_qd);
    w->com_velocity[0] = (float)(sn__cos(p->heading) * p->velocity[0] - sn__sin(p->heading) * p->velocity[1]);
    w->com_velocity[1] = (float)(sn__sin(p->heading) * p->velocity[0] + sn__cos(p->heading) * p->velocity[1]);
    w->root_qd[0] = w->com_velocity[0],
    w->root_qd[1] = w->com_velocity[1]; /* planned, not what following adds */
}

static double squares(int n, const float *a, const float *b) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)((a[i] - b[i]) * (a[i] - b[i]));
    return sum;
}

static double effectors_off(const struct sn__stick_copy *c, const struct sn__imitate_view *view,
                            const float *effector) {
    const float root[4] = {(float)c->now.q[3], (float)c->now.q[4], (float)c->now.q[5], (float)c->now.q[6]};
    float h[2], there[3];
    double sum = 0;
    sn__heading(c->way ? view->pose + 3 : root, h); /* who lies is compared in the world */
    for (int i = 0; i < STRIDE_EFFECTORS; i++) {
        const double *at = c->now.effector[i];
        const float away[3] = {(float)(at[0] - c->now.q[0]), (float)(at[1] - c->now.q[1]), (float)at[2]};
        sn__into_heading(h, away, there);
        sum += squares(3, effector + 3 * i, there);
    }
    return sum;
}

static void judge(const struct sn__imitate *im, const struct sn__stick_copy *c,
                  const struct sn__imitate_view *view, double *term) {
    float q[STRIDE_NQ], qd[STRIDE_NV], effector[3 * STRIDE_EFFECTORS], velocity[3];
    double pose, rates, turn[3];
    const double actual[4] = {(double)view->q[3], (double)view->q[4], (double)view->q[5], (double)view->q[6]};
    double back[4];
    struct sn__wanted w;
    wanted_of(c, q, qd, &w);
    sn__effectors_of(im, view, effector, velocity);
    sn__joint_errors(im, view, &w, &pose, &rates);
    dquat_conjugate(c->now.q + 3, back);
    dquat_multiply(back, actual, back);
    dquat_log(back, turn);
    const double slow = squares(2, velocity, w.com_velocity), J = im->joints;
    const double root = squares(3, view->q, w.root) + .1 * dvec_dot(turn, turn) +
                        .01 * squares(3, view->qd, w.root_qd) +
                        .001 * squares(3, view->qd + 3, w.root_qd + 3);
    term[0] = .35 * sn__exp(-2. / 15 * J * pose);
    term[1] = .05 * sn__exp(-.1 / 15 * J * rates);
    term[2] = .1 * sn__exp(-10 * effectors_off(c, view, effector));
    term[3] = .1 * sn__exp(-5 * root);
    term[4] = .15 * sn__exp(-3 * slow) + .25 * sn__exp(-20 * slow);
    if (c->way) { /* it has no speed to keep: what counts is how high the pelvis is, and how upright */
        const double low = (double)(view->q[2] - view->ground) - c->now.q[2];
        term[4] = .2 * sn__exp(-30 * low * low) + .2 * sn__exp(-2 * dvec_dot(turn, turn));
    }
}

/* ------------------------------------------------------------------------------------------------------- episodes */

static double between(struct sn__random *r, double low, double high) {
    return low + (high - low) * sn__random_uniform(r);
}

/* A stick as players hold it: let go, turned on the spot, back, aside, or ahead with and without a turn. */
static void draw_stick(struct sn__random *r, double stick[3]) {
    const double kind = sn__random_uniform(r);
    memset(stick, 0, 3 * sizeof *stick);
    if (kind < .12) return;
    if (kind < .22) {
        stick[2] = between(r, -2, 2);
    } else if (kind < .38) {
        stick[0] = between(r, -1, 0);
    } else if (kind < .52) {
        stick[1] = between(r, -.8, .8);
    } else {
        stick[0] = between(r, .2, 4);
        if (sn__random_uniform(r) < .6) stick[2] = between(r, -1.5, 1.5);
    }
}

/* The stick of the control step that comes: another one now and then. */
static void hold_stick(const struct sn__imitate *im, const sn_episode *e, const double before[3],
                       double stick[3]) {
    memcpy(stick, im->def.stick_time > 0 ? before : im->def.stick_hold, 3 * sizeof *stick);
    if (im->def.get_up) memset(stick, 0, 3 * sizeof *stick);
    if (!(im->def.stick_time > 0) || im->def.get_up) return;
    struct sn__random r =
        sn__random_at(e->seed, SN__STREAM_COMMAND, e->item, (uint64_t)e->count << 32 | (uint32_t)e->steps);
    if (sn__random_uniform(&r) < 1 / (im->def.stick_time * im->def.rate)) draw_stick(&r, stick);
}

/* Starts as a gait that has gone on by itself for a while, under a stick or two. */
static void draw_start(const struct sn__imitate *im, sn_part *part, int copy) {
    const struct sn__imitate_room *room = part->own;
    const sn_episode *e = &part->episode[copy];
    struct sn__stick_copy *c = sn__stick_copy(part, copy);
    struct sn__random r = sn__random_at(e->seed, SN__STREAM_RESET, e->item, e->count - 1);
    const double dt = 1.0 / im->def.rate, place[2] = {0, 0};
    double stick[3];
    room->fallen[copy] = false;
    if (im->lying) {
        sn__stick_draw_lying(im, &r, c, room->state_q + copy * im->nq, room->state_qd + copy * im->nv);
        return;
    }
    memset(c, 0, sizeof *c);
    sn__stride_begin(im->stride, &c->plan, place, 0);
    for (int k = 0; k < 2; k++) {
        if (im->def.stick_time > 0)
            draw_stick(&r, stick);
        else
            memcpy(stick, im->def.stick_hold, sizeof stick);
        for (int n = (int)sn__random_below(&r, 2 * (uint32_t)im->def.rate); n > 0; n--)
            sn__stride_advance(im->stride, &c->plan, stick, dt);
    }
    sn__stride_advance(im->stride, &c->plan, stick, dt);
    sn__stride_frame(im->stride, &c->plan, 0, NULL, dt, &c->now);
    sn__stride_frame(im->stride, &c->plan, dt, &c->now, dt, &c->next);
    memcpy(c->now.qd, c->next.qd, sizeof c->now.qd);
    for (int i = 0; i < im->nq; i++)
        room->state_q[copy * im->nq + i] = (float)c->now.q[i];
    for (int i = 0; i < im->nv; i++)
        room->state_qd[copy * im->nv + i] = (float)c->now.qd[i];
}

static sn_status begin(void *user, sn_part *part, const uint8_t *which, sn_error *error) {
    const struct sn__imitate *im = user;
    for (int i = 0; i < part->copies; i++)
        if (which[i]) draw_start(im, part, i);
    const sn_status status = sn__imitate_put_start(im, part, which);
    return status ? sn__fail(error, status, "an episode cannot begin") : SN_OK;
}

static sn_status act(void *user, sn_part *part, const float *action, sn_error *error) {
    const struct sn__imitate *im = user;
    const struct sn__imitate_room *room = part->own;
    struct sn__imitate_view all;
    for (int i = 0; i < part->copies; i++) {
        double target[STRIDE_NQ];
        sn__stick_target(im, sn__stick_copy(part, i), action + i * im->actions, target);
        for (int k = 0; k < im->nq; k++)
            room->target[i * im->nq + k] = (float)target[k];
    }
    sn_status status = sn__imitate_disturb(im, part, error);
    if (!status) status = sn__imitate_run(im, part, error);
    if (status) return status;
    const float *diverged = sn_world_view(part->world, SN__CHARACTER, SN_FIELD_DIVERGED);
    if (!diverged || !sn__imitate_look(part, &all)) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < part->copies; i++) {
        const struct sn__imitate_view view = sn__imitate_view_of(im, part, &all, i);
        struct sn__stick_copy *c = sn__stick_copy(part, i);
        double stick[3];
        if (c->way) room->fallen[i] = diverged[i] > 0; /* who gets up may touch the ground */
        hold_stick(im, &part->episode[i], c->plan.stick, stick);
        if (!sn__stick_advance(im, c, stick, &view)) room->fallen[i] = true;
    }
    return SN_OK;
}

static sn_status reward(void *user, sn_part *part, double *term, sn_error *error) {
    const struct sn__imitate *im = user;
    const struct sn__imitate_room *room = part->own;
    struct sn__imitate_view all;
    if (!sn__imitate_look(part, &all)) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    memset(term, 0, (size_t)part->copies * SN__STICK_TERMS * sizeof *term);
    for (int i = 0; i < part->copies; i++) {
        const struct sn__imitate_view view = sn__imitate_view_of(im, part, &all, i);
        if (!room->fallen[i]) judge(im, sn__stick_copy(part, i), &view, term + i * SN__STICK_TERMS);
    }
    return SN_OK;
}

/* Who got up and stood for two seconds is done. */
static sn_status ends(void *user, sn_part *part, bool *terminated, bool *truncated, sn_error *error) {
    const struct sn__imitate *im = user;
    const struct sn__imitate_room *room = part->own;
    (void)error;
    for (int i = 0; i < part->copies; i++) {
        terminated[i] = room->fallen[i];
        truncated[i] = im->lying && sn__stick_copy(part, i)->stood >= 2 * im->def.rate;
    }
    return SN_OK;
}

static bool reference(void *user, const sn_part *part, int copy, double *q) {
    (void)user;
    memcpy(q, sn__stick_copy(part, copy)->now.q, sizeof sn__stick_copy(part, copy)->now.q);
    return true;
}

void sn__stick_table(const struct sn__imitate *im, sn_task *task) {
    (void)im;
    task->terms = SN__STICK_TERMS;
    task->term_names = sn__stick_terms;
    task->state = sizeof(struct sn__stick_copy);
    task->begin = begin;
    task->act = act;
    task->reward = reward;
    task->ends = ends;
    task->reference = reference;
}
