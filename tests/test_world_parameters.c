/* Mass, friction, gravity, limits and pushes of a member, changed while it is in the world. */
#include "world_helpers.h"

#include "base/quat.h"

static const double g = 9.81;

static sn_world *world_with_floor(const sn_world_def *def) {
    sn_world *world = world_of(def);
    floor_of(world, NULL);
    return world;
}

static void set_one(sn_world *world, int member, sn_field field, double value) {
    assert_int_equal(sn_world_set(world, member, field, 0, 1, &value), SN_OK);
}

static void run(sn_world *world, int steps) {
    for (int i = 0; i < steps; i++)
        step_world(world);
}

/* What pushes a member upwards, altogether. */
static double support_of(sn_world *world, int member) {
    int count;
    double sum = 0;
    const sn_contact *c = sn_world_contacts(world, 0, &count);
    for (int i = 0; i < count; i++) {
        if (c[i].member[0] == member) sum += c[i].force[2];
        if (c[i].member[1] == member) sum -= c[i].force[2];
    }
    return sum;
}

TEST_EACH_WAY(twice_the_mass_presses_twice_as_hard, body_of(box_of(0.2, 0.2, 0.1, 3))) {
    const sn_world_def def = def_of(way);
    sn_world *world = world_with_floor(&def);
    const int m = member_of(world, model);
    put_body(world, m, (const double[3]){0, 0, 0.1}, NULL, NULL);
    run(world, 240);
    assert_near(support_of(world, m), 3 * g, 0.01 * 3 * g);
    set_one(world, m, SN_FIELD_MASS_SCALE, 2);
    run(world, 240);
    assert_near(support_of(world, m), 6 * g, 0.01 * 6 * g);
    double q[7];
    sn_world_get_state(world, m, q, NULL);
    assert_near(q[2], 0.1, 2e-3);
    set_one(world, m, SN_FIELD_MASS_SCALE, 0.5);
    run(world, 240);
    assert_near(support_of(world, m), 1.5 * g, 0.01 * 1.5 * g);
    sn_world_free(world);
}

TEST_EACH_WAY(a_box_on_a_box_carries_the_mass_of_both, body_of(box_of(0.2, 0.2, 0.1, 3))) {
    const sn_world_def def = def_of(way);
    sn_world *world = world_with_floor(&def);
    for (int i = 0; i < 2; i++)
        put_body(world, member_of(world, model), (const double[3]){0, 0, 0.1 + 0.2 * i}, NULL, NULL);
    set_one(world, 1, SN_FIELD_MASS_SCALE, 3);
    run(world, 480);
    assert_near(support_of(world, 1), 9 * g, 0.02 * 9 * g);
    assert_near(support_of(world, 0), 3 * g, 0.02 * 9 * g); /* 12 g from below, 9 g from above */
    sn_world_free(world);
}

/* A heavier body is accelerated less by the same push, and falls as fast. */
TEST_EACH_WAY(the_scale_of_mass_is_in_the_inertia, body_of(sphere_of(0.1, 2))) {
    const sn_world_def def = def_of(way);
    sn_world *world = world_of(&def);
    const int m = member_of(world, model);
    const double force[3] = {6, 0, 0}, torque[3] = {0, 0.01, 0};
    put_body(world, m, (const double[3]){0, 0, 5}, NULL, NULL);
    assert_int_equal(sn_world_push(world, m, 0, force, torque, INFINITY), SN_OK);
    set_one(world, m, SN_FIELD_MASS_SCALE, 2.5);
    run(world, 24);
    double qd[6];
    const double t = 24 * def.dt;
    sn_world_get_state(world, m, NULL, qd);
    assert_near(qd[0], 6 / 5.0 * t, 1e-9);
    assert_near(qd[2], -g * t, 1e-9);
    assert_near(qd[4], 0.01 / (0.4 * 5 * 0.01) * t, 1e-9); /* 2/5 m r^2 */
    sn_summary s;
    assert_int_equal(sn_world_summary(world, m, 0, &s), SN_OK);
    assert_near(s.linear_momentum[0], 6 * t, 1e-9);
    sn_world_free(world);
}

TEST_EACH_WAY(without_friction_a_box_slides_down_a_slope, body_of(box_of(0.2, 0.15, 0.1, 3))) {
    const double a = 0.3, normal[3] = {-sin(a), 0, cos(a)}, zero[3] = {0};
    const sn_world_def def = def_of(way);
    sn_world *world = world_of(&def);
    assert_true(sn_world_add_plane(world, zero, normal, NULL, NULL) >= 0);
    const int m = member_of(world, model);
    double rot[4], qd[6];
    turn_about((const double[3]){0, -1, 0}, a, rot);
    put_body(world, m, (const double[3]){0.1 * normal[0], 0, 0.1 * normal[2]}, rot, NULL);
    const double downhill[3] = {-cos(a), 0, -sin(a)};
    run(world, 120);
    sn_world_get_state(world, m, NULL, qd);
    assert_near(norm(qd, 3), 0, 2e-3); /* mu 1 holds it */
    set_one(world, m, SN_FIELD_FRICTION, 0);
    run(world, 120);
    sn_world_get_state(world, m, NULL, qd);
    const double free_fall = g * sin(a) * 120 * def.dt;
    assert_near(dvec_dot(qd, downhill), free_fall, 0.02 * free_fall);
    set_one(world, m, SN_FIELD_FRICTION, 1);
    run(world, 480);
    sn_world_get_state(world, m, NULL, qd);
    assert_near(norm(qd, 3), 0, 2e-3); /* and stops it again: g (cos - sin) a second */
    sn_world_free(world);
}

/* Of two members the geometric mean counts: a factor 0.25 of one halves friction between them. */
TEST_EACH_WAY(friction_of_two_members_is_the_geometric_mean, body_of(box_of(0.2, 0.2, 0.1, 1))) {
    sn_model *heavy = body_of(box_of(2, 2, 0.1, 1000));
    const sn_world_def def = def_of(way);
    sn_world *world = world_with_floor(&def);
    const int below = member_of(world, heavy), m = member_of(world, model);
    put_body(world, below, (const double[3]){0, 0, 0.1}, NULL, NULL);
    put_body(world, m, (const double[3]){0, 0, 0.3}, NULL, NULL);
    set_one(world, m, SN_FIELD_FRICTION, 0.25);
    run(world, 60);
    const double weak[3] = {0.45 * g, 0, 0}, strong[3] = {0.7 * g, 0, 0};
    double qd[6];
    assert_int_equal(sn_world_push(world, m, 0, weak, NULL, INFINITY), SN_OK);
    run(world, 60);
    sn_world_get_state(world, m, NULL, qd);
    assert_near(qd[0], 0, 5e-3);
    assert_int_equal(sn_world_push(world, m, 0, strong, NULL, INFINITY), SN_OK);
    run(world, 60);
    sn_world_get_state(world, m, NULL, qd);
    assert_near(qd[0], 0.2 * g * 60 * def.dt, 0.05 * 0.2 * g * 60 * def.dt);
    sn_world_free(world);
    sn_model_free(heavy);
}

TEST_EACH_WAY(with_gravity_upwards_it_flies, body_of(box_of(0.2, 0.2, 0.1, 3))) {
    const sn_world_def def = def_of(way);
    sn_world *world = world_with_floor(&def);
    const int m = member_of(world, model), other = member_of(world, model);
    put_body(world, m, (const double[3]){0, 0, 0.1}, NULL, NULL);
    put_body(world, other, (const double[3]){3, 0, 0.1}, NULL, NULL);
    run(world, 60);
    const double up[3] = {0, 0, 4}, back[3] = {0, 0, -20};
    double q[7], qd[6];
    assert_int_equal(sn_world_set(world, m, SN_FIELD_GRAVITY, 0, 1, up), SN_OK);
    run(world, 120);
    sn_world_get_state(world, m, q, qd);
    assert_near(qd[2], 4 * 120 * def.dt, 0.02);
    assert_true(q[2] > 0.5);
    sn_world_get_state(world, other, q, qd);
    assert_near(q[2], 0.1, 2e-3); /* the other one has its own */
    assert_int_equal(sn_world_set(world, m, SN_FIELD_GRAVITY, 0, 1, back), SN_OK);
    run(world, 480);
    assert_near(support_of(world, m), 60, 0.6); /* 3 kg at 20 m/s^2 */
    assert_near(support_of(world, other), 3 * g, 0.03 * g);
    sn_world_free(world);
}

TEST(wrong_values_are_refused_and_change_nothing) {
    const sn_shape_def shape = sphere_of(0.1, 2);
    sn_model *ball = free_body(&shape);
    const sn_world_def def = sn_world_def_default();
    sn_world *world = world_of(&def);
    const int m = member_of(world, ball);
    const struct {
        sn_field field;
        double bad[3];
    } wrong[] = {{SN_FIELD_MASS_SCALE, {0}},          {SN_FIELD_MASS_SCALE, {-1}},
                 {SN_FIELD_MASS_SCALE, {NAN}},        {SN_FIELD_FRICTION, {-0.1}},
                 {SN_FIELD_FRICTION, {NAN}},          {SN_FIELD_GRAVITY, {0, NAN, 0}},
                 {SN_FIELD_GRAVITY, {0, 0, INFINITY}}};
    for (int i = 0; i < COUNT(wrong); i++) {
        double before[3], after[3];
        const int n = sn_world_size(world, m, wrong[i].field);
        assert_int_equal(sn_world_get(world, m, wrong[i].field, 0, 1, before), SN_OK);
        assert_int_equal(sn_world_set(world, m, wrong[i].field, 0, 1, wrong[i].bad), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_get(world, m, wrong[i].field, 0, 1, after), SN_OK);
        assert_memory_equal(before, after, sizeof *before * (size_t)n);
    }
    const double any[7 * 4] = {0};
    for (int f = SN_FIELD_QDD; f < SN_FIELD_COUNT; f++) /* from there on they can only be read */
        assert_int_equal(sn_world_set(world, m, (sn_field)f, 0, 1, any), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_set(world, m, SN_FIELD_QD, 1, 1, any), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_set(world, m, SN_FIELD_QD, 0, 2, any), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_set(world, m, SN_FIELD_QD, -1, 1, any), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_set(world, m + 1, SN_FIELD_QD, 0, 1, any), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_size(world, m, SN_FIELD_COUNT), 0);
    assert_int_equal(sn_world_size(world, m + 1, SN_FIELD_Q), 0);
    sn_world_free(world);
    sn_model_free(ball);
}

int main(void) {
    return run_all("world parameters");
}
