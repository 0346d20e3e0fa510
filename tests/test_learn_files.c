/* Policies and checkpoints: the same again after reading, damage refused, the old file kept when writing fails. */
#include "learn_helpers.h"
#include "room.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "learn/container.h"
#include "learn/policy.h"
#include "learn/ppo.h"
#include "sinew/learn.h"

static char path[100], other[100];

static int make_folder(void **state) {
    if (make_room(state) != 0) return 1;
    snprintf(path, sizeof path, "%s/file", room);
    snprintf(other, sizeof other, "%s/other", room);
    return 0;
}

static int remove_folder(void **state) {
    unlink(path), unlink(other);
    return leave_room(state); /* nothing else may be left in it */
}

static struct sn__ppo *make_training(struct lq *lq, int threads) {
    *lq = (struct lq){.seed = 5, .limit = 50, .wall = 1.5};
    sn_trainer_def def = sn_trainer_def_default();
    def.threads = threads;
    def.epochs = 2, def.kl_target = .015;
    def.hidden[0] = 24, def.hidden[1] = 16;
    def.minibatch = 256;
    def.noise = .3;
    def.actor_rate = 1e-3;
    sn_error error;
    struct sn__ppo *ppo = sn__ppo_create(lq_environment(lq), &def, &error);
    if (!ppo) fail_msg("%s", error.message);
    return ppo;
}

static void iterate(struct sn__ppo *ppo, int times) {
    sn_error error;
    for (int k = 0; k < times; k++)
        if (sn__ppo_iterate(ppo, NULL, &error)) fail_msg("%s", error.message);
}

/* Copies a file into `copy`, which has room for `most` bytes. */
static void read_into(const char *name, char *copy, size_t most, size_t *size) {
    char *data = read_whole(name, size);
    assert_true(*size <= most);
    memcpy(copy, data, *size);
    free(data);
}

/* ------------------------------------------------------------------------------------------------- checkpoints */

TEST(a_resumed_training_goes_on_with_the_same_bits) {
    static struct lq straight_lq, stopped_lq, resumed_lq;
    struct sn__ppo *straight = make_training(&straight_lq, 1), *stopped = make_training(&stopped_lq, 2);
    sn_error error;
    iterate(straight, 12);
    iterate(stopped, 5);
    assert_int_equal(sn__ppo_save(stopped, path, &error), SN_OK);
    free_trainer(stopped);
    struct sn__ppo *resumed = make_training(&resumed_lq, 1);
    iterate(resumed, 2); /* what it did before does not matter */
    if (sn__ppo_restore(resumed, path, &error)) fail_msg("%s", error.message);
    iterate(resumed, 7);
    assert_memory_equal(straight->actor.theta, resumed->actor.theta,
                        (size_t)straight->actor.count * sizeof(float));
    assert_memory_equal(straight->critic.theta, resumed->critic.theta,
                        (size_t)straight->critic.count * sizeof(float));
    assert_memory_equal(straight->normaliser.square, resumed->normaliser.square, 2 * sizeof(double));
    assert_memory_equal(straight->env->state, resumed->env->state, LQ_ALL * sizeof(struct lq_copy));
    assert_memory_equal(straight->env->episode, resumed->env->episode, LQ_ALL * sizeof(sn_episode));
    /* and so do the files */
    assert_int_equal(sn__ppo_save(straight, path, &error), SN_OK);
    assert_int_equal(sn__ppo_save(resumed, other, &error), SN_OK);
    size_t size, size2;
    char *one = read_whole(path, &size), *two = read_whole(other, &size2);
    assert_int_equal(size, size2);
    assert_memory_equal(one, two, size);
    free(one), free(two);
    free_trainer(straight);
    free_trainer(resumed);
}

TEST(a_checkpoint_of_other_settings_is_refused) {
    static struct lq lq;
    sn_error error;
    struct sn__ppo *ppo = make_training(&lq, 1);
    assert_int_equal(sn__ppo_save(ppo, path, &error), SN_OK);
    ppo->def.gamma = .99;
    assert_int_equal(sn__ppo_restore(ppo, path, &error), SN_ERROR_ARGUMENT);
    assert_message_has(&error, "gamma 0.95");
    free_trainer(ppo);
}

/* Every cut and every flipped bit is seen, and never with a crash. */
TEST(damaged_checkpoints_are_refused) {
    static struct lq lq;
    static char good[1 << 20], bad[1 << 20];
    sn_error error;
    size_t size;
    struct sn__ppo *ppo = make_training(&lq, 1);
    assert_int_equal(sn__ppo_save(ppo, path, &error), SN_OK);
    read_into(path, good, sizeof good, &size);
    struct sn__random r = sn__random_at(1, SN__STREAM_TASK, 0, 0);
    for (int k = 0; k < 100; k++) {
        const size_t where = sn__random_below(&r, (uint32_t)size);
        memcpy(bad, good, size);
        bad[where] = (char)(bad[where] ^ 1 << k % 8);
        write_whole(path, bad, k % 2 ? size : where);
        assert_int_equal(sn__ppo_restore(ppo, path, &error), SN_ERROR_FORMAT);
        assert_message_has(&error, path);
    }
    free_trainer(ppo);
}

/* ---------------------------------------------------------------------------------------------------- policies */

static struct sn__policy make_policy(void) {
    static struct lq lq;
    struct sn__policy policy;
    struct sn__ppo *ppo = make_training(&lq, 1);
    iterate(ppo, 3);
    assert_true(sn__policy_of(ppo, &policy));
    policy.model_hash = 17, policy.features_hash = 4711;
    strcpy(policy.model, "humanoid");
    strcpy(policy.features, "deepmimic-2018");
    float observation[10], action[5], spare[10], again[5];
    for (int i = 0; i < 10; i++)
        observation[i] = (float)i - 4;
    struct sn__tape tape;
    assert_true(sn__tape_make(&tape, &policy.net, 5));
    sn__ppo_act(ppo, 5, observation, action);
    sn__policy_act(&policy, &ppo->gemm, 5, observation, spare, &tape, again);
    assert_memory_equal(action, again, sizeof action); /* a policy acts as its trainer does */
    sn__tape_free(&tape);
    free_trainer(ppo);
    return policy;
}

TEST(a_policy_comes_back_as_it_was) {
    struct sn__policy policy = make_policy(), back;
    sn_error error;
    assert_int_equal(sn__policy_write(&policy, path, &error), SN_OK);
    if (sn__policy_read(&back, path, &error)) fail_msg("%s", error.message);
    assert_memory_equal(&policy.net, &back.net, sizeof policy.net);
    assert_memory_equal(policy.theta, back.theta, (size_t)policy.net.count * sizeof(float));
    assert_memory_equal(policy.shift, back.shift, 2 * sizeof(float));
    assert_memory_equal(policy.scale, back.scale, 2 * sizeof(float));
    assert_memory_equal(policy.noise, back.noise, sizeof(float));
    assert_true(policy.clip == back.clip);
    assert_string_equal(back.model, "humanoid");
    assert_int_equal(sn__policy_fits(&back, 17, "humanoid", 4711, "deepmimic-2018", &error), SN_OK);
    assert_int_equal(sn__policy_fits(&back, 18, "dog", 4711, "", &error), SN_ERROR_ARGUMENT);
    assert_message_has(&error, "another model ('humanoid', not 'dog'");
    assert_int_equal(sn__policy_fits(&back, 17, "humanoid", 9, "deepmimic-2021", &error), SN_ERROR_ARGUMENT);
    assert_message_has(&error, "other features ('deepmimic-2018', not 'deepmimic-2021'");
    sn__policy_free(&policy);
    sn__policy_free(&back);
}

/* The file of a policy after a change, with a hash that is right again. */
static void write_changed(char *data, size_t size) {
    const uint64_t hash = sn__hash(data, size - 8, 0);
    memcpy(data + size - 8, &hash, 8);
    write_whole(path, data, size);
}

/* Where a section's bytes begin. */
static char *section(char *data, size_t size, const char *name) {
    for (char *at = data + 16; at + 24 <= data + size;) {
        uint64_t bytes;
        memcpy(&bytes, at + 8, 8);
        if (!strncmp(at, name, 8)) return at + 16;
        at += 16 + (bytes + 7) / 8 * 8;
    }
    fail_msg("no section %s", name);
    return NULL;
}

static void assert_policy_refused(const char *part) {
    struct sn__policy policy;
    sn_error error;
    if (!sn__policy_read(&policy, path, &error)) fail_msg("was taken; expected: %s", part);
    assert_message_has(&error, part);
    assert_message_has(&error, path);
    assert_null(policy.theta);
}

TEST(damaged_policies_are_refused_with_a_reason) {
    struct sn__policy policy = make_policy();
    static char good[1 << 16], bad[1 << 16];
    size_t size;
    unlink(path);
    assert_policy_refused("cannot be read");
    assert_int_equal(sn__policy_write(&policy, path, NULL), SN_OK);
    read_into(path, good, sizeof good, &size);
#define CHANGED(change, part)                                                                                \
    do {                                                                                                     \
        memcpy(bad, good, size);                                                                             \
        change;                                                                                              \
        write_changed(bad, size);                                                                            \
        assert_policy_refused(part);                                                                         \
    } while (0)
    CHANGED(bad[0] = 'x', "not a policy");
    CHANGED(bad[8] = 1, "order of bytes");
    CHANGED(bad[12] = 9, "version 9");
    CHANGED(section(bad, size, "net")[-16] = 'm', "no section 'net'");
    CHANGED(section(bad, size, "net")[0] = 100, "100 layers");
    CHANGED(section(bad, size, "net")[4] = 7, "activations 7");
    CHANGED(section(bad, size, "net")[12] = 3, "'weights'");
    CHANGED(memset(section(bad, size, "net") + 12, 0xff, 4), "wide");
    CHANGED(memset(section(bad, size, "net") + 12, 0x7f, 2), "more parameters than");
    CHANGED(memset(section(bad, size, "weights") + 40, 0xff, 4), "not finite");
    CHANGED(memset(section(bad, size, "net") - 8, 0xff, 8), "no section");
    write_whole(path, good, size - 1);
    assert_policy_refused("damaged or cut off");
    write_whole(path, good, 10);
    assert_policy_refused("cut off after 10 bytes");
    write_whole(path, good, 0);
    assert_policy_refused("not a policy");
    good[size / 2]++;
    write_whole(path, good, size);
    assert_policy_refused("damaged");
#undef CHANGED
    sn__policy_free(&policy);
}

/* As on a disk that is full: the old file stays, nothing is left beside it. */
TEST(a_file_that_cannot_be_written_leaves_the_old_one) {
    struct sn__policy policy = make_policy(), back;
    sn_error error;
    assert_int_equal(sn__policy_write(&policy, path, &error), SN_OK);
    struct rlimit before, small = {0};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){100, before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const sn_status status = sn__policy_write(&policy, path, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, SN_ERROR_FILE);
    assert_message_has(&error, "cannot be written: File too large");
    assert_int_equal(sn__policy_read(&back, path, &error), SN_OK);
    sn__policy_free(&back);
    assert_int_equal(sn__policy_write(&policy, "/nowhere/at/all", &error), SN_ERROR_FILE);
    assert_message_has(&error, "/nowhere/at/all: cannot be written: No such");
    sn__policy_free(&policy);
}

/* Killed at any moment while it writes one checkpoint after the other: there is always a whole one. */
TEST(a_process_that_is_killed_leaves_a_whole_checkpoint) {
    static struct lq lq;
    struct sn__ppo *ppo = make_training(&lq, 1);
    sn_error error;
    assert_int_equal(sn__ppo_save(ppo, path, &error), SN_OK);
    for (int k = 0; k < 20; k++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            for (;;)
                sn__ppo_save(ppo, path, NULL);
        usleep((useconds_t)(500 + 137 * k));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        if (sn__ppo_restore(ppo, path, &error)) fail_msg("%s", error.message);
    }
    char part[120];
    snprintf(part, sizeof part, "%s.part", path);
    unlink(part);
    free_trainer(ppo);
}

/* Through memory and through arrays it acts with the same bits. */
TEST(policies_go_through_memory_and_arrays) {
    struct sn__policy made = make_policy();
    sn_error error;
    sn_policy *policy = sn__policy_wrap(&made, &error), *back_again;
    assert_non_null(policy);
    char bytes[1 << 14];
    const size_t size = sn_policy_write(policy, NULL, 0);
    assert_true(size > 100 && size <= sizeof bytes);
    assert_int_equal(sn_policy_write(policy, bytes, size), size);
    float observation[10], action[5], again[5];
    for (int i = 0; i < 10; i++)
        observation[i] = .3f * (float)(i * i % 7) - 1;
    assert_int_equal(sn_policy_act(policy, 5, observation, action), SN_OK);
    assert_non_null(back_again = sn_policy_parse(bytes, size, &error));
    sn_policy_act(back_again, 5, observation, again);
    assert_memory_equal(action, again, sizeof action);
    sn_policy_free(back_again);
    bytes[size / 2] ^= 1;
    assert_null(sn_policy_parse(bytes, size, &error));
    assert_message_has(&error, "damaged");
    assert_null(sn_policy_parse(bytes, 0, &error));
    sn_policy_data data;
    sn_policy_get(policy, &data);
    data.note = "from arrays";
    assert_non_null(back_again = sn_policy_create(&data, NULL, &error));
    sn_policy_act(back_again, 5, observation, again);
    assert_memory_equal(action, again, sizeof action);
    sn_policy_data back;
    sn_policy_get(back_again, &back);
    assert_string_equal(back.note, "from arrays");
    assert_int_equal(back.layers, 3);
    assert_int_equal(back.width[1], 24);
    sn_policy_free(back_again);
    float wrong[2] = {1, (float)NAN};
    data.scale = wrong;
    assert_null(sn_policy_create(&data, NULL, &error));
    assert_message_has(&error, "not finite");
    data.layers = 9;
    assert_null(sn_policy_create(&data, NULL, &error));
    assert_message_has(&error, "9 layers");
    sn_policy_free(policy);
}

/* -------------------------------------------------------------------------------------------------------- ONNX */

/* Whether the file, run by a reader of the tests' own, gives these actions for these observations. The onnx checker is used
   where it is there. */
static void expect_actions(const char *onnx, int rows, int inputs, int outputs, const float *observation,
                           const float *action, const char *about) {
    const char *python = python_with("onnx");
    char data[120], command[700];
    if (!python) python = python_with("struct"); /* comes with every Python */
    if (!python) skip();
    snprintf(data, sizeof data, "%s.rows", onnx);
    FILE *file = fopen(data, "wb");
    assert_non_null(file);
    for (int i = 0; i < rows; i++) {
        fwrite(observation + i * inputs, sizeof(float), (size_t)inputs, file);
        fwrite(action + i * outputs, sizeof(float), (size_t)outputs, file);
    }
    fclose(file);
    snprintf(command, sizeof command, "timeout 240 %s tests/learn_onnx.py %s 1e-6 %s %s", python, onnx, data,
             about);
    fflush(stdout);
    assert_int_equal(system(command), 0);
    unlink(data);
}

TEST(onnx_files_give_the_same_actions) {
    for (int kind = 0; kind < 2; kind++) {
        struct sn__policy policy = make_policy();
        struct sn__gemm gemm = sn__gemm_own();
        struct sn__tape tape;
        float observation[10], action[5], spare[10];
        if (kind) policy.net.hidden = SN__TANH, policy.net.output = SN__TANH;
        for (int i = 0; i < 10; i++)
            observation[i] = .7f * (float)(i * i % 7) - 2;
        assert_true(sn__tape_make(&tape, &policy.net, 5));
        sn__policy_act(&policy, &gemm, 5, observation, spare, &tape, action);
        assert_int_equal(sn__policy_write_onnx(&policy, path, NULL), SN_OK);
        expect_actions(path, 5, 2, 1, observation, action, "humanoid 0000000000000011");
        sn__tape_free(&tape);
        sn__policy_free(&policy);
    }
}

/* Observations as far apart as the clip lets through, and some beyond it. */
TEST(policies_that_come_with_the_project_give_the_same_actions_as_onnx) {
    static const char *const names[] = {"policies/humanoid-walk.sinew", "policies/dog-trot.sinew"};
    enum { ROWS = 4, MOST = 400 };
    for (int k = 0; k < 2; k++) {
        static float observation[ROWS * MOST], action[ROWS * MOST];
        sn_error error;
        sn_policy *policy = sn_policy_load(names[k], &error);
        if (!policy) fail_msg("%s", error.message);
        sn_policy_data data;
        sn_policy_get(policy, &data);
        const int inputs = data.width[0], outputs = data.width[data.layers];
        assert_true(inputs <= MOST && outputs <= MOST);
        for (int i = 0; i < ROWS * inputs; i++)
            observation[i] = .01f * (float)(i * 7919 % 601 - 300);
        assert_int_equal(sn_policy_act(policy, ROWS, observation, action), SN_OK);
        char onnx[110];
        snprintf(onnx, sizeof onnx, "%s.onnx", path);
        assert_int_equal(sn_policy_save(policy, onnx, &error), SN_OK);
        expect_actions(onnx, ROWS, inputs, outputs, observation, action, "");
        unlink(onnx);
        sn_policy_free(policy);
    }
}

int main(void) {
    return run_all_between("learn_files", make_folder, remove_folder);
}
