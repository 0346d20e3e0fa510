#include "gaits.h"

#include "creatures.h"

#include <math.h>
#include <sinew/dynamics.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double bound = 1.2;                      /* rad, of a target */
static const double ramp = 0.5;                       /* s in which the gait comes up from rest */
static const double along = 1, across = 10;           /* 1/s, drag of the swimmer */
static const double usual[GAIT_CREATURES] = {1, 1.5}; /* Hz, of the gaits made by hand */
static const double stiffness[GAIT_CREATURES] = {20, 300}, damping[GAIT_CREATURES] = {2, 20};

struct gait_trials {
    gait_def def;
    sn_model *model;
    sn_world *world;
    int nq, nv, nbody, joints;
    double *start;                /* [nq] */
    double *target_q, *target_qd; /* [copies][nq], [copies][nv] */
    double *push;                 /* [copies][nbody][6] */
};

gait_def gait_def_default(gait_creature creature, sn_stepper stepper) {
    return (gait_def){
        .creature = creature, .stepper = stepper, .dt = 1.0 / 120, .seconds = 10, .copies = 64, .threads = 1};
}

double gait_body_length(gait_creature creature) {
    return creature == GAIT_SWIMMER ? 4 * 0.3 + 2 * 0.03 : 0.4;
}

int gait_joints(gait_creature creature) {
    return creature == GAIT_SWIMMER ? 3 : 3 * SPIDER_LEGS;
}

int gait_size(const gait_trials *t) {
    return 3 * t->joints + 1;
}

void gait_by_hand(gait_creature creature, double *x) {
    memset(x, 0, (size_t)(3 * gait_joints(creature) + 1) * sizeof *x);
    if (creature == GAIT_SWIMMER)
        for (int j = 0; j < 3; j++) { /* .8 sin(w t - lag) */
            const double lag = 0.35 * pi * (j + 1);
            x[3 * j + 1] = -0.8 * sin(lag);
            x[3 * j + 2] = 0.8 * cos(lag);
        }
    else
        for (int leg = 0; leg < SPIDER_LEGS;
             leg++) { /* hips .3 sin, .25 max(0, cos) = .25 (1 / pi + cos / 2 + ...) */
            const double side = leg == 0 || leg == 3 ? 1 : -1;
            x[9 * leg + 2] = 0.3 * side;
            x[9 * leg + 3] = 0.25 / pi;
            x[9 * leg + 4] = 0.125 * side;
        }
}

/* Box and Muller over splitmix64. */
void gait_random(uint64_t seed, double deviation, int n, double *x) {
    for (int i = 0; i < n; i++) {
        double u[2];
        for (int k = 0; k < 2; k++) {
            uint64_t z = seed * 0x2545f4914f6cdd1dull + (uint64_t)(2 * i + k + 1) * 0x9e3779b97f4a7c15ull;
            z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
            z = (z ^ z >> 27) * 0x94d049bb133111ebull;
            u[k] = ((double)((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
        }
        x[i] = deviation * sqrt(-2 * log(u[0])) * cos(2 * pi * u[1]);
    }
}

/* ------------------------------------------------------------------------------------------- made and freed */

static sn_status fill_world(gait_trials *t, sn_error *error) {
    double kp[32], kd[32];
    if (sn_world_add(t->world, t->model, error) < 0) return SN_ERROR_MODEL;
    if (t->def.creature == GAIT_SPIDER) {
        sn_shape_def ground = sn_shape_def_default(SN_SHAPE_BOX);
        ground.friction = 0.8;
        if (sn_world_add_plane(t->world, (double[]){0, 0, 0}, (double[]){0, 0, 1}, &ground, error) < 0)
            return SN_ERROR_MEMORY;
        const sn_status status = sn_world_stand(t->world, 0, t->start);
        if (status) return status;
    }
    creature_gains(t->model, stiffness[t->def.creature], damping[t->def.creature], kp, kd);
    return sn_world_set_gains(t->world, 0, kp, kd);
}

static bool make(gait_trials *t, sn_error *error) {
    const gait_def *d = &t->def;
    sn_world_def def = sn_world_def_default();
    def.copies = d->copies;
    def.threads = d->threads;
    def.dt = d->dt;
    def.form = SN_FORM_FULL;
    def.stepper = d->stepper;
    def.report_contacts = false;
    if (d->creature == GAIT_SWIMMER) {
        def.contact = SN_CONTACT_NONE;
        memset(def.gravity, 0, sizeof def.gravity);
    }
    t->model = d->creature == GAIT_SWIMMER ? swimmer_model(error) : spider_model(error);
    t->world = t->model ? sn_world_create(&def, error) : NULL;
    if (!t->world) return false;
    t->nq = sn_model_nq(t->model), t->nv = sn_model_nv(t->model), t->nbody = sn_model_nbody(t->model);
    t->joints = gait_joints(d->creature);
    const size_t copies = (size_t)d->copies;
    t->start = calloc((size_t)t->nq, sizeof *t->start);
    t->target_q = calloc(copies * (size_t)t->nq, sizeof *t->target_q);
    t->target_qd = calloc(copies * (size_t)t->nv, sizeof *t->target_qd);
    t->push = calloc(copies * (size_t)t->nbody * 6, sizeof *t->push);
    if (!t->start || !t->target_q || !t->target_qd || !t->push) return false;
    sn_model_zero_pose(t->model, t->start);
    for (size_t i = 0; i < copies; i++)
        memcpy(t->target_q + i * (size_t)t->nq, t->start, (size_t)t->nq * sizeof(double));
    return !fill_world(t, error);
}

gait_trials *gait_trials_create(const gait_def *def, sn_error *error) {
    gait_trials *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->def = *def;
    if (make(t, error)) return t;
    gait_trials_free(t);
    return NULL;
}

void gait_trials_free(gait_trials *t) {
    if (!t) return;
    sn_world_free(t->world);
    sn_model_free(t->model);
    free(t->start);
    free(t->target_q);
    free(t->target_qd);
    free(t->push);
    free(t);
}

/* ---------------------------------------------------------------------------------------------------- trials */

/* Swings per second, from half to twice those of the gait made by hand. */
double gait_rate(gait_creature creature, double x) {
    return usual[creature] * exp2(fmax(-1, fmin(x, 1)));
}

/* Targets of one copy at the end of the coming step. */
static void aim(const gait_trials *t, const double *x, double time, double *q, double *qd) {
    const double w = 2 * pi * gait_rate(t->def.creature, x[3 * t->joints]), c = cos(w * time),
                 s = sin(w * time);
    const double up = fmin(time / ramp, 1), rising = time < ramp ? 1 / ramp : 0;
    for (int j = 0; j < t->joints; j++, x += 3) {
        const double most = fabs(x[0]) + sqrt(x[1] * x[1] + x[2] * x[2]);
        const double size = most > bound ? bound / most : 1; /* too far a swing is made smaller as a whole */
        const double swing = size * (x[0] + x[1] * c + x[2] * s), speed = size * w * (x[2] * c - x[1] * s);
        q[7 + j] = up * swing;
        qd[6 + j] = up * speed + rising * swing;
    }
}

static sn_status swim(gait_trials *t) {
    const double *pose = sn_world_view(t->world, 0, SN_FIELD_BODY_POSE),
                 *velocity = sn_world_view(t->world, 0, SN_FIELD_BODY_VELOCITY);
    if (!pose || !velocity) return SN_ERROR_MEMORY;
    const sn_status status = sn_drag_push(t->model, along, across, t->def.copies, pose, velocity, t->push);
    return status ? status : sn_world_put(t->world, 0, SN_FIELD_PUSH, NULL, t->push);
}

static sn_status step(gait_trials *t, int count, const double *x, double time) {
    for (int i = 0; i < count; i++)
        aim(t, x + i * gait_size(t), time, t->target_q + i * t->nq, t->target_qd + i * t->nv);
    sn_status status = sn_world_put(t->world, 0, SN_FIELD_TARGET_Q, NULL, t->target_q);
    if (!status) status = sn_world_put(t->world, 0, SN_FIELD_TARGET_QD, NULL, t->target_qd);
    if (!status && t->def.creature == GAIT_SWIMMER) status = swim(t);
    if (!status) status = sn_world_step(t->world);
    return status == SN_ERROR_NOT_FINITE ? SN_OK
                                         : status; /* copies that are lost are frozen, and seen at the end */
}

static sn_status judge(gait_trials *t, int copy, gait_trial *trial) {
    const double *diverged = sn_world_view(t->world, 0, SN_FIELD_DIVERGED),
                 *q = sn_world_view(t->world, 0, SN_FIELD_Q);
    sn_summary summary;
    if (!diverged || !q) return SN_ERROR_MEMORY;
    const bool lost = diverged[copy] > 0;
    double at[3];
    memcpy(at, q + copy * t->nq, sizeof at);
    const sn_status status = sn_world_summary(t->world, 0, copy, &summary);
    if (t->def.creature == GAIT_SWIMMER)
        memcpy(at, summary.com, sizeof at), at[0] += 0.6; /* it began half behind the nose */
    *trial = (gait_trial){lost ? (double)NAN : at[0], at[1], at[2]};
    return status;
}

sn_status gait_try(gait_trials *t, int count, const double *x, gait_trial *trial) {
    if (count < 0 || count > t->def.copies) return SN_ERROR_ARGUMENT;
    const int steps = (int)lround(t->def.seconds / t->def.dt);
    sn_status status = sn_world_reset(t->world, 0, NULL, t->start, NULL);
    for (int i = 1; i <= steps && !status; i++)
        status = step(t, count, x, i * t->def.dt);
    for (int i = 0; i < count && !status; i++)
        status = judge(t, i, &trial[i]);
    return status;
}
