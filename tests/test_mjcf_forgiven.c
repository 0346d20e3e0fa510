/* MJCF as people write it: what is not available is left out and reported, and files name each other from where they stand. */
#include "file_helpers.h"
#include "room.h"

static sn_model *load(const char *name) {
    sn_error error;
    sn_model *model = sn_model_load(in_room(name), NULL, &error);
    if (!model) fail_msg("%s", error.message);
    return model;
}

#define BALL                                                                                                 \
    "<mujoco><worldbody><body name='a'><freejoint/><geom size='.1'/><body name='b' pos='0 0 .2'>"            \
    "<joint name='ball' type='ball'/><geom size='.1'/><body name='c' pos='0 0 .2'><joint name='h'/>"         \
    "<geom size='.1'/></body></body></body></worldbody>"

TEST(ties_over_ball_joints_are_left_out_and_told) {
    static const char *const text[] = {
        BALL
        "<tendon><fixed><joint joint='h' coef='1'/><joint joint='ball' coef='1'/></fixed></tendon></mujoco>",
        BALL "<equality><joint joint1='ball' joint2='h'/></equality></mujoco>",
        BALL "<equality><joint joint1='h' joint2='ball'/></equality></mujoco>"};
    for (int i = 0; i < COUNT(text); i++) {
        struct warnings warnings;
        sn_model *model = parse_model(text[i], &warnings);
        assert_has_warning(&warnings, "neither a hinge nor a slide");
        assert_int_equal(sn_model_get(model)->nconstraint, 0);
        assert_int_equal(sn_model_get(model)->nbody, 3);
        sn_model_free(model);
    }
}

TEST(a_quaternion_of_zeros_in_a_keyframe_is_no_turn) {
    struct warnings warnings;
    sn_model *model =
        parse_model(BALL "<keyframe><key qpos='0 0 1 0 0 0 0 0 0 0 0 .2'/></keyframe></mujoco>", &warnings);
    assert_has_warning(&warnings, "quaternion of zeros");
    const double *home = body_of(model, "a")->joint.home, *ball = body_of(model, "b")->joint.home;
    assert_near(home[2], 1, 0);
    assert_near(home[3], 1, 0);
    assert_near(ball[0], 1, 0);
    sn_model_free(model);
}

TEST(files_are_included_from_beside_the_model_or_beside_who_names_them) {
    mkdir(in_room("sub"), 0700);
    mkdir(in_room("sub/deep"), 0700);
    write_text("main.xml", "<mujoco><include file='sub/middle.xml'/></mujoco>");
    write_text("sub/middle.xml",
               "<mujoco><include file='deep/near.xml'/><include file='sub/deep/far.xml'/></mujoco>");
    write_text(
        "sub/deep/near.xml",
        "<mujoco><worldbody><body name='near'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
    write_text(
        "sub/deep/far.xml",
        "<mujoco><worldbody><body name='far'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
    sn_model *model = load("main.xml");
    assert_true(sn_model_find_body(model, "near") >= 0 && sn_model_find_body(model, "far") >= 0);
    sn_model_free(model);
    write_text("sub/middle.xml", "<mujoco><include file='nowhere.xml'/></mujoco>");
    sn_error error;
    assert_null(sn_model_load(in_room("main.xml"), NULL, &error));
    assert_message_has(&error, "nowhere.xml");
    remove(in_room("sub/deep/near.xml")), remove(in_room("sub/deep/far.xml"));
    remove(in_room("sub/middle.xml")), remove(in_room("main.xml"));
    rmdir(in_room("sub/deep")), rmdir(in_room("sub"));
}

/* A mesh of mass size^3 / 6, where the density is 1. */
static void write_corner(const char *name, double size) {
    char text[200];
    snprintf(text, sizeof text, "v 0 0 0\nv %g 0 0\nv 0 %g 0\nv 0 0 %g\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
             size, size, size);
    write_text(name, text);
}

static double mass_of(const char *name) {
    sn_model *model = load(name);
    const double mass = sn_model_get(model)->mass;
    sn_model_free(model);
    return mass;
}

/* MuJoCo's order: in the mesh folder of the model, then beside the file that names the mesh. */
TEST(meshes_of_included_files_stand_beside_the_model_or_beside_who_names_them) {
    mkdir(in_room("sub"), 0700);
    mkdir(in_room("meshes"), 0700);
    write_text("main.xml",
               "<mujoco><compiler meshdir='meshes'/><include file='sub/assets.xml'/><worldbody><body><joint/>"
               "<geom type='mesh' mesh='x' density='1'/></body></worldbody></mujoco>");
    write_text("sub/assets.xml", "<mujoco><asset><mesh name='x' file='x.obj'/></asset></mujoco>");
    write_corner("sub/x.obj", 1);
    assert_near(mass_of("main.xml"), 1. / 6, 1e-12);
    write_corner("meshes/x.obj", 2);
    assert_near(mass_of("main.xml"), 8. / 6, 1e-12);
    remove(in_room("sub/x.obj")), remove(in_room("meshes/x.obj"));
    sn_error error;
    assert_null(sn_model_load(in_room("main.xml"), NULL, &error));
    assert_message_has(&error, "meshes/x.obj");
    remove(in_room("sub/assets.xml")), remove(in_room("main.xml"));
    rmdir(in_room("sub")), rmdir(in_room("meshes"));
}

TEST(an_attached_model_has_its_own_name_and_a_frame_brings_itself) {
    write_text("child.xml",
               "<mujoco model='crane'><worldbody><frame name='one' pos='1 0 0'><body name='x'><joint/>"
               "<geom size='.1'/></body></frame><frame name='two' pos='2 0 0' euler='0 0 90'><body name='y' "
               "pos='.5 0 0'>"
               "<joint/><geom size='.1'/></body></frame></worldbody></mujoco>");
    write_text("main.xml",
               "<mujoco><asset><model file='child.xml'/></asset><worldbody><body name='base'><freejoint/>"
               "<geom size='.1'/><frame pos='0 0 1'><attach model='crane' frame='two' "
               "prefix='p_'/></frame></body></worldbody></mujoco>");
    sn_model *model = load("main.xml");
    assert_int_equal(sn_model_get(model)->nbody, 2);
    const double place[3] = {2, 0.5, 1};
    assert_near_n(body_of(model, "p_y")->pos, place, 3, 1e-12);
    sn_model_free(model);
    write_text("main.xml", "<mujoco><asset><model file='child.xml'/></asset><worldbody><attach model='crane' "
                           "frame='six'/></worldbody></mujoco>");
    sn_error error;
    assert_null(sn_model_load(in_room("main.xml"), NULL, &error));
    assert_message_has(&error, "there is no frame 'six'");
    remove(in_room("child.xml")), remove(in_room("main.xml"));
}

TEST(urdf_with_tags_that_do_not_match_is_refused) {
    assert_text_refused("<robot name='r'><link name='a'></robot>", SN_ERROR_FORMAT, ":1:", "mismatched tag");
    assert_text_refused("<robot name='r'>\n<link name='a'><inertial></link></inertial></robot>",
                        SN_ERROR_FORMAT, ":2:", "mismatched tag");
}

int main(void) {
    return run_all_between("mjcf forgiven", make_room, leave_room);
}
