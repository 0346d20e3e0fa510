/* Imitation and locomotion as a task: made, begun, stepped, judged. */
#include "learn/imitate.h"

#include <math.h>
#include <string.h>

#include "base/definition.h"
#include "base/error.h"
#include "base/memory.h"
#include "learn/random.h"

enum { MOST_EFFECTORS = 64 };

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
    for (int i = body + 1; i < sn_model_get(model)->nbody; i++)
        if (sn_model_body(model, i)->parent == body) return false;
    return true;
}

/* Where in the q of its joint a quaternion starts; -1: it has none. */
static int quaternion_of(const sn_body_info *body) {
    return body->joint.type == SN_JOINT_FREE ? 3 : body->joint.type == SN_JOINT_BALL ? 0 : -1;
}

static void fill_body(struct sn__imitate *im, int i) {
    const sn_imitation_def *def = &im->def;
    const sn_body_info *info = sn_model_body(def->model, i);
    struct sn__imitate_body *b = &im->body[i];
    *b = (struct sn__imitate_body){.quaternion = quaternion_of(info),
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
        2 + im->nbody * (im->def.features == SN_FEATURES_2021 ? 15 : 13) + (im->observe_root ? 4 : 0);
    if (im->def.command > 0) im->observations += 3;
    if (im->def.terrain) im->observations += SN__TERRAIN_AHEAD * SN__TERRAIN_ACROSS;
    if (im->def.look_ahead)
        im->observations += sn__library_observations(im);
    else if (im->motions > 1)
        im->observations += im->motions;
    return SN_OK;
}

/* ------------------------------------------------------------------------------------------------------ made */

/* As given; as the model has them; or chosen, where it has none. A free root has none ever. */
static sn_status fill_gains(struct sn__imitate *im, sn_error *error) {
    const sn_imitation_def *def = &im->def;
    const size_t nv = (size_t)im->nv;
    double *kp = im->gains, *kd = im->gains + nv;
    bool none = true;
    memcpy(kp, sn_model_get(def->model)->kp, nv * sizeof *kp);
    memcpy(kd, sn_model_get(def->model)->kd, nv * sizeof *kd);
    for (size_t i = 6; i < nv; i++)
        none = none && !(kp[i] > 0);
    if (none && !def->kp) {
        const sn_gains_def chosen = {.struct_size = sizeof(sn_gains_def),
                                     .frequency = 6,
                                     .dt = 1.0 / (def->rate * def->substeps),
                                     .precision = SN_PRECISION_FLOAT,
                                     .widen = true};
        const sn_status status = sn_gains_choose(def->model, &chosen, kp, kd, error);
        if (status) return status;
    }
    if (def->kp) memcpy(kp, def->kp, nv * sizeof *kp);
    if (def->kd) memcpy(kd, def->kd, nv * sizeof *kd);
    for (int i = 0; i < 6; i++) {
        if ((def->kp && def->kp[i] != 0) || (def->kd && def->kd[i] != 0))
            return sn__fail(
                error, SN_ERROR_ARGUMENT,
                "the root has gains: they must be 0, because the character has to balance by itself");
        kp[i] = kd[i] = 0;
    }
    return SN_OK;
}

static sn_status make_references(struct sn__imitate *im, sn_error *error) {
    const sn_imitation_def *def = &im->def;
    sn_motion *stand = im->locomotion ? sn__imitate_stand(def, error) : NULL;
    if (im->locomotion && !stand) return error ? error->status : SN_ERROR_MEMORY;
    sn_status status = SN_OK;
    for (int i = 0; i < im->motions && !status; i++)
        status = sn__reference_make(&im->reference[i], im,
                                    stand               ? stand
                                    : def->nmotions > 0 ? def->motions[i]
                                                        : def->motion,
                                    error);
    sn_motion_free(stand);
    return status;
}

static sn_status make(struct sn__imitate *im, sn_error *error) {
    const sn_model *model = im->def.model;
    im->nbody = sn_model_get(model)->nbody, im->nq = sn_model_get(model)->nq,
    im->nv = sn_model_get(model)->nv;
    im->body = sn__alloc((size_t)im->nbody, sizeof *im->body);
    im->gains = sn__alloc(2 * (size_t)im->nv, sizeof *im->gains);
    im->reference = sn__alloc((size_t)im->motions, sizeof *im->reference);
    if (!im->body || !im->gains || !im->reference) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    sn_status status = fill_bodies(im, error);
    if (!status) status = fill_gains(im, error);
    if (!status) status = make_references(im, error);
    if (!status) status = sn__terrain_make(im, error);
    if (!status && im->def.stick) status = sn__stick_make(im, error);
    if (!status && im->def.ball > 0 && !(im->ball = sn__ball_make(im->def.ball, error)))
        status = error ? error->status : SN_ERROR_MEMORY;
    if (!status && !sn__imitate_name_all(im)) status = sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    return status;
}

static void free_all(void *user) {
    struct sn__imitate *im = user;
    for (int i = 0; im->reference && i < im->motions; i++)
        sn__reference_free(&im->reference[i]);
    sn_model_free(im->ball);
    sn__free_all(im->reference, im->body, im->gains, im->terrain.height, im->stride, im->twin, im->lying,
                 im->names, im->name, im);
}

/* --------------------------------------------------------------------------------------------------- episodes */

bool sn__imitate_look(const sn_part *part, struct sn__imitate_view *all) {
    all->q = sn_world_view(part->world, SN__CHARACTER, SN_FIELD_Q);
    all->qd = sn_world_view(part->world, SN__CHARACTER, SN_FIELD_QD);
    all->pose = sn_world_view(part->world, SN__CHARACTER, SN_FIELD_BODY_POSE);
    all->velocity = sn_world_view(part->world, SN__CHARACTER, SN_FIELD_BODY_VELOCITY);
    return all->q && all->qd && all->pose && all->velocity;
}

struct sn__imitate_view sn__imitate_view_of(const struct sn__imitate *im, const sn_part *part,
                                            const struct sn__imitate_view *all, int copy) {
    const float *q = all->q + copy * im->nq;
    return (struct sn__imitate_view){
        .q = q,
        .qd = all->qd + copy * im->nv,
        .pose = all->pose + copy * 7 * im->nbody,
        .velocity = all->velocity + copy * 6 * im->nbody,
        .ground = (float)sn__terrain_height(&im->terrain, (double)q[0], (double)q[1]),
        .command = im->def.command > 0 ? &sn__imitate_copy(im, part, copy)->command : NULL};
}

/* An episode of a motion that does not loop ends with it. */
static void shorten(const struct sn__imitate *im, const struct sn__imitate_copy *c, sn_episode *e) {
    const struct sn__reference *r = &im->reference[c->motion];
    const double left = ceil((r->duration - c->time) * im->def.rate - 1e-9);
    if (!r->loop && left < e->limit) e->limit = left > 1 ? (int32_t)left : 1;
}

/* A random phase of the motion, and the reference's own state there, raised out of the ground where its feet are in it: a
   clip's run may begin 6 cm deep, and what pushes it out would throw it over. */
static sn_status draw_start(const struct sn__imitate *im, sn_part *part, int copy) {
    const struct sn__imitate_room *room = part->own;
    sn_episode *e = &part->episode[copy];
    struct sn__imitate_copy *c = sn__imitate_copy(im, part, copy);
    struct sn__random random = sn__random_at(e->seed, SN__STREAM_RESET, e->item, e->count - 1);
    sn__library_draw(im, e, &random, c);
    *c = (struct sn__imitate_copy){.motion = c->motion};
    const struct sn__reference *r = &im->reference[c->motion];
    const size_t row = sn__random_below(&random, (uint32_t)r->rows);
    const int steps = r->loop || r->rows < 2 ? r->rows : r->rows - 1;
    float *q = room->state_q + copy * im->nq, *qd = room->state_qd + copy * im->nv;
    c->time = r->duration * (double)row / steps;
    shorten(im, c, e);
    memcpy(q, r->q + row * (size_t)im->nq, (size_t)im->nq * sizeof *q);
    memcpy(qd, r->qd + row * (size_t)im->nv, (size_t)im->nv * sizeof *qd);
    q[2] += r->lift[row];
    if (im->def.command > 0) sn__command_begin(im, e, &c->command);
    if (im->def.command > 0 && im->locomotion) qd[0] = (float)c->command.speed;
    room->fallen[copy] = false;
    return im->terrain.height ? sn__terrain_place(im, part, copy, row) : SN_OK;
}

sn_status sn__imitate_put_start(const struct sn__imitate *im, sn_part *part, const uint8_t *which) {
    const struct sn__imitate_room *room = part->own;
    sn_status status = sn_world_put(part->world, SN__CHARACTER, SN_FIELD_Q, which, room->state_q);
    if (!status) status = sn_world_put(part->world, SN__CHARACTER, SN_FIELD_QD, which, room->state_qd);
    if (im->def.action_delay > 0 && !status)
        status = sn_world_put(part->world, SN__CHARACTER, SN_FIELD_TARGET_Q, which, room->state_q);
    if (!status) status = sn__imitate_vary(im, part, which);
    if (!status && im->ball) status = sn__ball_park(part, which);
    return status ? status : sn_world_reset(part->world, -1, which, NULL, NULL);
}

static sn_status begin(void *user, sn_part *part, const uint8_t *which, sn_error *error) {
    const struct sn__imitate *im = user;
    sn_status status = SN_OK;
    for (int i = 0; i < part->copies && !status; i++)
        if (which[i]) status = draw_start(im, part, i);
    if (!status) status = sn__imitate_put_start(im, part, which);
    if (status == SN_ERROR_MEMORY) return sn__fail(error, status, "out of memory");
    if (status)
        return sn__fail(error, status, "an episode cannot begin: the motion has a pose that is not possible");
    return SN_OK;
}

/* The clock goes on; where a round begins, the reference comes to where the character is. */
static void advance(const struct sn__imitate *im, struct sn__imitate_copy *c,
                    const struct sn__imitate_view *view) {
    const struct sn__reference *r = &im->reference[c->motion];
    c->time += 1.0 / im->def.rate;
    c->lasted += 1.0 / im->def.rate;
    if (!r->loop || c->time < r->duration) return;
    struct sn__wanted now;
    c->time = fmod(c->time, r->duration);
    c->offset[0] = c->offset[1] = 0;
    sn__wanted_of(im, c, view, &now);
    for (int k = 0; k < 2; k++)
        c->offset[k] = (double)view->q[k] - now.place[k];
}

sn_status sn__imitate_disturb(const struct sn__imitate *im, sn_part *part, sn_error *error) {
    const sn_status status = im->def.push > 0 ? sn__imitate_push(im, part, error) : SN_OK;
    return !status && im->ball ? sn__ball_throw(im, part, error) : status;
}

static sn_status act(void *user, sn_part *part, const float *action, sn_error *error) {
    const struct sn__imitate *im = user;
    const struct sn__imitate_room *room = part->own;
    struct sn__imitate_view all;
    for (int i = 0; i < part->copies; i++)
        sn__imitate_target(im, sn__imitate_copy(im, part, i), action + i * im->actions,
                           room->target + i * im->nq);
    sn_status status = sn__imitate_disturb(im, part, error);
    if (!status) status = sn__imitate_run(im, part, error);
    if (status) return status;
    if (!sn__imitate_look(part, &all)) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < part->copies; i++) {
        const struct sn__imitate_view view = sn__imitate_view_of(im, part, &all, i);
        struct sn__imitate_copy *c = sn__imitate_copy(im, part, i);
        advance(im, c, &view);
        if (view.command) sn__command_advance(im, &part->episode[i], c);
    }
    return SN_OK;
}

static sn_status reward(void *user, sn_part *part, double *term, sn_error *error) {
    const struct sn__imitate *im = user;
    const struct sn__imitate_room *room = part->own;
    const int terms = im->locomotion ? SN__LOCOMOTION_TERMS : SN__TERMS;
    struct sn__imitate_view all;
    if (!sn__imitate_look(part, &all)) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < part->copies; i++) {
        const struct sn__imitate_view view = sn__imitate_view_of(im, part, &all, i);
        if (room->fallen[i])
            memset(term + i * terms, 0, (size_t)terms * sizeof *term);
        else
            sn__imitate_reward(im, sn__imitate_copy(im, part, i), &view, term + i * terms);
    }
    return SN_OK;
}

static sn_status ends(void *user, sn_part *part, bool *terminated, bool *truncated, sn_error *error) {
    const struct sn__imitate *im = user;
    const struct sn__imitate_room *room = part->own;
    const float *q = sn_world_view(part->world, SN__CHARACTER, SN_FIELD_Q);
    if (!q) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < part->copies; i++) {
        terminated[i] = room->fallen[i];
        sn__imitate_copy(im, part, i)->fell = room->fallen[i];
        truncated[i] = sn__terrain_left(im, q + i * im->nq);
    }
    return SN_OK;
}

static sn_status observe(void *user, sn_part *part, const uint8_t *which, float *observation,
                         sn_error *error) {
    const struct sn__imitate *im = user;
    struct sn__imitate_view all;
    if (!sn__imitate_look(part, &all)) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < part->copies; i++) {
        if (!which[i]) continue;
        const struct sn__imitate_view view = sn__imitate_view_of(im, part, &all, i);
        float *row = observation + i * im->observations;
        if (im->stride)
            sn__stick_observe(im, sn__stick_copy(part, i), &view, row);
        else
            sn__imitate_observe(im, sn__imitate_copy(im, part, i), &view, row);
        sn__imitate_blur(im, &part->episode[i], row);
    }
    return SN_OK;
}

static bool reference(void *user, const sn_part *part, int copy, double *q) {
    const struct sn__imitate *im = user;
    const struct sn__imitate_copy *c = sn__imitate_copy(im, part, copy);
    const struct sn__imitate_view view = {.command = im->def.command > 0 ? &c->command : NULL};
    struct sn__wanted w;
    if (im->locomotion) return false;
    sn__wanted_of(im, c, &view, &w);
    for (int i = 0; i < im->nq; i++)
        q[i] = i < 2 ? w.place[i] : (double)(i < 7 ? w.root : w.q)[i];
    q[2] += sn__terrain_height(&im->terrain, q[0], q[1]);
    return true;
}

/* ------------------------------------------------------------------------------------------------------ the table */

static sn_task table_of(struct sn__imitate *im) {
    return (sn_task){.user = im,
                     .name = im->said,
                     .observations = im->observations,
                     .actions = im->actions,
                     .terms = im->locomotion ? SN__LOCOMOTION_TERMS : SN__TERMS,
                     .rate = im->def.rate,
                     .limit = im->def.limit,
                     .state = sn__imitate_state(im),
                     .observation_names = im->name,
                     .action_names = im->name + im->observations,
                     .term_names = im->locomotion ? sn__locomotion_terms : sn__imitate_terms,
                     .model = im->def.model,
                     .meaning = sn__imitate_meaning(im),
                     .identity = sn__imitate_identity(im),
                     .open = sn__imitate_open,
                     .close = sn__imitate_close,
                     .begin = begin,
                     .act = act,
                     .reward = reward,
                     .ends = ends,
                     .observe = observe,
                     .reference = reference,
                     .free = free_all};
}

sn_status sn_imitation_task(sn_task *task, const sn_imitation_def *given, sn_error *error) {
    sn_imitation_def own, *def = &own;
    *task = (sn_task){0};
    if (!sn__definition_take("sn_imitation_def", given, def, error)) return SN_ERROR_ARGUMENT;
    sn_status status = sn__imitate_check(def, error);
    if (status) return status;
    struct sn__imitate *im = sn__alloc(1, sizeof *im);
    if (!im) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    sn__imitate_fill(im, def);
    status = make(im, error);
    if (status) {
        free_all(im);
        return status;
    }
    *task = table_of(im);
    if (im->stride) sn__stick_table(im, task);
    return sn__succeed(error);
}
