/* One character that follows its motion, in a world or, for solvers other than MABA, alone. */
#include "play.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beyond this, m/s or rad/s, a run has diverged, long before numbers stop being finite. */
static const double FASTEST = 1000;

PLAY_API void play_scene_free(struct scene *s) {
    if (!s) return;
    if (s->world)
        sn_world_free(s->world);
    else
        sn_character_free(s->character);
    sn_character_free(s->ghost);
    sn_model_free(s->ball);
    free(s->q);
    free(s->pose);
    free(s);
}

static bool make_world(struct scene *s, sn_form form) {
    sn_world_def def = sn_world_def_default();
    sn_member_def member = sn_member_def_default();
    sn_shape_def ground = sn_shape_def_default(SN_SHAPE_BOX);
    const double origin[3] = {0}, up[3] = {0, 0, 1};
    def.dt = s->dt;
    def.contact = (sn_contact_method)s->contact;
    /* A frame must not wait for the last digit. */
    def.iterations = 60;
    def.tolerance = 1e-4;
    member.form = form;
    ground.friction = 0.9;
    s->world = sn_world_create(&def, &s->error);
    if (!s->world || sn_world_add(s->world, s->subject->model, &member, &s->error) < 0 ||
        sn_world_add_plane(s->world, origin, up, &ground, &s->error) < 0)
        return false;
    return toys_create(s);
}

static bool make_room(struct scene *s) {
    const size_t nq = (size_t)sn_model_nq(s->subject->model), nv = (size_t)sn_model_nv(s->subject->model);
    const size_t pose = (size_t)sn_model_nbody(s->subject->model) * 7;
    s->q = calloc(3 * nq + 3 * nv + 1, sizeof *s->q);
    s->pose = calloc(2 * pose + PLAY_BALLS * 7 + PLAY_CONTACTS * 6, sizeof *s->pose);
    if (!s->q || !s->pose) return false;
    s->qd = s->q + nq;
    s->target_qd = s->qd + nv;
    s->last = s->target_qd + nv;
    s->ghost_pose = s->pose + pose;
    s->ball_pose = s->ghost_pose + pose;
    s->contacts = s->ball_pose + PLAY_BALLS * 7;
    return true;
}

/* A new scene at a time of the motion, in the pose the motion has there. It comes back in any case unless memory is
   out: play_scene_error tells whether it can be used. The subject must outlive it. */
PLAY_API struct scene *play_scene_create(const struct subject *subject, int form, int solver, int contact,
                                         double dt, double time) {
    struct scene *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    *s = (struct scene){.subject = subject, .contact = contact, .dt = dt, .time = time, .grip_body = -1};
    sn_character_def def = sn_character_def_default();
    s->ghost = sn_character_create(subject->model, &def, &s->error);
    def.form = (sn_form)form;
    def.solver = (sn_solver)solver;
    def.dt = dt;
    bool good = s->ghost && make_room(s);
    if (good && solver == SN_SOLVER_MABA)
        good = make_world(s, def.form);
    else if (good)
        good = (s->character = sn_character_create(subject->model, &def, &s->error)) != NULL;
    if (good) {
        if (s->world) s->character = sn_world_character(s->world, 0);
        subject_sample(subject, time, s->q, s->qd);
        good = sn_character_set_state(s->character, s->q, s->qd) == SN_OK;
    }
    if (good)
        s->error.status = SN_OK;
    else if (!s->error.status)
        s->error = (sn_error){SN_ERROR_MEMORY, "the scene cannot be made: out of memory, or a pose that is "
                                               "not finite"};
    return s;
}

PLAY_API const char *play_scene_error(const struct scene *s) {
    return s->error.status ? s->error.message : "";
}

PLAY_API void play_scene_set_gains(struct scene *s, double kp, double kd, double root_kp, double root_kd) {
    const size_t nv = (size_t)sn_model_nv(s->subject->model);
    double *kps = malloc((2 * nv + 1) * sizeof *kps);
    if (!kps) return;
    sn_gains_uniform(s->subject->model, root_kp, root_kd, kp, kd, kps, kps + nv);
    sn_character_set_gains(s->character, kps, kps + nv);
    free(kps);
}

PLAY_API void play_scene_set_dt(struct scene *s, double dt) {
    if ((s->world ? sn_world_set_dt(s->world, dt) : sn_character_set_dt(s->character, dt)) == SN_OK)
        s->dt = dt;
}

/* q[nq] and qd[nv] behind each other. */
PLAY_API void play_scene_get_state(const struct scene *s, double *state) {
    sn_character_get_state(s->character, state, state + sn_model_nq(s->subject->model));
}
PLAY_API int play_scene_set_state(struct scene *s, const double *state) {
    return (int)sn_character_set_state(s->character, state, state + sn_model_nq(s->subject->model));
}

static bool too_fast(const struct scene *s) {
    double fastest = 0;
    sn_character_get_state(s->character, NULL, s->qd);
    for (int i = 0; i < sn_model_nv(s->subject->model); i++)
        fastest = fmax(fastest, fabs(s->qd[i]));
    return fastest > FASTEST;
}

/* A run that ends shall end in sight: when the last step threw the root away, the state before it stays. */
static void stay_in_sight(struct scene *s) {
    const sn_body_info *root = sn_model_body(s->subject->model, 0);
    const int nq = sn_model_nq(s->subject->model);
    double away = 0, *now = s->last + nq + sn_model_nv(s->subject->model);
    sn_character_get_state(s->character, now, NULL);
    if (root->joint.type != SN_JOINT_FREE) return;
    for (int k = root->q_index; k < root->q_index + 3; k++)
        away = fmax(away, fabs(now[k] - s->q[k]));
    if (!(away < 0.7)) sn_character_set_state(s->character, s->last, s->last + nq);
}

/* Takes steps; returns how many it took: fewer when the run diverged. */
PLAY_API int play_scene_step(struct scene *s, int steps) {
    for (int i = 0; i < steps; i++) {
        if (s->diverged) return i;
        subject_sample(s->subject, s->time + s->dt, s->q, s->target_qd);
        sn_character_set_target(s->character, s->q, s->target_qd);
        toys_act(s);
        play_scene_get_state(s, s->last);
        const sn_status status = s->world ? sn_world_step(s->world) : sn_character_step(s->character);
        s->time += s->dt;
        s->diverged = status != SN_OK || too_fast(s);
        if (s->diverged) stay_in_sight(s);
    }
    return steps;
}

PLAY_API double play_scene_time(const struct scene *s) {
    return s->time;
}
PLAY_API int play_scene_diverged(const struct scene *s) {
    return s->diverged;
}

/* Mean distance of the leaves' vectors from the root to them, simulated against wanted (m), as `sinew track` has it. */
static double effector_error(const struct scene *s) {
    const float *a = s->pose, *b = s->ghost_pose;
    const int nbody = sn_model_nbody(s->subject->model);
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

void poses_write(sn_character *character, float *pose) {
    const int nbody = sn_model_nbody(sn_character_model(character));
    for (int i = 0; i < nbody; i++, pose += 7) {
        double p[7];
        sn_character_body_pose(character, i, p, p + 3);
        for (int k = 0; k < 7; k++)
            pose[k] = (float)p[k];
    }
}

static int write_contacts(struct scene *s) {
    if (!s->world) return 0;
    const int count = sn_world_contact_count(s->world);
    const sn_contact *contact = sn_world_contacts(s->world);
    int n = 0;
    for (int i = 0; i < count && n < PLAY_CONTACTS; i++) {
        const double *f = contact[i].force;
        if (f[0] * f[0] + f[1] * f[1] + f[2] * f[2] < 1) continue;
        /* As it acts on the character, or on the first of two balls. */
        const double sign = contact[i].character[1] == 0 ? -1 : 1;
        for (int k = 0; k < 3; k++) {
            s->contacts[6 * n + k] = (float)contact[i].pos[k];
            s->contacts[6 * n + 3 + k] = (float)(sign * f[k]);
        }
        n++;
    }
    return n;
}

/* Brings everything that is drawn up to date. out: tracking error (m), contacts, balls thrown, rows of the last step. */
PLAY_API void play_scene_look(struct scene *s, double out[4]) {
    subject_sample(s->subject, s->time, s->q, NULL);
    sn_character_set_state(s->ghost, s->q, NULL);
    poses_write(s->ghost, s->ghost_pose);
    poses_write(s->character, s->pose);
    const int balls = s->balls < PLAY_BALLS ? s->balls : PLAY_BALLS;
    for (int i = 0; i < balls; i++)
        poses_write(sn_world_character(s->world, 1 + i), s->ball_pose + 7 * i);
    sn_world_stats stats = {0};
    if (s->world) sn_world_get_stats(s->world, &stats);
    out[0] = effector_error(s);
    out[1] = write_contacts(s);
    out[2] = balls;
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
