/* A world: made, freed, asked. */
#include "world/conduct.h"
#include "world/device.h"
#include "world/guide.h"
#include "world/probes.h"
#include "world/setting.h"
#include "world/steppers.h"
#include "world/worker.h"
#include "world/triggers.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/definition.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "collide/mesh.h"
#include "kernels/select.h"

/* What the definition leaves open, as its setting says. */
static void fill_in(sn_world_def *d) {
    const struct sn__setting *s = sn__setting_of(d);
    if (!d->iterations) d->iterations = s->iterations;
    if (!(d->tolerance > 0)) d->tolerance = s->tolerance;
    if (!d->sweeps && !sn__stepper_of(d)->own_sweeps) d->sweeps = s->sweeps;
    if (!(d->sweep_tolerance > 0)) d->sweep_tolerance = s->sweep_tolerance[d->precision];
}

/* -------------------------------------------------------------------------------------------------- making */

/* Steps a world takes, s. */
static const double DT_LEAST = 1e-9, DT_MOST = 1e3;

static sn_status check_def(const sn_world_def *d, sn_error *error) {
    if (sn__definition_check("sn_world_def", d, "", SN_ERROR_ARGUMENT, error)) return SN_ERROR_ARGUMENT;
    if (sn__study_number(d->study) < 0)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "The study of the definition does not exist. Make one by studies.h.");
    const struct sn__stepper *stepper = sn__stepper_of(d);
    if (stepper->check && stepper->check(d, error)) return error->status;
    if (d->device && sn__remote_check(d, error)) return error->status;
    const struct sn__drives_ahead *ahead = sn__study_ahead(d->study);
    if (ahead && !stepper->drives_ahead)
        return sn__fail(error, SN_ERROR_UNSUPPORTED, "the %s stepper has no drives ahead of the step",
                        stepper->name);
    if (ahead && ahead->solver == SN_SOLVER_LAPACK && !sn_built_with("lapack"))
        return sn__fail(error, SN_ERROR_UNSUPPORTED, "this build of the library has no LAPACK");
    if (d->contact == SN_CONTACT_IMPLICIT &&
        (d->friction == SN_FRICTION_PYRAMID || d->friction == SN_FRICTION_ONE_WAY))
        return sn__fail(error, SN_ERROR_UNSUPPORTED,
                        "friction of implicit contact is a cone, or there is none");
    return SN_OK;
}

static sn_status make(sn_world *w, const sn_world_def *def, sn_error *error) {
    w->def = *def;
    w->stepping = sn__stepper_of(def);
    w->def.lanes = NULL; /* the user's memory */
    if (def->study && def->study->polarised)
        w->def.products = SN_PRODUCTS_MIDPOINT; /* as implicit as those */
    fill_in(&w->def);
    if (def->lanes) {
        if (strlen(def->lanes) >= sizeof w->lanes)
            return sn__fail(error, SN_ERROR_UNSUPPORTED, "there are no lanes '%.40s' on this machine",
                            def->lanes);
        memcpy(w->lanes, def->lanes, strlen(def->lanes) + 1);
    }
    if (def->device) snprintf(w->device, sizeof w->device, "%s", def->device), w->def.device = w->device;
    if (sn__remote_make(w, def->device, error)) return error->status;
    w->version = w->structure = w->changed = 1;
    w->stats = (sn_world_stats){.bad_copy = -1, .bad_member = -1, .bad_dof = -1};
    w->pool = def->jobs ? sn__pool_create_on(def->jobs, error) : sn__pool_create(def->threads, error);
    if (def->log) w->log = *def->log;
    w->def.jobs = NULL, w->def.log = NULL; /* the user's memory */
    if (!w->pool) return error->status;
    w->threads = sn__pool_threads(w->pool);
    const struct sn__kernels *k = sn__kernels_find(NULL, SN_PRECISION_DOUBLE, true, error);
    if (!k && w->def.precision == SN_PRECISION_DOUBLE) return error->status;
    w->gauss_seidel = k ? k->pgs : sn__pgs_plain;
    const size_t threads = (size_t)w->threads;
    w->copy = sn__alloc((size_t)def->copies, sizeof *w->copy);
    w->worker = sn__alloc(threads, sizeof *w->worker);
    w->scratch = sn__alloc(threads, sizeof *w->scratch);
    if (!w->copy || !w->worker || !w->scratch)
        return sn__fail(error, SN_ERROR_MEMORY, "no memory for a world");
    for (int t = 0; t < w->threads; t++) {
        w->worker[t].world = w;
        w->worker[t].placed = -1;
        w->worker[t].stats = w->stats;
    }
    return sn__world_settle(w, error);
}

sn_world *sn_world_create(const sn_world_def *def, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    sn_world_def own = sn_world_def_default();
    if ((def && !sn__definition_take("sn_world_def", def, &own, error)) || check_def(&own, error))
        return NULL;
    sn_world *w = sn__alloc(1, sizeof *w);
    if (!w) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for a world");
        return NULL;
    }
    if (!make(w, &own, error)) return w;
    sn_world_free(w);
    return NULL;
}

void sn_world_free(sn_world *w) {
    if (!w) return;
    sn__remote_free(w);
    sn__pool_free(w->pool);
    for (int t = 0; t < w->threads; t++) {
        if (w->worker) sn__worker_release(&w->worker[t]);
        if (w->scratch) sn__free(w->scratch[t]);
    }
    for (int i = 0; i < w->nmember; i++)
        sn__member_release(w, w->member[i]);
    for (int i = 0; i < w->nmesh; i++)
        sn__mesh_free(w->mesh[i]);
    sn__free(w->mesh);
    for (int i = 0; i < w->nfield; i++) {
        sn__free(w->field[i]->height);
        sn__free(w->field[i]->height32);
        sn__free(w->field[i]->sharp);
        sn__free(w->field[i]);
    }
    for (int i = 0; i < w->nhull; i++)
        sn_hull_free((sn_hull *)w->hull[i]);
    sn__free(w->hull);
    for (int i = 0; i < w->nguide; i++)
        sn__guide_free(w->guide[i]);
    sn__free(w->guide);
    sn__free(w->join);
    sn__free(w->belt);
    sn__free(w->poses);
    sn__triggers_free(w);
    sn__world_forget_probes(w);
    for (int i = 0; i < w->nknown; i++) {
        sn__free(w->known[i].inertia);
        sn__gains_give_back(w->known[i].gains);
        if (w->known[i].owned) sn_model_free((sn_model *)w->known[i].model);
    }
    for (int i = 0; i < w->ntable; i++)
        sn__table_free(w->table[i]);
    for (int i = 0; i < w->def.copies && w->copy; i++) {
        sn__free(w->copy[i].contact);
        sn__free(w->copy[i].last);
        sn__free(w->copy[i].tied);
        sn__free(w->copy[i].report.contact);
    }
    void *memory[] = {
        w->table,   w->snapshot_values, w->known,          w->member, w->solid,     w->ground, w->field,
        w->surface, w->terrain,         w->surface_ground, w->tie,    w->copy,      w->worker, w->scratch,
        w->values,  w->ground_user,     w->report.contact, w->home,   w->generation};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        sn__free(memory[i]);
    sn__free(w);
}

/* ------------------------------------------------------------------------------------------------- changing */

void sn__world_touch(sn_world *w) {
    w->version++;
    w->changed++;
    sn__remote_touch(w, SN__ON_ALL);
}

void sn__world_touch_field(sn_world *w, sn_field field) {
    w->version++;
    w->changed++;
    sn__remote_touch(w, sn__remote_fields(field));
}

sn_status sn_world_set_dt(sn_world *w, double dt) {
    if (!(dt >= DT_LEAST && dt <= DT_MOST))
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "dt is %g; it must be from %g to %g seconds.", dt,
                                DT_LEAST, DT_MOST);
    for (int i = 0; i < w->nmember; i++) {
        if (!w->member[i]) continue;
        sn__pack_set_dt(&w->member[i]->pack, dt);
        sn__member_mark_axes(w, w->member[i]);
        for (int k = 0; k < w->def.copies && dt != w->def.dt; k++)
            sn__member_restart(w->member[i], k);
    }
    w->def.dt = dt;
    sn__world_touch(w);
    return SN_OK;
}

void sn__world_forget_solid(sn_world *w, int solid) {
    sn__triggers_forget_solid(w, solid);
    for (int i = 0; i < w->def.copies; i++) {
        struct sn__copy *c = &w->copy[i];
        struct sn__contact *list[2] = {c->contact, c->last};
        int *count[2] = {&c->ncontact, &c->nlast};
        for (int k = 0; k < 2; k++) {
            int n = 0;
            for (int j = 0; j < *count[k]; j++)
                if (list[k][j].solid[0] != solid && list[k][j].solid[1] != solid) list[k][n++] = list[k][j];
            *count[k] = n;
        }
    }
}

void sn__world_forget_copy(sn_world *w, int copy) {
    struct sn__copy *c = &w->copy[copy];
    c->ncontact = c->nlast = 0;
    for (int i = 0; i < w->nmember; i++) {
        struct sn__member *m = w->member[i];
        if (!m) continue;
        sn__probes_forget(&m->pack, copy);
        sn__member_restart(m, copy);
        sn__pack_put_value(&m->pack, SN__FROZEN, copy, 0, 0);
        sn__member_wake(m, copy, 1);
        if (m->conduct) sn__conduct_forget(m, copy);
    }
    for (int i = 0; i < w->ntie; i++) {
        c->tied[i].rows = 0;
        c->tied[i].followed = c->tied[i].broken = false;
        memset(c->tied[i].force, 0, sizeof c->tied[i].force);
    }
}

/* --------------------------------------------------------------------------------------------------- asking */

sn_world_info sn_world_get_info(const sn_world *w) {
    return (sn_world_info){.copies = w->def.copies,
                           .members = w->nmember,
                           .grounds = w->nground,
                           .lanes = w->k ? w->k->info.name : "",
                           .dt = w->def.dt,
                           .time = w->time,
                           .definition = &w->def};
}

double sn_world_time(const sn_world *w) {
    return w->time;
}

void sn_world_get_stats(const sn_world *w, sn_world_stats *stats) {
    *stats = w->stats;
    for (int i = 0; i < SN_STEP_PART_COUNT; i++)
        stats->microseconds[i] = 1e-3 * (double)w->spent[i];
    sn__world_stiffest(w, w->stats.bad_copy >= 0 ? w->stats.bad_copy : 0, &stats->stiff_member,
                       &stats->stiff_dof);
    stats->bad_member = sn__world_handle(w, stats->bad_member);
    stats->stiff_member = sn__world_handle(w, stats->stiff_member);
}

size_t sn_world_memory(const sn_world *w) {
    const size_t copies = (size_t)w->def.copies, elem = w->k->elem_size;
    size_t bytes = sizeof *w + sn__remote_memory(w) + sn__pool_memory(w->pool) + copies * sizeof *w->copy;
    for (int i = 0; i < w->def.copies; i++)
        bytes += 2 * (size_t)w->copy[i].contact_room * sizeof(struct sn__contact) +
                 (size_t)w->copy[i].report.room * sizeof(sn_contact);
    bytes += copies * (size_t)w->tie_room * sizeof(struct sn__tied);
    bytes += (size_t)w->threads * (w->scratch_bytes + w->largest * sizeof *w->values);
    bytes += (size_t)w->solid_room * sizeof *w->solid + sn__triggers_memory(w);
    for (int i = 0; i < w->ntable; i++)
        bytes += sn__table_memory(w->table[i]);
    for (int i = 0; i < w->nguide; i++)
        bytes += sn__guide_memory(w->guide[i]);
    for (int i = 0; i < w->nmesh; i++)
        bytes += sn__mesh_bytes(w->mesh[i]);
    for (int t = 0; t < w->threads; t++)
        bytes += sn__worker_memory(&w->worker[t]);
    for (int i = 0; i < w->nmember; i++) {
        const struct sn__member *m = w->member[i];
        if (!m) continue;
        bytes += sizeof *m + sn__pack_memory(&m->pack, false) + copies * sizeof *m->phase;
        bytes += (m->pack.touch_size / 6 + m->pack.stop_size) * (size_t)m->pack.blocks; /* live */
        if (m->sleeps)
            bytes += copies * (sizeof *m->still + sizeof *m->asleep + sizeof *m->island +
                               (size_t)m->model->nv * sizeof *m->mean);
        bytes += sn__conduct_memory(w, m);
        for (int f = 0; m->view && f < SN_FIELD_COUNT; f++)
            if (m->view[f].memory) bytes += copies * (size_t)sn_world_size(w, m->handle, (sn_field)f) * elem;
    }
    return bytes;
}

/* Copy by copy and member by member, so that it does not depend on the width of the lanes. */
uint64_t sn_world_hash(const sn_world *w) {
    uint64_t hash = 0;
    sn__world_fetch(w);
    for (int copy = 0; copy < w->def.copies; copy++)
        for (int i = 0; i < w->nmember; i++) {
            const struct sn__member *m = w->member[i];
            if (!m) continue;
            const enum sn__array arrays[] = {SN__Q, SN__QD};
            const int counts[] = {m->model->nq, m->model->nv};
            for (int f = 0; f < 2; f++)
                for (int k = 0; k < counts[f]; k++) {
                    const double x = sn__pack_value(&m->pack, arrays[f], copy, k);
                    const float narrow = (float)x;
                    hash = w->def.precision == SN_PRECISION_DOUBLE ? sn__hash(&x, sizeof x, hash)
                                                                   : sn__hash(&narrow, sizeof narrow, hash);
                }
        }
    return hash;
}
