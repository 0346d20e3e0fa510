/* The event stepper finds the time at which a joint reaches its limit (kokkevis-2004 sections 7 and 8.2). */
#include "world_helpers.h"

#include "base/quat.h"

static sn_world_def event_def(double rate) {
    sn_world_def def = rows_def();
    def.stepper = SN_STEPPER_EVENT, def.dt = 1 / rate;
    return def;
}

/* A wheel on a free body, both turning about their common centre of mass. It turns until its limit, and then takes the
   body along. */
static sn_model *wheel_on_body(double body_inertia, double wheel_inertia, double limit) {
    const double com[3] = {0}, a[3] = {body_inertia, body_inertia, body_inertia},
                 b[3] = {wheel_inertia, wheel_inertia, wheel_inertia};
    sn_body_def body[2] = {simple_body("body", NULL, SN_JOINT_FREE, 2, com, a),
                           simple_body("wheel", "body", SN_JOINT_HINGE, 1, com, b)};
    body[1].joint.axis[0] = 0, body[1].joint.axis[1] = 0, body[1].joint.axis[2] = 1;
    body[1].joint.limited = true;
    body[1].joint.lower[0] = -limit, body[1].joint.upper[0] = limit;
    return build_bodies(body, 2);
}

TEST(the_time_of_reaching_a_limit_is_found) {
    struct worst angle = {0}, past = {0};
    for (int rate = 30; rate <= 240; rate *= 2)
        for (int i = 0; i < 10; i++) {
            const double limit = 0.3 + 0.017 * i, speed = 5, Ia = 0.2, Ib = 0.1;
            sn_world_def def = event_def(rate);
            def.gravity[2] = 0;
            sn_model *model = wheel_on_body(Ia, Ib, limit);
            sn_world *world = world_of(&def);
            const int c = member_of(world, model);
            double q[8] = {0, 0, 0, 1}, qd[7] = {0, 0, 0, 0, 0, 0, speed}, turn[3];
            assert_int_equal(sn_world_set_state(world, c, q, qd), SN_OK);
            const int steps = (int)(0.3 * rate);
            for (int k = 0; k < steps; k++) {
                step_world(world);
                sn_world_get_state(world, c, q, qd);
                worst_add(&past, q[7] - limit, "1/%d, limit %g", rate, limit);
            }
            dquat_log(q + 3, turn);
            const double right = speed * Ib / (Ia + Ib) * (steps / (double)rate - limit / speed);
            worst_add(&angle, fabs(turn[2] - right), "1/%d, limit %g", rate, limit);
            assert_near(qd[5], speed * Ib / (Ia + Ib), 1e-9);
            assert_near(qd[6], 0, 1e-9);
            sn_world_free(world);
            sn_model_free(model);
        }
    assert_worst(&past, 1.1e-3, "rad past the limit");
    assert_worst(&angle, 1e-3, "rad the body is off");
}

/* Drives push in the step in which the limit is reached: a hinge of kp = 1e6 with its target past the limit. */
TEST(a_stiff_drive_stops_at_the_limit) {
    struct worst past = {0};
    for (int rate = 30; rate <= 240; rate *= 2)
        for (int k = 2; k <= 6; k++) {
            const sn_world_def def = event_def(rate);
            sn_model *model = limited_arm();
            sn_world *world = world_of(&def);
            const int arm = member_of(world, model);
            const double kp = pow(10, k), kd = kp * def.dt, target = 1.5;
            double q = 0;
            assert_int_equal(sn_world_set_gains(world, arm, &kp, &kd), SN_OK);
            assert_int_equal(sn_world_set_target(world, arm, &target, NULL), SN_OK);
            for (int i = 0; i < rate; i++) {
                step_world(world);
                sn_world_get_state(world, arm, &q, NULL);
                worst_add(&past, (q - 0.5) * 180 / M_PI, "1/%d, kp 1e%d", rate, k);
            }
            sn_world_free(world);
            sn_model_free(model);
        }
    assert_worst(&past, 0.5, "degrees past the limit");
}

int main(void) {
    return run_all("limits as events");
}
