#include "motion/stride.h"

#include "base/elementary.h"
#include "base/error.h"
#include "base/quat.h"

#include <string.h>

/* -------------------------------------------------------------------------------------------------------- styles */

/* Ways to go, the walk and the run of gaits_human.c among them. */
enum { STYLES = 7, STYLE_NUMBERS = sizeof(struct human_style) / sizeof(double) };

/* clang-format off */
static const struct human_style styles[STYLES] = {
    {0, .86, {.64, 0, .12, .2, .75, .05, 0}, .5, 1.05, .95,
     .004, .05, .024, 0, .02, .01, 0, .05, .02, .1, -.3, .03},
    {.6, .96, {.63, -.12, .5, .24, .56, .035, .1}, .42, .95, .94,
     .01, .05, .024, .05, .03, .025, .1, .2, .02, .1, -.3, .1},
    {1.2, 1.08, {.61, -.28, .85, .24, .52, .018, .2}, .36, .8, .932,
     .018, .05, .022, .09, .04, .04, .2, .38, .02, .09, -.35, .2},
    {1.9, .94, {.55, -.28, .95, .23, .5, .04, .25}, .34, .65, .925,
     .014, .06, .016, .11, .045, .07, .25, .5, .05, .11, -.7, .25},
    {2.4, .76, {.42, -.14, 1, .2, .46, .13, .3}, .3, .55, .912, .026,
     .15, .011, .12, .05, .1, .28, .62, .08, .14, -1.3, .28},
    {3.2, .68, {.34, -.08, 1.05, .2, .45, .22, .35}, .25, .45, .905,
     .035, .16, .008, .14, .05, .14, .32, .75, .1, .16, -1.65, .3},
    {4.2, .62, {.29, -.08, 1.1, .2, .45, .28, .35}, .23, .4, .9,
     .036, .15, .006, .16, .05, .18, .36, .9, .12, .18, -1.75, .3},
};
/* clang-format on */

static const double G = 9.81;
static const double ACCELERATE = 2, BRAKE = 2.5, JERK = 12, SIDE = 3; /* m/s^2, m/s^3; |v w| */
static const double TURN_RATE = 2.5, TURN_CHANGE = 8;                 /* rad/s, rad/s^2 */
static const double CAPTURE = .25, FOLLOW = .1;                       /* s */

static double within(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

/* The numbers of a speed, between those of its neighbours. Sideways the steps are short and wide: feet that do not pass
   each other need at least a quarter of a round's way between the pelvis and each of them. */
static struct human_style style_of(const struct stride *stride, const struct stride_state *s) {
    const double speed = sn__hypot(s->velocity[0], s->velocity[1]), aside = fabs(s->velocity[1]);
    const double lateral = aside / (speed + .2), ahead = within(s->velocity[0] / (speed + .1), 0, 1);
    struct human_style y;
    int i = 0;
    while (i < STYLES - 2 && speed > styles[i + 1].speed)
        i++;
    const double u = within((speed - styles[i].speed) / (styles[i + 1].speed - styles[i].speed), 0, 1);
    const double *a = (const double *)&styles[i], *b = (const double *)&styles[i + 1];
    for (int k = 0; k < STYLE_NUMBERS; k++)
        ((double *)&y)[k] = a[k] + u * (b[k] - a[k]);
    y.T += lateral * lateral * (fmin(y.T, .72) - y.T);
    y.width = fmax(y.width, (.25 * y.T * aside + .07) / stride->human.hip);
    y.tread.strike *= ahead; /* only who goes ahead rolls from heel to toe */
    y.tread.lift *= .2 + .8 * ahead;
    y.ahead += (1 - ahead) * (.5 - y.ahead) * within(speed, 0, 1);
    return y;
}

/* ----------------------------------------------------------------------------------------------------------- feet */

static void turn_by(double angle, const double x[2], double out[2]) {
    const double c = sn__cos(angle), s = sn__sin(angle), a = c * x[0] - s * x[1], b = s * x[0] + c * x[1];
    out[0] = a, out[1] = b;
}

static double phase_of(const struct stride_state *s, int side) {
    const double phase = s->phase + (side ? 0 : .5);
    return phase - floor(phase);
}

/* Where a foot lands in the time t: as far ahead of the pelvis as the style has it, behind and outside where the gait
   accelerates (h / g times), and further where the character is faster than planned: there it can be caught. */
static void landing(const struct stride *stride, const struct stride_state *s, const struct human_style *y,
                    int side, double t, double place[2], double *heading) {
    const double h = y->height * stride->human.leg, sign = side ? 1 : -1;
    const double pull[2] = {s->acceleration[0] - s->turn * s->velocity[1],
                            s->acceleration[1] + s->turn * s->velocity[0]};
    double way[2], own[2], catch[2];
    for (int k = 0; k < 2; k++) {
        way[k] = s->velocity[k] * t;
        own[k] = y->ahead * y->tread.duty * y->T * s->velocity[k] - h / G * pull[k];
    }
    turn_by(-s->heading - s->turn * t, s->off, catch);
    own[0] = within(own[0] + CAPTURE * catch[0], -.6, .7);
    own[1] = sign * within(sign * (own[1] + CAPTURE * catch[1]) + y->width * stride->human.hip, -.02, .6);
    *heading = s->heading + s->turn * t;
    turn_by(s->heading + .5 * s->turn * t, way, way);
    turn_by(*heading, own, own);
    for (int k = 0; k < 2; k++)
        place[k] = s->pelvis[k] + way[k] + own[k];
}

/* The part of the way that a swinging foot has behind it, at the fraction u of the swing. */
static double swung(double u) {
    return u * u * u * (10 - 15 * u + 6 * u * u);
}

static double swing_of(const struct human_style *y, double phase) {
    return phase < y->tread.duty ? 0 : (phase - y->tread.duty) / (1 - y->tread.duty);
}

static void place_foot(const struct stride *stride, const struct stride_state *s, const struct human_style *y,
                       int side, double ankle[3], double *pitch, double *heading) {
    const double phase = phase_of(s, side), u = swing_of(y, phase);
    double at[2], land[2], there, roll[2] = {0};
    sn__tread_sample(&y->tread, &stride->human.sole, 0, y->T, phase, at, pitch);
    ankle[0] = s->foot[side][0], ankle[1] = s->foot[side][1];
    *heading = s->foot_heading[side];
    if (u > 0) {
        landing(stride, s, y, side, (1 - phase) * y->T, land, &there);
        for (int k = 0; k < 2; k++)
            ankle[k] += swung(u) * (land[k] - ankle[k]);
        *heading += swung(u) * (there - *heading);
    } else {
        /* who stands has flat soles */
        *pitch *= s->activity;
        sn__sole_pivot(&stride->human.sole, *pitch, &at[0], &at[1]);
    }
    roll[0] = at[0];
    turn_by(*heading, roll, roll);
    ankle[0] += roll[0], ankle[1] += roll[1];
    ankle[2] = at[1];
}

bool sn__stride_foot(const struct stride *stride, const struct stride_state *s, int side, double ankle[3],
                     double *pitch, double *heading) {
    const struct human_style y = style_of(stride, s);
    place_foot(stride, s, &y, side, ankle, pitch, heading);
    return !(swing_of(&y, phase_of(s, side)) > 0);
}

/* ------------------------------------------------------------------------------------------------------- steering */

/* Shortens a vector to the length `most`. */
static void shorten(double x[2], double most) {
    const double length = sn__hypot(x[0], x[1]), scale = length > most ? most / length : 1;
    x[0] *= scale, x[1] *= scale;
}

/* The planned velocity and turn follow the stick within what a body can do. */
static void steer(struct stride_state *s, double dt) {
    const double *v = s->velocity;
    double wanted[2] = {within(s->stick[0], -1.2, 4.5), within(s->stick[1], -1, 1)}, change[2];
    for (int k = 0; k < 2; k++)
        change[k] = (wanted[k] - v[k]) / .25;
    shorten(change, change[0] * v[0] + change[1] * v[1] < 0 ? BRAKE : ACCELERATE);
    for (int k = 0; k < 2; k++)
        change[k] -= s->acceleration[k];
    shorten(change, JERK * dt);
    for (int k = 0; k < 2; k++) {
        s->acceleration[k] += change[k];
        s->velocity[k] += s->acceleration[k] * dt;
    }
    const double speed = fmax(1e-3, sn__hypot(v[0], v[1]));
    const double most = fmin(TURN_RATE, SIDE / speed), by = fmin(TURN_CHANGE, JERK / speed) * dt;
    s->turn += within(within(s->stick[2], -most, most) - s->turn, -by, by);
    double way[2] = {v[0] * dt, v[1] * dt};
    turn_by(s->heading + .5 * s->turn * dt, way, way);
    s->heading += s->turn * dt;
    s->pelvis[0] += way[0], s->pelvis[1] += way[1];
}

/* ------------------------------------------------------------------------------------------- standing and stepping */

/* How far the farther foot is from where it would stand, m; a radian of its heading counts .3 m. */
static double astray(const struct stride *stride, const struct stride_state *s) {
    const double middle[2] = {.5 * (s->foot[0][0] + s->foot[1][0]), .5 * (s->foot[0][1] + s->foot[1][1])};
    double most = 0;
    for (int side = 0; side < 2; side++) {
        double home[2] = {0, (side ? 1 : -1) * styles[0].width * stride->human.hip};
        turn_by(s->heading, home, home);
        most = fmax(
            most, sn__hypot(middle[0] + home[0] - s->foot[side][0], middle[1] + home[1] - s->foot[side][1]) +
                      .3 * fabs(s->heading - s->foot_heading[side]));
    }
    return most;
}

/* From the middle of the feet to where the character could come to rest, in its heading. */
static void to_capture(const struct stride_state *s, double way[2]) {
    for (int k = 0; k < 2; k++)
        way[k] = s->pelvis[k] + CAPTURE * s->off[k] - .5 * (s->foot[0][k] + s->foot[1][k]);
    turn_by(-s->heading, way, way);
}

static bool wants_rest(const struct stride_state *s) {
    return sn__hypot(s->stick[0], s->stick[1]) < .05 && fabs(s->stick[2]) < .05 &&
           sn__hypot(s->velocity[0], s->velocity[1]) < .12 && fabs(s->turn) < .1;
}

/* Stops stepping when both feet stand at home, and starts again under a stick or when pushed; then the foot steps first that
   is on the side it has to go to. */
static void stand_or_step(const struct stride *stride, struct stride_state *s, const struct human_style *y) {
    double way[2];
    to_capture(s, way);
    const double half = fmod(s->phase, .5), both = y->tread.duty - .5, off = sn__hypot(way[0], way[1]);
    if (s->going > 0) {
        if (wants_rest(s) && half >= .4 * both && half < both && off < .07 && astray(stride, s) < .07)
            s->going = 0;
        return;
    }
    if (wants_rest(s) && off < .11 && astray(stride, s) < .12) return;
    const double left = way[1] + .3 * s->stick[1] + .05 * s->stick[2];
    s->going = 1;
    if (left > 0) s->phase = .5 + half;
    if (left < 0) s->phase = half;
}

static void step_on(const struct stride *stride, struct stride_state *s, const struct human_style *y,
                    double dt) {
    const double before[2] = {phase_of(s, 0), phase_of(s, 1)};
    s->phase += dt / y->T;
    s->phase -= floor(s->phase);
    for (int side = 0; side < 2; side++)
        if (phase_of(s, side) < before[side])
            landing(stride, s, y, side, 0, s->foot[side], &s->foot_heading[side]);
}

void sn__stride_advance(const struct stride *stride, struct stride_state *s, const double stick[3],
                        double dt) {
    memcpy(s->stick, stick, sizeof s->stick);
    steer(s, dt);
    const struct human_style y = style_of(stride, s);
    stand_or_step(stride, s, &y);
    if (s->going > 0) step_on(stride, s, &y, dt);
    s->activity += (1 - sn__exp(-dt / .15)) * (s->going - s->activity);
}

void sn__stride_begin(const struct stride *stride, struct stride_state *s, const double place[2],
                      double heading) {
    const struct human_style *y = &styles[0];
    *s = (struct stride_state){
        .phase = .25 * (y->tread.duty - .5) + .04, .heading = heading, .pelvis = {place[0], place[1]}};
    for (int side = 0; side < 2; side++)
        landing(stride, s, y, side, 0, s->foot[side], &s->foot_heading[side]);
}

/* ----------------------------------------------------------------------------------------------------------- pose */

/* Orientation of the pelvis; roll without what leaning adds. */
static void turn_pelvis(const struct stride_state *s, const struct human_style *y, double rot[4],
                        double *roll) {
    const double around = 2 * M_PI * s->phase, stance = 2 * M_PI * (s->phase - .5 * y->tread.duty);
    const double fore = s->velocity[0] / (sn__hypot(s->velocity[0], s->velocity[1]) + .1);
    const double pull[2] = {s->acceleration[0] - s->turn * s->velocity[1],
                            s->acceleration[1] + s->turn * s->velocity[0]};
    double heading[4];
    *roll = y->roll * sn__cos(stance) * s->activity;
    sn__turn_xyz(0, 0, s->heading, heading);
    sn__turn_xyz(*roll - .8 * pull[1] / G, fmax(fore, .2) * y->lean + .8 * pull[0] / G,
                 -y->yaw * sn__cos(around) * s->activity * fore, rot);
    dquat_multiply(heading, rot, rot);
}

/* Who stands stands above the feet; who goes, where the pelvis is planned. */
static void place_trunk(const struct stride *stride, const struct stride_state *s,
                        const struct human_style *y, struct figure_pose *pose) {
    const struct human *human = &stride->human;
    const double around = 2 * M_PI * s->phase, stance = 2 * M_PI * (s->phase - .5 * y->tread.duty);
    const double fore = s->velocity[0] / (sn__hypot(s->velocity[0], s->velocity[1]) + .1) * s->activity;
    double rot[4], roll, sway[2] = {0, y->sway * sn__cos(stance) * s->activity};
    turn_by(s->heading, sway, sway);
    for (int k = 0; k < 2; k++) {
        const double middle = .5 * (s->foot[0][k] + s->foot[1][k]);
        pose->root[k] = middle + s->activity * (s->pelvis[k] - middle) + sway[k];
    }
    pose->root[2] = y->height * human->leg + human->sole.depth -
                    y->bob * s->activity * sn__cos(4 * M_PI * (s->phase - y->lowest));
    turn_pelvis(s, y, rot, &roll);
    sn__figure_set(pose, human->pelvis, rot);
    sn__turn_xyz(-1.2 * roll, .3 * y->lean, y->chest_yaw * sn__cos(around) * fore, rot);
    sn__figure_turn(pose, human->chest, rot);
    sn__turn_xyz(.2 * roll, -1.0 * y->lean, -(y->chest_yaw - y->yaw) * sn__cos(around) * fore, rot);
    sn__figure_turn(pose, human->head, rot);
}

static void place_limbs(const struct stride *stride, const struct stride_state *s,
                        const struct human_style *y, struct figure_pose *pose) {
    const double fore = s->velocity[0] / (sn__hypot(s->velocity[0], s->velocity[1]) + .1) * s->activity;
    for (int side = 0; side < 2; side++) {
        const double swing = sn__cos(2 * M_PI * (phase_of(s, side) - .02)) * fore;
        double ankle[3], pitch, heading, sole[4];
        place_foot(stride, s, y, side, ankle, &pitch, &heading);
        sn__turn_xyz(0, pitch, heading, sole);
        sn__human_leg(&stride->human, pose, side, ankle, sole);
        sn__human_arm(&stride->human, pose, side, y->arm_middle + y->arm * swing, y->apart,
                      y->elbow + y->elbow_swing * swing);
    }
}

/* A leg that swings aims in the world: its thigh makes up for the tilt of the character's pelvis. */
static void aim_thigh(const struct stride *stride, const struct stride_state *s, const struct human_style *y,
                      int side, struct figure_pose *pose, double *q) {
    const int body = stride->human.thigh[side];
    const sn_body_info *info = sn_model_body(pose->model, body);
    const double u = swing_of(y, phase_of(s, side)), part = fmin(1, fmin(5 * u, 8 * (1 - u)));
    const double by[3] = {part * s->tilt[0], part * s->tilt[1], part * s->tilt[2]};
    double tilt[4], base[4];
    if (!(u > 0)) return;
    dquat_exp(by, tilt);
    dquat_multiply(tilt, pose->rot[stride->human.pelvis], base);
    dquat_multiply(base, info->rot, base);
    dquat_conjugate(base, base);
    dquat_multiply(base, pose->rot[body], q + info->q_index);
}

void sn__stride_frame(const struct stride *stride, const struct stride_state *now, double ahead,
                      const struct stride_frame *before, double dt, struct stride_frame *frame) {
    struct stride_state s = *now;
    struct figure_pose pose;
    struct stride_frame own = {0};
    if (ahead > 0) sn__stride_advance(stride, &s, s.stick, ahead);
    const struct human_style y = style_of(stride, &s);
    sn__figure_start(&pose, stride->human.model);
    place_trunk(stride, &s, &y, &pose);
    place_limbs(stride, &s, &y, &pose);
    sn__figure_finish(&pose, own.q);
    for (int side = 0; side < 2; side++)
        aim_thigh(stride, &s, &y, side, &pose, own.q);
    for (int i = 0; i < STRIDE_EFFECTORS; i++)
        sn__figure_point(&pose, stride->effector[i], sn_model_body(pose.model, stride->effector[i])->com,
                         own.effector[i]);
    if (before) {
        sn_model_pose_subtract(stride->human.model, 1, own.q, before->q, own.qd);
        for (int i = 0; i < STRIDE_NV; i++)
            own.qd[i] /= dt;
    }
    *frame = own;
}

/* ----------------------------------------------------------------------------------------------------------- feel */

/* Turns away from the heading by more than this pull the plan along: the character was spun. */
static const double HEADING_OFF = .7, MOST_TILT = .5, MOST_OFF = 2;

static void feel_turn(struct stride_state *s, const struct human_style *y, const double rotation[4]) {
    double planned[4], roll, x[3] = {1, 0, 0};
    dquat_rotate(rotation, x, x);
    const double wrong = remainder(sn__atan2(x[1], x[0]) - s->heading, 2 * M_PI);
    s->heading += wrong - within(wrong, -HEADING_OFF, HEADING_OFF);
    turn_pelvis(s, y, planned, &roll);
    dquat_conjugate(planned, planned);
    dquat_multiply(rotation, planned, planned);
    dquat_log(planned, s->tilt);
    s->tilt[2] = 0;
    shorten(s->tilt, MOST_TILT);
}

void sn__stride_feel(const struct stride *stride, struct stride_state *s, const struct stride_felt *felt,
                     double dt) {
    const struct human_style y = style_of(stride, s);
    const double part = 1 - sn__exp(-dt / FOLLOW), stance = 2 * M_PI * (s->phase - .5 * y.tread.duty);
    double sway[2] = {0, y.sway * sn__cos(stance) * s->activity}, planned[2];
    turn_by(s->heading, sway, sway);
    turn_by(s->heading, s->velocity, planned);
    for (int side = 0; side < 2; side++) {
        double ankle[3], pitch, heading;
        if (!sn__stride_foot(stride, s, side, ankle, &pitch, &heading)) continue;
        const double away[2] = {felt->ankle[side][0] - ankle[0], felt->ankle[side][1] - ankle[1]};
        /* who stands keeps its place, unless it was moved: a plan that follows every bit of sliding drifts away */
        if (!(s->going > 0) && sn__hypot(away[0], away[1]) < .05) continue;
        for (int k = 0; k < 2; k++)
            s->foot[side][k] += part * away[k];
    }
    for (int k = 0; k < 2; k++) {
        s->pelvis[k] += part * (felt->pelvis[k] - sway[k] - s->pelvis[k]);
        s->off[k] = felt->velocity[k] - planned[k];
    }
    shorten(s->off, MOST_OFF);
    feel_turn(s, &y, felt->rotation);
}

/* ---------------------------------------------------------------------------------------------------------- found */

bool sn__stride_find(struct stride *stride, const sn_model *model, sn_error *error) {
    const struct human *h = &stride->human;
    int count = 0;
    if (!sn__human_find(&stride->human, model, "stick", error)) return false;
    if (sn_model_get(model)->nq != STRIDE_NQ || sn_model_get(model)->nv != STRIDE_NV || h->pelvis != 0) {
        sn__fail(error, SN_ERROR_ARGUMENT,
                 "the stick steers the built-in humanoid only: this model has other joints");
        return false;
    }
    for (int i = 0; i < sn_model_get(model)->nbody; i++)
        for (int side = 0; side < 2; side++)
            if (i == h->foot[side] || i == h->forearm[side]) stride->effector[count++] = i;
    return true;
}
