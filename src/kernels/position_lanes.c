/* One lane type: its kernels of position-based steps, beside lanes.c and compiled apart from it, for each type once. */
#pragma GCC diagnostic ignored "-Wunused-function" /* headers of other kernels, of which a part is used */
#include "kernels/position/step.h"
#include "kernels/position/table.h"
#include "kernels/position/trajectory.h"
#include "kernels/tables.h"

/* cmake/lanes.cmake sets HAS_BLOCK for the types that are compiled with block_lanes.c. */
#ifndef HAS_BLOCK
#define HAS_BLOCK 0
#endif
#if HAS_BLOCK
void BLOCK_KERNEL(LANE_BITS, LANE_WIDTH, LANE_ISA)(const struct sn__position_args *a, int hessian);
#endif

static size_t position_work_size(int nbody, int nv, int nslot, int m) {
    struct position_work w;
    return position_layout(&w, 0, nbody, nv, nslot, m, HAS_BLOCK);
}

const struct sn__position_kernels POSITION_TABLE(LANE_BITS, LANE_WIDTH, LANE_ISA) = {
    .work_size = position_work_size,
    .affine = affine,
    .affine_rate = affine_rate,
    .blend = blend,
    .recentre = recentre,
    .move = move,
    .move_bodies = move_bodies,
    .difference = difference,
    .velocity = velocity,
    .gradient = gradient,
    .sweep = sweep_position,
    .step_memory = step_memory,
    .step = step_position,
    .trajectory_start = trajectory_start,
    .trajectory_tick = trajectory_tick,
#if HAS_BLOCK
    .block = BLOCK_KERNEL(LANE_BITS, LANE_WIDTH, LANE_ISA),
#endif
};
