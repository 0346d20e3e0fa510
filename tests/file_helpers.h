/* What the tests of files share. */
#ifndef SINEW_TESTS_FILE_HELPERS_H
#define SINEW_TESTS_FILE_HELPERS_H

#include "parse_helpers.h"
#include "model_helpers.h"

#include <stdlib.h>

/* Warnings of a reader, one after the other. */
struct warnings {
    int count;
    char text[16 * 1024];
};

static inline void keep_warning(void *user, const char *message) {
    struct warnings *warnings = user;
    size_t used = strlen(warnings->text);
    snprintf(warnings->text + used, sizeof warnings->text - used, "%s\n", message);
    warnings->count++;
}

static inline sn_load_def options_with(struct warnings *warnings) {
    sn_load_def options = sn_load_def_default();
    *warnings = (struct warnings){0};
    options.warn = keep_warning;
    options.user = warnings;
    return options;
}

/* The model of a text; the test fails when there is none. warnings may be NULL. */
static inline sn_model *parse_model(const char *text, struct warnings *warnings) {
    sn_error error;
    struct warnings unused;
    sn_load_def options = options_with(warnings ? warnings : &unused);
    sn_model *model = model_from(text, strlen(text), "memory", &options, &error);
    if (!model) fail_msg("%s: %s", sn_status_text(error.status), error.message);
    assert_int_equal(error.status, SN_OK);
    return model;
}

/* The text is refused, and the message has all three parts. */
static inline void assert_text_refused(const char *text, sn_status status, const char *place,
                                       const char *why) {
    sn_error error = {SN_OK, ""};
    sn_model *model = model_from(text, strlen(text), "memory", NULL, &error);
    if (model) fail_msg("was taken: %.200s", text);
    if (error.status != status)
        fail_msg("%s instead of %s: %s", sn_status_text(error.status), sn_status_text(status), error.message);
    assert_message_has(&error, "memory");
    assert_message_has(&error, place);
    assert_message_has(&error, why);
    assert_null(model_from(text, strlen(text), "memory", NULL, NULL));
}

static inline const sn_body_info *body_of(const sn_model *model, const char *name) {
    int index = sn_model_find_body(model, name);
    if (index < 0) fail_msg("there is no body '%s'", name);
    return sn_model_body(model, index);
}

static inline void assert_has_warning(const struct warnings *warnings, const char *part) {
    if (!strstr(warnings->text, part)) fail_msg("no warning has '%s', these are:\n%s", part, warnings->text);
}

/* A path inside the folder of data files, or NULL where the environment does not name one; says so once. */
static inline const char *data_path(const char *name) {
    static char path[1000];
    const char *folder = getenv("SINEW_DATA");
    if (!folder || !folder[0]) {
        printf("skipped: SINEW_DATA does not name the folder of data files\n");
        return NULL;
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* Everything about two models that a program can see, bit for bit. */
static inline void assert_same_model(const sn_model *a, const sn_model *b) {
    assert_int_equal(sn_model_get(a)->nbody, sn_model_get(b)->nbody);
    assert_int_equal(sn_model_get(a)->nshape, sn_model_get(b)->nshape);
    double mass_a = sn_model_get(a)->mass, mass_b = sn_model_get(b)->mass;
    assert_memory_equal(&mass_a, &mass_b, sizeof mass_a);
#define SAME(field) assert_memory_equal(&x->field, &y->field, sizeof x->field)
    for (int i = 0; i < sn_model_get(a)->nbody; i++) {
        const sn_body_info *x = sn_model_body(a, i), *y = sn_model_body(b, i);
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->parent, y->parent);
        SAME(q_index), SAME(v_index), SAME(pos), SAME(rot), SAME(mass), SAME(com), SAME(inertia),
            SAME(nshape);
        SAME(joint.type), SAME(joint.anchor), SAME(joint.axis), SAME(joint.axis2), SAME(joint.lower);
        SAME(joint.upper), SAME(joint.armature), SAME(joint.damping), SAME(joint.stiffness), SAME(joint.rest);
        SAME(joint.kp), SAME(joint.kd), SAME(joint.torque_limit);
        assert_int_equal(x->joint.limited, y->joint.limited);
        assert_int_equal(x->joint.home_given, y->joint.home_given);
        if (x->joint.home_given)
            assert_memory_equal(x->joint.home, y->joint.home, sizeof(double) * (size_t)x->nq);
    }
    for (int i = 0; i < sn_model_get(a)->nshape; i++) {
        const sn_shape_def *x = (&sn_model_get(a)->shape[i]), *y = (&sn_model_get(b)->shape[i]);
        SAME(type), SAME(size), SAME(pos), SAME(rot), SAME(density), SAME(mass);
    }
#undef SAME
}

#endif
