/* The shortest way out of each other, for two convex cores, by an expanding polytope (van den Bergen, Proc. Game
 * Developers Conference 2001). The differences w = a_i - b_j span a convex set that has zero inside; the face of it that
 * is nearest to zero says along which normal the cores are least inside each other, and by how much. The polytope of a
 * few w grows at its nearest face: the w that is furthest along the face's normal m joins it, until there is none beyond
 * the face. Heights of zero below faces have signs, so that the first four need not hold zero between them. */
#include "collide/poly.h"

enum { CORNERS = 96, FACES = 192, SIDES = 96 };

struct face {
    int corner[3];
    double normal[3], offset; /* out; of zero below it */
};

struct polytope {
    const struct sn__hull *a, *b;
    double w[CORNERS][3], scale;
    int ia[CORNERS], ib[CORNERS], n;
    struct face face[FACES];
    int nface;
};

/* The w furthest along m joins; its height. */
static double add_furthest(struct polytope *p, const double m[3]) {
    const int i = sn__hull_furthest(p->a, m, 1), j = sn__hull_furthest(p->b, m, -1);
    double x[3], y[3];
    sn__hull_point(p->a, i, x);
    sn__hull_point(p->b, j, y);
    difference(x, y, p->w[p->n]);
    p->ia[p->n] = i, p->ib[p->n] = j;
    p->scale = most(p->scale, dvec_length(p->w[p->n]));
    return dvec_dot(m, p->w[p->n++]);
}

/* A face without area has no normal: it closes the polytope and is never asked. */
static void add_face(struct polytope *p, int i, int j, int k) {
    if (p->nface == FACES) return;
    struct face *f = &p->face[p->nface++];
    double u[3], v[3];
    *f = (struct face){{i, j, k}, {0, 0, 0}, HUGE_VAL};
    difference(p->w[j], p->w[i], u);
    difference(p->w[k], p->w[i], v);
    dvec_cross(u, v, f->normal);
    const double area = dvec_length(f->normal);
    if (!(area > 1e-14 * p->scale * p->scale)) return;
    for (int m = 0; m < 3; m++)
        f->normal[m] /= area;
    f->offset = dvec_dot(f->normal, p->w[i]);
}

/* Of the furthest along m and along -m, the one that is further from w[0]; it stays as the last. */
static void add_either(struct polytope *p, const double m[3]) {
    const double back[3] = {-m[0], -m[1], -m[2]}, here = dvec_dot(m, p->w[0]);
    const int k = p->n;
    const double high = add_furthest(p, m) - here, low = add_furthest(p, back) + here;
    if (low > high) {
        add_scaled(p->w[k + 1], 0, p->w[k + 1], p->w[k]);
        p->ia[k] = p->ia[k + 1], p->ib[k] = p->ib[k + 1];
    }
    p->n = k + 1;
}

/* A direction across u. */
static void across(const double u[3], double out[3]) {
    int k = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(u[i]) < fabs(u[k])) k = i;
    double axis[3] = {0, 0, 0};
    axis[k] = 1;
    dvec_cross(u, axis, out);
    dvec_normalise(out);
}

static void start(struct polytope *p) {
    double m[3] = {1, 0, 0}, u[3], v[3];
    add_furthest(p, m);
    add_either(p, m);
    difference(p->w[1], p->w[0], u);
    across(u, m);
    add_either(p, m);
    difference(p->w[2], p->w[0], v);
    dvec_cross(u, v, m);
    dvec_normalise(m);
    add_either(p, m);
    difference(p->w[3], p->w[0], v);
    const int flip = dvec_dot(m, v) > 0; /* the first three seen from the fourth */
    add_face(p, 0, flip ? 2 : 1, flip ? 1 : 2);
    add_face(p, 0, flip ? 1 : 3, flip ? 3 : 1);
    add_face(p, 1, flip ? 2 : 3, flip ? 3 : 2);
    add_face(p, 2, flip ? 0 : 3, flip ? 3 : 0);
}

static int nearest_face(const struct polytope *p) {
    int best = 0;
    for (int f = 1; f < p->nface; f++)
        if (p->face[f].offset < p->face[best].offset) best = f;
    return best;
}

/* A side of faces that go; two that go share none with the rest. */
static int toggle_side(int side[SIDES][2], int n, int from, int to) {
    for (int k = 0; k < n; k++)
        if (side[k][0] == to && side[k][1] == from) {
            side[k][0] = side[n - 1][0], side[k][1] = side[n - 1][1];
            return n - 1;
        }
    if (n < SIDES) side[n][0] = from, side[n][1] = to, n++;
    return n;
}

/* The last corner takes the place of all faces it is above, `nearest` at any rate. */
static void expand(struct polytope *p, int nearest) {
    int side[SIDES][2], n = 0, kept = 0;
    const double *w = p->w[p->n - 1];
    for (int f = 0; f < p->nface; f++) {
        const struct face *x = &p->face[f];
        if (f == nearest || dvec_dot(x->normal, w) - x->offset > 1e-13 * p->scale)
            for (int k = 0; k < 3; k++)
                n = toggle_side(side, n, x->corner[k], x->corner[(k + 1) % 3]);
        else
            p->face[kept++] = *x;
    }
    p->nface = kept;
    for (int k = 0; k < n; k++)
        add_face(p, side[k][0], side[k][1], p->n - 1);
}

/* Where the line from zero along the normal goes through the face: weights of its corners, none below 0. */
static void weigh(const struct polytope *p, const struct face *f, double weight[3]) {
    double foot[3], sum = 0;
    for (int k = 0; k < 3; k++)
        foot[k] = f->offset * f->normal[k];
    for (int k = 0; k < 3; k++) {
        double u[3], v[3], c[3];
        difference(p->w[f->corner[(k + 1) % 3]], foot, u);
        difference(p->w[f->corner[(k + 2) % 3]], foot, v);
        dvec_cross(u, v, c);
        weight[k] = most(0, dvec_dot(c, f->normal));
        sum += weight[k];
    }
    for (int k = 0; k < 3; k++)
        weight[k] = sum > 0 ? weight[k] / sum : 1.0 / 3;
}

static void add_corner(int *list, int *n, int corner) {
    for (int k = 0; k < *n; k++)
        if (list[k] == corner) return;
    list[(*n)++] = corner;
}

static void set_between(const struct polytope *p, const struct face *f, double height,
                        struct sn__between *out) {
    double weight[3], x[3];
    *out = (struct sn__between){.apart = -height};
    weigh(p, f, weight);
    for (int k = 0; k < 3; k++) {
        out->normal[k] = -f->normal[k];
        add_corner(out->a, &out->na, p->ia[f->corner[k]]);
        add_corner(out->b, &out->nb, p->ib[f->corner[k]]);
        sn__hull_point(p->a, p->ia[f->corner[k]], x);
        add_scaled(out->on_a, weight[k], x, out->on_a);
    }
}

void sn__cores_inside(const struct sn__hull *a, const struct sn__hull *b, struct sn__between *between) {
    struct polytope p = {.a = a, .b = b};
    start(&p);
    for (;;) {
        const int f = nearest_face(&p);
        const struct face nearest = p.face[f];
        const double height = add_furthest(&p, nearest.normal);
        if (height - nearest.offset <= 1e-12 * p.scale || p.n == CORNERS || p.nface > FACES - 8) {
            set_between(&p, &nearest, height, between);
            return;
        }
        expand(&p, f);
        if (p.nface == 0) { /* cannot be: there is always something behind */
            set_between(&p, &nearest, height, between);
            return;
        }
    }
}
