/* sinew crowd: many characters follow one motion, each at its own place in it; how many of them this machine simulates
 * in real time, and how well they follow. */
#include "commands.h"
#include "experiment.h"
#include "motion_gen.h"
#include "options.h"
#include "progress.h"
#include "experiment_print.h"
#include "ground_scene.h"
#include "subject.h"
#include "terminal.h"
#include "timing.h"
#include "workload.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct option options[] = {
    {"-n", "N", "characters (default 1024)", NULL},
    {"--seconds", "S", "seconds to simulate at each rate (default 1)", NULL},
    {"--dt", "S", "only this time step in seconds, or as 1/480 (default: 1/30, 1/60, 1/120, 1/240)", NULL},
    {"--precision", "P", "float (default) or double", NULL},
    {"--lanes", "L", "lane type, as f32x16 (default: the widest of the precision)", NULL},
    {"--threads", "T", "only with so many threads (default: one, then one a core)", NULL},
    {"--ground", NULL, "contacts with a plane as high as the lowest point of the motion", NULL},
    {"--limits", NULL, "keep the joints' limits", NULL},
    {"--kp", "K", "gain of the joints (default 75000)", NULL},
    {"--kd", "K", "damping of the joints (default 4000)", NULL},
    {"--root-kp", "K", "gain of the root (default 20000)", NULL},
    {"--root-kd", "K", "damping of the root (default 2000)", NULL},
    {"--seed", "N", "moves all characters along the motion by a random time (default 1)", NULL},
    {"--map", "FILE", "JSON that maps bodies to the clip's joints", NULL},
    {"--allow-missing-mesh", NULL, "leave out meshes that cannot be read", NULL},
    {"--json", NULL, "print JSON instead of tables", NULL},
    {"--help", NULL, "this text", NULL},
    {0},
};

void help_crowd(void) {
    printf(
        "usage: sinew crowd CHARACTER MOTION [-n N] [OPTIONS]\n\n"
        "Lets N characters follow a motion, root and joints, each from its own place in it, at 30, 60, 120 "
        "and\n"
        "240 steps a second, on one thread and on all. Says what a step of one character costs, how many of\n"
        "them that makes in real time, how well they follow, and how many diverged; exits 1 when some did.\n"
        "Character and motion are built-in names (humanoid, dog, snake36, ...; walk, run, cartwheel, "
        "backflip,\n"
        "pace, trot, canter, slither) or files.\n\noptions\n");
    options_print(options);
    printf("\nexamples\n"
           "  sinew crowd humanoid run -n 1000\n"
           "  sinew crowd dog canter -n 4096 --precision double --threads 1\n"
           "  sinew crowd humanoid walk --ground --limits --dt 1/120\n");
}

/* ------------------------------------------------------------------------------------ what is asked for */

struct task {
    const char *character, *clip;
    int count, threads; /* threads 0: one, then all */
    double seconds, dt; /* dt 0: all rates */
    double kp, kd, root_kp, root_kd;
    const sn_lanes_info *lanes;
    uint64_t seed;
    bool ground, limits;
};

/* "0.01" or "1/240". */
static bool parse_number(const char *text, double *value) {
    char *end;
    *value = strtod(text, &end);
    if (*end == '/' && end != text) {
        char *over = end + 1;
        *value /= strtod(over, &end);
        if (end == over) return false;
    }
    return end != text && *end == '\0' && isfinite(*value);
}

static int option_real(const char *name, double lower, double upper, double *value) {
    const char *given = option_text(options, name, NULL);
    if (!given) return EXIT_DONE;
    if (parse_number(given, value) && *value >= lower && *value <= upper) return EXIT_DONE;
    return complain(EXIT_USAGE, "%s needs a number from %g to %g, not '%s'", name, lower, upper, given);
}

static int choose_lanes(struct task *t) {
    static const char *const precisions[] = {"float", "double", NULL};
    enum { MOST = 31 };
    const char *names[MOST + 1] = {0}, *lanes = option_text(options, "--lanes", NULL);
    const char *precision = option_text(options, "--precision", NULL);
    for (int i = 0; i < sn_lanes_count() && i < MOST; i++)
        names[i] = sn_lanes_get(i)->name;
    if (precision && strcmp(precision, "float") != 0 && strcmp(precision, "double") != 0)
        return complain_unknown("precision", precision, precisions);
    const bool is_double = precision && strcmp(precision, "double") == 0;
    t->lanes = lanes ? lanes_find(lanes) : lanes_widest(is_double ? SN_DOUBLE : SN_FLOAT);
    if (!t->lanes) return complain_unknown("lane type on this machine", lanes ? lanes : "", names);
    if (precision && strcmp(precision_name(t->lanes->precision), precision) != 0)
        return complain(EXIT_USAGE, "lanes %s are of precision %s, not %s", t->lanes->name,
                        precision_name(t->lanes->precision), precision);
    return EXIT_DONE;
}

static int read_task(struct task *t, const struct command_line *line) {
    if (line->nword != 2)
        return complain(EXIT_USAGE, "crowd needs a character and a motion; 'sinew help crowd' tells more");
    *t = (struct task){.character = line->words[0],
                       .clip = line->words[1],
                       .seconds = 1,
                       .kp = 75000,
                       .kd = 4000,
                       .root_kp = 20000,
                       .root_kd = 2000,
                       .ground = option_given(options, "--ground"),
                       .limits = option_given(options, "--limits")};
    long count = 1024, threads = 0, seed = 1;
    int code = option_number(options, "-n", 1, 1 << 22, &count);
    if (code == EXIT_DONE) code = option_number(options, "--threads", 1, 1024, &threads);
    if (code == EXIT_DONE) code = option_number(options, "--seed", 0, LONG_MAX, &seed);
    if (code == EXIT_DONE) code = option_real("--seconds", 1e-9, 1e6, &t->seconds);
    if (code == EXIT_DONE) code = option_real("--dt", 1e-9, 1, &t->dt);
    if (code == EXIT_DONE) code = option_real("--kp", 0, 1e12, &t->kp);
    if (code == EXIT_DONE) code = option_real("--kd", 0, 1e12, &t->kd);
    if (code == EXIT_DONE) code = option_real("--root-kp", 0, 1e12, &t->root_kp);
    if (code == EXIT_DONE) code = option_real("--root-kd", 0, 1e12, &t->root_kd);
    if (code == EXIT_DONE) code = choose_lanes(t);
    t->count = (int)count;
    t->threads = (int)threads;
    t->seed = (uint64_t)seed;
    return code;
}

/* --------------------------------------------------------------------------------------------------- runs */

enum { REPETITIONS = 3 }; /* of each run: the fastest of each step counts */

struct crowd {
    const struct task *task;
    const sn_model *model;
    const sn_motion *motion;
    sn_character *actual, *wanted; /* to compare poses; never stepped */
    double lowest;                 /* of the motion: the ground */
    double *q, *qd, *phase;        /* [count] the start of each */
};

/* What is seen at one rate with one number of threads. */
struct seen {
    double dt, us;
    int threads, diverged;
    size_t bytes; /* a character */
    long samples;
    double effector_mean, effector_max; /* m */
    double joint_mean, joint_max;       /* rad, of the worst joint of each character */
};

/* Where characters start. Multiples of the golden ratio spread them evenly however many there are, and put neighbours
   far apart, so that lanes do not all do the same. In a motion that does not loop they start early enough to go on
   for the time asked for, or in its first half: past its end they stand still. */
static void spread(struct crowd *c) {
    const double duration = sn_motion_duration(c->motion), golden = 0.6180339887498949;
    const double span =
        sn_motion_loops(c->motion) ? duration : fmax(duration - c->task->seconds, 0.5 * duration);
    const size_t nq = (size_t)sn_model_nq(c->model), nv = (size_t)sn_model_nv(c->model);
    uint64_t seed = c->task->seed;
    const double first = random_uniform(&seed);
    for (int i = 0; i < c->task->count; i++) {
        c->phase[i] = span * fmod(first + golden * i, 1.0);
        sn_motion_sample(c->motion, c->phase[i], c->q + (size_t)i * nq, c->qd + (size_t)i * nv);
    }
}

/* Of the whole motion, looked at 240 times a second. */
static double lowest_point(const struct crowd *c) {
    const double duration = fmin(sn_motion_duration(c->motion), 600);
    double *q = need_memory(NULL, (size_t)sn_model_nq(c->model) * sizeof *q), lowest = INFINITY;
    for (double t = 0; t <= duration && !interrupted(); t += 1.0 / 240) {
        sn_motion_sample(c->motion, t, q, NULL);
        sn_character_set_state(c->wanted, q, NULL);
        lowest = fmin(lowest, stage_lowest(c->wanted));
    }
    free(q);
    return lowest;
}

/* Mean distance of the vectors from the root to the end effectors. */
static double effector_error(const struct crowd *c) {
    double sum = 0, root[2][3];
    int count = 0;
    sn_character_body_pose(c->actual, 0, root[0], NULL);
    sn_character_body_pose(c->wanted, 0, root[1], NULL);
    const int nbody = sn_model_nbody(c->model);
    for (int i = 1; i < nbody; i++) {
        if (i + 1 < nbody && sn_model_body(c->model, i + 1)->parent == i)
            continue; /* not a leaf: depth first */
        double a[3], b[3], square = 0;
        sn_character_body_pose(c->actual, i, a, NULL);
        sn_character_body_pose(c->wanted, i, b, NULL);
        for (int k = 0; k < 3; k++)
            square += pow((a[k] - root[0][k]) - (b[k] - root[1][k]), 2);
        sum += sqrt(square);
        count++;
    }
    return count ? sum / count : 0;
}

static double joint_error(const struct crowd *c, const double *q, const double *wanted, double *dv) {
    double worst = 0;
    sn_model_pose_subtract(c->model, q, wanted, dv);
    for (int i = 0; i < sn_model_nbody(c->model); i++) {
        const sn_body_info *info = sn_model_body(c->model, i);
        double square = 0;
        for (int k = 0; k < info->nv; k++)
            square += dv[info->v_index + k] * dv[info->v_index + k];
        if (info->joint.type != SN_JOINT_FREE) worst = fmax(worst, sqrt(square));
    }
    return worst;
}

/* Looks at up to 256 characters, evenly chosen, against the motion at their phase. Frozen ones do not count. */
static void compare(const struct crowd *c, sn_crowd *crowd, struct seen *seen, double *room) {
    enum { MOST = 256 };
    const int count = c->task->count, stride = count > MOST ? count / MOST : 1;
    double *q = room, *wanted = q + sn_model_nq(c->model), *dv = wanted + sn_model_nq(c->model);
    for (int i = 0; i < count; i += stride) {
        double phase, frozen;
        if (sn_crowd_get(crowd, SN_CROWD_DIVERGED, i, 1, &frozen) != SN_OK || frozen != 0) continue;
        sn_crowd_get(crowd, SN_CROWD_PHASE, i, 1, &phase);
        sn_crowd_get(crowd, SN_CROWD_Q, i, 1, q);
        sn_motion_sample(c->motion, phase, wanted, NULL);
        sn_character_set_state(c->actual, q, NULL);
        sn_character_set_state(c->wanted, wanted, NULL);
        const double effector = effector_error(c), joint = joint_error(c, q, wanted, dv);
        seen->samples++;
        seen->effector_mean += (effector - seen->effector_mean) / (double)seen->samples;
        seen->joint_mean += (joint - seen->joint_mean) / (double)seen->samples;
        seen->effector_max = fmax(seen->effector_max, effector);
        seen->joint_max = fmax(seen->joint_max, joint);
    }
}

static sn_status restart(const struct crowd *c, sn_crowd *crowd) {
    const int count = c->task->count;
    sn_status status = sn_crowd_set_state(crowd, 0, count, c->q, c->qd);
    if (status == SN_OK) status = sn_crowd_reset(crowd, NULL, NULL, NULL);
    if (status == SN_OK) status = sn_crowd_set(crowd, SN_CROWD_PHASE, 0, count, c->phase);
    return status;
}

/* The first run is looked at some eight times, between steps; all are timed. */
static sn_status run_once(const struct crowd *c, sn_crowd *crowd, long steps, double *fastest, bool look,
                          struct seen *seen, double *room) {
    const long every = steps > 8 ? steps / 8 : 1;
    sn_status status = restart(c, crowd);
    for (long i = 0; i < steps && status == SN_OK && !interrupted(); i++) {
        const double start = clock_seconds();
        status = sn_crowd_step(crowd);
        fastest[i] = fmin(fastest[i], clock_seconds() - start);
        if (look && (i + 1) % every == 0) compare(c, crowd, seen, room);
    }
    const int diverged = sn_crowd_diverged(crowd);
    if (diverged > seen->diverged) seen->diverged = diverged;
    return status;
}

static sn_crowd *make_crowd(const struct crowd *c, double dt, int threads, sn_error *error) {
    const struct task *t = c->task;
    sn_crowd_def def = sn_crowd_def_default();
    def.count = t->count;
    def.threads = threads;
    def.joint_limits = t->limits;
    def.character.precision = t->lanes->precision;
    def.character.lanes = t->lanes->name;
    def.character.dt = dt;
    sn_crowd *crowd = sn_crowd_create(c->model, &def, error);
    if (!crowd) return NULL;
    const size_t nv = (size_t)sn_model_nv(c->model);
    double *kp = need_memory(NULL, 2 * nv * sizeof *kp);
    sn_gains_uniform(c->model, t->root_kp, t->root_kd, t->kp, t->kd, kp, kp + nv);
    sn_status status = sn_crowd_set_gains(crowd, kp, kp + nv);
    free(kp);
    if (status == SN_OK) status = sn_crowd_set_motion(crowd, c->motion);
    error->message[0] = '\0';
    if (status == SN_OK && t->ground) {
        const double point[3] = {0, 0, c->lowest}, up[3] = {0, 0, 1};
        status = sn_crowd_set_plane(crowd, point, up, NULL, error);
    }
    if (status == SN_OK) return crowd;
    if (!error->message[0]) snprintf(error->message, sizeof error->message, "%s", sn_status_text(status));
    sn_crowd_free(crowd);
    return NULL;
}

static bool measure(const struct crowd *c, double dt, int threads, struct seen *seen) {
    sn_error error = {0};
    const long steps = lround(fmax(1, fmin(c->task->seconds / dt, 1e8)));
    *seen = (struct seen){.dt = dt};
    sn_crowd *crowd = make_crowd(c, dt, threads, &error);
    if (!crowd) return complain(EXIT_FAILED, "%s: %s", c->task->character, error.message) == EXIT_DONE;
    seen->threads = sn_crowd_threads(crowd);
    seen->bytes = sn_crowd_memory(crowd) / (size_t)c->task->count;
    double *fastest = need_memory(NULL, (size_t)steps * sizeof *fastest), sum = 0;
    double *room =
        need_memory(NULL, (size_t)(2 * sn_model_nq(c->model) + sn_model_nv(c->model)) * sizeof *room);
    for (long i = 0; i < steps; i++)
        fastest[i] = INFINITY;
    sn_status status = SN_OK;
    for (int r = 0; r < REPETITIONS && status == SN_OK && !interrupted(); r++) {
        progress_step("%.0f Hz, %d thread%s", 1 / dt, seen->threads, seen->threads == 1 ? "" : "s");
        status = run_once(c, crowd, steps, fastest, r == 0, seen, room);
    }
    for (long i = 0; i < steps; i++)
        sum += fastest[i];
    seen->us = 1e6 * sum / ((double)c->task->count * (double)steps);
    free(fastest);
    free(room);
    sn_crowd_free(crowd);
    return status == SN_OK ||
           complain(EXIT_FAILED, "%s: %s", c->task->character, sn_status_text(status)) == EXIT_DONE;
}

/* ------------------------------------------------------------------------------------------------- output */

static void put_row(struct result *result, const struct seen *s) {
    struct record *row = result_row(result);
    record_put(row, "hz", number(1 / s->dt));
    record_put(row, "threads", number(s->threads));
    record_put(row, "us", number(s->us));
    record_put(row, "real_time", number(floor(1e6 * s->dt / s->us)));
    record_put(row, "effector_mm", s->samples ? number(1e3 * s->effector_mean) : none());
    record_put(row, "effector_max_mm", s->samples ? number(1e3 * s->effector_max) : none());
    record_put(row, "joint_rad", s->samples ? number(s->joint_mean) : none());
    record_put(row, "joint_max_rad", s->samples ? number(s->joint_max) : none());
    record_put(row, "diverged", number(s->diverged));
}

static void print_text(const struct crowd *c, const struct result *result, const struct seen *last) {
    const struct task *t = c->task;
    printf("crowd of %d: %s follows %s, %d degrees of freedom, %g s at each rate, %s%s%s, %zu bytes a "
           "character\n",
           t->count, t->character, t->clip, sn_model_nv(c->model), t->seconds, t->lanes->name,
           t->ground ? ", on the ground" : "", t->limits ? ", joint limits" : "", last->bytes);
    printf("%sus: microseconds a character-step; real_time: characters that makes at this rate%s\n",
           style(stdout, STYLE_DIM), style(stdout, STYLE_PLAIN));
    print_rows(result->row, result->nrow);
}

static void print_as_json(const struct crowd *c, const struct result *result, const struct seen *last) {
    const struct task *t = c->task;
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "character", t->character);
    cJSON_AddStringToObject(root, "clip", t->clip);
    cJSON_AddNumberToObject(root, "nv", sn_model_nv(c->model));
    cJSON_AddNumberToObject(root, "characters", t->count);
    cJSON_AddStringToObject(root, "precision", precision_name(t->lanes->precision));
    cJSON_AddStringToObject(root, "lanes", t->lanes->name);
    cJSON_AddNumberToObject(root, "seconds", t->seconds);
    cJSON_AddBoolToObject(root, "ground", t->ground);
    cJSON_AddBoolToObject(root, "limits", t->limits);
    cJSON_AddNumberToObject(root, "seed", (double)t->seed);
    cJSON_AddNumberToObject(root, "bytes", (double)last->bytes);
    cJSON *rows = cJSON_AddArrayToObject(root, "rows");
    for (int i = 0; i < result->nrow; i++)
        cJSON_AddItemToArray(rows, record_json(&result->row[i]));
    print_json(root);
}

/* --------------------------------------------------------------------------------------------- the command */

/* Every rate on one thread, then on all; a run that was cut short is left out. */
static bool run_all(const struct crowd *c, struct result *result, struct seen *last, int *diverged) {
    static const double rates[] = {30, 60, 120, 240};
    const struct task *t = c->task;
    const int nrate = t->dt > 0 ? 1 : 4, nthread = t->threads > 0 ? 1 : 2;
    progress_start("crowd", nrate * nthread * REPETITIONS);
    for (int i = 0; i < nrate * nthread && !interrupted(); i++) {
        const double dt = t->dt > 0 ? t->dt : 1 / rates[i % nrate];
        const int threads = t->threads > 0 ? t->threads : i < nrate ? 1 : 0;
        struct seen seen;
        if (!measure(c, dt, threads, &seen)) return false;
        if (threads == 0 && seen.threads == 1) break; /* one core: it is there already */
        if (!isfinite(seen.us)) break;
        put_row(result, &seen);
        *last = seen;
        *diverged += seen.diverged;
    }
    progress_end();
    return true;
}

static int run(const struct task *t, const sn_model *model, const sn_motion *motion) {
    const size_t nq = (size_t)sn_model_nq(model), nv = (size_t)sn_model_nv(model), count = (size_t)t->count;
    const sn_character_def plain = sn_character_def_default();
    sn_error error = {0};
    struct crowd c = {.task = t, .model = model, .motion = motion};
    c.actual = sn_character_create(model, &plain, &error);
    c.wanted = c.actual ? sn_character_create(model, &plain, &error) : NULL;
    c.q = need_memory(NULL, count * (nq + nv + 1) * sizeof *c.q);
    c.qd = c.q + count * nq;
    c.phase = c.qd + count * nv;
    struct result result = {0};
    struct seen last = {0};
    int diverged = 0, code = EXIT_DONE;
    if (!c.wanted)
        code = complain(EXIT_FAILED, "%s: %s", t->character, error.message);
    else if (t->ground && sn_model_nshape(model) == 0)
        code = complain(EXIT_FAILED, "%s has no shapes: nothing could touch the ground", t->character);
    if (code == EXIT_DONE) {
        c.lowest = t->ground ? lowest_point(&c) : 0;
        spread(&c);
        if (!run_all(&c, &result, &last, &diverged)) code = EXIT_FAILED;
    }
    if (code == EXIT_DONE) {
        (option_given(options, "--json") ? print_as_json : print_text)(&c, &result, &last);
        code = diverged > 0 ? EXIT_FAILED : EXIT_DONE;
        if (interrupted()) code = complain(EXIT_INTERRUPTED, "interrupted: the result above is not complete");
    }
    result_free(&result);
    free(c.q);
    sn_character_free(c.actual);
    sn_character_free(c.wanted);
    return code;
}

int command_crowd(int argc, char **argv) {
    struct command_line line = {.options = options,
                                .words = need_memory(NULL, (size_t)(argc + 1) * sizeof(char *))};
    struct task t;
    int code = options_parse(&line, argc, argv);
    if (code == EXIT_DONE && option_given(options, "--help")) {
        help_crowd();
        free(line.words);
        return EXIT_DONE;
    }
    if (code == EXIT_DONE) code = read_task(&t, &line);
    if (code == EXIT_DONE) {
        const sn_load_options load = subject_options(option_given(options, "--allow-missing-mesh"));
        const char *map_path = option_text(options, "--map", NULL);
        char *map = map_path ? read_text(map_path) : NULL;
        sn_model *model = map_path && !map ? NULL : subject_model(t.character, &load);
        sn_motion *motion = model ? subject_motion(t.clip, model, map, &load) : NULL;
        code = motion ? run(&t, model, motion) : EXIT_FAILED;
        sn_motion_free(motion);
        sn_model_free(model);
        free(map);
    }
    free(line.words);
    return code;
}
