/* Contact with the ground as an energy of the pose sought: the law of find.h and law.h in displacements.
 *
 * A point of a body stands `gap` over the surface, its material has moved by d across the normal since the step began, and had
 * s of elastic slip then:
 *
 *     normal     E = k/2 max(0, allowed - gap)^2        allowed = 0, or what recovery wants of a point that began below
 *     sticks     E = k/2 |s + d|^2                      where k |s + d| <= L
 *     slides     E = L |s + d| - L^2 / 2k
 *
 * L is mu times the normal force of the last sweep, or, to begin with, of the last step: friction of a given bound has an
 * energy, Coulomb's own has none. Sweeps take the secant of friction, min(k, L / |s + d|), for its stiffness: more than the true
 * one, so that they do not overshoot. Slip stays below L / k, which is less than a tenth of a millimetre, and what sticks does
 * not creep.
 *
 * pbad-2018 eq. 9 does not describe friction: it pushes points out of the ground (docs/position.md). */
#ifndef SINEW_KERNELS_POSITION_GROUND_H
#define SINEW_KERNELS_POSITION_GROUND_H

#include "kernels/contact/find.h"
#include "kernels/position/gradient.h"

/* What the records of contacts (table.h) hold here beyond point, normal, mu, gap, force and place. */
enum {
    TOUCH_SLIP = SN__WANTED, /* [3] s + d */
    TOUCH_K = SN__BN,        /* N/m; 0 in lanes that are not near */
    TOUCH_ACROSS = SN__BT,   /* N/m across the normal */
    TOUCH_DEPTH = SN__REST,  /* m beyond what is allowed; negative: apart */
};

/* Where a body's origin is, relative to its anchor: root to leaves. */
static void place_origins(const tree *t, const struct place *place, real *origin) {
    for (int i = 0; i < t->nbody; i++) {
        const int parent = t->body[i].parent;
        const vec3 r = place[i].r;
        vec_store(origin + 3 * i, parent < 0 ? r : add(vec_load(origin + 3 * parent), r));
    }
}

/* A probe over its surface: the middle of the sphere from the body's origin, normal and gap. */
struct probe_place {
    vec3 middle, normal;
    real gap;
};

KERNEL struct probe_place probe_place(const struct sn__surface *under, const SHARED struct sn__probe *probe,
                                      mat3 Rb, vec3 at) {
    struct probe_place p;
    p.middle = mul(Rb, (vec3){splat(R(probe->at[0])), splat(R(probe->at[1])), splat(R(probe->at[2]))});
    const vec3 x = add(at, p.middle);
    const struct surface s = under->terrain ? terrain_under(under->terrain, x) : plane_under(under, x);
    p.normal = s.normal;
    p.gap = s.height - splat(R(probe->radius));
    return p;
}

/* In which lanes the sphere that holds all points of a body is clear of the surface by the margin. */
KERNEL mask body_clear(const struct sn__ground *g, const SHARED struct sn__probed *body, vec3 at) {
    const struct sn__surface *under = &g->surface[body->surface];
    const real margin = splat(R(g->margin) + R(body->reach));
    if (under->terrain) return not_less(at.z - splat(R(under->terrain->top)), margin);
    return not_less(plane_under(under, at).height, margin);
}

/* Once per step, over the places of its start: where bodies were, and the gap that each point may end with. */
static void start_ground(const struct sn__position_args *a, const struct place *place) {
    const tree *t = a->tree;
    const struct sn__position_touch *c = a->touch;
    const struct sn__ground *g = c->ground;
    const real dt = position_dt(a), zero = splat(0), recovery = maximum(splat(R(g->recovery)), R(2) * dt);
    real *start = c->start, *allowed = c->allowed;
    place_origins(t, place, c->origin);
    for (int i = 0; i < t->nbody; i++) {
        mat_store(start + SN__AFFINE * i, place[i].R);
        vec_store(start + SN__AFFINE * i + 9, vec_load((const real *)c->origin + 3 * i));
    }
    for (int b = 0; b < g->nprobed; b++) {
        const SHARED struct sn__probed *body = &g->probed[b];
        const vec3 at = add(vec_load((const real *)c->anchor + 3 * body->body),
                            vec_load((const real *)c->origin + 3 * body->body));
        const mask clear = body_clear(g, body, at);
        const int none = !any(~clear);
        for (int k = body->first; k < body->first + body->count; k++) {
            if (none) {
                allowed[k] = zero;
                continue;
            }
            const real gap =
                probe_place(&g->surface[body->surface], &g->probe[k], place[body->body].R, at).gap;
            const real back = dt * minimum(-gap / recovery, splat(R(g->recovery_speed)));
            allowed[k] = choose(less(gap, zero) & ~clear, gap + back, zero);
        }
    }
}

/* The energy's derivatives by displacements of the body, added to its extra terms. */
KERNEL void add_touch(const real *x, vec3 middle, real push, mask pushes, vec3 along, real *extra) {
    const vec3 n = vec_load(x + SN__NORMAL), r = vec_load(x + SN__POINT);
    const real across = x[TOUCH_ACROSS], more = choose(pushes, x[TOUCH_K], splat(0)) - across;
    const vec3 friction = scale(vec_load(x + TOUCH_SLIP), across), F = add_scaled(friction, n, -push);
    const vec3 xn = scale(n, more), t = along;
    const sym3 E = {across + xn.x * n.x - t.x * t.x, across + xn.y * n.y - t.y * t.y,
                    across + xn.z * n.z - t.z * t.z, xn.x * n.y - t.x * t.y,
                    xn.x * n.z - t.x * t.z,          xn.y * n.z - t.y * t.z};
    /* [r] E, then [r] E [r]^T: row i of A [r]^T is r x A_i */
    const mat3 A = {r.y * E.xz - r.z * E.xy, r.y * E.yz - r.z * E.yy, r.y * E.zz - r.z * E.yz,
                    r.z * E.xx - r.x * E.xz, r.z * E.xy - r.x * E.yz, r.z * E.xz - r.x * E.zz,
                    r.x * E.xy - r.y * E.xx, r.x * E.yy - r.y * E.xy, r.x * E.yz - r.y * E.xz};
    const sym3 J = {r.y * A.xz - r.z * A.xy, r.z * A.yx - r.x * A.yz, r.x * A.zy - r.y * A.zx,
                    r.z * A.xx - r.x * A.xz, r.x * A.xy - r.y * A.xx, r.x * A.yy - r.y * A.yx};
    const real j[6] = {J.xx, J.yy, J.zz, J.xy, J.xz, J.yz}, e[6] = {E.xx, E.yy, E.zz, E.xy, E.xz, E.yz};
    for (int k = 0; k < 6; k++) {
        extra[SN__EXTRA_J + k] = extra[SN__EXTRA_J + k] + j[k];
        extra[SN__EXTRA_M + k] = extra[SN__EXTRA_M + k] + e[k];
    }
    mat_store(extra + SN__EXTRA_H, mat_add(mat_load(extra + SN__EXTRA_H), A));
    vec_store(extra + SN__EXTRA_MOMENT, add_cross(vec_load(extra + SN__EXTRA_MOMENT), r, F));
    vec_store(extra + SN__EXTRA_FORCE, add(vec_load(extra + SN__EXTRA_FORCE), F));
    /* what pushes is the sphere's middle, which the normal force turns with; friction holds the material */
    const mat3 Y = mat_add_outer(mat_load(extra + SN__EXTRA_Y), scale(n, -push), middle);
    mat_store(extra + SN__EXTRA_Y, mat_add_outer(Y, friction, r));
}

/* A probe that is near in some lane. */
struct near_probe {
    int body, probe;
    vec3 at;   /* the body's origin */
    mask near; /* in these lanes */
};

/* The record of a point that is near in some lane; leaves its energy. */
KERNEL real record_touch(const struct sn__position_args *a, struct near_probe which, const struct place *f,
                         struct probe_place p, real *x, real *extra) {
    const int body = which.body, k = which.probe;
    const vec3 at = which.at;
    const mask near = which.near;
    const struct sn__position_touch *c = a->touch;
    const struct sn__ground *g = c->ground;
    const real zero = splat(0), *start = (const real *)c->start + SN__AFFINE * body,
               *memory = (const real *)g->touch + 6 * k;
    const vec3 n = p.normal, point = add_scaled(p.middle, n, splat(R(-g->probe[k].radius)));
    const vec3 origin = vec_load((const real *)c->origin + 3 * body);
    const vec3 was =
        mul(mat_load(start), mul_t(f->R, point)); /* where its material was, from the old origin */
    const vec3 d = add(sub(origin, vec_load(start + 9)), sub(point, was));
    vec3 slip = add(vec_load(memory + 3), d);
    slip = vec_choose(near, add_scaled(slip, n, -dot(slip, n)), vec_zero());
    real mu = splat(R(g->probe[k].mu));
    if (c->friction) mu = mu * *(const real *)c->friction;
    real *bound = (real *)c->bound + k;
    if (c->begins) *bound = choose(near, mu * maximum(zero, dot(vec_load(memory), n)), *bound);
    const real K = choose(near, *(const real *)c->stiffness, zero);
    const real size = square_root(dot(slip, slip)), most = choose(near, *bound, zero);
    const mask slides = less(most, K * size);
    const real across = choose(slides, most / choose(slides, size, splat(1)), K);
    const real depth = ((const real *)c->allowed)[k] - p.gap, push = K * maximum(zero, depth);
    vec_store(x + SN__POINT, point);
    vec_store(x + SN__NORMAL, n);
    vec_store(x + TOUCH_SLIP, slip);
    vec_store(x + SN__AT, add(at, point));
    x[TOUCH_K] = K, x[TOUCH_ACROSS] = across, x[SN__MU] = mu, x[SN__GAP] = p.gap;
    x[TOUCH_DEPTH] = depth, x[SN__BOUND] = most;
    vec_store(x + SN__FORCE, add_scaled(scale(slip, -across), n, push));
    vec3 along = vec_zero(); /* what of the secant's stiffness the true one has not: sqrt(across) t */
    if (c->exact && any(slides))
        along = vec_choose(slides, scale(slip, square_root(across) / choose(slides, size, splat(1))), along);
    add_touch(x, p.middle, push, less(zero, push), along, extra);
    const real held = choose(slides, most * size - R(0.5) * most * most / choose(slides, K, splat(1)),
                             R(0.5) * K * size * size);
    return R(0.5) * push * maximum(zero, depth) + held;
}

/* Over the places of an iterate: records of all that is near, and the extra terms of bodies. */
static __attribute__((noinline)) void touch_ground(const struct sn__position_args *a,
                                                   const struct place *place, real *energy) {
    const struct sn__position_touch *c = a->touch;
    struct sn__ground *g = c->ground;
    struct sn__contacts *list = &g->contacts;
    real *extra = c->extra;
    int e = -1;
    list->count = 0;
    for (int k = 0; k < SN__EXTRA_VALUES * a->nextra; k++)
        extra[k] = splat(0);
    place_origins(a->tree, place, c->origin);
    for (int b = 0; b < g->nprobed; b++) {
        const SHARED struct sn__probed *body = &g->probed[b];
        const struct place *f = &place[body->body];
        const vec3 at = add(vec_load((const real *)c->anchor + 3 * body->body),
                            vec_load((const real *)c->origin + 3 * body->body));
        if (!b || body->body != g->probed[b - 1].body) e++;
        const mask clear = body_clear(g, body, at);
        if (!any(~clear)) continue;
        for (int k = body->first; k < body->first + body->count; k++) {
            const struct probe_place p = probe_place(&g->surface[body->surface], &g->probe[k], f->R, at);
            const mask near = ~clear & less(p.gap, splat(R(g->margin)));
            if (!any(near)) continue;
            g->which[list->count] = k;
            ((int32_t *)list->body)[list->count] = body->body;
            *energy = *energy + record_touch(a, (struct near_probe){body->body, k, at, near}, f, p,
                                             contact_at(list, list->count), extra + SN__EXTRA_VALUES * e);
            list->count++;
        }
    }
}

/* After a sweep: the forces that balance the displacements it came to, where it is gone by, and the bounds of friction that
   follow from them. `gone`: by how much of the sweep's displacement, 0 or 1. */
static void settle_touches(const struct sn__position_args *a, const struct motion *motion, int gone) {
    const struct sn__position_touch *c = a->touch;
    const struct sn__contacts *list = &c->ground->contacts;
    const real zero = splat(0);
    for (int i = 0; i < list->count; i++) {
        real *x = contact_at(list, i), *bound = (real *)c->bound + c->ground->which[i];
        const struct motion m = motion[list->body[i]];
        const vec3 n = vec_load(x + SN__NORMAL);
        vec3 u = add_cross(m.a, m.alpha, vec_load(x + SN__POINT));
        if (!gone) u = vec_zero();
        const real un = dot(u, n), depth = x[TOUCH_DEPTH];
        const real push = choose(less(zero, depth), maximum(zero, x[TOUCH_K] * (depth - un)), zero);
        const vec3 slip = add(vec_load(x + TOUCH_SLIP), add_scaled(u, n, -un));
        *bound = choose(less(zero, x[TOUCH_K]), x[SN__MU] * push, *bound);
        vec_store(x + TOUCH_SLIP, slip);
        vec_store(x + SN__FORCE, add_scaled(scale(slip, -x[TOUCH_ACROSS]), n, push));
    }
}

/* At the end of the step: what the next one begins with. Friction within the bound of the last normal force. */
static void remember_touches(const struct sn__position_args *a, mask lost) {
    const struct sn__position_touch *c = a->touch;
    struct sn__ground *g = c->ground;
    const struct sn__contacts *list = &g->contacts;
    const real zero = splat(0);
    int next = 0;
    for (int k = 0; k < g->nprobe; k++) {
        real *memory = (real *)g->touch + 6 * k;
        if (next == list->count || g->which[next] != k) {
            if (!g->live[k]) continue;
            for (int j = 0; j < 6; j++)
                memory[j] = choose(lost, memory[j], zero);
            g->live[k] = any(lost) ? 1 : 0;
            continue;
        }
        real *x = contact_at(list, next++);
        const vec3 n = vec_load(x + SN__NORMAL), F = vec_load(x + SN__FORCE), slip = vec_load(x + TOUCH_SLIP);
        const real push = dot(F, n), most = x[SN__MU] * push, K = x[TOUCH_K];
        const vec3 friction = add_scaled(F, n, -push);
        const real size2 = dot(friction, friction), slip2 = dot(slip, slip);
        const mask over = less(most * most, size2), far = less(most * most, K * K * slip2),
                   on = less(zero, push);
        const real cut = choose(over, most / square_root(choose(over, size2, splat(1))), splat(1));
        const real back = choose(
            far, most / (choose(far, K, splat(1)) * square_root(choose(far, slip2, splat(1)))), splat(1));
        const vec3 force = vec_choose(on, add_scaled(scale(friction, cut), n, push), vec_zero());
        vec_store(x + SN__FORCE, force);
        vec_store(memory, vec_choose(lost, vec_load(memory), force));
        vec_store(memory + 3,
                  vec_choose(lost, vec_load(memory + 3), vec_choose(on, scale(slip, back), vec_zero())));
        g->live[k] = 1;
    }
}

#endif
