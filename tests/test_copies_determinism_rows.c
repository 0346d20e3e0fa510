/* A copy gives the same bits alone and among others where its scene needs rows: self contact, contact by rows, two members
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
    {{0x970331760a6594ac, 0x4f50efe177a0ff68}, {0xb1f462b0dd644c66, 0x7f51603558f4b295}}, /* self contact */
    {{0x0c1273e84a1095c0, 0x355531109545020b}, {0x8534295e4ac7cee7, 0xd3d6b93e2384dd6f}}, /* rows */
    {{0xff12c9904d860b93, 0x9a01f971d677e4ec},
     {0xfe9bb81ae5a0d319, 0x1166b77b4509198f}}, /* rows on hills, parameters of their own */
    {{0xa785dc6dae07e0ac, 0x53f20a7815fb206a},
     {0x32034b4d84e07049, 0xb0a2f17e769679bd}}, /* two members that meet */
    {{0x546d587e29aa6314, 0x2b567b95bc7ee244}, {0xa6b4ef60f3828d0f, 0x7b0efab693081aa1}}, /* rows and a ball */
};

TEST(bits_are_as_they_were) {
    struct cast cast = cast_create();
    check_golden(&cast, scene + LANE_SCENES, golden, ROW_SCENES);
    cast_free(&cast);
}

int main(void) {
    return run_all("copies determinism rows");
}
