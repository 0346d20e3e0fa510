/* Motions of the built-in humanoid for balls: a kick, a bump pass with the forearms, a catch with both hands. All
 * begin and end in the same stance. Feet, and hands that catch, are given places; knees and elbows follow by inverse
 * kinematics.
 *
 * The kick strikes at 0.62 s, with the right foot 0.25 m before the stance; the pass meets the ball at 0.6 s with
 * the arms stretched; the catch, for a ball of 0.24 m at 0.6 s, has its hands out from 0.5 s on, closes them about
 * it, draws it to the chest after 0.9 s, and lets go of it after 2.6 s. */
#include "motion/human.h"

#include "base/quat.h"

#include <string.h>

#define CURVE(t, ...)                                                                                        \
    sn__curve((const struct curve_key[]){__VA_ARGS__},                                                       \
              (int)(sizeof((const struct curve_key[]){__VA_ARGS__}) / sizeof(struct curve_key)), t)

enum move { KICK, PASS, CATCH };

struct player {
    struct human human;
    enum move move;
    double T;
};

/* A trunk over both feet: how far it sinks, moves to the left foot, and leans. */
static void place_trunk(const struct player *p, struct figure_pose *pose, double sink, double left,
                        double lean, double yaw) {
    double turn[4];
    pose->root[0] = -0.02, pose->root[1] = left;
    pose->root[2] = 0.97 * p->human.leg + p->human.sole.depth - sink;
    sn__turn_xyz(0, 0.3 * lean, yaw, turn);
    sn__figure_set(pose, p->human.pelvis, turn);
    sn__turn_xyz(0, 0.7 * lean, -1.5 * yaw, turn);
    sn__figure_turn(pose, p->human.chest, turn);
    sn__turn_xyz(0, -0.5 * lean, 0.5 * yaw, turn);
    sn__figure_turn(pose, p->human.head, turn);
}

/* The ankle so far before its stance and so high above it; the sole pitched. */
static void place_foot(const struct player *p, struct figure_pose *pose, int side, double x, double z,
                       double pitch) {
    double sole[4];
    const double ankle[3] = {x, (side ? 1 : -1) * p->human.hip, p->human.sole.depth + z};
    sn__turn_y(pitch, sole);
    sn__human_leg(&p->human, pose, side, ankle, sole);
}

/* Hands so far before the chest's joint, to their sides and above it, in the chest's own axes. */
static void place_hands(const struct player *p, struct figure_pose *pose, double x, double y, double z) {
    double across[3] = {0, 1, 0};
    dquat_rotate(pose->rot[p->human.chest], across, across);
    for (int side = 0; side < 2; side++) {
        const double local[3] = {x, side ? y : -y, z};
        double place[3];
        sn__figure_point(pose, p->human.chest, local, place);
        sn__figure_reach(pose, p->human.upper_arm[side], p->human.forearm[side], p->human.hand, place, across,
                         -1);
    }
}

static void pose_kick(const struct player *p, struct figure_pose *pose, double t) {
    const double back = CURVE(t, {0, 0, 0}, {0.4, 1, 0}, {0.75, -0.8, NAN}, {1.4, 0, 0});
    place_trunk(p, pose, CURVE(t, {0, 0, 0}, {0.35, 0.035, 0}, {0.9, 0.03, NAN}, {1.5, 0, 0}),
                CURVE(t, {0, 0, 0}, {0.3, 0.075, 0}, {1.0, 0.075, 0}, {1.5, 0, 0}),
                CURVE(t, {0, 0, 0}, {0.45, 0.12, 0}, {0.72, -0.12, NAN}, {1.4, 0, 0}), -0.25 * back);
    place_foot(p, pose, 1, 0, 0, 0);
    place_foot(p, pose, 0,
               CURVE(t, {0, 0, 0}, {0.38, -0.5, 0}, {0.62, 0.25, 6.5}, {0.76, 0.62, 0}, {1.35, 0, 0}),
               CURVE(t, {0, 0, 0}, {0.38, 0.36, 0}, {0.6, 0.045, 0}, {0.76, 0.42, 0}, {1.35, 0, 0}),
               CURVE(t, {0, 0, 0}, {0.38, 1.2, 0}, {0.62, 0.1, NAN}, {0.76, -0.3, 0}, {1.35, 0, 0}));
    for (int side = 0; side < 2; side++) {
        const double sense = side ? 1 : -1;
        sn__human_arm(&p->human, pose, side, -0.7 * sense * back, 0.25 + 0.3 * back * back, -0.35);
    }
}

static void pose_pass(const struct player *p, struct figure_pose *pose, double t) {
    const double ready = CURVE(t, {0, 0, 0}, {0.4, 1, 0}, {1.2, 1, 0}, {1.8, 0, 0});
    const double lift =
        CURVE(t, {0, 0, 0}, {0.35, -0.04, 0}, {0.6, 0.04, 0.6}, {0.8, 0.1, 0}, {1.2, 0, NAN}, {1.8, 0, 0});
    place_trunk(p, pose, 0.1 * ready - 0.6 * lift, 0, 0.3 * ready, 0);
    for (int side = 0; side < 2; side++)
        place_foot(p, pose, side, 0, 0, 0);
    for (int side = 0; side < 2; side++) /* stretched, the hands together */
        sn__human_arm(&p->human, pose, side, -1.15 * ready - 2.5 * lift, 0.1 - 0.3 * ready,
                      -0.3 + 0.25 * ready);
}

static void pose_catch(const struct player *p, struct figure_pose *pose, double t) {
    const double end = p->T - 0.9;
    place_trunk(p, pose, CURVE(t, {0, 0, 0}, {0.5, 0.05, 0}, {end, 0.05, 0}, {p->T - 0.1, 0, 0}), 0, 0.06, 0);
    for (int side = 0; side < 2; side++)
        place_foot(p, pose, side, 0, 0, 0);
    place_hands(p, pose,
                CURVE(t, {0, 0.06, 0}, {0.5, 0.46, 0}, {0.9, 0.46, 0}, {1.6, 0.32, 0}, {end, 0.32, 0},
                      {p->T - 0.1, 0.06, 0}),
                CURVE(t, {0, 0.2, 0}, {0.5, 0.158, 0}, {0.61, 0.158, 0}, {0.82, 0.117, 0}, {2.6, 0.117, 0},
                      {3.1, 0.2, 0}, {p->T - 0.1, 0.2, 0}),
                CURVE(t, {0, -0.24, 0}, {0.5, 0.14, 0}, {end, 0.14, 0}, {p->T - 0.1, -0.24, 0}));
}

static void pose_player(void *gait, double t, double *q) {
    const struct player *p = gait;
    struct figure_pose pose;
    sn__figure_start(&pose, p->human.model);
    if (p->move == KICK)
        pose_kick(p, &pose, t);
    else if (p->move == PASS)
        pose_pass(p, &pose, t);
    else
        pose_catch(p, &pose, t);
    sn__figure_finish(&pose, q);
}

sn_motion *sn__gait_ball(const char *name, const sn_model *model, sn_error *error) {
    static const double duration[] = {[KICK] = 1.6, [PASS] = 2, [CATCH] = 10};
    struct player p = {.move = strcmp(name, "kick") == 0 ? KICK : strcmp(name, "pass") == 0 ? PASS : CATCH};
    p.T = duration[p.move];
    if (!sn__human_find(&p.human, model, name, error)) return NULL;
    return sn__gait_record(model, p.T, p.move == CATCH ? 120 : GAIT_RATE, pose_player, &p, error);
}
