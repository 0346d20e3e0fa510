/* Spheres and capsules on a height field. A point of the surface touches where it is nearest among its
   neighbours: then flat ground made of many triangles is as smooth as a plane, and a valley holds a ball
   from both sides. */
#include "collide/field.h"

/* Features: 18 a grid point: 6 kinds (the point, its edges, the triangles of its cell), 3 parts of a
   capsule. */
enum { AT_POINT = 0, AT_EDGE = 1, AT_TRIANGLE = 4 };

/* The solid: a segment, or a point where that is enough. */
struct round_solid {
    const struct sn__patch *patch;
    double radius, scale;
    struct sn__bag *bag;
};

static uint32_t feature_of(const struct round_solid *s, int i, int j, int kind, int part) {
    return field_number(s->patch->field, i, j) * 18 + (uint32_t)(kind * 3 + part);
}

/* The ball around c against the point q of the surface. All that faces up has d upwards. */
static void add_nearest(struct round_solid *s, const double c[3], const double d[3], uint32_t feature) {
    double distance = dvec_length(d), normal[3] = {0, 0, 1};
    if (distance > SN__NO_LENGTH * s->scale)
        for (int k = 0; k < 3; k++)
            normal[k] = d[k] / distance;
    bag_add_ball(s->bag, c, s->radius, normal, distance, feature);
}

static bool is_near(const struct round_solid *s, const double d[3]) {
    double reach = s->radius + s->bag->margin;
    return d[2] >= 0 && reach > 0 && dvec_dot(d, d) < reach * reach;
}

/* The part of the surface's features at grid point (i, j) that a ball touches. */
static void ball_point(struct round_solid *s, const double c[3], int part, int i, int j) {
    double q[3], d[3];
    field_point(s->patch->field, i, j, q);
    difference(c, q, d);
    if (is_near(s, d) && sn__field_point_faces(s->patch->field, i, j, q, d, false))
        add_nearest(s, c, d, feature_of(s, i, j, AT_POINT, part));
}

static void ball_edge(struct round_solid *s, const double c[3], int part, int i, int j, int kind) {
    struct sn__field_edge edge;
    double q[3], d[3];
    if (!sn__field_edge(s->patch->field, i, j, kind, &edge)) return;
    double t = sn__segment_nearest(&edge.line, c);
    if (fabs(t) >= 1) return;
    segment_at(&edge.line, t, q);
    difference(c, q, d);
    if (is_near(s, d) && sn__field_edge_faces(&edge, q, d, false))
        add_nearest(s, c, d, feature_of(s, i, j, AT_EDGE + kind, part));
}

/* The triangles of the cell at (i, j): the foot of c on the plane must lie in the triangle. With the
   slopes g the plane is across (-g_x, -g_y, 1). */
static void ball_triangle(struct round_solid *s, const double c[3], int part, int i, int j, int upper) {
    const struct sn__field *f = s->patch->field;
    const double *h = f->height + (size_t)j * (size_t)f->nx + i;
    double first = upper ? h[f->nx] : h[1], last = h[f->nx + 1];
    double gx = (upper ? last - first : first - h[0]) / f->step[0];
    double gy = (upper ? first - h[0] : last - first) / f->step[1];
    double x = c[0] - (f->origin[0] + i * f->step[0]), y = c[1] - (f->origin[1] + j * f->step[1]);
    double rise = c[2] - f->origin[2] - h[0] - gx * x - gy * y; /* straight up */
    double squared = 1 + gx * gx + gy * gy, reach = s->radius + s->bag->margin, slack = 1e-12;
    if (rise < 0 || rise * rise >= reach * reach * squared) return;
    double u = (x + gx * rise / squared) / f->step[0], v = (y + gy * rise / squared) / f->step[1];
    double low = upper ? u : v, high = upper ? v : u;
    if (low < -slack || high < low - slack || high > 1 + slack) return;
    double length = sqrt(squared), normal[3] = {-gx / length, -gy / length, 1 / length};
    bag_add_ball(s->bag, c, s->radius, normal, rise / length, feature_of(s, i, j, AT_TRIANGLE + upper, part));
}

/* A ball whose centre is in the ground goes up through the triangle above it. */
static bool ball_below(struct round_solid *s, const double c[3], int part) {
    double normal[3], above;
    uint32_t triangle;
    if (!sn__field_triangle(s->patch->field, c, normal, &above, &triangle)) return false;
    if (above > SN__NO_LENGTH * s->scale) return false;
    uint32_t kind = AT_TRIANGLE + triangle % 2;
    bag_add_ball(s->bag, c, s->radius, normal, above, triangle / 2 * 18 + kind * 3 + (uint32_t)part);
    return true;
}

static void touch_ball(const struct round_solid *solid, const double c[3], int part) {
    struct sn__box bounds;
    struct sn__patch p;
    for (int k = 0; k < 3; k++) {
        bounds.min[k] = c[k] - solid->radius;
        bounds.max[k] = c[k] + solid->radius;
    }
    if (!sn__patch_under(solid->patch->field, &bounds, solid->bag->margin, &p)) return;
    struct round_solid s = *solid;
    s.patch = &p;
    if (ball_below(&s, c, part)) return;
    for (int j = p.j0; j <= p.j1; j++)
        for (int i = p.i0; i <= p.i1; i++) {
            for (int upper = 0; upper < 2 && i < p.i1 && j < p.j1; upper++)
                ball_triangle(&s, c, part, i, j, upper);
            for (int kind = 0; kind < SN__FIELD_EDGES; kind++)
                ball_edge(&s, c, part, i, j, kind);
            ball_point(&s, c, part, i, j);
        }
}

/* ---------------------------------------------------------------------------- between the ends of a capsule */

enum { MIDDLE = 2 }; /* the part; 0 and 1 are the ends */

static bool is_below(const struct sn__field *f, const double p[3]) {
    double normal[3], above;
    uint32_t triangle;
    return sn__field_triangle(f, p, normal, &above, &triangle) && above < 0;
}

static void axis_point(struct round_solid *s, const struct sn__segment *axis, int i, int j) {
    const struct sn__field *f = s->patch->field;
    double q[3], c[3], d[3];
    field_point(f, i, j, q);
    double t = sn__segment_nearest(axis, q);
    if (fabs(t) >= 1) return;
    segment_at(axis, t, c);
    difference(c, q, d);
    if (is_near(s, d) && sn__field_point_faces(f, i, j, q, d, true) && !is_below(f, c))
        add_nearest(s, c, d, feature_of(s, i, j, AT_POINT, MIDDLE));
}

/* The axis dips under an edge that stands out: up, across both. */
static bool axis_under_edge(struct round_solid *s, const struct sn__segment *axis,
                            const struct sn__field_edge *edge, uint32_t feature) {
    double t, u, c[3], q[3], n[3], w[3];
    if (!crossing_from_above(axis, &edge->line, &t, &u)) return false;
    segment_at(axis, t, c);
    segment_at(&edge->line, u, q);
    if (c[2] > q[2]) return false;
    dvec_cross(axis->half, edge->line.half, n);
    double scale = sign_of(n[2]) / dvec_length(n);
    for (int k = 0; k < 3; k++)
        n[k] *= scale;
    if (!sn__field_edge_faces(edge, q, n, true)) return true;
    difference(c, q, w);
    bag_add_ball(s->bag, c, s->radius, n, dvec_dot(w, n), feature);
    return true;
}

static void axis_edge(struct round_solid *s, const struct sn__segment *axis, int i, int j, int kind) {
    const struct sn__field *f = s->patch->field;
    struct sn__field_edge edge;
    double t, u, c[3], q[3], d[3];
    uint32_t feature = feature_of(s, i, j, AT_EDGE + kind, MIDDLE);
    if (!sn__field_edge(f, i, j, kind, &edge)) return;
    if (axis_under_edge(s, axis, &edge, feature)) return;
    sn__segments_nearest(axis, &edge.line, &t, &u);
    if (fabs(t) >= 1 || fabs(u) >= 1) return;
    segment_at(axis, t, c);
    segment_at(&edge.line, u, q);
    difference(c, q, d);
    if (is_near(s, d) && sn__field_edge_faces(&edge, q, d, true) && !is_below(f, c))
        add_nearest(s, c, d, feature);
}

static void touch_axis(struct round_solid *s, const struct sn__segment *axis) {
    const struct sn__patch *p = s->patch;
    for (int j = p->j0; j <= p->j1; j++)
        for (int i = p->i0; i <= p->i1; i++) {
            for (int kind = 0; kind < SN__FIELD_EDGES; kind++)
                axis_edge(s, axis, i, j, kind);
            axis_point(s, axis, i, j);
        }
}

/*
   ------------------------------------------------------------------------------------------------------------ */

static int touch_round(const struct sn__geom *a, const struct sn__geom *b, const struct sn__segment *axis,
                       double margin, struct sn__touch *touch) {
    struct sn__box bounds = sn__geom_bounds(a);
    struct sn__patch patch;
    if (!sn__patch_under(b->field, &bounds, margin, &patch)) return 0;
    double scale = sn__geom_reach(a) + b->field->step[0] + b->field->step[1];
    struct sn__bag bag = {touch, 0, margin, 1e-9 * scale};
    struct round_solid s = {&patch, a->size[0], scale, &bag};
    if (!axis) {
        touch_ball(&s, a->pos, 0);
        return bag.n;
    }
    for (int end = 0; end < 2; end++) {
        double c[3];
        segment_at(axis, end ? 1 : -1, c);
        touch_ball(&s, c, end);
    }
    touch_axis(&s, axis);
    return bag.n;
}

int sn__sphere_field(const struct sn__geom *a, const struct sn__geom *b, double margin,
                     struct sn__touch touch[SN__MOST_TOUCHES]) {
    return touch_round(a, b, 0, margin, touch);
}

int sn__capsule_field(const struct sn__geom *a, const struct sn__geom *b, double margin,
                      struct sn__touch touch[SN__MOST_TOUCHES]) {
    struct sn__segment axis = capsule_axis(a);
    return touch_round(a, b, a->size[1] > 0 ? &axis : 0, margin, touch);
}
