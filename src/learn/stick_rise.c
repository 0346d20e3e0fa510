/* Getting up, as part of the task with a stick: the reference is a motion until the character stands. Its place and yaw follow
 * the character, it begins as far turned over as the character lies, and it waits for a character that is behind. Training
 * begins from ragdolls that lie as they fell. */
#include "base/elementary.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "learn/imitate.h"
#include "learn/random.h"
#include "motion/rise.h"

#include <string.h>

/* Time constants by which place and yaw follow, s; how long the first pose is held; upright enough to go: height of the pelvis in
   legs, and height of its axis that points up. */
static const double PLACE = .15, YAW = .3, HOLD = .4, HIGH = .75, UPRIGHT = .8;
/* Turned away from the motion by this much it slows down, and by this much it stands still, rad; height in m, too; for so long
   altogether, s. */
static const double TURNED[2] = {.6, 1.2}, LOW[2] = {.2, .35}, PATIENCE = 3;

/* ------------------------------------------------------------------------------------------------- the reference */

static void rotation_of(const float *root, double rotation[4]) {
    for (int k = 0; k < 4; k++)
        rotation[k] = (double)root[3 + k];
}

static void frames(const struct sn__imitate *im, struct sn__stick_copy *c) {
    const double dt = 1.0 / im->def.rate;
    const double time = c->time + (c->hold > 0 ? 0 : dt);
    sn__rise_frame(im->stride, c->way, time, c->place, c->yaw, &c->next);
    sn_model_pose_subtract(im->def.model, 1, c->next.q, c->now.q, c->next.qd);
    for (int i = 0; i < im->nv; i++)
        c->next.qd[i] /= dt;
    c->next.qd[0] = c->next.qd[1] = 0; /* what following adds */
}

void sn__stick_rise(const struct sn__imitate *im, struct sn__stick_copy *c, const float root[7]) {
    double rotation[4];
    rotation_of(root, rotation);
    memset(c, 0, sizeof *c);
    c->way = sn__rise_choose(rotation, &c->time);
    c->hold = HOLD;
    c->place[0] = (double)root[0], c->place[1] = (double)root[1];
    c->yaw = sn__rise_yaw(c->way, c->time, rotation);
    sn__rise_frame(im->stride, c->way, c->time, c->place, c->yaw, &c->now);
    frames(im, c);
}

bool sn__stick_stands(const struct sn__imitate *im, const struct sn__imitate_view *view) {
    const float *q = view->pose + 3, up = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
    return (double)(view->pose[2] - view->ground) > HIGH * im->stride->human.leg && (double)up > UPRIGHT;
}

double sn__stick_risen(const struct sn__stick_copy *c) {
    return (c->time + sn__rise_turn()) / (sn__rise_length() + sn__rise_turn());
}

static double within_reach(const double range[2], double x) {
    return fmin(1, fmax(0, (range[1] - x) / (range[1] - range[0])));
}

/* How fast the motion goes on: at its own speed where the character is near, not at all where it is too far behind. */
static double pace_of(const struct sn__stick_copy *c, const struct sn__imitate_view *view,
                      const double rotation[4]) {
    double back[4], turn[3];
    dquat_conjugate(c->next.q + 3, back);
    dquat_multiply(back, rotation, back);
    dquat_log(back, turn);
    return within_reach(TURNED, dvec_length(turn)) *
           within_reach(LOW, c->next.q[2] - (double)(view->pose[2] - view->ground));
}

/* The motion is over: the gait takes over, or it begins again. */
static bool end_rise(const struct sn__imitate *im, struct sn__stick_copy *c,
                     const struct sn__imitate_view *view) {
    const bool stands = sn__stick_stands(im, view);
    if (stands)
        sn__stick_begin(im, c, view);
    else
        sn__stick_rise(im, c, view->pose);
    return stands;
}

bool sn__stick_rise_advance(const struct sn__imitate *im, struct sn__stick_copy *c,
                            const struct sn__imitate_view *view) {
    const double dt = 1.0 / im->def.rate;
    double rotation[4];
    rotation_of(view->pose, rotation);
    if (c->hold > 0) {
        c->hold -= dt;
    } else {
        const double pace = pace_of(c, view, rotation);
        c->time += pace * dt;
        c->late += (1 - pace) * dt;
    }
    if (c->time >= sn__rise_length() || c->late > PATIENCE) return end_rise(im, c, view);
    for (int k = 0; k < 2; k++)
        c->place[k] += (1 - sn__exp(-dt / PLACE)) * ((double)view->pose[k] - c->place[k]);
    const double off = remainder(sn__rise_yaw(c->way, c->time, rotation) - c->yaw, 2 * M_PI);
    c->yaw += (1 - sn__exp(-dt / YAW)) * off;
    c->now = c->next;
    frames(im, c);
    return true;
}

void sn__stick_change_side(struct sn__stick_copy *c, const float root[7]) {
    double time, rotation[4];
    rotation_of(root, rotation);
    const enum rise_way way = sn__rise_choose(rotation, &time);
    if (c->time >= 0 || way == (enum rise_way)c->way || time <= c->time) return;
    c->way = way;
    c->time = time;
    c->yaw = sn__rise_yaw(way, time, rotation);
}

/* --------------------------------------------------------------------------------------------------- lying starts */

enum { RAGDOLLS = 256 };
static const double FALL = 2.5; /* s */

static double between(struct sn__random *r, double low, double high) {
    return low + (high - low) * sn__random_uniform(r);
}

/* Standing characters that are thrown and spun, as number `item` always is. */
static void throw_one(const struct sn__imitate *im, int item, double q[STRIDE_NQ], double qd[STRIDE_NV]) {
    struct sn__random r = sn__random_at(1, SN__STREAM_PLACE, (uint32_t)item, 0);
    struct stride_state s;
    struct stride_frame frame;
    const double place[2] = {0, 0}, angle = between(&r, 0, 2 * M_PI), speed = between(&r, 1, 3.5);
    sn__stride_begin(im->stride, &s, place, between(&r, 0, 2 * M_PI));
    sn__stride_frame(im->stride, &s, 0, NULL, 1, &frame);
    memcpy(q, frame.q, sizeof frame.q);
    memset(qd, 0, STRIDE_NV * sizeof *qd);
    q[2] += .05;
    qd[0] = speed * sn__cos(angle), qd[1] = speed * sn__sin(angle);
    for (int k = 3; k < STRIDE_NV; k++)
        qd[k] = between(&r, -3, 3);
}

/* They fall as ragdolls do. What still moves too fast afterwards is refused later, by its height. */
static sn_status fall(const struct sn__imitate *im, sn_part *part, sn_error *error) {
    const struct sn__imitate_room *room = part->own;
    double kp[STRIDE_NV], kd[STRIDE_NV];
    for (int i = 0; i < STRIDE_NV; i++)
        kp[i] = SN__LIMP_KP * im->gains[i], kd[i] = SN__LIMP_KD * im->gains[im->nv + i];
    for (int i = 0; i < part->copies; i++) {
        double q[STRIDE_NQ], qd[STRIDE_NV];
        throw_one(im, i, q, qd);
        for (int k = 0; k < im->nq; k++)
            room->state_q[i * im->nq + k] = room->target[i * im->nq + k] = (float)q[k];
        for (int k = 0; k < im->nv; k++)
            room->state_qd[i * im->nv + k] = (float)qd[k];
    }
    sn_status status = sn_world_set_gains(part->world, SN__CHARACTER, kp, kd);
    if (!status) status = sn_world_put(part->world, SN__CHARACTER, SN_FIELD_Q, NULL, room->state_q);
    if (!status) status = sn_world_put(part->world, SN__CHARACTER, SN_FIELD_QD, NULL, room->state_qd);
    if (!status) status = sn_world_put(part->world, SN__CHARACTER, SN_FIELD_TARGET_Q, NULL, room->target);
    for (int n = (int)(FALL * im->def.rate * im->def.substeps); n > 0 && !status; n--) {
        status = sn_world_step(part->world);
        if (status == SN_ERROR_NOT_FINITE) status = SN_OK;
    }
    return status ? sn__fail(error, status, "ragdolls to get up from cannot be made") : SN_OK;
}

sn_status sn__stick_lie_make(struct sn__imitate *im, sn_error *error) {
    sn_part part = {.copies = RAGDOLLS};
    im->lying = sn__alloc((size_t)RAGDOLLS * (size_t)im->nq, sizeof *im->lying);
    if (!im->lying) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    sn_status status = sn__imitate_open(im, &part, error);
    if (!status) status = fall(im, &part, error);
    const float *q = status ? NULL : sn_world_view(part.world, SN__CHARACTER, SN_FIELD_Q);
    const float *bad = status ? NULL : sn_world_view(part.world, SN__CHARACTER, SN_FIELD_DIVERGED);
    if (!status && (!q || !bad)) status = sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < RAGDOLLS && !status; i++) {
        float *to = im->lying + (size_t)im->ragdolls * (size_t)im->nq;
        if (bad[i] > 0 || q[i * im->nq + 2] > .3f) continue;
        memcpy(to, q + i * im->nq, (size_t)im->nq * sizeof *to);
        to[0] = to[1] = 0;
        im->ragdolls++;
    }
    if (!status && im->ragdolls < 1) status = sn__fail(error, SN_ERROR_ARGUMENT, "no ragdoll came to lie");
    sn__imitate_close(im, &part);
    sn_world_free(part.world);
    return status;
}

/* Three of five episodes begin with a ragdoll at rest, the others anywhere between belly and feet. */
void sn__stick_draw_lying(const struct sn__imitate *im, struct sn__random *r, struct sn__stick_copy *c,
                          float *q, float *qd) {
    memset(qd, 0, (size_t)im->nv * sizeof *qd);
    if (sn__random_uniform(r) < .6) {
        const uint32_t item = sn__random_below(r, (uint32_t)im->ragdolls);
        memcpy(q, im->lying + (size_t)item * (size_t)im->nq, (size_t)im->nq * sizeof *q);
        sn__stick_rise(im, c, q);
        return;
    }
    memset(c, 0, sizeof *c);
    c->way = sn__random_uniform(r) < .5 ? RISE_RIGHT_UP : RISE_LEFT_UP;
    c->time = sn__random_uniform(r) * sn__rise_length();
    sn__rise_frame(im->stride, c->way, c->time, c->place, c->yaw, &c->now);
    frames(im, c);
    memcpy(c->now.qd, c->next.qd, sizeof c->now.qd);
    for (int i = 0; i < im->nq; i++)
        q[i] = (float)c->now.q[i];
    for (int i = 0; i < im->nv; i++)
        qd[i] = (float)c->now.qd[i];
    q[2] += .03f; /* the motions dip into the ground by so much */
}
