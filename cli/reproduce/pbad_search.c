/* pbad-2018 section 6.2: controllers that optimisers find. The swimmer's gait comes from CMA-ES, the spider's from natural
 * policy gradients, each under the position stepper and under the time stepper, from a random start, with five seeds. The
 * paper says of both only that they move forward. */
#include "pbad_search.h"

#include "plot.h"
#include "progress.h"
#include "scenes/gaits.h"
#include "platform.h"
#include "terminal.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sinew/learn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPPERS = 2, SEEDS = 5, MOST_GENERATIONS = 100, MOST_COPIES = 64, MOST_SIZE = 64 };

static const sn_stepper steppers[STEPPERS] = {SN_STEPPER_POSITION, SN_STEPPER_TIME};
static const char *const stepper_names[STEPPERS] = {"position", "time"};
static const char *const creature_names[GAIT_CREATURES] = {"swimmer", "spider"};

static const struct plan { /* how a creature's gait is looked for */
    const char *table, *way;
    sn_search_method method;
    double dt;
    int candidates, generations;
    double start, width; /* standard deviations: of the start, of candidates */
} plans[GAIT_CREATURES] = {
    {"figure 5a: the swimmer, optimised by CMA-ES", "CMA-ES", SN_SEARCH_CMA, 1.0 / 120, 15, 50, .5, .5},
    {"figure 5b: the spider, optimised by policy gradients", "policy gradients", SN_SEARCH_NATURAL, 1.0 / 60,
     63, 40, .2, .1},
};

struct found {
    double x[MOST_SIZE];                /* the gait: the mean of the last distribution */
    double curve[MOST_GENERATIONS + 1]; /* m that the mean comes, before each generation */
    gait_trial last;
    gait_trial other, finer; /* under the other stepper, and with half the step */
};

struct searches {
    int seeds, generations[GAIT_CREATURES], candidates[GAIT_CREATURES];
    double seconds;
    gait_trial hand[GAIT_CREATURES][STEPPERS];
    struct found found[GAIT_CREATURES][STEPPERS][SEEDS];
};

static void plan_searches(struct searches *s, const struct run_settings *settings) {
    s->seeds = settings->quick ? 1 : SEEDS;
    s->seconds = settings->quick ? 2 : 10;
    for (int c = 0; c < GAIT_CREATURES; c++) {
        s->generations[c] = settings->quick ? 5 : plans[c].generations;
        s->candidates[c] = settings->quick ? 15 : plans[c].candidates;
    }
}

int gait_search_steps(const struct run_settings *settings) {
    return GAIT_CREATURES * STEPPERS * (settings->quick ? 1 : SEEDS);
}

/* ---------------------------------------------------------------------------------------------------- searches */

static gait_trials *open_trials(const struct searches *s, int creature, int stepper, double dt, int copies) {
    sn_error error = {0};
    gait_def def = gait_def_default((gait_creature)creature, steppers[stepper]);
    def.dt = dt;
    def.seconds = s->seconds;
    def.copies = copies;
    def.threads = 1; /* seeds have a thread each */
    gait_trials *trials = gait_trials_create(&def, &error);
    if (!trials) complain(EXIT_FAILED, "pbad/control: %s", error.message);
    return trials;
}

/* One gait alone. */
static bool judge(const struct searches *s, int creature, int stepper, double dt, const double *x,
                  gait_trial *trial) {
    gait_trials *trials = open_trials(s, creature, stepper, dt, 1);
    const bool good = trials && !gait_try(trials, 1, x, trial);
    gait_trials_free(trials);
    return good || (trials && complain(EXIT_FAILED, "pbad/control: a trial failed") == EXIT_DONE);
}

/* One generation: the mean and the candidates are tried abreast, and the search learns of the candidates. */
static bool advance(sn_search *search, gait_trials *trials, double *way_of_mean) {
    const int n = gait_size(trials);
    int candidates;
    const double *asked = sn_search_ask(search, &candidates);
    gait_trial trial[MOST_COPIES];
    double x[MOST_COPIES * MOST_SIZE], score[MOST_COPIES];
    sn_error error = {0};
    memcpy(x, sn_search_get(search).mean, (size_t)n * sizeof *x);
    memcpy(x + n, asked, (size_t)(n * candidates) * sizeof *x);
    sn_status status = gait_try(trials, 1 + candidates, x, trial);
    for (int i = 0; i < candidates && !status; i++)
        score[i] = trial[1 + i].way;
    *way_of_mean = trial[0].way;
    if (!status) status = sn_search_tell(search, score, &error);
    return !status || complain(EXIT_FAILED, "pbad/control: %s",
                               error.status ? error.message : sn_status_text(status)) == EXIT_DONE;
}

/* The gait found is the mean of the last distribution; it is tried under the other stepper and with half the step, too. */
static bool go(const struct searches *s, int creature, int stepper, sn_search *search, gait_trials *trials,
               struct found *f) {
    const double dt = plans[creature].dt;
    bool good = true;
    for (int g = 0; g < s->generations[creature] && good && !interrupted(); g++)
        good = advance(search, trials, &f->curve[g]);
    memcpy(f->x, sn_search_get(search).mean, (size_t)gait_size(trials) * sizeof *f->x);
    good = good && judge(s, creature, stepper, dt, f->x, &f->last) &&
           judge(s, creature, !stepper, dt, f->x, &f->other) &&
           judge(s, creature, stepper, dt / 2, f->x, &f->finer);
    f->curve[s->generations[creature]] = f->last.way;
    return good;
}

static bool search_gait(struct searches *s, int creature, int stepper, int k, uint64_t seed) {
    const struct plan *plan = &plans[creature];
    struct found *f = &s->found[creature][stepper][k];
    gait_trials *trials = open_trials(s, creature, stepper, plan->dt, 1 + s->candidates[creature]);
    double start[MOST_SIZE];
    sn_error error = {0};
    if (!trials) return false;
    sn_search_def def = sn_search_def_default(plan->method, gait_size(trials));
    gait_random(seed, plan->start, def.n, start);
    def.start = start;
    def.width = plan->width;
    def.candidates = s->candidates[creature];
    def.seed = seed;
    sn_search *search = sn_search_create(&def, &error);
    bool good = search || complain(EXIT_FAILED, "pbad/control: %s", error.message) == EXIT_DONE;
    good = good && go(s, creature, stepper, search, trials, f);
    sn_search_free(search);
    gait_trials_free(trials);
    return good;
}

/* ------------------------------------------------------------------------------------------------------ results */

static void put_rows(const struct searches *s, uint64_t seed, struct result *result) {
    for (int c = 0; c < GAIT_CREATURES; c++)
        for (int i = 0; i < STEPPERS * s->seeds; i++) {
            const struct found *f = &s->found[c][i / s->seeds][i % s->seeds];
            add_row(result, plans[c].table, {"stepper", text(stepper_names[i / s->seeds])},
                    {"seed", number((double)(seed + (uint64_t)(i % s->seeds)))},
                    {"trials", number(s->generations[c] * s->candidates[c])},
                    {"start_m", number(f->curve[0])}, {"found_m", number(f->last.way)},
                    {"body_lengths", number(f->last.way / gait_body_length((gait_creature)c))},
                    {"aside_m", number(f->last.aside)},
                    {"rate_hz", number(gait_rate((gait_creature)c, f->x[gait_joints((gait_creature)c) * 3]))},
                    {"half_the_step_m", number(f->finer.way)}, {"other_stepper_m", number(f->other.way)},
                    {"by_hand_m", number(s->hand[c][i / s->seeds].way)});
        }
}

/* The least over seeds; a gait that was lost counts as none at all. */
static double least(double most, double x) {
    return fmin(most, isnan(x) ? -HUGE_VAL : x);
}

/* Returns the least body lengths that a search reached. */
static double put_creature_claims(const struct searches *s, int c, struct result *result) {
    const double length = gait_body_length((gait_creature)c);
    double other = HUGE_VAL, finer = HUGE_VAL, all = HUGE_VAL;
    for (int k = 0; k < STEPPERS; k++) {
        double start = HUGE_VAL, found = HUGE_VAL, hand = HUGE_VAL;
        for (int i = 0; i < s->seeds; i++) {
            const struct found *f = &s->found[c][k][i];
            start = least(start, (f->last.way - (isnan(f->curve[0]) ? 0 : f->curve[0])) / length);
            found = least(found, f->last.way / length);
            hand = least(hand, f->last.way / s->hand[c][k].way);
            all = least(all, f->last.way / length);
            other = least(other, f->other.way / length);
            finer = least(finer, f->finer.way / length);
        }
        add_claims(
            result,
            {at_least(0, FROM_PAPER), none(), number(start),
             said("5%c: the %s, optimised by %s, moves forward, %s stepper: body lengths more than the "
                  "random start, which if lost counts as 0, least of the seeds",
                  'a' + c, creature_names[c], plans[c].way, stepper_names[k])},
            {at_least(3, FROM_PROMISE), none(), number(found),
             said("by three body lengths at least in 10 s, %s under the %s stepper: least of the seeds",
                  creature_names[c], stepper_names[k])},
            {at_least(1, FROM_PROMISE), none(), number(hand),
             said("and further than the gait made by hand, %s under the %s stepper: times as far, least of "
                  "the seeds",
                  creature_names[c], stepper_names[k])});
    }
    add_claims(
        result,
        {at_least(3, FROM_PROMISE), none(), number(other),
         said(
             "a gait of the %s found under one stepper goes three body lengths under the other: least of all",
             creature_names[c])},
        {at_least(3, FROM_PROMISE), none(), number(finer),
         said("and with half the step: %s, body lengths, least of all", creature_names[c])});
    return all;
}

static void put_settings(const struct searches *s, struct result *result) {
    result_setting(result, "gaits",
                   text("targets x0 + x1 cos + x2 sin per joint, within 1.2 rad, and one rate for all, from "
                        "half to twice that of the gait made by hand: 10 numbers for the swimmer, 37 for the "
                        "spider; from rest, coming up within 0.5 s; score: m along x"));
    for (int c = 0; c < GAIT_CREATURES; c++)
        result_setting(
            result, c ? "spider_search" : "swimmer_search",
            text(said(
                "%s; %d generations of %d trials of %g s at 1/%g s; start N(0, %g^2), candidates N(mean, "
                "%g^2)%s; body length %g m",
                plans[c].method == SN_SEARCH_CMA ? "CMA-ES" : "natural policy gradients, divergence 0.5",
                s->generations[c], s->candidates[c], s->seconds, 1 / plans[c].dt, plans[c].start,
                plans[c].width, plans[c].method == SN_SEARCH_CMA ? " at first" : "",
                gait_body_length((gait_creature)c))));
    result_setting(result, "search_worlds",
                   text("double, full form, gains as by hand; implicit contact, friction 0.8, all shapes "
                        "touch; drag 1 along, 10 across, from the velocity at the start of a step"));
}

/* ------------------------------------------------------------------------------------------------------ figures */

/* A gait that was lost is the least of all. */
static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return isnan(x) || isnan(y) ? isnan(y) - isnan(x) : (x > y) - (x < y);
}

/* Median, least and most over the seeds, for both steppers. */
static bool plot_curves(const struct searches *s, int c, const char *folder) {
    static const char *const names[] = {"median of the seeds", "least", "most"};
    double x[MOST_GENERATIONS + 1], y[STEPPERS][3][MOST_GENERATIONS + 1];
    struct plot_line line[3 * STEPPERS];
    char label[3 * STEPPERS][64];
    for (int g = 0; g <= s->generations[c]; g++) {
        x[g] = g * s->candidates[c];
        for (int k = 0; k < STEPPERS; k++) {
            double of[SEEDS];
            for (int i = 0; i < s->seeds; i++)
                of[i] = s->found[c][k][i].curve[g] / gait_body_length((gait_creature)c);
            qsort(of, (size_t)s->seeds, sizeof *of, by_size);
            y[k][0][g] = of[s->seeds / 2], y[k][1][g] = of[0], y[k][2][g] = of[s->seeds - 1];
        }
    }
    for (int i = 0; i < 3 * STEPPERS; i++) {
        snprintf(label[i], sizeof label[i], "%s stepper, %s", stepper_names[i / 3], names[i % 3]);
        line[i] =
            (struct plot_line){label[i], y[i / 3][i % 3], plot_colours[i / 3], i % 3 > 0, i % 3 ? 1 : 2.5};
    }
    struct plot plot = plot_of(said("%s, optimised by %s", creature_names[c], plans[c].way), "trials of 10 s",
                               "body lengths in 10 s", x, s->generations[c] + 1, line, 3 * STEPPERS);
    plot.crosses = "lost";
    return plot_write(said("%s/pbad-control-%s.svg", folder, creature_names[c]), &plot);
}

static bool write_curves(const struct searches *s, uint64_t seed, const char *folder) {
    const char *path = said("%s/pbad-control.csv", folder);
    FILE *file = open_file(path, "wb");
    if (!file) return complain(EXIT_FAILED, "%s: %s", path, strerror(errno)) == EXIT_DONE;
    fprintf(file, "creature,stepper,seed,trials,metres\n");
    for (int c = 0; c < GAIT_CREATURES; c++)
        for (int i = 0; i < STEPPERS * s->seeds; i++)
            for (int g = 0; g <= s->generations[c]; g++)
                fprintf(file, "%s,%s,%d,%d,%.4f\n", creature_names[c], stepper_names[i / s->seeds],
                        (int)seed + i % s->seeds, g * s->candidates[c],
                        s->found[c][i / s->seeds][i % s->seeds].curve[g]);
    const bool bad = ferror(file);
    return !(fclose(file) || bad) || complain(EXIT_FAILED, "%s: it cannot be written", path) == EXIT_DONE;
}

static bool draw(const struct searches *s, const struct run_settings *settings, struct result *result) {
    if (!settings->plot) return true;
    for (int c = 0; c < GAIT_CREATURES; c++)
        if (!plot_curves(s, c, settings->plot)) return false;
    add_row(result, "plots",
            {"file", text("pbad-control-swimmer.svg, pbad-control-spider.svg, pbad-control.csv")});
    return write_curves(s, settings->seed, settings->plot);
}

/* --------------------------------------------------------------------------------------------------------- all */

struct job { /* one search, of a thread */
    struct searches *s;
    int creature, stepper, k;
    uint64_t seed;
    bool good;
};

static void *run_job(void *user) {
    struct job *job = user;
    job->good = search_gait(job->s, job->creature, job->stepper, job->k, job->seed);
    return NULL;
}

/* All seeds at a time. */
static bool run_seeds(struct searches *s, int creature, int stepper, uint64_t seed) {
    pthread_t thread[SEEDS];
    struct job job[SEEDS];
    bool started[SEEDS], good = true;
    for (int i = 0; i < s->seeds; i++) {
        progress_step("the %s by %s, %s stepper, seed %d", creature_names[creature], plans[creature].way,
                      stepper_names[stepper], (int)seed + i);
        job[i] = (struct job){s, creature, stepper, i, seed + (uint64_t)i, false};
        started[i] = i + 1 < s->seeds && !pthread_create(&thread[i], NULL, run_job, &job[i]);
        if (!started[i]) run_job(&job[i]); /* the last is the caller's own */
    }
    for (int i = 0; i < s->seeds; i++) {
        if (started[i]) pthread_join(thread[i], NULL);
        good = good && job[i].good;
    }
    return good;
}

static bool run_all(struct searches *s, const struct run_settings *settings) {
    bool good = true;
    for (int c = 0; c < GAIT_CREATURES; c++)
        for (int k = 0; k < STEPPERS && good && !interrupted(); k++) {
            double hand[MOST_SIZE];
            gait_by_hand((gait_creature)c, hand);
            good = judge(s, c, k, plans[c].dt, hand, &s->hand[c][k]) && run_seeds(s, c, k, settings->seed);
        }
    return good;
}

bool run_gait_searches(const struct run_settings *settings, struct result *result, double reached[2]) {
    struct searches *s = calloc(1, sizeof *s);
    if (!s) return complain(EXIT_FAILED, "out of memory") == EXIT_DONE;
    plan_searches(s, settings);
    put_settings(s, result);
    bool good = run_all(s, settings);
    if (good && !interrupted()) {
        put_rows(s, settings->seed, result);
        for (int c = 0; c < GAIT_CREATURES; c++)
            reached[c] = put_creature_claims(s, c, result);
        good = draw(s, settings, result);
    }
    free(s);
    return good;
}
