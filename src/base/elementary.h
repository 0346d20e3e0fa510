/* Elementary functions with the same bits from every compiler and C library, since nothing in elementary.c is fused
 * (cmake/library.cmake).
 * Only +, -, *, /, sqrt, floor and fmod are used, which IEEE 754 defines to the last bit.
 *
 * Errors in units of the last place are measured by tests/test_elementary.c. Infinities and NaN are treated as in libm;
 * the sign of a zero is kept. */
#ifndef SINEW_BASE_ELEMENTARY_H
#define SINEW_BASE_ELEMENTARY_H

/* Angles up to 1e6 radians are reduced exactly; beyond that the error grows with the angle. */
double sn__sin(double x);
double sn__cos(double x);
double sn__atan2(double y, double x);
double sn__acos(double x);
double sn__asin(double x);

double sn__exp(double x);
double sn__expm1(double x);
double sn__log(double x);
double sn__tanh(double x);
/* x^n for x >= 0, or for whole n of at most 1e9, which goes by squaring. Other n lose as many bits as n log x has before the
   point. */
double sn__pow(double x, double n);
double sn__cbrt(double x);
double sn__hypot(double x, double y);

#endif
