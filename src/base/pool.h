/* Threads that stand ready and share the items of one job at a time. */
#ifndef SINEW_BASE_POOL_H
#define SINEW_BASE_POOL_H

#include "sinew/sinew.h"

struct sn__pool;

/* Processors this program may run on, at least 1. */
int sn__pool_cores(void);

/* A pool of `threads` threads, including the caller of sn__pool_run; 0: one per core. NULL and an error if that many
   threads cannot be started. */
struct sn__pool *sn__pool_create(int threads, sn_error *error);
/* One that starts no threads: the caller's job system runs the work. The structure is copied. */
struct sn__pool *sn__pool_create_on(const sn_jobs *jobs, sn_error *error);
void sn__pool_free(struct sn__pool *pool); /* NULL is allowed */
int sn__pool_threads(const struct sn__pool *pool);
size_t sn__pool_memory(const struct sn__pool *pool); /* bytes, without the threads' stacks */

/* Calls work(user, thread, item) once for every item from 0 to items - 1 and returns when all are done. Any thread may
   run any item, so items must not depend on each other; the caller is thread 0. Denormals are flushed meanwhile. One call at a
   time, and none from within work. */
void sn__pool_run(struct sn__pool *pool, void (*work)(void *user, int thread, int item), void *user,
                  int items);

#endif
