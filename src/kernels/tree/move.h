/* Moving a pose along a velocity: quaternions are turned by the exponential of a rotation vector, never added to. */
#ifndef SINEW_KERNELS_TREE_MOVE_H
#define SINEW_KERNELS_TREE_MOVE_H

#include "kernels/tree/kinematics.h"

KERNEL void turn(const real *q0, vec3 u, real *q) {
    quat_store(q, quat_renormalise(quat_mul(quat_load(q0), quat_exp(u))));
}

/* q = q0 (+) h qd, joint by joint. */
KERNEL void move_joint(const tree_body *b, const real *q0, const real *qd, real h, real *q) {
    q0 += b->q, q += b->q, qd += b->v;
    switch (b->joint) {
    case SN__JOINT_FREE:
        for (int k = 0; k < 3; k++)
            q[k] = q0[k] + h * qd[k];
        turn(q0 + 3, scale(vec_load(qd + 3), h), q + 3);
        break;
    case SN__JOINT_BALL:
        turn(q0, scale(vec_load(qd), h), q);
        break;
    case SN__JOINT_HINGE:
        q[0] = q0[0] + h * qd[0];
        break;
    default:
        for (int k = 0; k < b->naxes; k++)
            q[k] = q0[k] + h * qd[k];
        break;
    }
}

#endif
