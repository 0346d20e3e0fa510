/* kokkevis-2004 sections 4.2 and 4.3: what a column of the constraint matrix costs, by acceleration deltas, by a
 * whole articulated-body pass for each test force, and by one that keeps what depends on the state alone.
 *
 * The time of the matrix is a + b m + c m^2 with m rows. Rows are points of bodies on springs, three each; the slope
 * of a straight line through the times is what a row costs, the building of the row and its m products included.
 * The same slope for a single free body holds all of that and next to nothing of the passes: the difference is
 * the cost of the passes through the tree, which is what the paper's profile compares. */
#include "experiment.h"
#include "plot.h"
#include "progress.h"
#include "need.h"
#include "paper_world.h"
#include "scenes/shapes.h"
#include "terminal.h"
#include "timing.h"

#include <math.h>
#include <sinew/dynamics.h>
#include <sinew/studies.h>
#include <stdio.h>
#include <stdlib.h>

enum { SUBJECTS = 4, PLACES = 2, METHODS = 3, SIZES = 6, ROW_STEP = 12, MOST_ROWS = ROW_STEP * (SIZES - 1) };
enum { DELTAS, WHOLE, CACHED };

static const char *const subjects[SUBJECTS] = {"free body", "humanoid", "dog", "snake72"};
static const char *const places[PLACES] = {"leaves", "all bodies"};
static const sn_row_response methods[METHODS] = {SN_ROW_RESPONSE_DELTAS, SN_ROW_RESPONSE_TEST_FORCES,
                                                 SN_ROW_RESPONSE_CACHED};

struct deltas {
    double us[SUBJECTS][PLACES][METHODS][SIZES]; /* of the whole matrix */
    double slope[SUBJECTS][PLACES][METHODS];     /* us per row */
    double difference;                           /* of the matrices, largest, relative */
};

static sn_model *build(int subject) {
    if (subject > 0) return need_builtin(subjects[subject]);
    sn_error error = {0};
    sn_shape_def ball = sn_shape_def_default(SN_SHAPE_SPHERE);
    ball.size[0] = 0.1;
    return need_model(scene_body_model(&ball, &error), &error);
}

static bool is_leaf(const sn_model *model, int body) {
    for (int b = body + 1; b < sn_model_get(model)->nbody; b++)
        if (sn_model_body(model, b)->parent == body) return false;
    return true;
}

/* Every body, or every leaf, in turn: the nth of them, counted round. */
static int nth_body(const sn_model *model, int place, int nth) {
    const int nbody = sn_model_get(model)->nbody;
    for (int b = 0;; b = (b + 1) % nbody)
        if ((place == 1 || is_leaf(model, b)) && nth-- == 0) return b;
}

/* A bent pose, so that nothing vanishes by chance, with drives as maba-2020 section 4.1 has them. */
static void bend(sn_world *world, const sn_model *model) {
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv;
    double *q = need_memory(NULL, (size_t)(2 * nq + nv) * sizeof *q), *other = q + nq, *bent = other + nq;
    sn_model_zero_pose(model, q);
    for (int i = 0; i < nv; i++)
        bent[i] = 0.2 * sin(1.0 + 3.0 * i);
    sn_model_pose_add(model, 1, q, bent, other);
    set_uniform_gains(world, 0, 20000, 2000, 75000, 4000);
    sn_world_set_target(world, 0, other, NULL);
    sn_world_set_state(world, 0, other, bent);
    free(q);
}

static sn_world *make_world(const sn_model *model, int place, int rows) {
    sn_world_def def =
        paper_world_def();    /* by rows, so that a world without any is treated as the others are */
    def.joint_limits = false; /* no rows but those asked for */
    sn_error error = {0};
    sn_world *world = need_world(&def);
    need_member(world, model);
    for (int i = 0; i < rows / 3; i++) {
        sn_constraint_def point =
            sn_constraint_def_default(SN_CONSTRAINT_SPRING); /* the rows that are made fastest */
        point.body = nth_body(model, place, i);
        point.point[0] = 0.05 + 0.01 * i;
        point.point[2] = -0.03;
        point.stiffness = 1e15; /* no compliance that would count in the matrix */
        need(sn_world_add_constraint(world, &point, &error) != 0, &error);
    }
    bend(world, model);
    return world;
}

/* Microseconds a matrix, by a portion of some tenths of a millisecond. */
static double time_matrix(sn_world *world, sn_row_response response, int portion) {
    const double start = clock_seconds();
    for (int i = 0; i < portion; i++)
        sn_study_response_matrix(world, 0, response, NULL, 0);
    return 1e6 * (clock_seconds() - start) / portion;
}

static double fit_slope(const double us[SIZES]) {
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < SIZES; i++) {
        const double m = i * ROW_STEP;
        x += m, y += us[i], xx += m * m, xy += m * us[i];
    }
    return (SIZES * xy - x * y) / (SIZES * xx - x * x);
}

/* Largest difference of the matrices, as a part of the largest entry. */
static double compare(sn_world *world) {
    enum { N = MOST_ROWS };
    double *matrix = need_memory(NULL, METHODS * N * N * sizeof *matrix);
    double difference = 0, scale = 0;
    for (int m = 0; m < METHODS; m++)
        if (sn_study_response_matrix(world, 0, methods[m], matrix + m * N * N, N) != N) difference = INFINITY;
    for (int i = 0; i < N * N; i++) {
        scale = fmax(scale, fabs(matrix[i]));
        for (int m = 1; m < METHODS; m++)
            difference = fmax(difference, fabs(matrix[m * N * N + i] - matrix[i]));
    }
    free(matrix);
    return difference / scale;
}

struct subject {
    sn_model *model;
    sn_world *world[PLACES][SIZES];
};

static void make_subject(struct subject *subject, int which) {
    subject->model = build(which);
    for (int p = 0; p < PLACES; p++)
        for (int s = 0; s < SIZES; s++)
            subject->world[p][s] = make_world(subject->model, p, s * ROW_STEP);
}

static void free_subject(struct subject *subject) {
    for (int p = 0; p < PLACES; p++)
        for (int s = 0; s < SIZES; s++)
            sn_world_free(subject->world[p][s]);
    sn_model_free(subject->model);
}

/* One repetition of everything. They go round all measurements, so that a disturbance spoils only one of
   each. */
static void measure(const struct subject subject[SUBJECTS], int portion, struct deltas *d) {
    for (int i = 0; i < SUBJECTS; i++)
        for (int p = 0; p < PLACES; p++)
            for (int s = 0; s < SIZES; s++)
                for (int m = 0; m < METHODS; m++) {
                    double *us = &d->us[i][p][m][s];
                    const double now = time_matrix(subject[i].world[p][s], methods[m], portion);
                    if (*us == 0 || now < *us) *us = now;
                }
}

static void finish(const struct subject subject[SUBJECTS], struct deltas *d) {
    for (int i = 0; i < SUBJECTS; i++)
        for (int p = 0; p < PLACES; p++) {
            d->difference = fmax(d->difference, compare(subject[i].world[p][SIZES - 1]));
            for (int m = 0; m < METHODS; m++)
                d->slope[i][p][m] = fit_slope(d->us[i][p][m]);
        }
}

/* What the passes through the tree cost per row: without what a single body costs as well. */
static double net(const struct deltas *d, int subject, int place, int method) {
    return d->slope[subject][place][method] - d->slope[0][place][method];
}

static void put_times(const struct deltas *d, int subject, int place, struct result *result) {
    static const char *const names[METHODS] = {"deltas", "whole passes", "cached passes"};
    for (int m = 0; m < METHODS; m++) {
        static const char *const key[SIZES] = {"m=0", "m=12", "m=24", "m=36", "m=48", "m=60"};
        struct record *row = add_row(result, "microseconds per matrix of m rows; slope: per row",
                                     {"model", text(subjects[subject])}, {"rows_at", text(places[place])},
                                     {"method", text(names[m])});
        for (int s = 0; s < SIZES; s++)
            record_put(row, key[s], number(d->us[subject][place][m][s]));
        record_put(row, "slope_us", number(d->slope[subject][place][m]));
    }
}

static void put_ratios(const struct deltas *d, struct result *result) {
    for (int s = 1; s < SUBJECTS; s++)
        for (int p = 0; p < PLACES; p++) {
            const double *slope = d->slope[s][p];
            add_row(result, "how many times the cost of deltas; net: passes through the tree alone",
                    {"model", text(subjects[s])}, {"rows_at", text(places[p])},
                    {"whole/deltas", number(slope[WHOLE] / slope[DELTAS])},
                    {"whole/deltas_net", number(net(d, s, p, WHOLE) / net(d, s, p, DELTAS))},
                    {"paper_whole", number(3)}, {"cached/deltas", number(slope[CACHED] / slope[DELTAS])},
                    {"cached/deltas_net", number(net(d, s, p, CACHED) / net(d, s, p, DELTAS))},
                    {"paper_cached", text("1.5-1.6")});
        }
}

/* The least ratio among some subjects. */
static double least_net(const struct deltas *d, int first, int last, int method) {
    double least = INFINITY;
    for (int s = first; s <= last; s++)
        for (int p = 0; p < PLACES; p++)
            least = fmin(least, net(d, s, p, method) / net(d, s, p, DELTAS));
    return least;
}

static void put_claims(const struct deltas *d, struct result *result) {
    const double whole = least_net(d, 1, SUBJECTS - 1, WHOLE), cached = least_net(d, 1, 2, CACHED);
    const double chain = net(d, 3, 0, CACHED) / net(d, 3, 0, DELTAS);
    add_claims(result,
               {at_most(5e-12, FROM_ROUNDING), none(), number(d->difference),
                "all three give the same matrix: largest difference, of the largest entry"},
               {at_least(3, FROM_PAPER), text("about 3"), number(whole),
                "a whole articulated-body pass costs at least 3 times as much as deltas: the least ratio"},
               {at_least(1.5, FROM_PAPER), text("1.5-1.6"), number(cached),
                "a cached pass costs at least 1.5 times as much as deltas (humanoid, dog): the least ratio"},
               {at_least(1.5, FROM_PAPER), text("1.5-1.6"), number(chain),
                "the same for a chain with all rows at its one end, where no body can be passed over"});
    result_close(result,
                 "On the humanoid with rows at its leaves, the paper's worst case, a whole pass costs %.1f "
                 "and a cached one %.2f times as much as acceleration deltas, counting the passes alone. "
                 "Where all rows are at one end of a chain no body can be passed over, and what is left of "
                 "the advantage over cached passes is %.2f.",
                 net(d, 1, 0, WHOLE) / net(d, 1, 0, DELTAS), net(d, 1, 0, CACHED) / net(d, 1, 0, DELTAS),
                 chain);
}

static bool plot_subject(const struct deltas *d, int subject, const char *folder) {
    double x[SIZES];
    for (int s = 0; s < SIZES; s++)
        x[s] = s * ROW_STEP;
    const struct plot_line line[METHODS] = {
        {"whole passes", d->us[subject][0][WHOLE], plot_colours[0], false, 2},
        {"cached passes", d->us[subject][0][CACHED], plot_colours[1], false, 2},
        {"deltas", d->us[subject][0][DELTAS], plot_colours[2], false, 2}};
    const struct plot plot = plot_of(said("%s: constraint matrix, rows at the leaves", subjects[subject]),
                                     "rows", "microseconds", x, SIZES, line, METHODS);
    return plot_write(said("%s/kokkevis-deltas-%s.svg", folder, subjects[subject]), &plot);
}

static bool report(const struct run_settings *settings, const struct deltas *d, struct result *result) {
    for (int i = 0; i < SUBJECTS; i++)
        for (int p = 0; p < PLACES; p++)
            put_times(d, i, p, result);
    put_ratios(d, result);
    put_claims(d, result);
    for (int i = 1; i < SUBJECTS && settings->plot; i++)
        if (!plot_subject(d, i, settings->plot)) return false;
    return true;
}

bool run_kokkevis_deltas(const struct run_settings *settings, struct result *result) {
    struct deltas d = {0};
    struct subject subject[SUBJECTS] = {0};
    const int repetitions = settings->quick ? 2 : 100;
    add_settings(result,
                 {"rows", text("points of bodies on stiff springs, 3 rows each; no contacts, no limits. Rows "
                               "of paths look at five poses each, which all three ways pay for: with them "
                               "the ratios are smaller, that to cached passes by a fifth")},
                 {"gains", text("root 20000/2000, joints 75000/4000: the matrix is J (M + K)^-1 J^T")});
    put_paper_world(result);
    result_setting(result, "timed", text("sn_study_response_matrix, double, minimum of repetitions"));
    for (int i = 0; i < SUBJECTS; i++)
        make_subject(&subject[i], i);
    progress_start("kokkevis/deltas", repetitions);
    for (int r = 0; r < repetitions && (r == 0 || !interrupted()); r++) {
        progress_step("repetition %d", r + 1);
        measure(subject, settings->quick ? 1 : 6, &d);
    }
    finish(subject, &d);
    for (int i = 0; i < SUBJECTS; i++)
        free_subject(&subject[i]);
    return report(settings, &d, result);
}
