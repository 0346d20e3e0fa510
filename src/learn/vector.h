/* A task as an environment: for trainers, part by part, and for programs that step all copies at once, as a Python package
 * would.
 *
 * All buffers are the caller's, with one row per copy, part after part: an array of another language can be handed over as it
 * is. */
#ifndef SINEW_LEARN_VECTOR_H
#define SINEW_LEARN_VECTOR_H

#include "learn/environment.h"

/* What becomes of a copy whose episode has ended. */
enum sn__autoreset {
    SN__AUTORESET_SAME_STEP, /* it begins anew at once: `observation` is the first of the new episode, `final` the last of the
                                old one */
    SN__AUTORESET_NEXT_STEP, /* it begins anew in the next step, whose action it ignores, with reward 0 and no flag set */
    SN__AUTORESET_OFF, /* the caller resets it */
};

/* What a step fills; all but the first four may be NULL. */
struct sn__vector_out {
    float *observation;           /* [copies][observations] */
    float *reward;                /* [copies] */
    bool *terminated, *truncated; /* [copies] */
    float *final;                 /* [copies][observations]; rows of copies that ended, in the first mode */
    double *episode_return;       /* [copies] sum of rewards since the episode began, this step's included */
    int32_t *episode_length;      /* [copies] steps */
};

struct sn__vector;

/* threads 0: one per core. The task is copied; its user must live longer. */
struct sn__vector *sn__vector_create(const struct sn__task *task, enum sn__autoreset mode, int threads,
                                     sn_error *error);
void sn__vector_free(struct sn__vector *v);        /* NULL is allowed */
int sn__vector_copies(const struct sn__vector *v); /* of all parts */

/* New episodes in the copies with which[i] != 0 (NULL: all), from seeds of their own (NULL: going on). */
sn_status sn__vector_reset(struct sn__vector *v, const uint8_t *which, const uint64_t *seed,
                           float *observation, sn_error *error);
sn_status sn__vector_step(struct sn__vector *v, const float *action, const struct sn__vector_out *out,
                          sn_error *error);

/* For trainers, with their own threads: episodes begin anew in the same step. It holds a pointer to v. */
struct sn__environment sn__vector_environment(struct sn__vector *v);

#endif
