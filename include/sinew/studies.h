/* Sinew, for studies: the methods that papers compare, beside those that worlds use every day.
 *
 *   1. Worlds              sn_study: other row solvers, responses, drives and velocity products in a world
 *   2. One character       sn_position: position-based steps by any scheme and optimiser (docs/position.md)
 *   3. What acts on it     gains and targets, drag, points that touch the ground
 *   4. Many trajectories   sn_trajectories: iterations, not steps, are scheduled over lanes and threads
 *   5. Full coordinates    sn_full_go: stable PD in linear time over bodies and joints
 *
 * These functions are in a static library of their own: link sinew_studies (CMake: sinew::studies,
 * pkg-config: sinew-studies). sinew.h does not include this header, and what it declares may change from
 * one version to the next. */
#ifndef SINEW_STUDIES_H
#define SINEW_STUDIES_H

#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------------- 1. Worlds */

/* How the rows of a step are solved. The two pivoting methods take a friction cone as a pyramid. Systems
   that they cannot solve go to Gauss-Seidel: more than 256 rows, torque limits of ball joints, and those
   without a solution. sn_world_stats counts them as `fallbacks`. */
typedef enum sn_row_solver {
    /* Projected Gauss-Seidel with Newton steps, as worlds do. */
    SN_ROW_SOLVER_PGS,
    /* Lemke's pivoting. */
    SN_ROW_SOLVER_LEMKE,
    /* Dantzig's algorithm, after Baraff 1994. */
    SN_ROW_SOLVER_DANTZIG
} sn_row_solver;

/* How the responses of rows to unit forces are found. */
typedef enum sn_row_response {
    /* Kokkevis-2004 section 4.3, as worlds do. */
    SN_ROW_RESPONSE_DELTAS,
    /* Section 4.2: a whole articulated-body pass per row. */
    SN_ROW_RESPONSE_TEST_FORCES,
    /* Section 4.2 with what depends on the state alone kept from row to row. */
    SN_ROW_RESPONSE_CACHED
} sn_row_response;

/* Where the torques of drives come from. */
typedef enum sn_drives {
    /* Drives, contacts and limits are one problem, as worlds do: torques know what touches. */
    SN_DRIVES_INSIDE,
    /* Torques are computed before the step, from the acceleration that the drives would cause if nothing
       touched (maba-2020 eq. 6, as DeepMimic does it). They are clamped to their limits and given to the
       step. For the time stepper and scenes without rows. The acceleration is solved for by */
    /* The articulated-body algorithm, O(n). */
    SN_DRIVES_MABA,
    /* Mass matrix and dense L D L^T in the same lanes, O(n^3). */
    SN_DRIVES_DENSE,
    /* Mass matrix and LAPACK's Cholesky, copy by copy, where the library was built with it. */
    SN_DRIVES_LAPACK
} sn_drives;

/* What a study changes. All zero changes nothing. */
typedef struct sn_study_def {
    sn_row_solver row_solver;
    sn_row_response response;
    sn_drives drives;
    /* Velocity products are linearly implicit (Kahan's polarisation) and keep energy, in linear time;
       instead of what `products` of the world says. */
    bool polarised;
} sn_study_def;

/* The study for `study` of sn_world_def and sn_environment_def. It is constant and never freed. NULL
   where the definition changes nothing. With an enumerator that does not exist you get a study that no
   world accepts.

       sn_world_def def = sn_world_def_default();
       def.study = sn_study_find((sn_study_def){.row_solver = SN_ROW_SOLVER_LEMKE}); */
SN_API const sn_study *sn_study_find(sn_study_def definition);

/* The matrix of the constraint responses J (M + K)^-1 J^T at the present state of a copy, with the rows
   that the next step would have. Returns the number of rows n, or -1 if an argument is wrong. `matrix`
   has room for `room` * `room` values and is filled if n <= room; NULL: not wanted. */
SN_API int sn_study_response_matrix(sn_world *world, int copy, sn_row_response response, double *matrix,
                                    int room);

/* ------------------------------------------------------------------------------------- 2. One character */

/* A step looks for the poses at which every body obeys its law of motion, with accelerations made of
   poses: pbad-2018 and what it grew into. Worlds have the schemes of one pose as SN_STEPPER_POSITION. */

typedef enum sn_position_method {
    /* Pbad-2018 eq. 5: implicit Euler, first order, one pose a step. */
    SN_POSITION_METHOD_PBAD2,
    /* Second order, one pose as well. */
    SN_POSITION_METHOD_BDF2,
    /* Pbad-2018 eq. 6 with Legendre points, K = 3: second order, two poses. */
    SN_POSITION_METHOD_PBAD3,
    /* K = 4: third order, three poses; not stable at every step. */
    SN_POSITION_METHOD_PBAD4,
    /* Radau IIA: third order, two poses. */
    SN_POSITION_METHOD_RADAU2,
    /* Fifth order, three poses. */
    SN_POSITION_METHOD_RADAU3
} sn_position_method;

typedef enum sn_position_solver {
    /* A fixed number of sweeps, O(n) each: the same cost every step. */
    SN_POSITION_SOLVER_SWEEPS,
    /* Sweeps with line search to a tolerance. */
    SN_POSITION_SOLVER_NEWTON,
    /* Levenberg-Marquardt, each iteration a sweep; schemes of one pose. */
    SN_POSITION_SOLVER_LM_SWEEP,
    /* The paper's: a dense system of eq. 5, or of eq. 7 for several poses, O(n^3). */
    SN_POSITION_SOLVER_LM_DENSE,
    /* The same system by liblbfgs, if sn_built_with("lbfgs"). */
    SN_POSITION_SOLVER_LBFGS
} sn_position_solver;

/* What of the second derivatives of the energy a sweep keeps. */
typedef enum sn_position_hessian {
    /* The inertia alone. */
    SN_POSITION_HESSIAN_GAUSS_NEWTON,
    /* The inertia and the positive semidefinite part of each body's geometric stiffness. */
    SN_POSITION_HESSIAN_CLAMPED,
    /* The inertia and the magnitude of the geometric stiffness: fewer iterations on wild motion. */
    SN_POSITION_HESSIAN_MIRRORED,
    /* All; may be indefinite. */
    SN_POSITION_HESSIAN_EXACT
} sn_position_hessian;

typedef struct sn_position_def {
    /* Set by sn_position_def_default. */
    uint32_t struct_size;
    /* Precision of all calculations. [default SN_PRECISION_DOUBLE] */
    sn_precision precision;
    /* Lane type by name. NULL: as the library chooses. [default NULL] */
    const char *lanes;
    /* Gravity. [m/s^2; default 0 0 -9.81] */
    double gravity[3];
    /* Duration of a step. [s; default 1/60] */
    double dt;
    /* The scheme. [default SN_POSITION_METHOD_PBAD2] */
    sn_position_method method;
    /* The optimiser. [default SN_POSITION_SOLVER_NEWTON] */
    sn_position_solver solver;
    /* Second derivatives that sweeps keep. For several poses SN_POSITION_HESSIAN_EXACT is best. [default
       SN_POSITION_HESSIAN_MIRRORED] */
    sn_position_hessian hessian;
    /* Number of sweeps of SN_POSITION_SOLVER_SWEEPS. [default 2] */
    int sweeps;
    /* Largest gradient left, as a part of the weight times the length. [default 1e-8] */
    double tolerance;
    /* Most iterations of a step. [default 100] */
    int most;
    /* Whether SN_POSITION_SOLVER_LM_DENSE and _LBFGS solve schemes of one pose by eq. 7, too. [default
       false] */
    bool squares;
    /* Number of substeps of PBAD-2 between stages, if a step of several poses cannot be solved. 0: none.
       [default 4] */
    int substeps;
} sn_position_def;

static inline sn_position_def sn_position_def_default(void) {
    SN_RETURN_DEFAULT(sn_position_def);
}

/* What a step took. */
typedef struct sn_position_report {
    /* Sweeps that moved it, or systems solved. */
    int iterations;
    /* Gradients, those of sweeps included. */
    int evaluations;
    /* Steps of the line search, or refused ones. */
    int backtracks;
    /* Directions that were replaced, steps that were restarted from substeps. */
    int fallbacks;
    /* Largest gradient left, as the tolerance counts it. */
    double residual;
    bool converged;
} sn_position_report;

/* A character with its past. One thread at a time. The model must outlive it. */
typedef struct sn__position sn_position;

SN_API sn_position *sn_position_create(const sn_model *model, const sn_position_def *definition,
                                       sn_error *error);
/* NULL is allowed. */
SN_API void sn_position_free(sn_position *position);

/* The state it starts from, q [nq] and qd [nv], with a past in which it moved evenly; or, `backwards`,
   one that was really so, found by small steps of RK4 against time: for characters without drives and
   dampers. */
SN_API sn_status sn_position_start(sn_position *position, const double *q, const double *qd, bool backwards);
/* SN_ERROR_NOT_FINITE: the step could not be solved; the character is as it was. report: may be NULL. */
SN_API sn_status sn_position_step(sn_position *position, sn_position_report *report);
/* Either may be NULL. */
SN_API sn_status sn_position_state(const sn_position *position, double *q, double *qd);

/* --------------------------------------------------------------------------------- 3. What acts on it */

/* Drives are energies, 1/2 kp |e|^2 and 1/2 kd dt |velocity - target_qd|^2, taken at the end of the step.
   kp, kd [nv]. */
SN_API sn_status sn_position_set_gains(sn_position *position, const double *kp, const double *kd);
/* The target q [nq], qd [nv] or NULL: at rest, for the coming steps. Stage: 0, and for schemes of several
   poses up to how many there are less one: the points of the scheme. */
SN_API sn_status sn_position_set_target(sn_position *position, int stage, const double *q, const double *qd);

typedef enum sn_position_friction {
    /* Pbad-2018 eq. 9: D1 d^2 + D2 d^2 |u|^2, d the depth, u the velocity along the ground. It lifts
       points instead of holding them: for reproduction only. */
    SN_POSITION_FRICTION_EQUATION_9,
    /* D1 d^2, and mu times the normal force of the step before times |u|, smoothed. */
    SN_POSITION_FRICTION_COULOMB
} sn_position_friction;

/* Points of bodies against the plane z = 0, and a fluid at rest. PBAD-2 only. */
typedef struct sn_position_ground_def {
    /* Set by sn_position_ground_def_default. */
    uint32_t struct_size;
    /* Law of friction. [default SN_POSITION_FRICTION_COULOMB] */
    sn_position_friction friction;
    /* Stiffness D1. [N/m; default 1e5] */
    double d1;
    /* Factor D2 of eq. 9. [N s^2/m^3; default 1e5] */
    double d2;
    /* Coefficient of friction. [default 0.8] */
    double mu;
    /* Speed below which friction falls off towards zero. [m/s; default 0.01] */
    double slow;
    /* Drag of the fluid along the long axis a of each body, the principal axis about which it has the least
       inertia, as it stood at the start of the step. Every gram meets -(along a a^T + across (1 - a a^T)) v
       per kilogram. Along = across: the paper's (section 6.2, with D = along dt / 2), in proportion to
       mass. [1/s; default 0; from 0] */
    double drag_along;
    /* Drag across that axis. [1/s; default 0; from 0] */
    double drag_across;
} sn_position_ground_def;

static inline sn_position_ground_def sn_position_ground_def_default(void) {
    SN_RETURN_DEFAULT(sn_position_ground_def);
}
/* The points [npoint][3] are in the frames of body[npoint], 0 for drag alone; ground NULL: neither. */
SN_API sn_status sn_position_set_ground(sn_position *position, const sn_position_ground_def *ground,
                                        int npoint, const int *body, const double *point);

/* -------------------------------------------------------------------------------- 4. Many trajectories */

typedef struct sn_trajectories_def {
    /* Set by sn_trajectories_def_default. */
    uint32_t struct_size;
    /* Precision of all calculations. [default SN_PRECISION_DOUBLE] */
    sn_precision precision;
    /* Lane type by name. NULL: the widest. [default NULL] */
    const char *lanes;
    /* Number of threads. 0: one per core. [default 1] */
    int threads;
    /* Gravity. [m/s^2; default 0 0 -9.81] */
    double gravity[3];
    /* Duration of a step. [s; default 1/60] */
    double dt;
    /* SN_POSITION_METHOD_PBAD2 or _BDF2. [default SN_POSITION_METHOD_PBAD2] */
    sn_position_method method;
    /* Any but SN_POSITION_HESSIAN_EXACT. [default SN_POSITION_HESSIAN_MIRRORED] */
    sn_position_hessian hessian;
    /* Largest gradient left, as in sn_position_def. [default 1e-8] */
    double tolerance;
    /* Most sweeps of a step. It then continues unsolved. [default 200] */
    int most;
    /* Whether a block of lanes waits at every step for the slowest of them. Otherwise each lane
       continues. [default false] */
    bool wait;
} sn_trajectories_def;

static inline sn_trajectories_def sn_trajectories_def_default(void) {
    SN_RETURN_DEFAULT(sn_trajectories_def);
}

/* What happens in a run. Pointers that are NULL: zero, or not wanted. */
typedef struct sn_trajectories_run {
    int count, steps;
    /* [nv] Gains, with target. */
    const double *kp, *kd;
    /* [count][steps][nq] Targets. */
    const double *target;
    /* Out: [count][steps][nq] poses. */
    double *path;
    /* Out: [count] of each, over all its steps. */
    int32_t *sweeps;
} sn_trajectories_run;

typedef struct sn_trajectories_report {
    /* Sweeps of a whole block of lanes. */
    int64_t ticks;
    /* Sweeps of all trajectories: at most the lanes of a block times ticks. */
    int64_t sweeps;
    /* Steps that went on after `most` sweeps. */
    int64_t unsolved;
    /* Sweeps of one step. */
    int most, least;
    /* Trajectories that stopped being finite: they stay where they were. */
    int lost;
    /* Lanes of a block. */
    int lanes;
} sn_trajectories_report;

typedef struct sn_trajectories sn_trajectories;

SN_API sn_trajectories *sn_trajectories_create(const sn_model *model, const sn_trajectories_def *definition,
                                               sn_error *error);
/* NULL is allowed. */
SN_API void sn_trajectories_free(sn_trajectories *trajectories);
/* From q [count][nq] and qd [count][nv], which become the states at the end. The bits of a trajectory
   depend neither on the others nor on threads or waiting. SN_ERROR_NOT_FINITE: some are lost, all others
   are done. report: may be NULL. */
SN_API sn_status sn_trajectories_go(sn_trajectories *trajectories, const sn_trajectories_run *run, double *q,
                                    double *qd, sn_trajectories_report *report);

/* ---------------------------------------------------------------------------------- 5. Full coordinates */

/* Every body has six coordinates of its own, and joints are rows that hold bodies together (maba-2020
   section 5). Hinges, universal, ball and free joints; no springs, dampers, armature or bodies without
   mass. */

/* How the system of bodies and joints is solved. */
typedef enum sn_full_method {
    /* Drives couple bodies; each body and its joint are eliminated from the leaves. O(n). */
    SN_FULL_METHOD_COUPLED,
    /* Drives are rows with a compliance. O(n). */
    SN_FULL_METHOD_SOFT_ROWS,
    /* A body and its joint are one pivot, whose free axes carry the unknowns. O(n). */
    SN_FULL_METHOD_NULL_SPACE,
    /* One dense matrix, O(n^3). */
    SN_FULL_METHOD_KKT
} sn_full_method;

/* How joints are closed after a step. */
typedef enum sn_full_repair {
    SN_FULL_REPAIR_NONE,
    /* By the smallest displacement, with the factors of the step. Coupled and soft rows only. */
    SN_FULL_REPAIR_PROJECTION,
    /* Children are put back on their parents, from the root outwards. */
    SN_FULL_REPAIR_SNAP
} sn_full_repair;

/* What becomes of velocities from step to step. */
typedef enum sn_full_products {
    /* Bodies keep theirs, and the rows of joints correct them. */
    SN_FULL_PRODUCTS_ROWS,
    /* For comparison, with the null space and without repair: bodies follow joint coordinates. Velocity
       products are taken at the start of the step, */
    SN_FULL_PRODUCTS_START,
    /* halfway between the velocities at its start and at its end, as worlds do by default, */
    SN_FULL_PRODUCTS_MIDDLE,
    /* as the mean of those at its start and at its end, */
    SN_FULL_PRODUCTS_ENDS,
    /* or as the difference to the velocities that bodies bring along from the last pose. */
    SN_FULL_PRODUCTS_CARRIED
} sn_full_products;

/* A run, and what comes of it. Start with {0}; dt, kp, kd and target are needed. */
typedef struct sn_full_run {
    sn_full_method method;
    sn_full_repair repair;
    sn_full_products products;
    sn_precision precision;
    sn_form form;
    double dt, gravity[3];
    /* Solves once for the accelerations of q and qd and does not move. Otherwise steps are solved for
       velocities with which joints hold at the end. */
    bool accelerations;
    int steps;
    /* [nv] Gains. */
    const double *kp, *kd;
    /* [steps][nq] Poses to reach at the end of each step. */
    const double *target;
    /* Out, each may be NULL: accelerations and torques [nv] of the last step. */
    double *qdd, *tau;
    /* Out: forces of the hard rows [6 nbody] in the last step, `rows` of them. Not by the null space. */
    double *force;
    /* Out: [nbody][3] centres of mass at the end. */
    double *com;
    /* Out: [6 + 6] linear momentum, and angular momentum about the common centre of mass, before and
       after. */
    double *momentum;
    /* Out: [1] largest distance between the two ends of a joint after a step. */
    double *gap;
    /* Out: number of hard rows. */
    int rows;
    /* Out: the step that was not finite, or whose matrix was not definite; 0: none. */
    int lost;
} sn_full_run;

/* Runs from q [nq] and qd [nv], which stay. SN_ERROR_NOT_FINITE: see `lost`. SN_ERROR_UNSUPPORTED: the
   model has other joints, or the scalar lane types were not built. */
SN_API sn_status sn_full_go(const sn_model *model, const double *q, const double *qd, sn_full_run *run);

#ifdef __cplusplus
}
#endif

#endif
