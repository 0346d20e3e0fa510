#include "motion/gait.h"
#include "motion/motion.h"

#include "base/elementary.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "model/joint.h"

#include <string.h>

/* -------------------------------------------------------------------------------------------------------- curves */

double sn__hermite(double a, double da, double b, double db, double h, double u) {
    const double v = 1 - u;
    return v * v * (1 + 2 * u) * a + u * v * v * h * da + u * u * (1 + 2 * v) * b - u * u * v * h * db;
}

/* The same with no acceleration at either end: a quintic. */
static double glide(double a, double da, double b, double db, double h, double u) {
    const double w = u * u * u * (10 - 15 * u + 6 * u * u);
    return (1 - w) * a + w * b +
           h * (da * (u - u * u * u * (6 - 8 * u + 3 * u * u)) - db * u * u * u * (4 - 7 * u + 3 * u * u));
}

/* Fritsch and Carlson: the harmonic mean of the slopes on either side, none at a turning point. */
static double slope_at(const struct curve_key *key, int n, int i) {
    if (!isnan(key[i].slope)) return key[i].slope;
    if (i == 0 || i == n - 1) return 0;
    const double before = (key[i].value - key[i - 1].value) / (key[i].t - key[i - 1].t);
    const double behind = (key[i + 1].value - key[i].value) / (key[i + 1].t - key[i].t);
    return before * behind > 0 ? 2 * before * behind / (before + behind) : 0;
}

double sn__curve(const struct curve_key *key, int n, double t) {
    if (t <= key[0].t) return key[0].value;
    for (int i = 1; i < n; i++) {
        if (t > key[i].t) continue;
        const double h = key[i].t - key[i - 1].t;
        return sn__hermite(key[i - 1].value, slope_at(key, n, i - 1), key[i].value, slope_at(key, n, i), h,
                           (t - key[i - 1].t) / h);
    }
    return key[n - 1].value;
}

double sn__ease(double u) {
    return u <= 0 ? 0 : u >= 1 ? 1 : u * u * (3 - 2 * u);
}

/* --------------------------------------------------------------------------------------------------------- turns */

void sn__turn_xyz(double x, double y, double z, double q[4]) {
    const double about[3][3] = {{0, 0, z}, {0, y, 0}, {x, 0, 0}};
    dquat_identity(q);
    for (int i = 0; i < 3; i++) {
        double turn[4];
        dquat_exp(about[i], turn);
        dquat_multiply(q, turn, q);
    }
}

void sn__turn_y(double angle, double q[4]) {
    sn__turn_xyz(0, angle, 0, q);
}

/* --------------------------------------------------------------------------------------------------------- limbs */

/* The end lies at e(w) = a + Ry(w) b in the first link's axes, and |e|^2 = a^2 + b^2 + 2 |a| |b| cos(w - w0) with w0 the
   angle at which both links are in line. */
void sn__limb_solve(const struct limb *limb, const double joint[3], const double target[3],
                    const double side[3], double rot[4], double *angle) {
    const double *a = limb->a, *b = limb->b, la = dvec_length(a), lb = dvec_length(b);
    double d[3], e[3], turned[3], second[4], y[3] = {0, 1, 0}, wanted[3], across[3];
    for (int k = 0; k < 3; k++)
        d[k] = target[k] - joint[k];
    const double distance = dvec_length(d), straight = sn__atan2(a[0] * b[2] - a[2] * b[0], dvec_dot(a, b));
    const double cosine = (distance * distance - la * la - lb * lb) / (2 * la * lb);
    *angle = straight + limb->sense * sn__acos(fmax(-1, fmin(1, cosine)));
    sn__turn_y(*angle, second);
    dquat_rotate(second, b, turned);
    for (int k = 0; k < 3; k++)
        e[k] = a[k] + turned[k];
    sn__shortest_turn(e, d, rot);
    /* what is left is a turn about d, which brings Y to the side */
    dquat_rotate(rot, y, y);
    dvec_normalise(d);
    const double along = dvec_dot(side, d);
    for (int k = 0; k < 3; k++)
        wanted[k] = side[k] - along * d[k];
    dvec_cross(y, wanted, across);
    const double twist = sn__atan2(dvec_dot(d, across), dvec_dot(y, wanted));
    double about[3], q[4];
    for (int k = 0; k < 3; k++)
        about[k] = twist * d[k];
    dquat_exp(about, q);
    dquat_multiply(q, rot, rot);
}

/* ---------------------------------------------------------------------------------------------------------- feet */

void sn__sole_pivot(const struct sole *sole, double pitch, double *x, double *z) {
    const double edge = pitch < 0 ? sole->heel : sole->toe, c = sn__cos(pitch), s = sn__sin(pitch);
    /* the edge rests at (edge, 0); from there to the joint it is (-edge, depth), turned */
    *x = edge - edge * c + sole->depth * s;
    *z = edge * s + sole->depth * c;
}

static double stance_pitch(const struct tread *tread, double phase, double T) {
    const double stance = tread->duty * T, t = phase * T;
    const double flat = tread->flat * stance, off = tread->heel_off * stance;
    if (t < flat) { /* rolls off the heel, and comes to rest flat */
        const double u = t / flat;
        return tread->strike * (1 - u) * (1 - u);
    }
    if (t < off) return 0;
    const double u = (t - off) / (stance - off);
    return tread->lift * u * u;
}

void sn__tread_sample(const struct tread *tread, const struct sole *sole, double stride, double T,
                      double phase, double at[2], double *pitch) {
    if (phase < tread->duty) {
        *pitch = stance_pitch(tread, phase, T);
        sn__sole_pivot(sole, *pitch, &at[0], &at[1]);
        return;
    }
    /* the swing, from the last moment of one stance to the first of the next, with the velocities of both */
    const double swing = (1 - tread->duty) * T, u = (phase - tread->duty) * T / swing, d = 1e-6;
    double x0, z0, p0, x1, z1, p1, dx0, dz0, dp0, dx1, dz1, dp1;
    p0 = stance_pitch(tread, tread->duty, T);
    p1 = stance_pitch(tread, 0, T);
    sn__sole_pivot(sole, p0, &x0, &z0);
    sn__sole_pivot(sole, p1, &x1, &z1);
    dp0 = (p0 - stance_pitch(tread, tread->duty - d, T)) / (d * T);
    dp1 = (stance_pitch(tread, d, T) - p1) / (d * T);
    sn__sole_pivot(sole, p0 - dp0 * d, &dx0, &dz0);
    sn__sole_pivot(sole, p1 + dp1 * d, &dx1, &dz1);
    at[0] = glide(x0, (x0 - dx0) / d, x1 + stride, (dx1 - x1) / d, swing, u);
    at[1] = glide(z0, (z0 - dz0) / d, z1, (dz1 - z1) / d, swing, u);
    *pitch = glide(p0, dp0, p1, dp1, swing, u);
    /* higher in between; skew > 0 brings the top forward in time */
    const double v = sn__pow(u, 1 / (1 + tread->skew));
    at[1] += tread->clearance * 64 * v * v * v * (1 - v) * (1 - v) * (1 - v);
}

/* ------------------------------------------------------------------------------------------------------- figures */

int sn__figure_body(const sn_model *model, const char *name, sn_joint_type joint, const char *motion,
                    sn_error *error) {
    const int body = sn_model_find_body(model, name);
    if (body < 0)
        sn__fail(error, SN_ERROR_ARGUMENT, "the motion '%s' does not fit the model: it has no body '%s'",
                 motion, name);
    else if (body >= FIGURE_MOST)
        sn__fail(error, SN_ERROR_ARGUMENT, "the motion '%s' does not fit the model: it has too many bodies",
                 motion);
    else if (sn_model_body(model, body)->joint.type != joint)
        sn__fail(error, SN_ERROR_ARGUMENT,
                 "the motion '%s' does not fit the model: body '%s' hangs on another type of joint", motion,
                 name);
    else
        return body;
    return -1;
}

void sn__figure_start(struct figure_pose *pose, const sn_model *model) {
    memset(pose, 0, sizeof *pose);
    pose->model = model;
}

void sn__figure_set(struct figure_pose *pose, int body, const double rot[4]) {
    memcpy(pose->rot[body], rot, sizeof pose->rot[body]);
    pose->given[body] = true;
}

void sn__figure_turn(struct figure_pose *pose, int body, const double turn[4]) {
    const sn_body_info *info = sn_model_body(pose->model, body);
    double rot[4];
    dquat_multiply(pose->rot[info->parent], info->rot, rot);
    dquat_multiply(rot, turn, rot);
    sn__figure_set(pose, body, rot);
}

void sn__figure_joint(const struct figure_pose *pose, int body, double place[3]) {
    memset(place, 0, 3 * sizeof *place);
    for (int at = body;; at = sn_model_body(pose->model, at)->parent) {
        const sn_body_info *info = sn_model_body(pose->model, at);
        double arm[3];
        if (info->parent < 0) break;
        dquat_rotate(pose->rot[info->parent], info->pos, arm);
        for (int k = 0; k < 3; k++)
            place[k] += arm[k];
    }
    for (int k = 0; k < 3; k++)
        place[k] += pose->root[k];
}

void sn__figure_point(const struct figure_pose *pose, int body, const double local[3], double place[3]) {
    double arm[3];
    sn__figure_joint(pose, body, place);
    dquat_rotate(pose->rot[body], local, arm);
    for (int k = 0; k < 3; k++)
        place[k] += arm[k];
}

void sn__figure_reach(struct figure_pose *pose, int upper, int lower, const double end[3],
                      const double target[3], const double side[3], int sense) {
    const double *link = sn_model_body(pose->model, lower)->pos;
    const struct limb limb = {{link[0], 0, link[2]}, {end[0], 0, end[2]}, sense};
    double joint[3], near[3], rot[4], angle, bend[4];
    sn__figure_joint(pose, upper, joint);
    /* a joint turns without end as its limb gets straight: what is nearly out of reach is softly pulled in */
    const double soft = 0.975, rest = 0.02, length = dvec_length(limb.a) + dvec_length(limb.b);
    double far = 0;
    for (int k = 0; k < 3; k++)
        near[k] = target[k] - joint[k];
    far = dvec_length(near) / length;
    const double scale = far > soft ? (soft + rest * sn__tanh((far - soft) / rest)) / far : 1;
    for (int k = 0; k < 3; k++)
        near[k] = joint[k] + scale * near[k];
    sn__limb_solve(&limb, joint, near, side, rot, &angle);
    sn__figure_set(pose, upper, rot);
    sn__turn_y(angle, bend);
    sn__figure_turn(pose, lower, bend);
}

void sn__figure_com(const struct figure_pose *pose, double com[3]) {
    double mass = 0;
    memset(com, 0, 3 * sizeof *com);
    for (int i = 0; i < sn_model_get(pose->model)->nbody; i++) {
        const sn_body_info *info = sn_model_body(pose->model, i);
        double place[3];
        sn__figure_point(pose, i, info->com, place);
        mass += info->mass;
        for (int k = 0; k < 3; k++)
            com[k] += info->mass * place[k];
    }
    for (int k = 0; k < 3; k++)
        com[k] /= mass;
}

void sn__figure_finish(const struct figure_pose *pose, double *q) {
    for (int i = 0; i < sn_model_get(pose->model)->nbody; i++) {
        const sn_body_info *info = sn_model_body(pose->model, i);
        double *own = q + info->q_index, base[4], turn[4];
        if (info->parent < 0) {
            memcpy(own, pose->root, sizeof pose->root);
            memcpy(own + 3, pose->rot[i], sizeof pose->rot[i]);
            continue;
        }
        dquat_multiply(pose->rot[info->parent], info->rot, base);
        dquat_conjugate(base, base);
        dquat_multiply(base, pose->rot[i], turn);
        if (sn__joint_is_ball(info)) memcpy(own, turn, sizeof turn);
        if (sn__joint_hinges(info) != 1) continue;
        own[0] = sn__twist_angle(turn, info->joint.axis);
        if (info->joint.limited) own[0] = fmax(info->joint.lower[0], fmin(info->joint.upper[0], own[0]));
    }
}

void sn__figure_pose(const sn_model *model, const struct figure_parts *parts, const void *gait, double t,
                     double *q) {
    struct figure_pose pose;
    sn__figure_start(&pose, model);
    parts->trunk(gait, &pose, t);
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 2; k++)
            parts->limb[k](gait, &pose, side, t);
    sn__figure_finish(&pose, q);
}

/* ------------------------------------------------------------------------------------------------------- motions */

sn_motion *sn__gait_record(const sn_model *model, double T, double rate, gait_pose *pose, void *gait,
                           sn_error *error) {
    const int steps = (int)ceil(T * rate);
    const size_t nq = (size_t)sn_model_get(model)->nq;
    double *time = sn__alloc((size_t)steps + 1, sizeof *time);
    double *q = sn__alloc((size_t)steps + 1, nq * sizeof *q);
    sn_motion *motion = NULL;
    if (time && q) {
        for (int k = 0; k <= steps; k++) {
            time[k] = T * k / steps;
            pose(gait, time[k], q + (size_t)k * nq);
        }
        motion = sn_motion_from_poses(model, steps + 1, time, q, true, error);
    } else {
        sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    }
    sn__free(time);
    sn__free(q);
    return motion;
}
