/* A hull on a plane, and on a height field: its vertices over triangles, grid points under its faces, edges over edges, as
   field_box.c has it for boxes. */
#include "collide/field.h"
#include "collide/spread.h"
#include "model/hull.h"

/* ---------------------------------------------------------------------------------------------------- planes */

static void set_vertex(const struct sn__geom *g, const double normal[3], int vertex, double gap,
                       struct sn__touch *touch) {
    double p[3];
    rotate(g->R, g->hull->vertex[vertex], p);
    add_scaled(p, 1, g->pos, p);
    set_touch(touch, p, normal, gap, (uint32_t)vertex);
}

/* Vertices nearer than the margin. Where they are more than a few, those within a band above the lowest; and of these,
   where they are still too many, the ones furthest out. */
int sn__hull_plane(const struct sn__geom *a, const struct sn__geom *b, double margin,
                   struct sn__touch touch[SN__MOST_TOUCHES]) {
    const struct sn_hull *h = a->hull;
    double normal[3], up[3], d[3], lowest = HUGE_VAL;
    int near = 0, n = 0, number[SN__SPREAD];
    column(b->R, 2, normal);
    rotate_back(a->R, normal, up);
    difference(a->pos, b->pos, d);
    const double middle = dvec_dot(normal, d);
    if (middle - h->reach >= margin) return 0;
    for (int i = 0; i < h->info.nvertex; i++) {
        const double gap = middle + dvec_dot(up, h->vertex[i]);
        lowest = least(lowest, gap);
        near += gap < margin;
    }
    if (near > SN__SPREAD) {
        margin = least(margin, lowest + 0.1 * h->inner);
        near = 0;
        for (int i = 0; i < h->info.nvertex; i++)
            near += middle + dvec_dot(up, h->vertex[i]) < margin;
    }
    if (near > SN__SPREAD) {
        static const double own[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        struct sn__spread spread;
        sn__spread_start(&spread, up, own, 1e-6 * h->reach);
        for (int i = 0; i < h->info.nvertex; i++)
            if (middle + dvec_dot(up, h->vertex[i]) < margin) sn__spread_offer(&spread, h->vertex[i], i);
        near = sn__spread_take(&spread, number);
        for (; n < near; n++)
            set_vertex(a, normal, number[n], middle + dvec_dot(up, h->vertex[number[n]]), &touch[n]);
        return n;
    }
    for (int i = 0; i < h->info.nvertex && n < near; i++) {
        const double gap = middle + dvec_dot(up, h->vertex[i]);
        if (gap < margin) set_vertex(a, normal, i, gap, &touch[n++]);
    }
    return n;
}

/* --------------------------------------------------------------------------------------------- height fields */

/* A hull over cells of a field. */
struct on_field {
    const struct sn__geom *g;
    const struct sn__patch *patch;
    struct sn__bag bag;
};

/* Features: vertices; then those of grid points and edges, by a hash with the highest bit set. */
static uint32_t feature_of(uint32_t point, uint32_t what) {
    uint32_t hash = (point ^ UINT32_C(2166136261)) * UINT32_C(16777619);
    hash = ((hash ^ what) * UINT32_C(2654435761)) ^ hash >> 15;
    return UINT32_C(0x80000000) | hash >> 2;
}

static void vertex_of(const struct sn__geom *g, int i, double p[3]) {
    rotate(g->R, g->hull->vertex[i], p);
    add_scaled(p, 1, g->pos, p);
}

/* Up through the triangle above, or the distance from the plane of the triangle below. */
static void touch_vertices(struct on_field *s) {
    for (int i = 0; i < s->g->hull->info.nvertex; i++) {
        double p[3];
        vertex_of(s->g, i, p);
        sn__bag_add_corner(&s->bag, s->patch->field, p, (uint32_t)i);
    }
}

/* A grid point against the lower face of the hull that it is over or under, if the ground around the point falls away
   from that face. Along z a hull reaches from the highest of its lower planes to the lowest of its upper ones. */
static void touch_point(struct on_field *s, int i, int j) {
    const struct sn_hull *h = s->g->hull;
    const double *up = s->g->R[2]; /* in the frame of the hull */
    double q[3], d[3], x[3], normal[3], on_a[3], low = -HUGE_VAL, high = HUGE_VAL;
    int face = -1;
    field_point(s->patch->field, i, j, q);
    difference(q, s->g->pos, d);
    rotate_back(s->g->R, d, x);
    for (int f = 0; f < h->info.nface; f++) {
        const struct sn__hull_plane *p = &h->plane[f];
        const double rise = dvec_dot(p->normal, up), left = p->offset - dvec_dot(p->normal, x);
        if (fabs(rise) < 1e-9) {
            if (left < 0) return;
            continue;
        }
        if (rise > 0) high = least(high, left / rise);
        if (rise < 0 && left / rise > low) low = left / rise, face = f;
    }
    if (face < 0 || low > high || fabs(dvec_dot(h->plane[face].normal, up)) < 1e-3) return;
    const double gap = dvec_dot(h->plane[face].normal, x) - h->plane[face].offset;
    if (gap >= s->bag.margin) return;
    rotate(s->g->R, h->plane[face].normal, normal);
    for (int n = 0; n < 3; n++)
        normal[n] = -normal[n];
    if (!sn__field_point_faces(s->patch->field, i, j, q, normal, true)) return;
    struct sn__touch touch;
    add_scaled(q, gap, normal, on_a);
    set_touch(&touch, on_a, normal, gap, feature_of(field_number(s->patch->field, i, j), 0));
    sn__bag_add(&s->bag, &touch);
}

/* Is d, a direction in the world, one that leads out of the hull at this edge? */
static bool is_below_edge(const struct on_field *s, int e, const double d[3]) {
    const struct sn_hull *h = s->g->hull;
    double x[3], along[3];
    rotate_back(s->g->R, d, x);
    /* out where it is between the normals of the two faces: across neither face's side of the other */
    difference(h->vertex[h->edge[e].to], h->vertex[h->edge[e].from], along);
    const double *left = h->plane[h->edge[e].left].normal, *right = h->plane[h->edge[e].right].normal;
    double in_left[3], in_right[3];
    dvec_cross(left, along, in_left);   /* into the left face, from the edge */
    dvec_cross(along, right, in_right); /* into the right one */
    const double level = 1e-9 * dvec_length(along);
    return dvec_dot(in_left, x) <= level && dvec_dot(in_right, x) <= level;
}

/* An edge of the hull and an edge of the ground that cross, seen from above. */
static void touch_edge(struct on_field *s, const struct sn__segment *a, const struct sn__field_edge *edge,
                       int e, uint32_t feature) {
    double n[3];
    if (!sn__field_edge_crossed(a, edge, n)) return;
    const double down[3] = {-n[0], -n[1], -n[2]};
    if (is_below_edge(s, e, down)) sn__bag_add_crossing(&s->bag, a, edge, n, feature);
}

static void touch_edges(struct on_field *s) {
    const struct sn_hull *h = s->g->hull;
    const struct sn__field *f = s->patch->field;
    const double *up = s->g->R[2];
    for (int e = 0; e < h->nedge; e++) {
        if (dvec_dot(h->plane[h->edge[e].left].normal, up) > 0 &&
            dvec_dot(h->plane[h->edge[e].right].normal, up) > 0)
            continue; /* above */
        struct sn__segment a;
        struct sn__box box;
        struct sn__patch under;
        double p[3], q[3];
        vertex_of(s->g, h->edge[e].from, p);
        vertex_of(s->g, h->edge[e].to, q);
        for (int k = 0; k < 3; k++) {
            a.centre[k] = 0.5 * (p[k] + q[k]), a.half[k] = 0.5 * (q[k] - p[k]);
            box.min[k] = least(p[k], q[k]), box.max[k] = most(p[k], q[k]);
        }
        if (!sn__patch_under(f, &box, s->bag.margin, &under)) continue;
        for (int j = under.j0; j <= under.j1; j++)
            for (int i = under.i0; i <= under.i1; i++)
                for (int kind = 0; kind < SN__FIELD_EDGES; kind++) {
                    struct sn__field_edge edge;
                    if (!sn__field_edge(f, i, j, kind, &edge)) continue;
                    touch_edge(s, &a, &edge, e,
                               feature_of(field_number(f, i, j), 1 + (uint32_t)(3 * e + kind)));
                }
    }
}

int sn__hull_field(const struct sn__geom *a, const struct sn__geom *b, double margin,
                   struct sn__touch touch[SN__MOST_TOUCHES]) {
    struct sn__patch p;
    struct on_field s = {.g = a, .patch = &p};
    if (!sn__field_meets(a, b->field, margin, touch, &p, &s.bag)) return 0;
    touch_vertices(&s);
    for (int j = p.j0; j <= p.j1; j++)
        for (int i = p.i0; i <= p.i1; i++)
            touch_point(&s, i, j);
    touch_edges(&s);
    return s.bag.n;
}
