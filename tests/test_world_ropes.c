/* Ropes of links that are pinned to each other, with a heavy end: they stay together, and gain no energy. */
#include "world_helpers.h"

static const double LENGTH = 0.2, MASS = 0.1;
static const double TOP = 2; /* where the first link hangs */

enum start { KICKED, LEVEL, UPRIGHT };
static const char *const start_name[] = {"kicked", "level", "upright"};

/* A rope along `angle` from straight down. Its links have their +z towards the one before. */
static int hang_rope(sn_world *world, const sn_model *link, const sn_model *end, int n, enum start start,
                     sn_constraint *pin) {
    const double angle = start == LEVEL ? M_PI / 2 : start == UPRIGHT ? 0.9 * M_PI : 0;
    const double along[3] = {sin(angle), 0, -cos(angle)};
    double rot[4];
    turn_about((const double[3]){0, 1, 0}, -angle, rot);
    for (int i = 0; i < n; i++) {
        const bool last = i == n - 1;
        const int member = member_of(world, last ? end : link);
        double pos[3] = {0, 0, TOP}, velocity[6] = {0};
        axpy((i + 0.5) * LENGTH, along, pos, 3);
        if (last && start == KICKED) velocity[0] = 3, velocity[1] = 0.5;
        put_body(world, member, pos, rot, velocity);
        sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_PIN);
        d.member = member, d.member2 = member - 1;
        d.point[2] = LENGTH / 2, d.point2[2] = i ? -LENGTH / 2 : TOP;
        pin[i] = sn_world_add_constraint(world, &d, NULL);
        assert_true(pin[i] != 0);
    }
    return n;
}

static double farthest(const sn_world *world, const sn_constraint *pin, int n) {
    double most = 0, far;
    for (int i = 0; i < n; i++) {
        assert_int_equal(constraint_error(world, pin[i], 0, &far, NULL), SN_OK);
        most = fmax(most, far);
    }
    return most;
}

static void swing_rope(int n, double ratio, enum start start, sn_precision precision, double seconds) {
    sn_world_def def = sn_world_def_default();
    def.dt = 1.0 / 60, def.precision = precision;
    sn_world *world = world_of(&def);
    sn_model *link = body_of(capsule_of(0.02, LENGTH / 2 - 0.02, MASS)),
             *end = body_of(capsule_of(0.02, LENGTH / 2 - 0.02, ratio * MASS));
    sn_constraint pin[20];
    hang_rope(world, link, end, n, start, pin);
    const double scale = 9.81 * MASS * LENGTH * (0.5 * n * n + (ratio - 1) * (n - 0.5)),
                 before = energy_of(world);
    double apart = 0, won = 0;
    for (int i = 0; i < 60 * seconds; i++) {
        step_world(world);
        const double far = farthest(world, pin, n);
        assert_near(stats_of(world).apart, far, precision == SN_PRECISION_FLOAT ? 1e-6 : 1e-12);
        apart = fmax(apart, far);
        won = fmax(won, energy_of(world) - before);
    }
    if (!(apart < 0.01 * LENGTH) || !(won < 0.01 * scale))
        fail_msg("%d links, 1 : %g, %s: %.3f %% of a link apart, %.3f %% of the energy won", n, ratio,
                 start_name[start], 100 * apart / LENGTH, 100 * won / scale);
    sn_world_free(world);
    sn_model_free(link), sn_model_free(end);
}

TEST(ropes_of_pins_hold_any_heavy_end) {
    static const int links[] = {3, 6, 12, 20};
    static const double ratio[] = {1, 10, 100};
    for (int i = 0; i < 4 - FAST; i++)
        for (int k = 0; k < 3; k++)
            for (int s = KICKED; s <= UPRIGHT; s++)
                swing_rope(links[i], ratio[k], (enum start)s, SN_PRECISION_DOUBLE, FAST ? 1 : 4);
}

TEST(ropes_in_float_hold_as_well) {
    for (int k = 0; k < 3; k++)
        for (int s = KICKED; s <= UPRIGHT; s++)
            swing_rope(5, pow(10, k), (enum start)s, SN_PRECISION_FLOAT, FAST ? 1 : 4);
}

/* A pendulum of one link keeps swinging: nothing that turns slowly is damped. J v+ = 0 brakes it by g h / l. */
TEST(a_pinned_link_keeps_its_swing) {
    sn_world_def def = sn_world_def_default();
    def.dt = 1.0 / 60;
    sn_world *world = world_of(&def);
    sn_model *link = body_of(capsule_of(0.02, 0.5, 1));
    sn_constraint pin[1];
    const double angle = 1, pos[3] = {0.5 * LENGTH * sin(angle), 0, TOP - 0.5 * LENGTH * cos(angle)};
    hang_rope(world, link, link, 1, KICKED, pin);
    double rot[4], highest = 0, x[3];
    turn_about((const double[3]){0, 1, 0}, -angle, rot);
    put_body(world, 0, pos, rot, NULL);
    for (int i = 0; i < 60 * 60; i++) {
        step_world(world);
        body_pose(world, 0, 0, x, NULL);
        if (i >= 58 * 60) highest = fmax(highest, x[2]);
    }
    print_message("  after a minute it swings to %.4f of its height\n",
                  (highest - TOP + 0.5 * LENGTH) / (pos[2] - TOP + 0.5 * LENGTH));
    assert_near(highest, pos[2], 0.02 * (pos[2] - TOP + 0.5 * LENGTH));
    sn_world_free(world);
    sn_model_free(link);
}

/* A body that two pins draw to places 0.3 m apart, with 0.2 m between its own points: they cannot hold, and that is reported. */
TEST(what_is_apart_is_told) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = world_of(&def);
    sn_model *link = body_of(capsule_of(0.02, LENGTH / 2 - 0.02, MASS));
    const int member = member_of(world, link);
    sn_constraint pin[2];
    put_body(world, member, (const double[3]){0, 0, TOP}, NULL, NULL);
    for (int i = 0; i < 2; i++) {
        sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_PIN);
        d.member = member;
        d.point[2] = (i ? -0.5 : 0.5) * LENGTH, d.point2[2] = TOP + (i ? -0.15 : 0.15);
        pin[i] = sn_world_add_constraint(world, &d, NULL);
    }
    run_for(world, 1, def.dt);
    const double far = farthest(world, pin, 2);
    assert_near(stats_of(world).apart, far, 1e-12);
    assert_true(far > 0.049);
    sn_world_remove_constraint(world, pin[1]);
    run_for(world, 1, def.dt);
    assert_true(stats_of(world).apart < 1e-4);
    sn_world_free(world);
    sn_model_free(link);
}

int main(void) {
    return run_all("world_ropes");
}
