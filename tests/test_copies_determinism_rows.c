/* A copy gives the same bits alone and in company where its scene needs rows: self contact, contact by rows, two members
 * that meet; with one, two and three threads, in lanes of any type, beside copies that diverge. */
#include "copies_bits.h"

/* Rows are slow: of a thousand copies there is one run, with two threads. */
static int steps(void) {
    return in_short() ? 6 : 12;
}

static void try_threads(const struct cast *cast, const struct scene *s, sn_precision precision) {
    check_threads(cast, s, precision, in_short() ? 16 : 61, steps());
}

TEST(a_copy_has_the_same_bits_in_company) {
    each_scene(LANE_SCENES, SCENES, try_threads);
}

static void try_lanes(const struct cast *cast, const struct scene *s, sn_precision precision) {
    check_lanes(cast, s, precision, in_short() ? 9 : 41, steps());
}

TEST(a_copy_has_the_same_bits_in_company_in_every_lane_type) {
    each_scene(LANE_SCENES, SCENES, try_lanes);
}

static void try_company(const struct cast *cast, const struct scene *s, sn_precision precision) {
    check_company(cast, s, precision, NULL, 2, 1000, steps());
}

TEST(a_copy_has_the_same_bits_among_a_thousand) {
    if (in_short()) skip();
    each_scene(LANE_SCENES, SCENES, try_company);
}

static void try_widths(const struct cast *cast, const struct scene *s, sn_precision precision) {
    check_widths(cast, s, precision, steps());
}

TEST(lanes_of_every_width_have_the_same_bits) {
    each_scene(LANE_SCENES, SCENES, try_widths);
}

TEST(scenes_are_what_their_names_say) {
    struct cast cast = cast_create();
    for (int i = LANE_SCENES; i < SCENES; i++) {
        check_meetings(&cast, &scene[i], 12);
        check_parts(&cast, &scene[i], 12);
    }
    cast_free(&cast);
}

/* Bits as they were when this was written: see test_copies_determinism.c. */
static const golden_row golden[ROW_SCENES] = {
    {{0xe600aa921aecbf1d, 0xbc7709892114d384}, {0x7f4e53989991d5db, 0xd6df89377f558496}}, /* self contact */
    {{0xaaa12a65c32d1a86, 0xf69f3244a3229a21}, {0x3cf34e3c835b7290, 0xb0cb574b2291b08d}}, /* rows */
    {{0x89f0ecd91cea0bb0, 0xdca5ab59d62bf7ed},
     {0x527942b59f37510a, 0x9c56a0bd7d6ec95a}}, /* rows on hills, parameters of their own */
    {{0xe4e6c1c2ad661f09, 0xde2e8405206423a3},
     {0xc91a200add5f66a4, 0xab715b97d705d8ec}}, /* two members that meet */
    {{0x7c47b40a51f7fbfb, 0x0914223b69ba5164}, {0x01d65c3b9abfb83f, 0xece32c119481b5a8}}, /* rows and a ball */
};

TEST(bits_are_as_they_were) {
    struct cast cast = cast_create();
    check_golden(&cast, scene + LANE_SCENES, golden, ROW_SCENES);
    cast_free(&cast);
}

int main(void) {
    return run_all("copies determinism rows");
}
