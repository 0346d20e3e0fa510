/* A small tree for the tests of models. */
#ifndef SINEW_TESTS_BRANCH_MODEL_H
#define SINEW_TESTS_BRANCH_MODEL_H

#include "model_helpers.h"

/* A tree with every joint type, with anchors and turned frames; in the given order of adding. */
static const struct {
    const char *name, *parent;
    sn_joint_type type;
} branch[] = {
    {"trunk", NULL, SN_JOINT_FREE},     {"arm", "trunk", SN_JOINT_BALL},      {"hand", "arm", SN_JOINT_WELD},
    {"finger", "hand", SN_JOINT_HINGE}, {"leg", "trunk", SN_JOINT_UNIVERSAL}, {"foot", "leg", SN_JOINT_SLIDE},
};

static inline sn_model *branch_model(const int *order) {
    sn_builder *builder = sn_builder_create();
    for (int k = 0; k < COUNT(branch); k++) {
        int i = order[k];
        sn_body_def body = body_with(branch[i].name, branch[i].parent, branch[i].type);
        sn_shape_def shape = shape_with(SN_SHAPE_SPHERE);
        body.pos[0] = 0.1 * i, body.pos[1] = 0.2, body.pos[2] = -0.3;
        body.rot[1] = 0.3 * i;
        if (branch[i].type != SN_JOINT_FREE) body.joint.anchor[1] = 0.1 * (i + 1);
        body.joint.armature = 0.01 * i;
        body.joint.damping = 0.1 * i;
        body.joint.stiffness = branch[i].type == SN_JOINT_FREE ? 0 : i;
        body.joint.torque_limit = i == 4 ? 50 : (double)INFINITY;
        sn_builder_add_body(builder, &body);
        shape.size[0] = 1 + i;
        sn_builder_add_shape(builder, branch[i].name, &shape);
        shape.size[0] = 10 + i;
        sn_builder_add_shape(builder, branch[i].name, &shape);
    }
    return build_and_free(builder);
}

static const int in_order[] = {0, 1, 2, 3, 4, 5};

#endif
