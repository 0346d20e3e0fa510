/* `sinew crowd`, `sinew bench crowd` and `sinew reproduce maba/capacity` from outside. The environment variable
 * SINEW_COMMAND (or SINEW_CLI) names the program. The peer engine is played by a script. No test looks at how long
 * anything took. */
#include "cli_helpers.h"

#include <math.h>

static char folder[] = "/tmp/sinew-crowd-XXXXXX"; /* where the peer is looked for */

/* ------------------------------------------------------------------------------------------------- crowd */

TEST(all_rates_are_reported) {
    static const double rate[] = {30, 60, 120, 240};
    cJSON *json = run_json("crowd humanoid walk -n 5 --duration 0.1 --threads 1 --json", 0);
    assert_string_equal(text_of(json, "character"), "humanoid");
    assert_string_equal(text_of(json, "clip"), "walk");
    assert_string_equal(text_of(json, "precision"), "float");
    assert_int_equal(strncmp(text_of(json, "lanes"), "f32", 3), 0);
    assert_int_equal(number_of(json, "characters"), 5);
    assert_int_equal(number_of(json, "nv"), 34);
    assert_true(number_of(json, "bytes") >= 4 * (34 + 35)); /* its state at least */
    const cJSON *rows = rows_of(json, "rows");
    assert_int_equal(cJSON_GetArraySize(rows), 4);
    for (int i = 0; i < 4; i++) {
        const cJSON *row = cJSON_GetArrayItem(rows, i);
        assert_true(fabs(number_of(row, "hz") - rate[i]) < 1e-9);
        assert_int_equal(number_of(row, "threads"), 1);
        const double exact = 1e6 / (number_of(row, "us") * rate[i]), ours = number_of(row, "real_time");
        assert_true(ours <= exact && ours > exact - 1);
        assert_int_equal(number_of(row, "diverged"), 0);
        assert_true(number_of(row, "effector_max_mm") >= number_of(row, "effector_mm"));
        assert_true(number_of(row, "joint_max_rad") >= number_of(row, "joint_rad"));
        assert_true(number_of(row, "joint_rad") > 0);
    }
    cJSON_Delete(json);
}

TEST(one_thread_comes_before_all) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    cJSON *json = run_json("crowd dog trot -n 3 --duration 0.05 --dt 1/120 --precision double --json", 0);
    const cJSON *rows = rows_of(json, "rows");
    assert_int_equal(strncmp(text_of(json, "lanes"), "f64", 3), 0);
    assert_int_equal(cJSON_GetArraySize(rows), cores > 1 ? 2 : 1);
    assert_int_equal(number_of(cJSON_GetArrayItem(rows, 0), "threads"), 1);
    if (cores > 1) assert_true(number_of(cJSON_GetArrayItem(rows, 1), "threads") > 1);
    assert_true(fabs(number_of(cJSON_GetArrayItem(rows, 0), "hz") - 120) < 1e-9);
    cJSON_Delete(json);
}

/* The error of a run with one rate, in mm. */
static double error_of(const char *arguments) {
    cJSON *json = run_json(arguments, 0);
    const double error = number_of(cJSON_GetArrayItem(rows_of(json, "rows"), 0), "effector_mm");
    cJSON_Delete(json);
    return error;
}

TEST(threads_do_not_matter_and_seeds_do) {
    const double one = error_of("crowd humanoid run -n 40 --duration 0.2 --dt 1/60 --threads 1 --json");
    const double two = error_of("crowd humanoid run -n 40 --duration 0.2 --dt 1/60 --threads 2 --json");
    const double other =
        error_of("crowd humanoid run -n 40 --duration 0.2 --dt 1/60 --threads 1 --seed 2 --json");
    const double ground =
        error_of("crowd humanoid run -n 40 --duration 0.2 --dt 1/60 --threads 1 --ground --json");
    assert_true(one == two);
    assert_true(one != other);
    assert_true(one != ground);
}

/* A single character that starts at the beginning is another program's way to the same number. */
TEST(errors_are_those_of_track) {
    cJSON *json = run_json("track humanoid run --dt 1/60 --no-record --json", 0);
    const double alone = number_of(cJSON_GetObjectItem(json, "error"), "joint_mean");
    cJSON_Delete(json);
    json =
        run_json("crowd humanoid run -n 64 --duration 1 --dt 1/60 --threads 1 --precision double --json", 0);
    const double many = number_of(cJSON_GetArrayItem(rows_of(json, "rows"), 0), "joint_rad");
    cJSON_Delete(json);
    /* Both are means over the whole motion, the one over five seconds, the other over 512 samples of it. */
    if (!(many > 0.8 * alone && many < 1.25 * alone)) print_error("crowd %g, track %g\n", many, alone);
    assert_true(many > 0.8 * alone && many < 1.25 * alone);
}

/* Undamped and far too stiff for the step: the stable form swings up. */
TEST(divergence_is_counted) {
    cJSON *json = run_json("crowd humanoid run -n 6 --dt 1/30 --threads 1 --kp 1e12 --kd 0 --root-kp 1e12 "
                           "--root-kd 0 --duration 20 --json",
                           1);
    const cJSON *row = cJSON_GetArrayItem(rows_of(json, "rows"), 0);
    assert_int_equal(number_of(row, "diverged"), 6);
    cJSON_Delete(json);
}

TEST(the_table_is_for_people) {
    struct output o = run("crowd snake36 slither -n 2 --duration 0.05 --dt 0.01 --threads 1");
    assert_int_equal(o.code, 0);
    assert_string_equal(o.err, "");
    assert_non_null(strstr(o.out, "crowd of 2: snake36 follows slither"));
    assert_non_null(strstr(o.out, "real_time"));
    release(&o);
}

TEST(wrong_crowds_are_refused) {
    expect_failures("crowd => 2 needs a character and a motion\n"
                    "crowd humanoid => 2 needs a character and a motion\n"
                    "crowd humanoid run fast => 2 needs a character and a motion\n"
                    "crowd humanoid run -n 0 => 2 '-n'\n"
                    "crowd humanoid run -n many => 2 'many'\n"
                    "crowd humanoid run -n => 2 '-n' needs a value\n"
                    "crowd humanoid run --dt 0 => 2 --dt\n"
                    "crowd humanoid run --dt 1/0 => 2 '1/0'\n"
                    "crowd humanoid run --dt nan => 2 'nan'\n"
                    "crowd humanoid run --duration -1 => 2 --duration\n"
                    "crowd humanoid run --kp -1 => 2 --kp\n"
                    "crowd humanoid run --threads 0 => 2 --threads\n"
                    "crowd humanoid run --precision half => 2 unknown precision 'half'\n"
                    "crowd humanoid run --lanes f32x99 => 2 'f32x99'\n"
                    "crowd humanoid run --lanes f64 --precision float => 2 not float\n"
                    "crowd humanoid run --thread 2 => 2 did you mean '--threads'?\n"
                    "crwd humanoid run => 2 did you mean 'crowd'?\n"
                    "crowd humanoid nowhere.bvh -n 2 => 1 nowhere.bvh\n"
                    "crowd nobody run -n 2 => 1 nobody\n"
                    "crowd humanoid run --map /nowhere/map.json -n 2 => 1 map.json\n"
                    "crowd dog slither -n 2 => 1 slither\n");
}

TEST(help_tells_of_crowds) {
    static const struct {
        const char *arguments, *said;
    } helps[] = {{"crowd --help", "--ground"},
                 {"help crowd", "--duration"},
                 {"help bench", "sinew bench crowd"},
                 {"bench crowd --help", "--characters"},
                 {"--help", "crowd"},
                 {"reproduce --list", "maba/capacity"}};
    for (size_t i = 0; i < sizeof helps / sizeof *helps; i++) {
        struct output o = run(helps[i].arguments);
        assert_int_equal(o.code, 0);
        assert_non_null(strstr(o.out, helps[i].said));
        assert_string_equal(o.err, "");
        release(&o);
    }
}

TEST(an_interrupt_prints_what_there_is) {
    static const char *const arguments[] = {
        "crowd humanoid run -n 64 --duration 10000 --json",
        "bench crowd --characters 64 --scene stand --repetitions 1000 --json"};
    for (int i = 0; i < 2; i++) {
        struct output o = run_interrupted(arguments[i], 200);
        if (o.code != 130) print_error("sinew %s: %d, %s\n", arguments[i], o.code, o.err);
        assert_int_equal(o.code, 130);
        assert_non_null(strstr(o.err, "interrupted"));
        cJSON *json = parse(&o);
        rows_of(json, "rows");
        cJSON_Delete(json);
        release(&o);
    }
}

/* ------------------------------------------------------------------------------------------- bench crowd */

static void check_rows(const cJSON *rows) {
    const cJSON *row;
    cJSON_ArrayForEach(row, rows) {
        const int is_float = strcmp(text_of(row, "precision"), "float") == 0;
        assert_int_equal(strncmp(text_of(row, "lanes"), is_float ? "f32" : "f64", 3), 0);
        assert_true(number_of(row, "threads") >= 1);
        assert_true(number_of(row, "characters") >= 1);
        assert_true(number_of(row, "us") > 0);
        assert_true(number_of(row, "bytes") > 0);
        assert_int_equal(number_of(row, "diverged"), 0);
    }
}

static int count_rows(const cJSON *rows, const char *model, const char *scene, const char *precision) {
    const cJSON *row;
    int count = 0;
    cJSON_ArrayForEach(row, rows) count += strcmp(text_of(row, "model"), model) == 0 &&
                                           strcmp(text_of(row, "scene"), scene) == 0 &&
                                           strcmp(text_of(row, "precision"), precision) == 0;
    return count;
}

TEST(every_scene_is_measured) {
    static const char *const scenes[] = {"track", "stand", "fall", "push"};
    const int each = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1; /* one thread, and all */
    struct output o = run("bench crowd --quick --json");
    assert_int_equal(o.code, 0);
    assert_non_null(strstr(o.err, "peer_mujoco_ground was not found"));
    assert_ptr_equal(strchr(o.err, '\n'), o.err + strlen(o.err) - 1); /* one line */
    cJSON *json = parse(&o);
    const cJSON *rows = rows_of(json, "rows");
    check_rows(rows);
    for (int s = 0; s < 4; s++) {
        const int large = s == 1; /* stand, in float, once with many more */
        assert_int_equal(count_rows(rows, "humanoid", scenes[s], "float"), each + large);
        assert_int_equal(count_rows(rows, "humanoid", scenes[s], "double"), each);
    }
    assert_int_equal(count_rows(rows, "dog", "track", "float"), 1);
    assert_int_equal(cJSON_GetArraySize(rows_of(json, "ratios")), 0);
    assert_int_equal(cJSON_GetArraySize(rows_of(json, "peers")), 0);
    assert_null(cJSON_GetObjectItem(json, "checks"));
    cJSON_Delete(json);
    release(&o);
}

struct expected {
    const char *key, *text; /* text NULL: the number counts */
    int number;
};

/* Runs a benchmark that must have one row, with these values in it; the list ends with one that has no key. */
static void assert_one_row(const char *arguments, const struct expected *expected) {
    cJSON *json = run_json(arguments, 0);
    const cJSON *rows = rows_of(json, "rows"), *row = cJSON_GetArrayItem(rows, 0);
    assert_int_equal(cJSON_GetArraySize(rows), 1);
    check_rows(rows);
    for (; expected->key; expected++)
        if (expected->text)
            assert_string_equal(text_of(row, expected->key), expected->text);
        else
            assert_int_equal(number_of(row, expected->key), expected->number);
    cJSON_Delete(json);
}

TEST(choices_leave_one_row) {
    assert_one_row("bench crowd --quick --json --model dog --scene fall --lanes f64 --threads 2 "
                   "--characters 7 --seed 3",
                   (const struct expected[]){{"model", "dog", 0},
                                             {"scene", "fall", 0},
                                             {"lanes", "f64", 0},
                                             {"threads", NULL, 2},
                                             {"characters", NULL, 7},
                                             {NULL, NULL, 0}});
    struct output o = run("bench crowd --quick --lanes f64 --precision float");
    assert_int_equal(o.code, 1);
    assert_non_null(strstr(o.err, "nothing to measure"));
    release(&o);
}

TEST(products_and_torque_limits_are_chosen) {
    assert_one_row(
        "bench crowd --quick --json --scene push --lanes f32 --threads 1 --characters 5 "
        "--products explicit --torque-limit 150",
        (const struct expected[]){{"products", "explicit", 0}, {"torque_limit", NULL, 150}, {NULL, NULL, 0}});
}

/* A peer that knows three scenes and two methods, and takes so many us for "armature" and twice that for "euler". */
static void write_slow_peer(const char *us) {
    char script[512];
    snprintf(script, sizeof script,
             "#!/bin/sh\ntest -s \"$1\" || exit 3\nus=%s\n"
             "case \"$*\" in *push*|*implicit*|*-cg*) echo unknown >&2; exit 1;; *euler*) us=2$us;; esac\n"
             "echo \"{\\\"us_per_step\\\": $us, \\\"finite\\\": true}\"\n",
             us);
    write_peer(folder, script);
}

/* A library without importers cannot write the character for a peer. */
static void skip_without_files(const struct output *o) {
    if (strstr(o->err, "cannot write the character")) skip();
}

TEST(scenes_are_compared_with_the_fastest_method) {
    write_slow_peer("1000000");
    struct output o = run("bench crowd --quick --json --check --threads 1 --characters 8 --precision float");
    skip_without_files(&o);
    assert_int_equal(o.code, 0);
    assert_non_null(strstr(o.err, "no time of scene 'push'"));
    assert_null(strstr(o.err, "unknown"));
    cJSON *json = parse(&o);
    release(&o);
    const cJSON *rows = rows_of(json, "rows"), *ratio, *row, *check;
    assert_int_equal(cJSON_GetArraySize(rows), 4 + 1); /* scenes, and the dog */
    assert_int_equal(cJSON_GetArraySize(rows_of(json, "peers")), 3 * 2);
    assert_int_equal(cJSON_GetArraySize(rows_of(json, "ratios")), 3);
    cJSON_ArrayForEach(ratio, rows_of(json, "ratios")) {
        assert_string_equal(text_of(ratio, "over"), "armature");
        double us = 0;
        cJSON_ArrayForEach(row, rows) {
            if (strcmp(text_of(row, "scene"), text_of(ratio, "scene")) == 0 &&
                strcmp(text_of(row, "model"), "humanoid") == 0)
                us = number_of(row, "us");
        }
        assert_true(fabs(number_of(ratio, "ratio") * us / 1e6 - 1) < 1e-6);
    }
    assert_int_equal(cJSON_GetArraySize(rows_of(json, "checks")), 3);
    cJSON_ArrayForEach(check, rows_of(json, "checks")) assert_string_equal(text_of(check, "check"), "pass");
    cJSON_Delete(json);
    remove_peer(folder);
}

TEST(a_missed_target_exits_1) {
    write_slow_peer("0.000001");
    struct output o = run("bench crowd --quick --json --check --threads 1 --characters 8 --scene stand");
    skip_without_files(&o);
    assert_int_equal(o.code, 1);
    cJSON *json = parse(&o);
    release(&o);
    assert_int_equal(cJSON_GetArraySize(rows_of(json, "checks")), 1);
    const cJSON *check = cJSON_GetArrayItem(rows_of(json, "checks"), 0);
    assert_string_equal(text_of(check, "check"), "FAIL");
    assert_int_equal(number_of(check, "value"), 70);
    cJSON_Delete(json);
    remove_peer(folder);
}

TEST(wrong_benchmarks_are_refused) {
    expect_failures("bench crwd => 2 did you mean 'crowd'?\n"
                    "bench crowd --model humanoit => 2 did you mean 'humanoid'?\n"
                    "bench crowd --scene stnd => 2 did you mean 'stand'?\n"
                    "bench crowd --lanes f32x99 => 2 'f32x99'\n"
                    "bench crowd --precision quad => 2 'quad'\n"
                    "bench crowd --products explicitt => 2 did you mean 'explicit'?\n"
                    "bench crowd --torque-limit -5 => 2 --torque-limit\n"
                    "bench crowd --characters 0 => 2 --characters\n"
                    "bench crowd --threads -2 => 2 --threads\n"
                    "bench crowd --solver maba => 2 unknown option '--solver'\n"
                    "bench crowd more => 2 'more'\n"
                    "bench crowd spd => 2 'spd' is one word too many\n");
}

/* ---------------------------------------------------------------------------------------------- capacity */

static const cJSON *method_of(const cJSON *json, const char *method) {
    const cJSON *row;
    cJSON_ArrayForEach(row, rows_of(json, "rows")) {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(row, "method"));
        if (name && strcmp(name, method) == 0) return row;
    }
    print_error("no method '%s'\n", method);
    fail();
    return NULL;
}

/* "1/240" */
static double step_of(const cJSON *row) {
    double over = 0;
    assert_int_equal(sscanf(text_of(row, "largest_dt"), "1/%lf", &over), 1);
    return 1 / over;
}

TEST(capacity_finds_the_largest_stable_steps) {
    char arguments[128], path[96];
    snprintf(arguments, sizeof arguments, "reproduce maba/capacity --quick --json --plot %s", folder);
    cJSON *json = run_json(arguments, 0);
    static const char *const methods[] = {"dense SPD", "sparse SPD", "MABA", "MABA, crowd"};
    for (int i = 0; i < 4; i++) {
        const cJSON *row = method_of(json, methods[i]);
        const double dt = step_of(row);
        assert_true(fabs(30 * dt - 1) < 1e-9); /* stable PD bears the largest that is tried */
        assert_true(number_of(row, "characters") > 0);
        assert_true(fabs(number_of(row, "characters") * number_of(row, "us") * 1e-6 / dt - 1) < 1e-6);
        const double paper = number_of(row, "paper_characters");
        assert_true(paper > 50 && paper < 400);
    }
    /* kd dt < 2 J bounds PD: the lighter of two sets of gains bears the larger step, neither that of stable PD. */
    const double stiff = step_of(method_of(json, "PD")),
                 soft = step_of(method_of(json, "PD, gains of 10 Hz"));
    assert_true(stiff < soft && soft < 1.0 / 1000);
    assert_true(cJSON_GetArraySize(rows_of(json, "claims")) >= 6);
    cJSON_Delete(json);
    snprintf(path, sizeof path, "%s/maba-capacity.svg", folder);
    char *svg = read_all(fopen(path, "rb"));
    assert_non_null(strstr(svg, "<svg"));
    free(svg);
    remove(path);
}

int main(void) {
    return run_tests_with_folder(folder, "SINEW_PEERS", "cli crowd");
}
