/* Contacts and joint limits as terms of one convex problem: spd-2011 section 4.3 taken further.
 *
 * convex.h minimises one strictly convex function of the velocity at the end of the step. What is here are its terms
 * of contacts and of joint limits: implicit dampers on the velocity a point, or a joint, will have,
 *
 *     u = J (qd + dt qdd) - wanted,   u_n = n . u,   u_t = u - u_n n,   s = |u_t|
 *
 *     normal     phi = B/2 min(0, u_n)^2       F = B max(0, -u_n) n
 *     sticks     phi = B/2 s^2                 F = -B u_t                  where s <= L / B
 *     slides     phi = L s - L^2 / 2B          F = -L u_t / s
 *     limit      phi = B/2 min(0, u)^2         F = B max(0, -u)
 *
 * `wanted` holds the ground's velocity, the recovery from penetration and what has slipped. L is mu times the normal
 * force of the last iterates, held in the next iteration: friction of a given bound has a potential, mu f_n itself has
 * none. It does not end where u_n turns positive, which would be a jump: L of a contact that comes off goes to 0.
 *
 * A sweep takes F as linear in u, F = P, with coefficients (table.h) of the exact second derivative of phi, or of one
 * that lies above it: for a point that slides along t, (L / s) (1 - n n^T) instead of (L / s) (1 - n n^T - t t^T). */
#ifndef SINEW_KERNELS_CONTACT_LAW_H
#define SINEW_KERNELS_CONTACT_LAW_H

#include "kernels/contact/records.h"

/* How a point slips at u: u_n, u_t, |u_t|^2, and 1 / |u_t| where a bound counts. */
struct slip {
    vec3 ut;
    real un, slip2, inverse;
};

/* `least`: the least bound of friction that will be asked for. */
KERNEL struct slip slip_of(const real *x, vec3 u, real least) {
    const vec3 n = vec_load(x + SN__NORMAL);
    struct slip s;
    s.un = dot(u, n);
    s.ut = add_scaled(u, n, -s.un);
    s.slip2 = dot(s.ut, s.ut);
    s.inverse = splat(0);
    const mask slides = less(least * least, x[SN__BT] * x[SN__BT] * s.slip2);
    if (any(slides))
        s.inverse = choose(slides, R(1) / square_root(choose(slides, s.slip2, splat(1))), s.inverse);
    return s;
}

/* Where friction of at most `most` does not hold the point. */
KERNEL mask slides_at(const real *x, const struct slip *s, real most) {
    return less(most * most, x[SN__BT] * x[SN__BT] * s->slip2);
}

/* The force of the law, |f_t| <= `most`. */
KERNEL vec3 contact_law(const real *x, const struct slip *s, real most) {
    const real fn = x[SN__BN] * maximum(splat(0), -s->un);
    const real across = choose(slides_at(x, s, most), most * s->inverse, x[SN__BT]);
    return add_scaled(scale(s->ut, -across), vec_load(x + SN__NORMAL), fn);
}

KERNEL real limit_law(const real *x, real u) {
    return x[SN__LIMIT_B] * maximum(splat(0), -u);
}

/* mu f_n of a force. */
KERNEL real friction_bound(const real *x, const real *force) {
    return x[SN__MU] * maximum(splat(0), dot(vec_load(force), vec_load(x + SN__NORMAL)));
}

/* Coefficients where a contact pushes (on), and where it sticks or slides: exactly, or majorised. Returns where they
   change. */
KERNEL mask put_coefficients(real *x, mask which, mask on, const struct slip *s, mask majorised) {
    const real zero = splat(0), most = x[SN__BOUND];
    const mask slides = slides_at(x, s, most), turns = slides & less(zero, most) & ~majorised;
    const real across = choose(slides, most * s->inverse, x[SN__BT]);
    const vec3 t = scale(s->ut, s->inverse);
    const real value[SN__COEFFICIENTS] = {
        choose(on, x[SN__BN], zero), across,
        choose(turns, zero, across), choose(turns, t.x, zero),
        choose(turns, t.y, zero),    choose(turns, t.z, zero),
        choose(turns, most, zero),
    };
    mask changed = (mask){0};
    for (int j = 0; j < SN__COEFFICIENTS; j++) {
        const real old = x[SN__NOW + j];
        changed |= bits_of(value[j]) ^ bits_of(old);
        x[SN__NOW + j] = choose(which, value[j], old);
    }
    return is_nonzero(changed) & which;
}

/* The coefficients to begin with: contacts that carried a force are expected to go on as they did, sliding the way they
   slide now, with the exact derivative: what slides straight on gets L whatever its speed becomes, while the majorised one
   would brake what gains speed by L s / s0 > L, step for step on the same side. Others push when they would be reached in
   half the step as things move now, without friction yet. */
static void expect_contacts(const struct sn__args *args, const struct work *w) {
    const struct sn__contacts *c = args->contacts;
    const real zero = splat(0);
    const mask all = less(zero, splat(1));
    for (int k = 0; k < c->count; k++) {
        real *x = contact_at(c, k);
        const struct motion rate = w->rate[c->body[k]];
        const vec3 n = vec_load(x + SN__NORMAL), F = vec_load(x + SN__FORCE);
        const vec3 wanted = vec_load(x + SN__WANTED); /* u where nothing accelerates is J qd - wanted */
        const vec3 u = sub(add_cross(rate.a, rate.alpha, vec_load(x + SN__POINT)), wanted);
        const real fn = dot(F, n), un = dot(u, n), most = friction_bound(x, x + SN__FORCE);
        const vec3 ft = add_scaled(F, n, -fn);
        vec3 ut = add_scaled(u, n, -un);
        const mask pushed = less(zero, fn);
        const mask stuck = pushed & less(dot(ft, ft), R(0.98) * most * most);
        ut = vec_choose(stuck, vec_zero(), ut);
        x[SN__BOUND] = most;
        const real ahead = maximum(zero, -dot(wanted, n)); /* gap / dt */
        const struct slip slip = slip_of(x, ut, most);
        put_coefficients(x, all, pushed | less(un + ahead, zero), &slip, ~pushed);
    }
    for (int k = 0; k < c->nlimit; k++) {
        real *x = limit_at(c, k);
        x[SN__LIMIT_NOW] = choose(less(zero, x[SN__LIMIT_FORCE]), x[SN__LIMIT_B], zero);
    }
}

/* Where they are not those of the last sweep. */
KERNEL mask coefficients_differ(const real *x) {
    mask differ = (mask){0};
    for (int j = 0; j < SN__COEFFICIENTS; j++)
        differ |= is_nonzero(bits_of(x[SN__NOW + j]) ^ bits_of(x[SN__SWEPT + j]));
    return differ;
}

/* How steep the function is somewhere on the way from the iterate to the sweep, and how fast that grows. */
struct slope {
    real f, rate;
};

KERNEL struct slope slope_sum(struct slope a, struct slope b) {
    return (struct slope){a.f + b.f, a.rate + b.rate};
}

/* How far a force P is from its law F, relative and squared: the worst so far, divided only in the end. */
struct fraction {
    real over, under;
};

KERNEL struct fraction worse(struct fraction a, real over, real under) {
    const mask more = less(a.over * under, over * a.under);
    return (struct fraction){choose(more, over, a.over), choose(more, under, a.under)};
}

KERNEL struct fraction contact_off(vec3 P, vec3 F, real small2, struct fraction worst) {
    const vec3 e = sub(P, F);
    return worse(worst, dot(e, e), dot(F, F) + dot(P, P) + small2);
}

KERNEL struct fraction limit_off(real P, real F, real small2, struct fraction worst) {
    const real e = P - F;
    return worse(worst, e * e, rounded(F * F) + P * P + small2);
}

/* What a step is taken with. */
struct stride {
    mask settled;   /* lanes that stay where they are */
    real part;      /* L goes so much of the way to mu times the new normal force, */
    int held;       /* unless it is held */
    mask majorised; /* how the next sweep takes friction */
};

/* What comes of it: how steep the function is at its begin and at its end, how far the worst force is from its law. */
struct arrival {
    real low, high;
    struct fraction off;
};

/* mu f_n, or L where that is held. */
KERNEL real next_bound(const real *x, vec3 P, real was, const struct stride *s) {
    return s->held ? was : x[SN__MU] * maximum(splat(0), dot(P, vec_load(x + SN__NORMAL)));
}

/* L, `part` of the way to `most`, and the coefficients of the next sweep. Returns where those change. */
KERNEL mask arrive(real *x, const struct slip *slip, real was, real most, const struct stride *s,
                   mask which) {
    x[SN__BOUND] = choose(which, s->held ? was : was + s->part * (most - was), x[SN__BOUND]);
    return put_coefficients(x, which, less(slip->un, splat(0)), slip, s->majorised);
}

/* A contact that carries nothing and stays off its surface, in all lanes that are not settled: except for u nothing of it
   changes. */
KERNEL int stays_off(const real *x, vec3 u, mask settled) {
    const real zero = splat(0), *now = x + SN__NOW;
    const vec3 F = vec_load(x + SN__FORCE);
    const real carried =
        absolute(F.x) + absolute(F.y) + absolute(F.z) + x[SN__BOUND] + now[SN__BN_NOW] + now[SN__BT_NOW];
    const vec3 n = vec_load(x + SN__NORMAL);
    const real un = dot(u, n);
    const vec3 ut = add_scaled(u, n, -un);
    const mask on = less(zero, carried) | less(un, zero) | ~less(zero, dot(ut, ut));
    return !any(on & less(zero, x[SN__BN]) & ~settled);
}

/* Takes such a contact along. */
KERNEL void carry_idle(real *x, vec3 u, mask settled) {
    const vec3 u0 = vec_load(x + SN__U);
    x[SN__BOUND_WAS] = splat(0);
    vec_store(x + SN__DU, sub(u, u0));
    vec_store(x + SN__DF, vec_zero());
    vec_store(x + SN__U, vec_choose(settled, u0, u));
}

/* A sweep takes a contact along, all the way: u, the force of the sweep's coefficients, and what arrive does. Where its
   coefficients touch the law the slope is du . (P - F) = -du . dP - du . B du at the start. */
KERNEL mask carry_contact(real *x, struct motion m, real dt, const struct stride *s, real small2,
                          struct arrival *a) {
    const real *now = x + SN__NOW, bt = now[SN__BT_NOW], bn = now[SN__BN_NOW];
    const real more = now[SN__ALONG_NOW] - bt;
    const vec3 n = vec_load(x + SN__NORMAL), r = vec_load(x + SN__POINT), d = vec_load(now + SN__T_NOW);
    const vec3 u0 = vec_load(x + SN__U), P0 = vec_load(x + SN__FORCE);
    const vec3 u = add_scaled(vec_load(x + SN__REST), add_cross(m.a, m.alpha, r), dt);
    if (stays_off(x, u, s->settled)) {
        carry_idle(x, u, s->settled);
        return (mask){0};
    }
    const real un = dot(u, n);
    const vec3 ut = add_scaled(u, n, -un);
    const real back = more * dot(ut, d) + now[SN__PUSH_NOW];
    const vec3 P = add_scaled(add_scaled(scale(ut, -bt), d, -back), n, -(bn * un));
    const vec3 du = sub(u, u0), dP = sub(P, P0);
    const real dn = dot(du, n), dd = dot(du, d);
    const vec3 across = add_scaled(du, n, -dn);
    const real curve = rounded(bn * dn * dn) + bt * dot(across, across) + more * dd * dd;
    const real was = x[SN__BOUND], most = next_bound(x, P, was, s);
    const struct slip slip = slip_of(x, u, minimum(was, most));
    a->low = a->low - (dot(du, dP) + curve);
    a->high = a->high + dot(du, sub(P, contact_law(x, &slip, was)));
    a->off = contact_off(P, contact_law(x, &slip, most), small2, a->off);
    x[SN__BOUND_WAS] = was;
    vec_store(x + SN__DU, du);
    vec_store(x + SN__DF, dP);
    vec_store(x + SN__U, vec_choose(s->settled, u0, u));
    /* of a force of none no -0, which a contact that stays off does not have */
    vec_store(x + SN__FORCE, vec_choose(s->settled, P0, add(P, vec_zero())));
    return arrive(x, &slip, was, most, s, ~s->settled);
}

KERNEL mask carry_limit(real *x, real u, const struct stride *s, real small2, struct arrival *a) {
    const real zero = splat(0), u0 = x[SN__LIMIT_U], P0 = x[SN__LIMIT_FORCE], old = x[SN__LIMIT_NOW];
    const real P = -(old * u), du = u - u0, dP = P - P0, F = limit_law(x, u);
    const real now = choose(less(u, zero), x[SN__LIMIT_B], zero);
    a->low = a->low - du * (dP + rounded(old * du));
    a->high = a->high + du * (P - F);
    x[SN__LIMIT_DU] = du, x[SN__LIMIT_DF] = dP;
    x[SN__LIMIT_U] = choose(s->settled, u0, u);
    x[SN__LIMIT_FORCE] = choose(s->settled, P0, P);
    x[SN__LIMIT_NOW] = choose(s->settled, old, now);
    a->off = limit_off(P, F, small2, a->off);
    return is_nonzero(bits_of(now) ^ bits_of(old)) & ~s->settled;
}

/* Takes all contacts and limits to where a sweep went. */
static struct arrival carry_contacts(const struct sn__args *args, const struct work *w, const real *qdd,
                                     const struct stride *s) {
    const tree *t = args->tree;
    const struct sn__contacts *c = args->contacts;
    const struct touching set = touching_of(t, w);
    const real dt = step_size(args), small2 = splat(R(c->small) * R(c->small));
    struct arrival a = {splat(0), splat(0), {splat(0), splat(1)}};
    for (int k = 0; k < c->count; k++) {
        real *x = contact_at(c, k);
        if (idle(x[SN__BN], s->settled)) continue;
        if (any(carry_contact(x, w->motion[c->body[k]], dt, s, small2, &a))) make_dirty(t, set, c->body[k]);
    }
    for (int k = 0; k < c->nlimit; k++) {
        real *x = limit_at(c, k);
        if (idle(x[SN__LIMIT_B], s->settled)) continue;
        if (any(carry_limit(x, limit_velocity(args, k, qdd), s, small2, &a)))
            make_dirty(t, set, c->limit_body[k]);
    }
    return a;
}

/* Back to `at` of the way, in some lanes: like the above. Where that is hardly a step at all, limits that the whole
   way would pass hold in the next sweep, so that it does not go the same way again. Returns how far the worst force
   is from its law there. */
static struct fraction carry_back(const struct sn__args *args, const struct work *w, mask which, real at,
                                  const struct stride *s) {
    const tree *t = args->tree;
    const struct sn__contacts *c = args->contacts;
    const struct touching set = touching_of(t, w);
    const real small2 = splat(R(c->small) * R(c->small)), back = at - R(1);
    const mask stays = less(at, splat(R(1e-3)));
    struct fraction off = {splat(0), splat(1)};
    for (int k = 0; k < c->count; k++) {
        real *x = contact_at(c, k);
        if (idle(x[SN__BN], ~which)) continue;
        const vec3 u1 = vec_load(x + SN__U), P1 = vec_load(x + SN__FORCE);
        const vec3 u = vec_choose(which, add_scaled(u1, vec_load(x + SN__DU), back), u1);
        const vec3 P = vec_choose(which, add_scaled(P1, vec_load(x + SN__DF), back), P1);
        vec_store(x + SN__U, u);
        vec_store(x + SN__FORCE, P);
        const real was = x[SN__BOUND_WAS], most = next_bound(x, P, was, s);
        const struct slip slip = slip_of(x, u, minimum(was, most));
        off = contact_off(P, contact_law(x, &slip, most), small2, off);
        if (any(arrive(x, &slip, was, most, s, which))) make_dirty(t, set, c->body[k]);
    }
    for (int k = 0; k < c->nlimit; k++) {
        real *x = limit_at(c, k);
        if (idle(x[SN__LIMIT_B], ~which)) continue;
        const real u = x[SN__LIMIT_U] + back * x[SN__LIMIT_DU],
                   P = x[SN__LIMIT_FORCE] + back * x[SN__LIMIT_DF];
        const mask holds = less(u, splat(0)) | (stays & less(x[SN__LIMIT_U], splat(0)));
        const real now = choose(holds, x[SN__LIMIT_B], splat(0)), old = x[SN__LIMIT_NOW];
        x[SN__LIMIT_U] = choose(which, u, x[SN__LIMIT_U]);
        x[SN__LIMIT_FORCE] = choose(which, P, x[SN__LIMIT_FORCE]);
        x[SN__LIMIT_NOW] = choose(which, now, old);
        off = limit_off(P, limit_law(x, u), small2, off);
        if (any(which & is_nonzero(bits_of(now) ^ bits_of(old)))) make_dirty(t, set, c->limit_body[k]);
    }
    return off;
}

/* What the line search needs of all contacts (table.h). Returns du . P at the start of the way, and its growth. */
static struct slope begin_way(const struct sn__contacts *c, mask settled) {
    struct slope sum = {splat(0), splat(0)};
    for (int k = 0; k < c->count; k++) {
        real *x = contact_at(c, k), *way = x + SN__WAY;
        if (idle(x[SN__BN], settled)) continue;
        const vec3 n = vec_load(x + SN__NORMAL), u = vec_load(x + SN__U), du = vec_load(x + SN__DU);
        const vec3 dP = vec_load(x + SN__DF), P0 = sub(vec_load(x + SN__FORCE), dP);
        const real un = dot(u, n), dn = dot(du, n);
        const vec3 ut = add_scaled(u, n, -un), across = add_scaled(du, n, -dn);
        way[SN__WAY_N] = un, way[SN__WAY_DN] = dn;
        way[SN__WAY_SLIP] = dot(ut, ut);
        way[SN__WAY_ALONG] = dot(ut, across), way[SN__WAY_DT] = dot(across, across);
        sum = slope_sum(sum, (struct slope){dot(du, P0), dot(du, dP)});
    }
    for (int k = 0; k < c->nlimit; k++) {
        const real *x = limit_at(c, k), du = x[SN__LIMIT_DU], dP = x[SN__LIMIT_DF];
        if (idle(x[SN__LIMIT_B], settled)) continue;
        sum = slope_sum(sum, (struct slope){du * (x[SN__LIMIT_FORCE] - dP), du * dP});
    }
    return sum;
}

/* With P the force that balances the rest of the dynamics (linear on the way) and F the law: what -F adds to du . (P - F),
   and to the derivative of that, du . (dP - F' du). */
KERNEL struct slope contact_slope(const real *x, real at) {
    const real *way = x + SN__WAY, zero = splat(0), back = at - R(1);
    const real dn = way[SN__WAY_DN], un = way[SN__WAY_N] + back * dn, dt2 = way[SN__WAY_DT];
    const real along = way[SN__WAY_ALONG] + back * dt2; /* u_t . du */
    const real slip2 = maximum(zero, way[SN__WAY_SLIP] + back * (way[SN__WAY_ALONG] + along));
    const real most = x[SN__BOUND_WAS], bn = x[SN__BN], bt = x[SN__BT];
    real across = bt,
         turned = zero; /* friction is -across ut; a turn costs (across / s^2) (ut . du)^2 less */
    const mask slides = less(most * most, bt * bt * slip2), off = not_less(un, zero);
    if (any(slides)) {
        const real inverse = R(1) / choose(slides, slip2, splat(1));
        across = choose(slides, most * square_root(inverse), bt);
        turned = choose(slides, across * inverse * along * along, zero);
    }
    const real push = choose(off, zero, bn * dn); /* -F_n / u_n dn */
    return (struct slope){rounded(push * un) + across * along, rounded(push * dn) + across * dt2 - turned};
}

KERNEL struct slope limit_slope(const real *x, real at) {
    const real du = x[SN__LIMIT_DU], zero = splat(0);
    const real u = x[SN__LIMIT_U] + (at - R(1)) * du;
    const real b = choose(less(u, zero), x[SN__LIMIT_B] * du, zero);
    return (struct slope){b * u, b * du};
}

/* `way`: what begin_way has left. */
static struct slope contacts_slope(const struct sn__contacts *c, struct slope way, mask settled, real at) {
    struct slope sum = {way.f + at * way.rate, way.rate};
    for (int k = 0; k < c->count; k++)
        if (!idle(contact_at(c, k)[SN__BN], settled))
            sum = slope_sum(sum, contact_slope(contact_at(c, k), at));
    for (int k = 0; k < c->nlimit; k++)
        if (!idle(limit_at(c, k)[SN__LIMIT_B], settled))
            sum = slope_sum(sum, limit_slope(limit_at(c, k), at));
    return sum;
}

/* x where it stays, `to` where the step is whole, or that part of the way. */
KERNEL real go(real x, real to, real step, mask whole, mask stays) {
    return choose(stays, x, choose(whole, to, x + step * (to - x)));
}

/* What limits may give, J: they bring joints back, too. */
static real limits_work(const struct sn__args *args) {
    const struct sn__contacts *c = args->contacts;
    real sum = splat(0);
    for (int k = 0; k < c->nlimit; k++) {
        const real *x = limit_at(c, k);
        sum = sum + maximum(splat(0), (x[SN__LIMIT_U] + x[SN__LIMIT_WANTED]) * x[SN__LIMIT_FORCE]);
    }
    return step_size(args) * sum;
}

/* The most that the forces of an iterate may gain, J: those of their laws gain almost nothing, but one that has not
   settled may pull at what it should push, and draw it on. */
static real contacts_work(const struct sn__args *args) {
    const struct sn__contacts *c = args->contacts;
    const real zero = splat(0);
    real sum = zero;
    for (int k = 0; k < c->count; k++) {
        const real *x = contact_at(c, k);
        const vec3 v = add(vec_load(x + SN__U), vec_load(x + SN__WANTED));
        sum = sum + maximum(zero, dot(v, vec_load(x + SN__FORCE)));
    }
    for (int k = 0; k < c->nlimit; k++) {
        const real *x = limit_at(c, k);
        sum = sum + maximum(zero, (x[SN__LIMIT_U] + x[SN__LIMIT_WANTED]) * x[SN__LIMIT_FORCE]);
    }
    return step_size(args) * sum;
}

/* The law's derivative at the iterate. */
static void linearise_contacts(const struct sn__args *args, const struct work *w, mask which,
                               mask majorised) {
    const struct sn__contacts *c = args->contacts;
    const struct touching set = touching_of(args->tree, w);
    const real zero = splat(0);
    for (int k = 0; k < c->count; k++) {
        real *x = contact_at(c, k);
        if (idle(x[SN__BN], ~which)) continue;
        const struct slip slip = slip_of(x, vec_load(x + SN__U), x[SN__BOUND]);
        if (any(put_coefficients(x, which, less(slip.un, zero), &slip, majorised)))
            make_dirty(args->tree, set, c->body[k]);
    }
    for (int k = 0; k < c->nlimit; k++) {
        real *x = limit_at(c, k), old = x[SN__LIMIT_NOW];
        if (idle(x[SN__LIMIT_B], ~which)) continue;
        const real now = choose(less(x[SN__LIMIT_U], zero), x[SN__LIMIT_B], zero);
        x[SN__LIMIT_NOW] = choose(which, now, old);
        if (any(which & is_nonzero(bits_of(now) ^ bits_of(old))))
            make_dirty(args->tree, set, c->limit_body[k]);
    }
}

#endif
