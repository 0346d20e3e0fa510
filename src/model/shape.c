#include "model/shape.h"

#include "model/hull.h"

#include <math.h>

static const struct {
    const char *name;
    int nsize;
} kind[SN_SHAPE_TYPE_COUNT] = {
    [SN_SHAPE_SPHERE] = {"sphere", 1},
    [SN_SHAPE_CAPSULE] = {"capsule", 2},
    [SN_SHAPE_BOX] = {"box", 3},
    [SN_SHAPE_CYLINDER] = {"cylinder", 2},
    [SN_SHAPE_ELLIPSOID] = {"ellipsoid", 3},
    [SN_SHAPE_HULL] = {"hull", 0},
};

int sn__shape_nsize(sn_shape_type type) {
    return kind[type].nsize;
}

const char *sn__shape_name(sn_shape_type type) {
    return kind[type].name;
}

static double ball_volume(double r) {
    return 4.0 / 3.0 * M_PI * r * r * r;
}

static double tube_volume(double r, double half_length) {
    return 2.0 * M_PI * r * r * half_length;
}

double sn__shape_volume(const sn_shape_def *shape) {
    const double *s = shape->size;
    switch (shape->type) {
    case SN_SHAPE_SPHERE:
        return ball_volume(s[0]);
    case SN_SHAPE_CAPSULE:
        return ball_volume(s[0]) + tube_volume(s[0], s[1]);
    case SN_SHAPE_BOX:
        return 8.0 * s[0] * s[1] * s[2];
    case SN_SHAPE_CYLINDER:
        return tube_volume(s[0], s[1]);
    case SN_SHAPE_ELLIPSOID:
        return 4.0 / 3.0 * M_PI * s[0] * s[1] * s[2];
    case SN_SHAPE_HULL:
        return shape->hull->info.volume;
    case SN_SHAPE_TYPE_COUNT:
        break;
    }
    return 0;
}

/* Principal moments about the centre, for unit mass. */
static void unit_moments(const sn_shape_def *shape, double J[3]) {
    const double *s = shape->size;
    double x2 = s[0] * s[0], y2 = s[1] * s[1], z2 = s[2] * s[2];
    switch (shape->type) {
    case SN_SHAPE_SPHERE:
        J[0] = J[1] = J[2] = 0.4 * x2;
        break;
    case SN_SHAPE_CAPSULE: {
        /* A tube and two half balls. The centre of a half ball is 3r/8 outside its flat side, which is h from
           the middle: across, it has 2/5 r^2 about the middle of its flat side, and h^2 + 2 h 3r/8 for the
           way there. */
        double r = s[0], h = s[1], tube = tube_volume(r, h), balls = ball_volume(r), all = tube + balls;
        J[0] = J[1] = (tube * (x2 / 4 + y2 / 3) + balls * (0.4 * x2 + y2 + 0.75 * r * h)) / all;
        J[2] = (tube * x2 / 2 + balls * 0.4 * x2) / all;
        break;
    }
    case SN_SHAPE_BOX:
        J[0] = (y2 + z2) / 3, J[1] = (x2 + z2) / 3, J[2] = (x2 + y2) / 3;
        break;
    case SN_SHAPE_CYLINDER:
        J[0] = J[1] = x2 / 4 + y2 / 3, J[2] = x2 / 2;
        break;
    case SN_SHAPE_ELLIPSOID:
        J[0] = (y2 + z2) / 5, J[1] = (x2 + z2) / 5, J[2] = (x2 + y2) / 5;
        break;
    case SN_SHAPE_HULL: /* has no axes of its own */
    case SN_SHAPE_TYPE_COUNT:
        J[0] = J[1] = J[2] = 0;
        break;
    }
}

struct inertia sn__shape_inertia(const sn_shape_def *shape) {
    struct inertia own = {.mass = shape->mass};
    if (own.mass == 0) own.mass = shape->density * sn__shape_volume(shape);
    unit_moments(shape, own.J);
    for (int i = 0; i < 3; i++)
        own.J[i] *= own.mass;
    if (shape->type == SN_SHAPE_HULL) {
        const double mass = own.mass, density = mass / shape->hull->info.volume;
        own = sn__hull_inertia(shape->hull);
        own.mass = mass;
        for (int i = 0; i < 6; i++)
            own.J[i] *= density;
    }
    return sn__inertia_move(&own, shape->pos, shape->rot);
}
