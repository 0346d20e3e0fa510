/* Keyframes: spd-2011 section 4.2.
 *
 * Two stable-PD controllers on one joint, with gains k1, k2 towards q1, q2 and the same kd / k, are one with
 *
 *     k = k1 + k2,   k e = k1 e1 + k2 e2,   e_i = q (-) q_i,
 *
 * whose target is q (+) -e: (k1 q1 + k2 q2) / k for angles and places, and for rotations what the logarithms say.
 *
 * The spline is Hermite's cubic with the slopes of Catmull and Rom, for rotations in the logarithm at the key before. */
#include "base/definition.h"
#include "motion/keyframes.h"

#include "base/elementary.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/joint.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

struct sn_keyframes {
    const sn_model *model;
    sn_keyframes_def def;   /* without what it points to */
    sn_keyframes_info info; /* what users see of it */
    double *time;           /* [count]          */
    double *q;              /* [count][nq]      */
    uint8_t *keyed;         /* [count][nbody]   */
    double *gain;           /* [nbody] k of each joint, with the mass it carries */
};

/* ------------------------------------------------------------------------------------------------------- making */

static bool not_negative(double x) {
    return x >= 0 && isfinite(x);
}

static sn_status check_numbers(const sn_keyframes_def *d, sn_error *error) {
    if (d->count < 2 || !d->key)
        return sn__fail(error, SN_ERROR_ARGUMENT, "there are %d keyframes; two are needed", d->count);
    if (!not_negative(d->gain) || !not_negative(d->damping) || !not_negative(d->floor) ||
        !(d->exponent > 0) || !isfinite(d->exponent))
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "gain %g, damping %g, floor %g: none may be negative; exponent %g should be positive",
                        d->gain, d->damping, d->floor, d->exponent);
    if ((unsigned)d->fade > SN_FADE_CURVE || (d->fade == SN_FADE_CURVE && !d->curve))
        return sn__fail(error, SN_ERROR_ARGUMENT, "there is no such way to fade, or no curve for it");
    return SN_OK;
}

/* Quaternions of unit length. */
static bool tidy_joint(const sn_body_info *b, double *q) {
    const int at = sn__joint_quaternion(b);
    if (at < 0) return true;
    double *x = q + at;
    const double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
    if (!(length > 1e-150) || !isfinite(length)) return false;
    for (int k = 0; k < 4; k++)
        x[k] /= length;
    return true;
}

/* One key: its time, and the joints it has. */
static sn_status take_key(sn_keyframes *f, int i, const sn_keyframe *key, sn_error *error) {
    const sn_model *m = f->model;
    double *q = f->q + (size_t)i * (size_t)m->nq;
    if (!isfinite(key->time) || (i > 0 && !(key->time > f->time[i - 1])))
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "keyframe %d: its time %g s does not come after the one before", i, key->time);
    if (!key->q) return sn__fail(error, SN_ERROR_ARGUMENT, "keyframe %d has no pose", i);
    f->time[i] = key->time;
    sn_model_zero_pose(m, q);
    for (int b = 0; b < m->nbody; b++) {
        const sn_body_info *body = &m->body[b];
        const bool keyed = !key->keyed || key->keyed[b];
        f->keyed[(size_t)i * (size_t)m->nbody + (size_t)b] = keyed;
        if (!keyed) continue;
        for (int k = body->q_index; k < body->q_index + body->nq; k++) {
            if (!isfinite(key->q[k]))
                return sn__fail(error, SN_ERROR_ARGUMENT, "keyframe %d, body '%s': its pose is not finite", i,
                                body->name);
            q[k] = key->q[k];
        }
        if (!tidy_joint(body, q + body->q_index))
            return sn__fail(error, SN_ERROR_ARGUMENT, "keyframe %d, body '%s': its quaternion has no length",
                            i, body->name);
    }
    return SN_OK;
}

/* The gain of each joint: per kg of its body and all that hangs on it. */
static sn_status find_gains(sn_keyframes *f, const double *weight, sn_error *error) {
    const sn_model *m = f->model;
    for (int b = m->nbody - 1; b >= 0; b--) { /* children come after their parents */
        f->gain[b] += m->body[b].mass;
        if (m->body[b].parent >= 0) f->gain[m->body[b].parent] += f->gain[b];
    }
    for (int b = 0; b < m->nbody; b++) {
        if (weight && !not_negative(weight[b]))
            return sn__fail(error, SN_ERROR_ARGUMENT, "body '%s': its weight %g should not be negative",
                            m->body[b].name, weight[b]);
        f->gain[b] *= f->def.gain * (weight ? weight[b] : 1);
    }
    return SN_OK;
}

/* A joint without any key has the zero pose in all of them. */
static void hold_the_others(sn_keyframes *f) {
    const size_t nbody = (size_t)f->model->nbody;
    for (size_t b = 0; b < nbody; b++) {
        bool any = false;
        for (int i = 0; i < f->def.count; i++)
            any |= f->keyed[(size_t)i * nbody + b];
        for (int i = 0; i < f->def.count && !any; i++)
            f->keyed[(size_t)i * nbody + b] = 1;
    }
}

void sn_keyframes_free(sn_keyframes *f) {
    if (!f) return;
    sn__free(f->time);
    sn__free(f->q);
    sn__free(f->keyed);
    sn__free(f->gain);
    sn__free(f);
}

sn_keyframes *sn_keyframes_create(const sn_model *model, const sn_keyframes_def *def, sn_error *error) {
    sn__succeed(error);
    if (!model) {
        sn__fail(error, SN_ERROR_ARGUMENT, "The model is NULL.");
        return NULL;
    }
    sn_keyframes_def own;
    if (!sn__definition_take("sn_keyframes_def", def, &own, error)) return NULL;
    def = &own;
    if (check_numbers(def, error)) return NULL;
    const size_t count = (size_t)def->count;
    sn_keyframes *f = sn__alloc(1, sizeof *f);
    if (f) {
        f->model = model, f->def = *def;
        f->time = sn__alloc(count, sizeof *f->time);
        f->q = sn__alloc(count * (size_t)model->nq + 1, sizeof *f->q);
        f->keyed = sn__alloc(count * (size_t)model->nbody + 1, 1);
        f->gain = sn__alloc((size_t)model->nbody + 1, sizeof *f->gain);
    }
    const bool room = f && f->time && f->q && f->keyed && f->gain;
    sn_status status =
        room ? SN_OK : sn__fail(error, SN_ERROR_MEMORY, "no memory for %d keyframes", def->count);
    for (int i = 0; i < def->count && !status; i++)
        status = take_key(f, i, &def->key[i], error);
    if (!status) status = find_gains(f, def->weight, error);
    if (status) {
        sn_keyframes_free(f);
        return NULL;
    }
    f->info = (sn_keyframes_info){def->count, f->time};
    hold_the_others(f);
    return f;
}

const sn_model *sn__keyframes_model(const sn_keyframes *f) {
    return f->model;
}

const sn_keyframes_info *sn_keyframes_get(const sn_keyframes *f) {
    return &f->info;
}

/* ----------------------------------------------------------------------------------------------------- neighbours */

static bool has_key(const sn_keyframes *f, int key, int body) {
    return f->keyed[(size_t)key * (size_t)f->model->nbody + (size_t)body];
}

/* The joint's own values in a key. */
static const double *joint_at(const sn_keyframes *f, int body, int key) {
    return f->q + (size_t)key * (size_t)f->model->nq + f->model->body[body].q_index;
}

/* The keys of a joint before the time and at or after it, -1: none; a key's own time belongs to what leads to it. */
static void neighbours(const sn_keyframes *f, int body, double time, int *before, int *after) {
    *before = *after = -1;
    for (int i = 0; i < f->def.count && *after < 0; i++) {
        if (!has_key(f, i, body)) continue;
        if (f->time[i] < time)
            *before = i;
        else
            *after = i;
    }
}

static int step_key(const sn_keyframes *f, int body, int key, int way) {
    for (int i = key + way; i >= 0 && i < f->def.count; i += way)
        if (has_key(f, i, body)) return i;
    return -1;
}

/* --------------------------------------------------------------------------------------------------------- drives */

/* Whole powers by products, which are the same everywhere. */
static double power(double x, double n) {
    double result = 1;
    if (x <= 0) return 0;
    if (n != floor(n) || n > 1000) return sn__pow(x, n);
    for (int i = 0; i < (int)n; i++)
        result *= x;
    return result;
}

/* Parts of the gain towards the key before and the key after. */
static void fade(const sn_keyframes_def *d, double a, double part[2]) {
    switch (d->fade) {
    case SN_FADE_LINEAR:
        part[0] = 1 - a, part[1] = a;
        return;
    case SN_FADE_CURVE:
        part[0] = d->curve(1 - a, d->user), part[1] = d->curve(a, d->user);
        break;
    default:
        part[0] = power(1 - a, d->exponent), part[1] = power(a, d->exponent) + d->floor;
        break;
    }
    for (int i = 0; i < 2; i++)
        if (!not_negative(part[i])) part[i] = 0;
}

/* The target of both: q (+) -(p1 (q (-) q1) + p2 (q (-) q2)), p1 + p2 = 1, where a part of 0 has no key. */
static void aim_between(const sn_keyframes *f, int body, const double *q, const int key[2],
                        const double part[2], double *target) {
    const sn_body_info *b = &f->model->body[body];
    double off[6] = {0}, one[6];
    for (int i = 0; i < 2; i++) {
        if (key[i] < 0) continue;
        sn__joint_subtract(b, q, joint_at(f, body, key[i]), one);
        for (int k = 0; k < b->nv; k++)
            off[k] -= part[i] * one[k];
    }
    sn__joint_add(b, q, off, target);
}

void sn__keyframes_drive(const sn_keyframes *f, double time, double dt, const double *q, double *kp,
                         double *kd, double *target_q) {
    const sn_model *m = f->model;
    memcpy(target_q, q, sizeof *q * (size_t)m->nq);
    for (int b = 0; b < m->nbody; b++) {
        const sn_body_info *body = &m->body[b];
        int key[2];
        neighbours(f, b, time, &key[0], &key[1]);
        double part[2] = {key[0] >= 0, key[1] >= 0};
        if (key[0] >= 0 && key[1] >= 0)
            fade(&f->def, (time - f->time[key[0]]) / (f->time[key[1]] - f->time[key[0]]), part);
        const double sum = part[0] + part[1];
        for (int v = body->v_index; v < body->v_index + body->nv; v++) {
            kp[v] = f->gain[b] * sum;
            kd[v] = f->def.damping * kp[v] * dt;
        }
        if (!(sum > 0)) continue;
        part[0] /= sum, part[1] /= sum;
        aim_between(f, b, q + body->q_index, key, part, target_q + body->q_index);
    }
}

/* --------------------------------------------------------------------------------------------------------- spline */

/* The slope of a joint at one of its keys, per second: that from the key before to the key after; 0 at the ends. */
static void slope_at(const sn_keyframes *f, int body, int key, double *slope) {
    const int before = step_key(f, body, key, -1), after = step_key(f, body, key, 1),
              nv = f->model->body[body].nv;
    memset(slope, 0, 6 * sizeof *slope);
    if (before < 0 || after < 0) return;
    sn__joint_subtract(&f->model->body[body], joint_at(f, body, after), joint_at(f, body, before), slope);
    for (int k = 0; k < nv; k++)
        slope[k] /= f->time[after] - f->time[before];
}

/* The joint's own values. */
static void spline_joint(const sn_keyframes *f, int body, double time, double *q) {
    int before, after;
    double from[6], to[6], way[6];
    neighbours(f, body, time, &before, &after);
    const sn_body_info *b = &f->model->body[body];
    if (before < 0 || after < 0) {
        memcpy(q, joint_at(f, body, before < 0 ? after : before), sizeof *q * (size_t)b->nq);
        return;
    }
    const double T = f->time[after] - f->time[before], u = (time - f->time[before]) / T;
    slope_at(f, body, before, from);
    slope_at(f, body, after, to);
    sn__joint_subtract(b, joint_at(f, body, after), joint_at(f, body, before), way);
    for (int k = 0; k < b->nv; k++)
        way[k] =
            u * (1 - u) * (1 - u) * T * from[k] + u * u * (3 - 2 * u) * way[k] + u * u * (u - 1) * T * to[k];
    sn__joint_add(b, joint_at(f, body, before), way, q);
}

void sn_keyframes_spline(const sn_keyframes *f, double time, double *q, double *qd) {
    const double little = 1e-5; /* s: the velocity is a difference over the times beside */
    for (int b = 0; b < f->model->nbody; b++) {
        const sn_body_info *body = &f->model->body[b];
        double earlier[7], later[7], way[6];
        spline_joint(f, b, time, q + body->q_index);
        if (!qd) continue;
        spline_joint(f, b, time - little, earlier);
        spline_joint(f, b, time + little, later);
        sn__joint_subtract(body, later, earlier, way);
        for (int k = 0; k < body->nv; k++)
            qd[body->v_index + k] = way[k] / (2 * little);
    }
}
