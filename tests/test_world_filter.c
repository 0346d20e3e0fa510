/* Surfaces with a velocity, and the user's own say in what touches. */
#include "world_helpers.h"

static const double G = 9.81;

/* ------------------------------------------------------------------------------------------------- belts */

enum belt_kind { BELT_PLANE, BELT_BOX, BELT_FIELD, BELT_MESH, BELT_KINDS };

/* Ground whose top is z = 0. */
static int add_belt(sn_world *world, enum belt_kind kind, const sn_shape_def *material) {
    static const double height[4] = {0, 0, 0, 0};
    static const double corner[4][3] = {{-50, -50, 0}, {50, -50, 0}, {50, 50, 0}, {-50, 50, 0}};
    static const int triangle[2][3] = {{0, 1, 2}, {0, 2, 3}};
    sn_shape_def box = *material;
    box.type = SN_SHAPE_BOX, box.size[0] = box.size[1] = 50, box.size[2] = 1;
    switch (kind) {
    case BELT_PLANE:
        return floor_of(world, material);
    case BELT_BOX:
        return sn_world_add_shape(world, &box, (const double[3]){0, 0, -1}, (const double[4]){1, 0, 0, 0},
                                  NULL);
    case BELT_FIELD:
        return sn_world_add_heightfield(
            world, &(sn_heightfield_def){sizeof(sn_heightfield_def), 2, 2, {100, 100}, {-50, -50, 0}, height},
            material, NULL);
    default:
        return sn_world_add_mesh(world, &(sn_mesh_def){sizeof(sn_mesh_def), 4, 2, corner, triangle}, material,
                                 NULL);
    }
}

/* From rest at mu g up to the speed of the belt v, so that after t > v / (mu g) it has come v t - v^2 / (2 mu g) far. */
static void carry(sn_world_def def, enum belt_kind kind, const sn_model *model, const char *name) {
    const double v = 1.5, mu = 0.5, seconds = 1.5;
    sn_shape_def material = sn_shape_def_default(SN_SHAPE_BOX);
    material.friction = mu * mu, material.surface_velocity[0] = v; /* of two the geometric mean */
    material.surface_velocity[2] = 7;                              /* across it: no effect */
    sn_world *world = world_of(&def);
    const int member = member_of(world, model);
    assert_true(add_belt(world, kind, &material) >= 0);
    put_body(world, member, (const double[3]){0, 0, 0.1}, NULL, NULL);
    run_for(world, seconds, def.dt);
    double q[7], qd[6];
    sn_world_get_state(world, member, q, qd);
    const double far = v * seconds - v * v / (2 * mu * G);
    if (!(fabs(qd[0] - v) < 0.01 * v) || !(fabs(q[0] - far) < 0.01 * far))
        print_message("%s, ground %d, %s: %.5f m/s of %.2f, %.5f m of %.5f\n", name, (int)kind,
                      def.precision == SN_PRECISION_FLOAT ? "float" : "double", qd[0], v, q[0], far);
    assert_near(qd[0], v, 0.01 * v);
    assert_near(q[0], far, 0.01 * far);
    assert_near(qd[1], 0, 1e-3);
    assert_near(qd[2], 0, 1e-3);
    assert_near(q[2], 0.1, 2e-3);
    sn_world_free(world);
}

TEST_EACH_WAY(a_conveyor_carries_a_box_at_its_speed, body_of(box_of(0.1, 0.1, 0.1, 2))) {
    for (int kind = 0; kind < BELT_KINDS; kind++)
        for (int narrow = 0; narrow < 2; narrow++) {
            sn_world_def def = def_of(way);
            if (def.friction == SN_FRICTION_NONE) continue;
            def.precision = narrow ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE;
            carry(def, kind, model, way->name);
        }
}

/* Friction inside the pair takes nothing from its momentum: the carrier moves back. */
TEST(a_belt_on_a_member_pushes_that_member_back) {
    for (int rows = 0; rows < 2; rows++) {
        sn_shape_def belt = box_of(2, 0.5, 0.1, 20), crate = box_of(0.1, 0.1, 0.1, 2);
        belt.surface_velocity[0] = 1, belt.friction = 0;
        sn_world_def def = rows ? rows_def() : sn_world_def_default();
        sn_shape_def ice = sn_shape_def_default(SN_SHAPE_BOX);
        ice.friction = 0;
        belt.friction = 1;
        sn_world *world = world_of(&def);
        sn_model *model[2] = {free_body(&belt), free_body(&crate)};
        const int below = member_of(world, model[0]), above = member_of(world, model[1]);
        floor_of(world, &ice);
        put_body(world, below, (const double[3]){0, 0, 0.1}, NULL, NULL);
        put_body(world, above, (const double[3]){-1, 0, 0.3}, NULL, NULL);
        run_for(world, 1, def.dt);
        double q[7], qd[2][6];
        sn_world_get_state(world, below, q, qd[0]);
        sn_world_get_state(world, above, q, qd[1]);
        assert_near(qd[1][0] - qd[0][0], 1, 0.01);
        assert_near(20 * qd[0][0] + 2 * qd[1][0], 0, 0.02);
        sn_world_free(world);
        sn_model_free(model[0]), sn_model_free(model[1]);
    }
}

TEST(a_belt_that_stops_lets_the_box_come_to_rest_and_one_that_starts_wakes_it) {
    sn_model *model = body_of(box_of(0.1, 0.1, 0.1, 2));
    sn_world_def def = sn_world_def_default();
    def.sleep = 0.05, def.dt = 1.0 / 60;
    sn_world *world = world_of(&def);
    const int member = member_of(world, model), ground = floor_of(world, NULL);
    put_body(world, member, (const double[3]){0, 0, 0.1}, NULL, NULL);
    run_for(world, 2, def.dt);
    double asleep, q[7], qd[6];
    sn_world_get(world, member, SN_FIELD_ASLEEP, 0, 1, &asleep);
    assert_true(asleep == 1);
    assert_int_equal(sn_world_set_surface_velocity(world, ground, (const double[3]){0, 2, 0}), SN_OK);
    run_for(world, 1, def.dt);
    sn_world_get_state(world, member, q, qd);
    assert_near(qd[1], 2, 0.02);
    assert_int_equal(sn_world_set_surface_velocity(world, ground, (const double[3]){0, 0, 0}), SN_OK);
    run_for(world, 1, def.dt);
    sn_world_get_state(world, member, q, qd);
    assert_near(qd[1], 0, 1e-6);
    assert_int_equal(sn_world_set_surface_velocity(world, ground, (const double[3]){0, NAN, 0}),
                     SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_set_surface_velocity(world, 7, (const double[3]){0, 1, 0}), SN_ERROR_ARGUMENT);
    end_scene(world, model);
}

TEST(a_snapshot_brings_the_belt_back) {
    sn_model *model = body_of(box_of(0.1, 0.1, 0.1, 2));
    sn_world_def def = sn_world_def_default();
    sn_shape_def material = sn_shape_def_default(SN_SHAPE_BOX);
    material.surface_velocity[0] = 1;
    sn_world *world = world_of(&def);
    const int member = member_of(world, model), ground = floor_of(world, &material);
    put_body(world, member, (const double[3]){0, 0, 0.1}, NULL, NULL);
    run_for(world, 0.1, def.dt);
    const struct promise promise = promise_of(world, 0.5, def.dt);
    sn_world_set_surface_velocity(world, ground, (const double[3]){0, 0, 0});
    run_for(world, 0.5, def.dt);
    keep_promise(world, promise);
    end_scene(world, model);
}

/* ------------------------------------------------------------------------------------------------ filters */

enum { NOBODY = -2 };

struct answer {
    int refused_member; /* or NOBODY */
    double friction, restitution, velocity;
    int asked;
};

static bool filter_by(void *user, sn_near_pair *pair) {
    struct answer *a = user;
    a->asked++;
    if (a->friction >= 0) pair->friction = a->friction;
    if (a->restitution > 0) pair->restitution = a->restitution;
    pair->surface_velocity[0] += a->velocity;
    return pair->member[0] != a->refused_member && pair->member[1] != a->refused_member;
}

TEST_EACH_WAY(a_pair_that_the_filter_refuses_does_not_touch, body_of(box_of(0.1, 0.1, 0.1, 2))) {
    const sn_world_def def = def_of(way);
    sn_world *world = world_of(&def);
    struct answer answer = {.refused_member = 1, .friction = -1};
    floor_of(world, NULL);
    for (int i = 0; i < 2; i++)
        put_body(world, member_of(world, model), (const double[3]){i, 0, 0.1}, NULL, NULL);
    assert_int_equal(sn_world_set_filter(world, 1, filter_by, &answer), SN_OK);
    run_for(world, 0.5, def.dt);
    double z[2];
    for (int i = 0; i < 2; i++) {
        double pos[3];
        body_pose(world, i, 0, pos, NULL);
        z[i] = pos[2];
    }
    assert_near(z[0], 0.1, 2e-3);
    assert_near(z[1], 0.1 - G * 0.125, 0.03); /* falls freely */
    assert_true(answer.asked > 0);
    sn_world_free(world);
}

/* Down a slope it accelerates by g (sin a - mu cos a). */
TEST_EACH_WAY(a_filter_changes_friction, body_of(box_of(0.1, 0.1, 0.1, 2))) {
    const sn_world_def def = def_of(way);
    const double a = 0.5, mu = 0.2, seconds = 0.5;
    if (def.friction == SN_FRICTION_NONE) return;
    sn_world *world = world_of(&def);
    struct answer answer = {.refused_member = NOBODY, .friction = mu};
    double rot[4];
    turn_about((const double[3]){0, 1, 0}, a, rot);
    sn_world_add_plane(world, (const double[3]){0, 0, 0}, (const double[3]){sin(a), 0, cos(a)}, NULL, NULL);
    const int member = member_of(world, model);
    put_body(world, member, (const double[3]){0.1 * sin(a), 0, 0.1 * cos(a)}, rot, NULL);
    assert_int_equal(sn_world_set_filter(world, 1, filter_by, &answer), SN_OK);
    run_for(world, seconds, def.dt);
    double q[7], qd[6];
    sn_world_get_state(world, member, q, qd);
    const double speed = qd[0] * cos(a) - qd[2] * sin(a);
    assert_near(speed, G * (sin(a) - mu * cos(a)) * seconds, 0.02 * G * seconds);
    sn_world_free(world);
}

TEST(a_filter_makes_a_ball_bounce) {
    for (int rows = 0; rows < 2; rows++) {
        sn_model *model = body_of(sphere_of(0.1, 1));
        sn_world_def def = rows ? rows_def() : sn_world_def_default();
        sn_world *world = world_of(&def);
        struct answer answer = {.refused_member = NOBODY, .friction = -1, .restitution = 0.8};
        const int member = member_of(world, model);
        floor_of(world, NULL);
        put_body(world, member, (const double[3]){0, 0, 1.1}, NULL, NULL);
        assert_int_equal(sn_world_set_filter(world, 1, filter_by, &answer), SN_OK);
        double highest = 0, pos[3];
        for (double t = 0; t < 1.0; t += def.dt) { /* falls for .45 s, is up again after .81 s */
            step_world(world);
            body_pose(world, member, 0, pos, NULL);
            if (t > 0.5) highest = fmax(highest, pos[2] - 0.1);
        }
        assert_near(highest, 0.64, 0.02);
        end_scene(world, model);
    }
}

TEST(a_filter_gives_a_surface_velocity) {
    for (int rows = 0; rows < 2; rows++) {
        sn_model *model = body_of(box_of(0.1, 0.1, 0.1, 2));
        sn_world_def def = rows ? rows_def() : sn_world_def_default();
        sn_world *world = world_of(&def);
        struct answer answer = {.refused_member = NOBODY, .friction = -1, .velocity = -0.7};
        const int member = member_of(world, model);
        floor_of(world, NULL);
        put_body(world, member, (const double[3]){0, 0, 0.1}, NULL, NULL);
        assert_int_equal(sn_world_set_filter(world, 1, filter_by, &answer), SN_OK);
        run_for(world, 1, def.dt);
        double q[7], qd[6];
        sn_world_get_state(world, member, q, qd);
        assert_near(qd[0], -0.7, 0.007);
        end_scene(world, model);
    }
}

/* A plate that holds only what comes from above. */
static bool one_way(void *user, sn_near_pair *pair) {
    (void)user;
    return pair->member[1] >= 0 || (pair->normal[2] > 0.9 && pair->gap > -0.02);
}

TEST(a_one_way_platform_lets_a_ball_up_and_holds_it_from_above) {
    sn_model *model = body_of(sphere_of(0.1, 1));
    sn_world_def def = sn_world_def_default();
    sn_world *world = world_of(&def);
    sn_shape_def plate = box_of(1, 1, 0.02, 1);
    const int member = member_of(world, model);
    sn_world_add_shape(world, &plate, (const double[3]){0, 0, 1}, (const double[4]){1, 0, 0, 0}, NULL);
    put_body(world, member, (const double[3]){0, 0, 0.3}, NULL, (const double[6]){0, 0, 6});
    assert_int_equal(sn_world_set_filter(world, 1, one_way, NULL), SN_OK);
    double highest = 0, pos[3];
    for (int i = 0; i < 480; i++) {
        step_world(world);
        body_pose(world, member, 0, pos, NULL);
        highest = fmax(highest, pos[2]);
    }
    assert_near(highest, 0.3 + 36 / (2 * G), 0.05);
    assert_near(pos[2], 1.12, 2e-3);
    end_scene(world, model);
}

/* Slower to the left: what it says depends on the pair alone. */
static bool by_place(void *user, sn_near_pair *pair) {
    (void)user;
    pair->surface_velocity[0] = pair->pos[0] + 0.1 * pair->copy;
    return pair->body[0] != 3;
}

static uint64_t run_filtered(int threads, bool rows) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world_def def = rows ? rows_def() : sn_world_def_default();
    def.threads = threads, def.copies = 5, def.dt = 1.0 / 120;
    sn_world *world = world_of(&def);
    double q[64];
    const int member = member_of(world, model);
    floor_of(world, NULL);
    stand_humanoid(world, member, q);
    uniform_gains(world, member, 0, 0, 300, 30);
    assert_int_equal(sn_world_set_filter(world, 1, by_place, NULL), SN_OK);
    run_for(world, 0.5, def.dt);
    const uint64_t hash = sn_world_hash(world);
    end_scene(world, model);
    return hash;
}

TEST(threads_do_not_change_what_a_filter_does) {
    for (int rows = 0; rows < 2; rows++)
        assert_true(run_filtered(1, rows) == run_filtered(3, rows));
}

/* Set and taken away again, or for other categories alone: as if it had never been there. */
TEST(a_filter_that_is_gone_leaves_no_trace) {
    uint64_t hash[3];
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int k = 0; k < 3; k++) {
        sn_world_def def = sn_world_def_default();
        def.sleep = 1e-9; /* one copy per block in any case */
        sn_world *world = world_of(&def);
        struct answer answer = {.refused_member = 0, .friction = -1};
        double q[64];
        const int member = member_of(world, model);
        floor_of(world, NULL);
        stand_humanoid(world, member, q);
        uniform_gains(world, member, 0, 0, 300, 30);
        if (k > 0) sn_world_set_filter(world, k == 1 ? 1 : 2, filter_by, &answer);
        if (k == 1) sn_world_set_filter(world, 0, NULL, NULL);
        run_for(world, 0.5, def.dt);
        assert_int_equal(answer.asked, 0);
        hash[k] = sn_world_hash(world);
        sn_world_free(world);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
    sn_model_free(model);
}

TEST(the_position_stepper_has_no_filters_and_no_belts) {
    sn_world_def def = sn_world_def_default();
    def.stepper = SN_STEPPER_POSITION;
    sn_world *world = world_of(&def);
    sn_shape_def material = sn_shape_def_default(SN_SHAPE_BOX);
    struct answer answer = {.refused_member = NOBODY};
    sn_error error;
    assert_int_equal(sn_world_set_filter(world, 1, filter_by, &answer), SN_ERROR_UNSUPPORTED);
    material.surface_velocity[1] = 1;
    assert_int_equal(
        sn_world_add_plane(world, (const double[3]){0}, (const double[3]){0, 0, 1}, &material, &error), -1);
    assert_int_equal(error.status, SN_ERROR_UNSUPPORTED);
    sn_world_free(world);
}

int main(void) {
    return run_all("world_filter");
}
