/* A recording: the poses of all bodies of a run, as JSON (docs/formats.md). */
#ifndef SINEW_CLI_RECORDING_H
#define SINEW_CLI_RECORDING_H

#include <sinew/sinew.h>
#include <stdbool.h>

struct recording;

/* Frames at `rate` a second. NULL after a complaint when the file cannot be made. It is written under another name and
   moved into place by recording_close, so that a run that is broken off leaves no half a file. */
struct recording *recording_open(const char *path, const sn_model *model, const char *character,
                                 const char *clip, double rate);
/* Writes a frame when one is due: what is simulated, and where the reference is. */
void recording_add(struct recording *recording, double time, sn_character *simulated,
                   sn_character *reference);
/* False after a complaint when something could not be written. */
bool recording_close(struct recording *recording);

#endif
