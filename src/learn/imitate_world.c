/* The worlds of an imitation: one per part, with the character, the ground and, where one is thrown, a ball. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "learn/imitate.h"

/* ----------------------------------------------------------------------------------------------------- worlds */

/* Only then the field TOUCHING could mean something other than ground. */
static bool touched_by_others(const struct sn__imitate *im) {
    return im->ball || im->def.self_contact;
}

static sn_status lift_limits(const struct sn__imitate *im, sn_part *part) {
    const size_t count = (size_t)part->copies * (size_t)im->nv;
    float *none = sn__alloc(count, sizeof *none);
    for (size_t i = 0; none && i < count; i++)
        none[i] = HUGE_VALF;
    const sn_status status =
        none ? sn_world_put(part->world, SN__CHARACTER, SN_FIELD_TORQUE_LIMIT, NULL, none) : SN_ERROR_MEMORY;
    sn__free(none);
    return status;
}

static sn_status add_ground(const struct sn__imitate *im, sn_world *world, sn_error *error) {
    sn_shape_def ground = sn_shape_def_default(SN_SHAPE_BOX);
    ground.friction = im->def.friction;
    if (im->terrain.height) return sn__terrain_add(im, world, &ground, error);
    const double point[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    return sn_world_add_plane(world, point, up, &ground, error) < 0 ? SN_ERROR_MEMORY : SN_OK;
}

/* The character is member 0, the ball member 1. */
static sn_status fill_world(const struct sn__imitate *im, sn_part *part, sn_error *error) {
    if (sn_world_add(part->world, im->def.model, error) < 0) return error ? error->status : SN_ERROR_MODEL;
    if (!(im->def.drag_across > 0) && add_ground(im, part->world, error)) return SN_ERROR_MEMORY;
    if (im->ball && sn_world_add(part->world, im->ball, error) < 0) return SN_ERROR_MEMORY;
    if (!im->def.torque_limits && lift_limits(im, part))
        return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    const sn_status status = sn_world_set_gains(part->world, SN__CHARACTER, im->gains, im->gains + im->nv);
    return status ? sn__fail(error, status, "the gains cannot be set") : SN_OK;
}

static sn_world *make_world(const struct sn__imitate *im, int copies, sn_error *error) {
    sn_world_def def = sn_world_def_default();
    def.setting = SN_SETTING_CROWD;
    def.copies = copies;
    def.precision = SN_PRECISION_FLOAT;
    def.dt = 1.0 / (im->def.rate * im->def.substeps);
    def.study = im->def.study;
    def.self_contact = im->def.self_contact;
    def.report_contacts = touched_by_others(im);
    if (im->def.drag_across > 0) {
        def.contact = SN_CONTACT_NONE;
        memset(def.gravity, 0, sizeof def.gravity);
    }
    return sn_world_create(&def, error);
}

static struct sn__imitate_room *make_room(const struct sn__imitate *im, size_t copies) {
    const size_t bodies = copies * (size_t)im->nbody;
    const bool swims = im->def.drag_across > 0;
    struct sn__imitate_room *room = sn__alloc(1, sizeof *room);
    if (!room) return NULL;
    room->target = sn__alloc(copies * (size_t)im->nq, sizeof(float));
    room->state_q = sn__alloc(copies * (size_t)im->nq, sizeof(float));
    room->state_qd = sn__alloc(copies * (size_t)im->nv, sizeof(float));
    room->fallen = sn__alloc(copies, sizeof *room->fallen);
    room->push = sn__alloc(im->def.push > 0 || swims ? bodies * 6 : 1, sizeof(float));
    room->swim = sn__alloc(swims ? bodies * 19 : 1, sizeof *room->swim); /* pose 7, velocity 6, push 6 */
    room->which = sn__alloc(copies, sizeof *room->which);
    room->limit = sn__alloc((size_t)im->nv, sizeof(float));
    room->values = sn__alloc(copies * (size_t)(im->nv > 16 ? im->nv : 16), sizeof(float));
    return room;
}

static bool is_whole(const struct sn__imitate_room *room) {
    return room && room->target && room->state_q && room->state_qd && room->fallen && room->push &&
           room->swim && room->which && room->values && room->limit;
}

static sn_status find_limits(const struct sn__imitate *im, sn_part *part, sn_error *error) {
    const struct sn__imitate_room *room = part->own;
    const float *limit = sn_world_view(part->world, SN__CHARACTER, SN_FIELD_TORQUE_LIMIT);
    bool some = false;
    for (int i = 0; i < im->nv && limit; i++) {
        room->limit[i] = limit[i];
        some = some || isfinite(limit[i]);
    }
    return some ? SN_OK
                : sn__fail(error, SN_ERROR_ARGUMENT,
                           "strength_range changes torque limits, but the model has none, or they are off");
}

sn_status sn__imitate_open(void *user, sn_part *part, sn_error *error) {
    const struct sn__imitate *im = user;
    part->world = make_world(im, part->copies, error);
    if (!part->world) return SN_ERROR_MEMORY;
    part->own = make_room(im, (size_t)part->copies);
    if (!is_whole(part->own))
        return sn__fail(error, SN_ERROR_MEMORY, "no memory for %d copies", part->copies);
    const sn_status status = fill_world(im, part, error);
    return status || !(im->def.strength_range > 0) ? status : find_limits(im, part, error);
}

void sn__imitate_close(void *user, sn_part *part) {
    struct sn__imitate_room *room = part->own;
    (void)user;
    if (!room) return;
    sn__free_all(room->target, room->state_q, room->state_qd, room->fallen, room->push, room->swim,
                 room->which, room->values, room->limit, room);
    part->own = NULL;
}

/* ---------------------------------------------------------------------------------------------------- stepped */

/* Whether the ground, rather than a ball or another body, pushed a body that is not a foot. */
static sn_status ask_ground(const struct sn__imitate *im, const sn_part *part, int copy, bool *fallen) {
    int count;
    const sn_contact *c = sn_world_contacts(part->world, copy, &count);
    if (!c) return SN_ERROR_MEMORY;
    for (int i = 0; i < count; i++) {
        const int own = c[i].member[0] == SN__CHARACTER ? 0 : 1, other = 1 - own;
        if (c[i].member[own] != SN__CHARACTER || c[i].member[other] >= 0) continue;
        if (c[i].phase != SN_CONTACT_PHASE_BEGAN && c[i].phase != SN_CONTACT_PHASE_STAYED) continue;
        if (!im->body[c[i].body[own]].foot) *fallen = true;
    }
    return SN_OK;
}

static sn_status look_for_falls(const struct sn__imitate *im, sn_part *part) {
    const struct sn__imitate_room *room = part->own;
    const float *touching = sn_world_view(part->world, SN__CHARACTER, SN_FIELD_TOUCHING);
    sn_status status = touching ? SN_OK : SN_ERROR_MEMORY;
    for (int i = 0; i < part->copies && !status; i++) {
        bool touched = false;
        for (int b = 0; b < im->nbody; b++)
            if (touching[i * im->nbody + b] > 0 && !im->body[b].foot) touched = true;
        if (!touched || room->fallen[i]) continue;
        if (touched_by_others(im))
            status = ask_ground(im, part, i, &room->fallen[i]);
        else
            room->fallen[i] = true;
    }
    return status;
}

/* The substeps of a control step. A copy falls when the ground touches a body other than a foot in any of them, or when it
   diverges. */
sn_status sn__imitate_run(const struct sn__imitate *im, sn_part *part, sn_error *error) {
    const struct sn__imitate_room *room = part->own;
    memset(room->fallen, 0, (size_t)part->copies * sizeof *room->fallen);
    for (int s = 0; s < im->def.substeps; s++) {
        sn_status status = sn__imitate_aim(im, part, s, error);
        if (!status && im->def.drag_across > 0) status = sn__swim(im, part, error);
        if (status) return status;
        status = sn_world_step(part->world);
        if (status && status != SN_ERROR_NOT_FINITE) return sn__fail(error, status, "a step failed");
        if (look_for_falls(im, part)) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    }
    const float *diverged = sn_world_view(part->world, SN__CHARACTER, SN_FIELD_DIVERGED);
    if (!diverged) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < part->copies; i++)
        if (diverged[i] > 0) room->fallen[i] = true;
    return SN_OK;
}
