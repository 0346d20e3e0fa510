/* Joints near their limits in some lane, as records for the solve or for rows: the one definition of a joint limit.
 *
 * With t the twist axis of a ball, q = swing twist and t'' = R^T t, all in the body's own axes:
 *
 *     swing  2 acos sqrt(q_w^2 + (q . t)^2),     rate (t'' x t) / |t'' x t| . w
 *     twist  2 atan2(q . t, q_w),                rate (t'' + t) / (1 + t'' . t) . w */
#ifndef SINEW_KERNELS_STOPS_H
#define SINEW_KERNELS_STOPS_H

#include "kernels/integrate.h"

/* rad or m: near enough to matter if it may be reached in this step at the present rate. */
#define STOP_NEAR 0.05

/* A side of a limit: `gap` is left, x the way away from it in the joint's velocities, b the joint's inertia and gain. */
KERNEL void take_stop(const struct sn__args *args, struct sn__ground *g, const struct sn__stops *s, int side,
                      mask near, real gap, vec3 x, real b) {
    struct sn__contacts *c = &g->contacts;
    const int at = s->side + side, kept = g->nprobe + at;
    real *memory = (real *)g->stop + at;
    if (!any(near)) {
        if (g->live[kept]) *memory = splat(0);
        g->live[kept] = 0;
        return;
    }
    const real dt = step_size(args), zero = splat(0), recovery = maximum(splat(R(g->recovery)), R(2) * dt);
    real *record = limit_at(c, c->nlimit);
    vec_store(record + SN__LIMIT_AXIS, x);
    record[SN__LIMIT_WANTED] =
        choose(less(zero, gap), -gap / dt, minimum(-gap / recovery, splat(R(g->limit_speed))));
    record[SN__LIMIT_B] = choose(near, R(400) * b / dt, zero);
    record[SN__LIMIT_GAP] = gap;
    record[SN__LIMIT_FORCE] = choose(near, *memory, zero);
    g->live[kept] = 1;
    g->which_side[c->nlimit] = at;
    ((int32_t *)c->limit_body)[c->nlimit++] = s->body;
}

/* 2 acos c for 0 <= c <= 1 with s = sqrt(1 - c^2). */
KERNEL real whole_angle(real c, real s) {
    return R(2) * s * POLYNOMIAL(LOG_POLY, R(1) - c);
}

KERNEL void ball_stops(const struct sn__args *args, struct sn__ground *g, const struct sn__stops *s,
                       const tree_body *b, real inertia) {
    const quat q = quat_load((const real *)args->q + b->q);
    const vec3 w = vec_load((const real *)args->qd + b->v), t = vec_splat(b->axis);
    const real one = splat(1), zero = splat(0);
    const real ahead = R(STOP_NEAR) + step_size(args) * (absolute(w.x) + absolute(w.y) + absolute(w.z));
    const vec3 u = mul_t(quat_matrix(q), t), across = cross(u, t);
    const real cosine = dot(u, t), sine2 = dot(across, across);
    const real along = q.x * t.x + q.y * t.y + q.z * t.z, length2 = along * along + q.w * q.w;
    const real length = square_root(minimum(length2, one));
    const real swing = whole_angle(length, square_root(maximum(zero, one - length2)));
    const real gap = R(s->upper[1]) - swing;
    const mask swung = less(splat(R(1e-12)), sine2), near = swung & less(gap, ahead);
    vec3 x = across; /* of no account where nothing is near, as a rule: no need to divide then */
    if (any(near)) x = scale(across, R(-1) / square_root(choose(swung, sine2, one)));
    take_stop(args, g, s, 0, near, gap, x, inertia);
    const mask twists = not_less(one + cosine, splat(R(1e-3))) & less(splat(R(1e-12)), length2);
    const real inverse = R(1) / choose(twists, length, one), half = flip_sign(along, q.w) * inverse;
    const real twist = flip_sign(whole_angle(minimum(absolute(q.w) * inverse, one), absolute(half)), half);
    const real low = twist - R(s->lower[0]), high = R(s->upper[0]) - twist;
    const mask near_low = twists & less(low, ahead), near_high = twists & less(high, ahead);
    if (any(near_low | near_high)) x = scale(add(u, t), R(1) / choose(twists, one + cosine, one));
    take_stop(args, g, s, 1, near_low, low, x, inertia);
    take_stop(args, g, s, 2, near_high, high, (vec3){-x.x, -x.y, -x.z}, inertia);
}

KERNEL void find_stops(const struct sn__args *args, struct sn__ground *g, const struct sn__stops *s) {
    const tree_body *b = &((const tree *)args->tree)->body[s->body];
    const real *K = (const real *)args->K + b->v, dt = step_size(args), zero = splat(0), one = splat(1);
    const int n = JOINT_NV[b->joint];
    real inertia = zero;
    for (int k = 0; k < n; k++) {
        real own = splat(R(s->inertia[k]));
        if (args->mass_scale) own = own * *(const real *)args->mass_scale;
        inertia = maximum(inertia, own + K[k]);
    }
    if (b->joint == SN__JOINT_BALL) {
        ball_stops(args, g, s, b, inertia);
        return;
    }
    for (int k = 0; k < n; k++) {
        const real q = ((const real *)args->q)[b->q + k], qd = ((const real *)args->qd)[b->v + k];
        const real low = q - R(s->lower[k]), high = R(s->upper[k]) - q, way = dt * qd;
        const vec3 x = {k == 0 ? one : zero, k == 1 ? one : zero, zero};
        take_stop(args, g, s, 2 * k, less(low, R(STOP_NEAR) - minimum(zero, way)), low, x, inertia);
        take_stop(args, g, s, 2 * k + 1, less(high, R(STOP_NEAR) + maximum(zero, way)), high,
                  (vec3){-x.x, -x.y, -x.z}, inertia);
    }
}

#endif
