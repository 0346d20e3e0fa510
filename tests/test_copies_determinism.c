/* A copy gives the same bits alone and in company: in any place among any number, in lanes of any type, with one, two
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
    {{0xc0c626567189fe9e, 0x15017cabd32d5262}, {0xcd627aad55662aaa, 0xe8a16a24e3b36e4e}}, /* ground */
    {{0xe28b8f2af76f5ee5, 0x0f7a2040c8468391},
     {0xc7b1a9c0977173da, 0xcd36ae053c59e088}}, /* ground and joint limits */
    {{0x816fe3bcbf695ce0, 0xa52e421dc1ade501},
     {0xa9d228fa1dde6348, 0xa04d2460fc4c95ad}}, /* height field, torques reported */
    {{0x9bbd115ef3d7281e, 0xe9fa003e6e12d7ef}, {0x84ec5620744cc735, 0xe4b7fb604889bd59}}, /* two planes */
    {{0x388e36739436d601, 0x1e271fd9e0ef5a33},
     {0x9c309a6156363951, 0xf9af2df04a7a59bc}}, /* torque limits and joint limits */
    {{0xc9459ddafe7cec07, 0x50fa84d76f3130e8},
     {0xe1186cb6fada9237, 0x18c0afa99bd2c4dd}}, /* parameters of their own */
};

TEST(bits_are_as_they_were) {
    struct cast cast = cast_create();
    check_golden(&cast, scene, golden, LANE_SCENES);
    cast_free(&cast);
}

int main(void) {
    return run_all("copies determinism");
}
