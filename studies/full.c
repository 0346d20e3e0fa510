/* Stable PD in full coordinates behind its header: from joint coordinates to bodies, the run, and what comes of it. */
#include "studies/full.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/flush.h"
#include "base/memory.h"
#include "base/quat.h"
#include "kernels/select.h"
#include "model/model.h"
#include "sinew/studies.h"
#include "studies/kernels/table.h"

struct full_run {
    const sn_model *model;
    const struct sn__full_kernels *k;
    struct sn__full_setup setup;
    struct sn__full_part *part;
    double *gain;  /* [3 nv] kp, kw, K */
    double *state; /* [nbody][SN__FULL_STATE] */
    double *out;   /* [2 nv + 6 nbody] */
    void *work, *dense;
};

static bool all_finite(size_t n, const double *x) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* ---------------------------------------------------------------------------------------- what it can be used for */

static bool good_joint(const struct tree_body_f64 *t) {
    if (t->joint == SN__JOINT_BALL || t->joint == SN__JOINT_HINGE) return true;
    if (t->joint == SN__JOINT_FREE) return t->parent < 0;
    return t->naxes == 2 && t->way[0] == SN__TURNS && t->way[1] == SN__TURNS;
}

static bool good_model(const sn_model *m) {
    for (int i = 0; i < m->nbody; i++) {
        const struct tree_body_f64 *t = &m->tree_f64.body[i];
        if (!good_joint(t) || !(t->mass > 0) || t->lift != 0) return false;
    }
    for (int v = 0; v < m->nv; v++)
        if (m->armature[v] != 0 || m->damping[v] != 0 || m->stiffness[v] != 0) return false;
    return true;
}

static bool good_run(const sn_model *m, const double *q, const double *qd, const sn_full_run *r) {
    if (!m || !q || !qd || !r || !r->kp || !r->kd || !r->target) return false;
    if ((unsigned)r->method > SN_FULL_METHOD_KKT || (unsigned)r->repair > SN_FULL_REPAIR_SNAP) return false;
    if ((unsigned)r->precision > SN_PRECISION_FLOAT || r->steps < 1) return false;
    if (r->form != SN_FORM_STABLE && r->form != SN_FORM_FULL) return false;
    const bool factors = r->method == SN_FULL_METHOD_COUPLED || r->method == SN_FULL_METHOD_SOFT_ROWS;
    if (r->repair == SN_FULL_REPAIR_PROJECTION && !factors) return false;
    if ((unsigned)r->products > SN_FULL_PRODUCTS_CARRIED) return false;
    if (r->products && (r->method != SN_FULL_METHOD_NULL_SPACE || r->repair)) return false;
    const size_t steps = r->accelerations ? 1 : (size_t)r->steps;
    if (!(r->dt > 0) || !isfinite(r->dt) || !all_finite(3, r->gravity)) return false;
    for (int v = 0; v < m->nv; v++)
        if (!(r->kp[v] >= 0 && r->kd[v] >= 0 && isfinite(r->kp[v]) && isfinite(r->kd[v]))) return false;
    return all_finite((size_t)m->nq, q) && all_finite((size_t)m->nv, qd) &&
           all_finite(steps * (size_t)m->nq, r->target);
}

/* --------------------------------------------------------------------------------------------------- bodies apart */

/* The inertia about the centre of mass c from that about the joint: J - m (c.c 1 - c c^T). */
static void put_part(const sn_model *m, int i, struct sn__full_part *part) {
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const struct tree_body_f64 *t = &m->tree_f64.body[i];
    double c[3];
    part->mass = t->mass;
    for (int k = 0; k < 3; k++) {
        c[k] = t->mc[k] / t->mass;
        part->child_arm[k] = -c[k];
        part->parent_arm[k] = t->offset[k];
        if (t->parent >= 0) {
            const struct tree_body_f64 *p = &m->tree_f64.body[t->parent];
            part->parent_arm[k] -= p->mc[k] / p->mass;
        }
    }
    for (int k = 0; k < 6; k++)
        part->J[k] = t->J[k] + t->mass * (c[row[k]] * c[column[k]] - (k < 3 ? dvec_dot(c, c) : 0));
    part->bend = t->naxes == 2 ? dvec_dot(t->axis[0], t->axis[1]) : 0;
}

/* Where the joint has turned a body, from q of its parent's orientation; and its angular velocity against the parent. */
static void turn_joint(const struct tree_body_f64 *t, const double Qp[4], const double *q, const double *qd,
                       double Q[4], double w[3]) {
    memset(w, 0, 3 * sizeof *w);
    if (t->joint == SN__JOINT_FREE || t->joint == SN__JOINT_BALL) {
        const int skip = t->joint == SN__JOINT_FREE ? 3 : 0;
        double own[4];
        memcpy(own, q + skip, sizeof own);
        dquat_normalise(own);
        if (skip)
            memcpy(Q, own, sizeof own);
        else
            dquat_multiply(Qp, t->rot, Q), dquat_multiply(Q, own, Q);
        dquat_rotate(Q, qd + skip, w);
        return;
    }
    dquat_multiply(Qp, t->rot, Q);
    for (int k = 0; k < t->naxes; k++) {
        double turn[4], u[3], axis[3];
        for (int l = 0; l < 3; l++)
            u[l] = q[k] * t->axis[k][l];
        dquat_exp(u, turn);
        dquat_multiply(Q, turn, Q);
        dquat_rotate(Q, t->axis[k], axis);
        for (int l = 0; l < 3; l++)
            w[l] += qd[k] * axis[l];
    }
}

static void start_body(struct full_run *r, int i, const double *q, const double *qd) {
    static const double world[SN__FULL_STATE] = {[3] = 1};
    const struct tree_body_f64 *t = &r->model->tree_f64.body[i];
    const struct sn__full_part *part = &r->part[i];
    const double *p = t->parent < 0 ? world : r->state + SN__FULL_STATE * t->parent;
    double *s = r->state + SN__FULL_STATE * i, w[3], arm[3], at[3], turn[3];
    turn_joint(t, p + 3, q + t->q, qd + t->v, s + 3, w);
    dquat_rotate(s + 3, part->child_arm, arm);
    for (int k = 0; k < 3; k++)
        s[10 + k] = p[10 + k] + w[k];
    dvec_cross(s + 10, arm, turn);
    if (t->joint == SN__JOINT_FREE) {
        for (int k = 0; k < 3; k++)
            s[k] = q[t->q + k] - arm[k], s[7 + k] = qd[t->v + k] - turn[k];
        return;
    }
    double with[3];
    dquat_rotate(p + 3, part->parent_arm, at);
    dvec_cross(p + 10, at, with);
    for (int k = 0; k < 3; k++) {
        s[k] = p[k] + at[k] - arm[k];
        s[7 + k] = p[7 + k] + with[k] - turn[k];
    }
}

/* Linear momentum, and angular momentum about the common centre of mass. */
static void momentum_of(const struct full_run *r, double out[6]) {
    double mass = 0, centre[3] = {0};
    memset(out, 0, 6 * sizeof *out);
    for (int i = 0; i < r->model->nbody; i++) {
        const double *s = r->state + SN__FULL_STATE * i, m = r->part[i].mass;
        mass += m;
        for (int k = 0; k < 3; k++)
            centre[k] += m * s[k], out[k] += m * s[7 + k];
    }
    for (int i = 0; i < r->model->nbody; i++) {
        const double *s = r->state + SN__FULL_STATE * i, *J = r->part[i].J;
        const double back[4] = {s[3], -s[4], -s[5], -s[6]};
        double w[3], arm[3], L[3];
        dquat_rotate(back, s + 10, w);
        double spin[3] = {J[0] * w[0] + J[3] * w[1] + J[4] * w[2], J[3] * w[0] + J[1] * w[1] + J[5] * w[2],
                          J[4] * w[0] + J[5] * w[1] + J[2] * w[2]};
        dquat_rotate(s + 3, spin, spin);
        for (int k = 0; k < 3; k++)
            arm[k] = s[k] - centre[k] / mass;
        dvec_cross(arm, s + 7, L);
        for (int k = 0; k < 3; k++)
            out[3 + k] += spin[k] + r->part[i].mass * L[k];
    }
}

/* ------------------------------------------------------------------------------------------------------------ run */

/* As src/dynamics/drive.c has them. */
static void put_gains(struct full_run *r, const sn_full_run *run) {
    const int nv = r->model->nv;
    const double h = run->dt;
    double *kp = r->gain, *kw = kp + nv, *K = kw + nv;
    for (int v = 0; v < nv; v++) {
        kp[v] = run->kp[v];
        kw[v] = run->kd[v] + h * run->kp[v];
        K[v] = h * run->kd[v] + (run->form == SN_FORM_FULL ? h * h * run->kp[v] : 0);
    }
    r->setup.kp = kp, r->setup.kw = kw, r->setup.K = K;
}

static sn_status make(struct full_run *r, const sn_full_run *run) {
    const size_t n = (size_t)r->model->nbody, nv = (size_t)r->model->nv;
    const struct sn__kernels *lanes =
        sn__kernels_find(run->precision == SN_PRECISION_DOUBLE ? "f64" : "f32", run->precision, false, NULL);
    if (!lanes) return SN_ERROR_UNSUPPORTED;
    r->k = sn__study_table(lanes)->full;
    r->setup.tree = run->precision == SN_PRECISION_DOUBLE ? (const void *)&r->model->tree_f64
                                                          : (const void *)&r->model->tree_f32;
    r->part = sn__alloc(n, sizeof *r->part);
    r->gain = sn__alloc(3 * nv, sizeof *r->gain);
    r->state = sn__alloc(n * SN__FULL_STATE, sizeof *r->state);
    r->out = sn__alloc(2 * nv + SN__FULL_ROWS * n, sizeof *r->out);
    r->work = sn__alloc_aligned(r->k->size(r->model->nbody));
    if (run->method == SN_FULL_METHOD_KKT) {
        r->dense = sn__alloc_aligned(r->k->dense_size(&r->setup));
        if (!r->dense) return SN_ERROR_MEMORY;
    }
    return r->part && r->gain && r->state && r->out && r->work ? SN_OK : SN_ERROR_MEMORY;
}

static void start(struct full_run *r, const double *q, const double *qd, const sn_full_run *run) {
    put_gains(r, run);
    for (int i = 0; i < r->model->nbody; i++) {
        put_part(r->model, i, &r->part[i]);
        start_body(r, i, q, qd);
    }
    r->setup.part = r->part;
    r->setup.dt = run->dt;
    memcpy(r->setup.gravity, run->gravity, sizeof run->gravity);
    r->setup.method = (int)run->method, r->setup.repair = (int)run->repair;
    r->setup.products = (int)run->products;
    r->setup.accelerations = run->accelerations;
    r->k->begin(r->work, &r->setup, r->state, r->dense);
}

static sn_status go(struct full_run *r, sn_full_run *run) {
    const int nq = r->model->nq;
    if (run->gap) *run->gap = 0;
    for (int step = 1; step <= (run->accelerations ? 1 : run->steps); step++) {
        run->lost = step;
        if (!r->k->solve(r->work, run->target + (size_t)(step - 1) * (size_t)nq)) return SN_ERROR_NOT_FINITE;
        if (run->accelerations) break;
        r->k->move(r->work);
        if (!run->gap) continue;
        const double gap = r->k->gap(r->work);
        if (!isfinite(gap)) return SN_ERROR_NOT_FINITE;
        *run->gap = fmax(*run->gap, gap);
    }
    r->k->state(r->work, r->state);
    if (!all_finite((size_t)r->model->nbody * SN__FULL_STATE, r->state)) return SN_ERROR_NOT_FINITE;
    run->lost = 0;
    return SN_OK;
}

static sn_status report(struct full_run *r, sn_full_run *run) {
    const size_t nv = (size_t)r->model->nv;
    double *qdd = r->out, *tau = qdd + nv, *force = tau + nv;
    run->rows = r->k->solution(r->work, qdd, tau, force);
    if (!all_finite(2 * nv, r->out)) {
        run->lost = run->steps;
        return SN_ERROR_NOT_FINITE;
    }
    if (run->qdd) memcpy(run->qdd, qdd, nv * sizeof *qdd);
    if (run->tau) memcpy(run->tau, tau, nv * sizeof *tau);
    if (run->force && run->method != SN_FULL_METHOD_NULL_SPACE)
        memcpy(run->force, force, (size_t)run->rows * sizeof *force);
    for (int i = 0; i < r->model->nbody && run->com; i++)
        memcpy(run->com + 3 * i, r->state + SN__FULL_STATE * i, 3 * sizeof *run->com);
    if (run->momentum) momentum_of(r, run->momentum + 6);
    return SN_OK;
}

sn_status sn_full_go(const sn_model *model, const double *q, const double *qd, sn_full_run *run) {
    if (!good_run(model, q, qd, run)) return SN_ERROR_ARGUMENT;
    if (!good_model(model)) return SN_ERROR_UNSUPPORTED;
    struct full_run r = {.model = model};
    sn_status status = make(&r, run);
    if (status == SN_OK) {
        start(&r, q, qd, run);
        if (run->momentum) momentum_of(&r, run->momentum);
        const struct sn__flush flush = sn__flush_begin();
        status = go(&r, run);
        sn__flush_end(flush);
    }
    if (status == SN_OK) status = report(&r, run);
    sn__free_all(r.part, r.gain, r.state, r.out, r.work, r.dense);
    return status;
}
