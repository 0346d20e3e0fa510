/* A character that follows a motion, and what is measured of it. */
#ifndef SINEW_CLI_TRACK_RUN_H
#define SINEW_CLI_TRACK_RUN_H

#include "track_task.h"
#include "tracking_error.h"

struct track_run {
    const struct track_task *task;
    const sn_model *model;
    const sn_motion *motion;
    sn_world *world;     /* steps it; NULL: the task names another solver than the world's */
    sn_dynamics *solver; /* steps it then */
    double ground;       /* height, m */
    double *q, *qd, *target_q, *target_qd; /* state and target after the last step */
    double *kp, *kd, *torque;              /* [nv] gains; drive torques of the last step */
    double *peak;                          /* [nbody] largest torques so far, N m or N */
    struct tracking_error error;
    long steps;
    bool diverged, stopped;
    double fell;   /* s when it fell; NAN: it did not, or there is no ground */
    double falls;  /* s since when it does not stand as the motion does; NAN: it does */
    double stands; /* m, the greatest height of the motion's root over the ground */
    double *taken; /* [ntaken][1 + nq] time and pose of each frame of the recording */
    int ntaken;
};

/* Complains and returns an exit code when it cannot be made; it must be freed all the same. Task, model and motion must
   outlive it. */
int track_create(struct track_run *run, const struct track_task *task, const sn_model *model,
                 const sn_motion *motion);
void track_free(struct track_run *run);

/* A recorder of this run, or NULL after a complaint. */
sn_recorder *track_recorder(const struct track_run *run);
/* The run on the skeleton of the clip it followed; NULL: it followed none. */
sn_clip *track_clip(const struct track_run *run);
/* All steps, until the end, a divergence or Ctrl-C. The recorder may be NULL. */
void track_steps(struct track_run *run, sn_recorder *recorder);

#endif
