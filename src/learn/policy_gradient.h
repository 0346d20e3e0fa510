/* Episodic policy gradients as in Peters and Schaal, "Policy gradient methods for robotics" (2006): REINFORCE with the best
 * constant baseline, and its natural form, the episodic natural actor-critic.
 *
 * Each copy of the environment runs one episode under a normal distribution about what the net says. With R the episode's
 * return and psi the sum of grad log pi(a|s) over its steps,
 *
 *     plain:    g_k = mean of psi_k (R - b_k),  b_k = mean of psi_k^2 R / mean of psi_k^2
 *     natural:  w = (F + damping I)^-1 g,  F = mean of psi psi^T, and R and psi without their means
 *
 * The natural step is theta += natural_rate w, or less where that would change the policy by more than the divergence allows:
 * theta += sqrt(2 divergence / g^T w) w. */
#ifndef SINEW_LEARN_POLICY_GRADIENT_H
#define SINEW_LEARN_POLICY_GRADIENT_H

#include "base/pool.h"
#include "learn/environment.h"
#include "learn/net.h"
#include "learn/optimise.h"

struct sn__pg_def {
    uint64_t seed;
    int threads;   /* 0: one per core */
    int hidden[4]; /* widths of hidden layers, up to the first 0; none: actions are linear in observations */
    enum sn__activation activation;
    int steps;           /* of an episode, at most */
    double gamma;        /* 1 */
    double noise;        /* .1: standard deviation of actions */
    bool natural;        /* true */
    double rate;         /* plain: of Adam; .01 */
    double natural_rate; /* natural: 1, */
    double divergence;   /* but no further than this: .05 */
    double damping;      /* natural: share of F's mean diagonal that is added to it; 1e-3 */
};

struct sn__pg_report {
    uint64_t iterations, samples; /* so far */
    double mean_return;           /* of this iteration's episodes, with discount */
    double best_return;           /* among them */
    double mean_length;
    double gradient_norm;
};

struct sn__pg_bench; /* what a thread has */

struct sn__pg {
    struct sn__pg_def def;
    struct sn__environment env;
    struct sn__gemm gemm;
    struct sn__pool *pool;
    struct sn__net net;
    struct sn__optimiser optimiser;
    real *theta, *gradient;     /* [count] */
    int episodes;               /* of an iteration: all copies */
    real *psi;                  /* [episodes][count] */
    double *returns;            /* [episodes] */
    int *length;                /* [episodes] */
    double *gram, *weight;      /* [episodes][episodes], [episodes] */
    struct sn__pg_bench *bench; /* [threads] */
    sn_error *error;            /* [parts] */
    uint64_t iterations, samples;
};

struct sn__pg_def sn__pg_default(void);
/* For an environment whose struct is copied and whose user must live longer; or NULL and why not. */
struct sn__pg *sn__pg_create(const struct sn__environment *env, const struct sn__pg_def *def,
                             sn_error *error);
void sn__pg_free(struct sn__pg *pg); /* NULL is allowed */
/* One episode in each copy, one step of the policy. */
sn_status sn__pg_iterate(struct sn__pg *pg, struct sn__pg_report *report, sn_error *error);

/* The gradients alone, from psi [episodes][count] and returns; for the trainer and its tests. The natural one needs room
   for [episodes][episodes] and [episodes] numbers; false: the matrix is singular. It returns g^T w, too. */
void sn__pg_plain(int episodes, int count, const real *psi, const double *returns, real *gradient);
bool sn__pg_natural(int episodes, int count, real *psi, const double *returns, double damping, double *gram,
                    double *weight, real *direction, double *rise);

#endif
