/* The mass matrix by the composite-rigid-body algorithm, O(n d). */
#ifndef SINEW_KERNELS_TREE_CRBA_H
#define SINEW_KERNELS_TREE_CRBA_H

#include "kernels/tree/aba.h"

/* Composite inertia of a rigid subtree: mass, first moment and inertia about the origin, kept in M.xx, n
   and J. */
KERNEL struct inertia composite_rigid(const tree_body *b, const struct frame *f) {
    struct inertia I;
    I.J = rigid_inertia(b, f);
    I.n = mul(f->R, vec_splat(b->mc));
    I.M.xx = splat(b->mass);
    return I;
}

/* Adds the composite inertia c, standing r away, to p: the parallel-axis theorem twice,
   J' = J + 2 (r.h) 1 - (r h^T + h r^T) + m ((r.r) 1 - r r^T),  h' = h + m r. */
KERNEL void composite_add(struct inertia *p, const struct inertia *c, vec3 r) {
    const real m = c->M.xx;
    const vec3 h = c->n, g = add_scaled(add(h, h), r, m); /* 2 h + m r */
    const real s = dot(r, g);
    p->J.xx += c->J.xx + s - r.x * g.x;
    p->J.yy += c->J.yy + s - r.y * g.y;
    p->J.zz += c->J.zz + s - r.z * g.z;
    p->J.xy += c->J.xy - (r.x * h.y + h.x * r.y + m * r.x * r.y);
    p->J.xz += c->J.xz - (r.x * h.z + h.x * r.z + m * r.x * r.z);
    p->J.yz += c->J.yz - (r.y * h.z + h.y * r.z + m * r.y * r.z);
    p->n = add(p->n, add_scaled(h, r, m));
    p->M.xx += m;
}

/* A row of M: the moment n and force F on body i, felt by every joint towards the root. Entries of the
   body's own joint beyond the diagonal are written, too: they are the symmetric ones, or are overwritten
   by later rows. */
KERNEL void mass_row(const tree *t, const struct work *w, int i, vec3 n, vec3 F, real *row) {
    for (int j = i; j >= 0; j = t->body[j].parent) {
        project(&t->body[j], &w->frame[j].pose, n, F, row + t->body[j].v);
        n = add_cross(n, w->frame[j].r, F);
    }
}

/* Lower triangle of M over frames that stand already: M[i * nv + j], j <= i. Entries between branches are
   zero. */
static void crba_framed(const tree *t, struct work *w, real *M) {
    const int nv = t->nv;
    for (int i = 0; i < t->nbody; i++)
        w->composite[i] = composite_rigid(&t->body[i], &w->frame[i]);
    for (int i = t->nbody - 1; i >= 0; i--)
        if (t->body[i].parent >= 0)
            composite_add(&w->composite[t->body[i].parent], &w->composite[i], w->frame[i].r);
    for (int i = 0; i < nv; i++)
        for (int j = 0; j <= i; j++)
            M[i * nv + j] = splat(0);
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const struct inertia *I = &w->composite[i];
        for (int k = 0; k < b->nv; k++) {
            vec3 ang, lin;
            subspace(b, &w->frame[i].pose, k, &ang, &lin);
            /* force on the composite body for a unit acceleration along this degree of freedom */
            const vec3 n = add(sym_mul(I->J, ang), cross(I->n, lin));
            const vec3 F = add_scaled(cross(ang, I->n), lin, I->M.xx);
            mass_row(t, w, i, n, F, M + (b->v + k) * nv);
        }
    }
}

static void fill_upper(int nv, real *M) {
    for (int i = 0; i < nv; i++)
        for (int j = 0; j < i; j++)
            M[j * nv + i] = M[i * nv + j];
}

static void crba(const struct sn__args *args, void *M) {
    const tree *t = args->tree;
    struct work w = work_of(args, 1);
    enter_all(t, args->q, args->qd, &w);
    crba_framed(t, &w, M);
    fill_upper(t->nv, M);
}

#endif
