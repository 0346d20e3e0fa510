/* The position stepper holds joint limits, whatever the targets do. SINEW_POSITION_COPIES=N: as many copies, for 5 s (make
 * position-crowd); else a few. */
#include "position_crowd.h"

struct jumps {
    sn_precision precision;
    sn_scheme scheme;
    sn_setting setting;
    int hertz, copies;
    double limit; /* of every joint's torque, N m; 0: none */
    bool ground;
};

static sn_world *world_of_jumps(const sn_model *model, const struct jumps *j) {
    double q[MAX_NQ], limit[MAX_NV];
    sn_world_def def = sn_world_def_default();
    def.stepper = SN_STEPPER_POSITION, def.form = SN_FORM_FULL;
    def.precision = j->precision, def.scheme = j->scheme, def.setting = j->setting;
    def.dt = 1.0 / j->hertz, def.copies = j->copies, def.torque_limits = j->limit > 0;
    sn_world *world = world_of(&def);
    if (j->ground) floor_of(world, NULL);
    member_of(world, model);
    uniform_gains(world, 0, 0, 0, 1000, 30);
    for (int v = 0; v < sn_model_get(model)->nv; v++)
        limit[v] = v < 6 ? (double)INFINITY : j->limit;
    sn_model_home_pose(model, q);
    if (j->ground) assert_int_equal(sn_world_stand(world, 0, q), SN_OK);
    for (int i = 0; i < j->copies; i++) {
        copy_put(world, 0, i, q, NULL);
        if (j->limit > 0) assert_int_equal(sn_world_set(world, 0, SN_FIELD_TORQUE_LIMIT, i, 1, limit), SN_OK);
    }
    return world;
}

/* Each degree of freedom a radian to one side of the home pose or the other. */
static void jump(sn_world *world, const sn_model *model, int copy, struct rng *rng) {
    double home[MAX_NQ], d[MAX_NV], target[MAX_NQ];
    sn_model_home_pose(model, home);
    for (int v = 0; v < sn_model_get(model)->nv; v++)
        d[v] = v < 6 ? 0 : uniform(rng, -1, 1) < 0 ? -1 : 1;
    sn_model_pose_add(model, 1, home, d, target);
    assert_int_equal(sn_world_set(world, 0, SN_FIELD_TARGET_Q, copy, 1, target), SN_OK);
}

static void try_jumps(const sn_model *model, const struct jumps *j, double seconds, struct worst *worst) {
    sn_world *world = world_of_jumps(model, j);
    struct rng rng = {1};
    for (int step = 0; step < seconds * j->hertz; step++) {
        for (int i = 0; i < j->copies; i++)
            jump(world, model, i, &rng);
        step_world(world);
        assert_int_equal(stats_of(world).diverged, 0);
        for (int i = 0; i < j->copies; i++) {
            double q[MAX_NQ];
            copy_get(world, 0, i, q, NULL);
            worst_add(worst, past_limits(model, q) * 180 / M_PI,
                      "%s, scheme %d, setting %d, %d Hz, torque limit %g, ground %d, copy %d, step %d",
                      j->precision == SN_PRECISION_FLOAT ? "float" : "double", (int)j->scheme,
                      (int)j->setting, j->hertz, j->limit, (int)j->ground, i, step);
        }
    }
    sn_world_free(world);
}

/* Two or four sweeps left joints up to 160 degrees beyond their limits. */
TEST(targets_that_jump_by_a_radian_every_step_leave_joints_within_two_degrees_of_their_limits) {
    static const int hertz[] = {60, 30, 10};
    const struct crowd_size size = crowd_size((struct crowd_size){6, 1, 1}, (struct crowd_size){1, 1, 0.3});
    sn_model *model = sn_builtin_create("humanoid", NULL);
    struct worst worst = {0};
    for (int way = 0; way < 16; way++)
        for (int h = 0; h < COUNT(hertz); h++)
            try_jumps(model,
                      &(struct jumps){way & 1 ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE,
                                      way & 2 ? SN_SCHEME_BDF2 : SN_SCHEME_PBAD2, SN_SETTING_GAME, hertz[h],
                                      size.copies, way & 4 ? 100 : 0, way & 8},
                      size.seconds, &worst);
    for (int setting = SN_SETTING_EXACT; setting <= SN_SETTING_CROWD; setting++)
        try_jumps(model,
                  &(struct jumps){SN_PRECISION_FLOAT, SN_SCHEME_PBAD2, (sn_setting)setting, 60, size.copies,
                                  0, true},
                  size.seconds / 2, &worst);
    sn_model_free(model);
    assert_worst(&worst, 2, "degrees beyond a limit");
}

/* Copies that must go on after the fixed sweeps, beside others that are done: each as if it were alone, contacts included. */
TEST(a_copy_whose_targets_jump_changes_no_bit_of_its_neighbours) {
    enum { COPIES = 9 };
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const int steps = in_short() ? 5 : 30;
    for (int way = 0; way < 4; way++) {
        struct jumps j = {way & 1 ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE,
                          way & 2 ? SN_SCHEME_BDF2 : SN_SCHEME_PBAD2,
                          SN_SETTING_GAME,
                          60,
                          COPIES,
                          0,
                          true};
        sn_world *all = world_of_jumps(model, &j);
        struct rng rng[COPIES];
        int most = 0;
        for (int i = 0; i < COPIES; i++)
            rng[i].state = (uint64_t)i;
        for (int step = 0; step < steps; step++) {
            for (int i = 0; i < COPIES; i += 2)
                jump(all, model, i, &rng[i]);
            step_world(all);
            most = stats_of(all).sweeps > most ? stats_of(all).sweeps : most;
        }
        assert_true(most > 4); /* some went on */
        j.copies = 1;
        for (int i = 0; i < COPIES; i++) {
            sn_world *one = world_of_jumps(model, &j);
            rng[i].state = (uint64_t)i;
            for (int step = 0; step < steps; step++) {
                if (i % 2 == 0) jump(one, model, 0, &rng[i]);
                step_world(one);
            }
            assert_true(hash_fields(one, 0, 0) == hash_fields(all, 0, i));
            assert_true(hash_contacts(one, 0) == hash_contacts(all, i));
            sn_world_free(one);
        }
        sn_world_free(all);
    }
    sn_model_free(model);
}

int main(void) {
    return run_all("joint limits under the position stepper");
}
