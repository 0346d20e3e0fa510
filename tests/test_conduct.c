/* Reactions, modes of limbs and assistance: what they promise, in every copy, and through snapshots. */
#include "copies_helpers.h"

#include <stdlib.h>

enum { HUMAN = 0, BALL = 1 };
static const double dt = 1.0 / 60;

static sn_model *ball_of(double mass, double radius) {
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_SPHERE);
    shape.size[0] = radius, shape.mass = mass;
    return body_of(shape);
}

/* A humanoid in the air with an anchored root, gains 300 and 30. */
static sn_world *hung(const sn_model *human, sn_world_def def) {
    double q[MAX_NQ];
    def.dt = dt;
    sn_world *world = world_of(&def);
    member_of(world, human);
    uniform_gains(world, HUMAN, 1e5, 1e4, 300, 30);
    sn_model_zero_pose(human, q);
    sn_world_set_state(world, HUMAN, q, NULL);
    sn_world_set_target(world, HUMAN, q, NULL);
    return world;
}

static sn_reaction_def reaction_of(double threshold, double reaction, double hold, double recover) {
    sn_reaction_def def = sn_reaction_def_default();
    def.threshold = threshold, def.reaction = reaction, def.hold = hold, def.recover = recover;
    return def;
}

static double scale_of(sn_world *world, int copy, int body) {
    double scale[64];
    assert_int_equal(sn_world_get(world, HUMAN, SN_FIELD_GAIN_SCALE, copy, 1, scale), SN_OK);
    return scale[body];
}

static double impacts_of(sn_world *world, int copy) {
    double n;
    sn_world_get(world, HUMAN, SN_FIELD_IMPACTS, copy, 1, &n);
    return n;
}

/* A push of so many N s in the coming step. */
static void blow(sn_world *world, int body, double impulse) {
    sn_world_push(world, HUMAN, body, (const double[3]){0, impulse / dt, 0}, NULL, INFINITY);
    step_world(world);
    sn_world_push(world, HUMAN, body, NULL, NULL, INFINITY);
}

TEST(gains_fall_hold_and_recover_as_the_schedule_says) {
    sn_model *human = sn_builtin_create("humanoid", NULL);
    sn_world *world = hung(human, sn_world_def_default());
    const sn_reaction_def def = reaction_of(2, 0.1, 0.1, 0.5);
    assert_int_equal(sn_world_set_reaction(world, HUMAN, &def), SN_OK);
    blow(world, 1, 1.9);
    assert_true(scale_of(world, 0, 1) == 1);
    for (int i = 0; i < 12; i++) /* until the window has forgotten it */
        step_world(world);
    blow(world, 1, 2.1); /* in the step of the blow itself */
    for (int i = 0; i < 60; i++) {
        const double since = i * dt;
        const double wanted = since < 0.1 - 1e-9 ? 0.1 : since < 0.6 ? 0.1 + 0.9 * (since - 0.1) / 0.5 : 1;
        assert_near(scale_of(world, 0, 5), wanted, 1e-9);
        assert_true(scale_of(world, 0, 0) == 1); /* the root stays as it is */
        double kp[64];
        sn_world_get(world, HUMAN, SN_FIELD_KP, 0, 1, kp);
        assert_near(kp[10], 300 * wanted, 1e-6);
        step_world(world);
    }
    assert_true(impacts_of(world, 0) == 1);
    sn_world_free(world);
    sn_model_free(human);
}

TEST(blows_while_recovering_start_afresh_and_only_limbs_around_give_way) {
    sn_model *human = sn_builtin_create("humanoid", NULL);
    sn_world *world = hung(human, sn_world_def_default());
    sn_reaction_def def = reaction_of(1, 0, 0.05, 0.5);
    def.around = 1;
    const int forearm = sn_model_find_body(human, "left_forearm"),
              arm = sn_model_find_body(human, "left_upper_arm");
    sn_world_set_reaction(world, HUMAN, &def);
    blow(world, forearm, 1.5);
    for (int i = 0; i < 20; i++)
        step_world(world);
    const double half = scale_of(world, 0, arm);
    assert_true(half > 0.3 && half < 0.8);
    assert_true(scale_of(world, 0, 1) == 1 && scale_of(world, 0, sn_model_find_body(human, "left_shin")) == 1);
    blow(world, forearm, 1.5);
    assert_true(scale_of(world, 0, forearm) == 0 && scale_of(world, 0, arm) == 0);
    assert_true(scale_of(world, 0, 1) == 1);
    assert_true(impacts_of(world, 0) == 2);
    assert_int_equal(sn_world_react(world, HUMAN, -1, 1), SN_OK);
    step_world(world);
    assert_true(scale_of(world, 0, 1) == 0 && impacts_of(world, 0) == 3);
    sn_world_free(world);
    sn_model_free(human);
}

/* Many small pushes are one blow, whatever dt is. */
TEST(a_push_counts_by_its_impulse_not_by_the_step) {
    sn_model *human = sn_builtin_create("humanoid", NULL);
    double when[2];
    for (int k = 0; k < 2; k++) {
        sn_world *world = hung(human, sn_world_def_default());
        const double h = k ? 1.0 / 480 : 1.0 / 120;
        const sn_reaction_def def = reaction_of(5, 0.1, 0.1, 0.1);
        sn_world_set_dt(world, h);
        sn_world_set_reaction(world, HUMAN, &def);
        sn_world_push(world, HUMAN, 1, (const double[3]){100, 0, 0}, NULL, INFINITY);
        while (impacts_of(world, 0) == 0 && sn_world_time(world) < 1)
            step_world(world);
        when[k] = sn_world_time(world);
        sn_world_free(world);
    }
    assert_true(when[0] < 0.09 &&
                fabs(when[0] - when[1]) <= 1.0 / 120 + 1e-9); /* 100 N (1 - e^-10t) / 10 = 5 */
    sn_model_free(human);
}

/* The ball meets what a reaction leaves of the drives in the very step of the impact. */
TEST(a_ball_is_stopped_less_by_one_who_gives_way) {
    sn_model *human = sn_builtin_create("humanoid", NULL), *ball = ball_of(1, 0.1);
    double left[2];
    for (int k = 0; k < 2; k++) {
        sn_world *world = hung(human, sn_world_def_default());
        member_of(world, ball);
        uniform_gains(world, HUMAN, 1e5, 1e4, 5000, 1000);
        const sn_reaction_def def = reaction_of(0.5, 0.01, 0.1, 0.1);
        if (k) sn_world_set_reaction(world, HUMAN, &def);
        double pos[3], place[3], velocity[6] = {-8};
        body_pose(world, HUMAN, sn_model_find_body(human, "left_forearm"), pos, NULL);
        memcpy(place, pos, sizeof place);
        place[0] += 0.4, place[2] -= 0.25;
        put_body(world, BALL, place, NULL, velocity);
        for (int i = 0; i < 6; i++)
            step_world(world);
        sn_world_get_state(world, BALL, NULL, velocity);
        left[k] = velocity[0];
        if (k) assert_true(impacts_of(world, 0) >= 1);
        sn_world_free(world);
    }
    print_message("8 m/s: %.2f m/s with stiff arms, %.2f with arms that give way\n", left[0], left[1]);
    assert_true(left[1] < left[0] - 1);
    sn_model_free(ball);
    sn_model_free(human);
}

TEST(a_limp_limb_moves_as_one_without_gains) {
    sn_model *human = sn_builtin_create("humanoid", NULL);
    const int thigh = sn_model_find_body(human, "right_thigh");
    sn_world *a = hung(human, sn_world_def_default()), *b = hung(human, sn_world_def_default());
    double kp[64], kd[64], q[2][MAX_NQ];
    sn_world_get(a, HUMAN, SN_FIELD_KP, 0, 1, kp);
    sn_world_get(a, HUMAN, SN_FIELD_KD, 0, 1, kd);
    for (int i = thigh; i < thigh + 3; i++) { /* thigh, shin, foot */
        const sn_body_info *body = sn_model_body(human, i);
        for (int v = body->v_index; v < body->v_index + body->nv; v++)
            kp[v] = kd[v] = 0;
    }
    sn_world_set_gains(a, HUMAN, kp, kd);
    assert_int_equal(sn_world_set_limb(b, HUMAN, -1, thigh, SN_LIMB_LIMP, 0), SN_OK);
    for (int i = 0; i < 60; i++) {
        sn_world_push(a, HUMAN, thigh, (const double[3]){30, 0, 0}, NULL, INFINITY);
        sn_world_push(b, HUMAN, thigh, (const double[3]){30, 0, 0}, NULL, INFINITY);
        step_world(a), step_world(b);
    }
    sn_world_get_state(a, HUMAN, q[0], NULL);
    sn_world_get_state(b, HUMAN, q[1], NULL);
    assert_memory_equal(q[0], q[1], sizeof(double) * (size_t)sn_model_get(human)->nq);
    /* and back: as if nothing had been */
    assert_int_equal(sn_world_set_limb(b, HUMAN, -1, thigh, SN_LIMB_DRIVEN, 0.5), SN_OK);
    for (int i = 0; i < 15; i++)
        step_world(b);
    const double half = scale_of(b, 0, thigh);
    assert_true(half > 0.4 && half < 0.6);
    for (int i = 0; i < 30; i++)
        step_world(b);
    assert_true(scale_of(b, 0, thigh) == 1);
    sn_world_free(a);
    sn_world_free(b);
    sn_model_free(human);
}

/* Whatever pushes it, with every form of drives, in double and float. */
TEST(an_animated_limb_is_where_its_target_is) {
    sn_model *human = sn_builtin_create("humanoid", NULL);
    for (int k = 0; k < 5; k++) {
        sn_world_def def = sn_world_def_default();
        def.form = (sn_form)(k % 4), def.precision = k < 4 ? SN_PRECISION_DOUBLE : SN_PRECISION_FLOAT;
        sn_world *world = hung(human, def);
        sn_motion *walk = sn_builtin_motion_create("walk", human, NULL);
        if (def.form == SN_FORM_EXPLICIT) uniform_gains(world, HUMAN, 100, 10, 0, 0);
        assert_int_equal(sn_world_set_limb(world, HUMAN, -1, -1, SN_LIMB_ANIMATED, 0), SN_OK);
        double q[MAX_NQ], qd[MAX_NQ], off[MAX_NQ], worst = 0;
        sn_motion_sample(walk, 0, q, qd);
        sn_world_set_state(world, HUMAN, q, qd);
        sn_world_set_motion(world, HUMAN, walk);
        sn_world_push(world, HUMAN, 1, (const double[3]){500, 300, -400}, NULL, INFINITY);
        for (int i = 0; i < 60; i++) {
            step_world(world);
            double now[MAX_NQ];
            sn_world_get_state(world, HUMAN, now, NULL);
            sn_motion_sample(walk, sn_world_time(world), q, NULL);
            sn_model_pose_subtract(human, 1, now, q, off);
            for (int v = 0; v < sn_model_get(human)->nv; v++)
                worst = fmax(worst, fabs(off[v]));
        }
        print_message("form %d, %s: %.2g off at most\n", (int)def.form, k < 4 ? "double" : "float", worst);
        assert_true(worst < (k < 4 ? 2e-3 : 1e-2)); /* the motion's own table has 2e-4 */
        sn_motion_free(walk);
        sn_world_free(world);
    }
    sn_model_free(human);
}

TEST(the_assistance_of_a_root_keeps_its_budget_and_its_books) {
    sn_model *ball = ball_of(2, 0.1);
    sn_world_def def = sn_world_def_default();
    def.report_torque = def.torque_limits = true, def.dt = dt;
    for (int bounded = 0; bounded < 2; bounded++) {
        sn_world *world = world_of(&def);
        member_of(world, ball);
        put_body(world, 0, (const double[3]){0, 0, 0}, NULL, NULL);
        uniform_gains(world, 0, 50, 20, 0, 0);
        double target[7] = {0, 0, 1, 1};
        sn_world_set_target(world, 0, target, NULL);
        sn_summary before, after;
        sn_world_summary(world, 0, 0, &before);
        assert_int_equal(sn_world_set_assistance(world, 0, bounded ? 25 : INFINITY, INFINITY), SN_OK);
        for (int i = 0; i < 240; i++)
            step_world(world);
        sn_assistance used;
        assert_int_equal(sn_world_get_assistance(world, 0, 0, &used), SN_OK);
        sn_world_summary(world, 0, 0, &after);
        const double gained = after.kinetic + after.potential - before.kinetic - before.potential;
        print_message("work %.4f J, energy won %.4f J, at most %.2f N, %.2f s at the budget\n", used.work,
                      gained, used.peak_force, used.at_budget);
        assert_near(used.work, gained, 1e-6 * fabs(gained));
        if (bounded) assert_true(used.peak_force <= 25 * (1 + 1e-6) && used.at_budget > 0);
        if (!bounded) assert_true(used.peak_force > 40 && used.at_budget == 0);
        sn_world_free(world);
    }
    sn_model_free(ball);
}

/* ---------------------------------------------------------------------------------- copies, threads, snapshots */

/* A walk with assistance and a ball for each copy, or pushes where there is none. */
static sn_world *hit_crowd(const sn_model *human, const sn_model *ball, const sn_motion *walk, int copies,
                           int threads, sn_precision precision) {
    sn_world_def def = sn_world_def_default();
    double q[MAX_NQ], qd[MAX_NQ];
    def.copies = copies, def.threads = threads, def.precision = precision, def.dt = dt;
    def.report_torque = def.torque_limits = true;
    sn_world *world = world_of(&def);
    member_of(world, human);
    if (ball) member_of(world, ball);
    floor_of(world, NULL);
    uniform_gains(world, HUMAN, 20000, 3000, 2000, 150);
    sn_motion_sample(walk, 0, q, qd);
    sn_world_set_state(world, HUMAN, q, qd);
    sn_world_set_motion(world, HUMAN, walk);
    sn_reaction_def reaction = reaction_of(10, 0.02, 0.2, 0.6);
    sn_world_set_reaction(world, HUMAN, &reaction);
    sn_world_set_assistance(world, HUMAN, 600, 300);
    if (ball) put_body(world, BALL, (const double[3]){50, 0, 0.11}, NULL, NULL);
    return world;
}

/* What happens to copy `who` before step i: the same whatever its place. */
static void upset(sn_world *world, bool ball, int copy, int who, int i) {
    struct rng rng = {.state = (uint64_t)who * 1000003 + 17};
    const int when = 5 + (int)(30 * uniform(&rng, 0, 1)), target = (int)(12.99 * uniform(&rng, 0, 1));
    const double angle = uniform(&rng, 0, 2 * M_PI), speed = uniform(&rng, 3, 15);
    if (i == 7 + who % 5) sn_world_set_limb(world, HUMAN, copy, 3 + who % 4, SN_LIMB_LIMP, 0.1);
    if (i == 20 + who % 5) sn_world_set_limb(world, HUMAN, copy, 3 + who % 4, SN_LIMB_DRIVEN, 0.2);
    if (i == 30 && who % 3 == 0) sn_world_set_limb(world, HUMAN, copy, 5, SN_LIMB_ANIMATED, 0.1);
    if (i != when && i != when + 1) return;
    double pose[7 * 16], at[7] = {0, 0, 0, 1}, velocity[6] = {speed * cos(angle), speed * sin(angle), 0.5};
    if (!ball) {
        double push[6 * 16] = {0};
        if (i == when) push[6 * target] = 50 * speed, push[6 * target + 1] = 200;
        sn_world_set(world, HUMAN, SN_FIELD_PUSH, copy, 1, push);
        return;
    }
    if (i != when) return;
    sn_world_get(world, HUMAN, SN_FIELD_BODY_POSE, copy, 1, pose);
    for (int k = 0; k < 3; k++)
        at[k] = pose[7 * target + k] - 0.09 * velocity[k] * (k < 2) - (k < 2) * 0.3 * velocity[k] / speed;
    at[2] = fmax(at[2], 0.12);
    copy_put(world, BALL, copy, at, velocity);
}

/* Somebody who walks, and a ball to throw at them. */
struct cast {
    sn_model *human, *ball;
    sn_motion *walk;
};

static struct cast make_cast(void) {
    struct cast c = {.human = sn_builtin_create("humanoid", NULL), .ball = ball_of(5, 0.11)};
    c.walk = sn_builtin_motion_create("walk", c.human, NULL);
    return c;
}

static void free_cast(struct cast *c) {
    sn_motion_free(c->walk);
    sn_model_free(c->ball);
    sn_model_free(c->human);
}

TEST(a_copy_that_is_hit_has_the_same_bits_alone_and_in_company) {
    struct cast cast = make_cast();
    const int copies = in_short() ? 5 : 9, steps = in_short() ? 30 : 60;
    for (int k = 0; k < 4; k++) {
        const sn_model *thrown = k % 2 ? cast.ball : NULL;
        const sn_precision precision = k < 2 ? SN_PRECISION_DOUBLE : SN_PRECISION_FLOAT;
        sn_world *crowd = hit_crowd(cast.human, thrown, cast.walk, copies, 2, precision);
        double impacts = 0;
        for (int i = 0; i < steps; i++) {
            for (int c = 0; c < copies; c++)
                upset(crowd, thrown != NULL, c, c, i);
            step_world(crowd);
        }
        for (int c = 0; c < copies; c += 2) {
            sn_world *alone = hit_crowd(cast.human, thrown, cast.walk, 1, 1, precision);
            for (int i = 0; i < steps; i++) {
                upset(alone, thrown != NULL, 0, c, i);
                step_world(alone);
            }
            assert_true(hash_fields(alone, HUMAN, 0) == hash_fields(crowd, HUMAN, c));
            impacts += impacts_of(crowd, c);
            sn_world_free(alone);
        }
        assert_true(impacts > 0);
        sn_world_free(crowd);
    }
    free_cast(&cast);
}

TEST(a_snapshot_in_the_middle_of_a_reaction_gives_the_same_bits_again) {
    struct cast cast = make_cast();
    for (int k = 0; k < 2; k++) {
        const sn_model *thrown = k ? cast.ball : NULL;
        sn_world *world = hit_crowd(cast.human, thrown, cast.walk, 3, 1, SN_PRECISION_DOUBLE);
        uint64_t hash[2];
        double impacts = 0;
        void *bytes = NULL;
        size_t size = 0;
        for (int round = 0; round < 2; round++) {
            for (int i = round ? 34 : 0; i < 70; i++) {
                if (i == 34 && !round) {
                    size = sn_world_snapshot(world, NULL, 0);
                    bytes = malloc(size);
                    assert_int_equal(sn_world_snapshot(world, bytes, size), size);
                }
                for (int c = 0; c < 3; c++)
                    upset(world, k, c, c, i);
                step_world(world);
            }
            hash[round] = 0;
            for (int c = 0; c < 3; c++) {
                sn_assistance used;
                sn_world_get_assistance(world, HUMAN, c, &used);
                hash[round] = hash[round] * 31 + hash_fields(world, HUMAN, c) + (uint64_t)(1e6 * used.effort);
                impacts += impacts_of(world, c);
            }
            if (!round) { /* something else in between: no reactions, no modes */
                sn_world_set_reaction(world, HUMAN, NULL);
                sn_world_set_limb(world, HUMAN, -1, -1, SN_LIMB_LIMP, 0);
                uniform_gains(world, HUMAN, 0, 0, 1, 1);
                step_world(world);
                assert_int_equal(sn_world_restore(world, bytes, size, NULL), SN_OK);
            }
        }
        assert_true(impacts > 0 && hash[0] == hash[1]);
        sn_world *plain = hit_crowd(cast.human, thrown, cast.walk, 3, 1,
                                    SN_PRECISION_DOUBLE); /* a world that never reacted takes it over */
        sn_world_set_reaction(plain, HUMAN, NULL);
        assert_int_equal(sn_world_restore(plain, bytes, size, NULL), SN_OK);
        ((unsigned char *)bytes)[size / 2] ^= 4;
        assert_int_not_equal(sn_world_restore(plain, bytes, size, NULL), SN_OK);
        free(bytes);
        sn_world_free(plain);
        sn_world_free(world);
    }
    free_cast(&cast);
}

/* SINEW_SOAK: 1,000 copies and that many steps. */
TEST(copies_hit_at_random_walk_on_and_none_diverges) {
    struct cast cast = make_cast();
    const char *soak = getenv("SINEW_SOAK");
    const int copies = soak ? 1000 : in_short() ? 4 : 60, steps = soak ? atoi(soak) : in_short() ? 60 : 150;
    sn_world *world = hit_crowd(cast.human, cast.ball, cast.walk, copies, 2, SN_PRECISION_DOUBLE);
    double impacts = 0, off[64], q[2][MAX_NQ], worst = 0, work = 0, far = 0;
    for (int i = 0; i < steps; i++) {
        for (int c = 0; c < copies; c++)
            upset(world, true, c, c + 100, i);
        step_world(world);
    }
    for (int c = 0; c < copies; c++) {
        impacts += impacts_of(world, c);
        copy_get(world, HUMAN, c, q[0], NULL);
        sn_motion_sample(cast.walk, sn_world_time(world), q[1], NULL);
        sn_model_pose_subtract(cast.human, 1, q[0], q[1], off);
        const double root = sqrt(off[0] * off[0] + off[1] * off[1] + off[2] * off[2]);
        worst = fmax(worst, root);
        far += root > 0.1;
        sn_assistance used;
        sn_world_get_assistance(world, HUMAN, c, &used);
        work += used.effort;
    }
    print_message("%d copies, %.0f impacts, %d diverged; root off %.3f m at most, %.0f copies above 0.1 m; "
                  "effort of the "
                  "assistance %.0f J per copy\n",
                  copies, impacts, stats_of(world).diverged, worst, far, work / copies);
    assert_int_equal(stats_of(world).diverged, 0);
    assert_true(impacts > 0.5 * copies);
    sn_world_free(world);
    free_cast(&cast);
}

TEST(wrong_arguments_are_refused_and_change_nothing) {
    sn_model *human = sn_builtin_create("humanoid", NULL);
    sn_world *world = hung(human, sn_world_def_default());
    sn_reaction_def bad = sn_reaction_def_default();
    bad.reaction = 2;
    assert_int_equal(sn_world_set_reaction(world, HUMAN, &bad), SN_ERROR_ARGUMENT);
    bad = sn_reaction_def_default(), bad.hold = (double)NAN;
    assert_int_equal(sn_world_set_reaction(world, HUMAN, &bad), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_set_reaction(world, 7, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_react(world, HUMAN, 0, 1), SN_ERROR_UNSUPPORTED);
    assert_int_equal(sn_world_set_limb(world, HUMAN, 0, 99, SN_LIMB_LIMP, 0), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_set_limb(world, HUMAN, 1, 0, SN_LIMB_LIMP, 0), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_set_limb(world, HUMAN, 0, 0, SN_LIMB_LIMP, -1), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_set_assistance(world, HUMAN, 100, 100),
                     SN_ERROR_UNSUPPORTED); /* no report_torque */
    sn_assistance used;
    assert_int_equal(sn_world_get_assistance(world, HUMAN, 0, &used), SN_ERROR_UNSUPPORTED);
    sn_world_free(world);
    sn_world_def event = sn_world_def_default();
    event.contact = SN_CONTACT_ROWS, event.stepper = SN_STEPPER_EVENT;
    world = hung(human, event);
    assert_int_equal(sn_world_set_limb(world, HUMAN, 0, 0, SN_LIMB_ANIMATED, 0), SN_ERROR_UNSUPPORTED);
    sn_reaction_def good = reaction_of(1, 0.1, 0.1, 0.1);
    assert_int_equal(sn_world_set_reaction(world, HUMAN, &good), SN_OK);
    blow(world, 1, 3);
    assert_near(scale_of(world, 0, 1), 0.1, 1e-12);
    sn_world_free(world);
    sn_model_free(human);
}

int main(void) {
    return run_all("conduct");
}
