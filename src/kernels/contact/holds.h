/* Torque limits of crowds, in a bounded number of sweeps.
 *
 * limits.h takes one corner of the convex problem after the other, which a stiff drive on every joint makes many of. A crowd
 * decides joint by joint instead, as friction's bounds are: after each sweep every joint looks at what it alone would do,
 * its parent moving as the sweep says. With D its articulated inertia, drive included as the sweep had it (Q', K'),
 *
 *     D x = Q' - b,    so that    (D - K' + K) x = Q - b    is the drive's law in place of it,    tau = Q - K x.
 *
 * Where that is beyond the limit T the drive is a constant torque T tau / |tau| in the next sweep, else its law. For one joint
 * this is the solution: a torque that the law would exceed by itself does not take it past its target. No matrices are
 * needed: Q and K of such a joint are numbers of each lane, and sweeps do not know of limits at all.
 *
 * What is left beyond its limit at the end is held there in a sweep or two more. */
#ifndef SINEW_KERNELS_CONTACT_HOLDS_H
#define SINEW_KERNELS_CONTACT_HOLDS_H

#include "kernels/contact/limits.h"

/* [nv] each. */
struct holds {
    const struct sn__args *args;
    const real *Q0; /* drives and passive forces */
    real *Qp;       /* passive */
    real *Q, *K;    /* of the next sweep */
    real *P;        /* drives' torques that balance the rest of the dynamics at the iterate */
};

KERNEL struct holds holds_of(const struct sn__args *args, const struct work *w) {
    return (struct holds){args, w->solve.Q0, w->solve.Qp, w->Q, w->solve.K, w->solve.P};
}

/* Whether limits are kept this way. */
KERNEL int holds_torques(const struct sn__args *args) {
    return args->limit && args->effort.spare;
}

/* All drives by their law. */
static void start_holds(const struct holds *h) {
    const struct sn__args *args = h->args;
    for (int v = 0; v < ((const tree *)args->tree)->nv; v++) {
        h->Qp[v] = passive_force(args, v);
        h->Q[v] = h->Q0[v];
        h->K[v] = ((const real *)args->K)[v];
    }
}

/* The drive's torque of a sweep that came to y. */
KERNEL real held_torque(const struct holds *h, int v, real y) {
    const real *Kp = h->args->K_passive;
    return (h->Q[v] - h->Qp[v]) - rounded((h->K[v] - Kp[v]) * y);
}

/* D^-1 of a group of three, world axes. */
KERNEL sym3 group_inverse(const struct sn__args *args, const struct work *w, int i, int v) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const struct response *s = &w->response[i];
    if (is_free(b)) return v == b->v ? s->free.linear : s->free.angular;
    if (args->per_axis && args->per_axis[i]) return s->ball.Dx;
    if (!touching_of(args->tree, w).joint[i]) return s->ball.Di;
    return sym_choose(w->near[i], s->ball.Dx, s->ball.Di);
}

/* Total force and gain of a group of three. */
struct drive3 {
    vec3 Q;
    real K;
};

/* What a group of three would do by itself, the parent moving as it does at y, the drive having the total force Q and gain
   K: (D + K - K') x = D y + Q - Q'. */
KERNEL vec3 own_way3(const struct holds *h, const struct work *w, int i, int v, sym3 D, vec3 y,
                     struct drive3 drive) {
    const vec3 Q = drive.Q;
    const real K = drive.K;
    const tree_body *b = &((const tree *)h->args->tree)->body[i];
    const int turns = is_ball(b) || v > b->v;
    const mat3 F = w->frame[i].R;
    const vec3 more = sub(Q, vec_load(h->Q + v));
    const vec3 rhs = add_sym_mul(turns ? mul(F, more) : more, D, turns ? mul(F, y) : y);
    const real k = K - h->K[v];
    const vec3 x = sym_mul(sym_inverse(sym_add_diagonal(D, (vec3){k, k, k})), rhs);
    return turns ? mul_t(F, x) : x;
}

/* D of one axis. */
KERNEL real axis_inertia(const struct holds *h, const struct work *w, int i, int v) {
    const tree_body *b = &((const tree *)h->args->tree)->body[i];
    if (b->naxes) return R(1) / w->response[i].axis[v - b->v].inverse;
    /* of three with gains of their own: as if the others were free */
    const int turns = is_ball(b) || v >= b->v + 3, axis = (v - b->v) % 3;
    const sym3 Di = group_inverse(h->args, w, i, v - axis);
    const mat3 F = w->frame[i].R;
    const vec3 e = axis == 0 ? column_x(F) : axis == 1 ? column_y(F) : column_z(F);
    return R(1) / (turns ? dot(e, sym_mul(Di, e)) : axis == 0 ? Di.xx : axis == 1 ? Di.yy : Di.zz);
}

/* The drive's law at x. */
KERNEL real law_at(const struct holds *h, int v, real x) {
    const real *K = h->args->K, *Kp = h->args->K_passive;
    return (h->Q0[v] - h->Qp[v]) - rounded((K[v] - Kp[v]) * x);
}

/* By how much the law of a group must be scaled down. */
KERNEL real scale_of(const struct holds *h, const struct work *w, int i, int v, int n, const real *y) {
    const real *K = h->args->K, *Kp = h->args->K_passive, *limit = h->args->limit, one = splat(1);
    real x[3], s[3], size2 = splat(0), law2 = splat(0);
    sym3 D3 = {one, one, one, one, one, one};
    real D = one;
    if (n == 3) {
        D3 = sym_inverse(group_inverse(h->args, w, i, v));
        vec_store(x, own_way3(h, w, i, v, D3, vec_load(y + v), (struct drive3){vec_load(h->Q0 + v), K[v]}));
    } else {
        D = axis_inertia(h, w, i, v);
        x[0] = (D * y[v] + (h->Q0[v] - h->Q[v])) / (D + (K[v] - h->K[v]));
    }
    for (int k = 0; k < n; k++) {
        s[k] = law_at(h, v + k, x[k]);
        size2 = size2 + rounded(s[k] * s[k]);
    }
    const mask over = less(limit[v] * limit[v], size2);
    if (!any(over)) return one;
    const real cut = choose(over, limit[v] / rounded(square_root(choose(over, size2, one))), one);
    if (n == 3) {
        const vec3 Q = add_scaled(vec_load(h->Qp + v), vec_load(s), cut);
        vec_store(x, own_way3(h, w, i, v, D3, vec_load(y + v), (struct drive3){Q, Kp[v]}));
    } else {
        x[0] = (D * y[v] + (cut * s[0] + h->Qp[v] - h->Q[v])) / (D + (Kp[v] - h->K[v]));
    }
    for (int k = 0; k < n; k++) {
        const real law = law_at(h, v + k, x[k]);
        law2 = law2 + rounded(law * law);
    }
    law2 = maximum(law2, maximum(limit[v] * limit[v], splat(R(1e-12))));
    return choose(over, limit[v] / rounded(square_root(choose(over, law2, one))), one);
}

/* Whether a group is within its limit in all lanes, and was. */
KERNEL int group_is_free(const struct holds *h, int v, int n, const real *y) {
    const real *limit = h->args->limit, *K = h->args->K;
    real size2 = splat(0);
    mask other = (mask){0};
    for (int k = v; k < v + n; k++) {
        const real P = held_torque(h, k, y[k]);
        other |=
            is_nonzero(bits_of(h->K[k]) ^ bits_of(K[k])) | is_nonzero(bits_of(h->Q[k]) ^ bits_of(h->Q0[k]));
        size2 = size2 + rounded(P * P);
    }
    return !any(other | less(limit[v] * limit[v], size2));
}

/* After a sweep that came to y: Q and K of the next, in the lanes that are not settled. Returns how far the torques of the
   sweep are from what is decided, relative to their limits and squared. */
static real decide_holds(const struct holds *h, struct work *w, mask settled, const real *y) {
    const struct sn__args *args = h->args;
    const tree *t = args->tree;
    const struct touching set = touching_of(t, w);
    const real *limit = args->limit, *K = args->K, *Kp = args->K_passive;
    real off = splat(0);
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const int n = limit_group(args, b, i);
        for (int v = b->v; v < b->v + b->nv; v += n) {
            if (group_is_free(h, v, n, y)) continue;
            const real f = scale_of(h, w, i, v, n, y);
            real away = splat(0);
            mask changed = (mask){0};
            for (int k = v; k < v + n; k++) {
                const mask whole = ~less(f, splat(1));
                const real Q = choose(whole, h->Q0[k], f * (h->Q0[k] - h->Qp[k]) + h->Qp[k]);
                const real gain = choose(whole, K[k], f * (K[k] - Kp[k]) + Kp[k]);
                const real e = rounded(f * law_at(h, k, y[k])) - held_torque(h, k, y[k]);
                away = away + rounded(e * e);
                changed |=
                    is_nonzero(bits_of(Q) ^ bits_of(h->Q[k])) | is_nonzero(bits_of(gain) ^ bits_of(h->K[k]));
                h->Q[k] = choose(settled, h->Q[k], Q);
                h->K[k] = choose(settled, h->K[k], gain);
            }
            if (any(changed & ~settled)) make_dirty(t, set, i);
            off = maximum(off, away / maximum(limit[v] * limit[v], splat(R(1e-6))));
        }
    }
    return off;
}

/* P of the iterate, which goes `step` of the way to y. */
static void move_holds(const struct holds *h, const real *y, real step, mask settled) {
    const mask whole = ~less(step, splat(1));
    for (int v = 0; v < ((const tree *)h->args->tree)->nv; v++)
        h->P[v] = go(h->P[v], held_torque(h, v, y[v]), step, whole, settled);
}

/* The slope at the begin of the way from x to y, by which it falls to nothing at the end: torques at x that are those of
   another decision. */
static real holds_slope(const struct holds *h, const real *x, const real *y) {
    real sum = splat(0);
    for (int v = 0; v < ((const tree *)h->args->tree)->nv; v++)
        sum = sum + rounded((y[v] - x[v]) * (h->P[v] - held_torque(h, v, x[v])));
    return step_size(h->args) * sum;
}

/* Holds torques of P that are beyond their limits by more than 0.05 %, or all that have one. Returns the lanes in which any
   was beyond. */
static mask cut_holds(const struct holds *h, const struct work *w, int soft, int all) {
    const struct sn__args *args = h->args;
    const tree *t = args->tree;
    const real *limit = args->limit, *Kp = args->K_passive;
    mask broken = (mask){0};
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < t->nbody; i++) {
            const tree_body *b = &t->body[i];
            const int n = limit_group(args, b, i);
            for (int v = b->v; v < b->v + b->nv; v += n) {
                const real P2 = length2_of(h->P + v, n), T2 = limit[v] * limit[v];
                const mask beyond = less(R(1.001) * T2, P2);
                if (!pass) {
                    broken |= beyond;
                    continue;
                }
                const mask hold = broken & (all ? less(T2, splat(R(__builtin_inf()))) : beyond);
                if (!any(hold)) continue;
                const mask cut = less(T2, P2);
                const real f =
                    choose(cut, limit[v] / rounded(square_root(choose(cut, P2, splat(1)))), splat(1));
                for (int k = v; k < v + n; k++) {
                    const real Q = soft ? f * (h->Q[k] - h->Qp[k]) : f * h->P[k];
                    const real gain = soft ? f * (h->K[k] - Kp[k]) + Kp[k] : Kp[k];
                    h->Q[k] = choose(hold, rounded(Q) + h->Qp[k], h->Q[k]);
                    h->K[k] = choose(hold, gain, h->K[k]);
                }
                make_dirty(t, touching_of(t, w), i);
            }
        }
    return broken;
}

/* P and passive forces, in place of Q; K is then the passive one. */
static const real *total_forces(const struct holds *h) {
    for (int v = 0; v < ((const tree *)h->args->tree)->nv; v++)
        h->Q[v] = h->P[v] + h->Qp[v];
    return h->Q;
}

static void report_holds(const struct sn__args *args, const struct work *w) {
    const struct holds h = holds_of(args, w);
    for (int v = 0; v < ((const tree *)args->tree)->nv; v++)
        ((real *)args->torque)[v] = h.P[v];
}

#endif
