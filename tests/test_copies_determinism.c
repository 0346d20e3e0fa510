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
    {{0x23e8fcbd8b2631dd, 0xd48c1e5e825c9dfd}, {0x1126e0e542c7522d, 0x5b20d2446c44f441}}, /* ground */
    {{0xe9454267d4ee9777, 0xae67645e4a6c14d9},
     {0x2bdbcf30c2eecd80, 0x42267bc1b16cdbca}}, /* ground and joint limits */
    {{0xe2078381cecfd43e, 0xa86742804747c5bd},
     {0xb327ddd3910c572e, 0x3e92b544dfaa55a0}}, /* height field, torques reported */
    {{0x47e210dc6f9f2a93, 0xb295c3c86e30fd80}, {0x0509ebb80d380534, 0x3d88da2f5cdc3ab7}}, /* two planes */
    {{0xf09d87f30fcedf8c, 0x9948bd9df882fa65},
     {0x0fbf3f7426fa68bf, 0x0a61766e46e74583}}, /* torque limits and joint limits */
    {{0xd7af0ab9405ce3ca, 0xa4cb7e2da6bca22a},
     {0xebde6a15f74d0bb1, 0x073e938cae0ba5c1}}, /* parameters of their own */
};

TEST(bits_are_as_they_were) {
    struct cast cast = cast_create();
    check_golden(&cast, scene, golden, LANE_SCENES);
    cast_free(&cast);
}

int main(void) {
    return run_all("copies determinism");
}
