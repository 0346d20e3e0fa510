/* Acclaim skeletons and motions, DeepMimic and motion_imitation motions. */
#include "clip/clip.h"
#include "clip_helpers.h"

#include "import/load.h"
#include "import/readers.h"
#include "import/source.h"

static const char skeleton[] =
    "# comment\n:version 1.10\n:name test\n:units\n  mass 1.0\n  length 0.45\n  angle deg\n"
    ":documentation\n  free text: begin end\n:root\n  order TX TY TZ RX RY RZ\n  axis XYZ\n"
    "  position 0 0 0\n  orientation 0 0 0\n:bonedata\n"
    "  begin\n id 1\n name thigh\n direction 0 -1 0\n length 9\n axis 0 0 20 XYZ\n"
    " dof rx ry rz\n limits (-160 20)\n (-70 70)\n (-60 70)\n end\n"
    "  begin\r\n id 2\r\n name shin\r\n direction 0 -1 0\r\n length 9e0\r\n"
    " axis 0 7.6e-016 20 XYZ\r\n dof rx\r\n end\r\n"
    ":hierarchy\n begin\n root thigh\n thigh shin\n end\n";

static sn_clip *read_pair(const char *asf, const char *amc, sn_error *error) {
    const sn_load_def options = sn_load_def_default();
    const struct sn__source one = {.text = asf, .size = strlen(asf), .path = "a.asf"},
                            two = {.text = amc, .size = strlen(amc), .path = "a.amc"};
    return sn__asf_amc_read(&one, &two, &options, error);
}

static void refuse_pair(const char *asf, const char *amc, const char *part) {
    sn_error error = {SN_OK, ""};
    assert_null(read_pair(asf, amc, &error));
    assert_message_has(&error, part);
}

TEST(angles_count_in_the_axes_of_the_bone) {
    sn_error error;
    sn_clip *clip = read_pair(skeleton,
                              ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 10 20 30 0 0 0\nthigh 15 25 35\nshin 40\n"
                              "2\nroot 11 20 30 0 90 0\nthigh 0 0 0\nshin 0\n",
                              &error);
    if (!clip) fail_msg("%s", error.message);
    const sn_clip_def *def = sn_clip_data(clip);
    const double unit = 0.0254 / 0.45, place[3] = {10 * unit, -30 * unit, 20 * unit},
                 bone[3] = {0, 0, -9 * unit};
    assert_int_equal(def->nframe, 2);
    assert_near(def->time[1], 1.0 / 120, 1e-15);
    assert_near_n(def->position, place, 3, 1e-15);
    assert_near_n(def->joint[joint_of(clip, "shin")].offset, bone, 3, 1e-15);
    assert_near_n(def->joint[joint_of(clip, "shin_end")].offset, bone, 3, 1e-15);
    /* C R C^-1, in the file's axes: C = Rz(20), R = Rz(35) Ry(25) Rx(15); then (x, y, z) -> (x, -z, y) */
    const double turns[5][3] = {{0, 0, 20}, {0, 0, 35}, {0, 25, 0}, {15, 0, 0}, {0, 0, -20}};
    double q[4];
    turn_by_degrees(turns, 5, q);
    const double expected[4] = {q[0], q[1], -q[3], q[2]};
    assert_near_n(def->rotation + 4 * joint_of(clip, "thigh"), expected, 4, 1e-14);
    sn_clip_free(clip);
}

TEST(a_skeleton_alone_is_one_frame_at_rest) {
    sn_clip *clip = parse_clip(skeleton);
    assert_int_equal(sn_clip_data(clip)->nframe, 1);
    assert_int_equal(sn_clip_data(clip)->njoint, 4);
    sn_clip_free(clip);
}

TEST(what_is_wrong_is_told_with_file_and_line) {
    refuse_pair(skeleton, "1\nroot 1 2 3 4 5 6\nthigh 1 2\n", "a.amc:3: bone 'thigh' has 2 values, not 3");
    refuse_pair(skeleton, "1\nroot 1 2 3 4 5 6\nshin 1 2\n", "a.amc:3: bone 'shin' has more than 1");
    refuse_pair(skeleton, "1\nfoot 1\n", "a.amc:2: there is no bone 'foot'");
    refuse_pair(skeleton, "root 1 2 3 4 5 6\n", "before the first frame");
    refuse_pair(skeleton, "# nothing\n", "there is no frame");
    refuse_pair(skeleton, "1\nshin x\n", "'x' is not a number");
    refuse_pair(":bonedata\nbegin\nname a\naxis 0 0 0 XXZ\nend\n", "1\n", "a.asf:4: 'XXZ'");
    refuse_pair(":bonedata\nbegin\nname a\ndof rx rx\nend\n", "1\n", "given twice");
    refuse_pair(":bonedata\nbegin\nname a\nend\nbegin\nname a\nend\n", "1\n", "two bones");
    refuse_pair(":bonedata\nbegin\nname a\nend\n", "1\n", "does not hang on the root");
    refuse_pair(":bonedata\nbegin\nname a\nend\nbegin\nname b\nend\n:hierarchy\na b\nb a\n", "1\n",
                "does not hang on the root");
    refuse_pair(":root\norder TX\n", "1\n", "there is no :bonedata");
    assert_clip_refused(":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 0 0 0\n", "ASF");
}

/* ----------------------------------------------------------------------------------------------------- real files */

static const char *const pairs[][2] = {
    {"Hips", "root"},          {"LeftUpLeg", "lfemur"},
    {"LeftLeg", "ltibia"},     {"LeftFoot", "lfoot"},
    {"LeftToeBase", "ltoes"},  {"RightUpLeg", "rfemur"},
    {"RightLeg", "rtibia"},    {"RightFoot", "rfoot"},
    {"RightToeBase", "rtoes"}, {"LowerBack", "lowerback"},
    {"Spine", "upperback"},    {"Spine1", "thorax"},
    {"Neck", "lowerneck"},     {"Neck1", "upperneck"},
    {"Head", "head"},          {"LeftShoulder", "lclavicle"},
    {"LeftArm", "lhumerus"},   {"LeftForeArm", "lradius"},
    {"LeftHand", "lwrist"},    {"RightShoulder", "rclavicle"},
    {"RightArm", "rhumerus"},  {"RightForeArm", "rradius"},
    {"RightHand", "rwrist"},
};

TEST(the_same_take_as_bvh_and_as_amc_is_the_same_motion) {
    SKIP_WITHOUT_DATA();
    sn_clip *bvh = load_clip(data_path("cmu_mocap/11_01.bvh"));
    sn_clip *amc = load_clip(data_path("fairmotion/11_01.amc"));
    const sn_clip_def *b = sn_clip_data(bvh), *a = sn_clip_data(amc);
    double worst = 0, apart = 0;
    assert_int_equal(b->nframe, a->nframe); /* the first of the BVH, a T-pose, is left out */
    for (int k = 0; k < a->nframe; k++) {
        for (int i = 0; i < COUNT(pairs); i++) {
            double p[4], q[4];
            global_rotation(bvh, k, joint_of(bvh, pairs[i][0]), p);
            global_rotation(amc, k, joint_of(amc, pairs[i][1]), q);
            worst = fmax(worst, angle_between(p, q));
        }
        for (int n = 0; n < 3; n++)
            apart = fmax(apart, fabs(b->position[3 * k + n] - a->position[3 * k + n]));
    }
    print_message("largest difference: %.2g rad, %.2g m\n", worst, apart);
    assert_true(worst < 1e-3);
    assert_true(apart < 1e-4);
    sn_clip_free(bvh);
    sn_clip_free(amc);
}

TEST(an_amc_without_its_skeleton_says_what_is_missing) {
    SKIP_WITHOUT_DATA();
    sn_error error;
    assert_null(sn_clip_load(data_path("dm_control/suite/demos/zeros.amc"), NULL, &error));
    assert_message_has(&error, "ASF");
    /* its bones are those of the CMU skeleton */
    char both[2100];
    snprintf(both, sizeof both, "%s+%s", data_path("fairmotion/11.asf"),
             data_path("dm_control/suite/demos/zeros.amc"));
    sn_clip *clip = load_clip(both);
    for (int i = 0; i < sn_clip_data(clip)->njoint; i++)
        assert_near(sn_clip_data(clip)->rotation[4 * i], 1, 1e-15);
    sn_clip_free(clip);
}

TEST(deepmimic_motions_have_the_length_that_their_durations_add_up_to) {
    SKIP_WITHOUT_DATA();
    static const struct {
        const char *name;
        int nframe;
        double length;
        bool loop;
    } file[] = {{"humanoid3d_walk", 39, 1.267, true},
                {"humanoid3d_backflip", 29, 1.75, true},
                {"humanoid3d_roll", 121, 2.016, true},
                {"humanoid3d_dance_b", 153, 2.533, true},
                {"humanoid3d_kick", 47, 1.533, false}};
    for (int i = 0; i < COUNT(file); i++) {
        char name[128];
        snprintf(name, sizeof name, "deepmimic/motions/%s.txt", file[i].name);
        sn_clip *clip = load_clip(data_path(name));
        const sn_clip_def *def = sn_clip_data(clip);
        assert_int_equal(def->nframe, file[i].nframe);
        assert_int_equal(def->loop, file[i].loop);
        assert_near(sn__clip_duration(clip), file[i].length, 1e-3);
        assert_near(def->position[0], 0, 0);
        assert_near(def->position[1], 0, 0);
        sn_clip_free(clip);
    }
}

TEST(a_deepmimic_walk_and_its_mirror_agree) {
    SKIP_WITHOUT_DATA();
    sn_clip *clip = load_clip(data_path("deepmimic/motions/long/humanoid3d_long_walk3.txt"));
    sn_clip *other = load_clip(data_path("deepmimic/motions/long/humanoid3d_long_walk3_mirror.txt"));
    sn_clip *mirror = sn__clip_mirror(clip, NULL);
    const sn_clip_def *a = sn_clip_data(mirror), *b = sn_clip_data(other);
    assert_int_equal(a->nframe, b->nframe);
    assert_near_n(a->position, b->position, 3 * a->nframe, 1e-12);
    for (int n = 0; n < a->nframe * a->njoint; n++)
        assert_near(angle_between(a->rotation + 4 * n, b->rotation + 4 * n), 0, 1e-6);
    sn_clip_free(clip);
    sn_clip_free(other);
    sn_clip_free(mirror);
}

TEST(deepmimic_files_that_are_not_right_are_refused) {
    assert_clip_refused("{\"Loop\": \"wrap\", \"Frames\": []}", "Frames");
    assert_clip_refused("{\"Loop\": \"wrap\", \"Frames\": [[1, 2, 3]]}", "3 numbers");
    assert_clip_refused("{\"LoopMode\": \"Wrap\", \"FrameDuration\": 0, \"Frames\": [[1]]}", "FrameDuration");
    assert_clip_refused("{\"LoopMode\": \"Wrap\", \"FrameDuration\": 0.1, \"Frames\": [[1]]}", "Frames[0]");
    assert_clip_refused("{\"LoopMode\": \"Round\", \"FrameDuration\": 0.1, \"Frames\": [[1]]}", "LoopMode");
}

int main(void) {
    return run_all("asf amc");
}
