/* Many trajectories at once: the same bits as alone, the same motion as one character's steps, nothing lost on the way. */
#include "position_helpers.h"

#include <sinew/studies.h>

enum { COUNT_OF = 13, STEPS = 12 };

struct starts {
    sn_model *model;
    int nq, nv;
    double *q, *qd; /* [COUNT_OF][nq], [nv] */
};

/* Calm and wild ones, so that their steps take unlike numbers of sweeps. */
static struct starts make_starts(sn_model *model) {
    struct starts s = {.model = model, .nq = model->nq, .nv = model->nv};
    struct rng rng = {7};
    s.q = calloc((size_t)(COUNT_OF * s.nq), sizeof *s.q);
    s.qd = calloc((size_t)(COUNT_OF * s.nv), sizeof *s.qd);
    for (int i = 0; i < COUNT_OF; i++)
        random_state(&rng, model, 0.1, i % 4 ? 0.1 : 6, s.q + i * s.nq, s.qd + i * s.nv);
    return s;
}

static void free_starts(struct starts *s) {
    free(s->q);
    free(s->qd);
    sn_model_free(s->model);
}

static sn_model *chain_of(int links, sn_joint_type joint, bool free_root) {
    const struct rods chain = {links, joint, 0.3, 0.05, free_root};
    return links_model(&chain);
}

struct outcome {
    double *q, *qd, *path;
    int32_t sweeps[COUNT_OF];
    sn_trajectories_report report;
};

static void free_outcome(struct outcome *o) {
    free(o->q);
    free(o->qd);
    free(o->path);
}

/* `count` trajectories from the first of the starts on. */
static struct outcome run_them(const struct starts *s, const sn_trajectories_def *def, int first, int count,
                               const sn_trajectories_run *what) {
    sn_error error;
    struct outcome o = {.q = malloc((size_t)(count * s->nq) * sizeof *o.q),
                        .qd = malloc((size_t)(count * s->nv) * sizeof *o.qd),
                        .path = malloc((size_t)(count * STEPS * s->nq) * sizeof *o.path)};
    sn_trajectories *t = sn_trajectories_create(s->model, def, &error);
    if (!t) fail_msg("%s", error.message);
    sn_trajectories_run run = what ? *what : (sn_trajectories_run){0};
    run.count = count, run.steps = STEPS, run.path = o.path, run.sweeps = o.sweeps;
    memcpy(o.q, s->q + first * s->nq, (size_t)(count * s->nq) * sizeof *o.q);
    memcpy(o.qd, s->qd + first * s->nv, (size_t)(count * s->nv) * sizeof *o.qd);
    assert_int_equal(sn_trajectories_go(t, &run, o.q, o.qd, &o.report), SN_OK);
    sn_trajectories_free(t);
    return o;
}

static sn_trajectories_def plain_def(void) {
    sn_trajectories_def def = sn_trajectories_def_default();
    def.dt = 0.02;
    return def;
}

TEST(a_trajectory_has_the_same_bits_alone_waiting_and_on_threads) {
    for (int kind = 0; kind < 4; kind++) {
        struct starts s = make_starts(chain_of(5, kind % 2 ? SN_JOINT_BALL : SN_JOINT_UNIVERSAL, kind >= 2));
        sn_trajectories_def def = plain_def();
        if (kind == 1) def.precision = SN_PRECISION_FLOAT, def.tolerance = 1e-4;
        if (kind == 2) def.method = SN_POSITION_METHOD_BDF2;
        struct outcome all = run_them(&s, &def, 0, COUNT_OF, NULL);
        for (int other = 0; other < 2; other++) {
            sn_trajectories_def changed = def;
            changed.wait = other == 0;
            changed.threads = other == 0 ? 1 : 3;
            struct outcome o = run_them(&s, &changed, 0, COUNT_OF, NULL);
            assert_memory_equal(o.q, all.q, (size_t)(COUNT_OF * s.nq) * sizeof *o.q);
            assert_memory_equal(o.qd, all.qd, (size_t)(COUNT_OF * s.nv) * sizeof *o.qd);
            assert_memory_equal(o.path, all.path, (size_t)(COUNT_OF * STEPS * s.nq) * sizeof *o.path);
            assert_int_equal(o.report.sweeps, all.report.sweeps);
            if (other == 0) assert_true(o.report.ticks >= all.report.ticks);
            free_outcome(&o);
        }
        for (int i = 0; i < COUNT_OF; i++) {
            struct outcome alone = run_them(&s, &def, i, 1, NULL);
            assert_memory_equal(alone.q, all.q + i * s.nq, (size_t)s.nq * sizeof *alone.q);
            assert_memory_equal(alone.qd, all.qd + i * s.nv, (size_t)s.nv * sizeof *alone.qd);
            assert_int_equal(alone.sweeps[0], all.sweeps[i]);
            free_outcome(&alone);
        }
        free_outcome(&all);
        free_starts(&s);
    }
}

/* The stepper of one character is another program over the same kernels. */
TEST(trajectories_are_those_of_one_character) {
    struct worst worst = {0};
    for (int kind = 0; kind < 4; kind++) {
        struct starts s = make_starts(chain_of(4, kind % 2 ? SN_JOINT_BALL : SN_JOINT_UNIVERSAL, kind >= 2));
        sn_trajectories_def def = plain_def();
        def.method = kind == 3 ? SN_POSITION_METHOD_BDF2 : SN_POSITION_METHOD_PBAD2;
        def.tolerance = 1e-11;
        struct outcome all = run_them(&s, &def, 0, COUNT_OF, NULL);
        struct sn__position *p = position_of(s.model, (enum sn__position_method)def.method, def.dt, 1e-11);
        for (int i = 0; i < COUNT_OF; i++) {
            double q[MAX_NQ], qd[MAX_NV], d[MAX_NV];
            sn__position_start(p, s.q + i * s.nq, s.qd + i * s.nv);
            for (int k = 0; k < STEPS; k++)
                position_step(p);
            sn__position_state(p, q, qd);
            sn_model_pose_subtract(s.model, 1, q, all.q + i * s.nq, d);
            worst_add(&worst, norm(d, s.nv), "chain %d, trajectory %d: poses", kind, i);
            for (int v = 0; v < s.nv; v++)
                d[v] = 0.01 * (qd[v] - all.qd[i * s.nv + v]);
            worst_add(&worst, norm(d, s.nv), "chain %d, trajectory %d: velocities", kind, i);
        }
        sn__position_free(p);
        free_outcome(&all);
        free_starts(&s);
    }
    assert_worst(&worst, 1e-6, "difference from the steps of one character");
}

/* Every trajectory has targets of its own, new ones at every step. */
TEST(trajectories_follow_their_own_targets) {
    struct starts s = make_starts(chain_of(4, SN_JOINT_BALL, false));
    double kp[MAX_NV], kd[MAX_NV];
    sn_gains_uniform(s.model, 0, 0, 4e4, 2e3, kp, kd);
    double *target = malloc((size_t)(COUNT_OF * STEPS * s.nq) * sizeof *target);
    for (int i = 0; i < COUNT_OF; i++)
        for (int k = 0; k < STEPS; k++)
            bend(s.model, 0.02 * i + 0.01 * k, target + (i * STEPS + k) * s.nq);
    sn_trajectories_def def = plain_def();
    const sn_trajectories_run run = {.kp = kp, .kd = kd, .target = target};
    struct outcome all = run_them(&s, &def, 0, COUNT_OF, &run);
    struct sn__position *p = position_of(s.model, SN__PBAD2, def.dt, 1e-8);
    sn__position_set_gains(p, kp, kd);
    for (int i = 0; i < COUNT_OF; i++) {
        double q[MAX_NQ], d[MAX_NV];
        p->args.target_q[0] = NULL;
        sn__position_start(p, s.q + i * s.nq, s.qd + i * s.nv);
        for (int k = 0; k < STEPS; k++) {
            assert_int_equal(sn__position_set_target(p, 0, target + (i * STEPS + k) * s.nq, NULL), SN_OK);
            position_step(p);
        }
        sn__position_state(p, q, NULL);
        sn_model_pose_subtract(s.model, 1, q, all.q + i * s.nq, d);
        if (!(norm(d, s.nv) < 1e-5)) fail_msg("trajectory %d is off by %g", i, norm(d, s.nv));
    }
    sn__position_free(p);
    free(target);
    free_outcome(&all);
    free_starts(&s);
}

TEST(what_is_lost_stays_where_it_was_and_harms_no_other) {
    struct starts s = make_starts(chain_of(3, SN_JOINT_UNIVERSAL, true));
    sn_trajectories_def def = plain_def();
    def.method = SN_POSITION_METHOD_BDF2;
    struct outcome all = run_them(&s, &def, 0, COUNT_OF, NULL);
    for (int k = 0; k < 3; k++) /* of the root: soon its places round by more than forces have numbers for */
        s.qd[5 * s.nv + k] = 1e308;
    sn_trajectories *t = sn_trajectories_create(s.model, &def, NULL);
    const size_t nq = (size_t)(COUNT_OF * s.nq), nv = (size_t)(COUNT_OF * s.nv);
    double *q = malloc(nq * sizeof *q), *qd = malloc(nv * sizeof *qd);
    memcpy(q, s.q, nq * sizeof *q);
    memcpy(qd, s.qd, nv * sizeof *qd);
    sn_trajectories_report report;
    const sn_trajectories_run run = {.count = COUNT_OF, .steps = STEPS, .path = all.path};
    assert_int_equal(sn_trajectories_go(t, &run, q, qd, &report), SN_ERROR_NOT_FINITE);
    assert_int_equal(report.lost, 1);
    for (int i = 0; i < COUNT_OF; i++) {
        const double *wanted = i == 5 ? all.path + (6 * STEPS - 1) * s.nq : all.q + i * s.nq;
        assert_memory_equal(q + i * s.nq, wanted, (size_t)s.nq * sizeof *q);
        for (int k = 0; k < s.nq; k++)
            assert_true(isfinite(q[i * s.nq + k]));
    }
    sn_trajectories_free(t);
    free(q);
    free(qd);
    free_outcome(&all);
    free_starts(&s);
}

TEST(bad_input_is_refused) {
    struct starts s = make_starts(chain_of(2, SN_JOINT_UNIVERSAL, false));
    sn_error error;
    sn_trajectories_def def = plain_def();
    def.dt = 0;
    assert_null(sn_trajectories_create(s.model, &def, &error));
    assert_message_has(&error, "dt");
    def = plain_def();
    def.method = SN_POSITION_METHOD_RADAU2;
    assert_null(sn_trajectories_create(s.model, &def, &error));
    assert_int_equal(error.status, SN_ERROR_UNSUPPORTED);
    def = plain_def();
    def.hessian = SN_POSITION_HESSIAN_EXACT;
    assert_null(sn_trajectories_create(s.model, &def, &error));
    def = plain_def();
    def.lanes = "f99";
    assert_null(sn_trajectories_create(s.model, &def, &error));
    assert_null(sn_trajectories_create(NULL, &def, &error));
    def = plain_def();
    sn_trajectories *t = sn_trajectories_create(s.model, &def, &error);
    sn_trajectories_run run = {.count = 1, .steps = 1};
    assert_int_equal(sn_trajectories_go(t, NULL, s.q, s.qd, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_trajectories_go(t, &run, NULL, s.qd, NULL), SN_ERROR_ARGUMENT);
    run.target = s.q; /* and no gains */
    assert_int_equal(sn_trajectories_go(t, &run, s.q, s.qd, NULL), SN_ERROR_ARGUMENT);
    run = (sn_trajectories_run){.count = 1, .steps = 1};
    s.qd[0] = (double)NAN;
    assert_int_equal(sn_trajectories_go(t, &run, s.q, s.qd, NULL), SN_ERROR_ARGUMENT);
    run.count = 0;
    assert_int_equal(sn_trajectories_go(t, &run, s.q, s.qd, NULL), SN_OK);
    sn_trajectories_free(t);
    sn_trajectories_free(NULL);
    free_starts(&s);
}

int main(void) {
    return run_all("many trajectories");
}
