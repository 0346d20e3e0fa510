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

enum { SN__PPO_HIDDEN = SN__NET_LAYERS - 1 };

struct sn__ppo_def {
    uint64_t seed;
    int threads;                    /* 0: one per core */
    const sn_exchange *exchange;    /* copied; NULL: alone */
    int hidden[SN__PPO_HIDDEN];     /* widths of the hidden layers, up to the first 0; 256, 256 */
    enum sn__activation activation; /* SN__RELU */
    int horizon, minibatch, epochs; /* 16 steps, 512 samples, 2 */
    double gamma, lambda;           /* .95, .95 */
    double clip;                    /* .2: how far the ratio of probabilities counts */
    double advantage_clip;          /* 4; 0: none */
    double value_low, value_high;   /* values are kept between them; both 0: as they are */
    enum sn__optimiser_kind optimiser;
    double actor_rate, critic_rate; /* 5e-5, 5e-4 */
    double kl_target;               /* .015: the actor's rate follows it; 0: it stays */
    double kl_stop; /* 2: beyond so many times the target the actor rests until the next rollout; 0: never */
    double rate_low, rate_high; /* 1e-6, 1e-2: as far as it follows */
    double gradient_norm;       /* 1: at most, of actor and critic each; 0: no limit */
    double noise;               /* .05: standard deviation of actions */
    bool learn_noise;           /* it is a parameter of each action */
    double entropy;             /* weight of its logarithm in what is maximised */
    double last_layer;          /* .01: the actor's last weights at the start are so much smaller */
    double normalise_samples;   /* the normaliser learns from so many samples; 0: from all */
};

/* What an iteration did. */
struct sn__ppo_report {
    uint64_t iterations, samples; /* so far */
    int episodes;                 /* that ended in this iteration */
    double mean_return;           /* of them, without discount; NaN: none ended */
    double mean_length;           /* steps */
    double mean_reward;           /* per step */
    double surrogate, value_loss; /* means over the minibatches */
    double explained;             /* 1 - var(target - value) / var(target) before the update */
    double kl;                    /* between the rollout's policy and this one, mean over the last epoch */
    double clipped;               /* share of samples whose ratio was beyond the clip, last epoch */
    double actor_rate;            /* for the next iteration */
    double noise;                 /* mean standard deviation */
    double collect_seconds, update_seconds;
};

/* One of the two networks and what trains it. */
struct sn__learner {
    struct sn__net net;
    int count;               /* parameters: the net's, and for the actor the logarithms of the noise */
    real *theta, *gradient;  /* [count] */
    real *shard[SN__SHARDS]; /* [count] gradients of the shards */
    struct sn__optimiser optimiser;
    double *squares; /* [pieces] of the gradient's norm */
    double scale;    /* of the gradient, from its norm */
    double rate;
};

/* What a thread has for passes through the nets. */
struct sn__ppo_bench {
    struct sn__tape actor, critic;
    int rows;                  /* they have room for */
    real *observation;         /* [rows][observations] */
    real *output;              /* [rows][actions]: gradients by the output */
    real *batch_action;        /* [rows][actions] of the shard's samples */
    real *batch_scalar;        /* [2][rows] other values of them */
    float *action;             /* [copies][actions] as the environment gets them */
    struct sn__transition out; /* but for observation, which goes to sn__ppo.now */
};

/* Sums of a part over one rollout. */
struct sn__ppo_tally {
    double returns, lengths, rewards;
    int64_t episodes;
};

struct sn__ppo_part {
    double *sum, *square;   /* [observations] of x - shift, in sn__ppo.moments */
    double *episode_return; /* [copies] of the running episode: goes on from rollout to rollout */
    int *episode_length;    /* [copies] */
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
    struct sn__ppo_def def;
    struct sn__ranks ranks;
    struct sn__ppo_wire wire;
    struct sn__environment env;
    struct sn__gemm gemm;
    struct sn__pool *pool;
    struct sn__learner actor, critic;
    struct sn__normaliser normaliser;
    struct sn__ppo_bench *bench; /* [threads] */
    struct sn__ppo_part *part;   /* [parts] */
    double *moments;             /* [parts][2][observations] */
    double *episode_return;      /* [parts][copies] */
    int *episode_length;         /* [parts][copies] */
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
    int minibatch_at;  /* the first of the minibatch at hand, in order */
    bool resting;      /* the actor has moved far enough in this iteration */
    struct sn__ppo_shard shard[SN__SHARDS];
};

struct sn__ppo_def sn__ppo_default(void);
/* A trainer for the environment, whose struct is copied and whose user must live longer; or NULL and why not. */
struct sn__ppo *sn__ppo_create(const struct sn__environment *env, const struct sn__ppo_def *def,
                               sn_error *error);
void sn__ppo_free(struct sn__ppo *ppo); /* NULL is allowed */

/* One iteration. The first one only fills the normaliser. */
sn_status sn__ppo_iterate(struct sn__ppo *ppo, struct sn__ppo_report *report, sn_error *error);

/* Actions without noise for `rows` observations. */
void sn__ppo_act(struct sn__ppo *ppo, int rows, const float *observation, float *action);

/* Values in so many rows. */
static inline size_t sn__cells(int rows, int width) {
    return (size_t)rows * (size_t)width;
}

/* Parts of an iteration, for ppo.c and its tests: */
sn_status sn__ppo_check(const struct sn__environment *env, const struct sn__ppo_def *def, sn_error *error);
void sn__ppo_set_deviation(struct sn__ppo *ppo); /* from the parameters */
sn_status sn__ppo_collect(struct sn__ppo *ppo, sn_error *error);
sn_status sn__ppo_update(struct sn__ppo *ppo, struct sn__ppo_report *report, sn_error *error);

/* What ranks do with each other (ppo_ranks.c): */
bool sn__ppo_wire_make(struct sn__ppo *ppo); /* false: out of memory */
sn_status sn__ppo_share_rollout(struct sn__ppo *ppo, sn_error *error);
/* Gradients: `count` parameters of the own shards from `first` on go to the wire; what is on it is exchanged; then the
   gradient is the sum of all shards. */
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
void sn__ppo_actor_gradient(const struct sn__ppo_def *def, const struct sn__ppo_batch *batch,
                            const real *mean, real *d_mean, real *d_log_noise, struct sn__ppo_shard *sums);
void sn__ppo_critic_gradient(const struct sn__ppo_batch *batch, const real *value, real *d_value,
                             struct sn__ppo_shard *sums);

/* Everything that the next iteration depends on, atomically, and back (checkpoint.c). The definition must be the same but
   for the number of threads and ranks. All ranks call them; the file is rank 0's. */
sn_status sn__ppo_save(struct sn__ppo *ppo, const char *path, sn_error *error);
sn_status sn__ppo_restore(struct sn__ppo *ppo, const char *path, sn_error *error);
uint64_t sn__ppo_settings_hash(const struct sn__ppo *ppo); /* of what must be the same */

#endif
