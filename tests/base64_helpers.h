/* Base64 text read back, written apart from the reader that it tests. */
#ifndef SINEW_TESTS_BASE64_HELPERS_H
#define SINEW_TESTS_BASE64_HELPERS_H

#include <stddef.h>
#include <stdint.h>

/* Up to the first character that is not a digit; returns how many bytes there are. */
size_t base64_bytes(const char *text, uint8_t *bytes);

#endif
