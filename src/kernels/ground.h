/* A whole step over ground, and what goes from one to the next. */
#ifndef SINEW_KERNELS_GROUND_H
#define SINEW_KERNELS_GROUND_H

#include "kernels/integrate.h"
#include "kernels/rnea.h"

/* Forces of this step, and the slip where friction is not at its bound. */
static void remember(const struct sn__args *args, struct sn__ground *g) {
    const struct sn__contacts *c = &g->contacts;
    const mask frozen = args->frozen ? less(splat(0), *(const real *)args->frozen) : (mask){0};
    for (int k = 0; k < c->count; k++) {
        if (g->which[k] >= g->nprobe) continue;
        const real *x = contact_at(c, k);
        real *memory = (real *)g->touch + 6 * g->which[k];
        const mask lost = frozen | ~less(splat(0), x[SN__BN]);
        vec_store(memory, vec_choose(lost, vec_zero(), vec_load(x + SN__FORCE)));
        vec_store(memory + 3, vec_load(x + SN__SLIP));
    }
    for (int k = 0; k < c->nlimit; k++) {
        const real *x = limit_at(c, k);
        const mask lost = frozen | ~less(splat(0), x[SN__LIMIT_B]);
        ((real *)g->stop)[g->which_side[k]] = choose(lost, splat(0), x[SN__LIMIT_FORCE]);
    }
}

/* The drives' torque: inverse dynamics with the contacts as pushes (eq. 5), less what limits and what is passive do. */
static void report_torque(const struct sn__args *given, struct work *w, const real *qdd) {
    struct sn__args args = *given;
    const tree *t = args.tree;
    const struct sn__contacts *c = args.contacts;
    real *tau = args.torque;
    for (int k = 0; k < 6 * t->nbody; k++)
        w->push[k] = args.push ? ((const real *)args.push)[k] : splat(0);
    for (int k = 0; c && k < c->count; k++) {
        const real *x = contact_at(c, k);
        const int i = c->body[k];
        const vec3 F = vec_load(x + SN__FORCE);
        const vec3 arm = sub(vec_load(x + SN__POINT), mul(w->frame[i].R, vec_splat(t->body[i].origin)));
        real *push = w->push + 6 * i;
        vec_store(push, add(vec_load(push), F));
        vec_store(push + 3, add_cross(vec_load(push + 3), arm, F));
    }
    args.push = w->push;
    rnea_framed(&args, w, qdd, tau);
    drive_share(&args, qdd, tau);
    for (int v = 0; args.ground && v < t->nv; v++) /* less what guard_energy has done */
        tau[v] = tau[v] + w->damping[v] * (((const real *)args.qd)[v] + step_size(&args) * qdd[v]);
    for (int k = 0; c && k < c->nlimit; k++) {
        const real *x = limit_at(c, k);
        const tree_body *b = &t->body[c->limit_body[k]];
        for (int j = 0; j < JOINT_NV[b->joint]; j++)
            tau[b->v + j] = tau[b->v + j] - x[SN__LIMIT_AXIS + j] * x[SN__LIMIT_FORCE];
    }
}

/* The speed of a slide whose products stand in its frame: by the part of d beside w x (w x r), which is 2 w x s qd. */
KERNEL real slide_middle(const struct frame *p, const struct frame *f, real qd) {
    const vec3 z = scale(cross(p->w, f->s), splat(R(2))), rest = sub(f->d, cross(p->w, cross(p->w, f->r)));
    const real z2 = dot(z, z);
    const mask turns = less(splat(0), z2);
    return choose(turns, dot(z, rest) / choose(turns, z2, splat(1)), qd);
}

/* The velocity of one joint that its frame and its parent's have products of. */
KERNEL void joint_middle(const tree_body *b, const struct frame *p, const struct frame *f, const real *qd,
                         real *out) {
    const vec3 turn = sub(f->w, p->w);
    for (int k = 0; k < JOINT_NV[b->joint]; k++)
        out[k] = qd[k];
    if (b->joint == SN__JOINT_BALL || b->joint == SN__JOINT_FREE) {
        vec_store(out + JOINT_NV[b->joint] - 3, mul_t(f->R, turn));
    } else if (b->joint == SN__JOINT_HINGE) {
        out[0] = dot(f->s, turn);
    } else if (b->joint == SN__JOINT_UNIVERSAL) { /* whose axes need not be at right angles */
        const real along = dot(f->s, f->s2), x = dot(f->s, turn), y = dot(f->s2, turn);
        out[0] = (x - along * y) / (R(1) - along * along);
        out[1] = y - along * out[0];
    } else if (b->joint == SN__JOINT_SLIDE) {
        out[0] = slide_middle(p, f, qd[0]);
    }
}

/* For those who would check torques by inverse dynamics: the velocity that the products of the solve were of. */
static void tell_middle(const struct sn__args *args, const struct work *w) {
    const tree *t = args->tree;
    for (int i = 0; i < t->nbody && args->middle; i++) {
        const tree_body *b = &t->body[i];
        joint_middle(b, &w->frame[b->parent], &w->frame[i], (const real *)args->qd + b->v,
                     (real *)args->middle + b->v);
    }
}

static void torque(const struct sn__args *args, const void *qdd) {
    struct work w = work_of(args, 0);
    tell_middle(args, &w);
    struct sn__args forced = *args;
    if (args->polarised) forced.spring = w.turn; /* as the solve has left it */
    if (LANE_BITS != 32 || !args->limit) {
        report_torque(&forced, &w, qdd);
        return;
    }
    const struct drives d = drives_of(args, &w);
    drive_all(args, d.Q0);
    for (int v = 0; v < ((const tree *)args->tree)->nv; v++)
        d.Qp[v] = passive_force(args, v);
    report_drives(args, &w, qdd);
}

static int step_ground(const struct sn__args *given, struct sn__ground *g, void *q, void *qd, void *out) {
    struct sn__args args = *given;
    struct work w = work_of(&args, 0);
    real *qdd = out;
    args.contacts = &g->contacts, args.ground = g;
    enter_moving(&args, &w);
    find_all(&args, &w, g);
    if (args.polarised) args.spring = polarise(&args, &w);
    const int n = solve_convex(&args, &w, 1, qdd);
    tell_middle(&args, &w);
    if (args.torque &&
        holds_torques(&args)) /* inverse dynamics would lay the rounding of stiff contacts on the drives */
        report_holds(&args, &w);
    else if (LANE_BITS == 32 && args.torque && args.limit)
        report_drives(&args, &w, qdd);
    else if (args.torque)
        report_torque(&args, &w, qdd);
    move_on(&args, qdd, q, qd);
    hold_balls(&args, g, q, qd);
    return n;
}

#endif
