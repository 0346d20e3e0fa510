/* Inverse dynamics, the recursive Newton-Euler algorithm: tau = M qdd + C in O(n) (maba-2020 eq. 5). */
#ifndef SINEW_KERNELS_TREE_RNEA_H
#define SINEW_KERNELS_TREE_RNEA_H

#include "kernels/tree/spin.h"

/* Over frames that stand already. Forces are gathered where pass 3 of ABA keeps accelerations. */
static void rnea_framed(const struct sn__args *args, struct work *w, const real *qdd, real *tau) {
    const tree *t = args->tree;
    const real *heavier = args->mass_scale;
    for (int i = 0; i < t->nbody; i++) { /* accelerations, root to leaves */
        const tree_body *b = &t->body[i];
        const struct frame *f = &w->frame[i];
        const struct motion *p = &w->motion[b->parent];
        vec3 alpha = add(p->alpha, f->c), a = add(add(p->a, f->d), cross(p->alpha, f->r));
        if (qdd) unfold(b, f, qdd + b->v, &alpha, &a);
        w->motion[i] = (struct motion){alpha, a};
    }
    for (int i = 0; i < t->nbody; i++) { /* what each body needs to move so, in place of its acceleration */
        const tree_body *b = &t->body[i];
        const struct frame *f = &w->frame[i];
        const vec3 alpha = w->motion[i].alpha, a = w->motion[i].a;
        vec3 mc = mul(f->R, vec_splat(b->mc));
        sym3 J = rigid_inertia(b, f);
        real m = splat(b->mass);
        if (heavier) m = m * *heavier, mc = scale(mc, *heavier), J = sym_scale(J, *heavier);
        /* moment = J alpha + mc x a + w x J w,  force = m a + alpha x mc + w x (w x mc) */
        vec3 n = add(add(sym_mul(J, alpha), cross(mc, a)), cross(f->w, sym_mul(J, f->w)));
        vec3 F = add(add(scale(a, m), cross(alpha, mc)), cross(f->w, cross(f->w, mc)));
        real lifted[6];
        const real *push = push_with_lift(args, f, i, lifted);
        if (push) {
            const vec3 P = vec_load(push), o = mul(f->R, vec_splat(b->origin));
            F = sub(F, P);
            n = sub(n, add(vec_load(push + 3), cross(o, P)));
        }
        if (w->products == PRODUCTS_HELD && spins(b)) n = add(n, w->spin[i].moment);
        w->motion[i] = (struct motion){n, F};
    }
    for (int i = t->nbody - 1; i >= 0; i--) { /* leaves to root: tau = S^T f, eq. 9 */
        const tree_body *b = &t->body[i];
        const struct frame *f = &w->frame[i];
        const vec3 n = w->motion[i].alpha, F = w->motion[i].a;
        project(b, &f->pose, n, F, tau + b->v);
        if (b->parent < 0) continue;
        struct motion *p = &w->motion[b->parent];
        p->alpha = add(p->alpha, add(n, cross(f->r, F)));
        p->a = add(p->a, F);
    }
}

static void rnea(const struct sn__args *args, const void *qdd, void *tau) {
    struct work w = work_of(args, 0);
    w.products = PRODUCTS_EXPLICIT;
    enter_all(args->tree, args->q, args->qd, &w);
    rnea_framed(args, &w, qdd, tau);
}

#endif
