#include "base64_helpers.h"

#include <string.h>

static int digit(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* Bit by bit: each digit has six. */
size_t base64_bytes(const char *text, uint8_t *bytes) {
    size_t bits = 0, count = 0;
    uint32_t word = 0;
    for (; digit(*text) >= 0; text++) {
        word = word << 6 | (uint32_t)digit(*text);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes[count++] = (uint8_t)(word >> bits);
        word &= (1u << bits) - 1;
    }
    return count;
}
