/* Five scenes by the library alone, and their hashes. test_hashes.py has the same scenes in Python.
 * They are in double and float, alone and in copies, with motions, limits, rough ground, company and a pin. */
#include <sinew/sinew.h>
#include <sinew/constraints.h>
#include <sinew/fields.h>
#include <sinew/gains.h>
#include <sinew/ground.h>
#include <sinew/model.h>
#include <sinew/motions.h>
#include <string.h>

enum { MOST = 4096 };

static double q[MOST], kp[MOST], kd[MOST];

/* A character that stands and holds its pose, `x` meters from the origin. */
static sn_member put(sn_world *world, const sn_model *model, double x) {
    sn_gains_def gains = sn_gains_def_default();
    gains.frequency = 8, gains.widen = true;
    const sn_member member = sn_world_add(world, model, NULL);
    sn_gains_choose(model, &gains, kp, kd, NULL);
    sn_world_set_gains(world, member, kp, kd);
    sn_model_home_pose(model, q);
    q[0] = x;
    sn_world_stand(world, member, q);
    sn_world_set_state(world, member, q, NULL);
    sn_world_set_target(world, member, q, NULL);
    return member;
}

/* The hash after some steps; 0 if one failed. */
static uint64_t end(sn_world *world, int steps) {
    sn_status status = SN_OK;
    for (int i = 0; i < steps && !status; i++)
        status = sn_world_step(world);
    const uint64_t hash = status ? 0 : sn_world_hash(world);
    sn_world_free(world);
    return hash;
}

/* A world with a floor, on which the character stands as member 0. */
static sn_world *stand(const sn_model *model) {
    sn_world *world = sn_world_create(NULL, NULL);
    sn_world_add_floor(world);
    put(world, model, 0);
    return world;
}

static uint64_t push(const sn_model *model) {
    sn_world *world = stand(model);
    sn_world_push(world, 0, 0, (double[]){150, 0, 0}, NULL, 0.1);
    return end(world, 120);
}

static uint64_t crowd(const sn_model *model) {
    sn_world_def def = sn_world_def_default();
    def.copies = 37, def.precision = SN_PRECISION_FLOAT, def.setting = SN_SETTING_CROWD, def.threads = 2;
    sn_world *world = sn_world_create(&def, NULL);
    sn_motion *walk = sn_builtin_motion_create("walk", model, NULL);
    double qd[MOST], phase[37], mass[37];
    sn_world_add_floor(world);
    const sn_member many = put(world, model, 0);
    sn_motion_sample(walk, 0, q, qd);
    sn_world_reset(world, many, NULL, q, qd);
    sn_world_set_motion(world, many, walk);
    for (int i = 0; i < 37; i++)
        phase[i] = i / 64., mass[i] = 0.8 + i / 100.;
    sn_world_set(world, many, SN_FIELD_PHASE, 0, 37, phase);
    sn_world_set(world, many, SN_FIELD_MASS_SCALE, 0, 37, mass);
    const uint64_t hash = end(world, 60);
    sn_motion_free(walk);
    return hash;
}

static uint64_t hills(const sn_model *model) {
    enum { N = 17 };
    double height[N][N];
    sn_world_def def = sn_world_def_default();
    def.dt = 1. / 120, def.setting = SN_SETTING_EXACT, def.self_contact = true;
    sn_world *world = sn_world_create(&def, NULL);
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            height[y][x] = (x * 5 + y * 3) % 7 / 64.;
    sn_heightfield_def field = sn_heightfield_def_default();
    field.nx = field.ny = N, field.height = height[0];
    field.size[0] = field.size[1] = 8, field.origin[0] = field.origin[1] = -4;
    sn_world_add_heightfield(world, &field, NULL, NULL);
    put(world, model, 0);
    return end(world, 90);
}

static uint64_t company(const sn_model *model) {
    sn_world_def def = sn_world_def_default();
    def.copies = 3, def.contact = SN_CONTACT_ROWS;
    sn_world *world = sn_world_create(&def, NULL);
    sn_model *other = sn_builtin_create("dog", NULL);
    sn_world_add_floor(world);
    put(world, model, 0);
    const double qd[MOST] = {-3, 0, 1};
    sn_world_set_state(world, put(world, other, 1.2), NULL, qd);
    const uint64_t hash = end(world, 60);
    sn_model_free(other);
    return hash;
}

static uint64_t pinned(const sn_model *model) {
    sn_world *world = stand(model);
    sn_constraint_def pin = sn_constraint_def_default(SN_CONSTRAINT_PIN);
    pin.member = 0, pin.body = sn_model_find_body(model, "head");
    sn_world_body_pose(world, 0, pin.body, pin.point2, NULL);
    sn_world_add_constraint(world, &pin, NULL);
    for (int v = 0; v < sn_model_get(model)->nv; v++)
        kp[v] = kd[v] = 0;
    sn_world_set_gains(world, 0, kp, kd);
    return end(world, 120);
}

uint64_t hash_of(const char *scene);
uint64_t hash_of(const char *scene) {
    static const struct {
        const char *name;
        uint64_t (*hash)(const sn_model *model);
    } scenes[] = {
        {"push", push}, {"crowd", crowd}, {"hills", hills}, {"company", company}, {"pinned", pinned}};
    uint64_t hash = 0;
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        if (!strcmp(scene, scenes[i].name)) hash = scenes[i].hash(model);
    sn_model_free(model);
    return hash;
}
