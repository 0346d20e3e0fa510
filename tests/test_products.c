/* Velocity products: at the middle of the step they are the implicit midpoint rule, polarised they are Kahan's, and either
 * keeps what spins from gaining energy. */
#include <stdlib.h>

#include "sinew/engine.h"
#include "products_helpers.h"

/* -------------------------------------------------------------------------------------------------- the table */

struct kept {
    double energy;   /* at the end, of that at the start */
    double momentum; /* size of the angular momentum, as above */
    double lost;     /* J, at the worst */
    double time;     /* s it lived */
};

static struct kept run(sn_world *world, double seconds, double dt) {
    sn_summary s, start;
    struct kept kept = {0};
    sn_world_summary(world, 0, 0, &start);
    const double E = start.kinetic + start.potential;
    const long n = lround(seconds / dt);
    for (long i = 0; i < n && sn_world_step(world) == SN_OK; i++) {
        sn_world_summary(world, 0, 0, &s);
        kept.lost = fmax(kept.lost, fabs(s.kinetic + s.potential - E));
        kept.time = (double)(i + 1) * dt;
    }
    kept.energy = (s.kinetic + s.potential) / E;
    kept.momentum = norm(s.angular_momentum, 3) / norm(start.angular_momentum, 3);
    return kept;
}

static sn_world_def free_def(int products, sn_setting setting, sn_precision precision, double dt) {
    sn_world_def def = products_def(products, precision, dt);
    def.report_torque = false;
    def.setting = setting;
    def.gravity[2] = 0;
    return def;
}

static struct kept spin_plate(sn_world_def def) {
    sn_shape_def box = sn_shape_def_default(SN_SHAPE_BOX);
    box.size[0] = 0.15, box.size[1] = 0.1, box.size[2] = 0.01;
    sn_model *model = body_of(box);
    sn_world *world = world_of(&def);
    const double w = 20 / sqrt(3), velocity[6] = {0, 0, 0, w, w, w};
    put_body(world, member_of(world, model), (const double[3]){0}, NULL, velocity);
    const struct kept kept = run(world, 60, def.dt);
    sn_world_free(world);
    sn_model_free(model);
    return kept;
}

static struct kept spin_top(sn_world_def def) {
    const double com[3] = {0, 0, 0.1}, inertia[3] = {0.006, 0.006, 0.01};
    const double tilt[4] = {cos(0.25), sin(0.25), 0, 0}, spin[3] = {0, 0, 100};
    sn_body_def body = simple_body("top", NULL, SN_JOINT_BALL, 1, com, inertia);
    sn_model *model = build_bodies(&body, 1);
    def.gravity[2] = -9.81;
    sn_world *world = world_of(&def);
    sn_world_set_state(world, member_of(world, model), tilt, spin);
    const struct kept kept = run(world, 10, def.dt);
    sn_world_free(world);
    sn_model_free(model);
    return kept;
}

static struct kept spin_humanoid(sn_world_def def, double kp, double kd, double speed) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world *world = world_of(&def);
    double q[MAX_NQ], qd[MAX_NV] = {0, 0, 0, 0.3 * speed, 0.3 * speed, sqrt(0.82) * speed};
    const int c = member_of(world, model);
    sn_model_zero_pose(model, q);
    uniform_gains(world, c, 0, 0, kp, kd);
    sn_world_set_state(world, c, q, qd);
    sn_world_set_target(world, c, q, NULL);
    const struct kept kept = run(world, 10, def.dt);
    sn_world_free(world);
    sn_model_free(model);
    return kept;
}

/* Every ball of a chain of 195 degrees of freedom swings by 0.75 rad, three times per second. The rms error, or infinity. */
static double swing_chain(sn_world_def def, double *time) {
    sn_model *model = sn_builtin_create("snake195", NULL);
    sn_world *world = world_of(&def);
    const int c = member_of(world, model);
    double q[MAX_NQ], target[MAX_NQ], dv[MAX_NV], square = 0;
    uniform_gains(world, c, 20000, 2000, 75000, 4000);
    sn_model_zero_pose(model, target);
    const long n = lround(10 / def.dt);
    for (long i = 0; i < n; i++) {
        for (int b = 1; b < sn_model_get(model)->nbody; b++) {
            const double half = 0.375 * sin(6 * M_PI * (double)(i + 1) * def.dt + 0.3 * b);
            double *x = target + sn_model_body(model, b)->q_index;
            x[0] = cos(half), x[b % 2 ? 2 : 3] = sin(half);
        }
        sn_world_set_target(world, c, target, NULL);
        if (sn_world_step(world) != SN_OK) break;
        sn_world_get_state(world, c, q, NULL);
        sn_model_pose_subtract(model, 1, q, target, dv);
        square += inner(dv + 6, dv + 6, sn_model_get(model)->nv - 6);
        *time = (double)(i + 1) * def.dt;
    }
    sn_world_free(world);
    sn_model_free(model);
    return sqrt(square * 3 / 189 / (double)n);
}

static const struct {
    const char *name;
    int products;
    sn_setting setting;
} way_of[] = {{"R, one", SN_PRODUCTS_MIDPOINT, SN_SETTING_CROWD},
              {"R, game", SN_PRODUCTS_MIDPOINT, SN_SETTING_GAME},
              {"R, exact", SN_PRODUCTS_MIDPOINT, SN_SETTING_EXACT},
              {"polarised", POLARISED, SN_SETTING_GAME}};

/* Calls for each way and each precision. */
#define EACH_WAY_OF(def, dt)                                                                                 \
    for (int k = 0; k < 2 * COUNT(way_of); k++)                                                              \
        for (sn_world_def                                                                                    \
                 def = free_def(way_of[k / 2].products, way_of[k / 2].setting, (sn_precision)(k % 2), dt),   \
                 *once = &def;                                                                               \
             once; once = NULL)

#define SAY(...)                                                                                             \
    (print_message("%-9s %-6s ", way_of[k / 2].name, k % 2 ? "float" : "double"), print_message(__VA_ARGS__))

TEST(a_plate_keeps_energy_and_momentum_for_a_minute) {
    const struct kept before =
        spin_plate(free_def(SN_PRODUCTS_EXPLICIT, SN_SETTING_GAME, SN_PRECISION_DOUBLE, 1.0 / 60));
    assert_true(before.time < 5);
    EACH_WAY_OF(def, 1.0 / 60) {
        const struct kept kept = spin_plate(def);
        SAY("energy %.4f, momentum %.4f\n", kept.energy, kept.momentum);
        assert_true(kept.time > 59.9);
        assert_near(kept.energy, 1, 0.01);
        assert_near(kept.momentum, 1, 0.01);
    }
}

TEST(a_heavy_top_keeps_its_energy) {
    assert_true(
        spin_top(free_def(SN_PRODUCTS_EXPLICIT, SN_SETTING_GAME, SN_PRECISION_DOUBLE, 1.0 / 120)).time < 9);
    EACH_WAY_OF(def, 1.0 / 60) {
        const struct kept kept = spin_top(def);
        SAY("%.5f J of 50 J\n", kept.lost);
        assert_true(kept.time > 9.9 && kept.lost < 0.05);
    }
}

/* What spins is no other matter between impacts. */
TEST(the_event_stepper_keeps_energy_of_what_spins) {
    sn_world_def before = free_def(SN_PRODUCTS_EXPLICIT, SN_SETTING_GAME, SN_PRECISION_DOUBLE, 1.0 / 60);
    before.stepper = SN_STEPPER_EVENT, before.contact = SN_CONTACT_ROWS;
    assert_true(spin_plate(before).time < 5);
    for (int k = 0; k < 4; k++) {
        sn_world_def def = free_def(k / 2 ? POLARISED : SN_PRODUCTS_MIDPOINT, SN_SETTING_GAME,
                                    (sn_precision)(k % 2), 1.0 / 60);
        def.stepper = SN_STEPPER_EVENT, def.contact = SN_CONTACT_ROWS;
        const struct kept plate = spin_plate(def), top = spin_top(def),
                          held = spin_humanoid(def, 3000, 300, 6);
        print_message("plate %.4f and %.4f, top %.5f J of 50 J, held humanoid %.4f\n", plate.energy,
                      plate.momentum, top.lost, held.energy);
        assert_true(plate.time > 59.9 && top.time > 9.9 && held.time > 9.9);
        assert_near(plate.energy, 1, 0.01);
        assert_near(plate.momentum, 1, 0.01);
        assert_true(top.lost < 0.05);
        def.stepper = SN_STEPPER_TIME;
        assert_near(held.energy / spin_humanoid(def, 3000, 300, 6).energy, 1, 0.01);
    }
}

static void check_humanoid(double kp, double kd, double speed) {
    const double fine =
        spin_humanoid(free_def(SN_PRODUCTS_MIDPOINT, SN_SETTING_GAME, SN_PRECISION_DOUBLE, 1.0 / 3840), kp,
                      kd, speed)
            .energy;
    print_message("fine                      %.4f\n", fine);
    EACH_WAY_OF(def, 1.0 / 60) {
        const struct kept kept = spin_humanoid(def, kp, kd, speed);
        SAY("energy %.4f\n", kept.energy);
        assert_near(kept.energy / fine, 1, 0.05);
    }
}

TEST(a_humanoid_that_is_held_spins_like_the_fine_solution) {
    const sn_world_def def = free_def(SN_PRODUCTS_EXPLICIT, SN_SETTING_GAME, SN_PRECISION_DOUBLE, 1.0 / 60);
    assert_true(spin_humanoid(def, 3000, 300, 6).energy > 10);
    check_humanoid(3000, 300, 6);
}

TEST(a_limp_humanoid_spins_like_the_fine_solution) {
    const sn_world_def def = free_def(SN_PRODUCTS_EXPLICIT, SN_SETTING_GAME, SN_PRECISION_DOUBLE, 1.0 / 60);
    assert_true(spin_humanoid(def, 0, 1, 10).energy > 1);
    check_humanoid(0, 1, 10);
    check_humanoid(0, 0.3, 10);
}

TEST(a_long_chain_lives_through_fast_targets) {
    double time = 0;
    swing_chain(free_def(SN_PRODUCTS_EXPLICIT, SN_SETTING_GAME, SN_PRECISION_DOUBLE, 1.0 / 60), &time);
    assert_true(time < 2);
    for (int rate = 60; rate <= 120; rate *= 2)
        EACH_WAY_OF(def, 1.0 / rate) {
            const double error = swing_chain(def, &time);
            SAY("1/%d s: %.4f rad\n", rate, error);
            assert_true(time > 9.9 && error < 0.5);
        }
}

/* ------------------------------------------------------------------------------------------------------- lanes */

/* Copies with states of their own: each does what it does alone, bit by bit. */
static void check_alone(sn_world_def def, bool ground, const char *what) {
    enum { COPIES = 5, STEPS = 40 };
    static double together[COPIES][MAX_NQ], alone[MAX_NQ];
    sn_model *model = mixed_model(11, MIX_LIMIT | MIX_PASSIVE);
    const int nq = sn_model_get(model)->nq, nv = sn_model_get(model)->nv;
    for (int pass = -1; pass < COPIES; pass++) {
        def.copies = pass < 0 ? COPIES : 1;
        sn_world *world = world_of(&def);
        const int c = member_of(world, model);
        if (ground) floor_of(world, NULL);
        uniform_gains(world, c, 0, 0, 100, 5);
        for (int i = 0; i < COPIES; i++) {
            double q[MAX_NQ], qd[MAX_NV];
            struct rng rng = {(uint64_t)i + 1};
            random_state(&rng, model, 0.5, i == 2 ? 0.01 : 2.0 + i, q, qd);
            q[2] += 0.6;
            if (pass >= 0 && i != pass) continue;
            sn_world_set(world, c, SN_FIELD_Q, pass < 0 ? i : 0, 1, q);
            sn_world_set(world, c, SN_FIELD_QD, pass < 0 ? i : 0, 1, qd);
        }
        for (int k = 0; k < STEPS; k++)
            step_world(world);
        if (pass < 0)
            for (int i = 0; i < COPIES; i++)
                sn_world_get(world, c, SN_FIELD_Q, i, 1, together[i]);
        else {
            sn_world_get(world, c, SN_FIELD_Q, 0, 1, alone);
            if (memcmp(alone, together[pass], sizeof *alone * (size_t)nq) != 0)
                fail_msg("%s: copy %d differs from its like alone by %g", what, pass,
                         largest_difference(alone, together[pass], nq));
        }
        sn_world_free(world);
    }
    (void)nv;
    sn_model_free(model);
}

TEST(a_copy_has_the_bits_it_has_alone) {
    for (int k = 0; k < COUNT(way_of); k++)
        for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++)
            for (int more = 0; more < 8; more++) {
                char what[64];
                sn_world_def def = products_def(way_of[k].products, (sn_precision)precision, 1.0 / 120);
                def.setting = way_of[k].setting;
                def.lanes = precision ? "f32x4" : "f64x2";
                def.torque_limits = more & 1;
                def.joint_limits = more & 2;
                snprintf(what, sizeof what, "%s, %s, limits %d%s", way_of[k].name, def.lanes, more & 3,
                         more & 4 ? ", ground" : "");
                check_alone(def, more & 4, what);
            }
}

/* -------------------------------------------------------------------------------------------------- predictions */

enum { CROWD = 12 };

/* A crowd in free space whose drives lead it back to the zero pose; every other copy turns so fast that the last acceleration
   says little about the next one, where `wild`. */
static sn_world *air_crowd(const sn_model *model, sn_setting setting, int products, sn_precision precision,
                           bool wild) {
    sn_world_def def = free_def(products, setting, precision, 1.0 / 60);
    def.copies = CROWD;
    def.lanes = precision ? "f32x4" : "f64x2";
    sn_world *world = world_of(&def);
    const int c = member_of(world, model);
    double q[MAX_NQ], qd[MAX_NV];
    struct rng rng = {11};
    uniform_gains(world, c, 0, 0, 3000, 300);
    for (int i = 0; i < CROWD; i++) {
        random_state(&rng, model, 0.3, i % 2 && wild ? 8 : 0.5, q, qd);
        assert_int_equal(sn_world_set(world, c, SN_FIELD_Q, i, 1, q), 0);
        assert_int_equal(sn_world_set(world, c, SN_FIELD_QD, i, 1, qd), 0);
    }
    return world;
}

static void walk_on(sn_world *world, int steps) {
    for (int i = 0; i < steps; i++)
        assert_int_equal(sn_world_step(world), SN_OK);
}

/* Copies whose guess is off are solved once more, with their neighbours in the same lanes: whose bits stay. */
TEST(a_wrong_guess_changes_no_neighbour) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++) {
        sn_world *calm =
                     air_crowd(model, SN_SETTING_CROWD, SN_PRODUCTS_MIDPOINT, (sn_precision)precision, false),
                 *mixed =
                     air_crowd(model, SN_SETTING_CROWD, SN_PRODUCTS_MIDPOINT, (sn_precision)precision, true);
        double a[MAX_NQ], b[MAX_NQ];
        walk_on(calm, 90);
        walk_on(mixed, 90);
        for (int i = 0; i < CROWD; i += 2) {
            sn_world_get(calm, 0, SN_FIELD_Q, i, 1, a);
            sn_world_get(mixed, 0, SN_FIELD_Q, i, 1, b);
            assert_memory_equal(a, b, sizeof *a * (size_t)sn_model_get(model)->nq);
        }
        sn_world_free(calm);
        sn_world_free(mixed);
    }
    sn_model_free(model);
}

/* The last acceleration is part of what a saved state holds: without it the steps after it would have other bits. */
TEST(a_saved_state_holds_the_guess) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world *world = air_crowd(model, SN_SETTING_CROWD, SN_PRODUCTS_MIDPOINT, SN_PRECISION_FLOAT, true);
    walk_on(world, 20);
    const size_t size = sn_world_save_state(world, NULL, 0);
    void *bytes = malloc(size);
    assert_true(bytes && sn_world_save_state(world, bytes, size) == size);
    walk_on(world, 20);
    const uint64_t hash = sn_world_hash(world);
    assert_int_equal(sn_world_load_state(world, bytes, size, NULL), SN_OK);
    walk_on(world, 20);
    assert_true(sn_world_hash(world) == hash);
    /* and a reset forgets it: not the state alone decides */
    assert_int_equal(sn_world_load_state(world, bytes, size, NULL), SN_OK);
    assert_int_equal(sn_world_reset(world, -1, NULL, NULL, NULL), SN_OK);
    walk_on(world, 20);
    assert_true(sn_world_hash(world) != hash);
    free(bytes);
    sn_world_free(world);
    sn_model_free(model);
}

/* How far a crowd is from one with converged products after a second, rad/s, at the worst. */
static double off_converged(const sn_model *model, sn_setting setting, int products) {
    sn_world *world = air_crowd(model, setting, products, SN_PRECISION_DOUBLE, false),
             *converged =
                 air_crowd(model, SN_SETTING_EXACT, SN_PRODUCTS_MIDPOINT, SN_PRECISION_DOUBLE, false);
    double a[MAX_NV], b[MAX_NV], most = 0;
    walk_on(world, 60);
    walk_on(converged, 60);
    for (int i = 0; i < CROWD; i++) {
        sn_world_get(world, 0, SN_FIELD_QD, i, 1, a);
        sn_world_get(converged, 0, SN_FIELD_QD, i, 1, b);
        most = fmax(most, largest_difference(a, b, sn_model_get(model)->nv));
    }
    sn_world_free(world);
    sn_world_free(converged);
    return most;
}

/* Guessed or refined to the end, the middle of the step is nearly the same; the start of it is not. */
TEST(guesses_stay_near_the_converged_middle) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const double start = off_converged(model, SN_SETTING_CROWD, SN_PRODUCTS_EXPLICIT);
    const double game = off_converged(model, SN_SETTING_GAME, SN_PRODUCTS_MIDPOINT),
                 crowd = off_converged(model, SN_SETTING_CROWD, SN_PRODUCTS_MIDPOINT);
    print_message("explicit %.1e, game %.1e, crowd %.1e rad/s\n", start, game, crowd);
    assert_true(game > 0 && game < 0.1 * start);
    assert_true(crowd > 0 && crowd < 0.1 * start);
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------------- with the rest */

/* A drive far beyond its torque limit: the middle of the step is that of what the limit leaves. */
TEST(a_drive_at_its_torque_limit_wins_nothing) {
    for (int products = SN_PRODUCTS_MIDPOINT; products <= POLARISED; products++) {
        sn_model *model = sn_builtin_create("humanoid", NULL);
        sn_world_def def = free_def(products, SN_SETTING_GAME, SN_PRECISION_DOUBLE, 1.0 / 60);
        def.torque_limits = true;
        sn_world *world = world_of(&def);
        const int c = member_of(world, model), nv = sn_model_get(model)->nv;
        double limit[MAX_NV], q[MAX_NQ], qd[MAX_NV];
        struct rng rng = {4};
        for (int v = 0; v < nv; v++)
            limit[v] = 1e-3;
        random_state(&rng, model, 1, 3, q, qd);
        uniform_gains(world, c, 0, 0, 75000, 4000);
        sn_world_set(world, c, SN_FIELD_TORQUE_LIMIT, 0, 1, limit);
        sn_world_set_state(world, c, q, qd);
        const struct kept kept = run(world, 1, def.dt);
        print_message("%s: energy %.4f\n",
                      products == SN_PRODUCTS_MIDPOINT ? "midpoint"
                      : products == POLARISED          ? "polarised"
                                                       : "explicit",
                      kept.energy);
        if (products != SN_PRODUCTS_EXPLICIT) assert_near(kept.energy, 1, 0.15);
        sn_world_free(world);
        sn_model_free(model);
    }
}

int main(void) {
    return run_all("products");
}
