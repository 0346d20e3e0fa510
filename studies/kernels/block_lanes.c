/* One lane type: sweeps over several poses at once, which only studies of position-based steps use.
 *
 * Inlining everything would make this 170 kB of code in each type. Here the compiler decides, and multiply-adds are never
 * fused (cmake/lanes.cmake), so that the results do not depend on what it inlines. */
#pragma GCC diagnostic ignored "-Wunused-function" /* headers of other kernels, of which a part is used */
#define KERNEL static inline
#include "kernels/tables.h"
#include "studies/kernels/block.h"
#include "studies/kernels/table.h"

void BLOCK_KERNEL(LANE_BITS, LANE_WIDTH, LANE_ISA)(const struct sn__position_args *a, int hessian);

void BLOCK_KERNEL(LANE_BITS, LANE_WIDTH, LANE_ISA)(const struct sn__position_args *a, int hessian) {
    block(a, hessian);
}
