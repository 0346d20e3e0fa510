/* Position-based steps of one character behind the public header: definitions carried over, arguments looked at. */
#include <math.h>
#include <string.h>

#include "base/definition.h"
#include "base/error.h"
#include "base/memory.h"
#include "studies/position_inner.h"
#include "studies/position_points.h"
#include "sinew/studies.h"

#define SAME(public, private)                                                                                \
    _Static_assert((int)(public) == (int)(private), "public enumerators are those of the kernels")
SAME(SN_POSITION_METHOD_PBAD2, SN__PBAD2);
SAME(SN_POSITION_METHOD_RADAU3, SN__RADAU3);
SAME(SN_POSITION_SOLVER_SWEEPS, SN__SOLVE_SWEEPS);
SAME(SN_POSITION_SOLVER_LBFGS, SN__SOLVE_LBFGS);
SAME(SN_POSITION_HESSIAN_GAUSS_NEWTON, SN__GAUSS_NEWTON);
SAME(SN_POSITION_HESSIAN_EXACT, SN__EXACT);

sn_position *sn_position_create(const sn_model *model, const sn_position_def *d, sn_error *error) {
    sn_position_def given;
    if (!sn__definition_take_or("sn_position_def", d, &given, error)) return NULL;
    d = &given;
    for (int k = 0; k < 3; k++)
        if (!isfinite(d->gravity[k])) {
            sn__fail(error, SN_ERROR_ARGUMENT, "gravity is not finite");
            return NULL;
        }
    const struct sn__position_def own = {.precision = d->precision,
                                         .lanes = d->lanes,
                                         .gravity = {d->gravity[0], d->gravity[1], d->gravity[2]},
                                         .dt = d->dt,
                                         .method = (enum sn__position_method)d->method,
                                         .solver = (enum sn__position_solver)d->solver,
                                         .hessian = (enum sn__position_hessian)d->hessian,
                                         .sweeps = d->sweeps,
                                         .tolerance = d->tolerance,
                                         .most = d->most,
                                         .squares = d->squares,
                                         .substeps = d->substeps};
    return sn__position_create(model, &own, error);
}

void sn_position_free(sn_position *p) {
    sn__position_free(p);
}

sn_status sn_position_start(sn_position *p, const double *q, const double *qd, bool backwards) {
    if (!p) return SN_ERROR_ARGUMENT;
    return backwards ? sn__position_start_backwards(p, q, qd) : sn__position_start(p, q, qd);
}

sn_status sn_position_step(sn_position *p, sn_position_report *report) {
    if (!p) return SN_ERROR_ARGUMENT;
    struct sn__position_report own = {0};
    const sn_status status = sn__position_step(p, &own);
    if (report)
        *report = (sn_position_report){own.iterations, own.evaluations, own.backtracks,
                                       own.fallbacks,  own.residual,    own.converged};
    return status;
}

sn_status sn_position_state(const sn_position *p, double *q, double *qd) {
    if (!p) return SN_ERROR_ARGUMENT;
    sn__position_state(p, q, qd);
    return SN_OK;
}

sn_status sn_position_set_gains(sn_position *p, const double *kp, const double *kd) {
    if (!p || !kp || !kd) return SN_ERROR_ARGUMENT;
    for (int v = 0; v < p->model->nv; v++)
        if (!(kp[v] >= 0) || !(kd[v] >= 0)) return SN_ERROR_ARGUMENT;
    return sn__position_set_gains(p, kp, kd);
}

sn_status sn_position_set_target(sn_position *p, int stage, const double *q, const double *qd) {
    return p ? sn__position_set_target(p, stage, q, qd) : SN_ERROR_ARGUMENT;
}

/* ------------------------------------------------------------------------------------------------- drag and ground */

static sn_status need_points(sn_position *p) {
    if (p->def.method != SN__PBAD2 || p->def.solver == SN__SOLVE_LM_DENSE || p->def.solver == SN__SOLVE_LBFGS)
        return SN_ERROR_UNSUPPORTED;
    if (!p->points) p->points = sn__points_create(p);
    return p->points ? SN_OK : SN_ERROR_MEMORY;
}

static bool good_ground(const sn_position_ground_def *g) {
    return (unsigned)g->friction <= SN_POSITION_FRICTION_COULOMB && g->d1 >= 0 && isfinite(g->d1) &&
           g->d2 >= 0 && isfinite(g->d2) && g->mu >= 0 && isfinite(g->mu) && g->slow > 0 &&
           isfinite(g->slow) && g->drag_along >= 0 && isfinite(g->drag_along) && g->drag_across >= 0 &&
           isfinite(g->drag_across);
}

sn_status sn_position_set_ground(sn_position *p, const sn_position_ground_def *ground, int npoint,
                                 const int *body, const double *point) {
    sn_position_ground_def own;
    if (!sn__definition_take_or("sn_position_ground_def", ground, &own, NULL)) return SN_ERROR_ARGUMENT;
    if (ground) ground = &own;
    if (!p || (ground && (!good_ground(ground) || npoint < 0 || (npoint && (!body || !point)))))
        return SN_ERROR_ARGUMENT;
    if (!ground) npoint = 0;
    for (int i = 0; i < npoint; i++) {
        if (body[i] < 0 || body[i] >= p->model->nbody) return SN_ERROR_ARGUMENT;
        for (int k = 0; k < 3; k++)
            if (!isfinite(point[3 * i + k])) return SN_ERROR_ARGUMENT;
    }
    const sn_status status = need_points(p);
    if (status) return status;
    struct sn__points *s = p->points;
    const size_t n = (size_t)npoint + 1;
    int *bodies = sn__alloc(n, sizeof *bodies);
    double *points = sn__alloc(3 * n, sizeof *points), *normal = sn__alloc(n, sizeof *normal);
    if (!bodies || !points || !normal) {
        sn__free_all(bodies, points, normal);
        return SN_ERROR_MEMORY;
    }
    for (int i = 0; i < npoint; i++) {
        bodies[i] = body[i];
        for (int k = 0; k < 3; k++)
            points[3 * i + k] = point[3 * i + k] + p->model->tree_f64.body[body[i]].origin[k];
    }
    sn__free_all(s->body, s->point, s->normal);
    s->body = bodies, s->point = points, s->normal = normal;
    s->npoint = npoint;
    s->has_ground = npoint > 0;
    s->has_drag = ground && (ground->drag_along > 0 || ground->drag_across > 0);
    if (ground) s->ground = *ground;
    return SN_OK;
}
