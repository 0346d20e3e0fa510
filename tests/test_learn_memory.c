/* Environments, trainers and policies when memory runs out: a message, nothing lost, nothing left behind. */
#include "model_helpers.h"
#include "refused_memory.h"

#include <sinew/learn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if !MEMORY_IS_OWNED

static char path[] = "/tmp/sinew_memory_XXXXXX";

/* Made, trained, kept and read again; false where something said that it cannot be. Everything is freed. */
static bool whole_life(const sn_model *model, const sn_motion *motion, bool all, sn_error *error) {
    sn_imitation_def def = sn_imitation_def_default(model, motion);
    sn_environment_def copies = sn_environment_def_default();
    sn_task task;
    if (all) {
        def.ball = 1;
        def.gain_range = .1;
        def.command = 1;
        def.terrain = SN_TERRAIN_SLOPES;
        def.limit = .5;
    }
    sn_trainer_def training = sn_trainer_def_default();
    copies.copies = 2;
    training.threads = 1;
    training.hidden[0] = 8, training.hidden[1] = 0;
    training.horizon = 8, training.minibatch = 16;
    if (sn_imitation_task(&task, &def, error)) return false;
    sn_environment *env = sn_environment_create(&task, &copies, error);
    sn_trainer *trainer = env ? sn_trainer_create(env, &training, error) : NULL;
    sn_policy *policy = NULL, *again = NULL;
    sn_policy_episode episode[2];
    bool good = trainer && !sn_trainer_iterate(trainer, NULL, error);
    good = good && !sn_trainer_save(trainer, path, error) && !sn_trainer_restore(trainer, path, NULL, error);
    good = good && (policy = sn_trainer_policy(trainer, "a note", error));
    good = good && !sn_policy_save(policy, path, error) && (again = sn_policy_load(path, error));
    good = good && !sn_policy_evaluate(again, env, NULL, episode, error);
    sn_policy_free(policy), sn_policy_free(again);
    sn_trainer_free(trainer);
    sn_environment_free(env);
    return good;
}

/* Two generations of a search. */
static bool search_life(sn_search_method method, sn_error *error) {
    sn_search_def def = sn_search_def_default(method, 3);
    const double score[32] = {0, 1, 2, -1};
    sn_search *search = sn_search_create(&def, error);
    bool good = search;
    for (int i = 0; i < 2 && good; i++)
        good = sn_search_ask(search, NULL) && !sn_search_tell(search, score, error);
    sn_search_free(search);
    return good;
}

TEST(a_search_tells_when_memory_runs_out) {
    for (int method = SN_SEARCH_CMA; method <= SN_SEARCH_NATURAL; method++) {
        bool done = false;
        for (long first = 0; !done && first < 100; first++) {
            sn_error error = {SN_OK, ""};
            until_refused = first;
            const bool good = search_life((sn_search_method)method, &error);
            done = until_refused >= 0;
            until_refused = -1;
            assert_true(good == done && (good || (error.status == SN_ERROR_MEMORY && error.message[0])));
            if (done) assert_true(first > 5);
        }
        assert_true(done);
    }
}

static void refuse_all(bool all, bool short_run) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_motion *motion = sn_builtin_motion_create("walk", model, NULL);
    bool done = false;
    int tries = 0;
    close(mkstemp(path));
    for (long first = 0; !done && tries < 5000; first += short_run ? 1 + first / 8 : 1, tries++) {
        sn_error error = {SN_OK, ""};
        until_refused = first;
        const bool good = whole_life(model, motion, all, &error);
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
    memcpy(path + sizeof path - 7, "XXXXXX", 6);
}

TEST(memory_that_runs_out_is_told) {
    refuse_all(false, getenv("SINEW_TEST_SHORT") != NULL);
}

/* With balls, gains, commands and terrain, for which there are more worlds and arrays. */
TEST(memory_that_runs_out_with_everything_is_told) {
    refuse_all(true, true);
}

#endif

int main(void) {
    return run_all("learn_memory");
}
