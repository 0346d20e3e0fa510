/* spd-2011 section 3.4: PD and stable PD on a two-link pendulum, tables 1 and 2 and figures 2 to 4. */
#include "experiment.h"
#include "pendulum_run.h"
#include "progress.h"
#include "terminal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { METHODS = 4, GAINS = 4, DOFS = 2, FIGURE_GAINS = 6 };

static const struct {
    const char *name;
    bool stable, velocity;
} method[METHODS] = {
    {"PD", false, false}, {"PD+qd_ref", false, true}, {"SPD", true, false}, {"SPD+qd_ref", true, true}};

static const double gain[GAINS] = {30, 300, 3000, 30000};

/* Tables 1 and 2: inf- and 2-norm of the error by degree of freedom, gain and method; 0 where PD diverged. */
static const double paper[DOFS][GAINS][METHODS][2] = {
    {{{0.4630, 4.0542}, {0.4585, 4.0317}, {0.3164, 3.1939}, {0.3210, 3.1955}},
     {{0.0598, 0.5188}, {0.0505, 0.4658}, {0.0312, 0.4047}, {0.0297, 0.3451}},
     {{0, 0}, {0, 0}, {0.0174, 0.2301}, {0.0023, 0.0330}},
     {{0, 0}, {0, 0}, {0.0167, 0.2293}, {0.0001, 0.0016}}},
    {{{0.2094, 1.8177}, {0.2048, 1.7778}, {0.1049, 1.0817}, {0.1198, 1.0652}},
     {{0.0364, 0.2826}, {0.0225, 0.1601}, {0.0244, 0.2466}, {0.0082, 0.0964}},
     {{0, 0}, {0, 0}, {0.0174, 0.2294}, {0.0008, 0.0087}},
     {{0, 0}, {0, 0}, {0.0167, 0.2295}, {0.0003, 0.0017}}},
};

struct measured {
    struct tracking run[GAINS][METHODS]; /* at dt = 1/60 s */
    int spd_runs, spd_diverged;          /* of all stable PD runs with kd = kp dt */
    double pd_step[FIGURE_GAINS], spd_step[FIGURE_GAINS];
    bool semi_implicit_diverged[2]; /* stable PD with kd = 1.4 and 1.6 kp dt at kp = 3e6 */
};

static struct tracking run_counted(const sn_model *model, const struct trial *trial, struct measured *m) {
    const struct tracking tracking = trial_run(model, trial);
    if (trial->stable) {
        m->spd_runs++;
        m->spd_diverged += tracking.diverged;
    }
    return tracking;
}

static void run_tables(const sn_model *model, struct measured *m, struct result *result) {
    for (int g = 0; g < GAINS; g++)
        for (int i = 0; i < METHODS; i++) {
            const struct trial trial = trial_default(method[i].stable, method[i].velocity, gain[g]);
            m->run[g][i] = run_counted(model, &trial, m);
        }
    for (int k = 0; k < DOFS; k++)
        for (int g = 0; g < GAINS; g++)
            for (int i = 0; i < METHODS; i++) {
                const double *p = paper[k][g][i];
                struct record *row = result_row(result);
                record_put(row, "table",
                           text(k == 0 ? "table 1 (first degree of freedom, dt = 1/60 s)"
                                       : "table 2 (second degree of freedom, dt = 1/60 s)"));
                record_put(row, "kp", number(gain[g]));
                record_put(row, "controller", text(method[i].name));
                record_put(row, "inf", number(m->run[g][i].inf[k]));
                record_put(row, "paper_inf", number(p[0] > 0 ? p[0] : (double)NAN));
                record_put(row, "two", number(m->run[g][i].two[k]));
                record_put(row, "paper_two", number(p[1] > 0 ? p[1] : (double)NAN));
            }
}

static void put_errors(struct record *row, const struct tracking *tracking) {
    record_put(row, "inf_1", number(tracking->inf[0]));
    record_put(row, "inf_2", number(tracking->inf[1]));
    record_put(row, "two_1", number(tracking->two[0]));
    record_put(row, "two_2", number(tracking->two[1]));
}

/* The same tables at other time steps. */
static void run_other_steps(const sn_model *model, struct measured *m, struct result *result) {
    for (int hertz = 30; hertz <= 120; hertz += 90)
        for (int g = 0; g < GAINS; g++)
            for (int i = 0; i < METHODS; i++) {
                struct trial trial = trial_default(method[i].stable, method[i].velocity, gain[g]);
                trial.dt = 1.0 / hertz;
                const struct tracking tracking = run_counted(model, &trial, m);
                struct record *row = result_row(result);
                record_put(row, "table",
                           text(hertz == 30 ? "both tables at dt = 1/30 s" : "both tables at dt = 1/120 s"));
                record_put(row, "kp", number(gain[g]));
                record_put(row, "controller", text(method[i].name));
                put_errors(row, &tracking);
            }
}

/* What the sampling of the reference at 30 frames a second changes. */
static void run_references(const sn_model *model, struct measured *m, struct result *result) {
    static const char *const name[] = {"exact", "30 fps, linear between", "30 fps, held"};
    for (int r = 0; r < 3; r++)
        for (int i = 2; i < METHODS; i++) {
            struct trial trial = trial_default(true, method[i].velocity, 30000);
            trial.reference = (enum reference)r;
            const struct tracking tracking = run_counted(model, &trial, m);
            struct record *row = result_row(result);
            record_put(row, "table", text("how the reference is sampled (kp = 30000, dt = 1/60 s)"));
            record_put(row, "reference", text(name[r]));
            record_put(row, "controller", text(method[i].name));
            put_errors(row, &tracking);
        }
}

/* kd >= kp dt is the condition under explicit Euler, where q + dt qd is the next position. Under
   semi-implicit Euler and an infinite gain, x = q - q_ref and w = dt qd follow, with c = kd / (kp dt),
     w' = -(x + w) / c,   x' = x + w',
   which is stable for c > 3/2 only. */
static void run_integrators(const sn_model *model, struct measured *m, struct result *result) {
    static const struct {
        const char *name;
        sn_integrator integrator;
    } list[] = {{"explicit Euler", SN_EXPLICIT_EULER},
                {"semi-implicit Euler", SN_SEMI_IMPLICIT_EULER},
                {"midpoint", SN_MIDPOINT},
                {"RK4", SN_RK4}};
    for (int i = 0; i < 4; i++) {
        struct record *row = result_row(result);
        record_put(row, "table",
                   text("largest SPD error (rad) by integrator and kd (kp = 3e6, dt = 1/60 s)"));
        record_put(row, "integrator", text(list[i].name));
        static const double factor[] = {1.0, 1.4, 1.6, 2.0, 4.0};
        static const char *const key[] = {"kd=kp_dt", "kd=1.4_kp_dt", "kd=1.6_kp_dt", "kd=2_kp_dt",
                                          "kd=4_kp_dt"};
        for (int f = 0; f < 5; f++) {
            struct trial trial = trial_default(true, false, 3e6);
            trial.kd_over_kp_dt = factor[f];
            trial.integrator = list[i].integrator;
            const struct tracking tracking = trial_run(model, &trial);
            record_put(row, key[f], number(fmax(tracking.inf[0], tracking.inf[1])));
            if (list[i].integrator == SN_SEMI_IMPLICIT_EULER && (f == 1 || f == 2))
                m->semi_implicit_diverged[f - 1] = tracking.diverged;
        }
    }
}

/* Figure 4: the largest step, up to that of the reference, at which a run stays stable. */
static double largest_step(const sn_model *model, bool stable, double kp, const struct run_settings *settings,
                           struct measured *m) {
    struct trial trial = trial_default(stable, false, kp);
    trial.duration = settings->quick ? 5.0 : 20.0;
    trial.dt = 1.0 / 30.0;
    if (!run_counted(model, &trial, m).diverged) return trial.dt;
    double good = 1e-4, bad = trial.dt;
    while (bad / good > (settings->quick ? 1.1 : 1.01) && !interrupted()) {
        trial.dt = sqrt(good * bad);
        if (run_counted(model, &trial, m).diverged)
            bad = trial.dt;
        else
            good = trial.dt;
    }
    return good;
}

static void run_figure(const sn_model *model, const struct run_settings *settings, struct measured *m,
                       struct result *result) {
    for (int i = 0; i < FIGURE_GAINS && !interrupted(); i++) {
        const double kp = 3.0 * pow(10.0, i + 1);
        progress_step("figure 4, kp = %g", kp);
        m->pd_step[i] = largest_step(model, false, kp, settings, m);
        m->spd_step[i] = largest_step(model, true, kp, settings, m);
        struct record *row = result_row(result);
        record_put(row, "table",
                   text("figure 4: largest stable step (s), at most 1/30; and largest SPD error (rad)"));
        record_put(row, "kp", number(kp));
        record_put(row, "pd_dt", number(m->pd_step[i]));
        record_put(row, "spd_dt", number(m->spd_step[i]));
        static const char *const key[] = {"spd_error_1/30", "spd_error_1/60", "spd_error_1/120",
                                          "spd_error_1/240"};
        for (int k = 0; k < 4; k++) {
            struct trial trial = trial_default(true, false, kp);
            trial.dt = 1.0 / (30 << k);
            const struct tracking tracking = run_counted(model, &trial, m);
            record_put(row, key[k], number(fmax(tracking.inf[0], tracking.inf[1])));
        }
    }
}

/* The smallest gain of the tables from which on PD diverges, with and without reference velocity; NAN if
   none. */
static double diverges_from(const struct measured *m) {
    double from = (double)NAN;
    for (int g = GAINS - 1; g >= 0 && m->run[g][0].diverged && m->run[g][1].diverged; g--)
        from = gain[g];
    for (int g = 0; g < GAINS; g++) /* and below it must not */
        if (gain[g] < from && (m->run[g][0].diverged || m->run[g][1].diverged)) return (double)NAN;
    return from;
}

/* Largest relative deviation of our 2-norms from those of the paper that have at least two digits. */
static double deviation(const struct measured *m) {
    double worst = 0.0;
    for (int k = 0; k < DOFS; k++)
        for (int g = 0; g < GAINS; g++)
            for (int i = 0; i < METHODS; i++) {
                const double p = paper[k][g][i][1];
                if (p > 0) worst = fmax(worst, fabs(m->run[g][i].two[k] / p - 1.0));
            }
    return worst;
}

static void claim_tables(const struct measured *m, struct result *result) {
    const double from = diverges_from(m);
    result_claim(result, from == 3000, number(3000), isnan(from) ? none() : number(from),
                 "PD diverges from kp = 3000 on (dt = 1/60 s)");
    result_claim(result, m->spd_diverged == 0, number(0), number(m->spd_diverged),
                 "SPD diverges at no gain up to 3e6: diverged of %d runs", m->spd_runs);
    for (int k = 0; k < DOFS; k++) {
        const double ours = cbrt(m->run[0][3].two[k] / m->run[3][3].two[k]);
        const double theirs = cbrt(paper[k][0][3][1] / paper[k][3][3][1]);
        result_claim(
            result, ours > 7.0 && ours < 14.0, number(theirs), number(ours),
            "with a reference velocity the SPD error of dof %d falls about tenfold for a tenfold gain: "
            "2-norm, mean factor from kp = 30 to 30000",
            k + 1);
        const double level = m->run[3][2].inf[k];
        result_claim(
            result, fabs(level * 60.0 - 1.0) < 0.05, number(paper[k][3][2][0]), number(level),
            "without one the SPD error of dof %d levels off at the delay of one step, dt times the peak "
            "reference speed of 1 rad/s",
            k + 1);
    }
    const double worst = deviation(m);
    result_claim(result, worst < 0.25, number(0), number(worst),
                 "all 2-norms of tables 1 and 2 lie within 25 %% of the paper's: largest deviation");
}

static void claim_figure(const struct measured *m, struct result *result) {
    bool bounded = true, falling = true;
    for (int i = 0; i < FIGURE_GAINS; i++) {
        bounded &= m->spd_step[i] >= 1.0 / 30.0;
        if (i >= 2) falling &= m->pd_step[i] < 0.5 * m->pd_step[i - 1];
    }
    result_claim(result, bounded, number(1.0 / 30.0), number(m->spd_step[FIGURE_GAINS - 1]),
                 "the largest SPD step is bounded by the reference's 1/30 s at every gain up to 3e6");
    result_claim(result, falling, none(), number(m->pd_step[FIGURE_GAINS - 1]),
                 "the largest PD step falls with the gain; at kp = 3e6 (s)");
}

static void put_closing(const struct measured *m, struct result *result) {
    int held = 0;
    for (int i = 0; i < result->nclaim; i++)
        held += result->claim[i].holds;
    const bool boundary = m->semi_implicit_diverged[0] && !m->semi_implicit_diverged[1];
    result_close(
        result,
        "%d of %d claims hold with bobs of %g and %g kg on 1 m rods under explicit Euler, over one period of "
        "the reference; the 2-norms are within %.0f %% of the printed ones.%s",
        held, result->nclaim, PENDULUM_MASS_1, PENDULUM_MASS_2, 100.0 * deviation(m),
        boundary
            ? " The condition kd >= kp dt belongs to explicit Euler: under semi-implicit Euler stable PD "
              "needs kd > 1.5 kp dt at high gain (seen: fails at 1.4, works at 1.6)."
            : "");
}

static void put_settings(struct result *result) {
    result_setting(result, "mass_1", number(PENDULUM_MASS_1));
    result_setting(result, "mass_2", number(PENDULUM_MASS_2));
    result_setting(result, "length_1", number(PENDULUM_LENGTH));
    result_setting(result, "length_2", number(PENDULUM_LENGTH));
    result_setting(result, "bob_radius", number(PENDULUM_RADIUS));
    result_setting(result, "gravity", number(9.81));
    result_setting(result, "q_1_ref", text("cos t"));
    result_setting(result, "q_2_ref", text("cos t + 1"));
    result_setting(result, "start", text("on the reference"));
    result_setting(result, "kd", text("kp dt"));
    result_setting(result, "integrator", text("explicit Euler"));
    result_setting(result, "reference", text("exact"));
    result_setting(result, "duration", number(PENDULUM_DURATION));
    result_setting(result, "diverged", text("an error of 10 rad"));
}

bool run_spd_pendulum(const struct run_settings *settings, struct result *result) {
    sn_error error = {0};
    sn_model *model = pendulum_build(&error);
    if (!model) return complain(EXIT_FAILED, "spd/pendulum: %s", error.message) == EXIT_DONE;
    progress_start("spd/pendulum", FIGURE_GAINS + 1);
    progress_step("tables 1 and 2");
    put_settings(result);
    struct measured m = {0};
    run_tables(model, &m, result);
    run_other_steps(model, &m, result);
    run_references(model, &m, result);
    run_integrators(model, &m, result);
    run_figure(model, settings, &m, result);
    sn_model_free(model);
    if (interrupted()) return true;
    claim_tables(&m, result);
    claim_figure(&m, result);
    put_closing(&m, result);
    return true;
}
