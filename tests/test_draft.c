/* Drafts of models: the body that a mistake is about, and models that are cut from a draft. */
#include "model_helpers.h"

#include "model/builder.h"
#include "model/hash.h"
#include "model/hull.h"

/* ----------------------------------------------------------------------------------------------- mistakes */

enum {
    BAD_NUMBER,
    BAD_SHAPE,
    LOST_SHAPE,
    TWICE,
    NO_PARENT,
    CYCLE,
    NO_MASS,
    TIED_TO_ITSELF,
    EXCLUDED,
    NOTHING,
    MISTAKES
};

/* A body 'fine', and one mistake that is about another. */
static sn_builder *make_mistake(int kind) {
    sn_builder *builder = sn_builder_create();
    const sn_constraint_def pin = sn_constraint_def_default(SN_CONSTRAINT_PIN);
    sn_shape_def ball = sn_shape_def_default(SN_SHAPE_SPHERE);
    sn_body_def body = sn_body_def_default();
    ball.size[0] = kind == BAD_SHAPE ? -1 : 0.1;
    if (kind == NOTHING) return builder;
    add(builder, "fine", NULL, SN_JOINT_FREE);
    body.name = "it's me";
    body.joint = sn_joint_def_default(SN_JOINT_HINGE);
    body.parent = kind == NO_PARENT ? "nobody" : kind == CYCLE ? "other" : "fine";
    if (kind == BAD_NUMBER) body.joint.damping = -1;
    sn_builder_add_body(builder, &body);
    if (kind != NO_MASS) sn_builder_add_shape(builder, kind == LOST_SHAPE ? "it's lost" : body.name, &ball);
    if (kind == TWICE) sn_builder_add_body(builder, &body);
    if (kind == CYCLE) add(builder, "other", "it's me", SN_JOINT_HINGE);
    if (kind == TIED_TO_ITSELF) sn_builder_add_constraint(builder, body.name, body.name, &pin);
    if (kind == EXCLUDED) sn_builder_exclude(builder, "fine", "it's lost");
    return builder;
}

TEST(mistakes_name_the_body_that_they_are_about) {
    for (int kind = 0; kind < MISTAKES; kind++) {
        sn_builder *builder = make_mistake(kind);
        char culprit[SN_MAX_NAME + 1] = "?";
        sn_error error;
        assert_null(sn__model_draft(builder, culprit, &error));
        assert_int_not_equal(error.status, SN_OK);
        const bool lost = kind == LOST_SHAPE || kind == EXCLUDED;
        assert_string_equal(culprit, kind == NOTHING ? "" : lost ? "it's lost" : "it's me");
        if (culprit[0]) assert_message_has(&error, culprit);
        sn_builder_free(builder);
    }
}

/* -------------------------------------------------------------------------------------------------- parts */

enum { ARM, CART, TREES };

static sn_hull *pebble(void) {
    static const double corner[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0.5}};
    sn_hull *hull = sn_hull_create(corner[0], 5, 0, NULL);
    assert_non_null(hull);
    return hull;
}

/* Three bodies with odd numbers everywhere. Trees differ by their number. */
static void add_tree(sn_builder *builder, int tree) {
    static const char *const name[TREES][3] = {{"base", "upper", "lower"}, {"cart", "pole", "bob"}};
    static const sn_joint_type type[TREES][3] = {{SN_JOINT_WELD, SN_JOINT_BALL, SN_JOINT_HINGE},
                                                 {SN_JOINT_SLIDE, SN_JOINT_HINGE, SN_JOINT_HINGE}};
    sn_hull *hull = pebble();
    for (int i = 0; i < 3; i++) {
        sn_body_def body = body_with(name[tree][i], i ? name[tree][i - 1] : NULL, type[tree][i]);
        body.rot[1] = 0.3 + i, body.rot[3] = 0.1 * tree;
        body.pos[2] = 0.7 + 0.1 * i;
        body.lift = tree == CART ? 0.5 : 0;
        body.joint.axis[1] = 0.4 * i;
        body.joint.torque_limit = 10 + i;
        sn_builder_add_body(builder, &body);
        sn_shape_def shape = sn_shape_def_default(i == 2 ? SN_SHAPE_HULL : SN_SHAPE_SPHERE);
        shape.size[0] = 0.1 + 0.01 * tree;
        shape.rot[2] = 0.2;
        shape.hull = hull;
        sn_builder_add_shape(builder, name[tree][i], &shape);
    }
    sn_hull_free(hull);
    sn_builder_exclude(builder, name[tree][0], name[tree][2]);
    sn_constraint_def tie = sn_constraint_def_default(SN_CONSTRAINT_PIN);
    tie.point[0] = 0.1;
    sn_builder_add_constraint(builder, name[tree][2], tree == CART ? name[tree][0] : NULL, &tie);
}

static void assert_same_bodies(const sn_model *a, const sn_model *b) {
    assert_int_equal(a->nbody, b->nbody);
    for (int i = 0; i < a->nbody; i++) {
        assert_string_equal(a->body[i].name, b->body[i].name);
        assert_int_equal(a->body[i].parent, b->body[i].parent);
        assert_int_equal(a->body[i].q_index, b->body[i].q_index);
        assert_int_equal(a->body[i].v_index, b->body[i].v_index);
        assert_int_equal(a->body[i].first_shape, b->body[i].first_shape);
        assert_int_equal(a->body[i].nshape, b->body[i].nshape);
    }
}

/* A tree that is cut from a draft of two is the one that is built alone, bit by bit. */
TEST(a_part_of_a_draft_is_the_model_that_is_built_alone) {
    sn_builder *both = sn_builder_create();
    for (int tree = 0; tree < TREES; tree++)
        add_tree(both, tree);
    sn_builder_exclude(both, "lower", "bob"); /* stays behind */
    sn_model *draft = sn__model_draft(both, NULL, NULL);
    assert_non_null(draft);
    assert_null(draft->tree_f64.body);
    sn_builder_free(both);
    for (int tree = 0; tree < TREES; tree++) {
        sn_builder *builder = sn_builder_create();
        add_tree(builder, tree);
        sn_model *alone = build_and_free(builder);
        const uint8_t take[6] = {tree == ARM,  tree == ARM,  tree == ARM,
                                 tree == CART, tree == CART, tree == CART};
        sn_model *part = sn__model_part(draft, take, take, NULL);
        assert_non_null(part);
        assert_same_bodies(part, alone);
        assert_true(sn__model_hash(part) == sn__model_hash(alone));
        assert_true(part->mass == alone->mass && part->depth == alone->depth);
        assert_true(part->has_lift == alone->has_lift && part->has_torque_limit == alone->has_torque_limit);
        assert_int_equal(part->nexclusion, 1);
        assert_int_equal(part->nconstraint, 1);
        assert_memory_equal(part->constraint, alone->constraint, sizeof *alone->constraint);
        assert_memory_equal(part->tree_f64.body, alone->tree_f64.body,
                            (size_t)alone->nbody * sizeof *alone->tree_f64.body);
        sn_model_free(part);
        sn_model_free(alone);
    }
    sn_model_free(draft);
}

TEST(bodies_of_a_part_can_leave_their_shapes_behind) {
    sn_builder *builder = sn_builder_create();
    add_tree(builder, CART);
    sn_model *draft = sn__model_draft(builder, NULL, NULL);
    sn_builder_free(builder);
    const uint8_t take[3] = {1, 1, 1}, shaped[3] = {0, 1, 0};
    sn_model *part = sn__model_part(draft, take, shaped, NULL);
    assert_non_null(part);
    sn_model_free(draft); /* the part needs nothing of it */
    assert_int_equal(part->nshape, 1);
    assert_int_equal(part->body[0].nshape, 0);
    assert_int_equal(part->body[1].nshape, 1);
    assert_near(part->shape[part->body[1].first_shape].size[0], 0.11, 0);
    sn_model_free(part);
}

int main(void) {
    return run_all("draft");
}
