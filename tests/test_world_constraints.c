/* Pins, paths and the mouse, against what mechanics says. */
#include "world_helpers.h"

#include "base/quat.h"

static const double g = 9.81;
static const double down_y[3] = {0, -1, 0};

/* -------------------------------------------------------------------------------------------- constraints */

/* Links of 0.2 m, down from a free root, each on a ball joint of the one before. */
static sn_model *chain_model(int links) {
    sn_builder *builder = sn_builder_create();
    char name[16][16];
    for (int i = 0; i < links; i++) {
        sn_body_def body = sn_body_def_default();
        snprintf(name[i], sizeof name[i], "l%d", i);
        body.name = name[i];
        body.parent = i ? name[i - 1] : NULL;
        body.joint = sn_joint_def_default(i ? SN_JOINT_BALL : SN_JOINT_FREE);
        body.pos[2] = i ? -0.2 : 0;
        sn_builder_add_body(builder, &body);
        sn_shape_def shape = capsule_of(0.02, 0.08, 0.5);
        shape.pos[2] = -0.1;
        sn_builder_add_shape(builder, name[i], &shape);
    }
    return build_and_free(builder);
}

static void point_of(sn_world *world, int member, int body, const double local[3], double x[3]) {
    double pos[3], rot[4];
    body_pose(world, member, body, pos, rot);
    dquat_rotate(rot, local, x);
    axpy(1, pos, x, 3);
}

static double distance(const double a[3], const double b[3]) {
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return dvec_length(d);
}

TEST(pins_hold_a_chain_and_close_a_loop) {
    bool bad = false;
    for (int s = 0; s < stepper_count; s++)
        for (int rate = 60; rate <= 240; rate *= 2) {
            sn_world_def def = rows_def();
            def.contact = SN_CONTACT_NONE, def.stepper = stepper_case[s].stepper, def.dt = 1.0 / rate;
            sn_world *world = world_of(&def);
            sn_model *model = chain_model(5);
            const double zero[3] = {0}, end[3] = {0, 0, -0.2}, top[2][3] = {{0, 0, 2}, {1.2, 0, 2}};
            for (int m = 0; m < 2; m++) { /* laid out towards each other, so that their ends are together */
                const int number = member_of(world, model);
                double q[MAX_NQ], rot[4];
                sn_model_zero_pose(model, q);
                turn_about(down_y, m ? -asin(0.6) : asin(0.6), rot);
                memcpy(q, top[m], sizeof top[m]);
                memcpy(q + 3, rot, sizeof rot);
                assert_int_equal(sn_world_set_state(world, number, q, NULL), SN_OK);
                sn_constraint_def pin = sn_constraint_def_default(SN_CONSTRAINT_PIN);
                pin.member = m;
                memcpy(pin.point2, top[m], sizeof pin.point2);
                assert_true(sn_world_add_constraint(world, &pin, NULL) != 0);
            }
            double x[3], y[3], pinned = 0, open = 0;
            point_of(world, 0, 4, end, x);
            point_of(world, 1, 4, end, y);
            const double apart = distance(x, y);
            sn_constraint_def tie = sn_constraint_def_default(SN_CONSTRAINT_PIN);
            tie.body = tie.body2 = 4, tie.member2 = 1;
            memcpy(tie.point, end, sizeof end);
            memcpy(tie.point2, end, sizeof end);
            assert_true(sn_world_add_constraint(world, &tie, NULL) != 0);
            for (int k = 0; k < 5 * rate; k++) {
                step_world(world);
                for (int m = 0; m < 2; m++) {
                    point_of(world, m, 0, zero, x);
                    pinned = fmax(pinned, distance(x, top[m]));
                }
                point_of(world, 0, 4, end, x);
                point_of(world, 1, 4, end, y);
                open = fmax(open, distance(x, y));
            }
            print_message("  %s, %d Hz: ends %.2g m apart at first; pins off by %.2g mm, loop by %.2g mm\n",
                          stepper_case[s].name, rate, apart, 1e3 * pinned, 1e3 * open);
            bad |= !(pinned <= 1e-3);
            /* a step turns a link by w h, and pins that see velocities miss r (w h)^2 / 2 of it */
            bad |= rate == 240 && !(open <= 1e-3);
            sn_world_free(world);
            sn_model_free(model);
        }
    assert_false(bad);
}

TEST(the_mouse_pulls_a_body_to_its_target) {
    for (int s = 0; s < stepper_count; s++) {
        sn_world_def def = rows_def();
        def.stepper = stepper_case[s].stepper;
        sn_world *world = world_of(&def);
        floor_of(world, NULL);
        const sn_shape_def box = box_of(0.1, 0.1, 0.1, 2);
        sn_model *model = free_body(&box);
        const int c = member_of(world, model);
        put_body(world, c, (const double[3]){0, 0, 0.1}, NULL, NULL);
        sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_SPRING);
        d.stiffness = 400, d.damping = 60;
        d.point[0] = 0.1, d.point[2] = 0.1;
        memcpy(d.target, (const double[3]){1, 0.5, 1.5}, 3 * sizeof(double));
        const sn_constraint mouse = sn_world_add_constraint(world, &d, NULL);
        run_for(world, 15, def.dt);
        double x[3], force[6];
        point_of(world, 0, 0, d.point, x);
        const double sag = 2 * g / 400; /* k x = m g */
        assert_int_equal(constraint_force(world, mouse, 0, force), 3);
        print_message("  %s: %.2g m from the target and its sag; force %.6g N of %.6g N\n",
                      stepper_case[s].name, distance(x, (const double[3]){1, 0.5, 1.5 - sag}), force[2],
                      2 * g);
        assert_true(distance(x, (const double[3]){1, 0.5, 1.5 - sag}) < 2e-3);
        assert_near(force[2], 2 * g, 0.05);
        assert_int_equal(sn_world_remove_constraint(world, mouse), SN_OK);
        run_for(world, 2, def.dt);
        assert_near(lowest_point(world, c), 0, 1e-3); /* and falls back */
        sn_world_free(world);
        sn_model_free(model);
    }
}

/* kokkevis-2004 eq. 22 with Kp = 1/t^2, Kd = sqrt(2)/t is an oscillator of damping ratio 1/sqrt(2): e(t) =
   exp(-s) (cos s + sin s), s = t / (sqrt(2) t_s). It is within 10 % for good from s = 1.8763 on, that is
   from 2.653 t_s; at t_s itself 69 % of the way are still to go. */
TEST(paths_settle_as_their_oscillator_does) {
    static const double settles[] = {0.1, 0.3};
    for (int s = 0; s < stepper_count; s++)
        for (int i = 0; i < COUNT(settles); i++)
            for (int joint = 0; joint < 2; joint++) {
                sn_world_def def = rows_def();
                def.contact = SN_CONTACT_NONE, def.stepper = stepper_case[s].stepper, def.dt = 1.0 / 960;
                sn_world *world = world_of(&def);
                sn_model *model = sn_builtin_create("humanoid", NULL);
                member_of(world, model);
                int body = 1;
                while (sn_model_body(model, body)->joint.type != SN_JOINT_HINGE)
                    body++;
                sn_constraint_def d =
                    sn_constraint_def_default(joint ? SN_CONSTRAINT_JOINT_PATH : SN_CONSTRAINT_POINT_PATH);
                d.settle = settles[i];
                d.body = joint ? body : 0;
                double x[3], q[MAX_NQ], from = 0;
                point_of(world, 0, 0, d.point, x);
                sn_world_get_state(world, 0, q, NULL);
                const int index = sn_model_body(model, body)->q_index;
                const sn_joint_def *j = &sn_model_body(model, body)->joint;
                const double reach = joint && j->limited && j->upper[0] < 0.3 ? -0.3 : 0.3;
                from = joint ? q[index] : x[2];
                if (joint)
                    d.target[0] = from + reach;
                else
                    memcpy(d.target, (const double[3]){x[0], x[1], from + reach}, sizeof x);
                assert_true(sn_world_add_constraint(world, &d, NULL) != 0);
                double within = 0, at_settle = 1;
                const int steps = (int)(8 * settles[i] / def.dt);
                for (int k = 1; k <= steps; k++) {
                    step_world(world);
                    point_of(world, 0, 0, d.point, x);
                    sn_world_get_state(world, 0, q, NULL);
                    const double e = fabs((joint ? q[index] : x[2]) - from - reach) / fabs(reach);
                    if (e > 0.1) within = k * def.dt;
                    if (k == (int)(settles[i] / def.dt + 0.5)) at_settle = e;
                }
                print_message(
                    "  %s, %s path, t_s %g s: within 10 %% from %.3g t_s on; %.2g of the way left at t_s\n",
                    stepper_case[s].name, joint ? "joint" : "point", settles[i], within / settles[i],
                    at_settle);
                assert_near(within / settles[i], 2.653, 0.1);
                sn_world_free(world);
                sn_model_free(model);
            }
}

int main(void) {
    return run_all("world constraints");
}
