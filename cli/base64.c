#include "base64.h"

#include "terminal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

uint8_t *base64_decode(const char *text, size_t length, size_t size) {
    if (length != (size + 2) / 3 * 4) return NULL;
    int8_t value[256];
    memset(value, -1, sizeof value);
    for (int i = 0; i < 64; i++)
        value[(uint8_t)digits[i]] = (int8_t)i;
    uint8_t *bytes = need_memory(NULL, length + 1);
    for (size_t i = 0, at = 0; i < length; i += 4) {
        uint32_t word = 0;
        for (size_t k = 0; k < 4; k++) {
            const bool fill = text[i + k] == '=' && at + k > size;
            const int digit = fill ? 0 : value[(uint8_t)text[i + k]];
            if (digit < 0) {
                free(bytes);
                return NULL;
            }
            word = word << 6 | (uint32_t)digit;
        }
        for (int shift = 16; shift >= 0; shift -= 8)
            bytes[at++] = (uint8_t)(word >> shift);
    }
    return bytes;
}
