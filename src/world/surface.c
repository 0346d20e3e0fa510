/* Surfaces that a point is held on. */
#include <math.h>
#include <string.h>

#include "base/definition.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/quat.h"
#include "world/guide.h"

enum { MOST_SIDE = 4096 };

/* ------------------------------------------------------------------------------------------------- heights */

/* The cubic through four values that has half their chords as slopes (Catmull and Rom), and its derivative by s. */
static double through(const double y[4], double s, double *slope) {
    const double a = 0.5 * (y[2] - y[0]), b = y[0] - 2.5 * y[1] + 2 * y[2] - 0.5 * y[3],
                 c = 0.5 * (y[3] - y[0]) + 1.5 * (y[1] - y[2]);
    *slope = a + s * (2 * b + 3 * s * c);
    return y[1] + s * (a + s * (b + s * c));
}

/* The cell of a coordinate, and how far into it; beyond the edges the edge itself. */
static int cell_of(double x, double size, int n, double *part, bool *out) {
    const double at = x / size * (n - 1);
    *out = !(at > 0 && at < n - 1);
    if (!(at > 0)) return *part = 0, 0;
    if (at >= n - 1) return *part = 1, n - 2;
    const int i = (int)at;
    *part = at - i;
    return i;
}

static int kept_within(int i, int n) {
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* z - f(x, y) over the length of its gradient: first order in the distance, and zero where that is. */
static double above_heights(const struct sn__guide *g, const double x[3], double up[3]) {
    double part[2], across[4], along[4], unused;
    bool out[2];
    const int i = cell_of(x[0], g->size[0], g->nx, &part[0], &out[0]),
              j = cell_of(x[1], g->size[1], g->ny, &part[1], &out[1]);
    for (int r = 0; r < 4; r++) {
        const double *row = g->height + (size_t)kept_within(j - 1 + r, g->ny) * (size_t)g->nx;
        double y[4];
        for (int c = 0; c < 4; c++)
            y[c] = row[kept_within(i - 1 + c, g->nx)];
        across[r] = through(y, part[0], &along[r]);
    }
    double fy;
    const double f = through(across, part[1], &fy);
    double fx = through(along, part[1], &unused);
    fx *= out[0] ? 0 : (g->nx - 1) / g->size[0];
    fy *= out[1] ? 0 : (g->ny - 1) / g->size[1];
    const double length = sqrt(1 + fx * fx + fy * fy);
    up[0] = -fx / length, up[1] = -fy / length, up[2] = 1 / length;
    return (x[2] - f) / length;
}

double sn__surface_distance(const struct sn__guide *g, const double axis[3], const double x[3],
                            double up[3]) {
    if (g->type == SN_SURFACE_HEIGHTS) return above_heights(g, x, up);
    const double along = dvec_dot(axis, x);
    memcpy(up, axis, 3 * sizeof *up);
    if (g->type == SN_SURFACE_PLANE) return along;
    const double less = g->type == SN_SURFACE_CYLINDER ? along : 0;
    const double r[3] = {x[0] - less * axis[0], x[1] - less * axis[1], x[2] - less * axis[2]};
    const double length = dvec_length(r);
    for (int k = 0; k < 3 && length > 0; k++)
        up[k] = r[k] / length;
    return length - g->radius;
}

/* ------------------------------------------------------------------------------------------------ making one */

static sn_status check(const sn_surface_def *d, sn_error *error) {
    if (!d) return sn__fail(error, SN_ERROR_ARGUMENT, "the constraint has no surface");
    if ((unsigned)d->type >= SN_SURFACE_TYPE_COUNT)
        return sn__fail(error, SN_ERROR_ARGUMENT, "no such kind of surface");
    const bool round = d->type == SN_SURFACE_SPHERE || d->type == SN_SURFACE_CYLINDER;
    if (round && !(d->radius > 0 && d->radius < 1e100))
        return sn__fail(error, SN_ERROR_ARGUMENT, "the radius is %g: it must be positive and finite",
                        d->radius);
    if (d->type != SN_SURFACE_HEIGHTS) return SN_OK;
    if (d->nx < 2 || d->ny < 2 || d->nx > MOST_SIDE || d->ny > MOST_SIDE || !(d->size[0] > 0) ||
        !(d->size[1] > 0) || !isfinite(d->size[0]) || !isfinite(d->size[1]))
        return sn__fail(error, SN_ERROR_ARGUMENT, "heights need 2 to %d points each way and a size",
                        MOST_SIDE);
    if (!d->height == !d->sample)
        return sn__fail(error, SN_ERROR_ARGUMENT, "a surface needs either heights or a function");
    return SN_OK;
}

static sn_status fill(struct sn__guide *g, const sn_surface_def *d, sn_error *error) {
    const size_t n = (size_t)d->nx * (size_t)d->ny;
    g->nx = d->nx, g->ny = d->ny;
    memcpy(g->size, d->size, sizeof g->size);
    g->height = sn__alloc(n, sizeof *g->height);
    if (!g->height) return sn__fail(error, SN_ERROR_MEMORY, "no memory for %d by %d heights", g->nx, g->ny);
    for (size_t i = 0; i < n; i++) {
        const double x = g->size[0] * (double)(i % (size_t)g->nx) / (g->nx - 1),
                     y = g->size[1] * (double)(i / (size_t)g->nx) / (g->ny - 1);
        g->height[i] = d->sample ? d->sample(d->user, x, y) : d->height[i];
        if (!(fabs(g->height[i]) < 1e100))
            return sn__fail(error, SN_ERROR_ARGUMENT, "a height of the surface is not finite");
    }
    return SN_OK;
}

struct sn__guide *sn__guide_of_surface(const sn_surface_def *def, sn_error *error) {
    sn_surface_def own;
    if (def && !sn__definition_take("sn_surface_def", def, &own, error)) return NULL;
    if (check(def = def ? &own : NULL, error)) return NULL;
    struct sn__guide *g = sn__guide_new("surface", error);
    if (!g) return NULL;
    g->type = def->type;
    if (g->type == SN_SURFACE_SPHERE || g->type == SN_SURFACE_CYLINDER) g->radius = def->radius;
    if (g->type == SN_SURFACE_HEIGHTS && fill(g, def, error)) {
        sn__guide_free(g);
        return NULL;
    }
    const double numbers[] = {g->type, g->radius, g->nx, g->ny, g->size[0], g->size[1]};
    g->hash = sn__hash(numbers, sizeof numbers, 3);
    if (g->height) g->hash = sn__hash(g->height, (size_t)g->nx * (size_t)g->ny * sizeof *g->height, g->hash);
    return g;
}

struct sn__guide *sn__guide_new(const char *what, sn_error *error) {
    struct sn__guide *g = sn__alloc(1, sizeof *g);
    if (!g) sn__fail(error, SN_ERROR_MEMORY, "no memory for a %s", what);
    return g;
}

void sn__guide_free(struct sn__guide *g) {
    if (!g) return;
    sn__free(g->point), sn__free(g->tangent), sn__free(g->box), sn__free(g->height);
    sn__free(g);
}

size_t sn__guide_memory(const struct sn__guide *g) {
    const size_t each = 3 * (size_t)g->n * (g->tangent ? 2 : 1) + 12 * (size_t)g->leaves;
    return sizeof *g + sizeof(double) * (each + (size_t)g->nx * (size_t)g->ny);
}
