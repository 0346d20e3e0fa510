/* Networks in double precision: gradients are what differences say. Optimisers and the normaliser against their formulas. */
#define LEARN_BITS 64
#include "model_helpers.h"

#include "learn/net.h"
#include "learn/normalise.h"
#include "learn/optimise.h"
#include "learn/random.h"

enum { ROWS = 7 };

struct trial {
    struct sn__net net;
    struct sn__gemm gemm;
    struct sn__tape tape;
    double theta[2000], x[ROWS * 9], weight[ROWS * 4];
};

static void make_trial(struct trial *t, enum sn__activation hidden, enum sn__activation output, int seed) {
    t->net = (struct sn__net){.layers = 3, .width = {9, 17, 12, 4}, .hidden = hidden, .output = output};
    assert_int_equal(sn__net_init(&t->net, NULL), SN_OK);
    assert_in_range(t->net.count, 1, COUNT(t->theta));
    t->gemm = sn__gemm_own();
    assert_true(sn__tape_make(&t->tape, &t->net, ROWS));
    sn__net_fill(&t->net, (uint64_t)seed, 0, 1, t->theta);
    struct sn__random r = sn__random_at((uint64_t)seed, SN__STREAM_TASK, 0, 0);
    for (size_t i = 0; i < COUNT(t->x); i++)
        t->x[i] = sn__random_normal(&r);
    for (size_t i = 0; i < COUNT(t->weight); i++)
        t->weight[i] = sn__random_normal(&r);
    for (int l = 0; l < 3; l++) /* biases, which start as 0 */
        for (int j = 0; j < t->net.width[l + 1]; j++)
            t->theta[t->net.bias[l] + j] = .3 * sn__random_normal(&r);
}

/* A loss that is not linear in the outputs: sum of weight sin(y). */
static double loss(struct trial *t) {
    const double *y = sn__net_forward(&t->net, &t->gemm, t->theta, ROWS, t->x, &t->tape);
    double sum = 0;
    for (int i = 0; i < ROWS * 4; i++)
        sum += t->weight[i] * sin(y[i]);
    return sum;
}

static double difference(struct trial *t, double *x) {
    const double h = 1e-6, keep = *x;
    *x = keep + h;
    const double up = loss(t);
    *x = keep - h;
    const double down = loss(t);
    *x = keep;
    return (up - down) / (2 * h);
}

static void assert_gradients(enum sn__activation hidden, enum sn__activation output) {
    static struct trial t;
    double dy[ROWS * 4], dx[ROWS * 9];
    static double gradient[COUNT(t.theta)];
    make_trial(&t, hidden, output, 11 + (int)hidden);
    loss(&t);
    for (int i = 0; i < ROWS * 4; i++)
        dy[i] = t.weight[i] * cos(t.tape.value[3][i]);
    sn__net_backward(&t.net, &t.gemm, t.theta, ROWS, t.x, &t.tape, dy, gradient, dx);
    for (int i = 0; i < t.net.count; i++)
        assert_true(fabs(gradient[i] - difference(&t, &t.theta[i])) < 1e-6 * (1 + fabs(gradient[i])));
    for (int i = 0; i < ROWS * 9; i++)
        assert_true(fabs(dx[i] - difference(&t, &t.x[i])) < 1e-6 * (1 + fabs(dx[i])));
    sn__tape_free(&t.tape);
}

TEST(gradients_are_what_differences_say) {
    assert_gradients(SN__TANH, SN__LINEAR);
    assert_gradients(SN__RELU, SN__LINEAR);
    assert_gradients(SN__TANH, SN__TANH);
    assert_gradients(SN__LINEAR, SN__RELU);
}

/* Weights that were transposed before change no bit. */
TEST(transposed_weights_give_the_same_bits) {
    static struct trial t;
    static double gradient[2][COUNT(t.theta)], transposed[COUNT(t.theta)];
    double dy[ROWS * 4], dx[2][ROWS * 9];
    make_trial(&t, SN__TANH, SN__LINEAR, 5);
    sn__net_transpose(&t.net, t.theta, transposed);
    for (int way = 0; way < 2; way++) {
        memcpy(dy, t.weight, sizeof dy);
        t.tape.transposed = way ? transposed : NULL;
        sn__net_forward(&t.net, &t.gemm, t.theta, ROWS, t.x, &t.tape);
        sn__net_backward(&t.net, &t.gemm, t.theta, ROWS, t.x, &t.tape, dy, gradient[way], dx[way]);
    }
    assert_memory_equal(gradient[0], gradient[1], (size_t)t.net.count * sizeof(double));
    assert_memory_equal(dx[0], dx[1], sizeof dx[0]);
    sn__tape_free(&t.tape);
}

TEST(shapes_that_cannot_be_are_refused) {
    sn_error error;
    struct sn__net net = {.layers = 0};
    assert_int_equal(sn__net_init(&net, &error), SN_ERROR_ARGUMENT);
    assert_message_has(&error, "0 layers");
    net = (struct sn__net){.layers = 2, .width = {3, 0, 1}};
    assert_int_equal(sn__net_init(&net, &error), SN_ERROR_ARGUMENT);
    assert_message_has(&error, "layer 1");
    net = (struct sn__net){.layers = 2, .width = {60000, 60000, 1}};
    assert_int_equal(sn__net_init(&net, &error), SN_ERROR_TOO_LARGE);
}

/* The first step of Adam is the rate, whatever the gradient; further ones as in the paper. */
TEST(adam_does_what_its_paper_says) {
    struct sn__optimiser o;
    assert_true(sn__optimiser_make(&o, SN__ADAM, 2));
    double theta[2] = {1, 1}, m = 0, v = 0, x = 1;
    for (int k = 1; k <= 20; k++) {
        const double g[2] = {3 * x, 1000 * (1 + k)};
        sn__optimiser_begin(&o);
        sn__optimiser_apply(&o, 0, 2, .1, .5, g, theta);
        if (k == 1) assert_true(fabs(theta[0] - .9) < 1e-7 && fabs(theta[1] - .9) < 1e-7);
        m = .9 * m + .1 * .5 * g[0];
        v = .999 * v + .001 * .25 * g[0] * g[0];
        x -= .1 * (m / (1 - pow(.9, k))) / (sqrt(v / (1 - pow(.999, k))) + 1e-8);
        assert_true(fabs(theta[0] - x) < 1e-12);
    }
    sn__optimiser_free(&o);
}

TEST(momentum_gathers_speed) {
    struct sn__optimiser o;
    assert_true(sn__optimiser_make(&o, SN__MOMENTUM, 1));
    double theta = 0, g = 1;
    for (int k = 0; k < 200; k++) {
        const double was = theta;
        sn__optimiser_begin(&o);
        sn__optimiser_apply(&o, 0, 1, .01, 1, &g, &theta);
        if (k == 0) assert_true(fabs(theta + .01) < 1e-15);
        if (k == 199) assert_true(fabs(was - theta - .1) < 1e-9); /* rate / (1 - .9) */
    }
    sn__optimiser_free(&o);
}

TEST(gradients_add_up_in_a_tree_and_are_clipped_by_norm) {
    static double shard[SN__SHARDS][10], sum[10];
    double *pointer[SN__SHARDS];
    for (int s = 0; s < SN__SHARDS; s++) {
        pointer[s] = shard[s];
        for (int i = 0; i < 10; i++)
            shard[s][i] = s + .1 * i;
    }
    sn__gradient_sum(pointer, 2, 8, sum);
    assert_true(sum[0] == 0 && sum[1] == 0);
    for (int i = 2; i < 10; i++)
        assert_true(fabs(sum[i] - (120 + 1.6 * i)) < 1e-12);
    const double g[3] = {0, 3, 4};
    assert_true(sn__gradient_squares(1, 2, g) == 25);
    assert_true(sn__gradient_scale(25, 1) == .2);
    assert_true(sn__gradient_scale(25, 6) == 1);
    assert_true(sn__gradient_scale(25, 0) == 1);
}

/* Statistics in pieces are those of the whole. */
TEST(the_normaliser_learns_mean_and_deviation) {
    enum { N = 3, PIECES = 4, EACH = 500 };
    struct sn__normaliser n;
    assert_true(sn__normaliser_make(&n, N));
    static float x[PIECES * EACH][N];
    double mean[N] = {0}, square[N] = {0};
    for (int i = 0; i < PIECES * EACH; i++) {
        struct sn__random r = sn__random_at(3, SN__STREAM_TASK, 0, (uint64_t)i);
        x[i][0] = (float)(1000 + 2 * sn__random_normal(&r));
        x[i][1] = (float)(-1 + (i / EACH) + .5 * sn__random_normal(&r));
        x[i][2] = 7;
        for (int j = 0; j < N; j++)
            mean[j] += (double)x[i][j] / (PIECES * EACH);
    }
    for (int i = 0; i < PIECES * EACH; i++)
        for (int j = 0; j < N; j++)
            square[j] += pow((double)x[i][j] - mean[j], 2);
    for (int p = 0; p < PIECES; p++) {
        double sum[N] = {0}, squares[N] = {0};
        for (int i = p * EACH; i < (p + 1) * EACH; i++)
            for (int j = 0; j < N; j++) {
                const double d = (double)x[i][j] - (double)n.shift[j];
                sum[j] += d, squares[j] += d * d;
            }
        sn__normaliser_merge(&n, EACH, sum, squares);
    }
    for (int j = 0; j < N; j++) {
        assert_true(fabs(n.mean[j] - mean[j]) < 1e-8 * (1 + fabs(mean[j])));
        assert_true(fabs(n.square[j] - square[j]) < 1e-6 * (1 + square[j]));
    }
    assert_true(fabs((double)n.scale[2] - 50) < 1e-4); /* the floor, .02 */
    const float in[N] = {1e6f, (float)mean[1], 7};
    double out[N];
    sn__normaliser_apply(&n, 1, in, out);
    assert_true(out[0] == 5 && fabs(out[1]) < 1e-6 && fabs(out[2]) < 1e-4);
    sn__normaliser_free(&n);
}

int main(void) {
    return run_all("learn_net");
}
