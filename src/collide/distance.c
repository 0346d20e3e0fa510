/* The distance of two convex hulls by the algorithm of Gilbert, Johnson and Keerthi (IEEE J. Robotics and
   Automation 4, 1988). The differences w = a_i - b_j of all points of the hulls span a convex set; its point v
   nearest to zero is as long as the hulls are far apart. v is sought among the simplices of up to four w: the
   nearest point of one simplex gives a direction n = v / |v|, and the w that is lowest along n joins the
   simplex. Two facts hold at every step, however badly rounding treats the simplex: v lies in the set, so
   |v| is not below the distance; and n . w of the lowest w is not above it. */
#include "collide/distance.h"

#include <string.h>

#include "model/hull.h"

void sn__hull_of(const struct sn__geom *g, const double origin[3], struct sn__hull *hull) {
    double centre[3], half[3][3];
    int axes = g->type == SN__GEOM_BOX ? 3 : g->type == SN__GEOM_CAPSULE ? 1 : 0;
    difference(g->pos, origin, centre);
    hull->of = NULL;
    if (g->type == SN__GEOM_HULL) {
        hull->n = g->hull->info.nvertex, hull->radius = 0, hull->of = g->hull;
        memcpy(hull->R, g->R, sizeof hull->R);
        memcpy(hull->at, centre, sizeof hull->at);
        return;
    }
    for (int k = 0; k < axes; k++)
        for (int i = 0; i < 3; i++)
            half[k][i] = axes == 3 ? g->size[k] * g->R[i][k] : g->size[1] * g->R[i][2];
    hull->n = 1 << axes;
    hull->radius = axes == 3 ? 0 : g->size[0];
    for (int corner = 0; corner < hull->n; corner++) {
        double *p = hull->point[corner];
        add_scaled(centre, 0, centre, p);
        for (int k = 0; k < axes; k++)
            add_scaled(p, corner >> k & 1 ? 1 : -1, half[k], p);
    }
}

void sn__hull_point(const struct sn__hull *hull, int i, double out[3]) {
    if (hull->of) {
        rotate(hull->R, hull->of->vertex[i], out);
        add_scaled(out, 1, hull->at, out);
    } else {
        memcpy(out, hull->point[i], sizeof hull->point[i]);
    }
}

/* -------------------------------------------------------------- the point of a simplex that is nearest to zero */

/* A point of the simplex: the sum of weight[k] times corner[k]. */
struct inside {
    int n, corner[4];
    double weight[4], squared; /* length */
};

/* The foot of zero on the line, plane or point of the corners; false: it is not between them. On a line,
   a + t u with t = -a.u / u.u; on a plane with n = u x v the weights are n.(v x a) / n.n of b and
   n.(a x u) / n.n of c. */
static bool foot(double w[4][3], struct inside *x) {
    const double *a = w[x->corner[0]], *b = w[x->corner[1]], *c = w[x->corner[2]];
    double u[3], v[3], n[3], va[3], au[3];
    x->weight[0] = 1;
    if (x->n == 1) return true;
    difference(b, a, u);
    if (x->n == 2) {
        x->weight[1] = -dvec_dot(a, u) / dvec_dot(u, u);
        x->weight[0] = 1 - x->weight[1];
        return x->weight[1] > 0 && x->weight[0] > 0; /* false as well for 0 / 0 */
    }
    difference(c, a, v);
    dvec_cross(u, v, n);
    dvec_cross(v, a, va);
    dvec_cross(a, u, au);
    double nn = dvec_dot(n, n);
    x->weight[1] = dvec_dot(n, va) / nn;
    x->weight[2] = dvec_dot(n, au) / nn;
    x->weight[0] = 1 - x->weight[1] - x->weight[2];
    return x->weight[0] > 0 && x->weight[1] > 0 && x->weight[2] > 0;
}

static void weigh(double w[4][3], const struct inside *x, double out[3]) {
    out[0] = out[1] = out[2] = 0;
    for (int k = 0; k < x->n; k++)
        add_scaled(out, x->weight[k], w[x->corner[k]], out);
}

/* The nearest point lies between some of the corners: try all choices of up to three, fewest first. */
static struct inside nearest_of(double w[4][3], int n) {
    struct inside best = {.squared = HUGE_VAL};
    for (int count = 1; count <= 3 && count <= n; count++)
        for (unsigned chosen = 1; chosen < 1u << n; chosen++) {
            struct inside x = {0};
            double v[3];
            for (int k = 0; k < n; k++)
                if (chosen >> k & 1) x.corner[x.n++] = k;
            if (x.n != count || !foot(w, &x)) continue;
            weigh(w, &x, v);
            x.squared = dvec_dot(v, v);
            if (x.squared < best.squared) best = x;
        }
    return best;
}

/* ------------------------------------------------------------------------------------------------ the iteration */

/* The two hulls, and the corners of the simplex as points. */
struct search {
    const struct sn__hull *a, *b;
    const double *shift;
    struct sn__simplex *simplex;
    double w[4][3], scale;
};

static void set_corner(struct search *s, int k, int i, int j) {
    s->simplex->a[k] = i, s->simplex->b[k] = j;
    double p[3], q[3];
    sn__hull_point(s->a, i, p);
    sn__hull_point(s->b, j, q);
    for (int m = 0; m < 3; m++)
        s->w[k][m] = p[m] + s->shift[m] - q[m];
    s->scale = most(s->scale, dvec_length(s->w[k]));
}

/* Up from neighbour to neighbour, as far as it goes; the function is linear and the hull convex, so that the last is the
   furthest of all. */
static int climb(const struct sn_hull *h, const double n[3]) {
    int best = 0;
    double value = dvec_dot(n, h->vertex[0]);
    for (int from = -1; from != best;) {
        from = best;
        for (int k = h->near_first[from]; k < h->near_first[from + 1]; k++) {
            const double other = dvec_dot(n, h->vertex[h->near[k]]);
            if (other > value) best = h->near[k], value = other;
        }
    }
    return best;
}

static int furthest_of(const struct sn_hull *h, const double n[3]) {
    enum { MANY = 40 };
    if (h->info.nvertex > MANY) return climb(h, n);
    int best = 0;
    double value = dvec_dot(n, h->vertex[0]);
    for (int k = 1; k < h->info.nvertex; k++) {
        const double other = dvec_dot(n, h->vertex[k]);
        if (other > value) best = k, value = other;
    }
    return best;
}

int sn__hull_furthest(const struct sn__hull *h, const double n[3], double sign) {
    if (h->of) {
        const double along[3] = {sign * n[0], sign * n[1], sign * n[2]};
        double own[3];
        rotate_back(h->R, along, own);
        return furthest_of(h->of, own);
    }
    int best = 0;
    double value = sign * dvec_dot(n, h->point[0]);
    for (int k = 1; k < h->n; k++) {
        double other = sign * dvec_dot(n, h->point[k]);
        if (other > value) best = k, value = other;
    }
    return best;
}

static bool has_corner(const struct sn__simplex *s, int i, int j) {
    for (int k = 0; k < s->n; k++)
        if (s->a[k] == i && s->b[k] == j) return true;
    return false;
}

/* Only the corners that the nearest point lies between stay. */
static void keep_corners(struct search *s, struct inside *x) {
    for (int k = 0; k < x->n; k++) {
        set_corner(s, k, s->simplex->a[x->corner[k]], s->simplex->b[x->corner[k]]);
        x->corner[k] = k;
    }
    s->simplex->n = x->n;
}

static void set_nearest(const struct search *s, const struct inside *x, struct sn__apart *apart) {
    double p[3] = {0, 0, 0};
    for (int k = 0; k < x->n; k++) {
        double q[3];
        sn__hull_point(s->b, s->simplex->b[k], q);
        add_scaled(p, x->weight[k], q, p);
    }
    add_scaled(p, s->b->radius, apart->normal, apart->on_b);
}

/* One direction: what it says about the gap, and the corner that it asks for. False: nothing new. */
static bool look_along(struct search *s, const double v[3], double length, struct sn__apart *apart) {
    double n[3] = {v[0] / length, v[1] / length, v[2] / length};
    int i = sn__hull_furthest(s->a, n, -1), j = sn__hull_furthest(s->b, n, 1), last = s->simplex->n;
    bool known = has_corner(s->simplex, i, j);
    set_corner(s, last, i, j); /* there is room: v lies between three at most */
    double low = dvec_dot(n, s->w[last]), gap = low - s->a->radius - s->b->radius;
    if (gap > apart->gap) {
        apart->gap = gap;
        for (int m = 0; m < 3; m++)
            apart->normal[m] = n[m];
    }
    return !known && length - low > 1e-15 * s->scale;
}

void sn__hulls_apart(const struct sn__hull *a, const double shift[3], const struct sn__hull *b,
                     struct sn__simplex *simplex, struct sn__apart *apart) {
    struct search s = {.a = a, .b = b, .shift = shift, .simplex = simplex};
    struct inside x = {.squared = HUGE_VAL};
    *apart = (struct sn__apart){.gap = -HUGE_VAL};
    if (simplex->n == 0) simplex->n = 1, simplex->a[0] = 0, simplex->b[0] = 0;
    for (int k = 0; k < simplex->n; k++)
        set_corner(&s, k, simplex->a[k], simplex->b[k]);
    for (int step = 0; step < 100; step++) {
        double v[3], before = x.squared;
        struct inside next = nearest_of(s.w, simplex->n);
        if (next.squared >= before) { /* by rounding, or because zero is inside the tetrahedron */
            simplex->n--;
            break;
        }
        x = next;
        keep_corners(&s, &x);
        weigh(s.w, &x, v);
        apart->length = dvec_length(v);
        if (apart->length <= 1e-14 * s.scale || !look_along(&s, v, apart->length, apart)) break;
        simplex->n++;
    }
    double meet = -a->radius - b->radius;
    if (!(apart->gap > meet)) { /* no direction has the hulls apart: zero is in the set */
        apart->gap = meet;
        apart->length = 0;
    }
    set_nearest(&s, &x, apart);
}
