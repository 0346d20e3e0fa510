/* What a visitor does to the character: throws balls at it, pulls at it, pushes it. */
#include "play.h"

#include <math.h>
#include <stdlib.h>

static const double BALL_RADIUS = 0.12, BALL_MASS = 4;

/* ------------------------------------------------------------------------------------------------------------ balls */

sn_model *toy_ball(double radius, double mass, double restitution) {
    sn_builder *builder = sn_builder_create();
    if (!builder) return NULL;
    sn_body_def body = sn_body_def_default();
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_SPHERE);
    body.name = "ball";
    body.joint = sn_joint_def_default(SN_JOINT_FREE);
    shape.size[0] = radius;
    shape.mass = mass;
    shape.restitution = restitution;
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "ball", &shape);
    sn_model *ball = sn_builder_build(builder, NULL);
    sn_builder_free(builder);
    return ball;
}

PLAY_API double play_ball_radius(void) {
    return BALL_RADIUS;
}

/* Throws a new ball, or the oldest one once more when all are out. */
PLAY_API void play_scene_throw(struct scene *s, double x, double y, double z, double vx, double vy,
                               double vz) {
    const double q[7] = {x, y, fmax(z, BALL_RADIUS), 1, 0, 0, 0}, qd[6] = {vx, vy, vz, 0, 0, 0};
    const int turn = s->balls % PLAY_BALLS;
    if (s->diverged || s->copies > 1) return;
    if (!s->ball) s->ball = toy_ball(BALL_RADIUS, BALL_MASS, 0.5);
    if (s->ball && s->balls < PLAY_BALLS) s->member[turn] = sn_world_add(s->world, s->ball, NULL);
    if (!s->ball || s->member[turn] < 0) return;
    sn_world_set_state(s->world, s->member[turn], q, qd);
    s->balls++;
}

int toys_look(struct scene *s) {
    const int out = s->balls < PLAY_BALLS ? s->balls : PLAY_BALLS;
    for (int i = 0; i < out; i++)
        poses_write(s->world, s->member[i], 1, s->room, s->ball_pose + 7 * i);
    return out;
}

/* -------------------------------------------------------------------------------------------------------- the mouse */

/* R(r)^T v, by R's columns. */
static void rotate_back(const double r[4], const double v[3], double out[3]) {
    const double w = r[0], x = r[1], y = r[2], z = r[3];
    out[0] = (1 - 2 * (y * y + z * z)) * v[0] + 2 * (x * y + w * z) * v[1] + 2 * (x * z - w * y) * v[2];
    out[1] = 2 * (x * y - w * z) * v[0] + (1 - 2 * (x * x + z * z)) * v[1] + 2 * (y * z + w * x) * v[2];
    out[2] = 2 * (x * z + w * y) * v[0] + 2 * (y * z - w * x) * v[1] + (1 - 2 * (x * x + y * y)) * v[2];
}

static void rotate(const double r[4], const double v[3], double out[3]) {
    const double inverse[4] = {r[0], -r[1], -r[2], -r[3]};
    rotate_back(inverse, v, out);
}

/* Position and orientation of a body of the character now; NULL: there is none such. */
static const double *body_pose(struct scene *s, int body) {
    if (body < 0 || body >= sn_model_get(s->subject->model)->nbody) return NULL;
    if (sn_world_get(s->world, 0, SN_FIELD_BODY_POSE, 0, 1, s->room) != SN_OK) return NULL;
    return s->room + 7 * body;
}

PLAY_API void play_scene_release(struct scene *s) {
    if (s->grip) sn_world_remove_constraint(s->world, s->grip);
    s->grip = 0;
}

/* Takes hold of a body at a point of the world. Returns whether it could. */
PLAY_API int play_scene_grab(struct scene *s, int body, double x, double y, double z) {
    play_scene_release(s);
    const double *pose = s->diverged || s->copies > 1 ? NULL : body_pose(s, body);
    if (!pose) return 0;
    /* Strong enough to lift the whole character with a stretch of some centimetres. */
    const double mass = sn_model_get(s->subject->model)->mass, target[3] = {x, y, z};
    const double offset[3] = {x - pose[0], y - pose[1], z - pose[2]};
    sn_constraint_def def = sn_constraint_def_default(SN_CONSTRAINT_SPRING);
    def.body = s->grip_body = body;
    def.stiffness = 300 * mass;
    def.damping = 20 * mass;
    rotate_back(pose + 3, offset, s->grip_point);
    for (int k = 0; k < 3; k++) {
        def.point[k] = s->grip_point[k];
        def.target[k] = target[k];
    }
    s->grip = sn_world_add_constraint(s->world, &def, NULL);
    return s->grip != 0;
}

PLAY_API void play_scene_drag(struct scene *s, double x, double y, double z) {
    const double target[3] = {x, y, z};
    if (s->grip) sn_world_set_constraint(s->world, s->grip, 0, target, NULL);
}

/* Where the hand holds the body, for drawing; returns 0 when it holds none. */
PLAY_API int play_scene_grip(struct scene *s, double out[3]) {
    double offset[3];
    const double *pose = s->grip ? body_pose(s, s->grip_body) : NULL;
    if (!pose) return 0;
    rotate(pose + 3, s->grip_point, offset);
    for (int k = 0; k < 3; k++)
        out[k] = pose[k] + offset[k];
    return 1;
}

/* ---------------------------------------------------------------------------------------------------------- pushing */

/* A shove of 0.1 s along (x, y) on the first body, of the given change of speed for the whole mass (m/s); in a crowd
   everyone gets it. */
PLAY_API void play_scene_push(struct scene *s, double x, double y, double speed) {
    const double length = sqrt(x * x + y * y);
    if (s->diverged || !(length > 0)) return;
    const double newton = sn_model_get(s->subject->model)->mass * speed / 0.1;
    const double force[3] = {newton * x / length, newton * y / length, 0};
    s->push_left = 0.1;
    sn_world_push(s->world, 0, 0, force, NULL, INFINITY);
}

void toys_act(struct scene *s) {
    if (s->push_left > 0 && (s->push_left -= s->dt * s->substeps) <= 0)
        sn_world_push(s->world, 0, 0, NULL, NULL, INFINITY);
}
