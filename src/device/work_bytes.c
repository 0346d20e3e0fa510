/* How much working memory a work-item needs: the layout of the kernels for one character in float. */
#define LANE_BITS 32
#define LANE_WIDTH 1
#include "kernels/tree/work.h"

#include "device/device.h"

size_t sn__device_work_bytes(int nbody, int nv, int nslot) {
    struct work w;
    return work_layout(&w, NULL, nbody, nv, nslot, 0);
}
