/* Forward kinematics: pass 1 of every algorithm here (maba-2020 eq. 30-32).
 *
 * World axes throughout and the origin of each body at its joint. Accelerations will be classical ones, of
 * the origin as a material point, so that linear velocities are not needed: only angular velocities and
 * centripetal terms. */
#ifndef SINEW_KERNELS_KINEMATICS_H
#define SINEW_KERNELS_KINEMATICS_H

#include "kernels/rotation.h"
#include "kernels/work.h"

/* Where a body stands: orientation, r and axes, from those of its parent. */
KERNEL void enter_pose(const tree_body *b, const struct frame *p, const real *q, struct frame *f) {
    const quat Qp = b->rotated ? quat_mul(p->Q, quat_splat(b->rot)) : p->Q;
    if (b->joint == SN__JOINT_FREE) { /* the parent is the world: no r */
        f->Q = quat_load(q + 3);
        f->R = quat_matrix(f->Q);
        f->r = vec_zero();
        return;
    }
    f->r = mul(p->R, vec_splat(b->offset));
    if (b->joint == SN__JOINT_BALL) {
        f->Q = quat_mul(Qp, quat_load(q));
        f->R = quat_matrix(f->Q);
    } else if (b->joint == SN__JOINT_HINGE) {
        f->Q = quat_mul(Qp, quat_turn(vec_splat(b->axis), q[0]));
        f->R = quat_matrix(f->Q);
        f->s = mul(f->R, vec_splat(b->axis));
    } else if (b->joint == SN__JOINT_UNIVERSAL) {
        const quat Q1 = quat_mul(Qp, quat_turn(vec_splat(b->axis), q[0]));
        f->Q = quat_mul(Q1, quat_turn(vec_splat(b->axis2), q[1]));
        f->R = quat_matrix(f->Q);
        f->s = mul(quat_matrix(Q1), vec_splat(b->axis));
        f->s2 = mul(f->R, vec_splat(b->axis2));
    } else { /* slide, weld */
        f->Q = Qp;
        f->R = quat_matrix(f->Q);
    }
    if (b->joint == SN__JOINT_SLIDE) {
        f->s = mul(f->R, vec_splat(b->axis));
        f->r = add_scaled(f->r, f->s, q[0]);
    }
}

/* Angular velocity and velocity products where it stands; qd of its own joint. */
KERNEL void enter_velocity(const tree_body *b, const struct frame *p, const real *qd, struct frame *f) {
    switch (b->joint) {
    case SN__JOINT_FREE: /* the parent is the world: no d, c */
        f->w = mul(f->R, vec_load(qd + 3));
        f->d = f->c = vec_zero();
        return;
    case SN__JOINT_SLIDE:
        f->w = p->w;
        f->c = vec_zero();
        /* the origin runs along an axis that turns with the parent: w x (w x r) + 2 w x s qd */
        f->d = cross(p->w, add_scaled(cross(p->w, f->r), f->s, R(2) * qd[0]));
        return;
    case SN__JOINT_BALL: {
        const vec3 wj = mul(f->R, vec_load(qd)); /* v_J = S qd, eq. 8 */
        f->w = add(p->w, wj);
        f->c = cross(p->w, wj); /* c = v x S qd, eq. 32 */
        break;
    }
    case SN__JOINT_HINGE:
        f->w = add_scaled(p->w, f->s, qd[0]);
        f->c = scale(cross(p->w, f->s), qd[0]);
        break;
    case SN__JOINT_UNIVERSAL: {
        const vec3 w1 = add_scaled(p->w, f->s, qd[0]); /* of the cross between the two axes */
        f->w = add_scaled(w1, f->s2, qd[1]);
        f->c = add(scale(cross(p->w, f->s), qd[0]), scale(cross(w1, f->s2), qd[1]));
        break;
    }
    default: /* weld */
        f->w = p->w;
        f->c = vec_zero();
        break;
    }
    f->d = cross(p->w, cross(p->w, f->r));
}

KERNEL void enter_body(const tree_body *b, const struct frame *p, const real *q, const real *qd,
                       struct frame *f) {
    enter_pose(b, p, q + b->q, f);
    enter_velocity(b, p, qd + b->v, f);
}

static void enter_all(const tree *t, const real *q, const real *qd, struct work *w) {
    for (int i = 0; i < t->nbody; i++)
        enter_body(&t->body[i], &w->frame[t->body[i].parent], q, qd, &w->frame[i]);
}

/* The column of the motion subspace that degree of freedom k of body i is: angular part, and linear part
   at the body's origin. */
KERNEL void subspace(const tree_body *b, const struct frame *f, int k, vec3 *angular, vec3 *linear) {
    *angular = *linear = vec_zero();
    const int turn = b->joint == SN__JOINT_FREE ? k - 3 : k;
    if (b->joint == SN__JOINT_SLIDE) {
        *linear = f->s;
    } else if (b->joint == SN__JOINT_FREE && k < 3) {
        linear->x = splat(k == 0), linear->y = splat(k == 1), linear->z = splat(k == 2);
    } else if (b->joint == SN__JOINT_FREE || b->joint == SN__JOINT_BALL) {
        *angular = turn == 0 ? column_x(f->R) : turn == 1 ? column_y(f->R) : column_z(f->R);
    } else {
        *angular = k == 0 ? f->s : f->s2;
    }
}

/* S qdd of one joint, added to alpha and a. */
KERNEL void unfold(const tree_body *b, const struct frame *f, const real *qdd, vec3 *alpha, vec3 *a) {
    switch (b->joint) {
    case SN__JOINT_FREE:
        *a = add(*a, vec_load(qdd));
        *alpha = add_mul(*alpha, f->R, vec_load(qdd + 3));
        break;
    case SN__JOINT_BALL:
        *alpha = add_mul(*alpha, f->R, vec_load(qdd));
        break;
    case SN__JOINT_UNIVERSAL:
        *alpha = add_scaled(*alpha, f->s2, qdd[1]); /* fall through */
    case SN__JOINT_HINGE:
        *alpha = add_scaled(*alpha, f->s, qdd[0]);
        break;
    case SN__JOINT_SLIDE:
        *a = add_scaled(*a, f->s, qdd[0]);
        break;
    default:
        break;
    }
}

/* S^T f of one joint: what its degrees of freedom feel of a moment n and a force F. */
KERNEL void project(const tree_body *b, const struct frame *f, vec3 n, vec3 F, real *tau) {
    switch (b->joint) {
    case SN__JOINT_FREE:
        vec_store(tau, F);
        vec_store(tau + 3, mul_t(f->R, n));
        break;
    case SN__JOINT_BALL:
        vec_store(tau, mul_t(f->R, n));
        break;
    case SN__JOINT_UNIVERSAL:
        tau[1] = dot(f->s2, n); /* fall through */
    case SN__JOINT_HINGE:
        tau[0] = dot(f->s, n);
        break;
    case SN__JOINT_SLIDE:
        tau[0] = dot(f->s, F);
        break;
    default:
        break;
    }
}

/* The body's own inertia about its origin, world axes. */
KERNEL sym3 rigid_inertia(const tree_body *b, const struct frame *f) {
    const vec3 d = vec_splat(b->J);
    if (b->diagonal) return sym_rotate_diagonal(f->R, d);
    return sym_rotate(f->R, (sym3){d.x, d.y, d.z, splat(b->J[3]), splat(b->J[4]), splat(b->J[5])});
}

/* The velocity of each origin, and its position, for those who ask: root to leaves. */
KERNEL void origin_motion(const tree_body *b, const struct frame *p, const struct frame *f, vec3 xp, vec3 vp,
                          const real *q, const real *qd, vec3 *x, vec3 *v) {
    if (b->joint == SN__JOINT_FREE) {
        *x = vec_load(q + b->q);
        *v = vec_load(qd + b->v);
        return;
    }
    *x = add(xp, f->r);
    *v = add(vp, cross(p->w, f->r));
    if (b->joint == SN__JOINT_SLIDE) *v = add_scaled(*v, f->s, qd[b->v]);
}

/* Pose and velocity of every body's own frame: pos, rot, linear, angular, 13 values a body. The position
   and velocity of the kernel origins pass through the motion array. */
static void kinematics(const struct sn__args *args, void *out) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    enter_all(t, args->q, args->qd, &w);
    w.motion[-1] = (struct motion){vec_zero(), vec_zero()};
    real *pose = out;
    for (int i = 0; i < t->nbody; i++, pose += 13) {
        const tree_body *b = &t->body[i];
        const struct frame *f = &w.frame[i];
        const struct motion *p = &w.motion[b->parent];
        vec3 x, v;
        origin_motion(b, &w.frame[b->parent], f, p->alpha, p->a, args->q, args->qd, &x, &v);
        w.motion[i] = (struct motion){x, v};
        const vec3 o = mul(f->R, vec_splat(b->origin));
        vec_store(pose, add(x, o));
        quat_store(pose + 3, f->Q);
        vec_store(pose + 7, add(v, cross(f->w, o)));
        vec_store(pose + 10, f->w);
    }
}

#endif
