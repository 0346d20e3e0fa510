/* A character of a recording as a clip, for BVH.
 *
 * Each body becomes a joint at its anchor, in the zero pose as the rest pose; bodies without any below them end in a tip.
 * With B_b the body's orientation in a frame and Z_b that in the zero pose, the joint's is G_b = B_b Z_b^-1. A clip's bones
 * do not change in length: what slides stays where it rests. */
#include "clip/clip.h"
#include "record/record.h"

#include "base/memory.h"
#include "base/quat.h"

#include <stdio.h>
#include <string.h>

struct carrier {
    const sn_recorder *recorder;
    const struct sn__record_character *character;
    const struct sn__figure *figure;
    int *joint;            /* [nbody] of the clip, -1: of another tree than the first */
    double *pos, *rot, *G; /* [nbody][3], [nbody][4] in the zero pose; [nbody][4] in a frame */
    double *anchor;        /* [nbody][3] in the zero pose, world axes */
    struct clip_draft draft;
};

static bool has_child(const struct sn__figure *f, int body) {
    for (int i = body + 1; i < f->nbody; i++)
        if (f->body[i].parent == body) return true;
    return false;
}

/* From the joint of the body to the furthest middle of its shapes: what carrying clips over takes for the end of a limb. */
static void find_tip(const struct carrier *c, int body, double tip[3]) {
    const struct sn__figure_body *info = &c->figure->body[body];
    memset(tip, 0, 3 * sizeof *tip);
    for (int s = info->first_shape; s < info->first_shape + info->nshape; s++) {
        double arm[3];
        for (int k = 0; k < 3; k++)
            arm[k] = c->figure->shape[s].pos[k] - info->anchor[k];
        if (dvec_length(arm) > dvec_length(tip)) memcpy(tip, arm, sizeof arm);
    }
    dquat_rotate(c->rot + 4 * body, tip, tip);
}

static bool add_joints(struct carrier *c, sn_error *error) {
    const struct sn__figure *f = c->figure;
    bool good = true;
    sn__figure_zero(f, c->pos, c->rot);
    for (int i = 0; i < f->nbody && good; i++) {
        const struct sn__figure_body *body = &f->body[i];
        double *anchor = c->anchor + 3 * i, offset[3] = {0};
        dquat_rotate(c->rot + 4 * i, body->anchor, anchor);
        for (int k = 0; k < 3; k++)
            anchor[k] += c->pos[3 * i + k];
        c->joint[i] = i == 0 ? 0 : body->parent < 0 || c->joint[body->parent] < 0 ? -1 : c->draft.njoint;
        if (c->joint[i] < 0) continue;
        for (int k = 0; k < 3 && i > 0; k++)
            offset[k] = anchor[k] - c->anchor[3 * body->parent + k];
        good =
            sn__draft_add_joint(&c->draft, body->name, i == 0 ? -1 : c->joint[body->parent], offset, error);
        if (!good || has_child(f, i)) continue;
        clip_name name;
        snprintf(name, sizeof name, "%.58s_end", body->name);
        find_tip(c, i, offset);
        if (sn__draft_find(&c->draft, name) < 0)
            good = sn__draft_add_joint(&c->draft, name, c->joint[i], offset, error);
    }
    return good;
}

static void body_pose(const struct carrier *c, int frame, int body, double pos[3], double rot[4]) {
    const size_t at = (size_t)frame * (size_t)c->figure->nbody + (size_t)body;
    for (int k = 0; k < 3; k++)
        pos[k] = (double)c->character->root.value[3 * (size_t)frame + (size_t)k] +
                 (double)c->character->position.value[3 * at + (size_t)k];
    for (int k = 0; k < 4; k++)
        rot[k] = (double)c->character->rotation.value[4 * at + (size_t)k];
    if (!dquat_normalise(rot)) dquat_identity(rot);
}

static bool add_frame(struct carrier *c, int frame, double time, sn_error *error) {
    if (!sn__draft_add_frame(&c->draft, time, error)) return false;
    for (int i = 0; i < c->figure->nbody; i++) {
        const int parent = c->figure->body[i].parent;
        double pos[3], rot[4], back[4], *G = c->G + 4 * i;
        if (c->joint[i] < 0) continue;
        body_pose(c, frame, i, pos, rot);
        dquat_conjugate(c->rot + 4 * i, back);
        dquat_multiply(rot, back, G);
        double *own = sn__draft_rotation(&c->draft, frame, c->joint[i]);
        memcpy(own, G, 4 * sizeof *own);
        if (i == 0) {
            double *root = c->draft.position + 3 * (size_t)frame, arm[3];
            dquat_rotate(rot, c->figure->body[0].anchor, arm);
            for (int k = 0; k < 3; k++)
                root[k] = pos[k] + arm[k];
        } else {
            dquat_conjugate(c->G + 4 * parent, back);
            dquat_multiply(back, G, own);
        }
    }
    return true;
}

/* The first that is simulated, else the first of all. */
static const struct sn__record_character *choose(const sn_recorder *r) {
    for (int i = 0; i < r->ncharacter; i++)
        if (r->character[i].frames > 0 && strcmp(r->character[i].role, "simulated") == 0)
            return &r->character[i];
    return r->ncharacter > 0 && r->character[0].frames > 0 ? &r->character[0] : NULL;
}

sn_clip *sn__record_clip(const sn_recorder *r, sn_error *error) {
    struct carrier c = {.recorder = r, .character = choose(r)};
    sn_clip *clip = NULL;
    if (!c.character) {
        sn__fail(error, SN_ERROR_ARGUMENT, "the recording has no character");
        return NULL;
    }
    c.figure = &r->model[c.character->model].figure;
    const size_t n = (size_t)c.figure->nbody, real = sizeof(double);
    c.joint = sn__alloc(n, sizeof *c.joint);
    c.pos = sn__alloc(n, 3 * real), c.rot = sn__alloc(n, 4 * real);
    c.G = sn__alloc(n, 4 * real), c.anchor = sn__alloc(n, 3 * real);
    if (!c.joint || !c.pos || !c.rot || !c.G || !c.anchor) {
        sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    } else if (add_joints(&c, error)) {
        const float *time = r->time.value + c.character->first;
        bool good = true;
        for (int k = 0; k < c.character->frames && good; k++)
            good = add_frame(&c, k, (double)time[k] - (double)time[0], error);
        if (good) clip = sn__draft_finish(&c.draft, "", error);
    }
    sn__draft_release(&c.draft);
    sn__free_all(c.joint, c.pos, c.rot, c.G, c.anchor);
    return clip;
}
