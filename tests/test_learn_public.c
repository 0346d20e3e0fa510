/* sinew/learn.h: environments, trainers and policies as programs use them. */
#include "learn_task_helpers.h"
#include "whole_file.h"

#include <sys/stat.h>

TEST(steps_have_the_same_bits_on_any_threads) {
    struct task t[2];
    for (int k = 0; k < 2; k++) {
        t[k] = make_task();
        t[k].def.threads = k + 1;
        t[k].imitation.push = 100;
        open_task(&t[k]);
        reset(&t[k], NULL);
        for (int i = 0; i < 40; i++)
            step(&t[k]);
    }
    const size_t size = (size_t)t[0].info.copies * (size_t)t[0].info.observations * sizeof(float);
    assert_memory_equal(t[0].observation, t[1].observation, size);
    assert_memory_equal(t[0].reward, t[1].reward, sizeof t[0].reward);
    close_task(&t[0]), close_task(&t[1]);
}

/* Copies with the same seed do the same, wherever they stand and however many there are. */
TEST(a_copy_follows_from_its_seed) {
    struct task t = make_task(), one = make_task();
    uint64_t seed[COPIES];
    one.def.copies = 1;
    t.imitation.push = one.imitation.push = 80;
    open_task(&t), open_task(&one);
    for (int i = 0; i < COPIES; i++)
        seed[i] = i == COPIES - 1 ? 7 : (uint64_t)i + 100;
    seed[0] = 7;
    reset(&t, seed);
    reset(&one, seed);
    const size_t row = (size_t)t.info.observations, size = row * sizeof(float);
    for (int i = 0; i < 30; i++) {
        assert_memory_equal(t.observation, t.observation + (COPIES - 1) * row, size);
        assert_memory_equal(t.observation, one.observation, size);
        assert_memory_not_equal(t.observation, t.observation + row, size);
        step(&t), step(&one);
    }
    close_task(&t), close_task(&one);
}

/* With autoreset in the same step returns and lengths are those of the episode that ended. */
TEST(episodes_are_counted_and_begin_anew) {
    struct task t = make_task();
    double sum = 0;
    int episodes = 0, steps = 0;
    t.imitation.limit = .5;
    open_task(&t);
    reset(&t, NULL);
    for (int i = 0; i < 35; i++) {
        step(&t);
        sum += (double)t.reward[0];
        steps++;
        if (!t.terminated[0] && !t.truncated[0]) continue;
        assert_true(steps <= 15 && (steps == 15) == t.truncated[0]);
        assert_int_equal(t.length[0], steps);
        assert_true(fabs(t.sum[0] - sum) < 1e-9);
        sum = steps = 0;
        episodes++;
    }
    assert_true(episodes >= 2);
    close_task(&t);
}

/* The character stands in the world it says it does, and the reference is where it begins. */
TEST(worlds_and_references_can_be_looked_at) {
    struct task t = make_task();
    open_task(&t);
    reset(&t, NULL);
    double q[100], reference[100], push[200] = {200};
    int number = -1;
    sn_world *world = sn_environment_world(t.env, COPIES - 1, &number);
    assert_non_null(world);
    assert_true(sn_environment_reference(t.env, COPIES - 1, reference));
    assert_int_equal(sn_world_get(world, 0, SN_FIELD_Q, number, 1, q), SN_OK);
    for (int i = 0; i < sn_model_get(t.model)->nq; i++)
        assert_true(fabs(q[i] - reference[i]) < 1e-5);
    assert_null(sn_environment_world(t.env, COPIES, NULL));
    for (int k = 0; k < 2; k++) { /* a push moves it */
        const uint64_t seed[COPIES] = {1, 1};
        reset(&t, seed);
        world = sn_environment_world(t.env, 0, &number);
        assert_int_equal(sn_world_set(world, 0, SN_FIELD_PUSH, number, 1, push), SN_OK);
        for (int i = 0; i < 5; i++)
            step(&t);
        sn_world_get(world, 0, SN_FIELD_Q, number, 1, q);
        sn_world_get(world, 0, SN_FIELD_Q, number + 1, 1, reference);
        assert_true(q[0] - reference[0] > .01);
    }
    close_task(&t);
}

static sn_trainer_def small_trainer(int threads) {
    sn_trainer_def def = sn_trainer_def_default();
    def.threads = threads;
    def.seed = 2;
    def.hidden[0] = 16, def.hidden[1] = 0;
    def.horizon = 4;
    def.minibatch = 32;
    def.actor_rate = 1e-3;
    return def;
}

/* Threads 1 = 2, and stopped in the middle = straight. */
TEST(fifty_updates_have_the_same_bits) {
    const int last = getenv("SINEW_TEST_SHORT") ? 10 : 51; /* the first fills the normaliser */
    char path[] = "/tmp/sinew_public_XXXXXX", file[3][64];
    size_t size[3];
    char *bytes[3];
    close(mkstemp(path));
    for (int k = 0; k < 3; k++) {
        struct task t = make_task();
        t.imitation.limit = .5;
        t.def.copies = 16;
        open_task(&t);
        sn_error error;
        sn_training now = {0};
        const sn_trainer_def def = small_trainer(k == 1 ? 2 : 1);
        sn_trainer *trainer = sn_trainer_create(t.env, &def, &error);
        if (!trainer) fail_msg("%s", error.message);
        if (k == 2) assert_int_equal(sn_trainer_restore(trainer, path, NULL, &error), SN_OK);
        while (now.iterations < (uint64_t)last) {
            if (sn_trainer_iterate(trainer, &now, &error)) fail_msg("%s", error.message);
            if (k == 0 && now.iterations == (uint64_t)last / 2)
                assert_int_equal(sn_trainer_save(trainer, path, &error), SN_OK);
        }
        snprintf(file[k], sizeof file[k], "%s.%d", path, k);
        assert_int_equal(sn_trainer_save(trainer, file[k], &error), SN_OK);
        bytes[k] = read_whole(file[k], &size[k]);
        sn_trainer_free(trainer);
        close_task(&t);
    }
    for (int k = 1; k < 3; k++) {
        assert_int_equal(size[0], size[k]);
        assert_memory_equal(bytes[0], bytes[k], size[0]);
    }
    for (int k = 0; k < 3; k++)
        free(bytes[k]), unlink(file[k]);
    unlink(path);
}

/* By a link, so that no mistake could take the device from the machine. */
static void assert_refused_by_full_disk(sn_policy *policy, sn_trainer *trainer) {
    char folder[] = "/tmp/sinew_full_XXXXXX", link[64], onnx[80];
    struct stat there;
    sn_error error;
    assert_non_null(mkdtemp(folder));
    snprintf(link, sizeof link, "%s/full", folder);
    snprintf(onnx, sizeof onnx, "%s.onnx", link);
    if (symlink("/dev/full", link) == 0 && symlink("/dev/full", onnx) == 0 && stat(link, &there) == 0 &&
        S_ISCHR(there.st_mode)) {
        assert_int_equal(sn_policy_save(policy, link, &error), SN_ERROR_FILE);
        assert_message_has(&error, "No space left");
        assert_int_equal(sn_trainer_save(trainer, link, &error), SN_ERROR_FILE);
        assert_int_equal(sn_policy_save(policy, onnx, &error), SN_ERROR_FILE);
        assert_true(lstat(link, &there) == 0 && S_ISLNK(there.st_mode)); /* it was not replaced */
    }
    unlink(link), unlink(onnx);
    rmdir(folder);
}

static void assert_refused_by_dogs(sn_policy *policy) {
    sn_model *dog = sn_builtin_create("dog", NULL);
    sn_motion *trot = sn_builtin_motion_create("trot", dog, NULL);
    const sn_imitation_def on_four = sn_imitation_def_default(dog, trot);
    sn_policy_episode episode;
    sn_error error;
    sn_task task;
    assert_int_equal(sn_imitation_task(&task, &on_four, &error), SN_OK);
    sn_environment_def few = sn_environment_def_default();
    few.copies = 1;
    sn_environment *dogs = sn_environment_create(&task, &few, &error);
    assert_non_null(dogs);
    assert_int_equal(sn_policy_evaluate(policy, dogs, NULL, &episode, &error), SN_ERROR_ARGUMENT);
    assert_message_has(&error, "another model");
    sn_environment_free(dogs), sn_motion_free(trot), sn_model_free(dog);
}

TEST(policies_are_kept_and_refused_where_they_do_not_fit) {
    struct task t = make_task(), other = make_task(), hidden = make_task();
    char path[] = "/tmp/sinew_public_XXXXXX";
    sn_error error;
    close(mkstemp(path));
    t.imitation.limit = other.imitation.limit = .5;
    open_task(&t);
    const sn_trainer_def def = small_trainer(1);
    sn_trainer *trainer = sn_trainer_create(t.env, &def, &error);
    for (int i = 0; i < 3; i++) {
        sn_training training;
        assert_int_equal(sn_trainer_iterate(trainer, &training, &error), SN_OK);
        assert_true(isfinite(training.mean_reward) && training.explained <= 1);
    }
    sn_policy *made = sn_trainer_policy(trainer, "{\"a\": 1}", &error), *read;
    assert_int_equal(sn_policy_save(made, path, &error), SN_OK);
    assert_non_null(read = sn_policy_load(path, &error));
    sn_policy_data data;
    sn_policy_get(read, &data);
    assert_string_equal(data.note, "{\"a\": 1}");
    reset(&t, NULL);
    float *action = calloc((size_t)(COPIES * t.info.actions), sizeof *action);
    sn_policy_act(made, COPIES, t.observation, t.action);
    sn_policy_act(read, COPIES, t.observation, action);
    assert_memory_equal(action, t.action, (size_t)(COPIES * t.info.actions) * sizeof *action);
    sn_policy_episode episode[COPIES];
    sn_policy_score score;
    assert_int_equal(sn_policy_evaluate(read, t.env, NULL, episode, &error), SN_OK);
    sn_policy_add_up(COPIES, episode, &score);
    assert_int_equal(score.episodes, COPIES);
    assert_true(score.normalised > 0 && score.normalised < 1 && score.shortest <= score.mean);
    assert_refused_by_full_disk(made, trainer);
    hidden.imitation.hide_root = true;
    open_task(&hidden);
    assert_int_equal(sn_policy_check(read, hidden.env, &error), SN_ERROR_ARGUMENT);
    assert_message_has(&error, "other features");
    assert_refused_by_dogs(read);
    /* a checkpoint is for one task: another motion is another */
    assert_int_equal(sn_trainer_save(trainer, path, &error), SN_OK);
    sn_motion_free(other.motion);
    other.motion = sn_builtin_motion_create("run", other.model, NULL);
    other.imitation.motion = other.motion;
    open_task(&other);
    sn_trainer *runner = sn_trainer_create(other.env, &def, &error);
    assert_int_equal(sn_trainer_restore(runner, path, NULL, &error), SN_ERROR_ARGUMENT);
    assert_message_has(&error, "another task");
    sn_trainer_free(runner);
    sn_policy_free(made), sn_policy_free(read);
    sn_trainer_free(trainer);
    free(action);
    unlink(path);
    close_task(&t), close_task(&other), close_task(&hidden);
}

/* Without a motion: standing and moving forward is worth almost all at first, lying nothing. */
TEST(locomotion_needs_no_motion) {
    struct task t = make_task();
    t.imitation.motion = NULL;
    t.imitation.speed = .8;
    open_task(&t);
    reset(&t, NULL);
    step(&t);
    assert_true(t.reward[0] > .8f && t.reward[0] <= 1);
    bool fell = false;
    for (int i = 0; i < 150 && !fell; i++) {
        step(&t);
        fell = t.terminated[0];
        if (fell) assert_true(t.reward[0] == 0);
    }
    assert_true(fell);
    double q[100];
    assert_false(sn_environment_reference(t.env, 0, q));
    close_task(&t);
}

TEST(what_cannot_be_is_refused) {
    struct task t = make_task();
    sn_error error;
    sn_task task;
    t.def.copies = 0;
    assert_int_equal(sn_imitation_task(&task, &t.imitation, &error), SN_OK);
    assert_null(sn_environment_create(&task, &t.def, &error)); /* which frees the task */
    assert_message_has(&error, "copies is 0");
    t.def.copies = 4;
    double kp[100] = {1};
    t.imitation.kp = kp;
    assert_int_equal(sn_imitation_task(&task, &t.imitation, &error), SN_ERROR_ARGUMENT);
    assert_message_has(&error, "root has gains");
    t.imitation.kp = NULL;
    open_task(&t);
    assert_int_equal(sn_environment_step(t.env, t.action, &(sn_environment_out){0}, &error),
                     SN_ERROR_ARGUMENT);
    sn_trainer_def def = sn_trainer_def_default();
    def.minibatch = 48;
    assert_null(sn_trainer_create(t.env, &def, &error));
    assert_message_has(&error, "do not divide");
    assert_null(sn_policy_load("/nowhere/at.all", &error));
    assert_int_equal(error.status, SN_ERROR_FILE);
    close_task(&t);
}

int main(void) {
    return run_all("learn_public");
}
