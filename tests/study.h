/* A character to study: a state and its drives, kept for sn_dynamics, which keeps nothing itself. */
#ifndef SINEW_TESTS_STUDY_H
#define SINEW_TESTS_STUDY_H

#include <sinew/dynamics.h>

struct study {
    const sn_model *model;
    sn_dynamics *dynamics;
    sn_precision precision;
    bool wants_torque;             /* steps are asked for their torque, too; default false */
    sn_drive drive;                /* points into the arrays below */
    double *q, *qd;                /* [nq], [nv] state, as the lanes hold it */
    double *qdd, *tau;             /* [nv] of the last step */
    double *target_q, *target_qd;  /* [nq], [nv] */
    double *feedforward;           /* [nv] */
    double *kp, *kd;               /* [nv] */
    double *push;                  /* [nbody][6] */
    double *body_pose, *body_rate; /* [nbody][7], [nbody][6] */
};

sn_dynamics_def study_def(sn_precision precision, const char *lanes);
/* In the zero pose, at rest, without gains. */
struct study *study_of(const sn_model *model, const sn_dynamics_def *def);
void study_free(struct study *s);

/* A test that runs with both precisions and every integrator: `def` has them, and `model` is a humanoid. */
#define TEST_EACH_INTEGRATOR(sentence)                                                                       \
    static void sentence##_in(const sn_model *model, const sn_dynamics_def *def);                            \
    TEST(sentence) {                                                                                         \
        for_each_integrator(sentence##_in);                                                                  \
    }                                                                                                        \
    static void sentence##_in(const sn_model *model, const sn_dynamics_def *def)

void for_each_integrator(void (*check)(const sn_model *model, const sn_dynamics_def *def));

/* NULL: that half is left alone. */
sn_status study_set_state(struct study *s, const double *q, const double *qd);
void study_get_state(const struct study *s, double *q, double *qd);
/* A target velocity or a feed-forward torque of NULL means zero. */
sn_status study_set_target(struct study *s, const double *q, const double *qd);
sn_status study_set_feedforward(struct study *s, const double *tau);
sn_status study_set_gains(struct study *s, const double *kp, const double *kd);
void study_uniform_gains(struct study *s, double root_kp, double root_kd, double kp, double kd);
sn_status study_set_push(struct study *s, int body, const double force[3], const double torque[3]);

sn_status study_step(struct study *s);
void study_get_acceleration(const struct study *s, double *qdd);
sn_status study_get_torque(const struct study *s, double *tau);

/* sinew/dynamics.h, asked about the state. */
sn_status study_body_pose(struct study *s, int body, double pos[3], double rot[4]);
sn_status study_body_velocity(struct study *s, int body, double linear[3], double angular[3]);
sn_status study_summary(struct study *s, sn_summary *summary);
sn_status study_jacobian(struct study *s, int body, const double point[3], double *J);
sn_status study_mass_matrix(struct study *s, double *M);
sn_status study_inverse_dynamics(struct study *s, const double *qdd, double *tau);
sn_status study_forward_dynamics(struct study *s, const double *tau, double *qdd);
sn_status study_drive_acceleration(struct study *s, double *qdd);
sn_status study_drive_torque(struct study *s, double *tau);

/* The quaternions of a pose made of unit length. */
void unit_quaternions(const sn_model *model, double *q);

#endif
