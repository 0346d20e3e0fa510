/* The evolution strategy with covariance matrix adaptation, CMA-ES, as in Hansen, "The CMA evolution strategy: a tutorial"
 * (2016), with its default settings and positive weights. Letters are those of the tutorial.
 *
 * Candidates are drawn from N(m, sigma^2 C). The best of them move the mean m; the paths they take make the step sigma longer
 * or shorter and turn and stretch C. The caller evaluates the candidates in whatever order, on as many threads as it likes. */
#ifndef SINEW_LEARN_CMA_H
#define SINEW_LEARN_CMA_H

#include <stdint.h>

#include "sinew/sinew.h"

struct sn__cma {
    int n;          /* variables */
    int lambda, mu; /* candidates of a generation; the best of them, which count */
    uint64_t seed, generation;
    uint64_t evaluations;
    double mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi; /* settings that follow from n and lambda */
    int eigen_every;                                      /* generations between decompositions of C */
    int *order;                                           /* [lambda] candidates, the best first */
    double *weight;                                       /* [mu] */
    double *x, *y;                                        /* [lambda][n] candidates, (x - m) / sigma */
    double *work;                                         /* [n][n] */
    /* State: saved in checkpoints as one block. */
    size_t state_size; /* numbers in it */
    double *state;
    double *sigma, *best_cost;        /* [1] */
    double *m, *p_sigma, *p_c, *best; /* [n] mean, paths, the best candidate ever */
    double *C, *B, *D;                /* [n][n] covariance = B diag(D^2) B^T, [n] */
};

/* lambda 0: 4 + 3 ln n, the default. */
struct sn__cma *sn__cma_create(int n, const double *start, double sigma, int lambda, uint64_t seed,
                               sn_error *error);
void sn__cma_free(struct sn__cma *cma); /* NULL is allowed */

/* The candidates of this generation, [lambda][n]. */
const double *sn__cma_ask(struct sn__cma *cma);
/* What they cost, [lambda]; a cost that is not a number is the worst there is. Less is better. */
void sn__cma_tell(struct sn__cma *cma, const double *cost);

#endif
