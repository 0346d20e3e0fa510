/* Making a calculator; drives and steps of the states a call brings along. Between calls only gains and torque limits
 * stay in the lanes, as a cache: they are written again when they differ. */
#include "dynamics/dynamics.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/definition.h"
#include "base/error.h"
#include "base/flush.h"
#include "base/memory.h"

/* ------------------------------------------------------------------------------------------------- making */

static struct sn__pack_def pack_def(const sn_dynamics_def *d) {
    return (struct sn__pack_def){.precision = d->precision,
                                 .lanes = d->lanes,
                                 .gravity = {d->gravity[0], d->gravity[1], d->gravity[2]},
                                 .dt = d->dt,
                                 .form = d->form,
                                 .solver = d->solver,
                                 .integrator = d->integrator,
                                 .route = d->route,
                                 .report_torque = true}; /* room for it; each call says whether it wants it */
}

static bool allocate(sn_dynamics *d) {
    const sn_model *m = d->pack.model;
    const size_t nv = (size_t)m->nv, nq = (size_t)m->nq, pose = 13 * (size_t)m->nbody, rows = 6 * nv;
    const size_t n = pose > rows ? pose : rows;
    d->answer = sn__alloc_aligned(n * d->pack.k->elem_size * (size_t)d->pack.k->info.width);
    d->row = sn__alloc(n, sizeof *d->row);
    d->pose = sn__alloc(nq, sizeof *d->pose);
    d->zero = sn__alloc(nq > nv ? nq : nv, sizeof *d->zero);
    d->limit = sn__alloc(nv, sizeof *d->limit);
    if (!d->answer || !d->row || !d->pose || !d->zero || !d->limit) return false;
    memcpy(d->limit, m->torque_limit, nv * sizeof *d->limit);
    return !sn__pack_own(&d->pack, SN__PUSH);
}

sn_dynamics *sn_dynamics_create(const sn_model *model, const sn_dynamics_def *def, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    sn_dynamics_def own;
    if (!sn__definition_take_or("sn_dynamics_def", def, &own, error)) return NULL;
    def = &own;
    sn_dynamics *d = sn__alloc(1, sizeof *d);
    if (!d) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for a calculator");
        return NULL;
    }
    const struct sn__pack_def how = pack_def(def);
    if (sn__pack_init(&d->pack, model, &how, def->count, def->count > 1, NULL, error)) {
        sn__free(d);
        return NULL;
    }
    d->def = *def;
    if (allocate(d)) return d;
    sn__fail(error, SN_ERROR_MEMORY, "no memory for a calculator");
    return sn_dynamics_free(d), NULL;
}

void sn_dynamics_free(sn_dynamics *d) {
    if (!d) return;
    sn_dynamics_free(d->answers);
    sn__pack_release(&d->pack);
    sn__free_all(d->answer, d->row, d->pose, d->zero, d->limit, d);
}

/* --------------------------------------------------------------------------------------------- into lanes */

bool sn__dynamics_tidy(sn_dynamics *d, const double *q) {
    const double eps = d->pack.def.precision == SN_PRECISION_DOUBLE ? DBL_EPSILON : (double)FLT_EPSILON;
    return sn__pack_tidy(&d->pack, q, 16 * eps, d->pose);
}

static sn_status load_poses(sn_dynamics *d, enum sn__array field, const double *q) {
    const int nq = d->pack.model->nq;
    for (int i = 0; i < d->pack.count; i++) {
        if (!sn__dynamics_tidy(d, q + (size_t)i * (size_t)nq)) return SN_ERROR_ARGUMENT;
        sn__pack_put(&d->pack, field, i, nq, d->pose);
    }
    return SN_OK;
}

/* n values per state. */
static sn_status load_values(sn_dynamics *d, enum sn__array field, int n, const double *x) {
    for (int i = 0; i < d->pack.count; i++, x += n) {
        if (!sn__pack_holds(&d->pack, n, x)) return SN_ERROR_ARGUMENT;
        sn__pack_put(&d->pack, field, i, n, x);
    }
    return SN_OK;
}

static sn_status load_gains(sn_dynamics *d, const sn_drive *drive) {
    struct sn__pack *p = &d->pack;
    const size_t size = (size_t)p->model->nv * sizeof *p->kp;
    const double *kp = drive->kp ? drive->kp : d->zero, *kd = drive->kd ? drive->kd : d->zero;
    if (!memcmp(p->kp, kp, size) && !memcmp(p->kd, kd, size)) return SN_OK;
    return sn__pack_set_gains(p, kp, kd);
}

/* A torque limit is met by the solver that knows active sets. */
static sn_status load_limits(sn_dynamics *d, const double *limit) {
    struct sn__pack *p = &d->pack;
    const int nv = p->model->nv;
    if (!limit) limit = p->model->torque_limit;
    if (!memcmp(d->limit, limit, (size_t)nv * sizeof *limit)) return SN_OK;
    bool any = false;
    for (int v = 0; v < nv; v++) {
        if (!(limit[v] >= 0)) return SN_ERROR_ARGUMENT;
        any |= !isinf(limit[v]);
    }
    if (any && (p->def.solver != SN_SOLVER_MABA || p->def.route != SN_ROUTE_DIRECT))
        return SN_ERROR_UNSUPPORTED;
    memcpy(d->limit, limit, (size_t)nv * sizeof *limit);
    sn__pack_put_shared(p, SN__LIMIT, nv, limit);
    p->torque_limits = any;
    return SN_OK;
}

static sn_status load_targets(sn_dynamics *d, const sn_drive *drive) {
    struct sn__pack *p = &d->pack;
    p->has_target_qd = drive->target_qd != NULL;
    if (drive->target_qd && load_values(d, SN__TARGET_QD, p->model->nv, drive->target_qd))
        return SN_ERROR_ARGUMENT;
    if (drive->target_q) return load_poses(d, SN__TARGET_Q, drive->target_q);
    sn_model_zero_pose(p->model, d->pose);
    for (int i = 0; i < p->count; i++)
        sn__pack_put(p, SN__TARGET_Q, i, p->model->nq, d->pose);
    return SN_OK;
}

static sn_status load_forces(sn_dynamics *d, const sn_drive *drive) {
    struct sn__pack *p = &d->pack;
    const int nv = p->model->nv, npush = 6 * p->model->nbody;
    p->has_feedforward = drive->feedforward != NULL;
    if (drive->feedforward && load_values(d, SN__FEEDFORWARD, nv, drive->feedforward))
        return SN_ERROR_ARGUMENT;
    p->has_push = false;
    if (!drive->push) return SN_OK;
    for (size_t i = 0; i < (size_t)npush * (size_t)p->count; i++)
        p->has_push |= drive->push[i] != 0;
    return load_values(d, SN__PUSH, npush, drive->push);
}

static sn_status load(sn_dynamics *d, const sn_drive *drive, const double *q, const double *qd) {
    static const sn_drive none = {0};
    if (!drive) drive = &none;
    const int nv = d->pack.model->nv;
    sn_status status = load_gains(d, drive);
    if (!status) status = load_limits(d, drive->torque_limit);
    if (!status) status = load_targets(d, drive);
    if (!status) status = load_forces(d, drive);
    if (!status) status = load_poses(d, SN__Q, q);
    if (status || qd) return status ? status : load_values(d, SN__QD, nv, qd);
    for (int i = 0; i < d->pack.count; i++)
        sn__pack_put(&d->pack, SN__QD, i, nv, d->zero);
    return SN_OK;
}

static void store(const sn_dynamics *d, enum sn__array field, int n, double *x) {
    for (int i = 0; x && i < d->pack.count; i++)
        sn__pack_get(&d->pack, field, i, n, x + (size_t)i * (size_t)n);
}

/* --------------------------------------------------------------------------------------- drives and steps */

/* Accelerations and torques as they are before the first step. */
static sn_status accelerate(sn_dynamics *d, double *qdd, double *tau) {
    struct sn__pack *p = &d->pack;
    for (int block = 0; block < p->blocks; block++) {
        struct sn__args args = sn__pack_args(p, block);
        void *out = sn__pack_at(p, SN__QDD, block);
        sn__pack_accelerate(p, &args, block, out);
        if (tau) sn__pack_torque(p, &args, out, sn__pack_at(p, SN__TORQUE, block));
    }
    store(d, SN__QDD, p->model->nv, qdd);
    store(d, SN__TORQUE, p->model->nv, tau);
    return SN_OK;
}

/* Block by block, so that a block's state stays near while it is stepped. False: something is not finite. */
static bool advance(struct sn__pack *p, int steps, bool torque) {
    const struct sn__flush flush = sn__flush_begin();
    bool finite = true;
    for (int block = 0; block < p->blocks; block++) {
        for (int i = 0; i < steps; i++) {
            p->def.report_torque = torque && i == steps - 1;
            sn__pack_advance(p, block);
        }
        finite = finite && p->k->all_below(p->model->nq, sn__pack_at(p, SN__Q, block), SN__MOST_VALUE) &&
                 p->k->all_below(p->model->nv, sn__pack_at(p, SN__QD, block), SN__MOST_VALUE);
    }
    sn__flush_end(flush);
    return finite;
}

sn_status sn_dynamics_step(sn_dynamics *d, const sn_drive *drive, int steps, double *q, double *qd,
                           double *qdd, double *tau) {
    if (!q || (steps && !qd) || steps < 0) return SN_ERROR_ARGUMENT;
    const sn_status status = load(d, drive, q, qd);
    if (status) return status;
    if (!steps) return accelerate(d, qdd, tau);
    const sn_model *m = d->pack.model;
    if (!advance(&d->pack, steps, tau != NULL)) return SN_ERROR_NOT_FINITE;
    store(d, SN__Q, m->nq, q);
    store(d, SN__QD, m->nv, qd);
    store(d, SN__QDD, m->nv, qdd);
    store(d, SN__TORQUE, m->nv, tau);
    return SN_OK;
}
