/* When a moving shape meets another. The distance of two convex solids, one of which moves in a straight line,
   is a convex function of t. Newton's method from its left side, t += gap / closing speed along the normal,
   therefore never goes too far (conservative advancement), and ends at the first contact. A height field is the
   union of the columns under its triangles, a mesh that of its triangles: whichever is met first. */
#include "collide/cast.h"
#include "collide/distance.h"
#include "collide/mesh.h"
#include "collide/shape.h"
#include "collide/walk.h"

/* Two solids in the frame of where the first of them starts. */
struct advance {
    struct sn__hull moving, still;
    double way[3];
    double near; /* a gap that is contact */
    double size; /* of both */
};

static double near_of(double size, const double centre[3], const double way[3]) {
    return SN__CAST_NEAR * (size + 1e-5 * (dvec_length(centre) + dvec_length(way)));
}

/* The first contact for t0 <= t <= t1. hit->pos is in the frame of the advance. A normal of zero: they meet from
   the start. */
static bool advance(const struct advance *s, double t0, double t1, struct sn__hit *hit) {
    struct sn__simplex simplex = {0};
    struct sn__apart apart;
    double t = t0, shift[3], normal[3] = {0, 0, 0};
    for (int step = 0; step < 1000; step++) {
        for (int i = 0; i < 3; i++)
            shift[i] = t * s->way[i];
        sn__hulls_apart(&s->moving, shift, &s->still, &simplex, &apart);
        /* a way so short has no exact direction any more: the last one stays */
        if (apart.length > 1e-7 * s->size || (apart.length > 0 && step == 0))
            add_scaled(apart.normal, 0, apart.normal, normal);
        if (apart.gap <= s->near) break;
        double speed = -dvec_dot(s->way, apart.normal);
        if (!(speed > 0 && apart.gap <= speed * (t1 - t))) return false;
        t += apart.gap / speed;
    }
    hit->t = t;
    add_scaled(apart.on_b, 0, apart.on_b, hit->pos);
    add_scaled(normal, 0, normal, hit->normal);
    return true;
}

static bool meet_convex(const struct sn__geom *moving, const double way[3], const struct sn__geom *g,
                        struct sn__hit *hit) {
    struct advance s;
    double d[3];
    sn__hull_of(moving, moving->pos, &s.moving);
    sn__hull_of(g, moving->pos, &s.still);
    difference(g->pos, moving->pos, d);
    add_scaled(way, 0, way, s.way);
    s.size = sn__geom_reach(moving) + sn__geom_reach(g);
    s.near = near_of(s.size, d, way);
    if (!advance(&s, 0, 1, hit)) return false;
    add_scaled(hit->pos, 1, moving->pos, hit->pos);
    return true;
}

static bool meet_plane(const struct sn__geom *moving, const double way[3], const struct sn__geom *g,
                       struct sn__hit *hit) {
    double low[3], d[3];
    column(g->R, 2, hit->normal);
    sn__lowest_point(moving, hit->normal, low);
    difference(low, g->pos, d);
    double gap = dvec_dot(hit->normal, d), speed = -dvec_dot(hit->normal, way);
    difference(moving->pos, g->pos, d);
    bool touches = gap <= near_of(sn__geom_reach(moving), d, way);
    if (!touches && !(speed > 0 && gap <= speed)) return false;
    hit->t = touches ? 0 : gap / speed;
    add_scaled(low, hit->t, way, hit->pos);
    return true;
}

/* ------------------------------------------------------------------------------------------------ height fields */

struct field_cast {
    struct sn__walk walk; /* first: a visit is given this */
    struct advance advance;
    double low, length; /* of the moving shape: its least z at the start; of the way */
    struct sn__hit *hit;
    bool found;
};

/* The column under a triangle of cell (i, j), down to `floor`, seen from where the moving shape starts. */
static void set_column(struct field_cast *c, int i, int j, int upper, double floor) {
    struct sn__hull *h = &c->advance.still;
    const int corner[3][2] = {{i, j}, {i + 1, j + 1}, {upper ? i : i + 1, upper ? j + 1 : j}};
    h->n = 6;
    h->radius = 0;
    for (int k = 0; k < 3; k++) {
        field_point(c->walk.field, corner[k][0], corner[k][1], h->point[k]);
        add_scaled(h->point[k], 0, h->point[k], h->point[k + 3]);
        h->point[k + 3][2] = floor;
        difference(h->point[k], c->walk.from, h->point[k]);
        difference(h->point[k + 3], c->walk.from, h->point[k + 3]);
    }
}

static void visit_column(struct sn__walk *w, int i, int j, double t0, double t1) {
    struct field_cast *c = (struct field_cast *)w;
    const struct sn__field *f = w->field;
    double size = c->advance.size, bottom = f->lowest, corner[3];
    /* from a little before, where the two are well apart and have a normal */
    double start = c->length > 0 ? most(0, t0 - size / c->length) : 0;
    for (int k = 0; k < 2; k++)
        bottom = least(bottom, c->low + (k ? t1 : start) * w->way[2]);
    field_point(f, i, j, corner);
    difference(corner, w->from, corner);
    c->advance.near = near_of(size, corner, w->way);
    for (int upper = 0; upper < 2; upper++) {
        struct sn__hit hit;
        set_column(c, i, j, upper, bottom - size);
        if (!advance(&c->advance, start, least(t1, w->limit), &hit)) continue;
        if (c->found && hit.t >= c->hit->t) continue;
        c->found = true;
        w->limit = hit.t;
        *c->hit = hit;
    }
}

static bool meet_field(const struct sn__geom *moving, const double way[3], const struct sn__geom *g,
                       struct sn__hit *hit) {
    struct field_cast c = {.walk = {.field = g->field, .limit = 1}, .hit = hit};
    struct sn__box box = sn__geom_bounds(moving);
    const struct sn__field *f = g->field;
    double d[3];
    c.advance.size = sn__geom_reach(moving) + f->step[0] + f->step[1];
    difference(moving->pos, f->origin, d);
    double near = near_of(c.advance.size, d, way);
    sn__hull_of(moving, moving->pos, &c.advance.moving);
    for (int i = 0; i < 3; i++) {
        c.walk.from[i] = moving->pos[i];
        c.walk.way[i] = c.advance.way[i] = way[i];
        c.walk.extent[i] = 0.5 * (box.max[i] - box.min[i]) + 2 * near;
    }
    c.low = box.min[2];
    c.length = dvec_length(way);
    sn__walk_cells(&c.walk, visit_column);
    if (c.found) add_scaled(hit->pos, 1, moving->pos, hit->pos);
    return c.found;
}

/* -------------------------------------------------------------------------------------------------------- meshes */

static void set_triangle(const struct sn__mesh *m, int triangle, const double origin[3],
                         struct sn__hull *hull) {
    hull->n = 3, hull->radius = 0, hull->of = NULL;
    for (int k = 0; k < 3; k++)
        difference(m->vertex[m->triangle[triangle].corner[k]], origin, hull->point[k]);
}

/* The triangles in whose front the shape starts. */
static bool meet_mesh(const struct sn__geom *moving, const double way[3], const struct sn__mesh *m,
                      struct sn__hit *hit) {
    struct sn__mesh_walk walk = {.mesh = m, .box = sn__geom_bounds(moving)};
    struct advance s = {.size = sn__geom_reach(moving)};
    struct sn__hit one;
    double d[3];
    bool found = false;
    sn__hull_of(moving, moving->pos, &s.moving);
    add_scaled(way, 0, way, s.way);
    difference(m->centre, moving->pos, d);
    s.near = near_of(s.size, d, way);
    for (int k = 0; k < 3; k++) {
        walk.box.min[k] += least(way[k], 0) - s.near;
        walk.box.max[k] += most(way[k], 0) + s.near;
    }
    hit->t = 1;
    for (int t; (t = sn__mesh_next(&walk)) >= 0;) {
        if (sn__mesh_above(m, t, moving->pos) < 0) continue;
        set_triangle(m, t, moving->pos, &s.still);
        if (advance(&s, 0, hit->t, &one) && (!found || one.t < hit->t)) *hit = one, found = true;
    }
    if (found) add_scaled(hit->pos, 1, moving->pos, hit->pos);
    return found;
}

/* ------------------------------------------------------------------------------------------------------------- */

static bool meet(const struct sn__geom *moving, const double way[3], const struct sn__geom *g,
                 struct sn__hit *hit) {
    if (moving->type >= SN__GEOM_PLANE) return false;
    if (g->type == SN__GEOM_FIELD) return meet_field(moving, way, g, hit);
    if (g->type == SN__GEOM_MESH) return meet_mesh(moving, way, g->mesh, hit);
    if (g->type == SN__GEOM_PLANE) return meet_plane(moving, way, g, hit);
    return meet_convex(moving, way, g, hit);
}

/* They touched before the motion: the deepest contact says where, and the way out. */
static void set_start(const struct sn__geom *moving, const double way[3], const struct sn__geom *g,
                      struct sn__hit *hit) {
    struct sn__touch touch[SN__MOST_TOUCHES];
    int n = sn__collide(moving, g, 1e-6 * sn__geom_reach(moving), touch), deepest = 0;
    for (int k = 1; k < n; k++)
        if (touch[k].gap < touch[deepest].gap) deepest = k;
    if (n > 0) {
        const struct sn__touch *t = &touch[deepest];
        add_scaled(t->pos, -0.5 * t->gap, t->normal, hit->pos);
        add_scaled(t->normal, 0, t->normal, hit->normal);
    } else if (dvec_dot(hit->normal, hit->normal) == 0) {
        sn__normal_against(way, hit->normal);
    }
}

bool sn__cast_shape(const struct sn__geom *moving, const double way[3], const struct sn__geom *g,
                    struct sn__hit *hit) {
    struct sn__hit found;
    if (!meet(moving, way, g, &found)) return false;
    if (found.t == 0) set_start(moving, way, g, &found);
    if (dvec_dot(found.normal, found.normal) == 0) sn__normal_against(way, found.normal);
    *hit = found;
    return true;
}

bool sn__overlap(const struct sn__geom *a, const struct sn__geom *b) {
    static const double nowhere[3];
    struct sn__hit hit;
    return a->type < SN__GEOM_PLANE ? meet(a, nowhere, b, &hit) : meet(b, nowhere, a, &hit);
}
