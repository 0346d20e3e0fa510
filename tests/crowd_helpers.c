#include "crowd_helpers.h"

#include <math.h>

sn_crowd *crowd_of(const sn_model *model, const sn_crowd_def *def) {
    sn_error error;
    sn_crowd *crowd = sn_crowd_create(model, def, &error);
    if (!crowd) fail_msg("%s", error.message);
    double kp[MAX_NV], kd[MAX_NV];
    sn_gains_uniform(model, 0, 0, 300, 30, kp, kd);
    assert_int_equal(sn_crowd_set_gains(crowd, kp, kd), SN_OK);
    return crowd;
}

void crowd_floor(sn_crowd *crowd, const sn_shape_def *material) {
    const double point[3] = {0, 0, 0}, normal[3] = {0, 0, 1};
    sn_error error;
    if (sn_crowd_set_plane(crowd, point, normal, material, &error)) fail_msg("%s", error.message);
}

void crowd_start(const sn_model *model, int who, double *q, double *qd) {
    struct rng rng = {(uint64_t)who + 1};
    const int nv = sn_model_nv(model);
    sn_character_def def = sn_character_def_default();
    sn_character *c = sn_character_create(model, &def, NULL);
    stand_humanoid(c, q);
    for (int v = 0; v < nv; v++)
        qd[v] = v < 6 ? 0 : uniform(&rng, -0.1, 0.1);
    if (who % 3 == 1) {
        q[2] += uniform(&rng, 0.01, 0.3);
        qd[0] = uniform(&rng, -2, 2), qd[1] = uniform(&rng, -2, 2);
        qd[4] = uniform(&rng, -2, 2);
    } else if (who % 3 == 2) {
        double dv[MAX_NV], turned[MAX_NQ];
        for (int v = 0; v < nv; v++)
            dv[v] = v < 3 ? 0 : uniform(&rng, -0.4, 0.4);
        random_quaternion(&rng, q + 3);
        sn_model_pose_add(model, q, dv, turned);
        for (int i = 0; i < sn_model_nq(model); i++)
            q[i] = turned[i];
        sn_character_set_state(c, q, NULL);
        q[2] -= lowest_point(c) - uniform(&rng, 0, 0.1);
    }
    sn_character_free(c);
}

void crowd_put(sn_crowd *crowd, const sn_model *model, int at, int who) {
    double q[MAX_NQ], qd[MAX_NV];
    crowd_start(model, who, q, qd);
    assert_int_equal(sn_crowd_set_state(crowd, at, 1, q, qd), SN_OK);
    assert_int_equal(sn_crowd_set_target(crowd, at, 1, q, NULL), SN_OK);
}

bool crowd_finite(sn_crowd *crowd) {
    double *values = malloc(sizeof(double) * 20 * MAX_NQ * (size_t)sn_crowd_count(crowd));
    bool fine = true;
    for (int f = 0; f < SN_CROWD_FIELDS; f++) {
        const int n = sn_crowd_size(crowd, (sn_crowd_field)f) * sn_crowd_count(crowd);
        if (f == SN_CROWD_TORQUE_LIMIT) continue; /* infinite where there is none */
        if (sn_crowd_get(crowd, (sn_crowd_field)f, 0, sn_crowd_count(crowd), values)) continue;
        for (int i = 0; i < n; i++)
            fine = fine && isfinite(values[i]);
    }
    free(values);
    return fine;
}
