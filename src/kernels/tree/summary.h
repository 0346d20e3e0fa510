/* Energy, momentum and centre of mass of a pose in motion. */
#ifndef SINEW_KERNELS_TREE_SUMMARY_H
#define SINEW_KERNELS_TREE_SUMMARY_H

#include "kernels/tree/kinematics.h"

/* Energy stored in the passive spring of a joint. */
KERNEL real spring_energy(const tree_body *b, const real *q) {
    real e2 = splat(0);
    if (is_ball(b)) {
        const vec3 e = quat_log(quat_conj_mul(quat_splat(b->rest), quat_load(q + b->q)));
        e2 = dot(e, e);
    } else if (!is_free(b)) {
        for (int k = 0; k < b->nv; k++) {
            const real e = q[b->q + k] - b->rest[k];
            e2 = e2 + e * e;
        }
    }
    return R(0.5) * b->stiffness * e2;
}

/* Kinetic and potential energy, centre of mass, linear momentum, angular momentum about the centre of
   mass. */
static void summary(const struct sn__args *args, void *out) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    enter_all(t, args->q, args->qd, &w);
    w.motion[-1] = (struct motion){vec_zero(), vec_zero()};
    const vec3 g = gravity_of(args);
    const real heavier = args->mass_scale ? *(const real *)args->mass_scale : splat(1);
    real kinetic = splat(0), potential = splat(0), mass = splat(0);
    vec3 mx = vec_zero(), p = vec_zero(), L = vec_zero();
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const struct frame *f = &w.frame[i];
        const struct motion *up = &w.motion[b->parent];
        const struct origin above = {up->alpha, up->a};
        const struct origin own = origin_motion(b, &w.frame[b->parent], f, above, args->q, args->qd);
        const vec3 x = own.x, v = own.v;
        w.motion[i] = (struct motion){x, v};
        const real m = heavier * b->mass;
        const vec3 mc = scale(mul(f->R, vec_splat(b->mc)), heavier);
        const vec3 pi = add(scale(v, m), cross(f->w, mc)); /* m v + w x mc */
        const vec3 Li =
            add(scale(sym_mul(rigid_inertia(b, f), f->w), heavier), cross(mc, v)); /* J w + mc x v */
        kinetic = kinetic + R(0.5) * (dot(v, pi) + dot(f->w, Li));
        const vec3 mxi = add_scaled(mc, x, m);
        potential = potential - (b->lift == 0 ? dot(g, mxi) : splat(1 - b->lift) * dot(g, mxi));
        if (b->has_spring) potential = potential + spring_energy(b, args->q);
        mass = mass + m;
        mx = add(mx, mxi);
        p = add(p, pi);
        L = add(L, add(Li, cross(x, pi))); /* about the world's origin */
    }
    const vec3 com = scale(mx, R(1) / mass);
    real *o = out;
    o[0] = kinetic, o[1] = potential;
    vec_store(o + 2, com);
    vec_store(o + 5, p);
    vec_store(o + 8, sub(L, cross(com, p)));
}

#endif
