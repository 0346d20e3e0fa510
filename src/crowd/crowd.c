/* Many characters of one model: made, stepped, asked. */
#include "crowd/crowd.h"

#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "dynamics/character.h"
#include "world/pack_ground.h"

sn_crowd_def sn_crowd_def_default(void) {
    const sn_world_def world = sn_world_def_default();
    sn_crowd_def d = {.count = 1,
                      .character = sn_character_def_default(),
                      .threads = 1,
                      .substeps = 1,
                      .contact = SN_CONTACT_IMPLICIT,
                      .arena = 1,
                      .friction = SN_FRICTION_CONE,
                      .recovery = world.recovery,
                      .margin = world.margin,
                      .compliance = world.compliance,
                      .sweep_tolerance = world.sweep_tolerance,
                      .sweeps = 4};
    d.character.precision = SN_FLOAT;
    return d;
}

/* ------------------------------------------------------------------------------------------- what they share */

struct sn__place sn__crowd_place(const sn_crowd *c, int character) {
    if (c->arenas) return (struct sn__place){sn__arenas_pack(c->arenas, character), 0};
    return (struct sn__place){(struct sn__pack *)&c->pack, character};
}

void sn__crowd_touch(sn_crowd *c) {
    c->version++;
    c->stale = true;
}

struct sn__pack *sn__crowd_pack(sn_crowd *c, int thread) {
    return thread ? &c->clone[thread - 1] : &c->pack;
}

sn_status sn__crowd_sync(sn_crowd *c) {
    if (c->arenas || !c->stale) return SN_OK;
    sn_status status = SN_OK;
    for (int i = 1; i < c->def.threads && !status; i++)
        status = sn__pack_follow(&c->clone[i - 1], &c->pack);
    if (!status) c->stale = false;
    return status;
}

bool sn__crowd_frozen(const sn_crowd *c, int character) {
    return c->arenas ? sn__arenas_frozen(c->arenas, character)
                     : sn__pack_value(&c->pack, SN__FROZEN, character, 0) != 0;
}

/* ---------------------------------------------------------------------------------------------------- making */

static bool fine(double x) {
    return x >= 0 && x <= 1e300;
}

static sn_status check_def(const sn_crowd_def *d, sn_error *error) {
    if (d->count < 1)
        return sn__fail(error, SN_ERROR_ARGUMENT, "a count of %d characters: at least one is needed",
                        d->count);
    if (d->substeps < 1 || d->arena < 1 || d->sweeps < 1)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "%d substeps, arenas of %d, %d sweeps: at least one of each is needed", d->substeps,
                        d->arena, d->sweeps);
    if ((unsigned)d->contact > SN_CONTACT_NONE || (unsigned)d->friction > SN_FRICTION_NONE)
        return sn__fail(error, SN_ERROR_ARGUMENT, "the definition holds an enumerator that does not exist");
    if (d->friction != SN_FRICTION_CONE && d->friction != SN_FRICTION_NONE)
        return sn__fail(error, SN_ERROR_UNSUPPORTED, "friction in a crowd is a cone, or there is none");
    if (!fine(d->recovery) || !fine(d->margin) || !fine(d->compliance) || !fine(d->sweep_tolerance))
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "a length, time or tolerance of the definition is negative or not finite");
    const bool maba = d->character.solver == SN_SOLVER_MABA && d->character.route == SN_ROUTE_DIRECT;
    if (d->torque_limits && !maba)
        return sn__fail(error, SN_ERROR_UNSUPPORTED,
                        "only the MABA solver on the direct route can keep torque limits");
    if (d->contact != SN_CONTACT_ROWS && (d->arena > 1 || d->self_collision))
        return sn__fail(error, SN_ERROR_UNSUPPORTED,
                        "characters meet each other and themselves only where contact is by rows");
    return SN_OK;
}

static struct sn__touch_def touch_def(const sn_crowd *c) {
    const sn_crowd_def *d = &c->def;
    return (struct sn__touch_def){d->friction != SN_FRICTION_NONE,
                                  d->recovery,
                                  d->margin,
                                  d->compliance,
                                  d->sweep_tolerance,
                                  d->sweeps};
}

/* All characters in one pack, and a clone of it for each further thread. */
static sn_status make_pack(sn_crowd *c, const sn_character_def *def, sn_error *error) {
    c->pack.crowd = true;
    const struct sn__pack_def how = sn__pack_def_of(def);
    sn_status status = sn__pack_init(&c->pack, c->model, &how, c->def.count, true, error);
    if (status) return status;
    c->pack.torque_limits = c->def.torque_limits;
    c->pack.joint_limits = c->def.joint_limits;
    sn__crowd_mark_axes(c);
    const struct sn__touch_def touch = touch_def(c);
    if (c->def.joint_limits) status = sn__pack_set_stops(&c->pack, &touch, error);
    if (status) return status;
    const int more = c->def.threads - 1;
    c->clone = sn__alloc((size_t)more, sizeof *c->clone);
    if (!c->clone) return sn__fail(error, SN_ERROR_MEMORY, "no memory for %d threads", c->def.threads);
    for (int i = 0; i < more; i++)
        if (sn__pack_clone(&c->pack, &c->clone[i]))
            return sn__fail(error, SN_ERROR_MEMORY, "no memory for %d threads", c->def.threads);
    return SN_OK;
}

/* Scratch of each thread, and phases. */
static sn_status make_scratch(sn_crowd *c, sn_error *error) {
    const struct sn__pack *p = sn__crowd_place(c, 0).pack;
    const size_t threads = (size_t)c->def.threads, bodies = 13 * (size_t)c->model->nbody;
    c->largest = bodies + (size_t)c->model->nq + 8; /* nv is no more than nq */
    c->lanes = sn__alloc(threads, sizeof *c->lanes);
    c->row = sn__alloc(threads, c->largest * sizeof *c->row);
    c->phase = sn__alloc((size_t)c->def.count, sizeof *c->phase);
    bool good = c->lanes && c->row && c->phase;
    for (size_t i = 0; i < threads && good; i++)
        good =
            (c->lanes[i] = sn__alloc_aligned(c->largest * c->elem_size * (size_t)p->k->info.width)) != NULL;
    return good ? SN_OK
                : sn__fail(error, SN_ERROR_MEMORY, "no memory for %d characters on %d threads", c->def.count,
                           c->def.threads);
}

static sn_status make(sn_crowd *c, const sn_model *model, const sn_crowd_def *def, sn_error *error) {
    if (!model) return sn__fail(error, SN_ERROR_ARGUMENT, "the model is NULL");
    sn_status status = check_def(def, error);
    if (status) return status;
    c->def = *def;
    c->def.character.lanes = NULL; /* the user's memory */
    c->def.torque_limits |= model->has_torque_limit;
    c->model = model;
    c->elem_size = def->character.precision == SN_DOUBLE ? sizeof(double) : sizeof(float);
    c->version = 1;
    c->pool = sn__pool_create(def->threads, error);
    if (!c->pool) return error->status;
    c->def.threads = sn__pool_threads(c->pool);
    if (def->contact == SN_CONTACT_ROWS && def->character.lanes)
        status = sn__fail(error, SN_ERROR_UNSUPPORTED, "where contact is by rows the lanes cannot be chosen");
    else
        status = def->contact == SN_CONTACT_ROWS ? sn__arenas_create(c, error)
                                                 : make_pack(c, &def->character, error);
    return status ? status : make_scratch(c, error);
}

sn_crowd *sn_crowd_create(const sn_model *model, const sn_crowd_def *def, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    sn_crowd *c = sn__alloc(1, sizeof *c);
    if (!c || !def) {
        sn__fail(error, c ? SN_ERROR_ARGUMENT : SN_ERROR_MEMORY,
                 c ? "the definition is NULL" : "no memory for a crowd");
        sn__free(c);
        return NULL;
    }
    if (!make(c, model, def, error)) return c;
    sn_crowd_free(c);
    return NULL;
}

void sn_crowd_free(sn_crowd *c) {
    if (!c) return;
    sn__pool_free(c->pool);
    for (int i = 0; i < c->def.threads; i++) {
        if (c->clone && i > 0 && c->clone[i - 1].k) sn__pack_release_clone(&c->clone[i - 1]);
        if (c->lanes) sn__free(c->lanes[i]);
    }
    if (c->pack.k) sn__pack_release_ground(&c->pack);
    if (c->pack.k) sn__pack_release(&c->pack);
    sn__arenas_free(c->arenas);
    sn__table_free(c->motion);
    for (int f = 0; f < SN_CROWD_FIELDS; f++)
        sn__free(c->view[f].memory);
    sn__free(c->clone);
    sn__free(c->lanes);
    sn__free(c->row);
    sn__free(c->phase);
    sn__free(c);
}

/* ---------------------------------------------------------------------------------------------------- ground */

/* Clones get their working memory here, not in a step. */
static sn_status put_floor(sn_crowd *c, const struct sn__floor *floor, sn_error *error) {
    const struct sn__touch_def touch = touch_def(c);
    sn__crowd_touch(c);
    if (c->def.contact == SN_CONTACT_NONE) return SN_OK;
    if (c->arenas) return sn__arenas_set_floor(c, floor, error);
    const sn_status status =
        floor->field
            ? sn__pack_set_field(&c->pack, &touch, floor->field, floor->material, error)
            : sn__pack_set_plane(&c->pack, &touch, floor->point, floor->normal, floor->material, error);
    if (status) return status;
    for (int i = 1; i < c->def.threads; i++) { /* other ground, other room */
        sn__free(c->clone[i - 1].ground_work);
        c->clone[i - 1].ground_work = NULL;
    }
    if (!sn__crowd_sync(c)) return SN_OK;
    sn__pack_release_ground(&c->pack); /* rather none than one that some threads cannot step on */
    return sn__fail(error, SN_ERROR_MEMORY, "no memory for ground");
}

sn_status sn_crowd_set_plane(sn_crowd *c, const double point[3], const double normal[3],
                             const sn_shape_def *material, sn_error *error) {
    sn__succeed(error);
    if (!point || !normal) return sn__fail(error, SN_ERROR_ARGUMENT, "a plane needs a point and a normal");
    return put_floor(c, &(struct sn__floor){.point = point, .normal = normal, .material = material}, error);
}

sn_status sn_crowd_set_heightfield(sn_crowd *c, const sn_heightfield_def *field, const sn_shape_def *material,
                                   sn_error *error) {
    sn__succeed(error);
    if (!field) return sn__fail(error, SN_ERROR_ARGUMENT, "the height field is NULL");
    return put_floor(c, &(struct sn__floor){.field = field, .material = material}, error);
}

/* -------------------------------------------------------------------------------------------------- stepping */

/* All substeps of a block while it is in the cache. */
static void step_block(void *user, int thread, int block) {
    sn_crowd *c = user;
    struct sn__pack *p = sn__crowd_pack(c, thread);
    const int width = p->k->info.width, first = block * width;
    const int n = c->def.count - first < width ? c->def.count - first : width;
    for (int i = 0; i < c->def.substeps; i++) {
        if (c->motion) sn__crowd_follow(c, p, block, first, n);
        if (p->ground)
            sn__pack_step_ground(p, block);
        else
            sn__pack_step_block(p, block);
    }
}

sn_status sn_crowd_step(sn_crowd *c) {
    c->version++;
    if (c->arenas) return sn__arenas_step(c);
    if (c->motion && !c->pack.has_target_qd) c->pack.has_target_qd = c->stale = true;
    const sn_status status = sn__crowd_sync(c);
    if (!status) sn__pool_run(c->pool, step_block, c, c->pack.blocks);
    return status;
}

/* A character that has a state starts afresh from it. */
static void restart(sn_crowd *c, int character, const double *zero) {
    const struct sn__place at = sn__crowd_place(c, character);
    const int nv = c->model->nv;
    sn__pack_put(at.pack, SN__QDD, at.index, nv, zero);
    if (at.pack->field[SN__TORQUE]) sn__pack_put(at.pack, SN__TORQUE, at.index, nv, zero);
    if (c->arenas) {
        sn__arenas_restart(c, character);
        return;
    }
    sn__pack_put(at.pack, SN__FROZEN, at.index, 1, zero);
    if (at.pack->ground) sn__pack_forget(at.pack, at.index);
}

sn_status sn_crowd_reset(sn_crowd *c, const uint8_t *which, const double *q, const double *qd) {
    if ((q && sn__crowd_check(c, SN_CROWD_Q, q)) || (qd && sn__crowd_check(c, SN_CROWD_QD, qd)))
        return SN_ERROR_ARGUMENT;
    double *zero = c->row;
    memset(zero, 0, c->largest * sizeof *zero);
    for (int i = 0; i < c->def.count; i++) {
        if (which && !which[i]) continue;
        const struct sn__place at = sn__crowd_place(c, i);
        sn__pack_set_state(at.pack, at.index, q, qd ? qd : q ? zero : NULL);
        restart(c, i, zero);
    }
    sn__crowd_touch(c);
    return SN_OK;
}

/* ---------------------------------------------------------------------------------------------------- asking */

int sn_crowd_count(const sn_crowd *c) {
    return c->def.count;
}

int sn_crowd_threads(const sn_crowd *c) {
    return c->def.threads;
}

const char *sn_crowd_lanes(const sn_crowd *c) {
    return sn__crowd_place(c, 0).pack->k->info.name;
}

size_t sn_crowd_memory(const sn_crowd *c) {
    const size_t threads = (size_t)c->def.threads, count = (size_t)c->def.count;
    const size_t width = (size_t)sn__crowd_place(c, 0).pack->k->info.width;
    size_t bytes =
        sizeof *c + sn__pool_memory(c->pool) + sn__table_memory(c->motion) + count * sizeof *c->phase;
    bytes += threads * (sizeof *c->lanes + c->largest * (c->elem_size * width + sizeof *c->row));
    for (int f = 0; f < SN_CROWD_FIELDS; f++)
        if (c->view[f].memory) bytes += count * (size_t)sn_crowd_size(c, (sn_crowd_field)f) * c->elem_size;
    if (c->arenas) return bytes + sn__arenas_memory(c->arenas);
    bytes += sn__pack_memory(&c->pack, false);
    for (size_t i = 1; i < threads; i++)
        bytes += sizeof *c->clone + sn__pack_memory(&c->clone[i - 1], true);
    return bytes;
}

int sn_crowd_diverged(const sn_crowd *c) {
    int n = 0;
    for (int i = 0; i < c->def.count; i++)
        n += sn__crowd_frozen(c, i);
    return n;
}

/* Character by character, so that it does not depend on the width of the lanes. */
uint64_t sn_crowd_hash(const sn_crowd *c) {
    const enum sn__array arrays[] = {SN__Q, SN__QD};
    const int counts[] = {c->model->nq, c->model->nv};
    uint64_t hash = 0;
    for (int i = 0; i < c->def.count; i++) {
        const struct sn__place at = sn__crowd_place(c, i);
        const size_t width = (size_t)at.pack->k->info.width, lane = (size_t)at.index % width;
        for (int f = 0; f < 2; f++) {
            const char *lanes = sn__pack_at(at.pack, arrays[f], at.index / (int)width);
            for (size_t k = 0; k < (size_t)counts[f]; k++)
                hash = sn__hash(lanes + (k * width + lane) * c->elem_size, c->elem_size, hash);
        }
    }
    return hash;
}
