/* An environment: a task in many copies, divided into parts.
 *
 * One thread runs a part, for a step of the environment or for a whole rollout of a trainer. A part depends on its own past
 * alone, so the number of threads changes no bit. */
#ifndef SINEW_LEARN_ENVIRONMENT_H
#define SINEW_LEARN_ENVIRONMENT_H

#include "base/pool.h"
#include "sinew/learn.h"

enum { SN__MODEL_NAME = 64 };

struct sn_environment {
    sn_task task;
    sn_environment_def def;
    sn_autoreset mode;
    struct sn__pool *pool;
    int parts, copies; /* copies in each part */
    int observations, actions;
    int limit;            /* control steps of an episode */
    uint64_t identity;    /* of everything a training depends on; 0: not checked */
    sn_part *part;        /* [parts] */
    sn_episode *episode;  /* [all copies], as are the arrays below */
    unsigned char *state; /* task.state bytes each */
    uint8_t *which;       /* restart in this call */
    bool *pending;        /* restart in the next step */
    double *term;         /* [task.terms] each */
    sn_error *error;      /* [parts] */
    sn_environment_info info;
    char model[SN__MODEL_NAME]; /* the character in messages */
    /* Arguments of the current call: */
    const float *action;
    const uint64_t *seed;
    float *observation;
    const sn_environment_out *out;
};

/* Starts new episodes in all copies of a part and fills observation [copies][observations]. */
sn_status sn__environment_begin_part(sn_environment *env, int part, float *observation, sn_error *error);
/* One control step of a part. All arrays begin with the part's first copy. */
sn_status sn__environment_step_part(sn_environment *env, int part, sn_autoreset mode, const float *action,
                                    const sn_environment_out *out, sn_error *error);

/* The state of a part as bytes (environment_state.c). A size of 0: out of memory. */
size_t sn__environment_part_size(sn_environment *env, int part);
sn_status sn__environment_save_part(sn_environment *env, int part, void *bytes, size_t size);
sn_status sn__environment_restore_part(sn_environment *env, int part, const void *bytes, size_t size,
                                       sn_error *error);

#endif
