/* Energy, momentum and centre of mass, and the Jacobian of a point: what one asks of a pose. */
#ifndef SINEW_KERNELS_SUMMARY_H
#define SINEW_KERNELS_SUMMARY_H

#include "kernels/kinematics.h"

/* Energy stored in the passive spring of a joint. */
KERNEL real spring_energy(const tree_body *b, const real *q) {
    real e2 = splat(0);
    if (b->joint == SN_JOINT_BALL) {
        const vec3 e = quat_log(quat_conj_mul(quat_splat(b->rest), quat_load(q + b->q)));
        e2 = dot(e, e);
    } else if (b->joint != SN_JOINT_FREE) {
        for (int k = 0; k < JOINT_NV[b->joint]; k++) {
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
    real kinetic = splat(0), potential = splat(0), mass = splat(0);
    vec3 mx = vec_zero(), p = vec_zero(), L = vec_zero();
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const struct frame *f = &w.frame[i];
        const struct motion *up = &w.motion[b->parent];
        vec3 x, v;
        origin_motion(b, &w.frame[b->parent], f, up->alpha, up->a, args->q, args->qd, &x, &v);
        w.motion[i] = (struct motion){x, v};
        const real m = splat(b->mass);
        const vec3 mc = mul(f->R, vec_splat(b->mc));
        const vec3 pi = add(scale(v, m), cross(f->w, mc));                     /* m v + w x mc */
        const vec3 Li = add(sym_mul(rigid_inertia(b, f), f->w), cross(mc, v)); /* J w + mc x v */
        kinetic = kinetic + R(0.5) * (dot(v, pi) + dot(f->w, Li));
        const vec3 mxi = add_scaled(mc, x, m);
        potential = potential - dot(g, mxi);
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

/* Rows 0-2: velocity of the point, rows 3-5: angular velocity, for unit rate of each degree of freedom. */
static void jacobian(const struct sn__args *args, int body, const double point[3], void *out) {
    const tree *t = args->tree;
    const int nv = t->nv;
    struct work w = work_of(args, 0);
    real *J = out;
    enter_all(t, args->q, args->qd, &w);
    for (int i = 0; i < 6 * nv; i++)
        J[i] = splat(0);
    const elem local[3] = {R(point[0]), R(point[1]), R(point[2])};
    /* from the kernel origin of each ancestor to the point, growing on the way to the root */
    vec3 r = mul(w.frame[body].R, add(vec_splat(local), vec_splat(t->body[body].origin)));
    for (int j = body; j >= 0; j = t->body[j].parent) {
        const tree_body *b = &t->body[j];
        for (int k = 0; k < JOINT_NV[b->joint]; k++) {
            vec3 ang, lin;
            subspace(b, &w.frame[j], k, &ang, &lin);
            const vec3 v = add(lin, cross(ang, r));
            real *column = J + b->v + k;
            column[0] = v.x, column[nv] = v.y, column[2 * nv] = v.z;
            column[3 * nv] = ang.x, column[4 * nv] = ang.y, column[5 * nv] = ang.z;
        }
        r = add(r, w.frame[j].r);
    }
}

#endif
