/* The position stepper of worlds: copies, snapshots, members side by side, and where it says no. */
#include "position_crowd.h"

#include "base/quat.h"
#include "model/model.h"

/* ---------------------------------------------------------------------------------------- bits, restarts, refusals */

/* A copy among others, in other lanes and with other threads, as alone. */
TEST(a_copy_steps_as_it_does_alone) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    enum { COPIES = 11 };
    for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++)
        for (int trial = FALLS; trial <= PUSHED; trial++) {
            sn_world_def def = position_def(COPIES, (sn_precision)precision, 1.0 / 60);
            def.threads = 2;
            sn_world *world = crowd_of(model, &def, (enum trial)trial);
            const int steps = in_short() ? 6 : 45;
            double q[COPIES][MAX_NQ], qd[COPIES][MAX_NV], start[COPIES][MAX_NQ], rate[COPIES][MAX_NV];
            for (int i = 0; i < COPIES; i++)
                copy_get(world, 0, i, start[i], rate[i]);
            for (int i = 0; i < COPIES && trial == PUSHED; i++)
                rate[i][i % 6] += 0.5 * i, copy_put(world, 0, i, start[i], rate[i]);
            make_wild(world, 0, 4);
            for (int i = 0; i < steps; i++)
                step_world(world);
            for (int i = 0; i < COPIES; i++)
                copy_get(world, 0, i, q[i], qd[i]);
            sn_world_free(world);
            def.copies = def.threads = 1;
            for (int i = 0; i < COPIES; i += 5) {
                world = crowd_of(model, &def, (enum trial)trial);
                copy_put(world, 0, 0, start[i], rate[i]);
                double q1[MAX_NQ], qd1[MAX_NV];
                for (int k = 0; k < steps; k++)
                    step_world(world);
                copy_get(world, 0, 0, q1, qd1);
                assert_memory_equal(q1, q[i], sizeof *q1 * (size_t)model->nq);
                assert_memory_equal(qd1, qd[i], sizeof *qd1 * (size_t)model->nv);
                sn_world_free(world);
            }
        }
    sn_model_free(model);
}

TEST(a_snapshot_goes_on_with_the_same_bits) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int scheme = SN_SCHEME_PBAD2; scheme <= SN_SCHEME_BDF2; scheme++) {
        sn_world_def def = position_def(3, SN_PRECISION_FLOAT, 1.0 / 60);
        def.scheme = (sn_scheme)scheme;
        sn_world *world = crowd_of(model, &def, FALLS);
        const int steps = in_short() ? 5 : 40;
        for (int i = 0; i < steps; i++)
            step_world(world);
        const size_t size = sn_world_snapshot(world, NULL, 0);
        void *bytes = malloc(size);
        assert_int_equal(sn_world_snapshot(world, bytes, size), size);
        for (int i = 0; i < steps; i++)
            step_world(world);
        const uint64_t hash = sn_world_hash(world);
        sn_error error;
        assert_int_equal(sn_world_restore(world, bytes, size, &error), SN_OK);
        for (int i = 0; i < steps; i++)
            step_world(world);
        assert_true(sn_world_hash(world) == hash);
        sn_world_free(world);
        world = crowd_of(model, &def, STANDS); /* another world takes the history over */
        assert_int_equal(sn_world_restore(world, bytes, size, &error), SN_OK);
        for (int i = 0; i < steps; i++)
            step_world(world);
        assert_true(sn_world_hash(world) == hash);
        sn_world_free(world);
        def.scheme = (sn_scheme)!scheme; /* whose history is not of these poses */
        world = crowd_of(model, &def, STANDS);
        const uint64_t before = sn_world_hash(world);
        assert_int_not_equal(sn_world_restore(world, bytes, size, &error), SN_OK);
        assert_true(strlen(error.message) > 0 && sn_world_hash(world) == before);
        sn_world_free(world);
        free(bytes);
    }
    sn_model_free(model);
}

/* A history of another model is a snapshot of another world. */
TEST(the_history_of_another_model_is_refused) {
    sn_model *human = sn_builtin_create("humanoid", NULL), *snake = sn_builtin_create("snake36", NULL);
    const sn_world_def def = position_def(1, SN_PRECISION_DOUBLE, 1.0 / 60);
    sn_world *one = world_of(&def), *other = world_of(&def);
    member_of(one, human), member_of(other, snake);
    step_world(one);
    size_t size;
    unsigned char *bytes = snapshot_of(one, &size);
    const uint64_t before = sn_world_hash(other);
    sn_error error;
    assert_int_not_equal(sn_world_restore(other, bytes, size, &error), SN_OK);
    assert_true(strlen(error.message) > 0 && sn_world_hash(other) == before);
    free(bytes);
    sn_world_free(one);
    sn_world_free(other);
    sn_model_free(human);
    sn_model_free(snake);
}

/* A state that is set, or another dt, is where the next step begins: the past before it is gone. */
TEST(a_state_or_step_that_is_set_begins_anew) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int scheme = SN_SCHEME_PBAD2; scheme <= SN_SCHEME_BDF2; scheme++)
        for (int way = 0; way < 3; way++) {
            sn_world_def def = position_def(2, SN_PRECISION_DOUBLE, 1.0 / 60);
            def.scheme = (sn_scheme)scheme;
            def.contact = SN_CONTACT_NONE;
            double q[MAX_NQ], qd[MAX_NV], a[MAX_NQ], b[MAX_NQ], d[MAX_NV];
            sn_world *used = crowd_of(model, &def, FALLS);
            for (int i = 0; i < 10; i++)
                step_world(used);
            copy_get(used, 0, 1, q, qd);
            if (way == 1) q[0] += 5, qd[1] = 1;
            if (way < 2) copy_put(used, 0, 1, q, qd);
            if (way == 2) def.dt = 1.0 / 90, assert_int_equal(sn_world_set_dt(used, def.dt), SN_OK);
            sn_world *fresh = crowd_of(model, &def, FALLS);
            copy_put(fresh, 0, 1, q, qd);
            for (int i = 0; i < 10; i++)
                step_world(used), step_world(fresh);
            copy_get(used, 0, 1, a, NULL);
            copy_get(fresh, 0, 1, b, NULL);
            sn_model_pose_subtract(model, 1, a, b, d);
            for (int v = 0; v < model->nv; v++)
                assert_true(fabs(d[v] - (0)) <= 1e-12);
            sn_world_free(used);
            sn_world_free(fresh);
        }
    sn_model_free(model);
}

/* Members that cannot meet do as each would alone, bit by bit, in any number of copies. */
TEST(members_that_do_not_meet_step_as_if_alone) {
    sn_model *model[2] = {sn_builtin_create("humanoid", NULL), sn_builtin_create("snake36", NULL)};
    const int steps = in_short() ? 5 : 30;
    for (int copies = 1; copies <= 5; copies += 4)
        for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++) {
            sn_world_def def = position_def(copies, (sn_precision)precision, 1.0 / 60);
            def.contact = SN_CONTACT_NONE;
            sn_world *both = world_of(&def), *alone[2];
            for (int i = 0; i < 2; i++)
                assert_int_equal(member_of(both, model[i]), i);
            for (int i = 0; i < 2; i++) {
                double q[MAX_NQ], kp[MAX_NV], kd[MAX_NV];
                alone[i] = world_of(&def);
                member_of(alone[i], model[i]);
                sn_gains_uniform(model[i], 0, 0, i ? 500 : 0, i ? 20 : 0, kp, kd);
                sn_model_home_pose(model[i], q);
                sn_world *of[2] = {both, alone[i]};
                for (int k = 0; k < 2; k++) {
                    const int member = k ? 0 : i;
                    assert_int_equal(sn_world_set_gains(of[k], member, kp, kd), SN_OK);
                    for (int copy = 0; copy < copies; copy++) {
                        double qd[MAX_NV];
                        for (int v = 0; v < model[i]->nv; v++)
                            qd[v] = 0.3 * (v % 5) - 0.1 * copy;
                        copy_put(of[k], member, copy, q, qd);
                    }
                }
            }
            for (int s = 0; s < steps; s++) {
                step_world(both);
                for (int i = 0; i < 2; i++)
                    step_world(alone[i]);
            }
            for (int i = 0; i < 2; i++) {
                for (int copy = 0; copy < copies; copy++) {
                    double a[MAX_NQ], b[MAX_NQ];
                    copy_get(both, i, copy, a, NULL);
                    copy_get(alone[i], 0, copy, b, NULL);
                    assert_memory_equal(a, b, sizeof *a * (size_t)model[i]->nq);
                }
                sn_world_free(alone[i]);
            }
            make_wild(both, 1, copies - 1);
            sn_world_step(both);
            assert_int_equal(stats_of(both).diverged, 1); /* in one copy something is frozen, */
            assert_int_equal(stats_of(both).bad_member, 1);
            double q[MAX_NQ], after[MAX_NQ];
            for (int i = 0; i < 2; i++) { /* which the other member does not notice */
                copy_get(both, i, copies - 1, q, NULL);
                assert_int_equal(sn_world_step(both), SN_OK);
                copy_get(both, i, copies - 1, after, NULL);
                assert_true((memcmp(after, q, sizeof *q * (size_t)model[i]->nq) == 0) == (i == 1));
            }
            sn_world_free(both);
        }
    sn_model_free(model[0]);
    sn_model_free(model[1]);
}

static void refuses(sn_world_def def) {
    sn_error error = {0};
    assert_null(sn_world_create(&def, &error));
    assert_true(error.status != SN_OK && strlen(error.message) > 0);
}

TEST(what_the_position_stepper_cannot_do_is_refused) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world_def def = position_def(1, SN_PRECISION_DOUBLE, 1.0 / 60), bad = def;
    bad.contact = SN_CONTACT_ROWS, refuses(bad), bad = def;
    bad.self_contact = true, refuses(bad), bad = def;
    bad.sleep = 0.1, refuses(bad), bad = def;
    bad.scheme = (sn_scheme)2, refuses(bad), bad = def;
    bad.sweeps = -1, refuses(bad);
    sn_world *world = world_of(&def);
    sn_error error = {0};
    const int member = member_of(world, model), floor_number = floor_of(world, NULL);
    double q[MAX_NQ], linear[3] = {1, 0, 0};
    stand_humanoid(world, member, q);
    assert_int_equal(sn_world_add(world, model, &error), -1);
    assert_int_equal(error.status, SN_ERROR_UNSUPPORTED);
    assert_int_equal(sn_world_move(world, floor_number, NULL, NULL, linear, NULL), SN_ERROR_UNSUPPORTED);
    sn_shape_def box = sn_shape_def_default(SN_SHAPE_BOX);
    box.size[0] = box.size[1] = box.size[2] = 0.1;
    const double at[3] = {0, 0, -1}, rot[4] = {1, 0, 0, 0};
    assert_int_equal(sn_world_add_shape(world, &box, at, rot, &error), -1);
    assert_int_equal(error.status, SN_ERROR_UNSUPPORTED);
    sn_constraint_def pin = sn_constraint_def_default(SN_CONSTRAINT_PIN);
    assert_true(sn_world_add_constraint(world, &pin, &error) == 0);
    step_world(world); /* as if nothing had been asked */
    assert_int_equal(sn_world_get_info(world).members, 1);
    sn_world_free(world);
    sn_model_free(model);
}

/* A step that cannot be made freezes the copy in the state before it, and the world says so. */
TEST(a_step_that_cannot_be_solved_leaves_the_state_before_it) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const sn_world_def def = position_def(2, SN_PRECISION_DOUBLE, 1.0 / 60);
    sn_world *world = crowd_of(model, &def, STANDS);
    double q[MAX_NQ], qd[MAX_NV], after[MAX_NQ], rate[MAX_NV];
    make_wild(world, 0, 1);
    copy_get(world, 0, 1, q, qd);
    step_world(world);
    assert_int_equal(stats_of(world).diverged, 1);
    assert_int_equal(stats_of(world).bad_copy, 1);
    copy_get(world, 0, 1, after, rate);
    assert_memory_equal(after, q, sizeof *q * (size_t)model->nq);
    assert_memory_equal(rate, qd, sizeof *qd * (size_t)model->nv);
    make_wild(world, 0, 0);
    assert_int_equal(sn_world_step(world), SN_ERROR_NOT_FINITE);
    sn_world_free(world);
    sn_model_free(model);
}

int main(void) {
    return run_all("position copies");
}
