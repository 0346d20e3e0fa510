/* What joints add to the energy of a pose: drives, springs, dampers, armature.
 *
 * A joint's own coordinates are looked at in a chart around the pose that is sought: u_j = q_j (-) q_i, for a ball
 * log(q_i^-1 q_j), in its own axes. There velocity and acceleration are the scheme's weights on the u_j, as for bodies:
 *
 *     velocity = (sum_j rate_ij u_j - sum_h rate_past_ih u_h) / dt,      acceleration likewise with C, W
 *
 * and with e = -u the gradient of 1/2 k |e|^2 is k e, for balls, too. Its Hessian in the chart is k (1 + beta [e]^2), at most
 * k 1, which sweeps take instead of it: less work, and always on the safe side. */
#ifndef SINEW_KERNELS_POSITION_JOINT_H
#define SINEW_KERNELS_POSITION_JOINT_H

#include "kernels/position/pose.h"

KERNEL real position_dt(const struct sn__position_args *a) {
    return a->own_dt ? *(const real *)a->own_dt : splat(R(a->dt));
}

KERNEL vec3 position_gravity(const struct sn__position_args *a) {
    if (a->own_gravity) return vec_load(a->own_gravity);
    return (vec3){splat(R(a->gravity[0])), splat(R(a->gravity[1])), splat(R(a->gravity[2]))};
}

/* Whether some joint may have a gradient of its own, and whether the past matters to it. */
KERNEL int has_joint_terms(const struct sn__position_args *a) {
    return a->target_q[0] || a->damping || a->armature || a->feedforward || a->lambda || a->springs ||
           a->stops;
}

KERNEL int has_dampers(const struct sn__position_args *a) {
    return a->target_q[0] || a->damping;
}

/* A drive at its torque limit T: D, the gradient of its energy, is cut to length, its Hessian K shrinks as much, which is more
   than the true one and never leads astray, and the energy goes on as a straight line:

       E - (|D| - T)^2 / 2K,     without K (a given torque) E T / |D|. */
KERNEL real cut_drive(real limit, real length, real K, real *energy) {
    const mask over = less(limit, length), bent = less(splat(0), K);
    if (!any(over)) return splat(1);
    const real beyond = length - limit, part = choose(over, limit / choose(over, length, splat(1)), splat(1));
    const real less_by = R(0.5) * beyond * beyond / choose(bent, K, splat(1));
    *energy = choose(over, choose(bent, *energy - less_by, *energy * part), *energy);
    return part;
}

/* What the past makes of one degree of freedom: its velocity and acceleration as the scheme sees them, times dt and dt^2, and
   half their energies. */
struct line {
    real moved, bent, rate_energy, bent_energy;
};

KERNEL struct line line_of(const struct sn__position_args *a, int q, int i) {
    const real x = ((const real *)a->q[i])[q];
    struct line l = {splat(0), splat(0), splat(0), splat(0)};
    for (int j = 0; j < a->m; j++) {
        if (j == i) continue;
        const real u = ((const real *)a->q[j])[q] - x;
        l.moved = l.moved + R(a->rate[i][j]) * u, l.bent = l.bent + R(a->C[i][j]) * u;
    }
    for (int j = 0; j < a->past; j++) {
        const real e = x - ((const real *)a->past_q[j])[q], half = R(0.5) * e * e;
        l.moved = l.moved + R(a->rate_past[i][j]) * e, l.bent = l.bent + R(a->W[i][j]) * e;
        l.rate_energy = l.rate_energy + R(a->rate_past[i][j]) * half;
        l.bent_energy = l.bent_energy + R(a->W[i][j]) * half;
    }
    return l;
}

/* What one degree of freedom adds: gradient, Hessian and energy. */
struct scalar_term {
    real g, K, E;
};

/* The drive of one degree of freedom at stage i, number v, within its torque limit; q is its place in a pose. */
KERNEL struct scalar_term scalar_drive(const struct sn__position_args *a, int q, int v, int i,
                                       const struct line *l) {
    const real h = position_dt(a), x = ((const real *)a->q[i])[q];
    real gradient = splat(0), hessian = splat(0), E = splat(0);
    if (a->target_q[0]) {
        const real kp = ((const real *)a->kp)[v], e = x - ((const real *)a->target_q[i])[q];
        const real kd = ((const real *)a->kd)[v] / h;
        gradient = kp * e + kd * l->moved, hessian = kp + kd * R(a->rate[i][i]);
        E = R(0.5) * kp * e * e + kd * l->rate_energy;
        if (a->target_qd[i]) {
            const real wanted = ((const real *)a->target_qd[i])[v] * h;
            gradient = gradient - kd * wanted;
            E = E - kd * wanted * e;
        }
    }
    if (a->feedforward) {
        gradient = gradient - ((const real *)a->feedforward)[v];
        if (a->past) E = E - ((const real *)a->feedforward)[v] * (x - ((const real *)a->past_q[0])[q]);
    }
    if (a->limit) {
        const real part = cut_drive(((const real *)a->limit)[v], absolute(gradient), hessian, &E);
        gradient = gradient * part, hessian = hessian * part;
    }
    return (struct scalar_term){gradient, hessian, E};
}

/* One degree of freedom, all of it. K leaves out other stages. */
KERNEL struct scalar_term scalar_terms(const struct sn__position_args *a, int q, int v, int i, real stiffness,
                                       real rest) {
    const real h = position_dt(a), x = ((const real *)a->q[i])[q];
    struct line l = {splat(0), splat(0), splat(0), splat(0)};
    if (has_dampers(a) || a->armature) l = line_of(a, q, i);
    const struct scalar_term drive = scalar_drive(a, q, v, i, &l);
    real gradient = drive.g, hessian = drive.K, E = drive.E;
    if (a->springs) {
        const real e = x - rest;
        gradient = gradient + stiffness * e, hessian = hessian + stiffness;
        E = E + R(0.5) * stiffness * e * e;
    }
    if (a->damping) {
        const real kd = ((const real *)a->damping)[v] / h;
        gradient = gradient + kd * l.moved, hessian = hessian + kd * R(a->rate[i][i]);
        E = E + kd * l.rate_energy;
    }
    if (a->armature) {
        const real k = ((const real *)a->armature)[v] / (h * h);
        if (a->past_qd) l.bent = l.bent - R(a->velocity[i]) * h * ((const real *)a->past_qd)[v];
        gradient = gradient + k * l.bent, hessian = hessian + k * R(a->C[i][i]), E = E + k * l.bent_energy;
    }
    if (a->lambda) hessian = hessian + ((const real *)a->lambda)[v];
    return (struct scalar_term){gradient, hessian, E};
}

KERNEL sym3 diagonal_of(vec3 d) {
    const real zero = splat(0);
    return (sym3){d.x, d.y, d.z, zero, zero, zero};
}

/* k (1 + beta [e]^2), the Hessian of 1/2 k |e|^2; beta [e]^2 = beta (e e^T - |e|^2 1). */
KERNEL sym3 spring_hessian(vec3 e, real k) {
    const real square = dot(e, e);
    const real beta = k * POLYNOMIAL(BETA_POLY, minimum(square, splat(R(PI * PI))));
    const vec3 b = scale(e, beta);
    const real d = k - beta * square;
    return (sym3){d + b.x * e.x, d + b.y * e.y, d + b.z * e.z, b.x * e.y, b.x * e.z, b.y * e.z};
}

/* What three axes with gains of their own make of it: the gradient Jr(e)^-T Kp e, and Jr^-T Kp Jr^-1 for a Hessian, which
   leaves out what is of the order of e. */
KERNEL void axes_spring(vec3 e, vec3 kp, vec3 *g, sym3 *K) {
    const vec3 minus = {-e.x, -e.y, -e.z};
    const real one = splat(1), zero = splat(0);
    const vec3 x =
        right_jacobian_inverse(minus, times(kp, right_jacobian_inverse(e, (vec3){one, zero, zero})));
    const vec3 y =
        right_jacobian_inverse(minus, times(kp, right_jacobian_inverse(e, (vec3){zero, one, zero})));
    const vec3 z =
        right_jacobian_inverse(minus, times(kp, right_jacobian_inverse(e, (vec3){zero, zero, one})));
    *g = right_jacobian_inverse(minus, times(kp, e));
    *K = (sym3){x.x, y.y, z.z, x.y, x.z, y.z};
}

/* Sums over the chart: w . u for the velocity and the acceleration of a rotation, and of |u|^2 / 2 for their energies. */
struct chart {
    vec3 moved, bent;
    real rate_energy, bent_energy;
    sym3 rate_hessian, bent_hessian; /* filled in where they are asked for */
};

KERNEL void chart_add(struct chart *c, vec3 e, real rate, real bent, int hessian) {
    const real half = R(0.5) * dot(e, e);
    c->moved = add_scaled(c->moved, e, rate);
    c->bent = add_scaled(c->bent, e, bent);
    c->rate_energy = c->rate_energy + rate * half;
    c->bent_energy = c->bent_energy + bent * half;
    if (!hessian) return;
    const sym3 H = spring_hessian(e, splat(1));
    c->rate_hessian = sym_add(c->rate_hessian, sym_scale(H, rate));
    c->bent_hessian = sym_add(c->bent_hessian, sym_scale(H, bent));
}

KERNEL struct chart no_chart(void) {
    const real zero = splat(0);
    const sym3 none = {zero, zero, zero, zero, zero, zero};
    return (struct chart){vec_zero(), vec_zero(), zero, zero, none, none};
}

KERNEL struct chart chart_of(const struct sn__position_args *a, int q, int i, int hessian) {
    const real *x = (const real *)a->q[i] + q;
    struct chart c = no_chart();
    for (int j = 0; j < a->m; j++)
        if (j != i)
            chart_add(&c, turn_between((const real *)a->q[j] + q, x), splat(R(-a->rate[i][j])),
                      splat(R(-a->C[i][j])), hessian);
    for (int j = 0; j < a->past; j++)
        if (a->rate_past[i][j] != 0 || a->armature)
            chart_add(&c, turn_between((const real *)a->past_q[j] + q, x), splat(R(a->rate_past[i][j])),
                      splat(R(a->W[i][j])), hessian);
    return c;
}

/* What a rotation adds: gradient, Hessian and energy, own axes. */
struct turn_term {
    vec3 g;
    sym3 K;
    real E;
};

/* A damper or an armature of three axes: k times `moved`. Its Hessian is k times the scheme's weight, or all of it where
   that is asked for and the axes agree. */
KERNEL void add_chart(vec3 k, vec3 moved, real energy, double weight, const sym3 *hessian,
                      struct turn_term *to) {
    to->g = add(to->g, times(k, moved));
    to->K = sym_add(to->K, hessian ? sym_scale(*hessian, k.x) : diagonal_of(scale(k, splat(R(weight)))));
    to->E = to->E + k.x * energy; /* axes that differ have none */
}

/* The three axes of a drive within their torque limit: by length, or each by itself where their gains differ. */
KERNEL void cut_axes(const struct sn__position_args *a, int per_axis, int v, struct turn_term *to) {
    vec3 *g = &to->g;
    sym3 *K = &to->K;
    real *energy = &to->E;
    const vec3 limit = vec_load((const real *)a->limit + v);
    if (!per_axis) {
        const real part = cut_drive(limit.x, square_root(dot(*g, *g)), K->xx, energy);
        *g = scale(*g, part), *K = sym_scale(*K, part);
        return;
    }
    real unused = splat(0);
    const vec3 part = {cut_drive(limit.x, absolute(g->x), K->xx, &unused),
                       cut_drive(limit.y, absolute(g->y), K->yy, &unused),
                       cut_drive(limit.z, absolute(g->z), K->zz, &unused)};
    const vec3 root = {square_root(part.x), square_root(part.y), square_root(part.z)};
    *g = times(*g, part);
    *K = (sym3){K->xx * part.x,          K->yy * part.y,          K->zz * part.z,
                K->xy * root.x * root.y, K->xz * root.x * root.z, K->yz * root.y * root.z};
}

/* The drive of a rotation, likewise: ball, or the turn of a free joint. */
KERNEL struct turn_term rotation_drive(const struct sn__position_args *a, int per_axis, int q, int v, int i,
                                       int exact, const struct chart *c) {
    const real h = position_dt(a), *x = (const real *)a->q[i] + q, zero = splat(0);
    struct turn_term to = {vec_zero(), {zero, zero, zero, zero, zero, zero}, zero};
    if (a->target_q[0]) {
        const vec3 kp = vec_load((const real *)a->kp + v),
                   kd = scale(vec_load((const real *)a->kd + v), R(1) / h);
        const vec3 e = turn_between((const real *)a->target_q[i] + q, x);
        if (per_axis) {
            axes_spring(e, kp, &to.g, &to.K);
        } else {
            to.g = scale(e, kp.x);
            to.K = exact ? spring_hessian(e, kp.x) : diagonal_of(kp);
        }
        to.E = R(0.5) * dot(e, times(kp, e));
        add_chart(kd, c->moved, c->rate_energy, a->rate[i][i], exact && !per_axis ? &c->rate_hessian : 0,
                  &to);
        if (a->target_qd[i]) { /* of the energy -kd w . e: what does work on the error, so that there is an energy */
            const vec3 pull = times(kd, scale(vec_load((const real *)a->target_qd[i] + v), h));
            to.g = sub(to.g, right_jacobian_inverse((vec3){-e.x, -e.y, -e.z}, pull));
            to.E = to.E - dot(pull, e);
        }
    }
    if (a->feedforward) {
        const vec3 tau = vec_load((const real *)a->feedforward + v);
        to.g = sub(to.g, tau);
        if (a->past) to.E = to.E - dot(tau, turn_between((const real *)a->past_q[0] + q, x));
    }
    if (a->limit) cut_axes(a, per_axis, v, &to);
    return to;
}

/* A rotation, all of it. `b` has the passive spring, or is NULL. */
KERNEL struct turn_term rotation_terms(const struct sn__position_args *a, const tree_body *b, int per_axis,
                                       int q, int v, int i, int exact) {
    const real h = position_dt(a), *x = (const real *)a->q[i] + q;
    const int whole = exact && !per_axis;
    struct chart c = no_chart();
    if (has_dampers(a) || a->armature) c = chart_of(a, q, i, whole);
    const sym3 *rate = whole ? &c.rate_hessian : 0, *bent = whole ? &c.bent_hessian : 0;
    struct turn_term to = rotation_drive(a, per_axis, q, v, i, exact, &c);
    if (b && b->has_spring) {
        const vec3 d = quat_log(quat_conj_mul(quat_splat(b->rest), quat_load(x)));
        const real k = splat(b->stiffness);
        to.g = add_scaled(to.g, d, k);
        to.K = exact ? sym_add(to.K, spring_hessian(d, k)) : sym_add_diagonal(to.K, (vec3){k, k, k});
        to.E = to.E + R(0.5) * k * dot(d, d);
    }
    const real ih = R(1) / h;
    if (a->damping)
        add_chart(scale(vec_load((const real *)a->damping + v), ih), c.moved, c.rate_energy, a->rate[i][i],
                  rate, &to);
    if (a->armature) {
        vec3 moved = c.bent;
        if (a->past_qd) { /* the velocity at the start, in the chart */
            const vec3 e0 = turn_between((const real *)a->past_q[0] + q, x);
            const vec3 u0 =
                right_jacobian_inverse((vec3){-e0.x, -e0.y, -e0.z}, vec_load((const real *)a->past_qd + v));
            moved = add_scaled(moved, u0, -h * R(a->velocity[i]));
        }
        add_chart(scale(vec_load((const real *)a->armature + v), ih * ih), moved, c.bent_energy, a->C[i][i],
                  bent, &to);
    }
    if (a->lambda) to.K = sym_add_diagonal(to.K, vec_load((const real *)a->lambda + v));
    return to;
}

/* Where a joint's terms go: its gradient [nv of it], and its Hessian: K, by degrees of freedom, K3 for rotations. The energy is
   added to. */
struct joint_out {
    real *g, *K;
    sym3 *K3;
    real *energy;
};

/* All of a joint at stage i. */
KERNEL void joint_terms(const struct sn__position_args *a, int body, int i, int exact, struct joint_out out) {
    const tree_body *b = &((const tree *)a->tree)->body[body];
    const int per_axis = a->per_axis && a->per_axis[body];
    const int linear = is_free(b) ? 3 : is_ball(b) ? 0 : b->nv;
    for (int k = 0; k < linear; k++) {
        const int spring = !is_free(b) && b->has_spring;
        const struct scalar_term own =
            scalar_terms(a, b->q + k, b->v + k, i, splat(spring ? b->stiffness : 0), splat(b->rest[k & 3]));
        out.g[k] = own.g, out.K[k] = own.K, *out.energy = *out.energy + own.E;
    }
    if (has_rotation(b)) {
        const struct turn_term own =
            rotation_terms(a, is_ball(b) ? b : 0, per_axis, b->q + linear, b->v + linear, i, exact);
        vec_store(out.g + linear, own.g);
        *out.K3 = own.K, *out.energy = *out.energy + own.E;
    }
}

/* The velocity at stage i as the scheme sees it. */
static void velocity(const struct sn__position_args *a, int i, void *out) {
    const tree *t = a->tree;
    const real ih = R(1) / position_dt(a);
    real *qd = out;
    for (int body = 0; body < t->nbody; body++) {
        const tree_body *b = &t->body[body];
        const int linear = is_free(b) ? 3 : is_ball(b) ? 0 : b->nv;
        for (int k = 0; k < linear; k++) {
            const real x = ((const real *)a->q[i])[b->q + k];
            real moved = splat(0);
            for (int j = 0; j < a->m; j++)
                moved = moved + R(a->rate[i][j]) * (((const real *)a->q[j])[b->q + k] - x);
            for (int j = 0; j < a->past; j++)
                moved = moved + R(a->rate_past[i][j]) * (x - ((const real *)a->past_q[j])[b->q + k]);
            qd[b->v + k] = moved * ih;
        }
        if (has_rotation(b)) vec_store(qd + b->v + linear, scale(chart_of(a, b->q + linear, i, 0).moved, ih));
    }
}

#endif
