/* Policies as sinew/learn.h has them: loaded, asked, judged. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "learn/public.h"

sn_policy *sn__policy_wrap(struct sn__policy *of, sn_error *error) {
    sn_policy *policy = sn__alloc(1, sizeof *policy);
    if (policy) {
        policy->of = *of;
        policy->gemm = sn__gemm_best();
        policy->room = sn__alloc(sn__cells(SN__POLICY_ROWS, of->net.width[0]), sizeof(float));
        if (policy->room && sn__tape_make(&policy->tape, &of->net, SN__POLICY_ROWS)) {
            sn__succeed(error);
            return policy;
        }
        sn_policy_free(policy);
    } else {
        sn__policy_free(of);
    }
    sn__fail(error, SN_ERROR_MEMORY, "no memory for a policy");
    return NULL;
}

sn_policy *sn_policy_load(const char *path, sn_error *error) {
    struct sn__policy of;
    return sn__policy_read(&of, path, error) ? NULL : sn__policy_wrap(&of, error);
}

sn_status sn_policy_save(const sn_policy *policy, const char *path, sn_error *error) {
    return sn__policy_write(&policy->of, path, error);
}

sn_status sn_policy_export(const sn_policy *policy, const char *path, sn_error *error) {
    return sn__policy_write_onnx(&policy->of, path, error);
}

void sn_policy_free(sn_policy *policy) {
    if (!policy) return;
    sn__policy_free(&policy->of);
    sn__tape_free(&policy->tape);
    sn__free_all(policy->room, policy);
}

int sn_policy_observations(const sn_policy *policy) {
    return policy->of.net.width[0];
}

int sn_policy_actions(const sn_policy *policy) {
    return policy->of.net.width[policy->of.net.layers];
}

sn_status sn_policy_act(sn_policy *policy, int rows, const float *observation, float *action) {
    const int n = sn_policy_observations(policy), actions = sn_policy_actions(policy);
    if (rows < 0 || !observation || !action) return SN_ERROR_ARGUMENT;
    const int blas = sn__gemm_begin();
    for (int at = 0; at < rows; at += SN__POLICY_ROWS) {
        const int some = rows - at < SN__POLICY_ROWS ? rows - at : SN__POLICY_ROWS;
        sn__policy_act(&policy->of, &policy->gemm, some, observation + sn__cells(at, n), policy->room,
                       &policy->tape, action + sn__cells(at, actions));
    }
    sn__gemm_end(blas);
    return SN_OK;
}

sn_status sn_policy_check(const sn_policy *policy, const sn_environment *env, sn_error *error) {
    const sn_environment_info *info = &env->info;
    const sn_status status =
        sn__policy_fits(&policy->of, "policy", info->model, env->model, info->features, env->features, error);
    if (status) return status;
    if (sn_policy_observations(policy) == info->observations && sn_policy_actions(policy) == info->actions)
        return sn__succeed(error);
    return sn__fail(
        error, SN_ERROR_ARGUMENT, "the policy has %d observations and %d actions, the environment %d and %d",
        sn_policy_observations(policy), sn_policy_actions(policy), info->observations, info->actions);
}

const char *sn_policy_note(const sn_policy *policy) {
    return policy->of.note ? policy->of.note : "";
}

sn_status sn_policy_set_note(sn_policy *policy, const char *note) {
    const size_t size = strlen(note) + 1;
    char *copy = sn__alloc(size, 1);
    if (!copy) return SN_ERROR_MEMORY;
    memcpy(copy, note, size);
    sn__free(policy->of.note);
    policy->of.note = copy;
    return SN_OK;
}

/* --------------------------------------------------------------------------------------------------------- judged */

/* An episode in each copy. */
struct trial {
    float *observation, *action, *reward;
    bool *terminated, *truncated;
    bool *over; /* the copy's episode has ended */
    int *most;  /* steps it could last */
    double *sum, *steps;
    bool *lasted;
};
enum { ROWS = 16 }; /* that act abreast, so that no bit depends on how many episodes there are beside them */

static bool make_trial(struct trial *t, const sn_environment_info *info) {
    const size_t n = (size_t)info->copies;
    *t = (struct trial){.observation = sn__alloc(n * (size_t)info->observations, sizeof(float)),
                        .action = sn__alloc(n * (size_t)info->actions, sizeof(float)),
                        .reward = sn__alloc(n, sizeof(float)),
                        .terminated = sn__alloc(n, sizeof(bool)),
                        .truncated = sn__alloc(n, sizeof(bool)),
                        .over = sn__alloc(n, sizeof(bool)),
                        .most = sn__alloc(n, sizeof(int)),
                        .sum = sn__alloc(n, sizeof(double)),
                        .steps = sn__alloc(n, sizeof(double)),
                        .lasted = sn__alloc(n, sizeof(bool))};
    return t->observation && t->action && t->reward && t->terminated && t->truncated && t->over && t->most &&
           t->sum && t->steps && t->lasted;
}

static void free_trial(struct trial *t) {
    sn__free_all(t->observation, t->action, t->reward, t->terminated, t->truncated, t->over, t->most, t->sum,
                 t->steps, t->lasted);
}

/* One step of all; false: all episodes are over. */
static bool count_step(struct trial *t, int copies) {
    bool some = false;
    for (int i = 0; i < copies; i++) {
        if (t->over[i]) continue;
        t->sum[i] += (double)t->reward[i];
        t->steps[i]++;
        t->over[i] = t->terminated[i] || t->truncated[i];
        t->lasted[i] = t->truncated[i];
        if (t->truncated[i]) t->most[i] = (int)t->steps[i]; /* a terrain's edge may come before */
        some = some || !t->over[i];
    }
    return some;
}

static void act(sn_policy *policy, int copies, const struct trial *t) {
    const size_t n = (size_t)policy->of.net.width[0], actions = (size_t)sn_policy_actions(policy);
    for (int i = 0; i < copies; i += ROWS)
        sn_policy_act(policy, copies - i < ROWS ? copies - i : ROWS, t->observation + (size_t)i * n,
                      t->action + (size_t)i * actions);
}

static sn_status run_trial(struct trial *t, sn_policy *policy, sn_environment *env, const uint64_t *seed,
                           sn_error *error) {
    const struct sn__imitate *im = env->imitate;
    const int copies = env->info.copies;
    const sn_environment_out out = {.observation = t->observation,
                                    .reward = t->reward,
                                    .terminated = t->terminated,
                                    .truncated = t->truncated};
    sn_status status = sn_environment_reset(env, NULL, seed, t->observation, error);
    for (int i = 0; i < copies && !status; i++)
        t->most[i] = sn__episode_most(im, &im->part[i / im->def.copies].episode[i % im->def.copies]);
    for (bool some = true; some && !status;) {
        act(policy, copies, t);
        status = sn_environment_step(env, t->action, &out, error);
        if (!status) some = count_step(t, copies);
    }
    return status;
}

sn_status sn_policy_episodes(sn_policy *policy, sn_environment *env, const uint64_t *seed,
                             sn_policy_episode *episode, sn_error *error) {
    struct trial t;
    sn_status status = sn_policy_check(policy, env, error);
    if (status) return status;
    if (!make_trial(&t, &env->info))
        status = sn__fail(error, SN_ERROR_MEMORY, "no memory to judge a policy in");
    if (!status) status = run_trial(&t, policy, env, seed, error);
    for (int i = 0; i < env->info.copies && !status; i++)
        episode[i] = (sn_policy_episode){t.sum[i] / t.most[i], t.steps[i] / env->info.rate, t.lasted[i]};
    free_trial(&t);
    return status;
}

void sn_policy_add_up(int episodes, const sn_policy_episode *episode, sn_policy_score *score) {
    double least = HUGE_VAL;
    *score = (sn_policy_score){.episodes = episodes};
    for (int i = 0; i < episodes; i++) {
        score->normalised += episode[i].normalised;
        score->mean += episode[i].seconds;
        score->lasted += episode[i].lasted;
        least = fmin(least, episode[i].seconds);
    }
    score->normalised /= episodes;
    score->mean /= episodes;
    score->shortest = least;
}

sn_status sn_policy_evaluate(sn_policy *policy, sn_environment *env, const uint64_t *seed,
                             sn_policy_score *score, sn_error *error) {
    sn_policy_episode *episode = sn__alloc((size_t)env->info.copies, sizeof *episode);
    *score = (sn_policy_score){0};
    if (!episode) return sn__fail(error, SN_ERROR_MEMORY, "no memory to judge a policy in");
    const sn_status status = sn_policy_episodes(policy, env, seed, episode, error);
    if (!status) sn_policy_add_up(env->info.copies, episode, score);
    sn__free(episode);
    return status;
}
