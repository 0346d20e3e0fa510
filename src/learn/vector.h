/* A task as an environment: for trainers, part by part, and for programs that step all copies at once, as a Python package
 * would.
 *
 * All buffers are the caller's, with one row per copy, part after part: an array of another language can be handed over as it
 * is. */
#ifndef SINEW_LEARN_VECTOR_H
#define SINEW_LEARN_VECTOR_H

#include "learn/environment.h"
#include "sinew/learn.h"

struct sn__vector;

/* threads 0: one per core. The task is copied; its user must live longer. */
struct sn__vector *sn__vector_create(const struct sn__task *task, sn_autoreset mode, int threads,
                                     sn_error *error);
void sn__vector_free(struct sn__vector *v);        /* NULL is allowed */
int sn__vector_copies(const struct sn__vector *v); /* of all parts */

/* New episodes in the copies with which[i] != 0 (NULL: all), from seeds of their own (NULL: going on). */
sn_status sn__vector_reset(struct sn__vector *v, const uint8_t *which, const uint64_t *seed,
                           float *observation, sn_error *error);
sn_status sn__vector_step(struct sn__vector *v, const float *action, const sn_environment_out *out,
                          sn_error *error);

/* For trainers, with their own threads: episodes begin anew in the same step. It holds a pointer to v. */
struct sn__environment sn__vector_environment(struct sn__vector *v);

#endif
