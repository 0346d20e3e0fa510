/* DeepMimic motions, of its humanoid (43 values a pose) and its dog (83).
 *
 * A frame is its duration, then the pose: root position and quaternion, a quaternion (w, x, y, z) for a ball, an angle
 * about Z for a hinge. The files have Y up and the right side along +Z; turned by a quarter about X, (x, y, z) ->
 * (x, -z, y), hinges turn about -Y. A frame's time is the sum of the durations before it, so that the last one's does not
 * count. The root of the first frame is moved over the origin. A motion that wraps goes on from where it ended,
 * and in the heading in which it ended. */
#include "import/load.h"
#include "import/pose_table.h"
#include "import/readers.h"

#include "base/memory.h"
#include "base/quat.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* clang-format off */
static const struct pose_joint humanoid[] = {
    {"root",          -1, POSE_ROOT,  {0, 0, 0},                   {0}},
    {"chest",          0, POSE_BALL,  {0, 0, 0.236151},            {0}},
    {"neck",           1, POSE_BALL,  {0, 0, 0.223894},            {0}},
    {"right_hip",      0, POSE_BALL,  {0, -0.084887, 0},           {0}},
    {"right_knee",     3, POSE_HINGE, {0, 0, -0.421546},           {0, -1, 0}},
    {"right_ankle",    4, POSE_BALL,  {0, 0, -0.40987},            {0}},
    {"right_shoulder", 1, POSE_BALL,  {-0.02405, -0.18311, 0.2435}, {0}},
    {"right_elbow",    6, POSE_HINGE, {0, 0, -0.274788},           {0, -1, 0}},
    {"right_wrist",    7, POSE_FIXED, {0, 0, -0.258947},           {0}},
    {"left_hip",       0, POSE_BALL,  {0, 0.084887, 0},            {0}},
    {"left_knee",      9, POSE_HINGE, {0, 0, -0.421546},           {0, -1, 0}},
    {"left_ankle",    10, POSE_BALL,  {0, 0, -0.40987},            {0}},
    {"left_shoulder",  1, POSE_BALL,  {-0.02405, 0.18311, 0.2435}, {0}},
    {"left_elbow",    12, POSE_HINGE, {0, 0, -0.274788},           {0, -1, 0}},
    {"left_wrist",    13, POSE_FIXED, {0, 0, -0.258947},           {0}},
};

static const struct pose_joint dog[] = {
    {"root",            -1, POSE_ROOT,  {0, 0, 0},                        {0}},
    {"spine0",           0, POSE_BALL,  {0, 0, 0},                        {0}},
    {"spine1",           1, POSE_BALL,  {0.2375, 0, 0},                   {0}},
    {"neck",             2, POSE_BALL,  {0.28135, 0, 0},                  {0}},
    {"head",             3, POSE_BALL,  {0.175, 0, 0},                    {0}},
    {"left_shoulder",    2, POSE_BALL,  {0.304074, 0.106071, -0.109983},  {0}},
    {"left_forearm",     5, POSE_HINGE, {0, 0, -0.19},                    {0, -1, 0}},
    {"left_hand",        6, POSE_BALL,  {0, 0, -0.2225},                  {0}},
    {"left_finger",      7, POSE_BALL,  {0, 0, -0.09},                    {0}},
    {"right_shoulder",   2, POSE_BALL,  {0.304074, -0.106071, -0.109983}, {0}},
    {"right_forearm",    9, POSE_HINGE, {0, 0, -0.19},                    {0, -1, 0}},
    {"right_hand",      10, POSE_BALL,  {0, 0, -0.2225},                  {0}},
    {"right_finger",    11, POSE_BALL,  {0, 0, -0.09},                    {0}},
    {"left_upper_leg",   0, POSE_BALL,  {-0.074803, 0.05986, -0.095825},  {0}},
    {"left_leg",        13, POSE_HINGE, {0, 0, -0.2},                     {0, -1, 0}},
    {"left_foot",       14, POSE_BALL,  {0, 0, -0.225},                   {0}},
    {"left_toe",        15, POSE_BALL,  {0, 0, -0.135},                   {0}},
    {"right_upper_leg",  0, POSE_BALL,  {-0.074803, -0.05986, -0.095825}, {0}},
    {"right_leg",       17, POSE_HINGE, {0, 0, -0.2},                     {0, -1, 0}},
    {"right_foot",      18, POSE_BALL,  {0, 0, -0.225},                   {0}},
    {"right_toe",       19, POSE_BALL,  {0, 0, -0.135},                   {0}},
    {"tail0",            0, POSE_BALL,  {-0.086, 0, 0},                   {0}},
    {"tail1",           21, POSE_BALL,  {-0.2, 0, 0},                     {0}},
};
/* clang-format on */

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))
enum { HUMANOID_VALUES = 1 + 43, DOG_VALUES = 1 + 83, MOST_VALUES = DOG_VALUES };

bool sn__pose_joints(struct clip_draft *draft, const struct pose_joint *table, int njoint, sn_error *error) {
    for (int i = 0; i < njoint; i++)
        if (!sn__draft_add_joint(draft, table[i].name, table[i].parent, table[i].offset, error)) return false;
    return true;
}

void sn__pose_hinge(const struct pose_joint *joint, double angle, double q[4]) {
    double turn[3];
    for (int k = 0; k < 3; k++)
        turn[k] = angle * joint->axis[k];
    dquat_exp(turn, q);
}

bool sn__pose_open(struct pose_file *file, const struct cJSON *root, const char *path,
                   const struct pose_words *words, sn_error *error) {
    *file = (struct pose_file){.top = sn__json_root(root, path)};
    file->frames = sn__json_member(&file->top, "Frames");
    if (!sn__json_is_array(&file->frames) || sn__json_count(&file->frames) == 0)
        return sn__json_fail(&file->frames, error, "should be an array of frames");
    const struct sn__json place = sn__json_member(&file->top, words->key);
    const char *word = words->ends;
    if (!sn__json_string(&file->top, words->key, &word, error)) return false;
    file->draft.loop = strcasecmp(word, words->loops) == 0;
    return file->draft.loop || strcasecmp(word, words->ends) == 0 ||
           sn__json_fail(&place, error, "'%.32s' is neither \"%s\" nor \"%s\"", word, words->loops,
                         words->ends);
}

static void move_to_origin(struct clip_draft *draft) {
    const double x = draft->position[0], y = draft->position[1];
    for (int k = 0; k < draft->nframe; k++)
        draft->position[3 * k] -= x, draft->position[3 * k + 1] -= y;
}

sn_clip *sn__pose_finish(struct clip_draft *draft, bool good, const char *path, sn_error *error) {
    char where[960];
    snprintf(where, sizeof where, "%.950s: ", path);
    if (good) {
        move_to_origin(draft);
        return sn__draft_finish(draft, where, error);
    }
    sn__draft_release(draft);
    return NULL;
}

static void turn_up(double v[3]) {
    const double y = v[1];
    v[1] = -v[2];
    v[2] = y;
}

/* The last frame of the draft from the values of a row, the duration left out. */
static void store_pose(struct clip_draft *draft, const struct pose_joint *table, const double *value) {
    const int frame = draft->nframe - 1;
    for (int i = 0; i < draft->njoint; i++) {
        double *q = sn__draft_rotation(draft, frame, i);
        switch (table[i].kind) {
        case POSE_ROOT:
            memcpy(draft->position + 3 * (size_t)frame, value, 3 * sizeof *value);
            turn_up(draft->position + 3 * (size_t)frame);
            value += 3; /* fall through: its rotation is a ball's */
            __attribute__((fallthrough));
        case POSE_BALL:
            memcpy(q, value, 4 * sizeof *value);
            turn_up(q + 1);
            value += 4;
            break;
        case POSE_HINGE:
            sn__pose_hinge(&table[i], *value++, q);
            break;
        case POSE_FIXED:
            break;
        }
    }
}

static bool read_frames(struct clip_draft *draft, const struct sn__json *frames, sn_error *error) {
    struct sn__json place = sn__json_first(frames);
    const int count = sn__json_count(&place);
    const struct pose_joint *table = count == HUMANOID_VALUES ? humanoid : count == DOG_VALUES ? dog : NULL;
    double value[MOST_VALUES], time = 0;
    if (!table)
        return sn__json_fail(
            &place, error,
            "a frame of %d numbers is neither the humanoid's (%d) nor the dog's (%d); those of another "
            "character are read together with it",
            count, HUMANOID_VALUES, DOG_VALUES);
    sn_error why = {0};
    if (!sn__pose_joints(draft, table, table == humanoid ? COUNT(humanoid) : COUNT(dog), &why))
        return sn__json_fail(&place, error, "%s", why.message);
    for (; place.value; place = sn__json_next(&place)) {
        if (!sn__json_numbers(&place, count, value, error)) return false;
        if (!sn__draft_add_frame(draft, time, &why)) return sn__json_fail(&place, error, "%s", why.message);
        store_pose(draft, table, value + 1);
        const struct sn__json after = sn__json_next(&place);
        if (after.value && !(value[0] > 0))
            return sn__json_fail(&place, error, "its duration %g is not above 0", value[0]);
        time += value[0];
    }
    return true;
}

sn_clip *sn__deepmimic_motion_read(const struct cJSON *root, const char *path, const sn_load_def *options,
                                   sn_error *error) {
    static const struct pose_words words = {"Loop", "wrap", "none"};
    bool onward = true, turned = false, raised = false;
    struct pose_file file;
    const bool good = sn__pose_open(&file, root, path, &words, error) &&
                      sn__json_bool(&file.top, "CycleSyncRootPos", &onward, error) &&
                      sn__json_bool(&file.top, "CycleSyncRootRot", &turned, error) &&
                      sn__json_bool(&file.top, "CycleSyncRootHeight", &raised, error);
    if (good && file.draft.loop && (!onward || raised))
        sn__warn(options, "%s: a clip's root moves on and turns from round to round, but does not rise",
                 path);
    return sn__pose_finish(&file.draft, good && read_frames(&file.draft, &file.frames, error), path, error);
}
