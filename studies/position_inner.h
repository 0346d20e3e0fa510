/* What the files of position-based steps share. */
#ifndef SINEW_DYNAMICS_POSITION_INNER_H
#define SINEW_DYNAMICS_POSITION_INNER_H

#include "studies/position.h"
#include "studies/position_adjoint.h"

enum { SN__GUESS_POSES = SN__POSITION_STAGES + 2 };

struct sn__position_system {
    struct sn__adjoint *adjoint;
    int n;         /* m nv */
    double *J;     /* [n][n] */
    double *N;     /* [n][n] normal equations */
    double *g;     /* [n] gradients */
    double *step;  /* [n] */
    double *pose;  /* [max(nq, 12 nbody)] */
    double *gains; /* [2 nv] */
};

struct sn__position {
    const sn_model *model;
    const struct sn__kernels *k;
    const struct sn__position_kernels *pk;
    struct sn__position_def def;
    struct sn__position_scheme scheme;
    struct sn__position_args args;
    /* All in lanes. Positions of free roots are relative to `anchor`. */
    void *past_q[SN__POSITION_PAST];  /* [nq] */
    void *past_P[SN__POSITION_PAST];  /* [nbody][SN__AFFINE] */
    void *V;                          /* [nbody][SN__AFFINE] rate at the start, of schemes with a velocity */
    void *qd;                         /* [nv] */
    void *q[SN__POSITION_STAGES];     /* [nq] the iterate, */
    void *try_q[SN__POSITION_STAGES]; /* and where it may go */
    void *T[SN__POSITION_STAGES];     /* [nbody][SN__AFFINE] */
    void *P[SN__POSITION_STAGES];     /* [nbody][SN__AFFINE] of the solution */
    void *g[SN__POSITION_STAGES], *delta[SN__POSITION_STAGES];              /* [nv] at the iterate */
    void *try_g[SN__POSITION_STAGES], *try_delta[SN__POSITION_STAGES];      /* [nv] at try_q */
    void *target_q[SN__POSITION_STAGES], *target_qd[SN__POSITION_STAGES];   /* [nq], [nv] */
    void *kp, *kd, *damping, *armature, *feedforward, *lambda, *push, *row; /* row: [nv] scratch */
    void *energy, *part;                                                    /* [1] */
    void *guess_q[SN__GUESS_POSES]; /* poses the next step is extrapolated from: guess_q[0] is where it starts */
    double guess_node[SN__GUESS_POSES];
    int nguess;        /* how many there are */
    int guess_terms;   /* how many of them came closest the last time; 0: the target's own motion did */
    void *last_target; /* [nq] of the end of the last step */
    bool has_last_target;
    double *anchor;     /* [nbody][3] */
    double *x, *target; /* [m nv], [nq] doubles */
    double force_scale;
    struct sn__position_system *system; /* of the dense optimisers, or NULL */
    struct sn__points *points;          /* drag and ground of studies, or NULL */
    struct sn__position *plain; /* PBAD-2, for steps of several poses that cannot be solved for; or NULL */
};

static inline size_t sn__position_bytes(const struct sn__position *p, int n) { /* of n values in lanes */
    return p->k->elem_size * (size_t)p->k->info.width * (size_t)n;
}

/* Doubles to all lanes and back from the first. */
void sn__position_put(const struct sn__position *p, void *lanes, int n, const double *x);
void sn__position_get(const struct sn__position *p, const void *lanes, int n, double *x);
double sn__position_first(const struct sn__position *p, const void *lanes);

/* Where the free roots of a pose are, [nbody][3], zero for all other bodies; and a pose with its free roots moved by `times`
   that. */
void sn__position_anchor(const sn_model *model, const double *q, double *anchor);
void sn__position_shift(const sn_model *model, const double *anchor, double times, double *q);

/* Gradient and energy at the m poses; sweeps leave delta, too. */
struct sn__position_value {
    double energy;
    double residual; /* largest |g| over the scale */
    double square;   /* sum of g^2 */
    double slope;    /* g . delta */
    double move;     /* largest |delta| */
};
enum sn__position_what { SN__GRADIENT = -1 }; /* or a Hessian */
struct sn__position_value sn__position_evaluate(struct sn__position *p, void *const *q, void *const *g,
                                                void *const *delta, int what);
/* q = q0 (+) s delta at all stages. */
void sn__position_go(struct sn__position *p, void *const *q0, void *const *delta, double s, void *const *q);

/* Fills p->q before a step; keeps what the next guess needs after it, before the past moves on. */
void sn__position_guess(struct sn__position *p);
void sn__position_remember(struct sn__position *p);

/* Solvers: from p->q to p->q. */
bool sn__position_newton(struct sn__position *p, struct sn__position_report *report);
bool sn__position_marquardt(struct sn__position *p, struct sn__position_report *report); /* by sweeps */
bool sn__position_marquardt_dense(struct sn__position *p, struct sn__position_report *report);
bool sn__position_lbfgs(struct sn__position *p, struct sn__position_report *report);

/* The paper's own systems, by algorithms 1 to 3: memory is made with the first. J [m nv][m nv] is the Jacobian of the
   gradients at p->q: without the geometric part for eq. 5, which is a sum of squares itself. False: no memory. */
bool sn__position_system(struct sn__position *p, void *const *q, bool geometric);
void sn__position_system_free(struct sn__position_system *s);
bool sn__cholesky_solve(int n, double *A, double *b); /* in place; false: A is not positive definite */

/* Poses at the stages by steps of PBAD-2 in between, into p->q; qd at the end if it is not NULL. */
bool sn__position_substeps(struct sn__position *p, struct sn__position_report *report);

/* Fails where one of them is NULL. */
sn_status sn__position_given(const void *model, const void *def, sn_error *error);

#endif
