/* Searches as sinew/learn.h has them: CMA-ES, or a policy whose one action is all parameters of an episode.
 *
 * Such a policy draws x from N(theta, width^2 1), so that grad log pi(x) by theta is psi = (x - theta) / width^2, and the
 * gradients of policy_gradient.h apply as they stand. The divergence of two of them is |step|^2 / (2 width^2). */
#include <math.h>
#include <string.h>

#include "base/definition.h"
#include "base/elementary.h"
#include "base/error.h"
#include "base/memory.h"
#include "learn/cma.h"
#include "learn/optimise.h"
#include "learn/policy_gradient.h"
#include "learn/random.h"
#include "sinew/learn.h"

enum { MOST_PARAMETERS = 4096, MOST_EPISODES = 4096 }; /* of gradients */

struct sn_search {
    sn_search_def def; /* without its pointer */
    struct sn__cma *cma;
    bool asked;
    double *cost; /* [candidates] of CMA-ES, or the returns of gradients */
    /* Gradients alone: */
    struct sn__optimiser optimiser;
    double *x;           /* [candidates][n] */
    double *mean, *best; /* [n] */
    double best_score;
    double *gram, *weight;   /* [candidates][candidates], [candidates] */
    real *psi;               /* [candidates][n] */
    real *theta, *direction; /* [n] */
    uint64_t generation;
};

/* ------------------------------------------------------------------------------------------- made and freed */

static sn_status check(const sn_search_def *d, sn_error *error) {
    if (sn__definition_check("sn_search_def", d, "", SN_ERROR_ARGUMENT, error)) return SN_ERROR_ARGUMENT;
    if (d->n < 1 || d->n > MOST_PARAMETERS || d->candidates < 0 || d->candidates == 1 ||
        d->candidates > MOST_EPISODES)
        return sn__fail(
            error, SN_ERROR_ARGUMENT,
            "%d parameters and %d candidates: 1 to %d and 2 to %d (0: as many as usual) are possible", d->n,
            d->candidates, MOST_PARAMETERS, MOST_EPISODES);
    for (int i = 0; d->start && i < d->n; i++)
        if (!isfinite(d->start[i]))
            return sn__fail(error, SN_ERROR_ARGUMENT, "parameter %d starts at what is not a number", i);
    return SN_OK;
}

static bool make_gradient(sn_search *s, const double *start) {
    const size_t n = (size_t)s->def.n, episodes = (size_t)s->def.candidates;
    s->x = sn__alloc(episodes * n, sizeof *s->x);
    s->mean = sn__alloc(n, sizeof *s->mean);
    s->best = sn__alloc(n, sizeof *s->best);
    s->gram = sn__alloc(episodes * episodes, sizeof *s->gram);
    s->weight = sn__alloc(episodes, sizeof *s->weight);
    s->psi = sn__alloc(episodes * n, sizeof *s->psi);
    s->theta = sn__alloc(n, sizeof *s->theta);
    s->direction = sn__alloc(n, sizeof *s->direction);
    if (!s->x || !s->mean || !s->best || !s->gram || !s->weight || !s->psi || !s->theta || !s->direction ||
        !sn__optimiser_make(&s->optimiser, SN__ADAM, s->def.n))
        return false;
    s->best_score = -HUGE_VAL;
    for (size_t i = 0; start && i < n; i++)
        s->mean[i] = s->best[i] = start[i];
    return true;
}

static sn_status make(sn_search *s, const double *start, sn_error *error) {
    sn_search_def *d = &s->def;
    if (!d->candidates)
        d->candidates = d->method == SN_SEARCH_CMA ? 4 + (int)(3 * sn__log(d->n)) : 2 * d->n + 16;
    if (d->candidates > MOST_EPISODES) d->candidates = MOST_EPISODES;
    bool made = (s->cost = sn__alloc((size_t)d->candidates, sizeof *s->cost));
    if (made && d->method != SN_SEARCH_CMA) made = make_gradient(s, start);
    if (made && d->method == SN_SEARCH_CMA) {
        double *zero = start ? NULL : sn__alloc((size_t)d->n, sizeof *zero);
        if (start || zero)
            s->cma = sn__cma_create(d->n, start ? start : zero, d->width, d->candidates, d->seed, error);
        sn__free(zero);
        made = s->cma;
    }
    return made ? SN_OK : sn__fail(error, SN_ERROR_MEMORY, "no memory for a search of %d parameters", d->n);
}

sn_search *sn_search_create(const sn_search_def *given, sn_error *error) {
    sn_search_def own;
    const sn_search_def *def = &own;
    if (!sn__definition_take("sn_search_def", given, &own, error) || check(def, error)) return NULL;
    sn_search *s = sn__alloc(1, sizeof *s);
    if (!s) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for a search");
        return NULL;
    }
    s->def = *def;
    s->def.start = NULL;
    if (make(s, def->start, error)) return sn_search_free(s), NULL;
    return sn__succeed(error), s;
}

void sn_search_free(sn_search *s) {
    if (!s) return;
    sn__cma_free(s->cma);
    sn__optimiser_free(&s->optimiser);
    sn__free_all(s->cost, s->x, s->mean, s->best, s->gram, s->weight, s->psi, s->theta, s->direction, s);
}

/* ------------------------------------------------------------------------------------------------- candidates */

const double *sn_search_ask(sn_search *s, int *candidates) {
    const bool again = s->asked;
    s->asked = true;
    if (candidates) *candidates = s->def.candidates;
    if (s->cma) return again ? s->cma->x : sn__cma_ask(s->cma);
    const int n = s->def.n;
    for (int k = 0; k < s->def.candidates; k++) {
        struct sn__random r = sn__random_at(s->def.seed, SN__STREAM_ACTION, (uint32_t)k, s->generation);
        for (int i = 0; i < n; i++)
            s->x[k * n + i] = s->mean[i] + s->def.width * sn__random_normal(&r);
    }
    return s->x;
}

/* ------------------------------------------------------------------------------------------------- gradients */

/* Returns with those that are not finite made as bad as the worst that is; the best candidate is kept. */
static sn_status take_returns(sn_search *s, const double *score, sn_error *error) {
    double worst = HUGE_VAL;
    for (int k = 0; k < s->def.candidates; k++) {
        if (!isfinite(score[k])) continue;
        worst = fmin(worst, score[k]);
        if (score[k] <= s->best_score) continue;
        s->best_score = score[k];
        memcpy(s->best, s->x + k * s->def.n, (size_t)s->def.n * sizeof *s->best);
    }
    if (!isfinite(worst))
        return sn__fail(error, SN_ERROR_NOT_FINITE,
                        "no score of this generation is finite: there is no gradient");
    for (int k = 0; k < s->def.candidates; k++)
        s->cost[k] = isfinite(score[k]) ? score[k] : worst;
    return SN_OK;
}

static void climb_plain(sn_search *s) {
    const int n = s->def.n;
    sn__pg_plain(s->def.candidates, n, s->psi, s->cost, s->direction);
    for (int i = 0; i < n; i++) {
        s->direction[i] = -s->direction[i]; /* optimisers go down */
        s->theta[i] = 0;                    /* the step alone, so that the mean keeps all its digits */
    }
    sn__optimiser_begin(&s->optimiser);
    sn__optimiser_apply(&s->optimiser, 0, n, s->def.rate, 1, s->direction, s->theta);
    for (int i = 0; i < n; i++)
        s->mean[i] += (double)s->theta[i];
}

/* As long as the divergence allows: theta += sqrt(2 divergence / g^T w) w. */
static sn_status climb_natural(sn_search *s, sn_error *error) {
    double rise;
    if (!sn__pg_natural(s->def.candidates, s->def.n, s->psi, s->cost, 1e-3, s->gram, s->weight, s->direction,
                        &rise))
        return sn__fail(error, SN_ERROR_NOT_FINITE,
                        "the natural gradient cannot be worked out: scores are too large");
    const double length = rise > 0 ? sqrt(2 * s->def.divergence / rise) : 0;
    for (int i = 0; i < s->def.n; i++)
        s->mean[i] += length * (double)s->direction[i];
    return SN_OK;
}

static sn_status tell_gradient(sn_search *s, const double *score, sn_error *error) {
    const int n = s->def.n;
    const double square = s->def.width * s->def.width;
    sn_status status = take_returns(s, score, error);
    if (status) return status;
    for (int k = 0; k < s->def.candidates; k++)
        for (int i = 0; i < n; i++)
            s->psi[k * n + i] = (real)((s->x[k * n + i] - s->mean[i]) / square);
    if (s->def.method == SN_SEARCH_NATURAL)
        status = climb_natural(s, error);
    else
        climb_plain(s);
    if (!status) s->generation++;
    return status;
}

sn_status sn_search_tell(sn_search *s, const double *score, sn_error *error) {
    if (!s || !score || !s->asked)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "give scores once for each set of candidates: call sn_search_ask first");
    if (s->cma) {
        for (int k = 0; k < s->def.candidates; k++)
            s->cost[k] = -score[k];
        sn__cma_tell(s->cma, s->cost);
    } else {
        const sn_status status = tell_gradient(s, score, error);
        if (status) return status;
    }
    s->asked = false;
    return sn__succeed(error);
}

/* ----------------------------------------------------------------------------------------------------- results */

sn_search_info sn_search_get(const sn_search *s) {
    if (s->cma) return (sn_search_info){s->cma->m, s->cma->best, -*s->cma->best_cost};
    return (sn_search_info){s->mean, s->best, s->best_score};
}
