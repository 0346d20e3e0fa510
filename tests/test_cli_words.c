/* sinew inspect, track and convert from outside: files that are not what they seem are named as what they are, and told once. */
#include "cli_helpers.h"

static char room[] = "/tmp/sinew-test-XXXXXX"; /* where it runs and writes */

static void write_file(const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", room, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    fclose(file);
}

static void remove_file(const char *name) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", room, name);
    remove(path);
}

/* Four seconds of a table for the built-in snake: its angles change, its root rests. */
static void write_table(const char *name) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", room, name);
    FILE *file = fopen(path, "w");
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
    char path[128];
    snprintf(path, sizeof path, "%s/chain.xml", room);
    FILE *file = fopen(path, "w");
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
    write_file("frames.json",
               "{\"LoopMode\": \"Wrap\", \"FrameDuration\": 0.1, \"Frames\": [[1, 2], [3, 4]]}");
    expect_failure("inspect frames.json", 1, "those of another character are read together with it");
    remove_file("frames.json");
}

TEST(pieces_of_a_table_are_followed) {
    write_table("table.csv");
    write_robot();
    cJSON *json = run_json("track chain.xml table.csv --start 1 --end 2.5 --json --no-record", 0);
    const double duration = number_of(json, "duration");
    assert_true(duration > 1.499 && duration < 1.501);
    cJSON_Delete(json);
    expect_failure("track chain.xml table.csv --start 5 --no-record", 1, "it lasts 4 s");
    remove_file("table.csv");
    remove_file("chain.xml");
}

int main(void) {
    working_folder = room;
    return run_tests_with_folder(room, NULL, "cli words");
}
