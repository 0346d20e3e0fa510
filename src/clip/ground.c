/* Where the floor of a clip is.
 *
 * Somebody stands on what does not move. In each frame the lowest joint has some height low_k; a joint bears in
 * frame k if it is no more than 4 cm above low_k and slower than 0.35 m/s, and h_k is the lowest joint that bears.
 * Frames in which none does, jumps and feet that were lost, have no h_k. Levels that feet come to are heaps of h_k:
 * let m(x) be how many h_k lie in [x, x + 4 cm]. The floor is in the window with the largest m, or in one that is
 * lower by 6 cm or more and has a quarter as many: who gets up from lying stands on the floor at last, and single
 * bad frames do not accumulate. In the window the quantile of 20 % counts; where no window has two thirds of all
 * h_k, their own of 40 %.
 *
 * Tails do not bear. Where feet bear on several levels, 10 cm apart or more, there is no one floor: stairs, a box. */
#include "clip/clip.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double still = 0.35, near = 0.04, window = 0.04; /* m/s, m, m */
static const double below = 0.06, apart = 0.1;                /* m */
static const double look = 0.04; /* s to either side, over which speeds are measured */

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ------------------------------------------------------------------------------------------------------- levels */

/* How many of the sorted heights lie within the window that begins with the i-th. */
static int heap_at(const double *sorted, int n, int i) {
    int from = i, to = n; /* the first beyond it is in [from, to] */
    while (from < to) {
        const int middle = from + (to - from) / 2;
        if (sorted[middle] <= sorted[i] + window)
            from = middle + 1;
        else
            to = middle;
    }
    return from - i;
}

/* The floor among sorted heights: the fullest window, or a lower one with a quarter as many. */
static double find_level(const double *sorted, int n) {
    int best = 0, lower = -1;
    for (int i = 0; i < n; i++)
        if (heap_at(sorted, n, i) > heap_at(sorted, n, best)) best = i;
    for (int i = 0; i < best && sorted[i] < sorted[best] - below; i++)
        if (4 * heap_at(sorted, n, i) >= heap_at(sorted, n, best) &&
            (lower < 0 ||
             (heap_at(sorted, n, i) > heap_at(sorted, n, lower) && sorted[i] <= sorted[lower] + window)))
            lower = i;
    if (lower < 0 && 3 * heap_at(sorted, n, best) < 2 * n)
        return sorted[2 * n / 5]; /* no level is sharp: somebody rolls about */
    if (lower >= 0) best = lower;
    return sorted[best + heap_at(sorted, n, best) / 5];
}

/* Whether a fifth of them lies well above the floor, half of those in windows of a twentieth of all or more. */
static bool has_other_level(const double *sorted, int n, double floor) {
    int above = 0, heaped = 0;
    for (int i = 0, size; i < n; i += size) {
        size = 1;
        if (sorted[i] <= floor + apart) continue;
        size = heap_at(sorted, n, i);
        above += size;
        if (20 * size >= n) heaped += size;
    }
    return 5 * above > n && 2 * heaped > above;
}

/* Where nobody stands: the lowest of all that is no further than 3 cm below the quantile of 5 %. */
static double find_lowest(const double *sorted, int n) {
    int i = n / 20;
    while (i > 0 && sorted[i - 1] >= sorted[n / 20] - 0.03)
        i--;
    return sorted[i];
}

static double quantile(const double *sorted, int n, double part) {
    return sorted[(int)(part * (n - 1) + 0.5)];
}

/* ----------------------------------------------------------------------------------------- heights without joints */

/* Frames count in which the height hardly changes. */
static double find_floor(int n, const double *time, const double *z, double *sorted) {
    int count = 0;
    for (int k = 0; k < n; k++) {
        const double before = k > 0 ? fabs(z[k] - z[k - 1]) / (time[k] - time[k - 1]) : 0;
        const double after = k + 1 < n ? fabs(z[k + 1] - z[k]) / (time[k + 1] - time[k]) : 0;
        if (before < still && after < still) sorted[count++] = z[k];
    }
    const bool stands = count >= 1 + n / 20;
    if (!stands) memcpy(sorted, z, (size_t)n * sizeof *z);
    if (!stands) count = n;
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    return stands ? find_level(sorted, count) : find_lowest(sorted, count);
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

/* -------------------------------------------------------------------------------------------------------- clips */

static bool is_tail(const sn_clip_def *def, int joint) {
    for (; joint >= 0; joint = def->joint[joint].parent)
        if (sn__name_has(def->joint[joint].name, "tail")) return true;
    return false;
}

/* A foot, a toe, and what hangs on them. */
static bool is_foot(const sn_clip_def *def, int joint) {
    for (; joint >= 0; joint = def->joint[joint].parent) {
        const char *name = def->joint[joint].name;
        if (sn__name_has(name, "foot") || sn__name_has(name, "ankle") || sn__name_has(name, "toe") ||
            sn__name_has(name, "paw"))
            return true;
    }
    return false;
}

struct survey {
    const sn_clip *clip;
    double *place; /* [nframe][njoint][3] */
    bool *tail, *foot;
    double *bears, *foot_bears; /* [nframe] heights; how many: */
    int nbears, nfoot_bears;
    double *lows, *feet; /* [nframe] of all joints, and of feet where there are any */
};

static double speed_at(const struct survey *s, int frame, int joint) {
    const double *time = s->clip->time;
    const size_t n = (size_t)s->clip->def.njoint;
    int a = frame, b = frame;
    while (a > 0 && time[frame] - time[a] < look)
        a--;
    while (b + 1 < s->clip->def.nframe && time[b] - time[frame] < look)
        b++;
    double by[3];
    if (b <= a) return 0;
    for (size_t k = 0; k < 3; k++)
        by[k] = s->place[3 * ((size_t)b * n + (size_t)joint) + k] -
                s->place[3 * ((size_t)a * n + (size_t)joint) + k];
    return dvec_length(by) / (time[b] - time[a]);
}

static void look_at(struct survey *s, int frame) {
    const int n = s->clip->def.njoint;
    const double *place = s->place + 3 * (size_t)frame * (size_t)n;
    double low = HUGE_VAL, feet = HUGE_VAL, bears = HUGE_VAL, foot_bears = HUGE_VAL;
    for (int i = 0; i < n; i++) {
        if (s->tail[i]) continue;
        low = fmin(low, place[3 * i + 2]);
        if (s->foot[i]) feet = fmin(feet, place[3 * i + 2]);
    }
    for (int i = 0; i < n; i++) {
        const double z = place[3 * i + 2];
        if (s->tail[i] || z > low + near || z >= fmin(bears, foot_bears) || speed_at(s, frame, i) > still)
            continue;
        bears = fmin(bears, z);
        if (s->foot[i]) foot_bears = z;
    }
    if (bears < HUGE_VAL) s->bears[s->nbears++] = bears;
    if (foot_bears < HUGE_VAL) s->foot_bears[s->nfoot_bears++] = foot_bears;
    s->lows[frame] = low;
    s->feet[frame] = feet < HUGE_VAL ? feet : low;
}

static void sum_up(struct survey *s, sn_floor *floor) {
    const int frames = s->clip->def.nframe;
    qsort(s->feet, (size_t)frames, sizeof *s->feet, by_size);
    qsort(s->lows, (size_t)frames, sizeof *s->lows, by_size);
    qsort(s->bears, (size_t)s->nbears, sizeof *s->bears, by_size);
    qsort(s->foot_bears, (size_t)s->nfoot_bears, sizeof *s->foot_bears, by_size);
    const bool stands = s->nbears >= 1 + frames / 20;
    floor->height = stands ? find_level(s->bears, s->nbears) : find_lowest(s->lows, frames);
    floor->level = !has_other_level(s->foot_bears, s->nfoot_bears, floor->height);
    if (!floor->level) floor->height = quantile(s->foot_bears, s->nfoot_bears, 0.05);
    floor->stance = (double)s->nbears / frames;
    static const double part[3] = {0.1, 0.5, 0.9};
    for (int i = 0; i < 3; i++)
        floor->feet[i] = quantile(s->feet, frames, part[i]) - floor->height;
}

sn_status sn_clip_floor(const sn_clip *clip, sn_floor *floor) {
    if (!clip || !floor) return SN_ERROR_ARGUMENT;
    const size_t n = (size_t)clip->def.njoint, frames = (size_t)clip->def.nframe, real = sizeof(double);
    struct survey s = {.clip = clip};
    double *turn = sn__alloc(n, 4 * real);
    s.place = sn__alloc(frames * n, 3 * real);
    s.tail = sn__alloc(n, sizeof *s.tail), s.foot = sn__alloc(n, sizeof *s.foot);
    s.bears = sn__alloc(frames, real), s.foot_bears = sn__alloc(frames, real),
    s.feet = sn__alloc(frames, real), s.lows = sn__alloc(frames, real);
    const bool good = turn && s.place && s.tail && s.foot && s.bears && s.foot_bears && s.feet && s.lows;
    if (good) {
        for (size_t i = 0; i < n; i++) {
            s.tail[i] = is_tail(&clip->def, (int)i);
            s.foot[i] = is_foot(&clip->def, (int)i);
        }
        for (size_t k = 0; k < frames; k++)
            sn__clip_globals(&clip->def, clip->position + 3 * k, clip->rotation + 4 * n * k,
                             s.place + 3 * n * k, turn);
        for (int k = 0; k < clip->def.nframe; k++)
            look_at(&s, k);
        sum_up(&s, floor);
    }
    sn__free_all(turn, s.place, s.tail, s.foot, s.bears, s.foot_bears, s.feet, s.lows);
    return good ? SN_OK : SN_ERROR_MEMORY;
}

sn_clip *sn__clip_ground(const sn_clip *clip, sn_error *error) {
    sn_floor floor;
    if (!clip) {
        sn__fail(error, SN_ERROR_ARGUMENT, "there is no clip");
        return NULL;
    }
    sn_clip *moved = sn_clip_create(&clip->def, error);
    if (!moved) return NULL;
    if (sn_clip_floor(clip, &floor) != SN_OK) {
        sn__fail(error, SN_ERROR_MEMORY, "out of memory");
        sn_clip_free(moved);
        return NULL;
    }
    for (int k = 0; k < moved->def.nframe; k++)
        moved->position[3 * (size_t)k + 2] -= floor.height;
    return moved;
}
