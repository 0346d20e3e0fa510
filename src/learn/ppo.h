/* Proximal policy optimisation (Schulman and others 2017) with DeepMimic's options (Peng and others 2018).
 *
 * An iteration is a rollout of `horizon` steps in all copies, then `epochs` passes over its samples in minibatches. The actor
 * gives the mean of a normal distribution of actions, the critic the value of an observation. Rollouts are shared out to
 * ranks and threads by parts of the environment, minibatches by SN__SHARDS fixed shards. */
#ifndef SINEW_LEARN_PPO_H
#define SINEW_LEARN_PPO_H

#include "base/pool.h"
#include "learn/environment.h"
#include "learn/net.h"
#include "learn/normalise.h"
#include "learn/optimise.h"
#include "learn/ranks.h"

/* One of the two networks and what trains it. */
struct sn__learner {
    struct sn__net net;
    int count;               /* parameters: the net's, and for the actor the logarithms of the noise */
    real *theta, *gradient;  /* [count] */
    real *transposed;        /* [count] the weights as a pass backward wants them, once per minibatch */
    real *shard[SN__SHARDS]; /* [count] gradients of the shards */
    struct sn__optimiser optimiser;
    double *squares; /* [pieces] of the gradient's norm */
    double scale;    /* of the gradient, from its norm */
    double rate;
};

/* What a thread has for passes through the nets. */
struct sn__ppo_bench {
    struct sn__tape actor, critic;
    int rows;               /* they have room for */
    real *observation;      /* [rows][observations] */
    real *output;           /* [rows][actions]: gradients by the output */
    real *batch_action;     /* [rows][actions] of the shard's samples */
    real *batch_scalar;     /* [2][rows] other values of them */
    float *action;          /* [copies][actions] as the environment gets them */
    sn_environment_out out; /* except observation, which goes to sn__ppo.now */
};

/* Sums of a part over one rollout. */
struct sn__ppo_tally {
    double returns, lengths, rewards;
    int64_t episodes;
};

struct sn__ppo_part {
    double *sum, *square; /* [observations] of x - shift, in sn__ppo.moments */
    struct sn__ppo_tally *tally;
    sn_error error;
};

struct sn__ppo_shard {
    double surrogate, value_loss, kl, clipped; /* sums over its samples */
};

/* Gradients between ranks: for each rank the nodes of the tree that its shards fill, then what its shards measured. */
struct sn__ppo_wire {
    unsigned char *bytes;
    int shards[SN__SHARDS];       /* of the node that begins with a shard; 0: none does */
    size_t node[SN__SHARDS];      /* where it stands */
    size_t measure[SN__SHARDS];   /* where a struct sn__ppo_shard stands */
    size_t shard[SN__SHARDS + 1]; /* where the bytes of a shard's rank begin */
};

struct sn__ppo {
    sn_trainer_def def;
    struct sn__ranks ranks;
    struct sn__ppo_wire wire;
    sn_environment *env;
    struct sn__gemm gemm;
    struct sn__pool *pool;
    struct sn__learner actor, critic;
    struct sn__normaliser normaliser;
    struct sn__ppo_bench *bench; /* [threads] */
    struct sn__ppo_part *part;   /* [parts] */
    double *moments;             /* [parts][2][observations] */
    struct sn__ppo_tally *tally; /* [parts] */
    float *now;                  /* [parts][copies][observations] the next to act upon */
    bool begun;
    uint64_t iterations, samples;
    int total; /* samples of a rollout */
    /* The rollout: sample ((part * horizon) + step) * copies + copy. */
    real *observation, *action;                          /* [total][...] normalised; as drawn */
    real *log_probability, *reward, *advantage, *target; /* [total] */
    real *value;                                         /* [parts][horizon + 1][copies] */
    real *final_value;                                   /* [total] */
    bool *terminated, *truncated;                        /* [total] */
    int *order;                                          /* [total] of the samples in an epoch */
    double *deviation; /* [actions] of the noise, for the parameters as they are */
    int minibatch_at;  /* the first of the current minibatch, in order */
    bool resting;      /* the actor has moved far enough in this iteration */
    struct sn__ppo_shard shard[SN__SHARDS];
};

/* A trainer for the environment, which must live longer; or NULL and why not. */
struct sn__ppo *sn__ppo_create(sn_environment *env, const sn_trainer_def *def, sn_error *error);
void sn__ppo_free(struct sn__ppo *ppo); /* NULL is allowed */

/* One iteration. The first one only fills the normaliser. */
sn_status sn__ppo_iterate(struct sn__ppo *ppo, sn_training *report, sn_error *error);

/* Actions without noise for `rows` observations. */
void sn__ppo_act(struct sn__ppo *ppo, int rows, const float *observation, float *action);

/* Values in so many rows. */
static inline size_t sn__cells(int rows, int width) {
    return (size_t)rows * (size_t)width;
}

/* Parts of an iteration, for ppo.c and its tests: */
sn_status sn__ppo_check(const sn_environment *env, const sn_trainer_def *def, sn_error *error);
void sn__ppo_set_deviation(struct sn__ppo *ppo); /* from the parameters */
sn_status sn__ppo_collect(struct sn__ppo *ppo, sn_error *error);
sn_status sn__ppo_update(struct sn__ppo *ppo, sn_training *report, sn_error *error);

/* What ranks do with each other (ppo_ranks.c): */
bool sn__ppo_wire_make(struct sn__ppo *ppo); /* false: out of memory */
sn_status sn__ppo_share_rollout(struct sn__ppo *ppo, sn_error *error);
/* Gradients: `count` parameters of this rank's shards, from `first` on, go to the wire; the ranks exchange what is on it; then
   the gradient is the sum of all shards. */
void sn__ppo_pack(struct sn__ppo *ppo, struct sn__learner *learner, int first, int count);
sn_status sn__ppo_exchange(struct sn__ppo *ppo, sn_error *error);
void sn__ppo_unpack(struct sn__ppo *ppo, struct sn__learner *learner, int first, int count);

/* The gradients of one shard's losses by the outputs of the nets. */
struct sn__ppo_batch {
    int rows, actions;
    int minibatch;                  /* samples of all shards: the losses are means over them */
    const real *log_noise;          /* [actions] */
    const double *deviation;        /* [actions] its exponentials */
    const real *action;             /* [rows][actions] */
    const real *log_probability;    /* [rows] when they were drawn */
    const real *advantage, *target; /* [rows] */
};
void sn__ppo_actor_gradient(const sn_trainer_def *def, const struct sn__ppo_batch *batch, const real *mean,
                            real *d_mean, real *d_log_noise, struct sn__ppo_shard *sums);
void sn__ppo_critic_gradient(const struct sn__ppo_batch *batch, const real *value, real *d_value,
                             struct sn__ppo_shard *sums);

/* Everything that the next iteration depends on, atomically, and back (checkpoint.c). The definition must be the same but
   for the number of threads and ranks. All ranks call them; the file is rank 0's. */
sn_status sn__ppo_save(struct sn__ppo *ppo, const char *path, sn_error *error);
sn_status sn__ppo_restore(struct sn__ppo *ppo, const char *path, sn_error *error);
uint64_t sn__ppo_settings_hash(const struct sn__ppo *ppo); /* of what must be the same */

#endif
