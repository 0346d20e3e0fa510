/* Poses of a model on the skeleton of the clip that its motion came from.
 *
 * Carrying over made B_b = H G_j K_b of the orientation G_j of a joint; back it is G_j = H^-1 B_b K_b^-1. Joints that drive
 * no body turn against their parents as the clip has it at the same time. With place_j the way from the root to the
 * joint that drives the model's root b, the clip's root is at (H^-1 p_b - G_j shift) / scale - place_j. */
#include "motion/carried.h"

#include "clip/clip.h"
#include "motion/motion.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "model/joint.h"

#include <string.h>

struct sn__carried *sn__carried_create(const sn_clip_def *clip, int nbody, const struct sn__carried *how) {
    struct sn__carried *c = sn__alloc(1, sizeof *c);
    if (!c) return NULL;
    *c = *how;
    c->clip = sn_clip_create(clip, NULL);
    c->joint = sn__alloc((size_t)nbody, sizeof *c->joint);
    c->K = sn__alloc((size_t)nbody, 4 * sizeof *c->K);
    if (!c->clip || !c->joint || !c->K) {
        sn__carried_free(c);
        return NULL;
    }
    memcpy(c->joint, how->joint, (size_t)nbody * sizeof *c->joint);
    memcpy(c->K, how->K, (size_t)nbody * 4 * sizeof *c->K);
    return c;
}

void sn__carried_free(struct sn__carried *c) {
    if (!c) return;
    sn_clip_free(c->clip);
    sn__free_all(c->joint, c->K, c);
}

struct way_back {
    const struct sn__carried *c;
    const sn_model *model;
    double *pos, *B; /* [nbody][3], [nbody][4] */
    double *G;       /* [njoint][4] */
    double *place;   /* [njoint][3] from the root */
    int *body;       /* [njoint] that it drives, -1: none */
};

/* Rotations of all joints against their parents; the frame has those of the clip before. */
static void turn_joints(const struct way_back *w, double *rotation) {
    const sn_clip_def *def = sn_clip_data(w->c->clip);
    const double identity[4] = {1, 0, 0, 0};
    double Hback[4];
    dquat_conjugate(w->c->H, Hback);
    for (int i = 0; i < def->njoint; i++) {
        const int parent = def->joint[i].parent, body = w->body[i];
        const double *above = parent < 0 ? identity : w->G + 4 * parent;
        double *G = w->G + 4 * i, *own = rotation + 4 * i, back[4];
        if (body < 0) {
            dquat_multiply(above, own, G);
        } else {
            dquat_conjugate(w->c->K + 4 * body, back);
            dquat_multiply(Hback, w->B + 4 * body, G);
            dquat_multiply(G, back, G);
            dquat_conjugate(above, back);
            dquat_multiply(back, G, own);
        }
        dquat_normalise(G);
    }
}

static void place_root(const struct way_back *w, const double *rotation, double position[3]) {
    const struct sn__carried *c = w->c;
    const sn_body_info *root = sn_model_body(w->model, c->root);
    const double origin[3] = {0};
    double back[4], p[3], shift[3];
    if (!sn__joint_is_free(root)) return;
    sn__clip_globals(sn_clip_data(c->clip), origin, rotation, w->place, w->G);
    const int joint = c->joint[c->root];
    dquat_conjugate(c->H, back);
    dquat_rotate(back, w->pos + 3 * c->root, p);
    dquat_rotate(w->G + 4 * joint, c->shift, shift);
    for (int k = 0; k < 3; k++)
        position[k] = (p[k] - shift[k]) / c->scale - w->place[3 * joint + k];
}

static bool add_frame(const struct way_back *w, struct clip_draft *draft, double time, const double *q,
                      sn_error *error) {
    if (!sn__draft_add_frame(draft, time, error)) return false;
    double *position = draft->position + 3 * (size_t)(draft->nframe - 1);
    double *rotation = sn__draft_rotation(draft, draft->nframe - 1, 0);
    sn__clip_sample(w->c->clip, time, position, rotation, NULL, NULL);
    sn__pose_globals(w->model, q, w->pos, w->B);
    turn_joints(w, rotation);
    place_root(w, rotation, position);
    return true;
}

sn_clip *sn_motion_clip(const sn_motion *motion, int nframe, const double *time, const double *q,
                        sn_error *error) {
    const struct sn__carried *c = motion ? sn__motion_carried(motion) : NULL;
    if (!c || nframe < 1 || !time || !q) {
        sn__fail(error, SN_ERROR_ARGUMENT, "there are no poses, or the motion is of no clip");
        return NULL;
    }
    const sn_model *model = sn__motion_model(motion);
    const size_t nbody = (size_t)sn_model_get(model)->nbody, n = (size_t)sn_clip_data(c->clip)->njoint,
                 real = sizeof(double);
    struct way_back w = {.c = c, .model = model};
    struct clip_draft draft = {0};
    w.pos = sn__alloc(nbody, 3 * real), w.B = sn__alloc(nbody, 4 * real);
    w.G = sn__alloc(n, 4 * real), w.place = sn__alloc(n, 3 * real), w.body = sn__alloc(n, sizeof *w.body);
    bool good = (w.pos && w.B && w.G && w.place && w.body) ||
                (sn__fail(error, SN_ERROR_MEMORY, "out of memory"), false);
    good = good && sn__draft_joints_of(&draft, c->clip, error);
    draft.loop = false;
    for (size_t i = 0; i < n && good; i++)
        w.body[i] = -1;
    for (size_t i = 0; i < nbody && good; i++)
        if (c->joint[i] >= 0) w.body[c->joint[i]] = (int)i;
    for (int k = 0; k < nframe && good; k++)
        good = add_frame(&w, &draft, time[k], q + (size_t)k * (size_t)sn_model_get(model)->nq, error);
    sn_clip *clip = good ? sn__draft_finish(&draft, "", error) : NULL;
    sn__draft_release(&draft);
    sn__free_all(w.pos, w.B, w.G, w.place, w.body);
    return clip;
}
