/* sinew train, play, evaluate and export from outside. */
#define _GNU_SOURCE /* memmem */
#include "cli_helpers.h"

#include <math.h>
#include <stdint.h>
#include <sys/resource.h>

/* Small and short: it should run, not learn. */
#define SMALL "--copies 8 --hidden 16 --episodes 2 --threads 1 --no-report"

static char *file_text(const char *name, size_t *size) {
    return read_whole(in_room(name), size);
}

static int lines_of(const char *text) {
    int count = 0;
    for (; (text = strchr(text, '\n')); text++)
        count++;
    return count;
}

TEST(a_training_leaves_its_files) {
    cJSON *json = run_json("train humanoid walk --samples 1024 --json --out a " SMALL, 0);
    assert_true(number_of(json, "samples") == 1024 && number_of(json, "iterations") == 8);
    assert_true(number_of(json, "episodes") == 2 && number_of(json, "normalised_return") > 0);
    cJSON_Delete(json);
    char *curve = file_text("a/curve.csv", NULL);
    assert_int_equal(lines_of(curve), 9);
    assert_int_equal(strncmp(curve, "iteration,samples,seconds,return,", 33), 0);
    free(curve);
    char *settings = file_text("a/settings.json", NULL);
    cJSON *read = cJSON_Parse(settings);
    assert_string_equal(text_of(read, "character"), "humanoid");
    assert_true(number_of(read, "copies") == 8 && number_of(read, "minibatch") == 128);
    cJSON_Delete(read);
    free(settings);
    expect_said("evaluate a/policy.sinew --episodes 2 --seconds 1", "normalised return 0.");
    expect_said("export a/policy.sinew a/policy.onnx", "175 observations, 28 actions");
    struct output o = run("play a/policy.sinew --seconds 0.5 --push 10 --record a/run.json");
    assert_int_equal(o.code, 0);
    assert_non_null(strstr(o.out, "of 100 stand 3 s later"));
    release(&o);
    char *recording = file_text("a/run.json", NULL);
    assert_non_null(strstr(recording, "\"reference\""));
    assert_non_null(strstr(recording, "\"reward\""));
    free(recording);
    assert_int_equal(access(in_room("a/curve.svg"), F_OK), 0);
}

/* Conditions of a task are settings as all others: by option or file, kept with the policy, refused where they cannot be. */
TEST(conditions_are_kept_with_the_policy) {
    FILE *file = fopen(in_room("conditions.json"), "w");
    fprintf(file, "{\"command\": 0.5, \"command_fastest\": 1.5, \"mass_range\": 0.2, \"limit\": 2}");
    fclose(file);
    expect_success(
        "train humanoid --task locomotion --config conditions.json --terrain bumps --ball 1 --samples 256 "
        "--out c " SMALL);
    char *text = file_text("c/settings.json", NULL);
    cJSON *read = cJSON_Parse(text);
    assert_string_equal(text_of(read, "terrain"), "bumps");
    assert_true(number_of(read, "command") == .5 && number_of(read, "command_fastest") == 1.5);
    assert_true(number_of(read, "ball") == 1 && number_of(read, "mass_range") == .2);
    cJSON_Delete(read);
    free(text);
    expect_said("evaluate c/policy.sinew --episodes 2 --seconds 1", "normalised return 0.");
    expect_said("evaluate c/policy.sinew --episodes 2 --seconds 1 --disturbed", "normalised return 0.");
    expect_said("export c/policy.sinew c/policy.onnx", "209 observations, 28 actions");
    expect_failure("train humanoid walk --terrain hills --out d " SMALL, 2,
                   "'hills' should be one of flat, bumps, slopes, steps, mixed");
    expect_failure("train humanoid walk --command 2 --command-fastest 1 --out d " SMALL, 1,
                   "speed of its own");
    expect_failure("train humanoid walk --terrain-height 1 --out d " SMALL, 1, "not flat");
    expect_failure("play c/policy.sinew --push 10 --disturbed", 2, "leave --disturbed out");
}

static uint32_t word_at(const unsigned char *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* CRC-32C by its definition, a bit at a time from the other end than the command does it. */
static uint32_t masked_crc(const unsigned char *data, size_t size) {
    uint32_t crc = 0xffffffff, turned = 0;
    for (size_t i = 0; i < size; i++)
        for (int k = 0; k < 8; k++) {
            const uint32_t top = crc >> 31 ^ (data[i] >> k & 1);
            crc = crc << 1 ^ (top ? 0x1edc6f41 : 0);
        }
    for (int k = 0; k < 32; k++)
        turned |= (crc >> k & 1) << (31 - k);
    turned = ~turned;
    return (turned >> 15 | turned << 17) + 0xa282ead8;
}

/* One policy for several motions; it is judged for each of them. */
TEST(several_motions_make_one_policy) {
    expect_success(
        "train humanoid walk run cartwheel --touch foot,forearm --samples 256 --out several " SMALL);
    char *text = file_text("several/settings.json", NULL);
    cJSON *read = cJSON_Parse(text);
    assert_string_equal(text_of(read, "motion"), "walk,run,cartwheel");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(read, "look_ahead")));
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(read, "draw_motions")));
    cJSON_Delete(read);
    free(text);
    cJSON *json = run_json("evaluate several/policy.sinew --episodes 6 --seconds 1 --json", 0);
    cJSON *each = cJSON_GetObjectItem(json, "motions");
    double sum = 0;
    assert_int_equal(cJSON_GetArraySize(each), 3);
    for (int i = 0; i < 3; i++) {
        const cJSON *one = cJSON_GetArrayItem(each, i);
        assert_true(number_of(one, "episodes") == 2);
        sum += number_of(one, "normalised_return") / 3;
    }
    assert_string_equal(text_of(cJSON_GetArrayItem(each, 1), "motion"), "run");
    assert_true(fabs(sum - number_of(json, "normalised_return")) < 1e-6);
    cJSON_Delete(json);
    expect_success("play several/policy.sinew --seconds 0.5 --seed 2");
}

TEST(tensorboard_finds_whole_records) {
    expect_success("train humanoid walk --samples 256 --out tb " SMALL);
    size_t size = 0;
    char *text = file_text("tb/events.out.tfevents.0000000000.sinew", &size);
    const unsigned char *bytes = (const unsigned char *)text;
    size_t at = 0;
    int records = 0;
    assert_true(masked_crc((const unsigned char *)"123456789", 9) ==
                (uint32_t)((0xe3069283u >> 15 | 0xe3069283u << 17) + 0xa282ead8)); /* a published value */
    for (; at + 16 <= size; records++) {
        const size_t length = word_at(bytes + at);
        assert_int_equal(word_at(bytes + at + 8), masked_crc(bytes + at, 8));
        assert_true(at + 16 + length <= size);
        assert_int_equal(word_at(bytes + at + 12 + length), masked_crc(bytes + at + 12, length));
        at += 16 + length;
    }
    assert_int_equal(at, size);
    assert_int_equal(records, 3); /* the version, two iterations */
    assert_non_null(memmem(text, size, "brain.Event:2", 13));
    assert_non_null(memmem(text, size, "explained", 9));
    free(text);
}

/* Broken off and resumed gives the bytes of a run in one go, and one curve. */
TEST(a_resumed_training_is_a_straight_one) {
    size_t size[2];
    expect_success("train humanoid walk --samples 1024 --out straight " SMALL);
    expect_success("train humanoid walk --samples 512 --out parts " SMALL);
    expect_failure("train humanoid walk --samples 512 --out parts " SMALL, 2, "holds a training");
    expect_success("train --resume --samples 1024 --out parts --episodes 2 --threads 2 --no-report");
    char *a = file_text("straight/checkpoint.sinew", &size[0]),
         *b = file_text("parts/checkpoint.sinew", &size[1]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(a, b, size[0]);
    free(a), free(b);
    a = file_text("parts/curve.csv", NULL);
    assert_int_equal(lines_of(a), 9);
    free(a);
    expect_failure("train --resume --samples 2048 --out parts --episodes 2 --noise 0.2", 1, "noise 0.05");
    expect_failure("train humanoid run --resume --out parts --samples 2048", 1, "another task");
}

TEST(an_interrupt_keeps_everything) {
    struct output o =
        run_interrupted("train humanoid walk --seconds 600 --checkpoint 1000 --out stopped " SMALL, 700);
    assert_int_equal(o.code, 130);
    assert_non_null(strstr(o.out, "normalised return"));
    release(&o);
    expect_success("train --resume --seconds 0 --out stopped --episodes 2 --no-report");
    assert_int_equal(access(in_room("stopped/policy.sinew"), F_OK), 0);
}

/* The older checkpoint stays whole on a disk without room, which a limit on sizes of files stands for. */
TEST(a_full_disk_loses_nothing) {
    struct rlimit before, small;
    size_t size[2];
    expect_success("train humanoid walk --samples 256 --out full " SMALL);
    char *a = file_text("full/checkpoint.sinew", &size[0]);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){16 * 1024, before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    struct output o = run("train --resume --samples 512 --out full --episodes 2 --no-report");
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    assert_int_equal(o.code, 1);
    assert_non_null(strstr(o.err, "checkpoint.sinew: cannot be written"));
    assert_non_null(strstr(o.err, "the one before is kept"));
    release(&o);
    char *b = file_text("full/checkpoint.sinew", &size[1]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(a, b, size[0]);
    free(a), free(b);
    expect_success("train --resume --samples 512 --out full --episodes 2 --no-report");
}

TEST(mistakes_are_told) {
    size_t size;
    expect_success("train humanoid walk --samples 128 --out bad " SMALL);
    char *text = file_text("bad/checkpoint.sinew", &size);
    text[size / 2] ^= 1;
    write_in_room("bad/checkpoint.sinew", text, size);
    free(text);
    text = file_text("bad/policy.sinew", &size);
    write_in_room("cut.sinew", text, size / 2);
    free(text);
    write_text("config.json", "{\"horizn\": 16}");
    write_text("wrong.json", "{\"horizon\": 1.5}");
    expect_failures("train --resume --out bad => 1 damaged\n"
                    "evaluate cut.sinew => 1 cut off\n"
                    "play bad/settings.json => 1 not a policy\n"
                    "export bad/policy.sinew policy.txt => 2 .onnx\n"
                    "train humanoid walk --config config.json --out b => 1 horizon\n"
                    "train humanoid walk --config wrong.json --out b => 1 whole number\n"
                    "train humanoid walk --copies none --out b => 2 not a number\n"
                    "train humanoid walk --hidden 16,x --out b => 2 not a number\n"
                    "train humanoid walk --targets relative --out b => 2 residual\n"
                    "train dog walk --out b => 1 does not fit\n"
                    "train humanoid walk --touch hand,tail --out b => 1 no body has such a name\n"
                    "train snake36 => 2 needs a motion\n"
                    "train --resume => 2 needs --out\n"
                    "train => 2 needs a character\n");
}

int main(void) {
    return run_tests_in(room, "cli_learn", make_room, clear_room);
}
