/* Position-based steps of one character, without a world: pbad-2018 and what it grew into. A study of schemes and optimisers;
 * worlds step many abreast on the same kernels. */
#ifndef SINEW_DYNAMICS_POSITION_H
#define SINEW_DYNAMICS_POSITION_H

#include "dynamics/position_scheme.h"
#include "kernels/select.h"
#include "model/model.h"

/* How a step is solved. */
enum sn__position_solver {
    SN__SOLVE_SWEEPS,   /* a fixed number of sweeps: the same cost every step */
    SN__SOLVE_NEWTON,   /* sweeps with line search to a tolerance */
    SN__SOLVE_LM_SWEEP, /* Levenberg-Marquardt, each iteration a sweep. Schemes of one pose */
    SN__SOLVE_LM_DENSE, /* the paper's: a dense system. Eq. 5, or eq. 7 for schemes of several poses */
    SN__SOLVE_LBFGS     /* by liblbfgs, on the same systems: sn__position_has_lbfgs */
};

struct sn__position_def {
    sn_precision precision;
    const char *lanes; /* by name, or NULL; all lanes hold the same character */
    double gravity[3];
    double dt;
    enum sn__position_method method;
    enum sn__position_solver solver;
    enum sn__position_hessian hessian; /* of sweeps; schemes of several poses take any, too */
    int sweeps;                        /* of SN__SOLVE_SWEEPS */
    double tolerance; /* largest gradient left, as a part of the character's weight times 1 m */
    int most;         /* iterations */
    bool squares; /* schemes of one pose by eq. 7, the sum of squared gradients, under the paper's solvers */
    int substeps; /* of PBAD-2 between stages, where several poses cannot be solved for; 0: none */
};

/* What the last step took. */
struct sn__position_report {
    int iterations;  /* sweeps or systems solved */
    int evaluations; /* gradients, those of sweeps included */
    int backtracks;  /* steps of the line search, or refused ones */
    int fallbacks;   /* directions that were not of descent and replaced; steps restarted from substeps */
    double residual; /* largest gradient left, as the tolerance counts it */
    bool converged;
};

struct sn__position;

struct sn__position_def sn__position_def_default(void);
struct sn__position *sn__position_create(const sn_model *model, const struct sn__position_def *def,
                                         sn_error *error);
void sn__position_free(struct sn__position *p);

/* A past in which the character moved evenly. */
sn_status sn__position_start(struct sn__position *p, const double *q, const double *qd);
/* A past that was really so, by small steps of RK4 against time: for characters without drives and dampers. */
sn_status sn__position_start_backwards(struct sn__position *p, const double *q, const double *qd);
/* Or as given: a pose for each node of the past, of those that past_node names. */
sn_status sn__position_start_from(struct sn__position *p, const double *const *q, const double *qd);

sn_status sn__position_set_gains(struct sn__position *p, const double *kp, const double *kd);
/* The target at one stage of the coming step; before any is set there are no drives. qd NULL: at rest. */
sn_status sn__position_set_target(struct sn__position *p, int stage, const double *q, const double *qd);
sn_status sn__position_set_feedforward(struct sn__position *p, const double *tau);
sn_status sn__position_set_push(struct sn__position *p, const double *push); /* [nbody][6] */

/* SN_ERROR_NOT_FINITE: the step could not be solved; the character is as it was. */
sn_status sn__position_step(struct sn__position *p, struct sn__position_report *report);
void sn__position_state(const struct sn__position *p, double *q, double *qd); /* either may be NULL */
const struct sn__position_scheme *sn__position_scheme(const struct sn__position *p);

bool sn__position_has_lbfgs(void);

#endif
