#include "track_run.h"

#include "progress.h"
#include "terminal.h"
#include "scenes/whole.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------- making it */

/* The drives solved in another way than worlds solve them. */
static sn_dynamics *create_solver(const struct track_task *t, const sn_model *model, sn_error *error) {
    sn_dynamics_def def = sn_dynamics_def_default();
    def.precision = t->world.precision;
    def.lanes = t->world.lanes;
    def.dt = t->world.dt;
    def.form = t->world.form;
    def.solver = t->solver;
    return sn_dynamics_create(model, &def, error);
}

int track_create(struct track_run *r, const struct track_task *t, const sn_model *model,
                 const sn_motion *motion) {
    const size_t nbody = (size_t)sn_model_get(model)->nbody, nq = (size_t)sn_model_get(model)->nq,
                 nv = (size_t)sn_model_get(model)->nv, values = 2 * nq + 5 * nv + nbody;
    sn_error error = {.message = "out of memory"};
    *r = (struct track_run){
        .task = t, .model = model, .motion = motion, .fell = (double)NAN, .falls = (double)NAN};
    r->q = need_memory(NULL, values * sizeof *r->q);
    memset(r->q, 0, values * sizeof *r->q);
    r->target_q = r->q + nq, r->qd = r->target_q + nq, r->target_qd = r->qd + nv;
    r->kp = r->target_qd + nv, r->kd = r->kp + nv, r->torque = r->kd + nv, r->peak = r->torque + nv;
    if (!tracking_error_create(&r->error, model)) return complain(EXIT_FAILED, "%s", error.message);
    const int code = track_task_gains(t, model, motion, r->kp, r->kd);
    if (code != EXIT_DONE) return code;
    if (t->ground && !track_task_ground(t, model, motion, &r->ground)) return EXIT_FAILED;
    if (t->solver == SN_SOLVER_MABA)
        r->world = track_task_world(t, model, r->ground, r->kp, r->kd, &error);
    else
        r->solver = create_solver(t, model, &error);
    return r->world || r->solver ? EXIT_DONE : complain(EXIT_FAILED, "%s", error.message);
}

void track_free(struct track_run *r) {
    sn_world_free(r->world);
    sn_dynamics_free(r->solver);
    tracking_error_free(&r->error);
    free(r->q);
    free(r->taken);
}

/* ------------------------------------------------------------------------------------------------- recording */

sn_recorder *track_recorder(const struct track_run *r) {
    sn_recorder_def def = sn_recorder_def_default();
    sn_error error = {0};
    def.rate = r->task->rate;
    def.torques = true;
    def.name = r->task->character;
    sn_recorder *recorder = sn_recorder_create(r->world, &def, &error);
    if (!recorder) complain(EXIT_FAILED, "%s", error.message);
    return recorder;
}

/* Keeps the pose when a frame is due. */
static void keep_pose(struct track_run *r, double time) {
    const size_t nq = (size_t)sn_model_get(r->model)->nq, width = nq + 1;
    if (time * r->task->rate < r->ntaken - 1e-9) return;
    if ((r->ntaken & (r->ntaken - 1)) == 0) /* room doubles */
        r->taken = need_memory(r->taken, 2 * ((size_t)r->ntaken + 1) * width * sizeof *r->taken);
    double *row = r->taken + (size_t)r->ntaken++ * width;
    row[0] = time;
    memcpy(row + 1, r->q, nq * sizeof *row);
}

sn_clip *track_clip(const struct track_run *r) {
    const size_t n = (size_t)r->ntaken, nq = (size_t)sn_model_get(r->model)->nq;
    double *time = need_memory(NULL, (n + 1) * sizeof *time),
           *q = need_memory(NULL, (n * nq + 1) * sizeof *q);
    for (size_t k = 0; k < n; k++) {
        time[k] = r->taken[k * (nq + 1)];
        memcpy(q + k * nq, r->taken + k * (nq + 1) + 1, nq * sizeof *q);
    }
    sn_clip *clip = sn_motion_clip(r->motion, r->ntaken, time, q, NULL);
    free(time);
    free(q);
    return clip;
}

static void record(struct track_run *r, sn_recorder *recorder, double time) {
    if (!recorder) return;
    keep_pose(r, time);
    if (!r->world) sn_recorder_pose(recorder, "simulated", r->model, r->q, r->torque);
    sn_recorder_pose(recorder, "reference", r->model, r->target_q, NULL);
    sn_recorder_number(recorder, "effector", r->error.effector);
    sn_recorder_number(recorder, "joint", r->error.joint);
    sn_recorder_number(recorder, "root", r->error.root);
    sn_recorder_take(recorder, time);
}

static void record_end(struct track_run *r, sn_recorder *recorder) {
    const double time = (double)r->steps * r->task->world.dt;
    char ground[96];
    snprintf(ground, sizeof ground, "{\"point\":[0,0,%.17g],\"normal\":[0,0,1]}", r->ground);
    if (recorder && r->task->ground) sn_recorder_note(recorder, "ground", ground);
    if (recorder && r->diverged)
        sn_recorder_event(recorder, time, "diverged", "the state stopped being sane");
    if (recorder && !isnan(r->fell))
        sn_recorder_event(recorder, r->fell, "fell", "it no longer stands as the motion does");
    if (recorder && r->stopped) sn_recorder_event(recorder, time, "stopped", "broken off by hand");
}

/* --------------------------------------------------------------------------------------------------- steps */

static sn_status step(struct track_run *r) {
    const double *target_qd = r->task->target_velocity ? r->target_qd : NULL;
    if (r->solver) {
        const sn_drive drive = {.kp = r->kp, .kd = r->kd, .target_q = r->target_q, .target_qd = target_qd};
        return sn_dynamics_step(r->solver, &drive, 1, r->q, r->qd, NULL, r->torque);
    }
    sn_world_set_target(r->world, 0, r->target_q, target_qd);
    const sn_status status = step_whole(r->world);
    sn_world_get_state(r->world, 0, r->q, r->qd);
    sn_world_get(r->world, 0, SN_FIELD_TORQUE, 0, 1, r->torque);
    return status;
}

/* How high the motion's root is over the ground at most. */
static double find_height(const struct track_run *r) {
    const double length = sn_motion_get(r->motion)->duration;
    double most = 0;
    for (int k = 0; k <= 200; k++) {
        sn_motion_sample(r->motion, length * k / 200, r->target_q, NULL);
        most = fmax(most, r->target_q[sn_model_body(r->model, 0)->q_index + 2] - r->ground);
    }
    return most;
}

/* It has fallen when its root is lower than the motion's by half of the height at which that stands, or turned by more than 60
   degrees from the motion's, for a quarter of a second: who is jerked, or lies on the floor as the motion does, has not. */
static void look_for_fall(struct track_run *r) {
    const sn_body_info *root = sn_model_body(r->model, 0);
    if (!r->task->ground || !isnan(r->fell) || root->joint.type != SN_JOINT_FREE) return;
    const double lost = r->target_q[root->q_index + 2] - r->q[root->q_index + 2],
                 now = (double)r->steps * r->task->world.dt;
    if (!(lost > 0.5 * r->stands) && !(r->error.tilt > M_PI / 3))
        r->falls = (double)NAN;
    else if (isnan(r->falls))
        r->falls = now;
    if (now - r->falls >= 0.25) r->fell = r->falls;
}

static void measure_step(struct track_run *r) {
    tracking_error_add(&r->error, r->q, r->target_q);
    r->steps++;
    for (int i = 0; i < sn_model_get(r->model)->nbody; i++)
        r->peak[i] = fmax(r->peak[i], body_share(sn_model_body(r->model, i), r->torque));
    if (!(r->error.joint < 1e3)) r->diverged = true;
    if (!r->diverged) look_for_fall(r);
}

void track_steps(struct track_run *r, sn_recorder *recorder) {
    const double dt = r->task->world.dt, duration = r->task->duration;
    const long steps = lround(duration / dt);
    if (sn_model_body(r->model, 0)->joint.type == SN_JOINT_FREE) r->stands = find_height(r);
    sn_motion_sample(r->motion, 0, r->q, r->qd);
    memcpy(r->target_q, r->q, (size_t)sn_model_get(r->model)->nq * sizeof *r->q);
    if (r->world) sn_world_set_state(r->world, 0, r->q, r->qd);
    record(r, recorder, 0);
    progress_start("track", 100);
    for (long i = 1; i <= steps && !r->diverged && !r->stopped; i++) {
        const double time = (double)i * dt;
        if (i * 100 / steps != (i - 1) * 100 / steps) progress_step("%.2f s of %.2f s", time, duration);
        sn_motion_sample(r->motion, time, r->target_q, r->target_qd);
        if (step(r) != SN_OK) r->diverged = true;
        measure_step(r);
        record(r, recorder, time);
        r->stopped = interrupted();
    }
    progress_end();
    if (isnan(r->fell)) r->fell = r->falls; /* still falling when it ended */
    record_end(r, recorder);
}
