/* PPO: advantages by hand, a problem with an exact answer, bits that do not depend on threads. */
#include "learn_helpers.h"

#include "learn/advantage.h"
#include "learn/ppo.h"

/* gamma = .5, lambda = .5. Copy 0 runs through, copy 1 terminates in step 1, copy 2 is truncated there. */
TEST(advantages_tell_terminated_and_truncated_apart) {
    const float reward[9] = {1, 1, 1, 2, 2, 2, 4, 4, 4};
    const bool terminated[9] = {0, 0, 0, 0, 1, 0, 0, 0, 0}, truncated[9] = {0, 0, 0, 0, 0, 1, 0, 0, 0};
    const float value[12] = {8, 8, 8, 4, 4, 4, 2, 2, 2, 6, 6, 6},
                final_value[9] = {99, 99, 99, 99, 99, 10, 99, 99, 99};
    const struct sn__trace trace = {3, 3, reward, terminated, truncated, value, final_value};
    float advantage[9], target[9];
    sn__advantages(&trace, .5, .5, advantage, target);
    /* step 2: 4 + .5 * 6 - 2 = 5 everywhere
       step 1: 2 + .5 * 2 - 4 + .25 * 5 = .25;  terminated: 2 - 4 = -2;  truncated: 2 + .5 * 10 - 4 = 3
       step 0: 1 + .5 * 4 - 8 = -5, and a quarter of the above: -4.9375, -5.5, -4.25 */
    const float expected[9] = {-4.9375f, -5.5f, -4.25f, .25f, -2, 3, 5, 5, 5};
    for (int i = 0; i < 9; i++) {
        assert_true(advantage[i] == expected[i]);
        assert_true(target[i] == expected[i] + value[i]);
    }
}

/* With lambda = 1 the target is the discounted return. */
TEST(targets_with_lambda_one_are_returns) {
    enum { T = 50 };
    float reward[T], value[T + 1], final_value[T] = {0}, advantage[T], target[T];
    bool no[T] = {0};
    struct sn__random r = sn__random_at(1, SN__STREAM_TASK, 0, 0);
    for (int t = 0; t <= T; t++) {
        value[t] = (float)sn__random_normal(&r);
        if (t < T) reward[t] = (float)sn__random_normal(&r);
    }
    const struct sn__trace trace = {T, 1, reward, no, no, value, final_value};
    sn__advantages(&trace, .9, 1, advantage, target);
    double sum = (double)value[T];
    for (int t = T - 1; t >= 0; t--) {
        sum = (double)reward[t] + .9 * sum;
        assert_true(fabs((double)target[t] - sum) < 1e-5);
    }
}

static sn_trainer_def lq_def(uint64_t seed, int threads) {
    sn_trainer_def def = sn_trainer_def_default();
    def.seed = seed;
    def.threads = threads;
    memset(def.hidden, 0, sizeof def.hidden);
    def.hidden[0] = def.hidden[1] = 16;
    def.tanh = true;
    def.horizon = 16;
    def.minibatch = 128;
    def.epochs = 4;
    def.gamma = .9;
    def.noise = .4;
    def.actor_rate = 1e-3;
    def.critic_rate = 3e-3;
    def.rate_high = 5e-3;
    def.kl_target = .015;
    return def;
}

/* Discounted cost of the policy without noise, over the best cost, from a grid of starts. */
static double cost_over_best(struct sn__ppo *ppo, double gamma) {
    double P[2][2], cost = 0, best = 0;
    lq_riccati(gamma, P);
    for (int i = 0; i < 25; i++) {
        double x[2] = {-.8 + .4 * (i % 5), -.8 + .4 * (i / 5)}, weight = 1;
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++)
                best += x[a] * P[a][b] * x[b];
        for (int t = 0; t < 200; t++, weight *= gamma) {
            const float observation[2] = {(float)x[0], (float)x[1]};
            float u;
            sn__ppo_act(ppo, 1, observation, &u);
            cost += weight * lq_cost(x, (double)u);
            lq_move(x, (double)u);
        }
    }
    return cost / best;
}

TEST(ppo_finds_the_policy_of_riccati) {
    static struct lq lq;
    const uint64_t seeds = getenv("SINEW_TEST_SHORT") ? 1 : 2;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        lq = (struct lq){.seed = seed, .limit = 16};
        const sn_trainer_def def = lq_def(seed, 1);
        sn_error error;
        struct sn__ppo *ppo = sn__ppo_create(lq_environment(&lq), &def, &error);
        if (!ppo) fail_msg("%s", error.message);
        sn_training report = {0};
        for (int k = 0; k < 110; k++)
            assert_int_equal(sn__ppo_iterate(ppo, &report, &error), SN_OK);
        const double ratio = cost_over_best(ppo, def.gamma);
        printf("seed %d: %.4f times the least cost after %d samples\n", (int)seed, ratio,
               (int)report.samples);
        assert_true(ratio > .999 && ratio < 1.02);
        free_trainer(ppo);
    }
}

static struct sn__ppo *train(struct lq *lq, int threads, bool learn_noise, bool momentum, int iterations) {
    *lq = (struct lq){.seed = 5, .limit = 50, .wall = 1.5};
    sn_trainer_def def = lq_def(9, threads);
    def.learn_noise = learn_noise;
    def.momentum = momentum;
    def.hidden[1] = 150; /* more than one piece */
    sn_error error;
    struct sn__ppo *ppo = sn__ppo_create(lq_environment(lq), &def, &error);
    if (!ppo) fail_msg("%s", error.message);
    for (int k = 0; k < iterations; k++)
        assert_int_equal(sn__ppo_iterate(ppo, NULL, &error), SN_OK);
    return ppo;
}

TEST(threads_change_no_bit) {
    static struct lq one, other;
    for (int kind = 0; kind < 2; kind++) {
        struct sn__ppo *a = train(&one, 1, kind == 0, kind, 5);
        for (int threads = 2; threads <= 5; threads += 3) {
            struct sn__ppo *b = train(&other, threads, kind == 0, kind, 5);
            assert_same_learners(a, b);
            assert_int_equal(a->samples, b->samples);
            free_trainer(b);
        }
        free_trainer(a);
    }
}

TEST(the_noise_is_learned_on_request) {
    static struct lq lq;
    struct sn__ppo *ppo = train(&lq, 1, true, false, 60);
    sn_training report;
    assert_int_equal(sn__ppo_iterate(ppo, &report, NULL), SN_OK);
    assert_true(report.noise < .35); /* less costs less */
    free_trainer(ppo);
}

TEST(definitions_that_cannot_be_are_refused) {
    static struct lq lq = {.limit = 10};
    sn_environment *env = lq_environment(&lq);
    sn_error error;
#define TRAINER_REFUSES(change, part)                                                                        \
    do {                                                                                                     \
        sn_trainer_def def = lq_def(1, 1);                                                                   \
        change;                                                                                              \
        assert_null(sn__ppo_create(env, &def, &error));                                                      \
        assert_message_has(&error, part);                                                                    \
    } while (0)
    TRAINER_REFUSES(def.minibatch = 300, "do not divide");
    TRAINER_REFUSES(def.minibatch = 8, "minibatch 8");
    TRAINER_REFUSES(def.gamma = 1.5, "gamma is 1.5");
    TRAINER_REFUSES(def.noise = 0, "noise is 0");
    TRAINER_REFUSES(def.hidden[0] = -4, "layer 1");
    TRAINER_REFUSES(def.threads = -1, "threads");
    TRAINER_REFUSES(def.clip = (double)NAN, "clip");
#undef TRAINER_REFUSES
    sn_environment_free(env);
}

/* What a task says when it fails comes out of the training. */
static sn_status fail_in_part_2(void *user, sn_part *part, const float *action, sn_error *error) {
    if (part->first == 2 * LQ_COPIES) {
        snprintf(error->message, sizeof error->message, "part 2 broke");
        return error->status = SN_ERROR_NOT_FINITE;
    }
    return lq_act(user, part, action, error);
}

TEST(a_task_that_fails_is_heard) {
    static struct lq lq = {.limit = 10};
    sn_task task = lq_task(&lq);
    const sn_trainer_def def = lq_def(1, 2);
    task.act = fail_in_part_2;
    sn_error error;
    struct sn__ppo *ppo = sn__ppo_create(lq_environment_of(&task), &def, &error);
    assert_non_null(ppo);
    assert_int_equal(sn__ppo_iterate(ppo, NULL, &error), SN_ERROR_NOT_FINITE);
    assert_message_has(&error, "part 2 broke");
    free_trainer(ppo);
}

int main(void) {
    return run_all("learn_ppo");
}
