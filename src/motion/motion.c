/* Motions: poses of a model at keys, and everything between them.
 *
 * From key q0 the pose moves with the constant velocity v = (q1 (-) q0) / h to key q1, h later: q = q0 (+) u h v, linear in
 * angles and places, the short way round in quaternions. So the velocity is exactly the derivative of the pose.
 *
 * Motions of clips may jump: a capture loses its markers, a wrist flips over. A joint jumps where it changes by more than
 * half a unit (m or rad) at more than 25 units/s and 6 times as fast as before and after it; two such pieces, to a frame
 * and away from it, are one jump. The pose goes the way all the
 * same, but the velocity given there is the mean of those before and after: it is what a drive should aim at. */
#include "motion/motion.h"
#include "motion/carried.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "clip/keys.h"
#include "model/joint.h"

#include <string.h>

struct sn_motion {
    const sn_model *model;
    int nframe;
    double *time;           /* [nframe]                                            */
    double *q;              /* [nframe][nq]                                        */
    double *change;         /* [nframe - 1][nv] from each key to the next          */
    double *speed;          /* [nframe - 1][nv] velocity in each piece; NULL: change / h */
    struct round_gain gain; /* what a free root gains a round */
    sn_motion_info info;    /* what users see of it */
    int root;               /* where in q the place of a free root starts; -1: none */
    bool loop;
    struct sn__carried *carried; /* NULL: of no clip */
};

static sn_status check_keys(const sn_model *model, int nframe, const double *time, const double *q,
                            sn_error *error) {
    const int nq = sn_model_get(model)->nq;
    if (!(time[0] == 0))
        return sn__fail(error, SN_ERROR_ARGUMENT, "the first key is at %g s, not at 0", time[0]);
    for (int k = 0; k < nframe; k++) {
        if (!isfinite(time[k]) || (k > 0 && !(time[k] > time[k - 1])))
            return sn__fail(error, SN_ERROR_ARGUMENT,
                            "key %d: its time %g s does not come after the key before", k, time[k]);
        for (int i = 0; i < nq; i++)
            if (!isfinite(q[(size_t)k * (size_t)nq + (size_t)i]))
                return sn__fail(error, SN_ERROR_ARGUMENT, "key %d: its pose is not finite", k);
    }
    return SN_OK;
}

/* Where the joint's quaternion starts in its q, -1: none. */
static int quaternion_of(const sn_body_info *body) {
    return sn__joint_quaternion(body);
}

/* Quaternions of unit length, each in the half space of the key before. */
static sn_status tidy(const sn_motion *motion, sn_error *error) {
    const int nq = sn_model_get(motion->model)->nq;
    for (int i = 0; i < sn_model_get(motion->model)->nbody; i++) {
        const sn_body_info *body = sn_model_body(motion->model, i);
        const int at = quaternion_of(body);
        for (int k = 0; k < motion->nframe && at >= 0; k++) {
            double *q = motion->q + (size_t)k * (size_t)nq + body->q_index + at, *before = q - nq;
            const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
            if (!(fabs(square - 1) < 4e-15) && !dquat_normalise(q))
                return sn__fail(error, SN_ERROR_ARGUMENT, "key %d, body '%s': its quaternion is zero", k,
                                body->name);
            if (k > 0 && q[0] * before[0] + q[1] * before[1] + q[2] * before[2] + q[3] * before[3] < 0)
                for (int n = 0; n < 4; n++)
                    q[n] = -q[n];
        }
    }
    return SN_OK;
}

/* Loops of clips turn on from round to round, those of poses keep their heading: they are made to meet at the ends. */
static void find_gain(sn_motion *motion, bool turns) {
    const sn_body_info *root = sn_model_body(motion->model, 0);
    motion->root = root && sn__joint_is_free(root) ? root->q_index : -1;
    if (!motion->loop || motion->root < 0) return;
    const double *first = motion->q + motion->root;
    const double *last = first + (size_t)(motion->nframe - 1) * (size_t)sn_model_get(motion->model)->nq;
    motion->gain = sn__round_gain(first, first + 3, last, turns ? last + 3 : first + 3);
}

/* How fast the joint changes in a piece; 0 outside the keys. */
static double rate_in(const sn_motion *motion, const sn_body_info *body, int piece) {
    if (piece < 0 || piece > motion->nframe - 2) return 0;
    const double *change =
        motion->change + (size_t)piece * (size_t)sn_model_get(motion->model)->nv + body->v_index;
    double square = 0;
    for (int k = 0; k < body->nv; k++)
        square += change[k] * change[k];
    return sqrt(square) / (motion->time[piece + 1] - motion->time[piece]);
}

static bool is_leap(const sn_motion *motion, const sn_body_info *body, int piece) {
    const double rate = rate_in(motion, body, piece);
    return rate > 25 && rate * (motion->time[piece + 1] - motion->time[piece]) > 0.5;
}

/* The next piece to this side that is part of the motion: past one leap, when a single frame is off there are two. */
static int beside(const sn_motion *motion, const sn_body_info *body, int piece, int side) {
    const int next = piece + side;
    return is_leap(motion, body, next) ? next + side : next;
}

/* A joint's velocities in pieces where it jumps; whether there are any. speed: [nframe - 1][nv]. */
static bool smooth_joint(const sn_motion *motion, const sn_body_info *body, double *speed) {
    const int nv = sn_model_get(motion->model)->nv, pieces = motion->nframe - 1;
    bool any = false;
    for (int k = 0; k < pieces && pieces > 3; k++) {
        if (!is_leap(motion, body, k)) continue;
        int before = beside(motion, body, k, -1), after = beside(motion, body, k, 1);
        if (rate_in(motion, body, k) < 6 * fmax(rate_in(motion, body, before), rate_in(motion, body, after)))
            continue;
        if (before < 0) before = after;
        if (after >= pieces) after = before;
        const double *one = motion->change + (size_t)before * (size_t)nv,
                     *two = motion->change + (size_t)after * (size_t)nv;
        const double h1 = motion->time[before + 1] - motion->time[before],
                     h2 = motion->time[after + 1] - motion->time[after];
        for (int v = body->v_index; v < body->v_index + body->nv; v++)
            speed[(size_t)k * (size_t)nv + (size_t)v] = 0.5 * (one[v] / h1 + two[v] / h2);
        any = true;
    }
    return any;
}

bool sn__motion_of_clip(sn_motion *motion, double apart) {
    const size_t nv = (size_t)sn_model_get(motion->model)->nv, n = (size_t)motion->nframe;
    bool any = false;
    motion->info.apart = apart;
    find_gain(motion, true);
    double *speed = sn__alloc(n, nv * sizeof *speed);
    if (!speed) return false;
    for (size_t k = 0; k + 1 < n; k++)
        for (size_t v = 0; v < nv; v++)
            speed[k * nv + v] = motion->change[k * nv + v] / (motion->time[k + 1] - motion->time[k]);
    for (int i = 0; i < sn_model_get(motion->model)->nbody; i++)
        any |= smooth_joint(motion, sn_model_body(motion->model, i), speed);
    if (any)
        motion->speed = speed;
    else
        sn__free(speed);
    return true;
}

sn_motion *sn_motion_from_poses(const sn_model *model, int nframe, const double *time, const double *q,
                                bool loop, sn_error *error) {
    if (!model || nframe < 1 || !time || !q) {
        sn__fail(error, SN_ERROR_ARGUMENT, "a motion needs a model, times and poses");
        return NULL;
    }
    if (check_keys(model, nframe, time, q, error) != SN_OK) return NULL;
    const size_t nq = (size_t)sn_model_get(model)->nq, nv = (size_t)sn_model_get(model)->nv,
                 n = (size_t)nframe;
    sn_motion *motion = sn__alloc(1, sizeof *motion);
    if (motion) {
        motion->time = sn__alloc(n, sizeof *time);
        motion->q = sn__alloc(n, nq * sizeof *q);
        motion->change = sn__alloc(n, nv * sizeof *q);
    }
    if (!motion || !motion->time || !motion->q || !motion->change) {
        sn__fail(error, SN_ERROR_MEMORY, "out of memory");
        sn_motion_free(motion);
        return NULL;
    }
    motion->model = model;
    motion->nframe = nframe;
    motion->loop = loop && nframe > 1;
    motion->info = (sn_motion_info){.duration = time[nframe - 1], .loops = motion->loop};
    memcpy(motion->time, time, n * sizeof *time);
    memcpy(motion->q, q, n * nq * sizeof *q);
    if (tidy(motion, error) != SN_OK) {
        sn_motion_free(motion);
        return NULL;
    }
    for (size_t k = 0; k + 1 < n; k++)
        sn_model_pose_subtract(model, 1, motion->q + (k + 1) * nq, motion->q + k * nq,
                               motion->change + k * nv);
    find_gain(motion, false);
    sn__succeed(error);
    return motion;
}

void sn_motion_free(sn_motion *motion) {
    if (!motion) return;
    sn__carried_free(motion->carried);
    sn__free_all(motion->time, motion->q, motion->change, motion->speed, motion);
}

const sn_model *sn__motion_model(const sn_motion *motion) {
    return motion->model;
}

const struct round_gain *sn__motion_gain(const sn_motion *motion) {
    return &motion->gain;
}

void sn__motion_keep(sn_motion *motion, struct sn__carried *carried) {
    motion->carried = carried;
}

const struct sn__carried *sn__motion_carried(const sn_motion *motion) {
    return motion->carried;
}

const sn_motion_info *sn_motion_get(const sn_motion *motion) {
    return &motion->info;
}

/* q0 (+) u change, joint by joint: nothing is allocated, and a key gives itself. */
static void step_joint(const sn_body_info *body, const double *q0, const double *change, double u,
                       double *q) {
    const int turn = quaternion_of(body), plain = turn < 0 ? body->nq : turn;
    for (int k = 0; k < plain; k++)
        q[k] = q0[k] + u * change[k];
    if (turn < 0) return;
    double part[3], by[4];
    if (!(u > 0)) {
        memcpy(q + turn, q0 + turn, 4 * sizeof *q);
        return;
    }
    for (int k = 0; k < 3; k++)
        part[k] = u * change[plain + k];
    dquat_exp(part, by);
    dquat_multiply(q0 + turn, by, q + turn);
    dquat_normalise(q + turn);
}

/* The poses of the model between two keys. */
static void sample_pose(const sn_motion *motion, const struct key_place *at, double *q) {
    const size_t nq = (size_t)sn_model_get(motion->model)->nq, nv = (size_t)sn_model_get(motion->model)->nv;
    const double *q0 = motion->q + (size_t)at->frame * nq, *change = motion->change + (size_t)at->frame * nv;
    if (!(at->h > 0)) {
        memcpy(q, q0, nq * sizeof *q);
        return;
    }
    for (int i = 0; i < sn_model_get(motion->model)->nbody; i++) {
        const sn_body_info *body = sn_model_body(motion->model, i);
        step_joint(body, q0 + body->q_index, change + body->v_index, at->u, q + body->q_index);
    }
}

void sn_motion_sample(const sn_motion *motion, double time, double *q, double *qd) {
    const size_t nv = (size_t)sn_model_get(motion->model)->nv;
    const struct key_place at = sn__keys_find(motion->time, motion->nframe, motion->loop, time);
    const double *change = motion->change + (size_t)at.frame * nv;
    if (qd)
        for (size_t i = 0; i < nv; i++)
            qd[i] = !(at.h > 0)     ? 0
                    : motion->speed ? motion->speed[(size_t)at.frame * nv + i]
                                    : change[i] / at.h;
    if (q) sample_pose(motion, &at, q);
    if (motion->root < 0 || at.cycle == 0) return;
    const int v = sn_model_body(motion->model, 0)->v_index;
    sn__round_apply(&motion->gain, at.cycle, q ? q + motion->root : NULL, q ? q + motion->root + 3 : NULL,
                    qd ? qd + v : NULL);
}

void sn_motion_sample_many(const sn_motion *motion, int n, const double *time, double *q, double *qd) {
    const size_t nq = (size_t)sn_model_get(motion->model)->nq, nv = (size_t)sn_model_get(motion->model)->nv;
    for (int i = 0; i < n; i++)
        sn_motion_sample(motion, time[i], q ? q + (size_t)i * nq : NULL, qd ? qd + (size_t)i * nv : NULL);
}

sn_motion *sn_motion_cut(const sn_motion *motion, double from, double to, sn_error *error) {
    if (!motion || !(from >= 0) || !(to > from) || !(to <= sn_motion_get(motion)->duration + 1e-9)) {
        sn__fail(error, SN_ERROR_ARGUMENT, "the piece should lie inside the motion, from before to");
        return NULL;
    }
    const size_t nq = (size_t)sn_model_get(motion->model)->nq, most = (size_t)motion->nframe + 2;
    double *time = sn__alloc(most, sizeof *time), *q = sn__alloc(most, nq * sizeof *q);
    sn_motion *piece = NULL;
    int n = 0;
    for (int k = -1; k <= motion->nframe && time && q; k++) { /* keys, and one more at either end */
        const double t = k < 0                ? from
                         : k < motion->nframe ? motion->time[k]
                                              : fmin(to, sn_motion_get(motion)->duration);
        if (k >= 0 && (t < from + 1e-9 || (k < motion->nframe && t > to - 1e-9))) continue;
        const struct key_place at = sn__keys_find(motion->time, motion->nframe, false, t);
        sample_pose(motion, &at, q + (size_t)n * nq);
        time[n++] = t - from;
    }
    if (time && q)
        piece = sn_motion_from_poses(motion->model, n, time, q, false, error);
    else
        sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    sn__free_all(time, q);
    return piece;
}
