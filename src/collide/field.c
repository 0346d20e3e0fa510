/* The surface of a height field. */
#include "collide/field.h"

/* Cells are counted in double first: a body may be far away. */
static bool range(double min, double max, double origin, double step, int n, int *first, int *last) {
    double low = floor((min - origin) / step), high = floor((max - origin) / step) + 1;
    if (n < 2 || !(high >= 0 && low <= n - 1)) return false;
    *first = (int)clamp(low, 0, n - 2);
    *last = (int)clamp(high, 1, n - 1);
    return true;
}

bool sn__patch_under(const struct sn__field *f, const struct sn__box *box, double margin,
                     struct sn__patch *patch) {
    if (box->min[2] - margin > f->highest) return false;
    patch->field = f;
    /* a little more, so that a point on the rim of the margin has all its neighbours */
    double more = margin + 1e-9 * (f->step[0] + f->step[1]);
    return range(box->min[0] - more, box->max[0] + more, f->origin[0], f->step[0], f->nx, &patch->i0,
                 &patch->i1) &&
           range(box->min[1] - more, box->max[1] + more, f->origin[1], f->step[1], f->ny, &patch->j0,
                 &patch->j1);
}

/* From its point (i, j): the other end, and the third corners of its two triangles. */
static const struct {
    int end[2], third[2][2];
} edge_shape[SN__FIELD_EDGES] = {
    {{1, 0}, {{1, 1}, {0, -1}}},
    {{0, 1}, {{1, 1}, {-1, 0}}},
    {{1, 1}, {{1, 0}, {0, 1}}},
};

static double field_z(const struct sn__field *f, int i, int j) {
    return f->origin[2] + f->height[(size_t)j * (size_t)f->nx + (size_t)i];
}

bool sn__field_edge(const struct sn__field *f, int i, int j, int kind, struct sn__field_edge *edge) {
    const int ei = i + edge_shape[kind].end[0], ej = j + edge_shape[kind].end[1];
    int third[2][2], sides = 0;
    double p[3], q[3];
    if (!field_has(f, ei, ej)) return false;
    for (int k = 0; k < 2; k++) {
        third[sides][0] = i + edge_shape[kind].third[k][0],
        third[sides][1] = j + edge_shape[kind].third[k][1];
        sides += field_has(f, third[sides][0], third[sides][1]);
    }
    /* seen from above the four corners are a parallelogram: compare the heights in its middle */
    if (!sides ||
        (sides == 2 && field_z(f, i, j) + field_z(f, ei, ej) <=
                           field_z(f, third[0][0], third[0][1]) + field_z(f, third[1][0], third[1][1])))
        return false;
    edge->sides = sides;
    field_point(f, i, j, p);
    field_point(f, ei, ej, q);
    for (int k = 0; k < sides; k++)
        field_point(f, third[k][0], third[k][1], edge->third[k]);
    for (int k = 0; k < 3; k++) {
        edge->line.centre[k] = 0.5 * (p[k] + q[k]);
        edge->line.half[k] = 0.5 * (q[k] - p[k]);
    }
    return true;
}

/* How far p is above the plane through q across d: clearly below it -1, clearly above it 1, else 0. `slack` is a slope. */
static int side_of(const double p[3], const double q[3], const double d[3], double length, double slack) {
    double w[3];
    difference(p, q, w);
    const double rise = dvec_dot(w, d), far = length * dvec_length(w);
    return rise < -1e-9 * far ? -1 : rise > slack * far;
}

/* Something flat that lies on an edge, and on the ground beside it, rocks by rounding alone. Where what stands out is
   asked for, a normal that leans so little against a side still holds; without that a plate on a step would rest on the
   edge in one step and on its corners in the next. */
static double slack_of(bool bent) {
    return bent ? 0.02 : 1e-9;
}

/* Is (middle - sides / 2) a height by which ground stands out, and not rounding of level or sloping ground? */
static bool stands_out(double middle, double sides, double size) {
    return middle - 0.5 * sides > 1e-6 * size;
}

bool sn__field_edge_faces(const struct sn__field_edge *edge, const double q[3], const double d[3],
                          bool bent) {
    const double length = dvec_length(d);
    if (bent && edge->sides == 2 && /* the border stands out in any case */
        !stands_out(edge->line.centre[2], edge->third[0][2] + edge->third[1][2], dvec_length(edge->line.half)))
        return false;
    for (int k = 0; k < edge->sides; k++)
        if (side_of(edge->third[k], q, d, length, slack_of(bent)) > 0) return false;
    return true;
}

bool sn__field_point_faces(const struct sn__field *f, int i, int j, const double q[3], const double d[3],
                           bool bent) {
    static const int neighbour[6][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}};
    double length = dvec_length(d), p[6][3];
    bool out = i == 0 || j == 0 || i == f->nx - 1 || j == f->ny - 1;
    const bool inside = !out;
    for (int k = 0; k < 6; k++) {
        const int ni = i + neighbour[k][0], nj = j + neighbour[k][1];
        if (!field_has(f, ni, nj)) continue;
        field_point(f, ni, nj, p[k]);
        if (side_of(p[k], q, d, length, slack_of(bent)) > 0) return false;
        if (inside && k % 2) out |= stands_out(q[2], p[k - 1][2] + p[k][2], f->step[0] + f->step[1]);
    }
    return out || !bent;
}

bool sn__field_triangle(const struct sn__field *f, const double p[3], double normal[3], double *above,
                        uint32_t *triangle) {
    double x = (p[0] - f->origin[0]) / f->step[0], y = (p[1] - f->origin[1]) / f->step[1];
    if (f->nx < 2 || f->ny < 2 || !(x >= 0 && y >= 0 && x <= f->nx - 1 && y <= f->ny - 1)) return false;
    int i = x >= f->nx - 1 ? f->nx - 2 : (int)x, j = y >= f->ny - 1 ? f->ny - 2 : (int)y;
    double o[3], across[3], third[3];
    bool upper = y - j > x - i; /* left of the line from (i, j) to (i + 1, j + 1) */
    field_point(f, i, j, o);
    field_point(f, i + 1, j + 1, across);
    field_point(f, upper ? i : i + 1, upper ? j + 1 : j, third);
    /* z = o + slope_x (x - ox) + slope_y (y - oy); its normal is (-slope_x, -slope_y, 1), normalised */
    double slope_x = (upper ? across[2] - third[2] : third[2] - o[2]) / f->step[0];
    double slope_y = (upper ? third[2] - o[2] : across[2] - third[2]) / f->step[1];
    double length = sqrt(slope_x * slope_x + slope_y * slope_y + 1);
    normal[0] = -slope_x / length, normal[1] = -slope_y / length, normal[2] = 1 / length;
    *above = normal[0] * (p[0] - o[0]) + normal[1] * (p[1] - o[1]) + normal[2] * (p[2] - o[2]);
    *triangle = 2 * field_number(f, i, j) + upper;
    return true;
}

/* The two touches that are nearest to each other; the less deep of them. */
static int least_needed(const struct sn__touch *touch, int n) {
    double nearest = HUGE_VAL, d[3];
    int needless = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            difference(touch[i].pos, touch[j].pos, d);
            double distance = dvec_dot(d, d);
            if (distance >= nearest) continue;
            nearest = distance;
            needless = touch[i].gap > touch[j].gap ? i : j;
        }
    return needless;
}

void sn__bag_add(struct sn__bag *bag, const struct sn__touch *touch) {
    if (!(touch->gap < bag->margin)) return;
    for (int k = 0; k < bag->n; k++) {
        double d[3];
        difference(bag->touch[k].pos, touch->pos, d);
        bool same = dvec_dot(d, d) <= bag->same * bag->same &&
                    dvec_dot(bag->touch[k].normal, touch->normal) > 1 - 1e-9;
        if (!same && bag->touch[k].feature != touch->feature) continue;
        if (touch->gap < bag->touch[k].gap - bag->same) bag->touch[k] = *touch;
        return;
    }
    if (bag->n < SN__MOST_TOUCHES) {
        bag->touch[bag->n++] = *touch;
        return;
    }
    struct sn__touch all[SN__MOST_TOUCHES + 1];
    for (int k = 0; k < bag->n; k++)
        all[k] = bag->touch[k];
    all[bag->n] = *touch;
    int out = least_needed(all, bag->n + 1);
    if (out < bag->n) bag->touch[out] = *touch;
}

void sn__bag_add_corner(struct sn__bag *bag, const struct sn__field *f, const double p[3], uint32_t feature) {
    struct sn__touch touch;
    double normal[3], above;
    uint32_t triangle;
    if (!sn__field_triangle(f, p, normal, &above, &triangle)) return;
    set_touch(&touch, p, normal, above, feature);
    sn__bag_add(bag, &touch);
}

bool sn__field_edge_crossed(const struct sn__segment *a, const struct sn__field_edge *edge, double n[3]) {
    const struct sn__segment *b = &edge->line;
    double t, u, q[3];
    if (!crossing_from_above(a, b, &t, &u)) return false;
    dvec_cross(a->half, b->half, n);
    const double scale = sign_of(n[2]) / dvec_length(n);
    for (int k = 0; k < 3; k++)
        n[k] *= scale;
    segment_at(b, u, q);
    return sn__field_edge_faces(edge, q, n, true);
}

void sn__bag_add_crossing(struct sn__bag *bag, const struct sn__segment *a, const struct sn__field_edge *edge,
                          const double n[3], uint32_t feature) {
    const struct sn__segment *b = &edge->line;
    struct sn__touch touch;
    double t, u, p[3], q[3], w[3];
    sn__segments_nearest(a, b, &t, &u);
    segment_at(a, t, p);
    segment_at(b, u, q);
    difference(p, q, w);
    set_touch(&touch, p, n, dvec_dot(w, n), feature);
    sn__bag_add(bag, &touch);
}

bool sn__field_meets(const struct sn__geom *solid, const struct sn__field *f, double margin,
                     struct sn__touch touch[SN__MOST_TOUCHES], struct sn__patch *patch, struct sn__bag *bag) {
    const struct sn__box bounds = sn__geom_bounds(solid);
    *bag = (struct sn__bag){touch, 0, margin, 1e-9 * (sn__geom_reach(solid) + f->step[0] + f->step[1])};
    return sn__patch_under(f, &bounds, margin, patch);
}
