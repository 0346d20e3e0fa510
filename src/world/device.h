/* A world whose copies are stepped by a device (src/device). The packs of its members stay as they are on the processor; the
 * device has a twin of each field of them. Two sets of flags say which side is newer: what a function of the world changes is
 * sent before the next launch, what a launch has changed is fetched when somebody asks for it. */
#ifndef SINEW_WORLD_DEVICE_H
#define SINEW_WORLD_DEVICE_H

#include "kernels/device/fields.h"
#include "world/scene.h"

/* Opens the device of a definition; SN_OK where it names none. */
sn_status sn__remote_make(sn_world *w, const char *name, sn_error *error);
void sn__remote_free(sn_world *w);
/* Whether a definition, and a scene, can be on a device: else a sentence that says why not. */
sn_status sn__remote_check(const sn_world_def *def, sn_error *error);
sn_status sn__remote_check_scene(const sn_world *w, sn_error *error);
/* Why a motion cannot be followed there; NULL: it can. */
const char *sn__remote_check_motion(const sn_world *w, bool turns);
size_t sn__remote_memory(const sn_world *w);

/* Steps of dt in one launch. False: the device has failed, and sn_world_message says how; the world goes on without it. */
bool sn__remote_step(sn_world *w, int steps);

/* Fetches what the device has newer of these fields, bits 1 << enum sn__device_field. */
#define SN__ON_PHASE SN__ON_FIELDS /* of motions: beside the pack */
#define SN__ON_ALL ((UINT64_C(2) << SN__ON_PHASE) - 1)
void sn__remote_fetch(const sn_world *w, uint64_t fields);
/* These have changed here. */
void sn__remote_touch(sn_world *w, uint64_t fields);
/* The fields of the device that a field of the world is read from, or changes. */
uint64_t sn__remote_fields(sn_field field);

static inline void sn__world_fetch(const sn_world *w) {
    if (w->remote) sn__remote_fetch(w, SN__ON_ALL);
}

/* The degree of freedom that went first in a copy that a kernel has just frozen: step.c. */
int sn__world_blame(const sn_world *w, const struct sn__member *m, int copy);

/* The tables of the program: device_text.c. sn__free it. */
char *sn__device_text(const sn_world *w, const struct sn__member *m, size_t work_bytes);

#endif
