/* Observations brought to mean 0 and deviation 1 by what was seen so far: y = clip((x - mean) / max(deviation, floor)). */
#ifndef SINEW_LEARN_NORMALISE_H
#define SINEW_LEARN_NORMALISE_H

#include <stdbool.h>

#include "learn/real.h"

struct sn__normaliser {
    int width;
    double floor, clip; /* .02 and 5 */
    double count;       /* samples seen; 0: y = clip(x) */
    double *mean;       /* [width] */
    double *square;     /* [width] sum of squared deviations from the mean */
    float *shift;       /* [width] what is subtracted, */
    float *scale;       /* [width] then multiplied: made from the above by merge */
};

bool sn__normaliser_make(struct sn__normaliser *n, int width); /* false: out of memory */
void sn__normaliser_free(struct sn__normaliser *n);

void sn__normaliser_apply(const struct sn__normaliser *n, int rows, const float *x, real *y);

/* `count` more samples; sum and square are those of x - shift, [width] each. */
void sn__normaliser_merge(struct sn__normaliser *n, double count, const double *sum, const double *square);

#endif
