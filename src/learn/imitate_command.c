/* Commands: where to go, and how fast, changed at random times; and the reference as a command turns it. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "learn/imitate.h"
#include "learn/random.h"

static const double TURN_RATE = 1; /* rad/s: no motion turns on the spot */

static void draw_speed(const struct sn__imitate *im, struct sn__random *r, struct sn__command *c) {
    const double *range = im->def.command_speed;
    c->speed = range[0] + (range[1] - range[0]) * sn__random_uniform(r);
}

/* An episode begins as the motion goes; the draw belongs to no window. */
void sn__command_begin(const struct sn__imitate *im, const sn_episode *e, struct sn__command *c) {
    struct sn__random r =
        sn__random_at(e->seed, SN__STREAM_COMMAND, e->item, (uint64_t)(e->count - 1) << 32 | UINT32_MAX);
    *c = (struct sn__command){0};
    draw_speed(im, &r, c);
}

/* Another heading and speed, once in each window, where the draw says. */
static void change(const struct sn__imitate *im, const sn_episode *e, struct sn__command *c) {
    const int window = (int)fmin(fmax(1, round(im->def.command * im->def.rate)), 1e9);
    const int done = e->steps;
    struct sn__random r = sn__random_at(e->seed, SN__STREAM_COMMAND, e->item,
                                        (uint64_t)e->count << 32 | (uint32_t)(done / window));
    if (done % window != (int)sn__random_below(&r, (uint32_t)window)) return;
    c->heading += im->def.command_turn * (2 * sn__random_uniform(&r) - 1);
    draw_speed(im, &r, c);
}

static void turn(double angle, const double x[2], double out[2]) {
    const double c = sn__cos(angle), s = sn__sin(angle);
    out[0] = c * x[0] - s * x[1];
    out[1] = s * x[0] + c * x[1];
}

/* A motion turns at most so fast, and about where it is: its origin moves so that it does not jump. */
void sn__command_advance(const struct sn__imitate *im, const sn_episode *e, struct sn__imitate_copy *copy) {
    const struct sn__reference *r = &im->reference[copy->motion];
    struct sn__command *c = &copy->command;
    change(im, e, c);
    if (im->locomotion) {
        c->following = c->heading;
        return;
    }
    const double most = TURN_RATE / im->def.rate, old = c->following;
    c->following += fmin(fmax(c->heading - old, -most), most);
    if (c->following == old) return;
    const float *q = r->q + (size_t)sn__reference_row(r, copy->time) * (size_t)im->nq;
    const double at[2] = {(double)q[0], (double)q[1]};
    double before[2], after[2];
    turn(old, at, before);
    turn(c->following, at, after);
    for (int k = 0; k < 2; k++)
        copy->offset[k] += before[k] - after[k];
}

/* Cosine and sine of the way from this heading to the one that is wanted; speed. */
float *sn__command_observe(const struct sn__command *c, const float h[2], float *out) {
    const float want[2] = {(float)sn__cos(c->heading), (float)sn__sin(c->heading)};
    out[0] = h[0] * want[0] + h[1] * want[1];
    out[1] = h[0] * want[1] - h[1] * want[0];
    out[2] = (float)c->speed;
    return out + 3;
}

/* ------------------------------------------------------------------------------------------- the reference, turned */

/* (c, 0, 0, s) q: the rotation q, then the angle about the vertical. */
static void turn_rotation(double angle, const float q[4], float out[4]) {
    const float c = (float)sn__cos(angle / 2), s = (float)sn__sin(angle / 2);
    out[0] = c * q[0] - s * q[3];
    out[1] = c * q[1] - s * q[2];
    out[2] = c * q[2] + s * q[1];
    out[3] = c * q[3] + s * q[0];
}

static void turn_vector(double angle, const float x[3], float out[3]) {
    const double flat[2] = {(double)x[0], (double)x[1]};
    double turned[2];
    turn(angle, flat, turned);
    out[0] = (float)turned[0], out[1] = (float)turned[1], out[2] = x[2];
}

static void turn_wanted(const struct sn__imitate *im, const struct sn__command *c, struct sn__wanted *w) {
    const double at[2] = {(double)w->q[0], (double)w->q[1]};
    turn(c->following, at, w->place);
    turn_rotation(c->following, w->q + 3, w->root + 3);
    turn_vector(c->following, w->qd, w->root_qd); /* turning velocities are in the root's own axes */
    turn_vector(c->following, w->com_velocity, w->com_velocity);
    if (!im->locomotion) return;
    w->com_velocity[0] = (float)(c->speed * sn__cos(c->following));
    w->com_velocity[1] = (float)(c->speed * sn__sin(c->following));
}

void sn__wanted_of(const struct sn__imitate *im, const struct sn__imitate_copy *c,
                   const struct sn__imitate_view *view, struct sn__wanted *w) {
    const struct sn__reference *r = &im->reference[c->motion];
    const size_t row = (size_t)sn__reference_row(r, c->time);
    w->q = r->q + row * (size_t)im->nq;
    w->qd = r->qd + row * (size_t)im->nv;
    memcpy(w->root, w->q, sizeof w->root);
    memcpy(w->root_qd, w->qd, sizeof w->root_qd);
    memcpy(w->com_velocity, r->com_velocity + row * 3, sizeof w->com_velocity);
    for (int k = 0; k < 2; k++)
        w->place[k] = (double)w->q[k];
    if (view->command) turn_wanted(im, view->command, w);
    for (int k = 0; k < 2; k++) {
        w->place[k] += c->offset[k];
        w->root[k] = (float)w->place[k];
    }
    w->root[2] += view->ground;
}
