/* A box on a height field: corners of the box over triangles, grid points under faces of the box, edges
   over edges. */
#include "collide/field.h"

/* Features: corners of the box 0..7; then 40 a grid point: the point itself 0, its edges 1 + 12 kind +
   edge of box. */
enum { CORNERS = 8, A_POINT = 40 };

/* A box, and the twelve edges of it in the world. */
struct on_field {
    const struct sn__geom *box;
    const struct sn__patch *patch;
    struct sn__segment edge[12];
    struct sn__bag bag;
};

/* Up through the triangle above, or the distance from the plane of the triangle below. */
static void touch_corners(struct on_field *s) {
    const struct sn__geom *g = s->box;
    for (uint32_t corner = 0; corner < 8; corner++) {
        double x[3], p[3];
        for (int i = 0; i < 3; i++)
            x[i] = corner >> i & 1 ? g->size[i] : -g->size[i];
        rotate(g->R, x, p);
        add_scaled(p, 1, g->pos, p);
        sn__bag_add_corner(&s->bag, s->patch->field, p, corner);
    }
}

/* A grid point against the lower face of the box that it is over or under, if the ground around the point
   falls away from that face. Straight up and down, so that lifting the box changes nothing but the gap. */
static void touch_point(struct on_field *s, int i, int j) {
    const struct sn__geom *g = s->box;
    const struct sn__field *f = s->patch->field;
    const double *up = g->R[2], *h = g->size; /* up, in the frame of the box */
    double q[3], d[3], x[3], normal[3], on_a[3];
    field_point(f, i, j, q);
    difference(q, g->pos, d);
    rotate_back(g->R, d, x);
    for (int k = 0; k < 3; k++) {
        double side = up[k] > 0 ? -1 : 1, gap = side * x[k] - h[k];
        int l = (k + 1) % 3, m = (k + 2) % 3;
        if (gap >= s->bag.margin || fabs(up[k]) < 1e-3) continue;
        double rise = gap / fabs(up[k]);
        if (fabs(x[l] + rise * up[l]) > h[l] || fabs(x[m] + rise * up[m]) > h[m]) continue;
        for (int n = 0; n < 3; n++)
            normal[n] = -side * g->R[n][k];
        if (!sn__field_point_faces(f, i, j, q, normal, true)) continue;
        struct sn__touch touch;
        add_scaled(q, gap, normal, on_a);
        set_touch(&touch, on_a, normal, gap, CORNERS + field_number(f, i, j) * A_POINT);
        sn__bag_add(&s->bag, &touch);
        return;
    }
}

/* Is the way d one that leads out of the box at this edge? Edge e runs along axis e / 4. */
static bool is_below_edge(const struct sn__geom *g, int e, const double d[3]) {
    double x[3];
    int k = e / 4, l = (k + 1) % 3, m = (k + 2) % 3;
    rotate_back(g->R, d, x);
    return (e & 2 ? x[l] : -x[l]) >= -1e-9 && (e & 1 ? x[m] : -x[m]) >= -1e-9;
}

/* An edge of the box and an edge of the ground that cross, seen from above. */
static void touch_edge(struct on_field *s, const struct sn__field_edge *edge, int e, uint32_t feature) {
    double n[3];
    if (!sn__field_edge_crossed(&s->edge[e], edge, n)) return;
    const double down[3] = {-n[0], -n[1], -n[2]};
    if (is_below_edge(s->box, e, down)) sn__bag_add_crossing(&s->bag, &s->edge[e], edge, n, feature);
}

static void set_edges(struct on_field *s) {
    const struct sn__geom *g = s->box;
    for (int e = 0; e < 12; e++) {
        int k = e / 4, l = (k + 1) % 3, m = (k + 2) % 3;
        double x[3];
        x[k] = 0, x[l] = e & 2 ? g->size[l] : -g->size[l], x[m] = e & 1 ? g->size[m] : -g->size[m];
        rotate(g->R, x, s->edge[e].centre);
        add_scaled(s->edge[e].centre, 1, g->pos, s->edge[e].centre);
        for (int i = 0; i < 3; i++)
            s->edge[e].half[i] = g->R[i][k] * g->size[k];
    }
}

int sn__box_field(const struct sn__geom *a, const struct sn__geom *b, double margin,
                  struct sn__touch touch[SN__MOST_TOUCHES]) {
    const struct sn__field *f = b->field;
    struct sn__patch p;
    struct on_field s = {.box = a, .patch = &p};
    if (!sn__field_meets(a, f, margin, touch, &p, &s.bag)) return 0;
    set_edges(&s);
    touch_corners(&s);
    for (int j = p.j0; j <= p.j1; j++)
        for (int i = p.i0; i <= p.i1; i++) {
            touch_point(&s, i, j);
            for (int kind = 0; kind < SN__FIELD_EDGES; kind++) {
                struct sn__field_edge edge;
                if (!sn__field_edge(f, i, j, kind, &edge)) continue;
                uint32_t feature = CORNERS + field_number(f, i, j) * A_POINT + 1 + (uint32_t)kind * 12;
                for (int e = 0; e < 12; e++)
                    touch_edge(&s, &edge, e, feature + (uint32_t)e);
            }
        }
    return s.bag.n;
}
