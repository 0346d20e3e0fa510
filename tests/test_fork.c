/* A child made by fork() can go on with worlds and pools that had threads in its parent. */
#include "model_helpers.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/pool.h"

enum { ITEMS = 100, DEADLINE = 20 };

static void mark(void *user, int thread, int item) {
    (void)thread;
    ((int *)user)[item]++;
}

static bool all_marked_once(struct sn__pool *pool) {
    int done[ITEMS] = {0};
    sn__pool_run(pool, mark, done, ITEMS);
    for (int i = 0; i < ITEMS; i++)
        if (done[i] != 1) return false;
    return true;
}

/* Runs `check` in a child; the alarm ends a child that waits for threads it does not have. */
static void assert_in_child(bool (*check)(void *), void *user) {
    const pid_t child = fork();
    int status = -1;
    assert_true(child >= 0);
    if (child == 0) {
        alarm(DEADLINE);
        _exit(check(user) ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static bool use_and_free(void *pool) {
    const bool good = all_marked_once(pool) && all_marked_once(pool);
    sn__pool_free(pool);
    return good;
}

static bool free_unused(void *pool) {
    sn__pool_free(pool);
    return true;
}

TEST(a_child_uses_the_pool_of_its_parent) {
    struct sn__pool *pool = sn__pool_create(3, NULL);
    assert_non_null(pool);
    assert_in_child(use_and_free, pool); /* before its first use */
    for (int round = 0; round < 5; round++) {
        assert_true(all_marked_once(pool));
        assert_in_child(use_and_free, pool);
        assert_in_child(free_unused, pool);
        assert_true(all_marked_once(pool));
    }
    sn__pool_free(pool);
}

struct twins {
    sn_world *world;
    uint64_t hash; /* of the world after the steps that the child makes */
};

static void step(sn_world *world, int steps) {
    for (int i = 0; i < steps; i++)
        sn_world_step(world);
}

static bool steps_alike(void *user) {
    const struct twins *t = user;
    step(t->world, 20);
    return sn_world_hash(t->world) == t->hash;
}

static sn_world *make_crowd(const sn_model *model) {
    sn_world_def def = sn_world_def_default();
    def.copies = 16;
    def.threads = 2;
    sn_world *world = sn_world_create(&def, NULL);
    assert_non_null(world);
    assert_true(sn_world_add(world, model, NULL) >= 0);
    return world;
}

TEST(a_world_with_threads_steps_on_in_a_child) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world *ahead = make_crowd(model), *world = make_crowd(model);
    step(ahead, 30);
    step(world, 10);
    struct twins twins = {world, sn_world_hash(ahead)};
    assert_in_child(steps_alike, &twins);
    step(world, 20);
    assert_true(sn_world_hash(world) == twins.hash);
    sn_world_free(ahead);
    sn_world_free(world);
    sn_model_free(model);
}

int main(void) {
    return run_all("fork");
}
