/* The four forms of PD control against their formulas, and what stable PD promises. */
#include "dynamics_helpers.h"

#include "base/quat.h"

static void drive_open(struct drive_scene *s, sn_model *model, const sn_dynamics_def *def, uint64_t seed,
                       bool per_axis) {
    struct rng rng = {seed};
    const int nv = sn_model_get(model)->nv;
    s->model = model;
    s->study = study_of(model, def);
    random_state(&rng, model, 0.8, 2, s->q, s->qd);
    random_state(&rng, model, 0.8, 2, s->target, s->target_qd);
    random_values(&rng, 10, s->feedforward, nv);
    paper_gains(model, s->kp, s->kd);
    if (per_axis) per_axis_gains(&rng, model, s->kp, s->kd);
    for (int v = 0; v < nv && def->form == SN_FORM_EXPLICIT; v++)
        s->kp[v] *= 0.01, s->kd[v] *= 0.01;
    assert_int_equal(study_set_state(s->study, s->q, s->qd), SN_OK);
    drive_give(s);
    s->pd = (struct pd){model,     def->form,    def->dt,        s->q,  s->qd,
                        s->target, s->target_qd, s->feedforward, s->kp, s->kd};
}

/* ------------------------------------------------------------------------------------------------ formulas
   */

TEST(every_form_solves_its_own_equation) {
    static const char *const form_name[] = {"stable", "explicit", "implicit D", "full"};
    for (int form = SN_FORM_STABLE; form <= SN_FORM_FULL; form++) {
        struct worst acceleration = {0}, torque = {0};
        for (int index = 0; index < ZOO_COUNT; index++)
            for (int k = 0; k < 4; k++) {
                struct drive_scene s;
                sn_dynamics_def def = sn_dynamics_def_default();
                def.form = (sn_form)form;
                def.dt = k % 2 ? 1.0 / 60 : 1.0 / 240;
                drive_open(&s, zoo_model(index), &def, (uint64_t)(10 * index + k), k >= 2);
                const int nv = sn_model_get(s.model)->nv;
                double Q[MAX_NV], K[MAX_NV], expected[MAX_NV], qdd[MAX_NV], tau[MAX_NV], law[MAX_NV];
                pd_terms(&s.pd, Q, K);
                pd_acceleration(&s.pd, s.study, Q, K, expected);
                assert_int_equal(study_drive_acceleration(s.study, qdd), SN_OK);
                worst_add(&acceleration, relative_error(qdd, expected, nv), "%s, case %d", zoo_name(index),
                          k);
                /* eq. 6 */
                for (int v = 0; v < nv; v++)
                    law[v] = Q[v] - K[v] * qdd[v];
                assert_int_equal(study_drive_torque(s.study, tau), SN_OK);
                worst_add(&torque, relative_error(tau, law, nv), "%s, case %d", zoo_name(index), k);
                drive_close(&s);
            }
        char what[64];
        snprintf(what, sizeof what, "acceleration of the %s form", form_name[form]);
        /* without K, the bare mass matrix of a long chain sets the limit */
        assert_worst(&acceleration, form == SN_FORM_EXPLICIT ? 1e-8 : 1e-10, what);
        snprintf(what, sizeof what, "torque of the %s form", form_name[form]);
        assert_worst(&torque, form == SN_FORM_EXPLICIT ? 1e-7 : 1e-9, what);
    }
}

TEST(a_step_reports_the_torque_it_applied) {
    struct worst reported = {0}, velocity = {0}, pose = {0};
    for (int index = 0; index < ZOO_COUNT; index++)
        for (int route = SN_ROUTE_DIRECT; route <= SN_ROUTE_TORQUE_EQ6; route++) {
            struct drive_scene s;
            sn_dynamics_def def = sn_dynamics_def_default();
            def.route = (sn_route)route;
            drive_open(&s, zoo_model(index), &def, (uint64_t)index, false);
            s.study->wants_torque = true;
            const int nq = sn_model_get(s.model)->nq, nv = sn_model_get(s.model)->nv;
            double tau[MAX_NV], before[MAX_NV], qdd[MAX_NV], asked[MAX_NV], q[MAX_NQ], qd[MAX_NV],
                step[MAX_NV];
            assert_int_equal(study_drive_torque(s.study, before), SN_OK);
            assert_int_equal(study_drive_acceleration(s.study, asked), SN_OK);
            assert_int_equal(study_step(s.study), SN_OK);
            assert_int_equal(study_get_torque(s.study, tau), SN_OK);
            study_get_acceleration(s.study, qdd);
            worst_add(&reported, relative_error(tau, before, nv), "%s, route %d", zoo_name(index), route);
            assert_true(relative_error(qdd, asked, nv) == 0);
            /* semi-implicit Euler */
            study_get_state(s.study, q, qd);
            axpy(def.dt, qdd, s.qd, nv);
            worst_add(&velocity, relative_error(qd, s.qd, nv), "%s", zoo_name(index));
            for (int v = 0; v < nv; v++)
                step[v] = def.dt * s.qd[v];
            sn_model_pose_add(s.model, 1, s.q, step, s.q);
            worst_add(&pose, relative_error(q, s.q, nq), "%s", zoo_name(index));
            drive_close(&s);
        }
    assert_worst(&reported, 1e-12, "torque after a step against torque asked before");
    assert_worst(&velocity, 1e-14, "velocity after a step");
    assert_worst(&pose, 1e-14, "pose after a step");
}

TEST(feed_forward_alone_is_forward_dynamics) {
    struct worst worst = {0};
    for (int index = 0; index < ZOO_COUNT; index++) {
        sn_model *model = zoo_model(index);
        sn_dynamics_def def = sn_dynamics_def_default();
        def.form = SN_FORM_EXPLICIT;
        def.integrator = SN_INTEGRATOR_RK4; /* passive parts explicit, too */
        struct study *c = study_of(model, &def);
        struct rng rng = {(uint64_t)index};
        const int nv = sn_model_get(model)->nv;
        double wanted[MAX_NV], tau[MAX_NV], qdd[MAX_NV], again[MAX_NV];
        disturb(&rng, c, DRIVE_PLAIN);
        random_values(&rng, 10, wanted, nv);
        assert_int_equal(study_inverse_dynamics(c, wanted, tau), SN_OK);
        assert_int_equal(study_set_feedforward(c, tau), SN_OK);
        assert_int_equal(study_drive_acceleration(c, qdd), SN_OK);
        assert_int_equal(study_inverse_dynamics(c, qdd, again), SN_OK);
        worst_add(&worst, relative_error(again, tau, nv), "%s", zoo_name(index));
        assert_int_equal(study_drive_torque(c, again), SN_OK);
        worst_add(&worst, relative_error(again, tau, nv), "%s, torque", zoo_name(index));
        study_free(c);
        sn_model_free(model);
    }
    assert_worst(&worst, 1e-10, "feed-forward against the torque it was made of");
}

/* -------------------------------------------------------------------------------------------------- balls
   */

/* RK4 on a ball with gains by axis and no damping, in empty space: the largest change of its energy. */
static double energy_change(double dt, bool isotropic) {
    const double com[3] = {0.1, -0.05, 0.2}, inertia[3] = {0.02, 0.03, 0.04};
    sn_body_def body = simple_body("ball", NULL, SN_JOINT_BALL, 1, com, inertia);
    sn_model *model = build_bodies(&body, 1);
    sn_dynamics_def def = sn_dynamics_def_default();
    def.form = SN_FORM_EXPLICIT;
    def.integrator = SN_INTEGRATOR_RK4;
    def.dt = dt;
    memset(def.gravity, 0, sizeof def.gravity);
    struct study *c = study_of(model, &def);
    const double kp[2][3] = {{5, 20, 80}, {20, 20, 20}}, kd[3] = {0}, qd[3] = {1, -2, 0.5};
    const double q[4] = {1, 0.3, -0.2, 0.15}, target[4] = {1, 0.1, 0.2, -0.1}, *k = kp[isotropic];
    assert_int_equal(study_set_state(c, q, qd), SN_OK);
    assert_int_equal(study_set_target(c, target, NULL), SN_OK);
    assert_int_equal(study_set_gains(c, k, kd), SN_OK);
    double first = 0, worst = 0;
    for (int i = 0; i * dt <= 3; i++) {
        double at[4], e[3];
        sn_summary s;
        study_get_state(c, at, NULL);
        sn_model_pose_subtract(model, 1, at, target, e);
        assert_int_equal(study_summary(c, &s), SN_OK);
        const double energy =
            s.kinetic + 0.5 * (k[0] * e[0] * e[0] + k[1] * e[1] * e[1] + k[2] * e[2] * e[2]);
        if (i == 0) first = energy;
        worst = fmax(worst, fabs(energy / first - 1));
        assert_int_equal(study_step(c), SN_OK);
    }
    study_free(c);
    sn_model_free(model);
    return worst;
}

TEST(a_ball_drive_with_gains_by_axis_conserves_energy) {
    for (int isotropic = 0; isotropic < 2; isotropic++) {
        const double coarse = energy_change(1e-3, isotropic), fine = energy_change(5e-4, isotropic);
        print_message("  energy changes by %.2g, %.2g at half the step\n", coarse, fine);
        assert_true(coarse < 1e-6);
        assert_true(fine < coarse / 10); /* the integrator's doing */
    }
}

TEST(equal_gains_make_the_per_axis_form_the_common_one) {
    struct worst worst = {0};
    for (int index = 0; index < ZOO_COUNT; index++) {
        struct drive_scene s;
        const sn_dynamics_def def = sn_dynamics_def_default();
        drive_open(&s, zoo_model(index), &def, 3, false);
        const int nv = sn_model_get(s.model)->nv;
        double common[MAX_NV], nearly[MAX_NV];
        assert_int_equal(study_drive_acceleration(s.study, common), SN_OK);
        for (int v = 0; v < nv; v += 2) /* enough to take the other path */
            s.kp[v] *= 1 + 1e-13, s.kd[v] *= 1 - 1e-13;
        assert_int_equal(study_set_gains(s.study, s.kp, s.kd), SN_OK);
        assert_int_equal(study_drive_acceleration(s.study, nearly), SN_OK);
        worst_add(&worst, relative_error(nearly, common, nv), "%s", zoo_name(index));
        drive_close(&s);
    }
    assert_worst(&worst, 1e-10, "gains by axis, all but equal");
}

/* -------------------------------------------------------------------------------------- stable at any gain
   */

/* spd-2011 section 3.2: after step one at p + dt pd, after step two at the target, however it moved. */
TEST(the_toy_lands_on_its_target_in_the_second_step) {
    static const sn_joint_type type[] = {SN_JOINT_SLIDE, SN_JOINT_HINGE};
    for (int t = 0; t < COUNT(type); t++) {
        const double com[3] = {0, 0, 0}, inertia[3] = {0.2, 0.2, 0.2};
        sn_body_def body = simple_body("toy", NULL, type[t], 0.2, com, inertia);
        sn_model *model = build_bodies(&body, 1);
        sn_dynamics_def def = sn_dynamics_def_default();
        def.integrator = SN_INTEGRATOR_EXPLICIT_EULER;
        def.dt = 1.0 / 30;
        memset(def.gravity, 0, sizeof def.gravity);
        struct study *c = study_of(model, &def);
        const double kp = 1e12, kd = kp * def.dt, p = 0.3, pd = -2, target = 1.25;
        double q;
        assert_int_equal(study_set_state(c, &p, &pd), SN_OK);
        assert_int_equal(study_set_target(c, &target, NULL), SN_OK);
        assert_int_equal(study_set_gains(c, &kp, &kd), SN_OK);
        assert_int_equal(study_step(c), SN_OK);
        study_get_state(c, &q, NULL);
        assert_near(q, p + def.dt * pd, 1e-15);
        assert_int_equal(study_step(c), SN_OK);
        study_get_state(c, &q, NULL);
        print_message("  off by %.2g of the way\n", fabs(q - target) / fabs(target - p));
        assert_near(q, target, 1e-9 * fabs(target - p));
        study_free(c);
        sn_model_free(model);
    }
}

TEST(the_full_form_is_stable_without_damping_at_any_gain) {
    for (int k = 0; k < 8; k++) {
        sn_model *model = two_links();
        sn_dynamics_def def = sn_dynamics_def_default();
        def.form = SN_FORM_FULL;
        def.dt = 1.0 / 30;
        struct study *c = study_of(model, &def);
        const double kp = 30 * pow(100, k), start[2] = {1, -0.5}, target[2] = {0.5, 0.7};
        double q[2];
        study_uniform_gains(c, 0, 0, kp, 0);
        assert_int_equal(study_set_state(c, start, NULL), SN_OK);
        assert_int_equal(study_set_target(c, target, NULL), SN_OK);
        for (int i = 0; i < 600; i++) {
            assert_int_equal(study_step(c), SN_OK);
            study_get_state(c, q, NULL);
            assert_true(fabs(q[0]) < 7 && fabs(q[1]) < 7);
        }
        if (k >= 3) /* gravity does not matter any more */
            assert_near_n(q, target, 2, 1e-4);
        study_free(c);
        sn_model_free(model);
    }
}

/* One cycle a second, a quarter of a radian: maba-2020's gains hold every model at every dt. */
static void swing_targets(const sn_model *model, double t, double *q, double *qd) {
    double dv[MAX_NV], zero[MAX_NQ];
    const int nv = sn_model_get(model)->nv;
    sn_model_zero_pose(model, zero);
    for (int v = 0; v < nv; v++) {
        dv[v] = v < 6 ? 0 : 0.25 * sin(6.283185307179586 * t + v);
        if (qd) qd[v] = v < 6 ? 0 : 0.25 * 6.283185307179586 * cos(6.283185307179586 * t + v);
    }
    sn_model_pose_add(model, 1, zero, dv, q);
}

TEST(paper_gains_track_at_every_step_size_in_both_precisions) {
    static const int rate[] = {30, 60, 120, 240};
    struct worst worst[2] = {0};
    for (int index = 0; index < BUILTIN_COUNT; index++) {
        sn_model *model = zoo_model(index);
        const int nv = sn_model_get(model)->nv;
        for (int k = 0; k < COUNT(rate); k++)
            for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++) {
                sn_dynamics_def def = study_def((sn_precision)precision, NULL);
                def.dt = 1.0 / rate[k];
                struct study *c = study_of(model, &def);
                double q[MAX_NQ], target[MAX_NQ], kp[MAX_NV], kd[MAX_NV], off[MAX_NV], largest = 0;
                paper_gains(model, kp, kd);
                assert_int_equal(study_set_gains(c, kp, kd), SN_OK);
                swing_targets(model, 0, q, NULL);
                assert_int_equal(study_set_state(c, q, NULL), SN_OK);
                for (int i = 1; i <= 2 * rate[k]; i++) {
                    swing_targets(model, i * def.dt, target, NULL);
                    assert_int_equal(study_set_target(c, target, NULL), SN_OK);
                    if (study_step(c) != SN_OK)
                        fail_msg("%s, 1/%d s, precision %d: step %d", zoo_name(index), rate[k], precision, i);
                    study_get_state(c, q, NULL);
                    sn_model_pose_subtract(model, 1, q, target, off);
                    for (int v = 6; v < nv; v++)
                        largest = fmax(largest, fabs(off[v]));
                }
                worst_add(&worst[precision], largest, "%s, 1/%d s", zoo_name(index), rate[k]);
                study_free(c);
            }
        sn_model_free(model);
    }
    assert_worst(&worst[SN_PRECISION_DOUBLE], 0.3, "largest joint error, double");
    assert_worst(&worst[SN_PRECISION_FLOAT], 0.3, "largest joint error, float");
}

TEST(a_target_velocity_removes_the_lag) {
    double largest[2] = {0};
    for (int with = 0; with < 2; with++) {
        sn_model *model = two_links();
        sn_dynamics_def def = sn_dynamics_def_default();
        def.dt = 1.0 / 60;
        def.integrator = SN_INTEGRATOR_EXPLICIT_EULER; /* for which kd = kp dt is enough */
        memset(def.gravity, 0, sizeof def.gravity);
        struct study *c = study_of(model, &def);
        study_uniform_gains(c, 0, 0, 30000, 30000 * def.dt);
        for (int i = 1; i <= 600; i++) {
            const double t = i * def.dt, q[2] = {cos(t), 1 + cos(t)}, qd[2] = {-sin(t), -sin(t)};
            if (i == 1) assert_int_equal(study_set_state(c, q, NULL), SN_OK);
            assert_int_equal(study_set_target(c, q, with ? qd : NULL), SN_OK);
            assert_int_equal(study_step(c), SN_OK);
            double at[2];
            study_get_state(c, at, NULL);
            if (i > 60) largest[with] = fmax(largest[with], fmax(fabs(at[0] - q[0]), fabs(at[1] - q[1])));
        }
        study_free(c);
        sn_model_free(model);
    }
    print_message("  largest error %.2g without, %.2g with target velocity\n", largest[0], largest[1]);
    assert_near(largest[0], 1.0 / 60, 2e-3); /* one step behind a target that moves at 1 rad/s */
    assert_true(largest[1] < largest[0] / 20);
}

int main(void) {
    return run_all("spd");
}
