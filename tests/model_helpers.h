/* What the tests of base and model share. */
#ifndef SINEW_TESTS_MODEL_HELPERS_H
#define SINEW_TESTS_MODEL_HELPERS_H

#include "run_tests.h"
#include "sinew/sinew.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

static inline void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g and %.17g differ by more than %g", a, b, tolerance);
}

static inline void assert_near_n(const double *a, const double *b, int n, double tolerance) {
    for (int i = 0; i < n; i++)
        assert_near(a[i], b[i], tolerance);
}

/* Repeatable numbers in [-1, 1). */
static inline double noise(void) {
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) / 4503599627370496.0 - 1;
}

/* A body that passes all checks: a unit mass a little off the joint. */
static inline sn_body_def body_with(const char *name, const char *parent, sn_joint_type type) {
    sn_body_def body = sn_body_def_default();
    body.name = name;
    body.parent = parent;
    body.joint = sn_joint_def_default(type);
    body.mass_given = true;
    body.mass = 1;
    body.com[0] = 0.1;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.01;
    return body;
}

static inline void add(sn_builder *builder, const char *name, const char *parent, sn_joint_type type) {
    sn_body_def body = body_with(name, parent, type);
    sn_builder_add_body(builder, &body);
}

static inline sn_model *build_and_free(sn_builder *builder) {
    sn_error error;
    sn_model *model = sn_builder_build(builder, &error);
    if (!model) fail_msg("%s: %s", sn_status_text(error.status), error.message);
    assert_int_equal(error.status, SN_OK);
    assert_string_equal(error.message, "");
    sn_builder_free(builder);
    return model;
}

static inline void assert_message_has(const sn_error *error, const char *part) {
    if (!strstr(error->message, part)) fail_msg("'%s' does not say '%s'", error->message, part);
}

/* The build fails, and the message has both parts in it. */
static inline void assert_refused(sn_builder *builder, sn_status status, const char *name, const char *part) {
    sn_error error = {SN_OK, ""};
    assert_null(sn_builder_build(builder, &error));
    assert_int_equal(error.status, status);
    assert_message_has(&error, name);
    assert_message_has(&error, part);
    assert_null(sn_builder_build(builder, NULL));
    sn_builder_free(builder);
}

static inline void assert_body_refused(const sn_body_def *body, const char *part) {
    sn_builder *builder = sn_builder_create();
    if (body->parent) add(builder, body->parent, NULL, SN_JOINT_FREE);
    sn_builder_add_body(builder, body);
    char quoted[80];
    snprintf(quoted, sizeof quoted, "'%s'", body->name);
    assert_refused(builder, SN_ERROR_MODEL, quoted, part);
}

static inline void assert_body_taken(const sn_body_def *body) {
    sn_builder *builder = sn_builder_create();
    sn_builder_add_body(builder, body);
    sn_model_free(build_and_free(builder));
}

/* A wedge within 0.3 of the origin, kept to the end. */
static inline const sn_hull *hull_of_tests(void) {
    static sn_hull *hull;
    static const double point[] = {-0.3, -0.2, -0.25, 0.3,  -0.2, -0.25, 0.28, 0.22, -0.25,
                                   -0.3, 0.2,  -0.2,  -0.1, -0.2, 0.29,  -0.1, 0.2,  0.21};
    if (!hull) hull = sn_hull_create(point, 6, 0, NULL);
    return hull;
}

static inline sn_shape_def shape_with(sn_shape_type type) {
    sn_shape_def shape = sn_shape_def_default(type);
    shape.size[0] = 0.3, shape.size[1] = 0.2, shape.size[2] = 0.1;
    if (type == SN_SHAPE_HULL) shape.hull = hull_of_tests();
    return shape;
}

static inline void assert_shape_material(const sn_shape_def *shape, double friction, double restitution,
                                         uint32_t group, uint32_t mask) {
    assert_near(shape->friction, friction, 0);
    assert_near(shape->restitution, restitution, 0);
    assert_true(shape->group == group && shape->mask == mask);
}

static inline void assert_shape_refused(const sn_shape_def *shape, const char *part) {
    sn_builder *builder = sn_builder_create();
    add(builder, "trunk", NULL, SN_JOINT_FREE);
    sn_builder_add_shape(builder, "trunk", shape);
    assert_refused(builder, SN_ERROR_MODEL, "'trunk'", part);
}

/* A shape is refused with one of its numbers changed. */
static inline void assert_number_refused(sn_shape_type type, size_t offset, double value, const char *part) {
    sn_shape_def shape = shape_with(type);
    memcpy((char *)&shape + offset, &value, sizeof value);
    assert_shape_refused(&shape, part);
}
#define REFUSED(type, number, value, part)                                                                   \
    assert_number_refused(type, offsetof(sn_shape_def, number), value, part)

#endif
