#include "workload.h"

#include "motion_gen.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct solver_name solver_names[] = {
    {"maba", SN_SOLVER_MABA},     {"dense", SN_SOLVER_DENSE}, {"lapack", SN_SOLVER_LAPACK},
    {"sparse", SN_SOLVER_SPARSE}, {"pcg", SN_SOLVER_PCG},     {0},
};

const sn_lanes_info *lanes_find(const char *name) {
    for (int i = 0; sn_lanes_get(i); i++)
        if (strcmp(sn_lanes_get(i)->name, name) == 0) return sn_lanes_get(i);
    return NULL;
}

const sn_lanes_info *lanes_widest(sn_precision precision) {
    const sn_lanes_info *widest = NULL;
    for (int i = 0; sn_lanes_get(i); i++) {
        const sn_lanes_info *lanes = sn_lanes_get(i);
        if (lanes->precision == precision && (!widest || lanes->width > widest->width)) widest = lanes;
    }
    return widest;
}

const char *precision_name(sn_precision precision) {
    return precision == SN_PRECISION_DOUBLE ? "double" : "float";
}

static double *numbers(size_t count) {
    return need_memory(NULL, count * sizeof(double));
}

/* Targets of all frames and the state the first one belongs to. */
static void make_targets(struct workload *w, const sn_model *model, const struct workload_def *def) {
    struct motion *motion = motion_create(model, &motion_swing, def->seed);
    const double period = 1.0 / motion_swing.frequency;
    w->steps = def->steps > 0 ? def->steps : (int)(period / def->dt + 0.5);
    const int nframe = def->moving ? w->steps : 1;
    /* a call should be short, and yet much longer than the way into lanes and back: more steps in wider lanes */
    const bool slow = def->solver != SN_SOLVER_MABA && w->nv > 100;
    w->each = def->moving || slow || def->lanes->width < 4 ? 1 : def->lanes->width / 2;
    w->calls = (w->steps + w->each - 1) / w->each;
    w->fastest = numbers((size_t)w->calls);
    w->loading = INFINITY;
    for (int i = 0; i < w->calls; i++)
        w->fastest[i] = INFINITY;
    w->target = numbers((size_t)nframe * (size_t)w->count * (size_t)w->nq);
    w->start_q = numbers((size_t)w->count * (size_t)w->nq);
    w->start_qd = numbers((size_t)w->count * (size_t)w->nv);
    w->q = numbers((size_t)w->count * (size_t)w->nq);
    w->qd = numbers((size_t)w->count * (size_t)w->nv);
    double *q = w->target;
    for (int f = 0; f < nframe; f++)
        for (int c = 0; c < w->count; c++, q += w->nq) {
            /* The target is where the step should end. Fixed targets lie along the motion. */
            const double t = def->moving ? (f + 1) * def->dt : period * c / w->count;
            motion_sample(motion, t, q, NULL);
        }
    for (int c = 0; c < w->count; c++)
        motion_sample(motion, 0.0, w->start_q + c * w->nq, w->start_qd + c * w->nv);
    motion_free(motion);
}

static void set_gains(struct workload *w, const sn_model *model, bool driven) {
    w->kp = numbers((size_t)w->nv), w->kd = numbers((size_t)w->nv);
    if (driven)
        sn_gains_uniform(model, 20000, 2000, 75000, 4000, w->kp, w->kd);
    else
        sn_gains_uniform(model, 0, 0, 0, 0, w->kp, w->kd);
}

static void restart(struct workload *w) {
    memcpy(w->q, w->start_q, (size_t)w->count * (size_t)w->nq * sizeof *w->q);
    memcpy(w->qd, w->start_qd, (size_t)w->count * (size_t)w->nv * sizeof *w->qd);
}

sn_status workload_create(struct workload *workload, const sn_model *model, const struct workload_def *def,
                          sn_error *error) {
    sn_dynamics_def dynamics = sn_dynamics_def_default();
    dynamics.count = def->count;
    dynamics.lanes = def->lanes->name;
    dynamics.precision = def->lanes->precision;
    dynamics.solver = def->solver;
    dynamics.form = def->form;
    dynamics.dt = def->dt;
    *workload = (struct workload){.count = def->count,
                                  .moving = def->moving,
                                  .nq = sn_model_get(model)->nq,
                                  .nv = sn_model_get(model)->nv};
    *error = (sn_error){0};
    workload->dynamics = sn_dynamics_create(model, &dynamics, error);
    if (!workload->dynamics) return error->status;
    make_targets(workload, model, def);
    set_gains(workload, model, def->driven);
    workload->drive = (sn_drive){.kp = workload->kp, .kd = workload->kd, .target_q = workload->target};
    return SN_OK;
}

void workload_free(struct workload *workload) {
    sn_dynamics_free(workload->dynamics);
    double *const own[] = {workload->kp, workload->kd, workload->start_q, workload->start_qd,
                           workload->q,  workload->qd, workload->target,  workload->fastest};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        free(own[i]);
    *workload = (struct workload){0};
}

/* Seconds of one call. */
static double time_call(struct workload *w, int steps) {
    const double start = clock_seconds();
    const sn_status status = sn_dynamics_step(w->dynamics, &w->drive, steps, w->q, w->qd, NULL, NULL);
    const double seconds = clock_seconds() - start;
    w->lost |= status != SN_OK;
    return seconds;
}

/* The calls from one restart to the next; seconds of their steps. */
static double time_steps(void *context) {
    struct workload *w = context;
    double spent = 0.0;
    restart(w);
    for (int i = 0; i < w->calls; i++) {
        const int left = w->steps - i * w->each, steps = left < w->each ? left : w->each;
        if (w->moving) w->drive.target_q = w->target + (size_t)i * (size_t)w->count * (size_t)w->nq;
        w->loading = fmin(w->loading, time_call(w, 0));
        const double seconds = time_call(w, steps);
        w->fastest[i] = fmin(w->fastest[i], seconds);
        spent += seconds;
    }
    return spent;
}

double workload_time(struct workload *workload, const struct timing *timing) {
    double seconds = 0.0;
    repeat(timing, time_steps, workload);
    for (int i = 0; i < workload->calls; i++)
        seconds += workload->fastest[i] - workload->loading;
    return 1e6 * seconds / (workload->count * workload->steps);
}

bool workloads_measure(const sn_model *model, const struct workload_def *def, int count,
                       const struct timing *timing, double *us) {
    struct workload *list = need_memory(NULL, (size_t)count * sizeof *list);
    const struct timing once = {.seconds = timing->seconds, .repetitions = 1};
    bool good = true;
    for (int i = 0; i < count; i++) {
        sn_error error = {0};
        const sn_status status = workload_create(&list[i], model, &def[i], &error);
        us[i] = status == SN_OK ? (double)INFINITY : (double)NAN;
        if (status == SN_OK || status == SN_ERROR_UNSUPPORTED) continue;
        good = complain(EXIT_FAILED, "cannot measure: %s", error.message) == EXIT_DONE;
    }
    for (int r = 0; r < timing->repetitions && good; r++)
        for (int i = 0; i < count && !interrupted(); i++)
            if (!isnan(us[i])) us[i] = workload_time(&list[i], &once);
    for (int i = 0; i < count; i++) {
        if (!isnan(us[i]) && list[i].lost)
            good = complain(EXIT_FAILED, "a measured character stopped being finite") == EXIT_DONE;
        workload_free(&list[i]);
    }
    free(list);
    return good;
}
