/* A character that follows a motion, beside the motion itself, and what is measured of it. */
#ifndef SINEW_CLI_TRACK_RUN_H
#define SINEW_CLI_TRACK_RUN_H

#include <sinew/sinew.h>
#include <stdbool.h>

struct recording;

struct track_def {
    sn_character_def character;
    double duration;      /* s */
    bool target_velocity; /* the motion's velocities are targets, too */
    bool ground;          /* a plane at the lowest point of the motion, and contact with it */
    bool joint_limits;    /* keep them; with ground only */
    sn_contact_method contact;
};

struct track_run {
    struct track_def def;
    const sn_model *model;
    const sn_motion *motion;
    sn_world *world; /* NULL: no ground; else it holds `simulated` */
    sn_character *simulated, *reference;
    double ground_height;               /* m */
    double effector_mean, effector_max; /* m */
    double joint_mean, joint_max;       /* rad, of the largest joint error each step */
    double effector, joint;             /* the same of the last step */
    double *torque;                     /* [nv] of the last step */
    double *peak;                       /* [nbody] N m or N, largest drive torque */
    long steps;
    bool diverged, stopped;
};

/* Complains and returns false when it cannot be made; it must be freed all the same. Model and motion must outlive it. */
bool track_create(struct track_run *run, const struct track_def *def, const sn_model *model,
                  const sn_motion *motion);
void track_free(struct track_run *run);

/* All steps, until the end, a divergence or Ctrl-C. The recording may be NULL. */
void track_steps(struct track_run *run, struct recording *recording);

#endif
