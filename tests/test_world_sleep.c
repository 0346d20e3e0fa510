/* Free bodies at rest fall asleep, alone or in a heap, and wake when something happens to them. */
#include "world_helpers.h"

enum { STACK = 4 };

static const double turn[4] = {1, 0, 0, 0};

static const sn_contact_method method[] = {SN_CONTACT_IMPLICIT, SN_CONTACT_ROWS};

struct bed {
    sn_world *world;
    sn_model *box, *ball;
    int slab;         /* ground under the stack */
    int boxes[STACK]; /* from below */
};

/* A stack of boxes on a slab, at x = 0. */
static struct bed bed_of(sn_contact_method contact, double sleep) {
    sn_world_def def = sn_world_def_default();
    def.contact = contact, def.sleep = sleep;
    const sn_shape_def box = box_of(0.2, 0.2, 0.1, 2), ball = sphere_of(0.1, 2), slab = box_of(1, 1, 0.1, 1);
    struct bed b = {.world = world_of(&def), .box = free_body(&box), .ball = free_body(&ball)};
    floor_of(b.world, NULL);
    b.slab = sn_world_add_shape(b.world, &slab, (const double[3]){0, 0, 0.1}, turn, NULL);
    assert_true(b.slab >= 0);
    for (int i = 0; i < STACK; i++) {
        b.boxes[i] = member_of(b.world, b.box);
        put_body(b.world, b.boxes[i], (const double[3]){0, 0, 0.3 + 0.2 * i}, NULL, NULL);
    }
    return b;
}

static void leave(struct bed *b) {
    sn_world_free(b->world);
    sn_model_free(b->box);
    sn_model_free(b->ball);
}

static bool asleep(sn_world *world, int member) {
    double flag;
    assert_int_equal(sn_world_get(world, member, SN_FIELD_ASLEEP, 0, 1, &flag), SN_OK);
    assert_true(flag == 0 || flag == 1);
    return flag == 1;
}

static int sleepers(struct bed *b) {
    int n = 0;
    for (int i = 0; i < STACK; i++)
        n += asleep(b->world, b->boxes[i]);
    return n;
}

static void run(sn_world *world, int steps) {
    for (int i = 0; i < steps; i++)
        step_world(world);
}

/* Until all sleep; three seconds are more than enough. */
static void lull(struct bed *b) {
    for (int i = 0; i < 720 && sleepers(b) < STACK; i++)
        step_world(b->world);
    assert_int_equal(sleepers(b), STACK);
}

TEST(a_stack_at_rest_falls_asleep_and_stays_where_it_is) {
    for (int k = 0; k < COUNT(method); k++) {
        struct bed b = bed_of(method[k], 0.05);
        run(b.world, 60); /* half a second must pass */
        assert_int_equal(sleepers(&b), 0);
        assert_int_equal(stats_of(b.world).asleep, 0);
        lull(&b);
        step_world(b.world);
        assert_int_equal(stats_of(b.world).asleep, STACK);
        const uint64_t hash = sn_world_hash(b.world);
        double q[STACK][7], qd[STACK][6], q2[7], qd2[6];
        for (int i = 0; i < STACK; i++) {
            sn_world_get_state(b.world, b.boxes[i], q[i], qd[i]);
            assert_near(q[i][2], 0.3 + 0.2 * i, 5e-3);
        }
        const double time = sn_world_time(b.world);
        for (int s = 0; s < 480; s++) {
            step_world(b.world);
            assert_true(sn_world_hash(b.world) == hash);
            assert_int_equal(stats_of(b.world).asleep, STACK);
        }
        assert_true(sn_world_time(b.world) > time);
        for (int i = 0; i < STACK; i++) {
            sn_world_get_state(b.world, b.boxes[i], q2, qd2);
            assert_memory_equal(q2, q[i], sizeof q2);
            assert_memory_equal(qd2, qd[i], sizeof qd2);
        }
        leave(&b);
    }
}

TEST(without_sleep_nothing_falls_asleep) {
    for (int k = 0; k < COUNT(method); k++) {
        struct bed b = bed_of(method[k], 0);
        for (int i = 0; i < 480; i++) {
            step_world(b.world);
            assert_int_equal(stats_of(b.world).asleep, 0);
        }
        assert_int_equal(sleepers(&b), 0);
        leave(&b);
    }
}

TEST(what_moves_does_not_fall_asleep) {
    for (int k = 0; k < COUNT(method); k++) {
        struct bed b = bed_of(method[k], 0.05);
        const int ball = member_of(b.world, b.ball); /* rolls for ever: 1 m/s */
        put_body(b.world, ball, (const double[3]){-20, 5, 0.1}, NULL, (const double[6]){1, 0, 0, 0, 10, 0});
        run(b.world, 720);
        assert_int_equal(sleepers(&b), STACK);
        assert_false(asleep(b.world, ball));
        double q[7];
        sn_world_get_state(b.world, ball, q, NULL);
        assert_true(q[0] > -18);
        leave(&b);
    }
}

TEST(a_ball_that_hits_wakes_the_stack) {
    for (int k = 0; k < COUNT(method); k++) {
        struct bed b = bed_of(method[k], 0.05);
        lull(&b);
        const int ball = member_of(b.world, b.ball);
        put_body(b.world, ball, (const double[3]){-1.5, 0, 0.95}, NULL,
                 (const double[6]){4, 0, 1.3, 0, 0, 0}); /* to the middle of the highest box */
        double before[7], after[7];
        sn_world_get_state(b.world, b.boxes[STACK - 1], before, NULL);
        assert_int_equal(sleepers(&b), STACK); /* a ball far away wakes nobody */
        bool woke = false;
        for (int i = 0; i < 240; i++) {
            step_world(b.world);
            woke |= !asleep(b.world, b.boxes[STACK - 1]);
        }
        assert_true(woke);
        sn_world_get_state(b.world, b.boxes[STACK - 1], after, NULL);
        assert_true(after[0] > before[0] + 0.01);
        leave(&b);
    }
}

TEST(a_push_wakes) {
    for (int k = 0; k < COUNT(method); k++)
        for (int how = 0; how < 4; how++) { /* a push; a velocity; gravity; mass */
            struct bed b = bed_of(method[k], 0.05);
            lull(&b);
            const int top = b.boxes[STACK - 1];
            const double force[3] = {0, 0, 60}, speed[6] = {0, 0, 1, 0, 0, 0}, up[3] = {0, 0, 10}, heavy = 2;
            if (how == 0) assert_int_equal(sn_world_push(b.world, top, 0, force, NULL, INFINITY), SN_OK);
            if (how == 1) assert_int_equal(sn_world_set_state(b.world, top, NULL, speed), SN_OK);
            if (how == 2) assert_int_equal(sn_world_set(b.world, top, SN_FIELD_GRAVITY, 0, 1, up), SN_OK);
            if (how == 3)
                assert_int_equal(sn_world_set(b.world, top, SN_FIELD_MASS_SCALE, 0, 1, &heavy), SN_OK);
            double before[7], after[7];
            sn_world_get_state(b.world, top, before, NULL);
            step_world(b.world);
            assert_false(asleep(b.world, top));
            run(b.world, 5);
            sn_world_get_state(b.world, top, after, NULL);
            if (how < 3) assert_true(after[2] > before[2] + 1e-4);
            leave(&b);
        }
}

TEST(what_loses_its_support_wakes_and_falls) {
    for (int k = 0; k < COUNT(method); k++)
        for (int how = 0; how < 4; how++) { /* ground removed; moved; lowest box removed; set inactive */
            struct bed b = bed_of(method[k], 0.05);
            lull(&b);
            const double away[3] = {10, 0, 0.1};
            if (how == 0) assert_int_equal(sn_world_remove_ground(b.world, b.slab), SN_OK);
            if (how == 1) assert_int_equal(sn_world_move(b.world, b.slab, away, turn, NULL, NULL), SN_OK);
            if (how == 2) assert_int_equal(sn_world_remove(b.world, b.boxes[0]), SN_OK);
            if (how == 3) assert_int_equal(sn_world_set_active(b.world, b.boxes[0], false), SN_OK);
            step_world(b.world);
            assert_false(asleep(b.world, b.boxes[1]));
            run(b.world, 480);
            double q[7];
            const double height = how < 2 ? 0.1 : 0.3; /* of what lies lowest then */
            const int first = how < 2 ? 0 : 1;
            for (int i = first; i < STACK; i++) {
                sn_world_get_state(b.world, b.boxes[i], q, NULL);
                assert_near(q[2], height + 0.2 * (i - first), 8e-3);
            }
            leave(&b);
        }
}

/* Moving ground is something that happens: what lies on it does not sleep, or wakes when it starts. */
TEST(ground_that_starts_to_move_wakes) {
    for (int k = 0; k < COUNT(method); k++) {
        struct bed b = bed_of(method[k], 0.05);
        lull(&b);
        const double velocity[3] = {0.3, 0, 0}, at[3] = {0, 0, 0.1};
        assert_int_equal(sn_world_move(b.world, b.slab, at, turn, velocity, NULL), SN_OK);
        run(b.world, 240);
        double q[7];
        sn_world_get_state(b.world, b.boxes[0], q, NULL);
        assert_near(q[0], 0.3, 0.03);
        leave(&b);
    }
}

/* Sleep is part of the state: taken back, the same bits again. */
TEST(sleep_comes_back_with_a_snapshot) {
    for (int k = 0; k < COUNT(method); k++) {
        struct bed b = bed_of(method[k], 0.05);
        run(b.world, 90); /* drowsy */
        const size_t size = sn_world_snapshot(b.world, NULL, 0);
        unsigned char *bytes = malloc(size);
        assert_int_equal(sn_world_snapshot(b.world, bytes, size), size);
        int first = 0, again = 0;
        while (sleepers(&b) < STACK && first < 720)
            step_world(b.world), first++;
        const uint64_t hash = sn_world_hash(b.world);
        assert_int_equal(sn_world_restore(b.world, bytes, size, NULL), SN_OK);
        assert_int_equal(sleepers(&b), 0);
        while (sleepers(&b) < STACK && again < 720)
            step_world(b.world), again++;
        assert_int_equal(first, again);
        assert_true(sn_world_hash(b.world) == hash);
        free(bytes);
        leave(&b);
    }
}

/* Neighbours that do not touch come to rest at different times, and fall asleep at different times. */
TEST(boxes_near_each_other_fall_asleep_one_by_one) {
    static const double gap[] = {5e-4, 2e-3, 5e-3, 9e-3};
    for (int k = 0; k < 2 * COUNT(method); k++)
        for (int g = 0; g < COUNT(gap); g++) {
            const sn_shape_def box = box_of(0.2, 0.2, 0.1, 2);
            sn_world_def def = sn_world_def_default();
            def.contact = method[k % 2], def.sleep = 0.05,
            def.precision = k < 2 ? SN_PRECISION_DOUBLE : SN_PRECISION_FLOAT;
            sn_world *world = world_of(&def);
            sn_model *model = free_body(&box);
            int member[3], late = 0;
            floor_of(world, NULL);
            for (int i = 0; i < 3; i++) {
                member[i] = member_of(world, model);
                put_body(world, member[i], (const double[3]){(0.4 + gap[g]) * i, 0, 0.1 + 0.1 * i}, NULL,
                         NULL);
            }
            for (int i = 0; i < 720; i++) {
                step_world(world);
                late += asleep(world, member[0]) && !asleep(world, member[2]);
            }
            for (int i = 0; i < 3; i++)
                assert_true(asleep(world, member[i]));
            assert_true(late > 0 || gap[g] < 1e-3); /* the one that fell first did not wait for the last */
            sn_world_free(world);
            sn_model_free(model);
        }
}

/* A sleeping body does not act as a wall: of two equal balls without friction, the one that hits hands its momentum over. */
TEST(a_sleeper_that_is_hit_moves_as_if_it_had_been_awake) {
    static const double speed[] = {0.2, 1, 5, 30};
    for (int k = 0; k < COUNT(method); k++)
        for (int v = 0; v < COUNT(speed); v++) {
            double end[2][2];
            for (int sleeps = 0; sleeps < 2; sleeps++) {
                sn_world_def def = sn_world_def_default();
                sn_shape_def ball = sphere_of(0.1, 2);
                def.contact = method[k], def.sleep = sleeps ? 0.05 : 0;
                ball.friction = 0;
                sn_world *world = world_of(&def);
                sn_model *model = free_body(&ball);
                floor_of(world, &ball);
                const int rests = member_of(world, model);
                put_body(world, rests, (const double[3]){0, 0, 0.1}, NULL, NULL);
                run(world, 240);
                assert_int_equal(asleep(world, rests), sleeps);
                const int comes = member_of(world, model);
                put_body(world, comes, (const double[3]){-0.25, 0, 0.1}, NULL,
                         (const double[6]){speed[v], 0, 0, 0, 0, 0});
                run(world, 96); /* 0.4 s */
                double q[7], qd[2][6];
                sn_world_get_state(world, rests, q, qd[0]);
                sn_world_get_state(world, comes, q, qd[1]);
                end[sleeps][0] = qd[0][0], end[sleeps][1] = qd[1][0];
                if (method[k] == SN_CONTACT_ROWS) assert_near(qd[0][0] + qd[1][0], speed[v], 1e-3 * speed[v]);
                sn_world_free(world);
                sn_model_free(model);
            }
            assert_near(end[0][0], end[1][0], 1e-3 * speed[v]);
            assert_near(end[0][1], end[1][1], 1e-3 * speed[v]);
        }
}

/* Whether a humanoid that was laid down sleeps after ten seconds. `limp`: by the mode of its limbs, else by its gains. */
static bool ragdoll_sleeps(const sn_model *model, double kp, double kd, bool limp) {
    double q[MAX_NQ];
    sn_world_def def = sn_world_def_default();
    def.sleep = 0.05, def.dt = 1.0 / 60;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    member_of(world, model);
    uniform_gains(world, 0, 0, 0, kp, kd);
    sn_model_zero_pose(model, q);
    turn_about((const double[3]){0, 1, 0}, 1.5707963, q + 3);
    q[2] = 0.2;
    assert_int_equal(sn_world_set_state(world, 0, q, NULL), SN_OK);
    assert_int_equal(sn_world_set_target(world, 0, q, NULL), SN_OK);
    if (limp) assert_int_equal(sn_world_set_limb(world, 0, 0, -1, SN_LIMB_LIMP, 0), SN_OK);
    run(world, 600);
    const bool sleeps = asleep(world, 0);
    if (sleeps && limp) { /* driven again, it wakes and stays awake */
        assert_int_equal(sn_world_set_limb(world, 0, 0, -1, SN_LIMB_DRIVEN, 0.5), SN_OK);
        run(world, 240);
        assert_false(asleep(world, 0));
    }
    sn_world_free(world);
    return sleeps;
}

/* Limp ragdolls are damped as a rule. They never slept as long as any gain was one too many. */
TEST(a_ragdoll_sleeps_unless_it_is_driven) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    assert_true(ragdoll_sleeps(model, 0, 0, false));
    assert_true(ragdoll_sleeps(model, 0, 2, false));
    assert_true(ragdoll_sleeps(model, 300, 30, true));
    assert_false(ragdoll_sleeps(model, 300, 30, false));
    sn_model_free(model);
}

/* A damper whose target moves is a motor. */
TEST(a_ragdoll_whose_joints_shall_turn_does_not_sleep) {
    double q[MAX_NQ], turning[MAX_NV] = {0};
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world_def def = sn_world_def_default();
    def.sleep = 0.05, def.dt = 1.0 / 60;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    member_of(world, model);
    uniform_gains(world, 0, 0, 0, 0, 2);
    sn_model_zero_pose(model, q);
    turning[20] = 0.001;
    q[2] = 0.2;
    assert_int_equal(sn_world_set_target(world, 0, q, turning), SN_OK);
    run(world, 900);
    assert_false(asleep(world, 0));
    sn_world_free(world);
    sn_model_free(model);
}

int main(void) {
    return run_all("world sleep");
}
