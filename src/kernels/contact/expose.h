/* How contacts and joint limits answer rows: the coefficients of the response to them.
 *
 * Where rows are about to turn a contact or a limit over, from held to open or from sticking to sliding, the
 * response has a corner. A response that holds makes light of impulses which throw a limb off its limit; so when
 * world/newton.c has met such a corner (args->loose), what carries next to nothing is left open, and friction that
 * is near its bound slides: no impulse is too large then. */
#ifndef SINEW_KERNELS_CONTACT_EXPOSE_H
#define SINEW_KERNELS_CONTACT_EXPOSE_H

#include "kernels/contact/law.h"

/* Friction slides on from so much of its bound. */
#define NEAR_BOUND 0.8
/* What carries less of a quarter of the weight, a limit at a tenth of a metre, is open. */
#define LOOSE_PART 0.2

/* The coefficients of a contact with a force less than `small` open, and of one that is about to slide sliding. */
KERNEL void loosen_contact(real *x, real small) {
    real *now = x + SN__NOW;
    const real zero = splat(0);
    const vec3 n = vec_load(x + SN__NORMAL), F = vec_load(x + SN__FORCE);
    const real fn = dot(F, n);
    const vec3 ft = add_scaled(F, n, -fn);
    const real ft2 = dot(ft, ft), near = R(NEAR_BOUND) * x[SN__BOUND];
    const mask open = less(fn, small), sticks = less(zero, now[SN__ALONG_NOW]);
    const mask slides = sticks & less(near * near, ft2) & less(zero, ft2);
    const vec3 t = scale(ft, splat(1) / square_root_each(choose(slides, ft2, splat(1))));
    for (int k = 0; k < 3; k++)
        now[SN__T_NOW + k] = choose(slides, k == 0 ? t.x : k == 1 ? t.y : t.z, now[SN__T_NOW + k]);
    now[SN__ALONG_NOW] = choose(slides | open, zero, now[SN__ALONG_NOW]);
    now[SN__BT_NOW] = choose(open, zero, now[SN__BT_NOW]);
    now[SN__BN_NOW] = choose(open, zero, now[SN__BN_NOW]);
}

/* Coefficients of contacts for the response to rows: friction that slides by the exact derivative, which sweeps may have
   majorised. What the last sweep held stays held, also where it carries next to nothing: rows rely on it, unless they have met a
   corner. */
static void expose_contacts(const struct sn__args *args, const struct work *w) {
    const struct sn__contacts *c = args->contacts;
    const struct touching set = touching_of(args->tree, w);
    const real small = splat(R(LOOSE_PART) * R(200) * R(c->small));
    for (int k = 0; k < c->count; k++) {
        real *x = contact_at(c, k);
        if (idle(x[SN__BN], (mask){0})) continue;
        const mask on = less(splat(0), x[SN__SWEPT + SN__BN_NOW]);
        const struct slip slip = slip_of(x, vec_load(x + SN__U), x[SN__BOUND]);
        put_coefficients(x, ~(mask){0}, on, &slip, (mask){0});
        if (args->loose) loosen_contact(x, small);
        if (any(coefficients_differ(x))) make_dirty(args->tree, set, c->body[k]);
    }
    for (int k = 0; k < c->nlimit; k++) {
        real *x = limit_at(c, k);
        const mask open = args->loose ? less(x[SN__LIMIT_FORCE], R(0.1) * small) : (mask){0};
        x[SN__LIMIT_NOW] = choose(open, splat(0), x[SN__LIMIT_SWEPT]);
        if (any(open & less(splat(0), x[SN__LIMIT_SWEPT]))) make_dirty(args->tree, set, c->limit_body[k]);
    }
}

#endif
