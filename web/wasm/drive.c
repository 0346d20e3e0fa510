/* Characters that a visitor steers, in one world, with balls to throw and crates to run into: puppets (sinew/puppet.h) and the
 * policies that come with the project. */
#include <math.h>
#include <sinew/learn.h>
#include <stdlib.h>

#include "play.h"

enum { DRIVEN = 8, BALLS = 8, CRATES = 12, RATE = 240 };
static const double BALL_MASS = 3, CRATE_SIZE = 0.2, CRATE_MASS = 3;

struct drive {
    sn_world *world;
    sn_model *human, *ball, *crate;
    sn_policy *go, *get_up;
    sn_puppet *puppet[DRIVEN];
    sn_member human_member[DRIVEN], ball_member[BALLS], crate_member[CRATES];
    int humans, crates, thrown;
    double *room; /* [nbody][7] or a position */
    double *rest; /* [nv] zeros */
    float *pose;  /* [humans][nbody][7], [crates][7], then of the balls that are out, filled by drive_look */
    sn_error error;
};

PLAY_API void drive_free(struct drive *d) {
    if (!d) return;
    for (int i = 0; i < d->humans; i++)
        sn_puppet_free(d->puppet[i]);
    sn_policy_free(d->go), sn_policy_free(d->get_up);
    sn_world_free(d->world);
    sn_model_free(d->human), sn_model_free(d->ball), sn_model_free(d->crate);
    free(d->room), free(d->rest), free(d->pose), free(d);
}

static sn_model *make_crate(void) {
    sn_builder *builder = sn_builder_create();
    if (!builder) return NULL;
    sn_body_def body = sn_body_def_default();
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_BOX);
    body.name = "crate";
    body.joint = sn_joint_def_default(SN_JOINT_FREE);
    for (int k = 0; k < 3; k++)
        shape.size[k] = CRATE_SIZE;
    shape.mass = CRATE_MASS;
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "crate", &shape);
    sn_model *crate = sn_builder_build(builder, NULL);
    sn_builder_free(builder);
    return crate;
}

/* On its feet at a place of the ground, upright, looking along `yaw`, and at rest, since it may be falling. */
static bool stand_at(struct drive *d, int i, double x, double y, double yaw) {
    double *q = d->room, *rest = d->rest;
    sn_model_home_pose(d->human, q);
    q[3] = cos(yaw / 2), q[4] = q[5] = 0, q[6] = sin(yaw / 2);
    if (sn_world_stand(d->world, d->human_member[i], q) != SN_OK) return false;
    q[0] = x, q[1] = y;
    return sn_world_set_state(d->world, d->human_member[i], q, rest) == SN_OK;
}

/* The first in the middle, the others around it in a ring, all looking ahead. */
static bool add_human(struct drive *d) {
    const int i = d->humans;
    const double angle = 2.4 * i, away = i ? 1.8 + 0.25 * i : 0;
    d->human_member[i] = sn_world_add(d->world, d->human, &d->error);
    if (d->human_member[i] < 0 || !stand_at(d, i, away * cos(angle), away * sin(angle), 0)) return false;
    d->puppet[i] = sn_puppet_create(d->world, d->human_member[i], 0, d->go, d->get_up, &d->error);
    if (!d->puppet[i]) return false;
    d->humans++;
    return true;
}

/* Towers of three, ahead of the first character. */
static bool add_crate(struct drive *d) {
    const int i = d->crates, tower = i / 3, level = i % 3;
    const double q[7] = {
        4 + 0.6 * tower, (tower % 2 ? 1 : -1) * (1 + 0.4 * tower), CRATE_SIZE * (2 * level + 1), 1, 0, 0, 0};
    d->crate_member[i] = sn_world_add(d->world, d->crate, &d->error);
    if (d->crate_member[i] < 0) return false;
    d->crates++;
    return sn_world_set_state(d->world, d->crate_member[i], q, NULL) == SN_OK;
}

static bool make_all(struct drive *d, int humans, int crates) {
    sn_world_def def = sn_world_def_default();
    def.dt = 1.0 / RATE;
    def.setting = SN_SETTING_GAME;
    d->human = sn_builtin_create("humanoid", &d->error);
    d->ball = toy_ball(play_ball_radius(), BALL_MASS, 0.2);
    d->crate = make_crate();
    d->world = sn_world_create(&def, &d->error);
    if (!d->human || !d->ball || !d->crate || !d->world) return false;
    const size_t pose = 7 * (size_t)sn_model_get(d->human)->nbody;
    d->room = calloc(pose + (size_t)sn_model_get(d->human)->nq, sizeof *d->room);
    d->pose = calloc(DRIVEN * pose + 7 * (CRATES + BALLS), sizeof *d->pose);
    d->rest = calloc((size_t)sn_model_get(d->human)->nv, sizeof *d->rest);
    if (!d->room || !d->rest || !d->pose) return false;
    sn_world_add_floor(d->world);
    while (d->humans < humans && d->humans < DRIVEN)
        if (!add_human(d)) return false;
    while (d->crates < crates && d->crates < CRATES)
        if (!add_crate(d)) return false;
    return true;
}

/* Makes a world with characters and crates. `go` and `up` are the bytes of two policies, which may come from anywhere: one that
   goes, and one that gets up (size 0: none). drive_error says whether the world can be used; NULL: out of memory. */
PLAY_API struct drive *drive_create(const void *go, size_t go_size, const void *up, size_t up_size,
                                    int humans, int crates) {
    struct drive *d = calloc(1, sizeof *d);
    if (!d) return NULL;
    d->go = sn_policy_parse(go, go_size, &d->error);
    if (d->go && up_size) d->get_up = sn_policy_parse(up, up_size, &d->error);
    if (!d->go || (up_size && !d->get_up)) return d;
    if (!make_all(d, humans, crates) && !d->error.status)
        d->error = (sn_error){SN_ERROR_MEMORY, "out of memory"};
    return d;
}
PLAY_API const char *drive_error(const struct drive *d) {
    return d->error.status ? d->error.message : "";
}
PLAY_API int drive_rate(void) {
    return RATE;
}
PLAY_API double drive_crate_size(void) {
    return CRATE_SIZE;
}

/* Where a character goes: m/s ahead, m/s to the left, rad/s to the left. */
PLAY_API void drive_stick(struct drive *d, int i, double ahead, double left, double turn) {
    const double stick[3] = {ahead, left, turn};
    if (i >= 0 && i < d->humans) sn_puppet_stick(d->puppet[i], stick);
}
/* Lets a character go: a ragdoll, until it gets a stick again. */
PLAY_API void drive_let_go(struct drive *d, int i) {
    if (i >= 0 && i < d->humans) sn_puppet_stick(d->puppet[i], NULL);
}
/* Puts a character back on its feet where it is. */
PLAY_API void drive_stand(struct drive *d, int i) {
    if (i < 0 || i >= d->humans) return;
    if (sn_world_get(d->world, d->human_member[i], SN_FIELD_BODY_POSE, 0, 1, d->room) != SN_OK) return;
    const double *p = d->room, x = p[0], y = p[1];
    const double yaw = atan2(2 * (p[3] * p[6] + p[4] * p[5]), 1 - 2 * (p[5] * p[5] + p[6] * p[6]));
    sn_puppet_free(d->puppet[i]);
    stand_at(d, i, x, y, yaw);
    d->puppet[i] = sn_puppet_create(d->world, d->human_member[i], 0, d->go, d->get_up, &d->error);
}

/* Whether it worked. */
PLAY_API int drive_step(struct drive *d, int steps) {
    for (int i = 0; i < steps; i++) {
        if (sn_puppets_step(d->puppet, d->humans, &d->error) != SN_OK) return 0;
        if (sn_world_step(d->world) != SN_OK) {
            d->error = (sn_error){SN_ERROR_NOT_FINITE, "the simulation diverged"};
            return 0;
        }
    }
    return 1;
}

/* Poses [humans][nbody][7], then of the crates, then of the balls that are out. */
PLAY_API const float *drive_look(struct drive *d) {
    float *at = d->pose;
    const int out = d->thrown < BALLS ? d->thrown : BALLS;
    for (int i = 0; i < d->humans; i++, at += 7 * sn_model_get(d->human)->nbody)
        poses_write(d->world, d->human_member[i], 1, d->room, at);
    for (int i = 0; i < d->crates; i++, at += 7)
        poses_write(d->world, d->crate_member[i], 1, d->room, at);
    for (int i = 0; i < out; i++, at += 7)
        poses_write(d->world, d->ball_member[i], 1, d->room, at);
    return d->pose;
}
PLAY_API int drive_humans(const struct drive *d) {
    return d->humans;
}
PLAY_API int drive_crates(const struct drive *d) {
    return d->crates;
}
PLAY_API int drive_balls(const struct drive *d) {
    return d->thrown < BALLS ? d->thrown : BALLS;
}
/* An sn_puppet_mode. */
PLAY_API int drive_mode(const struct drive *d, int i) {
    return (int)sn_puppet_get(d->puppet[i], NULL, NULL);
}

/* A shove of 0.1 s on a body, along (x, y, z), that changes the speed of the whole mass by `speed` m/s. */
PLAY_API int drive_push(struct drive *d, int i, int body, double x, double y, double z, double speed) {
    const double length = sqrt(x * x + y * y + z * z),
                 newton = sn_model_get(d->human)->mass * speed / 0.1 / length;
    const double force[3] = {newton * x, newton * y, newton * z};
    if (i < 0 || i >= d->humans || !(length > 0)) return 0;
    return sn_world_push(d->world, d->human_member[i], body, force, NULL, 0.1) == SN_OK;
}

/* Throws a ball: a new one, or the oldest once more. Returns whether it could. */
PLAY_API int drive_throw(struct drive *d, double x, double y, double z, double vx, double vy, double vz) {
    const double q[7] = {x, y, fmax(z, play_ball_radius()), 1, 0, 0, 0}, qd[6] = {vx, vy, vz, 0, 0, 0};
    const int turn = d->thrown % BALLS;
    if (d->thrown < BALLS) d->ball_member[turn] = sn_world_add(d->world, d->ball, NULL);
    if (d->ball_member[turn] < 0) return 0;
    d->thrown++;
    return sn_world_set_state(d->world, d->ball_member[turn], q, qd) == SN_OK;
}
