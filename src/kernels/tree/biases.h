/* Biases on their way through joints that pass 2 has eliminated: in towards the root, out as accelerations.
 *
 *     ball    m = tau - n,   n^a = tau - K D^-1 m,  f^a = f + W^T m,   alpha = D^-1 m + N alpha_p - W a
 *     axis    m = tau - S^T (n; f), n^a = n + U m,  f^a = f + V m,     qdd = m / D - U alpha_p - V a
 *
 * Inertias and eliminated joints are those in work.response, whatever else went into the sweep that left them. Test forces
 * (deltas.h) and changes of the velocity products (midpoint.h) both go this way. */
#ifndef SINEW_KERNELS_TREE_BIASES_H
#define SINEW_KERNELS_TREE_BIASES_H

#include "kernels/tree/eliminate.h"
#include "kernels/tree/spin.h"

/* What kind of problem: decided when the code is compiled, not in a lane. */
enum {
    ABA_PLAIN,   /* K = 0 */
    ABA_GENERAL, /* K read from memory, one number a degree of freedom */
    ABA_LIMITED  /* likewise, but of balls and free joints a 3x3 matrix: work.K3 (limits.h) */
};

/* How the gains of a ball stand in its response. */
struct ball_gain {
    int kind;      /* GAIN_NONE ... of struct gain */
    const real *K; /* of its degrees of freedom */
    mask near;     /* mixed: by axes in these lanes */
};

KERNEL struct ball_gain gain_of(const struct sn__args *args, const struct work *w, int i, const real *K,
                                int kind) {
    const tree *t = args->tree;
    struct ball_gain g = {GAIN_ONE, K + t->body[i].v, (mask){0}};
    if (kind == ABA_PLAIN) {
        g.kind = GAIN_NONE;
    } else if (args->per_axis && args->per_axis[i]) {
        g.kind = GAIN_AXES;
    } else if (w->mixed && w->mixed[i]) {
        g.kind = GAIN_MIXED;
        g.near = w->near[i];
    }
    return g;
}

/* K D^-1 m of a ball. */
KERNEL vec3 ball_back(const struct ball_response *s, struct ball_gain g, vec3 m) {
    if (g.kind == GAIN_NONE) return vec_zero();
    if (g.kind == GAIN_AXES) return mul_t(s->N, m);
    const vec3 one = scale(sym_mul(s->Di, m), g.K[0]);
    return g.kind == GAIN_ONE ? one : vec_choose(g.near, mul_t(s->N, m), one);
}

/* D^-1 m + N alpha_p. */
KERNEL vec3 ball_forth(const struct ball_response *s, struct ball_gain g, vec3 m, vec3 alpha_p) {
    if (g.kind == GAIN_NONE) return sym_mul(s->Di, m);
    if (g.kind == GAIN_AXES) return add_mul(sym_mul(s->Dx, m), s->N, alpha_p);
    const vec3 one = sym_mul(s->Di, add_scaled(m, alpha_p, g.K[0]));
    return g.kind == GAIN_ONE ? one : vec_choose(g.near, add_mul(sym_mul(s->Dx, m), s->N, alpha_p), one);
}

/* In, through one axis: m. */
KERNEL real axis_bias_in(struct axis x, const struct axis_response *s, const real *tau, vec3 *n, vec3 *f) {
    const real m = (tau ? *tau : splat(0)) - along_axis(x, *n, *f);
    *n = add_scaled(*n, s->U, m);
    *f = add_scaled(*f, s->V, m);
    return m;
}

/* Out: q'' of one axis. */
KERNEL real axis_bias_out(const struct axis_response *s, real m, vec3 alpha, vec3 a) {
    return m * s->inverse - dot(s->U, alpha) - dot(s->V, a);
}

/* In, for one body: its joint takes what it can, the rest goes on. tau in the order of qdd, NULL: none. */
KERNEL void bias_in(const tree_body *b, const struct frame *fr, const struct response *s, struct ball_gain g,
                    const real *tau, struct delta *d) {
    vec3 *n = &d->n, *f = &d->f, *m = &d->m;
    switch (b->joint) {
    case SN__JOINT_FREE: /* f: what moves the root */
        *m = tau ? sub(mul(fr->R, vec_load(tau + 3)), *n) : sub(vec_zero(), *n);
        *f = sub(sub(tau ? vec_load(tau) : vec_zero(), *f), mul_t(s->free.W, *m));
        break;
    case SN__JOINT_BALL: {
        const vec3 t = tau ? mul(fr->R, vec_load(tau)) : vec_zero();
        *m = sub(t, *n);
        *f = add_mul_t(*f, s->ball.W, *m);
        *n = sub(t, ball_back(&s->ball, g, *m));
        break;
    }
    case SN__JOINT_HINGE:
        m->x = axis_bias_in(hinge_axis(&fr->pose), &s->axis[0], tau, n, f);
        break;
    default: {
        real own[3] = {m->x, m->y, m->z};
        for (int k = b->naxes - 1; k >= 0; k--)
            own[k] = axis_bias_in(axis_of(b, &fr->pose, k), &s->axis[k], tau ? tau + k : 0, n, f);
        *m = vec_load(own);
        break;
    }
    }
}

/* What bias_in has left in a delta: what moves the joint, and of a free one its origin. */
struct bias {
    vec3 m, f;
};

/* Out, for one body; qdd at its own place. */
KERNEL struct motion bias_out(const tree_body *b, const struct frame *fr, const struct response *s,
                              struct ball_gain g, struct bias bias, struct motion p, real *qdd) {
    const vec3 m = bias.m, f = bias.f;
    struct motion o;
    if (is_free(b)) {
        o.a = sym_mul(s->free.linear, f);
        o.alpha = sub_mul(sym_mul(s->free.angular, m), s->free.W, o.a);
        vec_store(qdd, o.a);
        vec_store(qdd + 3, mul_t(fr->R, o.alpha));
        return o;
    }
    o.a = add_cross(p.a, p.alpha, fr->r);
    o.alpha = p.alpha;
    switch (b->joint) {
    case SN__JOINT_BALL:
        o.alpha = sub_mul(ball_forth(&s->ball, g, m, p.alpha), s->ball.W, o.a);
        vec_store(qdd, mul_t(fr->R, sub(o.alpha, p.alpha)));
        break;
    case SN__JOINT_HINGE:
        qdd[0] = axis_bias_out(&s->axis[0], m.x, p.alpha, o.a);
        o.alpha = add_scaled(p.alpha, fr->s[0], qdd[0]);
        break;
    default: {
        const real own[3] = {m.x, m.y, m.z};
        for (int k = 0; k < b->naxes; k++) {
            qdd[k] = axis_bias_out(&s->axis[k], own[k], o.alpha, o.a);
            move_axis(axis_of(b, &fr->pose, k), qdd[k], &o.alpha, &o.a);
        }
        break;
    }
    }
    return o;
}

/* ------------------------------------------------------------------------------- the root of a spinning tree */

/* Where a sweep keeps what refinements need of a body, if it does. */
KERNEL struct rigid *rigid_kept(const struct work *w, int i) {
    return w->products == PRODUCTS_START || w->products == PRODUCTS_START_SPINNING ? &w->rigid[i] : 0;
}

/* A root's articulated inertia at a start, the moment that is held later. */
KERNEL void spin_bias(const struct work *w, int i, struct inertia *I) {
    if (w->products == PRODUCTS_HELD)
        I->n = add(I->n, w->spin[i].moment);
    else
        w->spin[i].J = I->J;
}

/* G, Z and the moment G alpha for the alpha of a symmetric solve. */
KERNEL vec3 spin_up(const struct sn__args *args, struct work *w, int i, struct ball_gain g, vec3 alpha) {
    const tree *t = args->tree;
    const struct response *s = &w->response[i];
    struct spin *spin = &w->spin[i];
    mat3 Y;
    if (is_free(&t->body[i])) {
        Y = free_compliance(&s->free);
    } else {
        const sym3 D = g.kind == GAIN_AXES ? s->ball.Dx : s->ball.Di;
        Y = sym_to_mat(g.kind == GAIN_MIXED ? sym_choose(g.near, s->ball.Dx, D) : D);
    }
    make_spin(spin, w->frame[i].w, Y, step_size(args));
    spin->moment = mul(spin->G, mul(spin->Z, alpha));
    return spin->moment;
}

/* After pass 2 of a first sweep: roots solve with G, too. */
KERNEL void spin_roots(const struct sn__args *args, struct work *w, const real *K, int kind, real *qdd) {
    const tree *t = args->tree;
    const struct motion rest = {vec_zero(), vec_zero()};
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        if (!spins(b)) continue;
        struct response *s = &w->response[i];
        const struct ball_gain g = gain_of(args, w, i, K, kind);
        struct motion *m = &w->motion[i];
        if (is_ball(b)) {
            struct ball_response *ball = &s->ball;
            const vec3 alpha = sub_mul(ball->y, ball->W, add(w->motion[-1].a, w->frame[i].d));
            const vec3 back = spin_up(args, w, i, g, alpha);
            ball->y = sub(ball->y, ball_forth(ball, g, back, vec_zero()));
            continue;
        }
        const vec3 back = spin_up(args, w, i, g, m->alpha);
        real change[6];
        const struct bias bias = {sub(vec_zero(), back), mul_t(s->free.W, back)};
        const struct motion o = bias_out(b, &w->frame[i], s, g, bias, rest, change);
        *m = (struct motion){add(m->alpha, o.alpha), add(m->a, o.a)};
        for (int k = 0; k < 6; k++)
            qdd[b->v + k] = qdd[b->v + k] + change[k];
    }
}

#endif
