/* What an environment may have beyond its motion: bodies that differ, balls, bodies that touch themselves, clips that end. */
#include "learn_task_helpers.h"

/* Everything at once. */
static void turn_all_on(sn_imitation_def *def) {
    def->push = 50;
    def->ball = 1;
    def->mass_range = def->friction_range = def->gain_range = .2;
    def->command = .5;
    def->terrain = SN_TERRAIN_MIXED;
    def->self_contact = true;
}

/* Policies and checkpoints of before are for the same task: what is off leaves no trace. */
TEST(what_is_off_changes_no_hash) {
    struct task t = make_task();
    open_task(&t);
    assert_int_equal(t.info.observations, 2 + 13 * sn_model_get(t.model)->nbody + 4);
    assert_true(t.info.features == 0x61e44af85c47e6c1);
    close_task(&t);
}

/* ---------------------------------------------------------------------------------------------- masses and gains */

static void assert_spread(struct task *t, sn_field field, double low, double high) {
    double least = HUGE_VAL, most = 0;
    for (int i = 0; i < COPIES; i++) {
        least = fmin(least, number_of(t, i, field));
        most = fmax(most, number_of(t, i, field));
    }
    assert_true(least >= low - 1e-6 && most <= high + 1e-6);
    assert_true(most - least > .5 * (high - low)); /* of 24 draws */
}

/* Factors are drawn for each copy and episode; momenta at the same start tell that masses are what they say. */
TEST(masses_friction_and_gains_differ_from_episode_to_episode) {
    struct task t = make_task(), plain = make_task();
    uint64_t seed[COPIES];
    double before[COPIES], gains[2][100];
    t.imitation.mass_range = .3, t.imitation.friction_range = .4, t.imitation.gain_range = .1;
    open_task(&t), open_task(&plain);
    for (int i = 0; i < COPIES; i++)
        seed[i] = i == 7 ? 1 : (uint64_t)i + 1;
    reset(&t, seed), reset(&plain, seed);
    assert_spread(&t, SN_FIELD_MASS_SCALE, .7, 1.3);
    assert_spread(&t, SN_FIELD_FRICTION, .6, 1.4);
    assert_true(number_of(&plain, 3, SN_FIELD_MASS_SCALE) == 1);
    for (int i = 0; i < COPIES; i++) {
        sn_summary own, other;
        int number;
        sn_world *world = sn_environment_world(t.env, i, &number);
        sn_world_summary(world, 0, number, &own);
        world = sn_environment_world(plain.env, i, &number);
        sn_world_summary(world, 0, number, &other);
        before[i] = number_of(&t, i, SN_FIELD_MASS_SCALE);
        assert_true(fabs(own.linear_momentum[0] / other.linear_momentum[0] - before[i]) < 1e-4);
        get(&t, i, 0, SN_FIELD_KP, gains[0]), get(&plain, i, 0, SN_FIELD_KP, gains[1]);
        const double scale = gains[0][8] / gains[1][8];
        assert_true(scale >= .9 - 1e-6 && scale <= 1.1 + 1e-6);
        get(&t, i, 0, SN_FIELD_KD, gains[0]), get(&plain, i, 0, SN_FIELD_KD, gains[1]);
        for (int k = 6; k < sn_model_get(t.model)->nv; k++)
            assert_true(fabs(gains[0][k] - scale * gains[1][k]) <= 1e-5 * gains[1][k]);
    }
    assert_true(before[0] == before[7] && before[0] != before[1]);
    reset(&t, NULL); /* the next episode */
    assert_true(number_of(&t, 0, SN_FIELD_MASS_SCALE) != before[0]);
    reset(&t, seed);
    assert_true(number_of(&t, 0, SN_FIELD_MASS_SCALE) == before[0]);
    close_task(&t), close_task(&plain);
}

/* --------------------------------------------------------------------------------------------------------- balls */

static double ball_height(struct task *t, int copy, double at[3]) {
    double q[7];
    get(t, copy, 1, SN_FIELD_Q, q);
    memcpy(at, q, 3 * sizeof *at);
    return q[2];
}

/* Sum of the forces that a copy's ball feels from the character, and both from the ground, in the last step. */
static bool forces(sn_world *world, int copy, double on_ball[3], double by_ground[3]) {
    int count;
    const sn_contact *c = sn_world_contacts(world, copy, &count);
    bool met = false;
    memset(on_ball, 0, 3 * sizeof *on_ball), memset(by_ground, 0, 3 * sizeof *by_ground);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const int a = c[i].member[0], b = c[i].member[1];
            if (a < 0 || b < 0) by_ground[k] += a < 0 ? -c[i].force[k] : c[i].force[k];
            if (a == 1 && b == 0) on_ball[k] += c[i].force[k];
            if (a == 0 && b == 1) on_ball[k] -= c[i].force[k];
            met = met || (on_ball[k] != 0);
        }
    return met;
}

/* One step of the world by hand: what the ball loses the character gets, except for gravity and the ground. True: they met. */
static bool step_and_weigh(sn_world *world, int copy, const sn_model *model, double ball) {
    sn_summary before[2], after[2];
    double on_ball[3], by_ground[3];
    for (int m = 0; m < 2; m++)
        sn_world_summary(world, m, copy, &before[m]);
    assert_int_equal(sn_world_step(world), SN_OK);
    for (int m = 0; m < 2; m++)
        sn_world_summary(world, m, copy, &after[m]);
    if (!forces(world, copy, on_ball, by_ground)) return false;
    const double dt = sn_world_get_info(world).dt, mass = sn_model_get(model)->mass;
    double size = 0, moved[2];
    for (int k = 0; k < 3; k++) {
        const double weight = k == 2 ? -9.81 : 0;
        for (int m = 0; m < 2; m++)
            moved[m] = after[m].linear_momentum[k] - before[m].linear_momentum[k];
        size += fabs(on_ball[k]) * dt;
        assert_true(fabs(moved[1] - dt * (on_ball[k] + ball * weight)) < 2e-3);
        assert_true(fabs(moved[0] + moved[1] - dt * (by_ground[k] + (mass + ball) * weight)) < .02);
    }
    return size > .1; /* N s: no mere brush */
}

TEST(a_thrown_ball_meets_the_character) {
    struct task t = make_task();
    t.imitation.ball = 2;
    t.def.autoreset = SN_AUTORESET_OFF;
    open_task(&t);
    reset(&t, NULL);
    bool thrown[COPIES] = {false}, side[4] = {false}, met[COPIES] = {false};
    int throws = 0, meetings = 0, first[COPIES] = {0}, harmless = 0;
    for (int k = 0; k < 42; k++) { /* the last is thrown in the first second */
        step(&t);
        for (int i = 0; i < COPIES; i++) {
            double at[3], q[100], on_ball[3], by_ground[3];
            int number;
            sn_world *world = sn_environment_world(t.env, i, &number);
            if (ball_height(&t, i, at) > 10) continue;
            get(&t, i, 0, SN_FIELD_Q, q);
            if (!thrown[i]) {
                side[(at[0] > q[0]) + 2 * (at[1] > q[1])] = true;
                first[i] = k;
                throws++;
            }
            thrown[i] = true;
            if (!forces(world, number, on_ball, by_ground) || met[i]) continue;
            met[i] = true;
            meetings++;
            harmless += !t.terminated[i];
        }
    }
    assert_int_equal(throws, COPIES); /* one in each window of two seconds */
    assert_true(side[0] && side[1] && side[2] && side[3]);
    assert_true(first[0] != first[1] || first[1] != first[2]);
    assert_true(meetings >= COPIES / 3); /* seen in the last of 8 steps alone, and some have fallen before */
    assert_true(harmless > 0);           /* being hit does not count as a fall */
    print_message("  %d of %d thrown balls were seen to meet the character\n", meetings, throws);
    close_task(&t);
}

TEST(a_ball_gives_its_momentum_to_the_character) {
    struct task t = make_task();
    int weighed = 0, number;
    t.imitation.ball = 2;
    t.def.autoreset = SN_AUTORESET_OFF;
    t.def.copies = 1;
    open_task(&t);
    for (uint64_t seed = 1; seed < 20 && weighed < 2; seed++) {
        double at[3];
        reset(&t, &seed);
        sn_world *world = sn_environment_world(t.env, 0, &number);
        for (int k = 0; k < 40 && ball_height(&t, 0, at) > 10; k++)
            step(&t);
        for (int k = 0; k < 120 && at[2] < 10; k++)
            if (step_and_weigh(world, 0, t.model, 2)) {
                weighed++;
                break;
            }
    }
    assert_true(weighed >= 2);
    close_task(&t);
}

/* -------------------------------------------------------------------------------------------- self-contact, clips */

static bool touches_itself(struct task *t, int copy) {
    int number, count;
    sn_world *world = sn_environment_world(t->env, copy, &number);
    const sn_contact *c = sn_world_contacts(world, number, &count);
    for (int i = 0; i < count; i++)
        if (c[i].member[0] == 0 && c[i].member[1] == 0 && c[i].phase != SN_CONTACT_PHASE_NEAR) return true;
    return false;
}

/* Legs that are pulled together meet, which is not a fall; without self-contact they go through each other. */
TEST(bodies_touch_each_other_on_request_and_do_not_fall_by_it) {
    for (int on = 0; on < 2; on++) {
        struct task t = make_task();
        t.imitation.self_contact = on;
        t.def.autoreset = SN_AUTORESET_OFF;
        open_task(&t);
        int touched = 0, falls = 0;
        reset(&t, NULL);
        for (int k = 0; k < 12; k++) {
            for (int i = 0; i < COPIES * t.info.actions; i++)
                t.action[i] = (float)sin(12.9898 * (i + 1)) * .6f;
            step(&t);
            for (int i = 0; i < COPIES; i++) {
                touched += touches_itself(&t, i) && !t.terminated[i];
                falls += t.terminated[i];
            }
        }
        print_message("  self-contact %d: %d steps in touch, %d fallen\n", on, touched, falls);
        assert_true(on ? touched > 0 : touched == 0);
        assert_true(falls > 0); /* the ground still ends episodes */
        close_task(&t);
    }
}

/* A clip that does not loop: begun anywhere, worth 1 there, over with the clip, and that is not a fall. */
TEST(a_clip_that_does_not_loop_ends_with_it) {
    enum { KEYS = 30 };
    struct task t = make_task();
    const int nq = sn_model_get(t.model)->nq;
    double *q = calloc((size_t)(KEYS * nq), sizeof *q), time[KEYS];
    const double duration = .5;
    for (int k = 0; k < KEYS; k++) {
        time[k] = duration * k / (KEYS - 1);
        sn_motion_sample(t.motion, time[k], q + k * nq, NULL);
    }
    sn_motion *clip = sn_motion_from_poses(t.model, KEYS, time, q, false, NULL);
    assert_non_null(clip);
    t.imitation.motion = clip;
    open_task(&t);
    reset(&t, NULL);
    double begun[COPIES], least = 1, most = 0;
    int expected[COPIES], ended = 0;
    for (int i = 0; i < COPIES; i++) {
        begun[i] = (double)t.observation[i * t.info.observations];
        least = fmin(least, begun[i]), most = fmax(most, begun[i]);
        expected[i] = (int)fmax(1, ceil((1 - begun[i]) * duration * 30 - 1e-4));
        assert_true(worth(t.env, i) > 1 - 1e-4);
    }
    assert_true(least < .2 && most > .8);
    bool over[COPIES] = {false};
    for (int k = 1; k <= 16; k++) {
        step(&t);
        for (int i = 0; i < COPIES; i++) {
            if (over[i]) continue;
            assert_int_equal(t.truncated[i], !t.terminated[i] && k == expected[i]);
            over[i] = t.truncated[i] || t.terminated[i];
            ended += t.truncated[i];
        }
    }
    assert_true(ended > COPIES / 2);
    close_task(&t);
    sn_motion_free(clip);
    free(q);
}

/* A dog stands on its paws: no episode is over at once. */
TEST(paws_are_feet) {
    sn_model *dog = sn_builtin_create("dog", NULL);
    sn_motion *trot = sn_builtin_motion_create("trot", dog, NULL);
    struct task t = {.model = dog, .motion = trot, .imitation = sn_imitation_def_default(dog, trot)};
    t.def = sn_environment_def_default();
    t.def.copies = COPIES;
    open_task(&t);
    reset(&t, NULL);
    int fallen = 0;
    for (int k = 0; k < 3; k++) {
        step(&t);
        for (int i = 0; i < COPIES; i++)
            fallen += t.terminated[i];
    }
    assert_int_equal(fallen, 0);
    close_task(&t);
}

/* ---------------------------------------------------------------------------------------------------------- bits */

TEST(everything_at_once_has_the_same_bits_on_any_threads_and_in_any_company) {
    struct task t[3];
    uint64_t seed[COPIES];
    for (int i = 0; i < COPIES; i++)
        seed[i] = i == COPIES - 1 ? 40 : (uint64_t)i + 40;
    for (int k = 0; k < 3; k++) {
        t[k] = make_task();
        turn_all_on(&t[k].imitation);
        t[k].def.threads = k == 1 ? 2 : 1;
        t[k].def.copies = k == 2 ? 1 : COPIES;
        open_task(&t[k]);
        reset(&t[k], seed);
    }
    const size_t row = (size_t)t[0].info.observations, size = row * sizeof(float);
    const int steps = getenv("SINEW_TEST_SHORT") ? 15 : 60;
    for (int k = 0; k < steps; k++) {
        for (int i = 0; i < 3; i++)
            step(&t[i]);
        assert_memory_equal(t[0].observation, t[1].observation, COPIES * size);
        assert_memory_equal(t[0].reward, t[1].reward, sizeof t[0].reward);
        assert_memory_equal(t[0].observation, t[0].observation + (COPIES - 1) * row, size);
        assert_memory_equal(t[0].observation, t[2].observation, size);
        assert_memory_not_equal(t[0].observation, t[0].observation + row, size);
    }
    for (int k = 0; k < 3; k++)
        close_task(&t[k]);
}

static sn_trainer *make_trainer(struct task *t, int threads) {
    sn_trainer_def def = sn_trainer_def_default();
    sn_error error;
    def.threads = threads;
    def.hidden[0] = 16, def.hidden[1] = 0;
    def.horizon = 8;
    def.minibatch = 64;
    def.actor_rate = 1e-3;
    sn_trainer *trainer = sn_trainer_create(t->env, &def, &error);
    if (!trainer) fail_msg("%s", error.message);
    return trainer;
}

TEST(a_training_with_everything_is_resumed_with_the_same_bits) {
    struct task t[2];
    sn_trainer *trainer[2];
    char path[] = "/tmp/sinew_conditions_XXXXXX";
    sn_error error;
    close(mkstemp(path));
    for (int k = 0; k < 2; k++) {
        sn_training now = {0};
        t[k] = make_task();
        turn_all_on(&t[k].imitation);
        t[k].def.copies = 16;
        open_task(&t[k]);
        trainer[k] = make_trainer(&t[k], k + 1);
        if (k && sn_trainer_restore(trainer[k], path, NULL, &error)) fail_msg("%s", error.message);
        while (now.iterations < 6) {
            if (sn_trainer_iterate(trainer[k], &now, &error)) fail_msg("%s", error.message);
            if (!k && now.iterations == 3) assert_int_equal(sn_trainer_save(trainer[k], path, &error), SN_OK);
        }
    }
    for (int i = 0; i < 16; i++) {
        sn_world *a = sn_environment_world(t[0].env, i, NULL), *b = sn_environment_world(t[1].env, i, NULL);
        assert_int_equal(sn_world_hash(a), sn_world_hash(b));
    }
    assert_memory_equal(t[0].env->state, t[1].env->state, 16 * sizeof(struct sn__imitate_copy));
    for (int k = 0; k < 2; k++) {
        sn_trainer_free(trainer[k]);
        close_task(&t[k]);
    }
    unlink(path);
}

/* ------------------------------------------------------------------------------------------------------- refusals */

TEST(policies_for_other_features_are_refused) {
    struct task t[4];
    sn_error error;
    for (int k = 0; k < 4; k++) {
        t[k] = make_task();
        t[k].def.copies = 8;
        if (k & 1) t[k].imitation.command = 2;
        if (k & 2) t[k].imitation.terrain = SN_TERRAIN_STEPS;
        t[k].imitation.limit = 2;
        open_task(&t[k]);
    }
    for (int k = 0; k < 4; k++) {
        sn_trainer *trainer = make_trainer(&t[k], 1);
        sn_policy *policy = sn_trainer_policy(trainer, NULL, &error);
        assert_non_null(policy);
        for (int i = 0; i < 4; i++) {
            const sn_status status = sn_policy_check(policy, t[i].env, &error);
            assert_int_equal(status, i == k ? SN_OK : SN_ERROR_ARGUMENT);
            if (i != k) assert_message_has(&error, "other features");
        }
        sn_policy_free(policy);
        sn_trainer_free(trainer);
    }
    for (int k = 0; k < 4; k++)
        close_task(&t[k]);
}

static void assert_def_refused(const sn_imitation_def *def, const char *why) {
    sn_error error;
    sn_task task;
    assert_int_equal(sn_imitation_task(&task, def, &error), SN_ERROR_ARGUMENT);
    assert_null(task.user);
    assert_message_has(&error, why);
}

TEST(what_does_not_go_together_is_refused) {
    struct task t = make_task();
    sn_imitation_def def;
    def = t.imitation, def.mass_range = 1, assert_def_refused(&def, "mass_range is 1");
    def = t.imitation, def.ball = -1, assert_def_refused(&def, "ball is -1");
    def = t.imitation, def.gain_range = (double)NAN, assert_def_refused(&def, "gain_range");
    def = t.imitation, def.ball_speed = 3, assert_def_refused(&def, "how heavy");
    def = t.imitation, def.command_turn = 1, assert_def_refused(&def, "how often");
    def = t.imitation, def.command = 2, def.command_speed[1] = 1,
    assert_def_refused(&def, "speed of its own");
    def = t.imitation, def.motion = NULL, def.command = 2, def.command_speed[0] = 1;
    assert_def_refused(&def, "must not be above");
    def = t.imitation, def.terrain_height = .1, assert_def_refused(&def, "not flat");
    def = t.imitation, def.terrain = (sn_terrain)9, assert_def_refused(&def, "terrain is 9");
    sn_motion_free(t.motion);
    sn_model_free(t.model);
}

int main(void) {
    return run_all("learn_conditions");
}
