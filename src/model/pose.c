/* Algebra on positions. Angles, displacements and places add; quaternions are moved along by exp and log:
 *
 *   q (+) dv = q exp(dv/2)              dv in the child's own axes, as in qd
 *   q1 (-) q0 = 2 log(q0^-1 q1)         the shorter way round, so that q0 (+) (q1 (-) q0) = q1 */
#include "base/quat.h"
#include "model/joint.h"
#include "model/model.h"

#include <string.h>

static void unit_quaternion(const double *from, double q[4]) {
    memcpy(q, from, 4 * sizeof *q);
    if (!dquat_normalise(q)) dquat_identity(q);
}

void sn__joint_add(const sn_body_info *body, const double *q, const double *dv, double *result) {
    const int quaternion = sn__joint_kind[body->joint.type].quaternion;
    const int plain =
        quaternion >= 0 ? quaternion : body->nq; /* values that are not of a quaternion come first */
    for (int k = 0; k < plain; k++)
        result[k] = q[k] + dv[k];
    if (quaternion < 0) return;
    double from[4], turn[4];
    unit_quaternion(q + plain, from);
    dquat_exp(dv + plain, turn);
    dquat_multiply(from, turn, from);
    unit_quaternion(from, result + plain);
}

void sn__joint_subtract(const sn_body_info *body, const double *q1, const double *q0, double *dv) {
    const int quaternion = sn__joint_kind[body->joint.type].quaternion;
    const int plain = quaternion >= 0 ? quaternion : body->nq;
    for (int k = 0; k < plain; k++)
        dv[k] = q1[k] - q0[k];
    if (quaternion < 0) return;
    double to[4], from[4];
    unit_quaternion(q1 + plain, to);
    unit_quaternion(q0 + plain, from);
    dquat_conjugate(from, from);
    dquat_multiply(from, to, to);
    dquat_log(to, dv + plain);
}

static void add_one(const sn_model *model, const double *q, const double *dv, double *result) {
    for (int i = 0; i < model->nbody; i++) {
        const sn_body_info *body = &model->body[i];
        sn__joint_add(body, q + body->q_index, dv + body->v_index, result + body->q_index);
    }
}

static void subtract_one(const sn_model *model, const double *q1, const double *q0, double *dv) {
    for (int i = 0; i < model->nbody; i++) {
        const sn_body_info *body = &model->body[i];
        sn__joint_subtract(body, q1 + body->q_index, q0 + body->q_index, dv + body->v_index);
    }
}

void sn_model_pose_add(const sn_model *model, int n, const double *q, const double *dv, double *result) {
    for (int i = 0; i < n; i++, q += model->nq, dv += model->nv, result += model->nq)
        add_one(model, q, dv, result);
}

void sn_model_pose_subtract(const sn_model *model, int n, const double *q1, const double *q0, double *dv) {
    for (int i = 0; i < n; i++, q1 += model->nq, q0 += model->nq, dv += model->nv)
        subtract_one(model, q1, q0, dv);
}
