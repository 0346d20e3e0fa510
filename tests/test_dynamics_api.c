/* sinew/dynamics.h: arguments that are refused, and what a step promises. */
#include "dynamics_helpers.h"

/* ---------------------------------------------------------------------------------------------- arguments
   */

static void assert_create_refused(const sn_model *model, const sn_dynamics_def *def, sn_status status,
                                  const char *part) {
    sn_error error = {SN_OK, ""};
    assert_null(sn_dynamics_create(model, def, &error));
    assert_int_equal(error.status, status);
    assert_message_has(&error, part);
    assert_null(sn_dynamics_create(model, def, NULL));
}

TEST(a_definition_that_makes_no_sense_is_refused) {
    sn_model *model = sn_builtin_create("humanoid", NULL), *limited = mixed_model(1, MIX_LIMIT);
    const sn_dynamics_def fine = sn_dynamics_def_default();
    sn_dynamics_def def;
    static const double bad_dt[] = {0, -1, (double)INFINITY, (double)NAN};
    for (int i = 0; i < COUNT(bad_dt); i++) {
        def = fine, def.dt = bad_dt[i];
        assert_create_refused(model, &def, SN_ERROR_ARGUMENT, "dt");
    }
    for (int count = -1; count <= 0; count++) {
        def = fine, def.count = count;
        assert_create_refused(model, &def, SN_ERROR_ARGUMENT, "count");
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
    sn_dynamics_free(sn_dynamics_create(model, NULL, NULL)); /* all defaults */
    if (!sn_built_with("lapack")) {
        def = fine, def.solver = SN_SOLVER_LAPACK;
        assert_create_refused(model, &def, SN_ERROR_UNSUPPORTED, "LAPACK");
    }
    sn_dynamics_free(NULL);
    sn_model_free(model), sn_model_free(limited);
}

/* A call with every array sane, in which one value at a time is spoiled. */
struct call {
    sn_dynamics *dynamics;
    sn_drive drive;
    double q[MAX_NQ], qd[MAX_NV], target_q[MAX_NQ], target_qd[MAX_NV], feedforward[MAX_NV], kp[MAX_NV],
        kd[MAX_NV], push[6 * MAX_NV], limit[MAX_NV];
};

static void call_fill(struct call *c, const sn_model *model, sn_dynamics *dynamics) {
    memset(c, 0, sizeof *c);
    c->dynamics = dynamics;
    sn_model_zero_pose(model, c->q);
    sn_model_zero_pose(model, c->target_q);
    for (int v = 0; v < sn_model_get(model)->nv; v++)
        c->limit[v] = (double)INFINITY;
    c->drive = (sn_drive){c->kp, c->kd, c->target_q, c->target_qd, c->feedforward, c->push, c->limit};
}

static void assert_call(struct call *c, sn_status status) {
    double q[MAX_NQ], qd[MAX_NV], qdd[MAX_NV], tau[MAX_NV];
    memcpy(q, c->q, sizeof q), memcpy(qd, c->qd, sizeof qd);
    assert_int_equal(sn_dynamics_step(c->dynamics, &c->drive, 1, q, qd, qdd, tau), status);
    if (status != SN_OK) { /* nothing is changed */
        assert_memory_equal(q, c->q, sizeof q);
        assert_memory_equal(qd, c->qd, sizeof qd);
    }
    assert_int_equal(sn_dynamics_step(c->dynamics, &c->drive, 0, c->q, c->qd, qdd, tau), status);
}

/* With one value of an array that is not as it should be, and then again with all that are. */
static void assert_refused_with(struct call *c, double *value, double bad) {
    const double good = *value;
    *value = bad;
    assert_call(c, SN_ERROR_ARGUMENT);
    *value = good;
    assert_call(c, SN_OK);
}

static void assert_state_refused(sn_dynamics *d, const double *q, const double *qd) {
    static double M[MAX_NV * MAX_NV];
    double a[7 * MAX_NV], zero[MAX_NV] = {0};
    const double point[3] = {0};
    sn_summary s;
    assert_int_equal(sn_dynamics_bodies(d, q, qd, a, NULL, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_dynamics_bodies(d, q, qd, NULL, NULL, &s), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_dynamics_inverse(d, q, qd, NULL, zero, a), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_dynamics_forward(d, q, qd, NULL, zero, a), SN_ERROR_ARGUMENT);
    if (qd) return;
    assert_int_equal(sn_dynamics_jacobian(d, q, 0, point, a), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_dynamics_mass_matrix(d, q, M), SN_ERROR_ARGUMENT);
}

TEST(values_that_are_no_state_are_refused_and_change_nothing) {
    static struct call c;
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const int nq = sn_model_get(model)->nq;
    for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++) {
        const sn_dynamics_def def = study_def((sn_precision)precision, NULL);
        sn_dynamics *d = sn_dynamics_create(model, &def, NULL);
        assert_non_null(d);
        call_fill(&c, model, d);
        const double bad[] = {(double)NAN, (double)INFINITY, (double)-INFINITY, 1e300};
        for (int k = 0; k < (precision == SN_PRECISION_FLOAT ? 4 : 3); k++) { /* 1e300 is not a float */
            double *const value[] = {&c.q[nq - 1],    &c.qd[4],          &c.target_q[nq - 1],
                                     &c.target_qd[4], &c.feedforward[4], &c.kp[3],
                                     &c.kd[3],        &c.push[1],        &c.push[4]};
            for (int i = 0; i < COUNT(value); i++)
                assert_refused_with(&c, value[i], bad[k]);
            double q[MAX_NQ], qd[MAX_NV] = {0}, push[6 * MAX_NV] = {0}, tau[MAX_NV];
            memcpy(q, c.q, sizeof q);
            q[nq - 1] = bad[k], qd[4] = bad[k], push[4] = bad[k];
            assert_state_refused(d, q, NULL);
            assert_state_refused(d, c.q, qd);
            assert_int_equal(sn_dynamics_inverse(d, c.q, NULL, NULL, qd, tau), SN_ERROR_ARGUMENT);
            assert_int_equal(sn_dynamics_forward(d, c.q, NULL, NULL, qd, tau), SN_ERROR_ARGUMENT);
            assert_int_equal(sn_dynamics_inverse(d, c.q, NULL, push, c.qd, tau), SN_ERROR_ARGUMENT);
            assert_int_equal(sn_dynamics_forward(d, c.q, NULL, push, c.qd, tau), SN_ERROR_ARGUMENT);
        }
        assert_refused_with(&c, &c.q[3], 0); /* a quaternion of no length */
        assert_refused_with(&c, &c.target_q[3], 0);
        assert_refused_with(&c, &c.kd[5], -1e-9);
        assert_refused_with(&c, &c.kp[5], -1e-9);
        assert_refused_with(&c, &c.limit[5], -1e-9);
        assert_refused_with(&c, &c.limit[5], (double)NAN);
        sn_dynamics_free(d);
    }
    sn_model_free(model);
}

TEST(questions_about_nobody_are_refused) {
    static double M[MAX_NV * MAX_NV];
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const sn_dynamics_def def = sn_dynamics_def_default();
    sn_dynamics *d = sn_dynamics_create(model, &def, NULL);
    double a[7 * MAX_NV], q[MAX_NQ], qd[MAX_NV] = {0};
    const double point[3] = {0};
    const int bad[] = {-1, sn_model_get(model)->nbody};
    sn_summary s;
    sn_model_zero_pose(model, q);
    for (int i = 0; i < COUNT(bad); i++)
        assert_int_equal(sn_dynamics_jacobian(d, q, bad[i], point, a), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_dynamics_bodies(d, q, NULL, NULL, NULL, NULL), SN_OK);
    assert_int_equal(sn_dynamics_bodies(d, NULL, NULL, a, NULL, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_dynamics_jacobian(d, q, 0, NULL, a), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_dynamics_jacobian(d, q, 0, point, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_dynamics_bodies(d, NULL, NULL, NULL, NULL, &s), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_dynamics_mass_matrix(d, q, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_dynamics_mass_matrix(d, NULL, M), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_dynamics_inverse(d, q, qd, NULL, NULL, a), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_dynamics_forward(d, q, qd, NULL, qd, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_dynamics_step(d, NULL, 0, NULL, NULL, a, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_dynamics_step(d, NULL, 0, q, NULL, a, NULL), SN_OK);
    assert_int_equal(sn_dynamics_step(d, NULL, 1, q, NULL, NULL, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_dynamics_step(d, NULL, -1, q, qd, NULL, NULL), SN_ERROR_ARGUMENT);
    assert_null(sn_lanes_get(-1000)); /* from -1 down are devices */
    assert_null(sn_lanes_get(64));
    sn_dynamics_free(d);
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------------- stepping
   */

TEST_EACH_INTEGRATOR(a_step_that_diverges_is_told_and_undone) {
    sn_dynamics *d = sn_dynamics_create(model, def, NULL);
    const size_t nq = (size_t)sn_model_get(model)->nq, nv = (size_t)sn_model_get(model)->nv;
    double q[MAX_NQ], qd[MAX_NV], before[MAX_NQ + MAX_NV];
    struct rng rng = {1};
    random_state(&rng, model, 0.5, def->precision == SN_PRECISION_DOUBLE ? 1e200 : 1e30, q, qd);
    memcpy(before, q, nq * sizeof *q), memcpy(before + nq, qd, nv * sizeof *qd);
    for (int steps = 1; steps <= 3; steps++) {
        assert_int_equal(sn_dynamics_step(d, NULL, steps, q, qd, NULL, NULL), SN_ERROR_NOT_FINITE);
        assert_memory_equal(before, q, nq * sizeof *q);
        assert_memory_equal(before + nq, qd, nv * sizeof *qd);
    }
    /* and it can go on from a sane state */
    random_state(&rng, model, 0.5, 1, q, qd);
    assert_int_equal(sn_dynamics_step(d, NULL, 1, q, qd, NULL, NULL), SN_OK);
    sn_dynamics_free(d);
}

/* Where a study stands after that number of steps, taken `each` at a time. */
static void run_in_pieces(const sn_model *model, const sn_dynamics_def *def, int steps, int each, bool torque,
                          double *final) {
    struct study *s = study_of(model, def);
    struct rng rng = {4};
    disturb(&rng, s, DRIVE_ALL);
    study_uniform_gains(s, 20000, 2000, 75000, 4000);
    for (int i = 0; i < steps; i += each)
        assert_int_equal(
            sn_dynamics_step(s->dynamics, &s->drive, each, s->q, s->qd, s->qdd, torque ? s->tau : NULL),
            SN_OK);
    study_get_state(s, final, final + sn_model_get(model)->nq);
    study_free(s);
}

TEST(many_calls_of_one_step_are_one_call_of_many) {
    for (int index = 0; index < ZOO_COUNT; index++)
        for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++)
            for (int integrator = SN_INTEGRATOR_SEMI_IMPLICIT_EULER; integrator <= SN_INTEGRATOR_RK4;
                 integrator += 5) {
                sn_model *model = zoo_model(index);
                const size_t size =
                    (size_t)(sn_model_get(model)->nq + sn_model_get(model)->nv) * sizeof(double);
                sn_dynamics_def def = study_def((sn_precision)precision, NULL);
                def.integrator = (sn_integrator)integrator;
                double once[MAX_NQ + MAX_NV], pieces[MAX_NQ + MAX_NV], reported[MAX_NQ + MAX_NV];
                run_in_pieces(model, &def, 60, 60, false, once);
                run_in_pieces(model, &def, 60, 1, false, pieces);
                run_in_pieces(model, &def, 60, 1, true, reported);
                if (memcmp(once, pieces, size) != 0)
                    fail_msg("%s, precision %d, integrator %d", zoo_name(index), precision, integrator);
                if (memcmp(once, reported, size) != 0)
                    fail_msg("%s, precision %d, integrator %d, asked for the torque", zoo_name(index),
                             precision, integrator);
                sn_model_free(model);
            }
}

/* A hinge without gravity or friction: the torque is the inertia times (qd+ - qd) / dt under every integrator, and the
   acceleration is that rate of change. */
TEST(a_step_reports_its_mean_acceleration_and_torque) {
    const double com[3] = {0}, inertia[3] = {0.2, 0.3, 0.4};
    const sn_body_def body = simple_body("body", NULL, SN_JOINT_HINGE, 2, com, inertia);
    sn_model *model = build_bodies(&body, 1);
    for (int integrator = SN_INTEGRATOR_SEMI_IMPLICIT_EULER; integrator <= SN_INTEGRATOR_RK4; integrator++) {
        sn_dynamics_def def = sn_dynamics_def_default();
        def.integrator = (sn_integrator)integrator;
        def.dt = 1.0 / 60;
        memset(def.gravity, 0, sizeof def.gravity);
        sn_dynamics *d = sn_dynamics_create(model, &def, NULL);
        const double kp = 1000, kd = 30, target = 1;
        const sn_drive drive = {.kp = &kp, .kd = &kd, .target_q = &target};
        double q = 0.2, qd = -1, before = qd, qdd, tau;
        assert_int_equal(sn_dynamics_step(d, &drive, 1, &q, &qd, &qdd, &tau), SN_OK);
        assert_near(qdd, (qd - before) / def.dt, 1e-12 * fabs(qdd));
        assert_near(tau, 0.4 * qdd, 1e-12 * fabs(tau));
        sn_dynamics_free(d);
    }
    sn_model_free(model);
}

static sn_model *two_balls(double torque_limit) {
    const double com[3] = {0.1, 0.05, -0.2}, inertia[3] = {0.02, 0.03, 0.04};
    sn_body_def body[2] = {simple_body("upper", NULL, SN_JOINT_BALL, 1, com, inertia),
                           simple_body("lower", "upper", SN_JOINT_BALL, 1, com, inertia)};
    body[1].pos[2] = -0.4;
    body[0].joint.torque_limit = 2 * torque_limit, body[1].joint.torque_limit = torque_limit;
    return build_bodies(body, 2);
}

TEST(a_torque_limit_of_the_drive_stands_for_the_models_own) {
    sn_model *model = two_balls((double)INFINITY), *limited = two_balls(10);
    const sn_dynamics_def def = sn_dynamics_def_default();
    struct study *s[2] = {study_of(model, &def), study_of(limited, &def)};
    const int nv = sn_model_get(model)->nv;
    double limit[MAX_NV], none[MAX_NV], qdd[3][MAX_NV], tau[3][MAX_NV];
    for (int i = 0; i < sn_model_get(limited)->nbody; i++) {
        const sn_body_info *b = sn_model_body(limited, i);
        for (int v = b->v_index; v < b->v_index + b->nv; v++)
            limit[v] = b->joint.torque_limit, none[v] = (double)INFINITY;
    }
    for (int k = 0; k < 2; k++) {
        double q[MAX_NQ], qd[MAX_NV], target[MAX_NQ], unused[MAX_NV];
        struct rng rng = {12};
        random_state(&rng, model, 0.8, 2, q, qd), random_state(&rng, model, 0.8, 2, target, unused);
        study_set_state(s[k], q, qd), study_set_target(s[k], target, NULL);
        study_uniform_gains(s[k], 20000, 2000, 75000, 4000);
    }
    const double *const given[] = {limit, NULL, none};
    for (int k = 0; k < 3; k++) { /* the limit given; the model's own; none in spite of it */
        struct study *of = s[k > 0];
        of->drive.torque_limit = given[k];
        assert_int_equal(sn_dynamics_step(of->dynamics, &of->drive, 0, of->q, of->qd, qdd[k], tau[k]), SN_OK);
    }
    assert_memory_equal(qdd[0], qdd[1], (size_t)nv * sizeof(double));
    assert_memory_equal(tau[0], tau[1], (size_t)nv * sizeof(double));
    assert_true(relative_error(tau[2], tau[0], nv) > 1);
    sn_dynamics_def dense = def;
    dense.solver = SN_SOLVER_DENSE;
    sn_dynamics *d = sn_dynamics_create(model, &dense, NULL);
    s[0]->drive.torque_limit = limit;
    assert_int_equal(sn_dynamics_step(d, &s[0]->drive, 0, s[0]->q, NULL, qdd[0], NULL), SN_ERROR_UNSUPPORTED);
    s[0]->drive.torque_limit = none;
    assert_int_equal(sn_dynamics_step(d, &s[0]->drive, 0, s[0]->q, NULL, qdd[0], NULL), SN_OK);
    sn_dynamics_free(d);
    study_free(s[0]), study_free(s[1]);
    sn_model_free(model), sn_model_free(limited);
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
            if (solver == SN_SOLVER_LAPACK && !sn_built_with("lapack")) continue;
            sn_dynamics_def def = sn_dynamics_def_default();
            def.route = (sn_route)route;
            def.solver = (sn_solver)solver;
            struct study *c = study_of(model, &def);
            const double q[2] = {0.3, 0.2};
            double qdd[2];
            study_uniform_gains(c, 0, 0, 100, 10);
            assert_int_equal(study_set_state(c, q, NULL), SN_OK);
            assert_int_equal(study_drive_acceleration(c, route || solver ? qdd : direct), SN_OK);
            if (route || solver) assert_true(relative_error(qdd, direct, 2) < 1e-10);
            assert_int_equal(study_step(c), SN_OK);
            study_free(c);
        }
    sn_model_free(model);
}

int main(void) {
    return run_all("dynamics api");
}
