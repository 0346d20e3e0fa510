/* What an imitation is asked for: usual values, checks, hashes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/definition.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "dynamics/study.h"
#include "learn/imitate.h"

static bool has_motion(const sn_imitation_def *def) {
    return def->motion || def->nmotions > 0;
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

/* The pose it stands in, or its home pose if it swims, moved along x in rounds of one second. */
sn_motion *sn__imitate_stand(const sn_imitation_def *def, sn_error *error) {
    const sn_model *model = def->model;
    const bool swims = def->drag_across > 0;
    const size_t nq = (size_t)sn_model_get(model)->nq;
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

/* --------------------------------------------------------------------------------------------------------- checks */

/* Numbers that are off at 0, and that have a largest value. */
/* Ranges that depend on other members. */
static sn_status check_ranges(const sn_imitation_def *def, sn_error *error) {
    const double most = .5 * def->rate * def->substeps; /* stable: below one per step */
    if (!(def->drag_across <= most))
        return sn__fail(error, SN_ERROR_ARGUMENT, "drag_across %g: from 0 to %g is possible",
                        def->drag_across, most);
    if (!(def->drag_along <= def->drag_across))
        return sn__fail(error, SN_ERROR_ARGUMENT, "drag_along %g: from 0 to %g is possible", def->drag_along,
                        def->drag_across);
    const double *speed = def->command_speed;
    if (!(speed[0] <= speed[1]))
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "command_speed from %g to %g: the first must not be above the second", speed[0],
                        speed[1]);
    return SN_OK;
}

/* What does not go together. */
static sn_status check_together(const sn_imitation_def *def, sn_error *error) {
    const bool speeds = def->command_speed[0] != 0 || def->command_speed[1] != 0;
    const char *why = NULL;
    if (!(def->ball > 0) && def->ball_speed > 0) why = "ball_speed is for a ball: ball says how heavy it is";
    if (!(def->command > 0) && (def->command_turn > 0 || speeds))
        why = "command_turn and command_speed are for commands: command says how often there are any";
    if (def->command > 0 && has_motion(def) && speeds)
        why = "command_speed is for locomotion: a motion has a speed of its own, only its heading can be "
              "commanded";
    if (!def->terrain && (def->terrain_height > 0 || def->terrain_seed))
        why = "terrain_height and terrain_seed are for terrain that is not flat";
    if (def->drag_across > 0 && (has_motion(def) || def->ball > 0 || def->terrain || def->push > 0))
        why = "drag is for a character that swims by itself: without a motion, a ball, terrain and pushes";
    if (def->stick && (has_motion(def) || def->command > 0 || def->terrain || def->drag_across > 0))
        why = "a stick steers it on flat ground: leave out motion, commands, terrain and drag";
    if (def->get_up && (!def->stick || def->ball > 0))
        why = "get_up is for a character that a stick steers, without balls";
    if ((def->draw_motions || def->look_ahead) && !has_motion(def))
        why = "draw_motions and look_ahead are for motions";
    if (def->look_ahead && def->command > 0)
        why = "look_ahead is for motions as they are: a command turns them";
    if (def->stick && def->targets != SN_TARGETS_RESIDUAL)
        why = "with a stick, actions turn the pose of the gait: targets must be residual";
    if (sn_model_get(def->model)->nshape == 0 && (def->ball > 0 || def->terrain || def->self_contact))
        why =
            "the model has no shapes: no ball can meet it, no terrain carries it, and it cannot touch itself";
    return why ? sn__fail(error, SN_ERROR_ARGUMENT, "%s", why) : SN_OK;
}

static sn_status check_motions(const sn_imitation_def *def, sn_error *error) {
    if (def->nmotions > 0 && !def->motions)
        return sn__fail(error, SN_ERROR_ARGUMENT, "%d motions: the array of them is missing", def->nmotions);
    if (def->nmotions > 0 && def->motion)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "there is one motion and a list of others: use one of them");
    for (int i = 0; i < def->nmotions; i++)
        if (!def->motions[i]) return sn__fail(error, SN_ERROR_ARGUMENT, "motion %d is missing", i);
    return SN_OK;
}

sn_status sn__imitate_check(const sn_imitation_def *def, sn_error *error) {
    if (!def || !def->model) return sn__fail(error, SN_ERROR_ARGUMENT, "there is no model");
    if (sn_model_get(def->model)->nbody < 1 || sn_model_body(def->model, 0)->joint.type != SN_JOINT_FREE)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "the model's first body has no free joint: it cannot learn to move by itself");
    if (sn__definition_check("sn_imitation_def", def, "", SN_ERROR_ARGUMENT, error)) return SN_ERROR_ARGUMENT;
    sn_status status = check_motions(def, error);
    if (!status) status = check_ranges(def, error);
    return status ? status : check_together(def, error);
}

/* -------------------------------------------------------------------------------------------------- usual values */

static double usual_or(double value, double usual) {
    return value != 0 ? value : usual;
}

static void describe(struct sn__imitate *im) {
    const sn_imitation_def *d = &im->def;
    snprintf(im->said, sizeof im->said, "%s%s, %s, scale %g, %d per s%s%s%s%s",
             d->get_up  ? "get up, "
             : d->stick ? "stick, "
                        : "",
             d->features == SN_FEATURES_2018 ? "2018" : "2021",
             d->targets == SN_TARGETS_RESIDUAL ? "residual" : "absolute", d->action_scale, d->rate,
             im->observe_root ? "" : ", root hidden", d->command > 0 ? ", commands" : "",
             d->terrain ? ", terrain" : "", d->look_ahead ? ", poses to come" : "");
}

void sn__imitate_fill(struct sn__imitate *im, const sn_imitation_def *def) {
    sn_imitation_def *d = &im->def;
    *d = *def;
    im->locomotion = !has_motion(def);
    im->motions = def->nmotions > 0 ? def->nmotions : 1;
    /* Under commands locomotion has no place to be, only a way to go. */
    im->observe_root = !def->hide_root && !(im->locomotion && def->command > 0);
    d->action_scale = usual_or(def->action_scale, def->targets == SN_TARGETS_RESIDUAL ? .4 : 1);
    if (def->ball > 0) d->ball_speed = usual_or(def->ball_speed, 5);
    if (def->terrain) d->terrain_height = usual_or(def->terrain_height, .1);
    if (def->command > 0) {
        const bool same = def->command_speed[0] == 0 && def->command_speed[1] == 0;
        d->command_turn = usual_or(def->command_turn, 1);
        for (int k = 0; k < 2 && im->locomotion && same; k++)
            d->command_speed[k] = def->speed;
    }
    describe(im);
}

/* ------------------------------------------------------------------------------------------------------- hashes */

uint64_t sn__imitate_meaning(const struct sn__imitate *im) {
    const double scale = im->def.action_scale;
    const int what[] = {im->def.features, im->def.targets,  im->observe_root,
                        im->def.rate,     im->observations, im->actions};
    const uint64_t hash = sn__hash(&scale, sizeof scale, sn__hash(what, sizeof what, 0));
    const int more[] = {im->def.command > 0, im->def.terrain != SN_TERRAIN_FLAT};
    if (im->def.stick) return sn__hash("stick 1", 7, hash);
    const uint64_t all = more[0] || more[1] ? sn__hash(more, sizeof more, hash) : hash;
    return im->def.look_ahead ? sn__hash("ahead", 5, all) : all;
}

/* What is beyond the plain task; nothing where all of it is off. */
static uint64_t hash_extras(const sn_imitation_def *d, uint64_t hash) {
    const double number[] = {d->ball,           d->ball_speed,       d->mass_range,
                             d->friction_range, d->gain_range,       d->command,
                             d->command_turn,   d->command_speed[0], d->command_speed[1],
                             d->terrain,        d->terrain_height,   (double)d->terrain_seed};
    bool some = d->terrain != SN_TERRAIN_FLAT;
    for (int i = 0; i < 6; i++)
        some = some || (i != 1 && number[i] > 0);
    return some ? sn__hash(number, sizeof number, hash) : hash;
}

uint64_t sn__imitate_identity(const struct sn__imitate *im) {
    const sn_imitation_def *d = &im->def;
    const struct sn__reference *r = im->reference;
    /* A training with a stick may go on under pushes. */
    const double number[] = {d->limit, d->friction, d->stick ? 0 : d->push, r->duration};
    const int setting = (int)SN_SETTING_CROWD + 16 * sn__study_number(d->study);
    const int flag[] = {d->substeps, setting, d->torque_limits, d->self_contact, im->locomotion, r->loop};
    uint64_t hash = sn__hash(number, sizeof number, sn__imitate_meaning(im));
    hash = hash_extras(d, sn__hash(flag, sizeof flag, hash));
    const double drag[2] = {d->drag_along, d->drag_across};
    if (drag[1] > 0) hash = sn__hash(drag, sizeof drag, hash);
    if (d->stick)
        hash = sn__hash(d->stick_hold, sizeof d->stick_hold,
                        sn__hash(&d->stick_time, sizeof d->stick_time, hash));
    if (d->get_up) hash = sn__hash("get up", 6, hash);
    const double robust[] = {d->strength_range, d->action_delay, d->observation_noise};
    if (robust[0] > 0 || robust[1] > 0 || robust[2] > 0) hash = sn__hash(robust, sizeof robust, hash);
    if (d->draw_motions) hash = sn__hash("drawn", 5, hash);
    hash = sn__hash(im->gains, 2 * (size_t)im->nv * sizeof *im->gains, hash);
    for (int i = 0; i < im->nbody; i++) {
        const float weight[3] = {im->body[i].weight, im->body[i].foot, im->body[i].effector};
        hash = sn__hash(weight, sizeof weight, hash);
    }
    for (int i = 0; i < im->motions; i++)
        hash = sn__hash(r[i].q, (size_t)r[i].rows * (size_t)r[i].nq * sizeof *r[i].q, hash);
    return hash;
}
