/* Sinew: characters that learn. Tasks, environments in many copies, a trainer (PPO), policies as files; parameter searches
 * (CMA-ES, policy gradients) at the end.
 *
 *     sn_imitation_def walk = sn_imitation_def_default(model, motion);
 *     sn_task task;
 *     sn_imitation_task(&task, &walk, &error);                     // or a task of your own: examples/task.c
 *     sn_environment *env = sn_environment_create(&task, NULL, &error);
 *     sn_trainer *trainer = sn_trainer_create(env, NULL, &error);
 *     while (...) sn_trainer_iterate(trainer, &progress, &error);
 *     sn_policy *policy = sn_trainer_policy(trainer, &error);
 *     sn_policy_save(policy, "walk.policy", &error);
 *
 * docs/learning.md is the tutorial. You own all arrays: one row per copy, without gaps, float is 32 bits and bool one byte, so
 * arrays of other languages can be passed as they are. One thread at a time may use an object. Environments and trainers have
 * threads of their own; their number never changes a result, not even by a bit. */
#ifndef SINEW_LEARN_H
#define SINEW_LEARN_H

#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------------------------- Tasks */

/* The running episode of one copy. The environment keeps it and tasks read it; only `begin` may change something, by
   lowering `limit`. */
typedef struct sn_episode {
    uint64_t seed; /* everything random in the copy must follow from seed, item, count and steps */
    uint32_t
        item; /* tells copies with the same seed apart: the copy's number, or 0 once it was given a seed of its own */
    uint32_t count; /* episodes begun in this copy, this one included */
    int32_t steps;  /* control steps done */
    int32_t limit;  /* control steps after which the episode is truncated */
    double total;   /* sum of its rewards so far */
} sn_episode;

/* Random number `index` of this control step, in (0, 1). It depends on nothing but the episode, the step and the index, so nothing
   about a generator has to be saved. */
SN_API double sn_episode_random(const sn_episode *episode, uint32_t index);

enum { SN_MAX_PART_COPIES = 16 }; /* largest number of copies in a part */

/* Copies that one thread runs together, in a world of their own. All parts of an environment have the same number of copies. */
typedef struct sn_part {
    int copies;
    int first;           /* number of its first copy in the environment */
    sn_episode *episode; /* [copies] */
    void *state;         /* [copies] blocks of sn_task.state bytes, zero at first */
    sn_world
        *world; /* set by `open`; the environment saves, restores and frees it; NULL: the task has no world */
    void *own;  /* set by `open` to whatever the task needs besides; `close` frees it */
} sn_part;

/* A task: what a policy observes, what its actions do, and what earns a reward. It is a table of functions. Different threads
   call them for different parts at the same time, never for the same part twice, so they must write only to the part they are
   given. They return SN_OK, or an error that ends the training or the call.

   Each control step calls `act`, `reward`, `ends` and `observe`, in this order; copies whose episode has ended then go through
   `begin` and `observe`. `which` has one byte per copy of the part: functions that get it serve the copies with which[i] != 0
   and leave the others alone. */
typedef struct sn_task {
    void *user; /* the first argument of all functions */
    const char *
        name; /* says what observations and actions mean; policies are for tasks with the same name and sizes */
    int observations, actions;
    int terms;    /* of the reward, which is their sum */
    int rate;     /* control steps per second */
    double limit; /* length of an episode in seconds; then it is truncated */
    size_t state; /* bytes of plain data per copy that the environment keeps, saves and restores; 0: none */
    const char *const *observation_names; /* [observations], [actions] and [terms]; NULL: they have no names */
    const char *const *action_names;
    const char *const *term_names;
    const sn_model *model; /* the character that policies are for; NULL: they are for any */
    uint64_t meaning;      /* hash of what observations and actions mean; 0: the name stands for it */
    uint64_t
        identity; /* hash of everything else a training depends on, checked when one is resumed; 0: unchecked */

    /* Makes the part's world and its own memory. May be NULL if neither is needed. */
    sn_status (*open)(void *user, sn_part *part, sn_error *error);
    /* Frees part->own; also called if `open` failed. May be NULL. */
    void (*close)(void *user, sn_part *part);
    /* Starts new episodes. */
    sn_status (*begin)(void *user, sn_part *part, const uint8_t *which, sn_error *error);
    /* Applies action [copies][actions] and steps the world up to the next control step. */
    sn_status (*act)(void *user, sn_part *part, const float *action, sn_error *error);
    /* Fills term [copies][terms] for the step that `act` made. */
    sn_status (*reward)(void *user, sn_part *part, double *term, sn_error *error);
    /* Sets flags that are false before: terminated, the task is over and nothing that could follow is worth anything (a fall);
       truncated, it only has to stop here. The environment adds the time limit. May be NULL. */
    sn_status (*ends)(void *user, sn_part *part, bool *terminated, bool *truncated, sn_error *error);
    /* Fills rows of observation [copies][observations] from the state as it is now. */
    sn_status (*observe)(void *user, sn_part *part, const uint8_t *which, float *observation,
                         sn_error *error);
    /* The pose q [nq] that a copy should have now, for pictures; false: there is none. May be NULL. */
    bool (*reference)(void *user, const sn_part *part, int copy, double *q);
    /* Frees `user` when the environment is freed or could not be made. May be NULL. */
    void (*free)(void *user);
} sn_task;

/* ------------------------------------------------------------------------- Tasks that come with Sinew */

/* How rotations are observed, and how actions name them. */
typedef enum sn_features {
    SN_FEATURES_2018, /* DeepMimic's first version: quaternions; absolute actions of ball joints are an angle and an axis */
    SN_FEATURES_2021 /* its second: normal and tangent; exponential maps, 3 numbers */
} sn_features;

typedef enum sn_targets {
    SN_TARGETS_RESIDUAL, /* actions turn the pose that the reference has at the end of the control step */
    SN_TARGETS_ABSOLUTE  /* actions are poses, as in DeepMimic */
} sn_targets;

/* Shape of the ground; docs/learning.md has the formulas. All copies share one height field, and every episode starts somewhere
   else on it. */
typedef enum sn_terrain {
    SN_TERRAIN_FLAT,
    SN_TERRAIN_BUMPS,  /* a new height every metre */
    SN_TERRAIN_SLOPES, /* a new height every six metres */
    SN_TERRAIN_STEPS,  /* level squares of one metre */
    SN_TERRAIN_MIXED   /* all of these, in patches */
} sn_terrain;

/* A character that imitates a motion, as in DeepMimic, or that moves at a given speed if there is no motion. Make one with
   sn_imitation_def_default. */
typedef struct sn_imitation_def {
    const sn_model *model; /* its first body has a free joint; must outlive the environment */
    /* The motion to imitate, of this model; NULL: locomotion at `speed`. Or a list of motions: copy i imitates number i modulo
       nmotions, and the policy observes which it is. Motions are copied. */
    const sn_motion *motion;
    const sn_motion *const *motions; /* [nmotions] default NULL, 0 */
    int nmotions;
    double speed;         /* m/s along the first heading, without a motion; default 1 */
    int rate, substeps;   /* control steps per second, and world steps in each; default 30 and 8 */
    sn_features features; /* default SN_FEATURES_2018 */
    sn_targets targets;   /* default SN_TARGETS_RESIDUAL */
    double action_scale; /* how far an action of 1 turns a joint; DeepMimic's is 1; 0: .4, or 1 if targets are absolute */
    bool hide_root;     /* do not observe the distance and heading to the reference's root; default false */
    bool torque_limits; /* use the model's; default true */
    bool self_contact;  /* bodies of a character collide with each other; default false */
    double limit;       /* length of an episode in seconds; default 20 */
    double friction;    /* of the ground; default .9 */
    /* 1/s: it swims, without ground and gravity, in a fluid with this drag (sn_drag_push of dynamics.h). For locomotion only, at
       most half the steps per second; default 0, 0: it walks. */
    double drag_along, drag_across;
    double push; /* N, largest force on the root for .2 s about every 2 s, from random sides; default 0 */
    double ball; /* kg: a ball of this mass is thrown at it about every 2 s, from any side; default 0: none */
    double ball_speed; /* m/s, horizontally; 0: 5 */
    /* Each episode draws its own factors from 1 - range to 1 + range. All default to 0. */
    double mass_range;     /* of all masses and inertias; below 1 */
    double friction_range; /* of the ground's friction; at most 1 */
    double gain_range;     /* of kp and kd together; below 1 */
    /* Commands: a heading and, without a motion, a speed. The policy observes them and is rewarded for following. */
    double command;          /* mean time in seconds between commands; default 0: none */
    double command_turn;     /* rad, largest change of the heading in one command; 0: 1 */
    double command_speed[2]; /* m/s, slowest and fastest, without a motion; both 0: always `speed` */
    sn_terrain terrain; /* default SN_TERRAIN_FLAT; on any other the heights around the root are observed */
    double terrain_height; /* m from its lowest to its highest places; 0: .1 */
    uint64_t terrain_seed; /* default 0 */
    const sn_study *study; /* where torques come from instead of the step, from studies.h; default NULL */
    const double *kp, *kd; /* [nv] with 0 for the root; default NULL: the model's, or chosen if it has none */
    const double *weight;  /* [nbody] of joints in the reward; default NULL: by name, as in DeepMimic */
    const uint8_t
        *foot; /* [nbody] 1: may touch the ground; default NULL: ankle, foot, toe, paw or hoof in the name */
    const uint8_t
        *effector; /* [nbody] 1: end effector; default NULL: bodies without children except head and neck */
} sn_imitation_def;

SN_API sn_imitation_def sn_imitation_def_default(const sn_model *model, const sn_motion *motion);
/* Fills the table. Pass it to one sn_environment_create, which takes it over and frees it. */
SN_API sn_status sn_imitation_task(sn_task *task, const sn_imitation_def *definition, sn_error *error);

/* -------------------------------------------------------------------------------------- Environments */

typedef struct sn_environment sn_environment;

/* What happens to a copy whose episode has ended. */
typedef enum sn_autoreset {
    SN_AUTORESET_SAME_STEP, /* it restarts at once: `observation` is the first of the new episode, `final` the last of the old */
    SN_AUTORESET_NEXT_STEP, /* it restarts in the next step, which ignores its action and reports reward 0 and no flag */
    SN_AUTORESET_OFF /* the caller resets it */
} sn_autoreset;

typedef struct sn_environment_def {
    int copies;             /* default 256 */
    int threads;            /* used by reset and step, including the caller's; 0: one per core; default 1 */
    uint64_t seed;          /* default 0 */
    sn_autoreset autoreset; /* default SN_AUTORESET_SAME_STEP, which trainers use in any case */
} sn_environment_def;

SN_API sn_environment_def sn_environment_def_default(void);
/* Copies the table and takes over task->user: task->free is called when the environment is freed, or at once if this fails.
   Strings and arrays of names must outlive the environment. With def NULL everything has its default. */
SN_API sn_environment *sn_environment_create(const sn_task *task, const sn_environment_def *definition,
                                             sn_error *error);
SN_API void sn_environment_free(sn_environment *env); /* NULL is allowed */
/* Fills a definition that you made with sn_environment_def_default with what the environment was made with. */
SN_API void sn_environment_get_def(const sn_environment *env, sn_environment_def *definition);

typedef struct sn_environment_info {
    int copies, observations, actions, terms;
    int rate;         /* control steps per second */
    double limit;     /* length of an episode in seconds */
    const char *name; /* these four as in the task */
    const char *const *observation_names, *const *action_names, *const *term_names;
    uint64_t model;    /* hash of the character; 0: none */
    uint64_t features; /* hash of what observations and actions mean: a policy is for one of them */
    uint64_t task;     /* hash of everything a training depends on */
} sn_environment_info;

SN_API void sn_environment_get_info(const sn_environment *env, sn_environment_info *info);

/* Starts new episodes in the copies with which[i] != 0 (NULL: all) and fills their rows of observation
   [copies][observations]. With seed [copies], everything random in a copy follows from its seed from then on; with NULL its
   random numbers continue. */
SN_API sn_status sn_environment_reset(sn_environment *env, const uint8_t *which, const uint64_t *seed,
                                      float *observation, sn_error *error);

/* The arrays that a step fills. All but the first four may be NULL. */
typedef struct sn_environment_out {
    float *observation; /* [copies][observations] */
    float *reward;      /* [copies] */
    bool *terminated; /* [copies] the task is over, for example by a fall: nothing that could follow has any value */
    bool *truncated;         /* [copies] only the time was up */
    float *final;            /* [copies][observations] of copies that ended and restarted in the same step */
    double *episode_return;  /* [copies] sum of rewards of the episode, including this step's */
    int32_t *episode_length; /* [copies] control steps */
    float *term;             /* [copies][terms] of the reward */
} sn_environment_out;

/* One control step of all copies under action [copies][actions]. */
SN_API sn_status sn_environment_step(sn_environment *env, const float *action, const sn_environment_out *out,
                                     sn_error *error);
/* Fills observation [copies][observations] from the state as it is now, for example after you changed a world. */
SN_API sn_status sn_environment_observe(sn_environment *env, float *observation, sn_error *error);

/* Writes the state of all copies to `bytes`, if `size` is large enough, and returns the size that is needed; 0: out of memory.
   Restored, the environment continues with the same bits. A damaged snapshot is refused before anything changes. If
   the world itself refuses a later part, some copies are restored already: reset the environment then. */
SN_API size_t sn_environment_save(sn_environment *env, void *bytes, size_t size);
SN_API sn_status sn_environment_restore(sn_environment *env, const void *bytes, size_t size, sn_error *error);

/* The world that a copy is in, to look at, record and push, and the copy's number in it; NULL: there is none. In the tasks above
   the character is member 0 and a ball member 1. */
SN_API sn_world *sn_environment_world(sn_environment *env, int copy, int *number);
/* The pose q [nq] that this copy should have now, as the task tells it. False: it does not. */
SN_API bool sn_environment_reference(const sn_environment *env, int copy, double *q);

/* ------------------------------------------------------------------------------------------ Policies */

/* What is needed to act: a network and the scale of its observations. */
typedef struct sn_policy sn_policy;

/* Reads a policy file. docs/learning.md describes the format. */
SN_API sn_policy *sn_policy_load(const char *path, sn_error *error);
/* Writes a policy file or, if the name ends in .onnx, an ONNX file with the input "observation" [rows][observations] and the
   output "action" [rows][actions]. The file is replaced as a whole or stays as it was. */
SN_API sn_status sn_policy_save(const sn_policy *policy, const char *path, sn_error *error);
/* The bytes of a policy file, in memory: sn_policy_write fills `bytes` if `size` is large enough and returns the size that is
   needed; 0: out of memory. */
SN_API sn_policy *sn_policy_parse(const void *bytes, size_t size, sn_error *error);
SN_API size_t sn_policy_write(const sn_policy *policy, void *bytes, size_t size);
SN_API void sn_policy_free(sn_policy *policy); /* NULL is allowed */

enum { SN_MAX_POLICY_LAYERS = 8 }; /* at most */

/* A policy as arrays. An observation x becomes clamp((x - shift) * scale, -clip, clip), then each layer computes
   y = x W + b; hidden layers end with ReLU or tanh. */
typedef struct sn_policy_data {
    int layers;                                /* hidden ones and the last */
    int width[SN_MAX_POLICY_LAYERS + 1];       /* observations, hidden widths, actions */
    const float *weight[SN_MAX_POLICY_LAYERS]; /* W [width[i]][width[i + 1]] */
    const float *bias[SN_MAX_POLICY_LAYERS];   /* b [width[i + 1]] */
    bool tanh;                                 /* in hidden layers, instead of ReLU */
    bool squash;                /* tanh after the last layer; policies of sn_trainer have none */
    const float *shift, *scale; /* [observations] */
    float clip;
    const float *noise; /* [actions] standard deviation in training; NULL: 0 */
    const char *note;   /* a text that is kept in the file; NULL: none */
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
    double normalised; /* mean reward per step, counting 0 for the steps after a fall: DeepMimic's normalised return */
    double seconds; /* that it lasted */
    bool lasted;    /* to the end */
} sn_policy_episode;

/* How many episodes went. */
typedef struct sn_policy_score {
    int episodes;
    int lasted;            /* to the end */
    double normalised;     /* mean over all episodes */
    double shortest, mean; /* s */
} sn_policy_score;

/* Resets the environment and runs one episode in every copy, without noise. With seed [copies] an episode depends on its seed
   alone. You can therefore split episodes over environments or machines; sn_policy_add_up makes a score of them. */
SN_API sn_status sn_policy_evaluate(sn_policy *policy, sn_environment *env, const uint64_t *seed,
                                    sn_policy_episode *episode /* [copies] */, sn_error *error);
SN_API void sn_policy_add_up(int episodes, const sn_policy_episode *episode, sn_policy_score *score);

/* ------------------------------------------------------------------------------------------- Trainer */

/* How processes that train one policy together, the ranks, exchange data, on one machine or many; for example by MPI (the
   command: `mpirun -n 4 sinew train ...`). The number of ranks never changes a bit if all machines are of the same kind. */
typedef struct sn_exchange {
    int rank, ranks; /* this one, from 0; all, at most 256 */
    /* `data` has the same size on all ranks. Rank r has filled its bytes from begin[r] up to begin[r + 1]; begin [ranks + 1].
       On return, every rank has all of it. Ranks call it in the same order. Any status other than SN_OK means that a rank has
       died; the remaining ranks cannot continue. */
    sn_status (*share)(void *user, void *data, const size_t *begin, sn_error *error);
    void *user;
} sn_exchange;

/* Settings of proximal policy optimisation (Schulman and others 2017). Make one with sn_trainer_def_default. */
typedef struct sn_trainer_def {
    uint64_t seed; /* default 0 */
    int threads;   /* 0: one per core; default 0 */
    int hidden[4]; /* widths of the hidden layers, up to the first 0; default 128, 128 */
    bool tanh;     /* instead of ReLU; default false */
    bool momentum; /* SGD with momentum .9 instead of Adam; default false */
    int horizon, minibatch,
        epochs; /* steps of a rollout, samples per update, passes over a rollout; default 16, 512, 3 */
    double gamma, lambda;           /* discount of rewards, and of advantages; default .95, .95 */
    double clip;                    /* largest change of the probability ratio that counts; default .2 */
    double advantage_clip;          /* largest advantage, in standard deviations; 0: no limit; default 4 */
    double value_low, value_high;   /* values are clamped to this range; default both 0: they are not */
    double actor_rate, critic_rate; /* learning rates; default 5e-5, 5e-4 */
    double kl_target; /* the actor's rate adapts to this divergence per iteration; 0: it is constant; default .08 */
    double kl_stop; /* times the target: beyond it the actor waits for the next rollout; 0: never; default 2 */
    double rate_low, rate_high; /* range of the adapted rate; default 1e-6, 1e-2 */
    double gradient_norm;       /* largest norm of a gradient; 0: no limit; default 1 */
    double noise;               /* standard deviation of actions; default .05 */
    bool learn_noise;           /* the noise of each action is a parameter; default false */
    double entropy;             /* weight of the logarithm of the noise in the objective; default 0 */
    double last_layer;          /* factor of the actor's last weights at the start; default .01 */
    double normalise_samples; /* observations are scaled by the first samples up to this number; 0: by all; default 0 */
    /* With other processes; copied; default NULL: alone. All ranks make a trainer with the same definition over an environment of
       their own with all copies, and call the same functions; each steps its share of the copies only. */
    const sn_exchange *exchange;
} sn_trainer_def;

typedef struct sn_trainer sn_trainer;

/* What an iteration did: a rollout in all copies, then some passes over it. */
typedef struct sn_training {
    uint64_t iterations, samples; /* so far */
    int episodes;                 /* that ended in this iteration */
    double mean_return;           /* of them, without discount; NaN: none ended */
    double mean_length;           /* of them, in seconds; NaN: none ended */
    double mean_reward;           /* per step, over all samples of the iteration */
    double surrogate;             /* the objective of the actor, mean over the minibatches */
    double value_loss;            /* half the mean squared error of the critic */
    double explained;             /* fraction of the variance of returns that the critic predicted; 1: all */
    double kl;                    /* how far the policy moved */
    double clipped;               /* fraction of samples whose ratio was beyond the clip, in the last epoch */
    double actor_rate;            /* for the next iteration */
    double noise;                 /* mean standard deviation of actions */
    double collect_seconds, update_seconds;
} sn_training;

SN_API sn_trainer_def sn_trainer_def_default(void);
/* The trainer steps the environment, which must outlive it; do not step it otherwise meanwhile. def NULL: all defaults. */
SN_API sn_trainer *sn_trainer_create(sn_environment *env, const sn_trainer_def *definition, sn_error *error);
SN_API void sn_trainer_free(sn_trainer *trainer); /* NULL is allowed */
/* The first iteration only scales observations. `training` may be NULL. */
SN_API sn_status sn_trainer_iterate(sn_trainer *trainer, sn_training *training, sn_error *error);
/* Writes everything that the next iteration depends on. The file is replaced as a whole or stays as it was. A trainer for the
   same task and definition, except threads and ranks, continues from there with the same bits. The first rank writes. */
SN_API sn_status sn_trainer_save(sn_trainer *trainer, const char *path, sn_error *error);
/* Fills iterations and samples of `training`, unless NULL. The first rank reads. */
SN_API sn_status sn_trainer_restore(sn_trainer *trainer, const char *path, sn_training *training,
                                    sn_error *error);
/* What it has learned so far, with a text that is kept in policy files (NULL: none); to be freed. NULL: out of memory. */
SN_API sn_policy *sn_trainer_policy(const sn_trainer *trainer, const char *note, sn_error *error);

/* -------------------------------------------------------------------------------------------- Search */

/* For problems with some parameters and a score instead of actions and rewards: a gait, gains, a design. You judge the
   candidates, in any order and on as many threads as you like:

       sn_search_def def = sn_search_def_default(SN_SEARCH_CMA, n);
       sn_search *search = sn_search_create(&def, &error);
       while (...) {
           int candidates;
           const double *x = sn_search_ask(search, &candidates);
           for (int i = 0; i < candidates; i++) score[i] = ... x + i * n ...;
           sn_search_tell(search, score, &error);
       }
       const double *found = sn_search_best(search, NULL);

   The same seed and scores give the same candidates. */
typedef enum sn_search_method {
    SN_SEARCH_CMA, /* CMA-ES (Hansen 2016): a normal distribution whose mean, width and axes adapt */
    /* Episodic policy gradient (REINFORCE with the best constant baseline, Peters and Schaal 2006): candidates come from a normal
       distribution of fixed width; Adam moves its mean. */
    SN_SEARCH_GRADIENT,
    SN_SEARCH_NATURAL /* its natural form: steps are measured by how much the distribution changes */
} sn_search_method;

typedef struct sn_search_def {
    sn_search_method method;
    int n;               /* parameters */
    const double *start; /* [n] the first mean, copied; default NULL: zeros */
    double width;        /* standard deviation of candidates; of CMA-ES at the start; default .3 */
    int candidates;      /* per generation; 0: 4 + 3 ln n, and 2 n + 16 for gradients; default 0 */
    uint64_t seed;       /* default 0 */
    double rate;         /* SN_SEARCH_GRADIENT: learning rate of Adam; default .03 */
    double divergence; /* SN_SEARCH_NATURAL: Kullback-Leibler divergence of one step; default .5, a step of one width */
} sn_search_def;

typedef struct sn_search sn_search;

SN_API sn_search_def sn_search_def_default(sn_search_method method, int n);
SN_API sn_search *sn_search_create(const sn_search_def *definition, sn_error *error);
SN_API void sn_search_free(sn_search *search); /* NULL is allowed */
/* The candidates of this generation, [candidates][n]; they stay until they are judged. `candidates` may be NULL. */
SN_API const double *sn_search_ask(sn_search *search, int *candidates);
/* Scores [candidates] of the last sn_search_ask: more is better, and NaN is worse than all others. */
SN_API sn_status sn_search_tell(sn_search *search, const double *score, sn_error *error);
/* The mean of the distribution [n], which is what gradients move. */
SN_API const double *sn_search_mean(const sn_search *search);
/* The best candidate so far [n] and its score (may be NULL); before there is one, the mean and -infinity. */
SN_API const double *sn_search_best(const sn_search *search, double *score);

#ifdef __cplusplus
}
#endif

#endif
