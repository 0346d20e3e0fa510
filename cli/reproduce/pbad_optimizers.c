/* pbad-2018 figures 3a to 3c: iterations and time of a step, by optimiser and number of links, dt = 0.05 s; and what the
 * sweep in linear time takes for any number of links and any step. */
#include "experiment.h"
#include "need.h"
#include "pbad_chain.h"
#include "progress.h"
#include "terminal.h"
#include "timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 6, KINDS = 7, DTS = 4, CHAINS = 4 };
enum { CLAMPED, LM_SWEEP, LM_5, LM_7, LBFGS_5, LBFGS_7, MIRRORED };

static const int sizes[SIZES] = {10, 20, 40, 100, 200, 400};

static const struct {
    const char *name;
    sn_position_solver solver;
    sn_position_hessian hessian;
    bool squares;
    int most_links, steps; /* tried; of few, as some take long */
} kinds[KINDS] = {
    {"clamped sweep", SN_POSITION_SOLVER_NEWTON, SN_POSITION_HESSIAN_CLAMPED, false, 400, 200},
    {"LM, sweep (eq. 5)", SN_POSITION_SOLVER_LM_SWEEP, SN_POSITION_HESSIAN_GAUSS_NEWTON, false, 400, 200},
    {"LM, dense (eq. 5)", SN_POSITION_SOLVER_LM_DENSE, SN_POSITION_HESSIAN_GAUSS_NEWTON, false, 100, 40},
    {"LM, dense (eq. 7)", SN_POSITION_SOLVER_LM_DENSE, SN_POSITION_HESSIAN_GAUSS_NEWTON, true, 40, 40},
    {"L-BFGS (eq. 5)", SN_POSITION_SOLVER_LBFGS, SN_POSITION_HESSIAN_GAUSS_NEWTON, false, 100, 40},
    {"L-BFGS (eq. 7)", SN_POSITION_SOLVER_LBFGS, SN_POSITION_HESSIAN_GAUSS_NEWTON, true, 10, 40},
    {"mirrored sweep", SN_POSITION_SOLVER_NEWTON, SN_POSITION_HESSIAN_MIRRORED, false, 400, 200},
};

struct effort {
    double iterations, ms;
    int unsolved;
    bool tried;
};

struct efforts {
    struct effort of[2][SIZES][KINDS]; /* to 1e-4, to 1e-8 */
    double sweep[2][CHAINS][DTS];      /* iterations: universal, ball */
    int unsolved;
    double us[2][4], maba[2][4]; /* an iteration and a MABA solve, by joint and number of links */
};

/* Links of 0.3 m, half a radian from end to end. */
static struct chain_shape chain_of(int links, bool ball) {
    return (struct chain_shape){links, ball, 0.3, 0.05, 0.5 / links};
}

static void measure(const struct chain_shape *shape, const sn_position_def *def, int steps,
                    struct effort *effort) {
    struct chain c;
    chain_open_position(&c, shape, def);
    double spent = 0;
    *effort = (struct effort){.tried = true};
    for (int i = 0; i < steps && !interrupted(); i++) {
        const double start = clock_seconds();
        if (sn_position_step(c.position, &c.report)) effort->unsolved++;
        spent += clock_seconds() - start;
        effort->iterations += (double)c.report.iterations / steps;
        effort->unsolved += !c.report.converged;
    }
    effort->ms = 1000 * spent / steps;
    chain_close(&c);
}

/* ----------------------------------------------------------------------------------------------- figures 3a to 3c */

static void compare(int t, int size, int kind, bool quick, struct efforts *e, struct result *result) {
    sn_position_def def = sn_position_def_default();
    def.lanes = "f64";
    def.dt = 0.05;
    def.tolerance = t ? 1e-8 : 1e-4;
    def.solver = kinds[kind].solver;
    def.hessian = kinds[kind].hessian;
    def.squares = kinds[kind].squares;
    def.most = quick ? 200 : 5000;
    struct effort *effort = &e->of[t][size][kind];
    const struct chain_shape shape = chain_of(sizes[size], false);
    measure(&shape, &def, quick ? 2 : kinds[kind].steps, effort);
    add_row(result, "figures 3a to 3c: dt = 0.05 s", {"tolerance", number(def.tolerance)},
            {"links", number(sizes[size])}, {"optimiser", text(kinds[kind].name)},
            {"iterations", number(effort->iterations)}, {"ms_per_step", number(effort->ms)},
            {"unsolved", number(effort->unsolved)});
}

/* To 1e-8 only what gets there in reasonable time. */
static bool is_tried(int t, int size, int kind, bool quick) {
    if (quick && sizes[size] > 20) return false;
    if (kinds[kind].solver == SN_POSITION_SOLVER_LBFGS && (t || !sn_built_with("lbfgs"))) return false;
    if (t && kind != CLAMPED && kind != MIRRORED) return false;
    return sizes[size] <= kinds[kind].most_links;
}

static void compare_all(bool quick, struct efforts *e, struct result *result) {
    for (int t = 0; t < 2; t++)
        for (int size = 0; size < SIZES; size++)
            for (int kind = 0; kind < KINDS; kind++) {
                if (interrupted() || !is_tried(t, size, kind, quick)) continue;
                progress_step("%s, %d links", kinds[kind].name, sizes[size]);
                compare(t, size, kind, quick, e, result);
            }
}

/* ------------------------------------------------------------------------------------------- any size, any step */

static const int chain_links[CHAINS] = {10, 40, 100, 400};
static const double dts[DTS] = {0.001, 0.008, 0.05, 0.128};

static void count_iterations(bool quick, struct efforts *e, struct result *result) {
    for (int i = 0; i < 2 * CHAINS; i++) {
        const int ball = i / CHAINS, n = i % CHAINS, links = chain_links[n];
        if (interrupted() || (quick && links > 40)) continue;
        progress_step("%d links, %s joints", links, ball ? "ball" : "universal");
        for (int k = 0; k < DTS; k++) {
            struct effort effort;
            sn_position_def def = sn_position_def_default();
            const struct chain_shape shape = chain_of(links, ball);
            int steps = (int)(10 / dts[k]);
            if (steps > 40000 / links) steps = 40000 / links;
            def.lanes = "f64";
            def.dt = dts[k];
            def.most = 1000;
            measure(&shape, &def, quick ? 10 : steps, &effort);
            e->sweep[ball][n][k] = effort.iterations;
            e->unsolved += effort.unsolved;
        }
        add_row(result, "iterations of the mirrored sweep to 1e-8, by step",
                {"joints", text(ball ? "ball" : "universal")}, {"links", number(links)},
                {"dt_0.001", number(e->sweep[ball][n][0])}, {"dt_0.008", number(e->sweep[ball][n][1])},
                {"dt_0.05", number(e->sweep[ball][n][2])}, {"dt_0.128", number(e->sweep[ball][n][3])});
    }
}

/* ---------------------------------------------------------------------------------------- what an iteration costs */

struct race {
    sn_position *few, *many;
    sn_dynamics *dynamics;
    sn_drive drive;
    double *q, *qd, *start_q, *start_qd;
    int nq, nv;
    double us[3]; /* least */
};

enum { FEW = 2, MANY = 12, SOLVES = 10 };

/* Steps of two and of twelve sweeps from the same start: the difference is ten sweeps and nothing else. */
static void run_race(struct race *r) {
    for (int i = 0; i < 2; i++) {
        sn_position *p = i ? r->many : r->few;
        sn_position_start(p, r->start_q, r->start_qd, false);
        const double start = clock_seconds();
        sn_position_step(p, NULL);
        r->us[i] = fmin(r->us[i], 1e6 * (clock_seconds() - start));
    }
    memcpy(r->q, r->start_q, (size_t)r->nq * sizeof *r->q);
    memcpy(r->qd, r->start_qd, (size_t)r->nv * sizeof *r->qd);
    const double start = clock_seconds();
    sn_dynamics_step(r->dynamics, &r->drive, SOLVES, r->q, r->qd, NULL, NULL);
    r->us[2] = fmin(r->us[2], 1e6 * (clock_seconds() - start));
}

static void open_race(struct race *r, const sn_model *model, const struct chain_shape *shape) {
    sn_error error = {0};
    sn_position_def def = sn_position_def_default();
    sn_dynamics_def dynamics = sn_dynamics_def_default();
    def.lanes = dynamics.lanes = "f64";
    def.dt = dynamics.dt = 1e-3;
    def.solver = SN_POSITION_SOLVER_SWEEPS;
    def.hessian = SN_POSITION_HESSIAN_CLAMPED;
    def.sweeps = FEW;
    *r = (struct race){.nq = sn_model_get(model)->nq, .nv = sn_model_get(model)->nv};
    r->few = sn_position_create(model, &def, &error);
    def.sweeps = MANY;
    r->many = sn_position_create(model, &def, &error);
    need(r->few && r->many, &error);
    r->dynamics = need_dynamics(model, &dynamics);
    r->us[0] = r->us[1] = r->us[2] = (double)INFINITY;
    const size_t nq = (size_t)r->nq, nv = (size_t)r->nv;
    r->q = need_memory(NULL, (2 * nq + 4 * nv) * sizeof *r->q);
    r->start_q = r->q + nq, r->qd = r->start_q + nq, r->start_qd = r->qd + nv;
    double *kp = r->start_qd + nv, *kd = kp + nv;
    for (size_t v = 0; v < nv; v++)
        r->start_qd[v] = 0.3, kp[v] = 10, kd[v] = 1;
    chain_pose(model, shape->bend, r->start_q);
    r->drive = (sn_drive){.kp = kp, .kd = kd, .target_q = r->start_q};
}

static void close_race(struct race *r) {
    sn_position_free(r->few);
    sn_position_free(r->many);
    sn_dynamics_free(r->dynamics);
    free(r->q);
}

static void time_iterations(bool quick, struct efforts *e, struct result *result) {
    static const int links[4] = {20, 100, 200, 400};
    for (int i = 0; i < 8 && !interrupted(); i++) {
        const int ball = i / 4, n = i % 4;
        const struct chain_shape shape = chain_of(ball ? links[n] * 2 / 3 : links[n], ball);
        sn_model *model = chain_model(&shape);
        struct race race;
        progress_step("what an iteration costs, %d links", shape.links);
        open_race(&race, model, &shape);
        for (int k = 0; k < (quick ? 5 : 200); k++)
            run_race(&race);
        e->us[ball][n] = (race.us[1] - race.us[0]) / (MANY - FEW);
        e->maba[ball][n] = race.us[2] / SOLVES;
        add_row(result, "an iteration of the clamped sweep beside a MABA solve, scalar double",
                {"joints", text(ball ? "ball" : "universal")}, {"dofs", number(race.nv)},
                {"us_iteration", number(e->us[ball][n])}, {"us_maba", number(e->maba[ball][n])},
                {"ratio", number(e->us[ball][n] / e->maba[ball][n])});
        close_race(&race);
        sn_model_free(model);
    }
}

/* ------------------------------------------------------------------------------------------------------- claims */

static double ratio(const struct effort *a, const struct effort *b) {
    return a->tried && b->tried ? a->iterations / b->iterations : (double)NAN;
}

/* Largest over smallest number of iterations, over the sizes tried from 10 to 40 or to all. */
static double dependence(const struct efforts *e, int t, int kind, int most_links) {
    double least = (double)INFINITY, most = 0;
    for (int i = 0; i < SIZES && sizes[i] <= most_links; i++) {
        if (!e->of[t][i][kind].tried) continue;
        least = fmin(least, e->of[t][i][kind].iterations);
        most = fmax(most, e->of[t][i][kind].iterations);
    }
    return most / least;
}

static double most_of(const double x[CHAINS][DTS]) {
    double most = 0;
    for (int i = 0; i < CHAINS; i++)
        for (int k = 0; k < DTS; k++)
            most = fmax(most, x[i][k]);
    return most;
}

static double dearest(const struct efforts *e, int ball) {
    double most = 0;
    for (int n = 0; n < 4; n++)
        most = fmax(most, e->us[ball][n] / e->maba[ball][n]);
    return most;
}

static void put_claims(const struct efforts *e, bool quick, struct result *result) {
    const struct effort(*of)[KINDS] = e->of[0];
    if (sn_built_with("lbfgs")) {
        add_claims(result,
                   {between(5, 20, FROM_PAPER), number(10), number(ratio(&of[0][LBFGS_5], &of[0][LM_5])),
                    "3a: L-BFGS takes about 10 times the iterations of LM, 10 links, eq. 5: times, within a "
                    "factor of 2"});
        if (!quick)
            add_claims(result, {between(5, 20, FROM_PAPER), number(10),
                                number(ratio(&of[2][LBFGS_5], &of[2][LM_5])), "3b: the same, 40 links"});
        add_claims(result, {at_least(1, FROM_PAPER), none(), number(ratio(&of[0][LBFGS_7], &of[0][LBFGS_5])),
                            "3a: eq. 7 takes more iterations than eq. 5, L-BFGS, 10 links: times"});
    }
    add_claims(
        result,
        {at_least(1, FROM_PAPER), none(), number(ratio(&of[0][LM_7], &of[0][LM_5])), "3a: and LM: times"},
        {at_most(2, FROM_PAPER), number(1), number(dependence(e, 0, LM_5, 40)),
         "3a, 3b: iterations of LM do not depend on the number of links, 10 to 40, to 1e-4: most over least, "
         "of 2 granted"});
    if (sn_built_with("lbfgs"))
        add_claims(result, {at_most(2, FROM_PAPER), number(1), number(dependence(e, 0, LBFGS_5, 40)),
                            "3a, 3b: nor do those of L-BFGS"});
    add_claims(
        result,
        {at_most(2, FROM_PROMISE), none(), number(dependence(e, 1, CLAMPED, 400)),
         "the clamped sweep: 10 to 400 links, to 1e-8: most over least"},
        {at_most(3, FROM_PROMISE), none(), number(most_of(e->sweep[0])),
         "the sweep takes 3 iterations to 1e-8 on average, universal joints, dt from 0.001 to 0.128 s: most"},
        {at_most(5, FROM_PROMISE), none(), number(most_of(e->sweep[1])),
         "and 5 on chains of ball joints: most"},
        {exactly(0, FROM_PROMISE), none(), number(e->unsolved), "steps of those left unsolved"},
        {at_most(1.3, FROM_PROMISE), none(), number(dearest(e, 0)),
         "an iteration costs as much as 1.3 MABA solves, universal joints: most"},
        {at_most(1.3, FROM_PROMISE), none(), number(dearest(e, 1)), "and ball joints: most"},
        {at_most(4.3, FROM_PROMISE), none(), number(e->us[0][3] / e->us[0][1]),
         "and grows with the number of links, 200 to 800 degrees of freedom: times"});
}

bool run_pbad_optimizers(const struct run_settings *settings, struct result *result) {
    struct efforts e = {0};
    add_settings(
        result,
        {"chains", text("links of 0.3 m, radius 0.05 m, from rest, bent by half a radian from end to end; "
                        "universal joints where nothing else is said; not printed in the paper")},
        {"steps", text("200 from the start, 40 for the paper's optimisers; for iterations by step 10 s or "
                       "40000 links' steps")},
        {"start", text("joints extrapolated from the last two or three poses: from the last pose alone all "
                       "take several times the iterations")},
        {"tolerance", text("of weight times length; the paper prints none")},
        {"liblbfgs", flag(sn_built_with("lbfgs"))});
    progress_start("pbad/optimizers", 62);
    compare_all(settings->quick, &e, result);
    count_iterations(settings->quick, &e, result);
    time_iterations(settings->quick, &e, result);
    if (interrupted()) return true;
    put_claims(&e, settings->quick, result);
    result_close(result,
                 "%d of %d claims hold. To 1e-4 LM takes %.0f iterations of O(n^3) on 10 links and %.0f on "
                 "40, the clamped sweep %.1f and %.1f of O(n). How many more L-BFGS takes than LM hangs on "
                 "the tolerance, which the paper does not print.",
                 result_held(result), result->nclaim, e.of[0][0][LM_5].iterations,
                 e.of[0][2][LM_5].iterations, e.of[0][0][CLAMPED].iterations, e.of[0][2][CLAMPED].iterations);
    return true;
}
