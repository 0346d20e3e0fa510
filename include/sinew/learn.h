/* Sinew: characters that learn. Environments in many copies, a trainer (PPO) and policies; it includes
 * tasks.h (what to learn) and search.h (CMA-ES, policy gradients).
 *
 *     sn_imitation_def walk = sn_imitation_def_default(model, motion);
 *     sn_task task;
 *     sn_imitation_task(&task, &walk, &error);                     // or a task of your own: examples/task.c
 *     sn_environment *env = sn_environment_create(&task, NULL, &error);
 *     sn_trainer *trainer = sn_trainer_create(env, NULL, &error);
 *     while (...) sn_trainer_iterate(trainer, &progress, &error);
 *     sn_policy *policy = sn_trainer_policy(trainer, NULL, &error);
 *     sn_policy_save(policy, "walk.policy", &error);
 *
 * docs/learning.md is the tutorial. You own all arrays: one row per copy, without gaps, float is 32 bits
 * and bool one byte, so arrays of other languages can be passed as they are. One thread at a time may use
 * an object. Environments and trainers have threads of their own; their number never changes a result,
 * not even by a bit. */
#ifndef SINEW_LEARN_H
#define SINEW_LEARN_H

#include "sinew/sinew.h"
#include "sinew/search.h"
#include "sinew/puppet.h"
#include "sinew/tasks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------- Environments */

typedef struct sn_environment sn_environment;

/* What happens to a copy whose episode has ended. */
typedef enum sn_autoreset {
    /* It restarts at once: `observation` is the first of the new episode, `final` the last of the old. */
    SN_AUTORESET_SAME_STEP,
    /* It restarts in the next step, which ignores its action and reports reward 0 and no flag. */
    SN_AUTORESET_NEXT_STEP,
    /* The caller resets it. */
    SN_AUTORESET_OFF
} sn_autoreset;

/* How many copies of a task there are, and how many threads run them. Make one with
   sn_environment_def_default. */
typedef struct sn_environment_def {
    /* Set by sn_environment_def_default. */
    uint32_t struct_size;
    /* Number of copies. [default 256; 1 to 1048576] */
    int copies;
    /* Threads that reset and step use, including the caller's. 0: one per core. [default 1; 0 to 4096;
       not hashed] */
    int threads;
    /* Everything random follows from it. [default 0] */
    uint64_t seed;
    /* What happens to a copy whose episode has ended. Trainers restart it in the same step in any case.
       [default SN_AUTORESET_SAME_STEP] */
    sn_autoreset autoreset;
} sn_environment_def;

static inline sn_environment_def sn_environment_def_default(void) {
    SN_RETURN_DEFAULT(sn_environment_def);
}

/* Copies the table and takes over task->user: task->free is called when the environment is freed, or at
   once if this fails. Strings and arrays of names must outlive the environment. With def NULL everything
   has its default. */
SN_API sn_environment *sn_environment_create(const sn_task *task, const sn_environment_def *definition,
                                             sn_error *error);
/* NULL is allowed. */
SN_API void sn_environment_free(sn_environment *env);

typedef struct sn_environment_info {
    int copies, observations, actions, terms;
    /* Control steps per second. */
    int rate;
    /* Length of an episode in seconds. */
    double limit;
    /* Name of the task, and names of its observations, actions and terms, as the task gives them. */
    const char *name;
    const char *const *observation_names, *const *action_names, *const *term_names;
    /* Hash of the character; 0: none. */
    uint64_t model;
    /* Hash of what observations and actions mean: a policy is for one of them. */
    uint64_t features;
    /* Hash of everything a training depends on. */
    uint64_t task;
    /* What the environment was made with. */
    sn_environment_def definition;
} sn_environment_info;

SN_API void sn_environment_get_info(const sn_environment *env, sn_environment_info *info);

/* Starts new episodes in the copies with which[i] != 0 (NULL: all) and fills their rows of observation
   [copies][observations]. With seed [copies], everything random in a copy follows from its seed from then
   on; with NULL its random numbers continue. */
SN_API sn_status sn_environment_reset(sn_environment *env, const uint8_t *which, const uint64_t *seed,
                                      float *observation, sn_error *error);

/* The arrays that a step fills. All but the first four may be NULL. */
typedef struct sn_environment_out {
    /* [copies][observations] */
    float *observation;
    /* [copies] */
    float *reward;
    /* [copies] the task is over, for example by a fall: nothing that could follow has any value. */
    bool *terminated;
    /* [copies] only the time was up. */
    bool *truncated;
    /* [copies][observations] of copies that ended and restarted in the same step. */
    float *final;
    /* [copies] sum of rewards of the episode, including this step's. */
    double *episode_return;
    /* [copies] control steps. */
    int32_t *episode_length;
    /* [copies][terms] of the reward. */
    float *term;
} sn_environment_out;

/* One control step of all copies under action [copies][actions]. */
SN_API sn_status sn_environment_step(sn_environment *env, const float *action, const sn_environment_out *out,
                                     sn_error *error);
/* Fills observation [copies][observations] from the state as it is now, for example after you changed a
   world. */
SN_API sn_status sn_environment_observe(sn_environment *env, float *observation, sn_error *error);

/* Writes the state of all copies to `bytes`, if `size` is large enough, and returns the size that is
   needed; 0: out of memory. Restored, the environment continues with the same bits. A damaged snapshot is
   refused before anything changes. If the world itself refuses a later part, some copies are restored
   already: reset the environment then. */
SN_API size_t sn_environment_save(sn_environment *env, void *bytes, size_t size);
SN_API sn_status sn_environment_restore(sn_environment *env, const void *bytes, size_t size, sn_error *error);

/* The world that a copy is in, to look at, record and push, and the copy's number in it; NULL: there is
   none. In tasks of sn_imitation_task the character is member 0 and a ball member 1. */
SN_API sn_world *sn_environment_world(sn_environment *env, int copy, int *number);
/* Fills the pose q [nq] that this copy should have now, if the task has one. Returns false if it has none. */
SN_API bool sn_environment_reference(const sn_environment *env, int copy, double *q);

/* ------------------------------------------------------------------------------------------ Policies */

/* What is needed to act: a network and the scale of its observations. */
typedef struct sn_policy sn_policy;

/* Reads a policy file. docs/learning.md describes the format. */
SN_API sn_policy *sn_policy_load(const char *path, sn_error *error);
/* Writes a policy file or, if the name ends in .onnx, an ONNX file with the input "observation"
   [rows][observations] and the output "action" [rows][actions]. The file is replaced as a whole or stays
   as it was. */
SN_API sn_status sn_policy_save(const sn_policy *policy, const char *path, sn_error *error);
/* The bytes of a policy file, in memory: sn_policy_write fills `bytes` if `size` is large enough and
   returns the size that is needed; 0: out of memory. */
SN_API sn_policy *sn_policy_parse(const void *bytes, size_t size, sn_error *error);
SN_API size_t sn_policy_write(const sn_policy *policy, void *bytes, size_t size);
/* NULL is allowed. */
SN_API void sn_policy_free(sn_policy *policy);

/* Most layers of a policy. */
enum { SN_MAX_POLICY_LAYERS = 8 };

/* A policy as arrays. An observation x becomes clamp((x - shift) * scale, -clip, clip), then each layer
   computes y = x W + b; hidden layers end with ReLU or tanh. */
typedef struct sn_policy_data {
    /* Number of layers: hidden ones and the last. */
    int layers;
    /* Observations, hidden widths, actions. */
    int width[SN_MAX_POLICY_LAYERS + 1];
    /* W of each layer, [width[i]][width[i + 1]]. */
    const float *weight[SN_MAX_POLICY_LAYERS];
    /* b of each layer, [width[i + 1]]. */
    const float *bias[SN_MAX_POLICY_LAYERS];
    /* Whether hidden layers end with tanh instead of ReLU. */
    bool tanh;
    /* Whether tanh follows the last layer. Policies of sn_trainer have none. */
    bool squash;
    /* [observations] Shift and scale of the observations. */
    const float *shift, *scale;
    /* Largest size of a scaled observation. */
    float clip;
    /* [actions] Standard deviation in training; NULL: 0. */
    const float *noise;
    /* A text that is kept in the file; NULL: none. */
    const char *note;
} sn_policy_data;

/* Fills `data` with pointers into the policy. */
SN_API void sn_policy_get(const sn_policy *policy, sn_policy_data *data);
/* A policy from arrays, which are copied. It is for the environment's task, or for any if `env` is NULL. */
SN_API sn_policy *sn_policy_create(const sn_policy_data *data, const sn_environment *env, sn_error *error);

/* Actions without noise: observation [rows][observations], action [rows][actions]. */
SN_API sn_status sn_policy_act(sn_policy *policy, int rows, const float *observation, float *action);
/* Checks that the policy is for the environment's character, observations and actions. */
SN_API sn_status sn_policy_check(const sn_policy *policy, const sn_environment *env, sn_error *error);

/* How one episode went. */
typedef struct sn_policy_episode {
    /* Mean reward per step, counting 0 for the steps after a fall: DeepMimic's normalised return. */
    double normalised;
    /* How long it lasted, s. */
    double seconds;
    /* Whether it lasted to the end. */
    bool lasted;
} sn_policy_episode;

/* How a number of episodes went. */
typedef struct sn_policy_score {
    int episodes;
    /* Number of episodes that lasted to the end. */
    int lasted;
    /* Mean of their normalised returns. */
    double normalised;
    /* Shortest and mean duration, s. */
    double shortest, mean;
} sn_policy_score;

/* Resets the environment and runs one episode [copies] in every copy, without noise. With seed [copies]
   an episode depends on its seed alone. You can therefore split episodes over environments or machines;
   sn_policy_add_up makes a score of them. */
SN_API sn_status sn_policy_evaluate(sn_policy *policy, sn_environment *env, const uint64_t *seed,
                                    sn_policy_episode *episode, sn_error *error);
SN_API void sn_policy_add_up(int episodes, const sn_policy_episode *episode, sn_policy_score *score);

/* ------------------------------------------------------------------------------------------- Trainer */

/* How processes that train one policy together, the ranks, exchange data, on one machine or many; for
   example by MPI (the command: `mpirun -n 4 sinew train ...`). The number of ranks never changes a bit if
   all machines are of the same kind. */
typedef struct sn_exchange {
    /* Number of this rank, from 0, and of all ranks, at most 256. */
    int rank, ranks;
    /* `data` has the same size on all ranks. Rank r has filled its bytes from begin[r] up to begin[r +
       1]; begin [ranks + 1]. On return, every rank has all of it. Ranks call it in the same order. Any
       status other than SN_OK means that a rank has died; the remaining ranks cannot continue. */
    sn_status (*share)(void *user, void *data, const size_t *begin, sn_error *error);
    void *user;
} sn_exchange;

/* Settings of proximal policy optimisation (Schulman and others 2017). Make one with
   sn_trainer_def_default. */
typedef struct sn_trainer_def {
    /* Set by sn_trainer_def_default. */
    uint32_t struct_size;
    /* Everything random follows from it. [default 0] */
    uint64_t seed;
    /* Number of threads. 0: one per core. [default 0; 0 to 4096; not hashed] */
    int threads;
    /* Widths of the hidden layers, up to the first 0. [default 128 128 0 0; 0 to 8192] */
    int hidden[4];
    /* Whether hidden layers end with tanh instead of ReLU. [default false] */
    bool tanh;
    /* Whether weights follow SGD with momentum .9 instead of Adam. [default false] */
    bool momentum;
    /* Steps of a rollout. [default 16; 1 to 1048576] */
    int horizon;
    /* Samples per update. It must divide the rollout of all copies. [default 512; 16 to 16777216] */
    int minibatch;
    /* Passes over a rollout. [default 3; 1 to 1000] */
    int epochs;
    /* Discount of rewards. [default 0.95; 0 to 1] */
    double gamma;
    /* Discount of advantages: the lambda of generalised advantage estimation. [default 0.95; 0 to 1] */
    double gae_lambda;
    /* Largest change of the probability ratio that counts. [default 0.2; 1e-6 to 1e6] */
    double clip;
    /* Largest advantage, in standard deviations. 0: no limit. [default 4; 0 to 1e6] */
    double advantage_clip;
    /* Values are clamped to the range from value_low to value_high. Both 0: they are not. [default 0;
       -1e9 to 1e9] */
    double value_low;
    /* Upper end of that range. [default 0; -1e9 to 1e9] */
    double value_high;
    /* Learning rate of the actor. [default 5e-5; 0 to 1e3] */
    double actor_rate;
    /* Learning rate of the critic. [default 5e-4; 0 to 1e3] */
    double critic_rate;
    /* The actor's rate adapts to this divergence per iteration. 0: it is constant. [default 0.08; 0 to
       1e3] */
    double kl_target;
    /* Beyond this many times the target, the actor waits for the next rollout. 0: never. [default 2; 0 to
       1e6] */
    double kl_stop;
    /* Smallest adapted rate. [default 1e-6; 0 to 1e3] */
    double rate_low;
    /* Largest adapted rate. [default 1e-2; 0 to 1e3] */
    double rate_high;
    /* Largest norm of a gradient. 0: no limit. [default 1; 0 to 1e9] */
    double gradient_norm;
    /* Standard deviation of actions. [default 0.05; 1e-6 to 1e3] */
    double noise;
    /* Whether the noise of each action is a parameter that is learned. [default false] */
    bool learn_noise;
    /* Weight of the logarithm of the noise in the objective. [default 0; 0 to 1e3] */
    double entropy;
    /* Factor of the actor's last weights at the start. [default 0.01; 0 to 1e3] */
    double last_layer;
    /* Observations are scaled by the first samples up to this number. 0: by all. [default 0; 0 to 1e18] */
    double normalise_samples;
    /* Other processes that train with this one; copied. NULL: it trains alone. All ranks make a trainer
       with the same definition over an environment of their own with all copies, and call the same
       functions; each steps only its share of the copies. [default NULL] */
    const sn_exchange *exchange;
} sn_trainer_def;

static inline sn_trainer_def sn_trainer_def_default(void) {
    SN_RETURN_DEFAULT(sn_trainer_def);
}

typedef struct sn_trainer sn_trainer;

/* What an iteration did: a rollout in all copies, then some passes over it. */
typedef struct sn_training {
    /* Iterations and samples so far. */
    uint64_t iterations, samples;
    /* Episodes that ended in this iteration. */
    int episodes;
    /* Their mean return, without discount; NaN: none ended. */
    double mean_return;
    /* Their mean length, s; NaN: none ended. */
    double mean_length;
    /* Mean reward per step, over all samples of the iteration. */
    double mean_reward;
    /* The objective of the actor, mean over the minibatches. */
    double surrogate;
    /* Half the mean squared error of the critic. */
    double value_loss;
    /* Fraction of the variance of returns that the critic predicted; 1: all. */
    double explained;
    /* How far the policy moved. */
    double kl;
    /* Fraction of samples whose ratio was beyond the clip, in the last epoch. */
    double clipped;
    /* Learning rate of the actor for the next iteration. */
    double actor_rate;
    /* Mean standard deviation of actions. */
    double noise;
    double collect_seconds, update_seconds;
} sn_training;

/* The trainer steps the environment, which must outlive it; do not step it otherwise meanwhile. def NULL:
   all defaults. */
SN_API sn_trainer *sn_trainer_create(sn_environment *env, const sn_trainer_def *definition, sn_error *error);
/* NULL is allowed. */
SN_API void sn_trainer_free(sn_trainer *trainer);
/* The first iteration only scales observations. `training` may be NULL. */
SN_API sn_status sn_trainer_iterate(sn_trainer *trainer, sn_training *training, sn_error *error);
/* Writes everything that the next iteration depends on. The file is replaced as a whole or stays as it
   was. A trainer for the same task and definition, except threads and ranks, continues from there with
   the same bits. The first rank writes. */
SN_API sn_status sn_trainer_save(sn_trainer *trainer, const char *path, sn_error *error);
/* Fills iterations and samples of `training`, unless NULL. The first rank reads. */
SN_API sn_status sn_trainer_restore(sn_trainer *trainer, const char *path, sn_training *training,
                                    sn_error *error);
/* What it has learned so far, with a text that is kept in policy files (NULL: none); to be freed. NULL:
   out of memory. */
SN_API sn_policy *sn_trainer_policy(const sn_trainer *trainer, const char *note, sn_error *error);

#ifdef __cplusplus
}
#endif

#endif
