/* Limp characters that meet themselves and each other: hardly any energy is won in a step, and joints keep their limits,
 * whatever contacts, limits and constraints act together. SINEW_DROPS=1 tries as many as the project's targets speak of
 * (make drops); else a few. */
#include <time.h>

#include "world_helpers.h"

static bool all_of_them(void) {
    return getenv("SINEW_DROPS") != NULL;
}

/* Random poses may be beyond joint limits and inside each other, which push back: until then nothing counts. */
static const double BEGIN = 0.25;

struct meeting {
    const char *name;
    double hertz, kd;
    sn_precision precision;
    sn_setting setting;
    sn_contact_method contact;
    double seconds;
};

struct seen {
    struct worst won, past;
    long steps, with_rows, not_finite, rounds[40];
    double mean, longest; /* s per step; printed, never asserted */
};

static sn_world *world_of_meeting(const struct meeting *m) {
    sn_world_def def = sn_world_def_default();
    def.dt = 1 / m->hertz, def.precision = m->precision, def.setting = m->setting, def.contact = m->contact;
    def.self_contact = true;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    return world;
}

static double past_all(sn_world *world) {
    double worst = 0;
    for (int i = 0; i < sn_world_count(world); i++) {
        double q[MAX_NQ];
        assert_int_equal(sn_world_get(world, i, SN_FIELD_Q, 0, 1, q), SN_OK);
        worst = fmax(worst, past_limits(sn_world_model(world, i), q));
    }
    return worst * 180 / M_PI;
}

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void watch(sn_world *world, const struct meeting *m, int seed, struct seen *seen) {
    double before = energy_of(world);
    for (int i = 0; i < m->seconds * m->hertz; i++) {
        const double start = now_s();
        if (sn_world_step(world) != SN_OK) {
            seen->not_finite++;
            break;
        }
        const double took = now_s() - start, now = energy_of(world);
        if (i >= BEGIN * m->hertz) {
            worst_add(&seen->won, now - before, "%s, seed %d, step %d", m->name, seed, i);
            worst_add(&seen->past, past_all(world), "%s, seed %d, step %d", m->name, seed, i);
        }
        if (getenv("SN_DEBUG"))
            fprintf(stderr, "STEP %d won %g past %g unsettled %d\n", i, now - before, past_all(world),
                    stats_of(world).unsettled);
        before = now;
        seen->steps++, seen->mean += took;
        if (took > seen->longest) seen->longest = took;
        const sn_world_stats s = stats_of(world);
        seen->with_rows += s.rows > 0;
#ifndef BASE
        if (s.rows > 0) seen->rounds[s.rounds]++;
#endif
    }
}

static void tell(const struct meeting *m, const struct seen *seen) {
    print_message("  %-28s won %9.4f J (%s)  past %7.2f deg (%s)  not finite %ld; %5.0f us mean, %6.0f "
                  "longest, rows in %ld of %ld\n",
                  m->name, seen->won.value, seen->won.where, seen->past.value, seen->past.where,
                  seen->not_finite, 1e6 * seen->mean / (double)seen->steps, 1e6 * seen->longest,
                  seen->with_rows, seen->steps);
    print_message("      rounds");
    for (int i = 0; i < 10; i++)
        print_message(" %ld", seen->rounds[i]);
    print_message("\n");
}

static void put_limp(sn_world *world, int member, struct rng *rng, const double at[3], const double v[3]) {
    const sn_model *model = sn_world_model(world, member);
    double q[MAX_NQ], qd[MAX_NV];
    random_state(rng, model, 0.3, 1, q, qd);
    random_quaternion(rng, q + 3);
    for (int k = 0; k < 3; k++)
        q[k] = at[k], qd[k] = v[k];
    assert_int_equal(sn_world_set_state(world, member, q, qd), SN_OK);
    q[2] += at[2] - lowest_point(world, member);
    assert_int_equal(sn_world_set_state(world, member, q, qd), SN_OK);
}

static void drop(const struct meeting *m, int seeds) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    struct seen seen = {0};
    for (int seed = getenv("SEED") ? atoi(getenv("SEED")) : 1; seed <= seeds; seed++) {
        sn_world *world = world_of_meeting(m);
        struct rng rng = {(uint64_t)seed};
        member_of(world, model);
        uniform_gains(world, 0, 0, 0, 0, m->kd);
        put_limp(world, 0, &rng, (double[]){0, 0, 1}, (double[]){0, 0, 0});
        watch(world, m, seed, &seen);
        sn_world_free(world);
    }
    tell(m, &seen);
    sn_model_free(model);
}

static void collide(const struct meeting *m, int seeds) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    struct seen seen = {0};
    for (int seed = getenv("SEED") ? atoi(getenv("SEED")) : 1; seed <= seeds; seed++) {
        sn_world *world = world_of_meeting(m);
        struct rng rng = {(uint64_t)seed};
        for (int i = 0; i < 2; i++) {
            member_of(world, model);
            uniform_gains(world, i, 0, 0, 0, m->kd);
            put_limp(world, i, &rng, (double[]){i ? 1.2 : -1.2, 0, 0.5}, (double[]){i ? -4 : 4, 0, 2});
        }
        watch(world, m, seed, &seen);
        sn_world_free(world);
    }
    tell(m, &seen);
    sn_model_free(model);
}

static void hit(const struct meeting *m, int seeds) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_SPHERE);
    shape.size[0] = 0.11, shape.mass = 5;
    sn_model *ball = body_of(shape);
    struct seen seen = {0};
    for (int seed = getenv("SEED") ? atoi(getenv("SEED")) : 1; seed <= seeds; seed++) {
        sn_world *world = world_of_meeting(m);
        struct rng rng = {(uint64_t)seed};
        member_of(world, model);
        member_of(world, ball);
        uniform_gains(world, 0, 0, 0, 0, m->kd);
        put_limp(world, 0, &rng, (double[]){0, 0, 0.8}, (double[]){0, 0, 0});
        double q[MAX_NQ];
        assert_int_equal(sn_world_get(world, 0, SN_FIELD_Q, 0, 1, q), SN_OK);
        put_body(world, 1, (double[]){-4, 0.05, q[2] - 0.1}, NULL, (double[]){12, 0, 1, 0, 0, 0});
        watch(world, m, seed, &seen);
        sn_world_free(world);
    }
    tell(m, &seen);
    sn_model_free(model), sn_model_free(ball);
}

TEST(probe) {
    static const struct meeting drops[] = {
        {"60 Hz kd .5", 60, 0.5, 0, 0, 0, 3},       {"60 Hz kd 2", 60, 2, 0, 0, 0, 3},
        {"60 Hz kd 0", 60, 0, 0, 0, 0, 3},          {"30 Hz kd 0", 30, 0, 0, 0, 0, 3},
        {"30 Hz kd .5", 30, 0.5, 0, 0, 0, 3},       {"30 Hz kd 2", 30, 2, 0, 0, 0, 3},
        {"120 Hz kd 0", 120, 0, 0, 0, 0, 3},        {"120 Hz kd .5", 120, 0.5, 0, 0, 0, 3},
        {"240 Hz kd 0", 240, 0, 0, 0, 0, 2},        {"240 Hz kd .5", 240, 0.5, 0, 0, 0, 2},
        {"60 Hz kd .5 exact", 60, 0.5, 0, 1, 0, 3}, {"60 Hz kd .5 float", 60, 0.5, 1, 0, 0, 3},
        {"30 Hz kd 0 float", 30, 0, 1, 0, 0, 3},    {"60 Hz kd .5 rows", 60, 0.5, 0, 0, 1, 3},
        {"60 Hz kd 0 exact", 60, 0, 0, 1, 0, 3},    {"120 Hz kd 0 float", 120, 0, 1, 0, 0, 3},
    };
    const char *only = getenv("ONLY");
    const int seeds = getenv("SEEDS") ? atoi(getenv("SEEDS")) : 40;
    for (int i = 0; i < COUNT(drops); i++)
        if (!only || strchr(only, 'a' + i)) drop(&drops[i], seeds);
    static const struct meeting throws[] = {
        {"thrown 60 Hz kd .5", 60, 0.5, 0, 0, 0, 2},      {"thrown 60 Hz kd .5 exact", 60, 0.5, 0, 1, 0, 2},
        {"thrown 120 Hz kd 2", 120, 2, 0, 0, 0, 2},       {"thrown 30 Hz kd 0 float", 30, 0, 1, 0, 0, 2},
        {"thrown 60 Hz kd .5 rows", 60, 0.5, 0, 0, 1, 2},
    };
    for (int i = 0; i < COUNT(throws); i++)
        if (!only || strchr(only, 'A' + i)) collide(&throws[i], seeds / 2);
    static const struct meeting balls[] = {
        {"ball 60 Hz kd .5", 60, 0.5, 0, 0, 0, 2},
        {"ball 240 Hz kd .5", 240, 0.5, 0, 0, 0, 2},
        {"ball 60 Hz kd 0 float", 60, 0, 1, 0, 0, 2},
    };
    for (int i = 0; i < COUNT(balls); i++)
        if (!only || strchr(only, 'P' + i)) hit(&balls[i], seeds / 2);
    (void)all_of_them;
}

int main(void) {
    return run_all("meeting");
}
