/* Where a ray meets a shape. */
#include "collide/cast.h"
#include "collide/mesh.h"
#include "collide/walk.h"
#include "model/hull.h"

/* The ray in the frame of the shape. */
struct ray {
    double from[3], way[3];
};

/* A normal of zero stands for "against the way" until the end. */
static bool hit_inside(struct sn__hit *hit) {
    *hit = (struct sn__hit){.t = 0};
    return true;
}

/* Where it enters the ball |x| <= r (n = 3), or the cylinder about z (n = 2), from outside. With the foot f of
   the centre on the line, at t = s, it enters where |way|^2 (s - t)^2 = r^2 - f.f. */
static bool enter_round(const double from[3], const double way[3], int n, double r, double *t) {
    double ww = 0, fw = 0, ff = 0;
    for (int i = 0; i < n; i++) {
        ww += way[i] * way[i];
        fw += from[i] * way[i];
    }
    if (!(ww > 0) || fw >= 0) return false; /* it leaves */
    double s = -fw / ww;
    for (int i = 0; i < n; i++)
        ff += (from[i] + s * way[i]) * (from[i] + s * way[i]);
    if (ff > r * r) return false;
    *t = most(0, s - sqrt((r * r - ff) / ww));
    return *t <= 1;
}

/* Capsules, and spheres, which have h = 0. A capsule is two balls and what of a cylinder is between them: it
   is entered where the first of them is. */
static bool enter_capsule(const struct ray *ray, double r, double h, struct sn__hit *hit) {
    double x[3], t;
    add_scaled(ray->from, 0, ray->from, x);
    x[2] -= clamp(x[2], -h, h);
    if (dvec_dot(x, x) < r * r) return hit_inside(hit);
    hit->t = HUGE_VAL;
    if (h > 0 && enter_round(ray->from, ray->way, 2, r, &t) && fabs(ray->from[2] + t * ray->way[2]) <= h)
        hit->t = t;
    for (int end = -1; end <= 1; end += 2) {
        const double from[3] = {ray->from[0], ray->from[1], ray->from[2] - end * h};
        if (enter_round(from, ray->way, 3, r, &t)) hit->t = least(hit->t, t);
    }
    if (hit->t > 1) return false;
    add_scaled(ray->from, hit->t, ray->way, x);
    x[2] -= clamp(x[2], -h, h);
    dvec_normalise(x); /* stays zero where the radius is zero */
    for (int i = 0; i < 3; i++)
        hit->normal[i] = x[i];
    return true;
}

/* Inside where it is between all three pairs of faces: it enters through the last it passes. */
static bool enter_box(const struct ray *ray, const double h[3], struct sn__hit *hit) {
    double t[2] = {-HUGE_VAL, HUGE_VAL};
    int face = -1, inside = 0;
    for (int i = 0; i < 3; i++) {
        double before = t[0];
        inside += fabs(ray->from[i]) < h[i];
        if (!narrow(ray->from[i], ray->way[i], -h[i], h[i], t)) return false;
        if (t[0] > before) face = i;
    }
    if (inside == 3) return hit_inside(hit);
    if (face < 0 || t[0] < 0 || t[0] > 1) return false;
    hit->t = t[0];
    hit->normal[0] = hit->normal[1] = hit->normal[2] = 0;
    hit->normal[face] = -sign_of(ray->way[face]);
    return true;
}

/* The same for the planes of a hull. */
static bool enter_hull(const struct ray *ray, const struct sn_hull *h, struct sn__hit *hit) {
    double t[2] = {-HUGE_VAL, HUGE_VAL};
    int face = -1, inside = 0;
    for (int f = 0; f < h->info.nface; f++) {
        const struct sn__hull_plane *p = &h->plane[f];
        const double before = t[0], at = dvec_dot(p->normal, ray->from);
        inside += at < p->offset;
        if (!narrow(at, dvec_dot(p->normal, ray->way), -HUGE_VAL, p->offset, t)) return false;
        if (t[0] > before) face = f;
    }
    if (inside == h->info.nface) return hit_inside(hit);
    if (face < 0 || t[0] < 0 || t[0] > 1) return false;
    hit->t = t[0];
    add_scaled(h->plane[face].normal, 0, h->plane[face].normal, hit->normal);
    return true;
}

static bool enter_plane(const struct ray *ray, struct sn__hit *hit) {
    if (ray->from[2] < 0) return hit_inside(hit);
    if (ray->way[2] >= 0 || ray->from[2] > -ray->way[2]) return false;
    hit->t = ray->from[2] / -ray->way[2];
    hit->normal[0] = hit->normal[1] = 0, hit->normal[2] = 1;
    return true;
}

/* ------------------------------------------------------------------------------------------------ height fields */

struct field_ray {
    struct sn__walk walk; /* first: a visit is given this */
    struct sn__hit *hit;
    bool found;
};

/* The wall it comes through at p, from outside. */
static void wall_normal(const struct sn__walk *w, const double p[3], double normal[3]) {
    double nearest = HUGE_VAL;
    for (int k = 0; k < 2; k++) {
        const struct sn__field *f = w->field;
        double length = ((k ? f->ny : f->nx) - 1) * f->step[k], x = p[k] - f->origin[k];
        double away = w->way[k] > 0 ? fabs(x) : fabs(x - length);
        if (w->way[k] == 0 || away >= nearest) continue;
        nearest = away;
        normal[0] = normal[1] = normal[2] = 0;
        normal[k] = -sign_of(w->way[k]);
    }
}

/* The plane of a triangle of cell (i, j): z rises by slope[0] along x and slope[1] along y. */
static void triangle_slopes(const struct sn__field *f, int i, int j, int upper, double slope[2]) {
    const double *h = f->height + (size_t)j * (size_t)f->nx + i;
    double first = upper ? h[f->nx] : h[1], last = h[f->nx + 1];
    slope[0] = (upper ? last - first : first - h[0]) / f->step[0];
    slope[1] = (upper ? first - h[0] : last - first) / f->step[1];
}

/* The height above the triangle is linear in t. Below at its start: there was a wall. */
static void visit_triangle(struct field_ray *r, int i, int j, const double slope[2], const double t[2]) {
    const struct sn__walk *w = &r->walk;
    double o[3], x[3], above[2];
    field_point(w->field, i, j, o);
    for (int k = 0; k < 2; k++) {
        add_scaled(w->from, t[k], w->way, x);
        difference(x, o, x);
        above[k] = x[2] - slope[0] * x[0] - slope[1] * x[1];
    }
    bool through = above[0] >= 0 && (above[1] < 0 || (above[1] == 0 && above[0] > 0));
    if (above[0] >= 0 && !through) return;
    struct sn__hit *hit = r->hit;
    double time = through ? t[0] + (t[1] - t[0]) * (above[0] / (above[0] - above[1])) : t[0];
    if (r->found && time >= hit->t) return;
    r->found = true;
    hit->t = r->walk.limit = time;
    hit->normal[0] = -slope[0], hit->normal[1] = -slope[1], hit->normal[2] = 1;
    dvec_normalise(hit->normal);
    add_scaled(w->from, time, w->way, x);
    if (above[0] < -1e-9 * (w->field->step[0] + w->field->step[1])) wall_normal(w, x, hit->normal);
}

/* With u and v the place in the cell, 0 to 1, the lower triangle is where v <= u. */
static void visit_cell(struct sn__walk *w, int i, int j, double t0, double t1) {
    const struct sn__field *f = w->field;
    double u = (w->from[0] - f->origin[0]) / f->step[0] - i, v = (w->from[1] - f->origin[1]) / f->step[1] - j;
    double turn = w->way[1] / f->step[1] - w->way[0] / f->step[0], slope[2];
    for (int upper = 0; upper < 2; upper++) {
        double t[2] = {t0, t1};
        if (!narrow(v - u, turn, upper ? 0 : -HUGE_VAL, upper ? HUGE_VAL : 0, t)) continue;
        triangle_slopes(f, i, j, upper, slope);
        visit_triangle((struct field_ray *)w, i, j, slope, t);
    }
}

static bool enter_field(const struct sn__field *f, const double from[3], const double way[3],
                        struct sn__hit *hit) {
    struct field_ray r = {.walk = {.field = f, .limit = 1}, .hit = hit};
    double normal[3], above;
    uint32_t triangle;
    if (sn__field_triangle(f, from, normal, &above, &triangle) && above < 0) return hit_inside(hit);
    for (int i = 0; i < 3; i++)
        r.walk.from[i] = from[i], r.walk.way[i] = way[i];
    sn__walk_cells(&r.walk, visit_cell);
    return r.found;
}

/* -------------------------------------------------------------------------------------------------------- meshes */

/* Does the ray, up to the part `limit` of it, meet a box? */
static bool crosses(const struct sn__box *box, const double from[3], const double way[3], double limit) {
    double t[2] = {0, limit};
    for (int k = 0; k < 3; k++)
        if (!narrow(from[k], way[k], box->min[k], box->max[k], t)) return false;
    return true;
}

/* The front of a triangle, before hit->t. */
static bool enter_triangle(const struct sn__mesh *m, int triangle, const double from[3], const double way[3],
                           struct sn__hit *hit) {
    const double *normal = m->triangle[triangle].normal, above = sn__mesh_above(m, triangle, from),
                 speed = -dvec_dot(normal, way);
    double p[3];
    if (above < 0 || !(speed > 0) || !(above < speed * hit->t)) return false;
    add_scaled(from, above / speed, way, p);
    if (!sn__mesh_over(m, triangle, p, 0, 1e-12 * m->reach, 1e-12 * m->reach)) return false;
    hit->t = above / speed;
    add_scaled(normal, 0, normal, hit->normal);
    return true;
}

static bool enter_mesh(const struct sn__mesh *m, const double from[3], const double way[3],
                       struct sn__hit *hit) {
    bool found = false;
    hit->t = nextafter(1, 2); /* a hit at the very end counts */
    for (int i = 0; i < m->nnode;) {
        const struct sn__mesh_node *n = &m->node[i];
        const bool near = crosses(&n->box, from, way, hit->t);
        for (int k = 0; k < n->count && near; k++)
            found |= enter_triangle(m, n->first + k, from, way, hit);
        i = near ? i + 1 : n->next;
    }
    return found;
}

/* ------------------------------------------------------------------------------------------------------------- */

static bool enter(const struct sn__geom *g, const double from[3], const double way[3], struct sn__hit *hit) {
    struct ray ray;
    double d[3];
    if (g->type == SN__GEOM_FIELD) return enter_field(g->field, from, way, hit);
    if (g->type == SN__GEOM_MESH) return enter_mesh(g->mesh, from, way, hit);
    difference(from, g->pos, d);
    rotate_back(g->R, d, ray.from);
    rotate_back(g->R, way, ray.way);
    bool found = g->type == SN__GEOM_BOX    ? enter_box(&ray, g->size, hit)
                 : g->type == SN__GEOM_HULL ? enter_hull(&ray, g->hull, hit)
                 : g->type == SN__GEOM_PLANE
                     ? enter_plane(&ray, hit)
                     : enter_capsule(&ray, g->size[0], g->type == SN__GEOM_CAPSULE ? g->size[1] : 0, hit);
    if (found) {
        add_scaled(hit->normal, 0, hit->normal, d);
        rotate(g->R, d, hit->normal);
    }
    return found;
}

bool sn__cast_ray(const struct sn__geom *g, const double from[3], const double way[3], struct sn__hit *hit) {
    struct sn__hit found;
    if (!enter(g, from, way, &found)) return false;
    add_scaled(from, found.t, way, found.pos);
    if (dvec_dot(found.normal, found.normal) == 0) sn__normal_against(way, found.normal);
    *hit = found;
    return true;
}
