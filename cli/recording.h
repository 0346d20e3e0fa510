/* A recording: what a run did, frame by frame, as one JSON text (docs/recording.md). */
#ifndef SINEW_CLI_RECORDING_H
#define SINEW_CLI_RECORDING_H

#include <sinew/sinew.h>
#include <stdbool.h>

struct cJSON;
struct recording;

enum { RECORDING_VERSION = 2 };

/* Of a character that follows a reference; frames at `rate` a second. The model must outlive it. */
struct recording *recording_create(const sn_model *model, const char *name, double rate);
void recording_free(struct recording *recording);

/* Something the reader shall find under this key: "settings", "result". The recording takes the value over; under the
   same key the later one counts. */
void recording_put(struct recording *recording, const char *key, struct cJSON *value);
/* There is ground: a plane through z = height. */
void recording_ground(struct recording *recording, double height);
/* Something happened: "diverged", "stopped". */
void recording_event(struct recording *recording, double time, const char *kind, const char *text);

struct recorded {
    sn_character *simulated, *reference;
    const double *torque;  /* [nv] drive torques of the step */
    const sn_world *world; /* for its contacts; NULL: none */
    double effector_error; /* m */
    double joint_error;    /* rad */
};

/* Whether a frame is due at this time. */
bool recording_due(const struct recording *recording, double time);
void recording_add(struct recording *recording, double time, const struct recorded *now);

/* The whole text, to be freed. */
char *recording_text(const struct recording *recording);

/* What a reader learns of a recording when it looks it over. */
struct recording_facts {
    int version, frames, nbody;
    double rate, seconds; /* time of the last frame */
};

/* Whether the text is a recording this command can read, and undamaged; complains in `name` when it is not. */
bool recording_check(const char *text, const char *name, struct recording_facts *facts);

#endif
