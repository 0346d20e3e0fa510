/* Motions: sampling in a model's q, and carrying clips over to models. */
#include "clip_helpers.h"

#include "motion/motion.h"

static sn_motion *carry(const sn_clip *clip, const sn_model *model, const char *map) {
    sn_error error;
    sn_motion *motion = sn_motion_create(clip, model, map, &error);
    if (!motion) fail_msg("%s", error.message);
    return motion;
}

static sn_model *builtin(const char *name) {
    sn_model *model = sn_builtin_create(name, NULL);
    assert_non_null(model);
    return model;
}

/* ---------------------------------------------------------------------------------------------------------- poses */

enum { KEYS = 6 };

static void random_poses(const sn_model *model, double *time, double *q) {
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv;
    double *dv = calloc((size_t)nv, sizeof *dv);
    for (int k = 0; k < KEYS; k++) {
        time[k] = k == 0 ? 0 : time[k - 1] + 0.1 * (1 + k % 2);
        sn_model_zero_pose(model, q + k * nq);
        for (int i = 0; i < nv; i++)
            dv[i] = noise();
        sn_model_pose_add(model, 1, q + k * nq, dv, q + k * nq);
    }
    free(dv);
}

TEST(a_motion_gives_back_its_keys_and_its_derivative) {
    sn_model *model = builtin("humanoid");
    double time[KEYS], q[KEYS * 64], at[64], v[64], a[64], b[64], dv[64];
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv;
    random_poses(model, time, q);
    for (int loop = 0; loop < 2; loop++) {
        sn_motion *motion = sn_motion_from_poses(model, KEYS, time, q, loop, NULL);
        assert_non_null(motion);
        assert_int_equal(sn_motion_get(motion)->loops, loop);
        assert_near(sn_motion_get(motion)->duration, time[KEYS - 1], 0);
        for (int k = 0; k < KEYS - loop; k++) {
            sn_motion_sample(motion, time[k], at, NULL);
            sn_model_pose_subtract(model, 1, at, q + k * nq, dv);
            for (int i = 0; i < nv; i++)
                assert_near(dv[i], 0, 1e-15);
        }
        for (int n = 0; n < 100; n++) {
            const double t = time[KEYS - 1] * (loop ? 3 : 1) * (n + 0.513) / 100, d = 1e-6;
            sn_motion_sample(motion, t - d, a, NULL);
            sn_motion_sample(motion, t + d, b, NULL);
            sn_motion_sample(motion, t, NULL, v);
            sn_model_pose_subtract(model, 1, b, a, dv);
            for (int i = 0; i < nv; i++)
                assert_near(dv[i] / (2 * d), v[i], 1e-6);
        }
        if (loop) { /* onward, not upward */
            sn_motion_sample(motion, 0.05, a, NULL);
            sn_motion_sample(motion, 0.05 + 2 * time[KEYS - 1], b, NULL);
            assert_near(b[0] - a[0], 2 * (q[(KEYS - 1) * nq] - q[0]), 1e-12);
            assert_near(b[2], a[2], 1e-12);
        }
        sn_motion_free(motion);
    }
    assert_null(sn_motion_from_poses(model, 0, time, q, false, NULL));
    time[2] = time[1];
    assert_null(sn_motion_from_poses(model, KEYS, time, q, false, NULL));
    sn_motion_free(NULL);
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------------------ same bones */

static const char tree[] =
    "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
    "Xrotation Yrotation\nJOINT LeftUpLeg\n{\nOFFSET 0.1 0 0\nCHANNELS 3 Zrotation Xrotation "
    "Yrotation\nJOINT LeftLeg\n{\nOFFSET 0 -0.4 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    "End Site\n{\nOFFSET 0 -0.4 0\n}\n}\n}\nJOINT RightUpLeg\n{\nOFFSET -0.1 0 0\nCHANNELS 3 "
    "Zrotation Xrotation Yrotation\nJOINT RightLeg\n{\nOFFSET 0 -0.4 0\nCHANNELS 3 Zrotation "
    "Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 -0.4 0\n}\n}\n}\nJOINT Spine\n{\nOFFSET 0 0.5 0\n"
    "CHANNELS 3 Zrotation Xrotation Yrotation\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n"
    "0.1 0.9 0.2 10 20 30 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25\n"
    "0.2 0.8 0.3 40 20 30 -11 12 43 14 15 66 17 -18 19 20 -21 22 23 -24 25\n";

TEST(a_character_made_of_the_skeleton_moves_exactly_as_the_clip) {
    sn_clip *clip = parse_clip(tree);
    sn_model *model = sn_clip_build_model(clip, 60, NULL);
    sn_motion *motion = carry(clip, model, NULL);
    const sn_clip_def *def = sn_clip_data(clip);
    for (int k = 0; k < def->nframe; k++) {
        double q[64];
        sn_motion_sample(motion, def->time[k], q, NULL);
        assert_near_n(q, def->position + 3 * k, 3, 1e-15);
        for (int i = 0; i < sn_model_get(model)->nbody; i++) {
            const sn_body_info *body = sn_model_body(model, i);
            const double *turn = q + body->q_index + (i == 0 ? 3 : 0);
            const double *own = def->rotation + 4 * (k * def->njoint + joint_of(clip, body->name));
            assert_near(angle_between(turn, own), 0, 1e-7);
        }
    }
    sn_motion_free(motion);
    sn_model_free(model);
    sn_clip_free(clip);
}

/* A hinge chain for each ball: what MJCF files do. */
TEST(three_hinges_in_a_row_turn_as_one_ball) {
    sn_clip *clip = parse_clip(tree);
    sn_builder *builder = sn_builder_create();
    const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    add(builder, "hip", NULL, SN_JOINT_FREE);
    for (int i = 0; i < 3; i++) {
        static const char *const name[] = {"a", "b", "LeftUpLeg"}, *const parent[] = {"hip", "a", "b"};
        sn_body_def body = body_with(name[i], parent[i], SN_JOINT_HINGE);
        memcpy(body.joint.axis, axes[i], sizeof body.joint.axis);
        if (i == 0) body.pos[0] = 0.1;
        sn_builder_add_body(builder, &body);
    }
    sn_model *model = build_and_free(builder);
    sn_motion *motion = carry(clip, model, NULL);
    const sn_clip_def *def = sn_clip_data(clip);
    for (int k = 0; k < def->nframe; k++) {
        double q[64], pos[12], rot[16], expected[4];
        sn_motion_sample(motion, def->time[k], q, NULL);
        sn__pose_globals(model, q, pos, rot);
        global_rotation(clip, k, joint_of(clip, "LeftUpLeg"), expected);
        assert_near(angle_between(rot + 4 * sn_model_find_body(model, "LeftUpLeg"), expected), 0, 1e-7);
    }
    sn_motion_free(motion);
    sn_model_free(model);
    sn_clip_free(clip);
}

/* ------------------------------------------------------------------------------------------------------------ maps */

TEST(maps_are_taken_as_text) {
    sn_clip *clip = parse_clip(tree);
    sn_model *model = builtin("humanoid");
    sn_error error;
    sn_motion *motion = carry(
        clip, model, "{\"pelvis\": \"hip\",\n \"left_thigh\" : \"LeftUpLeg\", \"left_shin\": \"LeftLeg\"}");
    double q[64];
    sn_motion_sample(motion, 0, q, NULL);
    const sn_body_info *arm = sn_model_body(model, sn_model_find_body(model, "left_upper_arm"));
    assert_near(q[arm->q_index], 1, 0); /* not in the map: stays in the zero pose */
    sn_motion_free(motion);
    static const char *const wrong[] = {"",
                                        "[]",
                                        "{\"pelvis\"}",
                                        "{\"pelvis\": 1}",
                                        "{\"pelvis\": \"hip\"",
                                        "{\"pelvis\": \"hip\",}",
                                        "{\"pelvis\": \"hip\"} x",
                                        "{\"nobody\": \"hip\"}",
                                        "{\"pelvis\": \"nojoint\"}",
                                        "{}"};
    for (int i = 0; i < COUNT(wrong); i++) {
        error = (sn_error){SN_OK, ""};
        assert_null(sn_motion_create(clip, model, wrong[i], &error));
        assert_int_not_equal(error.status, SN_OK);
    }
    sn_model_free(model);
    model = builtin("snake36");
    assert_null(sn_motion_create(clip, model, NULL, &error));
    assert_message_has(&error, "give a map");
    sn_model_free(model);
    sn_clip_free(clip);
}

/* Mixamo-like: namespaces, T-pose, arms out. Held at rest the humanoid's arms point sideways too. */
static const char mixamo[] =
    "HIERARCHY\nROOT mixamorig:Hips\n{\nOFFSET 0 100 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
    "Xrotation "
    "Yrotation\n"
    "JOINT mixamorig:Spine\n{\nOFFSET 0 10 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    "JOINT mixamorig:Spine2\n{\nOFFSET 0 20 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    "JOINT mixamorig:Head\n{\nOFFSET 0 25 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\n"
    "JOINT mixamorig:LeftArm\n{\nOFFSET 18 20 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    "JOINT mixamorig:LeftForeArm\n{\nOFFSET 28 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    "End Site\n{\nOFFSET 25 0 0\n}\n}\n}\n"
    "JOINT mixamorig:RightArm\n{\nOFFSET -18 20 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    "JOINT mixamorig:RightForeArm\n{\nOFFSET -28 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    "End Site\n{\nOFFSET -25 0 0\n}\n}\n}\n}\n}\n"
    "JOINT mixamorig:LeftUpLeg\n{\nOFFSET 9 -6 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    "JOINT mixamorig:LeftLeg\n{\nOFFSET 0 -45 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    "JOINT mixamorig:LeftFoot\n{\nOFFSET 0 -42 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\n}\n}\n"
    "JOINT mixamorig:RightUpLeg\n{\nOFFSET -9 -6 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    "JOINT mixamorig:RightLeg\n{\nOFFSET 0 -45 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    "JOINT mixamorig:RightFoot\n{\nOFFSET 0 -42 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\n}\n}\n}\n"
    "MOTION\nFrames: 3\nFrame Time: 0.1\n"
    "0 100 0 0 0 0  0 0 0 0 0 0 0 0 0  0 0 0 0 0 0  0 0 0 0 0 0  0 0 0 0 0 0 0 0 0  0 0 0 0 0 0 0 0 0\n"
    "0 100 0 0 0 0  0 0 0 0 0 0 0 0 0  0 0 0 0 0 -90  0 0 0 0 0 90  0 0 0 0 0 0 0 0 0  0 0 0 0 0 0 0 0 0\n"
    "0 100 0 0 0 0  0 0 0 0 0 0 0 0 0  -90 0 0 0 0 0  90 0 0 0 0 0  0 -90 0 0 90 0 0 0 0  0 0 0 0 0 0 0 0 "
    "0\n";

TEST(a_t_pose_skeleton_drives_the_humanoid) {
    sn_clip *clip = parse_clip(mixamo);
    sn_model *model = builtin("humanoid");
    sn_motion *motion = carry(clip, model, NULL);
    double q[64], pos[3 * 16], rot[4 * 16], down[3] = {0, 0, -1}, v[3];
    const int arm = sn_model_find_body(model, "left_upper_arm"),
              fore = sn_model_find_body(model, "left_forearm"),
              right = sn_model_find_body(model, "right_upper_arm"),
              thigh = sn_model_find_body(model, "left_thigh");
    const double left[3] = {0, 1, 0}, rightward[3] = {0, -1, 0}, forward[3] = {1, 0, 0};
    sn_motion_sample(motion, 0, q, NULL); /* the T-pose: facing +X, arms out */
    sn__pose_globals(model, q, pos, rot);
    dquat_rotate(rot + 4 * arm, down, v);
    assert_near_n(v, left, 3, 1e-9);
    dquat_rotate(rot + 4 * fore, down, v);
    assert_near_n(v, left, 3, 1e-9);
    dquat_rotate(rot + 4 * right, down, v);
    assert_near_n(v, rightward, 3, 1e-9);
    assert_near(q[2], (1.0 - 0.06) * (0.4215 + 0.41) / 0.87, 1e-9); /* hips at the scaled height */
    sn_motion_sample(motion, 0.1, q, NULL);                         /* both elbows bent, hands forward */
    sn__pose_globals(model, q, pos, rot);
    dquat_rotate(rot + 4 * fore, down, v);
    assert_near_n(v, forward, 3, 1e-9);
    sn_motion_sample(motion, 0.2, q, NULL); /* arms hang, the left thigh is raised, the shin hangs */
    sn__pose_globals(model, q, pos, rot);
    dquat_rotate(rot + 4 * arm, down, v);
    assert_near_n(v, down, 3, 1e-9);
    dquat_rotate(rot + 4 * thigh, down, v);
    assert_near_n(v, forward, 3, 1e-9);
    assert_near(q[sn_model_body(model, sn_model_find_body(model, "left_shin"))->q_index], M_PI / 2, 1e-9);
    sn_motion_free(motion);
    sn_model_free(model);
    sn_clip_free(clip);
}

/* ------------------------------------------------------------------------------------------------------ real files */

TEST(a_deepmimic_character_gets_the_pose_of_the_file) {
    SKIP_WITHOUT_DATA();
    static const char *const names[] = {"walk", "run", "cartwheel", "backflip", "crawl", "dance_a"};
    sn_error error;
    sn_model *model = sn_model_load(data_path("deepmimic/characters/humanoid3d.txt"), NULL, &error);
    if (!model) fail_msg("%s", error.message);
    double worst = 0;
    for (int n = 0; n < COUNT(names); n++) {
        char name[128];
        snprintf(name, sizeof name, "deepmimic/motions/humanoid3d_%s.txt", names[n]);
        sn_clip *clip = load_clip(data_path(name));
        sn_motion *motion = carry(clip, model, NULL);
        const sn_clip_def *def = sn_clip_data(clip);
        for (int k = 0; k < def->nframe - 1; k++) {
            double q[64];
            sn_motion_sample(motion, def->time[k], q, NULL);
            assert_near_n(q, def->position + 3 * k, 3, 0);
            for (int i = 0; i < sn_model_get(model)->nbody; i++) {
                const sn_body_info *body = sn_model_body(model, i);
                const double *own = def->rotation + 4 * (k * def->njoint + joint_of(clip, body->name));
                const double *turn = q + body->q_index + (i == 0 ? 3 : 0);
                if (body->joint.type == SN_JOINT_HINGE) {
                    double angle = sn__twist_angle(own, body->joint.axis);
                    if (body->joint.limited)
                        angle = fmax(body->joint.lower[0], fmin(body->joint.upper[0], angle));
                    worst = fmax(worst, fabs(turn[0] - angle));
                } else if (body->nq > 0) {
                    double sign = turn[0] * own[0] + turn[1] * own[1] + turn[2] * own[2] + turn[3] * own[3];
                    for (int c = 0; c < 4; c++)
                        worst = fmax(worst, fabs(turn[c] - (sign < 0 ? -own[c] : own[c])));
                }
            }
        }
        sn_motion_free(motion);
        sn_clip_free(clip);
    }
    print_message("largest difference in q: %.2g\n", worst);
    assert_true(worst < 1e-13);
    sn_model_free(model);
}

/* One has Y up and lies on its face in the zero pose, the other stands. */
TEST(a_robot_gets_the_angles_of_the_file_however_its_model_is_turned) {
    SKIP_WITHOUT_DATA();
    static const char *const models[] = {"bullet3/laikago/laikago_toes.urdf",
                                         "bullet3/laikago/laikago_toes_zup.urdf"};
    static const struct {
        const char *body;
        double angle;
    } first[] = {{"FR_hip_motor", 0.02553}, {"FR_upper_leg", 0.40150},  {"FR_lower_leg", -1.17930},
                 {"FL_upper_leg", 0.40192}, {"RR_lower_leg", -1.01338}, {"RL_upper_leg", 0.59564}};
    sn_clip *clip = load_clip(data_path("motion_imitation/motions/turn.txt"));
    for (int m = 0; m < COUNT(models); m++) {
        sn_load_def options = sn_load_def_default();
        sn_error error;
        options.allow_missing_mesh = true;
        sn_model *model = sn_model_load(data_path(models[m]), &options, &error);
        if (!model) fail_msg("%s", error.message);
        sn_motion *motion = carry(clip, model, NULL);
        double q[64];
        sn_motion_sample(motion, 0, q, NULL);
        for (int i = 0; i < COUNT(first); i++) {
            const sn_body_info *body = sn_model_body(model, sn_model_find_body(model, first[i].body));
            assert_near(q[body->q_index], first[i].angle, 2e-4); /* the model's right angles are 1.57079 */
        }
        sn_motion_free(motion);
        sn_model_free(model);
    }
    sn_clip_free(clip);
}

TEST(feet_of_the_humanoid_stay_near_the_ground_under_captured_walks) {
    SKIP_WITHOUT_DATA();
    static const char *const names[] = {"cmu_mocap/02_01.bvh", "fairmotion/11_01.amc", "makehuman/walk1.bvh",
                                        "threejs/pirouette.bvh", "deepmimic/motions/humanoid3d_walk.txt"};
    sn_model *model = builtin("humanoid");
    for (int n = 0; n < COUNT(names); n++) {
        sn_clip *clip = load_clip(data_path(names[n]));
        sn_motion *motion = carry(clip, model, NULL);
        double lowest = 1e9, q[64], pos[48], rot[64];
        for (int k = 0; k < 200; k++) {
            sn_motion_sample(motion, sn_motion_get(motion)->duration * k / 200, q, NULL);
            sn__pose_globals(model, q, pos, rot);
            for (int i = 0; i < sn_model_get(model)->nbody; i++)
                lowest = fmin(lowest, pos[3 * i + 2]);
        }
        if (!(lowest > -0.06 && lowest < 0.15)) fail_msg("%s: the lowest joint is at %g m", names[n], lowest);
        sn_motion_free(motion);
        sn_clip_free(clip);
    }
    sn_model_free(model);
}

int main(void) {
    return run_all("retarget");
}
