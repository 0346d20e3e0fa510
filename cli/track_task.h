/* What `sinew track` and `sinew crowd` are asked for: one table of options, read in one place. */
#ifndef SINEW_CLI_TRACK_TASK_H
#define SINEW_CLI_TRACK_TASK_H

#include "subject.h"

#include <sinew/dynamics.h>
#include <stdbool.h>
#include <stdint.h>

struct track_task {
    const char *character, *clip;
    bool many; /* copies are measured together, at several rates; false: one character, told about in full */
    bool dt_given;        /* many: only this step */
    int threads;          /* many: 0: one, then all */
    sn_world_def world;   /* copies, dt, precision, lanes, form, contact, limits */
    sn_solver solver;     /* other than MABA: stepped without a world */
    double duration;      /* s; 0: as the motion says */
    bool ground;          /* a plane at the lowest point of the motion, and contact with it */
    bool target_velocity; /* the motion's velocities are targets, too */
    double kp, kd, root_kp, root_kd, frequency, damping;
    bool free_root, file_gains, widen;
    const char *single_gains;    /* "knee=300:30,hip=500:50" */
    const char *map;             /* file; NULL: none */
    sn_load_def load;            /* how files are read */
    struct clip_task cut;        /* what is done to a clip */
    uint64_t seed;               /* many: where along the motion they start */
    double rate;                 /* of the recording, Hz */
    const char *record, *report; /* where they go; NULL: nowhere */
    bool json;
};

/* Reads the arguments; `command` is "track" or "crowd". Returns 0, or complains and returns EXIT_USAGE. */
int track_task_read(struct track_task *task, const char *command, int argc, char **argv);
void track_options_print(void);

/* The gains the task asks for, nv values each. Returns 0, or complains and returns EXIT_USAGE. Complains also of gains that
   the form cannot bear. */
int track_task_gains(const struct track_task *task, const sn_model *model, const sn_motion *motion,
                     double *kp, double *kd);

const char *form_name(sn_form form);
const char *stepper_name(sn_stepper stepper);
const char *contact_name(sn_contact_method contact);
const char *solver_text(sn_solver solver);

/* A world of the task's copies that stands on a plane at this height where it asks for ground; the character is member
   0 and has its gains. NULL and an error when it cannot be made. */
sn_world *track_task_world(const struct track_task *task, const sn_model *model, double ground,
                           const double *kp, const double *kd, sn_error *error);
/* Height of the floor: the lowest point of all shapes over the motion, frames far below the others left out.
   Complains and returns false when there is none. */
bool track_task_ground(const struct track_task *task, const sn_model *model, const sn_motion *motion,
                       double *height);

#endif
