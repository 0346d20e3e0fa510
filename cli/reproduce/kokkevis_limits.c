/* kokkevis-2004 section 8.2: joint limits as unilateral constraints. A velocity against a limit is taken away by an
 * impact, an acceleration against it by a constraint; a limit pushes and never pulls. */
#include "kokkevis_limits.h"

#include "need.h"
#include "paper_world.h"
#include "progress.h"
#include "terminal.h"
#include "scenes/whole.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPPERS = 2, STEPS = 2 };

static const char *const steppers[STEPPERS] = {"time", "event"};
static const int hertz[STEPS] = {240, 60};

/* How far a joint is past its limits, rad or m. A ball's swing is the angle between its twist axis t and
   where the body has carried it, its twist 2 atan2(q . t, q_w). */
static double past_limits(const sn_joint_def *joint, const double *q) {
    double past = 0;
    if (joint->type != SN_JOINT_BALL) {
        const int n = joint->type == SN_JOINT_UNIVERSAL ? 2 : 1;
        for (int k = 0; k < n; k++)
            past = fmax(past, fmax(joint->lower[k] - q[k], q[k] - joint->upper[k]));
        return past;
    }
    const double *t = joint->axis, *v = q + 1;
    const double along = v[0] * t[0] + v[1] * t[1] + v[2] * t[2];
    const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    /* t . R t = w^2 - v^2 + 2 (v . t)^2 */
    const double cosine = fmax(-1, fmin(1, q[0] * q[0] - square + 2 * along * along));
    const double sign = q[0] < 0 ? -1 : 1, twist = 2 * atan2(sign * along, sign * q[0]);
    past = fmax(past, acos(cosine) - joint->upper[1]);
    if (1 + cosine > 0.01) past = fmax(past, fmax(joint->lower[0] - twist, twist - joint->upper[0]));
    return past;
}

double worst_past_limit(const sn_model *model, const double *q, int *which) {
    double worst = 0;
    for (int b = 0; b < sn_model_get(model)->nbody; b++) {
        const sn_body_info *body = sn_model_body(model, b);
        if (!body->joint.limited || body->nv == 0) continue;
        const double past = past_limits(&body->joint, q + body->q_index);
        if (past > worst) {
            worst = past;
            *which = b;
        }
    }
    return worst;
}

struct fall {
    bool finite;
    double worst, end; /* rad past a limit: ever, and at the end */
    int joint;
};

/* A limp humanoid thrown at the ground; its joints have hardly any damping. */
static struct fall drop(const sn_model *model, int stepper, int hz, bool limits, double seconds) {
    struct ground_scene_def def = ground_scene_def_default();
    def.world = paper_world_def();
    def.world.dt = 1.0 / hz;
    def.world.stepper = stepper ? SN_STEPPER_EVENT : SN_STEPPER_TIME;
    def.world.joint_limits = limits;
    def.fall = true;
    def.kp = 0;
    def.kd = 0.5;
    struct ground_scene scene = need_ground_scene(model, &def);
    struct fall fall = {.finite = true, .joint = -1};
    const int steps = (int)(seconds * hz + 0.5);
    for (int i = 0; i < steps; i++) {
        if (step_whole(scene.world) != SN_OK) {
            fall.finite = false;
            break;
        }
        sn_world_get_state(scene.world, 0, scene.q, NULL);
        int which = -1;
        fall.end = worst_past_limit(model, scene.q, &which);
        if (fall.end > fall.worst) {
            fall.worst = fall.end;
            fall.joint = which;
        }
    }
    ground_scene_free(&scene);
    return fall;
}

double degrees(double angle) {
    return angle * 180 / M_PI;
}

struct stop { /* rad, rad/s */
    double past, arrival, left, end;
};

struct limits {
    struct fall on[STEPPERS][STEPS], off[STEPPERS][STEPS];
    struct stop stop[STEPPERS][STEPS];
    struct hard_limits hard;
};

static void run_ragdolls(const struct run_settings *settings, struct limits *l, struct result *result) {
    sn_model *model = need_builtin("humanoid");
    for (int i = 0; i < STEPPERS * STEPS * 2 && !interrupted(); i++) {
        const int s = i / (2 * STEPS), h = i / 2 % STEPS;
        const bool limits = i % 2 == 0;
        struct fall *fall = limits ? &l->on[s][h] : &l->off[s][h];
        progress_step("ragdoll, %s stepper, 1/%d s", steppers[s], hertz[h]);
        *fall = drop(model, s, hertz[h], limits, settings->quick ? 0.5 : 4);
        add_row(result,
                "a limp humanoid thrown at the ground, kp = 0, kd = 0.5: how far joints pass their limits",
                {"stepper", text(steppers[s])}, {"dt", number(1.0 / hertz[h])}, {"limits", flag(limits)},
                {"worst_degrees", number(fall->finite ? degrees(fall->worst) : (double)NAN)},
                {"at_end_degrees", number(fall->finite ? degrees(fall->end) : (double)NAN)},
                {"worst_joint", text(fall->joint < 0 ? "-" : sn_model_body(model, fall->joint)->name)});
    }
    sn_model_free(model);
}

/* A rod that starts level and falls against a stop shortly before the bottom, where its weight presses it
   on: how far past it, how fast it still is after it has reached it, and where it rests. */
static void swing(int stepper, int h, struct limits *l) {
    const double stop = -0.3;
    sn_error error = {0};
    sn_model *model = need_model(build_pendulum(-2, stop, &error), &error);
    sn_world_def def = paper_world_def();
    def.dt = 1.0 / hertz[h];
    def.stepper = stepper ? SN_STEPPER_EVENT : SN_STEPPER_TIME;
    sn_world *world = need_world(&def);
    bool reached = false;
    double q = -M_PI / 2, qd = 0;
    struct stop *seen = &l->stop[stepper][h];
    sn_world_set_state(world, need_member(world, model), &q, &qd);
    for (int i = 0; i < 2 * hertz[h]; i++) {
        need_step(world);
        const double before = qd;
        sn_world_get_state(world, 0, &q, &qd);
        seen->past = fmax(seen->past, q - stop);
        if (reached) seen->left = fmax(seen->left, fabs(qd));
        if (!reached && q > stop - 1e-2 && qd < 0.5 * before) {
            reached = true;
            seen->arrival = before;
        }
    }
    seen->end = q - stop;
    sn_world_free(world);
    sn_model_free(model);
}

static void run_stops(struct limits *l, struct result *result) {
    for (int i = 0; i < STEPPERS * STEPS && !interrupted(); i++) {
        const int s = i / STEPS, h = i % STEPS;
        progress_step("pendulum, %s stepper, 1/%d s", steppers[s], hertz[h]);
        swing(s, h, l);
        const struct stop *seen = &l->stop[s][h];
        add_row(result, "a pendulum falls against a stop and rests on it", {"stepper", text(steppers[s])},
                {"dt", number(1.0 / hertz[h])}, {"arrives_rad_s", number(seen->arrival)},
                {"after_rad_s", number(seen->left)}, {"worst_degrees", number(degrees(seen->past))},
                {"rests_degrees", number(degrees(seen->end))});
    }
}

static void put_claims(const struct limits *l, struct result *result) {
    double worst = 0, without = INFINITY, past = 0, left = 0;
    for (int s = 0; s < STEPPERS; s++)
        for (int h = 0; h < STEPS; h++) {
            worst = fmax(worst, l->on[s][h].finite ? degrees(l->on[s][h].worst) : (double)INFINITY);
            if (l->off[s][h].finite) without = fmin(without, degrees(l->off[s][h].worst));
            past = fmax(past, degrees(l->stop[s][h].past));
            left = fmax(left, l->stop[s][h].left);
        }
    const struct hard_limits *hard = &l->hard;
    add_claims(
        result,
        {at_most(0.3, FROM_MEASURED), number(0), number(worst),
         "joints of a falling ragdoll with hardly any damping keep their limits: worst violation, degrees"},
        {at_least(10, FROM_MEASURED), none(), number(without),
         "without limits the same falls pass them: the least of them, degrees"},
        {at_most(1e-9, FROM_ROUNDING), number(0), number(past),
         "a pendulum does not pass its stop: worst, degrees"},
        {at_most(1e-12, FROM_ROUNDING), number(0), number(left),
         "a velocity against the limit is taken away: what is left after the impact, rad/s"},
        {at_most(0.5, FROM_PROMISE), none(), number(hard->elbow),
         "an elbow driven to a target 1 rad past its limit, steps of 1/240 to 1/30 s, every way of contact: "
         "worst violation of any joint, degrees"},
        {at_most(0.5, FROM_PROMISE), none(), number(hard->hinge),
         "a hinge with kp = 1e6, in the same way: worst violation, degrees"},
        {exactly(hard->falls, FROM_PROMISE), none(), number(hard->finite),
         said("humanoids without any damping dropped from 1 m, in the same way, stay finite: of %d falls",
              hard->falls)},
        {at_most(2, FROM_PROMISE), none(), number(hard->fall[0]),
         "and keep their limits by rows: worst violation in those that stay finite, degrees"},
        {at_most(2, FROM_PROMISE), none(), number(hard->fall[1]),
         "and keep their limits by implicit contact: worst violation, degrees"});
    result_close(
        result,
        "%d of %d claims hold. In the paper's world, limits being rows of the same problem as the contacts, "
        "a ragdoll with kd = 0.5 passes them by %.2g degrees at most, by %.0f without them. Without any "
        "damping, in the library's own world, it is %.2g degrees by rows, which lay another row through the "
        "pose they lead to where that is past a limit, and %.2g by implicit contact%s. Drives that press "
        "against a limit pass it by %.2g degrees (elbow, kp = 1000) and %.2g (hinge, kp = 1e6); it is the "
        "less the more of what the drive does in the same step the limit sees.",
        result_held(result), result->nclaim, worst, without, hard->fall[0], hard->fall[1],
        hard->fall[1] > 2 ? ", which takes the way to the limit of a ball as straight from the pose before "
                            "the step: a limb that turns by a radian in a step passes it"
                          : "",
        hard->elbow, hard->hinge);
}

bool run_kokkevis_limits(const struct run_settings *settings, struct result *result) {
    struct limits l = {0};
    add_settings(
        result,
        {"ragdoll",
         text("humanoid, 0.2 m above the ground, 1.5 m/s and 1 rad/s, kp = 0, kd = 0.5 on all its joints")},
        {"pendulum", text("rod of 1 m, level to a stop 0.3 rad before the bottom, undamped")},
        {"seed", number((double)settings->seed)}); /* of the orientations */
    put_paper_world(result);
    result_setting(result, "driven_and_undamped",
                   text("the library's own default world, with each way of contact: velocity products at "
                        "midpoint, game setting; root not driven, no damping but the kd named"));
    progress_start("kokkevis/limits", STEPPERS * STEPS * 3 + HARD_LIMIT_RUNS);
    run_ragdolls(settings, &l, result);
    run_stops(&l, result);
    hard_limits(settings, &l.hard, result);
    if (!interrupted()) put_claims(&l, result);
    return true;
}
