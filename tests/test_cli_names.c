/* Names that were meant, built-in motions, options of clips, motion for other programs, the manual page and completion. */
#include "cli_helpers.h"

#include <stdbool.h>

TEST(misspelt_names_are_put_right) {
    expect_failures("track humanoit run => 1 did you mean 'humanoid'?\n"
                    "track humanoid rum => 1 did you mean 'run'?\n"
                    "track humanoid zzzzzz => 1 walk, run, cartwheel\n"
                    "inspect snake63 => 1 snake36\n"
                    "convert trott x.bvh => 1 did you mean 'trot'?\n"
                    "track humanoid run --start 1 => 2 built-in motion 'run'\n"
                    "inspect walk --up q --json extra => 2 usage\n");
}

TEST(paths_in_messages_are_whole) {
    char path[700], words[900];
    memset(path, 'd', sizeof path);
    for (int i = 40; i < 340; i += 40)
        path[i] = '/';
    strcpy(path + 340, "/the-very-end.bvh");
    snprintf(words, sizeof words, "convert %s x.json", path);
    struct output o = run_expecting(words, 1);
    assert_non_null(strstr(o.err, path));
    release(&o);
}

TEST(built_in_motions_are_told_of_and_converted) {
    cJSON *json = run_json("inspect walk --json", 0);
    assert_string_equal(text_of(json, "character"), "humanoid");
    assert_true(number_of(json, "way") > 1);
    cJSON_Delete(json);
    expect_said("inspect --list", "slither    motion");
    expect_success("convert trot t.bvh");
    expect_success("convert trot t.json");
    expect_success("convert trot t.glb");
    json = run_json("inspect t.json --json", 0);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(json, "loop")));
    assert_int_equal(number_of(json, "nframe"), 31);
    cJSON_Delete(json);
    remove_names((const char *const[]){"t.bvh", "t.json", "t.glb", NULL});
}

TEST(a_run_is_recorded_as_bvh_and_gltf_and_converted_later) {
    expect_success("track humanoid walk --duration 1 --record r.json");
    expect_success("track humanoid walk --duration 1 --record r.bvh");
    expect_success("track humanoid walk --duration 1 --record r.glb");
    expect_success("convert r.json again.bvh");
    expect_success("convert r.json again.glb");
    cJSON *json = run_json("inspect again.bvh --up y --scale 1 --json", 0);
    assert_int_equal(number_of(json, "nframe"), 61);
    cJSON_Delete(json);
    FILE *file = fopen(in_room("r.glb"), "rb");
    char magic[5] = "";
    assert_int_equal(fread(magic, 1, 4, file), 4);
    assert_string_equal(magic, "glTF");
    fclose(file);
    remove_names((const char *const[]){"r.json", "r.bvh", "r.glb", "again.bvh", "again.glb", NULL});
}

TEST(clips_are_cut_eased_and_overruled) {
    expect_success("convert walk w.bvh");
    cJSON *json = run_json("inspect w.bvh --start 0.2 --end 0.7 --json", 0);
    assert_true(number_of(json, "duration") > 0.499 && number_of(json, "duration") < 0.501);
    cJSON_Delete(json);
    json = run_json("track humanoid w.bvh --start 0.2 --blend-in 0.4 --json", 0);
    assert_true(number_of(json, "limbs_apart") < 0.01);
    cJSON_Delete(json);
    expect_failures("track humanoid w.bvh --start 5 => 1 it lasts\n"
                    "inspect w.bvh --up q => 1 'q'\n"
                    "track humanoid w.bvh --start 3 --end 2 => 2 not before\n");
    struct output o = run_expecting("inspect w.bvh", 0);
    assert_non_null(strstr(o.err, "note: w.bvh: y is up, from the feet in motion; a unit is 1 m"));
    release(&o);
    remove_names((const char *const[]){"w.bvh", NULL});
}

TEST(a_run_after_a_clip_is_written_on_the_clips_own_skeleton) {
    static const char clip[] = "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition "
                               "Zposition Zrotation Xrotation Yrotation\n"
                               "JOINT LeftUpLeg\n{\nOFFSET 9 0 0\nCHANNELS 3 Zrotation Xrotation "
                               "Yrotation\nJOINT LeftLeg\n{\nOFFSET 0 -42 0\n"
                               "CHANNELS 3 Zrotation Xrotation Yrotation\nJOINT LeftFoot\n{\nOFFSET 0 -41 "
                               "0\nCHANNELS 3 Zrotation Xrotation "
                               "Yrotation\n}\n}\n}\nJOINT RightUpLeg\n{\nOFFSET -9 0 0\nCHANNELS 3 Zrotation "
                               "Xrotation Yrotation\nJOINT "
                               "RightLeg\n{\nOFFSET 0 -42 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT "
                               "RightFoot\n{\nOFFSET 0 -41 0\n"
                               "CHANNELS 3 Zrotation Xrotation Yrotation\n}\n}\n}\nJOINT Spine\n{\nOFFSET 0 "
                               "10 0\nCHANNELS 3 Zrotation "
                               "Xrotation Yrotation\nJOINT Head\n{\nOFFSET 0 60 0\nCHANNELS 3 Zrotation "
                               "Xrotation Yrotation\n}\n}\n}\n"
                               "MOTION\nFrames: 2\nFrame Time: 0.5\n"
                               "0 90 0 0 0 0 0 -10 0 0 5 0 0 0 0 0 10 0 0 5 0 0 0 0 0 0 0 0 0 0\n"
                               "0 90 0 0 0 0 0 10 0 0 5 0 0 0 0 0 -10 0 0 5 0 0 0 0 0 0 0 0 0 0\n";
    FILE *file = fopen(in_room("legs.bvh"), "w");
    fputs(clip, file);
    fclose(file);
    expect_success("track humanoid legs.bvh --record out.bvh");
    cJSON *json = run_json("inspect out.bvh --json", 0);
    const cJSON *joints = rows_of(json, "joints");
    assert_int_equal(cJSON_GetArraySize(joints), 9);
    assert_string_equal(cJSON_GetArrayItem(joints, 1)->valuestring, "LeftUpLeg");
    assert_int_equal(number_of(json, "nframe"), 31);
    cJSON_Delete(json);
    remove_names((const char *const[]){"legs.bvh", "out.bvh", NULL});
}

/* Lowers the root in one row of a BVH file by 0.9 m. */
static void lower_one_frame(const char *from, const char *to) {
    char line[4096];
    FILE *in = fopen(in_room(from), "r"), *out = fopen(in_room(to), "w");
    int row = -1000;
    while (fgets(line, sizeof line, in)) {
        double x, y;
        int used;
        if (strncmp(line, "Frame Time", 10) == 0) row = -1;
        if (row++ == 20 && sscanf(line, "%lf %lf%n", &x, &y, &used) == 2)
            fprintf(out, "%g %g%s", x, y - 0.9, line + used);
        else
            fputs(line, out);
    }
    fclose(in);
    fclose(out);
}

TEST(one_low_frame_does_not_sink_the_ground) {
    expect_success("convert walk w.bvh");
    lower_one_frame("w.bvh", "low.bvh");
    double height[2];
    for (int low = 0; low < 2; low++) {
        expect_success(low ? "track humanoid low.bvh --ground --record g.json"
                           : "track humanoid w.bvh --ground --record g.json");
        char *text = read_all(fopen(in_room("g.json"), "rb"));
        cJSON *json = cJSON_Parse(text);
        const cJSON *point = cJSON_GetObjectItem(cJSON_GetObjectItem(json, "ground"), "point");
        assert_true(cJSON_IsArray(point));
        height[low] = cJSON_GetArrayItem(point, 2)->valuedouble;
        cJSON_Delete(json);
        free(text);
    }
    assert_true(height[1] - height[0] < 1e-3 && height[0] - height[1] < 1e-3);
    remove_names((const char *const[]){"w.bvh", "low.bvh", "g.json", NULL});
}

/* The working folder of ctest is the source's. */
static bool succeeds(const char *line) {
    char words[1024];
    snprintf(words, sizeof words, line, command);
    const int status = system(words);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(the_manual_page_and_completion_know_all_commands) {
    if (access("scripts/man.sh", X_OK) != 0) skip();
    assert_true(succeeds(
        "scripts/man.sh %1$s >/tmp/sinew-man.1 && for c in track crowd run report render view inspect "
        "convert "
        "train play evaluate export reproduce plot bench; do grep -q \"^.SS $c$\" /tmp/sinew-man.1 || exit "
        "1; done; "
        "grep -q 'blend' /tmp/sinew-man.1"));
    remove("/tmp/sinew-man.1");
    if (!succeeds("command -v bash >/dev/null && test -x %1$s")) skip();
    assert_true(succeeds("bash -c '. completions/sinew.bash; COMP_WORDS=(%1$s trac); COMP_CWORD=1; _sinew; "
                         "[ \"${COMPREPLY[*]}\" = track ]'"));
    assert_true(succeeds(
        "bash -c '. completions/sinew.bash; COMP_WORDS=(%1$s track humanoid run --blen); COMP_CWORD=4; "
        "_sinew; [ \"${COMPREPLY[*]}\" = --blend-in ]'"));
    assert_true(
        succeeds("bash -c '. completions/sinew.bash; COMP_WORDS=(%1$s track humano); COMP_CWORD=2; _sinew; "
                 "[ \"${COMPREPLY[*]}\" = humanoid ]'"));
}

int main(void) {
    return run_tests_in_room("cli_names");
}
