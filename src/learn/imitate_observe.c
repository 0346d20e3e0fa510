/* What a policy sees, how near the character is to the reference, and what actions mean. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "learn/imitate.h"

static const float PI = 3.14159265f;

/* ------------------------------------------------------------------------------------------------ observation */

void sn__heading(const float q[4], float h[2]) {
    const float x = 1 - 2 * (q[2] * q[2] + q[3] * q[3]), y = 2 * (q[1] * q[2] + q[0] * q[3]);
    const float length = sqrtf(x * x + y * y);
    h[0] = length > 1e-6f ? x / length : 1;
    h[1] = length > 1e-6f ? y / length : 0;
}

void sn__body_centre(const struct sn__imitate_body *body, const float pose[7], const float velocity[6],
                     float at[3], float v[3]) {
    float arm[3];
    const float *w = velocity + 3;
    sn__turn(pose + 3, body->com, arm);
    for (int k = 0; k < 3; k++)
        at[k] = pose[k] + arm[k];
    v[0] = velocity[0] + w[1] * arm[2] - w[2] * arm[1];
    v[1] = velocity[1] + w[2] * arm[0] - w[0] * arm[2];
    v[2] = velocity[2] + w[0] * arm[1] - w[1] * arm[0];
}

void sn__effectors_of(const struct sn__imitate *im, const struct sn__imitate_view *view, float *effector,
                      float com_velocity[3]) {
    float h[2], sum[3] = {0};
    const float *root = view->pose;
    sn__heading(root + 3, h);
    for (int i = 0; i < im->nbody; i++) {
        const struct sn__imitate_body *body = &im->body[i];
        float at[3], v[3];
        sn__body_centre(body, view->pose + 7 * i, view->velocity + 6 * i, at, v);
        for (int k = 0; k < 3; k++)
            sum[k] += body->mass * v[k];
        if (!body->effector) continue;
        const float away[3] = {at[0] - root[0], at[1] - root[1], at[2] - view->ground};
        sn__into_heading(h, away, effector);
        effector += 3;
    }
    for (int k = 0; k < 3; k++)
        com_velocity[k] = sum[k] / im->mass;
}

/* A rotation in the heading frame: a quaternion with w >= 0, or the turned x and z axes. */
static float *put_rotation(const struct sn__imitate *im, const float h[2], const float q[4], float *out) {
    if (im->def.features == SN_FEATURES_2021) {
        const float x[3] = {1, 0, 0}, z[3] = {0, 0, 1};
        float turned[3];
        sn__turn(q, z, turned);
        sn__into_heading(h, turned, out);
        sn__turn(q, x, turned);
        sn__into_heading(h, turned, out + 3);
        return out + 6;
    }
    /* half the heading's angle, backwards: (c, 0, 0, -s) q */
    const float c = sqrtf(fmaxf(0, (1 + h[0]) / 2)), s = copysignf(sqrtf(fmaxf(0, (1 - h[0]) / 2)), h[1]);
    const float w = c * q[0] + s * q[3], a = c * q[1] + s * q[2], b = c * q[2] - s * q[1],
                d = c * q[3] - s * q[0];
    const float sign = w < 0 ? -1 : 1;
    out[0] = sign * w, out[1] = sign * a, out[2] = sign * b, out[3] = sign * d;
    return out + 4;
}

/* Where the reference's root is from here: the error of the heading, and the way there. */
static float *put_root(const struct sn__wanted *w, const float h[2], const float *root, float *out) {
    const float way[3] = {w->root[0] - root[0], w->root[1] - root[1], 0};
    float there[2], near[3];
    sn__heading(w->root + 3, there);
    sn__into_heading(h, way, near);
    out[0] = h[0] * there[0] + h[1] * there[1];
    out[1] = h[0] * there[1] - h[1] * there[0];
    out[2] = near[0];
    out[3] = near[1];
    return out + 4;
}

/* Phase, height of the root, then positions and rotations of all bodies, then their velocities; then what the task has of the
   reference's root, commands and terrain. */
void sn__imitate_observe(const struct sn__imitate *im, const struct sn__imitate_copy *c,
                         const struct sn__imitate_view *view, float *out) {
    float h[2], *velocity;
    const float *root = view->pose;
    const double duration = im->reference[c->motion].duration;
    const int turn = im->def.features == SN_FEATURES_2021 ? 6 : 4;
    sn__heading(root + 3, h);
    *out++ = duration > 0 ? (float)(c->time / duration) : 0;
    *out++ = root[2] - view->ground;
    velocity = out + im->nbody * (3 + turn);
    for (int i = 0; i < im->nbody; i++) {
        float at[3], v[3];
        sn__body_centre(&im->body[i], view->pose + 7 * i, view->velocity + 6 * i, at, v);
        const float away[3] = {at[0] - root[0], at[1] - root[1], at[2] - root[2]};
        sn__into_heading(h, away, out);
        out = put_rotation(im, h, view->pose + 7 * i + 3, out + 3);
        sn__into_heading(h, v, velocity);
        sn__into_heading(h, view->velocity + 6 * i + 3, velocity + 3);
        velocity += 6;
    }
    out = velocity;
    if (im->observe_root) {
        struct sn__wanted w;
        sn__wanted_of(im, c, view, &w);
        out = put_root(&w, h, root, out);
    }
    if (view->command) out = sn__command_observe(view->command, h, out);
    if (im->terrain.height) out = sn__terrain_observe(im, view, h, out);
    if (im->def.look_ahead) out = sn__library_observe(im, c, view, h, out);
    for (int i = 0; i < im->motions && im->motions > 1 && !im->def.look_ahead; i++)
        *out++ = i == c->motion;
}

/* ----------------------------------------------------------------------------------------------------- reward */

/* The square of the angle between two rotations. */
static float apart(const float a[4], const float b[4]) {
    float x[3], w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    x[0] = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2];
    x[1] = a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1];
    x[2] = a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0];
    const double sine = sqrt((double)(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]));
    const float angle = 2 * (float)sn__atan2(sine, (double)fabsf(w));
    return angle * angle;
}

static float squares(int n, const float *a, const float *b) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

void sn__joint_errors(const struct sn__imitate *im, const struct sn__imitate_view *view,
                      const struct sn__wanted *w, double *pose, double *velocity) {
    *pose = *velocity = 0;
    for (int i = 0; i < im->nbody; i++) {
        const struct sn__imitate_body *b = &im->body[i];
        const int place = b->quaternion > 0 ? b->quaternion : 0;
        const float *a = view->q + b->q + place, *r = (i ? w->q + b->q : w->root) + place;
        const float *rate = (i ? w->qd + b->v : w->root_qd) + place;
        const bool ball = b->quaternion >= 0;
        *pose += (double)(b->weight * (ball ? apart(a, r) : squares(b->nq, a, r)));
        *velocity += (double)(b->weight * squares(b->nv - place, view->qd + b->v + place, rate));
    }
}

const char *const sn__imitate_terms[SN__TERMS] = {"pose", "velocity", "end effectors", "root",
                                                  "centre of mass"};
const char *const sn__locomotion_terms[SN__LOCOMOTION_TERMS] = {"speed", "upright", "pose"};

void sn__imitate_reward(const struct sn__imitate *im, const struct sn__imitate_copy *c,
                        const struct sn__imitate_view *view, double *term) {
    const struct sn__reference *r = &im->reference[c->motion];
    const size_t row = (size_t)sn__reference_row(r, c->time);
    float effector[3 * 64], com_velocity[3];
    double pose, velocity;
    struct sn__wanted want;
    sn__wanted_of(im, c, view, &want);
    sn__effectors_of(im, view, effector, com_velocity);
    sn__joint_errors(im, view, &want, &pose, &velocity);
    if (im->locomotion) { /* the way is free, its direction and speed are not */
        term[0] = .6 * sn__exp(-2 * (double)squares(2, com_velocity, want.com_velocity));
        term[1] = .2 * sn__exp(-4 * (double)apart(view->q + 3, want.root + 3));
        term[2] = .2 * sn__exp(-pose);
        return;
    }
    const double J = im->joints;
    const double root = (double)squares(3, view->q, want.root) +
                        .1 * (double)apart(view->q + 3, want.root + 3) +
                        .01 * (double)squares(3, view->qd, want.root_qd) +
                        .001 * (double)squares(3, view->qd + 3, want.root_qd + 3);
    const float *there = r->effector + row * (size_t)r->effectors * 3;
    term[0] = .5 * sn__exp(-2. / 15 * J * pose);
    term[1] = .05 * sn__exp(-.1 / 15 * J * velocity);
    term[2] = .15 * sn__exp(-10 * (double)squares(3 * r->effectors, effector, there));
    term[3] = .2 * sn__exp(-5 * root);
    term[4] = .1 * sn__exp(-10 * .1 * (double)squares(3, com_velocity, want.com_velocity));
}

/* ---------------------------------------------------------------------------------------------------- targets */

/* The rotation by the vector v: exp(v / 2). */
static void rotation_by(const float v[3], float q[4]) {
    const float angle = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double half = (double)(angle / 2);
    const float s = angle > 1e-6f ? (float)sn__sin(half) / angle : .5f;
    q[0] = (float)sn__cos(half);
    for (int k = 0; k < 3; k++)
        q[k + 1] = s * v[k];
}

/* Three numbers are an exponential map, pi times; four an angle, pi times, and an axis. */
static const float *take_rotation(const struct sn__imitate *im, const float *action, float q[4]) {
    const float turn = PI * (float)im->def.action_scale;
    float v[3];
    if (!sn__by_axis(im)) {
        for (int k = 0; k < 3; k++)
            v[k] = turn * action[k];
        rotation_by(v, q);
        return action + 3;
    }
    const float *axis = action + 1;
    const float length = sqrtf(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    for (int k = 0; k < 3; k++)
        v[k] = length > 1e-5f ? turn * action[0] * axis[k] / length : 0;
    rotation_by(v, q);
    return action + 4;
}

static void multiply(const float a[4], const float b[4], float out[4]) {
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* The target is for the end of the control step; the root has none that counts, but must have one. */
void sn__imitate_target(const struct sn__imitate *im, const struct sn__imitate_copy *c, const float *action,
                        float *target) {
    const bool residual = im->def.targets == SN_TARGETS_RESIDUAL;
    const struct sn__reference *r = &im->reference[c->motion];
    const double time = c->time + 1.0 / im->def.rate;
    const float *q = r->q + (size_t)sn__reference_row(r, time) * (size_t)im->nq;
    memcpy(target, q, (size_t)im->nq * sizeof *target);
    for (int i = 0; i < im->nbody; i++) {
        const struct sn__imitate_body *b = &im->body[i];
        float turn[4];
        if (b->quaternion > 0) continue;
        if (b->quaternion == 0) {
            action = take_rotation(im, action, turn);
            if (residual)
                multiply(q + b->q, turn, target + b->q);
            else
                memcpy(target + b->q, turn, sizeof turn);
            continue;
        }
        for (int k = 0; k < b->nq; k++)
            target[b->q + k] = (residual ? q[b->q + k] : b->middle[k]) + b->span[k] * *action++;
    }
}
