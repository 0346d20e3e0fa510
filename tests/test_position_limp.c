/* Limp characters under the position stepper gain no energy. SINEW_DROPS=1: as many drops as the project's targets speak of (make
 * position-crowd); else a few. */
#include "copies_helpers.h"

#include "base/quat.h"

struct drops {
    sn_precision precision;
    sn_scheme scheme;
    double hertz, kd;
    int copies;
    bool ground;
};

static sn_world *world_of_drops(const sn_model *model, const struct drops *d) {
    sn_world_def def = sn_world_def_default();
    def.stepper = SN_STEPPER_POSITION, def.form = SN_FORM_FULL;
    def.precision = d->precision, def.scheme = d->scheme, def.dt = 1 / d->hertz, def.copies = d->copies;
    sn_world *world = world_of(&def);
    if (d->ground) floor_of(world, NULL);
    member_of(world, model);
    uniform_gains(world, 0, 0, 0, 0, d->kd);
    return world;
}

/* Some pose, its lowest point a metre above the ground. */
static void drop_from(const sn_model *model, int seed, double spin, double *q, double *qd) {
    struct rng rng = {(uint64_t)seed};
    const sn_world_def def = sn_world_def_default();
    sn_world *one = world_of(&def);
    member_of(one, model);
    random_state(&rng, model, 0.3, spin, q, qd);
    random_quaternion(&rng, q + 3);
    assert_int_equal(sn_world_set_state(one, 0, q, qd), SN_OK);
    q[2] += 1 - lowest_point(one, 0);
    sn_world_free(one);
}

static double energy_of_copy(sn_world *world, int copy) {
    sn_summary s;
    assert_int_equal(sn_world_summary(world, 0, copy, &s), SN_OK);
    return s.kinetic + s.potential;
}

/* Random poses may be beyond joint limits, which push back: nothing counts in the first quarter of a second. The ground comes
   later. */
static void try_drops(const sn_model *model, const struct drops *d, double seconds, struct worst *won,
                      struct worst *limits) {
    sn_world *world = world_of_drops(model, d);
    double *before = calloc((size_t)d->copies, sizeof *before), q[MAX_NQ], qd[MAX_NV];
    for (int i = 0; i < d->copies; i++) {
        drop_from(model, i + 1, 1, q, qd);
        copy_put(world, 0, i, q, qd);
        before[i] = energy_of_copy(world, i);
    }
    for (int step = 0; step < seconds * d->hertz; step++) {
        step_world(world);
        assert_int_equal(stats_of(world).diverged, 0);
        for (int i = 0; i < d->copies; i++) {
            const double now = energy_of_copy(world, i);
            copy_get(world, 0, i, q, NULL);
            if (step >= 0.25 * d->hertz) {
                const char *precision = d->precision == SN_PRECISION_FLOAT ? "float" : "double";
                worst_add(won, now - before[i], "%s, scheme %d, %g Hz, kd %g, copy %d, step %d", precision,
                          (int)d->scheme, d->hertz, d->kd, i, step);
                worst_add(limits, past_limits(model, q) * 180 / M_PI,
                          "%s, scheme %d, %g Hz, kd %g, copy %d, step %d", precision, (int)d->scheme,
                          d->hertz, d->kd, i, step);
            }
            before[i] = now;
        }
    }
    free(before);
    sn_world_free(world);
}

/* Four sweeps gained 20 kJ in a step, a search that was not over 50 J, and BDF2 threw limbs back from what they had hit. */
TEST(limp_humanoids_that_are_dropped_win_nothing_and_keep_their_limits) {
    static const double hertz[] = {240, 120, 60, 30}, kd[] = {0, 0.5, 2};
    const bool all = getenv("SINEW_DROPS") != NULL;
    sn_model *model = sn_builtin_create("humanoid", NULL);
    struct worst damped = {0}, undamped = {0}, coarse = {0}, limits = {0};
    for (int way = 0; way < 4; way++)
        for (int k = 0; k < COUNT(kd); k++) {
            struct drops d = {way & 1 ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE,
                              way & 2 ? SN_SCHEME_BDF2 : SN_SCHEME_PBAD2,
                              10,
                              kd[k],
                              all          ? 100
                              : in_short() ? 1
                                           : 4,
                              true};
            const double seconds = all ? 5 : in_short() ? 0.4 : 1.2;
            try_drops(model, &d, seconds, &coarse, &limits);
            for (int h = in_short() ? 2 : 0; h < COUNT(hertz); h++) {
                d.hertz = hertz[h];
                try_drops(model, &d, seconds, kd[k] > 0 ? &damped : &undamped, &limits);
            }
        }
    sn_model_free(model);
    print_message("  at 10 Hz %.3g J won (%s)\n", coarse.value, coarse.where);
    assert_worst(&damped, 0.5, "won in one step, J");
    assert_worst(&undamped, 1, "won in one step without damping, J");
    assert_worst(&limits, 2, "degrees beyond a limit");
}

/* What was gained is taken from limbs that turn against each other, not from the whole. At a tenth of a second, in
   which limbs turn by half a radian, BDF2 changed the velocity of the centre of mass by 1.4 m/s; what is reported is
   that of the end of the step, not of its middle, so that it varies by some tenths. */
TEST(a_limp_humanoid_in_the_air_keeps_its_momentum_at_long_steps) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    struct worst worst = {0};
    for (int way = 0; way < 4; way++) {
        const struct drops d = {way & 1 ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE,
                                way & 2 ? SN_SCHEME_BDF2 : SN_SCHEME_PBAD2,
                                10,
                                0,
                                1,
                                false};
        for (int seed = 1; seed <= (in_short() ? 2 : 8); seed++) {
            sn_world *world = world_of_drops(model, &d);
            double q[MAX_NQ], qd[MAX_NV], before[6], after[6];
            drop_from(model, seed, 6, q, qd);
            copy_put(world, 0, 0, q, qd);
            momentum_of(world, 0, before);
            step_world(world);
            for (int step = 1; step < 10; step++) {
                step_world(world);
                momentum_of(world, 0, after);
                for (int k = 0; k < 2; k++)
                    worst_add(&worst, fabs(after[k] - before[k]) / sn_model_get(model)->mass,
                              "way %d, seed %d, step %d, axis %d", way, seed, step, k);
            }
            sn_world_free(world);
        }
    }
    sn_model_free(model);
    assert_worst(&worst, 0.5, "momentum for each kg, m/s");
}

/* Poses of the past from before an impact threw it back as fast as it had come. */
TEST(a_box_that_falls_on_the_ground_does_not_bounce_under_bdf2) {
    sn_shape_def box = sn_shape_def_default(SN_SHAPE_BOX);
    box.size[0] = box.size[1] = box.size[2] = 0.1;
    sn_model *model = body_of(box);
    struct worst worst = {0};
    for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++)
        for (int hertz = 240; hertz >= 30; hertz /= 2) {
            const struct drops d = {(sn_precision)precision, SN_SCHEME_BDF2, hertz, 0, 1, true};
            sn_world *world = world_of_drops(model, &d);
            const double at[3] = {0, 0, 1};
            double q[7], qd[6];
            put_body(world, 0, at, NULL, NULL);
            for (int step = 0; step < hertz; step++) {
                step_world(world);
                sn_world_get_state(world, 0, q, qd);
                worst_add(&worst, qd[2], "%s, %d Hz, step %d", precision ? "float" : "double", hertz, step);
            }
            assert_true(fabs(q[2] - 0.1) < 1e-3);
            sn_world_free(world);
        }
    sn_model_free(model);
    assert_worst(&worst, 0.1, "upwards, m/s");
}

/* With poses at constant velocity for its past, the first step of BDF2 has two thirds of gravity. */
TEST(a_body_that_is_thrown_keeps_its_energy_under_bdf2) {
    sn_shape_def ball = sn_shape_def_default(SN_SHAPE_SPHERE);
    ball.size[0] = 0.1;
    sn_model *model = body_of(ball);
    for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++)
        for (int speed = -3; speed <= 3; speed += 3) {
            const struct drops d = {(sn_precision)precision, SN_SCHEME_BDF2, 60, 0, 1, false};
            sn_world *world = world_of_drops(model, &d);
            const double at[3] = {0, 0, 1}, velocity[6] = {1, 0, speed, 0, 0, 0};
            put_body(world, 0, at, NULL, velocity);
            const double start = energy_of_copy(world, 0);
            run_for(world, 0.5, 1.0 / 60);
            const double changed = (energy_of_copy(world, 0) - start) / sn_model_get(model)->mass;
            if (!(fabs(changed) < (precision ? 1e-3 : 1e-9)))
                fail_msg("%s, %d m/s: %g J/kg", precision ? "float" : "double", speed, changed);
            sn_world_free(world);
        }
    sn_model_free(model);
}

/* A flat box, thrown with a spin; `scale` is its size. Leaves what it gained in a step at worst, by its energy at the start. */
static double throw_box(const struct drops *d, double scale, double spin) {
    sn_shape_def box = sn_shape_def_default(SN_SHAPE_BOX);
    box.size[0] = 0.3 * scale, box.size[1] = 0.2 * scale, box.size[2] = 0.02 * scale;
    sn_model *model = body_of(box);
    sn_world *world = world_of_drops(model, d);
    const double at[3] = {0, 0, 0.5}, velocity[6] = {1, 0, 0, 0.1 * spin, spin, 0.3 * spin};
    put_body(world, 0, at, NULL, velocity);
    const double start = energy_of_copy(world, 0);
    double before = start, won = 0;
    for (int step = 0; step < 3 * d->hertz; step++) {
        step_world(world);
        const double now = energy_of_copy(world, 0);
        won = fmax(won, (now - before) / start);
        before = now;
    }
    sn_world_free(world);
    sn_model_free(model);
    return won;
}

/* BDF2 gained half of the energy of a spin of 100 rad/s in a step. */
TEST(boxes_that_spin_or_are_tiny_stay_finite_and_win_nothing) {
    struct worst worst = {0};
    for (int way = 0; way < 8; way++) {
        const struct drops d = {way & 1 ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE,
                                way & 2 ? SN_SCHEME_BDF2 : SN_SCHEME_PBAD2,
                                60,
                                0,
                                1,
                                way & 4};
        for (double spin = 1; spin < 2e4; spin *= 10)
            worst_add(&worst, throw_box(&d, 1, spin), "way %d, %g rad/s", way, spin);
        for (double scale = 1; scale > 1e-4; scale /= 10) /* down to 10 micrograms */
            worst_add(&worst, throw_box(&d, scale, 3), "way %d, scale %g", way, scale);
    }
    assert_worst(&worst, 2e-3, "of its energy won in a step");
}

int main(void) {
    return run_all("limp characters under the position stepper");
}
