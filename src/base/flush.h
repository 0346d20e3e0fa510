/* Numbers too small for a full mantissa count as zero while a step runs. A character at rest is full of them, and each
 * costs the processor a hundred cycles or more. What was set before comes back afterwards. */
#ifndef SINEW_BASE_FLUSH_H
#define SINEW_BASE_FLUSH_H

#include <stdint.h>

#if defined(__SSE__) && !defined(__EMSCRIPTEN__)
#define SN__FLUSH_X86 1
#include <xmmintrin.h>
#endif

struct sn__flush {
    uint64_t before; /* the control register */
};

/* Results (FTZ) and operands (DAZ) on x86, both (FZ) on aarch64; nothing elsewhere. Between the two calls stand calls of
   other functions: a compiler does not know that arithmetic of the same function must not move across. */
static inline struct sn__flush sn__flush_begin(void) {
    struct sn__flush f = {0};
#if defined(SN__FLUSH_X86)
    const unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040, before = _mm_getcsr();
    _mm_setcsr(before | flush_to_zero | denormals_are_zero);
    f.before = before;
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, fpcr" : "=r"(f.before)::"memory");
    __asm__ volatile("msr fpcr, %0" ::"r"(f.before | (uint64_t)1 << 24) : "memory");
#endif
    return f;
}

static inline void sn__flush_end(struct sn__flush f) {
#if defined(SN__FLUSH_X86)
    /* flags of what happened meanwhile (the low six bits) are kept, as without flushing */
    _mm_setcsr((unsigned)f.before | (_mm_getcsr() & 0x3f));
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" ::"r"(f.before) : "memory");
#else
    (void)f;
#endif
}

#endif
