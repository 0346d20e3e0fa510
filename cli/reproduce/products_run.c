#include "products_run.h"

#include "need.h"
#include "motion_gen.h"
#include "scenes/papers.h"
#include "scenes/shapes.h"
#include "scenes/whole.h"
#include "terminal.h"
#include "tracking_error.h"

#include <math.h>
#include <sinew/studies.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    double rate, seconds, hertz; /* rad/s, s, steps per second */
    double kp, kd;               /* of humanoids */
    bool gravity;
} scenes[SPIN_SCENES] = {
    [SPIN_PLATE] = {20, 60, 60, 0, 0, false},          [SPIN_TOP] = {100, 10, 60, 0, 0, true},
    [SPIN_LIMP] = {10, 10, 60, 0, 1, false},           [SPIN_HELD] = {6, 10, 60, 3000, 300, false},
    [SPIN_HELD_FAST] = {10, 10, 30, 3000, 300, false}, [SPIN_CHAIN] = {0, 10, 120, 0, 0, true},
    [SPIN_CHAIN_COARSE] = {0, 10, 60, 0, 0, true},
};

static bool is_chain(int scene) {
    return scene >= SPIN_CHAIN;
}

static bool is_humanoid(int scene) {
    return scene >= SPIN_LIMP && scene <= SPIN_HELD_FAST;
}

double spin_dt(int scene) {
    return 1 / scenes[scene].hertz;
}

struct spin {
    sn_model *model;
    sn_world *world;
    struct motion *motion; /* of the chains */
    int nq, nv;
    double *q, *qd, *target, *dv;
};

static sn_model *build(int scene, sn_error *error) {
    const sn_shape_def plate = box_of(0.5, 0.3, 0.05, 1);
    if (scene == SPIN_PLATE) return scene_body_model(&plate, error);
    if (scene == SPIN_TOP) return top_model(error);
    return sn_builtin_create(is_chain(scene) ? "snake195" : "humanoid", error);
}

/* How it starts to turn, in the axes of its root. */
static void start(int scene, struct spin *s, uint64_t seed) {
    static const double plate[3] = {0.01, 1, 0.01}, humanoid[3] = {1, 1, 1};
    const double *axis = scene == SPIN_PLATE ? plate : humanoid;
    const double size = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    sn_model_zero_pose(s->model, s->q);
    memset(s->qd, 0, (size_t)s->nv * sizeof *s->qd);
    if (is_chain(scene)) {
        const struct motion_style style = {.frequency = 3, .amplitude_lower = 0.75, .amplitude_upper = 0.75};
        s->motion = motion_create(s->model, &style, seed); /* it comes to it from rest */
        set_uniform_gains(s->world, 0, 20000, 2000, 75000, 4000);
    } else if (scene == SPIN_TOP) {
        s->q[0] = cos(0.15), s->q[1] = sin(0.15); /* 0.3 rad about x */
        s->qd[2] = scenes[scene].rate;
    } else {
        for (int k = 0; k < 3; k++)
            s->qd[3 + k] = scenes[scene].rate * axis[k] / size;
    }
    if (is_humanoid(scene)) set_uniform_gains(s->world, 0, 0, 0, scenes[scene].kp, scenes[scene].kd);
    sn_world_set_state(s->world, 0, s->q, s->qd);
    sn_world_set_target(s->world, 0, s->q, NULL);
}

static void free_spin(struct spin *s) {
    motion_free(s->motion);
    sn_world_free(s->world);
    sn_model_free(s->model);
    free(s->q);
}

static void make_spin(struct spin *s, int scene, sn_precision precision, enum spin_products products,
                      double dt, uint64_t seed) {
    sn_error error = {0};
    sn_world_def def = sn_world_def_default();
    def.dt = dt;
    def.precision = precision;
    if (products == SPIN_EXPLICIT) def.products = SN_PRODUCTS_EXPLICIT;
    def.study = sn_study_find((sn_study_def){.polarised = products == SPIN_IMPLICIT});
    if (!scenes[scene].gravity) memset(def.gravity, 0, sizeof def.gravity);
    *s = (struct spin){.model = need_model(build(scene, &error), &error), .world = need_world(&def)};
    need_member(s->world, s->model);
    s->nq = sn_model_get(s->model)->nq, s->nv = sn_model_get(s->model)->nv;
    s->q = need_memory(NULL, (size_t)(2 * s->nq + 2 * s->nv) * sizeof *s->q);
    s->target = s->q + s->nq, s->qd = s->target + s->nq, s->dv = s->qd + s->nv;
    start(scene, s, seed);
}

/* The squares of what the joints are off, without the root, mean over the joints' degrees of freedom. */
static double square_error(struct spin *s) {
    double most;
    sn_world_get_state(s->world, 0, s->q, NULL);
    sn_model_pose_subtract(s->model, 1, s->q, s->target, s->dv);
    return joints_mean_square(s->model, s->dv, &most);
}

static double angular_change(const sn_summary *a, const sn_summary *b) {
    double change = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        change += pow(b->angular_momentum[k] - a->angular_momentum[k], 2);
        size += a->angular_momentum[k] * a->angular_momentum[k];
    }
    return sqrt(change / size);
}

void spin_run(int scene, sn_precision precision, enum spin_products products, double dt,
              const struct run_settings *settings, struct spin_seen *seen) {
    struct spin s;
    make_spin(&s, scene, precision, products, dt, settings->seed);
    const long steps = lround((settings->quick ? 0.3 : scenes[scene].seconds) / dt);
    sn_summary before, after;
    double square = 0;
    *seen = (struct spin_seen){.lost = (double)NAN, .momentum = (double)NAN};
    sn_world_summary(s.world, 0, 0, &before);
    for (long i = 1; i <= steps && isnan(seen->lost); i++) {
        if (s.motion) {
            motion_sample(s.motion, (double)i * dt, s.target, NULL);
            sn_world_set_target(s.world, 0, s.target, NULL);
        }
        if (step_whole(s.world) != SN_OK) seen->lost = (double)i * dt;
        if (s.motion && isnan(seen->lost)) square += square_error(&s) / (double)steps;
    }
    sn_world_summary(s.world, 0, 0, &after);
    const double energy = before.kinetic + before.potential, now = after.kinetic + after.potential;
    seen->value = s.motion            ? sqrt(square)
                  : scene == SPIN_TOP ? (now - energy) / before.kinetic
                                      : now / energy;
    if (!scenes[scene].gravity) seen->momentum = angular_change(&before, &after);
    free_spin(&s);
}

double spin_fine(int scene, const struct run_settings *settings) {
    struct spin_seen coarse, small;
    if (!is_humanoid(scene)) return scene == SPIN_PLATE ? 1 : scene == SPIN_TOP ? 0 : (double)NAN;
    spin_run(scene, SN_PRECISION_DOUBLE, SPIN_EXPLICIT, 1.0 / 1920, settings, &coarse);
    spin_run(scene, SN_PRECISION_DOUBLE, SPIN_EXPLICIT, 1.0 / 7680, settings, &small);
    return (4 * small.value - coarse.value) / 3; /* the error is first order in the step */
}
