/* Joints near their limits in some lane, as records for the solve or for rows: the one definition of a joint limit.
 *
 * With t the twist axis of a ball, q = swing twist and t'' = R^T t, all in the body's own axes:
 *
 *     swing  2 acos sqrt(q_w^2 + (q . t)^2),     rate (t'' x t) / |t'' x t| . w
 *     twist  2 atan2(q . t, q_w),                rate (t'' + t) / (1 + t'' . t) . w */
#ifndef SINEW_KERNELS_CONTACT_STOPS_H
#define SINEW_KERNELS_CONTACT_STOPS_H

#include "kernels/contact/law.h"

/* rad or m: near enough to matter if it may be reached in this step at the present rate; further where a joint is light. */
#define STOP_NEAR 0.05

/* Whether next to nothing hangs on a joint (light.h): all its limits are near. */
KERNEL int is_light(const SHARED struct sn__stops *s) {
    return s->near > STOP_NEAR;
}

/* Forgets a point or a side that is near in no lane. */
KERNEL void forget(uint8_t *live, real *memory, int n) {
    if (!*live) return;
    for (int k = 0; k < n; k++)
        memory[k] = splat(0);
    *live = 0;
}

/* A side of a limit: `gap` is left, x the way away from it in the joint's velocities, b the joint's inertia and gain;
   near: in which lanes; passes: whether it would be passed at the end of the step, once that is known. */
struct side {
    const SHARED struct sn__stops *stops;
    int number;
    mask near;
    real gap, b;
    vec3 x;
};

KERNEL void fill_stop(const struct sn__args *args, const struct sn__ground *g, const struct side *s,
                      mask which, real *record) {
    const real dt = step_size(args), zero = splat(0), recovery = maximum(splat(R(g->recovery)), R(2) * dt);
    vec_store(record + SN__LIMIT_AXIS, s->x);
    record[SN__LIMIT_WANTED] =
        choose(less(zero, s->gap), -s->gap / dt, minimum(-s->gap / recovery, splat(R(g->limit_speed))));
    /* under torque limits float has no digits to spare: what the damper's noise does to torques shall be small */
    record[SN__LIMIT_B] = choose(which, R(LANE_BITS == 32 && args->limit ? 40 : 400) * s->b / dt, zero);
    record[SN__LIMIT_GAP] = s->gap;
}

KERNEL void take_stop(const struct sn__args *args, struct sn__ground *g, const struct side *s) {
    struct sn__contacts *c = &g->contacts;
    const int at = s->stops->side + s->number, kept = g->nprobe + at;
    real *memory = (real *)g->stop + at;
    if (!any(s->near)) {
        forget(&g->live[kept], memory, 1);
        return;
    }
    real *record = limit_at(c, c->nlimit);
    fill_stop(args, g, s, s->near, record);
    record[SN__LIMIT_FORCE] = choose(s->near, *memory, splat(0));
    g->live[kept] = 1;
    g->which_side[c->nlimit] = at;
    ((int32_t *)c->limit_body)[c->nlimit++] = s->stops->body;
}

/* The record of a side, made room for in the order of sides where it has none. */
static real *record_of_side(struct sn__ground *g, int body, int side) {
    struct sn__contacts *c = &g->contacts;
    int32_t *bodies = (int32_t *)c->limit_body;
    int k = c->nlimit;
    while (k > 0 && g->which_side[k - 1] >= side)
        k--;
    if (k < c->nlimit && g->which_side[k] == side) return limit_at(c, k);
    for (int j = c->nlimit++; j > k; j--) {
        bodies[j] = bodies[j - 1], g->which_side[j] = g->which_side[j - 1];
        __builtin_memcpy(limit_at(c, j), limit_at(c, j - 1), SN__LIMIT_VALUES * sizeof(real));
    }
    bodies[k] = body, g->which_side[k] = side;
    real *x = limit_at(c, k);
    for (int j = 0; j < SN__LIMIT_VALUES; j++)
        x[j] = splat(0);
    return x;
}

/* A side that was not near but would be passed, in lanes of `which`, at `end`, the joint's velocities after the step. */
KERNEL int take_passed_stop(const struct sn__args *args, struct sn__ground *g, const struct side *s,
                            mask which, const real *end, int n) {
    const real x[3] = {s->x.x, s->x.y, s->x.z};
    real rate = splat(0);
    for (int k = 0; k < n; k++)
        rate = rate + x[k] * end[k];
    mask fresh = which & ~s->near & less(s->gap + step_size(args) * rate, splat(0));
    if (!any(fresh)) return 0;
    const int at = s->stops->side + s->number;
    real own[SN__LIMIT_VALUES], *record = record_of_side(g, s->stops->body, at);
    /* of swing_ahead the first stays, since another look has another way */
    if (s->number == 3) fresh &= ~less(splat(0), record[SN__LIMIT_B]);
    fill_stop(args, g, s, fresh, own);
    for (int j = 0; j <= SN__LIMIT_GAP; j++)
        record[j] = choose(fresh, own[j], record[j]);
    g->live[g->nprobe + at] = 1;
    return 1;
}

/* 2 acos c for 0 <= c <= 1 with s = sqrt(1 - c^2). */
KERNEL real whole_angle(real c, real s) {
    return R(2) * s * POLYNOMIAL(LOG_POLY, R(1) - c);
}

/* The sides of a ball: swing, lower and upper twist; axes where some lane is near, or asked for. */
KERNEL int ball_sides(const struct sn__args *args, const SHARED struct sn__stops *s, const tree_body *b,
                      real gain, int axes, struct side *side) {
    const quat q = quat_load((const real *)args->q + b->q);
    const vec3 w = vec_load((const real *)args->qd + b->v), t = vec_splat(b->axis[0]);
    const real one = splat(1), zero = splat(0);
    const real ahead = R(s->near) + step_size(args) * (absolute(w.x) + absolute(w.y) + absolute(w.z));
    const vec3 u = mul_t(quat_matrix(q), t), across = cross(u, t);
    const real cosine = dot(u, t), sine2 = dot(across, across);
    const real along = q.x * t.x + q.y * t.y + q.z * t.z, length2 = along * along + q.w * q.w;
    const real length = square_root(minimum(length2, one));
    const real swing = whole_angle(length, square_root(maximum(zero, one - length2)));
    const real gap = R(s->upper[1]) - swing;
    const mask swung = less(splat(R(1e-12)), sine2), near = swung & less(gap, ahead);
    vec3 x = vec_zero(); /* of no account where nothing is near, as a rule: no need to divide then */
    if (axes || any(near))
        x = vec_choose(swung, scale(across, R(-1) / square_root(choose(swung, sine2, one))), x);
    side[0] = (struct side){s, 0, near, gap, gain, x};
    const mask twists = not_less(one + cosine, splat(R(1e-3))) & less(splat(R(1e-12)), length2);
    const real inverse = R(1) / choose(twists, length, one), half = flip_sign(along, q.w) * inverse;
    const real twist = flip_sign(whole_angle(minimum(absolute(q.w) * inverse, one), absolute(half)), half);
    const real low = twist - R(s->lower[0]), high = R(s->upper[0]) - twist;
    const real farther = ahead * inverse; /* |x| = 1 / cos(swing / 2) = 1 / length */
    const mask near_low = twists & less(low, farther), near_high = twists & less(high, farther);
    x = vec_zero();
    if (axes || any(near_low | near_high))
        x = vec_choose(twists, scale(add(u, t), R(1) / choose(twists, one + cosine, one)), x);
    const real slower =
        gain * (R(0.5) * (one + cosine)); /* x is longer than one: |x|^2 = 2 / (1 + t'' . t) */
    side[1] = (struct side){s, 1, near_low, low, slower, x};
    side[2] = (struct side){s, 2, near_high, high, slower, {-x.x, -x.y, -x.z}};
    return 3;
}

/* The sides of a joint's limits; their number. The damper must be far stronger than the drive, whose stiffness as
   the step sees it is K + dt^2 kp; or than its torque limit T, against which dt T / 5 holds at 0.0125 rad/s. */
KERNEL int sides_of(const struct sn__args *args, const SHARED struct sn__stops *s, int axes,
                    struct side *side) {
    const tree_body *b = &((const tree *)args->tree)->body[s->body];
    const real *K = (const real *)args->K + b->v, *kp = (const real *)args->kp + b->v, dt = step_size(args),
               zero = splat(0), one = splat(1);
    const int n = b->nv;
    real gain = zero, gains[3];
    for (int k = 0; k < n; k++) {
        real own = splat(R(s->inertia[k]));
        if (args->mass_scale) own = own * *(const real *)args->mass_scale;
        real drive = K[k] + dt * dt * kp[k];
        if (args->limit) drive = minimum(drive, R(0.2) * dt * ((const real *)args->limit)[b->v + k]);
        gains[k] = own + drive;
        gain = maximum(gain, gains[k]);
    }
    const int mixed =
        b->nslide > 0 && b->nslide < n; /* masses and moments of inertia: no axis for the other */
    if (is_ball(b)) return ball_sides(args, s, b, gain, axes, side);
    for (int k = 0; k < n; k++) {
        const real q = ((const real *)args->q)[b->q + k], qd = ((const real *)args->qd)[b->v + k];
        const real low = q - R(s->lower[k]), high = R(s->upper[k]) - q, way = dt * qd;
        const vec3 x = {k == 0 ? one : zero, k == 1 ? one : zero, k == 2 ? one : zero};
        if (mixed) gain = gains[k];
        side[2 * k] = (struct side){s, 2 * k, less(low, R(s->near) - minimum(zero, way)), low, gain, x};
        side[2 * k + 1] = (struct side){s,    2 * k + 1, less(high, R(s->near) + maximum(zero, way)),
                                        high, gain,      {-x.x, -x.y, -x.z}};
    }
    return 2 * n;
}

/* Whether a ball is far from all its limits in every lane. Both swing and twist are at most the whole turn, whose half
   has the sine |(x, y, z)| of its quaternion, and sin h >= h - h^3 / 6: neither angles nor roots are needed. The twist
   goes 1 / cos(swing / 2) times as far as the ball turns, which is at most 1 / |w|. The slack is more than rounding, so
   that a lane finds the same whichever way its neighbours make it go. */
KERNEL int ball_is_far(const struct sn__args *args, const SHARED struct sn__stops *s) {
    const tree_body *b = &((const tree *)args->tree)->body[s->body];
    const quat q = quat_load((const real *)args->q + b->q);
    const vec3 w = vec_load((const real *)args->qd + b->v);
    const real ahead = R(s->near + 2e-3) + step_size(args) * (absolute(w.x) + absolute(w.y) + absolute(w.z));
    const real least = minimum(splat(R(s->upper[1])), minimum(splat(R(s->upper[0])), splat(R(-s->lower[0]))));
    const real farther = ahead / maximum(absolute(q.w), splat(R(1e-3)));
    const real half = R(0.5) * (minimum(least, splat(R(3.1))) - farther);
    const real sine = half - half * half * half * R(1.0 / 6);
    return !any(~(less(splat(0), half) & less(q.x * q.x + q.y * q.y + q.z * q.z, sine * sine)));
}

KERNEL void find_stops(const struct sn__args *args, struct sn__ground *g, const SHARED struct sn__stops *s) {
    struct side side[SN__SIDES];
    if (is_ball(&((const tree *)args->tree)->body[s->body]) && ball_is_far(args, s)) {
        for (int k = 0; k < 3; k++) {
            const int at = s->side + k, kept = g->nprobe + at;
            forget(&g->live[kept], (real *)g->stop + at, 1);
        }
        return;
    }
    const int n = sides_of(args, s, 0, side);
    for (int k = 0; k < n; k++)
        take_stop(args, g, &side[k]);
}

/* A ball that has not swung may swing any way: the one it goes. */
KERNEL vec3 swing_away(const tree_body *b, vec3 x, vec3 end) {
    const vec3 t = vec_splat(b->axis[0]), way = add_scaled(end, t, -dot(end, t));
    const real speed2 = dot(way, way), one = splat(1);
    const mask open = less(dot(x, x), splat(R(0.5))) & less(splat(R(1e-12)), speed2);
    if (!any(open)) return x;
    return vec_choose(open, scale(way, R(-1) / square_root(choose(open, speed2, one))), x);
}

/* The swing of a ball at the end of a step that turns it by more than half a radian. Its limits are curved: what moves along
   them, or through the middle to the other side, comes to them nevertheless. With p the swing as a vector and w the velocity
   across the twist axis, |p + h w| <= upper: of that disc the half plane in the way. */
KERNEL struct side swing_ahead(const struct sn__args *args, const struct side *swing, const tree_body *b,
                               vec3 end) {
    const real h = step_size(args), zero = splat(0), one = splat(1), most = R(swing->stops->upper[1]) + zero;
    const vec3 t = vec_splat(b->axis[0]), w = add_scaled(end, t, -dot(end, t)),
               p = scale(swing->x, swing->gap - most);
    const vec3 to = add_scaled(p, w, h);
    const real far2 = dot(to, to), way2 = h * h * dot(w, w);
    const mask passes = less(most * most, far2) & less(splat(R(0.25)), way2);
    if (!any(passes)) return (struct side){swing->stops, 3, ~passes, one, swing->b, vec_zero()};
    const vec3 x = scale(to, R(-1) / square_root(choose(passes, far2, one)));
    return (struct side){swing->stops, 3, ~passes, most + dot(x, p), swing->b, x};
}

/* Again with the velocity that the first sweep came to. A joint that is not near at the old velocity cannot pass its
   limit unless that changes by STOP_NEAR / dt. Each lane decides that for itself: what a joint that moves less finds here
   is rounding, or a swing that began at nothing, and must not depend on how far a neighbour moves. */
static int find_stops_again(const struct sn__args *args, struct sn__ground *g,
                            const SHARED struct sn__stops *s, const real *qdd) {
    const tree_body *b = &((const tree *)args->tree)->body[s->body];
    const int nv = b->nv;
    const real dt = step_size(args);
    real change = splat(0), end[3];
    for (int k = 0; k < nv; k++) {
        change = change + absolute(qdd[b->v + k]);
        end[k] = ((const real *)args->qd)[b->v + k] + dt * qdd[b->v + k];
    }
    const mask moved = not_less(dt * dt * change, splat(R(STOP_NEAR)));
    if (!any(moved)) return 0;
    struct side side[SN__SIDES];
    const int n = sides_of(args, s, 1, side);
    int found = 0;
    if (is_ball(b)) {
        side[0].x = swing_away(b, side[0].x, vec_load(end));
        const struct side ahead = swing_ahead(args, &side[0], b, vec_load(end));
        if (is_light(s)) found |= take_passed_stop(args, g, &ahead, moved, end, nv);
    }
    for (int k = 0; k < n; k++)
        found |= take_passed_stop(args, g, &side[k], moved, end, nv);
    return found;
}

/* The limits of a ball are curved: a step that ends where its tangent would be allowed to has passed them by up to
   (h |w|)^2 or so, the twist by |x|^2 as much, which is taken back from the position: q exp(x excess) for the swing,
   q exp(t excess) for the twist. */
static void hold_ball(const struct sn__args *args, const SHARED struct sn__stops *s, mask which, real *q) {
    const tree_body *b = &((const tree *)args->tree)->body[s->body];
    const vec3 w = vec_load((const real *)args->qd + b->v), t = vec_splat(b->axis[0]);
    const real h = step_size(args), zero = splat(0), most = R(2) * (h * h) * dot(w, w);
    struct side side[SN__SIDES];
    real excess[3];
    mask over = (mask){0};
    ball_sides(args, s, b, zero, 1, side);
    for (int k = 0; k < 3; k++) {
        const real far = k ? most * dot(side[k].x, side[k].x) : most;
        excess[k] = choose(which, minimum(far, maximum(zero, -side[k].gap)), zero);
        over |= less(zero, excess[k]);
    }
    if (!any(over)) return;
    const quat old = quat_load(q + b->q), back = quat_exp(scale(side[0].x, excess[0])),
               twist = quat_exp(scale(t, excess[1] - excess[2]));
    const quat held = quat_renormalise(quat_mul(quat_mul(old, back), twist));
    quat_store(q + b->q, (quat){choose(over, held.w, old.w), choose(over, held.x, old.x),
                                choose(over, held.y, old.y), choose(over, held.z, old.z)});
}

/* After the step: all balls that had a record in it, and those that have turned far enough to come round to a limit which
   their velocity did not point at; but not by 1.5 rad and more, after which a pose says nothing of the way there. */
static void hold_balls(const struct sn__args *given, const struct sn__ground *g, void *q, const void *qd) {
    const tree *t = given->tree;
    const struct sn__contacts *c = &g->contacts;
    struct sn__args args = *given;
    args.q = q, args.qd = qd;
    const real h = step_size(given), far2 = splat(R(STOP_NEAR * STOP_NEAR));
    const mask frozen = args.frozen ? less(splat(0), *(const real *)args.frozen) : (mask){0};
    int k = 0;
    for (int i = 0; i < g->nstops; i++) {
        const tree_body *b = &t->body[g->stops[i].body];
        mask which = (mask){0};
        for (; k < c->nlimit && c->limit_body[k] == g->stops[i].body; k++)
            which |= less(splat(0), limit_at(c, k)[SN__LIMIT_B]);
        if (!is_ball(b)) continue;
        const vec3 w = vec_load((const real *)qd + b->v);
        const real turned2 = h * h * dot(w, w);
        which = (which | (less(far2, turned2) & less(turned2, splat(R(2.25))))) & ~frozen;
        if (any(which)) hold_ball(&args, &g->stops[i], which, q);
    }
}

#endif
