/* maba-2020 figure 1: how many dogs in canter one thread holds in real time with PD, with stable PD by dense and by
 * sparse factorization, and with MABA, each at the largest step it is stable at:
 *
 *     characters = dt / (time of one step)
 *
 * The figure's own numbers are in a picture that the text of the paper does not repeat. What it rests on is there:
 * figure 6 and section 4.1 tell which steps are stable, table 2 how many steps per second of the canter are simulated.
 * The paper's column is their product. */
#include "experiment.h"
#include "need.h"
#include "plot.h"
#include "progress.h"
#include "terminal.h"
#include "workload.h"

#include <math.h>
#include <sinew/dynamics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PD, PD_2, PD_5, PD_10, DENSE, DENSE_EQ6, SPARSE, MABA, WIDE, METHODS };
enum { STEPS = 27 };       /* 1/30, 1/60, ... halved until stable */
enum { FEWEST_SHOWN = 9 }; /* of them in the plot: 1/30 to 1/7680 */

static const struct method {
    const char *name;
    sn_form form;
    sn_solver solver;
    sn_route route;
    sn_precision precision;
    bool timed;
    double paper_dt, paper_fps; /* 0: the paper has none */
    double hertz; /* gains of this frequency and damping ratio 1, joint by joint; 0: the paper's */
} methods[METHODS] = {
    {"PD", SN_FORM_EXPLICIT, SN_SOLVER_MABA, SN_ROUTE_DIRECT, SN_PRECISION_DOUBLE, true, 0, 0, 0},
    {"PD, gains of 2 Hz", SN_FORM_EXPLICIT, SN_SOLVER_MABA, SN_ROUTE_DIRECT, SN_PRECISION_DOUBLE, false, 0, 0,
     2},
    {"PD, gains of 5 Hz", SN_FORM_EXPLICIT, SN_SOLVER_MABA, SN_ROUTE_DIRECT, SN_PRECISION_DOUBLE, false, 0, 0,
     5},
    {"PD, gains of 10 Hz", SN_FORM_EXPLICIT, SN_SOLVER_MABA, SN_ROUTE_DIRECT, SN_PRECISION_DOUBLE, false, 0,
     0, 10},
    {"dense SPD", SN_FORM_STABLE, SN_SOLVER_DENSE, SN_ROUTE_DIRECT, SN_PRECISION_DOUBLE, true, 1.0 / 120,
     6498, 0},
    {"dense SPD, torque of eq. 6", SN_FORM_STABLE, SN_SOLVER_DENSE, SN_ROUTE_TORQUE_EQ6, SN_PRECISION_FLOAT,
     false, 1.0 / 120, 6498, 0},
    {"sparse SPD", SN_FORM_STABLE, SN_SOLVER_SPARSE, SN_ROUTE_DIRECT, SN_PRECISION_DOUBLE, true, 1.0 / 120,
     8738, 0},
    {"MABA", SN_FORM_STABLE, SN_SOLVER_MABA, SN_ROUTE_DIRECT, SN_PRECISION_DOUBLE, true, 1.0 / 30, 11700, 0},
    {"MABA, crowd", SN_FORM_STABLE, SN_SOLVER_MABA, SN_ROUTE_DIRECT, SN_PRECISION_FLOAT, true, 1.0 / 30,
     11700, 0},
};

struct capacity {
    int first[METHODS];    /* the largest stable step; STEPS: none; -1: not tried */
    double error[METHODS]; /* rad, the worst of any joint there */
    double us[METHODS];    /* per character-step; NAN: not measured */
    double limit;          /* s, the step below which PD with the paper's gains should be stable */
};

static double step_at(int k) {
    return 1.0 / (30.0 * (double)(1L << k));
}

static double characters(const struct capacity *c, int m) {
    const bool stable = c->first[m] >= 0 && c->first[m] < STEPS;
    return stable ? step_at(c->first[m]) / (1e-6 * c->us[m]) : (double)NAN;
}

static const sn_lanes_info *lanes_of(int m) {
    return m == WIDE ? lanes_widest(SN_PRECISION_FLOAT)
                     : need_lanes(methods[m].precision == SN_PRECISION_FLOAT ? "f32" : "f64");
}

/* The furthest any joint is from the pose it should have: rad, and for the root's position m. `dv` has room for nv
   values. */
static double worst_error(const sn_model *model, const double *q, const double *wanted, double *dv) {
    double worst = 0;
    sn_model_pose_subtract(model, 1, q, wanted, dv);
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *info = sn_model_body(model, i);
        for (int part = 0; part < info->nv; part += 3) { /* of a free joint both halves */
            double square = 0;
            for (int k = part; k < info->nv && k < part + 3; k++)
                square += dv[info->v_index + k] * dv[info->v_index + k];
            worst = fmax(worst, sqrt(square));
        }
    }
    return worst;
}

/* The paper's, or made for the inertia of each joint: about what PD can bear. */
static void choose_gains(const sn_model *model, int m, double *kp, double *kd) {
    if (methods[m].hertz > 0)
        sn_gains_choose(model,
                        &(sn_gains_def){.struct_size = sizeof(sn_gains_def),
                                        .frequency = methods[m].hertz,
                                        .stance = SN_STANCE_NONE},
                        kp, kd, NULL);
    else
        sn_gains_uniform(model, 20000, 2000, 75000, 4000, kp, kd);
}

/* PD is an explicit step for the velocity: v' = v - dt M^-1 Kd v, which dies out while dt times the largest eigenvalue of
   M^-1 Kd stays below 2. Found by the power method where the motion starts; kp is nothing beside it at such steps. */
static double damping_limit(const sn_model *model, const sn_motion *motion) {
    const size_t nq = (size_t)sn_model_get(model)->nq, nv = (size_t)sn_model_get(model)->nv;
    double *q = need_memory(NULL, (nq + 6 * nv) * sizeof *q), *kp = q + nq, *kd = kp + nv, *v = kd + nv;
    double *tau = v + nv, *still = tau + nv, *qdd = still + nv, largest = 0;
    const sn_dynamics_def def = sn_dynamics_def_default();
    sn_dynamics *dynamics = sn_dynamics_create(model, &def, NULL);
    choose_gains(model, PD, kp, kd);
    sn_motion_sample(motion, 0, q, NULL);
    for (size_t i = 0; i < nv; i++)
        tau[i] = 0, v[i] = 1;
    if (dynamics) sn_dynamics_forward(dynamics, q, NULL, NULL, tau, still); /* what gravity does */
    for (int n = 0; n < 2000 && dynamics; n++) {
        for (size_t i = 0; i < nv; i++)
            tau[i] = kd[i] * v[i];
        sn_dynamics_forward(dynamics, q, NULL, NULL, tau, qdd);
        double size = 0;
        for (size_t i = 0; i < nv; i++)
            size = fmax(size, fabs(qdd[i] - still[i]));
        for (size_t i = 0; i < nv; i++)
            v[i] = (qdd[i] - still[i]) / size;
        largest = size;
    }
    sn_dynamics_free(dynamics);
    free(q);
    return 2 / largest;
}

/* Whether the dog tracks the canter at this step. It does not when it stops being finite or turns a joint round, 3 rad
   off, as in maba/accuracy. */
static bool tracks(const sn_model *model, const sn_motion *motion, int m, double dt, bool quick,
                   double *error) {
    const double seconds = quick ? 0.1 : 5.0;
    const long most = quick ? 20000 : 300000; /* a step too large shows after some hundred */
    const long steps = lround(fmin(seconds / dt, (double)most));
    const size_t nq = (size_t)sn_model_get(model)->nq, nv = (size_t)sn_model_get(model)->nv;
    double *q = need_memory(NULL, (2 * nq + 5 * nv) * sizeof *q), *target = q + nq, *qd = target + nq;
    double *target_qd = qd + nv, *kp = target_qd + nv, *kd = kp + nv, *dv = kd + nv;
    const sn_drive drive = {.kp = kp, .kd = kd, .target_q = target, .target_qd = target_qd};
    sn_dynamics_def def = sn_dynamics_def_default();
    def.form = methods[m].form;
    def.solver = methods[m].solver;
    def.route = methods[m].route;
    def.precision = methods[m].precision;
    def.dt = dt;
    sn_dynamics *dynamics = sn_dynamics_create(model, &def, NULL);
    bool good = dynamics != NULL;
    choose_gains(model, m, kp, kd);
    sn_motion_sample(motion, 0, q, qd);
    *error = 0;
    for (long i = 1; i <= steps && good && !interrupted(); i++) {
        sn_motion_sample(motion, (double)i * dt, target, target_qd);
        good = sn_dynamics_step(dynamics, &drive, 1, q, qd, NULL, NULL) == SN_OK;
        *error = fmax(*error, worst_error(model, q, target, dv));
        good = good && *error < 3.0;
    }
    sn_dynamics_free(dynamics);
    free(q);
    return good;
}

/* From the largest step down to the first that is stable. */
static void find_steps(const sn_model *model, const sn_motion *motion, const struct run_settings *settings,
                       struct capacity *c) {
    for (int m = 0; m < METHODS && !interrupted(); m++) {
        int k = 0;
        for (; k < STEPS && !interrupted(); k++) {
            progress_step("%s, 1/%ld s", methods[m].name, 30L << k);
            if (tracks(model, motion, m, step_at(k), settings->quick, &c->error[m])) break;
        }
        if (!interrupted()) c->first[m] = k;
    }
}

/* What a step costs, on one thread; the methods in turn. */
static bool measure(const sn_model *model, const struct run_settings *settings, struct capacity *c) {
    struct workload_def def[METHODS];
    int index[METHODS], n = 0;
    double us[METHODS];
    for (int m = 0; m < METHODS; m++) {
        if (!methods[m].timed || c->first[m] < 0 || c->first[m] >= STEPS) continue;
        const sn_lanes_info *lanes = lanes_of(m);
        index[n] = m;
        def[n++] = (struct workload_def){.lanes = lanes,
                                         .solver = methods[m].solver,
                                         .form = methods[m].form,
                                         .count = m == WIDE                             ? 4 * lanes->width
                                                  : methods[m].solver == SN_SOLVER_MABA ? 16
                                                                                        : 1,
                                         .dt = step_at(c->first[m]),
                                         .driven = true,
                                         .moving = true,
                                         .steps = settings->quick ? 4 : 24,
                                         .seed = settings->seed};
    }
    progress_step("speed");
    const struct timing timing = {.seconds = settings->quick ? 0.0005 : 0.02,
                                  .repetitions = settings->quick ? 2 : 21};
    if (!workloads_measure(model, def, n, &timing, us)) return false;
    for (int i = 0; i < n; i++)
        c->us[index[i]] = isfinite(us[i]) ? us[i] : (double)NAN;
    for (int m = PD_2; m <= PD_10; m++)
        c->us[m] = c->us[PD]; /* the same step with other numbers */
    return true;
}

static struct value known(double x) {
    return isfinite(x) && x > 0 ? number(x) : none();
}

static double paper_characters(int m) {
    return methods[m].paper_fps * methods[m].paper_dt;
}

static void put_rows(const struct capacity *c, struct result *result) {
    for (int m = 0; m < METHODS; m++) {
        if (c->first[m] < 0) continue;
        const bool stable = c->first[m] < STEPS;
        add_row(result, "dogs in canter that one thread simulates in real time",
                {"method", text(methods[m].name)}, {"lanes", text(lanes_of(m)->name)},
                {"largest_dt", stable ? time_step(step_at(c->first[m])) : text("none tried")},
                {"worst_joint_rad", stable ? number(c->error[m]) : none()}, {"us", known(c->us[m])},
                {"characters", known(characters(c, m))},
                {"paper_dt", methods[m].paper_dt > 0 ? time_step(methods[m].paper_dt) : none()},
                {"paper_steps_per_s", known(methods[m].paper_fps)},
                {"paper_characters", known(paper_characters(m))});
    }
}

static bool plot_capacity(const struct capacity *c, const char *folder, struct result *result) {
    static const int shown[] = {WIDE, MABA, SPARSE, DENSE, PD_10, PD};
    enum { SHOWN = sizeof shown / sizeof *shown };
    double dt[STEPS], y[SHOWN][STEPS];
    char name[STEPS][24];
    const char *names[STEPS];
    struct plot_line line[SHOWN];
    int nx = FEWEST_SHOWN;
    for (int i = 0; i < SHOWN; i++)
        if (c->first[shown[i]] < STEPS && c->first[shown[i]] >= nx) nx = c->first[shown[i]] + 1;
    for (int k = 0; k < nx; k++) {
        dt[k] = step_at(k);
        snprintf(name[k], sizeof name[k], "1/%ld", 30L << k);
        names[k] = nx > 10 && k % 3 ? "" : name[k]; /* as many as there is room for */
    }
    for (int i = 0; i < SHOWN; i++) {
        const int m = shown[i];
        for (int k = 0; k < nx; k++)
            y[i][k] = k >= c->first[m] ? dt[k] / (1e-6 * c->us[m]) : (double)NAN;
        line[i] = (struct plot_line){methods[m].name, y[i], plot_colours[i < 5 ? i : 4], m == PD_10, 2};
    }
    struct plot plot = plot_of("dogs in real time on one thread (maba-2020, figure 1)", "time step (s)",
                               "characters", dt, nx, line, SHOWN);
    plot.log_x = plot.log_y = true, plot.crosses = "not stable", plot.x_name = names;
    return result_draw(result, folder, "maba-capacity.svg", &plot);
}

/* Of PD with softer gains: the one that holds most characters and is nowhere further off than MABA at its largest step;
   -1: none tracks as well. */
static int best_pd(const struct capacity *c) {
    int best = -1;
    for (int m = PD_2; m <= PD_10; m++)
        if (c->error[m] <= c->error[MABA] && (best < 0 || characters(c, m) > characters(c, best))) best = m;
    return best;
}

static double largest_step(const struct capacity *c, int m) {
    return c->first[m] < STEPS ? step_at(c->first[m]) : (double)NAN;
}

static void put_claims(const struct capacity *c, struct result *result) {
    const double maba = characters(c, MABA), dense = characters(c, DENSE), sparse = characters(c, SPARSE),
                 wide = characters(c, WIDE);
    const int best = best_pd(c);
    add_claims(
        result,
        {between(1, 2, FROM_MEASURED), none(), number(c->limit / largest_step(c, PD)),
         "PD with the paper's gains bears the step at which damping starts to overshoot, dt lambda_max(M^-1 "
         "Kd) < 2, and no larger one: that step over the largest stable one of a search by halves"},
        {at_least(100, FROM_MEASURED), text("many more"),
         number(best < 0 ? (double)NAN : maba / characters(c, best)),
         "MABA holds more characters than PD with the best softer gains tried (2 to 10 Hz) that track no "
         "worse, by the worst joint: how many times"},
        {at_least(12, FROM_MEASURED), none(), number(best < 0 ? (double)NAN : dense / characters(c, best)),
         "so does dense SPD: how many times"},
        {at_least(paper_characters(MABA) / paper_characters(DENSE), FROM_PAPER),
         number(paper_characters(MABA) / paper_characters(DENSE)), number(maba / dense),
         "MABA holds more characters than dense SPD, and by as much as in the paper: how many times"},
        {at_least(paper_characters(MABA) / paper_characters(SPARSE), FROM_PAPER),
         number(paper_characters(MABA) / paper_characters(SPARSE)), number(maba / sparse),
         "the same for sparse SPD: how many times"},
        {exactly(1.0 / 120, FROM_PAPER), time_step(1.0 / 120), time_step(largest_step(c, DENSE)),
         "MABA is stable at larger steps than dense SPD: the dense solve's largest"},
        {exactly(1.0 / 120, FROM_PAPER), time_step(1.0 / 120), time_step(largest_step(c, DENSE_EQ6)),
         "the same where the dense solve's qdd goes through the torque of eq. 6, in float"},
        {at_least(0.5 * lanes_widest(SN_PRECISION_FLOAT)->width, FROM_PROMISE), none(), number(wide / maba),
         "a crowd in the widest float lanes holds more on the same thread, at least half as many times as "
         "there are lanes: how many times"});
}

static void put_closing(const struct capacity *c, struct result *result) {
    const int best = best_pd(c);
    const char *soft = "none of the softer gains that were tried tracks as closely as MABA does";
    if (best >= 0)
        soft = said("%.3g with gains of %g Hz at 1/%ld s, worst joint %.2g rad off", characters(c, best),
                    methods[best].hertz, 30L << c->first[best], c->error[best]);
    result_close(
        result,
        "%d of %d claims hold. One thread holds %.0f dogs with MABA at 1/%ld s (worst joint %.2g rad off), "
        "one at a time in double, and %.0f in float lanes; %.0f with sparse and %.0f with dense SPD. With PD "
        "it holds %.2g at these gains, which need 1/%ld s because the dog's lightest joints have little "
        "inertia against kd; with PD and softer gains: %s. The paper's numbers are the products of table 2 "
        "and the largest steps of figure 6; those of figure 1 itself stand in a picture. Its frames hold a "
        "whole engine's step on its authors' machine. The dense solve is as stable as MABA here unless its "
        "torques go through eq. 6 in float (maba/accuracy); the rest is speed.",
        result_held(result), result->nclaim, characters(c, MABA), 30L << c->first[MABA], c->error[MABA],
        characters(c, WIDE), characters(c, SPARSE), characters(c, DENSE), characters(c, PD),
        30L << c->first[PD], soft);
}

static bool run_all(const sn_model *model, const sn_motion *motion, const struct run_settings *settings,
                    struct result *result) {
    struct capacity c;
    bool stable = true;
    for (int m = 0; m < METHODS; m++)
        c.first[m] = -1, c.error[m] = 0, c.us[m] = (double)NAN;
    c.limit = damping_limit(model, motion);
    find_steps(model, motion, settings, &c);
    if (!interrupted() && !measure(model, settings, &c)) return false;
    put_rows(&c, result);
    if (interrupted()) return true;
    if (settings->plot && !plot_capacity(&c, settings->plot, result)) return false;
    for (int m = 0; m < METHODS; m++)
        stable &= c.first[m] < STEPS;
    if (stable) {
        put_claims(&c, result);
        put_closing(&c, result);
    } else
        result_close(result, "Some method is stable at no step that was tried: there is nothing to compare.");
    return true;
}

bool run_maba_capacity(const struct run_settings *settings, struct result *result) {
    sn_error error = {0};
    sn_model *model = sn_builtin_create("dog", &error);
    sn_motion *motion = model ? sn_builtin_motion_create("canter", model, &error) : NULL;
    progress_start("maba/capacity", METHODS + STEPS);
    add_settings(result, {"motion", text("canter, built in; pose and velocity at the end of each step")},
                 {"duration", number(settings->quick ? 0.1 : 5.0)},
                 {"gains", text("root 20000/2000, joints 75000/4000; softer: 2 to 10 Hz and damping ratio 1 "
                                "by the inertia of each joint; no other damping")},
                 {"steps", text("1/30 s, halved until stable")},
                 {"stable", text("finite, and no joint 3 rad off")},
                 {"timed", text("steps only, minimum of repetitions")});
    const bool good = motion ? run_all(model, motion, settings, result)
                             : complain(EXIT_FAILED, "maba/capacity: %s", error.message) == EXIT_DONE;
    sn_motion_free(motion);
    sn_model_free(model);
    return good;
}
