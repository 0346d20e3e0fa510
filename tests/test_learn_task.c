/* A task as a stranger writes it, with the public headers alone: an arm of two hinges reaches for a point. */
#include "model_helpers.h"
#include "rank_helpers.h"
#include "task_functions.h"
#include "whole_file.h"

#include <sinew/learn.h>
#include <stdlib.h>
#include <unistd.h>

enum { COPIES = 24, OBSERVATIONS = 6, ACTIONS = 2, TERMS = 2, ARM = 0 };

/* Where a copy's hand has to go, in the plane of the arm. */
struct goal {
    double x, y;
};

static sn_model *make_arm(void) {
    sn_builder *builder = sn_builder_create();
    for (int i = 0; i < 2; i++) {
        sn_body_def body = sn_body_def_default();
        sn_shape_def shape = sn_shape_def_default(SN_SHAPE_CAPSULE);
        body.name = i ? "forearm" : "upper_arm";
        body.parent = i ? "upper_arm" : NULL;
        body.joint = sn_joint_def_default(SN_JOINT_HINGE);
        body.joint.axis[0] = body.joint.axis[1] = 0, body.joint.axis[2] = 1;
        if (i) body.pos[0] = .5;
        shape.size[0] = .03, shape.size[1] = .2;
        shape.mass = 1;
        shape.pos[0] = .25;
        sn_builder_add_body(builder, &body);
        sn_builder_add_shape(builder, body.name, &shape);
    }
    sn_error error;
    sn_model *model = sn_builder_build(builder, &error);
    if (!model) fail_msg("%s", error.message);
    sn_builder_free(builder);
    return model;
}

static sn_status open_part(void *user, sn_part *part, sn_error *error) {
    const double kp[2] = {40, 40}, kd[2] = {8, 8};
    sn_world_def def = sn_world_def_default();
    def.copies = part->copies;
    def.precision = SN_PRECISION_FLOAT;
    def.contact = SN_CONTACT_NONE;
    part->world = sn_world_create(&def, error);
    if (!part->world || sn_world_add(part->world, user, error) != ARM) return SN_ERROR_MEMORY;
    return sn_world_set_gains(part->world, ARM, kp, kd);
}

static sn_status reach_begin(void *user, sn_part *part, const uint8_t *which, sn_error *error) {
    const double straight[2] = {0, .5};
    struct goal *goal = part->state;
    (void)user, (void)error;
    for (int i = 0; i < part->copies; i++) {
        if (!which[i]) continue;
        const double angle = 3 * sn_episode_random(&part->episode[i], 0) - 1.5,
                     far = .4 + .5 * sn_episode_random(&part->episode[i], 1);
        goal[i] = (struct goal){far * cos(angle), far * sin(angle)};
    }
    return sn_world_reset(part->world, ARM, which, straight, NULL);
}

static sn_status reach_act(void *user, sn_part *part, const float *action, sn_error *error) {
    float target[SN_MAX_PART_COPIES * ACTIONS];
    (void)user, (void)error;
    for (int i = 0; i < part->copies * ACTIONS; i++)
        target[i] = 3 * fmaxf(-1, fminf(1, action[i]));
    sn_status status = sn_world_put(part->world, ARM, SN_FIELD_TARGET_Q, NULL, target);
    for (int i = 0; i < 8 && !status; i++)
        status = sn_world_step(part->world);
    return status;
}

/* How far a copy's hand is from its goal. */
static double distance(const float *q, const struct goal *goal) {
    const double a = (double)q[0], b = a + (double)q[1];
    return hypot(.5 * cos(a) + .5 * cos(b) - goal->x, .5 * sin(a) + .5 * sin(b) - goal->y);
}

static sn_status reach_reward(void *user, sn_part *part, double *term, sn_error *error) {
    const float *q = sn_world_view(part->world, ARM, SN_FIELD_Q);
    const float *qd = sn_world_view(part->world, ARM, SN_FIELD_QD);
    const struct goal *goal = part->state;
    (void)user, (void)error;
    if (!q || !qd) return SN_ERROR_MEMORY;
    for (int i = 0; i < part->copies; i++) {
        const float *v = qd + 2 * i;
        term[2 * i] = exp(-4 * distance(q + 2 * i, &goal[i]));
        term[2 * i + 1] = -.001 * (double)(v[0] * v[0] + v[1] * v[1]);
    }
    return SN_OK;
}

static sn_status reach_ends(void *user, sn_part *part, bool *terminated, bool *truncated, sn_error *error) {
    const float *q = sn_world_view(part->world, ARM, SN_FIELD_Q);
    const struct goal *goal = part->state;
    (void)user, (void)truncated, (void)error;
    for (int i = 0; q && i < part->copies; i++)
        terminated[i] = distance(q + 2 * i, &goal[i]) > 1.6; /* far out on the other side */
    return q ? SN_OK : SN_ERROR_MEMORY;
}

static sn_status reach_observe(void *user, sn_part *part, const uint8_t *which, float *observation,
                               sn_error *error) {
    const float *q = sn_world_view(part->world, ARM, SN_FIELD_Q);
    const float *qd = sn_world_view(part->world, ARM, SN_FIELD_QD);
    const struct goal *goal = part->state;
    (void)user, (void)error;
    for (int i = 0; q && qd && i < part->copies; i++) {
        const float row[] = {q[2 * i],      q[2 * i + 1],     qd[2 * i],
                             qd[2 * i + 1], (float)goal[i].x, (float)goal[i].y};
        if (which[i]) memcpy(observation + i * OBSERVATIONS, row, sizeof row);
    }
    return q && qd ? SN_OK : SN_ERROR_MEMORY;
}

static sn_task make_task(sn_model *model) {
    static const char *const terms[] = {"near", "calm"};
    return (sn_task){.user = model,
                     .name = "reach",
                     .observations = OBSERVATIONS,
                     .actions = ACTIONS,
                     .terms = TERMS,
                     .term_names = terms,
                     .rate = 30,
                     .limit = 1.5,
                     .state = sizeof(struct goal),
                     .model = model,
                     .identity = 1,
                     .open = open_part,
                     TASK_FUNCTIONS(reach)};
}

static sn_environment *make_environment(sn_model *model, int copies, int threads) {
    const sn_task task = make_task(model);
    const sn_environment_def def = {
        .struct_size = sizeof def, .copies = copies, .threads = threads, .seed = 2};
    sn_error error;
    sn_environment *env = sn_environment_create(&task, &def, &error);
    if (!env) fail_msg("%s", error.message);
    return env;
}

struct buffers {
    float observation[COPIES * OBSERVATIONS], reward[COPIES], final[COPIES * OBSERVATIONS];
    float term[COPIES * TERMS], action[COPIES * ACTIONS];
    bool terminated[COPIES], truncated[COPIES];
    int32_t length[COPIES];
};

/* Steps with actions that swing, alike for all who ask with the same number. */
static void run(sn_environment *env, struct buffers *b, int first, int steps) {
    const sn_environment_out out = {.observation = b->observation,
                                    .reward = b->reward,
                                    .terminated = b->terminated,
                                    .truncated = b->truncated,
                                    .final = b->final,
                                    .episode_length = b->length,
                                    .term = b->term};
    for (int k = first; k < first + steps; k++) {
        sn_error error;
        for (int i = 0; i < COPIES * ACTIONS; i++)
            b->action[i] = (float)sin(.2 * k + i);
        if (sn_environment_step(env, b->action, &out, &error)) fail_msg("%s", error.message);
    }
}

TEST(named_terms_add_up_to_the_reward_and_episodes_end) {
    sn_model *model = make_arm();
    sn_environment *env = make_environment(model, COPIES, 2);
    sn_environment_info info;
    struct buffers b = {0};
    int terminated = 0, truncated = 0;
    sn_environment_get_info(env, &info);
    assert_string_equal(info.term_names[0], "near");
    assert_int_equal(sn_environment_reset(env, NULL, NULL, b.observation, NULL), SN_OK);
    for (int k = 0; k < 100; k++) {
        run(env, &b, k, 1);
        for (int i = 0; i < COPIES; i++) {
            assert_true(fabsf(b.term[2 * i] + b.term[2 * i + 1] - b.reward[i]) < 1e-6f);
            assert_true(b.term[2 * i] > 0 && b.term[2 * i + 1] <= 0);
            assert_true(b.truncated[i] == (b.length[i] == 45 && !b.terminated[i]));
            terminated += b.terminated[i], truncated += b.truncated[i];
        }
    }
    print_message("  %d terminated, %d truncated\n", terminated, truncated);
    assert_true(terminated > 0 && truncated > 0);
    sn_environment_free(env);
    sn_model_free(model);
}

/* Threads 1 = 2; saved and restored, in another environment, it goes on as it did. */
TEST(threads_and_snapshots_change_no_bit) {
    sn_model *model = make_arm();
    sn_environment *env[3];
    struct buffers b[3] = {0};
    char *bytes = NULL;
    size_t size = 0;
    for (int k = 0; k < 3; k++) {
        env[k] = make_environment(model, COPIES, k == 1 ? 2 : 1);
        assert_int_equal(sn_environment_reset(env[k], NULL, NULL, b[k].observation, NULL), SN_OK);
        if (k < 2) run(env[k], &b[k], 0, 30);
        if (k == 2) assert_int_equal(sn_environment_restore(env[k], bytes, size, NULL), SN_OK);
        if (k == 0) {
            size = sn_environment_save(env[0], NULL, 0);
            assert_non_null(bytes = malloc(size));
            assert_int_equal(sn_environment_save(env[0], bytes, size), size);
        }
        float now[COPIES * OBSERVATIONS];
        assert_int_equal(sn_environment_observe(env[k], now, NULL), SN_OK);
        if (k < 2) assert_memory_equal(now, b[k].observation, sizeof now); /* nothing has changed since */
        memset(b[k].final, 0, sizeof b[k].final);                          /* of episodes that ended before */
        run(env[k], &b[k], 30, 40);
        if (k) assert_memory_equal(&b[0], &b[k], sizeof b[0]);
    }
    for (int k = 0; k < 3; k++)
        sn_environment_free(env[k]);
    free(bytes);
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------------------- trainings */

struct training {
    int threads, iterations;
    char path[64];
    double first, last; /* mean rewards */
};

static void *train(void *gathered) {
    struct gathered *own = gathered;
    struct training *t = own->task;
    sn_trainer_def def = sn_trainer_def_default();
    sn_error error;
    sn_training now = {0};
    sn_model *model = make_arm();
    sn_environment *env = make_environment(model, 64, 1);
    def.threads = t->threads;
    def.hidden[0] = 32, def.hidden[1] = 0;
    def.noise = .2, def.actor_rate = 1e-3;
    if (own->all->ranks > 1) def.exchange = &own->exchange;
    sn_trainer *trainer = sn_trainer_create(env, &def, &error);
    if (!trainer) fail_msg("%s", error.message);
    for (int i = 0; i < t->iterations; i++) {
        if (sn_trainer_iterate(trainer, &now, &error)) fail_msg("%s", error.message);
        if (i == 0) t->first = now.mean_reward;
    }
    t->last = now.mean_reward;
    if (sn_trainer_save(trainer, t->path, &error)) fail_msg("%s", error.message);
    sn_trainer_free(trainer);
    sn_environment_free(env);
    sn_model_free(model);
    return NULL;
}

static struct training train_by(int ranks, int threads, int iterations, const char *path) {
    struct training task[2];
    struct gathering all = {.ranks = ranks};
    for (int r = 0; r < 2; r++) {
        task[r] = (struct training){.threads = threads, .iterations = iterations};
        snprintf(task[r].path, sizeof task[r].path, "%s", path);
    }
    gather_ranks(&all, train, task, sizeof *task);
    return task[0];
}

TEST(threads_and_ranks_train_with_the_same_bits) {
    char path[3][64];
    char *bytes[3];
    size_t size[3];
    for (int k = 0; k < 3; k++) { /* one thread; two threads; two ranks */
        snprintf(path[k], sizeof path[k], "/tmp/sinew_task_%d_%d", (int)getpid(), k);
        train_by(k == 2 ? 2 : 1, k == 1 ? 2 : 1, 4, path[k]);
        bytes[k] = read_whole(path[k], &size[k]);
        assert_int_equal(size[k], size[0]);
        assert_memory_equal(bytes[k], bytes[0], size[0]);
    }
    for (int k = 0; k < 3; k++)
        free(bytes[k]), unlink(path[k]);
}

TEST(the_arm_learns_to_reach) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/sinew_task_%d", (int)getpid());
    const bool quick = getenv("SINEW_TEST_SHORT");
    const struct training t = train_by(1, 2, quick ? 30 : 150, path);
    print_message("  mean reward %.3f at first, %.3f at last\n", t.first, t.last);
    assert_true(t.last > t.first + (quick ? .02 : .15));
    unlink(path);
}

int main(void) {
    return run_all("learn_task");
}
