#include "parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void scene_fail(struct scene *s, sn_status status, const char *message) {
    if (s->error.status != SN_OK) return;
    s->error.status = status;
    snprintf(s->error.message, sizeof s->error.message, "scene '%s': %.400s", s->kind ? s->kind->name : "?",
             message);
}

bool scene_check(struct scene *s, sn_status status, const char *what) {
    char message[256];
    if (status == SN_OK) return s->error.status == SN_OK;
    snprintf(message, sizeof message, "%s: %s", what, sn_status_text(status));
    scene_fail(s, status, message);
    return false;
}

/* ------------------------------------------------------------------------------------------------ random numbers */

static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

double scene_uniform(uint64_t *state, double low, double high) {
    return low + (high - low) * (double)(next_random(state) >> 11) * 0x1p-53;
}

uint64_t scene_seed(uint64_t who, int step) {
    uint64_t state = who * 0x100000001b3u + (uint64_t)step;
    return next_random(&state);
}

/* ------------------------------------------------------------------------------------------------ members and ground */

int scene_add_model(struct scene *s, sn_model *model) {
    sn_error error = {SN_ERROR_MEMORY, "the model cannot be made"};
    if (model && s->models < SCENE_MODELS) s->model[s->models++] = model;
    const int member = model && s->error.status == SN_OK ? sn_world_add(s->world, model, &error) : -1;
    if (member < 0) scene_fail(s, error.status, error.message);
    return member;
}

int scene_add_builtin(struct scene *s, const char *name) {
    sn_error error = {0};
    sn_model *model = sn_builtin_create(name, &error);
    if (!model) scene_fail(s, error.status, error.message);
    return scene_add_model(s, model);
}

int scene_add_body(struct scene *s, const sn_shape_def *shape) {
    sn_error error = {0};
    sn_model *model = scene_body_model(shape, &error);
    if (!model) scene_fail(s, error.status, error.message);
    return scene_add_model(s, model);
}

int scene_add_again(struct scene *s, int member) {
    sn_error error = {0};
    if (s->error.status != SN_OK) return -1;
    const int again = sn_world_add(s->world, sn_world_model(s->world, member), &error);
    if (again < 0) scene_fail(s, error.status, error.message);
    return again;
}

int scene_add_plane(struct scene *s, const double point[3], const double normal[3], double friction) {
    sn_error error = {0};
    if (s->error.status != SN_OK) return -1;
    const sn_shape_def material = material_of(friction, 0);
    const int ground = sn_world_add_plane(s->world, point, normal, &material, &error);
    if (ground < 0) scene_fail(s, error.status, error.message);
    return ground;
}

int scene_add_floor(struct scene *s, double friction) {
    return scene_add_slope(s, 0, friction);
}

int scene_add_slope(struct scene *s, double angle, double friction) {
    const double origin[3] = {0, 0, 0}, normal[3] = {-sin(angle), 0, cos(angle)};
    return scene_add_plane(s, origin, normal, friction);
}

void scene_add_walls(struct scene *s, double half) {
    for (int i = 0; i < 4; i++) {
        double point[3] = {0, 0, 0}, normal[3] = {0, 0, 0};
        normal[i / 2] = i % 2 ? -1 : 1;
        point[i / 2] = -half * normal[i / 2];
        scene_add_plane(s, point, normal, 1);
    }
}

int scene_add_hills(struct scene *s, double height) {
    enum { POINTS = 33 };
    double z[POINTS * POINTS];
    uint64_t random = 5;
    sn_error error = {0};
    if (s->error.status != SN_OK) return -1;
    for (int i = 0; i < POINTS * POINTS; i++)
        z[i] = scene_uniform(&random, -height, 0);
    const sn_heightfield_def field = {sizeof(sn_heightfield_def), POINTS, POINTS, {16, 16}, {-8, -8, 0}, z};
    const int ground = sn_world_add_heightfield(s->world, &field, NULL, &error);
    if (ground < 0) scene_fail(s, error.status, error.message);
    return ground;
}

/* ------------------------------------------------------------------------------------------------ state and drives */

void scene_hold(struct scene *s, int member, double kp, double kd) {
    double kps[SCENE_VALUES], kds[SCENE_VALUES];
    if (s->error.status != SN_OK) return;
    sn_gains_uniform(sn_world_model(s->world, member), 0, 0, kp, kd, kps, kds);
    scene_check(s, sn_world_set_gains(s->world, member, kps, kds), "sn_world_set_gains");
}

void scene_set(struct scene *s, int member, sn_field field, int copy, const double *values) {
    if (s->error.status != SN_OK) return;
    scene_check(s, sn_world_set(s->world, member, field, copy, 1, values), "sn_world_set");
}

void scene_put(struct scene *s, int member, int copy, const double *q, const double *qd) {
    const double rest[SCENE_VALUES] = {0};
    scene_set(s, member, SN_FIELD_Q, copy, q);
    scene_set(s, member, SN_FIELD_QD, copy, qd ? qd : rest);
    scene_set(s, member, SN_FIELD_TARGET_Q, copy, q);
}

void scene_place(struct scene *s, int member, int copy, const double pos[3], const double rot[4],
                 const double velocity[6]) {
    double q[7] = {pos[0], pos[1], pos[2], 1, 0, 0, 0};
    if (rot) memcpy(q + 3, rot, 4 * sizeof *rot);
    scene_put(s, member, copy, q, velocity);
}

/* Adding to a quaternion turns it by about twice as much; the world makes its length 1 again. */
void scene_pose(struct scene *s, int member, double x, double y, double off, uint64_t *random, double *q) {
    if (s->error.status != SN_OK) return;
    const sn_model *model = sn_world_model(s->world, member);
    sn_model_zero_pose(model, q);
    q[0] = x, q[1] = y;
    for (int i = 7; i < sn_model_get(model)->nq; i++)
        q[i] += scene_uniform(random, -off, off);
    scene_check(s, sn_world_stand(s->world, member, q), "sn_world_stand");
}

void scene_push(struct scene *s, int member, int copy, int body, const double force[3]) {
    double push[SCENE_VALUES] = {0};
    if (force) memcpy(push + 6 * body, force, 3 * sizeof *force);
    scene_set(s, member, SN_FIELD_PUSH, copy, push);
}
