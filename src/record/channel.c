#include "record/channel.h"

#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MISSING = -32768 }; /* the 16-bit number that stands for what is not finite */

bool sn__channel_add(struct sn__channel *c, const double *values, int count) {
    float *grown = count < INT_MAX - c->count
                       ? sn__grow(c->value, &c->capacity, c->count + count, sizeof *c->value)
                       : NULL;
    if (!grown && count > 0) return false;
    c->value = grown;
    for (int i = 0; i < count; i++)
        c->value[c->count++] = (float)values[i];
    return true;
}

void sn__channel_free(struct sn__channel *c) {
    sn__free(c->value);
    *c = (struct sn__channel){0};
}

/* CRC-32 as in zip and PNG: the remainder of division by the polynomial 0x04C11DB7, bits reversed. */
uint32_t sn__channel_checksum(const uint8_t *bytes, size_t size) {
    uint32_t table[256], crc = ~0u;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = (table[i] >> 1) ^ (table[i] & 1 ? 0xEDB88320u : 0);
    }
    for (size_t i = 0; i < size; i++)
        crc = (crc >> 8) ^ table[(crc ^ bytes[i]) & 255];
    return ~crc;
}

/* RFC 4648 section 4: three bytes are four digits, '=' fills up. */
static void write_base64(struct sn__text *text, const uint8_t *bytes, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const uint32_t b1 = i + 1 < size ? bytes[i + 1] : 0, b2 = i + 2 < size ? bytes[i + 2] : 0;
        const uint32_t word = (uint32_t)bytes[i] << 16 | b1 << 8 | b2;
        const char four[4] = {digits[word >> 18], digits[word >> 12 & 63],
                              i + 1 < size ? digits[word >> 6 & 63] : '=',
                              i + 2 < size ? digits[word & 63] : '='};
        sn__text_bytes(text, four, 4);
    }
}

/* The largest number becomes 32767. */
static double find_scale(const float *value, int count) {
    double most = 0;
    for (int i = 0; i < count; i++)
        if (isfinite(value[i])) most = fmax(most, fabs((double)value[i]));
    return most > 0 ? most / 32767 : 1;
}

/* Little-endian, whatever the machine is. */
static void pack(const float *value, int count, enum sn__channel_type type, double scale, uint8_t *to) {
    const int width = type == SN__CHANNEL_F32 ? 4 : 2;
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        if (type == SN__CHANNEL_F32) {
            memcpy(&bits, &value[i], 4);
        } else {
            const double v = (double)value[i] / scale;
            bits = (uint32_t)(isfinite(v) ? (int)fmax(-32767, fmin(32767, round(v))) : MISSING);
        }
        for (int k = 0; k < width; k++)
            *to++ = (uint8_t)(bits >> 8 * k);
    }
}

void sn__channel_write(struct sn__text *text, const struct sn__channel *c, int count,
                       enum sn__channel_type type) {
    const size_t size = (size_t)count * (type == SN__CHANNEL_F32 ? 4 : 2);
    const double scale = type == SN__CHANNEL_I16 ? find_scale(c->value, count) : 1;
    uint8_t *bytes = sn__alloc(size, 1);
    if (!bytes) {
        text->failed = true;
        return;
    }
    pack(c->value, count, type, scale, bytes);
    sn__text_add(text, "{\"type\":\"%s\",", type == SN__CHANNEL_F32 ? "f32" : "i16");
    if (type != SN__CHANNEL_F32) {
        sn__text_add(text, "\"scale\":");
        sn__text_number(text, scale);
        sn__text_add(text, ",");
    }
    sn__text_add(text, "\"crc\":\"%08x\",\"data\":\"", (unsigned)sn__channel_checksum(bytes, size));
    write_base64(text, bytes, size);
    sn__text_add(text, "\"}");
    sn__free(bytes);
}
