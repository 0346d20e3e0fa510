/* Contacts of hulls against brute force that shares no code with them: distances of solids that are apart over all corners,
   edges and triangles, of those that are not over all normals of faces and all products of edges. */
#include "run_tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collide/cast.h"
#include "collide/shape.h"
#include "collide_helpers.h"
#include "model/hull.h"

static int pairs(void) {
    return getenv("SINEW_TEST_SHORT") ? 500 : 10000;
}

static void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance)) print_error("%.12g is not %.12g to %g\n", a, b, tolerance);
    assert_true(fabs(a - b) <= tolerance);
}

/* ------------------------------------------------------------------------------------------------ the oracle */

enum { MOST_V = 16, MOST_E = 48, MOST_T = 32 };

/* Corners, edges and triangles in the world, and a radius around all. */
struct body {
    int nv, ne, nt;
    double v[MOST_V][3], radius;
    int e[MOST_E][2], t[MOST_T][3];
};

static void sub(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++)
        c[i] = a[i] - b[i];
}

static void cross(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void add_triangle(struct body *b, int i, int j, int k) {
    const int t[3] = {i, j, k};
    memcpy(b->t[b->nt++], t, sizeof t);
    for (int s = 0; s < 3; s++) {
        const int from = t[s], to = t[(s + 1) % 3];
        int known = 0;
        for (int e = 0; e < b->ne; e++)
            known |= b->e[e][0] == to && b->e[e][1] == from;
        if (!known) b->e[b->ne][0] = from, b->e[b->ne++][1] = to;
    }
}

static void place(const struct sn__geom *g, const double x[3], double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = g->pos[i] + g->R[i][0] * x[0] + g->R[i][1] * x[1] + g->R[i][2] * x[2];
}

static struct body body_of(const struct sn__geom *g) {
    struct body b = {0};
    if (g->type == SN__GEOM_HULL) {
        const sn_hull_info *h = sn_hull_get(g->hull);
        b.nv = h->nvertex;
        for (int i = 0; i < b.nv; i++) {
            double x[3];
            sub(h->vertex[i], h->centre, x);
            place(g, x, b.v[i]);
        }
        for (int f = 0; f < h->nface; f++)
            for (int i = h->first[f] + 1; i + 1 < h->first[f + 1]; i++)
                add_triangle(&b, h->corner[h->first[f]], h->corner[i], h->corner[i + 1]);
    } else if (g->type == SN__GEOM_BOX) {
        static const int quad[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
        b.nv = 8;
        for (int i = 0; i < 8; i++) {
            double x[3];
            for (int k = 0; k < 3; k++)
                x[k] = i >> k & 1 ? g->size[k] : -g->size[k];
            place(g, x, b.v[i]);
        }
        for (int f = 0; f < 6; f++) {
            add_triangle(&b, quad[f][0], quad[f][1], quad[f][2]);
            add_triangle(&b, quad[f][0], quad[f][2], quad[f][3]);
        }
    } else {
        const double half = g->type == SN__GEOM_CAPSULE ? g->size[1] : 0,
                     end[2][3] = {{0, 0, -half}, {0, 0, half}};
        b.nv = half > 0 ? 2 : 1, b.ne = half > 0, b.e[0][1] = 1;
        place(g, end[0], b.v[0]), place(g, end[1], b.v[1]);
        b.radius = g->size[0];
    }
    return b;
}

static double apart_along(const struct body *a, const struct body *b, const double n[3]) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < a->nv; i++)
        low = fmin(low, dot(n, a->v[i]));
    for (int i = 0; i < b->nv; i++)
        high = fmax(high, dot(n, b->v[i]));
    return low - high;
}

static void try_normal(const struct body *a, const struct body *b, double n[3], double *best) {
    const double length = sqrt(dot(n, n));
    if (length < 1e-9) return;
    for (int sign = -1; sign <= 1; sign += 2) {
        const double m[3] = {sign * n[0] / length, sign * n[1] / length, sign * n[2] / length};
        *best = fmax(*best, apart_along(a, b, m));
    }
}

/* Separating axes: the signed distance where it is negative. */
static double axes_apart(const struct body *a, const struct body *b) {
    const struct body *both[2] = {a, b};
    double best = -HUGE_VAL, u[3], v[3], n[3];
    for (int k = 0; k < 2; k++)
        for (int t = 0; t < both[k]->nt; t++) {
            const int *c = both[k]->t[t];
            sub(both[k]->v[c[1]], both[k]->v[c[0]], u), sub(both[k]->v[c[2]], both[k]->v[c[0]], v);
            cross(u, v, n);
            try_normal(a, b, n, &best);
        }
    for (int i = 0; i < a->ne; i++)
        for (int j = 0; j < b->ne; j++) {
            sub(a->v[a->e[i][1]], a->v[a->e[i][0]], u), sub(b->v[b->e[j][1]], b->v[b->e[j][0]], v);
            cross(u, v, n);
            try_normal(a, b, n, &best);
        }
    return best;
}

static double point_segment(const double p[3], const double a[3], const double b[3]) {
    double u[3], w[3], d[3];
    sub(b, a, u), sub(p, a, w);
    const double uu = dot(u, u), t = uu > 0 ? fmin(1, fmax(0, dot(w, u) / uu)) : 0;
    for (int i = 0; i < 3; i++)
        d[i] = w[i] - t * u[i];
    return sqrt(dot(d, d));
}

/* The nearest points of two lines, where both lie within; else the ends say it. */
static double segments(const double a[3], const double b[3], const double c[3], const double d[3]) {
    double u[3], v[3], w[3],
        best = fmin(fmin(point_segment(a, c, d), point_segment(b, c, d)),
                    fmin(point_segment(c, a, b), point_segment(d, a, b)));
    sub(b, a, u), sub(d, c, v), sub(a, c, w);
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), det = uu * vv - uv * uv;
    if (!(det > 1e-14 * uu * vv)) return best;
    const double s = (uv * dot(v, w) - vv * dot(u, w)) / det, t = (uu * dot(v, w) - uv * dot(u, w)) / det;
    if (s < 0 || s > 1 || t < 0 || t > 1) return best;
    double x[3];
    for (int i = 0; i < 3; i++)
        x[i] = w[i] + s * u[i] - t * v[i];
    return fmin(best, sqrt(dot(x, x)));
}

/* Over the inside of a triangle: height over its plane, where the foot is within. */
static double point_triangle(const double p[3], const double a[3], const double b[3], const double c[3]) {
    const double *corner[3] = {a, b, c};
    double u[3], v[3], n[3], w[3], m[3];
    sub(b, a, u), sub(c, a, v), cross(u, v, n), sub(p, a, w);
    for (int i = 0; i < 3; i++) {
        sub(corner[(i + 1) % 3], corner[i], u), sub(p, corner[i], v), cross(u, v, m);
        if (dot(m, n) < 0) return HUGE_VAL;
    }
    return fabs(dot(w, n)) / sqrt(dot(n, n));
}

static double features_apart(const struct body *a, const struct body *b) {
    const struct body *both[2] = {a, b};
    double best = HUGE_VAL;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < both[k]->nv; i++)
            for (int t = 0; t < both[!k]->nt; t++) {
                const int *c = both[!k]->t[t];
                best = fmin(best, point_triangle(both[k]->v[i], both[!k]->v[c[0]], both[!k]->v[c[1]],
                                                 both[!k]->v[c[2]]));
            }
    for (int i = 0; i < (a->ne ? a->ne : 1); i++)
        for (int j = 0; j < (b->ne ? b->ne : 1); j++)
            best =
                fmin(best, segments(a->v[a->e[i][0]], a->v[a->e[i][1]], b->v[b->e[j][0]], b->v[b->e[j][1]]));
    return best;
}

static double oracle(const struct sn__geom *g, const struct sn__geom *h) {
    const struct body a = body_of(g), b = body_of(h);
    const double axes = axes_apart(&a, &b);
    return (axes > 0 ? features_apart(&a, &b) : axes) - a.radius - b.radius;
}

/* ------------------------------------------------------------------------------------------------ random solids */

static sn_hull *random_hull(uint64_t *seed, int most) {
    double p[20][3];
    const int n = 4 + (int)(oracle_random(seed) * 16);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            p[i][k] = oracle_between(seed, -0.6, 0.6) * (k == 2 ? oracle_between(seed, 0.2, 1) : 1);
    sn_hull *hull = sn_hull_create(p[0], n, most, NULL);
    assert_non_null(hull);
    return hull;
}

static struct sn__geom random_solid(int type, uint64_t *seed, sn_hull **hull) {
    struct sn__geom g = {.type = SN__GEOM_HULL};
    *hull = NULL;
    if (type < SN__GEOM_HULL) g = random_geom((enum sn__geom_type)type, seed);
    if (type == SN__GEOM_HULL) {
        *hull = random_hull(seed, 12);
        g.hull = *hull;
        g.size[0] = g.hull->inner;
        oracle_rotation(seed, g.R);
    }
    for (int i = 0; i < 3; i++)
        g.pos[i] = oracle_between(seed, -0.8, 0.8);
    return g;
}

static double least_gap(const struct sn__touch *touch, int n) {
    double least = HUGE_VAL;
    for (int i = 0; i < n; i++)
        least = fmin(least, touch[i].gap);
    return least;
}

/* ------------------------------------------------------------------------------------------------------ tests */

TEST(distances_are_those_of_brute_force) {
    uint64_t seed = 5;
    int apart = 0, inside = 0;
    double worst = 0;
    for (int trial = 0; trial < pairs(); trial++) {
        sn_hull *one, *two;
        const struct sn__geom a = random_solid(trial % 5 == 4 ? SN__GEOM_HULL : trial % 5, &seed, &two),
                              b = random_solid(SN__GEOM_HULL, &seed, &one);
        const bool swap = trial % 2;
        struct sn__touch touch[MOST];
        const int n = swap ? sn__collide(&b, &a, 3, touch) : sn__collide(&a, &b, 3, touch);
        check_form(touch, n, 3);
        const double should = oracle(&a, &b), is = least_gap(touch, n);
        assert_true(n > 0);
        assert_near(is, should, 1e-6);
        worst = fmax(worst, fabs(is - should));
        *(should > 0 ? &apart : &inside) += 1;
        sn_hull_free(one), sn_hull_free(two);
    }
    print_message("%d apart, %d inside each other, worst difference %.1e m\n", apart, inside, worst);
    assert_true(apart > pairs() / 5 && inside > pairs() / 5);
}

/* The same hull, made of a box's corners. */
static struct sn__geom as_hull(const struct sn__geom *box, sn_hull **hull) {
    double p[8][3];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            p[i][k] = i >> k & 1 ? box->size[k] : -box->size[k];
    *hull = sn_hull_create(p[0], 8, 0, NULL);
    assert_non_null(*hull);
    struct sn__geom g = *box;
    g.type = SN__GEOM_HULL, g.hull = *hull, g.size[0] = (*hull)->inner, g.size[1] = g.size[2] = 0;
    return g;
}

static bool has_point(const struct sn__touch *list, int n, const struct sn__touch *t, double tolerance) {
    for (int i = 0; i < n; i++)
        if (distance(list[i].pos, t->pos) < tolerance && fabs(list[i].gap - t->gap) < tolerance &&
            dot(list[i].normal, t->normal) > 1 - 1e-6)
            return true;
    return false;
}

/* Boxes on boxes, planes and fields: a box as a hull has the points the box has. */
TEST(a_box_as_a_hull_touches_as_the_box) {
    uint64_t seed = 9;
    struct ground ground;
    make_ground(&ground, rough_ground, &seed);
    struct sn__geom plane = make(SN__GEOM_PLANE, 0, 0, 0);
    int all = 0, same = 0, field_all = 0, field_same = 0;
    for (int trial = 0; trial < 400; trial++) {
        struct sn__geom a = random_geom(SN__GEOM_BOX, &seed), b = random_geom(SN__GEOM_BOX, &seed);
        sn_hull *one, *two;
        const struct sn__geom c = as_hull(&a, &one), d = as_hull(&b, &two);
        struct sn__touch box[MOST], hull[MOST];
        int n = sn__collide(&a, &plane, 0.1, box), m = sn__collide(&c, &plane, 0.1, hull);
        assert_int_equal(n, m);
        for (int i = 0; i < n; i++)
            assert_true(has_point(hull, m, &box[i], 1e-9));
        n = sn__collide(&a, &b, 0.1, box), m = sn__collide(&c, &d, 0.1, hull);
        if (n > 0) {
            all++, same += n == m;
            assert_near(least_gap(hull, m), least_gap(box, n), 2e-3 * fabs(least_gap(box, n)) + 1e-5);
        }
        n = sn__collide(&a, &ground.geom, 0.1, box), m = sn__collide(&c, &ground.geom, 0.1, hull);
        for (int i = 0; i < n && n < MOST && m < MOST; i++)
            field_all++, field_same += has_point(hull, m, &box[i], 1e-7);
        sn_hull_free(one), sn_hull_free(two);
    }
    print_message("as many points in %d of %d pairs; %d of %d points on a field\n", same, all, field_same,
                  field_all);
    assert_true(same > 0.97 * all && field_same > 0.99 * field_all && field_all > 500);
}

/* Points of a contact are the same by name when it moves a little. */
TEST(features_stay_when_little_moves) {
    uint64_t seed = 12;
    int kept = 0, all = 0;
    for (int trial = 0; trial < 600; trial++) {
        sn_hull *one, *two;
        struct sn__geom a = random_solid(trial % 3 + 1, &seed, &two),
                        b = random_solid(SN__GEOM_HULL, &seed, &one);
        struct sn__touch before[MOST], after[MOST];
        const int n = sn__collide(&a, &b, 0.05, before);
        a.pos[0] += 1e-7, a.pos[2] -= 1e-7;
        turn(&a, 1, 1e-7);
        const int m = sn__collide(&a, &b, 0.05, after);
        for (int i = 0; i < n; i++) {
            bool found = false;
            for (int k = 0; k < m; k++)
                found |=
                    after[k].feature == before[i].feature && distance(after[k].pos, before[i].pos) < 1e-4;
            all++, kept += found;
        }
        sn_hull_free(one), sn_hull_free(two);
    }
    print_message("%d of %d\n", kept, all);
    assert_true(kept > 0.98 * all && all > 300);
}

TEST(rays_and_casts_meet_hulls) {
    uint64_t seed = 3;
    for (int trial = 0; trial < 300; trial++) {
        struct sn__geom box = random_geom(SN__GEOM_BOX, &seed);
        sn_hull *hull;
        const struct sn__geom g = as_hull(&box, &hull);
        double from[3], way[3];
        for (int i = 0; i < 3; i++)
            from[i] = oracle_between(&seed, -3, 3),
            way[i] = box.pos[i] - from[i] + oracle_between(&seed, -1, 1);
        struct sn__hit one = {0}, two = {0};
        assert_true(sn__cast_ray(&box, from, way, &one) == sn__cast_ray(&g, from, way, &two));
        assert_near(one.t, two.t, 1e-9);
        struct sn__geom moving = random_geom((enum sn__geom_type)(trial % 3), &seed);
        memcpy(moving.pos, from, sizeof from);
        one = two = (struct sn__hit){0};
        const bool meets = sn__cast_shape(&moving, way, &box, &one);
        assert_true(meets == sn__cast_shape(&moving, way, &g, &two));
        assert_near(one.t, two.t, 1e-6);
        const double back[3] = {-way[0], -way[1], -way[2]};
        struct sn__hit three = {0};
        assert_true(meets == sn__cast_shape(&g, back, &moving, &three));
        assert_near(one.t, three.t, 1e-6);
        sn_hull_free(hull);
    }
}

/* A prism of many sides lies on few of its points, which hold its middle between them. */
TEST(of_many_points_a_few_are_kept) {
    double p[200][3];
    for (int i = 0; i < 200; i++) {
        const double angle = 2 * M_PI * (i % 100) / 100;
        p[i][0] = cos(angle), p[i][1] = sin(angle), p[i][2] = i < 100 ? -0.5 : 0.5;
    }
    sn_hull *hull = sn_hull_create(p[0], 200, 0, NULL);
    assert_non_null(hull);
    assert_int_equal(sn_hull_get(hull)->nface, 102);
    struct sn__geom g = {.type = SN__GEOM_HULL,
                         .size = {hull->inner},
                         .R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                         .hull = hull},
                    other = g, plane = make(SN__GEOM_PLANE, 0, 0, 0);
    put(&g, 0, 0, 0.4999);
    put(&other, 0.5, 0, 1.4998);
    struct sn__touch touch[MOST];
    for (int with = 0; with < 2; with++) {
        const int n = with ? sn__collide(&g, &other, 0.01, touch) : sn__collide(&g, &plane, 0.01, touch);
        assert_in_range(n, 5, 8);
        double sum[2] = {0, 0};
        for (int i = 0; i < n; i++) {
            assert_near(touch[i].gap, -1e-4, 1e-9);
            sum[0] += touch[i].pos[0] / n, sum[1] += touch[i].pos[1] / n;
        }
        assert_true(fabs(sum[0] - (with ? 0.25 : 0)) < 0.2 && fabs(sum[1]) < 0.2);
    }
    sn_hull_free(hull);
}

TEST(bounds_reach_and_lowest_point_hold) {
    uint64_t seed = 31;
    for (int trial = 0; trial < 100; trial++) {
        sn_hull *hull;
        const struct sn__geom g = random_solid(SN__GEOM_HULL, &seed, &hull);
        const struct body b = body_of(&g);
        const struct sn__box box = sn__geom_bounds(&g);
        double up[3], at[3], low = HUGE_VAL;
        oracle_direction(&seed, up);
        for (int i = 0; i < b.nv; i++) {
            for (int k = 0; k < 3; k++)
                assert_true(b.v[i][k] >= box.min[k] - 1e-12 && b.v[i][k] <= box.max[k] + 1e-12);
            assert_true(distance(b.v[i], g.pos) <= sn__geom_reach(&g) + 1e-12);
            low = fmin(low, dot(up, b.v[i]));
        }
        assert_near(sn__lowest_point(&g, up, at), low, 1e-12);
        for (int k = 0; k < 50; k++) {
            double d[3];
            oracle_direction(&seed, d);
            double high = -HUGE_VAL;
            for (int i = 0; i < b.nv; i++)
                high = fmax(high, dot(d, b.v[i]) - dot(d, g.pos));
            assert_true(high >= sn__geom_inner(&g) - 1e-12);
        }
        sn_hull_free(hull);
    }
}

int main(void) {
    return run_all("collide hull");
}
