/* Many motions for one policy: it sees the poses to come, and motions that fail get more samples. */
#include "learn_task_helpers.h"

#include "base/quat.h"
#include "learn/random.h"

static struct task library(sn_motion **run) {
    struct task t = make_task();
    static const sn_motion *both[2];
    *run = sn_builtin_motion_create("run", t.model, NULL);
    both[0] = t.motion, both[1] = *run;
    t.imitation.motion = NULL;
    t.imitation.motions = both, t.imitation.nmotions = 2;
    t.imitation.look_ahead = true;
    return t;
}

/* Joints as the observation has them: angles, and rotations as vectors. */
static int joints_of(const sn_model *model, const double *q, double *out) {
    int count = 0;
    for (int i = 1; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *body = sn_model_body(model, i);
        if (body->joint.type == SN_JOINT_BALL) {
            dquat_log(q + body->q_index, out + count);
            count += 3;
        } else {
            out[count++] = q[body->q_index];
        }
    }
    return count;
}

/* What is observed of a pose to come is what the environment says that the copy should have when the time has come. */
TEST(the_poses_to_come_come) {
    static const int ahead[] = {1, 4, 12};
    enum { EACH = 7 + 28 };
    sn_motion *run;
    struct task t = library(&run);
    t.def.autoreset = SN_AUTORESET_OFF;
    open_task(&t);
    reset(&t, NULL);
    assert_int_equal(t.info.observations, 2 + 13 * 13 + 4 + 3 * EACH);
    assert_string_equal(t.info.observation_names[2 + 13 * 13 + 4], "pelvis in 1 position x");
    assert_string_equal(t.info.observation_names[t.info.observations - 1], "left_foot in 12 turn z");
    float *before = malloc(COPIES * (size_t)t.info.observations * sizeof *before);
    double root[COPIES][43], place[COPIES][2];
    int compared = 0;
    memcpy(before, t.observation, COPIES * (size_t)t.info.observations * sizeof *before);
    for (int i = 0; i < COPIES; i++)
        get(&t, i, 0, SN_FIELD_Q, root[i]), memcpy(place[i], copy_of(t.env, i)->offset, sizeof place[i]);
    for (int k = 1, a = 0; a < 3; k++) {
        step(&t);
        if (k != ahead[a]) continue;
        for (int i = 0; i < COPIES; i++) {
            const float *seen = before + (i + 1) * t.info.observations - (3 - a) * EACH;
            const double *q0 = root[i];
            double q[43], joint[32];
            assert_true(sn_environment_reference(t.env, i, q));
            assert_int_equal(joints_of(t.model, q, joint), 28);
            for (int j = 0; j < 28; j++)
                assert_true(fabs(joint[j] - (double)seen[7 + j]) < 1e-5);
            assert_true(fabs(q[2] - (double)seen[2]) < 1e-6);
            if (memcmp(place[i], copy_of(t.env, i)->offset, sizeof place[i])) continue; /* another round */
            const double h =
                atan2(2 * (q0[4] * q0[5] + q0[3] * q0[6]), 1 - 2 * (q0[5] * q0[5] + q0[6] * q0[6]));
            const double x = q[0] - q0[0], y = q[1] - q0[1];
            assert_true(fabs(cos(h) * x + sin(h) * y - (double)seen[0]) < 1e-5);
            assert_true(fabs(cos(h) * y - sin(h) * x - (double)seen[1]) < 1e-5);
            const double back[4] = {cos(h / 2), 0, 0, -sin(h / 2)};
            double turned[4];
            dquat_multiply(back, q + 3, turned);
            for (int j = 0; j < 4; j++)
                assert_true(fabs(fabs(turned[j]) - fabs((double)seen[3 + j])) < 1e-5);
            compared++;
        }
        a++;
    }
    assert_true(compared > COPIES);
    free(before);
    sn_motion_free(run);
    close_task(&t);
}

/* One motion never falls and lasts 10 s, two fall after 1 s and .5 s: of the samples these get (1 + .25) / .25 times as much. */
TEST(motions_that_fail_get_more_samples_and_none_is_forgotten) {
    static const double seconds[] = {10, 1, .5};
    struct sn__imitate im = {.motions = 3, .def.draw_motions = true};
    struct {
        struct sn__imitate_copy copy;
        struct sn__imitate_record record[3];
    } kept = {0};
    double share[3] = {0}, sum = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        const sn_episode e = {.seed = 3, .item = 1, .count = i + 1};
        struct sn__random r = sn__random_at(e.seed, SN__STREAM_RESET, e.item, i);
        sn__library_draw(&im, &e, &r, &kept.copy);
        const int64_t which = kept.copy.motion;
        kept.copy.lasted = seconds[which], kept.copy.fell = which > 0;
        if (i < 1000) continue;
        share[which] += seconds[which], sum += seconds[which];
    }
    assert_true(fabs(share[0] / sum - .25 / 2.75) < .01);
    assert_true(fabs(share[1] / sum - 1.25 / 2.75) < .02 && fabs(share[2] / sum - 1.25 / 2.75) < .02);
}

static void open_drawn(struct task *t, int threads, sn_motion **run) {
    *t = library(run);
    t->imitation.draw_motions = true;
    t->imitation.limit = .8;
    t->def.threads = threads;
    open_task(t);
    reset(t, NULL);
}

static void act_alike(struct task *t) {
    for (int i = 0; i < COPIES * t->info.actions; i++)
        t->action[i] = .1f * sinf((float)i);
    step(t);
}

static void expect_same(const struct task *a, const struct task *b) {
    assert_memory_equal(a->reward, b->reward, sizeof a->reward);
    assert_memory_equal(a->observation, b->observation,
                        COPIES * (size_t)a->info.observations * sizeof *a->observation);
}

/* What copies remember of their motions is part of their state. */
TEST(threads_and_a_snapshot_change_no_draw) {
    struct task a, b;
    sn_motion *run[2];
    sn_error error;
    int drawn[2] = {0};
    open_drawn(&a, 1, &run[0]);
    open_drawn(&b, 2, &run[1]);
    for (int i = 0; i < 60; i++)
        act_alike(&a), act_alike(&b), expect_same(&a, &b);
    const size_t size = sn_environment_save(a.env, NULL, 0);
    void *bytes = malloc(size);
    sn_environment_save(a.env, bytes, size);
    for (int i = 0; i < 60; i++)
        act_alike(&b);
    assert_int_equal(sn_environment_restore(b.env, bytes, size, &error), SN_OK);
    for (int i = 0; i < 60; i++) {
        act_alike(&a), act_alike(&b), expect_same(&a, &b);
        for (int k = 0; k < COPIES; k++)
            drawn[copy_of(a.env, k)->motion]++;
    }
    assert_true(drawn[0] > 0 && drawn[1] > 0);
    free(bytes);
    sn_motion_free(run[0]), sn_motion_free(run[1]);
    close_task(&a);
    close_task(&b);
}

TEST(a_library_is_of_motions) {
    struct task t = make_task();
    sn_error error;
    sn_task task;
    t.imitation.look_ahead = true;
    t.imitation.command = 1;
    assert_int_equal(sn_imitation_task(&task, &t.imitation, &error), SN_ERROR_ARGUMENT);
    assert_message_has(&error, "look_ahead");
    t.imitation.command = 0;
    t.imitation.motion = NULL;
    assert_int_equal(sn_imitation_task(&task, &t.imitation, &error), SN_ERROR_ARGUMENT);
    assert_message_has(&error, "draw_motions");
    sn_motion_free(t.motion), sn_model_free(t.model);
}

int main(void) {
    return run_all("learn_library");
}
