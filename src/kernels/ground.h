/* The one contact law: (point, normal, gap, memory) become the record of a contact for the solve of contact.h, at any
 * width. Points of planes and height fields are looked up here, in lanes; contacts with other ground come from
 * src/collide and become records the same way.
 *
 * A contact is a damper of B = 100 m / (8 dt), or of recovery time / compliance, on the velocity beyond
 *
 *     gap > 0:  -gap / dt             speculative: the point may come to the surface and no further
 *     gap < 0:  min(-gap / tau, most) recovery
 *     across:   -0.2 slip / dt        the slip since it stuck, so that it does not creep
 *
 * A lane in which a point is not near has B = 0 there, which adds nothing to any sum. */
#ifndef SINEW_KERNELS_GROUND_H
#define SINEW_KERNELS_GROUND_H

#include "kernels/rnea.h"
#include "kernels/stops.h"

/* Surface under (or over) a point: its normal, and how high the point stands over it, along the normal. */
struct surface {
    vec3 normal;
    real height;
};

KERNEL struct surface plane_under(const struct sn__surface *s, vec3 p) {
    const vec3 n = {splat(R(s->normal[0])), splat(R(s->normal[1])), splat(R(s->normal[2]))};
    return (struct surface){n, dot(n, p) - splat(R(s->offset))};
}

/* The triangle under the point, which beyond the edges of the field goes on as far as it likes. */
static struct surface terrain_under(const struct sn__terrain *t, vec3 p) {
    const elem *height = t->height;
    elem x[LANE_WIDTH], y[LANE_WIDTH], z[3][LANE_WIDTH], u[LANE_WIDTH], v[LANE_WIDTH];
    const real px = (p.x - R(t->origin[0])) * R(1 / t->cell[0]),
               py = (p.y - R(t->origin[1])) * R(1 / t->cell[1]);
    __builtin_memcpy(x, &px, sizeof px);
    __builtin_memcpy(y, &py, sizeof py);
    for (int k = 0; k < LANE_WIDTH; k++) {
        const elem most_x = R(t->nx - 2), most_y = R(t->ny - 2);
        const int i = (int)(x[k] > 0 ? (x[k] < most_x ? x[k] : most_x) : R(0)); /* NaN: 0 */
        const int j = (int)(y[k] > 0 ? (y[k] < most_y ? y[k] : most_y) : R(0));
        const elem *at = height + (size_t)j * (size_t)t->nx + i;
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
    const real sx = dx * R(1 / t->cell[0]), sy = dy * R(1 / t->cell[1]);
    const real f = R(1) / square_root(R(1) + sx * sx + sy * sy);
    return (struct surface){{-(sx * f), -(sy * f), f}, above * f};
}

/* What is wanted of a contact, and its record. `slip` is how far its material has to go back to where it stuck: only
   creep, what slides or rolls is let go. */
KERNEL void record_contact(const struct sn__args *args, const struct sn__ground *g, mask near, vec3 n,
                           vec3 point, vec3 v, real gap, real mu, real *memory, real *x) {
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
    real B = g->compliance > 0 ? recovery * R(1 / g->compliance) : R(100 * g->mass) / dt;
    if (args->mass_scale && !(g->compliance > 0)) B = B * *(const real *)args->mass_scale;
    B = choose(near, B, zero);
    vec_store(x + SN__POINT, point);
    vec_store(x + SN__NORMAL, n);
    vec_store(x + SN__WANTED, add_scaled(scale(n, up), slip, R(0.2) / dt));
    x[SN__BN] = B, x[SN__BT] = B, x[SN__MU] = mu, x[SN__GAP] = gap;
    vec_store(x + SN__FORCE, vec_choose(near, F, vec_zero()));
    vec_store(memory + 3, slip);
}

/* Forgets a point or a side that is near in no lane. */
KERNEL void forget(uint8_t *live, real *memory, int n) {
    if (!*live) return;
    for (int k = 0; k < n; k++)
        memory[k] = splat(0);
    *live = 0;
}

/* Points of one body over one surface. A body whose sphere around the joint stays clear of the plane is left out at once. */
KERNEL void find_points(const struct sn__args *args, const struct work *w, struct sn__ground *g,
                        const struct sn__probed *body) {
    const struct frame *f = &w->frame[body->body];
    const struct sn__surface *under = &g->surface[body->surface];
    const struct motion rate = w->rate[body->body];
    const vec3 at = w->bias[body->body].a;
    const real dt = step_size(args), margin = splat(R(g->margin)), reach = splat(R(body->reach));
    const vec3 turning = {absolute(rate.alpha.x), absolute(rate.alpha.y), absolute(rate.alpha.z)};
    mask clear;
    if (under->terrain) {
        const real ahead = dt * (absolute(rate.a.z) + reach * (turning.x + turning.y + turning.z));
        clear = not_less(at.z - reach - ahead, splat(R(under->terrain->top)) + margin);
    } else {
        const struct surface s = plane_under(under, at);
        const real ahead =
            dt * (absolute(dot(s.normal, rate.a)) + reach * (turning.x + turning.y + turning.z));
        clear = not_less(s.height - reach - ahead, margin);
    }
    const int none = !any(~clear);
    for (int k = body->first; k < body->first + body->count; k++) {
        const struct sn__probe *probe = &g->probe[k];
        real *memory = (real *)g->touch + 6 * k;
        if (none) {
            forget(&g->live[k], memory, 6);
            continue;
        }
        const real radius = splat(R(probe->radius));
        const vec3 o =
            mul(f->R, (vec3){splat(R(probe->at[0])), splat(R(probe->at[1])), splat(R(probe->at[2]))});
        const struct surface s =
            under->terrain ? terrain_under(under->terrain, add(at, o)) : plane_under(under, add(at, o));
        const real gap = s.height - radius;
        const vec3 point = add_scaled(o, s.normal, -(radius + R(0.5) * gap));
        const vec3 v = add_cross(rate.a, rate.alpha, point);
        const mask near = ~clear & less(gap - dt * (absolute(v.x) + absolute(v.y) + absolute(v.z)), margin);
        if (!any(near)) {
            forget(&g->live[k], memory, 6);
            continue;
        }
        real mu = splat(R(probe->mu));
        if (args->friction) mu = mu * *(const real *)args->friction;
        struct sn__contacts *c = &g->contacts;
        g->which[c->count] = k;
        ((int32_t *)c->body)[c->count] = body->body;
        record_contact(args, g, near, s.normal, point, v, gap, mu, memory, contact_at(c, c->count));
        vec_store(contact_at(c, c->count) + SN__AT, add(at, point));
        g->live[k] = 1;
        c->count++;
    }
}

KERNEL vec3 vec_splat_f64(const double x[3]) {
    return (vec3){splat(R(x[0])), splat(R(x[1])), splat(R(x[2]))};
}

/* A contact with other ground. */
KERNEL void take_extra(const struct sn__args *args, const struct work *w, struct sn__ground *g, int e) {
    const struct sn__extra *extra = &g->extra[e];
    const struct motion rate = w->rate[extra->body];
    struct sn__contacts *c = &g->contacts;
    real *memory = (real *)g->extra_touch + 6 * e, *x = contact_at(c, c->count);
    for (int k = 0; k < 3; k++) {
        memory[k] = splat(R(extra->force[k]));
        memory[k + 3] = splat(R(extra->slip[k]));
    }
    const vec3 point = vec_splat_f64(extra->point), drift = vec_splat_f64(extra->drift);
    const vec3 v = sub(add_cross(rate.a, rate.alpha, point), drift);
    const mask all = less(splat(0), splat(1));
    record_contact(args, g, all, vec_splat_f64(extra->normal), point, v, splat(R(extra->gap)),
                   splat(R(extra->mu)), memory, x);
    vec_store(x + SN__WANTED, add(vec_load(x + SN__WANTED), drift));
    g->which[c->count] = g->nprobe + e;
    ((int32_t *)c->body)[c->count++] = extra->body;
}

/* Records of everything near ground and of joints near their limits, over the frames of enter_moving. */
static void find_all(const struct sn__args *args, const struct work *w, struct sn__ground *g) {
    int e = 0;
    g->contacts.count = g->contacts.nlimit = 0;
    for (int i = 0; i < g->nprobed; i++) {
        for (; e < g->nextra && g->extra[e].body < g->probed[i].body; e++)
            take_extra(args, w, g, e);
        find_points(args, w, g, &g->probed[i]);
    }
    for (; e < g->nextra; e++)
        take_extra(args, w, g, e);
    for (int i = 0; i < g->nstops; i++)
        find_stops(args, g, &g->stops[i]);
    g->contacts.small = g->mass * 0.1; /* N: a hundredth of the weight of an eighth */
    g->contacts.sweeps = g->sweeps;
    g->contacts.tolerance = g->tolerance;
}

static void find_contacts(const struct sn__args *args, struct sn__ground *g) {
    const struct work w = work_of(args, 0);
    find_all(args, &w, g);
}

/* Forces of this step, and the slip where friction is not at its bound. */
static void remember(const struct sn__args *args, struct sn__ground *g) {
    const struct sn__contacts *c = &g->contacts;
    const mask frozen = args->frozen ? less(splat(0), *(const real *)args->frozen) : (mask){0};
    for (int k = 0; k < c->count; k++) {
        if (g->which[k] >= g->nprobe) continue;
        const real *x = contact_at(c, k);
        real *memory = (real *)g->touch + 6 * g->which[k];
        const mask lost = frozen | ~less(splat(0), x[SN__BN]);
        vec_store(memory, vec_choose(lost, vec_zero(), vec_load(x + SN__FORCE)));
    }
    for (int k = 0; k < c->nlimit; k++) {
        const real *x = limit_at(c, k);
        const mask lost = frozen | ~less(splat(0), x[SN__LIMIT_B]);
        ((real *)g->stop)[g->which_side[k]] = choose(lost, splat(0), x[SN__LIMIT_FORCE]);
    }
}

/* The drives' torque: inverse dynamics with the contacts as pushes (eq. 5), less what limits and what is passive do. */
static void report_torque(const struct sn__args *given, struct work *w, const real *qdd) {
    struct sn__args args = *given;
    const tree *t = args.tree;
    const struct sn__contacts *c = args.contacts;
    real *tau = args.torque;
    for (int k = 0; k < 6 * t->nbody; k++)
        w->push[k] = args.push ? ((const real *)args.push)[k] : splat(0);
    for (int k = 0; c && k < c->count; k++) {
        const real *x = contact_at(c, k);
        const int i = c->body[k];
        const vec3 F = vec_load(x + SN__FORCE);
        const vec3 arm = sub(vec_load(x + SN__POINT), mul(w->frame[i].R, vec_splat(t->body[i].origin)));
        real *push = w->push + 6 * i;
        vec_store(push, add(vec_load(push), F));
        vec_store(push + 3, add_cross(vec_load(push + 3), arm, F));
    }
    args.push = w->push;
    rnea_framed(&args, w, qdd, tau);
    drive_share(&args, qdd, tau);
    for (int k = 0; c && k < c->nlimit; k++) {
        const real *x = limit_at(c, k);
        const tree_body *b = &t->body[c->limit_body[k]];
        for (int j = 0; j < JOINT_NV[b->joint]; j++)
            tau[b->v + j] = tau[b->v + j] - x[SN__LIMIT_AXIS + j] * x[SN__LIMIT_FORCE];
    }
}

static void torque(const struct sn__args *args, const void *qdd) {
    struct work w = work_of(args, 0);
    struct sn__args forced = *args;
    if (args->polarised) forced.spring = w.turn; /* as the solve has left it */
    report_torque(&forced, &w, qdd);
}

static int step_ground(const struct sn__args *given, struct sn__ground *g, void *q, void *qd, void *out) {
    struct sn__args args = *given;
    struct work w = work_of(&args, 0);
    real *qdd = out;
    args.contacts = &g->contacts;
    enter_moving(&args, &w);
    find_all(&args, &w, g);
    if (args.polarised) args.spring = polarise(&args, &w);
    const int n = solve_contacts(&args, &w, qdd);
    if (args.torque) report_torque(&args, &w, qdd);
    move_on(&args, qdd, q, qd);
    return n;
}

#endif
