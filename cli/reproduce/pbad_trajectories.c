/* pbad-2018 section 5.2, figures 1 and 4: many trajectories of a swinging chain at once.
 *
 * The paper gives each trajectory a group of cores of a GPU and runs one iteration of all of them at a time. Here a
 * trajectory is a lane of a vector, a block of lanes a thread's, and one sweep of a block is what runs at a time: beside a
 * block that waits at every step for the slowest of its lanes, and beside one trajectory after the other. */
#include "experiment.h"
#include "need.h"
#include "pbad_chain.h"
#include "progress.h"
#include "terminal.h"
#include "timing.h"
#include "workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WAYS = 3, SCENES = 4, SIZES = 3, COUNTS = 4 };
enum { SCALAR, WAITS, SCHEDULED };

static const char *const way_names[WAYS] = {"one lane", "lanes wait", "iterations scheduled"};

static const struct {
    const char *name;
    double dt, calm,
        wild; /* s; rad/s, the largest rate of joints at the start of three in four and of the fourth */
    sn_position_hessian hessian;
    double tolerance;
} scenes[SCENES] = {
    {"alike, mirrored sweeps", 0.02, 0.2, 0.2, SN_POSITION_HESSIAN_MIRRORED, 1e-8},
    {"one in four thrown about, mirrored sweeps", 0.1, 0.2, 60, SN_POSITION_HESSIAN_MIRRORED, 1e-8},
    {"alike, Gauss-Newton as in the paper", 0.02, 0.2, 0.2, SN_POSITION_HESSIAN_GAUSS_NEWTON, 1e-8},
    {"one in four thrown about, Gauss-Newton", 0.02, 0.2, 6, SN_POSITION_HESSIAN_GAUSS_NEWTON, 1e-4},
};

struct bundle { /* of trajectories */
    sn_model *model;
    int nq, nv, count, steps;
    double *start_q, *start_qd, *q, *qd;
    double *first_q, *first_qd; /* where the first way left them */
};

struct tried {
    double ms;
    double apart; /* sweeps of a step: the mean of the thrown ones less that of the others */
    sn_trajectories_report report;
    bool same; /* as the first way, bit by bit */
};

static double unit(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void open_bundle(struct bundle *b, int links, int count, int steps, int scene, uint64_t seed) {
    const struct chain_shape shape = {links, false, 0.3, 0.05, 0};
    *b = (struct bundle){.model = chain_model(&shape), .count = count, .steps = steps};
    b->nq = sn_model_get(b->model)->nq, b->nv = sn_model_get(b->model)->nv;
    const size_t nq = (size_t)(b->nq * count), nv = (size_t)(b->nv * count);
    b->q = need_memory(NULL, 3 * (nq + nv) * sizeof *b->q);
    b->start_q = b->q + nq, b->first_q = b->start_q + nq;
    b->qd = b->first_q + nq, b->start_qd = b->qd + nv, b->first_qd = b->start_qd + nv;
    for (int i = 0; i < count; i++) {
        const double most = i % 4 == 3 ? scenes[scene].wild : scenes[scene].calm;
        chain_pose(b->model, (2 * unit(&seed) - 1) / links, b->start_q + i * b->nq);
        for (int v = 0; v < b->nv; v++)
            b->start_qd[i * b->nv + v] = most * (2 * unit(&seed) - 1);
    }
}

static void close_bundle(struct bundle *b) {
    free(b->q);
    sn_model_free(b->model);
}

static sn_trajectories *open_way(const struct bundle *b, int scene, int way, int threads) {
    sn_error error = {0};
    sn_trajectories_def def = sn_trajectories_def_default();
    def.dt = scenes[scene].dt;
    def.hessian = scenes[scene].hessian;
    def.tolerance = scenes[scene].tolerance;
    def.most = 1000;
    def.lanes = way == SCALAR ? "f64" : NULL;
    def.wait = way == WAITS;
    def.threads = threads;
    sn_trajectories *t = sn_trajectories_create(b->model, &def, &error);
    need(t != NULL, &error);
    return t;
}

static double how_far_apart(const struct bundle *b, const int32_t *sweeps) {
    double sum[2] = {0};
    int n[2] = {0};
    for (int i = 0; i < b->count; i++) {
        sum[i % 4 == 3] += (double)sweeps[i] / b->steps;
        n[i % 4 == 3]++;
    }
    return n[1] ? sum[1] / n[1] - sum[0] / n[0] : 0;
}

/* All ways in turn, repetition by repetition; the least time of each. */
static void race(struct bundle *b, int scene, int threads, int repetitions, struct tried tried[WAYS]) {
    sn_trajectories *t[WAYS] = {0};
    int32_t *sweeps = need_memory(NULL, (size_t)b->count * sizeof *sweeps);
    const sn_trajectories_run run = {.count = b->count, .steps = b->steps, .sweeps = sweeps};
    const size_t nq = (size_t)(b->nq * b->count) * sizeof *b->q,
                 nv = (size_t)(b->nv * b->count) * sizeof *b->q;
    for (int way = 0; way < WAYS; way++) {
        t[way] = open_way(b, scene, way, threads);
        tried[way] = (struct tried){.ms = (double)INFINITY};
    }
    for (int i = 0; i < repetitions * WAYS && !interrupted(); i++) {
        const int way = i % WAYS;
        memcpy(b->q, b->start_q, nq);
        memcpy(b->qd, b->start_qd, nv);
        const double start = clock_seconds();
        sn_trajectories_go(t[way], &run, b->q, b->qd, &tried[way].report);
        tried[way].ms = fmin(tried[way].ms, 1000 * (clock_seconds() - start));
        if (i == 1)
            memcpy(b->first_q, b->q, nq), memcpy(b->first_qd, b->qd, nv); /* the first in wide lanes */
        tried[way].apart = how_far_apart(b, sweeps);
        tried[way].same = memcmp(b->q, b->first_q, nq) == 0 && memcmp(b->qd, b->first_qd, nv) == 0;
    }
    for (int way = 0; way < WAYS; way++)
        sn_trajectories_free(t[way]);
    free(sweeps);
}

struct outcomes {
    struct tried scene[SCENES][WAYS], size[SIZES][WAYS], count[COUNTS][WAYS], threads[2];
    double all_same;
};

static void put_rows(const char *table, const char *name, const struct bundle *b, int links,
                     const struct tried tried[WAYS], struct result *result) {
    for (int way = 0; way < WAYS; way++) {
        const sn_trajectories_report *r = &tried[way].report;
        add_row(result, table, {"trajectories", number(b->count)}, {"links", number(links)},
                {"scene", text(name)}, {"way", text(way_names[way])}, {"lanes", number(r->lanes)},
                {"ms", number(tried[way].ms)}, {"per_second", number(1000 * b->count / tried[way].ms)},
                {"sweeps_a_step", number((double)r->sweeps / b->count / b->steps)},
                {"apart", number(tried[way].apart)}, {"least", number(r->least)}, {"most", number(r->most)},
                {"busy_percent", number(100 * (double)r->sweeps / ((double)r->ticks * r->lanes))});
    }
}

/* What is raced, and the table its rows go into. */
struct heat {
    const char *table;
    int links, count, steps, scene;
};

static void run_case(struct outcomes *o, const struct heat *h, struct tried tried[WAYS],
                     const struct run_settings *settings, struct result *result) {
    struct bundle b;
    progress_step("%d trajectories of %d links, %s", h->count, h->links, scenes[h->scene].name);
    open_bundle(&b, h->links, h->count, h->steps, h->scene, settings->seed);
    race(&b, h->scene, 1, settings->quick ? 1 : 5, tried);
    put_rows(h->table, scenes[h->scene].name, &b, h->links, tried, result);
    o->all_same += !tried[WAITS].same + !tried[SCHEDULED].same;
    close_bundle(&b);
}

/* As many threads as there are cores against one. */
static void run_threads(struct outcomes *o, const struct run_settings *settings, struct result *result) {
    struct bundle b;
    struct tried tried[WAYS];
    progress_step("threads");
    open_bundle(&b, 10, settings->quick ? 16 : 400, 10, 1, settings->seed);
    for (int i = 0; i < 2; i++) {
        const int threads = i ? core_count() : 1;
        race(&b, 1, threads, settings->quick ? 1 : 5, tried);
        o->threads[i] = tried[SCHEDULED];
        o->all_same += !tried[WAITS].same + !tried[SCHEDULED].same;
        add_row(result, "threads over blocks, iterations scheduled", {"threads", number(threads)},
                {"ms", number(tried[SCHEDULED].ms)},
                {"per_second", number(1000 * b.count / tried[SCHEDULED].ms)});
    }
    close_bundle(&b);
}

static double gain(const struct tried tried[WAYS], int over) {
    return tried[over].ms / tried[SCHEDULED].ms;
}

static void put_claims(const struct outcomes *o, struct result *result) {
    const int lanes = o->scene[0][SCHEDULED].report.lanes;
    for (int scene = 0; scene < SCENES; scene++) {
        const struct tried *seen = &o->scene[scene][SCHEDULED];
        if (seen->apart < 4 || lanes < 4) continue; /* two lanes wait little */
        add_claims(
            result,
            {at_least(1.5, FROM_PROMISE), none(), number(gain(o->scene[scene], WAITS)),
             said("figure 1: no lane waits, %s, sweeps of a step %.1f apart: times the trajectories a second",
                  scenes[scene].name, seen->apart)});
    }
    add_claims(
        result,
        {exactly(0, FROM_PROMISE), none(), number(o->all_same),
         "the same bits with and without waiting: runs that differ"},
        {at_least(3, FROM_PAPER), number(6), number(gain(o->size[SIZES - 1], SCALAR)),
         said("4a: lanes against one lane, 40 links, 100 trajectories: times faster, in %d lanes", lanes)},
        {at_least(3, FROM_PAPER), number(4), number(gain(o->count[COUNTS - 1], SCALAR)),
         "4b: as above, 10 links, 400 trajectories: times faster"},
        {at_most(1000, FROM_PAPER), number(1000), number(o->size[SIZES - 1][SCHEDULED].ms),
         "4c: 100 trajectories of 10 steps, 40 links, in less than a second, on one core: ms"});
}

bool run_pbad_trajectories(const struct run_settings *settings, struct result *result) {
    static const int links[SIZES] = {10, 20, 40}, counts[COUNTS] = {50, 100, 200, 400};
    struct outcomes o = {0};
    const int many = settings->quick ? 16 : 256, steps = settings->quick ? 3 : 10;
    add_settings(
        result,
        {"chains", text("links of 0.3 m, radius 0.05 m, universal joints, each chain with a bend and rates "
                        "of its joints of its own; PBAD-2; not printed in the paper")},
        {"steps", number(steps)}, {"lanes", text(lanes_widest(SN_PRECISION_DOUBLE)->name)},
        {"paper", text("a GPU of 3584 cores against a CPU of 4; here lanes of one core against one lane")},
        {"apart", text("sweeps of a step: the mean of those thrown about less that of the others")},
        {"seed", number((double)settings->seed)});
    progress_start("pbad/trajectories", SCENES + SIZES + COUNTS + 1);
    for (int i = 0; i < SCENES && !interrupted(); i++) {
        const struct heat heat = {"figure 1: what waiting costs", 10, many, steps, i};
        run_case(&o, &heat, o.scene[i], settings, result);
    }
    for (int i = 0; i < SIZES && !interrupted(); i++) {
        const struct heat heat = {"figures 4a and 4c: by links", links[i], settings->quick ? 16 : 100, steps,
                                  1};
        run_case(&o, &heat, o.size[i], settings, result);
    }
    for (int i = 0; i < COUNTS && !interrupted(); i++) {
        const struct heat heat = {"figures 4b and 4d: by trajectories", 10,
                                  settings->quick ? counts[i] / 8 : counts[i], steps, 1};
        run_case(&o, &heat, o.count[i], settings, result);
    }
    if (interrupted()) return true;
    run_threads(&o, settings, result);
    put_claims(&o, result);
    result_close(result,
                 "%d of %d claims hold. Scheduling iterations gives %.2f times the trajectories a second of "
                 "lanes that wait where chains are alike and %.2f where one in four is thrown about, with "
                 "the sweep that needs few; with the paper's Gauss-Newton %.2f and %.2f.",
                 result_held(result), result->nclaim, gain(o.scene[0], WAITS), gain(o.scene[1], WAITS),
                 gain(o.scene[2], WAITS), gain(o.scene[3], WAITS));
    return true;
}
