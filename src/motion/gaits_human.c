/* Walking and running of the built-in humanoid.
 *
 * The feet come first: each rolls from heel to toe over a place on the ground that does not move, and swings to the next.
 * The pelvis goes at an even speed, lowest between the steps when walking and in their middle when running; legs follow by
 * inverse kinematics, arms and chest swing against them. Phase 0 is when the left foot touches down. */
#include "motion/human.h"

#include "base/elementary.h"
#include "base/quat.h"

#include <string.h>

static const struct human_style styles[] = {
    {.T = 1.08,
     .speed = 1.2,
     .tread = {.duty = 0.61,
               .strike = -0.28,
               .lift = 0.85,
               .flat = 0.24,
               .heel_off = 0.52,
               .clearance = 0.018,
               .skew = 0.2},
     .ahead = 0.36,
     .width = 0.8,
     .height = 0.932,
     .bob = 0.018,
     .lowest = 0.05,
     .sway = 0.022,
     .yaw = 0.09,
     .roll = 0.04,
     .lean = 0.04,
     .chest_yaw = 0.2,
     .arm = 0.38,
     .arm_middle = 0.02,
     .apart = 0.09,
     .elbow = -0.35,
     .elbow_swing = 0.2},
    {.T = 0.68,
     .speed = 3.2,
     .tread = {.duty = 0.34,
               .strike = -0.08,
               .lift = 1.05,
               .flat = 0.2,
               .heel_off = 0.45,
               .clearance = 0.22,
               .skew = 0.35},
     .ahead = 0.25,
     .width = 0.45,
     .height = 0.905,
     .bob = 0.035,
     .lowest = 0.16,
     .sway = 0.008,
     .yaw = 0.14,
     .roll = 0.05,
     .lean = 0.14,
     .chest_yaw = 0.32,
     .arm = 0.75,
     .arm_middle = 0.1,
     .apart = 0.16,
     .elbow = -1.65,
     .elbow_swing = 0.3},
};

struct strider {
    struct human human;
    const struct human_style *style;
};

/* The pelvis and what it carries, at the phase of the left foot. */
static void place_trunk(const void *gait, struct figure_pose *pose, double t) {
    const struct strider *s = gait;
    const struct human_style *y = s->style;
    const double phase = t / y->T, around = 2 * M_PI * phase,
                 stance = 2 * M_PI * (phase - 0.5 * y->tread.duty);
    double turn[4];
    pose->root[0] = y->speed * t;
    pose->root[1] = y->sway * sn__cos(stance);
    pose->root[2] =
        y->height * s->human.leg + s->human.sole.depth - y->bob * sn__cos(4 * M_PI * (phase - y->lowest));
    const double yaw = -y->yaw * sn__cos(around), roll = y->roll * sn__cos(stance);
    sn__turn_xyz(roll, y->lean, yaw, turn);
    sn__figure_set(pose, s->human.pelvis, turn);
    sn__turn_xyz(-1.2 * roll, 0.3 * y->lean, y->chest_yaw * sn__cos(around), turn);
    sn__figure_turn(pose, s->human.chest, turn);
    sn__turn_xyz(0.2 * roll, -1.0 * y->lean, -(y->chest_yaw - y->yaw) * sn__cos(around), turn);
    sn__figure_turn(pose, s->human.head, turn);
}

static void place_leg(const void *gait, struct figure_pose *pose, int side, double t) {
    const struct strider *s = gait;
    const struct human_style *y = s->style;
    const double stride = y->speed * y->T, phase = t / y->T + (side ? 0 : 0.5), round = floor(phase);
    const double first = y->ahead * y->tread.duty * stride - (side ? 0 : 0.5 * stride);
    double at[2], pitch, ankle[3], sole[4];
    sn__tread_sample(&y->tread, &s->human.sole, stride, y->T, phase - round, at, &pitch);
    ankle[0] = first + round * stride + at[0];
    ankle[1] = (side ? 1 : -1) * y->width * s->human.hip;
    ankle[2] = at[1];
    sn__turn_y(pitch, sole);
    sn__human_leg(&s->human, pose, side, ankle, sole);
}

static void place_arm(const void *gait, struct figure_pose *pose, int side, double t) {
    const struct strider *s = gait;
    const struct human_style *y = s->style;
    /* back when the leg of the same side is in front; the elbow bends more on the way forward */
    const double swing = sn__cos(2 * M_PI * (t / y->T + (side ? 0 : 0.5) - 0.02));
    sn__human_arm(&s->human, pose, side, y->arm_middle + y->arm * swing, y->apart,
                  y->elbow + y->elbow_swing * swing);
}

static void pose_strider(void *gait, double t, double *q) {
    static const struct figure_parts parts = {place_trunk, {place_leg, place_arm}};
    const struct strider *s = gait;
    sn__figure_pose(s->human.model, &parts, gait, t, q);
}

sn_motion *sn__gait_human(const char *name, const sn_model *model, sn_error *error) {
    struct strider s = {.style = &styles[strcmp(name, "run") == 0]};
    if (!sn__human_find(&s.human, model, name, error)) return NULL;
    return sn__gait_record(model, s.style->T, GAIT_RATE, pose_strider, &s, error);
}
