/* One run: a humanoid of 34 degrees of freedom follows its motion with one gain for all joints, its root anchored by stable
 * PD; a ball meets its foot, its forearms or its hands. The world's own joint limits are off: the elbows' are stable PD,
 * too, with kp >= 1e6 as soon as a step would pass them. Two such controllers on one joint make one,
 *
 *     k1 (q - a) + k2 (q - b) = (k1 + k2) (q - (k1 a + k2 b) / (k1 + k2)). */
#include "reactions_run.h"

#include "need.h"
#include "terminal.h"
#include "tracking_error.h"
#include "scenes/whole.h"

#include <sinew/dynamics.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double root_gain = 1e6, limit_gain = 1e6, threshold = 0.2; /* N/m, N m/rad, N s */
static const double hand_radius = 0.04;                                 /* of the humanoid's */

struct run {
    const struct reaction_trial *trial;
    struct thrown scene;
    sn_model *human; /* the scene's */
    sn_motion *motion;
    sn_world *world;
    sn_dynamics *dynamics;
    sn_recorder *recorder; /* NULL: nobody wants one */
    int nv, nq, nbody, hand[2], foot;
    double *kp, *kd, *q, *qd, *target, *target_qd, *pose, *velocity, *was, *spare;
};

double reaction_seconds(const struct reaction_trial *trial) {
    const struct reaction_scene *scene = trial->scene;
    if (trial->seconds > 0) return trial->seconds;
    return scene->kind == SCENE_CATCH ? 9 : scene->kind == SCENE_PASS ? 1.7 : 1.55;
}

/* ----------------------------------------------------------------------------------------------------- the scene */

static double *take(double **memory, int n) {
    double *x = *memory;
    *memory += n;
    return x;
}

static void make_room(struct run *r) {
    r->nv = sn_model_get(r->human)->nv, r->nq = sn_model_get(r->human)->nq,
    r->nbody = sn_model_get(r->human)->nbody;
    double *memory = need_memory(NULL, (size_t)(8 * r->nq + 8 * r->nv + 26 * r->nbody) * sizeof *memory);
    memset(memory, 0, (size_t)(8 * r->nq + 8 * r->nv + 26 * r->nbody) * sizeof *memory);
    r->kp = take(&memory, r->nv), r->kd = take(&memory, r->nv);
    r->q = take(&memory, r->nq), r->qd = take(&memory, r->nv);
    r->target = take(&memory, r->nq), r->target_qd = take(&memory, r->nv);
    r->was = take(&memory, r->nq + r->nv), r->spare = take(&memory, 2 * r->nq + 2 * r->nv);
    r->pose = take(&memory, 7 * r->nbody), r->velocity = take(&memory, 6 * r->nbody);
    r->hand[0] = sn_model_find_body(r->human, "right_forearm");
    r->hand[1] = sn_model_find_body(r->human, "left_forearm");
    r->foot = sn_model_find_body(r->human, "right_foot");
}

static void set_gains(struct run *r) {
    const struct reaction_trial *t = r->trial;
    for (int v = 0; v < r->nv; v++) {
        r->kp[v] = v < 6 ? fmax(root_gain, t->kt) : t->kt;
        r->kd[v] = t->ratio * r->kp[v] * t->dt;
    }
}

static void make_run(struct run *r) {
    sn_error error = {0};
    const struct reaction_trial *t = r->trial;
    const sn_dynamics_def study = sn_dynamics_def_default();
    need(thrown_create(&r->scene, t->scene, t->dt, t->stable ? SN_FORM_STABLE : SN_FORM_EXPLICIT, &error),
         &error);
    r->human = r->scene.human, r->motion = r->scene.motion, r->world = r->scene.world;
    r->dynamics = need_dynamics(r->human, &study);
    make_room(r);
    set_gains(r);
    sn_world_set_active(r->world, 1, t->ball);
    sn_world_get_state(r->world, 0, r->q, r->qd);
    sn_world_set_gains(r->world, 0, r->kp, r->kd);
    need(!t->reacts || thrown_react(&r->scene, t->scene, threshold) == SN_OK, &error);
}

static void free_run(struct run *r) {
    sn_recorder_free(r->recorder);
    sn_dynamics_free(r->dynamics);
    thrown_free(&r->scene);
    free(r->kp);
}

/* -------------------------------------------------------------------------------------------------------- a step */

/* The elbow's limit as a second controller on the joint, as soon as the coming step would pass it. Its gain is given for
   the worst that a reaction leaves of it. */
static void mind_elbows(struct run *r) {
    const struct reaction_trial *t = r->trial;
    set_gains(r);
    for (int side = 0; side < 2; side++) {
        const sn_body_info *b = sn_model_body(r->human, r->hand[side]);
        const double next = r->q[b->q_index] + t->dt * r->qd[b->v_index];
        const double limit = fmax(b->joint.lower[0], fmin(b->joint.upper[0], next));
        if (limit == next || !t->limits) continue;
        const double k = limit_gain / (t->reacts ? t->scene->reaction : 1), kp = t->kt;
        r->target[b->q_index] = (kp * r->target[b->q_index] + k * limit) / (kp + k);
        r->target_qd[b->v_index] *= kp / (kp + k);
        r->kp[b->v_index] = kp + k;
        r->kd[b->v_index] = t->ratio * (kp + k) * t->dt;
    }
    sn_world_set_gains(r->world, 0, r->kp, r->kd);
}

static void aim(struct run *r, double time) {
    sn_motion_sample(r->motion, time, r->target, r->target_qd);
    mind_elbows(r);
    sn_world_set_target(r->world, 0, r->target, r->target_qd);
}

/* Root mean square over the joints, in rad; *most: the largest of all. */
static double error_at(struct run *r, double time, double *most) {
    double *off = r->spare, *target = off + r->nv;
    sn_motion_sample(r->motion, time, target, NULL);
    sn_model_pose_subtract(r->human, 1, r->q, target, off);
    return sqrt(joints_mean_square(r->human, off, most));
}

static void momentum(struct run *r, const double *q, const double *qd, double p[3]) {
    sn_summary summary;
    sn_dynamics_bodies(r->dynamics, q, qd, NULL, NULL, &summary);
    memcpy(p, summary.linear_momentum, sizeof summary.linear_momentum);
}

/* The impulse of contacts on the ball by the ground, in the last step. */
static void ground_impulse(struct run *r, double J[3]) {
    int n;
    const sn_contact *c = sn_world_contacts(r->world, 0, &n);
    memset(J, 0, 3 * sizeof *J);
    for (int i = 0; i < n; i++)
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < 3 && c[i].member[side] == 1 && c[i].member[!side] < 0; k++)
                J[k] += (side ? -1 : 1) * r->trial->dt * c[i].force[k];
}

static double length(const double x[3]) {
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* The step that has just been made from q, qd is made again without the ball: what the two differ in is the impact's doing.
   At the pose before the step, where both apply, the momentum that the character has lost and that of the ball must be what
   the root's drive gave because of it, h (F - F0) = -h kd (v - v0). */
static void check_momentum(struct run *r, const double *was, const double *ball_before,
                           const double *ball_after, const void *before, size_t size,
                           struct reaction_outcome *o) {
    const double dt = r->trial->dt;
    double with[3], without[3], ground[3], off[3], ball[3], root[3];
    double *free_qd = r->spare, *again = free_qd + r->nv;
    void *after = need_memory(NULL, size);
    ground_impulse(r, ground);
    sn_world_snapshot(r->world, after, size);
    sn_world_restore(r->world, before, size, NULL);
    sn_world_set_active(r->world, 1, false);
    step_whole(r->world);
    sn_world_get_state(r->world, 0, again, free_qd);
    sn_world_restore(r->world, after, size, NULL);
    free(after);
    momentum(r, was, r->qd, with);
    momentum(r, was, free_qd, without);
    for (int k = 0; k < 3; k++) {
        ball[k] =
            r->trial->scene->mass * (ball_after[k] - ball_before[k] - (k == 2 ? -9.81 * dt : 0)) - ground[k];
        root[k] = -dt * (r->kd[k] * (r->qd[k] - free_qd[k]));
        off[k] = with[k] - without[k] + ball[k] - root[k];
    }
    if (!(length(ball) > 0.01)) return;
    o->off = fmax(o->off, length(off) / length(ball));
    if (isnan(o->root)) o->root = length(root);
}

/* Speed of the limb's end: the foot, or the mean of both hands. */
static double limb_speed(struct run *r) {
    sn_world_get(r->world, 0, SN_FIELD_BODY_VELOCITY, 0, 1, r->velocity);
    if (r->trial->scene->kind == SCENE_KICK) return length(r->velocity + 6 * r->foot);
    return 0.5 * (length(r->velocity + 6 * r->hand[0]) + length(r->velocity + 6 * r->hand[1]));
}

/* Where the ball is between the hands, and whether both have it. */
static void look_at_hands(struct run *r, double time, struct reaction_outcome *o) {
    const double local[3] = {0, 0, -0.259}, since = time - o->hit;
    double hand[2][3], ball[7], middle[3], between[3], gap = 0;
    sn_world_get(r->world, 0, SN_FIELD_BODY_POSE, 0, 1, r->pose);
    sn_world_get_state(r->world, 1, ball, NULL);
    for (int side = 0; side < 2; side++)
        point_of_body(r->pose, r->hand[side], local, hand[side]);
    for (int k = 0; k < 3; k++) {
        middle[k] = ball[k] - 0.5 * (hand[0][k] + hand[1][k]);
        between[k] = hand[1][k] - hand[0][k];
    }
    for (int side = 0; side < 2; side++) {
        const double way[3] = {ball[0] - hand[side][0], ball[1] - hand[side][1], ball[2] - hand[side][2]};
        gap = fmax(gap, length(way) - r->trial->scene->radius - hand_radius);
    }
    if (since > 0.099 && since < r->trial->scene->hold + 0.501) o->gap = fmax(o->gap, gap);
    if (since > 0.099 && gap < 0.01 && o->held >= since - 0.1 - 1.5 * r->trial->dt)
        o->held = since - 0.1 + r->trial->dt;
    if (!(length(middle) < o->hands)) return;
    o->hands = length(middle);
    o->apart = length(between);
}

static void look_at_elbows(struct run *r, struct reaction_outcome *o) {
    for (int side = 0; side < 2; side++) {
        const sn_body_info *b = sn_model_body(r->human, r->hand[side]);
        o->elbow =
            fmax(o->elbow, fmax(r->q[b->q_index] - b->joint.upper[0], b->joint.lower[0] - r->q[b->q_index]));
    }
}

static void first_impact(struct run *r, double time, double limb_before, const double *ball_before,
                         const double *ball_after, struct reaction_outcome *o) {
    double change[3];
    for (int k = 0; k < 3; k++)
        change[k] = ball_after[k] - ball_before[k] -
                    (k == 2 && r->trial->scene->speed > 0 ? -9.81 * r->trial->dt : 0);
    o->hit = time;
    o->before = limb_before, o->after = o->slowest = limb_speed(r);
    o->passed = r->trial->scene->mass * length(change);
    o->ball_speed = length(ball_after);
}

/* With the motion as a ghost. */
static void record(struct run *r, double time, double off) {
    if (!r->recorder) return;
    double *target = r->spare;
    sn_motion_sample(r->motion, time, target, NULL);
    sn_recorder_pose(r->recorder, "reference", r->human, target, NULL);
    sn_recorder_number(r->recorder, "joint", off);
    sn_recorder_take(r->recorder, time);
}

void reaction_run(const struct reaction_trial *trial, struct reaction_outcome *o) {
    sn_error error = {0};
    struct run r = {.trial = trial};
    *o = (struct reaction_outcome){
        .finite = true, .hit = (double)NAN, .root = (double)NAN, .hands = (double)INFINITY};
    make_run(&r);
    o->steps = (int)lround(reaction_seconds(trial) / trial->dt);
    const size_t size = trial->momentum ? sn_world_snapshot(r.world, NULL, 0) : 0;
    void *before = trial->momentum ? need_memory(NULL, size) : NULL;
    sn_recorder_def recording = sn_recorder_def_default();
    recording.rate = 1 / trial->dt, recording.name = "humanoid";
    if (trial->record) r.recorder = sn_recorder_create(r.world, &recording, &error);
    for (int i = 0; i < o->steps && o->finite; i++) {
        const double time = (i + 1) * trial->dt, limb_before = limb_speed(&r);
        double ball_q[7], v0[6], v1[6], impacts = 0, most;
        aim(&r, trial->stable ? time : time - trial->dt);
        sn_world_get_state(r.world, 1, NULL, v0);
        memcpy(r.was, r.q, (size_t)r.nq * sizeof *r.q);
        if (before) sn_world_snapshot(r.world, before, size);
        o->finite = step_whole(r.world) == SN_OK;
        sn_world_get_state(r.world, 0, r.q, r.qd);
        sn_world_get_state(r.world, 1, ball_q, v1);
        sn_world_get(r.world, 0, SN_FIELD_IMPACTS, 0, 1, &impacts);
        const double off = error_at(&r, time, &most);
        record(&r, time, off);
        if (!(most < 3)) o->finite = false; /* further off than any joint can be */
        if (trial->error) trial->error[i] = off;
        o->largest = fmax(o->largest, off);
        look_at_elbows(&r, o);
        if (impacts > o->impacts) {
            o->impacts = (int)impacts, o->last = time;
            if (isnan(o->hit)) first_impact(&r, time, limb_before, v0, v1, o);
            if (before) check_momentum(&r, r.was, v0, v1, before, size, o);
        }
        if (isnan(o->hit)) continue;
        o->give = fmax(o->give, most);
        if (time <= o->hit + 0.2001) o->later = length(v1), o->moves = limb_speed(&r);
        if (time < o->hit + 0.1) o->slowest = fmin(o->slowest, limb_speed(&r));
        if (trial->scene->kind == SCENE_CATCH) look_at_hands(&r, time, o);
    }
    free(before);
    need(!r.recorder || sn_recorder_save(r.recorder, trial->record, &error) == SN_OK, &error);
    free_run(&r);
}
