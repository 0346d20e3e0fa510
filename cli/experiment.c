#include "experiment.h"

#include "options.h"
#include "plot.h"
#include "terminal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct experiment experiments[] = {
    {"spd/toy", "spd-2011 section 3.2", "one mass and an infinite gain: on the target after two steps",
     run_spd_toy},
    {"spd/pendulum", "spd-2011 section 3.4, tables 1 and 2, figures 2-4",
     "two-link pendulum, PD against stable PD: tracking error and largest stable step", run_spd_pendulum},
    {"spd/reactions", "spd-2011 section 4.1, figure 1, table 3", "tracking a motion through impacts at 33 ms",
     run_spd_reactions},
    {"spd/keyframes", "spd-2011 section 4.2, figures 5 and 6", "keyframe interpolation with a dragging tail",
     run_spd_keyframes},
    {"spd/tinkertoy", "spd-2011 section 4.3", "stiff constraints as stable PD: particles on a helix",
     run_spd_tinkertoy},
    {"spd/stability", "spd-2011 appendix", "eigenvalues of the step over gains, forms and integrators",
     run_spd_stability},
    {"maba/models", "maba-2020 table 1", "degrees of freedom and depth of the five characters",
     run_maba_models},
    {"maba/accuracy", "maba-2020 section 4.1, figures 5 and 6",
     "tracking error against time step, in float and in double", run_maba_accuracy},
    {"maba/speed", "maba-2020 section 4.2, table 2", "simulated frames a second of each solver",
     run_maba_speed},
    {"maba/overhead", "maba-2020 section 4.2, table 3", "the share of a step that stable PD costs",
     run_maba_overhead},
    {"maba/capacity", "maba-2020 figure 1", "how many dogs one thread simulates in real time",
     run_maba_capacity},
    {"maba/training", "maba-2020 section 4.3, figure 7",
     "learning curves with each solver, over samples and over seconds", run_maba_training},
    {"maba/full", "maba-2020 section 5",
     "stable PD in full coordinates, in linear time: agreement, cost, gaps of joints, momentum",
     run_maba_full},
    {"kokkevis/deltas", "kokkevis-2004 sections 4.2 and 4.3",
     "acceleration deltas against test forces through whole and through cached articulated-body passes",
     run_kokkevis_deltas},
    {"kokkevis/impact", "kokkevis-2004 section 5",
     "impulses: bounces, many impacts at once, friction in them", run_kokkevis_impact},
    {"kokkevis/contact", "kokkevis-2004 sections 7 and 8.1",
     "a humanoid stands and falls, with each stepper and each way of contact", run_kokkevis_contact},
    {"kokkevis/limits", "kokkevis-2004 section 8.2",
     "joint limits as unilateral constraints: how far they give", run_kokkevis_limits},
    {"kokkevis/trajectory", "kokkevis-2004 section 8.3",
     "joints and points on prescribed paths: the settling time of the paper's gains", run_kokkevis_trajectory},
    {"pbad/energy", "pbad-2018 section 6.1, figures 2a and 2b",
     "chains of 10 and 100 links swing down: who keeps their energy", run_pbad_energy},
    {"pbad/timestep", "pbad-2018 section 6.1, figures 2c and 3d",
     "what 10 s of a swinging chain cost, by the size of the step", run_pbad_timestep},
    {"pbad/optimizers", "pbad-2018 section 6.1, figures 3a to 3c",
     "Levenberg-Marquardt, L-BFGS and the sweep in linear time", run_pbad_optimizers},
    {"pbad/trajectories", "pbad-2018 sections 5.2 and 6.1, figures 1 and 4",
     "many trajectories at once: iterations scheduled over lanes and threads", run_pbad_trajectories},
    {"pbad/control", "pbad-2018 section 6.2, figure 5",
     "a swimmer and a spider under drag and contact energies: gaits by hand, by CMA-ES and by policy "
     "gradients",
     run_pbad_control},
    {"sinew/products", "this library, and the prototype it was tried with",
     "spinning bodies: velocity products explicit, at midpoint and implicit", run_sinew_products},
    {0},
};

struct value none(void) {
    return (struct value){.kind = VALUE_NONE};
}

struct value number(double x) {
    return (struct value){.kind = VALUE_NUMBER, .number = x};
}

struct value time_step(double dt) {
    return (struct value){.kind = VALUE_STEP, .number = dt};
}

struct value text(const char *words) {
    return (struct value){.kind = VALUE_TEXT, .text = copy_text(words)};
}

struct value flag(bool truth) {
    return (struct value){.kind = VALUE_FLAG, .flag = truth};
}

const struct experiment *experiment_find(const char *name, int *code) {
    for (const struct experiment *e = experiments; e->name; e++) {
        if (strcmp(e->name, name) != 0) continue;
        if (!e->run) *code = complain(EXIT_FAILED, "experiment '%s' is not done yet", name);
        return e->run ? e : NULL;
    }
    *code = complain_unknown_in("experiment", name, experiments, sizeof *experiments);
    return NULL;
}

void record_put(struct record *record, const char *key, struct value value) {
    record->field = need_memory(record->field, (size_t)(record->count + 1) * sizeof *record->field);
    record->field[record->count++] = (struct field){key, value};
}

void record_put_list(struct record *record, const struct field *list) {
    for (; list->key; list++)
        record_put(record, list->key, list->value);
}

const char *table_name(const struct record *row) {
    const bool named = row->count > 0 && strcmp(row->field[0].key, "table") == 0;
    return named && row->field[0].value.text ? row->field[0].value.text : "";
}

bool same_table(const struct record *a, const struct record *b) {
    if (a->count != b->count || strcmp(table_name(a), table_name(b)) != 0) return false;
    for (int i = 0; i < a->count; i++)
        if (strcmp(a->field[i].key, b->field[i].key) != 0) return false;
    return true;
}

static void record_free(struct record *record) {
    for (int i = 0; i < record->count; i++)
        free(record->field[i].value.text);
    free(record->field);
}

void result_setting(struct result *result, const char *key, struct value value) {
    record_put(&result->settings, key, value);
}

struct record *result_row(struct result *result, const char *table) {
    result->row = need_memory(result->row, (size_t)(result->nrow + 1) * sizeof *result->row);
    struct record *row = &result->row[result->nrow++];
    *row = (struct record){0};
    if (table) record_put(row, "table", text(table));
    return row;
}

struct record *result_put_row(struct result *result, const char *table, const struct field *list) {
    struct record *row = result_row(result, table);
    record_put_list(row, list);
    return row;
}

const char *const bound_sources[BOUND_SOURCES] = {"paper", "promise", "measured", "rounding"};

struct bound at_most(double most, enum bound_source source) {
    return (struct bound){-INFINITY, most, source};
}

struct bound at_least(double least, enum bound_source source) {
    return (struct bound){least, INFINITY, source};
}

struct bound between(double least, double most, enum bound_source source) {
    return (struct bound){least, most, source};
}

struct bound exactly(double x, enum bound_source source) {
    return (struct bound){x, x, source};
}

const char *said(const char *format, ...) {
    enum { KEPT = 16 };
    static char kept[KEPT][4096];
    static int turn;
    turn = (turn + 1) % KEPT;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(kept[turn], sizeof kept[turn], format, arguments);
    va_end(arguments);
    return kept[turn];
}

static struct claim judge(const struct stated *s) {
    const double ours = s->ours.number;
    const bool holds = isfinite(ours) && ours >= s->bound.least && ours <= s->bound.most;
    return (struct claim){copy_text(s->claim), s->paper, s->ours, s->bound, holds};
}

void result_put_claims(struct result *result, const struct stated *list) {
    for (; list->claim; list++) {
        result->claim = need_memory(result->claim, (size_t)(result->nclaim + 1) * sizeof *result->claim);
        result->claim[result->nclaim++] = judge(list);
    }
}

int result_held(const struct result *result) {
    int held = 0;
    for (int i = 0; i < result->nclaim; i++)
        held += result->claim[i].holds;
    return held;
}

bool result_draw(struct result *result, const char *folder, const char *name, const struct plot *plot) {
    const char *path = said("%s/%s", folder, name);
    if (!plot_write(path, plot)) return false;
    add_row(result, "plots", {"file", text(path)});
    return true;
}

void result_close(struct result *result, const char *format, ...) {
    char buffer[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    free(result->closing);
    result->closing = copy_text(buffer);
}

void result_free(struct result *result) {
    record_free(&result->settings);
    for (int i = 0; i < result->nrow; i++)
        record_free(&result->row[i]);
    free(result->row);
    for (int i = 0; i < result->nclaim; i++) {
        free(result->claim[i].claim);
        free(result->claim[i].paper.text);
        free(result->claim[i].ours.text);
    }
    free(result->claim);
    free(result->closing);
    *result = (struct result){0};
}
