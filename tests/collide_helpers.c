#include "collide_helpers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A few hulls of random points, kept to the end. */
static const sn_hull *random_hull(uint64_t *seed) {
    enum { KINDS = 24 };
    static sn_hull *kept[KINDS];
    uint64_t own = 77;
    for (int k = 0; k < KINDS && !kept[KINDS - 1]; k++) {
        double p[12][3];
        for (int i = 0; i < 36; i++)
            p[i / 3][i % 3] = oracle_between(&own, -1.1, 1.1);
        kept[k] = sn_hull_create(p[0], 4 + k % 9, 0, NULL);
    }
    return kept[(int)(oracle_random(seed) * KINDS)];
}

struct sn__geom random_geom(enum sn__geom_type type, uint64_t *seed) {
    struct sn__geom g = make(type, 0, 0, 0);
    if (type == SN__GEOM_HULL) g.hull = random_hull(seed);
    for (int i = 0; i < 3; i++) {
        g.size[i] = oracle_between(seed, 0.1, 1);
        g.pos[i] = oracle_between(seed, -1, 1);
    }
    oracle_rotation(seed, g.R);
    return g;
}

void align(struct sn__geom *g, uint64_t *seed) {
    memset(g->R, 0, sizeof g->R);
    int first = (int)(oracle_random(seed) * 3);
    for (int i = 0; i < 3; i++) {
        g->R[(first + i) % 3][i] = 1;
        g->pos[i] = 0.25 * floor(oracle_between(seed, -4, 5));
        g->size[i] = 0.25 * floor(oracle_between(seed, 1, 5));
    }
    if (oracle_random(seed) < 0.3) g->size[1] = g->type == SN__GEOM_CAPSULE ? 0 : g->size[1];
    if (oracle_random(seed) < 0.5)
        turn(g, (int)(oracle_random(seed) * 3), oracle_random(seed) < 0.5 ? 0.25 * M_PI : 1e-9);
}

int deepest(const struct sn__touch *touch, int n) {
    int best = 0;
    for (int k = 1; k < n; k++)
        if (touch[k].gap < touch[best].gap) best = k;
    return best;
}

void own_points(const struct sn__touch *t, double on_a[3], double on_b[3]) {
    for (int i = 0; i < 3; i++) {
        on_a[i] = t->pos[i] + 0.5 * t->gap * t->normal[i];
        on_b[i] = t->pos[i] - 0.5 * t->gap * t->normal[i];
    }
}

void check_form(const struct sn__touch *touch, int n, double within) {
    assert_in_range(n, 0, MOST);
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < 3; i++)
            assert_true(isfinite(touch[k].pos[i]) && isfinite(touch[k].normal[i]));
        assert_true(fabs(dot(touch[k].normal, touch[k].normal) - 1) < 1e-12);
        assert_true(touch[k].gap < within);
        for (int l = 0; l < k; l++)
            assert_true(touch[k].feature != touch[l].feature);
    }
}

void check_same_points(const struct sn__touch *a, int na, const struct sn__touch *b, int nb, double sign) {
    for (int k = 0; k < na; k++) {
        bool found = a[k].gap > touch_margin - 1e-6;
        for (int l = 0; l < nb; l++)
            found |= distance(a[k].pos, b[l].pos) < 1e-6 && fabs(a[k].gap - b[l].gap) < 1e-7 &&
                     sign * dot(a[k].normal, b[l].normal) > 1 - 1e-9;
        assert_true(found);
    }
}

int collide(const struct sn__geom *a, const struct sn__geom *b, struct sn__touch touch[MOST]) {
    int n = sn__collide(a, b, touch_margin, touch);
    check_form(touch, n, touch_margin);
    return n;
}

void end_of(const struct sn__geom *g, int end, double p[3]) {
    for (int i = 0; i < 3; i++)
        p[i] = g->pos[i] + (end ? 1 : -1) * g->size[1] * g->R[i][2];
}

bool is_of_sphere(const struct sn__touch *t, const double p[3], double radius, const struct sn__geom *other,
                  double side) {
    double own[3], gap = oracle_point_distance(other, p) - radius;
    for (int i = 0; i < 3; i++)
        own[i] = t->pos[i] + side * (0.5 * t->gap + radius) * t->normal[i];
    return fabs(t->gap - gap) < 1e-9 && distance(own, p) < 1e-8;
}

unsigned ends_of(const struct sn__touch *t, const struct sn__geom *a, const struct sn__geom *b) {
    unsigned ends = 0;
    double p[3];
    for (int k = 0; k < 4; k++) {
        end_of(k < 2 ? a : b, k % 2, p);
        ends |= (unsigned)is_of_sphere(t, p, (k < 2 ? a : b)->size[0], k < 2 ? b : a, k < 2 ? 1 : -1) << k;
    }
    return ends;
}

void check_end_spheres(const struct sn__geom *a, const struct sn__geom *b, const struct sn__touch *touch,
                       int n) {
    double on_a[3], on_b[3];
    int best = deepest(touch, n);
    assert_in_range(n, 1, 5);
    for (int k = 0; k < n; k++) {
        for (int l = 0; l < k; l++) /* once each, also where an end meets an end */
            assert_true(distance(touch[k].pos, touch[l].pos) > 1e-5 * (a->size[0] + b->size[0]));
        if (k == best) continue;
        assert_true(ends_of(&touch[k], a, b) != 0);
        own_points(&touch[k], on_a, on_b);
        assert_true(oracle_point_distance(a, on_a) < 1e-8 && oracle_point_distance(b, on_b) < 1e-8);
        /* a cap seen from afar: no support of the pair is further apart than the nearest points */
        assert_true(oracle_apart(a, b, touch[k].normal) < touch[best].gap + 1e-8);
    }
}

/* ---------------------------------------------------------------------------------------------- height fields */

void make_ground(struct ground *g, ground_shape *shape, uint64_t *seed) {
    *g = (struct ground){.field = {.nx = NX, .ny = NY, .step = {0.5, 0.4}, .origin = {-2, -1.4, 0.3}}};
    g->field.lowest = HUGE_VAL, g->field.highest = -HUGE_VAL;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            double z = shape(-2 + 0.5 * i, -1.4 + 0.4 * j, seed);
            g->height[j * NX + i] = z;
            g->field.lowest = fmin(g->field.lowest, z + 0.3);
            g->field.highest = fmax(g->field.highest, z + 0.3);
        }
    g->field.height = g->height;
    g->geom = make(SN__GEOM_FIELD, 0, 0, 0);
    g->geom.field = &g->field;
}

double flat_ground(double x, double y, uint64_t *seed) {
    (void)x, (void)y, (void)seed;
    return 0;
}

double sloping_ground(double x, double y, uint64_t *seed) {
    (void)seed;
    return 0.3 * x - 0.2 * y;
}

double rough_ground(double x, double y, uint64_t *seed) {
    (void)x, (void)y;
    return oracle_between(seed, -0.2, 0.2);
}

double valley_ground(double x, double y, uint64_t *seed) {
    (void)y, (void)seed;
    return fabs(x);
}

double ridge_ground(double x, double y, uint64_t *seed) {
    (void)y, (void)seed;
    return -fabs(x);
}

double plateau_ground(double x, double y, uint64_t *seed) {
    (void)y, (void)seed;
    return fabs(x) < 0.6 ? 0 : -1;
}

struct sn__geom solid_above(const struct ground *g, enum sn__geom_type type, double low, double high,
                            uint64_t *seed) {
    struct sn__geom solid = random_geom(type, seed);
    for (int i = 0; i < 3; i++)
        solid.size[i] *= 0.4;
    put(&solid, oracle_between(seed, -2.2, 2.2), oracle_between(seed, -1.6, 1.6),
        g->field.origin[2] + oracle_between(seed, low, high));
    return solid;
}

int try_rough_ground(int cases, uint64_t seed, struct above above,
                     bool (*check)(const struct ground *g, struct sn__geom *a)) {
    int counted = 0;
    for (int n = 0; n < cases; n++) {
        struct ground g;
        make_ground(&g, rough_ground, &seed);
        struct sn__geom a = solid_above(&g, above.type, above.low, above.high, &seed);
        counted += check(&g, &a);
    }
    return counted;
}

void plane_of_even_ground(bool flat, struct sn__geom *plane) {
    const double up[3] = {flat ? 0 : -0.3, flat ? 0 : 0.2, 1}, length = sqrt(dot(up, up));
    for (int i = 0; i < 3; i++)
        plane->R[i][2] = up[i] / length;
    put(plane, 0, 0, 0.3);
}
