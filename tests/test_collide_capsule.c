/* Which ends of a capsule are among its contact points, and that they keep their names. */
#include "run_tests.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collide_helpers.h"

/* Where the sphere's centre p looks at the other's axis between its ends. */
static bool over_the_middle(const struct sn__geom *g, const double p[3]) {
    double along = 0;
    for (int i = 0; i < 3; i++)
        along += g->R[i][2] * (p[i] - g->pos[i]);
    return fabs(along) < g->size[1] - 2e-3 * (g->size[0] + 1);
}

/* No end sphere near the middle of the other capsule is forgotten, and each has its own name. */
TEST(capsules_report_the_ends_that_are_near) {
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
            if (gap > touch_margin - 1e-6 || !over_the_middle(other, p)) continue;
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
TEST(ends_of_capsules_keep_their_names) {
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
TEST(ends_of_capsules_never_contradict) {
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
TEST(capsule_reports_its_ends_over_a_face) {
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
            if (inside != 2 || gap > touch_margin - 1e-6) continue;
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

int main(void) {
    return run_all("collide capsule");
}
