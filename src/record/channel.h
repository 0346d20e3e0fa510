/* The numbers of a recording: many of one kind, as base64 text with a checksum (docs/recording.md). */
#ifndef SINEW_RECORD_CHANNEL_H
#define SINEW_RECORD_CHANNEL_H

#include "base/text.h"

#include <stdint.h>

/* Starts with all zero. */
struct sn__channel {
    float *value; /* [count] */
    int count, capacity;
};

/* False: out of memory. */
bool sn__channel_add(struct sn__channel *channel, const double *values, int count);
void sn__channel_free(struct sn__channel *channel);

uint32_t sn__channel_checksum(const uint8_t *bytes, size_t size);

/* How numbers are kept: four bytes each; two bytes with one scale for all; two bytes of whole numbers. */
enum sn__channel_type { SN__CHANNEL_F32, SN__CHANNEL_I16, SN__CHANNEL_WHOLE };

/* Writes {"type", "scale", "crc", "data"} of the first `count` numbers. */
void sn__channel_write(struct sn__text *text, const struct sn__channel *channel, int count,
                       enum sn__channel_type type);

#endif
