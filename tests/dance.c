#include "dance_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/quat.h"

/* ------------------------------------------------------------------------------------------------------- the dance */

/* Turns of the trunk and of each half of a limb, as quaternions from the pose with all limbs hanging. */
static void turn_about(int axis, double angle, double q[4]) {
    double v[3] = {0};
    v[axis] = angle;
    dquat_exp(v, q);
}

static void trunk_at(int frame, double q[4]) {
    double lean[4], list[4];
    turn_about(2, 0.8 * sin(0.2 * frame), q);
    turn_about(1, 0.15 * sin(0.31 * frame), lean);
    turn_about(0, 0.1 * cos(0.27 * frame), list);
    dquat_multiply(q, lean, q);
    dquat_multiply(q, list, q);
}

/* Out to the side, then forwards; the lower half bends: knees back, elbows forward. In the trunk's axes. */
static void half_at(enum dance_limb limb, int half, int frame, double q[4]) {
    const double side = limb % 2 ? -1 : 1,
                 t = 0.35 * frame + (limb == LEFT_LEG || limb == RIGHT_ARM ? 0 : M_PI);
    const bool arm = limb >= LEFT_ARM;
    const double out = arm ? 0.6 + 0.5 * sin(0.4 * frame) : 0.12 + 0.1 * sin(0.23 * frame);
    const double swing = (arm ? 0.5 : 0.6) * sin(t),
                 bend = arm ? 0.9 + 0.6 * sin(t + 1) : 0.7 + 0.5 * sin(t + 2);
    double spread[4], pitch[4];
    turn_about(0, side * out, spread);
    turn_about(1, -swing + (half ? arm ? -bend : bend : 0), pitch);
    dquat_multiply(spread, pitch, q);
}

void dance_direction(enum dance_limb limb, int frame, const double length[2], double d[3]) {
    double trunk[4], q[4], part[3];
    trunk_at(frame, trunk);
    memset(d, 0, 3 * sizeof *d);
    for (int half = 0; half < 2; half++) {
        const double down[3] = {0, 0, -length[half]};
        half_at(limb, half, frame, q);
        dquat_rotate(q, down, part);
        for (int k = 0; k < 3; k++)
            d[k] += part[k];
    }
    dquat_rotate(trunk, d, d);
}

/* -------------------------------------------------------------------------------------------------------------- BVH */

int used;

void say(char *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    used += vsnprintf(text + used, (size_t)(DANCE_TEXT - used), format, arguments);
    va_end(arguments);
}

/* What a joint does: goes with the trunk, or is a half of a limb, or the first hinge of one, which spreads it. */
enum { TRUNK = -1, WITH_PARENT = -2 };
#define HALF(limb, half) (2 * (limb) + (half))
#define SPREAD(limb) (100 + (limb))

struct joint {
    const char *name;
    int parent;
    double offset[3];
    int part;
    double end[3]; /* of the bone, where no joint follows */
};

struct skeleton {
    const struct joint *joint;
    int njoint;
    double unit;   /* of the file, in metres */
    bool y_up;     /* and facing z; else z is up and -y ahead */
    double height; /* of the root */
};

static void to_file(const struct skeleton *s, const double v[3], double out[3]) {
    const double y[3] = {v[1], v[2], v[0]}, z[3] = {v[1], -v[0], v[2]};
    memcpy(out, s->y_up ? y : z, sizeof y);
}

/* The turn from the bone as it rests to the pose with limbs hanging. */
static void rest_turn(const struct skeleton *s, int joint, double q[4]) {
    double bone[3];
    const double down[3] = {0, 0, -1};
    memcpy(bone, s->joint[joint].end, sizeof bone);
    for (int i = s->njoint - 1; i > joint; i--)
        if (s->joint[i].parent == joint) memcpy(bone, s->joint[i].offset, sizeof bone);
    dvec_normalise(bone);
    double axis[3];
    dvec_cross(bone, down, axis);
    const double sine = dvec_length(axis), angle = atan2(sine, dvec_dot(bone, down));
    for (int k = 0; k < 3; k++)
        axis[k] = sine > 1e-9 ? axis[k] / sine * angle : 0;
    dquat_exp(axis, q);
}

static void global_at(const struct skeleton *s, int joint, int frame, const double *parent, double q[4]) {
    const int part = s->joint[joint].part;
    double trunk[4], turn[4];
    if (part == WITH_PARENT) {
        memcpy(q, parent, 4 * sizeof *q);
        return;
    }
    trunk_at(frame, trunk);
    memcpy(q, trunk, sizeof trunk);
    if (part == TRUNK) return;
    if (part >= SPREAD(0)) { /* the part of the upper half about x */
        double whole[4];
        half_at((enum dance_limb)(part - SPREAD(0)), 0, frame, whole);
        turn_about(0, 2 * atan2(whole[1], whole[0]), turn);
        dquat_multiply(trunk, turn, q);
        return;
    }
    half_at((enum dance_limb)(part / 2), part % 2, frame, turn);
    dquat_multiply(trunk, turn, q);
    rest_turn(s, joint, turn);
    dquat_multiply(q, turn, q);
}

/* Degrees about Z, then X, then Y. */
static void euler_of(const double q[4], double degrees[3]) {
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double r01 = 2 * (x * y - w * z), r11 = 1 - 2 * (x * x + z * z), r21 = 2 * (y * z + w * x),
                 r20 = 2 * (x * z - w * y), r22 = 1 - 2 * (x * x + y * y);
    degrees[0] = atan2(-r01, r11) * 180 / M_PI;
    degrees[1] = asin(fmax(-1, fmin(1, r21))) * 180 / M_PI;
    degrees[2] = atan2(-r20, r22) * 180 / M_PI;
}

static void say_joint(char *text, const struct skeleton *s, int i) {
    double offset[3];
    bool leaf = true;
    to_file(s, s->joint[i].offset, offset);
    say(text, "%s %s\n{\nOFFSET %.6f %.6f %.6f\nCHANNELS %s\n", i ? "JOINT" : "ROOT", s->joint[i].name,
        offset[0] / s->unit, offset[1] / s->unit, offset[2] / s->unit,
        i ? "3 Zrotation Xrotation Yrotation"
          : "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation");
    for (int k = i + 1; k < s->njoint; k++)
        if (s->joint[k].parent == i) say_joint(text, s, k), leaf = false;
    to_file(s, s->joint[i].end, offset);
    if (leaf)
        say(text, "End Site\n{\nOFFSET %.6f %.6f %.6f\n}\n", offset[0] / s->unit, offset[1] / s->unit,
            offset[2] / s->unit);
    say(text, "}\n");
}

/* The channels in the order of the hierarchy: depth first. */
static void say_channels(char *text, const struct skeleton *s, int i, int frame, const double above[4]) {
    double q[4], back[4], local[4], degrees[3], vector[3];
    global_at(s, i, frame, above, q);
    dquat_conjugate(above, back);
    dquat_multiply(back, q, local);
    to_file(s, local + 1, vector);
    memcpy(local + 1, vector, sizeof vector);
    euler_of(local, degrees);
    say(text, "%.6f %.6f %.6f ", degrees[0], degrees[1], degrees[2]);
    for (int k = i + 1; k < s->njoint; k++)
        if (s->joint[k].parent == i) say_channels(text, s, k, frame, q);
}

static const char *write_bvh(char *text, const struct skeleton *s) {
    static const double none[4] = {1, 0, 0, 0};
    used = 0;
    say(text, "HIERARCHY\n");
    say_joint(text, s, 0);
    say(text, "MOTION\nFrames: %d\nFrame Time: 0.033333\n", (int)DANCE_FRAMES);
    for (int frame = 0; frame < DANCE_FRAMES; frame++) {
        double place[3] = {0.02 * frame, 0, s->height}, file[3];
        to_file(s, place, file);
        say(text, "%.6f %.6f %.6f ", file[0] / s->unit, file[1] / s->unit, file[2] / s->unit);
        say_channels(text, s, 0, frame, none);
        say(text, "\n");
    }
    return text;
}

/* ----------------------------------------------------------------------------------------------------------- people */

/* clang-format off */
/* legs apart at rest, arms held out; two joints of no length at each hip */
static const struct joint cmu[] = {
    {"Hips", -1, {0, 0, 0}, TRUNK, {0}},
    {"LHipJoint", 0, {0, 0, 0}, TRUNK, {0}},
    {"LeftUpLeg", 1, {0, .09, -.1}, HALF(LEFT_LEG, 0), {0}},
    {"LeftLeg", 2, {0, .14, -.39}, HALF(LEFT_LEG, 1), {0}},
    {"LeftFoot", 3, {0, .14, -.39}, WITH_PARENT, {0}},
    {"LeftToeBase", 4, {.13, 0, -.03}, WITH_PARENT, {.06, 0, 0}},
    {"RHipJoint", 0, {0, 0, 0}, TRUNK, {0}},
    {"RightUpLeg", 6, {0, -.09, -.1}, HALF(RIGHT_LEG, 0), {0}},
    {"RightLeg", 7, {0, -.14, -.39}, HALF(RIGHT_LEG, 1), {0}},
    {"RightFoot", 8, {0, -.14, -.39}, WITH_PARENT, {0}},
    {"RightToeBase", 9, {.13, 0, -.03}, WITH_PARENT, {.06, 0, 0}},
    {"LowerBack", 0, {0, 0, 0}, TRUNK, {0}},
    {"Spine", 11, {0, 0, .12}, TRUNK, {0}},
    {"Spine1", 12, {0, 0, .12}, TRUNK, {0}},
    {"Neck", 13, {0, 0, .02}, TRUNK, {0}},
    {"Neck1", 14, {0, 0, .1}, TRUNK, {0}},
    {"Head", 15, {0, 0, .09}, TRUNK, {0, 0, .1}},
    {"LeftShoulder", 13, {0, 0, 0}, TRUNK, {0}},
    {"LeftArm", 17, {-.02, .17, .08}, HALF(LEFT_ARM, 0), {0}},
    {"LeftForeArm", 18, {0, .3, 0}, HALF(LEFT_ARM, 1), {0}},
    {"LeftHand", 19, {0, .19, 0}, WITH_PARENT, {0, .1, 0}},
    {"RightShoulder", 13, {0, 0, 0}, TRUNK, {0}},
    {"RightArm", 21, {-.02, -.17, .08}, HALF(RIGHT_ARM, 0), {0}},
    {"RightForeArm", 22, {0, -.3, 0}, HALF(RIGHT_ARM, 1), {0}},
    {"RightHand", 23, {0, -.19, 0}, WITH_PARENT, {0, -.1, 0}},
};

static const struct joint mixamo[] = {
    {"mixamorig:Hips", -1, {0, 0, 0}, TRUNK, {0}},
    {"mixamorig:Spine", 0, {0, 0, .1}, TRUNK, {0}},
    {"mixamorig:Spine1", 1, {0, 0, .12}, TRUNK, {0}},
    {"mixamorig:Spine2", 2, {0, 0, .13}, TRUNK, {0}},
    {"mixamorig:Neck", 3, {0, 0, .15}, TRUNK, {0}},
    {"mixamorig:Head", 4, {.03, 0, .09}, TRUNK, {0, 0, .18}},
    {"mixamorig:LeftShoulder", 3, {0, .06, .11}, TRUNK, {0}},
    {"mixamorig:LeftArm", 6, {0, .12, 0}, HALF(LEFT_ARM, 0), {0}},
    {"mixamorig:LeftForeArm", 7, {0, .27, 0}, HALF(LEFT_ARM, 1), {0}},
    {"mixamorig:LeftHand", 8, {0, .27, 0}, WITH_PARENT, {0, .1, 0}},
    {"mixamorig:RightShoulder", 3, {0, -.06, .11}, TRUNK, {0}},
    {"mixamorig:RightArm", 10, {0, -.12, 0}, HALF(RIGHT_ARM, 0), {0}},
    {"mixamorig:RightForeArm", 11, {0, -.27, 0}, HALF(RIGHT_ARM, 1), {0}},
    {"mixamorig:RightHand", 12, {0, -.27, 0}, WITH_PARENT, {0, -.1, 0}},
    {"mixamorig:LeftUpLeg", 0, {0, .09, -.05}, HALF(LEFT_LEG, 0), {0}},
    {"mixamorig:LeftLeg", 14, {0, 0, -.44}, HALF(LEFT_LEG, 1), {0}},
    {"mixamorig:LeftFoot", 15, {0, 0, -.44}, WITH_PARENT, {0}},
    {"mixamorig:LeftToeBase", 16, {.12, 0, -.06}, WITH_PARENT, {.07, 0, 0}},
    {"mixamorig:RightUpLeg", 0, {0, -.09, -.05}, HALF(RIGHT_LEG, 0), {0}},
    {"mixamorig:RightLeg", 18, {0, 0, -.44}, HALF(RIGHT_LEG, 1), {0}},
    {"mixamorig:RightFoot", 19, {0, 0, -.44}, WITH_PARENT, {0}},
    {"mixamorig:RightToeBase", 20, {.12, 0, -.06}, WITH_PARENT, {.07, 0, 0}},
};

/* arms held down at a slant, Z up as in the program that has it, looking along -y */
static const struct joint biped[] = {
    {"Bip01", -1, {0, 0, 0}, TRUNK, {0}},
    {"Bip01_Pelvis", 0, {0, 0, 0}, TRUNK, {0}},
    {"Bip01_Spine", 1, {0, 0, .11}, TRUNK, {0}},
    {"Bip01_Spine1", 2, {0, 0, .2}, TRUNK, {0}},
    {"Bip01_Neck", 3, {-.01, 0, .25}, TRUNK, {0}},
    {"Bip01_Head", 4, {.01, 0, .08}, TRUNK, {0, 0, .2}},
    {"Bip01_L_Clavicle", 4, {0, .04, -.03}, TRUNK, {0}},
    {"Bip01_L_UpperArm", 6, {0, .14, 0}, HALF(LEFT_ARM, 0), {0}},
    {"Bip01_L_Forearm", 7, {0, .17, -.22}, HALF(LEFT_ARM, 1), {0}},
    {"Bip01_L_Hand", 8, {0, .15, -.2}, WITH_PARENT, {0, .06, -.08}},
    {"Bip01_R_Clavicle", 4, {0, -.04, -.03}, TRUNK, {0}},
    {"Bip01_R_UpperArm", 10, {0, -.14, 0}, HALF(RIGHT_ARM, 0), {0}},
    {"Bip01_R_Forearm", 11, {0, -.17, -.22}, HALF(RIGHT_ARM, 1), {0}},
    {"Bip01_R_Hand", 12, {0, -.15, -.2}, WITH_PARENT, {0, -.06, -.08}},
    {"Bip01_L_Thigh", 1, {0, .1, 0}, HALF(LEFT_LEG, 0), {0}},
    {"Bip01_L_Calf", 14, {0, .02, -.47}, HALF(LEFT_LEG, 1), {0}},
    {"Bip01_L_Foot", 15, {-.02, 0, -.44}, WITH_PARENT, {0}},
    {"Bip01_L_Toe0", 16, {.14, .02, -.08}, WITH_PARENT, {.06, 0, 0}},
    {"Bip01_R_Thigh", 1, {0, -.1, 0}, HALF(RIGHT_LEG, 0), {0}},
    {"Bip01_R_Calf", 18, {0, -.02, -.47}, HALF(RIGHT_LEG, 1), {0}},
    {"Bip01_R_Foot", 19, {-.02, 0, -.44}, WITH_PARENT, {0}},
    {"Bip01_R_Toe0", 20, {.14, -.02, -.08}, WITH_PARENT, {.06, 0, 0}},
};

/* every hinge a joint of its own, as a robot's recording has it */
static const struct joint hinges[] = {
    {"pelvis", -1, {0, 0, 0}, TRUNK, {0}},
    {"left_hip_yaw_link", 0, {0, .09, -.05}, TRUNK, {0}},
    {"left_hip_roll_link", 1, {0, 0, 0}, SPREAD(LEFT_LEG), {0}},
    {"left_hip_pitch_link", 2, {0, 0, 0}, HALF(LEFT_LEG, 0), {0}},
    {"left_knee_link", 3, {0, 0, -.4}, HALF(LEFT_LEG, 1), {0}},
    {"left_ankle_link", 4, {0, 0, -.4}, WITH_PARENT, {.12, 0, -.05}},
    {"right_hip_yaw_link", 0, {0, -.09, -.05}, TRUNK, {0}},
    {"right_hip_roll_link", 6, {0, 0, 0}, SPREAD(RIGHT_LEG), {0}},
    {"right_hip_pitch_link", 7, {0, 0, 0}, HALF(RIGHT_LEG, 0), {0}},
    {"right_knee_link", 8, {0, 0, -.4}, HALF(RIGHT_LEG, 1), {0}},
    {"right_ankle_link", 9, {0, 0, -.4}, WITH_PARENT, {.12, 0, -.05}},
    {"torso_link", 0, {0, 0, .05}, TRUNK, {0}},
    {"left_shoulder_roll_link", 11, {0, .18, .4}, SPREAD(LEFT_ARM), {0}},
    {"left_shoulder_pitch_link", 12, {0, 0, 0}, HALF(LEFT_ARM, 0), {0}},
    {"left_elbow_link", 13, {0, 0, -.22}, HALF(LEFT_ARM, 1), {0}},
    {"left_hand_link", 14, {0, 0, -.24}, WITH_PARENT, {0, 0, -.1}},
    {"right_shoulder_roll_link", 11, {0, -.18, .4}, SPREAD(RIGHT_ARM), {0}},
    {"right_shoulder_pitch_link", 16, {0, 0, 0}, HALF(RIGHT_ARM, 0), {0}},
    {"right_elbow_link", 17, {0, 0, -.22}, HALF(RIGHT_ARM, 1), {0}},
    {"right_hand_link", 18, {0, 0, -.24}, WITH_PARENT, {0, 0, -.1}},
};

/* an animal whose fore legs are arms that bend as knees do */
static const struct joint animal[] = {
    {"trunk", -1, {0, 0, 0}, TRUNK, {0}},
    {"FL_hip", 0, {.2, .05, 0}, SPREAD(LEFT_ARM), {0}},
    {"FL_thigh", 1, {0, .08, 0}, HALF(LEFT_ARM, 0), {0}},
    {"FL_calf", 2, {-.06, 0, -.2}, HALF(LEFT_ARM, 1), {0}},
    {"FL_foot", 3, {.05, 0, -.2}, WITH_PARENT, {0, 0, -.02}},
    {"FR_hip", 0, {.2, -.05, 0}, SPREAD(RIGHT_ARM), {0}},
    {"FR_thigh", 5, {0, -.08, 0}, HALF(RIGHT_ARM, 0), {0}},
    {"FR_calf", 6, {-.06, 0, -.2}, HALF(RIGHT_ARM, 1), {0}},
    {"FR_foot", 7, {.05, 0, -.2}, WITH_PARENT, {0, 0, -.02}},
    {"RL_hip", 0, {-.2, .05, 0}, SPREAD(LEFT_LEG), {0}},
    {"RL_thigh", 9, {0, .08, 0}, HALF(LEFT_LEG, 0), {0}},
    {"RL_calf", 10, {-.06, 0, -.2}, HALF(LEFT_LEG, 1), {0}},
    {"RL_foot", 11, {.05, 0, -.2}, WITH_PARENT, {0, 0, -.02}},
    {"RR_hip", 0, {-.2, -.05, 0}, SPREAD(RIGHT_LEG), {0}},
    {"RR_thigh", 13, {0, -.08, 0}, HALF(RIGHT_LEG, 0), {0}},
    {"RR_calf", 14, {-.06, 0, -.2}, HALF(RIGHT_LEG, 1), {0}},
    {"RR_foot", 15, {.05, 0, -.2}, WITH_PARENT, {0, 0, -.02}},
};
/* clang-format on */

#define SKELETON(table, ...)                                                                                 \
    { table, sizeof(table) / sizeof *(table), __VA_ARGS__ }

static const char *write_cmu(char *text) {
    static const struct skeleton s = SKELETON(cmu, 0.056444, true, .95);
    return write_bvh(text, &s);
}

static const char *write_mixamo(char *text) {
    static const struct skeleton s = SKELETON(mixamo, 0.01, true, 1);
    return write_bvh(text, &s);
}

static const char *write_biped(char *text) {
    static const struct skeleton s = SKELETON(biped, 0.0254, false, 1);
    return write_bvh(text, &s);
}

static const char *write_hinges(char *text) {
    static const struct skeleton s = SKELETON(hinges, 1, false, .9);
    return write_bvh(text, &s);
}

static const char *write_animal(char *text) {
    static const struct skeleton s = SKELETON(animal, 1, false, .4);
    return write_bvh(text, &s);
}

/* ----------------------------------------------------------------------------------------------- DeepMimic and others */

/* w, x, y, z with Y up and Z to the right. */
static void say_turn(char *text, const double q[4]) {
    say(text, ", %.9g, %.9g, %.9g, %.9g", q[0], q[1], q[3], -q[2]);
}

/* Its arms and legs hang at rest: turns are those of the dance itself. */
static const char *write_deepmimic(char *text) {
    static const enum dance_limb order[] = {RIGHT_LEG, RIGHT_ARM, LEFT_LEG, LEFT_ARM};
    static const double none[4] = {1, 0, 0, 0};
    used = 0;
    say(text, "{\"Loop\": \"none\", \"Frames\": [");
    for (int frame = 0; frame < DANCE_FRAMES; frame++) {
        double q[4], half[4], back[4];
        trunk_at(frame, q);
        say(text, "%s[0.033333, %.6f, 0.85, 0", frame ? ",\n" : "", 0.02 * frame);
        say_turn(text, q);
        say_turn(text, none), say_turn(text, none); /* chest, neck */
        for (int i = 0; i < 4; i++) {
            half_at(order[i], 0, frame, q);
            half_at(order[i], 1, frame, half);
            dquat_conjugate(q, back);
            dquat_multiply(back, half, half); /* about y, which is -Z */
            say_turn(text, q);
            say(text, ", %.9g", -2 * atan2(half[2], half[0]));
            if (order[i] < LEFT_ARM) say_turn(text, none); /* ankle */
        }
        say(text, "]");
    }
    say(text, "]}");
    return text;
}

/* DeepMimic's dog: 83 numbers; legs swing and bend, the head nods, the tail hangs. */
static const char *write_dog(char *text) {
    used = 0;
    say(text, "{\"Loop\": \"none\", \"Frames\": [");
    for (int frame = 0; frame < DANCE_FRAMES; frame++) {
        static const double none[4] = {1, 0, 0, 0};
        double q[4], nod[4], back[4];
        trunk_at(frame, q);
        turn_about(1, -0.4 * sin(0.3 * frame), nod);
        dquat_conjugate(nod, back);
        say(text, "%s[0.033333, %.6f, 0.55, 0", frame ? ",\n" : "", 0.02 * frame);
        say_turn(text, q);
        say_turn(text, none), say_turn(text, none);
        say_turn(text, nod), say_turn(text, back);
        for (int leg = 0; leg < 4; leg++) {
            const double t = 0.35 * frame + (leg == 0 || leg == 3 ? 0 : M_PI);
            turn_about(1, -0.5 * sin(t), q);
            say_turn(text, q);
            say(text, ", %.9g", -0.4 - 0.3 * sin(t + 2));
            turn_about(1, 0.2 * sin(t), q);
            say_turn(text, q), say_turn(text, none);
        }
        turn_about(1, -0.5, q);
        say_turn(text, q), say_turn(text, none);
        say(text, "]");
    }
    say(text, "]}");
    return text;
}

/* motion_imitation: a robot with X left, Y up, Z ahead, quaternions with w last. */
static const char *write_imitation(char *text) {
    static const double own[4] = {0.5, 0.5, 0.5, 0.5};
    used = 0;
    say(text, "{\"LoopMode\": \"Clamp\", \"FrameDuration\": 0.0333, \"EnableCycleOffsetPosition\": true,\n"
              "\"EnableCycleOffsetRotation\": true, \"Frames\": [");
    for (int frame = 0; frame < DANCE_FRAMES; frame++) {
        double q[4];
        trunk_at(frame, q);
        dquat_multiply(q, own, q);
        say(text, "%s[%.6f, 0, 0.42, %.9g, %.9g, %.9g, %.9g", frame ? ",\n" : "", 0.02 * frame, q[1], q[2],
            q[3], q[0]);
        for (int leg = 0; leg < 4; leg++) {
            const double t = 0.35 * frame + (leg == 0 || leg == 3 ? 0 : M_PI);
            say(text, ", %.9g, %.9g, %.9g", 0.15 * sin(0.2 * frame), 0.1 - 0.4 * sin(t),
                -0.2 - 0.3 * sin(t + 2));
        }
        say(text, "]");
    }
    say(text, "]}");
    return text;
}

/* clang-format off */
/* Legs and arms of both sides, each of three bodies whose names begin with the side's. */
#define BOTH(left, right, leg, shin, foot, arm, forearm, hand) \
    {{left leg, left shin, left foot}, {right leg, right shin, right foot}, \
     {left arm, left forearm, left hand}, {right arm, right forearm, right hand}}

const struct dance_source dance_people[5] = {
    {"CMU", BOTH("Left", "Right", "UpLeg", "Leg", "Foot", "Arm", "ForeArm", "Hand"),
     {{.4144, .4144}, {.4144, .4144}, {.3, .19}, {.3, .19}}, -M_PI / 2, write_cmu},
    {"Mixamo", BOTH("mixamorig:Left", "mixamorig:Right", "UpLeg", "Leg", "Foot", "Arm", "ForeArm", "Hand"),
     {{.44, .44}, {.44, .44}, {.27, .27}, {.27, .27}}, -M_PI / 2, write_mixamo},
    {"DeepMimic", BOTH("left_", "right_", "hip", "knee", "ankle", "shoulder", "elbow", "wrist"),
     {{.4215, .4099}, {.4215, .4099}, {.2748, .2589}, {.2748, .2589}}, 0, write_deepmimic},
    {"Bip01", BOTH("Bip01_L_", "Bip01_R_", "Thigh", "Calf", "Foot", "UpperArm", "Forearm", "Hand"),
     {{.4704, .4405}, {.4704, .4405}, {.278, .25}, {.278, .25}}, -M_PI / 2, write_biped},
    {"hinges", BOTH("left_", "right_", "hip_pitch_link", "knee_link", "ankle_link",
                    "shoulder_pitch_link", "elbow_link", "hand_link"),
     {{.4, .4}, {.4, .4}, {.22, .24}, {.22, .24}}, -M_PI / 2, write_hinges},
};

const struct dance_source dance_animals[3] = {
    {"DeepMimic dog", BOTH("left_", "right_", "upper_leg", "leg", "foot", "shoulder", "forearm", "hand"),
     {{0}}, 0, write_dog},
    {"imitation", {{"RL_upper_leg", "RL_lower_leg", "toeRL"}, {"RR_upper_leg", "RR_lower_leg", "toeRR"},
                   {"FL_upper_leg", "FL_lower_leg", "toeFL"}, {"FR_upper_leg", "FR_lower_leg", "toeFR"}},
     {{0}}, 0, write_imitation},
    {"four legs", {{"RL_thigh", "RL_calf", "RL_foot"}, {"RR_thigh", "RR_calf", "RR_foot"},
                   {"FL_thigh", "FL_calf", "FL_foot"}, {"FR_thigh", "FR_calf", "FR_foot"}},
     {{0}}, -M_PI / 2, write_animal},
};
/* clang-format on */
