/* The numbers of a recording, read: many of one kind, as base64 text with a checksum (docs/recording.md). */
#ifndef SINEW_CLI_CHANNEL_H
#define SINEW_CLI_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

struct cJSON;

struct channel {
    float *value;
    size_t count;
};

void channel_free(struct channel *channel);

/* NULL when it is a sound channel of `count` numbers, else what is wrong with it. `channel`, when it is not NULL, is
   filled and must be freed. */
const char *channel_read(const struct cJSON *json, size_t count, struct channel *channel);

#endif
