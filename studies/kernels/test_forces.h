/* Constraint responses as kokkevis-2004 had them before acceleration deltas (kernels/contact/deltas.h): by test forces,
 * each through a whole articulated-body algorithm, or through one that keeps what depends on the state alone. */
#ifndef SINEW_STUDIES_KERNELS_TEST_FORCES_H
#define SINEW_STUDIES_KERNELS_TEST_FORCES_H

#include "kernels/contact/deltas.h"

/* The force of a lane's row as a push on its body: args->push is about the body's own frame. */
KERNEL void push_of(const tree *t, const struct work *w, int i, struct delta d, real *push) {
    const vec3 F = scale(d.f, splat(-1));
    const vec3 o = mul(w->frame[i].R, vec_splat(t->body[i].origin));
    vec_store(push, F);
    vec_store(push + 3, sub(scale(d.n, splat(-1)), cross(o, F)));
}

/* Default accelerations, without a test force; they stand in work.bias. */
static void keep_default(const tree *t, struct work *w, const real *qdd, real *qdd0) {
    for (int i = 0; i < t->nbody; i++)
        w->bias[i] = w->motion[i];
    for (int v = 0; v < t->nv; v++)
        qdd0[v] = qdd[v];
}

/* What the rows do under test forces beyond what they do without (eq. 11). */
static void put_differences(const tree *t, const struct work *w, int n, const struct sn__row *row,
                            real *result, int stride) {
    real *qdd = w->row.qdd;
    const real *qdd0 = w->row.qdd0;
    for (int v = 0; v < t->nv; v++)
        qdd[v] = qdd[v] - qdd0[v];
    for (int j = 0; j < n; j++) {
        const struct motion m = w->motion[row[j].body], m0 = w->bias[row[j].body];
        const struct motion change = {sub(m.alpha, m0.alpha), sub(m.a, m0.a)};
        result[j * stride] = row_value(t, &row[j], change, qdd);
    }
}

/* K by test forces (section 4.2): m + 1 calls of the whole articulated-body algorithm, or as many
   forces as there are lanes in one call. */
static void test_forces(const struct sn__args *args, int n, const struct sn__row *row, void *K, int stride) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    real *tau = w.row.tau, *Q = w.row.Q, *qdd = w.row.qdd, *qdd0 = w.row.qdd0, *result = K;
    uint8_t *in = w.mark;
    real *push = w.push;
    struct sn__args pushed = *args;
    pushed.push = push;
    for (int v = 0; v < t->nv; v++)
        tau[v] = splat(0);
    for (int first = -LANE_WIDTH; first < n; first += LANE_WIDTH) { /* the first without any */
        const int last = first + LANE_WIDTH < n ? first + LANE_WIDTH : n;
        for (int i = 0; i < t->nbody; i++)
            in[i] = 0;
        for (int j = first; first >= 0 && j < last; j++)
            test_force(t, &row[j], j - first, w.delta, in, tau);
        for (int i = 0; i < t->nbody; i++) { /* velocity products stay as they were solved with */
            const tree_body *b = &t->body[i];
            enter_pose(b, &w.frame[b->parent].pose, (const real *)args->q + b->q, &w.frame[i].pose);
            if (w.products == PRODUCTS_HELD) continue;
            enter_velocity(b, &w.frame[b->parent], (const real *)args->qd + b->v, &w.frame[i]);
        }
        drive_all(args, Q);
        for (int v = 0; v < t->nv; v++)
            Q[v] = Q[v] + tau[v];
        for (int i = 0; i < t->nbody; i++) {
            for (int k = 6 * i; k < 6 * i + 6; k++)
                push[k] = splat(0);
            if (in[i]) push_of(t, &w, i, w.delta[i], push + 6 * i);
        }
        for (int v = 0; args->limit && v < t->nv; v++)
            w.Q[v] = w.Q[v] + tau[v]; /* of drives beyond their limits */
        sweep_again(&pushed, Q, args->K, qdd);
        for (int v = 0; args->limit && v < t->nv; v++)
            w.Q[v] = w.Q[v] - tau[v];
        for (int j = first; first >= 0 && j < last; j++)
            clear_joint(t, &row[j], tau);
        if (first < 0)
            keep_default(t, &w, qdd, qdd0);
        else
            put_differences(t, &w, n, row, result + first / LANE_WIDTH, stride / LANE_WIDTH);
    }
}

/* Test forces again, through an articulated-body pass that keeps what depends on the state alone (the end
   of section 4.3): all biases are summed up and all accelerations made, for every force. Its constants
   cancel in the differences; what matters here is that they are added. */
static void cached_forces(const struct sn__args *args, int n, const struct sn__row *row, void *K,
                          int stride) {
    const tree *t = args->tree;
    struct work w = work_of(args, 0);
    uint8_t *in = w.mark, *out = w.mark + t->nbody;
    real *tau = w.row.tau, *qdd = w.row.qdd, *qdd0 = w.row.qdd0, *result = K;
    struct delta *kept = (struct delta *)(void *)w.left;
    drive_all(args, w.row.Q);
    for (int i = 0; i < t->nbody; i++) {
        vec3 mc;
        const struct inertia I = body_inertia(&t->body[i], &w.frame[i], 0, 0, 0, 0, &mc);
        kept[i] = (struct delta){I.n, I.f, vec_zero()};
    }
    for (int first = -LANE_WIDTH; first < n; first += LANE_WIDTH) {
        const int last = first + LANE_WIDTH < n ? first + LANE_WIDTH : n;
        for (int i = 0; i < t->nbody; i++) {
            w.delta[i] = kept[i];
            in[i] = out[i] = 1;
        }
        for (int v = 0; v < t->nv; v++)
            tau[v] = w.row.Q[v];
        for (int j = first; first >= 0 && j < last; j++)
            test_force(t, &row[j], j - first, w.delta, in, tau);
        propagate(args, &w, w.delta, in, out, tau, qdd);
        if (first < 0)
            keep_default(t, &w, qdd, qdd0);
        else
            put_differences(t, &w, n, row, result + first / LANE_WIDTH, stride / LANE_WIDTH);
    }
}

#endif
