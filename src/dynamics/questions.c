/* Questions about one state, which all lanes of the first block hold while it is looked at. */
#include <string.h>

#include "dynamics/dynamics.h"

static sn_status load(sn_dynamics *d, const double *q, const double *qd) {
    struct sn__pack *p = &d->pack;
    if (!q || (qd && !sn__pack_holds(p, p->model->nv, qd)) || !sn__dynamics_tidy(d, q))
        return SN_ERROR_ARGUMENT;
    sn__pack_put_shared(p, SN__Q, p->model->nq, d->pose);
    sn__pack_put_shared(p, SN__QD, p->model->nv, qd ? qd : d->zero);
    p->has_push = false;
    return SN_OK;
}

static sn_status load_push(sn_dynamics *d, const double *push) {
    struct sn__pack *p = &d->pack;
    const int n = 6 * p->model->nbody;
    if (!push) return SN_OK;
    if (!sn__pack_holds(p, n, push)) return SN_ERROR_ARGUMENT;
    for (int i = 0; i < n; i++)
        p->has_push |= push[i] != 0;
    sn__pack_put_shared(p, SN__PUSH, n, push);
    return SN_OK;
}

/* Lane 0 of what a kernel answered. */
static void gather(const sn_dynamics *d, const void *lanes, size_t n, double *values) {
    const size_t width = (size_t)d->pack.k->info.width;
    for (size_t i = 0; i < n; i++)
        values[i] = d->pack.def.precision == SN_PRECISION_DOUBLE ? ((const double *)lanes)[i * width]
                                                                 : (double)((const float *)lanes)[i * width];
}

static void summarise(sn_dynamics *d, const struct sn__args *args, sn_summary *s) {
    double v[11];
    d->pack.k->summary(args, d->answer);
    gather(d, d->answer, 11, v);
    *s = (sn_summary){v[0], v[1], {v[2], v[3], v[4]}, {v[5], v[6], v[7]}, {v[8], v[9], v[10]}};
}

sn_status sn_dynamics_bodies(sn_dynamics *d, const double *q, const double *qd, double *pose,
                             double *velocity, sn_summary *summary) {
    if (load(d, q, qd)) return SN_ERROR_ARGUMENT;
    const struct sn__args args = sn__pack_args(&d->pack, 0);
    const size_t nbody = (size_t)d->pack.model->nbody;
    if (summary) summarise(d, &args, summary);
    if (summary && !pose && !velocity) return SN_OK;
    d->pack.k->kinematics(&args, d->answer);
    gather(d, d->answer, 13 * nbody, d->row);
    for (size_t b = 0; b < nbody; b++) {
        if (pose) memcpy(pose + 7 * b, d->row + 13 * b, 7 * sizeof *pose);
        if (velocity) memcpy(velocity + 6 * b, d->row + 13 * b + 7, 6 * sizeof *velocity);
    }
    return SN_OK;
}

sn_status sn_dynamics_jacobian(sn_dynamics *d, const double *q, int body, const double point[3], double *J) {
    if (body < 0 || body >= d->pack.model->nbody || !point || !J || !sn__pack_holds(&d->pack, 3, point) ||
        load(d, q, NULL))
        return SN_ERROR_ARGUMENT;
    if (!d->pack.k->study) return SN_ERROR_UNSUPPORTED;
    const struct sn__args args = sn__pack_args(&d->pack, 0);
    d->pack.k->study->jacobian(&args, body, point, d->answer);
    gather(d, d->answer, 6 * (size_t)d->pack.model->nv, J);
    return SN_OK;
}

sn_status sn_dynamics_mass_matrix(sn_dynamics *d, const double *q, double *M) {
    if (!M || load(d, q, NULL)) return SN_ERROR_ARGUMENT;
    const size_t nv = (size_t)d->pack.model->nv;
    if (!d->pack.k->study) return SN_ERROR_UNSUPPORTED;
    if (sn__pack_need_matrix(&d->pack)) return SN_ERROR_MEMORY;
    const struct sn__args args = sn__pack_args(&d->pack, 0);
    d->pack.k->study->crba(&args, d->pack.field[SN__MATRIX]);
    gather(d, d->pack.field[SN__MATRIX], nv * nv, M);
    for (size_t i = 0; i < nv; i++)
        M[i * nv + i] += d->pack.model->armature[i];
    return SN_OK;
}

/* Force of the passive springs and dampers, [nv], into d->row. */
static void passive_force(sn_dynamics *d, const struct sn__args *args) {
    const sn_model *m = d->pack.model;
    double *force = d->row, *qd = d->row + m->nv;
    memset(force, 0, sizeof *force * (size_t)m->nv);
    if (m->has_stiffness) {
        d->pack.k->springs(args, d->pack.field[SN__TAU]);
        gather(d, d->pack.field[SN__TAU], (size_t)m->nv, force);
    }
    sn__pack_get(&d->pack, SN__QD, 0, m->nv, qd);
    for (int v = 0; v < m->nv; v++)
        force[v] -= m->damping[v] * qd[v];
}

sn_status sn_dynamics_inverse(sn_dynamics *d, const double *q, const double *qd, const double *push,
                              const double *qdd, double *tau) {
    const sn_model *m = d->pack.model;
    if (!qdd || !tau || !sn__pack_holds(&d->pack, m->nv, qdd) || load(d, q, qd) || load_push(d, push))
        return SN_ERROR_ARGUMENT;
    const struct sn__args args = sn__pack_args(&d->pack, 0);
    sn__pack_put_shared(&d->pack, SN__TAU, m->nv, qdd);
    d->pack.k->rnea(&args, d->pack.field[SN__TAU], d->pack.field[SN__TAU2]);
    passive_force(d, &args);
    const double *force = d->row;
    double *rigid = d->row + m->nv; /* qdd and tau may be the same array */
    gather(d, d->pack.field[SN__TAU2], (size_t)m->nv, rigid);
    for (int v = 0; v < m->nv; v++)
        tau[v] = rigid[v] + (m->armature[v] * qdd[v] - force[v]);
    return SN_OK;
}

sn_status sn_dynamics_forward(sn_dynamics *d, const double *q, const double *qd, const double *push,
                              const double *tau, double *qdd) {
    const sn_model *m = d->pack.model;
    if (!tau || !qdd || !sn__pack_holds(&d->pack, m->nv, tau) || load(d, q, qd) || load_push(d, push))
        return SN_ERROR_ARGUMENT;
    if (!d->pack.k->study) return SN_ERROR_UNSUPPORTED;
    struct sn__args args = sn__pack_args(&d->pack, 0);
    passive_force(d, &args);
    bool armature = false;
    for (int v = 0; v < m->nv; v++) {
        d->row[v] += tau[v];
        armature |= m->armature[v] != 0;
    }
    sn__pack_put_shared(&d->pack, SN__TAU, m->nv, d->row);
    args.K = armature ? d->pack.field[SN__ARMATURE] : NULL;
    args.per_axis = NULL;
    d->pack.k->study->aba(&args, d->pack.field[SN__TAU], d->pack.field[SN__TAU2]);
    gather(d, d->pack.field[SN__TAU2], (size_t)m->nv, qdd);
    return SN_OK;
}
