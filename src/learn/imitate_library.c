/* Many motions for one policy: which of them an episode takes; and the poses to come, by which the policy knows it. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "learn/imitate.h"
#include "learn/random.h"

/* ----------------------------------------------------------------------------------------------------------- draws */

/* The weight of a motion that never fails, beside one that always does; how much the last episode counts; the shortest length of
   an episode that is believed, s. */
static const double FLOOR = .25, NEWS = .2, SHORT = .3;

/* Each motion gets samples, not episodes, by its failures: an episode that falls at once is over soon. Its probability is
     p ~ (FLOOR + 1 - kept) / seconds. */
static double weight_of(const struct sn__imitate_record *record) {
    const double seconds = record->seconds > 0 ? record->seconds : 1;
    return (FLOOR + 1 - record->kept) / fmax(seconds, SHORT);
}

static void remember(struct sn__imitate_record *record, const struct sn__imitate_copy *c) {
    const double news = record->seconds > 0 ? NEWS : 1;
    record->kept += NEWS * ((c->fell ? 0 : 1) - record->kept);
    record->seconds += news * (c->lasted - record->seconds);
}

void sn__library_draw(const struct sn__imitate *im, const sn_episode *e, struct sn__random *r,
                      struct sn__imitate_copy *c) {
    struct sn__imitate_record *record = (struct sn__imitate_record *)(c + 1);
    double sum = 0;
    if (!im->def.draw_motions) {
        c->motion = (int64_t)((e->seed + e->item) % (uint64_t)im->motions);
        return;
    }
    if (c->lasted > 0) remember(&record[c->motion], c);
    for (int i = 0; i < im->motions; i++)
        sum += weight_of(&record[i]);
    double left = sum * sn__random_uniform(r);
    c->motion = 0;
    while (c->motion < im->motions - 1 && (left -= weight_of(&record[c->motion])) > 0)
        c->motion++;
}

/* ---------------------------------------------------------------------------------------------------- poses to come */

const int sn__library_ahead[SN__AHEAD] = {1, 4, 12};

int sn__library_observations(const struct sn__imitate *im) {
    int count = 7;
    for (int i = 1; i < im->nbody; i++)
        count += im->body[i].quaternion == 0 ? 3 : im->body[i].nq;
    return SN__AHEAD * count;
}

/* How far a looping motion goes in a round: from its first row to the one after its last. */
static void way_of_round(const struct sn__reference *r, double way[2]) {
    const float *first = r->q, *last = r->q + (size_t)(r->rows - 1) * (size_t)r->nq;
    for (int k = 0; k < 2; k++)
        way[k] = r->rows > 1 ? (double)(last[k] - first[k]) * r->rows / (r->rows - 1) : 0;
}

/* A rotation seen in the heading, with w >= 0: (cos, 0, 0, -sin) of half the heading's angle, times q. */
static float *put_rotation(const float h[2], const float q[4], float *out) {
    const float c = sqrtf(fmaxf(0, (1 + h[0]) / 2)), s = copysignf(sqrtf(fmaxf(0, (1 - h[0]) / 2)), h[1]);
    const float w = c * q[0] + s * q[3], sign = w < 0 ? -1 : 1;
    out[0] = sign * w;
    out[1] = sign * (c * q[1] + s * q[2]);
    out[2] = sign * (c * q[2] - s * q[1]);
    out[3] = sign * (c * q[3] - s * q[0]);
    return out + 4;
}

static float *put_joints(const struct sn__imitate *im, const float *q, float *out) {
    for (int i = 1; i < im->nbody; i++) {
        const struct sn__imitate_body *b = &im->body[i];
        if (b->quaternion < 0) {
            memcpy(out, q + b->q, (size_t)b->nq * sizeof *out);
            out += b->nq;
            continue;
        }
        const double turn[4] = {(double)q[b->q], (double)q[b->q + 1], (double)q[b->q + 2],
                                (double)q[b->q + 3]};
        double v[3];
        dquat_log(turn, v);
        for (int k = 0; k < 3; k++)
            *out++ = (float)v[k];
    }
    return out;
}

/* Behind the end of a motion comes its next round, or its last pose. */
float *sn__library_observe(const struct sn__imitate *im, const struct sn__imitate_copy *c,
                           const struct sn__imitate_view *view, const float heading[2], float *out) {
    const struct sn__reference *r = &im->reference[c->motion];
    double round[2];
    way_of_round(r, round);
    for (int a = 0; a < SN__AHEAD; a++) {
        double time = c->time + (double)sn__library_ahead[a] / im->def.rate, rounds = 0;
        if (r->loop && r->duration > 0) {
            rounds = floor(time / r->duration);
            time -= rounds * r->duration;
        }
        const float *q = r->q + (size_t)sn__reference_row(r, time) * (size_t)im->nq;
        const float away[3] = {(float)((double)q[0] + c->offset[0] + rounds * round[0]) - view->q[0],
                               (float)((double)q[1] + c->offset[1] + rounds * round[1]) - view->q[1], q[2]};
        sn__into_heading(heading, away, out);
        out = put_rotation(heading, q + 3, out + 3);
        out = put_joints(im, q, out);
    }
    return out;
}
