/* Sinew: characters that learn. Environments in many copies, a trainer (PPO), policies as files;
 * searches for parameters (CMA-ES, policy gradients) at the end.
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

/* What the ground is like: docs/learning.md has the formulas. One field of heights for all; every episode begins somewhere else
   on it. */
typedef enum sn_terrain {
    SN_TERRAIN_FLAT,
    SN_TERRAIN_BUMPS,  /* every metre another height */
    SN_TERRAIN_SLOPES, /* every six metres */
    SN_TERRAIN_STEPS,  /* level squares of a metre each */
    SN_TERRAIN_MIXED   /* all of them, by and by */
} sn_terrain;

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
    double drag_along,
        drag_across; /* 1/s: it swims in a fluid that resists so (sn_drag_push of dynamics.h), without ground
                            and gravity; for locomotion alone, at most half the steps per second; default 0, 0: it walks */
    double push;     /* N, at most, on the root for .2 s every 2 s or so, from random sides; default 0 */
    double ball; /* kg: a ball of this mass is thrown at the character every 2 s or so, from any side; default 0: none */
    double ball_speed; /* m/s over the ground; 0: 5 */
    /* Each episode of each copy has its own factors, within 1 - range .. 1 + range; below 1. All default 0. */
    double mass_range;     /* of all masses and inertias */
    double friction_range; /* of the ground's friction */
    double gain_range;     /* of kp and kd, both alike */
    /* Commands: a heading and, without a motion, a speed, which the policy observes and is judged by. */
    double command; /* s from one command to the next, on average, at random times; default 0: no commands */
    double command_turn;     /* rad by which a heading may be off the one before, at most, either way; 0: 1 */
    double command_speed[2]; /* m/s, from and to, without a motion; both 0: always `speed` */
    sn_terrain terrain;      /* default SN_TERRAIN_FLAT; heights around the root are observed on all others */
    double terrain_height;   /* m from its lowest to its highest places; 0: .1 */
    uint64_t terrain_seed;   /* other seeds, other ground; default 0 */
    const sn_study *study;   /* where torques come from instead of the step, from studies.h; default NULL */
    const double *kp,
        *kd; /* [nv] copied; those of the root must be 0; default NULL: the model's, or chosen where it has none */
    const double *
        weight; /* [nbody] of joints in the reward; default NULL: by names, as DeepMimic's characters have them */
    const uint8_t
        *foot; /* [nbody] 1: may touch the ground; default NULL: ankle, foot, toe, paw or hoof in the name */
    const uint8_t *
        effector; /* [nbody] 1: an end effector; default NULL: bodies without children, but for head and neck */
} sn_environment_def;

SN_API sn_environment_def sn_environment_def_default(const sn_model *model, const sn_motion *motion);
SN_API sn_environment *sn_environment_create(const sn_environment_def *definition, sn_error *error);
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

/* Where a copy is: a world, to be looked at, recorded and pushed, and the copy's number in it; the character is member 0, a
   ball member 1. */
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

/* How an episode went. */
typedef struct sn_policy_episode {
    double normalised; /* mean reward per step, 0 after a fall */
    double seconds;    /* that it lasted */
    bool lasted;       /* to the end */
} sn_policy_episode;

/* Lets it act, without noise, for one episode in every copy of the environment, which is reset before, with these seeds
   [copies] or, where NULL, as it goes. An episode with a seed is the same wherever its copy stands: many can be shared out. */
SN_API sn_status sn_policy_episodes(sn_policy *policy, sn_environment *env, const uint64_t *seed,
                                    sn_policy_episode *episode /* [copies] */, sn_error *error);
SN_API void sn_policy_add_up(int episodes, const sn_policy_episode *episode, sn_policy_score *score);
/* Both in one. */
SN_API sn_status sn_policy_evaluate(sn_policy *policy, sn_environment *env, const uint64_t *seed,
                                    sn_policy_score *score, sn_error *error);

/* ------------------------------------------------------------------------------------------- Trainer */

/* How processes that train one policy together, the ranks, tell each other what they have; on one machine or many, by MPI
   for example (the command: `mpirun -n 4 sinew train ...`). The number of ranks changes no bit, as long as the machines are
   of one kind. */
typedef struct sn_exchange {
    int rank, ranks; /* this one, from 0; all, at most 256 */
    /* `data` is as large on all ranks, and rank r has filled its bytes from begin[r] up to begin[r + 1]; begin [ranks + 1]. When
       it returns, all have all. Ranks come to it in the same order. Other than SN_OK: a rank is gone; who hears that is of no
       use any more. */
    sn_status (*share)(void *user, void *data, const size_t *begin, sn_error *error);
    void *user;
} sn_exchange;

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
    const sn_exchange
        *exchange; /* with others, copied; default NULL: alone. All ranks then make a trainer of the same
                                    definition over an environment of their own, with all copies, and call the functions
                                    below alike; each steps its part of the copies alone */
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
SN_API sn_trainer *sn_trainer_create(sn_environment *env, const sn_trainer_def *definition, sn_error *error);
SN_API void sn_trainer_free(sn_trainer *trainer); /* NULL is allowed */
SN_API sn_status sn_trainer_iterate(sn_trainer *trainer, sn_training *training, sn_error *error);
/* Iterates until `go_on`, which is told of each iteration, says false; several ranks must say so in the same one. */
SN_API sn_status sn_trainer_run(sn_trainer *trainer, bool (*go_on)(void *user, const sn_training *training),
                                void *user, sn_error *error);
/* Everything that the next iteration depends on, written whole or not at all; a trainer for the same task with the same
   definition, threads and ranks apart, goes on from there with the same bits. Of several ranks the first writes. */
SN_API sn_status sn_trainer_save(sn_trainer *trainer, const char *path, sn_error *error);
/* Where a checkpoint is refused nothing has changed. Of several ranks the first reads. */
SN_API sn_status sn_trainer_restore(sn_trainer *trainer, const char *path, sn_error *error);
/* How far it is: iterations and samples, which a checkpoint brings with it; the rest is 0. */
SN_API void sn_trainer_progress(const sn_trainer *trainer, sn_training *training);
/* What it has learned so far, to be freed; NULL and an error: out of memory. */
SN_API sn_policy *sn_trainer_policy(const sn_trainer *trainer, sn_error *error);

/* -------------------------------------------------------------------------------------------- Search */

/* For what has some parameters and a score instead of actions and rewards: a gait, gains, a design. The caller judges
   candidates, in whatever order and on as many threads as it likes:

       sn_search_def def = sn_search_def_default(SN_SEARCH_CMA, n);
       sn_search *search = sn_search_create(&def, &error);
       while (...) {
           const double *x = sn_search_ask(search);
           for (int i = 0; i < sn_search_candidates(search); i++) score[i] = ... x + i * n ...;
           sn_search_tell(search, score, &error);
       }
       const double *found = sn_search_best(search, NULL);

   The same seed and scores give the same candidates. */
typedef enum sn_search_method {
    SN_SEARCH_CMA, /* CMA-ES (Hansen 2016): candidates from a normal distribution whose mean, width and axes adapt */
    SN_SEARCH_GRADIENT, /* episodic policy gradient (REINFORCE with the best constant baseline, Peters and Schaal 2006): the
                           policy draws the parameters of an episode from a normal distribution of fixed width; Adam moves
                           its mean */
    SN_SEARCH_NATURAL /* its natural form: steps are measured by how much the policy changes */
} sn_search_method;

typedef struct sn_search_def {
    sn_search_method method;
    int n;               /* parameters */
    const double *start; /* [n] the mean at first, copied; default NULL: zeros */
    double width;        /* standard deviation of candidates, of CMA-ES at first; default .3 */
    int candidates;      /* of a generation; 0: 4 + 3 ln n, and for gradients 2 n + 16; default 0 */
    uint64_t seed;       /* default 0 */
    double rate;         /* SN_SEARCH_GRADIENT: of Adam; default .03 */
    double divergence; /* SN_SEARCH_NATURAL: how far a step may change the policy, as Kullback and Leibler have it;
                            default .5, a step of one width */
} sn_search_def;

typedef struct sn_search sn_search;

SN_API sn_search_def sn_search_def_default(sn_search_method method, int n);
SN_API sn_search *sn_search_create(const sn_search_def *definition, sn_error *error);
SN_API void sn_search_free(sn_search *search); /* NULL is allowed */
SN_API int sn_search_candidates(const sn_search *search);
/* The candidates of this generation, [candidates][n]; they stay until they are judged. */
SN_API const double *sn_search_ask(sn_search *search);
/* Their scores, [candidates]: more is better, one that is not a number is worse than all others. Without sn_search_ask
   before it, SN_ERROR_ARGUMENT. */
SN_API sn_status sn_search_tell(sn_search *search, const double *score, sn_error *error);
/* The mean of the distribution [n], which is what gradients move; the best candidate ever and its score (may be NULL), or, before
   there is one, the mean and -infinity. */
SN_API const double *sn_search_mean(const sn_search *search);
SN_API const double *sn_search_best(const sn_search *search, double *score);
SN_API uint64_t sn_search_generation(const sn_search *search); /* so many have been judged */

#ifdef __cplusplus
}
#endif

#endif
