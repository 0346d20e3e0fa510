/* Rays against oracles that share no code with them. Solids: march along the ray by the signed distance, which never
   oversteps the surface. Height fields: their height at many points before the hit. */
#include "run_tests.h"

#include <math.h>
#include <stdint.h>

#include "cast_helpers.h"

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

static int try_ray(int n, enum sn__geom_type type, uint64_t *seed) {
    struct sn__geom g = random_geom(type, seed);
    double from[3], to[3], way[3];
    if (n % 3 == 0) align(&g, seed);
    random_point(seed, 2, from);
    random_point(seed, 1, to);
    for (int i = 0; i < 3; i++) {
        if (n % 6 == 0) from[i] = 0.25 * floor(4 * from[i]), to[i] = 0.25 * floor(4 * to[i]);
        way[i] = n % 4 == 1 && i == n % 3 ? 0 : oracle_between(seed, 0.9, 1.5) * (to[i] - from[i]);
        if (n % 6 == 0) way[i] = 2 * (to[i] - from[i]);
    }
    return check_ray(&g, from, way);
}

TEST(rays_meet_solids_where_marching_does) {
    try_types(SN__GEOM_PLANE, 100, (const double[3]){0.1, 0.1, 0.005}, try_ray);
}

/* Aimed past a round solid by a hair more and a hair less than its radius. */
TEST(rays_graze_round_solids) {
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

TEST(rays_of_special_kinds) {
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

TEST(rays_meet_fields_where_the_heights_say) {
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
    check_shares(count, (const double[3]){0.1, 0.2, 0.03});
    check_share(count[3], 0.03);
}

int main(void) {
    return run_all("cast ray");
}
