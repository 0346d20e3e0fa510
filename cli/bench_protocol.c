/* sinew bench protocol: files that others publish figures of, by the protocol of those figures: thousands of worlds, the same
 * file, step and controls in every engine, and how far each is from its own converged run. */
#include "bench_protocol.h"

#include "experiment.h"
#include "experiment_print.h"
#include "options.h"
#include "peer.h"
#include "platform.h"
#include "progress.h"
#include "protocol.h"
#include "terminal.h"
#include "timing.h"
#include "workload.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct options options = {.help = "--scene NAME  only humanoid, humanoid-busy, g1-4ms or "
                                         "g1-2ms\n--humanoid FILE  MuJoCo's humanoid.xml (default: "
                                         "in the folder that SINEW_DATA names)\n--g1 FILE  Unitree's G1 as "
                                         "MuJoCo's menagerie has it, scene_mjx.xml "
                                         "(default: there, too)\n--worlds N  worlds whose steps are timed "
                                         "(default 8192)\n--steps N  of each (default "
                                         "1000)\n--compare N  worlds whose motion is compared (default "
                                         "16)\n--seconds S  of the motion that is compared "
                                         "(default 1)\n--threads N  beside one thread (default: one per "
                                         "core)\n--repetitions N  of each timed run; each "
                                         "step's fastest counts (default 3)\n--quick  few worlds and steps: "
                                         "to try out, not to compare\n--json  print JSON "
                                         "instead of tables\n"};

void help_bench_protocol(void) {
    printf("usage: sinew bench protocol [--scene NAME] [--humanoid FILE] [--g1 FILE] [--worlds N] [--steps "
           "N]\n               "
           "             [--compare N] [--seconds S] [--threads N] [--repetitions N] [--quick] "
           "[--json]\n\nSteps per second "
           "by the protocol of others (mjwarp-testspeed: 8,192 worlds of humanoid.xml, 1,000 steps\nof 5 "
           "ms), and beside it "
           "how far the motion and the depth of contacts are from the engine's own run with a\nsixteenth of "
           "the step and "
           "exact solvers. MuJoCo runs the same file with the same controls where its "
           "program\npeer_mujoco_protocol lies in "
           "../bench or in the folder that SINEW_PEERS names; a newer one "
           "is\npeer_mujoco_protocol_new.\n\noptions\n");
    options_print(&options);
}

enum { FINE = 16, PEERS = 2, MOST_ROWS = 12, MOMENTS = 2 };

/* One engine on one scene, bodies touching the ground alone or, if `whole`, all that the file says. */
struct row {
    const char *engine, *contacts;
    char version[32], lanes[16];
    bool whole;
    int threads;
    double us, put_us;
    double *states, *fine, *finer; /* [compare][steps][nq]; finer: half the step of fine */
    int diverged;
};

struct protocol_bench {
    const struct protocol_scene *scene;
    struct protocol_file file;
    struct protocol_control control;
    struct protocol_depth depth;
    char *peer[PEERS], plan[LONGEST_PATH];
    int worlds, steps, compare, compared, repetitions, threads; /* compared: steps */
    struct row row[MOST_ROWS];
    int nrow;
    bool failed;
};

static size_t state_count(const struct protocol_bench *b) {
    return (size_t)b->compare * (size_t)b->compared * (size_t)b->file.nq;
}

/* ----------------------------------------------------------------------------------------------------- ours */

static bool run_ours(struct protocol_bench *b, struct row *row, const struct protocol_run *run,
                     double *states) {
    struct protocol_seen seen;
    if (!protocol_run(run, states ? 1 : b->repetitions, states, &seen)) return false;
    if (states) return true;
    row->us = seen.us;
    row->put_us = seen.put_us;
    row->diverged = seen.diverged;
    return true;
}

static double *states_of(struct protocol_bench *b, struct row *row, struct protocol_run run, int substeps) {
    double *states = need_memory(NULL, state_count(b) * sizeof *states);
    run.worlds = b->compare;
    run.steps = b->compared;
    run.substeps = substeps;
    if (substeps > 1) {
        run.exact = true;
        run.lanes = NULL;
    }
    if (run_ours(b, row, &run, states)) return states;
    free(states);
    b->failed = true;
    return NULL;
}

/* The crowd as it is timed, and its motion; `first` is the row of the same scene that has the motion already. */
static void ours(struct protocol_bench *b, bool whole, int threads, const struct row *first) {
    const sn_lanes_info *lanes = lanes_widest(SN_PRECISION_FLOAT);
    struct row *row = &b->row[b->nrow++];
    const struct protocol_run run = {.scene = b->scene,
                                     .file = &b->file,
                                     .control = &b->control,
                                     .lanes = whole ? NULL : lanes,
                                     .worlds = whole ? b->compare : b->worlds,
                                     .steps = whole ? b->compared : b->steps,
                                     .threads = threads,
                                     .substeps = 1,
                                     .whole = whole};
    *row = (struct row){.engine = "sinew", .whole = whole, .threads = threads, .us = (double)NAN};
    snprintf(row->version, sizeof row->version, "%s", sn_version());
    snprintf(row->lanes, sizeof row->lanes, "%s", whole ? "one by one" : lanes ? lanes->name : "f32");
    progress_step("%s, sinew, %s, threads %d", b->scene->name, whole ? "all contacts" : "ground", threads);
    b->failed = !run_ours(b, row, &run, NULL) || b->failed;
    if (first || b->failed) return;
    row->states = states_of(b, row, run, 1);
    row->fine = b->failed ? NULL : states_of(b, row, run, FINE);
    row->finer = b->failed ? NULL : states_of(b, row, run, 2 * FINE);
}

/* --------------------------------------------------------------------------------------------------- others */

static bool write_plan(struct protocol_bench *b, int worlds, int steps) {
    FILE *out = open_file(b->plan, "wb");
    double *home = need_memory(NULL, (size_t)b->file.nq * sizeof *home);
    double *value = need_memory(NULL, (size_t)b->file.nv * sizeof *value);
    const size_t count = (size_t)b->control.count;
    sn_model_home_pose(b->file.model, home);
    bool good = out && fwrite(home, sizeof *home, (size_t)b->file.nq, out) == (size_t)b->file.nq;
    for (int w = 0; w < worlds; w++)
        for (int i = 0; i < steps && good; i++) {
            protocol_control_next(&b->control, w, i, value);
            good = fwrite(value, sizeof *value, count, out) == count;
        }
    free(home);
    free(value);
    if (out && fclose(out)) good = false;
    return good || complain(EXIT_FAILED, "%s: the controls cannot be written", b->plan) == EXIT_DONE;
}

struct ask {
    const char *program;
    int worlds, steps, substeps, repeat;
    bool whole;
};

/* Runs a peer; its states, if asked for, go to `states`. Its answer is for the caller to delete. */
static cJSON *ask_peer(const struct protocol_bench *b, const struct ask *ask, double *states) {
    char number[5][32], file[LONGEST_PATH] = "";
    const int integer[4] = {ask->worlds, ask->steps, ask->substeps, ask->repeat};
    for (int i = 0; i < 4; i++)
        snprintf(number[i], sizeof number[i], "%d", integer[i]);
    snprintf(number[4], sizeof number[4], "%.17g", b->scene->dt);
    if (states && !temporary_file("sinew", ".states", file)) return NULL;
    const char *argv[24] = {ask->program, b->file.path, "--plan",  b->plan,      "--worlds",
                            number[0],    "--steps",    number[1], "--substeps", number[2],
                            "--repeat",   number[3],    "--dt",    number[4]};
    int n = 14;
    if (b->scene->servo) argv[n++] = "--servo";
    if (!ask->whole) argv[n++] = "--ground";
    if (!ask->whole && b->scene->bare) argv[n++] = "--bare";
    if (ask->substeps > 1) argv[n++] = "--exact";
    if (states) argv[n++] = "--states", argv[n++] = file;
    char *printed = NULL;
    size_t size = 0;
    const int code = run_program(argv, false, &printed, &size);
    cJSON *answer = code == 0 ? cJSON_Parse(printed) : NULL;
    free(printed);
    FILE *in = states && answer ? open_file(file, "rb") : NULL;
    if (states && answer && (!in || fread(states, sizeof *states, state_count(b), in) != state_count(b))) {
        cJSON_Delete(answer);
        answer = NULL;
    }
    if (in) fclose(in);
    if (file[0]) remove_file(file);
    if (!answer && !interrupted()) complain(EXIT_FAILED, "%s failed (exit code %d)", ask->program, code);
    return answer;
}

static double *peer_states(struct protocol_bench *b, struct ask ask, int substeps) {
    double *states = need_memory(NULL, state_count(b) * sizeof *states);
    ask.worlds = b->compare;
    ask.steps = b->compared;
    ask.substeps = substeps;
    ask.repeat = 1;
    cJSON *answer = ask_peer(b, &ask, states);
    cJSON_Delete(answer);
    if (answer) return states;
    free(states);
    b->failed = true;
    return NULL;
}

/* One of MuJoCo on one core: a step of one world costs the same however many there are. */
static void other(struct protocol_bench *b, const char *program, bool whole) {
    struct row *row = &b->row[b->nrow++];
    const int worlds = b->worlds < 4 ? b->worlds : 4;
    struct ask ask = {.program = program,
                      .worlds = worlds,
                      .steps = b->steps,
                      .substeps = 1,
                      .repeat = b->repetitions,
                      .whole = whole};
    *row = (struct row){
        .engine = "mujoco", .whole = whole, .threads = 1, .us = (double)NAN, .put_us = (double)NAN};
    snprintf(row->lanes, sizeof row->lanes, "one by one");
    progress_step("%s, MuJoCo, %s", b->scene->name, whole ? "all contacts" : "ground");
    if (!write_plan(b, worlds, b->steps)) b->failed = true;
    cJSON *answer = b->failed ? NULL : ask_peer(b, &ask, NULL);
    if (!answer) { /* an old one cannot read every file */
        b->nrow--;
        return;
    }
    const cJSON *version = cJSON_GetObjectItem(answer, "version");
    row->us = peer_number(answer, "us_per_step");
    row->diverged = !cJSON_IsTrue(cJSON_GetObjectItem(answer, "finite"));
    snprintf(row->version, sizeof row->version, "%s", cJSON_IsString(version) ? version->valuestring : "");
    cJSON_Delete(answer);
    if (!b->failed) b->failed = !write_plan(b, b->compare, b->compared);
    row->states = b->failed ? NULL : peer_states(b, ask, 1);
    row->fine = b->failed ? NULL : peer_states(b, ask, FINE);
    row->finer = b->failed ? NULL : peer_states(b, ask, 2 * FINE);
}

/* ------------------------------------------------------------------------------------------------- distances */

struct apart {
    double joints, root; /* root mean square over worlds (and joints) at a moment: rad, mm */
};

static struct apart apart_at(const struct protocol_bench *b, const double *x, const double *y, int step) {
    struct apart sum = {0};
    const size_t nq = (size_t)b->file.nq, steps = (size_t)b->compared;
    for (int w = 0; w < b->compare; w++) {
        const size_t at = ((size_t)w * steps + (size_t)step) * nq;
        for (size_t k = 0; k < 3; k++)
            sum.root += (x[at + k] - y[at + k]) * (x[at + k] - y[at + k]);
        for (size_t k = 7; k < nq; k++)
            sum.joints += (x[at + k] - y[at + k]) * (x[at + k] - y[at + k]);
    }
    return (struct apart){sqrt(sum.joints / ((double)b->compare * (double)(nq - 7))),
                          1000 * sqrt(sum.root / b->compare)};
}

/* Mean and worst depth of the lowest point, mm. */
static void depths(const struct protocol_bench *b, const double *states, double *mean, double *worst) {
    const size_t all = (size_t)b->compare * (size_t)b->compared;
    *mean = *worst = 0;
    for (size_t i = 0; i < all; i++) {
        const double depth = 1000 * protocol_depth_of(&b->depth, states + i * (size_t)b->file.nq);
        *mean += depth / (double)all;
        *worst = fmax(*worst, depth);
    }
}

static void put_apart(struct record *record, const char *key, const char *root, const double *x,
                      const double *y, const struct protocol_bench *b, double part) {
    const int step = (int)(part * b->compared + 0.5) - 1;
    const struct apart d =
        x && y ? apart_at(b, x, y, step < 0 ? 0 : step) : (struct apart){(double)NAN, (double)NAN};
    add_fields(record, {key, x && y ? number(d.joints) : none()}, {root, x && y ? number(d.root) : none()});
}

/* The row of the other engine that solves the same problem; the newest. */
static const struct row *opposite(const struct protocol_bench *b, const struct row *row) {
    const struct row *found = NULL;
    for (int i = 0; i < b->nrow; i++)
        if (b->row[i].fine && b->row[i].whole == row->whole && strcmp(b->row[i].engine, row->engine) != 0)
            found = &b->row[i];
    return found;
}

static void put_speed(const struct protocol_bench *b, struct result *result) {
    for (int i = 0; i < b->nrow; i++) {
        const struct row *row = &b->row[i];
        add_row(result, NULL, {"scene", text(b->scene->name)}, {"engine", text(row->engine)},
                {"version", text(row->version)}, {"contacts", text(row->whole ? "all" : "ground")},
                {"lanes", text(row->lanes)}, {"threads", number(row->threads)}, {"us", number(row->us)},
                {"put_us", isnan(row->put_us) ? none() : number(row->put_us)},
                {"steps_per_s", number(1e6 / row->us)}, {"diverged", number(row->diverged)});
    }
}

static void put_distances(const struct protocol_bench *b, struct result *result) {
    for (int i = 0; i < b->nrow; i++) {
        const struct row *row = &b->row[i], *them = opposite(b, row);
        if (!row->states || !row->fine || !row->finer) continue;
        double mean, worst, fine_mean, fine_worst;
        depths(b, row->states, &mean, &worst);
        depths(b, row->fine, &fine_mean, &fine_worst);
        struct record *r = result_row(result, NULL);
        add_fields(r, {"scene", text(b->scene->name)}, {"engine", text(row->engine)},
                   {"version", text(row->version)}, {"contacts", text(row->whole ? "all" : "ground")});
        put_apart(r, "quarter_rad", "quarter_mm", row->states, row->fine, b, 0.25);
        put_apart(r, "end_rad", "end_mm", row->states, row->fine, b, 1);
        put_apart(r, "fine_rad", "fine_mm", row->fine, row->finer, b, 1);
        put_apart(r, "other_quarter_rad", "other_quarter_mm", row->states, them ? them->fine : NULL, b, 0.25);
        add_fields(r, {"depth_mm", number(mean)}, {"worst_depth_mm", number(worst)},
                   {"fine_depth_mm", number(fine_mean)}, {"fine_worst_depth_mm", number(fine_worst)});
    }
}

/* -------------------------------------------------------------------------------------------------- the command */

static void measure(struct protocol_bench *b) {
    ours(b, false, 1, NULL);
    if (b->threads > 1 && !b->failed) ours(b, false, b->threads, &b->row[0]);
    if (!b->failed && !b->scene->bare) ours(b, true, 1, NULL);
    for (int i = 0; i < PEERS; i++)
        for (int whole = 0; whole < 2 && b->peer[i] && !b->failed && !interrupted(); whole++)
            other(b, b->peer[i], whole);
}

static bool run_scene(struct protocol_bench *b, const char *path, struct result *speed,
                      struct result *distance) {
    if (!protocol_file_open(&b->file, b->scene, path)) return false;
    protocol_control_make(&b->control, b->scene, &b->file);
    bool good = protocol_depth_make(&b->depth, &b->file) && temporary_file("sinew", ".plan", b->plan);
    if (good) {
        measure(b);
        put_speed(b, speed);
        put_distances(b, distance);
        remove_file(b->plan);
        good = !b->failed;
    }
    for (int i = 0; i < b->nrow; i++) {
        free(b->row[i].states);
        free(b->row[i].fine);
        free(b->row[i].finer);
    }
    protocol_depth_free(&b->depth);
    protocol_control_free(&b->control);
    protocol_file_close(&b->file);
    b->nrow = 0;
    return good;
}

/* The file of a scene: as the option names it, or in SINEW_DATA; false: there is none. */
static bool file_of(const struct protocol_scene *scene, char path[LONGEST_PATH]) {
    const char *given = option_text(&options, scene->option, NULL), *data = getenv("SINEW_DATA");
    if (given) return snprintf(path, LONGEST_PATH, "%s", given) < LONGEST_PATH;
    if (!data || snprintf(path, LONGEST_PATH, "%s/%s", data, scene->file) >= LONGEST_PATH) return false;
    return can_read(path);
}

static int run(struct protocol_bench *b, double seconds) {
    const char *only = option_text(&options, "--scene", NULL);
    struct result speed = {0}, distance = {0};
    bool any = false, good = true;
    char path[LONGEST_PATH];
    progress_start("bench protocol", 28);
    for (const struct protocol_scene *s = protocol_scenes; s->name && good && !interrupted(); s++) {
        if (only && strcmp(only, s->name) != 0) continue;
        if (!file_of(s, path)) {
            complain(EXIT_DONE, "%s is left out: there is no %s (see %s)", s->name, s->file, s->option);
            continue;
        }
        any = true;
        b->scene = s;
        b->compared = (int)(seconds / s->dt + 0.5) > 1 ? (int)(seconds / s->dt + 0.5) : 1;
        good = run_scene(b, path, &speed, &distance);
    }
    progress_end();
    cJSON *json = option_given(&options, "--json") ? cJSON_CreateObject() : NULL;
    print_part(json, "rows", "microseconds per step of one world; steps per second of all", &speed);
    print_part(json, "distances",
               "distance from the engine's own converged run, and from the other's; depth of contacts",
               &distance);
    if (json) print_json(stdout, json);
    if (interrupted()) return complain(EXIT_INTERRUPTED, "interrupted: the result above is not complete");
    if (!any) return complain(EXIT_FAILED, "nothing to measure: please name a file");
    return good ? EXIT_DONE : EXIT_FAILED;
}

int bench_protocol(int argc, char **argv) {
    static const char *const names[] = {"humanoid", "humanoid-busy", "g1-4ms", "g1-2ms", NULL};
    long worlds = 0, steps = 0, compare = 0, threads = core_count(), repetitions = 0;
    double seconds = 0;
    int scene, code = options_parse(&options, argc, argv);
    if (code == EXIT_DONE) code = option_number(&options, "--worlds", 1, 1 << 20, &worlds);
    if (code == EXIT_DONE) code = option_number(&options, "--steps", 1, 1 << 20, &steps);
    if (code == EXIT_DONE) code = option_number(&options, "--compare", 1, 1 << 12, &compare);
    if (code == EXIT_DONE) code = option_number(&options, "--threads", 1, 1024, &threads);
    if (code == EXIT_DONE) code = option_number(&options, "--repetitions", 1, 1000, &repetitions);
    if (code == EXIT_DONE) code = option_real(&options, "--seconds", 1e-3, 100, &seconds);
    if (code == EXIT_DONE) code = option_choice(&options, "--scene", "scene", names, &scene);
    if (code != EXIT_DONE) return code;
    if (options.nword > 1) return complain(EXIT_USAGE, "'%s' is one word too many", options.word[1]);
    const bool quick = option_given(&options, "--quick");
    struct protocol_bench b = {
        .worlds = worlds  ? (int)worlds
                  : quick ? 64
                          : 8192,
        .steps = steps   ? (int)steps
                 : quick ? 20
                         : 1000,
        .compare = compare ? (int)compare
                   : quick ? 2
                           : 16,
        .repetitions = repetitions ? (int)repetitions
                       : quick     ? 1
                                   : 3,
        .threads = (int)threads,
        .peer = {peer_program("peer_mujoco_protocol"), peer_program("peer_mujoco_protocol_new")}};
    if (!b.peer[0] && !b.peer[1])
        complain(EXIT_DONE,
                 "peer_mujoco_protocol was not found (see SINEW_PEERS): only our own rows are measured");
    code = run(&b, seconds > 0 ? seconds : quick ? 0.1 : 1);
    free(b.peer[0]);
    free(b.peer[1]);
    return code;
}
