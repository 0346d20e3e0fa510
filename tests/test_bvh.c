/* BVH files: channel orders, axes, units, places, and what is wrong in them. */
#include "parse_helpers.h"
#include "clip_helpers.h"

#include "import/scan.h"

#include <time.h>

#define HEAD(offset, channels)                                                                               \
    "HIERARCHY\nROOT Hips\n{\n OFFSET " offset "\n CHANNELS " channels                                       \
    "\n JOINT Neck\n {\n  OFFSET 0 50 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  JOINT Head\n  {\n"    \
    "   OFFSET 0 20 0\n   CHANNELS 0\n   End Site\n   {\n    OFFSET 0 15 0\n   }\n  }\n }\n"                 \
    " JOINT LeftFoot\n {\n  OFFSET 10 -90 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n }\n}\n"
#define SIX "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"

static int warnings;
static char last_warning[512];

static void count_warning(void *user, const char *message) {
    (void)user;
    warnings++;
    snprintf(last_warning, sizeof last_warning, "%s", message);
}

static sn_clip *parse_and_count(const char *text) {
    sn_error error;
    sn_load_def options = sn_load_def_default();
    options.warn = count_warning;
    warnings = 0;
    sn_clip *clip = clip_from(text, strlen(text), "text", &options, &error);
    if (!clip) fail_msg("%s", error.message);
    return clip;
}

TEST(numbers_are_rounded_as_strtod_rounds_them) {
    static const char *const text[] = {"0",
                                       "-0.0",
                                       "1",
                                       ".0083333",
                                       "-.5",
                                       "7.",
                                       "1e22",
                                       "1e23",
                                       "9.27476e-16",
                                       "7.62852e-016",
                                       "123456789012345",
                                       "1234567890123456789",
                                       "0.1",
                                       "5e-324",
                                       "2.2250738585072011e-308",
                                       "1.7976931348623157e308",
                                       "0.000000000000000000001",
                                       "+3.25"};
    for (int i = 0; i < COUNT(text); i++) {
        double value;
        assert_true(sn__word_number((struct sn__word){text[i], (int)strlen(text[i])}, &value));
        const double expected = strtod(text[i], NULL);
        assert_memory_equal(&value, &expected, sizeof value);
    }
    for (int n = 0; n < 20000; n++) {
        char number[64];
        double value;
        snprintf(number, sizeof number, "%.*e", n % 18, noise() * pow(10, floor(30 * noise())));
        assert_true(sn__word_number((struct sn__word){number, (int)strlen(number)}, &value));
        assert_true(value == strtod(number, NULL));
    }
    static const char *const wrong[] = {"",    "-",   ".",     "e5",  "1e",  "1e+", "1.2.3", "0x10",
                                        "nan", "inf", "1e999", "--1", "1-2", "12a", "1e5.5"};
    for (int i = 0; i < COUNT(wrong); i++) {
        double value;
        assert_false(sn__word_number((struct sn__word){wrong[i], (int)strlen(wrong[i])}, &value));
    }
}

TEST(rotations_multiply_in_the_order_of_the_channels) {
    sn_clip *clip = parse_clip(HEAD("0 0 0", SIX) "MOTION\nFrames: 1\nFrame Time: 0.01\n"
                                                  "1 95 3 30 40 50 10 20 30 0 0 0\n");
    const sn_clip_def *def = sn_clip_data(clip);
    /* Y up to Z up is a quarter turn about X, so that Z X Y are -Y X Z */
    const double about[3][3] = {{0, -30, 0}, {40, 0, 0}, {0, 0, 50}};
    double expected[4];
    turn_by_degrees(about, 3, expected);
    assert_near_n(def->rotation, expected, 4, 1e-14);
    const double place[3] = {0.01, -0.03, 0.95};
    assert_near_n(def->position, place, 3, 1e-15);
    const double neck[3] = {0, 0, 0.5};
    assert_near_n(def->joint[joint_of(clip, "Neck")].offset, neck, 3, 1e-15);
    assert_int_equal(def->joint[joint_of(clip, "Head_end")].parent, joint_of(clip, "Head"));
    sn_clip_free(clip);
}

/* The one frame of a clip, which is freed, is what the usual way of writing it says. */
static void assert_means_the_usual(sn_clip *b) {
    sn_clip *a = parse_clip(HEAD("0 0 0", SIX) "MOTION\nFrames: 1\nFrame Time: 0.01\n"
                                               "1 95 3 30 40 50 10 20 30 0 0 0\n");
    assert_memory_equal(sn_clip_data(a)->position, sn_clip_data(b)->position, 3 * sizeof(double));
    assert_memory_equal(sn_clip_data(a)->rotation, sn_clip_data(b)->rotation,
                        4 * sizeof(double) * (size_t)sn_clip_data(a)->njoint);
    sn_clip_free(a);
    sn_clip_free(b);
}

TEST(a_root_that_gives_its_rotation_first_is_the_same) {
    sn_clip *b = parse_clip(HEAD(
        "0 0 0", "6 Zrotation Xposition Xrotation Yposition Yrotation Zposition") "MOTION\nFrames: 1\nFrame "
                                                                                  "Time: 0.01\n30 1 40 95 50 "
                                                                                  "3 10 20 30 0 0 0\n");
    assert_means_the_usual(b);
}

TEST(root_positions_are_absolute_unless_they_stay_near_zero) {
    sn_clip *absolute = parse_clip(HEAD("0 95 0", SIX) "MOTION\nFrames: 1\nFrame Time: 0.01\n"
                                                       "0 90 0 0 0 0 0 0 0 0 0 0\n");
    sn_clip *added = parse_clip(HEAD("0 95 0", SIX) "MOTION\nFrames: 1\nFrame Time: 0.01\n"
                                                    "0 2 0 0 0 0 0 0 0 0 0 0\n");
    assert_near(sn_clip_data(absolute)->position[2], 0.90, 1e-12);
    assert_near(sn_clip_data(added)->position[2], 0.97, 1e-12);
    sn_clip_free(absolute);
    sn_clip_free(added);
}

TEST(line_ends_tabs_and_byte_order_marks_do_not_matter) {
    sn_clip *b =
        parse_clip("\xef\xbb\xbf" HEAD("0\t0 0", SIX) "\r\nMOTION\r\nFrames:\t1\r\nFrame Time:\t.01\r\n\r\n"
                                                      "\t1 95 3\t30 40 50 10 2e1 30 0 0 0");
    assert_means_the_usual(b);
}

TEST(rows_too_many_or_too_few_are_told) {
    const char *row = "0 90 0 0 0 0 0 0 0 0 0 0\n";
    char text[4096];
    static const struct {
        int claimed, rows, frames;
        const char *tail;
    } cases[] = {{3, 3, 3, ""}, {3, 2, 2, ""}, {3, 5, 3, ""}, {3, 2, 2, "0 90 0\n"}};
    for (int i = 0; i < COUNT(cases); i++) {
        int length = snprintf(text, sizeof text, HEAD("0 0 0", SIX) "MOTION\nFrames: %d\nFrame Time: 0.01\n",
                              cases[i].claimed);
        for (int n = 0; n < cases[i].rows; n++)
            length += snprintf(text + length, sizeof text - (size_t)length, "%s", row);
        snprintf(text + length, sizeof text - (size_t)length, "%s", cases[i].tail);
        sn_clip *clip = parse_and_count(text);
        assert_int_equal(sn_clip_data(clip)->nframe, cases[i].frames);
        assert_int_equal(warnings > 0, i > 0);
        sn_clip_free(clip);
    }
}

TEST(names_that_come_twice_are_told_apart) {
    sn_clip *clip = parse_and_count("HIERARCHY\nROOT a b\n{\nOFFSET 0 0 0\nJOINT x\n{\nOFFSET 0 1 0\n}\n"
                                    "JOINT x\n{\nOFFSET 0 1 1\n}\n}\n");
    assert_int_equal(warnings, 2); /* the name, and that there is no motion */
    assert_string_equal(sn_clip_data(clip)->joint[0].name, "a_b");
    assert_string_equal(sn_clip_data(clip)->joint[2].name, "x_2");
    sn_clip_free(clip);
}

TEST(what_is_wrong_is_told_with_its_line) {
    assert_clip_refused("HIERARCHY\nROOT a\n{\nOFFSET 0 0\n}\n", "text:5: OFFSET needs 3 numbers");
    assert_clip_refused("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 9\n}\n", "text:5: CHANNELS '9'");
    assert_clip_refused("HIERARCHY\nROOT a\n{\nCHANNELS 2 Xrotation Xrotation\n}\n",
                        "text:4: channel 'Xrotation'");
    assert_clip_refused("HIERARCHY\nROOT a\n{\nCHANNELS 1 Wrotation\n}\n", "not known");
    assert_clip_refused("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n", "'}'");
    assert_clip_refused("HIERARCHY\nROOT a\n{\n}\nMOTION\nFrames: 1000000000\nFrame Time: 1\n",
                        "text:6: Frames:");
    assert_clip_refused("HIERARCHY\nROOT a\n{\n}\nMOTION\nFrames: -3\nFrame Time: 1\n", "text:6: Frames:");
    assert_clip_refused("HIERARCHY\nROOT a\n{\n}\nMOTION\nFrames: 3\nFrame Time: 0\n", "text:7: Frame Time:");
    assert_clip_refused(
        HEAD("0 0 0", SIX) "MOTION\nFrames: 2\nFrame Time: 1\n1 2 3\n1 2 3 4 5 6 7 8 9 10 11 12\n",
        "frame 1 has fewer numbers");
    assert_clip_refused(
        HEAD("0 0 0", SIX) "MOTION\nFrames: 1\nFrame Time: 1\n1 2 3 4 5 6 7 8 9 10 11 12 13\n",
        "frame 1 has more numbers");
    assert_clip_refused(HEAD("0 0 0", SIX) "MOTION\nFrames: 1\nFrame Time: 1\n1 2 x 4 5 6 7 8 9 10 11 12\n",
                        "'x' is not a number");
    char *text = malloc(2 << 20);
    int length = snprintf(text, 2 << 20, HEAD("0 0 0", SIX) "MOTION\nFrames: 1\nFrame Time: ");
    memset(text + length, '1', 1 << 20);
    text[length + (1 << 20)] = '\0';
    assert_clip_refused(text, "Frame Time:"); /* a number of a megabyte */
    length = snprintf(text, 2 << 20, "HIERARCHY\nROOT r\n{\n");
    for (int i = 0; i < 60000; i++)
        length += snprintf(text + length, (2 << 20) - (size_t)length, "JOINT j%d\n{\n", i);
    assert_clip_refused(text, "more than 4096 joints"); /* nested without end */
    free(text);
}

/* ----------------------------------------------------------------------------------------------------- real files */

/* Along the bones from a foot to the head, in metres. */
static double stature_of(const sn_clip *clip, const char *head, const char *foot) {
    const sn_clip_def *def = sn_clip_data(clip);
    double sum = 0;
    for (int i = joint_of(clip, head); i > 0; i = def->joint[i].parent)
        sum += dvec_length(def->joint[i].offset);
    for (int i = joint_of(clip, foot); i > 0; i = def->joint[i].parent)
        sum += dvec_length(def->joint[i].offset);
    return sum;
}

TEST(real_files_give_people_who_stand_upright) {
    SKIP_WITHOUT_DATA();
    static const struct {
        const char *path, *head, *foot;
        int njoint, nframe;
        double least, most;
    } file[] = {{"cmu_mocap/02_01.bvh", "Head", "LeftFoot", 38, 343, 1.3, 1.7},
                {"cmu_mocap/88_01.bvh", "Head", "LeftFoot", 38, 202, 1.2, 1.7},
                {"animated_drawings/cmu1_jumping_jacks.bvh", "Head", "LeftAnkle", 38, 125, 1.3, 1.7},
                {"animated_drawings/fair1_dab.bvh", "Head", "LeftFoot", 34, 339, 1.0, 1.8},
                {"animated_drawings/rokoko_jesse_dance.bvh", "Head", "LeftFoot", 73, 1007, 1.3, 1.8},
                {"threejs/pirouette.bvh", "head", "lFoot", 57, 591, 1.3, 1.8},
                {"makehuman/walk1.bvh", "Head", "Foot_L", 91, 14, 1.3, 1.8},
                {"makehuman/dance1.bvh", "Head", "Foot_L", 91, 1, 1.3, 1.8},
                {"makehuman/tpose.bvh", "head", "foot.L", 222, 1, 1.3, 2.0}};
    for (int i = 0; i < COUNT(file); i++) {
        sn_clip *clip = load_clip(data_path(file[i].path));
        const sn_clip_def *def = sn_clip_data(clip);
        const double stature = stature_of(clip, file[i].head, file[i].foot);
        assert_int_equal(def->njoint, file[i].njoint);
        assert_int_equal(def->nframe, file[i].nframe); /* without a T-pose at the start */
        if (stature < file[i].least || stature > file[i].most)
            fail_msg("%s: %g m from foot to head", file[i].path, stature);
        sn_clip_free(clip);
    }
}

TEST(toy_files_of_others_are_read) {
    SKIP_WITHOUT_DATA();
    static const struct {
        const char *path;
        int njoint, nframe;
        double step;
    } file[] = {{"fairmotion/sinusoidal.bvh", 4, 120, 1.0 / 60},
                {"pybvh/rotation_first_root.bvh", 6, 4, 0.04},
                {"pybvh/full_precision_frame_time.bvh", 3, 3, 0.0417083750417},
                {"momentum/simple.bvh", 6, 3, 0.033333}};
    for (int i = 0; i < COUNT(file); i++) {
        sn_clip *clip = load_clip(data_path(file[i].path));
        assert_int_equal(sn_clip_data(clip)->njoint, file[i].njoint);
        assert_int_equal(sn_clip_data(clip)->nframe, file[i].nframe);
        assert_near(sn_clip_data(clip)->time[1], file[i].step, 1e-15);
        sn_clip_free(clip);
    }
}

TEST(makehuman_places_are_added_or_absolute_as_they_should) {
    SKIP_WITHOUT_DATA();
    sn_clip *walk = load_clip(data_path("makehuman/walk1.bvh")),
            *dance = load_clip(data_path("makehuman/dance1.bvh"));
    assert_near(sn_clip_data(walk)->position[2], 0.9557, 1e-3);
    assert_near(sn_clip_data(dance)->position[2], 0.0875427, 1e-7);
    sn_clip_free(walk);
    sn_clip_free(dance);
}

int main(void) {
    return run_all("bvh");
}
