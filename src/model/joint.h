/* What a joint type is made of. */
#ifndef SINEW_MODEL_JOINT_H
#define SINEW_MODEL_JOINT_H

#include "sinew/sinew.h"

struct joint_kind {
    const char *name; /* "ball"                                       */
    int nq, nv;       /* values in q and in qd                        */
    int naxis;        /* axes of its definition that mean something   */
    int nlimit;       /* pairs of limits that are lower <= upper      */
    int quaternion;   /* where in its q a quaternion starts; -1: none */
};

extern const struct joint_kind sn__joint_kind[SN_JOINT_TYPE_COUNT];

/* sn_model_pose_add and sn_model_pose_subtract of one joint, on its own values: pose.c. */
void sn__joint_add(const sn_body_info *body, const double *q, const double *dv, double *result);
void sn__joint_subtract(const sn_body_info *body, const double *q1, const double *q0, double *dv);

#endif
