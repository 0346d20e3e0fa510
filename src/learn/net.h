/* Networks of layers, each of which is connected with all of the next: y = f(x W + b).
 *
 * A net is only a shape; its parameters are one array that the caller holds, so that gradients, moments and copies of them
 * look alike. Layer l: W row by row, width[l] rows and width[l + 1] columns, then b. */
#ifndef SINEW_LEARN_NET_H
#define SINEW_LEARN_NET_H

#include <stdint.h>

#include "learn/gemm.h"
#include "sinew/sinew.h"

enum { SN__NET_LAYERS = 8 }; /* at most */

enum sn__activation { SN__LINEAR, SN__RELU, SN__TANH };

struct sn__net {
    int layers;
    int width[SN__NET_LAYERS + 1];      /* of input, hidden layers, output */
    enum sn__activation hidden, output; /* f of all layers but the last; of the last */
    int weights[SN__NET_LAYERS];        /* where W begins; filled by sn__net_init */
    int bias[SN__NET_LAYERS];           /* where b begins */
    int count;                          /* of all parameters */
};

/* What a pass forward leaves for the pass backward, for up to `rows` samples abreast. */
struct sn__tape {
    int rows;
    real *value[SN__NET_LAYERS + 1]; /* [rows][width] after each layer; value[0] is not used */
    real *delta[2];                  /* [rows][widest]: gradients on their way down */
    const real *transposed; /* what sn__net_transpose made of the weights, of the caller; NULL: nothing */
};

/* Widths, activations and layers are set; checks them and fills the rest. */
sn_status sn__net_init(struct sn__net *net, sn_error *error);

/* Random weights for a start: uniform in +-sqrt(6 / (inputs + outputs)) (Glorot and Bengio 2010), those of the last layer
   times `last`; biases are 0. `item` tells nets of the same seed apart. */
void sn__net_fill(const struct sn__net *net, uint64_t seed, uint32_t item, double last, real *theta);

bool sn__tape_make(struct sn__tape *tape, const struct sn__net *net, int rows); /* false: out of memory */
void sn__tape_free(struct sn__tape *tape);

/* The output for each row of x; it stands in the tape. */
const real *sn__net_forward(const struct sn__net *net, const struct sn__gemm *gemm, const real *theta,
                            int rows, const real *x, struct sn__tape *tape);

/* W^T of each layer, where W stands in theta: a pass backward multiplies with it, and many shards share it. The bits of
   the gradients are the same with and without. */
void sn__net_transpose(const struct sn__net *net, const real *theta, real *transposed);

/* After a pass forward with the same x: from the loss's gradient by the output to that by the parameters, which is written,
   and to that by x, where dx is not NULL. dy may be changed. */
void sn__net_backward(const struct sn__net *net, const struct sn__gemm *gemm, const real *theta, int rows,
                      const real *x, struct sn__tape *tape, real *dy, real *gradient, real *dx);

#endif
