/* Who touches whom, and steps that cannot be taken. */
#include "world_helpers.h"

#include "base/quat.h"

/* ----------------------------------------------------------------------------------------------- not finite */

/* A humanoid that stands beside a ball, and what drives one of them beyond all bounds. */
struct overflow {
    const struct way *way;
    bool is_float;
    enum { PUSH_HUMAN, PUSH_BALL, HUGE_GAINS } cause;
    sn_model *model[2]; /* humanoid, ball */
    sn_world *world;
    int member[2];
    double stand[MAX_NQ], q[2][MAX_NQ], qd[2][MAX_NV]; /* the pose it stands in; the last good state */
};

static void remember_state(struct overflow *o) {
    for (int m = 0; m < 2; m++)
        sn_world_get_state(o->world, o->member[m], o->q[m], o->qd[m]);
}

static void stand_beside_ball(struct overflow *o) {
    sn_world_def def = def_of(o->way);
    def.precision = o->is_float ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE;
    o->world = world_of(&def);
    floor_of(o->world, NULL);
    for (int m = 0; m < 2; m++)
        o->member[m] = member_of(o->world, o->model[m]);
    uniform_gains(o->world, o->member[0], 0, 0, 1000, 100);
    stand_humanoid(o->world, o->member[0], o->stand);
    put_body(o->world, o->member[1], (const double[3]){1, 1, 0.1}, NULL, NULL);
    for (int i = 0; i < 30; i++)
        step_world(o->world);
    assert_true(contact_count(o->world) > 0);
    remember_state(o);
}

/* The last body is light enough for a push to overflow at once. */
static void push(struct overflow *o, double force) {
    const bool ball = o->cause == PUSH_BALL;
    const int body = o->cause == PUSH_HUMAN ? sn_model_get(o->model[0])->nbody - 1 : 0;
    const double along[3] = {force, 0, force}, torque[3] = {force, force, force};
    assert_int_equal(sn_world_push(o->world, o->member[ball], body, along, torque, INFINITY), SN_OK);
}

static void drive_beyond_bounds(struct overflow *o) {
    const double huge = o->is_float ? 3e38 : 1.7e308;
    double kp[MAX_NV], bent[MAX_NQ];
    if (o->cause != HUGE_GAINS) {
        push(o, huge);
        return;
    }
    for (int v = 0; v < sn_model_get(o->model[0])->nv; v++)
        kp[v] = v < 6 ? 0 : huge;
    assert_int_equal(sn_world_set_gains(o->world, o->member[0], kp, kp), SN_OK);
    memcpy(bent, o->stand, sizeof bent);
    for (int i = 7; i < sn_model_get(o->model[0])->nq; i++)
        bent[i] += 2;
    assert_int_equal(sn_world_set_target(o->world, o->member[0], bent, NULL), SN_OK);
}

/* Steps until something is frozen and returns how many steps that took: a push may need one to overflow. */
static int step_until_frozen(struct overflow *o) {
    int taken = 0;
    for (; taken < 3 && !stats_of(o->world).diverged; taken++) {
        remember_state(o);
        assert_int_equal(sn_world_step(o->world), SN_OK); /* the other one goes on */
    }
    return taken;
}

static void assert_culprit_is_named(const struct overflow *o, int taken) {
    const sn_world_stats stats = stats_of(o->world);
    const bool ball = o->cause == PUSH_BALL;
    if (stats.diverged != 1 || stats.bad_member != ball)
        fail_msg("%s, %s, cause %d: %d frozen, member %d is named after %d steps", o->way->name,
                 o->is_float ? "float" : "double", o->cause, stats.diverged, stats.bad_member, taken);
    assert_int_equal(stats.bad_copy, 0);
    assert_true(stats.bad_dof >= 0 && stats.bad_dof < sn_model_get(o->model[ball])->nv);
    for (int m = 0; m < 2; m++) {
        double flag;
        assert_int_equal(sn_world_get(o->world, o->member[m], SN_FIELD_DIVERGED, 0, 1, &flag), SN_OK);
        assert_true(flag == (m == (int)ball));
    }
}

static void assert_state_is_kept(const struct overflow *o) {
    const int m = o->cause == PUSH_BALL;
    double q[MAX_NQ], qd[MAX_NV];
    sn_world_get_state(o->world, o->member[m], q, qd);
    assert_memory_equal(q, o->q[m], sizeof *q * (size_t)sn_model_get(o->model[m])->nq);
    assert_memory_equal(qd, o->qd[m], sizeof *qd * (size_t)sn_model_get(o->model[m])->nv);
}

static void assert_goes_on_when_its_state_is_set(struct overflow *o) {
    const int m = o->cause == PUSH_BALL;
    push(o, 0);
    assert_int_equal(sn_world_set_state(o->world, o->member[m], o->q[m], o->qd[m]), SN_OK);
    uniform_gains(o->world, o->member[0], 0, 0, 1000, 100);
    assert_int_equal(sn_world_set_target(o->world, o->member[0], o->stand, NULL), SN_OK);
    for (int i = 0; i < 60; i++)
        step_world(o->world);
    assert_int_equal(stats_of(o->world).diverged, 0);
    assert_true(fastest(o->world) < 0.1);
    assert_near(lowest_point(o->world, o->member[0]), 0, 2e-3);
}

static void overflow(struct overflow *o) {
    stand_beside_ball(o);
    const double time = sn_world_time(o->world), dt = sn_world_get_info(o->world).dt;
    drive_beyond_bounds(o);
    const int taken = step_until_frozen(o);
    assert_culprit_is_named(o, taken);
    assert_state_is_kept(o);
    assert_near(sn_world_time(o->world), time + taken * dt, 1e-9);
    if (taken == 1)
        assert_goes_on_when_its_state_is_set(o);
    else
        print_message("  %s, %s, cause %d: caught in step %d\n", o->way->name,
                      o->is_float ? "float" : "double", o->cause, taken);
    sn_world_free(o->world);
}

TEST(what_overflows_is_frozen_by_itself_and_is_named) {
    struct overflow o = {.model = {sn_builtin_create("humanoid", NULL), body_of(sphere_of(0.1, 1))}};
    for (o.way = ways(); o.way->name[0]; o.way++)
        for (int i = 0; i < 2 * 3; i++) {
            o.is_float = i / 3 % 2, o.cause = i % 3;
            overflow(&o);
        }
    sn_model_free(o.model[0]), sn_model_free(o.model[1]);
}

/* ------------------------------------------------------------------------------------- who touches whom */

TEST(one_that_is_not_active_stays_and_touches_nothing) {
    const sn_shape_def shape = box_of(0.2, 0.2, 0.2, 1);
    sn_model *model = free_body(&shape);
    for (const struct way *way = ways(); way->name[0]; way++) {
        sn_world_def def = def_of(way);
        sn_world *world = world_of(&def);
        floor_of(world, NULL);
        for (int i = 0; i < 2; i++)
            member_of(world, model);
        put_body(world, 0, (const double[3]){0, 0, 0.25}, NULL, (const double[6]){0, 1, 0});
        put_body(world, 1, (const double[3]){0, 0, 1}, NULL, NULL);
        assert_int_equal(sn_world_set_active(world, 0, false), SN_OK);
        double before[7], speed[6], q[7], qd[6];
        sn_world_get_state(world, 0, before, speed);
        for (int i = 0; i < 300; i++) {
            step_world(world);
            int count;
            const sn_contact *contact = sn_world_contacts(world, 0, &count);
            for (int j = 0; j < count; j++)
                assert_true(contact[j].member[0] == 1 && contact[j].member[1] == -1);
        }
        sn_world_get_state(world, 0, q, qd);
        assert_memory_equal(q, before, sizeof q);
        assert_memory_equal(qd, speed, sizeof qd);
        sn_world_get_state(world, 1, q, qd);
        assert_near(q[2], 0.2, 2e-3); /* it fell through the other one to the floor */
        put_body(world, 1, (const double[3]){0, 0, 1}, NULL, NULL);
        put_body(world, 0, (const double[3]){0, 0, 0.25}, NULL, NULL);
        assert_int_equal(sn_world_set_active(world, 0, true), SN_OK);
        run_for(world, 1.5, def.dt);
        sn_world_get_state(world, 1, q, qd);
        assert_near(q[2], 0.6, 4e-3);
        sn_world_free(world);
    }
    sn_model_free(model);
}

/* Whether two shapes with these bits touch, one fixed over the other. */
static bool bits_touch(uint32_t group1, uint32_t mask1, uint32_t group2, uint32_t mask2) {
    const sn_world_def def = rows_def();
    sn_world *world = world_of(&def);
    sn_shape_def shape[2] = {sphere_of(0.2, 1), sphere_of(0.2, 1)};
    shape[0].group = group1, shape[0].mask = mask1, shape[1].group = group2, shape[1].mask = mask2;
    sn_model *model[2];
    for (int i = 0; i < 2; i++) {
        model[i] = free_body(&shape[i]);
        put_body(world, member_of(world, model[i]), (const double[3]){0, 0, 0.39 * i}, NULL, NULL);
    }
    step_world(world);
    const bool touch = contact_count(world) > 0;
    sn_world_free(world);
    for (int i = 0; i < 2; i++)
        sn_model_free(model[i]);
    return touch;
}

TEST(groups_and_masks_choose_who_touches) {
    assert_true(bits_touch(1, UINT32_MAX, 1, UINT32_MAX));
    assert_false(bits_touch(1, 2, 1, 2));
    assert_true(bits_touch(1, 2, 2, 0)); /* the mask of either is enough */
    assert_true(bits_touch(2, 0, 1, 2));
    assert_false(bits_touch(0, 0, 1, UINT32_MAX));
    assert_false(bits_touch(4, 8, 16, 32));
    assert_true(bits_touch(UINT32_C(1) << 31, 0, 1, UINT32_C(1) << 31));
}

/* A trunk with an arm of two links folded back onto it. Pairs in contact, as bits: 1 trunk-upper, 2
   upper-lower, 4 trunk-lower. */
static unsigned self_touch(bool self_contact, bool excluded) {
    sn_builder *builder = sn_builder_create();
    static const char *const name[] = {"trunk", "upper", "lower"};
    for (int i = 0; i < 3; i++) {
        sn_body_def body = sn_body_def_default();
        body.name = name[i];
        body.parent = i ? name[i - 1] : NULL;
        body.joint = sn_joint_def_default(i ? SN_JOINT_HINGE : SN_JOINT_FREE);
        body.pos[0] = i == 1 ? 0.15 : i == 2 ? -0.02 : 0;
        sn_builder_add_body(builder, &body);
        const sn_shape_def shape = box_of(0.1, 0.1, 0.1, 1);
        sn_builder_add_shape(builder, name[i], &shape);
    }
    if (excluded) sn_builder_exclude(builder, "lower", "trunk");
    sn_model *model = build_and_free(builder);
    sn_world_def def = rows_def();
    def.gravity[2] = 0, def.self_contact = self_contact;
    sn_world *world = world_of(&def);
    member_of(world, model);
    step_world(world);
    unsigned pairs = 0;
    int count;
    const sn_contact *contact = contacts_of(world, &count);
    for (int i = 0; i < count; i++) {
        const int sum = contact[i].body[0] + contact[i].body[1];
        pairs |= sum == 1 ? 1 : sum == 3 ? 2 : 4;
    }
    sn_world_free(world);
    sn_model_free(model);
    return pairs;
}

TEST(bodies_of_one_member_touch_where_the_world_wants_that) {
    assert_int_equal(self_touch(false, false), 0);
    assert_int_equal(self_touch(true, false), 4); /* never parent and child */
    assert_int_equal(self_touch(true, true), 0);
}

int main(void) {
    return run_all("world touch");
}
