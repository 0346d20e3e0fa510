/* Torques that are worked out ahead of the step (sn_drives): whatever solves for them, in the air and on the ground. */
#include "study_helpers.h"
#include "world_helpers.h"

#include <math.h>
#include <string.h>

enum { COPIES = 5, MOST = 128 };

struct scene {
    sn_model *model;
    sn_world *world;
    int nq, nv;
};

static struct scene make_scene(sn_drives drives, sn_precision precision, bool ground, double limit) {
    struct scene s = {.model = sn_builtin_create("humanoid", NULL)};
    sn_world_def def = sn_world_def_default();
    sn_error error = {0};
    double kp[MOST], kd[MOST], limits[MOST];
    def.setting = SN_SETTING_CROWD;
    def.copies = COPIES;
    def.precision = precision;
    def.study = driven_by(drives);
    def.products = SN_PRODUCTS_EXPLICIT; /* as they are foreseen */
    def.joint_limits = ground;
    def.torque_limits = def.report_torque = true;
    s.world = sn_world_create(&def, &error);
    if (!s.world) fail_msg("%s", error.message);
    assert_int_equal(sn_world_add(s.world, s.model, &error), 0);
    if (ground)
        assert_int_equal(sn_world_add_plane(s.world, (double[]){0, 0, 0}, (double[]){0, 0, 1}, NULL, NULL),
                         0);
    s.nq = sn_model_get(s.model)->nq, s.nv = sn_model_get(s.model)->nv;
    const sn_gains_def gains = {.struct_size = sizeof(sn_gains_def), .frequency = 6, .widen = true};
    assert_int_equal(sn_gains_choose(s.model, &gains, kp, kd, NULL), SN_OK);
    for (int v = 0; v < s.nv; v++) {
        if (v < 6) kp[v] = kd[v] = 0;
        limits[v] = limit;
    }
    assert_int_equal(sn_world_set_gains(s.world, 0, kp, kd), SN_OK);
    for (int i = 0; i < COPIES; i++)
        assert_int_equal(sn_world_set(s.world, 0, SN_FIELD_TORQUE_LIMIT, i, 1, limits), SN_OK);
    return s;
}

static void free_scene(struct scene *s) {
    sn_world_free(s->world);
    sn_model_free(s->model);
}

/* Each copy stands, and wants to be in a pose of its own. */
static void start(struct scene *s, double height) {
    double stand[MOST], q[MOST], turn[MOST] = {0};
    sn_model_home_pose(s->model, stand);
    stand[2] += height;
    for (int i = 0; i < COPIES; i++) {
        for (int v = 6; v < s->nv; v++)
            turn[v] = .3 * sin(1 + 2.7 * v + 1.3 * i);
        sn_model_pose_add(s->model, 1, stand, turn, q);
        assert_int_equal(sn_world_set(s->world, 0, SN_FIELD_Q, i, 1, stand), SN_OK);
        assert_int_equal(sn_world_set(s->world, 0, SN_FIELD_TARGET_Q, i, 1, q), SN_OK);
    }
}

/* Of any value of a field, over all copies. */
static double largest_difference(const struct scene *a, const struct scene *b, sn_field field, int n) {
    double worst = 0, x[MOST], y[MOST];
    for (int i = 0; i < COPIES; i++) {
        sn_world_get(a->world, 0, field, i, 1, x);
        sn_world_get(b->world, 0, field, i, 1, y);
        for (int k = 0; k < n; k++)
            worst = fmax(worst, fabs(x[k] - y[k]));
    }
    return worst;
}

static void run(struct scene *s, int steps) {
    for (int i = 0; i < steps; i++)
        assert_int_equal(sn_world_step(s->world), SN_OK);
}

/* In the air, joint limits off, the acceleration that is foreseen is the one that comes. */
TEST(in_the_air_a_torque_ahead_is_the_drive_inside) {
    struct scene a = make_scene(SN_DRIVES_INSIDE, SN_PRECISION_DOUBLE, false, INFINITY),
                 b = make_scene(SN_DRIVES_MABA, SN_PRECISION_DOUBLE, false, INFINITY);
    start(&a, 3), start(&b, 3);
    for (int i = 0; i < 60; i++) {
        run(&a, 1), run(&b, 1);
        assert_true(largest_difference(&a, &b, SN_FIELD_TORQUE, a.nv) < 1e-6);
    }
    assert_true(largest_difference(&a, &b, SN_FIELD_Q, a.nq) < 1e-9);
    free_scene(&a), free_scene(&b);
}

/* On the ground, with limits that are reached, all three solvers lead to the same torques. */
TEST(torques_ahead_are_the_same_whatever_solves) {
    struct scene a = make_scene(SN_DRIVES_MABA, SN_PRECISION_DOUBLE, true, 40),
                 b = make_scene(SN_DRIVES_DENSE, SN_PRECISION_DOUBLE, true, 40), c = {0};
    const bool lapack = sn_built_with("lapack");
    if (lapack) c = make_scene(SN_DRIVES_LAPACK, SN_PRECISION_DOUBLE, true, 40);
    start(&a, 0), start(&b, 0);
    if (lapack) start(&c, 0);
    for (int i = 0; i < 40; i++) {
        run(&a, 1), run(&b, 1);
        if (lapack) run(&c, 1);
        assert_true(largest_difference(&a, &b, SN_FIELD_TORQUE, a.nv) < 1e-5);
        if (lapack) assert_true(largest_difference(&b, &c, SN_FIELD_TORQUE, a.nv) < 1e-5);
    }
    assert_true(largest_difference(&a, &b, SN_FIELD_Q, a.nq) < 1e-8);
    free_scene(&a), free_scene(&b);
    if (lapack) free_scene(&c);
}

/* Balls are cut by length, hinges by themselves; some torque is at its limit. */
TEST(torques_ahead_keep_their_limits) {
    const double limit = 25;
    double largest = 0, tau[MOST];
    struct scene s = make_scene(SN_DRIVES_DENSE, SN_PRECISION_FLOAT, true, limit);
    start(&s, 0);
    for (int step = 0; step < 30; step++) {
        run(&s, 1);
        for (int i = 0; i < COPIES; i++) {
            sn_world_get(s.world, 0, SN_FIELD_TORQUE, i, 1, tau);
            for (int b = 1; b < sn_model_get(s.model)->nbody; b++) {
                const sn_body_info *info = sn_model_body(s.model, b);
                double square = 0;
                for (int k = 0; k < info->nv; k++) {
                    const double t = tau[info->v_index + k];
                    square = info->nv == 3 ? square + t * t : fmax(square, t * t);
                }
                largest = fmax(largest, sqrt(square));
            }
        }
    }
    assert_true(fabs(largest - limit) < 1e-3 * limit);
    free_scene(&s);
}

/* An arm of the inertia m rests on the stop of its hinge and cannot turn. The law says kp e; the torque ahead foresees an arm
   that turns freely, and is kp e m / (m + dt kd). */
TEST(a_torque_ahead_is_weaker_on_what_cannot_move) {
    const double kp = 300, kd = 30, dt = 1.0 / 240, m = .01, target = -.5;
    sn_builder *builder = sn_builder_create();
    sn_body_def arm = sn_body_def_default();
    arm.name = "arm", arm.joint = sn_joint_def_default(SN_JOINT_HINGE);
    arm.mass_given = true, arm.mass = 1;
    arm.inertia[0] = arm.inertia[1] = arm.inertia[2] = m;
    arm.joint.limited = true, arm.joint.lower[0] = 0, arm.joint.upper[0] = 1;
    sn_builder_add_body(builder, &arm);
    sn_model *model = sn_builder_build(builder, NULL);
    sn_builder_free(builder);
    assert_non_null(model);
    double torque[2];
    for (int ahead = 0; ahead < 2; ahead++) {
        sn_world_def def = sn_world_def_default();
        def.study = driven_by(ahead ? SN_DRIVES_DENSE : SN_DRIVES_INSIDE);
        def.setting = SN_SETTING_EXACT;
        def.report_torque = true;
        def.dt = dt;
        sn_world *world = sn_world_create(&def, NULL);
        assert_int_equal(sn_world_add(world, model, NULL), 0);
        sn_world_set_gains(world, 0, &kp, &kd);
        sn_world_set_target(world, 0, &target, NULL);
        for (int i = 0; i < 240; i++)
            assert_int_equal(sn_world_step(world), SN_OK);
        sn_world_get(world, 0, SN_FIELD_TORQUE, 0, 1, &torque[ahead]);
        sn_world_free(world);
    }
    assert_true(fabs(torque[0] / (kp * target) - 1) < .02); /* it stands a little beyond its stop */
    assert_true(fabs(torque[1] / torque[0] - m / (m + dt * kd)) < .01);
    sn_model_free(model);
}

/* A copy alone has the bits it has among others. */
TEST(torques_ahead_do_not_depend_on_neighbours) {
    for (int drives = SN_DRIVES_MABA; drives <= SN_DRIVES_DENSE; drives++) {
        struct scene a = make_scene((sn_drives)drives, SN_PRECISION_FLOAT, true, 40),
                     b = make_scene((sn_drives)drives, SN_PRECISION_FLOAT, true, 40);
        double q[MOST], other[MOST];
        start(&a, 0), start(&b, 0);
        for (int i = 1; i < COPIES; i++) { /* other company */
            sn_world_get(b.world, 0, SN_FIELD_Q, 0, 1, q);
            q[2] += .1 * i;
            sn_world_set(b.world, 0, SN_FIELD_Q, i, 1, q);
        }
        run(&a, 50), run(&b, 50);
        sn_world_get(a.world, 0, SN_FIELD_Q, 0, 1, q);
        sn_world_get(b.world, 0, SN_FIELD_Q, 0, 1, other);
        assert_memory_equal(q, other, (size_t)a.nq * sizeof *q);
        free_scene(&a), free_scene(&b);
    }
}

TEST(what_torques_ahead_cannot_do_is_refused) {
    sn_world_def def = sn_world_def_default();
    sn_error error = {0};
    def.study = driven_by((sn_drives)(SN_DRIVES_LAPACK + 1));
    assert_null(sn_world_create(&def, &error));
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    def.study = driven_by(SN_DRIVES_MABA);
    def.stepper = SN_STEPPER_POSITION;
    assert_null(sn_world_create(&def, &error));
    assert_int_equal(error.status, SN_ERROR_UNSUPPORTED);
    struct scene s = make_scene(SN_DRIVES_DENSE, SN_PRECISION_FLOAT, true, 40);
    assert_int_equal(sn_world_add(s.world, s.model, &error), -1); /* two members need rows */
    assert_non_null(strstr(error.message, "rows"));
    assert_int_equal(sn_world_move(s.world, 0, NULL, NULL, (double[]){1, 0, 0}, NULL), SN_ERROR_UNSUPPORTED);
    assert_int_equal(sn_world_set(s.world, 0, SN_FIELD_MASS_SCALE, 0, 1, (double[]){2}),
                     SN_ERROR_UNSUPPORTED);
    start(&s, 0);
    run(&s, 3); /* it goes on as it was */
    free_scene(&s);
}

int main(void) {
    return run_all("world ahead");
}
