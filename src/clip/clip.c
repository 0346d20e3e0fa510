/* Making and checking clips. */
#include "base/definition.h"
#include "clip/clip.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------------------------------- drafts */

static bool out_of_memory(sn_error *error) {
    sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    return false;
}

/* The array with room for one more; *room is what it has now. NULL: out of memory, and the array is as it was. */
static void *with_room(void *array, int had, int count, size_t width, int *room) {
    *room = had;
    return sn__grow(array, room, count + 1, width > 0 ? width : 1);
}

static bool room_for_joint(struct clip_draft *draft) {
    const int had = draft->joint_room, n = draft->njoint;
    int room;
    if (n < had) return true;
    void *name = with_room(draft->name, had, n, sizeof *draft->name, &room);
    if (name) draft->name = name;
    void *parent = name ? with_room(draft->parent, had, n, sizeof *draft->parent, &room) : NULL;
    if (parent) draft->parent = parent;
    void *offset = parent ? with_room(draft->offset, had, n, 3 * sizeof *draft->offset, &room) : NULL;
    if (offset) draft->offset = offset, draft->joint_room = room;
    return offset;
}

static bool room_for_frame(struct clip_draft *draft) {
    const int had = draft->frame_room, n = draft->nframe;
    const size_t turns = 4 * (size_t)draft->njoint * sizeof *draft->rotation;
    int room;
    if (n < had) return true;
    void *time = with_room(draft->time, had, n, sizeof *draft->time, &room);
    if (time) draft->time = time;
    void *position = time ? with_room(draft->position, had, n, 3 * sizeof *draft->position, &room) : NULL;
    if (position) draft->position = position;
    void *rotation = position ? with_room(draft->rotation, had, n, turns, &room) : NULL;
    if (rotation) draft->rotation = rotation, draft->frame_room = room;
    return rotation;
}

bool sn__draft_add_joint(struct clip_draft *draft, const char *name, int parent, const double offset[3],
                         sn_error *error) {
    const int at = draft->njoint;
    if (at >= SN_MAX_BODIES) {
        sn__fail(error, SN_ERROR_TOO_LARGE, "a skeleton has more than %d joints", SN_MAX_BODIES);
        return false;
    }
    const size_t length = name ? strlen(name) : 0;
    if (length == 0 || length > SN_MAX_NAME) {
        sn__fail(error, SN_ERROR_FORMAT, "joint %d: the name '%.20s%s' is %s", at, name ? name : "",
                 length > 20 ? "..." : "", length == 0 ? "empty" : "too long");
        return false;
    }
    if (!room_for_joint(draft)) return out_of_memory(error);
    memcpy(draft->name[at], name, length + 1);
    draft->parent[at] = parent;
    memcpy(draft->offset + 3 * (size_t)at, offset, 3 * sizeof *offset);
    draft->njoint++;
    return true;
}

bool sn__draft_add_frame(struct clip_draft *draft, double time, sn_error *error) {
    const size_t at = (size_t)draft->nframe, values = 4 * (size_t)draft->njoint;
    if (draft->nframe >= INT_MAX / 2 || !room_for_frame(draft)) return out_of_memory(error);
    draft->time[at] = time;
    memset(draft->position + 3 * at, 0, 3 * sizeof *draft->position);
    for (int i = 0; i < draft->njoint; i++)
        dquat_identity(draft->rotation + values * at + 4 * (size_t)i);
    draft->nframe++;
    return true;
}

int sn__draft_find(const struct clip_draft *draft, const char *name) {
    for (int i = 0; i < draft->njoint; i++)
        if (strcmp(draft->name[i], name) == 0) return i;
    return -1;
}

void sn__draft_release(struct clip_draft *draft) {
    sn__free_all(draft->name, draft->parent, draft->offset, draft->time, draft->position, draft->rotation);
    *draft = (struct clip_draft){0};
}

bool sn__draft_joints_of(struct clip_draft *draft, const sn_clip *clip, sn_error *error) {
    *draft = (struct clip_draft){.loop = clip->def.loop};
    for (int i = 0; i < clip->def.njoint; i++)
        if (!sn__draft_add_joint(draft, clip->joint[i].name, clip->joint[i].parent, clip->joint[i].offset,
                                 error)) {
            sn__draft_release(draft);
            return false;
        }
    return true;
}

/* -------------------------------------------------------------------------------------------------- checking */

static bool all_finite(const double *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static sn_status check_names(const struct clip_draft *draft, const char *where, sn_error *error) {
    const char **sorted = sn__alloc((size_t)draft->njoint, sizeof *sorted);
    if (!sorted) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    sn_status status = SN_OK;
    for (int i = 0; i < draft->njoint; i++)
        sorted[i] = draft->name[i];
    qsort(sorted, (size_t)draft->njoint, sizeof *sorted, by_name);
    for (int i = 1; i < draft->njoint && status == SN_OK; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            status = sn__fail(error, SN_ERROR_FORMAT, "%stwo joints have the name '%s'", where, sorted[i]);
    sn__free(sorted);
    return status;
}

static sn_status check_joints(const struct clip_draft *draft, const char *where, sn_error *error) {
    if (draft->njoint < 1) return sn__fail(error, SN_ERROR_FORMAT, "%sa clip has no joints", where);
    for (int i = 0; i < draft->njoint; i++) {
        if (draft->parent[i] >= i || draft->parent[i] < -1 || (draft->parent[i] < 0) != (i == 0))
            return sn__fail(error, SN_ERROR_FORMAT, "%sjoint '%s': its parent %d does not stand before it",
                            where, draft->name[i], draft->parent[i]);
        if (!all_finite(draft->offset + 3 * (size_t)i, 3))
            return sn__fail(error, SN_ERROR_FORMAT, "%sjoint '%s': its offset is not finite", where,
                            draft->name[i]);
    }
    return check_names(draft, where, error);
}

/* Unit length, and of q and -q the one in the half space of the frame before. Those that are of unit length to the last
   digits stay as they are, so that writing and reading back changes nothing. */
static sn_status tidy_frame(const struct clip_draft *draft, int frame, const char *where, sn_error *error) {
    for (int i = 0; i < draft->njoint; i++) {
        double *q = sn__draft_rotation(draft, frame, i);
        double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (!all_finite(q, 4) || (!(fabs(square - 1) < 4e-15) && !dquat_normalise(q)))
            return sn__fail(error, SN_ERROR_FORMAT, "%sframe %d, joint '%s': %g %g %g %g is not a rotation",
                            where, frame, draft->name[i], q[0], q[1], q[2], q[3]);
        if (frame == 0) continue;
        const double *before = sn__draft_rotation(draft, frame - 1, i);
        if (q[0] * before[0] + q[1] * before[1] + q[2] * before[2] + q[3] * before[3] < 0)
            for (int k = 0; k < 4; k++)
                q[k] = -q[k];
    }
    return SN_OK;
}

static sn_status check_frames(const struct clip_draft *draft, const char *where, sn_error *error) {
    if (draft->nframe < 1) return sn__fail(error, SN_ERROR_FORMAT, "%sa clip has no frames", where);
    if (!(draft->time[0] == 0))
        return sn__fail(error, SN_ERROR_FORMAT, "%sthe first frame is at %g s, not at 0", where,
                        draft->time[0]);
    for (int k = 0; k < draft->nframe; k++) {
        if (!isfinite(draft->time[k]) || (k > 0 && !(draft->time[k] > draft->time[k - 1])))
            return sn__fail(error, SN_ERROR_FORMAT,
                            "%sframe %d: its time %g s does not come after the frame before", where, k,
                            draft->time[k]);
        if (!all_finite(draft->position + 3 * (size_t)k, 3))
            return sn__fail(error, SN_ERROR_FORMAT, "%sframe %d: the root's position is not finite", where,
                            k);
        if (tidy_frame(draft, k, where, error) != SN_OK) return SN_ERROR_FORMAT;
    }
    return SN_OK;
}

/* --------------------------------------------------------------------------------------------------- the clip */

sn_clip *sn__draft_finish(struct clip_draft *draft, const char *where, sn_error *error) {
    sn_clip *clip = NULL;
    sn_status status = check_joints(draft, where, error);
    if (status == SN_OK) status = check_frames(draft, where, error);
    if (status == SN_OK) {
        clip = sn__alloc(1, sizeof *clip);
        if (clip) clip->joint = sn__alloc((size_t)draft->njoint, sizeof *clip->joint);
        if (!clip || !clip->joint) {
            out_of_memory(error);
            sn__free(clip);
            clip = NULL;
        }
    }
    if (!clip) {
        sn__draft_release(draft);
        return NULL;
    }
    clip->name = draft->name;
    clip->time = draft->time;
    clip->position = draft->position;
    clip->rotation = draft->rotation;
    draft->name = NULL;
    draft->time = draft->position = draft->rotation = NULL;
    for (int i = 0; i < draft->njoint; i++) {
        clip->joint[i].name = clip->name[i];
        clip->joint[i].parent = draft->parent[i];
        memcpy(clip->joint[i].offset, draft->offset + 3 * (size_t)i, sizeof clip->joint[i].offset);
    }
    /* one frame has nothing to go round */
    clip->def = (sn_clip_def){.struct_size = sizeof(sn_clip_def),
                              .njoint = draft->njoint,
                              .nframe = draft->nframe,
                              .joint = clip->joint,
                              .time = clip->time,
                              .position = clip->position,
                              .rotation = clip->rotation,
                              .loop = draft->loop && draft->nframe > 1};
    sn__draft_release(draft);
    sn__succeed(error);
    return clip;
}

sn_clip *sn_clip_create(const sn_clip_def *def, sn_error *error) {
    sn_clip_def own;
    if (!sn__definition_take("sn_clip_def", def, &own, error)) return NULL;
    def = &own;
    if (!def->joint || !def->time || !def->position || !def->rotation || def->njoint < 1 || def->nframe < 1) {
        sn__fail(error, SN_ERROR_ARGUMENT, "a clip needs joints, times, positions and rotations");
        return NULL;
    }
    struct clip_draft draft = {.loop = def->loop};
    const size_t values = 4 * (size_t)def->njoint;
    bool done = true;
    for (int i = 0; i < def->njoint && done; i++)
        done = sn__draft_add_joint(&draft, def->joint[i].name, def->joint[i].parent, def->joint[i].offset,
                                   error);
    for (int k = 0; k < def->nframe && done; k++) {
        done = sn__draft_add_frame(&draft, def->time[k], error);
        if (!done) break;
        memcpy(draft.position + 3 * (size_t)k, def->position + 3 * (size_t)k, 3 * sizeof *def->position);
        memcpy(draft.rotation + values * (size_t)k, def->rotation + values * (size_t)k,
               values * sizeof *def->rotation);
    }
    if (done) return sn__draft_finish(&draft, "", error);
    sn__draft_release(&draft);
    return NULL;
}

void sn_clip_free(sn_clip *clip) {
    if (!clip) return;
    sn__free_all(clip->joint, clip->name, clip->time, clip->position, clip->rotation, clip);
}

const sn_clip_def *sn_clip_data(const sn_clip *clip) {
    return &clip->def;
}

double sn__clip_duration(const sn_clip *clip) {
    return clip->time[clip->def.nframe - 1];
}

void sn__clip_globals(const sn_clip_def *clip, const double root[3], const double *rotation,
                      double *global_position, double *global_rotation) {
    const double identity[4] = {1, 0, 0, 0};
    for (int i = 0; i < clip->njoint; i++) {
        const sn_clip_joint *joint = &clip->joint[i];
        const double *own = rotation ? rotation + 4 * (size_t)i : identity;
        const double *before =
            joint->parent < 0 || !global_rotation ? identity : global_rotation + 4 * (size_t)joint->parent;
        double *at = global_position ? global_position + 3 * (size_t)i : NULL, arm[3];
        if (global_rotation) dquat_multiply(before, own, global_rotation + 4 * (size_t)i);
        if (!at) continue;
        if (joint->parent < 0) {
            memcpy(at, root, 3 * sizeof *at);
            continue;
        }
        dquat_rotate(before, joint->offset, arm);
        for (int k = 0; k < 3; k++)
            at[k] = global_position[3 * joint->parent + k] + arm[k];
    }
}
