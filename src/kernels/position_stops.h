/* Joint limits as energies of the pose sought, by the definition of stops.h:
 *
 *     E = k/2 max(0, allowed - gap)^2,    d gap = x . delta
 *
 * allowed is 0, or what recovery wants of a joint that began the step beyond its limit. The Hessian k x x^T stands with the
 * joint's own: that of a ball is then a matrix. */
#ifndef SINEW_KERNELS_POSITION_STOPS_H
#define SINEW_KERNELS_POSITION_STOPS_H

#include "kernels/position_gradient.h"
#include "kernels/stops.h"

/* The sides of a joint's limits in the pose q; none, where it is far from all in every lane. */
KERNEL int sides_in(const struct sn__position_stops *c, const struct sn__stops *s, const void *q,
                    struct side *side) {
    struct sn__args args = *c->args;
    args.q = q;
    if (((const tree *)args.tree)->body[s->body].joint == SN__JOINT_BALL && ball_is_far(&args, s)) return 0;
    return sides_of(&args, s, 1, side);
}

/* Once per step, in the pose of its start. */
static void start_stops(const struct sn__position_stops *c, const void *q) {
    const struct sn__ground *g = c->ground;
    const real dt = step_size(c->args), zero = splat(0), recovery = maximum(splat(R(g->recovery)), R(2) * dt);
    real *allowed = c->allowed;
    for (int i = 0; i < g->nstops; i++) {
        const struct sn__stops *s = &g->stops[i];
        struct side side[SN__SIDES];
        const int n = sides_in(c, s, q, side);
        for (int k = 0; k < SN__SIDES; k++)
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
        const struct sn__stops *s = &g->stops[i];
        const tree_body *b = &((const tree *)a->tree)->body[s->body];
        struct side side[SN__SIDES];
        const int n = sides_in(c, s, a->q[0], side), nv = JOINT_NV[b->joint];
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
            if (b->joint == SN__JOINT_BALL) {
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

#endif
