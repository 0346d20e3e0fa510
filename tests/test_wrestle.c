/* Long trials of characters that meet: one that is driven wrestles with a limp one, and ragdolls fall into a heap.
 * Everything stays finite, joints keep their limits, and no step gains more than drives and pushes give.
 * SINEW_DROPS=1 wrestles for ten minutes (make drops); SINEW_FILMS=FOLDER saves what happened. */
#include "trial_helpers.h"

/* ----------------------------------------------------------------------------------------------- two who wrestle */

struct bout {
    const char *name;
    double hertz, frequency, kd; /* frequency: of the drives, Hz; kd: of the limp one */
    sn_precision precision;
    sn_setting setting;
};

static sn_world *ring(const sn_model *model, const struct bout *b, double *pose) {
    double kp[MAX_NV], kd[MAX_NV], q[MAX_NQ];
    sn_error error = {0};
    sn_world_def def = sn_world_def_default();
    def.dt = 1 / b->hertz, def.precision = b->precision, def.setting = b->setting;
    def.self_contact = def.report_torque = true;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    member_of(world, model), member_of(world, model);
    stand_humanoid(world, 0, pose);
    const sn_gains_def gains = {.struct_size = sizeof(sn_gains_def),
                                .q = pose,
                                .frequency = b->frequency,
                                .dt = def.dt,
                                .precision = b->precision,
                                .widen = true};
    if (sn_gains_choose(model, &gains, kp, kd, &error)) fail_msg("%s", error.message);
    assert_int_equal(sn_world_set_gains(world, 0, kp, kd), SN_OK);
    uniform_gains(world, 1, 0, 0, 0, b->kd);
    memcpy(q, pose, sizeof q);
    q[0] += 0.6, q[2] += 0.1;
    assert_int_equal(sn_world_set_state(world, 1, q, NULL), SN_OK);
    return world;
}

/* Another pose to reach: joints up to 0.6 rad from where it stands. */
static void change_target(sn_world *world, struct rng *rng, const double *pose) {
    const sn_model *model = sn_world_model(world, 0);
    double dv[MAX_NV] = {0}, target[MAX_NQ];
    for (int v = 6; v < sn_model_get(model)->nv; v++)
        dv[v] = uniform(rng, -0.6, 0.6);
    sn_model_pose_add(model, 1, pose, dv, target);
    assert_int_equal(sn_world_set_target(world, 0, target, NULL), SN_OK);
}

/* Some body of each is drawn to the other, and a little anywhere; or nothing is pushed for a while. */
static void change_pushes(sn_world *world, struct rng *rng) {
    double at[2][3];
    const bool rest = uniform(rng, 0, 1) < 0.25;
    for (int k = 0; k < 2; k++)
        body_pose(world, k, 0, at[k], NULL);
    for (int k = 0; k < 2; k++) {
        const int n = sn_model_get(sn_world_model(world, k))->nbody, body = (int)uniform(rng, 0, n);
        const double strength = uniform(rng, 0, 300);
        double force[3], way[3];
        for (int i = 0; i < 3; i++)
            way[i] = at[!k][i] - at[k][i];
        for (int i = 0; i < 3; i++)
            force[i] = strength * way[i] / (norm(way, 3) + 0.1) + uniform(rng, -100, 100);
        for (int i = 0; i < n; i++)
            assert_int_equal(sn_world_push(world, k, i, !rest && i == body ? force : NULL, NULL, INFINITY),
                             SN_OK);
    }
}

static void wrestle(const sn_model *model, const struct bout *b, int seed, double seconds, double won) {
    struct rng rng = {(uint64_t)seed};
    struct trial trial;
    double pose[MAX_NQ];
    sn_world *world = ring(model, b, pose);
    trial_begin(&trial, world, b->name);
    for (int i = 0; i < seconds * b->hertz; i++) {
        if (i % (int)(b->hertz / 2) == 0) change_target(world, &rng, pose);
        if (i % (int)(b->hertz / 5) == 0) change_pushes(world, &rng);
        trial_step(&trial);
    }
    trial_end(&trial);
    assert_worst(&trial.won, won, "won in a step, J");
    assert_worst(&trial.past, 2, "beyond a limit, degrees");
    sn_world_free(world);
}

TEST(who_wrestles_with_a_limp_one_wins_nothing_and_keeps_the_limits) {
    static const struct bout bouts[] = {
        {"wrestle double", 60, 8, 0.5, SN_PRECISION_DOUBLE, SN_SETTING_GAME},
        {"wrestle float", 60, 8, 0.5, SN_PRECISION_FLOAT, SN_SETTING_GAME},
        {"wrestle exact", 60, 8, 0.5, SN_PRECISION_DOUBLE, SN_SETTING_EXACT},
        {"wrestle undamped", 60, 8, 0, SN_PRECISION_DOUBLE, SN_SETTING_GAME},
        {"wrestle 30 Hz", 30, 4, 0.5, SN_PRECISION_DOUBLE, SN_SETTING_GAME},
    };
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int i = 0; i < COUNT(bouts); i++)
        wrestle(model, &bouts[i], i + 1, trial_size(i < 2 ? 600 : 120, 5, 1), 1);
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------------------- a heap */

enum { RAGDOLLS = 10 };

static sn_world *heap(const sn_model *model, sn_precision precision, double kd, int count) {
    struct rng rng = {7};
    sn_world_def def = sn_world_def_default();
    def.dt = 1.0 / 60, def.precision = precision, def.self_contact = true, def.report_torque = true;
    def.sleep = 0.05;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    for (int i = 0; i < count; i++) {
        double q[MAX_NQ], qd[MAX_NV];
        member_of(world, model);
        uniform_gains(world, i, 0, 0, 0, kd);
        random_state(&rng, model, 0.3, 1, q, qd);
        random_quaternion(&rng, q + 3);
        q[0] = uniform(&rng, -0.3, 0.3), q[1] = uniform(&rng, -0.3, 0.3), q[2] = 1.5 + 1.2 * i;
        assert_int_equal(sn_world_set_state(world, i, q, qd), SN_OK);
    }
    return world;
}

static void drop_heap(const sn_model *model, const char *name, sn_precision precision, double kd, int count,
                      double seconds) {
    struct trial trial;
    sn_world *world = heap(model, precision, kd, count);
    int asleep = -1;
    trial_begin(&trial, world, name);
    for (int i = 0; i < seconds * 60 && asleep < 0; i++) {
        trial.counts = i >= 15;
        trial_step(&trial);
        if (stats_of(world).asleep == count) asleep = i;
    }
    trial_end(&trial);
    print_message("    asleep after %.1f s (%d of %d), fastest %.3g\n", asleep / 60.0, stats_of(world).asleep,
                  count, fastest(world));
    assert_worst(&trial.won, 1, "won in a step, J");
    assert_worst(&trial.past, 2, "beyond a limit, degrees");
    if (full_length()) assert_int_equal(stats_of(world).asleep, count);
    sn_world_free(world);
}

TEST(ragdolls_fall_into_a_heap_and_sleep) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const int count = full_length() ? RAGDOLLS : 3;
    const double seconds = trial_size(40, 3, 1);
    drop_heap(model, "heap double", SN_PRECISION_DOUBLE, 0.5, count, seconds);
    drop_heap(model, "heap float", SN_PRECISION_FLOAT, 0.5, count, seconds);
    drop_heap(model, "heap damped", SN_PRECISION_DOUBLE, 2, count, seconds);
    sn_model_free(model);
}

int main(void) {
    return run_all("wrestle");
}
