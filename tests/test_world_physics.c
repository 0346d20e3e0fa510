/* What worlds do, against what mechanics says: friction, bounces, piles, limits, momentum, constraints. */
#include "world_helpers.h"

#include "base/quat.h"

static const double g = 9.81;
static const double down_y[3] = {0, -1, 0};

static void run(sn_world *world, double seconds, double dt) {
    const int steps = (int)(seconds / dt + 0.5);
    for (int i = 0; i < steps; i++)
        step_world(world);
}

/* ----------------------------------------------------------------------------------------------- friction */

/* A box at rest on a slope: how far down it is and how fast after some time. */
static void slide_down(const struct way *way, double mu, double angle, bool on_box, double seconds,
                       double *distance, double *speed) {
    const sn_world_def def = def_of(way);
    sn_world *world = world_of(&def);
    double rot[4];
    turn_about(down_y, angle, rot);
    const double normal[3] = {-sin(angle), 0, cos(angle)}, downhill[3] = {-cos(angle), 0, -sin(angle)},
                 zero[3] = {0};
    if (on_box) {
        sn_shape_def ground = box_of(20, 3, 0.5, 1);
        ground.friction = mu;
        const double pos[3] = {-0.5 * normal[0], 0, -0.5 * normal[2]};
        assert_int_equal(sn_world_add_shape(world, &ground, pos, rot, NULL), 0);
    } else {
        const sn_shape_def material = material_of(mu, 0);
        assert_int_equal(sn_world_add_plane(world, zero, normal, &material, NULL), 0);
    }
    sn_shape_def box = box_of(0.2, 0.15, 0.1, 3);
    box.friction = mu;
    sn_model *model = free_body(&box);
    sn_character *c = sn_world_character(world, member_of(world, model, NULL));
    const double pos[3] = {0.1 * normal[0], 0, 0.1 * normal[2]};
    double q[7], qd[6];
    put_body(c, pos, rot, NULL);
    run(world, seconds, def.dt);
    sn_character_get_state(c, q, qd);
    *distance = (q[0] - pos[0]) * downhill[0] + (q[2] - pos[2]) * downhill[2];
    *speed = dvec_dot(qd, downhill);
    sn_world_free(world);
    sn_model_free(model);
}

TEST(a_box_slides_above_the_angle_of_friction_and_not_below) {
    static const double mus[] = {0.3, 0.5, 0.8}, degree = M_PI / 180;
    struct way way[WAYS];
    const int n = ways_of(way);
    bool bad = false;
    for (int k = 0; k < n; k++) {
        struct worst crept = {0}, slid = {0};
        for (int on_box = 0; on_box < 2; on_box++)
            for (int i = 0; i < COUNT(mus); i++) {
                double x, v;
                const double critical = atan(mus[i]);
                slide_down(&way[k], mus[i], critical - 0.5 * degree, on_box, 2, &x, &v);
                worst_add(&crept, fabs(x), "%s, mu %g, %s", way[k].name, mus[i], on_box ? "box" : "plane");
                static const double above[] = {0.5, 5, 15};
                for (int j = 0; j < COUNT(above); j++) {
                    const double a = critical + above[j] * degree, right = g * (sin(a) - mus[i] * cos(a));
                    slide_down(&way[k], mus[i], a, on_box, 1, &x, &v);
                    worst_add(&slid, fabs(v - right) / right, "%s, mu %g, %s, %g degrees above", way[k].name,
                              mus[i], on_box ? "box" : "plane", above[j]);
                }
            }
        print_message("  %s: creeps %.2g m in 2 s half a degree below; acceleration off by %.2g (%s)\n",
                      way[k].name, crept.value, slid.value, slid.where);
        bad |= !(crept.value <= 1e-3) || !(slid.value <= 0.02);
    }
    assert_false(bad);
}

TEST(a_ball_rolls_down_without_slipping) {
    bool bad = false;
    struct way way[WAYS];
    const int n = ways_of(way);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 2; i++) {
            const sn_world_def def = def_of(&way[k]);
            sn_world *world = world_of(&def);
            const double a = i ? 0.45 : 0.15, normal[3] = {-sin(a), 0, cos(a)}, zero[3] = {0}, r = 0.1;
            assert_int_equal(sn_world_add_plane(world, zero, normal, NULL, NULL), 0);
            const sn_shape_def ball = sphere_of(r, 2);
            sn_model *model = free_body(&ball);
            sn_character *c = sn_world_character(world, member_of(world, model, NULL));
            const double pos[3] = {r * normal[0], 0, r * normal[2]};
            put_body(c, pos, NULL, NULL);
            run(world, 1, def.dt);
            double qd[6];
            sn_character_get_state(c, NULL, qd);
            const double speed = -qd[0] * cos(a) - qd[2] * sin(a), right = 5.0 / 7 * g * sin(a);
            print_message("  %s: %.3g rad, acceleration off by %.2g\n", way[k].name, a, speed / right - 1);
            bad |= fabs(speed / right - 1) > 0.02;
            sn_world_free(world);
            sn_model_free(model);
        }
    assert_false(bad);
}

/* ------------------------------------------------------------------------------------------------ bounces */

/* Height of the first bounce over the height of the fall. */
static double bounce(sn_stepper stepper, double e, double height, double rate) {
    sn_world_def def = sn_world_def_default();
    def.dt = 1 / rate, def.stepper = stepper;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    sn_shape_def ball = sphere_of(0.1, 1);
    ball.restitution = e;
    sn_model *model = free_body(&ball);
    sn_character *c = sn_world_character(world, member_of(world, model, NULL));
    put_body(c, (const double[3]){0, 0, 0.1 + height}, NULL, NULL);
    double q[7], qd[6], most = 0;
    bool up = false;
    const int steps = (int)(rate * 2.5 * sqrt(2 * height / g));
    for (int i = 0; i < steps; i++) {
        step_world(world);
        sn_character_get_state(c, q, qd);
        if (qd[2] > 0) up = true;
        if (up && qd[2] < 0) break;
        if (up) most = fmax(most, q[2] - 0.1);
    }
    sn_world_free(world);
    sn_model_free(model);
    return most / height;
}

TEST(a_ball_bounces_to_the_square_of_its_restitution) {
    static const double es[] = {0.2, 0.35, 0.5, 0.65, 0.8, 0.95}, heights[] = {0.3, 0.5, 1, 1.37, 2, 3},
                        rates[] = {240, 480, 1000};
    for (int s = 0; s < stepper_count; s++) {
        struct worst worst = {0};
        for (int i = 0; i < COUNT(es); i++)
            for (int j = 0; j < COUNT(heights); j++)
                for (int k = 0; k < COUNT(rates); k++) {
                    const double right = es[i] * es[i];
                    const double ratio = bounce(stepper_case[s].stepper, es[i], heights[j], rates[k]);
                    worst_add(&worst, fabs(ratio - right) / right, "%s, e %g, h %g, %g Hz",
                              stepper_case[s].name, es[i], heights[j], rates[k]);
                }
        for (int j = 0; j < COUNT(heights); j++)
            assert_true(bounce(stepper_case[s].stepper, 0, heights[j], 240) * heights[j] < 1e-3);
        assert_worst(&worst, 0.02, "height of the bounce, relative");
    }
}

/* -------------------------------------------------------------------------------------------------- piles */

/* Distance of two capsules' surfaces, by points of one axis against points of the other. */
static double capsule_gap(sn_character *a, sn_character *b, double radius, double half) {
    enum { N = 41 };
    double x[2][3], axis[2][3], rot[4], least = HUGE_VAL;
    sn_character *c[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        sn_character_body_pose(c[i], 0, x[i], rot);
        dquat_rotate(rot, (const double[3]){0, 0, 1}, axis[i]);
    }
    const double apart[3] = {x[0][0] - x[1][0], x[0][1] - x[1][1], x[0][2] - x[1][2]};
    if (dvec_length(apart) > 2 * (radius + half)) return 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const double s = half * (2.0 * i / (N - 1) - 1), t = half * (2.0 * j / (N - 1) - 1);
            const double d[3] = {apart[0] + s * axis[0][0] - t * axis[1][0],
                                 apart[1] + s * axis[0][1] - t * axis[1][1],
                                 apart[2] + s * axis[0][2] - t * axis[1][2]};
            least = fmin(least, dvec_length(d));
        }
    return least - 2 * radius;
}

struct pile {
    double grew; /* most that energy was above its lowest so far, of the first energy */
    double depth_moving, depth_rest, depth_seen;
    double kinetic; /* at the end, of the first energy */
    double residual;
    int contacts;
};

static struct pile drop_pile(const struct way *way, int count, double seconds, double rate) {
    const double radius = 0.05, half = 0.12;
    sn_world_def def = def_of(way);
    def.dt = 1 / rate;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    const sn_shape_def shape = capsule_of(radius, half, 1);
    sn_model *model = free_body(&shape);
    struct rng rng = {21};
    for (int i = 0; i < count; i++) { /* ten a layer, lying, a little askew */
        const double turn[3] = {M_PI / 2 + uniform(&rng, -0.3, 0.3), 0, 0},
                     yaw[3] = {0, 0, uniform(&rng, 0, M_PI)};
        double lie[4], about[4], rot[4];
        dquat_exp(turn, lie);
        dquat_exp(yaw, about);
        dquat_multiply(about, lie, rot);
        const double pos[3] = {0.36 * (i % 5 - 2), 0.36 * (i / 5 % 2) - 0.18, 0.1 + 0.2 * (i / 10)};
        put_body(sn_world_character(world, member_of(world, model, NULL)), pos, rot, NULL);
    }
    for (int i = 0; i < 4; i++) { /* walls: what rolls shall not roll for ever */
        const double normal[3] = {(double[]){1, -1, 0, 0}[i], (double[]){0, 0, 1, -1}[i], 0};
        const double at[3] = {-0.95 * normal[0], -0.4 * normal[1], 0};
        assert_true(sn_world_add_plane(world, at, normal, NULL, NULL) >= 0);
    }
    struct pile p = {0};
    const double start = energy_of(world);
    double least = start;
    const int steps = (int)(seconds * rate);
    for (int k = 0; k < steps; k++) {
        step_world(world);
        const double energy = energy_of(world);
        p.grew = fmax(p.grew, (energy - least) / start);
        least = fmin(least, energy);
        double *depth = k > steps - (int)rate ? &p.depth_rest : &p.depth_moving;
        *depth = fmax(*depth, penetration(world));
        p.residual = fmax(p.residual, stats_of(world).residual);
        p.contacts = stats_of(world).contacts;
    }
    for (int i = 0; i < count; i++) {
        sn_character *a = sn_world_character(world, i);
        p.depth_seen = fmax(p.depth_seen, -lowest_point(a));
        for (int j = 0; j < i; j++)
            p.depth_seen = fmax(p.depth_seen, -capsule_gap(a, sn_world_character(world, j), radius, half));
    }
    for (int i = 0; i < count; i++) {
        sn_summary summary;
        assert_int_equal(sn_character_summary(sn_world_character(world, i), &summary), SN_OK);
        p.kinetic += summary.kinetic / start;
    }
    sn_world_free(world);
    sn_model_free(model);
    return p;
}

TEST(a_pile_of_capsules_settles) {
    bool bad = false;
    struct way way[WAYS];
    const int n = ways_of(way);
    for (int k = 0; k < n; k++) {
        if (way[k].friction != SN_FRICTION_CONE) continue;
        const struct pile p = drop_pile(&way[k], FAST ? 10 : 50, FAST ? 1 : 4, 240);
        print_message(
            "  %s: energy grew by %.2g of the first; depth %.2g mm falling, %.2g mm in the last second, "
            "%.2g mm as seen from outside; %.2g of the energy still moves; residual %.2g m/s; %d contacts\n",
            way[k].name, p.grew, 1e3 * p.depth_moving, 1e3 * p.depth_rest, 1e3 * p.depth_seen, p.kinetic,
            p.residual, p.contacts);
        /* the time stepper takes normals for fixed over a step, while capsules that fall roll over each
           other */
        const double moving = way[k].stepper == SN_STEPPER_EVENT ? 2e-3 : 6e-3;
        bad |= p.grew > (way[k].contact == SN_CONTACT_IMPLICIT ? 0.01 : 1e-3);
        bad |= p.depth_moving > moving || p.depth_rest > 2e-3 || p.depth_seen > 2e-3;
        bad |= !FAST && p.kinetic > 1e-4; /* what rolls has nothing to stop it */
    }
    assert_false(bad);
}

/* ------------------------------------------------------------------------------------------------- limits */

static const struct {
    const char *name;
    sn_joint_type type;
    double spin[3]; /* velocity at first */
} pendulum[] = {
    {"hinge", SN_JOINT_HINGE, {8, 0, 0}},         {"universal", SN_JOINT_UNIVERSAL, {6, 5, 0}},
    {"slide", SN_JOINT_SLIDE, {3, 0, 0}},         {"ball, swing", SN_JOINT_BALL, {5, 4, 0}},
    {"ball, twist", SN_JOINT_BALL, {0, 0, 9}},    {"ball, both", SN_JOINT_BALL, {5, -3, 7}},
    {"hinge at rest", SN_JOINT_HINGE, {0, 0, 0}},
};

/* How far a joint is past its limits. Swing is the angle between the axis and where it went; twist is what
   is left when the shortest turn between them is taken off. */
static double past_limit(const sn_joint_def *j, const double *q) {
    double past = 0;
    if (j->type != SN_JOINT_BALL) {
        for (int k = 0; k < (j->type == SN_JOINT_UNIVERSAL ? 2 : 1); k++)
            past = fmax(past, fmax(j->lower[k] - q[k], q[k] - j->upper[k]));
        return past;
    }
    double carried[3], half[3], swing[4], back[4], twist[4];
    dquat_rotate(q, j->axis, carried);
    const double cosine = dvec_dot(j->axis, carried);
    dvec_cross(j->axis, carried, half);
    memcpy(swing + 1, half, sizeof half);
    swing[0] = 1 + cosine;
    dquat_normalise(swing);
    dquat_conjugate(swing, back);
    dquat_multiply(back, q, twist);
    double v[3];
    dquat_log(twist, v);
    const double t = dvec_dot(v, j->axis);
    past = fmax(acos(fmin(1, cosine)) - j->upper[1], fmax(j->lower[0] - t, t - j->upper[0]));
    return fmax(0, past);
}

TEST(a_pendulum_keeps_its_limits) {
    for (int s = 0; s < stepper_count; s++) {
        struct worst worst = {0};
        for (int i = 0; i < COUNT(pendulum); i++)
            for (int rate = 60; rate <= 480; rate *= 2)
                for (int precision = SN_DOUBLE; precision <= SN_FLOAT; precision++) {
                    sn_body_def body =
                        simple_body("bob", NULL, pendulum[i].type, 2, (const double[3]){0.1, 0.05, -0.4},
                                    (const double[3]){0.03, 0.03, 0.01});
                    body.joint.axis[0] =
                        pendulum[i].type == SN_JOINT_HINGE || pendulum[i].type == SN_JOINT_UNIVERSAL;
                    body.joint.axis[2] = !body.joint.axis[0];
                    body.joint.axis2[0] = 0, body.joint.axis2[1] = 1;
                    body.joint.limited = true;
                    body.joint.lower[0] = -0.5, body.joint.upper[0] = 0.4;
                    body.joint.lower[1] = -0.3, body.joint.upper[1] = 0.6;
                    sn_model *model = build_bodies(&body, 1);
                    sn_world_def def = sn_world_def_default();
                    def.dt = 1.0 / rate, def.stepper = stepper_case[s].stepper;
                    def.precision = (sn_precision)precision;
                    def.gravity[0] = 3;
                    sn_world *world = world_of(&def);
                    sn_character *c = sn_world_character(world, member_of(world, model, NULL));
                    assert_int_equal(sn_character_set_state(c, NULL, pendulum[i].spin), SN_OK);
                    for (int k = 0; k < 3 * rate; k++) {
                        double q[4];
                        step_world(world);
                        sn_character_get_state(c, q, NULL);
                        worst_add(&worst, past_limit(&sn_model_body(model, 0)->joint, q),
                                  "%s, %d Hz, %s, step %d, %s", pendulum[i].name, rate,
                                  precision ? "float" : "double", k, stepper_case[s].name);
                    }
                    sn_world_free(world);
                    sn_model_free(model);
                }
        assert_worst(&worst, 1e-3, "past the limit, rad or m");
    }
}

/* ----------------------------------------------------------------------------------------------- momentum */

/* Momentum at the pose q with other velocities. */
static void momentum_with(sn_character *scratch, const double *q, const double *qd, double p[6]) {
    assert_int_equal(sn_character_set_state(scratch, q, qd), SN_OK);
    momentum_of(scratch, p);
}

/* Two characters fly into each other without gravity. Each step is taken with and without contact from the
   same state: what contact adds to the momentum of one it takes from the other. Relative to what passes
   over. */
static double momentum_lost(const sn_model *const model[2], bool driven, const struct way *way,
                            int *touched) {
    sn_world_def def = def_of(way);
    def.gravity[2] = 0;
    sn_world *world = world_of(&def);
    def.contact = SN_CONTACT_NONE;
    sn_world *apart = world_of(&def);
    sn_character_def plain = sn_character_def_default();
    memset(plain.gravity, 0, sizeof plain.gravity);
    sn_character *scratch[2];
    struct rng rng = {31};
    for (int m = 0; m < 2; m++) {
        double q[MAX_NQ], qd[MAX_NV];
        sn_character *c = sn_world_character(world, member_of(world, model[m], NULL));
        sn_character *d = sn_world_character(apart, member_of(apart, model[m], NULL));
        scratch[m] = character_of(model[m], &plain);
        random_state(&rng, model[m], 0.3, 0.5, q, qd);
        q[0] = m ? 0.75 : -0.1, qd[0] = m ? -2 : 1;
        q[2] = m ? 1.2 : 1;
        assert_int_equal(sn_character_set_state(c, q, qd), SN_OK);
        sn_character *both[2] = {c, d};
        for (int k = 0; k < 2; k++) {
            if (driven && sn_model_nbody(model[m]) > 1) set_gains(both[k], 0, 0, 2000, 200);
            assert_int_equal(sn_character_set_target(both[k], q, NULL), SN_OK);
        }
    }
    double worst = 0;
    *touched = 0;
    for (int k = 0; k < (FAST ? 60 : 200); k++) {
        double change[6] = {0}, passed[2] = {0, 0}, q[2][MAX_NQ], qd[MAX_NV];
        for (int m = 0; m < 2; m++) {
            sn_character_get_state(sn_world_character(world, m), q[m], qd);
            assert_int_equal(sn_character_set_state(sn_world_character(apart, m), q[m], qd), SN_OK);
        }
        step_world(world);
        step_world(apart);
        for (int m = 0; m < 2; m++) {
            double with[6], without[6];
            sn_character_get_state(sn_world_character(world, m), NULL, qd);
            momentum_with(scratch[m], q[m], qd, with);
            sn_character_get_state(sn_world_character(apart, m), NULL, qd);
            momentum_with(scratch[m], q[m], qd, without);
            axpy(-1, without, with, 6);
            axpy(1, with, change, 6);
            passed[0] = fmax(passed[0], norm(with, 3)), passed[1] = fmax(passed[1], norm(with + 3, 3));
        }
        /* some 100 kg m/s move about: where next to nothing is passed, the rounding of that is what one sees */
        if (!(passed[0] > 1e-2 && passed[1] > 1e-2)) continue;
        ++*touched;
        worst = fmax(worst, fmax(norm(change, 3) / passed[0], norm(change + 3, 3) / passed[1]));
    }
    for (int m = 0; m < 2; m++)
        sn_character_free(scratch[m]);
    sn_world_free(world);
    sn_world_free(apart);
    return worst;
}

TEST(contact_between_characters_conserves_momentum) {
    const sn_shape_def shape = sphere_of(0.25, 10);
    sn_model *human = sn_builtin_create("humanoid", NULL), *dog = sn_builtin_create("dog", NULL),
             *ball = free_body(&shape);
    const sn_model *const pairs[][2] = {{human, human}, {human, ball}, {ball, ball}, {dog, human}};
    static const char *const name[] = {"two humanoids", "humanoid and ball", "two balls", "dog and humanoid"};
    struct way way[WAYS];
    const int n = ways_of(way);
    struct worst worst[2] = {{0}}; /* rows, implicit */
    for (int k = 0; k < n; k++)
        for (int i = 0; i < COUNT(pairs); i++)
            for (int driven = 0; driven < 2; driven++) {
                if (i == 2 && driven) continue;
                if (way[k].stepper != SN_STEPPER_TIME) continue; /* substeps have poses of their own */
                int touched;
                const double lost = momentum_lost(pairs[i], driven, &way[k], &touched);
                if (touched < 1) fail_msg("%s do not meet", name[i]);
                worst_add(&worst[way[k].contact == SN_CONTACT_IMPLICIT], lost,
                          "%s, %s, %s, %d steps in touch", name[i], driven ? "driven" : "limp", way[k].name,
                          touched);
            }
    sn_model_free(human), sn_model_free(dog), sn_model_free(ball);
    assert_worst(&worst[0], 1e-8, "momentum lost, relative");
    /* joint limits are stiff dampers there, and their rounding is 400 times that of the inertias */
    assert_worst(&worst[1], 5e-8, "momentum lost, implicit, relative");
}

TEST(rigid_bodies_conserve_momentum_over_a_whole_run) {
    for (int s = 0; s < stepper_count; s++) {
        sn_world_def def = sn_world_def_default();
        def.gravity[2] = 0, def.stepper = stepper_case[s].stepper;
        sn_world *world = world_of(&def);
        const sn_shape_def shape[3] = {sphere_of(0.2, 3), box_of(0.1, 0.2, 0.15, 5), capsule_of(0.1, 0.2, 2)};
        sn_model *model[3];
        struct rng rng = {41};
        for (int i = 0; i < 12; i++) {
            if (i < 3) model[i] = free_body(&shape[i]);
            sn_character *c = sn_world_character(world, member_of(world, model[i % 3], NULL));
            double pos[3], rot[4], v[6];
            random_direction(&rng, pos);
            for (int k = 0; k < 3; k++)
                pos[k] *= 0.8 + 0.35 * (i / 2), v[k] = -1.5 * pos[k];
            random_values(&rng, 1, v + 3, 3);
            random_quaternion(&rng, rot);
            put_body(c, pos, rot, v);
        }
        double before[3] = {0}, after[3] = {0}, size = 0;
        int touched = 0;
        for (int i = 0; i < 12; i++) {
            double p[6];
            momentum_of(sn_world_character(world, i), p);
            axpy(1, p, before, 3);
            size += norm(p, 3);
        }
        for (int k = 0; k < 480; k++) {
            step_world(world);
            for (int i = 0; i < sn_world_contact_count(world); i++)
                touched += norm(sn_world_contacts(world)[i].force, 3) > 0;
        }
        for (int i = 0; i < 12; i++) {
            double p[6];
            momentum_of(sn_world_character(world, i), p);
            axpy(1, p, after, 3);
        }
        axpy(-1, before, after, 3);
        print_message("  %s: momentum changed by %.2g over 2 s and %d contacts, relative\n",
                      stepper_case[s].name, norm(after, 3) / size, touched);
        assert_true(touched > 20);
        assert_true(norm(after, 3) / size < 1e-12);
        sn_world_free(world);
        for (int i = 0; i < 3; i++)
            sn_model_free(model[i]);
    }
}

/* -------------------------------------------------------------------------------------------- constraints */

/* Links of 0.2 m, down from a free root, each on a ball joint of the one before. */
static sn_model *chain_model(int links) {
    sn_builder *builder = sn_builder_create();
    char name[16][8];
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

static void point_of(sn_world *world, int character, int body, const double local[3], double x[3]) {
    double pos[3], rot[4];
    assert_int_equal(sn_character_body_pose(sn_world_character(world, character), body, pos, rot), SN_OK);
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
            sn_world_def def = sn_world_def_default();
            def.contact = SN_CONTACT_NONE, def.stepper = stepper_case[s].stepper, def.dt = 1.0 / rate;
            sn_world *world = world_of(&def);
            sn_model *model = chain_model(5);
            const double zero[3] = {0}, end[3] = {0, 0, -0.2}, top[2][3] = {{0, 0, 2}, {1.2, 0, 2}};
            for (int m = 0; m < 2; m++) { /* laid out towards each other, so that their ends are together */
                const int number = member_of(world, model, NULL);
                double q[MAX_NQ], rot[4];
                sn_model_zero_pose(model, q);
                turn_about(down_y, m ? -asin(0.6) : asin(0.6), rot);
                memcpy(q, top[m], sizeof top[m]);
                memcpy(q + 3, rot, sizeof rot);
                assert_int_equal(sn_character_set_state(sn_world_character(world, number), q, NULL), SN_OK);
                sn_constraint_def pin = sn_constraint_def_default(SN_PIN);
                pin.character = m;
                memcpy(pin.point2, top[m], sizeof pin.point2);
                assert_true(sn_world_add_constraint(world, &pin, NULL) != 0);
            }
            double x[3], y[3], pinned = 0, open = 0;
            point_of(world, 0, 4, end, x);
            point_of(world, 1, 4, end, y);
            const double apart = distance(x, y);
            sn_constraint_def tie = sn_constraint_def_default(SN_PIN);
            tie.body = tie.body2 = 4, tie.character2 = 1;
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
        sn_world_def def = sn_world_def_default();
        def.stepper = stepper_case[s].stepper;
        sn_world *world = world_of(&def);
        floor_of(world, NULL);
        const sn_shape_def box = box_of(0.1, 0.1, 0.1, 2);
        sn_model *model = free_body(&box);
        sn_character *c = sn_world_character(world, member_of(world, model, NULL));
        put_body(c, (const double[3]){0, 0, 0.1}, NULL, NULL);
        sn_constraint_def d = sn_constraint_def_default(SN_SPRING);
        d.stiffness = 400, d.damping = 60;
        d.point[0] = 0.1, d.point[2] = 0.1;
        memcpy(d.target, (const double[3]){1, 0.5, 1.5}, 3 * sizeof(double));
        const sn_constraint mouse = sn_world_add_constraint(world, &d, NULL);
        run(world, 15, def.dt);
        double x[3], force[6];
        point_of(world, 0, 0, d.point, x);
        const double sag = 2 * g / 400; /* k x = m g */
        assert_int_equal(sn_world_constraint_force(world, mouse, force), 3);
        print_message("  %s: %.2g m from the target and its sag; force %.6g N of %.6g N\n",
                      stepper_case[s].name, distance(x, (const double[3]){1, 0.5, 1.5 - sag}), force[2],
                      2 * g);
        assert_true(distance(x, (const double[3]){1, 0.5, 1.5 - sag}) < 2e-3);
        assert_near(force[2], 2 * g, 0.05);
        assert_int_equal(sn_world_remove_constraint(world, mouse), SN_OK);
        run(world, 2, def.dt);
        assert_near(lowest_point(c), 0, 1e-3); /* and falls back */
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
                sn_world_def def = sn_world_def_default();
                def.contact = SN_CONTACT_NONE, def.stepper = stepper_case[s].stepper, def.dt = 1.0 / 960;
                sn_world *world = world_of(&def);
                sn_model *model = sn_builtin_create("humanoid", NULL);
                member_of(world, model, NULL);
                int body = 1;
                while (sn_model_body(model, body)->joint.type != SN_JOINT_HINGE)
                    body++;
                sn_constraint_def d = sn_constraint_def_default(joint ? SN_JOINT_PATH : SN_POINT_PATH);
                d.settle = settles[i];
                d.body = joint ? body : 0;
                double x[3], q[MAX_NQ], from = 0;
                point_of(world, 0, 0, d.point, x);
                sn_character_get_state(sn_world_character(world, 0), q, NULL);
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
                    sn_character_get_state(sn_world_character(world, 0), q, NULL);
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

/* -------------------------------------------------------------------------------------------- moving ground */

TEST(moving_ground_carries_and_pushes) {
    bool bad = false;
    struct way way[WAYS];
    const int n = ways_of(way);
    for (int k = 0; k < n; k++)
        for (int kind = 0; kind < 3; kind++) { /* carried by a plane, by a box; pushed by a box */
            sn_world_def def = def_of(&way[k]);
            sn_world *world = world_of(&def);
            const double velocity[3] = {0.5, 0, 0}, turn[4] = {1, 0, 0, 0}, under[3] = {0, 0, -0.5};
            const double behind[3] = {-0.8, 0, 0.6}, zero[3] = {0};
            const sn_shape_def slab = box_of(3, 3, 0.5, 1), wall = box_of(0.5, 0.5, 0.5, 1);
            const sn_shape_def shape = kind == 2 ? sphere_of(0.2, 1) : box_of(0.2, 0.2, 0.1, 1);
            sn_model *model = free_body(&shape);
            sn_character *c = sn_world_character(world, member_of(world, model, NULL));
            put_body(c, (const double[3]){0, 0, kind == 2 ? 0.2 : 0.1}, NULL, NULL);
            int moving;
            if (kind == 0) {
                moving = floor_of(world, NULL);
                assert_int_equal(sn_world_move(world, moving, zero, turn, velocity, NULL), SN_OK);
            } else {
                const sn_shape_def *s = kind == 1 ? &slab : &wall;
                if (kind == 2) floor_of(world, NULL);
                moving = sn_world_add_shape(world, s, kind == 1 ? under : behind, turn, NULL);
                assert_true(moving >= 0);
                assert_int_equal(
                    sn_world_move(world, moving, kind == 1 ? under : behind, turn, velocity, NULL), SN_OK);
            }
            double q[7], qd[6], depth = 0;
            for (int i = 0; i < 480; i++) {
                step_world(world);
                depth = fmax(depth, penetration(world));
            }
            sn_character_get_state(c, q, qd);
            static const char *const name[] = {"carried by a plane", "carried by a box", "pushed by a box"};
            print_message("  %s, %s: speed %.4g of 0.5, at %.4g m, depth %.2g mm\n", way[k].name, name[kind],
                          qd[0], q[0], 1e3 * depth);
            if (kind < 2) {
                bad |= fabs(qd[0] - 0.5) > 0.005;
                bad |= fabs(q[0] - 1) > 0.03; /* 2 s at 0.5 m/s, less v^2 / (2 mu g) to get going */
            } else {
                bad |= !(qd[0] > 0.495);
                bad |= !(q[0] - 0.2 > -0.8 + 0.5 + 2 * 0.5 - 8e-3); /* ahead of the wall */
            }
            /* a ball jammed between a wall and the ground presses hard for its mass, which sets the
               compliance */
            bad |= !(depth < (kind == 2 && way[k].contact == SN_CONTACT_IMPLICIT ? 8e-3 : 2e-3));
            sn_world_free(world);
            sn_model_free(model);
        }
    assert_false(bad);
}

/* ----------------------------------------------------------------------------------------------- not finite */

TEST(a_step_that_overflows_changes_nothing_and_names_its_place) {
    struct way way[WAYS];
    const int n = ways_of(way);
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const sn_shape_def shape = sphere_of(0.1, 1);
    sn_model *ball = free_body(&shape);
    const int last = sn_model_nbody(model) - 1; /* light enough for the push to overflow at once */
    for (int k = 0; k < n; k++)
        for (int precision = SN_DOUBLE; precision <= SN_FLOAT; precision++)
            for (int cause = 0; cause < 3; cause++) { /* a push on the humanoid; on the ball; gains */
                sn_world_def def = def_of(&way[k]);
                def.precision = (sn_precision)precision;
                sn_world *world = world_of(&def);
                floor_of(world, NULL);
                sn_character *c = sn_world_character(world, member_of(world, model, NULL));
                sn_character *b = sn_world_character(world, member_of(world, ball, NULL));
                double q[MAX_NQ], q1[2][MAX_NQ], qd1[2][MAX_NV], q2[MAX_NQ], qd2[MAX_NV];
                set_gains(c, 0, 0, 1000, 100);
                stand_humanoid(c, q);
                put_body(b, (const double[3]){1, 1, 0.1}, NULL, NULL);
                for (int i = 0; i < 30; i++)
                    step_world(world);
                sn_contact *before = malloc(sizeof *before * (size_t)(sn_world_contact_count(world) + 1));
                const int contacts = sn_world_contact_count(world);
                assert_true(contacts > 0);
                memcpy(before, sn_world_contacts(world), sizeof *before * (size_t)contacts);
                const double time = sn_world_time(world);
                sn_character_get_state(c, q1[0], qd1[0]);
                sn_character_get_state(b, q1[1], qd1[1]);
                const double huge[3] = {precision ? 3e38 : 1.7e308, 0, precision ? 3e38 : 1.7e308},
                             zero[3] = {0};
                const double huge2[3] = {huge[0], huge[2], huge[0]};
                double kp[MAX_NV], kd[MAX_NV];
                if (cause == 2) {
                    for (int v = 0; v < sn_model_nv(model); v++)
                        kp[v] = kd[v] = v < 6 ? 0 : precision ? 3e38 : 1.7e308;
                    assert_int_equal(sn_character_set_gains(c, kp, kd), SN_OK);
                    double bent[MAX_NQ];
                    memcpy(bent, q, sizeof bent);
                    for (int i = 7; i < sn_model_nq(model); i++)
                        bent[i] += 2;
                    assert_int_equal(sn_character_set_target(c, bent, NULL), SN_OK);
                } else {
                    assert_int_equal(sn_character_set_push(cause ? b : c, cause ? 0 : last, huge, huge2),
                                     SN_OK);
                }
                sn_status status = SN_OK;
                int taken = 0;
                for (; taken < 3 && status == SN_OK; taken++) { /* the push may need a step to overflow */
                    sn_character_get_state(c, q1[0], qd1[0]);
                    sn_character_get_state(b, q1[1], qd1[1]);
                    status = sn_world_step(world);
                }
                const sn_world_stats stats = stats_of(world);
                if (status != SN_ERROR_NOT_FINITE)
                    fail_msg("%s, %s, cause %d: status %s after %d steps", way[k].name,
                             precision ? "float" : "double", cause, sn_status_name(status), taken);
                if (stats.bad_character != (cause == 1))
                    fail_msg("%s, %s, cause %d: character %d is named", way[k].name,
                             precision ? "float" : "double", cause, stats.bad_character);
                assert_true(stats.bad_dof >= 0 && stats.bad_dof < sn_model_nv(cause == 1 ? ball : model));
                sn_character *both[2] = {c, b};
                const sn_model *models[2] = {model, ball};
                for (int m = 0; m < 2; m++) {
                    sn_character_get_state(both[m], q2, qd2);
                    assert_memory_equal(q2, q1[m], sizeof *q2 * (size_t)sn_model_nq(models[m]));
                    assert_memory_equal(qd2, qd1[m], sizeof *qd2 * (size_t)sn_model_nv(models[m]));
                }
                if (taken == 1) {
                    assert_int_equal(sn_world_contact_count(world), contacts);
                    for (int i = 0; i < contacts; i++) {
                        const sn_contact *now = &sn_world_contacts(world)[i];
                        assert_memory_equal(now->force, before[i].force, sizeof now->force);
                        assert_memory_equal(now->pos, before[i].pos, sizeof now->pos);
                        assert_memory_equal(&now->gap, &before[i].gap, sizeof now->gap);
                    }
                    assert_true(sn_world_time(world) == time);
                    /* and goes on */
                    assert_int_equal(sn_character_set_push(cause == 1 ? b : c, cause ? 0 : last, zero, zero),
                                     SN_OK);
                    set_gains(c, 0, 0, 1000, 100);
                    assert_int_equal(sn_character_set_target(c, q, NULL), SN_OK);
                    for (int i = 0; i < 60; i++)
                        step_world(world);
                    assert_true(fastest(world) < 0.1);
                    assert_near(lowest_point(c), 0, 2e-3);
                } else {
                    print_message("  %s, %s, cause %d: caught in step %d\n", way[k].name,
                                  precision ? "float" : "double", cause, taken);
                }
                free(before);
                sn_world_free(world);
            }
    sn_model_free(model);
    sn_model_free(ball);
}

/* ------------------------------------------------------------------------------------- who touches whom */

TEST(one_that_is_not_active_stays_and_touches_nothing) {
    struct way way[WAYS];
    const int n = ways_of(way);
    const sn_shape_def shape = box_of(0.2, 0.2, 0.2, 1);
    sn_model *model = free_body(&shape);
    for (int k = 0; k < n; k++) {
        sn_world_def def = def_of(&way[k]);
        sn_world *world = world_of(&def);
        floor_of(world, NULL);
        for (int i = 0; i < 2; i++)
            member_of(world, model, NULL);
        put_body(sn_world_character(world, 0), (const double[3]){0, 0, 0.25}, NULL,
                 (const double[6]){0, 1, 0});
        put_body(sn_world_character(world, 1), (const double[3]){0, 0, 1}, NULL, NULL);
        assert_int_equal(sn_world_set_active(world, 0, false), SN_OK);
        double before[7], speed[6], q[7], qd[6];
        sn_character_get_state(sn_world_character(world, 0), before, speed);
        for (int i = 0; i < 300; i++) {
            step_world(world);
            for (int j = 0; j < sn_world_contact_count(world); j++)
                assert_true(sn_world_contacts(world)[j].character[0] == 1 &&
                            sn_world_contacts(world)[j].character[1] == -1);
        }
        sn_character_get_state(sn_world_character(world, 0), q, qd);
        assert_memory_equal(q, before, sizeof q);
        assert_memory_equal(qd, speed, sizeof qd);
        sn_character_get_state(sn_world_character(world, 1), q, qd);
        assert_near(q[2], 0.2, 2e-3); /* it fell through the other one to the floor */
        put_body(sn_world_character(world, 1), (const double[3]){0, 0, 1}, NULL, NULL);
        put_body(sn_world_character(world, 0), (const double[3]){0, 0, 0.25}, NULL, NULL);
        assert_int_equal(sn_world_set_active(world, 0, true), SN_OK);
        run(world, 1.5, def.dt);
        sn_character_get_state(sn_world_character(world, 1), q, qd);
        assert_near(q[2], 0.6, 4e-3);
        sn_world_free(world);
    }
    sn_model_free(model);
}

/* Whether two shapes with these bits touch, one fixed over the other. */
static bool bits_touch(uint32_t group1, uint32_t mask1, uint32_t group2, uint32_t mask2) {
    const sn_world_def def = sn_world_def_default();
    sn_world *world = world_of(&def);
    sn_shape_def shape[2] = {sphere_of(0.2, 1), sphere_of(0.2, 1)};
    shape[0].group = group1, shape[0].mask = mask1, shape[1].group = group2, shape[1].mask = mask2;
    sn_model *model[2];
    for (int i = 0; i < 2; i++) {
        model[i] = free_body(&shape[i]);
        put_body(sn_world_character(world, member_of(world, model[i], NULL)),
                 (const double[3]){0, 0, 0.39 * i}, NULL, NULL);
    }
    step_world(world);
    const bool touch = sn_world_contact_count(world) > 0;
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

/* A trunk with an arm of two links folded back onto it. Pairs in touch, as bits: 1 trunk-upper, 2
   upper-lower, 4 trunk-lower. */
static unsigned self_touch(bool self_collision, bool excluded) {
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
    sn_world_def def = sn_world_def_default();
    def.gravity[2] = 0;
    sn_world *world = world_of(&def);
    sn_member_def member = sn_member_def_default();
    member.self_collision = self_collision;
    member_of(world, model, &member);
    step_world(world);
    unsigned pairs = 0;
    for (int i = 0; i < sn_world_contact_count(world); i++) {
        const sn_contact *c = &sn_world_contacts(world)[i];
        const int sum = c->body[0] + c->body[1];
        pairs |= sum == 1 ? 1 : sum == 3 ? 2 : 4;
    }
    sn_world_free(world);
    sn_model_free(model);
    return pairs;
}

TEST(bodies_of_one_character_touch_when_it_wants_that) {
    assert_int_equal(self_touch(false, false), 0);
    assert_int_equal(self_touch(true, false), 4); /* never parent and child */
    assert_int_equal(self_touch(true, true), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_slides_above_the_angle_of_friction_and_not_below),
        cmocka_unit_test(a_ball_rolls_down_without_slipping),
        cmocka_unit_test(a_ball_bounces_to_the_square_of_its_restitution),
        cmocka_unit_test(a_pile_of_capsules_settles),
        cmocka_unit_test(a_pendulum_keeps_its_limits),
        cmocka_unit_test(contact_between_characters_conserves_momentum),
        cmocka_unit_test(rigid_bodies_conserve_momentum_over_a_whole_run),
        cmocka_unit_test(pins_hold_a_chain_and_close_a_loop),
        cmocka_unit_test(the_mouse_pulls_a_body_to_its_target),
        cmocka_unit_test(paths_settle_as_their_oscillator_does),
        cmocka_unit_test(moving_ground_carries_and_pushes),
        cmocka_unit_test(a_step_that_overflows_changes_nothing_and_names_its_place),
        cmocka_unit_test(one_that_is_not_active_stays_and_touches_nothing),
        cmocka_unit_test(groups_and_masks_choose_who_touches),
        cmocka_unit_test(bodies_of_one_character_touch_when_it_wants_that),
    };
    return cmocka_run_group_tests_name("world physics", tests, NULL, NULL);
}
