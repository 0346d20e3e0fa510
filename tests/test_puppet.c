/* Puppets: they go where the stick says in a world of the user's, fall when let go, and can be rolled back. */
#include "learn_task_helpers.h"

#include "base/hash.h"
#include "scenes/shapes.h"

#include <sinew/engine.h>

enum { NQ = 43, NV = 34, MOST = 16, BALLS = 8, SECOND = 240 };

struct stage {
    sn_world *world;
    sn_model *human, *ball;
    sn_policy *go, *get_up;
    sn_puppet *puppet[MOST];
    int puppets;
};

/* Puppets on a grid, and balls that lie between them. */
static void open_stage(struct stage *s, int puppets, int balls) {
    sn_world_def def = sn_world_def_default();
    sn_error error;
    double q[NQ];
    *s = (struct stage){.puppets = puppets};
    def.dt = 1. / SECOND;
    s->world = sn_world_create(&def, NULL);
    s->human = sn_builtin_create("humanoid", NULL);
    const sn_shape_def ball = sphere_of(.1, 4);
    s->ball = scene_body_model(&ball, NULL);
    s->go = sn_policy_load("policies/humanoid-stick.sinew", &error);
    if (!s->go) fail_msg("%s", error.message);
    sn_world_add_plane(s->world, (double[]){0, 0, 0}, (double[]){0, 0, 1}, NULL, NULL);
    for (int i = 0; i < puppets; i++) {
        assert_int_equal(sn_world_add(s->world, s->human, NULL), i);
        sn_model_zero_pose(s->human, q);
        q[0] = 1.5 * (i % 4), q[1] = 1.5 * (i / 4);
        sn_world_stand(s->world, i, q);
        sn_world_set_state(s->world, i, q, NULL);
    }
    for (int i = 0; i < balls; i++) {
        const int member = sn_world_add(s->world, s->ball, NULL);
        const double at[7] = {.75 + 1.5 * (i % 4), .75 + 1.5 * (i / 4), .1, 1, 0, 0, 0};
        sn_world_set_state(s->world, member, at, NULL);
    }
    for (int i = 0; i < puppets; i++) {
        s->puppet[i] = sn_puppet_create(s->world, i, 0, s->go, NULL, &error);
        if (!s->puppet[i]) fail_msg("%s", error.message);
    }
}

static void close_stage(struct stage *s) {
    for (int i = 0; i < s->puppets; i++)
        sn_puppet_free(s->puppet[i]);
    sn_policy_free(s->go);
    sn_policy_free(s->get_up);
    sn_world_free(s->world);
    sn_model_free(s->human);
    sn_model_free(s->ball);
}

static void play(struct stage *s, int steps) {
    sn_error error;
    for (int i = 0; i < steps; i++) {
        if (sn_puppets_step(s->puppet, s->puppets, &error)) fail_msg("%s", error.message);
        assert_int_equal(sn_world_step(s->world), SN_OK);
    }
}

static void root_of(const struct stage *s, int member, double q[NQ]) {
    assert_int_equal(sn_world_get(s->world, member, SN_FIELD_Q, 0, 1, q), SN_OK);
}

static double heading_of(const double q[NQ]) {
    return atan2(2 * (q[4] * q[5] + q[3] * q[6]), 1 - 2 * (q[5] * q[5] + q[6] * q[6]));
}

TEST(it_goes_ahead_back_and_turns_and_stops) {
    static const double stick[][3] = {{1.2, 0, 0}, {2.5, 0, 0}, {-.6, 0, 0},
                                      {0, .5, 0},  {0, 0, 1},   {0, 0, 0}};
    struct stage s;
    open_stage(&s, 1, 0);
    for (size_t k = 0; k < sizeof stick / sizeof *stick; k++) {
        double from[NQ], to[NQ], planned[3], reference[NQ];
        sn_puppet_stick(s.puppet[0], stick[k]);
        play(&s, 3 * SECOND);
        root_of(&s, 0, from);
        play(&s, SECOND);
        root_of(&s, 0, to);
        const double h = heading_of(from), x = to[0] - from[0], y = to[1] - from[1];
        const double ahead = cos(h) * x + sin(h) * y, left = cos(h) * y - sin(h) * x;
        const double turn = remainder(heading_of(to) - h, 2 * M_PI);
        assert_int_equal(sn_puppet_get(s.puppet[0], planned, reference), SN_PUPPET_GOES);
        if (fabs(ahead - stick[k][0]) > .6 || fabs(left - stick[k][1]) > .5 || fabs(turn - stick[k][2]) > .5)
            fail_msg("stick %zu: %g m/s ahead, %g to the left, turns by %g", k, ahead, left, turn);
        assert_true(fabs(planned[0] - stick[k][0]) < .1 && fabs(planned[2] - stick[k][2]) < .1);
        assert_true(hypot(reference[0] - to[0], reference[1] - to[1]) < .3);
    }
    close_stage(&s);
}

TEST(sixteen_and_balls_in_one_world_go_each_its_way) {
    struct stage s;
    int on_feet = 0;
    open_stage(&s, MOST, BALLS);
    for (int i = 0; i < MOST; i++)
        sn_puppet_stick(s.puppet[i], (double[]){.2 * (i % 5), 0, .3 * (i % 3) - .3});
    play(&s, 4 * SECOND);
    for (int i = 0; i < MOST; i++) {
        double q[NQ];
        root_of(&s, i, q);
        assert_true(isfinite(q[0]) && q[2] > -.1 && q[2] < 1.2 && hypot(q[0], q[1]) < 20);
        on_feet += sn_puppet_get(s.puppet[i], NULL, NULL) == SN_PUPPET_GOES;
    }
    assert_true(on_feet >= MOST - 4); /* they run into each other and stumble over balls */
    close_stage(&s);
}

/* ---------------------------------------------------------------------------------------------------------- rollback */

static uint64_t hash_of(const struct stage *s) {
    uint64_t hash = sn_world_hash(s->world);
    for (int i = 0; i < s->puppets; i++) {
        double planned[3], reference[NQ];
        sn_puppet_get(s->puppet[i], planned, reference);
        hash = sn__hash(reference, sizeof reference, sn__hash(planned, sizeof planned, hash));
    }
    return hash;
}

static uint64_t play_scene(struct stage *s) {
    sn_puppet_stick(s->puppet[0], (double[]){2, 0, .5});
    play(s, SECOND / 2 + 3);
    sn_puppet_stick(s->puppet[1], NULL);
    play(s, SECOND / 4);
    sn_puppet_stick(s->puppet[1], (double[]){0, 0, 0});
    play(s, SECOND);
    return hash_of(s);
}

TEST(rolled_back_puppets_play_the_same_bits) {
    struct stage s;
    sn_error error;
    open_stage(&s, 3, 4);
    sn_puppet_stick(s.puppet[1], (double[]){1, 0, 0});
    sn_puppet_stick(s.puppet[2], (double[]){0, .5, 0});
    play(&s, SECOND / 2 + 5); /* within a control step */
    const size_t size = sn_world_save_state(s.world, NULL, 0);
    unsigned char *bytes = malloc(size), *puppets[3];
    size_t own;
    assert_int_equal(sn_world_save_state(s.world, bytes, size), size);
    for (int i = 0; i < 3; i++) {
        const void *from = sn_puppet_state(s.puppet[i], &own);
        puppets[i] = memcpy(malloc(own), from, own);
    }
    const uint64_t first = play_scene(&s);
    assert_int_equal(sn_world_load_state(s.world, bytes, size, &error), SN_OK);
    for (int i = 0; i < 3; i++)
        memcpy(sn_puppet_state(s.puppet[i], &own), puppets[i], own);
    const uint64_t second = play_scene(&s);
    assert_true(first == second);
    for (int i = 0; i < 3; i++)
        free(puppets[i]);
    free(bytes);
    close_stage(&s);
}

/* -------------------------------------------------------------------------------------------------------------- falls */

TEST(let_go_it_is_a_ragdoll_and_lies_where_it_falls) {
    struct stage s;
    double q[NQ], kp[NV], before[NV];
    open_stage(&s, 1, 0);
    sn_world_get(s.world, 0, SN_FIELD_KP, 0, 1, before);
    sn_puppet_stick(s.puppet[0], (double[]){2, 0, 0});
    play(&s, 2 * SECOND);
    sn_puppet_stick(s.puppet[0], NULL);
    assert_int_equal(sn_puppet_get(s.puppet[0], NULL, NULL), SN_PUPPET_LIMP);
    sn_world_get(s.world, 0, SN_FIELD_KP, 0, 1, kp);
    assert_true(kp[10] > 0 && kp[10] < .1 * before[10]);
    play(&s, 2 * SECOND);
    sn_puppet_stick(s.puppet[0], (double[]){0, 0, 0});
    play(&s, 24);
    root_of(&s, 0, q);
    assert_int_equal(sn_puppet_get(s.puppet[0], NULL, NULL), SN_PUPPET_LIES);
    assert_true(q[2] < .4);
    sn_model_zero_pose(s.human, q); /* put on its feet it goes on */
    sn_world_stand(s.world, 0, q);
    sn_world_set_state(s.world, 0, q, NULL);
    play(&s, 2 * SECOND);
    assert_int_equal(sn_puppet_get(s.puppet[0], NULL, NULL), SN_PUPPET_GOES);
    sn_world_get(s.world, 0, SN_FIELD_KP, 0, 1, kp);
    assert_memory_equal(kp, before, sizeof kp);
    close_stage(&s);
}

/* All get up from wherever they fell. On one machine 256 of 256 do at the first try; here 15 of 16 must, within 9 s. */
TEST(those_with_a_policy_for_it_get_up_again) {
    struct stage s;
    sn_error error;
    int up = 0, tried = 0;
    open_stage(&s, MOST, 0);
    s.get_up = sn_policy_load("policies/humanoid-get-up.sinew", &error);
    for (int i = 0; i < MOST; i++) {
        double q[NQ], force[3] = {150 * cos(i), 150 * sin(i), 0};
        sn_puppet_free(s.puppet[i]);
        root_of(&s, i, q);
        q[0] = 5 * (i % 4), q[1] = 5 * (i / 4);
        sn_world_set_state(s.world, i, q, NULL);
        s.puppet[i] = sn_puppet_create(s.world, i, 0, s.go, s.get_up, &error);
        sn_puppet_stick(s.puppet[i], NULL);
        sn_world_push(s.world, i, 1, force, NULL, .2);
    }
    play(&s, 2 * SECOND);
    for (int i = 0; i < MOST; i++)
        sn_puppet_stick(s.puppet[i], (double[]){0, 0, 0});
    for (int n = 0; n < 9 * SECOND; n++) {
        play(&s, 1);
        for (int i = 0; i < MOST && n % 60 == 0; i++)
            tried |= (sn_puppet_get(s.puppet[i], NULL, NULL) == SN_PUPPET_GETS_UP) << i;
    }
    for (int i = 0; i < MOST; i++)
        up += sn_puppet_get(s.puppet[i], NULL, NULL) == SN_PUPPET_GOES;
    assert_int_equal(tried, (1 << MOST) - 1);
    assert_true(up >= MOST - 1);
    close_stage(&s);
}

/* A heavy ball in the back: it falls, gets up, and goes on under the same stick. */
TEST(hit_by_a_ball_it_falls_gets_up_and_goes_on) {
    struct stage s;
    sn_error error;
    double q[NQ], ball[7] = {0, 0, 1.2, 1, 0, 0, 0}, from[NQ];
    open_stage(&s, 1, 0);
    s.get_up = sn_policy_load("policies/humanoid-get-up.sinew", &error);
    sn_puppet_free(s.puppet[0]);
    s.puppet[0] = sn_puppet_create(s.world, 0, 0, s.go, s.get_up, &error);
    sn_puppet_stick(s.puppet[0], (double[]){1, 0, 0});
    play(&s, 2 * SECOND);
    const sn_shape_def shape = sphere_of(.1, 30);
    sn_model *heavy = scene_body_model(&shape, NULL);
    const int member = sn_world_add(s.world, heavy, NULL);
    root_of(&s, 0, q);
    ball[0] = q[0] - 1, ball[1] = q[1];
    sn_world_set_state(s.world, member, ball, (double[]){10, 0, 0, 0, 0, 0});
    int fell = 0, rose = 0, n = 0;
    for (; n < 12 * SECOND && !(fell && rose && sn_puppet_get(s.puppet[0], NULL, NULL) == SN_PUPPET_GOES);
         n++) {
        play(&s, 1);
        fell |= sn_puppet_get(s.puppet[0], NULL, NULL) == SN_PUPPET_LIES;
        rose |= sn_puppet_get(s.puppet[0], NULL, NULL) == SN_PUPPET_GETS_UP;
    }
    assert_true(fell && rose && n < 12 * SECOND);
    play(&s, 2 * SECOND);
    root_of(&s, 0, from);
    play(&s, 2 * SECOND);
    root_of(&s, 0, q);
    assert_int_equal(sn_puppet_get(s.puppet[0], NULL, NULL), SN_PUPPET_GOES);
    assert_true(hypot(q[0] - from[0], q[1] - from[1]) > 1);
    close_stage(&s);
    sn_model_free(heavy);
}

/* ------------------------------------------------------------------------------------------------------- moving ground */

/* A floor that goes along x at a speed, and up and down. Its puppets walk 1 m/s on it, for 8 s; how far they come. */
static double walk_on_moving(double speed, double swing, sn_puppet_mode *mode) {
    struct stage s;
    sn_shape_def box = sn_shape_def_default(SN_SHAPE_BOX);
    double q[NQ], qd[NV] = {speed};
    const double upright[4] = {1, 0, 0, 0}, still[3] = {0};
    sn_error error;
    open_stage(&s, 1, 0);
    box.size[0] = box.size[1] = 30, box.size[2] = .1;
    const int floor = sn_world_add_shape(s.world, &box, (double[]){0, 0, .3}, upright, NULL);
    root_of(&s, 0, q);
    q[2] += .4;
    sn_world_set_state(s.world, 0, q, qd);
    sn_puppet_free(s.puppet[0]);
    s.puppet[0] = sn_puppet_create(s.world, 0, 0, s.go, NULL, &error);
    sn_puppet_stick(s.puppet[0], (double[]){1, 0, 0});
    for (int i = 0; i < 8 * SECOND; i++) {
        const double t = (double)i / SECOND, at[3] = {speed * t, 0, .3 + swing * (1 - cos(t))};
        sn_world_move(s.world, floor, at, upright, (double[]){speed, 0, swing * sin(t)}, still);
        play(&s, 1);
    }
    root_of(&s, 0, q);
    *mode = sn_puppet_get(s.puppet[0], NULL, NULL);
    close_stage(&s);
    return q[0] - 8 * speed;
}

TEST(it_walks_on_ground_that_moves) {
    static const double moves[][2] = {{0, 0}, {1, 0}, {2, 0}, {-1, 0}, {0, .25}};
    for (size_t k = 0; k < sizeof moves / sizeof *moves; k++) {
        sn_puppet_mode mode;
        const double way = walk_on_moving(moves[k][0], moves[k][1], &mode);
        if (mode != SN_PUPPET_GOES || way < 5 || way > 9)
            fail_msg("ground at %g m/s, swing %g m: %g m in 8 s, mode %d", moves[k][0], moves[k][1], way,
                     (int)mode);
    }
}

TEST(what_cannot_be_a_puppet_is_refused) {
    struct stage s;
    sn_error error;
    sn_world_def def = sn_world_def_default();
    open_stage(&s, 1, 1);
    assert_null(sn_puppet_create(s.world, 1, 0, s.go, NULL, &error)); /* a ball */
    assert_null(sn_puppet_create(s.world, 7, 0, s.go, NULL, &error));
    assert_null(sn_puppet_create(s.world, 0, 1, s.go, NULL, &error));
    assert_null(sn_puppet_create(s.world, 0, 0, NULL, NULL, &error));
    def.dt = 1. / 100;
    sn_world *other = sn_world_create(&def, NULL);
    sn_world_add(other, s.human, NULL);
    assert_null(sn_puppet_create(other, 0, 0, s.go, NULL, &error));
    assert_non_null(strstr(error.message, "1/30"));
    sn_policy *walk = sn_policy_load("policies/humanoid-walk.sinew", NULL);
    assert_null(sn_puppet_create(s.world, 0, 0, walk, NULL, &error));
    assert_non_null(strstr(error.message, "stick"));
    sn_puppet_free(NULL);
    sn_policy_free(walk);
    sn_world_free(other);
    close_stage(&s);
}

int main(void) {
    return run_all("puppet");
}
