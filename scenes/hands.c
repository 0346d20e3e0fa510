#include "hands.h"

#include "shapes.h"

#include <stdio.h>
#include <string.h>

enum { FINGERS = 5, LINKS = 3 };

/* Of the left hand, in the forearm's frame: the fingers hang down from the palm, side by side from back to front; the thumb
   stands in front. X is forward, z up. */
static const double knuckle_at[FINGERS][3] = {
    {-0.03, 0, -0.295}, {-0.01, 0, -0.3}, {0.01, 0, -0.3}, {0.03, 0, -0.295}, {0.04, 0, -0.26}};
static const double length[LINKS] = {0.045, 0.028, 0.022}, share[LINKS] = {1, 0.6, 0.3}, radius = 0.008;

struct hands hands_default(void) {
    return (struct hands){SN_JOINT_BALL, SN_JOINT_HINGE, 0.02, 0};
}

/* A finger bends one way, by 90 degrees or so; a ball's cone is half as wide. */
static sn_joint_def finger_joint(sn_joint_type type, double damping) {
    sn_joint_def joint = sn_joint_def_default(type);
    joint.limited = true, joint.damping = damping;
    joint.lower[0] = type == SN_JOINT_BALL ? -0.2 : -1.6, joint.upper[0] = type == SN_JOINT_BALL ? 0.2 : 0.1;
    joint.lower[1] = type == SN_JOINT_UNIVERSAL ? -0.3 : 0;
    joint.upper[1] = type == SN_JOINT_UNIVERSAL ? 0.3 : 0.9;
    if (type != SN_JOINT_BALL) joint.axis[1] = 1, joint.axis[2] = 0; /* y; a ball twists about z */
    return joint;
}

static void add_finger(sn_builder *builder, const struct hands *hands, const char *side, int finger) {
    char name[32], parent[32];
    snprintf(parent, sizeof parent, "%s_forearm", side);
    for (int i = 0; i < LINKS; i++) {
        sn_body_def body = sn_body_def_default();
        snprintf(name, sizeof name, "%s_finger%d%c", side, finger, 'a' + i);
        body.name = name, body.parent = parent;
        if (i)
            body.pos[2] = -length[i - 1];
        else
            memcpy(body.pos, knuckle_at[finger], sizeof body.pos);
        body.joint = finger_joint(i ? hands->others : hands->knuckle, hands->damping);
        sn_builder_add_body(builder, &body);
        sn_shape_def shape = capsule_of(radius, 0.5 * length[i] - radius, share[i] * hands->mass);
        shape.pos[2] = -0.5 * length[i];
        sn_builder_add_shape(builder, name, &shape);
        memcpy(parent, name, sizeof parent);
    }
}

/* All bodies and shapes of another model. */
static void add_model(sn_builder *builder, const sn_model *model) {
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *info = sn_model_body(model, i);
        sn_body_def body = sn_body_def_default();
        body.name = info->name, body.joint = info->joint;
        if (info->parent >= 0) body.parent = sn_model_body(model, info->parent)->name;
        memcpy(body.pos, info->pos, sizeof body.pos);
        memcpy(body.rot, info->rot, sizeof body.rot);
        sn_builder_add_body(builder, &body);
        for (int k = info->first_shape; k < info->first_shape + info->nshape; k++)
            sn_builder_add_shape(builder, info->name, (&sn_model_get(model)->shape[k]));
    }
}

sn_model *hands_model(const struct hands *hands, sn_error *error) {
    sn_model *body = sn_builtin_create("humanoid", error);
    sn_builder *builder = body ? sn_builder_create() : NULL;
    if (!builder) {
        sn_model_free(body);
        return NULL;
    }
    add_model(builder, body);
    sn_model_free(body);
    for (int finger = 0; finger < FINGERS; finger++) {
        add_finger(builder, hands, "right", finger);
        add_finger(builder, hands, "left", finger);
    }
    sn_model *model = sn_builder_build(builder, error);
    sn_builder_free(builder);
    return model;
}
