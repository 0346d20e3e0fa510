/* Same bits in any company: a character gives the same bits alone, in any lane, of any width, next to
   anyone. */
#include "dynamics_helpers.h"

enum { COUNT_IN_CROWD = 37, RETARGET = 40 };

static int step_count(int normal) {
    return getenv("SINEW_TEST_SHORT") ? 50 : normal;
}

struct setting {
    const char *name;
    sn_solver solver;
    sn_form form;
    sn_integrator integrator;
    sn_route route;
    bool limits, per_axis;
};

static const struct setting plain = {.name = "maba"};
static const struct setting settings[] = {
    {.name = "torque limits", .limits = true},
    {.name = "gains by axis", .per_axis = true},
    {.name = "torque limits and gains by axis", .limits = true, .per_axis = true},
    {.name = "explicit", .form = SN_FORM_EXPLICIT},
    {.name = "full", .form = SN_FORM_FULL},
    {.name = "pcg", .solver = SN_SOLVER_PCG},
    {.name = "dense", .solver = SN_SOLVER_DENSE},
    {.name = "sparse", .solver = SN_SOLVER_SPARSE},
    {.name = "lapack", .solver = SN_SOLVER_LAPACK},
    {.name = "explicit Euler", .integrator = SN_EXPLICIT_EULER},
    {.name = "rk4 with torque limits", .integrator = SN_RK4, .limits = true},
    {.name = "rk3", .integrator = SN_RK3},
    {.name = "torque route", .route = SN_ROUTE_TORQUE_RNEA},
    {.name = "torque route, eq. 6", .route = SN_ROUTE_TORQUE_EQ6},
};

static sn_character_def def_of(const struct setting *s, sn_precision precision, const char *lanes) {
    sn_character_def def = def_with(precision, lanes);
    def.solver = s->solver;
    def.form = s->form;
    def.integrator = s->integrator;
    def.route = s->route;
    return def;
}

static void gains_of(const struct setting *s, const sn_model *model, double *kp, double *kd) {
    struct rng rng = {99};
    if (s->form == SN_FORM_EXPLICIT) {
        sn_gains_uniform(model, 30, 3, 20, 0.1, kp, kd);
        return;
    }
    if (s->per_axis)
        per_axis_gains(&rng, model, kp, kd);
    else
        paper_gains(model, kp, kd);
}

/* The story of one character: where it starts, and its target from step `at` on. Every third one has a
   target velocity, too. */
static void start_of(const sn_model *model, int who, double *q, double *qd) {
    struct rng rng = {(uint64_t)who};
    random_state(&rng, model, 0.3, 1, q, qd);
}

static bool target_of(const sn_model *model, int who, int at, double *q, double *qd) {
    struct rng rng = {(uint64_t)(1000 * who + at + 7)};
    random_state(&rng, model, 0.3, 0.5, q, qd);
    return who % 3 == 0;
}

/* who[k] is the character that stands at place k. Fills final, [place][nq + nv], when it is not NULL. */
static uint64_t run_crowd(const sn_model *model, const struct setting *s, sn_precision precision,
                          const char *lanes, const int *who, int count, int steps, const int *wild,
                          double *final) {
    const int nq = sn_model_nq(model), nv = sn_model_nv(model);
    sn_crowd_def def = sn_crowd_def_default();
    def.count = count;
    def.character = def_of(s, precision, lanes);
    sn_error error;
    sn_crowd *crowd = sn_crowd_create(model, &def, &error);
    if (!crowd) fail_msg("%s: %s", s->name, error.message);
    double kp[MAX_NV], kd[MAX_NV], q[MAX_NQ], qd[MAX_NV];
    gains_of(s, model, kp, kd);
    assert_int_equal(sn_crowd_set_gains(crowd, kp, kd), SN_OK);
    for (int k = 0; k < count; k++) {
        start_of(model, who[k], q, qd);
        for (int v = 0; wild && wild[k] && v < nv; v++) /* squares overflow */
            qd[v] = precision == SN_DOUBLE ? 1e200 : 1e30;
        assert_int_equal(sn_crowd_set_state(crowd, k, 1, q, qd), SN_OK);
    }
    for (int i = 0; i < steps; i++) {
        for (int k = 0; k < count && i % RETARGET == 0; k++) {
            const bool moving = target_of(model, who[k], i, q, qd);
            assert_int_equal(sn_crowd_set_target(crowd, k, 1, q, moving ? qd : NULL), SN_OK);
        }
        assert_int_equal(sn_crowd_step(crowd), SN_OK);
    }
    for (int k = 0; final && k < count; k++)
        assert_int_equal(sn_crowd_get_state(crowd, k, 1, final + k * (nq + nv), final + k * (nq + nv) + nq),
                         SN_OK);
    int expected = 0;
    for (int k = 0; wild && k < count; k++)
        expected += wild[k];
    assert_int_equal(sn_crowd_diverged(crowd), expected);
    const uint64_t hash = sn_crowd_hash(crowd);
    sn_crowd_free(crowd);
    return hash;
}

static void in_order(int *who) {
    for (int k = 0; k < COUNT_IN_CROWD; k++)
        who[k] = k;
}

/* Models the settings are tried on: one that is common and one with every joint. */
static sn_model *model_for(const struct setting *s, int which) {
    const unsigned mix = MIX_PASSIVE | MIX_MASSLESS;
    if (which == 1) return mixed_model(21, s->limits ? mix | MIX_LIMIT : mix);
    return s->limits ? mixed_model(22, MIX_LIMIT) : zoo_model(0);
}

static bool can_run(const struct setting *s) {
    return s->solver != SN_SOLVER_LAPACK || sn_built_with_lapack();
}

/* f64x8 has MABA on the direct route and Euler's methods only. */
static bool has_lanes(const sn_model *model, const struct setting *s, const sn_lanes_info *info) {
    const sn_character_def def = def_of(s, info->precision, info->name);
    sn_error error;
    sn_character *character = sn_character_create(model, &def, &error);
    if (!character && (error.status != SN_ERROR_UNSUPPORTED || strcmp(info->name, "f64x8")))
        fail_msg("%s, %s: %s", s->name, info->name, error.message);
    sn_character_free(character);
    return character != NULL;
}

/* ------------------------------------------------------------------------------------------------- widths
   */

static const char *const instruction_sets[] = {"v4", "v3", "v2"}; /* as SINEW_ISA names them */

/* The environment's limit on the instruction set, which the tests of widths lower and put back. */
static char cap_text[8]; /* "": there is none; main fills it */

static void set_cap(const char *isa) {
    if (*isa)
        setenv("SINEW_ISA", isa, 1);
    else
        unsetenv("SINEW_ISA");
}

static bool within_cap(const char *isa) {
    return !*cap_text || strcmp(isa, cap_text) <= 0;
}

/* In the strict build all lane types of one precision are of one kind, scalars too; else vectors with the same use
   of FMA. Scalars are of no kind there. */
static bool is_of_a_kind(const sn_lanes_info *info) {
    return info->width > 1 || sn_built_strict();
}

/* The comparisons that this machine must allow under its cap: with n lane types of a kind, n - 1. */
static int comparisons_wanted(void) {
    int count[2][2] = {0}, wanted = 0;
    for (int i = 0; i < sn_lanes_count(); i++) {
        const sn_lanes_info *info = sn_lanes_get(i);
        if (is_of_a_kind(info) && count[info->precision][info->fma]++ > 0) wanted++;
    }
    return wanted;
}

/* Every lane type whose bits shall agree, at every instruction set, against the first of its kind. */
static void compare_lanes(const sn_model *model, const char *model_name, const struct setting *s, int steps) {
    struct {
        uint64_t hash;
        const char *name;
    } first[2][2] = {0};
    char ran[32][24];
    const int wanted = comparisons_wanted();
    int who[COUNT_IN_CROWD], compared = 0, nran = 0;
    in_order(who);
    for (int level = 0; level < COUNT(instruction_sets); level++) {
        if (!within_cap(instruction_sets[level])) continue;
        set_cap(instruction_sets[level]);
        for (int i = 0; i < sn_lanes_count(); i++) {
            const sn_lanes_info *info = sn_lanes_get(i);
            if (!is_of_a_kind(info)) continue;
            if (!has_lanes(model, s, info)) continue;
            bool before = false;
            snprintf(ran[nran], sizeof ran[nran], "%s %s", info->name, info->isa);
            for (int k = 0; k < nran; k++)
                before |= strcmp(ran[k], ran[nran]) == 0;
            if (before) continue;
            const uint64_t hash =
                run_crowd(model, s, info->precision, info->name, who, COUNT_IN_CROWD, steps, NULL, NULL);
            const int p = info->precision, f = info->fma;
            if (!first[p][f].name) {
                first[p][f].name = ran[nran];
                first[p][f].hash = hash;
            } else if (hash != first[p][f].hash) {
                fail_msg("%s, %s: %s and %s differ", model_name, s->name, ran[nran], first[p][f].name);
            } else {
                compared++;
            }
            nran++;
            assert_true(nran < COUNT(ran));
        }
    }
    set_cap(cap_text);
    assert_true(compared >= wanted);
}

/* A cap leaves out every lane type of a better instruction set, and what it leaves can run both precisions in
   vectors. */
TEST(the_cap_on_instruction_sets_holds) {
    for (int level = 0; level < COUNT(instruction_sets); level++) {
        bool vectors[2] = {false, false};
        if (!within_cap(instruction_sets[level])) continue;
        set_cap(instruction_sets[level]);
        for (int i = 0; i < sn_lanes_count(); i++) {
            const sn_lanes_info *info = sn_lanes_get(i);
            const char *its = strncmp(info->isa, "x86-64-", 7) == 0 ? info->isa + 7 : "v2";
            if (strcmp(its, instruction_sets[level]) > 0)
                fail_msg("%s of %s under the cap %s", info->name, info->isa, instruction_sets[level]);
            vectors[info->precision] |= info->width > 1;
        }
        assert_true(vectors[SN_DOUBLE] && vectors[SN_FLOAT]);
    }
    set_cap(cap_text);
}

TEST(every_width_gives_the_same_bits_on_every_model) {
    for (int index = 0; index < ZOO_COUNT; index++) {
        sn_model *model = zoo_model(index);
        compare_lanes(model, zoo_name(index), &plain, step_count(1000));
        sn_model_free(model);
    }
}

TEST(every_width_gives_the_same_bits_with_every_setting) {
    for (int i = 0; i < COUNT(settings); i++)
        for (int which = 0; which < 2; which++) {
            if (!can_run(&settings[i])) continue;
            sn_model *model = model_for(&settings[i], which);
            compare_lanes(model, which ? "mixed" : "first", &settings[i], step_count(100));
            sn_model_free(model);
        }
}

/* --------------------------------------------------------------------------------------------- neighbours
   */

static void run_alone(const sn_model *model, const struct setting *s, sn_precision precision, int who,
                      int steps, double *final) {
    const int nq = sn_model_nq(model);
    double kp[MAX_NV], kd[MAX_NV], q[MAX_NQ], qd[MAX_NV];
    sn_dynamics_def def = study_def(precision, NULL);
    def.solver = s->solver, def.form = s->form, def.integrator = s->integrator, def.route = s->route;
    struct study *study = study_of(model, &def);
    gains_of(s, model, kp, kd);
    assert_int_equal(study_set_gains(study, kp, kd), SN_OK);
    start_of(model, who, q, qd);
    assert_int_equal(study_set_state(study, q, qd), SN_OK);
    for (int i = 0; i < steps; i++) {
        if (i % RETARGET == 0) {
            const bool moving = target_of(model, who, i, q, qd);
            assert_int_equal(study_set_target(study, q, moving ? qd : NULL), SN_OK);
        }
        assert_int_equal(study_step(study), SN_OK);
    }
    study_get_state(study, final, final + nq);
    study_free(study);
}

/* The same characters alone, in other places, and next to others that diverge. */
static void compare_company(const sn_model *model, const char *model_name, const struct setting *s,
                            sn_precision precision, int steps) {
    const int size = sn_model_nq(model) + sn_model_nv(model);
    static double calm[COUNT_IN_CROWD * (MAX_NQ + MAX_NV)], other[COUNT_IN_CROWD * (MAX_NQ + MAX_NV)];
    int who[COUNT_IN_CROWD], backwards[COUNT_IN_CROWD], wild[COUNT_IN_CROWD] = {0};
    in_order(who);
    run_crowd(model, s, precision, NULL, who, COUNT_IN_CROWD, steps, NULL, calm);

    for (int k = 0; k < COUNT_IN_CROWD; k += 12) {
        run_alone(model, s, precision, k, steps, other);
        if (memcmp(other, calm + k * size, sizeof(double) * (size_t)size) != 0)
            fail_msg("%s, %s, precision %d: character %d alone", model_name, s->name, precision, k);
    }
    for (int k = 0; k < COUNT_IN_CROWD; k++)
        backwards[k] = COUNT_IN_CROWD - 1 - k;
    run_crowd(model, s, precision, NULL, backwards, COUNT_IN_CROWD, steps, NULL, other);
    for (int k = 0; k < COUNT_IN_CROWD; k++)
        if (memcmp(other + k * size, calm + backwards[k] * size, sizeof(double) * (size_t)size) != 0)
            fail_msg("%s, %s, precision %d: character %d in place %d", model_name, s->name, precision,
                     backwards[k], k);

    for (int k = 1; k < COUNT_IN_CROWD; k += 5)
        wild[k] = 1;
    run_crowd(model, s, precision, NULL, who, COUNT_IN_CROWD, steps, wild, other);
    for (int k = 0; k < COUNT_IN_CROWD; k++)
        if (!wild[k] && memcmp(other + k * size, calm + k * size, sizeof(double) * (size_t)size) != 0)
            fail_msg("%s, %s, precision %d: character %d next to a diverging one", model_name, s->name,
                     precision, k);
}

TEST(neighbours_change_no_bit_on_any_model) {
    for (int index = 0; index < ZOO_COUNT; index++) {
        sn_model *model = zoo_model(index);
        for (int precision = SN_DOUBLE; precision <= SN_FLOAT; precision++)
            compare_company(model, zoo_name(index), &plain, (sn_precision)precision, step_count(200));
        sn_model_free(model);
    }
}

TEST(neighbours_change_no_bit_with_any_setting) {
    for (int i = 0; i < COUNT(settings); i++)
        for (int which = 0; which < 2; which++) {
            if (!can_run(&settings[i])) continue;
            sn_model *model = model_for(&settings[i], which);
            for (int precision = SN_DOUBLE; precision <= SN_FLOAT; precision++)
                compare_company(model, which ? "mixed" : "first", &settings[i], (sn_precision)precision,
                                step_count(100));
            sn_model_free(model);
        }
}

/* ------------------------------------------------------------------------------------------------- hashes
   */

TEST(the_hash_tells_one_bit_of_one_character) {
    sn_model *model = zoo_model(0);
    const int nq = sn_model_nq(model);
    sn_crowd_def def = sn_crowd_def_default();
    def.count = COUNT_IN_CROWD;
    sn_crowd *crowd = sn_crowd_create(model, &def, NULL);
    const uint64_t before = sn_crowd_hash(crowd);
    double q[MAX_NQ], qd[MAX_NV];
    assert_int_equal(sn_crowd_get_state(crowd, COUNT_IN_CROWD - 1, 1, q, qd), SN_OK);
    q[nq - 1] = 1e-40; /* a hinge, by the smallest of floats */
    assert_int_equal(sn_crowd_set_state(crowd, COUNT_IN_CROWD - 1, 1, q, NULL), SN_OK);
    assert_true(sn_crowd_hash(crowd) != before);
    q[nq - 1] = 0;
    assert_int_equal(sn_crowd_set_state(crowd, COUNT_IN_CROWD - 1, 1, q, NULL), SN_OK);
    assert_true(sn_crowd_hash(crowd) == before);
    sn_crowd_free(crowd);
    sn_model_free(model);
}

int main(void) {
    const char *cap = getenv("SINEW_ISA");
    for (int level = 0; level < COUNT(instruction_sets); level++) /* other words are no cap */
        if (cap && strcmp(cap, instruction_sets[level]) == 0) strcpy(cap_text, cap);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cap_on_instruction_sets_holds),
        cmocka_unit_test(every_width_gives_the_same_bits_on_every_model),
        cmocka_unit_test(every_width_gives_the_same_bits_with_every_setting),
        cmocka_unit_test(neighbours_change_no_bit_on_any_model),
        cmocka_unit_test(neighbours_change_no_bit_with_any_setting),
        cmocka_unit_test(the_hash_tells_one_bit_of_one_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
