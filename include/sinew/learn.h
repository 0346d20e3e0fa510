/* Sinew: characters that learn. Environments in many copies, a trainer (PPO), policies as files.
 *
 *     sn_environment_def task = sn_environment_def_default(model, motion);
 *     sn_environment *env = sn_environment_create(&task, &error);
 *     sn_trainer_def def = sn_trainer_def_default();
 *     sn_trainer *trainer = sn_trainer_create(env, &def, &error);
 *     while (...) sn_trainer_iterate(trainer, &progress, &error);
 *     sn_policy *policy = sn_trainer_policy(trainer, &error);
 *     sn_policy_save(policy, "walk.policy", &error);
 *
 * docs/learning.md tells what observations, actions and rewards are. All arrays are the caller's, one row per copy and
 * without gaps, so that arrays of another language can be handed over as they are: float is 32 bits, bool one byte. An object
 * belongs to one thread at a time; environments and trainers have threads of their own, whose number changes no bit. */
#ifndef SINEW_LEARN_H
#define SINEW_LEARN_H

#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------- Environments */

typedef struct sn_environment sn_environment;

/* How rotations are observed, and how actions name them. */
typedef enum sn_features {
    SN_FEATURES_2018, /* DeepMimic's first: quaternions; absolute actions of ball joints are angle and axis, 4 numbers */
    SN_FEATURES_2021 /* its second: normal and tangent; exponential maps, 3 numbers */
} sn_features;

typedef enum sn_targets {
    SN_TARGETS_RESIDUAL, /* actions turn what the reference will be at the end of the control step */
    SN_TARGETS_ABSOLUTE  /* actions are poses, as in DeepMimic */
} sn_targets;

/* What becomes of a copy whose episode has ended. */
typedef enum sn_autoreset {
    SN_AUTORESET_SAME_STEP, /* it begins anew at once: `observation` is the first of the new episode, `final` the last of the
                               old one */
    SN_AUTORESET_NEXT_STEP, /* it begins anew in the next step, whose action it ignores, with reward 0 and no flag set */
    SN_AUTORESET_OFF /* the caller resets it */
} sn_autoreset;

/* A character that imitates a motion, as DeepMimic has it, or, without a motion, walks on by itself. Make one with
   sn_environment_def_default. */
typedef struct sn_environment_def {
    const sn_model *model;   /* its first body is free; must outlive the environment */
    const sn_motion *motion; /* of this model, must outlive the environment; NULL: locomotion at `speed` */
    double speed;            /* m/s along the heading at the start, without a motion; default 1 */
    int copies;              /* default 256 */
    int threads;             /* of reset and step, the caller's own among them; 0: one per core; default 1 */
    uint64_t seed;           /* default 0 */
    sn_autoreset
        autoreset;      /* default SN_AUTORESET_SAME_STEP; trainers do as in this one whatever is said here */
    int rate, substeps; /* control steps per second, steps of each; default 30 and 8 */
    sn_features features; /* default SN_FEATURES_2018 */
    sn_targets targets;   /* default SN_TARGETS_RESIDUAL */
    double action_scale; /* what an action of 1 turns, as a part of what it does in DeepMimic; default .4, and 1 where targets
                            are absolute: 0 stands for that */
    bool hide_root; /* do not observe where the reference's root is: heading and position error; default false */
    bool torque_limits; /* as the model has them; default true */
    bool self_contact;  /* default false */
    double limit;       /* s of an episode; default 20 */
    double friction;    /* of the ground; default .9 */
    double push;        /* N, at most, on the root for .2 s every 2 s or so, from random sides; default 0 */
    const double *kp,
        *kd; /* [nv] copied; those of the root must be 0; default NULL: the model's, or chosen where it has none */
    const double *
        weight; /* [nbody] of joints in the reward; default NULL: by names, as DeepMimic's characters have them */
    const uint8_t *foot; /* [nbody] 1: may touch the ground; default NULL: ankle, foot, toe or paw in the name */
    const uint8_t *
        effector; /* [nbody] 1: an end effector; default NULL: bodies without children, but for head and neck */
} sn_environment_def;

SN_API sn_environment_def sn_environment_def_default(const sn_model *model, const sn_motion *motion);
SN_API sn_environment *sn_environment_create(const sn_environment_def *def, sn_error *error);
SN_API void sn_environment_free(sn_environment *env); /* NULL is allowed */

typedef struct sn_environment_info {
    int copies, observations, actions;
    int rate;          /* control steps per second */
    uint64_t model;    /* hash of the character */
    uint64_t features; /* hash of what observations and actions mean: a policy is for one of them */
    uint64_t task;     /* hash of everything that a training depends on, the motion included */
} sn_environment_info;

SN_API void sn_environment_get_info(const sn_environment *env, sn_environment_info *info);

/* New episodes in the copies with which[i] != 0 (NULL: all); fills their rows of observation [copies][observations]. With
   seed [copies], what is random in a copy follows from its seed alone from then on; NULL: it goes on as it was. */
SN_API sn_status sn_environment_reset(sn_environment *env, const uint8_t *which, const uint64_t *seed,
                                      float *observation, sn_error *error);

/* What a step fills; all but the first four may be NULL. */
typedef struct sn_environment_out {
    float *observation; /* [copies][observations] */
    float *reward;      /* [copies] */
    bool *terminated; /* [copies] the task is over, by a fall for example: what would follow is worth nothing */
    bool *truncated; /* [copies] only the time was up */
    float *final;    /* [copies][observations] of copies that ended, where they begin anew in the same step */
    double *episode_return;  /* [copies] sum of rewards since the episode began, this step's included */
    int32_t *episode_length; /* [copies] steps */
} sn_environment_out;

/* One control step of all copies under action [copies][actions]. */
SN_API sn_status sn_environment_step(sn_environment *env, const float *action, const sn_environment_out *out,
                                     sn_error *error);

/* Where a copy is: a world, to be looked at, recorded and pushed, and the copy's number in it; the character is member 0. */
SN_API sn_world *sn_environment_world(sn_environment *env, int copy, int *number);
/* The pose [nq] that the reference has now, where this copy should be. False: there is no motion. */
SN_API bool sn_environment_reference(const sn_environment *env, int copy, double *q);

/* ------------------------------------------------------------------------------------------ Policies */

/* What is needed to act: a network and the scale of its observations. */
typedef struct sn_policy sn_policy;

/* Formats and checks are told in docs/learning.md. Files are written whole or not at all. */
SN_API sn_policy *sn_policy_load(const char *path, sn_error *error);
SN_API sn_status sn_policy_save(const sn_policy *policy, const char *path, sn_error *error);
/* As an ONNX file: from "observation" [rows][observations] to "action" [rows][actions]. */
SN_API sn_status sn_policy_export(const sn_policy *policy, const char *path, sn_error *error);
SN_API void sn_policy_free(sn_policy *policy); /* NULL is allowed */
SN_API int sn_policy_observations(const sn_policy *policy);
SN_API int sn_policy_actions(const sn_policy *policy);
/* Actions without noise: observation [rows][observations], action [rows][actions]. */
SN_API sn_status sn_policy_act(sn_policy *policy, int rows, const float *observation, float *action);
/* Whether it is for the environment's character, observations and actions. */
SN_API sn_status sn_policy_check(const sn_policy *policy, const sn_environment *env, sn_error *error);
/* A text that is kept in the file, as the command's settings; "" at first. */
SN_API const char *sn_policy_note(const sn_policy *policy);
SN_API sn_status sn_policy_set_note(sn_policy *policy, const char *note);

typedef struct sn_policy_score {
    int episodes;          /* all begin at their own place of the motion */
    int lasted;            /* of them, to the end */
    double normalised;     /* mean reward per step, 0 after a fall: DeepMimic's normalised return */
    double shortest, mean; /* s that episodes lasted */
} sn_policy_score;

/* Lets it act, without noise, for one episode in every copy of the environment, which is reset before, with these seeds
   [copies] or, where NULL, as it goes. */
SN_API sn_status sn_policy_evaluate(sn_policy *policy, sn_environment *env, const uint64_t *seed,
                                    sn_policy_score *score, sn_error *error);

/* ------------------------------------------------------------------------------------------- Trainer */

/* Proximal policy optimisation (Schulman and others 2017). Make one with sn_trainer_def_default. */
typedef struct sn_trainer_def {
    uint64_t seed;                  /* default 0 */
    int threads;                    /* 0: one per core; default 0 */
    int hidden[4];                  /* widths of the hidden layers, up to the first 0; default 128, 128 */
    bool tanh;                      /* instead of ReLU; default false */
    bool momentum;                  /* SGD with momentum .9 instead of Adam; default false */
    int horizon, minibatch, epochs; /* steps of a rollout, samples, passes; default 16, 512, 3 */
    double gamma, lambda;           /* of rewards and of advantages; default .95, .95 */
    double clip;                    /* how far the ratio of probabilities counts; default .2 */
    double actor_rate, critic_rate; /* default 5e-5, 5e-4 */
    double kl_target;               /* the actor's rate follows it; 0: it stays; default .08 */
    double gradient_norm;           /* at most; 0: no limit; default 1 */
    double noise;                   /* standard deviation of actions; default .05 */
    bool learn_noise;               /* it is a parameter of each action; default false */
    double entropy;                 /* weight of its logarithm; default 0 */
    double normalise_samples;       /* observations are scaled by the first so many; 0: by all; default 0 */
} sn_trainer_def;

typedef struct sn_trainer sn_trainer;

/* What an iteration did: a rollout in all copies, then some passes over it. */
typedef struct sn_training {
    uint64_t iterations, samples; /* so far */
    int episodes;                 /* that ended in this iteration */
    double mean_return;           /* of them, without discount; NaN: none ended */
    double mean_length;           /* of them, s; likewise */
    double mean_reward;           /* per step, over all samples of the iteration */
    double value_loss;            /* mean square of what the critic was off by, halved */
    double explained;             /* part of the variance of returns that the critic foretold; 1: all */
    double kl;                    /* how far the policy moved */
    double actor_rate;            /* for the next iteration */
    double noise;                 /* mean standard deviation of actions */
    double collect_seconds, update_seconds;
} sn_training;

SN_API sn_trainer_def sn_trainer_def_default(void);
/* It steps the environment, which must live longer, and is not to be stepped otherwise meanwhile. */
SN_API sn_trainer *sn_trainer_create(sn_environment *env, const sn_trainer_def *def, sn_error *error);
SN_API void sn_trainer_free(sn_trainer *trainer); /* NULL is allowed */
SN_API sn_status sn_trainer_iterate(sn_trainer *trainer, sn_training *training, sn_error *error);
/* Iterates until `go_on`, which is told of each iteration, says false. */
SN_API sn_status sn_trainer_run(sn_trainer *trainer, bool (*go_on)(void *user, const sn_training *training),
                                void *user, sn_error *error);
/* Everything that the next iteration depends on, written whole or not at all; a trainer for the same task with the same
   definition, threads apart, goes on from there with the same bits. */
SN_API sn_status sn_trainer_save(sn_trainer *trainer, const char *path, sn_error *error);
/* Where a checkpoint is refused nothing has changed. */
SN_API sn_status sn_trainer_restore(sn_trainer *trainer, const char *path, sn_error *error);
/* How far it is: iterations and samples, which a checkpoint brings with it; the rest is 0. */
SN_API void sn_trainer_progress(const sn_trainer *trainer, sn_training *training);
/* What it has learned so far, to be freed; NULL and an error: out of memory. */
SN_API sn_policy *sn_trainer_policy(const sn_trainer *trainer, sn_error *error);

#ifdef __cplusplus
}
#endif

#endif
