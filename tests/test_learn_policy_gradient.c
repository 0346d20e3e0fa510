/* Policy gradients: the estimate against the derivative it estimates, both forms on a problem with an exact answer. */
#include "learn_helpers.h"

#include "learn/policy_gradient.h"

static struct sn__pg_def lq_pg(bool natural, int threads) {
    struct sn__pg_def def = sn__pg_default();
    def.seed = 3;
    def.threads = threads;
    def.steps = 30;
    def.gamma = .9;
    def.noise = .3;
    def.natural = natural;
    def.rate = .1;
    return def;
}

/* Cost of u = K x, over the best, from all corners. */
static double cost_over_best(const float *theta) {
    double P[2][2], cost = 0, best = 0;
    lq_riccati(.9, P);
    for (int i = 0; i < 4; i++) {
        double x[2] = {i & 1 ? 1 : -1, i & 2 ? 1 : -1}, weight = 1;
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++)
                best += x[a] * P[a][b] * x[b];
        for (int t = 0; t < 200; t++, weight *= .9) {
            const double u = (double)theta[0] * x[0] + (double)theta[1] * x[1] + (double)theta[2];
            cost += weight * lq_cost(x, u);
            lq_move(x, u);
        }
    }
    return cost / best;
}

TEST(both_forms_find_the_policy_of_riccati) {
    static struct lq lq;
    for (int natural = 0; natural < 2; natural++) {
        lq = (struct lq){.seed = 1, .limit = 1000};
        const struct sn__environment env = lq_environment(&lq);
        const struct sn__pg_def def = lq_pg(natural, 1);
        sn_error error;
        struct sn__pg *pg = sn__pg_create(&env, &def, &error);
        if (!pg) fail_msg("%s", error.message);
        assert_int_equal(pg->net.count, 3);
        const int iterations = natural ? 150 : 400;
        struct sn__pg_report report = {0};
        for (int k = 0; k < iterations; k++)
            assert_int_equal(sn__pg_iterate(pg, &report, &error), SN_OK);
        const double ratio = cost_over_best(pg->theta);
        printf("%s: %.3f times the least cost after %d episodes\n", natural ? "natural" : "plain", ratio,
               iterations * LQ_ALL);
        assert_true(ratio > .999 && ratio < 1.1);
        assert_int_equal(report.samples, iterations * LQ_ALL * 30);
        sn__pg_free(pg);
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

TEST(threads_change_no_bit) {
    static struct lq lq;
    struct sn__pg *pg[2];
    for (int k = 0; k < 2; k++) {
        lq = (struct lq){.seed = 1, .limit = 25, .wall = 1.3};
        const struct sn__environment env = lq_environment(&lq);
        struct sn__pg_def def = lq_pg(true, 1 + 2 * k);
        def.hidden[0] = 12;
        assert_non_null(pg[k] = sn__pg_create(&env, &def, NULL));
        for (int i = 0; i < 5; i++)
            assert_int_equal(sn__pg_iterate(pg[k], NULL, NULL), SN_OK);
    }
    assert_memory_equal(pg[0]->theta, pg[1]->theta, (size_t)pg[0]->net.count * sizeof(float));
    assert_memory_equal(&pg[0]->samples, &pg[1]->samples, sizeof(uint64_t));
    sn__pg_free(pg[0]), sn__pg_free(pg[1]);
}

TEST(definitions_that_cannot_be_are_refused) {
    static struct lq lq;
    struct sn__environment env = lq_environment(&lq);
    struct sn__pg_def def = lq_pg(true, 1);
    sn_error error;
    def.noise = 0;
    assert_null(sn__pg_create(&env, &def, &error));
    assert_message_has(&error, "noise 0");
    def = lq_pg(true, 1);
    env.copies = 0;
    assert_null(sn__pg_create(&env, &def, &error));
    assert_message_has(&error, "at least 1 part");
}

int main(void) {
    return run_all("learn_policy_gradient");
}
