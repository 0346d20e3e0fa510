/* Position-based steps of one character: memory, the past, the step. */
#include "studies/position_inner.h"
#include "studies/position_points.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "sinew/dynamics.h"
#include "model/joint.h"

/* ----------------------------------------------------------------------------------------------- to and from lanes */

void sn__position_put(const struct sn__position *p, void *lanes, int n, const double *x) {
    const int width = p->k->info.width;
    for (int i = 0; i < n; i++)
        for (int lane = 0; lane < width; lane++) {
            if (p->def.precision == SN_PRECISION_DOUBLE)
                ((double *)lanes)[i * width + lane] = x[i];
            else
                ((float *)lanes)[i * width + lane] = (float)x[i];
        }
}

void sn__position_get(const struct sn__position *p, const void *lanes, int n, double *x) {
    const int width = p->k->info.width;
    for (int i = 0; i < n; i++)
        x[i] = p->def.precision == SN_PRECISION_DOUBLE ? ((const double *)lanes)[i * width]
                                                       : (double)((const float *)lanes)[i * width];
}

double sn__position_first(const struct sn__position *p, const void *lanes) {
    double x;
    sn__position_get(p, lanes, 1, &x);
    return x;
}

/* ------------------------------------------------------------------------------------------------------- making */

struct sn__position_def sn__position_def_default(void) {
    return (struct sn__position_def){.precision = SN_PRECISION_DOUBLE,
                                     .gravity = {0, 0, -9.81},
                                     .dt = 1.0 / 60,
                                     .method = SN__PBAD2,
                                     .solver = SN__SOLVE_NEWTON,
                                     .hessian = SN__MIRRORED,
                                     .sweeps = 2,
                                     .tolerance = 1e-8,
                                     .most = 100,
                                     .substeps = 4};
}

/* The arrays in lanes one after the other, each with its number of values. */
static int list_arrays(struct sn__position *p, void **list[], int count[]) {
    const int nq = p->model->nq, nv = p->model->nv, nP = SN__AFFINE * p->model->nbody, m = p->scheme.m;
    int n = 0;
#define ARRAY(pointer, values) list[n] = &(pointer), count[n++] = (values)
    for (int i = 0; i < p->scheme.past; i++) {
        ARRAY(p->past_q[i], nq);
        ARRAY(p->past_P[i], nP);
    }
    for (int i = 0; i < m; i++) {
        ARRAY(p->q[i], nq);
        ARRAY(p->try_q[i], nq);
        ARRAY(p->T[i], nP);
        ARRAY(p->P[i], nP);
        ARRAY(p->g[i], nv);
        ARRAY(p->try_g[i], nv);
        ARRAY(p->delta[i], nv);
        ARRAY(p->try_delta[i], nv);
        ARRAY(p->target_q[i], nq);
        ARRAY(p->target_qd[i], nv);
    }
    for (int i = 0; i <= m + 1; i++)
        ARRAY(p->guess_q[i], nq);
    ARRAY(p->last_target, nq);
    ARRAY(p->V, nP);
    ARRAY(p->qd, nv);
    ARRAY(p->kp, nv);
    ARRAY(p->kd, nv);
    ARRAY(p->damping, nv);
    ARRAY(p->armature, nv);
    ARRAY(p->feedforward, nv);
    ARRAY(p->lambda, nv);
    ARRAY(p->row, nv);
    ARRAY(p->push, 6 * p->model->nbody);
    ARRAY(p->energy, 1);
    ARRAY(p->part, 1);
#undef ARRAY
    return n;
}
enum { MOST_ARRAYS = 2 * SN__POSITION_PAST + 10 * SN__POSITION_STAGES + SN__GUESS_POSES + 17 };

static bool allocate(struct sn__position *p) {
    void **list[MOST_ARRAYS];
    int count[MOST_ARRAYS];
    const int n = list_arrays(p, list, count);
    const sn_model *m = p->model;
    for (int i = 0; i < n; i++)
        if (!(*list[i] = sn__alloc_aligned(sn__position_bytes(p, count[i] + 1)))) return false;
    p->args.work = sn__alloc_aligned(p->pk->work_size(m->nbody, m->nv, m->tree_f64.nslot, p->scheme.m));
    p->anchor = sn__alloc(3 * (size_t)m->nbody, sizeof *p->anchor);
    p->x = sn__alloc(2 * (size_t)m->nv + 6 * (size_t)m->nbody, sizeof *p->x);
    p->target = sn__alloc((size_t)m->nq + (size_t)m->nv, sizeof *p->target);
    return p->args.work && p->anchor && p->x && p->target;
}

/* What stays the same from step to step. */
static void prepare(struct sn__position *p) {
    const sn_model *m = p->model;
    struct sn__position_args *a = &p->args;
    bool damping = false, armature = false;
    sn__position_scheme_put(&p->scheme, a);
    a->tree =
        p->def.precision == SN_PRECISION_DOUBLE ? (const void *)&m->tree_f64 : (const void *)&m->tree_f32;
    a->dt = p->def.dt;
    memcpy(a->gravity, p->def.gravity, sizeof a->gravity);
    for (int i = 0; i < p->scheme.past; i++)
        a->past_q[i] = p->past_q[i];
    for (int i = 0; i < p->scheme.m; i++)
        a->T[i] = p->T[i];
    for (int v = 0; v < m->nv; v++)
        damping |= m->damping[v] != 0, armature |= m->armature[v] != 0;
    sn__position_put(p, p->damping, m->nv, m->damping);
    sn__position_put(p, p->armature, m->nv, m->armature);
    a->damping = damping ? p->damping : NULL;
    a->armature = armature ? p->armature : NULL;
    a->springs = m->has_stiffness;
    a->past_qd = p->scheme.has_velocity ? p->qd : NULL;
    p->force_scale = sn__position_force_scale(m, p->def.gravity);
}

sn_status sn__position_given(const void *model, const void *def, sn_error *error) {
    if (model && def) return SN_OK;
    return sn__fail(error, SN_ERROR_ARGUMENT, "the model or the definition is NULL");
}

static sn_status check_def(const sn_model *model, const struct sn__position_def *d, sn_error *error) {
    if (sn__position_given(model, d, error)) return error->status;
    if (!(d->dt > 0) || !isfinite(d->dt))
        return sn__fail(error, SN_ERROR_ARGUMENT, "dt is %g: it must be positive and finite", d->dt);
    if ((unsigned)d->method >= SN__POSITION_METHODS || (unsigned)d->solver > SN__SOLVE_LBFGS ||
        (unsigned)d->hessian > SN__EXACT || (unsigned)d->precision > SN_PRECISION_FLOAT)
        return sn__fail(error, SN_ERROR_ARGUMENT, "the definition holds an enumerator that does not exist");
    if (!(d->tolerance >= 0) || d->sweeps < 0 || d->most < 0 || d->substeps < 0)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "tolerance, sweeps, iterations and substeps must not be negative");
    if (d->solver == SN__SOLVE_LBFGS && !sn__position_has_lbfgs())
        return sn__fail(error, SN_ERROR_UNSUPPORTED, "this build of the library has no liblbfgs");
    if (d->solver == SN__SOLVE_LM_SWEEP && sn__position_scheme_of(d->method).m > 1)
        return sn__fail(error, SN_ERROR_UNSUPPORTED,
                        "Levenberg-Marquardt by sweeps is for schemes of one pose");
    return SN_OK;
}

struct sn__position *sn__position_create(const sn_model *model, const struct sn__position_def *def,
                                         sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    if (check_def(model, def, error)) return NULL;
    if (model->has_lift) {
        sn__fail(error, SN_ERROR_UNSUPPORTED, "bodies with lift are not solved by positions");
        return NULL;
    }
    const struct sn__kernels *k = sn__kernels_find(def->lanes, def->precision, false, error);
    if (!k) return NULL;
    struct sn__position *p = sn__alloc(1, sizeof *p);
    if (p) {
        p->model = model;
        p->k = k;
        p->pk = k->position;
        p->def = *def;
        p->def.lanes = k->info.name;
        p->scheme = sn__position_scheme_of(def->method);
    }
    if (p && (p->scheme.m > 1 || def->hessian == SN__EXACT) && !p->pk->block) {
        sn__fail(error, SN_ERROR_UNSUPPORTED, "lanes '%s' have sweeps of one pose only", k->info.name);
        sn__free(p);
        return NULL;
    }
    if (!p || !allocate(p)) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for position-based steps");
        sn__position_free(p);
        return NULL;
    }
    prepare(p);
    if (p->scheme.m > 1 && def->substeps > 0) {
        struct sn__position_def plain = *def;
        plain.method = SN__PBAD2, plain.solver = SN__SOLVE_NEWTON, plain.hessian = SN__MIRRORED;
        p->plain = sn__position_create(model, &plain, error);
        if (!p->plain) {
            sn__position_free(p);
            return NULL;
        }
    }
    sn_model_zero_pose(model, p->target);
    memset(p->x, 0, (size_t)model->nv * sizeof *p->x);
    sn__position_start(p, p->target, p->x);
    return p;
}

void sn__position_free(struct sn__position *p) {
    void **list[MOST_ARRAYS];
    int count[MOST_ARRAYS];
    if (!p) return;
    const int n = list_arrays(p, list, count);
    for (int i = 0; i < n; i++)
        sn__free(*list[i]);
    sn__position_free(p->plain);
    sn__position_system_free(p->system);
    sn__points_free(p->points);
    sn__free_all(p->args.work, p->anchor, p->x, p->target, p);
}

/* ------------------------------------------------------------------------------------------------------ the past */

/* Poses are as small as can be when a free root starts at zero. */
void sn__position_anchor(const sn_model *model, const double *q, double *anchor) {
    for (int i = 0; i < model->nbody; i++)
        for (int k = 0; k < 3; k++)
            anchor[3 * i + k] = sn__joint_is_free(&model->body[i]) ? q[model->body[i].q_index + k] : 0;
}

void sn__position_shift(const sn_model *model, const double *anchor, double times, double *q) {
    for (int i = 0; i < model->nbody; i++)
        for (int k = 0; sn__joint_is_free(&model->body[i]) && k < 3; k++)
            q[model->body[i].q_index + k] += times * anchor[3 * i + k];
}

/* A pose less the anchor. */
static void put_pose(struct sn__position *p, void *lanes, const double *q) {
    double *own = p->target;
    memmove(own, q, (size_t)p->model->nq * sizeof *own); /* may be the same */
    sn__position_shift(p->model, p->anchor, -1, own);
    sn__position_put(p, lanes, p->model->nq, own);
}

static bool all_finite(int n, const double *x) {
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

sn_status sn__position_start_from(struct sn__position *p, const double *const *q, const double *qd) {
    const int nv = p->model->nv;
    if (!q || !qd || !all_finite(nv, qd)) return SN_ERROR_ARGUMENT;
    for (int i = 0; i < p->scheme.past; i++)
        if (!q[i] || !all_finite(p->model->nq, q[i])) return SN_ERROR_ARGUMENT;
    sn__position_anchor(p->model, q[0], p->anchor);
    sn__position_put(p, p->qd, nv, qd);
    for (int i = 0; i < p->scheme.past; i++) {
        put_pose(p, p->past_q[i], q[i]);
        p->pk->affine(p->args.tree, p->args.work, p->past_q[i], p->past_P[i]);
    }
    if (p->scheme.has_velocity) p->pk->affine_rate(p->args.tree, p->args.work, p->past_q[0], p->qd, p->V);
    p->nguess = 0;
    p->has_last_target = false;
    return SN_OK;
}

sn_status sn__position_start(struct sn__position *p, const double *q, const double *qd) {
    const int nq = p->model->nq, nv = p->model->nv;
    if (!q || !qd || !all_finite(nq, q) || !all_finite(nv, qd)) return SN_ERROR_ARGUMENT;
    sn__position_anchor(p->model, q, p->anchor);
    put_pose(p, p->past_q[0], q);
    sn__position_put(p, p->qd, nv, qd);
    for (int i = 0; i < p->scheme.past; i++) {
        const double back = p->scheme.past_node[i] * p->args.dt;
        sn__position_put(p, p->part, 1, &back);
        if (i) p->pk->move(p->args.tree, p->past_q[0], p->qd, p->part, p->past_q[i]);
        p->pk->affine(p->args.tree, p->args.work, p->past_q[i], p->past_P[i]);
    }
    if (p->scheme.has_velocity) p->pk->affine_rate(p->args.tree, p->args.work, p->past_q[0], p->qd, p->V);
    p->nguess = 0;
    p->has_last_target = false;
    return SN_OK;
}

/* Where the character was `time` ago, if nothing but gravity and springs act: forward with the velocity reversed. */
static sn_status look_back(const struct sn__position *p, double time, double *q, double *qd) {
    enum { STEPS = 64 };
    sn_dynamics_def def = sn_dynamics_def_default();
    memcpy(def.gravity, p->def.gravity, sizeof def.gravity);
    def.integrator = SN_INTEGRATOR_RK4;
    def.dt = time / STEPS;
    sn_dynamics *d = sn_dynamics_create(p->model, &def, NULL);
    if (!d) return SN_ERROR_MEMORY;
    const sn_status status = sn_dynamics_step(d, NULL, STEPS, q, qd, NULL, NULL);
    sn_dynamics_free(d);
    return status;
}

sn_status sn__position_start_backwards(struct sn__position *p, const double *q, const double *qd) {
    const size_t nq = (size_t)p->model->nq, nv = (size_t)p->model->nv;
    if (!q || !qd) return SN_ERROR_ARGUMENT;
    double *memory = sn__alloc(SN__POSITION_PAST * nq + nv, sizeof *memory), *back = memory;
    const double *pose[SN__POSITION_PAST];
    sn_status status = memory ? SN_OK : SN_ERROR_MEMORY;
    for (int i = 0; !status && i < p->scheme.past; i++) {
        pose[i] = memory + (size_t)i * nq;
        back = memory + SN__POSITION_PAST * nq;
        memcpy(memory + (size_t)i * nq, q, nq * sizeof *q);
        for (size_t v = 0; v < nv; v++)
            back[v] = -qd[v];
        if (i) status = look_back(p, -p->scheme.past_node[i] * p->def.dt, memory + (size_t)i * nq, back);
    }
    if (!status) status = sn__position_start_from(p, pose, qd);
    sn__free(memory);
    return status;
}

/* ---------------------------------------------------------------------------------------------------- what acts */

sn_status sn__position_set_gains(struct sn__position *p, const double *kp, const double *kd) {
    const int nv = p->model->nv;
    if (!kp || !kd || !all_finite(nv, kp) || !all_finite(nv, kd)) return SN_ERROR_ARGUMENT;
    sn__position_put(p, p->kp, nv, kp);
    sn__position_put(p, p->kd, nv, kd);
    p->args.kp = p->kp, p->args.kd = p->kd;
    return p->plain ? sn__position_set_gains(p->plain, kp, kd) : SN_OK;
}

sn_status sn__position_set_target(struct sn__position *p, int stage, const double *q, const double *qd) {
    if (stage < 0 || stage >= p->scheme.m || !q || !all_finite(p->model->nq, q) || !p->args.kp ||
        (qd && !all_finite(p->model->nv, qd)))
        return SN_ERROR_ARGUMENT;
    put_pose(p, p->target_q[stage], q);
    p->args.target_q[stage] = p->target_q[stage];
    if (qd) sn__position_put(p, p->target_qd[stage], p->model->nv, qd);
    p->args.target_qd[stage] = qd ? p->target_qd[stage] : NULL;
    return SN_OK;
}

sn_status sn__position_set_feedforward(struct sn__position *p, const double *tau) {
    if (tau && !all_finite(p->model->nv, tau)) return SN_ERROR_ARGUMENT;
    if (tau) sn__position_put(p, p->feedforward, p->model->nv, tau);
    p->args.feedforward = tau ? p->feedforward : NULL;
    return p->plain ? sn__position_set_feedforward(p->plain, tau) : SN_OK;
}

sn_status sn__position_set_push(struct sn__position *p, const double *push) {
    if (push && !all_finite(6 * p->model->nbody, push)) return SN_ERROR_ARGUMENT;
    if (push) sn__position_put(p, p->push, 6 * p->model->nbody, push);
    p->args.push = push ? p->push : NULL;
    return p->plain ? sn__position_set_push(p->plain, push) : SN_OK;
}

/* ----------------------------------------------------------------------------------------------------- the step */

/* T_i = sum_h W_ih P_h + velocity_i dt V. */
static void gather_past(struct sn__position *p) {
    const struct sn__position_scheme *s = &p->scheme;
    for (int i = 0; i < s->m; i++) {
        double w[SN__POSITION_PAST + 1];
        const void *x[SN__POSITION_PAST + 1];
        int n = 0;
        for (int h = 0; h < s->past; h++)
            w[n] = s->W[i][h], x[n++] = p->past_P[h];
        if (s->has_velocity) w[n] = s->velocity[i] * p->args.dt, x[n++] = p->V;
        p->pk->blend(SN__AFFINE * p->model->nbody, n, w, x, p->T[i]);
    }
}

static bool solve(struct sn__position *p, struct sn__position_report *r) {
    switch (p->def.solver) {
    case SN__SOLVE_SWEEPS:
        for (r->iterations = 0; r->iterations < p->def.sweeps; r->iterations++) {
            sn__position_evaluate(p, p->q, p->g, p->delta, (int)p->def.hessian);
            sn__position_go(p, p->q, p->delta, 1, p->q);
        }
        r->evaluations = r->iterations;
        return true;
    case SN__SOLVE_LM_SWEEP:
        return sn__position_marquardt(p, r);
    case SN__SOLVE_LM_DENSE:
        return sn__position_marquardt_dense(p, r);
    case SN__SOLVE_LBFGS:
        return sn__position_lbfgs(p, r);
    default:
        return sn__position_newton(p, r);
    }
}

bool sn__position_substeps(struct sn__position *p, struct sn__position_report *report) {
    struct sn__position *plain = p->plain;
    double *q = p->target, *qd = p->target + p->model->nq, last = 0;
    const int n = p->def.substeps;
    for (int i = 0; i < p->scheme.m; i++) {
        if (i)
            sn__position_state(plain, q, qd);
        else
            sn__position_state(p, q, qd);
        plain->args.dt = (p->scheme.node[i] - last) * p->args.dt / n;
        last = p->scheme.node[i];
        plain->args.target_q[0] = NULL;
        sn__position_start(plain, q, qd);
        if (p->args.target_q[i]) { /* its root relative to the other's anchor, which starts where this one's does */
            sn__position_get(p, p->target_q[i], p->model->nq, q);
            sn__position_shift(p->model, p->anchor, 1, q);
            if (p->args.target_qd[i]) sn__position_get(p, p->target_qd[i], p->model->nv, qd);
            sn__position_set_target(plain, 0, q, p->args.target_qd[i] ? qd : NULL);
        }
        for (int k = 0; k < n; k++) {
            struct sn__position_report own;
            if (sn__position_step(plain, &own)) return false;
            report->iterations += own.iterations, report->evaluations += own.evaluations;
        }
        sn__position_state(plain, q, NULL);
        put_pose(p, p->q[i], q);
    }
    return true;
}

/* The poses a search starts from, kept in P, which is not in use yet: nq <= 7 nbody. */
static void keep_start(struct sn__position *p) {
    for (int i = 0; i < p->scheme.m; i++)
        memcpy(p->P[i], p->q[i], sn__position_bytes(p, p->model->nq));
}

/* Gradients of several poses have other zeros, too: what is found must not be far from where the search began, in rad or m. */
static bool near_start(struct sn__position *p, double most) {
    for (int i = 0; i < p->scheme.m; i++) {
        p->pk->difference(p->args.tree, p->q[i], p->P[i], p->row);
        sn__position_get(p, p->row, p->model->nv, p->x);
        for (int v = 0; v < p->model->nv; v++)
            if (!(fabs(p->x[v]) <= most)) return false;
    }
    return true;
}

static bool solve_several(struct sn__position *p, struct sn__position_report *r, double most) {
    keep_start(p);
    return solve(p, r) && near_start(p, most);
}

/* Several poses that could not be found: once more from PBAD-2 in small steps, whose end is kept if need be, as a new start.
   SN_OK with `restarted`: the step is over. */
static sn_status solve_again(struct sn__position *p, struct sn__position_report *r, bool *restarted) {
    const int before = p->def.most;
    r->fallbacks++;
    if (!p->plain || !sn__position_substeps(p, r)) return SN_ERROR_NOT_FINITE;
    p->def.most += r->iterations;
    r->converged = solve_several(p, r, 0.5);
    p->def.most = before;
    if (r->converged) return SN_OK;
    double *q = p->plain->target, *qd = q + p->model->nq;
    sn__position_state(p->plain, q, qd);
    *restarted = true;
    return sn__position_start(p, q, qd);
}

/* The next step's past. Kept arrays change places, none is copied. */
static void roll(struct sn__position *p) {
    const struct sn__position_scheme *s = &p->scheme;
    const int m = s->m;
    for (int i = 0; i < m; i++)
        p->pk->affine(p->args.tree, p->args.work, p->q[i], p->P[i]);
    for (int i = 0; i < m; i++)
        p->args.q[i] = p->q[i];
    if (s->has_velocity) { /* dt V = sum rate (P_j - P_0), at the last stage */
        double w[SN__POSITION_STAGES + 1];
        const void *x[SN__POSITION_STAGES + 1];
        for (int j = 0; j < m; j++)
            w[j] = s->rate[m - 1][j] / p->args.dt, x[j] = p->P[j];
        w[m] = -s->rate_past[m - 1][0] / p->args.dt, x[m] = p->past_P[0];
        p->pk->blend(SN__AFFINE * p->model->nbody, m + 1, w, x, p->V);
    }
    p->pk->velocity(&p->args, m - 1, p->row);
    memcpy(p->qd, p->row, sn__position_bytes(p, p->model->nv));
    sn__position_remember(p);
    for (int i = s->past - 1; i >= 0; i--) {
        const int from = s->keep[i];
        memcpy(p->past_q[i], from >= 0 ? p->q[from] : p->past_q[-1 - from],
               sn__position_bytes(p, p->model->nq));
        memcpy(p->past_P[i], from >= 0 ? p->P[from] : p->past_P[-1 - from],
               sn__position_bytes(p, SN__AFFINE * p->model->nbody));
    }
}

/* Free roots at zero again. */
static void centre(struct sn__position *p) {
    void *q[SN__POSITION_PAST + SN__GUESS_POSES + SN__POSITION_STAGES + 1];
    int nq = 0;
    bool free_root = false;
    sn__position_get(p, p->past_q[0], p->model->nq, p->target);
    for (int i = 0; i < p->model->nbody; i++) {
        if (!sn__joint_is_free(&p->model->body[i])) continue;
        free_root = true;
        for (int k = 0; k < 3; k++)
            p->anchor[3 * i + k] += p->target[p->model->body[i].q_index + k];
    }
    if (!free_root) return;
    for (int i = 1; i < p->scheme.past; i++)
        q[nq++] = p->past_q[i];
    for (int i = 0; i < p->nguess; i++)
        q[nq++] = p->guess_q[i];
    for (int i = 0; i < p->scheme.m; i++)
        if (p->args.target_q[i]) q[nq++] = p->target_q[i];
    if (p->has_last_target) q[nq++] = p->last_target;
    p->pk->recentre(p->args.tree, p->past_q[0], nq, q, p->scheme.past, p->past_P);
    p->pk->recentre(p->args.tree, p->past_q[0], 1, p->past_q, 0, NULL);
}

static bool finite_poses(struct sn__position *p) {
    for (int i = 0; i < p->scheme.m; i++) {
        sn__position_get(p, p->q[i], p->model->nq, p->target);
        if (!all_finite(p->model->nq, p->target)) return false;
    }
    return true;
}

sn_status sn__position_step(struct sn__position *p, struct sn__position_report *report) {
    struct sn__position_report local;
    if (!report) report = &local;
    *report = (struct sn__position_report){0};
    gather_past(p);
    if (p->points) sn__points_begin(p);
    sn__position_guess(p);
    if (p->scheme.m == 1 || p->def.solver == SN__SOLVE_SWEEPS) {
        report->converged = solve(p, report);
    } else if (!(report->converged = solve_several(p, report, 1))) {
        bool restarted = false;
        const sn_status status = solve_again(p, report, &restarted);
        if (status || restarted) return status;
    }
    if (!finite_poses(p)) return SN_ERROR_NOT_FINITE;
    roll(p);
    centre(p);
    return SN_OK;
}

void sn__position_state(const struct sn__position *p, double *q, double *qd) {
    if (qd) sn__position_get(p, p->qd, p->model->nv, qd);
    if (!q) return;
    sn__position_get(p, p->past_q[0], p->model->nq, q);
    sn__position_shift(p->model, p->anchor, 1, q);
}

const struct sn__position_scheme *sn__position_scheme(const struct sn__position *p) {
    return &p->scheme;
}
