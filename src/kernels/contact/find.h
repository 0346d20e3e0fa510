/* The one contact law: (point, normal, gap, memory) become the record of a contact for the solve of convex.h, at any
 * width. Points of planes and height fields are looked up here, in lanes; contacts with other ground come from
 * src/collide and become records the same way.
 *
 * A contact is a damper of B = 100 m / (8 dt), or of recovery time / compliance, on the velocity beyond
 *
 *     gap > 0:  -gap / dt             speculative: the point may come to the surface and no further
 *     gap < 0:  min(-gap / tau, most) recovery
 *     across:   -0.2 slip / dt        the slip since it stuck, so that it does not creep
 *
 * A lane in which a point is not near has B = 0 there, which adds nothing to any sum.
 *
 * Which points are near is asked with the velocities at the start of the step, and, after the first sweep, of those that
 * were not with the velocities at its end: drives may move a limb a long way in one step. */
#ifndef SINEW_KERNELS_CONTACT_FIND_H
#define SINEW_KERNELS_CONTACT_FIND_H

#include "kernels/contact/edges.h"

/* Surface under (or over) a point: its normal, and how high the point stands over it, along the normal. */
struct surface {
    vec3 normal;
    real height;
};

KERNEL struct surface plane_under(const struct sn__surface *s, vec3 p) {
    const vec3 n = {splat(R(s->normal[0])), splat(R(s->normal[1])), splat(R(s->normal[2]))};
    return (struct surface){n, dot(n, p) - splat(R(s->offset))};
}

/* How high a point stands that has no ground under it, m: farther than any margin, and no trouble for sums in float. */
#define NO_GROUND 1e6

/* The triangle under the point. Beyond the border there is no ground; a point on it belongs to the last cell. */
static struct surface terrain_under(const struct sn__terrain *t, vec3 p) {
    const SHARED_LARGE elem *height = t->height;
    elem x[LANE_WIDTH], y[LANE_WIDTH], z[3][LANE_WIDTH], u[LANE_WIDTH], v[LANE_WIDTH];
    const real px = (p.x - R(t->origin[0])) * (R(1) / R(t->cell[0])),
               py = (p.y - R(t->origin[1])) * (R(1) / R(t->cell[1]));
    __builtin_memcpy(x, &px, sizeof px);
    __builtin_memcpy(y, &py, sizeof py);
    for (int k = 0; k < LANE_WIDTH; k++) {
        const elem most_x = R(t->nx - 2), most_y = R(t->ny - 2);
        const int i = (int)(x[k] > 0 ? (x[k] < most_x ? x[k] : most_x) : R(0)); /* NaN: 0 */
        const int j = (int)(y[k] > 0 ? (y[k] < most_y ? y[k] : most_y) : R(0));
        const SHARED_LARGE elem *at = height + (size_t)j * (size_t)t->nx + i;
        u[k] = x[k] - R(i), v[k] = y[k] - R(j);
        const elem corner = at[0], far = at[t->nx + 1];
        z[0][k] = corner;                                         /* and its rise along x and y: */
        z[1][k] = v[k] > u[k] ? far - at[t->nx] : at[1] - corner; /* above the diagonal, below it */
        z[2][k] = v[k] > u[k] ? at[t->nx] - corner : far - at[1];
    }
    real corner, dx, dy, a, b;
    __builtin_memcpy(&corner, z[0], sizeof corner);
    __builtin_memcpy(&dx, z[1], sizeof dx);
    __builtin_memcpy(&dy, z[2], sizeof dy);
    __builtin_memcpy(&a, u, sizeof a);
    __builtin_memcpy(&b, v, sizeof b);
    const real above = p.z - R(t->origin[2]) - (corner + a * dx + b * dy);
    const real sx = dx * (R(1) / R(t->cell[0])), sy = dy * (R(1) / R(t->cell[1]));
    const real f = R(1) / square_root(R(1) + sx * sx + sy * sy);
    const mask beyond = less(px, splat(0)) | less(py, splat(0)) | less(splat(R(t->nx - 1)), px) |
                        less(splat(R(t->ny - 1)), py);
    return (struct surface){{-(sx * f), -(sy * f), f}, choose(beyond, splat(R(NO_GROUND)), above * f)};
}

/* A point of a body near ground. */
struct touch {
    vec3 normal, point; /* point: from the body's origin */
    vec3 v;             /* velocity of the point, relative to the ground */
    real gap, mu;
};

/* What is wanted of a contact, and its record. `slip` is how far its material has to go back to where it stuck: only
   creep, what slides or rolls is let go. */
KERNEL void record_contact(const struct sn__args *args, const struct sn__ground *g, int body, mask near,
                           const struct touch *touch, const real *memory, real *x) {
    const vec3 n = touch->normal, v = touch->v;
    const real gap = touch->gap, mu = touch->mu;
    const real dt = step_size(args), zero = splat(0);
    const vec3 F = vec_load(memory);
    const real fn = dot(F, n), most = splat(R(1e-3));
    const vec3 ft = add_scaled(F, n, -fn);
    const mask stuck = near & less(zero, fn) & less(dot(ft, ft), R(0.98) * mu * mu * fn * fn);
    vec3 slip = add_scaled(vec_load(memory + 3), v, -dt);
    slip = add_scaled(slip, n, -dot(slip, n));
    slip = vec_choose(stuck, slip, vec_zero());
    const real size2 = dot(slip, slip);
    const mask far = less(most * most, size2);
    if (any(far)) slip = vec_choose(far, scale(slip, most / square_root(choose(far, size2, splat(1)))), slip);
    const real recovery = maximum(splat(R(g->recovery)), R(2) * dt);
    const real up = choose(less(zero, gap), -gap / dt, minimum(-gap / recovery, splat(R(g->recovery_speed))));
    real B = g->compliance > 0 ? recovery * (R(1) / R(g->compliance))
                               : R(100) * R(g->mass) * R(g->share[body]) / dt;
    if (args->mass_scale && !(g->compliance > 0)) B = B * *(const real *)args->mass_scale;
    B = choose(near, B, zero);
    vec_store(x + SN__POINT, touch->point);
    vec_store(x + SN__NORMAL, n);
    vec_store(x + SN__WANTED, add_scaled(scale(n, up), slip, R(0.2) / dt));
    x[SN__BN] = B, x[SN__BT] = B, x[SN__MU] = mu, x[SN__GAP] = gap;
    vec_store(x + SN__FORCE, vec_choose(near, F, vec_zero()));
    vec_store(x + SN__SLIP, slip);
}

/* In which lanes a body's sphere around the joint stays clear of the surface by `margin` when it moves so. */
KERNEL mask stays_clear(const struct sn__args *args, const struct sn__surface *under,
                        const SHARED struct sn__probed *body, vec3 at, struct motion rate, real margin) {
    const real dt = step_size(args), reach = splat(R(body->reach));
    const real turning = reach * (absolute(rate.alpha.x) + absolute(rate.alpha.y) + absolute(rate.alpha.z));
    if (under->terrain) {
        const real ahead = dt * (absolute(rate.a.z) + turning);
        return not_less(at.z - reach - ahead, splat(R(under->terrain->top)) + margin);
    }
    const struct surface s = plane_under(under, at);
    return not_less(s.height - reach - dt * (absolute(dot(s.normal, rate.a)) + turning), margin);
}

/* A probe and the surface under it. */
struct probing {
    struct surface s;
    vec3 point; /* from the body's origin */
    real gap, mu;
};

KERNEL struct probing probe_at(const struct frame *f, const struct sn__surface *under,
                               const SHARED struct sn__probe *probe, vec3 at) {
    struct probing p;
    const real radius = splat(R(probe->radius));
    const vec3 o = mul(f->R, (vec3){splat(R(probe->at[0])), splat(R(probe->at[1])), splat(R(probe->at[2]))});
    p.s = under->terrain ? terrain_under(under->terrain, add(at, o)) : plane_under(under, add(at, o));
    p.gap = p.s.height - radius;
    p.point = add_scaled(o, p.s.normal, -(radius + R(0.5) * p.gap));
    return p;
}

KERNEL struct touch touch_of(const struct probing *p, struct motion rate) {
    return (struct touch){p->s.normal, p->point, add_cross(rate.a, rate.alpha, p->point), p->gap, p->mu};
}

KERNEL mask probe_near(const struct sn__args *args, const struct sn__ground *g, struct motion rate,
                       struct probing p) {
    const vec3 v = add_cross(rate.a, rate.alpha, p.point);
    const real way = step_size(args) * (absolute(v.x) + absolute(v.y) + absolute(v.z));
    return less(p.gap - way, splat(R(g->margin)));
}

KERNEL real probe_friction(const struct sn__args *args, const SHARED struct sn__probe *probe) {
    const real mu = splat(R(probe->mu));
    return args->friction ? mu * *(const real *)args->friction : mu;
}

/* One more record: of a point, or of a slot. */
KERNEL void add_record(const struct sn__args *args, const struct work *w, struct sn__ground *g, int body,
                       int k, mask near, const struct probing *p) {
    struct sn__contacts *c = &g->contacts;
    const struct motion rate = w->rate[body];
    g->which[c->count] = k;
    ((int32_t *)c->body)[c->count] = body;
    const struct touch touch = touch_of(p, rate);
    record_contact(args, g, body, near, &touch, (real *)g->touch + 6 * k, contact_at(c, c->count));
    vec_store(contact_at(c, c->count) + SN__AT, add(w->place[body], p->point));
    g->live[k] = 1;
    c->count++;
}

KERNEL struct probing probing_of(const struct sn__args *args, const real *slot) {
    const real mu = args->friction ? slot[EDGE_MU] * *(const real *)args->friction : slot[EDGE_MU];
    return (struct probing){
        {vec_load(slot + EDGE_NORMAL), splat(0)}, vec_load(slot + EDGE_POINT), slot[EDGE_GAP], mu};
}

/* Contacts of the body's solids in the lanes where it is near an edge. */
static void find_edges(const struct sn__args *args, const struct work *w, struct sn__ground *g,
                       const SHARED struct sn__probed *body, mask lanes) {
    const int none = !any(lanes);
    struct edge_lanes at;
    struct edge_slots slots;
    if (!none) edge_lanes_of(&w->frame[body->body], w->place[body->body], w->rate[body->body], &at);
    for (int i = 0; i < body->nsolid; i++) {
        const SHARED struct sn__edge_solid *solid = &body->solid[i];
        if (!none) look_in_lanes(args, solid, &at, lanes, g->margin, &slots);
        for (int k = 0; k < solid->slots; k++) {
            const real *slot = slots.value[k];
            if (none || !any(less(splat(0), slot[EDGE_ON]))) {
                forget(&g->live[solid->first + k], (real *)g->touch + 6 * (solid->first + k), 6);
                continue;
            }
            const struct probing p = probing_of(args, slot);
            add_record(args, w, g, body->body, solid->first + k, less(splat(0), slot[EDGE_ON]), &p);
        }
    }
}

/* Points of one body over one surface. A body whose sphere around the joint stays clear is left out at once. */
KERNEL void find_points(const struct sn__args *args, const struct work *w, struct sn__ground *g,
                        const SHARED struct sn__probed *body) {
    const struct sn__surface *under = &g->surface[body->surface];
    const struct motion rate = w->rate[body->body];
    const vec3 at = w->place[body->body];
    const mask clear = stays_clear(args, under, body, at, rate, splat(R(g->margin)));
    const int none = !any(~clear);
    mask edge = (mask){0};
    if (!none && body->nsolid) edge = ~clear & edged(args, under->terrain, body, at, rate, g->margin, 0);
    for (int k = body->first; k < body->first + body->count; k++) {
        real *memory = (real *)g->touch + 6 * k;
        if (none) {
            forget(&g->live[k], memory, 6);
            continue;
        }
        struct probing p = probe_at(&w->frame[body->body], under, &g->probe[k], at);
        const mask near = ~clear & ~edge & probe_near(args, g, rate, p);
        if (!any(near)) {
            forget(&g->live[k], memory, 6);
            continue;
        }
        p.mu = probe_friction(args, &g->probe[k]);
        add_record(args, w, g, body->body, k, near, &p);
    }
    if (body->nsolid) find_edges(args, w, g, body, edge);
}

/* The record of a probe, made room for among those of its body where it has none. */
static real *record_of_probe(struct sn__ground *g, int body, int probe) {
    struct sn__contacts *c = &g->contacts;
    int32_t *bodies = (int32_t *)c->body;
    int k = c->count;
    while (k > 0 && (bodies[k - 1] > body || (bodies[k - 1] == body && g->which[k - 1] >= probe)))
        k--;
    if (k < c->count && bodies[k] == body && g->which[k] == probe) return contact_at(c, k);
    for (int j = c->count++; j > k; j--) {
        bodies[j] = bodies[j - 1], g->which[j] = g->which[j - 1];
        __builtin_memcpy(contact_at(c, j), contact_at(c, j - 1), SN__CONTACT_VALUES * sizeof(real));
    }
    bodies[k] = body, g->which[k] = probe;
    real *x = contact_at(c, k);
    for (int j = 0; j < SN__CONTACT_VALUES; j++)
        x[j] = splat(0);
    return x;
}

/* A record of what only the velocity at the end brings near, in lanes that have none there yet. */
static int add_late(const struct sn__args *args, const struct work *w, struct sn__ground *g, int body, int k,
                    mask passes, const struct probing *p) {
    const struct motion rate = w->rate[body];
    const real zero = splat(0);
    real *x = record_of_probe(g, body, k);
    const mask fresh = passes & ~less(zero, x[SN__BN]); /* not what an earlier look has found */
    if (!any(fresh)) return 0;
    real memory[6] = {zero, zero, zero, zero, zero, zero}, own[SN__CONTACT_VALUES];
    const struct touch touch = touch_of(p, rate);
    record_contact(args, g, body, fresh, &touch, memory, own);
    vec_store(own + SN__AT, add(w->place[body], p->point));
    for (int j = 0; j < SN__BOUND; j++)
        x[j] = choose(fresh, own[j], x[j]);
    g->live[k] = 1;
    return 1;
}

/* In which lanes no record of the solid says the same as a slot already. */
static mask is_news(const struct sn__ground *g, const SHARED struct sn__edge_solid *solid, int body,
                    const struct probing *p) {
    const struct sn__contacts *c = &g->contacts;
    mask news = less(splat(0), splat(1));
    for (int k = 0; k < c->count; k++) {
        if (c->body[k] != body || g->which[k] < solid->first || g->which[k] >= solid->first + solid->slots)
            continue;
        const real *x = contact_at(c, k);
        const real along = dot(vec_load(x + SN__NORMAL), p->s.normal);
        news = news & ~(less(splat(0), x[SN__BN]) & less(splat(R(0.999)), along) &
                        less(absolute(x[SN__GAP] - p->gap), splat(R(1e-3))));
    }
    return news;
}

/* What passes near an edge goes into the first slot of the solid that is free in its lane. */
static int find_passing_edges(const struct sn__args *args, const struct work *w, struct sn__ground *g,
                              const SHARED struct sn__probed *body, struct motion end, mask lanes) {
    const real dt = step_size(args);
    struct edge_lanes at;
    struct edge_slots slots;
    int found = 0;
    edge_lanes_of(&w->frame[body->body], w->place[body->body], within_sight(args, end), &at);
    for (int i = 0; i < body->nsolid; i++) {
        const SHARED struct sn__edge_solid *solid = &body->solid[i];
        look_in_lanes(args, solid, &at, lanes, g->margin, &slots);
        for (int k = 0; k < solid->slots; k++) {
            const struct probing p = probing_of(args, slots.value[k]);
            const real way = dt * dot(p.s.normal, add_cross(end.a, end.alpha, p.point));
            mask passes = less(splat(0), slots.value[k][EDGE_ON]) & less(p.gap + way, splat(0));
            if (!any(passes)) continue;
            passes = passes & is_news(g, solid, body->body, &p);
            for (int j = 0; j < solid->slots && any(passes); j++) {
                const real *x = record_of_probe(g, body->body, solid->first + j);
                const mask free = ~less(splat(0), x[SN__BN]);
                if (!any(passes & free)) continue;
                found |= add_late(args, w, g, body->body, solid->first + j, passes & free, &p);
                passes = passes & ~free;
            }
        }
    }
    return found;
}

/* Records of the points that were not near, but pass the surface when the body moves as `end` says, which is another way
   in the lanes of `changed` alone. */
static int find_passing(const struct sn__args *args, const struct work *w, struct sn__ground *g,
                        const SHARED struct sn__probed *body, struct motion end, mask changed) {
    const struct sn__surface *under = &g->surface[body->surface];
    const struct motion rate = w->rate[body->body];
    const vec3 at = w->place[body->body];
    const real dt = step_size(args), zero = splat(0);
    const mask stays = stays_clear(args, under, body, at, end, zero);
    if (!any(~stays)) return 0;
    const mask clear = stays_clear(args, under, body, at, rate, splat(R(g->margin)));
    mask edge = (mask){0};
    if (body->nsolid)
        edge = ~stays & (edged(args, under->terrain, body, at, rate, g->margin, 0) |
                         edged(args, under->terrain, body, at, within_sight(args, end), g->margin, 1));
    int found = 0;
    for (int k = body->first; k < body->first + body->count; k++) {
        struct probing p = probe_at(&w->frame[body->body], under, &g->probe[k], at);
        const real way = dt * dot(p.s.normal, add_cross(end.a, end.alpha, p.point));
        const mask passes = less(p.gap + way, zero) & (clear | ~probe_near(args, g, rate, p)) & ~edge;
        if (!any(passes)) continue;
        p.mu = probe_friction(args, &g->probe[k]);
        found |= add_late(args, w, g, body->body, k, passes, &p);
    }
    if (any(edge & changed)) found |= find_passing_edges(args, w, g, body, end, edge & changed);
    return found;
}

KERNEL vec3 vec_splat_number(const SHARED sn__number x[3]) {
    return (vec3){splat(R(x[0])), splat(R(x[1])), splat(R(x[2]))};
}

/* A contact with other ground. */
KERNEL void take_extra(const struct sn__args *args, const struct work *w, struct sn__ground *g, int e) {
    const SHARED struct sn__extra *extra = &g->extra[e];
    const struct motion rate = w->rate[extra->body];
    struct sn__contacts *c = &g->contacts;
    real *memory = (real *)g->extra_touch + 6 * e, *x = contact_at(c, c->count);
    for (int k = 0; k < 3; k++) {
        memory[k] = splat(R(extra->force[k]));
        memory[k + 3] = splat(R(extra->slip[k]));
    }
    const vec3 point = vec_splat_number(extra->point), drift = vec_splat_number(extra->drift);
    const vec3 v = sub(add_cross(rate.a, rate.alpha, point), drift);
    const mask all = less(splat(0), splat(1));
    const struct touch touch = {vec_splat_number(extra->normal), point, v, splat(R(extra->gap)),
                                splat(R(extra->mu))};
    record_contact(args, g, extra->body, all, &touch, memory, x);
    vec_store(memory + 3, vec_load(x + SN__SLIP));
    vec_store(x + SN__WANTED, add(vec_load(x + SN__WANTED), drift));
    g->which[c->count] = g->nprobe + e;
    ((int32_t *)c->body)[c->count++] = extra->body;
}

/* Records of everything near ground and of joints near their limits, over the frames of enter_moving. */
static void find_all(const struct sn__args *args, const struct work *w, struct sn__ground *g) {
    int e = 0;
    g->contacts.count = g->contacts.nlimit = 0;
    g->contacts.of = g;
    for (int i = 0; i < g->nprobed; i++) {
        for (; e < g->nextra && g->extra[e].body < g->probed[i].body; e++)
            take_extra(args, w, g, e);
        find_points(args, w, g, &g->probed[i]);
    }
    for (; e < g->nextra; e++)
        take_extra(args, w, g, e);
    for (int i = 0; i < g->nstops; i++)
        find_stops(args, g, &g->stops[i]);
    g->contacts.small = R(g->mass) * R(0.1); /* N: a hundredth of the weight of an eighth */
    g->contacts.work = R(g->mass) * R(0.8);  /* J: what lifts all by a centimetre */
}

static void find_contacts(const struct sn__args *args, struct sn__ground *g) {
    const struct work w = work_of(args, 0);
    find_all(args, &w, g);
}

/* J qdd of a body, which work.delta (n: angular, f: of the origin) keeps for its children. */
KERNEL struct motion moved_by(const struct sn__args *args, struct work *w, int i, const real *qdd) {
    const tree_body *b = &((const tree *)args->tree)->body[i];
    const struct frame *f = &w->frame[i];
    struct motion m = {vec_zero(), vec_zero()};
    if (b->parent >= 0) {
        const struct delta *p = &w->delta[b->parent];
        m = (struct motion){p->n, add_cross(p->f, p->n, f->r)};
    }
    unfold(b, f, qdd + b->v, &m.alpha, &m.a);
    w->delta[i].n = m.alpha, w->delta[i].f = m.a;
    return m;
}

/* Bodies move at rate + dt J qdd at the end of the step. Where that changes nothing for any point a body is passed
   over. */
static int find_points_again(const struct sn__args *args, struct work *w, struct sn__ground *g,
                             const real *qdd) {
    const tree *t = args->tree;
    const real dt = step_size(args), margin = splat(R(g->margin));
    int found = 0, next = 0;
    for (int i = 0; i < t->nbody && next < g->nprobed; i++) {
        const struct motion m = moved_by(args, w, i, qdd);
        const struct motion more = {scale(m.alpha, dt), scale(m.a, dt)};
        const struct motion end = {add(w->rate[i].alpha, more.alpha), add(w->rate[i].a, more.a)};
        const real linear = absolute(more.a.x) + absolute(more.a.y) + absolute(more.a.z),
                   turning = absolute(more.alpha.x) + absolute(more.alpha.y) + absolute(more.alpha.z);
        for (; next < g->nprobed && g->probed[next].body == i; next++) {
            const mask changed = not_less(dt * (linear + R(g->probed[next].reach) * turning), margin);
            if (any(changed)) found |= find_passing(args, w, g, &g->probed[next], end, changed);
        }
    }
    return found;
}

/* How far any joint turns or slides, and any point moves, at most, in lanes, because of the accelerations qdd: dt^2 times sums of
   absolute values, points at no more than all bodies in a row. */
KERNEL void most_moved(const struct sn__args *args, const struct sn__ground *g, const real *qdd, real *joint,
                       real *point) {
    const tree *t = args->tree;
    const real dt = step_size(args);
    elem span = R(0), reach = R(0);
    real straight = splat(0), turning = splat(0);
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        for (int k = 0; k < 3 && b->parent >= 0; k++)
            span += b->offset[k] < 0 ? -b->offset[k] : b->offset[k];
        for (int k = 0; k < b->nv; k++) {
            const real x = absolute(qdd[b->v + k]);
            if (k < b->nslide)
                straight = straight + x;
            else
                turning = turning + x;
        }
        if (b->joint == SN__JOINT_AXES && moves_origin(b)) span = R(1e6);
    }
    for (int i = 0; i < g->nprobed; i++)
        reach = R(g->probed[i].reach) > reach ? R(g->probed[i].reach) : reach;
    *joint = dt * dt * (straight + turning);
    *point = dt * dt * (straight + (span + reach) * turning);
}

/* After the first sweep: records of what would pass a surface or a limit at the velocity it came to, and has none yet.
   Returns whether there are any. Where nothing moves far nobody need be asked: twice is more than sums of absolute values
   make of a length, and than rounding. */
static int find_again(const struct sn__args *args, struct work *w, const real *qdd) {
    struct sn__ground *g = args->ground;
    if (!g) return 0;
    real joint, point;
    most_moved(args, g, qdd, &joint, &point);
    int found = 0;
    if (g->nprobed && any(not_less(R(2) * point, splat(R(g->margin)))))
        found |= find_points_again(args, w, g, qdd);
    if (!any(not_less(R(1.01) * joint, splat(R(STOP_NEAR))))) return found;
    for (int i = 0; i < g->nstops && !g->stops_apart; i++)
        found |= find_stops_again(args, g, &g->stops[i], qdd);
    return found;
}

#endif
