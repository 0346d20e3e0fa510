/* Joint limits as energies of the pose sought, by the definition of stops.h:
 *
 *     E = k/2 max(0, allowed - gap)^2,    d gap = x . delta
 *
 * allowed is 0, or what recovery wants of a joint that began the step beyond its limit. The Hessian k x x^T stands with the
 * joint's own: that of a ball is then a matrix. */
#ifndef SINEW_KERNELS_POSITION_STOPS_H
#define SINEW_KERNELS_POSITION_STOPS_H

#include "kernels/position/gradient.h"
#include "kernels/contact/stops.h"

/* The sides of a joint's limits in the pose q; none, where it is far from all in every lane. */
KERNEL int sides_in(const struct sn__position_stops *c, const SHARED struct sn__stops *s, const void *q,
                    struct side *side) {
    struct sn__args args = *c->args;
    args.q = q;
    if (is_ball(&((const tree *)args.tree)->body[s->body]) && ball_is_far(&args, s)) return 0;
    return sides_of(&args, s, 1, side);
}

/* Once per step, in the pose of its start. */
static void start_stops(const struct sn__position_stops *c, const void *q) {
    const struct sn__ground *g = c->ground;
    const real dt = step_size(c->args), zero = splat(0), recovery = maximum(splat(R(g->recovery)), R(2) * dt);
    real *allowed = c->allowed;
    for (int i = 0; i < g->nstops; i++) {
        const SHARED struct sn__stops *s = &g->stops[i];
        struct side side[SN__SIDES];
        const int n = sides_in(c, s, q, side);
        for (int k = 0; k < s->nside; k++)
            allowed[s->side + k] = zero;
        for (int k = 0; k < n; k++) {
            const real gap = side[k].gap, back = dt * minimum(-gap / recovery, splat(R(g->limit_speed)));
            allowed[s->side + side[k].number] = choose(less(gap, zero) & side[k].near, gap + back, zero);
        }
    }
}

/* Gradient and Hessian on top of the joints' own. */
static __attribute__((noinline)) void add_stops(const struct sn__position_args *a, struct position_work *w,
                                                real *energy) {
    const struct sn__position_stops *c = a->stops;
    const struct sn__ground *g = c->ground;
    const real dt = step_size(c->args), zero = splat(0),
               stiff = R(LANE_BITS == 32 && a->limit ? 40 : 400) / (dt * dt);
    for (int i = 0; i < g->nstops; i++) {
        const SHARED struct sn__stops *s = &g->stops[i];
        const tree_body *b = &((const tree *)a->tree)->body[s->body];
        struct side side[SN__SIDES];
        const int n = sides_in(c, s, a->q[0], side), nv = b->nv;
        for (int j = 0; j < n; j++) {
            const real depth = ((const real *)c->allowed)[s->side + side[j].number] - side[j].gap;
            const mask on = side[j].near & less(zero, depth);
            if (!any(on)) continue;
            const real k = choose(on, stiff * side[j].b, zero), push = k * choose(on, depth, zero);
            const vec3 x = side[j].x;
            const real part[3] = {x.x, x.y, x.z};
            real *gradient = (real *)a->g[0] + b->v;
            for (int v = 0; v < nv; v++)
                gradient[v] = gradient[v] - push * part[v];
            *energy = *energy + R(0.5) * push * choose(on, depth, zero);
            if (is_ball(b)) {
                const vec3 kx = scale(x, k);
                sym3 *K = &w->K3[s->body];
                *K = (sym3){K->xx + kx.x * x.x, K->yy + kx.y * x.y, K->zz + kx.z * x.z,
                            K->xy + kx.x * x.y, K->xz + kx.x * x.z, K->yz + kx.y * x.z};
            } else {
                for (int v = 0; v < nv; v++)
                    w->K[b->v + v] = w->K[b->v + v] + k * part[v] * part[v];
            }
        }
    }
}

/* How far a joint may be beyond a limit at the end of a step, rad or m: one degree. */
#define STOP_SLACK 0.0175

/* The least gap that a side may end with. A joint that began beyond its limit ends where recovery wants it, and a quarter of the
   slack further at most: with all of it, step after step would add to what recovery takes away. */
KERNEL real least_gap(real allowed, real slack) {
    return minimum(-slack, allowed - R(0.25) * slack);
}

/* The sides of a ball in the pose q, without asking for what is near; none, where it is far from all in every lane. */
KERNEL int ball_sides_in(const struct sn__position_stops *c, const SHARED struct sn__stops *s, const real *q,
                         const real *still, struct side *side) {
    struct sn__args args = *c->args;
    args.q = q, args.qd = still;
    if (ball_is_far(&args, s)) return 0;
    return ball_sides(&args, s, &((const tree *)args.tree)->body[s->body], splat(0), 1, side);
}

/* Lanes in which a joint of the pose q is beyond a limit by more than `slack`. `still`: [nv] zeros. */
static mask beyond_stops(const struct sn__position_stops *c, const real *q, const real *still, real slack) {
    const struct sn__ground *g = c->ground;
    mask beyond = (mask){0};
    for (int i = 0; i < g->nstops; i++) {
        const SHARED struct sn__stops *s = &g->stops[i];
        const tree_body *b = &((const tree *)c->args->tree)->body[s->body];
        const real *allowed = (const real *)c->allowed + s->side, *x = q + b->q;
        if (is_ball(b)) {
            struct side side[SN__SIDES];
            const int n = ball_sides_in(c, s, q, still, side);
            for (int k = 0; k < n; k++)
                beyond |= less(side[k].gap, least_gap(allowed[k], slack));
            continue;
        }
        for (int k = 0; k < b->nv; k++)
            beyond |= less(x[k] - R(s->lower[k]), least_gap(allowed[2 * k], slack)) |
                      less(R(s->upper[k]) - x[k], least_gap(allowed[2 * k + 1], slack));
    }
    return beyond;
}

/* A ball turned back: by q exp(x excess) for the swing, q exp(t excess) for the twist, which changes the swing a little. */
static void hold_ball_in(const struct sn__position_stops *c, const SHARED struct sn__stops *s, mask which,
                         const real *still, real *q) {
    const tree_body *b = &((const tree *)c->args->tree)->body[s->body];
    const real *allowed = (const real *)c->allowed + s->side, zero = splat(0), slack = splat(R(STOP_SLACK));
    for (int round = 0; round < 3; round++) {
        struct side side[SN__SIDES];
        real excess[3];
        mask over = (mask){0};
        if (!ball_sides_in(c, s, q, still, side)) return;
        for (int k = 0; k < 3; k++) {
            excess[k] = choose(which, maximum(zero, least_gap(allowed[k], slack) - side[k].gap), zero);
            over |= less(zero, excess[k]);
        }
        if (!any(over)) return;
        const quat old = quat_load(q + b->q), back = quat_exp(scale(side[0].x, excess[0])),
                   twist = quat_exp(scale(vec_splat(b->axis[0]), excess[1] - excess[2]));
        const quat held = quat_renormalise(quat_mul(quat_mul(old, back), twist));
        quat_store(q + b->q, (quat){choose(over, held.w, old.w), choose(over, held.x, old.x),
                                    choose(over, held.y, old.y), choose(over, held.z, old.z)});
    }
}

/* The last resort for limits that the search has not come back to: the pose is turned back to them. */
static void hold_stops(const struct sn__position_stops *c, mask which, const real *still, real *q) {
    const struct sn__ground *g = c->ground;
    const real slack = splat(R(STOP_SLACK));
    for (int i = 0; i < g->nstops; i++) {
        const SHARED struct sn__stops *s = &g->stops[i];
        const tree_body *b = &((const tree *)c->args->tree)->body[s->body];
        const real *allowed = (const real *)c->allowed + s->side;
        if (is_ball(b)) {
            hold_ball_in(c, s, which, still, q);
            continue;
        }
        for (int k = 0; k < b->nv; k++) {
            const real low = R(s->lower[k]) + least_gap(allowed[2 * k], slack),
                       high = R(s->upper[k]) - least_gap(allowed[2 * k + 1], slack), x = q[b->q + k];
            q[b->q + k] = choose(which, maximum(low, minimum(high, x)), x);
        }
    }
}

#endif
