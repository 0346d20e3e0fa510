/* Crowds as the user sees them: values in and out, what is refused, resets, threads. */
#include "world_helpers.h"

enum { MANY = 37, MOST_SIZE = 512 };

static sn_crowd *crowd_of(const sn_model *model, const sn_crowd_def *def) {
    sn_error error;
    sn_crowd *c = sn_crowd_create(model, def, &error);
    if (!c) fail_msg("%s", error.message);
    return c;
}

static sn_crowd_def def_for(int count, sn_precision precision) {
    sn_crowd_def def = sn_crowd_def_default();
    def.count = count;
    def.character.precision = precision;
    return def;
}

static void give_floor(sn_crowd *c) {
    const double origin[3] = {0}, up[3] = {0, 0, 1};
    assert_int_equal(sn_crowd_set_plane(c, origin, up, NULL, NULL), SN_OK);
}

static bool has_quaternion(const sn_body_info *b) {
    return b->joint.type == SN_JOINT_BALL || b->joint.type == SN_JOINT_FREE;
}

static bool is_pose(sn_crowd_field field) {
    return field == SN_CROWD_Q || field == SN_CROWD_TARGET_Q;
}

/* Values a field takes, of one character; poses have quaternions of a length other than one. */
static void good_values(struct rng *rng, const sn_model *model, sn_crowd_field field, int n, double *x) {
    const bool gains = field == SN_CROWD_KP || field == SN_CROWD_KD || field == SN_CROWD_TORQUE_LIMIT;
    const bool positive = gains || field == SN_CROWD_ARMATURE || field == SN_CROWD_MASS_SCALE ||
                          field == SN_CROWD_FRICTION || field == SN_CROWD_DT;
    double qd[MAX_NV];
    for (int i = 0; i < n; i++)
        x[i] = uniform(rng, positive ? 0.1 : -2, 2);
    if (is_pose(field)) random_state(rng, model, 0.5, 1, x, qd);
    for (int b = 0; b < sn_model_nbody(model); b++) {
        const sn_body_info *body = sn_model_body(model, b);
        if (!has_quaternion(body)) continue;
        for (int k = 0; k < 4 && is_pose(field); k++)
            x[body->q_index + body->nq - 4 + k] *= 1.5;
        for (int v = 0; v < body->nv && gains; v++)
            x[body->v_index + v] = x[body->v_index + v / 3 * 3];
    }
    if (field == SN_CROWD_TORQUE_LIMIT && n > 0 && uniform(rng, 0, 1) < 0.3)
        for (int i = 0; i < n; i++)
            x[i] = (double)INFINITY;
}

/* What comes back of it: unit quaternions, in the crowd's precision. */
static void as_kept(const sn_model *model, sn_precision precision, sn_crowd_field field, int n, double *x) {
    for (int b = 0; b < sn_model_nbody(model) && is_pose(field); b++) {
        const sn_body_info *body = sn_model_body(model, b);
        if (!has_quaternion(body)) continue;
        double *w = x + body->q_index + body->nq - 4;
        const double length = norm(w, 4);
        for (int k = 0; k < 4; k++)
            w[k] /= length;
    }
    if (precision == SN_FLOAT && field != SN_CROWD_PHASE) round_to_float(x, n);
}

static void assert_same(const double *a, const double *b, int n, double tolerance, const char *what,
                        int field, int who) {
    for (int i = 0; i < n; i++)
        if (a[i] != b[i] && !(fabs(a[i] - b[i]) <= tolerance))
            fail_msg("%s: field %d, character %d, value %d: %.17g, not %.17g", what, field, who, i, a[i],
                     b[i]);
}

/* The fields one by one, [MANY][size]. */
struct copy {
    double *value[SN_CROWD_FIELDS];
};

static void copy_take(sn_crowd *c, struct copy *copy) {
    for (int f = 0; f < SN_CROWD_FIELDS; f++) {
        const size_t n = (size_t)sn_crowd_size(c, (sn_crowd_field)f), count = (size_t)sn_crowd_count(c);
        copy->value[f] = n ? malloc(n * count * sizeof(double)) : NULL;
        if (n) assert_int_equal(sn_crowd_get(c, (sn_crowd_field)f, 0, (int)count, copy->value[f]), SN_OK);
    }
}

static void copy_free(struct copy *copy) {
    for (int f = 0; f < SN_CROWD_FIELDS; f++)
        free(copy->value[f]);
}

/* Fails when any value is another one, apart from those of `but`. */
static void assert_unchanged(sn_crowd *c, const struct copy *copy, int but, const char *what) {
    struct copy now;
    copy_take(c, &now);
    for (int f = 0; f < SN_CROWD_FIELDS; f++) {
        const int n = sn_crowd_size(c, (sn_crowd_field)f);
        for (int i = 0; n && f != but && i < sn_crowd_count(c); i++)
            assert_same(now.value[f] + i * n, copy->value[f] + i * n, n, 0, what, f, i);
    }
    copy_free(&now);
}

static void narrow(sn_precision precision, const double *from, int n, void *to) {
    for (int i = 0; i < n; i++) {
        if (precision == SN_DOUBLE)
            ((double *)to)[i] = from[i];
        else
            ((float *)to)[i] = (float)from[i];
    }
}

static double element(sn_precision precision, const void *values, int i) {
    return precision == SN_DOUBLE ? ((const double *)values)[i] : (double)((const float *)values)[i];
}

/* ------------------------------------------------------------------------------------------------ definitions */

static void assert_def_refused(const sn_model *model, const sn_crowd_def *def, sn_status status,
                               const char *part) {
    sn_error error = {SN_OK, ""};
    assert_null(sn_crowd_create(model, def, &error));
    assert_int_equal(error.status, status);
    assert_message_has(&error, part);
    assert_null(sn_crowd_create(model, def, NULL));
}

TEST(definitions_that_make_no_sense_are_refused) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const sn_crowd_def fine = def_for(3, SN_FLOAT);
    sn_crowd_def def;
    def = fine, def.count = 0;
    assert_def_refused(model, &def, SN_ERROR_ARGUMENT, "characters");
    def = fine, def.substeps = 0;
    assert_def_refused(model, &def, SN_ERROR_ARGUMENT, "substeps");
    def = fine, def.sweeps = 0;
    assert_def_refused(model, &def, SN_ERROR_ARGUMENT, "sweeps");
    def = fine, def.threads = -1;
    assert_def_refused(model, &def, SN_ERROR_ARGUMENT, "threads");
    def = fine, def.threads = 100000;
    assert_def_refused(model, &def, SN_ERROR_ARGUMENT, "threads");
    def = fine, def.margin = (double)NAN;
    assert_def_refused(model, &def, SN_ERROR_ARGUMENT, "tolerance");
    def = fine, def.compliance = -1;
    assert_def_refused(model, &def, SN_ERROR_ARGUMENT, "tolerance");
    def = fine, def.contact = (sn_contact_method)3;
    assert_def_refused(model, &def, SN_ERROR_ARGUMENT, "enumerator");
    def = fine, def.friction = SN_FRICTION_PYRAMID;
    assert_def_refused(model, &def, SN_ERROR_UNSUPPORTED, "cone");
    def = fine, def.arena = 0;
    assert_def_refused(model, &def, SN_ERROR_ARGUMENT, "arena");
    def = fine, def.arena = 2;
    assert_def_refused(model, &def, SN_ERROR_UNSUPPORTED, "rows");
    def = fine, def.self_collision = true;
    assert_def_refused(model, &def, SN_ERROR_UNSUPPORTED, "rows");
    def = fine, def.torque_limits = true, def.character.solver = SN_SOLVER_DENSE;
    assert_def_refused(model, &def, SN_ERROR_UNSUPPORTED, "limits");
    for (int i = 0; i < 4; i++) {
        def = fine, def.contact = SN_CONTACT_ROWS;
        if (i == 0) def.character.solver = SN_SOLVER_SPARSE;
        if (i == 1) def.character.integrator = SN_RK4;
        if (i == 2) def.character.route = SN_ROUTE_TORQUE_RNEA;
        if (i == 3) def.character.lanes = "f32x4";
        assert_def_refused(model, &def, SN_ERROR_UNSUPPORTED, "rows");
    }
    def = fine, def.contact = SN_CONTACT_ROWS, def.character.dt = 0;
    assert_def_refused(model, &def, SN_ERROR_ARGUMENT, "dt");
    assert_def_refused(NULL, &fine, SN_ERROR_ARGUMENT, "model");
    assert_def_refused(model, NULL, SN_ERROR_ARGUMENT, "definition");
    def = fine, def.threads = 0;
    sn_crowd *c = crowd_of(model, &def);
    assert_true(sn_crowd_threads(c) >= 1);
    sn_crowd_free(c);
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------------- round trips */

static sn_crowd *full_crowd(const sn_model *model, sn_precision precision, int threads) {
    sn_crowd_def def = def_for(MANY, precision);
    def.torque_limits = true;
    def.threads = threads;
    def.character.report_torque = true;
    return crowd_of(model, &def);
}

/* Fields whose values are set, each to other ones: by the range, and by put through a mask or to all. */
enum way_in { BY_RANGE, BY_MASK, TO_ALL, WAYS_IN };

static bool chosen(enum way_in way, int i) {
    return way == TO_ALL || (way == BY_RANGE ? i >= 5 && i < 30 : i % 3 != 1);
}

static void put_in(sn_crowd *c, sn_precision precision, sn_crowd_field field, enum way_in way,
                   const double *x) {
    static double elements[MANY * MOST_SIZE];
    uint8_t which[MANY];
    const int n = sn_crowd_size(c, field);
    for (int i = 0; i < MANY; i++)
        which[i] = chosen(way, i);
    narrow(precision, x, MANY * n, elements);
    if (way == BY_RANGE)
        assert_int_equal(sn_crowd_set(c, field, 5, 25, x + 5 * n), SN_OK);
    else
        assert_int_equal(sn_crowd_put(c, field, way == TO_ALL ? NULL : which, elements), SN_OK);
}

static void check_round_trip(const sn_model *model, sn_precision precision, int threads, enum way_in way) {
    static double x[MANY * MOST_SIZE];
    struct rng rng = {77};
    sn_crowd *c = full_crowd(model, precision, threads);
    for (int f = 0; f <= SN_CROWD_PHASE; f++) {
        const sn_crowd_field field = (sn_crowd_field)f;
        const int n = sn_crowd_size(c, field);
        assert_in_range(n, 1, MOST_SIZE);
        struct copy before, after;
        copy_take(c, &before);
        for (int i = 0; i < MANY; i++)
            good_values(&rng, model, field, n, x + i * n);
        put_in(c, precision, field, way, x);
        copy_take(c, &after);
        const void *view = sn_crowd_view(c, field);
        assert_non_null(view);
        assert_ptr_equal(sn_crowd_view(c, field), view);
        const double tolerance = is_pose(field) ? precision == SN_DOUBLE ? 1e-15 : 2e-7 : 0;
        for (int i = 0; i < MANY; i++) {
            as_kept(model, precision, field, n, x + i * n);
            if (precision == SN_FLOAT && way != BY_RANGE) round_to_float(x + i * n, n); /* phases, too */
            assert_same(after.value[f] + i * n, (chosen(way, i) ? x : before.value[f]) + i * n, n, tolerance,
                        chosen(way, i) ? "set" : "left alone", f, i);
            double row[MOST_SIZE];
            for (int k = 0; k < n; k++)
                row[k] = element(precision, view, i * n + k);
            if (precision == SN_FLOAT) round_to_float(after.value[f] + i * n, n);
            assert_same(row, after.value[f] + i * n, n, 0, "view", f, i);
        }
        /* nothing else has changed, apart from what comes from the state */
        for (int g = 0; g <= SN_CROWD_TORQUE; g++) {
            const int size = sn_crowd_size(c, (sn_crowd_field)g);
            for (int i = 0; i < MANY && g != f; i++)
                assert_same(after.value[g] + i * size, before.value[g] + i * size, size, 0, "bystander", g,
                            i);
        }
        copy_free(&before), copy_free(&after);
    }
    sn_crowd_free(c);
}

TEST(values_come_back_as_they_were_set) {
    sn_model *model[] = {mixed_model(5, MIX_PASSIVE), sn_builtin_create("humanoid", NULL)};
    for (int m = 0; m < COUNT(model); m++)
        for (int precision = SN_DOUBLE; precision <= SN_FLOAT; precision++)
            for (int way = 0; way < WAYS_IN; way++)
                check_round_trip(model[m], (sn_precision)precision, 1 + m, (enum way_in)way);
    for (int m = 0; m < COUNT(model); m++)
        sn_model_free(model[m]);
}

/* After some steps every bit that a view shows can be put back. */
TEST(what_a_view_shows_can_be_put_back) {
    sn_model *model = mixed_model(6, MIX_PASSIVE);
    for (int precision = SN_DOUBLE; precision <= SN_FLOAT; precision++) {
        sn_crowd *c = full_crowd(model, (sn_precision)precision, 2);
        struct rng rng = {3};
        double q[MAX_NQ], qd[MAX_NV];
        for (int i = 0; i < MANY; i++) {
            random_state(&rng, model, 1, 2, q, qd);
            assert_int_equal(sn_crowd_set_state(c, i, 1, q, qd), SN_OK);
        }
        for (int i = 0; i < 20; i++)
            assert_int_equal(sn_crowd_step(c), SN_OK);
        assert_int_equal(sn_crowd_diverged(c), 0);
        struct copy before;
        copy_take(c, &before);
        for (int f = 0; f <= SN_CROWD_PHASE; f++) {
            const void *view = sn_crowd_view(c, (sn_crowd_field)f);
            assert_int_equal(sn_crowd_put(c, (sn_crowd_field)f, NULL, view), SN_OK);
            assert_unchanged(c, &before, -1, "put back");
        }
        copy_free(&before);
        sn_crowd_free(c);
    }
    sn_model_free(model);
}

/* The values of one character: set in a crowd, and asked of a character of its own. */
TEST(bodies_are_where_a_character_has_them) {
    sn_model *model = mixed_model(7, 0);
    const int nbody = sn_model_nbody(model);
    for (int precision = SN_DOUBLE; precision <= SN_FLOAT; precision++) {
        sn_crowd *c = full_crowd(model, (sn_precision)precision, 2);
        const sn_character_def def = def_with((sn_precision)precision, NULL);
        sn_character *alone = character_of(model, &def);
        struct rng rng = {8};
        static double q[MANY * MAX_NQ], qd[MANY * MAX_NV], pose[MANY * MOST_SIZE], velocity[MANY * MOST_SIZE];
        const int nq = sn_model_nq(model), nv = sn_model_nv(model);
        for (int i = 0; i < MANY; i++)
            random_state(&rng, model, 1, 2, q + i * nq, qd + i * nv);
        assert_int_equal(sn_crowd_set_state(c, 0, MANY, q, qd), SN_OK);
        const void *seen[2] = {sn_crowd_view(c, SN_CROWD_BODY_POSE),
                               sn_crowd_view(c, SN_CROWD_BODY_VELOCITY)};
        assert_int_equal(sn_crowd_get(c, SN_CROWD_BODY_POSE, 0, MANY, pose), SN_OK);
        assert_int_equal(sn_crowd_get(c, SN_CROWD_BODY_VELOCITY, 0, MANY, velocity), SN_OK);
        const double tolerance = precision == SN_DOUBLE ? 1e-13 : 2e-5;
        for (int i = 0; i < MANY; i++) {
            sn_character_set_state(alone, q + i * nq, qd + i * nv);
            for (int b = 0; b < nbody; b++) {
                double x[13];
                sn_character_body_pose(alone, b, x, x + 3);
                sn_character_body_velocity(alone, b, x + 7, x + 10);
                const int at = i * nbody + b;
                assert_same(pose + 7 * at, x, 7, tolerance, "pose", b, i);
                assert_same(velocity + 6 * at, x + 7, 6, tolerance, "velocity", b, i);
                for (int k = 0; k < 13; k++)
                    x[k] = k < 7 ? element((sn_precision)precision, seen[0], 7 * at + k)
                                 : element((sn_precision)precision, seen[1], 6 * at + k - 7);
                assert_same(pose + 7 * at, x, 7, tolerance, "view of pose", b, i);
                assert_same(velocity + 6 * at, x + 7, 6, tolerance, "view of velocity", b, i);
            }
        }
        sn_character_free(alone);
        sn_crowd_free(c);
    }
    sn_model_free(model);
}

/* A view is of the present: every way of changing the crowd makes it new. */
TEST(views_follow_every_change) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const sn_crowd_def def = def_for(MANY, SN_DOUBLE);
    sn_crowd *c = crowd_of(model, &def);
    const int nq = sn_model_nq(model);
    double q[MAX_NQ], qd[MAX_NV] = {0}, want[MAX_NQ];
    struct rng rng = {4};
    sn_crowd_view(c, SN_CROWD_Q);
    for (int change = 0; change < 5; change++) {
        random_state(&rng, model, 0.3, 1, q, qd);
        if (change == 0) assert_int_equal(sn_crowd_set_state(c, 3, 1, q, NULL), SN_OK);
        if (change == 1) assert_int_equal(sn_crowd_set(c, SN_CROWD_Q, 3, 1, q), SN_OK);
        if (change == 2) assert_int_equal(sn_crowd_reset(c, NULL, q, qd), SN_OK);
        if (change == 3) assert_int_equal(sn_crowd_step(c), SN_OK);
        if (change == 4) assert_int_equal(sn_crowd_reset(c, NULL, q, NULL), SN_OK);
        assert_int_equal(sn_crowd_get_state(c, 3, 1, want, NULL), SN_OK);
        assert_memory_equal((const double *)sn_crowd_view(c, SN_CROWD_Q) + 3 * nq, want,
                            sizeof *want * (size_t)nq);
    }
    sn_crowd_free(c);
    sn_model_free(model);
}

/* --------------------------------------------------------------------------------------------------- refusals */

static void check_refusals(const sn_model *model, sn_precision precision) {
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, -1, 0, 1e300};
    static double x[MANY * MOST_SIZE], elements[MANY * MOST_SIZE];
    struct rng rng = {5};
    sn_crowd *c = full_crowd(model, precision, 2);
    for (int i = 0; i < 3; i++)
        assert_int_equal(sn_crowd_step(c), SN_OK);
    struct copy before;
    copy_take(c, &before);
    for (int f = 0; f <= SN_CROWD_PHASE; f++) {
        const sn_crowd_field field = (sn_crowd_field)f;
        const int n = sn_crowd_size(c, field);
        const bool signs =
            f <= SN_CROWD_FEEDFORWARD || f == SN_CROWD_PUSH || f == SN_CROWD_GRAVITY || f == SN_CROWD_PHASE;
        const bool positive = f == SN_CROWD_MASS_SCALE || f == SN_CROWD_DT;
        for (int k = 0; k < COUNT(bad); k++) {
            if (k == 1 && f == SN_CROWD_TORQUE_LIMIT) continue; /* there is none */
            if ((k == 3 && signs) || (k == 4 && !positive) || (k == 5 && precision == SN_DOUBLE)) continue;
            for (int i = 0; i < MANY; i++)
                good_values(&rng, model, field, n, x + i * n);
            for (int v = 0; v < (k == 3 || k == 5 ? n : 1); v++) /* all axes of a ball alike */
                x[MANY * n - 1 - v] = bad[k];
            narrow(precision, x, MANY * n, elements);
            assert_int_equal(sn_crowd_set(c, field, 0, MANY, x), SN_ERROR_ARGUMENT);
            if (k < 5 || f != SN_CROWD_TORQUE_LIMIT) /* infinite as a float */
                assert_int_equal(sn_crowd_put(c, field, NULL, elements), SN_ERROR_ARGUMENT);
            assert_unchanged(c, &before, -1, "refused");
        }
        if (!is_pose(field)) continue;
        for (int i = 0; i < n; i++)
            x[i] = 0; /* quaternions of length zero */
        narrow(precision, x, n, elements);
        assert_int_equal(sn_crowd_set(c, field, MANY - 1, 1, x), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_crowd_put(c, field, NULL, elements), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_crowd_reset(c, NULL, x, NULL), SN_ERROR_ARGUMENT);
        assert_unchanged(c, &before, -1, "length zero");
    }
    copy_free(&before);
    sn_crowd_free(c);
}

TEST(a_bad_value_is_refused_and_nothing_changes) {
    sn_model *model = mixed_model(9, MIX_PASSIVE);
    check_refusals(model, SN_DOUBLE);
    check_refusals(model, SN_FLOAT);
    sn_model_free(model);
}

TEST(a_bad_value_that_is_not_chosen_does_not_matter) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_crowd *c = full_crowd(model, SN_FLOAT, 1);
    static float qd[MANY * MAX_NV];
    uint8_t which[MANY];
    for (int i = 0; i < MANY; i++) {
        which[i] = i != 20 && i != MANY - 1;
        qd[i * sn_model_nv(model) + 3] = which[i] ? 1 : (float)NAN;
    }
    assert_int_equal(sn_crowd_put(c, SN_CROWD_QD, which, qd), SN_OK);
    which[20] = 1;
    assert_int_equal(sn_crowd_put(c, SN_CROWD_QD, which, qd), SN_ERROR_ARGUMENT);
    sn_crowd_free(c);
    sn_model_free(model);
}

TEST(fields_and_ranges_that_do_not_exist_are_refused) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const sn_crowd_def def = def_for(MANY, SN_FLOAT);
    sn_crowd *c = crowd_of(model, &def);
    static double x[MANY * MOST_SIZE];
    struct copy before;
    copy_take(c, &before);
    for (int f = SN_CROWD_QDD; f < SN_CROWD_FIELDS; f++) {
        assert_int_equal(sn_crowd_set(c, (sn_crowd_field)f, 0, 1, x), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_crowd_put(c, (sn_crowd_field)f, NULL, x), SN_ERROR_ARGUMENT);
    }
    static const int none[] = {-1, SN_CROWD_FIELDS, 1000};
    for (int i = 0; i < COUNT(none); i++) {
        const sn_crowd_field field = (sn_crowd_field)none[i];
        assert_int_equal(sn_crowd_size(c, field), 0);
        assert_int_equal(sn_crowd_set(c, field, 0, 1, x), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_crowd_get(c, field, 0, 1, x), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_crowd_put(c, field, NULL, x), SN_ERROR_ARGUMENT);
        assert_null(sn_crowd_view(c, field));
    }
    static const int range[][2] = {{-1, 1},        {0, MANY + 1},  {MANY, 1},
                                   {1, INT32_MAX}, {INT32_MAX, 1}, {2, -1}};
    for (int i = 0; i < COUNT(range); i++) {
        assert_int_equal(sn_crowd_set(c, SN_CROWD_QD, range[i][0], range[i][1], x), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_crowd_get(c, SN_CROWD_QD, range[i][0], range[i][1], x), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_crowd_set_target(c, range[i][0], range[i][1], NULL, x), SN_ERROR_ARGUMENT);
    }
    assert_int_equal(sn_crowd_set(c, SN_CROWD_QD, 0, 1, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_crowd_put(c, SN_CROWD_QD, NULL, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_crowd_set_gains(c, NULL, x), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_crowd_set(c, SN_CROWD_QD, MANY, 0, NULL), SN_OK); /* nobody */
    /* torques that nobody wanted, limits that nobody keeps */
    assert_int_equal(sn_crowd_size(c, SN_CROWD_TORQUE), 0);
    assert_null(sn_crowd_view(c, SN_CROWD_TORQUE));
    assert_int_equal(sn_crowd_get(c, SN_CROWD_TORQUE, 0, 1, x), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_crowd_set(c, SN_CROWD_TORQUE_LIMIT, 0, 1, x), SN_ERROR_ARGUMENT);
    sn_error error;
    assert_int_equal(sn_crowd_set_plane(c, NULL, x, NULL, &error), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_crowd_set_heightfield(c, NULL, NULL, NULL), SN_ERROR_ARGUMENT);
    assert_unchanged(c, &before, -1, "refused");
    copy_free(&before);
    sn_crowd_free(c);
    sn_model_free(model);
}

/* A ball has one gain, unless the crowd was made for more. */
TEST(axes_of_a_ball_differ_only_where_that_is_wanted) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int by_axis = 0; by_axis < 2; by_axis++) {
        sn_crowd_def def = def_for(MANY, SN_FLOAT);
        def.gains_by_axis = by_axis, def.torque_limits = true;
        sn_crowd *c = crowd_of(model, &def);
        double x[MAX_NV];
        float y[MANY * MAX_NV];
        for (int f = SN_CROWD_KP; f <= SN_CROWD_TORQUE_LIMIT; f++) {
            for (int v = 0; v < sn_model_nv(model); v++)
                x[v] = 10 + v;
            for (int i = 0; i < MANY * sn_model_nv(model); i++)
                y[i] = (float)(10 + i);
            const sn_status expected = by_axis ? SN_OK : SN_ERROR_ARGUMENT;
            assert_int_equal(sn_crowd_set(c, (sn_crowd_field)f, 3, 1, x), expected);
            assert_int_equal(sn_crowd_put(c, (sn_crowd_field)f, NULL, y), expected);
        }
        for (int i = 0; i < 5; i++)
            assert_int_equal(sn_crowd_step(c), SN_OK);
        assert_int_equal(sn_crowd_diverged(c), 0);
        sn_crowd_free(c);
    }
    sn_model_free(model);
}

static void scatter(sn_crowd *c, const sn_model *model, uint64_t seed) {
    double q[MAX_NQ], qd[MAX_NV], kp[MAX_NV], kd[MAX_NV];
    struct rng rng = {seed};
    sn_gains_uniform(model, 0, 0, 300, 30, kp, kd);
    assert_int_equal(sn_crowd_set_gains(c, kp, kd), SN_OK);
    for (int i = 0; i < sn_crowd_count(c); i++) {
        random_state(&rng, model, 0.3, 1, q, qd);
        q[0] = 3 * i, q[2] = 0.6 + 0.02 * (i % 20);
        assert_int_equal(sn_crowd_set_state(c, i, 1, q, qd), SN_OK);
    }
}

/* ------------------------------------------------------------------------------------------- gains and targets */

/* Gains of each its own: what a character with these gains does. */
TEST(gains_by_character_are_those_of_a_character) {
    sn_model *model = mixed_model(11, MIX_PASSIVE);
    const int nq = sn_model_nq(model), nv = sn_model_nv(model);
    const sn_crowd_def def = def_for(MANY, SN_DOUBLE);
    sn_crowd *c = crowd_of(model, &def);
    static double q[MANY * MAX_NQ], qd[MANY * MAX_NV], target[MANY * MAX_NQ], kp[MANY * MAX_NV],
        kd[MANY * MAX_NV], dt[MANY], got[MAX_NQ], want[MAX_NQ];
    struct rng rng = {12};
    for (int i = 0; i < MANY; i++) {
        random_state(&rng, model, 0.5, 1, q + i * nq, qd + i * nv);
        random_state(&rng, model, 0.5, 1, target + i * nq, want);
        good_values(&rng, model, SN_CROWD_KP, nv, kp + i * nv);
        good_values(&rng, model, SN_CROWD_KD, nv, kd + i * nv);
        dt[i] = 1.0 / uniform(&rng, 100, 500);
    }
    assert_int_equal(sn_crowd_set_gains(c, kp, kd), SN_OK);
    assert_int_equal(sn_crowd_set_state(c, 0, MANY, q, qd), SN_OK);
    assert_int_equal(sn_crowd_set_target(c, 0, MANY, target, NULL), SN_OK);
    assert_int_equal(sn_crowd_put(c, SN_CROWD_KP, NULL, kp), SN_OK);
    assert_int_equal(sn_crowd_set(c, SN_CROWD_KD, 0, MANY, kd), SN_OK);
    assert_int_equal(sn_crowd_put(c, SN_CROWD_DT, NULL, dt), SN_OK);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 30; i++)
            assert_int_equal(sn_crowd_step(c), SN_OK);
        for (int i = 0; i < MANY; i++) {
            sn_character *alone = character_of(model, &def.character);
            const double *p = round ? kp : kp + i * nv,
                         *d = round ? kd : kd + i * nv; /* then the first one's */
            assert_int_equal(sn_character_set_gains(alone, p, d), SN_OK);
            assert_int_equal(sn_character_set_dt(alone, dt[i]), SN_OK);
            sn_character_set_state(alone, q + i * nq, qd + i * nv);
            sn_character_set_target(alone, target + i * nq, NULL);
            for (int k = 0; k < 30; k++)
                assert_int_equal(sn_character_step(alone), SN_OK);
            sn_character_get_state(alone, want, NULL);
            sn_crowd_get_state(c, i, 1, got, NULL);
            assert_same(got, want, nq, 1e-11, "alone", round, i);
            sn_character_free(alone);
        }
        /* gains for all keep each its dt */
        assert_int_equal(sn_crowd_set_gains(c, kp, kd), SN_OK);
        assert_int_equal(sn_crowd_set_state(c, 0, MANY, q, qd), SN_OK);
    }
    sn_crowd_free(c);
    sn_model_free(model);
}

/* Nobody's bits depend on what another one has been given. */
TEST(what_one_is_given_changes_no_other) {
    sn_model *model = mixed_model(13, MIX_PASSIVE);
    const int nq = sn_model_nq(model), nv = sn_model_nv(model);
    for (int f = SN_CROWD_TARGET_QD; f < SN_CROWD_PHASE; f++) {
        sn_crowd_def def = def_for(MANY, SN_FLOAT);
        def.torque_limits = true;
        sn_crowd *plain = crowd_of(model, &def), *special = crowd_of(model, &def);
        struct rng rng = {14};
        double x[MOST_SIZE], a[MAX_NQ + MAX_NV], b[MAX_NQ + MAX_NV], kp[MAX_NV], kd[MAX_NV];
        good_values(&rng, model, (sn_crowd_field)f, sn_crowd_size(special, (sn_crowd_field)f), x);
        if (f == SN_CROWD_DT) x[0] = 0.003;
        for (int v = 0; v < sn_model_nv(model) && f == SN_CROWD_TORQUE_LIMIT; v++)
            x[v] = 0.5;
        sn_gains_uniform(model, 300, 30, 200.1, 20.3, kp, kd);
        scatter(plain, model, 15), scatter(special, model, 15);
        for (int i = 0; i < 10; i++) {
            if (i == 2) assert_int_equal(sn_crowd_set(special, (sn_crowd_field)f, 5, 1, x), SN_OK);
            if (i == 5) assert_int_equal(sn_crowd_set_gains(plain, kp, kd), SN_OK);
            if (i == 5) assert_int_equal(sn_crowd_set_gains(special, kp, kd), SN_OK);
            assert_int_equal(sn_crowd_step(plain), SN_OK);
            assert_int_equal(sn_crowd_step(special), SN_OK);
        }
        for (int i = 0; i < MANY; i++) {
            sn_crowd_get_state(plain, i, 1, a, a + nq);
            sn_crowd_get_state(special, i, 1, b, b + nq);
            const bool same = memcmp(a, b, sizeof *a * (size_t)(nq + nv)) == 0;
            /* friction without ground is nothing */
            if (same != (i != 5 || f == SN_CROWD_FRICTION)) fail_msg("field %d, character %d", f, i);
        }
        sn_crowd_free(plain), sn_crowd_free(special);
    }
    sn_model_free(model);
}

TEST(a_target_velocity_of_NULL_is_zero) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const sn_crowd_def def = def_for(MANY, SN_FLOAT);
    sn_crowd *c = crowd_of(model, &def);
    const int nv = sn_model_nv(model);
    double q[MAX_NQ], qd[MAX_NV], got[MAX_NV];
    struct rng rng = {2};
    random_state(&rng, model, 0.3, 1, q, qd);
    assert_int_equal(sn_crowd_set_target(c, 7, 1, q, qd), SN_OK);
    assert_int_equal(sn_crowd_set(c, SN_CROWD_TARGET_Q, 7, 1, q), SN_OK); /* not its velocity */
    assert_int_equal(sn_crowd_get(c, SN_CROWD_TARGET_QD, 7, 1, got), SN_OK);
    round_to_float(qd, nv);
    assert_same(got, qd, nv, 0, "velocity", SN_CROWD_TARGET_QD, 7);
    assert_int_equal(sn_crowd_set_target(c, 7, 1, NULL, NULL), SN_OK);
    assert_int_equal(sn_crowd_get(c, SN_CROWD_TARGET_QD, 7, 1, got), SN_OK);
    assert_true(norm(got, nv) == 0);
    sn_crowd_free(c);
    sn_model_free(model);
}

TEST(substeps_are_steps) {
    sn_model *model = sn_builtin_create("dog", NULL);
    sn_crowd_def def = def_for(MANY, SN_FLOAT);
    def.substeps = 3;
    sn_crowd *once = crowd_of(model, &def);
    def.substeps = 1;
    sn_crowd *thrice = crowd_of(model, &def);
    for (int i = 0; i < 12; i++) {
        if (i % 3 == 0) assert_int_equal(sn_crowd_step(once), SN_OK);
        assert_int_equal(sn_crowd_step(thrice), SN_OK);
    }
    assert_true(sn_crowd_hash(once) == sn_crowd_hash(thrice));
    sn_crowd_free(once), sn_crowd_free(thrice);
    sn_model_free(model);
}

/* ---------------------------------------------------------------------------------------------- reset, freezing */

static void make_wild(sn_crowd *c, const sn_model *model, int who) {
    double qd[MAX_NV];
    for (int v = 0; v < sn_model_nv(model); v++)
        qd[v] = 1e30;
    assert_int_equal(sn_crowd_set(c, SN_CROWD_QD, who, 1, qd), SN_OK);
}

static void check_freezing(const sn_model *model, const sn_crowd_def *def) {
    const int count = def->count, wild = count / 2;
    const int nq = sn_model_nq(model), nv = sn_model_nv(model), size = nq + nv;
    sn_crowd *c = crowd_of(model, def), *calm = crowd_of(model, def);
    static double a[MAX_NQ + MAX_NV], b[MAX_NQ + MAX_NV], start[MAX_NQ + MAX_NV];
    double flag[MANY];
    scatter(c, model, 6), scatter(calm, model, 6);
    give_floor(c), give_floor(calm);
    make_wild(c, model, wild);
    sn_crowd_get_state(c, wild, 1, start, start + nq);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(sn_crowd_step(c), SN_OK);
        assert_int_equal(sn_crowd_step(calm), SN_OK);
        if (i == 5) { /* a state alone does not wake it */
            sn_crowd_get_state(calm, wild, 1, start, start + nq);
            assert_int_equal(sn_crowd_set_state(c, wild, 1, start, start + nq), SN_OK);
            sn_crowd_get_state(c, wild, 1, start, start + nq);
        }
        assert_int_equal(sn_crowd_diverged(c), 1);
        assert_int_equal(sn_crowd_get(c, SN_CROWD_DIVERGED, 0, count, flag), SN_OK);
        for (int k = 0; k < count; k++) {
            assert_true(flag[k] == (k == wild));
            assert_true(element(def->character.precision, sn_crowd_view(c, SN_CROWD_DIVERGED), k) == flag[k]);
            sn_crowd_get_state(c, k, 1, a, a + nq);
            sn_crowd_get_state(calm, k, 1, b, b + nq);
            if (k / def->arena != wild / def->arena) assert_memory_equal(a, b, sizeof *a * (size_t)size);
        }
        sn_crowd_get_state(c, wild, 1, a, a + nq);
        assert_memory_equal(a, start, sizeof *a * (size_t)size);
    }
    assert_int_equal(sn_crowd_diverged(calm), 0);
    uint8_t which[MANY] = {0};
    which[wild] = 1;
    assert_int_equal(sn_crowd_reset(c, which, NULL, NULL), SN_OK);
    assert_int_equal(sn_crowd_diverged(c), 0);
    sn_crowd_get_state(c, wild, 1, a, a + nq);
    assert_memory_equal(a, start, sizeof *a * (size_t)size);
    assert_int_equal(sn_crowd_step(c), SN_OK);
    assert_int_equal(sn_crowd_diverged(c), 0);
    sn_crowd_get_state(c, wild, 1, a, a + nq);
    assert_true(relative_error(a, start, size) > 1e-9);
    sn_crowd_free(c), sn_crowd_free(calm);
}

TEST(one_that_diverges_is_frozen_until_it_is_reset) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int precision = SN_DOUBLE; precision <= SN_FLOAT; precision++)
        for (int threads = 1; threads < 3; threads++) {
            sn_crowd_def def = def_for(MANY, (sn_precision)precision);
            def.threads = threads;
            check_freezing(model, &def);
            def.contact = SN_CONTACT_ROWS;
            def.arena = 3;
            def.count = 9; /* rows are slow */
            if (!FAST || threads == 2) check_freezing(model, &def);
        }
    sn_model_free(model);
}

/* Views and single questions agree, and something touches the ground. */
static void assert_views_agree(sn_crowd *c, sn_precision precision) {
    struct copy now;
    double touching = 0;
    copy_take(c, &now);
    for (int f = 0; f < SN_CROWD_FIELDS; f++) {
        const int n = sn_crowd_size(c, (sn_crowd_field)f);
        const void *view = sn_crowd_view(c, (sn_crowd_field)f);
        assert_true((view == NULL) == (n == 0));
        for (int i = 0; i < n * sn_crowd_count(c); i++) {
            const double a = element(precision, view, i), b = now.value[f][i];
            if (a != b && !(fabs(a - b) <= (precision == SN_DOUBLE ? 1e-12 : 2e-6) * (1 + fabs(b))))
                fail_msg("field %d, value %d: a view shows %.9g, not %.9g", f, i, a, b);
            if (f == SN_CROWD_CONTACT) touching += a;
        }
    }
    assert_true(touching > 3);
    copy_free(&now);
}

/* After a reset a character does what it does in a crowd that has just been made. */
static void check_reset(const sn_model *model, const sn_crowd_def *def) {
    const int nq = sn_model_nq(model), nv = sn_model_nv(model), size = nq + nv, count = def->count;
    sn_crowd *c = crowd_of(model, def), *fresh = crowd_of(model, def);
    double q[MAX_NQ], qd[MAX_NV], a[MAX_NQ + MAX_NV], b[MAX_NQ + MAX_NV];
    static double force[MANY * MOST_SIZE];
    struct rng rng = {9};
    uint8_t which[MANY];
    scatter(c, model, 7), scatter(fresh, model, 7);
    give_floor(c), give_floor(fresh);
    for (int i = 0; i < 60; i++)
        assert_int_equal(sn_crowd_step(c), SN_OK);
    assert_views_agree(c, def->character.precision);
    assert_int_equal(sn_crowd_get(c, SN_CROWD_CONTACT_FORCE, 0, count, force), SN_OK);
    assert_true(norm(force, count * 3 * sn_model_nbody(model)) > 100);
    random_state(&rng, model, 0.2, 0, q, qd);
    q[0] = q[1] = 0, q[2] = 0.7;
    for (int i = 0; i < count; i++)
        which[i] = i / def->arena % 2 == 0;
    struct copy before;
    copy_take(c, &before);
    assert_int_equal(sn_crowd_reset(c, which, q, NULL), SN_OK);
    assert_int_equal(sn_crowd_reset(fresh, which, q, NULL), SN_OK);
    for (int i = 0; i < count; i++) {
        double flag[MAX_NV];
        sn_crowd_get_state(c, i, 1, a, a + nq);
        if (!which[i]) {
            assert_same(a, before.value[SN_CROWD_Q] + i * nq, nq, 0, "not reset", SN_CROWD_Q, i);
            continue;
        }
        assert_true(norm(a + nq, nv) == 0);
        assert_int_equal(sn_crowd_get(c, SN_CROWD_CONTACT, i, 1, flag), SN_OK);
        assert_true(norm(flag, sn_model_nbody(model)) == 0);
        assert_int_equal(sn_crowd_get(c, SN_CROWD_QDD, i, 1, flag), SN_OK);
        assert_true(norm(flag, nv) == 0);
    }
    for (int k = 0; k < 40; k++) {
        assert_int_equal(sn_crowd_step(c), SN_OK);
        assert_int_equal(sn_crowd_step(fresh), SN_OK);
    }
    for (int i = 0; i < count; i++) {
        sn_crowd_get_state(c, i, 1, a, a + nq);
        sn_crowd_get_state(fresh, i, 1, b, b + nq);
        if (which[i] && memcmp(a, b, sizeof *a * (size_t)size) != 0) fail_msg("character %d remembers", i);
    }
    copy_free(&before);
    sn_crowd_free(c), sn_crowd_free(fresh);
}

TEST(a_character_that_is_reset_remembers_nothing) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int precision = SN_DOUBLE; precision <= SN_FLOAT; precision++) {
        sn_crowd_def def = def_for(MANY, (sn_precision)precision);
        def.threads = 2;
        def.joint_limits = true;
        check_reset(model, &def);
        def.contact = SN_CONTACT_ROWS;
        def.count = 5; /* rows are slow */
        if (!FAST || precision == SN_FLOAT) check_reset(model, &def);
    }
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------- threads and memory */

enum { STORY = 150 };

static uint64_t hash_of_story(const sn_model *model, int threads, sn_contact_method contact, bool views) {
    const int count = contact == SN_CONTACT_ROWS ? 7 : STORY;
    sn_crowd_def def = def_for(count, SN_FLOAT);
    def.threads = threads;
    def.contact = contact;
    def.joint_limits = true;
    def.substeps = 2;
    sn_crowd *c = crowd_of(model, &def);
    assert_int_equal(sn_crowd_threads(c), threads);
    scatter(c, model, 8);
    sn_motion *walk = sn_builtin_motion_create("walk", model, NULL);
    assert_int_equal(sn_crowd_set_motion(c, walk), SN_OK);
    sn_motion_free(walk);
    give_floor(c);
    static double push[STORY * MOST_SIZE], scale[STORY];
    struct rng rng = {1};
    for (int i = 0; i < count; i++)
        scale[i] = uniform(&rng, 0.8, 1.2);
    random_values(&rng, 20, push, count * 6 * sn_model_nbody(model));
    for (int k = 0; k < 30; k++) {
        if (k == 5) assert_int_equal(sn_crowd_set(c, SN_CROWD_PUSH, 0, count, push), SN_OK);
        if (k == 7 && contact != SN_CONTACT_ROWS)
            assert_int_equal(sn_crowd_set(c, SN_CROWD_MASS_SCALE, 0, count, scale), SN_OK);
        if (k == 9) make_wild(c, model, count / 2);
        assert_int_equal(sn_crowd_step(c), SN_OK);
        for (int f = 0; views && f < SN_CROWD_FIELDS; f++)
            assert_true((sn_crowd_view(c, (sn_crowd_field)f) == NULL) == (f == SN_CROWD_TORQUE));
    }
    assert_int_equal(sn_crowd_diverged(c), 1);
    const uint64_t hash = sn_crowd_hash(c);
    sn_crowd_free(c);
    return hash;
}

TEST(threads_change_no_bit) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int contact = SN_CONTACT_ROWS; contact <= SN_CONTACT_NONE; contact++) {
        if (FAST && contact == SN_CONTACT_ROWS) continue;
        const uint64_t one = hash_of_story(model, 1, (sn_contact_method)contact, false);
        assert_true(hash_of_story(model, 2, (sn_contact_method)contact, true) == one);
        if (contact == SN_CONTACT_IMPLICIT)
            assert_true(hash_of_story(model, 5, (sn_contact_method)contact, false) == one);
    }
    sn_model_free(model);
}

/* Ground that touches nothing, then hills, then a plane that carries them: each in place of the one before. */
TEST(the_later_ground_counts) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int contact = SN_CONTACT_ROWS; contact <= SN_CONTACT_NONE; contact++) {
        sn_crowd_def def = def_for(contact == SN_CONTACT_ROWS ? 3 : 11, SN_FLOAT);
        def.threads = 3, def.joint_limits = true, def.contact = (sn_contact_method)contact;
        sn_crowd *c = crowd_of(model, &def);
        const double origin[3] = {0}, up[3] = {0, 0, 1}, height[9] = {0, 0.1, 0, 0.1, 0, 0.1, 0, 0.1, 0};
        const sn_heightfield_def hills = {3, 3, {20, 20}, {-10, -10, -0.05}, height};
        sn_shape_def ghost = sn_shape_def_default(SN_SHAPE_BOX);
        ghost.group = ghost.mask = 0;
        double kp[MAX_NV], kd[MAX_NV], q[MAX_NQ];
        static double force[MOST_SIZE];
        sn_gains_uniform(model, 0, 0, 300, 30, kp, kd);
        sn_model_zero_pose(model, q);
        assert_int_equal(sn_crowd_set_gains(c, kp, kd), SN_OK);
        for (int ground = 0; ground < 3; ground++) {
            const sn_status status = ground == 1
                                         ? sn_crowd_set_heightfield(c, &hills, NULL, NULL)
                                         : sn_crowd_set_plane(c, origin, up, ground ? NULL : &ghost, NULL);
            assert_int_equal(status, SN_OK);
            assert_int_equal(sn_crowd_reset(c, NULL, q, NULL), SN_OK);
            for (int i = 0; i < 30; i++)
                assert_int_equal(sn_crowd_step(c), SN_OK);
            assert_int_equal(sn_crowd_get(c, SN_CROWD_CONTACT_FORCE, sn_crowd_count(c) - 1, 1, force), SN_OK);
            double sum = 0;
            for (int b = 0; b < sn_model_nbody(model); b++)
                sum += force[3 * b + 2];
            if (contact == SN_CONTACT_NONE || ground == 0) assert_true(sum == 0);
            /* it stands, nearly at rest */
            if (contact != SN_CONTACT_NONE && ground == 2)
                assert_near(sum / (9.81 * sn_model_mass(model)), 1, 0.1);
        }
        assert_int_equal(sn_crowd_diverged(c), 0);
        sn_crowd_free(c);
    }
    sn_model_free(model);
}

TEST(memory_is_told_and_little) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_crowd_def def = def_for(2048, SN_FLOAT);
    sn_crowd *one = crowd_of(model, &def);
    def.threads = 3;
    sn_crowd *three = crowd_of(model, &def);
    give_floor(one);
    assert_in_range(sn_crowd_memory(one), 2048 * 8 * sn_model_nv(model), 2048 * 4096);
    assert_true(sn_crowd_memory(three) < 2048 * 4096);
    const size_t before = sn_crowd_memory(three);
    assert_non_null(sn_crowd_view(three, SN_CROWD_Q));
    assert_int_equal(sn_crowd_memory(three) - before, 2048 * 4 * (size_t)sn_model_nq(model));
    sn_motion *walk = sn_builtin_motion_create("walk", model, NULL);
    const size_t standing = sn_crowd_memory(three);
    assert_int_equal(sn_crowd_set_motion(three, walk), SN_OK);
    assert_true(sn_crowd_memory(three) > standing);
    assert_int_equal(sn_crowd_set_motion(three, NULL), SN_OK);
    assert_int_equal(sn_crowd_memory(three), standing);
    sn_motion_free(walk);
    sn_crowd_free(one), sn_crowd_free(three);
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------------------- arenas */

/* Every field but those that a world has once for all. */
TEST(values_of_arenas_come_back) {
    sn_model *model = mixed_model(5, MIX_PASSIVE);
    for (int precision = SN_DOUBLE; precision <= SN_FLOAT; precision++) {
        sn_crowd_def def = def_for(MANY, (sn_precision)precision);
        def.contact = SN_CONTACT_ROWS, def.arena = 4, def.torque_limits = true;
        sn_crowd *c = crowd_of(model, &def);
        static double x[MANY * MOST_SIZE], got[MOST_SIZE];
        struct rng rng = {51};
        for (int f = 0; f <= SN_CROWD_PHASE; f++) {
            const sn_crowd_field field = (sn_crowd_field)f;
            const int n = sn_crowd_size(c, field);
            if (f >= SN_CROWD_MASS_SCALE && f <= SN_CROWD_DT) continue;
            if (f == SN_CROWD_ARMATURE) continue;
            for (int way = 0; way < WAYS_IN; way++) {
                for (int i = 0; i < MANY; i++)
                    good_values(&rng, model, field, n, x + i * n);
                put_in(c, (sn_precision)precision, field, (enum way_in)way, x);
                const double tolerance = is_pose(field) ? precision == SN_DOUBLE ? 1e-15 : 2e-7 : 0;
                for (int i = 0; i < MANY; i++) {
                    if (!chosen((enum way_in)way, i)) continue;
                    as_kept(model, (sn_precision)precision, field, n, x + i * n);
                    if (precision == SN_FLOAT && way != BY_RANGE) round_to_float(x + i * n, n);
                    assert_int_equal(sn_crowd_get(c, field, i, 1, got), SN_OK);
                    assert_same(got, x + i * n, n, tolerance, "arena", f, i);
                }
            }
        }
        for (int i = 0; i < 3; i++)
            assert_int_equal(sn_crowd_step(c), SN_OK);
        for (int f = 0; f < SN_CROWD_FIELDS; f++)
            assert_true((sn_crowd_view(c, (sn_crowd_field)f) == NULL) == (f == SN_CROWD_TORQUE));
        sn_crowd_free(c);
    }
    sn_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions_that_make_no_sense_are_refused),
        cmocka_unit_test(values_come_back_as_they_were_set),
        cmocka_unit_test(what_a_view_shows_can_be_put_back),
        cmocka_unit_test(bodies_are_where_a_character_has_them),
        cmocka_unit_test(views_follow_every_change),
        cmocka_unit_test(a_bad_value_is_refused_and_nothing_changes),
        cmocka_unit_test(a_bad_value_that_is_not_chosen_does_not_matter),
        cmocka_unit_test(fields_and_ranges_that_do_not_exist_are_refused),
        cmocka_unit_test(axes_of_a_ball_differ_only_where_that_is_wanted),
        cmocka_unit_test(gains_by_character_are_those_of_a_character),
        cmocka_unit_test(what_one_is_given_changes_no_other),
        cmocka_unit_test(a_target_velocity_of_NULL_is_zero),
        cmocka_unit_test(substeps_are_steps),
        cmocka_unit_test(one_that_diverges_is_frozen_until_it_is_reset),
        cmocka_unit_test(a_character_that_is_reset_remembers_nothing),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(the_later_ground_counts),
        cmocka_unit_test(memory_is_told_and_little),
        cmocka_unit_test(values_of_arenas_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
