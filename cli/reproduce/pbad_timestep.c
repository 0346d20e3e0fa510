/* pbad-2018 figures 2c and 3d: what 10 s of a 10-link chain cost, by the size of the step.
 *
 * The paper's solver and its semi-implicit Euler both factor matrices. Here the paper's way, Levenberg-Marquardt with a
 * dense system, stands beside Euler with a dense solve, and the sweep in linear time beside Euler with the articulated-body
 * algorithm: what a step of PBAD costs more depends on what it is compared with. */
#include "experiment.h"
#include "need.h"
#include "pbad_chain.h"
#include "progress.h"
#include "terminal.h"
#include "timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 11, WAYS = 5, SMALL = 0, LARGEST_EULER = 2, FAST = 9 };
enum { ABA, DENSE_EULER, SWEEP_4, SWEEP_8, LM };

static const double dts[STEPS] = {0.001, 0.002, 0.0025, 0.004, 0.008, 0.016, 0.025, 0.032, 0.04, 0.05, 0.128};
static const char *const way_names[WAYS] = {"semi-implicit Euler, articulated bodies",
                                            "semi-implicit Euler, dense solve", "PBAD-2, sweeps to 1e-4",
                                            "PBAD-2, sweeps to 1e-8", "PBAD-2, LM dense to 1e-4"};
static const struct chain_shape shape = {10, false, 1, 0.25, 0.05};

struct cost {
    double us;         /* a step */
    double iterations; /* as above */
    double lost;       /* s; NAN: never */
};

struct costs {
    struct cost at[STEPS][WAYS];
};

/* Euler's 10 s, or as far as they come. */
static void time_euler(bool dense, double dt, double seconds, struct cost *cost) {
    sn_model *model = chain_model(&shape);
    sn_dynamics_def def = sn_dynamics_def_default();
    def.dt = dt;
    def.lanes = "f64";
    def.solver = dense ? SN_SOLVER_DENSE : SN_SOLVER_MABA;
    sn_dynamics *dynamics = need_dynamics(model, &def);
    double *q = need_memory(NULL, (size_t)(sn_model_get(model)->nq + sn_model_get(model)->nv) * sizeof *q);
    double *qd = q + sn_model_get(model)->nq;
    const int steps = (int)lround(seconds / dt), each = 50;
    chain_pose(model, shape.bend, q);
    memset(qd, 0, (size_t)sn_model_get(model)->nv * sizeof *qd);
    *cost = (struct cost){.us = (double)INFINITY, .lost = (double)NAN};
    for (int i = 0; i + each <= steps && isnan(cost->lost); i += each) {
        const double start = clock_seconds();
        if (sn_dynamics_step(dynamics, NULL, each, q, qd, NULL, NULL)) cost->lost = i * dt;
        cost->us = fmin(cost->us, 1e6 * (clock_seconds() - start) / each);
    }
    free(q);
    sn_dynamics_free(dynamics);
    sn_model_free(model);
}

/* The steps all differ, and each has a least time of several runs; their sum counts. */
static void time_position(int way, double dt, double seconds, int repetitions, struct cost *cost) {
    const int steps = (int)lround(seconds / dt);
    double *least = need_memory(NULL, (size_t)steps * sizeof *least), sum = 0;
    sn_position_def def = sn_position_def_default();
    def.lanes = "f64";
    def.dt = dt;
    def.tolerance = way == SWEEP_8 ? 1e-8 : 1e-4;
    if (way == LM) def.solver = SN_POSITION_SOLVER_LM_DENSE;
    *cost = (struct cost){.lost = (double)NAN};
    for (int r = 0; r < repetitions && !interrupted(); r++) {
        struct chain c;
        double iterations = 0;
        chain_open_position(&c, &shape, &def);
        for (int i = 0; i < steps && isnan(cost->lost); i++) {
            const double start = clock_seconds();
            const bool fine = sn_position_step(c.position, &c.report) == SN_OK;
            const double spent = clock_seconds() - start;
            least[i] = r ? fmin(least[i], spent) : spent;
            if (!fine) cost->lost = i * dt;
            iterations += c.report.iterations;
        }
        cost->iterations = iterations / steps;
        chain_close(&c);
    }
    for (int i = 0; i < steps; i++)
        sum += least[i];
    cost->us = 1e6 * sum / steps;
    free(least);
}

static double total_ms(const struct costs *c, int step, int way) {
    const struct cost *cost = &c->at[step][way];
    return isnan(cost->lost) ? cost->us * 10 / dts[step] / 1000 : (double)INFINITY;
}

static void put_row(const struct costs *c, int step, int way, struct result *result) {
    const struct cost *cost = &c->at[step][way];
    add_row(
        result, "figures 2c and 3d: a 10-link chain for 10 s", {"dt", number(dts[step])},
        {"method", text(way_names[way])}, {"lost_after_s", isnan(cost->lost) ? none() : number(cost->lost)},
        {"us_per_step", number(cost->us)}, {"iterations", way >= SWEEP_4 ? number(cost->iterations) : none()},
        {"total_ms", number(total_ms(c, step, way))});
}

/* Largest over smallest time of a step. */
static double spread(const struct costs *c, int way) {
    double least = (double)INFINITY, most = 0;
    for (int i = 0; i < STEPS; i++) {
        least = fmin(least, c->at[i][way].us);
        most = fmax(most, c->at[i][way].us);
    }
    return most / least;
}

static void put_claims(const struct costs *c, struct result *result) {
    const double aba = total_ms(c, LARGEST_EULER, ABA), dense = total_ms(c, LARGEST_EULER, DENSE_EULER);
    add_claims(result,
               {between(1.5, 2.1, FROM_PAPER), number(2.1), number(total_ms(c, LARGEST_EULER, LM) / dense),
                "2c: the paper's way against a dense solve, both at 0.0025 s: times slower"},
               {between(1.5, 2.1, FROM_PAPER), number(2.1), number(total_ms(c, LARGEST_EULER, SWEEP_4) / aba),
                "2c: the sweep against articulated bodies, both at 0.0025 s: times slower"},
               {at_most(0.25, FROM_PAPER), number(0.21), number(total_ms(c, FAST, SWEEP_4) / aba),
                "2c: 0.05 s against 0.0025 s of semi-implicit Euler, sweeps to 1e-4: part of its time"},
               {at_most(0.5, FROM_PAPER), number(0.21), number(total_ms(c, FAST, SWEEP_8) / aba),
                "2c: the same to 1e-8, of half granted: part of its time"},
               {at_most(2, FROM_PAPER), none(), number(spread(c, SWEEP_4)),
                "3d: the time of a step hardly depends on dt from 0.001 to 0.128 s: sweeps to 1e-4, largest "
                "over smallest, of 2 granted"},
               {at_most(2, FROM_PAPER), none(), number(spread(c, SWEEP_8)), "3d: the same to 1e-8"});
    double lost = 0;
    for (int i = 0; i < STEPS; i++)
        lost += !isnan(c->at[i][SWEEP_4].lost) + !isnan(c->at[i][SWEEP_8].lost);
    add_claims(result, {exactly(0, FROM_PAPER), number(0), number(lost),
                        said("PBAD-2 is stable at every step: runs lost, of %d", 2 * STEPS)});
}

bool run_pbad_timestep(const struct run_settings *settings, struct result *result) {
    struct costs c;
    const double seconds = settings->quick ? 0.3 : 10;
    add_settings(result,
                 {"chain", text("10 links of 1 m, radius 0.25 m, universal joints, bent by 0.05 rad a joint; "
                                "not printed in the paper")},
                 {"lanes", text("f64, one chain: what a single core does for a single character")},
                 {"seconds", number(seconds)}, {"LM", text("over a tenth of the time: it takes long")},
                 {"total_ms", text("of 10 s; infinite where the run is lost")});
    progress_start("pbad/timestep", STEPS * WAYS);
    for (int i = 0; i < STEPS * WAYS; i++) {
        const int step = i / WAYS, way = i % WAYS;
        if (interrupted()) return true;
        progress_step("%s, dt = %g", way_names[way], dts[step]);
        struct cost *cost = &c.at[step][way];
        if (way < SWEEP_4)
            time_euler(way == DENSE_EULER, dts[step], seconds, cost);
        else
            time_position(way, dts[step], way == LM ? seconds / 10 : seconds, settings->quick ? 1 : 5, cost);
        put_row(&c, step, way, result);
    }
    put_claims(&c, result);
    result_close(
        result,
        "%d of %d claims hold. At 0.05 s the sweep takes %.2f of the time of semi-implicit Euler at 0.0025 "
        "s. At the same step it takes %.1f times as long, as a step is %.1f sweeps and one of Euler's a "
        "single one; the paper's 1.5 to 2.1 would need an iteration to cost less than its baseline's step. "
        "The paper's own way, with its dense system, takes %.0f times as long as Euler with a dense solve.",
        result_held(result), result->nclaim, total_ms(&c, FAST, SWEEP_4) / total_ms(&c, LARGEST_EULER, ABA),
        total_ms(&c, LARGEST_EULER, SWEEP_4) / total_ms(&c, LARGEST_EULER, ABA),
        c.at[LARGEST_EULER][SWEEP_4].iterations + 1,
        total_ms(&c, LARGEST_EULER, LM) / total_ms(&c, LARGEST_EULER, DENSE_EULER));
    return true;
}
