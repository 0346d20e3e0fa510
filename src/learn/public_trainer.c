/* The trainer as sinew/learn.h has it. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "learn/public.h"

/* What the public definition and the private one have alike. */
#define SAME(X)                                                                                              \
    X(horizon)                                                                                               \
    X(minibatch)                                                                                             \
    X(epochs)                                                                                                \
    X(gamma)                                                                                                 \
    X(lambda)                                                                                                \
    X(clip)                                                                                                  \
    X(actor_rate)                                                                                            \
    X(critic_rate)                                                                                           \
    X(kl_target)                                                                                             \
    X(gradient_norm)                                                                                         \
    X(noise)

sn_trainer_def sn_trainer_def_default(void) {
    const struct sn__ppo_def d = sn__ppo_default();
    /* small networks, three epochs and five times the divergence: docs/learning.md has what that gains */
    sn_trainer_def def = {.hidden = {128, 128}};
#define X(field) def.field = d.field;
    SAME(X)
#undef X
    def.epochs = 3, def.kl_target = .08;
    return def;
}

static struct sn__ppo_def private_def(const sn_trainer_def *def) {
    struct sn__ppo_def d = sn__ppo_default();
    d.seed = def->seed;
    d.threads = def->threads;
    d.exchange = def->exchange;
    memset(d.hidden, 0, sizeof d.hidden);
    memcpy(d.hidden, def->hidden, sizeof def->hidden);
    d.activation = def->tanh ? SN__TANH : SN__RELU;
    d.optimiser = def->momentum ? SN__MOMENTUM : SN__ADAM;
#define X(field) d.field = def->field;
    SAME(X)
#undef X
    d.learn_noise = def->learn_noise, d.entropy = def->entropy;
    d.normalise_samples = def->normalise_samples;
    return d;
}

sn_trainer *sn_trainer_create(sn_environment *env, const sn_trainer_def *def, sn_error *error) {
    if (!env || !def) {
        sn__fail(error, SN_ERROR_ARGUMENT, "a trainer needs an environment and a definition");
        return NULL;
    }
    sn_trainer *trainer = sn__alloc(1, sizeof *trainer);
    if (!trainer) {
        sn__fail(error, SN_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    const struct sn__environment parts = sn__vector_environment(env->vector);
    const struct sn__ppo_def ppo = private_def(def);
    trainer->env = env;
    trainer->ppo = sn__ppo_create(&parts, &ppo, error);
    if (trainer->ppo &&
        !sn__ranks_same(&trainer->ppo->ranks, sn__ppo_settings_hash(trainer->ppo), "the training", error)) {
        sn__succeed(error);
        return trainer;
    }
    sn_trainer_free(trainer);
    return NULL;
}

void sn_trainer_free(sn_trainer *trainer) {
    if (!trainer) return;
    sn__ppo_free(trainer->ppo);
    sn__free(trainer);
}

sn_status sn_trainer_iterate(sn_trainer *trainer, sn_training *training, sn_error *error) {
    struct sn__ppo_report r = {0};
    const sn_status status = sn__ppo_iterate(trainer->ppo, &r, error);
    if (training)
        *training = (sn_training){.iterations = r.iterations,
                                  .samples = r.samples,
                                  .episodes = r.episodes,
                                  .mean_return = r.mean_return,
                                  .mean_length = r.mean_length / trainer->env->info.rate,
                                  .mean_reward = r.mean_reward,
                                  .value_loss = r.value_loss,
                                  .explained = r.explained,
                                  .kl = r.kl,
                                  .actor_rate = r.actor_rate,
                                  .noise = r.noise,
                                  .collect_seconds = r.collect_seconds,
                                  .update_seconds = r.update_seconds};
    return status;
}

sn_status sn_trainer_run(sn_trainer *trainer, bool (*go_on)(void *user, const sn_training *training),
                         void *user, sn_error *error) {
    sn_training training;
    sn_status status;
    do
        status = sn_trainer_iterate(trainer, &training, error);
    while (!status && go_on(user, &training));
    return status;
}

sn_status sn_trainer_save(sn_trainer *trainer, const char *path, sn_error *error) {
    return sn__ppo_save(trainer->ppo, path, error);
}

sn_status sn_trainer_restore(sn_trainer *trainer, const char *path, sn_error *error) {
    return sn__ppo_restore(trainer->ppo, path, error);
}

void sn_trainer_progress(const sn_trainer *trainer, sn_training *training) {
    *training = (sn_training){.iterations = trainer->ppo->iterations, .samples = trainer->ppo->samples};
}

sn_policy *sn_trainer_policy(const sn_trainer *trainer, sn_error *error) {
    const sn_environment *env = trainer->env;
    struct sn__policy of;
    if (!sn__policy_of(trainer->ppo, &of)) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for a policy");
        return NULL;
    }
    of.model_hash = env->info.model;
    of.features_hash = env->info.features;
    memcpy(of.model, env->model, sizeof of.model);
    memcpy(of.features, env->features, sizeof of.features);
    return sn__policy_wrap(&of, error);
}
