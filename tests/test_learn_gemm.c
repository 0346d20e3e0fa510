/* Products of matrices against plain sums, for all forms and awkward sizes. */
#include "model_helpers.h"

#include <stdlib.h>

#include "learn/gemm.h"
#include "learn/random.h"

enum { MOST = 300 };
static float A[MOST * MOST], B[MOST * MOST], C[MOST * MOST], before[MOST * MOST];
static double A64[MOST * MOST], B64[MOST * MOST], C64[MOST * MOST];

static void fill(uint64_t step) {
    struct sn__random r = sn__random_at(5, SN__STREAM_TASK, 0, step);
    for (int i = 0; i < MOST * MOST; i++) {
        A64[i] = A[i] = (float)(2 * sn__random_uniform(&r) - 1);
        B64[i] = B[i] = (float)(2 * sn__random_uniform(&r) - 1);
        C64[i] = C[i] = before[i] = (float)(2 * sn__random_uniform(&r) - 1);
    }
}

static double plain(enum sn__gemm_form form, int k, int i, int j, int lda, int ldb) {
    double sum = 0;
    for (int p = 0; p < k; p++)
        sum +=
            A64[form == SN__TN ? p * lda + i : i * lda + p] * B64[form == SN__NT ? j * ldb + p : p * ldb + j];
    return sum;
}

static void assert_product(const struct sn__gemm *gemm, enum sn__gemm_form form, int m, int n, int k,
                           bool add) {
    const int lda = (form == SN__TN ? m : k) + 3, ldb = (form == SN__NT ? k : n) + 1, ldc = n + 2;
    fill((uint64_t)(m * 1000000 + n * 1000 + k));
    gemm->f32(form, m, n, k, A, lda, B, ldb, add, C, ldc);
    gemm->f64(form, m, n, k, A64, lda, B64, ldb, add, C64, ldc);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < ldc; j++) {
            const int at = i * ldc + j;
            if (j >= n) { /* what is beyond the matrix stays */
                assert_true(C[at] == before[at] && C64[at] == (double)before[at]);
                continue;
            }
            const double sum = plain(form, k, i, j, lda, ldb) + (add ? (double)before[at] : 0);
            assert_true(fabs(C64[at] - sum) < 1e-13 * (k + 10));
            assert_true(fabs((double)C[at] - sum) < 1e-6 * (sqrt(k) + 10));
        }
}

static void assert_products(const struct sn__gemm *gemm) {
    static const int size[][3] = {{1, 1, 1},    {5, 1, 257}, {6, 8, 3},    {7, 33, 64},  {32, 36, 256},
                                  {13, 16, 17}, {8, 64, 31}, {32, 128, 0}, {24, 47, 293}};
    for (size_t i = 0; i < COUNT(size); i++)
        for (int form = SN__NN; form <= SN__NT; form++)
            for (int add = 0; add < 2; add++)
                assert_product(gemm, (enum sn__gemm_form)form, size[i][0], size[i][1], size[i][2], add);
}

TEST(own_products_are_sums) {
    const struct sn__gemm own = sn__gemm_own();
    assert_products(&own);
}

TEST(products_of_the_blas_are_sums) {
    struct sn__gemm blas;
    if (!sn__gemm_blas(&blas)) skip();
    const int threads = sn__gemm_begin();
    assert_products(&blas);
    sn__gemm_end(threads);
}

/* Each element is a sum in the order of k: other rows and columns, or a cap on the vectors, change no bit. */
TEST(own_products_have_the_same_bits_in_any_company) {
    const struct sn__gemm own = sn__gemm_own();
    static float whole[64 * 100], piece[64 * 100];
    fill(1);
    own.f32(SN__NN, 64, 100, 280, A, 280, B, 100, false, whole, 100);
    for (int i = 0; i < 64; i += 13)
        for (int j = 0; j < 100; j += 37) {
            own.f32(SN__NN, 1, 1, 280, A + i * 280, 280, B + j, 100, false, piece, 1);
            assert_memory_equal(piece, whole + i * 100 + j, sizeof *piece);
        }
    const sn_lanes_info *lanes = sn_lanes_get(0);
    const char *cap = getenv("SINEW_ISA");
    char keep[8] = "";
    if (cap) snprintf(keep, sizeof keep, "%s", cap);
    if (strcmp(lanes->isa, "x86-64-v4") || sn_built_with("strict"))
        return; /* v3 fuses multiply-adds as v4 does */
    setenv("SINEW_ISA", "v3", 1);
    const struct sn__gemm narrow = sn__gemm_own();
    narrow.f32(SN__NN, 64, 100, 280, A, 280, B, 100, false, piece, 100);
    if (cap)
        setenv("SINEW_ISA", keep, 1);
    else
        unsetenv("SINEW_ISA");
    assert_memory_equal(piece, whole, sizeof whole);
}

int main(void) {
    return run_all("learn_gemm");
}
