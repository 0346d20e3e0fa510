/* Limp characters that meet themselves and each other: hardly any energy is gained in a step, and joints keep their limits,
 * whatever contacts, limits and constraints act together. SINEW_DROPS=1 tries as many as the project's targets speak of
 * (make drops); else a few. */
#include "world_helpers.h"

static bool all_of_them(void) {
    return getenv("SINEW_DROPS") != NULL;
}

static int seeds_of(int all, int few) {
    return all_of_them() ? all : FAST || getenv("SINEW_TEST_SHORT") ? 1 : few;
}

/* Random poses may be beyond joint limits and inside each other, which push back: until then nothing counts. */
static const double BEGIN = 0.25;

/* What is left out of an initializer is double, game, implicit contact and the time stepper. */
struct meeting {
    double hertz, kd;
    sn_precision precision;
    sn_setting setting;
    sn_contact_method contact;
    sn_stepper stepper;
};

/* What was seen of all seeds of a meeting. */
struct seen {
    struct worst won, past;
    int with_rows, at_once,
        at_cap; /* steps with rows; those whose first round was enough, and whose rounds ran out */
};

/* Who meets whom, and what may come of it. */
struct scene {
    const char *name;
    void (*begin)(const struct meeting *m, int seed, struct seen *seen);
    int all, few;                   /* seeds */
    double won, won_undamped, past; /* J, degrees at most */
};

/* Rounds of newton.c, at most. */
static int rounds_of(const struct meeting *m) {
    return m->setting == SN_SETTING_EXACT ? 30 : 8;
}

static const char *name_of(const struct scene *scene, const struct meeting *m) {
    static char name[96];
    snprintf(name, sizeof name, "%s, %g Hz, kd %g, %s, %s%s%s", scene->name, m->hertz, m->kd,
             m->precision == SN_PRECISION_FLOAT ? "float" : "double",
             m->setting == SN_SETTING_EXACT ? "exact" : "game", m->contact == SN_CONTACT_ROWS ? ", rows" : "",
             m->stepper == SN_STEPPER_EVENT ? ", events" : "");
    return name;
}

static sn_world *world_of_meeting(const struct meeting *m) {
    sn_world_def def = sn_world_def_default();
    def.dt = 1 / m->hertz, def.precision = m->precision, def.setting = m->setting, def.contact = m->contact;
    def.self_contact = true, def.stepper = m->stepper;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    return world;
}

static void watch(sn_world *world, const struct meeting *m, int seed, double seconds, struct seen *seen) {
    double before = energy_of(world);
    for (int i = 0; i < seconds * m->hertz; i++) {
        step_world(world);
        const double now = energy_of(world);
        const sn_world_stats s = stats_of(world);
        if (i >= BEGIN * m->hertz) {
            worst_add(&seen->won, now - before, "seed %d, step %d", seed, i);
            worst_add(&seen->past, past_all(world), "seed %d, step %d", seed, i);
        }
        before = now;
        if (!s.rows) continue;
        seen->with_rows++, seen->at_once += s.rounds == 0, seen->at_cap += s.rounds >= rounds_of(m);
    }
}

/* Some pose, its lowest point at[2] above the ground. */
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

static sn_model *humanoid, *ball;

static void drop(const struct meeting *m, int seed, struct seen *seen) {
    struct rng rng = {(uint64_t)seed};
    sn_world *world = world_of_meeting(m);
    member_of(world, humanoid);
    uniform_gains(world, 0, 0, 0, 0, m->kd);
    put_limp(world, 0, &rng, (const double[]){0, 0, 1}, (const double[]){0, 0, 0});
    watch(world, m, seed, 3, seen);
    sn_world_free(world);
}

static void throw_two(const struct meeting *m, int seed, struct seen *seen) {
    struct rng rng = {(uint64_t)seed};
    sn_world *world = world_of_meeting(m);
    for (int k = 0; k < 2; k++) {
        const double at[3] = {k ? 1.2 : -1.2, 0, 0.5}, v[3] = {k ? -4 : 4, 0, 2};
        member_of(world, humanoid);
        uniform_gains(world, k, 0, 0, 0, m->kd);
        put_limp(world, k, &rng, at, v);
    }
    watch(world, m, seed, 2, seen);
    sn_world_free(world);
}

static void hit_by_ball(const struct meeting *m, int seed, struct seen *seen) {
    double q[MAX_NQ];
    struct rng rng = {(uint64_t)seed};
    sn_world *world = world_of_meeting(m);
    member_of(world, humanoid), member_of(world, ball);
    uniform_gains(world, 0, 0, 0, 0, m->kd);
    put_limp(world, 0, &rng, (const double[]){0, 0, 0.8}, (const double[]){0, 0, 0});
    assert_int_equal(sn_world_get(world, 0, SN_FIELD_Q, 0, 1, q), SN_OK);
    put_body(world, 1, (const double[]){-4, 0.05, q[2] - 0.1}, NULL, (const double[]){12, 0, 1, 0, 0, 0});
    watch(world, m, seed, 2, seen);
    sn_world_free(world);
}

/* A line of the table: what was seen of one meeting. False: it is not within its bounds. */
static bool tell(const struct scene *scene, const struct meeting *m, const struct seen *seen) {
    const double most = m->kd > 0 ? scene->won : scene->won_undamped, n = fmax(1, seen->with_rows);
    const bool good = seen->won.value <= most && seen->past.value <= scene->past;
    print_message("  %-44s %8.3f J (%s) %7.2f degrees (%s), at once %3.0f %%, at the cap %4.1f %%%s\n",
                  name_of(scene, m), seen->won.value, seen->won.where, seen->past.value, seen->past.where,
                  100 * seen->at_once / n, 100 * seen->at_cap / n, good ? "" : " <- too much");
    return good;
}

/* Characters by themselves must mostly be done at once, and hardly ever run out of rounds. Undamped at 1/30 and 1/60
   s, in float at 1/30 s, and for two who are thrown together the shares are reported and not promised. */
static void assert_shares(const struct meeting *m, const struct seen *seen) {
    const bool coarse = m->hertz < 60 || (m->hertz < 120 && !(m->kd > 0));
    if (!all_of_them() || m->setting == SN_SETTING_EXACT || m->contact == SN_CONTACT_ROWS) return;
    assert_true(seen->at_once >= 0.75 * seen->with_rows);
    if (!coarse) assert_true(seen->at_cap <= 0.01 * seen->with_rows);
}

static bool meet(const struct scene *scene, const struct meeting *m) {
    struct seen seen = {0};
    for (int seed = 1; seed <= seeds_of(scene->all, scene->few); seed++)
        scene->begin(m, seed, &seen);
    if (scene->begin == drop) assert_shares(m, &seen);
    return tell(scene, m, &seen);
}

/* Every precision, rate, damping and setting; how many of them are not within the bounds. */
static int meet_all(const struct scene *scene) {
    static const double hertz[] = {30, 60, 120, 240}, kd[] = {0, 0.5, 2};
    int bad = 0;
    for (int p = 0; p < 2; p++)
        for (int h = 0; h < COUNT(hertz); h++)
            for (int k = 0; k < COUNT(kd); k++)
                for (int exact = 0; exact < 2; exact++)
                    bad += !meet(scene, &(struct meeting){hertz[h], kd[k],
                                                          p ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE,
                                                          exact ? SN_SETTING_EXACT : SN_SETTING_GAME,
                                                          SN_CONTACT_IMPLICIT, SN_STEPPER_TIME});
    return bad;
}

static void try_scene(const struct scene *scene, int n, const struct meeting *some) {
    int bad = 0;
    humanoid = sn_builtin_create("humanoid", NULL), ball = body_of(sphere_of(0.11, 5));
    if (all_of_them()) bad += meet_all(scene);
    for (int i = 0; i < n; i++)
        if (!all_of_them() || some[i].contact == SN_CONTACT_ROWS) bad += !meet(scene, &some[i]);
    sn_model_free(humanoid), sn_model_free(ball);
    assert_int_equal(bad, 0);
}

/* Up to 6.6 kJ were gained in a step, and knees bent backwards by 115 degrees, while rows were solved after everything else. */
TEST(drops_with_self_contact_win_nothing_and_keep_their_limits) {
    static const struct meeting some[] = {
        {.hertz = 60, .kd = 0.5},
        {.hertz = 60, .kd = 2},
        {.hertz = 30, .kd = 0.5},
        {.hertz = 30, .kd = 2},
        {.hertz = 120, .kd = 0.5},
        {.hertz = 240, .kd = 0.5},
        {.hertz = 60, .kd = 0.5, .setting = SN_SETTING_EXACT},
        {.hertz = 60, .kd = 0.5, .precision = SN_PRECISION_FLOAT},
        {.hertz = 30, .kd = 2, .precision = SN_PRECISION_FLOAT},
        {.hertz = 30},
        {.hertz = 60},
        {.hertz = 120},
        {.hertz = 240},
        {.hertz = 60, .setting = SN_SETTING_EXACT},
        {.hertz = 30, .precision = SN_PRECISION_FLOAT},
        {.hertz = 60, .kd = 0.5, .contact = SN_CONTACT_ROWS},
        {.hertz = 60, .kd = 0.5, .contact = SN_CONTACT_ROWS, .stepper = SN_STEPPER_EVENT},
        {.hertz = 30, .contact = SN_CONTACT_ROWS, .stepper = SN_STEPPER_EVENT},
        {.hertz = 60, .contact = SN_CONTACT_ROWS, .stepper = SN_STEPPER_EVENT},
        {.hertz = 120,
         .precision = SN_PRECISION_FLOAT,
         .contact = SN_CONTACT_ROWS,
         .stepper = SN_STEPPER_EVENT},
    };
    try_scene(&(struct scene){"drop", drop, 40, 4, 0.5, 1, 2}, COUNT(some), some);
}

TEST(two_who_are_thrown_together_win_nothing_and_keep_their_limits) {
    static const struct meeting some[] = {
        {.hertz = 60, .kd = 0.5},
        {.hertz = 30, .precision = SN_PRECISION_FLOAT},
        {.hertz = 60, .kd = 0.5, .setting = SN_SETTING_EXACT},
        {.hertz = 120, .kd = 2},
        {.hertz = 60, .kd = 0.5, .contact = SN_CONTACT_ROWS},
    };
    try_scene(&(struct scene){"throw", throw_two, 20, 2, 0.5, 0.5, 1}, COUNT(some), some);
}

TEST(who_is_hit_by_a_ball_wins_nothing_and_keeps_the_limits) {
    static const struct meeting some[] = {
        {.hertz = 60, .kd = 0.5},
        {.hertz = 240, .kd = 0.5},
    };
    try_scene(&(struct scene){"ball", hit_by_ball, 20, 8, 0.5, 0.5, 0.5}, COUNT(some), some);
}

int main(void) {
    return run_all("meeting");
}
