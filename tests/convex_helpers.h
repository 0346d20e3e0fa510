/* Drops for tests of the convex problem. */
#ifndef SINEW_TESTS_CONVEX_HELPERS_H
#define SINEW_TESTS_CONVEX_HELPERS_H

#include "world_helpers.h"

/* A limp humanoid in a random pose, a metre above the ground. */
static inline sn_world *drop_of(const sn_world_def *def, const sn_model *model, double kd, uint64_t seed) {
    struct rng rng = {seed};
    double q[MAX_NQ], qd[MAX_NV];
    sn_world *world = world_of(def);
    floor_of(world, NULL);
    const int c = member_of(world, model);
    uniform_gains(world, c, 0, 0, 0, kd);
    random_state(&rng, model, 0.3, 1, q, qd);
    random_quaternion(&rng, q + 3);
    assert_int_equal(sn_world_set_state(world, c, q, qd), SN_OK);
    q[2] += 1 - lowest_point(world, c);
    assert_int_equal(sn_world_set_state(world, c, q, qd), SN_OK);
    return world;
}

/* A humanoid that stands on the plane z = 0, its member 0; kd is a tenth of kp. */
static inline sn_world *standing_world(const sn_model *model, int hertz, double kp) {
    sn_world_def def = sn_world_def_default();
    double q[MAX_NQ];
    def.dt = 1.0 / hertz;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    const int c = member_of(world, model);
    uniform_gains(world, c, 0, 0, kp, kp / 10);
    stand_humanoid(world, c, q);
    return world;
}

#endif
