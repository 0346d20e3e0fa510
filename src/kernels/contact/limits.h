/* Torque limits as terms of the convex problem of convex.h: tau = clamp(s), s = Qd - Kd qdd the drive's law (Qd, Kd:
 * without what is passive), clamped by axis, or by length for the three axes of a ball or either half of a free joint.
 * With one gain k for a group, and T its limit,
 *
 *     within    phi = |s|^2 / 2k              tau = s           derivative k 1
 *     beyond    phi = (T |s| - T^2 / 2) / k   tau = T s / |s|   derivative k (T / |s|) (1 - s s^T / |s|^2)
 *
 * are convex functions of the acceleration, once differentiable. A ball whose axes have gains of their own has limits
 * of its own on them, too: cut to length, such a torque would be no gradient.
 *
 * A sweep has Q = tau + tau' x + Qp and K = tau' + Kp, tau' the derivative at the iterate x, for the drives that are
 * beyond their limits in some lane; the others, as a rule most, are left as they are. */
#ifndef SINEW_KERNELS_CONTACT_LIMITS_H
#define SINEW_KERNELS_CONTACT_LIMITS_H

#include "kernels/contact/law.h"

/* What the iteration knows of drives with limits, [nv] each; P, P_try and ever where a body is `driven`. */
struct drives {
    const struct sn__args *args;
    real *Q0;    /* Qd + Qp */
    real *Qp;    /* passive */
    real *P;     /* torque that balances the rest of the dynamics at the iterate */
    real *P_try; /* of the sweep */
    real *ever; /* 1 where the law has been beyond the limit in this solve: else P is the law; 2 where it is held */
};

KERNEL struct drives drives_of(const struct sn__args *args, const struct work *w) {
    return (struct drives){args, w->solve.Q0, w->solve.Qp, w->solve.P, w->solve.P_try, w->solve.ever};
}

KERNEL int limit_group(const struct sn__args *args, const tree_body *b, int body) {
    const int per_axis = args->per_axis && args->per_axis[body];
    return has_rotation(b) && !per_axis ? 3 : 1;
}

/* The law of one group at the acceleration x, and where it is beyond the limit. */
KERNEL mask drive_law(const struct drives *d, int v, int n, const real *x, real *s, real *length2) {
    const real *K = d->args->K, *Kp = d->args->K_passive, *limit = d->args->limit;
    *length2 = splat(0);
    for (int k = 0; k < n; k++) {
        s[k] = (d->Q0[v + k] - d->Qp[v + k]) - rounded((K[v + k] - Kp[v + k]) * x[k]);
        *length2 = *length2 + rounded(s[k] * s[k]);
    }
    return less(limit[v] * limit[v], *length2);
}

/* T / |s| where that is beyond the limit, else 1. */
KERNEL real cut_factor(const struct drives *d, int v, mask over, real length2) {
    const real *limit = d->args->limit;
    if (!any(over)) return splat(1);
    /* abreast, gcc gives AVX2 and AVX-512 other bits */
    return choose(over, limit[v] / square_root_each(choose(over, length2, splat(1))), splat(1));
}

/* A drive that is beyond its limit for the first time in this solve; x is NULL in the first sweep. */
static __attribute__((noinline)) void take_up_drive(const struct drives *d, struct work *w, int i,
                                                    const real *x) {
    const tree *t = d->args->tree;
    const tree_body *b = &t->body[i];
    const struct touching set = touching_of(t, w);
    const int n = limit_group(d->args, b, i);
    set.driven[i] = set.joint[i] = 1;
    make_hot(t, set, i);
    for (int v = b->v; v < b->v + b->nv; v++)
        w->over[v] = d->ever[v] = splat(0);
    for (int v = b->v; x && v < b->v + b->nv; v += n) {
        real length2;
        drive_law(d, v, n, x + v, d->P + v, &length2);
    }
}

/* The torque of a sweep whose drives were linearised as work.Q and work.K3 say. */
KERNEL void sweep_torque(const struct drives *d, const struct work *w, int i, int v, int n, const real *y,
                         real *P) {
    const tree_body *b = &((const tree *)d->args->tree)->body[i];
    const real *Kp = d->args->K_passive;
    const int part = (v - b->v) / 3;
    const sym3 K3 = w->K3[2 * i + part];
    if (n == 1) {
        const int axis = v - b->v - 3 * part;
        const real K = axis == 0 ? K3.xx : axis == 1 ? K3.yy : K3.zz;
        P[0] = (w->Q[v] - d->Qp[v]) - (K - Kp[v]) * y[v];
        return;
    }
    const vec3 Ky = sub(sym_mul(K3, vec_load(y + v)), times(vec_load(Kp + v), vec_load(y + v)));
    vec_store(P, sub(sub(vec_load(w->Q + v), vec_load(d->Qp + v)), Ky));
}

/* A torque goes along when rows change accelerations by dx: P -= (K - Kp) dx, K of the last linearisation. */
KERNEL void follow_torque(const struct drives *d, const struct work *w, int i, int v, int n, const real *dx) {
    const tree_body *b = &((const tree *)d->args->tree)->body[i];
    const real *Kp = d->args->K_passive;
    const int part = (v - b->v) / 3, axis = v - b->v - 3 * part;
    const sym3 K3 = w->K3[2 * i + part];
    if (n == 1) {
        const real K = axis == 0 ? K3.xx : axis == 1 ? K3.yy : K3.zz;
        d->P[v] = d->P[v] - (K - Kp[v]) * dx[0];
        return;
    }
    const vec3 x = vec_load(dx), Kx = sub(sym_mul(K3, x), times(vec_load(Kp + v), x));
    vec_store(d->P + v, sub(vec_load(d->P + v), Kx));
}

KERNEL int any_over(const struct drives *d, const tree_body *b, int n, const real *y) {
    mask over = (mask){0};
    for (int v = b->v; v < b->v + b->nv; v += n) {
        real s[3], length2;
        over |= drive_law(d, v, n, y + v, s, &length2);
    }
    return any(over);
}

/* What a sweep that came to y made of the drives; x is the iterate, NULL in the first sweep. */
static void look_at_drives(const struct drives *d, struct work *w, const real *x, const real *y) {
    const tree *t = d->args->tree;
    const struct touching set = touching_of(t, w);
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const int n = limit_group(d->args, b, i), known = set.driven[i];
        if (!known && !any_over(d, b, n, y)) continue;
        if (!known) take_up_drive(d, w, i, x);
        for (int v = b->v; v < b->v + b->nv; v += n) {
            real s[3], P[3], length2;
            const mask over = drive_law(d, v, n, y + v, s, &length2), bent = less(splat(0), w->over[v]);
            const int some = any(bent);
            if (some) sweep_torque(d, w, i, v, n, y, P);
            for (int k = 0; k < n; k++) {
                (x ? d->P_try : d->P)[v + k] = some ? choose(bent, P[k], s[k]) : s[k];
                d->ever[v + k] = choose(over, maximum(splat(1), d->ever[v + k]), d->ever[v + k]);
            }
        }
    }
}

/* Their share of the slope, as contact_slope has it: dt (y - x) . (P - tau). */
static struct slope drives_slope(const struct drives *d, const struct work *w, const real *x, const real *y,
                                 real at) {
    const tree *t = d->args->tree;
    const struct touching set = touching_of(t, w);
    const real zero = splat(0), one = splat(1), *K = d->args->K, *Kp = d->args->K_passive;
    struct slope sum = {zero, zero};
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const int n = limit_group(d->args, b, i);
        if (!set.driven[i]) continue;
        for (int v = b->v; v < b->v + b->nv; v += n) {
            real z[3], s[3], ds[3], length2, along = zero;
            struct slope own = {zero, zero};
            const mask counts = less(zero, d->ever[v]);
            if (!any(counts)) continue;
            for (int k = 0; k < n; k++)
                z[k] = x[v + k] + at * (y[v + k] - x[v + k]);
            const mask over = drive_law(d, v, n, z, s, &length2);
            const real f = cut_factor(d, v, over, length2);
            for (int k = 0; k < n; k++) {
                ds[k] = -rounded((K[v + k] - Kp[v + k]) * (y[v + k] - x[v + k]));
                along = along + rounded(s[k] * ds[k]);
            }
            along = choose(over, along / choose(over, length2, one), zero);
            const mask held = less(one, d->ever[v]);
            for (int k = 0; k < n; k++) {
                const real dx = y[v + k] - x[v + k], dP = d->P_try[v + k] - d->P[v + k];
                const real tau = choose(held, w->Q[v + k] - d->Qp[v + k], rounded(f * s[k]));
                own.f = own.f + dx * (d->P[v + k] + at * dP - tau);
                own.rate =
                    own.rate + dx * (dP - choose(held, zero, rounded(f * (ds[k] - rounded(along * s[k])))));
            }
            sum.f = sum.f + choose(counts, own.f, zero); /* else P is the law, but for rounding */
            sum.rate = sum.rate + choose(counts, own.rate, zero);
        }
    }
    const real dt = step_size(d->args);
    return (struct slope){dt * sum.f, dt * sum.rate};
}

static void move_drives(const struct drives *d, const struct work *w, real step, mask settled) {
    const tree *t = d->args->tree;
    const struct touching set = touching_of(t, w);
    const mask whole = ~less(step, splat(1));
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        for (int v = b->v; set.driven[i] && v < b->v + b->nv; v++)
            d->P[v] = go(d->P[v], d->P_try[v], step, whole, settled);
    }
}

/* How far the worst torque is from its law, relative and squared, beyond what rounding makes of it. */
static real drives_off(const struct drives *d, const struct work *w, const real *x) {
    const tree *t = d->args->tree;
    const struct touching set = touching_of(t, w);
    const real rounding = splat(LANE_BITS == 64 ? R(1e-13) : R(2e-6)), *K = d->args->K;
    real worst = splat(0);
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const int n = limit_group(d->args, b, i);
        if (!set.driven[i]) continue;
        for (int v = b->v; v < b->v + b->nv; v += n) {
            real s[3], length2, off = splat(0), size = splat(0), terms = splat(0);
            const mask over = drive_law(d, v, n, x + v, s, &length2);
            const mask counts = over | less(splat(0), d->ever[v]), held = less(splat(1), d->ever[v]);
            if (!any(counts)) continue;
            const real f = cut_factor(d, v, over, length2);
            for (int k = 0; k < n; k++) {
                const real law = rounded(f * s[k]), tau = choose(held, w->Q[v + k] - d->Qp[v + k], law);
                const real e = d->P[v + k] - tau;
                off = maximum(off, absolute(e));
                size = size + rounded(tau * tau);
                terms = maximum(terms, absolute(d->Q0[v + k]) + absolute(d->Qp[v + k]) +
                                           absolute(K[v + k] * x[v + k]));
            }
            off = maximum(splat(0), off - rounded(rounding * terms));
            worst = maximum(worst, choose(counts, off * off / maximum(size, splat(R(1e-20))), splat(0)));
        }
    }
    return worst;
}

/* K3 of a group, one gain k for its axes: k (T / |s|) (1 - u u^T), u = s / |s|, where it is beyond the limit. */
KERNEL sym3 bent_stiffness(const vec3 kd, real k, vec3 u, mask over) {
    const real z = splat(0), one = splat(1);
    const sym3 D = {k * (one - u.x * u.x), k * (one - u.y * u.y), k * (one - u.z * u.z),
                    -(k * u.x * u.y),      -(k * u.x * u.z),      -(k * u.y * u.z)};
    return (sym3){choose(over, D.xx, kd.x), choose(over, D.yy, kd.y), choose(over, D.zz, kd.z),
                  choose(over, D.xy, z),    choose(over, D.xz, z),    choose(over, D.yz, z)};
}

/* Q and K3 of one body, linearised at x. */
static void linearise_drive(const struct drives *d, struct work *w, int i, const real *x) {
    const tree_body *b = &((const tree *)d->args->tree)->body[i];
    const real *K0 = d->args->K, *Kp = d->args->K_passive, z = splat(0), one = splat(1);
    const int nv = b->nv, n = limit_group(d->args, b, i);
    real diagonal[6] = {z, z, z, z, z, z};
    for (int v = b->v; v < b->v + nv; v += n) {
        real s[3], length2;
        const mask over = drive_law(d, v, n, x + v, s, &length2), held = less(one, d->ever[v]);
        const real f = cut_factor(d, v, over, length2);
        for (int k = v; k < v + n; k++) {
            w->over[k] = choose(over | held, one, z);
            d->ever[k] = choose(over, maximum(one, d->ever[k]), d->ever[k]);
        }
        if (n == 1) {
            const real Q = choose(over, rounded(f * s[0]) + d->Qp[v], d->Q0[v]);
            w->Q[v] = choose(held, w->Q[v], Q);
            diagonal[v - b->v] = choose(over | held, Kp[v], K0[v]);
            continue;
        }
        const real inverse = R(1) / square_root_each(choose(over, length2, one));
        const vec3 kd = sub(vec_load(K0 + v), vec_load(Kp + v)), u = scale(vec_load(s), inverse);
        const sym3 D = bent_stiffness(kd, f * kd.x, u, over);
        const vec3 Dx = sym_mul(D, vec_load(x + v));
        const real more[3] = {Dx.x, Dx.y, Dx.z};
        for (int k = 0; k < 3; k++) {
            const real Q = choose(over, rounded(f * s[k]) + more[k] + d->Qp[v + k], d->Q0[v + k]);
            w->Q[v + k] = choose(held, w->Q[v + k], Q);
        }
        sym3 bent = sym_add_diagonal(D, vec_load(Kp + v)), *K3 = &w->K3[2 * i + (v - b->v) / 3];
        bent.xx = choose(over, bent.xx, K0[v]), bent.yy = choose(over, bent.yy, K0[v + 1]);
        bent.zz = choose(over, bent.zz, K0[v + 2]);
        *K3 = sym_choose(held, (sym3){Kp[v], Kp[v + 1], Kp[v + 2], z, z, z}, bent);
    }
    for (int part = 0; n == 1 && part < 2; part++)
        w->K3[2 * i + part] =
            (sym3){diagonal[3 * part], diagonal[3 * part + 1], diagonal[3 * part + 2], z, z, z};
}

static void linearise_drives(const struct drives *d, struct work *w, const real *x) {
    const tree *t = d->args->tree;
    const struct touching set = touching_of(t, w);
    for (int i = 0; i < t->nbody; i++)
        if (set.driven[i]) {
            linearise_drive(d, w, i, x);
            make_dirty(t, set, i);
        }
}

KERNEL real length2_of(const real *x, int n) {
    real sum = splat(0);
    for (int k = 0; k < n; k++)
        sum = sum + rounded(x[k] * x[k]);
    return sum;
}

/* In which lanes some torque is beyond its limit by more than 0.05 %. */
static mask drives_broken(const struct drives *d, const struct work *w) {
    const tree *t = d->args->tree;
    const struct touching set = touching_of(t, w);
    const real *limit = d->args->limit;
    mask broken = (mask){0};
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const int n = limit_group(d->args, b, i);
        for (int v = b->v; set.driven[i] && v < b->v + b->nv; v += n)
            broken |= less(R(1.001) * limit[v] * limit[v], length2_of(d->P + v, n));
    }
    return broken;
}

/* Drives to begin with: beyond their limits are those that would be at the acceleration x. */
static void expect_drives(const struct drives *d, struct work *w, const real *x) {
    const tree *t = d->args->tree;
    for (int i = 0; i < t->nbody; i++)
        if (any_over(d, &t->body[i], limit_group(d->args, &t->body[i], i), x)) take_up_drive(d, w, i, 0);
    linearise_drives(d, w, x);
}

static void take_up_all(const struct drives *d, struct work *w, const real *x) {
    const tree *t = d->args->tree;
    const struct touching set = touching_of(t, w);
    for (int i = 0; i < t->nbody; i++)
        if (!set.driven[i] && t->body[i].nv > 0) take_up_drive(d, w, i, x);
}

/* Holds torques that are beyond their limits, or `all` that have one, for the rest of the solve. */
static void hold_torques(const struct drives *d, struct work *w, mask which, int all) {
    const tree *t = d->args->tree;
    const struct touching set = touching_of(t, w);
    const real *limit = d->args->limit;
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const int n = limit_group(d->args, b, i);
        for (int v = b->v; set.driven[i] && v < b->v + b->nv; v += n) {
            const real P2 = length2_of(d->P + v, n), T2 = limit[v] * limit[v];
            const mask beyond = less(T2, P2), open = which & ~less(splat(1), d->ever[v]);
            const mask hold = open & (all ? less(T2, splat(R(__builtin_inf()))) : beyond);
            const real f = cut_factor(d, v, beyond, P2);
            for (int k = v; k < v + n; k++) {
                w->Q[k] = choose(hold, rounded(f * d->P[k]) + d->Qp[k], w->Q[k]);
                d->ever[k] = choose(hold, splat(2), d->ever[k]);
            }
        }
    }
}

/* The torques at the accelerations x of a solve, or of rows after it: those that balanced the last sweep and followed the rows,
   or the law if it was never beyond the limit. For float only: inverse dynamics would blame the rounding of stiff contacts on
   the drives, a fifth of a limit of 100 N m. */
static void report_drives(const struct sn__args *args, const struct work *w, const real *x) {
    const tree *t = args->tree;
    const struct drives d = drives_of(args, w);
    const struct touching set = touching_of(t, w);
    real *tau = args->torque;
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const int n = limit_group(args, b, i);
        for (int v = b->v; v < b->v + b->nv; v += n) {
            real length2;
            drive_law(&d, v, n, x + v, tau + v, &length2);
            for (int k = v; set.driven[i] && k < v + n; k++)
                tau[k] = d.P[k];
        }
    }
}

#endif
