/* Pushes that disturb a character while it learns. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/error.h"
#include "learn/imitate.h"
#include "learn/random.h"

/* In each window of so many seconds one push that lasts so long. */
static const double WINDOW = 2, LENGTH = .2;

/* Force on the root of a copy in the step that comes: a function of its seed, its episode and the step alone. */
static void force_on(const struct sn__imitate *im, const sn_episode *e, float force[3]) {
    const int window = (int)fmax(1, round(WINDOW * im->def.rate)),
              length = (int)fmax(1, round(LENGTH * im->def.rate));
    struct sn__random r = sn__random_at(e->seed, SN__STREAM_TASK, e->item,
                                        (uint64_t)e->count << 32 | (uint32_t)(e->steps / window));
    const int rest = window > length ? window - length : 1;
    const int at = e->steps % window - (int)sn__random_below(&r, (uint32_t)rest);
    const double size = im->def.push * sn__random_uniform(&r),
                 angle = 6.283185307179586 * sn__random_uniform(&r);
    memset(force, 0, 3 * sizeof *force);
    if (at < 0 || at >= length) return;
    force[0] = (float)(size * sn__cos(angle));
    force[1] = (float)(size * sn__sin(angle));
}

sn_status sn__imitate_push(const struct sn__imitate *im, sn_part *part, sn_error *error) {
    const struct sn__imitate_room *room = part->own;
    for (int i = 0; i < part->copies; i++)
        force_on(im, &part->episode[i], room->push + (size_t)i * (size_t)im->nbody * 6);
    const sn_status status = sn_world_put(part->world, SN__CHARACTER, SN_FIELD_PUSH, NULL, room->push);
    return status ? sn__fail(error, status, "the character cannot be pushed") : SN_OK;
}
