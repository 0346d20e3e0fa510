/* Policies judged: an episode in every copy of an environment. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "learn/policy.h"

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
        if (t->truncated[i]) t->most[i] = (int)t->steps[i]; /* the task may truncate earlier */
        some = some || !t->over[i];
    }
    return some;
}

static void act(sn_policy *policy, int copies, const struct trial *t) {
    const size_t n = (size_t)policy->of.net.width[0],
                 actions = (size_t)policy->of.net.width[policy->of.net.layers];
    for (int i = 0; i < copies; i += ROWS)
        sn_policy_act(policy, copies - i < ROWS ? copies - i : ROWS, t->observation + (size_t)i * n,
                      t->action + (size_t)i * actions);
}

static sn_status run_trial(struct trial *t, sn_policy *policy, sn_environment *env, const uint64_t *seed,
                           sn_error *error) {
    const int copies = env->info.copies;
    const sn_environment_out out = {.observation = t->observation,
                                    .reward = t->reward,
                                    .terminated = t->terminated,
                                    .truncated = t->truncated};
    sn_status status = sn_environment_reset(env, NULL, seed, t->observation, error);
    for (int i = 0; i < copies && !status; i++)
        t->most[i] = env->episode[i].limit;
    for (bool some = true; some && !status;) {
        act(policy, copies, t);
        status = sn_environment_step(env, t->action, &out, error);
        if (!status) some = count_step(t, copies);
    }
    return status;
}

sn_status sn_policy_evaluate(sn_policy *policy, sn_environment *env, const uint64_t *seed,
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
