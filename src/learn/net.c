#include "learn/net.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/error.h"
#include "base/memory.h"
#include "learn/random.h"

sn_status sn__net_init(struct sn__net *net, sn_error *error) {
    const int most = 1 << 16;
    if (net->layers < 1 || net->layers > SN__NET_LAYERS)
        return sn__fail(error, SN_ERROR_ARGUMENT, "a network of %d layers: from 1 to %d are possible",
                        net->layers, SN__NET_LAYERS);
    int64_t count = 0;
    for (int l = 0; l <= net->layers; l++) {
        const int64_t width = net->width[l];
        if (width < 1 || width > most)
            return sn__fail(error, SN_ERROR_ARGUMENT,
                            "layer %d of a network is %d wide: from 1 to %d are possible", l, net->width[l],
                            most);
        if (l == net->layers) break;
        net->weights[l] = (int)count;
        net->bias[l] = (int)(count + width * net->width[l + 1]);
        count += (width + 1) * net->width[l + 1];
        if (count > 1 << 28)
            return sn__fail(error, SN_ERROR_TOO_LARGE, "a network of more than 2^28 parameters");
    }
    net->count = (int)count;
    return SN_OK;
}

void sn__net_fill(const struct sn__net *net, uint64_t seed, uint32_t item, double last, real *theta) {
    memset(theta, 0, (size_t)net->count * sizeof *theta);
    for (int l = 0; l < net->layers; l++) {
        const int in = net->width[l], out = net->width[l + 1];
        struct sn__random r = sn__random_at(seed, SN__STREAM_WEIGHTS, item, (uint64_t)l);
        const double reach = sqrt(6.0 / (in + out)) * (l == net->layers - 1 ? last : 1);
        for (int i = 0; i < in * out; i++)
            theta[net->weights[l] + i] = (real)(reach * (2 * sn__random_uniform(&r) - 1));
    }
}

bool sn__tape_make(struct sn__tape *tape, const struct sn__net *net, int rows) {
    bool made = true;
    int widest = 0;
    *tape = (struct sn__tape){.rows = rows};
    for (int l = 0; l <= net->layers; l++) {
        if (net->width[l] > widest) widest = net->width[l];
        if (l) tape->value[l] = sn__alloc_aligned((size_t)rows * (size_t)net->width[l] * sizeof(real));
        made = made && (!l || tape->value[l]);
    }
    for (int i = 0; i < 2; i++) {
        tape->delta[i] = sn__alloc_aligned((size_t)rows * (size_t)widest * sizeof(real));
        made = made && tape->delta[i];
    }
    if (!made) sn__tape_free(tape);
    return made;
}

void sn__tape_free(struct sn__tape *tape) {
    for (int l = 0; l <= SN__NET_LAYERS; l++)
        sn__free(tape->value[l]);
    sn__free_all(tape->delta[0], tape->delta[1]);
    *tape = (struct sn__tape){0};
}

static enum sn__activation activation_of(const struct sn__net *net, int layer) {
    return layer == net->layers - 1 ? net->output : net->hidden;
}

static void activate(enum sn__activation f, size_t count, real *y) {
    if (f == SN__RELU)
        for (size_t i = 0; i < count; i++)
            y[i] = y[i] > 0 ? y[i] : 0;
    if (f == SN__TANH)
        for (size_t i = 0; i < count; i++)
            y[i] = (real)sn__tanh((double)y[i]);
}

/* The gradient by what f was given, from y = f(...): f' of ReLU is 1 where y > 0, of tanh 1 - y^2. */
static void pull_back_activation(enum sn__activation f, size_t count, const real *y, real *delta) {
    if (f == SN__RELU)
        for (size_t i = 0; i < count; i++)
            delta[i] = y[i] > 0 ? delta[i] : 0;
    if (f == SN__TANH)
        for (size_t i = 0; i < count; i++)
            delta[i] *= 1 - y[i] * y[i];
}

const real *sn__net_forward(const struct sn__net *net, const struct sn__gemm *gemm, const real *theta,
                            int rows, const real *x, struct sn__tape *tape) {
    for (int l = 0; l < net->layers; l++) {
        const int in = net->width[l], out = net->width[l + 1];
        real *y = tape->value[l + 1];
        for (int i = 0; i < rows; i++)
            memcpy(y + (size_t)i * (size_t)out, theta + net->bias[l], (size_t)out * sizeof *y);
        sn__gemm_run(gemm, SN__NN, rows, out, in, x, in, theta + net->weights[l], out, true, y,
                     out); /* y += x W */
        activate(activation_of(net, l), (size_t)rows * (size_t)out, y);
        x = y;
    }
    return x;
}

/* In squares that stay in the cache. */
static void transpose(int rows, int columns, const real *from, real *to) {
    enum { SIDE = 16 };
    for (int i = 0; i < rows; i += SIDE)
        for (int j = 0; j < columns; j++)
            for (int k = i; k < rows && k < i + SIDE; k++)
                to[(size_t)j * (size_t)rows + (size_t)k] = from[(size_t)k * (size_t)columns + (size_t)j];
}

void sn__net_transpose(const struct sn__net *net, const real *theta, real *transposed) {
    for (int l = 1; l < net->layers; l++) /* nobody asks for the gradient by the input of the first */
        transpose(net->width[l], net->width[l + 1], theta + net->weights[l], transposed + net->weights[l]);
}

/* db: the sum of all rows. */
static void add_up_rows(int rows, int columns, const real *delta, real *sum) {
    memset(sum, 0, (size_t)columns * sizeof *sum);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            sum[j] += delta[(size_t)i * (size_t)columns + (size_t)j];
}

void sn__net_backward(const struct sn__net *net, const struct sn__gemm *gemm, const real *theta, int rows,
                      const real *x, struct sn__tape *tape, real *dy, real *gradient, real *dx) {
    real *delta = dy;
    for (int l = net->layers - 1; l >= 0; l--) {
        const int in = net->width[l], out = net->width[l + 1];
        const real *input = l ? tape->value[l] : x;
        real *below = l ? tape->delta[l % 2] : dx;
        pull_back_activation(activation_of(net, l), (size_t)rows * (size_t)out, tape->value[l + 1], delta);
        /* dW = x^T delta, db = sum of delta, dx = delta W^T */
        sn__gemm_run(gemm, SN__TN, in, out, rows, input, in, delta, out, false, gradient + net->weights[l],
                     out);
        add_up_rows(rows, out, delta, gradient + net->bias[l]);
        if (below && l && tape->transposed)
            sn__gemm_run(gemm, SN__NN, rows, in, out, delta, out, tape->transposed + net->weights[l], in,
                         false, below, in);
        else if (below)
            sn__gemm_run(gemm, SN__NT, rows, in, out, delta, out, theta + net->weights[l], out, false, below,
                         in);
        delta = below;
    }
}
