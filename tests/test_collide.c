/* Contacts of shapes against an oracle that shares no code with them. For a direction n, the support functions say how
 * far two convex solids are apart along n; the signed distance is the largest of these over all n. So a contact proves
 * itself: its gap must be how far apart the solids are along its normal, which no true signed distance can be below,
 * and
 *   apart: its two points lie on the two surfaces, so the distance cannot be above the gap either;
 *   inside: no direction that the oracle tries is better by more than the stated preference for faces. */
#include "run_tests.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collide_helpers.h"

/* Faces are preferred by 1e-3 of the depth and 1e-6 of the size, which is at most 6. */
static double preference(double gap) {
    return 2e-3 * fabs(gap) + 1e-5;
}

/* The direction of a way carries the rounding of its ends, 1e-16 of the size, divided by its length; across a size of 6
   that is what a gap may be wrong by. */
static double rounding(double gap) {
    return 1e-8 + 1e-14 / gap;
}

/* All that holds for any two solids, and a solid and a plane. Returns how many. */
static int check_pair(const struct sn__geom *a, const struct sn__geom *b, bool search, uint64_t seed) {
    struct sn__touch touch[MOST], other[MOST];
    int n = sn__collide(a, b, touch_margin, touch);
    check_form(touch, n, touch_margin);
    bool plane = b->type == SN__GEOM_PLANE;
    double up[3] = {b->R[0][2], b->R[1][2], b->R[2][2]};
    if (n == 0) {
        /* nothing within the margin: some direction must show it */
        double apart = plane ? oracle_apart(a, b, up) : -DBL_MAX;
        for (int tries = 0; !plane && apart < touch_margin && tries < 50; tries++)
            apart = oracle_signed_distance(a, b, seed++);
        assert_true(apart > touch_margin - 1e-6);
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
    int m = sn__collide(b, a, touch_margin, other);
    check_form(other, m, touch_margin);
    assert_true(fabs(other[deepest(other, m)].gap - t->gap) <
                (t->gap > 0 ? rounding(t->gap) : preference(t->gap)));
    return n;
}

static bool near_margin(const struct sn__touch *touch, int n) {
    for (int k = 0; k < n; k++)
        if (touch[k].gap > touch_margin - 1e-5) return true;
    return false;
}

/* In general position: the order does not matter, nor where in the world, nor a tiny motion. */
static void check_invariance(const struct sn__geom *a, const struct sn__geom *b, uint64_t *seed) {
    struct sn__touch touch[MOST], other[MOST];
    int n = sn__collide(a, b, touch_margin, touch);
    if (near_margin(touch, n)) return;
    int m = sn__collide(b, a, touch_margin, other);
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
    m = sn__collide(&moved[0], &moved[1], touch_margin, other);
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
    int count = sn__collide(&nudged, &moved[1], touch_margin, touch);
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

TEST(solids_touch_as_the_oracle_says) {
    for (int a = SN__GEOM_SPHERE; a <= SN__GEOM_HULL; a++)
        for (int b = a; b <= SN__GEOM_PLANE; b++)
            try_pair((enum sn__geom_type)a, (enum sn__geom_type)b, 200, 3000, 3000);
}

/* ----------------------------------------------------------------------------------------- how things can rest */

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

TEST(solids_rest_on_enough_points) {
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
TEST(parallel_edges_touch_at_two_points) {
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
TEST(corners_keep_their_names) {
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
TEST(capsule_lies_along_an_edge) {
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
TEST(capsule_leans_on_an_edge_and_a_face) {
    struct sn__geom table = make(SN__GEOM_BOX, 1, 1, 1), rod = make(SN__GEOM_CAPSULE, 0.1, 1, 0);
    struct sn__touch touch[MOST];
    turn(&rod, 1, 0.5 * M_PI + 0.02); /* along x, and a little down */
    put(&rod, 1, 0, 1.1);
    int n = collide(&rod, &table, touch);
    assert_int_equal(n, 2);
    assert_true(fabs(touch[0].pos[0] - touch[1].pos[0]) > 0.9);
    check_pair(&rod, &table, true, 5);
}

TEST(hidden_centres_give_a_way_out) {
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
TEST(no_finite_input_gives_nan) {
    const double length[] = {0, 1e-300, 1e-12, 1e-3, 1, 1e3, 1e8};
    uint64_t seed = 3;
    for (int n = 0; n < 20000; n++) {
        struct sn__geom g[2];
        struct sn__touch touch[MOST];
        for (int k = 0; k < 2; k++) {
            g[k] = random_geom((enum sn__geom_type)(oracle_random(&seed) * (k ? 5 : 4)), &seed);
            if (n % 2) align(&g[k], &seed);
            for (int i = 0; i < 3; i++) {
                g[k].size[i] *= length[(int)(oracle_random(&seed) * 7)];
                g[k].pos[i] *= length[(int)(oracle_random(&seed) * 5)];
            }
        }
        check_form(touch, sn__collide(&g[0], &g[1], touch_margin, touch), touch_margin);
    }
}

/* The feet of a limp humanoid at rest: their edges met so exactly that the nearest points were one, and the normal was 0 / 0. */
TEST(boxes_that_just_meet_have_a_normal) {
    const double size[3] = {0x1.6a7ef9db22d0ep-4, 0x1.70a3d70a3d70ap-5, 0x1.c28f5c28f5c29p-6};
    struct sn__geom a = {.type = SN__GEOM_BOX,
                         .pos = {0x1.eb531048f5c29p-2, -0x1.17b5ddccccccdp-1, 0x1.e8d7bffae147bp-5},
                         .R = {{-0x1.f1678cp-1, 0x1.41d47p-3, 0x1.6b855cp-3},
                               {0x1.8be9p-3, 0x1.77be6ep-4, 0x1.f4243p-1},
                               {0x1.19075p-3, 0x1.f773ep-1, -0x1.e975ecp-4}}};
    struct sn__geom b = {.type = SN__GEOM_BOX,
                         .pos = {0x1.75fccbc28f5c2p-2, -0x1.4ce9b403d70a4p-1, 0x1.a4e5252e147aep-5},
                         .R = {{-0x1.26665cp-1, -0x1.08306p-3, -0x1.9da7b8p-1},
                               {-0x1.a27f28p-1, 0x1.856868p-5, 0x1.25f5a6p-1},
                               {-0x1.241d4cp-5, 0x1.fb2376p-1, -0x1.0feb5cp-3}}};
    struct sn__touch touch[MOST];
    memcpy(a.size, size, sizeof size), memcpy(b.size, size, sizeof size);
    const int n = sn__collide(&a, &b, touch_margin, touch);
    assert_true(n > 0);
    for (int k = 0; k < n; k++) /* axes that come from float are of unit length to 1e-7 */
        assert_true(fabs(dot(touch[k].normal, touch[k].normal) - 1) < 1e-6);
}

TEST(bounds_and_reach_hold_the_solid_tightly) {
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

int main(void) {
    return run_all("collide");
}
