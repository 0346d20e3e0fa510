/* What a world of copies is made with, and what each copy is given of its own. */
#include "sinew/dynamics.h"

#include "copies_helpers.h"

static void assert_def_refused(const sn_world_def *def, sn_status status, const char *part) {
    sn_error error = {SN_OK, ""};
    assert_null(sn_world_create(def, &error));
    assert_int_equal(error.status, status);
    assert_message_has(&error, part);
    assert_null(sn_world_create(def, NULL));
}

TEST(definitions_that_make_no_sense_are_refused) {
    const sn_world_def fine = copies_def(3, SN_PRECISION_FLOAT);
    sn_world_def def;
    def = fine, def.copies = 0;
    assert_def_refused(&def, SN_ERROR_ARGUMENT, "copies");
    def = fine, def.copies = -3;
    assert_def_refused(&def, SN_ERROR_ARGUMENT, "copies");
    def = fine, def.substeps = 0;
    assert_def_refused(&def, SN_ERROR_ARGUMENT, "substep");
    def = fine, def.sweeps = -1;
    assert_def_refused(&def, SN_ERROR_ARGUMENT, "sweep");
    def = fine, def.threads = -1;
    assert_def_refused(&def, SN_ERROR_ARGUMENT, "threads");
    def = fine, def.threads = 100000;
    assert_def_refused(&def, SN_ERROR_ARGUMENT, "threads");
    def = fine, def.margin = (double)NAN;
    assert_def_refused(&def, SN_ERROR_ARGUMENT, "margin is nan");
    def = fine, def.compliance = -1;
    assert_def_refused(&def, SN_ERROR_ARGUMENT, "compliance is -1");
    def = fine, def.contact = (sn_contact_method)3;
    assert_def_refused(&def, SN_ERROR_ARGUMENT, "does not exist");
    def = fine, def.form = (sn_form)4;
    assert_def_refused(&def, SN_ERROR_ARGUMENT, "does not exist");
    def = fine, def.friction = SN_FRICTION_PYRAMID;
    assert_def_refused(&def, SN_ERROR_UNSUPPORTED, "cone");
    def = fine, def.stepper = SN_STEPPER_EVENT;
    assert_def_refused(&def, SN_ERROR_UNSUPPORTED, "rows");
    static const double bad_dt[] = {0, -1, (double)INFINITY, (double)NAN};
    for (int i = 0; i < COUNT(bad_dt); i++) {
        def = fine, def.dt = bad_dt[i];
        assert_def_refused(&def, SN_ERROR_ARGUMENT, "dt");
    }
    def = fine, def.gravity[1] = (double)NAN;
    assert_def_refused(&def, SN_ERROR_ARGUMENT, "gravity");
    def = fine, def.precision = (sn_precision)2;
    assert_def_refused(&def, SN_ERROR_ARGUMENT, "");
    def = fine, def.lanes = "f32x3";
    assert_def_refused(&def, SN_ERROR_UNSUPPORTED, "f32x3");
    def = fine, def.lanes = "f64x2";
    assert_def_refused(&def, SN_ERROR_ARGUMENT, "precision");
    sn_world *plain = sn_world_create(NULL, NULL); /* no definition: the defaults */
    assert_non_null(plain);
    assert_int_equal(sn_world_get_info(plain).definition->copies, sn_world_def_default().copies);
    sn_world_free(plain);
}

TEST(a_member_without_a_model_is_refused) {
    const sn_world_def def = copies_def(3, SN_PRECISION_FLOAT);
    sn_world *w = world_of(&def);
    sn_error error = {SN_OK, ""};
    assert_int_equal(sn_world_add(w, NULL, &error), -1);
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    assert_message_has(&error, "model");
    assert_int_equal(sn_world_add(w, NULL, NULL), -1);
    assert_int_equal(sn_world_get_info(w).members, 0);
    sn_world_free(w);
}

/* One thread per core, however many there are: the bits of one thread. */
TEST(as_many_threads_as_cores) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    uint64_t hash[2];
    for (int threads = 0; threads < 2; threads++) {
        sn_world_def def = copies_def(MANY, SN_PRECISION_FLOAT);
        def.threads = threads;
        sn_world *w = copies_of(model, &def);
        scatter(w, 19);
        step_many(w, 3);
        hash[threads] = sn_world_hash(w);
        sn_world_free(w);
    }
    assert_true(hash[0] == hash[1]);
    sn_model_free(model);
}

/* A ball has one gain, unless the world was made for more. */
TEST(axes_of_a_ball_differ_only_where_that_is_wanted) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int by_axis = 0; by_axis < 2; by_axis++) {
        sn_world_def def = copies_def(MANY, SN_PRECISION_FLOAT);
        def.gains_by_axis = by_axis, def.torque_limits = true;
        sn_world *w = copies_of(model, &def);
        double x[MAX_NV];
        float y[MANY * MAX_NV];
        for (int f = SN_FIELD_KP; f <= SN_FIELD_TORQUE_LIMIT; f++) {
            for (int v = 0; v < sn_model_get(model)->nv; v++)
                x[v] = 10 + v;
            for (int i = 0; i < MANY * sn_model_get(model)->nv; i++)
                y[i] = (float)(10 + i);
            const sn_status expected = by_axis ? SN_OK : SN_ERROR_ARGUMENT;
            assert_int_equal(sn_world_set(w, 0, (sn_field)f, 3, 1, x), expected);
            assert_int_equal(sn_world_put(w, 0, (sn_field)f, NULL, y), expected);
        }
        step_many(w, 5);
        assert_int_equal(stats_of(w).diverged, 0);
        sn_world_free(w);
    }
    sn_model_free(model);
}

/* A world that was given its dt later is the world that was made with it, its gains by axis included. */
TEST(axes_keep_their_gains_when_dt_changes) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    uint64_t hash[2];
    double gain[MAX_NV];
    for (int v = 0; v < sn_model_get(model)->nv; v++)
        gain[v] = 100 + 30 * v;
    for (int later = 0; later < 2; later++) {
        sn_world_def def = copies_def(MANY, SN_PRECISION_FLOAT);
        def.gains_by_axis = true;
        def.dt = later ? 1.0 / 120 : 1.0 / 60;
        sn_world *w = copies_of(model, &def);
        scatter(w, 19);
        if (later) assert_int_equal(sn_world_set_dt(w, 1.0 / 60), SN_OK);
        assert_int_equal(sn_world_set(w, 0, SN_FIELD_KP, 3, 1, gain), SN_OK);
        step_many(w, 5);
        hash[later] = sn_world_hash(w);
        sn_world_free(w);
    }
    assert_true(hash[0] == hash[1]);
    sn_model_free(model);
}

/* One state of many, carried on without a world. */
static void step_alone(const sn_model *model, double dt, const sn_drive *drive, int steps, double *q,
                       double *qd) {
    sn_dynamics_def def = sn_dynamics_def_default();
    def.dt = dt;
    sn_dynamics *alone = sn_dynamics_create(model, &def, NULL);
    assert_non_null(alone);
    assert_int_equal(sn_dynamics_step(alone, drive, steps, q, qd, NULL, NULL), SN_OK);
    sn_dynamics_free(alone);
}

/* Gains and steps of each copy's own: what a model with these gains does without a world. */
TEST(gains_by_copy_are_those_of_the_dynamics) {
    sn_model *model = mixed_model(11, MIX_PASSIVE);
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv;
    sn_world_def def = copies_def(MANY, SN_PRECISION_DOUBLE);
    def.products = SN_PRODUCTS_EXPLICIT; /* as the dynamics have them */
    sn_world *w = copies_of(model, &def);
    static double q[MANY * MAX_NQ], qd[MANY * MAX_NV], target[MANY * MAX_NQ], kp[MANY * MAX_NV],
        kd[MANY * MAX_NV], dt[MANY], got[MAX_NQ], want[MAX_NQ], velocity[MAX_NV];
    struct rng rng = {12};
    for (int i = 0; i < MANY; i++) {
        random_state(&rng, model, 0.5, 1, q + i * nq, qd + i * nv);
        random_state(&rng, model, 0.5, 1, target + i * nq, want);
        good_values(&rng, model, SN_FIELD_KP, nv, kp + i * nv);
        good_values(&rng, model, SN_FIELD_KD, nv, kd + i * nv);
        dt[i] = 1.0 / uniform(&rng, 100, 500);
    }
    assert_int_equal(sn_world_set_gains(w, 0, kp, kd), SN_OK);
    assert_int_equal(sn_world_set(w, 0, SN_FIELD_TARGET_Q, 0, MANY, target), SN_OK);
    assert_int_equal(sn_world_put(w, 0, SN_FIELD_KP, NULL, kp), SN_OK);
    assert_int_equal(sn_world_set(w, 0, SN_FIELD_KD, 0, MANY, kd), SN_OK);
    assert_int_equal(sn_world_put(w, 0, SN_FIELD_DT, NULL, dt), SN_OK);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(sn_world_set(w, 0, SN_FIELD_Q, 0, MANY, q), SN_OK);
        assert_int_equal(sn_world_set(w, 0, SN_FIELD_QD, 0, MANY, qd), SN_OK);
        step_many(w, 30);
        for (int i = 0; i < MANY; i++) {
            const int first = round ? 0 : i * nv; /* then all have the first one's */
            memcpy(want, q + i * nq, sizeof *q * (size_t)nq);
            memcpy(velocity, qd + i * nv, sizeof *qd * (size_t)nv);
            const sn_drive drive = {.kp = kp + first, .kd = kd + first, .target_q = target + i * nq};
            step_alone(model, dt[i], &drive, 30, want, velocity);
            copy_get(w, 0, i, got, NULL);
            assert_same(got, want, nq, 1e-11, "alone", round, i);
        }
        /* gains for all leave each copy its dt */
        assert_int_equal(sn_world_set_gains(w, 0, kp, kd), SN_OK);
    }
    end_scene(w, model);
}

/* Nobody's bits depend on what another one has been given. */
TEST(what_one_is_given_changes_no_other) {
    sn_model *model = mixed_model(13, MIX_PASSIVE);
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv;
    for (int f = SN_FIELD_TARGET_QD; f < SN_FIELD_PHASE; f++) {
        sn_world_def def = copies_def(MANY, SN_PRECISION_FLOAT);
        def.torque_limits = true;
        sn_world *plain = copies_of(model, &def), *special = copies_of(model, &def);
        struct rng rng = {14};
        double x[MOST_SIZE], a[MAX_NQ + MAX_NV], b[MAX_NQ + MAX_NV], kp[MAX_NV], kd[MAX_NV];
        good_values(&rng, model, (sn_field)f, sn_world_size(special, 0, (sn_field)f), x);
        if (f == SN_FIELD_DT) x[0] = 0.003;
        for (int v = 0; v < sn_model_get(model)->nv && f == SN_FIELD_TORQUE_LIMIT; v++)
            x[v] = 0.5;
        sn_gains_uniform(model, 300, 30, 200.1, 20.3, kp, kd);
        scatter(plain, 15), scatter(special, 15);
        for (int i = 0; i < 10; i++) {
            if (i == 2) assert_int_equal(sn_world_set(special, 0, (sn_field)f, 5, 1, x), SN_OK);
            if (i == 5) assert_int_equal(sn_world_set_gains(plain, 0, kp, kd), SN_OK);
            if (i == 5) assert_int_equal(sn_world_set_gains(special, 0, kp, kd), SN_OK);
            assert_int_equal(sn_world_step(plain), SN_OK);
            assert_int_equal(sn_world_step(special), SN_OK);
        }
        for (int i = 0; i < MANY; i++) {
            copy_get(plain, 0, i, a, a + nq);
            copy_get(special, 0, i, b, b + nq);
            const bool same = memcmp(a, b, sizeof *a * (size_t)(nq + nv)) == 0;
            /* friction without ground is nothing */
            if (same != (i != 5 || f == SN_FIELD_FRICTION)) fail_msg("field %d, copy %d", f, i);
        }
        sn_world_free(plain), sn_world_free(special);
    }
    sn_model_free(model);
}

TEST(a_target_velocity_of_NULL_is_zero) {
    sn_model *model;
    sn_world *w = humanoids_of(MANY, SN_PRECISION_FLOAT, &model);
    const int nv = sn_model_get(model)->nv;
    double q[MAX_NQ], qd[MAX_NV], got[MAX_NV];
    struct rng rng = {2};
    random_state(&rng, model, 0.3, 1, q, qd);
    assert_int_equal(sn_world_set_target(w, 0, q, qd), SN_OK);
    assert_int_equal(sn_world_set(w, 0, SN_FIELD_TARGET_Q, 7, 1, q), SN_OK); /* not its velocity */
    assert_int_equal(sn_world_get(w, 0, SN_FIELD_TARGET_QD, 7, 1, got), SN_OK);
    round_to_float(qd, nv);
    assert_same(got, qd, nv, 0, "velocity", SN_FIELD_TARGET_QD, 7);
    assert_int_equal(sn_world_set_target(w, 0, NULL, NULL), SN_OK);
    assert_int_equal(sn_world_get(w, 0, SN_FIELD_TARGET_QD, 7, 1, got), SN_OK);
    assert_true(norm(got, nv) == 0);
    end_scene(w, model);
}

TEST(substeps_are_steps) {
    sn_model *model = sn_builtin_create("dog", NULL);
    sn_world_def def = copies_def(MANY, SN_PRECISION_FLOAT);
    def.substeps = 3;
    sn_world *once = copies_of(model, &def);
    def.substeps = 1;
    sn_world *thrice = copies_of(model, &def);
    for (int i = 0; i < 12; i++) {
        if (i % 3 == 0) assert_int_equal(sn_world_step(once), SN_OK);
        assert_int_equal(sn_world_step(thrice), SN_OK);
    }
    assert_true(sn_world_hash(once) == sn_world_hash(thrice));
    sn_world_free(once), end_scene(thrice, model);
}

/* The short forms are the fields, in all copies; NULL leaves a half alone. */
TEST(short_forms_set_all_copies) {
    sn_model *model = mixed_model(16, 0);
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv;
    const sn_world_def def = copies_def(MANY, SN_PRECISION_DOUBLE);
    sn_world *w = copies_of(model, &def);
    double q[MAX_NQ], qd[MAX_NV], kp[MAX_NV], kd[MAX_NV], got[MAX_NQ], zero[MAX_NV] = {0};
    struct rng rng = {17};
    random_state(&rng, model, 0.5, 1, q, qd);
    good_values(&rng, model, SN_FIELD_KP, nv, kp);
    good_values(&rng, model, SN_FIELD_KD, nv, kd);
    assert_int_equal(sn_world_set_state(w, 0, NULL, qd), SN_OK);
    assert_int_equal(sn_world_set_state(w, 0, q, NULL), SN_OK);
    assert_int_equal(sn_world_set_target(w, 0, q, qd), SN_OK);
    assert_int_equal(sn_world_set_gains(w, 0, kp, zero), SN_OK);
    assert_int_equal(sn_world_set_gains(w, 0, NULL, kd), SN_OK);
    const double force[3] = {1, 2, 3}, torque[3] = {4, 5, 6};
    assert_int_equal(sn_world_push(w, 0, 1, force, torque, INFINITY), SN_OK);
    const struct {
        sn_field field;
        const double *value;
        int n;
    } want[] = {{SN_FIELD_Q, q, nq},          {SN_FIELD_QD, qd, nv}, {SN_FIELD_TARGET_Q, q, nq},
                {SN_FIELD_TARGET_QD, qd, nv}, {SN_FIELD_KP, kp, nv}, {SN_FIELD_KD, kd, nv}};
    for (int k = 0; k < MANY; k++) {
        double push[MOST_SIZE];
        for (int i = 0; i < COUNT(want); i++) {
            assert_int_equal(sn_world_get(w, 0, want[i].field, k, 1, got), SN_OK);
            const double tolerance = is_pose(want[i].field) ? 1e-15 : 0; /* normalised once more */
            assert_same(got, want[i].value, want[i].n, tolerance, "short form", want[i].field, k);
        }
        assert_int_equal(sn_world_get(w, 0, SN_FIELD_PUSH, k, 1, push), SN_OK);
        assert_same(push + 6, force, 3, 0, "force", SN_FIELD_PUSH, k);
        assert_same(push + 9, torque, 3, 0, "torque", SN_FIELD_PUSH, k);
        assert_true(norm(push, 6) == 0);
    }
    assert_int_equal(sn_world_get_state(w, 0, got, NULL), SN_OK);
    assert_same(got, q, nq, 1e-15, "copy 0", SN_FIELD_Q, 0);
    end_scene(w, model);
}

int main(void) {
    return run_all("copies settings");
}
