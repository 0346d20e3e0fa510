/* The elementary functions of the library against those of the C library, in units of the last place. */
#include "model_helpers.h"

#include "base/elementary.h"

#include <float.h>

typedef double one(double);

/* glibc's cube root is itself off by more than a unit of the last place; that of long double is right to double's. */
static double right_cbrt(double x) {
    return (double)cbrtl(x);
}

/* Distance of two numbers, in units of the last place of the right one. */
static double units(double got, double right) {
    if (got == right) return 0;
    const double size = fmax(fabs(right), DBL_MIN);
    return fabs(got - right) / (nextafter(size, (double)INFINITY) - size);
}

/* The largest error over [from, to], at points that are not round numbers. */
static double worst(one *ours, one *theirs, double from, double to) {
    double most = 0;
    for (int i = 0; i <= 200000; i++) {
        const double x = from + (to - from) * (i + 0.37 * (i % 3)) / 200001;
        most = fmax(most, units(ours(x), theirs(x)));
    }
    return most;
}

TEST(functions_of_one_number_agree_with_libm) {
    static const struct {
        const char *name;
        one *ours, *theirs;
        double from, to, bound; /* bound in units of the last place */
    } row[] = {
        {"sin", sn__sin, sin, -10, 10, 1},
        {"sin", sn__sin, sin, -1e5, 1e5, 1},
        {"sin", sn__sin, sin, -1e-3, 1e-3, 1},
        {"cos", sn__cos, cos, -10, 10, 1},
        {"cos", sn__cos, cos, -1e5, 1e5, 1},
        {"exp", sn__exp, exp, -30, 30, 1},
        {"exp", sn__exp, exp, -700, 700, 1},
        {"expm1", sn__expm1, expm1, -1, 1, 2},
        {"expm1", sn__expm1, expm1, -40, 40, 2},
        {"expm1", sn__expm1, expm1, -1e-6, 1e-6, 1},
        {"log", sn__log, log, 1e-9, 4, 1},
        {"log", sn__log, log, 0.9, 1.1, 1},
        {"log", sn__log, log, 1, 1e300, 1},
        {"tanh", sn__tanh, tanh, -20, 20, 3},
        {"tanh", sn__tanh, tanh, -1, 1, 3},
        {"acos", sn__acos, acos, -1, 1, 3},
        {"asin", sn__asin, asin, -1, 1, 3},
        {"cbrt", sn__cbrt, right_cbrt, -10, 10, 2},
        {"cbrt", sn__cbrt, right_cbrt, 1e-300, 1e300, 2},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const double error = worst(row[i].ours, row[i].theirs, row[i].from, row[i].to);
        print_message("%-6s %8g to %8g: %.2f units of the last place\n", row[i].name, row[i].from, row[i].to,
                      error);
        assert_true(error <= row[i].bound);
    }
}

TEST(functions_of_two_numbers_agree_with_libm) {
    double angle = 0, length = 0, power = 0;
    for (int i = -300; i <= 300; i++)
        for (int j = -300; j <= 300; j++) {
            const double y = 0.013 * i + 1e-5 * i * j, x = 0.0171 * j;
            angle = fmax(angle, units(sn__atan2(y, x), atan2(y, x)));
            length = fmax(length, units(sn__hypot(y, x), hypot(y, x)));
            /* The logarithm is right to 2^-52 and its product with n to 2^-53, of |n log x|. */
            const double base = fabs(y), n = 0.01 * (j + 301);
            const double allowed = base > 0 ? 1 + 3 * fabs(n * log(base)) : 0;
            const double wrong = units(sn__pow(base, n), pow(base, n));
            power = fmax(power, wrong);
            assert_true(wrong <= allowed);
        }
    print_message("atan2 %.2f, hypot %.2f, pow %.2f units of the last place\n", angle, length, power);
    assert_true(angle <= 2 && length <= 1);
    /* Whole powers go by squaring: each of at most 26 products may double the error before it and adds half a unit. */
    assert_true(fabs(sn__pow(0.999, 5000) / pow(0.999, 5000) - 1) <= 5000 * 0x1p-53);
}

TEST(ends_of_the_ranges_are_as_in_libm) {
    const double inf = (double)INFINITY;
    assert_true(sn__exp(-inf) == 0 && sn__exp(inf) == inf && sn__expm1(-inf) == -1 && sn__exp(0) == 1);
    assert_true(sn__log(0) == -inf && isnan(sn__log(-1)) && sn__log(inf) == inf && sn__log(1) == 0);
    assert_true(isnan(sn__sin(inf)) && isnan(sn__cos(-inf)) && isnan(sn__exp((double)NAN)));
    assert_true(units(sn__log(5e-324), log(5e-324)) <= 1 && units(sn__exp(-740), exp(-740)) <= 1);
    assert_true(sn__tanh(1e9) == 1 && sn__tanh(-1e9) == -1 && signbit(sn__sin(-0.0)));
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) {
            assert_true(units(sn__atan2(y, x), atan2(y, x)) <= 1);
            assert_true(units(sn__atan2(y * 1e300, x * 1e300), atan2(y, x)) <= 1);
            assert_true(units(sn__atan2(y * 1e-310, x * 1e-310), atan2(y, x)) <= 1);
            assert_true(units(sn__atan2(y * inf, x), atan2(y * inf, x)) <= 1 || y == 0);
        }
    assert_true(sn__hypot(3e300, 4e300) == hypot(3e300, 4e300) && sn__hypot(-inf, 1) == inf);
    assert_true(units(sn__hypot(3e-300, 4e-300), hypot(3e-300, 4e-300)) <= 1);
}

/* The numbers of every compiler, C library and processor, as long as nothing is fused. */
TEST(bits_are_the_same_on_every_platform) {
    one *const function[] = {sn__sin,  sn__cos,  sn__exp,  sn__expm1, sn__log,
                             sn__tanh, sn__acos, sn__asin, sn__cbrt};
    uint64_t hash = 14695981039346656037u;
    for (size_t f = 0; f <= sizeof function / sizeof *function; f++)
        for (int i = 1; i < 20000; i++) {
            const double x = i / 20011.0, y = f % 2 ? x : 37 * x; /* acos and asin stay within their range */
            const bool narrow = f < 9 && (function[f] == sn__acos || function[f] == sn__asin);
            const double value = f == 9 ? sn__atan2(x - 0.5, y - 11) + sn__pow(x, 0.3 + y) + sn__hypot(x, y)
                                        : function[f](narrow ? x : y);
            uint64_t bits;
            memcpy(&bits, &value, sizeof bits);
            hash = (hash ^ bits) * 1099511628211u;
        }
    print_message("%016llx\n", (unsigned long long)hash);
    assert_true(hash == 0x140c63183d25cc8au);
}

int main(void) {
    return run_all("elementary");
}
