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
    /*                      name         q  v  axes limits quaternion */
    [SN_JOINT_WELD]      = {"weld",      0, 0, 0,    0,     -1},
    [SN_JOINT_HINGE]     = {"hinge",     1, 1, 1,    1,     -1},
    [SN_JOINT_SLIDE]     = {"slide",     1, 1, 1,    1,     -1},
    [SN_JOINT_UNIVERSAL] = {"universal", 2, 2, 2,    2,     -1},
    [SN_JOINT_BALL]      = {"ball",      4, 3, 1,    1,     0},
    [SN_JOINT_FREE]      = {"free",      7, 6, 0,    0,     3},
    /* clang-format on */
};

void sn_model_free(sn_model *model) {
    if (!model) return;
    sn__model_release_compiled(model);
    for (int i = 0; i < model->nshape && model->shape; i++)
        sn_hull_free((sn_hull *)model->shape[i].hull);
    sn__free_all(model->body, model->shape, model->exclusion, model->names, model->dof_parent,
                 model->armature, model->damping, model->stiffness, model->torque_limit, model);
}

int sn_model_nbody(const sn_model *model) {
    return model->nbody;
}

int sn_model_nq(const sn_model *model) {
    return model->nq;
}

int sn_model_nv(const sn_model *model) {
    return model->nv;
}

int sn_model_depth(const sn_model *model) {
    return model->depth;
}

double sn_model_mass(const sn_model *model) {
    return model->mass;
}

int sn_model_find_body(const sn_model *model, const char *name) {
    for (int i = 0; name && i < model->nbody; i++)
        if (strcmp(model->body[i].name, name) == 0) return i;
    return -1;
}

const sn_body_info *sn_model_body(const sn_model *model, int index) {
    return index >= 0 && index < model->nbody ? &model->body[index] : NULL;
}

int sn_model_nshape(const sn_model *model) {
    return model->nshape;
}

const sn_shape_def *sn_model_shape(const sn_model *model, int index) {
    return index >= 0 && index < model->nshape ? &model->shape[index] : NULL;
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
        if (body->joint.type == SN_JOINT_BALL) own[0] = 1;
        if (body->joint.type == SN_JOINT_FREE) {
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
        const int turn = body->joint.type == SN_JOINT_FREE ? 3 : 0; /* where a quaternion starts */
        if (body->nq >= 4) memcpy(before, own + turn, sizeof before);
        memcpy(own, body->joint.home, sizeof *own * (size_t)body->nq);
        if (body->nq >= 4 && !dquat_normalise(own + turn)) memcpy(own + turn, before, sizeof before);
    }
}

void sn_model_gains(const sn_model *model, double *kp, double *kd) {
    for (int i = 0; i < model->nbody; i++) {
        const sn_body_info *body = &model->body[i];
        for (int v = body->v_index; v < body->v_index + body->nv; v++)
            kp[v] = body->joint.kp, kd[v] = body->joint.kd;
    }
}
