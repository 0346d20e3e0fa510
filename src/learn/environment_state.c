/* The state of an environment as bytes: for snapshots, and part by part for checkpoints. */
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "learn/environment.h"

/* A part: episodes, which copies restart in the next step, the task's state, the world; each begins at a multiple of 64 bytes. */
struct layout {
    size_t pending, state, world; /* where they begin; episodes begin at 0 */
    size_t size;
};

static size_t whole_lines(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

static struct layout lay_out(const sn_environment *env, size_t world) {
    const size_t copies = (size_t)env->copies;
    struct layout l;
    l.pending = whole_lines(copies * sizeof(sn_episode));
    l.state = l.pending + whole_lines(copies * sizeof(bool));
    l.world = l.state + whole_lines(copies * env->task.state);
    l.size = l.world + world;
    return l;
}

size_t sn__environment_part_size(sn_environment *env, int part) {
    sn_world *world = env->part[part].world;
    const size_t size = world ? sn_world_snapshot(world, NULL, 0) : 0;
    return world && !size ? 0 : lay_out(env, size).size;
}

sn_status sn__environment_save_part(sn_environment *env, int part, void *bytes, size_t size) {
    const sn_part *p = &env->part[part];
    const struct layout l = lay_out(env, 0);
    const size_t copies = (size_t)env->copies;
    char *to = bytes;
    if (size < l.size) return SN_ERROR_ARGUMENT;
    memset(to, 0, l.world);
    memcpy(to, p->episode, copies * sizeof *p->episode);
    memcpy(to + l.pending, env->pending + p->first, copies * sizeof *env->pending);
    if (env->task.state) memcpy(to + l.state, p->state, copies * env->task.state);
    const size_t room = size - l.world,
                 need = p->world ? sn_world_snapshot(p->world, to + l.world, room) : room;
    return !need ? SN_ERROR_MEMORY : need > room ? SN_ERROR_ARGUMENT : SN_OK;
}

sn_status sn__environment_restore_part(sn_environment *env, int part, const void *bytes, size_t size,
                                       sn_error *error) {
    sn_part *p = &env->part[part];
    const struct layout l = lay_out(env, 0);
    const size_t copies = (size_t)env->copies;
    const char *from = bytes;
    if (size < l.size || (!p->world && size != l.size))
        return sn__fail(error, SN_ERROR_FORMAT, "the environment's state is cut off");
    if (p->world) {
        const sn_status status = sn_world_restore(p->world, from + l.world, size - l.world, error);
        if (status) return status;
    }
    memcpy(p->episode, from, copies * sizeof *p->episode);
    for (size_t i = 0; i < copies; i++)
        env->pending[p->first + (int)i] = from[l.pending + i] != 0;
    if (env->task.state) memcpy(p->state, from + l.state, copies * env->task.state);
    return SN_OK;
}

/* ------------------------------------------------------------------------------------------------------ snapshots */

struct head {
    char kind[8];
    uint64_t task, copies, size, hash; /* hash: of all bytes behind the head */
};
enum { HEAD = 64 };
static const char KIND[8] = {'S', 'N', 'E', 'N', 'V', 'S', 'T', 0};

/* Behind the head: the size of each part, then the parts. */
static size_t sizes_end(const sn_environment *env) {
    return HEAD + whole_lines((size_t)env->parts * sizeof(uint64_t));
}

size_t sn_environment_save(sn_environment *env, void *bytes, size_t size) {
    size_t at = sizes_end(env);
    char *to = bytes;
    if (to && at <= size) memset(to, 0, at);
    for (int i = 0; i < env->parts; i++) {
        const size_t own = sn__environment_part_size(env, i), end = at + whole_lines(own);
        const uint64_t told = own;
        if (!own) return 0;
        if (to && end <= size) {
            if (sn__environment_save_part(env, i, to + at, own)) return 0;
            memset(to + at + own, 0, end - at - own);
            memcpy(to + HEAD + (size_t)i * sizeof told, &told, sizeof told);
        }
        at = end;
    }
    if (!to || at > size) return at;
    struct head head = {.task = env->info.task, .copies = (uint64_t)env->info.copies, .size = at};
    memcpy(head.kind, KIND, sizeof KIND);
    head.hash = sn__hash(to + HEAD, at - HEAD, 0);
    memcpy(to, &head, sizeof head);
    return at;
}

static sn_status check_head(const sn_environment *env, const char *from, size_t size, sn_error *error) {
    struct head head;
    if (!from || size < sizes_end(env))
        return sn__fail(error, SN_ERROR_FORMAT, "the snapshot of the environment is cut off");
    memcpy(&head, from, sizeof head);
    if (memcmp(head.kind, KIND, sizeof KIND))
        return sn__fail(error, SN_ERROR_FORMAT, "these bytes are not a snapshot of an environment");
    if (head.task != env->info.task || head.copies != (uint64_t)env->info.copies)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "the snapshot is of another task, or of %llu copies instead of %d",
                        (unsigned long long)head.copies, env->info.copies);
    if (head.size > size || head.size < sizes_end(env) ||
        head.hash != sn__hash(from + HEAD, (size_t)head.size - HEAD, 0))
        return sn__fail(error, SN_ERROR_FORMAT, "the snapshot of the environment is damaged or cut off");
    return SN_OK;
}

sn_status sn_environment_restore(sn_environment *env, const void *bytes, size_t size, sn_error *error) {
    const char *from = bytes;
    size_t at = sizes_end(env);
    sn_status status = check_head(env, from, size, error);
    for (int i = 0; i < env->parts && !status; i++) {
        uint64_t own;
        memcpy(&own, from + HEAD + (size_t)i * sizeof own, sizeof own);
        if (at > size || own > size - at)
            return sn__fail(error, SN_ERROR_FORMAT, "the snapshot of the environment is cut off");
        status = sn__environment_restore_part(env, i, from + at, (size_t)own, error);
        at += whole_lines((size_t)own);
    }
    return status ? status : sn__succeed(error);
}
