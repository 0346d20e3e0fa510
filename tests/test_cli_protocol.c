/* `sinew bench protocol` from outside, with few worlds and steps. The other engine is played by a script that stays where it
 * starts. No test looks at how long anything took. */
#include "cli_helpers.h"

#include <math.h>
#include <stdbool.h>
#include <sys/stat.h>

static char folder[] = "/tmp/sinew-protocol-XXXXXX"; /* where the peer is looked for */
static char model[64], script[64];

enum { NQ = 9 };

static void write_whole_text(const char *path, const char *text) {
    write_whole(path, text, strlen(text));
}

/* A walker of three links with motors and a keyframe, its feet on the ground. */
static void make_model(void) {
    snprintf(model, sizeof model, "%s/walker.xml", folder);
    write_text(
        model,
        "<mujoco><compiler angle='radian'/><option timestep='.005'/>"
        "<default><geom type='capsule' size='.05'/><joint damping='.2' range='-1 1' "
        "limited='true'/></default>"
        "<worldbody><geom type='plane' size='9 9 1'/><body name='trunk' pos='0 0 .55'><freejoint/>"
        "<geom fromto='0 -.2 0 0 .2 0'/>"
        "<body name='left' pos='0 .2 0'><joint name='a' axis='0 1 0'/><geom fromto='0 0 0 0 0 -.5'/></body>"
        "<body name='right' pos='0 -.2 0'><joint name='b' axis='0 1 0'/><geom fromto='0 0 0 0 0 -.5'/></body>"
        "</body></worldbody><actuator>"
        "<motor joint='a' gear='20' ctrlrange='-1 1' ctrllimited='true'/>"
        "<motor joint='b' gear='20' ctrlrange='-1 1' ctrllimited='true'/></actuator>"
        "<keyframe><key qpos='0 0 .55 1 0 0 0 0 0'/></keyframe></mujoco>");
}

/* A peer whose worlds stay as the plan begins. */
static void make_peer(void) {
    char text[640];
    snprintf(script, sizeof script, "%s/peer_mujoco_protocol", folder);
    snprintf(text, sizeof text,
             "#!/bin/sh\nwhile [ $# -gt 0 ]; do case $1 in --worlds) w=$2;; --steps) s=$2;; --plan) p=$2;; "
             "--states) f=$2;; esac; shift; done\n[ -z \"$f\" ] || for i in $(seq $((w * s))); do head -c %d "
             "\"$p\"; "
             "done >\"$f\"\necho '{\"version\": \"9.9\", \"us_per_step\": 4, \"finite\": true}'\n",
             NQ * 8);
    write_whole_text(script, text);
    assert_int_equal(chmod(script, 0755), 0);
}

static cJSON *measure(void) {
    char arguments[256];
    make_model();
    snprintf(arguments, sizeof arguments,
             "bench protocol --scene humanoid --humanoid %s --worlds 20 --steps 8 --compare 2 --seconds .1 "
             "--threads 2 "
             "--repetitions 1 --json",
             model);
    cJSON *json = run_json(arguments, 0);
    remove(model);
    return json;
}

static double value(const cJSON *row, const char *key) {
    const cJSON *item = cJSON_GetObjectItem(row, key);
    if (!cJSON_IsNumber(item)) print_error("no number '%s'\n", key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

TEST(everything_is_in_the_answer) {
    make_peer();
    cJSON *json = measure();
    const cJSON *row, *rows = rows_of(json, "rows"), *distances = rows_of(json, "distances");
    int ours = 0;
    assert_int_equal(cJSON_GetArraySize(rows),
                     5); /* ground on one thread and on two, all contacts; and the peer's two */
    cJSON_ArrayForEach(row, rows) {
        assert_string_equal(text_of(row, "scene"), "humanoid");
        assert_true(fabs(value(row, "us") * value(row, "steps_per_s") - 1e6) < 1);
        assert_int_equal(value(row, "diverged"), 0);
        assert_true(value(row, "threads") >= 1);
        ours += strcmp(text_of(row, "engine"), "sinew") == 0;
    }
    assert_int_equal(ours, 3);
    static const char *const keys[] = {
        "quarter_rad", "quarter_mm",     "end_rad",           "end_mm",
        "fine_rad",    "fine_mm",        "other_quarter_rad", "other_quarter_mm",
        "depth_mm",    "worst_depth_mm", "fine_depth_mm",     "fine_worst_depth_mm"};
    assert_int_equal(cJSON_GetArraySize(distances), 4);
    cJSON_ArrayForEach(row, distances) {
        for (int i = 0; i < (int)(sizeof keys / sizeof *keys); i++)
            assert_true(value(row, keys[i]) >= 0);
        const bool mine = strcmp(text_of(row, "engine"), "sinew") == 0;
        /* Who stays where it starts is as far from its converged run as nothing, and as deep as the file: not at all. */
        assert_true(mine ? value(row, "end_mm") > 0 : value(row, "end_mm") == 0);
        assert_true(mine || value(row, "worst_depth_mm") < 1e-9);
        /* A tenth of a second of 5 ms steps against steps of a sixteenth: close, and the finer pair closer still. */
        assert_true(value(row, "end_rad") < 0.05);
        assert_true(!mine || value(row, "fine_rad") < value(row, "end_rad"));
    }
    cJSON_Delete(json);
    remove(script);
}

TEST(without_a_peer_our_rows_remain) {
    cJSON *json = measure();
    assert_int_equal(cJSON_GetArraySize(rows_of(json, "rows")), 3);
    assert_int_equal(cJSON_GetArraySize(rows_of(json, "distances")), 2);
    cJSON_Delete(json);
}

TEST(wrong_protocols_are_refused) {
    expect_failures("bench protocol --scene horse => 2 'horse'\n"
                    "bench protocol --worlds 0 => 2 '--worlds'\n"
                    "bench protocol twice => 2 'twice'\n"
                    "bench protocol --humanoid /nowhere.xml --scene humanoid => 1 /nowhere.xml\n");
}

int main(void) {
    return run_tests_with_folder(folder, "SINEW_PEERS", "cli protocol");
}
