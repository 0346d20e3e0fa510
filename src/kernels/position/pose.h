/* Poses as position-based steps see them: joint coordinates, and the affine pose of every body, a rotation R
 * and a translation within its joint.
 *
 * Where a body is in the world does not matter to its acceleration: its origin is a material point of its
 * parent, moved within the joint by a slide or a free joint alone. So the history holds rotations, and
 * translations within joints: no difference of large positions is ever taken, which float could not bear.
 * The position of a free root is relative to whatever the caller has chosen. */
#ifndef SINEW_KERNELS_POSITION_POSE_H
#define SINEW_KERNELS_POSITION_POSE_H

#include "kernels/tree/move.h"
#include "kernels/position/args.h"

/* A body in one pose. */
struct place {
    union {
        struct pose pose;
        struct {
            POSE;
        };
    };
    vec3 x; /* what of r is translation within the joint */
    mat3 A; /* acceleration of a material point p, own axes: A p + b, gravity taken off */
    vec3 b;
};

KERNEL void place_body(const tree_body *b, const struct place *p, const real *q, struct place *f) {
    q += b->q;
    enter_pose(b, &p->pose, q, &f->pose);
    if (is_free(b)) {
        f->x = f->r = vec_load(q);
        return;
    }
    if (!moves_origin(b)) return;
    vec3 unused = vec_zero();
    f->x = vec_zero();
    for (int k = 0; k < b->naxes; k++)
        move_axis(axis_of(b, &f->pose, k), q[k], &unused, &f->x);
}

KERNEL mat3 mat_load(const real *a) {
    return (mat3){a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]};
}

KERNEL void mat_store(real *a, mat3 A) {
    a[0] = A.xx, a[1] = A.xy, a[2] = A.xz, a[3] = A.yx, a[4] = A.yy, a[5] = A.yz, a[6] = A.zx, a[7] = A.zy,
    a[8] = A.zz;
}

/* The world, as the parent of roots: it accelerates against gravity. */
KERNEL struct place world_place(vec3 gravity) {
    const real zero = splat(0);
    struct place p = {.Q = {splat(1), zero, zero, zero}, .r = vec_zero(), .x = vec_zero()};
    p.s[0] = p.s[1] = p.s[2] = vec_zero();
    p.R = quat_matrix(p.Q);
    p.A = (mat3){zero, zero, zero, zero, zero, zero, zero, zero, zero};
    p.b = (vec3){-gravity.x, -gravity.y, -gravity.z};
    return p;
}

static void move(const sn__tree *tree_, const void *q0, const void *u, const void *s, void *q) {
    const tree *t = tree_;
    const real part = s ? *(const real *)s : splat(1);
    for (int i = 0; i < t->nbody; i++)
        move_joint(&t->body[i], q0, u, part, q);
}

/* As `move`, but balls turn their bodies in the world by the whole turn w of the body, exp(s w) Q, whatever their parents do:
   to second order bodies then move as they would on their own, which is what a sweep takes them for. On long chains of
   balls that is worth iterations. Turns stand in b, orientations before the move in Q, and after it in s. */
static void move_bodies(const sn__tree *tree_, void *work, const void *q0, const void *u_, const void *s,
                        void *q) {
    const tree *t = tree_;
    const real part = s ? *(const real *)s : splat(1);
    struct place *old = (struct place *)work + 1, *new = old + t->nbody + 1;
    old[-1] = new[-1] = world_place(vec_zero());
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const real *u = (const real *)u_ + b->v;
        place_body(b, &old[b->parent], q0, &old[i]);
        vec3 w = old[b->parent].b;
        if (is_free(b)) w = mul(old[i].R, vec_load(u + 3));
        if (is_ball(b)) w = add_mul(w, old[i].R, vec_load(u));
        vec3 unused = vec_zero();
        for (int k = 0; k < b->naxes; k++)
            move_axis(axis_of(b, &old[i].pose, k), u[k], &w, &unused);
        old[i].b = w;
        if (is_ball(b)) {
            const quat Qp = new[b->parent].Q, turned = quat_mul(quat_exp(scale(w, part)), old[i].Q);
            const quat before = b->rotated ? quat_mul(Qp, quat_splat(b->rot)) : Qp;
            quat_store((real *)q + b->q, quat_renormalise(quat_conj_mul(before, turned)));
        } else {
            move_joint(b, q0, u_, part, q);
        }
        place_body(b, &new[b->parent], q, &new[i]);
    }
}

/* The rotation vector from one orientation to the other, in the axes of either. */
KERNEL vec3 turn_between(const real *from, const real *to) {
    return quat_log(quat_conj_mul(quat_load(from), quat_load(to)));
}

#endif
