/* A whole step over ground, and what goes from one to the next. */
#ifndef SINEW_KERNELS_CONTACT_GROUND_H
#define SINEW_KERNELS_CONTACT_GROUND_H

#include "kernels/contact/step.h"
#include "kernels/tree/rnea.h"

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
        for (int j = 0; j < b->nv; j++)
            tau[b->v + j] = tau[b->v + j] - x[SN__LIMIT_AXIS + j] * x[SN__LIMIT_FORCE];
    }
}

/* x and y with x a + y b nearest to c; where a and b are parallel, as they were. */
KERNEL void resolve_along(vec3 a, vec3 b, vec3 c, real *x, real *y) {
    const real aa = dot(a, a), bb = dot(b, b), ab = dot(a, b), ac = dot(a, c), bc = dot(b, c),
               area = aa * bb - ab * ab;
    const mask apart = less(R(1e-6) * aa * bb, area);
    const real inverse = R(1) / choose(apart, area, splat(1));
    *x = choose(apart, (bb * ac - ab * bc) * inverse, *x);
    *y = choose(apart, (aa * bc - ab * ac) * inverse, *y);
}

/* The speeds of the axes that slide, one or two, by the part of d beside w x (w x r), which is 2 w x s qd of each. Three are as
   they were at the start. */
KERNEL void slides_middle(const tree_body *b, const struct frame *p, const struct frame *f, real *out) {
    const vec3 rest = sub(f->d, cross(p->w, cross(p->w, f->r)));
    const vec3 z = scale(cross(p->w, f->s[0]), splat(R(2)));
    if (b->nslide == 1) {
        const real z2 = dot(z, z);
        const mask turns = less(splat(0), z2);
        out[0] = choose(turns, dot(z, rest) / choose(turns, z2, splat(1)), out[0]);
    } else if (b->nslide == 2) {
        resolve_along(z, scale(cross(p->w, f->s[1]), splat(R(2))), rest, &out[0], &out[1]);
    }
}

/* The speeds of the axes that turn, which need not be at right angles. */
KERNEL void turns_middle(const tree_body *b, const struct frame *f, vec3 turn, real *out) {
    const int first = b->nslide, n = b->naxes - first;
    real unused;
    if (n == 1) out[first] = dot(f->s[first], turn);
    if (n == 2) resolve_along(f->s[first], f->s[first + 1], turn, &out[first], &out[first + 1]);
    if (n == 3) vec_store(out, mul(mat_inverse(from_columns(f->s[0], f->s[1], f->s[2]), &unused), turn));
}

/* The velocity of one joint that its frame and its parent's have products of. */
KERNEL void joint_middle(const tree_body *b, const struct frame *p, const struct frame *f, const real *qd,
                         real *out) {
    const vec3 turn = sub(f->w, p->w);
    for (int k = 0; k < b->nv; k++)
        out[k] = qd[k];
    if (b->joint == SN__JOINT_BALL || b->joint == SN__JOINT_FREE) {
        vec_store(out + b->nv - 3, mul_t(f->R, turn));
    } else {
        slides_middle(b, p, f, out);
        turns_middle(b, f, turn, out);
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
    if (args->polarised) forced.spring = w.polarising; /* as the solve has left it */
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
    args.contacts = &g->contacts, args.ground = g;
    struct work w = work_of(&args, 0);
    real *qdd = out;
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
