/* A copy gives the same bits alone and among others: in any place among any number, in lanes of any type, with one, two
 * and three threads, beside copies that diverge; on the ground, with joint limits and torque limits. */
#include "copies_bits.h"

static int copies(void) {
    return in_short() ? 40 : 1000;
}

static int steps(void) {
    return in_short() ? 12 : 60;
}

static void try_threads(const struct cast *cast, const struct scene *s, sn_precision precision) {
    check_threads(cast, s, precision, copies(), steps());
}

TEST(a_copy_has_the_same_bits_in_company) {
    each_scene(0, LANE_SCENES, try_threads);
}

static void try_lanes(const struct cast *cast, const struct scene *s, sn_precision precision) {
    check_lanes(cast, s, precision, copies(), steps());
}

TEST(a_copy_has_the_same_bits_in_company_in_every_lane_type) {
    each_scene(0, LANE_SCENES, try_lanes);
}

static void try_widths(const struct cast *cast, const struct scene *s, sn_precision precision) {
    check_widths(cast, s, precision, steps());
}

TEST(lanes_of_every_width_have_the_same_bits) {
    each_scene(0, LANE_SCENES, try_widths);
}

TEST(scenes_are_what_their_names_say) {
    struct cast cast = cast_create();
    for (int i = 0; i < LANE_SCENES; i++) {
        check_meetings(&cast, &scene[i], 30);
        check_parts(&cast, &scene[i], 30);
    }
    cast_free(&cast);
}

/* Bits as they were when this was written: a change of them is to be seen. The test prints the lines that belong here
   when they differ; SINEW_PRINT_GOLDEN prints all. */
static const golden_row golden[LANE_SCENES] = {
    {{0xa8b330118b567c5b, 0x1f437a503194e5b4}, {0xed6e0d0105575cad, 0xfddaba68b1b460cb}}, /* ground */
    {{0xbdb89f33eeb7fb58, 0x362ea67fe903ee7c},
     {0x1f3f493b07ba26ef, 0xe926d835e7e2cd2b}}, /* ground and joint limits */
    {{0x133099d5e11eadc5, 0xce3d97712550f39a},
     {0xabf2d3a0d6be8c8d, 0xd368f5dd24c87a44}}, /* height field, torques reported */
    {{0xf646d4d00eef4f5e, 0xd52eb493d5603745}, {0x732673e6c525c2b4, 0x00e5bbee4eefa0ea}}, /* two planes */
    {{0x0bc4e2dad388d614, 0x132bb28cfa4784ca},
     {0xe39ebe0e3529370d, 0x271e3b2a4aa16717}}, /* torque limits and joint limits */
    {{0xe874f23298a8a4e3, 0x64779e0ce9e13ddc},
     {0x228351aca81d0dee, 0xa6e1b8c6a379b413}}, /* parameters of their own */
};

TEST(bits_are_as_they_were) {
    struct cast cast = cast_create();
    check_golden(&cast, scene, golden, LANE_SCENES);
    cast_free(&cast);
}

int main(void) {
    return run_all("copies determinism");
}
