#include "world/stream.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

enum { NUMBER = 8 };

void sn__stream_refuse(struct sn__stream *s, const char *why) {
    if (!s->refused) sn__fail(s->error, SN_ERROR_FORMAT, "snapshot, %s %d: %s", s->part, s->number, why);
    s->refused = true;
}

static void put(unsigned char *to, uint64_t x) {
    for (int i = 0; i < NUMBER; i++)
        to[i] = (unsigned char)(x >> (8 * i));
}

static uint64_t get(const unsigned char *from) {
    uint64_t x = 0;
    for (int i = 0; i < NUMBER; i++)
        x |= (uint64_t)from[i] << (8 * i);
    return x;
}

void sn__pass_u64(struct sn__stream *s, uint64_t *x) {
    if (s->task == SN__WRITE) put(s->to + s->size, *x);
    if (s->task == SN__CHECK || s->task == SN__TAKE) {
        if (s->room - s->size < NUMBER) {
            sn__stream_refuse(s, "the block ends in the middle");
            return;
        }
        *x = get(s->from + s->size);
    }
    s->size += NUMBER;
}

void sn__pass_u32(struct sn__stream *s, uint32_t *x) {
    uint64_t wide = *x;
    sn__pass_u64(s, &wide);
    if (wide > UINT32_MAX) sn__stream_refuse(s, "a number is out of range");
    *x = (uint32_t)wide;
}

void sn__pass_int(struct sn__stream *s, int *x, int least, int most) {
    uint64_t wide = (uint64_t)(int64_t)*x;
    sn__pass_u64(s, &wide);
    const int64_t value = (int64_t)wide;
    if ((s->task == SN__CHECK || s->task == SN__TAKE) && (value < least || value > most)) {
        sn__stream_refuse(s, "a number is out of range");
        *x = least;
        return;
    }
    *x = (int)value;
}

void sn__pass_bool(struct sn__stream *s, bool *x) {
    uint64_t wide = *x;
    sn__pass_u64(s, &wide);
    if (wide > 1) sn__stream_refuse(s, "a truth value is neither 0 nor 1");
    *x = wide == 1;
}

void sn__pass_doubles(struct sn__stream *s, double *x, int n) {
    for (int i = 0; i < n; i++) {
        uint64_t bits = 0;
        if (s->task == SN__COUNT) {
            s->size += (size_t)n * NUMBER;
            return;
        }
        if (s->task == SN__WRITE) memcpy(&bits, &x[i], sizeof bits);
        sn__pass_u64(s, &bits);
        if (s->refused) return;
        memcpy(&x[i], &bits, sizeof bits);
    }
}

void sn__pass_finite(struct sn__stream *s, double *x, int n) {
    sn__pass_doubles(s, x, n);
    for (int i = 0; i < n && s->task == SN__CHECK; i++)
        if (!isfinite(x[i])) sn__stream_refuse(s, "a value is not finite");
}

bool sn__is_unit(const double q[4]) {
    return fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-3;
}
