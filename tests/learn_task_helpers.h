/* An environment of the built-in humanoid's walk, with buffers for its copies, for tests. */
#ifndef SINEW_TESTS_LEARN_TASK_HELPERS_H
#define SINEW_TESTS_LEARN_TASK_HELPERS_H

#include "file_helpers.h"

#include <sinew/learn.h>
#include <unistd.h>

#include "learn/environment.h"
#include "learn/imitate.h"

enum { COPIES = 24 }; /* two parts */

struct task {
    sn_model *model;
    sn_motion *motion;
    sn_imitation_def imitation;
    sn_environment_def def;
    sn_environment *env;
    struct sn__imitate *im; /* the environment's */
    sn_environment_info info;
    float *observation, *final, *action, reward[COPIES];
    bool terminated[COPIES], truncated[COPIES];
    double sum[COPIES];
    int32_t length[COPIES];
    sn_environment_out out;
};

static inline struct task make_task(void) {
    struct task t = {0};
    t.model = sn_builtin_create("humanoid", NULL);
    t.motion = sn_builtin_motion_create("walk", t.model, NULL);
    t.imitation = sn_imitation_def_default(t.model, t.motion);
    t.def = sn_environment_def_default();
    t.def.copies = COPIES;
    t.def.seed = 5;
    return t;
}

static inline void open_task(struct task *t) {
    sn_error error;
    sn_task task;
    if (sn_imitation_task(&task, &t->imitation, &error)) fail_msg("%s", error.message);
    t->env = sn_environment_create(&task, &t->def, &error);
    if (!t->env) fail_msg("%s", error.message);
    t->im = task.user;
    sn_environment_get_info(t->env, &t->info);
    const size_t n = (size_t)t->info.copies;
    t->observation = calloc(n * (size_t)t->info.observations, sizeof(float));
    t->final = calloc(n * (size_t)t->info.observations, sizeof(float));
    t->action = calloc(n * (size_t)t->info.actions, sizeof(float));
    t->out = (sn_environment_out){t->observation, t->reward, t->terminated, t->truncated,
                                  t->final,       t->sum,    t->length,     NULL};
}

static inline void close_task(struct task *t) {
    sn_environment_free(t->env);
    free(t->observation), free(t->final), free(t->action);
    sn_motion_free(t->motion);
    sn_model_free(t->model);
}

static inline void reset(struct task *t, const uint64_t *seed) {
    sn_error error;
    if (sn_environment_reset(t->env, NULL, seed, t->observation, &error)) fail_msg("%s", error.message);
}

static inline void step(struct task *t) {
    sn_error error;
    if (sn_environment_step(t->env, t->action, &t->out, &error)) fail_msg("%s", error.message);
}

static inline void get(struct task *t, int copy, int member, sn_field field, double *values) {
    int number;
    sn_world *world = sn_environment_world(t->env, copy, &number);
    assert_int_equal(sn_world_get(world, member, field, number, 1, values), SN_OK);
}

static inline double number_of(struct task *t, int copy, sn_field field) {
    double value;
    get(t, copy, 0, field, &value);
    return value;
}

/* What a copy's state is worth as it stands. */
static inline double worth(const sn_environment *env, int copy) {
    double term[SN_MAX_PART_COPIES * SN__TERMS], sum = 0;
    sn_part *part = &env->part[copy / env->copies];
    const int terms = env->task.terms;
    assert_int_equal(env->task.reward(env->task.user, part, term, NULL), SN_OK);
    for (int k = 0; k < terms; k++)
        sum += term[copy % env->copies * terms + k];
    return sum;
}

/* The state of a copy that the task keeps. */
static inline struct sn__imitate_copy *copy_of(const sn_environment *env, int copy) {
    return sn__imitate_copy(env->task.user, &env->part[copy / env->copies], copy % env->copies);
}

#endif
