/* Policies that come with the project, by name: found, small enough, and still good at what they learned. */
#include "cli_helpers.h"

#include <stdbool.h>

static const char *const names[] = {"humanoid-walk", "humanoid-run", "dog-trot", "humanoid-stick"};
enum { NAMES = sizeof names / sizeof *names, MOTIONS = 3 }; /* the first ones follow motions */

/* Tests run in the project's folder, wherever the build is. */
static int share_policies(void **state) {
    char folder[4096];
    (void)state;
    return getcwd(folder, sizeof folder) && setenv("SINEW_SHARE", folder, 1) == 0 ? 0 : -1;
}

TEST(each_still_follows_its_motion) {
    const bool brief = getenv("SINEW_TEST_SHORT") != NULL;
    for (int i = 0; i < MOTIONS; i++) {
        char line[200];
        snprintf(line, sizeof line, "evaluate %s --json --episodes %d --seconds %d --least 0.85 --threads 1",
                 names[i], brief ? 2 : 16, brief ? 1 : 8);
        cJSON *json = run_json(line, 0);
        assert_true(number_of(json, "lasted") == number_of(json, "episodes"));
        cJSON_Delete(json);
    }
}

/* It stands, walks, runs, goes back and turns for as long as it is asked to, and keeps its feet when it is pushed. */
TEST(one_goes_where_a_stick_says) {
    static const char *const hold[] = {"0,0,0", "1.2,0,0", "3,0,0", "0,0.6,0", "0,0,1.5", "1.2,0,0.8"};
    const bool brief = getenv("SINEW_TEST_SHORT") != NULL;
    for (size_t i = 0; i < (brief ? 2 : sizeof hold / sizeof *hold); i++) {
        char line[200];
        snprintf(line, sizeof line,
                 "evaluate humanoid-stick --json --stick-hold %s --episodes %d --seconds %d --least 0.5 "
                 "--threads 1",
                 hold[i], brief ? 2 : 16, brief ? 1 : 8);
        cJSON *json = run_json(line, 0);
        assert_true(number_of(json, "lasted") == number_of(json, "episodes"));
        cJSON_Delete(json);
    }
    if (brief) return;
    cJSON *json =
        run_json("evaluate humanoid-stick --json --stick-hold 1.2,0,0 --episodes 16 --seconds 1 --push 250 "
                 "--standing 0.8",
                 0);
    cJSON_Delete(json);
    expect_failure("evaluate humanoid-walk --stick-hold 1,0,0", 2, "--stick-hold is for a policy of");
    expect_failure("evaluate humanoid-stick --stick-hold 1,x", 2, "is not a number");
}

TEST(each_has_300_kb_at_most) {
    for (int i = 0; i < NAMES; i++) {
        struct stat file;
        char path[200];
        snprintf(path, sizeof path, "policies/%s.sinew", names[i]);
        assert_int_equal(stat(path, &file), 0);
        assert_true(file.st_size > 1000 && file.st_size <= 300000);
    }
}

TEST(they_are_played_and_exported_by_name) {
    char path[64] = "/tmp/sinew_policy_XXXXXX.onnx";
    const int file = mkstemps(path, 5);
    assert_true(file >= 0);
    close(file);
    char line[200];
    expect_said("play dog-trot --seconds 0.5", "dog, trot: 0.5 s, mean reward 0.");
    snprintf(line, sizeof line, "export humanoid-walk %s", path);
    expect_said(line, "175 observations, 28 actions");
    unlink(path);
}

TEST(others_are_refused_with_what_there_is) {
    expect_failure("play humanoid-wlak", 1,
                   "did you mean 'humanoid-walk'?; there are humanoid-walk, humanoid-run");
    expect_failure("evaluate humanoid-walk --standing 0.9", 2, "--standing needs --push");
}

/* Weak pushes are survived by all, those that throw it over by none. */
TEST(pushes_are_counted) {
    if (getenv("SINEW_TEST_SHORT")) return;
    cJSON *json =
        run_json("evaluate humanoid-walk --json --episodes 8 --seconds 1 --push 10 --standing 1", 0);
    assert_true(number_of(json, "standing") == 1);
    cJSON_Delete(json);
    json = run_json("evaluate humanoid-walk --json --episodes 8 --seconds 1 --push 3000 --standing 0.5", 1);
    assert_true(number_of(json, "standing") == 0);
    cJSON_Delete(json);
}

int main(void) {
    return run_tests_in(NULL, "cli_policies", share_policies, NULL);
}
