/* maba-2020 table 2: simulated frames a second of one character with each solver, motion by motion. */
#include "experiment.h"
#include "need.h"
#include "progress.h"
#include "terminal.h"
#include "workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 10, SOLVERS = 5, MABA = 0, DENSE = 1, LAPACK = 2, SPARSE = 3, PCG = 4, WIDE = 5, LOADS = 6 };
enum { FIRST_SNAKE = 7, SNAKES = 3, HUMANOID_RUN = 1 };

/* Table 2; the paper's DF stands beside both of our dense solvers. */
static const struct {
    const char *model, *motion;
    double dt;
    double fps[SOLVERS]; /* in the order of solver_names */
} table_2[ROWS] = {
    {"humanoid", "walk", 1.0 / 30, {20224, 13752, 13752, 17083, 14108}},
    {"humanoid", "run", 1.0 / 30, {20523, 14109, 14109, 17048, 14409}},
    {"humanoid", "cartwheel", 1.0 / 30, {20213, 13729, 13729, 16962, 14436}},
    {"humanoid", "backflip", 1.0 / 30, {19387, 13827, 13827, 16943, 14537}},
    {"dog", "pace", 1.0 / 240, {11804, 6572, 6572, 8764, 4838}},
    {"dog", "trot", 1.0 / 240, {11540, 6551, 6551, 8969, 4682}},
    {"dog", "canter", 1.0 / 240, {11700, 6498, 6498, 8738, 4553}},
    {"snake36", "slither", 1.0 / 30, {16444, 11897, 11897, 12259, 11935}},
    {"snake72", "slither", 1.0 / 30, {8334, 5099, 5099, 3979, 5069}},
    {"snake195", "slither", 1.0 / 30, {3036, 1036, 1036, 417, 944}},
};

struct speeds {
    double fps[ROWS][LOADS]; /* NAN: not in this build; the last: MABA, a float crowd in the widest lanes */
};

/* Puts the motion in the place of the targets the workload came with. */
static void follow(struct workload *w, const sn_motion *motion, double dt) {
    const size_t nq = (size_t)w->nq, nv = (size_t)w->nv;
    double *q = need_memory(NULL, (nq + nv) * sizeof *q), *qd = q + nq;
    sn_motion_sample(motion, 0.0, q, qd);
    for (int c = 0; c < w->count; c++) {
        memcpy(w->start_q + (size_t)c * nq, q, nq * sizeof *q);
        memcpy(w->start_qd + (size_t)c * nv, qd, nv * sizeof *qd);
    }
    for (int f = 0; f < w->steps; f++) {
        sn_motion_sample(motion, (f + 1) * dt, q, qd);
        for (int c = 0; c < w->count; c++)
            memcpy(w->target + ((size_t)f * (size_t)w->count + (size_t)c) * nq, q, nq * sizeof *q);
    }
    free(q);
}

/* The solvers on scalar doubles, and the crowd. */
static struct workload_def define(int row, int load, const sn_motion *motion, bool quick) {
    const sn_lanes_info *wide = lanes_widest(SN_PRECISION_FLOAT);
    const double round = fmin(sn_motion_get(motion)->duration, 2.0) / table_2[row].dt;
    return (struct workload_def){.lanes = load == WIDE ? wide : need_lanes("f64"),
                                 .solver = load == WIDE ? SN_SOLVER_MABA : solver_names[load].solver,
                                 .form = SN_FORM_STABLE,
                                 .count = load == WIDE   ? 4 * wide->width
                                          : load == MABA ? 16
                                                         : 1,
                                 .dt = table_2[row].dt,
                                 .driven = true,
                                 .moving = true,
                                 .steps = quick ? 4 : (int)(round + 0.5)};
}

/* All loads of a row, repetition by repetition, so that a disturbance spoils one repetition of each. */
static bool measure(int row, const sn_model *model, const sn_motion *motion, bool quick, double fps[LOADS]) {
    const struct timing once = {.seconds = quick ? 0.0005 : 0.008, .repetitions = 1};
    struct workload load[LOADS] = {0};
    bool good = true;
    for (int i = 0; i < LOADS && good; i++) {
        const struct workload_def def = define(row, i, motion, quick);
        sn_error error = {0};
        const sn_status status = workload_create(&load[i], model, &def, &error);
        fps[i] = (double)NAN;
        if (status == SN_OK)
            follow(&load[i], motion, def.dt);
        else if (status != SN_ERROR_UNSUPPORTED)
            good = complain(EXIT_FAILED, "cannot measure: %s", error.message) == EXIT_DONE;
    }
    for (int r = 0; r < (quick ? 2 : 21) && good; r++)
        for (int i = 0; i < LOADS && !interrupted(); i++)
            if (load[i].dynamics) fps[i] = 1e6 / workload_time(&load[i], &once);
    for (int i = 0; i < LOADS; i++) {
        if (good && load[i].lost)
            good = complain(EXIT_FAILED, "a measured character stopped being finite") == EXIT_DONE;
        workload_free(&load[i]);
    }
    return good;
}

static struct value speed(double fps) {
    return isnan(fps) ? none() : number(fps);
}

static void put_row(struct result *result, int row, const double fps[LOADS]) {
    static const char *const key[] = {"maba", "dense", "lapack", "sparse", "pcg"};
    static const char *const paper_key[] = {"paper_maba", "", "paper_df", "paper_sf", "paper_pcg"};
    struct record *record =
        add_row(result, "frames (character-steps) a second on one thread; wide: a float crowd",
                {"model", text(table_2[row].model)}, {"motion", text(table_2[row].motion)});
    for (int s = 0; s < SOLVERS; s++) {
        record_put(record, key[s], speed(fps[s]));
        if (s != DENSE) record_put(record, paper_key[s], number(table_2[row].fps[s]));
    }
    add_fields(record, {"maba_us", speed(1e6 / fps[MABA])}, {"wide", speed(fps[WIDE])},
               {"lanes", text(lanes_widest(SN_PRECISION_FLOAT)->name)});
}

static bool run_row(int row, const struct run_settings *settings, struct speeds *speeds,
                    struct result *result) {
    sn_error error = {0};
    sn_model *model = sn_builtin_create(table_2[row].model, &error);
    sn_motion *motion = model ? sn_builtin_motion_create(table_2[row].motion, model, &error) : NULL;
    progress_step("%s %s", table_2[row].model, table_2[row].motion);
    const bool good = motion ? measure(row, model, motion, settings->quick, speeds->fps[row])
                             : complain(EXIT_FAILED, "maba/speed: %s", error.message) == EXIT_DONE;
    if (good && !interrupted()) put_row(result, row, speeds->fps[row]);
    sn_motion_free(motion);
    sn_model_free(model);
    return good;
}

static void put_ratios(const struct speeds *speeds, struct result *result) {
    for (int r = 0; r < ROWS; r++) {
        static const char *const key[] = {"", "maba/dense", "maba/lapack", "maba/sparse", "maba/pcg"};
        static const char *const paper_key[] = {"", "paper_maba/df", "", "paper_maba/sf", "paper_maba/pcg"};
        const double *fps = speeds->fps[r], *paper = table_2[r].fps;
        struct record *row =
            add_row(result, "how many times faster MABA is (scalar double), and the crowd in wide lanes",
                    {"model", text(table_2[r].model)}, {"motion", text(table_2[r].motion)});
        for (int s = 1; s < SOLVERS; s++) {
            record_put(row, key[s], speed(fps[MABA] / fps[s]));
            if (s != LAPACK) record_put(row, paper_key[s], number(paper[MABA] / paper[s]));
        }
        record_put(row, "wide/scalar", number(fps[WIDE] / fps[MABA]));
    }
}

static void put_claims(const struct speeds *speeds, struct result *result) {
    int fastest = 0, snakes = 0, trees = 0, ratios = 0;
    double least = INFINITY;
    for (int r = 0; r < ROWS; r++) {
        const double *fps = speeds->fps[r], *paper = table_2[r].fps;
        bool first = true;
        for (int s = 1; s < SOLVERS; s++)
            first &= !(fps[s] >= fps[MABA]);
        fastest += first;
        if (r >= FIRST_SNAKE)
            snakes += fps[SPARSE] < fps[DENSE];
        else
            trees += fps[SPARSE] > fps[DENSE];
        ratios += fps[MABA] / fps[DENSE] >= paper[MABA] / paper[DENSE];
        least = fmin(least, fps[MABA] / paper[MABA]);
    }
    add_claims(
        result,
        {exactly(ROWS, FROM_PAPER), number(ROWS), number(fastest),
         "motions on which MABA is the fastest solver"},
        {exactly(FIRST_SNAKE, FROM_PAPER), number(FIRST_SNAKE), number(trees),
         said("SF is faster than DF on shallow trees: of the %d motions of humanoid and dog", FIRST_SNAKE)},
        {at_least(2, FROM_PAPER), number(2), number(snakes),
         said("SF is slower than DF on chains: of the %d snakes (in the paper not on the shortest)", SNAKES)},
        {exactly(ROWS, FROM_PAPER), none(), number(ratios),
         said("MABA over DF is at least the paper's ratio: of %d motions", ROWS)});
    const double *run = speeds->fps[HUMANOID_RUN], *snake = speeds->fps[ROWS - 1];
    const double *paper_run = table_2[HUMANOID_RUN].fps, *paper_snake = table_2[ROWS - 1].fps;
    result_close(result,
                 "MABA is the fastest on %d of %d motions. The paper's frames hold a whole engine's step on "
                 "its authors' machine: frames a second are not comparable (the least here is %.1f times the "
                 "paper's), and its ratios differ from those of the bare solvers here: MABA is %.1f times "
                 "faster than the dense solve on the humanoid's run and %.1f times on the 195-degree snake, "
                 "where the paper has %.1f and %.1f.",
                 fastest, ROWS, least, run[MABA] / run[DENSE], snake[MABA] / snake[DENSE],
                 paper_run[MABA] / paper_run[DENSE], paper_snake[MABA] / paper_snake[DENSE]);
}

bool run_maba_speed(const struct run_settings *settings, struct result *result) {
    struct speeds speeds;
    progress_start("maba/speed", ROWS);
    add_settings(
        result, {"motion", text("built in; targets without velocity, set before each step, untimed")},
        {"root_kp", number(20000)}, {"root_kd", number(2000)}, {"kp", number(75000)}, {"kd", number(4000)},
        {"dt", text("1/30 s; dog 1/240 s")}, {"damping", text("none but kd; no contact")},
        {"timed", text("steps only, minimum of repetitions")});
    for (int r = 0; r < ROWS && !interrupted(); r++)
        if (!run_row(r, settings, &speeds, result)) return false;
    if (interrupted()) return true;
    put_ratios(&speeds, result);
    put_claims(&speeds, result);
    return true;
}
