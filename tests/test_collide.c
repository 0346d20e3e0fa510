/* Contacts of shapes against an oracle that shares no code with them. For a direction n, the support functions say how
 * far two convex solids are apart along n; the signed distance is the largest of these over all n. So a contact proves
 * itself: its gap must be how far apart the solids are along its normal, which no true signed distance can be below,
 * and
 *   apart: its two points lie on the two surfaces, so the distance cannot be above the gap either;
 *   inside: no direction that the oracle tries is better by more than the stated preference for faces. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collide/collide.h"
#include "collide_oracle.h"

enum { MOST = SN__MOST_TOUCHES };

static const double margin = 0.1;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double distance(const double a[3], const double b[3]) {
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(dot(d, d));
}

static struct sn__geom make(enum sn__geom_type type, double s0, double s1, double s2) {
    struct sn__geom g = {.type = type, .size = {s0, s1, s2}, .R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return g;
}

static void put(struct sn__geom *g, double x, double y, double z) {
    g->pos[0] = x, g->pos[1] = y, g->pos[2] = z;
}

/* A turn about one of the axes. */
static void turn(struct sn__geom *g, int axis, double angle) {
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    for (int k = 0; k < 3; k++) {
        double a = g->R[i][k], b = g->R[j][k];
        g->R[i][k] = cos(angle) * a - sin(angle) * b;
        g->R[j][k] = sin(angle) * a + cos(angle) * b;
    }
}

static struct sn__geom random_geom(enum sn__geom_type type, uint64_t *seed) {
    struct sn__geom g = make(type, 0, 0, 0);
    for (int i = 0; i < 3; i++) {
        g.size[i] = oracle_between(seed, 0.1, 1);
        g.pos[i] = oracle_between(seed, -1, 1);
    }
    oracle_rotation(seed, g.R);
    return g;
}

/* One of the 24 turns that take axes to axes, and places on a coarse raster: everything ties with everything. */
static void align(struct sn__geom *g, uint64_t *seed) {
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

static int deepest(const struct sn__touch *touch, int n) {
    int best = 0;
    for (int k = 1; k < n; k++)
        if (touch[k].gap < touch[best].gap) best = k;
    return best;
}

static void own_points(const struct sn__touch *t, double on_a[3], double on_b[3]) {
    for (int i = 0; i < 3; i++) {
        on_a[i] = t->pos[i] + 0.5 * t->gap * t->normal[i];
        on_b[i] = t->pos[i] - 0.5 * t->gap * t->normal[i];
    }
}

/* Finite, unit normals, within the margin, features all different. */
static void check_form(const struct sn__touch *touch, int n, double within) {
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

/* The points of b's list with the normal turned by `sign`; allows what lies on the rim of the margin. */
static void check_same_points(const struct sn__touch *a, int na, const struct sn__touch *b, int nb,
                              double sign) {
    for (int k = 0; k < na; k++) {
        bool found = a[k].gap > margin - 1e-6;
        for (int l = 0; l < nb; l++)
            found |= distance(a[k].pos, b[l].pos) < 1e-6 && fabs(a[k].gap - b[l].gap) < 1e-7 &&
                     sign * dot(a[k].normal, b[l].normal) > 1 - 1e-9;
        assert_true(found);
    }
}

/* Faces are preferred by 1e-3 of the depth and 1e-6 of the size, which is at most 6. */
static double preference(double gap) {
    return 2e-3 * fabs(gap) + 1e-5;
}

/* The direction of a way carries the rounding of its ends, 1e-16 of the size, divided by its length; across a size of 6
   that is what a gap may be wrong by. */
static double rounding(double gap) {
    return 1e-8 + 1e-14 / gap;
}

/* The end of a capsule's axis, 0 or 1. */
static void end_of(const struct sn__geom *g, int end, double p[3]) {
    for (int i = 0; i < 3; i++)
        p[i] = g->pos[i] + (end ? 1 : -1) * g->size[1] * g->R[i][2];
}

/* The touch is that of a's sphere around p with b: as far away as the oracle says, p on its normal. `side` -1: the
   sphere is of the other of the two. */
static bool is_of_sphere(const struct sn__touch *t, const double p[3], double radius,
                         const struct sn__geom *other, double side) {
    double own[3], gap = oracle_point_distance(other, p) - radius;
    for (int i = 0; i < 3; i++)
        own[i] = t->pos[i] + side * (0.5 * t->gap + radius) * t->normal[i];
    return fabs(t->gap - gap) < 1e-9 && distance(own, p) < 1e-8;
}

/* Between two capsules: which ends (bits 0, 1 of a; 2, 3 of b) this touch is the sphere of. */
static unsigned ends_of(const struct sn__touch *t, const struct sn__geom *a, const struct sn__geom *b) {
    unsigned ends = 0;
    double p[3];
    for (int k = 0; k < 4; k++) {
        end_of(k < 2 ? a : b, k % 2, p);
        ends |= (unsigned)is_of_sphere(t, p, (k < 2 ? a : b)->size[0], k < 2 ? b : a, k < 2 ? 1 : -1) << k;
    }
    return ends;
}

/* All touches but the nearest are end spheres against the whole other capsule, with their own normals. */
static void check_end_spheres(const struct sn__geom *a, const struct sn__geom *b,
                              const struct sn__touch *touch, int n) {
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

/* All that holds for any two solids, and a solid and a plane. Returns how many. */
static int check_pair(const struct sn__geom *a, const struct sn__geom *b, bool search, uint64_t seed) {
    struct sn__touch touch[MOST], other[MOST];
    int n = sn__collide(a, b, margin, touch);
    check_form(touch, n, margin);
    bool plane = b->type == SN__GEOM_PLANE;
    double up[3] = {b->R[0][2], b->R[1][2], b->R[2][2]};
    if (n == 0) {
        /* nothing within the margin: some direction must show it */
        double apart = plane ? oracle_apart(a, b, up) : -DBL_MAX;
        for (int tries = 0; !plane && apart < margin && tries < 50; tries++)
            apart = oracle_signed_distance(a, b, seed++);
        assert_true(apart > margin - 1e-6);
        return 0;
    }
    const struct sn__touch *t = &touch[deepest(touch, n)];
    double on_a[3], on_b[3], apart = oracle_apart(a, b, t->normal);
    own_points(t, on_a, on_b);
    assert_true(fabs(apart - t->gap) < (t->gap > 0 ? rounding(t->gap) : preference(t->gap)));
    if (t->gap > 0 || a->type == SN__GEOM_SPHERE) {
        assert_true(fabs(oracle_point_distance(a, on_a)) < 1e-8);
        if (t->gap > 0 || b->type != SN__GEOM_BOX) assert_true(fabs(oracle_point_distance(b, on_b)) < 1e-8);
    }
    if (plane) assert_true(dot(t->normal, up) > 1 - 1e-12);
    if (search && !plane)
        assert_true(oracle_signed_distance(a, b, seed) <
                    t->gap + (t->gap > 0 ? rounding(t->gap) : preference(t->gap)));
    for (int k = 0; k < n; k++) {
        /* no point outside its solid by more than the preference lets it */
        own_points(&touch[k], on_a, on_b);
        double slack = t->gap > 0 ? 1e-8 : 1e-7 + 20 * preference(t->gap);
        assert_true(oracle_point_distance(a, on_a) < slack && oracle_point_distance(b, on_b) < slack);
    }
    if (a->type == SN__GEOM_CAPSULE && b->type == SN__GEOM_CAPSULE) check_end_spheres(a, b, touch, n);
    int m = sn__collide(b, a, margin, other);
    check_form(other, m, margin);
    assert_true(fabs(other[deepest(other, m)].gap - t->gap) <
                (t->gap > 0 ? rounding(t->gap) : preference(t->gap)));
    return n;
}

static bool near_margin(const struct sn__touch *touch, int n) {
    for (int k = 0; k < n; k++)
        if (touch[k].gap > margin - 1e-5) return true;
    return false;
}

/* In general position: the order does not matter, nor where in the world, nor a tiny motion. */
static void check_invariance(const struct sn__geom *a, const struct sn__geom *b, uint64_t *seed) {
    struct sn__touch touch[MOST], other[MOST];
    int n = sn__collide(a, b, margin, touch);
    if (near_margin(touch, n)) return;
    int m = sn__collide(b, a, margin, other);
    check_same_points(touch, n, other, m, -1);
    check_same_points(other, m, touch, n, -1);

    struct sn__geom moved[2] = {*a, *b};
    double R[3][3], shift[3];
    oracle_rotation(seed, R);
    oracle_direction(seed, shift);
    for (int g = 0; g < 2; g++)
        for (int i = 0; i < 3; i++) {
            const struct sn__geom *from = g ? b : a;
            moved[g].pos[i] = shift[i] + dot(R[i], from->pos);
            for (int k = 0; k < 3; k++)
                moved[g].R[i][k] =
                    R[i][0] * from->R[0][k] + R[i][1] * from->R[1][k] + R[i][2] * from->R[2][k];
        }
    m = sn__collide(&moved[0], &moved[1], margin, other);
    for (int k = 0; k < n; k++) {
        double p[3], d[3];
        for (int i = 0; i < 3; i++)
            p[i] = shift[i] + dot(R[i], touch[k].pos), d[i] = dot(R[i], touch[k].normal);
        memcpy(touch[k].pos, p, sizeof p);
        memcpy(touch[k].normal, d, sizeof d);
    }
    check_same_points(touch, n, other, m, 1);
    check_same_points(other, m, touch, n, 1);

    struct sn__geom nudged = moved[0];
    turn(&nudged, 0, 1e-10);
    nudged.pos[1] += 1e-10;
    int count = sn__collide(&nudged, &moved[1], margin, touch);
    assert_int_equal(count, m);
    for (int k = 0; k < m; k++)
        assert_int_equal(touch[k].feature, other[k].feature);
}

/* Moves a so that the pair is apart by about `gap`, along the centres. */
static void bring_to(struct sn__geom *a, const struct sn__geom *b, double gap) {
    for (int n = 0; n < 4; n++) {
        double d[3] = {a->pos[0] - b->pos[0], a->pos[1] - b->pos[1], a->pos[2] - b->pos[2]};
        double length = sqrt(dot(d, d)), apart;
        for (int i = 0; i < 3; i++)
            d[i] /= length;
        apart = b->type == SN__GEOM_PLANE
                    ? oracle_apart(a, b, (double[3]){b->R[0][2], b->R[1][2], b->R[2][2]})
                    : oracle_signed_distance(a, b, 7);
        for (int i = 0; i < 3; i++)
            a->pos[i] += (gap - apart) * (b->type == SN__GEOM_PLANE ? b->R[i][2] : d[i]);
    }
}

static void try_pair(enum sn__geom_type ta, enum sn__geom_type tb, int apart, int random, int aligned) {
    uint64_t seed = 1000u * ta + tb;
    int touching = 0;
    for (int n = 0; n < random; n++) {
        struct sn__geom a = random_geom(ta, &seed), b = random_geom(tb, &seed);
        touching += check_pair(&a, &b, n % 4 == 0, seed) > 0;
        check_invariance(&a, &b, &seed);
    }
    for (int n = 0; n < apart; n++) {
        struct sn__geom a = random_geom(ta, &seed), b = random_geom(tb, &seed);
        if (ta == tb && n % 3 == 0) memcpy(a.R, b.R, sizeof a.R);                /* parallel */
        if (n % 6 == 0) turn(&a, n % 9 / 3, oracle_between(&seed, -0.09, 0.09)); /* or nearly */
        bring_to(&a, &b, oracle_between(&seed, -0.05, 0.09));
        touching += check_pair(&a, &b, true, seed) > 0;
        if (n % 3) check_invariance(&a, &b, &seed);
    }
    for (int n = 0; n < aligned; n++) {
        struct sn__geom a = random_geom(ta, &seed), b = random_geom(tb, &seed);
        align(&a, &seed);
        align(&b, &seed);
        touching += check_pair(&a, &b, n % 8 == 0, seed) > 0;
    }
    assert_true(touching > (random + apart + aligned) / 4);
}

static void solids_touch_as_the_oracle_says(void **state) {
    (void)state;
    for (int a = SN__GEOM_SPHERE; a <= SN__GEOM_BOX; a++)
        for (int b = a; b <= SN__GEOM_PLANE; b++)
            try_pair((enum sn__geom_type)a, (enum sn__geom_type)b, 200, 3000, 3000);
}

/* ----------------------------------------------------------------------------------------- how things can rest */

static int collide(const struct sn__geom *a, const struct sn__geom *b, struct sn__touch touch[MOST]) {
    int n = sn__collide(a, b, margin, touch);
    check_form(touch, n, margin);
    return n;
}

/* All n touches have this normal, this gap, and the centre of a is between them, seen along z. */
static void check_rest(const struct sn__geom *a, const struct sn__geom *b, int count, double gap) {
    struct sn__touch touch[MOST];
    int n = collide(a, b, touch);
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    assert_int_equal(n, count);
    for (int k = 0; k < n; k++) {
        assert_true(touch[k].normal[2] > 1 - 1e-9);
        assert_true(fabs(touch[k].gap - gap) < 1e-9);
        for (int i = 0; i < 2; i++) {
            low[i] = fmin(low[i], touch[k].pos[i]);
            high[i] = fmax(high[i], touch[k].pos[i]);
        }
    }
    for (int i = 0; i < 2; i++)
        assert_true(low[i] <= a->pos[i] + 1e-9 && high[i] >= a->pos[i] - 1e-9);
}

static void solids_rest_on_enough_points(void **state) {
    (void)state;
    struct sn__geom ground = make(SN__GEOM_PLANE, 0, 0, 0), table = make(SN__GEOM_BOX, 1, 0.5, 0.25);
    struct sn__geom box = make(SN__GEOM_BOX, 0.2, 0.3, 0.1), rod = make(SN__GEOM_CAPSULE, 0.1, 0.4, 0);
    struct sn__geom beam = make(SN__GEOM_CAPSULE, 0.2, 2, 0);
    for (double gap = -0.01; gap < 0.02; gap += 0.01) {
        put(&box, 3, 4, 0.1 + gap);
        check_rest(&box, &ground, 4, gap);
        put(&box, 0.3, -0.1, 0.35 + gap);
        check_rest(&box, &table, 4, gap);
        put(&box, 1, 0.5, 0.35 + gap); /* its centre right over the corner */
        check_rest(&box, &table, 4, gap);
        put(&table, 0, 0, 0);
        struct sn__geom same = table;
        put(&same, 0, 0, 0.5 + gap);
        check_rest(&same, &table, 4, gap);
        turn(&same, 2, 0.25 * M_PI);
        check_rest(&same, &table, 8, gap); /* all sides cross */

        struct sn__geom lying = rod, log = beam;
        turn(&lying, 0, 0.5 * M_PI);
        turn(&log, 0, 0.5 * M_PI);
        put(&lying, 2, 1, 0.1 + gap);
        check_rest(&lying, &ground, 2, gap);
        put(&lying, 0.5, 0.1, 0.35 + gap);
        check_rest(&lying, &table, 2, gap);
        put(&lying, 1, 0.1, 0.35 + gap); /* along the edge of the table, right over it */
        check_rest(&lying, &table, 2, gap);
        put(&lying, 0, 1.9, 0.3 + gap); /* half over the end of the log: two points still */
        struct sn__touch touch[MOST];
        assert_int_equal(collide(&lying, &log, touch), 2);
        put(&lying, 0, 1, 0.3 + gap);
        check_rest(&lying, &log, 2, gap);
    }
}

/* Edges that run beside each other across a gap, in no face's direction: both ends of what they share. */
static void parallel_edges_touch_at_two_points(void **state) {
    (void)state;
    struct sn__geom a = make(SN__GEOM_BOX, 0.5, 0.5, 1), b = a;
    struct sn__touch touch[MOST];
    for (int n = 0; n < 3; n++) {
        put(&a, 1.03, 1.05, 0.3);
        assert_int_equal(collide(&a, &b, touch), 2);
        for (int k = 0; k < 2; k++)
            assert_true(fabs(touch[k].gap - hypot(0.03, 0.05)) < 1e-5 &&
                        fabs(touch[k].normal[0] - 0.5145) < 1e-3);
        assert_true(fabs(fabs(touch[0].pos[2] - touch[1].pos[2]) - 1.7) < 1e-5);
        check_pair(&a, &b, true, 1);
        turn(&a, 0, 1e-7); /* and nearly so */
    }
}

/* A sheet on a pillar: the corners of the pillar carry it, and their names do not depend on which box is clipped. */
static void corners_keep_their_names(void **state) {
    (void)state;
    struct sn__geom sheet = make(SN__GEOM_BOX, 1, 1, 0.01), pillar = make(SN__GEOM_BOX, 0.2, 0.2, 5);
    struct sn__touch touch[MOST];
    for (int n = 0; n < 2; n++) {
        put(&sheet, 0.1, -0.2, 5.009);
        turn(&sheet, 2, 0.3);
        uint32_t seen = 0;
        assert_int_equal(collide(&sheet, &pillar, touch), 4);
        for (int k = 0; k < 4; k++)
            seen |= 1u << touch[k].feature;
        assert_int_equal(seen, 0xf0 << 8);        /* b's corners with z up */
        sheet.size[0] = 100, sheet.size[1] = 100; /* now the larger of the two */
    }
}

/* A rod along an edge, longer than it and aside of it: held at the two ends of the edge, straight across. */
static void capsule_lies_along_an_edge(void **state) {
    (void)state;
    struct sn__geom table = make(SN__GEOM_BOX, 1, 0.5, 1), rod = make(SN__GEOM_CAPSULE, 0.1, 2, 0);
    struct sn__touch touch[MOST];
    turn(&rod, 0, 0.5 * M_PI);
    put(&rod, 1.05, 0.2, 1.05);
    assert_int_equal(collide(&rod, &table, touch), 2);
    for (int k = 0; k < 2; k++) {
        assert_true(fabs(touch[k].gap - (0.05 * sqrt(2) - 0.1)) < 1e-9);
        assert_true(fabs(touch[k].normal[0] - sqrt(0.5)) < 1e-9 && fabs(fabs(touch[k].pos[1]) - 0.5) < 1e-8);
    }
    assert_true(touch[0].pos[1] * touch[1].pos[1] < 0);
}

/* A capsule across the edge of a table with one end on it: the edge holds it, and the end as well. */
static void capsule_leans_on_an_edge_and_a_face(void **state) {
    (void)state;
    struct sn__geom table = make(SN__GEOM_BOX, 1, 1, 1), rod = make(SN__GEOM_CAPSULE, 0.1, 1, 0);
    struct sn__touch touch[MOST];
    turn(&rod, 1, 0.5 * M_PI + 0.02); /* along x, and a little down */
    put(&rod, 1, 0, 1.1);
    int n = collide(&rod, &table, touch);
    assert_int_equal(n, 2);
    assert_true(fabs(touch[0].pos[0] - touch[1].pos[0]) > 0.9);
    check_pair(&rod, &table, true, 5);
}

/* Where the sphere's centre p looks at the other's axis between its ends. */
static bool over_the_middle(const struct sn__geom *g, const double p[3]) {
    double along = 0;
    for (int i = 0; i < 3; i++)
        along += g->R[i][2] * (p[i] - g->pos[i]);
    return fabs(along) < g->size[1] - 2e-3 * (g->size[0] + 1);
}

/* No end sphere near the middle of the other capsule is forgotten, and each has its own name. */
static void capsules_report_the_ends_that_are_near(void **state) {
    (void)state;
    uint64_t seed = 41;
    int ends = 0, most = 0;
    for (int n = 0; n < 4000; n++) {
        struct sn__geom a = make(SN__GEOM_CAPSULE, oracle_between(&seed, 0.1, 0.3),
                                 oracle_between(&seed, 0.1, 0.8), 0),
                        b = make(SN__GEOM_CAPSULE, oracle_between(&seed, 0.1, 0.3),
                                 oracle_between(&seed, 0.1, 0.8), 0);
        struct sn__touch touch[MOST];
        oracle_rotation(&seed, b.R);
        memcpy(a.R, b.R, sizeof a.R);
        double angle = oracle_between(&seed, 0.11, 0.5), across = oracle_between(&seed, -0.1, 0.1),
               along = oracle_between(&seed, -0.5, 0.5),
               high = a.size[0] + b.size[0] + oracle_between(&seed, -0.05, 0.05);
        for (int i = 0; i < 3; i++) {
            double x = b.R[i][0], z = b.R[i][2]; /* turned about y, which is between the two */
            a.R[i][0] = cos(angle) * x - sin(angle) * z;
            a.R[i][2] = cos(angle) * z + sin(angle) * x;
            a.pos[i] = high * b.R[i][1] + across * x + along * z;
        }
        int count = collide(&a, &b, touch), best = deepest(touch, count);
        if (count == 0) continue;
        check_end_spheres(&a, &b, touch, count);
        most = count > most ? count : most;
        for (int k = 0; k < 4; k++) {
            const struct sn__geom *own = k < 2 ? &a : &b, *other = k < 2 ? &b : &a;
            double p[3], at[3];
            end_of(own, k % 2, p);
            double gap = oracle_point_distance(other, p) - own->size[0];
            if (gap > margin - 1e-6 || !over_the_middle(other, p)) continue;
            bool found = false;
            for (int l = 0; l < count; l++) {
                bool same = ends_of(&touch[l], &a, &b) >> k & 1;
                for (int i = 0; i < 3;
                     i++) /* or the nearest point, so near to the end that it stands for it */
                    at[i] = touch[l].pos[i] +
                            (k < 2 ? 1 : -1) * (0.5 * touch[l].gap + own->size[0]) * touch[l].normal[i];
                same |= l == best && distance(at, p) < 1e-3;
                if (same) assert_true(touch[l].feature == (uint32_t)k || l == best);
                found |= same;
            }
            assert_true(found);
            ends++;
        }
    }
    assert_int_equal(most, 5);
    assert_true(ends > 4000);
}

/* A rod that turns on another: the end that comes down is known before it is there. As the rod slides on, the nearest
   point comes to its end: it has the end's name from the first to the last. */
static void ends_of_capsules_keep_their_names(void **state) {
    (void)state;
    struct sn__geom a = make(SN__GEOM_CAPSULE, 0.1, 0.5, 0), b = make(SN__GEOM_CAPSULE, 0.1, 1, 0);
    struct sn__touch touch[MOST];
    turn(&a, 0, 15 * M_PI / 180);
    int nearest_at_end = 0, nearest_between = 0, changes[2] = {0, 0};
    bool there[2] = {false, false};
    for (int step = -8000; step <= 8000; step++) { /* from nothing to nothing */
        put(&a, 0.2, 5e-5 * step, 0);
        int n = collide(&a, &b, touch);
        bool now[2] = {false, false};
        for (int k = 0; k < n; k++) {
            double from_end = 0.5 * cos(15 * M_PI / 180) - fabs(touch[k].pos[2]);
            int end = touch[k].pos[2] > 0;
            if (from_end < 5e-5) assert_int_equal(touch[k].feature, end);
            if (from_end > 2e-4) assert_int_equal(touch[k].feature, 4);
            if (touch[k].feature != 4) now[touch[k].feature] = true;
        }
        for (int end = 0; end < 2; end++)
            changes[end] += now[end] != there[end], there[end] = now[end];
        if (n == 0) continue;
        nearest_at_end += touch[deepest(touch, n)].feature != 4;
        nearest_between += touch[deepest(touch, n)].feature == 4;
    }
    assert_true(nearest_at_end > 1000 && nearest_between > 1000);
    assert_true(changes[0] == 2 && changes[1] == 2);

    /* beside each other and as long, turning a little to and fro: two points with two names */
    b.size[1] = 0.5;
    for (int n = -50; n <= 50; n++) {
        a = make(SN__GEOM_CAPSULE, 0.1, 0.5, 0);
        turn(&a, n & 1, n * 1e-3);
        put(&a, 0.2, 0, (n % 7) * 1e-4);
        int count = collide(&a, &b, touch);
        assert_in_range(count, 2, 3);
        assert_true(touch[0].feature == 0 && touch[1].feature == 1);
        assert_true(touch[0].pos[2] < -0.49 && touch[1].pos[2] > 0.49);
    }
}

/* Almost on its end in the other: the ends would go both ways. The nearest points say the way. */
static void ends_of_capsules_never_contradict(void **state) {
    (void)state;
    struct sn__geom a = make(SN__GEOM_CAPSULE, 0.3, 0.1, 0), b = a;
    struct sn__touch touch[MOST];
    turn(&a, 0, 0.5 * M_PI);
    for (double x = 0; x < 0.6; x += 0.01) {
        put(&a, x, 0, 0);
        int n = collide(&a, &b, touch);
        assert_true(n > 0);
        for (int k = 0; k < n; k++)
            assert_true(touch[k].normal[0] > 0.49 || (x == 0 && n == 1));
        if (x > 0.1) assert_int_equal(n, 5);
    }
}

/* A capsule near a box but not through it: an end that looks straight at a face is among the points. */
static void capsule_reports_its_ends_over_a_face(void **state) {
    (void)state;
    uint64_t seed = 43;
    int ends = 0, both = 0;
    for (int n = 0; n < 6000; n++) {
        struct sn__geom rod = random_geom(SN__GEOM_CAPSULE, &seed), box = random_geom(SN__GEOM_BOX, &seed);
        rod.size[0] *= 0.3;
        if (n % 3) { /* lying on top, nearly flat */
            memcpy(rod.R, box.R, sizeof rod.R);
            for (int i = 0; i < 3; i++) {
                rod.R[i][2] = box.R[i][0], rod.R[i][0] = -box.R[i][2];
                rod.pos[i] = box.pos[i] + (box.size[2] + rod.size[0] + 0.04) * box.R[i][2] +
                             oracle_between(&seed, -0.2, 0.2) * box.R[i][0];
            }
            for (int axis = 0; axis < 3; axis++)
                turn(&rod, axis, oracle_between(&seed, -0.07, 0.07));
        }
        struct sn__touch touch[MOST];
        int count = collide(&rod, &box, touch), here = 0;
        if (count == 0 || touch[deepest(touch, count)].gap < -0.9 * rod.size[0]) continue;
        for (int k = 0; k < 2; k++) {
            double p[3], d[3];
            int inside = 0;
            end_of(&rod, k, p);
            for (int i = 0; i < 3; i++)
                d[i] = p[i] - box.pos[i];
            for (int i = 0; i < 3; i++)
                inside +=
                    fabs(d[0] * box.R[0][i] + d[1] * box.R[1][i] + d[2] * box.R[2][i]) < box.size[i] - 1e-3;
            double gap = oracle_point_distance(&box, p) - rod.size[0];
            if (inside != 2 || gap > margin - 1e-6) continue;
            bool found = false;
            for (int l = 0; l < count; l++)
                found |= is_of_sphere(&touch[l], p, rod.size[0], &box, 1);
            assert_true(found);
            here++;
        }
        ends += here;
        both += here == 2;
    }
    assert_true(ends > 2000 && both > 500);
}

static void hidden_centres_give_a_way_out(void **state) {
    (void)state;
    struct sn__geom ball = make(SN__GEOM_SPHERE, 0.1, 0, 0), box = make(SN__GEOM_BOX, 1, 2, 3);
    struct sn__geom rod = make(SN__GEOM_CAPSULE, 0.1, 0.5, 0), point = make(SN__GEOM_CAPSULE, 0.1, 0, 0);
    struct sn__geom nothing = make(SN__GEOM_SPHERE, 0, 0, 0), sheet = make(SN__GEOM_BOX, 1, 1, 0);
    const struct sn__geom all[] = {ball, box, rod, point, nothing, sheet};
    struct sn__touch touch[MOST];
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++) {
            struct sn__geom one = all[a], other = all[b];
            int n = collide(&one, &other, touch);
            assert_true(n > 0);
            put(&one, 1, 0, 0), put(&other, 1, 0, 0);
            turn(&one, 0, 0.5 * M_PI); /* crossing axes, crossing sheets */
            n = collide(&one, &other, touch);
            assert_true(n > 0);
        }
    /* out of the nearest face, not along the axis of the rod */
    put(&ball, -0.4, 0.1, 2.5);
    assert_int_equal(collide(&ball, &box, touch), 1);
    assert_true(touch[0].normal[2] > 0.999 && fabs(touch[0].gap + 0.6) < 1e-12);
    put(&ball, 0, 0, 0.2);
    assert_int_equal(collide(&ball, &rod, touch), 1);
    assert_true(fabs(touch[0].normal[2]) < 1e-12 && fabs(touch[0].gap + 0.2) < 1e-12);
}

/* Sizes and places from tiny to huge, many of them coinciding: numbers stay numbers. */
static void no_finite_input_gives_nan(void **state) {
    (void)state;
    const double length[] = {0, 1e-300, 1e-12, 1e-3, 1, 1e3, 1e8};
    uint64_t seed = 3;
    for (int n = 0; n < 20000; n++) {
        struct sn__geom g[2];
        struct sn__touch touch[MOST];
        for (int k = 0; k < 2; k++) {
            g[k] = random_geom((enum sn__geom_type)(oracle_random(&seed) * (k ? 4 : 3)), &seed);
            if (n % 2) align(&g[k], &seed);
            for (int i = 0; i < 3; i++) {
                g[k].size[i] *= length[(int)(oracle_random(&seed) * 7)];
                g[k].pos[i] *= length[(int)(oracle_random(&seed) * 5)];
            }
        }
        check_form(touch, sn__collide(&g[0], &g[1], margin, touch), margin);
    }
}

static void bounds_and_reach_hold_the_solid_tightly(void **state) {
    (void)state;
    uint64_t seed = 17;
    for (int n = 0; n < 600; n++) {
        struct sn__geom g = random_geom((enum sn__geom_type)(n % 3), &seed);
        struct sn__box box = sn__geom_bounds(&g);
        for (int i = 0; i < 3; i++) {
            double d[3] = {0, 0, 0};
            d[i] = 1;
            assert_true(fabs(oracle_support(&g, d) - box.max[i]) < 1e-12);
            d[i] = -1;
            assert_true(fabs(oracle_support(&g, d) + box.min[i]) < 1e-12);
        }
        double furthest = 0, reach = sn__geom_reach(&g);
        for (int k = 0; k < 2000; k++) {
            double d[3];
            oracle_direction(&seed, d);
            furthest = fmax(furthest, oracle_support(&g, d) - dot(g.pos, d));
        }
        assert_true(furthest <= reach + 1e-12 && furthest > 0.97 * reach);
    }
    struct sn__geom plane = make(SN__GEOM_PLANE, 0, 0, 0);
    struct sn__box all = sn__geom_bounds(&plane);
    assert_true(isinf(all.min[0]) && isinf(all.max[2]));
}

/* ---------------------------------------------------------------------------------------------- height fields */

enum { NX = 9, NY = 8 };

struct ground {
    struct sn__field field;
    double height[NX * NY];
    struct sn__geom geom;
};

static void make_ground(struct ground *g, double (*shape)(double, double, uint64_t *), uint64_t *seed) {
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

static double flat(double x, double y, uint64_t *seed) {
    (void)x, (void)y, (void)seed;
    return 0;
}

static double sloping(double x, double y, uint64_t *seed) {
    (void)seed;
    return 0.3 * x - 0.2 * y;
}

static double rough(double x, double y, uint64_t *seed) {
    (void)x, (void)y;
    return oracle_between(seed, -0.2, 0.2);
}

static double valley(double x, double y, uint64_t *seed) {
    (void)y, (void)seed;
    return fabs(x);
}

static double ridge(double x, double y, uint64_t *seed) {
    (void)y, (void)seed;
    return -fabs(x);
}

static double plateau(double x, double y, uint64_t *seed) {
    (void)y, (void)seed;
    return fabs(x) < 0.6 ? 0 : -1;
}

static struct sn__geom above(const struct ground *g, enum sn__geom_type type, double low, double high,
                             uint64_t *seed) {
    struct sn__geom solid = random_geom(type, seed);
    for (int i = 0; i < 3; i++)
        solid.size[i] *= 0.4;
    put(&solid, oracle_between(seed, -2.2, 2.2), oracle_between(seed, -1.6, 1.6),
        g->field.origin[2] + oracle_between(seed, low, high));
    return solid;
}

/* Ground of many level triangles is a plane, whatever lies on it: same normals, same least gap, no ghosts of edges. */
static void an_even_field_is_a_plane(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int n = 0; n < 3000; n++) {
        struct ground g;
        make_ground(&g, n % 2 ? flat : sloping, &seed);
        struct sn__geom a = above(&g, (enum sn__geom_type)(n % 3), -0.5, 1, &seed),
                        plane = make(SN__GEOM_PLANE, 0, 0, 0);
        put(&a, 0.5 * a.pos[0], 0.3 * a.pos[1], a.pos[2]);        /* not over the border */
        if (n % 5 == 0) put(&a, n % 2 ? 0 : 0.5, -0.2, a.pos[2]); /* right over grid points */
        double up[3] = {n % 2 ? 0 : -0.3, n % 2 ? 0 : 0.2, 1}, length = sqrt(dot(up, up));
        for (int i = 0; i < 3; i++)
            plane.R[i][2] = up[i] / length;
        put(&plane, 0, 0, 0.3);
        struct sn__touch touch[MOST], other[MOST];
        int count = sn__collide(&a, &g.geom, margin, touch),
            expected = sn__collide(&a, &plane, margin, other);
        check_form(touch, count, margin);
        check_same_points(touch, count, other, expected, 1);
        check_same_points(other, expected, touch, count, 1);
        assert_int_equal(count, expected);
    }
}

/* On rough ground: the gap of a sphere is its distance from the nearest triangle. */
static void sphere_on_a_field_has_the_distance_of_the_surface(void **state) {
    (void)state;
    uint64_t seed = 11;
    int touching = 0;
    for (int n = 0; n < 4000; n++) {
        struct ground g;
        make_ground(&g, rough, &seed);
        struct sn__geom a = above(&g, SN__GEOM_SPHERE, -0.4, 0.8, &seed);
        struct sn__touch touch[MOST];
        int count = collide(&a, &g.geom, touch);
        double z, apart = oracle_field_distance(&g.field, a.pos) - a.size[0];
        bool over = oracle_field_height(&g.field, a.pos[0], a.pos[1], &z);
        for (int k = 0; k < count; k++)
            assert_true(touch[k].normal[2] > 0);
        if (over && a.pos[2] < z) {
            /* in the ground: up, by the plane of the triangle above */
            assert_int_equal(count, 1);
            double rise = (z - a.pos[2]) * touch[0].normal[2]; /* of the centre, along the normal */
            assert_true(fabs(-touch[0].gap - a.size[0] - rise) < 1e-9);
            continue;
        }
        if (!over && count == 0) continue; /* beside and below the border there is nothing */
        assert_true(count > 0 ? fabs(touch[deepest(touch, count)].gap - apart) < 1e-9
                              : apart > margin - 1e-9);
        touching += count > 0;
    }
    assert_true(touching > 800);
}

/* A capsule whose axis is above the ground: its least gap is that of the nearest of its balls. */
static void capsule_on_a_field_has_the_distance_of_its_balls(void **state) {
    (void)state;
    enum { STEPS = 40 };
    uint64_t seed = 13;
    int touching = 0, between = 0;
    for (int n = 0; n < 1500; n++) {
        struct ground g;
        make_ground(&g, rough, &seed);
        struct sn__geom a = above(&g, SN__GEOM_CAPSULE, 0, 0.8, &seed);
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
        double gap = count ? touch[deepest(touch, count)].gap : margin;
        if (count == 0) {
            assert_true(nearest - a.size[0] > margin - 1e-6);
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
static void box_on_a_field_is_lifted_out(void **state) {
    (void)state;
    uint64_t seed = 19;
    int inside = 0;
    for (int n = 0; n < 150; n++) {
        struct ground g;
        make_ground(&g, rough, &seed);
        struct sn__geom a = above(&g, SN__GEOM_BOX, -0.1, 0.5, &seed);
        put(&a, 0.6 * a.pos[0], 0.6 * a.pos[1], a.pos[2]);
        struct sn__touch touch[MOST];
        int count = collide(&a, &g.geom, touch);
        double depth = sunk(&a, &g.field, 0), lift = 0;
        for (int k = 0; k < count; k++) {
            assert_true(touch[k].normal[2] > 0);
            lift = fmax(lift, -touch[k].gap / touch[k].normal[2]);
        }
        if (depth > 0) {
            inside++;
            assert_true(lift > 0);
            assert_true(sunk(&a, &g.field, lift) < 1e-9);
        }
    }
    assert_true(inside > 40);
}

static void shapes_of_the_ground_hold_what_lies_on_them(void **state) {
    (void)state;
    struct ground g;
    struct sn__touch touch[MOST];
    uint64_t seed = 1;
    /* a ball in a valley of 45 degrees: both sides, and their normals cancel sideways */
    struct sn__geom ball = make(SN__GEOM_SPHERE, 0.2, 0, 0);
    make_ground(&g, valley, &seed);
    put(&ball, 0, 0.13, 0.3 + 0.2 * sqrt(2) - 1e-3);
    int n = collide(&ball, &g.geom, touch);
    assert_int_equal(n, 2);
    assert_true(fabs(touch[0].normal[0] + touch[1].normal[0]) < 1e-12 && fabs(touch[0].normal[0]) > 0.7);
    /* and on a ridge: straight up */
    make_ground(&g, ridge, &seed);
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
    make_ground(&g, plateau, &seed);
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
static void too_many_points_are_thinned_out(void **state) {
    (void)state;
    uint64_t seed = 23;
    struct ground g;
    make_ground(&g, rough, &seed);
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

/* ------------------------------------------------------------------------------------------------------------- */

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_touch_as_the_oracle_says),
        cmocka_unit_test(solids_rest_on_enough_points),
        cmocka_unit_test(parallel_edges_touch_at_two_points),
        cmocka_unit_test(corners_keep_their_names),
        cmocka_unit_test(capsule_lies_along_an_edge),
        cmocka_unit_test(capsule_leans_on_an_edge_and_a_face),
        cmocka_unit_test(capsules_report_the_ends_that_are_near),
        cmocka_unit_test(ends_of_capsules_keep_their_names),
        cmocka_unit_test(ends_of_capsules_never_contradict),
        cmocka_unit_test(capsule_reports_its_ends_over_a_face),
        cmocka_unit_test(hidden_centres_give_a_way_out),
        cmocka_unit_test(no_finite_input_gives_nan),
        cmocka_unit_test(bounds_and_reach_hold_the_solid_tightly),
        cmocka_unit_test(an_even_field_is_a_plane),
        cmocka_unit_test(sphere_on_a_field_has_the_distance_of_the_surface),
        cmocka_unit_test(capsule_on_a_field_has_the_distance_of_its_balls),
        cmocka_unit_test(box_on_a_field_is_lifted_out),
        cmocka_unit_test(shapes_of_the_ground_hold_what_lies_on_them),
        cmocka_unit_test(too_many_points_are_thinned_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
