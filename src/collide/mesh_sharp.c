/* Boxes and hulls on a mesh: corners of the solid over triangles, corners of the ground under faces of the solid, edges across
 * edges. Of the ground only what stands out counts, so that a box on many level triangles rests on its own corners. */
#include "collide/field.h"
#include "collide/mesh.h"
#include "collide/poly.h"
#include "collide/walk.h"

static const double LEANS = 0.02; /* slope by which ground may rise against something flat that lies on it */
enum { MOST_BEHIND = 8 };

struct sharp_solid {
    const struct sn__mesh *mesh;
    const struct sn__geom *geom;
    struct sn__poly poly;
    double depth; /* what is deeper in the ground is not pushed out */
    struct sn__mesh_leaves leaves;
    struct sn__bag bag;
};

static double lowest_along(const void *solid, const double n[3]) {
    const struct sn__hull *core = &((const struct sharp_solid *)solid)->poly.core;
    double p[3];
    sn__hull_point(core, sn__hull_furthest(core, n, -1), p);
    return dvec_dot(n, p);
}

/* A point p of the solid and a point q of the ground that are apart, if they are the nearest of the solid's. */
static void add_nearest(struct sharp_solid *s, const double p[3], const double q[3], uint32_t feature) {
    double d[3];
    difference(p, q, d);
    const double length = dvec_length(d);
    if (length >= s->bag.margin || length <= s->bag.same) return;
    for (int k = 0; k < 3; k++)
        d[k] /= length;
    if (lowest_along(s, d) < dvec_dot(d, p) - s->bag.same) return;
    struct sn__touch touch;
    set_touch(&touch, p, d, length, feature);
    sn__bag_add(&s->bag, &touch);
}

/* -------------------------------------------------------------------------------------- corners of the solid */

/* The triangles that a corner is behind, and how far. */
struct behind {
    int n, triangle[MOST_BEHIND];
    double above[MOST_BEHIND];
};

static void add_corner(struct sharp_solid *s, int corner, const double p[3], int triangle, double above) {
    const double *normal = s->mesh->triangle[triangle].normal;
    struct sn__touch touch;
    set_touch(&touch, p, normal, above, sn__mesh_face_feature(corner, normal));
    sn__bag_add(&s->bag, &touch);
}

/* Is the middle of one triangle behind the plane of another? */
static bool lies_behind(const struct sharp_solid *s, int one, int other) {
    const struct sn__mesh_triangle *t = &s->mesh->triangle[one];
    double middle[3], square = 0;
    for (int i = 0; i < 3; i++) {
        middle[i] = 0;
        for (int k = 0; k < 3; k++)
            middle[i] += s->mesh->vertex[t->corner[k]][i] / 3;
        square +=
            (middle[i] - s->mesh->vertex[t->corner[0]][i]) * (middle[i] - s->mesh->vertex[t->corner[0]][i]);
    }
    return sn__mesh_above(s->mesh, other, middle) < -1e-6 * sqrt(square);
}

/* A corner that is behind two triangles goes out through both where they are floor and wall, and through the nearer one where
   they meet in an edge that stands out. */
static void add_behind(struct sharp_solid *s, int corner, const double p[3], const struct behind *b) {
    for (int i = 0; i < b->n; i++) {
        bool nearer = false;
        for (int j = 0; j < b->n; j++)
            nearer |= b->above[j] > b->above[i] && lies_behind(s, b->triangle[j], b->triangle[i]);
        if (!nearer) add_corner(s, corner, p, b->triangle[i], b->above[i]);
    }
}

/* The corner before an edge or a corner of the ground that stands out. */
static void corner_before(struct sharp_solid *s, int corner, const double p[3], int triangle) {
    const struct sn__mesh_triangle *t = &s->mesh->triangle[triangle];
    double q[3], d[3];
    if (!(t->edges | t->corners)) return;
    for (int k = 0; k < 3; k++) {
        if (t->edges >> k & 1) {
            const struct sn__segment edge = sn__mesh_edge(s->mesh, triangle, k);
            const double u = sn__segment_nearest(&edge, p);
            segment_at(&edge, u, q);
            difference(p, q, d);
            if (fabs(u) < 1 && sn__mesh_edge_faces(s->mesh, triangle, k, d, 1e-9))
                add_nearest(s, p, q, sn__mesh_out_feature(triangle, k, -1 - corner));
        }
        if (!(t->corners >> k & 1)) continue;
        difference(p, s->mesh->vertex[t->corner[k]], d);
        if (sn__mesh_corner_faces(s->mesh, t->corner[k], d, 1e-9))
            add_nearest(s, p, s->mesh->vertex[t->corner[k]],
                        sn__mesh_out_feature(t->corner[k], 3, -1 - corner));
    }
}

static void touch_corner(struct sharp_solid *s, int corner) {
    struct sn__mesh_walk walk = {.mesh = s->mesh, .leaves = &s->leaves};
    struct behind behind = {.n = 0};
    const double size = s->bag.same, reach = most(s->bag.margin, s->depth);
    double p[3];
    sn__hull_point(&s->poly.core, corner, p);
    for (int k = 0; k < 3; k++)
        walk.box.min[k] = p[k] - reach, walk.box.max[k] = p[k] + reach;
    for (int t; (t = sn__mesh_next(&walk)) >= 0;) {
        const double above = sn__mesh_above(s->mesh, t, p), hollow = s->bag.margin + 4 * fabs(above);
        if (above >= s->bag.margin || above < -s->depth) continue;
        corner_before(s, corner, p, t);
        if (!sn__mesh_over(s->mesh, t, p, above, size + 1e-6 * fabs(above), above < 0 ? hollow : size))
            continue;
        if (above >= 0) {
            add_corner(s, corner, p, t, above);
        } else if (behind.n < MOST_BEHIND && sn__mesh_above(s->mesh, t, s->geom->pos) > 0) {
            behind.triangle[behind.n] = t;
            behind.above[behind.n++] = above;
        }
    }
    add_behind(s, corner, p, &behind);
}

/* ------------------------------------------------------------------------------------- corners of the ground */

/* Is x within all faces but one, up to rounding? */
static bool is_within(const struct sharp_solid *s, const double x[3], int except) {
    for (int f = 0; f < s->poly.nface; f++) {
        double normal[3];
        const double offset = sn__poly_plane(&s->poly, f, normal);
        if (f != except && dvec_dot(normal, x) - offset > s->bag.same) return false;
    }
    return true;
}

/* A corner of the ground and the face of the solid that is nearest to it, or that it is least behind. `falling`: if the ground
   around it falls away from the face. */
static void touch_ground_corner(struct sharp_solid *s, int corner, bool falling) {
    const double *q = s->mesh->vertex[corner];
    double normal[3], on_a[3], gap = -HUGE_VAL;
    int face = -1;
    for (int f = 0; f < s->poly.nface; f++) {
        double n[3];
        const double offset = sn__poly_plane(&s->poly, f, n), above = dvec_dot(n, q) - offset;
        if (above <= gap) continue;
        gap = above, face = f;
        for (int k = 0; k < 3; k++)
            normal[k] = -n[k];
    }
    if (face < 0 || gap >= s->bag.margin || gap < -s->depth) return;
    add_scaled(q, gap, normal, on_a);
    if (!is_within(s, on_a, face)) return;
    if (falling ? !sn__mesh_corner_faces(s->mesh, corner, normal, LEANS) : gap >= 0) return;
    struct sn__touch touch;
    set_touch(&touch, on_a, normal, gap, sn__mesh_out_feature(corner, 3, 0));
    sn__bag_add(&s->bag, &touch);
}

/* ---------------------------------------------------------------------------------------------- edges on edges */

/* Does d, across an edge of the solid, lead out between its two faces? */
static bool leads_out(const struct sharp_solid *s, int edge, const double along[3], const double d[3]) {
    double left[3], right[3], x[3];
    sn__poly_plane(&s->poly, s->poly.edge[edge].left, left);
    sn__poly_plane(&s->poly, s->poly.edge[edge].right, right);
    dvec_cross(left, right, x);
    const double way = sign_of(dvec_dot(x, along)), level = -1e-9 * dvec_length(along);
    dvec_cross(left, d, x);
    if (way * dvec_dot(x, along) < level) return false;
    dvec_cross(d, right, x);
    return way * dvec_dot(x, along) >= level;
}

static struct sn__segment solid_edge(const struct sharp_solid *s, int edge) {
    struct sn__segment own;
    double p[3], q[3];
    sn__hull_point(&s->poly.core, s->poly.edge[edge].from, p);
    sn__hull_point(&s->poly.core, s->poly.edge[edge].to, q);
    for (int k = 0; k < 3; k++)
        own.centre[k] = 0.5 * (p[k] + q[k]), own.half[k] = 0.5 * (q[k] - p[k]);
    return own;
}

static void touch_edge(struct sharp_solid *s, const struct sn__segment *ground, int triangle, int side,
                       int edge) {
    const struct sn__segment own = solid_edge(s, edge);
    double p[3], q[3], n[3], out[3], t, u;
    dvec_cross(own.half, ground->half, n);
    const double length = dvec_length(n);
    if (length < 1e-6 * dvec_length(own.half) * dvec_length(ground->half)) return;
    sn__segments_nearest(&own, ground, &t, &u);
    if (fabs(t) >= 1 || fabs(u) >= 1) return;
    sn__mesh_edge_out(s->mesh, triangle, side, out);
    const double sign = sign_of(dvec_dot(n, out)) / length;
    for (int k = 0; k < 3; k++)
        n[k] *= sign;
    segment_at(&own, t, p);
    segment_at(ground, u, q);
    double w[3];
    difference(p, q, w);
    const double gap = dvec_dot(w, n), back[3] = {-n[0], -n[1], -n[2]};
    if (gap >= s->bag.margin || gap < -s->depth || !leads_out(s, edge, own.half, back) ||
        !sn__mesh_edge_faces(s->mesh, triangle, side, n, LEANS))
        return;
    if (gap < 0 && sn__mesh_face_is_nearer(s->mesh, triangle, side, -gap, lowest_along, s)) return;
    struct sn__touch touch;
    set_touch(&touch, p, n, gap, sn__mesh_out_feature(triangle, side, 1 + edge));
    sn__bag_add(&s->bag, &touch);
}

/* An edge of the solid before a corner of the ground. */
static void edge_before(struct sharp_solid *s, int corner, int edge) {
    const struct sn__segment own = solid_edge(s, edge);
    const double *q = s->mesh->vertex[corner], u = sn__segment_nearest(&own, q);
    double p[3], d[3];
    segment_at(&own, u, p);
    difference(p, q, d);
    if (fabs(u) < 1 && sn__mesh_corner_faces(s->mesh, corner, d, 1e-9))
        add_nearest(s, p, q, sn__mesh_out_feature(corner, 3, 1 + edge));
}

static void touch_ground(struct sharp_solid *s) {
    struct sn__mesh_walk walk = {.mesh = s->mesh, .box = sn__geom_bounds(s->geom), .leaves = &s->leaves};
    for (int k = 0; k < 3; k++)
        walk.box.min[k] -= s->bag.margin, walk.box.max[k] += s->bag.margin;
    for (int t; (t = sn__mesh_next(&walk)) >= 0;) {
        const struct sn__mesh_triangle *x = &s->mesh->triangle[t];
        for (int k = 0; k < 3 && (x->edges | x->corners); k++) {
            const bool corner = x->corners >> k & 1;
            if (corner) touch_ground_corner(s, x->corner[k], true);
            for (int e = 0; e < s->poly.nedge && corner; e++)
                edge_before(s, x->corner[k], e);
            if (!(x->edges >> k & 1)) continue;
            const struct sn__segment edge = sn__mesh_edge(s->mesh, t, k);
            for (int e = 0; e < s->poly.nedge; e++)
                touch_edge(s, &edge, t, k, e);
        }
    }
}

/* ------------------------------------------------------------------------------------------ edges through faces */

/* The part of an edge of the solid that is over a triangle; false: none is. */
static bool clip_edge(const struct sn__mesh *m, int triangle, const struct sn__segment *own, double t[2]) {
    const struct sn__mesh_triangle *x = &m->triangle[triangle];
    t[0] = -1, t[1] = 1;
    for (int k = 0; k < 3; k++) {
        const double *from = m->vertex[x->corner[k]], *to = m->vertex[x->corner[(k + 1) % 3]];
        double along[3], d[3], outwards[3];
        difference(to, from, along);
        difference(own->centre, from, d);
        dvec_cross(along, x->normal, outwards);
        if (!narrow(dvec_dot(outwards, d), dvec_dot(outwards, own->half), -HUGE_VAL, 0, t)) return false;
    }
    return true;
}

/* The point of an edge of the solid that is deepest behind a triangle and over it; false: none is behind. */
static bool deepest_on(const struct sharp_solid *s, int triangle, int edge, double p[3], double *above) {
    const struct sn__segment own = solid_edge(s, edge);
    const double lean = dvec_dot(s->mesh->triangle[triangle].normal, own.half);
    double t[2];
    if (sn__mesh_above(s->mesh, triangle, own.centre) - fabs(lean) > s->bag.same)
        return false; /* all of it */
    if (!clip_edge(s->mesh, triangle, &own, t)) return false;
    segment_at(&own, lean < 0 ? t[1] : t[0], p);
    *above = sn__mesh_above(s->mesh, triangle, p);
    return *above < 0;
}

/* Can a point of the box be over the triangle and at most `deep` behind it? Such a point is within `deep` of the triangle. */
static bool is_beside(const struct sn__mesh *m, const struct sn__mesh_triangle *t, const struct sn__box *box,
                      double deep) {
    for (int k = 0; k < 3; k++) {
        const double a = m->vertex[t->corner[0]][k], b = m->vertex[t->corner[1]][k],
                     c = m->vertex[t->corner[2]][k];
        if (least(a, least(b, c)) - deep > box->max[k] || most(a, most(b, c)) + deep < box->min[k])
            return false;
    }
    return true;
}

/* How deep the edges of the solid, which is in `box`, are behind a triangle, as a negative height; 0: they are not. */
static double edges_behind(const struct sharp_solid *s, const struct sn__box *box, int triangle) {
    double lowest = 0, above, p[3];
    const struct sn__mesh_triangle *t = &s->mesh->triangle[triangle];
    if (!(sn__mesh_above(s->mesh, triangle, s->geom->pos) > 0)) return 0;
    const double low = lowest_along(s, t->normal) - dvec_dot(t->normal, s->mesh->vertex[t->corner[0]]);
    if (low >= 0 || !is_beside(s->mesh, t, box, 2 * s->bag.same - low)) return 0;
    for (int e = 0; e < s->poly.nedge; e++)
        if (deepest_on(s, triangle, e, p, &above)) lowest = least(lowest, above);
    return lowest;
}

static void touch_corners_inside(struct sharp_solid *s) {
    struct sn__mesh_walk walk = {.mesh = s->mesh, .box = sn__geom_bounds(s->geom), .leaves = &s->leaves};
    for (int t; (t = sn__mesh_next(&walk)) >= 0;)
        for (int k = 0; k < 3; k++)
            if (s->mesh->triangle[t].corners >> k & 1)
                touch_ground_corner(s, s->mesh->triangle[t].corner[k], false);
}

/* Where no corner is behind anything, and no edges cross, edges of the solid may still go through a face: then out through the
   face that is least deep. Last, a corner of the ground may be inside the solid. */
static void touch_pierced(struct sharp_solid *s) {
    struct sn__mesh_walk walk = {.mesh = s->mesh, .box = sn__geom_bounds(s->geom), .leaves = &s->leaves};
    double shallowest = -s->depth, above, p[3];
    int best = -1;
    for (int i = 0; i < s->bag.n; i++)
        if (s->bag.touch[i].gap < 0) return;
    for (int t; (t = sn__mesh_next(&walk)) >= 0;) {
        const double deep = edges_behind(s, &walk.box, t);
        if (deep < 0 && deep > shallowest) shallowest = deep, best = t;
    }
    if (best < 0) {
        touch_corners_inside(s);
        return;
    }
    for (int e = 0; e < s->poly.nedge; e++) {
        struct sn__touch touch;
        if (!deepest_on(s, best, e, p, &above)) continue;
        set_touch(&touch, p, s->mesh->triangle[best].normal, above, sn__mesh_out_feature(best, 3, 1 + e));
        sn__bag_add(&s->bag, &touch);
    }
}

int sn__sharp_mesh(const struct sn__geom *a, const struct sn__geom *b, double margin,
                   struct sn__touch touch[SN__MOST_TOUCHES]) {
    static const double origin[3];
    struct sharp_solid s;
    s.mesh = b->mesh, s.geom = a, s.depth = 2 * sn__geom_inner(a);
    sn__mesh_gather(s.mesh, a, most(margin, s.depth), &s.leaves);
    if (!s.leaves.n) return 0;
    s.bag = (struct sn__bag){touch, 0, margin, 1e-9 * sn__geom_reach(a)};
    sn__poly_of(a, origin, &s.poly);
    for (int i = 0; i < s.poly.core.n; i++)
        touch_corner(&s, i);
    touch_ground(&s);
    touch_pierced(&s);
    return s.bag.n;
}
