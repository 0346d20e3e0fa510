#include "learn/optimise.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"

bool sn__optimiser_make(struct sn__optimiser *o, enum sn__optimiser_kind kind, int count) {
    *o = (struct sn__optimiser){.kind = kind, .count = count, .beta1 = .9, .beta2 = .999, .epsilon = 1e-8};
    o->first = sn__alloc_aligned((size_t)count * sizeof(real));
    o->second = sn__alloc_aligned((size_t)count * sizeof(real));
    if (o->first && o->second) return true;
    sn__optimiser_free(o);
    return false;
}

void sn__optimiser_free(struct sn__optimiser *o) {
    sn__free_all(o->first, o->second);
    *o = (struct sn__optimiser){0};
}

void sn__optimiser_begin(struct sn__optimiser *o) {
    o->steps++;
    o->correct1 = 1 / (1 - sn__pow(o->beta1, (double)o->steps));
    o->correct2 = 1 / (1 - sn__pow(o->beta2, (double)o->steps));
}

/* Kingma and Ba 2015, algorithm 1: theta -= rate m^ / (sqrt(v^) + epsilon). */
static void adam(struct sn__optimiser *o, int first, int end, double rate, double scale, const real *gradient,
                 real *theta) {
    const real b1 = (real)o->beta1, b2 = (real)o->beta2, k = (real)scale, epsilon = (real)o->epsilon;
    const real step = (real)(rate * o->correct1), c2 = (real)o->correct2;
    real *restrict m = o->first, *restrict v = o->second;
    for (int i = first; i < end; i++) {
        const real g = k * gradient[i];
        m[i] = b1 * m[i] + (1 - b1) * g;
        v[i] = b2 * v[i] + (1 - b2) * g * g;
        const real root =
            LEARN_BITS == 64 ? (real)sqrt((double)(c2 * v[i])) : (real)sqrtf((float)(c2 * v[i]));
        theta[i] -= step * m[i] / (root + epsilon);
    }
}

/* v = beta v + g, theta -= rate v. */
static void momentum(struct sn__optimiser *o, int first, int end, double rate, double scale,
                     const real *gradient, real *theta) {
    const real b = (real)o->beta1, k = (real)scale, step = (real)rate;
    real *restrict v = o->first;
    for (int i = first; i < end; i++) {
        v[i] = b * v[i] + k * gradient[i];
        theta[i] -= step * v[i];
    }
}

void sn__optimiser_apply(struct sn__optimiser *o, int first, int count, double rate, double scale,
                         const real *gradient, real *theta) {
    (o->kind == SN__ADAM ? adam : momentum)(o, first, first + count, rate, scale, gradient, theta);
}

_Static_assert(SN__SHARDS == 16, "the tree below has sixteen leaves");

void sn__gradient_sum(real *const s[SN__SHARDS], int first, int count, real *restrict sum) {
    for (int i = first; i < first + count; i++) {
        const real a =
            ((s[0][i] + s[1][i]) + (s[2][i] + s[3][i])) + ((s[4][i] + s[5][i]) + (s[6][i] + s[7][i]));
        const real b =
            ((s[8][i] + s[9][i]) + (s[10][i] + s[11][i])) + ((s[12][i] + s[13][i]) + (s[14][i] + s[15][i]));
        sum[i] = a + b;
    }
}

void sn__gradient_join(real *const row[SN__SHARDS], const int shards[SN__SHARDS], int first, int count) {
    int here[SN__SHARDS];
    memcpy(here, shards, sizeof here);
    for (int width = 1; width < SN__SHARDS; width *= 2)
        for (int i = 0; i < SN__SHARDS; i += 2 * width) {
            if (here[i] != width || here[i + width] != width) continue;
            real *restrict sum = row[i];
            const real *restrict other = row[i + width];
            for (int k = first; k < first + count; k++)
                sum[k] += other[k];
            here[i] = 2 * width;
        }
}

double sn__gradient_squares(int first, int count, const real *gradient) {
    double sum = 0;
    for (int i = first; i < first + count; i++)
        sum += (double)gradient[i] * (double)gradient[i];
    return sum;
}

double sn__gradient_scale(double squares, double most) {
    const double norm = sqrt(squares);
    return most > 0 && norm > most ? most / norm : 1;
}
