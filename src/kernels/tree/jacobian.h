/* The Jacobian of a point of a body. */
#ifndef SINEW_KERNELS_TREE_JACOBIAN_H
#define SINEW_KERNELS_TREE_JACOBIAN_H

#include "kernels/tree/kinematics.h"

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
        for (int k = 0; k < b->nv; k++) {
            vec3 ang, lin;
            subspace(b, &w.frame[j].pose, k, &ang, &lin);
            const vec3 v = add(lin, cross(ang, r));
            real *column = J + b->v + k;
            column[0] = v.x, column[nv] = v.y, column[2 * nv] = v.z;
            column[3 * nv] = ang.x, column[4 * nv] = ang.y, column[5 * nv] = ang.z;
        }
        r = add(r, w.frame[j].r);
    }
}

#endif
