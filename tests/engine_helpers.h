/* What both tests of engine.h have: a humanoid and a box. */
#ifndef SINEW_TESTS_ENGINE_HELPERS_H
#define SINEW_TESTS_ENGINE_HELPERS_H

#include "world_helpers.h"

struct models {
    sn_model *human, *box;
};

/* `half`: half of an edge of the box, m. */
static inline struct models make_models(double half) {
    const sn_shape_def box = box_of(half, half, half, 1);
    struct models m = {sn_builtin_create("humanoid", NULL), free_body(&box)};
    assert_non_null(m.human);
    return m;
}

/* Ends a test with one world of these models. */
static inline void free_scene(sn_world *world, struct models m) {
    sn_world_free(world);
    sn_model_free(m.human);
    sn_model_free(m.box);
}

/* A humanoid that holds its pose, `x` and `up` from where it stands. */
static inline sn_member add_held(sn_world *w, const sn_model *human, double x, double up) {
    double q[64], kp[64], kd[64];
    const sn_member member = member_of(w, human);
    sn_model_zero_pose(human, q);
    sn_gains_uniform(human, 0, 0, 500, 50, kp, kd);
    q[0] = x, q[2] += up;
    assert_int_equal(sn_world_set_gains(w, member, kp, kd), SN_OK);
    assert_int_equal(sn_world_set_state(w, member, q, NULL), SN_OK);
    assert_int_equal(sn_world_set_target(w, member, q, NULL), SN_OK);
    return member;
}

#endif
