/* A clip at any time.
 *
 * Between keys q0 and q1, h apart, with u = (t - t0) / h:
 *   position  p = p0 + u (p1 - p0),        velocity (p1 - p0) / h
 *   rotation  q = q0 exp(u log(q0^-1 q1)), angular velocity log(q0^-1 q1) / h in the joint's own axes: it is constant,
 *             and the same in the axes at q0 as in those at q because the turn leaves its own axis alone.
 * At a key the velocity is that of the piece which begins there. */
#include "clip/clip.h"

#include "base/quat.h"
#include "clip/keys.h"

#include <string.h>

struct key_place sn__keys_find(const double *time, int nframe, bool loop, double t) {
    const double length = time[nframe - 1];
    struct key_place place = {0};
    if (nframe < 2 || !isfinite(t)) return place;
    if (loop) {
        place.cycle = floor(t / length);
        t -= place.cycle * length;
        /* rounding can leave t just outside */
        if (t < 0) t = 0;
        if (t >= length) t = 0, place.cycle += 1;
    }
    if (t < 0) return place;
    if (t >= length) {
        place.frame = nframe - 1;
        return place;
    }
    int low = 0, high = nframe - 1; /* time[low] <= t < time[high] */
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (time[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    place.frame = low;
    place.h = time[low + 1] - time[low];
    place.u = (t - time[low]) / place.h;
    return place;
}

void sn__slerp(const double q0[4], const double q1[4], double u, double h, double q[4], double omega[3]) {
    double turn[4], v[3];
    dquat_conjugate(q0, turn);
    dquat_multiply(turn, q1, turn);
    dquat_log(turn, v);
    if (omega)
        for (int k = 0; k < 3; k++)
            omega[k] = v[k] / h;
    if (!q) return;
    if (!(u > 0)) {
        memcpy(q, q0, 4 * sizeof *q);
        return;
    }
    for (int k = 0; k < 3; k++)
        v[k] *= u;
    dquat_exp(v, turn);
    dquat_multiply(q0, turn, q);
    dquat_normalise(q);
}

static void sample_position(const sn_clip *clip, const struct key_place *at, double *position,
                            double *velocity) {
    const double *p0 = clip->position + 3 * (size_t)at->frame, *p1 = at->h > 0 ? p0 + 3 : p0;
    for (int k = 0; k < 3; k++) {
        if (position) position[k] = p0[k] + at->u * (p1[k] - p0[k]);
        if (velocity) velocity[k] = at->h > 0 ? (p1[k] - p0[k]) / at->h : 0;
    }
}

/* Each round begins where the last one ended, and in its heading. */
static void go_on(const sn_clip *clip, double rounds, double *position, double *rotation, double *velocity) {
    const size_t last = (size_t)clip->def.nframe - 1, n = (size_t)clip->def.njoint;
    const struct round_gain gain = sn__round_gain(clip->position, clip->rotation, clip->position + 3 * last,
                                                  clip->rotation + 4 * n * last);
    sn__round_apply(&gain, rounds, position, rotation, velocity);
}

static void sample_rotations(const sn_clip *clip, const struct key_place *at, double *rotation,
                             double *angular) {
    const size_t n = (size_t)clip->def.njoint;
    const double *q0 = clip->rotation + 4 * n * (size_t)at->frame, *q1 = at->h > 0 ? q0 + 4 * n : q0;
    if (!(at->h > 0)) {
        if (rotation) memcpy(rotation, q0, 4 * n * sizeof *rotation);
        if (angular) memset(angular, 0, 3 * n * sizeof *angular);
        return;
    }
    if (!rotation && !angular) return;
    for (size_t i = 0; i < n; i++)
        sn__slerp(q0 + 4 * i, q1 + 4 * i, at->u, at->h, rotation ? rotation + 4 * i : NULL,
                  angular ? angular + 3 * i : NULL);
}

void sn__clip_sample(const sn_clip *clip, double time, double *position, double *rotation, double *velocity,
                     double *angular) {
    const struct key_place at = sn__keys_find(clip->time, clip->def.nframe, clip->def.loop, time);
    sample_position(clip, &at, position, velocity);
    sample_rotations(clip, &at, rotation, angular);
    if (clip->def.loop && at.cycle != 0) go_on(clip, at.cycle, position, rotation, velocity);
}
