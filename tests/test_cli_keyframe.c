/* Keyframes, reactions and falls from outside. The environment variable SINEW_COMMAND (or SINEW_CLI) names the program. */
#include "cli_helpers.h"

#include <math.h>
#include <unistd.h>

static char folder[] = "/tmp/sinew-keyframe-XXXXXX";

/* Six keys of the mouse, as examples/mouse_keyframes.json has them; the path of the file. */
static const char *write_keys(void) {
    static char path[128];
    snprintf(path, sizeof path, "%s/mouse.json", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("{\"format\": \"sinew-keyframes\", \"version\": 1, \"model\": \"mouse\", \"weights\": {\"body\": "
          "1000},\n"
          "\"keys\": [{\"time\": 0, \"pose\": {\"body\": [0, 0, 0.03, 1, 0, 0, 0]}},\n"
          "{\"time\": 1.2, \"pose\": {\"body\": [0.35, 0, 0.03, 1, 0, 0, 0]}},\n"
          "{\"time\": 2.4, \"pose\": {\"body\": [0.5, 0.25, 0.03, 0.6216, 0, 0, 0.7833]}}]}\n",
          file);
    fclose(file);
    return path;
}

TEST(keyframes_become_a_clip_and_tell_how_their_keys_are_met) {
    char arguments[512], path[160];
    const char *keys = write_keys();
    snprintf(path, sizeof path, "%s/mouse.bvh", folder);
    snprintf(arguments, sizeof arguments, "keyframe %s %s --json", keys, path);
    cJSON *json = run_json(arguments, 0);
    const cJSON *key;
    int n = 0;
    cJSON_ArrayForEach(key, cJSON_GetObjectItem(json, "keys")) {
        assert_true(number_of(key, "of_the_way") < 0.01);
        n++;
    }
    assert_int_equal(n, 3);
    cJSON_Delete(json);
    snprintf(arguments, sizeof arguments, "inspect %s", path);
    struct output o = run(arguments);
    assert_non_null(strstr(o.out, "tail14"));
    release(&o);
    snprintf(arguments, sizeof arguments, "keyframe %s --spline", keys);
    expect_said(arguments, "cubic splines");
    snprintf(arguments, sizeof arguments, "keyframe %s --form explicit --json", keys);
    json = run_json(arguments, 1); /* the classical PD diverges, and the exit code says so */
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(json, "diverged")));
    cJSON_Delete(json);
}

TEST(keyframes_that_cannot_be_used_are_told) {
    char arguments[512];
    struct output o = run("keyframe");
    assert_int_equal(o.code, 2);
    release(&o);
    o = run("keyframe /nowhere.json");
    assert_int_equal(o.code, 1);
    release(&o);
    snprintf(arguments, sizeof arguments, "keyframe %s --model dog", write_keys());
    o = run(arguments);
    assert_int_equal(o.code, 1);
    assert_non_null(strstr(o.err, "no body 'body'"));
    release(&o);
}

TEST(track_tells_when_a_character_falls) {
    cJSON *json = run_json("track humanoid walk --ground --free-root --kp 300 --kd 30 --duration 3 --dt "
                           "1/120 --no-record --json",
                           0);
    const double fell = number_of(json, "fell");
    assert_true(fell > 0.3 && fell < 2.5);
    assert_true(number_of(cJSON_GetObjectItem(json, "error"), "root_max") > 0.3);
    cJSON_Delete(json);
    json = run_json("track humanoid walk --ground --duration 1 --dt 1/120 --no-record --json", 0);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(json, "fell")));
    assert_true(number_of(cJSON_GetObjectItem(json, "error"), "root_max") < 0.1);
    cJSON_Delete(json);
}

/* What must hold of the two experiments; what does not is reported in their closing. */
TEST(reactions_and_keyframes_hold_what_is_promised) {
    static const char *const names[] = {"spd/reactions", "spd/keyframes"};
    static const int misses[] = {1, 1};
    for (int i = 0; i < 2; i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "reproduce %s --quick --json", names[i]);
        cJSON *json = run_json(arguments, 0);
        const cJSON *claim;
        int missed = 0;
        cJSON_ArrayForEach(claim, cJSON_GetObjectItem(json, "claims")) {
            const int holds = cJSON_IsTrue(cJSON_GetObjectItem(claim, "holds"));
            missed += !holds;
            if (!holds) print_message("%s: %s\n", names[i], text_of(claim, "claim"));
        }
        assert_int_equal(missed, misses[i]);
        assert_true(strlen(text_of(json, "closing")) > 100);
        cJSON_Delete(json);
    }
}

int main(void) {
    if (!find_command() || !mkdtemp(folder)) return 1;
    const int failed = run_all("keyframes and falls");
    char path[160];
    static const char *const left[] = {"mouse.json", "mouse.bvh"};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, left[i]);
        remove(path);
    }
    rmdir(folder);
    return failed;
}
