#include "train_files.h"

#include "plot.h"
#include "tensorboard.h"
#include "platform.h"
#include "terminal.h"
#include "whole_file.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const column[CURVE_COLUMNS] = {
    "iteration", "samples", "seconds",    "return", "episode_seconds",    "reward",    "value_loss",
    "explained", "kl",      "actor_rate", "noise",  "samples_per_second", "normalised"};

char *train_path(const char *folder, const char *name) {
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = need_memory(NULL, size);
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static double *new_row(struct curve *c) {
    if (c->count == c->room) {
        c->room = c->room ? 2 * c->room : 256;
        c->row = need_memory(c->row, (size_t)c->room * sizeof *c->row);
    }
    return c->row[c->count++];
}

/* A number, or nothing where there is none. */
static void print_row(FILE *file, const double *row) {
    for (int k = 0; k < CURVE_COLUMNS; k++) {
        if (k) fputc(',', file);
        if (isfinite(row[k])) fprintf(file, "%.10g", row[k]);
    }
    fputc('\n', file);
}

/* Rows of an older file, up to an iteration. A last line that is not whole does not count. */
static void read_rows(struct curve *c, const char *text, uint64_t iterations) {
    const char *line = strchr(text, '\n');
    for (const char *end; line && (end = strchr(line + 1, '\n')); line = end) {
        double row[CURVE_COLUMNS];
        const char *at = line + 1;
        int k = 0;
        for (; k < CURVE_COLUMNS && at <= end; k++) {
            char *rest;
            row[k] = strtod(at, &rest);
            if (rest == at) row[k] = (double)NAN;
            at = rest + 1;
        }
        if (k < CURVE_COLUMNS || !(row[0] <= (double)iterations)) return;
        memcpy(new_row(c), row, sizeof row);
    }
}

static bool rewrite(struct curve *c, const char *path) {
    struct whole_file out;
    if (!whole_file_open(&out, path)) return false;
    for (int k = 0; k < CURVE_COLUMNS; k++)
        fprintf(out.file, "%s%s", k ? "," : "", column[k]);
    fputc('\n', out.file);
    for (int i = 0; i < c->count; i++)
        print_row(out.file, c->row[i]);
    return whole_file_close(&out);
}

/* ------------------------------------------------------------------------------------------------------------ files */

static double now_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static FILE *open_or_complain(const char *path, const char *mode) {
    FILE *file = open_file(path, mode);
    if (!file) complain(EXIT_FAILED, "%s cannot be written: %s", path, strerror(errno));
    return file;
}

bool curve_open(struct curve *c, const char *folder, uint64_t iterations) {
    char name[64];
    *c = (struct curve){.folder = copy_text(folder)};
    char *path = train_path(folder, "curve.csv");
    if (iterations && can_read(path)) {
        char *text = whole_file_read(path, NULL);
        if (text) read_rows(c, text, iterations);
        free(text);
    }
    const bool written = rewrite(c, path);
    if (written) c->csv = open_or_complain(path, "ab");
    free(path);
    snprintf(name, sizeof name, "events.out.tfevents.%010llu.sinew", (unsigned long long)iterations);
    path = train_path(folder, name);
    if (c->csv) c->events = open_or_complain(path, "wb");
    free(path);
    if (c->events) tensorboard_begin(c->events, now_seconds(), (int64_t)iterations);
    return c->events != NULL;
}

void curve_add(struct curve *c, const sn_training *now, double seconds, double normalised) {
    const double before = c->count ? c->row[c->count - 1][CURVE_SECONDS] : 0,
                 samples = c->count ? c->row[c->count - 1][CURVE_SAMPLES] : 0;
    const double speed = seconds > before ? ((double)now->samples - samples) / (seconds - before) : 0;
    const double row[CURVE_COLUMNS] = {(double)now->iterations,
                                       (double)now->samples,
                                       seconds,
                                       now->mean_return,
                                       now->mean_length,
                                       now->mean_reward,
                                       now->value_loss,
                                       now->explained,
                                       now->kl,
                                       now->actor_rate,
                                       now->noise,
                                       speed,
                                       normalised};
    struct scalar scalar[CURVE_COLUMNS];
    memcpy(new_row(c), row, sizeof row);
    print_row(c->csv, row);
    for (int k = 0; k < CURVE_COLUMNS; k++)
        scalar[k] = (struct scalar){column[k], row[k]};
    tensorboard_add(c->events, now_seconds(), (int64_t)now->samples, scalar + CURVE_SECONDS,
                    CURVE_COLUMNS - CURVE_SECONDS);
}

bool curve_flush(struct curve *c) {
    if (fflush(c->csv) == 0 && fflush(c->events) == 0) return true;
    complain(EXIT_FAILED, "the learning curve in %s cannot be written: %s", c->folder, strerror(errno));
    clearerr(c->csv);
    clearerr(c->events);
    return false;
}

bool curve_close(struct curve *c) {
    bool good = true;
    if (c->csv) good = fclose(c->csv) == 0;
    if (c->events) good = fclose(c->events) == 0 && good;
    if (!good) complain(EXIT_FAILED, "the learning curve in %s cannot be written", c->folder);
    free(c->folder);
    free(c->row);
    *c = (struct curve){0};
    return good;
}

/* ------------------------------------------------------------------------------------------------------------- JSON */

/* A column of the curve, thinned out to at most MOST rows. Values that are not finite become null. */
static cJSON *curve_column(const struct curve *c, int which) {
    enum { MOST = 400 };
    cJSON *list = cJSON_CreateArray();
    const int every = c->count / MOST + 1;
    for (int i = 0; i < c->count; i += every) {
        const double value = c->row[i][which];
        cJSON_AddItemToArray(list, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
    }
    return list;
}

char *curve_json(const struct curve *c) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddItemToObject(root, "seconds", curve_column(c, CURVE_SECONDS));
    cJSON_AddItemToObject(root, "on_feet", curve_column(c, CURVE_LENGTH));
    cJSON_AddItemToObject(root, "normalised", curve_column(c, CURVE_NORMALISED));
    char *text = cJSON_PrintUnformatted(root);
    cJSON_Delete(root);
    return text;
}

/* ---------------------------------------------------------------------------------------------------------- picture */

bool curve_draw(const struct curve *c, const char *title) {
    if (c->count < 2) return true;
    const size_t n = (size_t)c->count;
    double *x = need_memory(NULL, 3 * n * sizeof *x), *reward = x + n, *normalised = reward + n;
    double last = 0;
    bool measured = false;
    for (size_t i = 0; i < n; i++) {
        const double value = c->row[i][CURVE_NORMALISED];
        if (isfinite(value)) last = value, measured = true;
        x[i] = c->row[i][CURVE_SAMPLES] * 1e-6;
        reward[i] = c->row[i][CURVE_REWARD];
        normalised[i] = last;
    }
    const struct plot_line line[] = {
        {.name = "reward per step, with noise", .y = reward, .colour = plot_colours[0], .width = 1.5},
        {.name = "normalised return, without", .y = normalised, .colour = plot_colours[1], .width = 2}};
    const struct plot plot = {.title = title,
                              .x_label = "million samples",
                              .y_label = "reward",
                              .x = x,
                              .nx = c->count,
                              .line = line,
                              .nline = measured ? 2 : 1};
    char *path = train_path(c->folder, "curve.svg");
    const bool good = plot_write(path, &plot);
    free(path);
    free(x);
    return good;
}
