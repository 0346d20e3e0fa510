/* A world in which the subject follows its motion: once, or in a crowd of copies. */
#include "play.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beyond this, m/s or rad/s, a run has diverged for whoever looks at it, long before the library says so. */
static const double FASTEST = 1000;

PLAY_API void play_scene_free(struct scene *s) {
    if (!s) return;
    sn_world_free(s->world);
    sn_world_free(s->ghost);
    sn_model_free(s->ball);
    free(s->q), free(s->room), free(s->pose), free(s);
}

/* ---------------------------------------------------------------------------------------------------- making one */

static bool make_world(struct scene *s, int contact) {
    sn_world_def def = sn_world_def_default();
    sn_shape_def ground = sn_shape_def_default(SN_SHAPE_BOX);
    const double origin[3] = {0}, up[3] = {0, 0, 1};
    def.copies = s->copies;
    def.substeps = s->substeps;
    def.dt = s->dt;
    def.form = s->form;
    if (contact == PLAY_POSITION) /* one character on the ground: balls and pulling are not for it */
        def.stepper = SN_STEPPER_POSITION;
    else
        def.contact = (sn_contact_method)contact;
    def.precision = s->copies > 1 ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE;
    def.report_contacts = s->copies == 1;
    def.setting =
        s->copies > 1 ? SN_SETTING_CROWD : SN_SETTING_GAME; /* a frame must not wait for the last digit */
    ground.friction = 0.9;
    s->world = sn_world_create(&def, &s->error);
    return s->world && sn_world_add(s->world, s->subject->model, &s->error) == 0 &&
           sn_world_add_plane(s->world, origin, up, &ground, &s->error) == 0;
}

static bool make_ghost(struct scene *s) {
    sn_world_def def = sn_world_def_default();
    def.contact = SN_CONTACT_NONE;
    s->ghost = sn_world_create(&def, &s->error);
    return s->ghost && sn_world_add(s->ghost, s->subject->model, &s->error) == 0;
}

static bool make_room(struct scene *s) {
    const size_t nq = (size_t)sn_model_get(s->subject->model)->nq,
                 nv = (size_t)sn_model_get(s->subject->model)->nv;
    const size_t pose = (size_t)sn_model_get(s->subject->model)->nbody * 7, all = (size_t)s->drawn * pose;
    s->q = calloc(2 * (nq + nv) + 1, sizeof *s->q);
    s->room = calloc(all + 7, sizeof *s->room);
    s->pose = calloc(all + pose + PLAY_BALLS * 7 + PLAY_CONTACTS * 6, sizeof *s->pose);
    if (!s->q || !s->room || !s->pose) return false;
    s->qd = s->q + nq;
    s->before = s->qd + nv;
    s->ghost_pose = s->pose + all;
    s->ball_pose = s->ghost_pose + pose;
    s->contacts = s->ball_pose + PLAY_BALLS * 7;
    return true;
}

/* Each copy starts on the motion, the first at the scene's time. In a crowd each has its own phase: golden steps spread
   them evenly for any count. */
static bool place_copies(struct scene *s) {
    double phase = 0;
    bool good = true;
    for (int i = 0; good && i < s->copies; i++) {
        const double time = s->time + phase * s->subject->duration;
        subject_sample(s->subject, time, s->q, s->qd);
        good = sn_world_set(s->world, 0, SN_FIELD_Q, i, 1, s->q) == SN_OK &&
               sn_world_set(s->world, 0, SN_FIELD_QD, i, 1, s->qd) == SN_OK &&
               sn_world_set(s->world, 0, SN_FIELD_PHASE, i, 1, &time) == SN_OK;
        phase = s->subject->loops ? phase + 0.6180339887498949 : 0;
        phase -= (int)phase;
    }
    return good;
}

/* A crowd gets its targets from the motion by itself; for one copy they are sampled before each step, which needs no
   table of the whole motion whenever a setting is changed. */
static bool start(struct scene *s) {
    if (!place_copies(s)) return false;
    if (s->copies > 1 && s->subject->motion)
        return sn_world_set_motion(s->world, 0, s->subject->motion) == SN_OK;
    subject_sample(s->subject, s->time, s->q, s->qd);
    return sn_world_set_target(s->world, 0, s->q, s->qd) == SN_OK;
}

/* A new scene at a time of the motion, in the pose the motion has there. It comes back in any case unless memory is
   out: play_scene_error says whether it can be used. The subject must outlive it. */
PLAY_API struct scene *play_scene_create(const struct subject *subject, int copies, int drawn, int form,
                                         int contact, double dt, int substeps, double time) {
    struct scene *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    *s = (struct scene){.subject = subject,
                        .copies = copies,
                        .dt = dt,
                        .time = time,
                        .substeps = substeps,
                        .served = -1,
                        .form = (sn_form)form};
    s->drawn = drawn < copies ? drawn : copies;
    if (make_room(s) && make_world(s, contact) && (copies > 1 || make_ghost(s)) && start(s))
        s->error.status = SN_OK;
    else if (!s->error.status)
        s->error = (sn_error){SN_ERROR_MEMORY, "the scene cannot be made: out of memory, or a pose that is "
                                               "not finite"};
    return s;
}

PLAY_API const char *play_scene_error(const struct scene *s) {
    return s->error.status ? s->error.message : "";
}
PLAY_API const char *play_scene_lanes(const struct scene *s) {
    return sn_world_get_info(s->world).lanes;
}

/* ------------------------------------------------------------------------------------------------------ changing it */

PLAY_API void play_scene_set_gains(struct scene *s, double kp, double kd, double root_kp, double root_kd) {
    const size_t nv = (size_t)sn_model_get(s->subject->model)->nv;
    if (s->subject->curve) { /* its ties have them, and nothing drives its beads */
        tinkertoy_tie(s, kp, kd);
        return;
    }
    double *kps = malloc((2 * nv + 1) * sizeof *kps);
    if (!kps) return;
    sn_gains_uniform(s->subject->model, root_kp, root_kd, kp, kd, kps, kps + nv);
    sn_world_set_gains(s->world, 0, kps, kps + nv);
    free(kps);
}

/* Whether a blow makes it give way, and come back: the whole body but the root, a fifth of a second, then 0.6 s. */
PLAY_API void play_scene_set_reaction(struct scene *s, int on) {
    sn_reaction_def def = sn_reaction_def_default();
    def.threshold = 0.15 * sn_model_get(s->subject->model)->mass;
    def.reaction = 0.02, def.hold = 0.2, def.recover = 0.6;
    sn_world_set_reaction(s->world, 0, on ? &def : NULL);
}

/* The least part of its gains that acts on some joint of the first copy. */
PLAY_API double play_scene_gain(struct scene *s) {
    double least = 1;
    if (sn_world_get(s->world, 0, SN_FIELD_GAIN_SCALE, 0, 1, s->room) != SN_OK) return 1;
    for (int i = 0; i < sn_model_get(s->subject->model)->nbody; i++)
        least = fmin(least, s->room[i]);
    return least;
}

PLAY_API void play_scene_set_dt(struct scene *s, double dt) {
    if (sn_world_set_dt(s->world, dt) == SN_OK) s->dt = dt;
}

/* q[nq] and qd[nv] behind each other, of the first copy. */
PLAY_API void play_scene_get_state(const struct scene *s, double *state) {
    sn_world_get_state(s->world, 0, state, state + sn_model_get(s->subject->model)->nq);
}
PLAY_API int play_scene_set_state(struct scene *s, const double *state) {
    return (int)sn_world_set_state(s->world, 0, state, state + sn_model_get(s->subject->model)->nq);
}

/* --------------------------------------------------------------------------------------------------------- stepping */

static bool too_fast(struct scene *s) {
    double fastest = 0;
    sn_world_get_state(s->world, 0, NULL, s->qd);
    for (int i = 0; i < sn_model_get(s->subject->model)->nv; i++)
        fastest = fmax(fastest, fabs(s->qd[i]));
    return fastest > FASTEST;
}

/* A run that ends should end in sight: when the last step threw the root away from its target, the state before it
   stays. */
static void stay_in_sight(struct scene *s) {
    const sn_body_info *root = sn_model_body(s->subject->model, 0);
    double away = 0, *target = s->room;
    if (root->joint.type != SN_JOINT_FREE) return;
    memcpy(target, s->q + root->q_index, 3 * sizeof *target);
    sn_world_get_state(s->world, 0, s->q, NULL);
    for (int k = 0; k < 3; k++)
        away = fmax(away, fabs(s->q[root->q_index + k] - target[k]));
    if (!(away < 0.7)) play_scene_set_state(s, s->before);
}

/* Keyframes drive all copies alike; the end of a round is its last key. */
static void drive_by_keys(const struct scene *s) {
    const double T = s->subject->duration, end = fmod(s->time + s->dt * s->substeps, T);
    sn_keyframes_apply(s->subject->keys, s->world, 0, -1, end > 0 ? end : T);
}

/* Whether the character is frozen; frozen toys do not matter. */
static bool is_frozen(struct scene *s) {
    double flag = 0;
    sn_world_get(s->world, 0, SN_FIELD_DIVERGED, 0, 1, &flag);
    return flag != 0;
}

/* One copy: its target is set before each step, and a divergence is reported to the caller. */
static void step_one(struct scene *s) {
    subject_sample(s->subject, s->time + s->dt * s->substeps, s->q, s->qd);
    if (!s->subject->keys) sn_world_set_target(s->world, 0, s->q, s->qd);
    play_scene_get_state(s, s->before);
    s->diverged = sn_world_step(s->world) != SN_OK || is_frozen(s) || too_fast(s);
    if (s->diverged) stay_in_sight(s);
}

/* Takes steps; returns how many it took: fewer when the only copy diverged. */
PLAY_API int play_scene_step(struct scene *s, int steps) {
    for (int i = 0; i < steps; i++) {
        if (s->diverged) return i;
        toys_act(s);
        serve_act(s);
        if (s->subject->keys) drive_by_keys(s);
        if (s->copies == 1)
            step_one(s);
        else
            sn_world_step(s->world);
        s->time += s->dt * s->substeps;
    }
    return steps;
}

PLAY_API double play_scene_time(const struct scene *s) {
    return s->time;
}

/* How many copies diverged. */
PLAY_API int play_scene_diverged(const struct scene *s) {
    sn_world_stats stats = {0};
    if (s->copies == 1) return s->diverged;
    sn_world_get_stats(s->world, &stats);
    return stats.diverged;
}

/* ---------------------------------------------------------------------------------------------------------- looking */

void poses_write(sn_world *world, int member, int count, double *room, float *pose) {
    const int values = count * sn_world_size(world, member, SN_FIELD_BODY_POSE);
    if (sn_world_get(world, member, SN_FIELD_BODY_POSE, 0, count, room) != SN_OK) return;
    for (int i = 0; i < values; i++)
        pose[i] = (float)room[i];
}

/* Mean distance of the leaves' vectors from the root to them, simulated against wanted (m), as `sinew track` has it. */
static double effector_error(const struct scene *s) {
    const float *a = s->pose, *b = s->ghost_pose;
    const int nbody = sn_model_get(s->subject->model)->nbody;
    double sum = 0;
    int count = 0;
    for (int i = 1; i < nbody; i++) {
        if (i + 1 < nbody && sn_model_body(s->subject->model, i + 1)->parent == i) continue; /* no leaf */
        double square = 0;
        for (int k = 0; k < 3; k++) {
            const double d = (double)(a[7 * i + k] - a[k]) - (double)(b[7 * i + k] - b[k]);
            square += d * d;
        }
        sum += sqrt(square);
        count++;
    }
    return count ? sum / count : 0;
}

static int write_contacts(struct scene *s) {
    int count = 0, n = 0;
    const sn_contact *contact = sn_world_contacts(s->world, 0, &count);
    for (int i = 0; i < count && n < PLAY_CONTACTS; i++) {
        const double *f = contact[i].force;
        if (f[0] * f[0] + f[1] * f[1] + f[2] * f[2] < 1) continue;
        /* As it acts on the character, or on the first of two balls. */
        const double sign = contact[i].member[1] == 0 ? -1 : 1;
        for (int k = 0; k < 3; k++) {
            s->contacts[6 * n + k] = (float)contact[i].pos[k];
            s->contacts[6 * n + 3 + k] = (float)(sign * f[k]);
        }
        n++;
    }
    return n;
}

/* Brings everything that is drawn up to date. out: tracking error (m), contacts, balls that are out, rows of the last
   step; in a crowd there are only poses. */
PLAY_API void play_scene_look(struct scene *s, double out[4]) {
    sn_world_stats stats = {0};
    memset(out, 0, 4 * sizeof *out);
    poses_write(s->world, 0, s->drawn, s->room, s->pose);
    if (s->copies > 1) return;
    subject_sample(s->subject, s->time, s->q, NULL);
    sn_world_set_state(s->ghost, 0, s->q, NULL);
    poses_write(s->ghost, 0, 1, s->room, s->ghost_pose);
    sn_world_get_stats(s->world, &stats);
    out[0] = s->subject->curve ? tinkertoy_error(s) : effector_error(s);
    out[1] = write_contacts(s);
    out[2] = toys_look(s);
    out[3] = stats.rows;
}

PLAY_API const float *play_scene_pose(const struct scene *s) {
    return s->pose;
}
PLAY_API const float *play_scene_ghost_pose(const struct scene *s) {
    return s->ghost_pose;
}
PLAY_API const float *play_scene_ball_pose(const struct scene *s) {
    return s->ball_pose;
}
PLAY_API const float *play_scene_contacts(const struct scene *s) {
    return s->contacts;
}
