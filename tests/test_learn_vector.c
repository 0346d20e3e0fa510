/* Environments of all copies at once: what becomes of episodes that end, seeds, statistics. */
#include "model_helpers.h"

#include <stdlib.h>

#include "learn/random.h"
#include "learn/vector.h"

/* A counter per copy: begins at a random number below 100, adds its action; terminates at 1000, is truncated after 5 steps. */
enum { PARTS = 3, COPIES = 4, ALL = PARTS * COPIES };

struct count {
    float value[ALL];
    int steps[ALL];
    uint64_t seed[ALL];
    uint32_t episodes[ALL];
};

static sn_status count_begin(void *user, int part, const uint8_t *which, const uint64_t *seed,
                             float *observation, sn_error *error) {
    struct count *c = user;
    (void)error;
    for (int k = 0; k < COPIES; k++) {
        const int i = part * COPIES + k;
        if (!which[k]) continue;
        if (seed) c->seed[i] = seed[k], c->episodes[i] = 0;
        struct sn__random r = sn__random_at(c->seed[i], SN__STREAM_RESET, 0, c->episodes[i]++);
        observation[k] = c->value[i] = (float)sn__random_below(&r, 100);
        c->steps[i] = 0;
    }
    return SN_OK;
}

static sn_status count_step(void *user, int part, const float *action, float *observation, float *reward,
                            bool *terminated, bool *truncated, sn_error *error) {
    struct count *c = user;
    for (int k = 0; k < COPIES; k++) {
        const int i = part * COPIES + k;
        observation[k] = c->value[i] += action[k];
        reward[k] = action[k];
        terminated[k] = c->value[i] >= 1000;
        truncated[k] = !terminated[k] && ++c->steps[i] >= 5;
        if (action[k] < 0) {
            snprintf(error->message, sizeof error->message, "copy %d went down", i);
            return error->status = SN_ERROR_ARGUMENT;
        }
    }
    return SN_OK;
}

static struct sn__task count_task(struct count *c) {
    for (int i = 0; i < ALL; i++)
        c->seed[i] = (uint64_t)i;
    return (struct sn__task){.user = c,
                             .parts = PARTS,
                             .copies = COPIES,
                             .observations = 1,
                             .actions = 1,
                             .begin = count_begin,
                             .step = count_step};
}

struct buffers {
    float observation[ALL], reward[ALL], final[ALL], action[ALL];
    bool terminated[ALL], truncated[ALL];
    double episode_return[ALL];
    int32_t episode_length[ALL];
    sn_environment_out out;
};

static void link_buffers(struct buffers *b) {
    *b = (struct buffers){0};
    b->out = (sn_environment_out){b->observation, b->reward,         b->terminated,    b->truncated,
                                  b->final,       b->episode_return, b->episode_length};
    for (int i = 0; i < ALL; i++)
        b->action[i] = (float)i;
}

static struct sn__vector *make(struct count *c, struct buffers *b, sn_autoreset mode, int threads) {
    const struct sn__task task = count_task(c);
    struct sn__vector *v = sn__vector_create(&task, mode, threads, NULL);
    assert_non_null(v);
    assert_int_equal(sn__vector_copies(v), ALL);
    link_buffers(b);
    assert_int_equal(sn__vector_reset(v, NULL, NULL, b->observation, NULL), SN_OK);
    return v;
}

static void step(struct sn__vector *v, struct buffers *b) {
    assert_int_equal(sn__vector_step(v, b->action, &b->out, NULL), SN_OK);
}

TEST(episodes_begin_anew_in_the_same_step) {
    struct count c = {0};
    struct buffers b;
    struct sn__vector *v = make(&c, &b, SN_AUTORESET_SAME_STEP, 2);
    float start[ALL];
    memcpy(start, b.observation, sizeof start);
    for (int k = 1; k <= 5; k++)
        step(v, &b);
    for (int i = 0; i < ALL; i++) {
        assert_true(b.truncated[i] && !b.terminated[i]);
        assert_true(b.final[i] == start[i] + 5 * (float)i);
        assert_true(b.observation[i] < 100 && b.observation[i] == c.value[i]);
        assert_true(b.episode_return[i] == 5. * i);
        assert_int_equal(b.episode_length[i], 5);
    }
    b.action[7] = 2000;
    step(v, &b);
    assert_true(b.terminated[7] && !b.truncated[7] && b.final[7] >= 2000 && b.observation[7] < 100);
    assert_int_equal(b.episode_length[7], 1);
    assert_true(b.episode_return[3] == 3 && b.episode_length[3] == 1);
    sn__vector_free(v);
}

TEST(episodes_begin_anew_in_the_next_step) {
    struct count c = {0};
    struct buffers b;
    struct sn__vector *v = make(&c, &b, SN_AUTORESET_NEXT_STEP, 1);
    b.action[7] = 2000;
    step(v, &b);
    assert_true(b.terminated[7] && b.observation[7] >= 2000 && b.reward[7] == 2000);
    step(v, &b); /* its action is ignored */
    assert_true(!b.terminated[7] && !b.truncated[7] && b.observation[7] < 100 && b.reward[7] == 0);
    assert_int_equal(b.episode_length[7], 0);
    assert_int_equal(b.episode_length[6], 2);
    step(v, &b);
    assert_true(b.terminated[7] && b.episode_length[7] == 1 && b.episode_return[7] == 2000);
    sn__vector_free(v);
}

TEST(without_autoreset_the_caller_says_which) {
    struct count c = {0};
    struct buffers b;
    struct sn__vector *v = make(&c, &b, SN_AUTORESET_OFF, 2);
    for (int k = 0; k < 6; k++)
        step(v, &b);
    for (int i = 0; i < ALL; i++)
        assert_true(b.truncated[i] && b.episode_length[i] == 6);
    uint8_t which[ALL] = {0};
    which[2] = which[9] = 1;
    const float before = b.observation[3];
    assert_int_equal(sn__vector_reset(v, which, NULL, b.observation, NULL), SN_OK);
    assert_true(b.observation[2] < 100 && b.observation[9] < 100 && b.observation[3] == before);
    step(v, &b);
    assert_true(b.episode_length[2] == 1 && b.episode_length[3] == 7 && !b.truncated[2] && b.truncated[3]);
    sn__vector_free(v);
}

/* A copy with a seed does the same in any place. */
TEST(seeds_belong_to_copies) {
    struct count c = {0};
    struct buffers b;
    struct sn__vector *v = make(&c, &b, SN_AUTORESET_SAME_STEP, 2);
    uint64_t seed[ALL];
    for (int i = 0; i < ALL; i++)
        seed[i] = (uint64_t)(i % 5);
    assert_int_equal(sn__vector_reset(v, NULL, seed, b.observation, NULL), SN_OK);
    for (int k = 0; k <= 12; k++) {
        for (int i = 5; i < ALL; i++)
            assert_true(b.observation[i] - b.observation[i - 5] == 0);
        for (int i = 0; i < ALL; i++)
            b.action[i] = (float)(i % 5);
        step(v, &b);
    }
    sn__vector_free(v);
}

TEST(a_task_that_fails_is_heard) {
    struct count c = {0};
    struct buffers b;
    struct sn__vector *v = make(&c, &b, SN_AUTORESET_SAME_STEP, 2);
    sn_error error;
    b.action[10] = -1;
    assert_int_equal(sn__vector_step(v, b.action, &b.out, &error), SN_ERROR_ARGUMENT);
    assert_message_has(&error, "copy 10 went down");
    sn__vector_free(v);
    const struct sn__task task = count_task(&c);
    assert_null(sn__vector_create(&task, SN_AUTORESET_OFF, -3, &error));
    assert_message_has(&error, "threads");
}

int main(void) {
    return run_all("learn_vector");
}
