/* What a recorder keeps. */
#ifndef SINEW_RECORD_RECORD_H
#define SINEW_RECORD_RECORD_H

#include "record/channel.h"
#include "record/figure.h"

typedef struct sn_dynamics sn_dynamics;

enum { SN__RECORD_NAME = 32 }; /* bytes of a role, a number's name, a kind of event or a key */

/* A model that was seen, and its JSON. */
struct sn__record_model {
    const sn_model *model;
    int nbody, nv;
    char *json; /* written when it is first seen: the model may be gone when the recording is saved; NULL: read from a file */
    struct sn__figure figure;
};

/* One character in a span of frames: a member in one copy, or one shown by sn_recorder_pose. */
struct sn__record_character {
    char role[SN__RECORD_NAME];
    int model;                   /* index into the recorder's models */
    int member, copy;            /* -1, -1: shown by hand */
    int first, frames;           /* its span */
    struct sn__channel root;     /* [frames][3] m */
    struct sn__channel position; /* [frames][nbody][3] m, from the root */
    struct sn__channel rotation; /* [frames][nbody][4] */
    struct sn__channel torque;   /* [frames][nv], or empty */
};

/* Where a member's characters are: one per copy, beside each other. */
struct sn__record_member {
    const sn_model *model; /* NULL: there is no such member now */
    sn_member handle;
    int character; /* that of the first copy */
};

/* A character shown by sn_recorder_pose, as it is now. */
struct sn__record_shown {
    char role[SN__RECORD_NAME];
    const sn_model *model;
    sn_dynamics *dynamics; /* makes poses of q */
    double *q, *torque;    /* [nq], [nv] */
    bool has_torque;       /* decided when it is first shown */
    int character;         /* -1: not in any frame yet */
};

/* A number per frame. */
struct sn__record_number {
    char name[SN__RECORD_NAME];
    double value; /* now */
    struct sn__channel channel;
};

struct sn__record_event {
    double time;
    char kind[SN__RECORD_NAME];
    char *text;
};

struct sn__record_note {
    char key[SN__RECORD_NAME];
    char *json;
};

struct sn_recorder {
    sn_world *world;
    sn_recorder_def def; /* its name is a copy */
    double start;        /* time of the first frame */
    int frames;
    sn_status failed; /* why a frame could not be taken, after which there are no more */
    struct sn__channel time;
    struct sn__record_model *model;
    int nmodel, model_room;
    struct sn__record_character *character;
    int ncharacter, character_room;
    struct sn__record_member *member;
    int nmember, member_room;
    struct sn__record_shown *shown;
    int nshown, shown_room;
    struct sn__record_number *number;
    int nnumber, number_room;
    struct sn__record_event *event;
    int nevent, event_room;
    struct sn__record_note *note;
    int nnote, note_room;
    /* Contacts of all frames, one after another; contact_count has how many in each frame. */
    struct sn__channel contact_count, contact_who, contact_point, contact_force;
    double *values; /* room for what the world is asked */
    int value_room;
    char *text; /* what sn_recorder_text gave last */
};

/* The model as JSON, to be given back with sn__free; NULL: out of memory. */
char *sn__record_model_json(const sn_model *model, const char *name);

/* A recording from memory; path stands for the file in messages. */
sn_recorder *sn__recorder_parse(const char *text, size_t size, const char *path, sn_error *error);

/* The first simulated character as a clip; NULL and a message when it cannot be. */
sn_clip *sn__record_clip(const sn_recorder *recorder, sn_error *error);
/* All characters as a binary glTF file, to be given back with sn__free; NULL: out of memory. */
char *sn__record_glb(const sn_recorder *recorder, size_t *size);

#endif
