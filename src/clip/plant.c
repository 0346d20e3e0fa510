/* Feet kept where they stand.
 *
 * A foot is a joint called foot or ankle with a shin and a thigh above it. It stands while it is less than 4 cm over the
 * lowest level it comes to (the 5 % quantile of its height) and slower than 0.4 m/s, for 0.1 s at least. There it is kept
 * at the mean of its places, and in 0.1 s before and after it goes over to its own way. The leg follows by inverse
 * kinematics: with a and b the lengths of thigh and shin and d the way from hip to foot, the knee has the angle
 *
 *     cos k = (a^2 + b^2 - d^2) / (2 a b)
 *
 * about the axis it bends about already; the thigh then swings the shortest way. The foot keeps its orientation. */
#include "clip/clip.h"

#include "base/elementary.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static const double near_level = 0.04, slow = 0.4, shortest = 0.1, fade = 0.1; /* m, m/s, s, s */

static bool is_foot(const sn_clip_def *def, int joint) {
    const char *name = def->joint[joint].name;
    const size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, "_end") == 0) return false;
    if (!sn__name_has(name, "foot") && !sn__name_has(name, "ankle")) return false;
    const int knee = def->joint[joint].parent, hip = knee > 0 ? def->joint[knee].parent : -1;
    return hip > 0 && !sn__name_has(def->joint[knee].name, "foot") &&
           dvec_length(def->joint[joint].offset) > 1e-6 && dvec_length(def->joint[knee].offset) > 1e-6;
}

struct planting {
    const sn_clip *clip;
    double *place, *turn; /* [njoint][3], [njoint][4] of the current frame */
    double *way;          /* [nframe][3] of the current foot */
    double *aim;          /* [nframe][3] what is added to it */
    double *sorted;       /* [nframe] */
    bool *stands;         /* [nframe] */
};

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void find_way(struct planting *p, int foot) {
    const size_t n = (size_t)p->clip->def.njoint;
    for (size_t k = 0; k < (size_t)p->clip->def.nframe; k++) {
        sn__clip_globals(&p->clip->def, p->clip->position + 3 * k, p->clip->rotation + 4 * n * k, p->place,
                         p->turn);
        memcpy(p->way + 3 * k, p->place + 3 * foot, 3 * sizeof *p->way);
        p->sorted[k] = p->way[3 * k + 2];
    }
    qsort(p->sorted, (size_t)p->clip->def.nframe, sizeof *p->sorted, by_size);
}

static double speed_at(const struct planting *p, int frame) {
    const int last = p->clip->def.nframe - 1, a = frame > 0 ? frame - 1 : 0,
              b = frame < last ? frame + 1 : last;
    double by[3];
    for (int k = 0; k < 3; k++)
        by[k] = p->way[3 * b + k] - p->way[3 * a + k];
    return b > a ? dvec_length(by) / (p->clip->time[b] - p->clip->time[a]) : 0;
}

/* One time that it stands, from first to last: what brings it to the mean of its places, fading out on both sides. */
static void keep_still(struct planting *p, int first, int last) {
    const double *time = p->clip->time;
    double mean[3] = {0};
    for (int k = first; k <= last; k++)
        for (int i = 0; i < 3; i++)
            mean[i] += p->way[3 * k + i] / (last - first + 1);
    for (int k = 0; k < p->clip->def.nframe; k++) {
        const int edge = k < first ? first : k > last ? last : k;
        const double away = fabs(time[k] - time[edge]), part = away < fade ? 1 - away / fade : 0;
        for (int i = 0; i < 3; i++) /* outside it keeps what it had at the edge, less and less */
            p->aim[3 * k + i] += part * (mean[i] - p->way[3 * edge + i]);
    }
}

static void find_aims(struct planting *p) {
    const int n = p->clip->def.nframe;
    const double level = p->sorted[n / 20];
    memset(p->aim, 0, 3 * (size_t)n * sizeof *p->aim);
    for (int k = 0; k < n; k++)
        p->stands[k] = p->way[3 * k + 2] < level + near_level && speed_at(p, k) < slow;
    for (int k = 0; k < n; k++) {
        int last = k;
        if (!p->stands[k]) continue;
        while (last + 1 < n && p->stands[last + 1])
            last++;
        if (p->clip->time[last] - p->clip->time[k] >= shortest) keep_still(p, k, last);
        k = last;
    }
}

/* The rotation of a joint against its parent when its global one is turned by `by`. */
static void turn_global(double *turn, const double by[4], int joint, const double *parent, double *own) {
    double back[4];
    dquat_multiply(by, turn + 4 * joint, turn + 4 * joint);
    dquat_conjugate(parent, back);
    dquat_multiply(back, turn + 4 * joint, own + 4 * joint);
}

static void shortest_turn(const double a[3], const double b[3], double q[4]) {
    double half[4] = {dvec_length(a) * dvec_length(b) + dvec_dot(a, b), 0, 0, 0};
    dvec_cross(a, b, half + 1);
    memcpy(q, half, sizeof half);
    if (!dquat_normalise(q)) dquat_identity(q);
}

/* Bends and swings the leg in one frame so that the foot comes to `target`; own: rotations of the frame. */
static void bend_leg(struct planting *p, int foot, const double target[3], const double root[3],
                     double *own) {
    const sn_clip_def *def = &p->clip->def;
    const int knee = def->joint[foot].parent, hip = def->joint[knee].parent;
    double thigh[3], shin[3], to[3], axis[3], by[4], footing[4];
    sn__clip_globals(def, root, own, p->place, p->turn);
    memcpy(footing, p->turn + 4 * foot, sizeof footing);
    for (int k = 0; k < 3; k++) {
        thigh[k] = p->place[3 * knee + k] - p->place[3 * hip + k];
        shin[k] = p->place[3 * foot + k] - p->place[3 * knee + k];
        to[k] = target[k] - p->place[3 * hip + k];
    }
    const double a = dvec_length(thigh), b = dvec_length(shin);
    const double d = fmax(fabs(a - b) + 1e-4, fmin(dvec_length(to), a + b - 1e-4));
    /* how far the shin is turned from the thigh's direction, now and then */
    dvec_cross(thigh, shin, axis);
    const double now = sn__atan2(dvec_length(axis), dvec_dot(thigh, shin));
    const double then = M_PI - sn__acos(fmax(-1, fmin(1, (a * a + b * b - d * d) / (2 * a * b))));
    if (!dvec_normalise(axis)) { /* stretched: about the side */
        const double side[3] = {0, 1, 0};
        dquat_rotate(p->turn + 4 * hip, side, axis);
    }
    for (int k = 0; k < 3; k++)
        axis[k] *= then - now;
    dquat_exp(axis, by);
    turn_global(p->turn, by, knee, p->turn + 4 * hip, own);
    dquat_rotate(by, shin, shin);
    for (int k = 0; k < 3; k++)
        thigh[k] += shin[k]; /* from hip to foot */
    shortest_turn(thigh, to, by);
    const double identity[4] = {1, 0, 0, 0},
                 *above = def->joint[hip].parent < 0 ? identity : p->turn + 4 * def->joint[hip].parent;
    turn_global(p->turn, by, hip, above, own);
    dquat_multiply(by, p->turn + 4 * knee, p->turn + 4 * knee); /* the shin swings along */
    dquat_conjugate(p->turn + 4 * knee, by);
    dquat_multiply(by, footing, own + 4 * foot);
}

static void plant(struct planting *p, int foot, sn_clip *moved) {
    const size_t n = (size_t)p->clip->def.njoint;
    find_way(p, foot);
    find_aims(p);
    for (size_t k = 0; k < (size_t)p->clip->def.nframe; k++) {
        double target[3];
        if (dvec_length(p->aim + 3 * k) < 1e-9) continue;
        for (size_t i = 0; i < 3; i++)
            target[i] = p->way[3 * k + i] + p->aim[3 * k + i];
        double *own = moved->rotation + 4 * n * k;
        bend_leg(p, foot, target, moved->position + 3 * k, own);
        for (size_t i = 0; i < n; i++)
            dquat_normalise(own + 4 * i);
    }
}

sn_clip *sn__clip_plant(const sn_clip *clip, sn_error *error) {
    if (!clip) {
        sn__fail(error, SN_ERROR_ARGUMENT, "there is no clip");
        return NULL;
    }
    const size_t n = (size_t)clip->def.njoint, frames = (size_t)clip->def.nframe, real = sizeof(double);
    struct planting p = {.clip = clip};
    p.place = sn__alloc(n, 3 * real), p.turn = sn__alloc(n, 4 * real);
    p.way = sn__alloc(frames, 3 * real), p.aim = sn__alloc(frames, 3 * real);
    p.sorted = sn__alloc(frames, real), p.stands = sn__alloc(frames, sizeof *p.stands);
    sn_clip *moved = NULL;
    if (p.place && p.turn && p.way && p.aim && p.sorted && p.stands)
        moved = sn_clip_create(&clip->def, error);
    else
        sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < clip->def.njoint && moved; i++)
        if (is_foot(&clip->def, i)) plant(&p, i, moved);
    sn__free_all(p.place, p.turn, p.way, p.aim, p.sorted, p.stands);
    return moved;
}
