/* Forward kinematics: pass 1 of every algorithm here (maba-2020 eq. 30-32).
 *
 * World axes throughout and the origin of each body at its joint. Accelerations will be classical ones, of
 * the origin as a material point, so that linear velocities are not needed: only angular velocities and
 * centripetal terms. */
#ifndef SINEW_KERNELS_TREE_KINEMATICS_H
#define SINEW_KERNELS_TREE_KINEMATICS_H

#include "kernels/tree/rotation.h"
#include "kernels/tree/work.h"

/* One axis of a joint: a column (turn; move) of its motion subspace, both along s. */
struct axis {
    vec3 s;
    int way;    /* sn__axis_way */
    real pitch; /* of an axis that screws */
};

KERNEL struct axis axis_of(const tree_body *b, const struct pose *f, int k) {
    return (struct axis){f->s[k], b->way[k], splat(b->pitch[k])};
}

/* S^T (n; F): what an axis feels of a moment and a force. */
KERNEL real along_axis(struct axis x, vec3 n, vec3 F) {
    if (x.way == SN__TURNS) return dot(x.s, n);
    if (x.way == SN__SLIDES) return dot(x.s, F);
    return dot(x.s, n) + x.pitch * dot(x.s, F);
}

/* S v: what a rate, or an acceleration, of an axis adds to that of the body and of its origin. */
KERNEL void move_axis(struct axis x, real v, vec3 *turn, vec3 *move) {
    if (x.way != SN__SLIDES) *turn = add_scaled(*turn, x.s, v);
    if (x.way != SN__TURNS) *move = add_scaled(*move, x.s, x.way == SN__SLIDES ? v : x.pitch * v);
}

/* The axes of a joint one after the other: each turns all that follow. */
KERNEL void enter_axes(const tree_body *b, quat Q, const real *q, struct pose *f) {
    mat3 R = quat_matrix(Q);
    for (int k = 0; k < b->naxes; k++) {
        const vec3 own = vec_splat(b->axis[k]);
        if (b->way[k] != SN__SLIDES) {
            Q = quat_mul(Q, quat_turn(own, q[k]));
            R = quat_matrix(Q);
        }
        f->s[k] = mul(R, own);
        if (b->way[k] != SN__TURNS)
            f->r = add_scaled(f->r, f->s[k], b->way[k] == SN__SLIDES ? q[k] : b->pitch[k] * q[k]);
    }
    f->Q = Q;
    f->R = R;
}

/* Where a body stands: orientation, r and axes, from those of its parent. The origin of a free body is not seen from its
   parent, the world: no r. */
KERNEL void enter_pose(const tree_body *b, const struct pose *p, const real *q, struct pose *f) {
    const quat Qp = b->rotated ? quat_mul(p->Q, quat_splat(b->rot)) : p->Q;
    if (b->joint == SN__JOINT_FREE) {
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
        f->Q = quat_mul(Qp, quat_turn(vec_splat(b->axis[0]), q[0]));
        f->R = quat_matrix(f->Q);
        f->s[0] = mul(f->R, vec_splat(b->axis[0]));
    } else {
        enter_axes(b, Qp, q, f);
    }
}

/* w, c and d of a joint made of axes. Each turns with all that came before it: c = w x s qd. Those that slide run along axes
   that turn with the parent: d = w_p x (w_p x r) + 2 w_p x s qd. */
KERNEL void axes_velocity(const tree_body *b, vec3 wp, const real *qd, struct frame *f) {
    vec3 w = wp, c = vec_zero(), v = cross(wp, f->r);
    for (int k = 0; k < b->naxes; k++) {
        if (b->way[k] != SN__SLIDES) {
            c = add_scaled(c, cross(w, f->s[k]), qd[k]);
            w = add_scaled(w, f->s[k], qd[k]);
        }
        if (b->way[k] != SN__TURNS) v = add_scaled(v, f->s[k], R(2) * b->pitch[k] * qd[k]);
    }
    f->w = w, f->c = c;
    f->d = cross(wp, v);
}

/* Angular velocity and velocity products where it stands; qd of its own joint. */
KERNEL void enter_velocity(const tree_body *b, const struct frame *p, const real *qd, struct frame *f) {
    switch (b->joint) {
    case SN__JOINT_FREE: /* the parent is the world: no d, c */
        f->w = mul(f->R, vec_load(qd + 3));
        f->d = f->c = vec_zero();
        return;
    case SN__JOINT_BALL: {
        const vec3 wj = mul(f->R, vec_load(qd)); /* v_J = S qd, eq. 8 */
        f->w = add(p->w, wj);
        f->c = cross(p->w, wj); /* c = v x S qd, eq. 32 */
        break;
    }
    case SN__JOINT_HINGE:
        f->w = add_scaled(p->w, f->s[0], qd[0]);
        f->c = scale(cross(p->w, f->s[0]), qd[0]);
        break;
    default:
        axes_velocity(b, p->w, qd, f);
        return;
    }
    f->d = cross(p->w, cross(p->w, f->r));
}

KERNEL void enter_body(const tree_body *b, const struct frame *p, const real *q, const real *qd,
                       struct frame *f) {
    enter_pose(b, &p->pose, q + b->q, &f->pose);
    enter_velocity(b, p, qd + b->v, f);
}

static void enter_all(const tree *t, const real *q, const real *qd, struct work *w) {
    for (int i = 0; i < t->nbody; i++)
        enter_body(&t->body[i], &w->frame[t->body[i].parent], q, qd, &w->frame[i]);
}

/* The column of the motion subspace that degree of freedom k of a body is: angular part, and linear part
   at the body's origin. */
KERNEL void subspace(const tree_body *b, const struct pose *f, int k, vec3 *angular, vec3 *linear) {
    *angular = *linear = vec_zero();
    if (k < b->naxes) {
        move_axis(axis_of(b, f, k), splat(1), angular, linear);
    } else if (k < b->nslide) {
        linear->x = splat(k == 0), linear->y = splat(k == 1), linear->z = splat(k == 2);
    } else {
        const int turn = k - b->nslide;
        *angular = turn == 0 ? column_x(f->R) : turn == 1 ? column_y(f->R) : column_z(f->R);
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
    case SN__JOINT_HINGE:
        *alpha = add_scaled(*alpha, f->s[0], qdd[0]);
        break;
    default:
        for (int k = 0; k < b->naxes; k++)
            move_axis(axis_of(b, &f->pose, k), qdd[k], alpha, a);
        break;
    }
}

/* S^T f of one joint: what its degrees of freedom feel of a moment n and a force F. */
KERNEL void project(const tree_body *b, const struct pose *f, vec3 n, vec3 F, real *tau) {
    switch (b->joint) {
    case SN__JOINT_FREE:
        vec_store(tau, F);
        vec_store(tau + 3, mul_t(f->R, n));
        break;
    case SN__JOINT_BALL:
        vec_store(tau, mul_t(f->R, n));
        break;
    case SN__JOINT_HINGE:
        tau[0] = dot(f->s[0], n);
        break;
    default:
        for (int k = 0; k < b->naxes; k++)
            tau[k] = along_axis(axis_of(b, f, k), n, F);
        break;
    }
}

/* Whether a joint lets the body's origin move in its parent. */
KERNEL int moves_origin(const tree_body *b) {
    return b->nslide > 0 || (b->naxes > 0 && b->way[0] == SN__SCREWS);
}

/* The body's own inertia about its origin, world axes. */
KERNEL sym3 rigid_inertia(const tree_body *b, const struct frame *f) {
    const vec3 d = vec_splat(b->J);
    if (b->diagonal) return sym_rotate_diagonal(f->R, d);
    return sym_rotate(f->R, (sym3){d.x, d.y, d.z, splat(b->J[3]), splat(b->J[4]), splat(b->J[5])});
}

/* Position and velocity of a body's origin. */
struct origin {
    vec3 x, v;
};

/* Of one body, from those of its parent: root to leaves. Few kernels need them. */
KERNEL struct origin origin_motion(const tree_body *b, const struct frame *p, const struct frame *f,
                                   struct origin up, const real *q, const real *qd) {
    if (b->joint == SN__JOINT_FREE) return (struct origin){vec_load(q + b->q), vec_load(qd + b->v)};
    struct origin o = {add(up.x, f->r), add(up.v, cross(p->w, f->r))};
    vec3 unused = vec_zero();
    for (int k = 0; moves_origin(b) && k < b->naxes; k++)
        move_axis(axis_of(b, &f->pose, k), qd[b->v + k], &unused, &o.v);
    return o;
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
        const struct origin up = {p->alpha, p->a};
        const struct origin own = origin_motion(b, &w.frame[b->parent], f, up, args->q, args->qd);
        const vec3 x = own.x, v = own.v;
        w.motion[i] = (struct motion){x, v};
        const vec3 o = mul(f->R, vec_splat(b->origin));
        vec_store(pose, add(x, o));
        quat_store(pose + 3, f->Q);
        vec_store(pose + 7, add(v, cross(f->w, o)));
        vec_store(pose + 10, f->w);
    }
}

#endif
