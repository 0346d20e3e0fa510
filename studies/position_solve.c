/* Newton's method on the energy of one pose, or on the gradients of several. */
#include <float.h>
#include <math.h>

#include "studies/position_inner.h"
#include "studies/position_points.h"

struct sn__position_value sn__position_evaluate(struct sn__position *p, void *const *q, void *const *g,
                                                void *const *delta, int what) {
    struct sn__position_args *a = &p->args;
    const int nv = p->model->nv;
    for (int i = 0; i < a->m; i++)
        a->q[i] = q[i], a->g[i] = g[i], a->delta[i] = delta[i];
    const bool fixed = p->def.solver == SN__SOLVE_SWEEPS; /* whatever comes of them: nobody asks */
    a->energy = fixed ? NULL : p->energy;
    const double points = p->points ? sn__points_at(p, q[0]) : 0;
    if (what == SN__GRADIENT)
        p->pk->gradient(a);
    else if (a->m == 1 && what != SN__EXACT)
        p->pk->sweep(a, what);
    else
        p->pk->block(a, what);
    if (fixed) return (struct sn__position_value){0};
    struct sn__position_value v = {.energy = sn__position_first(p, p->energy) + points};
    double *x = p->x, *d = p->x + nv;
    for (int i = 0; i < a->m; i++) {
        sn__position_get(p, g[i], nv, x);
        if (what != SN__GRADIENT) sn__position_get(p, delta[i], nv, d);
        for (int k = 0; k < nv; k++) {
            if (!(fabs(x[k]) <= v.residual)) v.residual = fabs(x[k]); /* a NaN stays */
            v.square += x[k] * x[k];
            if (what == SN__GRADIENT) continue;
            v.slope += x[k] * d[k];
            if (!(fabs(d[k]) <= v.move)) v.move = fabs(d[k]);
        }
    }
    v.residual /= p->force_scale;
    return v;
}

/* Passive balls turn bodies on their own, which is how a sweep that leaves out the coupling with the parent sees them. Drives
   are about joints, and few sweeps without a line search are safer there. */
static bool goes_by_bodies(const struct sn__position *p) {
    return p->args.m == 1 && p->def.solver == SN__SOLVE_NEWTON && p->def.hessian != SN__EXACT &&
           !p->args.target_q[0];
}

void sn__position_go(struct sn__position *p, void *const *q0, void *const *delta, double s, void *const *q) {
    const void *tree = p->args.tree, *part = s == 1 ? NULL : p->part;
    sn__position_put(p, p->part, 1, &s);
    for (int i = 0; i < p->args.m; i++) {
        if (goes_by_bodies(p))
            p->pk->move_bodies(tree, p->args.work, q0[i], delta[i], part, q[i]);
        else
            p->pk->move(tree, q0[i], delta[i], part, q[i]);
    }
}

/* Whether the new value will do: the energy falls by a part of what its slope promises; or that promise is near the noise
   of the energy, and the gradient falls. Several poses have no energy: their gradients must fall. */
static bool acceptable(const struct sn__position *p, const struct sn__position_value *old,
                       const struct sn__position_value *new, double s) {
    if (!isfinite(new->square)) return false;
    if (p->args.m > 1)
        return new->square <= (1 - 1e-4 * s) * old->square || new->residual <= p->def.tolerance;
    if (!isfinite(new->energy)) return false;
    if (new->energy <= old->energy + 1e-4 * s * old->slope) return true;
    const double eps = p->def.precision == SN_PRECISION_DOUBLE ? DBL_EPSILON : (double)FLT_EPSILON;
    const double promise = fabs(old->slope) * s, size = fabs(old->energy) + fabs(new->energy);
    return (promise <= 1e4 * eps * size && new->square <= old->square) ||
           (promise <= 1e8 * eps * size && new->square <= 0.25 * old->square);
}

static void swap_all(int m, void **a, void **b) {
    for (int i = 0; i < m; i++) {
        void *x = a[i];
        a[i] = b[i], b[i] = x;
    }
}

/* The sweep at `q`; where an exact Hessian has led uphill, the clamped one instead. */
static struct sn__position_value sweep_at(struct sn__position *p, void *const *q, void *const *g,
                                          void *const *delta, struct sn__position_report *r) {
    struct sn__position_value v = sn__position_evaluate(p, q, g, delta, (int)p->def.hessian);
    r->evaluations++;
    if (p->args.m > 1 || p->def.hessian != SN__EXACT || v.slope < 0 || v.residual <= p->def.tolerance)
        return v;
    r->fallbacks++;
    return sn__position_evaluate(p, q, g, delta, SN__CLAMPED);
}

/* Whether there is nothing left to gain: the tolerance is met, or what is left to go is rounding of the poses. Short steps
   demand more of gradients than there is: their rounding grows with 1 / dt^2. */
static bool arrived(const struct sn__position *p, const struct sn__position_value *v) {
    const double eps = p->def.precision == SN_PRECISION_DOUBLE ? DBL_EPSILON : (double)FLT_EPSILON;
    return v->residual <= p->def.tolerance || v->move <= 32 * eps;
}

/* Whether another iteration has gained nothing and hardly moves. */
static bool stuck(const struct sn__position *p, const struct sn__position_value *old,
                  const struct sn__position_value *new) {
    const double eps = p->def.precision == SN_PRECISION_DOUBLE ? DBL_EPSILON : (double)FLT_EPSILON;
    return new->move <= 1e5 * eps &&new->square > 0.25 * old->square;
}

bool sn__position_newton(struct sn__position *p, struct sn__position_report *r) {
    struct sn__position_value now = sweep_at(p, p->q, p->g, p->delta, r);
    bool done = arrived(p, &now);
    while (!done && r->iterations < p->def.most) {
        bool moved = false;
        r->iterations++;
        for (double s = 1; s > 1e-9 && !moved; s *= 0.5) {
            sn__position_go(p, p->q, p->delta, s, p->try_q);
            const struct sn__position_value next = sweep_at(p, p->try_q, p->try_g, p->try_delta, r);
            moved = acceptable(p, &now, &next, s);
            done = moved ? arrived(p, &next) || stuck(p, &now, &next)
                         : stuck(p, &now, &now) && stuck(p, &now, &next);
            if (moved)
                now = next;
            else
                r->backtracks++;
            if (done && !moved) break; /* stays where it is: no better place is near */
        }
        if (!moved) break;
        swap_all(p->args.m, p->q, p->try_q);
        swap_all(p->args.m, p->g, p->try_g);
        swap_all(p->args.m, p->delta, p->try_delta);
    }
    r->residual = now.residual;
    return done;
}

/* Levenberg-Marquardt on eq. 5 with the sweep for a solver: lambda stands on the diagonal. */
bool sn__position_marquardt(struct sn__position *p, struct sn__position_report *r) {
    const int nv = p->model->nv;
    double lambda = 0;
    struct sn__position_value now;
    p->args.lambda = p->lambda;
    for (r->iterations = 0;; r->iterations++) {
        for (int k = 0; k < nv; k++)
            p->x[k] = lambda;
        sn__position_put(p, p->lambda, nv, p->x);
        now = sn__position_evaluate(p, p->q, p->g, p->delta, SN__GAUSS_NEWTON);
        r->evaluations++;
        if (now.residual <= p->def.tolerance || r->iterations >= p->def.most) break;
        sn__position_go(p, p->q, p->delta, 1, p->try_q);
        const struct sn__position_value next =
            sn__position_evaluate(p, p->try_q, p->try_g, p->try_delta, SN__GRADIENT);
        r->evaluations++;
        if (acceptable(p, &now, &next, 1)) {
            swap_all(p->args.m, p->q, p->try_q);
            lambda = lambda < 1e-6 * p->force_scale ? 0 : lambda / 4;
        } else {
            r->backtracks++;
            lambda = fmax(4 * lambda, 1e-4 * p->force_scale);
            if (lambda > 1e12 * p->force_scale) break;
        }
    }
    p->args.lambda = NULL;
    r->residual = now.residual;
    return now.residual <= p->def.tolerance;
}
