/* Where the bodies of a model are at a pose, in plain double: for making motions, for reading poses, and for the
   ends of constraints. */
#include "model/place.h"

#include "base/elementary.h"
#include "base/quat.h"
#include "model/joint.h"

#include <string.h>

/* The joint's turn and shift, both seen in the axes the body has at q = 0. */
static void joint_motion(const sn_body_info *body, const double *q, double turn[4], double shift[3]) {
    const sn_joint_def *joint = &body->joint;
    const struct joint_kind *kind = &sn__joint_kind[joint->type];
    dquat_identity(turn);
    memset(shift, 0, 3 * sizeof *shift);
    if (kind->quaternion >= 0) memcpy(turn, q + kind->quaternion, 4 * sizeof *q);
    for (int n = 0; n < kind->naxes; n++) {
        double axis[3], vector[3], next[4];
        sn__joint_axis(joint, n, axis);
        for (int k = 0; k < 3; k++) {
            vector[k] = q[n] * axis[k];
            shift[k] += sn__joint_pitch(joint, n) * vector[k];
        }
        if (kind->axis[n].way == JOINT_SLIDES) continue;
        dquat_exp(vector, next);
        dquat_multiply(turn, next, turn);
    }
}

void sn__pose_of_body(const sn_body_info *body, const double *q, const double from[3], const double before[4],
                      double pos[3], double rot[4]) {
    if (sn__joint_is_free(body)) {
        memcpy(pos, q, 3 * sizeof *pos);
        memcpy(rot, q + 3, 4 * sizeof *rot);
        return;
    }
    double turn[4], shift[3], rest[4], arm[3], swung[3];
    joint_motion(body, q, turn, shift);
    /* the anchor stays where it is: arm = anchor + shift - turn anchor, in the body's zero axes */
    dquat_rotate(turn, body->joint.anchor, swung);
    for (int k = 0; k < 3; k++)
        arm[k] = body->joint.anchor[k] + shift[k] - swung[k];
    dquat_rotate(body->rot, arm, arm);
    for (int k = 0; k < 3; k++)
        arm[k] += body->pos[k];
    dquat_rotate(before, arm, arm);
    for (int k = 0; k < 3; k++)
        pos[k] = from[k] + arm[k];
    dquat_multiply(before, body->rot, rest);
    dquat_multiply(rest, turn, rot);
}

void sn__pose_globals(const sn_model *model, const double *q, double *pos, double *rot) {
    const double identity[4] = {1, 0, 0, 0}, origin[3] = {0};
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *body = sn_model_body(model, i);
        const double *before = body->parent < 0 ? identity : rot + 4 * (size_t)body->parent;
        const double *from = body->parent < 0 ? origin : pos + 3 * (size_t)body->parent;
        sn__pose_of_body(body, q + body->q_index, from, before, pos + 3 * (size_t)i, rot + 4 * (size_t)i);
    }
}

double sn__twist_angle(const double q[4], const double axis[3]) {
    const double along = dvec_dot(q + 1, axis), w = q[0] < 0 ? -q[0] : q[0];
    return 2 * sn__atan2(q[0] < 0 ? -along : along, w);
}

void sn__shortest_turn(const double a[3], const double b[3], double q[4]) {
    double u[3], v[3];
    memcpy(u, a, sizeof u);
    memcpy(v, b, sizeof v);
    dquat_identity(q);
    if (!dvec_normalise(u) || !dvec_normalise(v)) return;
    double half[4] = {1 + dvec_dot(u, v), 0, 0, 0};
    dvec_cross(u, v, half + 1);
    if (half[0] < 1e-9) { /* opposite: about any axis across */
        const double other[3] = {fabs(u[0]) < 0.7, fabs(u[0]) >= 0.7, 0};
        half[0] = 0;
        dvec_cross(u, other, half + 1);
    }
    dquat_normalise(half);
    memcpy(q, half, sizeof half);
}
