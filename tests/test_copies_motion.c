/* Copies whose targets follow a motion, against the motion itself. */
#include "sinew/dynamics.h"

#include "clip_helpers.h"
#include "copies_helpers.h"

/* How far x is from what lies between the smallest and the largest velocity that the motion has around a time. */
static void widen(double *low, double *high, const double *x, int n) {
    for (int i = 0; i < n; i++)
        low[i] = fmin(low[i], x[i]), high[i] = fmax(high[i], x[i]);
}

static double beyond(const double *low, const double *high, const double *x, int n) {
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fmax(low[i] - x[i], x[i] - high[i]) / (1 + fabs(x[i])));
    return most;
}

/* Targets of the last step against the motion itself at the phase the world says. The motion's velocity jumps at its keys;
   that of the targets goes over in the time of a row. */
static void compare_targets(sn_world *w, const sn_model *model, const sn_motion *motion, struct worst *place,
                            struct worst *speed) {
    const int nv = sn_model_get(model)->nv;
    double q[MAX_NQ], qd[MAX_NV], want[MAX_NQ], low[MAX_NV], high[MAX_NV], off[MAX_NV], phase;
    for (int i = 0; i < sn_world_get_info(w).copies; i++) {
        assert_int_equal(sn_world_get(w, 0, SN_FIELD_PHASE, i, 1, &phase), SN_OK);
        assert_int_equal(sn_world_get(w, 0, SN_FIELD_TARGET_Q, i, 1, q), SN_OK);
        assert_int_equal(sn_world_get(w, 0, SN_FIELD_TARGET_QD, i, 1, qd), SN_OK);
        sn_motion_sample(motion, phase, want, NULL);
        sn_model_pose_subtract(model, 1, q, want, off);
        for (int v = 0; v < nv; v++)
            worst_add(place, fabs(off[v]), "phase %g, degree of freedom %d", phase, v);
        for (int v = 0; v < nv; v++)
            low[v] = 1e300, high[v] = -1e300;
        for (int k = -20; k <= 20; k++) {
            sn_motion_sample(motion, phase + k / 20.0 / 119, NULL, off);
            widen(low, high, off, nv);
        }
        worst_add(speed, beyond(low, high, qd, nv), "phase %g", phase);
    }
}

static void check_motion(const char *model_name, const char *name, sn_precision precision) {
    sn_model *model = sn_builtin_create(model_name, NULL);
    sn_error error;
    sn_motion *motion = sn_builtin_motion_create(name, model, &error);
    if (!motion) fail_msg("%s: %s", name, error.message);
    const double duration = sn_motion_get(motion)->duration;
    sn_world_def def = copies_def(MANY, precision);
    def.dt = 1.0 / 60;
    sn_world *w = copies_of(model, &def);
    double phase[MANY];
    struct rng rng = {21};
    for (int i = 0; i < MANY; i++)
        phase[i] = sn_motion_get(motion)->loops ? uniform(&rng, -2 * duration, 3 * duration)
                                                : uniform(&rng, 0.1 * duration, 0.8 * duration);
    assert_int_equal(sn_world_set_motion(w, 0, motion), SN_OK);
    assert_int_equal(sn_world_set(w, 0, SN_FIELD_PHASE, 0, MANY, phase), SN_OK);
    struct worst place = {0}, speed = {0};
    for (int k = 0; k < 8; k++) {
        assert_int_equal(sn_world_step(w), SN_OK);
        for (int i = 0; i < MANY; i++) {
            double now;
            sn_world_get(w, 0, SN_FIELD_PHASE, i, 1, &now);
            assert_near(now, phase[i] + (k + 1) / 60.0, 1e-7);
        }
        compare_targets(w, model, motion, &place, &speed);
    }
    char what[64];
    snprintf(what, sizeof what, "%s, targets in place", name);
    assert_worst(&place, 1e-3, what);
    snprintf(what, sizeof what, "%s, their velocity", name);
    assert_worst(&speed, 1e-6, what);
    sn_world_free(w);
    sn_motion_free(motion);
    sn_model_free(model);
}

TEST(targets_follow_a_motion) {
    for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++) {
        check_motion("humanoid", "walk", (sn_precision)precision);
        check_motion("humanoid", "backflip", (sn_precision)precision);
        check_motion("dog", "canter", (sn_precision)precision);
        check_motion("snake36", "slither", (sn_precision)precision);
    }
}

/* Keys at times of their own, large turns, poses on either half of the quaternions; once a round, once to and no more. */
TEST(a_motion_of_uneven_keys_is_followed) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    enum { KEYS = 9 };
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv;
    static double q[KEYS * MAX_NQ];
    double time[KEYS], qd[MAX_NV];
    struct rng rng = {31};
    for (int k = 0; k < KEYS; k++) {
        time[k] = k ? time[k - 1] + uniform(&rng, 0.1, 0.4) : 0;
        random_state(&rng, model, 0.6, 0, q + k * nq, qd);
        q[k * nq] = 0.4 * k;
        for (int i = 3; i < 7; i++)
            q[k * nq + i] *= k % 2 ? -1 : 1;
    }
    for (int loop = 0; loop < 2; loop++) {
        sn_motion *motion = sn_motion_from_poses(model, KEYS, time, q, loop, NULL);
        assert_non_null(motion);
        sn_world_def def = copies_def(MANY, SN_PRECISION_DOUBLE);
        sn_world *w = copies_of(model, &def);
        double phase[MANY], at[MAX_NQ], want[MAX_NQ], off[MAX_NV];
        for (int i = 0; i < MANY; i++)
            phase[i] = i % 2 ? uniform(&rng, -time[KEYS - 1], 2 * time[KEYS - 1])
                             : time[i / 2 % KEYS] + uniform(&rng, -0.0004, 0.0004) - def.dt;
        assert_int_equal(sn_world_put(w, 0, SN_FIELD_PHASE, NULL, phase), SN_OK);
        assert_int_equal(sn_world_set_motion(w, 0, motion), SN_OK);
        assert_int_equal(sn_world_step(w), SN_OK);
        struct worst place = {0};
        for (int i = 0; i < MANY; i++) {
            const double now = phase[i] + def.dt;
            sn_world_get(w, 0, SN_FIELD_TARGET_Q, i, 1, at);
            sn_world_get(w, 0, SN_FIELD_TARGET_QD, i, 1, qd);
            sn_motion_sample(motion, now, want, NULL);
            sn_model_pose_subtract(model, 1, at, want, off);
            worst_add(&place, norm(off, nv), "phase %g", now);
            const bool rests = !loop && (now < 0 || now > time[KEYS - 1]);
            assert_true((norm(qd, nv) == 0) == rests);
        }
        assert_worst(&place, 4e-3, "uneven keys"); /* of a vector of 34, at its kinks */
        sn_world_free(w);
        sn_motion_free(motion);
    }
    sn_model_free(model);
}

/* Steps of each its own length; the frozen wait; without a motion phases stand and targets are one's own. */
TEST(phases_move_by_the_dt_of_each_copy) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world_def def = copies_def(MANY, SN_PRECISION_FLOAT);
    sn_world *w = copies_of(model, &def);
    sn_motion *walk = sn_builtin_motion_create("walk", model, NULL);
    const int nq = sn_model_get(model)->nq;
    double dt = 1.0 / 100, phase[MANY], q[MAX_NQ], got[MAX_NQ];
    assert_int_equal(sn_world_set(w, 0, SN_FIELD_DT, 3, 1, &dt), SN_OK);
    assert_int_equal(sn_world_set_motion(w, 0, walk), SN_OK);
    make_wild(w, 0, 5);
    for (int i = 0; i < 12; i++)
        assert_int_equal(sn_world_step(w), SN_OK);
    assert_int_equal(sn_world_get(w, 0, SN_FIELD_PHASE, 0, MANY, phase), SN_OK);
    for (int i = 0; i < MANY; i++)
        assert_near(phase[i], i == 3 ? 0.12 : i == 5 ? 1.0 / 240 : 0.05, 1e-7);
    assert_int_equal(sn_world_set_motion(w, 0, NULL), SN_OK);
    sn_model_zero_pose(model, q);
    assert_int_equal(sn_world_set(w, 0, SN_FIELD_TARGET_Q, 3, 1, q), SN_OK);
    assert_int_equal(sn_world_step(w), SN_OK);
    assert_int_equal(sn_world_get(w, 0, SN_FIELD_TARGET_Q, 3, 1, got), SN_OK);
    round_to_float(q, nq);
    assert_memory_equal(got, q, sizeof *q * (size_t)nq);
    assert_int_equal(sn_world_get(w, 0, SN_FIELD_PHASE, 3, 1, &phase[0]), SN_OK);
    assert_true(phase[0] == phase[3]);
    sn_motion_free(walk);
    sn_world_free(w);
    sn_model_free(model);
}

/* A quarter of a circle per round, looking where it goes. */
TEST(a_loop_that_turns_is_followed) {
    sn_clip *clip = quarter_circle();
    sn_model *model = sn_clip_build_model(clip, 10, NULL);
    sn_motion *motion = sn_motion_create(clip, model, NULL, NULL);
    for (int precision = 0; precision < 2; precision++) {
        sn_world_def def = copies_def(MANY, (sn_precision)precision);
        sn_world *w = copies_of(model, &def);
        double phase[MANY], at[7], want[7], off[6], qd[6], want_qd[6];
        for (int i = 0; i < MANY; i++)
            phase[i] = 0.05 + 9.0 * i / MANY;
        assert_int_equal(sn_world_set(w, 0, SN_FIELD_PHASE, 0, MANY, phase), SN_OK);
        assert_int_equal(sn_world_set_motion(w, 0, motion), SN_OK);
        assert_int_equal(sn_world_step(w), SN_OK);
        struct worst place = {0}, speed = {0};
        for (int i = 0; i < MANY; i++) {
            sn_world_get(w, 0, SN_FIELD_TARGET_Q, i, 1, at);
            sn_world_get(w, 0, SN_FIELD_TARGET_QD, i, 1, qd);
            sn_motion_sample(motion, phase[i] + def.dt, want, want_qd);
            sn_model_pose_subtract(model, 1, at, want, off);
            worst_add(&place, norm(off, 6), "phase %g", phase[i]);
            for (int k = 0; k < 6; k++)
                off[k] = qd[k] - want_qd[k];
            worst_add(&speed, norm(off, 6), "phase %g", phase[i]);
        }
        assert_worst(&place, 4e-3, "a loop that turns");
        assert_worst(&speed, 0.4, "its velocity"); /* which jumps at keys */
        sn_world_free(w);
    }
    sn_motion_free(motion);
    sn_model_free(model);
    sn_clip_free(clip);
}

int main(void) {
    return run_all("copies motion");
}
