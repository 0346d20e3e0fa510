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
    /* Set by sn_imitation_def_default. */
    uint32_t struct_size;
    /* The character. Its first body has a free joint; it must outlive the environment. [default NULL] */
    const sn_model *model;
    /* The motion to imitate, of this model, which is copied. NULL: locomotion at `speed`. [default NULL] */
    const sn_motion *motion;
    /* A list of motions instead of one: copy i imitates number i modulo `nmotions`, and the policy observes which it is.
       [default NULL] */
    const sn_motion *const *motions;
    /* Length of that list. [default 0; 0 to 4096] */
    int nmotions;
    /* Speed along the first heading, without a motion. [m/s; default 1; -100 to 100] */
    double speed;
    /* Control steps per second. [default 30; 1 to 100000] */
    int rate;
    /* World steps in each control step. [default 8; 1 to 100000] */
    int substeps;
    /* How rotations are observed. [default SN_FEATURES_2018] */
    sn_features features;
    /* What actions mean. [default SN_TARGETS_RESIDUAL] */
    sn_targets targets;
    /* How far an action of 1 turns a joint; DeepMimic's is 1. 0: .4, or 1 if targets are absolute. [rad; default 0; from 0] */
    double action_scale;
    /* Whether the distance and heading to the reference's root are not observed. [default false] */
    bool hide_root;
    /* Whether the model's torque limits apply. [default true] */
    bool torque_limits;
    /* Whether bodies of a character collide with each other. [default false] */
    bool self_contact;
    /* Length of an episode. [s; default 20; above 0 to 1e9] */
    double limit;
    /* Friction of the ground. [default 0.9; from 0] */
    double friction;
    /* Drag of a fluid along the bodies (sn_drag_push of dynamics.h): the character swims, without ground and gravity. For
       locomotion only, at most `drag_across`. [1/s; default 0; from 0] */
    double drag_along;
    /* Drag across the bodies. 0: it walks. At most half the world steps per second. [1/s; default 0; from 0] */
    double drag_across;
    /* Largest force on the root, for .2 s about every 2 s, from random sides. [N; default 0; 0 to 1e9] */
    double push;
    /* Mass of a ball that is thrown at it about every 2 s, from any side. 0: none is. [kg; default 0; 0 to 1e4] */
    double ball;
    /* Horizontal speed of the ball. 0: 5. [m/s; default 0; 0 to 100] */
    double ball_speed;
    /* Each episode multiplies all masses and inertias by a factor from 1 - this to 1 + this. [default 0; 0 to 0.95] */
    double mass_range;
    /* The same for the friction of the ground. [default 0; 0 to 1] */
    double friction_range;
    /* The same for kp and kd together. [default 0; 0 to 0.95] */
    double gain_range;
    /* Mean time between commands: a heading and, without a motion, a speed, which the policy observes and is rewarded for
       following. 0: there are none. [s; default 0; 0 to 1e6] */
    double command;
    /* Largest change of the heading in one command. 0: 1. [rad; default 0; 0 to 3.15] */
    double command_turn;
    /* Slowest and fastest commanded speed, without a motion. Both 0: always `speed`. [m/s; default 0 0; -100 to 100] */
    double command_speed[2];
    /* Shape of the ground. On any but flat ground the heights around the root are observed. [default SN_TERRAIN_FLAT] */
    sn_terrain terrain;
    /* Height from its lowest to its highest places. 0: .1. [m; default 0; 0 to 5] */
    double terrain_height;
    /* Another ground of the same shape. [default 0] */
    uint64_t terrain_seed;
    /* Where torques come from instead of the step, from studies.h. [default NULL] */
    const sn_study *study;
    /* Gains [nv], with 0 for the root. NULL: the model's, or chosen if it has none. [default NULL] */
    const double *kp;
    /* Derivative gains, which come with kp. [default NULL] */
    const double *kd;
    /* Weights [nbody] of joints in the reward. NULL: by name, as in DeepMimic. [default NULL] */
    const double *weight;
    /* [nbody] 1: may touch the ground. NULL: ankle, foot, toe, paw or hoof in the name. [default NULL] */
    const uint8_t *foot;
    /* [nbody] 1: end effector. NULL: bodies without children except head and neck. [default NULL] */
    const uint8_t *effector;
} sn_imitation_def;

static inline sn_imitation_def sn_imitation_def_default(const sn_model *model, const sn_motion *motion) {
    sn_imitation_def def;
    sn_def_default("sn_imitation_def", &def, sizeof def, 0);
    def.model = model;
    def.motion = motion;
    return def;
}

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

/* How many copies of a task there are, and who runs them. Make one with sn_environment_def_default. */
typedef struct sn_environment_def {
    /* Set by sn_environment_def_default. */
    uint32_t struct_size;
    /* Number of copies. [default 256; 1 to 1048576] */
    int copies;
    /* Threads that reset and step use, including the caller's. 0: one per core. [default 1; 0 to 4096; not hashed] */
    int threads;
    /* Everything random follows from it. [default 0] */
    uint64_t seed;
    /* What happens to a copy whose episode has ended. Trainers restart it in the same step in any case.
       [default SN_AUTORESET_SAME_STEP] */
    sn_autoreset autoreset;
} sn_environment_def;

static inline sn_environment_def sn_environment_def_default(void) {
    sn_environment_def def;
    sn_def_default("sn_environment_def", &def, sizeof def, 0);
    return def;
}

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
    /* Values are clamped to the range from value_low to value_high. Both 0: they are not. [default 0; -1e9 to 1e9] */
    double value_low;
    /* Upper end of that range. [default 0; -1e9 to 1e9] */
    double value_high;
    /* Learning rate of the actor. [default 5e-5; 0 to 1e3] */
    double actor_rate;
    /* Learning rate of the critic. [default 5e-4; 0 to 1e3] */
    double critic_rate;
    /* The actor's rate adapts to this divergence per iteration. 0: it is constant. [default 0.08; 0 to 1e3] */
    double kl_target;
    /* Beyond this many times the target, the actor waits for the next rollout. 0: never. [default 2; 0 to 1e6] */
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
    /* Other processes that train with this one; copied. NULL: it trains alone. All ranks make a trainer with the same
       definition over an environment of their own with all copies, and call the same functions; each steps only its share of
       the copies. [default NULL] */
    const sn_exchange *exchange;
} sn_trainer_def;

static inline sn_trainer_def sn_trainer_def_default(void) {
    sn_trainer_def def;
    sn_def_default("sn_trainer_def", &def, sizeof def, 0);
    return def;
}

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

#ifdef __cplusplus
}
#endif

#include "sinew/search.h"

#endif
