/* Constraints on directions, orientations and accelerations, welds and impulses, against what mechanics says. */
#include "world_helpers.h"

#include "base/quat.h"

static const double zero3[3] = {0};

static sn_world *kinds_world(sn_stepper stepper, double dt, double gravity) {
    sn_world_def def = rows_def();
    def.contact = SN_CONTACT_NONE, def.stepper = stepper, def.dt = dt, def.gravity[2] = -gravity;
    def.setting = SN_SETTING_EXACT, def.tolerance = 1e-10;
    return world_of(&def);
}

/* Of the brick about its centre: m (y^2 + z^2) / 3 and so on, half extents. */
static const double brick_inertia[3] = {3 * (0.15 * 0.15 + 0.25 * 0.25) / 3,
                                        3 * (0.1 * 0.1 + 0.25 * 0.25) / 3, 3 * (0.1 * 0.1 + 0.15 * 0.15) / 3};

static void point_of(sn_world *world, int member, int body, const double local[3], double x[3]) {
    double pos[3], rot[4];
    body_pose(world, member, body, pos, rot);
    dquat_rotate(rot, local, x);
    axpy(1, pos, x, 3);
}

/* Velocity of a point of a lone free body that stands as rot says and moves as qd says. */
static void velocity_of(const double rot[4], const double *qd, const double local[3], double v[3]) {
    double turned[3];
    dvec_cross(qd + 3, local, turned); /* own axes */
    dquat_rotate(rot, turned, v);
    axpy(1, qd, v, 3);
}

static void momentum_of_both(sn_world *world, double total[6]) {
    double p[6];
    momentum_of(world, 0, total);
    momentum_of(world, 1, p);
    axpy(1, p, total, 6);
}

static void assert_vector(const double *a, const double *b, int n, double tolerance) {
    for (int k = 0; k < n; k++)
        assert_near(a[k], b[k], tolerance);
}

/* ------------------------------------------------------------------------------------------- one direction */

/* A brick on a frictionless incline: held to a plane through its centre it slides with g sin a, and the one row carries
   m g cos a. */
TEST(a_direction_holds_one_coordinate_and_leaves_the_others) {
    for (int s = 0; s < stepper_count; s++) {
        const double a = 0.4, g = 9.81, dt = 1.0 / 120;
        sn_world *world = kinds_world(stepper_case[s].stepper, dt, g);
        sn_model *model = brick();
        member_of(world, model);
        sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_DIRECTION_PATH);
        d.direction[0] = 3 * sin(a), d.direction[2] = 3 * cos(a); /* of any length */
        const sn_constraint plane = tie_of(world, &d);
        const int steps = 120;
        run_for(world, steps * dt, dt);
        double x[3], force[6];
        point_of(world, 0, 0, zero3, x);
        assert_near(sin(a) * x[0] + cos(a) * x[2], 0, 1e-9);
        const double along = cos(a) * x[0] - sin(a) * x[2]; /* g sin a n (n + 1) h^2 / 2 */
        assert_near(along, g * sin(a) * steps * (steps + 1) * dt * dt / 2, 1e-8);
        assert_int_equal(constraint_force(world, plane, 0, force), 1);
        assert_near(force[0], 3 * g * cos(a), 1e-6);
        sn_world_free(world);
        sn_model_free(model);
    }
}

/* A bead on a rod that turns freely: the rod pushes it across, nothing pushes it along. Momenta are those of the start,
   and it stays on the rod's axis. */
TEST(a_direction_in_a_body_that_turns_keeps_all_momentum) {
    for (int s = 0; s < stepper_count; s++) {
        sn_world *world = kinds_world(stepper_case[s].stepper, 1.0 / 240, 0);
        sn_model *rod = brick(), *bead = body_of(sphere_of(0.05, 1));
        member_of(world, rod), member_of(world, bead);
        put_body(world, 0, zero3, NULL, (const double[6]){0, 0, 0, 0, 0, 2});
        put_body(world, 1, (const double[3]){0.4, 0, 0}, NULL, (const double[6]){0, 0.8, 0, 0, 0, 0});
        for (int k = 1; k < 3; k++) {
            sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_DIRECTION_PATH);
            d.member = 1, d.member2 = 0, d.settle = 0.02;
            memcpy(d.direction, (const double[3]){0, k == 1, k == 2}, sizeof d.direction);
            tie_of(world, &d);
        }
        double before[6], after[6], x[3], pos[3], rot[4], worst = 0;
        momentum_of_both(world, before);
        for (int i = 0; i < 240; i++) {
            step_world(world);
            point_of(world, 1, 0, zero3, x);
            body_pose(world, 0, 0, pos, rot);
            dquat_conjugate(rot, rot);
            axpy(-1, pos, x, 3);
            dquat_rotate(rot, x, x);
            worst = fmax(worst, hypot(x[1], x[2]));
        }
        momentum_of_both(world, after);
        print_message("  %s: off the axis by %.2g m, now %.3g m out\n", stepper_case[s].name, worst, x[0]);
        assert_true(worst < 1e-4 && x[0] > 0.8);
        assert_vector(after, before, 3, 1e-8);
        assert_near(after[5], before[5],
                    2e-3 * before[5]); /* semi-implicit Euler: forces at the start of a step */
        sn_world_free(world);
        sn_model_free(rod), sn_model_free(bead);
    }
}

/* -------------------------------------------------------------------------------------------- orientations */

/* Turned about a principal axis with angular acceleration a, the torque is I a. */
TEST(an_orientation_costs_the_torque_that_its_acceleration_needs) {
    for (int s = 0; s < stepper_count; s++)
        for (int axis = 0; axis < 3; axis++) {
            const double dt = 1.0 / 120, a = 3;
            sn_world *world = kinds_world(stepper_case[s].stepper, dt, 9.81);
            sn_model *model = brick();
            member_of(world, model);
            sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_ORIENTATION_PATH);
            const sn_constraint path = tie_of(world, &d);
            double force[6], torque[3] = {0}, pos[3], rot[4], turn[3] = {0}, target[4], velocity[3] = {0};
            for (int k = 1; k <= 300; k++) {
                const double t = k * dt;
                turn[axis] = 0.5 * a * t * t, velocity[axis] = a * t;
                dquat_exp(turn, target);
                sn_world_set_constraint(world, path, 0, target, velocity);
                step_world(world);
            }
            body_pose(world, 0, 0, pos, rot);
            dquat_conjugate(rot, rot);
            dquat_multiply(target, rot, rot);
            dquat_log(rot, turn);
            torque[axis] = a * brick_inertia[axis];
            assert_int_equal(constraint_force(world, path, 0, force), 3);
            assert_true(dvec_length(turn) < 1e-5);
            assert_vector(force, torque, 3, 1e-5);
            assert_near(pos[2], -9.81 * 300 * 301 * dt * dt / 2, 1e-7); /* it falls freely */
            sn_world_free(world);
            sn_model_free(model);
        }
}

/* ----------------------------------------------------------------------------------------------------- welds */

/* Two bricks welded end to end are one body: momenta stay, and so does what one is in the frame of the other. */
TEST(a_weld_makes_two_bodies_one) {
    for (int s = 0; s < stepper_count; s++)
        for (int given = 0; given < 2; given++) {
            sn_world *world = kinds_world(stepper_case[s].stepper, 1.0 / 240, 0);
            sn_model *model = brick();
            member_of(world, model), member_of(world, model);
            const double turn[3] = {0.3, -0.2, 0.5}, out[3] = {0.1, 0, 0.3};
            double rot[4], pos[3] = {0.1, 0, 0.3}, back[3];
            dquat_exp(turn, rot);
            const double in[3] = {-0.1, 0, -0.25};
            dquat_rotate(rot, in, back);
            axpy(-1, back, pos, 3);
            put_body(world, 0, zero3, NULL, (const double[6]){0, 0, 0, 0.3, 0.4, 2});
            put_body(world, 1, pos, rot, (const double[6]){0, 0.5, 0, 0, 0, 0});
            sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_WELD);
            d.member = 1, d.member2 = 0;
            memcpy(d.point, in, sizeof in);
            memcpy(d.point2, out, sizeof out);
            if (given) memcpy(d.target, rot, sizeof rot);
            const sn_constraint weld = tie_of(world, &d);
            double before[6], after[6], x[3], y[3], a[4], b[4], open = 0, turned = 0;
            momentum_of_both(world, before);
            for (int i = 0; i < 480; i++) {
                step_world(world);
                point_of(world, 1, 0, in, x);
                point_of(world, 0, 0, out, y);
                axpy(-1, x, y, 3);
                open = fmax(open, dvec_length(y));
                body_pose(world, 0, 0, x, a);
                body_pose(world, 1, 0, x, b);
                dquat_multiply(a, rot, a);
                dquat_conjugate(b, b);
                dquat_multiply(a, b, a);
                dquat_log(a, x);
                turned = fmax(turned, dvec_length(x));
            }
            momentum_of_both(world, after);
            double force[6];
            assert_int_equal(constraint_force(world, weld, 0, force), 6);
            print_message("  %s: open by %.2g m, turned by %.2g rad\n", stepper_case[s].name, open, turned);
            assert_true(open < 1e-3 && turned < 1e-3);
            assert_vector(after, before, 3, 1e-8);
            for (int k = 3; k < 6; k++)
                assert_near(after[k], before[k], 0.02 * dvec_length(before + 3));
            sn_world_free(world);
            sn_model_free(model);
        }
}

/* A brick welded to the world by its side: the weld carries its weight, and the weight's moment about the point. */
TEST(a_weld_to_the_world_carries_weight_and_moment) {
    for (int s = 0; s < stepper_count; s++) {
        sn_world *world = kinds_world(stepper_case[s].stepper, 1.0 / 240, 9.81);
        sn_model *model = brick();
        member_of(world, model);
        sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_WELD);
        d.point[0] = d.point2[0] = 0.1, d.point[1] = d.point2[1] = -0.15;
        const sn_constraint weld = tie_of(world, &d);
        run_for(world, 1, 1.0 / 240);
        double force[6], x[3];
        const double weight = 3 * 9.81, expected[6] = {0, 0, weight, 0.15 * weight, 0.1 * weight, 0};
        constraint_force(world, weld, 0, force);
        /* moments about the centre: r x f + torque = 0, r = (0.1, -0.15, 0) */
        assert_vector(force, expected, 6, 1e-6);
        point_of(world, 0, 0, zero3, x);
        assert_true(dvec_length(x) < 1e-9);
        sn_world_free(world);
        sn_model_free(model);
    }
}

/* ---------------------------------------------------------------------------------------------- accelerations */

/* The second difference of the positions is h^2 a, on a chain that turns as it likes. */
TEST(a_point_has_the_acceleration_it_is_given) {
    for (int s = 0; s < stepper_count; s++)
        for (int one = 0; one < 2; one++) {
            const double dt = 1.0 / 120, a[3] = {1.5, -0.7, 2}, direction[3] = {0.6, 0, 0.8};
            sn_world *world = kinds_world(stepper_case[s].stepper, dt, 9.81);
            sn_model *model = scene_chain_model(3, SN_JOINT_BALL, true, NULL);
            uniform_gains(world, member_of(world, model), 0, 0, 0, 0.3);
            sn_constraint_def d = sn_constraint_def_default(one ? SN_CONSTRAINT_DIRECTION_ACCELERATION
                                                                : SN_CONSTRAINT_POINT_ACCELERATION);
            d.body = one ? 0 : 1, d.point[2] = one ? 0 : -0.1;
            memcpy(d.target, a, sizeof a);
            memcpy(d.direction, direction, sizeof direction);
            const sn_constraint tie = tie_of(world, &d);
            double x[3][3], worst = 0;
            for (int k = 0; k < 60; k++) {
                if (k == 30) sn_world_set_constraint(world, tie, 0, (const double[3]){-1, 0.5, 0}, NULL);
                step_world(world);
                point_of(world, 0, d.body, d.point, x[k % 3]);
                if (k < 2) continue;
                double second[3];
                for (int i = 0; i < 3; i++)
                    second[i] = (x[k % 3][i] - 2 * x[(k + 2) % 3][i] + x[(k + 1) % 3][i]) / (dt * dt);
                const double wanted[3] = {k < 30 ? a[0] : -1, k < 30 ? a[1] : 0.5, k < 30 ? a[2] : 0};
                if (one)
                    worst = fmax(worst, fabs(dvec_dot(second, direction) - wanted[0]));
                else
                    for (int i = 0; i < 3; i++)
                        worst = fmax(worst, fabs(second[i] - wanted[i]));
            }
            print_message("  %s, %s: off by %.2g m/s^2\n", stepper_case[s].name,
                          one ? "one direction" : "point", worst);
            assert_true(worst < 0.01);
            sn_world_free(world);
            sn_model_free(model);
        }
}

TEST(a_joint_has_the_acceleration_it_is_given) {
    for (int s = 0; s < stepper_count; s++) {
        const double dt = 1.0 / 120;
        sn_world *world = kinds_world(stepper_case[s].stepper, dt, 9.81);
        sn_model *model = scene_chain_model(3, SN_JOINT_HINGE, false, NULL);
        member_of(world, model);
        sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_JOINT_ACCELERATION);
        d.body = 1, d.target[0] = -2.5;
        tie_of(world, &d);
        double q[MAX_NQ], qd[MAX_NV];
        for (int k = 1; k <= 60; k++) {
            step_world(world);
            sn_world_get_state(world, 0, q, qd);
            assert_near(qd[1], -2.5 * k * dt, 1e-8);
        }
        sn_world_free(world);
        sn_model_free(model);
    }
}

/* -------------------------------------------------------------------------------------------------- impulses */

TEST(an_impulse_takes_a_point_to_its_velocity_once) {
    for (int s = 0; s < stepper_count; s++)
        for (int one = 0; one < 2; one++) {
            const double dt = 1.0 / 120, local[3] = {0.1, 0.15, 0.25}, wanted[3] = {1, -2, 3};
            const double direction[3] = {0.6, 0.8, 0};
            sn_world *world = kinds_world(stepper_case[s].stepper, dt, 0);
            sn_model *model = body_of(sphere_of(0.2, 3)); /* no gyroscopic term: J qd is exact */
            member_of(world, model);
            put_body(world, 0, zero3, NULL, (const double[6]){0.5, 0.1, 0, 0, 0, 0});
            sn_constraint_def d = sn_constraint_def_default(one ? SN_CONSTRAINT_DIRECTION_IMPULSE
                                                                : SN_CONSTRAINT_POINT_IMPULSE);
            memcpy(d.point, local, sizeof local);
            memcpy(d.target, wanted, sizeof wanted);
            memcpy(d.direction, direction, sizeof direction);
            const sn_constraint hit = tie_of(world, &d);
            double q[7], q1[7], qd[6], v[3], before[6], after[6], force[6], moment[3];
            sn_world_get_state(world, 0, q, NULL);
            momentum_of(world, 0, before);
            step_world(world);
            sn_world_get_state(world, 0, q1, qd);
            /* the time stepper's rows are of the pose at the beginning, the event stepper's impacts of that at the end */
            const double *at = stepper_case[s].stepper == SN_STEPPER_TIME ? q : q1;
            velocity_of(at + 3, qd, local, v);
            if (one)
                assert_near(dvec_dot(v, direction), wanted[0], 1e-9);
            else
                assert_vector(v, wanted, 3, 1e-9);
            /* the impulse is the change of momentum; its moment, about the centre, that of the angular one */
            momentum_of(world, 0, after);
            assert_int_equal(constraint_force(world, hit, 0, force), one ? 1 : 3);
            double p[3];
            for (int k = 0; k < 3; k++)
                p[k] = one ? force[0] * direction[k] : force[k], after[k] -= before[k];
            assert_vector(after, p, 3, 1e-8);
            double arm[3];
            dquat_rotate(at + 3, local, arm);
            dvec_cross(arm, p, moment);
            const double inertia = 0.4 * 3 * 0.2 * 0.2;
            double spin[3];
            dquat_rotate(at + 3, qd + 3, spin);
            for (int k = 0; k < 3; k++)
                assert_near(inertia * spin[k], moment[k], 1e-8);
            /* spent: nothing more happens */
            step_world(world);
            assert_int_equal(constraint_force(world, hit, 0, force), 0);
            double later[6];
            momentum_of(world, 0, later);
            axpy(-1, before, later, 3);
            assert_vector(later, p, 3, 1e-9);
            /* and again */
            sn_world_set_constraint(world, hit, 0, zero3, NULL);
            sn_world_get_state(world, 0, q, NULL);
            step_world(world);
            sn_world_get_state(world, 0, q1, qd);
            velocity_of(stepper_case[s].stepper == SN_STEPPER_TIME ? q + 3 : q1 + 3, qd, local, v);
            assert_near(one ? dvec_dot(v, direction) : dvec_length(v), 0, 1e-8);
            sn_world_free(world);
            sn_model_free(model);
        }
}

TEST(an_impulse_takes_a_joint_to_its_velocity) {
    for (int s = 0; s < stepper_count; s++) {
        sn_world *world = kinds_world(stepper_case[s].stepper, 1.0 / 120, 9.81);
        sn_model *model = scene_chain_model(3, SN_JOINT_BALL, true, NULL);
        member_of(world, model);
        sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_JOINT_IMPULSE);
        d.body = 1;
        memcpy(d.target, (const double[3]){0.4, -0.6, 0.2}, 3 * sizeof(double));
        const sn_constraint hit = tie_of(world, &d);
        double q[MAX_NQ], qd[MAX_NV], before[6], after[6], force[6];
        momentum_of(world, 0, before);
        step_world(world);
        sn_world_get_state(world, 0, q, qd);
        assert_vector(qd + 6, d.target, 3, 1e-9);
        assert_int_equal(constraint_force(world, hit, 0, force), 3);
        momentum_of(world, 0, after); /* it is within the character: gravity alone changes its momentum */
        before[2] -= 1.5 * 9.81 / 120;
        assert_vector(after, before, 3,
                      stepper_case[s].stepper == SN_STEPPER_EVENT ? 1e-8 : 1e-3); /* turned by h qd since */
        sn_world_free(world);
        sn_model_free(model);
    }
}

TEST(an_impulse_between_two_members_is_the_same_on_both) {
    for (int s = 0; s < stepper_count; s++) {
        sn_world *world = kinds_world(stepper_case[s].stepper, 1.0 / 120, 0);
        sn_model *model = brick(), *ball = body_of(sphere_of(0.1, 1));
        member_of(world, model), member_of(world, ball);
        put_body(world, 1, (const double[3]){0.5, 0, 0.1}, NULL, NULL);
        sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_DIRECTION_IMPULSE);
        d.member = 1, d.member2 = 0, d.target[0] = 2;
        memcpy(d.direction, (const double[3]){1, 0, 0}, sizeof d.direction);
        const sn_constraint hit = tie_of(world, &d);
        step_world(world);
        double p[6], total[6], force[6];
        momentum_of_both(world, total);
        momentum_of(world, 1, p);
        assert_int_equal(constraint_force(world, hit, 0, force), 1);
        assert_near(p[0], force[0], 1e-9);
        assert_vector(total, (const double[6]){0}, 3, 1e-9);
        /* 2 = J (1/m1 + 1/m2 + r^2 / I) with the arm 0.1 m across x at the brick */
        assert_near(force[0], 2 / (1 + 1.0 / 3 + 0.01 / brick_inertia[1]), 1e-8);
        sn_world_free(world);
        sn_model_free(model), sn_model_free(ball);
    }
}

/* A brick that turns about y. */
static sn_model *door(void) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    sn_shape_def box = box_of(0.1, 0.15, 0.25, 3);
    body.name = "door";
    body.joint = sn_joint_def_default(SN_JOINT_HINGE);
    body.joint.axis[1] = 1, body.joint.axis[2] = 0;
    box.pos[0] = 0.3;
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "door", &box);
    sn_model *model = sn_builder_build(builder, NULL);
    sn_builder_free(builder);
    return model;
}

TEST(no_row_is_stronger_than_it_may_be) {
    for (int s = 0; s < stepper_count; s++)
        for (int type = 0; type < SN_CONSTRAINT_TYPE_COUNT; type++) {
            sn_world *world = kinds_world(stepper_case[s].stepper, 1.0 / 120, 9.81);
            const bool coupled = type == SN_CONSTRAINT_COUPLING || type == SN_CONSTRAINT_COUPLING_LIMIT;
            sn_model *model = coupled ? door() : brick();
            member_of(world, model);
            sn_constraint_def d = sn_constraint_def_default((sn_constraint_type)type);
            if (coupled) d.target[0] = d.target[1] = -1; /* against which it falls */
            d.max_force = 0.01, d.stiffness = 1e5, d.point2[2] = 1, d.target[2] = 1;
            if (type == SN_CONSTRAINT_DIRECTION_IMPULSE || type == SN_CONSTRAINT_DIRECTION_ACCELERATION)
                d.target[0] = 50;
            if (type == SN_CONSTRAINT_DISTANCE || type == SN_CONSTRAINT_ROPE) d.target[0] = 0.5;
            d.target_velocity[0] = 50;
            d.curve = &(sn_curve_def){.struct_size = sizeof(sn_curve_def),
                                      .npoint = 2,
                                      .points = (const double[]){0, 1, 0, 1, 1, 0}};
            d.surface = &(sn_surface_def){.struct_size = sizeof(sn_surface_def), .type = SN_SURFACE_PLANE};
            const sn_constraint tie = tie_of(world, &d);
            step_world(world);
            double force[6], most = 0;
            const int n = constraint_force(world, tie, 0, force);
            assert_true(n > 0);
            for (int k = 0; k < n; k++)
                most = fmax(most, fabs(force[k]));
            assert_near(most, 0.01, 1e-12);
            sn_world_free(world);
            sn_model_free(model);
        }
}

int main(void) {
    return run_all("world constraint kinds");
}
