/* motion_imitation clips, of a robot with four legs of three hinges.
 *
 * A frame is 19 numbers: root position (Z up), root quaternion (x, y, z, w), and for the legs front right, front
 * left, rear right, rear left the angles of abduction, hip and knee. The robot's own axes are X left, Y up, Z
 * forward; the clip rests in the pose that stands: own (x, y, z) is (z, x, y) there. Joints have the names of the
 * robot's links.
 *
 * Clips for later robots have the same numbers, but X is ahead and Z up where the quaternion is the identity, and
 * legs hang straight down at angles of zero. Which of the two it is, is seen from what is up in most frames. */
#include "import/load.h"
#include "import/pose_table.h"
#include "import/readers.h"

#include "base/memory.h"
#include "base/quat.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* clang-format off */
static const struct pose_joint robot[] = {
    {"chassis",      -1, POSE_ROOT,  {0, 0, 0},                    {0}},
    {"FR_hip_motor",  0, POSE_HINGE, {0.242889, -0.0817145, 0},    {-1, 0, 0}},
    {"FR_upper_leg",  1, POSE_HINGE, {0, -0.053565, 0},            {0, 1, 0}},
    {"FR_lower_leg",  2, POSE_HINGE, {-0.1422, 0.02069, -0.20833}, {0, 1, 0}},
    {"toeFR",         3, POSE_FIXED, {-0.022, 0, -0.25},           {0}},
    {"FL_hip_motor",  0, POSE_HINGE, {0.242889, 0.0817145, 0},     {1, 0, 0}},
    {"FL_upper_leg",  5, POSE_HINGE, {0, 0.055855, 0},             {0, 1, 0}},
    {"FL_lower_leg",  6, POSE_HINGE, {-0.1422, -0.02069, -0.20833}, {0, 1, 0}},
    {"toeFL",         7, POSE_FIXED, {-0.022, 0, -0.25},           {0}},
    {"RR_hip_motor",  0, POSE_HINGE, {-0.194401, -0.0817145, 0},   {-1, 0, 0}},
    {"RR_upper_leg",  9, POSE_HINGE, {0, -0.053565, 0},            {0, 1, 0}},
    {"RR_lower_leg", 10, POSE_HINGE, {-0.1422, 0.02069, -0.20833}, {0, 1, 0}},
    {"toeRR",        11, POSE_FIXED, {-0.022, 0, -0.25},           {0}},
    {"RL_hip_motor",  0, POSE_HINGE, {-0.194401, 0.0817145, 0},    {1, 0, 0}},
    {"RL_upper_leg", 13, POSE_HINGE, {0, 0.055855, 0},             {0, 1, 0}},
    {"RL_lower_leg", 14, POSE_HINGE, {-0.1422, -0.02069, -0.20833}, {0, 1, 0}},
    {"toeRL",        15, POSE_FIXED, {-0.022, 0, -0.25},           {0}},
};

static const struct pose_joint upright[] = {
    {"trunk",    -1, POSE_ROOT,  {0, 0, 0},           {0}},
    {"FR_hip",    0, POSE_HINGE, {0.183, -0.047, 0},  {1, 0, 0}},
    {"FR_thigh",  1, POSE_HINGE, {0, -0.085, 0},      {0, 1, 0}},
    {"FR_calf",   2, POSE_HINGE, {0, 0, -0.2},        {0, 1, 0}},
    {"FR_foot",   3, POSE_FIXED, {0, 0, -0.2},        {0}},
    {"FL_hip",    0, POSE_HINGE, {0.183, 0.047, 0},   {1, 0, 0}},
    {"FL_thigh",  5, POSE_HINGE, {0, 0.085, 0},       {0, 1, 0}},
    {"FL_calf",   6, POSE_HINGE, {0, 0, -0.2},        {0, 1, 0}},
    {"FL_foot",   7, POSE_FIXED, {0, 0, -0.2},        {0}},
    {"RR_hip",    0, POSE_HINGE, {-0.183, -0.047, 0}, {1, 0, 0}},
    {"RR_thigh",  9, POSE_HINGE, {0, -0.085, 0},      {0, 1, 0}},
    {"RR_calf",  10, POSE_HINGE, {0, 0, -0.2},        {0, 1, 0}},
    {"RR_foot",  11, POSE_FIXED, {0, 0, -0.2},        {0}},
    {"RL_hip",    0, POSE_HINGE, {-0.183, 0.047, 0},  {1, 0, 0}},
    {"RL_thigh", 13, POSE_HINGE, {0, 0.085, 0},       {0, 1, 0}},
    {"RL_calf",  14, POSE_HINGE, {0, 0, -0.2},        {0, 1, 0}},
    {"RL_foot",  15, POSE_FIXED, {0, 0, -0.2},        {0}},
};
/* clang-format on */

enum { JOINTS = sizeof robot / sizeof *robot, VALUES = 19 };

/* The frame as it is written; the root's turn comes last, when it is known which robot it is. */
static void store_pose(struct clip_draft *draft, const double *value) {
    const int frame = draft->nframe - 1;
    const double own[4] = {value[6], value[3], value[4], value[5]};
    memcpy(draft->position + 3 * (size_t)frame, value, 3 * sizeof *value);
    memcpy(sn__draft_rotation(draft, frame, 0), own, sizeof own);
    for (int i = 1, n = 7; i < JOINTS; i++) /* the angle waits where its turn will be */
        if (robot[i].kind == POSE_HINGE) sn__draft_rotation(draft, frame, i)[0] = value[n++];
}

/* How much of this axis of the root points up, over all frames. */
static double sum_up(const struct clip_draft *draft, int axis) {
    double sum = 0;
    for (int k = 0; k < draft->nframe; k++) {
        double q[4], up[3] = {axis == 0, axis == 1, axis == 2};
        memcpy(q, sn__draft_rotation(draft, k, 0), sizeof q);
        if (!dquat_normalise(q)) continue;
        dquat_rotate(q, up, up);
        sum += up[2];
    }
    return sum;
}

static void choose_robot(struct clip_draft *draft) {
    const double standing[4] = {0.5, -0.5, -0.5, -0.5}; /* from the standing axes back to the robot's own */
    const bool stands = sum_up(draft, 2) > sum_up(draft, 1);
    const struct pose_joint *table = stands ? upright : robot;
    for (int k = 0; k < draft->nframe; k++) {
        double *q = sn__draft_rotation(draft, k, 0);
        if (!stands) dquat_multiply(q, standing, q);
        for (int i = 1; i < JOINTS; i++) {
            double *turn = sn__draft_rotation(draft, k, i);
            if (table[i].kind == POSE_HINGE) sn__pose_hinge(&table[i], turn[0], turn);
        }
    }
    for (int i = 0; i < JOINTS; i++) {
        snprintf(draft->name[i], sizeof draft->name[i], "%s", table[i].name);
        memcpy(draft->offset + 3 * i, table[i].offset, sizeof table[i].offset);
    }
}

static bool read_frames(struct clip_draft *draft, const struct sn__json *frames, double step,
                        sn_error *error) {
    struct sn__json place = sn__json_first(frames);
    double value[VALUES];
    sn_error why = {0};
    if (!sn__pose_joints(draft, robot, JOINTS, &why)) return sn__json_fail(&place, error, "%s", why.message);
    if (sn__json_count(&place) != VALUES)
        return sn__json_fail(
            &place, error,
            "a frame of %d numbers is not that of a robot with four legs (%d); those of another "
            "character are read together with it",
            sn__json_count(&place), VALUES);
    for (; place.value; place = sn__json_next(&place)) {
        if (!sn__json_numbers(&place, VALUES, value, error)) return false;
        if (!sn__draft_add_frame(draft, draft->nframe * step, &why))
            return sn__json_fail(&place, error, "%s", why.message);
        store_pose(draft, value);
    }
    choose_robot(draft);
    return true;
}

sn_clip *sn__motion_imitation_read(const struct cJSON *root, const char *path, const sn_load_def *options,
                                   sn_error *error) {
    static const struct pose_words words = {"LoopMode", "Wrap", "Clamp"};
    struct pose_file file;
    bool onward = true, turned = false;
    double step = 0;
    bool good = sn__pose_open(&file, root, path, &words, error) &&
                sn__json_need(&file.top, "FrameDuration", error) &&
                sn__json_double(&file.top, "FrameDuration", &step, error) &&
                sn__json_bool(&file.top, "EnableCycleOffsetPosition", &onward, error) &&
                sn__json_bool(&file.top, "EnableCycleOffsetRotation", &turned, error);
    if (good && !(step > 0)) {
        const struct sn__json place = sn__json_member(&file.top, "FrameDuration");
        good = sn__json_fail(&place, error, "%g is not above 0", step);
    }
    if (good && file.draft.loop && !onward)
        sn__warn(options, "%s: a clip's root moves on from round to round", path);
    good = good && read_frames(&file.draft, &file.frames, step, error);
    return sn__pose_finish(&file.draft, good, path, error);
}
