/* The glue of the npm package (npm/): what JavaScript cannot call as it is, because a structure or a number of 64 bits is
 * passed. The rest of the package calls functions of the library itself, which CMakeLists.txt exports. */
#include <sinew/learn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play.h"

PLAY_API sn_error *pack_error_create(void) {
    return calloc(1, sizeof(sn_error));
}
PLAY_API int pack_error_status(const sn_error *error) {
    return (int)error->status;
}
PLAY_API const char *pack_error_message(const sn_error *error) {
    return error->message;
}

PLAY_API sn_model *pack_model_load(const char *path, sn_error *error) {
    return sn_model_load(path, NULL, error);
}
/* out: bodies, position values, velocity values. */
PLAY_API double pack_model_info(const sn_model *model, int out[3]) {
    const sn_model_info *info = sn_model_get(model);
    out[0] = info->nbody;
    out[1] = info->nq;
    out[2] = info->nv;
    return info->mass;
}
PLAY_API const char *pack_model_body_name(const sn_model *model, int body) {
    const sn_body_info *info = sn_model_body(model, body);
    return info ? info->name : NULL;
}

PLAY_API double pack_motion_duration(const sn_motion *motion) {
    return sn_motion_get(motion)->duration;
}

/* A world from the JSON of its definition, as in {"dt": 0.01, "copies": 4}. */
PLAY_API sn_world *pack_world_create(const char *json, sn_error *error) {
    sn_world_def def = sn_world_def_default();
    if (sn_def_read("sn_world_def", &def, json, error) != SN_OK) return NULL;
    return sn_world_create(&def, error);
}
PLAY_API void pack_world_stats(const sn_world *world, int out[4]) {
    sn_world_stats stats;
    sn_world_get_stats(world, &stats);
    out[0] = stats.contacts;
    out[1] = stats.asleep;
    out[2] = stats.diverged;
    out[3] = stats.bad_member;
}
/* 16 hexadecimal digits and a zero. */
PLAY_API void pack_world_hash(const sn_world *world, char text[17]) {
    snprintf(text, 17, "%016llx", (unsigned long long)sn_world_hash(world));
}
/* How many there are; fills at most `room` rows of 20 numbers: copy, members, bodies, shapes, phase, position, normal, gap,
   force, sliding, slip speed. */
PLAY_API int pack_world_contacts(const sn_world *world, int copy, double *out, int room) {
    int count = 0;
    const sn_contact *contact = sn_world_contacts(world, copy, &count);
    for (int i = 0; i < count && i < room; i++, contact++) {
        const double row[20] = {
            contact->copy,      contact->member[0], contact->member[1], contact->body[0],
            contact->body[1],   contact->shape[0],  contact->shape[1],  contact->phase,
            contact->pos[0],    contact->pos[1],    contact->pos[2],    contact->normal[0],
            contact->normal[1], contact->normal[2], contact->gap,       contact->force[0],
            contact->force[1],  contact->force[2],  contact->sliding,   contact->slip_speed,
        };
        memcpy(out + 20 * i, row, sizeof row);
    }
    return count;
}
/* Poses [copies][nbody][7] of a member as float, through `room` [copies][nbody][7]. */
PLAY_API int pack_world_poses(sn_world *world, int member, int copies, double *room, float *poses) {
    const int size = sn_world_size(world, member, SN_FIELD_BODY_POSE);
    if (size <= 0) return SN_ERROR_ARGUMENT;
    const sn_status status = sn_world_get(world, member, SN_FIELD_BODY_POSE, 0, copies, room);
    for (int i = 0; status == SN_OK && i < copies * size; i++)
        poses[i] = (float)room[i];
    return (int)status;
}

/* out: numbers of observations and of actions. */
PLAY_API void pack_policy_info(const sn_policy *policy, int out[2]) {
    sn_policy_data data;
    sn_policy_get(policy, &data);
    out[0] = data.width[0];
    out[1] = data.width[data.layers];
}
