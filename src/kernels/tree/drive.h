/* The drives: Q of maba-2020 eq. 40, for every form of PD control.
 *
 *     Q = -kp e - kw qd + kd qd_target + feed-forward + springs          tau = Q - K qdd
 *
 * e is the position error, for rotations the logarithm of target^-1 q. What the form of the controller
 * makes of the gains stands in kw and K already (src/dynamics/drive.c): for the stable form kw = kd + dt kp
 * and K = dt kd. */
#ifndef SINEW_KERNELS_TREE_DRIVE_H
#define SINEW_KERNELS_TREE_DRIVE_H

#include "kernels/tree/kinematics.h"

KERNEL vec3 drive_rotation(const struct sn__args *args, int q, int v, int per_axis) {
    const real *kp = args->kp, *kw = args->kw, *kd = args->kd, *target_qd = args->target_qd;
    const quat E =
        quat_conj_mul(quat_load((const real *)args->target_q + q), quat_load((const real *)args->q + q));
    const vec3 e = quat_log(E);
    vec3 spring = times(vec_load(kp + v), e);
    /* Gains that differ by axis: the gradient of e^T Kp e / 2 is Jr(e)^-T Kp e; Kp e itself is not a gradient
       and feeds energy in. With one gain for all axes the two agree. */
    if (per_axis) spring = right_jacobian_inverse((vec3){-e.x, -e.y, -e.z}, spring);
    const vec3 w = vec_load((const real *)args->qd + v);
    vec3 Q = times(vec_load(kw + v), w);
    Q = (vec3){-spring.x - Q.x, -spring.y - Q.y, -spring.z - Q.z};
    if (target_qd) { /* the target's angular velocity, seen from the body's own axes */
        const vec3 wt = mul_t(quat_matrix(E), vec_load(target_qd + v));
        Q = add(Q, times(vec_load(kd + v), wt));
    }
    return Q;
}

KERNEL real drive_scalar(const struct sn__args *args, int q, int v) {
    const real *kp = args->kp, *kw = args->kw, *kd = args->kd, *target_qd = args->target_qd;
    const real e = ((const real *)args->q)[q] - ((const real *)args->target_q)[q];
    real Q = -(kp[v] * e) - kw[v] * ((const real *)args->qd)[v];
    if (target_qd) Q += kd[v] * target_qd[v];
    return Q;
}

KERNEL void drive_joint(const struct sn__args *args, const tree_body *b, int body, real *Q) {
    const int per_axis = args->per_axis && args->per_axis[body];
    const int v = b->v;
    switch (b->joint) {
    case SN__JOINT_FREE:
        for (int k = 0; k < 3; k++)
            Q[v + k] = drive_scalar(args, b->q + k, v + k);
        vec_store(Q + v + 3, drive_rotation(args, b->q + 3, v + 3, per_axis));
        break;
    case SN__JOINT_BALL:
        vec_store(Q + v, drive_rotation(args, b->q, v, per_axis));
        break;
    case SN__JOINT_HINGE:
        Q[v] = drive_scalar(args, b->q, v);
        break;
    default:
        for (int k = 0; k < b->naxes; k++)
            Q[v + k] = drive_scalar(args, b->q + k, v + k);
        break;
    }
    const real *feedforward = args->feedforward, *spring = args->spring;
    const int n = b->nv;
    if (feedforward)
        for (int k = v; k < v + n; k++)
            Q[k] += feedforward[k];
    if (spring)
        for (int k = v; k < v + n; k++)
            Q[k] += spring[k];
}

static void drive_all(const struct sn__args *args, real *Q) {
    const tree *t = args->tree;
    for (int i = 0; i < t->nbody; i++)
        drive_joint(args, &t->body[i], i, Q);
}

/* What springs and dampers do: springs - kw_passive qd. */
KERNEL real passive_force(const struct sn__args *args, int v) {
    const real *kw = args->kw_passive, *qd = args->qd, *spring = args->spring;
    const real force = -(kw[v] * qd[v]);
    return spring ? force + spring[v] : force;
}

/* What of tau = M qdd + C is the drives' doing: eq. 5. */
static void drive_share(const struct sn__args *args, const void *qdd, void *out) {
    const real *Kp = args->K_passive, *a = qdd;
    real *tau = out;
    for (int v = 0; v < ((const tree *)args->tree)->nv; v++)
        tau[v] = tau[v] - passive_force(args, v) + Kp[v] * a[v];
}

/* Force of the passive springs: -stiffness (q - rest). */
static void springs(const struct sn__args *args, void *out) {
    const tree *t = args->tree;
    real *tau = out;
    const real *q = args->q;
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const int n = b->nv;
        for (int k = 0; k < n; k++)
            tau[b->v + k] = splat(0);
        if (!b->has_spring) continue;
        if (b->joint == SN__JOINT_BALL) {
            const vec3 e = quat_log(quat_conj_mul(quat_splat(b->rest), quat_load(q + b->q)));
            vec_store(tau + b->v, scale(e, splat(-b->stiffness)));
        } else if (b->joint != SN__JOINT_FREE) {
            for (int k = 0; k < n; k++)
                tau[b->v + k] = -b->stiffness * (q[b->q + k] - b->rest[k]);
        }
    }
}

#endif
