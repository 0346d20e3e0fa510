/* What the tables of maba/full share: a model with its drives, targets and room for what comes of a run. */
#ifndef SINEW_CLI_REPRODUCE_FULL_RUN_H
#define SINEW_CLI_REPRODUCE_FULL_RUN_H

#include "experiment.h"

#include <sinew/studies.h>

struct full_trial {
    sn_model *model; /* freed with the trial */
    int nq, nv, nbody;
    double *q, *qd, *kp, *kd; /* gains of the paper: root 20000/2000, joints 75000/4000 */
    double *target;           /* [steps][nq] */
    double *qdd, *tau, *force, *com;
    double gap, momentum[12];
    sn_full_run run; /* points to all of these */
};

/* At rest in the zero pose, which is also the target, under gravity. */
struct full_trial full_trial_make(sn_model *model, int steps, double dt);
void full_trial_free(struct full_trial *trial);
/* Targets 0.4 sin(2 pi t + v) of every joint's degree of freedom v. In motion: it starts on them, with their velocity. */
void full_trial_sines(struct full_trial *trial, bool in_motion);
/* No root gains, no gravity: only drives between bodies act. */
void full_trial_float(struct full_trial *trial);
/* False: it did not stay finite. */
bool full_trial_go(struct full_trial *trial, sn_full_method method, sn_full_repair repair);
/* A free root and `bodies` - 1 rods on balls or hinges. */
sn_model *full_chain(int bodies, sn_joint_type joint);
/* The largest difference, relative to the largest entry of b. */
double full_off(const double *a, const double *b, int n);

/* The tables and claims about the chain of 195 degrees of freedom (full_chain.c), and the closing. */
void full_chain_rows(const struct run_settings *settings, struct result *result);

#endif
