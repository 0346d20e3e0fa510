/* Sinew, for studies: the methods that papers compare, beside those that worlds use every day.
 *
 *   1. Worlds                     sn_study: other row solvers, responses, drives and velocity products in a world
 *   2. One character              sn_position: position-based steps by any scheme and optimiser (docs/position.md)
 *   3. What acts on it            gains and targets, drag, points that touch the ground
 *   4. Many trajectories          sn_trajectories: iterations, not steps, are scheduled over lanes and threads
 *
 * These functions are in a static library of their own: link sinew_studies (CMake: sinew::studies, pkg-config:
 * sinew-studies). sinew.h does not include this header, and what it declares may change from one version to the next. */
#ifndef SINEW_STUDIES_H
#define SINEW_STUDIES_H

#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------------- 1. Worlds */

/* How the rows of a step are solved. The two pivoting methods take a friction cone as a pyramid. Systems that they cannot
   solve go to Gauss-Seidel: more than 256 rows, torque limits of ball joints, and those without a solution. sn_world_stats
   counts them as `fallbacks`. */
typedef enum sn_row_solver {
    SN_ROW_SOLVER_PGS,    /* projected Gauss-Seidel with Newton steps, as worlds do */
    SN_ROW_SOLVER_LEMKE,  /* Lemke's pivoting */
    SN_ROW_SOLVER_DANTZIG /* Dantzig's algorithm, after Baraff 1994 */
} sn_row_solver;

/* How the responses of rows to unit forces are found. */
typedef enum sn_row_response {
    SN_ROW_RESPONSE_DELTAS,      /* kokkevis-2004 section 4.3, as worlds do */
    SN_ROW_RESPONSE_TEST_FORCES, /* section 4.2: a whole articulated-body pass per row */
    SN_ROW_RESPONSE_CACHED       /* section 4.2 with what depends on the state alone kept from row to row */
} sn_row_response;

/* Where the torques of drives come from. */
typedef enum sn_drives {
    SN_DRIVES_INSIDE, /* drives, contacts and limits are one problem, as worlds do: torques know what touches */
    /* Torques are computed before the step, from the acceleration that the drives would cause if nothing touched
       (maba-2020 eq. 6, as DeepMimic does it). They are clamped to their limits and given to the step. For the time
       stepper and scenes without rows. The acceleration is solved for by */
    SN_DRIVES_MABA,  /* the articulated-body algorithm, O(n) */
    SN_DRIVES_DENSE, /* mass matrix and dense L D L^T in the same lanes, O(n^3) */
    SN_DRIVES_LAPACK /* mass matrix and LAPACK's Cholesky, copy by copy, where the library was built with it */
} sn_drives;

/* What a study changes. All zero changes nothing. */
typedef struct sn_study_def {
    sn_row_solver row_solver;
    sn_row_response response;
    sn_drives drives;
    bool polarised; /* velocity products are linearly implicit (Kahan's polarisation) and keep energy, in linear time;
                       instead of what `products` of the world says */
} sn_study_def;

/* The study for `study` of sn_world_def and sn_environment_def. It is constant and never freed. NULL where the definition
   changes nothing. With an enumerator that does not exist you get a study that no world accepts.

       sn_world_def def = sn_world_def_default();
       def.study = sn_study_find((sn_study_def){.row_solver = SN_ROW_SOLVER_LEMKE}); */
SN_API const sn_study *sn_study_find(sn_study_def definition);

/* The matrix of the constraint responses J (M + K)^-1 J^T at the present state of a copy, with the rows that the next step
   would have. Returns the number of rows n, or -1 if an argument is wrong. `matrix` has room for `room` * `room` values and
   is filled if n <= room; NULL: not wanted. */
SN_API int sn_study_response_matrix(sn_world *world, int copy, sn_row_response response, double *matrix,
                                    int room);

/* ------------------------------------------------------------------------------------- 2. One character */

/* A step looks for the poses at which every body obeys its law of motion, with accelerations made of poses: pbad-2018 and
   what it grew into. Worlds have the schemes of one pose as SN_STEPPER_POSITION. */

typedef enum sn_position_method {
    SN_POSITION_METHOD_PBAD2,  /* pbad-2018 eq. 5: implicit Euler, first order, one pose a step */
    SN_POSITION_METHOD_BDF2,   /* second order, one pose as well */
    SN_POSITION_METHOD_PBAD3,  /* pbad-2018 eq. 6 with Legendre points, K = 3: second order, two poses */
    SN_POSITION_METHOD_PBAD4,  /* K = 4: third order, three poses; not stable at every step */
    SN_POSITION_METHOD_RADAU2, /* Radau IIA: third order, two poses */
    SN_POSITION_METHOD_RADAU3  /* fifth order, three poses */
} sn_position_method;

typedef enum sn_position_solver {
    SN_POSITION_SOLVER_SWEEPS,   /* a fixed number of sweeps, O(n) each: the same cost every step */
    SN_POSITION_SOLVER_NEWTON,   /* sweeps with line search to a tolerance */
    SN_POSITION_SOLVER_LM_SWEEP, /* Levenberg-Marquardt, each iteration a sweep; schemes of one pose */
    SN_POSITION_SOLVER_LM_DENSE, /* the paper's: a dense system of eq. 5, or of eq. 7 for several poses, O(n^3) */
    SN_POSITION_SOLVER_LBFGS     /* likewise, by liblbfgs, where the library was built with it */
} sn_position_solver;

/* What of the second derivatives of the energy a sweep keeps. */
typedef enum sn_position_hessian {
    SN_POSITION_HESSIAN_GAUSS_NEWTON, /* the inertia alone */
    SN_POSITION_HESSIAN_CLAMPED,  /* and the positive semidefinite part of each body's geometric stiffness */
    SN_POSITION_HESSIAN_MIRRORED, /* and its magnitude: fewer iterations on wild motion */
    SN_POSITION_HESSIAN_EXACT     /* all; may be indefinite */
} sn_position_hessian;

typedef struct sn_position_def {
    sn_precision precision;    /* default SN_PRECISION_DOUBLE */
    const char *lanes;         /* NULL: as the library chooses; default NULL */
    double gravity[3];         /* m/s^2; default 0 0 -9.81 */
    double dt;                 /* s; default 1/60 */
    sn_position_method method; /* default SN_POSITION_METHOD_PBAD2 */
    sn_position_solver solver; /* default SN_POSITION_SOLVER_NEWTON */
    sn_position_hessian
        hessian; /* of sweeps; default SN_POSITION_HESSIAN_MIRRORED, for several poses SN_POSITION_HESSIAN_EXACT is best */
    int sweeps;       /* of SN_POSITION_SOLVER_SWEEPS; default 2 */
    double tolerance; /* largest gradient left, as a part of the weight times the length; default 1e-8 */
    int most;         /* iterations of a step; default 100 */
    bool squares; /* SN_POSITION_SOLVER_LM_DENSE and _LBFGS: schemes of one pose by eq. 7, too; default false */
    int substeps; /* of PBAD-2 between stages, where several poses cannot be solved for; 0: none; default 4 */
} sn_position_def;

/* What a step took. */
typedef struct sn_position_report {
    int iterations;  /* sweeps that moved it, or systems solved */
    int evaluations; /* gradients, those of sweeps included */
    int backtracks;  /* steps of the line search, or refused ones */
    int fallbacks;   /* directions that were replaced, steps that were restarted from substeps */
    double residual; /* largest gradient left, as the tolerance counts it */
    bool converged;
} sn_position_report;

/* A character with its past. One thread at a time. The model must outlive it. */
typedef struct sn__position sn_position;

SN_API sn_position_def sn_position_def_default(void);
SN_API sn_position *sn_position_create(const sn_model *model, const sn_position_def *definition,
                                       sn_error *error);
SN_API void sn_position_free(sn_position *position); /* NULL is allowed */
SN_API bool sn_position_has_lbfgs(void);

/* The state it starts from, q [nq] and qd [nv], with a past in which it moved evenly; or, `backwards`, one that was really
   so, found by small steps of RK4 against time: for characters without drives and dampers. */
SN_API sn_status sn_position_start(sn_position *position, const double *q, const double *qd, bool backwards);
/* SN_ERROR_NOT_FINITE: the step could not be solved; the character is as it was. report: may be NULL. */
SN_API sn_status sn_position_step(sn_position *position, sn_position_report *report);
SN_API sn_status sn_position_state(const sn_position *position, double *q,
                                   double *qd); /* either may be NULL */

/* --------------------------------------------------------------------------------- 3. What acts on it */

/* Drives are energies, 1/2 kp |e|^2 and 1/2 kd dt |velocity - target_qd|^2, taken at the end of the step. kp, kd [nv]. */
SN_API sn_status sn_position_set_gains(sn_position *position, const double *kp, const double *kd);
/* The target q [nq], qd [nv] or NULL: at rest, for the coming steps. Stage: 0, and for schemes of several poses up to how
   many there are less one; sn_position_node says when within the step, as a part of it (NAN: there is no such stage). */
SN_API sn_status sn_position_set_target(sn_position *position, int stage, const double *q, const double *qd);
SN_API double sn_position_node(const sn_position *position, int stage);

/* A fluid at rest. Every gram of a body meets -(along a a^T + across (1 - a a^T)) v per kilogram, a the body's long axis, that
   is the principal axis about which it has the least inertia, as it stood at the start of the step. along = across: the
   paper's (section 6.2, with D = along dt / 2), in proportion to mass. Units 1/s. PBAD-2 only. */
typedef struct sn_position_drag {
    double along, across;
} sn_position_drag;
SN_API sn_status sn_position_set_drag(sn_position *position, const sn_position_drag *drag); /* NULL: none */

typedef enum sn_position_friction {
    SN_POSITION_FRICTION_EQUATION_9, /* pbad-2018 eq. 9: D1 d^2 + D2 d^2 |u|^2, d the depth, u the velocity along the
                               ground. It lifts points instead of holding them: for reproduction only */
    SN_POSITION_FRICTION_COULOMB /* D1 d^2, and mu times the normal force of the step before times |u|, smoothed */
} sn_position_friction;

/* Points of bodies against the plane z = 0. PBAD-2 only. */
typedef struct sn_position_ground {
    sn_position_friction friction; /* default SN_POSITION_FRICTION_COULOMB */
    double d1;                     /* N/m; default 1e5 */
    double d2;                     /* N s^2/m^3, of eq. 9; default 1e5 */
    double mu;                     /* default 0.8 */
    double slow;                   /* m/s: below this speed friction falls off towards zero; default 0.01 */
} sn_position_ground;
SN_API sn_position_ground sn_position_ground_default(void);
/* The points [npoint][3] are in the frames of body[npoint]; ground NULL: none. */
SN_API sn_status sn_position_set_ground(sn_position *position, const sn_position_ground *ground, int npoint,
                                        const int *body, const double *point);

/* -------------------------------------------------------------------------------- 4. Many trajectories */

typedef struct sn_trajectories_def {
    sn_precision precision;      /* default SN_PRECISION_DOUBLE */
    const char *lanes;           /* NULL: the widest; default NULL */
    int threads;                 /* 0: one a core; default 1 */
    double gravity[3];           /* m/s^2; default 0 0 -9.81 */
    double dt;                   /* s; default 1/60 */
    sn_position_method method;   /* SN_POSITION_METHOD_PBAD2, the default, or _BDF2 */
    sn_position_hessian hessian; /* any but SN_POSITION_HESSIAN_EXACT; default SN_POSITION_HESSIAN_MIRRORED */
    double tolerance;            /* as in sn_position_def; default 1e-8 */
    int most;                    /* sweeps of a step; then it goes on unsolved; default 200 */
    bool wait; /* a block of lanes waits at every step for the slowest of them; default false: each goes on */
} sn_trajectories_def;

/* What happens in a run. Pointers that are NULL: zero, or not wanted. */
typedef struct sn_trajectories_run {
    int count, steps;
    const double *kp, *kd; /* [nv] gains, with target */
    const double *target;  /* [count][steps][nq] */
    double *path;          /* out: [count][steps][nq] poses */
    int32_t *sweeps;       /* out: [count] of each, over all its steps */
} sn_trajectories_run;

typedef struct sn_trajectories_report {
    int64_t ticks;    /* sweeps of a whole block of lanes */
    int64_t sweeps;   /* of trajectories: at most the lanes of a block times ticks */
    int64_t unsolved; /* steps that went on after `most` sweeps */
    int most, least;  /* sweeps of one step */
    int lost;         /* trajectories that stopped being finite: they stay where they were */
    int lanes;        /* of a block */
} sn_trajectories_report;

typedef struct sn_trajectories sn_trajectories;

SN_API sn_trajectories_def sn_trajectories_def_default(void);
SN_API sn_trajectories *sn_trajectories_create(const sn_model *model, const sn_trajectories_def *definition,
                                               sn_error *error);
SN_API void sn_trajectories_free(sn_trajectories *trajectories); /* NULL is allowed */
/* From q [count][nq] and qd [count][nv], which become the states at the end. The bits of a trajectory depend neither on the
   others nor on threads or waiting. SN_ERROR_NOT_FINITE: some are lost, all others are done. report: may be NULL. */
SN_API sn_status sn_trajectories_go(sn_trajectories *trajectories, const sn_trajectories_run *run, double *q,
                                    double *qd, sn_trajectories_report *report);

#ifdef __cplusplus
}
#endif

#endif
