/* Inertias that gains are made for, and gains without a choice. */
#include "dynamics/gains.h"

#include "base/memory.h"
#include "kernels/select.h"
#include "model/joint.h"

sn_dynamics *sn__dynamics_for_study(const sn_model *model) {
    sn_dynamics_def def = sn_dynamics_def_default();
    const struct sn__kernels *k = sn__kernels_with(SN__STUDY, def.precision, false, NULL);
    if (!k) /* the library was built for float alone */
        k = sn__kernels_with(SN__STUDY, def.precision = SN_PRECISION_FLOAT, false, NULL);
    if (k) def.lanes = k->info.name; /* whatever SINEW_LANES names: f64x8 has no mass matrix */
    return sn_dynamics_create(model, &def, NULL);
}

double *sn__mass_matrix(const sn_model *model, const double *q) {
    sn_dynamics *d = sn__dynamics_for_study(model);
    const size_t nv = (size_t)sn_model_get(model)->nv;
    double *M = sn__alloc(nv * nv, sizeof *M),
           *zero = sn__alloc((size_t)sn_model_get(model)->nq, sizeof *zero);
    if (zero) sn_model_zero_pose(model, zero);
    const bool ok = d && M && zero && !sn_dynamics_mass_matrix(d, q ? q : zero, M);
    sn_dynamics_free(d);
    sn__free(zero);
    if (ok) return M;
    sn__free(M);
    return NULL;
}

sn_status sn__joint_inertia(const sn_model *model, const double *q, double *inertia) {
    const int nv = sn_model_get(model)->nv;
    double *M = sn__mass_matrix(model, q);
    if (!M) return SN_ERROR_ARGUMENT;
    for (int v = 0; v < nv; v++)
        inertia[v] = M[v * nv + v];
    sn__mean_axes(model, inertia);
    sn__free(M);
    return SN_OK;
}

void sn__mean_axes(const sn_model *model, double *values) {
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *b = sn_model_body(model, i);
        if (sn__joint_quaternion(b) < 0) continue;
        for (int v = b->v_index; v < b->v_index + b->nv; v += 3)
            values[v] = values[v + 1] = values[v + 2] = (values[v] + values[v + 1] + values[v + 2]) / 3;
    }
}

void sn_gains_uniform(const sn_model *model, double root_kp, double root_kd, double kp, double kd,
                      double *kps, double *kds) {
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *b = sn_model_body(model, i);
        const bool root = sn__joint_is_free(b);
        for (int v = b->v_index; v < b->v_index + b->nv; v++) {
            kps[v] = root ? root_kp : kp;
            kds[v] = root ? root_kd : kd;
        }
    }
}
