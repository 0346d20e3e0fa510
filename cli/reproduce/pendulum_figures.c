/* spd-2011 figures 2 and 3: the tracking error of each degree of freedom over time, without (left) and with (right) a
 * reference velocity, at dt = 1/60 s. The curves of the paper are in a picture; what its text says of them is that stable
 * PD swings less about the reference at small gains, and that PD is lost at large ones. */
#include "experiment.h"
#include "pendulum_run.h"
#include "plot.h"
#include "terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CURVES = 2 * PENDULUM_GAINS, STEPS = 378, SHOWN_EVERY = 30 };

static const char *const names[CURVES] = {"PD_30",  "PD_300",  "PD_3000",  "PD_30000",
                                          "SPD_30", "SPD_300", "SPD_3000", "SPD_30000"};

/* One half of both figures: the errors of PD, then of stable PD, gain by gain. */
struct half {
    double error[CURVES][STEPS][2];
};

static void run_half(const sn_model *model, bool velocity, struct half *half) {
    for (int c = 0; c < CURVES; c++) {
        struct trial trial = trial_default(c >= PENDULUM_GAINS, velocity, pendulum_gain[c % PENDULUM_GAINS]);
        trial.trace = half->error[c];
        trial_run(model, &trial);
    }
}

static void put_rows(const struct half *half, const char *title, int dof, struct result *result) {
    for (int i = SHOWN_EVERY - 1; i < STEPS; i += SHOWN_EVERY) {
        struct record *row = add_row(result, title, {"t", number((i + 1) / 60.0)});
        for (int c = 0; c < CURVES; c++)
            record_put(row, names[c], number(half->error[c][i][dof]));
    }
}

/* The way the error goes up and down: the sum of its changes. */
static double swing_of(const struct half *half, int curve, int dof) {
    double way = 0;
    for (int i = 1; i < STEPS; i++)
        way += fabs(half->error[curve][i][dof] - half->error[curve][i - 1][dof]);
    return way;
}

static void compare(const struct half *half, struct swings *swings) {
    for (int g = 0; g < 2; g++)
        for (int dof = 0; dof < 2; dof++) {
            const double ratio = swing_of(half, PENDULUM_GAINS + g, dof) / swing_of(half, g, dof);
            swings->compared++;
            swings->smaller += ratio < 1;
            swings->most = fmax(swings->most, ratio);
        }
}

static bool plot_half(const struct half *half, const char *title, const char *file, int dof,
                      const char *folder, struct result *result) {
    static double x[STEPS], y[CURVES][STEPS];
    struct plot_line line[CURVES];
    int n = 0;
    for (int c = 0; c < CURVES; c++) {
        for (int i = 0; i < STEPS; i++) {
            x[i] = (i + 1) / 60.0;
            y[c][i] = half->error[c][i][dof];
        }
        if (!isfinite(y[c][STEPS - 1])) continue; /* the run that is lost would hide all others */
        line[n++] =
            (struct plot_line){names[c], y[c], plot_colours[c % PENDULUM_GAINS], c < PENDULUM_GAINS, 1.5};
    }
    const struct plot plot = plot_of(title, "time (s)", "error (rad)", x, STEPS, line, n);
    return result_draw(result, folder, file, &plot);
}

bool pendulum_figures(const sn_model *model, const struct run_settings *settings, struct swings *swings,
                      struct result *result) {
    static const struct {
        const char *title, *file;
        int dof, velocity;
    } picture[4] = {{"figure 2, left: error (rad) of dof 1, no reference velocity",
                     "spd-pendulum-figure2-left.svg", 0, 0},
                    {"figure 2, right: error (rad) of dof 1, with reference velocity",
                     "spd-pendulum-figure2-right.svg", 0, 1},
                    {"figure 3, left: error (rad) of dof 2, no reference velocity",
                     "spd-pendulum-figure3-left.svg", 1, 0},
                    {"figure 3, right: error (rad) of dof 2, with reference velocity",
                     "spd-pendulum-figure3-right.svg", 1, 1}};
    struct half *half = need_memory(NULL, 2 * sizeof *half);
    bool good = true;
    for (int v = 0; v < 2; v++) {
        run_half(model, v, &half[v]);
        compare(&half[v], swings);
    }
    for (int i = 0; i < 4; i++)
        put_rows(&half[picture[i].velocity], picture[i].title, picture[i].dof, result);
    for (int i = 0; i < 4 && settings->plot && good; i++)
        good = plot_half(&half[picture[i].velocity], picture[i].title, picture[i].file, picture[i].dof,
                         settings->plot, result);
    free(half);
    return good;
}
