#include "position_helpers.h"

struct sn__position *position_of(const sn_model *model, enum sn__position_method method, double dt,
                                 double tolerance) {
    struct sn__position_def def = sn__position_def_default();
    def.method = method;
    def.hessian = method == SN__PBAD2 || method == SN__BDF2 ? SN__MIRRORED : SN__EXACT;
    def.dt = dt;
    def.tolerance = tolerance;
    sn_error error;
    struct sn__position *p = sn__position_create(model, &def, &error);
    if (!p) fail_msg("%s", error.message);
    return p;
}

struct sn__position_report position_step(struct sn__position *p) {
    struct sn__position_report report;
    assert_int_equal(sn__position_step(p, &report), SN_OK);
    return report;
}

sn_model *links_model(const struct rods *links) {
    sn_error error;
    sn_model *model = scene_rods_model(links, &error);
    if (!model) fail_msg("%s", error.message);
    return model;
}

void bend(const sn_model *model, double angle, double *q) {
    assert_true(scene_rods_bend(model, angle, q));
}

void solve_general(const double *A, const double *b, double *x, int n) {
    double *M = malloc((size_t)n * (size_t)(n + 1) * sizeof *M);
    const int w = n + 1;
    for (int i = 0; i < n; i++) {
        memcpy(M + i * w, A + i * n, (size_t)n * sizeof *M);
        M[i * w + n] = b[i];
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(M[i * w + k]) > fabs(M[best * w + k])) best = i;
        for (int c = k; c < w; c++) {
            const double swap = M[k * w + c];
            M[k * w + c] = M[best * w + c], M[best * w + c] = swap;
        }
        for (int i = k + 1; i < n; i++) {
            const double f = M[i * w + k] / M[k * w + k];
            for (int c = k; c < w; c++)
                M[i * w + c] -= f * M[k * w + c];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] = M[i * w + n];
        for (int c = i + 1; c < n; c++)
            x[i] -= M[i * w + c] * x[c];
        x[i] /= M[i * w + i];
    }
    free(M);
}

double total_energy(const sn_model *model, const double *q, const double *qd) {
    const sn_dynamics_def def = sn_dynamics_def_default();
    sn_dynamics *d = sn_dynamics_create(model, &def, NULL);
    sn_summary s;
    assert_int_equal(sn_dynamics_bodies(d, q, qd, NULL, NULL, &s), SN_OK);
    sn_dynamics_free(d);
    return s.kinetic + s.potential;
}
