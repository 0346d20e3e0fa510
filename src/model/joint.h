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

#endif
