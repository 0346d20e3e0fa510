/* The surface of a height field, as corners, edges and triangles. Private to collide. */
#ifndef SINEW_COLLIDE_FIELD_H
#define SINEW_COLLIDE_FIELD_H

#include <stddef.h>

#include "collide/pairs.h"

/* Grid points i0..i1, j0..j1; the cells between them. */
struct sn__patch {
    const struct sn__field *field;
    int i0, i1, j0, j1;
};

/* The points around the cells under the box grown by the margin; false: there are none, or all are lower. */
bool sn__patch_under(const struct sn__field *f, const struct sn__box *box, double margin,
                     struct sn__patch *patch);

static inline void field_point(const struct sn__field *f, int i, int j, double out[3]) {
    out[0] = f->origin[0] + i * f->step[0];
    out[1] = f->origin[1] + j * f->step[1];
    out[2] = f->origin[2] + f->height[(size_t)j * (size_t)f->nx + (size_t)i];
}

static inline bool field_has(const struct sn__field *f, int i, int j) {
    return i >= 0 && j >= 0 && i < f->nx && j < f->ny;
}

/* Number of a grid point, or of the cell above and right of it. */
static inline uint32_t field_number(const struct sn__field *f, int i, int j) {
    return (uint32_t)j * (uint32_t)f->nx + (uint32_t)i;
}

/* The edges from a grid point: along x, along y, across the cell. */
enum { SN__FIELD_EDGES = 3 };

/* An edge and the third corners of the triangles on its sides. */
struct sn__field_edge {
    struct sn__segment line;
    int sides; /* 1 on the border */
    double third[2][3];
};

/* False: the edge leaves the grid, or does not stand out between its triangles. */
bool sn__field_edge(const struct sn__field *f, int i, int j, int kind, struct sn__field_edge *edge);

/* Do the triangles beside q, a point of the edge, fall away from the direction d? d is across the edge.
   `bent`: and not all of them level with it, so that the edge stands out. */
bool sn__field_edge_faces(const struct sn__field_edge *edge, const double q[3], const double d[3], bool bent);
/* The same for a grid point at q and all that is around it. */
bool sn__field_point_faces(const struct sn__field *f, int i, int j, const double q[3], const double d[3],
                           bool bent);

/* Where two segments cross, seen from above; false: they do not. */
static inline bool crossing_from_above(const struct sn__segment *a, const struct sn__segment *b, double *s,
                                       double *t) {
    double x = b->centre[0] - a->centre[0], y = b->centre[1] - a->centre[1];
    double area = a->half[0] * b->half[1] - a->half[1] * b->half[0];
    if (area == 0) return false;
    *s = (x * b->half[1] - y * b->half[0]) / area;
    *t = (x * a->half[1] - y * a->half[0]) / area;
    return fabs(*s) <= 1 && fabs(*t) <= 1;
}

/* The triangle over or under a point: its normal, and how far p is above its plane (negative: below).
   False: p is not over the grid. */
bool sn__field_triangle(const struct sn__field *f, const double p[3], double normal[3], double *above,
                        uint32_t *triangle);

/* Collects touches: the same point comes once, and when there is no more room, of the two nearest to each
   other the less deep goes. */
struct sn__bag {
    struct sn__touch *touch;
    int n;
    double margin, same; /* distance up to which points are the same */
};

void sn__bag_add(struct sn__bag *bag, const struct sn__touch *touch);
/* The part of a field under a solid, and an empty bag for what touches there; false: nothing can. */
bool sn__field_meets(const struct sn__geom *solid, const struct sn__field *f, double margin,
                     struct sn__touch touch[SN__MOST_TOUCHES], struct sn__patch *patch, struct sn__bag *bag);

/* A ball around c, whose centre is `distance` above the surface along the normal. */
static inline void bag_add_ball(struct sn__bag *bag, const double c[3], double radius, const double normal[3],
                                double distance, uint32_t feature) {
    struct sn__touch touch;
    double on_a[3];
    add_scaled(c, -radius, normal, on_a);
    set_touch(&touch, on_a, normal, distance - radius, feature);
    sn__bag_add(bag, &touch);
}

/* A corner of a solid over or under the ground. */
void sn__bag_add_corner(struct sn__bag *bag, const struct sn__field *f, const double p[3], uint32_t feature);
/* Do an edge of a solid and one of the ground cross, seen from above, where the ground falls away? n: up, across both. */
bool sn__field_edge_crossed(const struct sn__segment *a, const struct sn__field_edge *edge, double n[3]);
/* Such a crossing: the nearest points of the lines, which differ by the gap along n. */
void sn__bag_add_crossing(struct sn__bag *bag, const struct sn__segment *a, const struct sn__field_edge *edge,
                          const double n[3], uint32_t feature);

#endif
