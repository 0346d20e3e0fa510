/* What rows promise: any mass ratio, no more iterations than asked for, direct solves that report when they fell back,
 * torque limits and joint limits that hold, and room that grows. */
#include "study_helpers.h"
#include "world_helpers.h"

#include <stdlib.h>

#include "model/model.h"

/* ---------------------------------------------------------------------------------------------- mass ratios */

static sn_model *cube(double half, double mass) {
    return body_of(box_of(half, half, half, mass));
}

/* A tower of `n` cubes of 0.2 m and 1 kg, the last of them heavier; how far any cube has gone from its place after two
   seconds, in m. */
static double tower_moves(sn_world_def def, int n, double ratio, int *iterations) {
    sn_world *world = world_of(&def);
    sn_model *light = cube(0.1, 1), *heavy = cube(0.1, ratio);
    floor_of(world, NULL);
    for (int i = 0; i < n; i++)
        put_body(world, member_of(world, i == n - 1 ? heavy : light), (double[]){0, 0, 0.1 + 0.2 * i}, NULL,
                 NULL);
    *iterations = 0;
    for (int i = 0; i < (int)(2 / def.dt + 0.5); i++) {
        step_world(world);
        const int now = stats_of(world).iterations;
        if (now > *iterations) *iterations = now;
    }
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double pos[3];
        body_pose(world, i, 0, pos, NULL);
        const double d[3] = {pos[0], pos[1], pos[2] - (0.1 + 0.2 * i)};
        worst = fmax(worst, norm(d, 3));
    }
    sn_world_free(world);
    sn_model_free(light);
    sn_model_free(heavy);
    return worst;
}

TEST(towers_stand_under_a_top_of_any_weight) {
    const double ratio[] = {1, 100, 800, 1000, 1e4};
    const int cubes[] = {2, 6};
    struct worst worst[2] = {{0}};
    for (int fast = 0; fast < 2; fast++)
        for (int exact = 0; exact < 2; exact++)
            for (int precision = 0; precision < 2; precision++)
                for (int k = 0; k < 10; k++) {
                    sn_world_def def = rows_def();
                    int iterations;
                    def.dt = fast ? 1.0 / 240 : 1.0 / 60;
                    def.setting = exact ? SN_SETTING_EXACT : SN_SETTING_GAME;
                    def.precision = precision ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE;
                    const double moved = tower_moves(def, cubes[k / 5], ratio[k % 5], &iterations);
                    worst_add(&worst[precision], moved, "%d cubes, %g : 1, %s, 1/%g", cubes[k / 5],
                              ratio[k % 5], exact ? "exact" : "game", 1 / def.dt);
                    assert_in_range(iterations, 1, exact ? 1000 : 30);
                    if (getenv("SINEW_VERBOSE"))
                        print_message("  %s %s 1/%g %d cubes %g: %.3g mm, %d iterations\n",
                                      exact ? "exact" : "game", precision ? "float" : "double", 1 / def.dt,
                                      cubes[k / 5], ratio[k % 5], 1e3 * moved, iterations);
                }
    assert_worst(&worst[0], 2e-3, "way of a cube in m, double");
    assert_worst(&worst[1], 2e-3, "way of a cube in m, float");
}

/* --------------------------------------------------------------------------------------------- torque limits */

/* The largest torque of any drive of the last step over its limit: of a ball or half a free root by length. */
static double torque_over(sn_world *world, int member, double limit) {
    const sn_model *model = sn_world_model(world, member);
    double *tau = malloc(sizeof *tau * (size_t)model->nv), worst = 0;
    assert_int_equal(sn_world_get(world, member, SN_FIELD_TORQUE, 0, 1, tau), SN_OK);
    for (int b = 0; b < model->nbody; b++) {
        const sn_body_info *info = &model->body[b];
        const int n = info->joint.type == SN_JOINT_BALL || info->joint.type == SN_JOINT_FREE ? 3 : 1;
        for (int v = info->v_index; v < info->v_index + info->nv; v += n)
            worst = fmax(worst, norm(tau + v, n) / limit);
    }
    free(tau);
    return worst;
}

struct limited {
    const char *name;
    double limit;
    bool driven_root, push, ground;
};

/* A humanoid dropped askew with targets of its own every half second; the largest torque over the limit. */
static double torque_in(sn_world_def def, const struct limited *c, double *reached) {
    def.torque_limits = def.report_torque = true;
    sn_world *world = world_of(&def);
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const int human = member_of(world, model);
    if (c->ground) floor_of(world, NULL);
    double q[128], limit[128], worst = 0;
    uniform_gains(world, human, c->driven_root ? 3000 : 0, c->driven_root ? 300 : 0, 1000, 100);
    for (int v = 0; v < model->nv; v++)
        limit[v] = c->limit;
    assert_int_equal(sn_world_set(world, human, SN_FIELD_TORQUE_LIMIT, 0, 1, limit), SN_OK);
    stand_humanoid(world, human, q);
    double state[128];
    memcpy(state, q, sizeof q);
    state[2] += 0.5;
    turn_about((const double[3]){0.6, 0.8, 0}, 0.5, state + 3);
    assert_int_equal(sn_world_set_state(world, human, state, NULL), SN_OK);
    struct rng rng = {3};
    const int steps = (int)(2 / def.dt);
    for (int k = 0; k < steps; k++) {
        if (k % (steps / 4) == 0) {
            for (int b = 1; b < model->nbody; b++)
                if (model->body[b].joint.type == SN_JOINT_BALL) {
                    double axis[3], rot[4];
                    random_values(&rng, 1, axis, 3);
                    const double length = norm(axis, 3);
                    for (int i = 0; i < 3; i++)
                        axis[i] /= length;
                    turn_about(axis, 0.5, rot);
                    memcpy(q + model->body[b].q_index, rot, sizeof rot);
                }
            assert_int_equal(sn_world_set_target(world, human, q, NULL), SN_OK);
        }
        const double force[3] = {k % 40 < 10 ? 600 : 0, 0, 0};
        if (c->push) assert_int_equal(sn_world_push(world, human, 0, force, NULL, INFINITY), SN_OK);
        step_world(world);
        const double now = torque_over(world, human, c->limit);
        worst = fmax(worst, now);
    }
    *reached = worst;
    sn_world_free(world);
    sn_model_free(model);
    return worst - 1;
}

TEST(drives_stay_within_their_torque_limits) {
    static const struct limited cases[] = {{"dropped", 120, false, false, true},
                                           {"pushed", 60, false, true, true},
                                           {"driven root", 120, true, true, true},
                                           {"in the air", 40, true, true, false}};
    for (int precision = 0; precision < 2; precision++) {
        struct worst worst = {0};
        for (int i = 0; i < COUNT(cases); i++)
            for (int event = 0; event < 2; event++)
                for (int fine = 0; fine < 2; fine++) {
                    sn_world_def def = rows_def();
                    double reached;
                    def.precision = precision ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE;
                    def.stepper = event ? SN_STEPPER_EVENT : SN_STEPPER_TIME;
                    def.dt = fine ? 1.0 / 240 : 1.0 / 60;
                    const double over = torque_in(def, &cases[i], &reached);
                    worst_add(&worst, over, "%s, %s, 1/%g", cases[i].name, event ? "event" : "time",
                              1 / def.dt);
                    if (getenv("SINEW_VERBOSE"))
                        print_message("  %s, %s, 1/%g, %s: %.6f of the limit\n", cases[i].name,
                                      event ? "event" : "time", 1 / def.dt, precision ? "float" : "double",
                                      reached);
                    assert_true(reached > 0.99); /* the limit is what is tried */
                }
        assert_worst(&worst, 1e-3, precision ? "torque beyond its limit, float" : "torque beyond its limit");
    }
}

/* ----------------------------------------------------------------------------------------------- joint limits */

static double beyond_limits(sn_world *world, int member) {
    double q[MAX_NQ];
    assert_int_equal(sn_world_get_state(world, member, q, NULL), SN_OK);
    return past_limits(sn_world_model(world, member), q);
}

static double worst_beyond_limits(sn_world *world, int member, double steps) {
    double worst = 0;
    for (int k = 0; k < steps; k++) {
        step_world(world);
        worst = fmax(worst, beyond_limits(world, member));
    }
    return worst;
}

/* A hinge with a target one radian past its limit; how far it gets beyond the limit, rad. */
static double driven_hinge(sn_world_def def, double kp) {
    sn_model *model = limited_arm();
    sn_world *world = world_of(&def);
    const int arm = member_of(world, model);
    const double zero = 0, target = 1.5, kd = kp * fmax(def.dt, 0.1);
    assert_int_equal(sn_world_set_gains(world, arm, &kp, &kd), SN_OK);
    assert_int_equal(sn_world_set_state(world, arm, &zero, NULL), SN_OK);
    assert_int_equal(sn_world_set_target(world, arm, &target, NULL), SN_OK);
    const double worst = worst_beyond_limits(world, arm, 2 / def.dt);
    sn_world_free(world);
    sn_model_free(model);
    return worst;
}

/* A standing humanoid whose every limited hinge has its target one radian past its limit. */
static double driven_humanoid(sn_world_def def) {
    sn_world *world = world_of(&def);
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const int human = member_of(world, model);
    double q[256];
    floor_of(world, NULL);
    uniform_gains(world, human, 0, 0, 1000, 100);
    stand_humanoid(world, human, q);
    for (int b = 0; b < model->nbody; b++) {
        const sn_joint_def *j = &model->body[b].joint;
        if (j->limited && j->type == SN_JOINT_HINGE) q[model->body[b].q_index] = j->upper[0] + 1;
    }
    assert_int_equal(sn_world_set_target(world, human, q, NULL), SN_OK);
    const double worst = worst_beyond_limits(world, human, 2 / def.dt);
    sn_world_free(world);
    sn_model_free(model);
    return worst;
}

/* Limp humanoids dropped from 1 m at random orientations and speeds of their joints. */
static double dropped_humanoid(sn_world_def def, int seed) {
    sn_world *world = world_of(&def);
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const int human = member_of(world, model);
    double q[256], qd[256], worst = 0;
    struct rng rng = {(uint64_t)(100 + seed)};
    floor_of(world, NULL);
    stand_humanoid(world, human, q);
    q[2] += 1;
    random_quaternion(&rng, q + 3);
    random_values(&rng, 2, qd, model->nv);
    assert_int_equal(sn_world_set_state(world, human, q, qd), SN_OK);
    double energy = energy_of(world);
    for (int k = 0; k < 2 / def.dt; k++) {
        /* limbs that spin themselves up are not what limits are about */
        if (sn_world_step(world) != SN_OK || energy_of(world) > energy + 50) break;
        energy = energy_of(world);
        worst = fmax(worst, beyond_limits(world, human));
    }
    sn_world_free(world);
    sn_model_free(model);
    return worst;
}

TEST(joints_stop_at_their_limits) {
    struct worst driven = {0}, dropped = {0};
    const double degree = M_PI / 180;
    for (int event = 0; event < 2; event++)
        for (int rate = 30; rate <= 240; rate *= 2)
            for (int precision = 0; precision < 2; precision++) {
                sn_world_def def = rows_def();
                const char *name = event ? "event" : "time", *with = precision ? "float" : "double";
                def.dt = 1.0 / rate;
                def.stepper = event ? SN_STEPPER_EVENT : SN_STEPPER_TIME;
                def.precision = precision ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE;
                const double x[2] = {driven_hinge(def, 1e6) / degree, driven_humanoid(def) / degree};
                worst_add(&driven, x[0], "hinge, %s, %s, 1/%d", name, with, rate);
                worst_add(&driven, x[1], "humanoid, %s, %s, 1/%d", name, with, rate);
                double most = 0;
                for (int seed = 0; seed < (FAST ? 1 : 4); seed++) {
                    const double y = dropped_humanoid(def, seed) / degree;
                    worst_add(&dropped, y, "%s, %s, 1/%d, seed %d", name, with, rate, seed);
                    most = fmax(most, y);
                }
                if (getenv("SINEW_VERBOSE"))
                    print_message("  %s %s 1/%d: hinge %.3g, humanoid %.3g, dropped %.3g degrees\n", name,
                                  with, rate, x[0], x[1], most);
            }
    assert_worst(&driven, 0.5, "degrees past a limit, driven");
    assert_worst(&dropped, 2, "degrees past a limit, dropped");
}

/* ------------------------------------------------------------------------------------------- bounded cost */

/* Two humanoids under 40 bodies at 60 steps per second; the mean height of the bodies after three seconds. examples/pile.c
   times it. */
static double pile_height(sn_setting setting, int seed, int *iterations) {
    sn_world_def def = rows_def();
    def.dt = 1.0 / 60, def.setting = setting;
    sn_world *world = world_of(&def);
    sn_model *human = sn_builtin_create("humanoid", NULL);
    sn_model *model[3] = {body_of(box_of(0.1, 0.1, 0.1, 2)), body_of(sphere_of(0.1, 2)),
                          body_of(capsule_of(0.07, 0.1, 2))};
    struct rng rng = {(uint64_t)seed};
    double q[64], sum = 0;
    floor_of(world, NULL);
    for (int i = 0; i < 2; i++) {
        const int k = member_of(world, human);
        uniform_gains(world, k, 0, 0, 1000, 100);
        stand_humanoid(world, k, q);
        q[0] = 0.8 * i - 0.4;
        assert_int_equal(sn_world_set_state(world, k, q, NULL), SN_OK);
        assert_int_equal(sn_world_set_target(world, k, q, NULL), SN_OK);
    }
    for (int i = 0; i < 40; i++) {
        double rot[4];
        random_quaternion(&rng, rot);
        const double pos[3] = {0.3 * (i % 3 - 1) + uniform(&rng, -0.02, 0.02),
                               0.3 * (i / 3 % 3 - 1) + uniform(&rng, -0.02, 0.02), 2 + 0.3 * (i / 9)};
        put_body(world, member_of(world, model[i % 3]), pos, rot, NULL);
    }
    *iterations = 0;
    for (int k = 0; k < 180; k++) {
        step_world(world);
        if (stats_of(world).iterations > *iterations) *iterations = stats_of(world).iterations;
    }
    for (int i = 0; i < 40; i++) {
        double pos[3];
        body_pose(world, 2 + i, 0, pos, NULL);
        sum += pos[2];
    }
    sn_world_free(world);
    sn_model_free(human);
    for (int i = 0; i < 3; i++)
        sn_model_free(model[i]);
    return sum / 40;
}

TEST(a_pile_ends_the_same_at_bounded_cost) {
    struct worst worst = {0};
    double off = 0; /* of a pile alone it is chance: up to 1.5 cm either way */
    for (int seed = 1; seed <= (FAST ? 1 : 2); seed++) {
        int iterations[2];
        const double game = pile_height(SN_SETTING_GAME, seed, &iterations[0]);
        const double exact = pile_height(SN_SETTING_EXACT, seed, &iterations[1]);
        print_message("  mean height %.4f m and %.4f m, at most %d and %d iterations\n", game, exact,
                      iterations[0], iterations[1]);
        assert_in_range(iterations[0], 1, 30);
        assert_in_range(iterations[1], 1, 1000);
        off += (game - exact) / (FAST ? 1 : 2);
    }
    worst_add(&worst, fabs(off), "mean of seeds");
    assert_worst(&worst, 0.01, "difference of heights, m");
}

/* -------------------------------------------------------------------------------------------- direct solves */

/* A tower of n cubes under 800 times their weight, directly: what it says, and how far it moved. */
static double direct_tower(int n, sn_world_stats *stats) {
    sn_world_def def = rows_def();
    def.study = solved_by(SN_ROW_SOLVER_LEMKE);
    sn_world *world = world_of(&def);
    sn_model *light = cube(0.1, 1), *heavy = cube(0.1, 800);
    double pos[3];
    floor_of(world, NULL);
    for (int i = 0; i < n; i++)
        put_body(world, member_of(world, i == n - 1 ? heavy : light), (double[]){0, 0, 0.1 + 0.2 * i}, NULL,
                 NULL);
    for (int k = 0; k < 20; k++)
        step_world(world);
    *stats = stats_of(world);
    body_pose(world, n - 1, 0, pos, NULL);
    sn_world_free(world);
    sn_model_free(light);
    sn_model_free(heavy);
    return fabs(pos[2] - (0.1 + 0.2 * (n - 1)));
}

TEST(direct_solves_tell_when_they_were_none) {
    sn_world_stats stats;
    assert_true(direct_tower(2, &stats) < 1e-6);
    print_message("  24 rows: %d fallbacks, residual %.2g m/s\n", stats.fallbacks, stats.residual);
    assert_int_equal(stats.fallbacks, 0);
    assert_true(stats.residual < 1e-6);
    assert_true(direct_tower(24, &stats) < 1e-3); /* 288 rows: more than Lemke's algorithm takes */
    assert_true(stats.rows > 256);
    assert_true(stats.fallbacks > 0);
}

/* -------------------------------------------------------------------------------------------- room that grows */

/* A floor of cubes, 18 by 18 with four contacts each, all in one world; how deep any sinks in half a second. */
static double floor_of_cubes(int most, sn_world_stats *stats) {
    enum { SIDE = 18 };
    sn_world_def def = rows_def();
    def.dt = 1.0 / 60;
    def.max_contacts = most;
    sn_world *world = world_of(&def);
    sn_model *model = cube(0.1, 1);
    double worst = 0;
    floor_of(world, NULL);
    for (int i = 0; i < SIDE * SIDE; i++)
        put_body(world, member_of(world, model), (double[]){0.3 * (i % SIDE), 0.3 * (i / SIDE), 0.1}, NULL,
                 NULL);
    for (int k = 0; k < 30; k++)
        step_world(world);
    *stats = stats_of(world);
    for (int i = 0; i < SIDE * SIDE; i++) {
        double pos[3];
        body_pose(world, i, 0, pos, NULL);
        worst = fmax(worst, 0.1 - pos[2]);
    }
    sn_world_free(world);
    sn_model_free(model);
    return worst;
}

TEST(contacts_are_as_many_as_there_are) {
    sn_world_stats stats;
    const double sunk = floor_of_cubes(0, &stats);
    print_message("  %d contacts, sunk %.2g mm\n", stats.contacts, 1e3 * sunk);
    assert_int_equal(stats.contacts, 4 * 18 * 18);
    assert_int_equal(stats.dropped, 0);
    assert_true(sunk < 1e-3);
    floor_of_cubes(1000, &stats);
    assert_int_equal(stats.dropped, 4 * 18 * 18 - 1000);
}

/* A heap grows in a world that has seen none, and again in one that had room already: the same bits, and the block of a
   snapshot is the same, too. */
TEST(room_that_was_there_before_makes_no_difference) {
    sn_world_def def = rows_def();
    def.dt = 1.0 / 60;
    sn_world *world = world_of(&def);
    sn_model *model = cube(0.1, 1), *plate = body_of(box_of(3, 3, 0.05, 10));
    uint64_t hash[2];
    floor_of(world, NULL);
    put_body(world, member_of(world, plate), (double[]){2.5, 2.5, 0.06}, NULL, NULL);
    for (int i = 0; i < 8 * 8; i++) /* all on one plate: its own rows outgrow their room */
        put_body(world, member_of(world, model), (double[]){0.7 * (i % 8), 0.7 * (i / 8), 0.25}, NULL, NULL);
    for (int i = 0; i < 16 * 16; i++) /* and beside it: so do the contacts */
        put_body(world, member_of(world, model), (double[]){10 + 0.3 * (i % 16), 0.3 * (i / 16), 0.12}, NULL,
                 NULL);
    size_t size;
    unsigned char *start = snapshot_of(world, &size);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(sn_world_restore(world, start, size, NULL), SN_OK);
        for (int i = 0; i < 20; i++)
            step_world(world);
        assert_int_equal(stats_of(world).dropped, 0);
        hash[k] = sn_world_hash(world) ^ hash_contacts(world, 0);
        assert_true(stats_of(world).contacts > 1024);
    }
    assert_true(hash[0] == hash[1]);
    /* a fresh world takes what this one has grown to */
    const size_t late = sn_world_snapshot(world, NULL, 0);
    assert_true(late > size);
    void *grown = malloc(late);
    assert_int_equal(sn_world_snapshot(world, grown, late), late);
    sn_world *other = world_of(&def);
    member_of(other, plate), member_of(other, model);
    sn_error error;
    if (sn_world_restore(other, grown, late, &error)) fail_msg("%s", error.message);
    step_world(world), step_world(other);
    assert_true(sn_world_hash(world) == sn_world_hash(other));
    sn_world_free(world);
    sn_world_free(other);
    free(start);
    free(grown);
    sn_model_free(model);
    sn_model_free(plate);
}

int main(void) {
    return run_all("promises of rows");
}
