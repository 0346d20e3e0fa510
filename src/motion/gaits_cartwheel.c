/* A cartwheel to the left, of the built-in humanoid.
 *
 * The body turns once about the forward axis while the pelvis travels sideways. Hands and feet stand on four places of the
 * ground in turn: left foot, left hand, right hand, right foot, left foot. While a hand or foot is planted its limb reaches
 * for that place; in between its end moves on a smooth curve in the axes of the chest or the pelvis. The way down is the way
 * up backwards, left and right changed. */
#include "motion/human.h"

#include "base/elementary.h"
#include "base/quat.h"
#include "clip/keys.h"

#include <string.h>

static const double T = 1.8, travel = 2.4, stance = 0.5,
                    hands = 0.46; /* s; m: in all, between feet, between hands */

/* Angles of the turn (degrees) at which each leaves or meets the ground. */
static const double foot_off[2] = {22, 104}, foot_on[2] = {256, 338}; /* right, left */
static const double hand_on[2] = {142, 93}, hand_off[2] = {267, 218};

/* A hand or foot in the air, from t0 to t1. */
struct swing {
    double t0, t1;
    double from[3], to[3], dfrom[3], dto[3]; /* in the carrier's axes */
    double middle[3];                        /* on the way            */
    bool has_middle;
};

struct wheel {
    struct human human;
    double foot_place[2][2][3]; /* [side][before, after] of the ankle */
    double hand_place[2][3];
    struct swing leg[2], arm_down[2], arm_up[2];
};

/* From rest to rest. */
static double turn_at(double t) {
    const double u = fmax(0, fmin(1, t / T));
    return 2 * M_PI * u * u * u * (10 - 15 * u + 6 * u * u);
}

static double time_of(double degrees) {
    double low = 0, high = T;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (turn_at(middle) < degrees * M_PI / 180)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static void place_trunk(const void *gait, struct figure_pose *pose, double t) {
    const struct wheel *w = gait;
    const double a = turn_at(t);
    double turn[4];
    pose->root[1] = travel * a / (2 * M_PI) - 0.05 * sn__sin(2 * a);
    pose->root[2] = 0.82 - 0.08 * sn__cos(a) + 0.07 * sn__cos(2 * a);
    sn__turn_xyz(-a, 0, 0, turn);
    sn__figure_set(pose, w->human.pelvis, turn);
    sn__turn_xyz(-0.42 * sn__sin(a), 0.05, 0, turn); /* bends towards the ground on both ways */
    sn__figure_turn(pose, w->human.chest, turn);
    sn__turn_xyz(0.3 * sn__sin(a), -0.3 * (1 - sn__cos(a)) / 2, 0, turn);
    sn__figure_turn(pose, w->human.head, turn);
}

static void into_carrier(const struct figure_pose *pose, int carrier, const double place[3],
                         double local[3]) {
    double origin[3], back[4];
    sn__figure_joint(pose, carrier, origin);
    for (int k = 0; k < 3; k++)
        local[k] = place[k] - origin[k];
    dquat_conjugate(pose->rot[carrier], back);
    dquat_rotate(back, local, local);
}

/* A planted place as the carrier sees it, and how fast it moves there. */
static void planted(const struct wheel *w, int carrier, const double place[3], double t, double local[3],
                    double slope[3]) {
    const double d = 1e-5;
    double ahead[3];
    struct figure_pose pose;
    sn__figure_start(&pose, w->human.model);
    place_trunk(w, &pose, t + d);
    into_carrier(&pose, carrier, place, ahead);
    place_trunk(w, &pose, t - d);
    into_carrier(&pose, carrier, place, local);
    for (int k = 0; k < 3; k++)
        slope[k] = (ahead[k] - local[k]) / (2 * d), local[k] = 0.5 * (ahead[k] + local[k]);
}

static void follow(const struct swing *swing, const struct figure_pose *pose, int carrier, double t,
                   double place[3]) {
    double local[3], origin[3];
    for (int k = 0; k < 3; k++) {
        struct curve_key key[3] = {{swing->t0, swing->from[k], swing->dfrom[k]},
                                   {0.5 * (swing->t0 + swing->t1), swing->middle[k], NAN},
                                   {swing->t1, swing->to[k], swing->dto[k]}};
        if (!swing->has_middle) key[1] = key[2];
        local[k] = sn__curve(key, swing->has_middle ? 3 : 2, t);
    }
    sn__figure_joint(pose, carrier, origin);
    dquat_rotate(pose->rot[carrier], local, local);
    for (int k = 0; k < 3; k++)
        place[k] = origin[k] + local[k];
}

static void place_leg(const void *gait, struct figure_pose *pose, int side, double t) {
    const struct wheel *w = gait;
    const struct swing *swing = &w->leg[side];
    double ankle[3], sole[4], pointed[4], point[4];
    const double flat[4] = {1, 0, 0, 0}, ramp = 0.35 * (swing->t1 - swing->t0);
    if (t <= swing->t0 || t >= swing->t1)
        memcpy(ankle, w->foot_place[side][t >= swing->t1], sizeof ankle);
    else
        follow(swing, pose, w->human.pelvis, t, ankle);
    sn__human_leg(&w->human, pose, side, ankle, flat);
    if (t <= swing->t0 || t >= swing->t1) return;
    /* in the air the toes point */
    sn__turn_y(0.7, point);
    dquat_multiply(pose->rot[w->human.shin[side]], point, pointed);
    sn__slerp(flat, pointed, sn__ease((t - swing->t0) / ramp) * sn__ease((swing->t1 - t) / ramp), 1, sole,
              NULL);
    sn__figure_set(pose, w->human.foot[side], sole);
}

static void place_arm(const void *gait, struct figure_pose *pose, int side, double t) {
    const struct wheel *w = gait;
    double hand[3], across[3] = {0, -1, 0}; /* an arm raised at the side has turned its elbow round */
    if (t <= w->arm_down[side].t1)
        follow(&w->arm_down[side], pose, w->human.chest, t, hand);
    else if (t >= w->arm_up[side].t0)
        follow(&w->arm_up[side], pose, w->human.chest, t, hand);
    else
        memcpy(hand, w->hand_place[side], sizeof hand);
    dquat_rotate(pose->rot[w->human.chest], across, across);
    sn__figure_reach(pose, w->human.upper_arm[side], w->human.forearm[side], w->human.hand, hand, across, -1);
}

static void pose_wheel(void *gait, double t, double *q) {
    static const struct figure_parts parts = {place_trunk, {place_leg, place_arm}};
    const struct wheel *w = gait;
    sn__figure_pose(w->human.model, &parts, gait, t, q);
}

static void prepare_leg(struct wheel *w, int side) {
    struct swing *swing = &w->leg[side];
    const double sign = side ? 1 : -1, spread = 0.75, reach = 0.95 * w->human.leg;
    for (int after = 0; after < 2; after++) {
        double *place = w->foot_place[side][after];
        place[0] = 0, place[1] = sign * 0.5 * stance + after * travel, place[2] = w->human.sole.depth;
    }
    swing->t0 = time_of(foot_off[side]);
    swing->t1 = time_of(foot_on[side]);
    planted(w, w->human.pelvis, w->foot_place[side][0], swing->t0, swing->from, swing->dfrom);
    planted(w, w->human.pelvis, w->foot_place[side][1], swing->t1, swing->to, swing->dto);
    swing->has_middle = true;
    swing->middle[0] = 0.02;
    swing->middle[1] = sign * (w->human.hip + reach * sn__sin(spread));
    swing->middle[2] = -reach * sn__cos(spread);
}

static void prepare_arm(struct wheel *w, int side) {
    struct swing *down = &w->arm_down[side], *up = &w->arm_up[side];
    const double *shoulder = sn_model_body(w->human.model, w->human.upper_arm[side])->pos;
    const double length = 0.93 * (dvec_length(sn_model_body(w->human.model, w->human.forearm[side])->pos) +
                                  dvec_length(w->human.hand));
    const double sign = side ? 1 : -1, spread = 0.45;
    double *place = w->hand_place[side],
           raised[3] = {shoulder[0], shoulder[1] + sign * length * sn__sin(spread),
                        shoulder[2] + length * sn__cos(spread)};
    place[0] = 0.02, place[1] = 0.5 * travel - sign * 0.5 * hands, place[2] = w->human.palm;
    memset(down, 0, sizeof *down);
    memset(up, 0, sizeof *up);
    down->t1 = time_of(hand_on[side]);
    up->t0 = time_of(hand_off[side]);
    up->t1 = T;
    memcpy(down->from, raised, sizeof raised);
    memcpy(up->to, raised, sizeof raised);
    planted(w, w->human.chest, place, down->t1, down->to, down->dto);
    planted(w, w->human.chest, place, up->t0, up->from, up->dfrom);
}

sn_motion *sn__gait_cartwheel(const char *name, const sn_model *model, sn_error *error) {
    struct wheel w = {0};
    if (!sn__human_find(&w.human, model, name, error)) return NULL;
    for (int side = 0; side < 2; side++) {
        prepare_leg(&w, side);
        prepare_arm(&w, side);
    }
    return sn__gait_record(model, T, GAIT_RATE, pose_wheel, &w, error);
}
