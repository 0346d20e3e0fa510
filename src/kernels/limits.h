/* Torque limits inside the implicit solve: tau = clamp(s), s = Qd - Kd qdd the drive's law (Qd, Kd:
 * without what is passive), clamped by axis, or by length for the three axes of a ball or either half of a
 * free joint.
 *
 * With r(x) = M x + C, P the clamp and Qp, Kp what is passive, the acceleration x solves
 *
 *     F(x) = r(x) - (Qp - Kp x) - P(Qd - Kd x) = 0,
 *
 * the gradient of a strictly convex function. Newton's method: each iterate is a MABA sweep with Q = P +
 * P' Kd x + Qp and K = P' Kd + Kp, P' the derivative of the clamp (1 inside, 0 outside; for a vector cut
 * to length L it is L/|s| (1 - s s^T/|s|^2)). Where a full step would climb on the other side, the root of
 * d . F along the step d is found by bisection, which makes the method converge from anywhere. A lane that
 * has settled is frozen, so that its bits do not depend on its neighbours. */
#ifndef SINEW_KERNELS_LIMITS_H
#define SINEW_KERNELS_LIMITS_H

#include "kernels/polarised.h"

enum { LIMIT_SWEEPS = 64, LIMIT_BISECTIONS = 30 };

/* What the iteration carries, [nv] each. */
struct limiter {
    const struct sn__args *args;
    const real *Q0;    /* Qd + Qp */
    const real *Qp;    /* passive */
    real *x;           /* iterate */
    real *r;           /* M x + C there */
    const real *y, *s; /* where the sweep went, and M y + C */
};

/* Values that share a limit: 3 or 1. A ball whose axes have gains of their own has limits of its own on
   them, too: cut to length, such a torque would be no gradient. */
KERNEL int limit_group(const struct sn__args *args, const tree_body *b, int body) {
    const int per_axis = args->per_axis && args->per_axis[body];
    return (b->joint == SN__JOINT_BALL || b->joint == SN__JOINT_FREE) && !per_axis ? 3 : 1;
}

/* P(s) of one group at the acceleration x. Returns the factor L / |s| where |s| > L, and 2
   inside the limit; length is |s| where it counts. */
KERNEL real clamp_group(const struct limiter *l, int v, int n, const real *x, real *s, real *tau,
                        real *length) {
    const real *K = l->args->K, *Kp = l->args->K_passive, *limit = l->args->limit;
    real length2 = splat(0);
    for (int k = 0; k < n; k++) {
        s[k] = (l->Q0[v + k] - l->Qp[v + k]) - (K[v + k] - Kp[v + k]) * x[k];
        length2 = length2 + s[k] * s[k];
    }
    const mask over = less(limit[v] * limit[v], length2);
    *length = choose(over, square_root_each(length2),
                     splat(1)); /* abreast, gcc gives AVX2 and AVX-512 other bits */
    const real f = choose(over, limit[v] / *length, splat(1));
    for (int k = 0; k < n; k++)
        tau[k] = s[k] * f;
    return choose(over, f, splat(2)); /* 2: inside */
}

/* Q and K of the next sweep, linearised at x. */
KERNEL void linearise(const struct limiter *l, const tree_body *b, int n, sym3 *K3, real *Q, real *K) {
    const real *K0 = l->args->K, *Kp = l->args->K_passive;
    for (int v = b->v, part = 0; v < b->v + JOINT_NV[b->joint]; v += n, part++) {
        real s[3], tau[3], length;
        const real f = clamp_group(l, v, n, l->x + v, s, tau, &length);
        const mask inside = less(splat(R(1.5)), f);
        if (n == 1) {
            Q[v] = choose(inside, l->Q0[v], tau[0] + l->Qp[v]);
            K[v] = choose(inside, K0[v], Kp[v]);
            continue;
        }
        /* K3 = P' Kd, with one gain k for the three axes; u = s / |s| */
        const real k3 = f * (K0[v] - Kp[v]), i = R(1) / length;
        const vec3 kd = {K0[v] - Kp[v], K0[v + 1] - Kp[v + 1], K0[v + 2] - Kp[v + 2]};
        const vec3 u = {s[0] * i, s[1] * i, s[2] * i};
        const sym3 D = {k3 * (R(1) - u.x * u.x), k3 * (R(1) - u.y * u.y), k3 * (R(1) - u.z * u.z),
                        -(k3 * u.x * u.y),       -(k3 * u.x * u.z),       -(k3 * u.y * u.z)};
        const real z = splat(0);
        const sym3 P = {choose(inside, kd.x, D.xx), choose(inside, kd.y, D.yy), choose(inside, kd.z, D.zz),
                        choose(inside, z, D.xy),    choose(inside, z, D.xz),    choose(inside, z, D.yz)};
        const vec3 Dx = sym_mul(D, vec_load(l->x + v));
        const real step[3] = {Dx.x, Dx.y, Dx.z};
        for (int k = 0; k < 3; k++)
            Q[v + k] = choose(inside, l->Q0[v + k], tau[k] + step[k] + l->Qp[v + k]);
        K3[part] = sym_add_diagonal(P, vec_load(Kp + v));
    }
    for (int part = 0; n == 1 && part < JOINT_NV[b->joint] / 3; part++) { /* a ball by axes */
        const real *diagonal = K + b->v + 3 * part, z = splat(0);
        K3[part] = (sym3){diagonal[0], diagonal[1], diagonal[2], z, z, z};
    }
}

/* M y + C of the sweep's own result: Q - K y. */
KERNEL void sweep_residual(const tree_body *b, int n, const sym3 *K3, const real *Q, const real *K,
                           const real *y, real *s) {
    for (int v = b->v, part = 0; v < b->v + JOINT_NV[b->joint]; v += n, part++) {
        if (n == 1)
            s[v] = Q[v] - K[v] * y[v];
        else
            vec_store(s + v, sub(vec_load(Q + v), sym_mul(K3[part], vec_load(y + v))));
    }
}

/* d . F at x + t d, and whether F there is no more than rounding. */
KERNEL real slope(const struct limiter *l, const tree *t, real at, mask *nonzero) {
    const real *Kp = l->args->K_passive;
    const real tolerance = splat(LANE_BITS == 64 ? R(1e-13) : R(2e-6));
    real sum = splat(0);
    *nonzero = (mask){0};
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const int n = limit_group(l->args, b, i);
        for (int v = b->v; v < b->v + JOINT_NV[b->joint]; v += n) {
            real x[3], s[3], tau[3], length;
            for (int k = 0; k < n; k++)
                x[k] = l->x[v + k] + at * (l->y[v + k] - l->x[v + k]);
            clamp_group(l, v, n, x, s, tau, &length);
            for (int k = v; k < v + n; k++) {
                const real r = l->r[k] + at * (l->s[k] - l->r[k]), Kx = Kp[k] * x[k - v];
                const real F = r - l->Qp[k] + Kx - rounded(tau[k - v]);
                sum = sum + (l->y[k] - l->x[k]) * F;
                const real size = absolute(l->Q0[k]) + absolute(s[k - v]) + absolute(l->Qp[k]) + absolute(Kx);
                *nonzero |= less(tolerance * size, absolute(F));
            }
        }
    }
    return sum;
}

/* How far to go along y - x: all the way unless that climbs steeply, else to the root of the slope. */
KERNEL real step_length(const struct limiter *l, const tree *t, real slope_end) {
    mask unused;
    const real slope_start = slope(l, t, splat(0), &unused);
    const mask shorten = less(R(-1e-3) * slope_start, slope_end);
    real low = splat(0), high = splat(1);
    if (any(shorten))
        for (int i = 0; i < LIMIT_BISECTIONS; i++) {
            const real middle = R(0.5) * (low + high);
            const mask beyond = less(splat(0), slope(l, t, middle, &unused));
            high = choose(beyond, middle, high);
            low = choose(beyond, low, middle);
        }
    return choose(shorten, R(0.5) * (low + high), splat(1));
}

/* Newton's method from where l->x and l->r are; returns which lanes have settled. */
static mask settle_limits(const struct limiter *l, struct work *w, real *y, real *s) {
    const struct sn__args *args = l->args;
    const tree *t = args->tree;
    mask settled = (mask){0};
    for (int i = 0; i < LIMIT_SWEEPS && any(~settled); i++) {
        for (int b = 0; b < t->nbody; b++)
            linearise(l, &t->body[b], limit_group(args, &t->body[b], b), &w->K3[2 * b], w->Q, w->K);
        sweep(args, w, w->Q, w->K, ABA_LIMITED, y);
        for (int b = 0; b < t->nbody; b++)
            sweep_residual(&t->body[b], limit_group(args, &t->body[b], b), &w->K3[2 * b], w->Q, w->K, y, s);
        mask nonzero;
        const real slope_end = slope(l, t, splat(1), &nonzero);
        const real step = choose(nonzero, step_length(l, t, slope_end), splat(1));
        for (int v = 0; v < t->nv; v++) {
            const mask whole = ~nonzero | ~less(step, splat(1));
            const real xn = choose(whole, y[v], l->x[v] + step * (y[v] - l->x[v]));
            const real rn = choose(whole, s[v], l->r[v] + step * (s[v] - l->r[v]));
            l->x[v] = choose(settled, l->x[v], xn);
            l->r[v] = choose(settled, l->r[v], rn);
        }
        settled |= ~nonzero;
    }
    return settled;
}

/* Velocity products of the solution, not of what the drives would do without limits: the last linearisation is swept once
   more, so that it is the same one whenever the other lanes settle, and refined. */
static void refine_limited(const struct limiter *l, struct work *w, real *y, real *s) {
    const tree *t = l->args->tree;
    for (int b = 0; b < t->nbody; b++)
        linearise(l, &t->body[b], limit_group(l->args, &t->body[b], b), &w->K3[2 * b], w->Q, w->K);
    sweep(l->args, w, w->Q, w->K, ABA_LIMITED, y);
    refine_products(l->args, w, w->K, ABA_LIMITED, y);
    for (int b = 0; b < t->nbody; b++)
        sweep_residual(&t->body[b], limit_group(l->args, &t->body[b], b), &w->K3[2 * b], w->Q, w->K, y, s);
    for (int v = 0; v < t->nv; v++)
        l->x[v] = y[v], l->r[v] = s[v];
}

/* (M + K) qdd = Q - C under limits, by sweeps over frames that stand already. */
static void solve_limited(const struct sn__args *args, struct work *w, real *y) {
    const tree *t = args->tree;
    real *Q0 = w->tmp[0], *Qp = w->tmp[1], *x = w->tmp[2], *r = w->tmp[3], *s = w->tmp[4];
    const struct limiter l = {args, Q0, Qp, x, r, y, s};
    const real *K0 = args->K, *Kp = args->K_passive;
    const int start = w->products == PRODUCTS_START;
    drive_all(args, Q0);
    sweep(args, w, Q0, K0, ABA_GENERAL, x); /* as if there were no limits */
    for (int v = 0; v < t->nv; v++) {
        Qp[v] = passive_force(args, v);
        r[v] = Q0[v] - K0[v] * x[v];
    }
    mask settled = settle_limits(&l, w, y, s);
    if (start) {
        refine_limited(&l, w, y, s);
        settled = settle_limits(&l, w, y, s);
    }
    if (any(~settled)) { /* not settled: the limit holds, the law only nearly */
        for (int i = 0; i < t->nbody; i++) {
            const tree_body *b = &t->body[i];
            const int n = limit_group(args, b, i);
            for (int v = b->v; v < b->v + JOINT_NV[b->joint]; v += n) {
                real law[3], length;
                clamp_group(&l, v, n, x + v, law, w->Q + v, &length);
                for (int k = v; k < v + n; k++)
                    w->Q[k] = w->Q[k] + Qp[k];
            }
        }
        sweep(args, w, w->Q, Kp, ABA_GENERAL, y);
    }
    for (int v = 0; v < t->nv; v++)
        y[v] = choose(settled, x[v], y[v]);
}

/* What a last step of Newton's method at the solution x would be: leaves the eliminated joints as constraint
   responses need them. */
static void relinearise(const struct sn__args *args, struct work w, const real *x, real *unused) {
    const tree *t = args->tree;
    for (int v = 0; v < t->nv; v++)
        w.tmp[2][v] = x[v];
    const struct limiter l = {args, w.tmp[0], w.tmp[1], w.tmp[2], 0, 0, 0};
    for (int b = 0; b < t->nbody; b++)
        linearise(&l, &t->body[b], limit_group(args, &t->body[b], b), &w.K3[2 * b], w.Q, w.K);
    sweep(args, &w, w.Q, w.K, ABA_LIMITED, unused);
}

/* For args->polarised: the springs with the force beside them that polarises the products of the solution (polarised.h).
   Under torque limits that is the solution of the law as it is linearised at the explicit one. */
static const real *polarise(const struct sn__args *given, struct work *w) {
    struct sn__args args = *given;
    real *x = w->tmp[5];
    args.contacts = 0;
    if (!args.limit) {
        drive_all(&args, w->Q);
        solve_polarised(&args, w, w->Q, args.K, ABA_GENERAL, x);
        return polarising_force(&args, w, w->Q, args.K, ABA_GENERAL, x, w->tmp[0]);
    }
    solve_limited(&args, w, x);
    relinearise(&args, *w, x, w->tmp[4]);
    solve_polarised(&args, w, w->Q, w->K, ABA_LIMITED, x);
    return polarising_force(&args, w, w->Q, w->K, ABA_LIMITED, x, w->tmp[0]);
}

/* (M + K) qdd = Q - C under torque limits, all passes. */
static void maba_limited(const struct sn__args *given, real *qdd) {
    struct sn__args args = *given;
    struct work w = work_of(&args, 0);
    enter_all(args.tree, args.q, args.qd, &w);
    if (args.polarised) args.spring = polarise(given, &w);
    start_products(&args, &w, PRODUCTS_START);
    solve_limited(&args, &w, qdd);
}

static void maba_polarised(const struct sn__args *args, real *qdd) {
    struct work w = work_of(args, 0);
    enter_all(args->tree, args->q, args->qd, &w);
    drive_all(args, w.Q);
    solve_polarised(args, &w, w.Q, args->K, ABA_GENERAL, qdd);
    if (args->torque) polarising_force(args, &w, w.Q, args->K, ABA_GENERAL, qdd, w.tmp[0]);
}

static void maba(const struct sn__args *args, void *qdd) {
    if (args->limit)
        maba_limited(args, qdd);
    else if (args->polarised)
        maba_polarised(args, qdd);
    else
        walk_general(args, 0, args->K, qdd);
}

#endif
