/* Gains that are chosen and checked, and arguments that are refused. */
#include "dynamics_helpers.h"

/* ------------------------------------------------------------------------------------------------- gains
   */

static sn_model *single(sn_joint_type type) {
    const double com[3] = {0, 0, 0}, inertia[3] = {0.2, 0.3, 0.4};
    const sn_body_def body = simple_body("body", NULL, type, 2, com, inertia);
    return build_bodies(&body, 1);
}

TEST(chosen_gains_are_inertia_times_frequency_squared) {
    static const struct {
        sn_joint_type type;
        double inertia[6];
    } expected[] = {
        {SN_JOINT_HINGE, {0.4}},
        {SN_JOINT_SLIDE, {2}},
        {SN_JOINT_UNIVERSAL, {0.4, 0.2}},
        {SN_JOINT_BALL, {0.3, 0.3, 0.3}},
        {SN_JOINT_FREE, {2, 2, 2, 0.3, 0.3, 0.3}},
    };
    const double f = 1.5, z = 0.7, w = 6.283185307179586 * f;
    for (int i = 0; i < COUNT(expected); i++) {
        sn_model *model = single(expected[i].type);
        double kp[6], kd[6];
        assert_int_equal(sn_gains_choose(model, NULL, f, z, kp, kd), SN_OK);
        for (int v = 0; v < sn_model_nv(model); v++) {
            assert_near(kp[v], expected[i].inertia[v] * w * w, 1e-12 * kp[v]);
            assert_near(kd[v], 2 * z * expected[i].inertia[v] * w, 1e-12 * kd[v]);
        }
        sn_model_free(model);
    }
}

/* Frequency of a hinge let go beside its target, from the times it passes it. */
static double measured_frequency(const sn_character_def *def, double frequency, double ratio) {
    const double com[3] = {0.2, 0, 0}, inertia[3] = {0.2, 0.3, 0.4}, start = 0.2;
    const sn_body_def body = simple_body("arm", NULL, SN_JOINT_HINGE, 2, com, inertia);
    sn_model *model = build_bodies(&body, 1);
    sn_character *c = character_of(model, def);
    double kp, kd, q = start, before = start, first = 0, last = 0;
    int passes = 0;
    assert_int_equal(sn_gains_choose(model, NULL, frequency, ratio, &kp, &kd), SN_OK);
    assert_int_equal(sn_character_set_gains(c, &kp, &kd), SN_OK);
    assert_int_equal(sn_character_set_state(c, &q, NULL), SN_OK);
    for (int i = 1; i * def->dt < 3; i++) {
        assert_int_equal(sn_character_step(c), SN_OK);
        sn_character_get_state(c, &q, NULL);
        if (q * before < 0) {
            last = (i - q / (q - before)) * def->dt;
            if (passes++ == 0) first = last;
        }
        before = q;
    }
    sn_character_free(c);
    sn_model_free(model);
    return 0.5 * (passes - 1) / (last - first);
}

TEST(a_hinge_swings_at_the_frequency_that_was_asked_for) {
    const double f = 2, z = 0.1, damped = f * sqrt(1 - z * z);
    sn_character_def def = sn_character_def_default(); /* the axis is along gravity */
    const double stable = measured_frequency(&def, f, z);
    def.form = SN_FORM_EXPLICIT;
    def.integrator = SN_RK4;
    const double exact = measured_frequency(&def, f, z);
    print_message("  %.5g Hz as stable PD, %.7g Hz exactly, of %.7g Hz\n", stable, exact, damped);
    assert_near(stable, damped, 0.02 * damped);
    assert_near(exact, damped, 1e-5 * damped);
}

/* The inertia that counts is 1 / (M^-1)_vv: all other degrees of freedom free. */
static void free_inertia(const sn_model *model, const double *q, double *inertia) {
    const sn_character_def def = sn_character_def_default();
    sn_character *c = character_of(model, &def);
    const int nv = sn_model_nv(model);
    static double M[MAX_NV * MAX_NV];
    assert_int_equal(sn_character_set_state(c, q, NULL), SN_OK);
    assert_int_equal(sn_character_mass_matrix(c, M), SN_OK);
    for (int v = 0; v < nv; v++) {
        double unit[MAX_NV] = {0}, column[MAX_NV];
        unit[v] = 1;
        assert_true(solve_spd(M, unit, column, nv));
        inertia[v] = 1 / column[v];
    }
    sn_character_free(c);
}

TEST(gains_check_flags_what_its_three_formulas_say) {
    static const int rate[] = {240, 60, 30, 20, 10};
    int seen = 0, of_dog = 0;
    for (int index = 0; index < 2; index++) {
        sn_model *model = zoo_model(index); /* humanoid and dog */
        const int nv = sn_model_nv(model);
        double kp[MAX_NV], kd[MAX_NV], q[MAX_NQ], qd[MAX_NV], inertia[MAX_NV];
        unsigned flags[MAX_NV];
        struct rng rng = {1};
        random_state(&rng, model, 0.5, 1, q, qd);
        paper_gains(model, kp, kd);
        for (int v = 0; v < nv; v += 5)
            kp[v] *= uniform(&rng, 0.2, 3);
        free_inertia(model, q, inertia);
        for (int k = 0; k < COUNT(rate); k++)
            for (int precision = SN_DOUBLE; precision <= SN_FLOAT; precision++) {
                const double dt = 1.0 / rate[k], eps = 1.1920928955078125e-7;
                int bad = 0;
                const int count = sn_gains_check(model, q, kp, kd, dt, (sn_precision)precision, flags);
                for (int v = 0; v < nv; v++) {
                    unsigned expected = kd[v] < kp[v] * dt ? SN_GAIN_UNDERDAMPED : 0;
                    if (precision == SN_FLOAT && eps * kd[v] * dt > 0.1 * inertia[v])
                        expected |= SN_GAIN_FLOAT_STIFF;
                    if (3 * kp[v] * dt * dt > 4 * inertia[v] + 2 * kd[v] * dt) expected |= SN_GAIN_OVERSHOOTS;
                    assert_int_equal(flags[v], expected);
                    bad += expected != 0;
                    seen |= (int)expected;
                }
                assert_int_equal(count, bad);
                if (index == 1 && rate[k] == 60 && precision == SN_FLOAT) of_dog = bad;
            }
        sn_model_free(model);
    }
    print_message("  at 1/60 s %d of 72 degrees of freedom of the dog are too stiff for float torques\n",
                  of_dog);
    assert_true(of_dog > 0 && of_dog < 72);
    assert_int_equal(seen, SN_GAIN_UNDERDAMPED | SN_GAIN_FLOAT_STIFF | SN_GAIN_OVERSHOOTS);
}

TEST(gains_check_allows_exactly_kp_dt) {
    sn_model *model = single(SN_JOINT_HINGE);
    unsigned flags;
    const double dt = 1.0 / 240, kp = 300, kd = kp * dt, less = 0.999 * kd;
    assert_int_equal(sn_gains_check(model, NULL, &kp, &kd, dt, SN_DOUBLE, &flags), 0);
    assert_int_equal(sn_gains_check(model, NULL, &kp, &less, dt, SN_DOUBLE, &flags), 1);
    assert_int_equal(flags, SN_GAIN_UNDERDAMPED);
    sn_model_free(model);
}

TEST(gains_functions_refuse_what_is_no_number) {
    sn_model *model = single(SN_JOINT_BALL);
    double kp[3] = {1, 1, 1}, kd[3] = {1, 1, 1};
    const double bad_pose[4] = {0};
    unsigned flags[3];
    const double nan = (double)NAN;
    assert_int_equal(sn_gains_check(NULL, NULL, kp, kd, 0.01, SN_DOUBLE, flags), -1);
    assert_int_equal(sn_gains_check(model, NULL, NULL, kd, 0.01, SN_DOUBLE, flags), -1);
    assert_int_equal(sn_gains_check(model, NULL, kp, kd, 0, SN_DOUBLE, flags), -1);
    assert_int_equal(sn_gains_check(model, NULL, kp, kd, nan, SN_DOUBLE, flags), -1);
    assert_int_equal(sn_gains_check(model, bad_pose, kp, kd, 0.01, SN_DOUBLE, flags), -1);
    kd[1] = nan;
    assert_int_equal(sn_gains_check(model, NULL, kp, kd, 0.01, SN_DOUBLE, flags), -1);
    kd[1] = -1;
    assert_int_equal(sn_gains_check(model, NULL, kp, kd, 0.01, SN_DOUBLE, flags), -1);
    assert_int_equal(sn_gains_choose(model, NULL, 0, 1, kp, kd), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_gains_choose(model, NULL, -2, 1, kp, kd), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_gains_choose(model, NULL, nan, 1, kp, kd), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_gains_choose(model, NULL, 1, -1, kp, kd), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_gains_choose(model, bad_pose, 1, 1, kp, kd), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_gains_choose(NULL, NULL, 1, 1, kp, kd), SN_ERROR_ARGUMENT);
    sn_model_free(model);
}

/* ---------------------------------------------------------------------------------------------- arguments
   */

static void assert_create_refused(const sn_model *model, const sn_character_def *def, sn_status status,
                                  const char *part) {
    sn_error error = {SN_OK, ""};
    assert_null(sn_character_create(model, def, &error));
    assert_int_equal(error.status, status);
    assert_message_has(&error, part);
    assert_null(sn_character_create(model, def, NULL));
    sn_crowd_def crowd = sn_crowd_def_default();
    if (!def) return;
    crowd.character = *def;
    assert_null(sn_crowd_create(model, &crowd, &error));
    assert_int_equal(error.status, status);
}

TEST(a_definition_that_makes_no_sense_is_refused) {
    sn_model *model = sn_builtin_create("humanoid", NULL), *limited = mixed_model(1, MIX_LIMIT);
    const sn_character_def fine = sn_character_def_default();
    sn_character_def def;
    static const double bad_dt[] = {0, -1, (double)INFINITY, (double)NAN};
    for (int i = 0; i < COUNT(bad_dt); i++) {
        def = fine, def.dt = bad_dt[i];
        assert_create_refused(model, &def, SN_ERROR_ARGUMENT, "dt");
    }
    def = fine, def.gravity[1] = (double)NAN;
    assert_create_refused(model, &def, SN_ERROR_ARGUMENT, "gravity");
    def = fine, def.lanes = "f16x3";
    assert_create_refused(model, &def, SN_ERROR_UNSUPPORTED, "f16x3");
    def = fine, def.lanes = "f32x4";
    assert_create_refused(model, &def, SN_ERROR_ARGUMENT, "f32x4");
    def = fine, def.form = (sn_form)4;
    assert_create_refused(model, &def, SN_ERROR_ARGUMENT, "");
    def = fine, def.solver = (sn_solver)5;
    assert_create_refused(model, &def, SN_ERROR_ARGUMENT, "");
    def = fine, def.integrator = (sn_integrator)-1;
    assert_create_refused(model, &def, SN_ERROR_ARGUMENT, "");
    def = fine, def.precision = (sn_precision)2;
    assert_create_refused(model, &def, SN_ERROR_ARGUMENT, "");
    def = fine, def.solver = SN_SOLVER_DENSE;
    assert_create_refused(limited, &def, SN_ERROR_UNSUPPORTED, "limits");
    def = fine, def.route = SN_ROUTE_TORQUE_RNEA;
    assert_create_refused(limited, &def, SN_ERROR_UNSUPPORTED, "limits");
    assert_create_refused(NULL, &fine, SN_ERROR_ARGUMENT, "");
    assert_create_refused(model, NULL, SN_ERROR_ARGUMENT, "");
    if (!sn_built_with_lapack()) {
        def = fine, def.solver = SN_SOLVER_LAPACK;
        assert_create_refused(model, &def, SN_ERROR_UNSUPPORTED, "LAPACK");
    }
    sn_crowd_def crowd = sn_crowd_def_default();
    sn_error error;
    crowd.count = 0;
    assert_null(sn_crowd_create(model, &crowd, &error));
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    assert_null(sn_crowd_create(model, NULL, &error));
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    sn_character_free(NULL);
    sn_crowd_free(NULL);
    sn_model_free(model), sn_model_free(limited);
}

TEST(values_that_are_no_state_are_refused_and_change_nothing) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const int nq = sn_model_nq(model), nv = sn_model_nv(model);
    for (int precision = SN_DOUBLE; precision <= SN_FLOAT; precision++) {
        const sn_character_def def = def_with((sn_precision)precision, NULL);
        sn_character *c = character_of(model, &def);
        double q[MAX_NQ], qd[MAX_NV] = {0}, before[MAX_NQ + MAX_NV], after[MAX_NQ + MAX_NV], kp[MAX_NV] = {0},
                          kd[MAX_NV] = {0};
        sn_character_get_state(c, before, before + nq);
        const double bad[] = {(double)NAN, (double)INFINITY, (double)-INFINITY, 1e300};
        for (int k = 0; k < (precision == SN_FLOAT ? 4 : 3); k++) { /* 1e300 is no float */
            memcpy(q, before, sizeof q);
            q[nq - 1] = bad[k];
            assert_int_equal(sn_character_set_state(c, q, NULL), SN_ERROR_ARGUMENT);
            assert_int_equal(sn_character_set_target(c, q, NULL), SN_ERROR_ARGUMENT);
            qd[4] = bad[k];
            assert_int_equal(sn_character_set_state(c, NULL, qd), SN_ERROR_ARGUMENT);
            assert_int_equal(sn_character_set_state(c, before, qd), SN_ERROR_ARGUMENT);
            assert_int_equal(sn_character_set_target(c, before, qd), SN_ERROR_ARGUMENT);
            assert_int_equal(sn_character_set_feedforward(c, qd), SN_ERROR_ARGUMENT);
            qd[4] = 0;
            const double force[3] = {0, bad[k], 0};
            assert_int_equal(sn_character_set_push(c, 0, force, NULL), SN_ERROR_ARGUMENT);
            assert_int_equal(sn_character_set_push(c, 0, NULL, force), SN_ERROR_ARGUMENT);
            kp[3] = bad[k];
            assert_int_equal(sn_character_set_gains(c, kp, kd), SN_ERROR_ARGUMENT);
            assert_int_equal(sn_character_set_gains(c, kd, kp), SN_ERROR_ARGUMENT);
            kp[3] = 0;
            assert_int_equal(sn_character_set_dt(c, bad[k]), SN_ERROR_ARGUMENT);
        }
        memcpy(q, before, sizeof q);
        memset(q + 3, 0, 4 * sizeof *q); /* a quaternion of no length */
        assert_int_equal(sn_character_set_state(c, q, NULL), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_character_set_target(c, q, NULL), SN_ERROR_ARGUMENT);
        kd[5] = -1e-9;
        assert_int_equal(sn_character_set_gains(c, kp, kd), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_character_set_gains(c, NULL, kp), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_character_set_dt(c, 0), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_character_set_dt(c, -0.1), SN_ERROR_ARGUMENT);
        sn_character_get_state(c, after, after + nq);
        assert_memory_equal(before, after, sizeof(double) * (size_t)(nq + nv));
        sn_character_free(c);
    }
    sn_model_free(model);
}

TEST(questions_about_nobody_are_refused) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const sn_character_def def = sn_character_def_default();
    sn_character *c = character_of(model, &def);
    double a[6 * MAX_NV];
    const double point[3] = {0};
    const int bad[] = {-1, sn_model_nbody(model)};
    for (int i = 0; i < COUNT(bad); i++) {
        assert_int_equal(sn_character_body_pose(c, bad[i], a, a + 3), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_character_body_velocity(c, bad[i], a, a + 3), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_character_jacobian(c, bad[i], point, a), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_character_set_push(c, bad[i], point, point), SN_ERROR_ARGUMENT);
    }
    assert_int_equal(sn_character_body_pose(c, 0, NULL, NULL), SN_OK);
    assert_int_equal(sn_character_jacobian(c, 0, NULL, a), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_character_summary(c, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_character_mass_matrix(c, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_character_inverse_dynamics(c, NULL, a), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_character_forward_dynamics(c, a, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_character_drive_acceleration(c, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_character_drive_torque(c, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_character_get_torque(c, a), SN_ERROR_ARGUMENT); /* not asked for */
    assert_null(sn_lanes_get(-1));
    assert_null(sn_lanes_get(sn_lanes_count()));
    sn_character_free(c);
    sn_crowd_def crowd_def = sn_crowd_def_default();
    crowd_def.count = 5;
    sn_crowd *crowd = sn_crowd_create(model, &crowd_def, NULL);
    double q[2 * MAX_NQ], qd[2 * MAX_NV];
    assert_int_equal(sn_crowd_get_state(crowd, 4, 1, q, qd), SN_OK);
    assert_int_equal(sn_crowd_get_state(crowd, 4, 2, q, qd), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_crowd_get_state(crowd, -1, 1, q, qd), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_crowd_set_state(crowd, 2147483647, 2, q, qd), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_crowd_set_target(crowd, 0, -1, q, qd), SN_ERROR_ARGUMENT);
    sn_crowd_free(crowd);
    sn_model_free(model);
}

TEST(a_step_that_diverges_is_told_and_undone) {
    for (int precision = SN_DOUBLE; precision <= SN_FLOAT; precision++)
        for (int integrator = SN_SEMI_IMPLICIT_EULER; integrator <= SN_RK4; integrator++) {
            sn_model *model = sn_builtin_create("humanoid", NULL);
            sn_character_def def = def_with((sn_precision)precision, NULL);
            def.integrator = (sn_integrator)integrator;
            sn_character *c = character_of(model, &def);
            const int nq = sn_model_nq(model), nv = sn_model_nv(model);
            double q[MAX_NQ], qd[MAX_NV], before[MAX_NQ + MAX_NV], after[MAX_NQ + MAX_NV];
            struct rng rng = {1};
            random_state(&rng, model, 0.5, precision == SN_DOUBLE ? 1e200 : 1e30, q, qd);
            assert_int_equal(sn_character_set_state(c, q, qd), SN_OK);
            sn_character_get_state(c, before, before + nq);
            assert_int_equal(sn_character_step(c), SN_ERROR_NOT_FINITE);
            sn_character_get_state(c, after, after + nq);
            assert_memory_equal(before, after, sizeof(double) * (size_t)(nq + nv));
            /* and it can go on from a sane state */
            random_state(&rng, model, 0.5, 1, q, qd);
            assert_int_equal(sn_character_set_state(c, q, qd), SN_OK);
            assert_int_equal(sn_character_step(c), SN_OK);
            sn_character_free(c);
            sn_model_free(model);
        }
}

/* Joints that move nothing but their armature are taken by the builder: every route must do with them. */
TEST(armature_is_inertia_enough_on_every_route) {
    const double com[3] = {0.1, 0, 0}, inertia[3] = {0.01, 0.01, 0.01}, zero[3] = {0};
    sn_body_def body[2] = {simple_body("arm", NULL, SN_JOINT_HINGE, 1, com, inertia),
                           simple_body("rotor", "arm", SN_JOINT_HINGE, 0, zero, zero)};
    body[1].joint.armature = 0.1;
    sn_model *model = build_bodies(body, 2);
    double direct[2] = {0};
    for (int route = SN_ROUTE_DIRECT; route <= SN_ROUTE_TORQUE_EQ6; route++)
        for (int solver = SN_SOLVER_MABA; solver <= SN_SOLVER_PCG; solver++) {
            if (solver == SN_SOLVER_LAPACK && !sn_built_with_lapack()) continue;
            sn_character_def def = sn_character_def_default();
            def.route = (sn_route)route;
            def.solver = (sn_solver)solver;
            sn_character *c = character_of(model, &def);
            const double q[2] = {0.3, 0.2};
            double qdd[2];
            set_gains(c, 0, 0, 100, 10);
            assert_int_equal(sn_character_set_state(c, q, NULL), SN_OK);
            assert_int_equal(sn_character_drive_acceleration(c, route || solver ? qdd : direct), SN_OK);
            if (route || solver) assert_true(relative_error(qdd, direct, 2) < 1e-10);
            assert_int_equal(sn_character_step(c), SN_OK);
            sn_character_free(c);
        }
    sn_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen_gains_are_inertia_times_frequency_squared),
        cmocka_unit_test(a_hinge_swings_at_the_frequency_that_was_asked_for),
        cmocka_unit_test(gains_check_flags_what_its_three_formulas_say),
        cmocka_unit_test(gains_check_allows_exactly_kp_dt),
        cmocka_unit_test(gains_functions_refuse_what_is_no_number),
        cmocka_unit_test(a_definition_that_makes_no_sense_is_refused),
        cmocka_unit_test(values_that_are_no_state_are_refused_and_change_nothing),
        cmocka_unit_test(questions_about_nobody_are_refused),
        cmocka_unit_test(a_step_that_diverges_is_told_and_undone),
        cmocka_unit_test(armature_is_inertia_enough_on_every_route),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
