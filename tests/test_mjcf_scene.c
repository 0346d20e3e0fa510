/* MJCF scenes as worlds: ground, members, keyframes, copies and attached models, who touches whom. */
#include "room.h"
#include "scene_helpers.h"

/* --------------------------------------------------------------------------------------------------- ground */

#define DROP(at) "<body name='drop' pos='" at "'><freejoint/><geom type='sphere' size='.1'/></body>"

TEST(geoms_of_the_world_are_ground) {
    static const struct {
        const char *text;
        double height;
    } ground[] = {
        {"<geom type='plane' size='1 1 1'/>", 0},
        {"<geom type='plane' size='1 1 1' pos='0 0 .3'/>", .3},
        {"<geom type='box' size='1 1 .2'/>", .2},
        {"<geom type='cylinder' size='1 .2'/>", .2},
        {"<geom type='capsule' size='.3' fromto='-1 0 0 1 0 0'/><geom type='capsule' size='.3' "
         "fromto='-1 .2 0 1 .2 0'/><geom type='capsule' size='.3' fromto='-1 -.2 0 1 -.2 0'/>",
         .3},
        {"<frame pos='0 0 .5'><geom type='box' size='1 1 .2'/></frame>", .7},
        {"<body pos='0 0 .5' euler='90 0 0'><body pos='.1 0 0'><geom type='box' size='1 .2 "
         "1'/></body></body>",
         .7},
        {"<body><geom type='plane' size='1 1 1' pos='0 0 .1'/></body>", .1},
        {"<geom type='hfield' hfield='h' pos='0 0 .1'/>", .6},
    };
    for (int i = 0; i < COUNT(ground); i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "<mujoco><asset><hfield name='h' nrow='2' ncol='3' size='1 1 .5 .1' elevation='3 3 1 3 3 "
                 "1'/></asset>"
                 "<worldbody>%s" DROP("-.4 0 1") "</worldbody></mujoco>",
                 ground[i].text);
        if (i == 4) memcpy(strstr(text, "-.4 0 1"), "0.0 0 1", 7); /* upon the middle one */
        sn_world *world = parse(text);
        assert_int_equal(told.count, 0);
        run(world, 1500);
        if (fabs(height_of(world, "drop") - ground[i].height - .1) > 2e-3)
            fail_msg("%s: rests at %g", ground[i].text, height_of(world, "drop"));
        sn_world_free(world);
    }
}

/* Rows of elevation run from the far side: the first is at +y. */
TEST(height_fields_lie_as_mujoco_has_them) {
    sn_world *world = parse("<mujoco><asset><hfield name='h' nrow='3' ncol='2' size='1 2 .5 .1' "
                            "elevation='7 7  5 5  5 5'/></asset><worldbody><geom type='hfield' hfield='h'/>"
                            "<body pos='0 0 9'><freejoint/>" BALL "</body></worldbody></mujoco>");
    const double way[3] = {0, 0, -5};
    static const double want[][2] = {{1.9, .475}, {1, .25}, {0, 0}, {-1, 0}};
    for (int i = 0; i < COUNT(want); i++) {
        sn_hit hit;
        assert_true(sn_world_cast_ray(world, 0, (double[]){0.1, want[i][0], 3}, way, UINT32_MAX, &hit));
        assert_near(hit.pos[2], want[i][1], 1e-9);
    }
    sn_world_free(world);
}

/* As wide on average as the cylinder: no point of its rim is off by more than two in a hundred of the radius. */
TEST(cylinders_are_prisms_of_the_same_width) {
    sn_world *world =
        scene("<geom type='cylinder' size='.5 .2'/><body pos='0 0 9'><freejoint/>" BALL "</body>", "");
    double mean = 0;
    for (int i = 0; i < 360; i++) {
        const double a = i * M_PI / 180, from[3] = {2 * cos(a), 2 * sin(a), 0.1},
                     way[3] = {-from[0], -from[1], 0};
        sn_hit hit;
        assert_true(sn_world_cast_ray(world, 0, from, way, UINT32_MAX, &hit));
        const double r = sqrt(hit.pos[0] * hit.pos[0] + hit.pos[1] * hit.pos[1]);
        assert_near(r, .5, .01);
        mean += r / 360;
    }
    assert_near(mean, .5, 1e-3);
    sn_world_free(world);
}

TEST(gravity_step_and_flags_are_the_worlds) {
    sn_world *world =
        parse("<mujoco><option timestep='.004' gravity='1 2 3'><flag contact='disable'/></option>"
              "<worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 -.5'><freejoint/>" BALL
              "</body></worldbody></mujoco>");
    double g[3], qd[6];
    run(world, 10);
    assert_near(sn_world_time(world), .04, 1e-12);
    assert_int_equal(sn_world_get(world, 0, SN_FIELD_GRAVITY, 0, 1, g), SN_OK);
    assert_near_n(g, (double[]){1, 2, 3}, 3, 0);
    assert_int_equal(sn_world_get(world, 0, SN_FIELD_QD, 0, 1, qd), SN_OK);
    assert_near_n(qd, (double[]){.04, .08, .12, 0, 0, 0}, 6, 1e-12);
    sn_world_free(world);
    world = parse("<mujoco><option><flag gravity='disable'/></option><worldbody><body><freejoint/>" BALL
                  "</body></worldbody></mujoco>");
    run(world, 10);
    assert_near(sn_world_time(world), .02, 1e-12);
    assert_near(height_of(world, "body#1"), 0, 0);
    sn_world_free(world);
}

/* -------------------------------------------------------------------------------------------------- members */

TEST(trees_are_members_and_those_tied_by_joints_are_one) {
    sn_world *world = scene(
        "<body name='a'><joint name='ja'/>" BALL "</body><body name='b' pos='1 0 0'><joint name='jb'/>" BALL
        "</body><body name='c' pos='2 0 0'><freejoint/>" BALL
        "</body><body name='d' pos='3 0 0'><freejoint/>" BALL "</body><body name='post' pos='4 0 0'>" BALL
        "</body><body name='e' pos='5 0 0'>" BALL
        "<body name='f'><joint/><geom size='.1' pos='1 0 0'/></body></body>",
        "<equality><joint joint1='ja' joint2='jb'/></equality>"
        "<contact><exclude body1='c' body2='d'/></contact>");
    assert_int_equal(sn_world_get_info(world).members, 3);
    assert_int_equal(member_of(world, "a"), member_of(world, "b"));
    assert_int_equal(member_of(world, "c"), member_of(world, "d"));
    assert_int_equal(sn_world_find_body(world, "post", NULL), -1);
    int body;
    assert_int_equal(sn_world_find_body(world, "f", &body), 2);
    assert_int_equal(body, 1);
    assert_int_equal(sn_model_get(sn_world_model(world, 2))->nshape, 1); /* that of e is ground */
    sn_world_free(world);
}

TEST(a_scene_runs_in_many_copies) {
    sn_world_def def = sn_world_def_default();
    def.copies = 5;
    sn_world *world =
        parse_with("<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='a' pos='0 0 .5'>"
                   "<joint name='j' type='slide'/>" BALL "</body></worldbody>"
                   "<actuator><motor joint='j' gear='2'/></actuator>"
                   "<keyframe><key ctrl='3'/></keyframe></mujoco>",
                   NULL, &def);
    assert_non_null(world);
    double forward[5];
    assert_int_equal(sn_world_get(world, 0, SN_FIELD_FEEDFORWARD, 0, 5, forward), SN_OK);
    assert_near_n(forward, (double[]){6, 6, 6, 6, 6}, 5, 0);
    sn_world_free(world);
}

TEST(keyframes_are_poses_by_name_or_number) {
    const char *text =
        "<mujoco><worldbody><body name='a'><joint ref='90'/>" BALL "</body></worldbody><keyframe>"
        "<key qpos='1'/><key name='up' qpos='2' qvel='3'/></keyframe></mujoco>";
    static const struct {
        const char *key;
        double q, qd;
    } want[] = {{NULL, 1, 0}, {"0", 1, 0}, {"up", 2, 3}, {"1", 2, 3}};
    for (int i = 0; i < COUNT(want); i++) {
        sn_world *world = parse_with(text, want[i].key, NULL);
        double q, qd;
        assert_non_null(world);
        assert_int_equal(sn_world_get_state(world, 0, &q, &qd), SN_OK);
        assert_near(q, want[i].q - M_PI / 2, 1e-15);
        assert_near(qd, want[i].qd, 0);
        sn_world_free(world);
    }
    assert_null(parse_with(text, "down", NULL));
    assert_message_has(&error, "there is no keyframe 'down'");
}

/* --------------------------------------------------------------------------------------------- who touches whom */

static const char *const two_balls =
    "<geom name='floor' type='plane' size='1 1 1' %s/>"
    "<body name='low' pos='0 0 .1'><freejoint/><geom name='l' size='.1' %s/></body>"
    "<body name='high' pos='0 0 .4'><freejoint/><geom name='h' size='.1' %s/></body>";

static void fall(const char *floor, const char *low, const char *high, const char *sections, double z_low,
                 double z_high) {
    char text[1024];
    snprintf(text, sizeof text, two_balls, floor, low, high);
    sn_world *world = scene(text, sections);
    run(world, 150); /* 0.3 s: 0.44 m of free fall */
    const double zl = height_of(world, "low"), zh = height_of(world, "high");
    if (fabs(zl - z_low) > 5e-3 || fabs(zh - z_high) > 5e-3)
        fail_msg("%s: at %g and %g, not %g and %g", sections, zl, zh, z_low, z_high);
    sn_world_free(world);
}

TEST(exclusions_and_pairs_say_who_touches) {
    const double free_low = .1 - .4415, free_high = .4 - .4415;
    const char *none = "contype='0' conaffinity='0'";
    fall("", "", "", "", .1, .3);
    fall("", "", "", "<contact><exclude body1='low' body2='high'/></contact>", .1, .1);
    fall("", "", "", "<contact><exclude body1='world' body2='low'/></contact>", free_low, .1);
    fall("", "", "",
         "<contact><exclude body1='high' body2='world'/><exclude body1='high' body2='low'/></contact>", .1,
         free_high);
    fall("", none, none, "", free_low, free_high);
    fall("", none, none, "<contact><pair geom1='l' geom2='floor'/></contact>", .1, free_high);
    fall("", none, none, "<contact><pair geom1='l' geom2='floor'/><pair geom1='l' geom2='h'/></contact>", .1,
         .3);
    fall("", "contype='2'", "contype='4'", "<contact><pair geom1='h' geom2='floor'/></contact>", .1, .1);
    fall("", "contype='2' conaffinity='0'", "contype='4' conaffinity='2'", "", free_low, free_high + .0);
}

TEST(pairs_without_shapes_and_pairs_with_friction_are_told) {
    sn_world *world =
        scene("<body name='a'><freejoint/><geom name='g' size='.1'/></body>"
              "<body name='b' pos='1 0 0'><freejoint/><geom name='k' size='.1'/></body>",
              "<contact><pair geom1='g' geom2='mesh'/><pair geom1='g' geom2='k' friction='1 1 1 1 1'/>"
              "</contact>");
    assert_int_equal(told.count, 2);
    assert_non_null(strstr(told.text, "<pair> names a geom that did not become a shape"));
    assert_non_null(strstr(told.text, "<pair> has a friction of its own"));
    sn_world_free(world);
}

TEST(a_body_does_not_touch_what_it_stands_on_when_that_is_excluded) {
    sn_world *world = scene("<body name='post'><geom type='box' size='.1 .1 .1'/></body>"
                            "<body name='a' pos='0 0 .25'><freejoint/>" BALL "</body>"
                            "<body name='b' pos='0 0 .5'><freejoint/>" BALL "</body>",
                            "<contact><exclude body1='a' body2='post'/></contact>");
    run(world, 100); /* 0.2 m of free fall */
    assert_true(height_of(world, "a") < .1);
    run(world, 400);
    assert_near(height_of(world, "b"), .2, 5e-3);
    sn_world_free(world);
}

/* ---------------------------------------------------------------------------------------------------- copies */

TEST(replicate_repeats_with_numbers_and_steps) {
    sn_world *world = scene("<replicate count='2' offset='0 1 0' euler='90 0 0'>"
                            "<replicate count='2' sep='-' offset='1 0 0' euler='0 90 0'>"
                            "<body name='Alice'><freejoint/>" BALL "</body></replicate></replicate>",
                            "");
    static const struct {
        const char *name;
        double pose[7];
    } want[] = {
        {"Alice-00", {0, 0, 0, 1, 0, 0, 0}},
        {"Alice-10", {1, 0, 0, M_SQRT1_2, 0, M_SQRT1_2, 0}},
        {"Alice-01", {0, 1, 0, M_SQRT1_2, M_SQRT1_2, 0, 0}},
        {"Alice-11", {1, 1, 0, .5, .5, .5, .5}},
    };
    for (int i = 0; i < COUNT(want); i++) {
        double pose[7];
        place_of(world, want[i].name, pose);
        assert_near_n(pose, want[i].pose, 7, 1e-12);
    }
    assert_int_equal(sn_world_get_info(world).members, 4);
    sn_world_free(world);
}

TEST(numbers_of_copies_have_as_many_digits_as_the_count) {
    sn_world *world = scene(
        "<replicate count='10' offset='1 0 0'><body name='a'><freejoint/>" BALL "</body></replicate>", "");
    assert_int_equal(member_of(world, "a09"), 9);
    assert_int_equal(sn_world_find_body(world, "a9", NULL), -1);
    sn_world_free(world);
}

TEST(what_refers_to_copies_is_repeated_with_them) {
    sn_world *world = scene("<replicate count='3' offset='1 0 0'><body name='a'><joint name='j'/>" BALL
                            "<body name='b' pos='.3 0 0'><joint name='k'/>" BALL "</body></body></replicate>",
                            "<contact><exclude body1='a' body2='b'/></contact>"
                            "<equality><joint joint1='k' joint2='j' polycoef='0 2'/></equality>"
                            "<actuator><position joint='j' kp='5'/><motor joint='k1' gear='7'/></actuator>"
                            "<keyframe><key ctrl='.1 .2 .3 .4'/></keyframe>");
    assert_int_equal(sn_world_get_info(world).members, 3);
    for (int i = 0; i < 3; i++) {
        const sn_model *model = sn_world_model(world, i);
        double kp[2], target[2], forward[2];
        assert_int_equal(sn_model_get(model)->nconstraint, 1);
        assert_int_equal(sn_model_get(model)->constraint[0].body, 1);
        assert_int_equal(sn_model_get(model)->constraint[0].body2, 0);
        assert_int_equal(sn_world_get(world, i, SN_FIELD_KP, 0, 1, kp), SN_OK);
        assert_int_equal(sn_world_get(world, i, SN_FIELD_TARGET_Q, 0, 1, target), SN_OK);
        assert_int_equal(sn_world_get(world, i, SN_FIELD_FEEDFORWARD, 0, 1, forward), SN_OK);
        assert_near(kp[0], 5, 0);
        assert_near(target[0], .1 * (i + 1), 1e-15);
        assert_near(forward[1], i == 1 ? 7 * .4 : 0, 1e-15);
    }
    sn_world_free(world);
}

/* An attached model brings its own angles, classes and actuators; names get its prefix. */
TEST(models_are_attached_with_all_that_belongs_to_them) {
    assert_int_equal(make_room(NULL), 0);
    write_text("arm.xml",
               "<mujoco><compiler angle='radian'/><default><geom size='.2'/><position kp='9'/></default>"
               "<worldbody><body name='other'><joint name='o'/><geom/></body>"
               "<body name='arm'><joint name='j' range='-1 1'/><geom/></body></worldbody>"
               "<actuator><position joint='j' dampratio='0'/><position joint='o'/></actuator></mujoco>");
    write_text(
        "main.xml",
        "<mujoco><asset><model name='m' file='arm.xml'/></asset><worldbody>"
        "<body name='base'><freejoint/>" BALL "<frame pos='1 0 0'><attach model='m' body='arm' prefix='l_'/>"
        "</frame><frame pos='-1 0 0'><attach model='m' body='arm' prefix='r_'/></frame></body></worldbody>"
        "<equality><joint joint1='l_j' joint2='r_j'/></equality></mujoco>");
    sn_load_def options = options_with(&told);
    sn_world *world = sn_world_load(in_room("main.xml"), NULL, &options, &error);
    if (!world) fail_msg("%s", error.message);
    const sn_model *model = sn_world_model(world, 0);
    assert_int_equal(sn_model_get(model)->nbody, 3);
    assert_int_equal(sn_model_get(model)->nconstraint, 1);
    const sn_body_info *left = body_of(model, "l_arm"), *right = body_of(model, "r_arm");
    assert_near(left->pos[0], 1, 0);
    assert_near(right->pos[0], -1, 0);
    assert_near(left->joint.upper[0], 1, 0);
    assert_near(right->joint.kp, 9, 0);
    assert_near(sn_model_get(model)->shape[left->first_shape].size[0], .2, 0);
    assert_int_equal(told.count, 0);
    sn_world_free(world);
    write_text("main.xml", "<mujoco><asset><model name='m' file='main.xml'/></asset><worldbody>"
                           "<attach model='m' prefix='x'/></worldbody></mujoco>");
    assert_null(sn_world_load(in_room("main.xml"), NULL, NULL, &error)); /* itself, and so on */
    assert_message_has(&error, "attached at most");
    unlink(in_room("arm.xml")), unlink(in_room("main.xml"));
    assert_int_equal(leave_room(NULL), 0);
}

/* ------------------------------------------------------------------------------------------------- left out */

TEST(what_scenes_cannot_have_is_told) {
    sn_world *world = scene(
        "<body name='a'><joint name='a'/>" BALL "<body><joint name='b'/>" BALL "<body><joint name='c'/>" BALL
        "<site name='s'/></body></body><flexcomp name='f'/></body>",
        "<tendon><spatial name='x'><site site='s'/></spatial>"
        "<fixed name='y'><joint joint='a' coef='1'/><joint joint='b' coef='1'/><joint joint='c' coef='1'/>"
        "</fixed><fixed limited='true' range='0 1'><joint joint='a' coef='1'/><joint joint='b' "
        "coef='1'/></fixed>"
        "</tendon><actuator><motor tendon='x'/><motor tendon='y'/></actuator>"
        "<equality><connect site1='s' site2='s'/></equality><deformable/><asset><skin/></asset>");
    static const char *const want[] = {"<flexcomp>",
                                       "<spatial> runs over sites",
                                       "<fixed> couples 3 joints",
                                       "<connect> ties sites",
                                       "<deformable>",
                                       "<skin>"};
    for (int i = 0; i < COUNT(want); i++)
        if (!strstr(told.text, want[i])) fail_msg("'%s' is not in %s", want[i], told.text);
    assert_int_equal(told.count, COUNT(want));
    sn_world_free(world);
}

TEST(mistakes_in_scenes_are_refused) {
    static const char *const mistake[][2] = {
        {"<worldbody/>", "there is nothing in the scene"},
        {"<worldbody><geom type='hfield' hfield='h'/></worldbody>", "there is no height field 'h'"},
        {"<worldbody><replicate count='-1'/></worldbody>", "count"},
        {"<worldbody><attach model='m'/></worldbody>", "there is no model 'm'"},
        {"<worldbody><body><joint name='j'/>" BALL
         "</body></worldbody><equality><joint joint1='k'/></equality>",
         "there is no joint 'k'"},
        {"<worldbody><body name='a'><joint name='j'/>" BALL
         "</body></worldbody><equality><joint joint1='j' joint2='j'/></equality>",
         "hinges or slides"},
        {"<worldbody><body name='a'><freejoint/>" BALL
         "</body></worldbody><equality><connect body1='a' body2='a' anchor='0 0 0'/></equality>",
         "ties a body to itself"},
        {"<worldbody><body name='a'><freejoint/>" BALL
         "</body></worldbody><equality><connect body1='a'/></equality>",
         "attribute 'anchor': is missing"},
        {"<worldbody><body><joint name='j'/>" BALL
         "</body></worldbody><tendon><fixed><joint joint='j'/></fixed></tendon>",
         "attribute 'coef': is missing"},
        {"<option timestep='0'/><worldbody/>", "is not positive"},
        {"<asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3'/></asset><worldbody/>",
         "elevation"},
        {"<asset><hfield name='h' nrow='2' ncol='1' size='1 1 1 1'/></asset><worldbody/>", "2 to 32768"},
    };
    for (int i = 0; i < COUNT(mistake); i++) {
        char text[1024];
        snprintf(text, sizeof text, "<mujoco>%s</mujoco>", mistake[i][0]);
        assert_null(parse_with(text, NULL, NULL));
        assert_message_has(&error, mistake[i][1]);
        assert_message_has(&error, "scene.xml");
    }
}

int main(void) {
    return run_all("mjcf scenes");
}
