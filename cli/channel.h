/* The numbers of a recording: many of one kind, as base64 text with a checksum (docs/recording.md). */
#ifndef SINEW_CLI_CHANNEL_H
#define SINEW_CLI_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

struct cJSON;

struct channel {
    float *value;
    size_t count, room;
};

void channel_add(struct channel *channel, const double *values, size_t count);
void channel_free(struct channel *channel);

/* How numbers are kept: four bytes each, or two with one scale for all; two bytes of whole numbers. */
enum channel_type { CHANNEL_F32, CHANNEL_I16, CHANNEL_WHOLE };

/* {"type", "scale", "crc", "data"} */
struct cJSON *channel_json(const struct channel *channel, enum channel_type type);
/* NULL when it is a sound channel of `count` numbers, else what is wrong with it. `channel`, when it is not NULL, is
   filled and must be freed. */
const char *channel_read(const struct cJSON *json, size_t count, struct channel *channel);

#endif
