/* Curves that a point is held on: straight or cubic pieces between points, and the nearest place of one of them, found by
 * way of a tree of boxes in O(log n). Nothing is remembered from step to step. */
#include <math.h>
#include <string.h>

#include "base/definition.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/quat.h"
#include "world/guide.h"

enum { MOST_POINTS = 1000000 };

/* ------------------------------------------------------------------------------------------------- pieces */

/* A cubic with its ends and their tangents: Hermite's form. */
struct piece {
    const double *p0, *p1, *m0, *m1; /* m NULL: straight */
};

static struct piece piece_of(const struct sn__guide *g, int i) {
    const int j = i + 1 == g->n ? 0 : i + 1;
    return (struct piece){g->point + 3 * i, g->point + 3 * j, g->tangent ? g->tangent + 3 * i : NULL,
                          g->tangent ? g->tangent + 3 * j : NULL};
}

/* Place and first two derivatives at s, 0 to 1. */
static void cubic_at(const struct piece *c, double s, double x[3], double v[3], double a[3]) {
    const double r = 1 - s;
    for (int k = 0; k < 3; k++) {
        const double d = c->p1[k] - c->p0[k], m0 = c->m0[k], m1 = c->m1[k];
        x[k] = c->p0[k] + s * s * (3 - 2 * s) * d + s * r * (r * m0 - s * m1);
        v[k] = 6 * s * r * d + r * (1 - 3 * s) * m0 - s * (2 - 3 * s) * m1;
        a[k] = 6 * (1 - 2 * s) * d - (4 - 6 * s) * m0 + (6 * s - 2) * m1;
    }
}

/* The best place so far. */
struct nearest {
    double x[3];             /* whose nearest place it is */
    double distance2;        /* infinity at first */
    double place[3], dir[3]; /* dir need not be of unit length */
};

static void offer(struct nearest *n, const double place[3], const double dir[3]) {
    const double d[3] = {n->x[0] - place[0], n->x[1] - place[1], n->x[2] - place[2]};
    const double distance2 = dvec_dot(d, d);
    if (distance2 < n->distance2) {
        n->distance2 = distance2;
        memcpy(n->place, place, sizeof n->place);
        memcpy(n->dir, dir, sizeof n->dir);
    }
}

/* From p along dir, between the parts `from` and `to` of it. */
static void try_line(struct nearest *n, const double p[3], const double dir[3], double from, double to) {
    const double d[3] = {n->x[0] - p[0], n->x[1] - p[1], n->x[2] - p[2]}, length2 = dvec_dot(dir, dir);
    const double s = length2 > 0 ? fmax(from, fmin(to, dvec_dot(d, dir) / length2)) : 0;
    const double place[3] = {p[0] + s * dir[0], p[1] + s * dir[1], p[2] + s * dir[2]};
    offer(n, place, dir);
}

/* Newton's method on the slope (p(s) - x) . p'(s) = 0, which is sharp where the distance is flat, from the nearest of nine
   places. */
static void try_cubic(struct nearest *n, const struct piece *c) {
    double p[3], v[3], a[3], best = INFINITY, s = 0, last = INFINITY;
    for (int i = 0; i <= 8; i++) {
        cubic_at(c, i / 8.0, p, v, a);
        const double d[3] = {p[0] - n->x[0], p[1] - n->x[1], p[2] - n->x[2]}, distance2 = dvec_dot(d, d);
        if (distance2 < best) best = distance2, s = i / 8.0;
    }
    const double start = s;
    for (int i = 0; i < 16; i++) {
        cubic_at(c, s, p, v, a);
        const double d[3] = {p[0] - n->x[0], p[1] - n->x[1], p[2] - n->x[2]};
        const double slope = dvec_dot(d, v), speed2 = dvec_dot(v, v), bend = speed2 + dvec_dot(d, a);
        const double next = fmax(0, fmin(1, s - slope / fmax(bend, 0.1 * speed2 + 1e-300)));
        if (next == s || !(fabs(slope) < last)) break;
        last = fabs(slope), s = next;
    }
    cubic_at(c, s, p, v, a);
    const double d[3] = {p[0] - n->x[0], p[1] - n->x[1], p[2] - n->x[2]};
    if (dvec_dot(d, d) > best * (1 + 1e-12)) cubic_at(c, start, p, v, a);
    offer(n, p, v);
}

static void try_piece(const struct sn__guide *g, struct nearest *n, int i) {
    const struct piece c = piece_of(g, i);
    if (c.m0) {
        try_cubic(n, &c);
        return;
    }
    const double dir[3] = {c.p1[0] - c.p0[0], c.p1[1] - c.p0[1], c.p1[2] - c.p0[2]};
    try_line(n, c.p0, dir, 0, 1);
}

/* The first and last parts of an open curve, beyond its ends. */
static void try_ends(const struct sn__guide *g, struct nearest *n) {
    const struct piece first = piece_of(g, 0), last = piece_of(g, g->pieces - 1);
    double out[3], on[3];
    for (int k = 0; k < 3; k++) {
        out[k] = first.m0 ? first.m0[k] : first.p1[k] - first.p0[k];
        on[k] = last.m1 ? last.m1[k] : last.p1[k] - last.p0[k];
    }
    try_line(n, first.p0, out, -INFINITY, 0);
    try_line(n, last.p1, on, 0, INFINITY);
}

/* ------------------------------------------------------------------------------------------------ the tree */

static double box_distance2(const double *box, const double x[3]) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const double out = fmax(0, fmax(box[k] - x[k], x[k] - box[3 + k]));
        sum += out * out;
    }
    return sum;
}

static void search(const struct sn__guide *g, struct nearest *n, int node) {
    if (node >= g->leaves) {
        if (node - g->leaves < g->pieces) try_piece(g, n, node - g->leaves);
        return;
    }
    const int a = 2 * node, b = a + 1;
    const double to_a = box_distance2(g->box + 6 * a, n->x), to_b = box_distance2(g->box + 6 * b, n->x);
    const int near = to_b < to_a ? b : a;
    if (fmin(to_a, to_b) < n->distance2) search(g, n, near);
    if (fmax(to_a, to_b) < n->distance2) search(g, n, a + b - near);
}

void sn__curve_nearest(const struct sn__guide *g, const double x[3], double place[3], double tangent[3]) {
    struct nearest n = {{x[0], x[1], x[2]}, INFINITY, {0, 0, 0}, {0, 0, 1}};
    if (!g->closed) try_ends(g, &n);
    search(g, &n, 1);
    memcpy(place, n.place, sizeof n.place);
    memcpy(tangent, n.dir, sizeof n.dir);
    if (!dvec_normalise(tangent)) tangent[0] = tangent[1] = 0, tangent[2] = 1;
}

/* What a cubic is made of in Bezier's form: it lies between those points. */
static void box_of_piece(const struct sn__guide *g, int i, double box[6]) {
    const struct piece c = piece_of(g, i);
    for (int k = 0; k < 3; k++) {
        const double b = c.m0 ? c.p0[k] + c.m0[k] / 3 : c.p0[k], d = c.m1 ? c.p1[k] - c.m1[k] / 3 : c.p1[k];
        box[k] = fmin(fmin(c.p0[k], c.p1[k]), fmin(b, d));
        box[3 + k] = fmax(fmax(c.p0[k], c.p1[k]), fmax(b, d));
    }
}

static bool make_tree(struct sn__guide *g) {
    g->leaves = 1;
    while (g->leaves < g->pieces)
        g->leaves *= 2;
    g->box = sn__alloc(2 * (size_t)g->leaves, 6 * sizeof *g->box);
    if (!g->box) return false;
    for (int node = 2 * g->leaves - 1; node >= 1; node--) {
        double *box = g->box + 6 * node;
        if (node >= g->leaves) {
            for (int k = 0; k < 3; k++)
                box[k] = INFINITY, box[3 + k] = -INFINITY;
            if (node - g->leaves < g->pieces) box_of_piece(g, node - g->leaves, box);
            continue;
        }
        for (int k = 0; k < 3; k++) {
            box[k] = fmin(g->box[12 * node + k], g->box[12 * node + 6 + k]);
            box[3 + k] = fmax(g->box[12 * node + 3 + k], g->box[12 * node + 9 + k]);
        }
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ making one */

static sn_status check(const sn_curve_def *d, sn_error *error) {
    if (!d) return sn__fail(error, SN_ERROR_ARGUMENT, "the constraint has no curve");
    if (d->npoint < 2 || d->npoint > MOST_POINTS || (d->closed && d->npoint < 3))
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "a curve of %d points: it needs 2 to %d, 3 where it is closed", d->npoint,
                        MOST_POINTS);
    if (!d->points == !d->sample)
        return sn__fail(error, SN_ERROR_ARGUMENT, "a curve needs either points or a function");
    if (d->sample && !(d->end > d->start && isfinite(d->start) && isfinite(d->end)))
        return sn__fail(error, SN_ERROR_ARGUMENT, "the function of a curve needs from < to, not %g and %g",
                        d->start, d->end);
    return SN_OK;
}

/* Points and tangents of a function; the derivative by s becomes one by the number of the point. */
static void sample(struct sn__guide *g, const sn_curve_def *d) {
    const double step = (d->end - d->start) / g->pieces;
    for (int i = 0; i < g->n; i++) {
        double *m = g->tangent + 3 * i;
        d->sample(d->user, d->start + i * step, g->point + 3 * i, m);
        for (int k = 0; k < 3; k++)
            m[k] *= step;
    }
}

/* Half the chord between the neighbours; at an open end the chord to the one there is. */
static void guess_tangents(struct sn__guide *g) {
    for (int i = 0; i < g->n; i++) {
        const bool ends = !g->closed && (i == 0 || i == g->n - 1);
        const int before = i > 0       ? i - 1
                           : g->closed ? g->n - 1
                                       : 0,
                  after = i < g->n - 1 ? i + 1
                          : g->closed  ? 0
                                       : g->n - 1;
        for (int k = 0; k < 3; k++)
            g->tangent[3 * i + k] = (ends ? 1 : 0.5) * (g->point[3 * after + k] - g->point[3 * before + k]);
    }
}

/* Every number finite, and no two neighbours in one place. */
static sn_status check_points(const struct sn__guide *g, sn_error *error) {
    for (int i = 0; i < 3 * g->n; i++)
        if (!(fabs(g->point[i]) < 1e100) || (g->tangent && !(fabs(g->tangent[i]) < 1e100)))
            return sn__fail(error, SN_ERROR_ARGUMENT, "point %d of the curve is not finite", i / 3);
    for (int i = 0; i < g->pieces; i++) {
        const struct piece c = piece_of(g, i);
        if (c.p0[0] == c.p1[0] && c.p0[1] == c.p1[1] && c.p0[2] == c.p1[2])
            return sn__fail(error, SN_ERROR_ARGUMENT, "points %d and %d of the curve are in one place", i,
                            (i + 1) % g->n);
    }
    return SN_OK;
}

static sn_status fill(struct sn__guide *g, const sn_curve_def *d, sn_error *error) {
    const size_t bytes = 3 * (size_t)g->n * sizeof *g->point;
    g->point = sn__alloc(bytes, 1);
    const bool smooth = d->smooth || d->sample;
    if (smooth) g->tangent = sn__alloc(bytes, 1);
    if (!g->point || (smooth && !g->tangent))
        return sn__fail(error, SN_ERROR_MEMORY, "no memory for a curve of %d points", g->n);
    if (d->sample)
        sample(g, d);
    else
        memcpy(g->point, d->points, bytes);
    if (smooth && !d->sample && d->tangents)
        memcpy(g->tangent, d->tangents, bytes);
    else if (smooth && !d->sample)
        guess_tangents(g);
    if (check_points(g, error)) return error->status;
    if (!make_tree(g)) return sn__fail(error, SN_ERROR_MEMORY, "no memory for a curve of %d points", g->n);
    g->hash = sn__hash(g->point, bytes, g->closed ? 2 : 1);
    if (g->tangent) g->hash = sn__hash(g->tangent, bytes, g->hash);
    return SN_OK;
}

struct sn__guide *sn__guide_of_curve(const sn_curve_def *def, sn_error *error) {
    sn_curve_def own;
    if (def && !sn__definition_take("sn_curve_def", def, &own, error)) return NULL;
    if (check(def = def ? &own : NULL, error)) return NULL;
    struct sn__guide *g = sn__guide_new("curve", error);
    if (!g) return NULL;
    g->curve = true;
    g->n = def->npoint, g->closed = def->closed;
    g->pieces = g->closed ? g->n : g->n - 1;
    if (!fill(g, def, error)) return g;
    sn__guide_free(g);
    return NULL;
}
