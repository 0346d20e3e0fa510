/* Handles of members, the calls of a first program, and pushes that end by themselves. */
#include <stdlib.h>
#include <string.h>

#include "world_helpers.h"

static sn_model *ball_of(double radius) {
    sn_shape_def sphere = sn_shape_def_default(SN_SHAPE_SPHERE);
    sphere.size[0] = radius;
    return free_body(&sphere);
}

/* -------------------------------------------------------------------------------------------------- handles */

TEST(a_handle_that_is_out_of_date_is_refused_everywhere) {
    sn_model *ball = ball_of(0.1);
    sn_world *world = world_of(NULL);
    const sn_member old = member_of(world, ball), other = member_of(world, ball);
    double q[7], qd[6] = {0}, values[64];
    sn_world_get_state(world, old, q, NULL);
    assert_int_equal(sn_world_remove(world, old), SN_OK);
    const sn_member fresh = member_of(world, ball); /* in the same place */
    assert_int_not_equal(fresh, old);
    assert_int_equal(sn_world_member(world, 0), fresh);
    assert_int_equal(sn_world_member(world, 1), other);
    assert_int_equal(sn_world_member(world, 2), -1);
    assert_int_equal(sn_world_member(world, -1), -1);
    assert_int_equal(sn_world_get_info(world).members, 2);
    const sn_member bad[] = {old, -1, 2, fresh + (1 << 20), INT32_MAX};
    for (int i = 0; i < COUNT(bad); i++) {
        const sn_member m = bad[i];
        assert_null(sn_world_model(world, m));
        assert_int_equal(sn_world_set_state(world, m, q, qd), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_get_state(world, m, q, qd), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_set_target(world, m, q, qd), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_set_gains(world, m, qd, qd), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_push(world, m, 0, qd, NULL, 1), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_hold(world, m, 1, 1), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_body_pose(world, m, 0, values, NULL), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_set_active(world, m, false), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_remove(world, m), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_size(world, m, SN_FIELD_Q), 0);
        assert_int_equal(sn_world_get(world, m, SN_FIELD_Q, 0, 1, values), SN_ERROR_ARGUMENT);
        assert_null(sn_world_view(world, m, SN_FIELD_Q));
        sn_constraint_def pin = sn_constraint_def_default(SN_CONSTRAINT_PIN);
        pin.member = m;
        assert_int_equal(sn_world_add_constraint(world, &pin, NULL), 0);
        pin.member = fresh, pin.member2 = m;
        if (m != -1) assert_int_equal(sn_world_add_constraint(world, &pin, NULL), 0);
    }
    end_scene(world, ball);
}

TEST(contacts_hits_and_constraints_name_handles) {
    sn_model *ball = ball_of(0.1);
    sn_world *world = world_of(NULL);
    assert_int_equal(sn_world_add_floor(world), 0);
    for (int i = 0; i < 3; i++) /* so that the handle is not a small number */
        assert_int_equal(sn_world_remove(world, member_of(world, ball)), SN_OK);
    const sn_member m = member_of(world, ball);
    assert_true(m > 1000);
    put_body(world, m, (const double[3]){0, 0, 0.0999}, NULL, NULL);
    step_world(world);
    int count = 0;
    const sn_contact *contact = sn_world_contacts(world, 0, &count);
    assert_int_equal(count, 1);
    assert_int_equal(contact[0].member[0], m);
    assert_int_equal(contact[0].member[1], -1);
    sn_hit hit;
    assert_true(sn_world_cast_ray(world, 0, (const double[3]){0, 0, 1}, (const double[3]){0, 0, -2},
                                  UINT32_MAX, &hit));
    assert_int_equal(hit.member, m);
    const sn_ray ray = {{0, 0, 1}, {0, 0, -2}, UINT32_MAX};
    assert_int_equal(sn_world_cast_rays(world, 0, 1, &ray, &hit), 1);
    assert_int_equal(hit.member, m);
    int body = -1;
    assert_int_equal(sn_world_find_body(world, sn_model_body(ball, 0)->name, &body), m);
    assert_int_equal(body, 0);
    sn_constraint_def pin = sn_constraint_def_default(SN_CONSTRAINT_PIN);
    pin.member = m, pin.point2[2] = 0.5;
    const sn_constraint c = sn_world_add_constraint(world, &pin, NULL);
    sn_constraint_state held;
    assert_true(c != 0);
    assert_int_equal(sn_world_get_constraint(world, c, 0, &held), SN_OK);
    assert_near(held.distance, 0.4, 1e-3);
    assert_int_equal(sn_world_remove(world, m), SN_OK);
    assert_int_equal(sn_world_get_constraint(world, c, 0, &held), SN_ERROR_ARGUMENT); /* it went along */
    end_scene(world, ball);
}

TEST(a_snapshot_brings_handles_back) {
    sn_model *ball = ball_of(0.1);
    sn_world *world = world_of(NULL);
    const sn_member first = member_of(world, ball), second = member_of(world, ball);
    size_t size;
    unsigned char *block = snapshot_of(world, &size);
    assert_int_equal(sn_world_remove(world, first), SN_OK);
    const sn_member third = member_of(world, ball);
    assert_int_equal(sn_world_restore(world, block, size, NULL), SN_OK);
    assert_ptr_equal(sn_world_model(world, first), ball);
    assert_ptr_equal(sn_world_model(world, second), ball);
    assert_null(sn_world_model(world, third));
    free(block);
    end_scene(world, ball);
}

TEST(a_place_is_given_up_when_its_handles_are_used_up) {
    sn_model *ball = ball_of(0.1);
    sn_world *world = world_of(NULL);
    const sn_member stays = member_of(world, ball), first = member_of(world, ball);
    sn_member last = first;
    for (int i = 0; i < 2100; i++) { /* more than one place has */
        assert_int_equal(sn_world_remove(world, last), SN_OK);
        const sn_member fresh = member_of(world, ball);
        assert_true(fresh >= 0 && fresh != last && fresh != first && fresh != stays);
        last = fresh;
    }
    assert_int_equal(sn_world_member(world, 1), -1);
    assert_int_equal(sn_world_member(world, 2), last);
    step_world(world);
    end_scene(world, ball);
}

/* ---------------------------------------------------------------------------------------- the first program */

TEST(hold_is_stand_state_target_and_gains_in_one) {
    sn_model *human = sn_builtin_create("humanoid", NULL);
    const sn_world_def def = sn_world_def_default();
    double q[MAX_NQ], kp[MAX_NV], kd[MAX_NV], moving[MAX_NV];
    sn_world *one = world_of(&def), *two = world_of(&def);
    for (int i = 0; i < MAX_NV; i++)
        moving[i] = 1;
    sn_world_add_floor(one);
    floor_of(two, NULL);
    const sn_member a = member_of(one, human), b = member_of(two, human);
    assert_int_equal(sn_world_set_state(one, a, NULL, moving), SN_OK); /* hold puts it at rest */
    assert_int_equal(sn_world_hold(one, a, 1000, 100), SN_OK);
    sn_model_home_pose(human, q);
    sn_gains_uniform(human, 0, 0, 1000, 100, kp, kd);
    assert_int_equal(sn_world_stand(two, b, q), SN_OK);
    assert_int_equal(sn_world_set_gains(two, b, kp, kd), SN_OK);
    assert_int_equal(sn_world_set_state(two, b, q, NULL), SN_OK);
    assert_int_equal(sn_world_set_target(two, b, q, NULL), SN_OK);
    for (int i = 0; i < 60; i++) {
        step_world(one), step_world(two);
        assert_true(sn_world_hash(one) == sn_world_hash(two));
    }
    assert_int_equal(sn_world_hold(one, a, -1, 0), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_hold(one, a, (double)NAN, 0), SN_ERROR_ARGUMENT);
    /* gains of 0: chosen ones, on which it stands for a second */
    double pos[3], before[3];
    assert_int_equal(sn_world_hold(one, a, 0, 0), SN_OK);
    assert_int_equal(sn_world_body_pose(one, a, 0, before, NULL), SN_OK);
    run_for(one, 1, def.dt);
    assert_int_equal(sn_world_body_pose(one, a, 0, pos, NULL), SN_OK);
    assert_near_n(pos, before, 3, 0.02);
    sn_world_free(one);
    end_scene(two, human);
}

TEST(the_pose_of_one_body_is_that_of_the_field) {
    sn_model *human = sn_builtin_create("humanoid", NULL);
    sn_world *world = world_of(NULL);
    const sn_member m = member_of(world, human);
    double q[MAX_NQ], qd[MAX_NV], all[7 * MAX_NV], pos[3], rot[4];
    struct rng rng = {4};
    random_state(&rng, human, 0.6, 1, q, qd);
    assert_int_equal(sn_world_set_state(world, m, q, qd), SN_OK);
    assert_int_equal(sn_world_get(world, m, SN_FIELD_BODY_POSE, 0, 1, all), SN_OK);
    for (int i = 0; i < sn_model_get(human)->nbody; i++) {
        assert_int_equal(sn_world_body_pose(world, m, i, pos, rot), SN_OK);
        assert_near_n(pos, all + 7 * i, 3, 1e-12);
        double dot = 0;
        for (int k = 0; k < 4; k++)
            dot += rot[k] * all[7 * i + 3 + k];
        assert_near(fabs(dot), 1, 1e-12);
    }
    assert_int_equal(sn_world_body_pose(world, m, -1, pos, rot), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_body_pose(world, m, sn_model_get(human)->nbody, pos, rot), SN_ERROR_ARGUMENT);
    end_scene(world, human);
}

/* --------------------------------------------------------------------------------------------------- pushes */

/* A free ball without gravity: the impulse is exact. */
TEST(a_push_gives_its_impulse_and_ends_by_itself) {
    sn_model *ball = ball_of(0.1);
    for (int substeps = 1; substeps <= 7; substeps += 3) {
        sn_world_def def = sn_world_def_default();
        def.gravity[2] = 0, def.substeps = substeps, def.copies = 3;
        sn_world *world = world_of(&def);
        const sn_member m = member_of(world, ball);
        const double force[3] = {3, 0, 0}, mass = sn_model_get(ball)->mass;
        double qd[6], push[18], zero[18] = {0};
        assert_int_equal(sn_world_push(world, m, 0, force, NULL, 24.3 * def.dt), SN_OK); /* 24 whole steps */
        for (int i = 0; i * substeps < 40; i++)
            step_world(world);
        for (int copy = 0; copy < 3; copy++) {
            assert_int_equal(sn_world_get(world, m, SN_FIELD_QD, copy, 1, qd), SN_OK);
            assert_near(qd[0], 3 * 24 * def.dt / mass, 1e-12);
        }
        assert_int_equal(sn_world_get(world, m, SN_FIELD_PUSH, 0, 3, push), SN_OK);
        assert_memory_equal(push, zero, sizeof push);
        /* the shortest is one step; one without an end lasts */
        const double start = qd[0];
        assert_int_equal(sn_world_push(world, m, 0, force, NULL, 1e-9), SN_OK);
        run_for(world, 8 * substeps * def.dt, substeps * def.dt);
        sn_world_get_state(world, m, NULL, qd);
        assert_near(qd[0], start + 3 * def.dt / mass, 1e-12);
        assert_int_equal(sn_world_push(world, m, 0, force, NULL, 5 * def.dt), SN_OK);
        assert_int_equal(sn_world_push(world, m, 0, force, NULL, (double)INFINITY), SN_OK); /* replaces it */
        run_for(world, 8 * substeps * def.dt, substeps * def.dt);
        sn_world_get_state(world, m, NULL, qd);
        assert_near(qd[0], start + 3 * (1 + 8 * substeps) * def.dt / mass, 1e-12);
        assert_int_equal(sn_world_push(world, m, 0, force, NULL, 0), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_push(world, m, 0, force, NULL, -1), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_push(world, m, 0, force, NULL, (double)NAN), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_push(world, m, 1, force, NULL, 1), SN_ERROR_ARGUMENT);
        sn_world_free(world);
    }
    sn_model_free(ball);
}

TEST(a_snapshot_remembers_when_a_push_ends) {
    sn_model *human = sn_builtin_create("humanoid", NULL);
    for (int threads = 1; threads <= 2; threads++) {
        sn_world_def def = sn_world_def_default();
        def.substeps = 4, def.copies = 4, def.threads = threads;
        sn_world *world = world_of(&def);
        sn_world_add_floor(world);
        const sn_member m = member_of(world, human);
        assert_int_equal(sn_world_hold(world, m, 1000, 100), SN_OK);
        assert_int_equal(sn_world_push(world, m, 0, (const double[3]){150, 0, 0}, NULL, 0.1), SN_OK);
        assert_int_equal(sn_world_push(world, m, 2, (const double[3]){0, 20, 0}, NULL, 0.15), SN_OK);
        for (int i = 0; i < 3; i++)
            step_world(world);
        size_t size;
        unsigned char *block = snapshot_of(world, &size);
        uint64_t hash[2];
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 20; i++)
                step_world(world);
            hash[round] = sn_world_hash(world);
            assert_int_equal(sn_world_restore(world, block, size, NULL), SN_OK);
        }
        assert_true(hash[0] == hash[1]);
        free(block);
        sn_world_free(world);
    }
    sn_model_free(human);
}

int main(void) {
    return run_all("world members");
}
