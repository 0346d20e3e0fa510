/* Sinew: recordings, what a world did frame by frame. sinew.h includes this file.
 *
 *     sn_recorder *recorder = sn_recorder_create(world, NULL, &error);
 *     sn_recorder_take(recorder, sn_world_time(world));
 *     while (...) sn_world_step(world), sn_recorder_take(recorder, sn_world_time(world));
 *     sn_recorder_save(recorder, "run.json", &error), sn_recorder_free(recorder);
 *
 * `sinew report` makes a page of a recording that replays it. The format is JSON, see docs/recording.md.
 * Members that come and go while it records are in the frames in which they were there. */
#ifndef SINEW_RECORDINGS_H
#define SINEW_RECORDINGS_H

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sn_recorder sn_recorder;

/* What to record. Make one with sn_recorder_def_default. */
typedef struct sn_recorder_def {
    /* Set by sn_recorder_def_default. */
    uint32_t struct_size;
    /* First copy to record. [default 0; from 0] */
    int first;
    /* Number of copies to record. [default 1; from 1] */
    int count;
    /* Frames per second of the time given to sn_recorder_take. [1/s; default 60; above 0] */
    double rate;
    /* Whether to record contacts that push. [default true] */
    bool contacts;
    /* Whether to record torques of the drives, see report_torque of the world. [default false] */
    bool torques;
    /* Name of the first member's model. NULL: the name of its first body, as for the others. [default
       NULL] */
    const char *name;
} sn_recorder_def;

static inline sn_recorder_def sn_recorder_def_default(void) {
    SN_RETURN_DEFAULT(sn_recorder_def);
}

/* Makes a recorder. The world must live until the last sn_recorder_take. With a world of NULL there is
   only what sn_recorder_pose shows. A definition of NULL means all defaults. */
SN_API sn_recorder *sn_recorder_create(sn_world *world, const sn_recorder_def *definition, sn_error *error);
/* Frees a recorder. NULL is allowed. */
SN_API void sn_recorder_free(sn_recorder *recorder);
/* Call it after each step. It takes a frame when one is due at this time (s), the first one at once. After an
   error the recording ends with the frame before. */
SN_API sn_status sn_recorder_take(sn_recorder *recorder, double time);

/* Sets a pose, and torques or NULL, of another character, from the next frame on until changed. The role
   "reference" is a ghost that shows where the first member should be, "simulated" a character that no
   world steps. The model must live until the last sn_recorder_take. */
SN_API sn_status sn_recorder_pose(sn_recorder *recorder, const char *role, const sn_model *model,
                                  const double *q, const double *torque);
/* Sets a number per frame, from the next frame on until changed. "effector" (m) and "joint" (rad) are
   plotted. */
SN_API sn_status sn_recorder_number(sn_recorder *recorder, const char *name, double value);
/* Adds something that happened: a kind, as "diverged", and a sentence. */
SN_API sn_status sn_recorder_event(sn_recorder *recorder, double time, const char *kind, const char *text);
/* Adds a JSON value, which is not checked, under a key of its own: "settings", "result", "ground". The
   last value of a key counts. */
SN_API sn_status sn_recorder_note(sn_recorder *recorder, const char *key, const char *json);

/* The recording as text. It belongs to the recorder until the next call. `size` may be NULL. Returns NULL
   if memory runs out or no frame was taken. */
SN_API const char *sn_recorder_text(sn_recorder *recorder, size_t *size);
/* Writes a file by the ending of its name: .glb (binary glTF 2.0: all characters as mannequins that move, for
   Blender, three.js and others), .bvh (the first simulated character, Y up, metres), or else the recording
   itself. */
SN_API sn_status sn_recorder_save(sn_recorder *recorder, const char *path, sn_error *error);
/* Reads a recording, to save it in another format. */
SN_API sn_recorder *sn_recorder_load(const char *path, sn_error *error);

#ifdef __cplusplus
}
#endif

#endif
