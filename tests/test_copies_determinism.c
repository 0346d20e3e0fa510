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
    {{0xe9454267d4ee9777, 0x4811b96a8280d0a7},
     {0x83c536c15e173208, 0xf604bf13790a4d47}}, /* ground and joint limits */
    {{0xe2078381cecfd43e, 0x3e2465bb4c86e911},
     {0x5d930bd4056e21d9, 0x8705f4311aa498d3}}, /* height field, torques reported */
    {{0xeffa68fd7227f2e6, 0x7b9eee6b5552859c}, {0xbb8c5fc315853127, 0x75f5f437a7019359}}, /* two planes */
    {{0xf76c8107e23791af, 0xdb3c52a2cc288cdd},
     {0x5f2a20da875346ef, 0xbfd001c6f94a1a7a}}, /* torque limits and joint limits */
    {{0x456751db33c5541a, 0xe95c6f49b56e0922},
     {0xd1f65bb3badd7fef, 0x7b43acfd3ebf5d90}}, /* parameters of their own */
};

TEST(bits_are_as_they_were) {
    struct cast cast = cast_create();
    check_golden(&cast, scene, golden, LANE_SCENES);
    cast_free(&cast);
}

int main(void) {
    return run_all("copies determinism");
}
