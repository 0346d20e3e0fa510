/* A backflip of the built-in humanoid.
 *
 * The centre of mass is what is prescribed: on the ground it sinks and rises, in the air it flies as gravity has it. The
 * pelvis is where the current pose puts the centre of mass there. Feet stand, roll onto the toes and leave the ground; in
 * the air the legs fold and stretch on a smooth curve in the pelvis's axes. All turns are pitches. */
#include "motion/human.h"

#include "base/quat.h"

#include <string.h>

static const double T = 2.1, take_off = 0.78, landing = 1.34; /* s */
static const double travel = -0.42, gravity = 9.81;           /* m, m/s^2 */
static const double rise = 0.085, drop = -0.05; /* m: centre of mass at take-off, at landing, over standing */
static const double lift_pitch = 0.9, land_pitch = 0.25; /* of the feet at those times */

struct flip {
    struct human human;
    double standing;                         /* height of the centre of mass          */
    double from[3], to[3], dfrom[3], dto[3]; /* ankle (x, z) and sole's pitch in the pelvis's axes */
};

#define CURVE(t, ...)                                                                                        \
    sn__curve((const struct curve_key[]){__VA_ARGS__},                                                       \
              (int)(sizeof((const struct curve_key[]){__VA_ARGS__}) / sizeof(struct curve_key)), t)

static double pelvis_pitch(double t) {
    return CURVE(t, {0, 0.03, 0}, {0.5, 0.5, NAN}, {take_off, -0.3, -7}, {1.05, -3.2, -13.5},
                 {landing, 0.42 - 2 * M_PI, -5}, {1.52, 0.62 - 2 * M_PI, NAN}, {T, 0.03 - 2 * M_PI, 0});
}

static double sole_pitch(double t) {
    return t <= take_off ? CURVE(t, {0.56, 0, 0}, {take_off, lift_pitch, 9})
                         : CURVE(t, {landing, land_pitch, -5}, {landing + 0.09, 0, 0});
}

/* Where the centre of mass should be: x and height. */
static void centre(const struct flip *f, double t, double *x, double *z) {
    const double air = landing - take_off, vx = (travel + 0.15) / air;
    const double x0 = -0.04, x1 = x0 + travel + 0.15;
    const double up = (drop - rise) / air + 0.5 * gravity * air, down = up - gravity * air;
    if (t > take_off && t < landing) {
        const double s = t - take_off;
        *x = x0 + vx * s;
        *z = f->standing + rise + up * s - 0.5 * gravity * s * s;
        return;
    }
    if (t <= take_off) {
        *x = CURVE(t, {0, 0.04, 0}, {0.45, 0.05, 0}, {take_off, x0, vx});
        *z = f->standing + CURVE(t, {0, 0, 0}, {0.47, -0.24, 0}, {take_off, rise, up});
        return;
    }
    *x = CURVE(t, {landing, x1, vx}, {1.6, travel + 0.04, 0}, {T, travel + 0.04, 0});
    *z = f->standing + CURVE(t, {landing, drop, down}, {landing + 0.2, -0.26, 0}, {T, 0, 0});
}

static void place_trunk(const struct flip *f, struct figure_pose *pose, double t) {
    double turn[4];
    sn__turn_y(pelvis_pitch(t), turn);
    sn__figure_set(pose, f->human.pelvis, turn);
    sn__turn_y(CURVE(t, {0, 0, 0}, {0.47, 0.35, NAN}, {take_off, -0.3, NAN}, {1.05, 0.55, NAN},
                     {landing, 0.15, NAN}, {1.55, 0.35, NAN}, {T, 0, 0}),
               turn);
    sn__figure_turn(pose, f->human.chest, turn);
    sn__turn_y(CURVE(t, {0, 0, 0}, {0.47, -0.45, NAN}, {take_off, -0.35, NAN}, {1.05, 0.3, NAN},
                     {landing, -0.3, NAN}, {1.55, -0.45, NAN}, {T, 0, 0}),
               turn);
    sn__figure_turn(pose, f->human.head, turn);
    const double swing = CURVE(t, {0, 0, 0}, {0.38, 1.1, NAN}, {0.72, -2.5, NAN}, {0.84, -2.8, NAN},
                               {1.06, -0.9, NAN}, {landing, -1.1, NAN}, {1.5, -1.0, NAN}, {T, 0, 0});
    const double elbow = CURVE(t, {0, -0.2, 0}, {0.45, -0.25, NAN}, {take_off, -0.3, NAN}, {1.05, -1.1, NAN},
                               {landing, -0.5, NAN}, {1.6, -0.45, NAN}, {T, -0.2, 0});
    for (int side = 0; side < 2; side++)
        sn__human_arm(&f->human, pose, side, swing, 0.12, elbow);
}

/* Ankle (x, z) in the world and the sole's pitch, of a foot on the ground. */
static void ground_foot(const struct flip *f, double t, double foot[3]) {
    foot[2] = sole_pitch(t);
    sn__sole_pivot(&f->human.sole, foot[2], &foot[0], &foot[1]);
    if (t > take_off) foot[0] += travel;
}

/* The same in the air, where the pelvis carries it. */
static void air_foot(const struct flip *f, const struct figure_pose *pose, double t, double foot[3]) {
    const double folded[3] = {0.25, -0.27, 0.75}, middle = 0.5 * (take_off + landing);
    double local[3], pitch[4], arm[3];
    for (int k = 0; k < 3; k++)
        local[k] = CURVE(t, {take_off, f->from[k], f->dfrom[k]}, {middle, folded[k], NAN},
                         {landing, f->to[k], f->dto[k]});
    sn__turn_y(pelvis_pitch(t), pitch);
    const double out[3] = {local[0], 0, local[1]};
    dquat_rotate(pitch, out, arm);
    foot[0] = pose->root[0] + arm[0];
    foot[1] = pose->root[2] + arm[2];
    foot[2] = local[2] + pelvis_pitch(t);
}

/* The pose at t. The legs depend on the pelvis, which depends on the legs' mass: a few rounds settle it. */
static void place_all(const struct flip *f, struct figure_pose *pose, double t, bool air) {
    double x, z, com[3], foot[3], sole[4];
    sn__figure_start(pose, f->human.model);
    centre(f, t, &x, &z);
    pose->root[0] = x, pose->root[2] = z - 0.1;
    place_trunk(f, pose, t);
    for (int round = 0; round < 40; round++) {
        if (air)
            air_foot(f, pose, t, foot);
        else
            ground_foot(f, t, foot);
        sn__turn_y(foot[2], sole);
        for (int side = 0; side < 2; side++) {
            const double ankle[3] = {foot[0], (side ? 1 : -1) * f->human.hip, foot[1]};
            sn__human_leg(&f->human, pose, side, ankle, sole);
        }
        sn__figure_com(pose, com);
        pose->root[0] += x - com[0];
        pose->root[2] += z - com[2];
        if (fabs(x - com[0]) + fabs(z - com[2]) < 1e-12) break;
    }
}

static void pose_flip(void *gait, double t, double *q) {
    const struct flip *f = gait;
    struct figure_pose pose;
    place_all(f, &pose, t, t > take_off && t < landing);
    sn__figure_finish(&pose, q);
}

/* The foot on the ground at t as the pelvis sees it. */
static void seen_from_pelvis(const struct flip *f, double t, double local[3]) {
    struct figure_pose pose;
    double foot[3], back[4];
    place_all(f, &pose, t, false);
    ground_foot(f, t, foot);
    double arm[3] = {foot[0] - pose.root[0], 0, foot[1] - pose.root[2]};
    dquat_conjugate(pose.rot[f->human.pelvis], back);
    dquat_rotate(back, arm, arm);
    local[0] = arm[0], local[1] = arm[2], local[2] = foot[2] - pelvis_pitch(t);
}

static void find_standing(struct flip *f) {
    struct figure_pose pose;
    const double flat[4] = {1, 0, 0, 0};
    double com[3];
    sn__figure_start(&pose, f->human.model);
    pose.root[2] = 0.985 * f->human.leg + f->human.sole.depth;
    place_trunk(f, &pose, 0);
    for (int side = 0; side < 2; side++) {
        const double ankle[3] = {0, (side ? 1 : -1) * f->human.hip, f->human.sole.depth};
        sn__human_leg(&f->human, &pose, side, ankle, flat);
    }
    sn__figure_com(&pose, com);
    f->standing = com[2];
}

sn_motion *sn__gait_backflip(const char *name, const sn_model *model, sn_error *error) {
    struct flip f = {0};
    const double d = 1e-5;
    if (!sn__human_find(&f.human, model, name, error)) return NULL;
    find_standing(&f);
    seen_from_pelvis(&f, take_off - d, f.dfrom);
    seen_from_pelvis(&f, take_off, f.from);
    seen_from_pelvis(&f, landing + d, f.to);
    seen_from_pelvis(&f, landing + 2 * d, f.dto);
    for (int k = 0; k < 3; k++) {
        f.dfrom[k] = (f.from[k] - f.dfrom[k]) / d;
        f.dto[k] = (f.dto[k] - f.to[k]) / d;
    }
    /* pitches that went once round the other way */
    f.to[2] -= 2 * M_PI * floor(f.to[2] / (2 * M_PI) + 0.5);
    return sn__gait_record(model, T, GAIT_RATE, pose_flip, &f, error);
}
