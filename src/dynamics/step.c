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
    p->k->integrate(p->tree, p->def.dt, qdd, q, qd, p->def.integrator == SN_INTEGRATOR_SEMI_IMPLICIT_EULER);
}

/* The common case in one kernel: MABA and semi-implicit Euler; explicit PD without armature needs no K at
   all. */
static void fused_block(struct sn__pack *p, int block) {
    struct sn__args args = sn__pack_args(p, block);
    void *q = sn__pack_at(p, SN__Q, block), *qd = sn__pack_at(p, SN__QD, block),
         *qdd = sn__pack_at(p, SN__QDD, block);
    args.last = p->def.predict_to > 0 ? qdd : NULL;
    args.torque = p->def.report_torque ? sn__pack_at(p, SN__TORQUE, block) : NULL;
    args.middle = p->def.report_torque ? sn__pack_at(p, SN__MIDDLE, block) : NULL;
    if (args.spring) p->k->springs(&args, sn__pack_at(p, SN__SPRING, block));
    (p->plain && !args.limit ? p->k->step_plain : p->k->step)(&args, q, qd, qdd);
}

void sn__pack_advance(struct sn__pack *p, int block) {
    const struct sn__pack_def *d = &p->def;
    if (sn__integrator_stages(d->integrator) > 1) {
        sn__pack_runge_kutta(p, block);
        return;
    }
    if (d->solver != SN_SOLVER_MABA || d->route != SN_ROUTE_DIRECT ||
        d->integrator != SN_INTEGRATOR_SEMI_IMPLICIT_EULER) {
        euler_block(p, block);
        return;
    }
    fused_block(p, block);
}

size_t sn__pack_bytes(const struct sn__pack *p, int n) {
    return p->k->elem_size * (size_t)p->k->info.width * (size_t)n;
}
