/* Motions written as numbers for one character: tables and frames in its own order. */
#include "clip_helpers.h"
#include "room.h"

static char path[] = "/tmp/sinew-poses-XXXXXX";
static FILE *file;

static void begin(void) {
    file = fopen(path, "w");
    assert_non_null(file);
}

static sn_motion *load(const sn_model *model) {
    sn_error error;
    fclose(file);
    sn_motion *motion = sn_motion_load(path, model, NULL, &error);
    if (!motion) fail_msg("%s", error.message);
    return motion;
}

static void assert_poses_refused(const sn_model *model, const char *text, const char *part) {
    sn_error error;
    begin();
    fputs(text, file);
    fclose(file);
    assert_null(sn_motion_load(path, model, NULL, &error));
    assert_message_has(&error, part);
}

/* A pose that differs from frame to frame in every degree of freedom. */
static void pose_at(const sn_model *model, int frame, double *dv, double *q) {
    for (int i = 0; i < sn_model_get(model)->nv; i++)
        dv[i] = 0.3 * sin(0.7 * frame + 1.3 * i);
    sn_model_zero_pose(model, q);
    sn_model_pose_add(model, 1, q, dv, q);
}

static void assert_follows(const sn_model *model, const sn_motion *motion, int frames, double step) {
    double dv[256], q[256], at[256];
    assert_near(sn_motion_get(motion)->duration, (frames - 1) * step, 1e-9);
    for (int k = 0; k < frames; k++) {
        pose_at(model, k, dv, q);
        sn_motion_sample(motion, k * step, at, NULL);
        sn_model_pose_subtract(model, 1, at, q, dv);
        for (int i = 0; i < sn_model_get(model)->nv; i++)
            assert_near(dv[i], 0, 1e-9);
    }
}

TEST(tables_of_poses_and_of_degrees_of_freedom_are_read_for_built_in_characters) {
    static const char *const name[] = {"dog", "snake36", "humanoid"};
    for (int m = 0; m < COUNT(name); m++)
        for (int kind = 0; kind < 4; kind++) { /* q or v, with or without time */
            sn_model *model = sn_builtin_create(name[m], NULL);
            double dv[256], q[256];
            begin();
            fprintf(file, "# written by hand\n# rate 20\n");
            for (int k = 0; k < 5; k++) {
                pose_at(model, k, dv, q);
                if (kind & 1) fprintf(file, "%.17g%s", 0.1 * k, m ? " " : ", ");
                const int count = kind & 2 ? sn_model_get(model)->nv : sn_model_get(model)->nq;
                for (int i = 0; i < count; i++)
                    fprintf(file, "%.17g%s", (kind & 2 ? dv : q)[i], i == count - 1 ? "\n" : m ? " " : ",");
            }
            sn_motion *motion = load(model);
            assert_false(sn_motion_get(motion)->loops);
            assert_follows(model, motion, 5, kind & 1 ? 0.1 : 0.05);
            sn_motion_free(motion);
            sn_model_free(model);
        }
}

TEST(columns_may_be_named_in_any_order) {
    static const struct {
        const char *text, *why;
    } refused[] = {
        {"left_shin time knie\n1 2 3\n", "column 'knie'"}, {"1 2 3\n", "a row of 3 numbers"},
        {"left_shin time\n1 2 3\n", "3 numbers, not 2"},   {"left_shin time\n1 x\n", "'x' is not a number"},
        {"left_shin time\n", "not a single row"},          {"left_shin time\n1 2\n1 1\n", "time"}};
    sn_model *model = sn_builtin_create("humanoid", NULL);
    begin();
    fprintf(file, "# loop\nleft_shin;time;right_forearm;pelvis.2\n0.1;0;-0.2;0.9\n0.3;0.5;-0.4;0.95\n");
    sn_motion *motion = load(model);
    double q[64];
    assert_true(sn_motion_get(motion)->loops);
    sn_motion_sample(motion, 0.25, q, NULL);
    assert_near(q[sn_model_body(model, sn_model_find_body(model, "left_shin"))->q_index], 0.2, 1e-12);
    assert_near(q[sn_model_body(model, sn_model_find_body(model, "right_forearm"))->q_index], -0.3, 1e-12);
    assert_near(q[2], 0.925, 1e-12);
    sn_motion_free(motion);
    for (int i = 0; i < COUNT(refused); i++)
        assert_poses_refused(model, refused[i].text, refused[i].why);
    sn_model_free(model);
}

TEST(frames_of_other_robots_are_read_with_them) {
    sn_builder *builder = sn_builder_create();
    add(builder, "base", NULL, SN_JOINT_FREE);
    add(builder, "upper", "base", SN_JOINT_HINGE);
    add(builder, "lower", "upper", SN_JOINT_HINGE);
    sn_model *model = sn_builder_build(builder, NULL);
    double q[9];
    begin();
    fprintf(
        file,
        "{\"LoopMode\": \"Wrap\", \"FrameDuration\": 0.1, \"Frames\": [[1, 2, 3, 0, 0, 0.6, 0.8, 0.1, 0.2], "
        "[2, 2, 3, 0, 0, 0.6, 0.8, 0.3, 0.4]]}");
    sn_motion *motion = load(model);
    assert_true(sn_motion_get(motion)->loops);
    sn_motion_sample(motion, 0.05, q, NULL);
    const double wanted[9] = {1.5, 2, 3, 0.8, 0, 0, 0.6, 0.2, 0.3};
    assert_near_n(q, wanted, 9, 1e-12);
    sn_motion_free(motion);
    begin(); /* DeepMimic's way: durations, w first, Y up */
    fprintf(file, "{\"Loop\": \"none\", \"Frames\": [[0.1, 1, 3, -2, 0.8, 0, 0.6, 0, 0.1, 0.2], "
                  "[0, 2, 3, -2, 0.8, 0, 0.6, 0, 0.3, 0.4]]}");
    motion = load(model);
    sn_motion_sample(motion, 0.05, q, NULL);
    assert_near_n(q, wanted, 9, 1e-12);
    sn_motion_free(motion);
    sn_model_free(model);
    sn_builder_free(builder);
}

TEST(clips_are_carried_over_by_the_same_door) {
    SKIP_WITHOUT_DATA();
    sn_model *model = sn_builtin_create("humanoid", NULL);
    static const char *const clip[] = {"cmu_mocap/02_01.bvh", "fairmotion/11_01.amc",
                                       "deepmimic/motions/humanoid3d_walk.txt"};
    for (int i = 0; i < COUNT(clip); i++) {
        sn_motion *motion = sn_motion_load(data_path(clip[i]), model, NULL, NULL);
        assert_non_null(motion);
        assert_true(sn_motion_get(motion)->duration > 0.5);
        sn_motion_free(motion);
    }
    sn_model_free(model);
}

int main(void) {
    return run_all_with_file(path, "poses");
}
