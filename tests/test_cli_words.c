/* sinew inspect, track and convert from outside: files that are not what they seem are named as what they are, and
   this is reported once. */
#include "cli_helpers.h"

/* Four seconds of a table for the built-in snake: its angles change, its root rests. */
static void write_table(const char *name) {
    FILE *file = fopen(in_room(name), "w");
    assert_non_null(file);
    for (int k = 0; k <= 120; k++) {
        fprintf(file, "%g,0,0.1,0,0,0,1", 0.001 * k);
        for (int i = 0; i < 30; i++)
            fprintf(file, ",%g", 0.2 * (k % 40) / 40.0);
        fprintf(file, "\n");
    }
    fclose(file);
}

static void write_robot(void) {
    FILE *file = fopen(in_room("chain.xml"), "w");
    assert_non_null(file);
    fprintf(file, "<mujoco><worldbody><body pos='0 0 .1'><freejoint/><geom size='.04'/>");
    for (int i = 0; i < 30; i++)
        fprintf(file, "<body name='b%d' pos='.1 0 0'><joint axis='0 0 1'/><geom size='.04'/>", i);
    for (int i = 0; i < 31; i++)
        fprintf(file, "</body>");
    fprintf(file, "</worldbody></mujoco>");
    fclose(file);
}

TEST(a_table_of_numbers_wants_its_character) {
    write_table("table.csv");
    write_robot();
    expect_failure("inspect table.csv", 1, "numbers of a character: name it");
    expect_said("inspect table.csv --character chain.xml --quaternion xyzw", "motion of chain.xml: 4 s");
    expect_failure("inspect table.csv --character humanoid", 1, "a row of 37 numbers");
    expect_failure("inspect table.csv --character chain.xml --quaternion zyxw", 2, "zyxw");
    write_text("frames.json",
               "{\"LoopMode\": \"Wrap\", \"FrameDuration\": 0.1, \"Frames\": [[1, 2], [3, 4]]}");
    expect_failure("inspect frames.json", 1, "those of another character are read together with it");
    remove(in_room("frames.json"));
}

TEST(pieces_of_a_table_are_followed) {
    write_table("table.csv");
    write_robot();
    cJSON *json = run_json("track chain.xml table.csv --start 1 --end 2.5 --json --no-record", 0);
    const double duration = number_of(json, "duration");
    assert_true(duration > 1.499 && duration < 1.501);
    cJSON_Delete(json);
    expect_failure("track chain.xml table.csv --start 5 --no-record", 1, "it lasts 4 s");
    remove(in_room("table.csv"));
    remove(in_room("chain.xml"));
}

/* How many times the text has the word. */
static int count_word(const char *text, const char *word) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        count++;
    return count;
}

static void assert_told_in_one_line(const char *verb, const char *name, const char *word) {
    char arguments[128];
    snprintf(arguments, sizeof arguments, "%s %s", verb, name);
    struct output output = run_expecting(arguments, 1);
    if (!strstr(output.err, word)) print_error("%s", output.err);
    assert_non_null(strstr(output.err, word));
    assert_int_equal(count_word(output.err, "\n"), 1);
    release(&output);
}

TEST(a_file_that_cannot_be_read_is_told_in_one_line) {
    enum { STRANGE = 4 }; /* number of files that are not text of a known kind */
    static const char *const file[][3] = {
        {"lfs.bvh", "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n", "git lfs pull"},
        {"a.fbx", "; FBX 7.4.0 project file\n", "an FBX file"},
        {"a.glb", "glTF\2", "a glTF file"},
        {"a.pkl", "(dp0\nVfps\np1\nI30\ns.", "a pickle"},
        {"a.xml", "<mujoco><worldbody><body><joint type='screw'/></body></worldbody></mujoco>", "screw"},
        {"a.bvh", "HIERARCHY\nROOT a\n{\nOFFSET 0 0\n}", "a.bvh"},
        {"a.txt", "once upon a time", "not recognised"},
    };
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        write_text(file[i][0], file[i][1]);
        assert_told_in_one_line("inspect", file[i][0], file[i][2]);
        if (i < STRANGE) assert_told_in_one_line("track humanoid", file[i][0], file[i][2]);
        remove(in_room(file[i][0]));
    }
}

/* Many meshes that are not there are one warning, whether masses come from them or not. */
TEST(meshes_are_told_once) {
    for (int weighs = 0; weighs < 2; weighs++) {
        char text[4096] = "<mujoco><asset>";
        for (int i = 0; i < 6; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "<mesh name='m%d' file='no%d.stl'/>", i,
                     i);
        strcat(text, "</asset><worldbody><body><freejoint/>");
        strcat(text, weighs ? "<geom size='.1'/>" : "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>");
        for (int i = 0; i < 6; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "<geom type='mesh' mesh='m%d'/>", i);
        strcat(text, "</body></worldbody></mujoco>");
        write_text("meshes.xml", text);
        struct output output = run_expecting("inspect meshes.xml --allow-missing-mesh", 0);
        assert_int_equal(count_word(output.err, "\n"), 1);
        assert_non_null(strstr(output.err, "5 meshes more"));
        assert_int_equal(count_word(output.err, "bodies lack the mass of 6 of them"), weighs);
        release(&output);
        remove(in_room("meshes.xml"));
    }
}

/* Somebody who lies on the floor, as the motion has it, has not fallen. */
TEST(who_lies_down_as_the_motion_does_has_not_fallen) {
    char text[8192] = "# quaternion wxyz\n";
    for (int k = 0; k <= 30; k++) { /* the chain rests on the floor, its root lower than its bodies' radius */
        snprintf(text + strlen(text), sizeof text - strlen(text), "0,0,0.03,1,0,0,0");
        for (int i = 0; i < 30; i++)
            strcat(text, ",0");
        strcat(text, "\n");
    }
    write_text("lies.csv", text);
    write_robot();
    cJSON *json = run_json("track chain.xml lies.csv --ground --json --no-record", 0);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(json, "fell")));
    cJSON_Delete(json);
    remove(in_room("lies.csv"));
    remove(in_room("chain.xml"));
}

int main(void) {
    return run_tests_in_room("cli words");
}
