/* Materials of shapes, and bodies that never touch each other. */
#include "model_helpers.h"

#include "model/model.h"

/* ---------------------------------------------------------------------------------- materials, exclusions */

TEST(shapes_touch_everything_with_friction_1_unless_told_otherwise) {
    for (int type = 0; type < SN_SHAPE_TYPE_COUNT; type++) {
        sn_shape_def shape = sn_shape_def_default((sn_shape_type)type);
        assert_near(shape.friction, 1, 0);
        assert_near(shape.restitution, 0, 0);
        assert_true(shape.group == 1);
        assert_true(shape.mask == 0xffffffff);
    }
}

TEST(builder_refuses_materials_that_do_not_exist) {
    REFUSED(SN_SHAPE_SPHERE, friction, -0.5,
            "shape friction is -0.5. Set it to a finite number of at least 0.");
    REFUSED(SN_SHAPE_SPHERE, restitution, -0.25,
            "shape restitution is -0.25. Set it to a finite number from 0 to 1.");
    REFUSED(SN_SHAPE_SPHERE, restitution, 1.5,
            "shape restitution is 1.5. Set it to a finite number from 0 to 1.");
}

TEST(a_model_keeps_the_materials_of_its_shapes) {
    sn_builder *builder = sn_builder_create();
    add(builder, "trunk", NULL, SN_JOINT_FREE);
    sn_shape_def shape = shape_with(SN_SHAPE_SPHERE);
    shape.friction = 0, shape.restitution = 1, shape.group = 0, shape.mask = 0;
    sn_builder_add_shape(builder, "trunk", &shape);
    shape.friction = 1e6, shape.restitution = 0.5, shape.group = 0x80000001, shape.mask = 6;
    sn_builder_add_shape(builder, "trunk", &shape);
    sn_model *model = build_and_free(builder);
    const sn_shape_def *one = (&sn_model_get(model)->shape[0]), *two = (&sn_model_get(model)->shape[1]);
    assert_shape_material(one, 0, 1, 0, 0);
    assert_shape_material(two, 1e6, 0.5, 0x80000001, 6);
    sn_model_free(model);
}

/* Exclusions are reported by name before and after bodies, either way round and more than once. */
TEST(exclusions_are_found_in_any_order) {
    enum { BODIES = 40 };
    for (int trial = 0; trial < 30; trial++) {
        bool expected[BODIES][BODIES] = {{false}};
        sn_builder *builder = sn_builder_create();
        for (int i = 0; i < BODIES; i++) {
            char name[16], parent[16], one[16], two[16];
            snprintf(name, sizeof name, "b%d", i);
            snprintf(parent, sizeof parent, "b%d", (int)((1 + noise()) / 2 * i));
            add(builder, name, i == 0 ? NULL : parent, SN_JOINT_HINGE);
            for (int k = 0; k < trial % 6; k++) {
                int a = (int)((1 + noise()) / 2 * BODIES), b = (int)((1 + noise()) / 2 * BODIES);
                snprintf(one, sizeof one, "b%d", a);
                snprintf(two, sizeof two, "b%d", b);
                sn_builder_exclude(builder, one, two);
                if (k == 3) sn_builder_exclude(builder, two, one);
                memset(one, 'x', sizeof one); /* the names were copied */
                if (a != b) expected[a][b] = expected[b][a] = true;
            }
        }
        sn_model *model = build_and_free(builder);
        for (int i = 0; i < BODIES; i++)
            for (int k = 0; k < BODIES; k++) {
                int a, b;
                assert_int_equal(sscanf(sn_model_body(model, i)->name, "b%d", &a), 1);
                assert_int_equal(sscanf(sn_model_body(model, k)->name, "b%d", &b), 1);
                assert_int_equal(sn__model_excluded(model, i, k), expected[a][b]);
            }
        assert_false(sn__model_excluded(model, -1, 0));
        assert_false(sn__model_excluded(model, 0, -1));
        assert_false(sn__model_excluded(model, 3, BODIES));
        assert_false(sn__model_excluded(model, INT32_MAX, INT32_MIN));
        sn_model_free(model);
    }
}

TEST(builder_refuses_exclusions_of_bodies_that_do_not_exist) {
    char name[SN_MAX_NAME + 2];
    memset(name, 'n', sizeof name);
    name[SN_MAX_NAME + 1] = '\0';
    const struct {
        const char *one, *two, *name, *part;
    } bad[] = {
        {"trunk", "tail", "'tail' does not exist", "'trunk'"},
        {"tail", "trunk", "'tail' does not exist", "'trunk'"},
        {"trunk", NULL, "exclusion 0", "the name is missing"},
        {NULL, "trunk", "exclusion 0", "the name is missing"},
        {"", "trunk", "exclusion 0", "the name is missing"},
        {"trunk", name, "'nnnnnn", "the name is too long"},
    };
    for (int i = 0; i < COUNT(bad); i++) {
        sn_builder *builder = sn_builder_create();
        add(builder, "trunk", NULL, SN_JOINT_FREE);
        sn_builder_exclude(builder, bad[i].one, bad[i].two);
        assert_refused(builder, SN_ERROR_MODEL, bad[i].name, bad[i].part);
    }
    sn_builder_exclude(NULL, "a", "b");
}

TEST(builder_takes_65536_exclusions_and_refuses_one_more) {
    sn_builder *builder = sn_builder_create();
    add(builder, "trunk", NULL, SN_JOINT_FREE);
    add(builder, "limb", "trunk", SN_JOINT_HINGE);
    for (int i = 0; i < 65536; i++)
        sn_builder_exclude(builder, "trunk", "limb");
    sn_model *model = sn_builder_build(builder, NULL);
    assert_non_null(model);
    assert_true(sn__model_excluded(model, 1, 0));
    assert_int_equal(model->nexclusion, 1);
    sn_model_free(model);
    sn_builder_exclude(builder, "trunk", "limb");
    assert_refused(builder, SN_ERROR_TOO_LARGE, "'limb'", "65536");
}

int main(void) {
    return run_all("builder materials");
}
