/* Contact, joint limits and torque limits as one convex problem: it settles, and keeps its laws. */
#include "world_helpers.h"

/* A limp humanoid in a random pose, a metre above the ground. */
static sn_world *drop_of(const sn_world_def *def, const sn_model *model, double kd, uint64_t seed) {
    struct rng rng = {seed};
    double q[MAX_NQ], qd[MAX_NV];
    sn_world *world = world_of(def);
    floor_of(world, NULL);
    const int c = member_of(world, model);
    uniform_gains(world, c, 0, 0, 0, kd);
    random_state(&rng, model, 0.3, 1, q, qd);
    random_quaternion(&rng, q + 3);
    assert_int_equal(sn_world_set_state(world, c, q, qd), SN_OK);
    q[2] += 1 - lowest_point(world, c);
    assert_int_equal(sn_world_set_state(world, c, q, qd), SN_OK);
    return world;
}

TEST(limp_drops_settle_in_every_step) {
    static const double hertz[] = {240, 120, 60, 30};
    sn_model *model = sn_builtin_create("humanoid", NULL);
    int most = 0, unsettled = 0;
    for (int h = 0; h < COUNT(hertz); h++)
        for (int seed = 1; seed <= (FAST ? 1 : 5); seed++) {
            sn_world_def def = sn_world_def_default();
            def.dt = 1 / hertz[h];
            sn_world *world = drop_of(&def, model, 2, (uint64_t)seed);
            for (int k = 0; k < 2 * hertz[h]; k++) {
                step_world(world);
                const sn_world_stats stats = stats_of(world);
                unsettled += stats.unsettled;
                if (stats.sweeps > most) most = stats.sweeps;
            }
            sn_world_free(world);
        }
    print_message("  at most %d sweeps, %d steps unsettled\n", most, unsettled);
    sn_model_free(model);
    assert_int_equal(unsettled, 0);
    assert_true(most <= 32);
}

TEST(a_solve_that_is_cut_short_is_counted) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world_def def = sn_world_def_default();
    def.dt = 1.0 / 60, def.sweeps = 2;
    sn_world *world = drop_of(&def, model, 2, 1);
    int unsettled = 0;
    double residual = 0;
    for (int k = 0; k < 60; k++) {
        step_world(world);
        unsettled += stats_of(world).unsettled;
        residual = fmax(residual, stats_of(world).sweep_residual);
    }
    sn_world_free(world);
    sn_model_free(model);
    assert_true(unsettled > 0);
    assert_true(residual > 1e-3);
}

TEST(standing_costs_one_sweep) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int hertz = 240; hertz >= 30; hertz /= 2) {
        sn_world_def def = sn_world_def_default();
        def.dt = 1.0 / hertz;
        sn_world *world = world_of(&def);
        floor_of(world, NULL);
        const int c = member_of(world, model);
        double q[MAX_NQ];
        uniform_gains(world, c, 0, 0, 1e4, 1e3);
        stand_humanoid(world, c, q);
        run_for(world, 3, def.dt);
        for (int k = 0; k < hertz; k++) {
            step_world(world);
            assert_int_equal(stats_of(world).sweeps, 1);
        }
        sn_world_free(world);
    }
    sn_model_free(model);
}

/* Every hinge in turn, its target a radian beyond either limit. */
TEST(a_driven_hinge_stays_within_half_a_degree_of_its_limit) {
    static const double gain[][2] = {{300, 30}, {3000, 300}, {1e6, 1e5}};
    sn_model *model = sn_builtin_create("humanoid", NULL);
    struct worst worst = {0};
    for (int hertz = 240; hertz >= 30; hertz /= 2)
        for (int g = 0; g < COUNT(gain); g++) {
            sn_world_def def = sn_world_def_default();
            def.dt = 1.0 / hertz;
            sn_world *world = world_of(&def);
            const int c = member_of(world, model);
            double q[MAX_NQ], qd[MAX_NV] = {0};
            uniform_gains(world, c, 0, 0, gain[g][0], gain[g][1]);
            sn_world_get_state(world, c, q, NULL);
            for (int b = 0; b < sn_model_nbody(model); b++) {
                const sn_body_info *body = sn_model_body(model, b);
                if (body->joint.type != SN_JOINT_HINGE || !body->joint.limited) continue;
                for (int side = -1; side <= 1; side += 2) {
                    double target[MAX_NQ], x[MAX_NQ];
                    const double limit = side > 0 ? body->joint.upper[0] : body->joint.lower[0];
                    memcpy(target, q, sizeof target);
                    target[body->q_index] = limit + side;
                    assert_int_equal(sn_world_set_state(world, c, q, qd), SN_OK);
                    assert_int_equal(sn_world_set_target(world, c, target, NULL), SN_OK);
                    for (int k = 0; k < hertz; k++) {
                        step_world(world);
                        sn_world_get_state(world, c, x, NULL);
                        worst_add(&worst, side * (x[body->q_index] - limit) * 57.3, "%d Hz, kp %g, body %d",
                                  hertz, gain[g][0], b);
                    }
                }
            }
            sn_world_free(world);
        }
    sn_model_free(model);
    assert_worst(&worst, 0.5, "degrees beyond a limit");
}

/* By how much the worst torque of a copy is beyond the limit, relative. */
static double beyond_limit(const sn_model *model, const double *tau, double limit) {
    double most = 0;
    for (int b = 1; b < sn_model_nbody(model); b++) {
        const sn_body_info *body = sn_model_body(model, b);
        most = fmax(most, norm(tau + body->v_index, body->nv) / limit - 1);
    }
    return most;
}

/* Humanoids that fall over while their targets jump a radian four times a second. Returns how many diverge. */
static int jumping_crowd(const sn_model *model, sn_precision precision, double kp, struct worst *worst) {
    enum { COPIES = 32, HERTZ = 60 };
    static double q[COPIES * MAX_NQ], target[COPIES * MAX_NQ], tau[COPIES * MAX_NV], limit[COPIES * MAX_NV];
    const int nq = sn_model_nq(model), nv = sn_model_nv(model);
    struct rng rng = {7};
    sn_world_def def = sn_world_def_default();
    def.setting = SN_SETTING_CROWD, def.copies = COPIES, def.precision = precision, def.dt = 1.0 / HERTZ;
    def.torque_limits = def.report_torque = true;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    const int c = member_of(world, model);
    uniform_gains(world, c, 0, 0, kp, 0.1 * kp);
    for (int i = 0; i < COPIES * nv; i++)
        limit[i] = i % nv < 6 ? (double)INFINITY : 100;
    assert_int_equal(sn_world_set(world, c, SN_FIELD_TORQUE_LIMIT, 0, COPIES, limit), SN_OK);
    sn_model_zero_pose(model, q);
    assert_int_equal(sn_world_stand(world, c, q), SN_OK);
    for (int i = 1; i < COPIES; i++)
        memcpy(q + i * nq, q, (size_t)nq * sizeof *q);
    assert_int_equal(sn_world_set(world, c, SN_FIELD_Q, 0, COPIES, q), SN_OK);
    for (int k = 0; k < 2 * HERTZ; k++) {
        for (int i = 0; i < COPIES && k % (HERTZ / 4) == 0; i++) {
            double dv[MAX_NV] = {0};
            random_values(&rng, 1, dv + 6, nv - 6);
            sn_model_pose_add(model, q, dv, target + i * nq);
        }
        assert_int_equal(sn_world_set(world, c, SN_FIELD_TARGET_Q, 0, COPIES, target), SN_OK);
        step_world(world);
        assert_int_equal(sn_world_get(world, c, SN_FIELD_TORQUE, 0, COPIES, tau), SN_OK);
        for (int i = 0; i < COPIES; i++)
            worst_add(worst, beyond_limit(model, tau + i * nv, 100), "copy %d, step %d", i, k);
    }
    const int diverged = stats_of(world).diverged;
    sn_world_free(world);
    return diverged;
}

TEST(a_crowd_under_torque_limits_does_not_diverge) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    struct worst worst[2] = {{0}};
    assert_int_equal(jumping_crowd(model, SN_DOUBLE, 500, &worst[0]), 0);
    assert_int_equal(jumping_crowd(model, SN_FLOAT, 500, &worst[1]), 0);
    sn_model_free(model);
    assert_worst(&worst[0], 1e-3, "torque beyond its limit, double");
}

int main(void) {
    return run_all("convex");
}
