/* What robots meet and simulations leave out: motors that differ in strength, actions that come late, noise on what is seen. */
#include "learn_task_helpers.h"

/* ------------------------------------------------------------------------------------------------------------ noise */

TEST(noise_is_on_what_is_seen_and_nowhere_else) {
    enum { PLACES = 1 + 13 * 7, RATES = 13 * 6 };
    struct task a = make_task(), b = make_task();
    double sum = 0, squares[2] = {0};
    int count[2] = {0};
    b.imitation.observation_noise = .01;
    open_task(&a), open_task(&b);
    reset(&a, NULL), reset(&b, NULL);
    for (int k = 0; k < 20; k++) {
        step(&a), step(&b);
        assert_memory_equal(a.reward, b.reward, sizeof a.reward);
        for (int i = 0; i < COPIES; i++)
            for (int n = 0; n < a.info.observations; n++) {
                const int at = i * a.info.observations + n;
                const double off = (double)(b.observation[at] - a.observation[at]);
                const int rate = n > PLACES;
                if (n < 1 || n > PLACES + RATES) {
                    assert_true(off == 0);
                    continue;
                }
                sum += off / (rate ? 10 : 1);
                squares[rate] += off * off;
                count[rate]++;
            }
    }
    assert_true(fabs(sum / (count[0] + count[1])) < 4 * .01 / sqrt(count[0] + count[1]));
    assert_true(fabs(sqrt(squares[0] / count[0]) / .01 - 1) < .02);
    assert_true(fabs(sqrt(squares[1] / count[1]) / .1 - 1) < .02);
    close_task(&a), close_task(&b);
}

/* ------------------------------------------------------------------------------------------------------------ delay */

/* A control step by hand, of one copy: `late` world steps towards the old target, the others towards the new one. */
static void by_hand(struct task *t, const double *q, const double *qd, const double *old, const double *aim,
                    int late, double *out) {
    sn_world_def def = *sn_world_get_info(sn_environment_world(t->env, 0, NULL)).definition;
    def.copies = 1;
    sn_world *world = sn_world_create(&def, NULL);
    const double point[3] = {0}, up[3] = {0, 0, 1};
    sn_shape_def ground = sn_shape_def_default(SN_SHAPE_BOX);
    ground.friction = t->imitation.friction;
    assert_int_equal(sn_world_add(world, t->model, NULL), 0);
    sn_world_add_plane(world, point, up, &ground, NULL);
    sn_world_set_gains(world, 0, t->im->gains, t->im->gains + t->im->nv);
    sn_world_set(world, 0, SN_FIELD_Q, 0, 1, q);
    sn_world_set(world, 0, SN_FIELD_QD, 0, 1, qd);
    for (int i = 0; i < t->imitation.substeps; i++) {
        sn_world_set(world, 0, SN_FIELD_TARGET_Q, 0, 1, i < late ? old : aim);
        assert_int_equal(sn_world_step(world), SN_OK);
    }
    sn_world_get(world, 0, SN_FIELD_Q, 0, 1, out);
    sn_world_free(world);
}

static double apart(const double *a, const double *b) {
    double most = 0;
    for (int i = 0; i < 43; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* The first step of an episode: until the action comes, drives hold the pose in which it began. */
TEST(actions_come_late_by_some_world_steps) {
    struct task t = make_task();
    static double q[COPIES][43], qd[COPIES][34];
    int seen[3] = {0};
    t.imitation.action_delay = 2. / 240;
    t.def.autoreset = SN_AUTORESET_OFF;
    open_task(&t);
    reset(&t, NULL);
    for (int i = 0; i < COPIES * t.info.actions; i++)
        t.action[i] = .4f * sinf((float)i);
    for (int i = 0; i < COPIES; i++)
        get(&t, i, 0, SN_FIELD_Q, q[i]), get(&t, i, 0, SN_FIELD_QD, qd[i]);
    step(&t);
    for (int i = 0; i < COPIES; i++) {
        double aim[43], real[43], off[3];
        int best = 0;
        get(&t, i, 0, SN_FIELD_TARGET_Q, aim);
        get(&t, i, 0, SN_FIELD_Q, real);
        for (int late = 0; late < 3; late++) {
            double out[43];
            by_hand(&t, q[i], qd[i], q[i], aim, late, out);
            off[late] = apart(out, real);
            if (off[late] < off[best]) best = late;
        }
        for (int late = 0; late < 3; late++)
            assert_true(late == best ? off[late] < 1e-4 : off[late] > 3 * off[best]);
        seen[best]++;
    }
    for (int late = 0; late < 3; late++)
        assert_true(seen[late] > 2);
    close_task(&t);
}

/* --------------------------------------------------------------------------------------------------------- strength */

/* A box with a leg that a motor of 5 N m turns. */
static sn_model *robot(void) {
    sn_builder *builder = sn_builder_create();
    for (int i = 0; i < 2; i++) {
        sn_body_def body = sn_body_def_default();
        sn_shape_def shape = sn_shape_def_default(SN_SHAPE_BOX);
        body.name = i ? "foot" : "trunk";
        body.parent = i ? "trunk" : NULL;
        body.joint = sn_joint_def_default(i ? SN_JOINT_HINGE : SN_JOINT_FREE);
        if (i) body.joint.torque_limit = 5, body.joint.kp = 50, body.joint.kd = 5;
        shape.mass = 1;
        for (int k = 0; k < 3; k++)
            shape.size[k] = .1;
        sn_builder_add_body(builder, &body);
        sn_builder_add_shape(builder, body.name, &shape);
    }
    sn_model *model = sn_builder_build(builder, NULL);
    sn_builder_free(builder);
    return model;
}

TEST(motors_differ_in_strength) {
    struct task t = make_task();
    sn_error error;
    sn_task task;
    sn_model *own = robot(), *human = t.model;
    double least = HUGE_VAL, most = 0;
    t.imitation.strength_range = .5;
    assert_int_equal(sn_imitation_task(&task, &t.imitation, &error), SN_OK);
    assert_null(
        sn_environment_create(&task, NULL, &error)); /* the built-in humanoid's drives have no limits */
    assert_message_has(&error, "strength_range");
    t.model = own;
    t.imitation.model = own, t.imitation.motion = NULL;
    open_task(&t);
    reset(&t, NULL);
    for (int i = 0; i < COPIES; i++) {
        double limit[7];
        get(&t, i, 0, SN_FIELD_TORQUE_LIMIT, limit);
        least = fmin(least, limit[6]), most = fmax(most, limit[6]);
    }
    assert_true(least >= 2.5 - 1e-6 && most <= 7.5 + 1e-6 && most - least > 2.5);
    close_task(&t);
    sn_model_free(human);
}

int main(void) {
    return run_all("learn_robust");
}
