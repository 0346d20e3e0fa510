/* What a visitor does to the character: throws balls at it, pulls at it, pushes it. */
#include "play.h"

#include <math.h>
#include <stdlib.h>

static const double BALL_RADIUS = 0.11, BALL_MASS = 4;

/* Balls wait, inactive, for their turn: throwing allocates nothing. */
bool toys_create(struct scene *s) {
    sn_builder *builder = sn_builder_create();
    if (!builder) return false;
    sn_body_def body = sn_body_def_default();
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_SPHERE);
    body.name = "ball";
    body.joint = sn_joint_def_default(SN_JOINT_FREE);
    shape.size[0] = BALL_RADIUS;
    shape.mass = BALL_MASS;
    shape.restitution = 0.5;
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "ball", &shape);
    s->ball = sn_builder_build(builder, &s->error);
    sn_builder_free(builder);
    if (!s->ball) return false;
    for (int i = 0; i < PLAY_BALLS; i++)
        if (sn_world_add(s->world, s->ball, NULL, &s->error) < 0 ||
            sn_world_set_active(s->world, 1 + i, false) != SN_OK)
            return false;
    return true;
}

PLAY_API double play_ball_radius(void) {
    return BALL_RADIUS;
}

/* Throws a ball; the oldest one when all are out. */
PLAY_API void play_scene_throw(struct scene *s, double x, double y, double z, double vx, double vy,
                               double vz) {
    if (!s->world || s->diverged) return;
    const double q[7] = {x, y, fmax(z, BALL_RADIUS), 1, 0, 0, 0}, qd[6] = {vx, vy, vz, 0, 0, 0};
    const int member = 1 + s->next_ball;
    sn_world_set_active(s->world, member, true);
    sn_character_set_state(sn_world_character(s->world, member), q, qd);
    s->next_ball = (s->next_ball + 1) % PLAY_BALLS;
    s->balls++;
}

static void rotate_back(const double r[4], const double v[3], double out[3]) {
    /* R(r)^T v, by R's columns. */
    const double w = r[0], x = r[1], y = r[2], z = r[3];
    out[0] = (1 - 2 * (y * y + z * z)) * v[0] + 2 * (x * y + w * z) * v[1] + 2 * (x * z - w * y) * v[2];
    out[1] = 2 * (x * y - w * z) * v[0] + (1 - 2 * (x * x + z * z)) * v[1] + 2 * (y * z + w * x) * v[2];
    out[2] = 2 * (x * z + w * y) * v[0] + 2 * (y * z - w * x) * v[1] + (1 - 2 * (x * x + y * y)) * v[2];
}

static void rotate(const double r[4], const double v[3], double out[3]) {
    const double inverse[4] = {r[0], -r[1], -r[2], -r[3]};
    rotate_back(inverse, v, out);
}

PLAY_API void play_scene_release(struct scene *s) {
    const double none[3] = {0};
    if (s->grip) sn_world_remove_constraint(s->world, s->grip);
    if (s->grip_body >= 0 && !s->world) sn_character_set_push(s->character, s->grip_body, none, none);
    s->grip = 0;
    s->grip_body = -1;
}

/* Takes hold of a body at a point of the world. Returns whether it could. */
PLAY_API int play_scene_grab(struct scene *s, int body, double x, double y, double z) {
    double pos[3], rot[4];
    play_scene_release(s);
    if (s->diverged || sn_character_body_pose(s->character, body, pos, rot) != SN_OK) return 0;
    const double offset[3] = {x - pos[0], y - pos[1], z - pos[2]};
    rotate_back(rot, offset, s->grip_point);
    s->grip_body = body;
    s->grip_target[0] = x;
    s->grip_target[1] = y;
    s->grip_target[2] = z;
    if (!s->world) return 1;
    /* Strong enough to lift the whole character with a stretch of some centimetres. */
    const double mass = sn_model_mass(s->subject->model);
    sn_constraint_def def = sn_constraint_def_default(SN_SPRING);
    def.body = body;
    def.stiffness = 300 * mass;
    def.damping = 20 * mass;
    for (int k = 0; k < 3; k++) {
        def.point[k] = s->grip_point[k];
        def.target[k] = s->grip_target[k];
    }
    s->grip = sn_world_add_constraint(s->world, &def, NULL);
    return s->grip != 0;
}

PLAY_API void play_scene_drag(struct scene *s, double x, double y, double z) {
    s->grip_target[0] = x;
    s->grip_target[1] = y;
    s->grip_target[2] = z;
    if (s->grip) sn_world_set_constraint(s->world, s->grip, s->grip_target, NULL);
}

/* Where the hand holds the body, for drawing; returns 0 when it holds none. */
PLAY_API int play_scene_grip(struct scene *s, double out[3]) {
    double pos[3], rot[4], offset[3];
    if (s->grip_body < 0) return 0;
    sn_character_body_pose(s->character, s->grip_body, pos, rot);
    rotate(rot, s->grip_point, offset);
    for (int k = 0; k < 3; k++)
        out[k] = pos[k] + offset[k];
    return 1;
}

/* A spring on a lone character is a force of the step before, and must stay soft for the lightest limb. */
static void pull_alone(struct scene *s) {
    double pos[3], rot[4], offset[3], linear[3], angular[3], force[3], torque[3];
    const double stiffness = fmin(1500, 0.1 / (s->dt * s->dt)), damping = fmin(40, 0.1 / s->dt);
    sn_character_body_pose(s->character, s->grip_body, pos, rot);
    sn_character_body_velocity(s->character, s->grip_body, linear, angular);
    rotate(rot, s->grip_point, offset);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double speed = linear[k] + angular[i] * offset[j] - angular[j] * offset[i];
        force[k] = stiffness * (s->grip_target[k] - pos[k] - offset[k]) - damping * speed;
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        torque[k] = offset[i] * force[j] - offset[j] * force[i];
    }
    sn_character_set_push(s->character, s->grip_body, force, torque);
}

/* A shove of 0.1 s along (x, y) on the first body, of the given change of speed for the whole mass (m/s). */
PLAY_API void play_scene_push(struct scene *s, double x, double y, double speed) {
    const double length = sqrt(x * x + y * y), none[3] = {0};
    if (s->diverged || !(length > 0)) return;
    const double newton = sn_model_mass(s->subject->model) * speed / 0.1;
    const double force[3] = {newton * x / length, newton * y / length, 0};
    s->push_left = 0.1;
    sn_character_set_push(s->character, 0, force, none);
}

void toys_act(struct scene *s) {
    const double none[3] = {0};
    if (s->push_left > 0 && (s->push_left -= s->dt) <= 0) sn_character_set_push(s->character, 0, none, none);
    if (!s->world && s->grip_body >= 0) pull_alone(s);
}
