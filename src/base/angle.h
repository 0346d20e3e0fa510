/* Angles without libm, whose sine and arc tangent have other bits on other machines: glibc alone has two, with fused
 * multiply-adds and without. Worlds turn grounds and measure joints by these. */
#ifndef SINEW_BASE_ANGLE_H
#define SINEW_BASE_ANGLE_H

/* cos x, and sin x / x, for x >= 0. */
void sn__cos_sinc(double x, double *cosine, double *sinc);
/* x / sin x, where cos x = c and 0 <= c <= 1. */
double sn__inverse_sinc(double c);

#endif
