/* Learning in the browser: a trainer, whose ranks are workers with a module each, and walkers that show what was learned.
 *
 * A rank waits for the others inside sn_trainer_iterate. WebAssembly cannot wait, so Asyncify unwinds the stack there and
 * rewinds it once the page has brought the bytes; CMakeLists.txt lists the functions on the way. Alone, nothing waits. */
#include "learn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The page's own exchange, Module.share(data, begin, ranks, rank); whether it worked. */
EM_ASYNC_JS(int, learn_page_share, (void *data, const size_t *begin, int ranks, int rank),
            { return (await Module.share(data, begin, ranks, rank)) ? 1 : 0; })

sn_status learn_share(void *user, void *data, const size_t *begin, sn_error *error) {
    const struct learner *l = user;
    if (learn_page_share(data, begin, l->exchange.ranks, l->exchange.rank)) return SN_OK;
    if (error) *error = (sn_error){SN_ERROR_FILE, "another worker is gone"};
    return SN_ERROR_FILE;
}

/* Only files need a subject, which reads all kinds of them. */
static bool take_files(struct learn_body *body, const char *model, const char *motion, sn_error *error) {
    body->own = play_subject_create(model, motion);
    if (!body->own || body->own->error.status) {
        *error = body->own ? body->own->error : (sn_error){SN_ERROR_MEMORY, "out of memory"};
        return false;
    }
    body->model = body->own->model, body->motion = body->own->motion;
    if (!body->motion) *error = (sn_error){SN_ERROR_ARGUMENT, "there is no motion to imitate"};
    return body->motion;
}

bool learn_task(struct learn_body *body, const char *model, const char *motion, const char *settings,
                sn_task *task, sn_error *error) {
    if (!is_builtin(sn_builtin_name, model) || strchr(motion, '.')) {
        if (!take_files(body, model, motion, error)) return false;
    } else {
        body->model = sn_builtin_create(model, error);
        if (!body->model) return false;
        body->motion = sn_builtin_motion_create(motion, body->model, error);
        if (!body->motion) return false;
    }
    sn_imitation_def def = sn_imitation_def_default(body->model, body->motion);
    if (*settings && sn_def_read("sn_imitation_def", &def, settings, error) != SN_OK) return false;
    return sn_imitation_task(task, &def, error) == SN_OK;
}

void learn_body_free(struct learn_body *body) {
    if (body->own) {
        play_subject_free(body->own);
        return;
    }
    sn_motion_free(body->motion);
    sn_model_free(body->model);
}

PLAY_API void learn_free(struct learner *l) {
    if (!l) return;
    sn_trainer_free(l->trainer);
    sn_environment_free(l->env);
    learn_body_free(&l->body);
    free(l->bytes);
    free(l);
}

/* A trainer of its rank; learn_error says whether it can be used. NULL: out of memory. Other ranks are waited for. */
PLAY_API struct learner *learn_create(const char *model, const char *motion, const char *settings,
                                      double seed, int copies, int rank, int ranks) {
    struct learner *l = calloc(1, sizeof *l);
    sn_task task;
    if (!l) return NULL;
    sn_environment_def env = sn_environment_def_default();
    sn_trainer_def def = sn_trainer_def_default();
    env.copies = copies;
    env.seed = def.seed = (uint64_t)seed;
    def.threads = 1;
    l->exchange = (sn_exchange){.rank = rank, .ranks = ranks, .share = learn_share, .user = l};
    if (ranks > 1) def.exchange = &l->exchange;
    if (learn_task(&l->body, model, motion, settings, &task, &l->error))
        l->env = sn_environment_create(&task, &env, &l->error);
    if (l->env) l->trainer = sn_trainer_create(l->env, &def, &l->error);
    return l;
}

PLAY_API const char *learn_error(const struct learner *l) {
    return l->trainer && !l->error.status ? "" : l->error.message;
}

/* One iteration. out: iterations, samples, episodes that ended, seconds that all copies lived together, mean reward,
   divergence, seconds of collecting and of updating. Returns whether it worked. */
PLAY_API int learn_iterate(struct learner *l, double out[8]) {
    sn_training t = {0};
    sn_environment_info info;
    const uint64_t before = l->samples;
    if (sn_trainer_iterate(l->trainer, &t, &l->error) != SN_OK) return 0;
    sn_environment_get_info(l->env, &info);
    l->samples = t.samples;
    const double values[8] = {(double)t.iterations, (double)t.samples,
                              t.episodes,           (double)(t.samples - before) / info.rate,
                              t.mean_reward,        t.kl,
                              t.collect_seconds,    t.update_seconds};
    memcpy(out, values, sizeof values);
    return 1;
}

/* A checkpoint in the module's files, by the first rank. All ranks must call it; so must they to go on from one. Whether it
   worked. */
PLAY_API int learn_save(struct learner *l, const char *path) {
    return sn_trainer_save(l->trainer, path, &l->error) == SN_OK;
}
PLAY_API int learn_restore(struct learner *l, const char *path) {
    sn_training t = {0};
    if (sn_trainer_restore(l->trainer, path, &t, &l->error) != SN_OK) return 0;
    l->samples = t.samples;
    return 1;
}

/* The bytes of a policy file of what it has learned so far; valid until the next call. */
PLAY_API size_t learn_policy(struct learner *l) {
    sn_policy *policy = sn_trainer_policy(l->trainer, NULL, &l->error);
    size_t size = policy ? sn_policy_write(policy, NULL, 0) : 0;
    free(l->bytes);
    l->bytes = size ? malloc(size) : NULL;
    if (l->bytes) size = sn_policy_write(policy, l->bytes, size);
    sn_policy_free(policy);
    return l->bytes ? size : 0;
}
PLAY_API const uint8_t *learn_policy_bytes(const struct learner *l) {
    return l->bytes;
}
