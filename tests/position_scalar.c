/* Kernels that are written over lanes, in scalars, for tests that call them one by one. */
#define LANE_BITS 64
#define LANE_WIDTH 1
#include "kernels/position/psd.h"

void scalar_psd_part(const double in[6], double out[6]);

void scalar_psd_part(const double in[6], double out[6]) {
    const sym3 P = psd_part((sym3){in[0], in[1], in[2], in[3], in[4], in[5]});
    out[0] = P.xx, out[1] = P.yy, out[2] = P.zz, out[3] = P.xy, out[4] = P.xz, out[5] = P.yz;
}
