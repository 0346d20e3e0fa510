/* Environments of any task: what happens to episodes that end, seeds, statistics, snapshots. */
#include "model_helpers.h"
#include "task_functions.h"

#include <stdlib.h>

#include <sinew/learn.h>

/* A counter per copy: begins at a random number below 100, adds its action; terminates at 1000, is truncated after 5 steps. The
   reward has two terms that add up to the action. */
enum { COPIES = 4, ALL = 12 };

static sn_status count_begin(void *user, sn_part *part, const uint8_t *which, sn_error *error) {
    float *value = part->state;
    (void)user, (void)error;
    for (int i = 0; i < part->copies; i++)
        if (which[i]) value[i] = floorf(100 * (float)sn_episode_random(&part->episode[i], 0));
    return SN_OK;
}

static sn_status count_act(void *user, sn_part *part, const float *action, sn_error *error) {
    float *value = part->state, *added = part->own;
    (void)user;
    for (int i = 0; i < part->copies; i++) {
        if (action[i] < 0) {
            snprintf(error->message, sizeof error->message, "copy %d went down", part->first + i);
            return error->status = SN_ERROR_ARGUMENT;
        }
        value[i] += action[i];
        added[i] = action[i];
    }
    return SN_OK;
}

static sn_status count_reward(void *user, sn_part *part, double *term, sn_error *error) {
    const float *added = part->own;
    (void)user, (void)error;
    for (int i = 0; i < part->copies; i++)
        term[2 * i] = .25 * (double)added[i], term[2 * i + 1] = .75 * (double)added[i];
    return SN_OK;
}

static sn_status count_ends(void *user, sn_part *part, bool *terminated, bool *truncated, sn_error *error) {
    const float *value = part->state;
    (void)user, (void)truncated, (void)error;
    for (int i = 0; i < part->copies; i++)
        terminated[i] = value[i] >= 1000;
    return SN_OK;
}

static sn_status count_observe(void *user, sn_part *part, const uint8_t *which, float *observation,
                               sn_error *error) {
    const float *value = part->state;
    (void)user, (void)error;
    for (int i = 0; i < part->copies; i++)
        if (which[i]) observation[i] = value[i];
    return SN_OK;
}

static sn_status count_open(void *user, sn_part *part, sn_error *error) {
    (void)user, (void)error;
    part->own = calloc((size_t)part->copies, sizeof(float));
    return part->own ? SN_OK : SN_ERROR_MEMORY;
}

static void count_close(void *user, sn_part *part) {
    ++*(int *)user;
    free(part->own);
}

static int closed;

static sn_task count_task(void) {
    static const char *const names[] = {"a quarter", "the rest"};
    return (sn_task){.user = &closed,
                     .name = "count",
                     .observations = 1,
                     .actions = 1,
                     .terms = 2,
                     .rate = 10,
                     .limit = .5,
                     .state = sizeof(float),
                     .term_names = names,
                     .open = count_open,
                     .close = count_close,
                     TASK_FUNCTIONS(count)};
}

struct buffers {
    float observation[ALL], reward[ALL], final[ALL], action[ALL];
    bool terminated[ALL], truncated[ALL];
    double episode_return[ALL];
    int32_t episode_length[ALL];
    float term[2 * ALL];
    sn_environment_out out;
};

static void link_buffers(struct buffers *b) {
    *b = (struct buffers){0};
    b->out = (sn_environment_out){b->observation, b->reward,         b->terminated,     b->truncated,
                                  b->final,       b->episode_return, b->episode_length, b->term};
    for (int i = 0; i < ALL; i++)
        b->action[i] = (float)i;
}

static sn_environment *make(struct buffers *b, int copies, sn_autoreset mode, int threads) {
    const sn_task task = count_task();
    const sn_environment_def def = {
        .struct_size = sizeof def, .copies = copies, .threads = threads, .autoreset = mode, .seed = 4};
    sn_environment *env = sn_environment_create(&task, &def, NULL);
    assert_non_null(env);
    link_buffers(b);
    assert_int_equal(sn_environment_reset(env, NULL, NULL, b->observation, NULL), SN_OK);
    return env;
}

static void step(sn_environment *env, struct buffers *b) {
    assert_int_equal(sn_environment_step(env, b->action, &b->out, NULL), SN_OK);
}

TEST(episodes_begin_anew_in_the_same_step) {
    struct buffers b;
    sn_environment *v = make(&b, ALL, SN_AUTORESET_SAME_STEP, 2);
    float start[ALL];
    memcpy(start, b.observation, sizeof start);
    for (int k = 1; k <= 5; k++)
        step(v, &b);
    for (int i = 0; i < ALL; i++) {
        assert_true(b.truncated[i] && !b.terminated[i]);
        assert_true(b.final[i] == start[i] + 5 * (float)i);
        assert_true(b.observation[i] < 100);
        assert_true(b.episode_return[i] == 5. * i);
        assert_int_equal(b.episode_length[i], 5);
    }
    b.action[7] = 2000;
    step(v, &b);
    assert_true(b.terminated[7] && !b.truncated[7] && b.final[7] >= 2000 && b.observation[7] < 100);
    assert_int_equal(b.episode_length[7], 1);
    assert_true(b.episode_return[3] == 3 && b.episode_length[3] == 1);
    sn_environment_free(v);
}

TEST(episodes_begin_anew_in_the_next_step) {
    struct buffers b;
    sn_environment *v = make(&b, ALL, SN_AUTORESET_NEXT_STEP, 1);
    b.action[7] = 2000;
    step(v, &b);
    assert_true(b.terminated[7] && b.observation[7] >= 2000 && b.reward[7] == 2000);
    step(v, &b); /* its action is ignored */
    assert_true(!b.terminated[7] && !b.truncated[7] && b.observation[7] < 100 && b.reward[7] == 0);
    assert_int_equal(b.episode_length[7], 0);
    assert_int_equal(b.episode_length[6], 2);
    step(v, &b);
    assert_true(b.terminated[7] && b.episode_length[7] == 1 && b.episode_return[7] == 2000);
    sn_environment_free(v);
}

TEST(without_autoreset_the_caller_says_which) {
    struct buffers b;
    sn_environment *v = make(&b, ALL, SN_AUTORESET_OFF, 2);
    for (int k = 0; k < 6; k++)
        step(v, &b);
    for (int i = 0; i < ALL; i++)
        assert_true(b.truncated[i] && b.episode_length[i] == 6);
    uint8_t which[ALL] = {0};
    which[2] = which[9] = 1;
    const float before = b.observation[3];
    assert_int_equal(sn_environment_reset(v, which, NULL, b.observation, NULL), SN_OK);
    assert_true(b.observation[2] < 100 && b.observation[9] < 100 && b.observation[3] == before);
    step(v, &b);
    assert_true(b.episode_length[2] == 1 && b.episode_length[3] == 7 && !b.truncated[2] && b.truncated[3]);
    sn_environment_free(v);
}

/* A copy with a seed does the same in any place. */
TEST(seeds_belong_to_copies) {
    struct buffers b;
    sn_environment *v = make(&b, ALL, SN_AUTORESET_SAME_STEP, 2);
    uint64_t seed[ALL];
    for (int i = 0; i < ALL; i++)
        seed[i] = (uint64_t)(i % 5);
    assert_int_equal(sn_environment_reset(v, NULL, seed, b.observation, NULL), SN_OK);
    for (int k = 0; k <= 12; k++) {
        for (int i = 5; i < ALL; i++)
            assert_true(b.observation[i] - b.observation[i - 5] == 0);
        for (int i = 0; i < ALL; i++)
            b.action[i] = (float)(i % 5);
        step(v, &b);
    }
    sn_environment_free(v);
}

TEST(a_task_that_fails_is_heard) {
    struct buffers b;
    sn_environment *v = make(&b, ALL, SN_AUTORESET_SAME_STEP, 2);
    sn_error error;
    b.action[10] = -1;
    assert_int_equal(sn_environment_step(v, b.action, &b.out, &error), SN_ERROR_ARGUMENT);
    assert_message_has(&error, "copy 10 went down");
    sn_environment_free(v);
    const sn_task task = count_task();
    const sn_environment_def def = {.struct_size = sizeof def, .copies = 1, .threads = -3};
    assert_null(sn_environment_create(&task, &def, &error));
    assert_message_has(&error, "threads");
}

/* Copies are divided into equal parts; each is closed once. */
TEST(parts_are_alike) {
    static const int copies[] = {1, 12, 16, 24, 40, 17}, parts[] = {1, 1, 1, 2, 4, 17};
    for (int k = 0; k < 6; k++) {
        const sn_task task = count_task();
        const sn_environment_def def = {.struct_size = sizeof def, .copies = copies[k], .threads = 1};
        sn_environment *env = sn_environment_create(&task, &def, NULL);
        closed = 0;
        sn_environment_free(env);
        assert_int_equal(closed, parts[k]);
    }
}

TEST(terms_have_names_and_add_up) {
    struct buffers b;
    sn_environment *env = make(&b, ALL, SN_AUTORESET_SAME_STEP, 1);
    sn_environment_info info;
    sn_environment_get_info(env, &info);
    assert_int_equal(info.terms, 2);
    assert_string_equal(info.term_names[1], "the rest");
    assert_string_equal(info.name, "count");
    assert_null(info.observation_names);
    step(env, &b);
    for (int i = 0; i < ALL; i++) {
        assert_true(b.term[2 * i] == .25f * (float)i);
        assert_true(b.term[2 * i] + b.term[2 * i + 1] == b.reward[i]);
    }
    sn_environment_free(env);
}

/* Saved, run on, restored: the same again, in any mode, restarts that were pending included. */
TEST(a_restored_environment_goes_on_with_the_same_bits) {
    for (int mode = SN_AUTORESET_SAME_STEP; mode <= SN_AUTORESET_NEXT_STEP; mode++) {
        struct buffers first, again;
        sn_environment *env = make(&first, ALL, (sn_autoreset)mode, 1), *other;
        for (int k = 0; k < 5; k++)
            step(env, &first); /* all end in the fifth */
        const size_t size = sn_environment_save(env, NULL, 0);
        char *bytes = malloc(size);
        assert_int_equal(sn_environment_save(env, bytes, size), size);
        for (int k = 0; k < 7; k++)
            step(env, &first);
        other = make(&again, ALL, (sn_autoreset)mode, 2);
        assert_int_equal(sn_environment_restore(other, bytes, size, NULL), SN_OK);
        for (int k = 0; k < 7; k++)
            step(other, &again);
        assert_memory_equal(first.observation, again.observation, sizeof first.observation);
        assert_memory_equal(first.episode_return, again.episode_return, sizeof first.episode_return);
        assert_memory_equal(first.truncated, again.truncated, sizeof first.truncated);
        sn_error error;
        bytes[size - 1] ^= 1;
        assert_int_equal(sn_environment_restore(other, bytes, size, &error), SN_ERROR_FORMAT);
        assert_message_has(&error, "damaged");
        assert_int_equal(sn_environment_restore(other, bytes, 20, &error), SN_ERROR_FORMAT);
        sn_environment_free(other);
        other = make(&again, COPIES, (sn_autoreset)mode, 1);
        assert_int_equal(sn_environment_restore(other, bytes, size, &error), SN_ERROR_ARGUMENT);
        assert_message_has(&error, "12 copies");
        sn_environment_free(other), sn_environment_free(env);
        free(bytes);
    }
}

/* In (0, 1), alike over all indices, and another one in every step, copy and episode. */
TEST(random_numbers_of_an_episode_are_uniform_and_apart) {
    sn_episode e = {.seed = 3, .item = 7, .count = 1};
    double sum = 0, square = 0;
    for (uint32_t i = 0; i < 4000; i++) {
        const double x = sn_episode_random(&e, i);
        assert_true(x > 0 && x < 1);
        sum += x, square += x * x;
        assert_true(x == sn_episode_random(&e, i));
    }
    assert_true(fabs(sum / 4000 - .5) < .02 && fabs(square / 4000 - 1. / 3) < .02);
    const double here = sn_episode_random(&e, 5);
    e.steps++, assert_true(sn_episode_random(&e, 5) != here);
    e.steps--, e.count++, assert_true(sn_episode_random(&e, 5) != here);
    e.count--, e.item++, assert_true(sn_episode_random(&e, 5) != here);
    e.item--, assert_true(sn_episode_random(&e, 5) == here);
}

TEST(tables_that_are_not_whole_are_refused) {
    sn_error error;
#define TASK_REFUSED(change, part)                                                                           \
    do {                                                                                                     \
        sn_task task = count_task();                                                                         \
        change;                                                                                              \
        assert_null(sn_environment_create(&task, NULL, &error));                                             \
        assert_message_has(&error, part);                                                                    \
    } while (0)
    TASK_REFUSED(task.observe = NULL, "no observe");
    TASK_REFUSED(task.terms = 0, "0 terms");
    TASK_REFUSED(task.rate = 0, "rate 0");
    TASK_REFUSED(task.limit = 0, "limit 0");
#undef TASK_REFUSED
    assert_null(sn_environment_create(NULL, NULL, &error));
    assert_message_has(&error, "no task");
}

int main(void) {
    return run_all("learn_environment");
}
