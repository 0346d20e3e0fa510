/* Choosing gains and checking them. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "dynamics/gains.h"
#include "kernels/select.h"
#include "sinew/dynamics.h"

/* The mass matrix at a pose (NULL: the zero pose), nv * nv, or NULL. */
static double *mass_matrix(const sn_model *model, const double *q) {
    sn_dynamics_def def = sn_dynamics_def_default();
    const struct sn__kernels *k = sn__kernels_with(SN__STUDY, def.precision, false, NULL);
    if (k) def.lanes = k->info.name; /* whatever SINEW_LANES names: f64x8 has no mass matrix */
    sn_dynamics *d = sn_dynamics_create(model, &def, NULL);
    const size_t nv = (size_t)sn_model_nv(model);
    double *M = sn__alloc(nv * nv, sizeof *M), *zero = sn__alloc((size_t)sn_model_nq(model), sizeof *zero);
    if (zero) sn_model_zero_pose(model, zero);
    const bool ok = d && M && zero && !sn_dynamics_mass_matrix(d, q ? q : zero, M);
    sn_dynamics_free(d);
    sn__free(zero);
    if (ok) return M;
    sn__free(M);
    return NULL;
}

sn_status sn__joint_inertia(const sn_model *model, const double *q, double *inertia) {
    const int nv = sn_model_nv(model);
    double *M = mass_matrix(model, q);
    if (!M) return SN_ERROR_ARGUMENT;
    for (int v = 0; v < nv; v++)
        inertia[v] = M[v * nv + v];
    for (int i = 0; i < sn_model_nbody(model); i++) {
        const sn_body_info *b = sn_model_body(model, i);
        if (b->joint.type != SN_JOINT_BALL && b->joint.type != SN_JOINT_FREE) continue;
        for (int v = b->v_index; v < b->v_index + b->nv; v += 3)
            inertia[v] = inertia[v + 1] = inertia[v + 2] = (inertia[v] + inertia[v + 1] + inertia[v + 2]) / 3;
    }
    sn__free(M);
    return SN_OK;
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

int sn_gains_check(const sn_model *model, const double *q, const double *kp, const double *kd, double dt,
                   sn_precision precision, unsigned *flags) {
    if (!model || !kp || !kd || !flags || !(dt > 0) || !isfinite(dt)) return -1;
    const int nv = sn_model_nv(model);
    for (int v = 0; v < nv; v++)
        if (!(kp[v] >= 0) || !(kd[v] >= 0) || !isfinite(kp[v]) || !isfinite(kd[v])) return -1;
    double *M = mass_matrix(model, q);
    if (!M || !invert(M, nv)) {
        sn__free(M);
        return -1;
    }
    int bad = 0;
    for (int v = 0; v < nv; v++) {
        const double inertia = 1 / M[v * nv + v]; /* with all other degrees of freedom free */
        flags[v] = SN_GAIN_OK;
        if (kd[v] < kp[v] * dt * (1 - 1e-12)) flags[v] |= SN_GAIN_UNDERDAMPED;
        if (precision == SN_FLOAT && (double)FLT_EPSILON * kd[v] * dt / inertia > 0.1)
            flags[v] |= SN_GAIN_FLOAT_STIFF;
        /* docs/theory.md, "How stiff may it be" */
        if (3 * kp[v] * dt * dt > 4 * inertia + 2 * kd[v] * dt) flags[v] |= SN_GAIN_OVERSHOOTS;
        bad += flags[v] != SN_GAIN_OK;
    }
    sn__free(M);
    return bad;
}

sn_status sn_gains_choose(const sn_model *model, const double *q, double frequency, double damping_ratio,
                          double *kp, double *kd) {
    if (!model || !kp || !kd || !(frequency > 0) || !isfinite(frequency) || !(damping_ratio >= 0) ||
        !isfinite(damping_ratio))
        return SN_ERROR_ARGUMENT;
    const int nv = sn_model_nv(model);
    const double w = 6.283185307179586477 * frequency;
    const sn_status status = sn__joint_inertia(model, q, kp);
    if (status) return status;
    for (int v = 0; v < nv; v++) {
        kd[v] = 2 * damping_ratio * kp[v] * w;
        kp[v] = kp[v] * w * w;
    }
    return SN_OK;
}

void sn_gains_uniform(const sn_model *model, double root_kp, double root_kd, double kp, double kd,
                      double *kps, double *kds) {
    for (int i = 0; i < sn_model_nbody(model); i++) {
        const sn_body_info *b = sn_model_body(model, i);
        const bool root = b->joint.type == SN_JOINT_FREE;
        for (int v = b->v_index; v < b->v_index + b->nv; v++) {
            kps[v] = root ? root_kp : kp;
            kds[v] = root ? root_kd : kd;
        }
    }
}
