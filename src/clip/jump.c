/* A step from frame to frame is measured by how far and how fast joints turn in it, the median over all joints that turn
 * at all: a wrist that flips over in a capture is not a jump of the whole skeleton.
 *
 *     turn_k = median_j |log(q_kj^-1 q_(k+1)j)|,   spin_k = turn_k / (t_(k+1) - t_k)
 *
 * A skeleton jumps in a step whose spin is several times what it is in 19 of 20 steps of the clip, and beyond what
 * muscles do. */
#include "clip/jump.h"

#include "base/memory.h"
#include "base/quat.h"

#include <stdlib.h>
#include <string.h>

static const double several = 4;
static const double least_turn = 0.08;  /* rad */
static const double least_spin = 8;     /* rad/s */
static const double stillness = 0.01;   /* rad, of frames that hold a pose */
static const double longest_pose = 0.6; /* s */

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* `angle` has room for all joints. */
static double turn_of_step(const sn_clip_def *clip, int frame, double *angle) {
    const size_t n = (size_t)clip->njoint;
    const double *a = clip->rotation + 4 * n * (size_t)frame, *b = a + 4 * n;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        double turn[4], v[3];
        dquat_conjugate(a + 4 * i, turn);
        dquat_multiply(turn, b + 4 * i, turn);
        dquat_log(turn, v);
        if (dvec_length(v) > 1e-9) angle[count++] = dvec_length(v); /* not End Sites */
    }
    qsort(angle, count, sizeof *angle, by_size);
    return count > 0 ? angle[count / 2] : 0;
}

int sn__clip_first_pose(const sn_clip_def *clip) {
    const int steps = clip->nframe - 1;
    if (clip->loop || steps < 4) return 0;
    double *turn = sn__alloc((size_t)steps, sizeof *turn), *spin = sn__alloc((size_t)steps, sizeof *spin);
    double *angle = sn__alloc((size_t)clip->njoint, sizeof *angle);
    int first = 0;
    if (turn && spin && angle) {
        for (int k = 0; k < steps; k++) {
            turn[k] = turn_of_step(clip, k, angle);
            spin[k] = turn[k] / (clip->time[k + 1] - clip->time[k]);
        }
        qsort(spin, (size_t)steps, sizeof *spin, by_size);
        const double limit = fmax(least_spin, several * spin[(size_t)(0.95 * (steps - 1))]);
        for (int k = 0; k < steps && clip->time[k] <= longest_pose; k++) {
            const double h = clip->time[k + 1] - clip->time[k];
            if (turn[k] > least_turn && turn[k] > limit * h)
                first = k + 1;
            else if (first > 0 || turn[k] > stillness)
                break;
        }
    }
    sn__free_all(turn, spin, angle);
    return first;
}
