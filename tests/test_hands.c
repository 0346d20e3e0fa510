/* Limp humanoids with hands of 15 small bodies each, undamped, dropped: fingers are 10,000 times lighter than what falls on
 * them, and nevertheless every step settles, within the sweeps of the setting, and no finger bends backwards.
 * SINEW_DROPS=1 drops as many as the project's targets speak of; else a few. */
#include "world_helpers.h"

#include "scenes/hands.h"

#include <time.h>

static bool all_of_them(void) {
    return getenv("SINEW_DROPS") != NULL;
}

struct drop {
    sn_precision precision;
    double hertz, kd, seconds;
    bool self;
    int seed;
};

/* What was seen of all drops. */
struct seen {
    struct worst won, past;
    int steps, unsettled, sweeps, rows;
};

/* A random pose, its lowest point half a metre above the ground. */
static sn_world *drop_of(const sn_model *model, const struct drop *d) {
    double q[MAX_NQ], qd[MAX_NV];
    struct rng rng = {(uint64_t)d->seed};
    sn_world_def def = sn_world_def_default();
    def.dt = 1 / d->hertz, def.precision = d->precision, def.self_contact = d->self;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    member_of(world, model);
    uniform_gains(world, 0, 0, 0, 0, d->kd);
    random_state(&rng, model, 0.3, 1, q, qd);
    random_quaternion(&rng, q + 3);
    assert_int_equal(sn_world_set_state(world, 0, q, qd), SN_OK);
    q[2] += 0.5 - lowest_point(world, 0);
    assert_int_equal(sn_world_set_state(world, 0, q, qd), SN_OK);
    return world;
}

/* Random poses may be beyond joint limits, which push back: until then nothing counts. */
static const double BEGIN = 0.25;

static void try_drop(const sn_model *model, const struct drop *d, struct seen *seen) {
    double q[MAX_NQ];
    sn_world *world = drop_of(model, d);
    double before = energy_of(world);
    for (int i = 0; i < d->seconds * d->hertz; i++) {
        step_world(world); /* finite */
        const double now = energy_of(world);
        assert_int_equal(sn_world_get(world, 0, SN_FIELD_Q, 0, 1, q), SN_OK);
        if (i >= BEGIN * d->hertz) {
            const char *where = "%s, %g Hz, kd %g, seed %d, step %d";
            const char *name = d->precision == SN_PRECISION_FLOAT ? "float" : "double";
            worst_add(&seen->won, now - before, where, name, d->hertz, d->kd, d->seed, i);
            worst_add(&seen->past, past_limits(model, q), where, name, d->hertz, d->kd, d->seed, i);
        }
        before = now;
        seen->steps++, seen->unsettled += stats_of(world).unsettled;
        if (stats_of(world).sweeps > seen->sweeps) seen->sweeps = stats_of(world).sweeps;
        if (stats_of(world).rows > seen->rows) seen->rows = stats_of(world).rows;
    }
    sn_world_free(world);
}

static void try_rates(const struct hands *hands, sn_precision precision, double kd, struct seen *seen) {
    static const double hertz[] = {60, 30, 120, 240};
    const int seeds = all_of_them() ? 20 : FAST ? 1 : 2;
    sn_model *model = hands_model(hands, NULL);
    assert_non_null(model);
    for (int h = 0; h < COUNT(hertz); h++)
        for (int seed = 1; seed <= seeds; seed++)
            try_drop(model, &(struct drop){precision, hertz[h], kd, all_of_them() ? 3 : 1.2, false, seed},
                     seen);
    sn_model_free(model);
}

static void assert_seen(const struct seen *seen, double unsettled, double won) {
    print_message("  %d of %d steps unsettled, at most %d sweeps; %.3g J won, limits passed by %.3g rad\n",
                  seen->unsettled, seen->steps, seen->sweeps, seen->won.value, seen->past.value);
    assert_true(seen->sweeps <= 32);
    assert_worst(&seen->past, 5 * 3.14159265358979323846 / 180, "limits passed, rad");
    assert_worst(&seen->won, won, "won in one step, J");
    assert_true(seen->unsettled <= unsettled * seen->steps);
}

/* `unsettled` is the share of steps that may end at the cap, `won` the energy in J that one step may gain. In float, forces
   of stiff limits on light fingers are known to a few digits: more steps end at the cap, no less safely. */
static void assert_hands(struct hands hands, sn_precision precision, double kd, double unsettled,
                         double won) {
    struct seen seen = {0};
    try_rates(&hands, precision, kd, &seen);
    assert_seen(&seen, unsettled, won);
}

TEST(limp_hands_keep_their_limits_and_settle) {
    assert_hands(hands_default(), SN_PRECISION_DOUBLE, 0, 0.002, 1);
}

TEST(so_do_hands_whose_fingers_have_hinges_alone) {
    struct hands hands = hands_default();
    hands.knuckle = SN_JOINT_HINGE;
    assert_hands(hands, SN_PRECISION_DOUBLE, 0, 0.002, 1);
}

TEST(so_do_hands_whose_fingers_have_balls_alone) {
    struct hands hands = hands_default();
    hands.others = SN_JOINT_BALL;
    assert_hands(hands, SN_PRECISION_DOUBLE, 0, 0.002, 1);
}

TEST(so_do_hands_in_float) {
    assert_hands(hands_default(), SN_PRECISION_FLOAT, 0, 0.015, 1);
}

TEST(hands_that_are_damped_win_less_still) {
    assert_hands(hands_default(), SN_PRECISION_DOUBLE, 0.5, 0.001, 0.5);
}

static sn_world *hands_world(const sn_model *model, sn_precision precision, int copies) {
    sn_world_def def = sn_world_def_default();
    def.precision = precision, def.copies = copies;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    member_of(world, model);
    uniform_gains(world, 0, 0, 0, 0, 0);
    return world;
}

TEST(a_copy_with_hands_has_the_same_bits_in_company) {
    enum { COPIES = 8, STEPS = 40 };
    struct hands hands = hands_default();
    sn_model *model = hands_model(&hands, NULL);
    const size_t nq = (size_t)sn_model_get(model)->nq;
    for (int p = 0; p < 2; p++) {
        sn_world *all = hands_world(model, (sn_precision)p, COPIES);
        double q[COPIES][MAX_NQ], qd[MAX_NV] = {0}, company[MAX_NQ], alone[MAX_NQ];
        for (int i = 0; i < COPIES; i++) {
            sn_world *one = drop_of(model, &(struct drop){(sn_precision)p, 60, 0, 0, false, i + 1});
            sn_world_get_state(one, 0, q[i], NULL);
            q[i][2] -= 0.45;
            assert_int_equal(sn_world_set(all, 0, SN_FIELD_Q, i, 1, q[i]), SN_OK);
            sn_world_free(one);
        }
        for (int k = 0; k < STEPS; k++)
            step_world(all);
        for (int i = 0; i < COPIES; i++) {
            sn_world *one = hands_world(model, (sn_precision)p, 1);
            assert_int_equal(sn_world_set_state(one, 0, q[i], qd), SN_OK);
            for (int k = 0; k < STEPS; k++)
                step_world(one);
            assert_int_equal(sn_world_get(all, 0, SN_FIELD_Q, i, 1, company), SN_OK);
            assert_int_equal(sn_world_get(one, 0, SN_FIELD_Q, 0, 1, alone), SN_OK);
            assert_memory_equal(company, alone, nq * sizeof *alone);
            sn_world_free(one);
        }
        sn_world_free(all);
    }
    sn_model_free(model);
}

/* Fingers touch fingers, by rows: nothing but that all stays finite. */
TEST(hands_that_touch_themselves_stay_finite) {
    struct hands hands = hands_default();
    sn_model *model = hands_model(&hands, NULL);
    sn_world *world = drop_of(model, &(struct drop){SN_PRECISION_DOUBLE, 60, 0.5, 0, true, 1});
    for (int i = 0; i < 40; i++)
        step_world(world);
    assert_true(fastest(world) < 1e4);
    sn_world_free(world);
    sn_model_free(model);
}

/* Drops of hands that touch themselves; returns the mean time of a step, ms. */
static double drop_touching(sn_precision precision, struct seen *seen) {
    static const double hertz[] = {60, 120};
    struct hands hands = hands_default();
    sn_model *model = hands_model(&hands, NULL);
    const clock_t start = clock();
    for (int h = 0; h < COUNT(hertz); h++)
        for (int seed = 1; seed <= (all_of_them() ? 20 : 1); seed++)
            try_drop(model, &(struct drop){precision, hertz[h], 0, all_of_them() ? 3 : 1.2, true, seed},
                     seen);
    sn_model_free(model);
    return 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC / seen->steps;
}

/* Undamped fingers bend no further than their limits, and a step has no more rows than it can afford: there were 2,136,
   and steps of 335 ms. */
TEST(undamped_hands_that_touch_themselves_keep_their_limits) {
    for (int precision = 0; precision < 2; precision++) {
        struct seen seen = {0};
        const double ms = drop_touching((sn_precision)precision, &seen);
        print_message("  %.2f ms per step, at most %d rows; %.3g J gained (%s)\n", ms, seen.rows,
                      seen.won.value, seen.won.where);
        assert_worst(&seen.past, 5 * 3.14159265358979323846 / 180, "limits passed, rad");
        assert_true(seen.sweeps <= 32 && seen.rows <= 600);
        if (all_of_them()) assert_true(ms <= 8);
    }
}

int main(void) {
    return run_all("hands");
}
