/* The step. */
#include <string.h>

#include "base/flush.h"
#include "dynamics/pack.h"

/* Euler's methods: accelerate, say the torque, integrate. */
static void euler_block(struct sn__pack *p, int block) {
    struct sn__args args = sn__pack_args(p, block);
    void *q = sn__pack_at(p, SN__Q, block), *qd = sn__pack_at(p, SN__QD, block),
         *qdd = sn__pack_at(p, SN__QDD, block);
    sn__pack_accelerate(p, &args, block, qdd);
    if (p->def.report_torque) sn__pack_torque(p, &args, qdd, sn__pack_at(p, SN__TORQUE, block));
    p->k->integrate(p->tree, p->def.dt, qdd, q, qd, p->def.integrator == SN_SEMI_IMPLICIT_EULER);
}

/* The common case in one kernel: MABA and semi-implicit Euler; explicit PD without armature needs no K at
   all. */
static void fused_block(struct sn__pack *p, int block) {
    const struct sn__args args = sn__pack_args(p, block);
    void *q = sn__pack_at(p, SN__Q, block), *qd = sn__pack_at(p, SN__QD, block),
         *qdd = sn__pack_at(p, SN__QDD, block);
    if (args.spring) p->k->springs(&args, sn__pack_at(p, SN__SPRING, block));
    (p->plain && !args.limit ? p->k->step_plain : p->k->step)(&args, q, qd, qdd);
}

/* Whether the torque is asked for changes no bit of the step: it is worked out beforehand. */
void sn__pack_advance(struct sn__pack *p, int block) {
    const struct sn__pack_def *d = &p->def;
    if (sn__integrator_stages(d->integrator) > 1) {
        sn__pack_runge_kutta(p, block);
        return;
    }
    if (d->solver != SN_SOLVER_MABA || d->route != SN_ROUTE_DIRECT ||
        d->integrator != SN_SEMI_IMPLICIT_EULER) {
        euler_block(p, block);
        return;
    }
    if (d->report_torque) {
        struct sn__args args = sn__pack_args(p, block);
        void *qdd = sn__pack_at(p, SN__QDD, block);
        sn__pack_accelerate(p, &args, block, qdd);
        sn__pack_torque(p, &args, qdd, sn__pack_at(p, SN__TORQUE, block));
    }
    fused_block(p, block);
}

size_t sn__pack_bytes(const struct sn__pack *p, int n) {
    return p->k->elem_size * (size_t)p->k->info.width * (size_t)n;
}

void sn__pack_save_state(const struct sn__pack *p, void *to) {
    if (!p->model->nv) return; /* nothing moves */
    memcpy(to, p->field[SN__Q], sn__pack_bytes(p, p->model->nq));
    memcpy((char *)to + sn__pack_bytes(p, p->model->nq), p->field[SN__QD], sn__pack_bytes(p, p->model->nv));
}

void sn__pack_load_state(struct sn__pack *p, const void *from) {
    if (!p->model->nv) return;
    memcpy(p->field[SN__Q], from, sn__pack_bytes(p, p->model->nq));
    memcpy(p->field[SN__QD], (const char *)from + sn__pack_bytes(p, p->model->nq),
           sn__pack_bytes(p, p->model->nv));
}

/* The ways of stepping that do not look after each lane themselves: a lane that has diverged is put back. */
static void step_block_watched(struct sn__pack *p, int block) {
    const size_t nq = sn__pack_bytes(p, p->model->nq), nv = sn__pack_bytes(p, p->model->nv);
    char *before = p->field[SN__BACKUP];
    void *q = sn__pack_at(p, SN__Q, block), *qd = sn__pack_at(p, SN__QD, block);
    memcpy(before, q, nq);
    memcpy(before + nq, qd, nv);
    sn__pack_advance(p, block);
    p->k->freeze(p->tree, before, before + nq, q, qd, sn__pack_at(p, SN__QDD, block),
                 sn__pack_at(p, SN__FROZEN, block));
}

void sn__pack_step_block(struct sn__pack *p, int block) {
    const struct sn__pack_def *d = &p->def;
    const bool watches = d->solver == SN_SOLVER_MABA && d->route == SN_ROUTE_DIRECT &&
                         d->integrator == SN_SEMI_IMPLICIT_EULER && !d->report_torque;
    if (watches)
        sn__pack_advance(p, block);
    else
        step_block_watched(p, block);
}

sn_status sn__pack_step(struct sn__pack *p) {
    const struct sn__flush flush = sn__flush_begin();
    if (p->guarded) sn__pack_save_state(p, p->field[SN__BACKUP]);
    for (int block = 0; block < p->blocks; block++)
        sn__pack_advance(p, block);
    sn__flush_end(flush);
    if (!p->guarded) return SN_OK;
    if (p->k->all_below(p->model->nq, p->field[SN__Q], SN__MOST_VALUE) &&
        p->k->all_below(p->model->nv, p->field[SN__QD], SN__MOST_VALUE))
        return SN_OK;
    sn__pack_load_state(p, p->field[SN__BACKUP]);
    return SN_ERROR_NOT_FINITE;
}
