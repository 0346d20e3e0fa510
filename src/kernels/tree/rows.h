/* Values of characters, one row each, into lanes and back, and targets from the rows of a motion.
 *
 * A square of LANE_WIDTH rows and columns is turned over by log2 LANE_WIDTH rounds of
 *
 *     b[2 i], b[2 i + 1] = the two halves of a[i] and a[i + LANE_WIDTH / 2], zipped. */
#ifndef SINEW_KERNELS_TREE_ROWS_H
#define SINEW_KERNELS_TREE_ROWS_H

#include "kernels/tree/work.h"

#if LANE_WIDTH == 2
#define ZIP_LOW 0, 2
#define ZIP_HIGH 1, 3
#elif LANE_WIDTH == 4
#define ZIP_LOW 0, 4, 1, 5
#define ZIP_HIGH 2, 6, 3, 7
#elif LANE_WIDTH == 8
#define ZIP_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define ZIP_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#elif LANE_WIDTH == 16
#define ZIP_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define ZIP_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#endif

KERNEL void turn_over(real a[LANE_WIDTH]) {
#if LANE_WIDTH > 1
    for (int round = 1; round < LANE_WIDTH; round *= 2) {
        real b[LANE_WIDTH];
        for (int i = 0; i < LANE_WIDTH / 2; i++) {
            b[2 * i] = __builtin_shufflevector(a[i], a[i + LANE_WIDTH / 2], ZIP_LOW);
            b[2 * i + 1] = __builtin_shufflevector(a[i], a[i + LANE_WIDTH / 2], ZIP_HIGH);
        }
        for (int i = 0; i < LANE_WIDTH; i++)
            a[i] = b[i];
    }
#else
    (void)a;
#endif
}

/* Copies the first `some` of at most LANE_WIDTH values, in pieces of fixed lengths, which are faster than a loop. */
KERNEL void copy_some(elem *to, const elem *from, int some) {
    int at = 0;
    for (int piece = LANE_WIDTH; piece > 0; piece /= 2)
        if (some & piece) {
            __builtin_memcpy(to + at, from + at, (size_t)piece * sizeof *to);
            at += piece;
        }
}

/* The first `some` of LANE_WIDTH values that stand anywhere; zeros after them. */
KERNEL real load_some(const elem *from, int some) {
    real x;
    elem part[LANE_WIDTH] = {0};
    if (some < LANE_WIDTH) {
        copy_some(part, from, some);
        from = part;
    }
    __builtin_memcpy(&x, from, sizeof x);
    return x;
}

/* Where the next square starts: the last one overlaps the one before where the values do not fill it. */
KERNEL int next_square(int v, int n) {
    return v < n && n >= LANE_WIDTH && v > n - LANE_WIDTH ? n - LANE_WIDTH : v;
}

static void to_lanes(int n, const void *rows, size_t stride, void *lanes) {
    const elem *from = rows;
    real *to = lanes;
    for (int v = 0; v < n; v = next_square(v + LANE_WIDTH, n)) {
        const int some = n - v < LANE_WIDTH ? n - v : LANE_WIDTH;
        real a[LANE_WIDTH];
        for (int k = 0; k < LANE_WIDTH; k++)
            a[k] = load_some(from + (size_t)k * stride + v, some);
        turn_over(a);
        for (int k = 0; k < some; k++)
            to[v + k] = a[k];
    }
}

static void from_lanes(int n, const void *lanes, void *rows, size_t stride) {
    const real *from = lanes;
    elem *to = rows;
    for (int v = 0; v < n; v = next_square(v + LANE_WIDTH, n)) {
        const int some = n - v < LANE_WIDTH ? n - v : LANE_WIDTH;
        real a[LANE_WIDTH];
        for (int k = 0; k < LANE_WIDTH; k++)
            a[k] = k < some ? from[v + k] : splat(0);
        turn_over(a);
        for (int k = 0; k < LANE_WIDTH; k++) {
            elem part[LANE_WIDTH];
            __builtin_memcpy(part, &a[k], sizeof part);
            copy_some(to + (size_t)k * stride + v, part, some);
        }
    }
}

/* n values from `first` on, on the way between two rows a lane. */
KERNEL void between(int first, int n, const void *const *a, const void *const *b, const elem *t, real *out) {
    for (int v = 0; v < n; v += LANE_WIDTH) {
        const int some = n - v < LANE_WIDTH ? n - v : LANE_WIDTH;
        real x[LANE_WIDTH];
        for (int k = 0; k < LANE_WIDTH; k++) {
            const real from = load_some((const elem *)a[k] + first + v, some);
            const real to = load_some((const elem *)b[k] + first + v, some);
            x[k] = from + t[k] * (to - from);
        }
        turn_over(x);
        for (int k = 0; k < some; k++)
            out[v + k] = x[k];
    }
}

static void follow(const sn__tree *tree_, const void *const *a, const void *const *b, const void *t,
                   const void *shift, void *target_q, void *target_qd) {
    const tree *tr = tree_;
    real *q = target_q;
    between(0, tr->nq, a, b, t, q);
    between(tr->nq, tr->nv, a, b, t, target_qd);
    for (int i = 0; i < tr->nbody; i++) {
        const tree_body *body = &tr->body[i];
        if (!has_rotation(body)) continue;
        real *w = q + body->q + (is_free(body) ? 3 : 0);
        const real f = R(1) / square_root(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
        for (int k = 0; k < 4; k++)
            w[k] = w[k] * f;
        if (i == 0 && is_free(body) && shift)
            vec_store(q + body->q, add(vec_load(q + body->q), vec_load(shift)));
    }
}

#endif
