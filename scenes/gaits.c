#include "gaits.h"

#include "creatures.h"

#include <math.h>
#include <pthread.h>
#include <sinew/dynamics.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32 }; /* values of a pose */

static const double pi = 3.14159265358979323846;
static const double bound = 1.2;                      /* rad, of a target */
static const double ramp = 0.5;                       /* s in which the gait comes up from rest */
static const double along = 1, across = 10;           /* 1/s, drag of the swimmer */
static const double usual[GAIT_CREATURES] = {1, 1.5}; /* Hz, of the gaits made by hand */
static const double stiffness[GAIT_CREATURES] = {20, 300}, damping[GAIT_CREATURES] = {2, 20};

struct part { /* what a thread has: a world with some of the copies */
    const struct gait_trials *of;
    sn_world *world;
    int copies;
    double *target_q, *target_qd; /* [copies][nq], [copies][nv] */
    double *push;                 /* [copies][nbody][6] */
    int count;                    /* gaits of the current trial, */
    const double *x;              /* which they are, */
    gait_trial *trial;            /* and what becomes of them */
    sn_status status;
};

struct gait_trials {
    gait_def def;
    sn_model *model;
    int nq, nv, nbody, joints;
    double start[MOST];
    struct part *part; /* [parts] */
    int parts;
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

static sn_status fill_world(gait_trials *t, sn_world *world, sn_error *error) {
    double kp[MOST], kd[MOST];
    if (sn_world_add(world, t->model, error) < 0) return SN_ERROR_MODEL;
    if (t->def.creature == GAIT_SPIDER) {
        sn_shape_def ground = sn_shape_def_default(SN_SHAPE_BOX);
        ground.friction = 0.8;
        if (sn_world_add_plane(world, (double[]){0, 0, 0}, (double[]){0, 0, 1}, &ground, error) < 0)
            return SN_ERROR_MEMORY;
        const sn_status status = sn_world_stand(world, 0, t->start);
        if (status) return status;
    }
    creature_gains(t->model, stiffness[t->def.creature], damping[t->def.creature], kp, kd);
    return sn_world_set_gains(world, 0, kp, kd);
}

static bool make_part(gait_trials *t, struct part *p, sn_error *error) {
    const gait_def *d = &t->def;
    const size_t copies = (size_t)p->copies;
    sn_world_def def = sn_world_def_default();
    def.copies = p->copies;
    def.dt = d->dt;
    def.form = SN_FORM_FULL;
    def.stepper = d->stepper;
    def.report_contacts = false;
    if (d->creature == GAIT_SWIMMER) {
        def.contact = SN_CONTACT_NONE;
        memset(def.gravity, 0, sizeof def.gravity);
    }
    p->of = t;
    p->world = sn_world_create(&def, error);
    p->target_q = calloc(copies * (size_t)t->nq, sizeof *p->target_q);
    p->target_qd = calloc(copies * (size_t)t->nv, sizeof *p->target_qd);
    p->push = calloc(copies * (size_t)t->nbody * 6, sizeof *p->push);
    if (!p->world || !p->target_q || !p->target_qd || !p->push) return false;
    for (size_t i = 0; i < copies; i++)
        memcpy(p->target_q + i * (size_t)t->nq, t->start, (size_t)t->nq * sizeof(double));
    return !fill_world(t, p->world, error);
}

static bool make(gait_trials *t, sn_error *error) {
    const int threads = t->def.threads, copies = t->def.copies;
    const int parts = threads < 1 ? 1 : threads < copies ? threads : copies;
    t->model = t->def.creature == GAIT_SWIMMER ? swimmer_model(error) : spider_model(error);
    t->part = calloc((size_t)parts, sizeof *t->part);
    if (!t->model || !t->part) return false;
    t->nq = sn_model_get(t->model)->nq, t->nv = sn_model_get(t->model)->nv,
    t->nbody = sn_model_get(t->model)->nbody;
    t->joints = gait_joints(t->def.creature);
    t->parts = parts;
    sn_model_zero_pose(t->model, t->start);
    bool made = true;
    for (int i = 0; i < parts && made; i++) {
        t->part[i].copies = copies * (i + 1) / parts - copies * i / parts;
        made = make_part(t, &t->part[i], error);
    }
    return made;
}

gait_trials *gait_trials_create(const gait_def *def, sn_error *error) {
    gait_trials *t = def->copies > 0 ? calloc(1, sizeof *t) : NULL;
    if (!t) return NULL;
    t->def = *def;
    if (make(t, error)) return t;
    gait_trials_free(t);
    return NULL;
}

void gait_trials_free(gait_trials *t) {
    if (!t) return;
    for (int i = 0; i < t->parts; i++) {
        sn_world_free(t->part[i].world);
        free(t->part[i].target_q);
        free(t->part[i].target_qd);
        free(t->part[i].push);
    }
    sn_model_free(t->model);
    free(t->part);
    free(t);
}

/* ---------------------------------------------------------------------------------------------------- trials */

/* Swings per second, from half to twice those of the gait made by hand. */
double gait_rate(gait_creature creature, double x) {
    return usual[creature] * exp2(fmax(-1, fmin(x, 1)));
}

/* Targets of one copy at the end of the coming step. */
static void aim(const struct gait_trials *t, const double *x, double time, double *q, double *qd) {
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

static sn_status swim(struct part *p) {
    const double *pose = sn_world_view(p->world, 0, SN_FIELD_BODY_POSE),
                 *velocity = sn_world_view(p->world, 0, SN_FIELD_BODY_VELOCITY);
    if (!pose || !velocity) return SN_ERROR_MEMORY;
    const sn_status status = sn_drag_push(p->of->model, along, across, p->copies, pose, velocity, p->push);
    return status ? status : sn_world_put(p->world, 0, SN_FIELD_PUSH, NULL, p->push);
}

static sn_status step(struct part *p, double time) {
    const gait_trials *t = p->of;
    for (int i = 0; i < p->count; i++)
        aim(t, p->x + i * gait_size(t), time, p->target_q + i * t->nq, p->target_qd + i * t->nv);
    sn_status status = sn_world_put(p->world, 0, SN_FIELD_TARGET_Q, NULL, p->target_q);
    if (!status) status = sn_world_put(p->world, 0, SN_FIELD_TARGET_QD, NULL, p->target_qd);
    if (!status && t->def.creature == GAIT_SWIMMER) status = swim(p);
    if (!status) status = sn_world_step(p->world);
    return status == SN_ERROR_NOT_FINITE ? SN_OK
                                         : status; /* copies that are lost are frozen: judge sees them */
}

static sn_status judge(struct part *p, int copy) {
    const double *diverged = sn_world_view(p->world, 0, SN_FIELD_DIVERGED),
                 *q = sn_world_view(p->world, 0, SN_FIELD_Q);
    sn_summary summary;
    if (!diverged || !q) return SN_ERROR_MEMORY;
    const bool lost = diverged[copy] > 0;
    double at[3];
    memcpy(at, q + copy * p->of->nq, sizeof at);
    const sn_status status = sn_world_summary(p->world, 0, copy, &summary);
    if (p->of->def.creature == GAIT_SWIMMER) {
        memcpy(at, summary.com, sizeof at);
        at[0] += 0.6; /* it began half its length behind the nose */
    }
    p->trial[copy] = (gait_trial){lost ? (double)NAN : at[0], at[1], at[2]};
    return status;
}

static void *run_part(void *user) {
    struct part *p = user;
    const gait_def *d = &p->of->def;
    const int steps = (int)lround(d->seconds / d->dt);
    p->status = p->count ? sn_world_reset(p->world, 0, NULL, p->of->start, NULL) : SN_OK;
    for (int i = 1; i <= steps && p->count && !p->status; i++)
        p->status = step(p, i * d->dt);
    for (int i = 0; i < p->count && !p->status; i++)
        p->status = judge(p, i);
    return NULL;
}

sn_status gait_try(gait_trials *t, int count, const double *x, gait_trial *trial) {
    pthread_t thread[t->parts];
    bool started[t->parts];
    int done = 0;
    if (count < 0 || count > t->def.copies) return SN_ERROR_ARGUMENT;
    for (int i = 0; i < t->parts; i++) {
        struct part *p = &t->part[i];
        p->x = x + done * gait_size(t);
        p->trial = trial + done;
        p->count = count - done < p->copies ? count - done : p->copies;
        done += p->count;
        started[i] = i + 1 < t->parts && !pthread_create(&thread[i], NULL, run_part, p);
        if (!started[i]) run_part(p); /* the last is the caller's own */
    }
    sn_status status = SN_OK;
    for (int i = 0; i < t->parts; i++) {
        if (started[i]) pthread_join(thread[i], NULL);
        if (!status) status = t->part[i].status;
    }
    return status;
}
