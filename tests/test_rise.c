/* Getting up: a motion that the figure can take, and a task whose episodes begin with ragdolls that lie. */
#include "learn_task_helpers.h"

#include "base/quat.h"
#include "motion/rise.h"

static sn_model *find_human(struct stride *stride) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_error error;
    assert_true(sn__stride_find(stride, model, &error));
    return model;
}

/* The lowest point of balls, capsules and boxes; the centre of mass. */
static double lowest(const sn_model *model, double pose[13][7], double com[3]) {
    const sn_shape_def *shape = sn_model_get(model)->shape;
    double low = HUGE_VAL, mass = 0;
    memset(com, 0, 3 * sizeof *com);
    for (int i = 0; i < 13; i++) {
        const sn_body_info *body = sn_model_body(model, i);
        double at[3];
        dquat_rotate(pose[i] + 3, body->com, at);
        for (int k = 0; k < 3; k++)
            com[k] += body->mass * (pose[i][k] + at[k]);
        mass += body->mass;
        for (int s = body->first_shape; s < body->first_shape + body->nshape; s++) {
            const sn_shape_def *d = &shape[s];
            const bool box = d->type == SN_SHAPE_BOX;
            for (int corner = 0; corner < 8; corner++) {
                const double half[3] = {box ? d->size[0] : 0, box ? d->size[1] : 0,
                                        box                           ? d->size[2]
                                        : d->type == SN_SHAPE_CAPSULE ? d->size[1]
                                                                      : 0};
                double local[3];
                for (int k = 0; k < 3; k++)
                    local[k] = d->pos[k] + (corner >> k & 1 ? half[k] : -half[k]);
                dquat_rotate(pose[i] + 3, local, at);
                low = fmin(low, pose[i][2] + at[2] - (box ? 0 : d->size[0]));
            }
        }
    }
    for (int k = 0; k < 3; k++)
        com[k] /= mass;
    return low;
}

TEST(both_ways_end_above_the_feet_and_stay_out_of_the_ground) {
    struct stride stride;
    sn_model *model = find_human(&stride);
    sn_world *world = sn_world_create(NULL, NULL);
    assert_int_equal(sn_world_add(world, model, NULL), 0);
    for (enum rise_way way = RISE_RIGHT_UP; way <= RISE_LEFT_UP; way++) {
        const double length = sn__rise_length(), turn = sn__rise_turn();
        double top = 0;
        for (double t = -turn; t < length + .5; t += .05) {
            struct stride_frame frame;
            double pose[13][7], com[3];
            sn__rise_frame(&stride, way, t, (double[]){0, 0}, 0, &frame);
            assert_int_equal(sn_world_set(world, 0, SN_FIELD_Q, 0, 1, frame.q), SN_OK);
            sn_world_get(world, 0, SN_FIELD_BODY_POSE, 0, 1, pose[0]);
            const double low = lowest(model, pose, com);
            const int *foot = stride.human.foot;
            /* before it lies on its belly, an arm pushes against the ground */
            if (t >= 0 && (low < -.06 || low > .06)) fail_msg("way %d, %g s: lowest %g m", (int)way, t, low);
            top = fmax(top, frame.q[2]);
            if (t <= 0) assert_true(frame.q[2] < .24);
            for (int side = 0; side < 2 && t > length - .5; side++) /* heel and toe on either side of it */
                assert_true(com[0] > pose[foot[side]][0] - .04 && com[0] < pose[foot[side]][0] + .13);
        }
        assert_true(top > .75);
    }
    sn_world_free(world);
    sn_model_free(model);
}

/* From its back to its belly over either side: the nose points up, to the side, down. */
TEST(it_turns_over_with_the_chosen_side_up) {
    struct stride stride;
    sn_model *model = find_human(&stride);
    for (enum rise_way way = RISE_RIGHT_UP; way <= RISE_LEFT_UP; way++)
        for (int i = 0; i <= 10; i++) {
            const double t = -sn__rise_turn() * i / 10, sign = way == RISE_LEFT_UP ? 1 : -1;
            double nose[3] = {1, 0, 0}, left[3] = {0, 1, 0}, found;
            struct stride_frame frame;
            sn__rise_frame(&stride, way, t, (double[]){0, 0}, .7, &frame);
            dquat_rotate(frame.q + 3, nose, nose);
            dquat_rotate(frame.q + 3, left, left);
            assert_true(fabs(nose[2] + cos(M_PI * i / 10)) < 1e-3);
            assert_true(fabs(left[2] - sign * sin(M_PI * i / 10)) < 1e-3);
            if (i > 0 && i < 10) assert_int_equal(sn__rise_choose(frame.q + 3, &found), way);
            if (i > 0 && i < 10) assert_true(fabs(found - t) < 1e-3);
        }
    sn_model_free(model);
}

TEST(the_yaw_of_a_turned_pose_is_found) {
    struct stride stride;
    sn_model *model = find_human(&stride);
    for (enum rise_way way = RISE_RIGHT_UP; way <= RISE_LEFT_UP; way++)
        for (double t = -.9; t < sn__rise_length(); t += .2) {
            struct stride_frame frame;
            sn__rise_frame(&stride, way, t, (double[]){1, 2}, 2.2, &frame);
            assert_true(fabs(remainder(sn__rise_yaw(way, t, frame.q + 3) - 2.2, 2 * M_PI)) < 1e-12);
            assert_true(frame.q[0] == 1 && frame.q[1] == 2);
        }
    sn_model_free(model);
}

static void open_lying(struct task *t, int threads) {
    *t = make_task();
    t->imitation.motion = NULL;
    t->imitation.stick = t->imitation.get_up = true;
    t->def.autoreset = SN_AUTORESET_OFF;
    t->def.threads = threads;
    open_task(t);
    reset(t, NULL);
}

/* Episodes end without success where the character does not stand when the motion is over, and with it after two seconds on its
   feet. A policy of zeros fails from the ground, and stands when it begins at the end of a motion. */
TEST(episodes_begin_lying_and_end_standing_or_not) {
    struct task a, b;
    int lying = 0, failed = 0, stood = 0;
    bool over[COPIES] = {false};
    open_lying(&a, 1);
    open_lying(&b, 2);
    for (int k = 0; k < COPIES; k++) {
        double q[43];
        get(&a, k, 0, SN_FIELD_Q, q);
        lying += q[2] < .3;
    }
    assert_true(lying > COPIES / 3 && lying < COPIES);
    for (int i = 0; i < 180; i++) {
        step(&a), step(&b);
        assert_memory_equal(a.reward, b.reward, sizeof a.reward);
        assert_memory_equal(a.observation, b.observation,
                            COPIES * (size_t)a.info.observations * sizeof *a.observation);
        for (int k = 0; k < COPIES; k++) {
            assert_true(isfinite(a.reward[k]) && a.reward[k] <= 1.0001f);
            failed += !over[k] && a.terminated[k];
            stood += !over[k] && a.truncated[k];
            over[k] = over[k] || a.terminated[k] || a.truncated[k];
        }
    }
    assert_int_equal(failed + stood, COPIES);
    assert_true(failed > COPIES / 3);
    assert_string_equal(a.info.observation_names[213], "stick turn");
    close_task(&a);
    close_task(&b);
}

TEST(getting_up_is_for_a_stick) {
    struct task t = make_task();
    sn_error error;
    sn_task task;
    t.imitation.get_up = true;
    assert_int_equal(sn_imitation_task(&task, &t.imitation, &error), SN_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "get_up"));
    sn_motion_free(t.motion);
    sn_model_free(t.model);
}

int main(void) {
    return run_all("rise");
}
