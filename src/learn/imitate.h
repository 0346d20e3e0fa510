/* Imitation of a motion as DeepMimic has it (Peng and others 2018; docs/learning.md tells the differences): a task over
 * worlds in copies, one world per part. */
#ifndef SINEW_LEARN_IMITATE_H
#define SINEW_LEARN_IMITATE_H

#include "learn/environment.h"
#include "sinew/learn.h"

struct sn__imitate_def {
    const sn_model *model;   /* must live as long as the environment */
    const sn_motion *motion; /* of this model; copied */
    uint64_t seed;
    int parts, copies; /* of each part; 16 and 16 */
    int rate;          /* control steps per second; 30 */
    int substeps;      /* of each control step; 8 */
    sn_features features;
    sn_targets targets;
    double action_scale; /* what an action of 1 turns, as a part of what it does in DeepMimic; 1 */
    bool observe_root; /* where the reference's root is: heading error, position error; 4 numbers more; true */
    sn_setting setting;      /* of the worlds; SN_SETTING_CROWD */
    const sn_study *study;   /* of the worlds, or NULL */
    bool torque_limits;      /* as the model has them; true */
    bool self_contact;       /* false */
    double limit;            /* s of an episode; 20 */
    double friction;         /* .9 */
    double drag[2];          /* 1/s, along and across: a fluid instead of ground and gravity; 0 0: none */
    double push;             /* N, at most, on the root, .2 s in each 2 s, from any side; 0: none */
    double ball, ball_speed; /* kg, m/s: thrown at it once in each 2 s, from any side; 0: none */
    double mass_range, friction_range, gain_range;  /* factors of an episode: 1 - range .. 1 + range */
    double command, command_turn, command_speed[2]; /* s from one to the next, 0: none; rad; m/s */
    sn_terrain terrain;
    double terrain_height; /* m */
    uint64_t terrain_seed;
    bool locomotion;       /* only the velocity, an upright root and, a little, the pose are judged */
    const double *kp, *kd; /* [nv] NULL: as the model says; those of a free root must be 0 */
    const double *
        weight; /* [nbody] of joints in the reward; NULL: by their names, as DeepMimic's characters have them */
    const uint8_t
        *foot; /* [nbody] 1: may touch the ground; NULL: ankle, foot, toe, paw or hoof in their names */
    const uint8_t
        *effector; /* [nbody] 1: an end effector; NULL: bodies without children, but for head and neck */
};

/* One time of the motion. All that the reward and the targets need of it, as floats. */
struct sn__reference {
    int rows;        /* over the duration; in a looping motion the last is just before the first */
    double duration; /* s */
    bool loop;
    int nq, nv, effectors;
    float *q, *qd;       /* [rows][nq], [rows][nv] */
    float *effector;     /* [rows][effectors][3] in the heading frame, height above the ground */
    float *com_velocity; /* [rows][3] */
    float *lift; /* [rows] m, by which the pose is in the ground: an episode that begins there stands on it instead */
    float *stood; /* [rows] m, by which it would have to rise to stand; negative: it is above the ground */
};

struct sn__imitate;

struct sn__imitate_def sn__imitate_default(const sn_model *model, const sn_motion *motion);
struct sn__imitate *sn__imitate_create(const struct sn__imitate_def *def, sn_error *error);
void sn__imitate_free(struct sn__imitate *im); /* NULL is allowed */
/* It holds a pointer to im; vector.h makes an environment of it. */
struct sn__task sn__imitate_task(struct sn__imitate *im);
/* Episodes that begin from now on last so long, s. */
void sn__imitate_set_limit(struct sn__imitate *im, double limit);
/* What observations and actions mean, as a hash for policy files. */
uint64_t sn__imitate_features_hash(const struct sn__imitate *im);
/* Everything that rewards and states depend on. */
uint64_t sn__imitate_task_hash(const struct sn__imitate *im);

/* The terms of the reward, and their sum: of copy `copy` of a part, as it stands. For reports and tests. */
struct sn__imitate_reward {
    double pose, velocity, effector, root, com; /* each in (0, 1] */
    double sum;
};
struct sn__imitate_reward sn__imitate_judge(struct sn__imitate *im, int part, int copy);

#endif
