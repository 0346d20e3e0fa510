/* Ten iterations of PPO beside a NumPy script that shares no code with them (tests/learn_ppo.py). What is random, and what
 * the environment did, is handed over; everything else the script works out by itself. */
#define LEARN_BITS 64
#include "learn_helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "learn/ppo.h"

enum { ITERATIONS = 11, HORIZON = 8, TOTAL = LQ_ALL * HORIZON, EPOCHS = 2, MINIBATCH = 128 };

/* The environment, with all that it was asked and answered. */
struct log {
    struct lq lq;
    int step[LQ_PARTS];                               /* of the iteration, by part */
    float seen[LQ_PARTS][HORIZON + 1][LQ_COPIES * 2]; /* what was acted upon, and what came after the last */
    float final[LQ_PARTS][HORIZON][LQ_COPIES * 2];
    bool truncated[LQ_PARTS][HORIZON][LQ_COPIES];
    bool terminated[LQ_PARTS][HORIZON][LQ_COPIES];
    float reward[LQ_PARTS][HORIZON][LQ_COPIES];
};

static int part_of(const sn_part *part) {
    return part->first / LQ_COPIES;
}

static sn_status log_begin(void *user, sn_part *part, const uint8_t *which, sn_error *error) {
    return lq_begin(&((struct log *)user)->lq, part, which, error);
}

static sn_status log_act(void *user, sn_part *part, const float *action, sn_error *error) {
    struct log *log = user;
    log->step[part_of(part)]++;
    return lq_act(&log->lq, part, action, error);
}

static sn_status log_reward(void *user, sn_part *part, double *term, sn_error *error) {
    struct log *log = user;
    const int p = part_of(part), t = log->step[p] - 1;
    const sn_status status = lq_reward(&log->lq, part, term, error);
    for (int i = 0; i < LQ_COPIES; i++)
        log->reward[p][t][i] = (float)term[i];
    return status;
}

/* Where both flags are set the environment keeps the first. */
static sn_status log_ends(void *user, sn_part *part, bool *terminated, bool *truncated, sn_error *error) {
    struct log *log = user;
    const int p = part_of(part), t = log->step[p] - 1;
    const sn_status status = lq_ends(&log->lq, part, terminated, truncated, error);
    memcpy(log->terminated[p][t], terminated, sizeof log->terminated[p][t]);
    memcpy(log->truncated[p][t], truncated, sizeof log->truncated[p][t]);
    return status;
}

/* After a step for all copies; then again for those that restarted, whose rows were the last of their episodes. */
static sn_status log_observe(void *user, sn_part *part, const uint8_t *which, float *observation,
                             sn_error *error) {
    struct log *log = user;
    const int p = part_of(part), t = log->step[p];
    const sn_status status = lq_observe(&log->lq, part, which, observation, error);
    for (int i = 0; i < LQ_COPIES; i++) {
        if (!which[i]) continue;
        if (t && part->episode[i].steps) memcpy(log->final[p][t - 1] + 2 * i, observation + 2 * i, 8);
        memcpy(log->seen[p][t] + 2 * i, observation + 2 * i, 8);
    }
    return status;
}

static void put(FILE *file, size_t count, const double *x) {
    assert_int_equal(fwrite(x, sizeof *x, count, file), count);
}

#define PUT_ALL(file, array, type)                                                                           \
    for (size_t put_i = 0; put_i < sizeof(array) / sizeof(type); put_i++)                                    \
    put(file, 1, &(double){(double)((const type *)(array))[put_i]})

static void write_iteration(FILE *file, struct sn__ppo *ppo, const struct log *log) {
    PUT_ALL(file, log->seen, float);
    PUT_ALL(file, log->final, float);
    PUT_ALL(file, log->reward, float);
    PUT_ALL(file, log->terminated, bool);
    PUT_ALL(file, log->truncated, bool);
    put(file, TOTAL, ppo->action);
    put(file, TOTAL, ppo->log_probability);
    /* the order of each epoch is drawn again: it depends on seed, epoch and iteration alone */
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        struct sn__random r =
            sn__random_at(ppo->def.seed, SN__STREAM_SHUFFLE, (uint32_t)epoch, ppo->iterations - 1);
        int order[TOTAL];
        for (int i = 0; i < TOTAL; i++)
            order[i] = i;
        for (int i = TOTAL - 1; i > 0; i--) {
            const int j = (int)sn__random_below(&r, (uint32_t)i + 1), keep = order[i];
            order[i] = order[j], order[j] = keep;
        }
        PUT_ALL(file, order, int);
    }
    put(file, (size_t)ppo->actor.count, ppo->actor.theta);
    put(file, (size_t)ppo->critic.count, ppo->critic.theta);
    put(file, 1, &ppo->actor.rate);
}

static sn_trainer_def settings_of(bool momentum, bool learn_noise) {
    return (sn_trainer_def){.struct_size = sizeof(sn_trainer_def),
                            .seed = 3,
                            .threads = 2,
                            .hidden = {16, 12},
                            .tanh = learn_noise,
                            .horizon = HORIZON,
                            .minibatch = MINIBATCH,
                            .epochs = EPOCHS,
                            .gamma = .95,
                            .gae_lambda = .9,
                            .clip = .2,
                            .advantage_clip = 1.5,
                            .value_low = -3,
                            .value_high = learn_noise ? .05 : -3,
                            .momentum = momentum,
                            .actor_rate = 2e-3,
                            .critic_rate = 3e-3,
                            .kl_target = .01,
                            .kl_stop = 1.5,
                            .rate_low = 1e-4,
                            .rate_high = 1e-1,
                            .gradient_norm = .5,
                            .noise = .2,
                            .learn_noise = learn_noise,
                            .entropy = learn_noise ? .01 : 0,
                            .last_layer = .5};
}

static void compare(const char *python, bool momentum, bool learn_noise) {
    static struct log log;
    log = (struct log){.lq = {.seed = 5, .limit = 11, .wall = 1.1}};
    sn_task task = lq_task(&log.lq);
    task.user = &log, task.begin = log_begin, task.act = log_act, task.reward = log_reward;
    task.ends = log_ends, task.observe = log_observe;
    const sn_trainer_def def = settings_of(momentum, learn_noise);
    sn_error error;
    struct sn__ppo *ppo = sn__ppo_create(lq_environment_of(&task), &def, &error);
    if (!ppo) fail_msg("%s", error.message);
    char path[] = "/tmp/sinew_ppo_XXXXXX", command[300];
    const int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "wb");
    assert_non_null(file);
    const double head[] = {LQ_PARTS,
                           HORIZON,
                           LQ_COPIES,
                           ITERATIONS,
                           EPOCHS,
                           MINIBATCH,
                           def.gamma,
                           def.gae_lambda,
                           def.clip,
                           def.advantage_clip,
                           def.value_low,
                           def.value_high,
                           momentum ? SN__MOMENTUM : SN__ADAM,
                           def.actor_rate,
                           def.critic_rate,
                           def.kl_target,
                           def.rate_low,
                           def.rate_high,
                           def.gradient_norm,
                           def.learn_noise,
                           def.entropy,
                           def.tanh ? SN__TANH : SN__RELU,
                           def.noise,
                           ppo->actor.count,
                           ppo->critic.count,
                           def.kl_stop};
    put(file, 1, &(double){COUNT(head)});
    put(file, COUNT(head), head);
    put(file, (size_t)ppo->actor.count, ppo->actor.theta);
    put(file, (size_t)ppo->critic.count, ppo->critic.theta);
    for (int k = 0; k < ITERATIONS; k++) {
        for (int p = 0; p < LQ_PARTS && k; p++) /* what came after the last step is acted upon next */
            memcpy(log.seen[p][0], log.seen[p][HORIZON], sizeof log.seen[p][0]);
        memset(log.step, 0, sizeof log.step);
        assert_int_equal(sn__ppo_iterate(ppo, NULL, &error), SN_OK);
        write_iteration(file, ppo, &log);
    }
    assert_int_equal(fclose(file), 0);
    free_trainer(ppo);
    snprintf(command, sizeof command, "timeout 240 %s tests/learn_ppo.py %s 1e-5", python, path);
    fflush(stdout);
    const int status = system(command);
    unlink(path);
    assert_int_equal(status, 0);
}

TEST(ten_updates_agree_with_numpy) {
    const char *python = python_with("numpy");
    if (!python) skip();
    compare(python, false, false);
    compare(python, true, true);
}

int main(void) {
    return run_all("learn_numpy");
}
