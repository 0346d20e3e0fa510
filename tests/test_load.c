/* Recognising files, reading them, refusing what would hurt. */
#include "parse_helpers.h"
#include "file_helpers.h"
#include "room.h"

#include "import/json.h"
#include "import/load.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------------- recognising */

TEST(texts_of_no_known_format_are_refused) {
    static const char *const texts[][2] = {
        {"", "empty"},
        {" \n\t", "empty"},
        {"solid cube\nfacet", "is a mesh"},
        {"\x7f"
         "ELF",
         "not recognised"},
        {"<html></html>", "<html>"},
        {"<robot><link></robot>", "memory:1"},
        {"{}", "none of the keys"},
        {"[1, 2]", "none of the keys"},
        {"{\"format\": \"other\"}", "none of the keys"},
        {"{\"Frames\": []}", "DeepMimic motion, not a model"},
        {"{\"Frames\": [], \"LoopMode\": \"Wrap\"}", "motion_imitation clip, not a model"},
    };
    for (int i = 0; i < COUNT(texts); i++)
        assert_text_refused(texts[i][0], SN_ERROR_FORMAT, "memory", texts[i][1]);
}

TEST(models_are_not_clips) {
    static const char *const texts[] = {"<mujoco/>", "<robot/>", "{\"Skeleton\": 1}",
                                        "{\"PDControllers\": 1}", "{\"format\": \"sinew-model\"}"};
    for (int i = 0; i < COUNT(texts); i++) {
        sn_error error;
        assert_null(clip_from(texts[i], strlen(texts[i]), "memory", NULL, &error));
        assert_int_equal(error.status, SN_ERROR_FORMAT);
        assert_message_has(&error, "memory: is a");
        assert_message_has(&error, "not a clip");
    }
}

TEST(a_byte_order_mark_is_passed_over) {
    sn_model_free(
        parse_model("\xef\xbb\xbf{\"format\": \"sinew-model\", \"bodies\": [{\"name\": \"a\"}]}", NULL));
    sn_model_free(parse_model("\xef\xbb\xbf<robot><link name=\"a\"/></robot>", NULL));
}

TEST(arguments_are_checked) {
    sn_error error;
    assert_null(sn_model_load(NULL, NULL, &error));
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    assert_null(sn_clip_load(NULL, NULL, &error));
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    assert_null(model_from(NULL, 0, "x", NULL, &error)); /* without a text: the file of that name */
    assert_int_equal(error.status, SN_ERROR_FILE);
    assert_null(clip_from("x", 1, NULL, NULL, &error));
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    assert_null(sn_model_load(NULL, NULL, NULL));
}

/* ------------------------------------------------------------------------------------------------- files */

TEST(files_that_cannot_be_read_are_told_with_the_reason) {
    sn_error error;
    assert_null(sn_model_load(in_room("none.xml"), NULL, &error));
    assert_int_equal(error.status, SN_ERROR_FILE);
    assert_message_has(&error, "none.xml: cannot be read: No such file");
    assert_null(sn_model_load(room, NULL, &error));
    assert_int_equal(error.status, SN_ERROR_FILE);
    assert_message_has(&error, "cannot be read: ");
    assert_null(sn_clip_load(in_room("none.bvh"), NULL, &error));
    assert_int_equal(error.status, SN_ERROR_FILE);
    if (getenv("SINEW_TEST_SHORT")) return;
    assert_null(sn_model_load("/dev/zero", NULL, &error)); /* as long as one reads it */
    assert_int_equal(error.status, SN_ERROR_FILE);
    assert_message_has(&error, "larger than 256 MB");
}

TEST(a_file_may_have_a_plus_in_its_name) {
    write_text("a+b.json", "{\"format\": \"sinew-model\", \"bodies\": [{\"name\": \"a\"}]}");
    sn_error error;
    sn_model *model = sn_model_load(in_room("a+b.json"), NULL, &error);
    if (!model) fail_msg("%s", error.message);
    sn_model_free(model);
    remove(in_room("a+b.json"));
    assert_null(sn_model_load(in_room("a+b.json"), NULL, &error));
    assert_message_has(&error, "/a: cannot be read: ");
}

TEST(an_amc_needs_its_asf) {
    sn_error error;
    write_text("7_01.amc", ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 0 0 0\n");
    assert_null(sn_clip_load(in_room("7_01.amc"), NULL, &error));
    assert_message_has(&error, "7_01.amc: an AMC motion needs its ASF");
    write_text("7.asf", "# empty\n:version 1.10\n");
    write_text("71.asf", "# for others\n:version 1.10\n");
    assert_null(sn_clip_load(in_room("7_01.amc"), NULL, &error));
    assert_message_has(&error, "7.asf"); /* found, and wrong */
    write_text("7_0.asf", ":version 1.10\n");
    write_text("7_01.asf", ":version 1.10\n");
    assert_null(sn_clip_load(in_room("7_01.amc"), NULL, &error));
    assert_message_has(&error, "several ASF");
    assert_null(sn_clip_load(in_room("7.asf+71.asf"), NULL, &error));
    assert_message_has(&error, "71.asf: is an ASF skeleton, not a");
    static const char *const names[] = {"7_01.amc", "7.asf", "71.asf", "7_0.asf", "7_01.asf"};
    for (int i = 0; i < COUNT(names); i++)
        remove(in_room(names[i]));
}

/* ------------------------------------------------------------------------------------------------- bombs */

/* Of this program's own work, whatever else the machine does. */
static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A head, then a piece many times over, then a tail; refused, and soon. */
static void assert_bomb_refused(const char *head, const char *piece, int count, const char *tail,
                                const char *why) {
    size_t h = strlen(head), p = strlen(piece), t = strlen(tail), size = h + p * (size_t)count + t;
    const bool slow_machine = getenv("SINEW_TEST_SHORT") != NULL; /* valgrind */
    if (slow_machine && size > (4 << 20)) return;
    char *text = malloc(size);
    assert_non_null(text);
    memcpy(text, head, h);
    for (int i = 0; i < count; i++)
        memcpy(text + h + p * (size_t)i, piece, p);
    memcpy(text + size - t, tail, t);
    sn_error error = {0};
    double start = seconds();
    sn_model *model = model_from(text, size, "bomb", NULL, &error);
    if (model) fail_msg("the bomb '%s' was taken", piece);
    sn_clip *clip = clip_from(text, size, "bomb", NULL, NULL);
    if (clip) fail_msg("the bomb '%s' was taken", piece);
    if (seconds() - start > (slow_machine ? 100 : 5))
        fail_msg("the bomb '%s' took %g s", piece, seconds() - start);
    assert_message_has(&error, "bomb");
    assert_message_has(&error, why);
    free(text);
}

TEST(bombs_are_refused_soon) {
    assert_bomb_refused("", "[", 10000000, "", "in each other");
    assert_bomb_refused("", "{\"a\":", 1000000, "", "in each other");
    assert_bomb_refused("{\"Frames\": [", "1,", 9000000, "1]}", "more than");
    assert_bomb_refused("{\"Frames\": [", "1", 2000000, "]}", "");
    assert_bomb_refused("{\"format\": \"", "x", 9000000, "\"}", "none of the keys");
    assert_bomb_refused("{\"format\": \"sinew-model\", \"bodies\": [", "{\"name\": \"a\"},", 100000, "{}]}",
                        "too many");
    assert_bomb_refused("{\"format\": \"sinew-model\", \"bodies\": [{\"name\": \"a\", \"shapes\": [",
                        "{\"type\": \"sphere\", \"size\": [1]},", 70000,
                        "{\"type\": \"sphere\", \"size\": [1]}]}]}", "at most");
    assert_bomb_refused("{\"Skeleton\": {\"Joints\": [", "{\"Type\": \"none\"},", 100000, "{}]}}",
                        "too many");
    assert_bomb_refused("<robot>", "<link>", 1000000, "", "bomb");
    assert_bomb_refused("<robot>", "<link name=\"a\"/>", 400000, "</robot>", "bomb");
    assert_bomb_refused("<robot><link name=\"", "x", 1000000, "\"/></robot>", "bomb");
    assert_bomb_refused("<robot><link name=\"a\"><inertial><mass value=\"", "1", 1000000,
                        "\"/></inertial></link></robot>", "bomb");
    assert_bomb_refused("<!DOCTYPE r [<!ENTITY a \"", "x", 100000, "\">]><robot>&a;&a;&a;&a;</robot>",
                        "bomb");
}

/* Many links, each with its joint: in linear time, whether or not they make a model. */
TEST(long_chains_are_read_in_linear_time) {
    enum { LINKS = 4000 };
    size_t capacity = 400 * LINKS + 100, used = 0;
    char *text = malloc(capacity);
    assert_non_null(text);
    used += (size_t)snprintf(text + used, capacity - used, "<robot>");
    for (int i = 0; i < LINKS; i++) {
        used +=
            (size_t)snprintf(text + used, capacity - used,
                             "<link name=\"l%d\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" "
                             "izz=\"1\"/></inertial></link>",
                             i);
        if (i > 0)
            used +=
                (size_t)snprintf(text + used, capacity - used,
                                 "<joint name=\"j%d\" type=\"%s\"><parent link=\"l%d\"/><child link=\"l%d\"/>"
                                 "</joint>",
                                 i, i % 2 ? "fixed" : "continuous", i - 1, i);
    }
    snprintf(text + used, capacity - used, "</robot>");
    double start = seconds();
    sn_model *model = parse_model(text, NULL);
    assert_int_equal(sn_model_get(model)->nbody, LINKS / 2);
    assert_near(sn_model_get(model)->mass, LINKS, 1e-6);
    if (!getenv("SINEW_TEST_SHORT")) assert_true(seconds() - start < 2);
    sn_model_free(model);
    free(text);
}

/* -------------------------------------------------------------------------------------------------- JSON */

TEST(json_getters_name_the_way) {
    const char *text =
        "{\"a\": {\"b\": [{\"c\": 1.5, \"d\": \"x\", \"e\": true, \"n\": 1e10}]}, \"f\": [1, 2]}\n\0 ";
    sn_error error;
    struct cJSON *tree = sn__json_parse(text, strlen(text) + 2, "file", &error);
    assert_non_null(tree);
    struct sn__json root = sn__json_root(tree, "file"), a = sn__json_member(&root, "a"),
                    b = sn__json_member(&a, "b"), first = sn__json_first(&b), f = sn__json_member(&root, "f");
    double number = 7, pair[2];
    int whole = 7;
    bool truth = false;
    const char *string = "";
    assert_true(sn__json_double(&first, "c", &number, &error) && number == 1.5);
    assert_true(sn__json_double(&first, "absent", &number, &error) && number == 1.5);
    assert_true(sn__json_bool(&first, "e", &truth, &error) && truth);
    assert_true(sn__json_string(&first, "d", &string, &error) && strcmp(string, "x") == 0);
    assert_true(sn__json_numbers(&f, 2, pair, &error) && pair[1] == 2);
    assert_true(sn__json_is_array(&f) && !sn__json_is_object(&f) && sn__json_count(&f) == 2);
    assert_int_equal(sn__json_count(&first), 4);

    assert_false(sn__json_double(&first, "d", &number, &error));
    assert_string_equal(error.message, "file: a.b[0].d: should be a number, but is a text");
    assert_int_equal(error.status, SN_ERROR_FORMAT);
    assert_false(sn__json_int(&first, "c", &whole, &error));
    assert_string_equal(error.message, "file: a.b[0].c: 1.5 should be a whole number");
    assert_false(sn__json_int(&first, "n", &whole, &error));
    assert_false(sn__json_string(&first, "c", &string, &error));
    assert_false(sn__json_need(&first, "z", &error));
    assert_string_equal(error.message, "file: a.b[0]: key 'z' is missing");
    assert_false(sn__json_numbers(&f, 3, pair, &error));
    assert_false(sn__json_fail(&root, &error, "is wrong"));
    assert_string_equal(error.message, "file: is wrong");
    assert_false(sn__json_fail(&root, NULL, "is wrong"));
    sn__json_free(tree);
}

int main(void) {
    return run_all_between("load", make_room, leave_room);
}
