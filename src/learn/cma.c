#include "learn/cma.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/error.h"
#include "base/memory.h"
#include "learn/eigen.h"
#include "learn/random.h"

enum { MOST = 4096 };

/* Table 1 of the tutorial. */
static void set_constants(struct sn__cma *c) {
    const double n = c->n;
    double sum = 0, square = 0;
    for (int i = 0; i < c->mu; i++) {
        c->weight[i] = sn__log((c->lambda + 1) / 2.0) - sn__log(i + 1);
        sum += c->weight[i];
    }
    for (int i = 0; i < c->mu; i++) {
        c->weight[i] /= sum;
        square += c->weight[i] * c->weight[i];
    }
    const double mu = c->mu_eff = 1 / square;
    c->c_sigma = (mu + 2) / (n + mu + 5);
    c->d_sigma = 1 + 2 * fmax(0, sqrt((mu - 1) / (n + 1)) - 1) + c->c_sigma;
    c->c_c = (4 + mu / n) / (n + 4 + 2 * mu / n);
    c->c_1 = 2 / ((n + 1.3) * (n + 1.3) + mu);
    c->c_mu = fmin(1 - c->c_1, 2 * (mu - 2 + 1 / mu) / ((n + 2) * (n + 2) + mu));
    c->chi = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n)); /* the mean length of a normal vector */
    c->eigen_every = (int)fmax(1, floor(1 / (10 * n * (c->c_1 + c->c_mu))));
}

static bool make(struct sn__cma *c) {
    const size_t n = (size_t)c->n, lambda = (size_t)c->lambda;
    c->state_size = 2 + 5 * n + 2 * n * n;
    c->state = sn__alloc(c->state_size, sizeof(double));
    c->order = sn__alloc(lambda, sizeof(int));
    c->weight = sn__alloc((size_t)c->mu, sizeof(double));
    c->x = sn__alloc(lambda * n, sizeof(double));
    c->y = sn__alloc(lambda * n, sizeof(double));
    c->work = sn__alloc(n * n, sizeof(double));
    if (!c->state || !c->order || !c->weight || !c->x || !c->y || !c->work) return false;
    c->sigma = c->state;
    c->best_cost = c->sigma + 1;
    c->m = c->best_cost + 1;
    c->p_sigma = c->m + n;
    c->p_c = c->p_sigma + n;
    c->best = c->p_c + n;
    c->D = c->best + n;
    c->C = c->D + n;
    c->B = c->C + n * n;
    return true;
}

struct sn__cma *sn__cma_create(int n, const double *start, double sigma, int lambda, uint64_t seed,
                               sn_error *error) {
    if (n < 1 || n > MOST || lambda < 0 || lambda == 1 || lambda > 1 << 20 || !(sigma > 0) ||
        !isfinite(sigma)) {
        sn__fail(error, SN_ERROR_ARGUMENT,
                 "CMA-ES with %d variables, %d candidates and a step of %g: from 1 to %d variables, at least "
                 "2 candidates "
                 "(0: as many as usual) and a step above 0 are needed",
                 n, lambda, sigma, MOST);
        return NULL;
    }
    struct sn__cma *c = sn__alloc(1, sizeof *c);
    if (c) {
        *c = (struct sn__cma){.n = n, .seed = seed, .lambda = lambda ? lambda : 4 + (int)(3 * sn__log(n))};
        c->mu = c->lambda / 2;
    }
    if (!c || !make(c)) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for CMA-ES with %d variables", n);
        sn__cma_free(c);
        return NULL;
    }
    set_constants(c);
    *c->sigma = sigma;
    *c->best_cost = HUGE_VAL;
    memcpy(c->m, start, (size_t)n * sizeof *start);
    memcpy(c->best, start, (size_t)n * sizeof *start);
    for (int i = 0; i < n; i++)
        c->C[i * n + i] = c->B[i * n + i] = c->D[i] = 1;
    return c;
}

void sn__cma_free(struct sn__cma *c) {
    if (!c) return;
    sn__free_all(c->state, c->order, c->weight, c->x, c->y, c->work, c);
}

/* x = m + sigma B D z with z from N(0, I), eq. 38 to 40. */
const double *sn__cma_ask(struct sn__cma *c) {
    const int n = c->n;
    for (int k = 0; k < c->lambda; k++) {
        struct sn__random r = sn__random_at(c->seed, SN__STREAM_CMA, (uint32_t)k, c->generation);
        double *x = c->x + k * n, *y = c->y + k * n;
        memset(y, 0, (size_t)n * sizeof *y);
        for (int j = 0; j < n; j++) {
            const double z = c->D[j] * sn__random_normal(&r);
            for (int i = 0; i < n; i++)
                y[i] += c->B[i * n + j] * z;
        }
        for (int i = 0; i < n; i++)
            x[i] = c->m[i] + *c->sigma * y[i];
    }
    return c->x;
}

/* What is not a number comes last. */
static double rank_of(double cost) {
    return isnan(cost) ? HUGE_VAL : cost;
}

/* The best first; of equals the one that comes first. Insertion: there are few of them. */
static void sort(struct sn__cma *c, const double *cost) {
    for (int k = 0; k < c->lambda; k++) {
        int at = k;
        for (; at > 0 && rank_of(cost[c->order[at - 1]]) > rank_of(cost[k]); at--)
            c->order[at] = c->order[at - 1];
        c->order[at] = k;
    }
}

/* The mean moves by sigma y_w, eq. 41 and 42; y_w is what is left in `step`. */
static void move_mean(struct sn__cma *c, double *step) {
    const int n = c->n;
    memset(step, 0, (size_t)n * sizeof *step);
    for (int k = 0; k < c->mu; k++)
        for (int i = 0; i < n; i++)
            step[i] += c->weight[k] * c->y[c->order[k] * n + i];
    for (int i = 0; i < n; i++)
        c->m[i] += *c->sigma * step[i];
}

/* The paths, eq. 43 and 45; returns the length of the first. C^-1/2 y = B D^-1 B^T y. */
static double move_paths(struct sn__cma *c, const double *step, bool *stalled) {
    const int n = c->n;
    const double cs = c->c_sigma, keep = sqrt(cs * (2 - cs) * c->mu_eff);
    double length = 0;
    for (int j = 0; j < n; j++) {
        double along = 0;
        for (int i = 0; i < n; i++)
            along += c->B[i * n + j] * step[i];
        c->work[j] = along / c->D[j];
    }
    for (int i = 0; i < n; i++) {
        double white = 0;
        for (int j = 0; j < n; j++)
            white += c->B[i * n + j] * c->work[j];
        c->p_sigma[i] = (1 - cs) * c->p_sigma[i] + keep * white;
        length += c->p_sigma[i] * c->p_sigma[i];
    }
    length = sqrt(length);
    /* h_sigma: a path that has become too long would stretch C too fast */
    const double age = sqrt(1 - sn__pow(1 - cs, 2 * (double)(c->generation + 1)));
    *stalled = length / age >= (1.4 + 2 / (n + 1.0)) * c->chi;
    const double gain = *stalled ? 0 : sqrt(c->c_c * (2 - c->c_c) * c->mu_eff);
    for (int i = 0; i < n; i++)
        c->p_c[i] = (1 - c->c_c) * c->p_c[i] + gain * step[i];
    return length;
}

/* Rank one from the path, rank mu from the candidates, eq. 47. */
static void adapt_covariance(struct sn__cma *c, bool stalled) {
    const int n = c->n;
    const double lost = stalled ? c->c_1 * c->c_c * (2 - c->c_c) : 0;
    const double keep = 1 - c->c_1 - c->c_mu + lost;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double mu = 0;
            for (int k = 0; k < c->mu; k++) {
                const double *y = c->y + c->order[k] * n;
                mu += c->weight[k] * y[i] * y[j];
            }
            c->C[i * n + j] = keep * c->C[i * n + j] + c->c_1 * c->p_c[i] * c->p_c[j] + c->c_mu * mu;
            c->C[j * n + i] = c->C[i * n + j];
        }
}

static void decompose(struct sn__cma *c) {
    const int n = c->n;
    memcpy(c->work, c->C, (size_t)n * (size_t)n * sizeof(double));
    sn__eigen(n, c->work, c->D, c->B);
    for (int i = 0; i < n; i++)
        c->D[i] = sqrt(fmax(c->D[i], 1e-300));
}

void sn__cma_tell(struct sn__cma *c, const double *cost) {
    bool stalled;
    sort(c, cost);
    if (cost[c->order[0]] < *c->best_cost) {
        *c->best_cost = cost[c->order[0]];
        memcpy(c->best, c->x + c->order[0] * c->n, (size_t)c->n * sizeof(double));
    }
    double *step = c->x; /* the candidates are no longer needed */
    move_mean(c, step);
    const double length = move_paths(c, step, &stalled);
    adapt_covariance(c, stalled);
    *c->sigma *= sn__exp(fmin(1, c->c_sigma / c->d_sigma * (length / c->chi - 1))); /* eq. 44 */
    c->generation++;
    c->evaluations += (uint64_t)c->lambda;
    if (c->generation % (uint64_t)c->eigen_every == 0) decompose(c);
}
