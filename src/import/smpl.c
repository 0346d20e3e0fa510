/* Motions of SMPL bodies, as AMASS and similar files have them: arrays of numpy in an archive (.npz), or one array
 * (.npy).
 *
 * trans [n][3] are places of the root, poses [n][3 j] rotation vectors of j joints in the order of SMPL, of which
 * the first 22 are the body's; hands and faces are passed over. Newer archives have the same as root_orient [n][3]
 * and pose_body [n][63]. The rate is mocap_framerate, mocap_frame_rate or fps. An array alone is poses, or trans and
 * then poses.
 *
 * At rest the body stands with its arms held out, Y up, looking along Z. In the clip X is ahead and Z up: rest axes
 * (x, y, z) become (z, x, y), which is the rotation m by 120 degrees about (1, 1, 1). With r the rotation of a joint
 * in the file, its own here is m r m^-1, and the root's r m^-1, because the world's axes stay those of the file: Z
 * up in AMASS. Where Y is up instead, which is seen from what is up in most frames, everything is turned by a
 * quarter about X.
 *
 * The shape of the body (betas) does not count: bones are those of somebody of 1.7 m. */
#include "import/load.h"
#include "import/npy.h"
#include "import/pose_table.h"
#include "import/readers.h"
#include "import/zip.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"

#include <stdio.h>
#include <string.h>

enum { JOINTS = 22, MOST_NAME = 64 };
static const size_t most_bytes = (size_t)512 << 20;

/* clang-format off */
static const struct pose_joint body[JOINTS] = {
    {"pelvis",         -1, POSE_ROOT, {0, 0, 0},         {0}},
    {"left_hip",        0, POSE_BALL, {0, .07, -.09},    {0}},
    {"right_hip",       0, POSE_BALL, {0, -.07, -.09},   {0}},
    {"spine1",          0, POSE_BALL, {-.03, 0, .12},    {0}},
    {"left_knee",       1, POSE_BALL, {0, .03, -.38},    {0}},
    {"right_knee",      2, POSE_BALL, {0, -.03, -.38},   {0}},
    {"spine2",          3, POSE_BALL, {.01, 0, .13},     {0}},
    {"left_ankle",      4, POSE_BALL, {-.03, -.01, -.4}, {0}},
    {"right_ankle",     5, POSE_BALL, {-.03, .01, -.4},  {0}},
    {"spine3",          6, POSE_BALL, {0, 0, .05},       {0}},
    {"left_toe",        7, POSE_BALL, {.12, .03, -.06},  {0}},
    {"right_toe",       8, POSE_BALL, {.12, -.03, -.06}, {0}},
    {"neck",            9, POSE_BALL, {-.03, 0, .21},    {0}},
    {"left_collar",     9, POSE_BALL, {-.02, .08, .12},  {0}},
    {"right_collar",    9, POSE_BALL, {-.02, -.08, .12}, {0}},
    {"head",           12, POSE_BALL, {.05, 0, .09},     {0}},
    {"left_shoulder",  13, POSE_BALL, {-.01, .1, .04},   {0}},
    {"right_shoulder", 14, POSE_BALL, {-.01, -.1, .04},  {0}},
    {"left_elbow",     16, POSE_BALL, {-.02, .26, -.01}, {0}},
    {"right_elbow",    17, POSE_BALL, {-.02, -.26, -.01}, {0}},
    {"left_wrist",     18, POSE_BALL, {0, .25, .01},     {0}},
    {"right_wrist",    19, POSE_BALL, {0, -.25, .01},    {0}},
};
/* clang-format on */

/* -------------------------------------------------------------------------------------------------------- arrays */

struct smpl {
    const char *path;
    const sn_load_def *options;
    sn_error *error;
    char *trans_data, *pose_data, *root_data; /* owned; NULL: not there, or not ours */
    struct sn__npy trans, pose, root;         /* kind 0: not there */
    size_t shift;                             /* of the pose's row: numbers before the first joint */
    double rate;
};

static bool fail(const struct smpl *s, const char *reason) {
    sn__fail(s->error, SN_ERROR_FORMAT, "%s: %s", s->path, reason);
    return false;
}

static bool named(const struct sn__zip_entry *entry, const char *name) {
    const size_t length = strlen(name);
    return entry->length == length + 4 && memcmp(entry->name, name, length) == 0 &&
           memcmp(entry->name + length, ".npy", 4) == 0;
}

/* The array of that name: its bytes in *owned, kind 0 when there is none. False: it is broken. */
static bool find_array(const struct smpl *s, const char *data, size_t size, const char *name, char **owned,
                       struct sn__npy *array) {
    struct sn__zip_entry entry;
    sn_error why = {0};
    *array = (struct sn__npy){0};
    for (int i = 0; sn__zip_entry(data, size, i, &entry); i++) {
        if (!named(&entry, name)) continue;
        *owned = sn__zip_read(data, size, &entry, most_bytes, &why);
        if (!*owned || !sn__npy_open(*owned, entry.size, array, &why)) return fail(s, why.message);
        return true;
    }
    return true;
}

static bool is_numbers(const struct sn__npy *array) {
    return array->kind == 'f' || array->kind == 'i';
}

/* Number of values in a frame. */
static size_t width_of(const struct sn__npy *array) {
    return array->naxis > 1 && array->axis[0] > 0 ? array->count / array->axis[0] : 0;
}

static bool find_rate(struct smpl *s, const char *data, size_t size) {
    static const char *const names[] = {"mocap_framerate", "mocap_frame_rate", "fps", "framerate"};
    s->rate = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && !(s->rate > 0); i++) {
        char *owned = NULL;
        struct sn__npy array;
        const bool good = find_array(s, data, size, names[i], &owned, &array);
        if (good && is_numbers(&array) && array.count > 0) s->rate = sn__npy_value(&array, 0);
        sn__free(owned);
        if (!good) return false;
    }
    return true;
}

static bool open_archive(struct smpl *s, const char *data, size_t size) {
    if (!find_array(s, data, size, "poses", &s->pose_data, &s->pose)) return false;
    if (!s->pose.kind) {
        if (!find_array(s, data, size, "pose_body", &s->pose_data, &s->pose) ||
            !find_array(s, data, size, "root_orient", &s->root_data, &s->root))
            return false;
    }
    return find_array(s, data, size, "trans", &s->trans_data, &s->trans) && find_rate(s, data, size);
}

/* An array alone: what is before the joints is the root's place. */
static bool open_array(struct smpl *s, const char *data, size_t size) {
    sn_error why = {0};
    if (!sn__npy_open(data, size, &s->pose, &why)) return fail(s, why.message);
    if (s->pose.kind == 'O')
        return fail(s, "is an array of Python objects (a pickle), which is not read: save its arrays by "
                       "numpy.savez(path, poses=..., trans=..., mocap_framerate=...)");
    const size_t width = width_of(&s->pose);
    if (width == 75 || width == 69 || width == 159 || width == 168) s->shift = 3;
    return true;
}

static bool check(struct smpl *s) {
    const bool parts = s->root.kind != 0;
    const size_t need = parts ? 63 : 66;
    if (!is_numbers(&s->pose) || width_of(&s->pose) < need + s->shift ||
        (width_of(&s->pose) - s->shift) % 3 != 0)
        return fail(
            s, "has no motion of an SMPL body: neither 'poses' of 22 joints or more nor 'pose_body' with "
               "'root_orient'");
    const size_t n = s->pose.axis[0];
    if (parts && (!is_numbers(&s->root) || s->root.count != 3 * n))
        return fail(s, "'root_orient' and 'pose_body' have different lengths");
    if (s->trans.kind && (!is_numbers(&s->trans) || s->trans.count != 3 * n))
        return fail(s, "'trans' and the poses have different lengths");
    if (!(s->rate > 0) || !(s->rate < 1e6)) {
        s->rate = 30;
        sn__note(s->options, "%s: says nothing of its rate, which is taken as 30 frames per second", s->path);
    }
    if (!s->trans.kind && s->shift == 0)
        sn__note(s->options, "%s: says nothing of places: the body stays where it is", s->path);
    return true;
}

/* -------------------------------------------------------------------------------------------------------- frames */

/* The rotation vector of a joint. */
static void turn_at(const struct smpl *s, size_t frame, int joint, double v[3]) {
    const bool parts = s->root.kind != 0;
    const struct sn__npy *array = parts && joint == 0 ? &s->root : &s->pose;
    const size_t width = width_of(array),
                 at = parts ? (joint == 0 ? 0 : 3 * (size_t)(joint - 1)) : s->shift + 3 * (size_t)joint;
    for (size_t k = 0; k < 3; k++)
        v[k] = sn__npy_value(array, frame * (parts && joint == 0 ? 3 : width) + at + k);
}

static void place_at(const struct smpl *s, size_t frame, double x[3]) {
    for (size_t k = 0; k < 3; k++)
        x[k] = s->trans.kind ? sn__npy_value(&s->trans, 3 * frame + k)
               : s->shift    ? sn__npy_value(&s->pose, frame * width_of(&s->pose) + k)
                             : 0;
}

/* Whether the head is along the file's Y, not its Z, on the whole. */
static bool is_y_up(const struct smpl *s) {
    double sum[3] = {0};
    const size_t n = s->pose.axis[0], step = 1 + n / 200;
    for (size_t k = 0; k < n; k += step) {
        double v[3], q[4], up[3] = {0, 1, 0};
        turn_at(s, k, 0, v);
        dquat_exp(v, q);
        dquat_rotate(q, up, up);
        for (int i = 0; i < 3; i++)
            sum[i] += isfinite(up[i]) ? up[i] : 0;
    }
    return fabs(sum[1]) > fabs(sum[2]);
}

static bool read_frames(const struct smpl *s, struct clip_draft *draft) {
    static const double m[4] = {0.5, 0.5, 0.5, 0.5}, back[4] = {0.5, -0.5, -0.5, -0.5};
    const bool y_up = is_y_up(s);
    const double raise[4] = {sqrt(0.5), sqrt(0.5), 0, 0};
    sn_error why = {0};
    if (!sn__pose_joints(draft, body, JOINTS, &why)) return fail(s, why.message);
    for (size_t k = 0; k < s->pose.axis[0]; k++) {
        double v[3], x[3];
        if (!sn__draft_add_frame(draft, (double)k / s->rate, &why)) return fail(s, why.message);
        for (int i = 0; i < JOINTS; i++) {
            double *q = sn__draft_rotation(draft, draft->nframe - 1, i);
            turn_at(s, k, i, v);
            if (!isfinite(v[0] + v[1] + v[2])) return fail(s, "a rotation is not finite");
            dquat_exp(v, q);
            dquat_multiply(q, back, q);
            if (i > 0) dquat_multiply(m, q, q);
            if (i == 0 && y_up) dquat_multiply(raise, q, q);
        }
        place_at(s, k, x);
        if (y_up) dquat_rotate(raise, x, x);
        memcpy(draft->position + 3 * k, x, sizeof x);
    }
    if (y_up) sn__note(s->options, "%s: y is up, from what is up in most frames", s->path);
    return true;
}

sn_clip *sn__smpl_read(const char *data, size_t size, const char *path, const sn_load_def *options,
                       sn_error *error) {
    struct smpl s = {.path = path, .options = options, .error = error};
    struct clip_draft draft = {0};
    bool good = sn__zip_is(data, size) ? open_archive(&s, data, size) : open_array(&s, data, size);
    good = good && check(&s) && read_frames(&s, &draft);
    sn_clip *clip = sn__pose_finish(&draft, good, path, error);
    sn__free_all(s.trans_data, s.pose_data, s.root_data);
    return clip;
}
