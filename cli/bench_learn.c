/* sinew bench learn: what a sample of a training costs, for networks of several sizes, on one thread and on all cores.
 *
 * A sample is a control step of one copy: 8 steps of 1/240 s with contacts and torque limits. Simulation is measured in the very
 * states of a training: its worlds step once more from where they are, and are put back. */
#include "bench_learn.h"

#include "experiment.h"
#include "experiment_print.h"
#include "learn_settings.h"
#include "options.h"
#include "progress.h"
#include "terminal.h"
#include "timing.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct options options = {
    .help = "--hidden LIST  only networks of these widths, as 256,256 (default: four sizes)\n--threads N  "
            "beside one thread (default: one per core)\n--repetitions N  iterations of each measurement; the "
            "fastest counts (default 24)\n--quick  few iterations: to try out, not to compare\n--json  print "
            "JSON instead of tables\n"};

void help_bench_learn(void) {
    printf(
        "usage: sinew bench learn [CHARACTER MOTION] [--hidden LIST] [--threads N] [--repetitions N] "
        "[--quick]\n                         [--json]\n\nMicroseconds of one core per sample of a training "
        "(a control step of one copy: 8 steps of 1/240 s\nwith contacts and torque limits), by parts: "
        "simulation; observation and reward; inference; update;\nand samples per second on one thread and on "
        "several. Character and motion are built-in names or\nfiles (default humanoid walk).\n\noptions\n");
    options_print(&options);
}

enum { MOST_NETS = 4, WARM_UP = 12 };

/* Seconds per sample, the least of all repetitions. What one thread takes is reported by the core's own clock, which
   does not count while others have the core; what several gain, by that on the wall. */
struct costs {
    double simulate, step;        /* of the core; step: simulate, observation and reward */
    double core;                  /* of the core, a whole iteration */
    double wall, collect, update; /* on the wall: a whole iteration, its rollout, its update */
};

struct bench_task {
    struct learn_settings settings;
    struct learn_task task;
    sn_environment_info info;
};

static double core_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* -------------------------------------------------------------------------------------------------- the environment */

/* Arrays of a step of all copies. */
struct stage {
    sn_environment_out out;
    float *action;
    void *snapshot;
    size_t room;
};

static struct stage make_stage(const sn_environment_info *info) {
    const size_t n = (size_t)info->copies;
    struct stage s = {.out = {.observation = need_memory(NULL, n * (size_t)info->observations * sizeof(float)),
                              .reward = need_memory(NULL, n * sizeof(float)),
                              .terminated = need_memory(NULL, n),
                              .truncated = need_memory(NULL, n)},
                      .action = need_memory(NULL, n * (size_t)info->actions * sizeof(float))};
    return s;
}

static void free_stage(struct stage *s) {
    free(s->out.observation), free(s->out.reward), free(s->out.terminated), free(s->out.truncated);
    free(s->action), free(s->snapshot);
}

/* The steps of one control step of all worlds, from where they are; then they are put back. */
static double simulate_once(struct bench_task *b, struct stage *s) {
    double seconds = 0;
    for (int copy = 0, number; copy < b->info.copies; copy++) {
        sn_world *world = sn_environment_world(b->task.env, copy, &number);
        if (number) continue; /* one of a world that was seen */
        const size_t size = sn_world_snapshot(world, NULL, 0);
        if (size > s->room) s->snapshot = need_memory(s->snapshot, s->room = size);
        if (!sn_world_snapshot(world, s->snapshot, size)) return (double)NAN;
        const double before = core_seconds();
        for (int k = 0; k < b->settings.imitation.substeps; k++)
            sn_world_step(world);
        seconds += core_seconds() - before;
        if (sn_world_restore(world, s->snapshot, size, NULL)) return (double)NAN;
    }
    return seconds / b->info.copies;
}

/* Simulation, and a whole step of the environment, under the policy. */
static bool measure_steps(struct bench_task *b, sn_policy *policy, int repetitions, struct costs *least) {
    struct stage s = make_stage(&b->info);
    sn_error error = {0};
    sn_status status = sn_environment_reset(b->task.env, NULL, NULL, s.out.observation, &error);
    for (int i = 0; i < repetitions + WARM_UP && !status && !interrupted(); i++) {
        sn_policy_act(policy, b->info.copies, s.out.observation, s.action);
        const double simulate = i < WARM_UP ? (double)INFINITY : simulate_once(b, &s),
                     before = core_seconds();
        status = sn_environment_step(b->task.env, s.action, &s.out, &error);
        const double step = i < WARM_UP ? (double)INFINITY : (core_seconds() - before) / b->info.copies;
        least->simulate = fmin(least->simulate, simulate);
        least->step = fmin(least->step, step);
    }
    free_stage(&s);
    return !status || complain(EXIT_FAILED, "%s", error.message) == EXIT_DONE;
}

/* ------------------------------------------------------------------------------------------------------ the trainer */

static bool measure_iterations(struct bench_task *b, const sn_trainer_def *def, int repetitions,
                               sn_policy **policy, struct costs *least) {
    sn_error error = {0};
    sn_trainer *trainer = sn_trainer_create(b->task.env, def, &error);
    const double samples = (double)b->info.copies * def->horizon;
    sn_status status = trainer ? SN_OK : error.status;
    for (int i = 0; i < repetitions + 2 && !status && !interrupted(); i++) {
        sn_training t;
        const double before = core_seconds();
        status = sn_trainer_iterate(trainer, &t, &error);
        if (status || i < 2) continue; /* the first only scales observations */
        least->collect = fmin(least->collect, t.collect_seconds / samples);
        least->update = fmin(least->update, t.update_seconds / samples);
        least->wall = fmin(least->wall, (t.collect_seconds + t.update_seconds) / samples);
        least->core = fmin(least->core, (core_seconds() - before) / samples);
    }
    if (!status && policy && !(*policy = sn_trainer_policy(trainer, NULL, &error))) status = error.status;
    sn_trainer_free(trainer);
    return !status || complain(EXIT_FAILED, "%s", error.message) == EXIT_DONE;
}

static const struct costs nothing = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};

static bool measure_net(struct bench_task *b, const int hidden[4], int threads, int repetitions,
                        struct result *rows) {
    struct costs one = nothing, all = nothing;
    sn_trainer_def def = b->settings.trainer;
    sn_policy *policy = NULL;
    char name[64];
    int length = snprintf(name, sizeof name, "%d", hidden[0]);
    for (int k = 1; k < 4 && hidden[k]; k++)
        length += snprintf(name + length, sizeof name - (size_t)length, "-%d", hidden[k]);
    memcpy(def.hidden, hidden, sizeof def.hidden);
    def.threads = 1;
    progress_step("%s, one thread", name);
    bool good = measure_iterations(b, &def, repetitions, &policy, &one);
    if (good && policy) good = measure_steps(b, policy, repetitions, &one);
    sn_policy_free(policy);
    def.threads = threads;
    progress_step("%s, %d threads", name, threads);
    if (good && threads > 1) good = measure_iterations(b, &def, repetitions, NULL, &all);
    if (!good || interrupted()) return good;
    const double update = one.core * one.update / (one.collect + one.update);
    add_row(rows, NULL, {"net", text(name)}, {"simulation_us", number(1e6 * one.simulate)},
            {"observation_us", number(1e6 * (one.step - one.simulate))},
            {"inference_us", number(1e6 * (one.core - update - one.step))},
            {"update_us", number(1e6 * update)}, {"samples_per_s", number(1 / one.core)},
            {"threads", number(threads)}, {"with_threads", threads > 1 ? number(1 / all.wall) : none()},
            {"times", threads > 1 ? number(one.wall / all.wall) : none()});
    return true;
}

/* ------------------------------------------------------------------------------------------------------ the command */

static int run(struct bench_task *b, int threads, int repetitions) {
    static const int sizes[MOST_NETS][4] = {{128, 128}, {256, 256}, {512, 256}, {1024, 512}};
    const bool own = option_given(&options, "--hidden");
    struct result rows = {0};
    bool good = true;
    progress_start("bench learn", 2 * (own ? 1 : MOST_NETS));
    for (int i = 0; i < (own ? 1 : MOST_NETS) && good && !interrupted(); i++)
        good = measure_net(b, own ? b->settings.trainer.hidden : sizes[i], threads, repetitions, &rows);
    progress_end();
    cJSON *json = option_given(&options, "--json") ? cJSON_CreateObject() : NULL;
    char heading[160];
    snprintf(heading, sizeof heading,
             "%s, %s: microseconds of one core per sample, minima of %d; samples per second",
             b->settings.character, b->settings.motion, repetitions);
    print_part(json, "rows", heading, &rows);
    if (json) print_json(stdout, json);
    if (interrupted()) return complain(EXIT_INTERRUPTED, "interrupted: the result above is not complete");
    return good ? EXIT_DONE : EXIT_FAILED;
}

static int open_bench(struct bench_task *b) {
    if (options.nword != 1 && options.nword != 3)
        return complain(EXIT_USAGE, "name a character and a motion, or neither");
    const int code = learn_settings_options(&b->settings, &options);
    if (code != EXIT_DONE) return code;
    free(b->settings.character), free(b->settings.motion);
    b->settings.character = copy_text(options.nword > 1 ? options.word[1] : "humanoid");
    b->settings.motion = copy_text(options.nword > 1 ? options.word[2] : "walk");
    if (!learn_task_open(&b->task, &b->settings, 0, 0)) return EXIT_FAILED;
    sn_environment_get_info(b->task.env, &b->info);
    return EXIT_DONE;
}

int bench_learn(int argc, char **argv) {
    struct bench_task b = {0};
    long repetitions = 0, threads = core_count();
    int code = options_parse(&options, argc, argv);
    if (code == EXIT_DONE) code = option_number(&options, "--repetitions", 1, 100000, &repetitions);
    if (code == EXIT_DONE) code = option_number(&options, "--threads", 1, 4096, &threads);
    if (code != EXIT_DONE) return code;
    if (repetitions == 0) repetitions = option_given(&options, "--quick") ? 2 : 24;
    learn_settings_init(&b.settings);
    code = open_bench(&b);
    if (code == EXIT_DONE) code = run(&b, (int)threads, (int)repetitions);
    learn_task_close(&b.task);
    learn_settings_free(&b.settings);
    return code;
}
