#include "track_run.h"

#include "progress.h"
#include "recording.h"
#include "ground_scene.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The lowest point of all shapes over the motion, looked for 120 times a second. */
static double lowest_point(struct track_run *r) {
    const double duration = sn_motion_duration(r->motion);
    const long looks = lround(fmin(duration, r->def.duration) * 120) + 1;
    double *q = need_memory(NULL, (size_t)(sn_model_nq(r->model) + sn_model_nv(r->model)) * sizeof *q);
    double lowest = INFINITY;
    for (long i = 0; i < looks; i++) {
        sn_motion_sample(r->motion, (double)i / 120, q, q + sn_model_nq(r->model));
        sn_character_set_state(r->reference, q, NULL);
        lowest = fmin(lowest, stage_lowest(r->reference));
    }
    free(q);
    return isfinite(lowest) ? lowest : 0;
}

static bool create_world(struct track_run *r, sn_error *error) {
    sn_world_def world = sn_world_def_default();
    sn_member_def member = sn_member_def_default();
    world.precision = r->def.character.precision;
    world.dt = r->def.character.dt;
    world.contact = r->def.contact;
    world.joint_limits = r->def.joint_limits;
    memcpy(world.gravity, r->def.character.gravity, sizeof world.gravity);
    member.form = r->def.character.form;
    member.report_torque = true;
    r->ground_height = lowest_point(r);
    const double point[3] = {0, 0, r->ground_height}, up[3] = {0, 0, 1};
    r->world = sn_world_create(&world, error);
    if (!r->world || sn_world_add_plane(r->world, point, up, NULL, error) < 0 ||
        sn_world_add(r->world, r->model, &member, error) < 0)
        return false;
    r->simulated = sn_world_character(r->world, 0);
    return true;
}

bool track_create(struct track_run *r, const struct track_def *def, const sn_model *model,
                  const sn_motion *motion) {
    const size_t nbody = (size_t)sn_model_nbody(model), nv = (size_t)sn_model_nv(model);
    const sn_character_def still = sn_character_def_default();
    sn_error error = {0};
    *r = (struct track_run){.def = *def, .model = model, .motion = motion};
    r->peak = need_memory(NULL, (nbody + nv + 1) * sizeof *r->peak);
    r->torque = r->peak + nbody;
    memset(r->peak, 0, (nbody + nv) * sizeof *r->peak);
    r->reference = sn_character_create(model, &still, &error);
    if (r->reference && def->ground)
        create_world(r, &error);
    else if (r->reference)
        r->simulated = sn_character_create(model, &def->character, &error);
    if (!r->simulated) complain(EXIT_FAILED, "%s", error.message);
    return r->simulated != NULL;
}

void track_free(struct track_run *r) {
    if (!r->world) sn_character_free(r->simulated);
    sn_world_free(r->world);
    sn_character_free(r->reference);
    free(r->peak);
}

/* ------------------------------------------------------------------------------------------------ measuring */

static double effector_error(const sn_model *model, sn_character *a, sn_character *b) {
    double sum = 0, root_a[3], root_b[3];
    int count = 0;
    sn_character_body_pose(a, 0, root_a, NULL);
    sn_character_body_pose(b, 0, root_b, NULL);
    const int nbody = sn_model_nbody(model);
    for (int i = 1; i < nbody; i++) {
        bool leaf = i + 1 == nbody || sn_model_body(model, i + 1)->parent != i; /* depth first */
        double pa[3], pb[3], square = 0;
        if (!leaf) continue;
        sn_character_body_pose(a, i, pa, NULL);
        sn_character_body_pose(b, i, pb, NULL);
        for (int k = 0; k < 3; k++) {
            const double d = (pa[k] - root_a[k]) - (pb[k] - root_b[k]);
            square += d * d;
        }
        sum += sqrt(square);
        count++;
    }
    return count ? sum / count : 0;
}

/* The length of a body's share of dv. */
static double part_length(const sn_body_info *info, const double *dv) {
    double square = 0;
    for (int k = 0; k < info->nv; k++)
        square += dv[info->v_index + k] * dv[info->v_index + k];
    return sqrt(square);
}

static void measure_step(struct track_run *r, double *room) {
    const int nq = sn_model_nq(r->model);
    double *q = room, *wanted = q + nq, *dv = wanted + nq;
    sn_character_get_state(r->simulated, q, NULL);
    sn_character_get_state(r->reference, wanted, NULL);
    sn_model_pose_subtract(r->model, q, wanted, dv);
    sn_character_get_torque(r->simulated, r->torque);
    r->joint = 0;
    for (int i = 0; i < sn_model_nbody(r->model); i++) {
        const sn_body_info *info = sn_model_body(r->model, i);
        if (info->joint.type != SN_JOINT_FREE) r->joint = fmax(r->joint, part_length(info, dv));
        r->peak[i] = fmax(r->peak[i], part_length(info, r->torque));
    }
    r->effector = effector_error(r->model, r->simulated, r->reference);
    r->steps++;
    r->effector_mean += (r->effector - r->effector_mean) / (double)r->steps;
    r->joint_mean += (r->joint - r->joint_mean) / (double)r->steps;
    r->effector_max = fmax(r->effector_max, r->effector);
    r->joint_max = fmax(r->joint_max, r->joint);
    if (!(r->joint < 1e3)) r->diverged = true;
}

/* --------------------------------------------------------------------------------------------------- steps */

static void record(struct track_run *r, struct recording *recording, double time) {
    if (!recording || !recording_due(recording, time)) return;
    const struct recorded now = {r->simulated, r->reference, r->torque, r->world, r->effector, r->joint};
    recording_add(recording, time, &now);
}

static void record_end(struct track_run *r, struct recording *recording) {
    const double time = (double)r->steps * r->def.character.dt;
    if (recording && r->world) recording_ground(recording, r->ground_height);
    if (recording && r->diverged)
        recording_event(recording, time, "diverged", "the state stopped being sane");
    if (recording && r->stopped) recording_event(recording, time, "stopped", "broken off by hand");
}

void track_steps(struct track_run *r, struct recording *recording) {
    const size_t nq = (size_t)sn_model_nq(r->model), nv = (size_t)sn_model_nv(r->model);
    double *q = need_memory(NULL, (3 * nq + 2 * nv) * sizeof *q), *qd = q + nq, *room = qd + nv;
    const double dt = r->def.character.dt;
    const long steps = lround(r->def.duration / dt);
    sn_motion_sample(r->motion, 0, q, qd);
    sn_character_set_state(r->simulated, q, qd);
    sn_character_set_state(r->reference, q, NULL);
    record(r, recording, 0);
    progress_start("track", 100);
    for (long i = 1; i <= steps && !r->diverged && !r->stopped; i++) {
        const double time = (double)i * dt;
        if (i * 100 / steps != (i - 1) * 100 / steps)
            progress_step("%.2f s of %.2f s", time, r->def.duration);
        sn_motion_sample(r->motion, time, q, qd);
        sn_character_set_target(r->simulated, q, r->def.target_velocity ? qd : NULL);
        sn_character_set_state(r->reference, q, NULL);
        if (r->world ? sn_world_step(r->world) : sn_character_step(r->simulated)) r->diverged = true;
        measure_step(r, room);
        record(r, recording, time);
        r->stopped = interrupted();
    }
    progress_end();
    record_end(r, recording);
    free(q);
}
