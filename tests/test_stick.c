/* The gait that a stick steers, and its task: feet that stand do not slide, left and right are one, a policy of zeros walks. */
#include "learn_task_helpers.h"

#include "base/quat.h"
#include "motion/stride.h"

static const double DT = 1. / 120;

static sn_model *find_human(struct stride *stride) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_error error;
    assert_true(sn__stride_find(stride, model, &error));
    return model;
}

/* Places of bodies from a pose, by a world instead of the gait's own kinematics. */
static void bodies_of(sn_world *world, const double *q, double pose[13][7]) {
    assert_int_equal(sn_world_set(world, 0, SN_FIELD_Q, 0, 1, q), SN_OK);
    assert_int_equal(sn_world_get(world, 0, SN_FIELD_BODY_POSE, 0, 1, pose[0]), SN_OK);
}

static sn_world *world_of(const sn_model *model) {
    sn_world *world = sn_world_create(NULL, NULL);
    assert_int_equal(sn_world_add(world, model, NULL), 0);
    return world;
}

/* The lowest corner of a foot in the world, which rests on the ground while it stands: its place must not move. */
static void edge_of(const struct stride *stride, const double pose[7], double pitch, double edge[3]) {
    const struct sole *sole = &stride->human.sole;
    const double local[3] = {pitch < 0 ? sole->heel : sole->toe, 0, -sole->depth};
    dquat_rotate(pose + 3, local, edge);
    for (int k = 0; k < 3; k++)
        edge[k] += pose[k];
}

TEST(feet_that_stand_neither_slide_nor_sink) {
    static const double stick[][3] = {{0, 0, 0},   {.6, 0, 0}, {1.2, 0, 0}, {2, 0, 0},   {3, 0, 0},
                                      {-.8, 0, 0}, {0, .6, 0}, {0, 0, 1.5}, {1.2, 0, .8}};
    struct stride stride;
    sn_model *model = find_human(&stride);
    sn_world *world = world_of(model);
    for (size_t k = 0; k < sizeof stick / sizeof *stick; k++) {
        struct stride_state s;
        double last[2][3], slid = 0, sunk = 0, stood = 0;
        bool before[2] = {false, false};
        double pitched[2] = {0};
        sn__stride_begin(&stride, &s, (double[]){0, 0}, 0);
        for (int i = 0; i < 960; i++) {
            struct stride_frame frame;
            double pose[13][7];
            sn__stride_advance(&stride, &s, stick[k], DT);
            sn__stride_frame(&stride, &s, 0, NULL, DT, &frame);
            bodies_of(world, frame.q, pose);
            for (int side = 0; side < 2; side++) {
                double ankle[3], pitch, heading, edge[3];
                const bool stands = sn__stride_foot(&stride, &s, side, ankle, &pitch, &heading);
                edge_of(&stride, pose[stride.human.foot[side]], pitch, edge);
                sunk = fmax(sunk, -edge[2]);
                if (stands && before[side] && i > 480 && (pitch < 0) == (pitched[side] < 0))
                    slid += hypot(edge[0] - last[side][0], edge[1] - last[side][1]), stood += DT;
                before[side] = stands, pitched[side] = pitch;
                memcpy(last[side], edge, sizeof edge);
            }
        }
        assert_true(stood > .5);
        if (slid / stood > .03 || sunk > .01)
            fail_msg("stick %zu: slides %g m/s, sinks %g m", k, slid / stood, sunk);
    }
    sn_world_free(world);
    sn_model_free(model);
}

TEST(the_gait_goes_where_the_stick_says) {
    static const double stick[][3] = {{1.2, 0, 0}, {3, 0, 0},   {-.8, 0, 0},
                                      {0, .6, 0},  {0, 0, 1.5}, {0, 0, 0}};
    struct stride stride;
    sn_model *model = find_human(&stride);
    for (size_t k = 0; k < sizeof stick / sizeof *stick; k++) {
        struct stride_state s, from;
        struct stride_frame a, b;
        sn__stride_begin(&stride, &s, (double[]){1, 2}, .3);
        for (int i = 0; i < 360; i++)
            sn__stride_advance(&stride, &s, stick[k], DT);
        from = s;
        sn__stride_frame(&stride, &s, 0, NULL, DT, &a);
        for (int i = 0; i < 240; i++)
            sn__stride_advance(&stride, &s, stick[k], DT);
        sn__stride_frame(&stride, &s, 0, NULL, DT, &b);
        assert_true(fabs(s.heading - from.heading - 2 * stick[k][2]) < .01);
        if (stick[k][2] == 0) {
            const double c = cos(.3), d = sin(.3), x = b.q[0] - a.q[0], y = b.q[1] - a.q[1];
            assert_true(fabs(c * x + d * y - 2 * stick[k][0]) < .08);
            assert_true(fabs(c * y - d * x - 2 * stick[k][1]) < .08);
        }
        for (int i = 0; i < 7; i++)
            assert_true(isfinite(b.q[i]));
    }
    sn_model_free(model);
}

/* ----------------------------------------------------------------------------------------------------------- mirror */

static void mirror_turn(const double q[4], double out[4]) {
    out[0] = q[0], out[1] = -q[1], out[2] = q[2], out[3] = -q[3];
}

static void mirror_state(const struct stride_state *s, struct stride_state *m) {
    *m = *s;
    m->phase = s->phase < .5 ? s->phase + .5 : s->phase - .5;
    m->heading = -s->heading, m->turn = -s->turn;
    m->stick[1] = -s->stick[1], m->stick[2] = -s->stick[2];
    m->velocity[1] = -s->velocity[1], m->acceleration[1] = -s->acceleration[1];
    m->pelvis[1] = -s->pelvis[1], m->off[1] = -s->off[1], m->tilt[0] = -s->tilt[0], m->tilt[2] = -s->tilt[2];
    for (int side = 0; side < 2; side++) {
        m->foot[side][0] = s->foot[1 - side][0], m->foot[side][1] = -s->foot[1 - side][1];
        m->foot_heading[side] = -s->foot_heading[1 - side];
    }
}

TEST(a_mirrored_stick_gives_mirrored_frames) {
    static const double stick[][3] = {{1, .3, .4}, {0, 0, -1.2}, {2.5, 0, .7}, {-.5, -.4, .2}, {0, 0, 0}};
    struct stride stride;
    sn_model *model = find_human(&stride);
    sn_world *world = world_of(model);
    struct stride_state s, m;
    const struct human *h = &stride.human;
    int twin[13];
    const int *const pairs[] = {h->thigh, h->shin, h->foot, h->upper_arm, h->forearm};
    for (int i = 0; i < 13; i++)
        twin[i] = i;
    for (int k = 0; k < 5; k++)
        for (int side = 0; side < 2; side++)
            twin[pairs[k][side]] = pairs[k][1 - side];
    sn__stride_begin(&stride, &s, (double[]){0, .2}, .1);
    s.off[1] = .3, s.tilt[0] = .1, s.tilt[1] = -.05;
    mirror_state(&s, &m);
    for (int i = 0; i < 600; i++) {
        const double *a = stick[i / 120], b[3] = {a[0], -a[1], -a[2]};
        struct stride_frame f, g;
        double pose[13][7], seen[13][7];
        sn__stride_advance(&stride, &s, a, DT);
        sn__stride_advance(&stride, &m, b, DT);
        sn__stride_frame(&stride, &s, DT, NULL, DT, &f);
        sn__stride_frame(&stride, &m, DT, NULL, DT, &g);
        bodies_of(world, f.q, pose);
        bodies_of(world, g.q, seen);
        for (int n = 0; n < 13; n++) {
            const double *x = pose[n], *y = seen[twin[n]];
            double turned[4], same = 0;
            assert_true(fabs(x[0] - y[0]) < 1e-7 && fabs(x[1] + y[1]) < 1e-7 && fabs(x[2] - y[2]) < 1e-7);
            mirror_turn(x + 3, turned);
            for (int k = 0; k < 4; k++)
                same += turned[k] * y[3 + k];
            assert_true(fabs(same) > 1 - 1e-9);
        }
    }
    assert_true(hypot(s.pelvis[0], s.pelvis[1]) > 1);
    sn_world_free(world);
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------------------------- feel */

/* Where the character is, the plan comes; pushed to the left, its foot lands further to the left, by the capture time. */
TEST(the_gait_follows_the_character_and_catches_it) {
    struct stride stride;
    sn_model *model = find_human(&stride);
    struct stride_state s, t;
    struct stride_felt felt = {.pelvis = {3, -1, .9}, .rotation = {1, 0, 0, 0}};
    double still[2], caught[2], pitch, heading, ankle[3];
    sn__stride_begin(&stride, &s, (double[]){0, 0}, 0);
    s.going = 1; /* a gait at rest keeps its feet where they are */
    for (int side = 0; side < 2; side++)
        felt.ankle[side][0] = 3, felt.ankle[side][1] = side ? -.9 : -1.1;
    for (int i = 0; i < 120; i++)
        sn__stride_feel(&stride, &s, &felt, DT);
    assert_true(hypot(s.pelvis[0] - 3, s.pelvis[1] + 1) < 1e-3);
    assert_true(hypot(s.foot[0][0] - 3, s.foot[0][1] + 1.1) < 1e-3);
    sn__stride_begin(&stride, &s, (double[]){0, 0}, 0);
    for (int i = 0; i < 200; i++)
        sn__stride_advance(&stride, &s, (double[]){.6, 0, 0}, DT);
    while (s.phase < .97 || s.phase > .99)
        sn__stride_advance(&stride, &s, (double[]){.6, 0, 0}, DT);
    t = s;
    t.off[1] = .8;
    assert_false(sn__stride_foot(&stride, &s, 1, ankle, &pitch, &heading));
    memcpy(still, ankle, sizeof still);
    sn__stride_foot(&stride, &t, 1, ankle, &pitch, &heading);
    memcpy(caught, ankle, sizeof caught);
    assert_true(caught[1] - still[1] > .18 && caught[1] - still[1] < .21 && fabs(caught[0] - still[0]) < 1e-9);
    t.off[1] = 0;
    t.going = 0, t.phase = .05, t.activity = 0; /* who stands and is pushed steps */
    t.velocity[0] = t.acceleration[0] = 0;
    sn__stride_begin(&stride, &t, (double[]){0, 0}, 0);
    sn__stride_advance(&stride, &t, (double[]){0, 0, 0}, DT);
    assert_true(t.going == 0);
    t.off[1] = -.8;
    sn__stride_advance(&stride, &t, (double[]){0, 0, 0}, DT);
    assert_true(t.going == 1 && t.phase < .5); /* the right foot swings first */
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------------------------- task */

static struct task stick_task(double ahead, double aside, double turn) {
    struct task t = make_task();
    t.imitation.motion = NULL;
    t.imitation.stick = true;
    t.imitation.stick_time = 0;
    t.imitation.stick_hold[0] = ahead, t.imitation.stick_hold[1] = aside, t.imitation.stick_hold[2] = turn;
    t.imitation.limit = 30;
    t.def.autoreset = SN_AUTORESET_OFF;
    return t;
}

/* Seconds without a fall, on average, of actions that are all 0. */
static double seconds_of_zeros(double ahead, double aside, double turn, double *way) {
    struct task t = stick_task(ahead, aside, turn);
    double sum = 0;
    bool fell[COPIES] = {false};
    *way = 0;
    open_task(&t);
    reset(&t, NULL);
    for (int i = 0; i < 240; i++) {
        assert_int_equal(sn_environment_step(t.env, t.action, &t.out, NULL), SN_OK);
        for (int k = 0; k < COPIES; k++) {
            fell[k] = fell[k] || t.terminated[k];
            sum += fell[k] ? 0 : 1. / 30;
        }
    }
    for (int k = 0; k < COPIES; k++) {
        int number;
        double q[43];
        sn_world *world = sn_environment_world(t.env, k, &number);
        sn_world_get(world, 0, SN_FIELD_Q, number, 1, q);
        *way += q[0] / COPIES;
    }
    close_task(&t);
    return sum / COPIES;
}

TEST(a_policy_of_zeros_stands_walks_and_turns_on_the_spot) {
    double way;
    assert_true(seconds_of_zeros(0, 0, 0, &way) > 7.99);
    assert_true(seconds_of_zeros(.6, 0, 0, &way) > 7.5 && way > 2);
    assert_true(seconds_of_zeros(0, 0, 1.5, &way) > 7.5);
}

TEST(the_plan_itself_is_worth_one) {
    struct task t = stick_task(0, 0, 0);
    t.imitation.stick_time = 2.5;
    open_task(&t);
    reset(&t, NULL);
    for (int i = 0; i < COPIES; i++) {
        sn_part *part = &t.env->part[i / t.env->copies];
        double term[SN_MAX_PART_COPIES * SN__STICK_TERMS], *own = term + i % t.env->copies * SN__STICK_TERMS;
        assert_int_equal(t.env->task.reward(t.env->task.user, part, term, NULL), SN_OK);
        /* Pose, rates and hands and feet are the plan's own. The centre of mass goes at an even speed in the plan only. */
        assert_true(fabs(own[0] - .35) < 1e-4 && fabs(own[1] - .05) < 1e-4 && fabs(own[2] - .1) < 1e-4);
        assert_true(own[3] > .08 && own[3] < .1 + 1e-6 && own[4] > .1 && own[4] < .4 + 1e-6);
    }
    assert_int_equal(t.info.observations, 214);
    assert_string_equal(t.info.observation_names[213], "stick turn");
    assert_int_equal(t.info.actions, 28);
    close_task(&t);
}

/* Actions of a policy that knows nothing, but reacts: a few observations, mixed. */
static void react(struct task *t) {
    for (int i = 0; i < COPIES; i++)
        for (int k = 0; k < t->info.actions; k++)
            t->action[i * t->info.actions + k] = .02f * t->observation[i * t->info.observations + 3 * k];
}

static void open_restless(struct task *t, int threads) {
    *t = stick_task(0, 0, 0);
    t->imitation.stick_time = .5;
    t->imitation.push = 250;
    t->imitation.limit = 2;
    t->def.autoreset = SN_AUTORESET_SAME_STEP;
    t->def.threads = threads;
    open_task(t);
    reset(t, NULL);
}

static void expect_same(const struct task *a, const struct task *b) {
    assert_memory_equal(a->reward, b->reward, sizeof a->reward);
    assert_memory_equal(a->observation, b->observation,
                        COPIES * (size_t)a->info.observations * sizeof *a->observation);
}

TEST(threads_and_a_snapshot_change_no_bit) {
    struct task a, b;
    sn_error error;
    int ended = 0;
    open_restless(&a, 1);
    open_restless(&b, 2);
    for (int i = 0; i < 90; i++) {
        react(&a), react(&b);
        step(&a), step(&b);
        for (int k = 0; k < COPIES; k++)
            ended += a.terminated[k] || a.truncated[k];
        expect_same(&a, &b);
    }
    assert_true(ended > COPIES / 2);
    const size_t size = sn_environment_save(a.env, NULL, 0);
    void *bytes = malloc(size);
    sn_environment_save(a.env, bytes, size);
    for (int i = 0; i < 30; i++)
        react(&b), step(&b);
    assert_int_equal(sn_environment_restore(b.env, bytes, size, &error), SN_OK);
    assert_int_equal(sn_environment_observe(b.env, b.observation, &error), SN_OK);
    for (int i = 0; i < 60; i++) {
        react(&a), react(&b);
        step(&a), step(&b);
        expect_same(&a, &b);
    }
    free(bytes);
    close_task(&a);
    close_task(&b);
}

/* A policy's mirror: a world in the mirror, half a round later, is observed as the world itself, and is acted on alike. */
TEST(a_mirrored_character_is_seen_and_acted_on_as_the_character) {
    struct task t = stick_task(1, .2, .3);
    const struct sn__imitate *im;
    open_task(&t);
    im = t.im;
    struct sn__stick_copy c = {0}, m = {0};
    sn__stride_begin(im->stride, &c.plan, (double[]){0, 0}, 0);
    for (int i = 0; i < 200; i++)
        sn__stride_advance(im->stride, &c.plan, (double[]){1, .2, .3}, DT);
    while (c.plan.phase > .4 || c.plan.phase < .1)
        sn__stride_advance(im->stride, &c.plan, (double[]){1, .2, .3}, DT);
    mirror_state(&c.plan, &m.plan);
    struct sn__stick_copy *const both[] = {&c, &m};
    float seen[2][256];
    double target[2][43];
    float action[28];
    sn_world *world = world_of(t.model);
    for (int k = 0; k < 28; k++)
        action[k] = .3f * sinf((float)k);
    for (int k = 0; k < 2; k++) {
        struct stride_state *plan = &both[k]->plan;
        double q[91], v[78];
        float pose[91], velocity[78];
        sn__stride_frame(im->stride, plan, 0, NULL, DT, &both[k]->now);
        sn__stride_frame(im->stride, plan, DT, &both[k]->now, DT, &both[k]->next);
        assert_int_equal(sn_world_set(world, 0, SN_FIELD_Q, 0, 1, both[k]->now.q), SN_OK);
        assert_int_equal(sn_world_set(world, 0, SN_FIELD_QD, 0, 1, both[k]->next.qd), SN_OK);
        sn_world_get(world, 0, SN_FIELD_BODY_POSE, 0, 1, q);
        sn_world_get(world, 0, SN_FIELD_BODY_VELOCITY, 0, 1, v);
        for (int i = 0; i < 91; i++)
            pose[i] = (float)q[i];
        for (int i = 0; i < 78; i++)
            velocity[i] = (float)v[i];
        const struct sn__imitate_view view = {.pose = pose, .velocity = velocity};
        sn__stick_observe(im, both[k], &view, seen[k]);
        sn__stick_target(im, both[k], action, target[k]);
    }
    for (int i = 0; i < im->observations; i++)
        if (!(fabsf(seen[0][i] - seen[1][i]) < 2e-4f))
            fail_msg("%s: %g, %g", t.info.observation_names[i], (double)seen[0][i], (double)seen[1][i]);
    double pose[2][13][7];
    for (int k = 0; k < 2; k++)
        bodies_of(world, target[k], pose[k]);
    for (int i = 0; i < 13; i++) {
        const double *x = pose[0][i], *y = pose[1][im->twin[i]];
        for (int k = 0; k < 3; k++)
            assert_true(fabs(x[k] - (k == 1 ? -y[k] : y[k])) < 1e-6);
    }
    sn_world_free(world);
    close_task(&t);
}

TEST(a_stick_is_for_the_humanoid_without_a_motion) {
    struct task t = stick_task(0, 0, 0);
    sn_model *dog = sn_builtin_create("dog", NULL);
    sn_error error;
    sn_task task;
    t.imitation.motion = t.motion;
    assert_int_equal(sn_imitation_task(&task, &t.imitation, &error), SN_ERROR_ARGUMENT);
    t.imitation.motion = NULL, t.imitation.terrain = SN_TERRAIN_BUMPS;
    assert_int_equal(sn_imitation_task(&task, &t.imitation, &error), SN_ERROR_ARGUMENT);
    t.imitation.terrain = SN_TERRAIN_FLAT, t.imitation.model = dog;
    assert_int_equal(sn_imitation_task(&task, &t.imitation, &error), SN_ERROR_ARGUMENT);
    t.imitation.model = t.model;
    assert_int_equal(sn_imitation_task(&task, &t.imitation, &error), SN_OK);
    task.free(task.user);
    sn_model_free(dog);
    sn_motion_free(t.motion);
    sn_model_free(t.model);
}

int main(void) {
    return run_all("stick");
}
