/* Who touches whom, and steps that cannot be taken. */
#include "world_helpers.h"

#include "base/quat.h"

static void run(sn_world *world, double seconds, double dt) {
    const int steps = (int)(seconds / dt + 0.5);
    for (int i = 0; i < steps; i++)
        step_world(world);
}

/* ----------------------------------------------------------------------------------------------- not finite */

TEST(what_overflows_is_frozen_by_itself_and_is_named) {
    struct way way[WAYS];
    const int n = ways_of(way);
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const sn_shape_def shape = sphere_of(0.1, 1);
    sn_model *ball = free_body(&shape);
    const int last = sn_model_nbody(model) - 1; /* light enough for the push to overflow at once */
    for (int k = 0; k < n; k++)
        for (int precision = SN_DOUBLE; precision <= SN_FLOAT; precision++)
            for (int cause = 0; cause < 3; cause++) { /* a push on the humanoid; on the ball; gains */
                sn_world_def def = def_of(&way[k]);
                def.precision = (sn_precision)precision;
                sn_world *world = world_of(&def);
                floor_of(world, NULL);
                const int c = member_of(world, model);
                const int b = member_of(world, ball);
                double q[MAX_NQ], q1[2][MAX_NQ], qd1[2][MAX_NV], q2[MAX_NQ], qd2[MAX_NV];
                uniform_gains(world, c, 0, 0, 1000, 100);
                stand_humanoid(world, c, q);
                put_body(world, b, (const double[3]){1, 1, 0.1}, NULL, NULL);
                for (int i = 0; i < 30; i++)
                    step_world(world);
                const double time = sn_world_time(world);
                sn_world_get_state(world, c, q1[0], qd1[0]);
                sn_world_get_state(world, b, q1[1], qd1[1]);
                const double huge[3] = {precision ? 3e38 : 1.7e308, 0, precision ? 3e38 : 1.7e308},
                             zero[3] = {0};
                const double huge2[3] = {huge[0], huge[2], huge[0]};
                double kp[MAX_NV], kd[MAX_NV];
                if (cause == 2) {
                    for (int v = 0; v < sn_model_nv(model); v++)
                        kp[v] = kd[v] = v < 6 ? 0 : precision ? 3e38 : 1.7e308;
                    assert_int_equal(sn_world_set_gains(world, c, kp, kd), SN_OK);
                    double bent[MAX_NQ];
                    memcpy(bent, q, sizeof bent);
                    for (int i = 7; i < sn_model_nq(model); i++)
                        bent[i] += 2;
                    assert_int_equal(sn_world_set_target(world, c, bent, NULL), SN_OK);
                } else {
                    assert_int_equal(sn_world_set_push(world, cause ? b : c, cause ? 0 : last, huge, huge2),
                                     SN_OK);
                }
                int taken = 0;
                for (; taken < 3 && !stats_of(world).diverged;
                     taken++) { /* the push may need a step to overflow */
                    sn_world_get_state(world, c, q1[0], qd1[0]);
                    sn_world_get_state(world, b, q1[1], qd1[1]);
                    step_world(world); /* the other one goes on */
                }
                const sn_world_stats stats = stats_of(world);
                const int bad = cause == 1 ? b : c;
                const sn_model *of = cause == 1 ? ball : model;
                if (stats.diverged != 1 || stats.bad_member != bad)
                    fail_msg("%s, %s, cause %d: %d frozen, member %d is named after %d steps", way[k].name,
                             precision ? "float" : "double", cause, stats.diverged, stats.bad_member, taken);
                assert_int_equal(stats.bad_copy, 0);
                assert_true(stats.bad_dof >= 0 && stats.bad_dof < sn_model_nv(of));
                for (int m = 0; m < 2; m++) {
                    double flag;
                    assert_int_equal(sn_world_get(world, m, SN_FIELD_DIVERGED, 0, 1, &flag), SN_OK);
                    assert_true(flag == (m == bad));
                }
                sn_world_get_state(world, bad, q2, qd2);
                assert_memory_equal(q2, q1[bad], sizeof *q2 * (size_t)sn_model_nq(of));
                assert_memory_equal(qd2, qd1[bad], sizeof *qd2 * (size_t)sn_model_nv(of));
                assert_near(sn_world_time(world), time + taken * def.dt, 1e-9);
                if (taken == 1) { /* and goes on, when its state is set */
                    assert_int_equal(
                        sn_world_set_push(world, cause == 1 ? b : c, cause ? 0 : last, zero, zero), SN_OK);
                    assert_int_equal(sn_world_set_state(world, bad, q1[bad], qd1[bad]), SN_OK);
                    uniform_gains(world, c, 0, 0, 1000, 100);
                    assert_int_equal(sn_world_set_target(world, c, q, NULL), SN_OK);
                    for (int i = 0; i < 60; i++)
                        step_world(world);
                    assert_int_equal(stats_of(world).diverged, 0);
                    assert_true(fastest(world) < 0.1);
                    assert_near(lowest_point(world, c), 0, 2e-3);
                } else {
                    print_message("  %s, %s, cause %d: caught in step %d\n", way[k].name,
                                  precision ? "float" : "double", cause, taken);
                }
                sn_world_free(world);
            }
    sn_model_free(model);
    sn_model_free(ball);
}

/* ------------------------------------------------------------------------------------- who touches whom */

TEST(one_that_is_not_active_stays_and_touches_nothing) {
    struct way way[WAYS];
    const int n = ways_of(way);
    const sn_shape_def shape = box_of(0.2, 0.2, 0.2, 1);
    sn_model *model = free_body(&shape);
    for (int k = 0; k < n; k++) {
        sn_world_def def = def_of(&way[k]);
        sn_world *world = world_of(&def);
        floor_of(world, NULL);
        for (int i = 0; i < 2; i++)
            member_of(world, model);
        put_body(world, 0, (const double[3]){0, 0, 0.25}, NULL, (const double[6]){0, 1, 0});
        put_body(world, 1, (const double[3]){0, 0, 1}, NULL, NULL);
        assert_int_equal(sn_world_set_active(world, 0, false), SN_OK);
        double before[7], speed[6], q[7], qd[6];
        sn_world_get_state(world, 0, before, speed);
        for (int i = 0; i < 300; i++) {
            step_world(world);
            int count;
            const sn_contact *contact = sn_world_contacts(world, 0, &count);
            for (int j = 0; j < count; j++)
                assert_true(contact[j].member[0] == 1 && contact[j].member[1] == -1);
        }
        sn_world_get_state(world, 0, q, qd);
        assert_memory_equal(q, before, sizeof q);
        assert_memory_equal(qd, speed, sizeof qd);
        sn_world_get_state(world, 1, q, qd);
        assert_near(q[2], 0.2, 2e-3); /* it fell through the other one to the floor */
        put_body(world, 1, (const double[3]){0, 0, 1}, NULL, NULL);
        put_body(world, 0, (const double[3]){0, 0, 0.25}, NULL, NULL);
        assert_int_equal(sn_world_set_active(world, 0, true), SN_OK);
        run(world, 1.5, def.dt);
        sn_world_get_state(world, 1, q, qd);
        assert_near(q[2], 0.6, 4e-3);
        sn_world_free(world);
    }
    sn_model_free(model);
}

/* Whether two shapes with these bits touch, one fixed over the other. */
static bool bits_touch(uint32_t group1, uint32_t mask1, uint32_t group2, uint32_t mask2) {
    const sn_world_def def = rows_def();
    sn_world *world = world_of(&def);
    sn_shape_def shape[2] = {sphere_of(0.2, 1), sphere_of(0.2, 1)};
    shape[0].group = group1, shape[0].mask = mask1, shape[1].group = group2, shape[1].mask = mask2;
    sn_model *model[2];
    for (int i = 0; i < 2; i++) {
        model[i] = free_body(&shape[i]);
        put_body(world, member_of(world, model[i]), (const double[3]){0, 0, 0.39 * i}, NULL, NULL);
    }
    step_world(world);
    const bool touch = contact_count(world) > 0;
    sn_world_free(world);
    for (int i = 0; i < 2; i++)
        sn_model_free(model[i]);
    return touch;
}

TEST(groups_and_masks_choose_who_touches) {
    assert_true(bits_touch(1, UINT32_MAX, 1, UINT32_MAX));
    assert_false(bits_touch(1, 2, 1, 2));
    assert_true(bits_touch(1, 2, 2, 0)); /* the mask of either is enough */
    assert_true(bits_touch(2, 0, 1, 2));
    assert_false(bits_touch(0, 0, 1, UINT32_MAX));
    assert_false(bits_touch(4, 8, 16, 32));
    assert_true(bits_touch(UINT32_C(1) << 31, 0, 1, UINT32_C(1) << 31));
}

/* A trunk with an arm of two links folded back onto it. Pairs in touch, as bits: 1 trunk-upper, 2
   upper-lower, 4 trunk-lower. */
static unsigned self_touch(bool self_contact, bool excluded) {
    sn_builder *builder = sn_builder_create();
    static const char *const name[] = {"trunk", "upper", "lower"};
    for (int i = 0; i < 3; i++) {
        sn_body_def body = sn_body_def_default();
        body.name = name[i];
        body.parent = i ? name[i - 1] : NULL;
        body.joint = sn_joint_def_default(i ? SN_JOINT_HINGE : SN_JOINT_FREE);
        body.pos[0] = i == 1 ? 0.15 : i == 2 ? -0.02 : 0;
        sn_builder_add_body(builder, &body);
        const sn_shape_def shape = box_of(0.1, 0.1, 0.1, 1);
        sn_builder_add_shape(builder, name[i], &shape);
    }
    if (excluded) sn_builder_exclude(builder, "lower", "trunk");
    sn_model *model = build_and_free(builder);
    sn_world_def def = rows_def();
    def.gravity[2] = 0, def.self_contact = self_contact;
    sn_world *world = world_of(&def);
    member_of(world, model);
    step_world(world);
    unsigned pairs = 0;
    int count;
    const sn_contact *contact = contacts_of(world, &count);
    for (int i = 0; i < count; i++) {
        const int sum = contact[i].body[0] + contact[i].body[1];
        pairs |= sum == 1 ? 1 : sum == 3 ? 2 : 4;
    }
    sn_world_free(world);
    sn_model_free(model);
    return pairs;
}

TEST(bodies_of_one_member_touch_where_the_world_wants_that) {
    assert_int_equal(self_touch(false, false), 0);
    assert_int_equal(self_touch(true, false), 4); /* never parent and child */
    assert_int_equal(self_touch(true, true), 0);
}

int main(void) {
    return run_all("world touch");
}
