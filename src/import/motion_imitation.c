/* motion_imitation clips, of a robot with four legs of three hinges.
 *
 * A frame is 19 numbers: root position (Z up), root quaternion (x, y, z, w), and for the legs front right, front left,
 * rear right, rear left the angles of abduction, hip and knee. The robot's own axes are X left, Y up, Z forward; the clip
 * rests in the pose that stands: own (x, y, z) is (z, x, y) there. Joints have the names of the robot's links. */
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
/* clang-format on */

enum { JOINTS = sizeof robot / sizeof *robot, VALUES = 19 };

static void store_pose(struct clip_draft *draft, const double *value) {
    const int frame = draft->nframe - 1;
    const double standing[4] = {0.5, -0.5, -0.5, -0.5}; /* from the standing axes back to the robot's own */
    double *q = sn__draft_rotation(draft, frame, 0);
    const double own[4] = {value[6], value[3], value[4], value[5]};
    memcpy(draft->position + 3 * (size_t)frame, value, 3 * sizeof *value);
    dquat_multiply(own, standing, q);
    value += 7;
    for (int i = 1; i < JOINTS; i++)
        if (robot[i].kind == POSE_HINGE)
            sn__pose_hinge(&robot[i], *value++, sn__draft_rotation(draft, frame, i));
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
    return true;
}

sn_clip *sn__motion_imitation_read(const struct cJSON *root, const char *path, const sn_load_options *options,
                                   sn_error *error) {
    const struct sn__json top = sn__json_root(root, path);
    struct sn__json frames;
    struct clip_draft draft = {0};
    const char *loop = "Clamp";
    double step = 0;
    bool onward = true, turned = false;
    bool good = sn__pose_frames(&top, &frames, error) && sn__json_string(&top, "LoopMode", &loop, error) &&
                sn__json_need(&top, "FrameDuration", error) &&
                sn__json_double(&top, "FrameDuration", &step, error) &&
                sn__json_bool(&top, "EnableCycleOffsetPosition", &onward, error) &&
                sn__json_bool(&top, "EnableCycleOffsetRotation", &turned, error) &&
                sn__pose_loop(&top, "LoopMode", loop, "Wrap", "Clamp", &draft.loop, error);
    if (good && !(step > 0)) {
        const struct sn__json place = sn__json_member(&top, "FrameDuration");
        good = sn__json_fail(&place, error, "%g is not above 0", step);
    }
    if (good && draft.loop && !onward)
        sn__warn(options, "%s: a clip's root moves on from round to round", path);
    return sn__pose_finish(&draft, good && read_frames(&draft, &frames, step, error), path, error);
}
