/* Stiff constraints between a body and the world, inside MABA: spd-2011 section 4.3.
 *
 * A brace holds a point r from a body's origin by a force that is linear in the velocity u the point will have,
 *
 *     F = G - B u,   u = J (qd + dt qdd) = s + dt (a + alpha x r),   s = J qd - dt (a0 + alpha0 x r),
 *
 * a0, alpha0 the accelerations at qdd = 0. With E = dt B it joins the body's inertia, as eq. 13 of the paper joins
 * kd dt d d^T to a particle's mass:
 *
 *     M += E,   H += [r] E,   J += [r] E [r]^T,   f += B s - G,   n += r x (B s - G)
 *
 * O(1) each, however stiff. Nothing of it changes from sweep to sweep. */
#ifndef SINEW_KERNELS_CONTACT_BRACE_H
#define SINEW_KERNELS_CONTACT_BRACE_H

#include "kernels/tree/aba.h"

/* A damper E = dt B at r, whose force is -push at rest, joins an inertia. */
KERNEL void join_damper(struct inertia *I, vec3 r, sym3 E, vec3 push) {
    /* [r] E, then [r] E [r]^T: row i of A [r]^T is r x A_i */
    const mat3 A = {r.y * E.xz - r.z * E.xy, r.y * E.yz - r.z * E.yy, r.y * E.zz - r.z * E.yz,
                    r.z * E.xx - r.x * E.xz, r.z * E.xy - r.x * E.yz, r.z * E.xz - r.x * E.zz,
                    r.x * E.xy - r.y * E.xx, r.x * E.yy - r.y * E.xy, r.x * E.yz - r.y * E.xz};
    const sym3 J = {r.y * A.xz - r.z * A.xy, r.z * A.yx - r.x * A.yz, r.x * A.zy - r.y * A.zx,
                    r.z * A.xx - r.x * A.xz, r.x * A.xy - r.y * A.xx, r.x * A.yy - r.y * A.yx};
    I->M = sym_add(I->M, E);
    I->H = mat_add(I->H, A);
    I->J = sym_add(I->J, J);
    I->f = add(I->f, push);
    I->n = add_cross(I->n, r, push);
}

KERNEL real *brace_at(const struct sn__contacts *c, int k) {
    return (real *)c->brace + SN__BRACE_VALUES * k;
}

KERNEL int has_braces(const struct sn__contacts *c, int body) {
    return c && c->nbrace && c->brace_first[body] < c->brace_first[body + 1];
}

/* s of a body's braces; m: its accelerations at qdd = 0. */
KERNEL void rest_braces(const struct sn__contacts *c, int body, const struct work *w, struct motion m,
                        real dt) {
    for (int k = c->brace_first[body]; k < c->brace_first[body + 1]; k++) {
        real *x = brace_at(c, k);
        const vec3 r = vec_load(x), v = add_cross(w->rate[body].a, w->rate[body].alpha, r);
        vec_store(x + SN__BRACE_REST, add_scaled(v, add_cross(m.a, m.alpha, r), -dt));
    }
}

KERNEL void add_braces(const struct sn__contacts *c, int body, real dt, struct inertia *I) {
    for (int k = c->brace_first[body]; k < c->brace_first[body + 1]; k++) {
        const real *x = brace_at(c, k), *b = x + SN__BRACE_B;
        const sym3 B = {b[0], b[1], b[2], b[3], b[4], b[5]};
        const vec3 push = sub(sym_mul(B, vec_load(x + SN__BRACE_REST)), vec_load(x + SN__BRACE_G));
        join_damper(I, vec_load(x), sym_scale(B, dt), push);
    }
}

#endif
