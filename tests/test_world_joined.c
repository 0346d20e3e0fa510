/* Members that a constraint joins do not touch each other, unless it says so or is broken. */
#include "world_helpers.h"

/* Two boxes that overlap by 40 mm, welded to each other where they are. */
struct pair {
    sn_world *world;
    sn_model *box;
    sn_constraint weld;
};

static struct pair overlap(bool collide, double break_force, int copies) {
    sn_world_def def = sn_world_def_default();
    def.gravity[2] = 0, def.copies = copies;
    struct pair p = {.world = world_of(&def), .box = body_of(box_of(0.1, 0.1, 0.1, 1))};
    for (int i = 0; i < 2; i++)
        put_body(p.world, member_of(p.world, p.box), (const double[3]){0.16 * i, 0, 0}, NULL, NULL);
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_WELD);
    d.member = 1, d.member2 = 0, d.point[0] = -0.08, d.point2[0] = 0.08;
    d.collide = collide, d.break_force = break_force;
    p.weld = sn_world_add_constraint(p.world, &d, NULL);
    assert_true(p.weld != 0);
    return p;
}

static void put_away(struct pair p) {
    sn_world_free(p.world);
    sn_model_free(p.box);
}

TEST(members_that_a_weld_joins_do_not_touch) {
    struct pair p = overlap(false, INFINITY, 1);
    run_for(p.world, 1, 1.0 / 60);
    assert_int_equal(contact_count(p.world), 0);
    assert_near(energy_of(p.world), 0, 1e-12);
    sn_world_remove_constraint(p.world, p.weld);
    step_world(p.world);
    assert_true(contact_count(p.world) > 0);
    put_away(p);
}

TEST(members_touch_where_the_weld_says_so) {
    struct pair p = overlap(true, INFINITY, 1);
    step_world(p.world);
    assert_true(contact_count(p.world) > 0);
    put_away(p);
}

/* A jerk along z breaks the weld of the second copy: its boxes push each other apart along x, those of the first do not. */
TEST(members_touch_again_in_the_copy_where_the_weld_is_broken) {
    struct pair p = overlap(false, 50, 2);
    const double fast[6] = {0, 0, 4};
    assert_int_equal(sn_world_set(p.world, 1, SN_FIELD_QD, 1, 1, fast), SN_OK);
    step_world(p.world);
    assert_true(constraint_broken(p.world, p.weld, 1));
    assert_false(constraint_broken(p.world, p.weld, 0));
    step_world(p.world);
    int count[2];
    for (int i = 0; i < 2; i++)
        sn_world_contacts(p.world, i, &count[i]);
    assert_int_equal(count[0], 0);
    assert_true(count[1] > 0);
    assert_int_equal(sn_world_mend_constraint(p.world, p.weld, 1), SN_OK);
    step_world(p.world);
    sn_world_contacts(p.world, 1, &count[1]);
    for (int i = 0; i < count[1]; i++)
        assert_int_equal(sn_world_contacts(p.world, 1, &count[0])[i].phase, SN_CONTACT_PHASE_ENDED);
    put_away(p);
}

/* A chain bent back onto itself: its first and last body, which are not neighbours, are pinned where they overlap. */
TEST(bodies_that_a_loop_closes_do_not_touch) {
    for (int collide = 0; collide < 2; collide++) {
        sn_world_def def = sn_world_def_default();
        def.self_contact = true, def.gravity[2] = 0;
        sn_world *world = world_of(&def);
        sn_builder *b = sn_builder_create();
        static const char *const name[] = {"one", "two", "three", "four"};
        for (int i = 0; i < 4; i++) {
            sn_body_def body = sn_body_def_default();
            body.name = name[i], body.parent = i ? name[i - 1] : NULL;
            body.joint.type = i ? SN_JOINT_HINGE : SN_JOINT_FREE;
            body.joint.axis[0] = 0, body.joint.axis[1] = 1, body.joint.axis[2] = 0;
            body.pos[0] = i == 1 ? 0.2 : i == 3 ? -0.2 : 0, body.pos[2] = i == 2 ? 0.05 : 0;
            sn_builder_add_body(b, &body);
            const sn_shape_def ball = sphere_of(0.04, 0.5);
            sn_builder_add_shape(b, name[i], &ball);
        }
        sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_PIN);
        d.collide = collide, d.point2[2] = 0.05;
        sn_builder_add_constraint(b, "four", "one", &d);
        sn_error error = {0};
        sn_model *model = sn_builder_build(b, &error);
        if (!model) fail_msg("%s", error.message);
        sn_builder_free(b);
        member_of(world, model);
        step_world(world);
        int count;
        const sn_contact *c = sn_world_contacts(world, 0, &count);
        bool touch = false;
        for (int i = 0; i < count; i++)
            touch |= (c[i].body[0] == 0 && c[i].body[1] == 3) || (c[i].body[0] == 3 && c[i].body[1] == 0);
        assert_int_equal(touch, collide);
        sn_world_free(world);
        sn_model_free(model);
    }
}

TEST(a_snapshot_brings_back_what_collides) {
    struct pair p = overlap(true, INFINITY, 1);
    const size_t size = sn_world_snapshot(p.world, NULL, 0);
    void *bytes = malloc(size);
    assert_int_equal(sn_world_snapshot(p.world, bytes, size), size);
    sn_world_remove_constraint(p.world, p.weld);
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_WELD);
    d.member = 1, d.member2 = 0, d.point[0] = -0.08, d.point2[0] = 0.08;
    assert_true(sn_world_add_constraint(p.world, &d, NULL) != 0);
    step_world(p.world);
    assert_int_equal(contact_count(p.world), 0);
    sn_error error = {0};
    if (sn_world_restore(p.world, bytes, size, &error)) fail_msg("%s", error.message);
    step_world(p.world);
    assert_true(contact_count(p.world) > 0);
    free(bytes);
    put_away(p);
}

int main(void) {
    return run_all("world_joined");
}
