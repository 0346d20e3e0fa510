/* The sinew command's experiments and benchmarks of worlds, from outside. The environment variable SINEW_COMMAND
 * (or SINEW_CLI) names the program. The peer engine is played by a script. */
#include "cli_helpers.h"

#include <dirent.h>
#include <math.h>

static char folder[] = "/tmp/sinew-peer-XXXXXX"; /* where the peer is looked for */

/* The claim that starts or goes on with these words. */
static const cJSON *claim_of(const cJSON *json, const char *words) {
    const cJSON *claim;
    cJSON_ArrayForEach(claim, cJSON_GetObjectItem(json, "claims")) {
        if (strstr(text_of(claim, "claim"), words)) return claim;
    }
    print_error("no claim '%s'\n", words);
    fail();
    return NULL;
}

/* A line each: "yes WORDS" or "no WORDS", whether the claim with these words holds. */
static void expect_claims(const cJSON *json, const char *lines) {
    for (; *lines; lines += strcspn(lines, "\n") + 1) {
        char words[128];
        snprintf(words, sizeof words, "%.*s", (int)strcspn(lines, "\n"), lines);
        const int holds = words[0] == 'y';
        const cJSON *claim = claim_of(json, words + (holds ? 4 : 3));
        if (cJSON_IsTrue(cJSON_GetObjectItem(claim, "holds")) != holds) print_error("claim '%s'\n", words);
        assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItem(claim, "holds")), holds);
    }
}

/* -------------------------------------------------------------------------------------------- experiments */

TEST(deltas_agree_with_test_forces) {
    cJSON *json = run_json("reproduce kokkevis/deltas --quick --json", 0);
    expect_claims(json, "yes the same matrix\n");
    int slopes = 0, ratios = 0;
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(json, "rows")) {
        slopes += cJSON_IsNumber(cJSON_GetObjectItem(row, "slope_us"));
        ratios += cJSON_IsNumber(cJSON_GetObjectItem(row, "whole/deltas_net"));
    }
    assert_int_equal(slopes, 4 * 2 * 3); /* models, places, methods */
    assert_int_equal(ratios, 3 * 2);
    cJSON_Delete(json);
}

TEST(impacts_are_newtons_and_coulombs) {
    cJSON *json = run_json("reproduce kokkevis/impact --quick --json", 0);
    expect_claims(json, "yes time stepper: a ball bounces\n"
                        "yes time stepper: friction in the impact\n"
                        "yes event stepper: a ball bounces\n"
                        "yes event stepper: friction in the impact\n"
                        "yes a row of balls keeps its momentum\n"
                        "yes add no energy\n");
    cJSON_Delete(json);
    struct output a = run("reproduce kokkevis/impact --quick --json");
    struct output b = run("reproduce kokkevis/impact --quick --json");
    assert_string_equal(a.out, b.out);
    release(&a);
    release(&b);
}

TEST(contacts_stay_finite) {
    cJSON *json = run_json("reproduce kokkevis/contact --quick --json", 0);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "rows")), 3 * 5 * 2);
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(json, "rows")) {
        assert_true(number_of(row, "contacts") >= 0);
        assert_true(number_of(row, "penetration_mm") >= 0);
        text_of(row, "stepper");
        text_of(row, "friction");
    }
    expect_claims(json, "yes every run stays finite\n");
    cJSON_Delete(json);
}

TEST(limits_hold) {
    cJSON *json = run_json("reproduce kokkevis/limits --quick --json", 0);
    expect_claims(json, "yes a pendulum does not pass its stop\n"
                        "yes a velocity against the limit\n"
                        "yes joints of a falling ragdoll\n");
    cJSON_Delete(json);
}

/* exp(-x) (cos x + sin x) = 0.1 at x = 1.876, so 2.653 settling times, and not one. */
TEST(the_settling_time_is_not_the_papers) {
    cJSON *json = run_json("reproduce kokkevis/trajectory --quick --json", 0);
    expect_claims(json, "no by the equation itself\n"
                        "no measured on joints\n"
                        "yes joints follow the equation\n");
    const double times = number_of(claim_of(json, "by the equation itself"), "ours"), x = times / sqrt(2);
    assert_true(fabs(exp(-x) * (cos(x) + sin(x)) - 0.1) < 1e-9);
    const cJSON *row;
    int near = 0;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(json, "rows")) {
        if (!cJSON_GetObjectItem(row, "t_s") || strstr(text_of(row, "subject"), "point")) continue;
        near += fabs(number_of(row, "ours_s") / number_of(row, "equation_s") - 1) < 0.05;
    }
    assert_int_equal(near, 2 * 4);
    cJSON_Delete(json);
}

TEST(figures_are_written) {
    char arguments[160], path[128];
    snprintf(arguments, sizeof arguments, "reproduce kokkevis/trajectory --quick --json --plot %s/plots",
             folder);
    cJSON_Delete(run_json(arguments, 0));
    snprintf(path, sizeof path, "%s/plots/kokkevis-trajectory.svg", folder);
    char *svg = read_all(fopen(path, "rb"));
    assert_non_null(strstr(svg, "<svg"));
    free(svg);
    remove(path);
    snprintf(path, sizeof path, "%s/plots", folder);
    assert_int_equal(rmdir(path), 0);
}

/* --------------------------------------------------------------------------------------------- benchmarks */

static void check_rows(const cJSON *rows) {
    const cJSON *row;
    cJSON_ArrayForEach(row, rows) {
        const char *scene = text_of(row, "scene"), *precision = text_of(row, "precision");
        assert_true(strcmp(scene, "stand") == 0 || strcmp(scene, "fall") == 0);
        assert_true(strcmp(precision, "double") == 0 || strcmp(precision, "float") == 0);
        assert_true(number_of(row, "dt") > 0);
        assert_true(number_of(row, "contacts") >= 0);
        assert_true(fabs(number_of(row, "steps_per_s") * number_of(row, "us") * 1e-6 - 1) < 1e-6);
    }
}

TEST(contact_is_measured_without_a_peer) {
    struct output o = run("bench contact --quick --json");
    assert_int_equal(o.code, 0);
    assert_non_null(strstr(o.err, "peer_mujoco_ground was not found"));
    assert_ptr_equal(strchr(o.err, '\n'), o.err + strlen(o.err) - 1); /* one line */
    cJSON *json = cJSON_ParseWithOpts(o.out, NULL, 1);
    const cJSON *rows = cJSON_GetObjectItem(json, "rows"), *row;
    assert_int_equal(cJSON_GetArraySize(rows), 2 * 2 * 2); /* scenes, ways of contact, precisions */
    check_rows(rows);
    cJSON_ArrayForEach(row, rows) assert_string_equal(text_of(row, "engine"), "sinew");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "ratios")), 0);
    assert_null(cJSON_GetObjectItem(json, "checks"));
    cJSON_Delete(json);
    release(&o);
    o = run("bench contact --quick --json --check"); /* nothing to compare with: not met */
    assert_int_equal(o.code, 1);
    assert_non_null(strstr(o.out, "FAIL"));
    release(&o);
}

static int files_in(const char *path) {
    DIR *dir = opendir(path);
    assert_non_null(dir);
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(dir));)
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

/* A library without importers cannot write the character for a peer. */
static void skip_without_files(void) {
    struct output o = run("bench contact --quick --json");
    const int unsupported = strstr(o.err, "cannot write the character") != NULL;
    release(&o);
    if (unsupported) skip();
}

/* Two seconds per step, one with "armature": whatever the machine, the ratios are a million over our us. */
TEST(contact_is_compared_with_the_fastest_method) {
    write_peer(folder, "#!/bin/sh\nus=2e6\ncase \"$*\" in *armature*) us=1e6;; esac\n"
                       "test -s \"$1\" || exit 3\n"
                       "echo \"{\\\"us_per_step\\\": $us, \\\"contacts\\\": 5, \\\"finite\\\": true, "
                       "\\\"penetration\\\": 0.002,"
                       " \\\"drift\\\": null, \\\"height\\\": -0.5}\"\n");
    skip_without_files();
    setenv("TMPDIR", folder, 1);
    cJSON *json = run_json("bench contact --quick --json --check", 0);
    const cJSON *rows = cJSON_GetObjectItem(json, "rows"), *ratio, *row;
    assert_int_equal(cJSON_GetArraySize(rows), 2 * (4 + 3));
    check_rows(rows);
    cJSON_ArrayForEach(ratio, cJSON_GetObjectItem(json, "ratios")) {
        assert_string_equal(text_of(ratio, "over"), "armature");
        double us = 0;
        cJSON_ArrayForEach(row, rows) {
            if (strcmp(text_of(row, "engine"), "sinew") == 0 &&
                strcmp(text_of(row, "scene"), text_of(ratio, "scene")) == 0 &&
                strcmp(text_of(row, "contact"), text_of(ratio, "contact")) == 0 &&
                strcmp(text_of(row, "precision"), text_of(ratio, "precision")) == 0)
                us = number_of(row, "us");
        }
        assert_true(fabs(number_of(ratio, "ratio") * us / 1e6 - 1) < 1e-6);
    }
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "checks")), 2);
    assert_int_equal(files_in(folder), 1); /* the character's file is gone, the peer is left */
    cJSON_Delete(json);

    json = run_json("bench contact --stability --quick --json", 0);
    rows = cJSON_GetObjectItem(json, "rows");
    assert_int_equal(cJSON_GetArraySize(rows), 4 * 5 * 4); /* ways, gains, steps */
    cJSON_ArrayForEach(row, rows) {
        const int ours = strcmp(text_of(row, "engine"), "sinew") == 0;
        assert_string_equal(text_of(row, "stands"), ours ? "stands" : "topples");
        if (!ours) assert_true(fabs(number_of(row, "penetration_mm") - 2) < 1e-9);
    }
    cJSON_Delete(json);
    unsetenv("TMPDIR");
}

TEST(a_peer_that_fails_is_told_of) {
    write_peer(folder, "#!/bin/sh\nexit 3\n");
    skip_without_files();
    struct output o = run("bench contact --quick --json");
    assert_int_equal(o.code, 1);
    assert_non_null(strstr(o.err, "exit code 3"));
    release(&o);
    write_peer(folder, "#!/bin/sh\necho '{\"us_per_step\": '\n"); /* cut off */
    o = run("bench contact --quick --json");
    assert_int_equal(o.code, 1);
    release(&o);
    remove_peer(folder);
}

TEST(cost_against_rows_has_ten_sizes) {
    cJSON *json = run_json("bench contact --rows --quick --json", 0);
    const cJSON *rows = cJSON_GetObjectItem(json, "rows"), *row;
    assert_int_equal(cJSON_GetArraySize(rows), 10);
    double last = 0;
    cJSON_ArrayForEach(row, rows) {
        assert_true(number_of(row, "spheres") > last);
        last = number_of(row, "spheres");
        assert_true(number_of(row, "rows_us") > 0);
        assert_true(number_of(row, "implicit_us") > 0);
        assert_true(number_of(row, "rows_float_us") > 0);
        assert_true(number_of(row, "implicit_float_us") > 0);
    }
    assert_true(fabs(number_of(cJSON_GetArrayItem(rows, 9), "rows") - 198) < 1e-9);
    cJSON_Delete(json);
}

TEST(unknown_things_are_refused) {
    expect_failures("bench contcat => 2 did you mean 'contact'?\n"
                    "bench contact --model humanoid => 2 unknown option '--model'\n"
                    "bench contact --stabilty => 2 did you mean '--stability'?\n"
                    "bench contact --kp soft => 2 'soft'\n"
                    "bench contact --kd -1 => 2 '-1'\n"
                    "bench contact --kp nan => 2 'nan'\n"
                    "bench contact --repetitions 0 => 2 --repetitions\n"
                    "bench contact --rows --stability => 2 give one\n"
                    "bench contact --rows --check => 2 --check\n"
                    "bench contact more => 2 'more'\n"
                    "bench contact contact => 2 one word too many\n"
                    "bench spd --rows => 2 unknown option '--rows'\n"
                    "bench spd contact => 2 one word too many\n");
}

TEST(help_tells_of_contact) {
    static const char *const arguments[] = {"bench --help", "bench contact --help", "help bench"};
    for (int i = 0; i < 3; i++) {
        struct output o = run(arguments[i]);
        assert_int_equal(o.code, 0);
        assert_non_null(strstr(o.out, "--stability"));
        assert_non_null(strstr(o.out, "SINEW_PEERS"));
        assert_string_equal(o.err, "");
        release(&o);
    }
}

int main(void) {
    return run_tests_with_folder(folder, "SINEW_PEERS", "cli world");
}
