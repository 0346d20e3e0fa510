/* Where height fields are not smooth. A point over the triangle below it is all that most of a terrain needs. Near an edge
 * that stands out, in a corner, at the border, and for what flies over more than a cell in a step it is not. Lanes in which
 * a body comes there leave its points, and ask src/collide for the contacts of its solids instead, each lane by itself.
 * The contacts stand in slots, which are remembered from step to step as points are. */
#ifndef SINEW_KERNELS_CONTACT_EDGES_H
#define SINEW_KERNELS_CONTACT_EDGES_H

#include "kernels/contact/stops.h"

/* Number of the cell at x, in cells from the border, cut off well beyond it. */
KERNEL real cell_at(real x, sn__number origin, sn__number cell, int n) {
    const real at = (x - R(origin)) * (R(1) / R(cell));
    return maximum(splat(-1), minimum(at, splat(R(n)))); /* NaN: n */
}

/* Is a cell between these, as far as they are inside, sharp? */
static int any_sharp(const struct sn__terrain *t, int i0, int i1, int j0, int j1) {
    const SHARED_LARGE int32_t *bottom = t->sharp + (size_t)j0 * (size_t)t->nx,
                               *top = t->sharp + (size_t)(j1 + 1) * (size_t)t->nx;
    return top[i1 + 1] - top[i0] - bottom[i1 + 1] + bottom[i0] > 0;
}

/* In which lanes the sphere that holds a body, which moves so, comes to where points are not enough. Far over smooth ground
   counts by the velocity at the start of the step alone: what a sweep came to may be anything. */
static mask edged(const struct sn__args *args, const struct sn__terrain *t,
                  const SHARED struct sn__probed *body, vec3 at, struct motion rate, sn__number margin,
                  int late) {
    const int nx = t->nx - 1, ny = t->ny - 1;
    const real dt = step_size(args), reach = splat(R(body->reach) + R(margin)), zero = splat(0);
    const real way[2] = {dt * rate.a.x, dt * rate.a.y};
    const real x0 = cell_at(at.x - reach + minimum(way[0], zero), t->origin[0], t->cell[0], nx),
               x1 = cell_at(at.x + reach + maximum(way[0], zero), t->origin[0], t->cell[0], nx),
               y0 = cell_at(at.y - reach + minimum(way[1], zero), t->origin[1], t->cell[1], ny),
               y1 = cell_at(at.y + reach + maximum(way[1], zero), t->origin[1], t->cell[1], ny);
    const mask off = ~less(zero, x1) | ~less(zero, y1) | ~less(x0, splat(R(nx))) | ~less(y0, splat(R(ny)));
    const mask border = less(x0, zero) | less(y0, zero) | ~less(x1, splat(R(nx))) | ~less(y1, splat(R(ny)));
    const mask far =
        less(splat(R(t->cell[0])), absolute(way[0])) | less(splat(R(t->cell[1])), absolute(way[1]));
    const mask sure = late ? border : border | far;
    if (!t->sharp[(size_t)t->nx * (size_t)t->ny - 1]) return sure & ~off;
    elem low[2][LANE_WIDTH], high[2][LANE_WIDTH];
    ielem sharp[LANE_WIDTH];
    mask m;
    __builtin_memcpy(low[0], &x0, sizeof x0);
    __builtin_memcpy(low[1], &y0, sizeof y0);
    __builtin_memcpy(high[0], &x1, sizeof x1);
    __builtin_memcpy(high[1], &y1, sizeof y1);
    __builtin_memcpy(sharp, &border, sizeof border);
    for (int k = 0; k < LANE_WIDTH; k++)
        if (!sharp[k])
            sharp[k] = -(ielem)any_sharp(t, (int)low[0][k], (int)high[0][k], (int)low[1][k], (int)high[1][k]);
    __builtin_memcpy(&m, sharp, sizeof m);
    return (m | sure) & ~off;
}

/* A velocity that a sweep came to, as far as one looks ahead with it: half a metre and a radian in the step. */
KERNEL struct motion within_sight(const struct sn__args *args, struct motion m) {
    const real dt = step_size(args), one = splat(1), tiny = splat(R(1e-30));
    const real way = dt * (absolute(m.a.x) + absolute(m.a.y) + absolute(m.a.z)) + tiny;
    const real turn = dt * (absolute(m.alpha.x) + absolute(m.alpha.y) + absolute(m.alpha.z)) + tiny;
    return (struct motion){scale(m.alpha, minimum(one, one / turn)), scale(m.a, minimum(one, R(0.5) / way))};
}

/* What a solid's slots hold, in lanes. */
enum { EDGE_ON, EDGE_POINT, EDGE_NORMAL = EDGE_POINT + 3, EDGE_GAP = EDGE_NORMAL + 3, EDGE_MU, EDGE_VALUES };
struct edge_slots {
    real value[SN__EDGE_SLOTS][EDGE_VALUES];
};

/* Place and velocity of a body, one lane after the other. */
struct edge_lanes {
    elem value[18][LANE_WIDTH];
};

KERNEL void edge_lanes_of(const struct frame *f, vec3 at, struct motion rate, struct edge_lanes *l) {
    __builtin_memcpy(l->value, &at, sizeof at);
    __builtin_memcpy(l->value[3], &f->R, sizeof f->R);
    __builtin_memcpy(l->value[12], &rate.a, sizeof rate.a);
    __builtin_memcpy(l->value[15], &rate.alpha, sizeof rate.alpha);
}

/* Asks for the contacts of a solid in these lanes. Lanes that are the same as the one before need not ask again. */
#ifndef SN__DEVICE
static void look_in_lanes(const struct sn__args *args, const SHARED struct sn__edge_solid *solid,
                          const struct edge_lanes *l, mask lanes, sn__number margin,
                          struct edge_slots *slots) {
    ielem on[LANE_WIDTH];
    elem dt[LANE_WIDTH];
    const real step = step_size(args);
    elem *value = (elem *)slots->value;
    double at[19] = {0};
    struct sn__edge_touch touch[SN__EDGE_SLOTS];
    __builtin_memcpy(on, &lanes, sizeof lanes);
    __builtin_memcpy(dt, &step, sizeof step);
    for (int j = 0; j < SN__EDGE_SLOTS; j++)
        for (int k = 0; k < EDGE_VALUES; k++)
            slots->value[j][k] = splat(0);
    for (int k = 0, known = 0; k < LANE_WIDTH; k++) {
        if (!on[k]) continue;
        int same = known && at[18] == (double)dt[k];
        for (int i = 0; i < 18; i++) {
            same = same && at[i] == (double)l->value[i][k];
            at[i] = (double)l->value[i][k];
        }
        at[18] = (double)dt[k];
        if (!same) solid->look(solid, at, at + 12, at[18], margin, touch);
        known = 1;
        for (int j = 0; j < solid->slots; j++) {
            if (!touch[j].on) continue;
            elem *x = value + (size_t)j * EDGE_VALUES * LANE_WIDTH + k;
            x[EDGE_ON * LANE_WIDTH] = R(1);
            for (int i = 0; i < 3; i++) {
                x[(EDGE_POINT + i) * LANE_WIDTH] = R(touch[j].point[i]);
                x[(EDGE_NORMAL + i) * LANE_WIDTH] = R(touch[j].normal[i]);
            }
            x[EDGE_GAP * LANE_WIDTH] = R(touch[j].gap);
            x[EDGE_MU * LANE_WIDTH] = R(touch[j].mu);
        }
    }
}
#else
static void look_in_lanes(const struct sn__args *args, const SHARED struct sn__edge_solid *solid,
                          const struct edge_lanes *l, mask lanes, sn__number margin,
                          struct edge_slots *slots) {
    for (int j = 0; j < SN__EDGE_SLOTS; j++) /* a device has no such solids */
        for (int k = 0; k < EDGE_VALUES; k++)
            slots->value[j][k] = splat(0);
}
#endif

#endif
