/* Sinew: parameter searches (CMA-ES, policy gradients). learn.h includes this file. */
#ifndef SINEW_SEARCH_H
#define SINEW_SEARCH_H

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For problems with some parameters and a score instead of actions and rewards: a gait, gains, a design.
   You judge the candidates, in any order and on as many threads as you like:

       sn_search_def def = sn_search_def_default(SN_SEARCH_CMA, n);
       sn_search *search = sn_search_create(&def, &error);
       while (...) {
           int candidates;
           const double *x = sn_search_ask(search, &candidates);
           for (int i = 0; i < candidates; i++) score[i] = ... x + i * n ...;
           sn_search_tell(search, score, &error);
       }
       const double *found = sn_search_get(search).best;

   The same seed and scores give the same candidates. */
typedef enum sn_search_method {
    /* CMA-ES (Hansen 2016): a normal distribution whose mean, width and axes adapt. */
    SN_SEARCH_CMA,
    /* Episodic policy gradient (REINFORCE with the best constant baseline, Peters and Schaal 2006):
       candidates come from a normal distribution of fixed width; Adam moves its mean. */
    SN_SEARCH_GRADIENT,
    /* Its natural form: steps are measured by how much the distribution changes. */
    SN_SEARCH_NATURAL
} sn_search_method;

/* Make one with sn_search_def_default. */
typedef struct sn_search_def {
    /* Set by sn_search_def_default. */
    uint32_t struct_size;
    /* How candidates follow from scores. [default SN_SEARCH_CMA] */
    sn_search_method method;
    /* Number of parameters. [default 0; from 0] */
    int n;
    /* The first mean [n], copied. NULL: zeros. [default NULL] */
    const double *start;
    /* Standard deviation of candidates; of CMA-ES at the start. [default 0.3; above 0] */
    double width;
    /* Candidates per generation. 0: 4 + 3 ln n, and 2 n + 16 for gradients. [default 0; from 0] */
    int candidates;
    /* The same seed and scores give the same candidates. [default 0] */
    uint64_t seed;
    /* Learning rate of Adam, for SN_SEARCH_GRADIENT. [default 0.03; above 0] */
    double rate;
    /* Kullback-Leibler divergence of one step, for SN_SEARCH_NATURAL. .5 is a step of one width. [default
       0.5; above 0] */
    double divergence;
} sn_search_def;

static inline sn_search_def sn_search_def_default(sn_search_method method, int n) {
    SN_RETURN_DEFAULT_WITH(sn_search_def, def.method = method, def.n = n);
}

typedef struct sn_search sn_search;

SN_API sn_search *sn_search_create(const sn_search_def *definition, sn_error *error);
/* NULL is allowed. */
SN_API void sn_search_free(sn_search *search);
/* The candidates of this generation, [candidates][n]; they stay until they are judged. `candidates` may
   be NULL. */
SN_API const double *sn_search_ask(sn_search *search, int *candidates);
/* Scores [candidates] of the last sn_search_ask: more is better, and NaN is worse than all others. */
SN_API sn_status sn_search_tell(sn_search *search, const double *score, sn_error *error);

/* What a search has found so far. The arrays belong to the search and change with sn_search_tell. */
typedef struct sn_search_info {
    /* [n] The mean of the distribution, which is what gradients move. */
    const double *mean;
    /* [n] The best candidate. The mean until there is one. */
    const double *best;
    /* Its score; -infinity until there is one. */
    double score;
} sn_search_info;

SN_API sn_search_info sn_search_get(const sn_search *search);

#ifdef __cplusplus
}
#endif

#endif
