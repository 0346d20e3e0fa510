/* Motions of characters made in the tests themselves: joints and the root's turn are given, and the root goes where it must so
 * that the lowest point of the body stays where it is on the floor. */
#ifndef SINEW_TESTS_TABLE_HELPERS_H
#define SINEW_TESTS_TABLE_HELPERS_H

#include "clip_helpers.h"

#include "model/place.h"

enum { TABLE_FRAMES = 150, TABLE_VALUES = 96 };
static const double table_rate = 30;

struct table_maker {
    const sn_model *model;
    uint64_t seed;
    double q[TABLE_FRAMES][TABLE_VALUES];
};

static inline double table_random(struct table_maker *m, double low, double high) {
    m->seed = m->seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(m->seed >> 11) * 0x1p-53;
}

/* The lowest corner of the body's shapes at a pose: its body and place, for capsules, spheres and boxes. */
static inline double table_lowest(const sn_model *model, const double *pos, const double *rot, int *body,
                                  double at[3]) {
    double least = 1e9;
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *info = sn_model_body(model, i);
        for (int s = 0; s < info->nshape; s++) {
            const sn_shape_def *shape = (&sn_model_get(model)->shape[info->first_shape + s]);
            for (int c = 0; c < 8; c++) {
                const bool box = shape->type == SN_SHAPE_BOX;
                const double side[3] = {c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1};
                double x[3], y[3];
                for (int k = 0; k < 3; k++)
                    x[k] = box                                         ? side[k] * shape->size[k]
                           : k == 2 && shape->type == SN_SHAPE_CAPSULE ? side[k] * shape->size[1]
                                                                       : 0;
                dquat_rotate(shape->rot, x, x);
                for (int k = 0; k < 3; k++)
                    x[k] += shape->pos[k];
                dquat_rotate(rot + 4 * i, x, y);
                const double z = y[2] + pos[3 * i + 2] - (box ? 0 : shape->size[0]);
                if (z < least) least = z, *body = i, memcpy(at, x, sizeof x);
            }
        }
    }
    return least;
}

/* Gives the poses, whose joints and turns are set, the places of a root that does not slide. */
static inline void table_settle(struct table_maker *m) {
    double pos[3 * 64], rot[4 * 64], at[3], x[3], was[3] = {0};
    int body = -1, last = -1;
    double place[3] = {table_random(m, -2, 2), table_random(m, -2, 2), 0}, point[3] = {0};
    for (int k = 0; k < TABLE_FRAMES; k++) {
        double *q = m->q[k];
        q[0] = place[0], q[1] = place[1], q[2] = 0;
        sn__pose_globals(m->model, q, pos, rot);
        if (last >= 0) { /* the point that bore stays */
            dquat_rotate(rot + 4 * last, point, x);
            for (int c = 0; c < 2; c++)
                q[c] += was[c] - (x[c] + pos[3 * last + c]);
            sn__pose_globals(m->model, q, pos, rot);
        }
        q[2] = -table_lowest(m->model, pos, rot, &body, at);
        memcpy(place, q, sizeof place);
        last = body, memcpy(point, at, sizeof at);
        dquat_rotate(rot + 4 * body, at, x);
        for (int c = 0; c < 2; c++)
            was[c] = x[c] + pos[3 * body + c];
    }
}

/* What a retargeting leaves: places a few millimetres off, and a floor that is not quite at 0. */
static inline void table_roughen(struct table_maker *m) {
    const double off = table_random(m, -0.03, 0.03);
    for (int k = 0; k < TABLE_FRAMES; k++)
        for (int c = 0; c < 3; c++)
            m->q[k][c] += table_random(m, -0.003, 0.003) + (c == 2 ? off : 0);
}

static inline void table_set(struct table_maker *m, int frame, const char *name, double angle) {
    const int body = sn_model_find_body(m->model, name);
    if (body < 0) return;
    const sn_body_info *info = sn_model_body(m->model, body);
    double *q = m->q[frame] + info->q_index;
    if (info->nq == 1) q[0] = angle;
    if (info->nq == 4) q[0] = cos(angle / 2), q[1] = q[3] = 0, q[2] = sin(angle / 2);
}

/* Both sides of a limb in turn, for the robot of dance.c and for the built-in humanoid. */
static inline void table_limbs(struct table_maker *m, int frame, double thigh[2], double knee[2],
                               double shoulder[2], double elbow[2]) {
    for (int side = 0; side < 2; side++) {
        char name[64];
#define SET(format, angle)                                                                                   \
    (snprintf(name, sizeof name, format, side ? "right" : "left"), table_set(m, frame, name, angle))
        SET("%s_hip_pitch_link", thigh[side]), SET("%s_thigh", thigh[side]);
        SET("%s_knee_link", knee[side]), SET("%s_shin", knee[side]);
        SET("%s_shoulder_pitch_link", shoulder[side]), SET("%s_upper_arm", shoulder[side]);
        SET("%s_elbow_link", elbow[side]), SET("%s_forearm", elbow[side]);
#undef SET
    }
}

static inline void table_turn_root(struct table_maker *m, int frame, double yaw, double pitch, double roll) {
    const double a[3] = {0, 0, yaw}, b[3] = {0, pitch, 0}, c[3] = {roll, 0, 0};
    double *q = m->q[frame] + 3, turn[4];
    dquat_exp(a, q);
    dquat_exp(b, turn);
    dquat_multiply(q, turn, q);
    dquat_exp(c, turn);
    dquat_multiply(q, turn, q);
}

enum table_kind {
    TABLE_WALK,
    TABLE_BACKWARDS,
    TABLE_TURN,
    TABLE_CRAWL,
    TABLE_HANDSTAND,
    TABLE_ROLL,
    TABLE_STAND,
    TABLE_KINDS
};

/* One motion of five seconds, in a random heading. */
static inline void table_make(struct table_maker *m, enum table_kind kind) {
    const double heading = table_random(m, -M_PI, M_PI), pace = table_random(m, 4, 7),
                 lean = table_random(m, -0.1, 0.15), size = table_random(m, 0.25, 0.5);
    const bool across = table_random(m, 0, 1) < 0.5; /* upside down by way of the side, or ahead */
    for (int k = 0; k < TABLE_FRAMES; k++) {
        const double t = k / table_rate, p = pace * t, sway = 0.06 * sin(2.1 * t);
        double thigh[2], knee[2], shoulder[2], elbow[2];
        sn_model_zero_pose(m->model, m->q[k]);
        for (int side = 0; side < 2; side++) {
            const double phase = (kind == TABLE_BACKWARDS ? -p : p) + side * M_PI,
                         swing = kind == TABLE_STAND || kind == TABLE_HANDSTAND ? 0.1 : 1;
            thigh[side] = -size * swing * sin(phase) - 0.1 - (kind == TABLE_CRAWL ? 1.3 : 0);
            knee[side] = 0.2 + swing * size * (1 + sin(phase - 1.2)) + (kind == TABLE_CRAWL ? 1.3 : 0);
            shoulder[side] = 0.5 * size * swing * sin(phase) - (kind == TABLE_CRAWL ? 1.4 : 0);
            elbow[side] = -0.3;
            if (kind == TABLE_HANDSTAND)
                shoulder[side] = (across ? 2.9 : -2.7) + 0.15 * sin(1.7 * t + side), elbow[side] = -0.1;
        }
        table_limbs(m, k, thigh, knee, shoulder, elbow);
        const double turn = heading + (kind == TABLE_TURN ? 0.6 * t : 0.15 * sin(0.8 * t));
        if (kind == TABLE_HANDSTAND)
            table_turn_root(m, k, turn, across ? sway : M_PI + sway, across ? M_PI + 0.5 * sway : 0.5 * sway);
        else if (kind == TABLE_ROLL) /* over on the floor, along the body */
            table_turn_root(m, k, turn, M_PI / 2 + 0.1 * sin(t), 2 * t);
        else
            table_turn_root(m, k, turn, lean + 0.3 * sway + (kind == TABLE_CRAWL ? 1.35 : 0), sway);
    }
    table_settle(m);
    table_roughen(m);
}

#endif
