/* sinew bench crowd: microseconds per character-step of crowds in four scenes, on one thread and on all, and beside it
 * the same scenes in MuJoCo where its program is there. */
#include "bench_crowd.h"

#include "crowd_scene.h"
#include "experiment.h"
#include "options.h"
#include "peer.h"
#include "progress.h"
#include "subject.h"
#include "experiment_print.h"
#include "ground_scene.h"
#include "terminal.h"
#include "timing.h"
#include "workload.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct options options = {
    .help = "--json  print JSON instead of tables\n--model M  this built-in model (default "
            "humanoid)\n--scene S  only this scene: track, stand, fall, push\n--precision P  only this "
            "precision: float, double\n--lanes L  this lane type, as f32x16 (default: the widest of each "
            "precision)\n--products P  velocity products: midpoint (default), "
            "explicit\n--torque-limit T  of every joint, N m (default: none)\n--threads N  number of threads "
            "(default: one, then one per core)\n--characters N  in a crowd (default 1024, and once "
            "65536)\n--seed N  seed of everything random (default 1)\n--repetitions N  of each measurement; "
            "the fastest counts (default 5)\n--quick  small crowds, short runs: to try out, not to "
            "compare\n--check  compare with the project's targets; exit 1 when one is missed\n"};

void help_bench_crowd(void) {
    printf(
        "usage: sinew bench crowd [--model M] [--scene S] [--precision P] [--lanes L] [--products P]\n       "
        "                  [--torque-limit T] [--threads N] [--characters N] [--seed N]\n                    "
        "     [--repetitions N] [--quick] [--check] [--json]\n\nMeasures microseconds per character-step of "
        "crowds at dt = 1/240 s, and their memory. Scenes: track\n(no ground, root and joints follow a "
        "motion), stand, fall (2 s, then all start again), push (standing,\nhit with 200 N for 0.1 s every "
        "0.5 s). Beside it the same in MuJoCo, one character in double, when its\nprogram peer_mujoco_ground "
        "lies in ../bench or in the folder that SINEW_PEERS names.\n\noptions\n");
    options_print(&options);
}

struct row {
    const char *model, *scene;
    const sn_lanes_info *lanes;
    sn_products products;
    double torque_limit;
    struct crowd_scene work;
    int threads;
    size_t bytes; /* a character */
};

/* MuJoCo on one scene by one of its ways to stable PD. */
struct rival {
    const char *scene, *method;
    double us; /* per step; the fastest so far */
    bool gone; /* its program cannot do it */
};

struct crowd_bench {
    sn_model *model[2]; /* the one asked for; the dog */
    struct row *row;
    int nrow;
    struct peer peer;
    struct rival *rival;
    int nrival;
    sn_products products; /* of rows that are added from now on; */
    double torque_limit;  /* as above */
    uint64_t seed;
    int repetitions, characters;
    bool quick, failed;
};

static const char *const products_names[] = {
    [SN_PRODUCTS_MIDPOINT] = "midpoint", [SN_PRODUCTS_EXPLICIT] = "explicit", NULL};

enum { LIMIT = 200 }; /* N m, of rows with torque limits that the targets speak of */
enum { MANY = 1024, CROWD = 65536, MANY_QUICK = 32, CROWD_QUICK = 64, STEPS_QUICK = 12 };

static const char *const rival_methods[] = {"armature", "armature-cg", "euler", "implicit", NULL};

/* ------------------------------------------------------------------------------------- what is measured */

static bool chosen(const char *option, const char *name) {
    const char *only = option_text(&options, option, NULL);
    return !only || strcmp(only, name) == 0;
}

static bool add_case(struct crowd_bench *b, const sn_model *model, const char *name, const char *scene,
                     const sn_lanes_info *lanes, int threads, int characters) {
    if (b->failed || !lanes || interrupted()) return false;
    if (threads == 0 && core_count() == 1) return false; /* one core: it is there already */
    if (!chosen("--scene", scene) || !chosen("--precision", precision_name(lanes->precision))) return false;
    const struct crowd_scene_def def = {.scene = scene,
                                        .lanes = lanes,
                                        .products = b->products,
                                        .torque_limit = b->torque_limit,
                                        .threads = threads,
                                        .count = characters,
                                        .steps = b->quick ? STEPS_QUICK : 0,
                                        .seed = b->seed};
    struct row row = {.model = name,
                      .scene = scene,
                      .lanes = lanes,
                      .products = b->products,
                      .torque_limit = b->torque_limit};
    sn_error error = {0};
    progress_step("%s, %s, %s, %d characters", name, scene, lanes->name, characters);
    if (!crowd_scene_create(&row.work, model, &def, &error)) {
        b->failed = true;
        complain(EXIT_FAILED, "%s, %s, %s: %s", name, scene, lanes->name, error.message);
        return false;
    }
    row.threads = threads > 0 ? threads : core_count();
    row.bytes = sn_world_memory(row.work.world) / (size_t)characters;
    b->row = need_memory(b->row, (size_t)(b->nrow + 1) * sizeof *b->row);
    b->row[b->nrow++] = row;
    return true;
}

/* One thread, then one per core, where that is more; the targets speak of two. */
static void add_threads(struct crowd_bench *b, const sn_model *model, const char *name, const char *scene,
                        const sn_lanes_info *lanes, long threads) {
    if (threads > 0) {
        add_case(b, model, name, scene, lanes, (int)threads, b->characters);
        return;
    }
    if (!add_case(b, model, name, scene, lanes, 1, b->characters)) return;
    if (!add_case(b, model, name, scene, lanes, 0, b->characters)) return;
    if (b->row[b->nrow - 1].threads > 2 && option_given(&options, "--check"))
        add_case(b, model, name, scene, lanes, 2, b->characters);
}

/* What the targets compare with: products as at the start of a step, and torque limits. */
static void list_others(struct crowd_bench *b, const char *name, const sn_lanes_info *lanes) {
    if (b->products != SN_PRODUCTS_MIDPOINT || b->torque_limit > 0) return;
    b->products = SN_PRODUCTS_EXPLICIT;
    add_case(b, b->model[0], name, "track", lanes, 1, b->characters);
    b->products = SN_PRODUCTS_MIDPOINT, b->torque_limit = LIMIT;
    add_case(b, b->model[0], name, "stand", lanes, 1, b->characters);
    add_case(b, b->model[0], name, "push", lanes, 1, b->characters);
    b->torque_limit = 0;
}

static void list_rows(struct crowd_bench *b, const char *name, long threads) {
    const char *only = option_text(&options, "--lanes", NULL);
    const sn_lanes_info *lanes[2] = {only ? lanes_find(only) : lanes_widest(SN_PRECISION_FLOAT),
                                     only ? NULL : lanes_widest(SN_PRECISION_DOUBLE)};
    const bool usual = !option_given(&options, "--model") && !only && threads <= 1;
    for (int s = 0; crowd_scene_names[s]; s++)
        for (int l = 0; l < 2; l++)
            add_threads(b, b->model[0], name, crowd_scene_names[s], lanes[l], threads);
    if (usual && !option_given(&options, "--characters"))
        add_case(b, b->model[0], name, "stand", lanes[0], 1, b->quick ? CROWD_QUICK : CROWD);
    for (int l = 0; l < 2 && usual; l++)
        add_case(b, b->model[1], "dog", "track", lanes[l], 1, b->characters);
    if (option_given(&options, "--check") && !b->quick && !only) list_others(b, name, lanes[0]);
}

static void list_rivals(struct crowd_bench *b) {
    for (int s = 0; crowd_scene_names[s] && b->peer.program; s++)
        for (int m = 0; rival_methods[m]; m++) {
            if (!chosen("--scene", crowd_scene_names[s])) continue;
            b->rival = need_memory(b->rival, (size_t)(b->nrival + 1) * sizeof *b->rival);
            b->rival[b->nrival++] =
                (struct rival){.scene = crowd_scene_names[s], .method = rival_methods[m], .us = INFINITY};
        }
}

/* --------------------------------------------------------------------------------------------- measuring */

static void time_rival(const struct crowd_bench *b, struct rival *rival) {
    const struct ground_scene_def ground = ground_scene_def_default();
    const bool track = strcmp(rival->scene, "track") == 0, push = strcmp(rival->scene, "push") == 0;
    const struct peer_run run = {.scene = rival->scene,
                                 .method = rival->method,
                                 .quiet = true, /* a program of another version may not know the scene */
                                 .dt = 1.0 / CROWD_SCENE_HERTZ,
                                 .seconds = b->quick ? 0.1
                                            : track  ? 1
                                            : push   ? 10
                                                     : 2,
                                 .kp = track ? 75000 : ground.kp,
                                 .kd = track ? 4000 : ground.kd,
                                 .repeat = 3};
    cJSON *answer = peer_ask(&b->peer, &run);
    const double us = answer ? peer_number(answer, "us_per_step") : (double)NAN;
    rival->gone = !isfinite(us) && !interrupted();
    rival->us = fmin(rival->us, us);
    cJSON_Delete(answer);
}

/* Repetitions go round all measurements, ours and the peer's in turn, so that a disturbance of a second or two
   spoils only one of each. */
static void measure(struct crowd_bench *b) {
    const int repetitions = b->repetitions;
    progress_start("bench crowd", (b->nrow + b->nrival) * repetitions);
    for (int r = 0; r < repetitions; r++) {
        for (int i = 0; i < b->nrow && !interrupted(); i++) {
            struct row *row = &b->row[i];
            progress_step("%s, %s, %s, %d threads, %d characters", row->model, row->scene, row->lanes->name,
                          row->threads, row->work.count);
            crowd_scene_run(&row->work);
        }
        for (int i = 0; i < b->nrival && !interrupted(); i++) {
            progress_step("MuJoCo, %s, %s", b->rival[i].scene, b->rival[i].method);
            if (!b->rival[i].gone) time_rival(b, &b->rival[i]);
        }
    }
    progress_end();
}

/* ---------------------------------------------------------------------------------------------- reporting */

static double us_of(const struct row *row) {
    return crowd_scene_us(&row->work, 0);
}

static void put_rows(const struct crowd_bench *b, struct result *result) {
    for (int i = 0; i < b->nrow; i++) {
        const struct row *m = &b->row[i];
        if (!isfinite(us_of(m))) continue; /* interrupted before its turn */
        struct record *row =
            add_row(result, NULL, {"model", text(m->model)}, {"scene", text(m->scene)},
                    {"precision", text(precision_name(m->lanes->precision))}, {"lanes", text(m->lanes->name)},
                    {"products", text(products_names[m->products])});
        if (m->torque_limit > 0) record_put(row, "torque_limit", number(m->torque_limit));
        add_fields(row, {"threads", number(m->threads)}, {"characters", number(m->work.count)},
                   {"us", number(us_of(m))}, {"bytes", number((double)m->bytes)},
                   {"diverged", number(m->work.diverged)});
    }
}

static void put_rivals(const struct crowd_bench *b, const char *model, struct result *result) {
    for (int i = 0; i < b->nrival; i++) {
        const struct rival *r = &b->rival[i];
        if (!isfinite(r->us)) continue;
        add_row(result, NULL, {"model", text(model)}, {"scene", text(r->scene)}, {"engine", text("mujoco")},
                {"method", text(r->method)}, {"precision", text("double")}, {"threads", number(1)},
                {"us", number(r->us)});
    }
}

/* Of the model asked for, with products and limits as asked for. */
static bool is_plain(const struct crowd_bench *b, const struct row *row) {
    return row->work.model == b->model[0] && row->products == b->products &&
           row->torque_limit == b->torque_limit;
}

/* The fastest of MuJoCo's methods on a scene; NULL: none measured. */
static const struct rival *fastest_rival(const struct crowd_bench *b, const char *scene) {
    const struct rival *best = NULL;
    for (int i = 0; i < b->nrival; i++) {
        const struct rival *r = &b->rival[i];
        if (strcmp(r->scene, scene) == 0 && isfinite(r->us) && (!best || r->us < best->us)) best = r;
    }
    return best;
}

static void put_ratios(const struct crowd_bench *b, struct result *result) {
    for (int i = 0; i < b->nrow; i++) {
        const struct row *ours = &b->row[i];
        const struct rival *rival = fastest_rival(b, ours->scene);
        if (!is_plain(b, ours) || !rival || !isfinite(us_of(ours))) continue;
        add_row(result, NULL, {"scene", text(ours->scene)}, {"lanes", text(ours->lanes->name)},
                {"threads", number(ours->threads)}, {"characters", number(ours->work.count)},
                {"over", text(rival->method)}, {"mujoco_us", number(rival->us)},
                {"ratio", number(rival->us / us_of(ours))});
    }
}

/* The widest float row of the model asked for; NULL: not measured. */
static const struct row *float_row(const struct crowd_bench *b, const char *scene, int threads,
                                   bool largest) {
    for (int i = 0; i < b->nrow; i++) {
        const struct row *row = &b->row[i];
        if (is_plain(b, row) && strcmp(row->scene, scene) == 0 && row->threads == threads &&
            row->lanes == lanes_widest(SN_PRECISION_FLOAT) && (row->work.count > b->characters) == largest &&
            isfinite(us_of(row)))
            return row;
    }
    return NULL;
}

static int put_check(struct result *result, const char *what, double ours, bool at_least, double target) {
    if (!isfinite(ours)) return 0; /* it could not be measured */
    const bool met = at_least ? ours >= target : ours <= target;
    add_row(result, NULL, {"target", text(what)}, {"bound", text(at_least ? "at least" : "at most")},
            {"value", number(target)}, {"ours", number(ours)}, {"check", text(met ? "pass" : "FAIL")});
    return !met;
}

/* How many times the cost of one thing another has; each measured on one thread, in float. */
static int put_cost(struct result *result, const char *what, const struct row *of, const struct row *over,
                    double most) {
    return put_check(result, what, of && over ? us_of(of) / us_of(over) : (double)NAN, false, most);
}

static int put_costs(const struct crowd_bench *b, struct result *result) {
    const struct row *track = float_row(b, "track", 1, false), *stand = float_row(b, "stand", 1, false),
                     *push = float_row(b, "push", 1, false);
    int missed = put_cost(result, "cost of stand over track", stand, track, 2.2);
    missed += put_cost(result, "cost of push over track", push, track, 4);
    for (int i = 0; i < b->nrow; i++) {
        const struct row *row = &b->row[i];
        if (row->work.model != b->model[0] || is_plain(b, row)) continue;
        if (row->products == SN_PRODUCTS_EXPLICIT)
            missed += put_cost(result, "track: cost of midpoint over explicit products", track, row, 1.45);
        else if (strcmp(row->scene, "stand") == 0)
            missed += put_cost(result, "stand: cost with torque limits over without", row, stand, 2);
        else
            missed += put_cost(result, "push: cost with torque limits over without", row, push, 2);
    }
    return missed;
}

/* The project's targets; all for the humanoid, in float. */
static int put_checks(const struct crowd_bench *b, struct result *result) {
    static const double least[] = {100, 70, 50, 50}; /* in the order of the scenes */
    char what[96];
    int missed = 0;
    for (int s = 0; crowd_scene_names[s]; s++) {
        const struct rival *rival = fastest_rival(b, crowd_scene_names[s]);
        const struct row *one = float_row(b, crowd_scene_names[s], 1, false);
        snprintf(what, sizeof what, "%s, one thread: steps over MuJoCo's", crowd_scene_names[s]);
        missed +=
            put_check(result, what, rival && one ? rival->us / us_of(one) : (double)NAN, true, least[s]);
    }
    for (int s = 0; crowd_scene_names[s]; s++) {
        const struct row *one = float_row(b, crowd_scene_names[s], 1, false);
        const struct row *two = float_row(b, crowd_scene_names[s], 2, false);
        snprintf(what, sizeof what, "%s: two threads over one", crowd_scene_names[s]);
        missed += put_check(result, what, one && two ? us_of(one) / us_of(two) : (double)NAN, true, 1.85);
    }
    if (!b->quick) missed += put_costs(b, result); /* what is short says nothing of cost */
    const struct row *many = float_row(b, "stand", 1, false), *crowd = float_row(b, "stand", 1, true);
    if (!many || !crowd) return missed;
    snprintf(what, sizeof what, "stand: cost of one of %d over one of %d", crowd->work.count,
             many->work.count);
    /* of the steps that both have done */
    missed +=
        put_check(result, what, us_of(crowd) / crowd_scene_us(&many->work, crowd->work.steps), false, 1.25);
    snprintf(what, sizeof what, "stand: bytes of one of %d", crowd->work.count);
    return missed + put_check(result, what, (double)crowd->bytes, false, 4096);
}

static int print_all(const struct crowd_bench *b, const char *model) {
    const bool check = option_given(&options, "--check");
    struct result rows = {0}, rivals = {0}, ratios = {0}, checks = {0};
    put_rows(b, &rows);
    put_rivals(b, model, &rivals);
    put_ratios(b, &ratios);
    const int missed = check ? put_checks(b, &checks) : 0;
    if (check && checks.nrow == 0) complain(EXIT_DONE, "--check: none of the targets could be measured");
    cJSON *json = option_given(&options, "--json") ? cJSON_CreateObject() : NULL;
    print_part(json, "rows", "microseconds per character-step, dt = 1/240 s; bytes per character", &rows);
    print_part(json, "peers", "MuJoCo, one character: microseconds per step", &rivals);
    print_part(json, "ratios", "how many times the steps per second of MuJoCo's fastest method", &ratios);
    if (check) print_part(json, "checks", "targets", &checks);
    if (json) print_json(stdout, json);
    return missed;
}

/* A run in which a character stops being finite has failed, however fast it is. */
static void tell_diverged(struct crowd_bench *b) {
    for (int i = 0; i < b->nrow; i++) {
        const struct row *row = &b->row[i];
        if (row->work.diverged == 0) continue;
        b->failed = true;
        complain(EXIT_FAILED, "%s, %s, %s: %d of %d characters diverged", row->model, row->scene,
                 row->lanes->name, row->work.diverged, row->work.count);
    }
}

static void tell_rivals_gone(const struct crowd_bench *b) {
    for (int s = 0; crowd_scene_names[s] && b->nrival > 0 && !interrupted(); s++)
        if (chosen("--scene", crowd_scene_names[s]) && !fastest_rival(b, crowd_scene_names[s]))
            complain(EXIT_DONE,
                     "peer_mujoco_ground gave no time of scene '%s': there is nothing to compare it with",
                     crowd_scene_names[s]);
}

/* ---------------------------------------------------------------------------------------------- the command */

static int run(struct crowd_bench *b, long threads) {
    const char *name = option_text(&options, "--model", "humanoid");
    sn_error error = {0};
    b->model[0] = sn_builtin_create(name, &error);
    b->model[1] = b->model[0] ? sn_builtin_create("dog", &error) : NULL;
    if (!b->model[1]) {
        sn_model_free(b->model[0]);
        return complain(EXIT_FAILED, "%s: %s", name, error.message);
    }
    progress_start("bench crowd, making", 16);
    list_rows(b, name, threads);
    progress_end();
    if (!b->failed && !interrupted() && b->nrow > 0) {
        peer_find(&b->peer, b->model[0]);
        list_rivals(b);
        measure(b);
    }
    int missed = 0;
    if (!b->failed) {
        tell_diverged(b);
        tell_rivals_gone(b);
        missed = print_all(b, name);
    }
    const bool nothing = b->nrow == 0 && !b->failed && !interrupted();
    peer_free(&b->peer);
    for (int i = 0; i < b->nrow; i++)
        crowd_scene_free(&b->row[i].work);
    free(b->row);
    free(b->rival);
    sn_model_free(b->model[0]);
    sn_model_free(b->model[1]);
    if (interrupted()) return complain(EXIT_INTERRUPTED, "interrupted: the result above is not complete");
    if (nothing) return complain(EXIT_FAILED, "nothing to measure: the choices leave nothing over");
    return b->failed || missed > 0 ? EXIT_FAILED : EXIT_DONE;
}

int bench_crowd(int argc, char **argv) {
    long repetitions = 0, characters = 0, threads = 0, seed = 1;
    double limit = 0;
    int code = options_parse(&options, argc, argv), scene, products = 0;
    if (code == EXIT_DONE) code = option_number(&options, "--repetitions", 1, 1000, &repetitions);
    if (code == EXIT_DONE) code = option_number(&options, "--characters", 1, 1 << 20, &characters);
    if (code == EXIT_DONE) code = option_number(&options, "--threads", 1, 1024, &threads);
    if (code == EXIT_DONE) code = option_number(&options, "--seed", 0, LONG_MAX, &seed);
    if (code == EXIT_DONE) code = option_real(&options, "--torque-limit", 1e-3, 1e9, &limit);
    if (code != EXIT_DONE) return code;
    if (options.nword > 1) return complain(EXIT_USAGE, "'%s' is one word too many", options.word[1]);
    code = check_names(&options);
    if (code == EXIT_DONE) code = option_choice(&options, "--scene", "scene", crowd_scene_names, &scene);
    if (code == EXIT_DONE)
        code = option_choice(&options, "--products", "products", products_names, &products);
    const bool quick = option_given(&options, "--quick");
    const int usual = quick ? 1 : 5, many = quick ? MANY_QUICK : MANY;
    struct crowd_bench b = {.quick = quick,
                            .seed = (uint64_t)seed,
                            .products = (sn_products)products,
                            .torque_limit = limit,
                            .repetitions = repetitions > 0 ? (int)repetitions : usual,
                            .characters = characters > 0 ? (int)characters : many};
    return code == EXIT_DONE ? run(&b, threads) : code;
}
