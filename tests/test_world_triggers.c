/* Triggers: shapes that touch nothing and say who is inside. */
#include "world_helpers.h"

static const double UPRIGHT[4] = {1, 0, 0, 0};

static sn_shape_def trigger_box(double x, double y, double z) {
    sn_shape_def shape = box_of(x, y, z, 1);
    shape.trigger = true;
    return shape;
}

/* How often each phase came in the last step of a copy. */
struct phases {
    int of[SN_TRIGGER_PHASE_COUNT];
};

static struct phases phases_of(const sn_world *world, int copy) {
    struct phases p = {{0}};
    int n;
    const sn_trigger_visit *v = sn_world_triggers(world, copy, &n);
    for (int i = 0; i < n; i++)
        p.of[v[i].phase]++;
    return p;
}

static void add_phases(struct phases *sum, const struct phases *p) {
    for (int i = 0; i < SN_TRIGGER_PHASE_COUNT; i++)
        sum->of[i] += p->of[i];
}

/* A ball of 0.1 m falls from z = 1 through the trigger |z| < 0.2: the centre of the ball is within 0.3 from the time it has
   fallen 0.7 m until it has fallen 1.3 m. */
TEST_EACH_WAY(a_ball_that_falls_through_a_trigger_begins_stays_and_ends_once, body_of(sphere_of(0.1, 1))) {
    const sn_world_def def = def_of(way);
    uint64_t hash[2];
    for (int with = 0; with < 2; with++) {
        sn_world *world = world_of(&def);
        const int member = member_of(world, model);
        const sn_shape_def shape = trigger_box(0.5, 0.5, 0.2);
        if (with) assert_int_equal(sn_world_add_shape(world, &shape, (const double[3]){0}, UPRIGHT, NULL), 0);
        put_body(world, member, (const double[3]){0, 0, 1}, NULL, NULL);
        struct phases sum = {{0}};
        double began = 0, ended = 0;
        for (int i = 0; i < 200; i++) {
            step_world(world);
            const struct phases p = phases_of(world, 0);
            if (p.of[SN_TRIGGER_PHASE_BEGAN]) began = sn_world_time(world);
            if (p.of[SN_TRIGGER_PHASE_ENDED]) ended = sn_world_time(world);
            add_phases(&sum, &p);
        }
        hash[with] = sn_world_hash(world);
        assert_int_equal(contact_count(world), 0);
        assert_int_equal(sum.of[SN_TRIGGER_PHASE_BEGAN], with);
        assert_int_equal(sum.of[SN_TRIGGER_PHASE_ENDED], with);
        assert_int_equal(sum.of[SN_TRIGGER_PHASE_PASSED], 0);
        if (with) {
            assert_near(began, sqrt(2 * 0.7 / 9.81), 2 * def.dt);
            assert_near(ended, sqrt(2 * 1.3 / 9.81), 2 * def.dt);
            assert_near(sum.of[SN_TRIGGER_PHASE_STAYED] + 1, (ended - began) / def.dt, 0.5);
        }
        sn_world_free(world);
    }
    assert_true(hash[0] == hash[1]); /* nothing has felt it */
}

/* Bullets at up to 400 m/s against a sheet of 2 mm that is tilted anyhow: whoever goes through is seen once. */
TEST(no_bullet_passes_a_thin_trigger_unseen) {
    sn_model *model = body_of(sphere_of(0.005, 0.01));
    sn_world_def def = sn_world_def_default();
    def.dt = 1.0 / 60, def.gravity[2] = 0;
    sn_world *world = world_of(&def);
    const int member = member_of(world, model);
    const sn_shape_def sheet = trigger_box(1, 1, 0.001);
    assert_int_equal(sn_world_add_shape(world, &sheet, (const double[3]){0}, UPRIGHT, NULL), 0);
    uint32_t seed = 7;
    for (int shot = 0; shot < 300; shot++) {
        double x[5], rot[4];
        for (int k = 0; k < 5; k++)
            seed = seed * 1664525u + 1013904223u, x[k] = (seed >> 8) * 0x1p-24;
        turn_about((const double[3]){x[0] - 0.5, x[1] - 0.5, 0.1}, 3 * x[2], rot);
        sn_world_move(world, 0, (const double[3]){0}, rot, NULL, NULL);
        const double speed = 50 + 350 * x[3], lead = (0.1 + 0.8 * x[4]) * speed * def.dt;
        /* along the sheet's normal */
        const double n[3] = {2 * (rot[1] * rot[3] + rot[0] * rot[2]), 2 * (rot[2] * rot[3] - rot[0] * rot[1]),
                             1 - 2 * (rot[1] * rot[1] + rot[2] * rot[2])};
        const double at[3] = {-lead * n[0], -lead * n[1], -lead * n[2]};
        put_body(world, member, at, NULL, (const double[6]){speed * n[0], speed * n[1], speed * n[2]});
        struct phases sum = {{0}};
        for (int i = 0; i < 3; i++) {
            step_world(world);
            const struct phases p = phases_of(world, 0);
            add_phases(&sum, &p);
        }
        assert_int_equal(sum.of[SN_TRIGGER_PHASE_PASSED] + sum.of[SN_TRIGGER_PHASE_BEGAN], 1);
        assert_int_equal(sum.of[SN_TRIGGER_PHASE_ENDED], sum.of[SN_TRIGGER_PHASE_BEGAN]);
    }
    end_scene(world, model);
}

TEST(one_that_sleeps_inside_stays_inside) {
    sn_model *model = body_of(box_of(0.1, 0.1, 0.1, 2));
    sn_world_def def = sn_world_def_default();
    def.sleep = 0.05, def.dt = 1.0 / 60;
    sn_world *world = world_of(&def);
    const int member = member_of(world, model);
    const sn_shape_def shape = trigger_box(1, 1, 1);
    floor_of(world, NULL);
    sn_world_add_shape(world, &shape, (const double[3]){0}, UPRIGHT, NULL);
    put_body(world, member, (const double[3]){0, 0, 0.1}, NULL, NULL);
    for (int i = 0; i < 120; i++) {
        step_world(world);
        const struct phases p = phases_of(world, 0);
        assert_int_equal(p.of[SN_TRIGGER_PHASE_STAYED], 1); /* it was there before the first step */
    }
    double asleep;
    sn_world_get(world, member, SN_FIELD_ASLEEP, 0, 1, &asleep);
    assert_true(asleep == 1);
    assert_int_equal(sn_world_set_active(world, member, false), SN_OK);
    step_world(world);
    assert_int_equal(phases_of(world, 0).of[SN_TRIGGER_PHASE_ENDED], 1);
    step_world(world);
    int n;
    sn_world_triggers(world, 0, &n);
    assert_int_equal(n, 0);
    assert_int_equal(sn_world_set_active(world, member, true), SN_OK);
    step_world(world);
    assert_int_equal(phases_of(world, 0).of[SN_TRIGGER_PHASE_BEGAN], 1);
    put_body(world, member, (const double[3]){9, 0, 0.1}, NULL, NULL); /* carried away between two steps */
    step_world(world);
    assert_int_equal(phases_of(world, 0).of[SN_TRIGGER_PHASE_ENDED], 1);
    end_scene(world, model);
}

/* A guard with a ball of sight around it: it weighs nothing, sees others and neither itself nor the ground. */
TEST(a_trigger_on_a_member_sees_who_comes_near) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    body.name = "guard", body.joint = sn_joint_def_default(SN_JOINT_FREE);
    sn_builder_add_body(builder, &body);
    sn_shape_def own = box_of(0.1, 0.1, 0.1, 3), sight = sphere_of(1, 5);
    sight.trigger = true, sight.group = 4, sight.mask = 2;
    sn_builder_add_shape(builder, "guard", &own);
    sn_builder_add_shape(builder, "guard", &sight);
    sn_model *guard = sn_builder_build(builder, NULL);
    sn_builder_free(builder);
    assert_near(sn_model_get(guard)->mass, 3, 1e-12);
    sn_shape_def thief_shape = sphere_of(0.1, 1), friend_shape = thief_shape;
    thief_shape.group = 3, thief_shape.friction = friend_shape.friction = 0;
    friend_shape.mask = 1;
    sn_model *thief = body_of(thief_shape), *mate = body_of(friend_shape);
    sn_world_def def = sn_world_def_default();
    sn_world *world = world_of(&def);
    const int g = member_of(world, guard), t = member_of(world, thief), f = member_of(world, mate);
    floor_of(world, NULL);
    put_body(world, g, (const double[3]){0, 0, 0.1}, NULL, NULL);
    put_body(world, f, (const double[3]){0, 0.5, 0.1}, NULL, NULL);
    put_body(world, t, (const double[3]){3, 0.3, 0.1}, NULL, (const double[6]){-3});
    struct phases sum = {{0}};
    for (int i = 0; i < 480; i++) {
        step_world(world);
        int n;
        const sn_trigger_visit *v = sn_world_triggers(world, 0, &n);
        for (int k = 0; k < n; k++) {
            assert_int_equal(v[k].trigger_member, g);
            assert_int_equal(v[k].trigger_shape, 1);
            assert_int_equal(v[k].member, t);
        }
        const struct phases p = phases_of(world, 0);
        add_phases(&sum, &p);
    }
    assert_int_equal(sum.of[SN_TRIGGER_PHASE_BEGAN], 1);
    assert_int_equal(sum.of[SN_TRIGGER_PHASE_ENDED], 1);
    assert_true(sum.of[SN_TRIGGER_PHASE_STAYED] > 50);
    sn_hit hit; /* from inside the ball of sight: a ray sees the box */
    assert_true(
        sn_world_cast_ray(world, 0, (const double[3]){0, 0, 3}, (const double[3]){0, 0, -4}, ~0u, &hit));
    assert_near(hit.pos[2], 0.2, 2e-3);
    sn_world_free(world);
    sn_model_free(guard), sn_model_free(thief), sn_model_free(mate);
}

/* Below the plane is inside. */
TEST(a_plane_as_trigger_sees_what_falls_out_of_the_world_in_each_copy) {
    sn_model *model = body_of(sphere_of(0.1, 1));
    sn_world_def def = sn_world_def_default();
    def.copies = 7;
    sn_world *world = world_of(&def);
    const int member = member_of(world, model);
    sn_shape_def material = sn_shape_def_default(SN_SHAPE_BOX);
    material.trigger = true;
    assert_int_equal(floor_of(world, &material), 0);
    for (int i = 0; i < 7; i++)
        sn_world_set(world, member, SN_FIELD_Q, i, 1, (const double[7]){0, 0, 1 + i, 1});
    int began[7] = {0};
    for (int s = 1; s <= 240; s++) {
        step_world(world);
        for (int i = 0; i < 7; i++)
            if (phases_of(world, i).of[SN_TRIGGER_PHASE_BEGAN]) began[i] = s;
    }
    for (int i = 0; i < 7; i++) {
        const double seconds = sqrt(2 * (0.9 + i) / 9.81);
        assert_near(began[i] * def.dt, seconds < 1 ? seconds : 0, 2 * def.dt);
    }
    end_scene(world, model);
}

TEST(a_restored_world_sees_the_same_visits) {
    sn_model *model = body_of(sphere_of(0.1, 1));
    sn_world_def def = sn_world_def_default();
    sn_world *world = world_of(&def);
    const int member = member_of(world, model);
    const sn_shape_def shape = trigger_box(0.5, 0.5, 0.2);
    sn_world_add_shape(world, &shape, (const double[3]){0}, UPRIGHT, NULL);
    put_body(world, member, (const double[3]){0, 0, 0.4}, NULL, NULL);
    run_for(world, 0.2, def.dt);
    size_t size;
    unsigned char *bytes = snapshot_of(world, &size);
    struct phases sum[2] = {{{0}}, {{0}}};
    for (int k = 0; k < 2; k++) {
        if (k) assert_int_equal(sn_world_restore(world, bytes, size, NULL), SN_OK);
        for (int i = 0; i < 60; i++) {
            step_world(world);
            const struct phases p = phases_of(world, 0);
            add_phases(&sum[k], &p);
        }
    }
    assert_memory_equal(&sum[0], &sum[1], sizeof sum[0]);
    assert_int_equal(sum[0].of[SN_TRIGGER_PHASE_ENDED], 1);
    sn_world_remove(world, member); /* who is gone is not reported */
    step_world(world);
    int n;
    sn_world_triggers(world, 0, &n);
    assert_int_equal(n, 0);
    free(bytes);
    end_scene(world, model);
}

TEST(height_fields_and_meshes_are_no_triggers) {
    static const double height[4] = {0, 0, 0, 0};
    sn_world_def def = sn_world_def_default();
    sn_world *world = world_of(&def);
    sn_shape_def material = sn_shape_def_default(SN_SHAPE_BOX);
    sn_error error;
    material.trigger = true;
    assert_int_equal(sn_world_add_heightfield(
                         world,
                         &(sn_heightfield_def){sizeof(sn_heightfield_def), 2, 2, {1, 1}, {0, 0, 0}, height},
                         &material, &error),
                     -1);
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    sn_world_free(world);
}

int main(void) {
    return run_all("world_triggers");
}
