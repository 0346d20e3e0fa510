#include "dynamics/lapack.h"

#include <math.h>
#include <string.h>

#if SN__HAVE_LAPACK
void dposv_(const char *uplo, const int *n, const int *nrhs, double *A, const int *lda, double *b,
            const int *ldb, int *info);
void sposv_(const char *uplo, const int *n, const int *nrhs, float *A, const int *lda, float *b,
            const int *ldb, int *info);

/* One function each precision: copies the lane out, solves, copies the solution in. */
#define LANE_SOLVE(name, type, posv)                                                                         \
    static void name(int n, int width, int lane, const type *M, type *A, type *x, type *out) {               \
        const int one = 1;                                                                                   \
        int info = 0;                                                                                        \
        for (int i = 0; i < n * n; i++)                                                                      \
            A[i] = M[i * width + lane];                                                                      \
        for (int i = 0; i < n; i++)                                                                          \
            x[i] = out[i * width + lane];                                                                    \
        posv("L", &n, &one, A, &n, x, &n, &info);                                                            \
        for (int i = 0; i < n; i++)                                                                          \
            out[i * width + lane] = info ? (type)NAN : x[i];                                                 \
    }
LANE_SOLVE(solve_double, double, dposv_)
LANE_SOLVE(solve_float, float, sposv_)

void sn__lapack_solve(struct sn__pack *p, const struct sn__args *args, void *qdd) {
    const int n = p->model->nv, width = p->k->info.width;
    void *M = p->field[SN__MATRIX];
    if (!n) return;
    p->k->study->system(args, M, qdd);
    for (int lane = 0; lane < width; lane++) {
        if (p->def.precision == SN_PRECISION_DOUBLE) {
            solve_double(n, width, lane, M, p->scratch, p->scratch + n * n, qdd);
        } else {
            float *A = (float *)p->scratch;
            solve_float(n, width, lane, M, A, A + n * n, qdd);
        }
    }
}

static const bool HAVE_LAPACK = true;

#else

void sn__lapack_solve(struct sn__pack *p, const struct sn__args *args, void *qdd) { /* refused at creation */
    (void)p, (void)args, (void)qdd;
}

static const bool HAVE_LAPACK = false;

#endif

#ifdef SN__HAVE_LBFGS
static const bool HAVE_LBFGS = true;
#else
static const bool HAVE_LBFGS = false;
#endif

#ifdef SINEW_STRICT
static const bool STRICT = true;
#else
static const bool STRICT = false;
#endif

bool sn_built_with(const char *part) {
    return (HAVE_LAPACK && !strcmp(part, "lapack")) || (HAVE_LBFGS && !strcmp(part, "lbfgs")) ||
           (STRICT && !strcmp(part, "strict"));
}
