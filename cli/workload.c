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
    for (int i = 0; i < sn_lanes_count(); i++)
        if (strcmp(sn_lanes_get(i)->name, name) == 0) return sn_lanes_get(i);
    return NULL;
}

const sn_lanes_info *lanes_widest(sn_precision precision) {
    const sn_lanes_info *widest = NULL;
    for (int i = 0; i < sn_lanes_count(); i++) {
        const sn_lanes_info *lanes = sn_lanes_get(i);
        if (lanes->precision == precision && (!widest || lanes->width > widest->width)) widest = lanes;
    }
    return widest;
}

const char *precision_name(sn_precision precision) {
    return precision == SN_DOUBLE ? "double" : "float";
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
    w->fastest = numbers((size_t)w->steps);
    for (int i = 0; i < w->steps; i++)
        w->fastest[i] = INFINITY;
    w->target = numbers((size_t)nframe * (size_t)w->count * (size_t)w->nq);
    w->start_q = numbers((size_t)w->count * (size_t)w->nq);
    w->start_qd = numbers((size_t)w->count * (size_t)w->nv);
    double *q = w->target;
    for (int f = 0; f < nframe; f++)
        for (int c = 0; c < w->count; c++, q += w->nq) {
            /* The target is where the step shall end. Fixed targets lie along the motion. */
            const double t = def->moving ? (f + 1) * def->dt : period * c / w->count;
            motion_sample(motion, t, q, NULL);
        }
    for (int c = 0; c < w->count; c++)
        motion_sample(motion, 0.0, w->start_q + c * w->nq, w->start_qd + c * w->nv);
    motion_free(motion);
}

static sn_status set_gains(struct workload *w, const sn_model *model, bool driven) {
    double *kp = numbers((size_t)w->nv), *kd = numbers((size_t)w->nv);
    if (driven)
        sn_gains_uniform(model, 20000, 2000, 75000, 4000, kp, kd);
    else
        sn_gains_uniform(model, 0, 0, 0, 0, kp, kd);
    const sn_status status = sn_crowd_set_gains(w->crowd, kp, kd);
    free(kp);
    free(kd);
    return status;
}

static sn_status restart(struct workload *w) {
    return sn_crowd_set_state(w->crowd, 0, w->count, w->start_q, w->start_qd);
}

static sn_status set_frame(struct workload *w, int frame) {
    return sn_crowd_set_target(w->crowd, 0, w->count,
                               w->target + (size_t)frame * (size_t)w->count * (size_t)w->nq, NULL);
}

sn_status workload_create(struct workload *workload, const sn_model *model, const struct workload_def *def,
                          sn_error *error) {
    sn_crowd_def crowd = sn_crowd_def_default();
    crowd.count = def->count;
    crowd.character.lanes = def->lanes->name;
    crowd.character.precision = def->lanes->precision;
    crowd.character.solver = def->solver;
    crowd.character.form = def->form;
    crowd.character.dt = def->dt;
    *workload = (struct workload){
        .count = def->count, .moving = def->moving, .nq = sn_model_nq(model), .nv = sn_model_nv(model)};
    *error = (sn_error){0};
    workload->crowd = sn_crowd_create(model, &crowd, error);
    if (!workload->crowd) return error->status;
    make_targets(workload, model, def);
    sn_status status = set_gains(workload, model, def->driven);
    if (status == SN_OK) status = restart(workload);
    if (status == SN_OK) status = set_frame(workload, 0);
    if (status != SN_OK) {
        error->status = status;
        snprintf(error->message, sizeof error->message, "%s", sn_status_text(status));
        workload_free(workload);
    }
    return status;
}

void workload_free(struct workload *workload) {
    sn_crowd_free(workload->crowd);
    free(workload->start_q);
    free(workload->start_qd);
    free(workload->target);
    free(workload->fastest);
    *workload = (struct workload){0};
}

/* The steps from one restart to the next. Only the steps are timed. */
static double time_steps(void *context) {
    struct workload *w = context;
    double spent = 0.0;
    restart(w);
    for (int i = 0; i < w->steps; i++) {
        if (w->moving) set_frame(w, i);
        const double start = clock_seconds();
        sn_crowd_step(w->crowd);
        const double seconds = clock_seconds() - start;
        w->fastest[i] = fmin(w->fastest[i], seconds);
        spent += seconds;
    }
    return spent;
}

double workload_time(struct workload *workload, const struct timing *timing) {
    double seconds = 0.0;
    repeat(timing, time_steps, workload);
    for (int i = 0; i < workload->steps; i++)
        seconds += workload->fastest[i];
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
        if (!isnan(us[i]) && sn_crowd_diverged(list[i].crowd) > 0)
            good = complain(EXIT_FAILED, "a measured character stopped being finite") == EXIT_DONE;
        workload_free(&list[i]);
    }
    free(list);
    return good;
}
