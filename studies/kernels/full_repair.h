/* Joints that have come apart in a step are closed again; velocities stay as they are.
 *
 * Projection moves all bodies by the smallest delta, measured with M and the drives, for which the rows close to first order,
 *
 *     J delta = -gap,
 *
 * with the factors of the step. Each round is a solve with another right side. Snap puts each child back on its parent, from the
 * root outwards, with the angles that the joint has, and then moves the tree so that its centre of mass stays. */
#ifndef SINEW_STUDIES_KERNELS_FULL_REPAIR_H
#define SINEW_STUDIES_KERNELS_FULL_REPAIR_H

#include "studies/kernels/full_coupled.h"
#include "studies/kernels/full_soft.h"

/* From the parent's end of the joint to the child's. */
KERNEL vec3 repair_gap(const struct full *f, int i) {
    const struct full_body *b = &f->body[i];
    const struct full_state *c = &f->state[i], *p = &f->state[b->tree->parent];
    const vec3 child = add_mul(c->x, quat_matrix(c->Q), b->child_arm);
    return sub(child, b->tree->parent < 0 ? b->parent_arm : add_mul(p->x, quat_matrix(p->Q), b->parent_arm));
}

/* How far the hard rows are off. A hinge whose axis is s_c in the child and s_p in the parent has the error s_p x s_c; two axes
   have the cosine between them. */
static void repair_errors(const struct full *f, int i, real *gamma) {
    const struct full_body *b = &f->body[i];
    const tree_body *t = b->tree;
    const struct full_joint *j = &f->joint[i];
    if (!b->hard) return;
    vec_store(gamma, sub(vec_zero(), repair_gap(f, i)));
    if (is_ball(t)) return;
    const quat up = t->rotated ? quat_mul(f->state[t->parent].Q, quat_splat(t->rot)) : f->state[t->parent].Q;
    const vec3 p = mul(quat_matrix(up), vec_splat(t->axis[0]));
    const vec3 c = mul(quat_matrix(f->state[i].Q), vec_splat(t->axis[t->naxes - 1]));
    if (t->naxes == 2) {
        gamma[3] = dot(p, c) - b->bend;
        return;
    }
    const vec3 e = cross(p, c);
    gamma[3] = -dot(j->b[0], e), gamma[4] = -dot(j->b[1], e);
}

KERNEL void repair_turn(struct full_state *s, vec3 u) {
    s->Q = quat_renormalise(quat_mul(quat_exp(u), s->Q));
}

/* All rows; returns the square of the largest distance between the ends of a joint. */
static real repair_all_errors(struct full *f) {
    real most = R(0);
    for (int i = 0; i < f->nbody; i++) {
        const real *gamma = f->rows[i].gamma;
        repair_errors(f, i, f->rows[i].gamma);
        if (f->body[i].hard) most = maximum(most, dot(vec_load(gamma), vec_load(gamma)));
    }
    return most;
}

/* One round: first order in how far rows are off. */
static void project_once(struct full *f, bool soft) {
    for (int i = 0; i < f->nbody; i++)
        for (int k = 0; k < FULL_N; k++)
            f->factor[i].f[k] = R(0);
    for (int i = f->nbody - 1; i >= 0; i--) {
        if (soft)
            soft_gather(f, i, 0, f->rows[i].gamma);
        else
            coupled_gather(f, i, 0, f->rows[i].gamma);
    }
    for (int i = 0; i < f->nbody; i++) {
        real force[FULL_N];
        if (soft)
            soft_spread(f, i, force);
        else
            coupled_spread(f, i, force);
        f->state[i].x = add(f->state[i].x, vec_load(f->factor[i].a));
        repair_turn(&f->state[i], vec_load(f->factor[i].a + 3));
    }
}

enum { PROJECT_ROUNDS = 12 };

/* Until all gaps are below 0.01 mm. Steps that turn bodies little take one round. */
static void full_project(struct full *f, bool soft) {
    for (int round = 0; round < PROJECT_ROUNDS && repair_all_errors(f) > R(1e-10); round++)
        project_once(f, soft);
}

/* The turn of a joint, without what its axes do not allow. */
KERNEL quat repair_allowed(const tree_body *t, quat P) {
    if (t->naxes == 1) {
        const vec3 a = vec_splat(t->axis[0]);
        const real s = dot((vec3){P.x, P.y, P.z}, a), n = R(1) / square_root(P.w * P.w + s * s);
        return (quat){P.w * n, a.x * (s * n), a.y * (s * n), a.z * (s * n)};
    }
    real angle[2];
    full_two_angles(t, P, angle);
    return quat_mul(quat_turn(vec_splat(t->axis[0]), angle[0]), quat_turn(vec_splat(t->axis[1]), angle[1]));
}

/* joint.rp is the arm of the parent at the pose before; here new arms are made as bodies come. */
static void full_snap(struct full *f) {
    real *sum = f->sum; /* by root: m, and m times how far the centre of mass has moved */
    for (int i = 0; i < f->nbody; i++) {
        const struct full_body *b = &f->body[i];
        const tree_body *t = b->tree;
        struct full_state *c = &f->state[i];
        struct full_joint *j = &f->joint[i];
        if (t->parent < 0) sum[4 * i] = sum[4 * i + 1] = sum[4 * i + 2] = sum[4 * i + 3] = R(0);
        const int root = j->root = t->parent < 0 ? i : f->joint[t->parent].root;
        if (!is_free(t)) {
            const struct full_state *p = &f->state[t->parent];
            if (!is_ball(t)) {
                const quat up = t->rotated ? quat_mul(p->Q, quat_splat(t->rot)) : p->Q;
                c->Q = quat_renormalise(quat_mul(up, repair_allowed(t, quat_conj_mul(up, c->Q))));
            }
            j->pose.R = quat_matrix(c->Q);
            const vec3 old = c->x;
            const vec3 place =
                t->parent < 0 ? b->parent_arm : add_mul(p->x, f->joint[t->parent].pose.R, b->parent_arm);
            c->x = sub_mul(place, j->pose.R, b->child_arm);
            const vec3 moved = scale(sub(c->x, old), b->m);
            sum[4 * root + 1] += moved.x, sum[4 * root + 2] += moved.y, sum[4 * root + 3] += moved.z;
        } else
            j->pose.R = quat_matrix(c->Q);
        sum[4 * root] += b->m;
    }
    for (int i = 0; i < f->nbody; i++) {
        const int root = f->joint[i].root;
        if (!is_free(f->body[root].tree)) continue;
        const real *s = sum + 4 * root, part = R(-1) / s[0];
        f->state[i].x = add_scaled(f->state[i].x, (vec3){s[1], s[2], s[3]}, part);
    }
}

#endif
