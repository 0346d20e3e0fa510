/* Questions about the states of a call, as many abreast as there are lanes. All of them pass through the first block. */
#include <string.h>

#include "dynamics/dynamics.h"

/* States first .. first + n - 1 are in the lanes of the block. */
struct batch {
    int first, n;
};

static bool next_batch(const sn_dynamics *d, struct batch *b) {
    const int width = d->pack.k->info.width, left = d->pack.count - (b->first + b->n);
    b->first += b->n;
    b->n = left < width ? left : width;
    return left > 0;
}

/* Row `state` of an array with n values each; NULL stays NULL. */
static const double *row_of(const double *x, int state, int n) {
    return x ? x + (size_t)state * (size_t)n : NULL;
}

static sn_status load(sn_dynamics *d, const struct batch *b, const double *q, const double *qd) {
    struct sn__pack *p = &d->pack;
    const int nq = p->model->nq, nv = p->model->nv;
    if (!q) return SN_ERROR_ARGUMENT;
    for (int k = 0; k < b->n; k++) {
        const double *velocity = qd ? row_of(qd, b->first + k, nv) : d->zero;
        if (!sn__pack_holds(p, nv, velocity) || !sn__dynamics_tidy(d, row_of(q, b->first + k, nq)))
            return SN_ERROR_ARGUMENT;
        sn__pack_put(p, SN__Q, k, nq, d->pose);
        sn__pack_put(p, SN__QD, k, nv, velocity);
    }
    p->has_push = false;
    return SN_OK;
}

static sn_status load_push(sn_dynamics *d, const struct batch *b, const double *push) {
    struct sn__pack *p = &d->pack;
    const int n = 6 * p->model->nbody;
    for (int k = 0; k < b->n && push; k++) {
        const double *row = row_of(push, b->first + k, n);
        if (!sn__pack_holds(p, n, row)) return SN_ERROR_ARGUMENT;
        for (int i = 0; i < n; i++)
            p->has_push |= row[i] != 0;
        sn__pack_put(p, SN__PUSH, k, n, row);
    }
    return SN_OK;
}

/* [nv] per state, into an array of working memory. */
static sn_status load_values(sn_dynamics *d, const struct batch *b, enum sn__array array, const double *x) {
    struct sn__pack *p = &d->pack;
    for (int k = 0; k < b->n; k++) {
        const double *row = row_of(x, b->first + k, p->model->nv);
        if (!sn__pack_holds(p, p->model->nv, row)) return SN_ERROR_ARGUMENT;
        sn__pack_put(p, array, k, p->model->nv, row);
    }
    return SN_OK;
}

/* One lane of what a kernel answered. */
static void gather(const sn_dynamics *d, const void *lanes, int lane, size_t n, double *values) {
    const size_t width = (size_t)d->pack.k->info.width, at = (size_t)lane;
    for (size_t i = 0; i < n; i++)
        values[i] = d->pack.def.precision == SN_PRECISION_DOUBLE
                        ? ((const double *)lanes)[i * width + at]
                        : (double)((const float *)lanes)[i * width + at];
}

static void summarise(sn_dynamics *d, const struct batch *b, const struct sn__args *args, sn_summary *s) {
    d->pack.k->summary(args, d->answer);
    for (int k = 0; k < b->n; k++) {
        double v[11];
        gather(d, d->answer, k, 11, v);
        s[b->first + k] =
            (sn_summary){v[0], v[1], {v[2], v[3], v[4]}, {v[5], v[6], v[7]}, {v[8], v[9], v[10]}};
    }
}

sn_status sn_dynamics_bodies(sn_dynamics *d, const double *q, const double *qd, double *pose,
                             double *velocity, sn_summary *summary) {
    const size_t nbody = (size_t)d->pack.model->nbody;
    for (struct batch b = {0, 0}; next_batch(d, &b);) {
        if (load(d, &b, q, qd)) return SN_ERROR_ARGUMENT;
        const struct sn__args args = sn__pack_args(&d->pack, 0);
        if (summary) summarise(d, &b, &args, summary);
        if (summary && !pose && !velocity) continue;
        d->pack.k->kinematics(&args, d->answer);
        for (int k = 0; k < b.n; k++) {
            const size_t first = (size_t)(b.first + k) * nbody;
            gather(d, d->answer, k, 13 * nbody, d->row);
            for (size_t i = 0; i < nbody; i++) {
                if (pose) memcpy(pose + 7 * (first + i), d->row + 13 * i, 7 * sizeof *pose);
                if (velocity) memcpy(velocity + 6 * (first + i), d->row + 13 * i + 7, 6 * sizeof *velocity);
            }
        }
    }
    return SN_OK;
}

/* The calculator whose lanes have the kernels of questions: this one, or another, unless the user chose these lanes. */
static sn_status who_answers(sn_dynamics **d) {
    sn_dynamics *asked = *d;
    if (asked->pack.k->study) return SN_OK;
    if (asked->def.lanes) return SN_ERROR_UNSUPPORTED;
    if (!asked->answers) {
        const struct sn__kernels *k =
            sn__kernels_with(SN__STUDY, asked->def.precision, asked->def.count > 1, NULL);
        sn_dynamics_def def = asked->def;
        def.lanes = k ? k->info.name : NULL;
        asked->answers = k && k->study ? sn_dynamics_create(asked->pack.model, &def, NULL) : NULL;
    }
    *d = asked->answers;
    return *d ? SN_OK : SN_ERROR_UNSUPPORTED;
}

sn_status sn_dynamics_jacobian(sn_dynamics *d, const double *q, int body, const double point[3], double *J) {
    const size_t n = 6 * (size_t)d->pack.model->nv;
    if (body < 0 || body >= d->pack.model->nbody || !point || !J || !sn__pack_holds(&d->pack, 3, point))
        return SN_ERROR_ARGUMENT;
    if (who_answers(&d)) return SN_ERROR_UNSUPPORTED;
    for (struct batch b = {0, 0}; next_batch(d, &b);) {
        if (load(d, &b, q, NULL)) return SN_ERROR_ARGUMENT;
        const struct sn__args args = sn__pack_args(&d->pack, 0);
        d->pack.k->study->jacobian(&args, body, point, d->answer);
        for (int k = 0; k < b.n; k++)
            gather(d, d->answer, k, n, J + (size_t)(b.first + k) * n);
    }
    return SN_OK;
}

sn_status sn_dynamics_mass_matrix(sn_dynamics *d, const double *q, double *M) {
    const size_t nv = (size_t)d->pack.model->nv;
    if (who_answers(&d)) return SN_ERROR_UNSUPPORTED;
    for (struct batch b = {0, 0}; next_batch(d, &b);) {
        if (!M || load(d, &b, q, NULL)) return SN_ERROR_ARGUMENT;
        if (sn__pack_need_matrix(&d->pack)) return SN_ERROR_MEMORY;
        const struct sn__args args = sn__pack_args(&d->pack, 0);
        d->pack.k->study->crba(&args, d->pack.field[SN__MATRIX]);
        for (int k = 0; k < b.n; k++) {
            double *own = M + (size_t)(b.first + k) * nv * nv;
            gather(d, d->pack.field[SN__MATRIX], k, nv * nv, own);
            for (size_t i = 0; i < nv; i++)
                own[i * nv + i] += d->pack.model->armature[i];
        }
    }
    return SN_OK;
}

/* Forces of passive springs, in lanes, into SN__TAU. */
static void spring_lanes(sn_dynamics *d, const struct sn__args *args) {
    if (d->pack.model->has_stiffness) d->pack.k->springs(args, d->pack.field[SN__TAU]);
}

/* Force of the passive springs and dampers of a lane, [nv], into d->row. */
static void passive_force(sn_dynamics *d, int lane) {
    const sn_model *m = d->pack.model;
    double *force = d->row, *qd = d->row + m->nv;
    memset(force, 0, sizeof *force * (size_t)m->nv);
    if (m->has_stiffness) gather(d, d->pack.field[SN__TAU], lane, (size_t)m->nv, force);
    sn__pack_get(&d->pack, SN__QD, lane, m->nv, qd);
    for (int v = 0; v < m->nv; v++)
        force[v] -= m->damping[v] * qd[v];
}

sn_status sn_dynamics_inverse(sn_dynamics *d, const double *q, const double *qd, const double *push,
                              const double *qdd, double *tau) {
    const sn_model *m = d->pack.model;
    const size_t nv = (size_t)m->nv;
    if (!qdd || !tau) return SN_ERROR_ARGUMENT;
    for (struct batch b = {0, 0}; next_batch(d, &b);) {
        if (load(d, &b, q, qd) || load_push(d, &b, push) || load_values(d, &b, SN__TAU, qdd))
            return SN_ERROR_ARGUMENT;
        const struct sn__args args = sn__pack_args(&d->pack, 0);
        d->pack.k->rnea(&args, d->pack.field[SN__TAU], d->pack.field[SN__TAU2]);
        spring_lanes(d, &args);
        for (int k = 0; k < b.n; k++) {
            const size_t row = (size_t)(b.first + k) * nv;
            passive_force(d, k);
            const double *force = d->row;
            double *rigid = d->row + m->nv; /* qdd and tau may be the same array */
            gather(d, d->pack.field[SN__TAU2], k, nv, rigid);
            for (size_t v = 0; v < nv; v++)
                tau[row + v] = rigid[v] + (m->armature[v] * qdd[row + v] - force[v]);
        }
    }
    return SN_OK;
}

static bool has_armature(const sn_model *m) {
    for (int v = 0; v < m->nv; v++)
        if (m->armature[v] != 0) return true;
    return false;
}

sn_status sn_dynamics_forward(sn_dynamics *d, const double *q, const double *qd, const double *push,
                              const double *tau, double *qdd) {
    const sn_model *m = d->pack.model;
    const size_t nv = (size_t)m->nv;
    if (!tau || !qdd) return SN_ERROR_ARGUMENT;
    if (who_answers(&d)) return SN_ERROR_UNSUPPORTED;
    for (struct batch b = {0, 0}; next_batch(d, &b);) {
        if (load_values(d, &b, SN__TAU, tau) || load(d, &b, q, qd) || load_push(d, &b, push))
            return SN_ERROR_ARGUMENT;
        struct sn__args args = sn__pack_args(&d->pack, 0);
        spring_lanes(d, &args);
        for (int k = 0; k < b.n; k++) { /* springs give way to the whole torque, lane by lane */
            passive_force(d, k);
            for (size_t v = 0; v < nv; v++)
                d->row[v] += tau[(size_t)(b.first + k) * nv + v];
            sn__pack_put(&d->pack, SN__TAU, k, m->nv, d->row);
        }
        args.K = has_armature(m) ? d->pack.field[SN__ARMATURE] : NULL;
        args.per_axis = NULL;
        d->pack.k->study->aba(&args, d->pack.field[SN__TAU], d->pack.field[SN__TAU2]);
        for (int k = 0; k < b.n; k++)
            gather(d, d->pack.field[SN__TAU2], k, nv, qdd + (size_t)(b.first + k) * nv);
    }
    return SN_OK;
}
