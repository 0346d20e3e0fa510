#include "crowd_scene.h"

#include "motion_gen.h"
#include "ground_scene.h"
#include "terminal.h"
#include "timing.h"

#include <math.h>
#include <sinew/dynamics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRACK, STAND, FALL, PUSH };
const char *const crowd_scene_names[] = {"track", "stand", "fall", "push", NULL};

/* In steps. */
enum {
    PERIOD = CROWD_SCENE_HERTZ,         /* of the motion that is tracked */
    ROUND = 2 * CROWD_SCENE_HERTZ,      /* on the ground: after so many it starts again */
    PUSH_EVERY = CROWD_SCENE_HERTZ / 2, /* from one push to the next */
    PUSH_LASTS = CROWD_SCENE_HERTZ / 10
};

static double *numbers(size_t count) {
    return need_memory(NULL, count * sizeof(double));
}

/* Uniform in [-size, size). */
static double scatter(uint64_t *seed, double size) {
    return size * (2 * random_uniform(seed) - 1);
}

static int pick(uint64_t *seed, int below) {
    return (int)(below * random_uniform(seed));
}

static bool fail(sn_error *error, sn_status status, const char *message) {
    error->status = status;
    snprintf(error->message, sizeof error->message, "%s", message);
    return false;
}

/* ------------------------------------------------------------------------------------------- the start */

/* The whole motion once, and every character somewhere along it. */
static void start_track(struct crowd_scene *s, uint64_t seed) {
    struct motion *motion = motion_create(s->model, &motion_swing, seed);
    const double dt = 1.0 / CROWD_SCENE_HERTZ;
    const size_t nq = (size_t)s->nq, nv = (size_t)s->nv;
    s->frame = numbers(PERIOD * nq);
    for (int i = 0; i < PERIOD; i++)
        motion_sample(motion, i * dt, s->frame + (size_t)i * nq, NULL);
    for (int c = 0; c < s->count; c++) {
        s->phase[c] = pick(&seed, PERIOD);
        motion_sample(motion, s->phase[c] * dt, s->start_q + (size_t)c * nq, s->start_qd + (size_t)c * nv);
    }
    s->target = need_memory(NULL, (size_t)s->count * nq *
                                      (s->precision == SN_PRECISION_FLOAT ? sizeof(float) : sizeof(double)));
    motion_free(motion);
}

/* Near the zero pose, the lowest point on the plane or, to fall, 0.2 m above it. */
static sn_status start_ground(struct crowd_scene *s, uint64_t *seed) {
    const size_t nq = (size_t)s->nq, nv = (size_t)s->nv;
    double *dv = numbers(nv);
    sn_model_zero_pose(s->model, s->pose);
    sn_status status = sn_world_stand(s->world, 0, s->pose);
    for (int c = 0; c < s->count && status == SN_OK; c++) {
        double *q = s->start_q + (size_t)c * nq, *qd = s->start_qd + (size_t)c * nv;
        for (int i = 0; i < s->nv; i++) {
            dv[i] = i < 6 ? 0 : scatter(seed, 0.002);
            qd[i] = scatter(seed, 0.01);
        }
        sn_model_pose_add(s->model, 1, s->pose, dv, q);
        status = sn_world_stand(s->world, 0, q);
        if (s->kind == FALL) {
            q[2] += 0.2;
            qd[0] += 1.5;
            add_tilt(q + 3, qd + 3);
        }
    }
    free(dv);
    return status == SN_OK ? sn_world_set_target(s->world, 0, s->pose, NULL) : status;
}

static int find_chest(const sn_model *model) {
    static const char *const names[] = {"chest", "torso", "spine", "trunk"};
    for (int i = 0; i < 4; i++)
        if (sn_model_find_body(model, names[i]) >= 0) return sn_model_find_body(model, names[i]);
    return 0;
}

static void plan_pushes(struct crowd_scene *s, uint64_t *seed) {
    const size_t nbody = (size_t)sn_model_get(s->model)->nbody;
    s->force = numbers(2 * (size_t)s->count);
    s->load = numbers(6 * nbody);
    memset(s->load, 0, 6 * nbody * sizeof *s->load);
    s->chest = find_chest(s->model);
    for (int c = 0; c < s->count; c++) {
        const double angle = 2 * M_PI * random_uniform(seed);
        s->phase[c] = pick(seed, PUSH_EVERY);
        s->force[2 * c] = 200 * cos(angle);
        s->force[2 * c + 1] = 200 * sin(angle);
    }
}

/* ------------------------------------------------------------------------------------------ between steps */

/* What each character should reach at the end of step i. */
static void set_targets(struct crowd_scene *s, int i) {
    const size_t nq = (size_t)s->nq;
    for (int c = 0; c < s->count; c++) {
        const double *frame = s->frame + (size_t)((s->phase[c] + i + 1) % PERIOD) * nq;
        if (s->precision == SN_PRECISION_DOUBLE) {
            memcpy((double *)s->target + (size_t)c * nq, frame, nq * sizeof *frame);
        } else {
            float *target = (float *)s->target + (size_t)c * nq;
            for (size_t k = 0; k < nq; k++)
                target[k] = (float)frame[k];
        }
    }
    sn_world_put(s->world, 0, SN_FIELD_TARGET_Q, NULL, s->target);
}

static void set_push(struct crowd_scene *s, int c, bool on) {
    double *chest = s->load + 6 * s->chest;
    chest[0] = on ? s->force[2 * c] : 0;
    chest[1] = on ? s->force[2 * c + 1] : 0;
    sn_world_set(s->world, 0, SN_FIELD_PUSH, c, 1, s->load);
}

static int push_step(const struct crowd_scene *s, int c, int i) {
    return (i + s->phase[c]) % PUSH_EVERY;
}

static void set_pushes(struct crowd_scene *s, int i) {
    for (int c = 0; c < s->count; c++) {
        const int at = push_step(s, c, i);
        if (at == 0 || at == PUSH_LASTS) set_push(s, c, at == 0);
    }
}

static void prepare(struct crowd_scene *s, int i) {
    if (s->kind == TRACK) set_targets(s, i);
    if (s->kind == PUSH) set_pushes(s, i);
}

static void restart(struct crowd_scene *s) {
    sn_world_set(s->world, 0, SN_FIELD_Q, 0, s->count, s->start_q);
    sn_world_set(s->world, 0, SN_FIELD_QD, 0, s->count, s->start_qd);
    sn_world_reset(s->world, -1, NULL, NULL, NULL);
    for (int c = 0; c < s->count && s->kind == PUSH; c++)
        set_push(s, c, push_step(s, c, 0) < PUSH_LASTS);
}

void crowd_scene_run(struct crowd_scene *s) {
    restart(s);
    for (int i = 0; i < s->steps && !interrupted(); i++) {
        prepare(s, i);
        const double start = clock_seconds();
        sn_world_step(s->world);
        s->fastest[i] = fmin(s->fastest[i], clock_seconds() - start);
    }
    sn_world_stats stats;
    sn_world_get_stats(s->world, &stats);
    if (stats.diverged > s->diverged) s->diverged = stats.diverged;
}

/* After a round those that fell stand up, and those that did not go on from where they are: this is what every later
   round starts from. A root below 0.6 of its height is down. */
static void push_a_round(struct crowd_scene *s) {
    const size_t nq = (size_t)s->nq, nv = (size_t)s->nv;
    double *q = numbers((size_t)s->count * nq), *qd = numbers((size_t)s->count * nv);
    restart(s);
    for (int i = 0; i < ROUND && !interrupted(); i++) {
        prepare(s, i);
        sn_world_step(s->world);
    }
    sn_world_get(s->world, 0, SN_FIELD_Q, 0, s->count, q);
    sn_world_get(s->world, 0, SN_FIELD_QD, 0, s->count, qd);
    for (size_t c = 0; c < (size_t)s->count; c++) {
        if (!(q[c * nq + 2] > 0.6 * s->pose[2])) continue;
        memcpy(s->start_q + c * nq, q + c * nq, nq * sizeof *q);
        memcpy(s->start_qd + c * nv, qd + c * nv, nv * sizeof *qd);
    }
    free(q);
    free(qd);
}

/* ------------------------------------------------------------------------------------------------ creation */

static sn_status set_gains(const struct crowd_scene *s) {
    const struct ground_scene_def ground = ground_scene_def_default();
    return s->kind == TRACK ? set_uniform_gains(s->world, 0, 20000, 2000, 75000, 4000)
                            : set_uniform_gains(s->world, 0, 0, 0, ground.kp, ground.kd);
}

/* On every joint but a free root. */
static sn_status set_limits(const struct crowd_scene *s, double limit) {
    double *all = numbers((size_t)s->nv);
    for (int v = 0; v < s->nv; v++)
        all[v] = limit;
    for (int i = 0; i < sn_model_get(s->model)->nbody; i++) {
        const sn_body_info *b = sn_model_body(s->model, i);
        for (int v = b->v_index; b->joint.type == SN_JOINT_FREE && v < b->v_index + b->nv; v++)
            all[v] = INFINITY;
    }
    sn_status status = SN_OK;
    for (int c = 0; c < s->count && !status; c++)
        status = sn_world_set(s->world, 0, SN_FIELD_TORQUE_LIMIT, c, 1, all);
    free(all);
    return status;
}

/* Fixed small costs: four sweeps, nothing reported. */
static bool make_world(struct crowd_scene *s, const struct crowd_scene_def *def, sn_error *error) {
    sn_world_def world = sn_world_def_default();
    world.copies = def->count;
    world.threads = def->threads;
    world.lanes = def->lanes->name;
    world.precision = def->lanes->precision;
    world.dt = 1.0 / CROWD_SCENE_HERTZ;
    world.contact = SN_CONTACT_IMPLICIT;
    world.setting = SN_SETTING_CROWD;
    world.report_contacts = false;
    world.products = def->products;
    world.torque_limits = def->torque_limit > 0;
    world.joint_limits = s->kind != TRACK; /* as in `sinew bench contact` and in MuJoCo */
    s->world = sn_world_create(&world, error);
    const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    if (!s->world || sn_world_add(s->world, s->model, error) != 0) return false;
    if (s->kind != TRACK && sn_world_add_plane(s->world, origin, up, NULL, error) < 0) return false;
    const sn_status status = set_gains(s);
    if (status) return fail(error, status, "the gains are refused");
    const sn_status limited = def->torque_limit > 0 ? set_limits(s, def->torque_limit) : SN_OK;
    return limited == SN_OK || fail(error, limited, "the torque limits are refused");
}

/* States, targets and plans. */
static bool fill(struct crowd_scene *s, uint64_t seed, sn_error *error) {
    const size_t count = (size_t)s->count, nq = (size_t)s->nq, nv = (size_t)s->nv;
    s->start_q = numbers(count * nq);
    s->start_qd = numbers(count * nv);
    s->pose = numbers(nq);
    s->phase = need_memory(NULL, count * sizeof *s->phase);
    s->fastest = numbers((size_t)s->steps);
    for (int i = 0; i < s->steps; i++)
        s->fastest[i] = INFINITY;
    if (s->kind == TRACK) {
        start_track(s, seed);
        return true;
    }
    const sn_status status = start_ground(s, &seed);
    if (status != SN_OK) return fail(error, status, "it cannot be put on the ground");
    if (s->kind == PUSH) {
        plan_pushes(s, &seed);
        push_a_round(s);
    }
    return true;
}

static int choose_steps(int kind, int count) {
    enum { MOST = 8 << 20 }; /* character-steps in a run: some seconds */
    const int steps = kind == TRACK ? PERIOD : ROUND;
    return steps <= MOST / count ? steps : MOST / count > 8 ? MOST / count : 8;
}

bool crowd_scene_create(struct crowd_scene *s, const sn_model *model, const struct crowd_scene_def *def,
                        sn_error *error) {
    *s = (struct crowd_scene){.model = model,
                              .count = def->count,
                              .nq = sn_model_get(model)->nq,
                              .nv = sn_model_get(model)->nv,
                              .precision = def->lanes->precision};
    *error = (sn_error){0};
    while (crowd_scene_names[s->kind] && strcmp(crowd_scene_names[s->kind], def->scene) != 0)
        s->kind++;
    s->steps = def->steps > 0 ? def->steps : choose_steps(s->kind, def->count);
    const sn_body_info *root = sn_model_body(model, 0);
    bool good = true;
    if (!crowd_scene_names[s->kind])
        good = fail(error, SN_ERROR_ARGUMENT, "there is no such scene");
    else if (s->kind != TRACK && (root->joint.type != SN_JOINT_FREE || sn_model_get(model)->nshape == 0))
        good = fail(error, SN_ERROR_MODEL, "on the ground a character needs a free root and shapes");
    good = good && make_world(s, def, error) && fill(s, def->seed, error);
    if (!good) crowd_scene_free(s);
    return good;
}

void crowd_scene_free(struct crowd_scene *s) {
    sn_world_free(s->world);
    void *const owned[] = {s->start_q, s->start_qd, s->pose, s->frame,  s->target,
                           s->phase,   s->force,    s->load, s->fastest};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    *s = (struct crowd_scene){0};
}

double crowd_scene_us(const struct crowd_scene *s, int steps) {
    double seconds = 0;
    if (steps <= 0 || steps > s->steps) steps = s->steps;
    for (int i = 0; i < steps; i++)
        seconds += s->fastest[i];
    return 1e6 * seconds / ((double)s->count * steps);
}
