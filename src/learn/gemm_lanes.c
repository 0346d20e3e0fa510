/* The product of matrices over vectors, compiled once for each lane type beside src/kernels/lanes.c.
 *
 * C is covered with tiles of MR rows and NV vectors. A tile stays in registers while k runs: a vector of B's row is
 * multiplied with one number of A after the other. In the forms NN and TN both operands are read where they stand; B^T,
 * and the columns that do not fill a vector, are copied into a small panel first. k is cut into pieces of KC so that the
 * panel stays in the cache; a tile begins with what C holds from the piece before, which keeps the order of the sum. */
#include <stddef.h>
#include <string.h>

#include "kernels/tree/lane.h"
#include "learn/gemm_form.h"

#define GEMM_NAME_(bits, width, isa) sn__gemm_##bits##x##width##_##isa
#define GEMM_NAME(bits, width, isa) GEMM_NAME_(bits, width, isa)

/* AVX-512 has twice the registers. Without fused multiply-adds, as in SSE and WebAssembly, a tile of six rows leaves too few
   for the products on their way: four are 1.4 times as fast with SSE and 1.7 times in V8. */
enum {
    MR = LANE_BITS * LANE_WIDTH == 512   ? 8
         : LANE_BITS * LANE_WIDTH == 128 ? 4
                                         : 6,
    NV = 2,
    NR = NV * LANE_WIDTH,
    KC = 256
};

/* A vector anywhere in memory. */
typedef real loose __attribute__((aligned(sizeof(elem)), may_alias));

/* A piece of A: number (i, p) stands at row[i][p * step]. */
struct rows {
    const elem *row[MR];
    ptrdiff_t step;
};

static void tile(int k, const struct rows *a, const elem *b, ptrdiff_t ldb, bool add, elem *c,
                 ptrdiff_t ldc) {
    real sum[MR][NV];
    for (int i = 0; i < MR; i++)
        for (int j = 0; j < NV; j++)
            sum[i][j] = add ? (real) * (const loose *)(c + i * ldc + j * LANE_WIDTH) : splat(0);
    ptrdiff_t at = 0;
    for (int p = 0; p < k; p++, at += a->step, b += ldb) {
        real right[NV];
        for (int j = 0; j < NV; j++)
            right[j] = *(const loose *)(b + j * LANE_WIDTH);
        for (int i = 0; i < MR; i++) {
            const elem left = a->row[i][at];
            for (int j = 0; j < NV; j++)
                sum[i][j] += left * right[j];
        }
    }
    for (int i = 0; i < MR; i++)
        for (int j = 0; j < NV; j++)
            *(loose *)(c + i * ldc + j * LANE_WIDTH) = sum[i][j];
}

/* A tile at the edge of C: worked out beside it. */
static void edge(int k, const struct rows *a, const elem *b, ptrdiff_t ldb, bool add, elem *c, ptrdiff_t ldc,
                 int rows, int columns) {
    elem whole[MR * NR] = {0};
    for (int i = 0; add && i < rows; i++)
        for (int j = 0; j < columns; j++)
            whole[i * NR + j] = c[i * ldc + j];
    tile(k, a, b, ldb, add, whole, NR);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            c[i * ldc + j] = whole[i * NR + j];
}

/* Columns of B, or rows of what is transposed, side by side, with zeros up to NR. */
static void pack(bool transposed, int k, int columns, const elem *B, ptrdiff_t ldb, elem *panel) {
    for (int p = 0; p < k && columns < NR; p++)
        for (int j = 0; j < NV; j++)
            *(loose *)(panel + p * NR + j * LANE_WIDTH) = splat(0);
    if (transposed) {
        for (int j = 0; j < columns; j++)
            for (int p = 0; p < k; p++)
                panel[p * NR + j] = B[j * ldb + p];
    } else {
        for (int p = 0; p < k; p++)
            memcpy(panel + p * NR, B + p * ldb, (size_t)columns * sizeof *B);
    }
}

/* C's columns from j on, as many as fit. */
static void column_panel(enum sn__gemm_form form, int m, int k, const elem *A, ptrdiff_t lda, const elem *b,
                         ptrdiff_t ldb, bool add, elem *c, ptrdiff_t ldc, int columns) {
    for (int i = 0; i < m; i += MR) {
        const int rows = m - i < MR ? m - i : MR;
        struct rows a = {.step = form == SN__TN ? lda : 1};
        for (int r = 0; r < MR; r++) { /* rows beyond the last repeat it, and are thrown away */
            const ptrdiff_t row = i + (r < rows ? r : rows - 1);
            a.row[r] = A + (form == SN__TN ? row : row * lda);
        }
        if (rows == MR && columns == NR)
            tile(k, &a, b, ldb, add, c + i * ldc, ldc);
        else
            edge(k, &a, b, ldb, add, c + i * ldc, ldc, rows, columns);
    }
}

void GEMM_NAME(LANE_BITS, LANE_WIDTH, LANE_ISA)(SN__GEMM_ARGUMENTS(elem));

void GEMM_NAME(LANE_BITS, LANE_WIDTH, LANE_ISA)(SN__GEMM_ARGUMENTS(elem)) {
    elem panel[KC * NR];
    if (form == SN__TN && n == 1 && ldb == 1 && ldc == 1) { /* one column: C^T = B^T A, which fills vectors */
        form = SN__NN, n = m, m = 1, ldc = n;
        const elem *left = B;
        B = A, ldb = lda, A = left, lda = k;
    }
    for (int p = 0; p == 0 || p < k; p += KC) { /* sums of nothing are zero */
        const int depth = k - p < KC ? k - p : KC;
        const elem *a = A + (form == SN__TN ? (ptrdiff_t)p * lda : p);
        for (int j = 0; j < n; j += NR) {
            const int columns = n - j < NR ? n - j : NR;
            const elem *b = form == SN__NT ? B + (ptrdiff_t)j * ldb + p : B + (ptrdiff_t)p * ldb + j;
            const bool packed = form == SN__NT || columns < NR;
            if (packed) pack(form == SN__NT, depth, columns, b, ldb, panel);
            column_panel(form, m, depth, a, lda, packed ? panel : b, packed ? NR : ldb, add || p, C + j, ldc,
                         columns);
        }
    }
}
