/* spd-2011, appendix: whether a step is stable, from its eigenvalues, for every form and integrator; runs of the library beside
 * them, and what sn_gains_check says. The paper has one degree of freedom, explicit Euler, and the condition kd >= kp dt. */
#include "stability_step.h"

#include "experiment.h"
#include "plot.h"
#include "progress.h"
#include "scenes/shapes.h"
#include "terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RATIOS = 13, GAINS = 17, LINKS = 6, MOST_PATH = 4096 };
static const double ratios[RATIOS] = {0, 0.25, 0.4, 0.6, 0.75, 0.9, 1, 1.25, 1.4, 1.6, 2, 3, 5};
static const double border = 1e-3;   /* of eigenvalues about 1: runs cannot tell */
static const double most_gain = 1e8; /* kp dt^2 / m: as good as infinite */

/* kp dt^2 / m, from 0.01 to 1e6. */
static double gain_of(int i) {
    return pow(10, -2 + 0.5 * i);
}

struct seen {
    int cells, compared, runs_differ, checks_differ; /* of one degree of freedom */
    int broken[INTEGRATORS];  /* cells with the stable form and kd >= kp dt that swing up */
    int stiffer[INTEGRATORS]; /* and with kd >= 1.5 kp dt */
    int full_broken;          /* cells with the full form and semi-implicit Euler that swing up */
    int models, model_checks_differ, model_runs, model_runs_differ;
    double limit[FORMS][INTEGRATORS][RATIOS]; /* the largest stable kp dt^2 / m; infinite: all */
    double run[FORMS][INTEGRATORS][RATIOS];   /* the same by runs */
};

/* ---------------------------------------------------------------------------------------- one degree of freedom */

static sn_model *build_mass(sn_error *error) {
    const sn_joint_def joint = sn_joint_def_default(SN_JOINT_SLIDE);
    const sn_shape_def sphere = sphere_of(0.1, 1);
    return one_body_model("mass", &joint, &sphere, error);
}

static int run_grows(const sn_model *mass, double k, double r, sn_form form, sn_integrator integrator) {
    const double dt = 1.0 / 60, kp = k / (dt * dt), kd = r * kp * dt, zero = 0;
    return step_grows(mass, &zero, &kp, &kd, dt, form, integrator);
}

static bool check_flags(const sn_model *mass, double k, double r, sn_form form) {
    const double dt = 1.0 / 60, kp = k / (dt * dt);
    double kd = r * kp * dt;
    unsigned flags = 0;
    sn_gains_check(mass, &(sn_gains_def){.struct_size = sizeof(sn_gains_def), .dt = dt, .form = form}, &kp,
                   &kd, &flags, NULL);
    return (flags & SN_GAIN_OVERSHOOTS) != 0;
}

static void look_at_cell(const sn_model *mass, double k, double r, int f, int integrator, struct seen *seen) {
    const sn_form form = step_forms[f];
    const double radius = step_radius_one(k, r, form, (sn_integrator)integrator);
    const bool swings = radius > 1 + 1e-6;
    seen->cells++;
    if (form == SN_FORM_STABLE && r >= 1) seen->broken[integrator] += swings;
    if (form == SN_FORM_STABLE && r >= 1.5) seen->stiffer[integrator] += swings;
    if (form == SN_FORM_FULL && integrator == SN_INTEGRATOR_SEMI_IMPLICIT_EULER) seen->full_broken += swings;
    if (integrator == SN_INTEGRATOR_SEMI_IMPLICIT_EULER)
        seen->checks_differ += check_flags(mass, k, r, form) != swings;
    if (fabs(radius - 1) < border) return;
    seen->compared++;
    seen->runs_differ += run_grows(mass, k, r, form, (sn_integrator)integrator) != swings;
}

/* Whether the step is stable, by eigenvalues or by a run. */
static bool bears(const sn_model *mass, double k, double r, sn_form form, sn_integrator integrator,
                  bool by_run) {
    return by_run ? run_grows(mass, k, r, form, integrator) == 0
                  : step_radius_one(k, r, form, integrator) <= 1 + 1e-6;
}

/* The largest gain up to which all are stable. */
static double largest_gain(const sn_model *mass, double r, sn_form form, sn_integrator integrator,
                           bool by_run) {
    double least = 1e-3, most = least;
    if (!bears(mass, least, r, form, integrator, by_run)) return 0;
    while (most < most_gain && bears(mass, most, r, form, integrator, by_run))
        least = most, most *= by_run ? 10 : 1.5;
    if (most >= most_gain) return INFINITY;
    while (most / least > 1.001) {
        const double middle = sqrt(least * most);
        if (bears(mass, middle, r, form, integrator, by_run))
            least = middle;
        else
            most = middle;
    }
    return sqrt(least * most);
}

static void find_limits(const sn_model *mass, int f, int integrator, struct seen *seen) {
    for (int r = 0; r < RATIOS; r++)
        for (int by_run = 0; by_run < 2; by_run++)
            (by_run ? seen->run : seen->limit)[f][integrator][r] =
                largest_gain(mass, ratios[r], step_forms[f], (sn_integrator)integrator, by_run);
}

/* ------------------------------------------------------------------------------------- many degrees of freedom */

static double random_part(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* Gains of every degree of freedom at random, in a random pose of a chain of hinges. */
static bool look_at_chain(const sn_model *chain, sn_dynamics *dynamics, uint64_t *state, int f,
                          struct seen *seen) {
    double q[LINKS], M[LINKS * LINKS], kp[LINKS], kd[LINKS];
    unsigned flags[LINKS], all = 0;
    const double dt = 1.0 / 60, stiff = 4 * random_part(state) - 1, damped = 3 * random_part(state);
    for (int v = 0; v < LINKS; v++)
        q[v] = 2 * random_part(state) - 1;
    if (sn_dynamics_mass_matrix(dynamics, q, M) != SN_OK) return false;
    for (int v = 0; v < LINKS; v++) {
        kp[v] = pow(10, stiff + random_part(state) - 0.5) * M[v * LINKS + v] / (dt * dt);
        kd[v] = damped * (0.5 + random_part(state)) * kp[v] * dt;
    }
    const sn_gains_def def = {.struct_size = sizeof(sn_gains_def), .q = q, .dt = dt, .form = step_forms[f]};
    if (sn_gains_check(chain, &def, kp, kd, flags, NULL) < 0) return false;
    for (int v = 0; v < LINKS; v++)
        all |= flags[v];
    const double radius = step_radius(LINKS, M, kp, kd, dt, step_forms[f], SN_INTEGRATOR_SEMI_IMPLICIT_EULER);
    const bool swings = radius > 1 + 1e-6;
    seen->models++;
    seen->model_checks_differ += ((all & SN_GAIN_OVERSHOOTS) != 0) != swings;
    if (fabs(radius - 1) < border) return true;
    seen->model_runs++;
    seen->model_runs_differ +=
        step_grows(chain, q, kp, kd, dt, step_forms[f], SN_INTEGRATOR_SEMI_IMPLICIT_EULER) != swings;
    return true;
}

static bool look_at_chains(const struct run_settings *settings, struct seen *seen, sn_error *error) {
    sn_model *chain = scene_chain_model(LINKS, SN_JOINT_HINGE, false, error);
    const sn_dynamics_def def = sn_dynamics_def_default();
    sn_dynamics *dynamics = chain ? sn_dynamics_create(chain, &def, error) : NULL;
    uint64_t state = settings->seed;
    bool ran = dynamics != NULL;
    for (int i = 0; i < (settings->quick ? 40 : 400) && ran && !interrupted(); i++)
        ran = look_at_chain(chain, dynamics, &state, i % FORMS, seen);
    sn_dynamics_free(dynamics);
    sn_model_free(chain);
    return ran;
}

/* -------------------------------------------------------------------------------------------------- the result */

static void put_rows(const struct seen *seen, struct result *result) {
    for (int f = 0; f < FORMS; f++)
        for (int i = 0; i < INTEGRATORS; i++)
            for (int r = 0; r < RATIOS; r++) {
                if (f != 2 && i > 1) continue;
                const double limit = seen->limit[f][i][r], run = seen->run[f][i][r];
                add_row(result, "the largest stable kp dt^2 / m; none: any gain is",
                        {"form", text(step_form_names[f])}, {"integrator", text(step_integrator_names[i])},
                        {"kd_over_kp_dt", number(ratios[r])},
                        {"eigenvalues", isinf(limit) ? none() : number(limit)},
                        {"runs", isinf(run) ? none() : number(run)});
            }
}

static bool draw(const char *folder, const char *name, const char *title, const double (*limit)[RATIOS],
                 const double (*run)[RATIOS], int n, const char *const *names) {
    struct plot_line line[2 * INTEGRATORS];
    char label[2 * INTEGRATORS][64];
    for (int i = 0; i < 2 * n; i++) {
        const int k = i / 2;
        snprintf(label[i], sizeof label[i], "%s%s", names[k], i % 2 ? ", runs" : "");
        const char *colour = k < 5 ? plot_colours[k] : "#8f8a2c";
        line[i] = (struct plot_line){label[i], i % 2 ? run[k] : limit[k], i % 2 ? "#808080" : colour, i % 2,
                                     i % 2 ? 2 : 6};
    }
    struct plot plot =
        plot_of(title, "kd / (kp dt)", "largest stable kp dt^2 / m", ratios, RATIOS, line, 2 * n);
    plot.crosses = "cross: stable at any gain", plot.log_y = true;
    return plot_write(said("%s/%s", folder, name), &plot);
}

static bool draw_all(const char *folder, const struct seen *seen) {
    double limit[FORMS][RATIOS], run[FORMS][RATIOS];
    for (int f = 0; f < FORMS; f++)
        for (int r = 0; r < RATIOS; r++)
            limit[f][r] = seen->limit[f][0][r], run[f][r] = seen->run[f][0][r];
    return draw(folder, "forms.svg", "Every form, semi-implicit Euler: stable below the line",
                (const double(*)[RATIOS])limit, (const double(*)[RATIOS])run, FORMS, step_form_names) &&
           draw(folder, "integrators.svg", "Stable PD with every integrator: stable below the line",
                (const double(*)[RATIOS])seen->limit[2], (const double(*)[RATIOS])seen->run[2], INTEGRATORS,
                step_integrator_names);
}

static void put_claims(const struct seen *s, struct result *result) {
    add_claims(result, {exactly(0, FROM_PAPER), none(), number(s->broken[SN_INTEGRATOR_EXPLICIT_EULER]),
                        "stable PD with explicit Euler, kd >= kp dt: cells of the chart that swing up"});
    for (int i = 2; i < INTEGRATORS; i++)
        add_claims(result,
                   {exactly(0, FROM_PAPER), none(), number(s->broken[i]),
                    said("stable PD with %s, kd >= kp dt: cells that swing up", step_integrator_names[i])});
    add_claims(
        result,
        {exactly(0, FROM_PAPER), none(), number(s->broken[SN_INTEGRATOR_SEMI_IMPLICIT_EULER]),
         "stable PD with semi-implicit Euler, kd >= kp dt: cells that swing up"},
        {exactly(0, FROM_PROMISE), none(), number(s->stiffer[SN_INTEGRATOR_SEMI_IMPLICIT_EULER]),
         "stable PD with semi-implicit Euler, kd >= 1.5 kp dt: cells that swing up"},
        {exactly(0, FROM_PROMISE), none(), number(s->full_broken),
         "the full form with semi-implicit Euler: cells that swing up"},
        {exactly(0, FROM_PROMISE), none(), number(s->runs_differ),
         said("runs of the library swing up where eigenvalues say so: of %d cells, those that differ",
              s->compared)},
        {exactly(0, FROM_PROMISE), none(), number(s->checks_differ),
         said("sn_gains_check agrees with the eigenvalues, one degree of freedom: of %d cells, those that "
              "differ",
              FORMS * RATIOS * GAINS)},
        {exactly(0, FROM_PROMISE), none(), number(s->model_checks_differ),
         said("sn_gains_check agrees with the eigenvalues, %d degrees of freedom: of %d, those that differ",
              LINKS, s->models)},
        {exactly(0, FROM_PROMISE), none(), number(s->model_runs_differ),
         said("runs of the library, %d degrees of freedom: of %d, those that differ", LINKS, s->model_runs)});
}

static void put_settings(const struct run_settings *settings, struct result *result) {
    add_settings(result, {"one_dof", text("a mass of 1 kg on a slider; dt = 1/60")},
                 {"many_dofs", text("a chain of 6 hinges, 0.5 kg and 0.2 m each, in random poses, random "
                                    "gains for every joint; semi-implicit Euler")},
                 {"cells", text("kp dt^2 / m from 0.01 to 1e6, kd / (kp dt) from 0 to 5")},
                 {"gravity", number(0)}, {"damping", text("none but kd")},
                 {"runs", text("1000 steps from 1e-9; it grows when it is 1.3 times as large after 1000 as "
                               "after 500; not asked where the largest |eigenvalue| is within 0.001 of 1")},
                 {"seed", number((double)settings->seed)});
}

static void put_closing(const struct seen *s, struct result *result) {
    result_close(result,
                 "%d of %d claims hold. The paper's kd >= kp dt is enough for explicit Euler, which it "
                 "speaks of: an infinite gain leaves the eigenvalues 0 and 1 - kp dt / kd, so that half of "
                 "it is enough; and for the integrators of higher order. Semi-implicit Euler, which the "
                 "worlds step with, moves positions by the new velocity and needs kd >= 1.5 kp dt for gains "
                 "without bound; with kd = kp dt it bears kp dt^2 up to %.3g m, and %d cells of the chart "
                 "beyond swing up: sn_gains_check says so of each. The full form bears everything.",
                 result_held(result), result->nclaim, s->limit[2][0][6], s->broken[0]);
}

static bool look_at_all(const struct run_settings *settings, const sn_model *mass, struct seen *seen) {
    const int stride = settings->quick ? 4 : 1;
    for (int f = 0; f < FORMS; f++)
        for (int i = 0; i < INTEGRATORS; i++) {
            progress_step("%s, %s", step_form_names[f], step_integrator_names[i]);
            for (int c = 0; c < RATIOS * GAINS && !interrupted(); c += i ? stride : 1)
                look_at_cell(mass, gain_of(c / RATIOS), ratios[c % RATIOS], f, i, seen);
            if (f == 2 || i < 2) find_limits(mass, f, i, seen);
            if (interrupted()) return false;
        }
    return true;
}

bool run_spd_stability(const struct run_settings *settings, struct result *result) {
    static const struct seen empty;
    struct seen *seen = need_memory(NULL, sizeof *seen);
    sn_error error = {0};
    sn_model *mass = build_mass(&error);
    *seen = empty;
    put_settings(settings, result);
    progress_start("spd/stability", FORMS * INTEGRATORS + 1);
    bool whole = mass && look_at_all(settings, mass, seen), ran = mass != NULL;
    if (whole) {
        progress_step("many degrees of freedom");
        ran = look_at_chains(settings, seen, &error);
        whole = ran && !interrupted();
    }
    sn_model_free(mass);
    if (!ran) complain(EXIT_FAILED, "spd/stability: %s", error.message);
    if (whole) {
        put_rows(seen, result);
        put_claims(seen, result);
        put_closing(seen, result);
        if (settings->plot) ran = draw_all(settings->plot, seen);
    }
    free(seen);
    return ran;
}
