/* The swimmer and the spider as tasks of environments: locomotion without a motion to follow. */
#include "model_helpers.h"

#include "scenes/creatures.h"

#include <sinew/learn.h>

enum { COPIES = 4, MOST_SEEN = 256, MOST_ACTIONS = 16 };

static const double pi = 3.14159265358979323846;

struct seen {
    float observation[COPIES * MOST_SEEN], reward[COPIES];
    bool terminated[COPIES], truncated[COPIES];
};

static sn_environment *open(const sn_model *model, bool swims, int threads, sn_error *error) {
    sn_imitation_def def = sn_imitation_def_default(model, NULL);
    sn_environment_def copies = sn_environment_def_default();
    sn_task task;
    double kp[32], kd[32];
    uint8_t foot[16] = {0};
    creature_gains(model, swims ? 20 : 300, swims ? 2 : 20, kp, kd);
    for (int i = 0; i < sn_model_get(model)->nbody; i++)
        foot[i] = strstr(sn_model_body(model, i)->name, "shin") != NULL;
    def.kp = kp, def.kd = kd, def.foot = foot;
    copies.copies = COPIES;
    copies.threads = threads;
    def.speed = .4;
    if (swims) def.drag_along = 1, def.drag_across = 10;
    if (sn_imitation_task(&task, &def, error)) return NULL;
    return sn_environment_create(&task, &copies, error);
}

static void step(sn_environment *env, const float *action, struct seen *s) {
    const sn_environment_out out = {.observation = s->observation,
                                    .reward = s->reward,
                                    .terminated = s->terminated,
                                    .truncated = s->truncated};
    sn_error error;
    assert_int_equal(sn_environment_step(env, action, &out, &error), SN_OK);
}

/* Two seconds of the wave made by hand; copy 0 lies still. */
static void swim(sn_environment *env, struct seen *s) {
    float action[COPIES * 3];
    assert_int_equal(sn_environment_reset(env, NULL, NULL, s->observation, NULL), SN_OK);
    for (int t = 1; t <= 60; t++) {
        for (int i = 0; i < COPIES; i++)
            for (int j = 0; j < 3; j++)
                action[3 * i + j] =
                    i ? (float)(.8 * sin(2 * pi * t / 30 - .35 * pi * (j + 1)) / (.4 * pi)) : 0;
        step(env, action, s);
    }
}

TEST(a_swimmer_swims_by_waves_alone) {
    sn_error error;
    sn_model *model = swimmer_model(&error);
    struct seen one = {0}, two = {0};
    sn_environment *env = open(model, true, 1, &error), *threads = open(model, true, 2, &error);
    assert_non_null(env);
    assert_non_null(threads);
    swim(env, &one);
    swim(threads, &two);
    assert_memory_equal(&one, &two, sizeof one);
    double q[COPIES * 10];
    int number;
    sn_world *world = sn_environment_world(env, 0, &number);
    assert_int_equal(sn_world_get(world, 0, SN_FIELD_Q, 0, COPIES, q), SN_OK);
    /* The one that lies still was set off at the speed it should have, .4 m/s, and the drag along it stops it after .4 m; its
       start is somewhere in a round of a second. */
    assert_true(fabs(q[1]) < 1e-3 && q[0] < .9);
    assert_true(q[10] > q[0] + .1); /* forward, further than gliding */
    for (int i = 0; i < COPIES; i++)
        assert_false(one.terminated[i]);
    sn_environment_free(env), sn_environment_free(threads);
    sn_model_free(model);
}

TEST(a_spider_stands_until_the_time_is_up) {
    sn_error error;
    sn_model *model = spider_model(&error);
    sn_environment *env = open(model, false, 1, &error);
    struct seen s = {0};
    const float action[COPIES * 12] = {0};
    assert_non_null(env);
    assert_int_equal(sn_environment_reset(env, NULL, NULL, s.observation, NULL), SN_OK);
    for (int t = 1; t <= 600; t++) {
        step(env, action, &s);
        for (int i = 0; i < COPIES; i++) {
            assert_false(s.terminated[i]);
            assert_true(s.truncated[i] == (t == 600));
            assert_true(s.reward[i] > .4f && s.reward[i] <= 1);
        }
    }
    sn_environment_free(env);
    sn_model_free(model);
}

TEST(drag_goes_with_swimming_alone) {
    sn_error error;
    sn_model *model = swimmer_model(&error);
    sn_imitation_def def = sn_imitation_def_default(model, NULL);
    sn_task task;
    def.drag_along = 1, def.drag_across = 10, def.push = 5;
    assert_int_equal(sn_imitation_task(&task, &def, &error), SN_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "swims by itself"));
    def.push = 0, def.drag_across = 200; /* of 240 steps per second */
    assert_int_equal(sn_imitation_task(&task, &def, &error), SN_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "drag_across"));
    def.drag_across = .5;
    assert_int_equal(sn_imitation_task(&task, &def, &error), SN_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "drag_along"));
    sn_model_free(model);
}

int main(void) {
    return run_all("learn_creatures");
}
