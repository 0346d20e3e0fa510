#include "creatures.h"

#include "shapes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* A capsule of its own body from a to b. */
static void add_bone(sn_builder *builder, const char *body, const double a[3], const double b[3],
                     double radius, double mass) {
    double along[3], length = 0;
    for (int k = 0; k < 3; k++)
        along[k] = b[k] - a[k], length += along[k] * along[k];
    length = sqrt(length);
    sn_shape_def shape = capsule_of(radius, 0.5 * length, mass);
    for (int k = 0; k < 3; k++)
        shape.pos[k] = 0.5 * (a[k] + b[k]);
    const double w = 1 + along[2] / length,
                 size = sqrt(w * w + (along[0] * along[0] + along[1] * along[1]) / (length * length));
    shape.rot[0] = w / size; /* from z to along */
    shape.rot[1] = -along[1] / length / size;
    shape.rot[2] = along[0] / length / size;
    shape.rot[3] = 0;
    sn_builder_add_shape(builder, body, &shape);
}

static sn_model *finish(sn_builder *builder, sn_error *error) {
    sn_model *model = sn_builder_build(builder, error);
    sn_builder_free(builder);
    return model;
}

void creature_gains(const sn_model *model, double kp, double kd, double *gain_p, double *gain_d) {
    for (int v = 0; v < sn_model_get(model)->nv; v++) {
        gain_p[v] = v < 6 ? 0 : kp;
        gain_d[v] = v < 6 ? 0 : kd;
    }
}

/* ---------------------------------------------------------------------------------------------------- swimmer */

enum { SWIMMER_LINKS = 4 };

sn_model *swimmer_model(sn_error *error) {
    const double length = 0.3, front[3] = {0, 0, 0}, back[3] = {-length, 0, 0};
    sn_builder *builder = sn_builder_create();
    if (!builder) return NULL;
    for (int i = 0; i < SWIMMER_LINKS; i++) {
        char name[16], parent[16];
        sn_body_def body = chain_link(i, name, parent);
        body.pos[0] = i ? -length : 0, body.pos[1] = body.pos[2] = 0;
        body.joint = sn_joint_def_default(i ? SN_JOINT_HINGE : SN_JOINT_FREE);
        memcpy(body.joint.axis, (const double[3]){0, 0, 1}, sizeof body.joint.axis);
        sn_builder_add_body(builder, &body);
        add_bone(builder, name, front, back, 0.03, 1);
    }
    return finish(builder, error);
}

void swimmer_gait(const sn_model *model, double time, double *q, double *qd) {
    const double swing = 0.8, rate = 2 * pi, lag = 0.35 * pi;
    sn_model_zero_pose(model, q);
    memset(qd, 0, (size_t)sn_model_get(model)->nv * sizeof *qd);
    for (int i = 1; i < SWIMMER_LINKS; i++) {
        q[6 + i] = swing * sin(rate * time - lag * i);
        qd[5 + i] = swing * rate * cos(rate * time - lag * i);
    }
}

/* ----------------------------------------------------------------------------------------------------- spider */

static const char *const leg_names[SPIDER_LEGS] = {"front_left", "front_right", "hind_left", "hind_right"};
static const double knee_at[3] = {0, 0.22, 0.08}, tip_at[3] = {0, 0.12, -0.38}; /* on the left */

static double side_of(int leg) { /* 1 on the left */
    return leg % 2 ? -1 : 1;
}

static void add_leg(sn_builder *builder, int leg) {
    const double side = side_of(leg), zero[3] = {0, 0, 0};
    const double knee[3] = {knee_at[0], side * knee_at[1], knee_at[2]},
                 tip[3] = {tip_at[0], side * tip_at[1], tip_at[2]};
    char thigh[32], shin[32];
    snprintf(thigh, sizeof thigh, "%s_thigh", leg_names[leg]);
    snprintf(shin, sizeof shin, "%s_shin", leg_names[leg]);
    sn_body_def body = sn_body_def_default();
    body.name = thigh;
    body.parent = "trunk";
    body.pos[0] = leg < 2 ? 0.18 : -0.18;
    body.pos[1] = side * 0.08;
    body.joint =
        sn_joint_def_default(SN_JOINT_UNIVERSAL); /* forward, then up: the same signs on both sides */
    memcpy(body.joint.axis, (const double[3]){0, 0, -side}, sizeof body.joint.axis);
    memcpy(body.joint.axis2, (const double[3]){side, 0, 0}, sizeof body.joint.axis2);
    sn_builder_add_body(builder, &body);
    add_bone(builder, thigh, zero, knee, 0.025, 0.3);
    body = sn_body_def_default();
    body.name = shin;
    body.parent = thigh;
    memcpy(body.pos, knee, sizeof knee);
    body.joint = sn_joint_def_default(SN_JOINT_HINGE);
    memcpy(body.joint.axis, (const double[3]){side, 0, 0}, sizeof body.joint.axis);
    sn_builder_add_body(builder, &body);
    add_bone(builder, shin, zero, tip, 0.02, 0.2);
}

sn_model *spider_model(sn_error *error) {
    sn_builder *builder = sn_builder_create();
    if (!builder) return NULL;
    sn_body_def body = sn_body_def_default();
    const sn_shape_def trunk = box_of(0.2, 0.1, 0.05, 4);
    body.name = "trunk";
    body.joint = sn_joint_def_default(SN_JOINT_FREE);
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "trunk", &trunk);
    for (int leg = 0; leg < SPIDER_LEGS; leg++)
        add_leg(builder, leg);
    return finish(builder, error);
}

void spider_gait(const sn_model *model, double time, double *q, double *qd) {
    const double rate = 2 * pi * 1.5, sweep = 0.3, lift = 0.25;
    sn_model_zero_pose(model, q);
    memset(qd, 0, (size_t)sn_model_get(model)->nv * sizeof *qd);
    q[2] = -(knee_at[2] + tip_at[2]);
    for (int leg = 0; leg < SPIDER_LEGS; leg++) {
        char name[32];
        snprintf(name, sizeof name, "%s_thigh", leg_names[leg]);
        const sn_body_info *hip = sn_model_body(model, sn_model_find_body(model, name));
        const double phase = rate * time + (leg == 0 || leg == 3 ? 0 : pi), up = fmax(0, cos(phase));
        q[hip->q_index] = sweep * sin(phase); /* forward while it is up */
        qd[hip->v_index] = sweep * rate * cos(phase);
        q[hip->q_index + 1] = lift * up;
        qd[hip->v_index + 1] = up > 0 ? -lift * rate * sin(phase) : 0;
    }
}

void spider_feet(const sn_model *model, int body[SPIDER_LEGS], double *point) {
    for (int leg = 0; leg < SPIDER_LEGS; leg++) {
        char name[32];
        snprintf(name, sizeof name, "%s_shin", leg_names[leg]);
        body[leg] = sn_model_find_body(model, name);
        memcpy(point + 3 * leg, (const double[3]){tip_at[0], side_of(leg) * tip_at[1], tip_at[2]},
               3 * sizeof *point);
    }
}
