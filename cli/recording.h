/* A recording that comes as a file: what a run did, frame by frame, as one JSON text (docs/recording.md). The library
 * writes them (sn_recorder). */
#ifndef SINEW_CLI_RECORDING_H
#define SINEW_CLI_RECORDING_H

#include <stdbool.h>

enum { RECORDING_VERSION = 2 };

/* What a reader learns of a recording when it looks it over. */
struct recording_facts {
    int version, frames, nbody;
    double rate, seconds; /* time of the last frame */
};

/* Whether the text is a recording this command can read, and undamaged; complains in `name` when it is not. */
bool recording_check(const char *text, const char *name, struct recording_facts *facts);

#endif
