/* States of one call do not know of each other: the same bits alone, abreast, in any place and in lanes of any width. */
#include "dynamics_helpers.h"

enum { STATES = 11, STEPS = 40 };

struct setting {
    const char *name;
    sn_solver solver;
    sn_form form;
    sn_integrator integrator;
    sn_route route;
    bool limits, per_axis;
};

static const struct setting settings[] = {
    {.name = "maba"},
    {.name = "torque limits and gains by axis", .limits = true, .per_axis = true},
    {.name = "explicit", .form = SN_FORM_EXPLICIT},
    {.name = "full", .form = SN_FORM_FULL},
    {.name = "pcg", .solver = SN_SOLVER_PCG},
    {.name = "dense", .solver = SN_SOLVER_DENSE},
    {.name = "sparse", .solver = SN_SOLVER_SPARSE},
    {.name = "lapack", .solver = SN_SOLVER_LAPACK},
    {.name = "explicit Euler", .integrator = SN_EXPLICIT_EULER},
    {.name = "rk3", .integrator = SN_RK3},
    {.name = "rk4 with torque limits", .integrator = SN_RK4, .limits = true},
    {.name = "torque route", .route = SN_ROUTE_TORQUE_RNEA},
    {.name = "torque route, eq. 6", .route = SN_ROUTE_TORQUE_EQ6},
};

/* Everything that a call takes and gives, for all states; who[k] is the state that stands at place k. */
struct states {
    double q[STATES * MAX_NQ], qd[STATES * MAX_NV], target_q[STATES * MAX_NQ], target_qd[STATES * MAX_NV],
        feedforward[STATES * MAX_NV], push[STATES * 6 * MAX_NV], qdd[STATES * MAX_NV], tau[STATES * MAX_NV];
};

static void fill(struct states *s, const sn_model *model, const int *who, int count) {
    const int nq = sn_model_nq(model), nv = sn_model_nv(model), npush = 6 * sn_model_nbody(model);
    for (int k = 0; k < count; k++) {
        struct rng rng = {(uint64_t)who[k]};
        random_state(&rng, model, 0.3, 1, s->q + k * nq, s->qd + k * nv);
        random_state(&rng, model, 0.3, 0.5, s->target_q + k * nq, s->target_qd + k * nv);
        random_values(&rng, 3, s->feedforward + k * nv, nv);
        random_values(&rng, 3, s->push + k * npush, npush);
    }
}

static void run(struct states *s, const sn_model *model, const struct setting *setting,
                sn_precision precision, const char *lanes, const int *who, int count) {
    double kp[MAX_NV], kd[MAX_NV];
    struct rng rng = {99};
    paper_gains(model, kp, kd);
    if (setting->per_axis) per_axis_gains(&rng, model, kp, kd);
    if (setting->form == SN_FORM_EXPLICIT) sn_gains_uniform(model, 30, 3, 20, 0.1, kp, kd);
    sn_dynamics_def def = study_def(precision, lanes);
    def.count = count;
    def.solver = setting->solver, def.form = setting->form;
    def.integrator = setting->integrator, def.route = setting->route;
    sn_error error;
    sn_dynamics *d = sn_dynamics_create(model, &def, &error);
    if (!d) fail_msg("%s: %s", setting->name, error.message);
    if (lanes) assert_string_equal(sn_dynamics_lanes(d), lanes);
    fill(s, model, who, count);
    const sn_drive drive = {.kp = kp,
                            .kd = kd,
                            .target_q = s->target_q,
                            .target_qd = s->target_qd,
                            .feedforward = s->feedforward,
                            .push = s->push};
    assert_int_equal(sn_dynamics_step(d, &drive, STEPS, s->q, s->qd, s->qdd, s->tau), SN_OK);
    sn_dynamics_free(d);
}

static bool same(const sn_model *model, const struct states *a, int i, const struct states *b, int k) {
    const int nq = sn_model_nq(model), nv = sn_model_nv(model);
    const size_t sq = (size_t)nq * sizeof(double), sv = (size_t)nv * sizeof(double);
    return !memcmp(a->q + i * nq, b->q + k * nq, sq) && !memcmp(a->qd + i * nv, b->qd + k * nv, sv) &&
           !memcmp(a->qdd + i * nv, b->qdd + k * nv, sv) && !memcmp(a->tau + i * nv, b->tau + k * nv, sv);
}

static void compare(const sn_model *model, const char *name, const struct setting *setting) {
    static struct states abreast[2][2], other; /* by precision and fused multiply-adds */
    bool have[2][2] = {{false}};
    int who[STATES], backwards[STATES];
    for (int k = 0; k < STATES; k++)
        who[k] = k, backwards[k] = STATES - 1 - k;
    for (int i = 0; i < sn_lanes_count(); i++) {
        const sn_lanes_info *info = sn_lanes_get(i);
        if (info->width == 1 && !sn_built_strict()) continue; /* scalars round in their own way */
        struct states *first = &abreast[info->precision][info->fma];
        if (!have[info->precision][info->fma])
            run(first, model, setting, info->precision, info->name, who, STATES);
        have[info->precision][info->fma] = true;
        run(&other, model, setting, info->precision, info->name, backwards, STATES);
        for (int k = 0; k < STATES; k++)
            if (!same(model, first, backwards[k], &other, k))
                fail_msg("%s, %s, %s: state %d in place %d", name, setting->name, info->name, backwards[k],
                         k);
        for (int k = 0; k < STATES; k += 5) {
            run(&other, model, setting, info->precision, info->name, &who[k], 1);
            if (!same(model, first, k, &other, 0))
                fail_msg("%s, %s, %s: state %d alone", name, setting->name, info->name, k);
        }
    }
}

TEST(a_state_gives_the_same_bits_alone_and_abreast_on_every_model) {
    for (int index = 0; index < ZOO_COUNT; index++) {
        sn_model *model = zoo_model(index);
        compare(model, zoo_name(index), &settings[0]);
        sn_model_free(model);
    }
}

TEST(a_state_gives_the_same_bits_alone_and_abreast_with_every_setting) {
    for (int i = 0; i < COUNT(settings); i++) {
        if (settings[i].solver == SN_SOLVER_LAPACK && !sn_built_with_lapack()) continue;
        const unsigned mix = MIX_PASSIVE | MIX_MASSLESS;
        sn_model *model = mixed_model(21, settings[i].limits ? mix | MIX_LIMIT : mix);
        compare(model, "mixed", &settings[i]);
        sn_model_free(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state_gives_the_same_bits_alone_and_abreast_on_every_model),
        cmocka_unit_test(a_state_gives_the_same_bits_alone_and_abreast_with_every_setting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
