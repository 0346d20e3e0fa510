/* Rays and moving shapes against oracles that share no code with them.
 *   A ray against a solid: march along it by the signed distance, which never oversteps the surface.
 *   A moving shape against a solid, hit: the point is on both surfaces at t, so that they touch; and the normal shows
 *     that they are apart at t and come nearer along it, so that they are apart at every earlier t.
 *   A moving shape against a solid, missed: some direction n has them apart at both ends of the way, and so at every t
 *     between. The oracle has to find one.
 *   Height fields: heights, corners and edges of the ground at many times before the hit; and where the ground is level,
 *     a box is the same solid. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collide/cast.h"
#include "collide/shape.h"
#include "collide_helpers.h"

/* valgrind is slow */
static int cases(void) {
    return getenv("SINEW_TEST_SHORT") ? 300 : 10000;
}

/* At least this part of the cases was of the kind it should be. */
static void check_share(int count, double share) {
    assert_true(count > share * cases());
}

static const double exact = 1e-6; /* m */

static void point_at(const double from[3], double t, const double way[3], double p[3]) {
    for (int i = 0; i < 3; i++)
        p[i] = from[i] + t * way[i];
}

static struct sn__geom moved(const struct sn__geom *g, double t, const double way[3]) {
    struct sn__geom m = *g;
    point_at(g->pos, t, way, m.pos);
    return m;
}

static void random_point(uint64_t *seed, double reach, double p[3]) {
    for (int i = 0; i < 3; i++)
        p[i] = oracle_between(seed, -reach, reach);
}

static void check_hit_form(const struct sn__hit *hit) {
    assert_true(hit->t >= 0 && hit->t <= 1);
    assert_true(fabs(dot(hit->normal, hit->normal) - 1) < 1e-12);
    for (int i = 0; i < 3; i++)
        assert_true(isfinite(hit->pos[i]));
}

/* ------------------------------------------------------------------------------------------------- rays, solids */

/* The first t where the signed distance is not above `near`; above 1: none. Along a face it goes on for very long: then
   the t it has come to is too early, and 2 too late. */
static double march(const struct sn__geom *g, const double from[3], const double way[3], double near,
                    bool early) {
    double length = sqrt(dot(way, way)), t = 0, p[3];
    for (int step = 0; step < 5000 && t <= 1; step++) {
        point_at(from, t, way, p);
        double d = oracle_point_distance(g, p);
        if (d <= near + 1e-12) return t;
        t += (d - near) / length;
    }
    return early ? t : 2;
}

/* The slope of the signed distance at p. */
static void oracle_normal(const struct sn__geom *g, const double p[3], double n[3]) {
    const double h = 1e-7;
    for (int i = 0; i < 3; i++) {
        double a[3] = {p[0], p[1], p[2]}, b[3] = {p[0], p[1], p[2]};
        a[i] += h, b[i] -= h;
        n[i] = (oracle_point_distance(g, a) - oracle_point_distance(g, b)) / (2 * h);
    }
}

/* Returns 0: missed, 1: hit from outside, 2: started inside. */
static int check_ray(const struct sn__geom *g, const double from[3], const double way[3]) {
    struct sn__hit hit;
    bool found = sn__cast_ray(g, from, way, &hit);
    double start = oracle_point_distance(g, from), length = sqrt(dot(way, way)), p[3], n[3];
    if (start < 0) {
        assert_true(found && hit.t == 0 && distance(hit.pos, from) == 0);
        assert_true(fabs(dot(hit.normal, way) + length) < 1e-12 * (1 + length));
        return 2;
    }
    double outer = march(g, from, way, 1e-7, true), inner = march(g, from, way, -1e-7, false);
    if (!found) {
        assert_true(inner > 1); /* it must not get clearly inside */
        return 0;
    }
    check_hit_form(&hit);
    point_at(from, hit.t, way, p);
    assert_true(distance(p, hit.pos) < 1e-12 && fabs(oracle_point_distance(g, hit.pos)) < 1e-9);
    /* it touches no sooner, and not later than it is clearly inside */
    assert_true(outer <= hit.t + 1e-12 && (inner > 1 || hit.t <= inner + 1e-12));
    for (double back = 1e-5; back < 1; back *= 3) { /* and is outside all the way there */
        point_at(from, hit.t * (1 - back), way, p);
        assert_true(oracle_point_distance(g, p) > -1e-12);
    }
    oracle_normal(g, hit.pos, n);
    if (sqrt(dot(n, n)) > 1 - 1e-5) assert_true(dot(n, hit.normal) > 1 - 1e-5); /* not on an edge */
    assert_true(dot(hit.normal, way) <= 1e-9);
    return 1;
}

static void rays_meet_solids_where_marching_does(void **state) {
    (void)state;
    for (int type = SN__GEOM_SPHERE; type <= SN__GEOM_PLANE; type++) {
        uint64_t seed = 100 + (uint64_t)type;
        int count[3] = {0, 0, 0};
        for (int n = 0; n < cases(); n++) {
            struct sn__geom g = random_geom((enum sn__geom_type)type, &seed);
            double from[3], to[3], way[3];
            if (n % 3 == 0) align(&g, &seed);
            random_point(&seed, 2, from);
            random_point(&seed, 1, to);
            for (int i = 0; i < 3; i++) {
                if (n % 6 == 0) from[i] = 0.25 * floor(4 * from[i]), to[i] = 0.25 * floor(4 * to[i]);
                way[i] = n % 4 == 1 && i == n % 3 ? 0 : oracle_between(&seed, 0.9, 1.5) * (to[i] - from[i]);
                if (n % 6 == 0) way[i] = 2 * (to[i] - from[i]);
            }
            count[check_ray(&g, from, way)]++;
        }
        check_share(count[0], 0.1);
        check_share(count[1], 0.1);
        check_share(count[2], 0.005);
    }
}

/* Aimed past a round solid by a hair more and a hair less than its radius. */
static void rays_graze_round_solids(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int n = 0; n < cases(); n++) {
        struct sn__geom g = random_geom(n % 2 ? SN__GEOM_SPHERE : SN__GEOM_CAPSULE, &seed);
        double out[3], along[3], from[3], way[3], end = n % 2 ? 0 : oracle_between(&seed, -1, 1) * g.size[1];
        double axis[3] = {g.R[0][2], g.R[1][2], g.R[2][2]}, hair = n % 4 < 2 ? 1e-7 : -1e-7;
        oracle_direction(&seed, out);
        if (n % 2 == 0) { /* across the axis */
            double part = dot(out, axis), length = sqrt(1 - part * part);
            for (int i = 0; i < 3; i++)
                out[i] = (out[i] - part * axis[i]) / length;
        }
        oracle_direction(&seed, along);
        double part = dot(along, out);
        for (int i = 0; i < 3; i++) {
            way[i] = 4 * (along[i] - part * out[i]);
            from[i] = g.pos[i] + end * axis[i] + (g.size[0] + hair) * out[i] - 0.5 * way[i];
        }
        struct sn__hit hit;
        assert_int_equal(sn__cast_ray(&g, from, way, &hit), hair < 0);
    }
}

static void rays_of_special_kinds(void **state) {
    (void)state;
    struct sn__geom box = make(SN__GEOM_BOX, 1, 1, 1), plane = make(SN__GEOM_PLANE, 0, 0, 0),
                    ball = make(SN__GEOM_SPHERE, 1, 0, 0), rod = make(SN__GEOM_CAPSULE, 1, 1, 0);
    struct sn__hit hit;
    const struct sn__geom *all[] = {&box, &plane, &ball, &rod};
    const double none[3] = {0, 0, 0}, up[3] = {0, 0, 5}, down[3] = {0, 0, -5}, level[3] = {5, 0, 0};
    const double inside[3] = {0.1, 0.2, -0.3}, above[3] = {0, 0, 3}, touching[3] = {0.5, 0.5, 1};
    for (int k = 0; k < 4; k++) {
        assert_true(sn__cast_ray(all[k], inside, none, &hit) && hit.t == 0 && hit.normal[2] == 1);
        assert_true(sn__cast_ray(all[k], inside, level, &hit) && hit.t == 0 && hit.normal[0] == -1);
        assert_false(sn__cast_ray(all[k], above, none, &hit));
        assert_false(sn__cast_ray(all[k], above, up, &hit));
        assert_false(sn__cast_ray(all[k], above, level, &hit)); /* parallel to the plane */
        assert_true(sn__cast_ray(all[k], above, down, &hit) && hit.normal[2] == 1);
        assert_true(fabs(hit.t - (k == 1 ? 0.6 : k == 3 ? 0.2 : 0.4)) < 1e-15);
    }
    assert_true(sn__cast_ray(&box, touching, down, &hit) && hit.t == 0 && hit.normal[2] == 1);
    assert_false(sn__cast_ray(&box, touching, up, &hit));
    assert_false(sn__cast_ray(&box, touching, level, &hit));
    /* exactly as far as the surface */
    const double reach[3] = {0, 0, -2};
    assert_true(sn__cast_ray(&box, above, reach, &hit) && hit.t == 1);
    assert_true(sn__cast_ray(&ball, above, reach, &hit) && hit.t == 1);
    /* a sheet without thickness */
    struct sn__geom sheet = make(SN__GEOM_BOX, 1, 1, 0);
    assert_true(sn__cast_ray(&sheet, above, down, &hit) && fabs(hit.t - 0.6) < 1e-15);
}

/* ------------------------------------------------------------------------------------------------- rays, fields */

/* How far p is above the ground; HUGE_VAL beside it. */
static double over_ground(const struct sn__field *f, const double p[3]) {
    double z;
    return oracle_field_height(f, p[0], p[1], &z) ? p[2] - z : HUGE_VAL;
}

static bool on_border(const struct sn__field *f, const double p[3]) {
    double x = p[0] - f->origin[0], y = p[1] - f->origin[1], nx = (f->nx - 1) * f->step[0],
           ny = (f->ny - 1) * f->step[1];
    return fmin(fmin(fabs(x), fabs(x - nx)), fmin(fabs(y), fabs(y - ny))) < 1e-9;
}

static int check_field_ray(const struct ground *g, const double from[3], const double way[3],
                           uint64_t *seed) {
    enum { SAMPLES = 40 };
    struct sn__hit hit;
    double p[3];
    bool found = sn__cast_ray(&g->geom, from, way, &hit);
    if (over_ground(&g->field, from) < -1e-12) {
        assert_true(found && hit.t == 0);
        return 2;
    }
    double until = found ? hit.t : 1;
    for (int k = 0; k < SAMPLES; k++) {
        point_at(from, until * (k + oracle_random(seed)) / SAMPLES, way, p);
        assert_true(over_ground(&g->field, p) > -1e-9);
    }
    if (!found) return 0;
    check_hit_form(&hit);
    point_at(from, hit.t, way, p);
    assert_true(distance(p, hit.pos) < 1e-12);
    assert_true(dot(hit.normal, way) < 1e-9);
    if (hit.normal[2] == 0) { /* a wall */
        assert_true(on_border(&g->field, hit.pos));
        point_at(from, hit.t + 1e-9, way, p);
        assert_true(over_ground(&g->field, p) < 1e-6);
        return 3;
    }
    double z;
    for (int i = 0; i < 3; i++) /* onto the grid where rounding has it just outside */
        p[i] = hit.pos[i] + (i < 2 ? (hit.pos[i] > 0 ? -1e-11 : 1e-11) : 0);
    assert_true(oracle_field_height(&g->field, p[0], p[1], &z) && fabs(z - hit.pos[2]) < 1e-9);
    return 1;
}

static void rays_meet_fields_where_the_heights_say(void **state) {
    (void)state;
    uint64_t seed = 77;
    int count[4] = {0, 0, 0, 0};
    for (int n = 0; n < cases(); n++) {
        struct ground g;
        make_ground(&g, n % 4 ? rough_ground : plateau_ground, &seed);
        double from[3], way[3];
        random_point(&seed, 2.5, from);
        random_point(&seed, 3, way);
        from[2] = oracle_between(&seed, -0.3, 1.5);
        way[2] = oracle_between(&seed, -4, 0.5);
        if (n % 5 == 1) way[0] = way[1] = 0;                          /* straight down */
        if (n % 5 == 2) way[n & 1] = 0;                               /* along an axis */
        if (n % 10 == 3) from[0] = -0.5, from[1] = 0.2;               /* over a grid point */
        if (n % 10 == 3) way[0] = 1.5, way[1] = 1.2;                  /* along the edge across the cells */
        if (n % 10 == 4) from[0] = 0.5, way[0] = 0, way[2] = -1;      /* along a line of the grid */
        if (n % 10 == 5) from[2] = 0.55, way[0] *= 2, way[2] *= 0.03; /* nearly level */
        count[check_field_ray(&g, from, way, &seed)]++;
    }
    check_share(count[0], 0.1);
    check_share(count[1], 0.2);
    check_share(count[2], 0.03);
    check_share(count[3], 0.03);
}

/* The solid that a level field is, as a box. */
static struct sn__geom box_of_field(const struct sn__field *f) {
    double depth = 10;
    struct sn__geom box =
        make(SN__GEOM_BOX, 0.5 * (f->nx - 1) * f->step[0], 0.5 * (f->ny - 1) * f->step[1], depth);
    put(&box, f->origin[0] + box.size[0], f->origin[1] + box.size[1], f->highest - depth);
    return box;
}

static void a_level_field_is_a_deep_box(void **state) {
    (void)state;
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
    check_share(hits[0], 0.2);
    check_share(hits[1], 0.2);
    check_share(hits[2], 0.2);
    check_share(hits[3], 0.2);
    check_share(walls, 0.2);
}

/* Along the border and beyond it; a grid of one line has no surface. */
static void beyond_its_border_a_field_is_nothing(void **state) {
    (void)state;
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

/* Returns 0: missed, 1: hit, 2: in touch at the start. */
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
    check_share(count[0], 0.03);
    check_share(count[1], 0.2);
    check_share(count[2], 0.0025);
}

static void shapes_meet_solids_as_the_oracle_says(void **state) {
    (void)state;
    for (int a = SN__GEOM_SPHERE; a <= SN__GEOM_BOX; a++)
        for (int b = SN__GEOM_SPHERE; b <= SN__GEOM_PLANE; b++)
            try_casts((enum sn__geom_type)a, (enum sn__geom_type)b);
}

/* A ball is a ray against what is thicker by its radius: march by the exact distance of its centre. */
static void balls_meet_solids_where_marching_does(void **state) {
    (void)state;
    uint64_t seed = 31;
    int hits = 0, misses = 0;
    for (int n = 0; n < cases(); n++) {
        struct sn__geom ball = random_geom(SN__GEOM_SPHERE, &seed),
                        b = random_geom((enum sn__geom_type)(n % 4), &seed);
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
static void nothing_is_too_thin_or_too_fast(void **state) {
    (void)state;
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

static void shapes_in_touch_hit_at_once(void **state) {
    (void)state;
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

static void shapes_meet_fields_as_the_oracle_says(void **state) {
    (void)state;
    for (int type = SN__GEOM_SPHERE; type <= SN__GEOM_BOX; type++) {
        uint64_t seed = 900 + (uint64_t)type;
        int count[3] = {0, 0, 0};
        for (int n = 0; n < cases(); n++) {
            struct ground g;
            make_ground(&g, n % 5 ? rough_ground : n % 2 ? ridge_ground : plateau_ground, &seed);
            struct sn__geom a = solid_above(&g, (enum sn__geom_type)type, 0.2, 1.5, &seed);
            double way[3];
            random_point(&seed, 2, way);
            way[2] = oracle_between(&seed, -2, 0.3);
            if (n % 5 == 1) way[0] = way[1] = 0;
            if (n % 5 == 2) way[2] *= 0.1;
            count[check_field_cast(&g, &a, way, &seed)]++;
        }
        check_share(count[0], 0.05);
        check_share(count[1], 0.2);
        check_share(count[2], 0.0025);
    }
}

/* ------------------------------------------------------------------------------------------------- lowest points */

static void lowest_points_are_the_support(void **state) {
    (void)state;
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_meet_solids_where_marching_does),
        cmocka_unit_test(rays_graze_round_solids),
        cmocka_unit_test(rays_of_special_kinds),
        cmocka_unit_test(rays_meet_fields_where_the_heights_say),
        cmocka_unit_test(a_level_field_is_a_deep_box),
        cmocka_unit_test(beyond_its_border_a_field_is_nothing),
        cmocka_unit_test(shapes_meet_solids_as_the_oracle_says),
        cmocka_unit_test(balls_meet_solids_where_marching_does),
        cmocka_unit_test(nothing_is_too_thin_or_too_fast),
        cmocka_unit_test(shapes_in_touch_hit_at_once),
        cmocka_unit_test(shapes_meet_fields_as_the_oracle_says),
        cmocka_unit_test(lowest_points_are_the_support),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
