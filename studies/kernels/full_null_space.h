/* Full coordinates, null space: body and joint are one pivot. Its free directions N = [r_c x S; S] carry the unknown qdd, and
 * X = [1, -[r]; 0, 1] is the rest of the motion, that of the parent:
 *
 *     a_c = X a_p + b + N qdd,    Jc b = gamma
 *     D = N^T A' N + K,   H = A' N,   A'_p += X^T (A' - H D^-1 H^T) X
 *
 * This is MABA (src/kernels/tree/eliminate.h, which it uses), with two differences: bodies have positions and velocities of their
 * own, and the errors of the rows stand where MABA has velocity products. A Schur complement does not depend on how a block is
 * pivoted inside, so all three eliminations hand the parent the same 6x6 block: the articulated inertia. */
#ifndef SINEW_STUDIES_KERNELS_FULL_NULL_SPACE_H
#define SINEW_STUDIES_KERNELS_FULL_NULL_SPACE_H

#include "studies/kernels/full.h"

/* The body's own inertia about its joint, on top of what its children left:
   moment = J alpha + mc x a + w x (J_c w),  force = m a - mc x alpha, with `a` that of the centre of mass plus r_c x alpha. */
KERNEL struct inertia null_inertia(const struct full *f, int i, const struct inertia *slot) {
    const struct full_body *b = &f->body[i];
    const struct full_joint *j = &f->joint[i];
    const vec3 w = f->state[i].w, r = j->rc, mc = scale(r, -b->m);
    const vec3 spin = f->spins ? f->products[i].spin : cross(w, sym_mul(j->J, w));
    const vec3 mr = scale(r, b->m);
    const sym3 J = {j->J.xx + mr.y * r.y + mr.z * r.z,
                    j->J.yy + mr.x * r.x + mr.z * r.z,
                    j->J.zz + mr.x * r.x + mr.y * r.y,
                    j->J.xy - mr.x * r.y,
                    j->J.xz - mr.x * r.z,
                    j->J.yz - mr.y * r.z};
    struct inertia I;
    join_body(&I, slot, J, mc, b->m);
    I.n = slot ? add(slot->n, spin) : spin;
    I.f = slot ? slot->f : vec_zero();
    return I;
}

KERNEL struct gain null_gain(const struct full_body *b, const struct full_joint *j, int first) {
    const vec3 K = vec_load(b->K + first);
    return b->per_axis ? gain_whole(sym_rotate_diagonal(j->pose.R, K)) : gain_diagonal(K);
}

/* A free joint: its body's acceleration at once. */
KERNEL void null_root(struct full *f, int i, struct inertia I) {
    const struct full_body *b = &f->body[i];
    struct full_joint *j = &f->joint[i];
    const vec3 lift = sub(j->part, f->gravity); /* qdd + c + lift is the acceleration of the origin */
    const struct root_drive drive = {vec_load(j->Q), vec_load(j->Q + 3), add_gain(I.J, null_gain(b, j, 3)),
                                     gain_diagonal(vec_load(b->K)), &lift};
    eliminate_free(I, &j->pose, drive, &f->motion[i], 0, j->qdd);
}

/* Body i is complete: its joint is eliminated, and the rest goes to the parent. */
KERNEL void null_leave(struct full *f, int i) {
    const struct full_body *b = &f->body[i];
    const tree_body *t = b->tree;
    struct full_joint *j = &f->joint[i];
    struct response *out = &f->response[i];
    const vec3 r = t->parent < 0 ? vec_zero() : sub(j->rp, f->joint[t->parent].rc);
    const struct above up = {t->parent < 0 ? 0 : &f->slot[t->parent_slot], t->first};
    if (t->leaf && is_ball(t) && !b->per_axis) { /* apart: nothing of a slot is read */
        const vec3 mc = scale(j->rc, -b->m);
        const struct inertia I = null_inertia(f, i, 0);
        hand_over(
            eliminate_ball(I, mul(j->pose.R, vec_load(j->Q)), &j->turn, null_gain(b, j, 0), &mc, &out->ball),
            r, &j->part, 0, up);
        return;
    }
    const struct inertia I = null_inertia(f, i, t->leaf ? 0 : &f->slot[t->slot]);
    if (is_free(t))
        null_root(f, i, I);
    else if (is_ball(t))
        hand_over(
            eliminate_ball(I, mul(j->pose.R, vec_load(j->Q)), &j->turn, null_gain(b, j, 0), 0, &out->ball), r,
            &j->part, 0, up);
    else if (t->naxes == 1)
        hand_over(eliminate_hinge(I, &j->pose, &j->turn, j->Q[0], b->K, out->axis), r, &j->part, 0, up);
    else
        hand_over(eliminate_axes(I, t, &j->pose, &j->turn, j->Q, b->K, out->axis), r, &j->part, 0, up);
}

/* The acceleration of body i, of its joint's place and less gravity, from that of its parent. */
KERNEL void null_follow(struct full *f, int i) {
    const struct full_body *b = &f->body[i];
    const tree_body *t = b->tree;
    if (is_free(t)) return;
    struct full_joint *j = &f->joint[i];
    const struct response *s = &f->response[i];
    const struct motion *p = &f->motion[t->parent];
    struct motion *m = &f->motion[i];
    const vec3 r = t->parent < 0 ? vec_zero() : sub(j->rp, f->joint[t->parent].rc);
    const vec3 a = add_cross(add(p->a, j->part), p->alpha, r), alpha = add(p->alpha, j->turn);
    if (is_ball(t)) {
        vec3 own = sub_mul(s->ball.y, s->ball.W, a);
        own = b->per_axis ? add_mul(own, s->ball.N, p->alpha)
                          : add_sym_mul(own, s->ball.Di, scale(p->alpha, b->K[0]));
        vec_store(j->qdd, mul_t(j->pose.R, sub(own, alpha)));
        *m = (struct motion){own, a};
        return;
    }
    *m = (struct motion){alpha, a};
    for (int k = 0; k < t->naxes; k++) {
        j->qdd[k] = axis_rate(&s->axis[k], m->alpha, m->a);
        m->alpha = add_scaled(m->alpha, j->pose.s[k], j->qdd[k]);
    }
}

static bool full_null_space(struct full *f) {
    for (const SHARED struct tree_visit *v = f->visit, *end = v + 2 * f->nbody; v < end; v++)
        if (v->leaving) null_leave(f, v->body);
    f->motion[-1] = (struct motion){vec_zero(), sub(vec_zero(), f->gravity)};
    for (int i = 0; i < f->nbody; i++) {
        const struct full_body *b = &f->body[i];
        null_follow(f, i);
        for (int k = 0; k < b->tree->nv; k++)
            f->joint[i].tau[k] = f->joint[i].Q[k] - b->K[k] * f->joint[i].qdd[k];
    }
    return true;
}

#endif
