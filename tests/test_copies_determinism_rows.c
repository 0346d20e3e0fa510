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
    {{0xbb3e5e736934f346, 0xe681ce20e663f19d}, {0x43668398461501ac, 0x82f6bc4e7f36b021}}, /* self contact */
    {{0x0194e7a9204eb4db, 0x5b6fb1af58b81004}, {0xb61dd91ba01c35d4, 0x410388e7369e62a6}}, /* rows */
    {{0xeab37c214f5f5c53, 0xa27bfd0edf94c22a},
     {0x634dcfd34e47777f, 0xfd73ec5624aba389}}, /* rows on hills, parameters of their own */
    {{0xc642814ec0f51f76, 0xd91414705b92f8d7},
     {0x486059cf8503a18b, 0x6c367fde4ad8e547}}, /* two members that meet */
    {{0xcf98a0c37c1e7bf4, 0xf56add7334bc6700}, {0x978be15871f11e98, 0xffb92b2dfc879eb7}}, /* rows and a ball */
};

TEST(bits_are_as_they_were) {
    struct cast cast = cast_create();
    check_golden(&cast, scene + LANE_SCENES, golden, ROW_SCENES);
    cast_free(&cast);
}

int main(void) {
    return run_all("copies determinism rows");
}
