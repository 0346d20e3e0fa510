/* Position-based steps of one character: made, with their memory, and freed. */
#include "studies/position_inner.h"
#include "studies/position_points.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/joint.h"

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
        p->pk = sn__study_table(k);
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
