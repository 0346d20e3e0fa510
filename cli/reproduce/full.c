/* maba-2020 section 5: "articulations parameterized in full coordinates". Every body has six coordinates and joints are rows; the
 * stable PD drives are eliminated with them from the leaves, in linear time, in three ways. */
#include "full_run.h"

#include "need.h"
#include "progress.h"
#include "scenes/trees.h"
#include "terminal.h"

#include <math.h>
#include <sinew/dynamics.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { METHODS = 3 }; /* in linear time */
static const char *const method_names[METHODS] = {"coupled", "soft rows", "null space"};

struct seen {
    double qdd, tau, force, tau_float; /* worst of all models */
    double ratio, spread;              /* null space over MABA; time per body from 50 to 400 links */
    double kept, snapped;              /* m, largest gap at 1/30 */
    double momentum;                   /* relative */
};

/* -------------------------------------------------------------------------------------------------------- agreement */

static sn_model *random_model(int bodies, bool free_root, uint64_t seed) {
    sn_error error = {0};
    const struct random_tree tree = {bodies, SN_JOINT_FREE, free_root, false};
    return need_model(scene_random_tree(&tree, seed, &error), &error);
}

static void solve_reduced(const struct full_trial *t, double *qdd, double *tau) {
    sn_dynamics_def def = sn_dynamics_def_default();
    def.dt = t->run.dt;
    def.form = t->run.form;
    def.solver = SN_SOLVER_DENSE;
    sn_dynamics *d = need_dynamics(t->model, &def);
    const sn_drive drive = {.kp = t->kp, .kd = t->kd, .target_q = t->target};
    sn_dynamics_step(d, &drive, 0, t->q, t->qd, qdd, tau);
    sn_dynamics_free(d);
}

/* The worst of some random states, one line for each method. */
struct differences {
    double qdd, tau, force, qdd_float, tau_float;
};

static void compare(struct full_trial *t, bool dense, struct differences worst[METHODS]) {
    const size_t nv = (size_t)t->nv;
    double *qdd = need_memory(NULL, (2 * nv + 6 * (size_t)t->nbody) * sizeof *qdd), *tau = qdd + nv;
    double *force = tau + nv;
    solve_reduced(t, qdd, tau);
    if (dense && full_trial_go(t, SN_FULL_METHOD_KKT, SN_FULL_REPAIR_NONE))
        memcpy(force, t->force, (size_t)t->run.rows * sizeof *force);
    for (int m = 0; m < METHODS; m++) {
        struct differences *w = &worst[m];
        full_trial_go(t, (sn_full_method)m, SN_FULL_REPAIR_NONE);
        w->qdd = fmax(w->qdd, full_off(t->qdd, qdd, t->nv));
        w->tau = fmax(w->tau, full_off(t->tau, tau, t->nv));
        if (dense && m < 2) w->force = fmax(w->force, full_off(t->force, force, t->run.rows));
        t->run.precision = SN_PRECISION_FLOAT;
        const bool went = full_trial_go(t, (sn_full_method)m, SN_FULL_REPAIR_NONE);
        w->qdd_float = fmax(w->qdd_float, went ? full_off(t->qdd, qdd, t->nv) : (double)INFINITY);
        w->tau_float = fmax(w->tau_float, went ? full_off(t->tau, tau, t->nv) : (double)INFINITY);
        t->run.precision = SN_PRECISION_DOUBLE;
    }
    free(qdd);
}

static void agreement_rows(const struct run_settings *settings, struct seen *seen, struct result *result) {
    static const char *const names[] = {
        "humanoid", "dog", "snake36", "snake195", "mouse", "random tree", "random tree on the world"};
    const int states = settings->quick ? 1 : 10;
    for (int i = 0; i < 7 && !interrupted(); i++) {
        struct differences worst[METHODS] = {{0}};
        progress_step("%s", names[i]);
        for (int s = 0; s < states; s++) {
            const uint64_t seed = settings->seed + 10 * (uint64_t)s;
            struct full_trial t = full_trial_make(
                i < 5 ? need_builtin(names[i]) : random_model(60, i == 5, seed), 1, 1.0 / 240);
            t.run.accelerations = true;
            scene_random_state(t.model, 0.6, 0, seed + 1, t.target, t.qd);
            scene_random_state(t.model, 0.6, 3, seed, t.q, t.qd);
            compare(&t, s == 0 && i != 3, worst);
            t.run.dt = 1.0 / 30;
            compare(&t, false, worst);
            t.run.form = SN_FORM_FULL;
            compare(&t, false, worst);
            full_trial_free(&t);
        }
        for (int m = 0; m < METHODS; m++) {
            const struct differences *w = &worst[m];
            add_row(result, "against a dense solve in joint coordinates", {"model", text(names[i])},
                    {"method", text(method_names[m])}, {"qdd", number(w->qdd)}, {"tau", number(w->tau)},
                    {"joint_forces", m < 2 && i != 3 ? number(w->force) : none()},
                    {"qdd_float", number(w->qdd_float)}, {"tau_float", number(w->tau_float)});
            seen->qdd = fmax(seen->qdd, w->qdd), seen->tau = fmax(seen->tau, w->tau);
            seen->force = fmax(seen->force, w->force);
            if (m == SN_FULL_METHOD_SOFT_ROWS) seen->tau_float = fmax(seen->tau_float, w->tau_float);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------- cost */

enum { WAYS = METHODS + 2, MABA = METHODS, KKT };

/* Processor seconds, so that other programs do not count. */
static double processor_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Of one run of steps. */
static double time_of(struct full_trial *t, sn_dynamics *maba, int way, int steps) {
    t->run.steps = steps;
    const double start = processor_seconds();
    if (way == MABA) {
        const sn_drive drive = {.kp = t->kp, .kd = t->kd, .target_q = t->target};
        double *q = need_memory(NULL, (size_t)(t->nq + t->nv) * sizeof *q);
        memcpy(q, t->q, (size_t)t->nq * sizeof *q);
        memset(q + t->nq, 0, (size_t)t->nv * sizeof *q);
        sn_dynamics_step(maba, &drive, steps, q, q + t->nq, NULL, NULL);
        free(q);
    } else {
        t->run.method = way == KKT ? SN_FULL_METHOD_KKT : (sn_full_method)way;
        t->run.repair = way == SN_FULL_METHOD_NULL_SPACE ? SN_FULL_REPAIR_SNAP
                        : way == KKT                     ? SN_FULL_REPAIR_NONE
                                                         : SN_FULL_REPAIR_PROJECTION;
        t->run.gap = t->run.momentum = NULL;
        sn_full_go(t->model, t->q, t->qd, &t->run);
    }
    return processor_seconds() - start;
}

enum { MOST_STEPS = 160, TIMED = 10, BALLS = 2, HINGES = 6, SIZES = 4 };
static const int sizes[SIZES] = {50, 100, 200, 400};

static sn_model *timed_model(int i, char name[32]) {
    static const char *const names[] = {"humanoid", "dog"};
    if (i < BALLS) return strcpy(name, names[i]), need_builtin(names[i]);
    const int links = sizes[(i - BALLS) % SIZES];
    strcpy(name, said("%d links, %s", links, i < HINGES ? "balls" : "hinges"));
    return full_chain(links, i < HINGES ? SN_JOINT_BALL : SN_JOINT_HINGE);
}

/* The least of many runs, all models and methods in turns. The same number of steps for all sizes: what a run costs beside them
   is in proportion to the bodies, too. */
static void measure(const struct run_settings *settings, struct full_trial *t, sn_dynamics **maba,
                    double us[TIMED][WAYS]) {
    const int rounds = settings->quick ? 1 : 60;
    for (int round = 0; round < rounds && !interrupted(); round++)
        for (int i = 0; i < TIMED; i++)
            for (int way = 0; way < WAYS; way++) {
                const int steps = way == KKT                        ? 1
                                  : way < SN_FULL_METHOD_NULL_SPACE ? MOST_STEPS / 8
                                                                    : MOST_STEPS;
                if (way == KKT && (i >= BALLS || round > 2)) continue;
                us[i][way] = fmin(us[i][way], 1e6 * time_of(&t[i], maba[i], way, steps) / steps);
            }
}

static double spread_of(double us[TIMED][WAYS], int first, int way) {
    double least = INFINITY, most = 0;
    for (int i = 0; i < SIZES; i++) {
        const double each = us[first + i][way] / sizes[i];
        least = fmin(least, each), most = fmax(most, each);
    }
    return 100 * (most / least - 1);
}

static void cost_rows(const struct run_settings *settings, struct seen *seen, struct result *result) {
    struct full_trial t[TIMED];
    sn_dynamics *maba[TIMED];
    double us[TIMED][WAYS];
    char name[TIMED][32];
    progress_step("cost");
    for (int i = 0; i < TIMED; i++) {
        t[i] = full_trial_make(timed_model(i, name[i]), MOST_STEPS, 1.0 / 240);
        sn_dynamics_def def = sn_dynamics_def_default();
        def.lanes = "f64";
        maba[i] = need_dynamics(t[i].model, &def);
        for (int way = 0; way < WAYS; way++)
            us[i][way] = INFINITY;
    }
    measure(settings, t, maba, us);
    for (int i = 0; i < TIMED; i++) {
        const double ratio = us[i][SN_FULL_METHOD_NULL_SPACE] / us[i][MABA];
        add_row(result, "microseconds per step in scalar double, joints closed", {"model", text(name[i])},
                {"bodies", number(t[i].nbody)}, {"coupled", number(us[i][0])},
                {"soft_rows", number(us[i][1])}, {"null_space", number(us[i][2])},
                {"maba", number(us[i][MABA])}, {"null_over_maba", number(ratio)},
                {"dense_kkt", i < BALLS ? number(us[i][KKT]) : none()});
        seen->ratio = fmax(seen->ratio, ratio);
        full_trial_free(&t[i]);
        sn_dynamics_free(maba[i]);
    }
    for (int way = 0; way < METHODS; way++) {
        const double balls = spread_of(us, BALLS, way), hinges = spread_of(us, HINGES, way);
        add_row(result, "time per body, 50 to 400 links: most over least, %",
                {"method", text(method_names[way])}, {"balls", number(balls)}, {"hinges", number(hinges)});
        seen->spread = fmax(seen->spread, fmax(balls, hinges));
    }
}

/* ------------------------------------------------------------------------------------------------- gaps and momentum */

static const struct {
    const char *name;
    sn_full_method method;
    sn_full_repair repair;
    sn_precision precision;
} ways[] = {
    {"none", SN_FULL_METHOD_COUPLED, SN_FULL_REPAIR_NONE, SN_PRECISION_DOUBLE},
    {"kept factors, coupled", SN_FULL_METHOD_COUPLED, SN_FULL_REPAIR_PROJECTION, SN_PRECISION_DOUBLE},
    {"kept factors, soft rows", SN_FULL_METHOD_SOFT_ROWS, SN_FULL_REPAIR_PROJECTION, SN_PRECISION_DOUBLE},
    {"outward snap", SN_FULL_METHOD_NULL_SPACE, SN_FULL_REPAIR_SNAP, SN_PRECISION_DOUBLE},
    {"kept factors, float", SN_FULL_METHOD_SOFT_ROWS, SN_FULL_REPAIR_PROJECTION, SN_PRECISION_FLOAT},
    {"outward snap, float", SN_FULL_METHOD_NULL_SPACE, SN_FULL_REPAIR_SNAP, SN_PRECISION_FLOAT}};
enum { REPAIRS = sizeof ways / sizeof *ways };
static const int hertz[] = {240, 120, 60, 30};

/* In mm, over all steps of the run. */
static double gap_of(const char *model, int i, int hz, bool quick) {
    struct full_trial t = full_trial_make(need_builtin(model), (quick ? 1 : 10) * hz / 2, 1.0 / hz);
    full_trial_sines(&t, false);
    t.run.precision = ways[i].precision;
    const bool went = full_trial_go(&t, ways[i].method, ways[i].repair);
    const double gap = went ? 1e3 * t.gap : (double)NAN;
    full_trial_free(&t);
    return gap;
}

static void gap_rows(const struct run_settings *settings, struct seen *seen, struct result *result) {
    static const char *const models[] = {"humanoid", "dog", "snake195"};
    progress_step("gaps");
    for (int m = 0; m < 3; m++)
        for (int i = 0; i < REPAIRS && !interrupted(); i++) {
            double gap[4];
            for (int k = 0; k < 4; k++)
                gap[k] = gap_of(models[m], i, hertz[k], settings->quick);
            add_row(result, "largest gap of a joint in 5 s, mm", {"model", text(models[m])},
                    {"repair", text(ways[i].name)}, {"1/240", number(gap[0])}, {"1/120", number(gap[1])},
                    {"1/60", number(gap[2])}, {"1/30", number(gap[3])});
            double *worst = ways[i].repair == SN_FULL_REPAIR_SNAP ? &seen->snapped : &seen->kept;
            if (ways[i].repair && !(gap[3] <= *worst)) *worst = gap[3];
        }
}

static double length(const double x[3]) {
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static void momentum_rows(const struct run_settings *settings, struct seen *seen, struct result *result) {
    for (int i = 0; i < 4 && !interrupted(); i++)
        for (int hz = 240; hz >= 30; hz -= 210) {
            struct full_trial t =
                full_trial_make(need_builtin("humanoid"), (settings->quick ? 1 : 10) * hz / 2, 1.0 / hz);
            full_trial_sines(&t, true);
            full_trial_float(&t);
            for (int k = 0; k < 6; k++)
                t.qd[k] = 0.5;
            const bool went = full_trial_go(&t, ways[i].method, ways[i].repair);
            double change[6];
            for (int k = 0; k < 6; k++)
                change[k] = went ? t.momentum[6 + k] - t.momentum[k] : (double)NAN;
            const double linear = length(change) / length(t.momentum);
            add_row(result, "momentum of a humanoid in free space, change in 5 s",
                    {"repair", text(ways[i].name)}, {"dt", time_step(1.0 / hz)},
                    {"linear", number(length(change))}, {"of", number(length(t.momentum))},
                    {"angular", number(length(change + 3))}, {"angular_of", number(length(t.momentum + 3))});
            if (!(linear <= seen->momentum)) seen->momentum = linear;
            full_trial_free(&t);
        }
}

/* ------------------------------------------------------------------------------------------------------------ claims */

static void put_claims(const struct seen *seen, struct result *result) {
    add_claims(
        result,
        {at_most(1e-12, FROM_PROMISE), none(), number(seen->qdd),
         "accelerations of all three eliminations are those of a dense solve in joint coordinates: relative"},
        {at_most(1e-10, FROM_PROMISE), none(), number(seen->tau), "and torques: relative"},
        {at_most(1e-11, FROM_PROMISE), none(), number(seen->force),
         "forces of joints are those of a dense matrix of all bodies and joints: relative"},
        {at_most(1e-3, FROM_PROMISE), none(), number(seen->tau_float),
         "torques of soft rows in float: relative"},
        {at_most(5, FROM_PROMISE), none(), number(seen->spread),
         "the time is linear: time per body from 50 to 400 links, most over least, %"},
        {at_most(2.5, FROM_PROMISE), none(), number(seen->ratio),
         "a step in the null space costs a small multiple of MABA, both scalar"},
        {at_most(0.2, FROM_PROMISE), none(), number(seen->kept),
         "kept factors close joints at 1/30 s: largest gap, mm"},
        {at_most(0.002, FROM_PROMISE), none(), number(seen->snapped),
         "the outward snap closes them: largest gap, mm, float included"},
        {at_most(1e-12, FROM_PROMISE), none(), number(seen->momentum),
         "linear momentum stays, whatever closes the joints: relative change"});
}

bool run_maba_full(const struct run_settings *settings, struct result *result) {
    struct seen seen = {0};
    progress_start("maba/full", 7 + 3);
    add_settings(
        result, {"gains", text("root 20000/2000, joints 75000/4000; stable form, and full form at 1/30")},
        {"targets",
         text("0.4 sin(2 pi t + v) of degree of freedom v; runs start from rest, or in this motion")},
        {"projection", text("rounds with the factors of the step, until gaps are below 0.01 mm")},
        {"seed", number((double)settings->seed)});
    agreement_rows(settings, &seen, result);
    cost_rows(settings, &seen, result);
    gap_rows(settings, &seen, result);
    momentum_rows(settings, &seen, result);
    if (interrupted()) return true;
    put_claims(&seen, result);
    full_chain_rows(settings, result);
    return true;
}
