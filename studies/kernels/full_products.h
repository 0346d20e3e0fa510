/* Joint coordinates in the null space: bodies follow q and qd, as in every other solver here, and the velocity products are taken
 * in several ways. It shows which property of full coordinates makes them accurate (docs/theory.md, section 14).
 *
 *     start      C(qd)                          as SN_PRODUCTS_EXPLICIT
 *     middle     C((qd + qd+) / 2)              as SN_PRODUCTS_MIDPOINT
 *     ends       (C(qd) + C(qd+)) / 2
 *     carried    M (N qd - N_before qd) / h     bodies bring the velocities of the last step along: as full coordinates do
 *
 * with qd+ = qd + h qdd by fixed-point rounds, and N(q) the velocities of bodies for unit qd. */
#ifndef SINEW_STUDIES_KERNELS_FULL_PRODUCTS_H
#define SINEW_STUDIES_KERNELS_FULL_PRODUCTS_H

#include "studies/kernels/full_null_space.h"
#include "sinew/studies.h"

enum { PRODUCTS_ROUNDS = 8 };

/* qd of the joint of body i, from the velocities of bodies. */
static void products_rates(const struct full *f, int i, real *qd) {
    const struct full_body *b = &f->body[i];
    const struct full_state *c = &f->state[i];
    const struct full_joint *j = &f->joint[i];
    const vec3 w = sub(c->w, f->state[b->tree->parent].w);
    const int first = is_free(b->tree) ? 3 : 0;
    if (first) vec_store(qd, add_cross(c->v, c->w, j->rc));
    for (int k = first; k < b->tree->nv; k++)
        qd[k] = dot(j->W[k - first], w);
}

/* Velocities of body i in the present pose for rates of all joints, root to leaves. */
static void products_follow(const struct full *f, int i, const real *qd, struct full_state *s) {
    const struct full_body *b = &f->body[i];
    const struct full_joint *j = &f->joint[i];
    const struct full_state *p = &s[b->tree->parent];
    const int first = is_free(b->tree) ? 3 : 0;
    s[i].w = p->w;
    for (int k = first; k < b->tree->nv; k++)
        s[i].w = add_scaled(s[i].w, first || is_ball(b->tree) ? j->W[k - first] : j->pose.s[k], qd[k]);
    const vec3 at = first ? vec_load(qd) : add_cross(p->v, p->w, j->rp);
    s[i].v = sub(at, cross(s[i].w, j->rc));
}

/* What the velocities qd + part (qd+ - qd) make of the rows of body i and of its spin, times `weight`, added. */
static void products_add(struct full *f, int i, real weight, struct full_products *sum) {
    const struct full_body *b = &f->body[i];
    struct full_joint *j = &f->joint[i];
    const struct full_state *c = &f->state[i], *p = &f->state[b->tree->parent];
    real qd[FULL_N];
    products_rates(f, i, qd);
    full_bias(f, b, p, c, sub(c->w, p->w), qd, j);
    sum->part = add_scaled(sum->part, j->part, weight);
    sum->turn = add_scaled(sum->turn, j->turn, weight);
    sum->spin = add_scaled(sum->spin, cross(c->w, sym_mul(j->J, c->w)), weight);
}

/* Velocities for qd + part h qdd, and their products. */
static void products_at(struct full *f, real part, real weight) {
    for (int i = 0; i < f->nbody; i++) {
        real qd[FULL_N];
        for (int k = 0; k < f->body[i].tree->nv; k++)
            qd[k] = f->products[i].qd[k] + part * f->h * f->joint[i].qdd[k];
        products_follow(f, i, qd, f->state);
    }
    for (int i = 0; i < f->nbody; i++)
        products_add(f, i, weight, &f->products[i]);
}

/* The change of the velocities that bodies would have to make at once: they bring those of the last step along. */
static void products_carried(struct full *f, int i) {
    const tree_body *t = f->body[i].tree;
    const struct full_products *c = &f->products[i], *p = &f->products[t->parent];
    struct full_joint *j = &f->joint[i];
    const struct full_state *s = &f->state[i];
    const real rate = R(1) / f->h;
    const vec3 carried = add_cross(c->v, c->w, j->rc);
    if (is_free(t)) {
        j->part = scale(sub(add_cross(s->v, s->w, j->rc), carried), rate);
        return;
    }
    j->part = scale(sub(add_cross(p->v, p->w, j->rp), carried), rate);
    j->turn = scale(sub(sub(s->w, f->state[t->parent].w), sub(c->w, p->w)), rate);
}

static void products_clear(struct full_products *p) {
    p->part = p->turn = p->spin = vec_zero();
}

/* After full_enter of all bodies. */
static bool full_products_solve(struct full *f) {
    for (int i = 0; i < f->nbody; i++)
        products_rates(f, i, f->products[i].qd);
    if (f->way == SN_FULL_PRODUCTS_CARRIED && f->moved)
        for (int i = 0; i < f->nbody; i++)
            products_carried(f, i);
    f->spins = 0;
    bool good = full_null_space(f);
    const bool rounds = f->way == SN_FULL_PRODUCTS_MIDDLE || f->way == SN_FULL_PRODUCTS_ENDS;
    for (int round = 0; rounds && good && round < PRODUCTS_ROUNDS; round++) {
        for (int i = 0; i < f->nbody; i++)
            products_clear(&f->products[i]);
        if (f->way == SN_FULL_PRODUCTS_MIDDLE) {
            products_at(f, R(0.5), R(1));
        } else {
            products_at(f, R(0), R(0.5));
            products_at(f, R(1), R(0.5));
        }
        for (int i = 0; i < f->nbody; i++) {
            f->joint[i].part = f->products[i].part;
            f->joint[i].turn = f->products[i].turn;
        }
        f->spins = 1; /* null_inertia takes products.spin */
        good = full_null_space(f);
    }
    return good;
}

/* Semi-implicit Euler in q and qd; what bodies bring along are the new rates in the old pose. */
static void full_products_move(struct full *f) {
    for (int i = 0; i < f->nbody; i++) {
        struct full_products *own = &f->products[i];
        const tree_body *t = f->body[i].tree;
        for (int k = 0; k < t->nv; k++)
            own->qd[k] += f->h * f->joint[i].qdd[k];
        own->turned = is_free(t) ? f->state[i].Q : full_turned(f->state, t, i);
        products_follow(f, i, own->qd, f->state);
    }
    for (int i = 0; i < f->nbody; i++)
        f->products[i].v = f->state[i].v, f->products[i].w = f->state[i].w;
    for (int i = 0; i < f->nbody; i++) {
        const struct full_body *b = &f->body[i];
        const tree_body *t = b->tree;
        struct full_state *c = &f->state[i];
        const struct full_state *p = &f->state[t->parent];
        struct full_joint *j = &f->joint[i];
        const struct full_products *own = &f->products[i];
        const vec3 origin = add_scaled(add(c->x, j->rc), vec_load(own->qd), f->h); /* of a free body */
        const quat up = t->rotated ? quat_mul(p->Q, quat_splat(t->rot)) : p->Q;
        if (has_rotation(t)) {
            const vec3 u = scale(vec_load(own->qd + (is_free(t) ? 3 : 0)), f->h);
            const quat Q = quat_mul(own->turned, quat_exp(u));
            c->Q = quat_renormalise(is_free(t) ? Q : quat_mul(up, Q));
        } else {
            real angle[2] = {R(0), R(0)};
            if (t->naxes == 2) full_two_angles(t, own->turned, angle);
            quat Q =
                t->naxes == 2 ? quat_turn(vec_splat(t->axis[0]), angle[0] + f->h * own->qd[0]) : own->turned;
            Q = quat_mul(
                Q, quat_turn(vec_splat(t->axis[t->naxes - 1]), angle[1] + f->h * own->qd[t->naxes - 1]));
            c->Q = quat_renormalise(quat_mul(up, Q));
        }
        j->pose.R = quat_matrix(c->Q);
        full_axes(b, f->state, j);
        j->rc = mul(j->pose.R, b->child_arm);
        j->rp = t->parent < 0 ? b->parent_arm : mul(f->joint[t->parent].pose.R, b->parent_arm);
        c->x = sub(is_free(t) ? origin : add(p->x, j->rp), j->rc);
        products_follow(f, i, own->qd, f->state);
    }
    f->moved = 1;
}

#endif
