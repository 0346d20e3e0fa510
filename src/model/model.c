/* Reading a finished model. */
#include "model/model.h"

#include "base/memory.h"
#include "base/quat.h"
#include "model/hull.h"
#include "model/joint.h"

#include <stdlib.h>
#include <string.h>

const struct joint_kind sn__joint_kind[SN_JOINT_TYPE_COUNT] = {
    /* clang-format off */
    /*                      name         q  v  directions limits quaternion axes */
    [SN_JOINT_WELD]      = {"weld",      0, 0, 0,         0,     -1,        0, {{0}}},
    [SN_JOINT_HINGE]     = {"hinge",     1, 1, 1,         1,     -1,        1, {{JOINT_TURNS, JOINT_AXIS}}},
    [SN_JOINT_SLIDE]     = {"slide",     1, 1, 1,         1,     -1,        1, {{JOINT_SLIDES, JOINT_AXIS}}},
    [SN_JOINT_UNIVERSAL] = {"universal", 2, 2, 2,         2,     -1,        2,
                            {{JOINT_TURNS, JOINT_AXIS}, {JOINT_TURNS, JOINT_AXIS2}}},
    [SN_JOINT_BALL]      = {"ball",      4, 3, 1,         1,      0,        0, {{0}}},
    [SN_JOINT_PLANAR]    = {"planar",    3, 3, 2,         3,     -1,        3,
                            {{JOINT_SLIDES, JOINT_AXIS2}, {JOINT_SLIDES, JOINT_ACROSS}, {JOINT_TURNS, JOINT_AXIS}}},
    [SN_JOINT_CYLINDRICAL] = {"cylindrical", 2, 2, 1,     2,     -1,        2,
                            {{JOINT_SLIDES, JOINT_AXIS}, {JOINT_TURNS, JOINT_AXIS}}},
    [SN_JOINT_SCREW]     = {"screw",     1, 1, 1,         1,     -1,        1, {{JOINT_SCREWS, JOINT_AXIS}}},
    [SN_JOINT_FREE]      = {"free",      7, 6, 0,         0,      3,        0, {{0}}},
    /* clang-format on */
};

void sn__joint_axis(const sn_joint_def *joint, int k, double axis[3]) {
    const enum joint_along along = sn__joint_kind[joint->type].axis[k].along;
    if (along == JOINT_ACROSS)
        dvec_cross(joint->axis, joint->axis2, axis);
    else
        memcpy(axis, along == JOINT_AXIS ? joint->axis : joint->axis2, sizeof joint->axis);
}

double sn__joint_pitch(const sn_joint_def *joint, int k) {
    const enum joint_way way = sn__joint_kind[joint->type].axis[k].way;
    return way == JOINT_SCREWS ? joint->pitch : way == JOINT_SLIDES ? 1 : 0;
}

int sn__joint_hinges(const sn_body_info *body) {
    const struct joint_kind *kind = &sn__joint_kind[body->joint.type];
    for (int k = 0; k < kind->naxes; k++)
        if (kind->axis[k].way != JOINT_TURNS) return 0;
    return kind->naxes;
}

int sn__joint_nslide(const sn_body_info *body) {
    const struct joint_kind *kind = &sn__joint_kind[body->joint.type];
    int n = kind->quaternion > 0 ? kind->quaternion : 0;
    while (n < kind->naxes && kind->axis[n].way == JOINT_SLIDES)
        n++;
    return n;
}

void sn_model_free(sn_model *model) {
    if (!model) return;
    sn__model_release_compiled(model);
    for (int i = 0; i < model->nshape && model->shape; i++)
        sn_hull_free((sn_hull *)model->shape[i].hull);
    sn__free_all(model->body, model->shape, model->exclusion, model->constraint, model->names,
                 model->dof_parent, model->armature, model->damping, model->stiffness, model->torque_limit,
                 model);
}

const sn_model_info *sn_model_get(const sn_model *model) {
    return &model->info;
}

int sn__model_find_body(const sn_model *model, const char *name) {
    for (int i = 0; name && i < model->nbody; i++)
        if (strcmp(model->body[i].name, name) == 0) return i;
    return -1;
}

int sn_model_find_body(const sn_model *model, const char *name) {
    const int body = sn__model_find_body(model, name);
    for (int i = 0; body < 0 && name && name[0] && i < model->nbody; i++)
        if (strcmp(model->body[i].joint.name, name) == 0) return i;
    return body;
}

const sn_body_info *sn_model_body(const sn_model *model, int index) {
    return index >= 0 && index < model->nbody ? &model->body[index] : NULL;
}

int sn__exclusion_compare(const void *one, const void *two) {
    const struct exclusion *x = one, *y = two;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

bool sn__model_excluded(const sn_model *model, int body1, int body2) {
    struct exclusion pair = {body1 < body2 ? body1 : body2, body1 < body2 ? body2 : body1};
    return model->nexclusion > 0 && bsearch(&pair, model->exclusion, (size_t)model->nexclusion, sizeof pair,
                                            sn__exclusion_compare) != NULL;
}

/* Zeros and identity quaternions. A free joint's q is its place in the world, so that a free body is put
   where its definition has it. */
void sn_model_zero_pose(const sn_model *model, double *q) {
    for (int i = 0; i < model->nq; i++)
        q[i] = 0;
    for (int i = 0; i < model->nbody; i++) {
        const sn_body_info *body = &model->body[i];
        double *own = q + body->q_index;
        if (sn__joint_is_ball(body)) own[0] = 1;
        if (sn__joint_is_free(body)) {
            memcpy(own, body->pos, sizeof body->pos);
            memcpy(own + 3, body->rot, sizeof body->rot);
        }
    }
}

void sn_model_home_pose(const sn_model *model, double *q) {
    sn_model_zero_pose(model, q);
    for (int i = 0; i < model->nbody; i++) {
        const sn_body_info *body = &model->body[i];
        if (!body->joint.home_given) continue;
        double *own = q + body->q_index, before[4];
        const int turn = sn__joint_quaternion(body);
        if (turn >= 0) memcpy(before, own + turn, sizeof before);
        memcpy(own, body->joint.home, sizeof *own * (size_t)body->nq);
        if (turn >= 0 && !dquat_normalise(own + turn)) memcpy(own + turn, before, sizeof before);
    }
}
