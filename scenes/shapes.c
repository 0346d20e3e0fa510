#include "shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sn_shape_def sphere_of(double radius, double mass) {
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_SPHERE);
    shape.size[0] = radius;
    shape.mass = mass;
    return shape;
}

sn_shape_def capsule_of(double radius, double half_length, double mass) {
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_CAPSULE);
    shape.size[0] = radius, shape.size[1] = half_length;
    shape.mass = mass;
    return shape;
}

sn_shape_def box_of(double x, double y, double z, double mass) {
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_BOX);
    shape.size[0] = x, shape.size[1] = y, shape.size[2] = z;
    shape.mass = mass;
    return shape;
}

sn_shape_def material_of(double friction, double restitution) {
    sn_shape_def material = sn_shape_def_default(SN_SHAPE_BOX);
    material.friction = friction;
    material.restitution = restitution;
    return material;
}

sn_model *one_body_model(const char *name, const sn_joint_def *joint, const sn_shape_def *shape,
                         sn_error *error) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    body.name = name;
    body.joint = *joint;
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, name, shape);
    sn_model *model = sn_builder_build(builder, error);
    sn_builder_free(builder);
    return model;
}

sn_model *scene_body_model(const sn_shape_def *shape, sn_error *error) {
    const sn_joint_def joint = sn_joint_def_default(SN_JOINT_FREE);
    return one_body_model("body", &joint, shape, error);
}

sn_body_def chain_link(int i, char name[16], char parent[16]) {
    sn_body_def body = sn_body_def_default();
    snprintf(name, 16, "link%d", i);
    snprintf(parent, 16, "link%d", i - 1);
    body.name = name;
    body.parent = i ? parent : NULL;
    return body;
}

sn_model *scene_chain_model(int links, sn_joint_type joint, bool free_root, sn_error *error) {
    sn_builder *builder = sn_builder_create();
    sn_shape_def shape = capsule_of(0.03, 0.07, 0.5);
    shape.pos[2] = -0.1; /* the joint is at the upper end */
    for (int i = 0; i < links; i++) {
        char name[16], parent[16];
        sn_body_def body = chain_link(i, name, parent);
        body.pos[2] = i ? -0.2 : 0;
        body.joint = sn_joint_def_default(i == 0 && free_root ? SN_JOINT_FREE : joint);
        if (joint == SN_JOINT_HINGE) body.joint.axis[1] = 1, body.joint.axis[2] = 0;
        sn_builder_add_body(builder, &body);
        sn_builder_add_shape(builder, name, &shape);
    }
    sn_model *model = sn_builder_build(builder, error);
    sn_builder_free(builder);
    return model;
}

sn_model *scene_rods_model(const struct rods *rods, sn_error *error) {
    const double l = rods->length, r = rods->radius, mass = 1000 * 3.14159265358979323846 * r * r * l;
    sn_builder *builder = sn_builder_create();
    for (int i = 0; i < rods->count; i++) {
        char name[16], parent[16];
        sn_body_def body = chain_link(i, name, parent);
        body.pos[0] = i ? l : 0;
        body.joint = sn_joint_def_default(i == 0 && rods->free_root ? SN_JOINT_FREE : rods->joint);
        if (rods->joint == SN_JOINT_UNIVERSAL) {
            memcpy(body.joint.axis, (const double[3]){0, 1, 0}, sizeof body.joint.axis);
            memcpy(body.joint.axis2, (const double[3]){0, 0, 1}, sizeof body.joint.axis2);
        }
        body.mass_given = true;
        body.mass = mass;
        body.com[0] = 0.5 * l;
        body.inertia[0] = 0.5 * mass * r * r;
        body.inertia[1] = body.inertia[2] = mass * (3 * r * r + l * l) / 12;
        sn_builder_add_body(builder, &body);
    }
    sn_model *model = sn_builder_build(builder, error);
    sn_builder_free(builder);
    return model;
}

bool scene_rods_bend(const sn_model *model, double angle, double *q) {
    double *turn = calloc((size_t)sn_model_get(model)->nv + 1, sizeof *turn);
    if (!turn) return false;
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *b = sn_model_body(model, i);
        if (b->joint.type == SN_JOINT_FREE) continue;
        const int v = b->v_index + (b->joint.type == SN_JOINT_BALL); /* not about itself */
        turn[v] = angle;
        if (b->nv > 1) turn[v + 1] = -0.5 * angle;
    }
    sn_model_zero_pose(model, q);
    sn_model_pose_add(model, 1, q, turn, q);
    free(turn);
    return true;
}
