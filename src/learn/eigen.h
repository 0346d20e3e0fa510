/* Small dense problems of linear algebra, in double precision. */
#ifndef SINEW_LEARN_EIGEN_H
#define SINEW_LEARN_EIGEN_H

#include <stdbool.h>

/* A symmetric matrix A [n][n] = V diag(value) V^T by Jacobi's rotations: the columns of V [n][n] are orthonormal. A is
   destroyed. */
void sn__eigen(int n, double *A, double *value, double *V);

/* Solves A x = b for a symmetric positive definite A [n][n], which is destroyed; x stands in b afterwards. False: A is not. */
bool sn__cholesky(int n, double *A, double *b);

#endif
