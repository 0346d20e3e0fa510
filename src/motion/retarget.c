/* Carrying a clip over to a model.
 *
 * G_j(t) is the orientation in the world of clip joint j, B_b that of the model's body b which j drives:
 *
 *   B_b(t) = H G_j(t) K_b,     K_b = G_j(ref)^-1 H^-1 C_b Z_b
 *
 * Z_b     the body's orientation in the model's zero pose
 * C_b     the correction that turns the model's bone, as it lies in the zero pose, to the direction which the clip's bone
 *         has in the reference pose: arms that hang against arms held out, legs together against legs apart.
 *         One mapped child: that of the body above, and then the shortest turn. Several (hips, chest): the best fit of
 *         their places where they agree to 2 degrees; else that of the root where it is less than 45 degrees off,
 *         because trunks stand upright in every skeleton. No child: that of the body above for hands, and where it is more
 *         than 60 degrees from the root's, else the root's (feet, head). The root's own, when its fit is no better, is none
 *         below 45 degrees. A shin or forearm
 *         that ends a limb has its shapes for a bone, and the clip's next joint beyond.
 * H       the turn about Z that makes the clip's skeleton face as the model does, from the best fit at the root
 * ref     the clip's rest pose; its first frame when the rest pose is none (bones on average more than 60 degrees off,
 *         less in the first frame), as in files whose bones all lie along one axis
 *
 * From the orientations follow the joints: a ball takes what is left over against its parent, a hinge the part of
 * that about its axis, within its limits. Hinges in a row that stand for one joint are solved together. What hinges
 * cannot do alone, the joints of a limb do together (reach.c). Places are scaled by the length of a leg, and the
 * middle between the hips comes to lie where the clip has it. A model whose root is welded to the world moves as the
 * clip does against its root. */
#include "clip/clip.h"
#include "motion/carried.h"
#include "motion/fit.h"
#include "motion/hinges.h"
#include "motion/map.h"
#include "motion/meaning.h"
#include "motion/motion.h"
#include "motion/retarget.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "model/joint.h"

#include <string.h>

static const double upright = 45 * M_PI / 180, no_pose = 60 * M_PI / 180, alike = 2 * M_PI / 180;

/* -------------------------------------------------------------------------------------------------- the model */

static void survey_model(struct retarget *r) {
    double *zero = r->q,
           *pos = r->B; /* the first key's place, and three of the four numbers of each body, are free now */
    sn_model_zero_pose(r->model, zero);
    sn__pose_globals(r->model, zero, pos, r->Z);
    r->root = -1;
    for (int i = 0; i < r->nbody; i++) {
        const sn_body_info *body = sn_model_body(r->model, i);
        double *anchor = r->anchor + 3 * i;
        dquat_rotate(r->Z + 4 * i, body->joint.anchor, anchor);
        for (int k = 0; k < 3; k++)
            anchor[k] += pos[3 * i + k];
        int above = body->parent;
        while (above >= 0 && r->joint[above] < 0)
            above = sn_model_body(r->model, above)->parent;
        r->above[i] = above;
        if (r->joint[i] >= 0 && r->root < 0) r->root = i;
        /* hinges in a row, up to the next body that is driven */
        int count = 0, dofs = body->nv;
        bool turns = sn__joint_hinges(body) > 0;
        for (int up = body->parent; turns && up >= 0 && r->joint[up] < 0;
             up = sn_model_body(r->model, up)->parent) {
            const sn_body_info *link = sn_model_body(r->model, up);
            turns = sn__joint_hinges(link) == 1 && dofs < 3;
            count += turns;
            dofs += turns;
        }
        r->group[i] = r->joint[i] >= 0 ? count : 0;
    }
    sn__retarget_tips(r);
}

/* ---------------------------------------------------------------------------------------------- the reference */

static void set_reference(struct retarget *r, bool first_frame) {
    const double origin[3] = {0};
    if (first_frame) {
        sn__clip_globals(r->clip, origin, r->clip->rotation, r->place, r->G);
        return;
    }
    sn__clip_globals(r->clip, origin, NULL, r->place, r->G);
}

/* From the body to another one that is driven: in the model's zero pose and in the clip's reference pose. */
static void find_arm(const struct retarget *r, int body, int other, double model[3], double clip[3]) {
    for (int k = 0; k < 3; k++) {
        model[k] = r->anchor[3 * other + k] - r->anchor[3 * body + k];
        clip[k] = r->place[3 * r->joint[other] + k] - r->place[3 * r->joint[body] + k];
    }
}

/* To all that are next in line, past those which sit in the same place as the body. Returns how many, at most
   MOST_ARMS. */
enum { MOST_ARMS = 16 };
static int find_arms(const struct retarget *r, int body, double model[][3], double clip[][3]) {
    int n = 0;
    for (int i = body + 1; i < r->nbody && n < MOST_ARMS; i++) {
        if (r->joint[i] < 0) continue;
        int above = r->above[i];
        while (above > body) {
            double a[3], b[3];
            find_arm(r, body, above, a, b);
            if (dvec_length(a) > 1e-9) break;
            above = r->above[above];
        }
        if (above != body) continue;
        find_arm(r, body, i, model[n], clip[n]);
        n += dvec_length(model[n]) > 1e-9 && dvec_length(clip[n]) > 1e-9;
    }
    for (int k = 0; k < 3 && n == 0 && r->beyond[body] >= 0; k++) {
        model[0][k] = r->tip[3 * body + k];
        clip[0][k] = r->place[3 * r->beyond[body] + k] - r->place[3 * r->joint[body] + k];
    }
    return n == 0 && r->beyond[body] >= 0 ? 1 : n;
}

/* The heading: the part about Z of the fit at the root, quarter turns exactly. */
static void find_heading(struct retarget *r) {
    double model[MOST_ARMS][3], clip[MOST_ARMS][3], fit[4], z[3] = {0, 0, 1}, back[4], swing[4];
    dquat_identity(r->H);
    const int n = find_arms(r, r->root, model, clip);
    if (n < 2 || !sn__fit_rotation(n, (const double(*)[3])model, (const double(*)[3])clip, fit)) return;
    double angle = -sn__twist_angle(fit, z);
    const double quarters = floor(angle / (M_PI / 2) + 0.5);
    if (fabs(angle - quarters * (M_PI / 2)) < 10 * M_PI / 180) angle = quarters * (M_PI / 2);
    const double heading[3] = {0, 0, angle};
    dquat_exp(heading, back);
    dquat_multiply(back, fit, swing);
    if (sn__angle_of(swing) > no_pose) return; /* the model's zero pose does not stand: nothing to align */
    if (angle != 0) memcpy(r->H, back, sizeof back);
}

/* How far the correction is from the root's. */
static double off_root(const struct retarget *r, const double C[4]) {
    double back[4];
    dquat_conjugate(r->C + 4 * r->root, back);
    dquat_multiply(C, back, back);
    return sn__angle_of(back);
}

/* Whether the arms of both, once turned, have the same directions. A turn of next to nothing is made none. */
static bool agree(int n, double C[4], const double model[][3], const double clip[][3]) {
    for (int i = 0; i < n; i++) {
        double turned[3], turn[4];
        dquat_rotate(C, model[i], turned);
        sn__shortest_turn(turned, clip[i], turn);
        if (sn__angle_of(turn) > alike) return false;
    }
    if (sn__angle_of(C) < 1e-7) dquat_identity(C);
    return true;
}

/* Hands of people, not paws: they go on as their arms do, however those rest. */
static bool is_hand(const struct retarget *r, int body) {
    const struct sn__meaning m = sn__meaning_of(sn_model_body(r->model, body)->name);
    return m.role == SN__HAND && !m.leg && m.rank < 2;
}

/* C of one body; returns how far its bone was off when it has one, else -1. */
static double find_correction(struct retarget *r, int body) {
    double model[MOST_ARMS][3], clip[MOST_ARMS][3], *C = r->C + 4 * body, turn[4];
    const double *root = r->C + 4 * r->root;
    const int n = find_arms(r, body, model, clip);
    dquat_identity(C);
    for (int i = 0; i < n; i++)
        dquat_rotate(r->H, clip[i], clip[i]);
    if (n > 1) {
        if (!sn__fit_rotation(n, (const double(*)[3])model, (const double(*)[3])clip, C))
            dquat_identity(C);
        else if (agree(n, C, (const double(*)[3])model, (const double(*)[3])clip))
            return -1;
        if (body == r->root ? sn__angle_of(C) < upright : off_root(r, C) < upright) {
            dquat_identity(C);
            if (body != r->root) memcpy(C, root, 4 * sizeof *C);
        }
        return -1;
    }
    const double *before = r->above[body] >= 0 ? r->C + 4 * r->above[body] : NULL;
    if (n == 1) {
        if (before) memcpy(C, before, 4 * sizeof *C);
        dquat_rotate(C, model[0], model[0]);
        sn__shortest_turn(model[0], clip[0], turn);
        if (sn__angle_of(turn) > 1e-7) dquat_multiply(turn, C, C);
        return body == r->root ? sn__angle_of(C) : off_root(r, C);
    }
    if (before)
        memcpy(C, off_root(r, before) > (is_hand(r, body) ? alike : no_pose) ? before : root, 4 * sizeof *C);
    return -1;
}

/* All of H and C; returns how far bones are off on average. */
static double align(struct retarget *r) {
    double sum = 0;
    int count = 0;
    find_heading(r);
    for (int i = 0; i < r->nbody; i++) {
        if (r->joint[i] < 0) continue;
        const double off = find_correction(r, i);
        if (off < 0) continue;
        sum += off;
        count++;
    }
    return count > 0 ? sum / count : 0;
}

/* Of the driven joints the lowest one, and the way from there to the root along driven ones. */
static void find_scale(struct retarget *r) {
    int lowest = -1;
    for (int i = 0; i < r->nbody; i++)
        if (r->joint[i] >= 0 &&
            (lowest < 0 || r->place[3 * r->joint[i] + 2] < r->place[3 * r->joint[lowest] + 2]))
            lowest = i;
    double model = 0, clip = 0;
    for (int i = 0; i < r->nbody; i++)
        if (r->whole[i] > 0) model += sn__limb_length(r, i), clip += r->whole[i];
    for (int i = clip > 0 ? -1 : lowest; i >= 0 && r->above[i] >= 0; i = r->above[i]) {
        double a[3], b[3];
        if (r->above[i] == r->root) break; /* from hip to foot: where roots sit differs from file to file */
        for (int k = 0; k < 3; k++) {
            a[k] = r->anchor[3 * i + k] - r->anchor[3 * r->above[i] + k];
            b[k] = r->place[3 * r->joint[i] + k] - r->place[3 * r->joint[r->above[i]] + k];
        }
        model += dvec_length(a);
        clip += dvec_length(b);
    }
    r->scale = model > 1e-6 && clip > 1e-6 ? model / clip : 1;
    if (fabs(r->scale - 1) < 1e-9) r->scale = 1;
}

/* K of every body, and where the model's root lies against the clip's. */
static void finish_alignment(struct retarget *r) {
    for (int i = 0; i < r->nbody; i++) {
        double back[4], *K = r->K + 4 * i;
        if (r->joint[i] < 0) continue;
        dquat_multiply(r->C + 4 * i, r->Z + 4 * i, K);
        dquat_conjugate(r->H, back);
        dquat_multiply(back, K, K);
        dquat_conjugate(r->G + 4 * r->joint[i], back);
        dquat_multiply(back, K, K);
    }
    double mid_model[3] = {0}, mid_clip[3] = {0}, back[4];
    int count = 0;
    for (int i = 0; i < r->nbody; i++) {
        clip_name other;
        if (r->joint[i] < 0 || r->above[i] != r->root) continue;
        if (sn__side_of(sn_model_body(r->model, i)->name, other) == 0) continue;
        for (int k = 0; k < 3; k++) {
            mid_model[k] += r->anchor[3 * i + k] - r->anchor[3 * r->root + k];
            mid_clip[k] += r->place[3 * r->joint[i] + k] - r->place[3 * r->joint[r->root] + k];
        }
        count++;
    }
    memset(r->shift, 0, sizeof r->shift);
    if (count == 0) return;
    dquat_conjugate(r->Z + 4 * r->root, back);
    dquat_rotate(back, mid_model, mid_model);
    dquat_rotate(r->K + 4 * r->root, mid_model, mid_model);
    dquat_conjugate(r->G + 4 * r->joint[r->root], back);
    dquat_rotate(back, mid_clip, mid_clip);
    for (int k = 0; k < 3; k++)
        r->shift[k] = (r->scale * mid_clip[k] - mid_model[k]) / count;
    if (dvec_length(r->shift) < 1e-9) memset(r->shift, 0, sizeof r->shift);
}

static void choose_reference(struct retarget *r) {
    set_reference(r, false);
    const double off = align(r);
    if (off > no_pose) {
        set_reference(r, true);
        if (align(r) > off) {
            set_reference(r, false);
            align(r);
        }
    }
    find_scale(r);
    finish_alignment(r);
}

/* ----------------------------------------------------------------------------------------------------- frames */

static double within_limits(const sn_joint_def *joint, double angle, double before) {
    angle +=
        2 * M_PI * floor((before - angle) / (2 * M_PI) + 0.5); /* the turn that is nearest to the last one */
    if (!joint->limited) return angle;
    if (angle > joint->upper[0] && angle - 2 * M_PI >= joint->lower[0]) angle -= 2 * M_PI;
    if (angle < joint->lower[0] && angle + 2 * M_PI <= joint->upper[0]) angle += 2 * M_PI;
    return fmax(joint->lower[0], fmin(joint->upper[0], angle));
}

/* Orientation of the body before its joint turns: that of the parent and the fixed part. */
static void base_of(const struct retarget *r, const sn_body_info *body, double base[4]) {
    const double identity[4] = {1, 0, 0, 0};
    dquat_multiply(body->parent < 0 ? identity : r->B + 4 * body->parent, body->rot, base);
}

static void place_group(struct retarget *r, int body, const double target[4], double *q,
                        const double *before) {
    struct hinge_row row = {0};
    int link[4], nlink = 0;
    for (int i = body, n = r->group[body]; n >= 0; n--, i = sn_model_body(r->model, i)->parent)
        link[nlink++] = i;
    double base[4], angle[4], start[4] = {0};
    base_of(r, sn_model_body(r->model, link[nlink - 1]), base);
    for (int n = nlink - 1; n >= 0; n--) {
        const sn_body_info *info = sn_model_body(r->model, link[n]);
        start[row.count] = before ? before[info->q_index] : 0;
        sn__hinge_add(&row, n == nlink - 1 ? NULL : info->rot, info->joint.axis);
        if (sn__joint_hinges(info) < 2) continue;
        start[row.count] = before ? before[info->q_index + 1] : 0;
        sn__hinge_add(&row, NULL, info->joint.axis2);
    }
    memcpy(angle, start, sizeof angle);
    sn__hinge_solve(&row, base, target, angle);
    int at = 0;
    for (int n = nlink - 1; n >= 0; n--) {
        const sn_body_info *info = sn_model_body(r->model, link[n]);
        if (sn__joint_hinges(info) == 1) {
            q[info->q_index] = within_limits(&info->joint, angle[at], start[at]);
            at++;
            continue;
        }
        for (int k = 0; k < 2; k++, at++)
            q[info->q_index + k] = info->joint.limited
                                       ? fmax(info->joint.lower[k], fmin(info->joint.upper[k], angle[at]))
                                       : angle[at];
    }
    for (int n = nlink - 1; n >= 0; n--) {
        const sn_body_info *info = sn_model_body(r->model, link[n]);
        double turn[3], by[4];
        base_of(r, info, r->B + 4 * link[n]);
        for (int d = 0; d < info->nv; d++) {
            for (int k = 0; k < 3; k++)
                turn[k] = q[info->q_index + d] * (d == 0 ? info->joint.axis[k] : info->joint.axis2[k]);
            dquat_exp(turn, by);
            dquat_multiply(r->B + 4 * link[n], by, r->B + 4 * link[n]);
        }
    }
}

/* B of a body as the clip wants it. */
static void find_target(const struct retarget *r, int body, double target[4]) {
    dquat_multiply(r->H, r->G + 4 * r->joint[body], target);
    dquat_multiply(target, r->K + 4 * body, target);
    dquat_normalise(target);
}

static bool is_welded(const sn_model *model, int body) {
    for (; body >= 0; body = sn_model_body(model, body)->parent)
        if (sn_model_body(model, body)->nv > 0) return false;
    return true;
}

void sn__retarget_place(struct retarget *r, int body, const double root[3], double *q, const double *before) {
    const sn_body_info *info = sn_model_body(r->model, body);
    double *own = q + info->q_index, *B = r->B + 4 * body, base[4], target[4], back[4], rest[4], place[3];
    base_of(r, info, base);
    if (r->joint[body] < 0) {
        if (sn__joint_is_free(info)) memcpy(base, own + 3, sizeof base);
        memcpy(B, base, sizeof base);
        return;
    }
    const double *G = r->G + 4 * r->joint[body];
    find_target(r, body, target);
    dquat_multiply(r->fixed, target, target);
    dquat_conjugate(base, back);
    dquat_multiply(back, target, rest);
    if (sn__joint_is_free(info)) {
        dquat_rotate(G, r->shift, place);
        for (int k = 0; k < 3; k++)
            place[k] += r->scale * (root[k] + r->place[3 * r->joint[body] + k]);
        dquat_rotate(r->H, place, own);
        memcpy(own + 3, target, sizeof target);
        memcpy(B, target, sizeof target);
    } else if (sn__joint_is_ball(info)) {
        memcpy(own, rest, sizeof rest);
        memcpy(B, target, sizeof target);
    } else if (sn__joint_hinges(info) > 1 || (sn__joint_hinges(info) && r->group[body] > 0)) {
        place_group(r, body, target, q, before);
    } else if (sn__joint_hinges(info)) {
        own[0] = within_limits(&info->joint, sn__twist_angle(rest, info->joint.axis),
                               before ? before[info->q_index] : 0);
        for (int k = 0; k < 3; k++)
            place[k] = own[0] * info->joint.axis[k];
        dquat_exp(place, rest);
        dquat_multiply(base, rest, B);
    } else {
        memcpy(B, base, sizeof base);
    }
}

static bool carry_over(struct retarget *r) { /* false: out of memory */
    struct sn__limbs *limbs = sn__limbs_create(r);
    const size_t nq = (size_t)sn_model_get(r->model)->nq, n = (size_t)r->clip->njoint;
    const double origin[3] = {0};
    const bool welded = is_welded(r->model, r->root);
    dquat_identity(r->fixed);
    for (size_t k = 0; k < (size_t)r->clip->nframe && limbs; k++) {
        double *q = r->q + k * nq, target[4];
        sn_model_zero_pose(r->model, q);
        sn__clip_globals(r->clip, origin, r->clip->rotation + 4 * n * k, r->place, r->G);
        r->at = r->clip->position + 3 * k;
        if (welded) {
            find_target(r, r->root, target);
            dquat_conjugate(target, target);
            dquat_multiply(r->Z + 4 * r->root, target, r->fixed);
        }
        for (int i = 0; i < r->nbody; i++)
            sn__retarget_place(r, i, r->clip->position + 3 * k, q, k > 0 ? q - nq : NULL);
        sn__limbs_reach(limbs, q, k > 0 ? q - nq : NULL);
    }
    sn__free(limbs);
    return limbs != NULL;
}

/* ---------------------------------------------------------------------------------------------------- all of it */

static bool allocate(struct retarget *r) {
    const size_t n = (size_t)r->nbody, j = (size_t)r->clip->njoint, real = sizeof(double);
    r->joint = sn__alloc(n, sizeof *r->joint);
    r->above = sn__alloc(n, sizeof *r->above);
    r->group = sn__alloc(n, sizeof *r->group);
    r->anchor = sn__alloc(n, 3 * real);
    r->Z = sn__alloc(n, 4 * real);
    r->C = sn__alloc(n, 4 * real);
    r->K = sn__alloc(n, 4 * real);
    r->B = sn__alloc(n, 4 * real);
    r->place = sn__alloc(j, 3 * real);
    r->G = sn__alloc(j, 4 * real);
    r->tip = sn__alloc(n, 3 * real);
    r->beyond = sn__alloc(n, sizeof *r->beyond);
    r->whole = sn__alloc(n, real);
    r->pos = sn__alloc(n, 3 * real);
    r->rot = sn__alloc(n, 4 * real);
    r->q = sn__alloc((size_t)r->clip->nframe, (size_t)sn_model_get(r->model)->nq * real);
    return r->joint && r->above && r->group && r->anchor && r->Z && r->C && r->K && r->B && r->place &&
           r->G && r->q && r->tip && r->beyond && r->whole && r->pos && r->rot;
}

static void release(struct retarget *r) {
    sn__free_all(r->joint, r->above, r->group, r->anchor, r->Z, r->C, r->K, r->B, r->place, r->G, r->q,
                 r->tip, r->beyond, r->whole, r->pos, r->rot);
}

/* What the motion remembers of how it was made; false: out of memory. */
static bool keep(sn_motion *motion, const struct retarget *r, double apart) {
    struct sn__carried how = {.joint = r->joint, .K = r->K, .scale = r->scale, .root = r->root};
    memcpy(how.H, r->H, sizeof how.H);
    memcpy(how.shift, r->shift, sizeof how.shift);
    struct sn__carried *carried = sn__carried_create(r->clip, r->nbody, &how);
    if (carried) sn__motion_keep(motion, carried);
    return carried && sn__motion_of_clip(motion, apart);
}

sn_motion *sn_motion_create(const sn_clip *clip, const sn_model *model, const char *map, sn_error *error) {
    if (!clip || !model) {
        sn__fail(error, SN_ERROR_ARGUMENT, "there is no clip or no model");
        return NULL;
    }
    struct retarget r = {.clip = &clip->def, .model = model, .nbody = sn_model_get(model)->nbody};
    sn_motion *motion = NULL;
    sn_status status = SN_ERROR_MEMORY;
    if (allocate(&r)) status = sn__map_find(r.clip, model, map, r.joint, error);
    if (status == SN_OK) {
        survey_model(&r);
        if (r.root < 0) status = sn__fail(error, SN_ERROR_ARGUMENT, "the map names no body");
    }
    if (status == SN_OK) {
        choose_reference(&r);
        if (!carry_over(&r)) status = SN_ERROR_MEMORY;
    }
    if (status == SN_OK) {
        const double apart = sn__retarget_apart(&r);
        motion = sn_motion_from_poses(model, clip->def.nframe, clip->time, r.q, clip->def.loop, error);
        if (motion && !keep(motion, &r, apart)) {
            sn_motion_free(motion);
            motion = NULL;
            status = SN_ERROR_MEMORY;
        }
    }
    if (status == SN_ERROR_MEMORY) sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    release(&r);
    return motion;
}
