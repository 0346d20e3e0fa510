#include "learn/vector.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"

struct sn__vector {
    struct sn__task task;
    sn_autoreset mode;
    struct sn__pool *pool;
    int copies;             /* of all parts */
    uint8_t *which;         /* [copies] begin in this call */
    bool *pending;          /* [copies] begin in the next step */
    double *episode_return; /* [copies] so far */
    int32_t *episode_length;
    sn_error *error; /* [parts] */
    /* of the call at hand */
    const float *action;
    const uint64_t *seed;
    float *observation;
    const sn_environment_out *out;
};

struct sn__vector *sn__vector_create(const struct sn__task *task, sn_autoreset mode, int threads,
                                     sn_error *error) {
    struct sn__vector *v = sn__alloc(1, sizeof *v);
    if (!v) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for an environment");
        return NULL;
    }
    *v = (struct sn__vector){.task = *task, .mode = mode, .copies = task->parts * task->copies};
    const size_t copies = (size_t)v->copies;
    v->which = sn__alloc(copies, sizeof *v->which);
    v->pending = sn__alloc(copies, sizeof *v->pending);
    v->episode_return = sn__alloc(copies, sizeof *v->episode_return);
    v->episode_length = sn__alloc(copies, sizeof *v->episode_length);
    v->error = sn__alloc((size_t)task->parts, sizeof *v->error);
    const bool made = v->which && v->pending && v->episode_return && v->episode_length && v->error;
    if (!made) sn__fail(error, SN_ERROR_MEMORY, "no memory for an environment");
    if (made && (v->pool = sn__pool_create(threads, error))) return v;
    sn__vector_free(v);
    return NULL;
}

void sn__vector_free(struct sn__vector *v) {
    if (!v) return;
    sn__pool_free(v->pool);
    sn__free_all(v->which, v->pending, v->episode_return, v->episode_length, v->error, v);
}

int sn__vector_copies(const struct sn__vector *v) {
    return v->copies;
}

/* Runs a function for all parts; the first error in their order counts. */
static sn_status run_all(struct sn__vector *v, void (*work)(void *user, int thread, int part),
                         sn_error *error) {
    sn__pool_run(v->pool, work, v, v->task.parts);
    for (int i = 0; i < v->task.parts; i++)
        if (v->error[i].status) {
            if (error) *error = v->error[i];
            return v->error[i].status;
        }
    return sn__succeed(error);
}

/* New episodes in the copies of `which` of a part. */
static sn_status begin(struct sn__vector *v, int part, const uint64_t *seed, float *observation) {
    const int first = part * v->task.copies;
    bool some = false;
    for (int i = first; i < first + v->task.copies; i++) {
        if (!v->which[i]) continue;
        v->pending[i] = false;
        v->episode_return[i] = 0;
        v->episode_length[i] = 0;
        some = true;
    }
    if (!some) return SN_OK;
    return v->task.begin(v->task.user, part, v->which + first, seed, observation, &v->error[part]);
}

/* ---------------------------------------------------------------------------------------------------- all parts */

static void reset_part(void *user, int thread, int part) {
    struct sn__vector *v = user;
    const size_t first = (size_t)part * (size_t)v->task.copies;
    (void)thread;
    v->error[part] = (sn_error){SN_OK, ""};
    v->error[part].status = begin(v, part, v->seed ? v->seed + first : NULL,
                                  v->observation + first * (size_t)v->task.observations);
}

sn_status sn__vector_reset(struct sn__vector *v, const uint8_t *which, const uint64_t *seed,
                           float *observation, sn_error *error) {
    for (int i = 0; i < v->copies; i++)
        v->which[i] = which ? which[i] : 1;
    v->seed = seed;
    v->observation = observation;
    return run_all(v, reset_part, error);
}

/* The flags and sums of one copy after a step; what begins anew now is marked in `which`. */
static void account(struct sn__vector *v, int i, const sn_environment_out *out) {
    const bool ended = out->terminated[i] || out->truncated[i], skipped = v->pending[i];
    const size_t n = (size_t)v->task.observations;
    if (skipped) { /* its step does not count */
        out->reward[i] = 0;
        out->terminated[i] = out->truncated[i] = false;
        v->which[i] = 1;
    } else {
        v->episode_return[i] += (double)out->reward[i];
        v->episode_length[i]++;
        v->which[i] = ended && v->mode == SN_AUTORESET_SAME_STEP;
        v->pending[i] = ended && v->mode == SN_AUTORESET_NEXT_STEP;
    }
    if (out->episode_return) out->episode_return[i] = skipped ? 0 : v->episode_return[i];
    if (out->episode_length) out->episode_length[i] = skipped ? 0 : v->episode_length[i];
    if (out->final && v->which[i] && !skipped)
        memcpy(out->final + (size_t)i * n, out->observation + (size_t)i * n, n * sizeof(float));
}

static void step_part(void *user, int thread, int part) {
    struct sn__vector *v = user;
    const struct sn__task *task = &v->task;
    const sn_environment_out *out = v->out;
    const size_t first = (size_t)part * (size_t)task->copies;
    float *observation = out->observation + first * (size_t)task->observations;
    sn_error *error = &v->error[part];
    (void)thread;
    *error = (sn_error){SN_OK, ""};
    error->status = task->step(task->user, part, v->action + first * (size_t)task->actions, observation,
                               out->reward + first, out->terminated + first, out->truncated + first, error);
    if (error->status) return;
    for (int i = 0; i < task->copies; i++)
        account(v, (int)first + i, out);
    error->status = begin(v, part, NULL, observation);
}

sn_status sn__vector_step(struct sn__vector *v, const float *action, const sn_environment_out *out,
                          sn_error *error) {
    v->action = action;
    v->out = out;
    return run_all(v, step_part, error);
}

/* ---------------------------------------------------------------------------------------- part by part, for trainers */

static sn_status environment_reset(void *user, int part, float *observation, sn_error *error) {
    struct sn__vector *v = user;
    memset(v->which + part * v->task.copies, 1, (size_t)v->task.copies);
    v->error[part] = (sn_error){SN_OK, ""};
    const sn_status status = begin(v, part, NULL, observation);
    if (status && error) *error = v->error[part];
    return status;
}

static sn_status environment_step(void *user, int part, const float *action, const struct sn__transition *out,
                                  sn_error *error) {
    struct sn__vector *v = user;
    const struct sn__task *task = &v->task;
    uint8_t *which = v->which + part * task->copies;
    const size_t n = (size_t)task->observations;
    bool some = false;
    sn_status status = task->step(task->user, part, action, out->observation, out->reward, out->terminated,
                                  out->truncated, error);
    if (status) return status;
    for (int i = 0; i < task->copies; i++) {
        which[i] = out->terminated[i] || out->truncated[i];
        some = some || which[i];
        if (which[i]) memcpy(out->final + (size_t)i * n, out->observation + (size_t)i * n, n * sizeof(float));
    }
    return some ? task->begin(task->user, part, which, NULL, out->observation, error) : SN_OK;
}

static size_t environment_state_size(void *user, int part) {
    struct sn__vector *v = user;
    return v->task.state_size(v->task.user, part);
}

static sn_status environment_save(void *user, int part, void *state, size_t size) {
    struct sn__vector *v = user;
    return v->task.save(v->task.user, part, state, size);
}

static sn_status environment_restore(void *user, int part, const void *state, size_t size, sn_error *error) {
    struct sn__vector *v = user;
    return v->task.restore(v->task.user, part, state, size, error);
}

struct sn__environment sn__vector_environment(struct sn__vector *v) {
    const bool saved = v->task.save != NULL;
    return (struct sn__environment){.user = v,
                                    .parts = v->task.parts,
                                    .copies = v->task.copies,
                                    .observations = v->task.observations,
                                    .actions = v->task.actions,
                                    .identity = v->task.identity,
                                    .reset = environment_reset,
                                    .step = environment_step,
                                    .state_size = saved ? environment_state_size : NULL,
                                    .save = saved ? environment_save : NULL,
                                    .restore = saved ? environment_restore : NULL};
}
