/* What experiments claim, from outside: that bounds are near what is measured, that what does not hold is said, and that
 * nothing is left out. The environment variable SINEW_COMMAND (or SINEW_CLI) names the program. */
#include "cli_helpers.h"

#include <math.h>

static char folder[] = "/tmp/sinew-claims-XXXXXX"; /* where figures go */

/* The claim that goes on with these words; NULL: there is none. */
static const cJSON *find_claim(const cJSON *json, const char *words) {
    const cJSON *claim;
    cJSON_ArrayForEach(claim, cJSON_GetObjectItem(json, "claims")) {
        if (strstr(text_of(claim, "claim"), words)) return claim;
    }
    return NULL;
}

static const cJSON *claim_of(const cJSON *json, const char *words) {
    const cJSON *claim = find_claim(json, words);
    if (!claim) print_error("no claim '%s'\n", words);
    assert_non_null(claim);
    return claim;
}

static int holds(const cJSON *claim) {
    return cJSON_IsTrue(cJSON_GetObjectItem(claim, "holds"));
}

static double bound_of(const cJSON *claim, const char *end) {
    const cJSON *value = cJSON_GetObjectItem(cJSON_GetObjectItem(claim, "bound"), end);
    return cJSON_IsNumber(value) ? value->valuedouble : (double)NAN;
}

static const char *setting_of(const cJSON *json, const char *key) {
    const char *words = cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "settings"), key));
    if (!words) print_error("no setting '%s'\n", key);
    assert_non_null(words);
    return words;
}

/* Rows of the table whose name starts so. */
static int count_rows(const cJSON *json, const char *table) {
    const cJSON *row;
    int n = 0;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(json, "rows")) {
        n += strncmp(text_of(row, "table"), table, strlen(table)) == 0;
    }
    return n;
}

/* A bound that was set after measuring is no further than ten times from what is measured: whoever makes the physics
   better makes the bound narrower. */
static int is_near(const cJSON *claim) {
    const double ours = number_of(claim, "ours"), least = bound_of(claim, "least"),
                 most = bound_of(claim, "most");
    if (isnan(least)) return most <= 10 * fabs(ours);
    if (isnan(most)) return ours <= 10 * fabs(least);
    return most - least <= 10 * fabs(ours);
}

TEST(bounds_are_near_what_is_measured) {
    static const char *const names[] = {"spd/toy",          "spd/pendulum",    "kokkevis/impact",
                                        "kokkevis/contact", "kokkevis/limits", "kokkevis/trajectory",
                                        "spd/keyframes"};
    int far = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char arguments[96];
        snprintf(arguments, sizeof arguments, "reproduce %s --json", names[i]);
        cJSON *json = run_json(arguments, 0);
        const cJSON *claim;
        cJSON_ArrayForEach(claim, cJSON_GetObjectItem(json, "claims")) {
            const char *from = text_of(cJSON_GetObjectItem(claim, "bound"), "from");
            if (!holds(claim) || strcmp(from, "measured") != 0 || is_near(claim)) continue;
            print_error("%s: bound %g to %g, measured %g: %s\n", names[i], bound_of(claim, "least"),
                        bound_of(claim, "most"), number_of(claim, "ours"), text_of(claim, "claim"));
            far++;
        }
        cJSON_Delete(json);
    }
    assert_int_equal(far, 0);
}

TEST(hidden_damping_and_drives_are_named) {
    cJSON *json = run_json("reproduce kokkevis/trajectory --quick --json", 0);
    assert_non_null(strstr(setting_of(json, "hidden_damping"), "kd = 2"));
    assert_non_null(strstr(setting_of(json, "velocity_products"), "explicit"));
    cJSON_Delete(json);
    json = run_json("reproduce kokkevis/impact --quick --json", 0);
    assert_non_null(strstr(setting_of(json, "landing_damping"), "kd = 5"));
    assert_non_null(strstr(setting_of(json, "collision_drives"), "kp = 100, kd = 10"));
    cJSON_Delete(json);
    struct output o = run("reproduce kokkevis/trajectory --quick"); /* in whole, as text too */
    assert_non_null(strstr(o.out, "the pendulum has none"));
    assert_non_null(strstr(o.out, "bound at most 1 (paper)"));
    release(&o);
}

/* The paper says of friction along one tangent that it works fairly well; a standing humanoid creeps by centimetres. */
TEST(one_way_friction_creeps) {
    cJSON *json = run_json("reproduce kokkevis/contact --json", 0);
    static const char *const steppers[] = {"one tangent (eq. 19-21), event stepper",
                                           "one tangent (eq. 19-21), time stepper"};
    for (int i = 0; i < 2; i++) {
        const cJSON *claim = claim_of(json, steppers[i]);
        assert_false(holds(claim));
        assert_true(number_of(claim, "ours") > 5 && number_of(claim, "ours") < 100);
    }
    assert_true(holds(claim_of(json, "falls with its drives on comes to rest")));
    assert_non_null(strstr(text_of(json, "closing"), "creep"));
    cJSON_Delete(json);
}

/* What a corner of a driven foot weighs is another thing with M + K than with M alone, until the step is very small. */
TEST(impulses_by_the_mass_alone_stand_beside) {
    cJSON *json = run_json("reproduce kokkevis/impact --quick --json", 0);
    assert_false(holds(claim_of(json, "impulses are those of M alone")));
    assert_true(holds(claim_of(json, "M + K goes to M")));
    assert_int_equal(count_rows(json, "impulses by M alone"), 3 * 6);
    cJSON_Delete(json);
}

TEST(stiff_constraints_stay_on_their_curve) {
    cJSON *json = run_json("reproduce spd/tinkertoy --json", 0);
    static const char *const promised[] = {"2400 segments, 1/60 s, full form",
                                           "24 segments, 1/60 s, full form", "inside MABA as rows",
                                           "stable with kp = 1e6"};
    for (int i = 0; i < 4; i++)
        assert_true(holds(claim_of(json, promised[i])));
    assert_false(holds(claim_of(json, "2400 segments, 1/60 s, eq. 13")));
    assert_int_equal(count_rows(json, "sliding"), 2 * 2 * 4); /* helices, steps, ways */
    assert_non_null(strstr(text_of(json, "closing"), "v^2 dt^2 / r"));
    cJSON_Delete(json);
}

TEST(the_chart_of_stability_is_that_of_runs_and_of_the_check) {
    cJSON *json = run_json("reproduce spd/stability --quick --json", 0);
    static const char *const hold[] = {"runs of the library swing up",     "one degree of freedom",
                                       "6 degrees of freedom: of",         "runs of the library, 6",
                                       "with explicit Euler, kd >= kp dt", "kd >= 1.5 kp dt"};
    for (int i = 0; i < 6; i++)
        assert_true(holds(claim_of(json, hold[i])));
    assert_false(holds(claim_of(json, "semi-implicit Euler, kd >= kp dt")));
    cJSON_Delete(json);
}

TEST(limits_are_held_to_what_is_promised) {
    cJSON *json = run_json("reproduce kokkevis/limits --quick --json", 0);
    static const struct {
        const char *words;
        double most;
    } promised[] = {{"an elbow driven", 0.5},
                    {"a hinge with kp = 1e6", 0.5},
                    {"keep their limits by rows", 2},
                    {"keep their limits by implicit contact", 2}};
    for (int i = 0; i < 4; i++) {
        const cJSON *claim = claim_of(json, promised[i].words);
        assert_true(fabs(bound_of(claim, "most") - promised[i].most) < 1e-12);
        assert_string_equal(text_of(cJSON_GetObjectItem(claim, "bound"), "from"), "promise");
    }
    assert_int_equal(count_rows(json, "driven"), 2 * 3 * 4); /* scenes, ways, steps */
    assert_int_equal(count_rows(json, "undamped"), 3 * 4);
    cJSON_Delete(json);
}

/* The masses are a fit, and it says so. Two figures of two halves each. */
TEST(the_pendulum_tells_where_its_masses_come_from) {
    char arguments[128], path[128];
    static const char *const figures[] = {"figure2-left", "figure2-right", "figure3-left", "figure3-right"};
    snprintf(arguments, sizeof arguments, "reproduce spd/pendulum --quick --json --plot %s", folder);
    cJSON *json = run_json(arguments, 0);
    assert_non_null(strstr(setting_of(json, "masses_from"), "fit"));
    assert_int_equal(count_rows(json, "masses of the bobs"), 7);
    assert_int_equal(count_rows(json, "figure 2"), 2 * 12);
    assert_int_equal(count_rows(json, "figure 3"), 2 * 12);
    assert_true(holds(claim_of(json, "no pair of masses of the grid comes closer")));
    cJSON_Delete(json);
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/spd-pendulum-%s.svg", folder, figures[i]);
        char *svg = read_all(fopen(path, "rb"));
        assert_non_null(strstr(svg, "SPD_30000"));
        free(svg);
        remove(path);
    }
}

/* That other masses would give the paper's step is not a claim of the paper's. */
TEST(accuracy_claims_what_the_paper_does) {
    cJSON *json = run_json("reproduce maba/accuracy --quick --json", 0);
    assert_null(find_claim(json, "half the mass"));
    assert_int_equal(count_rows(json, "the dog with lighter leaf bodies"), 4); /* it stays among the rows */
    claim_of(json, "without a target velocity, which the paper's eq. 6 does not have (humanoid)");
    assert_true(holds(claim_of(json, "the nearer the run with 1/2400 s")));
    assert_non_null(strstr(text_of(json, "closing"), "kd / kp = 53 ms behind"));
    cJSON_Delete(json);
}

/* That explicit PD needs a smaller step than stable PD cannot fail, and is not a claim. */
TEST(capacity_claims_of_pd_can_fail) {
    cJSON *json = run_json("reproduce maba/capacity --quick --json", 0);
    assert_null(find_claim(json, "PD holds the fewest"));
    assert_null(find_claim(json, "PD needs a smaller step"));
    const cJSON *claim = claim_of(json, "bears the step at which damping starts to overshoot");
    assert_true(holds(claim) && bound_of(claim, "least") >= 1 && bound_of(claim, "most") <= 2);
    claim_of(json, "that track no worse");
    cJSON_Delete(json);
}

/* What a dense factorisation costs can be said of a few iterations; what it teaches cannot. */
TEST(trainings_are_kept_and_not_run_twice) {
    char arguments[256], path[128];
    snprintf(arguments, sizeof arguments, "reproduce maba/training --quick --json --data %s --plot %s",
             folder, folder);
    cJSON *json = run_json(arguments, 0);
    const int claims = cJSON_GetArraySize(cJSON_GetObjectItem(json, "claims"));
    assert_true(holds(claim_of(json, "begin alike")));
    assert_null(find_claim(json, "learn alike"));
    assert_true(holds(claim_of(json, "is stable up to 1/30 s on the ground (humanoid, run, its own gains)")));
    assert_true(count_rows(json, "humanoid, run") >= 3 && count_rows(json, "dog, canter") >= 3);
    cJSON_Delete(json);
    snprintf(path, sizeof path, "%s/maba-training.csv", folder);
    char *before = read_all(fopen(path, "rb")), *after;
    json = run_json(arguments, 0);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "claims")), claims);
    cJSON_Delete(json);
    after = read_all(fopen(path, "rb"));
    assert_string_equal(before, after); /* seconds included */
    free(before), free(after);
    snprintf(arguments, sizeof arguments, "reproduce maba/training --quick --seed 7 --data %s", folder);
    struct output o = run(arguments);
    assert_int_equal(o.code, 1);
    assert_non_null(strstr(o.err, "another plan"));
    release(&o);
    static const char *const files[] = {".csv", "-humanoid-samples.svg", "-humanoid-seconds.svg",
                                        "-dog-samples.svg", "-dog-seconds.svg"};
    for (int i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/maba-training%s", folder, files[i]);
        assert_int_equal(remove(path), 0);
    }
}

TEST(products_are_compared_in_both_precisions) {
    cJSON *json = run_json("reproduce sinew/products --quick --json", 0);
    assert_int_equal(count_rows(json, "spinning bodies"), 7 * 2 * 3); /* scenes, precisions, products */
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "claims")), 2 * 7);
    cJSON_Delete(json);
}

/* pbad-2018: the shape of the links is ours and said so; what its energies cannot do is said, too. */
TEST(position_based_steps_say_what_holds_and_what_does_not) {
    cJSON *json = run_json("reproduce pbad/energy --quick --json", 0);
    assert_non_null(strstr(setting_of(json, "links"), "not printed in the paper"));
    assert_int_equal(count_rows(json, "figure 2a"), 10);
    assert_int_equal(count_rows(json, "figure 2b"), 10);
    assert_int_equal(count_rows(json, "for comparison"), 20);
    assert_true(holds(claim_of(json, "Radau with two stages")));
    cJSON_Delete(json);
    json = run_json("reproduce pbad/trajectories --quick --json", 0);
    assert_true(holds(claim_of(json, "the same bits")));
    cJSON_Delete(json);
    json = run_json("reproduce pbad/control --quick --json", 0);
    assert_true(holds(claim_of(json, "cannot move the centre of mass")));
    assert_false(holds(claim_of(json, "swims under the paper's drag")));
    assert_true(holds(claim_of(json, "slows down by mu g")));
    assert_false(holds(claim_of(json, "equation 9 is friction")));
    assert_true(holds(claim_of(json, "the swimmer, optimised by CMA-ES, moves forward, position stepper")));
    assert_true(holds(claim_of(json, "the swimmer, optimised by CMA-ES, moves forward, time stepper")));
    assert_int_equal(count_rows(json, "figure 5b: the spider, optimised by policy gradients"), 2);
    cJSON_Delete(json);
    json = run_json("reproduce pbad/optimizers --quick --json", 0);
    assert_true(count_rows(json, "iterations of the mirrored sweep") > 0);
    assert_true(holds(claim_of(json, "left unsolved")));
    cJSON_Delete(json);
}

int main(void) {
    return run_tests_with_folder(folder, NULL, "cli claims");
}
