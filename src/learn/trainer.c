/* Trainers as programs use them: PPO over an environment. */
#include <string.h>

#include "base/definition.h"
#include "base/error.h"
#include "base/memory.h"
#include "learn/policy.h"
#include "learn/ppo.h"

struct sn_trainer {
    struct sn__ppo *ppo;
};

/* Small networks, three epochs and a large divergence: docs/learning-results.md shows what that gains. */
sn_trainer *sn_trainer_create(sn_environment *env, const sn_trainer_def *def, sn_error *error) {
    sn_trainer_def own = sn_trainer_def_default();
    sn_error local;
    if (!error) error = &local;
    if ((def && !sn__definition_take("sn_trainer_def", def, &own, error)) ||
        sn__definition_check("sn_trainer_def", &own, "", SN_ERROR_ARGUMENT, error))
        return NULL;
    if (!env) {
        sn__fail(error, SN_ERROR_ARGUMENT, "a trainer needs an environment");
        return NULL;
    }
    sn_trainer *trainer = sn__alloc(1, sizeof *trainer);
    if (!trainer) {
        sn__fail(error, SN_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    trainer->ppo = sn__ppo_create(env, &own, error);
    if (!trainer->ppo ||
        sn__ranks_same(&trainer->ppo->ranks, sn__ppo_settings_hash(trainer->ppo), "the training", error))
        return sn_trainer_free(trainer), NULL;
    return sn__succeed(error), trainer;
}

void sn_trainer_free(sn_trainer *trainer) {
    if (!trainer) return;
    sn__ppo_free(trainer->ppo);
    sn__free(trainer);
}

sn_status sn_trainer_iterate(sn_trainer *trainer, sn_training *training, sn_error *error) {
    return sn__ppo_iterate(trainer->ppo, training, error);
}

sn_status sn_trainer_save(sn_trainer *trainer, const char *path, sn_error *error) {
    return sn__ppo_save(trainer->ppo, path, error);
}

sn_status sn_trainer_restore(sn_trainer *trainer, const char *path, sn_training *training, sn_error *error) {
    const sn_status status = sn__ppo_restore(trainer->ppo, path, error);
    if (training)
        *training = (sn_training){.iterations = trainer->ppo->iterations, .samples = trainer->ppo->samples};
    return status;
}

sn_policy *sn_trainer_policy(const sn_trainer *trainer, const char *note, sn_error *error) {
    struct sn__policy of;
    bool good = sn__policy_of(trainer->ppo, &of);
    if (good) {
        sn__policy_sign(&of, trainer->ppo->env);
        good = !note || sn__policy_set_note(&of, note);
        if (good) return sn__policy_wrap(&of, error);
        sn__policy_free(&of);
    }
    sn__fail(error, SN_ERROR_MEMORY, "no memory for a policy");
    return NULL;
}
