/* Bytes from text, RFC 4648 section 4: three bytes are four digits, '=' fills up. */
#ifndef SINEW_CLI_BASE64_H
#define SINEW_CLI_BASE64_H

#include <stddef.h>
#include <stdint.h>

/* Exactly `size` bytes, to be freed, or NULL when the text is not that. */
uint8_t *base64_decode(const char *text, size_t length, size_t size);

#endif
