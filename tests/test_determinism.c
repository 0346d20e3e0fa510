/* Same bits in any company: a state gives the same bits alone, in any place of a call, in lanes of any width, beside
   states that overflow, and as a copy of a world. */
#include "dynamics_helpers.h"

enum { COUNT_ABREAST = 37, RETARGET = 40 };

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
    {.name = "explicit Euler", .integrator = SN_INTEGRATOR_EXPLICIT_EULER},
    {.name = "rk4 with torque limits", .integrator = SN_INTEGRATOR_RK4, .limits = true},
    {.name = "rk3", .integrator = SN_INTEGRATOR_RK3},
    {.name = "torque route", .route = SN_ROUTE_TORQUE_RNEA},
    {.name = "torque route, eq. 6", .route = SN_ROUTE_TORQUE_EQ6},
};

static sn_dynamics_def def_of(const struct setting *s, sn_precision precision, const char *lanes, int count) {
    sn_dynamics_def def = study_def(precision, lanes);
    def.count = count;
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

/* The story of one state: where it starts, what acts on it, and its target from step `at` on. Every third one has a
   target velocity, too. */
static void start_of(const sn_model *model, int who, double *q, double *qd) {
    struct rng rng = {(uint64_t)who};
    random_state(&rng, model, 0.3, 1, q, qd);
}

static void forces_on(const sn_model *model, int who, double *feedforward, double *push) {
    struct rng rng = {(uint64_t)(500 + who)};
    random_values(&rng, 3, feedforward, sn_model_get(model)->nv);
    random_values(&rng, 3, push, 6 * sn_model_get(model)->nbody);
}

static bool target_of(const sn_model *model, int who, int at, double *q, double *qd) {
    struct rng rng = {(uint64_t)(1000 * who + at + 7)};
    random_state(&rng, model, 0.3, 0.5, q, qd);
    const bool moving = who % 3 == 0;
    for (int v = 0; v < sn_model_get(model)->nv && !moving; v++)
        qd[v] = 0;
    return moving;
}

/* States side by side, and what the last step said about them. */
struct states {
    double q[COUNT_ABREAST * MAX_NQ], qd[COUNT_ABREAST * MAX_NV];
    double qdd[COUNT_ABREAST * MAX_NV], tau[COUNT_ABREAST * MAX_NV];
};

static bool same(const sn_model *model, const struct states *a, int i, const struct states *b, int k) {
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv;
    const size_t sq = (size_t)nq * sizeof(double), sv = (size_t)nv * sizeof(double);
    return !memcmp(a->q + i * nq, b->q + k * nq, sq) && !memcmp(a->qd + i * nv, b->qd + k * nv, sv) &&
           !memcmp(a->qdd + i * nv, b->qdd + k * nv, sv) && !memcmp(a->tau + i * nv, b->tau + k * nv, sv);
}

/* What drives the states of a call; who[k] is the one at place k. */
struct drives {
    sn_drive drive;
    double kp[MAX_NV], kd[MAX_NV];
    double target_q[COUNT_ABREAST * MAX_NQ], target_qd[COUNT_ABREAST * MAX_NV];
    double feedforward[COUNT_ABREAST * MAX_NV], push[COUNT_ABREAST * 6 * MAX_NV];
};

static void fill_targets(struct drives *d, const sn_model *model, const int *who, int count, int at) {
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv;
    bool moving = false;
    for (int k = 0; k < count; k++) {
        moving |= target_of(model, who[k], at, d->target_q + k * nq, d->target_qd + k * nv);
    }
    d->drive.target_qd = moving ? d->target_qd : NULL;
}

static void fill_drives(struct drives *d, const sn_model *model, const struct setting *s, const int *who,
                        int count) {
    gains_of(s, model, d->kp, d->kd);
    for (int k = 0; k < count; k++)
        forces_on(model, who[k], d->feedforward + k * sn_model_get(model)->nv,
                  d->push + k * 6 * sn_model_get(model)->nbody);
    d->drive = (sn_drive){
        .kp = d->kp, .kd = d->kd, .target_q = d->target_q, .feedforward = d->feedforward, .push = d->push};
    fill_targets(d, model, who, count, 0);
}

static void fill_start(struct states *states, const sn_model *model, const int *who, int count) {
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv;
    for (int k = 0; k < count; k++)
        start_of(model, who[k], states->q + k * nq, states->qd + k * nv);
}

static sn_dynamics *dynamics_of(const sn_model *model, const struct setting *s, sn_precision precision,
                                const char *lanes, int count) {
    const sn_dynamics_def def = def_of(s, precision, lanes, count);
    sn_error error;
    sn_dynamics *dynamics = sn_dynamics_create(model, &def, &error);
    if (!dynamics) fail_msg("%s: %s", s->name, error.message);
    return dynamics;
}

struct run {
    const sn_model *model;
    const struct setting *s;
    sn_precision precision;
    const char *lanes;
    int steps;
};

/* Runs the states who[0 .. count - 1] side by side, `stride` steps per call, a divisor of RETARGET. */
static void run_abreast(const struct run *run, const int *who, int count, int stride, struct states *states) {
    static struct drives drives;
    sn_dynamics *dynamics = dynamics_of(run->model, run->s, run->precision, run->lanes, count);
    fill_start(states, run->model, who, count);
    fill_drives(&drives, run->model, run->s, who, count);
    for (int i = 0; i < run->steps; i += stride) {
        if (i % RETARGET == 0) fill_targets(&drives, run->model, who, count, i);
        const int n = run->steps - i < stride ? run->steps - i : stride;
        assert_int_equal(
            sn_dynamics_step(dynamics, &drives.drive, n, states->q, states->qd, states->qdd, states->tau),
            SN_OK);
    }
    sn_dynamics_free(dynamics);
}

static void in_order(int *who, int *backwards) {
    for (int k = 0; k < COUNT_ABREAST; k++)
        who[k] = k, backwards[k] = COUNT_ABREAST - 1 - k;
}

/* Models the settings are tried on: one that is common and one with every joint. */
static sn_model *model_for(const struct setting *s, int which) {
    const unsigned mix = MIX_PASSIVE | MIX_MASSLESS;
    if (which == 1) return mixed_model(21, s->limits ? mix | MIX_LIMIT : mix);
    return s->limits ? mixed_model(22, MIX_LIMIT) : zoo_model(0);
}

static bool can_run(const struct setting *s) {
    return s->solver != SN_SOLVER_LAPACK || sn_built_with("lapack");
}

/* f64x8 has MABA on the direct route and Euler's methods only. */
static bool has_lanes(const sn_model *model, const struct setting *s, const sn_lanes_info *info) {
    const sn_dynamics_def def = def_of(s, info->precision, info->name, COUNT_ABREAST);
    sn_error error;
    sn_dynamics *dynamics = sn_dynamics_create(model, &def, &error);
    if (!dynamics && (error.status != SN_ERROR_UNSUPPORTED || strcmp(info->name, "f64x8")))
        fail_msg("%s, %s: %s", s->name, info->name, error.message);
    sn_dynamics_free(dynamics);
    return dynamics != NULL;
}

/* ----------------------------------------------------------------------------------------- widths */

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
    return info->width > 1 || sn_built_with("strict");
}

/* The comparisons that this machine must allow under its cap: with n lane types of a kind, n - 1. */
static int comparisons_wanted(const sn_model *model, const struct setting *s) {
    int count[2][2] = {0}, wanted = 0;
    for (int i = 0; sn_lanes_get(i); i++) {
        const sn_lanes_info *info = sn_lanes_get(i);
        if (!is_of_a_kind(info) || !has_lanes(model, s, info)) continue;
        if (count[info->precision][info->fma]++ > 0) wanted++;
    }
    return wanted;
}

/* Places from last to first, and one state alone, against `first`, which has them in order. */
static void compare_places(const sn_model *model, const char *model_name, const struct setting *s,
                           const sn_lanes_info *info, int steps, const struct states *first,
                           const char *first_name) {
    static struct states other;
    int who[COUNT_ABREAST], backwards[COUNT_ABREAST];
    const int one = 18;
    const struct run run = {model, s, info->precision, info->name, steps};
    in_order(who, backwards);
    run_abreast(&run, backwards, COUNT_ABREAST, RETARGET, &other);
    for (int k = 0; k < COUNT_ABREAST; k++)
        if (!same(model, first, backwards[k], &other, k))
            fail_msg("%s, %s, %s %s: state %d in place %d differs from that of %s", model_name, s->name,
                     info->name, info->isa, backwards[k], k, first_name);
    run_abreast(&run, &who[one], 1, RETARGET, &other);
    if (!same(model, first, one, &other, 0))
        fail_msg("%s, %s, %s %s: state %d alone differs from that of %s", model_name, s->name, info->name,
                 info->isa, one, first_name);
}

/* Every lane type whose bits should agree, at every instruction set, against the first of its kind. */
static void compare_lanes(const sn_model *model, const char *model_name, const struct setting *s, int steps) {
    static struct states first[2][2];
    const char *first_name[2][2] = {{NULL}};
    char ran[32][24];
    const int wanted = comparisons_wanted(model, s);
    int who[COUNT_ABREAST], backwards[COUNT_ABREAST], compared = 0, nran = 0;
    in_order(who, backwards);
    for (int level = 0; level < COUNT(instruction_sets); level++) {
        if (!within_cap(instruction_sets[level])) continue;
        set_cap(instruction_sets[level]);
        for (int i = 0; sn_lanes_get(i); i++) {
            const sn_lanes_info *info = sn_lanes_get(i);
            if (!is_of_a_kind(info) || !has_lanes(model, s, info)) continue;
            bool before = false;
            snprintf(ran[nran], sizeof ran[nran], "%s %s", info->name, info->isa);
            for (int k = 0; k < nran; k++)
                before |= strcmp(ran[k], ran[nran]) == 0;
            if (before) continue;
            const int p = info->precision, f = info->fma;
            const struct run run = {model, s, info->precision, info->name, steps};
            compared += first_name[p][f] != NULL;
            if (!first_name[p][f]) {
                run_abreast(&run, who, COUNT_ABREAST, RETARGET, &first[p][f]);
                first_name[p][f] = ran[nran];
            }
            compare_places(model, model_name, s, info, steps, &first[p][f], first_name[p][f]);
            nran++;
            assert_true(nran < COUNT(ran));
        }
    }
    set_cap(cap_text);
    assert_true(compared >= wanted);
}

/* A cap leaves out every lane type of a better instruction set, and leaves vectors of both precisions. */
TEST(the_cap_on_instruction_sets_holds) {
    for (int level = 0; level < COUNT(instruction_sets); level++) {
        bool vectors[2] = {false, false};
        if (!within_cap(instruction_sets[level])) continue;
        set_cap(instruction_sets[level]);
        for (int i = 0; sn_lanes_get(i); i++) {
            const sn_lanes_info *info = sn_lanes_get(i);
            const char *its = strncmp(info->isa, "x86-64-", 7) == 0 ? info->isa + 7 : "v2";
            if (strcmp(its, instruction_sets[level]) > 0)
                fail_msg("%s of %s under the cap %s", info->name, info->isa, instruction_sets[level]);
            vectors[info->precision] |= info->width > 1;
        }
        assert_true(vectors[SN_PRECISION_DOUBLE] && vectors[SN_PRECISION_FLOAT]);
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

/* Every setting that can run here, with the two models that it is for. */
static void for_each_setting(void (*compare)(const sn_model *model, const char *name,
                                             const struct setting *s)) {
    for (int i = 0; i < COUNT(settings); i++)
        for (int which = 0; which < 2; which++) {
            if (!can_run(&settings[i])) continue;
            sn_model *model = model_for(&settings[i], which);
            compare(model, which ? "mixed" : "first", &settings[i]);
            sn_model_free(model);
        }
}

static void compare_lanes_shortly(const sn_model *model, const char *name, const struct setting *s) {
    compare_lanes(model, name, s, step_count(100));
}

TEST(every_width_gives_the_same_bits_with_every_setting) {
    for_each_setting(compare_lanes_shortly);
}

/* ------------------------------------------------------------------------------------- neighbours */

/* Velocities whose squares overflow. */
static void make_wild(const sn_model *model, sn_precision precision, const int *wild, double *qd) {
    const int nv = sn_model_get(model)->nv;
    for (int k = 0; k < COUNT_ABREAST; k++)
        for (int v = 0; v < nv && wild[k]; v++)
            qd[k * nv + v] = precision == SN_PRECISION_DOUBLE ? 1e200 : 1e30;
}

/* Worlds step by MABA on the direct route with semi-implicit Euler. */
static bool worlds_have(const struct setting *s) {
    return s->solver == SN_SOLVER_MABA && s->route == SN_ROUTE_DIRECT &&
           s->integrator == SN_INTEGRATOR_SEMI_IMPLICIT_EULER;
}

static void set_world(sn_world *w, sn_field field, const double *values) {
    assert_int_equal(sn_world_set(w, 0, field, 0, COUNT_ABREAST, values), SN_OK);
}

static void set_world_targets(sn_world *w, const sn_model *model, const int *who, int at) {
    static double q[COUNT_ABREAST * MAX_NQ], qd[COUNT_ABREAST * MAX_NV];
    for (int k = 0; k < COUNT_ABREAST; k++)
        target_of(model, who[k], at, q + k * sn_model_get(model)->nq, qd + k * sn_model_get(model)->nv);
    set_world(w, SN_FIELD_TARGET_Q, q);
    set_world(w, SN_FIELD_TARGET_QD, qd);
}

static sn_world *world_of(const sn_model *model, const struct setting *s, sn_precision precision,
                          const int *who) {
    static struct drives drives;
    sn_world_def def = sn_world_def_default();
    def.products = SN_PRODUCTS_EXPLICIT; /* as the dynamics have them */
    def.copies = COUNT_ABREAST, def.precision = precision, def.form = s->form;
    def.joint_limits = false, def.report_torque = true, def.gains_by_axis = s->per_axis;
    sn_error error;
    sn_world *w = sn_world_create(&def, &error);
    if (!w || sn_world_add(w, model, &error) != 0) fail_msg("%s: %s", s->name, error.message);
    fill_drives(&drives, model, s, who, COUNT_ABREAST);
    assert_int_equal(sn_world_set_gains(w, 0, drives.kp, drives.kd), SN_OK);
    set_world(w, SN_FIELD_FEEDFORWARD, drives.feedforward);
    set_world(w, SN_FIELD_PUSH, drives.push);
    return w;
}

/* Runs the states as copies of a world; those that are wild stop. */
static void run_world(const sn_model *model, const struct setting *s, sn_precision precision, const int *who,
                      const int *wild, int steps, struct states *out) {
    sn_world *w = world_of(model, s, precision, who);
    for (int k = 0; k < COUNT_ABREAST; k++)
        start_of(model, who[k], out->q + k * sn_model_get(model)->nq, out->qd + k * sn_model_get(model)->nv);
    if (wild) make_wild(model, precision, wild, out->qd);
    set_world(w, SN_FIELD_Q, out->q);
    set_world(w, SN_FIELD_QD, out->qd);
    for (int i = 0; i < steps; i++) {
        if (i % RETARGET == 0) set_world_targets(w, model, who, i);
        assert_int_equal(sn_world_step(w), SN_OK);
    }
    const sn_field field[] = {SN_FIELD_Q, SN_FIELD_QD, SN_FIELD_QDD, SN_FIELD_TORQUE};
    double *const values[] = {out->q, out->qd, out->qdd, out->tau};
    for (int i = 0; i < COUNT(field); i++)
        assert_int_equal(sn_world_get(w, 0, field[i], 0, COUNT_ABREAST, values[i]), SN_OK);
    sn_world_stats stats;
    int expected = 0;
    for (int k = 0; wild && k < COUNT_ABREAST; k++)
        expected += wild[k];
    sn_world_get_stats(w, &stats);
    assert_int_equal(stats.diverged, expected);
    sn_world_free(w);
}

/* A call with states that overflow answers for the others as if they were not there. A step says so, and leaves all
   of them as they were. */
static void compare_beside_wild(const sn_model *model, const char *model_name, const struct setting *s,
                                sn_precision precision, const int *who, const int *wild) {
    static struct states calm, other, before;
    static struct drives drives;
    sn_dynamics *d = dynamics_of(model, s, precision, NULL, COUNT_ABREAST);
    const sn_drive *drive = &drives.drive;
    fill_drives(&drives, model, s, who, COUNT_ABREAST);
    fill_start(&calm, model, who, COUNT_ABREAST);
    fill_start(&other, model, who, COUNT_ABREAST);
    make_wild(model, precision, wild, other.qd);
    assert_int_equal(sn_dynamics_step(d, drive, 0, calm.q, calm.qd, calm.qdd, calm.tau), SN_OK);
    assert_int_equal(sn_dynamics_step(d, drive, 0, other.q, other.qd, other.qdd, other.tau), SN_OK);
    for (int k = 0; k < COUNT_ABREAST; k++)
        if (!wild[k] && !same(model, &calm, k, &other, k))
            fail_msg("%s, %s, precision %d: state %d next to one that overflows", model_name, s->name,
                     precision, k);
    before = other;
    assert_int_equal(sn_dynamics_step(d, drive, 1, other.q, other.qd, other.qdd, other.tau),
                     SN_ERROR_NOT_FINITE);
    assert_memory_equal(other.q, before.q, sizeof other.q);
    assert_memory_equal(other.qd, before.qd, sizeof other.qd);
    sn_dynamics_free(d);
}

/* The states alone, step by step, and in other places of a call. */
static void compare_company(const sn_model *model, const char *model_name, const struct setting *s,
                            sn_precision precision, int steps) {
    static struct states calm, other;
    int who[COUNT_ABREAST], backwards[COUNT_ABREAST], wild[COUNT_ABREAST] = {0};
    const struct run run = {model, s, precision, NULL, steps};
    in_order(who, backwards);
    run_abreast(&run, who, COUNT_ABREAST, RETARGET, &calm);
    for (int k = 0; k < COUNT_ABREAST; k += 12) {
        run_abreast(&run, &who[k], 1, 1, &other);
        if (!same(model, &calm, k, &other, 0))
            fail_msg("%s, %s, precision %d: state %d alone", model_name, s->name, precision, k);
    }
    run_abreast(&run, backwards, COUNT_ABREAST, RETARGET / 4, &other);
    for (int k = 0; k < COUNT_ABREAST; k++)
        if (!same(model, &calm, backwards[k], &other, k))
            fail_msg("%s, %s, precision %d: state %d in place %d", model_name, s->name, precision,
                     backwards[k], k);
    for (int k = 1; k < COUNT_ABREAST; k += 5)
        wild[k] = 1;
    compare_beside_wild(model, model_name, s, precision, who, wild);
    if (!worlds_have(s)) return;
    run_world(model, s, precision, who, NULL, steps, &other);
    for (int k = 0; k < COUNT_ABREAST; k++)
        if (!same(model, &calm, k, &other, k))
            fail_msg("%s, %s, precision %d: state %d as a copy of a world", model_name, s->name, precision,
                     k);
    run_world(model, s, precision, who, wild, steps, &other);
    for (int k = 0; k < COUNT_ABREAST; k++)
        if (!wild[k] && !same(model, &calm, k, &other, k))
            fail_msg("%s, %s, precision %d: copy %d next to a diverging one", model_name, s->name, precision,
                     k);
}

TEST(neighbours_change_no_bit_on_any_model) {
    for (int index = 0; index < ZOO_COUNT; index++) {
        sn_model *model = zoo_model(index);
        for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++)
            compare_company(model, zoo_name(index), &plain, (sn_precision)precision, step_count(200));
        sn_model_free(model);
    }
}

static void compare_companies(const sn_model *model, const char *name, const struct setting *s) {
    for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++)
        compare_company(model, name, s, (sn_precision)precision, step_count(100));
}

TEST(neighbours_change_no_bit_with_any_setting) {
    for_each_setting(compare_companies);
}

/* ----------------------------------------------------------------------------------------- hashes */

TEST(the_hash_tells_one_bit_of_one_copy) {
    sn_model *model = zoo_model(0);
    const int nq = sn_model_get(model)->nq, last = COUNT_ABREAST - 1;
    sn_world_def def = sn_world_def_default();
    def.copies = COUNT_ABREAST, def.precision = SN_PRECISION_FLOAT;
    sn_world *w = sn_world_create(&def, NULL);
    assert_int_equal(sn_world_add(w, model, NULL), 0);
    const uint64_t before = sn_world_hash(w);
    double q[MAX_NQ];
    assert_int_equal(sn_world_get(w, 0, SN_FIELD_Q, last, 1, q), SN_OK);
    for (int back = 0; back < 2; back++) {
        q[nq - 1] = back ? 0 : 1e-40; /* a hinge, by the smallest of floats */
        assert_int_equal(sn_world_set(w, 0, SN_FIELD_Q, last, 1, q), SN_OK);
        assert_true((sn_world_hash(w) == before) == back);
    }
    sn_world_free(w);
    sn_model_free(model);
}

int main(void) {
    const char *cap = getenv("SINEW_ISA");
    for (int level = 0; level < COUNT(instruction_sets); level++) /* ignore other words */
        if (cap && strcmp(cap, instruction_sets[level]) == 0) strcpy(cap_text, cap);
    return run_all("determinism");
}
