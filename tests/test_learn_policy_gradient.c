/* Policy gradients: the estimate against the derivative it estimates, both forms on a problem with an exact answer. */
#include "learn_helpers.h"

#include "learn/policy_gradient.h"
#include "sinew/learn.h"

/* Cost of u = K x, over the best, from all corners. */
static double cost_over_best(const double *theta) {
    static double P[2][2];
    double cost = 0, best = 0;
    if (P[0][0] == 0) lq_riccati(.9, P);
    for (int i = 0; i < 4; i++) {
        double x[2] = {i & 1 ? 1 : -1, i & 2 ? 1 : -1}, weight = 1;
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++)
                best += x[a] * P[a][b] * x[b];
        for (int t = 0; t < 200; t++, weight *= .9) {
            const double u = theta[0] * x[0] + theta[1] * x[1] + theta[2];
            cost += weight * lq_cost(x, u);
            lq_move(x, u);
        }
    }
    return cost / best;
}

TEST(both_forms_find_the_policy_of_riccati) {
    for (int natural = 0; natural < 2; natural++) {
        sn_search_def def = sn_search_def_default(natural ? SN_SEARCH_NATURAL : SN_SEARCH_GRADIENT, 3);
        def.seed = 3, def.candidates = 64, def.width = .1, def.rate = .1;
        sn_search *search = sn_search_create(&def, NULL);
        assert_non_null(search);
        const int generations = natural ? 150 : 400;
        for (int k = 0; k < generations; k++) {
            double score[64];
            const double *x = sn_search_ask(search, NULL);
            for (int i = 0; i < 64; i++)
                score[i] = -log(cost_over_best(x + 3 * i));
            assert_int_equal(sn_search_tell(search, score, NULL), SN_OK);
        }
        const double ratio = cost_over_best(sn_search_get(search).mean);
        printf("%s: %.3f times the least cost after %d episodes\n", natural ? "natural" : "plain", ratio,
               generations * 64);
        assert_true(ratio > .999 && ratio < 1.1);
        sn_search_free(search);
    }
}

/* One step, reward -(a - 1)^2 from a = theta + .3 z: the derivative by theta is 2 (1 - theta). */
TEST(the_estimate_is_the_derivative) {
    enum { EPISODES = 4000 };
    static float psi[EPISODES], gradient[1];
    static double returns[EPISODES];
    const double theta = .4, noise = .3;
    struct sn__random r = sn__random_at(5, SN__STREAM_TASK, 0, 0);
    for (int e = 0; e < EPISODES; e++) {
        const double z = sn__random_normal(&r), a = theta + noise * z;
        psi[e] = (float)(z / noise);
        returns[e] = -(a - 1) * (a - 1) + 50; /* which the baseline takes off */
    }
    sn__pg_plain(EPISODES, 1, psi, returns, gradient);
    assert_true(fabs((double)gradient[0] - 2 * (1 - theta)) < .08);
}

/* Returns that are linear in psi are explained in full: w are the slopes, whatever the scales of psi. */
TEST(the_natural_gradient_does_not_depend_on_scales) {
    enum { EPISODES = 40, COUNT_ = 3 };
    static const double slope[COUNT_] = {3, -.02, 500}, scale[COUNT_] = {1, 100, .01};
    float psi[EPISODES * COUNT_], direction[COUNT_];
    double returns[EPISODES], rise;
    static double gram[EPISODES * EPISODES], weight[EPISODES];
    struct sn__random r = sn__random_at(6, SN__STREAM_TASK, 0, 0);
    for (int e = 0; e < EPISODES; e++) {
        returns[e] = 17;
        for (int k = 0; k < COUNT_; k++) {
            psi[e * COUNT_ + k] = (float)(scale[k] * sn__random_normal(&r));
            returns[e] += slope[k] * (double)psi[e * COUNT_ + k];
        }
    }
    assert_true(sn__pg_natural(EPISODES, COUNT_, psi, returns, 1e-12, gram, weight, direction, &rise));
    for (int k = 0; k < COUNT_; k++)
        assert_true(fabs((double)direction[k] - slope[k]) < 1e-3 * fabs(slope[k]));
    assert_true(rise > 0);
}

int main(void) {
    return run_all("learn_policy_gradient");
}
