/* Polynomials with coefficients in a table, c[0] first. */
#ifndef SINEW_BASE_POLYNOMIAL_H
#define SINEW_BASE_POLYNOMIAL_H

#define COUNT(c) ((int)(sizeof(c) / sizeof *(c)))

/* c[0] + c[1] x + ... + c[n-1] x^(n-1), by Horner's rule. */
static inline double polynomial(const double *c, int n, double x) {
    double sum = c[n - 1];
    for (int i = n - 2; i >= 0; i--)
        sum = sum * x + c[i];
    return sum;
}

#endif
