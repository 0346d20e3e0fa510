/* Environments: made, reset, stepped, looked at. */
#include "learn/environment.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/definition.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "learn/random.h"
#include "model/hash.h"

enum { MOST_NUMBERS = 1 << 20 };

double sn_episode_random(const sn_episode *e, uint32_t index) {
    struct sn__random r =
        sn__random_at(e->seed, SN__STREAM_EPISODE, e->item, (uint64_t)e->count << 32 | (uint32_t)e->steps);
    r.counter[0] = index / 4;
    for (uint32_t i = 0; i < index % 4; i++)
        sn__random_word(&r);
    return sn__random_uniform(&r);
}

/* ----------------------------------------------------------------------------------------------------------- made */

static sn_status check_task(const sn_task *t, sn_error *error) {
    if (!t->begin || !t->act || !t->reward || !t->observe)
        return sn__fail(error, SN_ERROR_ARGUMENT, "the task has no begin, no act, no reward or no observe");
    if (t->observations < 1 || t->actions < 1 || t->terms < 1 || t->observations > MOST_NUMBERS ||
        t->actions > MOST_NUMBERS || t->terms > MOST_NUMBERS)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "the task has %d observations, %d actions and %d terms of its reward: each must be "
                        "from 1 to %d",
                        t->observations, t->actions, t->terms, MOST_NUMBERS);
    if (t->rate < 1 || !(t->limit > 0))
        return sn__fail(error, SN_ERROR_ARGUMENT, "the task has rate %d and limit %g: both must be above 0",
                        t->rate, t->limit);
    return SN_OK;
}

/* The largest number of copies per part, up to SN_MAX_PART_COPIES, with which all parts are alike. */
static int part_size(int copies) {
    int size = copies < SN_MAX_PART_COPIES ? copies : SN_MAX_PART_COPIES;
    while (copies % size)
        size--;
    return size;
}

static uint64_t hash_text(const char *text, uint64_t hash) {
    return sn__hash(text, strlen(text), hash);
}

static void fill_info(sn_environment *env, int copies) {
    const sn_task *t = &env->task;
    const int sizes[] = {t->observations, t->actions, t->rate};
    const uint64_t named = sn__hash(sizes, sizeof sizes, hash_text(t->name, 0));
    env->info = (sn_environment_info){.copies = copies,
                                      .observations = t->observations,
                                      .actions = t->actions,
                                      .terms = t->terms,
                                      .rate = t->rate,
                                      .limit = t->limit,
                                      .name = t->name,
                                      .observation_names = t->observation_names,
                                      .action_names = t->action_names,
                                      .term_names = t->term_names,
                                      .model = t->model ? sn__model_hash(t->model) : 0,
                                      .features = t->meaning ? t->meaning : named};
    const uint64_t all[] = {env->info.model, env->info.features, t->identity};
    env->info.task = sn__hash(&t->limit, sizeof t->limit, sn__hash(all, sizeof all, 0));
    env->identity = t->identity ? env->info.task : 0;
    if (t->model)
        snprintf(env->model, sizeof env->model, "%.40s, %d bodies", sn_model_body(t->model, 0)->name,
                 sn_model_get(t->model)->nbody);
}

static bool make_arrays(sn_environment *env) {
    const size_t all = (size_t)env->parts * (size_t)env->copies;
    env->part = sn__alloc((size_t)env->parts, sizeof *env->part);
    env->error = sn__alloc((size_t)env->parts, sizeof *env->error);
    env->episode = sn__alloc(all, sizeof *env->episode);
    env->state = sn__alloc(all * (env->task.state ? env->task.state : 1), 1);
    env->which = sn__alloc(all, sizeof *env->which);
    env->pending = sn__alloc(all, sizeof *env->pending);
    env->term = sn__alloc(all * (size_t)env->task.terms, sizeof *env->term);
    return env->part && env->error && env->episode && env->state && env->which && env->pending && env->term;
}

static sn_status open_part(sn_environment *env, int i, uint64_t seed, sn_error *error) {
    const size_t first = (size_t)i * (size_t)env->copies;
    sn_part *p = &env->part[i];
    *p = (sn_part){.copies = env->copies,
                   .first = (int)first,
                   .episode = env->episode + first,
                   .state = env->state + first * env->task.state};
    for (int k = 0; k < env->copies; k++)
        p->episode[k] = (sn_episode){.seed = seed, .item = (uint32_t)((int)first + k), .limit = env->limit};
    return env->task.open ? env->task.open(env->task.user, p, error) : SN_OK;
}

static sn_status make(sn_environment *env, const sn_environment_def *def, sn_error *error) {
    env->mode = def->autoreset;
    env->copies = part_size(def->copies);
    env->parts = def->copies / env->copies;
    env->observations = env->task.observations, env->actions = env->task.actions;
    env->limit = (int)fmin(fmax(round(env->task.limit * env->task.rate), 1), 1e9);
    if (!env->task.name) env->task.name = "";
    if (!make_arrays(env))
        return sn__fail(error, SN_ERROR_MEMORY, "no memory for an environment of %d copies", def->copies);
    fill_info(env, def->copies);
    if (!(env->pool = sn__pool_create(def->threads, error))) return SN_ERROR_UNSUPPORTED;
    sn_status status = SN_OK;
    for (int i = 0; i < env->parts && !status; i++)
        status = open_part(env, i, def->seed, error);
    return status;
}

/* What the caller gave, or the default, if it is in order. */
static bool take_def(const sn_task *task, const sn_environment_def *def, sn_environment_def *own,
                     sn_error *error) {
    *own = sn_environment_def_default();
    return (!def || sn__definition_take("sn_environment_def", def, own, error)) &&
           !sn__definition_check("sn_environment_def", own, "", SN_ERROR_ARGUMENT, error) &&
           !check_task(task, error);
}

sn_environment *sn_environment_create(const sn_task *task, const sn_environment_def *def, sn_error *error) {
    sn_environment_def own;
    sn_error local;
    if (!error) error = &local;
    if (!task) {
        sn__fail(error, SN_ERROR_ARGUMENT, "there is no task");
        return NULL;
    }
    const bool good = take_def(task, def, &own, error);
    sn_environment *env = good ? sn__alloc(1, sizeof *env) : NULL;
    if (!env) {
        if (good) sn__fail(error, SN_ERROR_MEMORY, "no memory for an environment");
        if (task->free) task->free(task->user);
        return NULL;
    }
    env->task = *task;
    env->def = own;
    if (make(env, &own, error)) return sn_environment_free(env), NULL;
    return sn__succeed(error), env;
}

void sn_environment_free(sn_environment *env) {
    if (!env) return;
    sn__pool_free(env->pool);
    for (int i = 0; env->part && i < env->parts; i++) {
        if (env->part[i].copies && env->task.close) env->task.close(env->task.user, &env->part[i]);
        sn_world_free(env->part[i].world);
    }
    if (env->task.free) env->task.free(env->task.user);
    sn__free_all(env->part, env->error, env->episode, env->state, env->which, env->pending, env->term, env);
}

/* ------------------------------------------------------------------------------------------------- part by part */

/* A task that fails need not say why. */
static sn_status heard(sn_status status, const char *what, sn_error *error) {
    if (!status) return SN_OK;
    if (error && !error->message[0]) sn__fail(error, status, "%s: %s", what, sn_status_text(status));
    return status;
}

/* Starts new episodes in the copies of `which` of a part. */
static sn_status begin(sn_environment *env, int part, const uint64_t *seed, float *observation,
                       sn_error *error) {
    sn_part *p = &env->part[part];
    const uint8_t *which = env->which + p->first;
    bool some = false;
    for (int i = 0; i < p->copies; i++) {
        sn_episode *e = &p->episode[i];
        if (!which[i]) continue;
        if (seed) *e = (sn_episode){.seed = seed[i]};
        e->count++;
        e->steps = 0;
        e->limit = env->limit;
        e->total = 0;
        env->pending[p->first + i] = false;
        some = true;
    }
    if (!some) return SN_OK;
    const sn_task *t = &env->task;
    const sn_status status = heard(t->begin(t->user, p, which, error), "an episode cannot begin", error);
    if (status) return status;
    return heard(t->observe(t->user, p, which, observation, error), "the observation failed", error);
}

sn_status sn__environment_begin_part(sn_environment *env, int part, float *observation, sn_error *error) {
    memset(env->which + part * env->copies, 1, (size_t)env->copies);
    return begin(env, part, NULL, observation, error);
}

/* A step up to the observations; nothing restarts yet. */
static sn_status advance(sn_environment *env, sn_part *p, const float *action, const sn_environment_out *out,
                         sn_error *error) {
    static const uint8_t all[SN_MAX_PART_COPIES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const sn_task *t = &env->task;
    const size_t copies = (size_t)p->copies;
    sn_status status = heard(t->act(t->user, p, action, error), "the step failed", error);
    if (status) return status;
    for (int i = 0; i < p->copies; i++)
        p->episode[i].steps++;
    status = heard(t->reward(t->user, p, env->term + p->first * t->terms, error), "the reward failed", error);
    if (status) return status;
    memset(out->terminated, 0, copies * sizeof *out->terminated);
    memset(out->truncated, 0, copies * sizeof *out->truncated);
    if (t->ends) status = t->ends(t->user, p, out->terminated, out->truncated, error);
    if (status) return heard(status, "the end of episodes failed", error);
    return heard(t->observe(t->user, p, all, out->observation, error), "the observation failed", error);
}

/* Reward, flags and sums of copy i of a part; `which` marks it if it restarts now. */
static void account(sn_environment *env, const sn_part *p, int i, sn_autoreset mode,
                    const sn_environment_out *out) {
    sn_episode *e = &p->episode[i];
    const int copy = p->first + i, terms = env->task.terms;
    const bool skipped = env->pending[copy]; /* it restarts: its step does not count */
    const size_t n = (size_t)env->observations;
    const double *term = env->term + copy * terms;
    double sum = 0;
    for (int k = 0; k < terms; k++) {
        sum = k ? sum + term[k] : term[k];
        if (out->term) out->term[i * terms + k] = skipped ? 0 : (float)term[k];
    }
    out->truncated[i] = !out->terminated[i] && (out->truncated[i] || e->steps >= e->limit);
    const bool ended = out->terminated[i] || out->truncated[i];
    out->reward[i] = skipped ? 0 : (float)sum;
    e->total += (double)out->reward[i];
    if (skipped) out->terminated[i] = out->truncated[i] = false;
    env->which[copy] = skipped || (ended && mode == SN_AUTORESET_SAME_STEP);
    env->pending[copy] = !skipped && ended && mode == SN_AUTORESET_NEXT_STEP;
    if (out->episode_return) out->episode_return[i] = skipped ? 0 : e->total;
    if (out->episode_length) out->episode_length[i] = skipped ? 0 : e->steps;
    if (out->final && env->which[copy] && !skipped)
        memcpy(out->final + (size_t)i * n, out->observation + (size_t)i * n, n * sizeof(float));
}

sn_status sn__environment_step_part(sn_environment *env, int part, sn_autoreset mode, const float *action,
                                    const sn_environment_out *out, sn_error *error) {
    sn_part *p = &env->part[part];
    const sn_status status = advance(env, p, action, out, error);
    if (status) return status;
    for (int i = 0; i < p->copies; i++)
        account(env, p, i, mode, out);
    return begin(env, part, NULL, out->observation, error);
}

/* ---------------------------------------------------------------------------------------------------- all copies */

/* Runs a function for all parts; the first error in their order counts. */
static sn_status run_all(sn_environment *env, void (*work)(void *user, int thread, int part),
                         sn_error *error) {
    for (int i = 0; i < env->parts; i++)
        env->error[i] = (sn_error){SN_OK, ""};
    sn__pool_run(env->pool, work, env, env->parts);
    for (int i = 0; i < env->parts; i++)
        if (env->error[i].status) {
            if (error) *error = env->error[i];
            return env->error[i].status;
        }
    return sn__succeed(error);
}

static void reset_part(void *user, int thread, int part) {
    sn_environment *env = user;
    const size_t first = (size_t)part * (size_t)env->copies;
    (void)thread;
    env->error[part].status = begin(env, part, env->seed ? env->seed + first : NULL,
                                    env->observation + first * (size_t)env->observations, &env->error[part]);
}

sn_status sn_environment_reset(sn_environment *env, const uint8_t *which, const uint64_t *seed,
                               float *observation, sn_error *error) {
    if (!env || !observation)
        return sn__fail(error, SN_ERROR_ARGUMENT, "a reset needs an array for the observations");
    for (int i = 0; i < env->info.copies; i++)
        env->which[i] = which ? which[i] : 1;
    env->seed = seed;
    env->observation = observation;
    return run_all(env, reset_part, error);
}

/* The rows of a part in the caller's arrays. */
static sn_environment_out rows_of(const sn_environment *env, const sn_environment_out *out, size_t first) {
    const size_t n = (size_t)env->observations, terms = (size_t)env->task.terms;
    return (sn_environment_out){
        .observation = out->observation + first * n,
        .reward = out->reward + first,
        .terminated = out->terminated + first,
        .truncated = out->truncated + first,
        .final = out->final ? out->final + first * n : NULL,
        .episode_return = out->episode_return ? out->episode_return + first : NULL,
        .episode_length = out->episode_length ? out->episode_length + first : NULL,
        .term = out->term ? out->term + first * terms : NULL,
    };
}

static void step_part(void *user, int thread, int part) {
    sn_environment *env = user;
    const size_t first = (size_t)part * (size_t)env->copies;
    const sn_environment_out rows = rows_of(env, env->out, first);
    (void)thread;
    env->error[part].status = sn__environment_step_part(
        env, part, env->mode, env->action + first * (size_t)env->actions, &rows, &env->error[part]);
}

sn_status sn_environment_step(sn_environment *env, const float *action, const sn_environment_out *out,
                              sn_error *error) {
    if (!env || !action || !out || !out->observation || !out->reward || !out->terminated || !out->truncated)
        return sn__fail(
            error, SN_ERROR_ARGUMENT,
            "a step needs actions, and arrays for observations, rewards, terminated and truncated");
    env->action = action;
    env->out = out;
    return run_all(env, step_part, error);
}

static void observe_part(void *user, int thread, int part) {
    sn_environment *env = user;
    sn_part *p = &env->part[part];
    const sn_task *t = &env->task;
    (void)thread;
    env->error[part].status =
        heard(t->observe(t->user, p, env->which + p->first,
                         env->observation + (size_t)p->first * (size_t)env->observations, &env->error[part]),
              "the observation failed", &env->error[part]);
}

sn_status sn_environment_observe(sn_environment *env, float *observation, sn_error *error) {
    if (!env || !observation)
        return sn__fail(error, SN_ERROR_ARGUMENT, "there is no array for the observations");
    memset(env->which, 1, (size_t)env->info.copies);
    env->observation = observation;
    return run_all(env, observe_part, error);
}

/* --------------------------------------------------------------------------------------------------- looked at */

void sn_environment_get_info(const sn_environment *env, sn_environment_info *info) {
    *info = env->info;
    info->definition = env->def;
}

sn_world *sn_environment_world(sn_environment *env, int copy, int *number) {
    if (copy < 0 || copy >= env->info.copies) return NULL;
    if (number) *number = copy % env->copies;
    return env->part[copy / env->copies].world;
}

bool sn_environment_reference(const sn_environment *env, int copy, double *q) {
    if (copy < 0 || copy >= env->info.copies || !env->task.reference) return false;
    return env->task.reference(env->task.user, &env->part[copy / env->copies], copy % env->copies, q);
}
