/* Imitation of a motion: the reference itself is worth 1, falls end, time runs out, bits stay. */
#include "file_helpers.h"

#include <unistd.h>

#include "learn/imitate_parts.h"
#include "learn/ppo.h"
#include "learn/random.h"
#include "learn/vector.h"

enum { COPIES = 8 };

struct task {
    sn_model *model;
    sn_motion *motion;
    double kp[100], kd[100];
    struct sn__imitate_def def;
    struct sn__imitate *im;
    struct sn__vector *vector;
    struct sn__environment env;
    float *observation, *final, *action;
    float reward[COPIES];
    bool terminated[COPIES], truncated[COPIES];
    struct sn__transition out;
};

static void open_task(struct task *t) {
    sn_error error;
    t->im = sn__imitate_create(&t->def, &error);
    if (!t->im) fail_msg("%s", error.message);
    const struct sn__task task = sn__imitate_task(t->im);
    assert_non_null(t->vector = sn__vector_create(&task, SN_AUTORESET_SAME_STEP, 1, NULL));
    t->env = sn__vector_environment(t->vector);
    const size_t n = (size_t)t->env.observations, actions = (size_t)t->env.actions;
    t->observation = calloc(COPIES * n, sizeof(float));
    t->final = calloc(COPIES * n, sizeof(float));
    t->action = calloc(COPIES * actions, sizeof(float));
    t->out = (struct sn__transition){t->observation, t->reward, t->terminated, t->truncated, t->final};
    assert_int_equal(t->env.reset(t->vector, 0, t->observation, &error), SN_OK);
}

static struct task make_task(void) {
    struct task t = {0};
    t.model = sn_builtin_create("humanoid", NULL);
    t.motion = sn_builtin_motion_create("walk", t.model, NULL);
    assert_non_null(t.motion);
    const sn_gains_def gains = {.frequency = 6, .widen = true};
    assert_int_equal(sn_gains_choose(t.model, &gains, t.kp, t.kd, NULL), SN_OK);
    t.def = sn__imitate_default(t.model, t.motion);
    t.def.parts = 2;
    t.def.copies = COPIES;
    t.def.seed = 3;
    return t;
}

static struct task make_open_task(struct task *t) {
    t->def.kp = t->kp, t->def.kd = t->kd;
    open_task(t);
    return *t;
}

static void close_task(struct task *t) {
    sn__vector_free(t->vector);
    sn__imitate_free(t->im);
    free(t->observation), free(t->final), free(t->action);
    sn_motion_free(t->motion);
    sn_model_free(t->model);
}

static void step(struct task *t) {
    sn_error error;
    if (t->env.step(t->vector, 0, t->action, &t->out, &error)) fail_msg("%s", error.message);
}

TEST(the_reference_itself_is_worth_one) {
    for (int features = 0; features < 2; features++) {
        struct task t = make_task();
        t.def.features = (sn_features)features;
        make_open_task(&t);
        assert_int_equal(t.env.observations, 2 + sn_model_nbody(t.model) * (features ? 15 : 13) + 4);
        bool differ = false;
        for (int i = 0; i < COPIES; i++) {
            const struct sn__imitate_reward r = sn__imitate_judge(t.im, 0, i);
            assert_true(r.sum > 1 - 1e-5 && r.sum < 1 + 1e-6);
            differ = differ || t.observation[i * t.env.observations] != t.observation[0]; /* the phase */
        }
        assert_true(differ);
        close_task(&t);
    }
}

/* Turned about the vertical and moved over the plane, a pose looks the same, except for where the reference is. */
TEST(observations_do_not_depend_on_heading_and_place) {
    for (int features = 0; features < 2; features++) {
        struct task t = make_task();
        t.def.features = (sn_features)features;
        t.def.observe_root = false;
        make_open_task(&t);
        struct sn__imitate_part *p = &t.im->part[0];
        double q[200], qd[100], turn[4] = {cos(.6), 0, 0, sin(.6)}, turned[4], v[3];
        sn_world_get(p->world, p->member, SN_FIELD_Q, 0, 1, q);
        sn_world_get(p->world, p->member, SN_FIELD_QD, 0, 1, qd);
        const double *a = turn, *b = q + 3;
        turned[0] = a[0] * b[0] - a[3] * b[3], turned[1] = a[0] * b[1] - a[3] * b[2];
        turned[2] = a[0] * b[2] + a[3] * b[1], turned[3] = a[0] * b[3] + a[3] * b[0];
        v[0] = cos(1.2) * qd[0] - sin(1.2) * qd[1], v[1] = sin(1.2) * qd[0] + cos(1.2) * qd[1], v[2] = qd[2];
        memcpy(q + 3, turned, sizeof turned);
        memcpy(qd, v, sizeof v);
        q[0] += 3, q[1] -= 7;
        sn_world_set(p->world, p->member, SN_FIELD_Q, 1, 1, q);
        sn_world_set(p->world, p->member, SN_FIELD_QD, 1, 1, qd);
        p->episode[1].time = p->episode[0].time;
        float seen[2][500];
        for (int i = 0; i < 2; i++) {
            const float *pose = sn_world_view(p->world, p->member, SN_FIELD_BODY_POSE);
            const float *velocity = sn_world_view(p->world, p->member, SN_FIELD_BODY_VELOCITY);
            const struct sn__imitate_view view = {.pose = pose + i * 7 * t.im->nbody,
                                                  .velocity = velocity + i * 6 * t.im->nbody};
            sn__imitate_observe(t.im, &p->episode[i], &view, seen[i]);
        }
        for (int k = 0; k < t.env.observations; k++)
            assert_true(fabs((double)(seen[0][k] - seen[1][k])) < 2e-4);
        close_task(&t);
    }
}

TEST(actions_of_zero_are_the_reference_or_the_middle) {
    struct task t = make_task();
    make_open_task(&t);
    const struct sn__episode e = {.time = .3};
    float action[200] = {0}, target[200];
    sn__imitate_target(t.im, &e, action, target);
    const int row = sn__reference_row(&t.im->reference, .3 + 1. / 30);
    assert_memory_equal(target, t.im->reference.q + row * t.im->nq, (size_t)t.im->nq * sizeof(float));
    close_task(&t);
    t = make_task();
    t.def.targets = SN_TARGETS_ABSOLUTE;
    make_open_task(&t);
    sn__imitate_target(t.im, &e, action, target);
    for (int i = 1; i < t.im->nbody; i++) {
        const struct sn__imitate_body *b = &t.im->body[i];
        if (b->quaternion == 0) assert_true(target[b->q] == 1 && target[b->q + 1] == 0);
        if (b->quaternion < 0 && b->nv) assert_true(target[b->q] == b->middle[0]);
    }
    close_task(&t);
}

/* The targets alone do not walk: every copy falls within some seconds, is worth 0 then, and begins again. */
TEST(a_fall_terminates_and_a_new_episode_begins) {
    struct task t = make_task();
    make_open_task(&t);
    int fallen = 0;
    for (int k = 0; k < 300 && fallen < 3; k++) {
        step(&t);
        for (int i = 0; i < COPIES; i++) {
            assert_true(t.reward[i] >= 0 && t.reward[i] <= 1);
            assert_false(t.truncated[i]);
            if (!t.terminated[i]) continue;
            fallen++;
            assert_true(t.reward[i] == 0);
            assert_true(sn__imitate_judge(t.im, 0, i).sum > 1 - 1e-5);
            assert_memory_not_equal(t.final + i * t.env.observations, t.observation + i * t.env.observations,
                                    (size_t)t.env.observations * sizeof(float));
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
        const int nq = sn_model_nq(t.model);
        double *q = calloc((size_t)(KEYS + 1) * (size_t)nq, sizeof *q), time[KEYS + 1];
        for (int k = 0; k <= KEYS; k++) {
            time[k] = (double)k / KEYS;
            sn_motion_sample(t.motion, 0, q + k * nq, NULL);
            q[k * nq + 2] += .01 * sin(2 * M_PI * f * time[k]);
        }
        sn_motion *swing = sn_motion_from_poses(t.model, KEYS + 1, time, q, true, NULL);
        t.def.motion = swing;
        make_open_task(&t);
        double most = 0;
        for (int row = 0; row < t.im->reference.rows; row++)
            most = fmax(most, fabs((double)t.im->reference.qd[row * t.im->nv + 2]));
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
    const int nq = sn_model_nq(t.model);
    double q[400], time[2] = {0, 1};
    sn_motion_sample(t.motion, 0, q, NULL);
    q[2] -= .05;
    memcpy(q + nq, q, (size_t)nq * sizeof *q);
    sn_motion *deep = sn_motion_from_poses(t.model, 2, time, q, true, NULL);
    assert_non_null(deep);
    t.def.motion = deep;
    make_open_task(&t);
    double now[200];
    sn_world_get(t.im->part[0].world, t.im->part[0].member, SN_FIELD_Q, 0, 1, now);
    assert_true(fabs(now[2] - q[2] - .05) < .002); /* the motion's own feet are within 2 mm of it */
    close_task(&t);
    sn_motion_free(deep);
}

TEST(time_runs_out) {
    struct task t = make_task();
    t.def.limit = .1;
    make_open_task(&t);
    for (int k = 1; k <= 6; k++) {
        step(&t);
        for (int i = 0; i < COPIES; i++)
            assert_true(t.terminated[i] || t.truncated[i] == (k % 3 == 0));
    }
    close_task(&t);
}

static struct sn__ppo *make_trainer(struct task *t, int threads) {
    struct sn__ppo_def def = sn__ppo_default();
    def.threads = threads;
    def.hidden[0] = 32, def.hidden[1] = 0;
    def.horizon = 8;
    def.minibatch = 64;
    sn_error error;
    struct sn__ppo *ppo = sn__ppo_create(&t->env, &def, &error);
    if (!ppo) fail_msg("%s", error.message);
    return ppo;
}

TEST(trainings_have_the_same_bits_on_any_threads_and_resumed) {
    struct task t[3];
    struct sn__ppo *ppo[3];
    char path[] = "/tmp/sinew_imitate_XXXXXX";
    sn_error error;
    close(mkstemp(path));
    for (int k = 0; k < 3; k++) {
        t[k] = make_task();
        t[k].def.limit = .4;
        make_open_task(&t[k]);
        ppo[k] = make_trainer(&t[k], k == 1 ? 2 : 1);
        if (k == 2 && sn__ppo_restore(ppo[k], path, &error)) fail_msg("%s", error.message);
        while (ppo[k]->iterations < 6) {
            if (sn__ppo_iterate(ppo[k], NULL, &error)) fail_msg("%s", error.message);
            if (k == 0 && ppo[k]->iterations == 3)
                assert_int_equal(sn__ppo_save(ppo[k], path, &error), SN_OK);
        }
    }
    for (int k = 1; k < 3; k++) {
        assert_memory_equal(ppo[0]->actor.theta, ppo[k]->actor.theta,
                            (size_t)ppo[0]->actor.count * sizeof(float));
        for (int part = 0; part < 2; part++)
            assert_int_equal(sn_world_hash(t[0].im->part[part].world),
                             sn_world_hash(t[k].im->part[part].world));
    }
    for (int k = 0; k < 3; k++) {
        sn__ppo_free(ppo[k]);
        close_task(&t[k]);
    }
    unlink(path);
}

TEST(what_cannot_be_imitated_is_refused) {
    struct task t = make_task();
    sn_error error;
    t.def.copies = 0;
    assert_null(sn__imitate_create(&t.def, &error));
    assert_message_has(&error, "copies 0");
    t.def.copies = COPIES;
    t.def.motion = NULL;
    assert_null(sn__imitate_create(&t.def, &error));
    assert_message_has(&error, "no motion");
    sn_motion_free(t.motion), sn_model_free(t.model);
}

int main(void) {
    return run_all("learn_imitate");
}
