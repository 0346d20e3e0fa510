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
    {{0x3adce3dbec0a27ff, 0x73c22950014792b6}, {0x7a373900997f771d, 0x1d9b426b8655abf3}}, /* self contact */
    {{0xe67ebf3d104839e1, 0x3d91f4eb02246243}, {0x55a9fd1a59ba0c4a, 0x55197b23aff719e0}}, /* rows */
    {{0xf24a212bcdee7395, 0xb510d155cdb238e7},
     {0x7b4a34bfd917acdc, 0xdc3d47e12b43e925}}, /* rows on hills, parameters of their own */
    {{0x0ef6c1ce35ecabf4, 0x87f2a728ab107838},
     {0x8db0fbe13d62903f, 0x2d60f393dc58e225}}, /* two members that meet */
    {{0x40fcb52d72411b04, 0x8b856f917f3f1f55}, {0x54634551ee75ca13, 0x26e93fee96f92c39}}, /* rows and a ball */
};

TEST(bits_are_as_they_were) {
    struct cast cast = cast_create();
    check_golden(&cast, scene + LANE_SCENES, golden, ROW_SCENES);
    cast_free(&cast);
}

int main(void) {
    return run_all("copies determinism rows");
}
