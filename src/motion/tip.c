/* Where limbs end that have no driven body there: shins and forearms.
 *
 * The tip of such a body is as far as its shapes go. In the clip the limb goes on with the next joint. Legs of
 * robots named by where they are (FL_thigh, FL_calf) stand on their tips, so that they end where the animal's paw
 * is: at that joint below the shin which is lowest on average. If other joints lie between, the limb is carried over
 * as a whole (reach.c). */
#include "motion/retarget.h"

#include "base/memory.h"
#include "base/quat.h"
#include "model/shape.h"
#include "clip/clip.h"
#include "motion/meaning.h"
#include "motion/motion.h"

#include <string.h>

/* The furthest middle of a shape, seen from the anchor in the body's axes; 0: there is none. */
static void find_middle(const sn_model *model, const sn_body_info *body, double tip[3]) {
    memset(tip, 0, 3 * sizeof *tip);
    for (int s = body->first_shape; s < body->first_shape + body->nshape; s++) {
        double arm[3];
        for (int k = 0; k < 3; k++)
            arm[k] = sn_model_get(model)->shape[s].pos[k] - body->joint.anchor[k];
        if (dvec_length(arm) > dvec_length(tip)) memcpy(tip, arm, sizeof arm);
    }
}

/* How far the shape goes from its middle towards one side: the sphere in its end for a capsule, its surface for others. */
static double reach_along(const sn_shape_def *shape, const double direction[3]) {
    double back[4], d[3];
    dquat_conjugate(shape->rot, back);
    dquat_rotate(back, direction, d);
    return sn__shape_reach(shape, d) - (sn__shape_kinds[shape->type].rounded ? shape->size[0] : 0);
}

/* From the anchor towards the furthest middle, to where the last shape ends. */
static void find_end(const sn_model *model, const sn_body_info *body, double tip[3]) {
    double direction[3], length = 0;
    find_middle(model, body, tip);
    memcpy(direction, tip, sizeof direction);
    if (!dvec_normalise(direction)) return;
    for (int s = body->first_shape; s < body->first_shape + body->nshape; s++) {
        const sn_shape_def *shape = (&sn_model_get(model)->shape[s]);
        double arm[3];
        for (int k = 0; k < 3; k++)
            arm[k] = shape->pos[k] - body->joint.anchor[k];
        length = fmax(length, dvec_dot(arm, direction) + reach_along(shape, direction));
    }
    for (int k = 0; k < 3; k++)
        tip[k] = length * direction[k];
}

static bool is_below(const sn_clip_def *clip, int joint, int above) {
    while (joint > above)
        joint = clip->joint[joint].parent;
    return joint == above;
}

/* Of the joints below this one that which is lowest on average; -1: there are none. */
static int find_paw(struct retarget *r, int above) {
    const sn_clip_def *clip = r->clip;
    const int step = 1 + clip->nframe / 50;
    const double origin[3] = {0};
    double lowest = 0;
    int paw = -1;
    double *sum = sn__alloc((size_t)clip->njoint, sizeof *sum);
    for (int k = 0; k < clip->nframe && sum; k += step) {
        sn__clip_globals(clip, origin, clip->rotation + 4 * (size_t)k * (size_t)clip->njoint, r->place, r->G);
        for (int j = 0; j < clip->njoint; j++)
            sum[j] += r->place[3 * j + 2];
    }
    for (int j = above + 1; j < clip->njoint && sum; j++)
        if (is_below(clip, j, above) && (paw < 0 || sum[j] < lowest)) paw = j, lowest = sum[j];
    sn__free(sum);
    return paw;
}

static double way_between(const sn_clip_def *clip, int joint, int above) {
    double sum = 0;
    for (; joint > above && joint >= 0; joint = clip->joint[joint].parent)
        sum += dvec_length(clip->joint[joint].offset);
    return sum;
}

double sn__limb_length(const struct retarget *r, int end) {
    const int start = sn__limb_start(r, end);
    double sum = dvec_length(r->tip + 3 * end);
    for (int i = end; i != start && i >= 0; i = sn_model_body(r->model, i)->parent) {
        double arm[3];
        const int parent = sn_model_body(r->model, i)->parent;
        for (int k = 0; k < 3 && parent >= 0; k++)
            arm[k] = r->anchor[3 * i + k] - r->anchor[3 * parent + k];
        if (parent >= 0) sum += dvec_length(arm);
    }
    return sum;
}

/* The paw of a leg that stands on its tip, where the clip has more parts. */
static void find_whole(struct retarget *r, int body) {
    const int shin = r->joint[body], paw = find_paw(r, shin), start = sn__limb_start(r, body);
    if (paw < 0 || r->clip->joint[paw].parent == shin) return;
    if (way_between(r->clip, paw, r->beyond[body]) < 0.15 * way_between(r->clip, paw, r->joint[start]))
        return;
    if (!is_below(r->clip, shin, r->joint[start]) || r->joint[start] == shin) return;
    r->beyond[body] = paw;
    r->whole[body] = way_between(r->clip, paw, r->joint[start]);
}

void sn__retarget_tips(struct retarget *r) {
    for (int i = 0; i < r->nbody; i++) {
        const sn_body_info *body = sn_model_body(r->model, i);
        const struct sn__meaning m = sn__meaning_of(body->name);
        r->beyond[i] = -1;
        bool ends = r->joint[i] >= 0 && (m.role == SN__SHIN || m.role == SN__FOREARM);
        for (int k = i + 1; k < r->nbody && ends; k++)
            ends = r->joint[k] < 0 || r->above[k] != i;
        if (!ends) continue;
        find_end(r->model, body, r->tip + 3 * i);
        if (dvec_length(r->tip + 3 * i) < 1e-3) continue;
        dquat_rotate(r->Z + 4 * i, r->tip + 3 * i, r->tip + 3 * i);
        for (int k = r->joint[i] + 1; k < r->clip->njoint && r->beyond[i] < 0; k++)
            if (r->clip->joint[k].parent == r->joint[i] && dvec_length(r->clip->joint[k].offset) > 1e-6)
                r->beyond[i] = k;
        if (m.leg && r->beyond[i] >= 0) find_whole(r, i);
    }
}
