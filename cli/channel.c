#include "channel.h"

#include "base64.h"
#include "terminal.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MISSING = -32768 }; /* of the 16 bit numbers the one that stands for what is not finite */

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

static void unpack(struct channel *c, const uint8_t *bytes, size_t count, bool wide, double scale) {
    *c = (struct channel){need_memory(NULL, (count + 1) * sizeof *c->value), count};
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
