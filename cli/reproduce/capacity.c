/* maba-2020 figure 1: how many dogs in canter one thread holds in real time with PD, with stable PD by dense and by
 * sparse factorization, and with MABA, each at the largest step it is stable at:
 *
 *     characters = dt / (time of one step)
 *
 * The figure's own numbers are in a picture that the text of the paper does not repeat. What it rests on is there:
 * figure 6 and section 4.1 tell which steps are stable, table 2 how many steps per second of the canter are simulated.
 * The paper's column is their product. */
#include "experiment.h"
#include "plot.h"
#include "progress.h"
#include "terminal.h"
#include "workload.h"

#include <math.h>
#include <sinew/dynamics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PD, SOFT_PD, DENSE, DENSE_EQ6, SPARSE, MABA, WIDE, METHODS };
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
} methods[METHODS] = {
    {"PD", SN_FORM_EXPLICIT, SN_SOLVER_MABA, SN_ROUTE_DIRECT, SN_DOUBLE, true, 0, 0},
    {"PD, softer gains", SN_FORM_EXPLICIT, SN_SOLVER_MABA, SN_ROUTE_DIRECT, SN_DOUBLE, false, 0, 0},
    {"dense SPD", SN_FORM_STABLE, SN_SOLVER_DENSE, SN_ROUTE_DIRECT, SN_DOUBLE, true, 1.0 / 120, 6498},
    {"dense SPD, torque of eq. 6", SN_FORM_STABLE, SN_SOLVER_DENSE, SN_ROUTE_TORQUE_EQ6, SN_FLOAT, false,
     1.0 / 120, 6498},
    {"sparse SPD", SN_FORM_STABLE, SN_SOLVER_SPARSE, SN_ROUTE_DIRECT, SN_DOUBLE, true, 1.0 / 120, 8738},
    {"MABA", SN_FORM_STABLE, SN_SOLVER_MABA, SN_ROUTE_DIRECT, SN_DOUBLE, true, 1.0 / 30, 11700},
    {"MABA, crowd", SN_FORM_STABLE, SN_SOLVER_MABA, SN_ROUTE_DIRECT, SN_FLOAT, true, 1.0 / 30, 11700},
};

struct capacity {
    int first[METHODS];    /* the largest stable step; STEPS: none; -1: not tried */
    double error[METHODS]; /* rad, the worst of any joint there */
    double us[METHODS];    /* per character-step; NAN: not measured */
};

static double step_at(int k) {
    return 1.0 / (30.0 * (double)(1L << k));
}

static double characters(const struct capacity *c, int m) {
    const bool stable = c->first[m] >= 0 && c->first[m] < STEPS;
    return stable ? step_at(c->first[m]) / (1e-6 * c->us[m]) : (double)NAN;
}

static const sn_lanes_info *lanes_of(int m) {
    return m == WIDE ? lanes_widest(SN_FLOAT) : lanes_find(methods[m].precision == SN_FLOAT ? "f32" : "f64");
}

/* The furthest any joint is from the pose it should have: rad, and for the root's position m. `dv` has room for nv
   values. */
static double worst_error(const sn_model *model, const double *q, const double *wanted, double *dv) {
    double worst = 0;
    sn_model_pose_subtract(model, q, wanted, dv);
    for (int i = 0; i < sn_model_nbody(model); i++) {
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

/* Whether the dog tracks the canter at this step. It does not when it stops being finite or turns a joint round, 3 rad
   off, as in maba/accuracy. */
static bool tracks(const sn_model *model, const sn_motion *motion, int m, double dt, bool quick,
                   double *error) {
    const double seconds = quick ? 0.1 : 5.0;
    const long most = quick ? 20000 : 1000000; /* a step too large shows after some hundred */
    const long steps = lround(fmin(seconds / dt, (double)most));
    const size_t nq = (size_t)sn_model_nq(model), nv = (size_t)sn_model_nv(model);
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
    if (m == SOFT_PD) /* made for the inertia of each joint: about what PD can bear */
        sn_gains_choose(model, &(sn_gains_def){.frequency = 10, .stance = SN_STANCE_NONE}, kp, kd, NULL);
    else
        sn_gains_uniform(model, 20000, 2000, 75000, 4000, kp, kd);
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
    c->us[SOFT_PD] = c->us[PD]; /* the same step with other numbers */
    return true;
}

static struct value step_value(double dt) {
    char words[32];
    if (!(dt > 0)) return none();
    snprintf(words, sizeof words, "1/%.0f", 1 / dt);
    return text(words);
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
        struct record *row = result_row(result);
        record_put(row, "table", text("dogs in canter that one thread simulates in real time"));
        record_put(row, "method", text(methods[m].name));
        record_put(row, "lanes", text(lanes_of(m)->name));
        record_put(row, "largest_dt", stable ? step_value(step_at(c->first[m])) : text("none tried"));
        record_put(row, "worst_joint_rad", stable ? number(c->error[m]) : none());
        record_put(row, "us", known(c->us[m]));
        record_put(row, "characters", known(characters(c, m)));
        record_put(row, "paper_dt", step_value(methods[m].paper_dt));
        record_put(row, "paper_steps_per_s", known(methods[m].paper_fps));
        record_put(row, "paper_characters", known(paper_characters(m)));
    }
}

static bool plot_capacity(const struct capacity *c, const char *folder, struct result *result) {
    static const int shown[] = {WIDE, MABA, SPARSE, DENSE, SOFT_PD, PD};
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
        line[i] = (struct plot_line){methods[m].name, y[i], plot_colours[i < 5 ? i : 4], m == SOFT_PD, 2};
    }
    const struct plot plot = {.title = "dogs in real time on one thread (maba-2020, figure 1)",
                              .x_label = "time step (s)",
                              .y_label = "characters",
                              .crosses = "not stable",
                              .log_x = true,
                              .log_y = true,
                              .x = dt,
                              .x_name = names,
                              .nx = nx,
                              .line = line,
                              .nline = SHOWN};
    char path[4096];
    snprintf(path, sizeof path, "%s/maba-capacity.svg", folder);
    if (!plot_write(path, &plot)) return false;
    struct record *row = result_row(result);
    record_put(row, "table", text("plots"));
    record_put(row, "file", text(path));
    return true;
}

static void put_claims(const struct capacity *c, struct result *result) {
    const double maba = characters(c, MABA), dense = characters(c, DENSE), sparse = characters(c, SPARSE),
                 pd = characters(c, PD), wide = characters(c, WIDE);
    const int least = c->first[DENSE] > c->first[SPARSE] ? c->first[DENSE] : c->first[SPARSE];
    const int shorter = c->first[PD] - (least > c->first[MABA] ? least : c->first[MABA]);
    result_claim(result, shorter > 0, none(), number(pow(2, shorter)),
                 "PD needs a smaller step than stable PD: how many times");
    result_claim(result, maba > dense, number(paper_characters(MABA) / paper_characters(DENSE)),
                 number(maba / dense), "MABA holds more characters than dense SPD: how many times");
    result_claim(result, maba > sparse, number(paper_characters(MABA) / paper_characters(SPARSE)),
                 number(maba / sparse), "MABA holds more characters than sparse SPD: how many times");
    result_claim(result, !(pd >= dense), none(), number(maba / pd),
                 "PD holds the fewest: MABA's characters over PD's");
    result_claim(result, c->first[DENSE] > c->first[MABA], text("1/120"),
                 step_value(c->first[DENSE] < STEPS ? step_at(c->first[DENSE]) : 0),
                 "MABA is stable at larger steps than dense SPD: the dense solve's largest");
    result_claim(result, c->first[DENSE_EQ6] > c->first[MABA], text("1/120"),
                 step_value(c->first[DENSE_EQ6] < STEPS ? step_at(c->first[DENSE_EQ6]) : 0),
                 "the same where the dense solve's qdd goes through the torque of eq. 6, in float");
    result_claim(result, wide > maba, none(), number(wide / maba),
                 "a crowd in wide lanes holds more on the same thread: how many times");
    result_close(result,
                 "One thread holds %.0f dogs with MABA at 1/%ld s, one at a time in double, and %.0f in "
                 "float lanes; %.0f with "
                 "sparse and %.0f with dense SPD; %.2g with PD, which needs 1/%ld s at these gains, and %.0f "
                 "with gains of 10 Hz "
                 "at 1/%ld s. The paper's numbers are the products of table 2 and the largest steps of "
                 "figure 6; those of "
                 "figure 1 itself stand in a picture. Its frames hold a whole engine's step on its authors' "
                 "machine. The dense "
                 "solve is as stable as MABA here unless its torques go through eq. 6 in float "
                 "(maba/accuracy); the rest is "
                 "speed.",
                 maba, 30L << c->first[MABA], wide, sparse, dense, pd, 30L << c->first[PD],
                 characters(c, SOFT_PD), 30L << c->first[SOFT_PD]);
}

static bool run_all(const sn_model *model, const sn_motion *motion, const struct run_settings *settings,
                    struct result *result) {
    struct capacity c;
    bool stable = true;
    for (int m = 0; m < METHODS; m++)
        c.first[m] = -1, c.error[m] = 0, c.us[m] = (double)NAN;
    find_steps(model, motion, settings, &c);
    if (!interrupted() && !measure(model, settings, &c)) return false;
    put_rows(&c, result);
    if (interrupted()) return true;
    if (settings->plot && !plot_capacity(&c, settings->plot, result)) return false;
    for (int m = 0; m < METHODS; m++)
        stable &= c.first[m] < STEPS;
    if (stable)
        put_claims(&c, result);
    else
        result_close(result, "Some method is stable at no step that was tried: there is nothing to compare.");
    return true;
}

bool run_maba_capacity(const struct run_settings *settings, struct result *result) {
    sn_error error = {0};
    sn_model *model = sn_builtin_create("dog", &error);
    sn_motion *motion = model ? sn_builtin_motion_create("canter", model, &error) : NULL;
    progress_start("maba/capacity", METHODS + STEPS);
    result_setting(result, "motion", text("canter, built in; pose and velocity at the end of each step"));
    result_setting(result, "duration", number(settings->quick ? 0.1 : 5.0));
    result_setting(result, "gains",
                   text("root 20000/2000, joints 75000/4000; softer: 10 Hz, damping ratio 1"));
    result_setting(result, "steps", text("1/30 s, halved until stable"));
    result_setting(result, "stable", text("finite, and no joint 3 rad off"));
    result_setting(result, "timed", text("steps only, minimum of repetitions"));
    const bool good = motion ? run_all(model, motion, settings, result)
                             : complain(EXIT_FAILED, "maba/capacity: %s", error.message) == EXIT_DONE;
    sn_motion_free(motion);
    sn_model_free(model);
    return good;
}
