/* Threads: every item once, whoever does it; denormals flushed meanwhile and not afterwards. */
#include "model_helpers.h"

#include <float.h>
#include <time.h>

#include "base/flush.h"
#include "base/pool.h"

enum { MOST_ITEMS = 3000, MOST_THREADS = 5 };

struct tally {
    int threads;
    int done[MOST_ITEMS]; /* times each item was done */
    struct {
        _Alignas(64) long sum; /* of a thread's items: written by nobody else */
        bool bad;
    } by[MOST_THREADS];
};

static void count(void *user, int thread, int item) {
    struct tally *t = user;
    const bool known = thread >= 0 && thread < t->threads;
    t->done[item]++;
    t->by[known ? thread : 0].sum += item;
    if (!known) t->by[0].bad = true;
}

static void assert_all_done_once(struct sn__pool *pool, int items) {
    static struct tally t;
    memset(&t, 0, sizeof t);
    t.threads = sn__pool_threads(pool);
    sn__pool_run(pool, count, &t, items);
    long sum = 0;
    for (int i = 0; i < MOST_THREADS; i++) {
        sum += t.by[i].sum;
        assert_false(t.by[i].bad);
    }
    for (int i = 0; i < MOST_ITEMS; i++)
        assert_int_equal(t.done[i], i < items);
    assert_int_equal(sum, (long)items * (items - 1) / 2);
}

TEST(every_item_is_done_once) {
    static const int items[] = {0, 1, 2, 3, 17, MOST_ITEMS};
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        struct sn__pool *pool = sn__pool_create(threads, NULL);
        assert_non_null(pool);
        assert_int_equal(sn__pool_threads(pool), threads);
        for (int round = 0; round < 60; round++)
            assert_all_done_once(pool, items[round % COUNT(items)]);
        sn__pool_free(pool);
    }
}

/* Workers that have gone to sleep in between come back. */
TEST(a_pool_wakes_up_again) {
    struct sn__pool *pool = sn__pool_create(3, NULL);
    assert_non_null(pool);
    for (int round = 0; round < 20; round++) {
        const struct timespec nap = {0, 100000L * round};
        nanosleep(&nap, NULL);
        assert_all_done_once(pool, 50);
    }
    sn__pool_free(pool);
}

static void rest(void *user, int thread, int item) {
    const struct timespec nap = {0, item == 0 ? 5000000 : 0};
    (void)thread;
    nanosleep(&nap, NULL);
    ((int *)user)[item]++;
}

/* The caller waits for the slowest. */
TEST(a_run_ends_when_the_last_item_does) {
    struct sn__pool *pool = sn__pool_create(2, NULL);
    assert_non_null(pool);
    for (int round = 0; round < 5; round++) {
        int done[8] = {0};
        sn__pool_run(pool, rest, done, 8);
        for (int i = 0; i < 8; i++)
            assert_int_equal(done[i], 1);
    }
    sn__pool_free(pool);
}

TEST(a_pool_that_is_never_used_goes_away) {
    for (int i = 0; i < 20; i++)
        sn__pool_free(sn__pool_create(1 + i % 4, NULL));
    sn__pool_free(NULL);
}

TEST(numbers_of_threads_that_make_no_sense_are_refused) {
    static const int bad[] = {-1, 1000000, INT32_MIN, INT32_MAX};
    for (int i = 0; i < COUNT(bad); i++) {
        sn_error error = {SN_OK, ""};
        assert_null(sn__pool_create(bad[i], &error));
        assert_int_equal(error.status, SN_ERROR_ARGUMENT);
        assert_message_has(&error, "threads");
    }
    assert_null(sn__pool_create(-1, NULL));
    assert_true(sn__pool_cores() >= 1);
    struct sn__pool *pool = sn__pool_create(0, NULL);
    assert_non_null(pool);
    assert_int_equal(sn__pool_threads(pool), sn__pool_cores());
    sn__pool_free(pool);
}

/* ------------------------------------------------------------------------------------------------ denormals */

/* A product of two normal numbers that is none, and a sum of numbers that are none. */
static __attribute__((noinline)) float tiny_product(void) {
    volatile float a = FLT_MIN, b = 0.25f;
    return a * b;
}

static __attribute__((noinline)) float tiny_sum(void) {
    volatile float a = FLT_MIN / 4, b = FLT_MIN; /* the constant is made by the compiler */
    return (a + b) - b;
}

#if defined(__SSE__) || defined(__aarch64__)
enum { FLUSHES = 1 };
#else
enum { FLUSHES = 0 };
#endif

TEST(denormals_count_as_zero_in_between_and_only_there) {
    assert_true(tiny_product() > 0 && tiny_sum() > 0);
    const struct sn__flush outer = sn__flush_begin();
    const float product = tiny_product(), sum = tiny_sum();
    const struct sn__flush inner = sn__flush_begin();
    sn__flush_end(inner);
    const float still = tiny_product();
    sn__flush_end(outer);
    assert_true(FLUSHES ? product == 0 && sum == 0 && still == 0 : product > 0);
    assert_true(tiny_product() > 0 && tiny_sum() > 0);
}

static void multiply_tiny(void *user, int thread, int item) {
    (void)thread;
    ((float *)user)[item] = tiny_product();
}

TEST(every_thread_flushes_denormals) {
    for (int threads = 1; threads <= 3; threads++) {
        struct sn__pool *pool = sn__pool_create(threads, NULL);
        assert_non_null(pool);
        float x[200];
        for (int i = 0; i < COUNT(x); i++)
            x[i] = 1;
        sn__pool_run(pool, multiply_tiny, x, COUNT(x));
        for (int i = 0; i < COUNT(x); i++)
            assert_true(FLUSHES ? x[i] == 0 : x[i] > 0);
        assert_true(tiny_product() > 0);
        sn__pool_free(pool);
    }
}

int main(void) {
    return run_all("pool");
}
