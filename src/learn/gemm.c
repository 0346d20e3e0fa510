/* Which product of matrices there is on this machine. */
#include "learn/gemm.h"

#include <string.h>

#include "kernels/tables.h"
#include "lanes_built.h" /* LANE_TABLES(X): made by cmake/lanes.cmake */
#include "sinew/sinew.h"

#define elem_32 float
#define elem_64 double
#define OWN_NAME(bits, width, isa) sn__gemm_##bits##x##width##_##isa
#define OWN_DECLARE(bits, width, isa) void OWN_NAME(bits, width, isa)(SN__GEMM_ARGUMENTS(elem_##bits));
LANE_TABLES(OWN_DECLARE)

typedef void product_32(SN__GEMM_ARGUMENTS(float));
typedef void product_64(SN__GEMM_ARGUMENTS(double));

#define slot_32(f) f, NULL
#define slot_64(f) NULL, f
static const struct {
    sn_lanes_info info;
    product_32 *f32;
    product_64 *f64;
} OWN[] = {
#define OWN_ROW(bits, width, isa) {LANE_INFO(bits, width, isa), slot_##bits(OWN_NAME(bits, width, isa))},
    LANE_TABLES(OWN_ROW)};

/* Its place in OWN, or -1: tests have lane types that no product was built for. */
static int place_of(const sn_lanes_info *lanes) {
    for (int i = 0; i < (int)(sizeof OWN / sizeof *OWN); i++)
        if (!strcmp(OWN[i].info.name, lanes->name) && !strcmp(OWN[i].info.isa, lanes->isa)) return i;
    return -1;
}

/* The place in OWN of the widest vectors that this machine has. */
static int widest(sn_precision precision) {
    const sn_lanes_info *best = NULL, *lanes;
    for (int i = 0; (lanes = sn_lanes_get(i)); i++)
        if (lanes->precision == precision && place_of(lanes) >= 0 && (!best || lanes->width > best->width))
            best = lanes;
    return best ? place_of(best) : 0;
}

/* For a precision that has no lane type: the same sums, one after the other. */
#define PLAIN_PRODUCT(name, type)                                                                            \
    static void name(SN__GEMM_ARGUMENTS(type)) {                                                             \
        for (int i = 0; i < m; i++)                                                                          \
            for (int j = 0; j < n; j++) {                                                                    \
                type sum = 0;                                                                                \
                for (int l = 0; l < k; l++)                                                                  \
                    sum += (form == SN__TN ? A[(size_t)l * (size_t)lda + (size_t)i]                          \
                                           : A[(size_t)i * (size_t)lda + (size_t)l]) *                       \
                           (form == SN__NT ? B[(size_t)j * (size_t)ldb + (size_t)l]                          \
                                           : B[(size_t)l * (size_t)ldb + (size_t)j]);                        \
                type *c = C + (size_t)i * (size_t)ldc + j;                                                   \
                *c = add ? *c + sum : sum;                                                                   \
            }                                                                                                \
    }
PLAIN_PRODUCT(plain_32, float)
PLAIN_PRODUCT(plain_64, double)

struct sn__gemm sn__gemm_own(void) {
    const int f32 = widest(SN_PRECISION_FLOAT), f64 = widest(SN_PRECISION_DOUBLE);
    return (struct sn__gemm){.name = OWN[f32].info.name,
                             .f32 = OWN[f32].f32 ? OWN[f32].f32 : plain_32,
                             .f64 = OWN[f64].f64 ? OWN[f64].f64 : plain_64};
}

#if SN__HAVE_LAPACK

void sgemm_(const char *, const char *, const int *, const int *, const int *, const float *, const float *,
            const int *, const float *, const int *, const float *, float *, const int *);
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *,
            const int *, const double *, const int *, const double *, double *, const int *);

/* BLAS has matrices column by column. What we store is the transpose of that, so it is asked for C^T = B^T A^T. */
#define BLAS_PRODUCT(name, type, gemm)                                                                       \
    static void name(SN__GEMM_ARGUMENTS(type)) {                                                             \
        const type one = 1, keep = add ? 1 : 0;                                                              \
        gemm(form == SN__NT ? "T" : "N", form == SN__TN ? "T" : "N", &n, &m, &k, &one, B, &ldb, A, &lda,     \
             &keep, C, &ldc);                                                                                \
    }
BLAS_PRODUCT(blas_f32, float, sgemm_)
BLAS_PRODUCT(blas_f64, double, dgemm_)

bool sn__gemm_blas(struct sn__gemm *gemm) {
    *gemm = (struct sn__gemm){.name = "blas", .f32 = blas_f32, .f64 = blas_f64};
    return true;
}

/* OpenBLAS has these; another BLAS has one thread. */
int openblas_get_num_threads(void) __attribute__((weak));
void openblas_set_num_threads(int threads) __attribute__((weak));

int sn__gemm_begin(void) {
    if (!openblas_get_num_threads || !openblas_set_num_threads) return 0;
    const int before = openblas_get_num_threads();
    if (before != 1) openblas_set_num_threads(1);
    return before;
}

void sn__gemm_end(int before) {
    if (before > 1) openblas_set_num_threads(before);
}

#else

bool sn__gemm_blas(struct sn__gemm *gemm) {
    (void)gemm;
    return false;
}

int sn__gemm_begin(void) {
    return 0;
}

void sn__gemm_end(int before) {
    (void)before;
}

#endif

struct sn__gemm sn__gemm_best(void) {
    struct sn__gemm gemm;
    const bool narrow = OWN[widest(SN_PRECISION_FLOAT)].info.width < 8;
    if (narrow && !sn_built_with("strict") && sn__gemm_blas(&gemm)) return gemm;
    return sn__gemm_own();
}
