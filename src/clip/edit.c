/* New clips from old ones. */
#include "clip/clip.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "clip/keys.h"

#include <string.h>

enum { MOST_FRAMES = 16 << 20 };

static void *refuse(sn_error *error, const char *reason) {
    sn__fail(error, SN_ERROR_ARGUMENT, "%s", reason);
    return NULL;
}

/* The pose at a time, as a new frame. The last key of a clip that loops is itself, not the first one again. */
static bool add_sample(struct clip_draft *draft, const sn_clip *clip, double at, double time,
                       sn_error *error) {
    const size_t n = (size_t)clip->def.njoint, last = (size_t)clip->def.nframe - 1;
    if (!sn__draft_add_frame(draft, time, error)) return false;
    double *position = draft->position + 3 * (size_t)(draft->nframe - 1);
    double *rotation = sn__draft_rotation(draft, draft->nframe - 1, 0);
    if (at >= sn__clip_duration(clip)) {
        memcpy(position, clip->position + 3 * last, 3 * sizeof *position);
        memcpy(rotation, clip->rotation + 4 * n * last, 4 * n * sizeof *rotation);
    } else {
        sn__clip_sample(clip, at, position, rotation, NULL, NULL);
    }
    return true;
}

static sn_clip *finish(struct clip_draft *draft, bool good, sn_error *error) {
    if (good) return sn__draft_finish(draft, "", error);
    sn__draft_release(draft);
    return NULL;
}

sn_clip *sn__clip_resample(const sn_clip *clip, double rate, sn_error *error) {
    const double length = clip ? sn__clip_duration(clip) : 0;
    struct clip_draft draft;
    if (!clip || !(rate > 0) || !(length * rate < MOST_FRAMES))
        return refuse(error, "the rate should be above 0, and the frames not too many");
    /* whole steps: the rate is met as closely as the length allows */
    int steps = (int)floor(length * rate + 0.5);
    if (steps < 1 && length > 0) steps = 1;
    if (!sn__draft_joints_of(&draft, clip, error)) return NULL;
    bool good = true;
    for (int k = 0; k <= steps && good; k++) {
        const double time = k == steps ? length : length * k / steps;
        good = add_sample(&draft, clip, time, time, error);
    }
    return finish(&draft, good, error);
}

sn_clip *sn__clip_warp(const sn_clip *clip, double factor, sn_error *error) {
    struct clip_draft draft;
    if (!clip || !(factor > 0) || !isfinite(factor)) return refuse(error, "the factor should be above 0");
    if (!sn__draft_joints_of(&draft, clip, error)) return NULL;
    bool good = true;
    for (int k = 0; k < clip->def.nframe && good; k++)
        good = add_sample(&draft, clip, clip->time[k], factor * clip->time[k], error);
    return finish(&draft, good, error);
}

sn_clip *sn__clip_cut(const sn_clip *clip, double from, double to, sn_error *error) {
    struct clip_draft draft;
    if (!clip || !(from >= 0) || !(to > from) || !(to <= sn__clip_duration(clip) + 1e-9))
        return refuse(error, "the piece should lie inside the clip, from before to");
    if (!sn__draft_joints_of(&draft, clip, error)) return NULL;
    draft.loop = false; /* its ends do not meet */
    bool good = add_sample(&draft, clip, from, 0, error);
    for (int k = 0; k < clip->def.nframe && good; k++)
        if (clip->time[k] > from && clip->time[k] < to)
            good = add_sample(&draft, clip, clip->time[k], clip->time[k] - from, error);
    good = good && add_sample(&draft, clip, to, to - from, error);
    return finish(&draft, good, error);
}

/* The phase p grows from rest: p = t^2 / 2T up to t = T, and p = t - T / 2 from there on, at the clip's own speed. */
sn_clip *sn__clip_ease(const sn_clip *clip, double time, sn_error *error) {
    struct clip_draft draft;
    if (!clip || !(time > 0) || !(time <= 2 * sn__clip_duration(clip)))
        return refuse(error, "the time should be above 0, and no more than twice the clip's");
    if (!sn__draft_joints_of(&draft, clip, error)) return NULL;
    const double step = sn__clip_duration(clip) / (clip->def.nframe - 1), whole = ceil(time / step);
    bool good = whole < MOST_FRAMES || (refuse(error, "the frames would be too many"), false);
    draft.loop = false; /* its beginning is not the end of a round */
    for (int k = 0; k <= (int)whole && good; k++) {
        const double t = k == (int)whole ? time : time * k / whole;
        good = add_sample(&draft, clip, t * t / (2 * time), t, error);
    }
    for (int k = 0; k < clip->def.nframe && good; k++)
        if (clip->time[k] > time / 2 * (1 + 1e-12))
            good = add_sample(&draft, clip, clip->time[k], clip->time[k] + time / 2, error);
    return finish(&draft, good, error);
}

/* --------------------------------------------------------------------------------------------------- mirror */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The same case as the pattern's. */
static void swap_word(const char *name, size_t at, clip_name other) {
    static const char *const left[] = {"left", "Left", "LEFT"}, *const right[] = {"right", "Right", "RIGHT"};
    for (int i = 0; i < 3; i++)
        for (int to_right = 0; to_right < 2; to_right++) {
            const char *from = to_right ? left[i] : right[i], *to = to_right ? right[i] : left[i];
            const size_t n = strlen(from), m = strlen(to), rest = strlen(name + at) - n;
            if (strncmp(name + at, from, n) != 0 || at + m + rest > SN_MAX_NAME) continue;
            memcpy(other, name, at);
            memcpy(other + at, to, m);
            memcpy(other + at + m, name + at + n, rest + 1);
            return;
        }
}

/* 'l' or 'r' that stands for a side: before the rest of the name, or alone at either end behind a sign. */
static int single_letter(const char *name, size_t length) {
    const char first = name[0], last = length > 1 ? name[length - 1] : '\0';
    const bool signed_end = length > 2 && !is_letter(name[length - 2]) && strchr("_.-", name[length - 2]);
    if (signed_end && (last == 'l' || last == 'L' || last == 'r' || last == 'R')) return (int)length - 1;
    if ((first == 'l' || first == 'r' || first == 'L' || first == 'R') && length > 2) return 0;
    return -1;
}

/* Where in FL_hip, rr_calf or LF_FOOT the side stands: -1: it is not a leg named by its place. */
static int legs_letter(const char *name) {
    const char a = (char)(name[0] | 32), b = a ? (char)(name[1] | 32) : '\0', c = b ? name[2] : '\0';
    if (is_letter(c) && (c >= 'a' || name[1] < 'a')) return -1; /* a word that begins so */
    if ((a == 'f' || a == 'r' || a == 'h' || a == 'b') && (b == 'l' || b == 'r')) return 1;
    return (a == 'l' || a == 'r') && (b == 'f' || b == 'h') ? 0 : -1;
}

int sn__side_of(const char *name, clip_name other) {
    const size_t length = strlen(name);
    other[0] = '\0';
    for (size_t at = 0; at < length; at++) {
        swap_word(name, at, other);
        if (other[0]) return (name[at] | 32) == 'l' ? 1 : -1;
    }
    const int at = legs_letter(name) >= 0 ? legs_letter(name) : single_letter(name, length);
    if (at < 0) return 0;
    strcpy(other, name);
    other[at] = (char)(name[at] ^ ('l' ^ 'r')); /* L and R differ by the same bits */
    return (name[at] | 32) == 'l' ? 1 : -1;
}

/* partner[i]: the joint on the other side, itself where there is none. */
static void find_partners(const sn_clip *clip, int *partner) {
    for (int i = 0; i < clip->def.njoint; i++) {
        clip_name other;
        partner[i] = i;
        if (sn__side_of(clip->name[i], other) == 0) continue;
        for (int j = 0; j < clip->def.njoint; j++)
            if (strcmp(clip->name[j], other) == 0) partner[i] = j;
    }
}

/* Which way is sideways: 1 for y, 0 for x, by the places of the joints that have partners. */
static int find_sideways(const sn_clip *clip, const int *partner) {
    double apart[2] = {0};
    for (int i = 0; i < clip->def.njoint; i++)
        for (int k = 0; k < 2; k++)
            apart[k] += fabs(clip->joint[i].offset[k] - clip->joint[partner[i]].offset[k]);
    return apart[0] > 2 * apart[1] ? 0 : 1;
}

/* About the xz plane, or the yz plane when the skeleton's left and right lie along x. With y sideways a vector's y turns
   round, and so do the x and z of a rotation, whose axis is not an arrow but a sense of turning. The bones stay as they are; a
   joint gets what its partner did. */
sn_clip *sn__clip_mirror(const sn_clip *clip, sn_error *error) {
    struct clip_draft draft;
    if (!clip) return refuse(error, "there is no clip");
    if (!sn__draft_joints_of(&draft, clip, error)) return NULL;
    const size_t n = (size_t)clip->def.njoint;
    int *partner = sn__alloc(n, sizeof *partner);
    bool good = partner || (sn__fail(error, SN_ERROR_MEMORY, "out of memory"), false);
    if (good) find_partners(clip, partner);
    const int sideways = good ? find_sideways(clip, partner) : 1;
    for (int k = 0; k < clip->def.nframe && good; k++) {
        good = sn__draft_add_frame(&draft, clip->time[k], error);
        if (!good) break;
        double *position = draft.position + 3 * (size_t)k;
        memcpy(position, clip->position + 3 * (size_t)k, 3 * sizeof *position);
        position[sideways] = 0.0 - position[sideways];
        for (size_t i = 0; i < n; i++) {
            const double *q = clip->rotation + 4 * (n * (size_t)k + (size_t)partner[i]);
            double *rotation = sn__draft_rotation(&draft, k, (int)i);
            for (int c = 0; c < 4; c++)
                rotation[c] = c == 0 || c == 1 + sideways ? q[c] : 0.0 - q[c];
        }
    }
    sn__free(partner);
    return finish(&draft, good, error);
}

/* ---------------------------------------------------------------------------------------------------- blend */

static bool same_skeleton(const sn_clip *a, const sn_clip *b) {
    if (a->def.njoint != b->def.njoint) return false;
    for (int i = 0; i < a->def.njoint; i++)
        if (strcmp(a->name[i], b->name[i]) != 0 || a->joint[i].parent != b->joint[i].parent) return false;
    return true;
}

/* At the same phase: both are stretched to the length (1 - w) Ta + w Tb. The keys are those of both. */
sn_clip *sn__clip_blend(const sn_clip *a, const sn_clip *b, double weight, sn_error *error) {
    struct clip_draft draft;
    if (!a || !b || !same_skeleton(a, b)) return refuse(error, "the clips have different skeletons");
    if (!(weight >= 0) || !(weight <= 1)) return refuse(error, "the weight should be between 0 and 1");
    const double Ta = sn__clip_duration(a), Tb = sn__clip_duration(b), T = (1 - weight) * Ta + weight * Tb;
    const int keys = a->def.nframe > b->def.nframe ? a->def.nframe : b->def.nframe;
    if (!(Ta > 0) || !(Tb > 0)) return refuse(error, "a clip of one frame has no phase to blend at");
    if (!sn__draft_joints_of(&draft, a, error)) return NULL;
    draft.loop = a->def.loop && b->def.loop;
    struct clip_draft other;
    bool good = sn__draft_joints_of(&other, b, error);
    for (int i = 0; i < a->def.njoint && good; i++) /* bones in between, too */
        for (int k = 0; k < 3; k++)
            draft.offset[3 * i + k] += weight * (b->joint[i].offset[k] - a->joint[i].offset[k]);
    for (int k = 0; k < keys && good; k++) {
        const double phase = k == keys - 1 ? 1 : (double)k / (keys - 1);
        good = add_sample(&draft, a, phase * Ta, phase * T, error) &&
               add_sample(&other, b, phase * Tb, phase * T, error);
        if (!good) break;
        for (size_t i = 3 * (size_t)k; i < 3 * (size_t)k + 3; i++)
            draft.position[i] += weight * (other.position[i] - draft.position[i]);
        for (int i = 0; i < a->def.njoint; i++) {
            double *q = sn__draft_rotation(&draft, k, i);
            sn__slerp(q, sn__draft_rotation(&other, k, i), weight, 1, q, NULL);
        }
    }
    sn__draft_release(&other);
    return finish(&draft, good, error);
}
