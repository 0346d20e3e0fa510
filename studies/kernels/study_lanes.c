/* One lane type: its kernels of studies, and the table that exports them. Compiled once for each type, beside
 * src/kernels/lanes.c, into the library of studies. What is large they have from the library's own tables. */
#pragma GCC diagnostic ignored "-Wunused-function" /* headers of other kernels, of which a part is used */
#include "kernels/position/table.h"
#include "kernels/tables.h"
#include "studies/kernels/polarised.h"
#include "studies/kernels/trajectory.h"

/* As in src/kernels/lanes.c. */
#define HAS_ROWS (LANE_BITS * LANE_WIDTH <= 256)
extern const struct sn__kernels LANE_TABLE(LANE_BITS, LANE_WIDTH, LANE_ISA);
extern const struct sn__position_kernels POSITION_TABLE(LANE_BITS, LANE_WIDTH, LANE_ISA);

#if HAS_ROWS
static void sweep_again(const struct sn__args *args, const void *Q, const void *K, void *qdd) {
    LANE_TABLE(LANE_BITS, LANE_WIDTH, LANE_ISA).rows->sweep(args, Q, K, qdd);
}

#include "studies/kernels/test_forces.h"
#endif

static void sweep_pose(const struct sn__position_args *a, int hessian) {
    POSITION_TABLE(LANE_BITS, LANE_WIDTH, LANE_ISA).sweep(a, hessian);
}

/* cmake/lanes.cmake sets HAS_BLOCK for the types that are compiled with block_lanes.c. */
#ifndef HAS_BLOCK
#define HAS_BLOCK 0
#endif
#if HAS_BLOCK
void BLOCK_KERNEL(LANE_BITS, LANE_WIDTH, LANE_ISA)(const struct sn__position_args *a, int hessian);
#endif

#if LANE_WIDTH == 1
extern const struct sn__full_kernels FULL_TABLE(LANE_BITS, LANE_WIDTH, LANE_ISA);
#endif

static size_t position_work_size(int nbody, int nv, int nslot, int m) {
    struct position_work w;
    return position_layout(&w, 0, nbody, nv, nslot, m, HAS_BLOCK);
}

const struct sn__study_table STUDY_TABLE(LANE_BITS, LANE_WIDTH, LANE_ISA) = {
    .polarised = solve_polarised,
#if HAS_ROWS
    .test_forces = test_forces,
    .cached_forces = cached_forces,
#endif
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
    .sweep = sweep_pose,
    .trajectory_start = trajectory_start,
    .trajectory_tick = trajectory_tick,
#if LANE_WIDTH == 1
    .full = &FULL_TABLE(LANE_BITS, LANE_WIDTH, LANE_ISA),
#endif
#if HAS_BLOCK
    .block = BLOCK_KERNEL(LANE_BITS, LANE_WIDTH, LANE_ISA),
#endif
};
