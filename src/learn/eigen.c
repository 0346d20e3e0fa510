#include "learn/eigen.h"

#include <math.h>

/* Rotates rows p and q. */
static void rotate(int n, double *p, double *q, double c, double s) {
    for (int k = 0; k < n; k++) {
        const double x = p[k], y = q[k];
        p[k] = c * x - s * y;
        q[k] = s * x + c * y;
    }
}

/* One rotation in the plane (p, q) that makes A[p][q] zero (Golub and Van Loan, section 8.5). V holds V^T meanwhile, so that
   rows are rotated everywhere. */
static void clear_pair(int n, double *A, double *V, int p, int q) {
    const double a = A[p * n + q];
    const double theta = (A[q * n + q] - A[p * n + p]) / (2 * a);
    const double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    rotate(n, A + p * n, A + q * n, c, s);
    for (int k = 0; k < n; k++) {
        const double x = A[k * n + p], y = A[k * n + q];
        A[k * n + p] = c * x - s * y;
        A[k * n + q] = s * x + c * y;
    }
    rotate(n, V + p * n, V + q * n, c, s);
}

void sn__eigen(int n, double *A, double *value, double *V) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            V[i * n + j] = i == j;
    for (int sweep = 0; sweep < 60; sweep++) {
        bool done = true;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                const double a = fabs(A[p * n + q]), most = sqrt(fabs(A[p * n + p] * A[q * n + q]));
                if (a <= 1e-15 * most || a < 1e-300) continue;
                clear_pair(n, A, V, p, q);
                done = false;
            }
        if (done) break;
    }
    for (int i = 0; i < n; i++) {
        value[i] = A[i * n + i];
        for (int j = i + 1; j < n; j++) { /* V^T becomes V */
            const double x = V[i * n + j];
            V[i * n + j] = V[j * n + i];
            V[j * n + i] = x;
        }
    }
}

bool sn__cholesky(int n, double *A, double *b) {
    for (int j = 0; j < n; j++) /* A = L L^T, L in the lower half */
        for (int i = j; i < n; i++) {
            double sum = A[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= A[i * n + k] * A[j * n + k];
            if (i == j && !(sum > 0)) return false;
            A[i * n + j] = i == j ? sqrt(sum) : sum / A[j * n + j];
        }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= A[i * n + k] * b[k];
        b[i] /= A[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            b[i] -= A[k * n + i] * b[k];
        b[i] /= A[i * n + i];
    }
    return true;
}
