#include "training_data.h"

#include "plot.h"
#include "platform.h"
#include "terminal.h"
#include "whole_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const training_task_key[TASKS] = {"humanoid", "dog", "captured"};

/* --------------------------------------------------------------------------------------------------------- the file */

/* What trainings must have in common to stand in one file. */
static void say_plan(const struct training_plan *plan, char *line, size_t room) {
    snprintf(line, room,
             "# maba/training: %d copies, horizon %d, networks %d-%d, iterations %d %d %d, seeds from %d, "
             "judged by %d episodes of %g s",
             plan->copies, plan->horizon, plan->hidden, plan->hidden, plan->iterations[0],
             plan->iterations[1], plan->iterations[2], plan->seed, plan->judged, plan->judged_seconds);
}

static int find_task(const char *key) {
    for (int i = 0; i < TASKS; i++)
        if (strcmp(training_task_key[i], key) == 0) return i;
    return -1;
}

static int find_way(const char *key) {
    for (int i = 0; i < WAYS; i++)
        if (strcmp(training_ways[i].key, key) == 0) return i;
    return -1;
}

/* One row; a training counts as known when all its points are there. */
static bool take_row(struct training_set *set, const char *line) {
    char task_key[16], way_key[16];
    struct training_point p;
    double us, first;
    int seed;
    if (sscanf(line, "%15[^,],%15[^,],%d,%lf,%lf,%lf,%lf,%lf", task_key, way_key, &seed, &p.samples,
               &p.seconds, &p.score, &us, &first) != 8)
        return false;
    const int task = find_task(task_key), way = find_way(way_key);
    if (task < 0 || way < 0 || seed < 1 || seed > MOST_SEEDS) return false;
    struct training_curve *c = &set->curve[task][way][seed - 1];
    if (c->points == set->plan.points) return false;
    c->point[c->points++] = p;
    c->us = us, c->first = first;
    c->known = c->points == set->plan.points;
    return true;
}

bool training_data_read(struct training_set *set, const char *folder) {
    const char *path = said("%s/maba-training.csv", folder);
    char plan[256];
    if (!exists(path)) return true;
    char *text = whole_file_read(path, NULL), *line = text;
    bool good = text != NULL;
    say_plan(&set->plan, plan, sizeof plan);
    for (int number = 1; good && line && *line; number++) {
        char *end = strchr(line, '\n');
        if (end) *end = '\0';
        good = number == 1   ? strcmp(line, plan) == 0
               : number == 2 ? strncmp(line, "task,", 5) == 0
                             : take_row(set, line);
        if (!good)
            complain(EXIT_FAILED,
                     number == 1 ? "%s is of another plan: move it away, or name another folder"
                                 : "%s: line %d is not a row of it",
                     path, number);
        line = end ? end + 1 : NULL;
    }
    free(text);
    return good;
}

static void write_curve(FILE *file, const char *task, const char *way, int seed,
                        const struct training_curve *c) {
    for (int i = 0; i < c->points && c->known; i++)
        fprintf(file, "%s,%s,%d,%.0f,%.3f,%.5f,%.3f,%.7f\n", task, way, seed, c->point[i].samples,
                c->point[i].seconds, c->point[i].score, c->us, c->first);
}

bool training_data_write(const struct training_set *set, const char *folder) {
    char plan[256];
    struct whole_file file;
    bool good = whole_file_open(&file, said("%s/maba-training.csv", folder));
    if (good) {
        say_plan(&set->plan, plan, sizeof plan);
        fprintf(file.file, "%s\ntask,way,seed,samples,seconds,return,us_per_sample,first_reward\n", plan);
        for (int t = 0; t < TASKS; t++)
            for (int w = 0; w < WAYS; w++)
                for (int s = 0; s < MOST_SEEDS; s++)
                    write_curve(file.file, training_task_key[t], training_ways[w].key, s + 1,
                                &set->curve[t][w][s]);
        good = whole_file_close(&file);
    }
    return good;
}

/* ------------------------------------------------------------------------------------------------------- statistics */

/* The curve between its points; from 0 at the start. NaN beyond its end. */
static double score_at(const struct training_curve *c, bool seconds, double at) {
    double x0 = 0, y0 = 0;
    for (int i = 0; i < c->points; i++) {
        const double x = seconds ? c->point[i].seconds : c->point[i].samples, y = c->point[i].score;
        if (at <= x) return i == 0 && at < x ? y * at / x : y0 + (y - y0) * (at - x0) / (x - x0);
        x0 = x, y0 = y;
    }
    return (double)NAN;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct training_spread training_spread_at(const struct training_set *set, int task, int way, bool seconds,
                                          double at) {
    double score[MOST_SEEDS];
    const int n = set->plan.seeds;
    for (int s = 0; s < n; s++) {
        const struct training_curve *c = &set->curve[task][way][s];
        score[s] = c->known ? score_at(c, seconds, at) : (double)NAN;
        if (isnan(score[s])) return (struct training_spread){(double)NAN, (double)NAN, (double)NAN};
    }
    qsort(score, (size_t)n, sizeof *score, by_size);
    return (struct training_spread){(score[(n - 1) / 2] + score[n / 2]) / 2, score[0], score[n - 1]};
}

double training_area(const struct training_curve *curve, double samples) {
    double sum = 0;
    int n = 0;
    for (int i = 0; i < curve->points && curve->point[i].samples <= samples * 1.000001; i++) {
        sum += curve->point[i].score;
        n++;
    }
    return n ? sum / n : (double)NAN;
}

/* ---------------------------------------------------------------------------------------------------------- figures */

enum { GRID = 61 };

/* Where the figure ends: with the last point of the dense solver, so that LAPACK, far slower, is cut off. */
static double end_of(const struct training_set *set, int task, bool seconds) {
    double end = 0;
    for (int s = 0; s < set->plan.seeds; s++) {
        const struct training_curve *c = &set->curve[task][WAY_DENSE][s];
        const struct training_point *p = &c->point[c->points ? c->points - 1 : 0];
        end = fmax(end, seconds ? p->seconds : p->samples);
    }
    return end;
}

static bool draw_task(const struct training_set *set, int task, const char *name, bool seconds,
                      const char *folder) {
    static double x[GRID], y[WAYS][GRID], low[WAYS][GRID], high[WAYS][GRID];
    const double *lows[WAYS], *highs[WAYS];
    struct plot_line line[WAYS];
    const double end = end_of(set, task, seconds);
    for (int w = 0; w < WAYS; w++) {
        for (int i = 0; i < GRID; i++) {
            const double at = end * i / (GRID - 1);
            const struct training_spread s = training_spread_at(set, task, w, seconds, at);
            x[i] = seconds ? at : at / 1e6;
            y[w][i] = s.median, low[w][i] = s.low, high[w][i] = s.high;
        }
        lows[w] = low[w], highs[w] = high[w];
        line[w] = (struct plot_line){training_ways[w].name, y[w], plot_colours[w], false, 1.5};
    }
    struct plot plot = plot_of(
        said("%s: median of %d seeds, shaded from lowest to highest", name, set->plan.seeds),
        seconds ? "seconds of one core" : "million samples", "normalised return", x, GRID, line, WAYS);
    plot.low = lows, plot.high = highs;
    return plot_write(
        said("%s/maba-training-%s-%s.svg", folder, training_task_key[task], seconds ? "seconds" : "samples"),
        &plot);
}

bool training_draw(const struct training_set *set, const char *folder) {
    static const char *const names[TASKS] = {"humanoid, run", "dog, canter", "DeepMimic's humanoid, run"};
    bool good = true;
    for (int t = 0; t < TASKS && good; t++)
        for (int seconds = 0; seconds < 2 && good && set->open[t]; seconds++)
            good = draw_task(set, t, names[t], seconds, folder);
    return good;
}
