/* Moving shapes against oracles that share no code with them.
 *   Hit: the point is on both surfaces at t, so that they touch; and the normal shows that they are apart at t and come
 *     nearer along it, so that they are apart at every earlier t.
 *   Missed: some direction n has them apart at both ends of the way, and so at every t between. The oracle has to find
 *     one.
 *   Balls: march by the distance of their centre.
 *   Height fields: heights, corners and edges of the ground at many times before the hit; and where the ground is level,
 *     a box is the same solid. */
#include "run_tests.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "cast_helpers.h"
#include "collide/shape.h"

static const double exact = 1e-6; /* m */

/* The solid that a level field is, as a box. */
static struct sn__geom box_of_field(const struct sn__field *f) {
    double depth = 10;
    struct sn__geom box =
        make(SN__GEOM_BOX, 0.5 * (f->nx - 1) * f->step[0], 0.5 * (f->ny - 1) * f->step[1], depth);
    put(&box, f->origin[0] + box.size[0], f->origin[1] + box.size[1], f->highest - depth);
    return box;
}

TEST(a_level_field_is_a_deep_box) {
    uint64_t seed = 78;
    struct ground g;
    int hits[4] = {0, 0, 0, 0}, walls = 0;
    make_ground(&g, flat_ground, &seed);
    struct sn__geom box = box_of_field(&g.field);
    for (int n = 0; n < 4 * cases(); n++) {
        struct sn__geom a = solid_above(&g, (enum sn__geom_type)(n % 3), -1, 2, &seed);
        double way[3];
        struct sn__hit hit, other;
        random_point(&seed, 4, way);
        a.pos[0] *= 1.7, a.pos[1] *= 1.7;
        bool ray = n % 4 == 3, one, two;
        one = ray ? sn__cast_ray(&g.geom, a.pos, way, &hit) : sn__cast_shape(&a, way, &g.geom, &hit);
        two = ray ? sn__cast_ray(&box, a.pos, way, &other) : sn__cast_shape(&a, way, &box, &other);
        assert_int_equal(one, two);
        if (!one) continue;
        assert_true(fabs(hit.t - other.t) < 1e-6);
        hits[n % 4]++;
        if (hit.t == 0) continue;
        assert_true(dot(hit.normal, other.normal) > 1 - 1e-6);
        walls += fabs(hit.normal[2]) < 1e-6;
    }
    check_shares(hits, (const double[3]){0.2, 0.2, 0.2});
    check_share(hits[3], 0.2);
    check_share(walls, 0.2);
}

/* Along the border and beyond it; a grid of one line has no surface. */
TEST(beyond_its_border_a_field_is_nothing) {
    uint64_t seed = 1;
    struct ground g;
    struct sn__hit hit;
    make_ground(&g, flat_ground, &seed);
    const double down[3] = {0, 0, -9}, at[3] = {1.9999, 1.3999, 2}, beside[3] = {2.0001, 0, 2},
                 far[3] = {1e30, -1e30, 2};
    assert_true(sn__cast_ray(&g.geom, at, down, &hit) && fabs(hit.t - 1.7 / 9) < 1e-12);
    assert_false(sn__cast_ray(&g.geom, beside, down, &hit));
    assert_false(sn__cast_ray(&g.geom, far, down, &hit));
    struct sn__geom ball = make(SN__GEOM_SPHERE, 0.1, 0, 0);
    put(&ball, 2.0999, 0, 2);
    assert_true(sn__cast_shape(&ball, down, &g.geom, &hit) && hit.t > 1.69 / 9 && hit.normal[0] > 0.99);
    put(&ball, 2.1001, 0, 2);
    assert_false(sn__cast_shape(&ball, down, &g.geom, &hit));
    g.field.ny = 1;
    assert_false(sn__cast_ray(&g.geom, at, down, &hit));
}

/* ------------------------------------------------------------------------------------------------ moving shapes */

/* A random unit vector near n; across the way where the two pass each other at its middle. */
static void direction_near(const double n[3], double step, const double way[3], bool across, uint64_t *seed,
                           double out[3]) {
    double d[3];
    oracle_direction(seed, d);
    point_at(n, step, d, out);
    if (across) point_at(out, -dot(out, way) / dot(way, way), way, out);
    double length = sqrt(dot(out, out));
    for (int i = 0; i < 3; i++)
        out[i] /= length;
}

/* The most that some direction has the two apart at both ends of the way. */
static double apart_all_along(const struct sn__geom *a, const double way[3], const struct sn__geom *b,
                              bool across, uint64_t *seed) {
    double best = -HUGE_VAL, n[3] = {0, 0, 0}, m[3], step = 0.3;
    for (int tries = 0; tries < 3000 && step > 1e-10 && best <= 0; tries++) {
        bool start = tries < 200;
        direction_near(n, start ? 10 : step, way, across, seed, m);
        double apart = oracle_apart(a, b, m) + (across ? 0 : fmin(0, dot(way, m)));
        if (!start) step *= apart > best ? 1.5 : 0.95;
        if (apart > best) best = apart, memcpy(n, m, sizeof n);
    }
    return best;
}

/* Returns 0: missed, 1: hit, 2: in contact at the start. */
static int check_cast(const struct sn__geom *a, const double way[3], const struct sn__geom *b,
                      uint64_t *seed) {
    struct sn__hit hit;
    bool plane = b->type == SN__GEOM_PLANE, found = sn__cast_shape(a, way, b, &hit);
    const double up[3] = {b->R[0][2], b->R[1][2], b->R[2][2]};
    assert_int_equal(found && hit.t == 0, sn__overlap(a, b));
    if (!found) {
        double apart = plane ? oracle_apart(a, b, up) + fmin(0, dot(way, up)) : -1;
        for (int tries = 0; !plane && apart < -exact && tries < 20; tries++)
            apart = apart_all_along(a, way, b, tries % 2 == 0, seed);
        assert_true(apart > -exact);
        return 0;
    }
    check_hit_form(&hit);
    if (hit.t == 0) { /* no direction may have them clearly apart */
        assert_true((plane ? oracle_apart(a, b, up) : oracle_signed_distance(a, b, (*seed)++)) < exact);
        return 2;
    }
    struct sn__geom there = moved(a, hit.t, way);
    assert_true(fabs(oracle_point_distance(b, hit.pos)) < exact);
    assert_true(fabs(oracle_point_distance(&there, hit.pos)) < exact);
    assert_true(oracle_apart(&there, b, hit.normal) > -exact && dot(way, hit.normal) < 0);
    if (plane) assert_true(dot(up, hit.normal) > 1 - 1e-12);
    return 1;
}

static void try_casts(enum sn__geom_type ta, enum sn__geom_type tb) {
    uint64_t seed = 5000u + 10u * ta + tb;
    int count[3] = {0, 0, 0};
    for (int n = 0; n < cases(); n++) {
        struct sn__geom a = random_geom(ta, &seed), b = random_geom(tb, &seed);
        double out[3], way[3], turn_by = oracle_between(&seed, -1.2, 1.2);
        if (n % 4 == 0) align(&a, &seed), align(&b, &seed);
        if (n % 4 == 1) memcpy(a.R, b.R, sizeof a.R);
        if (n % 8 == 1) b.size[n % 3] *= 1e-4; /* thin */
        if (n % 8 == 5) turn(&a, n % 3, 1e-5);
        oracle_direction(&seed, out);
        for (int i = 0; i < 3; i++) {
            if (n % 8 == 0) out[i] = floor(1.5 * out[i] + 0.5); /* along axes: faces and edges in line */
            a.pos[i] += 3 * out[i];
            way[i] =
                -oracle_between(&seed, 3, 6) * out[i] + (n % 8 ? turn_by * oracle_between(&seed, -3, 3) : 0);
        }
        count[check_cast(&a, way, &b, &seed)]++;
    }
    check_shares(count, (const double[3]){0.03, 0.2, 0.0025});
}

TEST(shapes_meet_solids_as_the_oracle_says) {
    for (int a = SN__GEOM_SPHERE; a <= SN__GEOM_HULL; a++)
        for (int b = SN__GEOM_SPHERE; b <= SN__GEOM_PLANE; b++)
            try_casts((enum sn__geom_type)a, (enum sn__geom_type)b);
}

/* A ball is a ray against what is thicker by its radius: march by the exact distance of its centre. */
TEST(balls_meet_solids_where_marching_does) {
    uint64_t seed = 31;
    int hits = 0, misses = 0;
    for (int n = 0; n < cases(); n++) {
        struct sn__geom ball = random_geom(SN__GEOM_SPHERE, &seed),
                        b = random_geom((enum sn__geom_type)(n % 5), &seed);
        double way[3];
        struct sn__hit hit;
        for (int i = 0; i < 3; i++)
            ball.pos[i] *= 3, way[i] = -2 * ball.pos[i] + oracle_between(&seed, -2, 2);
        bool found = sn__cast_shape(&ball, way, &b, &hit);
        double soon = march(&b, ball.pos, way, ball.size[0] + exact, true),
               late = march(&b, ball.pos, way, ball.size[0] - exact, false);
        if (found)
            assert_true(soon <= hit.t && (late > 1 || hit.t <= late));
        else
            assert_true(late > 1);
        hits += found, misses += !found;
    }
    check_share(hits, 0.2);
    check_share(misses, 0.05);
}

/* Fast past, and into, a wire and a sheet that are thinner than any step would be. */
TEST(nothing_is_too_thin_or_too_fast) {
    uint64_t seed = 3;
    for (int n = 0; n < cases(); n++) {
        struct sn__geom a = random_geom((enum sn__geom_type)(n % 3), &seed);
        struct sn__geom wire = make(SN__GEOM_CAPSULE, 1e-9, 1, 0),
                        sheet = make(SN__GEOM_BOX, 1, 1, n % 2 ? 0 : 1e-9);
        double way[3];
        struct sn__hit hit;
        oracle_direction(&seed, way);
        oracle_rotation(&seed, wire.R);
        oracle_rotation(&seed, sheet.R);
        for (int i = 0; i < 3; i++) { /* through the middle, from 1 km away to 1 km away */
            way[i] *= 2000;
            a.size[i] *= 0.1;
            a.pos[i] = -0.5 * way[i];
        }
        assert_true(sn__cast_shape(&a, way, &sheet, &hit) && hit.t > 0.499 && hit.t < 0.5);
        assert_true(sn__cast_shape(&a, way, &wire, &hit) && hit.t > 0.499 && hit.t < 0.5);
        struct sn__geom there = moved(&a, hit.t, way);
        assert_true(fabs(oracle_point_distance(&there, hit.pos)) < exact);
        assert_true(fabs(oracle_point_distance(&wire, hit.pos)) < exact);
    }
}

TEST(shapes_in_touch_hit_at_once) {
    struct sn__geom box = make(SN__GEOM_BOX, 0.5, 0.5, 0.5), table = make(SN__GEOM_BOX, 2, 2, 1),
                    plane = make(SN__GEOM_PLANE, 0, 0, 0);
    const double none[3] = {0, 0, 0}, up[3] = {0, 0, 1}, level[3] = {3, 0, 0};
    const struct sn__geom *ground[] = {&table, &plane};
    struct sn__hit hit;
    for (int k = 0; k < 2; k++)
        for (double depth = -1e-10; depth < 0.1; depth += 0.05) {
            put(&box, 0.3, 0.2, (k ? 0.5 : 1.5) - depth);
            assert_true(sn__overlap(&box, ground[k]) && sn__overlap(ground[k], &box));
            assert_true(sn__cast_shape(&box, none, ground[k], &hit) && hit.t == 0 && hit.normal[2] > 1 - 1e-9);
            assert_true(sn__cast_shape(&box, up, ground[k], &hit) && hit.t == 0 && hit.normal[2] > 1 - 1e-9);
            assert_true(sn__cast_shape(&box, level, ground[k], &hit) && hit.t == 0);
            put(&box, 0.3, 0.2, (k ? 0.5 : 1.5) + 1e-6); /* a hair above: slides on */
            assert_false(sn__overlap(&box, ground[k]));
            assert_false(sn__cast_shape(&box, level, ground[k], &hit));
            assert_false(sn__cast_shape(&box, none, ground[k], &hit));
        }
    assert_false(sn__overlap(&plane, &plane));
    assert_false(sn__cast_shape(&plane, level, &table, &hit));
}

/* ------------------------------------------------------------------------------------------ moving shapes, fields */

/* The deepest that corners and edges of the ground are in the solid. */
static double ground_in_solid(const struct sn__field *f, const struct sn__geom *a) {
    enum { STEPS = 8 };
    double deepest_point = HUGE_VAL, reach = sn__geom_reach(a);
    for (int j = 0; j < f->ny; j++)
        for (int i = 0; i < f->nx; i++)
            for (int kind = 1; kind < 4; kind++) {
                int ei = i + (kind & 1), ej = j + (kind >> 1);
                double x = f->origin[0] + i * f->step[0], y = f->origin[1] + j * f->step[1],
                       h = f->height[j * f->nx + i];
                if (ei >= f->nx || ej >= f->ny) continue;
                if (fabs(x - a->pos[0]) > reach + f->step[0] || fabs(y - a->pos[1]) > reach + f->step[1])
                    continue;
                for (int k = 0; k <= STEPS; k++) {
                    double s = (double)k / STEPS;
                    double p[3] = {x + s * (ei - i) * f->step[0], y + s * (ej - j) * f->step[1],
                                   f->origin[2] + h + s * (f->height[ej * f->nx + ei] - h)};
                    deepest_point = fmin(deepest_point, oracle_point_distance(a, p));
                }
            }
    return deepest_point;
}

/* How far the corners of a box, or the balls at the ends of a capsule, are above the ground (over the grid). */
static double solid_in_ground(const struct sn__field *f, const struct sn__geom *a) {
    double least = HUGE_VAL;
    for (int corner = 0; corner < 8; corner++) {
        double p[3];
        for (int i = 0; i < 3; i++) {
            p[i] = a->pos[i];
            for (int k = 0; k < 3; k++) {
                double half = a->type == SN__GEOM_BOX                 ? a->size[k]
                              : a->type == SN__GEOM_CAPSULE && k == 2 ? a->size[1]
                                                                      : 0;
                p[i] += (corner >> k & 1 ? half : -half) * a->R[i][k];
            }
        }
        double above = over_ground(f, p);
        if (a->type != SN__GEOM_BOX && above > 0 && corner % 4 == 0)
            above = oracle_field_distance(f, p) - a->size[0];
        least = fmin(least, above);
    }
    return least;
}

static int check_field_cast(const struct ground *g, const struct sn__geom *a, const double way[3],
                            uint64_t *seed) {
    enum { TIMES = 3 };
    struct sn__hit hit;
    bool found = sn__cast_shape(a, way, &g->geom, &hit);
    assert_int_equal(found && hit.t == 0, sn__overlap(a, &g->geom));
    if (found && hit.t == 0) return 2;
    for (int k = 0; k < TIMES; k++) { /* clear all the way there, and just before */
        double t = (found ? hit.t : 1) * (k == 0 ? 1 : oracle_random(seed));
        struct sn__geom there = moved(a, t, way);
        assert_true(ground_in_solid(&g->field, &there) > -exact &&
                    solid_in_ground(&g->field, &there) > -exact);
    }
    if (!found) return 0;
    check_hit_form(&hit);
    assert_true(dot(way, hit.normal) < 0);
    struct sn__geom there = moved(a, hit.t, way);
    assert_true(fabs(oracle_point_distance(&there, hit.pos)) < exact);
    if (on_border(&g->field, hit.pos)) return 1;
    assert_true(fabs(over_ground(&g->field, hit.pos)) < exact);
    return 1;
}

static int try_field(int n, enum sn__geom_type type, uint64_t *seed) {
    struct ground g;
    make_ground(&g, n % 5 ? rough_ground : n % 2 ? ridge_ground : plateau_ground, seed);
    struct sn__geom a = solid_above(&g, type, 0.2, 1.5, seed);
    double way[3];
    random_point(seed, 2, way);
    way[2] = oracle_between(seed, -2, 0.3);
    if (n % 5 == 1) way[0] = way[1] = 0;
    if (n % 5 == 2) way[2] *= 0.1;
    return check_field_cast(&g, &a, way, seed);
}

TEST(shapes_meet_fields_as_the_oracle_says) {
    try_types(SN__GEOM_BOX, 900, (const double[3]){0.05, 0.2, 0.0025}, try_field);
}

/* ------------------------------------------------------------------------------------------------- lowest points */

TEST(lowest_points_are_the_support) {
    uint64_t seed = 12;
    for (int n = 0; n < cases(); n++) {
        struct sn__geom g = random_geom((enum sn__geom_type)(n % 3), &seed);
        double up[3], down[3], at[3];
        oracle_direction(&seed, up);
        if (n % 4 == 0) align(&g, &seed), up[0] = up[1] = 0, up[2] = 1;
        for (int i = 0; i < 3; i++)
            down[i] = -up[i];
        double low = sn__lowest_point(&g, up, at);
        assert_true(fabs(low + oracle_support(&g, down)) < 1e-8 && fabs(low - dot(up, at)) < 1e-12);
        assert_true(fabs(oracle_point_distance(&g, at)) < 1e-8);
    }
    /* the middle of what is as low */
    struct sn__geom box = make(SN__GEOM_BOX, 1, 2, 3), plane = make(SN__GEOM_PLANE, 0, 0, 0);
    const double z[3] = {0, 0, 1};
    double at[3];
    put(&box, 5, 6, 7);
    assert_true(sn__lowest_point(&box, z, at) == 4 && at[0] == 5 && at[1] == 6);
    assert_true(sn__lowest_point(&plane, z, at) == -HUGE_VAL);
}

int main(void) {
    return run_all("cast");
}
