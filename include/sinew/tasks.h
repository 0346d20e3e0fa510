/* Sinew: tasks, what a policy observes, does and is rewarded for. learn.h includes this file.
 *
 * examples/task.c is a task of its own. docs/learning.md is the tutorial. */
#ifndef SINEW_TASKS_H
#define SINEW_TASKS_H

#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The running episode of one copy. The environment keeps it and tasks read it; only `begin` may change
   something, by lowering `limit`. */
typedef struct sn_episode {
    /* Everything random in the copy must follow from seed, item, count and steps. */
    uint64_t seed;
    /* Tells copies with the same seed apart: the copy's number, or 0 once it was given a seed of its own. */
    uint32_t item;
    /* Episodes begun in this copy, this one included. */
    uint32_t count;
    /* Control steps done. */
    int32_t steps;
    /* Control steps after which the episode is truncated. */
    int32_t limit;
    /* Sum of its rewards so far. */
    double total;
} sn_episode;

/* Random number `index` of this control step, in (0, 1). It depends on nothing but the episode, the step
   and the index, so nothing about a generator has to be saved. */
SN_API double sn_episode_random(const sn_episode *episode, uint32_t index);

/* Largest number of copies in a part. */
enum { SN_MAX_PART_COPIES = 16 };

/* Copies that one thread runs together, in a world of their own. All parts of an environment have the
   same number of copies. */
typedef struct sn_part {
    int copies;
    /* Number of its first copy in the environment. */
    int first;
    /* [copies] */
    sn_episode *episode;
    /* [copies] blocks of sn_task.state bytes, zero at first. */
    void *state;
    /* Set by `open`; the environment saves, restores and frees it; NULL: the task has no world. */
    sn_world *world;
    /* Set by `open` to whatever the task needs besides; `close` frees it. */
    void *own;
} sn_part;

/* A task: what a policy observes, what its actions do, and what earns a reward. It is a table of
   functions. Different threads call them for different parts at the same time, never for the same part
   twice, so they must write only to the part they are given. They return SN_OK, or an error that ends the
   training or the call.

   Each control step calls `act`, `reward`, `ends` and `observe`, in this order; copies whose episode has
   ended then go through `begin` and `observe`. `which` has one byte per copy of the part: functions that
   get it serve the copies with which[i] != 0 and leave the others alone. */
typedef struct sn_task {
    /* The first argument of all functions. */
    void *user;
    /* Says what observations and actions mean; policies are for tasks with the same name and sizes. */
    const char *name;
    int observations, actions;
    /* Number of terms of the reward, which is their sum. */
    int terms;
    /* Control steps per second. */
    int rate;
    /* Length of an episode in seconds; then it is truncated. */
    double limit;
    /* Bytes of plain data per copy that the environment keeps, saves and restores; 0: none. */
    size_t state;
    /* [observations], [actions] and [terms]; NULL: they have no names. */
    const char *const *observation_names;
    const char *const *action_names;
    const char *const *term_names;
    /* The character that policies are for; NULL: they are for any. */
    const sn_model *model;
    /* Hash of what observations and actions mean; 0: the name stands for it. */
    uint64_t meaning;
    /* Hash of everything else a training depends on, checked when one is resumed; 0: unchecked. */
    uint64_t identity;

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
    /* Sets flags that are false before: terminated, the task is over and nothing that could follow is
       worth anything (a fall); truncated, it only has to stop here. The environment adds the time limit.
       May be NULL. */
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
    /* DeepMimic's first version: quaternions; absolute actions of ball joints are an angle and an axis. */
    SN_FEATURES_2018,
    /* Its second: normal and tangent; exponential maps, 3 numbers. */
    SN_FEATURES_2021
} sn_features;

typedef enum sn_targets {
    /* Actions turn the pose that the reference has at the end of the control step. */
    SN_TARGETS_RESIDUAL,
    /* Actions are poses, as in DeepMimic. */
    SN_TARGETS_ABSOLUTE
} sn_targets;

/* Shape of the ground; docs/learning.md has the formulas. All copies share one height field, and every
   episode starts somewhere else on it. */
typedef enum sn_terrain {
    SN_TERRAIN_FLAT,
    /* A new height every metre. */
    SN_TERRAIN_BUMPS,
    /* A new height every six metres. */
    SN_TERRAIN_SLOPES,
    /* Level squares of one metre. */
    SN_TERRAIN_STEPS,
    /* All of these, in patches. */
    SN_TERRAIN_MIXED
} sn_terrain;

/* A character that imitates a motion, as in DeepMimic, or that moves at a given speed if there is no
   motion. Make one with sn_imitation_def_default. */
typedef struct sn_imitation_def {
    /* Set by sn_imitation_def_default. */
    uint32_t struct_size;
    /* The character. Its first body has a free joint; it must outlive the environment. [default NULL] */
    const sn_model *model;
    /* The motion to imitate, of this model, which is copied. NULL: locomotion at `speed`. [default NULL] */
    const sn_motion *motion;
    /* A list of motions instead of one: copy i imitates number i modulo `nmotions`, and the policy
       observes which it is. [default NULL] */
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
    /* How far an action of 1 turns a joint; DeepMimic's is 1. 0: .4, or 1 if targets are absolute. [rad;
       default 0; from 0] */
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
    /* Drag of a fluid along the bodies (sn_drag_push of dynamics.h): the character swims, without ground
       and gravity. For locomotion only, at most `drag_across`. [1/s; default 0; from 0] */
    double drag_along;
    /* Drag across the bodies. 0: it walks. At most half the world steps per second. [1/s; default 0; from
       0] */
    double drag_across;
    /* Largest force on the root, for .2 s about every 2 s, from random sides. [N; default 0; 0 to 1e9] */
    double push;
    /* Mass of a ball that is thrown at it about every 2 s, from any side. 0: none is. [kg; default 0; 0
       to 1e4] */
    double ball;
    /* Horizontal speed of the ball. 0: 5. [m/s; default 0; 0 to 100] */
    double ball_speed;
    /* Each episode multiplies all masses and inertias by a factor from 1 - this to 1 + this. [default 0;
       0 to 0.95] */
    double mass_range;
    /* Each episode multiplies the friction of the ground by such a factor. [default 0; 0 to 1] */
    double friction_range;
    /* Each episode multiplies kp and kd together by such a factor. [default 0; 0 to 0.95] */
    double gain_range;
    /* Mean time between commands: a heading and, without a motion, a speed, which the policy observes and
       is rewarded for following. 0: there are none. [s; default 0; 0 to 1e6] */
    double command;
    /* Largest change of the heading in one command. 0: 1. [rad; default 0; 0 to 3.15] */
    double command_turn;
    /* Slowest and fastest commanded speed, without a motion. Both 0: always `speed`. [m/s; default 0 0;
       -100 to 100] */
    double command_speed[2];
    /* Shape of the ground. On any but flat ground the heights around the root are observed. [default
       SN_TERRAIN_FLAT] */
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
    /* Whether a stick steers the character, which then has no motion: a gait that feels the character is
       its reference. For the built-in humanoid, on flat ground. docs/puppets.md explains it. [default
       false] */
    bool stick;
    /* Whether episodes with a stick begin lying, as a ragdoll has fallen, and the character learns to get
       up and to stand. [default false] */
    bool get_up;
    /* Mean time between random positions of the stick. 0: it stays at `stick_hold`. [s; default 2.5; 0 to
       1e6] */
    double stick_time;
    /* Speed ahead and to the left, and turn to the left. [m/s m/s rad/s; default 0 0 0; -5 to 5] */
    double stick_hold[3];
    /* Whether each episode draws its motion from the list, instead of copy i with number i modulo `nmotions`.
       Motions that fail are drawn more often, and none is forgotten. [default false] */
    bool draw_motions;
    /* Whether the policy observes the poses after 1, 4 and 12 control steps, instead of the number of its
       motion. [default false] */
    bool look_ahead;
    /* Each episode multiplies the torque limits of all motors by a factor from 1 - this to 1 + this. [default
       0; 0 to 0.95] */
    double strength_range;
    /* Longest delay of actions: each episode draws one up to this, in whole world steps, at most one control
       step. [s; default 0; 0 to 1] */
    double action_delay;
    /* Standard deviation of the noise on observed places (m) and rotations of bodies; on their velocities it
       is ten times as large. [default 0; 0 to 10] */
    double observation_noise;
} sn_imitation_def;

static inline sn_imitation_def sn_imitation_def_default(const sn_model *model, const sn_motion *motion) {
    SN_RETURN_DEFAULT_WITH(sn_imitation_def, def.model = model, def.motion = motion);
}

/* Fills the table. Pass it to one sn_environment_create, which takes it over and frees it. */
SN_API sn_status sn_imitation_task(sn_task *task, const sn_imitation_def *definition, sn_error *error);

#ifdef __cplusplus
}
#endif

#endif
