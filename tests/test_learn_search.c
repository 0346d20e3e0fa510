/* Searches as programs see them: the scores of candidates move the distribution they come from. */
#include "model_helpers.h"

#include <sinew/learn.h>

enum { N = 6, MOST = 64 };

/* The best is at (0, 1, 2, ...) / 2, and worth 0. */
static double hill(const double *x) {
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum -= (x[i] - .5 * i) * (x[i] - .5 * i) * (1 + i);
    return sum;
}

static const sn_search_method methods[3] = {SN_SEARCH_CMA, SN_SEARCH_GRADIENT, SN_SEARCH_NATURAL};

static sn_search *open(sn_search_method method, uint64_t seed) {
    sn_search_def def = sn_search_def_default(method, N);
    sn_error error;
    def.seed = seed;
    sn_search *search = sn_search_create(&def, &error);
    assert_non_null(search);
    return search;
}

static void generations(sn_search *search, int count) {
    double score[MOST];
    for (int g = 0; g < count; g++) {
        int candidates;
        const double *x = sn_search_ask(search, &candidates);
        assert_true(candidates <= MOST);
        for (int i = 0; i < candidates; i++)
            score[i] = hill(x + i * N);
        assert_int_equal(sn_search_tell(search, score, NULL), SN_OK);
    }
}

/* CMA-ES converges. Gradients come closer to the best than their candidates are wide, .3 in each direction, which would
   be worth -21 .3^2. */
TEST(every_method_climbs) {
    static const double reached[3] = {-1e-6, -1.89, -1.89};
    for (int m = 0; m < 3; m++) {
        sn_search *search = open(methods[m], 3);
        assert_true(hill(sn_search_get(search).mean) < -50);
        assert_true(sn_search_get(search).score == -HUGE_VAL);
        generations(search, 150);
        assert_true(hill(sn_search_get(search).mean) > reached[m]);
        const sn_search_info found = sn_search_get(search);
        assert_true(found.score == hill(found.best));
        sn_search_free(search);
    }
}

/* The natural step is as long as the divergence says, whatever the scale of scores: |step|^2 = 2 divergence width^2, as far as
   the candidates tell the Fisher matrix. */
TEST(natural_steps_do_not_depend_on_the_scale_of_scores) {
    double step[2][N], length = 0;
    for (int k = 0; k < 2; k++) {
        sn_search_def def = sn_search_def_default(SN_SEARCH_NATURAL, N);
        def.candidates = MOST;
        def.divergence = .125;
        sn_search *search = sn_search_create(&def, NULL);
        const double *x = sn_search_ask(search, NULL);
        double score[MOST];
        for (int i = 0; i < MOST; i++)
            score[i] = (k ? 1000 : 1) * hill(x + i * N) + (k ? 5e4 : 0);
        assert_int_equal(sn_search_tell(search, score, NULL), SN_OK);
        memcpy(step[k], sn_search_get(search).mean, sizeof step[k]);
        sn_search_free(search);
    }
    for (int i = 0; i < N; i++) {
        assert_true(fabs(step[0][i] - step[1][i]) < 1e-5);
        length += step[0][i] * step[0][i];
    }
    assert_true(fabs(sqrt(length) / (sqrt(2 * .125) * .3) - 1) < .3);
}

TEST(the_same_seed_gives_the_same_candidates_and_another_does_not) {
    for (int m = 0; m < 3; m++) {
        sn_search *a = open(methods[m], 3), *b = open(methods[m], 3), *c = open(methods[m], 4);
        generations(a, 3), generations(b, 3), generations(c, 3);
        int candidates;
        sn_search_ask(a, &candidates);
        const size_t size = (size_t)candidates * N * sizeof(double);
        assert_memory_equal(sn_search_ask(a, NULL), sn_search_ask(b, NULL), size);
        assert_true(memcmp(sn_search_ask(a, NULL), sn_search_ask(c, NULL), size) != 0);
        double once[MOST * N];
        memcpy(once, sn_search_ask(a, NULL), size); /* asked again they are what they were */
        assert_memory_equal(once, sn_search_ask(a, NULL), size);
        sn_search_free(a), sn_search_free(b), sn_search_free(c);
    }
}

/* A candidate that was lost does not lead anywhere, and does not spoil what the others say. */
TEST(scores_that_are_not_numbers_are_the_worst) {
    for (int m = 0; m < 3; m++) {
        sn_search *search = open(methods[m], 3);
        double score[MOST];
        for (int g = 0; g < 150; g++) {
            int candidates;
            const double *x = sn_search_ask(search, &candidates);
            for (int i = 0; i < candidates; i++)
                score[i] = x[i * N] > .2 ? (double)NAN : hill(x + i * N);
            assert_int_equal(sn_search_tell(search, score, NULL), SN_OK);
        }
        const sn_search_info found = sn_search_get(search);
        assert_true(isfinite(found.score) && found.best[0] <= .2 && found.score > -2);
        sn_search_free(search);
    }
    sn_search *search = open(SN_SEARCH_NATURAL, 1);
    double score[MOST];
    sn_error error;
    for (int i = 0; i < MOST; i++)
        score[i] = (double)NAN;
    sn_search_ask(search, NULL);
    assert_int_equal(sn_search_tell(search, score, &error), SN_ERROR_NOT_FINITE);
    assert_non_null(strstr(error.message, "finite"));
    generations(search, 1); /* it goes on */
    sn_search_free(search);
}

TEST(searches_refuse_what_cannot_be) {
    const double bad[N] = {0, (double)NAN};
    sn_error error;
    sn_search_def def = sn_search_def_default(SN_SEARCH_CMA, 0);
    assert_null(sn_search_create(NULL, &error));
    assert_null(sn_search_create(&def, &error));
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    def = sn_search_def_default(SN_SEARCH_NATURAL, N), def.candidates = 1;
    assert_null(sn_search_create(&def, &error));
    def = sn_search_def_default(SN_SEARCH_NATURAL, N), def.width = 0;
    assert_null(sn_search_create(&def, &error));
    def = sn_search_def_default((sn_search_method)9, N);
    assert_null(sn_search_create(&def, &error));
    def = sn_search_def_default(SN_SEARCH_CMA, N), def.start = bad;
    assert_null(sn_search_create(&def, &error));
    assert_non_null(strstr(error.message, "parameter 1"));
    sn_search *search = open(SN_SEARCH_CMA, 1);
    double score[MOST] = {0};
    assert_int_equal(sn_search_tell(search, score, &error), SN_ERROR_ARGUMENT); /* nothing was asked */
    sn_search_free(search);
    sn_search_free(NULL);
}

int main(void) {
    return run_all("learn_search");
}
