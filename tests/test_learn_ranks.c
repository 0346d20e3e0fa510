/* Training by several ranks, with threads in place of machines: the bits of one rank, whatever their number. */
#include "learn_helpers.h"
#include "rank_helpers.h"
#include "whole_file.h"

#include <unistd.h>

#include "learn/ppo.h"

/* --------------------------------------------------------------------------------------------------------- the tree */

/* Every way of dealing shards to ranks gives the sum that one rank has. */
TEST(a_tree_in_parts_is_the_tree) {
    enum { N = 5 };
    static float shard[SN__SHARDS][N], work[SN__SHARDS][N];
    float *row[SN__SHARDS], *leaf[SN__SHARDS], sum[N];
    struct sn__random r = sn__random_at(3, SN__STREAM_TASK, 0, 0);
    for (int i = 0; i < SN__SHARDS; i++) {
        leaf[i] = shard[i];
        for (int k = 0; k < N; k++)
            shard[i][k] = (float)(sn__random_normal(&r) * (k + 1));
    }
    sn__gradient_sum(leaf, 1, N - 1, sum);
    for (int ranks = 1; ranks <= 20; ranks++) {
        int nodes[SN__SHARDS] = {0};
        memcpy(work, shard, sizeof work);
        for (int i = 0; i < SN__SHARDS; i++)
            row[i] = work[i];
        for (int rank = 0; rank < ranks; rank++) {
            const int begin = SN__SHARDS * rank / ranks, end = SN__SHARDS * (rank + 1) / ranks;
            int own[SN__SHARDS] = {0};
            for (int i = begin; i < end; i++)
                own[i] = 1;
            sn__gradient_join(row, own, 1, N - 1);
            for (int i = begin, size; i < end; i += size) { /* the largest that fit */
                for (size = 16; i % size || i + size > end;)
                    size /= 2;
                nodes[i] = size;
            }
        }
        sn__gradient_join(row, nodes, 1, N - 1);
        assert_memory_equal(work[0] + 1, sum + 1, (N - 1) * sizeof(float));
        assert_memory_equal(work[0], shard[0], sizeof(float)); /* out of the piece */
    }
}

/* ----------------------------------------------------------------------------------------------------------- ranks */

struct rank_task {
    struct lq lq;
    sn_status (*act)(void *user, sn_part *part, const float *action, sn_error *error);
    sn_trainer_def def;
    struct sn__ppo *ppo;
    sn_training report;
    int iterations;
    const char *from, *to; /* checkpoints; NULL: none */
    sn_status status;
    sn_error error;
};

static void *train(void *gathered) {
    struct gathered *own = gathered;
    struct rank_task *t = own->task;
    sn_task task = lq_task(&t->lq);
    if (t->act) task.act = t->act;
    t->def.exchange = own->all->ranks > 1 ? &own->exchange : NULL;
    sn_environment *env = lq_environment_of(&task);
    t->ppo = sn__ppo_create(env, &t->def, &t->error);
    if (!t->ppo) sn_environment_free(env);
    t->status = t->ppo ? SN_OK : t->error.status;
    if (!t->status && t->from) t->status = sn__ppo_restore(t->ppo, t->from, &t->error);
    for (int i = 0; i < t->iterations && !t->status; i++)
        t->status = sn__ppo_iterate(t->ppo, &t->report, &t->error);
    if (!t->status && t->to) t->status = sn__ppo_save(t->ppo, t->to, &t->error);
    return NULL;
}

static struct rank_task usual_task(int iterations) {
    struct rank_task t = {.lq = {.seed = 5, .limit = 50, .wall = 1.5},
                          .def = sn_trainer_def_default(),
                          .iterations = iterations};
    t.def.seed = 9;
    t.def.threads = 1;
    memset(t.def.hidden, 0, sizeof t.def.hidden);
    t.def.hidden[0] = 16;
    t.def.tanh = true;
    t.def.epochs = 2, t.def.kl_target = .015;
    t.def.horizon = 8, t.def.minibatch = 128;
    t.def.noise = .4;
    t.def.learn_noise = true;
    t.def.actor_rate = 1e-3, t.def.critic_rate = 3e-3;
    return t;
}

static struct rank_task tasks[MOST_RANKS];

static void run_ranks(int ranks, struct rank_task task) {
    struct gathering all = {.ranks = ranks};
    for (int r = 0; r < ranks; r++) {
        tasks[r] = task;
        tasks[r].def.threads = ranks == 2 ? 2 - r : 1;
    }
    gather_ranks(&all, train, tasks, sizeof *tasks);
}

static void free_ranks(int ranks) {
    for (int r = 0; r < ranks; r++)
        free_trainer(tasks[r].ppo);
}

static void assert_same(const struct sn__ppo *a, const struct sn__ppo *b) {
    assert_same_learners(a, b);
    assert_memory_equal(a->normaliser.square, b->normaliser.square, 2 * sizeof(double));
    assert_memory_equal(a->advantage, b->advantage, (size_t)a->total * sizeof(float));
}

/* All that is reported of an iteration except the time it took; a mean of no episodes is NaN, so bytes count. */
static void assert_same_report(const sn_training *a, const sn_training *b) {
    assert_int_equal(a->iterations, b->iterations);
    assert_int_equal(a->samples, b->samples);
    assert_int_equal(a->episodes, b->episodes);
    assert_memory_equal(&a->mean_return, &b->mean_return,
                        offsetof(sn_training, collect_seconds) - offsetof(sn_training, mean_return));
}

static void assert_as_alone(const int *number, int numbers, struct rank_task task) {
    run_ranks(1, task);
    struct sn__ppo *alone = tasks[0].ppo;
    const sn_training report = tasks[0].report;
    assert_int_equal(tasks[0].status, SN_OK);
    for (int k = 0; k < numbers; k++) {
        run_ranks(number[k], task);
        for (int r = 0; r < number[k]; r++) {
            if (tasks[r].status) fail_msg("%s", tasks[r].error.message);
            assert_same(tasks[r].ppo, alone);
            assert_same_report(&tasks[r].report, &report);
        }
        free_ranks(number[k]);
    }
    free_trainer(alone);
}

TEST(ranks_change_no_bit) {
    struct rank_task task = usual_task(1 + (getenv("SINEW_TEST_SHORT") ? 2 : 50));
    task.def.hidden[1] = 250; /* more than one piece */
    assert_as_alone((const int[]){2, 4}, 2, task);
}

/* More ranks than parts (4) or shards (16), and numbers that divide neither. */
TEST(odd_numbers_of_ranks_change_no_bit) {
    assert_as_alone((const int[]){3, 18, 7}, getenv("SINEW_TEST_SHORT") ? 2 : 3, usual_task(2));
}

/* Begun by 3 ranks, gone on with by one, then by 4: the file of one in one go. */
TEST(a_training_goes_on_with_any_number_of_ranks) {
    static const int ranks[] = {1, 3, 1, 4}, iterations[] = {9, 3, 2, 4};
    char path[2][64];
    size_t size[2];
    for (int i = 0; i < 2; i++)
        snprintf(path[i], sizeof path[i], "/tmp/sinew_ranks_%d_%d", (int)getpid(), i);
    for (int k = 0; k < 4; k++) {
        struct rank_task task = usual_task(iterations[k]);
        task.from = k > 1 ? path[1] : NULL;
        task.to = path[k > 0];
        run_ranks(ranks[k], task);
        for (int r = 0; r < ranks[k]; r++)
            if (tasks[r].status) fail_msg("%s", tasks[r].error.message);
        free_ranks(ranks[k]);
    }
    char *a = read_whole(path[0], &size[0]), *b = read_whole(path[1], &size[1]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(a, b, size[0]);
    free(a), free(b);
    remove(path[0]), remove(path[1]);
}

static sn_status fail_in_part_3(void *user, sn_part *part, const float *action, sn_error *error) {
    if (part->first != 3 * LQ_COPIES) return lq_act(user, part, action, error);
    snprintf(error->message, sizeof error->message, "part 3 broke");
    return error->status = SN_ERROR_NOT_FINITE;
}

/* What fails on one rank fails on all, with its message; none waits for ever. */
TEST(all_ranks_hear_of_a_failure) {
    struct rank_task task = usual_task(2);
    task.act = fail_in_part_3;
    run_ranks(3, task); /* part 3 is rank 2's */
    for (int r = 0; r < 3; r++) {
        assert_int_equal(tasks[r].status, SN_ERROR_NOT_FINITE);
        assert_string_equal(tasks[r].error.message, "part 3 broke");
    }
    free_ranks(3);
    task = usual_task(1);
    task.to = "/nowhere/checkpoint";
    run_ranks(2, task); /* rank 0 cannot write it */
    for (int r = 0; r < 2; r++) {
        assert_int_equal(tasks[r].status, SN_ERROR_FILE);
        assert_message_has(&tasks[r].error, "/nowhere/checkpoint: cannot be written");
    }
    free_ranks(2);
    task.to = NULL;
    task.from = "/nowhere/checkpoint";
    run_ranks(2, task);
    for (int r = 0; r < 2; r++) {
        assert_int_equal(tasks[r].status, SN_ERROR_FILE);
        assert_message_has(&tasks[r].error, "/nowhere/checkpoint: cannot be read");
    }
    free_ranks(2);
    task = usual_task(1);
    task.def.gamma = 2;
    run_ranks(2, task);
    for (int r = 0; r < 2; r++)
        assert_message_has(&tasks[r].error, "gamma is 2");
}

/* Two ranks that train and save; after so many exchanges one is lost. Returns how many there were. */
static int run_lossy(int after, const char *path) {
    struct gathering all = {.ranks = 2, .lost_after = after};
    for (int r = 0; r < 2; r++) {
        tasks[r] = usual_task(2);
        tasks[r].to = path;
    }
    gather_ranks(&all, train, tasks, sizeof *tasks);
    free_ranks(2);
    return all.exchanges;
}

/* An exchange that fails, in any place, ends the training there, and no file is written. */
TEST(a_lost_rank_ends_the_training) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/sinew_lost_%d", (int)getpid());
    const int all = run_lossy(0, path), stride = getenv("SINEW_TEST_SHORT") ? 9 : 2;
    assert_int_equal(remove(path), 0);
    for (int after = 1; after < all; after += all - after < 10 ? 1 : stride) {
        assert_int_equal(run_lossy(after, path), after);
        for (int r = 0; r < 2; r++) {
            assert_int_equal(tasks[r].status, SN_ERROR_UNSUPPORTED);
            assert_string_equal(tasks[r].error.message, "rank 1 is gone");
        }
        assert_int_equal(access(path, F_OK), -1);
    }
}

/* A network that differs is detected. */
TEST(ranks_that_differ_are_found_out) {
    struct rank_task task = usual_task(2);
    struct gathering all = {.ranks = 3};
    for (int r = 0; r < 3; r++) {
        tasks[r] = task;
        tasks[r].def.critic_rate *= r == 2 ? 1.001 : 1;
    }
    gather_ranks(&all, train, tasks, sizeof *tasks);
    for (int r = 0; r < 3; r++) {
        assert_int_equal(tasks[r].status, SN_ERROR_ARGUMENT);
        assert_message_has(&tasks[r].error, "of rank 2 is not that of rank 0");
    }
    free_ranks(3);
}

TEST(exchanges_that_cannot_be_are_refused) {
    const sn_exchange wrong[] = {{0, 0, share_by_copying, NULL},
                                 {3, 3, share_by_copying, NULL},
                                 {-1, 2, share_by_copying, NULL},
                                 {0, 1000, share_by_copying, NULL},
                                 {0, 2, NULL, NULL}};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct rank_task t = usual_task(0);
        sn_environment *env = lq_environment(&t.lq);
        t.def.exchange = &wrong[i];
        assert_null(sn__ppo_create(env, &t.def, &t.error));
        sn_environment_free(env);
        assert_int_equal(t.error.status, SN_ERROR_ARGUMENT);
        assert_message_has(&t.error, "ranks");
    }
}

/* Of gradients only sums travel: two nodes of 16 shards between two ranks. */
TEST(gradients_travel_as_sums) {
    size_t bytes[2];
    for (int k = 0; k < 2; k++) {
        struct gathering all = {.ranks = 2};
        tasks[0] = tasks[1] = usual_task(2);
        tasks[0].def.epochs = tasks[1].def.epochs = 1 + k;
        gather_ranks(&all, train, tasks, sizeof *tasks);
        bytes[k] = all.bytes;
        if (k == 0) free_ranks(2);
    }
    const struct sn__ppo *ppo = tasks[0].ppo;
    const size_t minibatches = (size_t)(ppo->total / ppo->def.minibatch);
    const size_t node = ((size_t)(ppo->actor.count + ppo->critic.count) * sizeof(float) + 63) / 64 * 64;
    const size_t measures = 8 * sizeof(struct sn__ppo_shard);
    assert_int_equal(bytes[1] - bytes[0], minibatches * 2 * (node + measures));
    free_ranks(2);
}

int main(void) {
    return run_all("learn_ranks");
}
