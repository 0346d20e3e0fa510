/* sinew track, inspect, convert and reproduce --plot from outside: what they print, write and refuse. The
 * environment variable SINEW_COMMAND (or SINEW_CLI) names the program; SINEW_DATA, where it is set, a folder
 * that holds DeepMimic's characters and motions. */
#include "cli_helpers.h"

#include <dirent.h>
#include <math.h>
#include <stdbool.h>

static cJSON *json_file(const char *name) {
    char *text = read_text(name);
    cJSON *json = cJSON_ParseWithOpts(text, NULL, 1);
    assert_non_null(json);
    free(text);
    return json;
}

/* Runs "track ... --json" and returns the mean error of the end effectors, in m. */
static double track_error(const char *folder, const char *arguments) {
    char words[400];
    snprintf(words, sizeof words, "track %s --json --no-record", arguments);
    working_folder = folder;
    cJSON *json = run_json(words, 0);
    working_folder = room;
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(json, "diverged")));
    const cJSON *error = cJSON_GetObjectItem(json, "error");
    const double mean = number_of(error, "effector_mean"), max = number_of(error, "effector_max");
    const double joint = number_of(error, "joint_max"); /* rad: 3 would be turned round */
    const bool good = mean > 0 && mean <= max && isfinite(max) && joint < 3;
    if (!good) print_error("%s: %g m, %g m, %g rad\n", arguments, mean, max, joint);
    assert_true(good);
    assert_true(number_of(error, "joint_mean") <= joint);
    cJSON_Delete(json);
    return mean;
}

TEST(tracking_tells_how_well) {
    cJSON *json = run_json("track humanoid run --json --no-record", 0);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(json, "character")), "humanoid");
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(json, "clip")), "run");
    assert_int_equal(number_of(json, "nv"), 34);
    assert_int_equal(number_of(json, "steps"), 1200);
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(json, "diverged")));
    assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(json, "torque_peaks")) > 10);
    cJSON_Delete(json);
    assert_true(track_error(room, "humanoid run") < 0.005);
}

TEST(built_in_motions_are_stable_at_30_hertz) {
    static const char *const pairs[] = {
        "humanoid walk", "humanoid run", "humanoid cartwheel", "humanoid backflip", "dog pace",
        "dog trot",      "dog canter",   "snake36 slither",    "snake72 slither",   "snake195 slither"};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char arguments[128];
        double error[2];
        for (int p = 0; p < 2; p++) {
            snprintf(arguments, sizeof arguments, "%s --dt 1/30 --duration 5 --precision %s", pairs[i],
                     p ? "float" : "double");
            error[p] = track_error(room, arguments);
            /* A snake is held at its head alone and hangs down from there: only its joints keep near. */
            assert_true(error[p] < 0.1 || strncmp(pairs[i], "snake", 5) == 0);
        }
        assert_true(fabs(error[0] - error[1]) < 0.02 * error[0]);
    }
}

TEST(the_error_falls_with_the_step) {
    static const int hertz[] = {30, 60, 120, 240};
    double before = INFINITY;
    for (int i = 0; i < 4; i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "humanoid run --dt 1/%d", hertz[i]);
        const double error = track_error(room, arguments);
        assert_true(error < before);
        before = error;
    }
}

TEST(the_recording_has_60_frames_a_second) {
    expect_success("track humanoid walk --duration 2 --record r.json");
    cJSON *json = json_file("r.json");
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(json, "format")), "sinew-recording");
    assert_int_equal(number_of(json, "rate"), 60);
    assert_int_equal(number_of(json, "frames"), 2 * 60 + 1); /* what is in them: test_cli_recording */
    cJSON_Delete(json);
    assert_int_equal(count_partial(room), 0);
    remove(in_room("r.json"));
}

TEST(what_is_not_there_is_named) {
    expect_failures("track humanoit run --no-record => 1 humanoit\n"
                    "track humanoid rum --no-record => 1 rum\n"
                    "track dog walk --no-record => 1 walk\n"
                    "track humanoid run --record no/such/folder/r.json => 1 no/such/folder\n"
                    "inspect nothing.json => 1 nothing.json\n"
                    "convert nothing.json x.xml => 1 nothing.json\n"
                    "convert humanoid x.abc => 1 x.abc\n"
                    "track humanoid => 2 track\n"
                    "inspect => 2 inspect\n"
                    "convert humanoid => 2 convert\n"
                    "track humanoid run --sovler dense => 2 did you mean '--solver'?\n"
                    "track humanoid run --solver dnese => 2 did you mean 'dense'?\n"
                    "track humanoid run --form stabel => 2 did you mean 'stable'?\n"
                    "track humanoid run --precision half => 2 'half'\n"
                    "track humanoid run --dt 1/0 => 2 '1/0'\n"
                    "track humanoid run --dt -1 => 2 '-1'\n"
                    "track humanoid run --duration x => 2 'x'\n");
}

TEST(single_gains_work_or_are_refused) {
    const double stiff = track_error(room, "humanoid run");
    const double soft = track_error(room, "humanoid run --gain left_shin=300:30,right_shin=300:30");
    assert_true(soft > 1.1 * stiff);
    track_error(room, "humanoid walk --frequency 20 --damping 1");
    expect_failures("track humanoid run --no-record --gain shinbone=300:30 => 2 shinbone\n"
                    "track humanoid run --no-record --gain left_shin=300 => 2 left_shin\n"
                    "track humanoid run --no-record --gain left_shin=many:30 => 2 left_shin\n"
                    "track humanoid run --no-record --gain left_shin=-1:30 => 2 left_shin\n");
}

TEST(gains_that_a_form_cannot_bear_are_named) {
    struct output o = run_expecting(
        "track humanoid walk --no-record --dt 1/60 --duration 0.5 --gain left_shin=80000:100", 1);
    assert_non_null(strstr(o.err, "joint of 'left_shin': kp 80000 with kd 100 breaks kd >= kp dt"));
    assert_non_null(strstr(o.err, "use kd "));
    release(&o);
    o = run_expecting(
        "track humanoid walk --no-record --dt 1/60 --duration 0.5 --gain left_shin=80000:100 --widen", 0);
    assert_string_equal(o.err, "");
    release(&o);
    expect_failures("track humanoid walk --no-record --frequency 20 --dt 1/60 => 2 joint of '\n");
    track_error(room, "humanoid walk --frequency 20 --dt 1/60 --widen");
}

TEST(models_survive_their_conversion) {
    static const struct {
        const char *name;
        int nq, nv;
    } model[] = {
        {"humanoid", 43, 34}, {"dog", 0, 72}, {"snake36", 0, 36}, {"snake72", 0, 72}, {"snake195", 0, 195}};
    for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
        char arguments[96];
        snprintf(arguments, sizeof arguments, "inspect %s --json", model[i].name);
        cJSON *json = run_json(arguments, 0);
        assert_int_equal(number_of(json, "nv"), model[i].nv);
        assert_true(number_of(json, "nq") >= model[i].nv);
        if (model[i].nq) assert_int_equal(number_of(json, "nq"), model[i].nq);
        assert_true(number_of(json, "mass") > 1);
        snprintf(arguments, sizeof arguments, "convert %s x.json", model[i].name);
        expect_success(arguments);
        snprintf(arguments, sizeof arguments, "convert %s x.xml", model[i].name);
        expect_success(arguments);
        cJSON *own = run_json("inspect x.json --json", 0), *mjcf = run_json("inspect x.xml --json", 0);
        assert_true(cJSON_Compare(json, own, 1));
        assert_int_equal(number_of(mjcf, "nv"), model[i].nv);
        assert_true(fabs(number_of(mjcf, "mass") / number_of(json, "mass") - 1) < 1e-9);
        cJSON_Delete(json);
        cJSON_Delete(own);
        cJSON_Delete(mjcf);
        remove(in_room("x.json"));
        remove(in_room("x.xml"));
    }
}

static const char bvh[] = "HIERARCHY\n"
                          "ROOT hips\n{\n  OFFSET 0 0 0\n"
                          "  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                          "  JOINT spine\n  {\n    OFFSET 0 0.3 0\n"
                          "    CHANNELS 3 Zrotation Xrotation Yrotation\n"
                          "    End Site\n    {\n      OFFSET 0 0.3 0\n    }\n  }\n"
                          "  JOINT leg\n  {\n    OFFSET 0.1 -0.1 0\n"
                          "    CHANNELS 3 Zrotation Xrotation Yrotation\n"
                          "    End Site\n    {\n      OFFSET 0 -0.8 0\n    }\n  }\n}\n"
                          "MOTION\nFrames: 3\nFrame Time: 0.05\n"
                          "0 1 0 0 0 0 0 0 0 0 0 0\n"
                          "0 1 0.1 5 10 -5 20 0 10 -30 5 0\n"
                          "0 1 0.2 10 20 -10 40 0 20 -60 10 0\n";

/* Equal except for the rounding of numbers that were written as text in between. */
static void expect_near(const cJSON *a, const cJSON *b) {
    assert_int_equal(a->type, b->type);
    if (cJSON_IsNumber(a) && !(fabs(a->valuedouble - b->valuedouble) < 1e-6))
        print_error("%s: %.9g and %.9g\n", a->string ? a->string : "", a->valuedouble, b->valuedouble);
    if (cJSON_IsNumber(a)) assert_true(fabs(a->valuedouble - b->valuedouble) < 1e-6);
    if (cJSON_IsString(a)) assert_string_equal(a->valuestring, b->valuestring);
    assert_int_equal(cJSON_GetArraySize(a), cJSON_GetArraySize(b));
    const cJSON *other = b->child;
    for (const cJSON *item = a->child; item; item = item->next, other = other->next)
        expect_near(item, other);
}

TEST(a_clip_survives_its_conversion) {
    static const char *const files[] = {"in.bvh", "a.json", "b.bvh", "c.json", "again.json"};
    FILE *file = fopen(in_room("in.bvh"), "w");
    assert_non_null(file);
    fputs(bvh, file);
    fclose(file);
    expect_success("convert in.bvh a.json");
    expect_success("convert a.json again.json");
    expect_success("convert a.json b.bvh");
    expect_success("convert b.bvh c.json");
    cJSON *a = json_file("a.json"), *again = json_file("again.json"), *c = json_file("c.json");
    assert_true(cJSON_Compare(a, again, 1));
    expect_near(a, c);
    cJSON_Delete(a);
    cJSON_Delete(again);
    cJSON_Delete(c);
    for (int i = 0; i < 4; i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "inspect %s --json", files[i]);
        cJSON *json = run_json(arguments, 0);
        assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(json, "kind")), "clip");
        assert_int_equal(number_of(json, "nframe"), 3);
        assert_true(fabs(number_of(json, "duration") - 0.1) < 1e-6);
        assert_true(fabs(number_of(json, "frame_rate") - 20) < 1e-3);
        cJSON_Delete(json);
    }
    track_error(room, "in.bvh in.bvh"); /* a character made of the skeleton */
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        remove(in_room(files[i]));
}

TEST(figures_are_written) {
    static const char *const files[] = {"figures/new/maba-accuracy-figure5.svg",
                                        "figures/new/maba-accuracy-figure6.svg"};
    struct output o = run("reproduce maba/accuracy --quick --json --plot figures/new");
    assert_int_equal(o.code, 0);
    for (int i = 0; i < 2; i++) {
        char *text = read_all(fopen(in_room(files[i]), "rb"));
        assert_non_null(strstr(o.out, files[i]));
        assert_memory_equal(text, "<svg ", 5);
        assert_string_equal(text + strlen(text) - 7, "</svg>\n");
        assert_non_null(strstr(text, "MABA, qdd, float"));
        assert_null(strstr(text, "nan"));
        free(text);
    }
    release(&o);
    expect_failure("reproduce maba/accuracy --quick --plot figures/new/maba-accuracy-figure5.svg", 1,
                   "maba-accuracy-figure5.svg");
    for (int i = 0; i < 2; i++)
        remove(in_room(files[i]));
    rmdir(in_room("figures/new"));
    rmdir(in_room("figures"));
}

/* Tracks all humanoid motions of a folder at 30 Hz in both precisions; returns how many there are. */
static int track_folder(const char *data, const char *folder) {
    char path[1024], arguments[400];
    int count = 0;
    snprintf(path, sizeof path, "%s/%s", data, folder);
    DIR *list = opendir(path);
    assert_non_null(list);
    for (const struct dirent *entry; (entry = readdir(list));) {
        const char *ending = strrchr(entry->d_name, '.');
        if (strncmp(entry->d_name, "humanoid3d_", 11) != 0 || !ending || strcmp(ending, ".txt") != 0)
            continue;
        for (int p = 0; p < 2; p++) {
            snprintf(arguments, sizeof arguments,
                     "deepmimic/characters/humanoid3d.txt %s/%s --dt 1/30 --duration 5 --precision %s",
                     folder, entry->d_name, p ? "float" : "double");
            track_error(data, arguments);
        }
        count++;
    }
    closedir(list);
    return count;
}

TEST(captured_motions_are_stable_at_30_hertz) {
    const char *data = getenv("SINEW_DATA");
    if (!data || !*data) {
        print_message("SINEW_DATA is not set: captured motions are not tracked\n");
        skip();
    }
    const int count = track_folder(data, "deepmimic/motions") + track_folder(data, "deepmimic/motions/long");
    assert_int_equal(count, 27);
}

int main(void) {
    return run_tests_in_room("cli files");
}
