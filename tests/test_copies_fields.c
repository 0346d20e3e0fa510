/* Values of copies in and out, and what is refused. */
#include "sinew/dynamics.h"

#include "copies_helpers.h"

static sn_world *full_copies(const sn_model *model, sn_precision precision, int threads) {
    sn_world_def def = copies_def(MANY, precision);
    def.torque_limits = true;
    def.threads = threads;
    def.report_torque = true;
    return copies_of(model, &def);
}

static void check_round_trip(const sn_model *model, sn_precision precision, int threads, enum way_in way) {
    static double x[MANY * MOST_SIZE];
    struct rng rng = {77};
    sn_world *w = full_copies(model, precision, threads);
    for (int f = 0; f <= SN_FIELD_PHASE; f++) {
        const sn_field field = (sn_field)f;
        const int n = sn_world_size(w, 0, field);
        assert_in_range(n, 1, MOST_SIZE);
        struct values before, after;
        values_take(w, 0, &before);
        for (int i = 0; i < MANY; i++)
            good_values(&rng, model, field, n, x + i * n);
        put_in(w, 0, precision, field, way, x);
        values_take(w, 0, &after);
        const void *view = sn_world_view(w, 0, field);
        assert_non_null(view);
        assert_ptr_equal(sn_world_view(w, 0, field), view);
        const double tolerance = is_pose(field) ? precision == SN_PRECISION_DOUBLE ? 1e-15 : 2e-7 : 0;
        for (int i = 0; i < MANY; i++) {
            as_kept(model, precision, field, n, x + i * n);
            if (precision == SN_PRECISION_FLOAT && way != BY_RANGE)
                round_to_float(x + i * n, n); /* phases, too */
            assert_same(after.of[f] + i * n, (chosen(way, i) ? x : before.of[f]) + i * n, n, tolerance,
                        chosen(way, i) ? "set" : "left alone", f, i);
            double row[MOST_SIZE];
            for (int k = 0; k < n; k++)
                row[k] = element(precision, view, i * n + k);
            if (precision == SN_PRECISION_FLOAT) round_to_float(after.of[f] + i * n, n);
            assert_same(row, after.of[f] + i * n, n, 0, "view", f, i);
        }
        /* nothing else has changed, apart from what comes from the state */
        for (int g = 0; g <= SN_FIELD_TORQUE; g++) {
            const int size = sn_world_size(w, 0, (sn_field)g);
            for (int i = 0; i < MANY && g != f; i++)
                assert_same(after.of[g] + i * size, before.of[g] + i * size, size, 0, "bystander", g, i);
        }
        values_free(&before), values_free(&after);
    }
    sn_world_free(w);
}

TEST(values_come_back_as_they_were_set) {
    sn_model *model[] = {mixed_model(5, MIX_PASSIVE), sn_builtin_create("humanoid", NULL)};
    for (int m = 0; m < COUNT(model); m++)
        for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++)
            for (int way = 0; way < WAYS_IN; way++)
                check_round_trip(model[m], (sn_precision)precision, 1 + m, (enum way_in)way);
    for (int m = 0; m < COUNT(model); m++)
        sn_model_free(model[m]);
}

/* After some steps every bit that a view shows can be put back. */
TEST(what_a_view_shows_can_be_put_back) {
    sn_model *model = mixed_model(6, MIX_PASSIVE);
    for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++) {
        sn_world *w = full_copies(model, (sn_precision)precision, 2);
        struct rng rng = {3};
        double q[MAX_NQ], qd[MAX_NV];
        for (int i = 0; i < MANY; i++) {
            random_state(&rng, model, 1, 2, q, qd);
            copy_put(w, 0, i, q, qd);
        }
        step_many(w, 20);
        assert_int_equal(stats_of(w).diverged, 0);
        struct values before;
        values_take(w, 0, &before);
        for (int f = 0; f <= SN_FIELD_PHASE; f++) {
            const void *view = sn_world_view(w, 0, (sn_field)f);
            assert_int_equal(sn_world_put(w, 0, (sn_field)f, NULL, view), SN_OK);
            assert_unchanged(w, &before, "put back");
        }
        values_free(&before);
        sn_world_free(w);
    }
    sn_model_free(model);
}

/* Poses and velocities of all bodies of every copy, against those of the same state without a world. */
TEST(bodies_are_where_the_dynamics_have_them) {
    sn_model *model = mixed_model(7, 0);
    const int nbody = sn_model_get(model)->nbody;
    for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++) {
        sn_world *w = full_copies(model, (sn_precision)precision, 2);
        sn_dynamics_def def = sn_dynamics_def_default();
        def.precision = (sn_precision)precision;
        sn_dynamics *alone = sn_dynamics_create(model, &def, NULL);
        assert_non_null(alone);
        struct rng rng = {8};
        static double q[MANY * MAX_NQ], qd[MANY * MAX_NV], pose[MANY * MOST_SIZE], velocity[MANY * MOST_SIZE];
        double want_pose[MOST_SIZE], want_velocity[MOST_SIZE];
        const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv;
        for (int i = 0; i < MANY; i++)
            random_state(&rng, model, 1, 2, q + i * nq, qd + i * nv);
        assert_int_equal(sn_world_set(w, 0, SN_FIELD_Q, 0, MANY, q), SN_OK);
        assert_int_equal(sn_world_set(w, 0, SN_FIELD_QD, 0, MANY, qd), SN_OK);
        const void *seen[2] = {sn_world_view(w, 0, SN_FIELD_BODY_POSE),
                               sn_world_view(w, 0, SN_FIELD_BODY_VELOCITY)};
        assert_int_equal(sn_world_get(w, 0, SN_FIELD_BODY_POSE, 0, MANY, pose), SN_OK);
        assert_int_equal(sn_world_get(w, 0, SN_FIELD_BODY_VELOCITY, 0, MANY, velocity), SN_OK);
        const double tolerance = precision == SN_PRECISION_DOUBLE ? 1e-13 : 2e-5;
        for (int i = 0; i < MANY; i++) {
            assert_int_equal(
                sn_dynamics_bodies(alone, q + i * nq, qd + i * nv, want_pose, want_velocity, NULL), SN_OK);
            for (int b = 0; b < nbody; b++) {
                double x[13];
                const int at = i * nbody + b;
                assert_same(pose + 7 * at, want_pose + 7 * b, 7, tolerance, "pose", b, i);
                assert_same(velocity + 6 * at, want_velocity + 6 * b, 6, tolerance, "velocity", b, i);
                for (int k = 0; k < 13; k++)
                    x[k] = k < 7 ? element((sn_precision)precision, seen[0], 7 * at + k)
                                 : element((sn_precision)precision, seen[1], 6 * at + k - 7);
                assert_same(pose + 7 * at, x, 7, tolerance, "view of pose", b, i);
                assert_same(velocity + 6 * at, x + 7, 6, tolerance, "view of velocity", b, i);
            }
        }
        sn_dynamics_free(alone);
        sn_world_free(w);
    }
    sn_model_free(model);
}

/* A view is of the present: every way of changing the world makes it new. */
TEST(views_follow_every_change) {
    sn_model *model;
    sn_world *w = humanoids_of(MANY, SN_PRECISION_DOUBLE, &model);
    const int nq = sn_model_get(model)->nq;
    double q[MAX_NQ], qd[MAX_NV] = {0}, want[MAX_NQ];
    struct rng rng = {4};
    sn_world_view(w, 0, SN_FIELD_Q);
    for (int change = 0; change < 5; change++) {
        random_state(&rng, model, 0.3, 1, q, qd);
        if (change == 0) copy_put(w, 0, 3, q, NULL);
        if (change == 1) assert_int_equal(sn_world_set(w, 0, SN_FIELD_Q, 3, 1, q), SN_OK);
        if (change == 2) assert_int_equal(sn_world_reset(w, 0, NULL, q, qd), SN_OK);
        if (change == 3) assert_int_equal(sn_world_step(w), SN_OK);
        if (change == 4) assert_int_equal(sn_world_reset(w, 0, NULL, q, NULL), SN_OK);
        copy_get(w, 0, 3, want, NULL);
        assert_memory_equal((const double *)sn_world_view(w, 0, SN_FIELD_Q) + 3 * nq, want,
                            sizeof *want * (size_t)nq);
    }
    end_scene(w, model);
}

static void check_refusals(const sn_model *model, sn_precision precision) {
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, -1, 0, 1e300};
    static double x[MANY * MOST_SIZE], elements[MANY * MOST_SIZE];
    struct rng rng = {5};
    sn_world *w = full_copies(model, precision, 2);
    step_many(w, 3);
    struct values before;
    values_take(w, 0, &before);
    for (int f = 0; f <= SN_FIELD_PHASE; f++) {
        const sn_field field = (sn_field)f;
        const int n = sn_world_size(w, 0, field);
        const bool signs =
            f <= SN_FIELD_FEEDFORWARD || f == SN_FIELD_PUSH || f == SN_FIELD_GRAVITY || f == SN_FIELD_PHASE;
        const bool positive = f == SN_FIELD_MASS_SCALE || f == SN_FIELD_DT;
        for (int k = 0; k < COUNT(bad); k++) {
            if (k == 1 && f == SN_FIELD_TORQUE_LIMIT) continue; /* there is none */
            if ((k == 3 && signs) || (k == 4 && !positive) || (k == 5 && precision == SN_PRECISION_DOUBLE))
                continue;
            for (int i = 0; i < MANY; i++)
                good_values(&rng, model, field, n, x + i * n);
            for (int v = 0; v < (k == 3 || k == 5 ? n : 1); v++) /* all axes of a ball alike */
                x[MANY * n - 1 - v] = bad[k];
            narrow(precision, x, MANY * n, elements);
            assert_int_equal(sn_world_set(w, 0, field, 0, MANY, x), SN_ERROR_ARGUMENT);
            if (k < 5 || f != SN_FIELD_TORQUE_LIMIT) /* infinite as a float */
                assert_int_equal(sn_world_put(w, 0, field, NULL, elements), SN_ERROR_ARGUMENT);
            assert_unchanged(w, &before, "refused");
        }
        if (!is_pose(field)) continue;
        for (int i = 0; i < n; i++)
            x[i] = 0; /* quaternions of length zero */
        narrow(precision, x, n, elements);
        assert_int_equal(sn_world_set(w, 0, field, MANY - 1, 1, x), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_put(w, 0, field, NULL, elements), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_reset(w, 0, NULL, x, NULL), SN_ERROR_ARGUMENT);
        assert_unchanged(w, &before, "length zero");
    }
    values_free(&before);
    sn_world_free(w);
}

TEST(a_bad_value_is_refused_and_nothing_changes) {
    sn_model *model = mixed_model(9, MIX_PASSIVE);
    check_refusals(model, SN_PRECISION_DOUBLE);
    check_refusals(model, SN_PRECISION_FLOAT);
    sn_model_free(model);
}

TEST(a_bad_value_that_is_not_chosen_does_not_matter) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world *w = full_copies(model, SN_PRECISION_FLOAT, 1);
    static float qd[MANY * MAX_NV];
    uint8_t which[MANY];
    for (int i = 0; i < MANY; i++) {
        which[i] = i != 20 && i != MANY - 1;
        qd[i * sn_model_get(model)->nv + 3] = which[i] ? 1 : (float)NAN;
    }
    assert_int_equal(sn_world_put(w, 0, SN_FIELD_QD, which, qd), SN_OK);
    which[20] = 1;
    assert_int_equal(sn_world_put(w, 0, SN_FIELD_QD, which, qd), SN_ERROR_ARGUMENT);
    end_scene(w, model);
}

/* What the function tries on a world, with room for values, is refused and changes nothing. */
static void assert_all_refused(void (*attempts)(sn_world *w, double *x)) {
    sn_model *model;
    sn_world *w = humanoids_of(MANY, SN_PRECISION_FLOAT, &model);
    static double x[MANY * MOST_SIZE];
    struct values before;
    values_take(w, 0, &before);
    attempts(w, x);
    assert_unchanged(w, &before, "refused");
    values_free(&before);
    end_scene(w, model);
}

static void refuse_fields_and_ranges(sn_world *w, double *x) {
    for (int f = SN_FIELD_QDD; f < SN_FIELD_COUNT; f++) {
        assert_int_equal(sn_world_set(w, 0, (sn_field)f, 0, 1, x), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_put(w, 0, (sn_field)f, NULL, x), SN_ERROR_ARGUMENT);
    }
    static const int none[] = {-1, SN_FIELD_COUNT, 1000};
    for (int i = 0; i < COUNT(none); i++) {
        const sn_field field = (sn_field)none[i];
        assert_int_equal(sn_world_size(w, 0, field), 0);
        assert_int_equal(sn_world_set(w, 0, field, 0, 1, x), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_get(w, 0, field, 0, 1, x), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_put(w, 0, field, NULL, x), SN_ERROR_ARGUMENT);
        assert_null(sn_world_view(w, 0, field));
    }
    static const int range[][2] = {{-1, 1},        {0, MANY + 1},  {MANY, 1},
                                   {1, INT32_MAX}, {INT32_MAX, 1}, {2, -1}};
    for (int i = 0; i < COUNT(range); i++) {
        assert_int_equal(sn_world_set(w, 0, SN_FIELD_QD, range[i][0], range[i][1], x), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_get(w, 0, SN_FIELD_QD, range[i][0], range[i][1], x), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_set(w, 0, SN_FIELD_TARGET_QD, range[i][0], range[i][1], x),
                         SN_ERROR_ARGUMENT);
    }
    assert_int_equal(sn_world_set(w, 0, SN_FIELD_QD, 0, 1, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_put(w, 0, SN_FIELD_QD, NULL, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_set(w, 0, SN_FIELD_QD, MANY, 0, NULL), SN_OK); /* nobody */
    /* torques that nobody wanted, limits that nobody keeps */
    assert_int_equal(sn_world_size(w, 0, SN_FIELD_TORQUE), 0);
    assert_null(sn_world_view(w, 0, SN_FIELD_TORQUE));
    assert_int_equal(sn_world_get(w, 0, SN_FIELD_TORQUE, 0, 1, x), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_set(w, 0, SN_FIELD_TORQUE_LIMIT, 0, 1, x), SN_ERROR_ARGUMENT);
    sn_error error;
    assert_int_equal(sn_world_add_plane(w, NULL, x, NULL, &error), -1);
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_add_heightfield(w, NULL, NULL, &error), -1);
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
}

TEST(fields_and_ranges_that_do_not_exist_are_refused) {
    assert_all_refused(refuse_fields_and_ranges);
}

static void refuse_members(sn_world *w, double *x) {
    static const int none[] = {-1, 1, 1000};
    for (int i = 0; i < COUNT(none); i++) {
        const int m = none[i];
        assert_null(sn_world_model(w, m));
        assert_int_equal(sn_world_size(w, m, SN_FIELD_QD), 0);
        assert_int_equal(sn_world_set(w, m, SN_FIELD_QD, 0, 1, x), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_get(w, m, SN_FIELD_QD, 0, 1, x), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_put(w, m, SN_FIELD_QD, NULL, x), SN_ERROR_ARGUMENT);
        assert_null(sn_world_view(w, m, SN_FIELD_QD));
        assert_int_equal(sn_world_set_state(w, m, NULL, x), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_set_target(w, m, NULL, x), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_set_gains(w, m, x, x), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_set_motion(w, m, NULL), SN_ERROR_ARGUMENT);
        if (m >= 0) assert_int_equal(sn_world_reset(w, m, NULL, NULL, NULL), SN_ERROR_ARGUMENT);
    }
}

TEST(members_that_do_not_exist_are_refused) {
    assert_all_refused(refuse_members);
}

int main(void) {
    return run_all("copies fields");
}
