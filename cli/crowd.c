/* Many characters follow one motion: how many of them this machine simulates in real time, and how well they follow. */
#include "crowd.h"

#include "experiment_print.h"
#include "motion_gen.h"
#include "progress.h"
#include "terminal.h"
#include "timing.h"
#include "tracking_error.h"
#include "workload.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

enum { REPETITIONS = 3 }; /* of each run: the fastest of each step counts */

struct crowd {
    const struct track_task *task;
    const sn_model *model;
    const sn_motion *motion;
    double ground;          /* height, m */
    double *kp, *kd;        /* [nv] */
    double *q, *qd, *phase; /* [copies] the start of each */
};

/* What is seen at one rate with one number of threads. */
struct seen {
    double dt, us;
    int threads, diverged;
    size_t bytes; /* per character */
    struct tracking_error error;
};

/* Where characters start. Multiples of the golden ratio spread them evenly however many there are, and put neighbours
   far apart, so that lanes do not all do the same. In a motion that does not loop they start early enough to go on
   for the time asked for, or in its first half: past its end they stand still. */
static void spread(struct crowd *c) {
    const double duration = sn_motion_get(c->motion)->duration, golden = 0.6180339887498949;
    const double span =
        sn_motion_get(c->motion)->loops ? duration : fmax(duration - c->task->duration, 0.5 * duration);
    const size_t nq = (size_t)sn_model_get(c->model)->nq, nv = (size_t)sn_model_get(c->model)->nv;
    uint64_t seed = c->task->seed;
    const double first = random_uniform(&seed);
    for (int i = 0; i < c->task->world.copies; i++) {
        c->phase[i] = span * fmod(first + golden * i, 1.0);
        sn_motion_sample(c->motion, c->phase[i], c->q + (size_t)i * nq, c->qd + (size_t)i * nv);
    }
}

/* --------------------------------------------------------------------------------------------------- runs */

/* Looks at up to 256 characters, evenly chosen, against the motion at their phase. Frozen ones do not count. */
static void compare(const struct crowd *c, sn_world *world, struct tracking_error *error, double *room) {
    enum { MOST = 256 };
    const int copies = c->task->world.copies, stride = copies > MOST ? copies / MOST : 1;
    double *q = room, *wanted = q + sn_model_get(c->model)->nq;
    for (int i = 0; i < copies; i += stride) {
        double phase, frozen;
        if (sn_world_get(world, 0, SN_FIELD_DIVERGED, i, 1, &frozen) != SN_OK || frozen != 0) continue;
        sn_world_get(world, 0, SN_FIELD_PHASE, i, 1, &phase);
        sn_world_get(world, 0, SN_FIELD_Q, i, 1, q);
        sn_motion_sample(c->motion, phase, wanted, NULL);
        tracking_error_add(error, q, wanted);
    }
}

static sn_status restart(const struct crowd *c, sn_world *world) {
    const int copies = c->task->world.copies;
    sn_status status = sn_world_set(world, 0, SN_FIELD_Q, 0, copies, c->q);
    if (status == SN_OK) status = sn_world_set(world, 0, SN_FIELD_QD, 0, copies, c->qd);
    if (status == SN_OK) status = sn_world_reset(world, -1, NULL, NULL, NULL);
    if (status == SN_OK) status = sn_world_set(world, 0, SN_FIELD_PHASE, 0, copies, c->phase);
    return status;
}

/* The first run is looked at some eight times, between steps; all are timed. That all of them diverge is a result,
   not a failure. */
static sn_status run_once(const struct crowd *c, sn_world *world, long steps, double *fastest, bool look,
                          struct seen *seen, double *room) {
    const long every = steps > 8 ? steps / 8 : 1;
    sn_world_stats stats;
    sn_status status = restart(c, world);
    for (long i = 0; i < steps && status == SN_OK && !interrupted(); i++) {
        const double start = clock_seconds();
        status = sn_world_step(world);
        fastest[i] = fmin(fastest[i], clock_seconds() - start);
        if (status == SN_ERROR_NOT_FINITE) status = SN_OK;
        if (look && (i + 1) % every == 0) compare(c, world, &seen->error, room);
    }
    sn_world_get_stats(world, &stats);
    if (stats.diverged > seen->diverged) seen->diverged = stats.diverged;
    return status;
}

static sn_world *make_world(const struct crowd *c, double dt, int threads, sn_error *error) {
    struct track_task task = *c->task;
    task.world.dt = dt;
    task.world.threads = threads;
    task.world.report_contacts = false;
    task.world.setting = SN_SETTING_CROWD; /* the slowest of sixteen lanes holds up the others */
    sn_world *world = track_task_world(&task, c->model, c->ground, c->kp, c->kd, error);
    if (!world) return NULL;
    const sn_status status = sn_world_set_motion(world, 0, c->motion);
    if (status == SN_OK) return world;
    snprintf(error->message, sizeof error->message, "%s", sn_status_text(status));
    sn_world_free(world);
    return NULL;
}

/* The sum of the fastest steps, per character, in microseconds. */
static bool time_steps(const struct crowd *c, sn_world *world, struct seen *seen) {
    const long steps = lround(fmax(1, fmin(c->task->duration / seen->dt, 1e8)));
    double *fastest = need_memory(NULL, (size_t)steps * sizeof *fastest), sum = 0;
    double *room = need_memory(NULL, 2 * (size_t)sn_model_get(c->model)->nq * sizeof *room);
    sn_status status = SN_OK;
    for (long i = 0; i < steps; i++)
        fastest[i] = INFINITY;
    for (int r = 0; r < REPETITIONS && status == SN_OK && !interrupted(); r++) {
        progress_step("%.0f Hz, %d thread%s", 1 / seen->dt, seen->threads, seen->threads == 1 ? "" : "s");
        status = run_once(c, world, steps, fastest, r == 0, seen, room);
    }
    for (long i = 0; i < steps; i++)
        sum += fastest[i];
    seen->us = 1e6 * sum / ((double)c->task->world.copies * (double)steps);
    free(fastest);
    free(room);
    return status == SN_OK ||
           complain(EXIT_FAILED, "%s: %s", c->task->character, sn_status_text(status)) == EXIT_DONE;
}

static bool measure(const struct crowd *c, double dt, int threads, struct seen *seen) {
    sn_error error = {.message = "out of memory"};
    *seen = (struct seen){.dt = dt, .threads = threads};
    sn_world *world = NULL;
    if (tracking_error_create(&seen->error, c->model)) world = make_world(c, dt, threads, &error);
    const bool good = world ? time_steps(c, world, seen)
                            : complain(EXIT_FAILED, "%s: %s", c->task->character, error.message) == EXIT_DONE;
    if (world) seen->bytes = sn_world_memory(world) / (size_t)c->task->world.copies;
    sn_world_free(world);
    tracking_error_free(&seen->error);
    return good;
}

/* ------------------------------------------------------------------------------------------------- output */

static void put_row(struct result *result, const struct seen *s) {
    struct record *row = result_row(result, NULL);
    const bool looked = s->error.samples > 0;
    add_fields(row, {"hz", number(1 / s->dt)}, {"threads", number(s->threads)}, {"us", number(s->us)},
               {"real_time", number(floor(1e6 * s->dt / s->us))},
               {"effector_mm", looked ? number(1e3 * s->error.effector_mean) : none()},
               {"effector_max_mm", looked ? number(1e3 * s->error.effector_max) : none()},
               {"joint_rad", looked ? number(s->error.joint_mean) : none()},
               {"joint_max_rad", looked ? number(s->error.joint_max) : none()},
               {"diverged", number(s->diverged)});
}

static void print_text(const struct crowd *c, const struct result *result, const struct seen *last) {
    const struct track_task *t = c->task;
    printf("crowd of %d: %s follows %s, %d degrees of freedom, %g s at each rate, %s%s%s, %zu bytes per "
           "character\n",
           t->world.copies, t->character, t->clip, sn_model_get(c->model)->nv, t->duration, t->world.lanes,
           t->ground ? ", on the ground" : "", t->world.joint_limits ? ", joint limits" : "", last->bytes);
    printf("%sus: microseconds per character-step; real_time: characters that makes at this rate%s\n",
           style(stdout, STYLE_DIM), style(stdout, STYLE_PLAIN));
    print_rows(result->row, result->nrow);
}

static void print_as_json(const struct crowd *c, const struct result *result, const struct seen *last) {
    const struct track_task *t = c->task;
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "character", t->character);
    cJSON_AddStringToObject(root, "clip", t->clip);
    cJSON_AddNumberToObject(root, "nv", sn_model_get(c->model)->nv);
    cJSON_AddNumberToObject(root, "characters", t->world.copies);
    cJSON_AddStringToObject(root, "precision", precision_name(t->world.precision));
    cJSON_AddStringToObject(root, "lanes", t->world.lanes);
    cJSON_AddNumberToObject(root, "duration", t->duration);
    cJSON_AddBoolToObject(root, "ground", t->ground);
    cJSON_AddBoolToObject(root, "limits", t->world.joint_limits);
    cJSON_AddNumberToObject(root, "seed", (double)t->seed);
    cJSON_AddNumberToObject(root, "bytes", (double)last->bytes);
    cJSON *rows = cJSON_AddArrayToObject(root, "rows");
    for (int i = 0; i < result->nrow; i++)
        cJSON_AddItemToArray(rows, record_json(&result->row[i]));
    print_json(stdout, root);
}

/* ------------------------------------------------------------------------------------------------- all of it */

/* Every rate on one thread, then on all; a run that was cut short is left out. */
static bool run_all(const struct crowd *c, struct result *result, struct seen *last, int *diverged) {
    static const double rates[] = {30, 60, 120, 240};
    const struct track_task *t = c->task;
    const int nrate = t->dt_given ? 1 : 4, nthread = t->threads > 0 || core_count() == 1 ? 1 : 2;
    progress_start("crowd", nrate * nthread * REPETITIONS);
    for (int i = 0; i < nrate * nthread && !interrupted(); i++) {
        const double dt = t->dt_given ? t->world.dt : 1 / rates[i % nrate];
        const int threads = t->threads > 0 ? t->threads : i < nrate ? 1 : core_count();
        struct seen seen;
        if (!measure(c, dt, threads, &seen)) return false;
        if (!isfinite(seen.us)) break;
        put_row(result, &seen);
        *last = seen;
        *diverged += seen.diverged;
    }
    progress_end();
    return true;
}

static int measure_and_print(struct crowd *c) {
    struct result result = {0};
    struct seen last = {0};
    int diverged = 0, code = EXIT_FAILED;
    if (run_all(c, &result, &last, &diverged)) {
        (c->task->json ? print_as_json : print_text)(c, &result, &last);
        code = diverged > 0 ? EXIT_FAILED : EXIT_DONE;
        if (interrupted()) code = complain(EXIT_INTERRUPTED, "interrupted: the result above is not complete");
    }
    result_free(&result);
    return code;
}

int crowd(struct track_task *t, const sn_model *model, const sn_motion *motion) {
    const size_t nq = (size_t)sn_model_get(model)->nq, nv = (size_t)sn_model_get(model)->nv;
    const size_t copies = (size_t)t->world.copies;
    struct crowd c = {.task = t, .model = model, .motion = motion};
    if (t->duration <= 0) t->duration = 1;
    c.q = need_memory(NULL, (copies * (nq + nv + 1) + 2 * nv) * sizeof *c.q);
    c.qd = c.q + copies * nq;
    c.phase = c.qd + copies * nv;
    c.kp = c.phase + copies;
    c.kd = c.kp + nv;
    int code = track_task_gains(t, model, motion, c.kp, c.kd);
    if (code == EXIT_DONE && t->ground && !track_task_ground(t, model, motion, &c.ground)) code = EXIT_FAILED;
    if (code == EXIT_DONE) {
        spread(&c);
        code = measure_and_print(&c);
    }
    free(c.q);
    return code;
}
