/* Paths against the target itself and against the oscillator that their law is. */
#include "world_helpers.h"

#include "base/quat.h"

static const double RADIUS = 0.3, SPEED = 1;

static void point_of(sn_world *world, int body, const double local[3], double x[3]) {
    double pos[3], rot[4];
    body_pose(world, 0, body, pos, rot);
    dquat_rotate(rot, local, x);
    axpy(1, pos, x, 3);
}

/* A point on a circle about (-RADIUS, 0, z) at time t. */
static void circle(double t, double z, double x[3], double v[3]) {
    const double turned = SPEED / RADIUS * t;
    x[0] = RADIUS * (cos(turned) - 1), x[1] = RADIUS * sin(turned), x[2] = z;
    v[0] = -SPEED * sin(turned), v[1] = SPEED * cos(turned), v[2] = 0;
}

static sn_world *path_world(sn_stepper stepper, double dt, double gravity) {
    sn_world_def def = rows_def();
    def.contact = SN_CONTACT_NONE, def.stepper = stepper, def.dt = dt;
    def.setting = SN_SETTING_EXACT, def.tolerance = 1e-10, def.gravity[2] = -gravity;
    return world_of(&def);
}

/* The largest deviation from the circle, over its radius, in the second half of 3 s. A lone capsule swings on its hand; a
   chain, with damped joints, hangs down from it. */
static double deviation(sn_stepper stepper, int links, int rate) {
    sn_world *world = path_world(stepper, 1.0 / rate, 9.81);
    sn_model *model = scene_chain_model(links, SN_JOINT_BALL, true, NULL);
    const int member = member_of(world, model);
    if (links > 1) uniform_gains(world, member, 0, 0, 0, 0.3);
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_POINT_PATH);
    d.body = links - 1, d.point[2] = -0.1;
    double x[3], y[3], v[3], q[MAX_NQ], qd[MAX_NV] = {0, SPEED}, worst = 0;
    sn_world_get_state(world, member, q, NULL);
    if (links > 1) memcpy(q + 3, (const double[4]){0, 0, 1, 0}, 4 * sizeof *q); /* the last link on top */
    assert_int_equal(sn_world_set_state(world, member, q, qd), SN_OK);
    point_of(world, d.body, d.point, x);
    const double height = x[2];
    assert_near(x[0], 0, 1e-12);
    circle(0, height, d.target, d.target_velocity);
    const sn_constraint path = sn_world_add_constraint(world, &d, NULL);
    for (int k = 1; k <= 3 * rate; k++) {
        circle((double)k / rate, height, x, v);
        assert_int_equal(sn_world_set_constraint(world, path, 0, x, v), SN_OK);
        step_world(world);
        point_of(world, d.body, d.point, y);
        axpy(-1, x, y, 3);
        if (2 * k > 3 * rate) worst = fmax(worst, dvec_length(y) / RADIUS);
    }
    sn_world_free(world);
    sn_model_free(model);
    return worst;
}

TEST(a_point_follows_a_circle_at_every_step_size) {
    for (int s = 0; s < stepper_count; s++)
        for (int links = 1; links <= 4; links += 3) {
            for (int rate = 60; rate <= 960; rate *= 2) {
                const double off = deviation(stepper_case[s].stepper, links, rate);
                print_message("  %s, %d link(s), 1/%d: off by %.2g of the radius\n", stepper_case[s].name,
                              links, rate, off);
                assert_true(off <= 5e-4 * 3600 / rate / rate); /* as dt^2; the bar at 1/60 is 0.02 */
            }
        }
}

/* Targets of joints, orientations and one coordinate that move smoothly: what is left in the second of two seconds. */
enum path { HINGE, BALL, ORIENTATION, DIRECTION, PATHS };
static const char *const path_name[PATHS] = {"hinge", "ball", "orientation", "direction"};

static void moving_target(enum path which, double t, double *target, double *velocity) {
    const double w = 4;
    if (which == HINGE || which == DIRECTION) {
        target[0] = 0.4 * sin(w * t), velocity[0] = 0.4 * w * cos(w * t);
        return;
    }
    /* a turn a about an axis that goes round z itself: q = exp(a u(t)), u = (cos wt, sin wt, 0) */
    const double a = 0.7, c = cos(w * t), s = sin(w * t), turn[3] = {a * c, a * s, 0};
    dquat_exp(turn, target);
    /* its angular velocity: sin a u' +- (1 - cos a) u x u', u' = w (-s, c, 0), u x u' = w z; + in the world's axes */
    velocity[0] = -sin(a) * w * s, velocity[1] = sin(a) * w * c;
    velocity[2] = (which == ORIENTATION ? 1 : -1) * (1 - cos(a)) * w;
}

static double error_of(sn_world *world, enum path which, const sn_constraint_def *d, const double *target) {
    double x[3], rot[4], q[MAX_NQ];
    sn_world_get_state(world, 0, q, NULL);
    if (which == HINGE) return fabs(q[0] - target[0]);
    if (which == DIRECTION) {
        point_of(world, d->body, d->point, x);
        return fabs(dvec_dot(d->direction, x) / dvec_length(d->direction) - target[0]);
    }
    body_pose(world, 0, d->body, x, rot);
    if (which == BALL) memcpy(rot, q + sn_model_body(sn_world_model(world, 0), d->body)->q_index, sizeof rot);
    dquat_conjugate(rot, rot);
    dquat_multiply(target, rot, rot);
    dquat_log(rot, x);
    return dvec_length(x);
}

TEST(joints_orientations_and_coordinates_follow_what_moves) {
    for (int s = 0; s < stepper_count; s++)
        for (enum path which = HINGE; which < PATHS; which++) {
            for (int rate = 60; rate <= 480; rate *= 2) {
                sn_world *world =
                    path_world(stepper_case[s].stepper, 1.0 / rate, which == DIRECTION ? 0 : 9.81);
                const sn_shape_def box = box_of(0.1, 0.15, 0.2, 2);
                const sn_joint_type joint = which == HINGE ? SN_JOINT_HINGE : SN_JOINT_BALL;
                sn_model *model =
                    which == DIRECTION ? free_body(&box) : scene_chain_model(2, joint, which != HINGE, NULL);
                const int member = member_of(world, model);
                if (which != DIRECTION) uniform_gains(world, member, 0, 0, 0, 0.3);
                static const sn_constraint_type type[PATHS] = {
                    SN_CONSTRAINT_JOINT_PATH, SN_CONSTRAINT_JOINT_PATH, SN_CONSTRAINT_ORIENTATION_PATH,
                    SN_CONSTRAINT_DIRECTION_PATH};
                sn_constraint_def d = sn_constraint_def_default(type[which]);
                d.body = which == BALL || which == ORIENTATION, d.point[2] = -0.1, d.point[0] = 0.05,
                d.settle = 0.05;
                memcpy(d.direction, (const double[3]){2, 1, 0.5}, sizeof d.direction);
                moving_target(which, 0, d.target, d.target_velocity);
                const sn_constraint path = sn_world_add_constraint(world, &d, NULL);
                assert_true(path != 0);
                double target[7], velocity[6], worst = 0;
                for (int k = 1; k <= 2 * rate; k++) {
                    moving_target(which, (double)k / rate, target, velocity);
                    assert_int_equal(sn_world_set_constraint(world, path, 0, target, velocity), SN_OK);
                    step_world(world);
                    if (k > rate) worst = fmax(worst, error_of(world, which, &d, target));
                }
                print_message("  %s, %s, 1/%d: off by %.2g\n", stepper_case[s].name, path_name[which], rate,
                              worst);
                assert_true(worst <= 2e-4 * 3600 / rate / rate);
                sn_world_free(world);
                sn_model_free(model);
            }
        }
}

/* e'' + kd e' + kp e = 0 with e(0) = 1, e'(0) = v. */
static double oscillator(double kp, double kd, double v, double t) {
    const double half = 0.5 * kd, under = half * half - kp;
    if (under < 0) {
        const double w = sqrt(-under);
        return exp(-half * t) * (cos(w * t) + (half + v) / w * sin(w * t));
    }
    const double s = half + sqrt(under), r = half - sqrt(under), a = -(r + v) / (s - r);
    return a * exp(-s * t) + (1 - a) * exp(-r * t);
}

TEST(a_target_that_jumps_is_reached_as_the_oscillator_says) {
    static const double law[][3] = {{0.1, 0, 0}, {0.03, 0, 0}, {0.1, 400, 4}, {0.1, 100, 50}};
    for (int s = 0; s < stepper_count; s++)
        for (int i = 0; i < COUNT(law); i++)
            for (int rate = 30; rate <= 240; rate *= 2) {
                sn_world *world = path_world(stepper_case[s].stepper, 1.0 / rate, 9.81);
                const sn_shape_def box = box_of(0.1, 0.2, 0.3, 2);
                sn_model *model = free_body(&box);
                member_of(world, model);
                sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_POINT_PATH);
                d.settle = law[i][0], d.kp = law[i][1], d.kd = law[i][2], d.target[1] = 0.5;
                const double kp = d.kp > 0 ? d.kp : 1 / (d.settle * d.settle);
                const double kd = d.kd > 0 ? d.kd : M_SQRT2 / d.settle;
                assert_true(sn_world_add_constraint(world, &d, NULL) != 0);
                double worst = 0, x[3];
                for (int k = 1; k <= rate; k++) {
                    step_world(world);
                    point_of(world, 0, d.point, x);
                    const double e = (d.target[1] - x[1]) / d.target[1];
                    worst = fmax(worst, fabs(e - oscillator(kp, kd, 0, (double)k / rate)));
                }
                assert_true(worst < 1e-7);
                sn_world_free(world);
                sn_model_free(model);
            }
}

/* The hand of a humanoid that falls, with limp joints: the body swings down from it, at up to 40 rad/s. What is left of the way
   is what the oscillator has left. */
TEST(a_hand_is_on_its_way_whatever_hangs_on_it) {
    static const double settles[] = {0.1, 0.4};
    for (int i = 0; i < COUNT(settles); i++)
        for (int rate = 60; rate <= 240; rate *= 2) {
            sn_world *world = path_world(SN_STEPPER_TIME, 1.0 / rate, 9.81);
            sn_model *model = sn_builtin_create("humanoid", NULL);
            uniform_gains(world, member_of(world, model), 0, 0, 0, 2);
            sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_POINT_PATH);
            d.body = sn_model_find_body(model, "right_forearm"), d.point[2] = -0.2, d.settle = settles[i];
            const double way[3] = {0.1, -0.05, 0.1};
            double x[3], worst = 0;
            point_of(world, d.body, d.point, d.target);
            axpy(1, way, d.target, 3);
            assert_true(sn_world_add_constraint(world, &d, NULL) != 0);
            const double kp = 1 / (d.settle * d.settle), kd = M_SQRT2 / d.settle;
            for (int k = 1; k <= 8 * d.settle * rate; k++) {
                step_world(world);
                point_of(world, d.body, d.point, x);
                axpy(-1, d.target, x, 3);
                axpy(oscillator(kp, kd, 0, (double)k / rate), way, x, 3);
                worst = fmax(worst, dvec_length(x) / dvec_length(way));
            }
            print_message("  t_s %g s, 1/%d: off by %.2g of the way\n", d.settle, rate, worst);
            assert_true(worst <= 0.02);
            sn_world_free(world);
            sn_model_free(model);
        }
}

/* In float the deviation is that of its rounding. */
TEST(paths_hold_in_float) {
    sn_world_def def = rows_def();
    def.contact = SN_CONTACT_NONE, def.precision = SN_PRECISION_FLOAT, def.dt = 1.0 / 60;
    sn_world *world = world_of(&def);
    const sn_shape_def box = box_of(0.1, 0.1, 0.1, 2);
    sn_model *model = free_body(&box);
    member_of(world, model);
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_POINT_PATH);
    d.point[0] = 0.1;
    double x[3], y[3], v[3], worst = 0;
    const sn_constraint path = sn_world_add_constraint(world, &d, NULL);
    for (int k = 1; k <= 180; k++) {
        circle(k / 60.0, 0, x, v);
        sn_world_set_constraint(world, path, 0, x, v);
        step_world(world);
        point_of(world, 0, d.point, y);
        axpy(-1, x, y, 3);
        if (k > 90) worst = fmax(worst, dvec_length(y));
    }
    print_message("  off by %.2g of the radius\n", worst / RADIUS);
    assert_true(worst <= 0.02 * RADIUS);
    sn_world_free(world);
    sn_model_free(model);
}

int main(void) {
    return run_all("world paths");
}
