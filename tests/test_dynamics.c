/* Independent ways to the same dynamics: solvers, algorithms, precisions and lane types agree. */
#include "dynamics_helpers.h"

static const char *const solver_name[] = {"maba", "dense", "lapack", "sparse", "pcg"};

enum gains { GAINS_PAPER, GAINS_PER_AXIS, GAINS_MODERATE, GAINS_COUNT };

static void choose_gains(struct rng *rng, enum gains gains, struct study *character) {
    const sn_model *model = character->model;
    double kp[MAX_NV], kd[MAX_NV];
    if (gains == GAINS_PAPER) paper_gains(model, kp, kd);
    if (gains == GAINS_PER_AXIS) per_axis_gains(rng, model, kp, kd);
    if (gains == GAINS_MODERATE) sn_gains_uniform(model, 300, 30, 500, 40, kp, kd);
    assert_int_equal(study_set_gains(character, kp, kd), SN_OK);
}

/* -------------------------------------------------------------------------------------------- equivalence
   */

/* All solvers at one state, against MABA. */
static void compare_solvers(int index, const sn_model *model, enum gains gains, enum drive drive,
                            uint64_t seed, struct worst *worst) {
    const int nv = sn_model_get(model)->nv;
    double maba[MAX_NV], qdd[MAX_NV];
    for (int solver = SN_SOLVER_MABA; solver <= SN_SOLVER_PCG; solver++) {
        if (solver == SN_SOLVER_LAPACK && !sn_built_with("lapack")) continue;
        sn_dynamics_def def = sn_dynamics_def_default();
        def.solver = (sn_solver)solver;
        struct study *character = study_of(model, &def);
        struct rng rng = {seed};
        disturb(&rng, character, drive);
        choose_gains(&rng, gains, character);
        double *answer = solver == SN_SOLVER_MABA ? maba : qdd;
        assert_int_equal(study_drive_acceleration(character, answer), SN_OK);
        worst_add(&worst[solver], relative_error(answer, maba, nv), "%s, gains %d, drive %d, seed %d",
                  zoo_name(index), gains, drive, (int)seed);
        study_free(character);
    }
}

TEST(all_solvers_give_the_same_acceleration) {
    struct worst worst[SN_SOLVER_PCG + 1] = {0};
    for (int index = 0; index < ZOO_COUNT; index++) {
        sn_model *model = zoo_model(index);
        const int states = sn_model_get(model)->nv > 100 ? 1 : 4;
        for (int gains = 0; gains < GAINS_COUNT; gains++)
            for (int s = 0; s < states; s++)
                for (int drive = DRIVE_PLAIN; drive <= DRIVE_ALL; drive++)
                    compare_solvers(index, model, (enum gains)gains, (enum drive)drive, (uint64_t)s + 1,
                                    worst);
        sn_model_free(model);
    }
    for (int solver = SN_SOLVER_DENSE; solver <= SN_SOLVER_PCG; solver++)
        assert_worst(&worst[solver], 1e-10, solver_name[solver]);
}

TEST(forward_dynamics_inverts_inverse_dynamics) {
    struct worst torque = {0}, acceleration = {0};
    for (int index = 0; index < ZOO_COUNT; index++) {
        struct study *character = zoo_study(index);
        const int nv = sn_model_get(character->model)->nv;
        for (int s = 0; s < 10; s++) {
            struct rng rng = {(uint64_t)s};
            double wanted[MAX_NV], tau[MAX_NV], qdd[MAX_NV], again[MAX_NV];
            disturb(&rng, character, s % 2 ? DRIVE_ALL : DRIVE_PLAIN);
            random_values(&rng, 10, wanted, nv);
            assert_int_equal(study_inverse_dynamics(character, wanted, tau), SN_OK);
            assert_int_equal(study_forward_dynamics(character, tau, qdd), SN_OK);
            assert_int_equal(study_inverse_dynamics(character, qdd, again), SN_OK);
            worst_add(&torque, relative_error(again, tau, nv), "%s, seed %d", zoo_name(index), s);
            worst_add(&acceleration, relative_error(qdd, wanted, nv), "%s, seed %d", zoo_name(index), s);
        }
        zoo_study_free(character);
    }
    assert_worst(&torque, 1e-10, "tau after forward and inverse dynamics");
    assert_worst(&acceleration, 1e-6, "qdd after inverse and forward dynamics"); /* as conditioning allows */
}

TEST(mass_matrix_is_inverse_dynamics_of_unit_accelerations) {
    struct worst worst = {0};
    for (int index = 0; index < ZOO_COUNT; index++) {
        sn_model *model = zoo_model(index);
        sn_dynamics_def def = sn_dynamics_def_default();
        memset(def.gravity, 0, sizeof def.gravity);
        struct study *character = study_of(model, &def);
        const int nv = sn_model_get(model)->nv, states = nv > 100 ? 1 : 4;
        static double M[MAX_NV * MAX_NV];
        for (int s = 0; s < states; s++) {
            struct rng rng = {(uint64_t)s + 7};
            double unit[MAX_NV] = {0}, column[MAX_NV], still[MAX_NV] = {0}, bias[MAX_NV];
            disturb(&rng, character, DRIVE_PLAIN);
            assert_int_equal(study_set_state(character, NULL, still), SN_OK);
            assert_int_equal(study_mass_matrix(character, M), SN_OK);
            assert_int_equal(study_inverse_dynamics(character, unit, bias), SN_OK); /* springs */
            for (int j = 0; j < nv; j++) {
                unit[j] = 1;
                assert_int_equal(study_inverse_dynamics(character, unit, column), SN_OK);
                unit[j] = 0;
                axpy(-1, bias, column, nv);
                worst_add(&worst, relative_error(M + j * nv, column, nv), "%s, column %d", zoo_name(index),
                          j);
            }
        }
        study_free(character);
        sn_model_free(model);
    }
    assert_worst(&worst, 1e-10, "mass matrix, by columns");
}

TEST(mass_matrix_is_symmetric_and_positive_definite) {
    for (int index = 0; index < ZOO_COUNT; index++) {
        struct study *character = zoo_study(index);
        const int nv = sn_model_get(character->model)->nv;
        static double M[MAX_NV * MAX_NV];
        for (int s = 0; s < 3; s++) {
            struct rng rng = {(uint64_t)s};
            double x[MAX_NV];
            disturb(&rng, character, DRIVE_PLAIN);
            assert_int_equal(study_mass_matrix(character, M), SN_OK);
            for (int i = 0; i < nv; i++)
                for (int j = 0; j < i; j++)
                    assert_true(M[i * nv + j] == M[j * nv + i]);
            random_values(&rng, 1, x, nv);
            if (!solve_spd(M, x, x, nv)) fail_msg("%s: not positive definite", zoo_name(index));
        }
        zoo_study_free(character);
    }
}

/* ---------------------------------------------------------------------------------------------- precision
   */

TEST(float_acceleration_agrees_with_double) {
    for (int gains = 0; gains < GAINS_COUNT; gains++) {
        struct worst worst = {0};
        for (int index = 0; index < ZOO_COUNT; index++) {
            sn_model *model = zoo_model(index);
            const int nv = sn_model_get(model)->nv;
            for (int s = 0; s < 8; s++) {
                double answer[2][MAX_NV];
                for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++) {
                    const sn_dynamics_def def = study_def((sn_precision)precision, NULL);
                    struct study *character = study_of(model, &def);
                    struct rng rng = {(uint64_t)s};
                    disturb(&rng, character, s % 2 ? DRIVE_ALL : DRIVE_PLAIN);
                    choose_gains(&rng, (enum gains)gains, character);
                    assert_int_equal(study_drive_acceleration(character, answer[precision]), SN_OK);
                    study_free(character);
                }
                worst_add(&worst, relative_error(answer[SN_PRECISION_FLOAT], answer[SN_PRECISION_DOUBLE], nv),
                          "%s, seed %d", zoo_name(index), s);
            }
            sn_model_free(model);
        }
        static const char *const what[] = {"float against double, paper gains",
                                           "float against double, per axis",
                                           "float against double, moderate gains"};
        assert_worst(&worst, 1e-5, what[gains]);
    }
}

/* -------------------------------------------------------------------------------------------------- lanes
   */

enum { MAX_ANSWERS = 20 };

/* Everything a character can be asked, as one list of vectors. */
struct answers {
    int count, size[MAX_ANSWERS];
    const char *name[MAX_ANSWERS];
    double value[MAX_ANSWERS][6 * MAX_NV];
};

static double *answer(struct answers *a, const char *name, int size) {
    assert_true(a->count < MAX_ANSWERS && size <= 6 * MAX_NV);
    a->name[a->count] = name;
    a->size[a->count] = size;
    return a->value[a->count++];
}

/* Whether a lane type has all solvers, and answers all questions: f64x8 steps only. */
static bool studies(const sn_model *model, const sn_lanes_info *info) {
    sn_dynamics_def def = study_def(info->precision, info->name);
    def.solver = SN_SOLVER_DENSE;
    sn_error error;
    sn_dynamics *d = sn_dynamics_create(model, &def, &error);
    const bool all = d != NULL;
    if (!all) {
        double x[6 * MAX_NV] = {0};
        assert_int_equal(error.status, SN_ERROR_UNSUPPORTED);
        /* names one that has: the widest of 256 bits, or of 128 without AVX2 */
        assert_true(strstr(error.message, "f64x4") || strstr(error.message, "f64x2"));
        def.solver = SN_SOLVER_MABA;
        struct study *s = study_of(model, &def);
        assert_int_equal(study_forward_dynamics(s, x, x), SN_ERROR_UNSUPPORTED);
        assert_int_equal(study_jacobian(s, 0, x, x), SN_ERROR_UNSUPPORTED);
        study_free(s);
    }
    sn_dynamics_free(d);
    return all;
}

static void ask_all(const sn_model *model, sn_precision precision, const char *lanes, bool all, uint64_t seed,
                    struct answers *a) {
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv,
              last = sn_model_get(model)->nbody - 1;
    a->count = 0;
    static double M[MAX_NV * MAX_NV];
    for (int solver = SN_SOLVER_MABA; solver <= SN_SOLVER_PCG; solver++) {
        if (solver == SN_SOLVER_LAPACK && !sn_built_with("lapack")) continue;
        if (solver != SN_SOLVER_MABA && !all) continue;
        sn_dynamics_def def = study_def(precision, lanes);
        def.solver = (sn_solver)solver;
        struct study *c = study_of(model, &def);
        struct rng rng = {seed};
        disturb(&rng, c, DRIVE_ALL);
        choose_gains(&rng, GAINS_PER_AXIS, c);
        study_drive_acceleration(c, answer(a, solver_name[solver], nv));
        if (solver == SN_SOLVER_MABA) {
            double wanted[MAX_NV], tau[MAX_NV], *v;
            const double point[3] = {0.1, -0.2, 0.3};
            random_values(&rng, 10, wanted, nv);
            study_inverse_dynamics(c, wanted, v = answer(a, "inverse dynamics", nv));
            study_drive_torque(c, answer(a, "drive torque", nv));
            if (all) {
                memcpy(tau, v, sizeof tau);
                study_forward_dynamics(c, tau, wanted);
                study_inverse_dynamics(c, wanted, answer(a, "forward dynamics, as torque", nv));
                study_mass_matrix(c, M);
                multiply(M, wanted, answer(a, "mass matrix", nv), nv);
                study_jacobian(c, last, point, answer(a, "jacobian", 6 * nv));
            }
            v = answer(a, "pose", 7);
            study_body_pose(c, last, v, v + 3);
            v = answer(a, "velocity", 6);
            study_body_velocity(c, last, v, v + 3);
            sn_summary s;
            study_summary(c, &s);
            memcpy(answer(a, "energy", 2), &s.kinetic, 2 * sizeof(double));
            memcpy(answer(a, "centre of mass", 3), s.com, sizeof s.com);
            memcpy(answer(a, "momentum", 3), s.linear_momentum, sizeof s.com);
            memcpy(answer(a, "angular momentum", 3), s.angular_momentum, sizeof s.com);
            assert_int_equal(study_step(c), SN_OK);
            v = answer(a, "pose after a step", nq);
            study_get_state(c, v, answer(a, "velocity after a step", nv));
        }
        study_free(c);
    }
}

TEST(every_lane_type_agrees_with_scalar_to_rounding) {
    static struct answers scalar, lanes;
    struct worst worst[2] = {0};
    for (int index = 0; index < ZOO_COUNT; index++) {
        sn_model *model = zoo_model(index);
        for (int i = 0; sn_lanes_get(i); i++) {
            const sn_lanes_info *info = sn_lanes_get(i);
            const bool all = studies(model, info);
            ask_all(model, info->precision, info->precision == SN_PRECISION_DOUBLE ? "f64" : "f32", all, 11,
                    &scalar);
            ask_all(model, info->precision, info->name, all, 11, &lanes);
            assert_int_equal(scalar.count, lanes.count);
            for (int k = 0; k < lanes.count; k++)
                worst_add(&worst[info->precision],
                          relative_error(lanes.value[k], scalar.value[k], scalar.size[k]), "%s, %s, %s",
                          zoo_name(index), info->name, lanes.name[k]);
        }
        sn_model_free(model);
    }
    assert_worst(&worst[SN_PRECISION_DOUBLE], 1e-12, "double lanes against f64");
    assert_worst(&worst[SN_PRECISION_FLOAT], 1e-4, "float lanes against f32");
}

int main(void) {
    return run_all("dynamics");
}
