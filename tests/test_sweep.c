/* Pairs by sweeping against every box held against every other. */
#include "model_helpers.h"

#include "collide/collide.h"

enum { MOST = 400, ROOM = MOST * MOST / 2 };

/* A scene: boxes with a place and a velocity, and a sweeper that has seen all that came before. */
struct scene {
    int n;
    struct sn__box box[MOST];
    bool moving[MOST];
    double velocity[MOST][3];
    struct sn__sweeper *sweeper;
};

static struct scene scene;
static struct sn__pair found[ROOM + 1], expected[ROOM];

/* Two intervals [a, b], [c, d] share a point when the larger beginning is not after the smaller end. A NaN or an empty
   interval has no points. */
static bool share(double a, double b, double c, double d) {
    if (isnan(a) || isnan(b) || isnan(c) || isnan(d) || a > b || c > d) return false;
    double begin = a > c ? a : c, end = b < d ? b : d;
    return begin <= end;
}

static int plainly(const struct scene *from) {
    int count = 0;
    for (int a = 0; a < from->n; a++)
        for (int b = a + 1; b < from->n; b++) {
            const struct sn__box *x = &from->box[a], *y = &from->box[b];
            bool all = from->moving[a] || from->moving[b];
            for (int k = 0; k < 3; k++)
                all = all && share(x->min[k], x->max[k], y->min[k], y->max[k]);
            if (all) expected[count++] = (struct sn__pair){a, b};
        }
    return count;
}

/* With just enough room, with more, and with less; what lies behind the room is not touched. */
static void compare(void) {
    int count = plainly(&scene);
    const int room[] = {count, ROOM, count / 2, count - 1, (int)(count * (0.5 + noise() / 2)), 1, 0};
    for (int i = 0; i < COUNT(room); i++) {
        if (room[i] < 0) continue;
        int written = room[i] < count ? room[i] : count;
        memset(found, 0x55, sizeof *found * (size_t)(written + 1));
        struct sn__pair beyond = found[written];
        assert_int_equal(sn__sweeper_pairs(scene.sweeper, scene.n, scene.box, scene.moving, found, room[i]),
                         count);
        assert_memory_equal(found, expected, sizeof *found * (size_t)written);
        assert_memory_equal(&found[written], &beyond, sizeof beyond);
    }
}

static void set_box(int i, const double pos[3], const double half[3]) {
    for (int k = 0; k < 3; k++)
        scene.box[i].min[k] = pos[k] - half[k], scene.box[i].max[k] = pos[k] + half[k];
}

/* Boxes in a room of these sides; about `still` of 1 stand still. */
static void scatter(int n, const double side[3], double size, double still) {
    scene.n = n;
    for (int i = 0; i < n; i++) {
        double pos[3], half[3];
        for (int k = 0; k < 3; k++) {
            pos[k] = side[k] * noise();
            half[k] = size * (1 + noise()) / 2;
            scene.velocity[i][k] = noise();
        }
        set_box(i, pos, half);
        scene.moving[i] = (1 + noise()) / 2 >= still;
    }
}

static void make_plane(int i) {
    for (int k = 0; k < 3; k++)
        scene.box[i].min[k] = -(double)INFINITY, scene.box[i].max[k] = (double)INFINITY;
    scene.moving[i] = false;
}

static void advance(double dt) {
    for (int i = 0; i < scene.n; i++)
        for (int k = 0; k < 3; k++)
            scene.box[i].min[k] += dt * scene.velocity[i][k],
                scene.box[i].max[k] += dt * scene.velocity[i][k];
}

static int any(int below) {
    return (int)((1 + noise()) / 2 * below);
}

static int start(void **state) {
    (void)state;
    memset(&scene, 0, sizeof scene);
    scene.sweeper = sn__sweeper_create(MOST);
    return scene.sweeper ? 0 : -1;
}

static int end(void **state) {
    (void)state;
    sn__sweeper_free(scene.sweeper);
    return 0;
}

/* ------------------------------------------------------------------------------------------------ scenes */

TEST(random_scenes_of_any_size_give_every_pair) {
    for (int trial = 0; trial < 3000; trial++) {
        double side[3] = {exp(2 * noise()), exp(2 * noise()), exp(2 * noise())};
        scatter(any(trial % 10 == 0 ? MOST + 1 : 80), side, exp(1.5 * noise() - 1), (1 + noise()) / 2);
        compare();
    }
}

TEST(motion_keeps_every_pair) {
    for (int trial = 0; trial < 20; trial++) {
        const double side[] = {1, 2, 3};
        scatter(20 + any(100), side, 0.5, 0.2);
        for (int step = 0; step < 60; step++) {
            compare();
            advance(step == 30
                        ? 10
                        : 0.02); /* once everything jumps, which changes the order through and through */
        }
    }
}

/* The longest side turns from axis to axis. */
TEST(the_axis_may_change) {
    for (int trial = 0; trial < 60; trial++) {
        double side[3] = {1, 1, 1};
        side[trial % 3] = 20;
        scatter(150, side, 1, 0.3);
        compare();
    }
}

TEST(what_came_before_does_not_matter) {
    for (int trial = 0; trial < 200; trial++) {
        const double side[] = {2, 2, 2};
        scatter(30 + any(100), side, 0.6, 0.3);
        compare();
        struct sn__sweeper *fresh = sn__sweeper_create(scene.n);
        assert_non_null(fresh);
        static struct sn__pair again[ROOM];
        int count = sn__sweeper_pairs(fresh, scene.n, scene.box, scene.moving, again, ROOM);
        assert_int_equal(sn__sweeper_pairs(scene.sweeper, scene.n, scene.box, scene.moving, found, ROOM),
                         count);
        assert_memory_equal(found, again, sizeof *found * (size_t)count);
        sn__sweeper_free(fresh);
    }
}

TEST(boxes_come_and_go) {
    const double side[] = {3, 2, 1};
    scatter(MOST, side, 0.4, 0.2);
    for (int trial = 0; trial < 300; trial++) {
        scene.n = any(trial % 20 == 0 ? MOST + 1 : 100);
        compare();
        scene.n = MOST;
        advance(0.01);
    }
}

TEST(planes_meet_everything_that_moves) {
    for (int trial = 0; trial < 200; trial++) {
        const double side[] = {3, 2, 1};
        scatter(10 + any(100), side, 0.4, 0.2);
        for (int i = 0; i <= trial % 4; i++)
            make_plane(any(scene.n));
        compare();
    }
    const double side[] = {30, 20, 10};
    scatter(200, side, 1e-3, 0);
    make_plane(77);
    int expect = scene.n - 1, met = 0;
    int count = sn__sweeper_pairs(scene.sweeper, scene.n, scene.box, scene.moving, found, ROOM);
    for (int i = 0; i < count; i++)
        met += found[i].a == 77 || found[i].b == 77;
    assert_int_equal(met, expect);
}

TEST(half_infinite_boxes_are_boxes) {
    for (int trial = 0; trial < 300; trial++) {
        const double side[] = {3, 2, 1};
        scatter(10 + any(100), side, 0.4, 0.2);
        for (int i = 0; i < 12; i++) {
            struct sn__box *box = &scene.box[any(scene.n)];
            if (noise() > 0)
                box->min[any(3)] = -(double)INFINITY;
            else
                box->max[any(3)] = (double)INFINITY;
            if (i == 11) box->min[0] = box->max[0] = (double)INFINITY; /* a wall at the end of the world */
        }
        compare();
    }
}

TEST(boxes_that_are_none_overlap_nothing) {
    for (int trial = 0; trial < 300; trial++) {
        const double side[] = {2, 1, 1};
        scatter(5 + any(100), side, 0.5, 0.2);
        make_plane(0);
        for (int i = 0; i < 10; i++) {
            struct sn__box *box = &scene.box[any(scene.n)];
            double *end = noise() > 0 ? box->min : box->max;
            end[any(3)] = (double)NAN;
            struct sn__box *reversed = &scene.box[any(scene.n)];
            reversed->min[any(3)] = 5;
        }
        compare();
    }
    for (int i = 0; i < scene.n; i++)
        for (int k = 0; k < 3; k++)
            scene.box[i].min[k] = scene.box[i].max[k] = (double)NAN;
    assert_int_equal(sn__sweeper_pairs(scene.sweeper, scene.n, scene.box, scene.moving, found, ROOM), 0);
}

/* Boxes of a grid touch exactly, face to face; all in one place begin and end together. */
TEST(equal_coordinates_count_as_overlap) {
    for (int trial = 0; trial < 100; trial++) {
        scene.n = 5 + any(200);
        for (int i = 0; i < scene.n; i++) {
            const double pos[] = {any(5), any(4), any(6)}, half[] = {0.5, 0.5, 0.5};
            set_box(i, pos, half);
            scene.moving[i] = true;
        }
        compare();
    }
    for (int i = 0; i < scene.n; i++)
        scene.box[i] = scene.box[0];
    compare();
    assert_int_equal(plainly(&scene), scene.n * (scene.n - 1) / 2);
}

TEST(coordinates_near_the_largest_number_do_no_harm) {
    for (int trial = 0; trial < 50; trial++) {
        const double side[] = {1.7e308, 1e308, 1e300};
        scatter(30 + any(50), side, 1e307, 0);
        compare();
    }
}

TEST(nothing_that_stands_still_meets_what_stands_still) {
    const double side[] = {1, 1, 1};
    scatter(100, side, 1, 1.5);
    assert_int_equal(sn__sweeper_pairs(scene.sweeper, scene.n, scene.box, scene.moving, found, ROOM), 0);
    assert_int_equal(sn__sweeper_pairs(scene.sweeper, 0, NULL, NULL, NULL, 0), 0);
}

TEST(a_sweeper_of_nothing_can_be_made) {
    struct sn__sweeper *none = sn__sweeper_create(0);
    assert_non_null(none);
    assert_int_equal(sn__sweeper_pairs(none, 0, NULL, NULL, NULL, 0), 0);
    sn__sweeper_free(none);
    sn__sweeper_free(NULL);
}

int main(void) {
    return run_all_each("sweep", start, end);
}
