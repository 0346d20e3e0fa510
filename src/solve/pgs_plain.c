/* Projected Gauss-Seidel without vectors, for libraries that have no lane type of doubles: the text of the kernel, for one
 * lane. */
#define LANE_BITS 64
#define LANE_WIDTH 1
#include "kernels/contact/pgs.h"

#include "solve/problem.h"

int sn__pgs_plain(struct sn__pgs *p) {
    return pgs(p);
}
