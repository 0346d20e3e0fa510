#include "channel.h"

#include "base64.h"
#include "terminal.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MISSING = -32768 }; /* of the 16 bit numbers the one that stands for what is not finite */

void channel_add(struct channel *c, const double *values, size_t count) {
    if (c->count + count > c->room) {
        c->room = 2 * (c->count + count);
        c->value = need_memory(c->value, c->room * sizeof *c->value);
    }
    for (size_t i = 0; i < count; i++)
        c->value[c->count++] = (float)values[i];
}

void channel_free(struct channel *c) {
    free(c->value);
    *c = (struct channel){0};
}

/* CRC-32 as in zip and PNG: the remainder of division by the polynomial 0x04C11DB7, bits reversed. */
static uint32_t checksum(const uint8_t *bytes, size_t size) {
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

/* ------------------------------------------------------------------------------------------------- channels */

static double find_scale(const struct channel *c) {
    double most = 0;
    for (size_t i = 0; i < c->count; i++)
        if (isfinite(c->value[i])) most = fmax(most, fabs((double)c->value[i]));
    return most > 0 ? most / 32767 : 1;
}

/* Little-endian, whatever the machine is. */
static uint8_t *pack(const struct channel *c, enum channel_type type, double scale, size_t *size) {
    const size_t width = type == CHANNEL_F32 ? 4 : 2;
    uint8_t *bytes = need_memory(NULL, c->count * width + 1), *to = bytes;
    for (size_t i = 0; i < c->count; i++) {
        uint32_t bits;
        if (type == CHANNEL_F32) {
            memcpy(&bits, &c->value[i], 4);
        } else {
            const double v = (double)c->value[i] / scale;
            bits = (uint32_t)(isfinite(v) ? (int)fmax(-32767, fmin(32767, round(v))) : MISSING);
        }
        for (size_t k = 0; k < width; k++)
            *to++ = (uint8_t)(bits >> 8 * k);
    }
    *size = c->count * width;
    return bytes;
}

cJSON *channel_json(const struct channel *c, enum channel_type type) {
    const double scale = type == CHANNEL_I16 ? find_scale(c) : 1;
    size_t size;
    uint8_t *bytes = pack(c, type, scale, &size);
    char *text = base64_encode(bytes, size), crc[9];
    snprintf(crc, sizeof crc, "%08x", (unsigned)checksum(bytes, size));
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "type", type == CHANNEL_F32 ? "f32" : "i16");
    if (type != CHANNEL_F32) cJSON_AddNumberToObject(json, "scale", scale);
    cJSON_AddStringToObject(json, "crc", crc);
    cJSON_AddStringToObject(json, "data", text);
    free(text);
    free(bytes);
    return json;
}

static void unpack(struct channel *c, const uint8_t *bytes, size_t count, bool wide, double scale) {
    *c = (struct channel){need_memory(NULL, (count + 1) * sizeof *c->value), count, count + 1};
    for (size_t i = 0; i < count; i++) {
        if (wide) {
            const uint8_t *b = bytes + 4 * i;
            const uint32_t bits =
                (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
            memcpy(&c->value[i], &bits, 4);
        } else {
            const int16_t whole = (int16_t)(uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
            c->value[i] = whole == MISSING ? (float)NAN : (float)(whole * scale);
        }
    }
}

const char *channel_read(const cJSON *json, size_t count, struct channel *channel) {
    const char *type = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "type"));
    const char *crc = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "crc"));
    const char *data = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, "data"));
    const cJSON *scale = cJSON_GetObjectItemCaseSensitive(json, "scale");
    if (!type || !crc || !data) return "is missing";
    const bool wide = strcmp(type, "f32") == 0;
    if (!wide && strcmp(type, "i16") != 0) return "is of a type that is not known";
    if (!wide && !(cJSON_IsNumber(scale) && isfinite(scale->valuedouble))) return "has no scale";
    const size_t size = count * (wide ? 4 : 2);
    uint8_t *bytes = base64_decode(data, strlen(data), size);
    if (!bytes) return "is cut off or has another length than it should";
    char own[9];
    snprintf(own, sizeof own, "%08x", (unsigned)checksum(bytes, size));
    const bool same = strcmp(own, crc) == 0;
    if (same && channel) unpack(channel, bytes, count, wide, wide ? 1 : scale->valuedouble);
    free(bytes);
    return same ? NULL : "is damaged: its checksum does not agree";
}
