/* Sinew: questions about a model in a state that you keep, and the methods of one character that papers
 * compare.
 *
 *   1. A calculator      sn_dynamics: a model, a precision, a method; keeps no state between calls
 *   2. Questions         poses, energy, Jacobians, mass matrix, inverse and forward dynamics
 *   3. Drives and steps  the five stable-PD solvers, three routes of the torque, six integrators
 *
 * Programs that simulate use the worlds of sinew.h. */
#ifndef SINEW_DYNAMICS_H
#define SINEW_DYNAMICS_H

#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------- 1. A calculator */

/* How (M + K) qdd = Q - C is solved. */
typedef enum sn_solver {
    /* Inside the articulated-body algorithm, O(n). */
    SN_SOLVER_MABA,
    /* Mass matrix and dense LDL^T in the same lanes, O(n^3). */
    SN_SOLVER_DENSE,
    /* Mass matrix and LAPACK's Cholesky, where the library was built with it. */
    SN_SOLVER_LAPACK,
    /* Mass matrix and LTL with branch-induced sparsity, O(n d^2). */
    SN_SOLVER_SPARSE,
    /* Mass matrix and conjugate gradients with Jacobi preconditioning. */
    SN_SOLVER_PCG
} sn_solver;

/* All take the velocity products in C at the velocity they are given: as the papers do, and as methods of
   several stages need it. Worlds have other ways (sn_products). */
typedef enum sn_integrator {
    SN_INTEGRATOR_SEMI_IMPLICIT_EULER,
    SN_INTEGRATOR_EXPLICIT_EULER,
    SN_INTEGRATOR_MIDPOINT,
    /* Heun. */
    SN_INTEGRATOR_RK2,
    /* Kutta. */
    SN_INTEGRATOR_RK3,
    SN_INTEGRATOR_RK4
} sn_integrator;

/* What is integrated. The torque routes solve for qdd, make torques of it and run the plain forward
   dynamics on those: for studying torques that are monitored or changed in between (maba-2020 section 5). */
typedef enum sn_route {
    /* The qdd of the solve itself. */
    SN_ROUTE_DIRECT,
    /* Torques by inverse dynamics, eq. 5, then forward dynamics. */
    SN_ROUTE_TORQUE_RNEA,
    /* Torques by the PD formula, eq. 6, then forward dynamics; fragile in float. */
    SN_ROUTE_TORQUE_EQ6
} sn_route;

typedef struct sn_dynamics_def {
    /* Set by sn_dynamics_def_default. */
    uint32_t struct_size;
    /* States that one call works on, side by side in lanes. [default 1; from 1] */
    int count;
    /* Precision of all calculations. [default SN_PRECISION_DOUBLE] */
    sn_precision precision;
    /* Lane type by name. NULL: the narrowest vector lanes for one state, else the widest. [default NULL] */
    const char *lanes;
    /* Gravity. [m/s^2; default 0 0 -9.81] */
    double gravity[3];
    /* Duration of a step. [s; default 1/240; above 0] */
    double dt;
    /* How drives enter the equations of motion. [default SN_FORM_STABLE] */
    sn_form form;
    /* How the equations are solved. [default SN_SOLVER_MABA] */
    sn_solver solver;
    /* How states are integrated. [default SN_INTEGRATOR_SEMI_IMPLICIT_EULER] */
    sn_integrator integrator;
    /* What is integrated. [default SN_ROUTE_DIRECT] */
    sn_route route;
} sn_dynamics_def;

static inline sn_dynamics_def sn_dynamics_def_default(void) {
    SN_RETURN_DEFAULT(sn_dynamics_def);
}

/* Working memory for one model and one method. One thread at a time. The model must outlive it. */
typedef struct sn_dynamics sn_dynamics;

SN_API sn_dynamics *sn_dynamics_create(const sn_model *model, const sn_dynamics_def *definition,
                                       sn_error *error);
SN_API void sn_dynamics_free(sn_dynamics *dynamics);

/* -------------------------------------------------------------------------------------- 2. Questions */

/* About the `count` states of the definition: q [count][nq], qd [count][nv], and one row per state in
   every other array. NULL for qd means zero. Quaternions need not be of unit length. SN_ERROR_ARGUMENT
   when a value is not finite or an index out of range. If the definition names the lanes f64x8, which
   only step, Jacobians, the mass matrix and forward dynamics are SN_ERROR_UNSUPPORTED. */

/* Frames of all bodies in the world: pose [nbody][7] position and orientation, velocity [nbody][6] linear
   and angular in world axes; energy and momentum. Each may be NULL. */
SN_API sn_status sn_dynamics_bodies(sn_dynamics *dynamics, const double *q, const double *qd, double *pose,
                                    double *velocity, sn_summary *summary);
/* Velocity (rows 0-2 linear, 3-5 angular, world axes) of a point of a body, given in the body's frame,
   for each unit qd: J [6][nv]. */
SN_API sn_status sn_dynamics_jacobian(sn_dynamics *dynamics, const double *q, int body, const double point[3],
                                      double *J);

/* M qdd + C = tau. M [nv][nv] includes armature; C includes gravity, passive damping and springs, and push
   [nbody][6], the force through each body's origin and the torque on it in world axes (NULL: none). */
SN_API sn_status sn_dynamics_mass_matrix(sn_dynamics *dynamics, const double *q, double *M);
SN_API sn_status sn_dynamics_inverse(sn_dynamics *dynamics, const double *q, const double *qd,
                                     const double *push, const double *qdd, double *tau);
SN_API sn_status sn_dynamics_forward(sn_dynamics *dynamics, const double *q, const double *qd,
                                     const double *push, const double *tau, double *qdd);

/* What a fluid at rest does to bodies that move in it, as pushes for a world (SN_FIELD_PUSH) or for the
   questions above: every gram meets -(along a a^T + across (1 - a a^T)) v per kilogram, a the body's long
   axis, about which it has the least inertia; units 1/s. Pose [count][nbody][7] and velocity
   [count][nbody][6] as worlds and sn_dynamics_bodies have them; push [count][nbody][6]. Taken at the
   start of a step it is stable while across times dt is below 1. */
SN_API sn_status sn_drag_push(const sn_model *model, double along, double across, int count,
                              const double *pose, const double *velocity, double *push);

/* ------------------------------------------------------------------------------- 3. Drives and steps */

/* What drives the states of a call. Pointers that are NULL mean: zero, and for target_q: the zero pose. */
typedef struct sn_drive {
    /* [nv] Gains, none negative. */
    const double *kp, *kd;
    /* [count][nq] Pose to reach at the end of the step. */
    const double *target_q;
    /* [count][nv] Velocity to have there. */
    const double *target_qd;
    /* [count][nv] Torque added to that of the drives. */
    const double *feedforward;
    /* [count][nbody][6] Force and torque on each body, world axes. */
    const double *push;
    /* [nv] Largest torques. NULL: those of the model. */
    const double *torque_limit;
} sn_drive;

/* Makes `steps` steps of dt from q [count][nq] and qd [count][nv], which become the state at the end; the
   target stays. qdd and tau [count][nv] are the accelerations and drive torques of the last step, by the
   solver and the route of the definition; either may be NULL. With 0 steps they are those that the first
   step would begin with, the torques by inverse dynamics (eq. 5); q and qd then stay as they are, and qd
   may be NULL. SN_ERROR_NOT_FINITE: some value stopped being finite; q and qd are left as they were. */
SN_API sn_status sn_dynamics_step(sn_dynamics *dynamics, const sn_drive *drive, int steps, double *q,
                                  double *qd, double *qdd, double *tau);

#ifdef __cplusplus
}
#endif

#endif
