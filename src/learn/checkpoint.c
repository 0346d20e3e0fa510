/* Checkpoints: all that the next iteration depends on, so that a training that was stopped goes on with the same bits. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "learn/container.h"
#include "learn/ppo.h"

static const char KIND[8] = {'S', 'N', 'T', 'R', 'A', 'I', 'N', 0};
enum { VERSION = 2 }; /* 1: before 0.3, with another state of environments */

/* ---------------------------------------------------------------------------------------------------- settings */

/* What must be the same for a training to go on: X(name, value). The numbers of threads and ranks may differ. */
#define SETTINGS(X)                                                                                          \
    X("parts", p->env->parts)                                                                                \
    X("copies", p->env->copies)                                                                              \
    X("observations", p->env->observations)                                                                  \
    X("actions", p->env->actions)                                                                            \
    X("seed's upper half", p->def.seed >> 32)                                                                \
    X("seed", p->def.seed & 0xffffffff)                                                                      \
    X("hidden layers", p->actor.net.layers - 1)                                                              \
    X("width of hidden layer 1", p->def.hidden[0])                                                           \
    X("width of hidden layer 2", p->def.hidden[1])                                                           \
    X("parameters of the actor", p->actor.count)                                                             \
    X("parameters of the critic", p->critic.count)                                                           \
    X("tanh", p->def.tanh)                                                                                   \
    X("horizon", p->def.horizon)                                                                             \
    X("minibatch", p->def.minibatch)                                                                         \
    X("epochs", p->def.epochs)                                                                               \
    X("gamma", p->def.gamma)                                                                                 \
    X("gae_lambda", p->def.gae_lambda)                                                                       \
    X("clip", p->def.clip)                                                                                   \
    X("advantage_clip", p->def.advantage_clip)                                                               \
    X("value_low", p->def.value_low)                                                                         \
    X("value_high", p->def.value_high)                                                                       \
    X("momentum", p->def.momentum)                                                                           \
    X("actor_rate", p->def.actor_rate)                                                                       \
    X("critic_rate", p->def.critic_rate)                                                                     \
    X("kl_target", p->def.kl_target)                                                                         \
    X("kl_stop", p->def.kl_stop)                                                                             \
    X("rate_low", p->def.rate_low)                                                                           \
    X("rate_high", p->def.rate_high)                                                                         \
    X("gradient_norm", p->def.gradient_norm)                                                                 \
    X("noise", p->def.noise)                                                                                 \
    X("learn_noise", p->def.learn_noise)                                                                     \
    X("entropy", p->def.entropy)                                                                             \
    X("normalise_samples", p->def.normalise_samples)

#define NAME_OF(name, value) name,
static const char *const SETTING[] = {SETTINGS(NAME_OF)};
enum { NSETTING = sizeof SETTING / sizeof *SETTING };

static void settings_of(const struct sn__ppo *p, double value[NSETTING]) {
#define VALUE_OF(name, x) (double)(x),
    const double all[] = {SETTINGS(VALUE_OF)};
    memcpy(value, all, sizeof all);
}

uint64_t sn__ppo_settings_hash(const struct sn__ppo *ppo) {
    double value[NSETTING];
    settings_of(ppo, value);
    return sn__hash(value, sizeof value, ppo->env->identity);
}

static sn_status check_settings(const struct sn__ppo *ppo, const struct sn__container *c, sn_error *error) {
    double now[NSETTING], then[NSETTING];
    const sn_status status = sn__container_take(c, "settings", then, sizeof then, error);
    if (status) return status;
    settings_of(ppo, now);
    for (int i = 0; i < NSETTING; i++)
        if (now[i] != then[i])
            return sn__fail(error, SN_ERROR_ARGUMENT,
                            "%s: the training had %s %.10g, and cannot go on with %.10g", c->path, SETTING[i],
                            then[i], now[i]);
    return SN_OK;
}

/* ------------------------------------------------------------------------------------------------------- state */

/* Numbers that stand alone. */
struct counters {
    uint64_t iterations, samples, actor_steps, critic_steps, begun;
    double actor_rate, normaliser_count;
    uint64_t identity; /* of the task */
};

struct array {
    const char *name;
    void *data;
    size_t size;
};

enum { NARRAY = 11 };

static void arrays_of(struct sn__ppo *p, struct array array[NARRAY]) {
    const size_t n = (size_t)p->env->observations, all = sn__cells(p->env->parts, p->env->copies);
    const size_t actor = ((size_t)p->actor.net.count + (size_t)p->env->actions) * sizeof(real);
    const size_t critic = (size_t)p->critic.count * sizeof(real);
    struct sn__normaliser *norm = &p->normaliser;
    const struct array made[NARRAY] = {
        {"actor", p->actor.theta, actor},
        {"actor.1", p->actor.optimiser.first, actor},
        {"actor.2", p->actor.optimiser.second, actor},
        {"critic", p->critic.theta, critic},
        {"critic.1", p->critic.optimiser.first, critic},
        {"critic.2", p->critic.optimiser.second, critic},
        {"mean", norm->mean, n * sizeof(double)},
        {"square", norm->square, n * sizeof(double)},
        {"shift", norm->shift, n * sizeof(float)},
        {"scale", norm->scale, n * sizeof(float)},
        {"now", p->now, all * n * sizeof(float)},
    };
    memcpy(array, made, sizeof made);
}

static void part_name(char name[9], int part) {
    snprintf(name, 9, "e%06x", (unsigned)part & 0xffffff);
}

/* States of the environment's parts, one behind the other. */
struct states {
    size_t *at; /* [parts + 1] */
    unsigned char *bytes;
};

/* How large those of this rank's parts are, in at[part]. */
static sn_status measure_states(struct sn__ppo *ppo, struct states *s, int begin, int end) {
    s->at = sn__alloc((size_t)ppo->env->parts + 1, sizeof *s->at);
    if (!s->at) return SN_ERROR_MEMORY;
    for (int i = begin; i < end; i++) {
        s->at[i] = sn__environment_part_size(ppo->env, i);
        if (!s->at[i]) return SN_ERROR_MEMORY;
    }
    return SN_OK;
}

/* From sizes to places. */
static void place_states(struct states *s, int parts) {
    size_t at = 0;
    for (int i = 0; i <= parts; i++) {
        const size_t size = s->at[i];
        s->at[i] = at;
        at += size;
    }
}

static sn_status save_states(struct sn__ppo *ppo, struct states *s, int begin, int end) {
    sn_status status = SN_OK;
    s->bytes = sn__alloc(s->at[ppo->env->parts], 1);
    if (!s->bytes) return SN_ERROR_MEMORY;
    for (int i = begin; i < end && !status; i++)
        status = sn__environment_save_part(ppo->env, i, s->bytes + s->at[i], s->at[i + 1] - s->at[i]);
    return status;
}

/* All that ranks know of their own parts. */
static sn_status gather(struct sn__ppo *ppo, struct states *s, const char *path, sn_error *error) {
    struct sn__ranks *ranks = &ppo->ranks;
    const int parts = ppo->env->parts, begin = sn__ranks_first(ranks, parts, ranks->of.rank),
              end = sn__ranks_first(ranks, parts, ranks->of.rank + 1);
    const size_t row = (size_t)ppo->env->copies * (size_t)ppo->env->observations;
    sn_status status = measure_states(ppo, s, begin, end);
    if (status) sn__fail(error, status, "%s: out of memory", path);
    status = sn__ranks_agree(ranks, status, error);
    if (!status) status = sn__ranks_share(ranks, s->at, parts, sizeof *s->at, error);
    if (status) return status;
    place_states(s, parts);
    status = save_states(ppo, s, begin, end);
    if (status)
        sn__fail(error, status, "%s: %s", path,
                 s->bytes ? "the environment cannot be saved" : "out of memory");
    status = sn__ranks_agree(ranks, status, error);
    if (!status) status = sn__ranks_share_at(ranks, s->bytes, parts, s->at, error);
    if (!status) status = sn__ranks_share(ranks, ppo->now, parts, row * sizeof *ppo->now, error);
    return status;
}

static void add_part(struct sn__text *out, int part, const struct states *s) {
    char name[9];
    part_name(name, part);
    sn__container_add(out, name, s->bytes + s->at[part], s->at[part + 1] - s->at[part]);
}

static sn_status write_all(struct sn__ppo *ppo, const struct states *s, const char *path, sn_error *error) {
    const struct counters counters = {
        ppo->iterations, ppo->samples,    ppo->actor.optimiser.steps, ppo->critic.optimiser.steps,
        ppo->begun,      ppo->actor.rate, ppo->normaliser.count,      ppo->env->identity};
    struct array array[NARRAY];
    double settings[NSETTING];
    struct sn__text out = {0};
    settings_of(ppo, settings);
    arrays_of(ppo, array);
    sn__container_begin(&out, KIND, VERSION);
    sn__container_add(&out, "settings", settings, sizeof settings);
    sn__container_add(&out, "counters", &counters, sizeof counters);
    for (int i = 0; i < NARRAY; i++)
        sn__container_add(&out, array[i].name, array[i].data, array[i].size);
    for (int i = 0; i < ppo->env->parts; i++)
        add_part(&out, i, s);
    return sn__container_write(&out, path, error);
}

sn_status sn__ppo_save(struct sn__ppo *ppo, const char *path, sn_error *error) {
    struct states s = {0};
    sn_status status = gather(ppo, &s, path, error);
    if (!status) {
        if (ppo->ranks.of.rank == 0) status = write_all(ppo, &s, path, error);
        status = sn__ranks_agree(&ppo->ranks, status, error);
    }
    sn__free_all(s.at, s.bytes);
    return status ? status : sn__succeed(error);
}

/* The environment's state, if this rank runs the part. */
static sn_status take_part(const struct sn__container *c, struct sn__ppo *ppo, int part, sn_error *error) {
    const void *state;
    size_t size;
    char name[9];
    part_name(name, part);
    const sn_status status = sn__container_find(c, name, &state, &size, error);
    if (part < sn__ranks_first(&ppo->ranks, ppo->env->parts, ppo->ranks.of.rank) ||
        part >= sn__ranks_first(&ppo->ranks, ppo->env->parts, ppo->ranks.of.rank + 1))
        return status;
    return status ? status : sn__environment_restore_part(ppo->env, part, state, size, error);
}

static sn_status take_all(const struct sn__container *c, struct sn__ppo *ppo, sn_error *error) {
    struct counters counters;
    struct array array[NARRAY];
    arrays_of(ppo, array);
    sn_status status = check_settings(ppo, c, error);
    if (!status) status = sn__container_take(c, "counters", &counters, sizeof counters, error);
    if (!status && counters.identity != ppo->env->identity)
        status = sn__fail(
            error, SN_ERROR_ARGUMENT,
            "%s: the training was of another task: its character, motion, gains or rewards differ", c->path);
    for (int i = 0; i < NARRAY && !status; i++)
        status = sn__container_take(c, array[i].name, array[i].data, array[i].size, error);
    for (int i = 0; i < ppo->env->parts && !status; i++)
        status = take_part(c, ppo, i, error);
    if (status) return status;
    ppo->iterations = counters.iterations;
    ppo->samples = counters.samples;
    ppo->actor.optimiser.steps = counters.actor_steps;
    ppo->critic.optimiser.steps = counters.critic_steps;
    ppo->begun = counters.begun != 0;
    ppo->actor.rate = counters.actor_rate;
    ppo->normaliser.count = counters.normaliser_count;
    return sn__succeed(error);
}

/* Rank 0 reads and checks the file and tells the others. */
static sn_status read_checkpoint(struct sn__ppo *ppo, struct sn__container *c, const char *path,
                                 sn_error *error) {
    struct sn__ranks *ranks = &ppo->ranks;
    const bool first = ranks->of.rank == 0;
    sn_status status = SN_OK;
    *c = (struct sn__container){.path = path};
    if (first) status = sn__container_read(c, path, KIND, "checkpoint", VERSION, error);
    status = sn__ranks_agree(ranks, status, error);
    if (!status) status = sn__ranks_tell(ranks, &c->size, sizeof c->size, error);
    if (status) return status;
    if (!first && !(c->data = sn__alloc(c->size, 1)))
        status = sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory", path);
    status = sn__ranks_agree(ranks, status, error);
    return status ? status : sn__ranks_tell(ranks, c->data, c->size, error);
}

sn_status sn__ppo_restore(struct sn__ppo *ppo, const char *path, sn_error *error) {
    struct sn__container c;
    sn_status status = read_checkpoint(ppo, &c, path, error);
    if (!status) status = sn__ranks_agree(&ppo->ranks, take_all(&c, ppo, error), error);
    sn__container_free(&c);
    return status;
}
