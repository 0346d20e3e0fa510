/* Ground that is not flat: one field of heights, a function of the place and a seed; episodes begin anywhere on it. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/error.h"
#include "base/memory.h"
#include "learn/imitate.h"
#include "learn/random.h"

/* Episodes begin so far from the middle at most; none comes nearer to the edge than that; none goes further than that. */
static const double BEGIN = 8, EDGE = 1, FURTHEST = 32;

/* ----------------------------------------------------------------------------------------------------- heights */

enum layer { BUMPS = 1, SLOPES, STEPS, CHOICE };

/* A number in (0, 1) of each point of a lattice. */
static double at_lattice(uint64_t seed, enum layer layer, double i, double j) {
    const uint64_t cell = (uint64_t)(uint32_t)(int32_t)i << 32 | (uint32_t)(int32_t)j;
    struct sn__random r = sn__random_at(seed, SN__STREAM_TERRAIN, (uint32_t)layer, cell);
    return sn__random_uniform(&r);
}

/* Between the points of a lattice with level tangents there: s(u) = 3 u^2 - 2 u^3 each way. */
static double smooth(uint64_t seed, enum layer layer, double size, double x, double y) {
    const double i = floor(x / size), j = floor(y / size), u = x / size - i, v = y / size - j;
    const double s = u * u * (3 - 2 * u), t = v * v * (3 - 2 * v);
    const double near = (1 - s) * at_lattice(seed, layer, i, j) + s * at_lattice(seed, layer, i + 1, j);
    const double far =
        (1 - s) * at_lattice(seed, layer, i, j + 1) + s * at_lattice(seed, layer, i + 1, j + 1);
    return (1 - t) * near + t * far;
}

static double steps(uint64_t seed, double x, double y) {
    return at_lattice(seed, STEPS, floor(x), floor(y));
}

/* Half slopes, half bumps or steps, by squares of four metres. */
static double mixed(uint64_t seed, double x, double y) {
    const bool bumpy = at_lattice(seed, CHOICE, floor(x / 4), floor(y / 4)) < .5;
    return .5 * smooth(seed, SLOPES, 6, x, y) +
           .5 * (bumpy ? smooth(seed, BUMPS, 1, x, y) : steps(seed, x, y));
}

static double height_of(const sn_imitation_def *def, double x, double y) {
    const uint64_t seed = def->terrain_seed;
    switch (def->terrain) {
    case SN_TERRAIN_FLAT:
        return 0;
    case SN_TERRAIN_BUMPS:
        return def->terrain_height * smooth(seed, BUMPS, 1, x, y);
    case SN_TERRAIN_SLOPES:
        return def->terrain_height * smooth(seed, SLOPES, 6, x, y);
    case SN_TERRAIN_STEPS:
        return def->terrain_height * steps(seed, x, y);
    case SN_TERRAIN_MIXED:
        return def->terrain_height * mixed(seed, x, y);
    }
    return 0;
}

/* As fine as what is on it: the wall of a step is as wide as a cell. */
static double cell_of(sn_terrain terrain) {
    return terrain == SN_TERRAIN_SLOPES ? .5 : terrain == SN_TERRAIN_BUMPS ? .2 : .1;
}

static double speed_of(const struct sn__reference *r) {
    const float *first = r->q, *last = r->q + (size_t)(r->rows - 1) * (size_t)r->nq;
    const double way = sn__hypot((double)(last[0] - first[0]), (double)(last[1] - first[1]));
    return r->duration > 0 ? way / r->duration : 0;
}

/* As far as an episode may go, m. */
static double reach_of(const struct sn__imitate *im) {
    double speed = 0;
    for (int i = 0; i < im->motions; i++)
        speed = fmax(speed, speed_of(&im->reference[i]));
    if (im->locomotion && im->def.command > 0)
        speed = fmax(fabs(im->def.command_speed[0]), fabs(im->def.command_speed[1]));
    return fmin(speed * im->def.limit + 1, FURTHEST);
}

sn_status sn__terrain_make(struct sn__imitate *im, sn_error *error) {
    struct sn__imitate_terrain *t = &im->terrain;
    if (im->def.terrain == SN_TERRAIN_FLAT) return SN_OK;
    t->step = cell_of(im->def.terrain);
    const int each = (int)ceil((BEGIN + reach_of(im) + EDGE) / t->step);
    t->half = t->step * each;
    t->n = 2 * each + 1;
    t->height = sn__alloc((size_t)t->n * (size_t)t->n, sizeof *t->height);
    if (!t->height)
        return sn__fail(error, SN_ERROR_MEMORY, "no memory for a terrain of %d by %d points", t->n, t->n);
    for (int j = 0; j < t->n; j++)
        for (int i = 0; i < t->n; i++) /* a little beside lattice points, where steps jump */
            t->height[(size_t)j * (size_t)t->n + (size_t)i] =
                height_of(&im->def, t->step * (i - each + .25), t->step * (j - each + .25));
    return SN_OK;
}

sn_status sn__terrain_add(const struct sn__imitate *im, sn_world *world, const sn_shape_def *ground,
                          sn_error *error) {
    const struct sn__imitate_terrain *t = &im->terrain;
    const sn_heightfield_def field = {.struct_size = sizeof(sn_heightfield_def),
                                      .nx = t->n,
                                      .ny = t->n,
                                      .size = {2 * t->half, 2 * t->half},
                                      .origin = {-t->half, -t->half, 0},
                                      .height = t->height};
    return sn_world_add_heightfield(world, &field, ground, error) < 0 ? SN_ERROR_MEMORY : SN_OK;
}

/* The triangle below: cells are cut from their lowest x and y to their highest. */
double sn__terrain_height(const struct sn__imitate_terrain *t, double x, double y) {
    if (!t->height) return 0;
    const double u = fmin(fmax((x + t->half) / t->step, 0), t->n - 1),
                 v = fmin(fmax((y + t->half) / t->step, 0), t->n - 1);
    const int i = u >= t->n - 1 ? t->n - 2 : (int)u, j = v >= t->n - 1 ? t->n - 2 : (int)v;
    const double *h = t->height + (size_t)j * (size_t)t->n + (size_t)i, *g = h + t->n;
    const double a = u - i, b = v - j;
    return b > a ? h[0] + b * (g[0] - h[0]) + a * (g[1] - g[0])
                 : h[0] + a * (h[1] - h[0]) + b * (g[1] - h[1]);
}

/* ------------------------------------------------------------------------------------------------ episodes */

/* Heights in a grid that lies ahead of the root and turns with its heading, against the height below the root. */
float *sn__terrain_observe(const struct sn__imitate *im, const struct sn__imitate_view *view,
                           const float h[2], float *out) {
    const float *root = view->pose;
    for (int i = 0; i < SN__TERRAIN_AHEAD; i++)
        for (int j = 0; j < SN__TERRAIN_ACROSS; j++) {
            const double a = SN__TERRAIN_SPACING * i - SN__TERRAIN_BEHIND,
                         b = SN__TERRAIN_SPACING * (j - (SN__TERRAIN_ACROSS - 1) / 2);
            const double x = (double)root[0] + (double)h[0] * a - (double)h[1] * b,
                         y = (double)root[1] + (double)h[1] * a + (double)h[0] * b;
            *out++ = (float)(sn__terrain_height(&im->terrain, x, y) - (double)view->ground);
        }
    return out;
}

/* The start of an episode goes to a place of its own, and as far above the ground as on a flat one. */
sn_status sn__terrain_place(const struct sn__imitate *im, sn_part *part, int copy, size_t row) {
    const struct sn__imitate_room *room = part->own;
    const sn_episode *e = &part->episode[copy];
    struct sn__imitate_copy *c = sn__imitate_copy(im, part, copy);
    const struct sn__reference *reference = &im->reference[c->motion];
    struct sn__random r = sn__random_at(e->seed, SN__STREAM_PLACE, e->item, e->count - 1);
    float *state = room->state_q + copy * im->nq;
    double *q = sn__alloc((size_t)im->nq, sizeof *q);
    if (!q) return SN_ERROR_MEMORY;
    for (int k = 0; k < 2; k++) {
        const double at = BEGIN * (2 * sn__random_uniform(&r) - 1);
        c->offset[k] = at - (double)state[k];
        state[k] = (float)at;
    }
    for (int i = 0; i < im->nq; i++)
        q[i] = (double)state[i];
    const sn_status status = sn_world_stand(part->world, SN__CHARACTER, q);
    if (!status) state[2] = (float)(q[2] + (double)(reference->lift[row] - reference->stood[row]));
    sn__free(q);
    return status;
}

bool sn__terrain_left(const struct sn__imitate *im, const float *q) {
    const double most = im->terrain.half - EDGE;
    return im->terrain.height && !(fabs((double)q[0]) <= most && fabs((double)q[1]) <= most);
}
