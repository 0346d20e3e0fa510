/* A task for trainers that has an exact answer: a mass on a line, pushed to the middle at the least quadratic cost. */
#ifndef SINEW_TESTS_LEARN_HELPERS_H
#define SINEW_TESTS_LEARN_HELPERS_H

#include "model_helpers.h"
#include "task_functions.h"

#include <stdlib.h>

#include "learn/environment.h"
#include "learn/ppo.h"
#include "learn/random.h"

enum { LQ_PARTS = 4, LQ_COPIES = 16, LQ_ALL = LQ_PARTS * LQ_COPIES };

/* x' = x + .2 v, v' = v + .2 u; a step costs x^2 + .1 v^2 + .05 u^2. */
struct lq {
    uint64_t seed;
    int limit;   /* steps of an episode */
    double wall; /* an episode terminates beyond it; 0: never */
    float cost[LQ_ALL];
};

struct lq_copy {
    double x[2];
};

static inline double lq_cost(const double x[2], double u) {
    return x[0] * x[0] + .1 * x[1] * x[1] + .05 * u * u;
}

static inline void lq_move(double x[2], double u) {
    x[0] += .2 * x[1];
    x[1] += .2 * u;
}

static inline sn_status lq_begin(void *user, sn_part *part, const uint8_t *which, sn_error *error) {
    const struct lq *lq = user;
    (void)error;
    for (int i = 0; i < part->copies; i++) {
        const sn_episode *e = &part->episode[i];
        if (!which[i]) continue;
        struct sn__random r = sn__random_at(lq->seed, SN__STREAM_RESET, e->item, e->count - 1);
        for (int k = 0; k < 2; k++)
            ((struct lq_copy *)part->state)[i].x[k] = 2 * sn__random_uniform(&r) - 1;
    }
    return SN_OK;
}

static inline sn_status lq_act(void *user, sn_part *part, const float *action, sn_error *error) {
    struct lq *lq = user;
    struct lq_copy *copy = part->state;
    (void)error;
    for (int i = 0; i < part->copies; i++) {
        lq->cost[part->first + i] = (float)lq_cost(copy[i].x, (double)action[i]);
        lq_move(copy[i].x, (double)action[i]);
    }
    return SN_OK;
}

static inline sn_status lq_reward(void *user, sn_part *part, double *term, sn_error *error) {
    const struct lq *lq = user;
    (void)error;
    for (int i = 0; i < part->copies; i++)
        term[i] = -(double)lq->cost[part->first + i];
    return SN_OK;
}

static inline sn_status lq_ends(void *user, sn_part *part, bool *terminated, bool *truncated,
                                sn_error *error) {
    const struct lq *lq = user;
    const struct lq_copy *copy = part->state;
    (void)error;
    for (int i = 0; i < part->copies; i++) {
        terminated[i] = lq->wall > 0 && fabs(copy[i].x[0]) > lq->wall;
        truncated[i] = part->episode[i].steps >= lq->limit;
    }
    return SN_OK;
}

static inline sn_status lq_observe(void *user, sn_part *part, const uint8_t *which, float *observation,
                                   sn_error *error) {
    const struct lq_copy *copy = part->state;
    (void)user, (void)error;
    for (int i = 0; i < part->copies; i++)
        for (int k = 0; k < 2 && which[i]; k++)
            observation[2 * i + k] = (float)copy[i].x[k];
    return SN_OK;
}

static inline sn_task lq_task(struct lq *lq) {
    return (sn_task){.user = lq,
                     .name = "mass on a line",
                     .observations = 2,
                     .actions = 1,
                     .terms = 1,
                     .rate = 1,
                     .limit = 1e6,
                     .state = sizeof(struct lq_copy),
                     TASK_FUNCTIONS(lq)};
}

static inline sn_environment *lq_environment_of(const sn_task *task) {
    sn_environment_def def = sn_environment_def_default();
    sn_error error;
    def.copies = LQ_ALL;
    sn_environment *env = sn_environment_create(task, &def, &error);
    if (!env) fail_msg("%s", error.message);
    assert_int_equal(env->parts, LQ_PARTS);
    return env;
}

static inline sn_environment *lq_environment(struct lq *lq) {
    const sn_task task = lq_task(lq);
    return lq_environment_of(&task);
}

/* The trainer's own environment goes with it. */
static inline void free_trainer(struct sn__ppo *ppo) {
    sn_environment *env = ppo ? ppo->env : NULL;
    sn__ppo_free(ppo);
    sn_environment_free(env);
}

/* The least discounted cost from x is x^T P x; P by iterating Riccati's equation
     P = Q + g A^T P A - g^2 A^T P B B^T P A / (R + g B^T P B). */
static inline void lq_riccati(double gamma, double P[2][2]) {
    const double A[2][2] = {{1, .2}, {0, 1}}, B[2] = {0, .2}, Q[2] = {1, .1}, R = .05;
    memset(P, 0, 4 * sizeof **P);
    for (int round = 0; round < 2000; round++) {
        double PA[2][2], next[2][2], BPA[2], BPB = 0;
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) {
                PA[i][j] = P[i][0] * A[0][j] + P[i][1] * A[1][j];
                BPB += B[i] * P[i][j] * B[j];
            }
        for (int j = 0; j < 2; j++)
            BPA[j] = B[0] * PA[0][j] + B[1] * PA[1][j];
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                next[i][j] = (i == j ? Q[i] : 0) + gamma * (A[0][i] * PA[0][j] + A[1][i] * PA[1][j]) -
                             gamma * gamma * BPA[i] * BPA[j] / (R + gamma * BPB);
        memcpy(P, next, sizeof next);
    }
}

/* A Python with that module, or NULL and one line that says so. */
static inline const char *python_with(const char *module) {
    static const char *const python[] = {"python3", "/usr/bin/python3"};
    char command[200];
    for (size_t i = 0; i < COUNT(python); i++) {
        snprintf(command, sizeof command, "timeout 120 %s -c 'import %s' >/dev/null 2>&1", python[i], module);
        if (system(command) == 0) return python[i];
    }
    printf("skipped: there is no Python with the module %s\n", module);
    return NULL;
}

/* Everything a training has learned, as bits. */
static inline void assert_same_learners(const struct sn__ppo *a, const struct sn__ppo *b) {
    assert_memory_equal(a->actor.theta, b->actor.theta, (size_t)a->actor.count * sizeof(float));
    assert_memory_equal(a->critic.theta, b->critic.theta, (size_t)a->critic.count * sizeof(float));
    assert_memory_equal(a->actor.optimiser.second, b->actor.optimiser.second,
                        (size_t)a->actor.count * sizeof(float));
    assert_memory_equal(a->normaliser.mean, b->normaliser.mean, 2 * sizeof(double));
    assert_memory_equal(&a->actor.rate, &b->actor.rate, sizeof(double));
}

#endif
