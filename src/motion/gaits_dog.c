/* Pace, trot and canter of the built-in dog.
 *
 * As with the humanoid the paws come first. A fore leg is shoulder blade (swung as given), upper arm and fore leg (inverse
 * kinematics) and paw; a hind leg is thigh and shin (inverse kinematics), hock (at a pitch as given) and paw. Gaits differ in
 * when the paws come down: a pace moves the legs of one side together, a trot those across, a canter has three beats and
 * then all paws in the air. */
#include "motion/gait.h"

#include "base/elementary.h"
#include "base/error.h"
#include "base/quat.h"
#include "clip/keys.h"

#include <stdio.h>
#include <string.h>

enum { RIGHT_HIND, LEFT_HIND, RIGHT_FORE, LEFT_FORE, LEGS };

struct dog_style {
    const char *name;
    double T, speed;
    double touch[LEGS]; /* phase of touch-down                                       */
    struct tread hind, fore;
    double ahead_hind, ahead_fore; /* as for the humanoid                                      */
    double width;
    double height;                      /* of the pelvis, m                                          */
    double bob, bob_rounds, bob_lowest; /* m; times a round; phase                        */
    double pitch, pitch_lowest;         /* of the pelvis: rad, phase when the head is lowest          */
    double spine;                       /* rad of bending in loin and chest each, at the same phase   */
    double roll, sway;                  /* with the left legs' stance: rad, m                         */
    double shoulder;                    /* rad the blade swings                                       */
    double tail;                        /* rad */
};

static const struct dog_style styles[] = {
    {.name = "pace",
     .T = 0.56,
     .speed = 1.25,
     .touch = {0.5, 0, 0.56, 0.06},
     .hind = {.duty = 0.52, .lift = 0.55, .flat = 0.05, .heel_off = 0.7, .clearance = 0.075, .skew = 0.1},
     .fore = {.duty = 0.52, .lift = 0.6, .flat = 0.05, .heel_off = 0.75, .clearance = 0.085, .skew = 0.1},
     .ahead_hind = 0.44,
     .ahead_fore = 0.44,
     .width = 0.8,
     .height = 0.435,
     .bob = 0.006,
     .bob_rounds = 2,
     .bob_lowest = 0.28,
     .pitch = 0.015,
     .pitch_lowest = 0.1,
     .spine = 0.01,
     .roll = 0.05,
     .sway = 0.02,
     .shoulder = 0.28,
     .tail = 0.25},
    {.name = "trot",
     .T = 0.5,
     .speed = 1.5,
     .touch = {0.5, 0, 0, 0.5},
     .hind = {.duty = 0.46, .lift = 0.6, .flat = 0.05, .heel_off = 0.68, .clearance = 0.075, .skew = 0.1},
     .fore = {.duty = 0.46, .lift = 0.6, .flat = 0.05, .heel_off = 0.72, .clearance = 0.085, .skew = 0.1},
     .ahead_hind = 0.44,
     .ahead_fore = 0.44,
     .width = 0.8,
     .height = 0.435,
     .bob = 0.012,
     .bob_rounds = 2,
     .bob_lowest = 0.23,
     .pitch = 0.012,
     .pitch_lowest = 0.2,
     .spine = 0.012,
     .roll = 0.012,
     .sway = 0.004,
     .shoulder = 0.3,
     .tail = 0.2},
    {.name = "canter",
     .T = 0.46,
     .speed = 2.4,
     .touch = {0, 0.22, 0.24, 0.46},
     .hind = {.duty = 0.28, .lift = 0.6, .flat = 0.05, .heel_off = 0.6, .clearance = 0.09, .skew = 0.1},
     .fore = {.duty = 0.28, .lift = 0.6, .flat = 0.05, .heel_off = 0.65, .clearance = 0.09, .skew = 0.1},
     .ahead_hind = 0.42,
     .ahead_fore = 0.44,
     .width = 0.7,
     .height = 0.42,
     .bob = 0.022,
     .bob_rounds = 1,
     .bob_lowest = 0.42,
     .pitch = 0.1,
     .pitch_lowest = 0.62,
     .spine = 0.1,
     .roll = 0.015,
     .sway = 0.005,
     .shoulder = 0.38,
     .tail = 0.2},
};

struct dog {
    const sn_model *model;
    const struct dog_style *style;
    int pelvis, loin, chest, neck, head, tail, tail_tip;
    int shoulder[2], upper_arm[2], fore_leg[2], fore_paw[2]; /* right, left */
    int thigh[2], shin[2], hock[2], hind_paw[2];
    struct sole fore_sole, hind_sole;
};

static const double *pos_of(const struct dog *d, int body) {
    return sn_model_body(d->model, body)->pos;
}

/* ----------------------------------------------------------------------------------------------------- the model */

static bool find_one(struct dog *d, const char *name, int *body, sn_error *error) {
    *body = sn__figure_body(d->model, name, SN_JOINT_BALL, d->style->name, error);
    return *body >= 0;
}

static bool find_two(struct dog *d, const char *name, int body[2], sn_error *error) {
    char full[2][SN_MAX_NAME + 1];
    snprintf(full[0], sizeof full[0], "right_%s", name);
    snprintf(full[1], sizeof full[1], "left_%s", name);
    return find_one(d, full[0], &body[0], error) && find_one(d, full[1], &body[1], error);
}

static bool find_sole(struct dog *d, int paw, struct sole *sole, sn_error *error) {
    const sn_body_info *info = sn_model_body(d->model, paw);
    const sn_shape_def *box = info->nshape > 0 ? (&sn_model_get(d->model)->shape[info->first_shape]) : NULL;
    if (!box || box->type != SN_SHAPE_BOX) {
        sn__fail(error, SN_ERROR_ARGUMENT, "the motion '%s' does not fit the model: '%s' should be a box",
                 d->style->name, info->name);
        return false;
    }
    *sole = (struct sole){box->pos[0] - box->size[0], box->pos[0] + box->size[0], box->size[2] - box->pos[2]};
    return true;
}

static bool find_dog(struct dog *d, sn_error *error) {
    d->pelvis = sn__figure_body(d->model, "pelvis", SN_JOINT_FREE, d->style->name, error);
    return d->pelvis >= 0 && find_one(d, "loin", &d->loin, error) && find_one(d, "chest", &d->chest, error) &&
           find_one(d, "neck", &d->neck, error) && find_one(d, "head", &d->head, error) &&
           find_one(d, "tail", &d->tail, error) && find_one(d, "tail_tip", &d->tail_tip, error) &&
           find_two(d, "shoulder", d->shoulder, error) && find_two(d, "upper_arm", d->upper_arm, error) &&
           find_two(d, "fore_leg", d->fore_leg, error) && find_two(d, "fore_paw", d->fore_paw, error) &&
           find_two(d, "thigh", d->thigh, error) && find_two(d, "shin", d->shin, error) &&
           find_two(d, "hock", d->hock, error) && find_two(d, "hind_paw", d->hind_paw, error) &&
           find_sole(d, d->fore_paw[0], &d->fore_sole, error) &&
           find_sole(d, d->hind_paw[0], &d->hind_sole, error);
}

/* ------------------------------------------------------------------------------------------------------ the pose */

static void place_trunk(const void *gait, struct figure_pose *pose, double t) {
    const struct dog *d = gait;
    const struct dog_style *y = d->style;
    const double phase = t / y->T, rock = sn__cos(2 * M_PI * (phase - y->pitch_lowest));
    const double left = sn__cos(2 * M_PI * (phase - y->touch[LEFT_HIND] - 0.5 * y->hind.duty));
    double turn[4];
    pose->root[0] = y->speed * t;
    pose->root[1] = y->sway * left;
    pose->root[2] = y->height - y->bob * sn__cos(2 * M_PI * y->bob_rounds * (phase - y->bob_lowest));
    sn__turn_xyz(y->roll * left, y->pitch * rock, 0.5 * y->roll * left, turn);
    sn__figure_set(pose, d->pelvis, turn);
    sn__turn_xyz(-0.4 * y->roll * left, -y->spine * rock, -0.5 * y->roll * left, turn);
    sn__figure_turn(pose, d->loin, turn);
    sn__figure_turn(pose, d->chest, turn);
    /* the head stays level */
    sn__turn_xyz(0, -0.1 + 0.5 * (2 * y->spine - y->pitch) * rock, 0, turn);
    sn__figure_turn(pose, d->neck, turn);
    sn__turn_xyz(0, 0.1 + 0.4 * (2 * y->spine - y->pitch) * rock, 0, turn);
    sn__figure_turn(pose, d->head, turn);
    sn__turn_xyz(0, 0.5 * y->tail - 0.3 * y->tail * rock, 0.4 * y->tail * sn__sin(2 * M_PI * phase), turn);
    sn__figure_turn(pose, d->tail, turn);
    sn__turn_xyz(0, -0.4 * y->tail * rock, 0.4 * y->tail * sn__sin(2 * M_PI * phase - 0.8), turn);
    sn__figure_turn(pose, d->tail_tip, turn);
}

/* In the swing a paw hangs from the leg, curled back by that much, and is as the tread has it on the ground. */
static void curl_paw(struct figure_pose *pose, int paw, int leg, double pitch, double phase, double duty,
                     double curl) {
    const double swing = (phase - duty) / (1 - duty),
                 hang = sn__ease((swing - 0.1) / 0.36) * sn__ease((0.88 - swing) / 0.36);
    double level[4], hanging[4], rot[4];
    sn__turn_y(pitch, level);
    sn__turn_y(curl, hanging);
    dquat_multiply(pose->rot[leg], hanging, hanging);
    sn__slerp(level, hanging, hang, 1, rot, NULL);
    sn__figure_set(pose, paw, rot);
}

/* Phase of the leg and where its paw's joint is. */
static double place_paw(const struct dog *d, int leg, double t, double joint_x, double place[3],
                        double *pitch) {
    const struct dog_style *y = d->style;
    const bool fore = leg >= RIGHT_FORE;
    const struct tread *tread = fore ? &y->fore : &y->hind;
    const double stride = y->speed * y->T, phase = t / y->T - y->touch[leg], round = floor(phase);
    const double ahead = (fore ? y->ahead_fore : y->ahead_hind) * tread->duty * stride;
    double at[2];
    sn__tread_sample(tread, fore ? &d->fore_sole : &d->hind_sole, stride, y->T, phase - round, at, pitch);
    place[0] = joint_x + ahead + (y->touch[leg] + round) * stride + at[0];
    place[1] = (leg % 2 ? 1 : -1) * y->width * 0.07; /* about where shoulders and hips are */
    place[2] = at[1];
    return phase - round;
}

static void place_fore(const void *gait, struct figure_pose *pose, int side, double t) {
    const struct dog *d = gait;
    const double *blade = pos_of(d, d->upper_arm[side]), *chest = pos_of(d, d->chest),
                 *loin = pos_of(d, d->loin), *shoulder = pos_of(d, d->shoulder[side]);
    /* where the wrist hangs when the dog stands */
    const double x = loin[0] + chest[0] + shoulder[0] + blade[0] + pos_of(d, d->fore_leg[side])[0] +
                     pos_of(d, d->fore_paw[side])[0];
    double wrist[3], pitch, turn[4], across[3] = {0, 1, 0};
    const double phase = place_paw(d, side ? LEFT_FORE : RIGHT_FORE, t, x, wrist, &pitch);
    sn__turn_y(-d->style->shoulder * sn__cos(2 * M_PI * (phase - 0.03)), turn);
    sn__figure_turn(pose, d->shoulder[side], turn);
    dquat_rotate(pose->rot[d->chest], across, across);
    sn__figure_reach(pose, d->upper_arm[side], d->fore_leg[side], pos_of(d, d->fore_paw[side]), wrist, across,
                     -1);
    curl_paw(pose, d->fore_paw[side], d->fore_leg[side], pitch, phase, d->style->fore.duty, 0.6);
}

/* Pitch of the hock in the world through a round: it leans over the paw as the leg goes back, and folds in the swing. */
static double hock_pitch(double phase, double duty) {
    const double swing = 1 - duty;
    const struct curve_key key[] = {{0, -0.12, 0},
                                    {0.4 * duty, 0.08, NAN},
                                    {duty, 0.62, NAN},
                                    {duty + 0.28 * swing, 0.85, NAN},
                                    {duty + 0.62 * swing, 0.2, NAN},
                                    {1, -0.12, 0}};
    return sn__curve(key, sizeof key / sizeof *key, phase);
}

static void place_hind(const void *gait, struct figure_pose *pose, int side, double t) {
    const struct dog *d = gait;
    const double *hip = pos_of(d, d->thigh[side]), *down = pos_of(d, d->hind_paw[side]);
    const double x = hip[0] + pos_of(d, d->shin[side])[0] + pos_of(d, d->hock[side])[0] + down[0];
    double ankle[3], pitch, lean[4], arm[3], across[3] = {0, 1, 0};
    const double phase = place_paw(d, side ? LEFT_HIND : RIGHT_HIND, t, x, ankle, &pitch);
    sn__turn_y(hock_pitch(phase, d->style->hind.duty), lean);
    dquat_rotate(lean, down, arm);
    for (int k = 0; k < 3; k++)
        ankle[k] -= arm[k];
    dquat_rotate(pose->rot[d->pelvis], across, across);
    sn__figure_reach(pose, d->thigh[side], d->shin[side], pos_of(d, d->hock[side]), ankle, across, 1);
    sn__figure_set(pose, d->hock[side], lean);
    curl_paw(pose, d->hind_paw[side], d->hock[side], pitch, phase, d->style->hind.duty, 0.4);
}

static void pose_dog(void *gait, double t, double *q) {
    static const struct figure_parts parts = {place_trunk, {place_fore, place_hind}};
    const struct dog *d = gait;
    sn__figure_pose(d->model, &parts, gait, t, q);
}

sn_motion *sn__gait_dog(const char *name, const sn_model *model, sn_error *error) {
    struct dog d = {.model = model, .style = styles};
    while (strcmp(d.style->name, name) != 0)
        d.style++;
    if (!find_dog(&d, error)) return NULL;
    return sn__gait_record(model, d.style->T, GAIT_RATE, pose_dog, &d, error);
}
