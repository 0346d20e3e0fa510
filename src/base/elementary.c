#include "base/elementary.h"
#include "base/polynomial.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The nearest whole number, for |x| < 2^51: a double of that size has no bits to spare for fractions. */
static double nearest(double x) {
    const double large = 0x1.8p52;
    return (x + large) - large;
}

/* 2^k for -1022 <= k <= 1023. */
static double power_of_two(int k) {
    const uint64_t bits = (uint64_t)(k + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* x 2^k for |k| <= 2000: in two steps, so that neither factor leaves the range. */
static double scaled(double x, int k) {
    const int half = k / 2;
    return x * power_of_two(half) * power_of_two(k - half);
}

/* ---------------------------------------------------------------------------------------------- sine, cosine */

/* pi/2 in three parts. The first two have 33 bits each, so that their products with whole numbers below 2^20 are exact. */
static const double HALF_PI_1 = 0x1.921fb544p+0, HALF_PI_2 = 0x1.0b4611a6p-34,
                    HALF_PI_3 = 0x1.3198a2e037073p-69;
static const double TWO_OVER_PI = 0.636619772367581343;

/* x = high + low + k pi/2 with |high| <= pi/4; returns k modulo 4. */
static int reduce(double x, double *high, double *low) {
    *high = x, *low = 0;
    if (fabs(x) <= 0.785398163397448310) return 0;
    if (fabs(x) > 1e6) x = fmod(x, 6.28318530717958648);
    const double k = nearest(x * TWO_OVER_PI), r = x - k * HALF_PI_1, part = k * HALF_PI_2;
    *high = r - part;
    *low = (r - *high) - part - k * HALF_PI_3;
    const double sum = *high + *low;
    *low += *high - sum;
    *high = sum;
    return (int)k & 3;
}

/* The series of sine and cosine, from r^3 and r^4 on: |r| <= pi/4 leaves less than 1e-18 after the last term. */
static double sine_near(double r, double low) {
    static const double c[] = {-1.0 / 6,
                               1.0 / 120,
                               -1.0 / 5040,
                               1.0 / 362880,
                               -1.0 / 39916800,
                               1.0 / 6227020800.0,
                               -1.0 / 1307674368000.0,
                               1.0 / 355687428096000.0};
    const double z = r * r;
    return r + (r * z * polynomial(c, COUNT(c), z) + low * (1 - 0.5 * z));
}

static double cosine_near(double r, double low) {
    static const double c[] = {1.0 / 24,
                               -1.0 / 720,
                               1.0 / 40320,
                               -1.0 / 3628800,
                               1.0 / 479001600,
                               -1.0 / 87178291200.0,
                               1.0 / 20922789888000.0,
                               -1.0 / 6402373705728000.0};
    const double z = r * r, half = 0.5 * z,
                 most = 1 - half; /* what rounding took from `most` is given back */
    return most + (((1 - most) - half) + (z * z * polynomial(c, COUNT(c), z) - r * low));
}

double sn__sin(double x) {
    double r, low;
    if (!isfinite(x)) return x - x;
    if (fabs(x) < 0x1p-27) return x;
    const int k = reduce(x, &r, &low);
    const double value = k & 1 ? cosine_near(r, low) : sine_near(r, low);
    return k & 2 ? -value : value;
}

double sn__cos(double x) {
    double r, low;
    if (!isfinite(x)) return x - x;
    const int k = reduce(x, &r, &low);
    const double value = k & 1 ? sine_near(r, low) : cosine_near(r, low);
    return k == 1 || k == 2 ? -value : value;
}

/* ---------------------------------------------------------------------------------------------- arc functions */

/* atan(i/8), and what its rounding lost. */
static const double atan_high[] = {0,
                                   0x1.fd5ba9aac2f6ep-4,
                                   0x1.f5b75f92c80ddp-3,
                                   0x1.6f61941e4def1p-2,
                                   0x1.dac670561bb4fp-2,
                                   0x1.1e00babdefeb4p-1,
                                   0x1.4978fa3269ee1p-1,
                                   0x1.700a7c5784634p-1,
                                   0x1.921fb54442d18p-1};
static const double atan_low[] = {0,
                                  -0x1.cd37686760c17p-59,
                                  0x1.8ab6e3cf7afbdp-57,
                                  -0x1.c63aae6f6e918p-56,
                                  0x1.a2b7f222f65e2p-56,
                                  -0x1.928df287a668fp-58,
                                  0x1.2419a87f2a458p-56,
                                  -0x1.8c34d25aadef6p-56,
                                  0x1.1a62633145c07p-55};
static const double PI_HIGH = 0x1.921fb54442d18p+1, PI_LOW = 0x1.1a62633145c07p-53;

/* atan(small / large) for 0 <= small <= large, as high + low: with c = i/8 nearest to the quotient,
   atan t = atan c + atan u,  u = (t - c) / (1 + c t),  |u| <= 1/16. */
static double atan_within(double small, double large, double *low) {
    static const double c[] = {-1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9, -1.0 / 11, 1.0 / 13};
    const int i = (int)nearest(8 * (small / large));
    const double at = i / 8.0, u = i ? (small - at * large) / (large + at * small) : small / large, z = u * u;
    *low = atan_low[i] + u * z * polynomial(c, COUNT(c), z);
    if (!i) return u;
    *low += u;
    return atan_high[i];
}

double sn__atan2(double y, double x) {
    if (isnan(x) || isnan(y)) return x + y;
    double a = fabs(x), b = fabs(y), low = 0, high = 0;
    if (isinf(a) && isinf(b)) a = b = 1;
    const double larger = fmax(a, b);
    if (larger > 0x1p500) a *= 0x1p-600, b *= 0x1p-600;
    if (larger < 0x1p-500) a *= 0x1p500, b *= 0x1p500;
    if (isinf(a) || isinf(b)) a = isinf(a) ? 1 : 0, b = isinf(b) ? 1 : 0;
    if (larger > 0) high = b <= a ? atan_within(b, a, &low) : atan_within(a, b, &low);
    if (b > a) { /* pi/2 - atan(a / b) */
        const double sum = 0.5 * PI_HIGH - high;
        low = (0.5 * PI_HIGH - sum) - high + (0.5 * PI_LOW - low);
        high = sum;
    }
    if (signbit(x)) { /* pi - the angle */
        const double sum = PI_HIGH - high;
        low = (PI_HIGH - sum) - high + (PI_LOW - low);
        high = sum;
    }
    return copysign(high + low, y);
}

double sn__acos(double x) {
    return 2 * sn__atan2(sqrt(1 - x), sqrt(1 + x));
}

double sn__asin(double x) {
    return sn__atan2(x, sqrt((1 - x) * (1 + x)));
}

/* --------------------------------------------------------------------------------------- exponential, logarithm */

/* log 2 in two parts; the first has 32 bits, so that its products with exponents are exact. */
static const double LOG_2_1 = 0x1.62e42feep-1, LOG_2_2 = 0x1.a39ef35793c76p-33;
static const double LOG_2_INVERSE = 1.44269504088896341;

/* exp(x) = 2^k (1 + p): returns p, for |x| <= 1000. */
static double exponential_less_one(double x, int *k) {
    static const double c[] = {1.0 / 2,       1.0 / 6,         1.0 / 24,        1.0 / 120,
                               1.0 / 720,     1.0 / 5040,      1.0 / 40320,     1.0 / 362880,
                               1.0 / 3628800, 1.0 / 39916800., 1.0 / 479001600, 1.0 / 6227020800.0};
    const double whole = fabs(x) < 0.34 ? 0 : nearest(x * LOG_2_INVERSE);
    const double r = x - whole * LOG_2_1, part = whole * LOG_2_2, high = r - part, low = (r - high) - part;
    *k = (int)whole;
    return high + (high * high * polynomial(c, COUNT(c), high) + low * (1 + high));
}

double sn__exp(double x) {
    int k;
    if (isnan(x)) return x;
    if (x > 710) return (double)INFINITY;
    if (x < -746) return 0;
    const double p = exponential_less_one(x, &k);
    return scaled(1 + p, k);
}

double sn__expm1(double x) {
    int k;
    if (isnan(x)) return x;
    if (x > 710) return (double)INFINITY;
    if (x < -50) return -1;
    if (fabs(x) < 0x1p-54) return x;
    const double p = exponential_less_one(x, &k);
    if (k == 0) return p;
    if (k > 60) return scaled(1 + p, k);
    return scaled(p, k) + (power_of_two(k) - 1);
}

/* x = 2^k (1 + f) with 1 + f between sqrt 1/2 and sqrt 2. With s = f / (2 + f),
   log(1 + f) = 2 atanh s = f - (f^2/2 - s (f^2/2 + 2/3 s^2 + 2/5 s^4 + ...)). */
double sn__log(double x) {
    static const double c[] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11, 2.0 / 13,
                               2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23};
    if (!(x > 0)) return x == 0 ? (double)-INFINITY : (double)NAN;
    if (isinf(x)) return x;
    int k = 0;
    if (x < 0x1p-1022) x *= 0x1p54, k = -54;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    k += (int)(bits >> 52) - 1023;
    bits = (bits & 0xfffffffffffffu) | (uint64_t)1023 << 52;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.41421356237309505) m *= 0.5, k++;
    const double f = m - 1, s = f / (2 + f), z = s * s, half = 0.5 * f * f;
    const double rest = s * (half + z * polynomial(c, COUNT(c), z));
    return k * LOG_2_1 - ((half - (rest + k * LOG_2_2)) - f);
}

double sn__tanh(double x) {
    if (isnan(x)) return x;
    if (fabs(x) > 22) return copysign(1, x);
    const double less = sn__expm1(2 * fabs(x));
    return copysign(less / (less + 2), x);
}

double sn__pow(double x, double n) {
    if (n == floor(n) && fabs(n) <= 1e9) {
        double product = 1, square = x;
        for (uint32_t left = (uint32_t)fabs(n); left; left >>= 1, square *= square)
            if (left & 1) product *= square;
        return n < 0 ? 1 / product : product;
    }
    if (x == 0 && n > 0) return 0;
    return sn__exp(n * sn__log(x));
}

double sn__cbrt(double x) {
    if (x == 0 || !isfinite(x)) return x;
    const double a = fabs(x), root = sn__exp(sn__log(a) / 3); /* and a step of Newton's method */
    return copysign(root - (root - a / (root * root)) / 3, x);
}

double sn__hypot(double x, double y) {
    const double largest = fmax(fabs(x), fabs(y));
    if (isinf(x) || isinf(y)) return (double)INFINITY;
    if (largest > 0x1p500)
        return sqrt(x * 0x1p-600 * (x * 0x1p-600) + y * 0x1p-600 * (y * 0x1p-600)) * 0x1p600;
    if (largest < 0x1p-500) return sqrt(x * 0x1p600 * (x * 0x1p600) + y * 0x1p600 * (y * 0x1p600)) * 0x1p-600;
    return sqrt(x * x + y * y);
}
