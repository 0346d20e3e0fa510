/* Sinew by the protocol: all worlds are copies of one scene, in lanes. */
#include "protocol.h"

#include "terminal.h"
#include "timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double *numbers(size_t count) {
    return need_memory(NULL, count * sizeof(double));
}

static bool refuse(const char *what, const sn_error *error, sn_status status) {
    return complain(EXIT_FAILED, "protocol: %s: %s", what,
                    error && error->message[0] ? error->message : sn_status_text(status)) == EXIT_DONE;
}

static sn_world *make_world(const struct protocol_run *run) {
    sn_world_def def = sn_world_def_default();
    def.copies = run->worlds;
    def.threads = run->threads;
    def.dt = run->scene->dt / run->substeps;
    def.substeps = run->substeps;
    def.contact = SN_CONTACT_IMPLICIT;
    def.setting = run->exact ? SN_SETTING_EXACT : SN_SETTING_CROWD;
    def.report_contacts = false;
    def.self_contact = run->whole;
    if (run->lanes) {
        def.lanes = run->lanes->name;
        def.precision = run->lanes->precision;
    }
    const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    sn_error error = {0};
    sn_status status = SN_OK;
    sn_world *world = sn_world_create(&def, &error);
    if (!world || sn_world_add(world, run->file->model, &error) != 0 ||
        sn_world_add_plane(world, origin, up, NULL, &error) < 0)
        status = SN_ERROR_MODEL;
    for (int i = 0; !status && !run->whole && i < sn_model_get(run->file->model)->nconstraint; i++)
        status = sn_world_remove_constraint(world, sn_world_model_constraint(world, 0, i));
    const sn_model_info *info = sn_model_get(run->file->model);
    if (!status) status = sn_world_set_gains(world, 0, info->kp, info->kd);
    if (!status) return world;
    refuse("the world cannot be made", &error, status);
    sn_world_free(world);
    return NULL;
}

/* What the worlds are given before each step, in the precision of the world. */
struct feed {
    sn_precision precision;
    double *value, *start; /* [worlds][count], [nq] */
    void *out;             /* [worlds][nq or nv] */
    int width, first;      /* of a row of `out`; where the joints begin in it */
};

static void feed_put(const struct feed *feed, size_t at, double x) {
    if (feed->precision == SN_PRECISION_FLOAT)
        ((float *)feed->out)[at] = (float)x;
    else
        ((double *)feed->out)[at] = x;
}

static struct feed feed_make(const struct protocol_run *run) {
    const bool servo = run->scene->servo;
    struct feed f = {.precision = run->lanes ? run->lanes->precision : SN_PRECISION_DOUBLE,
                     .value = numbers((size_t)run->worlds * (size_t)run->control->count),
                     .start = numbers((size_t)run->file->nq),
                     .width = servo ? run->file->nq : run->file->nv,
                     .first = servo ? 7 : 6};
    f.out = numbers((size_t)run->worlds * (size_t)f.width);
    sn_model_home_pose(run->file->model, f.start);
    for (int w = 0; w < run->worlds; w++)
        for (int i = 0; i < f.width; i++)
            feed_put(&f, (size_t)w * (size_t)f.width + (size_t)i, servo ? f.start[i] : 0);
    return f;
}

static void feed_free(struct feed *f) {
    free(f->value);
    free(f->start);
    free(f->out);
}

static void feed_next(struct feed *f, const struct protocol_run *run, int step) {
    for (int w = 0; w < run->worlds; w++) {
        double *row = f->value + (size_t)w * (size_t)run->control->count;
        protocol_control_next(run->control, w, step, row);
        for (int j = 0; j < run->control->count; j++)
            feed_put(f, (size_t)w * (size_t)f->width + (size_t)(f->first + j), row[j]);
    }
}

/* One thread has the core's own clock, which does not count while others have the core; several have that on the wall. */
static double seconds_of(const struct protocol_run *run) {
    struct timespec t;
    if (run->threads > 1 || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t)) return clock_seconds();
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct times {
    double *step, *put; /* [steps] the least so far */
};

static sn_status run_once(sn_world *world, const struct protocol_run *run, struct feed *f, struct times *t,
                          double *states) {
    const size_t nq = (size_t)run->file->nq, steps = (size_t)run->steps;
    const sn_field field = run->scene->servo ? SN_FIELD_TARGET_Q : SN_FIELD_FEEDFORWARD;
    double *now = states ? numbers((size_t)run->worlds * nq) : NULL;
    sn_status status = sn_world_reset(world, 0, NULL, f->start, NULL); /* the keyframe, at rest */
    for (int i = 0; i < run->steps && !status && !interrupted(); i++) {
        feed_next(f, run, i);
        const double begun = seconds_of(run);
        status = sn_world_put(world, 0, field, NULL, f->out);
        const double put = seconds_of(run);
        if (!status) status = sn_world_step(world);
        t->step[i] = fmin(t->step[i], seconds_of(run) - put);
        t->put[i] = fmin(t->put[i], put - begun);
        if (states && !status) status = sn_world_get(world, 0, SN_FIELD_Q, 0, run->worlds, now);
        for (int w = 0; states && w < run->worlds; w++)
            memcpy(states + ((size_t)w * steps + (size_t)i) * nq, now + (size_t)w * nq, nq * sizeof *now);
    }
    free(now);
    return status;
}

bool protocol_run(const struct protocol_run *run, int repetitions, double *states,
                  struct protocol_seen *seen) {
    sn_world *world = make_world(run);
    if (!world) return false;
    struct feed feed = feed_make(run);
    struct times times = {.step = numbers((size_t)run->steps), .put = numbers((size_t)run->steps)};
    for (int i = 0; i < run->steps; i++)
        times.step[i] = times.put[i] = INFINITY;
    sn_status status = SN_OK;
    for (int r = 0; r < repetitions && !status; r++)
        status = run_once(world, run, &feed, &times, states);
    sn_world_stats stats;
    sn_world_get_stats(world, &stats);
    *seen = (struct protocol_seen){.diverged = stats.diverged};
    const double all = (double)run->worlds * run->steps;
    for (int i = 0; i < run->steps; i++) {
        seen->us += 1e6 * times.step[i] / all;
        seen->put_us += 1e6 * times.put[i] / all;
    }
    free(times.step);
    free(times.put);
    feed_free(&feed);
    sn_world_free(world);
    return !status || refuse(run->scene->name, NULL, status);
}

/* -------------------------------------------------------------------------------------------------- depths */

bool protocol_depth_make(struct protocol_depth *depth, const struct protocol_file *file) {
    const struct protocol_scene still = {.servo = true, .dt = 0.005};
    const struct protocol_run run = {.scene = &still, .file = file, .worlds = 1, .threads = 1, .substeps = 1};
    *depth =
        (struct protocol_depth){.world = make_world(&run), .q = numbers((size_t)file->nq), .nq = file->nq};
    if (depth->world) return true;
    protocol_depth_free(depth);
    return false;
}

void protocol_depth_free(struct protocol_depth *depth) {
    sn_world_free(depth->world);
    free(depth->q);
    *depth = (struct protocol_depth){0};
}

double protocol_depth_of(const struct protocol_depth *depth, const double *q) {
    memcpy(depth->q, q, (size_t)depth->nq * sizeof *q);
    if (sn_world_stand(depth->world, 0, depth->q)) return (double)NAN;
    return fmax(0, depth->q[2] - q[2]);
}
