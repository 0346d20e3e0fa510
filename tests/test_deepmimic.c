/* DeepMimic characters and controllers: the turn to Z up, shapes, gains; and the real files where they are
   available. */
#include "file_helpers.h"

#include "base/quat.h"
#include "sinew/dynamics.h"

#define JOINT(name, type, parent, more)                                                                      \
    "{\"Name\": \"" name "\", \"Type\": \"" type "\", \"Parent\": " parent more "}"
#define BODY(shape, mass, more) "{\"Shape\": \"" shape "\", \"Mass\": " mass more "}"
#define CHARACTER(joints, bodies) "{\"Skeleton\": {\"Joints\": [" joints "]}, \"BodyDefs\": [" bodies "]}"
#define BALL BODY("sphere", "2", ", \"Param0\": 0.2")
#define ROOT JOINT("root", "none", "-1", ", \"TorqueLim\": 0, \"AttachZ\": 50")

TEST(the_world_is_turned_to_z_up) {
    sn_model *model = parse_model(
        CHARACTER(
            ROOT
            ", " JOINT("knee", "revolute", "0",
                       ", \"AttachX\": 1, \"AttachY\": 2, \"AttachZ\": 3, \"LimLow0\": -2, "
                       "\"LimHigh0\": 0.5, \"TorqueLim\": 90") ", " JOINT("hip", "spherical", "0",
                                                                          ", \"LimLow0\": -1, \"LimHigh0\": "
                                                                          "1, \"AttachThetaY\": 0.5"),
            BALL ", " BODY("capsule", "3", ", \"Param0\": 0.2, \"Param1\": 0.6, \"AttachY\": -0.3") ", " BODY(
                "box", "1", ", \"Param0\": 1, \"Param1\": 2, \"Param2\": 3, \"AttachThetaZ\": 1.2")),
        NULL);
    assert_int_equal(sn_model_get(model)->nv, 6 + 1 + 3);
    assert_near(sn_model_get(model)->mass, 6, 1e-15);
    const sn_body_info *root = body_of(model, "root"), *knee = body_of(model, "knee"),
                       *hip = body_of(model, "hip");
    const double none[3] = {0}, pos[3] = {1, -3, 2}, axis[3] = {0, -1, 0}, down[3] = {0, 0, -0.3};
    assert_int_equal(root->joint.type, SN_JOINT_FREE);
    assert_near_n(root->pos, none, 3, 0); /* its attachment does not count */
    assert_true(isinf(root->joint.torque_limit));
    assert_int_equal(knee->joint.type, SN_JOINT_HINGE);
    assert_near_n(knee->pos, pos, 3, 0);
    assert_near_n(knee->joint.axis, axis, 3, 0);
    assert_true(knee->joint.limited);
    assert_near(knee->joint.lower[0], -2, 0);
    assert_near(knee->joint.upper[0], 0.5, 0);
    assert_near(knee->joint.torque_limit, 90, 0);

    const sn_shape_def *capsule = (&sn_model_get(model)->shape[knee->first_shape]);
    assert_int_equal(capsule->type, SN_SHAPE_CAPSULE); /* diameter and length of the tube, along what is up */
    assert_near(capsule->size[0], 0.1, 1e-15);
    assert_near(capsule->size[1], 0.3, 1e-15);
    assert_near_n(capsule->pos, down, 3, 0);
    assert_near(capsule->rot[0], 1, 0);
    assert_near(knee->mass, 3, 1e-15);

    assert_int_equal(hip->joint.type, SN_JOINT_BALL);
    assert_false(hip->joint.limited);
    /* a turn about the file's y is one about z here */
    const double turned[4] = {cos(0.25), 0, 0, sin(0.25)};
    assert_near_n(hip->rot, turned, 4, 1e-15);
    const sn_shape_def *box = (&sn_model_get(model)->shape[hip->first_shape]);
    const double half[3] = {0.5, 1.5, 1}, about_minus_y[4] = {cos(0.6), 0, -sin(0.6), 0};
    assert_near_n(box->size, half, 3, 0);
    assert_near_n(box->rot, about_minus_y, 4, 1e-15);
    sn_model_free(model);
}

TEST(fixed_joints_are_merged) {
    sn_model *model = parse_model(
        CHARACTER(
            ROOT ", " JOINT("elbow", "revolute", "0", ", \"AttachX\": 1") ", " JOINT(
                "wrist", "fixed", "1",
                ", \"AttachY\": -1, \"AttachThetaZ\": 1.5707963267948966") ", " JOINT("finger", "revolute",
                                                                                      "2", ", \"AttachX\": 1"),
            BALL ", " BALL ", " BALL ", " BODY("sphere", "1", ", \"Param0\": 0.2, \"AttachX\": 1")),
        NULL);
    assert_int_equal(sn_model_get(model)->nbody, 3);
    assert_int_equal(sn_model_get(model)->nv, 8);
    assert_near(sn_model_get(model)->mass, 7, 1e-15);
    const sn_body_info *elbow = body_of(model, "elbow"), *finger = body_of(model, "finger");
    assert_near(elbow->mass, 4, 1e-15);
    assert_near(elbow->com[2], -0.5, 1e-15);
    assert_int_equal(elbow->nshape, 2);
    assert_int_equal(finger->parent, sn_model_find_body(model, "elbow"));
    const double pos[3] = {0, 0, 0}; /* one down, then one along the turned x, which is up */
    assert_near_n(finger->pos, pos, 3, 1e-15);
    sn_model_free(model);
}

#define GROUPED(group) BODY("sphere", "1", ", \"Param0\": 0.2, \"AttachX\": 1, \"ColGroup\": " group)
#define LIMB(name) ", " JOINT(name, "revolute", "0", "")

TEST(groups_say_what_touches_what) {
    sn_model *model =
        parse_model(CHARACTER(ROOT LIMB("a") LIMB("b") LIMB("c") LIMB("d"),
                              BALL ", " GROUPED("0") ", " GROUPED("1") ", " GROUPED("32") ", " GROUPED("-1")),
                    NULL);
    const struct {
        const char *body;
        uint32_t group, mask;
    } expected[] = {
        {"root", 1, 0xffffffff},       {"a", 0, 0}, {"b", 1, 1}, {"c", 0x80000000, 0x80000000},
        {"d", 0xffffffff, 0xffffffff},
    };
    for (int i = 0; i < COUNT(expected); i++) {
        const sn_shape_def *shape =
            (&sn_model_get(model)->shape[body_of(model, expected[i].body)->first_shape]);
        assert_near(shape->friction, 0.9, 0);
        assert_near(shape->restitution, 0, 0);
        assert_true(shape->group == expected[i].group && shape->mask == expected[i].mask);
    }
    sn_model_free(model);
    assert_text_refused(CHARACTER(ROOT, GROUPED("33")), SN_ERROR_FORMAT, "BodyDefs[0].ColGroup",
                        "33 should be -1 to 32");
    assert_text_refused(CHARACTER(ROOT, GROUPED("-2")), SN_ERROR_FORMAT, "BodyDefs[0].ColGroup",
                        "-2 should be");
}

TEST(sliding_joints_are_chains) {
    sn_model *model = parse_model(
        CHARACTER(JOINT("root", "planar", "-1", "") ", " JOINT("piston", "prismatic", "0",
                                                               ", \"LimLow0\": 0, \"LimHigh0\": 1, "
                                                               "\"ForceLim\": 7"),
                  BALL ", " BALL),
        NULL);
    const sn_joint_type types[] = {SN_JOINT_HINGE, SN_JOINT_SLIDE, SN_JOINT_SLIDE, SN_JOINT_SLIDE};
    const double axes[4][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 0}};
    assert_int_equal(sn_model_get(model)->nbody, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(sn_model_body(model, i)->joint.type, types[i]);
        assert_near_n(sn_model_body(model, i)->joint.axis, axes[i], 3, 0);
    }
    assert_near(body_of(model, "piston")->joint.torque_limit, 7, 0);
    assert_near(body_of(model, "piston")->joint.upper[0], 1, 0);
    sn_model_free(model);
}

TEST(characters_say_where_they_are_wrong) {
    const sn_status format = SN_ERROR_FORMAT;
    assert_text_refused("{\"Skeleton\": {}}", format, "Skeleton.Joints:", "array of joints");
    assert_text_refused(CHARACTER("", ""), format, "Skeleton.Joints:", "array of joints");
    assert_text_refused("{\"Skeleton\": {\"Joints\": [" ROOT "]}}", format,
                        "memory:", "'BodyDefs' is missing");
    assert_text_refused(CHARACTER(ROOT, ""), format, "BodyDefs:", "0 entries, but there are 1 joints");
    assert_text_refused(CHARACTER(ROOT ", " JOINT("a", "none", "0", ""), BALL ", " BALL), format,
                        "Joints[1]:", "only the root");
    assert_text_refused(CHARACTER(ROOT ", " JOINT("a", "revolute", "1", ""), BALL ", " BALL), format,
                        "Joints[1]:", "parent 1");
    assert_text_refused(CHARACTER(ROOT ", " JOINT("a", "revolute", "-1", ""), BALL ", " BALL), format,
                        "Joints[1]:", "parent -1");
    assert_text_refused(CHARACTER(ROOT ", " JOINT("a", "rope", "0", ""), BALL ", " BALL), format, "'a'",
                        "'rope'");
    assert_text_refused(CHARACTER(JOINT("a", "none", "0.5", ""), BALL), format,
                        "Joints[0].Parent:", "whole number");
    assert_text_refused(CHARACTER(ROOT, BODY("cube", "1", "")), format, "BodyDefs[0]:", "'cube'");
    assert_text_refused(CHARACTER(ROOT, BODY("sphere", "-1", ", \"Param0\": 1")), format,
                        "BodyDefs[0]:", "negative");
    assert_text_refused(CHARACTER(ROOT, BODY("sphere", "1", "")), SN_ERROR_MODEL, "'root'", "not positive");
    assert_text_refused(CHARACTER(ROOT, BODY("sphere", "\"heavy\"", "")), format,
                        "BodyDefs[0].Mass:", "a text");
    assert_text_refused("{\"PDControllers\": []}", format, "controller", "not a model");
}

/* -------------------------------------------------------------------------------------------- real files */

static sn_model *load_data(const char *name) {
    sn_error error;
    sn_model *model = sn_model_load(name, NULL, &error);
    if (!model) fail_msg("%s", error.message);
    return model;
}

TEST(the_humanoid_weighs_45_kg_and_has_34_degrees_of_freedom) {
    const char *path = data_path("deepmimic/characters/humanoid3d.txt");
    if (!path) return;
    sn_model *model = load_data(path);
    assert_near(sn_model_get(model)->mass, 45, 1e-12);
    assert_int_equal(sn_model_get(model)->nv, 34);
    assert_int_equal(sn_model_get(model)->nq, 43);
    assert_int_equal(sn_model_get(model)->nbody, 13);
    assert_int_equal(sn_model_get(model)->nshape, 15);
    /* standing upright, and right and left where they belong */
    const sn_dynamics_def def = sn_dynamics_def_default();
    sn_dynamics *dynamics = sn_dynamics_create(model, &def, NULL);
    double q[43], pose[13][7];
    sn_model_zero_pose(model, q);
    assert_int_equal(sn_dynamics_bodies(dynamics, q, NULL, pose[0], NULL, NULL), SN_OK);
    const double *ankle = pose[sn_model_find_body(model, "left_ankle")];
    const double *left = pose[sn_model_find_body(model, "left_shoulder")];
    const double *right = pose[sn_model_find_body(model, "right_shoulder")];
    assert_near(ankle[2], -0.421546 - 0.40987, 1e-6);
    assert_true(left[1] > 0.15 && right[1] < -0.15);
    assert_true(left[2] > 0.4);
    sn_dynamics_free(dynamics);
    sn_model_free(model);
}

TEST(the_dog_takes_gains_from_its_controller) {
    char path[2200];
    const char *folder = data_path("deepmimic");
    if (!folder) return;
    snprintf(path, sizeof path, "%s/characters/dog3d.txt+%s/controllers/dog3d_ctrl.txt", folder, folder);
    sn_model *model = load_data(path);
    assert_near(sn_model_get(model)->mass, 29.25, 1e-12);
    assert_int_equal(sn_model_get(model)->nv, 64);
    assert_int_equal(sn_model_get(model)->nq, 83);
    assert_near(body_of(model, "spine0")->joint.kp, 500, 0);
    assert_near(body_of(model, "spine0")->joint.kd, 50, 0);
    assert_near(body_of(model, "left_finger")->joint.kp, 50, 0);
    assert_near(body_of(model, "root")->joint.kp, 0, 0);
    assert_near(body_of(model, "root")->pos[1], 0, 0);
    sn_model_free(model);

    snprintf(path, sizeof path, "%s/characters/humanoid3d.txt+../controllers/dog3d_ctrl.txt", folder);
    sn_error error;
    assert_null(sn_model_load(path, NULL, &error));
    assert_message_has(&error, "dog3d_ctrl.txt: PDControllers: has 23 entries");
    snprintf(path, sizeof path, "%s/characters/humanoid3d.txt+../controllers/none.txt", folder);
    assert_null(sn_model_load(path, NULL, &error));
    assert_message_has(&error, "none.txt: cannot be read: ");
    snprintf(path, sizeof path, "%s/controllers/dog3d_ctrl.txt+../characters/humanoid3d.txt", folder);
    assert_null(sn_model_load(path, NULL, &error));
    assert_message_has(&error, "dog3d_ctrl.txt: is a DeepMimic controller");
}

int main(void) {
    return run_all("deepmimic");
}
