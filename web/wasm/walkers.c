/* Walkers that are looked at: they follow a policy, lie for a moment where they fall, and then start again. */
#include "learn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LIES = 0.8; /* s that a fallen walker lies */
static const double BALL_RADIUS = 0.12, BALL_MASS = 3;

PLAY_API void walkers_free(struct walkers *w) {
    if (!w) return;
    sn_environment_free(w->env);
    sn_policy_free(w->policy);
    learn_body_free(&w->body);
    sn_model_free(w->ball);
    free(w->out.observation), free(w->out.reward), free(w->out.terminated), free(w->out.truncated);
    free(w->action), free(w->lying), free(w->room), free(w->pose), free(w);
}

static bool make_room(struct walkers *w) {
    const size_t n = (size_t)w->info.copies, pose = 7 * (size_t)sn_model_get(w->body.model)->nbody;
    w->out.observation = calloc(n * (size_t)w->info.observations, sizeof(float));
    w->out.reward = calloc(n, sizeof(float));
    w->out.terminated = calloc(n, sizeof(bool));
    w->out.truncated = calloc(n, sizeof(bool));
    w->action = calloc(n * (size_t)w->info.actions, sizeof(float));
    w->lying = calloc(n, sizeof *w->lying);
    w->room = calloc(pose + 7, sizeof *w->room);
    w->pose = calloc(n * pose + 7 * WALKERS_BALLS, sizeof *w->pose);
    return w->out.observation && w->out.reward && w->out.terminated && w->out.truncated && w->action &&
           w->lying && w->room && w->pose;
}

/* walkers_error says whether they can be used; NULL: out of memory. */
PLAY_API struct walkers *walkers_create(const char *model, const char *motion, const char *settings,
                                        double seed, int copies) {
    struct walkers *w = calloc(1, sizeof *w);
    sn_task task;
    if (!w) return NULL;
    sn_environment_def def = sn_environment_def_default();
    def.copies = copies;
    def.seed = (uint64_t)seed;
    def.autoreset = SN_AUTORESET_OFF;
    if (!learn_task(&w->body, model, motion, settings, &task, &w->error)) return w;
    w->env = sn_environment_create(&task, &def, &w->error);
    if (!w->env) return w;
    sn_environment_get_info(w->env, &w->info);
    if (!make_room(w))
        w->error = (sn_error){SN_ERROR_MEMORY, "out of memory"};
    else
        sn_environment_reset(w->env, NULL, NULL, w->out.observation, &w->error);
    return w;
}

PLAY_API const char *walkers_error(const struct walkers *w) {
    return w->error.status ? w->error.message : "";
}
PLAY_API double walkers_rate(const struct walkers *w) {
    return w->info.rate;
}

/* Takes over a policy from the bytes of a file; it may come from anywhere. Returns whether it fits. */
PLAY_API int walkers_set_policy(struct walkers *w, const void *bytes, size_t size) {
    sn_error error;
    sn_policy *policy = sn_policy_parse(bytes, size, &error);
    if (!policy || sn_policy_check(policy, w->env, &error) != SN_OK) {
        sn_policy_free(policy);
        return 0;
    }
    sn_policy_free(w->policy);
    w->policy = policy;
    return 1;
}

/* Writes the policy into the module's files; as ONNX if the name ends in .onnx. Whether it worked. */
PLAY_API int walkers_save_policy(const struct walkers *w, const char *path) {
    return w->policy && sn_policy_save(w->policy, path, NULL) == SN_OK;
}

/* Those that have lain long enough, or whose time is up, start again. */
static bool begin_anew(struct walkers *w) {
    uint8_t *which = calloc((size_t)w->info.copies, 1);
    bool any = false;
    if (!which) return false;
    for (int i = 0; i < w->info.copies; i++) {
        which[i] = w->lying[i] > LIES || (w->out.truncated[i] && w->lying[i] <= 0);
        if (which[i]) w->lying[i] = 0, any = true;
    }
    const bool good =
        !any || sn_environment_reset(w->env, which, NULL, w->out.observation, &w->error) == SN_OK;
    free(which);
    return good;
}

/* One control step of all. Returns how many fell in it; -1: it failed. */
PLAY_API int walkers_step(struct walkers *w) {
    int fell = 0;
    memset(w->action, 0, (size_t)w->info.copies * (size_t)w->info.actions * sizeof *w->action);
    if (w->policy) sn_policy_act(w->policy, w->info.copies, w->out.observation, w->action);
    if (sn_environment_step(w->env, w->action, &w->out, &w->error) != SN_OK) return -1;
    for (int i = 0; i < w->info.copies; i++) {
        if (w->lying[i] > 0)
            w->lying[i] += 1.0 / w->info.rate;
        else if (w->out.terminated[i])
            w->lying[i] = 1.0 / w->info.rate, fell++;
    }
    return begin_anew(w) ? fell : -1;
}

/* Poses [copies][nbody][7], and behind them those of the balls that are out. */
PLAY_API const float *walkers_look(struct walkers *w) {
    const int size = 7 * sn_model_get(w->body.model)->nbody;
    int number = 0;
    float *at = w->pose;
    for (int i = 0; i < w->info.copies; i++, at += size) {
        sn_world *world = sn_environment_world(w->env, i, &number);
        if (sn_world_get(world, 0, SN_FIELD_BODY_POSE, number, 1, w->room) != SN_OK) continue;
        for (int k = 0; k < size; k++)
            at[k] = (float)w->room[k];
    }
    for (int i = 0; i < w->balls && i < WALKERS_BALLS; i++, at += 7)
        poses_write(sn_environment_world(w->env, 0, &number), w->member[i], 1, w->room, at);
    return w->pose;
}
/* s since each fell; 0: it is on its feet. */
PLAY_API const double *walkers_lying(const struct walkers *w) {
    return w->lying;
}
PLAY_API int walkers_balls(const struct walkers *w) {
    return w->balls < WALKERS_BALLS ? w->balls : WALKERS_BALLS;
}

/* For the first walker's world, which may hold others. A shove of 0.1 s on a body, along a direction of any length, that
   changes the speed of the whole mass by `speed` m/s. */
PLAY_API int walkers_push(struct walkers *w, int body, double x, double y, double z, double speed) {
    const double length = sqrt(x * x + y * y + z * z);
    const sn_model_info *model = sn_model_get(w->body.model);
    if (!(length > 0) || body < 0 || body >= model->nbody) return 0;
    const double newton = model->mass * speed / 0.1 / length, force[3] = {newton * x, newton * y, newton * z};
    int number;
    return sn_world_push(sn_environment_world(w->env, 0, &number), 0, body, force, NULL, 0.1) == SN_OK;
}

/* Throws a ball at the only walker: a new one, or the oldest once more. Returns whether it could. */
PLAY_API int walkers_throw(struct walkers *w, double x, double y, double z, double vx, double vy, double vz) {
    const double q[7] = {x, y, fmax(z, BALL_RADIUS), 1, 0, 0, 0}, qd[6] = {vx, vy, vz, 0, 0, 0};
    const int turn = w->balls % WALKERS_BALLS;
    int number;
    sn_world *world = sn_environment_world(w->env, 0, &number);
    if (w->info.copies > 1) return 0;
    if (!w->ball) w->ball = toy_ball(BALL_RADIUS, BALL_MASS, 0);
    if (w->ball && w->balls < WALKERS_BALLS) w->member[turn] = sn_world_add(world, w->ball, NULL);
    if (!w->ball || w->member[turn] < 0) return 0;
    sn_world_set_state(world, w->member[turn], q, qd);
    w->balls++;
    return 1;
}
