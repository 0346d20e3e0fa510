/* A step of a world in which nobody may diverge. */
#ifndef SINEW_SCENES_WHOLE_H
#define SINEW_SCENES_WHOLE_H

#include <sinew/sinew.h>

/* As sn_world_step, but a world of one copy must not have a frozen member: SN_ERROR_NOT_FINITE then, also where others go on. */
static inline sn_status step_whole(sn_world *world) {
    sn_world_stats stats;
    const sn_status status = sn_world_step(world);
    if (status || sn_world_get_info(world).copies > 1) return status;
    sn_world_get_stats(world, &stats);
    return stats.diverged ? SN_ERROR_NOT_FINITE : SN_OK;
}

#endif
