#include "model/shape.h"

#include "base/elementary.h"
#include "base/error.h"
#include "base/quat.h"
#include "model/hull.h"

#include <math.h>
#include <string.h>

static double ball_volume(double r) {
    return 4.0 / 3.0 * M_PI * r * r * r;
}

static double tube_volume(double r, double half_length) {
    return 2.0 * M_PI * r * r * half_length;
}

/* ----------------------------------------------------------------------------------------------- spheres, capsules */

/* Half circles of this radius around -half and half on the axis; the middle ring of a ball is there once. */
static int round_rings(double radius, double half, struct sn__ring ring[SN__MOST_RINGS]) {
    int n = 0;
    for (int side = 0; side < 2; side++)
        for (int i = side && half == 0; i <= SN__HALF_RINGS; i++) {
            const double angle = M_PI / 2 * (side ? i : i - SN__HALF_RINGS) / SN__HALF_RINGS;
            const bool pole = i == (side ? SN__HALF_RINGS : 0);
            ring[n++] = (struct sn__ring){radius * sn__sin(angle) + (side ? half : -half),
                                          pole ? 0 : radius * sn__cos(angle), pole ? 0 : sn__cos(angle),
                                          sn__sin(angle)};
        }
    return n;
}

static double sphere_volume(const double s[3]) {
    return ball_volume(s[0]);
}

static void sphere_moments(const double s[3], double J[3]) {
    J[0] = J[1] = J[2] = 0.4 * (s[0] * s[0]);
}

static double sphere_support(const double s[3], const double d[3]) {
    (void)d;
    return s[0];
}

static int sphere_rings(const double s[3], struct sn__ring ring[SN__MOST_RINGS], double scale[3]) {
    scale[0] = scale[1] = scale[2] = 1;
    return round_rings(s[0], 0, ring);
}

static double capsule_volume(const double s[3]) {
    return ball_volume(s[0]) + tube_volume(s[0], s[1]);
}

/* A tube and two half balls. The centre of a half ball is 3r/8 outside its flat side, which is h from the middle: across, it
   has 2/5 r^2 about the middle of its flat side, and h^2 + 2 h 3r/8 for the way there. */
static void capsule_moments(const double s[3], double J[3]) {
    const double r = s[0], h = s[1], x2 = r * r, y2 = h * h;
    const double tube = tube_volume(r, h), balls = ball_volume(r), all = tube + balls;
    J[0] = J[1] = (tube * (x2 / 4 + y2 / 3) + balls * (0.4 * x2 + y2 + 0.75 * r * h)) / all;
    J[2] = (tube * x2 / 2 + balls * 0.4 * x2) / all;
}

static double capsule_support(const double s[3], const double d[3]) {
    return s[0] + s[1] * fabs(d[2]);
}

static int capsule_rings(const double s[3], struct sn__ring ring[SN__MOST_RINGS], double scale[3]) {
    scale[0] = scale[1] = scale[2] = 1;
    return round_rings(s[0], s[1], ring);
}

/* ------------------------------------------------------------------------------------------------------------ boxes */

static double box_volume(const double s[3]) {
    return 8.0 * s[0] * s[1] * s[2];
}

static void box_moments(const double s[3], double J[3]) {
    const double x2 = s[0] * s[0], y2 = s[1] * s[1], z2 = s[2] * s[2];
    J[0] = (y2 + z2) / 3, J[1] = (x2 + z2) / 3, J[2] = (x2 + y2) / 3;
}

static double box_support(const double s[3], const double d[3]) {
    return s[0] * fabs(d[0]) + s[1] * fabs(d[1]) + s[2] * fabs(d[2]);
}

/* -------------------------------------------------------------------------------------------- cylinders, ellipsoids */

/* The capsule inside. */
static void cylinder_capsule(const double s[3], double capsule[2], double turn[4]) {
    capsule[0] = fmin(s[0], s[1]);
    capsule[1] = s[1] - capsule[0];
    dquat_identity(turn);
}

static double cylinder_volume(const double s[3]) {
    return tube_volume(s[0], s[1]);
}

static void cylinder_moments(const double s[3], double J[3]) {
    const double x2 = s[0] * s[0], y2 = s[1] * s[1];
    J[0] = J[1] = x2 / 4 + y2 / 3, J[2] = x2 / 2;
}

static double cylinder_support(const double s[3], const double d[3]) {
    return s[1] * fabs(d[2]) + s[0] * sn__hypot(d[0], d[1]);
}

static int cylinder_rings(const double s[3], struct sn__ring ring[SN__MOST_RINGS], double scale[3]) {
    const double r = s[0], h = s[1];
    const struct sn__ring all[] = {{-h, 0, 0, -1}, {-h, r, 0, -1}, {-h, r, 1, 0},
                                   {h, r, 1, 0},   {h, r, 0, 1},   {h, 0, 0, 1}};
    memcpy(ring, all, sizeof all);
    scale[0] = scale[1] = scale[2] = 1;
    return 6;
}

/* Along the longest axis, as thick as the next. */
static void ellipsoid_capsule(const double s[3], double capsule[2], double turn[4]) {
    static const double turns[3][4] = {
        {M_SQRT1_2, 0, M_SQRT1_2, 0}, {M_SQRT1_2, -M_SQRT1_2, 0, 0}, {1, 0, 0, 0}};
    int longest = 2;
    for (int i = 0; i < 2; i++)
        if (s[i] > s[longest]) longest = i;
    capsule[0] = fmax(s[(longest + 1) % 3], s[(longest + 2) % 3]);
    capsule[1] = fmax(0, s[longest] - capsule[0]);
    memcpy(turn, turns[longest], sizeof turns[longest]);
}

static double ellipsoid_volume(const double s[3]) {
    return 4.0 / 3.0 * M_PI * s[0] * s[1] * s[2];
}

static void ellipsoid_moments(const double s[3], double J[3]) {
    const double x2 = s[0] * s[0], y2 = s[1] * s[1], z2 = s[2] * s[2];
    J[0] = (y2 + z2) / 5, J[1] = (x2 + z2) / 5, J[2] = (x2 + y2) / 5;
}

static double ellipsoid_support(const double s[3], const double d[3]) {
    const double x = s[0] * d[0], y = s[1] * d[1], z = s[2] * d[2];
    return sqrt(x * x + y * y + z * z);
}

static int ellipsoid_rings(const double s[3], struct sn__ring ring[SN__MOST_RINGS], double scale[3]) {
    memcpy(scale, s, 3 * sizeof *scale);
    return round_rings(1, 0, ring);
}

/* ------------------------------------------------------------------------------------------------------------ cones */

static double cone_volume(const double s[3]) {
    return M_PI * s[0] * s[0] * (2 * s[1]) / 3;
}

/* About the centre of mass: 3/20 r^2 + 3/80 H^2 across and 3/10 r^2 along, with the height H = 2 h. */
static void cone_moments(const double s[3], double J[3]) {
    const double x2 = s[0] * s[0], y2 = s[1] * s[1];
    J[0] = J[1] = 3.0 / 20 * (x2 + y2), J[2] = 3.0 / 10 * x2;
}

/* A quarter of the height above the base. */
static double cone_centre(const double s[3]) {
    return -0.5 * s[1];
}

static double cone_support(const double s[3], const double d[3]) {
    return fmax(s[1] * d[2], s[0] * sn__hypot(d[0], d[1]) - s[1] * d[2]);
}

static int cone_rings(const double s[3], struct sn__ring ring[SN__MOST_RINGS], double scale[3]) {
    const double r = s[0], h = s[1], side = sn__hypot(r, 2 * h), across = 2 * h / side, along = r / side;
    const struct sn__ring all[] = {
        {-h, 0, 0, -1}, {-h, r, 0, -1}, {-h, r, across, along}, {h, 0, across, along}};
    memcpy(ring, all, sizeof all);
    scale[0] = scale[1] = scale[2] = 1;
    return 4;
}

/* -------------------------------------------------------------------------------------------------------- the table */

const struct sn__shape_kind sn__shape_kinds[SN_SHAPE_TYPE_COUNT] = {
    [SN_SHAPE_SPHERE] = {"sphere", 1, true, true, 1, SN__CONTACT_SPHERE, NULL, sphere_volume, sphere_moments,
                         NULL, sphere_support, sphere_rings},
    [SN_SHAPE_CAPSULE] = {"capsule", 2, true, true, 1, SN__CONTACT_CAPSULE, NULL, capsule_volume,
                          capsule_moments, NULL, capsule_support, capsule_rings},
    [SN_SHAPE_BOX] = {"box", 3, true, false, 1, SN__CONTACT_BOX, NULL, box_volume, box_moments, NULL,
                      box_support, NULL},
    [SN_SHAPE_CYLINDER] = {"cylinder", 2, false, false, 1, SN__CONTACT_CAPSULE, cylinder_capsule,
                           cylinder_volume, cylinder_moments, NULL, cylinder_support, cylinder_rings},
    [SN_SHAPE_ELLIPSOID] = {"ellipsoid", 3, false, false, 0.57735026918962573, SN__CONTACT_CAPSULE,
                            ellipsoid_capsule, ellipsoid_volume, ellipsoid_moments, NULL, ellipsoid_support,
                            ellipsoid_rings},
    [SN_SHAPE_CONE] = {"cone", 2, false, false, 0.5, SN__CONTACT_HULL, NULL, cone_volume, cone_moments,
                       cone_centre, cone_support, cone_rings},
    [SN_SHAPE_HULL] = {.name = "hull", .exact = true, .contact = SN__CONTACT_HULL},
};

int sn__shape_nsize(sn_shape_type type) {
    return sn__shape_kinds[type].nsize;
}

const char *sn__shape_name(sn_shape_type type) {
    return sn__shape_kinds[type].name;
}

int sn__shape_type(const char *name) {
    for (int i = 0; i < SN_SHAPE_TYPE_COUNT; i++)
        if (strcmp(sn__shape_kinds[i].name, name) == 0) return i;
    return -1;
}

/* ------------------------------------------------------------------------------------------------- what follows from it */

double sn__shape_volume(const sn_shape_def *shape) {
    const struct sn__shape_kind *kind = &sn__shape_kinds[shape->type];
    return kind->volume ? kind->volume(shape->size) : shape->hull->info.volume;
}

struct inertia sn__shape_inertia(const sn_shape_def *shape) {
    const struct sn__shape_kind *kind = &sn__shape_kinds[shape->type];
    struct inertia own = {.mass = shape->mass};
    if (own.mass == 0) own.mass = shape->density * sn__shape_volume(shape);
    if (kind->moments) {
        kind->moments(shape->size, own.J);
        if (kind->centre) own.com[2] = kind->centre(shape->size);
        for (int i = 0; i < 3; i++)
            own.J[i] *= own.mass;
    } else { /* a hull has no axes of its own */
        const double mass = own.mass, density = mass / shape->hull->info.volume;
        own = sn__hull_inertia(shape->hull);
        own.mass = mass;
        for (int i = 0; i < 6; i++)
            own.J[i] *= density;
    }
    return sn__inertia_move(&own, shape->pos, shape->rot);
}

double sn__shape_reach(const sn_shape_def *shape, const double d[3]) {
    const struct sn__shape_kind *kind = &sn__shape_kinds[shape->type];
    if (kind->support) return kind->support(shape->size, d);
    double most = -HUGE_VAL;
    for (int i = 0; i < shape->hull->info.nvertex; i++)
        most = fmax(most, dvec_dot(shape->hull->info.vertex[i], d));
    return most;
}

/* Circles become regular polygons of the same area. */
sn_hull *sn__shape_facets(const sn_shape_def *shape, sn_error *error) {
    enum { AROUND = 32 };
    double point[SN__MOST_RINGS * AROUND][3], scale[3];
    struct sn__ring ring[SN__MOST_RINGS];
    const double half = M_PI / AROUND, wide = sqrt(half / (sn__sin(half) * sn__cos(half)));
    const int n = sn__shape_kinds[shape->type].rings(shape->size, ring, scale);
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < (ring[i].radius > 0 ? AROUND : 1); k++, count++) {
            point[count][0] = scale[0] * wide * ring[i].radius * sn__cos(2 * half * k);
            point[count][1] = scale[1] * wide * ring[i].radius * sn__sin(2 * half * k);
            point[count][2] = scale[2] * ring[i].z;
        }
    return sn_hull_create(point[0], count, 0, error);
}
