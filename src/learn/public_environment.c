/* Environments as sinew/learn.h has them: an imitation in parts of some copies, and a vector over it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "learn/public.h"
#include "model/hash.h"
#include "model/joint.h"

enum { PART = 16, MOST_COPIES = 1 << 20 }; /* copies of a part, at most: a world's widest vector */

sn_environment_def sn_environment_def_default(const sn_model *model, const sn_motion *motion) {
    return (sn_environment_def){.model = model,
                                .motion = motion,
                                .speed = 1,
                                .copies = 256,
                                .threads = 1,
                                .rate = 30,
                                .substeps = 8,
                                .torque_limits = true,
                                .limit = 20,
                                .friction = .9};
}

/* ----------------------------------------------------------------------------------------------------- locomotion */

/* The pose to stand in, on the ground. */
static sn_status stand(const sn_model *model, double *q, sn_error *error) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = sn_world_create(&def, error);
    sn_status status = world ? SN_OK : SN_ERROR_MEMORY;
    sn_model_home_pose(model, q);
    if (!status && sn_world_add(world, model, error) < 0) status = SN_ERROR_MEMORY;
    if (!status && sn_world_add_plane(world, (double[]){0, 0, 0}, (double[]){0, 0, 1}, NULL, error) < 0)
        status = SN_ERROR_MEMORY;
    if (!status && (status = sn_world_stand(world, 0, q)))
        sn__fail(error, status, "the model cannot be put on the ground: has it shapes?");
    sn_world_free(world);
    return status;
}

/* What stands in for a motion: the pose it stands in, or that it has by itself where it swims, moved along x, in rounds of a second. */
static sn_motion *make_walk(const sn_environment_def *def, sn_error *error) {
    const sn_model *model = def->model;
    const bool swims = def->drag_across > 0;
    const size_t nq = (size_t)sn_model_nq(model);
    const double time[2] = {0, 1};
    double *q = sn__alloc(2 * nq, sizeof *q);
    sn_motion *walk = NULL;
    if (!q) sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    if (q && swims) sn_model_home_pose(model, q);
    if (q && (swims || !stand(model, q, error))) {
        memcpy(q + nq, q, nq * sizeof *q);
        q[nq] += def->speed;
        walk = sn_motion_from_poses(model, 2, time, q, true, error);
    }
    sn__free(q);
    return walk;
}

/* ----------------------------------------------------------------------------------------------------------- made */

/* Numbers that may be 0, off, and are not beyond what can be. */
static sn_status check_extras(const sn_environment_def *def, sn_error *error) {
    const struct {
        const char *name;
        double value, most;
    } number[] = {
        {"ball", def->ball, 1e4},
        {"ball_speed", def->ball_speed, 100},
        {"mass_range", def->mass_range, .95},
        {"friction_range", def->friction_range, 1},
        {"gain_range", def->gain_range, .95},
        {"command", def->command, 1e6},
        {"command_turn", def->command_turn, 3.15},
        {"terrain_height", def->terrain_height, 5},
        {"drag_across", def->drag_across, .5 * def->rate * def->substeps}, /* stable: below one per step */
        {"drag_along", def->drag_along, def->drag_across}};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        if (!(number[i].value >= 0 && number[i].value <= number[i].most))
            return sn__fail(error, SN_ERROR_ARGUMENT, "%s %g: from 0 to %g is possible", number[i].name,
                            number[i].value, number[i].most);
    const double *speed = def->command_speed;
    if (!(fabs(speed[0]) <= 100 && fabs(speed[1]) <= 100 && speed[0] <= speed[1]))
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "command_speed from %g to %g: the first must not be above the second, and both "
                        "within 100 m/s",
                        speed[0], speed[1]);
    if ((unsigned)def->terrain > SN_TERRAIN_MIXED)
        return sn__fail(error, SN_ERROR_ARGUMENT, "terrain %d is not known", (int)def->terrain);
    return SN_OK;
}

/* What does not go together. */
static sn_status check_together(const sn_environment_def *def, sn_error *error) {
    const bool speeds = def->command_speed[0] != 0 || def->command_speed[1] != 0;
    const char *why = NULL;
    if (!(def->ball > 0) && def->ball_speed > 0) why = "ball_speed is for a ball: ball says how heavy it is";
    if (!(def->command > 0) && (def->command_turn > 0 || speeds))
        why = "command_turn and command_speed are for commands: command says how often there are any";
    if (def->command > 0 && def->motion && speeds)
        why = "command_speed is for locomotion: a motion has a speed of its own, only its heading can be "
              "commanded";
    if (!def->terrain && (def->terrain_height > 0 || def->terrain_seed))
        why = "terrain_height and terrain_seed are for terrain that is not flat";
    if (def->drag_across > 0 && (def->motion || def->ball > 0 || def->terrain || def->push > 0))
        why = "drag is for a character that swims by itself: without a motion, a ball, terrain and pushes";
    if (sn_model_nshape(def->model) == 0 && (def->ball > 0 || def->terrain || def->self_contact))
        why =
            "the model has no shapes: no ball can meet it, no terrain carries it, and it cannot touch itself";
    return why ? sn__fail(error, SN_ERROR_ARGUMENT, "%s", why) : SN_OK;
}

static sn_status check(const sn_environment_def *def, sn_error *error) {
    if (!def || !def->model) return sn__fail(error, SN_ERROR_ARGUMENT, "there is no model");
    if (sn_model_nbody(def->model) < 1 || !sn__joint_is_free(sn_model_body(def->model, 0)))
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "the model's first body has no free joint: it cannot learn to move by itself");
    if (def->copies < 1 || def->copies > MOST_COPIES)
        return sn__fail(error, SN_ERROR_ARGUMENT, "copies %d: from 1 to %d are possible", def->copies,
                        MOST_COPIES);
    if (!def->motion && !(fabs(def->speed) <= 100))
        return sn__fail(error, SN_ERROR_ARGUMENT, "a speed of %g m/s cannot be", def->speed);
    if ((unsigned)def->features > SN_FEATURES_2021 || (unsigned)def->targets > SN_TARGETS_ABSOLUTE ||
        (unsigned)def->autoreset > SN_AUTORESET_OFF)
        return sn__fail(error, SN_ERROR_ARGUMENT, "features %d, targets %d, autoreset %d: one is not known",
                        (int)def->features, (int)def->targets, (int)def->autoreset);
    const sn_status status = check_extras(def, error);
    return status ? status : check_together(def, error);
}

/* So many copies that all parts are alike, PART at most. */
static int part_size(int copies) {
    int size = copies < PART ? copies : PART;
    while (copies % size)
        size--;
    return size;
}

/* Where 0 stands for what is usual. */
static double usual_or(double value, double usual) {
    return value != 0 ? value : usual;
}

static void fill_extras(const sn_environment_def *def, struct sn__imitate_def *d) {
    const double *speed = def->command_speed;
    const bool same = speed[0] == 0 && speed[1] == 0;
    d->ball = def->ball;
    d->mass_range = def->mass_range;
    d->friction_range = def->friction_range;
    d->gain_range = def->gain_range;
    d->command = def->command;
    d->terrain = def->terrain;
    d->terrain_seed = def->terrain_seed;
    if (def->ball > 0) d->ball_speed = usual_or(def->ball_speed, 5);
    if (def->terrain) d->terrain_height = usual_or(def->terrain_height, .1);
    if (!(def->command > 0)) return;
    d->command_turn = usual_or(def->command_turn, 1);
    for (int k = 0; k < 2 && d->locomotion; k++)
        d->command_speed[k] = same ? def->speed : speed[k];
    if (d->locomotion) d->observe_root = false; /* there is no place to be, only a way to go */
}

static struct sn__imitate_def private_def(const sn_environment_def *def, const sn_motion *motion) {
    const int copies = part_size(def->copies);
    const double usual = def->targets == SN_TARGETS_RESIDUAL ? .4 : 1;
    struct sn__imitate_def d = {.model = def->model,
                                .motion = motion,
                                .seed = def->seed,
                                .parts = def->copies / copies,
                                .copies = copies,
                                .rate = def->rate,
                                .substeps = def->substeps,
                                .features = def->features,
                                .targets = def->targets,
                                .action_scale = usual_or(def->action_scale, usual),
                                .observe_root = !def->hide_root,
                                .setting = SN_SETTING_CROWD,
                                .study = def->study,
                                .torque_limits = def->torque_limits,
                                .self_contact = def->self_contact,
                                .limit = def->limit,
                                .friction = def->friction,
                                .drag = {def->drag_along, def->drag_across},
                                .push = def->push,
                                .locomotion = !def->motion,
                                .kp = def->kp,
                                .kd = def->kd,
                                .weight = def->weight,
                                .foot = def->foot,
                                .effector = def->effector};
    fill_extras(def, &d);
    return d;
}

static void fill_info(sn_environment *env, const sn_environment_def *def) {
    const struct sn__imitate *im = env->imitate;
    env->info = (sn_environment_info){.copies = def->copies,
                                      .observations = im->observations,
                                      .actions = im->actions,
                                      .rate = im->def.rate,
                                      .model = sn__model_hash(def->model),
                                      .features = sn__imitate_features_hash(im),
                                      .task = sn__imitate_task_hash(im)};
    snprintf(env->model, sizeof env->model, "%.40s, %d bodies", sn_model_body(def->model, 0)->name,
             im->nbody);
    char said[128];
    snprintf(said, sizeof said, "%s, %s, scale %g, %d per s%s%s%s",
             im->def.features == SN_FEATURES_2018 ? "2018" : "2021",
             im->def.targets == SN_TARGETS_RESIDUAL ? "residual" : "absolute", im->def.action_scale,
             im->def.rate, im->def.observe_root ? "" : ", root hidden",
             im->def.command > 0 ? ", commands" : "", im->def.terrain ? ", terrain" : "");
    snprintf(env->features, sizeof env->features, "%.*s", (int)sizeof env->features - 1, said);
}

sn_environment *sn_environment_create(const sn_environment_def *def, sn_error *error) {
    if (check(def, error)) return NULL;
    sn_environment *env = sn__alloc(1, sizeof *env);
    if (!env) {
        sn__fail(error, SN_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    if (!def->motion) env->walk = make_walk(def, error);
    if (def->motion || env->walk) {
        const struct sn__imitate_def imitate = private_def(def, def->motion ? def->motion : env->walk);
        env->imitate = sn__imitate_create(&imitate, error);
    }
    if (env->imitate) {
        const struct sn__task task = sn__imitate_task(env->imitate);
        env->vector = sn__vector_create(&task, def->autoreset, def->threads, error);
    }
    if (env->vector) {
        fill_info(env, def);
        sn__succeed(error);
        return env;
    }
    sn_environment_free(env);
    return NULL;
}

void sn_environment_free(sn_environment *env) {
    if (!env) return;
    sn__vector_free(env->vector);
    sn__imitate_free(env->imitate);
    sn_motion_free(env->walk);
    sn__free(env);
}

/* ----------------------------------------------------------------------------------------------------------- used */

void sn_environment_get_info(const sn_environment *env, sn_environment_info *info) {
    *info = env->info;
}

sn_status sn_environment_reset(sn_environment *env, const uint8_t *which, const uint64_t *seed,
                               float *observation, sn_error *error) {
    if (!env || !observation)
        return sn__fail(error, SN_ERROR_ARGUMENT, "a reset needs room for observations");
    return sn__vector_reset(env->vector, which, seed, observation, error);
}

sn_status sn_environment_step(sn_environment *env, const float *action, const sn_environment_out *out,
                              sn_error *error) {
    if (!env || !action || !out || !out->observation || !out->reward || !out->terminated || !out->truncated)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "a step needs actions, and room for observations, rewards, terminated and truncated");
    return sn__vector_step(env->vector, action, out, error);
}

sn_world *sn_environment_world(sn_environment *env, int copy, int *number) {
    const struct sn__imitate *im = env->imitate;
    if (copy < 0 || copy >= env->info.copies) return NULL;
    if (number) *number = copy % im->def.copies;
    return im->part[copy / im->def.copies].world;
}

bool sn_environment_reference(const sn_environment *env, int copy, double *q) {
    const struct sn__imitate *im = env->imitate;
    if (copy < 0 || copy >= env->info.copies || im->def.locomotion) return false;
    const struct sn__imitate_part *p = &im->part[copy / im->def.copies];
    const int at = copy % im->def.copies;
    struct sn__imitate_view view = {.command = im->def.command > 0 ? &p->command[at] : NULL};
    struct sn__wanted w;
    sn__wanted_of(im, &p->episode[at], &view, &w);
    for (int i = 0; i < im->nq; i++)
        q[i] = i < 2 ? w.place[i] : (double)(i < 7 ? w.root : w.q)[i];
    q[2] += sn__terrain_height(&im->terrain, q[0], q[1]);
    return true;
}
