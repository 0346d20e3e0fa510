/* Gradients added up, clipped and followed. All of it works on pieces of the arrays, so that threads can share them out;
 * the pieces are always the same. */
#ifndef SINEW_LEARN_OPTIMISE_H
#define SINEW_LEARN_OPTIMISE_H

#include <stdbool.h>
#include <stdint.h>

#include "learn/real.h"

/* A minibatch is always cut into this many shards, whoever computes them, and their gradients are added in a tree: the bits
   depend on neither the number of threads nor that of machines. */
enum { SN__SHARDS = 16, SN__PIECE = 4096 /* parameters */ };

enum sn__optimiser_kind { SN__ADAM, SN__MOMENTUM };

struct sn__optimiser {
    enum sn__optimiser_kind kind;
    int count;                 /* parameters */
    double beta1, beta2;       /* Adam: .9, .999; momentum: beta1 alone */
    double epsilon;            /* Adam: 1e-8 */
    uint64_t steps;            /* taken */
    real *first, *second;      /* [count] mean of gradients, or the velocity; mean of their squares */
    double correct1, correct2; /* of the current step: 1 / (1 - beta^steps) */
};

bool sn__optimiser_make(struct sn__optimiser *o, enum sn__optimiser_kind kind,
                        int count); /* false: no memory */
void sn__optimiser_free(struct sn__optimiser *o);

/* One step: begin, then apply for all pieces. The gradient counts `scale` times. */
void sn__optimiser_begin(struct sn__optimiser *o);
void sn__optimiser_apply(struct sn__optimiser *o, int first, int count, double rate, double scale,
                         const real *gradient, real *theta);

/* sum[i] of SN__SHARDS arrays for `count` parameters from `first` on: ((0 + 1) + (2 + 3)) + ... */
void sn__gradient_sum(real *const shard[SN__SHARDS], int first, int count, real *sum);
/* Parts of that tree, in place: row[i] holds the sum of shards[i] shards from i on, a node of the tree; 0: it is not here. Adds
   neighbours as far as both are here: what is left are the largest nodes, all 16 in row[0] in the end. */
void sn__gradient_join(real *const row[SN__SHARDS], const int shards[SN__SHARDS], int first, int count);
/* The sum of squares of a piece. */
double sn__gradient_squares(int first, int count, const real *gradient);
/* What a gradient of this squared norm is multiplied with so that its norm is at most `most`; 0: no limit. */
double sn__gradient_scale(double squares, double most);

#endif
