/* Poses and their derivatives apart from a step, for studies of position-based schemes: studies/kernels/table.h says what
 * each function does. */
#ifndef SINEW_STUDIES_KERNELS_POSES_H
#define SINEW_STUDIES_KERNELS_POSES_H

#include "kernels/position/gradient.h"

/* Places in working memory, from 0 on; -1 is the world. */
KERNEL struct place *places_in(void *work) {
    struct place *place = (struct place *)work + 1;
    place[-1] = world_place(vec_zero());
    return place;
}

static void affine(const sn__tree *tree_, void *work, const void *q, void *out) {
    const tree *t = tree_;
    struct place *place = places_in(work);
    real *P = out;
    for (int i = 0; i < t->nbody; i++, P += SN__AFFINE) {
        const tree_body *b = &t->body[i];
        place_body(b, &place[b->parent], q, &place[i]);
        mat_store(P, place[i].R);
        vec_store(P + 9, moves_origin(b) ? place[i].x : vec_zero());
    }
}

/* R' = [w] R; what slides runs along an axis that turns with the parent: (s q)' = s qd + w_p x s q.
   Angular velocities stand in b. */
static void affine_rate(const sn__tree *tree_, void *work, const void *q, const void *qd_, void *out) {
    const tree *t = tree_;
    struct place *place = places_in(work);
    real *V = out;
    for (int i = 0; i < t->nbody; i++, V += SN__AFFINE) {
        const tree_body *b = &t->body[i];
        struct place *f = &place[i];
        const real *qd = (const real *)qd_ + b->v;
        place_body(b, &place[b->parent], q, f);
        vec3 w = place[b->parent].b, v = vec_zero();
        switch (b->joint) {
        case SN__JOINT_FREE:
            w = mul(f->R, vec_load(qd + 3));
            v = vec_load(qd);
            break;
        case SN__JOINT_BALL:
            w = add_mul(w, f->R, vec_load(qd));
            break;
        default:
            if (moves_origin(b)) v = cross(w, f->x);
            for (int k = 0; k < b->naxes; k++)
                move_axis(axis_of(b, &f->pose, k), qd[k], &w, &v);
            break;
        }
        f->b = w;
        mat_store(V,
                  from_columns(cross(w, column_x(f->R)), cross(w, column_y(f->R)), cross(w, column_z(f->R))));
        vec_store(V + 9, v);
    }
}

static void blend(int n, int terms, const sn__number *w, const void *const *x, void *out) {
    for (int i = 0; i < n; i++) {
        real sum = R(w[0]) * ((const real *)x[0])[i];
        for (int k = 1; k < terms; k++)
            sum = sum + R(w[k]) * ((const real *)x[k])[i];
        ((real *)out)[i] = sum;
    }
}

static void recentre(const sn__tree *tree_, const void *at, int nq, void *const *q, int nP, void *const *P) {
    const tree *t = tree_;
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        if (!is_free(b)) continue;
        const vec3 x = vec_load((const real *)at + b->q);
        for (int k = 0; k < nq; k++) {
            real *to = (real *)q[k] + b->q;
            vec_store(to, sub(vec_load(to), x));
        }
        for (int k = 0; k < nP; k++) {
            real *to = (real *)P[k] + SN__AFFINE * i + 9;
            vec_store(to, sub(vec_load(to), x));
        }
    }
}

static void difference(const sn__tree *tree_, const void *q_, const void *q0_, void *u_) {
    const tree *t = tree_;
    for (int i = 0; i < t->nbody; i++) {
        const tree_body *b = &t->body[i];
        const real *q = (const real *)q_ + b->q, *q0 = (const real *)q0_ + b->q;
        real *u = (real *)u_ + b->v;
        if (is_ball(b)) {
            vec_store(u, turn_between(q0, q));
            continue;
        }
        const int n = is_free(b) ? 3 : b->nv;
        for (int k = 0; k < n; k++)
            u[k] = q[k] - q0[k];
        if (is_free(b)) vec_store(u + 3, turn_between(q0 + 3, q + 3));
    }
}

static void gradient(const struct sn__position_args *a) {
    struct position_work w = position_work_of(a, 0);
    real square = splat(0), joints = splat(0);
    enter_places(a, &w, a->m);
    for (int i = 0; i < a->m; i++) {
        gather_stage(a, &w, i, a->energy ? &square : 0);
        add_joints(a, i, &joints);
    }
    finish_energy(a, square, joints);
}

#endif
