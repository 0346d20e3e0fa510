/* Whether a form of PD bears its gains at a time step, and what kd it would take: docs/theory.md, "How stiff may it be".

   A step of the stable form by semi-implicit Euler is stable when 4 M + 2 h Kd - 3 h^2 Kp is positive definite; the other
   forms have matrices of the same make, 4 M + D with D diagonal. With all of D zero except one entry this says
   4 I + D_v > 0, I = 1 / (M^-1)_vv the inertia with all others free: each degree of freedom is tested by itself first,
   then all together. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/definition.h"
#include "base/error.h"
#include "base/memory.h"
#include "dynamics/gains.h"
#include "model/model.h"
#include "model/joint.h"

struct check {
    const sn_model *model;
    sn_gains_def def;
    const double *kp;
    double *kd;
    unsigned *flags;
    double *M, *inertia; /* [nv][nv]; [nv] with all other degrees of freedom free */
};

/* ---------------------------------------------------------------------------------------------- conditions */

/* D of 4 M + D: a mode that turns round in every step has qd = 2 q / h and qdd = -4 q / h^2. */
double sn__gain_margin(const struct sn__gain *g, double kp, double kd) {
    const double h = g->dt, passive = 2 * h * g->damping + h * h * g->stiffness; /* the full way */
    switch (g->form) {
    case SN_FORM_STABLE:
        return passive + 2 * h * kd - 3 * h * h * kp;
    case SN_FORM_IMPLICIT_D:
        return passive + 2 * h * kd - h * h * kp;
    case SN_FORM_EXPLICIT:
        return passive - 2 * h * kd - h * h * kp;
    default:
        return passive + 2 * h * kd + h * h * kp;
    }
}

unsigned sn__gain_flags(const struct sn__gain *g, double kp, double kd) {
    const double h = g->dt, added = g->form == SN_FORM_EXPLICIT
                                        ? 0
                                        : h * kd + (g->form == SN_FORM_FULL ? h * h * kp : 0);
    unsigned flags = SN_GAIN_OK;
    if (g->form == SN_FORM_STABLE && kd + g->damping < kp * h * (1 - 1e-12)) flags |= SN_GAIN_UNDERDAMPED;
    if (g->precision == SN_PRECISION_FLOAT && (double)FLT_EPSILON * added / g->inertia > 0.1)
        flags |= SN_GAIN_FLOAT_STIFF;
    if (4 * g->inertia + sn__gain_margin(g, kp, kd) < -1e-12 * h * h * kp) flags |= SN_GAIN_OVERSHOOTS;
    return flags;
}

/* The least kd that a degree of freedom needs; of inertia 0: whatever the others do. More damping does not
   help the explicit form. */
static double least_kd(const struct sn__gain *g, double kp) {
    const double h = g->dt, helps = 2 * g->inertia / h + 0.5 * h * g->stiffness;
    double least = 0;
    if (g->form == SN_FORM_STABLE) least = fmax(kp * h, 1.5 * kp * h - helps);
    if (g->form == SN_FORM_IMPLICIT_D) least = 0.5 * kp * h - helps;
    return fmax(0, least - g->damping);
}

/* One degree of freedom of the check, for a test alone or whatever the others do. */
static struct sn__gain gain_of(const struct check *c, int v, bool together) {
    return (struct sn__gain){
        c->def.form,          c->def.precision,      c->def.dt, together ? 0 : c->inertia[v],
        c->model->damping[v], c->model->stiffness[v]};
}

static double margin_of(const struct check *c, int v) {
    const struct sn__gain g = gain_of(c, v, true);
    return sn__gain_margin(&g, c->kp[v], c->kd[v]);
}

/* In place: the inverse of a symmetric positive definite matrix, by Gauss-Jordan on the spot. */
static bool invert(double *A, int n) {
    for (int k = 0; k < n; k++) {
        const double pivot = A[k * n + k];
        if (!(pivot > 0)) return false;
        A[k * n + k] = 1;
        for (int j = 0; j < n; j++)
            A[k * n + j] /= pivot;
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            const double f = A[i * n + k];
            A[i * n + k] = 0;
            for (int j = 0; j < n; j++)
                A[i * n + j] -= f * A[k * n + j];
        }
    }
    return true;
}

/* Whether 4 M + D is positive definite, by elimination in A. */
static bool stable_together(const struct check *c, double *A) {
    const int n = sn_model_get(c->model)->nv;
    for (int i = 0; i < n * n; i++)
        A[i] = 4 * c->M[i];
    for (int v = 0; v < n; v++)
        A[v * n + v] += margin_of(c, v);
    for (int k = 0; k < n; k++) {
        if (!(A[k * n + k] > 0)) return false;
        for (int i = k + 1; i < n; i++) {
            const double f = A[i * n + k] / A[k * n + k];
            for (int j = k + 1; f != 0 && j < n; j++)
                A[i * n + j] -= f * A[k * n + j];
        }
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ the check */

/* Raises kd of a joint to what its degrees of freedom need, the same for the axes of a ball whose gains agree. */
static void widen(struct check *c, bool together) {
    for (int i = 0; i < sn_model_get(c->model)->nbody; i++) {
        const sn_body_info *b = sn_model_body(c->model, i);
        const bool turns = sn__joint_quaternion(b) >= 0;
        for (int v = b->v_index, end = v + b->nv; v < end; v++) {
            const struct sn__gain g = gain_of(c, v, together);
            const double least = least_kd(&g, c->kp[v]);
            const int first = turns ? v - (v - b->v_index) % 3 : v, last = turns ? first + 3 : v + 1;
            for (int k = first; k < last && c->kd[v] < least; k++)
                if (c->kp[k] == c->kp[v] && k != v) c->kd[k] = fmax(c->kd[k], least);
            c->kd[v] = fmax(c->kd[v], least);
        }
    }
}

/* Each by itself, as if the others were free; but what would overshoot so may be held by the damping of others: 4 M + D
   decides. True: something overshoots. */
static bool flag_each(struct check *c, double *A) {
    unsigned all = 0;
    for (int v = 0; v < sn_model_get(c->model)->nv; v++) {
        const struct sn__gain g = gain_of(c, v, false);
        all |= c->flags[v] = sn__gain_flags(&g, c->kp[v], c->kd[v]);
    }
    if (!(all & SN_GAIN_OVERSHOOTS)) return false;
    if (!stable_together(c, A)) return true;
    for (int v = 0; v < sn_model_get(c->model)->nv; v++)
        c->flags[v] &= ~(unsigned)SN_GAIN_OVERSHOOTS;
    return false;
}

/* When none overshoots alone: those that do so together. True: there are some. */
static bool flag_together(struct check *c, double *A) {
    const int nv = sn_model_get(c->model)->nv;
    bool any = false;
    for (int v = 0; v < nv; v++)
        any |= margin_of(c, v) < 0;
    if (!any || stable_together(c, A)) return false;
    for (int v = 0; v < nv; v++)
        if (margin_of(c, v) < -1e-12 * c->kp[v] * c->def.dt * c->def.dt) c->flags[v] |= SN_GAIN_OVERSHOOTS;
    return true;
}

/* ---------------------------------------------------------------------------------------------- the message */

/* Up to four digits, so that what is said still does. */
static double rounded_up(double x) {
    if (!(x > 0) || isinf(x)) return x > 0 ? x : 0;
    double unit = 1e-3; /* the fourth digit's: 1,000 units <= x < 10,000 units */
    while (unit * 1e4 <= x)
        unit *= 10;
    while (unit * 1e3 > x)
        unit /= 10;
    return ceil(x / unit - 1e-9) * unit;
}

static int body_of(const sn_model *model, int v) {
    int i = 0;
    while (sn_model_body(model, i)->v_index + sn_model_body(model, i)->nv <= v)
        i++;
    return i;
}

/* The degree of freedom that is worst off: the flags that count most, and of equals the one with least margin. */
static int worst(const struct check *c) {
    static const unsigned order[] = {SN_GAIN_OVERSHOOTS, SN_GAIN_UNDERDAMPED, SN_GAIN_FLOAT_STIFF};
    for (int k = 0; k < 3; k++) {
        int found = -1;
        double least = 0;
        for (int v = 0; v < sn_model_get(c->model)->nv; v++) {
            const double m = margin_of(c, v) / c->inertia[v];
            if ((c->flags[v] & order[k]) && (found < 0 || m < least)) found = v, least = m;
        }
        if (found >= 0) return found;
    }
    return -1;
}

/* "1/60" where it is one, else "0.0174". */
static void step_text(double h, char *text, size_t size) {
    const double rate = 1 / h;
    const bool whole = rate > 1.5 && fabs(rate - nearbyint(rate)) < 1e-6 * rate;
    snprintf(text, size, whole ? "1/%.0f" : "%.4g", whole ? rate : h);
}

static void tell(const struct check *c, int v, bool together, sn_error *error) {
    static const char *const form[] = {"stable", "explicit", "implicit D", "full"};
    const double h = c->def.dt, kp = c->kp[v], kd = c->kd[v];
    const char *name = sn_model_body(c->model, body_of(c->model, v))->name;
    const char *factor = c->def.form == SN_FORM_IMPLICIT_D     ? "0.5 "
                         : (c->flags[v] & SN_GAIN_UNDERDAMPED) ? ""
                                                               : "1.5 ";
    const struct sn__gain g = gain_of(c, v, together);
    char step[32];
    step_text(h, step, sizeof step);
    if (!(c->flags[v] & (SN_GAIN_OVERSHOOTS | SN_GAIN_UNDERDAMPED)))
        sn__fail(
            error, SN_ERROR_ARGUMENT,
            "joint of '%s': kp %.6g with kd %.6g at dt %s outweighs its inertia in float; torques by the PD "
            "formula would be rounding: use double or smaller gains",
            name, kp, kd, step);
    else if (c->def.form == SN_FORM_EXPLICIT)
        sn__fail(
            error, SN_ERROR_ARGUMENT,
            "joint of '%s': kp %.6g with kd %.6g is too stiff for the explicit form at dt %s; alone it would "
            "bear a dt of %.3g; use the full form",
            name, kp, kd, step,
            kp > 0 ? (sqrt(kd * kd + 4 * c->inertia[v] * kp) - kd) / kp : 2 * c->inertia[v] / kd);
    else
        sn__fail(error, SN_ERROR_ARGUMENT,
                 "joint of '%s': kp %.6g with kd %.6g breaks kd >= %skp dt of the %s form at dt %s; use kd "
                 "%.6g or "
                 "the full form",
                 name, kp, kd, factor, form[c->def.form], step, rounded_up(least_kd(&g, kp)));
}

/* ------------------------------------------------------------------------------------------------ interface */

static bool takes(const sn_model *model, const sn_gains_def *def, const double *kp, const double *kd) {
    if (!model || !kp || !kd || !(def->dt > 0) || !isfinite(def->dt)) return false;
    if ((unsigned)def->form > SN_FORM_FULL || (unsigned)def->precision > SN_PRECISION_FLOAT) return false;
    for (int v = 0; v < sn_model_get(model)->nv; v++)
        if (!(kp[v] >= 0) || !(kd[v] >= 0) || !isfinite(kp[v]) || !isfinite(kd[v])) return false;
    return true;
}

/* Flags and, where asked, a larger kd: first each by itself, then all together. Returns how many are flagged. */
static int look(struct check *c, double *A, sn_error *error) {
    const int nv = sn_model_get(c->model)->nv;
    if (c->def.widen) widen(c, false);
    bool together = !flag_each(c, A) && flag_together(c, A);
    if (together && c->def.widen && c->def.form != SN_FORM_EXPLICIT) {
        widen(c, true);
        flag_each(c, A);
        together = false;
    }
    int bad = 0;
    for (int v = 0; v < nv; v++)
        bad += c->flags[v] != SN_GAIN_OK;
    if (bad) tell(c, worst(c), together, error);
    return bad;
}

/* Whether all gains are borne whatever the inertias are: then no matrix need be inverted. */
static bool bears_all(const struct check *c) {
    for (int v = 0; v < sn_model_get(c->model)->nv; v++) {
        const struct sn__gain g = gain_of(c, v, true);
        if (c->def.precision == SN_PRECISION_FLOAT || sn__gain_flags(&g, c->kp[v], c->kd[v])) return false;
    }
    return true;
}

static int look_in(struct check *c, double *A, sn_error *error) {
    const size_t nv = (size_t)sn_model_get(c->model)->nv;
    sn__succeed(error);
    if (bears_all(c)) return 0;
    memcpy(A, c->M, nv * nv * sizeof *A);
    if (!invert(A, (int)nv)) {
        sn__fail(error, SN_ERROR_MODEL, "gains cannot be checked: some part of the model has no inertia");
        return -1;
    }
    for (size_t v = 0; v < nv; v++)
        c->inertia[v] = 1 / A[v * nv + v];
    return look(c, A, error);
}

int sn_gains_check(const sn_model *model, const sn_gains_def *def, const double *kp, double *kd,
                   unsigned *flags, sn_error *error) {
    struct check c = {.model = model, .kp = kp, .kd = kd};
    if (!sn__definition_take_or("sn_gains_def", def, &c.def, error)) return -1;
    if (c.def.dt == 0) c.def.dt = 1.0 / 240;
    int bad = -1;
    sn__fail(error, SN_ERROR_ARGUMENT, "gains cannot be checked: a gain, the step or the pose is not valid");
    if (!takes(model, &c.def, kp, kd)) return bad;
    const size_t nv = (size_t)sn_model_get(model)->nv;
    double *A = sn__alloc(nv * nv, sizeof *A);
    c.M = sn__mass_matrix(model, c.def.q);
    c.inertia = sn__alloc(nv, sizeof *c.inertia);
    c.flags = sn__alloc(nv, sizeof *c.flags);
    if (A && c.M && c.inertia && c.flags) {
        bad = look_in(&c, A, error);
        if (flags && bad >= 0) memcpy(flags, c.flags, nv * sizeof *flags);
    }
    sn__free(A), sn__free(c.M), sn__free(c.inertia), sn__free(c.flags);
    return bad;
}
