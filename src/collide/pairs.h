/* One function a pair of shapes, and the small mathematics they share. Private to collide. */
#ifndef SINEW_COLLIDE_PAIRS_H
#define SINEW_COLLIDE_PAIRS_H

#include <math.h>

#include "base/quat.h"
#include "collide/collide.h"

/* All have the arguments and the result of sn__collide; the types are in the name, in the order of the
   enum. */
typedef int sn__pair_fn(const struct sn__geom *a, const struct sn__geom *b, double margin,
                        struct sn__touch touch[SN__MOST_TOUCHES]);

sn__pair_fn sn__sphere_sphere, sn__sphere_capsule, sn__sphere_box, sn__sphere_plane, sn__sphere_field;
sn__pair_fn sn__capsule_capsule, sn__capsule_box, sn__capsule_plane, sn__capsule_field;
sn__pair_fn sn__box_box, sn__box_plane, sn__box_field;
sn__pair_fn sn__convex_convex; /* a hull and any solid, in either order */
sn__pair_fn sn__hull_plane, sn__hull_field;
sn__pair_fn sn__sphere_mesh, sn__capsule_mesh, sn__sharp_mesh; /* the last: boxes and hulls */

/* Lengths below this fraction of the shapes' size carry no direction: rounding has eaten it. */
#define SN__NO_LENGTH 1e-10

/* A comparison and a move; fmin and fmax are calls. */
static inline double least(double a, double b) {
    return a < b ? a : b;
}

static inline double most(double a, double b) {
    return a > b ? a : b;
}

static inline double clamp(double x, double low, double high) {
    return most(low, least(x, high));
}

static inline double sign_of(double x) {
    return x < 0 ? -1.0 : 1.0;
}

/* x + s y */
static inline void add_scaled(const double x[3], double s, const double y[3], double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = x[i] + s * y[i];
}

static inline void difference(const double x[3], const double y[3], double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = x[i] - y[i];
}

static inline void column(const double R[3][3], int k, double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = R[i][k];
}

/* R v and its inverse, R^T v. */
static inline void rotate(const double R[3][3], const double v[3], double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = R[i][0] * v[0] + R[i][1] * v[1] + R[i][2] * v[2];
}

static inline void rotate_back(const double R[3][3], const double v[3], double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = R[0][i] * v[0] + R[1][i] * v[1] + R[2][i] * v[2];
}

/* The point of a's surface, the normal and the gap make a touch. */
static inline void set_touch(struct sn__touch *touch, const double on_a[3], const double normal[3],
                             double gap, uint32_t feature) {
    for (int i = 0; i < 3; i++) {
        touch->normal[i] = normal[i];
        touch->pos[i] = on_a[i] - 0.5 * gap * normal[i];
    }
    touch->gap = gap;
    touch->feature = feature;
}

static inline void flip_normals(struct sn__touch *touch, int n) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 3; i++)
            touch[k].normal[i] = -touch[k].normal[i];
}

/* centre + t half, -1 <= t <= 1 */
struct sn__segment {
    double centre[3], half[3];
};

static inline void segment_at(const struct sn__segment *s, double t, double out[3]) {
    add_scaled(s->centre, t, s->half, out);
}

/* The axis of a capsule. */
static inline struct sn__segment capsule_axis(const struct sn__geom *g) {
    struct sn__segment s;
    for (int i = 0; i < 3; i++) {
        s.centre[i] = g->pos[i];
        s.half[i] = g->R[i][2] * g->size[1];
    }
    return s;
}

/* The parameter of the point of the segment that is nearest to p. */
double sn__segment_nearest(const struct sn__segment *s, const double p[3]);
/* The parameters of the nearest points of two segments. */
void sn__segments_nearest(const struct sn__segment *a, const struct sn__segment *b, double *s, double *t);
/* The contact of two segments that are thick by these radii: the nearest points (feature 2), and where
   they are nearly parallel the two ends of the stretch they share (features 0 and 1). `spare` is the
   normal where there is no better one. At most 3. */
int sn__segments_touch(const struct sn__segment *a, const struct sn__segment *b, double radius_a,
                       double radius_b, const double spare[3], double margin, struct sn__touch touch[3]);
/* The contact of two capsules: the nearest points (feature 4), and the end spheres of a (0, 1) and of b
   (2, 3), each against the whole other capsule: its gap is the distance of that sphere, and its normal its
   own. A nearest point at an end has the end's feature. At most 5; parallel capsules have the 2 ends of
   the stretch they share. */
int sn__capsules_touch(const struct sn__segment axis[2], const double radius[2], const double spare[3],
                       double margin, struct sn__touch touch[5]);
/* The parameter of the point of a segment that is nearest to the solid box |x_i| <= h_i. */
double sn__segment_box_nearest(const struct sn__segment *s, const double h[3]);

/* Where the line from p to q passes a plane; over[0] and over[1] are the heights of p and q above it. */
static inline void cut_line(const double p[3], const double q[3], const double over[2], double x[3]) {
    const double t = clamp(over[0] / (over[0] - over[1]), 0, 1);
    double d[3];
    difference(q, p, d);
    add_scaled(p, t, d, x);
}

#endif
