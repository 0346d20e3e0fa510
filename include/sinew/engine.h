/* Sinew inside an engine: your threads, memory and log; your own pointers on members, bodies and shapes;
   the time of a step by part; many rays at once; and the state of a world in a few kilobytes for
   rollback. sinew.h includes this file. docs/worlds.md, "In an engine", has an example of each. */
#ifndef SINEW_ENGINE_H
#define SINEW_ENGINE_H

#include "sinew/queries.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------ Memory, jobs, log */

/* Where the library gets its memory. Every function receives `user`. Several threads may call them at the
   same time. `alignment` is a power of two. Sizes and alignments that come back are those of the request. */
typedef struct sn_memory {
    void *user;
    /* Returns `bytes` bytes at a multiple of `alignment`, or NULL. They need not be zero. */
    void *(*allocate)(void *user, size_t bytes, size_t alignment);
    /* Changes the size of a block and keeps its contents, as realloc does. NULL: the library allocates,
       copies and releases. */
    void *(*resize)(void *user, void *memory, size_t old_bytes, size_t bytes, size_t alignment);
    /* Takes a block back. It is never NULL. */
    void (*release)(void *user, void *memory, size_t bytes, size_t alignment);
} sn_memory;

/* Makes the library take all its memory from these functions, in the whole process; NULL goes back to
   malloc. The structure is copied. Call it before you make anything, or after you have freed everything:
   SN_ERROR_ARGUMENT if the library still holds memory, or if a function is missing. Steps do not allocate
   once a world has seen as many contacts as it will have. What other libraries allocate for themselves
   does not pass here: the C library for threads and open files, cJSON and libpng while a file is read,
   LAPACK. */
SN_API sn_status sn_set_memory(const sn_memory *memory);

/* Your job system, for `jobs` of sn_world_def. The world copies the structure and starts no threads of
   its own. Its results have the same bits as with any number of threads. */
typedef struct sn_jobs {
    void *user;
    /* Number of tasks that may run at the same time, from 1 to 1024: as a rule the number of your worker
       threads. */
    int threads;
    /* Calls task(context, i) once for each i from 0 to count - 1, on any threads and in any order, and
       returns when all of these calls have returned. No task waits for another one. `count` is at most
       `threads`. */
    void (*run)(void *user, void (*task)(void *context, int index), void *context, int count);
} sn_jobs;

/* Receives warnings, for `log` of sn_world_def: members that are frozen, contacts that are dropped,
   memory that a step had to ask for. The message is one line of text, valid during the call, which comes
   from the thread that steps the world. Reading files has a callback of its own in sn_load_def. */
typedef struct sn_log {
    void *user;
    void (*warn)(void *user, const char *message);
} sn_log;

/* ------------------------------------------------------------------------------------------- User data */

/* A pointer of yours on a member (body -1), on one of its bodies (shape -1) or on one of its shapes. For
   ground, `member` is -1, `body` is the number of the ground and `shape` is ignored. These are the
   numbers that sn_hit and sn_contact have. All copies share the pointer, and the library never looks at
   it. It is NULL until you set it. It stays when a snapshot is restored, unless the member or ground was
   removed since; what a snapshot brings back has NULL. */
SN_API sn_status sn_world_set_user_data(sn_world *world, sn_member member, int body, int shape, void *data);
SN_API void *sn_world_user_data(const sn_world *world, sn_member member, int body, int shape);

/* ------------------------------------------------------------------------------------------- Many rays */

/* Between steps, any number of threads may ask a world at the same time, as long as nobody changes it:
   with sn_world_contacts, sn_world_stand, sn_world_overlap and all functions that cast. */

typedef struct sn_ray {
    double origin[3];
    /* A ray meets what is between origin and origin + way. */
    double way[3];
    /* Groups that it can meet. */
    uint32_t mask;
} sn_ray;

/* What sn_world_cast_ray finds, for many rays in one copy: bodies are placed once for all of them.
   hits[i] belongs to rays[i]; where a ray meets nothing its t is 2 and its member -2. Returns the number
   of rays that meet something. */
SN_API int sn_world_cast_rays(const sn_world *world, int copy, int count, const sn_ray *rays, sn_hit *hits);

/* -------------------------------------------------------------------------------------------- Rollback */

/* The state of a world without its structure: poses, velocities, targets, pushes, contacts, warm starts,
   phases, sleep, reactions, targets of constraints, and ground that was moved. It is much smaller and
   faster than a snapshot, and restoring it gives the same bits again. Gains, parameters, motions and
   definitions are not part of it: if you change them, change them back. The bytes suit the same build of
   the library on the same kind of machine.

   Returns the number of bytes that the state takes, and writes them if `room` is large enough. With NULL
   and 0 it only counts. The number changes with the contacts. */
SN_API size_t sn_world_save_state(const sn_world *world, void *bytes, size_t room);
/* Restores such a state. It is refused with a message, and nothing changes, if members, ground or
   constraints were added or removed since, or if the bytes are damaged or from a different world. */
SN_API sn_status sn_world_load_state(sn_world *world, const void *bytes, size_t size, sn_error *error);

#ifdef __cplusplus
}
#endif

#endif
