#include "stage.h"

#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct stage_def stage_def_default(void) {
    return (struct stage_def){.world = sn_world_def_default(), .kp = 1000, .kd = 100, .friction = 1};
}

/* Third row of the rotation matrix of a quaternion: the heights of the turned axes. */
static void axes_heights(const double r[4], double z[3]) {
    z[0] = 2 * (r[1] * r[3] - r[0] * r[2]);
    z[1] = 2 * (r[2] * r[3] + r[0] * r[1]);
    z[2] = 1 - 2 * (r[1] * r[1] + r[2] * r[2]);
}

static void multiply(const double a[4], const double b[4], double c[4]) {
    c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    c[2] = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
    c[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
}

/* How far a shape reaches below its centre: its support function along -z. */
static double reach_below(const sn_shape_def *shape, const double z[3]) {
    const double *s = shape->size;
    switch (shape->type) {
    case SN_SHAPE_CAPSULE:
        return s[0] + s[1] * fabs(z[2]);
    case SN_SHAPE_CYLINDER:
        return s[0] * sqrt(fmax(0, 1 - z[2] * z[2])) + s[1] * fabs(z[2]);
    case SN_SHAPE_BOX:
        return s[0] * fabs(z[0]) + s[1] * fabs(z[1]) + s[2] * fabs(z[2]);
    case SN_SHAPE_ELLIPSOID:
        return sqrt(pow(s[0] * z[0], 2) + pow(s[1] * z[1], 2) + pow(s[2] * z[2], 2));
    default:
        return s[0];
    }
}

double stage_lowest(sn_character *character) {
    const sn_model *model = sn_character_model(character);
    double lowest = INFINITY;
    for (int b = 0; b < sn_model_nbody(model); b++) {
        const sn_body_info *body = sn_model_body(model, b);
        double pos[3], rot[4], z[3], turned[4];
        sn_character_body_pose(character, b, pos, rot);
        axes_heights(rot, z);
        for (int i = body->first_shape; i < body->first_shape + body->nshape; i++) {
            const sn_shape_def *shape = sn_model_shape(model, i);
            double own[3];
            const double centre = pos[2] + z[0] * shape->pos[0] + z[1] * shape->pos[1] + z[2] * shape->pos[2];
            multiply(rot, shape->rot, turned);
            axes_heights(turned, own);
            lowest = fmin(lowest, centre - reach_below(shape, own));
        }
    }
    return lowest;
}

/* The root's values stand first: position, quaternion; velocity in the world, turning in its own axes. */
static void place(struct stage *stage, const sn_model *model, const struct stage_def *def) {
    sn_model_zero_pose(model, stage->q);
    memset(stage->qd, 0, (size_t)stage->nv * sizeof *stage->qd);
    sn_character_set_state(stage->character, stage->q, stage->qd);
    stage->q[2] += (def->fall ? 0.2 : 0.0) - stage_lowest(stage->character);
    if (def->fall) {
        const double *r = stage->q + 3; /* R^T y is the second row of R */
        stage->qd[0] = 1.5;
        stage->qd[3] = 2 * (r[1] * r[2] + r[0] * r[3]);
        stage->qd[4] = 1 - 2 * (r[1] * r[1] + r[3] * r[3]);
        stage->qd[5] = 2 * (r[2] * r[3] - r[0] * r[1]);
    }
    sn_character_set_state(stage->character, stage->q, stage->qd);
    sn_character_set_target(stage->character, stage->q, NULL);
}

bool stage_create(struct stage *stage, const sn_model *model, const struct stage_def *def, sn_error *error) {
    *stage = (struct stage){.nq = sn_model_nq(model), .nv = sn_model_nv(model)};
    const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    sn_shape_def ground = sn_shape_def_default(SN_SHAPE_BOX);
    ground.friction = def->friction;
    stage->world = sn_world_create(&def->world, error);
    if (!stage->world || sn_world_add_plane(stage->world, origin, up, &ground, error) < 0 ||
        sn_world_add(stage->world, model, NULL, error) < 0) {
        stage_free(stage);
        return false;
    }
    stage->character = sn_world_character(stage->world, 0);
    const size_t nq = (size_t)stage->nq, nv = (size_t)stage->nv;
    stage->q = need_memory(NULL, (nq + nv + 2 * nv) * sizeof *stage->q);
    stage->qd = stage->q + nq;
    double *kp = stage->qd + nv, *kd = kp + nv;
    sn_gains_uniform(model, 0, 0, def->kp, def->kd, kp, kd);
    sn_character_set_gains(stage->character, kp, kd);
    place(stage, model, def);
    return true;
}

void stage_free(struct stage *stage) {
    sn_world_free(stage->world);
    free(stage->q);
    *stage = (struct stage){0};
}

static void add_step(struct watched *w, const sn_world *world) {
    sn_world_stats stats;
    sn_world_get_stats(world, &stats);
    const sn_contact *contact = sn_world_contacts(world);
    w->contacts += stats.contacts;
    w->rows += stats.rows;
    w->iterations += stats.iterations;
    w->sweeps += stats.sweeps;
    w->substeps += stats.substeps;
    w->impacts += stats.impacts;
    w->dropped += stats.dropped;
    w->residual = fmax(w->residual, stats.residual);
    for (int i = 0; i < sn_world_contact_count(world); i++)
        w->penetration = fmax(w->penetration, -contact[i].gap);
}

struct watched stage_watch(struct stage *stage, double dt, double seconds) {
    struct watched w = {.finite = true, .drift = (double)NAN, .height = (double)NAN, .rest = 0};
    const int steps = (int)(seconds / dt + 0.5), second = steps * dt > 1 ? (int)(1 / dt + 0.5) : 0;
    double *q = stage->q, *qd = stage->qd, from[2] = {q[0], q[1]};
    const double height = q[2];
    for (; w.steps < steps; w.steps++) {
        if (w.steps == second) {
            sn_character_get_state(stage->character, q, NULL);
            from[0] = q[0], from[1] = q[1];
        }
        if (sn_world_step(stage->world) != SN_OK) {
            w.finite = false;
            break;
        }
        add_step(&w, stage->world);
        sn_summary now;
        sn_character_summary(stage->character, &now);
        if (!(now.kinetic < 0.1)) w.rest = (w.steps + 1) * dt;
    }
    sn_character_get_state(stage->character, q, qd);
    if (!w.finite || w.rest >= steps * dt) w.rest = INFINITY;
    if (w.finite) {
        w.drift = hypot(q[0] - from[0], q[1] - from[1]);
        w.height = q[2] - height;
        for (int i = 0; i < stage->nv; i++)
            w.speed = fmax(w.speed, fabs(qd[i]));
    }
    const double n = w.steps > 0 ? w.steps : 1;
    w.contacts /= n, w.rows /= n, w.iterations /= n, w.sweeps /= n, w.substeps /= n;
    return w;
}

sn_model *stage_build_body(const sn_shape_def *shape, sn_error *error) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    body.name = "body";
    body.joint = sn_joint_def_default(SN_JOINT_FREE);
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "body", shape);
    sn_model *model = sn_builder_build(builder, error);
    sn_builder_free(builder);
    return model;
}

sn_model *stage_build_pendulum(double lower, double upper, sn_error *error) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    body.name = "rod";
    body.joint = sn_joint_def_default(SN_JOINT_HINGE);
    body.joint.axis[1] = 1.0;
    body.joint.axis[2] = 0.0;
    body.joint.limited = lower < upper;
    body.joint.lower[0] = lower;
    body.joint.upper[0] = upper;
    sn_builder_add_body(builder, &body);
    sn_shape_def rod = sn_shape_def_default(SN_SHAPE_CAPSULE);
    rod.size[0] = 0.02;
    rod.size[1] = 0.5;
    rod.pos[2] = -0.5;
    rod.mass = 1.0;
    sn_builder_add_shape(builder, "rod", &rod);
    sn_model *model = sn_builder_build(builder, error);
    sn_builder_free(builder);
    return model;
}
