/* One lane type: its kernels of position-based steps, beside lanes.c and compiled apart from it, for each type once. */
#pragma GCC diagnostic ignored "-Wunused-function" /* headers of other kernels, of which a part is used */
#include "kernels/position/step.h"
#include "kernels/position/table.h"
#include "kernels/tables.h"

const struct sn__position_kernels POSITION_TABLE(LANE_BITS, LANE_WIDTH, LANE_ISA) = {
    .sweep = sweep_position,
    .step_memory = step_memory,
    .step = step_position,
};
