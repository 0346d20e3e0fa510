/* What the builder takes, what it refuses, and how it says so. */
#include "model_helpers.h"

#include "model/model.h"

/* --------------------------------------------------------------------------------- names, parents, cycles */

TEST(builder_refuses_a_model_without_bodies) {
    assert_refused(sn_builder_create(), SN_ERROR_MODEL, "no bodies", "");
    sn_error error;
    assert_null(sn_builder_build(NULL, &error));
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
}

TEST(builder_refuses_bodies_without_a_name) {
    const char *none[] = {NULL, ""};
    for (int i = 0; i < 2; i++) {
        sn_builder *builder = sn_builder_create();
        add(builder, "first", NULL, SN_JOINT_FREE);
        add(builder, none[i], NULL, SN_JOINT_FREE);
        assert_refused(builder, SN_ERROR_MODEL, "body 1", "no name");
    }
}

/* A model of one such body is refused, and the message has both parts in it. */
static void assert_link_refused(const char *name, const char *parent, sn_joint_type type, const char *named,
                                const char *part) {
    sn_builder *builder = sn_builder_create();
    add(builder, name, parent, type);
    assert_refused(builder, SN_ERROR_MODEL, named, part);
}

TEST(builder_takes_names_of_63_bytes_and_refuses_64) {
    char name[65];
    memset(name, 'n', 64);
    name[63] = '\0';
    sn_builder *builder = sn_builder_create();
    add(builder, name, NULL, SN_JOINT_FREE);
    sn_model *model = build_and_free(builder);
    assert_int_equal(sn_model_find_body(model, name), 0);
    sn_model_free(model);

    builder = sn_builder_create();
    name[63] = 'n', name[64] = '\0';
    add(builder, name, NULL, SN_JOINT_FREE);
    assert_refused(builder, SN_ERROR_MODEL, "'nnnnnnnn", "longer than 63");
    assert_link_refused("limb", name, SN_JOINT_HINGE, "'limb'", "too long");
    builder = sn_builder_create();
    sn_shape_def shape = shape_with(SN_SHAPE_BOX);
    sn_builder_add_shape(builder, name, &shape);
    assert_refused(builder, SN_ERROR_MODEL, "'nnnnnnnn", "too long");
}

TEST(builder_refuses_a_name_given_twice) {
    sn_builder *builder = sn_builder_create();
    add(builder, "trunk", NULL, SN_JOINT_FREE);
    add(builder, "limb", "trunk", SN_JOINT_BALL);
    add(builder, "limb", "trunk", SN_JOINT_BALL);
    assert_refused(builder, SN_ERROR_MODEL, "'limb'", "two bodies");
}

TEST(builder_refuses_an_unknown_parent) {
    sn_builder *builder = sn_builder_create();
    add(builder, "trunk", NULL, SN_JOINT_FREE);
    add(builder, "limb", "trnk", SN_JOINT_BALL);
    assert_refused(builder, SN_ERROR_MODEL, "'limb'", "'trnk' does not exist");
    assert_link_refused("limb", "", SN_JOINT_BALL, "'limb'", "does not exist");
}

TEST(builder_refuses_a_cycle_and_names_it) {
    sn_builder *builder = sn_builder_create();
    add(builder, "trunk", NULL, SN_JOINT_FREE);
    add(builder, "hanger", "egg", SN_JOINT_BALL); /* hangs on the cycle, is not part of it */
    add(builder, "hen", "egg", SN_JOINT_BALL);
    add(builder, "egg", "nest", SN_JOINT_BALL);
    add(builder, "nest", "hen", SN_JOINT_BALL);
    sn_error error;
    assert_null(sn_builder_build(builder, &error));
    assert_message_has(&error, "'hen' -> 'egg' -> 'nest' -> 'hen'");
    assert_null(strstr(error.message, "hanger"));
    assert_refused(builder, SN_ERROR_MODEL, "body 'hen'", "ancestor");
    assert_link_refused("self", "self", SN_JOINT_BALL, "'self' -> 'self'", "ancestor");
}

TEST(builder_cuts_the_list_of_a_long_cycle) {
    sn_builder *builder = sn_builder_create();
    char name[32], parent[32];
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "a_rather_long_name_%d", i);
        snprintf(parent, sizeof parent, "a_rather_long_name_%d", (i + 1) % 1000);
        add(builder, name, parent, SN_JOINT_BALL);
    }
    assert_refused(builder, SN_ERROR_MODEL, "... -> 'a_rather_long_name_0'", "ancestor");
}

TEST(builder_refuses_a_shape_on_an_unknown_body) {
    sn_shape_def shape = shape_with(SN_SHAPE_SPHERE);
    sn_builder *builder = sn_builder_create();
    add(builder, "trunk", NULL, SN_JOINT_FREE);
    sn_builder_add_shape(builder, "trunk", &shape);
    sn_builder_add_shape(builder, "ghost", &shape);
    assert_refused(builder, SN_ERROR_MODEL, "'ghost' does not exist", "shape 1");
    builder = sn_builder_create();
    add(builder, "trunk", NULL, SN_JOINT_FREE);
    sn_builder_add_shape(builder, NULL, &shape);
    assert_refused(builder, SN_ERROR_MODEL, "shape 0", "missing");
}

TEST(builder_refuses_definitions_that_are_null) {
    sn_builder *builder = sn_builder_create();
    sn_builder_add_body(builder, NULL);
    assert_refused(builder, SN_ERROR_MODEL, "body 0", "NULL");
    builder = sn_builder_create();
    sn_builder_add_shape(builder, "trunk", NULL);
    assert_refused(builder, SN_ERROR_MODEL, "'trunk'", "NULL");
    sn_builder_add_body(NULL, NULL);
    sn_builder_add_shape(NULL, NULL, NULL);
    sn_builder_free(NULL);
    sn_model_free(NULL);
}

TEST(builder_tells_the_first_mistake) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = body_with("early", NULL, SN_JOINT_FREE);
    body.mass = -1;
    sn_builder_add_body(builder, &body);
    add(builder, "", NULL, SN_JOINT_FREE);
    assert_refused(builder, SN_ERROR_MODEL, "'early'", "mass = -1");
}

TEST(builder_stays_usable_after_a_build) {
    sn_error error;
    sn_builder *builder = sn_builder_create();
    add(builder, "limb", "trunk", SN_JOINT_BALL);
    assert_null(sn_builder_build(builder, &error)); /* no trunk yet */
    add(builder, "trunk", NULL, SN_JOINT_FREE);
    sn_model *two = sn_builder_build(builder, &error);
    assert_non_null(two);
    add(builder, "tail", "trunk", SN_JOINT_BALL);
    sn_model *three = build_and_free(builder);
    assert_int_equal(sn_model_get(two)->nbody, 2);
    assert_int_equal(sn_model_get(three)->nbody, 3);
    assert_string_equal(sn_model_body(two, 1)->name, "limb");
    sn_model_free(two);
    sn_model_free(three);
}

TEST(builder_copies_the_names_it_is_given) {
    char name[] = "trunk";
    sn_builder *builder = sn_builder_create();
    add(builder, name, NULL, SN_JOINT_FREE);
    memset(name, '?', sizeof name - 1);
    sn_model *model = build_and_free(builder);
    assert_string_equal(sn_model_body(model, 0)->name, "trunk");
    sn_model_free(model);
}

TEST(builder_takes_4096_bodies_and_refuses_one_more) {
    char name[16], parent[16];
    sn_builder *builder = sn_builder_create();
    for (int i = 0; i < SN_MAX_BODIES; i++) {
        snprintf(name, sizeof name, "b%d", i);
        snprintf(parent, sizeof parent, "b%d", i - 1);
        add(builder, name, i ? parent : NULL, SN_JOINT_HINGE);
    }
    sn_model *model = sn_builder_build(builder, NULL);
    assert_non_null(model);
    assert_int_equal(sn_model_get(model)->depth, SN_MAX_BODIES);
    assert_int_equal(model->tree_f64.nslot, 1);
    sn_model_free(model);
    add(builder, "last", "b0", SN_JOINT_HINGE);
    assert_refused(builder, SN_ERROR_TOO_LARGE, "'last'", "4096");
}

TEST(builder_takes_65536_shapes_and_refuses_one_more) {
    sn_shape_def shape = shape_with(SN_SHAPE_SPHERE);
    sn_builder *builder = sn_builder_create();
    add(builder, "trunk", NULL, SN_JOINT_FREE);
    for (int i = 0; i < SN_MAX_SHAPES; i++)
        sn_builder_add_shape(builder, "trunk", &shape);
    sn_model *model = sn_builder_build(builder, NULL);
    assert_non_null(model);
    assert_int_equal(sn_model_get(model)->nshape, SN_MAX_SHAPES);
    sn_model_free(model);
    sn_builder_add_shape(builder, "trunk", &shape);
    assert_refused(builder, SN_ERROR_TOO_LARGE, "'trunk'", "65536");
}

/* ---------------------------------------------------------------------------------------- bad definitions */

/* A number of a definition, and what no number may be. */
struct number {
    const char *field;
    size_t offset;
};
static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};

TEST(builder_refuses_numbers_that_are_not_finite) {
    static const struct number number[] = {
#define BODY(field) {#field, offsetof(sn_body_def, field)}
        BODY(pos[0]),          BODY(pos[2]),         BODY(rot[0]),
        BODY(rot[3]),          BODY(mass),           BODY(com[1]),
        BODY(inertia[0]),      BODY(inertia[5]),     BODY(joint.anchor[1]),
        BODY(joint.axis[2]),   BODY(joint.axis2[0]), BODY(joint.lower[1]),
        BODY(joint.upper[0]),  BODY(joint.armature), BODY(joint.damping),
        BODY(joint.stiffness), BODY(joint.rest[3]),
#undef BODY
    };
    for (int i = 0; i < COUNT(number); i++)
        for (int k = 0; k < COUNT(bad); k++) {
            sn_body_def body = body_with("limb", NULL, SN_JOINT_UNIVERSAL);
            memcpy((char *)&body + number[i].offset, &bad[k], sizeof bad[k]);
            assert_body_refused(&body, number[i].field);
        }
    sn_body_def body = body_with("limb", NULL, SN_JOINT_HINGE);
    body.joint.torque_limit = (double)NAN;
    assert_body_refused(&body, "joint.torque_limit");
}

TEST(builder_refuses_shape_numbers_that_are_not_finite) {
    static const struct number number[] = {
#define SHAPE(field) {#field, offsetof(sn_shape_def, field)}
        SHAPE(size[0]), SHAPE(size[2]), SHAPE(pos[1]),   SHAPE(rot[2]),
        SHAPE(density), SHAPE(mass),    SHAPE(friction), SHAPE(restitution),
#undef SHAPE
    };
    for (int i = 0; i < COUNT(number); i++)
        for (int k = 0; k < COUNT(bad); k++) {
            sn_shape_def shape = shape_with(SN_SHAPE_BOX);
            memcpy((char *)&shape + number[i].offset, &bad[k], sizeof bad[k]);
            assert_shape_refused(&shape, number[i].field);
        }
}

TEST(builder_refuses_masses_that_overflow) {
    sn_shape_def shape = shape_with(SN_SHAPE_SPHERE);
    shape.size[0] = 1e200;
    sn_builder *builder = sn_builder_create();
    sn_body_def body = body_with("trunk", NULL, SN_JOINT_FREE);
    body.mass_given = false;
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "trunk", &shape);
    assert_refused(builder, SN_ERROR_MODEL, "'trunk'", "mass is inf");
}

TEST(builder_refuses_types_that_do_not_exist) {
    sn_body_def body = body_with("limb", NULL, SN_JOINT_TYPE_COUNT);
    assert_body_refused(&body, "joint.type is 9");
    body.joint.type = (sn_joint_type)-1;
    assert_body_refused(&body, "joint.type");
    sn_shape_def shape = shape_with(SN_SHAPE_TYPE_COUNT);
    assert_shape_refused(&shape, "shape type is 7");
}

TEST(builder_refuses_a_zero_axis) {
    const sn_joint_type type[] = {SN_JOINT_HINGE, SN_JOINT_SLIDE, SN_JOINT_UNIVERSAL, SN_JOINT_BALL};
    for (int i = 0; i < COUNT(type); i++) {
        sn_body_def body = body_with("limb", NULL, type[i]);
        memset(body.joint.axis, 0, sizeof body.joint.axis);
        assert_body_refused(&body, "joint.axis is zero");
    }
    sn_body_def body = body_with("limb", NULL, SN_JOINT_UNIVERSAL);
    memset(body.joint.axis2, 0, sizeof body.joint.axis2);
    assert_body_refused(&body, "joint.axis2 is zero");
}

TEST(builder_refuses_parallel_universal_axes_and_takes_skew_ones) {
    sn_body_def body = body_with("limb", NULL, SN_JOINT_UNIVERSAL);
    body.joint.axis[0] = 1, body.joint.axis[1] = 2, body.joint.axis[2] = 3;
    for (int i = 0; i < 3; i++)
        body.joint.axis2[i] = -1e200 * body.joint.axis[i];
    assert_body_refused(&body, "parallel");
    body.joint.axis2[0] = 0;
    assert_body_taken(&body);
}

TEST(builder_takes_axes_and_quaternions_of_any_length) {
    const double length[] = {1e-300, 1, 1e300};
    for (int i = 0; i < COUNT(length); i++) {
        sn_builder *builder = sn_builder_create();
        sn_body_def body = body_with("limb", NULL, SN_JOINT_HINGE);
        body.rot[0] = 3 * length[i], body.rot[2] = 4 * length[i];
        body.joint.axis[0] = -3 * length[i], body.joint.axis[1] = 4 * length[i], body.joint.axis[2] = 0;
        sn_builder_add_body(builder, &body);
        sn_model *model = build_and_free(builder);
        assert_near_n(sn_model_body(model, 0)->rot, (double[]){0.6, 0, 0.8, 0}, 4, 1e-15);
        assert_near_n(sn_model_body(model, 0)->joint.axis, (double[]){-0.6, 0.8, 0}, 3, 1e-15);
        sn_model_free(model);
    }
}

TEST(builder_refuses_zero_quaternions) {
    sn_body_def body = body_with("limb", NULL, SN_JOINT_HINGE);
    body.rot[0] = 0;
    assert_body_refused(&body, "rot is a zero quaternion");
    sn_shape_def shape = shape_with(SN_SHAPE_BOX);
    shape.rot[0] = 0;
    assert_shape_refused(&shape, "rot is a zero quaternion");
}

TEST(builder_refuses_a_free_joint_below_another_body) {
    sn_body_def body = body_with("limb", "trunk", SN_JOINT_FREE);
    assert_body_refused(&body, "'trunk'");
}

TEST(builder_refuses_a_free_joint_with_an_anchor_or_a_spring) {
    sn_body_def body = body_with("limb", NULL, SN_JOINT_FREE);
    body.joint.anchor[1] = 0.5;
    assert_body_refused(&body, "anchor = 0 0.5 0");
    body = body_with("limb", NULL, SN_JOINT_FREE);
    body.joint.stiffness = 2;
    assert_body_refused(&body, "stiffness = 2");
}

TEST(builder_refuses_negative_joint_constants) {
    for (int i = 0; i < 4; i++) {
        sn_body_def body = body_with("limb", NULL, SN_JOINT_HINGE);
        double *value[] = {&body.joint.armature, &body.joint.damping, &body.joint.stiffness,
                           &body.joint.torque_limit};
        const char *part[] = {"armature is -2", "damping is -2", "stiffness is -2", "torque_limit is -2"};
        *value[i] = -2;
        assert_body_refused(&body, part[i]);
    }
}

TEST(builder_refuses_limits_that_cross) {
    sn_body_def body = body_with("limb", NULL, SN_JOINT_HINGE);
    body.joint.lower[0] = 2, body.joint.upper[0] = 1;
    assert_body_taken(&body); /* they do not count */
    body.joint.limited = true;
    assert_body_refused(&body, "joint.lower[0] = 2");
    body = body_with("limb", NULL, SN_JOINT_UNIVERSAL);
    body.joint.limited = true;
    body.joint.lower[1] = 2;
    assert_body_refused(&body, "joint.lower[1] = 2");
    body = body_with("limb", NULL, SN_JOINT_BALL);
    body.joint.limited = true;
    body.joint.lower[1] = 2; /* a ball has no second lower limit */
    assert_body_taken(&body);
    body.joint.upper[1] = -0.5;
    assert_body_refused(&body, "joint.upper[1] = -0.5");
}

TEST(builder_refuses_shape_sizes_that_are_not_positive) {
    const int used[SN_SHAPE_TYPE_COUNT] = {1, 2, 3, 2, 3, 0, 2};
    for (int type = 0; type < SN_SHAPE_TYPE_COUNT; type++)
        for (int i = 0; i < 3; i++)
            for (int negative = 0; negative < 2; negative++) {
                sn_shape_def shape = shape_with((sn_shape_type)type);
                shape.size[i] = negative ? -1 : 0;
                char part[32];
                snprintf(part, sizeof part, "size[%d] = %d", i, negative ? -1 : 0);
                if (i < used[type]) {
                    assert_shape_refused(&shape, part);
                } else {
                    sn_builder *builder = sn_builder_create();
                    add(builder, "trunk", NULL, SN_JOINT_FREE);
                    sn_builder_add_shape(builder, "trunk", &shape);
                    sn_model_free(build_and_free(builder));
                }
            }
}

TEST(builder_refuses_negative_masses_and_densities) {
    REFUSED(SN_SHAPE_BOX, density, -1, "density is -1");
    REFUSED(SN_SHAPE_BOX, mass, -1, "mass is -1");
    sn_body_def body = body_with("limb", NULL, SN_JOINT_HINGE);
    body.mass = -1;
    assert_body_refused(&body, "mass = -1");
}

TEST(builder_refuses_inertia_that_no_body_has) {
    sn_body_def body = body_with("limb", NULL, SN_JOINT_HINGE);
    body.inertia[3] = 0.02; /* eigenvalues -0.01, 0.01, 0.03 */
    assert_body_refused(&body, "smallest principal moment is -0.01");
    body = body_with("limb", NULL, SN_JOINT_HINGE);
    body.inertia[0] = body.inertia[1] = body.inertia[2] = -1;
    assert_body_refused(&body, "not physical");
    body = body_with("limb", NULL, SN_JOINT_HINGE);
    body.inertia[0] = 1, body.inertia[1] = 2, body.inertia[2] = 3.001;
    assert_body_refused(&body, "larger than the sum");
    body.inertia[2] = 3; /* a flat plate */
    assert_body_taken(&body);
    body = body_with("limb", NULL, SN_JOINT_HINGE);
    body.mass = 0;
    body.joint.armature = 1;
    assert_body_refused(&body, "mass is 0");
}

/* ------------------------------------------------------------------------------------- inertia for motion */

static sn_body_def point_mass(const char *name, const char *parent, sn_joint_type type, double mass) {
    sn_body_def body = body_with(name, parent, type);
    body.mass = mass;
    memset(body.inertia, 0, sizeof body.inertia);
    return body;
}

TEST(builder_refuses_joints_that_move_no_mass) {
    const sn_joint_type type[] = {SN_JOINT_HINGE, SN_JOINT_SLIDE, SN_JOINT_UNIVERSAL, SN_JOINT_BALL,
                                  SN_JOINT_FREE};
    for (int i = 0; i < COUNT(type); i++) {
        sn_body_def body = point_mass("limb", NULL, type[i], 0);
        assert_body_refused(&body, "moves no mass");
        body.joint.armature = 0.1;
        assert_body_taken(&body);
    }
    sn_body_def weld = point_mass("limb", NULL, SN_JOINT_WELD, 0);
    assert_body_taken(&weld);
}

TEST(builder_refuses_joints_that_turn_no_inertia) {
    sn_body_def body = point_mass("limb", NULL, SN_JOINT_HINGE, 1); /* at x = 0.1 */
    assert_body_taken(&body);                                       /* about z */
    body.joint.axis[0] = 1, body.joint.axis[2] = 0;
    assert_body_refused(&body, "without inertia");
    body.joint.anchor[1] = 0.2; /* the axis no longer goes through the mass */
    assert_body_taken(&body);
    body = point_mass("limb", NULL, SN_JOINT_SLIDE, 1);
    assert_body_taken(&body);
    body = point_mass("limb", NULL, SN_JOINT_BALL, 1);
    assert_body_refused(&body, "without inertia");
    body = point_mass("limb", NULL, SN_JOINT_UNIVERSAL, 1); /* about z and x */
    assert_body_refused(&body, "without inertia");
    body.joint.axis2[0] = 0, body.joint.axis2[1] = 1; /* about z and y */
    assert_body_taken(&body);
    body = body_with("limb", NULL, SN_JOINT_FREE);
    body.inertia[0] = 0; /* a rod along x, its frame's origin beside it */
    body.com[1] = 1;
    assert_body_refused(&body, "without inertia");
}

TEST(a_massless_link_may_carry_mass_further_out) {
    sn_builder *builder = sn_builder_create();
    sn_body_def link = point_mass("link", NULL, SN_JOINT_HINGE, 0);
    link.joint.axis[0] = 1, link.joint.axis[2] = 0;
    sn_builder_add_body(builder, &link);
    sn_body_def second = point_mass("second", "link", SN_JOINT_HINGE, 0);
    sn_builder_add_body(builder, &second);
    add(builder, "limb", "second", SN_JOINT_WELD);
    sn_model *model = build_and_free(builder);
    assert_true(model->tree_f64.body[0].mass == 0);
    assert_true(model->tree_f64.body[2].mass > 0);
    sn_model_free(model);
}

int main(void) {
    return run_all("builder");
}
