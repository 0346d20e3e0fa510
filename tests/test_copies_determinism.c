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
    {{0x7c5bcc449cd05233, 0xaf3aad963493b452},
     {0x22045ce24d352915, 0x08830a03019dcd88}}, /* ground and joint limits */
    {{0xe2078381cecfd43e, 0x3e2465bb4c86e911},
     {0x5d930bd4056e21d9, 0x8705f4311aa498d3}}, /* height field, torques reported */
    {{0x979931a2868fd006, 0x80931ca14358db6b}, {0x523227a94cec6a1a, 0xea4d48c54afd1a1f}}, /* two planes */
    {{0x0bc4e2dad388d614, 0x132bb28cfa4784ca},
     {0xe39ebe0e3529370d, 0x271e3b2a4aa16717}}, /* torque limits and joint limits */
    {{0xcc8e65b3c5a7c796, 0xebe6189e1fa74cba},
     {0xd0b9272790411d04, 0xec0b34c7a8394b54}}, /* parameters of their own */
};

TEST(bits_are_as_they_were) {
    struct cast cast = cast_create();
    check_golden(&cast, scene, golden, LANE_SCENES);
    cast_free(&cast);
}

int main(void) {
    return run_all("copies determinism");
}
