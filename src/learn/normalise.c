#include "learn/normalise.h"

#include <math.h>

#include "base/memory.h"

bool sn__normaliser_make(struct sn__normaliser *n, int width) {
    *n = (struct sn__normaliser){.width = width, .floor = .02, .clip = 5};
    n->mean = sn__alloc((size_t)width, sizeof *n->mean);
    n->square = sn__alloc((size_t)width, sizeof *n->square);
    n->shift = sn__alloc((size_t)width, sizeof *n->shift);
    n->scale = sn__alloc((size_t)width, sizeof *n->scale);
    if (!n->mean || !n->square || !n->shift || !n->scale) {
        sn__normaliser_free(n);
        return false;
    }
    for (int i = 0; i < width; i++)
        n->scale[i] = 1;
    return true;
}

void sn__normaliser_free(struct sn__normaliser *n) {
    sn__free_all(n->mean, n->square, n->shift, n->scale);
    *n = (struct sn__normaliser){0};
}

void sn__normaliser_apply(const struct sn__normaliser *n, int rows, const float *x, real *y) {
    const real clip = (real)n->clip;
    for (int i = 0; i < rows; i++, x += n->width, y += n->width)
        for (int j = 0; j < n->width; j++) {
            const real z = ((real)x[j] - (real)n->shift[j]) * (real)n->scale[j];
            y[j] = z < -clip ? -clip : z > clip ? clip : z;
        }
}

/* Chan, Golub and LeVeque 1979: two sets with their means and sums of squared deviations become one. */
void sn__normaliser_merge(struct sn__normaliser *n, double count, const double *sum, const double *square) {
    const double total = n->count + count;
    if (!(count > 0)) return;
    for (int j = 0; j < n->width; j++) {
        const double mean = sum[j] / count; /* from the shift */
        const double spread = fmax(square[j] - count * mean * mean, 0);
        const double apart = mean + (double)n->shift[j] - n->mean[j];
        n->mean[j] += apart * count / total;
        n->square[j] += spread + apart * apart * n->count * count / total;
        const double deviation = sqrt(n->square[j] / total);
        n->shift[j] = (float)n->mean[j];
        n->scale[j] = (float)(1 / fmax(deviation, n->floor));
    }
    n->count = total;
}
