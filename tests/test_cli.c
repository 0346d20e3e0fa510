/* The sinew command from outside: exit codes, messages, and the JSON it prints. The environment variable
 * SINEW_COMMAND (or SINEW_CLI) names the program. */
#include "cli_helpers.h"

TEST(help_and_version_succeed) {
    expect_said("--help", "reproduce");
    expect_said("help", "bench");
    expect_said("help reproduce", "--seed");
    expect_said("help bench", "--lanes");
    expect_said("reproduce --help", "--list");
    expect_said("bench -h", "--repetitions");
    expect_said("--version", "lanes: ");
}

TEST(unknown_things_are_named_and_exit_2) {
    expect_failures(
        " => 2 usage\n"
        "reprodce spd/toy => 2 unknown command 'reprodce'; did you mean 'reproduce'?\n"
        "--vresion => 2 did you mean '--version'?\n"
        "help nothing => 2 'nothing'\n"
        "reproduce spd/pendulm => 2 unknown experiment 'spd/pendulm'; did you mean 'spd/pendulum'?\n"
        "reproduce toy => 2 did you mean 'spd/toy'?\n"
        "reproduce spd/toy --jsn => 2 unknown option '--jsn'; did you mean '--json'?\n"
        "reproduce spd/toy --seed => 2 --seed\n"
        "reproduce spd/toy --seed=many => 2 'many'\n"
        "reproduce => 2 --list\n"
        "bench => 2 bench spd\n"
        "bench sdp => 2 did you mean 'spd'?\n"
        "bench spd --model humanoit => 2 unknown model 'humanoit'; did you mean 'humanoid'?\n"
        "bench spd --solver mabba => 2 did you mean 'maba'?\n"
        "bench spd --lanes f32x99 => 2 'f32x99'\n"
        "bench learn humanoid => 2 a character and a motion\n"
        "bench learn --threads none => 2 --threads\n"
        "reproduce spd/toy --minutes -1 => 2 --minutes\n"
        "bench spd --repetitions 0 => 2 --repetitions\n");
}

static const struct {
    const char *name;
    int done;
} listed[] = {
    {"spd/toy", 1},         {"spd/pendulum", 1},        {"spd/reactions", 1},   {"spd/keyframes", 1},
    {"spd/tinkertoy", 1},   {"spd/stability", 1},       {"maba/models", 1},     {"maba/accuracy", 1},
    {"maba/speed", 1},      {"maba/overhead", 1},       {"maba/capacity", 1},   {"maba/training", 1},
    {"maba/full", 1},       {"kokkevis/deltas", 1},     {"kokkevis/impact", 1}, {"kokkevis/contact", 1},
    {"kokkevis/limits", 1}, {"kokkevis/trajectory", 1}, {"pbad/energy", 1},     {"pbad/timestep", 1},
    {"pbad/optimizers", 1}, {"pbad/trajectories", 1},   {"pbad/control", 1},    {"sinew/products", 1},
};
enum { LISTED = sizeof listed / sizeof listed[0] };

TEST(the_list_names_all_experiments) {
    struct output o = run("reproduce --list --json");
    assert_int_equal(o.code, 0);
    cJSON *json = parse(&o), *list = cJSON_GetObjectItem(json, "experiments");
    assert_int_equal(LISTED, 24);
    assert_int_equal(cJSON_GetArraySize(list), LISTED);
    for (int i = 0; i < LISTED; i++) {
        const cJSON *entry = cJSON_GetArrayItem(list, i);
        assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(entry, "name")), listed[i].name);
        assert_true(cJSON_IsBool(cJSON_GetObjectItem(entry, "done")));
        assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItem(entry, "done")), listed[i].done);
        assert_true(cJSON_IsString(cJSON_GetObjectItem(entry, "paper")));
        assert_true(cJSON_IsString(cJSON_GetObjectItem(entry, "description")));
    }
    cJSON_Delete(json);
    release(&o);
    expect_said("reproduce --list", "kokkevis/trajectory");
}

static void check_rows(const cJSON *rows) {
    const cJSON *row, *value;
    assert_true(cJSON_IsArray(rows));
    assert_true(cJSON_GetArraySize(rows) > 0);
    cJSON_ArrayForEach(row, rows) {
        assert_true(cJSON_IsObject(row));
        cJSON_ArrayForEach(value, row) assert_false(cJSON_IsObject(value) || cJSON_IsArray(value)); /* flat */
    }
}

/* A claim states its bound and is judged by it. Bounds of time steps are texts, as steps are. */
static void check_bound(const cJSON *claim) {
    const cJSON *bound = cJSON_GetObjectItem(claim, "bound"), *ours = cJSON_GetObjectItem(claim, "ours");
    const cJSON *least = cJSON_GetObjectItem(bound, "least"), *most = cJSON_GetObjectItem(bound, "most");
    const char *from = cJSON_GetStringValue(cJSON_GetObjectItem(bound, "from"));
    assert_true(from && strstr("paper promise measured rounding", from));
    assert_false(cJSON_IsNull(least) && cJSON_IsNull(most));
    const cJSON *holds = cJSON_GetObjectItem(claim, "holds");
    assert_true(cJSON_IsBool(holds));
    if (cJSON_IsString(ours)) return;
    const int within = cJSON_IsNumber(ours) &&
                       (cJSON_IsNull(least) || ours->valuedouble >= least->valuedouble) &&
                       (cJSON_IsNull(most) || ours->valuedouble <= most->valuedouble);
    assert_int_equal(cJSON_IsTrue(holds), within);
}

/* Runs an experiment and looks at the form of what it prints. */
static cJSON *run_experiment(const char *name) {
    char arguments[96];
    snprintf(arguments, sizeof arguments, "reproduce %s --quick --json", name);
    struct output o = run(arguments);
    if (o.code != 0) print_error("%s: %s\n", name, o.err);
    assert_int_equal(o.code, 0);
    assert_string_equal(o.err, "");
    cJSON *json = parse(&o);
    release(&o);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(json, "experiment")), name);
    assert_true(cJSON_IsObject(cJSON_GetObjectItem(json, "settings")));
    check_rows(cJSON_GetObjectItem(json, "rows"));
    const cJSON *claims = cJSON_GetObjectItem(json, "claims"), *claim;
    assert_true(cJSON_GetArraySize(claims) > 0);
    cJSON_ArrayForEach(claim, claims) {
        assert_true(cJSON_IsString(cJSON_GetObjectItem(claim, "claim")));
        assert_non_null(cJSON_GetObjectItem(claim, "paper"));
        assert_non_null(cJSON_GetObjectItem(claim, "ours"));
        check_bound(claim);
    }
    const char *closing = cJSON_GetStringValue(cJSON_GetObjectItem(json, "closing"));
    assert_true(closing && strlen(closing) > 40);
    return json;
}

TEST(every_done_experiment_prints_its_json) {
    for (int i = 0; i < LISTED; i++)
        if (listed[i].done) cJSON_Delete(run_experiment(listed[i].name));
}

static void all_claims_hold(const char *name) {
    cJSON *json = run_experiment(name);
    const cJSON *claim;
    cJSON_ArrayForEach(claim, cJSON_GetObjectItem(json, "claims")) {
        if (!cJSON_IsTrue(cJSON_GetObjectItem(claim, "holds")))
            print_error("%s: %s\n", name, cJSON_GetStringValue(cJSON_GetObjectItem(claim, "claim")));
        assert_true(cJSON_IsTrue(cJSON_GetObjectItem(claim, "holds")));
    }
    cJSON_Delete(json);
}

TEST(claims_of_toy_pendulum_and_models_hold) {
    all_claims_hold("spd/toy");
    all_claims_hold("spd/pendulum");
    all_claims_hold("maba/models");
}

TEST(the_same_seed_gives_the_same_output) {
    static const char *const arguments[] = {"reproduce spd/pendulum --quick --json --seed 7",
                                            "reproduce maba/accuracy --quick --json --seed 7"};
    for (int i = 0; i < 2; i++) {
        struct output a = run(arguments[i]), b = run(arguments[i]);
        assert_int_equal(a.code, 0);
        assert_string_equal(a.out, b.out);
        release(&a);
        release(&b);
    }
    struct output a = run(arguments[1]), b = run("reproduce maba/accuracy --quick --json --seed 8");
    assert_string_not_equal(a.out, b.out);
    release(&a);
    release(&b);
}

TEST(several_experiments_print_one_array) {
    struct output o = run("reproduce spd/toy maba/models --json");
    assert_int_equal(o.code, 0);
    cJSON *json = parse(&o);
    assert_int_equal(cJSON_GetArraySize(json), 2);
    cJSON_Delete(json);
    release(&o);
    expect_said("reproduce spd/toy", "holds");
}

TEST(bench_measures_what_it_is_asked_to) {
    struct output o = run("bench spd --quick --json --model humanoid --lanes f64");
    assert_int_equal(o.code, 0);
    cJSON *json = parse(&o);
    const cJSON *rows = cJSON_GetObjectItem(json, "rows"), *row;
    check_rows(rows);
    assert_true(cJSON_GetArraySize(rows) >= 4); /* five solvers with LAPACK */
    cJSON_ArrayForEach(row, rows) {
        assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(row, "model")), "humanoid");
        assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(row, "lanes")), "f64");
        assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(row, "precision")), "double");
        assert_int_equal(cJSON_GetObjectItem(row, "n")->valueint, 34);
        assert_int_equal(cJSON_GetObjectItem(row, "d")->valueint, 13);
        assert_true(cJSON_GetObjectItem(row, "us")->valuedouble > 0.0);
    }
    assert_true(cJSON_IsArray(cJSON_GetObjectItem(json, "growth")));
    assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(json, "ratios")) > 0);
    cJSON_Delete(json);
    release(&o);
}

TEST(an_interrupt_prints_what_was_measured) {
    struct output o = run_interrupted("bench spd --json --repetitions 1000 --model humanoid", 300);
    assert_int_equal(o.code, 130);
    cJSON *json = parse(&o);
    assert_true(cJSON_IsArray(cJSON_GetObjectItem(json, "rows")));
    assert_non_null(strstr(o.err, "interrupted"));
    cJSON_Delete(json);
    release(&o);
}

int main(void) {
    if (!find_command()) return 0;
    return run_all("cli");
}
