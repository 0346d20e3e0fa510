/* sinew bench contact: steps per second of a humanoid on the ground under stable PD, with both ways of contact, and
 * of the same in MuJoCo where its program is there. */
#include "bench_contact.h"

#include "experiment.h"
#include "options.h"
#include "peer.h"
#include "progress.h"
#include "experiment_print.h"
#include "ground_scene.h"
#include "terminal.h"
#include "timing.h"
#include "scenes/whole.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct options options = {
    .help = "--json  print JSON instead of tables\n--kp K  stiffness of all drives, N m/rad (default "
            "1000)\n--kd K  damping of all drives, N m s/rad (default 100)\n--rows  instead: cost against "
            "the number of contact rows, up to 200\n--stability  instead: kp from 1e3 to 1e7 (kd = kp / 10), "
            "dt from 1/240 to 1/30 s\n--repetitions N  of each measurement; the fastest counts (default "
            "5)\n--quick  short measurements: to try out, not to compare\n--check  compare with the "
            "project's targets; exit 1 when one is missed\n"};

void help_bench_contact(void) {
    printf("usage: sinew bench contact [--kp K] [--kd K] [--rows | --stability]\n                           "
           "[--repetitions N] [--quick] [--check] [--json]\n\nMeasures steps per second of a humanoid on the "
           "ground under stable PD, standing and falling, with\ncontact by rows and with implicit contact, "
           "and beside it of the same scene in MuJoCo when its\nprogram peer_mujoco_ground lies in ../bench "
           "or in the folder that SINEW_PEERS names.\n\noptions\n");
    options_print(&options);
}

struct measured {
    const char *scene, *engine, *contact, *precision;
    double dt;
    double us; /* per step; the fastest so far */
    double contacts;
};

struct contact_bench {
    const struct contact_settings *settings;
    sn_model *model;
    struct peer peer;
    struct measured *row;
    int nrow;
    bool failed;
};

static const char *const scenes[] = {"stand", "fall"};
static const char *const methods[] = {"armature", "euler", "implicit"};
static const double steps_of_time[] = {1.0 / 240, 1.0 / 60};

enum { RUNS = 3 }; /* in a row, of the same: short enough that some go undisturbed */

static bool is_ours(const struct measured *row) {
    return strcmp(row->engine, "sinew") == 0;
}

static void add(struct contact_bench *b, struct measured row) {
    b->row = need_memory(b->row, (size_t)(b->nrow + 1) * sizeof *b->row);
    row.us = INFINITY;
    b->row[b->nrow++] = row;
}

static void list_measurements(struct contact_bench *b) {
    for (int s = 0; s < 2; s++)
        for (int t = 0; t < (b->settings->quick ? 1 : 2); t++) {
            const char *scene = scenes[s];
            const double dt = steps_of_time[t];
            for (int i = 0; i < 4; i++)
                add(b, (struct measured){.scene = scene,
                                         .engine = "sinew",
                                         .contact = i / 2 ? "implicit" : "rows",
                                         .precision = i % 2 ? "float" : "double",
                                         .dt = dt});
            for (int m = 0; m < 3 && b->peer.program; m++)
                add(b, (struct measured){.scene = scene,
                                         .engine = "mujoco",
                                         .contact = methods[m],
                                         .precision = "double",
                                         .dt = dt});
        }
}

static double duration(const struct contact_bench *b, const struct measured *row) {
    return b->settings->quick ? 0.1 : strcmp(row->scene, "fall") == 0 ? 3.0 : 2.0;
}

static struct ground_scene_def define(const struct contact_bench *b, const struct measured *row) {
    struct ground_scene_def def = ground_scene_def_default();
    def.world.dt = row->dt;
    def.world.precision = strcmp(row->precision, "float") == 0 ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE;
    def.world.contact = strcmp(row->contact, "rows") == 0 ? SN_CONTACT_ROWS : SN_CONTACT_IMPLICIT;
    def.world.joint_limits = true; /* MuJoCo keeps them too */
    def.fall = strcmp(row->scene, "fall") == 0;
    def.kp = b->settings->kp;
    def.kd = b->settings->kd;
    return def;
}

/* One run with nothing but the steps in it. */
static bool time_ours(const struct contact_bench *b, struct measured *row) {
    const struct ground_scene_def def = define(b, row);
    const int steps = (int)(duration(b, row) / row->dt + 0.5);
    struct ground_scene scene;
    sn_error error = {0};
    if (!ground_scene_create(&scene, b->model, &def, &error))
        return complain(EXIT_FAILED, "humanoid on the ground: %s", error.message) == EXIT_DONE;
    sn_status status = SN_OK;
    const double start = clock_seconds();
    for (int i = 0; i < steps && status == SN_OK; i++)
        status = step_whole(scene.world);
    row->us = fmin(row->us, 1e6 * (clock_seconds() - start) / steps);
    ground_scene_free(&scene);
    if (status == SN_OK) return true;
    return complain(EXIT_FAILED, "%s, %s, %s: %s", row->scene, row->contact, row->precision,
                    sn_status_text(status)) == EXIT_DONE;
}

static bool time_ours_again(const struct contact_bench *b, struct measured *row) {
    for (int i = 0; i < RUNS; i++)
        if (!time_ours(b, row)) return false;
    return true;
}

static bool count_ours(const struct contact_bench *b, struct measured *row) {
    const struct ground_scene_def def = define(b, row);
    struct ground_scene scene;
    if (!ground_scene_create(&scene, b->model, &def, NULL)) return false;
    row->contacts = ground_scene_watch(&scene, row->dt, duration(b, row)).contacts;
    ground_scene_free(&scene);
    return true;
}

static bool time_peer(const struct contact_bench *b, struct measured *row) {
    const struct peer_run run = {.scene = row->scene,
                                 .method = row->contact,
                                 .dt = row->dt,
                                 .seconds = duration(b, row),
                                 .kp = b->settings->kp,
                                 .kd = b->settings->kd,
                                 .repeat = RUNS};
    cJSON *answer = peer_ask(&b->peer, &run);
    if (!answer) return false;
    row->us = fmin(row->us, peer_number(answer, "us_per_step"));
    row->contacts = peer_number(answer, "contacts");
    cJSON_Delete(answer);
    return true;
}

/* Repetitions go round all measurements, ours and the peer's in turn, so that a disturbance of a second or
   two spoils only one of each. */
static void measure(struct contact_bench *b) {
    const int repetitions = b->settings->repetitions;
    progress_start("bench contact", b->nrow * repetitions);
    for (int r = 0; r < repetitions && !b->failed; r++)
        for (int i = 0; i < b->nrow && !interrupted() && !b->failed; i++) {
            struct measured *row = &b->row[i];
            progress_step("%s, %s, %s, %s", row->scene, row->engine, row->contact, row->precision);
            bool good = is_ours(row) ? time_ours_again(b, row) : time_peer(b, row);
            if (is_ours(row) && r == 0 && good) good = count_ours(b, row);
            b->failed = !good && !interrupted(); /* Ctrl-C ends the peer as well */
        }
    progress_end();
}

static void put_case(struct record *row, const struct measured *m, bool engine) {
    record_put(row, "scene", text(m->scene));
    if (engine) record_put(row, "engine", text(m->engine));
    add_fields(row, {"contact", text(m->contact)}, {"precision", text(m->precision)}, {"dt", number(m->dt)});
}

static void put_rows(const struct contact_bench *b, struct result *result) {
    for (int i = 0; i < b->nrow; i++) {
        const struct measured *m = &b->row[i];
        if (!isfinite(m->us)) continue; /* interrupted before its turn */
        struct record *row = result_row(result, NULL);
        put_case(row, m, true);
        add_fields(row, {"steps_per_s", number(1e6 / m->us)}, {"us", number(m->us)},
                   {"contacts", number(m->contacts)});
    }
}

/* The fastest of MuJoCo's methods on a scene, or one of them; NULL: none measured. */
static const struct measured *peer_of(const struct contact_bench *b, const struct measured *ours,
                                      const char *method) {
    const struct measured *best = NULL;
    for (int i = 0; i < b->nrow; i++) {
        const struct measured *row = &b->row[i];
        if (is_ours(row) || strcmp(row->scene, ours->scene) != 0 || row->dt != ours->dt) continue;
        if (method && strcmp(row->contact, method) != 0) continue;
        if (isfinite(row->us) && (!best || row->us < best->us)) best = row;
    }
    return best;
}

static void put_ratios(const struct contact_bench *b, struct result *result) {
    for (int i = 0; i < b->nrow; i++) {
        const struct measured *ours = &b->row[i], *peer = is_ours(ours) ? peer_of(b, ours, NULL) : NULL;
        if (!peer || !isfinite(ours->us)) continue;
        struct record *row = result_row(result, NULL);
        put_case(row, ours, false);
        add_fields(row, {"over", text(peer->contact)}, {"ratio", number(peer->us / ours->us)});
    }
}

static double ratio_of(const struct contact_bench *b, const char *contact) {
    for (int i = 0; i < b->nrow; i++) {
        const struct measured *row = &b->row[i];
        if (is_ours(row) && strcmp(row->scene, "stand") == 0 && strcmp(row->contact, contact) == 0 &&
            strcmp(row->precision, "double") == 0 && row->dt == steps_of_time[0]) {
            const struct measured *peer = peer_of(b, row, "euler");
            return peer ? peer->us / row->us : (double)NAN;
        }
    }
    return (double)NAN;
}

/* The project's targets: how many times the steps per second of MuJoCo's own way to stable PD, joint damping under
   Euler. (With dt kd in the armature it is a little faster, and stands: the ratios above are over that.) */
static int put_checks(const struct contact_bench *b, struct result *result) {
    static const struct {
        const char *contact, *what;
        double least;
    } target[] = {{"rows", "rows over MuJoCo, euler, stand, double, 1/240 s", 3},
                  {"implicit", "implicit over MuJoCo, euler, stand, double, 1/240 s", 10}};
    int missed = 0;
    for (int i = 0; i < 2; i++) {
        const double ours = ratio_of(b, target[i].contact);
        const bool met = ours >= target[i].least; /* NAN: not measured, not met */
        add_row(result, NULL, {"target", text(target[i].what)}, {"bound", text("at least")},
                {"value", number(target[i].least)}, {"ours", isnan(ours) ? none() : number(ours)},
                {"check", text(met ? "pass" : "FAIL")});
        missed += !met;
    }
    return missed;
}

static int print_all(const struct contact_bench *b) {
    struct result rows = {0}, ratios = {0}, checks = {0};
    put_rows(b, &rows);
    put_ratios(b, &ratios);
    const int missed = b->settings->check ? put_checks(b, &checks) : 0;
    cJSON *json = b->settings->json ? cJSON_CreateObject() : NULL;
    print_part(json, "rows", "a humanoid on the ground, one thread", &rows);
    print_part(json, "ratios", "how many times faster than MuJoCo's fastest method of stable PD", &ratios);
    if (b->settings->check) print_part(json, "checks", "targets", &checks);
    if (json) print_json(stdout, json);
    return missed;
}

static int bench_speed(const struct contact_settings *settings) {
    struct contact_bench b = {.settings = settings};
    sn_error error = {0};
    b.model = sn_builtin_create("humanoid", &error);
    if (!b.model) return complain(EXIT_FAILED, "humanoid: %s", error.message);
    peer_find(&b.peer, b.model);
    list_measurements(&b);
    measure(&b);
    const int missed = b.failed ? 0 : print_all(&b);
    const int code = b.failed || missed > 0 ? EXIT_FAILED : EXIT_DONE;
    peer_free(&b.peer);
    free(b.row);
    sn_model_free(b.model);
    if (interrupted()) return complain(EXIT_INTERRUPTED, "interrupted: the result above is not complete");
    return code;
}

static int run(const struct contact_settings *settings) {
    const bool rows = option_given(&options, "--rows"), stability = option_given(&options, "--stability");
    if (rows && stability) return complain(EXIT_USAGE, "--rows and --stability are two benchmarks: give one");
    if ((rows || stability) && settings->check)
        return complain(EXIT_USAGE, "--check has no targets for %s", rows ? "--rows" : "--stability");
    return rows        ? bench_contact_rows(settings)
           : stability ? bench_contact_stability(settings)
                       : bench_speed(settings);
}

int bench_contact(int argc, char **argv) {
    struct contact_settings settings = {.kp = 1000, .kd = 100};
    long repetitions = 0;
    int code = options_parse(&options, argc, argv);
    if (code == EXIT_DONE) code = option_number(&options, "--repetitions", 1, 1000, &repetitions);
    if (code == EXIT_DONE) code = option_real(&options, "--kp", 0, 1e12, &settings.kp);
    if (code == EXIT_DONE) code = option_real(&options, "--kd", 0, 1e12, &settings.kd);
    settings.json = option_given(&options, "--json");
    settings.quick = option_given(&options, "--quick");
    settings.check = option_given(&options, "--check");
    settings.repetitions = repetitions > 0 ? (int)repetitions : settings.quick ? 1 : 5;
    if (code != EXIT_DONE) return code;
    if (options.nword > 1) return complain(EXIT_USAGE, "'%s' is one word too many", options.word[1]);
    return run(&settings);
}
