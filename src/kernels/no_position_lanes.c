/* One lane type without position-based steps, in place of position_lanes.c where SINEW_POSITION is OFF. */
#include "kernels/position/table.h"
#include "kernels/tables.h"

const struct sn__position_kernels POSITION_TABLE(LANE_BITS, LANE_WIDTH, LANE_ISA) = {.step = NULL};
