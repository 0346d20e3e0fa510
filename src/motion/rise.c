/* Getting up as a short motion of key poses. From its back it turns over first; then it pushes itself up, draws in its knees and
 * stands up from a squat above flat feet. It is a hint: a policy finds out how to carry it out. */
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
static const struct key from_belly[KEYS] = { /* pushes up, draws in its knees, comes to squat */
    /* s    pelvis x, z, turn    chest  ankle x, y, z    sole   arm   apart elbow */
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
static const double TURN = 1.0; /* s from the back to the belly */

double sn__rise_turn(void) {
    return TURN;
}

double sn__rise_length(void) {
    return from_belly[KEYS - 1].time;
}

static void numbers_at(double time, double number[NUMBERS]) {
    const struct key *key = from_belly;
    for (int n = 0; n < NUMBERS; n++) {
        struct curve_key curve[KEYS];
        for (int i = 0; i < KEYS; i++)
            curve[i] = (struct curve_key){key[i].time, key[i].number[n], (double)NAN};
        number[n] = sn__curve(curve, KEYS, time);
    }
}

/* ------------------------------------------------------------------------------------------------- turning over */

static int upper_side(enum rise_way way) {
    return way == RISE_LEFT_UP;
}

/* How far it is turned from its belly, about the axis of the pelvis that points to the head, rad. */
static double roll_of(enum rise_way way, double time) {
    const double part = fmin(1, fmax(0, -time / TURN));
    return (upper_side(way) ? 1 : -1) * M_PI * part;
}

/* How it turns over was found by a random search among poses: with a policy of zeros nearly half of those that lie on their back
   come around. The upper leg and arm swing to the front, the chest turns ahead of the pelvis, the lower arm pushes against the
   ground. 1 while they do, 0 on the back and on the belly; the lower arm stays longer. */
static double reaching(bool above, double time) {
    const double part = fmin(1, fmax(0, -time / TURN)), begun = sn__ease((1 - part) / .2);
    return begun * (above ? sn__ease((part - .15) / .4) : sn__ease(part / .12));
}

/* Turns bodies of a limb in the axes of `frame`. */
static void turn_in(struct figure_pose *pose, const double frame[4], const double turn[4], int count,
                    const int *body) {
    double back[4], by[4];
    dquat_conjugate(frame, back);
    dquat_multiply(frame, turn, by);
    dquat_multiply(by, back, by);
    for (int i = 0; i < count; i++)
        dquat_multiply(by, pose->rot[body[i]], pose->rot[body[i]]);
}

/* The upper leg swings to the front, stretched. */
static void swing_leg(const struct human *h, struct figure_pose *pose, int side, double part) {
    const int body[3] = {h->thigh[side], h->shin[side], h->foot[side]};
    double frame[4], turn[4];
    memcpy(frame, pose->rot[h->pelvis], sizeof frame);
    sn__turn_y(-1.8 * part, turn);
    turn_in(pose, frame, turn, 3, body);
}

/* ------------------------------------------------------------------------------------------------------- the pose */

static double mix(double a, double b, double part) {
    return a + part * (b - a);
}

static void place_limbs(const struct human *h, enum rise_way way, double time, const double x[NUMBERS],
                        struct figure_pose *pose) {
    double turn[4];
    for (int side = 0; side < 2; side++) {
        const double ankle[3] = {(x[ANKLE_X] - x[PELVIS_X]) * h->leg, (side ? 1 : -1) * x[ANKLE_Y] * h->leg,
                                 pose->root[2] + (x[ANKLE_Z] - x[PELVIS_Z]) * h->leg};
        const bool above = side == upper_side(way);
        const double part = reaching(above, time);
        sn__turn_y(x[SOLE], turn);
        sn__human_leg(h, pose, side, ankle, turn);
        if (above) swing_leg(h, pose, side, part);
        sn__human_arm(h, pose, side, mix(x[ARM], above ? -1.5 : 1, part),
                      mix(x[APART], above ? -.3 : .12, part), x[ELBOW]);
    }
}

/* The pose with the pelvis above the origin, without yaw. */
static void make_pose(const struct stride *stride, enum rise_way way, double time, struct figure_pose *pose) {
    const struct human *h = &stride->human;
    const double roll = roll_of(way, time);
    double x[NUMBERS], turn[4], axis[3] = {0, 0, 1}, by[3];
    numbers_at(fmax(0, time), x);
    sn__figure_start(pose, h->model);
    pose->root[2] = (x[PELVIS_Z] + .15 * fabs(sn__sin(roll))) * h->leg;
    sn__turn_y(x[PELVIS], turn);
    sn__figure_set(pose, h->pelvis, turn);
    dquat_rotate(turn, axis, axis);
    sn__turn_xyz(0, x[CHEST], (upper_side(way) ? -.5 : .5) * reaching(true, time), turn);
    sn__figure_turn(pose, h->chest, turn);
    sn__turn_y(-.5 * x[CHEST], turn);
    sn__figure_turn(pose, h->head, turn);
    place_limbs(h, way, time, x, pose);
    for (int k = 0; k < 3; k++)
        by[k] = roll * axis[k];
    dquat_exp(by, turn);
    for (int i = 0; i < sn_model_get(pose->model)->nbody; i++)
        dquat_multiply(turn, pose->rot[i], pose->rot[i]);
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

/* Lying, the axis to the head is level, and (x, y) of the pelvis point down and to the side by the roll: with R = Ry(90 degrees)
   Rz(roll), their heights are -cos(roll) and sin(roll). */
enum rise_way sn__rise_choose(const double rotation[4], double *time) {
    double nose[3] = {1, 0, 0}, left[3] = {0, 1, 0};
    dquat_rotate(rotation, nose, nose);
    dquat_rotate(rotation, left, left);
    const double roll = sn__atan2(left[2], -nose[2]);
    *time = -TURN * fabs(roll) / M_PI;
    return roll < 0 ? RISE_RIGHT_UP : RISE_LEFT_UP;
}

/* A turn q is a turn about Z by 2 atan2(z, w) after one about a level axis: what is left is least at that yaw. */
double sn__rise_yaw(enum rise_way way, double time, const double rotation[4]) {
    double x[NUMBERS], turn[4], roll[4];
    numbers_at(fmax(0, time), x);
    sn__turn_y(x[PELVIS], turn);
    sn__turn_xyz(0, 0, roll_of(way, time), roll);
    dquat_multiply(turn, roll, turn);
    dquat_conjugate(turn, turn);
    dquat_multiply(rotation, turn, turn);
    return 2 * sn__atan2(turn[3], turn[0]);
}
