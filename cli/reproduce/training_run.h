/* maba-2020 section 4.3: one training with one way of torques, and the longest step that way bears. */
#ifndef SINEW_CLI_TRAINING_RUN_H
#define SINEW_CLI_TRAINING_RUN_H

#include "experiment.h"

#include <sinew/learn.h>
#include <sinew/studies.h>

/* Where torques come from. */
enum { WAY_INSIDE, WAY_MABA, WAY_DENSE, WAY_LAPACK, WAYS };
extern const struct training_way {
    const char *key, *name; /* in data, in tables */
    sn_drives drives;
} training_ways[WAYS];

struct training_task {
    const char *key, *name;
    sn_model *model;
    sn_motion *motion;
    double *kp, *kd; /* [nv] as the environment has them at 1/240 s; the root has none */
    uint8_t *foot;   /* [nbody] */
};

/* Characters and motions. False with the reason in `error`. */
enum { TASK_HUMANOID, TASK_DOG, TASK_CAPTURED, TASKS };
bool training_open(struct training_task *task, int which, sn_error *error);
void training_close(struct training_task *task);

struct training_plan {
    int copies, hidden, horizon;
    int points;            /* of a curve */
    int iterations[TASKS]; /* of all */
    int judged;            /* episodes */
    double judged_seconds; /* of each */
    int seed, seeds;       /* the first, and how many */
};

/* Iterations of a way: those of LAPACK are cut down to a part. */
int training_iterations(const struct training_plan *plan, int task, int way);

enum { MOST_POINTS = 24 };
struct training_curve {
    bool known;
    int points;
    struct training_point {
        double samples, seconds; /* of one core, without what judges */
        double score;            /* normalised return */
    } point[MOST_POINTS];
    double us;    /* of one core per sample, the least of all iterations */
    double first; /* mean reward of the first rollout, whose actions are noise about the reference */
};

/* False after a complaint. An interrupted training leaves the curve unknown. */
bool training_run(const struct training_task *task, int which, int way, int seed,
                  const struct training_plan *plan, struct training_curve *curve);

/* The longest step at which a character that is dropped on the ground, holding a pose of its motion by its drives, comes to rest;
   NaN: none of those tried. `stiff`: with the gains of section 4.1 instead of its own. */
double training_longest_step(const struct training_task *task, int way, bool stiff, bool quick);
double training_shortest_step(bool quick); /* of those that are tried */

#endif
