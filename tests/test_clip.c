/* Clips: what is accepted, sampling and its derivatives, new clips from old ones, own files. */
#include "clip_helpers.h"

#include "clip/clip.h"

#include "base/memory.h"

#include <unistd.h>

enum { JOINTS = 5, FRAMES = 7 };

static const char *const names[JOINTS] = {"root", "LeftArm", "RightArm", "Spine", "Spine_end"};

struct sample_data {
    sn_clip_joint joint[JOINTS];
    double time[FRAMES], position[3 * FRAMES], rotation[4 * JOINTS * FRAMES];
    sn_clip_def def;
};

static void fill(struct sample_data *data, bool loop) {
    for (int i = 0; i < JOINTS; i++) {
        data->joint[i] = (sn_clip_joint){names[i], i == 0 ? -1 : i == 4 ? 3 : 0, {0.1 * i, 0.2, 0.3}};
        if (i == 1) data->joint[i].offset[1] = 0.5;
        if (i == 2) data->joint[i].offset[0] = 0.1, data->joint[i].offset[1] = -0.5;
    }
    for (int k = 0; k < FRAMES; k++) {
        data->time[k] = k == 0 ? 0 : data->time[k - 1] + 0.1 + 0.05 * (k % 3);
        for (int n = 0; n < 3; n++)
            data->position[3 * k + n] = k + noise();
    }
    for (int n = 0; n < 4 * JOINTS * FRAMES; n++)
        data->rotation[n] = noise();
    for (int k = 0; k < FRAMES; k++) {
        double *end = data->rotation + 4 * (JOINTS * k + 4);
        end[0] = 1, end[1] = end[2] = end[3] = 0;
    }
    data->def = (sn_clip_def){sizeof(sn_clip_def), JOINTS,         FRAMES,         data->joint,
                              data->time,          data->position, data->rotation, loop};
}

static sn_clip *make_clip(bool loop) {
    struct sample_data data;
    sn_error error;
    fill(&data, loop);
    sn_clip *clip = sn_clip_create(&data.def, &error);
    if (!clip) fail_msg("%s", error.message);
    return clip;
}

/* ------------------------------------------------------------------------------------------------ what is accepted */

static void refuse(struct sample_data *data, const char *part) {
    sn_error error = {SN_OK, ""};
    assert_null(sn_clip_create(&data->def, &error));
    assert_int_not_equal(error.status, SN_OK);
    assert_message_has(&error, part);
    assert_null(sn_clip_create(&data->def, NULL));
    fill(data, false);
}

TEST(a_clip_that_is_not_right_is_refused) {
    struct sample_data data;
    fill(&data, false);
    data.joint[2].parent = 2;
    refuse(&data, "'RightArm': its parent 2");
    data.joint[3].parent = -1;
    refuse(&data, "'Spine'");
    data.joint[2].name = "LeftArm";
    refuse(&data, "two joints have the name 'LeftArm'");
    data.joint[2].name = "";
    refuse(&data, "empty");
    data.joint[2].offset[1] = (double)NAN;
    refuse(&data, "offset");
    data.time[0] = 0.1;
    refuse(&data, "not at 0");
    data.time[3] = data.time[2];
    refuse(&data, "frame 3");
    data.position[4] = (double)INFINITY;
    refuse(&data, "frame 1");
    memset(data.rotation + 4 * (JOINTS * 2 + 1), 0, 4 * sizeof(double));
    refuse(&data, "frame 2, joint 'LeftArm'");
    data.def.njoint = 0;
    refuse(&data, "needs");
}

TEST(quaternions_are_of_unit_length_and_do_not_jump_to_the_other_side) {
    sn_clip *clip = make_clip(false);
    const sn_clip_def *def = sn_clip_data(clip);
    for (int n = 0; n < JOINTS * FRAMES; n++) {
        const double *q = def->rotation + 4 * n, *before = q - 4 * JOINTS;
        assert_near(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 4e-15);
        if (n >= JOINTS)
            assert_true(q[0] * before[0] + q[1] * before[1] + q[2] * before[2] + q[3] * before[3] >= 0);
    }
    sn_clip_free(clip);
    sn_clip_free(NULL);
}

/* -------------------------------------------------------------------------------------------------------- sampling */

TEST(sampling_at_the_keys_gives_the_keys) {
    for (int loop = 0; loop < 2; loop++) {
        sn_clip *clip = make_clip(loop);
        const sn_clip_def *def = sn_clip_data(clip);
        double position[3], rotation[4 * JOINTS];
        for (int k = 0; k < FRAMES - loop; k++) {
            sn__clip_sample(clip, def->time[k], position, rotation, NULL, NULL);
            assert_memory_equal(position, def->position + 3 * k, sizeof position);
            assert_memory_equal(rotation, def->rotation + 4 * JOINTS * k, sizeof rotation);
        }
        sn_clip_free(clip);
    }
}

TEST(sampled_velocities_are_the_derivatives_of_sampled_poses) {
    const double d = 1e-6;
    for (int loop = 0; loop < 2; loop++) {
        sn_clip *clip = make_clip(loop);
        const double T = sn__clip_duration(clip);
        for (int n = 0; n < 400; n++) {
            const double t = (loop ? 4 * T : T) * 0.5 * (noise() + 1) - (loop ? 2 * T : 0);
            double p[2][3], q[2][4 * JOINTS], v[3], w[3 * JOINTS];
            bool near_key = false;
            for (int k = 0; k < FRAMES; k++)
                near_key |= fabs(remainder(t - sn_clip_data(clip)->time[k], T)) < 2 * d;
            if (near_key) continue;
            sn__clip_sample(clip, t - d, p[0], q[0], NULL, NULL);
            sn__clip_sample(clip, t + d, p[1], q[1], NULL, NULL);
            sn__clip_sample(clip, t, NULL, NULL, v, w);
            for (int k = 0; k < 3; k++)
                assert_near((p[1][k] - p[0][k]) / (2 * d), v[k], 1e-6);
            for (int j = 0; j < JOINTS; j++) {
                double turn[4], rate[3];
                dquat_conjugate(q[0] + 4 * j, turn);
                dquat_multiply(turn, q[1] + 4 * j, turn);
                dquat_log(turn, rate);
                for (int k = 0; k < 3; k++)
                    assert_near(rate[k] / (2 * d), w[3 * j + k], 1e-6);
            }
        }
        sn_clip_free(clip);
    }
}

TEST(a_clip_stands_still_outside_its_time) {
    sn_clip *clip = make_clip(false);
    const sn_clip_def *def = sn_clip_data(clip);
    double position[3], velocity[3], angular[3 * JOINTS];
    const double zero[3 * JOINTS] = {0};
    sn__clip_sample(clip, -1, position, NULL, velocity, angular);
    assert_memory_equal(position, def->position, sizeof position);
    assert_near_n(velocity, zero, 3, 0);
    assert_near_n(angular, zero, 3 * JOINTS, 0);
    sn__clip_sample(clip, 100, position, NULL, velocity, angular);
    assert_memory_equal(position, def->position + 3 * (FRAMES - 1), sizeof position);
    assert_near_n(velocity, zero, 3, 0);
    sn_clip_free(clip);
}

TEST(a_clip_that_loops_goes_on_from_where_it_ended_but_not_higher) {
    sn_clip *clip = make_clip(true);
    const sn_clip_def *def = sn_clip_data(clip);
    const double T = sn__clip_duration(clip), *first = def->position, *last = first + 3 * (FRAMES - 1);
    double here[3], there[3], q[2][4 * JOINTS];
    for (int round = -2; round < 3; round++) {
        sn__clip_sample(clip, 0.3, here, q[0], NULL, NULL);
        sn__clip_sample(clip, 0.3 + round * T, there, q[1], NULL, NULL);
        assert_near(there[0] - here[0], round * (last[0] - first[0]), 1e-9);
        assert_near(there[1] - here[1], round * (last[1] - first[1]), 1e-9);
        assert_near(there[2], here[2], 1e-9);
        assert_near_n(q[0], q[1], 4 * JOINTS, 1e-9);
    }
    sn_clip_free(clip);
}

/* --------------------------------------------------------------------------------------------------------- editing */

static void assert_same_clip(const sn_clip *a, const sn_clip *b, double tolerance) {
    const sn_clip_def *x = sn_clip_data(a), *y = sn_clip_data(b);
    assert_int_equal(x->njoint, y->njoint);
    assert_int_equal(x->nframe, y->nframe);
    assert_int_equal(x->loop, y->loop);
    for (int i = 0; i < x->njoint; i++) {
        assert_string_equal(x->joint[i].name, y->joint[i].name);
        assert_int_equal(x->joint[i].parent, y->joint[i].parent);
        assert_near_n(x->joint[i].offset, y->joint[i].offset, 3, tolerance);
    }
    assert_near_n(x->time, y->time, x->nframe, tolerance);
    assert_near_n(x->position, y->position, 3 * x->nframe, tolerance);
    for (int n = 0; n < x->njoint * x->nframe; n++)
        if (tolerance > 0)
            assert_near(angle_between(x->rotation + 4 * n, y->rotation + 4 * n), 0, tolerance);
        else
            assert_memory_equal(x->rotation + 4 * n, y->rotation + 4 * n, 4 * sizeof(double));
}

TEST(resampling_keeps_length_and_ends) {
    sn_clip *clip = make_clip(true), *even = sn__clip_resample(clip, 100, NULL);
    const sn_clip_def *a = sn_clip_data(clip), *b = sn_clip_data(even);
    assert_near(sn__clip_duration(clip), sn__clip_duration(even), 0);
    assert_true(b->loop);
    assert_int_equal(b->nframe, (int)floor(100 * sn__clip_duration(clip) + 1.5));
    assert_memory_equal(a->position, b->position, 3 * sizeof(double));
    assert_memory_equal(a->position + 3 * (FRAMES - 1), b->position + 3 * (b->nframe - 1),
                        3 * sizeof(double));
    assert_null(sn__clip_resample(clip, 0, NULL));
    assert_null(sn__clip_resample(clip, 1e12, NULL));
    sn_clip_free(clip);
    sn_clip_free(even);
}

TEST(mirroring_twice_gives_the_clip_again) {
    sn_clip *clip = make_clip(false), *once = sn__clip_mirror(clip, NULL),
            *twice = sn__clip_mirror(once, NULL);
    assert_same_clip(clip, twice, 0);
    const sn_clip_def *a = sn_clip_data(clip), *b = sn_clip_data(once);
    const int left = joint_of(clip, "LeftArm"), right = joint_of(clip, "RightArm");
    const double *q = a->rotation + 4 * left, *r = b->rotation + 4 * right;
    const double expected[4] = {q[0], -q[1], q[2], -q[3]};
    assert_near_n(expected, r, 4, 0);
    assert_near(b->position[1], -a->position[1], 0);
    sn_clip_free(clip);
    sn_clip_free(once);
    sn_clip_free(twice);
}

TEST(names_of_both_sides_are_found) {
    static const char *const pair[][2] = {{"LeftArm", "RightArm"},
                                          {"left_hip", "right_hip"},
                                          {"mixamorig:LeftUpLeg", "mixamorig:RightUpLeg"},
                                          {"lfemur", "rfemur"},
                                          {"lShldr", "rShldr"},
                                          {"Hand_L", "Hand_R"},
                                          {"upperleg01.L", "upperleg01.R"}};
    for (int i = 0; i < COUNT(pair); i++) {
        clip_name other;
        assert_int_equal(sn__side_of(pair[i][0], other), 1);
        assert_string_equal(other, pair[i][1]);
        assert_int_equal(sn__side_of(pair[i][1], other), -1);
        assert_string_equal(other, pair[i][0]);
    }
    clip_name other;
    assert_int_equal(sn__side_of("Hips", other), 0);
}

TEST(blending_by_nothing_or_all_gives_one_of_the_clips) {
    sn_clip *a = make_clip(false), *b = make_clip(false), *even_a = sn__clip_resample(a, 50, NULL),
            *even_b = sn__clip_resample(b, 50, NULL), *mix;
    mix = sn__clip_blend(even_a, even_b, 0, NULL);
    assert_same_clip(mix, even_a, 1e-12);
    sn_clip_free(mix);
    mix = sn__clip_blend(even_a, even_b, 1, NULL);
    assert_same_clip(mix, even_b, 1e-7);
    sn_clip_free(mix);
    mix = sn__clip_blend(even_a, even_b, 0.5, NULL);
    for (int n = 0; n < JOINTS * 10; n++) {
        const double *p = sn_clip_data(even_a)->rotation + 4 * n, *q = sn_clip_data(even_b)->rotation + 4 * n,
                     *m = sn_clip_data(mix)->rotation + 4 * n;
        assert_near(angle_between(p, m), angle_between(m, q), 1e-7);
    }
    assert_null(sn__clip_blend(a, b, 2, NULL));
    sn_clip_free(mix);
    sn_clip_free(a);
    sn_clip_free(b);
    sn_clip_free(even_a);
    sn_clip_free(even_b);
}

TEST(warping_cutting_and_grounding_do_what_they_say) {
    sn_clip *clip = make_clip(false), *slow = sn__clip_warp(clip, 2, NULL),
            *piece = sn__clip_cut(clip, 0.2, 0.5, NULL), *ground = sn__clip_ground(clip, NULL);
    assert_near(sn__clip_duration(slow), 2 * sn__clip_duration(clip), 1e-15);
    assert_near(sn__clip_duration(piece), 0.3, 1e-12);
    double a[3], b[3], q[2][4 * JOINTS];
    sn__clip_sample(clip, 0.37, a, q[0], NULL, NULL);
    sn__clip_sample(slow, 0.74, b, q[1], NULL, NULL);
    assert_near_n(a, b, 3, 1e-9);
    assert_near_n(q[0], q[1], 4 * JOINTS, 1e-9);
    sn__clip_sample(piece, 0.17, b, q[1], NULL, NULL);
    assert_near_n(a, b, 3, 1e-9);
    double lowest = 1e9, place[3 * JOINTS], turn[4 * JOINTS];
    const sn_clip_def *def = sn_clip_data(ground);
    for (int k = 0; k < FRAMES; k++) {
        sn__clip_globals(def, def->position + 3 * k, def->rotation + 4 * JOINTS * k, place, turn);
        for (int i = 0; i < JOINTS; i++)
            lowest = fmin(lowest, place[3 * i + 2]);
    }
    assert_near(lowest, 0, 1e-12);
    assert_null(sn__clip_warp(clip, 0, NULL));
    assert_null(sn__clip_cut(clip, 0.5, 0.2, NULL));
    sn_clip_free(clip);
    sn_clip_free(slow);
    sn_clip_free(piece);
    sn_clip_free(ground);
}

/* --------------------------------------------------------------------------------------------------------- models */

TEST(a_skeleton_becomes_a_character_of_the_mass_asked_for) {
    sn_clip *clip = make_clip(false);
    sn_error error;
    sn_model *model = sn_clip_build_model(clip, 55, &error);
    if (!model) fail_msg("%s", error.message);
    assert_int_equal(sn_model_get(model)->nbody, JOINTS - 1); /* the tip has none */
    assert_near(sn_model_get(model)->mass, 55, 1e-9);
    assert_int_equal(sn_model_get(model)->nv, 6 + 3 * 3);
    assert_null(sn_clip_build_model(clip, 0, &error));
    sn_model_free(model);
    sn_clip_free(clip);
}

/* ------------------------------------------------------------------------------------------------------ own files */

/* An empty file: the name gets letters of its own before the ending. */
static void make_file(char *path, const char *ending) {
    const int file = mkstemps(path, (int)strlen(ending));
    assert_true(file >= 0);
    close(file);
}

TEST(own_files_give_back_the_same_bits) {
    char path[] = "/tmp/sinew_clip_XXXXXX.json";
    make_file(path, ".json");
    for (int loop = 0; loop < 2; loop++) {
        sn_clip *clip = make_clip(loop);
        assert_int_equal(sn_clip_save(clip, path, NULL), SN_OK);
        sn_clip *again = load_clip(path);
        assert_same_clip(clip, again, 0);
        sn_clip_free(clip);
        sn_clip_free(again);
    }
    unlink(path);
}

TEST(bvh_files_give_back_the_same_motion) {
    char path[] = "/tmp/sinew_clip_XXXXXX.bvh";
    make_file(path, ".bvh");
    sn_clip *uneven = make_clip(false), *clip = sn__clip_resample(uneven, 100, NULL);
    assert_int_equal(sn_clip_save(clip, path, NULL), SN_OK);
    sn_clip *again = load_clip(path);
    /* a clip's root has no offset when it comes from such a file */
    struct sn_clip *inside = clip;
    memset(inside->joint[0].offset, 0, sizeof inside->joint[0].offset);
    assert_same_clip(clip, again, 1e-7);
    assert_int_equal(sn_clip_save(clip, "nowhere.xyz", NULL), SN_ERROR_ARGUMENT);
    sn_clip_free(uneven);
    sn_clip_free(clip);
    sn_clip_free(again);
    unlink(path);
}

TEST(own_files_that_are_not_right_are_refused) {
    assert_clip_refused("{\"format\": \"sinew-clip\"}", "joints");
    assert_clip_refused("{\"format\": \"sinew-clip\", \"version\": 2}", "version");
    assert_clip_refused("{\"format\": \"sinew-clip\", \"joints\": [{\"parent\": 0}]}", "name");
    assert_clip_refused("{\"format\": \"sinew-clip\", \"joints\": [{\"name\": \"a\"}]}", "frames");
    assert_clip_refused("{\"format\": \"sinew-clip\", \"joints\": [{\"name\": \"a\"}],"
                        "\"frames\": [{\"time\": 0, \"rotation\": [1, 0, 0]}]}",
                        "frames[0].rotation");
    assert_clip_refused("{\"format\": \"sinew-clip\", \"joints\": [{\"name\": \"a\", \"parent\": 3}],"
                        "\"frames\": [{\"time\": 0, \"rotation\": [1, 0, 0, 0]}]}",
                        "'a': its parent");
}

/* A quarter of a circle of 2 m, looking where it goes: four rounds come back to where they began. */
TEST(a_loop_that_turns_goes_round_in_a_circle) {
    sn_clip *clip = quarter_circle();
    sn_model *model = sn_clip_build_model(clip, 10, NULL);
    sn_motion *motion = sn_motion_create(clip, model, NULL, NULL);
    for (int n = 0; n < 200; n++) {
        const double t = 0.05 * n, angle = M_PI / 2 * t, about[3] = {0, 0, angle};
        double p[3], q[4], v[3], turn[4], pose[7], speed[6];
        sn__clip_sample(clip, t, p, q, v, NULL);
        sn_motion_sample(motion, t, pose, speed);
        dquat_exp(about, turn);
        const double circle[3] = {2 * sin(angle), 2 - 2 * cos(angle), 0.9};
        const double along[3] = {M_PI * cos(angle), M_PI * sin(angle), 0};
        assert_near_n(p, circle, 3, 0.01); /* chords between keys */
        assert_near_n(pose, circle, 3, 0.01);
        assert_near(angle_between(q, turn), 0, 1e-9);
        assert_near(angle_between(pose + 3, turn), 0, 1e-9);
        for (int k = 0; k < 3; k++) {
            assert_near(v[k], along[k], 0.3);
            assert_near(speed[k], along[k], 0.3);
        }
    }
    sn_motion_free(motion);
    sn_model_free(model);
    sn_clip_free(clip);
}

/* Stands at 0.2 m, jumps, and once sinks through the floor by mistake. */
TEST(the_floor_is_where_somebody_stands) {
    enum { N = 200 };
    double time[N], low[N], height = -1;
    for (int k = 0; k < N; k++) {
        time[k] = 0.01 * k;
        low[k] = k < 100 ? 0.2 : 0.2 + 0.02 * (k - 100);
    }
    low[50] = -0.4;
    assert_int_equal(sn_floor_under(N, time, low, &height), SN_OK);
    assert_true(fabs(height - 0.2) < 1e-12);
    assert_int_equal(sn_floor_under(1, time, low, &height), SN_OK);
    assert_true(fabs(height - 0.2) < 1e-12);
    assert_int_equal(sn_floor_under(0, time, low, &height), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_floor_under(N, NULL, low, &height), SN_ERROR_ARGUMENT);
    time[7] = time[6];
    assert_int_equal(sn_floor_under(N, time, low, &height), SN_ERROR_ARGUMENT);
}

int main(void) {
    return run_all("clip");
}
