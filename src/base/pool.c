/* A pool of threads.
 *
 * The job is written down, then `round` is counted up: that is the sign to begin. Workers look for the sign for some
 * 200 us, then sleep. Every thread has a range of the items, the same from job to job, so that what it touches stays in its
 * caches; when its own are done it takes from the others. A thread that finds none left counts itself off in `busy`; at
 * zero the job is done. The next job is written down only then, so a worker never sees two of them. */
#include "base/pool.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "base/error.h"
#include "base/flush.h"
#include "base/memory.h"
#include "base/platform.h"

#if defined(__EMSCRIPTEN__) && !defined(SN__NO_THREADS)
#define SN__NO_THREADS 1
#endif

#if !defined(SN__NO_THREADS)
#include <pthread.h>
#endif

enum { MOST_THREADS = 1024 };

struct job {
    void (*work)(void *user, int thread, int item);
    void *user;
    int items;
};

#if defined(SN__NO_THREADS)

struct sn__pool {
    int threads;
    sn_jobs jobs;
};

int sn__pool_cores(void) {
    return 1;
}

static sn_status start(struct sn__pool *pool, sn_error *error) {
    if (pool->threads == 1) return SN_OK;
    return sn__fail(error, SN_ERROR_UNSUPPORTED, "%d threads: this build of the library has only one",
                    pool->threads);
}

static void stop(struct sn__pool *pool) {
    (void)pool;
}

static bool share_out(struct sn__pool *pool, const struct job *job) {
    (void)pool, (void)job;
    return false;
}

#else

struct worker {
    struct sn__pool *pool;
    int thread;
    struct sn__thread *handle;
};

/* Items of a thread that are still to be dealt. */
struct range {
    _Alignas(64) atomic_int next;
    int end;
};

struct sn__pool {
    int threads;
    sn_jobs jobs;          /* run NULL: it has workers */
    struct range *range;   /* [threads] */
    struct worker *worker; /* [threads - 1] */
    int started;           /* of them */
    long process;          /* in which they were started */
    struct job job;
    _Alignas(64) atomic_uint busy; /* workers that have not finished the job */
    _Alignas(64) atomic_uint round;
    atomic_bool leave;
    pthread_mutex_t lock;
    pthread_cond_t begin, done;
    int sleeping; /* workers that wait for `begin`; under the lock */
    bool waiting; /* the caller waits for `done`; under the lock */
};

int sn__pool_cores(void) {
    const int n = sn__platform_cores();
    return n > MOST_THREADS ? MOST_THREADS : n;
}

/* ---------------------------------------------------------------------------------------------- waiting */

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Looks for about 200 us whether *sign is `value`, or is not; true: so it came. */
static bool spin(const atomic_uint *sign, unsigned value, bool equal) {
    const int64_t until = sn__platform_nanoseconds() + 200000;
    do {
        for (int i = 0; i < 32; i++) {
            if ((atomic_load_explicit(sign, memory_order_acquire) == value) == equal) return true;
            pause_briefly();
        }
    } while (sn__platform_nanoseconds() < until);
    return false;
}

static void wait_for_round(struct sn__pool *pool, unsigned now) {
    if (spin(&pool->round, now, false)) return;
    pthread_mutex_lock(&pool->lock);
    pool->sleeping++;
    while (atomic_load_explicit(&pool->round, memory_order_acquire) == now)
        pthread_cond_wait(&pool->begin, &pool->lock);
    pool->sleeping--;
    pthread_mutex_unlock(&pool->lock);
}

static void wait_for_workers(struct sn__pool *pool) {
    if (spin(&pool->busy, 0, true)) return;
    pthread_mutex_lock(&pool->lock);
    pool->waiting = true;
    while (atomic_load_explicit(&pool->busy, memory_order_acquire) > 0)
        pthread_cond_wait(&pool->done, &pool->lock);
    pool->waiting = false;
    pthread_mutex_unlock(&pool->lock);
}

/* The sign, under the lock: nobody can fall asleep between looking and sleeping. */
static void announce(struct sn__pool *pool) {
    pthread_mutex_lock(&pool->lock);
    atomic_fetch_add_explicit(&pool->round, 1, memory_order_release);
    if (pool->sleeping) pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->lock);
}

static void count_off(struct sn__pool *pool) {
    if (atomic_fetch_sub_explicit(&pool->busy, 1, memory_order_acq_rel) > 1) return;
    pthread_mutex_lock(&pool->lock);
    if (pool->waiting) pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->lock);
}

/* ----------------------------------------------------------------------------------------------- working */

static void take_items(struct sn__pool *pool, int thread) {
    const struct job job = pool->job;
    const struct sn__flush flush = sn__flush_begin();
    for (int k = 0; k < pool->threads; k++) {
        struct range *range = &pool->range[(thread + k) % pool->threads];
        for (;;) {
            const int item = atomic_fetch_add_explicit(&range->next, 1, memory_order_relaxed);
            if (item >= range->end) break;
            job.work(job.user, thread, item);
        }
    }
    sn__flush_end(flush);
}

static void *live(void *argument) {
    const struct worker *worker = argument;
    struct sn__pool *pool = worker->pool;
    for (unsigned round = 0;; round++) {
        wait_for_round(pool, round);
        if (atomic_load_explicit(&pool->leave, memory_order_relaxed)) return NULL;
        take_items(pool, worker->thread);
        count_off(pool);
    }
}

static void begin_waiting(struct sn__pool *pool) {
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->begin, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->sleeping = 0;
    pool->waiting = false;
    atomic_store_explicit(&pool->round, 0, memory_order_relaxed);
    pool->process = sn__platform_process();
}

/* Starts the workers that are not running yet; returns the system's error number if one of them cannot be started. */
static int start_workers(struct sn__pool *pool) {
    while (pool->started < pool->threads - 1) {
        struct worker *worker = &pool->worker[pool->started];
        int failed = 0;
        *worker = (struct worker){.pool = pool, .thread = pool->started + 1};
        worker->handle = sn__thread_start(live, worker, &failed);
        if (!worker->handle) return failed ? failed : ENOMEM;
        pool->started++;
    }
    return 0;
}

/* A child made by fork() has the pool's memory but none of its workers, and one of them may have held the lock. */
static void forget_workers(struct sn__pool *pool) {
    pool->started = 0;
    begin_waiting(pool);
}

/* If the child cannot have workers of its own, the caller does all the work. */
static void start_again_after_fork(struct sn__pool *pool) {
    if (sn__platform_process() == pool->process) return;
    forget_workers(pool);
    start_workers(pool);
}

static void write_down(struct sn__pool *pool, const struct job *job) {
    pool->job = *job;
    for (int t = 0; t < pool->threads; t++) {
        const int64_t items = job->items;
        atomic_store_explicit(&pool->range[t].next, (int)(items * t / pool->threads), memory_order_relaxed);
        pool->range[t].end = (int)(items * (t + 1) / pool->threads);
    }
}

/* A task of the caller's job system: it is one of the pool's threads until no item is left. */
static void run_task(void *context, int index) {
    take_items(context, index);
}

static void hand_over(struct sn__pool *pool, const struct job *job) {
    const sn_jobs *jobs = &pool->jobs;
    write_down(pool, job);
    jobs->run(jobs->user, run_task, pool, job->items < jobs->threads ? job->items : jobs->threads);
}

/* Returns false if the caller should do the work alone. */
static bool share_out(struct sn__pool *pool, const struct job *job) {
    if (job->items < 2 || pool->threads < 2) return false;
    if (pool->jobs.run) {
        hand_over(pool, job);
        return true;
    }
    if (!pool->started) return false;
    start_again_after_fork(pool);
    if (!pool->started) return false;
    write_down(pool, job);
    atomic_store_explicit(&pool->busy, (unsigned)pool->started, memory_order_relaxed);
    announce(pool);
    take_items(pool, 0);
    wait_for_workers(pool);
    return true;
}

static sn_status start(struct sn__pool *pool, sn_error *error) {
    const int workers = pool->threads - 1;
    begin_waiting(pool);
    pool->worker = sn__alloc((size_t)workers, sizeof *pool->worker);
    pool->range = sn__alloc_aligned((size_t)pool->threads * sizeof *pool->range);
    if (!pool->worker || !pool->range)
        return sn__fail(error, SN_ERROR_MEMORY, "no memory for %d threads", pool->threads);
    const int failed = pool->jobs.run ? 0 : start_workers(pool);
    if (!failed) return SN_OK;
    return sn__fail(error, SN_ERROR_UNSUPPORTED, "thread %d of %d cannot be started: %s", pool->started + 2,
                    pool->threads, strerror(failed));
}

static void stop(struct sn__pool *pool) {
    if (sn__platform_process() != pool->process) forget_workers(pool);
    atomic_store_explicit(&pool->leave, true, memory_order_relaxed);
    if (pool->started) announce(pool);
    for (int i = 0; i < pool->started; i++)
        sn__thread_join(pool->worker[i].handle);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->begin);
    pthread_mutex_destroy(&pool->lock);
    sn__free(pool->worker);
    sn__free(pool->range);
}

#endif

/* --------------------------------------------------------------------------------------------------- both */

static struct sn__pool *create(int threads, const sn_jobs *jobs, sn_error *error) {
    struct sn__pool *pool = sn__alloc_aligned(sizeof *pool);
    if (!pool) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for threads");
        return NULL;
    }
    pool->threads = threads ? threads : sn__pool_cores();
    if (jobs) pool->jobs = *jobs;
    if (!start(pool, error)) return pool;
    sn__pool_free(pool);
    return NULL;
}

struct sn__pool *sn__pool_create(int threads, sn_error *error) {
    if (threads >= 0 && threads <= MOST_THREADS) return create(threads, NULL, error);
    sn__fail(error, SN_ERROR_ARGUMENT, "%d threads: from 0 to %d are possible", threads, MOST_THREADS);
    return NULL;
}

struct sn__pool *sn__pool_create_on(const sn_jobs *jobs, sn_error *error) {
    if (jobs->run && jobs->threads >= 1 && jobs->threads <= MOST_THREADS)
        return create(jobs->threads, jobs, error);
    sn__fail(error, SN_ERROR_ARGUMENT,
             "A job system needs a function `run` and 1 to %d threads; this one has %d threads%s.",
             MOST_THREADS, jobs->threads, jobs->run ? "" : " and no function");
    return NULL;
}

void sn__pool_free(struct sn__pool *pool) {
    if (!pool) return;
    stop(pool);
    sn__free(pool);
}

int sn__pool_threads(const struct sn__pool *pool) {
    return pool->threads;
}

size_t sn__pool_memory(const struct sn__pool *pool) {
    size_t bytes = sizeof *pool;
#if !defined(SN__NO_THREADS)
    bytes += (size_t)(pool->threads - 1) * sizeof *pool->worker;
#endif
    return bytes;
}

void sn__pool_run(struct sn__pool *pool, void (*work)(void *user, int thread, int item), void *user,
                  int items) {
    const struct job job = {work, user, items};
    if (share_out(pool, &job)) return;
    const struct sn__flush flush = sn__flush_begin();
    for (int item = 0; item < items; item++)
        work(user, 0, item);
    sn__flush_end(flush);
}
