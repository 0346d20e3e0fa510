#include "study.h"

#include "dynamics_helpers.h"

sn_dynamics_def study_def(sn_precision precision, const char *lanes) {
    sn_dynamics_def def = sn_dynamics_def_default();
    def.precision = precision;
    def.lanes = lanes;
    return def;
}

struct study *study_of(const sn_model *model, const sn_dynamics_def *def) {
    sn_error error;
    struct study *s = calloc(1, sizeof *s);
    s->dynamics = sn_dynamics_create(model, def, &error);
    if (!s->dynamics) fail_msg("%s: %s", sn_status_text(error.status), error.message);
    s->model = model;
    s->precision = def->precision;
    const size_t nq = (size_t)sn_model_get(model)->nq, nv = (size_t)sn_model_get(model)->nv,
                 nbody = (size_t)sn_model_get(model)->nbody;
    double **const array[] = {&s->q,           &s->target_q, &s->qd, &s->qdd,  &s->tau,       &s->target_qd,
                              &s->feedforward, &s->kp,       &s->kd, &s->push, &s->body_pose, &s->body_rate};
    const size_t size[] = {nq, nq, nv, nv, nv, nv, nv, nv, nv, 6 * nbody, 7 * nbody, 6 * nbody};
    for (int i = 0; i < COUNT(array); i++)
        *array[i] = calloc(size[i] + 1, sizeof(double));
    sn_model_zero_pose(model, s->q);
    sn_model_zero_pose(model, s->target_q);
    s->drive = (sn_drive){.kp = s->kp, .kd = s->kd, .target_q = s->target_q};
    return s;
}

void for_each_integrator(void (*check)(const sn_model *model, const sn_dynamics_def *def)) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++)
        for (int integrator = SN_INTEGRATOR_SEMI_IMPLICIT_EULER; integrator <= SN_INTEGRATOR_RK4;
             integrator++) {
            sn_dynamics_def def = study_def((sn_precision)precision, NULL);
            def.integrator = (sn_integrator)integrator;
            check(model, &def);
        }
    sn_model_free(model);
}

void study_free(struct study *s) {
    double *const array[] = {s->q,           s->target_q, s->qd, s->qdd,  s->tau,       s->target_qd,
                             s->feedforward, s->kp,       s->kd, s->push, s->body_pose, s->body_rate};
    for (int i = 0; i < COUNT(array); i++)
        free(array[i]);
    sn_dynamics_free(s->dynamics);
    free(s);
}

/* ------------------------------------------------------------------------------------------------- setting */

void unit_quaternions(const sn_model *model, double *q) {
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *b = sn_model_body(model, i);
        if (b->nq < 4) continue;
        double *w = q + b->q_index + b->nq - 4;
        const double n = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
        for (int k = 0; k < 4; k++)
            w[k] /= n;
    }
}

/* n values, as the lanes will hold them. */
static void keep(const struct study *s, const double *from, int n, double *to) {
    memmove(to, from, (size_t)n * sizeof *to);
    if (s->precision == SN_PRECISION_FLOAT) round_to_float(to, n);
}

static void keep_pose(const struct study *s, const double *from, double *to) {
    const int nq = sn_model_get(s->model)->nq;
    memmove(to, from, (size_t)nq * sizeof *to);
    unit_quaternions(s->model, to);
    keep(s, to, nq, to);
}

sn_status study_set_state(struct study *s, const double *q, const double *qd) {
    if (q) keep_pose(s, q, s->q);
    if (qd) keep(s, qd, sn_model_get(s->model)->nv, s->qd);
    return sn_dynamics_bodies(s->dynamics, s->q, s->qd, NULL, NULL, NULL);
}

void study_get_state(const struct study *s, double *q, double *qd) {
    if (q) memcpy(q, s->q, (size_t)sn_model_get(s->model)->nq * sizeof *q);
    if (qd) memcpy(qd, s->qd, (size_t)sn_model_get(s->model)->nv * sizeof *qd);
}

sn_status study_set_target(struct study *s, const double *q, const double *qd) {
    if (q) keep_pose(s, q, s->target_q);
    if (qd) keep(s, qd, sn_model_get(s->model)->nv, s->target_qd);
    s->drive.target_qd = qd ? s->target_qd : NULL;
    return SN_OK;
}

sn_status study_set_feedforward(struct study *s, const double *tau) {
    if (tau) keep(s, tau, sn_model_get(s->model)->nv, s->feedforward);
    s->drive.feedforward = tau ? s->feedforward : NULL;
    return SN_OK;
}

sn_status study_set_gains(struct study *s, const double *kp, const double *kd) {
    memcpy(s->kp, kp, (size_t)sn_model_get(s->model)->nv * sizeof *kp);
    memcpy(s->kd, kd, (size_t)sn_model_get(s->model)->nv * sizeof *kd);
    return SN_OK;
}

void study_uniform_gains(struct study *s, double root_kp, double root_kd, double kp, double kd) {
    sn_gains_uniform(s->model, root_kp, root_kd, kp, kd, s->kp, s->kd);
}

sn_status study_set_push(struct study *s, int body, const double force[3], const double torque[3]) {
    for (int i = 0; i < 3; i++) {
        s->push[6 * body + i] = force ? force[i] : 0;
        s->push[6 * body + 3 + i] = torque ? torque[i] : 0;
    }
    s->drive.push = s->push;
    return SN_OK;
}

/* ---------------------------------------------------------------------------------------------- stepping */

sn_status study_step(struct study *s) {
    return sn_dynamics_step(s->dynamics, &s->drive, 1, s->q, s->qd, s->qdd, s->wants_torque ? s->tau : NULL);
}

void study_get_acceleration(const struct study *s, double *qdd) {
    memcpy(qdd, s->qdd, (size_t)sn_model_get(s->model)->nv * sizeof *qdd);
}

sn_status study_get_torque(const struct study *s, double *tau) {
    if (!s->wants_torque) return SN_ERROR_ARGUMENT;
    memcpy(tau, s->tau, (size_t)sn_model_get(s->model)->nv * sizeof *tau);
    return SN_OK;
}

/* ---------------------------------------------------------------------------------------------- questions */

sn_status study_body_pose(struct study *s, int body, double pos[3], double rot[4]) {
    const sn_status status = sn_dynamics_bodies(s->dynamics, s->q, s->qd, s->body_pose, NULL, NULL);
    if (pos) memcpy(pos, s->body_pose + 7 * body, 3 * sizeof *pos);
    if (rot) memcpy(rot, s->body_pose + 7 * body + 3, 4 * sizeof *rot);
    return status;
}

sn_status study_body_velocity(struct study *s, int body, double linear[3], double angular[3]) {
    const sn_status status = sn_dynamics_bodies(s->dynamics, s->q, s->qd, NULL, s->body_rate, NULL);
    if (linear) memcpy(linear, s->body_rate + 6 * body, 3 * sizeof *linear);
    if (angular) memcpy(angular, s->body_rate + 6 * body + 3, 3 * sizeof *angular);
    return status;
}

sn_status study_summary(struct study *s, sn_summary *summary) {
    return sn_dynamics_bodies(s->dynamics, s->q, s->qd, NULL, NULL, summary);
}

sn_status study_jacobian(struct study *s, int body, const double point[3], double *J) {
    return sn_dynamics_jacobian(s->dynamics, s->q, body, point, J);
}

sn_status study_mass_matrix(struct study *s, double *M) {
    return sn_dynamics_mass_matrix(s->dynamics, s->q, M);
}

sn_status study_inverse_dynamics(struct study *s, const double *qdd, double *tau) {
    return sn_dynamics_inverse(s->dynamics, s->q, s->qd, s->drive.push, qdd, tau);
}

sn_status study_forward_dynamics(struct study *s, const double *tau, double *qdd) {
    return sn_dynamics_forward(s->dynamics, s->q, s->qd, s->drive.push, tau, qdd);
}

sn_status study_drive_acceleration(struct study *s, double *qdd) {
    return sn_dynamics_step(s->dynamics, &s->drive, 0, s->q, s->qd, qdd, NULL);
}

sn_status study_drive_torque(struct study *s, double *tau) {
    return sn_dynamics_step(s->dynamics, &s->drive, 0, s->q, s->qd, NULL, tau);
}
