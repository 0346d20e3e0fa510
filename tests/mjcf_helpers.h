/* What the tests of the MJCF reader share. */
#ifndef SINEW_TESTS_MJCF_HELPERS_H
#define SINEW_TESTS_MJCF_HELPERS_H

#include "parse_helpers.h"
#include "model_helpers.h"

#include <stdlib.h>

static sn_error error;
static char warnings[4096];
static int nwarning;

static inline void collect(void *user, const char *message) {
    (void)user;
    size_t used = strlen(warnings);
    snprintf(warnings + used, sizeof warnings - used, "%s\n", message);
    nwarning++;
}

static inline sn_model *read_as(const char *text, const char *name, bool allow_missing_mesh) {
    sn_load_def options = sn_load_def_default();
    options.warn = collect;
    options.allow_missing_mesh = allow_missing_mesh;
    warnings[0] = '\0';
    nwarning = 0;
    return model_from(text, strlen(text), name, &options, &error);
}

static inline sn_model *must_read(const char *text) {
    sn_model *model = read_as(text, "m.xml", false);
    if (!model) fail_msg("%s", error.message);
    return model;
}

/* A model of what stands in the world. */
static inline sn_model *world(const char *contents) {
    char text[4096];
    snprintf(text, sizeof text, "<mujoco><worldbody>%s</worldbody></mujoco>", contents);
    return must_read(text);
}

static inline void refused(const char *text, const char *message) {
    sn_model *model = read_as(text, "m.xml", false);
    assert_null(model);
    assert_true(error.status != SN_OK);
    if (!strstr(error.message, message)) fail_msg("'%s' does not say '%s'", error.message, message);
}

static inline const sn_body_info *body_of(const sn_model *model, const char *name) {
    const sn_body_info *body = sn_model_body(model, sn_model_find_body(model, name));
    if (!body) fail_msg("there is no body '%s'", name);
    return body;
}

#define BALL "<geom size='.1'/>"
#define VECTOR(...) ((const double[]){__VA_ARGS__})

#endif
