/* Readers warn of attributes that a format does not have, with their line. They say nothing of those that it has and they
 * ignore. */
#include "parse_helpers.h"
#include "model_helpers.h"

#include <stdio.h>
#include <string.h>

struct heard {
    int count;
    char last[400];
};

static void hear(void *user, const char *message) {
    struct heard *heard = user;
    if (!strstr(message, "is not known")) return;
    heard->count++;
    snprintf(heard->last, sizeof heard->last, "%s", message);
}

static void assert_heard(const char *text, const char *name, int count, const char *last) {
    struct heard heard = {0, ""};
    sn_load_def options = sn_load_def_default();
    options.warn = hear, options.user = &heard;
    sn_error error = {.message = ""};
    sn_model *model = model_from(text, strlen(text), name, &options, &error);
    if (!model) print_message("%s\n", error.message);
    assert_non_null(model);
    sn_model_free(model);
    assert_string_equal(heard.last, last);
    assert_int_equal(heard.count, count);
}

#define MJCF(joint, geom)                                                                                    \
    "<mujoco model='m'>\n<worldbody>\n<body name='a'>\n<joint name='j' " joint "/>\n<geom size='.1' " geom   \
    "/>\n<body name='b'><joint name='k' " joint "/><geom size='.1'/></body></body></worldbody></mujoco>"

TEST(an_attribute_that_mjcf_does_not_have_is_reported_once_with_its_line) {
    assert_heard(MJCF("axis='0 1 0' frictionloss='0'", "rgba='1 0 0 1' solref='.02 1'"), "a.xml", 0, "");
    assert_heard(MJCF("axs='0 1 0'", ""), "a.xml", 1,
                 "a.xml:4: <joint> attribute 'axs' is not known and is passed over. Did you mean 'axis'?");
    assert_heard(MJCF("", "colour='red'"), "a.xml", 1,
                 "a.xml:5: <geom> attribute 'colour' is not known and is passed over.");
    assert_heard(MJCF("dampng='1'", "Size='.1'"), "a.xml", 2,
                 "a.xml:5: <geom> attribute 'Size' is not known and is passed over. Did you mean 'size'?");
}

#define URDF(axis, limit)                                                                                    \
    "<robot name='r' xmlns:xacro='x'>\n<link name='a'><inertial><mass value='1'/>"                           \
    "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"                                  \
    "<visual odd='1'><geometry even='2'/></visual></link>\n"                                                 \
    "<link name='b'><inertial><mass value='1'/>"                                                             \
    "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"                         \
    "<joint name='j' type='revolute'>\n<parent link='a'/><child link='b'/><axis " axis                       \
    "/>\n<limit effort='1' velocity='1' " limit "/></joint></robot>"

TEST(an_attribute_that_urdf_does_not_have_is_reported_with_its_line) {
    assert_heard(URDF("xyz='0 1 0'", "lower='-1' upper='1'"), "r.urdf", 0, "");
    assert_heard(URDF("xyz='0 1 0'", "lower='-1' upper='1' uper='1'"), "r.urdf", 1,
                 "r.urdf:6: <limit> attribute 'uper' is not known and is passed over. Did you mean 'upper'?");
}

int main(void) {
    return run_all("attributes");
}
