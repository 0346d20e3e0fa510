/* Many free bodies: they come to rest, sleep and wake by themselves. How long steps took is printed, and nothing depends on
 * it; SINEW_MANY=N sets the number of boxes on the ground (600, 150 under sanitizers). */
#include "world_helpers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct kind {
    sn_contact_method contact;
    sn_precision precision;
    const char *name;
} kind[] = {{SN_CONTACT_IMPLICIT, SN_PRECISION_DOUBLE, "implicit, double"},
            {SN_CONTACT_IMPLICIT, SN_PRECISION_FLOAT, "implicit, float"},
            {SN_CONTACT_ROWS, SN_PRECISION_DOUBLE, "rows, double"},
            {SN_CONTACT_ROWS, SN_PRECISION_FLOAT, "rows, float"}};

static double milliseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static uint32_t seed;

static double some(void) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

static sn_world *make_world(const struct kind *k) {
    sn_world_def def = sn_world_def_default();
    def.contact = k->contact, def.precision = k->precision;
    def.dt = 1.0 / 60, def.sleep = 0.05;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    seed = 1;
    return world;
}

/* Steps until all n sleep; how long that took, s. More than `most` fails. */
static double lull(sn_world *world, int n, double most, const char *what, const char *name) {
    double awake = 0, worst = 0;
    for (int i = 0; i * sn_world_get_info(world).dt < most; i++) {
        const double start = milliseconds();
        step_world(world);
        const double took = milliseconds() - start;
        if (stats_of(world).asleep == n) {
            print_message("%s, %s: asleep after %.2f s; awake %.2f ms a step, %.2f at most, asleep %.3f\n",
                          what, name, i * sn_world_get_info(world).dt, awake / (i ? i : 1), worst, took);
            return i * sn_world_get_info(world).dt;
        }
        awake += took, worst = fmax(worst, took);
    }
    fail_msg("%s, %s: %d of %d sleep after %g s", what, name, stats_of(world).asleep, n, most);
    return most;
}

static int many(void) {
    return getenv("SINEW_MANY") ? atoi(getenv("SINEW_MANY")) : FAST || getenv("SINEW_TEST_SHORT") ? 150 : 600;
}

/* 5 mm apart, dropped from up to 20 mm: each comes to rest at its own time. One that is pushed later wakes those alone that
   it is pushed against. */
TEST(boxes_close_to_each_other_sleep_and_wake_one_by_one) {
    const sn_shape_def box = box_of(0.1, 0.1, 0.1, 2);
    sn_model *model = free_body(&box);
    const int n = many(), side = (int)ceil(sqrt(n));
    for (int k = 0; k < COUNT(kind); k++) {
        sn_world *world = make_world(&kind[k]);
        for (int i = 0; i < n; i++)
            put_body(world, member_of(world, model),
                     (const double[3]){0.205 * (i % side), 0.205 * (i / side), 0.1 + 0.02 * some()}, NULL,
                     NULL);
        lull(world, n, 2, "boxes 5 mm apart", kind[k].name);
        step_world(world);
        assert_int_equal(stats_of(world).contacts, 0); /* nothing is looked at */
        assert_int_equal(sn_world_set_state(world, n / 2, NULL, (const double[6]){0.1, 0, 0, 0, 0, 0}),
                         SN_OK);
        step_world(world);
        assert_int_equal(stats_of(world).asleep, n - 1);
        lull(world, n, 2, "one of them pushed", kind[k].name);
        sn_world_free(world);
    }
    sn_model_free(model);
}

TEST(boxes_in_a_bin_sleep) {
    const sn_shape_def box = box_of(0.1, 0.1, 0.1, 2),
                       wall[2] = {box_of(0.05, 1, 1, 1), box_of(1, 0.05, 1, 1)};
    sn_model *model = free_body(&box);
    for (int k = 0; k < COUNT(kind); k++) {
        sn_world *world = make_world(&kind[k]);
        for (int i = 0; i < 4; i++) {
            const double at[3] = {i < 2 ? 0.72 * i - 0.36 : 0, i < 2 ? 0 : 0.72 * i - 1.8, 1},
                         turn[4] = {1, 0, 0, 0};
            assert_true(sn_world_add_shape(world, &wall[i / 2], at, turn, NULL) >= 0);
        }
        for (int i = 0; i < 27; i++)
            put_body(world, member_of(world, model),
                     (const double[3]){0.205 * (i % 3 - 1), 0.205 * (i / 3 % 3 - 1),
                                       0.1 + 0.205 * (i / 9) + 5e-3 * some()},
                     NULL, NULL);
        lull(world, 27, 4, "27 boxes in a bin", kind[k].name);
        sn_world_free(world);
    }
    sn_model_free(model);
}

static sn_model *stone(void) {
    double point[16][3];
    for (int i = 0; i < 16; i++) {
        const double z = 2 * some() - 1, a = 6.2832 * some(), r = sqrt(1 - z * z);
        point[i][0] = 0.12 * r * cos(a), point[i][1] = 0.096 * r * sin(a), point[i][2] = 0.084 * z;
    }
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_HULL);
    sn_hull *hull = sn_hull_create(&point[0][0], 16, 0, NULL);
    assert_non_null(hull);
    shape.hull = hull, shape.mass = 2;
    sn_model *model = free_body(&shape);
    sn_hull_free(hull);
    return model;
}

/* Stones in a heap quiver for long under a few iterations: they sleep since they go nowhere. */
TEST(a_heap_of_stones_sleeps) {
    enum { STONES = 60, FORMS = 4 };
    for (int k = 0; k < (FAST || getenv("SINEW_TEST_SHORT") ? 1 : COUNT(kind)); k++) {
        sn_world *world = make_world(&kind[k]);
        sn_model *model[FORMS];
        for (int i = 0; i < FORMS; i++)
            model[i] = stone();
        for (int i = 0; i < STONES; i++) {
            const double a = some(), turn[4] = {cos(a), 0.6 * sin(a), 0.8 * sin(a), 0};
            put_body(world, member_of(world, model[i % FORMS]),
                     (const double[3]){0.25 * (i % 3 - 1) + 0.02 * some(),
                                       0.25 * (i / 3 % 3 - 1) + 0.02 * some(), 0.2 + 0.25 * (i / 9)},
                     turn, NULL);
        }
        assert_true(lull(world, STONES, 8, "60 stones", kind[k].name) > 1); /* they fall first */
        for (int i = 0; i < STONES; i++) {
            double q[7];
            sn_world_get_state(world, i, q, NULL);
            assert_true(q[2] > 0.02 && q[2] < 0.6);
        }
        sn_world_free(world);
        for (int i = 0; i < FORMS; i++)
            sn_model_free(model[i]);
    }
}

static void run(sn_world *world, int steps) {
    for (int i = 0; i < steps; i++)
        step_world(world);
}

/* Bytes that each box takes beyond the first few hundred, far apart from each other; after some steps, too, in which all
   fall and land. Contacts, which are reported for whoever asks, are not counted. */
static double bytes_of_a_box(const struct kind *k, const sn_model *model, int steps) {
    enum { FEW = 300, MORE = 1300 };
    sn_world_def def = sn_world_def_default();
    def.contact = k->contact, def.precision = k->precision;
    def.dt = 1.0 / 60, def.sleep = 0.05, def.report_contacts = k->contact == SN_CONTACT_ROWS;
    size_t bytes[2];
    for (int n = 0; n < 2; n++) {
        sn_world *world = world_of(&def);
        floor_of(world, NULL);
        for (int i = 0; i < (n ? MORE : FEW); i++)
            put_body(world, member_of(world, model),
                     (const double[3]){i, 0, k->contact == SN_CONTACT_ROWS ? 2.1 : 0.1}, NULL, NULL);
        for (int i = 0; i < steps; i++)
            step_world(world);
        bytes[n] = sn_world_memory(world);
        sn_world_free(world);
    }
    return (double)(bytes[1] - bytes[0]) / (MORE - FEW);
}

TEST(a_free_box_takes_little_memory) {
    const sn_shape_def box = box_of(0.1, 0.1, 0.1, 2);
    sn_model *model = free_body(&box);
    for (int k = 0; k < COUNT(kind); k++) {
        const double there = bytes_of_a_box(&kind[k], model, 0), moving = bytes_of_a_box(&kind[k], model, 5);
        print_message("a free box, %s: %.0f bytes, %.0f after some steps\n", kind[k].name, there, moving);
        assert_true(there <= 4096 && moving <= 4096);
    }
    sn_model_free(model);
}

/* Columns of three boxes, which stand askew. */
static void add_columns(sn_world *world, const sn_model *model, int n) {
    for (int i = 0; i < 3 * n; i++) {
        const int at = member_of(world, model), column = at / 3;
        put_body(world, at,
                 (const double[3]){0.5 * (column % 10) + 0.01 * (at % 3), 0.5 * (column / 10),
                                   0.1 + 0.2 * (at % 3)},
                 NULL, NULL);
    }
}

/* Each column is an island; there are more of them than members have memory for at once. */
TEST(islands_have_the_same_bits_on_any_number_of_threads) {
    enum { COLUMNS = 40, THREADS = 3 };
    const sn_shape_def box = box_of(0.1, 0.1, 0.1, 2);
    sn_model *model = free_body(&box);
    for (int k = 0; k < COUNT(kind); k++) {
        uint64_t hash[THREADS];
        sn_world_stats stats[THREADS];
        for (int t = 0; t < THREADS; t++) {
            sn_world_def def = sn_world_def_default();
            def.contact = kind[k].contact, def.precision = kind[k].precision;
            def.dt = 1.0 / 60, def.threads = t + 1;
            sn_world *world = world_of(&def);
            floor_of(world, NULL);
            add_columns(world, model, COLUMNS);
            const double push[6] = {3, 0, 0, 0, 0, 0};
            for (int c = 0; c < COLUMNS; c += 7) /* these fall against their neighbours */
                assert_int_equal(sn_world_set_state(world, 3 * c + 2, NULL, push), SN_OK);
            run(world, 60);
            hash[t] = sn_world_hash(world), stats[t] = stats_of(world);
            sn_world_free(world);
        }
        for (int t = 1; t < THREADS; t++) {
            assert_true(hash[t] == hash[0]);
            assert_int_equal(stats[t].rows, stats[0].rows);
            assert_int_equal(stats[t].contacts, stats[0].contacts);
            assert_int_equal(stats[t].iterations, stats[0].iterations);
        }
        assert_true(stats[0].rows > COLUMNS);
    }
    sn_model_free(model);
}

/* What a column does that is put beside others who sleep; the last step's numbers. */
static uint64_t last_column(const struct kind *k, const sn_model *model, int others, sn_world_stats *stats) {
    sn_world *world = make_world(k);
    add_columns(world, model, others);
    for (int i = 0; i < 240 && stats_of(world).asleep < 3 * others; i++)
        step_world(world);
    assert_int_equal(stats_of(world).asleep, 3 * others);
    for (int i = 0; i < 3; i++)
        put_body(world, member_of(world, model), (const double[3]){-2 + 0.01 * i, 0, 0.1 + 0.2 * i}, NULL,
                 (const double[6]){i == 2 ? 0.5 : 0, 0, 0, 0, 0, 0});
    run(world, 20);
    *stats = stats_of(world);
    uint64_t hash = 0;
    for (int i = 0; i < 3; i++) {
        double q[7];
        sn_world_get_state(world, 3 * others + i, q, NULL);
        for (int v = 0; v < 7; v++) {
            uint64_t bits;
            memcpy(&bits, &q[v], sizeof bits);
            hash = 31 * hash + bits;
        }
    }
    sn_world_free(world);
    return hash;
}

/* An island that moves has the rows that it has alone, and the same bits: those that sleep are not looked at. */
TEST(islands_that_sleep_have_no_rows_and_no_part_in_others) {
    const sn_shape_def box = box_of(0.1, 0.1, 0.1, 2);
    sn_model *model = free_body(&box);
    for (int k = 0; k < COUNT(kind); k++) {
        sn_world_stats alone, among;
        const uint64_t hash = last_column(&kind[k], model, 0, &alone);
        const uint64_t company = last_column(&kind[k], model, 39, &among);
        if (company != hash)
            print_message("%s: %d rows alone, %d among others\n", kind[k].name, alone.rows, among.rows);
        assert_true(company == hash);
        assert_int_equal(among.asleep, 39 * 3);
        assert_int_equal(alone.asleep, 0);
        assert_true(alone.rows > 0);
        assert_int_equal(among.rows, alone.rows);
        assert_int_equal(among.contacts, alone.contacts);
    }
    sn_model_free(model);
}

/* A floor of boxes, some of which lie on others; by columns of ten. */
static void add_some(sn_world *world, const sn_model *model, int n) {
    for (int i = 0; i < n; i++) {
        const int at = member_of(world, model);
        put_body(world, at, (const double[3]){0.25 * (at % 10), 0.25 * (at / 10 % 8), 0.1 + 0.21 * (at / 80)},
                 NULL, NULL);
    }
}

/* Members that come, go and come back, with their rows or without: what there is memory for never shows. */
TEST(many_members_come_and_go_and_a_snapshot_brings_them_back) {
    const sn_shape_def box = box_of(0.1, 0.1, 0.1, 2);
    sn_model *model = free_body(&box);
    for (int k = 0; k < COUNT(kind); k++) {
        sn_world *world = make_world(&kind[k]);
        add_some(world, model, 120);
        run(world, 20);
        size_t size;
        unsigned char *bytes = snapshot_of(world, &size);
        run(world, 20);
        const uint64_t straight = sn_world_hash(world);
        for (int i = 0; i < 60; i++)
            assert_int_equal(sn_world_remove(world, (7 * i) % 120), SN_OK);
        run(world, 5);
        add_some(world, model, 90);
        assert_int_equal(sn_world_get_info(world).members, 150);
        run(world, 5);
        assert_int_equal(sn_world_restore(world, bytes, size, NULL), SN_OK);
        assert_int_equal(sn_world_get_info(world).members, 120);
        run(world, 20);
        assert_true(sn_world_hash(world) == straight);
        free(bytes);
        sn_world_free(world);
    }
    sn_model_free(model);
}

/* Three threads have hands of their own for each of the members. */
TEST(copies_of_many_bodies_have_the_same_bits_on_any_number_of_threads) {
    const sn_shape_def box = box_of(0.1, 0.1, 0.1, 2);
    sn_model *model = free_body(&box);
    for (int k = 0; k < COUNT(kind); k++) {
        uint64_t hash[2];
        for (int t = 0; t < 2; t++) {
            sn_world_def def = sn_world_def_default();
            def.contact = kind[k].contact, def.precision = kind[k].precision;
            def.dt = 1.0 / 60, def.sleep = 0.05, def.copies = 4, def.threads = t ? 3 : 1;
            sn_world *world = world_of(&def);
            floor_of(world, NULL);
            add_some(world, model, 100);
            for (int c = 0; c < 4; c++) {
                const double v[6] = {0.5 * c, 0, 0, 0, 0, 0};
                assert_int_equal(sn_world_set(world, 95, SN_FIELD_QD, c, 1, v), SN_OK);
            }
            run(world, 60);
            hash[t] = sn_world_hash(world);
            sn_world_free(world);
        }
        if (hash[0] != hash[1]) print_message("  kind %s differs\n", kind[k].name);
        assert_true(hash[0] == hash[1]);
    }
    sn_model_free(model);
}

/* Quivering is one thing, going on slowly another: what turns or slides steadily a little faster than allowed stays awake. */
TEST(what_goes_on_slowly_stays_awake) {
    static const double velocity[][6] = {{0.07, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0.8}};
    sn_shape_def box = box_of(0.1, 0.1, 0.02, 2);
    box.friction = 0;
    sn_model *model = free_body(&box);
    for (int k = 0; k < COUNT(kind) * COUNT(velocity); k++) {
        sn_world *world = make_world(&kind[k / COUNT(velocity)]);
        put_body(world, member_of(world, model), (const double[3]){0, 0, 0.02}, NULL,
                 velocity[k % COUNT(velocity)]);
        for (int i = 0; i < 180; i++) {
            step_world(world);
            assert_int_equal(stats_of(world).asleep, 0);
        }
        sn_world_free(world);
    }
    sn_model_free(model);
}

int main(void) {
    return run_all("world many");
}
