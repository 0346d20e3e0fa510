/* Runge-Kutta methods on the manifold of poses (Munthe-Kaas): the step is taken in the tangent space at
 * its start,
 *
 *     q = q0 (+) u,   u' = Jr(u)^-1 qd,   qd' = qdd(q, qd),
 *
 * where Jr is the right Jacobian of the rotation group, so that the methods keep their order on
 * quaternions. The drives enter each stage's qdd with the gains and the dt of the whole step (spd-2011
 * section 5). */
#include <string.h>

#include "dynamics/pack.h"

enum { MAX_STAGES = 4 };

struct tableau {
    int stages;
    double a[MAX_STAGES][MAX_STAGES], b[MAX_STAGES];
};

static const struct tableau TABLEAU[] = {
    [SN_INTEGRATOR_SEMI_IMPLICIT_EULER] = {1, {{0}}, {1}},
    [SN_INTEGRATOR_EXPLICIT_EULER] = {1, {{0}}, {1}},
    [SN_INTEGRATOR_MIDPOINT] = {2, {{0}, {0.5}}, {0, 1}},
    [SN_INTEGRATOR_RK2] = {2, {{0}, {1}}, {0.5, 0.5}},
    [SN_INTEGRATOR_RK3] = {3, {{0}, {0.5}, {-1, 2}}, {1 / 6.0, 4 / 6.0, 1 / 6.0}},
    [SN_INTEGRATOR_RK4] = {4, {{0}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1 / 6.0, 2 / 6.0, 2 / 6.0, 1 / 6.0}},
};

int sn__integrator_stages(sn_integrator integrator) {
    return TABLEAU[integrator].stages;
}

size_t sn__integrator_scratch(const struct sn__pack *p) {
    const int stages = sn__integrator_stages(p->def.integrator);
    if (stages == 1) return 0;
    /* pose, velocity and displacement of a stage; rates of displacement and velocity of every stage */
    return (size_t)p->model->nq + (size_t)p->model->nv * (2 + 2 * (size_t)stages);
}

/* The drives' mean torque over the step, sum b_i tau_i: what one stage adds to it. */
static void add_torque(struct sn__pack *p, const struct sn__args *args, int block, const void *qdd, double b,
                       bool first) {
    void *torque = sn__pack_at(p, SN__TORQUE, block);
    const void *tau = p->field[SN__TAU];
    if (first) memset(torque, 0, sn__pack_bytes(p, p->model->nv));
    sn__pack_torque(p, args, qdd, p->field[SN__TAU]);
    p->k->combine(p->model->nv, torque, 1, &b, &tau, torque);
}

void sn__pack_runge_kutta(struct sn__pack *p, int block) {
    const struct tableau *T = &TABLEAU[p->def.integrator];
    const struct sn__kernels *k = p->k;
    const int nv = p->model->nv;
    if (!nv) return; /* nothing moves */
    const size_t value = k->elem_size * (size_t)k->info.width;
    char *stage_q = p->field[SN__STAGE], *stage_qd = stage_q + value * (size_t)p->model->nq;
    char *u = stage_qd + value * (size_t)nv, *next = u + value * (size_t)nv;
    const void *rate_u[MAX_STAGES], *rate_qd[MAX_STAGES];
    void *q = sn__pack_at(p, SN__Q, block), *qd = sn__pack_at(p, SN__QD, block);
    struct sn__args args = sn__pack_args(p, block);
    for (int i = 0; i < T->stages; i++, next += 2 * value * (size_t)nv) {
        double c[MAX_STAGES];
        for (int j = 0; j < i; j++)
            c[j] = p->def.dt * T->a[i][j];
        memset(u, 0, value * (size_t)nv);
        k->combine(nv, u, i, c, rate_u, u);
        k->study->retract(p->tree, q, u, stage_q);
        k->combine(nv, qd, i, c, rate_qd, stage_qd);
        rate_u[i] = next;
        rate_qd[i] = next + value * (size_t)nv;
        args.q = stage_q;
        args.qd = stage_qd;
        sn__pack_accelerate(p, &args, block, next + value * (size_t)nv);
        k->study->pull_back(p->tree, u, stage_qd, next);
        if (p->def.report_torque) add_torque(p, &args, block, rate_qd[i], T->b[i], i == 0);
    }
    /* the mean acceleration, (qd+ - qd) / dt */
    void *qdd = sn__pack_at(p, SN__QDD, block);
    memset(qdd, 0, value * (size_t)nv);
    k->combine(nv, qdd, T->stages, T->b, rate_qd, qdd);
    double c[MAX_STAGES];
    for (int j = 0; j < T->stages; j++)
        c[j] = p->def.dt * T->b[j];
    memset(u, 0, value * (size_t)nv);
    k->combine(nv, u, T->stages, c, rate_u, u);
    k->combine(nv, qd, T->stages, c, rate_qd, qd);
    k->study->retract(p->tree, q, u, q);
}
