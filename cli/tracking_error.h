/* How far characters are from the poses they should have. */
#ifndef SINEW_CLI_TRACKING_ERROR_H
#define SINEW_CLI_TRACKING_ERROR_H

#include <sinew/dynamics.h>

struct tracking_error {
    const sn_model *model;
    sn_dynamics *dynamics; /* asked for the bodies' places */
    double *room;          /* [2][nbody][7] and [nv] */
    long samples;
    double effector, joint; /* of the last pose: m, the mean distance of the vectors from the root to the end
                               effectors; rad, of the worst joint */
    double root;            /* m: the root from where it should be */
    double tilt;            /* rad: error of its orientation */
    double effector_mean, effector_max, joint_mean, joint_max, root_mean, root_max; /* of all */
};

/* False: out of memory; it must be freed all the same. The model must outlive it. */
bool tracking_error_create(struct tracking_error *error, const sn_model *model);
void tracking_error_free(struct tracking_error *error);
void tracking_error_add(struct tracking_error *error, const double *q, const double *wanted);

/* Joints that are off a pose by dv [nv] (sn_model_pose_subtract). */
double worst_joint(const sn_model *model,
                   const double *dv); /* the largest share of a joint, but a free root's */
/* Mean over the degrees of freedom but the root's of their squares; *most: the largest of them. */
double joints_mean_square(const sn_model *model, const double *dv, double *most);

/* The length of a body's share of a vector of nv values. */
double body_share(const sn_body_info *body, const double *values);

#endif
