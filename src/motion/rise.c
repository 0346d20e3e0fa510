/* Getting up as two short motions of key poses. Both end in a squat above flat feet, from which it stands up; left and right do
 * the same. They are hints: a policy finds out how to carry them out. */
#include "motion/rise.h"

#include "base/elementary.h"
#include "base/quat.h"

#include <string.h>

/* What a key pose is made of. Lengths are in parts of the leg, from where the feet stand at the end; angles in rad, nose down
   positive. The pelvis turns in the world, the chest and the arms turn against their parents. */
enum number {
    PELVIS_X,
    PELVIS_Z,
    PELVIS,
    CHEST,
    ANKLE_X,
    ANKLE_Y,
    ANKLE_Z,
    SOLE,
    ARM,
    APART,
    ELBOW,
    NUMBERS
};
enum { KEYS = 8 };

struct key {
    double time, number[NUMBERS];
};

/* clang-format off */
static const struct key from_back[KEYS] = { /* draws in its feet, sits up, rocks onto them */
    /* s    pelvis x, z, turn    chest  ankle x, y, z    sole   arm   apart elbow */
    {0,    {-.97, .11, -1.57,   .02,    0, .12, .13,  -1.30,   .00,  .35,  -.2}},
    {.3,   {-.75, .11, -1.55,   .08,    0, .12, .10,   -.50,   .00,  .35,  -.2}},
    {.55,  {-.58, .11, -1.45,   .30,    0, .13, .08,   -.10,  -.10,  .35,  -.2}},
    {.95,  {-.50, .12,  -.85,   .65,    0, .14, .068,     0,  -.90,  .20,  -.3}},
    {1.25, {-.38, .22,  -.10,   .80,    0, .15, .068,     0, -1.50,  .15,  -.2}},
    {1.55, {-.24, .34,   .15,   .80,    0, .15, .068,     0, -1.50,  .15,  -.2}},
    {2.0,  {-.14, .68,   .30,   .25,    0, .13, .068,     0,  -.60,  .10,  -.3}},
    {2.5,  { .03, .99,     0,     0,    0, .11, .068,     0,   .10,  .10,  -.3}},
};
static const struct key from_belly[KEYS] = { /* pushes up, draws in its knees, comes to squat */
    {0,    { .97, .12,  1.57,     0,    0, .12, .14,   1.90,  -.20, 1.30,  -.3}},
    {.5,   { .96, .26,  1.35,  -.10,    0, .13, .14,   1.60, -1.30,  .90,  -.3}},
    {.9,   { .80, .47,  1.25,   .10,    0, .14, .14,   1.20, -1.45,  .30,  -.2}},
    {1.3,  { .42, .50,  1.15,   .30,    0, .15, .15,    .75, -1.50,  .15,  -.2}},
    {1.65, { .00, .45,   .70,   .60,    0, .15, .11,    .40, -1.60,  .15,  -.2}},
    {2.0,  {-.24, .36,   .20,   .80,    0, .15, .068,     0, -1.50,  .15,  -.2}},
    {2.45, {-.14, .68,   .30,   .25,    0, .13, .068,     0,  -.60,  .10,  -.3}},
    {2.95, { .03, .99,     0,     0,    0, .11, .068,     0,   .10,  .10,  -.3}},
};
/* clang-format on */

static const struct key *keys_of(enum rise_way way) {
    return way == RISE_FROM_BELLY ? from_belly : from_back;
}

double sn__rise_length(enum rise_way way) {
    return keys_of(way)[KEYS - 1].time;
}

static void numbers_at(enum rise_way way, double time, double number[NUMBERS]) {
    const struct key *key = keys_of(way);
    for (int n = 0; n < NUMBERS; n++) {
        struct curve_key curve[KEYS];
        for (int i = 0; i < KEYS; i++)
            curve[i] = (struct curve_key){key[i].time, key[i].number[n], (double)NAN};
        number[n] = sn__curve(curve, KEYS, time);
    }
}

/* The pose with the pelvis above the origin, without yaw. */
static void make_pose(const struct stride *stride, enum rise_way way, double time, struct figure_pose *pose) {
    const struct human *h = &stride->human;
    double x[NUMBERS], turn[4];
    numbers_at(way, time, x);
    sn__figure_start(pose, h->model);
    pose->root[2] = x[PELVIS_Z] * h->leg;
    sn__turn_y(x[PELVIS], turn);
    sn__figure_set(pose, h->pelvis, turn);
    sn__turn_y(x[CHEST], turn);
    sn__figure_turn(pose, h->chest, turn);
    sn__turn_y(-.5 * x[CHEST], turn);
    sn__figure_turn(pose, h->head, turn);
    for (int side = 0; side < 2; side++) {
        const double ankle[3] = {(x[ANKLE_X] - x[PELVIS_X]) * h->leg, (side ? 1 : -1) * x[ANKLE_Y] * h->leg,
                                 x[ANKLE_Z] * h->leg};
        sn__turn_y(x[SOLE], turn);
        sn__human_leg(h, pose, side, ankle, turn);
        sn__human_arm(h, pose, side, x[ARM], x[APART], x[ELBOW]);
    }
}

void sn__rise_frame(const struct stride *stride, enum rise_way way, double time, const double place[2],
                    double yaw, struct stride_frame *frame) {
    struct figure_pose pose;
    double turn[4];
    make_pose(stride, way, time, &pose);
    sn__turn_xyz(0, 0, yaw, turn);
    for (int i = 0; i < sn_model_get(pose.model)->nbody; i++)
        dquat_multiply(turn, pose.rot[i], pose.rot[i]);
    pose.root[0] = place[0], pose.root[1] = place[1];
    memset(frame, 0, sizeof *frame);
    sn__figure_finish(&pose, frame->q);
    for (int i = 0; i < STRIDE_EFFECTORS; i++)
        sn__figure_point(&pose, stride->effector[i], sn_model_body(pose.model, stride->effector[i])->com,
                         frame->effector[i]);
}

enum rise_way sn__rise_choose(const double rotation[4]) {
    double nose[3] = {1, 0, 0};
    dquat_rotate(rotation, nose, nose);
    return nose[2] > 0 ? RISE_FROM_BACK : RISE_FROM_BELLY;
}

/* A turn q is a turn about Z by 2 atan2(z, w) after one about a level axis: what is left is least at that yaw. */
double sn__rise_yaw(enum rise_way way, double time, const double rotation[4]) {
    double x[NUMBERS], turn[4];
    numbers_at(way, time, x);
    sn__turn_y(-x[PELVIS], turn);
    dquat_multiply(rotation, turn, turn);
    return 2 * sn__atan2(turn[3], turn[0]);
}
