/* The MJCF reader: friction, groups and exclusions, and what it leaves out. */
#include "model/model.h"
#include "mjcf_helpers.h"

/* ------------------------------------------------------------------------------------------------ contact */

static void assert_material(const sn_model *model, const char *body, double friction, uint32_t group,
                            uint32_t mask) {
    const sn_shape_def *shape = (&sn_model_get(model)->shape[body_of(model, body)->first_shape]);
    assert_near(shape->friction, friction, 0);
    assert_near(shape->restitution, 0, 0);
    if (shape->group != group || shape->mask != mask)
        fail_msg("body '%s': group %#x, mask %#x", body, shape->group, shape->mask);
}

TEST(geoms_have_their_friction_and_their_groups) {
    sn_model *model = must_read(
        "<mujoco><default><geom friction='.5 .1'/><default class='c'><geom contype='2' conaffinity='4'/>"
        "<default class='d'><geom friction='.25 .2 .3' "
        "conaffinity='0'/></default></default></default><worldbody>"
        "<body name='a'>" BALL "</body><body name='b' childclass='c'>" BALL "</body>"
        "<body name='c' childclass='d'>" BALL "</body><body name='d' childclass='d'>"
        "<geom size='.1' friction='2' conaffinity='-1' contype='-2147483648'/></body>"
        "<body name='e'><geom class='c' size='.1' contype='0' conaffinity='4294967295'/></body>"
        "</worldbody></mujoco>");
    assert_int_equal(nwarning, 0);
    assert_material(model, "a", 0.5, 1, 1);
    assert_material(model, "b", 0.5, 2, 4);
    assert_material(model, "c", 0.25, 2, 0);
    assert_material(model, "d", 2, 0x80000000, 0xffffffff);
    assert_material(model, "e", 0.5, 0, 0xffffffff);
    sn_model_free(model);
    model = world("<body name='a'>" BALL "</body>");
    assert_material(model, "a", 1, 1, 1); /* as MuJoCo has it where nothing is said */
    sn_model_free(model);
}

/* The section may stand before the bodies it names, and more than once. */
TEST(excluded_bodies_stay_so) {
    sn_model *model =
        must_read("<mujoco><contact><exclude name='x' body1='c' body2='a'/></contact><worldbody>"
                  "<body name='a'>" BALL "<body name='b'><joint name='x'/><joint name='y'/>" BALL
                  "<body name='c'><joint/><joint/>" BALL "</body></body></body></worldbody>"
                  "<contact><exclude body1='b' body2='c'/></contact></mujoco>");
    assert_int_equal(nwarning, 0);
    int a = sn_model_find_body(model, "a"), b = sn_model_find_body(model, "b"),
        c = sn_model_find_body(model, "c");
    assert_true(sn__model_excluded(model, a, c));
    assert_true(sn__model_excluded(model, b, c));
    assert_false(sn__model_excluded(model, a, b));
    for (int i = 0; i < sn_model_get(model)->nbody;
         i++) /* what was made for further joints has no part in it */
        for (int k = 0; k < sn_model_get(model)->nbody; k++)
            if (sn_model_body(model, i)->nshape == 0) assert_false(sn__model_excluded(model, i, k));
    sn_model_free(model);
}

TEST(exclusions_of_what_is_not_here_are_left_out_with_a_warning) {
    sn_model *model =
        must_read("<mujoco><worldbody><body name='a'><joint/>" BALL "</body></worldbody><contact>"
                  "<exclude body1='world' body2='a'/><exclude body1='a' body2='world'/>"
                  "</contact></mujoco>");
    assert_int_equal(nwarning, 1);
    assert_non_null(strstr(warnings, "m.xml:1: <exclude> names the world"));
    sn_model_free(model);
    model =
        must_read("<mujoco><worldbody><body name='a'><joint/>" BALL "<composite/></body></worldbody><contact>"
                  "<exclude body1='a' body2='copy1'/><exclude body1='copy2' body2='a'/></contact></mujoco>");
    assert_int_equal(nwarning, 2);
    assert_non_null(strstr(warnings, "<exclude> names a body that was left out"));
    sn_model_free(model);
}

/* ---------------------------------------------------------------------------------------------- left out */

TEST(what_has_no_counterpart_is_told_once) {
    sn_model *model =
        must_read("<mujoco><visual/><statistic/><size/><custom/><custom/><deformable/><sensor/><contact>"
                  "<pair geom1='a' geom2='b'/><pair/></contact>"
                  "<asset><texture/><material/><skin/></asset>"
                  "<option timestep='.1' gravity='0 0 -1' viscosity='1'/><compiler fusestatic='true'/>"
                  "<worldbody><body gravcomp='1'><joint/>" BALL "<composite/></body></worldbody></mujoco>");
    static const char *const told[] = {"<custom>",       "<deformable>", "<sensor>",   "<pair>",     "<skin>",
                                       "gravity 0 0 -1", "a fluid",      "fusestatic", "<composite>"};
    for (int i = 0; i < COUNT(told); i++)
        if (!strstr(warnings, told[i])) fail_msg("'%s' is not in %s", told[i], warnings);
    assert_int_equal(nwarning, COUNT(told));
    sn_model_free(model);
}

int main(void) {
    return run_all("mjcf contact");
}
