/* Constraints that hold something: how well they do, what they leave free, how soft they are, when they break. */
#include "world_helpers.h"

#include "base/quat.h"

static sn_world *holds_world(double dt, double gravity) {
    sn_world_def def = rows_def();
    def.contact = SN_CONTACT_NONE, def.dt = dt, def.gravity[2] = -gravity;
    return world_of(&def);
}

/* A world of one brick that nothing touches. */
static sn_world *brick_world(double dt, double gravity, sn_model **model) {
    sn_world *world = holds_world(dt, gravity);
    *model = brick();
    member_of(world, *model);
    return world;
}

/* A circle of radius 0.5 in the plane z = 0. */
static void circle(void *user, double s, double x[3], double dx[3]) {
    (void)user;
    x[0] = 0.5 * cos(s), x[1] = 0.5 * sin(s), x[2] = 0;
    dx[0] = -0.5 * sin(s), dx[1] = 0.5 * cos(s), dx[2] = 0;
}
static const sn_curve_def ring = {
    .struct_size = sizeof(sn_curve_def), .npoint = 64, .closed = true, .sample = circle, .end = 2 * M_PI};
static const sn_surface_def ball = {
    .struct_size = sizeof(sn_surface_def), .type = SN_SURFACE_SPHERE, .radius = 0.5};

static const sn_constraint_type holding[] = {
    SN_CONSTRAINT_PIN,    SN_CONSTRAINT_WELD,        SN_CONSTRAINT_HINGE,
    SN_CONSTRAINT_SLIDER, SN_CONSTRAINT_ORIENTATION, SN_CONSTRAINT_DISTANCE,
    SN_CONSTRAINT_ROPE,   SN_CONSTRAINT_CURVE,       SN_CONSTRAINT_SURFACE};
static const char *const name_of[] = {"pin",      "weld", "hinge", "slider", "orientation",
                                      "distance", "rope", "curve", "surface"};

/* A brick at (0.5, 0, 0), and what holds its middle; the other end at the origin, or with the pin at the middle. */
static sn_constraint_def holding_def(int kind) {
    sn_constraint_def d = sn_constraint_def_default(holding[kind]);
    d.curve = &ring, d.surface = &ball;
    d.direction[0] = 1, d.direction[2] = 0.5;
    if (kind < 4) d.point2[0] = 0.5;
    if (holding[kind] == SN_CONSTRAINT_DISTANCE || holding[kind] == SN_CONSTRAINT_ROPE) d.target[0] = 0.5;
    return d;
}

static const double at_side[3] = {0.5, 0, 0};

/* -------------------------------------------------------------------------------------------------- holding */

/* A force of up to `most` N and a torque of a twentieth of it, another one every tenth of a second. */
static void push_about(sn_world *world, int member, double most, struct rng *rng) {
    double force[3], torque[3];
    for (int k = 0; k < 3; k++)
        force[k] = 0.58 * most * uniform(rng, -1, 1), torque[k] = 0.029 * most * uniform(rng, -1, 1);
    sn_world_push(world, member, 0, force, torque, INFINITY);
}

static void hold_under_pushes(int kind, bool of_two, double dt, double most[2]) {
    sn_model *model = brick();
    sn_world *world = holds_world(dt, 9.81);
    struct rng rng = {7 + (uint64_t)kind};
    member_of(world, model);
    put_body(world, 0, at_side, NULL, NULL);
    sn_constraint_def d = holding_def(kind);
    if (of_two) {
        d.member2 = member_of(world, model);
        put_body(world, 1, (const double[3]){0, 0, 0}, NULL, NULL);
    }
    const sn_constraint tie = tie_of(world, &d);
    most[0] = most[1] = 0;
    for (int i = 0; i * dt < 5; i++) {
        double distance, angle;
        if (i % (int)(0.1 / dt + 0.5) == 0)
            push_about(world, of_two && uniform(&rng, 0, 1) < 0.5, of_two ? 4 : 100, &rng);
        step_world(world);
        assert_int_equal(constraint_error(world, tie, 0, &distance, &angle), SN_OK);
        most[0] = fmax(most[0], distance), most[1] = fmax(most[1], angle);
    }
    end_scene(world, model);
}

/* Of each kind, to the world, and between two bricks that fall together and turn ever faster: nothing else holds them. */
TEST(every_kind_holds_under_gravity_and_pushes) {
    for (int kind = 0; kind < COUNT(holding); kind++)
        for (int two = 0; two < 2; two++) {
            double most[2];
            hold_under_pushes(kind, two, 1.0 / 120, most);
            if (getenv("SINEW_TEST_VERBOSE"))
                print_message("%s, %s: %.2g mm, %.2g mrad\n", name_of[kind], two ? "of two" : "world",
                              1e3 * most[0], 1e3 * most[1]);
            assert_true(most[0] < 5e-4 && most[1] < 5e-4);
        }
}

/* A brick on a hinge of constraints swings as one on a hinge of its model. */
TEST(a_hinge_swings_as_a_joint_does) {
    const double dt = 1.0 / 960, arm[3] = {0.1, -0.2, 0.4};
    sn_joint_def joint = sn_joint_def_default(SN_JOINT_HINGE);
    joint.axis[0] = 1, joint.axis[2] = 0;
    memcpy(joint.anchor, arm, sizeof arm);
    const sn_shape_def shape = box_of(0.1, 0.15, 0.25, 3);
    sn_model *joined = one_body_model("brick", &joint, &shape, NULL), *loose = brick();
    sn_world *a = holds_world(dt, 9.81), *b = holds_world(dt, 9.81);
    member_of(a, joined), member_of(b, loose);
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_HINGE);
    memcpy(d.point, arm, sizeof arm), memcpy(d.point2, arm, sizeof arm);
    d.direction[0] = 1, d.direction[2] = 0;
    tie_of(b, &d);
    double off = 0;
    for (int i = 0; i < 2000; i++) {
        double p[2][3], rot[2][4];
        step_world(a), step_world(b);
        body_pose(a, 0, 0, p[0], rot[0]), body_pose(b, 0, 0, p[1], rot[1]);
        for (int k = 0; k < 3; k++)
            off = fmax(off, fabs(p[0][k] - p[1][k]));
    }
    assert_true(off < 1e-3);
    sn_world_free(a), sn_world_free(b);
    sn_model_free(joined), sn_model_free(loose);
}

/* Down a slope of 30 degrees a slider runs with g / 2. */
TEST(a_slider_runs_down_its_slope) {
    sn_model *model;
    sn_world *world = brick_world(1.0 / 240, 9.81, &model);
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_SLIDER);
    d.direction[0] = sqrt(0.75), d.direction[2] = -0.5, d.point[1] = 0.1, d.point2[1] = 0.1;
    const sn_constraint tie = tie_of(world, &d);
    run_for(world, 2, 1.0 / 240);
    double qd[6], force[6];
    sn_world_get_state(world, 0, NULL, qd);
    assert_near(qd[0] * d.direction[0] + qd[2] * d.direction[2], 9.81, 1e-9);
    assert_int_equal(constraint_force(world, tie, 0, force), 5);
    assert_near(sqrt(force[0] * force[0] + force[1] * force[1]), 3 * 9.81 * sqrt(0.75), 1e-6);
    end_scene(world, model);
}

/* A pendulum of a rod swings with the period of theory: amplitude 0.2, of a point mass. */
TEST(a_rod_swings_with_the_period_of_a_pendulum) {
    sn_model *model = body_of(sphere_of(1e-4, 1));
    sn_world *world = holds_world(1.0 / 960, 9.81);
    member_of(world, model);
    put_body(world, 0, (const double[3]){sin(0.2), 0, -cos(0.2)}, NULL, NULL);
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_DISTANCE);
    d.target[0] = 1;
    tie_of(world, &d);
    double before = 1, last = 0, period = 0;
    for (int i = 0; i < 960 * 10; i++) {
        double q[7];
        step_world(world);
        sn_world_get_state(world, 0, q, NULL);
        if (before > 0 && q[0] <= 0) {
            const double t = (i + before / (before - q[0])) / 960;
            period = t - last, last = t;
        }
        before = q[0];
    }
    assert_near(period, 2 * M_PI * sqrt(1 / 9.81) * (1 + 0.2 * 0.2 / 16), 1e-3);
    end_scene(world, model);
}

TEST(a_slack_rope_does_nothing_and_a_taut_one_holds) {
    sn_model *model;
    sn_world *world = brick_world(1.0 / 240, 9.81, &model);
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_ROPE);
    d.target[0] = 1;
    const sn_constraint rope = tie_of(world, &d);
    double q[7], force[6], far;
    for (int i = 0; i < 240; i++) {
        step_world(world);
        sn_world_get_state(world, 0, q, NULL);
        constraint_force(world, rope, 0, force);
        if (i < 100) assert_near(force[0], 0, 0); /* 0.85 m after 0.417 s */
        constraint_error(world, rope, 0, &far, NULL);
        assert_true(far < 1e-6);
    }
    assert_near(q[2], -1, 1e-6);
    assert_near(force[0], -3 * 9.81, 1e-6);
    end_scene(world, model);
}

TEST(motors_reach_their_speed_as_fast_as_their_force_allows) {
    sn_model *model;
    sn_world *world = brick_world(1.0 / 240, 0, &model);
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_MOTOR);
    const double inertia = 3 * (0.1 * 0.1 + 0.15 * 0.15) / 3;
    d.target_velocity[0] = 10, d.max_force = inertia * 20; /* half a second */
    const sn_constraint turn = tie_of(world, &d);
    d.type = SN_CONSTRAINT_LINEAR_MOTOR, d.direction[0] = 1, d.direction[2] = 0, d.target_velocity[0] = 2;
    d.max_force = 3;
    tie_of(world, &d);
    run_for(world, 0.25, 1.0 / 240);
    double qd[6];
    sn_world_get_state(world, 0, NULL, qd);
    assert_near(qd[5], 5, 1e-9);
    assert_near(qd[0], 0.25, 1e-9);
    run_for(world, 3, 1.0 / 240);
    sn_world_get_state(world, 0, NULL, qd);
    assert_near(qd[5], 10, 1e-6);
    assert_near(qd[0], 2, 1e-6);
    sn_world_set_constraint(world, turn, -1, NULL, (const double[1]){-10});
    run_for(world, 1.5, 1.0 / 240);
    sn_world_get_state(world, 0, NULL, qd);
    assert_near(qd[5], -10, 1e-6);
    end_scene(world, model);
}

/* ------------------------------------------------------------------------------------------------- softness */

/* With frequency f and damping ratio z a pin of a lone brick swings at f sqrt(1 - z^2) and decays with exp(-2 pi f z t). */
TEST(softness_has_its_frequency_and_damping_ratio) {
    const double dt = 1e-4, f = 3, z = 0.1;
    sn_model *model;
    sn_world *world = brick_world(dt, 0, &model);
    put_body(world, 0, (const double[3]){0.1, 0, 0}, NULL, NULL);
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_PIN);
    d.frequency = f, d.damping_ratio = z;
    tie_of(world, &d);
    double before = 0.1, crossing[3] = {0}, peak[2] = {0};
    int n = 0;
    for (int i = 0; n < 3; i++) {
        double q[7];
        step_world(world);
        sn_world_get_state(world, 0, q, NULL);
        if (before > 0 && q[0] <= 0) crossing[n++] = i * dt;
        if (n > 0 && n < 3) peak[n - 1] = fmax(peak[n - 1], q[0]);
        before = q[0];
    }
    const double period = 1 / (f * sqrt(1 - z * z));
    assert_near(crossing[2] - crossing[1], period, 2e-3 * period);
    assert_near(peak[1] / peak[0], exp(-2 * M_PI * f * z * period), 0.02);
    end_scene(world, model);
}

/* And by stiffness it rests where the weight is: m g / k, in every form that is at rest there. */
TEST(softness_by_stiffness_rests_where_the_weight_is) {
    static const sn_form form[] = {SN_FORM_FULL, SN_FORM_STABLE, SN_FORM_IMPLICIT_D, SN_FORM_EXPLICIT};
    for (int i = 0; i < COUNT(form); i++)
        for (int rows = 0; rows < 2; rows++) {
            sn_model *model;
            sn_world *world = brick_world(1.0 / 240, 9.81, &model);
            sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_PIN);
            d.stiffness = 1000, d.damping = 100, d.form = form[i], d.rows = rows;
            const sn_constraint pin = tie_of(world, &d);
            run_for(world, 4, 1.0 / 240);
            double far, force[6];
            constraint_error(world, pin, 0, &far, NULL);
            assert_near(far, 3 * 9.81 / 1000, 1e-6);
            assert_int_equal(constraint_force(world, pin, 0, force), 3);
            assert_near(force[2], 3 * 9.81, 1e-3);
            end_scene(world, model);
        }
}

/* ------------------------------------------------------------------------------------------------- breaking */

/* Pushed across what it holds with a force, or a torque about x, that grows by 20 per second. */
static double breaks_at(int kind, double limit, bool torque, bool soft, int copies) {
    const double dt = 1.0 / 120;
    sn_model *model = brick();
    sn_world_def def = rows_def();
    def.contact = SN_CONTACT_NONE, def.dt = dt, def.gravity[2] = 0, def.copies = copies;
    sn_world *world = world_of(&def);
    member_of(world, model);
    put_body(world, 0, at_side, NULL, NULL);
    sn_constraint_def d = holding_def(kind);
    d.direction[0] = 0, d.direction[1] = 1, d.direction[2] = 0;
    if (torque)
        d.break_torque = limit;
    else
        d.break_force = limit;
    if (soft) d.stiffness = 1e6, d.damping = 1e4;
    const sn_constraint tie = tie_of(world, &d);
    double p = 0;
    const int last = copies - 1;
    for (int i = 0; !constraint_broken(world, tie, last) && p < 10 * limit; i++) {
        p = 20 * i * dt;
        const double out[3] = {torque ? 0 : p, 0, 0}, about[3] = {torque ? p : 0, 0, 0};
        sn_world_push(world, 0, 0, out, about, INFINITY);
        step_world(world);
    }
    step_world(world);
    assert_int_equal(constraint_force(world, tie, last, NULL), 0);
    double force[6];
    sn_world_push(world, 0, 0, NULL, NULL, INFINITY);
    sn_world_set_constraint(world, tie, -1, NULL, NULL);
    put_body(world, 0, at_side, NULL, NULL);
    step_world(world);
    assert_true(constraint_force(world, tie, last, force) > 0);
    assert_false(constraint_broken(world, tie, last));
    end_scene(world, model);
    return p;
}

TEST(every_kind_breaks_at_its_force) {
    for (int kind = 0; kind < COUNT(holding); kind++)
        for (int soft = 0; soft < 2; soft++)
            for (int torque = 0; torque < 2; torque++) {
                const sn_constraint_type type = holding[kind];
                if (torque ? type == SN_CONSTRAINT_PIN || type > SN_CONSTRAINT_ORIENTATION
                           : type == SN_CONSTRAINT_ORIENTATION)
                    continue;
                const double at = breaks_at(kind, 30, torque, soft, 1 + kind % 3);
                if (getenv("SINEW_TEST_VERBOSE"))
                    print_message("%s, %s%s: %.2f of 30\n", name_of[kind], torque ? "torque" : "force",
                                  soft ? ", soft" : "", at);
                assert_near(at, 30, 0.05 * 30);
            }
}

/* Each copy breaks by itself; a snapshot knows which. */
TEST(copies_break_one_by_one) {
    sn_model *model = brick();
    sn_world_def def = rows_def();
    def.contact = SN_CONTACT_NONE, def.copies = 3;
    sn_world *world = world_of(&def);
    member_of(world, model);
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_PIN);
    d.break_force = 3 * 9.81 + 5;
    const sn_constraint pin = tie_of(world, &d);
    double push[3][6] = {{0, 0, -1}, {0, 0, -9}, {0, 0, 1}};
    sn_world_set(world, 0, SN_FIELD_PUSH, 0, 3, &push[0][0]);
    for (int i = 0; i < 10; i++)
        step_world(world);
    for (int c = 0; c < 3; c++)
        assert_int_equal(constraint_broken(world, pin, c), c == 1);
    size_t size;
    unsigned char *block = snapshot_of(world, &size);
    sn_world_set_constraint(world, pin, 1, NULL, NULL);
    assert_false(constraint_broken(world, pin, 1));
    assert_int_equal(sn_world_restore(world, block, size, NULL), SN_OK);
    assert_true(constraint_broken(world, pin, 1)); /* as it was */
    free(block);
    end_scene(world, model);
}

/* ------------------------------------------------------------------------------------------- add and remove */

/* Up to twelve constraints of any kind, soft or rigid, among four bricks and the world, come and go: wherever the bricks are,
   so that most of them contradict each other. */
TEST(any_kind_comes_and_goes_for_ten_thousand_steps) {
    enum { MOST = 12 };
    const int steps = getenv("SINEW_TEST_SHORT") || FAST ? 500 : 10000;
    sn_model *model = brick();
    sn_world_def def = sn_world_def_default();
    def.dt = 1.0 / 120;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    struct rng rng = {11};
    for (int i = 0; i < 4; i++) {
        member_of(world, model);
        put_body(world, i, (const double[3]){0.6 * i, 0, 1}, NULL, NULL);
    }
    sn_constraint tie[MOST] = {0};
    double fastest_of_all = 0;
    for (int i = 0; i < steps; i++) {
        const int which = (int)uniform(&rng, 0, MOST);
        if (i % 5 == 0 && tie[which]) {
            sn_world_remove_constraint(world, tie[which]);
            tie[which] = 0;
        } else if (i % 5 == 0) {
            const int kind = (int)uniform(&rng, 0, COUNT(holding) + 2);
            sn_constraint_def d = holding_def(kind < COUNT(holding) ? kind : 0);
            if (kind >= COUNT(holding))
                d.type = kind == COUNT(holding) ? SN_CONSTRAINT_MOTOR : SN_CONSTRAINT_LINEAR_MOTOR;
            d.member = (int)uniform(&rng, 0, 4), d.member2 = (int)uniform(&rng, -1, 4);
            if (d.member2 == d.member) d.member2 = -1;
            if (kind >= COUNT(holding)) d.target_velocity[0] = 1, d.max_force = 20;
            if (kind % 3 == 1 && uniform(&rng, 0, 1) < 0.5) d.frequency = 5, d.max_force = 500;
            if (kind % 3 == 0 && uniform(&rng, 0, 1) < 0.5)
                d.stiffness = 300, d.damping = 30; /* inside, too */
            d.break_force = 2000;
            tie[which] = tie_of(world, &d);
        }
        step_world(world);
        fastest_of_all = fmax(fastest_of_all, fastest(world));
    }
    if (getenv("SINEW_TEST_VERBOSE")) print_message("fastest: %.3g m/s or rad/s\n", fastest_of_all);
    assert_true(fastest_of_all < 200);
    end_scene(world, model);
}

int main(void) {
    return run_all("world_holds");
}
