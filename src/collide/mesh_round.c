/* Spheres and capsules on a mesh. A part of the surface touches a ball where it is nearest among its neighbours: the face over
 * which the centre stands, or an edge or a corner that stands out and falls away from the centre on all sides. */
#include "collide/field.h"
#include "collide/mesh.h"

enum { MIDDLE = 2 }; /* part of a capsule; 0 and 1 are its ends */
static const double LEANS =
    0.02; /* slope by which ground may rise against the middle of a capsule that lies on it */

struct round_solid {
    const struct sn__mesh *mesh;
    const struct sn__geom *geom;
    double radius, size; /* size: of rounding */
    struct sn__bag bag;
    struct sn__mesh_leaves leaves;
};

/* A ball around c, with the normal along d, which leads from the surface to c. */
static void add_along(struct round_solid *s, const double c[3], const double d[3], uint32_t feature) {
    const double length = dvec_length(d), normal[3] = {d[0] / length, d[1] / length, d[2] / length};
    bag_add_ball(&s->bag, c, s->radius, normal, length, feature);
}

static bool is_near(const struct round_solid *s, const double d[3]) {
    const double reach = s->radius + s->bag.margin, square = dvec_dot(d, d);
    return reach > 0 && square < reach * reach && square > s->size * s->size;
}

/* A triangle that a ball's centre is behind, if it may be pushed out through it: not far behind, or what the ball is part of
   is in front. */
static bool is_behind(const struct round_solid *s, int triangle, double above) {
    return above > -0.5 * s->radius ||
           (above > -2 * s->radius && sn__mesh_above(s->mesh, triangle, s->geom->pos) > 0);
}

static void ball_edges(struct round_solid *s, const double c[3], int part, int triangle) {
    const struct sn__mesh_triangle *t = &s->mesh->triangle[triangle];
    for (int k = 0; k < 3 && (t->edges | t->corners); k++) {
        double q[3], d[3];
        if (t->edges >> k & 1) {
            const struct sn__segment edge = sn__mesh_edge(s->mesh, triangle, k);
            const double u = sn__segment_nearest(&edge, c);
            segment_at(&edge, u, q);
            difference(c, q, d);
            if (fabs(u) < 1 && is_near(s, d) && sn__mesh_edge_faces(s->mesh, triangle, k, d, 1e-9))
                add_along(s, c, d, sn__mesh_out_feature(triangle, k, part));
        }
        if (!(t->corners >> k & 1)) continue;
        difference(c, s->mesh->vertex[t->corner[k]], d);
        if (is_near(s, d) && sn__mesh_corner_faces(s->mesh, t->corner[k], d, 1e-9))
            add_along(s, c, d, sn__mesh_out_feature(t->corner[k], 3, part));
    }
}

static void touch_ball(struct round_solid *s, const double c[3], int part) {
    struct sn__mesh_walk walk = {.mesh = s->mesh, .leaves = &s->leaves};
    const double reach = s->radius + s->bag.margin;
    double shallowest = -HUGE_VAL;
    int behind = -1;
    bool in_front = false;
    for (int k = 0; k < 3; k++)
        walk.box.min[k] = c[k] - reach, walk.box.max[k] = c[k] + reach;
    for (int t; (t = sn__mesh_next(&walk)) >= 0;) {
        const double above = sn__mesh_above(s->mesh, t, c);
        if (above >= reach) continue;
        if (sn__mesh_over(s->mesh, t, c, above, s->size + 1e-6 * fabs(above), s->size)) {
            const double *normal = s->mesh->triangle[t].normal;
            if (above >= 0)
                bag_add_ball(&s->bag, c, s->radius, normal, above, sn__mesh_face_feature(part, normal));
            in_front |= above >= 0;
            if (above < 0 && above > shallowest && is_behind(s, t, above)) shallowest = above, behind = t;
        }
        ball_edges(s, c, part, t);
    }
    if (behind < 0 || in_front) return;
    const double *normal = s->mesh->triangle[behind].normal;
    bag_add_ball(&s->bag, c, s->radius, normal, shallowest, sn__mesh_face_feature(part, normal));
}

/* ---------------------------------------------------------------------------- between the ends of a capsule */

static double lowest_along(const void *solid, const double n[3]) {
    const struct sn__geom *g = ((const struct round_solid *)solid)->geom;
    const double along[3] = {g->R[0][2], g->R[1][2], g->R[2][2]};
    return dvec_dot(n, g->pos) - fabs(dvec_dot(n, along)) * g->size[1] - g->size[0];
}

/* The axis and an edge that stands out: across both, away from the ground, even where the axis has sunk below the edge. */
static void axis_edge(struct round_solid *s, const struct sn__segment *axis, int triangle, int side) {
    const struct sn__segment edge = sn__mesh_edge(s->mesh, triangle, side);
    double t, u, c[3], q[3], d[3], n[3], out[3];
    const uint32_t feature = sn__mesh_out_feature(triangle, side, MIDDLE);
    sn__segments_nearest(axis, &edge, &t, &u);
    if (fabs(t) >= 1 || fabs(u) >= 1) return;
    segment_at(axis, t, c);
    segment_at(&edge, u, q);
    difference(c, q, d);
    dvec_cross(axis->half, edge.half, n);
    const double length = dvec_length(n);
    if (length < 1e-3 * dvec_length(axis->half) * dvec_length(edge.half)) {
        if (is_near(s, d) && sn__mesh_edge_faces(s->mesh, triangle, side, d, LEANS))
            add_along(s, c, d, feature);
        return;
    }
    sn__mesh_edge_out(s->mesh, triangle, side, out);
    const double sign = sign_of(dvec_dot(n, out)) / length;
    for (int k = 0; k < 3; k++)
        n[k] *= sign;
    const double distance = dvec_dot(d, n);
    if (distance > -2 * s->radius && distance < s->radius + s->bag.margin &&
        sn__mesh_edge_faces(s->mesh, triangle, side, n, LEANS) &&
        (distance > s->radius ||
         !sn__mesh_face_is_nearer(s->mesh, triangle, side, s->radius - distance, lowest_along, s)))
        bag_add_ball(&s->bag, c, s->radius, n, distance, feature);
}

static void axis_corner(struct round_solid *s, const struct sn__segment *axis, int corner) {
    const double *q = s->mesh->vertex[corner], t = sn__segment_nearest(axis, q);
    double c[3], d[3];
    if (fabs(t) >= 1) return;
    segment_at(axis, t, c);
    difference(c, q, d);
    if (is_near(s, d) && sn__mesh_corner_faces(s->mesh, corner, d, LEANS))
        add_along(s, c, d, sn__mesh_out_feature(corner, 3, MIDDLE));
}

static void touch_axis(struct round_solid *s, const struct sn__geom *a, const struct sn__segment *axis) {
    struct sn__mesh_walk walk = {.mesh = s->mesh, .box = sn__geom_bounds(a), .leaves = &s->leaves};
    for (int k = 0; k < 3; k++)
        walk.box.min[k] -= s->bag.margin, walk.box.max[k] += s->bag.margin;
    for (int t; (t = sn__mesh_next(&walk)) >= 0;) {
        const struct sn__mesh_triangle *x = &s->mesh->triangle[t];
        for (int k = 0; k < 3 && (x->edges | x->corners); k++) {
            if (x->edges >> k & 1) axis_edge(s, axis, t, k);
            if (x->corners >> k & 1) axis_corner(s, axis, x->corner[k]);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------ */

/* False: there is nothing near. */
static bool begin(struct round_solid *s, const struct sn__geom *a, const struct sn__geom *b, double margin,
                  struct sn__touch *touch) {
    s->mesh = b->mesh, s->geom = a, s->radius = a->size[0];
    s->size = 1e-9 * sn__geom_reach(a);
    s->bag = (struct sn__bag){touch, 0, margin, s->size};
    sn__mesh_gather(s->mesh, a, margin, &s->leaves);
    return s->leaves.n != 0;
}

int sn__sphere_mesh(const struct sn__geom *a, const struct sn__geom *b, double margin,
                    struct sn__touch touch[SN__MOST_TOUCHES]) {
    struct round_solid s;
    if (!begin(&s, a, b, margin, touch)) return 0;
    touch_ball(&s, a->pos, 0);
    return s.bag.n;
}

int sn__capsule_mesh(const struct sn__geom *a, const struct sn__geom *b, double margin,
                     struct sn__touch touch[SN__MOST_TOUCHES]) {
    struct round_solid s;
    if (!begin(&s, a, b, margin, touch)) return 0;
    const struct sn__segment axis = capsule_axis(a);
    for (int end = 0; end < 2; end++) {
        double c[3];
        segment_at(&axis, end ? 1 : -1, c);
        touch_ball(&s, c, end);
    }
    if (a->size[1] > 0) touch_axis(&s, a, &axis);
    return s.bag.n;
}
