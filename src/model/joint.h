/* What a joint type is made of. */
#ifndef SINEW_MODEL_JOINT_H
#define SINEW_MODEL_JOINT_H

#include "sinew/sinew.h"

/* What an axis of a joint does for a unit of its coordinate. */
enum joint_way { JOINT_TURNS, JOINT_SLIDES, JOINT_SCREWS };

/* Which direction of the definition it has: axis, axis2, or the one across both, axis x axis2. */
enum joint_along { JOINT_AXIS, JOINT_AXIS2, JOINT_ACROSS };

/* A joint is a list of axes, or a rotation (quaternion 0), or free (quaternion 3). Axes follow each other from the parent to
   the body in the order of q; all that slide come first. */
struct joint_kind {
    const char *name; /* "ball"                                       */
    int nq, nv;       /* values in q and in qd                        */
    int ndirection;   /* directions of its definition that mean something: axis, or axis and axis2 */
    int nlimit;       /* pairs of limits that are lower <= upper      */
    int quaternion;   /* where in its q a quaternion starts; -1: none */
    int naxes;
    struct {
        enum joint_way way;
        enum joint_along along;
    } axis[3];
};

extern const struct joint_kind sn__joint_kind[SN_JOINT_TYPE_COUNT];

/* Axis k of a joint whose directions have unit length, in the body's axes at q = 0; and how far it moves the body along
   itself: 1 if it slides, 0 if it turns, the pitch of a screw. */
void sn__joint_axis(const sn_joint_def *joint, int k, double axis[3]);
double sn__joint_pitch(const sn_joint_def *joint, int k);

/* What files outside the kernels ask most often. */
static inline bool sn__joint_is_free(const sn_body_info *body) {
    return sn__joint_kind[body->joint.type].quaternion > 0;
}

static inline bool sn__joint_is_ball(const sn_body_info *body) {
    return sn__joint_kind[body->joint.type].quaternion == 0;
}

/* Where in the joint's q a quaternion starts; -1: it has none. */
static inline int sn__joint_quaternion(const sn_body_info *body) {
    return sn__joint_kind[body->joint.type].quaternion;
}

/* How many axes that only turn it is made of: 1 for a hinge, 2 for a universal joint, 0 for anything else. */
int sn__joint_hinges(const sn_body_info *body);

/* Degrees of freedom that come first and turn nothing: lengths, not angles. */
int sn__joint_nslide(const sn_body_info *body);

/* sn_model_pose_add and sn_model_pose_subtract of one joint, on its own values: pose.c. */
void sn__joint_add(const sn_body_info *body, const double *q, const double *dv, double *result);
void sn__joint_subtract(const sn_body_info *body, const double *q1, const double *q0, double *dv);

#endif
