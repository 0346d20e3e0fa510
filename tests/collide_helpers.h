/* What the tests of contacts and casts share: making solids and ground, and looking at touches. */
#ifndef SINEW_TESTS_COLLIDE_HELPERS_H
#define SINEW_TESTS_COLLIDE_HELPERS_H

#include <math.h>

#include "collide_oracle.h"
#include "sinew/sinew.h"

enum { MOST = SN__MOST_TOUCHES };

static const double touch_margin = 0.1;

static inline double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double distance(const double a[3], const double b[3]) {
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(dot(d, d));
}

static inline struct sn__geom make(enum sn__geom_type type, double s0, double s1, double s2) {
    struct sn__geom g = {.type = type, .size = {s0, s1, s2}, .R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return g;
}

static inline void put(struct sn__geom *g, double x, double y, double z) {
    g->pos[0] = x, g->pos[1] = y, g->pos[2] = z;
}

/* A turn about one of the axes. */
static inline void turn(struct sn__geom *g, int axis, double angle) {
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    for (int k = 0; k < 3; k++) {
        double a = g->R[i][k], b = g->R[j][k];
        g->R[i][k] = cos(angle) * a - sin(angle) * b;
        g->R[j][k] = sin(angle) * a + cos(angle) * b;
    }
}

/* Sizes from 0.1 to 1, within 1 of the origin along each axis. */
struct sn__geom random_geom(enum sn__geom_type type, uint64_t *seed);
/* One of the 24 turns that take axes to axes, and places on a coarse raster: everything ties with everything. */
void align(struct sn__geom *g, uint64_t *seed);
/* Number of the touch with the least gap. */
int deepest(const struct sn__touch *touch, int n);
/* The points on the two surfaces. */
void own_points(const struct sn__touch *t, double on_a[3], double on_b[3]);
/* Finite, unit normals, within the margin, features all different. */
void check_form(const struct sn__touch *touch, int n, double within);
/* The points of b's list with the normal turned by `sign`; allows what lies on the rim of the margin. */
void check_same_points(const struct sn__touch *a, int na, const struct sn__touch *b, int nb, double sign);
/* sn__collide with the margin of the tests, its result checked by check_form. */
int collide(const struct sn__geom *a, const struct sn__geom *b, struct sn__touch touch[MOST]);
/* The end of a capsule's axis, 0 or 1. */
void end_of(const struct sn__geom *g, int end, double p[3]);
/* The touch is that of a's sphere around p with b: as far away as the oracle says, p on its normal. `side` -1: the
   sphere is of the other of the two. */
bool is_of_sphere(const struct sn__touch *t, const double p[3], double radius, const struct sn__geom *other,
                  double side);
/* Between two capsules: which ends (bits 0, 1 of a; 2, 3 of b) this touch is the sphere of. */
unsigned ends_of(const struct sn__touch *t, const struct sn__geom *a, const struct sn__geom *b);
/* All touches but the nearest are end spheres against the whole other capsule, with their own normals. */
void check_end_spheres(const struct sn__geom *a, const struct sn__geom *b, const struct sn__touch *touch,
                       int n);

/* ---------------------------------------------------------------------------------------------- height fields */

enum { NX = 9, NY = 8 };

/* A field of 4 by 2.8 about the origin, 0.3 up. */
struct ground {
    struct sn__field field;
    double height[NX * NY];
    struct sn__geom geom;
};

typedef double ground_shape(double x, double y, uint64_t *seed);
ground_shape flat_ground, sloping_ground, rough_ground, valley_ground, ridge_ground, plateau_ground;

void make_ground(struct ground *g, ground_shape *shape, uint64_t *seed);
/* The plane of flat_ground, or of sloping_ground. */
void plane_of_even_ground(bool flat, struct sn__geom *plane);
/* A small random solid, its centre between these heights over the field's origin. */
struct sn__geom solid_above(const struct ground *g, enum sn__geom_type type, double low, double high,
                            uint64_t *seed);
/* Solids of a type above rough ground, or in it, between two heights; in how many cases `check` says yes. */
struct above {
    enum sn__geom_type type;
    double low, high;
};
int try_rough_ground(int cases, uint64_t seed, struct above above,
                     bool (*check)(const struct ground *g, struct sn__geom *a));

#endif
