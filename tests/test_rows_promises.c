/* What rows promise: any mass ratio, no more iterations than asked for, direct solves that tell when they were none,
 * torque limits and joint limits that hold, and room that grows. */
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
                    def.precision = precision ? SN_FLOAT : SN_DOUBLE;
                    const double moved = tower_moves(def, cubes[k / 5], ratio[k % 5], &iterations);
                    worst_add(&worst[precision], moved, "%d cubes, %g : 1, %s, 1/%g", cubes[k / 5],
                              ratio[k % 5], exact ? "exact" : "game", 1 / def.dt);
                    assert_in_range(iterations, 1, exact ? 1000 : 30);
                    if (getenv("SINEW_VERBOSE"))
                        print_message("  %s %s 1/%g %d cubes %g: %.3g mm, %d iterations\n", exact ? "exact" : "game",
                                      precision ? "float" : "double", 1 / def.dt, cubes[k / 5], ratio[k % 5],
                                      1e3 * moved, iterations);
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
        if (c->push) assert_int_equal(sn_world_set_push(world, human, 0, force, NULL), SN_OK);
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
                    def.precision = precision ? SN_FLOAT : SN_DOUBLE;
                    def.stepper = event ? SN_STEPPER_EVENT : SN_STEPPER_TIME;
                    def.dt = fine ? 1.0 / 240 : 1.0 / 60;
                    const double over = torque_in(def, &cases[i], &reached);
                    worst_add(&worst, over, "%s, %s, 1/%g", cases[i].name, event ? "event" : "time", 1 / def.dt);
                    if (getenv("SINEW_VERBOSE"))
                        print_message("  %s, %s, 1/%g, %s: %.6f of the limit\n", cases[i].name,
                                      event ? "event" : "time", 1 / def.dt, precision ? "float" : "double", reached);
                    assert_true(reached > 0.99); /* the limit is what is tried */
                }
        assert_worst(&worst, 1e-3, precision ? "torque beyond its limit, float" : "torque beyond its limit");
    }
}

/* ----------------------------------------------------------------------------------------------- joint limits */

/* How far any joint of a member is beyond its limits, rad: hinges and universals by axis, balls by swing and twist. */
static double beyond_limits(sn_world *world, int member) {
    const sn_model *model = sn_world_model(world, member);
    double q[256], worst = 0;
    assert_int_equal(sn_world_get_state(world, member, q, NULL), SN_OK);
    for (int b = 0; b < model->nbody; b++) {
        const sn_joint_def *j = &model->body[b].joint;
        const double *x = q + model->body[b].q_index;
        if (!j->limited) continue;
        if (j->type == SN_JOINT_BALL) {
            const double *t = j->axis, along = x[1] * t[0] + x[2] * t[1] + x[3] * t[2];
            const double swing = 2 * acos(fmin(1, sqrt(x[0] * x[0] + along * along)));
            const double twist = 2 * atan2(x[0] < 0 ? -along : along, fabs(x[0]));
            worst = fmax(worst, fmax(swing - j->upper[1], fmax(j->lower[0] - twist, twist - j->upper[0])));
            continue;
        }
        for (int k = 0; k < model->body[b].nq; k++)
            worst = fmax(worst, fmax(j->lower[k] - x[k], x[k] - j->upper[k]));
    }
    return worst;
}

/* A hinge with a target one radian past its limit; how far it gets beyond the limit, rad. */
static double driven_hinge(sn_world_def def, double kp) {
    sn_joint_def joint = sn_joint_def_default(SN_JOINT_HINGE);
    joint.axis[0] = 0, joint.axis[1] = 1, joint.axis[2] = 0;
    joint.limited = true;
    joint.lower[0] = -0.5, joint.upper[0] = 0.5;
    const sn_shape_def shape = capsule_of(0.03, 0.15, 2);
    sn_model *model = one_body_model("arm", &joint, &shape, NULL);
    sn_world *world = world_of(&def);
    const int arm = member_of(world, model);
    const double zero = 0, target = 1.5, kd = kp * fmax(def.dt, 0.1);
    double worst = 0;
    assert_int_equal(sn_world_set_gains(world, arm, &kp, &kd), SN_OK);
    assert_int_equal(sn_world_set_state(world, arm, &zero, NULL), SN_OK);
    assert_int_equal(sn_world_set_target(world, arm, &target, NULL), SN_OK);
    for (int k = 0; k < 2 / def.dt; k++) {
        step_world(world);
        worst = fmax(worst, beyond_limits(world, arm));
    }
    sn_world_free(world);
    sn_model_free(model);
    return worst;
}

/* A standing humanoid whose every limited hinge has its target one radian past its limit. */
static double driven_humanoid(sn_world_def def) {
    sn_world *world = world_of(&def);
    sn_model *model = sn_builtin_create("humanoid", NULL);
    const int human = member_of(world, model);
    double q[256], worst = 0;
    floor_of(world, NULL);
    uniform_gains(world, human, 0, 0, 1000, 100);
    stand_humanoid(world, human, q);
    for (int b = 0; b < model->nbody; b++) {
        const sn_joint_def *j = &model->body[b].joint;
        if (j->limited && j->type == SN_JOINT_HINGE) q[model->body[b].q_index] = j->upper[0] + 1;
    }
    assert_int_equal(sn_world_set_target(world, human, q, NULL), SN_OK);
    for (int k = 0; k < 2 / def.dt; k++) {
        step_world(world);
        worst = fmax(worst, beyond_limits(world, human));
    }
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
    for (int k = 0; k < 2 / def.dt; k++) {
        if (sn_world_step(world) != SN_OK) break; /* spun apart: not what limits are about */
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
                def.precision = precision ? SN_FLOAT : SN_DOUBLE;
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
                    print_message("  %s %s 1/%d: hinge %.3g, humanoid %.3g, dropped %.3g degrees\n", name, with, rate,
                                  x[0], x[1], most);
            }
    assert_worst(&driven, 0.5, "degrees past a limit, driven");
    assert_worst(&dropped, 2, "degrees past a limit, dropped");
}

int main(void) {
    return run_all("promises of rows");
}
