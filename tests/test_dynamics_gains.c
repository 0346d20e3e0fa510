/* sinew/dynamics.h: gains that are chosen and checked. */
#include "dynamics_helpers.h"

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
        assert_int_equal(sn_gains_choose(model,
                                         &(sn_gains_def){.struct_size = sizeof(sn_gains_def),
                                                         .frequency = f,
                                                         .damping_ratio = z,
                                                         .stance = SN_STANCE_NONE},
                                         kp, kd, NULL),
                         SN_OK);
        for (int v = 0; v < sn_model_get(model)->nv; v++) {
            assert_near(kp[v], expected[i].inertia[v] * w * w, 1e-12 * kp[v]);
            assert_near(kd[v], 2 * z * expected[i].inertia[v] * w, 1e-12 * kd[v]);
        }
        sn_model_free(model);
    }
}

/* Frequency of a hinge let go beside its target, from the times it passes it. */
static double measured_frequency(const sn_dynamics_def *def, double frequency, double ratio) {
    const double com[3] = {0.2, 0, 0}, inertia[3] = {0.2, 0.3, 0.4}, start = 0.2;
    const sn_body_def body = simple_body("arm", NULL, SN_JOINT_HINGE, 2, com, inertia);
    sn_model *model = build_bodies(&body, 1);
    struct study *c = study_of(model, def);
    double kp, kd, q = start, before = start, first = 0, last = 0;
    int passes = 0;
    assert_int_equal(sn_gains_choose(model,
                                     &(sn_gains_def){.struct_size = sizeof(sn_gains_def),
                                                     .frequency = frequency,
                                                     .damping_ratio = ratio},
                                     &kp, &kd, NULL),
                     SN_OK);
    assert_int_equal(study_set_gains(c, &kp, &kd), SN_OK);
    assert_int_equal(study_set_state(c, &q, NULL), SN_OK);
    for (int i = 1; i * def->dt < 3; i++) {
        assert_int_equal(study_step(c), SN_OK);
        study_get_state(c, &q, NULL);
        if (q * before < 0) {
            last = (i - q / (q - before)) * def->dt;
            if (passes++ == 0) first = last;
        }
        before = q;
    }
    study_free(c);
    sn_model_free(model);
    return 0.5 * (passes - 1) / (last - first);
}

TEST(a_hinge_swings_at_the_frequency_that_was_asked_for) {
    const double f = 2, z = 0.1, damped = f * sqrt(1 - z * z);
    sn_dynamics_def def = sn_dynamics_def_default(); /* the axis is along gravity */
    const double stable = measured_frequency(&def, f, z);
    def.form = SN_FORM_EXPLICIT;
    def.integrator = SN_INTEGRATOR_RK4;
    const double exact = measured_frequency(&def, f, z);
    print_message("  %.5g Hz as stable PD, %.7g Hz exactly, of %.7g Hz\n", stable, exact, damped);
    assert_near(stable, damped, 0.02 * damped);
    assert_near(exact, damped, 1e-5 * damped);
}

/* The inertia that counts is 1 / (M^-1)_vv: all other degrees of freedom free. */
static void free_inertia(const sn_model *model, const double *q, double *inertia) {
    const sn_dynamics_def def = sn_dynamics_def_default();
    struct study *c = study_of(model, &def);
    const int nv = sn_model_get(model)->nv;
    static double M[MAX_NV * MAX_NV];
    assert_int_equal(study_set_state(c, q, NULL), SN_OK);
    assert_int_equal(study_mass_matrix(c, M), SN_OK);
    for (int v = 0; v < nv; v++) {
        double unit[MAX_NV] = {0}, column[MAX_NV];
        unit[v] = 1;
        assert_true(solve_spd(M, unit, column, nv));
        inertia[v] = 1 / column[v];
    }
    study_free(c);
}

TEST(gains_check_flags_what_its_three_formulas_say) {
    static const int rate[] = {240, 60, 30, 20, 10};
    int seen = 0, of_dog = 0;
    for (int index = 0; index < 2; index++) {
        sn_model *model = zoo_model(index); /* humanoid and dog */
        const int nv = sn_model_get(model)->nv;
        double kp[MAX_NV], kd[MAX_NV], q[MAX_NQ], qd[MAX_NV], inertia[MAX_NV];
        unsigned flags[MAX_NV];
        struct rng rng = {1};
        random_state(&rng, model, 0.5, 1, q, qd);
        paper_gains(model, kp, kd);
        for (int v = 0; v < nv; v += 5)
            kp[v] *= uniform(&rng, 0.2, 3);
        free_inertia(model, q, inertia);
        for (int k = 0; k < COUNT(rate); k++)
            for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++) {
                const double dt = 1.0 / rate[k], eps = 1.1920928955078125e-7;
                int bad = 0;
                const int count = sn_gains_check(model,
                                                 &(sn_gains_def){.struct_size = sizeof(sn_gains_def),
                                                                 .q = q,
                                                                 .dt = dt,
                                                                 .precision = (sn_precision)precision},
                                                 kp, kd, flags, NULL);
                for (int v = 0; v < nv; v++) {
                    unsigned expected = kd[v] < kp[v] * dt ? SN_GAIN_UNDERDAMPED : 0;
                    if (precision == SN_PRECISION_FLOAT && eps * kd[v] * dt > 0.1 * inertia[v])
                        expected |= SN_GAIN_FLOAT_STIFF;
                    if (3 * kp[v] * dt * dt > 4 * inertia[v] + 2 * kd[v] * dt) expected |= SN_GAIN_OVERSHOOTS;
                    assert_int_equal(flags[v], expected);
                    bad += expected != 0;
                    seen |= (int)expected;
                }
                assert_int_equal(count, bad);
                if (index == 1 && rate[k] == 60 && precision == SN_PRECISION_FLOAT) of_dog = bad;
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
    const sn_gains_def def = {.struct_size = sizeof(sn_gains_def), .dt = 1.0 / 240};
    const double kp = 300;
    double kd = kp * def.dt, less = 0.999 * kd;
    assert_int_equal(sn_gains_check(model, &def, &kp, &kd, &flags, NULL), 0);
    assert_int_equal(sn_gains_check(model, &def, &kp, &less, &flags, NULL), 1);
    assert_int_equal(flags, SN_GAIN_UNDERDAMPED);
    sn_model_free(model);
}

TEST(gains_functions_refuse_what_is_no_number) {
    sn_model *model = single(SN_JOINT_BALL);
    double kp[3] = {1, 1, 1}, kd[3] = {1, 1, 1};
    const double bad_pose[4] = {0}, nan = (double)NAN;
    sn_error error;
    assert_int_equal(sn_gains_check(NULL, NULL, kp, kd, NULL, NULL), -1);
    assert_int_equal(sn_gains_check(model, NULL, NULL, kd, NULL, NULL), -1);
    assert_int_equal(sn_gains_check(model, &(sn_gains_def){.struct_size = sizeof(sn_gains_def), .dt = -1}, kp,
                                    kd, NULL, NULL),
                     -1);
    assert_int_equal(sn_gains_check(model, &(sn_gains_def){.struct_size = sizeof(sn_gains_def), .dt = nan},
                                    kp, kd, NULL, NULL),
                     -1);
    assert_int_equal(sn_gains_check(model, &(sn_gains_def){.struct_size = sizeof(sn_gains_def), .q = bad_pose},
                                    kp, kd, NULL, &error),
                     -1);
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    kd[1] = nan;
    assert_int_equal(sn_gains_check(model, NULL, kp, kd, NULL, NULL), -1);
    kd[1] = -1;
    assert_int_equal(sn_gains_check(model, NULL, kp, kd, NULL, NULL), -1);
    static const sn_gains_def wrong[] = {{.frequency = -2},
                                         {.frequency = (double)NAN},
                                         {.damping_ratio = -1},
                                         {.dt = (double)INFINITY},
                                         {.form = (sn_form)7},
                                         {.stance = (sn_stance)7},
                                         {.stance = SN_STANCE_BODIES},
                                         {.gravity = {(double)NAN, 0, 0}}};
    for (int i = 0; i < COUNT(wrong); i++) {
        assert_int_equal(sn_gains_choose(model, &wrong[i], kp, kd, &error), SN_ERROR_ARGUMENT);
        assert_true(error.message[0] != 0);
    }
    assert_int_equal(sn_gains_choose(model,
                                     &(sn_gains_def){.struct_size = sizeof(sn_gains_def), .q = bad_pose}, kp,
                                     kd, NULL),
                     SN_ERROR_ARGUMENT);
    assert_int_equal(sn_gains_choose(NULL, NULL, kp, kd, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_gains_choose(model, NULL, NULL, kd, NULL), SN_ERROR_ARGUMENT);
    sn_model_free(model);
}

int main(void) {
    return run_all("dynamics gains");
}
