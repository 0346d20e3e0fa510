/* Where the floor of a clip is.
 *
 * In each frame the lowest joint has some height z_k. Over frames in stance, those in which that height hardly changes
 * (|dz/dt| < 0.3 m/s: somebody stands on it), the 5 % quantile Q is a level that feet do come to. The floor is the lowest
 * of all z_k that is no further than 3 cm below Q: what is deeper is a frame gone wrong, or a foot that was lost. */
#include "clip/clip.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double steady = 0.3, depth = 0.03; /* m/s, m */

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Height of the floor under n lowest points; `sorted` has room for them. */
static double find_floor(int n, const double *time, const double *z, double *sorted) {
    int count = 0;
    for (int k = 0; k < n; k++) {
        const double before = k > 0 ? fabs(z[k] - z[k - 1]) / (time[k] - time[k - 1]) : 0;
        const double after = k + 1 < n ? fabs(z[k + 1] - z[k]) / (time[k + 1] - time[k]) : 0;
        if (before < steady && after < steady) sorted[count++] = z[k];
    }
    if (count < 1 + n / 20) { /* nobody stands: all frames count */
        memcpy(sorted, z, (size_t)n * sizeof *z);
        count = n;
    }
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    const double level = sorted[count / 20];
    double floor = level;
    for (int k = 0; k < n; k++)
        if (z[k] >= level - depth) floor = fmin(floor, z[k]);
    return floor;
}

sn_status sn_floor_under(int n, const double *time, const double *low, double *height) {
    if (n < 1 || !time || !low || !height) return SN_ERROR_ARGUMENT;
    for (int k = 1; k < n; k++)
        if (!(time[k] > time[k - 1])) return SN_ERROR_ARGUMENT;
    double *sorted = sn__alloc((size_t)n, sizeof *sorted);
    if (!sorted) return SN_ERROR_MEMORY;
    *height = find_floor(n, time, low, sorted);
    sn__free(sorted);
    return SN_OK;
}

bool sn__clip_floor(const sn_clip *clip, double *height) {
    const size_t n = (size_t)clip->def.njoint, frames = (size_t)clip->def.nframe;
    double *place = sn__alloc(n, 3 * sizeof *place), *turn = sn__alloc(n, 4 * sizeof *turn);
    double *low = sn__alloc(frames, 2 * sizeof *low);
    const bool good = place && turn && low;
    for (size_t k = 0; k < frames && good; k++) {
        sn__clip_globals(&clip->def, clip->position + 3 * k, clip->rotation + 4 * n * k, place, turn);
        low[k] = place[2];
        for (size_t i = 1; i < n; i++)
            low[k] = fmin(low[k], place[3 * i + 2]);
    }
    if (good) *height = find_floor(clip->def.nframe, clip->time, low, low + frames);
    sn__free_all(place, turn, low);
    return good;
}

sn_clip *sn_clip_ground(const sn_clip *clip, sn_error *error) {
    double floor = 0;
    if (!clip) {
        sn__fail(error, SN_ERROR_ARGUMENT, "there is no clip");
        return NULL;
    }
    sn_clip *moved = sn_clip_create(&clip->def, error);
    if (!moved) return NULL;
    if (!sn__clip_floor(clip, &floor)) {
        sn__fail(error, SN_ERROR_MEMORY, "out of memory");
        sn_clip_free(moved);
        return NULL;
    }
    for (int k = 0; k < moved->def.nframe; k++)
        moved->position[3 * (size_t)k + 2] -= floor;
    return moved;
}
