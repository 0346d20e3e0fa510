/* Policy gradients from what episodes returned. */
#include <math.h>

#include "learn/eigen.h"
#include "learn/policy_gradient.h"

/* Each parameter has the baseline that makes its estimate vary least. */
void sn__pg_plain(int episodes, int count, const real *psi, const double *returns, real *gradient) {
    for (int k = 0; k < count; k++) {
        double square = 0, weighted = 0, sum = 0;
        for (int e = 0; e < episodes; e++) {
            const double p = (double)psi[(size_t)e * (size_t)count + (size_t)k];
            square += p * p;
            weighted += p * p * returns[e];
        }
        const double baseline = square > 0 ? weighted / square : 0;
        for (int e = 0; e < episodes; e++)
            sum += (double)psi[(size_t)e * (size_t)count + (size_t)k] * (returns[e] - baseline);
        gradient[k] = (real)(sum / episodes);
    }
}

static void subtract_means(int episodes, int count, real *psi) {
    for (int k = 0; k < count; k++) {
        double mean = 0;
        for (int e = 0; e < episodes; e++)
            mean += (double)psi[(size_t)e * (size_t)count + (size_t)k] / episodes;
        for (int e = 0; e < episodes; e++)
            psi[(size_t)e * (size_t)count + (size_t)k] -= (real)mean;
    }
}

/* gram = Psi Psi^T. */
static void multiply(int episodes, int count, const real *psi, double *gram) {
    for (int i = 0; i < episodes; i++)
        for (int j = 0; j <= i; j++) {
            const real *a = psi + (size_t)i * (size_t)count, *b = psi + (size_t)j * (size_t)count;
            double sum = 0;
            for (int k = 0; k < count; k++)
                sum += (double)a[k] * (double)b[k];
            gram[i * episodes + j] = gram[j * episodes + i] = sum;
        }
}

/* With Psi [episodes][count] and N episodes, F = Psi^T Psi / N and g = Psi^T R / N, so that
     w = (Psi^T Psi + N d I)^-1 Psi^T R = Psi^T (Psi Psi^T + N d I)^-1 R:
   a system as large as there are episodes, however many parameters there are. psi loses its means. */
bool sn__pg_natural(int episodes, int count, real *psi, const double *returns, double damping, double *gram,
                    double *weight, real *direction, double *rise) {
    double mean = 0, trace = 0;
    for (int e = 0; e < episodes; e++)
        mean += returns[e] / episodes;
    subtract_means(episodes, count, psi);
    multiply(episodes, count, psi, gram);
    for (int e = 0; e < episodes; e++) {
        trace += gram[e * episodes + e];
        weight[e] = returns[e] - mean;
    }
    for (int e = 0; e < episodes; e++) /* N d = N damping (trace of F) / count */
        gram[e * episodes + e] += damping * trace / count + 1e-300;
    if (!sn__cholesky(episodes, gram, weight)) return false;
    *rise = 0;
    for (int k = 0; k < count; k++) {
        double w = 0, g = 0;
        for (int e = 0; e < episodes; e++) {
            const double p = (double)psi[(size_t)e * (size_t)count + (size_t)k];
            w += p * weight[e];
            g += p * (returns[e] - mean) / episodes;
        }
        direction[k] = (real)w;
        *rise += g * w;
    }
    return *rise >= 0 && isfinite(*rise);
}
