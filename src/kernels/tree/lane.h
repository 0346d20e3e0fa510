/* What `real` is.
 *
 * Every kernel in this folder is written once over `real`: a value of one character, or of LANE_WIDTH
 * characters abreast in one vector. The build compiles lanes.c once per lane type with
 *
 *     LANE_BITS   32 or 64: float or double
 *     LANE_WIDTH  1 (scalar), 2, 4, 8, 16
 *
 * Kernels use the operators + - * / on `real`, mix in constants as R(0.5), and choose per lane with
 * `choose`. No branch may depend on a lane's value, except `any(mask)` around work that leaves the other
 * lanes as they are. */
#ifndef SINEW_KERNELS_TREE_LANE_H
#define SINEW_KERNELS_TREE_LANE_H

#include <stdint.h>

#include "base/shared.h"

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#if LANE_BITS == 64
typedef double elem;
typedef int64_t ielem;
#elif LANE_BITS == 32
typedef float elem;
typedef int32_t ielem;
#else
#error "LANE_BITS must be 32 or 64"
#endif

#if LANE_WIDTH == 1
typedef elem real;
typedef ielem mask; /* 0 or -1 */
#else
typedef elem real __attribute__((vector_size(LANE_WIDTH * LANE_BITS / 8)));
typedef ielem mask __attribute__((vector_size(LANE_WIDTH * LANE_BITS / 8)));
#endif

#ifndef KERNEL /* block_lanes.c has its own */
#define KERNEL static inline __attribute__((always_inline))
#endif

/* A constant in the lane's own precision: `R(0.1) * x` never promotes. */
#define R(x) ((elem)(x))

/* x in every lane. Subtracting zero is exact, also for -0. */
KERNEL real splat(elem x) {
    return x - (real){0};
}

/* The same bits, as integers and back. */
KERNEL mask bits_of(real x) {
    union {
        real r;
        mask m;
    } u = {.r = x};
    return u.m;
}

KERNEL real real_of(mask m) {
    union {
        mask m;
        real r;
    } u = {.m = m};
    return u.r;
}

/* Comparisons give all ones or all zeros in each lane. */
#if LANE_WIDTH == 1
KERNEL mask less(real a, real b) {
    return -(ielem)(a < b);
}
KERNEL mask not_less(real a, real b) { /* true for NaN: !(a < b) */
    return -(ielem) !(a < b);
}
KERNEL mask is_nonzero(mask m) {
    return -(ielem)(m != 0);
}
KERNEL int any(mask m) {
    return m != 0;
}
#else
KERNEL mask less(real a, real b) {
    return (mask)(a < b);
}
KERNEL mask not_less(real a, real b) {
    return ~(mask)(a < b);
}
KERNEL mask is_nonzero(mask m) {
    return (mask)(m != 0);
}
/* Whether m is set in some lane: this and square_root are the two places where an instruction set is named. */
KERNEL int any(mask m) {
#if defined(__AVX512F__) && LANE_WIDTH * LANE_BITS == 512
    return _mm512_test_epi32_mask((__m512i)m, (__m512i)m) != 0;
#elif defined(__AVX2__) && LANE_WIDTH * LANE_BITS == 256
    return _mm256_movemask_epi8((__m256i)m) != 0;
#elif defined(__SSE2__) && LANE_WIDTH * LANE_BITS == 128
    return _mm_movemask_epi8((__m128i)m) != 0;
#elif defined(__wasm_simd128__) && LANE_WIDTH * LANE_BITS == 128
    return wasm_v128_any_true((v128_t)m);
#else
    ielem all = 0;
    for (int i = 0; i < LANE_WIDTH; i++)
        all |= m[i];
    return all != 0;
#endif
}
#endif

/* The value of the first lane. */
KERNEL sn__number first_lane(real x) {
#if LANE_WIDTH == 1
    return (sn__number)x;
#else
    return (sn__number)x[0];
#endif
}

/* m ? a : b in each lane. */
KERNEL real choose(mask m, real a, real b) {
    return real_of((bits_of(a) & m) | (bits_of(b) & ~m));
}

KERNEL real minimum(real a, real b) {
    return choose(less(a, b), a, b);
}

KERNEL real maximum(real a, real b) {
    return choose(less(a, b), b, a);
}

#if LANE_BITS == 64
#define SIGN_BIT INT64_MIN
#else
#define SIGN_BIT INT32_MIN
#endif

/* Bits moved towards the sign, without overflow. */
KERNEL mask shift_left(mask m, int n) {
#if LANE_WIDTH == 1
    return (mask)((LANE_BITS == 64 ? (uint64_t)m : (uint64_t)(uint32_t)m) << n);
#else
    return m << n;
#endif
}

KERNEL real absolute(real x) {
    return real_of(bits_of(x) & ~(SIGN_BIT | (mask){0}));
}

/* What one register holds, in bits: wider vectors, as tests have them (cmake/lanes.cmake), are split by the compiler. */
#if defined(__AVX512F__)
#define REGISTER_BITS 512
#elif defined(__AVX__)
#define REGISTER_BITS 256
#else
#define REGISTER_BITS 128
#endif

/* x as it was rounded: whether gcc fuses a product into the sum that takes it depends on the code around both. */
KERNEL real rounded(real x) {
#if defined(__SSE2__) && LANE_WIDTH * LANE_BITS > REGISTER_BITS
    __asm__("" : "+m"(x));
#elif defined(__SSE2__)
    __asm__("" : "+x"(x));
#elif defined(__aarch64__) && LANE_WIDTH * LANE_BITS <= REGISTER_BITS
    __asm__("" : "+w"(x));
#endif
    return x;
}

/* x with its sign flipped where s is negative. */
KERNEL real flip_sign(real x, real s) {
    return real_of(bits_of(x) ^ (bits_of(s) & (SIGN_BIT | (mask){0})));
}

#if LANE_BITS == 64
#define ELEM_ROOT __builtin_sqrt
#else
#define ELEM_ROOT __builtin_sqrtf
#endif

/* Correctly rounded on every machine, one lane after the other. */
KERNEL real square_root_each(real x) {
#if LANE_WIDTH == 1
    return ELEM_ROOT(x);
#else
    for (int i = 0; i < LANE_WIDTH; i++)
        x[i] = ELEM_ROOT(x[i]);
    return x;
#endif
}

/* The same abreast. */
KERNEL real square_root(real x) {
#if LANE_WIDTH == 1
    return square_root_each(x);
#elif defined(__AVX512F__) && LANE_WIDTH * LANE_BITS == 512
    return LANE_BITS == 64 ? (real)_mm512_sqrt_pd((__m512d)x) : (real)_mm512_sqrt_ps((__m512)x);
#elif defined(__AVX__) && LANE_WIDTH * LANE_BITS == 256
    return LANE_BITS == 64 ? (real)_mm256_sqrt_pd((__m256d)x) : (real)_mm256_sqrt_ps((__m256)x);
#elif defined(__SSE2__) && LANE_WIDTH * LANE_BITS == 128
    return LANE_BITS == 64 ? (real)_mm_sqrt_pd((__m128d)x) : (real)_mm_sqrt_ps((__m128)x);
#elif defined(__wasm_simd128__) && LANE_WIDTH * LANE_BITS == 128
    return (real)(LANE_BITS == 64 ? wasm_f64x2_sqrt((v128_t)x) : wasm_f32x4_sqrt((v128_t)x));
#elif defined(__aarch64__) && LANE_WIDTH * LANE_BITS == 128
    return LANE_BITS == 64 ? (real)vsqrtq_f64((float64x2_t)x) : (real)vsqrtq_f32((float32x4_t)x);
#else
    return square_root_each(x);
#endif
}

#endif
