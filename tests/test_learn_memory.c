/* Environments, trainers and policies when memory runs out: a message, nothing lost, nothing left behind. */
#include "model_helpers.h"
#include "refused_memory.h"

#include <sinew/learn.h>
#include <stdlib.h>
#include <unistd.h>

#if !MEMORY_IS_OWNED

static char path[] = "/tmp/sinew_memory_XXXXXX";

/* Made, trained, kept and read again; false where something said that it cannot be. Everything is freed. */
static bool whole_life(const sn_model *model, const sn_motion *motion, sn_error *error) {
    sn_environment_def def = sn_environment_def_default(model, motion);
    sn_trainer_def training = sn_trainer_def_default();
    def.copies = 2;
    training.threads = 1;
    training.hidden[0] = 8, training.hidden[1] = 0;
    training.horizon = 8, training.minibatch = 16;
    sn_environment *env = sn_environment_create(&def, error);
    sn_trainer *trainer = env ? sn_trainer_create(env, &training, error) : NULL;
    sn_policy *policy = NULL, *again = NULL;
    sn_policy_score score;
    bool good = trainer && !sn_trainer_iterate(trainer, NULL, error);
    good = good && !sn_trainer_save(trainer, path, error) && !sn_trainer_restore(trainer, path, error);
    good = good && (policy = sn_trainer_policy(trainer, error));
    good = good && !sn_policy_save(policy, path, error) && (again = sn_policy_load(path, error));
    good = good && !sn_policy_evaluate(again, env, NULL, &score, error);
    sn_policy_free(policy), sn_policy_free(again);
    sn_trainer_free(trainer);
    sn_environment_free(env);
    return good;
}

TEST(memory_that_runs_out_is_told) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_motion *motion = sn_builtin_motion_create("walk", model, NULL);
    const bool short_run = getenv("SINEW_TEST_SHORT") != NULL;
    bool done = false;
    int tries = 0;
    close(mkstemp(path));
    for (long first = 0; !done && tries < 5000; first += short_run ? 1 + first / 8 : 1, tries++) {
        sn_error error = {SN_OK, ""};
        until_refused = first;
        const bool good = whole_life(model, motion, &error);
        done = until_refused >= 0; /* nothing was refused any more */
        until_refused = -1;
        if (!good && (error.status == SN_OK || !error.message[0]))
            fail_msg("allocation %ld was refused, and nothing told", first);
        if (done) assert_true(good);
    }
    assert_true(done && tries > 20);
    sn_motion_free(motion);
    sn_model_free(model);
    unlink(path);
}

#endif

int main(void) {
    return run_all("learn_memory");
}
