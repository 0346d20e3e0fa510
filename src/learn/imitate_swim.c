/* Swimming: without ground and gravity, in a fluid whose drag acts as pushes on all bodies, in each substep. */
#include "base/error.h"
#include "learn/imitate.h"
#include "sinew/dynamics.h"

enum { POSE = 7, VELOCITY = 6, PUSH = 6 };

/* The worlds are in float, drag is worked out in double. */
sn_status sn__swim(const struct sn__imitate *im, sn_part *part, sn_error *error) {
    const struct sn__imitate_room *room = part->own;
    const size_t bodies = (size_t)part->copies * (size_t)im->nbody;
    double *pose = room->swim, *velocity = pose + POSE * bodies, *push = velocity + VELOCITY * bodies;
    const float *at = sn_world_view(part->world, SN__CHARACTER, SN_FIELD_BODY_POSE),
                *fast = sn_world_view(part->world, SN__CHARACTER, SN_FIELD_BODY_VELOCITY);
    if (!at || !fast) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < POSE * bodies; i++)
        pose[i] = (double)at[i];
    for (size_t i = 0; i < VELOCITY * bodies; i++)
        velocity[i] = (double)fast[i];
    sn_drag_push(im->def.model, im->def.drag_along, im->def.drag_across, part->copies, pose, velocity, push);
    for (size_t i = 0; i < PUSH * bodies; i++)
        room->push[i] = (float)push[i];
    const sn_status status = sn_world_put(part->world, SN__CHARACTER, SN_FIELD_PUSH, NULL, room->push);
    return status ? sn__fail(error, status, "the drag cannot be applied") : SN_OK;
}
