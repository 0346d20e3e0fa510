/* Swimming: without ground and gravity, in a fluid whose drag acts as pushes on all bodies, anew in each substep. */
#include "base/error.h"
#include "base/memory.h"
#include "learn/imitate_parts.h"
#include "sinew/dynamics.h"

enum { POSE = 7, VELOCITY = 6, PUSH = 6, ROOM = POSE + VELOCITY + PUSH };

bool sn__swim_make(const struct sn__imitate *im, struct sn__imitate_part *p) {
    const size_t bodies = (size_t)im->def.copies * (size_t)im->nbody;
    p->swim = sn__alloc(im->def.drag[1] > 0 ? ROOM * bodies : 1, sizeof *p->swim);
    return p->swim;
}

/* The worlds are in float, drag is worked out in double. */
sn_status sn__swim(const struct sn__imitate *im, struct sn__imitate_part *p, sn_error *error) {
    const size_t bodies = (size_t)im->def.copies * (size_t)im->nbody;
    double *pose = p->swim, *velocity = pose + POSE * bodies, *push = velocity + VELOCITY * bodies;
    const float *at = sn_world_view(p->world, p->member, SN_FIELD_BODY_POSE),
                *fast = sn_world_view(p->world, p->member, SN_FIELD_BODY_VELOCITY);
    if (!at || !fast) return sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < POSE * bodies; i++)
        pose[i] = (double)at[i];
    for (size_t i = 0; i < VELOCITY * bodies; i++)
        velocity[i] = (double)fast[i];
    sn_drag_push(im->def.model, im->def.drag[0], im->def.drag[1], im->def.copies, pose, velocity, push);
    for (size_t i = 0; i < PUSH * bodies; i++)
        p->push[i] = (float)push[i];
    const sn_status status = sn_world_put(p->world, p->member, SN_FIELD_PUSH, NULL, p->push);
    return status ? sn__fail(error, status, "the drag cannot be") : SN_OK;
}
