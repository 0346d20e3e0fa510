#include "trees.h"

#include "shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From low to high. */
static double chance(uint64_t *state, double low, double high) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(*state >> 11) * 0x1p-53;
}

static void random_direction(uint64_t *state, double v[3]) {
    double square;
    do {
        square = 0;
        for (int k = 0; k < 3; k++)
            v[k] = chance(state, -1, 1), square += v[k] * v[k];
    } while (square > 1 || square < 0.01);
    for (int k = 0; k < 3; k++)
        v[k] /= sqrt(square);
}

static sn_joint_def random_joint(const struct random_tree *tree, bool root, uint64_t *state) {
    static const sn_joint_type some[3] = {SN_JOINT_HINGE, SN_JOINT_UNIVERSAL, SN_JOINT_BALL};
    sn_joint_type type = tree->joint == SN_JOINT_FREE ? some[(int)chance(state, 0, 2.999)] : tree->joint;
    if (root && tree->free_root) type = SN_JOINT_FREE;
    sn_joint_def joint = sn_joint_def_default(type);
    for (int k = 0; k < 3 && type != SN_JOINT_FREE; k++)
        joint.anchor[k] = chance(state, -0.1, 0.1);
    double dot;
    do { /* 60 to 120 degrees apart */
        random_direction(state, joint.axis);
        random_direction(state, joint.axis2);
        dot = 0;
        for (int k = 0; k < 3; k++)
            dot += joint.axis[k] * joint.axis2[k];
    } while (fabs(dot) > 0.5);
    return joint;
}

sn_model *scene_random_tree(const struct random_tree *tree, uint64_t seed, sn_error *error) {
    uint64_t state = seed * 77 + 5;
    sn_builder *builder = sn_builder_create();
    for (int i = 0; i < tree->bodies; i++) {
        char name[16], parent[16];
        snprintf(name, sizeof name, "body%d", i);
        snprintf(parent, sizeof parent, "body%d", tree->chain ? i - 1 : (int)chance(&state, 0, i - 0.001));
        sn_body_def body = sn_body_def_default();
        body.name = name;
        body.parent = i ? parent : NULL;
        for (int k = 0; k < 3; k++)
            body.pos[k] = chance(&state, -0.2, 0.2), body.rot[1 + k] = chance(&state, -1, 1);
        body.joint = random_joint(tree, i == 0, &state);
        sn_builder_add_body(builder, &body);
        sn_shape_def box = box_of(chance(&state, 0.05, 0.15), chance(&state, 0.05, 0.15),
                                  chance(&state, 0.05, 0.15), chance(&state, 0.5, 2));
        for (int k = 0; k < 3; k++)
            box.pos[k] = chance(&state, -0.1, 0.1), box.rot[1 + k] = chance(&state, -1, 1);
        sn_builder_add_shape(builder, name, &box);
    }
    sn_model *model = sn_builder_build(builder, error);
    sn_builder_free(builder);
    return model;
}

void scene_random_state(const sn_model *model, double reach, double speed, uint64_t seed, double *q,
                        double *qd) {
    uint64_t state = seed * 1001 + 17;
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv;
    double *zero = malloc((size_t)nq * sizeof *zero);
    if (!zero) return;
    for (int v = 0; v < nv; v++)
        qd[v] = chance(&state, -reach, reach);
    sn_model_zero_pose(model, zero);
    sn_model_pose_add(model, 1, zero, qd, q);
    for (int v = 0; v < nv; v++)
        qd[v] = chance(&state, -speed, speed);
    free(zero);
}
