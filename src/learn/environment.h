/* What a task is, and what a trainer asks of it: `parts` that know nothing of each other, each with `copies` of the task
 * abreast.
 *
 * A part is what one thread steps for a whole rollout, so functions are called for several parts at a time, but never twice
 * for the same one. What a part does must depend on its own past alone: then the number of threads changes no bit. All
 * buffers belong to the caller. */
#ifndef SINEW_LEARN_ENVIRONMENT_H
#define SINEW_LEARN_ENVIRONMENT_H

#include "sinew/sinew.h"

/* A task as it is written down: episodes begin where they are told to, and never by themselves. vector.c makes environments of
   it. */
struct sn__task {
    void *user;
    int parts, copies; /* in each part */
    int observations, actions;
    uint64_t identity; /* tells tasks apart: checkpoints are for one alone; 0: not said */
    /* New episodes in the copies of a part with which[i] != 0; fills their rows of observation [copies][observations]. With
       seed [copies], what is random in a copy follows from its seed alone from then on; NULL: it goes on as it was. */
    sn_status (*begin)(void *user, int part, const uint8_t *which, const uint64_t *seed, float *observation,
                       sn_error *error);
    /* One step of all copies under action [copies][actions]; fills [copies] each. Copies whose episode has ended go on
       somehow until they begin anew. */
    sn_status (*step)(void *user, int part, const float *action, float *observation, float *reward,
                      bool *terminated, bool *truncated, sn_error *error);
    /* For checkpoints, all three or none: a part's state as bytes; a size of 0: out of memory. */
    size_t (*state_size)(void *user, int part);
    sn_status (*save)(void *user, int part, void *state, size_t size);
    sn_status (*restore)(void *user, int part, const void *state, size_t size, sn_error *error);
};

/* One control step of a part; the environment fills all of it. */
struct sn__transition {
    float *observation; /* [copies][observations] to act upon next: where an episode ended, the first of the next one */
    float *reward;    /* [copies] */
    bool *terminated; /* [copies] the task is over: nothing comes after, what follows is worth 0 */
    bool *truncated;  /* [copies] only the time was up: what would have followed has its value */
    float *final; /* [copies][observations] the last observation of an episode; rows of those that ended alone */
};

struct sn__environment {
    void *user;
    int parts, copies; /* in each part */
    int observations, actions;
    uint64_t identity; /* tells tasks apart: checkpoints are for one alone; 0: not said */
    /* New episodes in all copies of a part; fills observation [copies][observations]. */
    sn_status (*reset)(void *user, int part, float *observation, sn_error *error);
    /* One step under action [copies][actions]. Episodes that end begin anew in the same step. */
    sn_status (*step)(void *user, int part, const float *action, const struct sn__transition *out,
                      sn_error *error);
    /* For checkpoints, all three or none: a part's state as bytes; a size of 0: out of memory. */
    size_t (*state_size)(void *user, int part);
    sn_status (*save)(void *user, int part, void *state, size_t size);
    sn_status (*restore)(void *user, int part, const void *state, size_t size, sn_error *error);
};

#endif
