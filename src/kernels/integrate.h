/* Integration on the manifold of poses: quaternions are turned by the exponential of a rotation vector,
 * never added to.
 *
 * Euler's methods need one call. Runge-Kutta methods (src/world/integrate.c) work in the tangent space at
 * the start of the step, after Munthe-Kaas: pose q0 (+) u with u' = Jr(u)^-1 qd. */
#ifndef SINEW_KERNELS_INTEGRATE_H
#define SINEW_KERNELS_INTEGRATE_H

#include "kernels/limits.h"

KERNEL void turn(const real *q0, vec3 u, real *q) {
    quat_store(q, quat_renormalise(quat_mul(quat_load(q0), quat_exp(u))));
}

/* q = q0 (+) h qd, joint by joint. */
KERNEL void move_joint(const tree_body *b, const real *q0, const real *qd, real h, real *q) {
    q0 += b->q, q += b->q, qd += b->v;
    switch (b->joint) {
    case SN_JOINT_FREE:
        for (int k = 0; k < 3; k++)
            q[k] = q0[k] + h * qd[k];
        turn(q0 + 3, scale(vec_load(qd + 3), h), q + 3);
        break;
    case SN_JOINT_BALL:
        turn(q0, scale(vec_load(qd), h), q);
        break;
    case SN_JOINT_UNIVERSAL:
        q[1] = q0[1] + h * qd[1]; /* fall through */
    case SN_JOINT_HINGE:
    case SN_JOINT_SLIDE:
        q[0] = q0[0] + h * qd[0];
        break;
    default:
        break;
    }
}

/* qd += h qdd and q (+)= h qd, with the new qd (semi-implicit) or the old one (explicit). */
KERNEL void euler(const tree *t, elem dt, const real *qdd, real *q, real *qd, int semi_implicit) {
    const real h = splat(dt);
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        if (!semi_implicit) move_joint(b, q, qd, h, q);
        for (int k = b->v; k < b->v + JOINT_NV[b->joint]; k++)
            qd[k] = qd[k] + h * qdd[k];
        if (semi_implicit) move_joint(b, q, qd, h, q);
    }
}

static void integrate(const void *t, double dt, const void *qdd, void *q, void *qd, int semi_implicit) {
    euler(t, R(dt), qdd, q, qd, semi_implicit);
}

static void step(const struct sn__args *args, void *q, void *qd, void *qdd) {
    maba(args, qdd);
    euler(args->tree, R(args->dt), qdd, q, qd, 1);
}

static void step_plain(const struct sn__args *args, void *q, void *qd, void *qdd) {
    struct work w = work_of(args, 0);
    walk(args, &w, 0, 0, ABA_PLAIN, qdd);
    euler(args->tree, R(args->dt), qdd, q, qd, 1);
}

static void retract(const void *tree_, const void *q0, const void *u, void *q) {
    const tree *t = tree_;
    for (int i = 0; i < t->nbody; i++)
        move_joint(&t->body[i], q0, u, splat(1), q);
}

static void pull_back(const void *tree_, const void *u_, const void *qd_, void *rate_) {
    const tree *t = tree_;
    const real *u = u_, *qd = qd_;
    real *rate = rate_;
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        for (int k = b->v; k < b->v + JOINT_NV[b->joint]; k++)
            rate[k] = qd[k];
        const int v = b->joint == SN_JOINT_FREE ? b->v + 3 : b->v;
        if (b->joint == SN_JOINT_BALL || b->joint == SN_JOINT_FREE)
            vec_store(rate + v, right_jacobian_inverse(vec_load(u + v), vec_load(qd + v)));
    }
}

static void combine(int n, const void *x, int terms, const double *c, const void *const *k, void *y) {
    for (int i = 0; i < n; i++) {
        real sum = ((const real *)x)[i];
        for (int j = 0; j < terms; j++)
            sum = sum + R(c[j]) * ((const real *)k[j])[i];
        ((real *)y)[i] = sum;
    }
}

/* x 0 is 0 for finite x only. */
static int all_finite(int n, const void *x) {
    real sum = splat(0);
    for (int i = 0; i < n; i++)
        sum = sum + ((const real *)x)[i] * R(0);
    return !any(not_less(absolute(sum), splat(1)));
}

#endif
