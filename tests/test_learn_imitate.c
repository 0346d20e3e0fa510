/* Imitation of a motion: the reference itself is worth 1, falls end, time runs out, motions differ from copy to copy. */
#include "learn_task_helpers.h"

/* An environment that has begun, in two parts. */
static void begin(struct task *t) {
    open_task(t);
    reset(t, NULL);
}

TEST(the_reference_itself_is_worth_one) {
    for (int features = 0; features < 2; features++) {
        struct task t = make_task();
        t.imitation.features = (sn_features)features;
        begin(&t);
        assert_int_equal(t.info.observations, 2 + sn_model_get(t.model)->nbody * (features ? 15 : 13) + 4);
        bool differ = false;
        for (int i = 0; i < COPIES; i++) {
            const double r = worth(t.env, i);
            assert_true(r > 1 - 1e-5 && r < 1 + 1e-6);
            differ = differ || t.observation[i * t.info.observations] != t.observation[0]; /* the phase */
        }
        assert_true(differ);
        close_task(&t);
    }
}

/* Turned about the vertical and moved over the plane, a pose looks the same, except for where the reference is. */
TEST(observations_do_not_depend_on_heading_and_place) {
    for (int features = 0; features < 2; features++) {
        struct task t = make_task();
        t.imitation.features = (sn_features)features;
        t.imitation.hide_root = true;
        begin(&t);
        sn_world *world = sn_environment_world(t.env, 0, NULL);
        double q[200], qd[100], turn[4] = {cos(.6), 0, 0, sin(.6)}, turned[4], v[3];
        sn_world_get(world, 0, SN_FIELD_Q, 0, 1, q);
        sn_world_get(world, 0, SN_FIELD_QD, 0, 1, qd);
        const double *a = turn, *b = q + 3;
        turned[0] = a[0] * b[0] - a[3] * b[3], turned[1] = a[0] * b[1] - a[3] * b[2];
        turned[2] = a[0] * b[2] + a[3] * b[1], turned[3] = a[0] * b[3] + a[3] * b[0];
        v[0] = cos(1.2) * qd[0] - sin(1.2) * qd[1], v[1] = sin(1.2) * qd[0] + cos(1.2) * qd[1], v[2] = qd[2];
        memcpy(q + 3, turned, sizeof turned);
        memcpy(qd, v, sizeof v);
        q[0] += 3, q[1] -= 7;
        sn_world_set(world, 0, SN_FIELD_Q, 1, 1, q);
        sn_world_set(world, 0, SN_FIELD_QD, 1, 1, qd);
        copy_of(t.env, 1)->time = copy_of(t.env, 0)->time;
        sn_error error; /* of the state as it is now */
        assert_int_equal(sn_environment_observe(t.env, t.observation, &error), SN_OK);
        const float *seen[2] = {t.observation, t.observation + t.info.observations};
        for (int k = 0; k < t.info.observations; k++)
            assert_true(fabs((double)(seen[0][k] - seen[1][k])) < 2e-4);
        close_task(&t);
    }
}

TEST(actions_of_zero_are_the_reference_or_the_middle) {
    struct task t = make_task();
    begin(&t);
    const struct sn__imitate_copy e = {.time = .3};
    float action[200] = {0}, target[200];
    sn__imitate_target(t.im, &e, action, target);
    const int row = sn__reference_row(t.im->reference, .3 + 1. / 30);
    assert_memory_equal(target, t.im->reference->q + row * t.im->nq, (size_t)t.im->nq * sizeof(float));
    close_task(&t);
    t = make_task();
    t.imitation.targets = SN_TARGETS_ABSOLUTE;
    begin(&t);
    sn__imitate_target(t.im, &e, action, target);
    for (int i = 1; i < t.im->nbody; i++) {
        const struct sn__imitate_body *b = &t.im->body[i];
        if (b->quaternion == 0) assert_true(target[b->q] == 1 && target[b->q + 1] == 0);
        if (b->quaternion < 0 && b->nv) assert_true(target[b->q] == b->middle[0]);
    }
    close_task(&t);
}

/* The targets alone do not walk: every copy falls within some seconds, is worth 0 then, and restarts. */
TEST(a_fall_terminates_and_a_new_episode_begins) {
    struct task t = make_task();
    begin(&t);
    int fallen = 0;
    for (int k = 0; k < 300 && fallen < 3; k++) {
        step(&t);
        for (int i = 0; i < COPIES; i++) {
            assert_true(t.reward[i] >= 0 && t.reward[i] <= 1);
            assert_false(t.truncated[i]);
            if (!t.terminated[i]) continue;
            fallen++;
            assert_true(t.reward[i] == 0);
            assert_true(worth(t.env, i) > 1 - 1e-5);
            assert_memory_not_equal(t.final + i * t.info.observations,
                                    t.observation + i * t.info.observations,
                                    (size_t)t.info.observations * sizeof(float));
        }
    }
    assert_true(fallen >= 3);
    close_task(&t);
}

/* A swing of the root's height at f Hz loses all but 1 / (1 + (f / 6)^4) of its speed. */
TEST(fast_velocities_are_damped_as_told) {
    for (int f = 1; f <= 8; f += 7) {
        enum { KEYS = 400 };
        struct task t = make_task();
        const int nq = sn_model_get(t.model)->nq;
        double *q = calloc((size_t)(KEYS + 1) * (size_t)nq, sizeof *q), time[KEYS + 1];
        for (int k = 0; k <= KEYS; k++) {
            time[k] = (double)k / KEYS;
            sn_motion_sample(t.motion, 0, q + k * nq, NULL);
            q[k * nq + 2] += .01 * sin(2 * M_PI * f * time[k]);
        }
        sn_motion *swing = sn_motion_from_poses(t.model, KEYS + 1, time, q, true, NULL);
        t.imitation.motion = swing;
        begin(&t);
        double most = 0;
        for (int row = 0; row < t.im->reference->rows; row++)
            most = fmax(most, fabs((double)t.im->reference->qd[row * t.im->nv + 2]));
        const double whole = .01 * 2 * M_PI * f, left = 1 / (1 + pow(f / 6., 4));
        assert_true(fabs(most / whole - left) < .01);
        close_task(&t);
        sn_motion_free(swing);
        free(q);
    }
}

/* A motion whose feet are in the ground: episodes begin on it. */
TEST(episodes_begin_above_the_ground) {
    struct task t = make_task();
    const int nq = sn_model_get(t.model)->nq;
    double q[400], time[2] = {0, 1};
    sn_motion_sample(t.motion, 0, q, NULL);
    q[2] -= .05;
    memcpy(q + nq, q, (size_t)nq * sizeof *q);
    sn_motion *deep = sn_motion_from_poses(t.model, 2, time, q, true, NULL);
    assert_non_null(deep);
    t.imitation.motion = deep;
    begin(&t);
    double now[200];
    get(&t, 0, 0, SN_FIELD_Q, now);
    assert_true(fabs(now[2] - q[2] - .05) < .002); /* the motion's own feet are within 2 mm of it */
    close_task(&t);
    sn_motion_free(deep);
}

TEST(time_runs_out) {
    struct task t = make_task();
    t.imitation.limit = .1;
    begin(&t);
    for (int k = 1; k <= 6; k++) {
        step(&t);
        for (int i = 0; i < COPIES; i++)
            assert_true(t.terminated[i] || t.truncated[i] == (k % 3 == 0));
    }
    close_task(&t);
}

/* The walk and the run in one environment: copies take turns, each is worth 1 at first, and the policy sees which it has. */
TEST(copies_imitate_motions_of_their_own) {
    struct task t = make_task();
    sn_motion *run = sn_builtin_motion_create("run", t.model, NULL);
    const sn_motion *const both[] = {t.motion, run};
    t.imitation.motion = NULL;
    t.imitation.motions = both, t.imitation.nmotions = 2;
    begin(&t);
    assert_int_equal(t.info.observations, 2 + 13 * sn_model_get(t.model)->nbody + 4 + 2);
    double fast[2] = {0};
    for (int i = 0; i < COPIES; i++) {
        const float *seen = t.observation + (i + 1) * t.info.observations - 2;
        const int which = copy_of(t.env, i)->motion == 1;
        double qd[100];
        assert_true(seen[which] == 1 && seen[1 - which] == 0);
        assert_true(worth(t.env, i) > 1 - 1e-4);
        get(&t, i, 0, SN_FIELD_QD, qd);
        fast[which] += qd[0] / (COPIES / 2);
    }
    assert_true(fast[0] > .8 && fast[0] < 2 && fast[1] > 2.5); /* m/s: half of the copies walk, half run */
    uint64_t seed[COPIES];
    for (int i = 0; i < COPIES; i++)
        seed[i] = (uint64_t)(i / 2);
    reset(&t, seed);
    for (int i = 0; i < COPIES; i++) /* which motion a copy has follows from its seed */
        assert_int_equal(copy_of(t.env, i)->motion, i / 2 % 2);
    close_task(&t);
    sn_motion_free(run);
}

TEST(numbers_have_names) {
    struct task t = make_task();
    t.imitation.command = 1;
    open_task(&t);
    const int last = t.info.observations - 1;
    for (int i = 0; i <= last; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(t.info.observation_names[i], t.info.observation_names[k]);
    assert_string_equal(t.info.observation_names[0], "motion phase");
    assert_string_equal(t.info.observation_names[2], "pelvis position x");
    assert_string_equal(t.info.observation_names[last], "command speed");
    for (int i = 0; i < t.info.actions; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(t.info.action_names[i], t.info.action_names[k]);
    assert_string_equal(t.info.term_names[0], "pose");
    close_task(&t);
}

TEST(what_cannot_be_imitated_is_refused) {
    struct task t = make_task();
    const sn_motion *const gap[] = {t.motion, NULL};
    sn_imitation_def def;
    sn_error error;
    sn_task task;
    def = t.imitation, def.rate = 0;
    assert_int_equal(sn_imitation_task(&task, &def, &error), SN_ERROR_ARGUMENT);
    assert_message_has(&error, "rate is 0");
    def = t.imitation, def.motions = gap, def.nmotions = 2;
    assert_int_equal(sn_imitation_task(&task, &def, &error), SN_ERROR_ARGUMENT);
    assert_message_has(&error, "one of them");
    def.motion = NULL;
    assert_int_equal(sn_imitation_task(&task, &def, &error), SN_ERROR_ARGUMENT);
    assert_message_has(&error, "motion 1 is missing");
    sn_motion_free(t.motion), sn_model_free(t.model);
}

int main(void) {
    return run_all("learn_imitate");
}
