/* Checkpoints: all that the next iteration depends on, so that a training that was stopped goes on with the same bits. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "learn/container.h"
#include "learn/ppo.h"

static const char KIND[8] = {'S', 'N', 'T', 'R', 'A', 'I', 'N', 0};
enum { VERSION = 1 };

/* ---------------------------------------------------------------------------------------------------- settings */

/* What must be the same for a training to go on: X(name, value). The number of threads may differ. */
#define SETTINGS(X)                                                                                          \
    X("parts", p->env.parts)                                                                                 \
    X("copies", p->env.copies)                                                                               \
    X("observations", p->env.observations)                                                                   \
    X("actions", p->env.actions)                                                                             \
    X("seed's upper half", p->def.seed >> 32)                                                                \
    X("seed", p->def.seed & 0xffffffff)                                                                      \
    X("hidden layers", p->actor.net.layers - 1)                                                              \
    X("width of hidden layer 1", p->def.hidden[0])                                                           \
    X("width of hidden layer 2", p->def.hidden[1])                                                           \
    X("parameters of the actor", p->actor.count)                                                             \
    X("parameters of the critic", p->critic.count)                                                           \
    X("activation", p->def.activation)                                                                       \
    X("horizon", p->def.horizon)                                                                             \
    X("minibatch", p->def.minibatch)                                                                         \
    X("epochs", p->def.epochs)                                                                               \
    X("gamma", p->def.gamma)                                                                                 \
    X("lambda", p->def.lambda)                                                                               \
    X("clip", p->def.clip)                                                                                   \
    X("advantage_clip", p->def.advantage_clip)                                                               \
    X("value_low", p->def.value_low)                                                                         \
    X("value_high", p->def.value_high)                                                                       \
    X("optimiser", p->def.optimiser)                                                                         \
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
    const size_t n = (size_t)p->env.observations, all = sn__cells(p->env.parts, p->env.copies);
    const size_t actor = ((size_t)p->actor.net.count + (size_t)p->env.actions) * sizeof(real);
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

static void part_name(char name[9], const char *kind, int part) {
    snprintf(name, 9, "%s%06x", kind, (unsigned)part & 0xffffff);
}

static sn_status add_part(struct sn__text *out, struct sn__ppo *ppo, int part, const char *path,
                          sn_error *error) {
    const struct sn__ppo_part *p = &ppo->part[part];
    char name[9];
    part_name(name, "r", part);
    sn__container_add(out, name, p->episode_return, (size_t)ppo->env.copies * sizeof(double));
    part_name(name, "l", part);
    sn__container_add(out, name, p->episode_length, (size_t)ppo->env.copies * sizeof(int));
    const size_t size = ppo->env.state_size(ppo->env.user, part);
    void *state = sn__alloc(size, 1);
    if (!state || !size) {
        sn__free(state);
        return sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory", path);
    }
    const sn_status status = ppo->env.save(ppo->env.user, part, state, size);
    part_name(name, "e", part);
    if (!status) sn__container_add(out, name, state, size);
    sn__free(state);
    return status ? sn__fail(error, status, "%s: the environment cannot be saved", path) : SN_OK;
}

sn_status sn__ppo_save(struct sn__ppo *ppo, const char *path, sn_error *error) {
    if (!ppo->env.save)
        return sn__fail(error, SN_ERROR_UNSUPPORTED, "%s: the environment cannot save its state", path);
    const struct counters counters = {
        ppo->iterations, ppo->samples,    ppo->actor.optimiser.steps, ppo->critic.optimiser.steps,
        ppo->begun,      ppo->actor.rate, ppo->normaliser.count,      ppo->env.identity};
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
    sn_status status = SN_OK;
    for (int i = 0; i < ppo->env.parts && !status; i++)
        status = add_part(&out, ppo, i, path, error);
    if (!status) return sn__container_write(&out, path, error);
    sn__free(out.data);
    return status;
}

static sn_status take_part(const struct sn__container *c, struct sn__ppo *ppo, int part, sn_error *error) {
    struct sn__ppo_part *p = &ppo->part[part];
    const void *state;
    size_t size;
    char name[9];
    part_name(name, "r", part);
    sn_status status =
        sn__container_take(c, name, p->episode_return, (size_t)ppo->env.copies * sizeof(double), error);
    part_name(name, "l", part);
    if (!status)
        status = sn__container_take(c, name, p->episode_length, (size_t)ppo->env.copies * sizeof(int), error);
    part_name(name, "e", part);
    if (!status) status = sn__container_find(c, name, &state, &size, error);
    if (!status) status = ppo->env.restore(ppo->env.user, part, state, size, error);
    return status;
}

static sn_status take_all(const struct sn__container *c, struct sn__ppo *ppo, sn_error *error) {
    struct counters counters;
    struct array array[NARRAY];
    arrays_of(ppo, array);
    sn_status status = check_settings(ppo, c, error);
    if (!status) status = sn__container_take(c, "counters", &counters, sizeof counters, error);
    if (!status && counters.identity != ppo->env.identity)
        status = sn__fail(
            error, SN_ERROR_ARGUMENT,
            "%s: the training was of another task: its character, motion, gains or rewards differ", c->path);
    for (int i = 0; i < NARRAY && !status; i++)
        status = sn__container_take(c, array[i].name, array[i].data, array[i].size, error);
    for (int i = 0; i < ppo->env.parts && !status; i++)
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

sn_status sn__ppo_restore(struct sn__ppo *ppo, const char *path, sn_error *error) {
    struct sn__container c;
    if (!ppo->env.restore)
        return sn__fail(error, SN_ERROR_UNSUPPORTED, "%s: the environment cannot restore its state", path);
    sn_status status = sn__container_read(&c, path, KIND, "checkpoint", VERSION, error);
    if (status) return status;
    status = take_all(&c, ppo, error);
    sn__container_free(&c);
    return status;
}
