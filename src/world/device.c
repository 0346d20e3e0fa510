/* Worlds on devices: what goes there, launches, and what comes back. */
#include "world/device.h"

#include <string.h>

#include "base/memory.h"
#include "device/device.h"
#include "world/fields.h"
#include "world/probes.h"
#include "world/steppers.h"
#include "world/table.h"

struct sn__remote {
    struct sn__device *device;
    struct sn__buffer state, given, heights, row, phase, told;
    uint32_t value[SN__GIVEN_COUNT];
    uint64_t here, there;          /* fields that are newer here, and there; bits */
    uint64_t settled, structure;   /* of the world, when the program was made */
    bool plain, built;             /* of the pack */
    const struct sn__table *table; /* whose rows are there */
};

static const enum sn__array ARRAY[SN__ON_FIELDS] = {
#define X(name, changes) [SN__ON_##name] = SN__##name,
    SN__DEVICE_FIELDS(X)
#undef X
};

static const int CHANGES[SN__ON_FIELDS] = {
#define X(name, changes) [SN__ON_##name] = changes,
    SN__DEVICE_FIELDS(X)
#undef X
};

/* ------------------------------------------------------------------------------------------------- what can be there */

sn_status sn__remote_check(const sn_world_def *d, sn_error *error) {
    const char *what = d->precision != SN_PRECISION_FLOAT ? "worlds in single precision: set precision"
                       : d->stepper != SN_STEPPER_TIME    ? "the time stepper"
                       : d->study                         ? "worlds without a study"
                       : d->report_contacts ? "no reports of contacts: set report_contacts to false"
                       : d->self_contact    ? "no members that touch themselves"
                       : d->torque_limits   ? "no torque limits"
                       : d->contact == SN_CONTACT_ROWS ? "implicit contact, no rows"
                       : d->sleep > 0                  ? "no members that sleep"
                                                       : NULL;
    return what ? sn__fail(error, SN_ERROR_UNSUPPORTED, "a device has %s", what) : SN_OK;
}

/* With torque limits a few copies in a hundred soon get other bits than on the processor. The cause is not known. */
static bool has_torque_limits(const sn_world *w) {
    for (int i = 0; i < w->nmember; i++)
        if (w->member[i] && w->member[i]->model->has_torque_limit) return true;
    return false;
}

sn_status sn__remote_check_scene(const sn_world *w, sn_error *error) {
    const char *what = w->members > 1         ? "one member in each copy"
                       : has_torque_limits(w) ? "no torque limits"
                       : w->used_ties > 0     ? "no constraints"
                       : w->moving > 0        ? "ground that stands still"
                       : w->carriers > 0      ? "no surfaces with a velocity"
                       : w->triggers > 0      ? "no triggers"
                       : w->filter.call       ? "no filters of contacts"
                       : w->bouncy > 0        ? "contact without bounces"
                       : w->unprobed > 0      ? "ground of planes and height fields only"
                                              : NULL;
    return what ? sn__fail(error, SN_ERROR_UNSUPPORTED, "a device has %s", what) : SN_OK;
}

const char *sn__remote_check_motion(const sn_world *w, bool turns) {
    if (!w->remote) return NULL;
    if (!sn__device_has_double(w->remote->device))
        return "The device has no double precision, which the phase of a motion needs.";
    return turns ? "A device follows no motion whose root turns from round to round." : NULL;
}

sn_status sn__remote_make(sn_world *w, const char *name, sn_error *error) {
    if (!name) return SN_OK;
    struct sn__remote *r = sn__alloc(1, sizeof *r);
    if (!r) return sn__fail(error, SN_ERROR_MEMORY, "There is no memory for a device.");
    w->remote = r;
    r->device = sn__device_open(name, error);
    r->here = SN__ON_ALL;
    return r->device ? SN_OK : SN_ERROR_UNSUPPORTED;
}

static void drop_buffers(struct sn__remote *r) {
    struct sn__buffer *const buffer[] = {&r->state, &r->given, &r->heights, &r->row, &r->phase, &r->told};
    for (size_t i = 0; i < sizeof buffer / sizeof *buffer; i++)
        sn__buffer_drop(r->device, buffer[i]);
}

void sn__remote_free(sn_world *w) {
    struct sn__remote *r = w->remote;
    if (!r) return;
    if (r->device) drop_buffers(r);
    sn__device_close(r->device);
    sn__free(r);
    w->remote = NULL;
}

size_t sn__remote_memory(const sn_world *w) {
    return w->remote ? sizeof *w->remote : 0;
}

/* ------------------------------------------------------------------------------------------------------- fields */

/* The only member, or NULL. */
static struct sn__member *member_of(const sn_world *w) {
    for (int i = 0; i < w->nmember; i++)
        if (w->member[i]) return w->member[i];
    return NULL;
}

/* Whether kernels are given a field; as sn__pack_args says. */
static bool is_given(const struct sn__pack *p, enum sn__array array) {
    if (!p->field[array]) return false;
    if (array == SN__TARGET_QD) return p->has_target_qd;
    if (array == SN__FEEDFORWARD) return p->has_feedforward;
    if (array == SN__PUSH) return p->has_push;
    if (array == SN__LIMIT) return p->torque_limits;
    return true;
}

/* Bytes of a field, all blocks of it. */
static size_t bytes_of(const struct sn__pack *p, enum sn__array array) {
    if (p->stride[array]) return p->stride[array] * (size_t)p->blocks;
    return sn__pack_bytes(p, (int)sn__pack_field_size(p, array));
}

uint64_t sn__remote_fields(sn_field field) {
    const struct sn__field_info *info = sn__field(field);
    if (field == SN_FIELD_PHASE) return UINT64_C(1) << SN__ON_PHASE;
    if (field == SN_FIELD_BODY_POSE) return UINT64_C(1) << SN__ON_Q;
    if (field == SN_FIELD_BODY_VELOCITY) return UINT64_C(1) << SN__ON_Q | UINT64_C(1) << SN__ON_QD;
    if (field == SN_FIELD_DIVERGED) return UINT64_C(1) << SN__ON_FROZEN;
    for (int i = 0; i < SN__ON_FIELDS && info && !sn__field_drives(field); i++)
        if (ARRAY[i] == info->array) return UINT64_C(1) << i | UINT64_C(1) << SN__ON_FROZEN;
    return SN__ON_ALL;
}

void sn__remote_touch(sn_world *w, uint64_t fields) {
    if (w->remote) w->remote->here |= fields & ~w->remote->there;
}

/* The device has failed: the world keeps what it has fetched, and is stepped by the processor from now on. */
static bool give_up(sn_world *w) {
    if (*sn__device_message(w->remote->device))
        sn__world_refuse(w, SN_ERROR_UNSUPPORTED, "%.180s The processor steps the world from now on.",
                         sn__device_message(w->remote->device));
    sn__world_warn(w, "%s", w->message);
    sn__remote_free(w);
    return false;
}

static bool fetch(sn_world *w, uint64_t fields) {
    struct sn__remote *r = w->remote;
    struct sn__member *m = r ? member_of(w) : NULL;
    const uint64_t wanted = m ? r->there & fields : 0;
    for (int i = 0; i < SN__ON_FIELDS && wanted; i++) {
        if (!(wanted >> i & 1) || r->value[SN__GIVEN_AT + i] == SN__NOWHERE) continue;
        if (!sn__buffer_take(r->device, &r->state, sizeof(float) * (size_t)r->value[SN__GIVEN_AT + i],
                             m->pack.field[ARRAY[i]], bytes_of(&m->pack, ARRAY[i])))
            return false;
        if (i == SN__ON_TOUCH || i == SN__ON_STOP) sn__probes_enliven(&m->pack);
    }
    if (wanted >> SN__ON_PHASE & 1 &&
        !sn__buffer_take(r->device, &r->phase, 0, m->phase, sizeof *m->phase * (size_t)w->def.copies))
        return false;
    if (wanted) r->there &= ~wanted;
    return true;
}

void sn__remote_fetch(const sn_world *world, uint64_t fields) {
    sn_world *w = (sn_world *)world;                 /* what the user sees of it does not change */
    while (atomic_flag_test_and_set(&w->fetching)) { /* several threads may ask */
    }
    if (!fetch(w, fields)) give_up(w);
    atomic_flag_clear(&w->fetching);
}

/* ------------------------------------------------------------------------------------------------------ sending */

/* Where each field stands in the device's memory. Whether that has changed. */
static bool place_fields(struct sn__remote *r, const struct sn__pack *p, size_t *floats) {
    bool same = true;
    *floats = 0;
    for (int i = 0; i < SN__ON_FIELDS; i++) {
        const bool given = is_given(p, ARRAY[i]);
        const uint32_t at = given ? (uint32_t)*floats : SN__NOWHERE;
        const uint32_t block = given ? (uint32_t)(p->stride[ARRAY[i]] / sizeof(float)) : 0;
        same = same && r->value[SN__GIVEN_AT + i] == at && r->value[SN__GIVEN_BLOCK + i] == block;
        r->value[SN__GIVEN_AT + i] = at, r->value[SN__GIVEN_BLOCK + i] = block;
        if (given) *floats += (bytes_of(p, ARRAY[i]) + 63) / 64 * 16;
    }
    return !same;
}

static bool places_differ(const struct sn__remote *r, const struct sn__pack *p) {
    struct sn__remote other = *r;
    size_t floats;
    return place_fields(&other, p, &floats);
}

static bool send_fields(sn_world *w, struct sn__member *m) {
    struct sn__remote *r = w->remote;
    struct sn__pack *p = &m->pack;
    size_t floats;
    if (places_differ(r, p)) {
        sn__remote_fetch(w, SN__ON_ALL);
        if (!w->remote) return false;
        r->here = SN__ON_ALL;
        place_fields(r, p, &floats);
        if (floats >= SN__NOWHERE)
            return sn__world_refuse(w, SN_ERROR_TOO_LARGE, "There are too many copies for one device."),
                   false;
        if (!sn__buffer_room(r->device, &r->state, floats * sizeof(float))) return false;
    }
    for (int i = 0; i < SN__ON_FIELDS; i++) {
        const uint32_t at = r->value[SN__GIVEN_AT + i];
        if (at == SN__NOWHERE || !(r->here >> i & 1)) continue;
        if (!sn__buffer_put(r->device, &r->state, sizeof(float) * (size_t)at, p->field[ARRAY[i]],
                            bytes_of(p, ARRAY[i])))
            return false;
    }
    const size_t phases = sizeof *m->phase * (size_t)w->def.copies;
    if (r->here >> SN__ON_PHASE & 1 && (!sn__buffer_room(r->device, &r->phase, phases) ||
                                        !sn__buffer_put(r->device, &r->phase, 0, m->phase, phases)))
        return false;
    r->here = 0;
    return true;
}

/* The heights of all terrains, one after the other. */
static bool send_heights(sn_world *w) {
    struct sn__remote *r = w->remote;
    size_t all = 0;
    for (int pass = 0; pass < 2; pass++) {
        size_t at = 0;
        for (int i = 0; i < w->nsurface; i++) {
            const struct sn__terrain *t = &w->terrain[i];
            const size_t bytes = w->surface[i].terrain ? sizeof(float) * (size_t)t->nx * (size_t)t->ny : 0;
            if (pass && !sn__buffer_put(r->device, &r->heights, at, t->height, bytes)) return false;
            at += bytes;
        }
        all = at;
        if (!pass && !sn__buffer_room(r->device, &r->heights, all)) return false;
    }
    return true;
}

static bool send_motion(sn_world *w, struct sn__member *m) {
    struct sn__remote *r = w->remote;
    const struct sn__table *t = m->motion;
    r->value[SN__GIVEN_MOTION] =
        !t ? 0 : SN__FOLLOWS | (t->loop ? SN__LOOPS : 0) | (t->moves_on ? SN__MOVES_ON : 0);
    if (!sn__buffer_room(r->device, &r->row, t ? t->bytes : 0)) return false;
    if (!t || t == r->table) return true;
    r->value[SN__GIVEN_PIECES] = (uint32_t)t->pieces;
    r->value[SN__GIVEN_STRIDE] = (uint32_t)(t->stride / sizeof(float));
    if (!sn__buffer_put(r->device, &r->row, 0, t->row, t->bytes)) return false;
    r->table = t;
    return true;
}

/* One piece of what a launch is given. */
static bool send_given(struct sn__remote *r, int at, const void *from, size_t bytes) {
    return sn__buffer_put(r->device, &r->given, sizeof(uint32_t) * (size_t)at, from, bytes);
}

/* Settings, and zeros where the launch will say how it went. */
static bool send_numbers(sn_world *w, const struct sn__member *m, int steps) {
    struct sn__remote *r = w->remote;
    const struct sn__pack *p = &m->pack;
    const struct sn__table *t = m->motion;
    const size_t nbody = (size_t)m->model->nbody;
    const float number[SN__NUMBER_COUNT] = {(float)p->def.dt, (float)p->def.gravity[0],
                                            (float)p->def.gravity[1], (float)p->def.gravity[2]};
    const int32_t told[SN__TOLD_COUNT] = {[SN__TOLD_FRESH] = INT32_MAX};
    double motion[SN__MOTION_COUNT] = {0};
    if (t) {
        motion[SN__MOTION_DURATION] = t->duration, motion[SN__MOTION_ROUNDS] = t->rounds;
        motion[SN__MOTION_ROWS] = t->rows;
        memcpy(motion + SN__MOTION_ONWARD, t->onward, sizeof t->onward);
    }
    r->value[SN__GIVEN_COPIES] = (uint32_t)w->def.copies;
    r->value[SN__GIVEN_WIDTH] = (uint32_t)p->k->info.width;
    r->value[SN__GIVEN_STEPS] = (uint32_t)steps;
    r->value[SN__GIVEN_PER_AXIS] = p->any_per_axis;
    return sn__buffer_room(r->device, &r->given, sizeof(uint32_t) * SN__GIVEN_MARKS + nbody) &&
           send_given(r, 0, r->value, sizeof r->value) &&
           send_given(r, SN__GIVEN_DOUBLES, motion, sizeof motion) &&
           send_given(r, SN__GIVEN_FLOATS, number, sizeof number) &&
           send_given(r, SN__GIVEN_MARKS, p->per_axis, nbody) &&
           sn__buffer_room(r->device, &r->told, sizeof told) &&
           sn__buffer_put(r->device, &r->told, 0, told, sizeof told);
}

/* The program that suits the world as it is. */
static bool make_program(sn_world *w, const struct sn__member *m) {
    struct sn__remote *r = w->remote;
    const struct sn__pack *p = &m->pack;
    if (r->built && r->settled == w->settled && r->structure == w->structure && r->plain == p->plain)
        return true;
    const size_t work = sn__device_work_bytes(m->model->nbody, m->model->nv, m->model->tree_f32.nslot);
    char *text = sn__device_text(w, m, work);
    if (!text)
        return sn__world_refuse(w, SN_ERROR_MEMORY, "There is no memory for the device's program."), false;
    r->built = sn__device_build(r->device, text);
    sn__free(text);
    r->settled = w->settled, r->structure = w->structure, r->plain = p->plain;
    r->here |= SN__ON_ALL & ~r->there;
    r->table = NULL;
    return r->built && send_heights(w);
}

/* ------------------------------------------------------------------------------------------------------ launches */

/* What the launch says of itself; waits for its end. */
static bool take_told(sn_world *w, const struct sn__member *m) {
    struct sn__remote *r = w->remote;
    int32_t told[SN__TOLD_COUNT];
    if (!sn__buffer_take(r->device, &r->told, 0, told, sizeof told)) return false;
    sn_world_stats *s = &w->stats;
    float residual;
    memcpy(&residual, &told[SN__TOLD_RESIDUAL], sizeof residual);
    if (told[SN__TOLD_SWEEPS] > s->sweeps) s->sweeps = told[SN__TOLD_SWEEPS];
    s->unsettled += told[SN__TOLD_UNSETTLED];
    if ((double)residual > s->sweep_residual) s->sweep_residual = (double)residual;
    s->diverged = told[SN__TOLD_FROZEN];
    if (told[SN__TOLD_FRESH] == INT32_MAX) return true;
    sn__remote_fetch(w, SN__ON_ALL);
    s->bad_copy = told[SN__TOLD_FRESH], s->bad_member = m->number;
    s->bad_dof = sn__world_blame(w, m, s->bad_copy);
    return w->remote != NULL;
}

static bool launch(sn_world *w, struct sn__member *m, int steps) {
    struct sn__remote *r = w->remote;
    if (!make_program(w, m) || !send_fields(w, m) || !send_motion(w, m) || !send_numbers(w, m, steps))
        return false;
    const struct sn__buffer *const argument[] = {&r->state, &r->given, &r->heights,
                                                 &r->row,   &r->phase, &r->told};
    if (!sn__device_run(r->device, argument, sizeof argument / sizeof *argument, w->def.copies)) return false;
    for (int i = 0; i < SN__ON_FIELDS; i++)
        if (CHANGES[i] == 1 || (CHANGES[i] == 2 && m->motion)) r->there |= UINT64_C(1) << i;
    if (m->motion) r->there |= UINT64_C(1) << SN__ON_PHASE;
    return take_told(w, m);
}

bool sn__remote_step(sn_world *w, int steps) {
    struct sn__member *m = member_of(w);
    if (!m || !m->active) return true;
    if (launch(w, m, steps)) return true;
    return w->remote ? give_up(w) : false;
}
