/* What holds the bodies of MJCF scenes together: couplings, pins, welds and tendons, friction and lift; and models that bring
 * them along. */
#include "scene_helpers.h"

#include <sinew/studies.h>
#include "sinew/dynamics.h"

#include <unistd.h>

/* ------------------------------------------------------------------------------------------------- couplings */

TEST(joints_follow_joints) {
    sn_world *world = scene(
        "<body name='a'><joint name='a' axis='0 1 0'/><geom size='.1' pos='.5 0 0'/></body>"
        "<body name='b' pos='0 3 0'><joint name='b' axis='0 1 0'/><geom size='.1' pos='.3 0 0'/></body>",
        "<equality><joint joint1='b' joint2='a' polycoef='.2 .5 .1'/></equality>"
        "<keyframe><key qpos='0 .2'/></keyframe>");
    double q[2];
    for (int i = 0; i < 500; i++) {
        run(world, 1);
        assert_int_equal(sn_world_get_state(world, 0, q, NULL), SN_OK);
        assert_near(q[1], .2 + .5 * q[0] + .1 * q[0] * q[0], 1e-4);
    }
    assert_true(fabs(q[0]) > .5);
    sn_world_free(world);
}

TEST(bodies_hang_on_bodies_and_on_the_world) {
    sn_world *world = scene(
        "<body name='a' pos='0 0 2' euler='0 10 0'><freejoint/><geom type='box' size='.2 .1 .1'/></body>"
        "<body name='b' pos='.6 0 2'><freejoint/><geom type='box' size='.2 .1 .1'/></body>"
        "<body name='c' pos='0 0 1' euler='0 0 30'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
        "<body name='post' pos='3 0 0' euler='0 0 90'><geom type='box' size='.1 .1 .1'/></body>"
        "<body name='d' pos='3 .5 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body>",
        "<equality><connect body1='a' body2='b' anchor='.3 0 0'/><connect body1='a' anchor='-.2 0 0'/>"
        "<weld body1='world' body2='c'/><weld body1='post' body2='d'/></equality>");
    double pose[7], a[7], b[7];
    place_of(world, "a", a), place_of(world, "b", b);
    run(world, 250);
    static const double start[2][7] = {{0, 0, 1, 0.96592582628906831, 0, 0, 0.25881904510252074},
                                       {3, .5, 0, 1, 0, 0, 0}};
    place_of(world, "c", pose);
    assert_near_n(pose, start[0], 7, 2e-5);
    place_of(world, "d", pose);
    assert_near_n(pose, start[1], 7, 2e-5);
    place_of(world, "a", a), place_of(world, "b", b);
    assert_true(b[2] < 1.9); /* it swings */
    sn_world_free(world);
}

/* A servo on a tendon brings the sum of two joints where its control wants it. */
TEST(tendons_drive_two_joints_together) {
    sn_world *world = parse(
        "<mujoco><option gravity='0 0 0'/><worldbody>"
        "<body name='a'><joint name='a' damping='.2'/><geom size='.1' pos='.3 0 0'/>"
        "<body name='b' pos='.6 0 0'><joint name='b' damping='.2'/><geom size='.1' pos='.3 0 0'/></body>"
        "</body></worldbody><tendon><fixed name='t'><joint joint='a' coef='1'/>"
        "<joint joint='b' coef='.5'/></fixed></tendon>"
        "<actuator><position tendon='t' kp='20'/></actuator>"
        "<keyframe><key ctrl='.6'/></keyframe></mujoco>");
    double q[2];
    run(world, 10000);
    assert_int_equal(sn_world_get_state(world, 0, q, NULL), SN_OK);
    assert_near(q[0] + .5 * q[1], .6, 1e-3);
    assert_true(fabs(q[1]) > .01);
    const sn_constraint servo = sn_world_model_constraint(world, 0, 0);
    assert_true(servo != 0 && sn_world_model_constraint(world, 0, 1) == 0);
    assert_int_equal(sn_world_set_constraint(world, servo, -1, (double[]){-.3}, NULL), SN_OK);
    run(world, 10000);
    assert_int_equal(sn_world_get_state(world, 0, q, NULL), SN_OK);
    assert_near(q[0] + .5 * q[1], -.3, 1e-3);
    sn_world_free(world);
}

/* A sum of two joints swings under gravity within its range, and comes to both ends of it. */
TEST(tendons_limit_the_sum_of_two_joints) {
    sn_world *world = scene(
        "<body name='a'><joint name='a' axis='0 1 0'/><geom size='.1' pos='.3 0 0'/></body>"
        "<body name='b' pos='0 2 0'><joint name='b' axis='0 1 0' ref='90'/><geom size='.1' pos='.2 0 "
        "0'/></body>",
        "<tendon><fixed limited='true' range='.5 1.2'><joint joint='a' coef='1'/><joint joint='b' coef='.5'/>"
        "</fixed></tendon><keyframe><key qpos='.1 1.5'/></keyframe>");
    double q[2], least = 9, most = -9;
    assert_int_equal(told.count, 0);
    for (int i = 0; i < 4000; i++) {
        run(world, 1);
        assert_int_equal(sn_world_get_state(world, 0, q, NULL), SN_OK);
        const double length = q[0] + .5 * (q[1] + M_PI / 2);
        least = fmin(least, length), most = fmax(most, length);
    }
    assert_near(most, 1.2, 2e-3);
    assert_true(least > .5 - 2e-3);
    sn_world_free(world);
}

/* kd = 2 r sqrt(kp m), m the diagonal of the mass matrix over gear squared. */
TEST(damping_ratios_go_by_the_inertia_of_the_joint) {
    const char *text =
        "<mujoco><worldbody><body name='a' pos='0 0 1'><joint name='a' axis='0 1 1' pos='.1 0 0' "
        "armature='.03'/>"
        "<geom type='box' size='.3 .2 .1' pos='.2 .1 0' euler='10 20 30'/><body name='b' pos='.5 0 0' "
        "euler='30 0 20'><joint name='b' type='slide' axis='1 2 3'/>"
        "<geom type='capsule' size='.1 .2'/></body></body></worldbody><actuator>"
        "<position joint='a' kp='50' dampratio='.7' gear='3'/>"
        "<general joint='b' gainprm='40' biastype='affine' biasprm='0 -40 1.5'/></actuator></mujoco>";
    sn_model *model = parse_model(text, NULL);
    const sn_dynamics_def def = sn_dynamics_def_default();
    sn_dynamics *dynamics = sn_dynamics_create(model, &def, NULL);
    double q[2] = {0}, M[4];
    assert_int_equal(sn_dynamics_mass_matrix(dynamics, q, M), SN_OK);
    assert_near(body_of(model, "a")->joint.kd, 9 * 2 * .7 * sqrt(50 * M[0] / 9), 1e-9);
    assert_near(body_of(model, "b")->joint.kd, 2 * 1.5 * sqrt(40 * M[3]), 1e-9);
    sn_dynamics_free(dynamics);
    sn_model_free(model);
}

/* ---------------------------------------------------------------------------------------- models that bring them */

static const char *const coupled =
    "<mujoco><compiler angle='radian'/><worldbody><body name='a' gravcomp='.5'><joint name='a' "
    "frictionloss='.25'/>" BALL
    "<body name='b' pos='.6 0 0'><joint name='b'/><geom size='.1' pos='.3 0 0'/></body></body></worldbody>"
    "<equality><joint joint1='b' joint2='a' polycoef='.1 .2 .3 .4 .5'/><connect body1='b' anchor='1 2 3'/>"
    "<weld body1='a' body2='b'/></equality><tendon><fixed stiffness='3' damping='.5' springlength='.2'>"
    "<joint joint='a' coef='1'/><joint joint='b' coef='-2'/></fixed><fixed limited='true' range='-1 2'>"
    "<joint joint='a' coef='2'/><joint joint='b' coef='1'/></fixed></tendon></mujoco>";

static void assert_same_constraints(const sn_model *one, const sn_model *two) {
    assert_int_equal(sn_model_get(one)->nconstraint, sn_model_get(two)->nconstraint);
    for (int i = 0; i < sn_model_get(one)->nconstraint; i++) {
        const sn_constraint_def *a = (&sn_model_get(one)->constraint[i]),
                                *b = (&sn_model_get(two)->constraint[i]);
        assert_int_equal(a->type, b->type);
        assert_int_equal(a->body, b->body);
        assert_int_equal(a->member2, b->member2);
        assert_int_equal(a->body2, b->body2);
        assert_near_n(a->point, b->point, 3, 1e-15);
        assert_near_n(a->point2, b->point2, 3, 1e-15);
        assert_near_n(a->target, b->target, 7, 1e-15);
        assert_near_n(a->ratio, b->ratio, 5, 1e-15);
        assert_near(a->stiffness, b->stiffness, 0);
        assert_near(a->damping, b->damping, 0);
    }
    for (int i = 0; i < sn_model_get(one)->nbody; i++) {
        assert_near(sn_model_body(one, i)->lift, sn_model_body(two, i)->lift, 0);
        assert_near(sn_model_body(one, i)->joint.friction, sn_model_body(two, i)->joint.friction, 0);
    }
}

TEST(constraints_friction_and_lift_are_saved_with_models) {
    sn_model *model = parse_model(coupled, NULL);
    assert_int_equal(sn_model_get(model)->nconstraint, 5);
    assert_near(body_of(model, "a")->lift, .5, 0);
    assert_near(body_of(model, "a")->joint.friction, .25, 0);
    static const char *const ending[] = {"json", "xml"};
    for (int i = 0; i < 2; i++) {
        char path[64];
        snprintf(path, sizeof path, "/tmp/sinew-coupled-%d.%s", (int)getpid(), ending[i]);
        assert_int_equal(sn_model_save(model, path, &error), SN_OK);
        sn_model *again = sn_model_load(path, NULL, &error);
        if (!again) fail_msg("%s", error.message);
        assert_same_constraints(model, again);
        sn_model_free(again);
        unlink(path);
    }
    sn_model_free(model);
}

TEST(constraints_of_a_model_come_and_go_with_its_member) {
    sn_model *model = parse_model(coupled, NULL);
    const sn_world_def def = sn_world_def_default();
    sn_world *world = sn_world_create(&def, NULL);
    for (int round = 0; round < 3; round++) {
        const sn_member member = sn_world_add(world, model, NULL);
        assert_true(member >= 0);
        /* coupling, pin, weld, spring, limit, friction */
        assert_int_equal(sn_study_response_matrix(world, 0, SN_ROW_RESPONSE_DELTAS, NULL, 0),
                         1 + 3 + 6 + 1 + 1 + 1);
        assert_true(sn_world_model_constraint(world, member, 3) != 0);
        assert_int_equal(sn_world_remove(world, member), SN_OK);
        assert_true(sn_world_model_constraint(world, member, 3) == 0);
    }
    sn_world_free(world);
    sn_model_free(model);
}

TEST(snapshots_keep_couplings_and_friction) {
    sn_world *world = scene(
        "<body name='a'><joint name='a' axis='0 1 0' frictionloss='.1'/><geom size='.1' pos='.5 0 0'/></body>"
        "<body name='b' pos='0 3 0'><joint name='b' axis='0 1 0'/><geom size='.1' pos='.3 0 0'/></body>",
        "<equality><joint joint1='b' joint2='a' polycoef='0 .5 .1'/></equality>");
    run(world, 50);
    const size_t size = sn_world_snapshot(world, NULL, 0);
    void *bytes = malloc(size);
    assert_int_equal(sn_world_snapshot(world, bytes, size), size);
    run(world, 50);
    const uint64_t hash = sn_world_hash(world);
    assert_int_equal(sn_world_restore(world, bytes, size, &error), SN_OK);
    run(world, 50);
    assert_true(sn_world_hash(world) == hash);
    assert_true(sn_world_model_constraint(world, 0, 0) != 0);
    free(bytes);
    sn_world_free(world);
}

/* A block on a slide, on a slope of 30 degrees in its own gravity: it stays while friction holds, and else slides with what is
   left of the acceleration. */
TEST(dry_friction_holds_and_slows) {
    static const double loss[] = {6, 4}; /* N, of 1 kg under 5 m/s^2 */
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "<mujoco><option gravity='5 0 -8.66'/><worldbody><body><joint type='slide' axis='1 0 0' "
                 "frictionloss='%g'/><geom size='.1' mass='1'/></body></worldbody></mujoco>",
                 loss[i]);
        sn_world *world = parse(text);
        run(world, 500);
        double q, qd;
        assert_int_equal(sn_world_get_state(world, 0, &q, &qd), SN_OK);
        assert_near(qd, i == 0 ? 0 : 1 * 1.0, 1e-9);
        assert_near(q, i == 0 ? 0 : .5 * 1 * 1 + .5 * .002, 1e-9);
        sn_world_free(world);
    }
}

/* Three in four of the weight is carried: it falls a quarter as fast, and energy is kept. */
TEST(carried_bodies_fall_more_slowly) {
    sn_world *world = scene("<body name='a' gravcomp='.75' euler='10 20 30'><freejoint/>"
                            "<geom type='box' size='.1 .2 .3' pos='.1 .2 .3'/></body>",
                            "");
    sn_summary before, after;
    assert_int_equal(sn_world_summary(world, 0, 0, &before), SN_OK);
    run(world, 500);
    assert_int_equal(sn_world_summary(world, 0, 0, &after), SN_OK);
    assert_near(before.com[2] - after.com[2], .5 * 9.81 / 4 * (1 + .002), 1e-6);
    assert_near(after.kinetic + after.potential, before.kinetic + before.potential,
                .01 * fabs(after.kinetic)); /* a step's worth */
    assert_near(after.angular_momentum[0], 0, 1e-9);
    sn_world_free(world);
}

int main(void) {
    return run_all("ties of mjcf scenes");
}
