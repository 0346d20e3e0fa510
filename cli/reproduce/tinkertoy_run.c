/* One run of the tinkertoy: a particle on a helix, another one at the end of a rod from it, and gravity. */
#include "tinkertoy_run.h"

#include "experiment.h"
#include "need.h"
#include "terminal.h"
#include "scenes/whole.h"

#include <math.h>

const char *const toy_way_names[TOY_WAYS] = {"inside MABA, full form", "rows, full form",
                                             "inside MABA, eq. 13", "penalty (PD)"};
static const sn_form form_of[TOY_WAYS] = {SN_FORM_FULL, SN_FORM_FULL, SN_FORM_STABLE, SN_FORM_EXPLICIT};

static void toy_build(const struct toy_trial *trial, struct toy *toy) {
    sn_error error = {0};
    const struct toy_def def = {.segments = trial->segments,
                                .dt = trial->dt,
                                .form = form_of[trial->way],
                                .rows = trial->rows || trial->way == TOY_ROWS,
                                .exact = trial->exact,
                                .alone = trial->alone};
    need(toy_create(toy, &def, &error), &error);
}

/* Where the two are and how fast: kinetic and potential energy. */
static double energy(sn_world *world, double *height, double *speed) {
    double sum = 0;
    *height = 0;
    for (int i = 1; i >= 0; i--) {
        double q[7], v[6];
        sn_world_get_state(world, i, q, v);
        const double v2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        *height += q[2];
        *speed = sqrt(v2);
        sum += TOY_MASS * (0.5 * v2 + 9.81 * q[2]);
    }
    return sum;
}

/* The segment above or below which the particle is: corners are at equal angles. */
static int segment_of(const struct toy *toy, const struct toy_trial *trial, double *turned) {
    double q[7];
    sn_world_get_state(toy->world, 0, q, NULL);
    const double angle = atan2(q[1], q[0]);
    *turned += remainder(angle - *turned, 2 * M_PI);
    return (int)floor(*turned / (2 * M_PI * HELIX_TURNS) * trial->segments);
}

/* Sums of distances, in tenths of the run. */
struct sums {
    double distance[10];
    int count[10];
};

static void look(const struct toy *toy, double distance, double rod, bool near_corner, double start,
                 struct toy_seen *seen) {
    double height, speed;
    const double now = energy(toy->world, &height, &speed) - start;
    seen->curve = fmax(seen->curve, distance);
    seen->rod = fmax(seen->rod, rod);
    if (near_corner)
        seen->corner = fmax(seen->corner, distance);
    else
        seen->between = fmax(seen->between, distance);
    seen->won = fmax(seen->won, now);
    seen->lasting = now;
    seen->fallen = -9.81 * TOY_MASS * height;
    seen->speed = fmax(seen->speed, speed);
}

/* A recorder where one is wanted. */
static sn_recorder *start_recording(const struct toy *toy, const struct toy_trial *trial) {
    sn_error error = {0};
    sn_recorder_def def = sn_recorder_def_default();
    def.rate = 1 / trial->dt, def.name = "tinkertoy";
    sn_recorder *recorder = trial->record ? sn_recorder_create(toy->world, &def, &error) : NULL;
    need(recorder || !trial->record, &error);
    return recorder;
}

static void end_recording(sn_recorder *recorder, const struct toy_trial *trial) {
    sn_error error = {0};
    need(!recorder || sn_recorder_save(recorder, trial->record, &error) == SN_OK, &error);
    sn_recorder_free(recorder);
}

void toy_run(const struct toy_trial *trial, struct toy_seen *seen) {
    struct toy toy;
    struct sums sums = {0};
    *seen = (struct toy_seen){.lost = (double)NAN};
    toy_build(trial, &toy);
    sn_recorder *recorder = start_recording(&toy, trial);
    const int steps = (int)lround(trial->duration / trial->dt);
    int segment = 0, since = 1000;
    double turned = 0;
    for (int i = 0; i < steps && isnan(seen->lost) && !interrupted(); i++) {
        sn_constraint_state curve, rod;
        const bool failed = step_whole(toy.world) != SN_OK;
        sn_world_get_constraint(toy.world, toy.curve, 0, &curve);
        sn_world_get_constraint(toy.world, toy.rod, 0, &rod);
        if (failed || !(curve.distance < 1)) {
            seen->lost = (i + 1) * trial->dt;
            break;
        }
        const int now = segment_of(&toy, trial, &turned);
        since = now != segment ? 0 : since + 1;
        segment = now;
        look(&toy, curve.distance, rod.distance, since < 3, 0, seen);
        sums.distance[10 * i / steps] += curve.distance, sums.count[10 * i / steps]++;
        if (recorder) {
            sn_recorder_number(recorder, "from the curve", curve.distance);
            sn_recorder_take(recorder, (i + 1) * trial->dt);
        }
    }
    if (sums.count[9]) seen->drift = sums.distance[9] / sums.count[9] - sums.distance[0] / sums.count[0];
    end_recording(recorder, trial);
    toy_free(&toy);
}

double toy_difference(const struct toy_trial *a, const struct toy_trial *b, int steps) {
    struct toy toy[2];
    double most = 0;
    toy_build(a, &toy[0]), toy_build(b, &toy[1]);
    for (int i = 0; i < steps; i++) {
        for (int k = 0; k < 2; k++)
            if (step_whole(toy[k].world) != SN_OK) most = INFINITY;
        for (int member = 0; member < 2; member++) {
            double v[2][6];
            for (int k = 0; k < 2; k++)
                sn_world_get_state(toy[k].world, member, NULL, v[k]);
            for (int k = 0; k < 6; k++)
                most = fmax(most, fabs(v[0][k] - v[1][k]));
        }
    }
    toy_free(&toy[0]), toy_free(&toy[1]);
    return most;
}
