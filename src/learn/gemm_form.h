/* How a product of matrices is asked for, apart from gemm.h because `real` is a vector where the product is written. */
#ifndef SINEW_LEARN_GEMM_FORM_H
#define SINEW_LEARN_GEMM_FORM_H

#include <stdbool.h>

enum sn__gemm_form {
    SN__NN, /* C = A B    A is m x k, B is k x n */
    SN__TN, /* C = A^T B  A is k x m, B is k x n */
    SN__NT, /* C = A B^T  A is m x k, B is n x k */
};

#define SN__GEMM_ARGUMENTS(type)                                                                             \
    enum sn__gemm_form form, int m, int n, int k, const type *A, int lda, const type *B, int ldb, bool add,  \
        type *C, int ldc

#endif
