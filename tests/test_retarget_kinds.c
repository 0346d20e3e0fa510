/* Carrying clips over between skeletons of different kinds: what names mean, and where limbs point afterwards. */
#include "parse_helpers.h"
#include "clip_helpers.h"

#include "clip/clip.h"
#include "motion/meaning.h"
#include "motion/motion.h"

static sn_motion *carry(const sn_clip *clip, const sn_model *model) {
    sn_error error;
    sn_motion *motion = sn_motion_create(clip, model, NULL, &error);
    if (!motion) fail_msg("%s", error.message);
    return motion;
}

TEST(names_of_all_conventions_mean_the_same) {
    static const struct {
        const char *name;
        int role, side;
    } known[] = {
        {"LeftUpLeg", SN__THIGH, 1},
        {"mixamorig:RightLeg", SN__SHIN, -1},
        {"lfemur", SN__THIGH, 1},
        {"thigh.L", SN__THIGH, 1},
        {"Bip01 L Thigh", SN__THIGH, 1},
        {"Bip01_R_Calf", SN__SHIN, -1},
        {"Bip001 Spine1", SN__CHEST, 0},
        {"Bip01 L UpperArm", SN__UPPER_ARM, 1},
        {"Bip01 R Forearm", SN__FOREARM, -1},
        {"Bip01 L Toe0", SN__TOE, 1},
        {"left_hip_yaw_link", SN__THIGH, 1},
        {"l_ank_pitch_link", SN__FOOT, 1},
        {"r_sho_roll_link", SN__UPPER_ARM, -1},
        {"left_elbow_link", SN__FOREARM, 1},
        {"FL_hip", SN__FORE_HIP, 1},
        {"FR_thigh", SN__UPPER_ARM, -1},
        {"RL_calf", SN__SHIN, 1},
        {"RR_foot", SN__FOOT, -1},
        {"hl_uleg", SN__THIGH, 1},
        {"fr_lleg", SN__FOREARM, -1},
        {"LF_SHANK", SN__FOREARM, 1},
        {"RH_HAA", SN__HIND_HIP, -1},
        {"toeFL", SN__HAND, 1},
        {"FR_hip_motor", SN__FORE_HIP, -1},
        {"HR_UPPER_LEG", SN__THIGH, -1},
        {"front_left_upper_leg", SN__UPPER_ARM, 1},
        {"left_fore_paw", SN__HAND, 1},
        {"right_hock", SN__HOCK, -1},
        {"base_link", SN__PELVIS, 0},
        {"tail1", SN__TAIL_TIP, 0},
        {"trunk", SN__PELVIS, 0},
        {"torso_link", SN__CHEST, 0},
        {"elbow", -1, 0},
        {"Bip01", -1, 0},
        {"__Jaw", -1, 0},
        {"finger", -1, 0},
    };
    for (int i = 0; i < COUNT(known); i++) {
        const struct sn__meaning m = sn__meaning_of(known[i].name);
        if (m.role != known[i].role || (m.role >= 0 && m.side != known[i].side))
            fail_msg("%s: role %d, side %d", known[i].name, m.role, m.side);
    }
}

TEST(sides_of_quadrupeds_legs_change_places) {
    static const char *const pair[][2] = {{"FL_hip", "FR_hip"},
                                          {"RL_calf", "RR_calf"},
                                          {"hl_uleg", "hr_uleg"},
                                          {"LF_FOOT", "RF_FOOT"},
                                          {"lh_hip", "rh_hip"}};
    for (int i = 0; i < COUNT(pair); i++)
        for (int k = 0; k < 2; k++) {
            clip_name other;
            assert_int_equal(sn__side_of(pair[i][k], other), k ? -1 : 1);
            assert_string_equal(other, pair[i][1 - k]);
        }
}

/* ----------------------------------------------------------------------------------------------- DeepMimic's dog */

static char text[1 << 16];
static int length;

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    length += vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
    va_end(arguments);
}

static void say_turn(double z) { /* about the file's Z, which points to the right side */
    say(", %.9g, 0, 0, %.9g", cos(z / 2), sin(z / 2));
}

/* Its 83 numbers: the head held up by `nod`, all legs swung. */
static const char *write_dog(double nod) {
    length = 0;
    say("{\"Loop\": \"none\", \"Frames\": [");
    for (int k = 0; k < 20; k++) {
        const double swing = 0.4 * sin(0.3 * k);
        say("%s[0.05, %.9g, 0.55, 0", k ? "," : "", 0.05 * k);
        say_turn(0);                   /* root */
        say_turn(0), say_turn(0);      /* spine */
        say_turn(nod), say_turn(-nod); /* neck, head */
        for (int side = 0; side < 2; side++) {
            say_turn(side ? -swing : swing);
            say(", %.9g", -0.3);
            say_turn(0), say_turn(0);
        }
        for (int side = 0; side < 2; side++) {
            say_turn(side ? swing : -swing);
            say(", %.9g", -0.3);
            say_turn(0), say_turn(0);
        }
        say_turn(0.2), say_turn(0.1);
        say("]");
    }
    say("]}");
    return text;
}

/* The way from one joint to another in the model's pose and in the clip's frame: the angle between them, degrees. */
static double between(const sn_motion *motion, const sn_model *model, const sn_clip *clip, int frame,
                      const char *body[2], const char *joint[2]) {
    const sn_clip_def *def = sn_clip_data(clip);
    double q[128], pos[64 * 3], rot[64 * 4], place[64 * 3], turn[64 * 4], a[3], b[3];
    sn_motion_sample(motion, def->time[frame], q, NULL);
    sn__pose_globals(model, q, pos, rot);
    sn__clip_globals(def, def->position + 3 * frame, def->rotation + 4 * frame * def->njoint, place, turn);
    for (int k = 0; k < 3; k++) {
        a[k] =
            pos[3 * sn_model_find_body(model, body[1]) + k] - pos[3 * sn_model_find_body(model, body[0]) + k];
        b[k] = place[3 * joint_of(clip, joint[1]) + k] - place[3 * joint_of(clip, joint[0]) + k];
    }
    return acos(dvec_dot(a, b) / dvec_length(a) / dvec_length(b)) * 180 / M_PI;
}

TEST(a_dog_of_deepmimic_moves_the_built_in_dog_limb_by_limb) {
    static const double nods[] = {0, 0.6};
    sn_model *dog = sn_builtin_create("dog", NULL);
    for (int n = 0; n < 2; n++) {
        sn_clip *clip = parse_clip(write_dog(nods[n]));
        sn_motion *motion = carry(clip, dog);
        static const char *const limb[][4] = {
            {"neck", "head", "neck", "head"},
            {"left_upper_arm", "left_fore_leg", "left_shoulder", "left_forearm"},
            {"right_fore_leg", "right_fore_paw", "right_forearm", "right_hand"},
            {"left_thigh", "left_shin", "left_upper_leg", "left_leg"},
            {"right_shin", "right_hock", "right_leg", "right_foot"},
            {"right_hock", "right_hind_paw", "right_foot", "right_toe"},
            {"loin", "chest", "spine0", "spine1"},
            {"tail", "tail_tip", "tail0", "tail1"}};
        for (int k = 0; k < 20; k += 4)
            for (int i = 0; i < COUNT(limb); i++) {
                const char *body[2] = {limb[i][0], limb[i][1]}, *joint[2] = {limb[i][2], limb[i][3]};
                const double angle = between(motion, dog, clip, k, body, joint);
                if (angle > 10) fail_msg("frame %d, %s: %.1f degrees off", k, limb[i][0], angle);
            }
        /* the head looks ahead, not to the sky */
        double q[128], pos[64 * 3], rot[64 * 4], ahead[3] = {1, 0, 0};
        sn_motion_sample(motion, 0, q, NULL);
        sn__pose_globals(dog, q, pos, rot);
        dquat_rotate(rot + 4 * sn_model_find_body(dog, "head"), ahead, ahead);
        assert_true(ahead[0] > 0.8);
        assert_true(sn_motion_get(motion)->apart < 10 * M_PI / 180);
        sn_motion_free(motion);
        sn_clip_free(clip);
    }
    sn_model_free(dog);
}

/* --------------------------------------------------------------------------------------------- hinges and Bip01 */

/* A body on a hinge with a bone that ends at `tip`. */
static void hinge(sn_builder *builder, const char *name, const char *parent, const double at[3], int axis,
                  double tip) {
    sn_body_def body = body_with(name, parent, SN_JOINT_HINGE);
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_CAPSULE);
    const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    memcpy(body.joint.axis, axes[axis], sizeof body.joint.axis);
    memcpy(body.pos, at, sizeof body.pos);
    sn_builder_add_body(builder, &body);
    shape.size[0] = 0.02, shape.size[1] = 0.05;
    shape.pos[2] = tip / 2;
    sn_builder_add_shape(builder, name, &shape);
}

static sn_model *robot(void) {
    sn_builder *builder = sn_builder_create();
    add(builder, "pelvis", NULL, SN_JOINT_FREE);
    for (int side = 0; side < 2; side++) {
        char name[8][40];
        static const char *const part[] = {"hip_yaw_link",       "hip_roll_link", "hip_pitch_link",
                                           "knee_link",          "ankle_link",    "shoulder_pitch_link",
                                           "shoulder_roll_link", "elbow_link"};
        const double y = side ? -0.1 : 0.1;
        for (int i = 0; i < 8; i++)
            snprintf(name[i], sizeof name[i], "%s_%s", side ? "right" : "left", part[i]);
        hinge(builder, name[0], "pelvis", (const double[]){0, y, 0}, 2, -0.1);
        hinge(builder, name[1], name[0], (const double[]){0, 0, 0}, 0, -0.1);
        hinge(builder, name[2], name[1], (const double[]){0, 0, 0}, 1, -0.4);
        hinge(builder, name[3], name[2], (const double[]){0, 0, -0.4}, 1, -0.4);
        hinge(builder, name[4], name[3], (const double[]){0, 0, -0.4}, 1, -0.1);
        hinge(builder, name[5], "pelvis", (const double[]){0, 2 * y, 0.5}, 1, -0.1);
        hinge(builder, name[6], name[5], (const double[]){0, 0, 0}, 0, -0.3);
        hinge(builder, name[7], name[6], (const double[]){0, 0, -0.3}, 1, -0.3);
    }
    sn_error error;
    sn_model *model = sn_builder_build(builder, &error);
    if (!model) fail_msg("%s", error.message);
    sn_builder_free(builder);
    return model;
}

static const char bip[] = "HIERARCHY\nROOT Bip01\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition "
                          "Zrotation Xrotation Yrotation\n"
                          "JOINT Bip01_Pelvis\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
#define LEG(side, x)                                                                                         \
    "JOINT Bip01_" side "_Thigh\n{\nOFFSET " x " 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"            \
    "JOINT Bip01_" side "_Calf\n{\nOFFSET 0 -45 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"               \
    "JOINT Bip01_" side "_Foot\n{\nOFFSET 0 -45 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"               \
    "End Site\n{\nOFFSET 0 -5 12\n}\n}\n}\n}\n"
#define ARM(side, x, way)                                                                                    \
    "JOINT Bip01_" side "_UpperArm\n{\nOFFSET " x " 20 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"        \
    "JOINT Bip01_" side "_Forearm\n{\nOFFSET " way " 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"        \
    "JOINT Bip01_" side "_Hand\n{\nOFFSET " way " 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"           \
    "}\n}\n}\n"
    LEG("L", "10")
        LEG("R", "-10") "JOINT Bip01_Spine\n{\nOFFSET 0 15 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
                        "JOINT Bip01_Spine1\n{\nOFFSET 0 20 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
                        "JOINT Bip01_Head\n{\nOFFSET 0 30 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd "
                        "Site\n{\nOFFSET 0 15 0\n}\n}\n" ARM("L", "18", "28")
                            ARM("R", "-18",
                                "-28") "}\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n"
                                       "0 95 0 0 0 0 0 0 0 3 -20 0 0 25 0 0 0 0 -3 20 0 0 10 0 0 0 0 0 0 0 0 "
                                       "0 0 0 0 0 -75 0 0 0 -20 0 0 0 0 75 0 0 0 20 0 0 0 0\n"
                                       "0 95 5 0 0 0 0 0 0 3 20 0 0 10 0 0 0 0 -3 -20 0 0 25 0 0 0 0 0 0 0 0 "
                                       "0 0 0 0 0 -75 0 0 0 -20 0 0 0 0 75 0 0 0 20 0 0 0 0\n";

TEST(bip01_moves_the_humanoid_and_a_robot_of_hinges) {
    sn_clip *clip = parse_clip(bip);
    sn_model *model[] = {sn_builtin_create("humanoid", NULL), robot()};
    for (int i = 0; i < 2; i++) {
        sn_motion *motion = carry(clip, model[i]);
        print_message("limbs %.1f degrees apart\n", sn_motion_get(motion)->apart * 180 / M_PI);
        assert_true(sn_motion_get(motion)->apart < 10 * M_PI / 180);
        sn_motion_free(motion);
    }
    const char *body[][2] = {{"left_hip_pitch_link", "left_knee_link"},
                             {"right_knee_link", "right_ankle_link"},
                             {"left_shoulder_roll_link", "left_elbow_link"}};
    const char *joint[][2] = {{"Bip01_L_Thigh", "Bip01_L_Calf"},
                              {"Bip01_R_Calf", "Bip01_R_Foot"},
                              {"Bip01_L_UpperArm", "Bip01_L_Forearm"}};
    sn_motion *motion = carry(clip, model[1]);
    double heading[3];
    for (int i = 0; i < 3; i++) { /* the file faces z, the robot x: turned as the whole is */
        sn_clip *turned = NULL;
        sn_load_def options = sn_load_def_default();
        options.facing = "z";
        turned = clip_from(bip, strlen(bip), "bip", &options, NULL);
        heading[i] = between(motion, model[1], turned, 1, body[i], joint[i]);
        if (heading[i] > 5) fail_msg("%s: %.1f degrees", body[i][0], heading[i]);
        sn_clip_free(turned);
    }
    sn_motion_free(motion);
    sn_model_free(model[0]);
    sn_model_free(model[1]);
    sn_clip_free(clip);
}

/* ------------------------------------------------------------------------------------------------------ and back */

/* What was carried over comes back as it was, on the clip's own skeleton. */
TEST(poses_go_back_to_the_skeleton_they_came_from) {
    sn_clip *clip = parse_clip(bip);
    sn_model *model[] = {sn_clip_build_model(clip, 60, NULL), sn_builtin_create("humanoid", NULL)};
    const sn_clip_def *def = sn_clip_data(clip);
    for (int m = 0; m < 2; m++) {
        sn_motion *motion = carry(clip, model[m]);
        const int nq = sn_model_get(model[m])->nq;
        double time[2] = {0, def->time[1] / 2}, q[2 * 128], p[3], rotation[64 * 4];
        for (int k = 0; k < 2; k++)
            sn_motion_sample(motion, time[k], q + k * nq, NULL);
        sn_clip *back = sn_motion_clip(motion, 2, time, q, NULL);
        assert_non_null(back);
        const sn_clip_def *own = sn_clip_data(back);
        assert_int_equal(own->njoint, def->njoint);
        for (int k = 0; k < 2; k++) {
            double a[64 * 3], b[64 * 3], turn[64 * 4], worst = 0;
            sn__clip_sample(clip, time[k], p, rotation, NULL, NULL);
            sn__clip_globals(def, p, rotation, a, turn);
            sn__clip_globals(own, own->position + 3 * k, own->rotation + 4 * k * own->njoint, b, turn);
            for (int i = 0; i < 3 * def->njoint; i++)
                worst = fmax(worst, fabs(a[i] - b[i]));
            /* the humanoid's knees and elbows are hinges: they cannot follow in all directions */
            if (worst > (m ? 0.03 : 1e-9)) fail_msg("model %d, frame %d: %g m off", m, k, worst);
        }
        sn_clip_free(back);
        sn_motion_free(motion);
        sn_model_free(model[m]);
    }
    sn_clip_free(clip);
}

/* -------------------------------------------------------------------------------------------------- real skeletons */

TEST(limbs_of_real_skeletons_point_where_the_clips_do) {
    SKIP_WITHOUT_DATA();
    static const char *const people[] = {"humanoid", "deepmimic/characters/humanoid3d.txt",
                                         "menagerie_unitree_h1/h1.xml", "menagerie_robotis_op3/op3.xml"};
    static const char *const clips[] = {"cmu_mocap/02_01.bvh",
                                        "fairmotion/11_01.amc",
                                        "deepmimic/motions/humanoid3d_walk.txt",
                                        "threejs/pirouette.bvh",
                                        "animated_drawings/rokoko_jesse_dance.bvh",
                                        "makehuman/walk1.bvh",
                                        "animated_drawings/fair1_dab.bvh"};
    static const char *const dogs[] = {"dog",
                                       "menagerie_unitree_go1/go1.xml",
                                       "menagerie_boston_dynamics_spot/spot.xml",
                                       "menagerie_unitree_a1/a1.xml",
                                       "unitree_ros/laikago.urdf",
                                       "bullet3/laikago/laikago_toes.urdf",
                                       "solo12/solo12.urdf"};
    double sum = 0;
    int count = 0;
    for (int kind = 0; kind < 2; kind++)
        for (int m = 0; m < (kind ? COUNT(dogs) : COUNT(people)); m++) {
            const char *name = kind ? dogs[m] : people[m];
            sn_load_def options = sn_load_def_default();
            options.allow_missing_mesh = true;
            sn_model *model = sn_builtin_create(name, NULL);
            if (!model) model = sn_model_load(data_path(name), &options, NULL);
            assert_non_null(model);
            for (int c = 0; c < (kind ? 1 : COUNT(clips)); c++) {
                sn_clip *clip =
                    load_clip(data_path(kind ? "motion_imitation/motions/sidesteps.txt" : clips[c]));
                sn_motion *motion = carry(clip, model);
                const double angle = sn_motion_get(motion)->apart * 180 / M_PI;
                print_message("%-42s %-44s %4.1f degrees\n", name, kind ? "sidesteps" : clips[c], angle);
                assert_true(angle < 10);
                sum += angle;
                count++;
                sn_motion_free(motion);
                sn_clip_free(clip);
            }
            sn_model_free(model);
        }
    print_message("mean %.1f degrees over %d pairs\n", sum / count, count);
    assert_true(sum / count < 4);
}

int main(void) {
    return run_all("retarget_kinds");
}
