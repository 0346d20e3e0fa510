/* A world: made, freed, asked. */
#include "world/world.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/flush.h"
#include "base/memory.h"

sn_world_def sn_world_def_default(void) {
    return (sn_world_def){.precision = SN_DOUBLE,
                          .gravity = {0, 0, -9.81},
                          .dt = 1.0 / 240,
                          .joint_limits = true,
                          .iterations = 1000,
                          .tolerance = 1e-7,
                          .slop = 1e-4,
                          .recovery = 0.02,
                          .margin = 0.01,
                          .bounce = 0.1,
                          .sweeps = 16,
                          .sweep_tolerance = 1e-3,
                          .shortest = 1.0 / 1024,
                          .max_contacts = 1024};
}

sn_member_def sn_member_def_default(void) {
    return (sn_member_def){.form = SN_FORM_STABLE};
}

/* Steps a world takes, s. */
static const double DT_LEAST = 1e-9, DT_MOST = 1e3;

/* Zero or more, and finite. */
static bool fine(double x) {
    return x >= 0 && x <= DBL_MAX;
}

static sn_status check_def(const sn_world_def *d, sn_error *error) {
    if (!d) return sn__fail(error, SN_ERROR_ARGUMENT, "the definition is NULL");
    if (!(d->dt >= DT_LEAST && d->dt <= DT_MOST))
        return sn__fail(error, SN_ERROR_ARGUMENT, "dt is %g: it must be from %g to %g", d->dt, DT_LEAST,
                        DT_MOST);
    if (!(fabs(d->gravity[0]) + fabs(d->gravity[1]) + fabs(d->gravity[2]) <= (double)FLT_MAX))
        return sn__fail(error, SN_ERROR_ARGUMENT, "gravity is not finite");
    if ((unsigned)d->precision > SN_FLOAT || (unsigned)d->contact > SN_CONTACT_NONE ||
        (unsigned)d->stepper > SN_STEPPER_EVENT || (unsigned)d->friction > SN_FRICTION_NONE ||
        (unsigned)d->row_solver > SN_ROWS_DIRECT || (unsigned)d->response > SN_RESPONSE_CACHED)
        return sn__fail(error, SN_ERROR_ARGUMENT, "the definition holds an enumerator that does not exist");
    if (d->stepper == SN_STEPPER_EVENT && d->contact == SN_CONTACT_IMPLICIT)
        return sn__fail(error, SN_ERROR_UNSUPPORTED, "the event stepper has contact by rows only");
    if (!fine(d->tolerance) || !fine(d->slop) || !fine(d->recovery) || !fine(d->margin) || !fine(d->bounce) ||
        !fine(d->compliance) || !fine(d->sweep_tolerance) || !(d->shortest >= 1e-6 && d->shortest <= 1))
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "a length, time or tolerance of the definition is negative or not finite");
    if (d->iterations < 1 || d->sweeps < 1)
        return sn__fail(error, SN_ERROR_ARGUMENT, "at least one iteration and one sweep are needed");
    if (d->max_contacts < 1 || d->max_contacts > 1 << 20)
        return sn__fail(error, SN_ERROR_ARGUMENT, "room for %d contacts: from 1 to %d are possible",
                        d->max_contacts, 1 << 20);
    return SN_OK;
}

sn_world *sn_world_create(const sn_world_def *def, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    if (check_def(def, error)) return NULL;
    sn_world *w = sn__alloc(1, sizeof *w);
    if (w) {
        w->def = *def;
        w->stats.bad_character = w->stats.bad_dof = -1;
        w->solver = sn__kernels_with(SN__ROWS, SN_DOUBLE, true, error);
        const size_t n = (size_t)def->max_contacts;
        w->contact = sn__alloc(n, sizeof *w->contact);
        w->last = sn__alloc(n, sizeof *w->last);
        w->before = sn__alloc(def->stepper == SN_STEPPER_EVENT ? n : 1, sizeof *w->before);
        w->report = sn__alloc(n, sizeof *w->report);
        w->polish = sn__alloc(SN__POLISH_ROWS * SN__POLISH_ROWS, sizeof *w->polish);
    }
    if (w && w->solver && w->polish && w->contact && w->last && w->before && w->report && sn__world_reserve(w))
        return w;
    if (error->status == SN_OK) sn__fail(error, SN_ERROR_MEMORY, "no memory for a world");
    sn_world_free(w);
    return NULL;
}

void sn_world_free(sn_world *w) {
    if (!w) return;
    for (int i = 0; i < w->nmember; i++)
        sn__member_release(&w->member[i]);
    for (int i = 0; i < w->nfield; i++) {
        sn__free(w->field[i]->height);
        sn__free(w->field[i]);
    }
    sn__sweeper_free(w->sweeper);
    void *memory[] = {w->member,        w->solid,      w->ground,  w->field,  w->box,     w->moving,
                      w->swept,         w->pair,       w->contact, w->last,   w->report,  w->before,
                      w->ground_backup, w->row,        w->more,    w->f,      w->f_moved, w->block,
                      w->pool,          w->pool_float, w->direct,  w->f_kept, w->polish,  w->tie};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        sn__free(memory[i]);
    sn__free(w);
}

sn_status sn_world_set_dt(sn_world *w, double dt) {
    if (!(dt >= DT_LEAST && dt <= DT_MOST)) return SN_ERROR_ARGUMENT;
    w->def.dt = dt;
    for (int i = 0; i < w->nmember; i++)
        sn__pack_set_dt(&w->member[i].character->pack, dt);
    return SN_OK;
}

double sn_world_time(const sn_world *w) {
    return w->time;
}

int sn_world_contact_count(const sn_world *w) {
    return w->ncontact;
}

const sn_contact *sn_world_contacts(const sn_world *w) {
    sn__world_report(w);
    return w->report;
}

void sn_world_get_stats(const sn_world *w, sn_world_stats *stats) {
    if (stats) *stats = w->stats;
}

sn_status sn_world_step(sn_world *w) {
    const struct sn__flush flush = sn__flush_begin();
    const sn_status status =
        w->def.stepper == SN_STEPPER_EVENT ? sn__world_step_event(w) : sn__world_step_time(w);
    sn__flush_end(flush);
    return status;
}
