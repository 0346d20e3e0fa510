/* The model in the form the kernels read: constants about each joint's anchor, the walk, and the slots. */
#include "base/memory.h"
#include "base/quat.h"
#include "model/inertia.h"
#include "model/joint.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- constants */

/* Its axes, in the order of q, and the kernels' name for all of them together. */
static void compile_joint(const sn_body_info *body, struct tree_body_f64 *out) {
    const sn_joint_def *joint = &body->joint;
    const struct joint_kind *kind = &sn__joint_kind[joint->type];
    out->nv = kind->nv;
    out->naxes = kind->naxes;
    out->nslide = sn__joint_nslide(body);
    for (int k = 0; k < kind->naxes; k++) {
        const enum joint_way way = kind->axis[k].way;
        out->way[k] = way == JOINT_SLIDES ? SN__SLIDES : way == JOINT_SCREWS ? SN__SCREWS : SN__TURNS;
        out->pitch[k] = sn__joint_pitch(joint, k);
        sn__joint_axis(joint, k, out->axis[k]);
    }
    if (kind->quaternion >= 0) {
        out->joint = kind->quaternion > 0 ? SN__JOINT_FREE : SN__JOINT_BALL;
        memcpy(out->axis[0], joint->axis, sizeof out->axis[0]);
    } else {
        out->joint = kind->naxes == 1 && out->way[0] == SN__TURNS ? SN__JOINT_HINGE : SN__JOINT_AXES;
    }
}

static void compile_body(const sn_model *model, int index, struct tree_body_f64 *out) {
    static const double world[3] = {0, 0, 0};
    const sn_body_info *body = &model->body[index];
    const double *anchor = body->joint.anchor;
    const double *parent_anchor = body->parent >= 0 ? model->body[body->parent].joint.anchor : world;
    double turned[3], arm[3];

    out->parent = body->parent;
    compile_joint(body, out);
    out->q = body->q_index;
    out->v = body->v_index;
    out->has_spring = body->nv > 0 && body->joint.stiffness > 0;
    out->stiffness = body->joint.stiffness;
    memcpy(out->rest, body->joint.rest, sizeof out->rest);

    out->rotated = body->rot[1] != 0 || body->rot[2] != 0 || body->rot[3] != 0;
    if (out->rotated)
        memcpy(out->rot, body->rot, sizeof out->rot);
    else
        dquat_identity(out->rot);

    /* offset = pos + R anchor - anchor of the parent */
    dquat_rotate(out->rot, anchor, turned);
    for (int i = 0; i < 3; i++) {
        out->offset[i] = body->pos[i] + turned[i] - parent_anchor[i];
        out->origin[i] = 0 - anchor[i]; /* not -anchor, which is -0 for 0 */
        arm[i] = body->com[i] - anchor[i];
        out->mc[i] = body->mass * arm[i];
    }
    out->mass = body->mass;
    out->lift = body->lift;
    memcpy(out->J, body->inertia, sizeof out->J);
    sn__sym_parallel_axis(body->mass, arm, out->J);

    /* products of inertia that are only rounding are dropped */
    const double products = fmax(fabs(out->J[3]), fmax(fabs(out->J[4]), fabs(out->J[5])));
    out->diagonal = products <= 1e-15 * (out->J[0] + out->J[1] + out->J[2]);
    if (out->diagonal) out->J[3] = out->J[4] = out->J[5] = 0;
}

/* -------------------------------------------------------------------------------------------- walk, slots */

/* Depth first: before a body is entered, all that is not above it is left, innermost first. */
static void make_walk(const sn_model *model, struct tree_visit *visit) {
    int n = 0, inside = -1; /* the body the walk is in */
    for (int i = 0; i < model->nbody; i++) {
        for (; inside != model->body[i].parent; inside = model->body[inside].parent)
            visit[n++] = (struct tree_visit){inside, 1};
        visit[n++] = (struct tree_visit){i, 0};
        inside = i;
    }
    for (; inside >= 0; inside = model->body[inside].parent)
        visit[n++] = (struct tree_visit){inside, 1};
}

/* A body has a slot from when its first child is left until it is left itself. On leaving, what the slot
   holds is read before anything is written, so that the parent can take it over there and then; a chain gets
   by with one. Returns the number of slots in use at the worst moment. `unused` has room for nbody. */
static int give_slots(const struct tree_visit *visit, int nbody, struct tree_body_f64 *body, int *unused) {
    int nunused = 0, nslot = 0;
    for (int i = 0; i < nbody; i++)
        body[i].slot = body[i].parent_slot = -1, body[i].leaf = 1;
    for (int i = 0; i < 2 * nbody; i++) {
        if (!visit[i].leaving) continue;
        struct tree_body_f64 *self = &body[visit[i].body];
        if (self->slot >= 0) unused[nunused++] = self->slot;
        if (self->parent < 0) continue;
        struct tree_body_f64 *parent = &body[self->parent];
        self->first = parent->slot < 0;
        if (self->first) parent->slot = nunused > 0 ? unused[--nunused] : nslot++;
        parent->leaf = 0;
        self->parent_slot = parent->slot;
    }
    return nslot;
}

static void link_children(struct tree_body_f64 *body, int nbody) {
    for (int i = 0; i < nbody; i++)
        body[i].child = body[i].sibling = -1;
    for (int i = nbody - 1; i >= 0; i--) {
        if (body[i].parent < 0) continue;
        struct tree_body_f64 *parent = &body[body[i].parent];
        body[i].sibling = parent->child;
        parent->child = i;
    }
}

/* ------------------------------------------------------------------------------------------------- floats */

static void to_float(const double *from, float *to, int n) {
    for (int i = 0; i < n; i++)
        to[i] = (float)from[i];
}

static void round_body(const struct tree_body_f64 *from, struct tree_body_f32 *to) {
    to->parent = from->parent;
    to->joint = from->joint;
    to->naxes = from->naxes, to->nslide = from->nslide;
    memcpy(to->way, from->way, sizeof to->way);
    to->q = from->q, to->v = from->v, to->nv = from->nv;
    to->rotated = from->rotated;
    to->leaf = from->leaf;
    to->child = from->child, to->sibling = from->sibling;
    to->slot = from->slot, to->parent_slot = from->parent_slot;
    to->first = from->first;
    to->diagonal = from->diagonal;
    to->has_spring = from->has_spring;
    to_float(from->offset, to->offset, 3);
    to_float(from->rot, to->rot, 4);
    to_float(from->axis[0], to->axis[0], 9);
    to_float(from->pitch, to->pitch, 3);
    to_float(&from->mass, &to->mass, 1);
    to_float(from->mc, to->mc, 3);
    to_float(from->J, to->J, 6);
    to_float(from->origin, to->origin, 3);
    to_float(&from->stiffness, &to->stiffness, 1);
    to_float(from->rest, to->rest, 4);
    to_float(&from->lift, &to->lift, 1);
}

/* ----------------------------------------------------------------------------------------------- together */

static void fill_gains(sn_model *model) {
    for (int i = 0; i < model->nbody; i++) {
        const sn_body_info *body = &model->body[i];
        for (int v = body->v_index; v < body->v_index + body->nv; v++)
            model->kp[v] = body->joint.kp, model->kd[v] = body->joint.kd;
    }
}

_Static_assert(offsetof(sn_model, constraint) == offsetof(sn_model, info.constraint),
               "both have the same members");

sn_status sn__model_compile(sn_model *model) {
    int nbody = model->nbody;
    struct tree_body_f64 *body = sn__alloc_aligned((size_t)nbody * sizeof *body);
    struct tree_body_f32 *rounded = sn__alloc_aligned((size_t)nbody * sizeof *rounded);
    struct tree_visit *visit = sn__alloc_aligned(2 * (size_t)nbody * sizeof *visit);
    int *unused = sn__alloc((size_t)nbody, sizeof *unused);
    /* dof_parent is the model's; both trees share it and the walk. */
    model->tree_f64 = (struct tree_f64){nbody, model->nq, model->nv, 0, body, visit, model->dof_parent};
    model->tree_f32 = (struct tree_f32){nbody, model->nq, model->nv, 0, rounded, visit, model->dof_parent};
    model->kp = sn__alloc((size_t)model->nv + 1, sizeof *model->kp);
    model->kd = sn__alloc((size_t)model->nv + 1, sizeof *model->kd);
    if (!body || !rounded || !visit || !unused || !model->kp || !model->kd) {
        sn__free(unused);
        sn__model_release_compiled(model);
        return SN_ERROR_MEMORY;
    }
    for (int i = 0; i < nbody; i++)
        compile_body(model, i, &body[i]);
    make_walk(model, visit);
    link_children(body, nbody);
    model->tree_f64.nslot = model->tree_f32.nslot = give_slots(visit, nbody, body, unused);
    for (int i = 0; i < nbody; i++)
        round_body(&body[i], &rounded[i]);
    fill_gains(model);
    sn__free(unused);
    return SN_OK;
}

void sn__model_release_compiled(sn_model *model) {
    sn__free((void *)model->tree_f64.body);
    sn__free((void *)model->tree_f32.body);
    sn__free((void *)model->tree_f64.visit);
    sn__free(model->kp);
    sn__free(model->kd);
    model->kp = model->kd = NULL;
    model->tree_f64 = (struct tree_f64){0};
    model->tree_f32 = (struct tree_f32){0};
}
