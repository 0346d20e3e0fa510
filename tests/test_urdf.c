/* URDF: what each element becomes, and what is done about files that are not quite right. */
#include "parse_helpers.h"
#include "file_helpers.h"

#include "base/quat.h"
#include "import/urdf.h"

#define ROBOT(content) "<robot name=\"r\">\n" content "\n</robot>"
#define MASS(m)                                                                                              \
    "<inertial><mass value=\"" m "\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\" ixy=\"0\" ixz=\"0\" "     \
    "iyz=\"0\"/></inertial>"
#define LINK(name) "<link name=\"" name "\">" MASS("1") "</link>\n"
#define JOINT(name, type, parent, child, content)                                                            \
    "<joint name=\"" name "\" type=\"" type "\"><parent link=\"" parent "\"/><child link=\"" child           \
    "\"/>" content "</joint>\n"

/* ------------------------------------------------------------------------------------------------ joints */

TEST(every_joint_type_has_its_counterpart) {
    struct warnings warnings;
    sn_model *model = parse_model(
        ROBOT(LINK("base") LINK("a") LINK("b") LINK("c") LINK("d") LINK("e") LINK("f") JOINT(
            "1", "revolute", "base", "a",
            "<axis xyz=\"0 2 0\"/><limit lower=\"-1\" upper=\"2\" effort=\"30\" velocity=\"1\"/>"
            "<dynamics damping=\"0.5\"/><origin xyz=\"1 2 3\" rpy=\"0 0 1.5707963267948966\"/>")
                  JOINT("2", "continuous", "base", "b", "") JOINT(
                      "3", "prismatic", "base", "c", "<limit lower=\"0\" upper=\"0.5\" effort=\"9\"/>")
                      JOINT("4", "spherical", "base", "d",
                            "<axis xyz=\"0 0 1\"/><limit lower=\"0.7\" upper=\"0.7\" twist=\"0.3\"/>")
                          JOINT("5", "fixed", "base", "e",
                                "<origin xyz=\"0 0 2\"/>") "<drake:joint name=\"6\" "
                                                           "type=\"universal\"><parent link=\"base\"/><child "
                                                           "link=\"f\"/></drake:joint>"),
        &warnings);
    assert_int_equal(warnings.count, 0);
    assert_int_equal(sn_model_get(model)->nbody, 6);
    assert_int_equal(sn_model_get(model)->nv, 6 + 1 + 1 + 1 + 3 + 2);
    assert_near(sn_model_get(model)->mass, 7, 1e-15);

    const sn_body_info *base = body_of(model, "base");
    assert_int_equal(base->joint.type, SN_JOINT_FREE);
    assert_near(base->mass, 2, 0); /* e is part of it */
    assert_near(base->com[2], 1, 1e-15);
    assert_near(base->inertia[0], 0.2 + 2 * 1 * 1, 1e-14);
    assert_near(base->inertia[2], 0.2, 1e-15);

    const sn_body_info *a = body_of(model, "a");
    const double pos[3] = {1, 2, 3}, rot[4] = {sqrt(0.5), 0, 0, sqrt(0.5)}, y[3] = {0, 1, 0},
                 x[3] = {1, 0, 0};
    assert_int_equal(a->joint.type, SN_JOINT_HINGE);
    assert_near_n(a->pos, pos, 3, 0);
    assert_near_n(a->rot, rot, 4, 1e-15);
    assert_near_n(a->joint.axis, y, 3, 0);
    assert_true(a->joint.limited);
    assert_near(a->joint.lower[0], -1, 0);
    assert_near(a->joint.upper[0], 2, 0);
    assert_near(a->joint.torque_limit, 30, 0);
    assert_near(a->joint.damping, 0.5, 0);

    const sn_body_info *b = body_of(model, "b");
    assert_int_equal(b->joint.type, SN_JOINT_HINGE);
    assert_false(b->joint.limited);
    assert_near_n(b->joint.axis, x, 3, 0); /* URDF's default */
    assert_true(isinf(b->joint.torque_limit));
    assert_int_equal(body_of(model, "c")->joint.type, SN_JOINT_SLIDE);
    assert_near(body_of(model, "c")->joint.upper[0], 0.5, 0);
    const sn_joint_def *ball = &body_of(model, "d")->joint;
    assert_int_equal(ball->type, SN_JOINT_BALL);
    assert_true(ball->limited);
    assert_near(ball->lower[0], -0.3, 0);
    assert_near(ball->upper[0], 0.3, 0);
    assert_near(ball->upper[1], 0.7, 0);
    assert_int_equal(body_of(model, "f")->joint.type, SN_JOINT_UNIVERSAL);
    sn_model_free(model);
}

/* A puck that a planar joint 1 m up ties to the world. */
#define PUCK(axis, damping)                                                                                  \
    ROBOT("<link name=\"world\"/>" LINK("puck")                                                              \
              JOINT("j", "planar", "world", "puck",                                                          \
                    "<origin xyz=\"0 0 1\"/><axis xyz=\"" axis "\"/><dynamics damping=\"" damping "\"/>"))

TEST(a_planar_joint_whose_axes_differ_is_two_slides_and_a_hinge) {
    sn_model *model = parse_model(PUCK("0 0 1", "1 2 3"), NULL);
    assert_int_equal(sn_model_get(model)->nbody, 3);
    assert_int_equal(sn_model_get(model)->nv, 3);
    const sn_body_info *x = sn_model_body(model, 0), *y = sn_model_body(model, 1),
                       *puck = sn_model_body(model, 2);
    assert_string_equal(x->name, "puck_plane_x");
    assert_int_equal(x->joint.type, SN_JOINT_SLIDE);
    assert_int_equal(y->joint.type, SN_JOINT_SLIDE);
    assert_int_equal(puck->joint.type, SN_JOINT_HINGE);
    assert_near(x->pos[2], 1, 0);
    assert_near(puck->pos[2], 0, 0);
    const double normal[3] = {0, 0, 1};
    double cross[3];
    dvec_cross(x->joint.axis, y->joint.axis, cross);
    assert_near_n(cross, normal, 3, 1e-15);
    assert_near_n(puck->joint.axis, normal, 3, 1e-15);
    assert_near(x->joint.damping, 1, 0);
    assert_near(y->joint.damping, 2, 0);
    assert_near(puck->joint.damping, 3, 0);
    assert_near(x->mass + y->mass, 0, 0);
    sn_model_free(model);
}

TEST(a_planar_joint_is_one_joint) {
    sn_model *model = parse_model(PUCK("0 1 0", "2"), NULL);
    assert_int_equal(sn_model_get(model)->nbody, 1);
    const sn_body_info *puck = sn_model_body(model, 0);
    const double normal[3] = {0, 1, 0};
    assert_int_equal(puck->joint.type, SN_JOINT_PLANAR);
    assert_int_equal(puck->nv, 3);
    assert_near_n(puck->joint.axis, normal, 3, 1e-15);
    assert_near(dvec_dot(puck->joint.axis2, normal), 0, 1e-15);
    assert_near(puck->joint.damping, 2, 0);
    assert_near(puck->pos[2], 1, 0);
    sn_model_free(model);
}

TEST(limits_that_make_no_sense_are_none) {
    sn_model *model =
        parse_model(ROBOT(LINK("base") LINK("a") LINK("b") LINK("c")
                              JOINT("1", "revolute", "base", "a", "<limit lower=\"1\" upper=\"-1\"/>")
                                  JOINT("2", "revolute", "base", "b", "<limit effort=\"0\"/>")
                                      JOINT("3", "revolute", "base", "c", "<limit upper=\"1\"/>")),
                    NULL);
    assert_false(body_of(model, "a")->joint.limited);
    assert_false(body_of(model, "b")->joint.limited);
    assert_true(isinf(body_of(model, "b")->joint.torque_limit));
    assert_true(body_of(model, "c")->joint.limited);
    assert_near(body_of(model, "c")->joint.lower[0], 0, 0);
    sn_model_free(model);
}

/* ---------------------------------------------------------------------------------------------- the root */

static sn_joint_type root_type(const char *text) {
    sn_model *model = parse_model(text, NULL);
    sn_joint_type type = sn_model_body(model, 0)->joint.type;
    sn_model_free(model);
    return type;
}

TEST(the_root_floats_unless_it_is_the_world_or_has_no_mass) {
    assert_int_equal(root_type(ROBOT(LINK("base"))), SN_JOINT_FREE);
    assert_int_equal(
        root_type(ROBOT("<link name=\"world\"/>" LINK("a") JOINT("j", "continuous", "world", "a", ""))),
        SN_JOINT_HINGE);
    assert_int_equal(root_type(ROBOT(LINK("a") JOINT("j", "continuous", "world", "a", ""))), SN_JOINT_HINGE);
    assert_int_equal(
        root_type(ROBOT("<link name=\"foot\"/>" LINK("a") JOINT("j", "continuous", "foot", "a", ""))),
        SN_JOINT_WELD);
    /* an empty frame fixed to the first real link floats with it */
    assert_int_equal(
        root_type(ROBOT("<link name=\"dummy\"/>" LINK("a") JOINT("j", "fixed", "dummy", "a", ""))),
        SN_JOINT_FREE);
    assert_int_equal(
        root_type(ROBOT("<link name=\"world\"/>" LINK("a") JOINT("j", "fixed", "world", "a", ""))),
        SN_JOINT_WELD);
}

TEST(floating_joints_float_in_the_world_only) {
    sn_model *model =
        parse_model(ROBOT("<link name=\"world\"/><link name=\"mast\"/>" LINK("a")
                              JOINT("1", "fixed", "world", "mast", "<origin xyz=\"0 0 2\"/>")
                                  JOINT("2", "floating", "mast", "a", "<origin xyz=\"1 0 0\"/>")),
                    NULL);
    const sn_body_info *a = body_of(model, "a");
    const double pos[3] = {1, 0, 2};
    assert_int_equal(a->joint.type, SN_JOINT_FREE);
    assert_int_equal(a->parent, -1);
    assert_near_n(a->pos, pos, 3, 1e-15);
    sn_model_free(model);
    assert_text_refused(ROBOT(LINK("a") LINK("b") JOINT("j", "floating", "a", "b", "")), SN_ERROR_UNSUPPORTED,
                        "memory:4", "'a' moves");
}

/* ------------------------------------------------------------------------------------------------ masses */

TEST(inertia_turns_with_its_origin) {
    sn_model *model =
        parse_model(ROBOT("<link name=\"a\"><inertial><origin xyz=\"1 0 0\" rpy=\"0 0 1.5707963267948966\"/>"
                          "<mass value=\"2\"/><inertia ixx=\"1\" iyy=\"2\" izz=\"2.5\"/></inertial></link>"),
                    NULL);
    const sn_body_info *a = body_of(model, "a");
    const double inertia[6] = {2, 1, 2.5, 0, 0, 0}, com[3] = {1, 0, 0};
    assert_near_n(a->inertia, inertia, 6, 1e-15);
    assert_near_n(a->com, com, 3, 0);
    sn_model_free(model);
}

TEST(inertia_no_body_can_have_is_mended) {
    double moments[][3] = {{0.01, 0.001, 0.001}, {1, 2, 10}, {-1, 5, 5}, {-3, -2, 1}, {0, 0, 1}};
    for (int trial = 0; trial < 500; trial++) {
        double J[6], turned[6], rot[4] = {noise(), noise(), noise(), noise()}, value[3];
        const double *moment = moments[trial % 5];
        memset(J, 0, sizeof J);
        memcpy(J, moment, 3 * sizeof *J);
        dquat_normalise(rot);
        sn__sym_rotate(rot, J, turned);
        assert_true(sn__mend_inertia(turned));
        sn__sym_eigenvalues(turned, value);
        assert_true(value[0] >= -1e-12);
        assert_true(value[0] + value[1] >= value[2] * (1 - 1e-9));
        memcpy(J, turned, sizeof J);
        assert_false(sn__mend_inertia(turned)); /* once is enough */
        assert_memory_equal(J, turned, sizeof J);
    }
    double good[6] = {3, 4, 5, 0.1, 0.2, 0.3}, same[6];
    memcpy(same, good, sizeof good);
    assert_false(sn__mend_inertia(good));
    assert_memory_equal(good, same, sizeof good);

    struct warnings warnings;
    sn_model_free(parse_model(ROBOT("<link name=\"thin\"><inertial><mass value=\"1\"/>"
                                    "<inertia ixx=\"0.01\" iyy=\"0.001\" izz=\"0.001\"/></inertial></link>"),
                              &warnings));
    assert_has_warning(&warnings, "memory:2: link 'thin'");
}

TEST(a_mass_without_inertia_gets_that_of_its_shapes) {
    struct warnings warnings;
    sn_model *model =
        parse_model(ROBOT("<link name=\"a\"><inertial><mass value=\"3\"/></inertial><collision><geometry>"
                          "<box size=\"1 2 3\"/></geometry></collision></link>"),
                    &warnings);
    assert_near(body_of(model, "a")->inertia[0], 3 * (4 + 9) / 12.0, 1e-12);
    assert_has_warning(&warnings, "'a'");
    sn_model_free(model);
    sn_model_free(
        parse_model(ROBOT("<link name=\"a\"><inertial><mass value=\"3\"/></inertial></link>"), &warnings));
    assert_has_warning(&warnings, "ball of water");
}

TEST(joints_that_move_no_mass_are_fixed) {
    struct warnings warnings;
    sn_model *model =
        parse_model(ROBOT(LINK("base") "<link name=\"a\"/><link name=\"tip\"/>" JOINT(
                        "1", "revolute", "base", "a", "") JOINT("2", "continuous", "a", "tip", "")),
                    &warnings);
    assert_int_equal(sn_model_get(model)->nbody, 1);
    assert_int_equal(warnings.count, 2);
    assert_has_warning(&warnings, "'tip'");
    assert_has_warning(&warnings, "'a'");
    sn_model_free(model);
    /* but a massless link between two that have mass stays */
    model = parse_model(
        ROBOT(LINK("base") "<link name=\"a\"/>" LINK("tip") JOINT("1", "revolute", "base", "a", "")
                  JOINT("2", "continuous", "a", "tip", "<origin xyz=\"1 0 0\"/><axis xyz=\"0 1 0\"/>")),
        NULL);
    assert_int_equal(sn_model_get(model)->nbody, 3);
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------------ shapes */

TEST(collision_shapes_come_along) {
    struct warnings warnings;
    sn_model *model = parse_model(
        ROBOT("<link name=\"a\">" MASS(
            "1") "<collision><origin xyz=\"1 2 3\"/><geometry><box size=\"1 2 3\"/>"
                 "</geometry></collision><collision><geometry><sphere radius=\"4\"/></geometry></collision>"
                 "<collision><geometry><cylinder radius=\"1\" length=\"6\"/></geometry></collision>"
                 "<collision><geometry><capsule radius=\"1\" length=\"6\"/></geometry></collision>"
                 "<collision><geometry><drake:ellipsoid a=\"1\" b=\"2\" c=\"3\"/></geometry></collision>"
                 "<collision><geometry><mesh filename=\"x.stl\"/></geometry></collision>"
                 "<collision><geometry><sphere radius=\"0\"/></geometry></collision></link>"),
        &warnings);
    const sn_shape_type types[] = {SN_SHAPE_BOX, SN_SHAPE_SPHERE, SN_SHAPE_CYLINDER, SN_SHAPE_CAPSULE,
                                   SN_SHAPE_ELLIPSOID};
    assert_int_equal(sn_model_get(model)->nshape, 5);
    for (int i = 0; i < 5; i++) {
        const sn_shape_def *shape = (&sn_model_get(model)->shape[i]), usual = sn_shape_def_default(types[i]);
        assert_int_equal(shape->type, types[i]);
        assert_near(shape->friction, usual.friction, 0); /* the format has no materials */
        assert_near(shape->restitution, usual.restitution, 0);
        assert_true(shape->group == usual.group && shape->mask == usual.mask);
    }
    const double half[3] = {0.5, 1, 1.5}, pos[3] = {1, 2, 3};
    assert_near_n(sn_model_get(model)->shape[0].size, half, 3, 0);
    assert_near_n(sn_model_get(model)->shape[0].pos, pos, 3, 0);
    assert_near(sn_model_get(model)->shape[3].size[1], 3, 0);
    assert_int_equal(warnings.count, 2);
    assert_has_warning(&warnings, "1 collision meshes");
    assert_has_warning(&warnings, "without extent");
    assert_near(sn_model_get(model)->mass, 1, 0);
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------ ragged files */

TEST(ragged_files_are_read) {
    static const char text[] =
        "\n\n  \n<?xml version=\"1.0\"?>\n<robot name=\"r\">" JOINT("j", "continuous", "a", "b", "") LINK("b")
            LINK("a") "</robot>\n\0\0";
    sn_error error;
    sn_model *model = model_from(text, sizeof text - 1, "memory", NULL, &error);
    if (!model) fail_msg("%s", error.message);
    assert_int_equal(sn_model_get(model)->nbody, 2);
    assert_string_equal(sn_model_body(model, 0)->name, "a");
    sn_model_free(model);
}

TEST(things_left_out_are_told) {
    struct warnings warnings;
    sn_model_free(parse_model(
        ROBOT(LINK("a") LINK("b") JOINT("j", "continuous", "a", "b",
                                        "<limit effort=\"0\"/>") "<gazebo/><gazebo/><transmission/>"),
        &warnings));
    assert_int_equal(warnings.count, 3);
    assert_has_warning(&warnings, "effort limit of 0");
    assert_has_warning(&warnings, "<gazebo>");
    assert_has_warning(&warnings, "<transmission>");
}

TEST(mimic_is_a_constraint_that_worlds_keep) {
    sn_model *model = parse_model(
        ROBOT("<link name=\"world\"/>" LINK("a") LINK("b") LINK("c") JOINT(
            "j", "continuous", "world", "a", "<origin xyz=\"0 0 1\"/><axis xyz=\"0 1 0\"/>")
                  JOINT("k", "continuous", "a", "b",
                        "<origin xyz=\".3 0 0\"/><axis xyz=\"0 1 0\"/><mimic joint=\"j\" multiplier=\"-2\" "
                        "offset=\".1\"/>") JOINT("l", "prismatic", "b", "c", "<mimic joint=\"k\"/>")),
        NULL);
    assert_int_equal(sn_model_get(model)->nconstraint, 2);
    const sn_constraint_def *one = (&sn_model_get(model)->constraint[0]),
                            *two = (&sn_model_get(model)->constraint[1]);
    assert_int_equal(one->type, SN_CONSTRAINT_COUPLING);
    assert_string_equal(sn_model_body(model, one->body)->name, "b");
    assert_string_equal(sn_model_body(model, one->body2)->name, "a");
    assert_near_n(one->ratio, (double[]){.1, -2, 0, 0, 0}, 5, 0);
    assert_near_n(two->ratio, (double[]){0, 1, 0, 0, 0}, 5, 0);
    const sn_world_def def = sn_world_def_default();
    sn_world *world = sn_world_create(&def, NULL);
    double q[3] = {.2, .1 - .4, .1 - .4};
    assert_int_equal(sn_world_add(world, model, NULL), 0);
    assert_int_equal(sn_world_set_state(world, 0, q, NULL), SN_OK);
    double turned = 0;
    for (int i = 0; i < 240; i++) {
        assert_int_equal(sn_world_step(world), SN_OK);
        assert_int_equal(sn_world_get_state(world, 0, q, NULL), SN_OK);
        assert_near(q[1], .1 - 2 * q[0], 1e-4);
        assert_near(q[2], q[1], 1e-4);
        turned = fmax(turned, fabs(q[0] - .2));
    }
    assert_true(turned > .1);
    sn_world_free(world);
    sn_model_free(model);
}

TEST(soft_limits_and_friction_count) {
    sn_model *model = parse_model(
        ROBOT(LINK("a") LINK("b") LINK("c") LINK("d") JOINT(
            "j", "revolute", "a", "b",
            "<limit lower=\"-1\" upper=\"2\" effort=\"3\" velocity=\"4\"/>"
            "<safety_controller soft_lower_limit=\"-.5\" soft_upper_limit=\"5\" k_velocity=\"1\"/>"
            "<dynamics damping=\".1\" friction=\".7\"/>")
                  JOINT("k", "revolute", "a", "c",
                        "<limit lower=\"-1\" upper=\"2\"/><safety_controller k_velocity=\"1\"/>")
                      JOINT("p", "planar", "a", "d", "<dynamics friction=\"1 2 3\"/>")),
        NULL);
    const sn_joint_def *b = &body_of(model, "b")->joint, *c = &body_of(model, "c")->joint;
    assert_near(b->lower[0], -.5, 0);
    assert_near(b->upper[0], 2, 0);
    assert_near(b->friction, .7, 0);
    assert_near(c->lower[0], -1, 0);
    assert_near(body_of(model, "d_plane_x")->joint.friction, 1, 0);
    assert_near(body_of(model, "d_plane_y")->joint.friction, 2, 0);
    assert_near(body_of(model, "d")->joint.friction, 3, 0);
    sn_model_free(model);
}

/* As urdfdom, Bullet and MuJoCo do. */
TEST(malformed_files_are_refused) {
    const sn_status format = SN_ERROR_FORMAT;
    assert_text_refused(ROBOT(LINK("a") LINK("b")), format, "memory:3", "a robot has one root");
    assert_text_refused(ROBOT(LINK("a") LINK("b") "<joint type=\"fixed\"><parent link=\"a\"/>"
                                                  "<child link=\"b\"/></joint>"),
                        format, "memory:4", "has no name");
    assert_text_refused(ROBOT(LINK("a") LINK("b") LINK("c") JOINT("j", "fixed", "a", "b", "")
                                  JOINT("j", "fixed", "a", "c", "")),
                        format, "memory:6", "two joints have the name 'j'");
    assert_text_refused(ROBOT("<link name=\"a\"><inertial><mass/></inertial></link>"), format, "memory:2",
                        "'value': is missing");
    assert_text_refused(
        ROBOT("<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\"/></inertial></link>"), format,
        "memory:2", "'iyy': is missing");
    static const char *const shape[][2] = {{"<box/>", "'size': is missing"},
                                           {"<sphere/>", "'radius': is missing"},
                                           {"<cylinder radius=\"1\"/>", "'length': is missing"},
                                           {"<capsule length=\"1\"/>", "'radius': is missing"}};
    for (int i = 0; i < COUNT(shape); i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "<robot><link name=\"a\"><collision><geometry>%s</geometry></collision></link></robot>",
                 shape[i][0]);
        assert_text_refused(text, format, "memory:1", shape[i][1]);
    }
    assert_text_refused(ROBOT(LINK("a") LINK("b") JOINT("j", "continuous", "a", "b", "<mimic joint=\"k\"/>")),
                        format, "memory:4", "there is no other joint 'k'");
    assert_text_refused(ROBOT(LINK("a") LINK("b") JOINT("j", "continuous", "a", "b", "<mimic joint=\"j\"/>")),
                        format, "memory:4", "there is no other joint 'j'");
    assert_text_refused(
        ROBOT(LINK("a") LINK("b") JOINT("j", "continuous", "a", "b", "<dynamics friction=\"-1\"/>")), format,
        "memory:4", "negative");
}

TEST(urdf_says_where_it_is_wrong) {
    const sn_status format = SN_ERROR_FORMAT;
    assert_text_refused(ROBOT(""), format, "memory:1", "no links");
    assert_text_refused(ROBOT("<link/>"), format, "memory:2", "no name");
    assert_text_refused(ROBOT(LINK("a") LINK("a")), format, "memory:3", "two links have the name 'a'");
    assert_text_refused(ROBOT(LINK("a") JOINT("j", "fixed", "a", "b", "")), format, "memory:3",
                        "no link 'b'");
    assert_text_refused(ROBOT(LINK("a") "<joint name=\"j\" type=\"fixed\"/>"), format, "memory:3", "<parent");
    assert_text_refused(ROBOT(LINK("a") LINK("b") JOINT("j", "screw", "a", "b", "")), format, "memory:4",
                        "'screw'");
    assert_text_refused(ROBOT(LINK("a") LINK("b") JOINT("j", "revolute", "a", "b", "<axis xyz=\"0 0 0\"/>")),
                        format, "memory:4", "zero");
    assert_text_refused(ROBOT(LINK("a") LINK("b") JOINT("j", "revolute", "a", "b", "<axis xyz=\"0 0 x\"/>")),
                        format, "memory:4", "xyz");
    assert_text_refused(
        ROBOT(LINK("a") LINK("b") JOINT("1", "fixed", "a", "b", "") JOINT("2", "fixed", "a", "b", "")),
        format, "memory:5", "already the child of joint '1'");
    assert_text_refused(
        ROBOT(LINK("a") LINK("b") JOINT("1", "fixed", "a", "b", "") JOINT("2", "fixed", "b", "a", "")),
        format, "memory:2", "ring");
    assert_text_refused(ROBOT("<link name=\"a\">" MASS("-1") "</link>"), SN_ERROR_MODEL, "memory:2",
                        "negative");
    assert_text_refused(
        ROBOT(LINK("a") "<link name=\"flat\"><inertial><mass value=\"1\"/><inertia ixx=\"0\" "
                        "iyy=\"1\" izz=\"1\"/></inertial></link>" JOINT("j", "revolute", "a", "flat", "")),
        SN_ERROR_MODEL, "memory:3", "body 'flat'");
    assert_text_refused(
        ROBOT(LINK("a") "<link name=\"it's\"><inertial><mass value=\"1\"/><inertia ixx=\"0\" "
                        "iyy=\"1\" izz=\"1\"/></inertial></link>" JOINT("j", "revolute", "a", "it's", "")),
        SN_ERROR_MODEL, "memory:3", "body 'it's'");
    assert_text_refused(ROBOT("<link name=\"a\">" MASS("1e999") "</link>"), format, "memory:2", "value");
}

int main(void) {
    return run_all("urdf");
}
