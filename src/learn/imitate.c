/* The imitation environment: made, begun, stepped, saved. */
#include "learn/imitate.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "dynamics/study.h"
#include "learn/imitate_parts.h"
#include "learn/random.h"
#include "model/joint.h"

enum { MOST_EFFECTORS = 64 };

struct sn__imitate_def sn__imitate_default(const sn_model *model, const sn_motion *motion) {
    return (struct sn__imitate_def){.model = model,
                                    .motion = motion,
                                    .parts = 16,
                                    .copies = 16,
                                    .rate = 30,
                                    .substeps = 8,
                                    .action_scale = 1,
                                    .observe_root = true,
                                    .setting = SN_SETTING_CROWD,
                                    .torque_limits = true,
                                    .limit = 20,
                                    .friction = .9};
}

/* ----------------------------------------------------------------------------------------------------- bodies */

static bool has(const char *name, const char *const *part) {
    for (; *part; part++)
        if (strstr(name, *part)) return true;
    return false;
}
#define HAS(name, ...) has(name, (const char *const[]){__VA_ARGS__, NULL})

/* Weights that DeepMimic's humanoid and dog have; what has none of these names counts as a limb. */
static double weight_by_name(const char *name, bool root) {
    static const struct {
        const char *name;
        double weight;
    } known[] = {{"chest", .5},     {"spine", .5},  {"neck", .3},     {"head", .4},  {"hip", .5},
                 {"upper_leg", .4}, {"knee", .3},   {"ankle", .2},    {"elbow", .2}, {"wrist", 0},
                 {"toe", .1},       {"finger", .1}, {"shoulder", .3}, {"hand", .2},  {"foot", .2},
                 {"forearm", .3},   {"tail", .1},   {"leg", .3}};
    if (root) return 1;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(name, known[i].name)) return known[i].weight;
    return .3;
}

static bool is_leaf(const sn_model *model, int body) {
    for (int i = body + 1; i < sn_model_nbody(model); i++)
        if (sn_model_body(model, i)->parent == body) return false;
    return true;
}

static void fill_body(struct sn__imitate *im, int i) {
    const struct sn__imitate_def *def = &im->def;
    const sn_body_info *info = sn_model_body(def->model, i);
    struct sn__imitate_body *b = &im->body[i];
    *b = (struct sn__imitate_body){.quaternion = sn__joint_quaternion(info),
                                   .q = info->q_index,
                                   .v = info->v_index,
                                   .nq = info->nq,
                                   .nv = info->nv,
                                   .mass = (float)info->mass};
    for (int k = 0; k < 3; k++)
        b->com[k] = (float)info->com[k];
    b->weight = (float)(def->weight ? def->weight[i] : weight_by_name(info->name, i == 0));
    b->foot = def->foot ? def->foot[i] : HAS(info->name, "ankle", "foot", "toe", "paw", "hoof");
    b->effector =
        def->effector ? def->effector[i] : is_leaf(def->model, i) && !HAS(info->name, "neck", "head");
    for (int k = 0; k < 2; k++) {
        const double low = info->joint.lower[k], high = info->joint.upper[k];
        b->middle[k] = (float)(info->joint.limited ? (low + high) / 2 : 0);
        b->span[k] = (float)(def->action_scale * (info->joint.limited ? 2 * (high - low) : 3.14159265358979));
    }
}

static sn_status fill_bodies(struct sn__imitate *im, sn_error *error) {
    double weight = 0;
    int effectors = 0;
    for (int i = 0; i < im->nbody; i++) {
        fill_body(im, i);
        weight += (double)im->body[i].weight;
        effectors += im->body[i].effector;
        im->mass += im->body[i].mass;
        const int ball = sn__by_axis(im) ? 4 : 3;
        if (i) im->actions += im->body[i].quaternion == 0 ? ball : im->body[i].nq;
    }
    if (!(weight > 0) || effectors > MOST_EFFECTORS || im->actions < 1)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "the model has %d end effectors, %d actions and joints of weight %g: at most %d, at "
                        "least 1, and above 0 "
                        "are needed",
                        effectors, im->actions, weight, MOST_EFFECTORS);
    for (int i = 0; i < im->nbody; i++)
        im->body[i].weight /= (float)weight;
    im->joints = im->nbody;
    im->observations =
        2 + im->nbody * (im->def.features == SN_FEATURES_2021 ? 15 : 13) + (im->def.observe_root ? 4 : 0);
    if (im->def.command > 0) im->observations += 3;
    if (im->def.terrain) im->observations += SN__TERRAIN_AHEAD * SN__TERRAIN_ACROSS;
    return SN_OK;
}

/* ------------------------------------------------------------------------------------------------------ made */

/* As given; as the model has them; or chosen, where it has none. A free root has none ever. */
static sn_status fill_gains(struct sn__imitate *im, sn_error *error) {
    const struct sn__imitate_def *def = &im->def;
    const size_t nv = (size_t)im->nv;
    double *kp = im->gains, *kd = im->gains + nv;
    bool none = true;
    sn_model_gains(def->model, kp, kd);
    for (size_t i = 6; i < nv; i++)
        none = none && !(kp[i] > 0);
    if (none && !def->kp) {
        const sn_gains_def chosen = {
            .frequency = 6, .dt = 1.0 / (def->rate * def->substeps), .precision = SN_FLOAT, .widen = true};
        const sn_status status = sn_gains_choose(def->model, &chosen, kp, kd, error);
        if (status) return status;
    }
    if (def->kp) memcpy(kp, def->kp, nv * sizeof *kp);
    if (def->kd) memcpy(kd, def->kd, nv * sizeof *kd);
    for (int i = 0; i < 6; i++) {
        if ((def->kp && def->kp[i] != 0) || (def->kd && def->kd[i] != 0))
            return sn__fail(error, SN_ERROR_ARGUMENT, "the root has gains: who imitates stands by itself");
        kp[i] = kd[i] = 0;
    }
    return SN_OK;
}

static sn_status make(struct sn__imitate *im, sn_error *error) {
    const sn_model *model = im->def.model;
    im->nbody = sn_model_nbody(model), im->nq = sn_model_nq(model), im->nv = sn_model_nv(model);
    im->body = sn__alloc((size_t)im->nbody, sizeof *im->body);
    im->part = sn__alloc((size_t)im->def.parts, sizeof *im->part);
    im->gains = sn__alloc(2 * (size_t)im->nv, sizeof *im->gains);
    if (!im->body || !im->part || !im->gains) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    sn_status status = fill_bodies(im, error);
    if (!status) status = fill_gains(im, error);
    if (!status) status = sn__reference_make(&im->reference, im, error);
    if (!status) status = sn__terrain_make(im, error);
    if (!status && im->def.ball > 0 && !(im->ball = sn__ball_make(&im->def, error)))
        status = error ? error->status : SN_ERROR_MEMORY;
    for (int i = 0; i < im->def.parts && !status; i++)
        status = sn__imitate_make_part(im, &im->part[i], error);
    return status;
}

static sn_status check(const struct sn__imitate_def *def, sn_error *error) {
    if (!def->model || !def->motion)
        return sn__fail(error, SN_ERROR_ARGUMENT, "there is no model, or no motion");
    if (def->parts < 1 || def->copies < 1 || def->rate < 1 || def->substeps < 1 || !(def->limit > 0) ||
        !(def->friction >= 0) || !(def->action_scale > 0) || !(def->push >= 0 && def->push < 1e9))
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "parts %d, copies %d, rate %d, substeps %d, limit %g, friction %g, action_scale %g, "
                        "push %g: one of them cannot be",
                        def->parts, def->copies, def->rate, def->substeps, def->limit, def->friction,
                        def->action_scale, def->push);
    if (sn_model_nbody(def->model) < 1 || !sn__joint_is_free(sn_model_body(def->model, 0)))
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "the model's first body has no free joint: it cannot imitate a motion");
    return SN_OK;
}

struct sn__imitate *sn__imitate_create(const struct sn__imitate_def *def, sn_error *error) {
    if (check(def, error)) return NULL;
    struct sn__imitate *im = sn__alloc(1, sizeof *im);
    if (!im) {
        sn__fail(error, SN_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    im->def = *def;
    sn__imitate_set_limit(im, def->limit);
    if (!make(im, error)) return im;
    sn__imitate_free(im);
    return NULL;
}

void sn__imitate_free(struct sn__imitate *im) {
    if (!im) return;
    for (int i = 0; im->part && i < im->def.parts; i++)
        sn__imitate_free_part(&im->part[i]);
    sn__reference_free(&im->reference);
    sn_model_free(im->ball);
    sn__free_all(im->body, im->part, im->gains, im->terrain.height, im);
}

void sn__imitate_set_limit(struct sn__imitate *im, double limit) {
    im->limit = (int)fmin(fmax(round(limit * im->def.rate), 1), 1e9);
}

uint64_t sn__imitate_features_hash(const struct sn__imitate *im) {
    const double scale = im->def.action_scale;
    const int what[] = {im->def.features, im->def.targets,  im->def.observe_root,
                        im->def.rate,     im->observations, im->actions};
    const uint64_t hash = sn__hash(&scale, sizeof scale, sn__hash(what, sizeof what, 0));
    const int more[] = {im->def.command > 0, im->def.terrain != SN_TERRAIN_FLAT};
    return more[0] || more[1] ? sn__hash(more, sizeof more, hash) : hash;
}

/* What is beyond the plain task; nothing where all of it is off. */
static uint64_t hash_extras(const struct sn__imitate_def *d, uint64_t hash) {
    const double number[] = {d->ball,           d->ball_speed,       d->mass_range,
                             d->friction_range, d->gain_range,       d->command,
                             d->command_turn,   d->command_speed[0], d->command_speed[1],
                             d->terrain,        d->terrain_height,   (double)d->terrain_seed};
    bool some = d->terrain != SN_TERRAIN_FLAT;
    for (int i = 0; i < 6; i++)
        some = some || (i != 1 && number[i] > 0);
    return some ? sn__hash(number, sizeof number, hash) : hash;
}

uint64_t sn__imitate_task_hash(const struct sn__imitate *im) {
    const struct sn__imitate_def *d = &im->def;
    const struct sn__reference *r = &im->reference;
    const double number[] = {d->limit, d->friction, d->push, r->duration};
    const int setting = (int)d->setting + 16 * sn__study_number(d->study);
    const int flag[] = {d->substeps, setting, d->torque_limits, d->self_contact, d->locomotion, r->loop};
    uint64_t hash = sn__hash(number, sizeof number, sn__imitate_features_hash(im));
    hash = hash_extras(d, sn__hash(flag, sizeof flag, hash));
    if (d->drag[1] > 0) hash = sn__hash(d->drag, sizeof d->drag, hash);
    hash = sn__hash(im->gains, 2 * (size_t)im->nv * sizeof *im->gains, hash);
    for (int i = 0; i < im->nbody; i++) {
        const float weight[3] = {im->body[i].weight, im->body[i].foot, im->body[i].effector};
        hash = sn__hash(weight, sizeof weight, hash);
    }
    return sn__hash(r->q, (size_t)r->rows * (size_t)r->nq * sizeof *r->q, hash);
}

/* --------------------------------------------------------------------------------------------------- episodes */

/* The rows of all copies, or false: no memory. */
static bool look(struct sn__imitate_part *p, struct sn__imitate_view *all) {
    all->q = sn_world_view(p->world, p->member, SN_FIELD_Q);
    all->qd = sn_world_view(p->world, p->member, SN_FIELD_QD);
    all->pose = sn_world_view(p->world, p->member, SN_FIELD_BODY_POSE);
    all->velocity = sn_world_view(p->world, p->member, SN_FIELD_BODY_VELOCITY);
    return all->q && all->qd && all->pose && all->velocity;
}

static struct sn__imitate_view view_of(const struct sn__imitate *im, const struct sn__imitate_part *p,
                                       const struct sn__imitate_view *all, int copy) {
    const float *q = all->q + copy * im->nq;
    return (struct sn__imitate_view){.q = q,
                                     .qd = all->qd + copy * im->nv,
                                     .pose = all->pose + copy * 7 * im->nbody,
                                     .velocity = all->velocity + copy * 6 * im->nbody,
                                     .ground =
                                         (float)sn__terrain_height(&im->terrain, (double)q[0], (double)q[1]),
                                     .command = im->def.command > 0 ? &p->command[copy] : NULL};
}

/* A random phase of the motion, and the reference's own state there, raised out of the ground where its feet are in it: a
   clip's run may begin 6 cm deep, and what pushes it out would throw it over. */
static sn_status draw_start(struct sn__imitate *im, struct sn__imitate_part *p, int copy) {
    const struct sn__reference *r = &im->reference;
    struct sn__episode *e = &p->episode[copy];
    struct sn__random random = sn__random_at(e->seed, SN__STREAM_RESET, e->item, e->count);
    const size_t row = sn__random_below(&random, (uint32_t)r->rows);
    const int parts = r->loop || r->rows < 2 ? r->rows : r->rows - 1;
    e->time = r->duration * (double)row / parts;
    e->offset[0] = e->offset[1] = 0;
    e->steps = 0;
    e->limit = im->limit;
    memcpy(p->state_q + copy * im->nq, r->q + row * (size_t)im->nq, (size_t)im->nq * sizeof(float));
    p->state_q[copy * im->nq + 2] += r->lift[row];
    memcpy(p->state_qd + copy * im->nv, r->qd + row * (size_t)im->nv, (size_t)im->nv * sizeof(float));
    if (im->def.command > 0) sn__command_begin(im, e, &p->command[copy]);
    if (im->def.command > 0 && im->def.locomotion) p->state_qd[copy * im->nv] = (float)p->command[copy].speed;
    const sn_status status = im->terrain.height ? sn__terrain_place(im, p, copy, row) : SN_OK;
    e->count++;
    return status;
}

/* All that the worlds must know of episodes that begin. */
static sn_status put_start(struct sn__imitate *im, struct sn__imitate_part *p, const uint8_t *which) {
    sn_status status = sn_world_put(p->world, p->member, SN_FIELD_Q, which, p->state_q);
    if (!status) status = sn_world_put(p->world, p->member, SN_FIELD_QD, which, p->state_qd);
    if (!status) status = sn__imitate_vary(im, p, which);
    if (!status && im->ball) status = sn__ball_park(im, p, which);
    return status ? status : sn_world_reset(p->world, -1, which, NULL, NULL);
}

static sn_status begin(void *user, int part, const uint8_t *which, const uint64_t *seed, float *observation,
                       sn_error *error) {
    struct sn__imitate *im = user;
    struct sn__imitate_part *p = &im->part[part];
    struct sn__imitate_view all;
    sn_status status = SN_OK;
    for (int i = 0; i < im->def.copies && !status; i++) {
        if (!which[i]) continue;
        if (seed) p->episode[i] = (struct sn__episode){.seed = seed[i]};
        status = draw_start(im, p, i);
    }
    if (!status) status = put_start(im, p, which);
    if (status == SN_ERROR_MEMORY) return sn__fail(error, status, "out of memory");
    if (status)
        return sn__fail(error, status, "an episode cannot begin: the motion has a pose that cannot be");
    if (!look(p, &all)) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < im->def.copies; i++) {
        const struct sn__imitate_view view = view_of(im, p, &all, i);
        if (which[i]) sn__imitate_observe(im, &p->episode[i], &view, observation + i * im->observations);
    }
    return SN_OK;
}

/* The clock goes on; where a round begins, the reference comes to where the character is. */
static void advance(const struct sn__imitate *im, struct sn__episode *e,
                    const struct sn__imitate_view *view) {
    const struct sn__reference *r = &im->reference;
    e->steps++;
    e->time += 1.0 / im->def.rate;
    if (!r->loop || e->time < r->duration) return;
    struct sn__wanted now;
    e->time = fmod(e->time, r->duration);
    e->offset[0] = e->offset[1] = 0;
    sn__wanted_of(im, e, view, &now);
    for (int k = 0; k < 2; k++)
        e->offset[k] = (double)view->q[k] - now.place[k];
}

/* A motion that does not loop ends with its clip. */
int sn__episode_most(const struct sn__imitate *im, const struct sn__episode *e) {
    const double left = ceil((im->reference.duration - e->time) * im->def.rate - 1e-9);
    const int ahead = im->reference.loop ? e->limit : e->steps + (left > 1 ? (int)fmin(left, 1e9) : 1);
    return ahead < e->limit ? ahead : e->limit;
}

static bool out_of_time(const struct sn__imitate *im, const struct sn__episode *e, const float *q) {
    return sn__terrain_left(im, q) || e->steps >= e->limit ||
           (!im->reference.loop && e->time >= im->reference.duration - 1e-9);
}

static sn_status step(void *user, int part, const float *action, float *observation, float *reward,
                      bool *terminated, bool *truncated, sn_error *error) {
    struct sn__imitate *im = user;
    struct sn__imitate_part *p = &im->part[part];
    struct sn__imitate_view all;
    for (int i = 0; i < im->def.copies; i++)
        sn__imitate_target(im, &p->episode[i], action + i * im->actions, p->target + i * im->nq);
    sn_status status = sn_world_put(p->world, p->member, SN_FIELD_TARGET_Q, NULL, p->target);
    if (status) return sn__fail(error, status, "an action is not finite, or too large to be a pose");
    if (im->def.push > 0 && (status = sn__imitate_push(im, p, error))) return status;
    if (im->ball && (status = sn__ball_throw(im, p, error))) return status;
    if ((status = sn__imitate_run(im, p, error))) return status;
    if (!look(p, &all)) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < im->def.copies; i++) {
        const struct sn__imitate_view view = view_of(im, p, &all, i);
        struct sn__episode *e = &p->episode[i];
        advance(im, e, &view);
        if (view.command) sn__command_advance(im, e, &p->command[i]);
        reward[i] = p->fallen[i] ? 0 : (float)sn__imitate_reward_of(im, e, &view).sum;
        terminated[i] = p->fallen[i];
        truncated[i] = !p->fallen[i] && out_of_time(im, e, view.q);
        sn__imitate_observe(im, e, &view, observation + i * im->observations);
    }
    return SN_OK;
}

struct sn__imitate_reward sn__imitate_judge(struct sn__imitate *im, int part, int copy) {
    struct sn__imitate_part *p = &im->part[part];
    struct sn__imitate_view all;
    if (!look(p, &all)) return (struct sn__imitate_reward){0};
    const struct sn__imitate_view view = view_of(im, p, &all, copy);
    return sn__imitate_reward_of(im, &p->episode[copy], &view);
}

/* ------------------------------------------------------------------------------------------------ checkpoints */

/* Episodes, then commands where there are any, then the world. */
static size_t episodes_size(const struct sn__imitate *im) {
    return ((size_t)im->def.copies * sizeof(struct sn__episode) + 63) / 64 * 64;
}

static size_t commands_size(const struct sn__imitate *im) {
    const size_t size = (size_t)im->def.copies * sizeof(struct sn__command);
    return im->def.command > 0 ? (size + 63) / 64 * 64 : 0;
}

static size_t state_size(void *user, int part) {
    struct sn__imitate *im = user;
    const size_t world = sn_world_snapshot_size(im->part[part].world);
    return world ? episodes_size(im) + commands_size(im) + world : 0;
}

static sn_status save(void *user, int part, void *state, size_t size) {
    struct sn__imitate *im = user;
    const struct sn__imitate_part *p = &im->part[part];
    const size_t copies = (size_t)im->def.copies, head = episodes_size(im), more = commands_size(im);
    memcpy(state, p->episode, copies * sizeof *p->episode);
    if (more) memcpy((char *)state + head, p->command, copies * sizeof *p->command);
    return sn_world_snapshot(p->world, (char *)state + head + more, size - head - more);
}

static sn_status restore(void *user, int part, const void *state, size_t size, sn_error *error) {
    struct sn__imitate *im = user;
    struct sn__imitate_part *p = &im->part[part];
    const size_t copies = (size_t)im->def.copies, head = episodes_size(im), more = commands_size(im);
    if (size < head + more) return sn__fail(error, SN_ERROR_FORMAT, "the environment's state is cut off");
    const sn_status status =
        sn_world_restore(p->world, (const char *)state + head + more, size - head - more, error);
    if (status) return status;
    memcpy(p->episode, state, copies * sizeof *p->episode);
    if (more) memcpy(p->command, (const char *)state + head, copies * sizeof *p->command);
    return SN_OK;
}

struct sn__task sn__imitate_task(struct sn__imitate *im) {
    return (struct sn__task){.user = im,
                             .parts = im->def.parts,
                             .copies = im->def.copies,
                             .observations = im->observations,
                             .actions = im->actions,
                             .identity = sn__imitate_task_hash(im),
                             .begin = begin,
                             .step = step,
                             .state_size = state_size,
                             .save = save,
                             .restore = restore};
}
