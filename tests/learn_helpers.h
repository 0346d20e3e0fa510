/* A task for trainers that has an exact answer: a mass on a line, pushed to the middle at the least quadratic cost. */
#ifndef SINEW_TESTS_LEARN_HELPERS_H
#define SINEW_TESTS_LEARN_HELPERS_H

#include "model_helpers.h"

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
    double x[LQ_ALL][2];
    int step[LQ_ALL]; /* of the running episode */
    uint32_t episode[LQ_ALL];
};

static inline void lq_start(struct lq *lq, int i) {
    struct sn__random r = sn__random_at(lq->seed, SN__STREAM_RESET, (uint32_t)i, lq->episode[i]++);
    for (int k = 0; k < 2; k++)
        lq->x[i][k] = 2 * sn__random_uniform(&r) - 1;
    lq->step[i] = 0;
}

static inline double lq_cost(const double x[2], double u) {
    return x[0] * x[0] + .1 * x[1] * x[1] + .05 * u * u;
}

static inline void lq_move(double x[2], double u) {
    x[0] += .2 * x[1];
    x[1] += .2 * u;
}

static inline void lq_observe(const struct lq *lq, int i, float *observation) {
    for (int k = 0; k < 2; k++)
        observation[k] = (float)lq->x[i][k];
}

static inline sn_status lq_reset(void *user, int part, float *observation, sn_error *error) {
    struct lq *lq = user;
    (void)error;
    for (int k = 0; k < LQ_COPIES; k++) {
        lq_start(lq, part * LQ_COPIES + k);
        lq_observe(lq, part * LQ_COPIES + k, observation + 2 * k);
    }
    return SN_OK;
}

static inline sn_status lq_step(void *user, int part, const float *action, const struct sn__transition *out,
                                sn_error *error) {
    struct lq *lq = user;
    (void)error;
    for (int k = 0; k < LQ_COPIES; k++) {
        const int i = part * LQ_COPIES + k;
        out->reward[k] = (float)-lq_cost(lq->x[i], (double)action[k]);
        lq_move(lq->x[i], (double)action[k]);
        lq->step[i]++;
        out->terminated[k] = lq->wall > 0 && fabs(lq->x[i][0]) > lq->wall;
        out->truncated[k] = lq->step[i] >= lq->limit;
        if (out->terminated[k] || out->truncated[k]) {
            lq_observe(lq, i, out->final + 2 * k);
            lq_start(lq, i);
        }
        lq_observe(lq, i, out->observation + 2 * k);
    }
    return SN_OK;
}

struct lq_part {
    double x[LQ_COPIES][2];
    int step[LQ_COPIES];
    uint32_t episode[LQ_COPIES];
};

static inline size_t lq_state_size(void *user, int part) {
    (void)user, (void)part;
    return sizeof(struct lq_part);
}

static inline sn_status lq_save(void *user, int part, void *state, size_t size) {
    const struct lq *lq = user;
    struct lq_part *p = state;
    (void)size;
    memcpy(p->x, lq->x + part * LQ_COPIES, sizeof p->x);
    memcpy(p->step, lq->step + part * LQ_COPIES, sizeof p->step);
    memcpy(p->episode, lq->episode + part * LQ_COPIES, sizeof p->episode);
    return SN_OK;
}

static inline sn_status lq_restore(void *user, int part, const void *state, size_t size, sn_error *error) {
    struct lq *lq = user;
    const struct lq_part *p = state;
    (void)size, (void)error;
    memcpy(lq->x + part * LQ_COPIES, p->x, sizeof p->x);
    memcpy(lq->step + part * LQ_COPIES, p->step, sizeof p->step);
    memcpy(lq->episode + part * LQ_COPIES, p->episode, sizeof p->episode);
    return SN_OK;
}

static inline struct sn__environment lq_environment(struct lq *lq) {
    return (struct sn__environment){.user = lq,
                                    .parts = LQ_PARTS,
                                    .copies = LQ_COPIES,
                                    .observations = 2,
                                    .actions = 1,
                                    .reset = lq_reset,
                                    .step = lq_step,
                                    .state_size = lq_state_size,
                                    .save = lq_save,
                                    .restore = lq_restore};
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
