/* What the tests of scenes share. */
#ifndef SINEW_TESTS_SCENE_HELPERS_H
#define SINEW_TESTS_SCENE_HELPERS_H

#include "parse_helpers.h"
#include "file_helpers.h"

#define BALL "<geom size='.1'/>"

static sn_error error;
static struct warnings told;

static inline sn_world *parse_with(const char *text, const char *keyframe, const sn_world_def *def) {
    sn_load_def options = options_with(&told);
    options.keyframe = keyframe;
    return world_from(text, strlen(text), "scene.xml", def, &options, &error);
}

static inline sn_world *parse(const char *text) {
    sn_world *world = parse_with(text, NULL, NULL);
    if (!world) fail_msg("%s", error.message);
    return world;
}

/* A scene of what stands in the world, and sections after it. */
static inline sn_world *scene(const char *contents, const char *sections) {
    static char text[8192];
    snprintf(text, sizeof text, "<mujoco><worldbody>%s</worldbody>%s</mujoco>", contents, sections);
    return parse(text);
}

static inline int member_of(const sn_world *world, const char *body) {
    const int member = sn_world_find_body(world, body, NULL);
    if (member < 0) fail_msg("no member has a body '%s'", body);
    return member;
}

static inline void run(sn_world *world, int steps) {
    for (int i = 0; i < steps; i++)
        assert_int_equal(sn_world_step(world), SN_OK);
}

/* Where a body is. */
static inline void place_of(sn_world *world, const char *name, double pose[7]) {
    double poses[7 * 64];
    int body;
    const int member = sn_world_find_body(world, name, &body);
    assert_true(member >= 0);
    assert_true(sn_world_size(world, member, SN_FIELD_BODY_POSE) <= COUNT(poses));
    assert_int_equal(sn_world_get(world, member, SN_FIELD_BODY_POSE, 0, 1, poses), SN_OK);
    memcpy(pose, poses + 7 * body, 7 * sizeof *pose);
}

static inline double height_of(sn_world *world, const char *name) {
    double pose[7];
    place_of(world, name, pose);
    return pose[2];
}

#endif
