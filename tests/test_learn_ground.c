/* Environments with terrain, and with commands where to go on it. */
#include "learn_task_helpers.h"

/* ------------------------------------------------------------------------------------------------------- terrain */

/* What is observed is what a ray from above meets, and the ground is another in every copy. */
TEST(heights_observed_are_those_of_the_field) {
    const int ahead = SN__TERRAIN_AHEAD, across = SN__TERRAIN_ACROSS;
    for (int kind = SN_TERRAIN_BUMPS; kind <= SN_TERRAIN_MIXED; kind++) {
        struct task t = make_task();
        t.imitation.terrain = (sn_terrain)kind;
        t.imitation.terrain_height = .3;
        t.imitation.limit = 3;
        open_task(&t);
        assert_int_equal(t.info.observations, 2 + 13 * sn_model_get(t.model)->nbody + 4 + ahead * across);
        reset(&t, NULL);
        for (int k = 0; k < 3; k++)
            step(&t);
        double least = HUGE_VAL, most = -HUGE_VAL;
        for (int i = 0; i < COPIES; i += 5) {
            const float *seen = t.observation + (i + 1) * t.info.observations - ahead * across;
            double q[100];
            int number;
            sn_world *world = sn_environment_world(t.env, i, &number);
            get(&t, i, 0, SN_FIELD_Q, q);
            const double heading =
                atan2(2 * (q[4] * q[5] + q[3] * q[6]), 1 - 2 * (q[5] * q[5] + q[6] * q[6]));
            double below = 0;
            for (int k = -1; k < ahead * across; k++) { /* the first is below the root */
                const double x = k < 0 ? 0 : .25 * (k / across) - .5, y = k < 0 ? 0 : .25 * (k % across) - .5;
                const double from[3] = {q[0] + cos(heading) * x - sin(heading) * y,
                                        q[1] + sin(heading) * x + cos(heading) * y, 9};
                sn_hit hit = {0};
                for (double z = 9; hit.t == 0 || hit.member >= 0; z = hit.pos[2] - .01) /* through the body */
                    assert_true(sn_world_cast_ray(world, number, (double[]){from[0], from[1], z},
                                                  (double[]){0, 0, -20}, UINT32_MAX, &hit));
                if (k < 0) below = hit.pos[2];
                if (k >= 0) assert_true(fabs((double)seen[k] - (hit.pos[2] - below)) < 1e-4);
                assert_true(hit.pos[2] > -1e-6 && hit.pos[2] < .3 + 1e-6);
                least = fmin(least, hit.pos[2]), most = fmax(most, hit.pos[2]);
            }
            assert_true(fabs((double)t.observation[i * t.info.observations + 1] - (q[2] - below)) < 1e-4);
        }
        assert_true(most - least > .05);
        close_task(&t);
    }
}

/* Episodes begin as near to the ground as on the flat, at a place of their own, and end where the field does. */
TEST(episodes_begin_on_the_terrain_and_end_at_its_edge) {
    struct task t = make_task();
    t.imitation.motion = NULL; /* it stands */
    t.imitation.terrain = SN_TERRAIN_SLOPES;
    t.imitation.terrain_height = 1;
    t.def.autoreset = SN_AUTORESET_OFF;
    open_task(&t);
    reset(&t, NULL);
    double q[100], stood[100], first[2] = {0};
    int number;
    for (int i = 0; i < COPIES; i++) {
        sn_world *world = sn_environment_world(t.env, i, &number);
        get(&t, i, 0, SN_FIELD_Q, q);
        memcpy(stood, q, sizeof q);
        assert_int_equal(sn_world_stand(world, 0, stood), SN_OK);
        assert_true(fabs(q[2] - stood[2]) < 1e-4);
        if (i) assert_true(fabs(q[0] - first[0]) + fabs(q[1] - first[1]) > 1e-3);
        memcpy(first, q, sizeof first);
    }
    q[0] = 1000;
    sn_world *world = sn_environment_world(t.env, 3, &number);
    assert_int_equal(sn_world_set(world, 0, SN_FIELD_Q, number, 1, q), SN_OK);
    step(&t);
    assert_true(t.truncated[3] && !t.terminated[3] && !t.truncated[2]);
    close_task(&t);
}

/* The same place has the same height whatever the episodes' length; another seed is another terrain. */
TEST(terrain_follows_from_its_seed) {
    struct task t[3];
    double height[3];
    for (int k = 0; k < 3; k++) {
        t[k] = make_task();
        t[k].imitation.terrain = SN_TERRAIN_BUMPS;
        t[k].imitation.limit = k == 1 ? 2 : 10;
        t[k].def.seed = (uint64_t)k;
        t[k].imitation.terrain_seed = k == 2;
        open_task(&t[k]);
        height[k] = sn__terrain_height(&t[k].im->terrain, 3.3, -2.1);
    }
    assert_true(fabs(height[0] - height[1]) < 1e-12 && fabs(height[0] - height[2]) > 1e-6);
    for (int k = 0; k < 3; k++)
        close_task(&t[k]);
}

/* ------------------------------------------------------------------------------------------------------ commands */

/* Locomotion: a command is observed, changes at random times, and the same state is worth more or less by it. */
TEST(commands_are_observed_and_rewarded) {
    struct task t = make_task();
    t.imitation.motion = NULL;
    t.imitation.command = .5;
    t.imitation.command_turn = 2;
    t.imitation.command_speed[0] = .5, t.imitation.command_speed[1] = 1.5;
    t.def.autoreset = SN_AUTORESET_OFF;
    open_task(&t);
    assert_int_equal(t.info.observations, 2 + 13 * sn_model_get(t.model)->nbody + 3);
    reset(&t, NULL);
    const int last = t.info.observations;
    int changes = 0, when = 0;
    for (int i = 0; i < COPIES; i++) { /* it begins along its heading, with the speed that is wanted */
        const float *seen = t.observation + (i + 1) * last - 3;
        double qd[100];
        get(&t, i, 0, SN_FIELD_QD, qd);
        assert_true(seen[0] == 1 && seen[1] == 0 && seen[2] >= .5f && seen[2] <= 1.5f);
        assert_true(fabs(qd[0] - (double)seen[2]) < 1e-5);
    }
    assert_true(t.observation[last - 1] != t.observation[2 * last - 1]);
    float speed[COPIES];
    for (int k = 0; k < 45; k++) {
        for (int i = 0; i < COPIES; i++)
            speed[i] = t.observation[(i + 1) * last - 1];
        step(&t);
        for (int i = 0; i < COPIES; i++)
            if (speed[i] != t.observation[(i + 1) * last - 1]) changes++, when |= 1 << (k % 15);
    }
    assert_int_equal(changes, 3 * COPIES); /* one in each half second, */
    assert_true((when & (when - 1)) != 0); /* but not in the same step */
    struct sn__command *c = &copy_of(t.env, 0)->command;
    reset(&t, NULL);
    *c = (struct sn__command){.speed = c->speed};
    const double along = worth(t.env, 0);
    c->heading = c->following = 1;
    const double aside = worth(t.env, 0);
    *c = (struct sn__command){.speed = c->speed + .5};
    const double slow = worth(t.env, 0);
    assert_true(along > 1 - 1e-3 && slow < .9 && aside < .7);
    close_task(&t);
}

/* Imitation: the motion turned as commanded is worth 1, and begins where it was. */
TEST(a_motion_turns_by_its_command) {
    struct task t = make_task();
    t.imitation.command = .4;
    t.def.autoreset = SN_AUTORESET_OFF;
    open_task(&t);
    assert_int_equal(t.info.observations, 2 + 13 * sn_model_get(t.model)->nbody + 4 + 3);
    reset(&t, NULL);
    const struct sn__reference *reference = t.im->reference;
    struct sn__imitate_copy *copy = copy_of(t.env, 0);
    double before[100], q[100], qd[100], most = 0;
    assert_true(sn_environment_reference(t.env, 0, before));
    for (int k = 0; k < 36; k++) {
        step(&t);
        assert_true(sn_environment_reference(t.env, 0, q));
        const bool round = copy->time < 1. / 30;
        if (!round) assert_true(hypot(q[0] - before[0], q[1] - before[1]) < .1); /* it does not jump */
        memcpy(before, q, sizeof q);
        most = fmax(most, fabs(copy->command.following));
    }
    assert_true(most > .05);
    const double angle = copy->command.following, c = cos(angle), s = sin(angle);
    const float *row = reference->qd + sn__reference_row(reference, copy->time) * t.im->nv;
    for (int i = 0; i < t.im->nv; i++)
        qd[i] = (double)row[i];
    qd[0] = c * (double)row[0] - s * (double)row[1], qd[1] = s * (double)row[0] + c * (double)row[1];
    sn_world_set(sn_environment_world(t.env, 0, NULL), 0, SN_FIELD_Q, 0, 1, q);
    sn_world_set(sn_environment_world(t.env, 0, NULL), 0, SN_FIELD_QD, 0, 1, qd);
    const double turned = worth(t.env, 0);
    assert_true(turned > 1 - 1e-4 && turned < 1 + 1e-6);
    copy->command.following += .7;
    assert_true(worth(t.env, 0) < turned - .05);
    close_task(&t);
}

int main(void) {
    return run_all("learn_ground");
}
