/* Solids on a height field, against planes and against the nearest of all triangles. */
#include "run_tests.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collide_helpers.h"

/* Ground of many level triangles is a plane, whatever lies on it: same normals, same least gap, no ghosts of edges. */
TEST(an_even_field_is_a_plane) {
    uint64_t seed = 5;
    for (int n = 0; n < 3000; n++) {
        struct ground g;
        make_ground(&g, n % 2 ? flat_ground : sloping_ground, &seed);
        struct sn__geom a = solid_above(&g, (enum sn__geom_type)(n % 3), -0.5, 1, &seed),
                        plane = make(SN__GEOM_PLANE, 0, 0, 0);
        put(&a, 0.5 * a.pos[0], 0.3 * a.pos[1], a.pos[2]);        /* not over the border */
        if (n % 5 == 0) put(&a, n % 2 ? 0 : 0.5, -0.2, a.pos[2]); /* right over grid points */
        plane_of_even_ground(n % 2, &plane);
        struct sn__touch touch[MOST], other[MOST];
        int count = sn__collide(&a, &g.geom, touch_margin, touch),
            expected = sn__collide(&a, &plane, touch_margin, other);
        check_form(touch, count, touch_margin);
        check_same_points(touch, count, other, expected, 1);
        check_same_points(other, expected, touch, count, 1);
        assert_int_equal(count, expected);
    }
}

/* The gap of a sphere is its distance from the nearest triangle. */
static bool sphere_touches(const struct ground *g, struct sn__geom *a) {
    struct sn__touch touch[MOST];
    int count = collide(a, &g->geom, touch);
    double z, apart = oracle_field_distance(&g->field, a->pos) - a->size[0];
    bool over = oracle_field_height(&g->field, a->pos[0], a->pos[1], &z);
    for (int k = 0; k < count; k++)
        assert_true(touch[k].normal[2] > 0);
    if (over && a->pos[2] < z) {
        /* in the ground: up, by the plane of the triangle above */
        assert_int_equal(count, 1);
        double rise = (z - a->pos[2]) * touch[0].normal[2]; /* of the centre, along the normal */
        assert_true(fabs(-touch[0].gap - a->size[0] - rise) < 1e-9);
        return false;
    }
    if (!over && count == 0) return false; /* beside and below the border there is nothing */
    assert_true(count > 0 ? fabs(touch[deepest(touch, count)].gap - apart) < 1e-9
                          : apart > touch_margin - 1e-9);
    return count > 0;
}

TEST(sphere_on_a_field_has_the_distance_of_the_surface) {
    const struct above near = {SN__GEOM_SPHERE, -0.4, 0.8};
    assert_true(try_rough_ground(4000, 11, near, sphere_touches) > 800);
}

/* A capsule whose axis is above the ground: its least gap is that of the nearest of its balls. */
TEST(capsule_on_a_field_has_the_distance_of_its_balls) {
    enum { STEPS = 40 };
    uint64_t seed = 13;
    int touching = 0, between = 0;
    for (int n = 0; n < 1500; n++) {
        struct ground g;
        make_ground(&g, rough_ground, &seed);
        struct sn__geom a = solid_above(&g, SN__GEOM_CAPSULE, 0, 0.8, &seed);
        struct sn__touch touch[MOST];
        put(&a, 0.6 * a.pos[0], 0.6 * a.pos[1], a.pos[2]);
        int count = collide(&a, &g.geom, touch);
        double nearest = HUGE_VAL, at = 0;
        bool dips = false;
        for (int k = -STEPS; k <= STEPS; k++) {
            double t = a.size[1] * k / STEPS, p[3], z;
            for (int i = 0; i < 3; i++)
                p[i] = a.pos[i] + t * a.R[i][2];
            dips |= !oracle_field_height(&g.field, p[0], p[1], &z) || p[2] < z;
            double d = oracle_field_distance(&g.field, p);
            if (d < nearest) nearest = d, at = t;
        }
        if (dips) continue;
        for (double step = a.size[1] / STEPS; step > 1e-10; step *= 0.5)
            for (int side = -1; side <= 1; side += 2) {
                double t = fmax(-a.size[1], fmin(a.size[1], at + side * step)), p[3];
                for (int i = 0; i < 3; i++)
                    p[i] = a.pos[i] + t * a.R[i][2];
                double d = oracle_field_distance(&g.field, p);
                if (d < nearest) nearest = d, at = t;
            }
        if (nearest < 1e-6) continue; /* dips between two of the steps */
        double gap = count ? touch[deepest(touch, count)].gap : touch_margin;
        if (count == 0) {
            assert_true(nearest - a.size[0] > touch_margin - 1e-6);
            continue;
        }
        assert_true(fabs(gap - (nearest - a.size[0])) < 1e-6);
        touching++;
        between += fabs(fabs(at) - a.size[1]) > 1e-3;
    }
    assert_true(touching > 300 && between > 40);
}

/* How deep a point of the solid lies in the ground, straight down; over many points of its surface. */
static double sunk(const struct sn__geom *a, const struct sn__field *f, double lift) {
    enum { STEPS = 12 };
    double most = -HUGE_VAL;
    for (int i = -STEPS; i <= STEPS; i++)
        for (int j = -STEPS; j <= STEPS; j++)
            for (int k = -STEPS; k <= STEPS; k++) {
                bool surface = abs(i) == STEPS || abs(j) == STEPS || abs(k) == STEPS;
                const double x[3] = {a->size[0] * i / STEPS, a->size[1] * j / STEPS, a->size[2] * k / STEPS};
                double p[3], z;
                if (!surface) continue;
                for (int m = 0; m < 3; m++)
                    p[m] = a->pos[m] + dot(a->R[m], x);
                /* a rough look first: the search through all triangles is slow */
                if (p[2] + lift > f->highest || !oracle_field_height(f, p[0], p[1], &z)) continue;
                most = fmax(most, z - p[2] - lift);
            }
    return most;
}

/* A box in the ground has a touch; lifted by what the touches ask for, it is out. A box that is clear has none below 0. */
static bool box_is_lifted(const struct ground *g, struct sn__geom *a) {
    put(a, 0.6 * a->pos[0], 0.6 * a->pos[1], a->pos[2]);
    struct sn__touch touch[MOST];
    int count = collide(a, &g->geom, touch);
    double lift = 0;
    for (int k = 0; k < count; k++) {
        assert_true(touch[k].normal[2] > 0);
        lift = fmax(lift, -touch[k].gap / touch[k].normal[2]);
    }
    if (!(sunk(a, &g->field, 0) > 0)) return false;
    assert_true(lift > 0);
    assert_true(sunk(a, &g->field, lift) < 1e-9);
    return true;
}

TEST(box_on_a_field_is_lifted_out) {
    const struct above near = {SN__GEOM_BOX, -0.1, 0.5};
    assert_true(try_rough_ground(150, 19, near, box_is_lifted) > 40);
}

TEST(shapes_of_the_ground_hold_what_lies_on_them) {
    struct ground g;
    struct sn__touch touch[MOST];
    uint64_t seed = 1;
    /* a ball in a valley of 45 degrees: both sides, and their normals cancel sideways */
    struct sn__geom ball = make(SN__GEOM_SPHERE, 0.2, 0, 0);
    make_ground(&g, valley_ground, &seed);
    put(&ball, 0, 0.13, 0.3 + 0.2 * sqrt(2) - 1e-3);
    int n = collide(&ball, &g.geom, touch);
    assert_int_equal(n, 2);
    assert_true(fabs(touch[0].normal[0] + touch[1].normal[0]) < 1e-12 && fabs(touch[0].normal[0]) > 0.7);
    /* and on a ridge: straight up */
    make_ground(&g, ridge_ground, &seed);
    put(&ball, 0, 0.13, 0.3 + 0.2 - 1e-3);
    assert_int_equal(collide(&ball, &g.geom, touch), 1);
    assert_true(touch[0].normal[2] > 1 - 1e-12 && fabs(touch[0].gap + 1e-3) < 1e-12);
    /* a rod across the ridge touches between its ends, above and, pushed through, below its axis */
    struct sn__geom rod = make(SN__GEOM_CAPSULE, 0.1, 0.4, 0), box = make(SN__GEOM_BOX, 0.3, 0.1, 0.1);
    turn(&rod, 1, 0.5 * M_PI);
    for (double z = 0.35; z > 0.2; z -= 0.1) {
        put(&rod, 0.01, 0.13, z);
        n = collide(&rod, &g.geom, touch);
        int k = deepest(touch, n);
        assert_true(n > 0 && touch[k].normal[2] > 0.999 && fabs(touch[k].gap - (z - 0.4)) < 1e-9);
    }
    /* a box smaller than a cell across the ridge: two edges of the box, and it can rest there */
    put(&box, 0.02, 0, 0.3 + 0.1 - 1e-3);
    n = collide(&box, &g.geom, touch);
    assert_int_equal(n, 2);
    assert_true(fabs(touch[0].pos[1] - touch[1].pos[1]) > 0.19);
    for (int k = 0; k < n; k++)
        assert_true(touch[k].normal[2] > 1 - 1e-9 && fabs(touch[k].gap + 1e-3) < 1e-9 &&
                    fabs(touch[k].pos[0]) < 1e-9);
    /* a plate larger than the plateau lies on the rim of it; a rod as well */
    make_ground(&g, plateau_ground, &seed);
    struct sn__geom plate = make(SN__GEOM_BOX, 0.9, 0.3, 0.05);
    put(&plate, 0, 0.1, 0.3 + 0.05 - 1e-3);
    n = collide(&plate, &g.geom, touch);
    assert_true(n >= 4);
    double low = 0, high = 0;
    for (int k = 0; k < n; k++) {
        assert_true(fabs(touch[k].gap + 1e-3) < 1e-9 && touch[k].normal[2] > 1 - 1e-9);
        low = fmin(low, touch[k].pos[0]), high = fmax(high, touch[k].pos[0]);
    }
    assert_true(low < -0.49 && high > 0.49);
    put(&rod, 0, 0.1, 0.3 + 0.1 - 1e-3);
    rod.size[1] = 0.8;
    n = collide(&rod, &g.geom, touch);
    assert_int_equal(n, 2);
    assert_true(fabs(touch[0].pos[0] - touch[1].pos[0]) > 0.99);
    struct sn__box bounds = sn__geom_bounds(&g.geom);
    assert_true(bounds.min[0] == -2 && fabs(bounds.max[0] - 2) < 1e-12 && fabs(bounds.max[1] - 1.4) < 1e-12);
    assert_true(bounds.max[2] == g.field.highest && bounds.min[2] < -1e30); /* solid all the way down */
    /* outside the grid there is nothing */
    put(&ball, 3, 0, 0);
    assert_int_equal(collide(&ball, &g.geom, touch), 0);
    put(&plate, 1e30, -1e30, 0);
    assert_int_equal(collide(&plate, &g.geom, touch), 0);
}

/* Big things over many small cells: never more than there is room for, the deepest among them, spread out. */
TEST(too_many_points_are_thinned_out) {
    uint64_t seed = 23;
    struct ground g;
    make_ground(&g, rough_ground, &seed);
    struct sn__geom plate = make(SN__GEOM_BOX, 1.9, 1.3, 0.5), rod = make(SN__GEOM_CAPSULE, 0.3, 1.5, 0);
    struct sn__touch touch[MOST];
    put(&plate, 0, 0, 0.3 + 0.5);
    int n = collide(&plate, &g.geom, touch);
    assert_int_equal(n, MOST);
    assert_true(fabs(touch[deepest(touch, n)].gap + (g.field.highest - 0.3)) < 0.05);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < n; k++)
        low = fmin(low, touch[k].pos[0]), high = fmax(high, touch[k].pos[0]);
    assert_true(high - low > 2);
    turn(&rod, 1, 0.5 * M_PI);
    put(&rod, 0, 0, 0.5);
    assert_true(collide(&rod, &g.geom, touch) > 2);
}

int main(void) {
    return run_all("collide field");
}
