/* The MJCF reader on small texts, a feature each. */
#include "model/model.h"
#include "mjcf_helpers.h"

#include "sinew/dynamics.h"

static const double pi = 3.14159265358979323846;

/* --------------------------------------------------------------------------------------------------- tree */

TEST(bodies_nest_and_have_their_places) {
    sn_model *model = world("<body name='a' pos='1 2 3'><freejoint/>" BALL
                            "<body name='b' pos='0 0 1' quat='2 0 0 0'><joint axis='0 2 0'/>" BALL
                            "</body></body><body name='c'><joint type='slide'/>" BALL "</body>");
    assert_int_equal(sn_model_get(model)->nbody, 3);
    assert_int_equal(sn_model_get(model)->nv, 8);
    const sn_body_info *a = body_of(model, "a"), *b = body_of(model, "b"), *c = body_of(model, "c");
    assert_int_equal(a->joint.type, SN_JOINT_FREE);
    assert_near_n(a->pos, VECTOR(1, 2, 3), 3, 0);
    assert_int_equal(b->parent, 0);
    assert_int_equal(b->joint.type, SN_JOINT_HINGE);
    assert_near_n(b->joint.axis, VECTOR(0, 1, 0), 3, 0);
    assert_near_n(b->rot, VECTOR(1, 0, 0, 0), 4, 0);
    assert_int_equal(c->parent, -1);
    assert_int_equal(c->joint.type, SN_JOINT_SLIDE);
    assert_near(a->mass, 4000 * pi / 3 * 1e-3, 1e-12);
    assert_int_equal(nwarning, 0);
    sn_model_free(model);
}

TEST(several_joints_make_a_chain_in_their_order) {
    sn_model *model = world("<body name='a' pos='0 0 1'>"
                            "<joint name='x' type='slide' axis='1 0 0'/><joint axis='0 1 0' pos='0 0 .5'/>"
                            "<joint name='z' axis='0 0 1'/>" BALL "</body>");
    assert_int_equal(sn_model_get(model)->nbody, 3);
    assert_int_equal(sn_model_get(model)->nv, 3);
    assert_string_equal(sn_model_body(model, 0)->name, "a/x");
    assert_string_equal(sn_model_body(model, 1)->name, "a/joint#2");
    assert_string_equal(sn_model_body(model, 2)->name, "a");
    assert_near_n(sn_model_body(model, 0)->pos, VECTOR(0, 0, 1), 3, 0);
    assert_near_n(sn_model_body(model, 1)->pos, VECTOR(0, 0, 0), 3, 0);
    assert_near_n(sn_model_body(model, 1)->joint.anchor, VECTOR(0, 0, .5), 3, 0);
    assert_near_n(sn_model_body(model, 2)->joint.axis, VECTOR(0, 0, 1), 3, 0);
    assert_near(sn_model_body(model, 0)->mass, 0, 0);
    assert_near(sn_model_body(model, 2)->mass, sn_model_get(model)->mass, 0);
    sn_model_free(model);
}

TEST(bodies_without_joints_are_welded_and_without_names_get_some) {
    sn_model *model = world("<body><joint/>" BALL "<body pos='1 0 0'>" BALL "</body></body>");
    const sn_body_info *weld = body_of(model, "body#2");
    assert_int_equal(weld->joint.type, SN_JOINT_WELD);
    assert_int_equal(weld->parent, sn_model_find_body(model, "body#1"));
    sn_model_free(model);
}

TEST(frames_carry_what_is_in_them) {
    sn_model *model = world("<frame pos='1 0 0' euler='0 0 90'><body name='a' pos='1 0 0'>"
                            "<frame pos='0 0 2' euler='90 0 0'><frame pos='0 0 1'>"
                            "<joint axis='0 0 1' pos='1 0 0'/><geom size='.1' pos='0 0 1'/></frame></frame>"
                            "</body></frame>");
    const sn_body_info *a = body_of(model, "a");
    /* About z: x becomes y. About x: z becomes -y. */
    assert_near_n(a->pos, VECTOR(1, 1, 0), 3, 1e-15);
    assert_near_n(a->rot, VECTOR(sqrt(.5), 0, 0, sqrt(.5)), 4, 1e-15);
    assert_near_n(a->joint.axis, VECTOR(0, -1, 0), 3, 1e-15);
    assert_near_n(a->joint.anchor, VECTOR(1, -1, 2), 3, 1e-15);
    assert_near_n(a->com, VECTOR(0, -2, 2), 3, 1e-15);
    sn_model_free(model);
}

TEST(mocap_bodies_are_welded_with_a_warning) {
    sn_model *model = world("<body mocap='true' name='a'>" BALL "</body><body><joint/>" BALL "</body>");
    assert_int_equal(body_of(model, "a")->joint.type, SN_JOINT_WELD);
    assert_non_null(strstr(warnings, "m.xml:1: <body> is moved from outside"));
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------------- joints */

TEST(joint_attributes_are_in_radians_and_counted_from_ref) {
    sn_model *model =
        world("<body name='a'><joint range='-90 180' ref='90' springref='45' stiffness='3' damping='2' "
              "armature='.5' frictionloss='1'/>" BALL "</body>");
    const sn_joint_def *joint = &body_of(model, "a")->joint;
    assert_true(joint->limited);
    assert_near(joint->lower[0], -pi, 1e-15);
    assert_near(joint->upper[0], pi / 2, 1e-15);
    assert_near(joint->rest[0], -pi / 4, 1e-15);
    assert_near(joint->stiffness, 3, 0);
    assert_near(joint->damping, 2, 0);
    assert_near(joint->armature, .5, 0);
    assert_near(joint->friction, 1, 0);
    assert_int_equal(nwarning, 0);
    sn_model_free(model);
}

TEST(slides_are_in_metres_whatever_the_angle) {
    sn_model *model =
        world("<body name='a'><joint type='slide' range='-1 2' ref='1' springref='.5'/>" BALL "</body>");
    const sn_joint_def *joint = &body_of(model, "a")->joint;
    assert_near(joint->lower[0], -2, 0);
    assert_near(joint->upper[0], 1, 0);
    assert_near(joint->rest[0], -.5, 0);
    sn_model_free(model);
}

TEST(ball_limits_bound_swing_and_twist) {
    sn_model *model = world("<body name='a'><joint type='ball' range='0 60'/>" BALL "</body>");
    const sn_joint_def *joint = &body_of(model, "a")->joint;
    assert_int_equal(joint->type, SN_JOINT_BALL);
    assert_near(joint->lower[0], -pi / 3, 1e-15);
    assert_near_n(joint->upper, VECTOR(pi / 3, pi / 3), 2, 1e-15);
    sn_model_free(model);
}

TEST(ranges_count_as_autolimits_says) {
    const char *text = "<mujoco><compiler %s/><worldbody><body name='a'><joint %s range='-1 1'/>" BALL
                       "</body></worldbody></mujoco>";
    static const struct {
        const char *compiler, *limited;
        bool counts;
    } rule[] = {
        {"", "", true},
        {"autolimits='true'", "", true},
        {"autolimits='false'", "", false},
        {"autolimits='false'", "limited='true'", true},
        {"", "limited='false'", false},
        {"", "limited='auto'", true},
    };
    for (int i = 0; i < COUNT(rule); i++) {
        char filled[512];
        snprintf(filled, sizeof filled, text, rule[i].compiler, rule[i].limited);
        sn_model *model = must_read(filled);
        assert_int_equal(body_of(model, "a")->joint.limited, rule[i].counts);
        sn_model_free(model);
    }
}

TEST(free_joints_take_armature_and_lose_springs) {
    sn_model *model =
        must_read("<mujoco><default><joint armature='1' stiffness='2' pos='1 0 0'/></default><worldbody>"
                  "<body name='a'><joint type='free'/>" BALL "</body>"
                  "<body name='b'><freejoint/>" BALL "</body></worldbody></mujoco>");
    assert_near(body_of(model, "a")->joint.armature, 1, 0);
    assert_near(body_of(model, "a")->joint.stiffness, 0, 0);
    assert_near(body_of(model, "b")->joint.armature, 0, 0);
    assert_non_null(strstr(warnings, "stiffness"));
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------- orientations */

TEST(orientations_can_be_said_in_every_way) {
    static const struct {
        const char *compiler, *say;
        double axis[3]; /* where the body's x axis points */
    } way[] = {
        {"", "quat='1 0 0 1'", {0, 1, 0}},
        {"", "axisangle='0 0 2 90'", {0, 1, 0}},
        {"angle='radian'", "axisangle='0 0 1 1.5707963267948966'", {0, 1, 0}},
        {"", "xyaxes='0 1 0 -1 0 0'", {0, 1, 0}},
        {"", "xyaxes='0 3 0 -1 1 0'", {0, 1, 0}},
        {"", "xyaxes='-1 0 0 0 -1 0'", {-1, 0, 0}},
        {"", "xyaxes='-1 0 0 0 1 0'", {-1, 0, 0}},
        {"", "xyaxes='1 0 0 0 -1 0'", {1, 0, 0}},
        {"", "zaxis='1 0 0'", {0, 0, -1}},
        {"", "zaxis='0 0 -1'", {1, 0, 0}},
        {"", "euler='0 0 90'", {0, 1, 0}},
        {"", "euler='90 0 90'", {0, 0, 1}},               /* x, then the turned z */
        {"eulerseq='XYZ'", "euler='90 0 90'", {0, 1, 0}}, /* x, then the z that stays */
        {"eulerseq='zyx'", "euler='90 90 0'", {0, 0, -1}},
        {"angle='radian'", "euler='0 0 1.5707963267948966'", {0, 1, 0}},
    };
    for (int i = 0; i < COUNT(way); i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "<mujoco><compiler %s/><worldbody><body %s><joint/><geom size='.1' pos='1 0 0'/></body>"
                 "</worldbody></mujoco>",
                 way[i].compiler, way[i].say);
        sn_model *model = must_read(text);
        const sn_dynamics_def def = sn_dynamics_def_default();
        sn_dynamics *dynamics = sn_dynamics_create(model, &def, NULL);
        const double q[1] = {0};
        sn_summary summary;
        assert_int_equal(sn_model_get(model)->nq, 1);
        assert_int_equal(sn_dynamics_bodies(dynamics, q, NULL, NULL, NULL, &summary), SN_OK);
        assert_near_n(summary.com, way[i].axis, 3, 1e-12);
        sn_dynamics_free(dynamics);
        sn_model_free(model);
    }
}

/* ------------------------------------------------------------------------------------- geoms and inertias */

TEST(geoms_become_shapes) {
    sn_model *model =
        world("<body><joint/>"
              "<geom type='sphere' size='.1'/><geom type='capsule' size='.1 .2' pos='1 0 0'/>"
              "<geom type='box' size='.1 .2 .3' euler='0 0 90'/><geom type='cylinder' size='.1 .2'/>"
              "<geom type='ellipsoid' size='.1 .2 .3'/></body>");
    static const sn_shape_type types[] = {SN_SHAPE_SPHERE, SN_SHAPE_CAPSULE, SN_SHAPE_BOX, SN_SHAPE_CYLINDER,
                                          SN_SHAPE_ELLIPSOID};
    assert_int_equal(sn_model_get(model)->nshape, 5);
    for (int i = 0; i < 5; i++)
        assert_int_equal(sn_model_get(model)->shape[i].type, types[i]);
    assert_near_n(sn_model_get(model)->shape[1].pos, VECTOR(1, 0, 0), 3, 0);
    assert_near_n(sn_model_get(model)->shape[2].size, VECTOR(.1, .2, .3), 3, 0);
    assert_near_n(sn_model_get(model)->shape[2].rot, VECTOR(sqrt(.5), 0, 0, sqrt(.5)), 4, 1e-15);
    sn_model_free(model);
}

TEST(fromto_gives_place_length_and_direction) {
    sn_model *model = world("<body><joint/><geom type='capsule' size='.1' fromto='0 0 0 2 0 0'/>"
                            "<geom type='box' size='.1' fromto='0 0 0 0 0 3'/></body>");
    const sn_shape_def *capsule = (&sn_model_get(model)->shape[0]), *box = (&sn_model_get(model)->shape[1]);
    assert_near_n(capsule->size, VECTOR(.1, 1), 2, 1e-15);
    assert_near_n(capsule->pos, VECTOR(1, 0, 0), 3, 1e-15);
    assert_near(fabs(capsule->rot[2]), sqrt(.5), 1e-15);
    assert_near_n(box->size, VECTOR(.1, .1, 1.5), 3, 1e-15);
    sn_model_free(model);
}

TEST(mass_and_density_of_geoms_are_kept) {
    sn_model *model = world("<body name='a'><joint/><geom type='box' size='.5 .5 .5' mass='3'/></body>"
                            "<body name='b'><joint/><geom type='box' size='.5 .5 .5' density='10'/></body>"
                            "<body name='c'><joint/><geom type='box' size='.5 .5 .5'/>"
                            "<geom type='box' size='1 1 1' mass='0'/></body>");
    assert_near(body_of(model, "a")->mass, 3, 1e-15);
    assert_near(body_of(model, "b")->mass, 10, 1e-12);
    assert_near(body_of(model, "c")->mass, 1000, 1e-9);
    assert_near_n(body_of(model, "a")->inertia, VECTOR(.5, .5, .5, 0, 0, 0), 6, 1e-15);
    sn_model_free(model);
}

TEST(inertial_is_preferred_unless_geoms_shall_count) {
    const char *text = "<mujoco><compiler inertiafromgeom='%s'/><worldbody><body name='a'><joint/>%s%s"
                       "</body></worldbody></mujoco>";
    const char *inertial = "<inertial pos='1 0 0' mass='2' diaginertia='1 2 3' euler='0 0 90'/>";
    const char *geom = "<geom type='box' size='.5 .5 .5' mass='5'/>";
    static const struct {
        const char *source;
        bool inertial, geom;
        double mass;
    } rule[] = {{"auto", true, true, 2},
                {"auto", false, true, 5},
                {"true", true, true, 5},
                {"true", true, false, 2},
                {"false", true, true, 2}};
    for (int i = 0; i < COUNT(rule); i++) {
        char filled[512];
        snprintf(filled, sizeof filled, text, rule[i].source, rule[i].inertial ? inertial : "",
                 rule[i].geom ? geom : "");
        sn_model *model = must_read(filled);
        const sn_body_info *a = body_of(model, "a");
        assert_near(a->mass, rule[i].mass, 0);
        if (rule[i].mass == 2) {
            assert_near_n(a->com, VECTOR(1, 0, 0), 3, 0);
            assert_near_n(a->inertia, VECTOR(2, 1, 3, 0, 0, 0), 6, 1e-15);
        }
        sn_model_free(model);
    }
}

TEST(full_inertia_is_in_the_order_of_the_format) {
    sn_model *model = world("<body name='a'><joint/><inertial pos='0 0 0' mass='1' "
                            "fullinertia='3 4 5 .1 .2 .3'/></body>");
    assert_near_n(body_of(model, "a")->inertia, VECTOR(3, 4, 5, .1, .2, .3), 6, 1e-15);
    sn_model_free(model);
}

TEST(compiler_corrects_masses) {
    sn_model *model =
        must_read("<mujoco><compiler settotalmass='10'/><worldbody><body name='a'><joint/>"
                  "<geom size='1' mass='1'/><body name='b'><joint/><geom size='1' mass='3'/></body>"
                  "</body></worldbody></mujoco>");
    assert_near(body_of(model, "a")->mass, 2.5, 1e-15);
    assert_near(body_of(model, "b")->inertia[0], 3, 1e-14);
    sn_model_free(model);

    model = must_read("<mujoco><compiler boundmass='2' boundinertia='.1'/><worldbody><body name='a'><joint/>"
                      "<inertial pos='0 0 0' mass='1' diaginertia='.09 .11 .15' euler='0 90 0'/></body>"
                      "</worldbody></mujoco>");
    assert_near(body_of(model, "a")->mass, 2, 0);
    assert_near_n(body_of(model, "a")->inertia, VECTOR(.15, .11, .1, 0, 0, 0), 6, 1e-15);
    sn_model_free(model);

    model = must_read("<mujoco><compiler balanceinertia='true'/><worldbody><body name='a'><joint/>"
                      "<inertial pos='0 0 0' mass='1' diaginertia='1 1 4'/></body></worldbody></mujoco>");
    assert_near_n(body_of(model, "a")->inertia, VECTOR(2, 2, 2, 0, 0, 0), 6, 1e-15);
    sn_model_free(model);

    model = must_read("<mujoco><compiler inertiagrouprange='1 2'/><worldbody><body name='a'><joint/>"
                      "<geom size='1' mass='1' group='1'/><geom size='1' mass='3' group='3'/></body>"
                      "</worldbody></mujoco>");
    assert_near(body_of(model, "a")->mass, 1, 0);
    sn_model_free(model);

    model = must_read("<mujoco><compiler discardvisual='true'/><worldbody><body name='a'><joint/>"
                      "<geom size='1' mass='1'/><geom size='1' mass='3' contype='0' conaffinity='0'/></body>"
                      "</worldbody></mujoco>");
    assert_near(body_of(model, "a")->mass, 1, 0);
    assert_int_equal(sn_model_get(model)->nshape, 1);
    sn_model_free(model);
}

TEST(scenery_is_left_out) {
    sn_model *model = world("<geom type='plane' size='1 1 1'/><geom type='box' size='1 1 1'/><geom size='1'/>"
                            "<light/><camera/><site/><body><joint/>" BALL "<site/><camera/></body>");
    assert_int_equal(sn_model_get(model)->nshape, 1);
    assert_string_equal(warnings, "m.xml: 2 shapes fixed to the world are left out\n");
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------------ classes */

TEST(default_classes_are_inherited) {
    sn_model *model = must_read(
        "<mujoco><worldbody><body name='a' childclass='limb'><joint name='j'/><geom/>"
        "<body name='b'><joint class='main'/><geom class='thin'/>"
        "<body name='c' childclass='thin'><joint/><geom size='.4'/>"
        "<frame childclass='main'><geom type='sphere' size='1'/></frame></body></body></body></worldbody>"
        "<default><joint damping='1' armature='2'/><geom density='500'/>"
        "<default class='limb'><joint damping='3'/><geom type='capsule' size='.1 .5'/>"
        "<default class='thin'><geom size='.05'/></default></default></default></mujoco>");
    assert_near(body_of(model, "a")->joint.damping, 3, 0);
    assert_near(body_of(model, "a")->joint.armature, 2, 0);
    assert_near(body_of(model, "b")->joint.damping, 1, 0);
    assert_near(body_of(model, "c")->joint.damping, 3, 0);
    assert_int_equal(sn_model_get(model)->shape[0].type, SN_SHAPE_CAPSULE);
    assert_near_n(sn_model_get(model)->shape[0].size, VECTOR(.1, .5), 2, 0);
    assert_near_n(sn_model_get(model)->shape[1].size, VECTOR(.05, .5), 2, 0); /* the rest stays */
    assert_near_n(sn_model_get(model)->shape[2].size, VECTOR(.4, .5), 2, 0);
    assert_int_equal(sn_model_get(model)->shape[3].type, SN_SHAPE_SPHERE);
    assert_near(sn_model_get(model)->shape[0].density, 500, 0);
    sn_model_free(model);
}

/* ---------------------------------------------------------------------------------------------- actuators */

static sn_model *actuated(const char *joint, const char *rest) {
    char text[2048];
    snprintf(text, sizeof text,
             "<mujoco><worldbody><body name='a'><joint name='j' %s/>" BALL "</body></worldbody>%s</mujoco>",
             joint, rest);
    return must_read(text);
}

TEST(actuators_become_gains_and_torque_limits) {
    static const struct {
        const char *joint, *actuators;
        double kp, kd, limit;
    } rule[] = {
        {"", "", 0, 0, (double)INFINITY},
        {"", "<motor joint='j'/>", 0, 0, (double)INFINITY},
        {"", "<motor joint='j' gear='50' ctrlrange='-1 2'/>", 0, 0, 100},
        {"", "<motor joint='j' gear='50' ctrllimited='false' ctrlrange='-1 2'/>", 0, 0, (double)INFINITY},
        {"", "<motor joint='j' gear='-50' ctrlrange='-1 2' forcerange='-1 1'/>", 0, 0, 50},
        {"", "<position joint='j' kp='30' kv='4' forcerange='-7 7' ctrlrange='-1 1'/>", 30, 4, 7},
        {"", "<position joint='j' kp='30' gear='2'/>", 120, 0, (double)INFINITY},
        {"", "<velocity joint='j' kv='5'/>", 0, 5, (double)INFINITY},
        {"", "<position joint='j' kp='30'/><velocity joint='j' kv='5'/>", 30, 5, (double)INFINITY},
        {"", "<intvelocity joint='j' kp='30'/>", 30, 0, (double)INFINITY},
        {"", "<general joint='j' gainprm='20' biastype='affine' biasprm='0 -20 -3'/>", 20, 3,
         (double)INFINITY},
        {"", "<general joint='j' gainprm='20' biasprm='0 -20 -3' ctrlrange='-1 1'/>", 0, 0, 20},
        {"", "<motor joint='j' ctrlrange='-3 3'/><motor jointinparent='j' ctrlrange='-4 4'/>", 0, 0, 7},
        {"actuatorfrcrange='-5 5'", "<motor joint='j' ctrlrange='-8 8'/>", 0, 0, 5},
        {"actuatorfrcrange='-5 5'", "", 0, 0, 5},
        {"type='ball'", "<motor joint='j' gear='0 3 4' ctrlrange='-1 1'/><motor joint='j' ctrlrange='-2 2'/>",
         0, 0, 5},
    };
    for (int i = 0; i < COUNT(rule); i++) {
        char rest[512];
        snprintf(rest, sizeof rest, "<actuator>%s</actuator>", rule[i].actuators);
        sn_model *model = actuated(rule[i].joint, rest);
        const sn_joint_def *joint = &body_of(model, "a")->joint;
        assert_near(joint->kp, rule[i].kp, 0);
        assert_near(joint->kd, rule[i].kd, 0);
        if (joint->torque_limit != rule[i].limit)
            fail_msg("rule %d: the limit is %g", i, joint->torque_limit);
        sn_model_free(model);
    }
}

TEST(actuators_have_classes) {
    sn_model *model = actuated("", "<default><position kp='10' ctrlrange='-1 1'/><default class='strong'>"
                                   "<position kp='70' forcerange='-9 9'/></default></default>"
                                   "<actuator><position class='strong' joint='j'/></actuator>");
    assert_near(body_of(model, "a")->joint.kp, 70, 0);
    assert_near(body_of(model, "a")->joint.torque_limit, 9, 0);
    sn_model_free(model);
}

TEST(actuators_of_other_kinds_are_left_out_with_one_warning_a_kind) {
    sn_model *model = actuated("", "<tendon><spatial name='t'><site site='s'/></spatial></tendon>"
                                   "<actuator><muscle tendon='t'/><muscle tendon='t'/><motor tendon='t'/>"
                                   "<motor site='s'/><general joint='j' gaintype='affine'/>"
                                   "<position joint='j' kp='-1'/></actuator>");
    assert_int_equal(nwarning, 5);
    assert_non_null(strstr(warnings, "<spatial> runs over sites, which has no counterpart, and is left out"));
    assert_non_null(strstr(warnings, "<muscle> has no counterpart"));
    assert_non_null(strstr(warnings, "<motor> drives neither a joint nor a tendon"));
    assert_non_null(strstr(warnings, "<general> has a gain that is not constant"));
    assert_non_null(strstr(warnings, "<position> has a negative gain"));
    sn_model_free(model);
}

TEST(first_keyframe_is_the_home_pose) {
    sn_model *model =
        must_read("<mujoco><worldbody><body><freejoint/>" BALL
                  "<body><joint type='slide' ref='1'/><joint ref='90'/>" BALL
                  "<body><joint type='ball'/>" BALL "</body></body></body></worldbody>"
                  "<keyframe><key qpos='1 2 3 0 2 0 0  4 1  0 0 1 0'/><key qpos='0'/></keyframe></mujoco>");
    double q[13], expected[] = {1, 2, 3, 0, 1, 0, 0, 3, 1 - pi / 2, 0, 0, 1, 0};
    assert_int_equal(sn_model_get(model)->nq, 13);
    sn_model_home_pose(model, q);
    assert_near_n(q, expected, 13, 1e-15);
    sn_model_free(model);
}

int main(void) {
    return run_all("mjcf");
}
