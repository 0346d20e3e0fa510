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

sn_model *links_model(const struct links *links) {
    sn_builder *builder = sn_builder_create();
    for (int i = 0; i < links->count; i++) {
        char name[16], parent[16];
        sn_body_def body = sn_body_def_default();
        snprintf(name, sizeof name, "link%d", i);
        snprintf(parent, sizeof parent, "link%d", i - 1);
        body.name = name;
        body.parent = i ? parent : NULL;
        body.pos[0] = i ? links->length : 0;
        body.joint = sn_joint_def_default(i == 0 && links->free_root ? SN_JOINT_FREE : links->joint);
        if (links->joint ==
            SN_JOINT_UNIVERSAL) { /* about y, then z: a straight chain is far from their singularity */
            memcpy(body.joint.axis, (const double[3]){0, 1, 0}, sizeof body.joint.axis);
            memcpy(body.joint.axis2, (const double[3]){0, 0, 1}, sizeof body.joint.axis2);
        }
        const double l = links->length, r = links->radius, m = 1000 * 3.14159265358979 * r * r * l;
        body.mass_given = true;
        body.mass = m;
        body.com[0] = 0.5 * l;
        body.inertia[0] = 0.5 * m * r * r;
        body.inertia[1] = body.inertia[2] = m * (3 * r * r + l * l) / 12;
        sn_builder_add_body(builder, &body);
    }
    return build_and_free(builder);
}

void bend(const sn_model *model, double angle, double *q) {
    double *dv = calloc((size_t)sn_model_nv(model), sizeof *dv);
    for (int i = 0; i < sn_model_nbody(model); i++) {
        const sn_body_info *b = sn_model_body(model, i);
        if (b->joint.type == SN_JOINT_FREE) continue;
        const int v = b->joint.type == SN_JOINT_BALL ? 1 : 0;
        dv[b->v_index + v] = angle;
        if (b->nv > 1) dv[b->v_index + v + 1] = -0.5 * angle;
    }
    sn_model_zero_pose(model, q);
    sn_model_pose_add(model, q, dv, q);
    free(dv);
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
    assert_int_equal(sn_dynamics_summary(d, q, qd, &s), SN_OK);
    sn_dynamics_free(d);
    return s.kinetic + s.potential;
}
