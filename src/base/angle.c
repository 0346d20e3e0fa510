#include "base/angle.h"
#include "base/angle_poly.h"
#include "base/polynomial.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

static const double log_poly[] = {SN__LOG_POLY}, cos_poly[] = {SN__COS_POLY}, sinc_poly[] = {SN__SINC_POLY};
/* Where x is beyond pi/2: x = r + k pi with |r| <= pi/2, and
     cos x = (-1)^k cos r,   sin x = (-1)^k sin r.
   remquo is exact in every libm. */
void sn__cos_sinc(double x, double *cosine, double *sinc) {
    double r = x, scale = 1;
    int k = 0;
    if (!(x <= PI / 2)) r = remquo(x, PI, &k), scale = r / x;
    const double sign = k & 1 ? -1 : 1;
    *cosine = sign * polynomial(cos_poly, COUNT(cos_poly), r * r);
    *sinc = sign * scale * polynomial(sinc_poly, COUNT(sinc_poly), r * r);
}

double sn__inverse_sinc(double c) {
    return polynomial(log_poly, COUNT(log_poly), 1 - c);
}
