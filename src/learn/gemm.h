/* Products of matrices, by one thread.
 *
 * Matrices stand row by row; `ld` is the distance from one row to the next. C has m rows and n columns, the sums have k
 * terms. */
#ifndef SINEW_LEARN_GEMM_H
#define SINEW_LEARN_GEMM_H

#include "learn/gemm_form.h"
#include "learn/real.h"

/* Two functions that do the same in two precisions; with `add`, C grows by the product. */
struct sn__gemm {
    const char *name; /* "f32x8" or "blas" */
    void (*f32)(SN__GEMM_ARGUMENTS(float));
    void (*f64)(SN__GEMM_ARGUMENTS(double));
};

/* Written here, over vectors: each element is a sum in the order of k, so the bits depend on neither the width of the
   vectors nor on m and n; where multiply-adds are fused they depend on that (they are not in a strict build). */
struct sn__gemm sn__gemm_own(void);

/* That of the BLAS the library was built with; false where there is none. */
bool sn__gemm_blas(struct sn__gemm *gemm);

/* Ours where vectors have eight floats or more: at the sizes of a shard it is as fast as the best BLAS, and much faster than
   one that does not know the processor (docs/learning.md). Else the BLAS where there is one, but never in a strict build. */
struct sn__gemm sn__gemm_best(void);

/* OpenBLAS may start threads of its own, which would get into the way of ours. Between these two calls it does not; what
   `begin` returns is for `end`. The setting belongs to the whole process. */
int sn__gemm_begin(void);
void sn__gemm_end(int before);

static inline void sn__gemm_run(const struct sn__gemm *gemm, SN__GEMM_ARGUMENTS(real)) {
#if LEARN_BITS == 64
    gemm->f64(form, m, n, k, A, lda, B, ldb, add, C, ldc);
#else
    gemm->f32(form, m, n, k, A, lda, B, ldb, add, C, ldc);
#endif
}

#endif
