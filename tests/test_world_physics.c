/* What worlds do on the ground, against what mechanics says: friction, bounces, piles, moving ground. */
#include "world_helpers.h"

#include "base/quat.h"

static const double g = 9.81;

/* ----------------------------------------------------------------------------------------------- friction */

/* A box at rest on a slope: how far down it is and how fast after some time. */
static void slide_down(const struct way *way, double mu, double angle, bool on_box, double seconds,
                       double *distance, double *speed) {
    const sn_world_def def = def_of(way);
    slide_box(&def, &(struct slide){.mu = mu, .angle = angle, .seconds = seconds, .on_box = on_box}, distance,
              speed);
}

TEST(a_box_slides_above_the_angle_of_friction_and_not_below) {
    static const double mus[] = {0.3, 0.5, 0.8}, degree = M_PI / 180;
    bool bad = false;
    for (const struct way *way = ways(); way->name[0]; way++) {
        struct worst crept = {0}, slid = {0};
        for (int on_box = 0; on_box < 2; on_box++)
            for (int i = 0; i < COUNT(mus); i++) {
                double x, v;
                const double critical = atan(mus[i]);
                slide_down(way, mus[i], critical - 0.5 * degree, on_box, 2, &x, &v);
                worst_add(&crept, fabs(x), "%s, mu %g, %s", way->name, mus[i], on_box ? "box" : "plane");
                static const double above[] = {0.5, 5, 15};
                for (int j = 0; j < COUNT(above); j++) {
                    const double a = critical + above[j] * degree, right = g * (sin(a) - mus[i] * cos(a));
                    slide_down(way, mus[i], a, on_box, 1, &x, &v);
                    worst_add(&slid, fabs(v - right) / right, "%s, mu %g, %s, %g degrees above", way->name,
                              mus[i], on_box ? "box" : "plane", above[j]);
                }
            }
        print_message("  %s: creeps %.2g m in 2 s half a degree below; acceleration off by %.2g (%s)\n",
                      way->name, crept.value, slid.value, slid.where);
        bad |= !(crept.value <= 1e-3) || !(slid.value <= 0.02);
    }
    assert_false(bad);
}

TEST(a_ball_rolls_down_without_slipping) {
    bool bad = false;
    for (const struct way *way = ways(); way->name[0]; way++)
        for (int i = 0; i < 2; i++) {
            const sn_world_def def = def_of(way);
            sn_world *world = world_of(&def);
            const double a = i ? 0.45 : 0.15, normal[3] = {-sin(a), 0, cos(a)}, zero[3] = {0}, r = 0.1;
            assert_int_equal(sn_world_add_plane(world, zero, normal, NULL, NULL), 0);
            const sn_shape_def ball = sphere_of(r, 2);
            sn_model *model = free_body(&ball);
            const int c = member_of(world, model);
            const double pos[3] = {r * normal[0], 0, r * normal[2]};
            put_body(world, c, pos, NULL, NULL);
            run_for(world, 1, def.dt);
            double qd[6];
            sn_world_get_state(world, c, NULL, qd);
            const double speed = -qd[0] * cos(a) - qd[2] * sin(a), right = 5.0 / 7 * g * sin(a);
            print_message("  %s: %.3g rad, acceleration off by %.2g\n", way->name, a, speed / right - 1);
            bad |= fabs(speed / right - 1) > 0.02;
            end_scene(world, model);
        }
    assert_false(bad);
}

/* ------------------------------------------------------------------------------------------------ bounces */

/* Height of the first bounce over the height of the fall. */
static double bounce(sn_stepper stepper, double e, double height, double rate) {
    sn_world_def def = rows_def();
    def.dt = 1 / rate, def.stepper = stepper;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    sn_shape_def ball = sphere_of(0.1, 1);
    ball.restitution = e;
    sn_model *model = free_body(&ball);
    const int c = member_of(world, model);
    put_body(world, c, (const double[3]){0, 0, 0.1 + height}, NULL, NULL);
    double q[7], qd[6], most = 0;
    bool up = false;
    const int steps = (int)(rate * 2.5 * sqrt(2 * height / g));
    for (int i = 0; i < steps; i++) {
        step_world(world);
        sn_world_get_state(world, c, q, qd);
        if (qd[2] > 0) up = true;
        if (up && qd[2] < 0) break;
        if (up) most = fmax(most, q[2] - 0.1);
    }
    end_scene(world, model);
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
static double capsule_gap(sn_world *world, int a, int b, double radius, double half) {
    enum { N = 41 };
    double x[2][3], axis[2][3], rot[4], least = HUGE_VAL;
    const int c[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        body_pose(world, c[i], 0, x[i], rot);
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
        put_body(world, member_of(world, model), pos, rot, NULL);
    }
    for (int i = 0; i < 4; i++) { /* walls: what rolls must not roll for ever */
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
        p.depth_seen = fmax(p.depth_seen, -lowest_point(world, i));
        for (int j = 0; j < i; j++)
            p.depth_seen = fmax(p.depth_seen, -capsule_gap(world, i, j, radius, half));
    }
    for (int i = 0; i < count; i++) {
        sn_summary summary;
        assert_int_equal(sn_world_summary(world, i, 0, &summary), SN_OK);
        p.kinetic += summary.kinetic / start;
    }
    end_scene(world, model);
    return p;
}

TEST(a_pile_of_capsules_settles) {
    bool bad = false;
    for (const struct way *way = ways(); way->name[0]; way++) {
        if (way->friction != SN_FRICTION_CONE) continue;
        const struct pile p = drop_pile(way, FAST ? 10 : 50, FAST ? 1 : 4, 240);
        print_message(
            "  %s: energy grew by %.2g of the first; depth %.2g mm falling, %.2g mm in the last second, "
            "%.2g mm as seen from outside; %.2g of the energy still moves; residual %.2g m/s; %d contacts\n",
            way->name, p.grew, 1e3 * p.depth_moving, 1e3 * p.depth_rest, 1e3 * p.depth_seen, p.kinetic,
            p.residual, p.contacts);
        /* the time stepper takes normals for fixed over a step, while capsules that fall roll over each
           other */
        const double moving = way->stepper == SN_STEPPER_EVENT ? 2e-3 : 6e-3;
        bad |= p.grew > (way->contact == SN_CONTACT_IMPLICIT ? 0.01 : 1e-3);
        bad |= p.depth_moving > moving || p.depth_rest > 2e-3 || p.depth_seen > 2e-3;
        bad |= !FAST && p.kinetic > 1e-4; /* what rolls has nothing to stop it */
    }
    assert_false(bad);
}

/* -------------------------------------------------------------------------------------------- moving ground */

TEST(moving_ground_carries_and_pushes) {
    bool bad = false;
    for (const struct way *way = ways(); way->name[0]; way++)
        for (int kind = 0; kind < 3; kind++) { /* carried by a plane, by a box; pushed by a box */
            sn_world_def def = def_of(way);
            sn_world *world = world_of(&def);
            const double velocity[3] = {0.5, 0, 0}, turn[4] = {1, 0, 0, 0}, under[3] = {0, 0, -0.5};
            const double behind[3] = {-0.8, 0, 0.6}, zero[3] = {0};
            const sn_shape_def slab = box_of(3, 3, 0.5, 1), wall = box_of(0.5, 0.5, 0.5, 1);
            const sn_shape_def shape = kind == 2 ? sphere_of(0.2, 1) : box_of(0.2, 0.2, 0.1, 1);
            sn_model *model = free_body(&shape);
            const int c = member_of(world, model);
            put_body(world, c, (const double[3]){0, 0, kind == 2 ? 0.2 : 0.1}, NULL, NULL);
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
            sn_world_get_state(world, c, q, qd);
            static const char *const name[] = {"carried by a plane", "carried by a box", "pushed by a box"};
            print_message("  %s, %s: speed %.4g of 0.5, at %.4g m, depth %.2g mm\n", way->name, name[kind],
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
            bad |= !(depth < (kind == 2 && way->contact == SN_CONTACT_IMPLICIT ? 8e-3 : 2e-3));
            end_scene(world, model);
        }
    assert_false(bad);
}

int main(void) {
    return run_all("world physics");
}
